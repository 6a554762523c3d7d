"""Playing variants as long as they may still be the best: few games first, more for what looks good.

All variants meet the same deals, and bots that cost little play first. A variant is dropped

-   as soon as it misses the target beyond noise by more than the best variant so far misses it at all, and
-   once every term is measured, when noise explains less than half of what it misses: how far off it is, is known then.

What was played is kept in a store like that of a study, so a variant that comes up again, or a search that goes on later,
plays no game twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tkg.bots.table import take_apart
from tkg.bulk import Run, make_run, version
from tkg.own_bots import own_among
from tkg.rules.errors import Refused
from tkg.rules.knobs import Variant
from tkg.studies.engines import Cores, Task
from tkg.studies.plan import block_size
from tkg.studies.store import Store, key_of, rows_of, rules_hash
from tkg.targets.measuring import Loss, Measured, Seconds, Unfit, loss_of, measure
from tkg.targets.terms import Term

if TYPE_CHECKING:
    import polars as pl

FIRST = 8  # a variant begins with this part of its games
KNOWN = 0.5  # of a miss that noise does not explain: more games would tell little
LEAST = 20  # games to begin with at least
COSTS = {"random": 1.0, "greedy": 10.0}  # of a game, roughly, in some unit
COST_OF_ITERATION, COST_OF_OWN = 100.0, 10_000.0
UNIT = 1e-4  # seconds that one takes, roughly: only how games are shared out among workers turns on it

Say = Callable[[str], None]


@dataclass(frozen=True)
class Outcome:
    """What came of a variant: `found` by term, None where it was dropped before."""

    variant: Variant
    found: tuple[Measured | None, ...]
    loss: Loss

    @property
    def whole(self) -> bool:
        """Whether every term was measured."""
        return None not in self.found

    @property
    def plain(self) -> list[list[float] | None]:
        """What was measured, as JSON has it."""
        return [None if m is None else [m.value, m.low, m.high, m.games] for m in self.found]


class Games:
    """The games of variants, kept in a store."""

    def __init__(self, store: Store, workers: int | None, say: Say):
        self.store, self.say = store, say
        self.engine = Cores(workers)
        self.looked_at: set[str] = set()  # keys whose shards are known to be what was written

    def rows(self, run: Run, games: int) -> pl.LazyFrame:
        """The first `games` games of a run; those that are not there, or are damaged, are played."""
        key = key_of(run)
        if key not in self.looked_at:
            self.store.set_aside_damaged([key])
            self.looked_at.add(key)
        for done in self.engine.play(self.tasks(run, key, games)):
            task = done.task
            self.store.put(key, run, task.first, task.first + task.games, done.data)
            self.say(f"{run.variant} {','.join(run.bots)}")
        return rows_of(self.store.shards_of_games(key, games), games)

    def tasks(self, run: Run, key: str, games: int) -> Iterator[Task]:
        """What is missing, in blocks."""
        rules = rules_hash(run.variant.game)
        size = block_size(UNIT * cost_of(run), run.rows_per_game)
        for first, end in self.store.missing(key, games):
            for at in range(first, end, size):
                yield Task(key, run, at, min(size, end - at), rules, version())


def cost_of(run: Run) -> float:
    """What a game costs, roughly, beside others: by the bots' names, since a clock would make a search depend on the day."""
    game, total = run.variant.game, 0.0
    for bot in run.bots:
        name = take_apart(game, bot)
        own = COST_OF_OWN if own_among(game, [bot]) else COSTS.get(name.bot, COSTS["greedy"])
        total += own + COST_OF_ITERATION * name.iterations
    return total / len(run.bots)


def levels(games: int) -> list[int]:
    """Numbers of games at which a variant is looked at: an eighth, and twice as many each time."""
    found = [games]
    while found[0] // 2 >= max(LEAST, games // FIRST):
        found.insert(0, found[0] // 2)
    return found


class Race:
    """Measures variants on the deals of one run seed, and drops those that cannot be the best.

    `search` says whether those are dropped, too, of which it is known how far off they are.
    """

    def __init__(
        self, terms: Sequence[Term], seconds: Seconds, games: Games, most: int, seed: int, price: float, search: bool
    ):
        self.terms, self.seconds, self.games, self.most, self.seed = terms, seconds, games, most, seed
        self.price, self.search = price, search
        self.bar = math.inf  # what the best variant so far misses

    def seated(self, variant: Variant) -> dict[Run, list[int]]:
        """The runs that the terms ask for, each with the terms that it serves."""
        found: dict[Run, list[int]] = {}
        for k, term in enumerate(self.terms):
            try:
                run = make_run(variant, term.seated(variant), self.most, self.seed)
            except Refused as error:
                raise Unfit(f"{variant}: {error}") from None
            found.setdefault(run, []).append(k)
        return found

    def enter(self, variant: Variant, changes: int) -> Outcome:
        """Play a variant until all its games are played, or it is dropped; `Unfit` if a term's bots cannot sit at its table."""
        runs = self.seated(variant)
        steps = sorted((cost_of(run) * n, i, n, run) for i, run in enumerate(runs) for n in levels(self.most))
        found: list[Measured | None] = [None] * len(self.terms)
        loss = Loss(0.0, 0.0, 0.0)
        for _, _, n, run in steps:
            rows = self.games.rows(run, n)
            for k in runs[run]:
                found[k] = measure(self.terms[k], rows, variant, self.seconds)
            loss = loss_of(self.terms, found, self.price * changes)
            if loss.beyond > self.bar or (self.search and None not in found and loss.beyond > KNOWN * loss.raw):
                break
        outcome = Outcome(variant, tuple(found), loss)
        self.learn(outcome)
        return outcome

    def learn(self, outcome: Outcome) -> None:
        """An outcome in which every term was measured may raise the bar: who comes after it must miss less."""
        if outcome.whole:
            self.bar = min(self.bar, outcome.loss.raw)

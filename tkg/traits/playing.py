"""A table of traits: every game of a run made again, and what its own file tells of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from tkg.bulk import Run, front, make_run, seated
from tkg.rules import calls
from tkg.rules.errors import Refused, did_you_mean
from tkg.traces import Bar, positions, replayed, side_by_side
from tkg.traits.played import Step, Traits, Whole

if TYPE_CHECKING:
    import polars as pl

    from tkg.rules.knobs import Variant

Told = tuple[int, list[int], np.ndarray, Traits]  # of a game: its seed, seating, payoffs and traits


def features(
    variant: Variant,
    bots: str | Sequence[str] = "greedy",
    games: int = 1000,
    seed: int = 0,
    *,
    of: str | None = None,
    fixed_seats: bool = False,
    workers: int | None = None,
    progress: bool = False,
) -> pl.DataFrame:
    """What games were like in numbers that may go with winning: a polars table with a row per game and seat.

    The games are those of `tkg.simulate(variant, bots, games, seed)`. `of` says what is told, by default the first of what the game's own file
    offers: in the Rift `deal` (which insignias came early, and which were set aside at the start), `ring` (insignias built and spent) and `tiles` (copies of each
    tile in the ring at the end); in Cosmic Alignments `draft` (insignias on the layout, and by whom they were laid) and `tiles` (captured);
    in Umbra Via `tiles` (placed, by kind) and `bids`. Columns: `run, variant, version, seed, game, game_seed, seat, bot, win`, then the features, all numbers.
    `tkg.metrics.importance` tells which of them go with wins. Only what chance alone has dealt can be said to bring about a win; what was played may as well come of winning.

    `games`, `seed` and `of` settle the table, `workers` does not. Refused are several bots in a game for one.
    """
    run = make_run(variant, bots, games, seed, fixed_seats)
    if run.contest:
        raise Refused(f"bots: {len(run.bots)} for a game for one, in which each plays alone; take them one by one")
    offered: dict[str, Callable[[Whole], Traits]] = import_module(f"tkg.traits.{variant.game}").OFFERED
    wanted = next(iter(offered)) if of is None else of
    if wanted not in offered:
        raise Refused(f"of={of!r}: one of {', '.join(offered)}{did_you_mean(wanted, offered)}")
    bar = Bar(run.games, progress, f"features of {variant}")
    return table(run, list(side_by_side(lambda game: told(run, offered[wanted], game), run.games, workers, bar)))


def told(run: Run, traits: Callable[[Whole], Traits], game: int) -> Told:
    """What is told of one game of a run."""
    variant = run.variant
    game_seed, seating, actions = replayed(run, game)
    start, end = positions(variant, game_seed, actions, [0, len(actions)])
    payoffs = np.zeros(variant.seats)
    calls.outcome(end, variant.packed, payoffs)

    def steps() -> list[Step]:
        before = positions(variant, game_seed, actions, range(len(actions)))
        return [
            Step(int(calls.seat(state)), variant.rules.text(variant, state[0], int(action)), state[0])
            for state, action in zip(before, actions, strict=True)
        ]

    return game_seed, seating, payoffs, traits(Whole(variant, start[0], end[0], steps))


def table(run: Run, games: Sequence[Told]) -> pl.DataFrame:
    """A row per game and seat."""
    import polars as pl

    seats = run.variant.seats
    found = pl.DataFrame([row for *_, traits in games for row in traits]).cast(pl.Float64)
    seeds = np.repeat([game_seed for game_seed, *_ in games], seats)
    columns = {
        **front(run, np.repeat(np.arange(len(games)), seats), seeds),
        "seat": np.tile(np.arange(1, seats + 1, dtype=np.int8), len(games)),
        "bot": seated(run, np.array([seating for _, seating, _, _ in games])),
        "win": np.concatenate([payoffs for _, _, payoffs, _ in games]),
    }
    return pl.concat([pl.DataFrame(columns), found], how="horizontal")

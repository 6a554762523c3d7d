"""What a game will come to, turn by turn: how likely each of several facts is to hold at its end, from games played on.

The facts are those that a result tells, such as the conditions that a single player has to meet, or how a game ends. A position is
seen as by `tkg.trace`: what is hidden is dealt anew for every game that is played on from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tkg.bots.loop import Played
from tkg.bulk import Run, front, make_run
from tkg.rules import calls
from tkg.rules.errors import Refused, did_you_mean
from tkg.rules.kernel import records
from tkg.rules.knobs import Variant
from tkg.traces import (
    Bar,
    Judge,
    check_moments,
    make_judge,
    moment_key,
    places,
    played_on,
    positions,
    replayed,
    side_by_side,
)

if TYPE_CHECKING:
    import polars as pl

PLAYOUTS = 64  # of a moment
Fact = Callable[[Played], np.ndarray]  # whether it holds, by game


def prospects(
    variant: Variant,
    bots: str | Sequence[str] = "greedy",
    games: int = 100,
    seed: int = 0,
    *,
    facts: Sequence[str] | None = None,
    moments: int | str = 10,
    judge: str | None = None,
    playouts: int = PLAYOUTS,
    fixed_seats: bool = False,
    workers: int | None = None,
    progress: bool = False,
) -> pl.DataFrame:
    """How likely each of several facts is to hold at the end, over time: a polars table with a row per game, moment and fact.

    The games are those of `tkg.simulate(variant, bots, games, seed)`. `facts` are fields of the result that are true or false
    (`matched`), words of one (`ending/captures`) or, in a game for one, `win`; without them all fields of truth but the victory, or where
    there are none all endings. `moments` is a kind of decision, before each of which the game is looked at (in the Rift `gain` begins every turn), or
    as for `tkg.trace` the number of equal stretches between looks, or `all`; the end is a moment too.

    Columns: `run, variant, version, seed, game, game_seed, moment` (from 0), `decision` (decisions taken before it), `decisions` (of the whole
    game), `time` (the share of the decisions gone), `fact`, `playouts`, `share` (of the games played on from there in which the fact
    holds at the end), `held` (whether it did in this game) and `all_held` (whether all facts did). At the end `share` is `held`, and `playouts` 0.

    `judge` plays on, `playouts` games from each moment, in all seats and with all that is hidden dealt anew; without one it is the bot that played, where
    there is but one. So a share is the chance if that bot plays on, with a standard error of at most `1 / (2 sqrt(playouts))`, 0.06 for 64: a
    better player may save what it tells for lost. `tkg.metrics.prospects_over_time`, `lost_at` and `lost_first` take the
    table. `games`, `seed`, `facts`, `moments`, `judge` and `playouts` settle it, `workers` does not. Refused are several bots in a game for one.
    """
    run = make_run(variant, bots, games, seed, fixed_seats)
    if run.contest:
        raise Refused(f"bots: {len(run.bots)} for a game for one, in which each plays alone; look at them one by one")
    if judge is None and len(set(run.bots)) > 1:
        raise Refused(f"judge: {', '.join(run.bots)} play; say which bot is to play on, such as judge='greedy'")
    judging = make_judge(variant, run.bots[0] if judge is None else judge, playouts)
    found = check_facts(variant, facts)
    kinds = list(variant.rules.KINDS)
    if isinstance(moments, str) and moments in kinds:
        kind, stretches = kinds.index(moments), None
    elif isinstance(moments, str) and moments != "all":
        raise Refused(f"moments={moments!r}: a number of stretches, 'all', or a kind of decision: {', '.join(kinds)}")
    else:
        kind, stretches = -1, check_moments(moments)
    bars = Bar(run.games, progress, f"prospects of {variant}")

    def looked(game: int) -> Looked:
        return look(run, judging, list(found.values()), kind, stretches, game)

    return table(run, judging, list(found), list(side_by_side(looked, run.games, workers, bars)))


def check_facts(variant: Variant, facts: Sequence[str] | None) -> dict[str, Fact]:
    """Every fact by its name, with what tells whether it holds."""
    rules = variant.rules
    known: dict[str, Fact] = {}
    for name in rules.RESULT.names:
        if name != "win" and rules.RESULT[name] == np.bool_:
            known[name] = lambda played, name=name: played.results[name]  # type: ignore[misc]
    usual = list(known)
    for name in rules.WORDS:
        if name not in rules.BY_SEAT:
            for code, word in enumerate(rules.WORDS[name]):
                if word:
                    known[f"{name}/{word}"] = lambda played, name=name, code=code: played.results[name] == code  # type: ignore[misc]
    usual = usual or [name for name in known if name.startswith("ending/")]
    if variant.seats == 1:
        known["win"] = lambda played: played.payoffs[:, 0] > 0
    if facts is not None and not isinstance(facts, (str, list, tuple)):
        raise Refused(f"facts={facts!r}: a name, or a list of them; there are {', '.join(known)}")
    wanted = usual if facts is None else [facts] if isinstance(facts, str) else list(facts)
    if not wanted:
        raise Refused(f"facts: none are named; there are {', '.join(known)}")
    for name in wanted:
        if name not in known:
            raise Refused(
                f"facts: {variant.game} tells of no {name!r}; there are {', '.join(known)}{did_you_mean(name, known)}"
            )
    return {name: known[name] for name in wanted}


# --- Looking ------------------------------------------------------------------------------------------------------


class Looked(NamedTuple):
    """One game; `share` has a row for each moment and in it each fact, the end's the last."""

    game_seed: int
    decision: list[int]
    share: np.ndarray


def look(run: Run, judge: Judge, facts: Sequence[Fact], kind: int, stretches: int | None, game: int) -> Looked:
    """One game of a run, looked at before every decision of a kind, or evenly where `kind` is -1."""
    variant = run.variant
    game_seed, _, actions = replayed(run, game)
    end = len(actions)
    looks = places(end, stretches if kind < 0 else None)[:-1]
    decision, shares = [], []
    for place, position in zip(looks, positions(variant, game_seed, actions, looks), strict=True):
        if kind >= 0 and int(calls.kind(position)) != kind:
            continue
        played = played_on(variant, judge, position, place, moment_key(game_seed, place))
        decision.append(place)
        shares.append([fact(played).mean() for fact in facts])
    [last] = positions(variant, game_seed, actions, [end])
    shares.append([fact(as_played(variant, last))[0] for fact in facts])
    return Looked(game_seed, [*decision, end], np.array(shares, np.float64))


def as_played(variant: Variant, position: np.ndarray) -> Played:
    """What the game of a last position has come to."""
    payoffs, results = np.zeros((1, variant.seats)), records(variant.rules.RESULT)
    calls.outcome(position, variant.packed, payoffs[0])
    calls.result(position, variant.packed, results)
    return Played(payoffs, results, None)


def table(run: Run, judge: Judge, facts: Sequence[str], games: Sequence[Looked]) -> pl.DataFrame:
    """A row per game, moment and fact."""
    import polars as pl

    moments, n = [len(g.decision) for g in games], len(facts)
    sizes = [m * n for m in moments]
    ends = np.array([g.decision[-1] for g in games])
    decision = np.concatenate([np.repeat(g.decision, n) for g in games])
    decisions = np.repeat(ends, sizes)
    held = [g.share[-1] > 0 for g in games]
    return pl.DataFrame(
        {
            **front(run, np.repeat(np.arange(len(games)), sizes), np.repeat([g.game_seed for g in games], sizes)),
            "moment": np.concatenate([np.repeat(np.arange(m), n) for m in moments]).astype(np.int32),
            "decision": decision.astype(np.int32),
            "decisions": decisions.astype(np.int32),
            "time": decision / decisions,
            "fact": pl.Series(list(facts) * sum(moments), dtype=pl.Enum(facts)),
            "playouts": np.where(decision == decisions, 0, judge.playouts).astype(np.int32),
            "share": np.concatenate([g.share.reshape(-1) for g in games]),
            "held": np.concatenate([np.tile(h, m) for h, m in zip(held, moments, strict=True)]),
            "all_held": np.repeat([bool(h.all()) for h in held], sizes),
        }
    )

"""How the chances of every seat went in whole games: the values of positions over time, from which tension is measured.

A position is judged by games that a bot plays on from it in all seats. It is judged as somebody sees it who watches the
table and looks into nobody's hand (`Game.view` of None): decisions that are being made in secret are made anew by the
judge, and then what each seat cannot know is dealt anew, one seat after the other, the one that decides last. So
nothing that any seat keeps to itself stays as it was, nor the order of what is yet to be drawn, while all that everybody sees does.
Each dealing is one that the seat before could have been dealt; where hands are drawn from one stack, a trace of
the true ones may remain in how likely each is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tkg.bots.loop import Played, fill_seeds
from tkg.bots.table import bot_code
from tkg.bulk import Run, actions_of, check_registered, count_workers, front, in_words, make_run, patiently, seated
from tkg.own_bots import play
from tkg.rules import calls
from tkg.rules.chance import SEARCH, UNTOLD, derive_exact
from tkg.rules.errors import Refused
from tkg.rules.kernel import records
from tkg.rules.knobs import Variant, parse_variant
from tkg.rules.numbers import whole

if TYPE_CHECKING:
    import polars as pl

MOMENTS = 10  # stretches between the moments of a game that are judged: its tenths
PLAYOUTS = 32  # of a position
MOST_PLAYOUTS = 100_000
MOST_OPTIONS = 8  # options of a decision that are judged
ALL = "all"


@dataclass(frozen=True)
class Judge:
    """Who judges a position, and by how many games."""

    bot: str
    playouts: int


def trace(
    variant: Variant,
    bots: str | Sequence[str] = "greedy",
    games: int = 100,
    seed: int = 0,
    *,
    judge: str = "greedy",
    moments: int | str = MOMENTS,
    playouts: int = PLAYOUTS,
    fixed_seats: bool = False,
    workers: int | None = None,
    progress: bool = False,
) -> pl.DataFrame:
    """The value of positions over time: a polars table with a row per game, moment and seat.

    The games are those of `tkg.simulate(variant, bots, games, seed)`. Each is judged at its beginning, after each of
    `moments` equal stretches of its decisions, and so at its end; with `moments="all"` before every decision and at the end.
    Columns: `run, variant, version, seed, game, game_seed, moment` (from 0), `decision` (decisions taken before it),
    `decisions` (of the whole game), `time` (the share of the decisions gone, from 0 to 1), `kind` and `options` of the
    decision at hand (null and 0 at the end), `seat`, `bot`, `decides` (whether this seat decides there), `playouts`, `value`
    (the seat's share of the victory to be expected; for a single player the chance to win), `se` (its standard error) and
    `win` (what came of the game).

    A value is the mean over `playouts` games that `judge` plays on in all seats, with all that is hidden from a watcher
    of the table dealt anew for each (see this module). So it is what games of that bot would come to, and its standard error is at
    most `1 / (2 sqrt(playouts))`, 0.09 for 32 of them; that of the difference of two seats is at most twice as large. So 32 tell
    a seat that wins three games of four from a level one by three standard errors, and 100 games are traced in
    10 to 80 seconds of one core; four times as many halve the error. At the end `value` is `win`, `playouts` and `se` are 0.
    The measures of `tkg.metrics` that take this table allow for the error.

    `games`, `seed`, `judge`, `moments` and `playouts` settle the table, `workers` does not. Bots of one's own may play and judge.
    Refused are bots named by time, and several bots in a game for one, whose players do not play together.
    """
    run = make_run(variant, bots, games, seed, fixed_seats)
    if run.contest:
        raise Refused(
            f"bots: {len(run.bots)} for a game for one, in which each plays alone; trace them one by one, on the same seed"
        )
    judging = make_judge(variant, judge, playouts)
    stretches = check_moments(moments)
    bars = Bar(games, progress, f"tracing {variant}")
    found = list(side_by_side(lambda game: trace_game(run, judging, stretches, game), run.games, workers, bars))
    return table(run, judging, found)


def make_judge(variant: Variant, bot: str, playouts: int) -> Judge:
    """Who judges, checked."""
    bot_code(variant.game, bot)
    number = whole(playouts)
    if number is None or not 2 <= number <= MOST_PLAYOUTS:
        raise Refused(f"playouts={playouts!r}: a whole number from 2 to {MOST_PLAYOUTS:,}")
    return Judge(bot, number)


def check_moments(moments: int | str) -> int | None:
    """The stretches between moments; None for all moments."""
    if moments == ALL:
        return None
    number = whole(moments)
    if number is None or number < 1:
        raise Refused(f"moments={moments!r}: a whole number from 1, the stretches between them, or {ALL!r}")
    return number


def places(decisions: int, stretches: int | None) -> list[int]:
    """After how many decisions a game of so many is judged: at its beginning, evenly spread, and at its end."""
    if stretches is None or stretches >= decisions:
        return list(range(decisions + 1))
    return [
        -(-decisions * k // stretches) for k in range(stretches + 1)
    ]  # rounded up: each in its own part of the game


# --- Judging ------------------------------------------------------------------------------------------------------


def replayed(run: Run, game: int) -> tuple[int, list[int], np.ndarray]:
    """(seed, places of the bots by seat, actions) of one game of a run, played again."""
    seeds = np.empty(1, np.int64)
    fill_seeds(run.seed, game, seeds)
    game_seed, seating = int(seeds[0]), run.seating(game)
    codes = np.array([[bot_code(run.variant.game, run.bots[b]) for b in seating]], np.int64)
    return game_seed, seating, actions_of(run.variant, game_seed, codes, 0)


def positions(variant: Variant, game_seed: int, actions: np.ndarray, wanted: Sequence[int]) -> Iterator[np.ndarray]:
    """The positions that a game comes to after so many decisions, in order, each an array of one state."""
    states = records(variant.rules.STATE)
    calls.start(states, variant.packed, game_seed, calls.SILENT)
    played = 0
    for place in wanted:
        for action in actions[played:place]:
            calls.play(states, variant.packed, int(action), calls.SILENT)
        played = place
        yield states.copy()


def judged(variant: Variant, judge: Judge, position: np.ndarray, decided: int, key: int) -> np.ndarray:
    """Payoffs of games played on from a position as it is seen by nobody in particular, in an array (playouts, seats)."""
    return played_on(variant, judge, position, decided, key).payoffs


def played_on(variant: Variant, judge: Judge, position: np.ndarray, decided: int, key: int) -> Played:
    """What games come to that are played on from a position as it is seen by nobody in particular."""
    root = position.copy()
    calls.reopen(root, variant.packed)
    decides = int(calls.seat(root))
    others = [seat for seat in range(variant.seats) if seat != decides]
    seeds = playout_seeds(judge, key)
    codes = np.full((judge.playouts, variant.seats), bot_code(variant.game, judge.bot), np.int64)
    streams = np.zeros(judge.playouts, np.int64)
    if not others:
        return play(variant, seeds, codes, streams, root=root, decided=decided, dealt=True)
    games = []
    for i, seed in enumerate(seeds):
        dealt = root.copy()
        for seat in others:
            calls.hide(dealt, variant.packed, seat, hiding_key(int(seed), seat))
        one = slice(i, i + 1)
        games.append(play(variant, seeds[one], codes[one], streams[one], root=dealt, decided=decided, dealt=True))
    return Played(*(np.concatenate(parts) for parts in zip(*games, strict=True)))


def playout_seeds(judge: Judge, key: int) -> np.ndarray:
    return np.array([derive_exact(key, i) >> 11 for i in range(judge.playouts)], np.int64)


def hiding_key(seed: int, seat: int) -> int:
    """From what is dealt anew what a seat cannot know, below 2^63."""
    return derive_exact(derive_exact(seed, UNTOLD), seat) >> 1


def moment_key(game_seed: int, decided: int) -> int:
    """From what the playouts of a moment draw their luck."""
    return derive_exact(derive_exact(game_seed, SEARCH), decided)


@dataclass(frozen=True)
class Traced:
    """One game; arrays have an entry for each moment, and in it one for each seat where there are several of them."""

    game: int
    game_seed: int
    seating: list[int]
    decisions: int
    decision: np.ndarray
    kind: np.ndarray  # -1 at the end
    options: np.ndarray
    seat: np.ndarray  # that decides, from 0; -1 at the end
    value: np.ndarray  # (moments, seats)
    se: np.ndarray  # (moments, seats)


def trace_game(run: Run, judge: Judge, stretches: int | None, game: int) -> Traced:
    """One game of a run, judged at its moments."""
    variant = run.variant
    game_seed, seating, actions = replayed(run, game)
    decision = np.array(places(len(actions), stretches))
    moments = len(decision)
    kind, seat = np.full(moments, -1), np.full(moments, -1)
    options = np.zeros(moments, np.int64)
    value, se = np.zeros((moments, variant.seats)), np.zeros((moments, variant.seats))
    for m, position in enumerate(positions(variant, game_seed, actions, decision.tolist())):
        options[m] = len(calls.options(position, variant.packed))
        if options[m] == 0:
            calls.outcome(position, variant.packed, value[m])
            continue
        kind[m], seat[m] = int(calls.kind(position)), int(calls.seat(position))
        payoffs = judged(variant, judge, position, int(decision[m]), moment_key(game_seed, int(decision[m])))
        value[m] = payoffs.mean(axis=0)
        se[m] = payoffs.std(axis=0, ddof=1) / np.sqrt(judge.playouts)
    return Traced(game, game_seed, seating, len(actions), decision, kind, options, seat, value, se)


def table(run: Run, judge: Judge, games: Sequence[Traced]) -> pl.DataFrame:
    """A row per game, moment and seat."""
    import polars as pl

    variant, seats = run.variant, run.variant.seats
    moments = [len(g.decision) for g in games]

    def by_game(values: Sequence[int]) -> np.ndarray:
        return np.repeat(np.array(values), [m * seats for m in moments])

    def by_moment(name: str) -> np.ndarray:
        return np.repeat(np.concatenate([getattr(g, name) for g in games]), seats)

    def by_seat(name: str) -> np.ndarray:
        return np.concatenate([getattr(g, name) for g in games]).reshape(-1)

    seat = np.tile(np.arange(seats), sum(moments))
    kinds = [*variant.rules.KINDS, ""]
    bots = np.concatenate([np.tile(g.seating, m) for g, m in zip(games, moments, strict=True)])
    over = by_moment("options") == 0
    columns: dict[str, Any] = {
        **front(run, by_game([g.game for g in games]), by_game([g.game_seed for g in games])),
        "moment": np.repeat(np.concatenate([np.arange(m) for m in moments]), seats).astype(np.int32),
        "decision": by_moment("decision").astype(np.int32),
        "decisions": by_game([g.decisions for g in games]).astype(np.int32),
        "time": by_moment("decision") / by_game([g.decisions for g in games]),
        "kind": in_words(by_moment("kind") % len(kinds), kinds),
        "options": by_moment("options"),
        "seat": (seat + 1).astype(np.int8),
        "bot": seated(run, bots),
        "decides": by_moment("seat") == seat,
        "playouts": np.where(over, 0, judge.playouts).astype(np.int32),
        "value": by_seat("value"),
        "se": by_seat("se"),
        "win": np.concatenate([np.tile(g.value[-1], m) for g, m in zip(games, moments, strict=True)]),
    }
    return pl.DataFrame(columns).with_columns(pl.when(pl.col("options") > 0).then(pl.col("kind")))


# --- Options of seats that cannot win any more --------------------------------------------------------------------


def trace_options(
    traced: pl.DataFrame,
    *,
    judge: str = "greedy",
    playouts: int = PLAYOUTS,
    options: int = MOST_OPTIONS,
    workers: int | None = None,
    progress: bool = False,
) -> pl.DataFrame:
    """What seats that seem to have lost can still do to the others: a row per decision, option and seat.

    `traced` is what `tkg.trace` gave for games of at least three seats. Of its moments those are taken at which the seat
    that decides has several options and won none of the playouts. There each option, or `options` of them, evenly spread and the one that was
    played among them, is judged by twice `playouts` games that `judge` plays on after it, with what that seat cannot
    know dealt anew for each; all options meet the same dealings.

    Columns: `run, variant, game, game_seed, moment, decision, time, decider` (the seat that decides), `option` (from 0),
    `action`, `chosen`, `seat`, `playouts` and `value`, `value_again` (the seat's share of the victory in the first `playouts` games, and
    in as many others). `tkg.metrics.kingmaking` makes a measure of it. Refused for games of fewer seats.
    """
    import polars as pl

    most = whole(options)
    if most is None or most < 2:
        raise Refused(f"options={options!r}: a whole number from 2")
    names = ["run", "variant", "game", "game_seed", "moment", "decision", "time", "options", "seat", "bot", "decides"]
    lacking = [name for name in (*names, "playouts", "value") if name not in traced.columns]
    if lacking:
        raise Refused(f"traced: what tkg.trace gives is needed; this table has no column {lacking[0]!r}")
    text = [pl.col("run", "variant", "bot").cast(pl.String)]
    seated = traced.filter(pl.col("moment") == 0).with_columns(text)
    games = seated.sort("seat").group_by("run", "game", maintain_order=True).agg("bot")
    lost = traced.with_columns(text).filter(
        pl.col("decides") & (pl.col("value") == 0) & (pl.col("options") > 1) & (pl.col("playouts") > 0)
    )
    lost = lost.select(names).drop("bot").join(games, on=["run", "game"], how="left", maintain_order="left")
    if games["bot"].list.len().min() is None or int(games["bot"].list.len().min()) < 3:  # type: ignore[arg-type]
        raise Refused("traced: only of three seats or more can one decide which of the others wins")
    rows = lost.partition_by("run", "game", maintain_order=True)
    bars = Bar(len(rows), progress, "options of lost seats")

    def options_of(number: int) -> list[dict[str, Any]]:
        return options_of_game(rows[number].to_dicts(), judge, playouts, most)

    found = [row for part in side_by_side(options_of, len(rows), workers, bars) for row in part]
    schema = {name: lost.schema[name] for name in names[:7]}
    more = {"decider": pl.Int8, "option": pl.Int32, "action": pl.String, "chosen": pl.Boolean, "seat": pl.Int8}
    values = {"playouts": pl.Int32, "value": pl.Float64, "value_again": pl.Float64}
    return pl.DataFrame(found, schema={**schema, **more, **values})


def options_of_game(moments: list[dict[str, Any]], bot: str, playouts: int, most: int) -> list[dict[str, Any]]:
    """The options at some moments of one game, judged."""
    first = moments[0]
    variant = parse_variant(first["variant"])
    judge = make_judge(variant, bot, playouts)
    judge = Judge(judge.bot, 2 * judge.playouts)
    check_registered(variant.game, first["bot"], f"game {first['game']}")
    codes = np.array([[bot_code(variant.game, name) for name in first["bot"]]], np.int64)
    actions = actions_of(variant, first["game_seed"], codes, 0)
    wanted = [m["decision"] for m in moments]
    rows = []
    for moment, position in zip(moments, positions(variant, first["game_seed"], actions, wanted), strict=True):
        told = {name: moment[name] for name in ("run", "variant", "game", "game_seed", "moment", "decision", "time")}
        taken = int(actions[moment["decision"]])
        legal = calls.options(position, variant.packed).tolist()
        key = derive_exact(moment_key(first["game_seed"], moment["decision"]), UNTOLD)
        for option, action in enumerate(some_options(legal, taken, most)):
            payoffs = judged_option(variant, judge, position, action, moment["decision"], key)
            halves = [half.mean(axis=0) for half in np.split(payoffs, 2)]
            word = variant.rules.text(variant, position[0], action)
            rows += [
                {
                    **told,
                    "decider": moment["seat"],
                    "option": option,
                    "action": word,
                    "chosen": action == taken,
                    "seat": seat + 1,
                    "playouts": judge.playouts // 2,
                    "value": float(halves[0][seat]),
                    "value_again": float(halves[1][seat]),
                }
                for seat in range(variant.seats)
            ]
    return rows


def some_options(legal: list[int], taken: int, most: int) -> list[int]:
    """At most so many options, evenly spread, in order, the one that was taken among them."""
    if len(legal) <= most:
        return legal
    chosen = {legal[round(k * (len(legal) - 1) / (most - 1))] for k in range(most)}
    if taken not in chosen:
        chosen.remove(min(chosen, key=lambda a: abs(legal.index(a) - legal.index(taken))))
        chosen.add(taken)
    return [action for action in legal if action in chosen]


def judged_option(
    variant: Variant, judge: Judge, position: np.ndarray, action: int, decided: int, key: int
) -> np.ndarray:
    """Payoffs of games played on after an action, with what the seat that takes it cannot know dealt anew for each."""
    seat = int(calls.seat(position))
    seeds = playout_seeds(judge, key)
    codes = np.full((1, variant.seats), bot_code(variant.game, judge.bot), np.int64)
    payoffs = np.empty((judge.playouts, variant.seats))
    for i, seed in enumerate(seeds):
        root = position.copy()
        calls.hide(root, variant.packed, seat, hiding_key(int(seed), seat))
        calls.play(root, variant.packed, action, calls.SILENT)
        one = slice(i, i + 1)
        payoffs[one] = play(
            variant, seeds[one], codes, np.zeros(1, np.int64), root=root, decided=decided + 1
        ).payoffs  # fmt: skip
    return payoffs


# --- Side by side -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bar:
    """A progress bar to be."""

    total: int
    shown: bool
    text: str


def side_by_side(work: Callable[[int], Any], n: int, workers: int | None, bar: Bar) -> Iterator[Any]:
    """What `work` gives for 0 to n - 1, in order, worked on in several threads."""
    from tqdm.auto import tqdm

    with (
        ThreadPoolExecutor(count_workers(workers)) as pool,
        tqdm(total=bar.total, unit="game", disable=not bar.shown, desc=bar.text, delay=0.5) as shown,
    ):
        waiting = [pool.submit(work, i) for i in range(n)]
        try:
            for future in waiting:
                yield patiently(future)
                shown.update()
        finally:
            for future in waiting:
                future.cancel()

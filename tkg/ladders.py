"""A ladder: graded bots play each other in all seats on common deals, and what they are worth comes with intervals.

For every two bots and every deal a lone one sits in each seat in turn among the other's, and the other way round, so
that neither seats nor deals favour anybody. In a game for one player all bots play the same deals, each alone, and a
deal goes to the one that wins it by the rules where the other does not; else it is shared. Points, by which a contest
is ranked, are not what bots play for, and a bot that never wins may gather more of them.

The ratings are Bradley and Terry's (1952, "Rank analysis of incomplete block designs", Biometrika 39, 324-345), on the
scale of Elo, where 400 points are odds of ten to one. By Luce's choice axiom (1959, "Individual choice behavior") they
hold for more than two players too: whoever wins has beaten each of the others. `choix` fits them (Maystre and
Grossglauser 2015, "Fast and accurate inference of Plackett-Luce models", NeurIPS 28).
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from tkg import metrics
from tkg.bots.loop import fill_seeds
from tkg.bots.table import bot_code, bot_names, peeks
from tkg.bulk import blocks, count_workers, make_run
from tkg.metrics.intervals import with_wilson, with_wilson_over_deals
from tkg.metrics.words import columns, duration, listed, percent, with_interval
from tkg.own_bots import own_among, play
from tkg.rules.errors import Refused
from tkg.rules.knobs import Variant
from tkg.rules.numbers import whole

RUNGS = (
    "random",
    "uct:100",
    "greedy",
    "mcts:25",
    "mcts:100",
    "mcts:400",
)  # of every game's ladder, the one that should be weakest first
DEALS = 40
ANCHOR = "greedy"  # whose rating is 0, where it plays; else the first rung's is
ELO = 400 / np.log(10)  # points for each unit of log-odds
HALF_A_DEAL = 0.5  # what is added to either side of every two bots, so that one that never won has a rating
RESAMPLES = 400
MOST_ROUNDS = 10_000  # of the fit, which takes some ten
EASY = 0.9  # share of deals won from which a variant for one player tells bots apart but little
LEAST_SECONDS = 0.02  # of games between two looks at the clock
COST_SECONDS, COST_BLOCKS = 0.1, 10  # where measuring the cost of a bot ends


@dataclass(frozen=True, eq=False, repr=False)
class Ladder:
    """What a ladder has found; all but `costs` is settled by variant, bots, deals and seed.

    - `standings`, the best rated first: `bot`, `peeks`, `games`, `share`, `low`, `high` (of the victories over all other
      bots, one half being level), `rating`, `rating_low`, `rating_high`, and in a game for one player `win`, `win_low`,
      `win_high` (share of deals won by the rules). An end of a rating is null where games set no bound: the bot never
      lost, or never won, against those at the anchor's height.
    - `pairs`: `bot`, `opponent`, `deals`, `games`, `share`, `low`, `high` (of the victories, each holding as many
      seats in all; the two shares of a pair add up to 1), `alone`, `alone_low`, `alone_high` (of the victories of one
      such bot among opponents in all other seats; `level` if it made no difference).
    - `steps`, each bot against the one before it, peeking ones left out: `bot`, `below`, `share`, `low`, `high`,
      `verdict` (`climbs` if the whole interval lies above one half, `falls` if below, else `level`).
    - `costs`: `bot`, `decisions`, `cpu_ms`, `cpu_low`, `cpu_high`, milliseconds of processor time for a decision,
      those with one option included, in games in which the bot sits in all seats. Measured, so no seed gives it again.
    """

    variant: Variant
    bots: tuple[str, ...]
    deals: int
    seed: int
    anchor: str
    standings: pl.DataFrame
    pairs: pl.DataFrame
    steps: pl.DataFrame
    costs: pl.DataFrame

    @property
    def summary(self) -> pl.DataFrame:
        """The standings with what a decision costs, and `player`: the bot's name as it should be shown."""
        names = pl.Series("player", [shown(bot) for bot in self.standings["bot"]])
        costs = self.costs.select("bot", "cpu_ms", "cpu_low", "cpu_high")
        return self.standings.select(names, pl.all()).join(costs, on="bot", how="left", maintain_order="left")

    @property
    def upward(self) -> pl.DataFrame:
        """Every pair once, the higher rung as the bot."""
        rung = self.bots.index
        return self.pairs.filter(pl.Series([rung(b) > rung(o) for b, o in self.pairs.select("bot", "opponent").rows()]))

    @property
    def verdict(self) -> str:
        """Where the ladder stops climbing, in words."""
        return verdict_of(self.steps, self.deals)

    @property
    def notes(self) -> list[str]:
        """What must be known to read the tables."""
        found = []
        unbounded = self.standings.filter(pl.col("rating_low").is_null() | pl.col("rating_high").is_null())
        if len(unbounded):
            found.append(
                f"The rating of {listed([shown(b) for b in unbounded['bot']])} is bounded on one side only, for want of a "
                f"game that came out the other way; half a deal is added to either side of every two bots."
            )
        peeking = [shown(bot) for bot in self.bots if peeks(bot)]
        if "win" in self.standings.columns:
            easy = self.standings.filter(pl.col("win") >= EASY)["bot"]
            if len(easy) > 1:
                found.append(
                    f"{listed([shown(bot) for bot in easy])} win nearly every deal, so this variant tells them apart but "
                    "little; one that is harder to win tells more."
                )
        if peeking:
            found.append(
                f"{listed(peeking)}: no player may see that much; a bound to hold players against, and no rung."
            )
        return found

    def __str__(self) -> str:
        return "\n".join(
            [heading(self), "", *standing_lines(self), "", *pair_lines(self), "", self.verdict, *self.notes]
        )

    __repr__ = __str__


def shown(name: str) -> str:
    """A bot's name in tables and charts: of one that peeks it says so."""
    return f"{name} (sees everything)" if peeks(name) else name


def ladder(
    variant: Variant,
    bots: str | Sequence[str] | None = None,
    deals: int = DEALS,
    seed: int = 0,
    *,
    anchor: str | None = None,
    workers: int | None = None,
    progress: bool = False,
) -> Ladder:
    """Play graded bots against each other, the one that should be weakest first, and say where climbing stops.

    Every two bots meet on the same `deals`, in all seats: a deal is two games for two players, and twice as many games
    as seats for more. The rating of `anchor` is 0; unless told it is `greedy` where that plays, else the first rung. Fewer than two
    bots or deals, a bot given twice, and an anchor that is no rung are refused. `workers` settles nothing but the time.

    >>> import tkg
    >>> found = tkg.ladder(tkg.umbra(), ["random", "greedy"], deals=20, seed=1)
    >>> found.steps["verdict"].to_list()
    ['climbs']
    """
    names = rungs_of(variant, bots)
    if anchor is None:
        anchor = ANCHOR if ANCHOR in names else names[0]
    elif anchor not in names:
        raise Refused(f"anchor={anchor!r}: one of the rungs is needed, {', '.join(names)}")
    number = check_deals(deals)
    threads = count_workers(workers)
    run = make_run(variant, names[0], number, seed)
    python = " (own bots, in Python)" if own_among(variant.game, names) else ""
    with progress_bar(f"{variant}{python}", games_of(variant, len(names), number), progress) as bar:
        if variant.seats == 1:
            alone, wins = contested(variant, names, number, run.seed, threads, bar.update)
        else:
            alone, wins = lone_shares(variant, names, number, run.seed, threads, bar.update), None
        costs = pl.concat([cost_of(variant, name, run.seed) for name in names])
    pairs = pair_table(names, alone, variant.seats)
    standings = standing_table(names, alone, variant.seats, anchor, run.seed)
    if wins is not None:
        standings = standings.join(win_table(names, wins), on="bot", how="left", maintain_order="left")
    return Ladder(variant, names, number, run.seed, anchor, standings, pairs, step_table(pairs, names), costs)


def rungs_of(variant: Variant, bots: str | Sequence[str] | None) -> tuple[str, ...]:
    """The bots of a ladder, checked."""
    if not isinstance(variant, Variant):
        make_run(variant, RUNGS[0], 1, 0)  # refuses it
    names = bot_names(variant.game, list(RUNGS) if bots is None else bots)
    if len(names) < 2:
        raise Refused(f"bots: a ladder needs at least two, the weakest first, such as {','.join(RUNGS)}")
    for name in names:
        if names.count(name) > 1:
            raise Refused(f"bots: {name} is given twice; a ladder needs each bot once, the weakest first")
    return names


def check_deals(deals: object) -> int:
    """`deals` as an int, refused unless there are at least two."""
    number = whole(deals)
    if number is None or number < 2:
        raise Refused(f"deals={deals!r}: a whole number from 2 is needed, for one deal tells of no spread")
    return number


# --- Playing ------------------------------------------------------------------------------------------------------


def halves_of(seats: int) -> int:
    """1 where a lone bot among others is the same game as the other way round, else 2."""
    return 1 if seats <= 2 else 2


def games_of(variant: Variant, bots: int, deals: int) -> int:
    """How many games a ladder takes."""
    meetings = 1 if variant.seats == 1 else bots - 1
    return deals * games_of_deal(variant.seats, meetings) * bots // (1 if variant.seats == 1 else 2)


def progress_bar(what: str, games: int, progress: bool) -> Any:
    from tqdm.auto import tqdm

    return tqdm(total=games, unit="game", disable=not progress, desc=f"ladder of {what}", delay=0.5)


def lone_shares(
    variant: Variant, bots: Sequence[str], deals: int, seed: int, workers: int, report: Callable[[int], Any]
) -> np.ndarray:
    """What a lone bot wins among others: by deal, bot and opponent, the mean over the seats that it sits in."""
    seats = variant.seats
    alone = np.full((deals, len(bots), len(bots)), 1 / seats)
    for one, other in itertools.permutations(range(len(bots)), 2):
        if halves_of(seats) == 1 and one > other:
            alone[:, one, other] = 1 - alone[:, other, one]
            continue
        alone[:, one, other] = lone_share(variant, bots[one], bots[other], deals, seed, workers, report)
    return alone


def lone_share(
    variant: Variant, one: str, other: str, deals: int, seed: int, workers: int, report: Callable[[int], Any]
) -> np.ndarray:
    """What a lone bot wins among others by deal, the mean over the seats that it sits in."""
    won = np.zeros(deals)
    for seat in range(variant.seats):
        names = [other] * variant.seats
        names[seat] = one
        run = make_run(variant, names, deals, seed, fixed_seats=True)
        own = [rows.filter(pl.col("seat") == seat + 1)["win"] for rows in blocks(run, workers, report)]
        won += pl.concat(own).to_numpy()
    return won / variant.seats


def contested(
    variant: Variant, bots: Sequence[str], deals: int, seed: int, workers: int, report: Callable[[int], Any]
) -> tuple[np.ndarray, np.ndarray]:
    """(who wins before whom by deal, bot and opponent, one half each if both or neither win; who won by deal and bot)."""
    run = make_run(variant, list(bots), deals, seed)
    rows = pl.concat(rows.select("win") for rows in blocks(run, workers, lambda games: report(games * len(bots))))
    wins = rows["win"].to_numpy().reshape(deals, len(bots)).astype(np.float64)
    return (1 + wins[:, :, None] - wins[:, None, :]) / 2, wins


def cost_of(variant: Variant, bot: str, seed: int) -> pl.DataFrame:
    """What a bot's decision costs, in this thread, while it sits in all seats: a row of `Ladder.costs`."""
    timed_games(variant, "random", seed, 0, 1)  # so that no compiling is measured
    first, games = 0, 1
    found = [timed_games(variant, bot, seed, first, games)]
    while found[-1][0] < LEAST_SECONDS:
        first, games = first + games, games * 4
        found = [timed_games(variant, bot, seed, first, games)]
    while len(found) < 2 or (len(found) < COST_BLOCKS and sum(seconds for seconds, _ in found) < COST_SECONDS):
        first += games
        found.append(timed_games(variant, bot, seed, first, games))
    table = pl.DataFrame(
        {"run": bot, "game": range(len(found)), "seat": 1, "bot": bot, "ms": [1000 * s for s, _ in found]}
    ).with_columns(pl.Series("decisions", [n for _, n in found]))
    cost = metrics.ratio(table, "ms", "decisions", "bot")
    return cost.select(
        "bot",
        pl.col("of").cast(pl.Int64).alias("decisions"),
        pl.col("ratio").alias("cpu_ms"),
        pl.col("low").clip(lower_bound=0).alias("cpu_low"),
        pl.col("high").alias("cpu_high"),
    )


def timed_games(variant: Variant, bot: str, seed: int, first: int, games: int) -> tuple[float, int]:
    """(seconds of this thread on the processor, decisions) of some games."""
    seeds = np.empty(games, np.int64)
    fill_seeds(seed, first, seeds)
    codes = np.full((games, variant.seats), bot_code(variant.game, bot), np.int64)
    streams = np.zeros(games, np.int64)
    began = time.thread_time()
    counts = play(variant, seeds, codes, streams).counts
    return time.thread_time() - began, int(counts[:, :-1, 0].sum())


# --- Tables -------------------------------------------------------------------------------------------------------


def even_shares(alone: np.ndarray) -> np.ndarray:
    """The share of the victories of two bots, each in as many seats in all, from those of lone ones; one half is level."""
    return (alone + 1 - alone.swapaxes(-1, -2)) / 2


def beaten(alone: np.ndarray, seats: int) -> np.ndarray:
    """How often bot beat opponent, by deal: whoever wins has beaten every other seat; in deals, of which 1 is a whole."""
    n = max(2, seats)
    return n * ((n - 1) * alone + 1 - alone.swapaxes(-1, -2)) / (4 * (n - 1))


def games_of_deal(seats: int, meetings: int = 1) -> int:
    """How many games of a deal a bot plays that meets so many others."""
    return 1 if seats == 1 else seats * halves_of(seats) * meetings


def over_deals(values: np.ndarray, games: int, names: dict[str, Any]) -> pl.DataFrame:
    """A row for every last index of `values`, by deal: `names`, `deals`, `games`, `share`, `low`, `high`."""
    counts = {name: np.full(values.shape[1], n) for name, n in (("deals", len(values)), ("games", games))}
    sums = {"_sum": values.sum(axis=0), "_squares": (values * values).sum(axis=0)}
    table = with_wilson_over_deals(pl.DataFrame({**names, **counts, **sums}), "_sum", "_squares", "deals", "games")
    return table.with_columns(pl.col("games") * pl.col("deals"))


def pair_table(bots: Sequence[str], alone: np.ndarray, seats: int) -> pl.DataFrame:
    """`Ladder.pairs`: a row for every bot and opponent."""
    ones, others = (list(side) for side in zip(*itertools.permutations(range(len(bots)), 2), strict=True))
    names = {"bot": [bots[i] for i in ones], "opponent": [bots[i] for i in others]}
    lone = over_deals(alone[:, ones, others], max(1, seats), names).select(
        alone="share", alone_low="low", alone_high="high", level=pl.lit(1 / max(2, seats))
    )
    return over_deals(even_shares(alone)[:, ones, others], games_of_deal(seats), names).hstack(lone)


def standing_table(bots: Sequence[str], alone: np.ndarray, seats: int, anchor: str, seed: int) -> pl.DataFrame:
    """`Ladder.standings`, without the wins of a game for one."""
    k = len(bots)
    field = np.where(np.eye(k, dtype=bool), 0, even_shares(alone)).sum(axis=2) / (k - 1)
    names = {"bot": list(bots), "peeks": [peeks(bot) for bot in bots]}
    table = over_deals(field, games_of_deal(seats, k - 1), names).drop("deals")
    table = table.join(rating_table(bots, beaten(alone, seats), anchor, seed), on="bot", maintain_order="left")
    return table.sort("rating", descending=True, maintain_order=True)


def win_table(bots: Sequence[str], wins: np.ndarray) -> pl.DataFrame:
    """The share of deals that each bot wins by the rules, whatever the others do, with Wilson's interval."""
    table = pl.DataFrame({"bot": list(bots), "won": wins.sum(axis=0), "deals": np.full(len(bots), len(wins))})
    return with_wilson(table, "won", "deals").select("bot", win="share", win_low="low", win_high="high")


def step_table(pairs: pl.DataFrame, bots: Sequence[str]) -> pl.DataFrame:
    """`Ladder.steps`."""
    fair = [bot for bot in bots if not peeks(bot)]
    steps = pl.DataFrame({"bot": fair[1:], "below": fair[:-1]}, schema={"bot": pl.String, "below": pl.String})
    found = steps.join(pairs, left_on=["bot", "below"], right_on=["bot", "opponent"], how="left", maintain_order="left")
    up, down = pl.col("low") > 0.5, pl.col("high") < 0.5
    verdict = pl.when(up).then(pl.lit("climbs")).when(down).then(pl.lit("falls")).otherwise(pl.lit("level"))
    return found.select("bot", "below", "share", "low", "high", verdict.alias("verdict"))


# --- Ratings ------------------------------------------------------------------------------------------------------


def rating_table(bots: Sequence[str], beats: np.ndarray, anchor: str, seed: int) -> pl.DataFrame:
    """Ratings on Elo's scale with 95% intervals, from how often bot beat opponent by deal.

    To either side of every two bots half a deal is added: the estimate for two bots is then the log-odds
    that Haldane and Anscombe proposed (1956, Annals of Human Genetics 20, 309-311; Biometrika 43, 461-464). Intervals are
    of the Bayesian bootstrap (Rubin 1981, The Annals of Statistics 9, 130-134) over deals, which all pairs share: each
    deal weighs as much as an exponential draw, and each half deal as much as one of Gamma(1/2), so that deals won
    whole by one of two bots give Jeffreys' interval. Where wins do not lead from the anchor to a bot, or back, the
    games set no bound on that side (Ford 1957, The American Mathematical Monthly 64 (8), 28-33), and the end is null.
    """
    k, zero = len(bots), bots.index(anchor)
    others = 1 - np.eye(k)
    total = beats.sum(axis=0) * others
    rating = fitted(total + HALF_A_DEAL * others, zero)
    draws = np.random.default_rng(seed)
    sampled = np.empty((RESAMPLES, k))
    for r in range(RESAMPLES):
        weights = draws.standard_exponential(len(beats))
        halves = draws.standard_gamma(HALF_A_DEAL, (k, k))
        sampled[r] = fitted((np.einsum("d,dij->ij", weights, beats) + halves) * others, zero)
    low, high = np.quantile(sampled, [0.025, 0.975], axis=0)
    leads = np.linalg.matrix_power((total > 0) + np.eye(k), k) > 0  # whether wins lead from one bot to the other
    return pl.DataFrame(
        {
            "bot": list(bots),
            "rating": rating,
            "rating_low": [x if leads[i, zero] else None for i, x in enumerate(low)],
            "rating_high": [x if leads[zero, i] else None for i, x in enumerate(high)],
        },
        schema_overrides={"rating_low": pl.Float64, "rating_high": pl.Float64},
    )


def fitted(wins: np.ndarray, zero: int) -> np.ndarray:
    """Bradley and Terry's ratings, that of bot number `zero` being 0."""
    import choix

    found = choix.ilsr_pairwise_dense(wins, alpha=0.0, max_iter=MOST_ROUNDS)
    return ELO * (found - found[zero])


# --- Words --------------------------------------------------------------------------------------------------------


def verdict_of(steps: pl.DataFrame, deals: int) -> str:
    """Where a ladder stops climbing: the first step whose interval does not lie above one half, and what lies beyond."""
    rows = list(steps.iter_rows(named=True))
    if not rows:
        return "With one bot that does not peek there is no step to climb."

    def told(row: dict[str, Any]) -> str:
        return f"{row['bot']} takes {with_interval(row)} of the victories against {row['below']}"

    stop = next((i for i, row in enumerate(rows) if row["verdict"] != "climbs"), len(rows))
    if stop == len(rows):
        each = "each bot beats the one below it; at the top " if len(rows) > 1 else ""
        return (
            f"The ladder climbs to its top: over {deals} deals {each}{told(rows[-1])}. What lies beyond is not known."
        )
    row, rest = rows[stop], rows[stop + 1 :]
    how = "cannot be told from" if row["verdict"] == "level" else "is beaten by"
    start = "The ladder does not climb from its first rung" if stop == 0 else f"The ladder climbs up to {row['below']}"
    words = f"{start}: over {deals} deals {row['bot']} {how} {row['below']} ({told(row)})."
    climbs = [told(r) for r in rest if r["verdict"] == "climbs"]
    return words + (f" Further up it climbs again: {listed(climbs)}." if climbs else "")


def heading(found: Ladder) -> str:
    seats = "each bot alone on all of them" if found.variant.seats == 1 else "every two bots in all seats"
    return (
        f"{found.variant}, {found.deals} deals, {seats}, seed {found.seed}; 95% intervals\n"
        f"share: of the victories over the others, level at 50%; rating: Elo's scale, {shown(found.anchor)} at 0; cost: CPU time "
        "of a decision"
    )


def rating_words(row: dict[str, Any]) -> str:
    """A rating with its interval; where games bound it on one side only, that side."""
    low, high = row["rating_low"], row["rating_high"]
    if low is None or high is None:  # never both, for every two bots have met
        words = f"below {high:+.0f}" if low is None else f"above {low:+.0f}"
    elif low == high:
        words = f"{row['rating']:.0f}"
    else:
        words = f"{row['rating']:+.0f} ({low:+.0f} to {high:+.0f})"
    return words.replace("-", "\u2212")


def standing_lines(found: Ladder) -> list[str]:
    solo = "win" in found.standings.columns
    rows = [["bot", "share", "rating", *(["deals won"] if solo else []), "cost", "games"]]
    for row in found.summary.iter_rows(named=True):
        won = {"share": row.get("win"), "low": row.get("win_low"), "high": row.get("win_high")}
        rows.append(
            [
                row["player"],
                with_interval(row),
                rating_words(row),
                *([with_interval(won)] if solo else []),
                duration(row["cpu_ms"]),
                str(row["games"]),
            ]
        )
    return columns(rows)


def pair_lines(found: Ladder) -> list[str]:
    """A line for every two bots, the higher rung first; with more than two players also what a lone one wins."""
    several = found.variant.seats > 2
    level = percent(1 / max(2, found.variant.seats))
    heads = ["bot", "against", "share", *([f"one among such (level {level})", "one such among it"] if several else [])]
    rows = [heads]
    lone = {(row["bot"], row["opponent"]): lone_words(row) for row in found.pairs.iter_rows(named=True)}
    for row in found.upward.iter_rows(named=True):
        bot, below = row["bot"], row["opponent"]
        rest = [lone[bot, below], lone[below, bot]] if several else []
        rows.append([shown(bot), shown(below), with_interval(row), *rest])
    return columns(rows)


def lone_words(row: dict[str, Any]) -> str:
    """What a lone bot wins, with its interval."""
    return with_interval({"share": row["alone"], "low": row["alone_low"], "high": row["alone_high"]})

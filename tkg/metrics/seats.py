"""Seats: does it matter where one sits?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from tkg.metrics.shares import Table
from tkg.metrics.sums import added, columns_of, grouped, need, slices, unique, value_of
from tkg.rules.errors import Refused

ALL = "all"  # what stands for the bot where all rows are tested together
ROTATION = 4  # games by which a rotation that ends in the middle can leave seats apart
COLUMNS: dict[str, Any] = {
    "bot": pl.String,
    "games": pl.Int64,
    "shared": pl.Int64,
    "best_seat": pl.Int64,
    "best_share": pl.Float64,
    "chi2": pl.Float64,
    "df": pl.Int64,
    "p_chi2": pl.Float64,
    "p_exact": pl.Float64,
}


def seat_advantage(frame: Table, by: str | Sequence[str] | None = None) -> pl.DataFrame:
    """Tests of "no seat has an advantage": a row for every combination of `by`, and in it for every bot that can tell.

    Columns `by`, `bot`, `games` (won by one seat alone; shared victories are left out), `shared` (those), `best_seat`,
    `best_share`, `chi2`, `df`, `p_chi2`, `p_exact`.

    Where one bot sits in all seats, wins by seat are held against equal shares: Pearson's chi-square, and exact
    binomial tests. Where bots differ and each game has a bot in one seat only, each such bot's wins are held against its
    seats, so that no bot is compared with another: chi-square of independence, and Fisher's exact test. Other mixtures
    whose bots changed seats are tested together as `all`, which errs on the side of no advantage. With more than two seats `p_exact` is the
    smallest p of one seat against the others times the number of seats (Bonferroni), at most 1.

    Where bots kept their seats, a seat's advantage and a bot's cannot be told apart, and there is no row; nor where nobody won. Games of
    different numbers of seats are refused unless `by` tells them apart, and so are tables that lack seats of a game.
    """
    keys = columns_of(by)
    lazy = need(frame, [*keys, "run", "game", "seat", "bot", "win"])
    if value_of(lazy, pl.col("seat").n_unique()) < 2:
        raise Refused("seats can be compared in games of several seats only")
    sizes, sat = seatings(lazy, keys)
    sizes_by, sat_by = (t.partition_by(keys, as_dict=True) if keys else {(): t} for t in (sizes, sat))
    found = []
    for values in sorted(sat_by, key=lambda values: tuple(map(str, values))):
        tests = tests_of(sizes_by[values], sat_by[values])
        found += [{**dict(zip(keys, values, strict=True)), **row} for row in tests]
    schema = {**{key: sat.schema[key] for key in keys}, **COLUMNS}
    return pl.DataFrame(found, schema=schema)


def seatings(lazy: pl.LazyFrame, keys: list[str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Two tables by `keys`, of games and of who sat where.

    The first has the number of `games` by that of their rows, `size`, and by whether their victory was `shared`; the
    other, by bot and seat, how often it `sat` there, how often in games that were not shared, `whole`, and what it `won` in those.
    """
    game = unique(["run", "game", *keys])
    by_size, by_seat = [*keys, "size", "shared"], unique([*keys, "bot", "seat"])
    is_shared = pl.col("win").is_between(0, 1, closed="none")
    whole = pl.col("_shared").is_null()
    won = pl.col("win").filter(whole)
    sizes, sat = [], []
    for part in slices(lazy):
        rows = part.select(unique([*game, "seat", "bot", "win"])).collect(engine="streaming").lazy()
        games = rows.group_by(game).agg(pl.len().alias("size"), is_shared.any().alias("shared"))
        sizes.append(grouped(games, by_size, [pl.len().alias("games")]))
        shared = rows.filter(is_shared).select(*game, pl.lit(True).alias("_shared")).unique()
        told = rows.join(shared, on=game, how="left", nulls_equal=True)
        sat.append(grouped(told, by_seat, [pl.len().alias("sat"), whole.sum().alias("whole"), won.sum().alias("won")]))
    return added(sizes, by_size), added(sat, by_seat).with_columns(pl.col("bot").cast(pl.String))


def tests_of(sizes: pl.DataFrame, sat: pl.DataFrame) -> list[dict[str, Any]]:
    """The tests that games allow of which `seatings` tells."""
    seats = sat["seat"].n_unique()
    if set(sizes["size"]) != {seats}:
        raise Refused(
            "the games have different numbers of seats, or some of their seats are not in the table; use whole games, and "
            "by='players' to tell numbers of players apart"
        )
    games, shared = (int(sizes.filter(pl.col("shared") == is_shared)["games"].sum()) for is_shared in (False, True))
    if games == 0:
        return []
    if sat["bot"].n_unique() > 1 and not changed_seats(sat):
        return []
    won = pl.col("won").round().cast(pl.Int64).alias("win")
    counts = sat.filter(pl.col("whole") > 0).select("bot", "seat", pl.col("whole").alias("sat"), won)
    if not counts["win"].sum():
        return []
    head = {"games": games, "shared": shared}
    alone = [
        bot
        for (bot,), own in counts.partition_by("bot", as_dict=True).items()
        if own["sat"].sum() == games and own.height == seats
    ]
    if counts["bot"].n_unique() > 1 and alone:
        return [{"bot": bot, **head, **independence(counts.filter(pl.col("bot") == bot))} for bot in sorted(alone)]
    bot = counts["bot"][0] if counts["bot"].n_unique() == 1 else ALL
    wins = counts.group_by("seat").agg(pl.col("win").sum()).sort("seat")["win"].to_list()
    return [{"bot": bot, **head, **equal_shares(wins)}]


def changed_seats(sat: pl.DataFrame) -> bool:
    """Whether every bot sat about equally often in every seat."""
    by_bot = sat.group_by("bot").agg(
        pl.len().alias("seats"), pl.col("sat").min().alias("least"), pl.col("sat").max().alias("most")
    )
    kept = (pl.col("seats") < sat["seat"].n_unique()) | (pl.col("most") > 1.2 * pl.col("least") + ROTATION)
    return by_bot.filter(kept).is_empty()


def equal_shares(wins: list[int]) -> dict[str, Any]:
    """Wins by seat, one in each game, against equal shares."""
    from scipy import stats

    games, seats = sum(wins), len(wins)
    chi2 = stats.chisquare(wins)
    exact = [float(stats.binomtest(n, games, 1 / seats).pvalue) for n in wins]
    return tested([n / games for n in wins], float(chi2.statistic), seats - 1, float(chi2.pvalue), exact)


def independence(counts: pl.DataFrame) -> dict[str, Any]:
    """One bot's wins against the seats it sat in."""
    from scipy import stats

    counts = counts.sort("seat")
    wins, sat = counts["win"].to_list(), counts["sat"].to_list()
    table = [[w, n - w] for w, n in zip(wins, sat, strict=True)]
    chi2, p = 0.0, 1.0
    if 0 < sum(wins) < sum(sat):  # else every seat does the same, and there is nothing to divide by
        tested_table = stats.chi2_contingency(table, correction=False)
        chi2, p = float(tested_table.statistic), float(tested_table.pvalue)
    others = [[sum(wins) - w, (sum(sat) - n) - (sum(wins) - w)] for w, n in zip(wins, sat, strict=True)]
    exact = [float(stats.fisher_exact(np.array([mine, rest])).pvalue) for mine, rest in zip(table, others, strict=True)]
    return tested([w / n for w, n in zip(wins, sat, strict=True)], chi2, len(wins) - 1, p, exact)


def tested(shares: list[float], chi2: float, df: int, p: float, exact: list[float]) -> dict[str, Any]:
    times = 1 if len(exact) == 2 else len(exact)
    best = max(range(len(shares)), key=lambda seat: shares[seat])
    return {
        "best_seat": best + 1,
        "best_share": shares[best],
        "chi2": chi2,
        "df": df,
        "p_chi2": p,
        "p_exact": min(1.0, times * min(exact)),
    }

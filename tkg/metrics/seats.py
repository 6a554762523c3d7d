"""Seats: does it matter where one sits?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from tkg.metrics.intervals import columns_of, need
from tkg.metrics.shares import Table
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

    Where bots kept their seats, a seat's advantage and a bot's cannot be told apart, and there is no row. Games of
    different numbers of seats are refused unless `by` tells them apart, and so are tables that lack seats of a game.
    """
    keys = columns_of(by)
    lazy = need(frame, [*keys, "run", "game", "seat", "bot", "win"])
    rows = lazy.select(*keys, "run", "game", "seat", pl.col("bot").cast(pl.String), "win").collect(engine="streaming")
    if rows["seat"].n_unique() < 2:
        raise Refused("seats can be compared in games of several seats only")
    groups = rows.partition_by(keys, maintain_order=True, as_dict=True) if keys else {(): rows}
    found = []
    for values, group in sorted(groups.items(), key=lambda item: tuple(map(str, item[0]))):
        found += [{**dict(zip(keys, values, strict=True)), **row} for row in tests_of(group)]
    schema = {**{key: rows.schema[key] for key in keys}, **COLUMNS}
    return pl.DataFrame(found, schema=schema)


def tests_of(rows: pl.DataFrame) -> list[dict[str, Any]]:
    """The tests that a table of games allows."""
    seats = rows["seat"].n_unique()
    sizes = rows.group_by("run", "game").len()["len"]
    if sizes.n_unique() != 1 or sizes[0] != seats:
        raise Refused(
            "the games have different numbers of seats, or some of their seats are not in the table; use whole games, and "
            "by='players' to tell numbers of players apart"
        )
    shared = rows.filter(pl.col("win").is_between(0, 1, closed="none")).select("run", "game").unique()
    whole = rows.join(shared, on=["run", "game"], how="anti")
    games = whole.height // seats
    if games == 0:
        return []
    if rows["bot"].n_unique() > 1 and not changed_seats(rows):
        return []
    counts = whole.group_by("bot", "seat").agg(pl.len().alias("sat"), pl.col("win").sum().round().cast(pl.Int64))
    head = {"games": games, "shared": shared.height}
    alone = [
        bot
        for (bot,), own in counts.partition_by("bot", as_dict=True).items()
        if own["sat"].sum() == games and own.height == seats
    ]
    if counts["bot"].n_unique() > 1 and alone:
        return [{"bot": bot, **head, **independence(counts.filter(pl.col("bot") == bot))} for bot in sorted(alone)]
    bot = counts["bot"][0] if counts["bot"].n_unique() == 1 else ALL
    wins = whole.group_by("seat").agg(pl.col("win").sum().round().cast(pl.Int64)).sort("seat")["win"].to_list()
    return [{"bot": bot, **head, **equal_shares(wins)}]


def changed_seats(rows: pl.DataFrame) -> bool:
    """Whether every bot sat about equally often in every seat."""
    sat = rows.group_by("bot", "seat").len(name="times")
    by_bot = sat.group_by("bot").agg(
        pl.len().alias("seats"), pl.col("times").min().alias("least"), pl.col("times").max().alias("most")
    )
    kept = (pl.col("seats") < rows["seat"].n_unique()) | (pl.col("most") > 1.2 * pl.col("least") + ROTATION)
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

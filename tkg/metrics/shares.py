"""Who wins, how often, and which conditions fail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from tkg.metrics.intervals import with_paired, with_t, with_wilson
from tkg.metrics.sums import (
    added,
    check_numbers,
    columns_of,
    games_of,
    grouped,
    mean_of,
    moments,
    need,
    one_seat,
    over_games,
    slices,
    standard_error,
    unique,
    value_of,
)
from tkg.rules.errors import Refused

Table = pl.DataFrame | pl.LazyFrame
PAIRING = ["game_seed", "seat", "bot"]  # what two rows have in common whose difference is of one deal


def win_share(frame: Table, by: str | Sequence[str] | None = None) -> pl.DataFrame:
    """Win share: columns `by`, `games`, `wins`, `share`, `low`, `high`.

    `games` counts games, not seats. In a game of several seats a victory is shared out among them and what `by` does
    not tell apart is added up, so shares by seat, or by bot, add up to 1, and a bot in three of four seats may be
    expected to hold three quarters. Where every win is whole the interval is Wilson's; where wins are split it is
    Student's over games.
    """
    several = "contest" not in frame.lazy().collect_schema().names()
    return share(frame, "win", by, total=several).rename({"count": "wins"})


def share(frame: Table, column: str, by: str | Sequence[str] | None = None, total: bool = False) -> pl.DataFrame:
    """The share of games in which `column` (a truth value, or a share of a win) holds.

    Columns `by`, `games`, `count`, `share`, `low`, `high`. Rows of one game that `by` does not tell apart (two
    seats with the same bot) are averaged first, or with `total` added up, so that games, not rows, are what varies.
    """
    return shares(frame, [column], by, total)[column]


def shares(
    frame: Table, columns: Sequence[str], by: str | Sequence[str] | None = None, total: bool = False
) -> dict[str, pl.DataFrame]:
    """`share` of each of several columns, by its name, in one reading of the table."""
    keys, names = columns_of(by), unique(columns)
    games = games_of(need(frame, [*keys, *names, "run", "game", "seat"]), keys, names, total)
    sums = [pl.len().alias("_games")]
    for name in names:
        sums += [*moments(name), (~pl.col(name).is_in([0.0, 1.0])).sum().alias(f"{name}_split")]
    table = over_games(games, keys, sums)
    return {name: share_of_sums(table, keys, name) for name in names}


def share_of_sums(table: pl.DataFrame, keys: list[str], column: str) -> pl.DataFrame:
    """What `share` gives, from sums over games."""
    found = [pl.col("_games").alias("games"), pl.col(f"{column}_sum").alias("count")]
    spread = [standard_error(column, "_games").alias("_se"), (pl.col(f"{column}_split") == 0).alias("_whole")]
    table = table.select(*keys, *found, *spread)
    whole = with_wilson(table.with_columns(pl.col("count").round()), "count", "games")
    if table["_whole"].all():
        return whole.drop("_whole", "_se")
    split = with_t(table.with_columns((pl.col("count") / pl.col("games")).alias("share")), "share", "_se", "games")
    ends = [
        pl.when(table["_whole"]).then(whole[end]).otherwise(split[end].clip(0, 1)).alias(end) for end in ("low", "high")
    ]
    return split.with_columns(ends).drop("_whole", "_se")


def condition_shares(frame: Table, conditions: Sequence[str], by: str | Sequence[str] | None = None) -> pl.DataFrame:
    """The share of games that fulfil each condition: a row for every condition and combination of `by`."""
    found = shares(frame, conditions, by)
    tables = [
        found[name].select(pl.lit(name).alias("condition"), pl.all()).with_columns(pl.col("count").cast(float))
        for name in conditions
    ]
    return pl.concat(tables)


def failed_together(frame: Table, conditions: Sequence[str], by: str | Sequence[str] | None = None) -> pl.DataFrame:
    """Which conditions failed in the same game: columns `by`, `failed` (names joined by ` + `, or `none`), `games`,
    `of`, `share`, `low`, `high`; the commonest first. Players of a contest must be told apart by `by`."""
    keys = columns_of(by)
    lazy = need(frame, [*keys, *conditions, "run", "game"])
    bits = [pl.when(pl.col(c).cast(pl.Boolean)).then(0).otherwise(1 << k) for k, c in enumerate(conditions)]
    game = unique(["run", "game", *keys])
    told = [*map(pl.col, game), pl.sum_horizontal(bits).alias("_failed"), pl.lit(False).alias("_mixed")]
    games = [lazy.select(told)]
    if "seat" not in lazy.collect_schema().names() or not one_seat(lazy):
        failed, mixed = pl.col("_failed"), pl.col("_failed").min() < pl.col("_failed").max()
        games = [part.group_by(game).agg(failed.first(), mixed.alias("_mixed")) for part in slices(games[0])]
    table = over_games(games, [*keys, "_failed"], [pl.len().alias("games"), pl.col("_mixed").sum()])
    if table["_mixed"].sum():
        raise Refused("one game has rows that met different conditions; tell them apart, such as by='bot'")
    names = [pl.when(pl.col("_failed") & (1 << k) != 0).then(pl.lit(c)) for k, c in enumerate(conditions)]
    words = pl.concat_str(names, separator=" + ", ignore_nulls=True).replace({"": "none"}).alias("failed")
    of = pl.col("games").sum().over(keys) if keys else pl.col("games").sum()
    table = with_wilson(table.select(*keys, words, "games", of.alias("of")), "games", "of")
    return table.sort([*keys, "games", "failed"], descending=[*(False for _ in keys), True, False])


def paired_difference(frame: Table, column: str, by: str, base: object) -> pl.DataFrame:
    """How much the mean of `column` differs from that at `by == base`, paired over common deals.

    Columns `by`, `deals`, `difference`, `se`, `low`, `high`: the same bot in the same seat on the same game seed is
    compared, so the luck that both sides share cancels out, and seats of one deal are averaged. Differences of 0/1
    columns have Agresti and Min's interval, others Student's. The wins of all seats of a game add up to 1 on both sides,
    so filter `win` to a bot or a seat. A side that shares no deals with the base is refused,
    and so is a table in which something else than `by` varies.

    A table too long for one slice is cut by `game` where it has the columns `game` and `seed`, as those of `tkg.simulate` do:
    there rows on one game seed have one number. Else it is cut by `game_seed`, which takes a reading of the whole for each slice.
    """
    lazy = need(frame, [by, column, *PAIRING])
    check_numbers(lazy, [column])
    deal = "game" if {"game", "seed"} <= set(lazy.collect_schema().names()) else "game_seed"
    values: set[Any] = set()
    whole, parts = True, []
    for part in slices(lazy, deal):
        rows = part.select(pl.col(by), pl.col(column).cast(pl.Float64), *PAIRING).collect(engine="streaming")
        values.update(rows[by].unique())
        whole = whole and bool(rows[column].is_in([0.0, 1.0]).all())
        deals = differences(rows, column, by, base).group_by(by, "game_seed").agg(pl.col("_d").mean())
        more, less = (pl.col("_d") == 1).sum().alias("_more"), (pl.col("_d") == -1).sum().alias("_less")
        split = (~pl.col("_d").is_in([-1.0, 0.0, 1.0])).sum().alias("_split")
        parts.append(grouped(deals, [by], [pl.len().alias("deals"), *moments("_d"), more, less, split]))
    sums = added(parts, [by])
    if base not in values:
        raise Refused(f"the table has no row with {by} == {base!r}; there are {', '.join(sorted(map(str, values)))}")
    lonely = values - set(sums[by]) - {base}
    if lonely:
        raise Refused(f"{by} == {min(map(str, lonely))} shares no deal with {by} == {base}; use the same seed for both")
    found = sums.select(
        by, "deals", mean_of("_d").alias("difference"), standard_error("_d", "deals").alias("se"), "_more", "_less"
    )
    if whole and not sums["_split"].sum():
        return with_paired(found).drop("_more", "_less")
    return with_t(found, "difference", "se", "deals").drop("_more", "_less")


def differences(rows: pl.DataFrame, column: str, by: str, base: object) -> pl.LazyFrame:
    """Every row that has a partner at `by == base`, and how much it differs from that in column `_d`."""
    lazy = rows.lazy()
    times = lazy.group_by(by, *PAIRING).len()
    if not rows.is_empty() and value_of(times, pl.col("len").max()) > 1:
        raise Refused(
            f"{by}: several games of one bot, seat and deal have the same {by}; filter the table to one of them"
        )
    at_base = pl.col(by).eq(base)
    pairs = lazy.filter(~at_base).join(lazy.filter(at_base), on=PAIRING, suffix="_base")
    return pairs.with_columns((pl.col(column) - pl.col(f"{column}_base")).alias("_d"))

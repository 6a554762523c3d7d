"""Who wins, how often, and which conditions fail."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from tkg.metrics.intervals import columns_of, grouped, need, per_game, standard_error, with_paired, with_t, with_wilson
from tkg.rules.errors import Refused

Table = pl.DataFrame | pl.LazyFrame


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
    keys = columns_of(by)
    lazy = need(frame, [*keys, column, "run", "game", "seat"])
    games = per_game(lazy, keys, [column], total)
    table = grouped(
        games,
        keys,
        [
            pl.len().alias("games"),
            pl.col(column).sum().alias("count"),
            pl.col(column).is_in([0.0, 1.0]).all().alias("_whole"),
            standard_error(column).alias("_se"),
        ],
    )
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
    tables = [
        share(frame, name, by)
        .select(pl.lit(name).alias("condition"), pl.all())
        .with_columns(pl.col("count").cast(float))
        for name in conditions
    ]
    return pl.concat(tables)


def failed_together(frame: Table, conditions: Sequence[str], by: str | Sequence[str] | None = None) -> pl.DataFrame:
    """Which conditions failed in the same game: columns `by`, `failed` (names joined by ` + `, or `none`), `games`,
    `of`, `share`, `low`, `high`; the commonest first. Players of a contest must be told apart by `by`."""
    keys = columns_of(by)
    lazy = need(frame, [*keys, *conditions, "run", "game"])
    names = [pl.when(pl.col(c).cast(pl.Boolean)).then(None).otherwise(pl.lit(c)) for c in conditions]
    failed = pl.concat_str(names, separator=" + ", ignore_nulls=True).replace({"": "none"}).alias("failed")
    rows = lazy.with_columns(failed).select("run", "game", *keys, "failed").unique()
    if rows.select(pl.struct("run", "game", *keys).is_duplicated().any()).collect().item():
        raise Refused("one game has rows that met different conditions; tell them apart, such as by='bot'")
    table = rows.group_by([*keys, "failed"]).agg(pl.len().alias("games")).collect(engine="streaming")
    of = pl.col("games").sum().over(keys) if keys else pl.col("games").sum()
    table = with_wilson(table.with_columns(of.alias("of")), "games", "of")
    return table.sort([*keys, "games", "failed"], descending=[*(False for _ in keys), True, False])


def paired_difference(frame: Table, column: str, by: str, base: object) -> pl.DataFrame:
    """How much the mean of `column` differs from that at `by == base`, paired over common deals.

    Columns `by`, `deals`, `difference`, `se`, `low`, `high`: the same bot in the same seat on the same game seed is
    compared, so the luck that both sides share cancels out, and seats of one deal are averaged. Differences of 0/1
    columns have Agresti and Min's interval, others Student's. The wins of all seats of a game add up to 1 on both sides,
    so filter `win` to a bot or a seat. A side that shares no deals with the base is refused,
    and so is a table in which something else than `by` varies.
    """
    pairing = ["game_seed", "seat", "bot"]
    lazy = need(frame, [by, column, *pairing])
    table = lazy.select(pl.col(by), pl.col(column).cast(pl.Float64), *pairing).collect(engine="streaming")
    if table.select(by, *pairing).is_duplicated().any():
        raise Refused(
            f"{by}: several games of one bot, seat and deal have the same {by}; filter the table to one of them"
        )
    against = table.filter(pl.col(by) == base)
    if against.is_empty():
        raise Refused(
            f"the table has no row with {by} == {base!r}; there are {', '.join(map(str, table[by].unique()))}"
        )
    pairs = table.filter(pl.col(by) != base).join(against, on=pairing, how="inner", suffix="_base")
    pairs = pairs.with_columns((pl.col(column) - pl.col(f"{column}_base")).alias("_d"))
    lonely = set(table[by].unique()) - set(pairs[by].unique()) - {base}
    if lonely:
        raise Refused(f"{by} == {min(map(str, lonely))} shares no deal with {by} == {base}; use the same seed for both")
    deals = pairs.group_by(by, "game_seed", maintain_order=True).agg(pl.col("_d").mean())
    sums = [pl.len().alias("deals"), pl.col("_d").mean().alias("difference"), standard_error("_d").alias("se")]
    sums += [(pl.col("_d") == 1).sum().alias("_more"), (pl.col("_d") == -1).sum().alias("_less")]
    found = grouped(deals.lazy(), [by], [*sums, pl.col("_d").is_in([-1.0, 0.0, 1.0]).all().alias("_whole")])
    whole = with_paired(found) if table[column].is_in([0.0, 1.0]).all() and found["_whole"].all() else None
    return (with_t(found, "difference", "se", "deals") if whole is None else whole).drop("_more", "_less", "_whole")

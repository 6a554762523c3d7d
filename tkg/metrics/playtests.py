"""What people do at boards, from the tables that `tkg.playtests` gives."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from tkg.metrics.intervals import with_wilson
from tkg.metrics.process import QUANTILES, ratio_tables
from tkg.metrics.shares import Table
from tkg.metrics.sums import columns_of, grouped, need
from tkg.rules.errors import Refused


def choices_of_people(decisions: Table, columns: Sequence[str]) -> pl.LazyFrame:
    """The rows in which a person had more than one option; what is forced is no decision."""
    lazy = need(decisions, ["id", "by", "options", *columns])
    return lazy.filter((pl.col("by") == "person") & (pl.col("options") > 1))


def thinking_time(decisions: Table, by: str | Sequence[str] | None = "kind") -> pl.DataFrame:
    """Seconds that people take for a decision with more than one option: a row for every combination of `by`.

    Columns `by`, `games`, `decisions`, `seconds` (the mean), `se`, `low`, `high` (delta method over games; null for one game),
    and of decisions `q5`, `q25`, `q50`, `q75`, `q95`. Decisions without a time are left out. Breaks are not told from
    thought, so the median tells more than the mean.
    """
    keys = columns_of(by)
    lazy = choices_of_people(decisions, [*keys, "seconds"]).filter(pl.col("seconds").is_not_null())
    split = [*keys, "all"]  # something to tell apart even if nothing is asked for, so that no decisions give no row
    lazy = lazy.with_columns(pl.lit("").alias("all"))
    by_game = lazy.group_by("id", *split).agg(pl.col("seconds").sum(), pl.len().cast(pl.Float64).alias("decisions"))
    games = by_game.with_columns(pl.lit("playtests").alias("run"), pl.lit(1).alias("seat")).rename({"id": "game"})
    (means,) = ratio_tables(games, split, [("seconds", "decisions")], "mean")
    marks = {f"q{q * 100:.0f}": pl.col("seconds").quantile(q, "nearest") for q in QUANTILES}
    spread = grouped(lazy, split, [mark.alias(name) for name, mark in marks.items()])
    told: list[str | pl.Expr] = [
        "games",
        pl.col("of").cast(pl.Int64).alias("decisions"),
        pl.col("mean").alias("seconds"),
        "se",
        "low",
        "high",
    ]
    return means.join(spread, on=split, maintain_order="left").select(*keys, *told, *marks)


def agreement(answers: Table, by: str | Sequence[str] | None = "kind") -> pl.DataFrame:
    """How often people choose what a bot would: a row for every combination of `by`.

    `answers` is what `Playtests.answers` gives. Columns `by`, `decisions`, `agreed`, `share`, `low`, `high` (Wilson's interval
    over decisions), `chance` (the share to be expected of who chooses any option).
    """
    keys = columns_of(by)
    lazy = choices_of_people(answers, [*keys, "agrees"])
    sums = [
        pl.len().alias("decisions"),
        pl.col("agrees").sum().alias("agreed"),
        (1 / pl.col("options")).mean().alias("chance"),
    ]
    table = with_wilson(grouped(lazy, keys, sums).filter(pl.col("decisions") > 0), "agreed", "decisions")
    return table.select(*keys, "decisions", "agreed", "share", "low", "high", "chance")


def taken_back(decisions: Table, by: str | Sequence[str] | None = "kind") -> pl.DataFrame:
    """How often people take back what they chose: a row for every combination of `by`.

    Columns `by`, `decisions`, `count`, `share`, `low`, `high` (Wilson's interval over decisions).
    """
    keys = columns_of(by)
    lazy = choices_of_people(decisions, [*keys, "undone"])
    table = grouped(lazy, keys, [pl.len().alias("decisions"), pl.col("undone").sum().alias("count")])
    return with_wilson(table.filter(pl.col("decisions") > 0), "count", "decisions")


def slowest(decisions: Table, n: int = 10) -> pl.DataFrame:
    """The `n` decisions on which people hesitated longest: columns `id`, `move`, `seat`, `kind`, `action`, `options`, `seconds`."""
    columns = ["id", "move", "seat", "kind", "action", "options", "seconds"]
    lazy = choices_of_people(decisions, columns).filter(pl.col("seconds").is_not_null())
    return lazy.select(columns).sort("seconds", descending=True, maintain_order=True).head(n).collect()


def tag_shares(notes: Table, games: Table) -> pl.DataFrame:
    """In how many of the games a tag was set: a row for every tag, the most frequent first.

    Columns `tag`, `notes`, `count` (games with it), `games`, `share`, `low`, `high` (Wilson's interval over games).
    """
    lazy = need(notes, ["id", "tags"]).filter(pl.col("tags") != "")
    tags = lazy.with_columns(pl.col("tags").str.split(", ").alias("tag")).explode("tag")
    table = grouped(tags, ["tag"], [pl.len().alias("notes"), pl.col("id").n_unique().alias("count")])
    n = need(games, ["id"]).select(pl.len()).collect().item()
    found = with_wilson(table.with_columns(pl.lit(n).cast(pl.Int64).alias("games")), "count", "games")
    return found.sort("count", "tag", descending=[True, False])


def beside(played: Table, simulated: Table) -> pl.DataFrame:
    """People's finished games beside simulated ones of the same variant, for `win_share` and `numbers` by `who`.

    `played` is `Playtests.runs`, of which the seats of people are taken, `simulated` what `tkg.simulate` gives for one
    variant. Columns `who` ("people" or "simulated"), `run`, `game` (text), `seat`, `bot`, `win`, `decisions`. In a
    game of several seats tell `seat` apart as well: there a person's share is held against that of a bot in the
    same seat, which had other opponents.
    """
    columns = ["run", "game", "seat", "bot", "win", "decisions"]
    types = [pl.String, pl.String, pl.Int64, pl.String, pl.Float64, pl.Int64]
    cast = [pl.col(name).cast(dtype) for name, dtype in zip(columns, types, strict=True)]
    bots = need(simulated, [*columns, "variant"])
    variants = bots.select(pl.col("variant").cast(pl.String).unique()).collect().to_series().to_list()
    if len(variants) != 1:
        raise Refused(f"simulated: games of {len(variants)} variants; give those of one")
    people = need(played, [*columns, "variant"]).filter(
        (pl.col("bot") == "person") & (pl.col("variant") == variants[0])
    )
    sides = [side.select(pl.lit(who).alias("who"), *cast) for who, side in (("people", people), ("simulated", bots))]
    return pl.concat(sides).collect()

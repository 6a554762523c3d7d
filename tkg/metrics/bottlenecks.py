"""Which condition is the bottleneck, and when it is lost: from how likely each was over time, which `tkg.prospects` tells.

A fact that does not hold at the end is lost at the moment that parts the game best into one in which the fact was likely and one in which it was
not: of all moments that before which its shares lie most above one half, and after which most below, added up. A share that strays over the half
once therefore moves nothing, as it would if the last moment above counted (the cumulative sums of Page 1954, "Continuous inspection
schemes", Biometrika 41, 100-115). It is the chance under the bot that played on: what it would still bring about half of the time is not lost,
though a better player may save more and a worse one less.

Shares are estimates from playouts. With 64 of them and 15 moments, a chance of 0.42 throughout is told as lost at 0.1 on average, which is 0 but for
noise, and one that falls from 0.6 to 0.4, passing the half at 7, at 7 with a standard deviation of 2; one that drops at once is told to the moment. A
chance that stays at one half is told anywhere. So of what falls slowly go by many games, not by one.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from tkg.metrics.measured import NotMeasured
from tkg.metrics.shares import Table, share_of_sums
from tkg.metrics.sums import columns_of, moments, need, unique
from tkg.metrics.tension import whole_games
from tkg.rules.errors import Refused

PROSPECTS = ("run", "game", "moment", "time", "fact", "share", "held")
LIKELY = 0.5  # the share from which on a fact is not lost
TIE = 1e-9  # by which sums of shares differ that are alike but for rounding


def prospects_over_time(frame: Table, by: str | Sequence[str] | None = None) -> pl.DataFrame:
    """How likely each fact is to hold at the end, moment by moment, as a mean over games: for `charts.over_time`.

    `frame` is what `tkg.prospects` gives. Columns `fact`, `by`, `moment`, `time` (its mean), `games`, `mean`, `low`, `high`: Student's interval
    over games, in which the error of the playouts is held, or Wilson's where all shares are 0 or 1. Where games differ in how many moments they
    have, those that have ended are no longer counted. `by="all_held"` tells games in which a fact failed from those in which none did.
    """
    keys = unique(["fact", *columns_of(by), "moment"])
    rows = need(frame, [*keys, *PROSPECTS])
    whole_games(rows, [key for key in columns_of(by) if key != "fact"], ["run", "game", "fact"])
    table = rows.group_by(keys).agg(pl.col("time").mean(), *sums_of("share")).sort(keys).collect(engine="streaming")
    if table.is_empty():
        raise Refused("the table has no games")
    found = share_of_sums(table, keys, "share").with_columns(table["time"])
    return found.select(*keys, "time", "games", pl.col("share").alias("mean"), "low", "high")


def sums_of(column: str) -> list[pl.Expr]:
    """What `share_of_sums` needs of a column of shares."""
    split = (~pl.col(column).is_in([0.0, 1.0])).sum().alias(f"{column}_split")
    return [pl.len().alias("_games"), *moments(column), split]


def lost_at(frame: Table, by: str | Sequence[str] | None = None) -> pl.DataFrame:
    """When each fact was lost in the games in which it did not hold: a row per game and lost fact.

    Columns `run`, `by`, `game`, `fact`, `lost_at` (the moment before which its shares lie most above one half and from which on most below, added up; the
    earliest of several; 0 if it was unlikely from the beginning), `time` (the share of the game gone by then) and `first` (whether it was the first fact of its game to be lost, by itself or with others).
    `tkg.play_again` makes such a game again.
    """
    game = unique(["run", *columns_of(by), "game"])
    table = need(frame, [*game, *PROSPECTS])
    whole_games(table, columns_of(by))
    game = [name for name in game if name != "fact"]  # the same in all rows, if it has not been refused
    rows = table.filter(~pl.col("held")).sort("moment")
    before = (pl.col("share") - LIKELY).cum_sum().shift(1, fill_value=0.0)
    lost = (before >= before.max() - TIE).arg_max()
    found = rows.group_by(*game, "fact").agg(pl.col("moment").get(lost).alias("lost_at"), pl.col("time").get(lost))
    first = (pl.col("lost_at") == pl.col("lost_at").min().over(game)).alias("first")
    return found.with_columns(first).sort(*game, "fact").select(*game, "fact", "lost_at", "time", "first").collect()


def lost_first(frame: Table, by: str | Sequence[str] | None = None) -> pl.DataFrame:
    """Which fact was lost first in the games in which one failed: the bottleneck.

    Columns `fact`, `by`, `games` (in which any fact failed), `missed` (in how many of them this one did), `share` (in which it was lost first; several that were lost at
    the same moment share the game, so shares add up to 1), `low`, `high` (Wilson's interval, or where games are shared Student's), `q25`, `q50` and
    `q75` (quartiles of the moment at which it was lost, null if it never was). Not measured if no fact failed in any game, nor of
    facts that exclude one another, such as two endings: of these all but one fail in every game, whatever is played.
    """
    keys = [key for key in columns_of(by) if key != "fact"]
    facts = need(frame, ["fact"]).select("fact").unique().collect()
    check_apart(facts["fact"].cast(pl.String).to_list())
    lost = lost_at(frame, by)
    if lost.is_empty():
        raise NotMeasured("lost_first: every fact held in all games, so none was lost")
    game = unique(["run", *keys, "game"])
    split = (pl.col("first") / pl.col("first").sum().over(game)).alias("first")
    every = lost.select(game).unique().join(facts, how="cross")
    known = every.join(lost.with_columns(split), on=[*game, "fact"], how="left")
    known = known.with_columns(pl.col("first").fill_null(0.0))
    quartiles = [pl.col("lost_at").quantile(q, "nearest").alias(f"q{q * 100:.0f}") for q in (0.25, 0.5, 0.75)]
    sums = [pl.col("lost_at").count().alias("missed"), *sums_of("first"), *quartiles]
    table = known.group_by("fact", *keys).agg(sums).sort("fact", *keys)
    found = share_of_sums(table, ["fact", *keys], "first")
    moments_lost = table.select("missed", "q25", "q50", "q75")
    return pl.concat([found.drop("count"), moments_lost], how="horizontal").select(
        "fact", *keys, "games", "missed", "share", "low", "high", "q25", "q50", "q75"
    )


def check_apart(facts: Sequence[str]) -> None:
    """Refuse facts of which only one can hold, as words of one field do: `ending/claimed` and `ending/stuck`."""
    fields = [fact.partition("/")[0] for fact in facts if "/" in fact]
    for field in fields:
        if fields.count(field) > 1:
            raise NotMeasured(f"lost_first: the words of {field} exclude one another, so none of them is a bottleneck")

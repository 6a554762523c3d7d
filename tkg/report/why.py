"""Sections on why: which features go with wins, which condition is lost and when, which knob of a grid matters most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from tkg import charts, metrics
from tkg.bottlenecks import prospects
from tkg.report.section import Plan, Section, listed, one_row_a_game, percent, with_interval
from tkg.rules.knobs import Variant
from tkg.traits.playing import features

FEATURED = 1000  # most games whose features are told
FEATURES = "What goes with winning"
SHOWN = 8  # features in the chart; the table has all
LOOKED = 80  # most games that are looked at turn by turn


def feature_section(base: Variant, plan: Plan) -> Section:
    """Which features of games, of those that the game's file offers first, go with winning."""
    told = features(base, "greedy", max(2, min(plan.chief, FEATURED)), **plan.how)
    try:
        return told_features(metrics.importance(told, seed=plan.seed))
    except metrics.NotMeasured as why:
        return unmeasured(told, "features", FEATURES, why)


def told_features(found: pl.DataFrame) -> Section:
    """What `metrics.importance` has found."""
    first = found.row(0, named=True)
    best = found.filter(pl.col("drop_low") > 0).head(3)
    judged = f"{percent(first['auc'])} ({percent(first['auc_low'])} to {percent(first['auc_high'])})"
    if first["note"] is not None:
        sentence = f"Of {found.height} features of greedy players' games none goes with wins measurably."
    elif best.is_empty():
        sentence = f"Of {found.height} features of greedy players' games no single one is surely missed, though together they tell wins apart."
    else:
        names = [f"{row['feature']} ({odds_words(row)})" for row in best.iter_rows(named=True)]
        sentence = (
            f"Of {found.height} features of greedy players' games those that go with wins most are {listed(names)}."
        )
    more = (
        f"Of a game that was won and one that was lost, not seen before, the model picks the former in {judged}; 50% would be chance.",
        "By one more of a feature, all others as they are, the odds to win are multiplied by the number shown (logistic regression, ridge). What "
        "goes with wins need not bring them about; that can be said of what chance alone has dealt.",
    )
    shown = found.drop_nulls("odds_ratio").head(SHOWN).with_columns(pl.lit(1.0).alias("level"))
    titles = {"odds_ratio": "odds to win, times", "level": "no difference"}
    chart = charts.dots(
        shown, "feature", "odds_ratio", colour=None, is_share=False, titles={**titles, "feature": ""}, expected="level"
    )
    return Section("features", FEATURES, sentence, chart, found, more=more)


def odds_words(row: Mapping[str, Any]) -> str:
    """`odds times 1.12, 1.05 to 1.20`."""
    return f"odds times {row['odds_ratio']:.2f}, {row['low']:.2f} to {row['high']:.2f}"


def unmeasured(table: pl.DataFrame, name: str, title: str, why: Exception) -> Section:
    """A section that has nothing to tell but why; it shows who wins."""
    shares = metrics.win_share(table.with_columns(pl.col("bot").cast(pl.String)), ["bot", "seat"])
    reason = str(why).partition(": ")[2]
    chart = charts.dots(shares, "seat", colour=None, titles={"share": "win share"})
    return Section(name, title, f"Not measured: {reason}.", chart, shares)


def lost_section(base: Variant, plan: Plan, moments: str, turn: str, words: Mapping[str, str]) -> Section:
    """When conditions are lost: the chance of each, looked at before every decision of the kind `moments`, which begins a `turn`."""
    looked = prospects(base, "greedy", plan.at_most(LOOKED), moments=moments, **plan.how)
    named = looked.with_columns(pl.col("fact").cast(pl.String).replace(dict(words)))
    found = metrics.prospects_over_time(named)
    beside: list[tuple[str, pl.DataFrame]] = []
    try:
        first = metrics.lost_first(named).sort("share", descending=True, maintain_order=True)
    except metrics.NotMeasured:
        games = looked["game"].n_unique()
        sentence = f"All conditions were met in each of {games} games of greedy players."
    else:
        top = first.row(0, named=True)
        sentence = (
            f"Of {top['games']} games of greedy players in which a condition failed, '{top['fact']}' was lost first in {with_interval(top)}, half of "
            f"the time with at most {top['q50']:.0f} {turn}{'s' * (top['q50'] != 1)} played."
        )
        beside.append(("lost_first", first))
    more = (
        "A condition counts as lost from the moment that best parts the game into one in which greedy players who go on from there meet it more "
        "often than not, and one in which they do so less often; a better player may save more.",
    )
    titles = {"time": "share of the decisions taken", "mean": "chance that it is met", "fact": ""}
    chart = charts.over_time(found, "fact", titles=titles, order=list(words.values()))
    return Section("lost", "When conditions are lost", sentence, chart, found, more=more, beside=tuple(beside))


def weight_section(grid: pl.DataFrame, knobs: Sequence[str], value: str, what: str) -> Section:
    """Which knob of a full grid moves a column of greedy players' games most; `grid` holds one row for each cell and deal."""
    title = "Which knob of the grid matters most"
    rows = one_row_a_game(grid.filter(pl.col("bot") == "greedy"))
    try:
        measured = metrics.sensitivity(rows, list(knobs), value)
    except metrics.NotMeasured as why:
        return unmeasured(rows, "weights", title, why)
    both = {"first": "by itself", "total": "with all that it has a part in"}
    found = measured.filter(pl.col("index").is_in(list(both))).with_columns(pl.col("index").replace_strict(both))
    alone = found.filter(pl.col("index") == both["first"]).sort("share", descending=True, maintain_order=True)
    told = [f"{row['knob']} {share_words(row)}" for row in alone.iter_rows(named=True)]
    sentence = f"Of the variance of {what} between the {found['cells'][0]} cells of the grid are due, each by itself, to: {listed(told)}."
    more = (
        "All values of a knob weigh the same, so a knob that spans more moves more (Sobol's indices of the full grid, less the noise).",
    )
    order = alone["knob"].to_list()
    titles = {"share": "share of the variance between cells", "knob": "", "index": ""}
    chart = charts.dots(found, "knob", colour="index", order=list(both.values()), sort=order, titles=titles)
    return Section("weights", title, sentence, chart, found, more=more, beside=(("pairs", measured),))


def share_words(row: Mapping[str, Any]) -> str:
    ends = "" if row["low"] is None else f" ({percent(row['low'])} to {percent(row['high'])})"
    return percent(row["share"]) + ends

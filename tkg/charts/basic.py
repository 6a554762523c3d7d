"""The few forms that all charts take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import polars as pl

from tkg import metrics
from tkg.charts.parts import (
    INTERVALS,
    PERCENT,
    can_be_labelled,
    captioned,
    check,
    colouring,
    end_labels,
    finish,
    number_format,
    only,
    range_of,
    row_labels,
    scale_of,
    series_of,
    tips,
)
from tkg.charts.theme import HEIGHT, LIGHT
from tkg.charts.words import described, number, titled
from tkg.metrics.words import digits_for, duration
from tkg.rules.errors import Refused

PICK = "pick"  # the selection of a chart of games
UNNAMED = ("setting", "failed")  # columns whose values say what they are


def lines(
    table: pl.DataFrame,
    x: str,
    y: str = "share",
    colour: str | None = "bot",
    *,
    titles: dict[str, str] | None = None,
    order: Sequence[Any] | None = None,
    is_share: bool = True,
    title: str | None = None,
) -> alt.LayerChart:
    """A line over a number, with its interval as bars at every point and its name at its end.

    Rows hold `x` (a number), `y`, `low` and `high` (null where there is no interval) and `colour`, which tells lines apart. With
    `is_share` the upright axis runs from 0 to 100%, else from the least to the most.
    """
    check(table, x, y, colour, "low", "high")
    direct = can_be_labelled(table, colour)
    by = colouring(table, colour, order, titled(colour or "", titles), direct)
    ends = range_of(table, [y, "low", "high"], is_share)
    across = alt.X(
        f"{x}:Q",
        title=titled(x, titles),
        axis=alt.Axis(values=sorted(table[x].unique()), format=number_format(table[x])),
        scale=alt.Scale(zero=False),
    )
    base = alt.Chart(table).encode(x=across, tooltip=tips(table), **only(by, "color"))
    height = alt.Y(
        f"{y}:Q",
        title=titled(y, titles),
        scale=alt.Scale(domain=ends, nice=False),
        axis=alt.Axis(format=PERCENT) if is_share else alt.Axis(),
    )
    line = base.mark_line(strokeWidth=2).encode(y=height)
    interval = base.mark_rule(strokeWidth=1.5).encode(y=alt.Y("low:Q", title=titled(y, titles)), y2="high:Q")
    point = base.mark_point(filled=True, size=60, opacity=1).encode(y=height, **only(by, "shape"))
    labels = end_labels(table, x, y, str(colour), by, ends, titled(str(colour), titles)) if direct else []
    caption = captioned(f"bars: {INTERVALS}", table, colour, titles)
    words = described("Line chart", table, y, [x], colour=colour, titles=titles, is_share=is_share, caption=caption)
    return finish(alt.layer(line, interval, point, *labels), title, caption, words, height=HEIGHT)


def dots(
    table: pl.DataFrame,
    category: str,
    x: str = "share",
    colour: str | None = "bot",
    *,
    titles: dict[str, str] | None = None,
    order: Sequence[Any] | None = None,
    sort: Sequence[Any] | None = None,
    is_share: bool = True,
    zero: bool = False,
    expected: str | None = None,
    title: str | None = None,
) -> alt.LayerChart:
    """A dot with its interval for every category; colours below each other, named in the first row that has them all.

    Rows hold `category`, `x`, `low` and `high` (null where there is no interval) and `colour`. `order` is that of the colours, `sort` that of
    the categories, which is else the table's.
    `zero` is for differences, of shares if `is_share`: it draws a line at none. `expected` is a column of values to
    hold against: a tick for every category.
    """
    check(table, category, x, colour, "low", "high", expected)
    rows = list(sort) if sort is not None else table[category].unique(maintain_order=True).to_list()
    seen = series_of(table, colour, order)[1] if colour else []
    offset = {"yOffset": alt.YOffset(f"{colour}:N", sort=seen)} if len(seen) > 1 else {}
    reached = [pl.coalesce("high", x), *([expected] if expected else []), *([pl.lit(0.0)] if zero else [])]
    drawn = table.with_columns(pl.max_horizontal(reached).alias("_end"))  # labels stand beyond all marks of their row
    direct = can_be_labelled(table, colour)
    name = titled(colour or "", titles)
    labels = row_labels(drawn, category, rows, str(colour), offset, "_end", name) if direct else []
    by = colouring(table, colour, order, name, bool(labels))
    scale: dict[str, Any] = {"axis": alt.Axis(format="+.0%" if is_share else "+,.4~g")} if zero else scale_of(is_share)
    upright = alt.Y(f"{category}:N", sort=rows, title=None if category in UNNAMED else titled(category, titles) or None)
    base = alt.Chart(drawn).encode(y=upright, tooltip=tips(table), **offset, **only(by, "color"))
    where = alt.X(f"{x}:Q", title=titled(x, titles), **scale)
    interval = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=titled(x, titles), **scale), x2="high:Q")
    point = base.mark_point(filled=True, size=64, opacity=1).encode(x=where, **only(by, "shape"))
    layers: list[Any] = [interval, point, *labels]
    caption = f"bars: {INTERVALS}"
    if zero:
        nothing = alt.Chart(pl.DataFrame({"x": [0.0]})).mark_rule(strokeDash=[4, 3]).encode(x="x:Q")
        layers.insert(0, nothing)
        caption += "; dashed: no difference"
    if expected is not None:
        mark = base.mark_tick(thickness=2, opacity=0.7).encode(x=alt.X(f"{expected}:Q", **scale))
        layers.insert(0, mark)
        caption += f"; ticks: {titled(expected, {'level': 'where all would be level', **(titles or {})})}"
    caption = captioned(caption, table, colour, titles)
    words = described("Dots", table, x, [category], colour=colour, titles=titles, is_share=is_share, caption=caption)
    return finish(alt.layer(*layers), title, caption, words, height=alt.Step(22 if len(seen) < 2 else 15))


def heat(
    table: pl.DataFrame,
    x: str,
    y: str,
    value: str = "share",
    *,
    titles: dict[str, str] | None = None,
    facet: str | None = None,
    is_share: bool = True,
    signed: bool = False,
    title: str | None = None,
) -> Any:
    """A number over two knobs, written in every cell with its interval below, and a colour for it; side by side by `facet`.

    Rows hold `x`, `y`, `value` and, for intervals, `low` and `high`. Shares are coloured from 0 to 1, other numbers from the least to the most.
    `signed` is for what may lie on both sides of 0, such as `beyond` of `metrics.interaction`: colours part at 0, figures have signs, and
    those of shares are percentage points.
    """
    check(table, x, y, value, facet)
    least, most = (float(end or 0) for end in (table[value].min(), table[value].max()))  # type: ignore[arg-type]
    if signed:
        most = max(-least, most) or 1.0
        domain = [-most, most]
    else:
        domain = [0.0, 1.0] if is_share else [least, most]
    base = alt.Chart(tiled(table, value, domain, is_share, signed)).encode(
        x=alt.X(f"{x}:O", title=titled(x, titles), axis=alt.Axis(labelAngle=0)),
        y=alt.Y(f"{y}:O", title=titled(y, titles), sort="descending"),
        tooltip=tips(table),
    )
    tile = base.mark_rect(cornerRadius=3, stroke=LIGHT["ground"], strokeWidth=0.6).encode(
        color=alt.Color(
            f"{value}:Q", scale=alt.Scale(domain=domain, range="diverging" if signed else "ramp"), legend=None
        )
    )
    keys = [x, y, *([facet] if facet else [])]
    unit = " (percentage points)" if signed and is_share and value not in (titles or {}) else ""
    caption = tile_caption(base, titled(value, titles) + unit)
    words = described("Heat map", table, value, keys, titles=titles, is_share=is_share)
    wide = signed or not is_share
    chart = alt.layer(tile, *tile_words(base)).properties(width=alt.Step(74 if wide else 50), height=alt.Step(38))
    return finish(side_by_side(chart, table, facet), title, caption, words)


def layout(
    table: pl.DataFrame,
    value: str = "share",
    *,
    titles: dict[str, str] | None = None,
    facet: str | None = None,
    title: str | None = None,
) -> Any:
    """Shares over the cells of a square layout as it lies on the table: a letter, a number, its interval and a colour for each.

    `table` is what `metrics.cell_shares` gives; side by side by `facet`.
    """
    check(table, "cell", "row", "column", value, facet)
    domain = [0.0, float(table[value].max() or 1)]  # type: ignore[arg-type]
    words_of = pl.col("cell") + pl.format(" {}%", (pl.col(value) * 100).round(1))
    base = alt.Chart(tiled(table, value, domain, True).with_columns(words_of.alias("_words"))).encode(
        x=alt.X("column:O", title=None, axis=None), y=alt.Y("row:O", title=None, axis=None), tooltip=tips(table)
    )
    tile = base.mark_rect(cornerRadius=4, stroke=LIGHT["ground"], strokeWidth=2).encode(
        color=alt.Color(f"{value}:Q", scale=alt.Scale(domain=domain, range="ramp"), legend=None)
    )
    caption = tile_caption(base, titled(value, titles))
    words = described(
        "Cells as they lie on the table", table, value, ["cell", *([facet] if facet else [])], titles=titles
    )
    chart = alt.layer(tile, *tile_words(base)).properties(width=alt.Step(66), height=alt.Step(56))
    return finish(side_by_side(chart, table, facet), title, caption, words)


def tiled(table: pl.DataFrame, value: str, domain: list[float], is_share: bool, signs: bool = False) -> pl.DataFrame:
    """The table with what tiles need: `_dark` (the colour is), `_words` and, where the table has ends, `_interval`."""
    half = pl.col(value).abs() > 0.7 * domain[1] if signs else pl.col(value) > (domain[0] + domain[1]) / 2

    def shown(name: str, percent: str) -> pl.Expr:
        if signs:
            times, digits = (100, 0) if is_share else (1, 2)
            return pl.col(name).map_elements(
                lambda v: f"{times * v:+z.{digits}f}".replace("-", "\u2212"), return_dtype=pl.String
            )
        if is_share:
            return (pl.col(name) * 100).round(0).cast(pl.Int64).cast(pl.String) + percent
        return pl.col(name).map_elements(lambda v: number(v, False, 3), return_dtype=pl.String)

    found = table.with_columns(half.alias("_dark"), shown(value, "%").alias("_words"))
    if {"low", "high"} <= set(table.columns):
        between = "\u2013" if is_share and not signs else " to "
        found = found.with_columns((shown("low", "") + between + shown("high", "")).alias("_interval"))
    return found


def tile_caption(base: alt.Chart, name: str) -> str:
    """What stands on the tiles of a chart."""
    return f"{name}; below it the ends of the 95% interval" if "_interval" in base.data.columns else name


def tile_words(base: alt.Chart) -> list[alt.Chart]:
    """What is written on tiles: the number and, if there is one, the interval below it."""
    colour = alt.when(alt.datum._dark).then(alt.value("white")).otherwise(alt.value(LIGHT["ink"]))
    if "_interval" not in base.data.columns:
        return [base.mark_text(fontSize=11).encode(text="_words:N", color=colour)]
    return [
        base.mark_text(fontSize=11, dy=-6).encode(text="_words:N", color=colour),
        base.mark_text(fontSize=9, dy=8).encode(text="_interval:N", color=colour),
    ]


def side_by_side(chart: Any, table: pl.DataFrame, facet: str | None) -> Any:
    """The chart once for every value of a column, in the table's order."""
    if facet is None:
        return chart
    values = table[facet].unique(maintain_order=True).to_list()
    return chart.facet(column=alt.Column(f"{facet}:N", title=None, sort=values))


def spread(
    table: pl.DataFrame,
    category: str = "number",
    colour: str | None = "bot",
    *,
    titles: dict[str, str] | None = None,
    order: Sequence[Any] | None = None,
    sort: Sequence[Any] | None = None,
    title: str | None = None,
) -> alt.LayerChart:
    """How a number is spread over games: 5% to 95% thin, the middle half thick, the median as a dot.

    `table` is what `metrics.numbers` gives: `category`, `colour`, `q5`, `q25`, `q50`, `q75` and `q95`.
    """
    check(table, category, colour, "q5", "q25", "q50", "q75", "q95")
    rows = list(sort) if sort is not None else table[category].unique(maintain_order=True).to_list()
    seen = series_of(table, colour, order)[1] if colour else []
    offset = {"yOffset": alt.YOffset(f"{colour}:N", sort=seen)} if len(seen) > 1 else {}
    direct = can_be_labelled(table, colour)
    name = titled(colour or "", titles)
    labels = row_labels(table, category, rows, str(colour), offset, "q95", name) if direct else []
    by = colouring(table, colour, order, name, bool(labels))
    base = alt.Chart(table).encode(
        y=alt.Y(f"{category}:N", sort=rows, title=None), tooltip=tips(table), **offset, **only(by, "color")
    )
    unit = titled("value", titles)
    whole = base.mark_rule(strokeWidth=1.5).encode(x=alt.X("q5:Q", title=unit), x2="q95:Q")
    half = base.mark_rule(strokeWidth=5, opacity=0.55).encode(x=alt.X("q25:Q", title=unit), x2="q75:Q")
    middle = base.mark_point(filled=True, size=70, opacity=1).encode(x=alt.X("q50:Q", title=unit), **only(by, "shape"))
    caption = captioned("thin: 5% to 95% of games; thick: the middle half; mark: the median", table, colour, titles)
    words = described(
        "Spread over games, medians with 5% and 95% of games",
        table,
        "q50",
        [category],
        colour=colour,
        titles={"q50": unit, **(titles or {})},
        is_share=False,
        ends=("q5", "q95"),
    )
    return finish(alt.layer(whole, half, middle, *labels), title, caption, words, height=alt.Step(15))


def ladder(table: pl.DataFrame, *, title: str | None = None) -> alt.LayerChart:
    """The rating of every bot with its interval, the best highest, and beside it what a decision costs.

    `table` is the `summary` of what `tkg.ladder` gives: `player`, `peeks`, `rating`, `rating_low`, `rating_high` and
    `cpu_ms`. An end that is null runs off to an arrow at the edge; bots that peek have a colour and a shape of their own.
    """
    if table.is_empty():
        raise Refused("the table has no bots")
    check(table, "player", "peeks", "rating", "rating_low", "rating_high", "cpu_ms")
    found = [*table["rating"], *table["rating_low"].drop_nulls(), *table["rating_high"].drop_nulls()]
    margin = max(20.0, (max(found) - min(found)) * 0.08)
    edges = [min(found) - margin, max(found) + margin]
    kind = pl.when("peeks").then(pl.lit("sees everything")).otherwise(pl.lit("plays fair")).alias("kind")
    drawn = table.with_columns(
        kind,
        pl.col("rating_low").fill_null(edges[0]).alias("from"),
        pl.col("rating_high").fill_null(edges[1]).alias("to"),
        pl.Series("words", [f"{duration(ms)} a decision" for ms in table["cpu_ms"]]),
    )
    kinds = ["plays fair", "sees everything"]
    scale = alt.Scale(domain=edges, nice=False)

    def across(name: str) -> alt.X:
        return alt.X(f"{name}:Q", title="rating (points of Elo)", scale=scale, axis=alt.Axis(format="d", tickCount=6))

    base = alt.Chart(drawn).encode(
        y=alt.Y("player:N", sort=table["player"].to_list(), title=None),
        color=alt.Color("kind:N", scale=alt.Scale(domain=kinds, range="category"), legend=None),
        tooltip=tips(table),
    )
    interval = base.mark_rule(strokeWidth=2).encode(x=across("from"), x2="to:Q")
    point = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=across("rating"), shape=alt.Shape("kind:N", scale=alt.Scale(domain=kinds, range="symbol"), legend=None)
    )
    layers: list[Any] = [interval, point]
    for end, edge, shape in (("rating_low", "from", "triangle-left"), ("rating_high", "to", "triangle-right")):
        if table[end].null_count():
            arrow = base.transform_filter(f"!isValid(datum.{end})")
            layers.append(arrow.mark_point(filled=True, size=60, opacity=1, shape=shape).encode(x=across(edge)))
    label = base.mark_text(align="left", dx=12, fontSize=12)
    layers.append(label.encode(x=alt.value("width"), text="words:N", color=alt.value(LIGHT["ink"])))
    opened = table["rating_low"].null_count() + table["rating_high"].null_count()
    caption = (
        f"bars: {INTERVALS}{'; an arrow: no bound on that side' if opened else ''}; beside them what a decision costs"
    )
    return finish(alt.layer(*layers), title, caption, told_ladder(drawn), height=alt.Step(28), width=440)


def told_ladder(drawn: pl.DataFrame) -> str:
    """What the chart shows, for who cannot see it."""
    rows = []
    for row in drawn.iter_rows(named=True):
        rating = f"{row['rating']:+.0f}".replace("-", "\u2212")
        rows.append(f"{row['player']} {rating}, {row['words']}")
    return f"Ratings of bots with 95% intervals: {'; '.join(rows)}."


MINUS = "\u2212"
SETTLED = ("settle", "open", "does not matter")


def readings(table: pl.DataFrame, *, title: str | None = None) -> alt.LayerChart:
    """How much every reading of an ambiguous sentence matters, the largest effect highest: a dot with its interval beside a
    line at none and a band of what does not matter, and in words what is moved most.

    `table` is `ranked` of what `tkg.readings` gives: `setting`, `bots`, `measure`, `unit`, `difference`, `low`, `high`,
    `margin`, `effect` and `verdict`. Differences are drawn in points if all of them are of shares, else each in its
    own margin, so that shares and numbers stand on one axis. What was never met has no dot.
    """
    check(table, "setting", "bots", "measure", "unit", "difference", "low", "high", "margin", "effect", "verdict")
    in_points = (table["unit"] == "share").all()
    unit = pl.lit(0.01) if in_points else pl.col("margin")
    edge = 100 * table.select(pl.col("margin").max()).item() if in_points else 1.0
    drawn = table.with_columns(
        *(
            (pl.col(name) / unit).fill_nan(0).alias(end)
            for name, end in (("difference", "at"), ("low", "from"), ("high", "to"))
        ),
        pl.Series("words", [reading_words(row) for row in table.iter_rows(named=True)]),
    )
    met = drawn.filter(pl.col("low").is_not_null())
    name = f"difference from the variant as it is ({'points' if in_points else 'margins'})"
    most = max([2 * edge, *met["from"].abs(), *met["to"].abs()])
    x: dict[str, Any] = {"title": name, "scale": alt.Scale(domain=[-1.04 * most, 1.04 * most], nice=False)}
    x["axis"] = alt.Axis(format="+,.4~g", tickCount=7, labelExpr="datum.value == 0 ? '0' : datum.label")
    colour = {
        "scale": alt.Scale(domain=SETTLED, range="category"),
        "legend": alt.Legend(title=None, orient="top", offset=4),
    }
    shape = {**colour, "scale": alt.Scale(domain=SETTLED, range="symbol")}
    rows = alt.Y("setting:N", sort=table["setting"].to_list(), title=None)
    base = alt.Chart(met).encode(y=rows, color=alt.Color("verdict:N", **colour), tooltip=tips(table))
    band = alt.Chart(pl.DataFrame({"a": [-edge], "b": [edge]})).mark_rect(opacity=0.09, color=LIGHT["ink"])
    nothing = alt.Chart(pl.DataFrame({"x": [0.0]})).mark_rule(strokeDash=[4, 3]).encode(x=alt.X("x:Q", **x))
    interval = base.mark_rule(strokeWidth=2).encode(x=alt.X("from:Q", **x), x2="to:Q")
    point = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=alt.X("at:Q", **x), shape=alt.Shape("verdict:N", **shape)
    )
    label = alt.Chart(drawn).mark_text(align="left", dx=12, fontSize=12)
    words = label.encode(y=rows, x=alt.value("width"), text="words:N", color=alt.value(LIGHT["ink"]))
    layers = [band.encode(x=alt.X("a:Q", **x), x2="b:Q"), nothing, interval, point, words]
    caption = f"bars: {INTERVALS} that hold all at once; shaded: does not matter"
    return finish(alt.layer(*layers), title, caption, told_readings(drawn), height=alt.Step(24), width=440)


def reading_words(row: dict[str, Any]) -> str:
    """`win of greedy +4.2 points`, or that it never came up."""
    if row["low"] is None:
        return "never met"
    digits = digits_for((row["high"] - row["low"]) / 2)
    value = f"{100 * row['difference']:+.1f} points" if row["unit"] == "share" else f"{row['difference']:+,.{digits}f}"
    return f"{row['measure'].replace('_', ' ')} of {row['bots']} {value.replace('-', MINUS)}"


def told_readings(drawn: pl.DataFrame) -> str:
    """What the chart shows, for who cannot see it."""
    rows = [
        f"{row['setting']}: {row['words']}" + ("" if row["low"] is None else f", {row['verdict']}")
        for row in drawn.iter_rows(named=True)
    ]
    return f"What each reading changes most, with intervals that hold all at once with 95%: {'; '.join(rows)}."


def games(
    table: pl.DataFrame,
    x: str,
    y: str,
    colour: str | None = "bot",
    *,
    titles: dict[str, str] | None = None,
    title: str | None = None,
) -> alt.Chart:
    """A point for every row of a table of games, `row` telling which; a click on one is the selection `pick`.

    The one chart of raw rows, so the caller thins them out. Points of whole numbers are spread by up to 0.3, always in the
    same way, so that those which fall on one another can be told apart; the tips have the true values.
    """
    check(table, "row", x, y, colour)
    by = colouring(table, colour, None, titled(colour or "", titles))
    kept = list(dict.fromkeys(["row", x, y, *([colour] if colour else [])]))

    def spread_out(name: str, key: int) -> pl.Expr:
        shift = (pl.col("row").hash(key) % 1000 / 1000 - 0.5) * 0.6 if table[name].dtype.is_integer() else 0.0
        return (pl.col(name).cast(pl.Float64) + shift).alias(f"_{key}")

    drawn = table.select(kept).with_columns(spread_out(x, 1), spread_out(y, 2))
    pick = alt.selection_point(name=PICK, fields=["row"], empty=False)
    axes = {
        axis: kind(f"_{key}:Q", title=titled(name, titles), scale=alt.Scale(zero=False))
        for axis, kind, key, name in (("x", alt.X, 1, x), ("y", alt.Y, 2, y))
    }
    opacity = alt.condition(pick, alt.value(1.0), alt.value(0.45))
    width = alt.condition(pick, alt.value(3), alt.value(0.8))
    points = alt.Chart(drawn).mark_point(filled=True, size=70, stroke=LIGHT["ink"], cursor="pointer")
    chart = points.encode(
        **axes, **by, opacity=opacity, strokeWidth=width, tooltip=[alt.Tooltip(name) for name in kept]
    ).add_params(pick)
    caption = captioned("a point for every row, whole numbers spread by up to 0.3", table, colour, titles)
    return finish(chart, title, caption, told_games(table, x, y, titles))


def told_games(table: pl.DataFrame, x: str, y: str, titles: dict[str, str] | None) -> str:
    """What the chart shows, for who cannot see it."""
    sides = [
        f"{titled(name, titles)} ({number(float(table[name].min()), False)} to {number(float(table[name].max()), False)})"  # type: ignore[arg-type]
        for name in (y, x)
    ]
    return f"Scatter of {table.height:,} rows, a point each: {sides[0]} against {sides[1]}."


def win_share(
    frame: Any,
    by: str,
    colour: str | None = "bot",
    titles: dict[str, str] | None = None,
    *,
    title: str | None = None,
) -> alt.LayerChart:
    """Win share by a knob with 95% intervals: a line over a number, dots over anything else.

    `frame` is a table of games, such as `tkg.sweep` gives. Where one bot sits in all seats of a game its share is
    always 1, so seats are told apart instead.
    """
    lazy = frame.lazy()
    if colour == "bot" and {"win_shared", "seat", "bot"} <= set(lazy.collect_schema().names()):
        if lazy.select(pl.col("bot").cast(pl.String).n_unique()).collect().item() == 1:
            colour = "seat"
    keys = [by] if colour in (None, by) else [by, str(colour)]
    table = metrics.win_share(frame, keys)
    if table.is_empty():
        raise Refused("the table has no games")
    words = {"share": "win share", **(titles or {})}
    own = colour if colour in keys and colour != by else None
    if table[by].dtype.is_numeric() and by != "seat":
        return lines(table, by, colour=own, titles=words, title=title)
    return dots(table, by, colour=own, titles=words, title=title)

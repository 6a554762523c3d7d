"""The few forms that all charts take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import polars as pl

from tkg import metrics
from tkg.charts.theme import LIGHT
from tkg.metrics.words import digits_for, duration
from tkg.rules.errors import Refused

PERCENT = ".0%"
PICK = "pick"  # the selection of a chart of games


def titled(name: str, titles: dict[str, str] | None) -> str:
    return (titles or {}).get(name, name.replace("_", " "))


def tips(table: pl.DataFrame) -> list[alt.Tooltip]:
    """Every column of the small table, shares and means to three digits."""
    found = []
    for name, dtype in table.schema.items():
        exact = ".3f" if dtype.is_float() else ""
        found.append(alt.Tooltip(name, format=exact) if exact else alt.Tooltip(name))
    return found


def colouring(table: pl.DataFrame, colour: str | None, order: Sequence[Any] | None, title: str) -> dict[str, Any]:
    """Colour and shape by one column, in a fixed order, so that a bot looks the same in every chart."""
    if colour is None:
        return {}
    values = list(order) if order is not None else table[colour].cast(pl.String).unique().sort().to_list()
    seen = set(table[colour].cast(pl.String))
    domain = [v for v in values if v in seen] if order is None else values
    legend = None if len(seen) == 1 else alt.Legend(title=title, values=[v for v in domain if v in seen])
    return {
        "color": alt.Color(f"{colour}:N", scale=alt.Scale(domain=domain, range="category"), legend=legend),
        "shape": alt.Shape(f"{colour}:N", scale=alt.Scale(domain=domain, range="symbol"), legend=legend),
    }


def scale_of(is_share: bool) -> dict[str, Any]:
    """Shares run from 0 to 1 and are labelled in percent."""
    if is_share:
        return {"scale": alt.Scale(domain=[0, 1]), "axis": alt.Axis(format=PERCENT)}
    return {"scale": alt.Scale(zero=False)}


def lines(
    table: pl.DataFrame,
    x: str,
    y: str = "share",
    colour: str | None = "bot",
    *,
    titles: dict[str, str] | None = None,
    order: Sequence[Any] | None = None,
    is_share: bool = True,
) -> alt.LayerChart:
    """A line over a number, with its interval (`low`, `high`) as bars at every point."""
    by = colouring(table, colour, order, titled(colour or "", titles))
    values = sorted(table[x].unique())
    base = alt.Chart(table).encode(
        x=alt.X(
            f"{x}:Q", title=titled(x, titles), axis=alt.Axis(values=values, format="d"), scale=alt.Scale(zero=False)
        ),
        tooltip=tips(table),
        **{k: v for k, v in by.items() if k == "color"},
    )
    height = alt.Y(f"{y}:Q", title=titled(y, titles), **scale_of(is_share))
    line = base.mark_line(strokeWidth=2).encode(y=height)
    point = base.mark_point(filled=True, size=60, opacity=1).encode(
        y=height, **{k: v for k, v in by.items() if k == "shape"}
    )
    interval = base.mark_rule(strokeWidth=1.5).encode(y=alt.Y("low:Q", title=titled(y, titles)), y2="high:Q")
    return alt.layer(line, interval, point)


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
) -> alt.LayerChart:
    """A dot with its interval for every category; colours side by side.

    `zero` is for differences, of shares if `is_share`: it draws a line at none. `expected` is a column of values to
    hold against: a tick for every category.
    """
    by = colouring(table, colour, order, titled(colour or "", titles))
    rows = list(sort) if sort is not None else table[category].unique(maintain_order=True).to_list()
    seen = table[colour].n_unique() if colour else 1
    sides = list(order) if order is not None else None
    offset = {"yOffset": alt.YOffset(f"{colour}:N", sort=sides)} if colour and seen > 1 else {}
    scale: dict[str, Any] = {"axis": alt.Axis(format="+.0%" if is_share else "+,.4~g")} if zero else scale_of(is_share)
    base = alt.Chart(table).encode(
        y=alt.Y(
            f"{category}:N", sort=rows, title=None if category in ("setting", "failed") else titled(category, titles)
        ),
        tooltip=tips(table),
        **offset,
        **{k: v for k, v in by.items() if k == "color"},
    )
    where = alt.X(f"{x}:Q", title=titled(x, titles), **scale)
    point = base.mark_point(filled=True, size=64, opacity=1).encode(
        x=where, **{k: v for k, v in by.items() if k == "shape"}
    )
    interval = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=titled(x, titles), **scale), x2="high:Q")
    layers: list[Any] = [interval, point]
    if zero:
        nothing = alt.Chart(pl.DataFrame({"x": [0.0]})).mark_rule(strokeDash=[4, 3]).encode(x="x:Q")
        layers.insert(0, nothing)
    if expected is not None:
        mark = base.mark_tick(thickness=2, opacity=0.7).encode(x=alt.X(f"{expected}:Q", **scale))
        layers.insert(0, mark)
    return alt.layer(*layers).properties(height=alt.Step(22 if seen == 1 else 13))


def heat(
    table: pl.DataFrame,
    x: str,
    y: str,
    value: str = "share",
    *,
    titles: dict[str, str] | None = None,
    facet: str | None = None,
) -> Any:
    """Shares over two knobs: the number in every cell, and a colour for it; side by side by `facet`."""
    shape: dict[str, Any] = {"width": alt.Step(44), "height": alt.Step(34)}
    base = alt.Chart(table).encode(
        x=alt.X(f"{x}:O", title=titled(x, titles), axis=alt.Axis(labelAngle=0)),
        y=alt.Y(f"{y}:O", title=titled(y, titles), sort="descending"),
        tooltip=tips(table),
    )
    colour = alt.Color(
        f"{value}:Q",
        title=titled(value, titles),
        scale=alt.Scale(domain=[0, 1], range="ramp"),
        legend=alt.Legend(format=PERCENT, gradientLength=140),
    )
    tile = base.mark_rect(cornerRadius=3, stroke=LIGHT["ground"], strokeWidth=0.6).encode(color=colour)
    label = base.mark_text(fontSize=11).encode(
        text=alt.Text(f"{value}:Q", format=PERCENT),
        color=alt.when(alt.datum[value] > 0.5).then(alt.value("white")).otherwise(alt.value(LIGHT["ink"])),
    )
    chart = alt.layer(tile, label).properties(**shape)
    if facet is None:
        return chart
    return chart.facet(
        column=alt.Column(f"{facet}:N", title=None, sort=table[facet].unique(maintain_order=True).to_list())
    )


def layout(
    table: pl.DataFrame, value: str = "share", *, titles: dict[str, str] | None = None, facet: str | None = None
) -> Any:
    """Shares over the cells of a square layout as it lies on the table: a letter, a number and a colour for each.

    `table` is what `metrics.cell_shares` gives; side by side by `facet`.
    """
    most = float(table[value].max() or 1)  # type: ignore[arg-type]
    dark = pl.when(pl.col(value) > most / 2).then(1).otherwise(0).alias("dark")
    told = table.with_columns(dark, (pl.col("cell") + pl.format(" {}%", (pl.col(value) * 100).round(1))).alias("words"))
    base = alt.Chart(told).encode(
        x=alt.X("column:O", title=None, axis=None), y=alt.Y("row:O", title=None, axis=None), tooltip=tips(table)
    )
    colour = alt.Color(
        f"{value}:Q",
        title=titled(value, titles),
        scale=alt.Scale(domain=[0, most], range="ramp"),
        legend=alt.Legend(format=PERCENT, gradientLength=140),
    )
    tile = base.mark_rect(cornerRadius=4, stroke=LIGHT["ground"], strokeWidth=2).encode(color=colour)
    label = base.mark_text(fontSize=11).encode(
        text="words:N",
        color=alt.when(alt.datum.dark == 1).then(alt.value("white")).otherwise(alt.value(LIGHT["ink"])),
    )
    chart = alt.layer(tile, label).properties(width=alt.Step(62), height=alt.Step(52))
    if facet is None:
        return chart
    return chart.facet(
        column=alt.Column(f"{facet}:N", title=None, sort=table[facet].unique(maintain_order=True).to_list())
    )


def spread(
    table: pl.DataFrame,
    category: str = "number",
    colour: str | None = "bot",
    *,
    titles: dict[str, str] | None = None,
    order: Sequence[Any] | None = None,
    sort: Sequence[Any] | None = None,
) -> alt.LayerChart:
    """How a number is spread over games: 5% to 95% thin, the middle half thick, the median as a dot."""
    by = colouring(table, colour, order, titled(colour or "", titles))
    rows = list(sort) if sort is not None else table[category].unique(maintain_order=True).to_list()
    base = alt.Chart(table).encode(
        y=alt.Y(f"{category}:N", sort=rows, title=None),
        tooltip=tips(table),
        **({"yOffset": alt.YOffset(f"{colour}:N", sort=list(order) if order else None)} if colour else {}),
        **{k: v for k, v in by.items() if k == "color"},
    )
    words = titled("value", titles)
    whole = base.mark_rule(strokeWidth=1.5).encode(x=alt.X("q5:Q", title=words), x2="q95:Q")
    half = base.mark_rule(strokeWidth=5, opacity=0.55).encode(x=alt.X("q25:Q", title=words), x2="q75:Q")
    middle = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=alt.X("q50:Q", title=words), **{k: v for k, v in by.items() if k == "shape"}
    )
    return alt.layer(whole, half, middle).properties(height=alt.Step(15))


def ladder(table: pl.DataFrame) -> alt.LayerChart:
    """The rating of every bot with its interval, the best highest, and beside it what a decision costs.

    `table` is the `summary` of what `tkg.ladder` gives: `player`, `peeks`, `rating`, `rating_low`, `rating_high` and
    `cpu_ms`. An end that is null runs off to an arrow at the edge; bots that peek have a colour and a shape of their own.
    """
    if table.is_empty():
        raise Refused("the table has no bots")
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
    return alt.layer(*layers).properties(height=alt.Step(28), width=440, description=told_ladder(drawn))


def told_ladder(drawn: pl.DataFrame) -> str:
    """What the chart shows, for who cannot see it."""
    rows = [f"{r['player']} {r['rating']:+.0f}, {r['words']}" for r in drawn.iter_rows(named=True)]
    return f"Ratings of bots with 95% intervals: {'; '.join(rows)}."


MINUS = "\u2212"
SETTLED = ("settle", "open", "does not matter")


def readings(table: pl.DataFrame) -> alt.LayerChart:
    """How much every reading of an ambiguous sentence matters, the largest effect highest: a dot with its interval beside a
    line at none and a band of what does not matter, and in words what is moved most.

    `table` is `ranked` of what `tkg.readings` gives: `setting`, `bots`, `measure`, `unit`, `difference`, `low`, `high`,
    `margin`, `effect` and `verdict`. Differences are drawn in points if all of them are of shares, else each in its
    own margin, so that shares and numbers stand on one axis. What was never met has no dot.
    """
    if table.is_empty():
        raise Refused("the table has no readings")
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
    title = f"difference from the variant as it is ({'points' if in_points else 'margins'}; shaded: does not matter)"
    most = max([2 * edge, *met["from"].abs(), *met["to"].abs()])
    x: dict[str, Any] = {"title": title, "scale": alt.Scale(domain=[-1.04 * most, 1.04 * most], nice=False)}
    x["axis"] = alt.Axis(format="+,.4~g", tickCount=7, labelExpr="datum.value == 0 ? '0' : datum.label")
    colour = {"scale": alt.Scale(domain=SETTLED, range="category"), "legend": alt.Legend(title=None, orient="top")}
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
    return alt.layer(*layers).properties(height=alt.Step(24), width=440, description=told_readings(drawn))


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
) -> alt.Chart:
    """A point for every row of a table of games, `row` telling which; a click on one is the selection `pick`.

    The one chart of raw rows, so the caller thins them out. Points of whole numbers are spread by up to 0.3, always in the
    same way, so that those which fall on one another can be told apart; the tips have the true values.
    """
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
    return points.encode(
        **axes, **by, opacity=opacity, strokeWidth=width, tooltip=[alt.Tooltip(name) for name in kept]
    ).add_params(pick)


def win_share(frame: Any, by: str, colour: str | None = "bot", titles: dict[str, str] | None = None) -> alt.LayerChart:
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
        return lines(table, by, colour=own, titles=words)
    return dots(table, by, colour=own, titles=words)

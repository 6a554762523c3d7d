"""Charts for judging variants: what a change does, two knobs together, games over time, goals that compete, endings."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import altair as alt
import polars as pl

from tkg.charts.parts import (
    INTERVALS,
    PERCENT,
    PLAIN,
    can_be_labelled,
    captioned,
    check,
    colouring,
    end_labels,
    finish,
    number_format,
    only,
    range_of,
    scale_of,
    tips,
)
from tkg.charts.theme import HEIGHT, LABEL, LIGHT
from tkg.charts.words import described, name_of, number, titled, with_ends
from tkg.rules.errors import Refused

PAIRED = f"paired over the same deals, {INTERVALS}"
PANEL = 190  # width of a small panel, in pixels


def effects(
    table: pl.DataFrame,
    category: str = "setting",
    value: str = "difference",
    *,
    titles: dict[str, str] | None = None,
    is_share: bool = True,
    none: float = 0,
    ends: tuple[str, str] = ("low", "high"),
    title: str | None = None,
    caption: str = PAIRED,
) -> alt.LayerChart:
    """Differences, the largest first, with intervals about a line at none, and each in figures at the side.

    `table` is what `metrics.paired_difference` gives: a category, the difference, `low` and `high`, which may be null, or
    other columns that `ends` names. A mark is filled where the interval leaves out the line, and hollow where it does
    not. Differences of shares are told in percentage points. `none` is where the line stands: 1 for ratios, such as the odds
    ratios of `metrics.importance`, which have no unit (`is_share=False`). Rows without a value are named in the caption, for
    there is nothing to draw of them. `caption` says what the intervals are; the marks are explained behind it.
    """
    low, high = ends
    check(table, category, value, low, high)
    lacking = table.filter(pl.col(value).is_null())[category].to_list()
    table = table.drop_nulls(value)
    if table.is_empty():
        raise Refused(f"no row of the table has a {value!r}, so there is nothing to draw")
    times = 100 if is_share else 1
    unit = "points" if is_share else ""
    clear = ((pl.col(low) > none) | (pl.col(high) < none)).fill_null(False)
    scaled = table.sort(value, descending=True, maintain_order=True).with_columns(
        *((pl.col(name) * times).alias(f"_{end}") for name, end in ((value, "value"), (low, "low"), (high, "high")))
    )
    digits = 1 if none == 0 and scaled["_value"].abs().max() >= 1 else 2 if none else 3  # type: ignore[operator]
    names = ("_value", "_low", "_high")
    told = [signed(row, names, digits, plus=none == 0) for row in scaled.iter_rows(named=True)]
    kinds = [f"interval leaves out {none:g}", f"interval holds {none:g}"]
    kind = pl.when(clear).then(pl.lit(kinds[0])).otherwise(pl.lit(kinds[1])).alias("_kind")
    drawn = scaled.with_columns(kind, pl.Series("_words", told))
    rows = drawn[category].to_list()
    name = titled(value, titles) + (" (percentage points)" if is_share and value not in (titles or {}) else "")

    plus = f"+{PLAIN}" if none == 0 else PLAIN
    axis = alt.Axis(format=plus, tickCount=7, labelExpr="datum.value == 0 ? '0' : datum.label")

    def across(column: str) -> alt.X:
        return alt.X(f"{column}:Q", title=name, scale=alt.Scale(zero=none == 0), axis=axis)

    colours = alt.Color("_kind:N", scale=alt.Scale(domain=kinds, range=[LIGHT["mark"], LIGHT["soft"]]), legend=None)
    fills = alt.Fill("_kind:N", scale=alt.Scale(domain=kinds, range=[LIGHT["mark"], LIGHT["ground"]]), legend=None)
    base = alt.Chart(drawn).encode(
        y=alt.Y(f"{category}:N", sort=rows, title=None if category == "setting" else titled(category, titles) or None),
        tooltip=tips(table),
    )
    line = (
        alt.Chart(pl.DataFrame({"x": [float(none)]})).mark_rule(strokeDash=[4, 3], color=LIGHT["ink"]).encode(x="x:Q")
    )
    interval = base.mark_rule(strokeWidth=2).encode(x=across("_low"), x2="_high:Q", color=colours)
    point = base.mark_point(size=64, opacity=1, strokeWidth=2).encode(x=across("_value"), stroke=colours, fill=fills)
    words = base.mark_text(align="left", dx=10, fontSize=LABEL - 1, color=LIGHT["ink"])
    figures = words.encode(x=alt.value("width"), text="_words:N")
    whole = f"{caption}; filled where they leave out {none:g}{', figures in percentage points' if unit else ''}"
    if lacking:
        whole += f"; nothing to draw of {', '.join(map(str, lacking))}"
    most = drawn.row(0, named=True), drawn.row(-1, named=True)
    extremes = f"Highest: {most[0][category]} {most[0]['_words']}"
    if len(drawn) > 1:
        extremes += f"; lowest: {most[1][category]} {most[1]['_words']}"
    clearly = drawn["_kind"].eq(kinds[0]).sum()
    described_as = (
        f"Ranked differences: {name} by {titled(category, titles) or 'variant'}. {extremes}. "
        f"Of {len(drawn)} intervals {clearly} leave out {none:g}."
    )
    return finish(alt.layer(line, interval, point, figures), title, whole, described_as, height=alt.Step(24), width=400)


def signed(row: dict[str, Any], names: Sequence[str], digits: int, plus: bool = True) -> str:
    """`+3.2 (+1.0 to +5.4)`, from the columns of a row: a value and, unless they are null, its ends."""

    def told(value: float) -> str:
        text = f"{value:+z.{digits}f}".replace("-", "\u2212")
        return text if text[0] == "\u2212" or (plus and float(text[1:])) else text[1:]

    figures = [told(row[name]) for name in names if row[name] is not None]
    return f"{figures[0]} ({figures[1]} to {figures[2]})" if len(figures) == 3 else figures[0]


def panels(
    table: pl.DataFrame,
    x: str,
    facet: str,
    y: str = "share",
    colour: str | None = None,
    *,
    titles: dict[str, str] | None = None,
    order: Sequence[Any] | None = None,
    is_share: bool = True,
    columns: int = 3,
    title: str | None = None,
) -> Any:
    """Lines over one knob, a small panel for every value of another one, all on the same axes.

    Rows hold `x` (a number), `facet`, `y`, `low`, `high` and, for several lines in a panel, `colour`; they are told
    apart by a legend above, since labels in every panel would crowd it.
    """
    check(table, x, facet, y, colour, "low", "high")
    by = colouring(table, colour, order, titled(colour or "", titles), orient="top")
    scale = alt.Scale(domain=range_of(table, [y, "low", "high"], is_share), nice=False)
    values = table[x].unique().sort()
    across = alt.X(
        f"{x}:Q",
        title=wrap(titled(x, titles), PANEL // 7),
        axis=alt.Axis(values=values.to_list(), format=number_format(values)),
        scale=alt.Scale(zero=False),
    )
    names = [name_of(value, titled(facet, titles)) for value in table[facet]]
    named = table.with_columns(pl.Series("_panel", names))
    base = alt.Chart().encode(x=across, tooltip=tips(table), **only(by, "color"))
    axis = alt.Axis(format=PERCENT, tickCount=5) if is_share else alt.Axis(tickCount=5)
    height = alt.Y(f"{y}:Q", title=None, scale=scale, axis=axis)
    layers = alt.layer(
        base.mark_line(strokeWidth=2).encode(y=height),
        base.mark_rule(strokeWidth=1.5).encode(y=alt.Y("low:Q", title=None, scale=scale, axis=axis), y2="high:Q"),
        base.mark_point(filled=True, size=45, opacity=1).encode(y=height, **only(by, "shape")),
        data=named,
    ).properties(width=PANEL, height=150)
    wanted = named["_panel"].unique(maintain_order=True).to_list()
    chart = layers.facet(facet=alt.Facet("_panel:N", title=None, sort=wanted), columns=columns)
    caption = captioned(f"{titled(y, titles)}; bars: {INTERVALS}", table, colour, titles)
    described_as = described(
        "Small line charts", table, y, [x, facet], colour=colour, titles=titles, is_share=is_share, caption=caption
    )
    return finish(chart, title, caption, described_as)


def over_time(
    table: pl.DataFrame,
    colour: str | None = None,
    y: str = "mean",
    x: str = "time",
    *,
    titles: dict[str, str] | None = None,
    order: Sequence[Any] | None = None,
    is_share: bool = True,
    title: str | None = None,
) -> alt.LayerChart:
    """A curve over the course of a game with its interval as a band, and its name at its end.

    `table` is what `metrics.uncertainty_over_time` gives: `time` (a share of the game), `mean`, `low` and `high`, by
    `colour`; or what `metrics.prospects_over_time` gives, over `moment`, for `x` may count turns too, in whole numbers. With
    `is_share` the upright axis runs from 0 to 100%.
    """
    check(table, x, y, colour, "low", "high")
    direct = can_be_labelled(table, colour)
    by = colouring(table, colour, order, titled(colour or "", titles), direct)
    ends = range_of(table, [y, "low", "high"], is_share)
    names = {"time": "share of the game played", "mean": "uncertainty of who wins", **(titles or {})}
    across = alt.X(
        f"{x}:Q",
        title=titled(x, names),
        axis=alt.Axis(format="d", tickMinStep=1)
        if table[x].dtype.is_integer()
        else alt.Axis(format=PERCENT, tickCount=10),
        scale=alt.Scale(zero=False, nice=False),
    )
    base = alt.Chart(table).encode(x=across, tooltip=tips(table))
    axis = alt.Axis(format=PERCENT) if is_share else alt.Axis()
    height = alt.Y(f"{y}:Q", title=titled(y, names), scale=alt.Scale(domain=ends, nice=False), axis=axis)
    band = base.mark_area(opacity=0.2).encode(
        y=alt.Y("low:Q", title=titled(y, names)), y2="high:Q", **only(by, "color")
    )
    line = base.mark_line(strokeWidth=2).encode(y=height, **only(by, "color"))
    point = base.mark_point(filled=True, size=45, opacity=1).encode(y=height, **by)
    labels = end_labels(table, x, y, str(colour), by, ends, titled(str(colour), titles)) if direct else []
    caption = captioned(f"bands: {INTERVALS}", table, colour, titles)
    words = described("Curve over time", table, y, [x], colour=colour, titles=names, is_share=is_share, caption=caption)
    return finish(alt.layer(band, line, point, *labels), title, caption, words, height=HEIGHT)


def pareto(
    table: pl.DataFrame,
    x: str,
    y: str,
    *,
    front: str = "front",
    chosen: str = "chosen",
    titles: dict[str, str] | None = None,
    is_share: tuple[bool, bool] = (False, False),
    title: str | None = None,
) -> alt.LayerChart:
    """Two goals that compete: every trial a point, those that no other beats in both joined, the chosen one named.

    `front` and `chosen` are columns of truth values; at most one row is chosen. Where the table has `{x}_low` and
    `{x}_high`, or those of `y`, trials of the front and the chosen one have their intervals drawn. `is_share` says of `x` and `y`
    whether they are told in percent.
    """
    check(table, x, y, front, chosen)
    kinds = ["chosen", "not beaten in both", "beaten in both"]
    kind = pl.when(chosen).then(pl.lit(kinds[0])).when(front).then(pl.lit(kinds[1])).otherwise(pl.lit(kinds[2]))
    drawn = table.with_columns(kind.alias("_kind"))
    sides = {}
    for axis, name, share in (("x", x, is_share[0]), ("y", y, is_share[1])):
        found = [c for c in (name, f"{name}_low", f"{name}_high") if c in table.columns]
        domain = range_of(table, found, False)
        sides[axis] = {
            "title": titled(name, titles),
            "scale": alt.Scale(domain=domain, nice=False),
            "axis": alt.Axis(format=PERCENT if share else PLAIN, tickCount=6),
        }
    place = {"x": alt.X(f"{x}:Q", **sides["x"]), "y": alt.Y(f"{y}:Q", **sides["y"])}
    colours = [LIGHT["mark"], LIGHT["ink"], LIGHT["soft"]]
    by = {
        "color": alt.Color("_kind:N", scale=alt.Scale(domain=kinds, range=colours), legend=None),
        "shape": alt.Shape("_kind:N", scale=alt.Scale(domain=kinds, range=["diamond", "circle", "cross"]), legend=None),
        "size": alt.Size("_kind:N", scale=alt.Scale(domain=kinds, range=[190, 60, 40]), legend=None),
    }
    best = alt.Chart(drawn.filter(pl.col(front)))
    good = alt.Chart(drawn.filter(pl.col(front) | pl.col(chosen)))
    layers: list[Any] = [best.mark_line(strokeWidth=1.5, color=LIGHT["soft"]).encode(**place)]
    has = {name: {f"{name}_low", f"{name}_high"} <= set(table.columns) for name in (x, y)}
    rule = good.mark_rule(strokeWidth=1.2)
    if has[x]:
        layers.append(rule.encode(x=alt.X(f"{x}_low:Q", **sides["x"]), x2=f"{x}_high:Q", y=place["y"]))
    if has[y]:
        layers.append(rule.encode(x=place["x"], y=alt.Y(f"{y}_low:Q", **sides["y"]), y2=f"{y}_high:Q"))
    layers.append(alt.Chart(drawn).mark_point(filled=True, opacity=1).encode(**place, **by, tooltip=tips(table)))
    name = alt.Chart(drawn.filter(pl.col(chosen))).mark_text(
        text="chosen", align="left", baseline="bottom", dx=9, dy=-7, fontSize=LABEL, fontWeight=600, color=LIGHT["ink"]
    )
    layers.append(name.encode(**place))
    caption = "joined: trials that no other beats in both goals; crosses: the others"
    if any(has.values()):
        caption += f"; bars: {INTERVALS}"

    def told(row: dict[str, Any]) -> str:
        parts = [
            f"{titled(name, titles)} {with_ends(row, name, share, (f'{name}_low', f'{name}_high'))}"
            for name, share in ((x, is_share[0]), (y, is_share[1]))
        ]
        return " and ".join(parts)

    picked = drawn.filter(pl.col(chosen))
    words = f"Scatter of {len(drawn)} trials by {titled(x, titles)} and {titled(y, titles)}, {drawn[front].sum()} of them not beaten in both."
    for name, share in ((x, is_share[0]), (y, is_share[1])):
        low, high = (number(float(v), share) for v in (drawn[name].min(), drawn[name].max()))  # type: ignore[arg-type]
        words += f" {titled(name, titles)}: {low} to {high}."
    words += f" Chosen: {told(picked.row(0, named=True))}." if len(picked) else " None is chosen."
    return finish(alt.layer(*layers), title, caption, words, width=480, height=HEIGHT)


def endings(
    table: pl.DataFrame,
    by: str,
    ending: str = "ending",
    value: str = "share",
    *,
    titles: dict[str, str] | None = None,
    sort: Sequence[Any] | None = None,
    title: str | None = None,
) -> Any:
    """How games end: a column of dots with intervals and figures for each ending, a row for each value of `by`.

    Rows hold `by`, `ending`, the share of games that end so, `low` and `high`. Other than stacked bars, dots on a common
    scale can be compared and leave room for intervals.
    """
    check(table, by, ending, value, "low", "high")
    rows = [name_of(v, titled(by, titles)) for v in (sort or table[by].unique(maintain_order=True))]
    kinds = table[ending].unique(maintain_order=True).to_list()
    left = pl.col("high") > 0.72  # where the figure stands left of the bar, for want of room
    figure = (pl.col(value) * 100).round(0).cast(pl.Int64).cast(pl.String) + "%"
    drawn = table.with_columns(
        pl.Series("_row", [name_of(value, titled(by, titles)) for value in table[by]]),
        figure.alias("_words"),
        left.fill_null(False).alias("_left"),
        pl.when(left).then("low").otherwise(pl.coalesce("high", value)).alias("_end"),
    )
    scale = scale_of(True)
    scale["axis"] = alt.Axis(format=PERCENT, values=[0, 0.5, 1])
    base = alt.Chart().encode(y=alt.Y("_row:N", sort=rows, title=None), tooltip=tips(table))
    name = titled(value, titles)
    colour = LIGHT["mark"]
    interval = base.mark_rule(strokeWidth=2, color=colour).encode(x=alt.X("low:Q", title=None, **scale), x2="high:Q")
    point = base.mark_point(filled=True, size=60, opacity=1, color=colour).encode(
        x=alt.X(f"{value}:Q", title=None, **scale)
    )
    written = [
        base.transform_filter(f"{'' if is_left else '!'}datum._left")
        .mark_text(
            align="right" if is_left else "left", dx=-7 if is_left else 7, fontSize=LABEL - 1, color=LIGHT["ink"]
        )
        .encode(x=alt.X("_end:Q", **scale), text="_words:N")
        for is_left in (False, True)
    ]
    width = max(100, min(170, 600 // len(kinds)))
    cells = alt.layer(interval, point, *written, data=drawn).properties(width=width, height=alt.Step(26))
    chart = cells.facet(
        column=alt.Column(f"{ending}:N", title=None, sort=kinds, header=alt.Header(labelAnchor="start"))
    )
    caption = f"{name}; bars: {INTERVALS}"
    words = described("Dots in a column for each ending", table, value, [ending, by], titles=titles, caption=caption)
    return finish(chart, title, caption, words)

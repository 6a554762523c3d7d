"""What all charts are put together from: checked tables, scales, colours, direct labels, captions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import polars as pl

from tkg.charts.theme import HEIGHT, LABEL, LIGHT, SHAPES
from tkg.charts.words import name_of, titled
from tkg.rules.errors import Refused

PERCENT = ".0%"
PLAIN = ",.12~g"  # a number as it is: without digits of its own d3 would round, and write 50 as 5e+1
INTERVALS = "95% intervals"
GAP = 16  # between two labels that stand above each other, in pixels


def check(table: pl.DataFrame, *columns: str | None) -> None:
    """Refuse a table that is empty or lacks a column."""
    missing = [name for name in columns if name is not None and name not in table.columns]
    if missing:
        raise Refused(f"the table has no column {missing[0]!r}; there are {', '.join(table.columns)}")
    if table.is_empty():
        raise Refused("the table has no rows, so there is nothing to draw")


def tips(table: pl.DataFrame) -> list[alt.Tooltip]:
    """Every column of the small table, shares and means to three digits."""
    found = []
    for name, dtype in table.schema.items():
        exact = ".3f" if dtype.is_float() else ""
        found.append(alt.Tooltip(name, format=exact) if exact else alt.Tooltip(name))
    return found


def finish(chart: Any, title: str | None, caption: str, description: str, **properties: Any) -> Any:
    """The chart with its title, a caption line below that (or in its place) and its alternative text."""
    if title is None:
        heading = alt.TitleParams(text=caption, fontSize=LABEL, fontWeight="normal", color=LIGHT["soft"])
    else:
        heading = alt.TitleParams(text=title, subtitle=caption)
    return chart.properties(title=heading, description=description, **properties)


def captioned(caption: str, table: pl.DataFrame, colour: str | None, titles: dict[str, str] | None) -> str:
    """The caption, which names a series that stands alone, for then no label does."""
    if colour is None or table[colour].n_unique() > 1:
        return caption
    name, value = titled(colour, titles), table[colour][0]
    return f"{caption}; {f'{name}: {value}' if name else value}"


def series_of(table: pl.DataFrame, colour: str, order: Sequence[Any] | None) -> tuple[list[Any], list[Any]]:
    """(domain of colours and shapes, the series that are there): in the caller's order, so that a bot always looks the same."""
    own = {str(value): value for value in table[colour].unique().to_list()}
    if order is None:
        words = table[colour].dtype in (pl.Categorical, pl.Enum)
        domain = sorted(own.values(), key=str) if words else table[colour].unique().sort().to_list()
        return domain, domain
    names = [str(value) for value in order]
    strange = [name for name in own if name not in names]
    domain = [own.get(name, name) for name in names + strange]
    return domain, [value for value in domain if str(value) in own]


def colouring(
    table: pl.DataFrame,
    colour: str | None,
    order: Sequence[Any] | None,
    title: str,
    direct: bool = False,
    orient: str = "right",
) -> dict[str, Any]:
    """Colour and shape by one column, in a fixed order; a legend only for several series without direct labels."""
    if colour is None:
        return {}
    domain, seen = series_of(table, colour, order)
    legend = None if direct or len(seen) == 1 else alt.Legend(title=title or None, values=seen, orient=orient)
    return {
        "color": alt.Color(f"{colour}:N", scale=alt.Scale(domain=domain, range="category"), legend=legend),
        "shape": alt.Shape(f"{colour}:N", scale=alt.Scale(domain=domain, range="symbol"), legend=legend),
    }


def only(encodings: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in encodings.items() if key == name}


def scale_of(is_share: bool) -> dict[str, Any]:
    """Shares run from 0 to 1 and are labelled in percent."""
    if is_share:
        return {"scale": alt.Scale(domain=[0, 1]), "axis": alt.Axis(format=PERCENT)}
    return {"scale": alt.Scale(zero=False)}


def number_format(values: pl.Series) -> str:
    """d3's format for labels of these values, which have no comma where they are whole."""
    return "d" if values.dtype.is_integer() else PLAIN


def range_of(table: pl.DataFrame, columns: Sequence[str], is_share: bool) -> list[float]:
    """The ends of an axis that holds all these columns: 0 to 1 for shares, else with a margin at both ends."""
    if is_share:
        return [0.0, 1.0]
    found = [v for name in columns for v in (table[name].min(), table[name].max()) if v is not None]
    if not found:
        return [0.0, 1.0]
    low, high = float(min(found)), float(max(found))  # type: ignore[arg-type,type-var]
    margin = (high - low) * 0.06 or abs(low) * 0.06 or 1.0
    return [low - margin, high + margin]


def apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places from `low` to `high`, in the order of the wanted ones, as near to them as `gap` between any two allows.

    Least squares: isotonic regression (pool adjacent violators) of the wanted places, each lowered by the gaps below it.
    """
    order = sorted(range(len(wanted)), key=lambda k: wanted[k])
    pools: list[tuple[float, int]] = []  # (mean, how many) from below
    for rank, k in enumerate(order):
        mean, count = wanted[k] - rank * gap, 1
        while pools and pools[-1][0] > mean:
            below, many = pools.pop()
            mean, count = (below * many + mean * count) / (many + count), many + count
        pools.append((mean, count))
    means = [mean for mean, count in pools for _ in range(count)]
    top = high - (len(order) - 1) * gap
    places = [0.0] * len(order)
    for rank, k in enumerate(order):
        places[k] = max(low, min(means[rank], top)) + rank * gap
    return places


def can_be_labelled(table: pl.DataFrame, colour: str | None, height: float = HEIGHT) -> bool:
    """Whether the series are several and few enough for labels of their own beside the plot."""
    if colour is None:
        return False
    count = table[colour].n_unique()
    return 1 < count <= min(len(SHAPES), int(height // GAP))


def end_labels(
    table: pl.DataFrame, x: str, y: str, colour: str, by: dict[str, Any], ends: Sequence[float], title: str
) -> list[alt.Chart]:
    """Each series' symbol and name right of the plot, level with its last point or as near as the others let it be.

    `ends` are those of the upright axis, which is `HEIGHT` high.
    """
    last = table.drop_nulls(y).sort(x).group_by(colour, maintain_order=True).last()
    size = (ends[1] - ends[0]) / HEIGHT  # of a pixel
    places = apart(last[y].cast(pl.Float64).to_list(), GAP * size, ends[0], ends[1])
    names = pl.Series("_name", [name_of(value, title) for value in last[colour]])
    labels = last.select(colour, pl.Series(y, places), names)
    base = alt.Chart(labels).encode(x=alt.value("width"), y=alt.Y(f"{y}:Q"))
    symbol = base.mark_point(filled=True, size=60, opacity=1, xOffset=14).encode(**by)
    words = base.mark_text(align="left", dx=22, fontSize=LABEL, color=LIGHT["ink"]).encode(text="_name:N")
    return [symbol, words]


def row_labels(
    table: pl.DataFrame, category: str, rows: Sequence[Any], colour: str, offset: dict[str, Any], end: str, title: str
) -> list[alt.Chart]:
    """The name of each series right of its mark, which ends at `end`, in the first row that has all of them.

    Nothing if there is no such row.
    """
    count = table[colour].n_unique()
    for row in rows:
        own = table.filter(pl.col(category).cast(pl.String) == str(row)).drop_nulls(end)
        if own[colour].n_unique() == count:
            named = own.with_columns(pl.Series("_name", [name_of(value, title) for value in own[colour]]))
            words = alt.Chart(named).mark_text(align="left", dx=9, fontSize=LABEL - 1, color=LIGHT["ink"])
            upright = alt.Y(f"{category}:N", sort=list(rows))
            return [words.encode(x=alt.X(f"{end}:Q"), y=upright, text="_name:N", **offset)]
    return []

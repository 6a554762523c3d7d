"""Charts in words, computed from their tables: what a screen reader says, and what stands in place of a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from tkg.metrics.words import listed, percent

SERIES = 3  # up to as many are told one by one


def titled(name: str, titles: dict[str, str] | None) -> str:
    return (titles or {}).get(name, name.replace("_", " "))


def name_of(value: Any, title: str) -> str:
    """What a value is called where it stands alone: a word as it is, a number with what it counts, `seat 2`."""
    text = f"{value:g}" if isinstance(value, float) else str(value)
    said = isinstance(value, str) and not value.isdigit()
    return text if said or not title else f"{title} {text}"


def number(value: float, is_share: bool, digits: int = 4) -> str:
    """A share in percent, any other number to a few digits, with a real minus sign."""
    return (percent(value) if is_share else f"{value:z,.{digits}g}").replace("-", "\u2212")


def with_ends(row: dict[str, Any], value: str, is_share: bool, ends: tuple[str, str] = ("low", "high")) -> str:
    """`96% (93% to 97%)`, without the interval where there is none."""
    told = number(row[value], is_share)
    low, high = (row.get(end) for end in ends)
    return told if low is None or high is None else f"{told} ({number(low, is_share)} to {number(high, is_share)})"


def place(row: dict[str, Any], keys: Sequence[str]) -> str:
    """`supply 21, greedy`."""
    return ", ".join(name_of(row[key], key.replace("_", " ")) for key in keys)


def extremes(
    table: pl.DataFrame, value: str, keys: Sequence[str], is_share: bool, ends: tuple[str, str] = ("low", "high")
) -> str:
    """`highest 96% (93% to 97%) at supply 21, lowest 0% (0% to 1%) at supply 3`; of equal rows the first is named."""
    rows = table.drop_nulls(value)
    if rows.is_empty():
        return "no values"
    least, most = (rows.row(int(k), named=True) for k in (rows[value].arg_min() or 0, rows[value].arg_max() or 0))
    if len(rows) == 1:
        return f"{with_ends(most, value, is_share, ends)} at {place(most, keys)}"
    if least[value] == most[value]:
        return f"{number(most[value], is_share)} throughout"
    return (
        f"highest {with_ends(most, value, is_share, ends)} at {place(most, keys)}, "
        f"lowest {with_ends(least, value, is_share, ends)} at {place(least, keys)}"
    )


def described(
    form: str,
    table: pl.DataFrame,
    value: str,
    keys: Sequence[str],
    *,
    colour: str | None = None,
    titles: dict[str, str] | None = None,
    is_share: bool = True,
    ends: tuple[str, str] = ("low", "high"),
    caption: str = "",
) -> str:
    """What a chart shows: its form, what is measured by what, the extremes (of every series, if they are few), the caption."""
    axes = [name for name in (titled(key, titles) for key in (*keys, *([colour] if colour else []))) if name]
    head = f"{form}: {titled(value, titles)}{f' by {listed(axes)}' if axes else ''}."
    series = table[colour].unique(maintain_order=True).to_list() if colour else []
    if colour and 1 < len(series) <= SERIES:
        parts = [
            f"{place({colour: one}, [colour])}: "
            f"{extremes(table.filter(pl.col(colour) == one), value, keys, is_share, ends)}"
            for one in series
        ]
        body = "; ".join(parts)
    else:
        body = upper(extremes(table, value, [*keys, *([colour] if colour else [])], is_share, ends))
    return " ".join([head, f"{body}.", *([f"{upper(caption)}."] if caption else [])])


def upper(text: str) -> str:
    """A sentence's first letter made large, the rest left alone."""
    return text[:1].upper() + text[1:]

"""Numbers in words, for sentences that are computed from small tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

MOST_DIGITS = 6


def percent(share: float) -> str:
    """A share in words, never rounded to an end that it does not reach."""
    text = f"{share * 100:.1f}".removesuffix(".0")
    if text == "0" and share > 0:
        return "under 0.1%"
    if text == "100" and share < 1:
        return "over 99.9%"
    return f"{text}%"


def with_interval(row: dict[str, Any], value: str = "share") -> str:
    """`74% (72% to 76%)`."""
    if row["low"] is None:
        return f"{percent(row[value])} (one game)"
    return f"{percent(row[value])} ({percent(row['low'])} to {percent(row['high'])})"


def listed(words: Sequence[str]) -> str:
    """`a, b and c`."""
    found = list(words)
    return found[0] if len(found) == 1 else ", ".join(found[:-1]) + " and " + found[-1]


def duration(ms: float) -> str:
    """Milliseconds in the unit in which they are read best, to two digits."""
    unit, size = next(((u, s) for u, s in (("s", 1000.0), ("ms", 1.0)) if ms >= s), ("\u00b5s", 0.001))
    return f"{float(f'{ms / size:.2g}'):g} {unit}"


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of text as lines, columns below each other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]


def digits_for(half: float | None) -> int:
    """Decimals that show two digits of half an interval."""
    if not half or not math.isfinite(half):
        return 1
    return min(MOST_DIGITS, max(0, 1 - math.floor(math.log10(half))))

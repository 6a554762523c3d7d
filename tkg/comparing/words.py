"""Amounts and differences in words, to as many digits as their intervals bear."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tkg.metrics.words import digits_for

MINUS = "\u2212"


def amount(value: float, is_share: bool, digits: int = 1) -> str:
    """`39.2%` or `17.3`."""
    text = f"{100 * value:.1f}%" if is_share else f"{value:,.{digits}f}"
    return text.replace("-", MINUS)


def signed(value: float, is_share: bool, digits: int = 1) -> str:
    """`+26.0` points, or `+3.2` of what is counted; no sign for what is nothing when rounded."""
    text = f"{100 * value:+.1f}" if is_share else f"{value:+,.{digits}f}"
    return text.lstrip("+-") if not any(d in "123456789" for d in text) else text.replace("-", MINUS)


def side_words(row: Mapping[str, Any], side: str) -> str:
    """A side's value with its interval: `39.2% (31.0% to 48.0%)`."""
    value, low, high = (row[name] for name in (side, f"{side}_low", f"{side}_high"))
    if value is None:
        return "-"
    is_share = row["unit"] == "share"
    if low is None:
        return amount(value, is_share)
    digits = digits_for((high - low) / 2)
    return f"{amount(value, is_share, digits)} ({amount(low, is_share, digits)} to {amount(high, is_share, digits)})"


def difference_words(row: Mapping[str, Any], interval: bool = True) -> str:
    """A difference with its interval: `+26.0 points (22.1 to 30.0)`, or `+3.2 (+2.8 to +3.6)` of what is counted."""
    if row["difference"] is None:
        return "-"
    is_share = row["unit"] == "share"
    digits = digits_for((row["high"] - row["low"]) / 2)
    value, low, high = (signed(row[name], is_share, digits) for name in ("difference", "low", "high"))
    words = f"{value} points" if is_share else value
    return f"{words} ({low} to {high})" if interval else words


def p_words(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.2g}" if p < 1 else "1"


def margin_words(margin: float) -> str:
    """Up to which differences do not matter."""
    return f"{100 * margin:g} points of a share, {100 * margin:g}% or {2 * margin:g} standard deviations of games of a number"


def rounded_up(games: float) -> str:
    """A number of games to two digits, never fewer."""
    if games < 100:
        return str(math.ceil(games))
    unit = 10 ** (math.floor(math.log10(games)) - 1)
    return f"{math.ceil(games / unit) * unit:,}"

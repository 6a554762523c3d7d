"""Every measure of a run by name: what `tkg simulate` prints."""

from __future__ import annotations

from typing import Any

import polars as pl

from tkg.metrics.process import choice_share, numbers, options_per_decision
from tkg.metrics.shares import Table, share

Measure = dict[str, float | int | None]


def measure(row: dict[str, Any], mean: str) -> Measure:
    return {"mean": row[mean], "low": row["low"], "high": row["high"], "n": row["games"]}


def measures(frame: Table, rules: Any, contest: bool = False, seats: int = 1) -> dict[str, Measure]:
    """Measures by name, each `{mean, low, high, n}` with n games behind it.

    Fields of the game's result (truth values as shares) and its extras, `decisions`, `options/KIND`, `choices/KIND` (the share of
    decisions with more than one option), `win`; with several seats `win/SEAT`, and fields by seat as `points/1`; with
    several bots `win/BOT`, and in a contest `contest/BOT` (which add up to 1) and every field by bot. The ends of an
    interval are None where a single game tells of no spread.
    """
    found: dict[str, Measure] = {}
    dtypes = {name: rules.RESULT.fields[name][0].base for name in rules.RESULT.names}
    truths = [name for name, dtype in dtypes.items() if dtype.kind == "b"]
    others = [name for name, dtype in dtypes.items() if dtype.kind != "b"] + list(rules.EXTRAS)
    several_bots = frame.lazy().select(pl.col("bot").n_unique()).collect().item() > 1
    if contest:
        for row in share(frame, "contest", "bot", total=True).iter_rows(named=True):
            found[f"contest/{row['bot']}"] = measure(row, "share")
    if several_bots:
        for row in share(frame, "win", "bot").iter_rows(named=True):
            found[f"win/{row['bot']}"] = measure(row, "share")
    if seats > 1:
        for row in share(frame, "win", "seat").iter_rows(named=True):
            found[f"win/{row['seat']}"] = measure(row, "share")
    for name in truths:
        split = "bot" if contest else "seat" if name in rules.BY_SEAT else None
        if name == "win" and several_bots:
            continue
        for row in share(frame, name, split).iter_rows(named=True):
            found[f"{name}/{row[split]}" if split else name] = measure(row, "share")
    for name in others:
        split = "bot" if contest else "seat" if name in rules.BY_SEAT else None
        for row in numbers(frame, [name], split, quantiles=()).iter_rows(named=True):
            found[f"{name}/{row[split]}" if split else name] = measure(row, "mean")
    for row in numbers(frame, ["decisions"], quantiles=()).iter_rows(named=True):
        found["decisions"] = measure(row, "mean")
    for row in options_per_decision(frame).iter_rows(named=True):
        found[f"options/{row['kind']}"] = measure(row, "options")
    for row in choice_share(frame).iter_rows(named=True):
        found[f"choices/{row['kind']}"] = measure(row, "share")
    return found

"""Every measure of a run by name: what `tkg simulate` prints."""

from __future__ import annotations

from typing import Any

import polars as pl

from tkg.metrics.process import choice_share, numbers, options_per_decision
from tkg.metrics.shares import Table, share

Measure = dict[str, float | int | None]


def measure(row: dict[str, Any], mean: str) -> Measure:
    return {"mean": row[mean], "low": row["low"], "high": row["high"], "n": row["games"]}


def unfinished_games(frame: Table) -> int:
    """How many games were stopped before they were over; none in a game that always ends."""
    lazy = frame.lazy()
    if "ending" not in lazy.collect_schema().names():
        return 0
    stopped = (pl.col("seat") == 1) & (pl.col("ending").cast(pl.String) == "unfinished")
    return int(lazy.filter(stopped).select(pl.len()).collect().item())


def measures(frame: Table, rules: Any, contest: bool = False, seats: int = 1) -> dict[str, Measure]:
    """Measures by name, each `{mean, low, high, n}` with n games behind it.

    Fields of the game's result and its extras (truth values as shares, endings as `ending/KIND`), `decisions`,
    `options/KIND`, `choices/KIND` (the share of decisions with more than one option), `win`; with several seats
    `win/SEAT`, `win_shared`, and fields by seat as `points/1`; with several bots `win/BOT`, and in a contest
    `contest/BOT` and every field by bot. `win/SEAT`, `win/BOT` of a game of several seats and `contest/BOT` add up to 1.
    The ends of an interval are None where a single game tells of no spread.
    """
    found: dict[str, Measure] = {}
    lazy = frame.lazy()
    whole = lazy.filter(pl.col("seat") == 1) if seats > 1 else lazy  # what all seats of a game have in common
    several_bots = lazy.select(pl.col("bot").n_unique()).collect().item() > 1

    def shares(column: str, source: Table, split: str | None, name: str, total: bool = False) -> None:
        for row in share(source, column, split, total).iter_rows(named=True):
            found[f"{name}/{row[split]}" if split else name] = measure(row, "share")

    if contest:
        shares("contest", lazy, "bot", "contest", total=True)
    if several_bots:
        shares("win", lazy, "bot", "win", total=seats > 1)
    if seats > 1:
        shares("win", lazy, "seat", "win")
        shares("win_shared", whole, None, "win_shared")
    elif not several_bots:
        shares("win", lazy, None, "win")
    for name in rules.RESULT.names:
        by_seat = name in rules.BY_SEAT
        split = "bot" if contest else "seat" if by_seat else None
        if name in ("win", "winners", *rules.MASKS) or (by_seat and name in rules.WORDS):
            continue
        if name in rules.WORDS:
            for word in filter(None, rules.WORDS[name]):
                is_word = whole.with_columns((pl.col(name) == word).alias("_is"))
                shares("_is", is_word, None, f"{name}/{word}")
        elif rules.RESULT.fields[name][0].base.kind == "b":
            shares(name, lazy if by_seat else whole, split, name)
        else:
            for row in numbers(lazy if by_seat else whole, [name], split, quantiles=()).iter_rows(named=True):
                found[f"{name}/{row[split]}" if split else name] = measure(row, "mean")
    for row in numbers(whole, ["decisions"], quantiles=()).iter_rows(named=True):
        found["decisions"] = measure(row, "mean")
    for row in options_per_decision(whole).iter_rows(named=True):
        found[f"options/{row['kind']}"] = measure(row, "options")
    for row in choice_share(whole).iter_rows(named=True):
        found[f"choices/{row['kind']}"] = measure(row, "share")
    return found

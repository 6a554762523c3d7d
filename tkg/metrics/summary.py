"""Every measure of a run by name: what `tkg simulate` prints."""

from __future__ import annotations

from typing import Any

import polars as pl

from tkg.metrics.process import choice_share, numbers, options_per_decision
from tkg.metrics.shares import Table, share, shares
from tkg.metrics.sums import value_of

Measure = dict[str, float | int | None]


def measure(row: dict[str, Any], mean: str) -> Measure:
    return {"mean": row[mean], "low": row["low"], "high": row["high"], "n": row["games"]}


def measured(name: str, table: pl.DataFrame, split: str | None = None, mean: str = "share") -> dict[str, Measure]:
    """The rows of a small table as measures, `NAME/VALUE` where `split` tells them apart."""
    return {f"{name}/{row[split]}" if split else name: measure(row, mean) for row in table.iter_rows(named=True)}


def unfinished_games(frame: Table) -> int:
    """How many games were stopped before they were over; none in a game that always ends."""
    lazy = frame.lazy()
    if "ending" not in lazy.collect_schema().names():
        return 0
    stopped = (pl.col("seat") == 1) & (pl.col("ending").cast(pl.String) == "unfinished")
    return int(value_of(lazy, stopped.sum()))


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
    several_bots = value_of(lazy, pl.col("bot").n_unique()) > 1
    if contest:
        found |= measured("contest", share(lazy, "contest", "bot", total=True), "bot")
    if several_bots:
        found |= measured("win", share(lazy, "win", "bot", total=seats > 1), "bot")
    if seats > 1:
        found |= measured("win", share(lazy, "win", "seat"), "seat")
        found |= measured("win_shared", share(whole, "win_shared"))
    elif not several_bots:
        found |= measured("win", share(lazy, "win"))
    told = {**measured_by_seat(lazy, rules, contest), **measured_by_game(whole, rules, contest)}
    for name in rules.RESULT.names:
        found |= told.get(name, {})
    found |= measured("decisions", numbers(whole, ["decisions"], quantiles=()), mean="mean")
    found |= measured("options", options_per_decision(whole), "kind", "options")
    found |= measured("choices", choice_share(whole), "kind")
    return found


def measured_by_seat(lazy: pl.LazyFrame, rules: Any, contest: bool) -> dict[str, dict[str, Measure]]:
    """The measures of each field of which every seat has its own, words aside."""
    names = [name for name in fields(rules) if name in rules.BY_SEAT and name not in rules.WORDS]
    return measured_fields(lazy, names, rules, "bot" if contest else "seat")


def measured_by_game(whole: pl.LazyFrame, rules: Any, contest: bool) -> dict[str, dict[str, Measure]]:
    """The measures of each field that all seats of a game have in common."""
    names = [name for name in fields(rules) if name not in rules.BY_SEAT]
    plain = [name for name in names if name not in rules.WORDS]
    found = measured_fields(whole, plain, rules, "bot" if contest else None)
    for name in names:
        if name in rules.WORDS:
            kinds = {f"{name}/{word}": pl.col(name) == word for word in rules.WORDS[name] if word}
            tables = shares(whole.with_columns(**kinds), list(kinds))
            found[name] = {kind: measured(kind, table)[kind] for kind, table in tables.items()}
    return found


def fields(rules: Any) -> list[str]:
    """The fields of a game's result that can be measured; sets of cells, and what is told by `win`, cannot."""
    return [name for name in rules.RESULT.names if name not in ("win", "winners", *rules.MASKS)]


def measured_fields(
    frame: pl.LazyFrame, names: list[str], rules: Any, split: str | None
) -> dict[str, dict[str, Measure]]:
    """The measures of truth values and of numbers, by field."""
    truths = [name for name in names if rules.RESULT.fields[name][0].base.kind == "b"]
    amounts = [name for name in names if name not in truths]
    found: dict[str, dict[str, Measure]] = {}
    if truths:
        found |= {name: measured(name, table, split) for name, table in shares(frame, truths, split).items()}
    if amounts:
        tables = numbers(frame, amounts, split, quantiles=()).partition_by("number", as_dict=True)
        found |= {str(name): measured(str(name), table, split, "mean") for (name,), table in tables.items()}
    return found

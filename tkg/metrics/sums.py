"""Sums over tables of games of any length.

A study of a hundred million rows does not fit in memory game by game, but what is measured of it are sums over games:
the table is taken in slices of whole games, and the sums are added up. Sums of whole numbers are exact below 2^53, so
they do not depend on how a table is sliced; those of other numbers, such as victories shared by three, may differ
in their last bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import polars as pl

from tkg.rules.errors import Refused

SLICE_ROWS = 4_000_000  # rows of which games or deals are gathered at once: some hundred MB
BINS = 1024  # parts of a column's range that are counted to find where slices end


def columns_of(by: str | Sequence[str] | None) -> list[str]:
    """The columns to tell apart, as a list."""
    return [] if by is None else [by] if isinstance(by, str) else list(by)


def need(frame: pl.DataFrame | pl.LazyFrame, columns: Sequence[str]) -> pl.LazyFrame:
    """The table as a lazy one; columns that it lacks are refused by name."""
    lazy = frame.lazy()
    names = lazy.collect_schema().names()
    missing = [c for c in columns if c not in names]
    if missing:
        raise Refused(f"the table has no column {missing[0]!r}; it has {', '.join(names)}")
    return lazy


def check_numbers(lazy: pl.LazyFrame, columns: Sequence[str], word: str = "column") -> None:
    """Refuse columns that hold neither numbers nor truth values."""
    schema = lazy.collect_schema()
    for name in columns:
        kind = schema[name]
        if not (kind.is_numeric() or kind in (pl.Boolean, pl.Null)):
            raise Refused(f"{word}={name!r}: a column of numbers or truth values is needed, not of {kind}")


def unique(names: Sequence[str]) -> list[str]:
    """The names, each once."""
    return list(dict.fromkeys(names))


def value_of(lazy: pl.LazyFrame, value: pl.Expr) -> Any:
    """A single value of a table, found without holding its columns in memory."""
    return lazy.select(value).collect(engine="streaming").item()


def grouped(lazy: pl.LazyFrame, by: list[str], sums: list[pl.Expr]) -> pl.DataFrame:
    """A row for every combination of `by`, in sorted order; one row if there is nothing to tell apart."""
    if not by:
        return lazy.select(sums).collect(engine="streaming")
    return lazy.group_by(by).agg(sums).sort(by).collect(engine="streaming")


def slices(lazy: pl.LazyFrame, column: str = "game") -> list[pl.LazyFrame]:
    """The table in slices of about `SLICE_ROWS` rows, by ranges of a column: rows in which it is equal stay together.

    Where the column rises along the table's files, as `game` does, a slice reads little more than its own part of them. A
    short table is one slice, and so is one whose column holds no whole numbers or has gaps.
    """
    if not lazy.collect_schema()[column].is_integer():
        return [lazy]
    value = pl.col(column).cast(pl.Int64)
    about = [pl.len(), value.count().alias("known"), value.min().alias("low"), value.max().alias("high")]
    rows, known, low, high = lazy.select(about).collect(engine="streaming").row(0)
    if rows <= SLICE_ROWS or known < rows:
        return [lazy]
    width = (high - low) // BINS + 1
    sizes = grouped(lazy.select(((value - low) // width).alias("bin")), ["bin"], [pl.len()])
    ends, held = [low], 0
    for place, size in sizes.iter_rows():
        if held and held + size > SLICE_ROWS:
            ends.append(low + place * width)
            held = 0
        held += size
    inside = [pl.col(column).is_between(first, end, closed="left") for first, end in pairwise([*ends, high + 1])]
    return [lazy.filter(part) for part in inside]


def added(parts: Sequence[pl.DataFrame], by: list[str]) -> pl.DataFrame:
    """The sums of all parts, as `grouped` gives them for one."""
    if len(parts) == 1:
        return parts[0]
    return grouped(pl.concat(parts).lazy(), by, [pl.exclude(by).sum() if by else pl.all().sum()])


def one_seat(lazy: pl.LazyFrame) -> bool:
    """Whether only one seat plays, so that rows are games."""
    return bool(value_of(lazy, pl.col("seat").n_unique()) == 1)


def games_of(lazy: pl.LazyFrame, by: list[str], columns: Sequence[str], total: bool = False) -> list[pl.LazyFrame]:
    """Slices with a row for every game (and combination of `by`) and the means of `columns`, or their totals.

    Where only one seat plays, rows are games already and nothing has to be gathered, whatever their number.
    """
    check_numbers(lazy, columns)
    values = [pl.col(c).cast(pl.Float64) for c in unique(columns)]
    if one_seat(lazy):
        return [lazy.select(*(pl.col(c) for c in by), *(v for v in values if v.meta.output_name() not in by))]
    gathered = [v.sum() if total else v.mean() for v in values]
    return [part.group_by(unique(["run", "game", *by])).agg(gathered) for part in slices(lazy)]


def over_games(games: list[pl.LazyFrame], by: list[str], sums: list[pl.Expr]) -> pl.DataFrame:
    """Sums, counts among them, over all games that `games_of` gives: a row for every combination of `by`, sorted."""
    return added([grouped(part, by, sums) for part in games], by)


def moments(column: str) -> list[pl.Expr]:
    """What is summed to know a column's mean and spread: how often it is known, its sum, and that of its square."""
    x = pl.col(column).cast(pl.Float64)
    return [
        x.count().alias(f"{column}_known"),
        x.sum().alias(f"{column}_sum"),
        (x * x).sum().alias(f"{column}_squares"),
    ]


def mean_of(column: str) -> pl.Expr:
    """The mean of a column from its `moments`; null where it is nowhere known."""
    known = pl.col(f"{column}_known")
    return pl.when(known > 0).then(pl.col(f"{column}_sum") / known)


def standard_error(column: str, n: str) -> pl.Expr:
    """The standard error of a mean from the `moments` of a column over `n` games; null for one game."""
    games = pl.col(n).cast(pl.Float64)
    squares = (pl.col(f"{column}_squares") - pl.col(f"{column}_sum") ** 2 / games).clip(lower_bound=0)
    return pl.when(games > 1).then((squares / (games - 1) / games).sqrt())


def quantiles_of(games: list[pl.LazyFrame], by: list[str], column: str, quantiles: Sequence[float]) -> pl.DataFrame:
    """Quantiles of a column, a row for every combination of `by` in which it is known: columns `by`, and `q5` of 0.05.

    A quantile q of n values is the one at place (n - 1) q from 0, rounded. How often each value comes is counted, so
    memory is needed for different values, not for games.
    """
    counts = over_games([part.drop_nulls(column) for part in games], unique([*by, column]), [pl.len().alias("_times")])
    reached, n = pl.col("_times").cum_sum(), pl.col("_times").sum()
    marks = [
        pl.col(column).filter(reached > ((n - 1) * q + 0.5).floor()).first().alias(f"q{q * 100:.0f}") for q in quantiles
    ]
    return counts.group_by(by, maintain_order=True).agg(marks) if by else counts.select(marks)

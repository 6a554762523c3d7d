"""Intervals at 95%."""

from __future__ import annotations

import math
from collections.abc import Sequence

import polars as pl
from scipy import special  # scipy.stats would cost every command line a second

from tkg.rules.errors import Refused

LEVEL = 0.95


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


def grouped(lazy: pl.LazyFrame, by: list[str], sums: list[pl.Expr]) -> pl.DataFrame:
    """A row for every combination of `by`, in sorted order; one row if there is nothing to tell apart."""
    if not by:
        return lazy.select(sums).collect(engine="streaming")
    return lazy.group_by(by).agg(sums).sort(by).collect(engine="streaming")


def with_wilson(table: pl.DataFrame, successes: str, n: str) -> pl.DataFrame:
    """The table with `share` and the ends of Wilson's score interval from two columns of counts.

    Wilson (1927), "Probable inference, the law of succession, and statistical inference", JASA 22, 209-212.
    """
    z2 = float(special.ndtri(0.5 + LEVEL / 2)) ** 2
    k, m = pl.col(successes).cast(pl.Float64), pl.col(n).cast(pl.Float64)
    centre = (k + z2 / 2) / (m + z2)
    half = (z2 * (k * (m - k) / m + z2 / 4)).sqrt() / (m + z2)
    return table.with_columns(
        (k / m).alias("share"),
        pl.when(k == 0).then(0.0).otherwise(centre - half).alias("low"),
        pl.when(k == m).then(1.0).otherwise(centre + half).alias("high"),
    )


def half_width(se: float | None, n: int) -> float:
    """Half of Student's interval for a mean of `n` games with standard error `se`; infinite for one game."""
    if n < 2 or se is None:
        return math.inf
    return float(special.stdtrit(n - 1, 0.5 + LEVEL / 2)) * se


def with_t(table: pl.DataFrame, centre: str, se: str, n: str) -> pl.DataFrame:
    """The table with `low` and `high` round a column of means."""
    half = pl.Series([half_width(s, m) for s, m in table.select(se, n).iter_rows()], dtype=pl.Float64)
    return table.with_columns((pl.col(centre) - half).alias("low"), (pl.col(centre) + half).alias("high"))


def standard_error(column: str) -> pl.Expr:
    return pl.col(column).cast(pl.Float64).std() / pl.len().sqrt()


def ratio_table(lazy: pl.LazyFrame, by: list[str], top: str, bottom: str, name: str) -> pl.DataFrame:
    """Sum of `top` over sum of `bottom`, with the delta method over games (Cochran 1977, Sampling Techniques, 6.3)."""
    x, y = pl.col(top).cast(pl.Float64), pl.col(bottom).cast(pl.Float64)
    sums = [pl.len().alias("games"), y.sum().alias("of"), x.sum().alias("_x")]
    sums += [(x * x).sum().alias("_xx"), (x * y).sum().alias("_xy"), (y * y).sum().alias("_yy")]
    table = grouped(lazy, by, sums)
    r = pl.col("_x") / pl.col("of")
    spread = (pl.col("_xx") - 2 * r * pl.col("_xy") + r * r * pl.col("_yy")).clip(lower_bound=0)
    table = table.with_columns(
        r.alias(name), (spread * pl.col("games") / (pl.col("games") - 1)).sqrt().truediv(pl.col("of")).alias("se")
    )
    return with_t(table, name, "se", "games").drop("_x", "_xx", "_xy", "_yy")

"""Intervals at 95%."""

from __future__ import annotations

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


def half_width(se: float | None, n: int) -> float | None:
    """Half of Student's interval for a mean of `n` games with standard error `se`; None for one game."""
    if n < 2 or se is None:
        return None
    return float(special.stdtrit(n - 1, 0.5 + LEVEL / 2)) * se


def with_t(table: pl.DataFrame, centre: str, se: str, n: str) -> pl.DataFrame:
    """The table with `low` and `high` round a column of means; null where one game tells of no spread."""
    half = pl.Series([half_width(s, m) for s, m in table.select(se, n).iter_rows()], dtype=pl.Float64)
    low = pl.col(centre) - half + 0.0  # no negative zero
    return table.with_columns(low.alias("low"), (pl.col(centre) + half).alias("high"))


def standard_error(column: str) -> pl.Expr:
    """The standard error of a mean, from sums: those of whole numbers are exact, in whatever order rows come."""
    x, n = pl.col(column).cast(pl.Float64), pl.len().cast(pl.Float64)
    squares = ((x * x).sum() - x.sum() ** 2 / n).clip(lower_bound=0)
    return pl.when(n > 1).then((squares / (n - 1) / n).sqrt())


def per_game(lazy: pl.LazyFrame, by: list[str], columns: Sequence[str], total: bool = False) -> pl.LazyFrame:
    """A row for every game (and combination of `by`) with the means of `columns`, or with their totals.

    Where only one seat plays, rows are games already and nothing has to be gathered, whatever their number.
    """
    values = [pl.col(c).cast(pl.Float64) for c in columns]
    if lazy.select(pl.col("seat").n_unique() == 1).collect(engine="streaming").item():
        return lazy.select(*(pl.col(c) for c in by), *(v for v in values if v.meta.output_name() not in by))
    return lazy.group_by(["run", "game", *by]).agg([v.sum() if total else v.mean() for v in values])


def ratio_table(lazy: pl.LazyFrame, by: list[str], top: str, bottom: str, name: str) -> pl.DataFrame:
    """Sum of `top` over sum of `bottom`, with the delta method over games (Cochran 1977, Sampling Techniques, 6.3)."""
    x, y = pl.col(top), pl.col(bottom)
    sums = [pl.len().alias("games"), y.sum().alias("of"), x.sum().alias("_x")]
    sums += [(x * x).sum().alias("_xx"), (x * y).sum().alias("_xy"), (y * y).sum().alias("_yy")]
    table = grouped(per_game(lazy, by, [top, bottom]), by, sums).filter(pl.col("of") > 0)
    r = pl.col("_x") / pl.col("of")
    spread = (pl.col("_xx") - 2 * r * pl.col("_xy") + r * r * pl.col("_yy")).clip(lower_bound=0)
    se = (spread * pl.col("games") / (pl.col("games") - 1).cast(pl.Float64)).sqrt() / pl.col("of")
    table = table.with_columns(r.alias(name), pl.when(pl.col("games") > 1).then(se).alias("se"))
    return with_t(table, name, "se", "games").drop("_x", "_xx", "_xy", "_yy")


def with_paired(table: pl.DataFrame) -> pl.DataFrame:
    """The table with `low` and `high` for differences of two shares over common deals, from `deals`, `_more`, `_less`.

    Half a deal is added to each of the four ways in which a pair can come out, so that no pair that differs does not
    look like certainty (Agresti and Min 2005, "Simple improved confidence intervals for comparing matched
    proportions", Statistics in Medicine 24, 729-740).
    """
    z = float(special.ndtri(0.5 + LEVEL / 2))
    more, less, n = pl.col("_more") + 0.5, pl.col("_less") + 0.5, pl.col("deals") + 2.0
    centre = (more - less) / n
    half = z * (more + less - (more - less) ** 2 / n).sqrt() / n
    return table.with_columns((centre - half).alias("low"), (centre + half).alias("high"))

"""How games go: points, pools and lengths with quantiles, decisions and their options."""

from __future__ import annotations

import math
from collections.abc import Sequence

import polars as pl

from tkg.metrics.intervals import columns_of, grouped, need, per_game, ratio_table, standard_error, with_t, with_wilson
from tkg.metrics.shares import Table
from tkg.rules.errors import Refused

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def numbers(
    frame: Table, columns: Sequence[str], by: str | Sequence[str] | None = None, quantiles: Sequence[float] = QUANTILES
) -> pl.DataFrame:
    """Mean, standard error, interval and quantiles of columns: a row for every column and combination of `by`.

    Columns `number`, `by`, `games`, `mean`, `se`, `low`, `high`, `q5`, `q25`, `q50`, `q75`, `q95` (of games; exact, so
    they need a column of the table in memory, and none need be asked for).
    """
    keys = columns_of(by)
    games = per_game(need(frame, [*keys, *columns, "run", "game", "seat"]), keys, columns)
    tables = []
    for name in columns:
        marks = [pl.col(name).quantile(q, "nearest").alias(f"q{q * 100:.0f}") for q in quantiles]
        found = [pl.len().alias("games"), pl.col(name).mean().alias("mean"), standard_error(name).alias("se"), *marks]
        table = with_t(grouped(games, keys, found), "mean", "se", "games")
        order = [*keys, "games", "mean", "se", "low", "high", *(f"q{q * 100:.0f}" for q in quantiles)]
        tables.append(table.select(pl.lit(name).alias("number"), *order))
    return pl.concat(tables)


def ratio(frame: Table, top: str, bottom: str, by: str | Sequence[str] | None = None) -> pl.DataFrame:
    """The sum of one column over that of another, such as flowers gained for every flower spent, by `by`.

    Columns `by`, `games`, `of` (the sum of `bottom`), `ratio`, `se`, `low`, `high` (delta method over games).
    """
    keys = columns_of(by)
    lazy = need(frame, [*keys, top, bottom, "run", "game", "seat"])
    return ratio_table(lazy, keys, top, bottom, "ratio").select(*keys, "games", "of", "ratio", "se", "low", "high")


def cell_shares(frame: Table, column: str, cells: Sequence[str]) -> pl.DataFrame:
    """The share of games in which a cell belongs to the set that `column` holds as bits, such as an alignment's.

    The table holds whole games of one variant, at least one; `cells` are the names of a square's cells in reading
    order, the lowest bit first. Columns `cell`, `row`, `column` (from 1), `games`, `count`, `share`, `low`, `high`.
    """
    lazy = need(frame, [column, "seat"]).filter(pl.col("seat") == 1)
    found = [((pl.col(column).cast(pl.Int64) // (1 << c)) % 2).sum().alias(cell) for c, cell in enumerate(cells)]
    sums = lazy.select(pl.len().alias("games"), *found).collect(engine="streaming")
    if not sums["games"].item():
        raise Refused(f"{column}: the table has no games")
    side = math.isqrt(len(cells))
    table = pl.DataFrame(
        {
            "cell": list(cells),
            "row": [c // side + 1 for c in range(len(cells))],
            "column": [c % side + 1 for c in range(len(cells))],
            "games": [sums["games"].item()] * len(cells),
            "count": [sums[cell].item() for cell in cells],
        }
    )
    return with_wilson(table, "count", "games")


def kinds_of(frame: Table) -> list[str]:
    """The kinds of decision that the table tells apart."""
    names = frame.lazy().collect_schema().names()
    return [name.removeprefix("decisions_") for name in names if name.startswith("decisions_")]


def by_kind(frame: Table, by: str | Sequence[str] | None, top: str, name: str) -> pl.DataFrame:
    keys = columns_of(by)
    lazy = need(frame, [*keys, "run", "game", "seat"])
    tables = [
        ratio_table(lazy, keys, f"{top}_{kind}", f"decisions_{kind}", name).select(
            pl.lit(kind).alias("kind"), *keys, "games", pl.col("of").alias("decisions"), name, "se", "low", "high"
        )
        for kind in kinds_of(frame)
    ]
    return pl.concat(tables)


def options_per_decision(frame: Table, by: str | Sequence[str] | None = None) -> pl.DataFrame:
    """Options per decision, single-option decisions included: a row for every kind and combination of `by`.

    Columns `kind`, `by`, `games`, `decisions`, `options`, `se`, `low`, `high`.
    """
    return by_kind(frame, by, "options", "options")


def choice_share(frame: Table, by: str | Sequence[str] | None = None) -> pl.DataFrame:
    """The share of decisions with more than one option: columns as `options_per_decision`, with `share`."""
    return by_kind(frame, by, "choices", "share").with_columns(pl.col("low", "high").clip(0, 1))

"""How games go: points, pools and lengths with quantiles, decisions and their options."""

from __future__ import annotations

import math
from collections.abc import Sequence

import polars as pl

from tkg.metrics.intervals import with_ratio, with_t, with_wilson
from tkg.metrics.shares import Table
from tkg.metrics.sums import (
    columns_of,
    games_of,
    mean_of,
    moments,
    need,
    over_games,
    quantiles_of,
    standard_error,
    unique,
)
from tkg.rules.errors import Refused

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def numbers(
    frame: Table, columns: Sequence[str], by: str | Sequence[str] | None = None, quantiles: Sequence[float] = QUANTILES
) -> pl.DataFrame:
    """Mean, standard error, interval and quantiles of columns: a row for every column and combination of `by`.

    Columns `number`, `by`, `games`, `mean`, `se`, `low`, `high`, `q5`, `q25`, `q50`, `q75`, `q95` (of games; exact, so
    they need every different value of a column in memory, and none need be asked for).
    """
    keys = columns_of(by)
    games = games_of(need(frame, [*keys, *columns, "run", "game", "seat"]), keys, columns)
    sums = over_games(games, keys, [pl.len().alias("_games"), *(s for name in unique(columns) for s in moments(name))])
    tables = []
    for name in columns:
        found = [
            pl.col("_games").alias("games"),
            mean_of(name).alias("mean"),
            standard_error(name, "_games").alias("se"),
        ]
        table = with_t(sums.select(*keys, *found), "mean", "se", "games")
        if quantiles:
            table = beside_each(table, quantiles_of(games, keys, name, quantiles), keys)
        tables.append(table.select(pl.lit(name).alias("number"), pl.all()))
    return pl.concat(tables)


def beside_each(table: pl.DataFrame, other: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """The table with the columns of another that has at most one row for each of its combinations of `keys`."""
    if not keys:
        return pl.concat([table, other], how="horizontal")
    return table.join(other, on=keys, how="left", nulls_equal=True, maintain_order="left")


def ratio(frame: Table, top: str, bottom: str, by: str | Sequence[str] | None = None) -> pl.DataFrame:
    """The sum of one column over that of another, such as flowers gained for every flower spent, by `by`.

    Columns `by`, `games`, `of` (the sum of `bottom`), `ratio`, `se`, `low`, `high` (delta method over games).
    """
    keys = columns_of(by)
    lazy = need(frame, [*keys, top, bottom, "run", "game", "seat"])
    (table,) = ratio_tables(lazy, keys, [(top, bottom)], "ratio")
    return table.select(*keys, "games", "of", "ratio", "se", "low", "high")


def ratio_tables(lazy: pl.LazyFrame, by: list[str], pairs: Sequence[tuple[str, str]], name: str) -> list[pl.DataFrame]:
    """For each pair the sum of its first column over that of its second, as `with_ratio` gives it, by `by`."""
    sums = [pl.len().alias("games")]
    for k, (top, bottom) in enumerate(pairs):
        x, y = pl.col(top), pl.col(bottom)
        for what, value in {"_x": x, "of": y, "_xx": x * x, "_xy": x * y, "_yy": y * y}.items():
            sums.append(value.sum().alias(f"{what}{k}"))
    found = over_games(games_of(lazy, by, [column for pair in pairs for column in pair]), by, sums)
    tables = []
    for k in range(len(pairs)):
        own = [pl.col(f"{what}{k}").alias(what) for what in ("_x", "of", "_xx", "_xy", "_yy")]
        tables.append(with_ratio(found.select(*by, "games", *own).filter(pl.col("of") > 0), name))
    return tables


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
    keys, kinds = columns_of(by), kinds_of(frame)
    pairs = [(f"{top}_{kind}", f"decisions_{kind}") for kind in kinds]
    lazy = need(frame, [*keys, *(column for pair in pairs for column in pair), "run", "game", "seat"])
    order: list[str | pl.Expr] = [*keys, "games", pl.col("of").alias("decisions"), name, "se", "low", "high"]
    tables = ratio_tables(lazy, keys, pairs, name)
    return pl.concat(t.select(pl.lit(kind).alias("kind"), *order) for kind, t in zip(kinds, tables, strict=True))


def options_per_decision(frame: Table, by: str | Sequence[str] | None = None) -> pl.DataFrame:
    """Options per decision, single-option decisions included: a row for every kind and combination of `by`.

    Columns `kind`, `by`, `games`, `decisions`, `options`, `se`, `low`, `high`.
    """
    return by_kind(frame, by, "options", "options")


def choice_share(frame: Table, by: str | Sequence[str] | None = None) -> pl.DataFrame:
    """The share of decisions with more than one option: columns as `options_per_decision`, with `share`."""
    return by_kind(frame, by, "choices", "share").with_columns(pl.col("low", "high").clip(0, 1))

"""Sweeps into memory: every cell with every choice of bots, one table below the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tkg.bulk import Run, count_workers, make_run, simulate
from tkg.rules.errors import Refused
from tkg.rules.knobs import Variant

if TYPE_CHECKING:
    import polars as pl


def in_front(table: Any, labels: Mapping[str, Any]) -> Any:
    """A table, lazy or not, with labels as columns in front; a column of the same name becomes `NAME_result`."""
    import polars as pl

    names = table.collect_schema().names()
    clashing = {name: f"{name}_result" for name in labels if name in names}
    fronts = [pl.lit(value).alias(name) for name, value in labels.items()]
    return table.rename(clashing).select(*fronts, pl.all())


def check_of_one_kind(runs: Sequence[Run]) -> None:
    """Refuse runs whose tables have other columns than those beside them."""
    if len({run.contest for run in runs}) > 1:
        raise Refused("bots: contests and bots that play alone tell of different things; play them apart")


def play_cells(
    cells: Sequence[tuple[Mapping[str, Any], Variant]],
    bots: Sequence[str | Sequence[str]],
    games: int,
    seed: int,
    workers: int | None = None,
    progress: bool = False,
    columns: Sequence[str] | None = None,
) -> pl.DataFrame:
    """Play every cell with every choice of bots on common deals: the tables of all, one below the other.

    A cell is (labels, variant); labels become columns in front, and a field of the result that bears the same name as a
    label becomes `NAME_result`. Cells that come to the same variant are played once.
    `columns` limits what is kept of each table. Contests beside bots that play alone are refused, for their tables have other columns.
    """
    import polars as pl
    from tqdm.auto import tqdm

    runs = [(labels, make_run(variant, names, games, seed)) for labels, variant in cells for names in bots]
    check_of_one_kind([run for _, run in runs])
    played: dict[Any, pl.DataFrame] = {}
    threads = count_workers(workers)
    tables = []
    with tqdm(total=len(runs) * games, unit="game", disable=not progress, desc="study") as bar:
        for labels, run in runs:
            key = (run.variant, run.bots)
            if key not in played:
                table = simulate(run.variant, run.bots, games, seed, workers=threads)
                played[key] = table if columns is None else table.select(columns)
            bar.update(games)
            tables.append(in_front(played[key], labels))
    return pl.concat(tables, how="vertical_relaxed")

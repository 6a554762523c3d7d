"""Sweeps: the same bots on the same deals in many variants, as one table."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tkg.bulk import count_workers, make_run, simulate
from tkg.rules.errors import Refused
from tkg.rules.knobs import Variant

if TYPE_CHECKING:
    import polars as pl


def shown_value(variant: Variant, name: str) -> Any:
    """A knob's value as a table holds it: numbers as they are, all else as text."""
    value = variant[name]
    return value if isinstance(value, int) and not isinstance(value, bool) else declared(variant, name).text(value)


def declared(variant: Variant, name: str) -> Any:
    return next(d for d in variant.rules.DECLARED if d.name == name)


def grid(make: Callable[..., Variant], axes: Mapping[str, Iterable[Any]]) -> list[Variant]:
    """Every combination of the axes' values, the last axis fastest."""
    if not axes:
        raise Refused("a sweep needs at least one axis, such as supply=[9, 12, 15]")
    if not callable(make):
        raise Refused(
            "the first argument of a sweep makes variants: a game's function of tkg, or the `but` of a variant"
        )
    single = (str, int, float, Mapping)
    values = {name: [value] if isinstance(value, single) else list(value) for name, value in axes.items()}
    for name, found in values.items():
        if not found:
            raise Refused(f"{name}: the axis has no values")
    return [make(**dict(zip(values, combination, strict=True))) for combination in itertools.product(*values.values())]


def around(variant: Variant, axes: Mapping[str, Iterable[Any]]) -> list[tuple[str, Variant]]:
    """(axis, variant) for every value of every axis, one at a time, all else as in `variant`."""
    return [(name, variant.but(**{name: value})) for name, values in axes.items() for value in values]


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
    `columns` limits what is kept of each table.
    """
    import polars as pl
    from tqdm.auto import tqdm

    runs = [(labels, make_run(variant, names, games, seed)) for labels, variant in cells for names in bots]
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
            clashing = {name: f"{name}_result" for name in labels if name in played[key].columns}
            fronts = [pl.lit(value).alias(name) for name, value in labels.items()]
            tables.append(played[key].rename(clashing).select(*fronts, pl.all()))
    return pl.concat(tables, how="vertical_relaxed")


def sweep(
    make: Callable[..., Variant],
    *,
    bots: str | Sequence[str] = "random",
    games: int = 1000,
    seed: int = 0,
    workers: int | None = None,
    progress: bool = False,
    **axes: Iterable[Any],
) -> pl.DataFrame:
    """Play every combination of knobs and readings on the same deals: the table of `simulate` with the axes in front.

    An axis that bears the name of a field of the result, such as the Rift's reading `gate`, keeps it; the field
    becomes `gate_result`.

    >>> import tkg
    >>> table = tkg.sweep(tkg.rift, supply=[9, 15], bots="random", games=10, seed=1)
    >>> table.select("supply").unique().to_series().sort().to_list()
    [9, 15]
    """
    cells = [({name: shown_value(v, name) for name in axes}, v) for v in grid(make, axes)]
    return play_cells(cells, [bots], games, seed, workers, progress)

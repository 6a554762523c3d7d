"""Which variants a study plays: every combination of its axes, one axis at a time, or a Latin hypercube."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tkg.rules.errors import Refused, did_you_mean
from tkg.rules.knobs import Variant

DESIGNS = ("grid", "one-at-a-time", "latin")
ALONE = (str, int, float, Mapping)  # what is one value of an axis and no list of them
Labels = dict[str, Any]
Cells = list[tuple[Labels, Variant]]


def shown_value(variant: Variant, name: str) -> Any:
    """A knob's value as a table holds it: numbers as they are, all else as text."""
    value = variant[name]
    return value if isinstance(value, int) and not isinstance(value, bool) else declared(variant, name).text(value)


def declared(variant: Variant, name: str) -> Any:
    """The declaration of a knob or reading, refused if there is none of this name."""
    by_name = {d.name: d for d in variant.rules.DECLARED}
    if name not in by_name:
        raise Refused(
            f"axis {name!r}: {variant.game} has no such knob or reading; it has {', '.join(by_name)}"
            f"{did_you_mean(name, by_name)}"
        )
    return by_name[name]


def values_by_axis(axes: Mapping[str, Iterable[Any]]) -> dict[str, list[Any]]:
    """The values of every axis as lists, refused where there are none."""
    if not axes:
        raise Refused("a sweep needs at least one axis, such as supply=[9, 12, 15]")
    values = {name: [value] if isinstance(value, ALONE) else list(value) for name, value in axes.items()}
    for name, found in values.items():
        if not found:
            raise Refused(f"{name}: the axis has no values")
    return values


def check_maker(make: Callable[..., Variant]) -> None:
    if not callable(make):
        raise Refused(
            "the first argument of a sweep makes variants: a game's function of tkg, or the `but` of a variant"
        )


def grid(make: Callable[..., Variant], axes: Mapping[str, Iterable[Any]]) -> list[Variant]:
    """Every combination of the axes' values, the last axis fastest."""
    check_maker(make)
    values = values_by_axis(axes)
    return [make(**dict(zip(values, combination, strict=True))) for combination in itertools.product(*values.values())]


def around(variant: Variant, axes: Mapping[str, Iterable[Any]]) -> list[tuple[str, Variant]]:
    """(axis, variant) for every value of every axis, one at a time, all else as in `variant`."""
    return [(name, variant.but(**{name: value})) for name, values in axes.items() for value in values]


def latin(axes: Mapping[str, Sequence[Any]], points: int, seed: int) -> list[dict[str, Any]]:
    """`points` settings of all axes that spread evenly over each: a Latin hypercube on the places of the values.

    McKay, Beckman and Conover (1979), "A comparison of three methods for selecting values of input variables in the
    analysis of output from a computer code", Technometrics 21, 239-245, by SciPy's `qmc`. Every stretch of
    1/`points` of an axis is met once, so each value of an axis is met equally often as nearly as `points` allows.
    """
    from scipy.stats import qmc

    drawn = qmc.LatinHypercube(d=len(axes), rng=seed).random(points)
    return [
        {name: values[int(u * len(values))] for (name, values), u in zip(axes.items(), row, strict=True)}
        for row in drawn
    ]


def cells_of(
    make: Callable[..., Variant],
    axes: Mapping[str, Iterable[Any]],
    design: str = "grid",
    points: int | None = None,
    seed: int = 0,
    skip_refused: bool = False,
) -> tuple[Cells, list[str]]:
    """(cells, why others were left out): a cell is (labels, variant), its labels the value of every axis; none comes twice.

    `one-at-a-time` begins with the variant as it is and has a label `axis` more, the axis that was varied; a value
    that an axis has already is not played again. What the rules refuse is refused with the cell, or with `skip_refused`
    left out and told.
    """
    check_maker(make)
    values = values_by_axis(axes)
    if design not in DESIGNS:
        raise Refused(f"design {design!r}: one of {', '.join(DESIGNS)}{did_you_mean(design, DESIGNS)}")
    if (points is not None) != (design == "latin"):
        raise Refused(f"points={points}: the number of cells of the design latin, and of no other")
    if points is not None and (isinstance(points, bool) or not isinstance(points, int) or points < 1):
        raise Refused(f"points={points!r}: a whole number of cells from 1")
    settings: list[dict[str, Any]]
    if design == "one-at-a-time":
        settings = [{}] + [{name: value} for name, found in values.items() for value in found]
    elif design == "latin":
        settings = latin(values, points or 0, seed)
    else:
        settings = [dict(zip(values, combination, strict=True)) for combination in itertools.product(*values.values())]
    cells: Cells = []
    met: set[tuple[Any, ...]] = set()
    left_out: list[str] = []
    for setting in settings:
        try:
            variant = make(**setting)
        except Refused as error:
            told = ", ".join(f"{name}={value}" for name, value in setting.items())
            if not skip_refused:
                raise Refused(f"cell {told}: {error} (skip_refused leaves such cells out)") from None
            left_out.append(f"{told}: {error}")
            continue
        for name in values:
            declared(variant, name)
        labels = {name: shown_value(variant, name) for name in values}
        if design == "one-at-a-time":
            if cells and variant == cells[0][1]:
                continue
            labels = {"axis": next(iter(setting), "default"), **labels}
        if tuple(labels.values()) not in met:
            met.add(tuple(labels.values()))
            cells.append((labels, variant))
    if not cells:
        raise Refused(f"the rules refuse every cell; the first: {left_out[0]}")
    return alike(cells), left_out


def alike(cells: Cells) -> Cells:
    """The cells with labels of one kind each: numbers if all are, else text."""
    mixed = {name for name in cells[0][0] if len({type(labels[name]) for labels, _ in cells}) > 1}
    return [({n: str(v) if n in mixed else v for n, v in labels.items()}, variant) for labels, variant in cells]

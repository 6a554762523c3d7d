"""The bench of every game, and of studies, as one table."""

from __future__ import annotations

import json
from importlib import import_module

from tkg.bench.measure import Figure
from tkg.rules.games import GAMES


def line(figure: Figure) -> str:
    value = "-" if figure.value is None else f"{figure.value:,.4g}" if figure.value < 1e4 else f"{figure.value:,.0f}"
    target = ""
    if figure.limit is not None:
        target = f"{'at least' if figure.at_least else 'at most'} {figure.limit:g}"
    return f"{figure.name:<52}{value:>12} {figure.unit:<12} {target:<16} {figure.verdict:<8}{figure.note}".rstrip()


def print_bench(as_json: bool = False) -> bool:
    """Measure and print everything; True if no target is missed."""
    figures: list[Figure] = []
    for part in (*GAMES, "studies"):
        for figure in import_module(f"tkg.bench.{part}").figures():
            figures.append(figure)
            if not as_json:
                print(line(figure), flush=True)
    if as_json:
        print(json.dumps([{**vars(f), "verdict": f.verdict} for f in figures]))
    return all(f.verdict != "short" for f in figures)

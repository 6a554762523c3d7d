"""Umbra Via against the clock."""

from __future__ import annotations

from collections.abc import Iterator

from tkg.bench.measure import Figure, play_figures, search_figures
from tkg.rules.umbra import NAME

LIMITS = {2: 400.0, 3: None, 4: 500.0}  # nanoseconds a decision, by players


def figures() -> Iterator[Figure]:
    """Every figure, as it is measured."""
    yield from play_figures(NAME, LIMITS, games=10_000, greedy_games=1000, greedy_limit=1.0)
    yield from search_figures(NAME, at_least=40_000, iterations=1000)

"""Cosmic Alignments against the clock."""

from __future__ import annotations

from collections.abc import Iterator

from tkg.bench.measure import Figure, play_figures, search_figures
from tkg.rules.cosmic import NAME

LIMITS = {
    2: 160.0,
    3: None,
    4: None,
}  # nanoseconds a decision, by players: ultimate tic-tac-toe, a smaller game, takes 127 in C


def figures() -> Iterator[Figure]:
    """Every figure, as it is measured."""
    yield from play_figures(NAME, LIMITS, games=20_000, greedy_games=1000, greedy_limit=2.5)
    yield from search_figures(NAME, at_least=20_000, iterations=2000)

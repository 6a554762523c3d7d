"""Cosmic Alignments against the clock."""

from __future__ import annotations

from collections.abc import Iterator

from tkg.bench.measure import Figure, cpu_of_play
from tkg.rules.cosmic import NAME
from tkg.rules.games import rules_of
from tkg.rules.knobs import Variant

PLAYERS = (2, 3, 4)
GAMES, GREEDY_GAMES = 20_000, 1000
LIMITS = {
    2: 160.0
}  # nanoseconds a decision, by players: ultimate tic-tac-toe, a smaller game, takes 127 when compiled by hand


def figures() -> Iterator[Figure]:
    """Every figure, as it is measured."""
    for players in PLAYERS:
        variant = Variant(rules_of(NAME), players=players)
        tries = [cpu_of_play(variant, "random", GAMES) for _ in range(3)]
        nanoseconds = min(seconds / decisions for seconds, decisions in tries) * 1e9
        yield Figure(f"{NAME}, random play, {players} players", nanoseconds, "ns/decision", LIMITS.get(players))
    seconds, _ = cpu_of_play(Variant(rules_of(NAME)), "greedy", GREEDY_GAMES)
    yield Figure(f"{NAME}, greedy play", seconds / GREEDY_GAMES * 1000, "ms/game", 1.0)

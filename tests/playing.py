"""Games that play themselves, for tests: the same moves for the same seed, whatever the order of the options."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import tkg
from tkg.rules.chance import SEARCH, below_exact, derive_exact
from tkg.rules.kernel import COMPILING

SAMPLES = Path(__file__).parent / "samples"


def amount(n: int, least: int = 1) -> int:
    """How often to do something: `n` times with the compiler on, far less often with it off."""
    return n if COMPILING else max(least, n // 15)


def drift(game: tkg.Game, seed: int) -> str:
    """One of the legal actions, settled by the seed and the number of actions played alone."""
    options = sorted(game.legal)
    return options[below_exact(derive_exact(derive_exact(seed, SEARCH), len(game.actions)), 0, len(options))]


def play_out(game: tkg.Game, seed: int, actions: int = 1 << 30) -> tkg.Game:
    """Play until the end, or for so many actions."""
    while actions > 0 and not game.over:
        game.play(drift(game, seed))
        actions -= 1
    return game


def played(variant: tkg.Variant, seed: int, actions: int = 1 << 30) -> tkg.Game:
    """A game of the variant, played until the end or for so many actions."""
    return play_out(tkg.new(variant, seed), seed, actions)


def state_of(game: tkg.Game) -> bytes:
    """The position, byte by byte."""
    return game.states.tobytes()


@cache
def sample_lines(game: str) -> list[str]:
    """The records of an independent implementation of a game, a game a line."""
    return (SAMPLES / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()

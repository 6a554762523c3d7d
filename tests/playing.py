"""Games that play themselves, for tests: the same moves for the same seed, whatever the order of the options."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import numpy as np

import tkg
from tkg.bots.loop import ponder
from tkg.bots.search import make_tree
from tkg.bots.table import bot_code
from tkg.rules.chance import SEARCH, below_exact, derive_exact
from tkg.rules.kernel import COMPILING

SAMPLES = Path(__file__).parent / "samples"
LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"  # of make test-long


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


def first_choice(game: tkg.Game, states: np.ndarray, style: str = "", key: int = 0) -> str:
    """What the greedy bot of a game puts first in a position as it is given: nothing is dealt anew before it looks.

    It is asked through a search of one iteration, which has been compiled already.
    """
    variant, tree = game.variant, make_tree(1)
    bot = bot_code(variant.game, f"peek:1-{style}" if style else "peek:1")
    ponder(variant, bot, states.copy(), derive_exact(key, 0) >> 1, 0, 1, tree)
    return game.rules.text(variant, game.states[0], int(tree.actions[0, 0]))

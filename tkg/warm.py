"""Compile every rule, bot and loop once, at set-up: `python -m tkg.warm`. What is in the cache already costs nothing.

Games are compiled side by side, each in a process of its own; what two of them wrote to the cache at the same moment,
so that one was lost, is compiled again at the end.
"""

import contextlib
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from tqdm import tqdm

from tkg.bots.table import COMMON, GREEDY, RANDOM
from tkg.bulk import count_workers, play_again, simulate
from tkg.game import Game, set_up
from tkg.rules import calls
from tkg.rules.errors import Refused
from tkg.rules.games import GAMES
from tkg.rules.kernel import CACHE
from tkg.rules.knobs import Variant


def warm(game: str) -> None:
    """Have everything compiled that a game needs."""
    variant = Variant(GAMES[game])
    fresh = Game(variant, 0)
    assert fresh.legal
    calls.hide(fresh.states, variant.packed, 0, 0)
    calls.reopen(fresh.states, variant.packed)
    for bot in (RANDOM, GREEDY):  # the loop without what thinks, and with it
        simulate(variant, COMMON[bot], 1, workers=1)
    set_up_last(play_again(variant, COMMON[RANDOM], 0))


def set_up_last(game: Game) -> None:
    """Set the last position of a game up by hand that can be."""
    told = None
    while told is None:
        with contextlib.suppress(Refused):
            told = game.undo().position
    set_up(game.variant, told, 0)


def warm_apart(game: str) -> None:
    subprocess.run([sys.executable, "-m", "tkg.warm", game], check=True)


def main(games: list[str]) -> None:
    if games:
        for game in games:
            warm(game)
        return
    began = time.perf_counter()
    with ThreadPoolExecutor(count_workers(None)) as pool:
        apart = pool.map(warm_apart, reversed(GAMES))
        list(tqdm(apart, desc="compiling the rules", unit="game", total=len(GAMES), file=sys.stderr))
    for game in GAMES:
        warm(game)
    print(f"rules compiled in {time.perf_counter() - began:.1f} s, kept in {CACHE}")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Compile every rule, bot and loop once, at set-up: `python -m tkg.warm`. What is in the cache already costs nothing."""

import sys
import time

from tqdm import tqdm

from tkg.bots.table import BOTS
from tkg.bulk import play_again, simulate
from tkg.game import Game
from tkg.rules import calls
from tkg.rules.games import GAMES
from tkg.rules.kernel import CACHE
from tkg.rules.knobs import Variant


def main() -> None:
    began = time.perf_counter()
    for game, rules in tqdm(GAMES.items(), desc="compiling the rules", unit="game", file=sys.stderr):
        variant = Variant(rules)
        fresh = Game(variant, 0)
        assert fresh.legal
        calls.hide(fresh.states, variant.packed, 0, 0)
        simulate(variant, BOTS[game][0], 1, workers=1)
        play_again(variant, BOTS[game][0], 0)
    print(f"rules compiled in {time.perf_counter() - began:.1f} s, kept in {CACHE}")


if __name__ == "__main__":
    main()

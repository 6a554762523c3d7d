"""Play games of odd variants and print a line a game with a digest of every position, every option and its row.

Run in processes of their own, with the compiler on and off, by `test_compiler.py`: the lines must be the same.
"""

import hashlib
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from playing import LONG, drift

import tkg
from tkg.bots.loop import play
from tkg.bots.table import OWN_BOTS, STYLES, bot_code, mind_of
from tkg.bulk import make_run, play_block
from tkg.rules.chance import game_seed_exact
from tkg.rules.games import GAMES, rules_of
from tkg.rules.knobs import Variant
from tkg.rules.umbra import TILE_KINDS

LARGE = {"F" * 9 + "W" * 9 + "A" * 9 + "E" * 9: 3, "FWAE": 20, "FFFFFWWWWW": 10, "F": 9, "-": 4}
SEARCHED = 6  # decisions of searching bots that are compared
STYLED = None if LONG else 1  # styles in which they search
VARIANTS = {
    "rift": [
        {},
        {"side": 7, "deck": LARGE, "supply": 255, "adjacency": "all", "build_match": "any", "hop": "again"},
        {"side": 4, "deck": LARGE, "supply": [255, 9, 0, 40], "tile_moves": "any", "replace": "free", "excess": "stay"},
        {
            "deck": "one_to_four",
            "tile_moves": "any",
            "hop": "again",
            "move_mix": False,
            "shortfall": "illegal",
            "supply": 6,
        },
        {"deck": "pure", "build_match": "common", "adjacency": "all", "move_mix": False, "gate": "empty"},
        {"deck": {"-": 200}, "side": 5, "replace": "free"},
        {"deck": {"FW": 5, "-": 2}, "full_boundary": False, "coverage": "element", "replace": "off"},
    ],
    "cosmic": [
        {"side": 3},
        {"side": 5, "players": 4, "deck": LARGE, "own_points": 9, "other_points": 9, "max_turns": 40},
        {"side": 3, "players": 3, "deck": {"FW": 9}, "layout": "free", "majority": "strict", "blocked": "pass"},
        {"layout": "dealt", "deck": LARGE, "line_shape": "spaced", "life": 255, "oinks": 255, "max_turns": 90},
        {"side": 3, "players": 4, "life": 2, "deck": "pairs", "alignment": 3, "max_turns": 60, "layout": "dealt"},
        {"players": 3, "deck": {"F" * 9: 100, "-": 100}, "capture_limit": 1, "line_shape": "spaced", "max_turns": 90},
    ],
    "umbra": [
        {"players": 4, "side": 3, "max_rounds": 12},
        {"side": 6, "players": 4, "energy": 255, "soul": 255, "altar": 6, "draw": 5, "biddings": 4, "max_rounds": 1},
        {"side": 6, "players": 3, "tiles": ",".join(f"{kind}:100" for kind in TILE_KINDS), "max_rounds": 8},
        {"side": 3, "specials": True, "scatter": "split", "halving": "down", "claim": "any", "max_rounds": 12},
        {"side": 3, "players": 4, "rank_tie": "share", "half_of": "paid", "claim": "empty", "max_rounds": 12},
        {"players": 3, "reward": "energy", "placing": "anywhere", "order_by": "value", "soul_worth": 9, "draw": 2},
        {"tiles": "point:6,void:6,block:2", "side": 3, "energy": 9, "max_rounds": 9},
    ],
}


def main() -> None:
    some = slice(None) if LONG else slice(None, None, 3)
    variants = [Variant(rules_of(game), **settings) for game in GAMES for settings in VARIANTS[game][some]]
    for number, variant in enumerate(variants):
        seed = game_seed_exact(1, number)
        game = tkg.new(variant, seed)
        digest = hashlib.sha256(variant.packed.tobytes())
        while not game.over:
            digest.update(game.states.tobytes())
            digest.update(json.dumps(game.legal).encode())
            game.play(drift(game, seed))
        digest.update(game.states.tobytes())
        print(variant, len(game.actions), json.dumps(game.result), digest.hexdigest())
    for variant in variants[::3]:
        for bot in (
            "random",
            "greedy",
            *OWN_BOTS[variant.game],
            *(f"random-{style}" for style in STYLES[variant.game]),
        ):
            print(play_block(make_run(variant, bot, 1, 5), 0, 1).write_csv())
    for variant in variants[
        :: -(-len(variants) // len(GAMES))
    ]:  # one of each game: searches take long with the compiler off
        for bot in ("uct:2", "mcts:2", "peek:2", *(f"mcts:2-{style}" for style in STYLES[variant.game][:STYLED])):
            codes = np.full((1, variant.seats), bot_code(variant.game, bot), np.int64)
            script = np.zeros((1, SEARCHED), np.int64)
            mind = mind_of(variant.game).copy()
            mind["plies"] = np.minimum(mind["plies"], 1)  # games played to their end take minutes with the compiler off
            play(variant, np.array([5], np.int64), codes, np.zeros(1, np.int64), script, minds=mind, most=SEARCHED)
            print(variant, bot, script.tolist())


if __name__ == "__main__":
    main()

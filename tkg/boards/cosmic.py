"""Cosmic Alignments on a board: which parts of the picture an option stands for, and what is said about them."""

from __future__ import annotations

from typing import Any

from tkg.boards.picking import CHOOSE, ByPaths, Path, Picked, Picker, Preview
from tkg.boards.words import counted, tile_words
from tkg.game import Game

SECRET = ("draft",)  # kinds of decisions that other seats may not know


def picker(game: Game, view: dict[str, Any]) -> Picker:
    paths, words, at = [], {}, {}
    legal = game.legal
    cells = {action.partition("@")[2] for action in legal if action.startswith("draft")}
    for action in legal:
        verb, _, rest = action.partition(" ")
        if verb == "draft":
            tile, _, cell = rest.partition("@")
            cards = [f"hand {i}" for i, held in enumerate(view["hand"], 1) if held == tile]
            there = (f"tile {cell}",) if len(cells) > 1 else ()  # in reading order there is nothing to choose
            paths += [Path((card, *there), action) for card in cards]
        elif verb in ("occupy", "capture"):
            paths.append(Path((), action))
            words[action], at[action] = verb, f"tile {rest}"
        else:
            paths.append(Path((f"space {rest or action}",), action))
    return ByPaths(paths, words, at)


def labels(view: dict[str, Any]) -> dict[str, str]:
    """What a screen reader says of every part that can be pointed at."""
    found, side = {}, view["side"]
    for name, cell in view["cells"].items():
        if cell["owner"]:
            found[f"tile {name}"] = f"tile {name}: occupied by seat {cell['owner']}, {tile_words(cell['tile'])}"
        elif not cell["laid"]:
            found[f"tile {name}"] = f"tile {name}: not laid yet"
        else:
            for space, seat in enumerate(cell["tokens"]):
                row, column = divmod(space, side)
                what = f"token of seat {seat}" if seat else "free"
                found[f"space {name}{space + 1}"] = f"tile {name}, row {row + 1}, column {column + 1}: {what}"
    for i, tile in enumerate(view["hand"], 1):
        found[f"hand {i}"] = f"hand, card {i}: {tile_words(tile)}"
    return found


def previews(game: Game, view: dict[str, Any], picked: Picked) -> dict[str, Preview]:
    """Where a token would direct the next player; what a tile brings whoever captures it."""
    if view["phase"] == "place":
        names = list(view["cells"])
        spaces = [(action, names[int(action[len(action.rstrip("0123456789")) :]) - 1]) for action in game.legal]
        return {f"space {action}": Preview(f"directs to tile {to}", (f"tile {to}",)) for action, to in spaces}
    if view["phase"] == "take" and view["decider"]:
        seat = view["seats"][view["decider"] - 1]
        left = counted(view["stack"], "tile")
        found = {
            "occupy": f"for good; {counted(seat['oinks'], 'Oink')} in your supply",
            "capture": f"its insignias count; {left} in the stack to fill the place",
        }
        return {CHOOSE + action: Preview(found[action.partition(" ")[0]]) for action in game.legal}
    return {}


def why_not(view: dict[str, Any], picked: Picked, name: str) -> str:
    """Why a part cannot be pointed at now: what the rules ask for here."""
    phase = view["phase"]
    if phase == "draft":
        return "choose a tile of the hand" + (", then the cell on which it goes" if picked else "")
    if phase == "take":
        return f"tile {view['won']} is won: choose on it whether to occupy or to capture it"
    if phase == "lift":
        barred = f", and not from tile {view['bound']}, to which you are directed" if view["bound"] else ""
        return f"no LIFE token is in the supply: choose one of your own on the layout{barred}"
    where = name.removeprefix("space ").rstrip("0123456789")
    if view["bound"] and where != view["bound"]:
        return f"the last token directs to tile {view['bound']}: place there"
    if view["lifted"] and view["lifted"] == where:
        return "a lifted token never goes back on the tile that it came from"
    return "choose a free space of a tile that is not occupied"


def secret(then: dict[str, Any], now: dict[str, Any]) -> bool:
    """Whether such an action played at view `then` is unknown to other seats at view `now`: which tile was drafted is."""
    return now["phase"] != "over"


def veiled(action: str) -> str:
    """A secret action as other seats know it."""
    return f"draft ?@{action.partition('@')[2]}"


def stock(view: dict[str, Any]) -> list[tuple[str, dict[str, int]]]:
    """What is out of sight but known, by kind."""
    found = [("Not seen yet (stack, face-down tiles)", view["unseen"])]
    if view["aside"]:
        found.append(("Put aside by you", view["aside"]))
    return found

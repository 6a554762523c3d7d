"""Cosmic Alignments on a board: which parts of the picture an option stands for, and what is said about them."""

from __future__ import annotations

import copy
from typing import Any

from tkg.boards.picking import CHOOSE, ByPaths, Path, Picked, Picker, Preview, Tool
from tkg.boards.words import counted, tile_words
from tkg.game import Game
from tkg.rules.knobs import Variant

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


# --- Setting up by hand -------------------------------------------------------------------------------------------

OF_THE_MOMENT = ("phase", "turn", "undirected", "passed", "lifted", "won", "winner")  # which follows from the rest


def knowable(position: dict[str, Any], view: dict[str, Any]) -> dict[str, Any]:
    """What may be told of a position at a board that shows this view: no tile that lies face down, nor what others put aside."""
    told = copy.deepcopy(position)
    for name, cell in told["cells"].items():
        if view["cells"][name]["tile"] is None:
            del cell["tile"]
    for seat, own in enumerate(told["seats"], 1):
        if seat != view["seat"]:
            own.pop("aside", None)
    return told


def tools(variant: Variant) -> list[Tool]:
    """What can be laid down or taken away, and on which parts."""
    seats = [str(seat) for seat in range(1, variant.seats + 1)]
    return [
        *(Tool(f"a LIFE token of seat {seat}, the last one placed", ("token", seat), ("space",)) for seat in seats),
        *(Tool(f"a LIFE token of seat {seat}, an older one", ("older", seat), ("space",)) for seat in seats),
        *(Tool(f"an Oink of seat {seat}", ("oink", seat), ("space", "tile")) for seat in seats),
        *(Tool(f"captured by seat {seat}", ("capture", seat), ("space", "tile")) for seat in seats),
        Tool("take away what lies there", ("clear", ""), ("space", "tile")),
    ]


def numbers(variant: Variant, position: dict[str, Any]) -> dict[str, tuple[Any, list[Any]]]:
    """What is set by a choice and not by pointing: (what it is, what it may be)."""
    return {"mover": (position["mover"], list(range(1, variant.seats + 1)))}


def with_number(position: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    """The position with one of `numbers` set otherwise; what follows from the rest is left to follow."""
    return {**{key: told for key, told in position.items() if key not in OF_THE_MOMENT}, name: value}


def edited(variant: Variant, position: dict[str, Any], tool: tuple[str, str], part: str) -> dict[str, Any]:
    """The position once a tool has been used on a part: after a token that was placed last the next seat moves."""
    what, which = tool
    changed = copy.deepcopy({key: told for key, told in position.items() if key not in OF_THE_MOMENT})
    place = part.partition(" ")[2]
    name = place.rstrip("0123456789")
    space = int(place[len(name) :] or 0)
    cell = changed["cells"].setdefault(name, {})
    tokens = [pair for pair in cell.pop("tokens", []) if pair[1] != space]
    if what in ("token", "older"):
        cell.pop("oink", None)
        pair = [int(which), space]
        cell["tokens"] = [*tokens, pair] if what == "token" else [pair, *tokens]
        if what == "token":
            changed["last"] = place
            changed["mover"] = int(which) % len(changed["seats"]) + 1
    elif what == "oink":
        cell["oink"] = int(which)
    elif what == "capture":
        seat = changed["seats"][int(which) - 1]
        seat["captured"] = [*seat.get("captured", []), cell["tile"]]
        changed["cells"][name] = {"refilled": True} if variant.layout != "dealt" else {}
    elif cell.pop("oink", None) is None and tokens:
        cell["tokens"] = tokens
    where, there = changed.get("last", ""), changed["cells"]
    tile = where.rstrip("0123456789")
    if where and not any(str(pair[1]) == where[len(tile) :] for pair in there.get(tile, {}).get("tokens", [])):
        if not any("tokens" in cell for cell in there.values()) and not any("oink" in cell for cell in there.values()):
            del changed["last"]  # an empty layout: nobody has placed yet
    return changed

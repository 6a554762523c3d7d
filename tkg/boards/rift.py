"""A Rift of Portals on a board: which parts of the picture an option stands for, and what is said about them."""

from __future__ import annotations

import copy
from typing import Any

from tkg.boards.picking import ByPaths, Path, Picked, Picker, Preview, Tool
from tkg.boards.words import counted, tile_words
from tkg.game import Game
from tkg.rules.errors import Refused
from tkg.rules.knobs import Variant
from tkg.rules.rift import turns_of
from tkg.rules.tiles import ELEMENT_NAMES, ELEMENTS

SECRET: tuple[str, ...] = ()  # kinds of decisions that other seats may not know


def hand_parts(view: dict[str, Any], tile: str) -> list[str]:
    """The cards of the hand that bear a tile; equal ones are one option."""
    return [f"hand {i}" for i, held in enumerate(view["hand"], 1) if held == tile]


def paths_of(view: dict[str, Any], action: str) -> list[Path]:
    verb, rest = action.split(" ", 1)
    if verb == "move":
        source, target = rest.split(" ")[1].split(">")
        return [Path(("gate" if source == "gate" else f"cell {source}", f"cell {target}"), action)]
    tile, _, cell = rest.partition("@")
    cards = hand_parts(view, tile)
    if verb in ("keep", "gain"):
        return [Path((card,), action) for card in cards]
    if verb == "refuse":
        alone = [Path(("void",), action)] if view["phase"] == "move" else []
        return [*alone, *(Path((card, "void"), action) for card in cards)]
    return [Path((card, f"cell {cell}"), action) for card in cards]


def picker(game: Game, view: dict[str, Any]) -> Picker:
    return ByPaths(path for action in game.legal for path in paths_of(view, action))


def labels(view: dict[str, Any]) -> dict[str, str]:
    """What a screen reader says of every part that can be pointed at."""
    found = {
        "gate": f"Inner Gate: {pool_words(view['gate'])}",
        "void": f"Outer Void: {pool_words(view['void'])}",
    }
    for name, cell in view["cells"].items():
        if cell["tile"] is None:
            found[f"cell {name}"] = f"cell {name}: empty"
        else:
            found[f"cell {name}"] = f"cell {name}: {tile_words(cell['tile'])}, on it {pool_words(cell['oinks'])}"
    for i, tile in enumerate(view["hand"], 1):
        found[f"hand {i}"] = f"hand, card {i}: {tile_words(tile)}"
    return found


def pool_words(pool: list[int]) -> str:
    held = [f"{n} {element}" for n, element in zip(pool, ELEMENT_NAMES, strict=True) if n]
    return ", ".join(held) or "no Oinks"


def previews(game: Game, view: dict[str, Any], picked: Picked) -> dict[str, Preview]:
    """What a replacement would lose, and where an Oink may go."""
    found = {}
    for name, cell in view["cells"].items():
        if picked and view["phase"] == "build" and cell["tile"] is not None:
            oinks = sum(cell["oinks"])
            lost = f"its {counted(oinks, 'Oink')} to the void" if oinks else "no Oinks on it"
            found[f"cell {name}"] = Preview(f"replaces {cell['tile']}, {lost}")
    return found


def why_not(view: dict[str, Any], picked: Picked, name: str) -> str:
    """Why a part cannot be pointed at now: what the rules ask for here."""
    phase = view["phase"]
    if phase in ("keep", "gain"):
        return "choose one of the tiles in the hand"
    if phase == "build":
        if not picked:
            return "choose a tile of the hand first, then a cell, or the void to refuse it"
        cell = view["cells"].get(name.removeprefix("cell "))
        if cell is None:
            return "a tile goes to a cell of the ring, or to the void"
        return (
            "a tile goes beside a built one whose insignias it matches, as `adjacency` and `build_match` say"
            if cell["tile"] is None
            else "a tile that replaces another must fit its neighbours, as `replace` and `build_match` say"
        )
    left = ", ".join(f"{n} {element}" for n, element in zip(view["need"], ELEMENT_NAMES, strict=True) if n)
    if not picked:
        return f"choose the gate or a tile with an Oink to move (still to serve: {left}), or the void to refuse"
    return f"an Oink goes from the gate to any built tile, or from a tile to a neighbour (still to serve: {left})"


def secret(then: dict[str, Any], now: dict[str, Any]) -> bool:
    """Whether such an action played at view `then` is unknown to other seats at view `now`."""
    return False


def veiled(action: str) -> str:
    """A secret action as other seats know it."""
    return action


def stock(view: dict[str, Any]) -> list[tuple[str, dict[str, int]]]:
    """What is out of sight but known, by kind."""
    return [("Still in the stack", view["stack"])]


# --- Setting up by hand -------------------------------------------------------------------------------------------

TURN = "turn being played"  # from 1, as the picture's heading counts; a position's `turn` counts those completed
HAND_AT = {"gain": 3, "build": 2, "move": 1}  # cards in the hand by phase


def knowable(position: dict[str, Any], view: dict[str, Any]) -> dict[str, Any]:
    """What may be told of a position at a board that shows this view; what is left out is dealt anew."""
    return position


def tools(variant: Variant) -> list[Tool]:
    """What can be laid down or taken away, and on which parts."""
    names = list(zip(ELEMENTS, ELEMENT_NAMES, strict=True))
    return [
        *(Tool(f"tile {tile}", ("tile", tile), ("cell", "hand")) for tile in variant.deck),
        *(Tool(f"an Oink of {name}", ("oink", letter), ("cell", "gate", "void")) for letter, name in names),
        *(Tool(f"take away an Oink of {name}", ("lift", letter), ("cell", "gate", "void")) for letter, name in names),
        Tool("take away a tile", ("clear", ""), ("cell",)),
    ]


def numbers(variant: Variant, position: dict[str, Any]) -> dict[str, tuple[Any, list[Any]]]:
    """What is set by a choice and not by pointing: (what it is, what it may be)."""
    before_play = position["phase"] not in HAND_AT  # the set-up, from which one goes on and to which nothing leads back
    turns = 1 if before_play else turns_of(variant)
    return {
        "phase": (position["phase"], [*([position["phase"]] if before_play else []), *HAND_AT]),
        TURN: (position.get("turn", 0) + 1, list(range(1, turns + 1))),
    }


def with_number(position: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    """The position with one of `numbers` set otherwise; what no longer fits is left to be dealt."""
    changed = {**position, **({"turn": value - 1} if name == TURN else {name: value})}
    for dealt in ("stack", "set_up"):
        changed.pop(dealt, None)
    changed["hand"] = changed["hand"][: HAND_AT[changed["phase"]]]
    if len(changed["hand"]) < HAND_AT[changed["phase"]]:
        del changed["hand"]
        changed["phase"] = "gain"
    return changed


def edited(variant: Variant, position: dict[str, Any], tool: tuple[str, str], part: str) -> dict[str, Any]:
    """The position once a tool has been used on a part."""
    what, which = tool
    changed = copy.deepcopy(position)
    for dealt in ("stack", "set_up"):
        changed.pop(dealt, None)
    where, _, name = part.partition(" ")
    if where == "hand":
        changed["hand"][int(name) - 1] = which
    elif where in ("gate", "void"):
        pool = changed.setdefault(where, [0] * len(ELEMENTS))
        pool[ELEMENTS.index(which)] += 1 if what == "oink" else -1
        if min(pool) < 0:
            raise Refused(f"there is no such Oink in the {where}")
    else:
        cells = changed.setdefault("cells", {})
        if what == "clear":
            if name not in cells:
                raise Refused(f"there is no tile on cell {name}")
            del cells[name]
        elif what == "tile":
            cells[name] = {**cells.get(name, {}), "tile": which}
        else:
            cell = cells.get(name)
            if cell is None:
                raise Refused(f"there is no tile on cell {name}")
            oinks = cell.get("oinks", "")
            if what == "lift" and which not in oinks:
                raise Refused(f"there is no such Oink on cell {name}")
            cell["oinks"] = (
                "".join(sorted(oinks + which, key=ELEMENTS.index)) if what == "oink" else oinks.replace(which, "", 1)
            )
    return changed

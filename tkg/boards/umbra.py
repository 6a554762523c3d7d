"""Umbra Via on a board: how a bid is laid out flower by flower, which parts an option stands for, what is said of them."""

from __future__ import annotations

import copy
from typing import Any

from tkg.boards.picking import CHOOSE, ByPaths, Chip, Path, Picked, Picker, Preview, Tool
from tkg.boards.words import counted
from tkg.game import Game
from tkg.rules.errors import Refused
from tkg.rules.knobs import Variant
from tkg.rules.umbra import ORIENTATIONS, TILE_KINDS, tile_name

SECRET = ("bid",)  # kinds of decisions that other seats may not know
ENERGY, SOUL = 0, 1
LETTERS = "ES"
CONFIRM, NOTHING = f"{CHOOSE}confirm", f"{CHOOSE}nothing"


class Bidding:
    """A bid in the making. What is picked: `I:E` for every flower laid on a place, and last the card that is chosen."""

    def __init__(self, view: dict[str, Any]):
        self.hand = tuple(view["hand"])
        self.places = [name for name, place in view["altar"].items() if place["tile"] not in (None, "block")]

    def laid(self, picked: Picked) -> list[tuple[str, int]]:
        """(place, kind) of every flower laid so far."""
        return [(place, LETTERS.index(kind)) for place, _, kind in (p.partition(":") for p in picked) if kind]

    def left(self, picked: Picked) -> list[int]:
        kinds = [kind for _, kind in self.laid(picked)]
        return [self.hand[kind] - kinds.count(kind) for kind in (ENERGY, SOUL)]

    def card(self, picked: Picked) -> str:
        """The card of the hand that is chosen, or nothing."""
        return picked[-1] if picked and picked[-1].startswith("hand ") else ""

    def kind(self, picked: Picked) -> int | None:
        """The kind of flower that a place would get now: that of the chosen card, or the only one left."""
        left = self.left(picked)
        if self.card(picked):
            return SOUL if int(self.card(picked).split()[1]) > left[ENERGY] else ENERGY
        kinds = [kind for kind in (ENERGY, SOUL) if left[kind]]
        return kinds[0] if len(kinds) == 1 else None

    def nexts(self, picked: Picked) -> list[str]:
        left = sum(self.left(picked))
        if not sum(self.hand):
            return [NOTHING]
        laid = {place for place, _ in self.laid(picked)}
        places = self.places if self.kind(picked) is not None else [p for p in self.places if p in laid]
        cards = [f"hand {i + 1}" for i in range(left)]
        return [*cards, *(f"altar {place}" for place in places), *([] if left else [CONFIRM])]

    def pick(self, picked: Picked, name: str) -> tuple[Picked, str | None]:
        if name not in self.nexts(picked):
            return picked, None
        if name in (CONFIRM, NOTHING):
            return (), self.action(picked)
        down = picked[:-1] if self.card(picked) else picked
        if name.startswith("hand "):
            return (down if name == self.card(picked) else (*down, name)), None
        place = name.removeprefix("altar ")
        kind = self.kind(picked)
        if kind is not None:
            return (*down, f"{place}:{LETTERS[kind]}"), None
        last = max(i for i, flower in enumerate(down) if flower.startswith(f"{place}:"))
        return down[:last] + down[last + 1 :], None

    def action(self, picked: Picked) -> str:
        laid = self.laid(picked)
        bids = []
        for place in self.places:
            flowers = sorted(kind for there, kind in laid if there == place)
            if flowers:
                bids.append(f"{place}:{''.join(LETTERS[kind] for kind in flowers)}")
        return f"bid {' '.join(bids) or '-'}"

    def chips(self, picked: Picked) -> list[Chip]:
        if not sum(self.hand):
            return [Chip(NOTHING, "bid nothing", "hand")]
        return [] if sum(self.left(picked)) else [Chip(CONFIRM, "confirm the bid", "hand")]

    def shown(self, view: dict[str, Any], picked: Picked) -> dict[str, Any]:
        seat = view["seat"] - 1
        altar = {
            name: {**place, "flowers": [list(f) for f in place["flowers"]]} for name, place in view["altar"].items()
        }
        for place, kind in self.laid(picked):
            altar[place]["flowers"][seat][kind] += 1
        return {**view, "altar": altar, "hand": self.left(picked)}

    def way_to(self, action: str) -> Picked:
        return tuple(f"altar {part.partition(':')[0]}" for part in action.split()[1:] if part != "-")


def picker(game: Game, view: dict[str, Any]) -> Picker:
    if view["phase"] == "bid":
        return Bidding(view)
    paths, words, at = [], {}, {}
    for action in game.legal:
        where = action.split()[1]
        if where == "stay":
            paths.append(Path((), action))
            words[action], at[action] = "the energy stays on the point", "hand"
        else:
            paths.append(Path((f"cell {where}",), action))
    return ByPaths(paths, words, at)


def labels(view: dict[str, Any]) -> dict[str, str]:
    """What a screen reader says of every part that can be pointed at."""
    found = {}
    for name, place in view["altar"].items():
        bids = [
            f"seat {seat} {flower_words(energy, soul)}"
            for seat, (energy, soul) in enumerate(place["flowers"], 1)
            if energy or soul
        ]
        due = ", to be placed now" if place["due"] else ""
        found[f"altar {name}"] = f"altar {name}: {tile_of(place['tile'])}{due}; {', '.join(bids) or 'no flowers'}"
    for name, cell in view["cells"].items():
        energy = [f"seat {seat} {n} energy" for seat, n in enumerate(cell["energy"], 1) if n]
        found[f"cell {name}"] = f"cell {name}: {', '.join([tile_of(cell['tile']), *energy])}"
    for i in range(sum(view["hand"])):
        found[f"hand {i + 1}"] = f"hand: {'energy' if i < view['hand'][ENERGY] else 'soul'} flower"
    return found


def tile_of(tile: str | None) -> str:
    sides = {"N": "north", "E": "east", "S": "south", "W": "west"}
    if tile is None:
        return "empty"
    return tile if tile in ("point", "void", "block") else f"path {', '.join(sides[letter] for letter in tile)}"


def flower_words(energy: int, soul: int) -> str:
    return " and ".join([*([f"{energy} energy"] if energy else []), *([f"{soul} soul"] if soul else [])])


def previews(game: Game, view: dict[str, Any], picked: Picked) -> dict[str, Preview]:
    """What paths each placement would close, and what each seat would get: found by playing it on a copy."""
    if view["phase"] != "place":
        return {}
    before = game.result
    found = {}
    for action in game.legal:
        after = game.copy().take_up().play(action)
        result = after.result
        closed = result["summonings"] - before["summonings"]
        if not closed:
            continue
        placed = action.split()[1]
        cells = after.view(None)["cells"]
        gone = [
            name for name, cell in view["cells"].items() if cell["tile"] is not None and cells[name]["tile"] is None
        ]
        gains = [
            f"seat {seat} gets {gained - had}"
            for seat, (gained, had) in enumerate(zip(result["soul_gained"], before["soul_gained"], strict=True), 1)
            if gained > had
        ]
        ends = ", and the game ends" if after.over and result["ending"] == "claimed" else ""
        words = f"closes {counted(closed, 'path')}: {', '.join(gains) or 'nobody gets a flower'}{ends}"
        here = [placed] if cells[placed]["tile"] is None else []
        found[f"cell {placed}"] = Preview(words, tuple(f"cell {name}" for name in [*gone, *here]))
    return found


def why_not(view: dict[str, Any], picked: Picked, name: str) -> str:
    """Why a part cannot be pointed at now: what the rules ask for here."""
    phase = view["phase"]
    if phase == "bid":
        if sum(view["hand"]):
            return "choose a flower of the hand, then a tile of the altar that can be bid on"
        return "all flowers are laid: confirm the bid, or choose a tile to take a flower back"
    if phase == "place":
        return "the tile goes to an empty cell beside a placed tile, the first on a central one, as `placing` says"
    if phase == "scatter":
        return "choose a tile that shares an edge with the point, or let the energy stay"
    return "choose an empty cell of the board, on which the energy of the void will wait"


def secret(then: dict[str, Any], now: dict[str, Any]) -> bool:
    """Whether such an action played at view `then` is unknown to other seats at view `now`: bids are until all have bid."""
    return all(then[key] == now[key] for key in ("phase", "round", "bidding"))


def veiled(action: str) -> str:
    """A secret action as other seats know it."""
    return "bid ?"


def stock(view: dict[str, Any]) -> list[tuple[str, dict[str, int]]]:
    """What is out of sight but known, by kind."""
    return [("Still in the stack", view["stack"]), ("Discarded", view["discard"])]


# --- Setting up by hand -------------------------------------------------------------------------------------------

KIND_WAYS = {kind: [tile_name(way) for way in ways] for kind, ways in zip(TILE_KINDS, ORIENTATIONS, strict=True)}


def knowable(position: dict[str, Any], view: dict[str, Any]) -> dict[str, Any]:
    """What may be told of a position at a board that shows this view: no hand of others, nor a bid; who made one bids again.

    So do those that bid after them, for bids are made in turn order.
    """
    told = copy.deepcopy(position)
    secret = False
    for seat, own in enumerate(told["seats"], 1):
        if seat != view["seat"]:
            own.pop("hand", None)
            secret |= "bid" in own
        if secret:
            own.pop("bid", None)
    if secret:
        del told["decider"]
    return told


def tools(variant: Variant) -> list[Tool]:
    """What can be laid down or taken away, and on which parts."""
    seats = [str(seat) for seat in range(1, variant.seats + 1)]
    ways = {kind: KIND_WAYS[kind] for kind, n in variant.tiles._asdict().items() if n}
    return [
        *(
            Tool(f"tile {way}" if len(ways[kind]) > 1 else kind, ("tile", way), ("altar", "cell"))
            for kind in ways
            for way in ways[kind]
        ),
        *(Tool(f"an energy flower of seat {seat}", ("energy", seat), ("cell",)) for seat in seats),
        *(Tool(f"take away an energy flower of seat {seat}", ("lift", seat), ("cell",)) for seat in seats),
        Tool("take away a tile", ("clear", ""), ("cell",)),
    ]


def numbers(variant: Variant, position: dict[str, Any]) -> dict[str, tuple[Any, list[Any]]]:
    """What is set by a choice and not by pointing: (what it is, what it may be)."""
    left = {
        f"soul tile of seat {seat}": (
            told.get("soul_tile", variant.soul_on_tile),
            list(range(variant.soul_on_tile + 1)),
        )
        for seat, told in enumerate(position["seats"], 1)
    }
    seats = list(range(1, variant.seats + 1))
    return {**left, "best on the track": (position["track"][0], seats)}


def with_number(position: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    """The position with one of `numbers` set otherwise."""
    changed = copy.deepcopy(position)
    if name == "best on the track":
        changed["track"] = [value, *(seat for seat in position["track"] if seat != value)]
    else:
        changed["seats"][int(name.rpartition(" ")[2]) - 1]["soul_tile"] = value
    return changed


def edited(variant: Variant, position: dict[str, Any], tool: tuple[str, str], part: str) -> dict[str, Any]:
    """The position once a tool has been used on a part; flowers on the altar stay, for they are what was bid."""
    what, which = tool
    changed = copy.deepcopy(position)
    where, _, name = part.partition(" ")
    if where == "altar":
        changed["altar"][name] = {**changed["altar"][name], "tile": which}
        return changed
    cells = changed.setdefault("cells", {})
    cell = cells.setdefault(name, {})
    if what == "tile":
        cell["tile"] = which
    elif what == "clear":
        del cells[name]
    else:
        energy = cell.setdefault("energy", [0] * len(changed["seats"]))
        energy[int(which) - 1] += 1 if what == "energy" else -1
        if min(energy) < 0:
            raise Refused(f"there is no such flower on cell {name}")
    return changed

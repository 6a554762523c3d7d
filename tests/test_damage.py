"""Damaged records: each is refused where the damage is, with a reason."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import tkg
from tkg.record import FORMAT, NAMES, from_record, parse_record, to_line, to_record
from tkg.rules.games import GAMES
from tkg.rules.tiles import deck_folders
from tkg.rules.umbra import TILE_KINDS

Record = dict[str, Any]

# By game and name: what is done to the game's first sample, where it must be refused, and why.
DAMAGES: dict[tuple[str, str], tuple[Callable[[Record], Any], Any, str]] = {}
LAST, AFTER = "the last action", "after the last action"
RIFT, COSMIC, UMBRA = ("rift",), ("cosmic",), ("umbra",)
WITHOUT = {"umbra": ("variant.deck", "result.points")}  # what records of a game do not have


def damage(
    where: Any, reason: str, name: str = "", games: Sequence[str] = tuple(GAMES)
) -> Callable[[Callable[[Record], Any]], Callable[[Record], Any]]:
    """Declare a way to spoil a record: `where` is the action at which it must be refused, counted before the damage.

    The function changes the record, or returns what is to be read in its place.
    """

    def add(spoil: Callable[[Record], Any]) -> Callable[[Record], Any]:
        for game in games:
            DAMAGES[game, name or spoil.__name__] = spoil, where, reason
        return spoil

    return add


def place_in(record: Record, path: str) -> tuple[Any, Any]:
    """What holds a place such as `variant.side` or `chance.1`, and its name or number in there."""
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    held: Any = record
    for step in way:
        held = held[step]
    return held, last


def put(path: str, value: Any, where: Any, reason: str, name: str, games: Sequence[str] = tuple(GAMES)) -> None:
    """The damage of another value at a place."""

    def spoil(record: Record) -> None:
        held, last = place_in(record, path)
        held[last] = value

    damage(where, reason, name, [g for g in games if not path.startswith(WITHOUT.get(g, ()))])(spoil)


def lose(path: str, where: Any, reason: str, name: str, games: Sequence[str] = tuple(GAMES)) -> None:
    """The damage of something missing."""

    def spoil(record: Record) -> None:
        held, last = place_in(record, path)
        del held[last]

    damage(where, reason, name, games)(spoil)


# --- A record of any game -----------------------------------------------------------------------------------------

put("tkg", 2, 0, "format 1", "format 2")
put("tkg", True, 0, "format 1", "format true")
put("tkg", "1", 0, "format 1", "format as text")
put("tkg", 1.5, 0, "format 1", "format 1.5")
put("tkg", None, 0, "format 1", "format null")
lose("tkg", 0, "format 1", "no format")
put("comment", "nice game", 0, "'comment'", "unknown name at the top")
put("Result", {}, 0, "'Result'", "capital letter at the top")
put("game", "chess", 0, "'chess'", "unknown game")
put("game", 7, 0, "game", "game that is no text")
put("game", ["rift"], 0, "game", "game in a list")
lose("game", 0, "'game' is missing", "no game")
put("variant", [], 0, "variant", "variant that is no object")
put("variant", "rift()", 0, "variant", "variant as text")
put("variant", None, 0, "variant", "variant null")
lose("variant", 0, "'variant' is missing", "no variant")
put("variant.colour", 3, 0, "'colour'", "unknown knob")
put("variant.rules", 3, 0, "'rules'", "unknown knob called rules")
put("variant.self", 3, 0, "'self'", "unknown knob called self")
put("variant.side", "3", 0, "side=3", "knob as text")
put("variant.side", True, 0, "side=True", "knob true")
put("variant.side", 3.5, 0, "side=3.5", "knob with a fraction")
put("variant.side", None, 0, "side=None", "knob null")
put("variant.deck.WF", 1, 0, "written FW", "tile out of order")
put("variant.deck.f", 1, 0, "written F", "tile in lower case")
put("variant.deck.FX", 1, 0, "'FX'", "tile of no element")
put("variant.deck.FFFFFFFFFF", 1, 0, "at most 9", "tile of ten fires")
put("variant.deck.", 1, 0, "tile ''", "tile without a name")
put("variant.deck.F", -1, 0, "-1", "tile with copies below nothing")
put("variant.deck.F", True, 0, "True", "tile with true copies")
put("variant.deck.F", "2", 0, "2", "tile with copies as text")
put("variant.deck.F", 1.5, 0, "1.5", "tile with half a copy")
put("variant.deck.F", 190, 0, "at most 200", "deck of too many tiles")
put("variant.deck", {"F": 2}, 0, "2 tiles", "deck of too few tiles")
put("variant.deck", {}, 0, "0 tiles", "deck without tiles")
put("variant.deck", ["F", "F", "W"], 0, "deck", "deck as a list")
put("variant.deck", None, 0, "deck", "deck null")
put("variant.deck", "no such deck", 0, "deck", "deck of an unknown name")
put("variant.deck", "no\0deck", 0, "deck", "deck whose name holds a zero")
put("variant.deck", "deck" * 2000, 0, "deck", "deck of a very long name")
put("variant.deck", "reference", 0, "deck", "deck by its name alone")
put("variant.deck", str(deck_folders()[-1] / "reference.csv"), 0, "deck", "deck in some file")
lose("chance", 0, "'chance' is missing", "no chance")
put("chance", None, 0, "chance", "chance null")
put("chance", {}, 0, "chance", "chance that is no list")
put("chance", "F", 0, "chance", "chance as text")
put("chance", [], 0, "chance", "chance without tiles")
put("actions", None, 0, "actions", "actions null")
put("actions", "keep F", 0, "actions", "actions as text")
put("actions", {}, 0, "actions", "actions as an object")
lose("actions", 0, "'actions' is missing", "no actions")
put("result", None, LAST, "result", "result null")
put("result", [], LAST, "result", "result as a list")
put("result.points", 0, LAST, "points is 0", "wrong number in the result")
put("result.points", "3", LAST, 'points is "3"', "number of the result as text")
put("result.points", None, LAST, "points is null", "number of the result null")
put("result.luck", 3, LAST, "'luck'", "unknown field of the result")


@damage(1, "5")
def action_that_is_a_number(record: Record) -> None:
    record["actions"][0] = 5


@damage(1, "None")
def action_null(record: Record) -> None:
    record["actions"][0] = None


@damage(1, "not legal")
def action_in_a_list(record: Record) -> None:
    record["actions"][0] = [record["actions"][0]]


@damage(1, "not legal")
def action_of_no_letters(record: Record) -> None:
    record["actions"][0] = ""


@damage(1, "not legal")
def action_with_a_blank_after_it(record: Record) -> None:
    record["actions"][0] += " "


@damage(1, "not legal")
def action_in_capitals(record: Record) -> None:
    record["actions"][0] = record["actions"][0].upper()


@damage(1, "not legal")
def action_with_a_lone_surrogate(record: Record) -> None:
    record["actions"][0] = "keep \ud800"


@damage(AFTER, "the game is over")
def action_after_the_end(record: Record) -> None:
    record["actions"].append(record["actions"][-1])


@damage(LAST, "an action is missing; legal: ")
def last_action_missing(record: Record) -> None:
    record["actions"].pop()


@damage(1, "an action is missing; legal: ")
def every_action_missing(record: Record) -> None:
    record["actions"].clear()


@damage(11, "an action is missing")
def most_actions_missing(record: Record) -> None:
    del record["actions"][10:]


@damage(LAST, "'result' is missing though the game is over")
def result_missing(record: Record) -> None:
    del record["result"]


@damage(LAST, "unfinished")
def result_and_last_action_missing(record: Record) -> None:
    del record["result"]
    record["actions"].pop()


@damage(1, "unfinished")
def unfinished_from_the_start(record: Record) -> None:
    del record["result"]
    record["actions"].clear()


@damage(LAST, "turns")
def fraction_in_the_result(record: Record) -> None:
    record["result"]["turns"] += 0.5


@damage(0, "twice")
def name_twice_at_the_top(record: Record) -> str:
    return to_line(record).replace('{"tkg":1,', '{"tkg":1,"seed":3,', 1)


@damage(0, "twice")
def name_twice_in_the_variant(record: Record) -> str:
    return to_line(record).replace('"side":', '"side":3,"side":', 1)


@damage(0, "twice")
def tile_twice_in_the_deck(record: Record) -> str:
    return to_line(record).replace('"F":2,', '"F":1,"F":2,', 1)


@damage(0, "twice")
def name_twice_in_the_result(record: Record) -> str:
    return to_line(record).replace('"turns":', '"turns":1,"turns":', 1)


@damage(0, "JSON")
def line_broken_off(record: Record) -> str:
    return to_line(record)[:-1]


@damage(0, "JSON")
def two_records_on_a_line(record: Record) -> str:
    return to_line(record) * 2


@damage(0, "JSON")
def single_quotes(record: Record) -> str:
    return to_line(record).replace('"', "'")


@damage(0, "JSON")
def comma_at_the_end(record: Record) -> str:
    return to_line(record)[:-1] + ",}"


@damage(0, "JSON")
def control_character_in_a_text(record: Record) -> str:
    return to_line(record).replace("random", "ran\1dom")


def side_of(record: Record) -> str:
    """How the side stands in the line."""
    return f'"side":{record["variant"]["side"]}'


@damage(0, "NaN")
def not_a_number(record: Record) -> str:
    return to_line(record).replace(side_of(record), '"side":NaN')


@damage(0, "Infinity")
def endless_number(record: Record) -> str:
    return to_line(record).replace('"seed":500000', '"seed":-Infinity')


@damage(0, "side")
def number_too_large_for_a_float(record: Record) -> str:
    return to_line(record).replace(side_of(record), '"side":1e999')


@damage(0, "JSON")
def number_of_ten_thousand_digits(record: Record) -> str:
    return to_line(record).replace(side_of(record), f'"side":{"9" * 10_000}')


@damage(0, "side")
def number_of_four_thousand_digits(record: Record) -> str:
    return to_line(record).replace(side_of(record), f'"side":{"9" * 4000}')


for _place in ("seed", "players", "game", "variant", "chance", "actions", "result"):
    for _depth in (200, 900, 100_000):

        def nested(record: Record, place: str = _place, depth: int = _depth) -> str:
            record[place] = "HERE"
            return to_line(record).replace('"HERE"', "[" * depth + "]" * depth)

        if _depth > 1000:
            damage(0, "JSON", f"{_depth} lists in place of {_place}")(nested)
        elif _place not in ("seed", "players"):  # which play no part in a replay
            _where = {"actions": 1, "result": LAST}.get(_place, 0)
            damage(_where, ".", f"{_depth} lists in place of {_place}")(nested)


for _name, _line in {
    "nothing": "",
    "a list": "[]",
    "a number": "1",
    "a text": '"rift"',
    "null": "null",
    "true": "true",
    "an object without names": "{}",
}.items():
    damage(0, ".", f"{_name} for a record")(lambda record, line=_line: line)


# --- A Rift of Portals --------------------------------------------------------------------------------------------

put("variant.side", 9, 0, "side=9.*3-7", "knob above its range", games=RIFT)
put("variant.side", 2, 0, "side=2.*3-7", "knob below its range", games=RIFT)
put("variant.hand", 4, 0, "hand=4", "constant of another value", games=RIFT)
put("variant.supply", 256, 0, "supply=256", "supply above its range", games=RIFT)
put("variant.supply", [15, 15, 15], 0, "supply=", "supply of three numbers", games=RIFT)
put("variant.supply", [15, 15, 15, -1], 0, "supply=", "supply below nothing", games=RIFT)
put("variant.supply", [[15]], 0, "supply=", "supply in two lists", games=RIFT)
put("variant.supply", {}, 0, "supply=", "supply as an object", games=RIFT)
put("variant.adjacency", "diagonal", 0, "adjacency=diagonal", "unknown option of a reading", games=RIFT)
put("variant.full_boundary", 1, 0, "full_boundary=1", "reading 1 for true", games=RIFT)
put("variant.full_boundary", "true", 0, "full_boundary=true", "reading true as text", games=RIFT)
put("variant.full_boundary", None, 0, "full_boundary", "reading null", games=RIFT)
put("variant.deck.F", 1, 0, "chance: F stands 2 times", "deck that chance does not fit", games=RIFT)
put("result", {}, LAST, "'win' is missing", "result without fields", games=RIFT)
put("result.supply_left", -1, LAST, "supply_left is -1", "number of the result below nothing", games=RIFT)
put("result.win", True, LAST, "win is true; the replay gives false", "victory that was none", games=RIFT)
put("result.win", 0, LAST, "win is 0; the replay gives false", "0 for false in the result", games=RIFT)
put("result.matched", 1, LAST, "matched is 1", "1 for true in the result", games=RIFT)
put("result.matched", "false", LAST, "matched", "false as text in the result", games=RIFT)
lose("result.unmatched", LAST, "'unmatched' is missing", "field missing in the result", games=RIFT)


@damage(0, "chance", games=RIFT)
def chance_one_too_short(record: Record) -> None:
    record["chance"].pop()


@damage(0, "chance", games=RIFT)
def chance_one_too_long(record: Record) -> None:
    record["chance"].append("F")


@damage(0, "chance: .* stands", games=RIFT)
def chance_of_other_tiles(record: Record) -> None:
    record["chance"][-1] = record["chance"][0]


@damage(0, "chance: tile 5 is FFFF", games=RIFT)
def chance_of_a_tile_not_in_the_deck(record: Record) -> None:
    record["chance"][4] = "FFFF"


@damage(0, "chance: tile 5", games=RIFT)
def chance_of_a_number(record: Record) -> None:
    record["chance"][4] = 4


@damage(0, "chance: tile 5", games=RIFT)
def chance_of_a_list(record: Record) -> None:
    record["chance"][4] = ["F"]


@damage(1, "'gain WA' is not legal here", games=RIFT)
def first_action_missing(record: Record) -> None:
    del record["actions"][0]


@damage(2, "'build WAA@G' is not legal here", games=RIFT)
def second_action_missing(record: Record) -> None:
    del record["actions"][1]


@damage(4, "'build WAA@G' is not legal here", games=RIFT)
def two_actions_swapped(record: Record) -> None:
    actions = record["actions"]
    actions[2], actions[3] = actions[3], actions[2]
    assert actions[2:4] == ["refuse AA", "build WAA@G"]


@damage(1, "'keep W'", games=RIFT)
def keeping_a_tile_that_was_not_drawn(record: Record) -> None:
    record["actions"][0] = "keep W"


@damage(3, r"'build WAA@A'.*legal: .*build WAA@G", games=RIFT)
def building_in_a_corner_first(record: Record) -> None:
    record["actions"][2] = "build WAA@A"


@damage(3, "'build WAA@Q'", games=RIFT)
def building_beyond_the_ring(record: Record) -> None:
    record["actions"][2] = "build WAA@Q"


@damage(6, "'build F@G'", games=RIFT)
def building_on_a_tile(record: Record) -> None:
    assert record["actions"][5] == "replace F@G"
    record["actions"][5] = "build F@G"


# --- Cosmic Alignments: elements, then shuffled stacks; 16 drafts, each from three tiles ------------------------------

DRAFTS = 16  # after the last of which the second stack is shuffled
COSMIC_PUTS: list[tuple[str, Any, Any, str, str]] = [
    ("variant.side", 6, 0, "side=6.*3-5", "knob above its range"),
    ("variant.side", 2, 0, "side=2.*3-5", "knob below its range"),
    ("variant.players", 1, 0, "players=1.*2-4", "too few players"),
    ("variant.players", 5, 0, "players=5.*2-4", "too many players"),
    ("variant.players", 3, 0, "list 1 holds 2 entries, where 3 fall", "players that chance does not fit"),
    ("variant.line", 5, 0, "line=5: at most side, which is 4", "knob above another one"),
    ("variant.layout", "open", 0, "layout=open", "unknown option of a reading"),
    ("variant.layout", "dealt", 1, "'draft FEE@A'", "reading that actions do not fit"),
    ("variant.deck", {"F": 15}, 0, "15 tiles; side 4 has 16 cells", "deck too small for the side"),
    ("variant.deck.F", 1, 0, "list 2 holds 48 entries, where 47 fall", "deck that chance does not fit"),
    ("chance", ["F", "E"], 0, "list of lists", "chance in one list"),
    ("chance", [["F", "E"]], 0, "list 2 is missing; it could be", "chance of elements alone"),
    ("chance.0", "FE", 0, "list of lists", "elements as text"),
    ("chance.0", None, 0, "list of lists", "elements null"),
    ("chance.0", [], 0, "list 1 holds 0 entries, where 2 fall", "no elements"),
    ("chance.0", ["F"], 0, "list 1 holds 1 entries, where 2 fall", "an element too few"),
    ("chance.0", ["F", "E", "W"], 0, "list 1 holds 3 entries, where 2 fall", "an element too many"),
    ("chance.0", ["F", "F"], 0, "list 1 cannot have fallen", "element dealt twice"),
    ("chance.0.0", "X", 0, "list 1 cannot have fallen", "element that is none"),
    ("chance.0.0", "FE", 0, "list 1 cannot have fallen", "two elements for one"),
    ("chance.0.0", "", 0, "list 1 cannot have fallen", "element without a letter"),
    ("chance.0.1", 3, 0, "list 1: entry 2 is 3; text", "element as a number"),
    ("chance.1", {}, 0, "list of lists", "stack as an object"),
    ("chance.1.4", "FFFF", 0, "list 2 cannot have fallen", "tile of the first stack that is not in the deck"),
    ("chance.1.4", None, 0, "list 2: entry 5 is None; text", "tile of the first stack null"),
    ("chance.2.4", "FFFF", DRAFTS, "list 3 cannot have fallen", "tile of the second stack that is not in the deck"),
    ("chance.2.4", "FEE", DRAFTS, "list 3 cannot have fallen", "tile of the second stack that was placed"),
    ("chance.2.4", ["F"], 0, "list 3: entry 5 is ", "tile of the second stack in a list"),
    ("chance.2", [], DRAFTS, "list 3 holds 0 entries, where 32 fall", "second stack without tiles"),
    ("actions.0", "draft FE@A", 1, "'draft FE@A' is not legal here", "drafting what was not drawn"),
    ("actions.0", "draft FEE@B", 1, "did you mean draft FEE@A", "drafting to another cell"),
    ("actions.16", "Q1", 17, "'Q1' is not legal here", "placing beyond the layout"),
    ("actions.16", "P17", 17, "'P17' is not legal here", "placing beyond the tile"),
    ("actions.16", "lift A1", 17, "'lift A1' is not legal here", "lifting with tokens in supply"),
    ("actions.16", "occupy A", 17, "'occupy A' is not legal here", "occupying a tile that is not won"),
    ("actions.17", "A1", 18, "'A1' is not legal here", "placing where one is not directed"),
    ("result", {}, LAST, "'winners' is missing", "result without fields"),
    ("result.winners", [], LAST, "winners is \\[\\]", "victory of nobody"),
    ("result.winners", [1, 2], LAST, "winners is \\[1, 2\\]", "victory of everybody"),
    ("result.winners", [True], LAST, "winners is \\[true\\]", "winner true"),
    ("result.winners", 1, LAST, "winners is 1", "winner in no list"),
    ("result.ending", "checkmate", LAST, 'ending is "checkmate"', "ending of another game"),
    ("result.ending", 1, LAST, "ending is 1", "ending by number"),
    ("result.element", ["E", "F"], LAST, "element is", "elements turned round"),
    ("result.points", [1], LAST, "points is \\[1\\]; the replay gives \\[", "points of one seat"),
    ("result.points", [0, 0, 0], LAST, "points is", "points of three seats"),
    ("result.points", {"1": 3, "2": 4}, LAST, "points is", "points as an object"),
    ("result.occupied", "0", LAST, "occupied is", "occupied tiles as text"),
    ("result.full_tiles", 0, LAST, "'full_tiles' is not a field", "field that stands in tables alone"),
]  # fmt: skip
for _put in COSMIC_PUTS:
    put(*_put, games=COSMIC)

lose("chance.0", 0, "list 1 holds 48 entries, where 2 fall", "elements missing", COSMIC)
lose("chance.1", 0, "list 2 holds 32 entries, where 48 fall", "first stack missing", COSMIC)
lose("chance.2", DRAFTS, "list 3 is missing; it could be", "second stack missing", COSMIC)
lose("chance.1.0", 0, "list 2 holds 47 entries, where 48 fall", "first stack one too short", COSMIC)
lose("chance.2.0", DRAFTS, "list 3 holds 31 entries, where 32 fall", "second stack one too short", COSMIC)
lose("result.free_placements", LAST, "'free_placements' is missing", "field missing in the result", COSMIC)
lose("actions.0", 1, "'draft W@B' is not legal here", "first action missing", COSMIC)


@damage(LAST, "chance is left over", games=COSMIC)
def third_shuffle_that_never_falls(record: Record) -> None:
    record["chance"].append(record["chance"][-1])


@damage(LAST, "chance is left over", games=COSMIC)
def empty_shuffle_that_never_falls(record: Record) -> None:
    record["chance"].append([])


@damage(0, "list 2 cannot have fallen", games=COSMIC)
def tile_too_often_in_a_stack(record: Record) -> None:
    record["chance"][1][0] = record["chance"][1][1]


@damage(DRAFTS, "list 3 holds 33 entries, where 32 fall", games=COSMIC)
def second_stack_one_too_long(record: Record) -> None:
    record["chance"][2].append("F")


@damage(0, "list 1 holds 48 entries, where 2 fall", games=COSMIC)
def lists_in_another_order(record: Record) -> None:
    record["chance"].reverse()
    record["chance"] = record["chance"][1:] + record["chance"][:1]


# --- Umbra Via: the track, then stacks, altars and draws; two biddings of two seats, four tiles placed, a round ---------

for _name in ("tile_twice_in_the_deck", "fraction_in_the_result", "name_twice_in_the_result"):  # of what it has not
    del DAMAGES["umbra", _name]
FIRST, SECOND = 4, 8  # actions before the flowers of the first round lie, and before the second round
UMBRA_PUTS: list[tuple[str, Any, Any, str, str]] = [
    ("variant.side", 7, 0, "side=7.*3-6", "knob above its range"),
    ("variant.side", 2, 0, "side=2.*3-6", "knob below its range"),
    ("variant.players", 1, 0, "players=1.*2-4", "too few players"),
    ("variant.players", 3, 0, "chance: list 1 holds 2 entries, where 3 fall", "players that chance does not fit"),
    ("variant.soul_on_tile", 18, 0, "soul_on_tile=18: at most soul, which is 17", "knob above another one"),
    ("variant.claim", "all", 0, "claim=all", "unknown option of a reading"),
    ("variant.specials", True, 0, "specials", "shorthand in a record"),
    ("variant.specials", False, 0, "specials", "shorthand in a record that changes nothing"),
    ("variant.deck", {"F": 17}, 0, "'deck'", "deck where there is none"),
    ("variant.tiles.cross", 1, 0, "no kind 'cross'", "unknown kind of tile"),
    ("variant.tiles.Curve", 6, 0, "no kind 'Curve'", "kind of tile in capitals"),
    ("variant.tiles.curve", 101, 0, "curve is 101", "too many tiles of a kind"),
    ("variant.tiles.curve", -1, 0, "curve is -1", "tiles below nothing"),
    ("variant.tiles.curve", "6", 0, "curve is ", "tiles as text"),
    ("variant.tiles.curve", True, 0, "curve is ", "tiles true"),
    ("variant.tiles.curve", 1.5, 0, "curve is 1.5", "half a tile"),
    ("variant.tiles.curve", 5, 0, "chance: list 2 ", "tiles that chance does not fit"),
    ("variant.tiles", {}, 0, "straight is missing", "tiles without kinds"),
    ("variant.tiles", dict.fromkeys(TILE_KINDS, 0), 0, "no tile at all", "no tile at all"),
    ("variant.tiles", [5, 6, 6, 0, 0, 0], 0, "tiles: a record holds a number", "tiles as a list"),
    ("variant.tiles", None, 0, "tiles: a record holds a number", "tiles null"),
    ("variant.tiles", "straight:5,curve:6,tee:6", 0, "tiles", "tiles in the command line's spelling"),
    ("chance.0", ["track", [2, 1]], 0, "chance 1: .*one of track, stack, altar and draw", "luck in a list"),
    ("chance.0", {}, 0, "chance 1: .*one of track, stack, altar and draw", "luck without a name"),
    ("chance.0", {"dice": [2, 1]}, 0, "chance 1: .*one of track, stack, altar and draw", "luck of an unknown name"),
    ("chance.0.draw", {"seat": 1, "flowers": ""}, 0, "chance 1: .*one of track, stack", "luck of two names"),
    ("chance.0.track", "21", 0, "chance 1: track is a list", "track as text"),
    ("chance.0.track", [], 0, "chance: list 1 ", "track of nobody"),
    ("chance.0.track", [2, 2], 0, "chance: list 1 ", "a seat twice on the track"),
    ("chance.0.track", [1, 3], 0, "chance: list 1 ", "seat on the track that is not taken"),
    ("chance.0.track", [1, 0], 0, "chance: list 1 ", "seat 0 on the track"),
    ("chance.0.track", [2, True], 0, "chance: list 1 ", "seat true on the track"),
    ("chance.0.track", [2, 1, 3], 0, "chance: list 1 ", "track of three"),
    ("chance.0.track", [10**30, 1], 0, "chance: list 1 ", "seat of a very large number"),
    ("chance.1.stack", [], 0, "chance: list 2 ", "stack without tiles"),
    ("chance.1.stack", {"tee": 6}, 0, "chance 2: stack is a list", "stack as an object"),
    ("chance.1.stack.0", "void", 0, "chance: list 2 ", "tile in the stack that is not in the set"),
    ("chance.1.stack.0", "straight", 0, "chance: list 2 ", "tile too often in the stack"),
    ("chance.1.stack.0", "NES", 0, "chance: list 2 ", "tile in the stack by its openings"),
    ("chance.1.stack.0", ["tee"], 0, "chance: list 2 ", "tile of the stack in a list"),
    ("chance.2.altar", ["ESW", "SW", "NE"], 0, "chance: list 3 ", "altar one too short"),
    ("chance.2.altar", "ESW", 0, "chance 3: altar is a list", "altar as text"),
    ("chance.2.altar.0", "NS", 0, "chance: list 3 ", "altar of another tile than the stack has"),
    ("chance.2.altar.1", "NES", 0, "chance: list 3 ", "orientation that a curve cannot have"),
    ("chance.2.altar.0", "SEW", 0, "chance: list 3 ", "openings in another order"),
    ("chance.2.altar.0", "tee", 0, "chance: list 3 ", "tile on the altar by its kind"),
    ("chance.2.altar.0", "", 0, "chance: list 3 ", "tile on the altar without openings"),
    ("chance.2.altar.0", None, 0, "chance: list 3 ", "tile on the altar null"),
    ("chance.3.draw", "EEE", 0, "chance 4: a draw is written", "draw as text"),
    ("chance.3.draw.sort", "E", 0, "chance 4: a draw is written", "draw with another name"),
    ("chance.3.draw.flowers", ["E", "E", "E"], 0, "chance 4: a draw is written", "flowers in a list"),
    ("chance.3.draw.seat", 2, 0, "chance: list 4 ", "draw of the wrong seat"),
    ("chance.3.draw.seat", 10**30, 0, "chance: list 4 ", "draw of a seat of a very large number"),
    ("chance.3.draw.seat", "1", 0, "chance: list 4 ", "seat of a draw as text"),
    ("chance.3.draw.seat", True, 0, "chance: list 4 ", "seat of a draw true"),
    ("chance.3.draw.flowers", "EE", 0, "chance: list 4 ", "draw of too few flowers"),
    ("chance.3.draw.flowers", "EEEE", 0, "chance: list 4 ", "draw of too many flowers"),
    ("chance.3.draw.flowers", "SEE", 0, "chance: list 4 ", "flowers drawn in another order"),
    ("chance.3.draw.flowers", "eee", 0, "chance: list 4 ", "flowers in small letters"),
    ("chance.3.draw.flowers", "EEX", 0, "chance: list 4 ", "flower of no sort"),
    ("chance.5.draw.seat", 2, 2, "chance: list 6 ", "draw of the wrong seat in the second bidding"),
    ("chance.7.altar.0", "NES", SECOND, "chance: list 8 ", "altar of the second round of another tile"),
    ("chance.8.draw.flowers", "SE", SECOND, "chance: list 9 ", "flowers drawn in another order in the second round"),
    ("actions.0", "bid III:EE I:E", 1, "'bid III:EE I:E' is not legal here", "bid in another order of places"),
    ("actions.0", "bid I:E  III:EE", 1, "is not legal here", "bid with two blanks"),
    ("actions.0", "bid I:E II: III:EE", 1, "is not legal here", "bid that names a place without flowers"),
    ("actions.0", "bid I:E", 1, "'bid I:E' is not legal here", "bid of fewer flowers than were drawn"),
    ("actions.0", "bid I:EEEE", 1, "'bid I:EEEE' is not legal here", "bid of more flowers than were drawn"),
    ("actions.0", "bid I:EES", 1, "'bid I:EES' is not legal here", "bid of a flower that was not drawn"),
    ("actions.0", "bid V:EEE", 1, "'bid V:EEE' is not legal here", "bid on a place that is not there"),
    ("actions.0", "bid I:E I:EE", 1, "is not legal here", "bid that names a place twice"),
    ("actions.0", "bid -", 1, "'bid -' is not legal here", "bid of nothing with flowers in hand"),
    ("actions.8", "bid II:SE III:S", 9, "did you mean .*bid II:ES III:S", "flowers of a bid in another order"),
    ("actions.4", "place A", FIRST + 1, "'place A' is not legal here", "placing in a corner first"),
    ("actions.4", "place Q", FIRST + 1, "'place Q' is not legal here", "placing beyond the board"),
    ("actions.4", "place k", FIRST + 1, "did you mean place K", "cell in small letters"),
    ("actions.4", "void K", FIRST + 1, "'void K' is not legal here", "placing a tile like a void"),
    ("actions.4", "scatter stay", FIRST + 1, "'scatter stay' is not legal here", "scattering without a point"),
    ("actions.5", "place K", FIRST + 2, "'place K' is not legal here", "placing on a tile"),
    ("actions.5", "place A", FIRST + 2, "'place A' is not legal here", "placing beside no tile"),
    ("result", {}, LAST, "'winners' is missing", "result without fields"),
    ("result.winners", [1, 2], LAST, "winners is ", "victory of everybody"),
    ("result.winners", [], LAST, "winners is ", "victory of nobody"),
    ("result.ending", "stuck", LAST, 'ending is "stuck"', "another ending"),
    ("result.soul_left", [0], LAST, "soul_left is ", "flowers of one seat"),
    ("result.soul_left", 0, LAST, "soul_left is 0", "number for a list by seat"),
    ("result.summonings", "12", LAST, 'summonings is "12"', "number of the result as text"),
    ("result.path_tiles", 30, LAST, "'path_tiles' is not a field", "field that stands in tables alone"),
]  # fmt: skip
for _put in UMBRA_PUTS:
    put(*_put, games=UMBRA)

for _kind in TILE_KINDS:
    lose(f"variant.tiles.{_kind}", 0, f"{_kind} is missing", f"tiles without {_kind}", UMBRA)
lose("chance.0", 0, "chance: list 1 ", "track missing", UMBRA)
lose("chance.1", 0, "chance: list 2 ", "stack missing", UMBRA)
lose("chance.2", 0, "chance: list 3 ", "altar missing", UMBRA)
lose("chance.3", 0, "chance: list 4 ", "first draw missing", UMBRA)
lose("chance.5", 2, "chance: list 6 ", "draw of the second bidding missing", UMBRA)
lose("chance.7", SECOND, "chance: list 8 ", "altar of the second round missing", UMBRA)
lose("chance.1.stack.0", 0, "chance: list 2 ", "stack one too short", UMBRA)
lose("chance.3.draw.seat", 0, "chance 4: a draw is written", "draw of nobody", UMBRA)
lose("result.firsts", LAST, "'firsts' is missing", "field missing in the result", UMBRA)


@damage(0, "chance: list 4 ", games=UMBRA)
def more_flowers_than_are_in_the_bag(record: Record) -> None:
    """A bag of one soul flower, of which two are drawn."""
    record["variant"]["soul_on_tile"] = 16
    record["chance"][3]["draw"]["flowers"] = "ESS"


@damage(LAST, "chance is left over", games=UMBRA)
def altar_that_is_never_laid_out(record: Record) -> None:
    record["chance"].append({"altar": []})


@damage(LAST, "rounds", games=UMBRA)
def half_a_round_in_the_result(record: Record) -> None:
    record["result"]["rounds"] += 0.5


@damage(0, "twice", games=UMBRA)
def rounds_twice_in_the_result(record: Record) -> str:
    return to_line(record).replace('"rounds":', '"rounds":1,"rounds":', 1)


@damage(0, "twice", games=UMBRA)
def kind_of_tile_twice(record: Record) -> str:
    return to_line(record).replace('"curve":6,', '"curve":5,"curve":6,', 1)


@damage(0, "twice", games=UMBRA)
def name_twice_in_the_luck(record: Record) -> str:
    return to_line(record).replace('"track":', '"track":[1,2],"track":', 1)


# --- Tests --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "name"), DAMAGES)
def test_damage_is_refused_where_it_is(game: str, name: str, sample: Record) -> None:
    spoil, where, reason = DAMAGES[game, name]
    last = len(sample["actions"])
    spoiled = spoil(sample)
    line = spoiled if isinstance(spoiled, str) else json.dumps(sample)
    expected = {LAST: last, AFTER: last + 1}.get(where, where)
    with pytest.raises(tkg.BadRecord, match=reason) as refused:
        from_record(parse_record(line), finished=True)
    assert refused.value.action == expected
    assert refused.value.reason
    assert str(refused.value) == f"action {expected}: {refused.value.reason}"
    assert len(str(refused.value)) < 2500
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("game", GAMES)
def test_there_are_many_kinds_of_damage(game: str) -> None:
    assert sum(of == game for of, _ in DAMAGES) > 100


def test_the_undamaged_record_is_fine(sample: Record) -> None:
    """Else the damages above would prove nothing."""
    assert to_record(from_record(sample, finished=True)) == sample
    assert sample["tkg"] == FORMAT
    assert tuple(sample) == NAMES

"""Variants: knobs and readings with their ranges, what is refused, and the string that stands for a variant."""

import copy
import pickle

import numpy as np
import pytest

import tkg
from tkg.rules.games import rules_of
from tkg.rules.knobs import Variant

# The readings of A Rift of Portals, the default first.
RIFT_READINGS = {
    "gate": ("tile", "empty"),
    "adjacency": ("orthogonal", "all"),
    "build_match": ("each", "common", "any"),
    "replace": ("matched", "free", "off"),
    "full_boundary": (True, False),
    "coverage": ("insignia", "element"),
    "hop": ("once", "again"),
    "tile_moves": ("indicated", "any"),
    "move_mix": (True, False),
    "shortfall": ("partial", "illegal"),
    "excess": ("void", "stay"),
    "standing": ("points", "stable-first"),
}
OWN = {"F": 3, "WE": 2, "-": 1}


def test_rift_default():
    variant = tkg.rift()
    assert (variant.side, variant.supply, variant.hand) == (3, 15, 3)
    assert (variant.deck, variant.deck.total) == (tkg.load_deck("reference"), 48)
    assert {name: variant[name] for name in RIFT_READINGS} == {n: options[0] for n, options in RIFT_READINGS.items()}
    assert list(variant) == ["side", "deck", "supply", "hand", *RIFT_READINGS]
    assert (str(variant), variant.game, variant.seats) == ("rift()", "rift", 1)


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, options in RIFT_READINGS.items() for v in options])
def test_rift_every_option_of_every_reading(name, value):
    variant = tkg.rift(**{name: value})
    assert variant[name] == value
    assert (variant == tkg.rift()) is (value == RIFT_READINGS[name][0])
    assert tkg.variant(str(variant)) == variant


@pytest.mark.parametrize(
    "settings",
    [
        *({"side": n} for n in (3, 4, 5, 6, 7)),
        *({"supply": n} for n in (0, 255, [0, 255, 1, 0])),
        {"hand": 3},
        *({"deck": {"F": n}} for n in (3, 200)),
    ],
)
def test_rift_range_of_every_knob(settings):
    variant = tkg.rift(**settings)
    assert variant.plain() == {**tkg.rift().plain(), **settings}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"side": 2}, "side=2: a whole number of tiles, 3-7"),
        ({"side": 8}, "side=8: .*3-7"),
        ({"side": 3.5}, "side=3.5: .*3-7"),
        ({"side": True}, "side=True: .*3-7"),
        ({"side": "4"}, "side=4: .*3-7"),
        ({"side": None}, "side=None"),
        ({"side": float("nan")}, "side=nan"),
        ({"side": float("inf")}, "side=inf"),
        ({"side": [4]}, "side="),
        ({"hand": 2}, "hand=2: a whole number of tiles, 3"),
        ({"hand": 4}, "hand=4"),
        ({"supply": -1}, "supply=-1: Oinks, one number 0-255, or four in the order fire, water, air, earth"),
        ({"supply": 256}, "supply=256"),
        ({"supply": True}, "supply=True"),
        ({"supply": "15"}, "supply=15"),
        ({"supply": [15, 15, 15]}, "supply=.*four"),
        ({"supply": [15] * 5}, "supply=.*four"),
        ({"supply": []}, "supply=.*four"),
        ({"supply": [15, 15, 15, 256]}, "supply=.*0-255"),
        ({"supply": [15, 15, 15, True]}, "supply="),
        ({"supply": [15, 15, 15, [15]]}, "supply="),
        ({"supply": {"F": 15}}, "supply="),
        ({"deck": {"F": 2}}, "2 tiles; 3-200 tiles"),
        ({"deck": {"F": 0}}, "0 tiles; 3-200 tiles"),
        ({"deck": {"F": 200, "W": 1}}, "201 tiles"),
        ({"deck": {"WF": 9}}, "written FW"),
        ({"deck": "nowhere"}, "nowhere"),
        ({"deck": 48}, "deck 48"),
        ({"gate": "tiles"}, "gate=tiles: one of tile, empty"),
        ({"build_match": "all"}, "build_match=all: one of each, common, any"),
        ({"replace": True}, "replace=True: one of matched, free, off"),
        ({"full_boundary": 1}, "full_boundary=1: one of true, false"),
        ({"full_boundary": "true"}, "full_boundary=true: one of true, false"),
        ({"move_mix": None}, "move_mix=None: one of true, false"),
        ({"standing": "stable_first"}, "standing=stable_first: one of points, stable-first"),
        ({"sides": 4}, "rift has no knob or reading 'sides'"),
    ],
)
def test_rift_refused_values(settings, message):
    with pytest.raises(tkg.Refused, match=message):
        tkg.rift(**settings)


@pytest.mark.parametrize("name", ["Side", "", "game", "packed", "values_by_name", "rules", "self"])
def test_unknown_names_of_a_record_are_refused(name):
    record = tkg.to_record(tkg.new(tkg.rift(), seed=1))
    record["variant"] = {name: 3}
    with pytest.raises(tkg.BadRecord, match="has no knob or reading") as refused:
        tkg.from_record(record)
    assert refused.value.action == 0


@pytest.mark.parametrize("deck", ["threes", "nowhere", "a\0b", "x" * 5000, None, ["F", "F", "F"]])
def test_deck_of_a_record_is_counts_by_tile(deck):
    """A record is replayed from what stands in it: no name of a deck and no path of a file."""
    record = tkg.to_record(tkg.new(tkg.rift(deck="threes"), seed=1))
    assert tkg.from_record(record).variant == tkg.rift(deck="threes")
    record["variant"] = {"deck": deck}
    with pytest.raises(tkg.BadRecord, match="deck"):
        tkg.from_record(record)


@pytest.mark.parametrize("value", [4.0, np.int64(4), np.float64(4)])
def test_whole_numbers_are_taken_as_such(value):
    variant = tkg.rift(side=value, supply=[value] * 3 + [5])
    assert (variant.side, type(variant.side)) == (4, int)
    assert (variant.supply, {type(n) for n in variant.supply}) == ((4, 4, 4, 5), {int})
    assert variant == tkg.rift(side=4, supply=(4, 4, 4, 5))


def test_supply_of_four_equal_numbers_is_one_number():
    assert tkg.rift(supply=[15, 15, 15, 15]) == tkg.rift()
    assert hash(tkg.rift(supply=[7, 7, 7, 7])) == hash(tkg.rift(supply=7))
    assert str(tkg.rift(supply=[7.0, 7, 7, 7])) == "rift(supply=7)"


# --- The string ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({}, "rift()"),
        ({"supply": 12, "side": 4}, "rift(side=4, supply=12)"),  # in the order of the declarations
        ({"supply": [20, 5, 15, 0]}, "rift(supply=20,5,15,0)"),
        ({"supply": [20, 5, 15, 0], "gate": "empty"}, "rift(supply=20,5,15,0, gate=empty)"),
        ({"full_boundary": False, "move_mix": False}, "rift(full_boundary=false, move_mix=false)"),
        ({"full_boundary": True}, "rift()"),
        ({"deck": "threes", "standing": "stable-first"}, "rift(deck=threes, standing=stable-first)"),
        ({"deck": "reference"}, "rift()"),
    ],
)
def test_string_of_a_variant(settings, text):
    variant = tkg.rift(**settings)
    assert str(variant) == repr(variant) == text
    assert tkg.variant(text) == variant
    assert str(tkg.variant(text)) == text


def test_string_of_a_variant_with_an_own_deck():
    deck = tkg.Deck(OWN, "my deck")
    variant = tkg.rift(deck=deck, supply=[1, 2, 3, 4])
    assert str(variant) == f"rift(deck=my_deck#{deck.digest}, supply=1,2,3,4)"
    assert tkg.variant(str(variant)) == variant
    assert dict(tkg.variant(str(variant)).deck) == OWN
    shipped_name = tkg.rift(deck=tkg.Deck(OWN, "threes"))
    assert str(shipped_name) == f"rift(deck=threes#{deck.digest})"
    assert dict(tkg.variant(str(shipped_name)).deck) == OWN


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("rift", {}),
        (" rift( ) ", {}),
        ("rift(side = 4,supply=12)", {"side": 4, "supply": 12}),
        ("rift(supply=[20, 5, 15, 0], side=4)", {"supply": [20, 5, 15, 0], "side": 4}),
        ("rift(full_boundary=False)", {"full_boundary": False}),
        ("rift(full_boundary=no)", {"full_boundary": False}),
        ("rift(move_mix=true)", {}),
    ],
)
def test_string_as_people_type_it(text, settings):
    assert tkg.variant(text) == tkg.rift(**settings)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "written like rift"),
        ("rift(side=4", "written like rift"),
        ("chess()", "no game 'chess'"),
        ("rift(side)", "NAME=VALUE"),
        ("rift(side=4, side=5)", "NAME=VALUE"),
        ("rift(sides=4)", "no knob or reading 'sides'"),
        ("rift(side=four)", "side=four"),
        ("rift(side=4.0)", "side=4.0"),
        ("rift(side=9)", "side=9"),
        ("rift(supply=1,2,3)", "supply="),
        ("rift(supply=)", "supply="),
        ("rift(full_boundary=maybe)", "full_boundary=maybe"),
        ("rift(gate=TILE)", "gate=TILE"),
        ("rift(deck=nowhere)", "nowhere"),
        ("rift(deck=threes#00000000)", "has changed"),
    ],
)
def test_string_refused(text, message):
    with pytest.raises(tkg.Refused, match=message):
        tkg.variant(text)


# --- Frozen, compared by value ------------------------------------------------------------------------------


def test_variant_is_frozen():
    variant = tkg.rift()
    with pytest.raises(AttributeError, match="never changes"):
        variant.side = 4
    with pytest.raises(TypeError):
        variant["side"] = 4
    with pytest.raises(ValueError, match="read-only"):
        variant.packed["side"] = 4
    with pytest.raises(AttributeError, match="no 'sides'"):
        _ = variant.sides
    assert variant.side == 3


def test_variant_but():
    variant = tkg.rift(side=4, gate="empty")
    assert variant.but(supply=9, side=5) == tkg.rift(side=5, gate="empty", supply=9)
    assert variant == tkg.rift(side=4, gate="empty")
    with pytest.raises(tkg.Refused, match="side=9"):
        variant.but(side=9)


def test_variant_is_compared_and_hashed_by_value():
    variants = [tkg.rift(deck=tkg.Deck(OWN, name), side=4.0) for name in ("one", "other")]
    assert variants[0] == variants[1]
    assert len(set(variants)) == 1
    assert variants[0] != tkg.rift(deck=OWN)
    assert tkg.rift() != "rift()"


@pytest.mark.parametrize("settings", [{}, {"side": 4, "supply": [1, 2, 3, 4], "full_boundary": False, "deck": OWN}])
def test_variant_is_pickled_and_copied(settings):
    variant = tkg.rift(**settings)
    assert len(variant.packed) == 1  # also once this is made
    for twin in (pickle.loads(pickle.dumps(variant)), copy.deepcopy(variant)):
        assert (twin, hash(twin), str(twin)) == (variant, hash(variant), str(variant))
        assert twin.packed.tobytes() == variant.packed.tobytes()


def test_variant_as_json_has_it():
    plain = tkg.rift(deck=OWN, supply=[1, 2, 3, 4], side=4).plain()
    assert plain["deck"] == OWN
    assert (plain["supply"], plain["side"], plain["move_mix"]) == ([1, 2, 3, 4], 4, True)
    assert Variant(rules_of("rift"), **plain) == tkg.rift(deck=OWN, supply=[1, 2, 3, 4], side=4)


def test_rule_summary_names_everything():
    summary = tkg.rift(side=4, replace="free").rule_summary()
    for name in tkg.rift():
        assert f"| `{name}` |" in summary
    assert "| `side` | 4 | 3-7 |" in summary
    assert "| `replace` | free | matched, free, off |" in summary

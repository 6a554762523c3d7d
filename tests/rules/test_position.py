"""Positions set up by hand: what they come to, what is dealt where they tell nothing, and what is refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import tkg

# --- By hand ------------------------------------------------------------------------------------------------------

RING = tkg.rift(deck={"F": 4, "W": 4, "FW": 4, "A": 3})  # four turns
GRID = tkg.cosmic(side=3, layout="dealt", deck={"F": 8, "FW": 8})
BOARD = tkg.umbra(side=3)

RIFT: dict[str, Any] = {
    "phase": "build",
    "turn": 2,
    "hand": ["W", "A"],
    "cells": {"B": {"tile": "F", "oinks": "F"}, "C": {"tile": "FW"}},
    "gate": "FA",
    "void": [0, 1, 0, 0],
}
# Two tiles are occupied by seat 1, which is directed to C and can complete a line there.
COSMIC: dict[str, Any] = {
    "mover": 1,
    "seats": [{"element": "F"}, {"element": "W"}],
    "cells": {
        "A": {"oink": 1},
        "B": {"oink": 1},
        "C": {"tokens": [[1, 1], [2, 9], [1, 2]]},
        "D": {"tokens": [[2, 3]]},
    },
    "last": "D3",
}
# The path from B to E ends at H, where a straight completes it.
UMBRA: dict[str, Any] = {
    "phase": "place",
    "decider": 1,
    "due": "I",
    "track": [2, 1],
    "altar": {"I": {"tile": "NS", "flowers": ["E", ""]}, "IV": {}},
    "cells": {"B": {"tile": "NS", "energy": [2, 0]}, "E": {"tile": "NS", "energy": [0, 1]}},
    "seats": [{"soul_tile": 1}, {"soul_tile": 5, "spent": 2}],
}
BIDS: dict[str, Any] = {
    "altar": {"I": {"tile": "NS"}, "II": {"tile": "NES"}, "III": {"tile": "EW"}, "IV": {"tile": "NW"}},
    "seats": [{"hand": "EES"}, {"hand": "EEE"}],
}


def test_a_ring() -> None:
    """W shares water with FW alone; A shares nothing with any tile that lies there."""
    game = tkg.set_up(RING, RIFT, seed=1)
    assert (game.kind, game.seat) == ("build", 1)
    assert game.legal == ["refuse W", "replace W@B", "build W@E", "refuse A"]
    view = game.view()
    assert (view["gate"], view["void"], view["supply"]) == ([1, 0, 1, 0], [0, 1, 0, 0], [13, 14, 14, 15])
    assert sum(view["stack"].values()) == 15 - 3 - 3 * 3
    assert sum(view["set_up"].values()) == 3
    game.play("build W@E")
    assert game.legal == ["refuse A", "move A gate>B", "move A gate>C", "move A gate>E"]
    game.play("move A gate>E")
    assert (game.kind, game.view()["turn"]) == ("gain", 3)
    assert game.view()["cells"]["E"] == {"place": (1, 2), "tile": "W", "oinks": [0, 0, 1, 0]}
    while not game.over:
        game.play(game.legal[0])
    assert game.result["turns"] == 4


def test_a_ring_before_its_first_turn() -> None:
    game = tkg.set_up(RING, {"phase": "keep", "hand": ["F", "F", "FW"]}, seed=1)
    assert game.legal == ["keep F", "keep FW"]
    assert game.play("keep FW").view()["set_up"] == {"F": 2, "FW": 1}
    assert sum(tkg.set_up(RING, {"phase": "keep"}, seed=1).view()["stack"].values()) == 12


def test_a_grid() -> None:
    """A token on space 3 of D directs to C, where a third one in the upper row makes a line."""
    game = tkg.set_up(GRID, COSMIC, seed=1)
    assert (game.kind, game.seat) == ("place", 1)
    assert game.legal == ["C3", "C4", "C5", "C6", "C7", "C8"]
    view = game.view()
    assert (view["turn"], view["directed"], view["bound"]) == (10, "C", "C")
    assert [(seat["life"], seat["oinks"]) for seat in view["seats"]] == [(31, 11), (31, 13)]
    assert game.play("C3").legal == ["occupy C", "capture C"]
    assert game.copy().play("capture C").legal[0] == "C1"
    game.play("occupy C")
    assert game.outcome is not None
    assert (game.outcome.ending, game.outcome.winners) == ("alignment", (1,))


def test_a_tile_that_is_won_is_to_be_taken() -> None:
    cells = {"A": {"tile": "F"}, "D": {"tokens": [[2, 1]]}}
    told = {
        "cells": cells,
        "mover": 1,
        "last": "A4",
        "won": "A",
        "winner": 2,
        "seats": [{"element": "F"}, {"element": "W"}],
    }
    game = tkg.set_up(GRID, told, seed=1)
    assert (game.kind, game.seat, game.legal) == ("take", 2, ["occupy A", "capture A"])
    game.play("capture A")
    assert (game.seat, game.view()["mover"], game.view()["seats"][1]["captured"]) == (2, 2, ["F"])
    assert game.result["points"] == [0, 1]
    assert game.legal == [f"D{space}" for space in range(2, 10)]


def test_a_token_in_hand() -> None:
    """Seat 1 has lifted its only token from B and may not put it back there."""
    variant = GRID.but(life=1)
    told = {"mover": 1, "turn": 4, "last": "D3", "cells": {"D": {"tokens": [[2, 3]]}}, "lifted": "B"}
    game = tkg.set_up(variant, told, seed=1)
    assert game.legal == [f"C{space}" for space in range(1, 10)]
    assert game.view()["lifted"] == "B"
    told = {"mover": 1, "turn": 4, "last": "D3", "cells": {"D": {"tokens": [[2, 3]]}, "B": {"tokens": [[1, 1]]}}}
    assert tkg.set_up(variant, told, seed=1).legal == ["lift B1"]


def test_who_has_seen_a_tile() -> None:
    """The drafter knows a tile, everybody one that is occupied, nobody one that fills the place of a captured one.

    Six hands are drawn from the first stack, of 16 tiles, and three from the second: two by seat 1 and one by seat 2.
    """
    variant = tkg.cosmic(side=3, deck={"F": 4, "FW": 4, "FFF": 2, "WWW": 2, "AAA": 2, "EEE": 2})
    told: dict[str, Any] = {
        "cells": {
            "A": {"tile": "FFF"},
            "B": {"tile": "WWW"},
            "C": {"tile": "AAA", "oink": 2},
            "D": {"tile": "EEE", "refilled": True},
        },
        "seats": [{"element": "F", "captured": ["F", "FW"]}, {"element": "W", "aside": {"F": 1, "FW": 1}}],
        "last": "D3",
    }
    game = tkg.set_up(variant, told, seed=3)
    seen = {seat: [game.view(seat)["cells"][cell]["tile"] for cell in "ABCD"] for seat in (1, 2, None)}
    assert seen == {1: ["FFF", None, "AAA", None], 2: [None, "WWW", "AAA", None], None: [None, None, "AAA", None]}
    assert game.result["points"] == [2 + 3, 0]
    assert game.view(2)["aside"] == {"F": 1, "FW": 1}
    assert sum(game.view(1)["aside"].values()) == 4


def test_a_draft_in_another_order() -> None:
    variant = GRID.but(layout="free")
    order = list("IHGFEDCBA")
    game = tkg.set_up(variant, {"draft": order, "cells": {"H": {"tile": "F"}}}, seed=1)
    assert game.position["draft"] == order
    assert [game.view(seat)["cells"]["H"]["tile"] for seat in (1, 2)] == [None, "F"]


def test_a_board() -> None:
    """The path of three pays three soul flowers: one that is left, and two for the tile; the second rank gets two."""
    game = tkg.set_up(BOARD, UMBRA, seed=1)
    assert (game.kind, game.seat) == ("place", 1)
    assert game.legal == ["place A", "place C", "place D", "place F", "place H"]
    view = game.view()
    assert [seat["bag"] for seat in view["seats"]] == [[32 - 3, 16], [32 - 1, 10]]
    assert view["stack"] == {"straight": 2, "curve": 6, "tee": 6, "point": 0, "void": 0, "block": 0}
    game.play("place H")
    assert game.outcome is not None
    assert (game.outcome.ending, game.outcome.winners) == ("claimed", (1,))
    assert (game.result["soul_left"], game.result["soul_gained"]) == ([0, 3], [11, 8])


def test_bids() -> None:
    game = tkg.set_up(BOARD, BIDS, seed=1)
    assert (game.kind, game.seat, game.view()["hand"]) == ("bid", 1, [2, 1])
    assert len(game.legal) == 10 * 4  # two energy flowers on four tiles, times one soul flower
    game.play("bid I:EE II:S")
    assert game.seat == 2
    assert len(game.legal) == 20
    decided = {**BIDS, "seats": [{"bid": "I:EE II:S"}, {"hand": "EEE"}]}
    again = tkg.set_up(BOARD, decided, seed=1)
    assert (again.seat, again.legal) == (2, game.legal)
    assert again.view(1)["bid"] == "I:EE II:S"
    assert game.play("bid III:EEE").view()["altar"] == again.play("bid III:EEE").view()["altar"]


def test_a_point_scatters() -> None:
    variant = tkg.umbra(side=3, tiles="straight:5,point:1,void:1,curve:4")
    told = {
        "phase": "scatter",
        "decider": 2,
        "spot": "E",
        "altar": {"II": {"tile": "void", "flowers": ["EE", ""]}, "IV": {}},
        "cells": {"E": {"tile": "point", "energy": [1, 2]}, "B": {"tile": "NS"}, "A": {"energy": [0, 3]}},
    }
    game = tkg.set_up(variant, told, seed=1)
    assert (game.seat, game.legal) == (2, ["scatter stay", "scatter B"])
    game.play("scatter B")  # the straight from the edge to the point is complete now
    assert (game.kind, game.seat, game.result["summonings"]) == ("void", 1, 1)
    assert game.legal == [f"void {cell}" for cell in "ABCDFGHI"]
    assert game.position["cells"] == {"E": {"tile": "point"}, "A": {"energy": [0, 3]}}
    by_ones = tkg.set_up(variant.but(scatter="split"), told, seed=1).play("scatter B")
    assert by_ones.position["cells"]["E"] == {"tile": "point", "energy": [0, 2]}


# --- What is not told ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "told"), [(RING, RIFT), (GRID, COSMIC), (BOARD, BIDS), (BOARD, {**BIDS, "seats": [{}, {}]})]
)
def test_what_is_not_told_is_dealt_from_the_seed(variant: tkg.Variant, told: dict[str, Any]) -> None:
    states = {tkg.set_up(variant, told, seed).states.tobytes() for seed in (*range(8), *range(8))}
    assert len(states) == 8


def test_every_order_of_the_stack_comes_up() -> None:
    told = {
        **RIFT,
        "turn": 2,
        "stack": {"A": 1, "F": 1, "W": 1},
        "phase": "move",
        "hand": ["A"],
        "set_up": {"F": 1, "W": 2},
    }
    orders = Counter(
        tuple(
            game.rules.text(game.variant, game.states[0], 1 << 24 | int(kind) << 8)
            for kind in game.states[0].deck[12:15]
        )
        for game in (tkg.set_up(RING, told, seed) for seed in range(240))
    )
    assert len(orders) == 6
    assert min(orders.values()) > 20


def test_hands_that_are_not_told_are_drawn_from_the_bag() -> None:
    told = {**BIDS, "seats": [{"soul_tile": 0, "spent": 17}, {}]}
    hands = Counter(tkg.set_up(BOARD, told, seed).view(1)["hand"][0] for seed in range(20))
    assert hands == {3: 20}, "a bag without soul flowers gives none"


# --- What is refused ----------------------------------------------------------------------------------------------


def but(position: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The position with other entries; without those that are None."""
    return {name: value for name, value in {**position, **changes}.items() if value is not None}


REFUSED: list[tuple[tkg.Variant, dict[str, Any], str]] = [
    (RING, but(RIFT, phase=None), "phase is missing"),
    (RING, but(RIFT, phase="over"), "the game is over"),
    (RING, but(RIFT, phase="biuld"), "did you mean build"),
    (RING, but(RIFT, supply=[1, 1, 1, 1]), "no entry supply"),
    (RING, but(RIFT, turn=4), "from 0 to 3"),
    (RING, but(RIFT, turn=1), "at most one tile is built a turn; tiles on the ring: 2, turns completed: 1"),
    (RING, but(RIFT, hand=None), "the hand is missing"),
    (RING, but(RIFT, hand=["W"]), "hand: tiles told: 1; there are 2"),
    (RING, but(RIFT, hand=["W", "E"]), "tile E is not in the deck"),
    (RING, but(RIFT, hand=["A", "A"], stack={"A": 2, "F": 1}), "A lies 4 times in this position; the deck has 3"),
    (RING, but(RIFT, stack={"A": 2}), "stack: tiles told: 2; there are 3"),
    (RING, but(RIFT, set_up={"A": 2}), "set_up: tiles told: 2; there are 3"),
    (RING, but(RIFT, gate="FX"), "gate: FX; text of the letters FWAE"),
    (RING, but(RIFT, gate="F" * 15), "16 fire Oinks lie in gate, void and on tiles; there are 15"),
    (RING, but(RIFT, cells={"I": {"tile": "F"}}), "no entry I; there are A, B, C"),
    (RING, but(RIFT, cells={"B": {"oinks": "F"}}), "cell B: the tile is missing"),
    (RING, but(RIFT, cells={"A": {"tile": "F"}}), "cell A: the first tile goes beside the inside of the ring"),
    (RING, but(RIFT, cells={"B": {"tile": "F"}, "G": {"tile": "F"}}), "cell G: built tiles hang together"),
    (RING, but(RIFT, cells={"B": {"tile": "F"}, "C": {"tile": "W"}}), "W shares no element with F on B"),
    (RING, {"phase": "keep", "gate": "F"}, "gate: at the phase keep nothing has been played"),
    (tkg.rift(deck={"-": 9}), {"phase": "move", "hand": ["-"]}, "a tile without insignias moves nothing"),
    (tkg.rift(deck={"F": 3}), {"phase": "gain"}, "no turn can be played"),
    (GRID, but(COSMIC, phase="draft"), "a draft cannot be set up"),
    (GRID, but(COSMIC, phase="lift"), "lift; from the rest follows place"),
    (GRID, but(COSMIC, mover=3), "mover: 3; a seat, a whole number from 1 to 2"),
    (GRID, but(COSMIC, turn=11), "after 11 turns it is seat 2's turn"),
    (GRID, but(COSMIC, turn=8), "take 10"),
    (GRID, but(COSMIC, turn=1000), "stopped after 1000"),
    (GRID, but(COSMIC, last=None), "the last placement is missing"),
    (GRID, but(COSMIC, last="D0"), "a tile and a space from 1 to 9"),
    (GRID, but(COSMIC, last="D4"), "seat 2's on space 4 must be the last"),
    (GRID, {"last": "A5"}, "nobody has placed a token yet"),
    (tkg.cosmic(), {"last": "A5", "turn": 1}, "no token on tile A, and it has not been taken either"),
    (GRID, but(COSMIC, cells={"A": {"oink": 1, "tokens": [[1, 1]]}}), "cell A: there are an Oink and tokens"),
    (GRID, but(COSMIC, cells={"A": {"tokens": [[1, 1], [2, 1]]}}), "token 2: there is another token on space 1"),
    (GRID, but(COSMIC, cells={"A": {"tokens": [[1, 10]]}}), "space: 10; a space, a whole number from 1 to 9"),
    (GRID, but(COSMIC, cells={"A": {"tokens": [[1, 1], [1, 2], [1, 3]]}}), "seat 1 has a line here"),
    (GRID, but(COSMIC, cells={"A": {"tile": "W"}}), "cell A: tile W is not in the deck"),
    (GRID, but(COSMIC, cells={"A": {"tile": "F", "refilled": True}}), "there is no draft under layout=dealt"),
    (GRID, but(COSMIC, cells={c: {"oink": 1} for c in "ABC"}), "the game is over, by the ending alignment"),
    (GRID.but(life=1), but(COSMIC, cells={"A": {"tokens": [[1, 1], [1, 2]]}}), "2 LIFE tokens of seat 1"),
    (GRID.but(oinks=1), COSMIC, "2 Oinks of seat 1 lie on the layout; there are 1"),
    (GRID, but(COSMIC, seats=[{"element": "F"}, {"element": "F"}]), "seat 2, element: F is that of seat 1"),
    (GRID, but(COSMIC, seats=[{"element": "F"}]), "a list of 2 is needed"),
    (GRID, but(COSMIC, seats=[{"captured": ["F"] * 8}, {}]), "captured tiles: 8; the deck has 7"),
    (GRID.but(capture_limit=1), but(COSMIC, seats=[{"captured": ["F"]}, {}]), "over, by the ending captures"),
    (GRID, but(COSMIC, won="D", cells={"D": {"tokens": [[1, 3]]}}), "won: D bears tokens or an Oink"),
    (GRID, but(COSMIC, lifted="B"), "occupied"),
    (GRID, but(COSMIC, lifted="E"), "the one LIFE token of seat 1 not on the layout; there are 31"),
    (GRID, but(COSMIC, winner=1), "no tile is told that is won"),
    (GRID, but(COSMIC, undirected=True), "under blocked=pass"),
    (GRID, but(COSMIC, passed=2), "passed: 2; turns passed in a row"),
    (tkg.cosmic(), {"seats": [{"captured": ["F"]}, {}], "last": "A5"}, "captured tiles: 1, refilled cells: 0"),
    (tkg.cosmic(), {"seats": [{"aside": {"F": 1}}, {}]}, "aside: tiles told: 1; from the last stack of the draft it put aside 16"),
    (tkg.cosmic(), {"draft": list("ABCDEFGHIJKLMNOP")}, "cells are drafted in reading order"),
    (tkg.cosmic(layout="free"), {"draft": list("ABCDEFGHIJKLMNOO")}, "every cell stands in it once"),
    (GRID, {"turn": 1}, "the last placement is missing"),
    (BOARD, but(UMBRA, round=0), "round: 0"),
    (BOARD, but(UMBRA, track=[1, 1]), "every seat stands on it once"),
    (BOARD, but(UMBRA, altar=None), "the altar is missing"),
    (BOARD, but(UMBRA, altar={"V": {}}), "no entry V; there are I, II, III, IV"),
    (BOARD, but(UMBRA, altar={"I": UMBRA["altar"]["I"]}), "places told: 1; there are 4"),
    (BOARD, but(UMBRA, decider=None), "the decider is missing"),
    (BOARD, but(UMBRA, decider=2, seats=[{}, {}]), "seat 2 cannot have won it"),
    (BOARD, but(UMBRA, due="IV"), "altar IV: there is no tile, and it is due"),
    (BOARD, but(UMBRA, due=None), "the place whose tile is due is missing"),
    (BOARD, but(UMBRA, spot="E"), "spot: at the phase place there is none"),
    (BOARD, but(UMBRA, phase="void"), "the tile NS is due, and the phase is void"),
    (BOARD, but(UMBRA, altar={"I": {"tile": "NS", "flowers": ["ES", ""]}, "IV": {}}), "have left the game already"),
    (BOARD, but(UMBRA, altar={"I": {"tile": "NS", "flowers": ["EEEEEEE", ""]}, "IV": {}}), "at most 6"),
    (BOARD, but(UMBRA, altar={"I": {"tile": "NS", "flowers": ["EE", ""]}, "IV": {"tile": "NE", "flowers": ["E", ""]}}), "the tile on IV comes before it"),
    (BOARD, but(UMBRA, altar={"I": UMBRA["altar"]["I"], "IV": {"tile": "NE"}}), "a tile without flowers is discarded"),
    (BOARD, but(UMBRA, cells={"B": {"tile": "SN"}}), "no tile SN; there are NS"),
    (BOARD, but(UMBRA, cells={"B": {"tile": "void"}}), "a void never lies here"),
    (BOARD, but(UMBRA, cells={"B": {"energy": [1, 0]}}), "energy waits on an empty cell only where a void"),
    (BOARD, but(UMBRA, cells={c: {"tile": "NS"} for c in "BEH"}), "a path on B E H is complete"),
    (BOARD, but(UMBRA, cells={c: {"tile": "NS"} for c in "ABCDE"}), "straight lies 6 times in this position; the set has 5"),
    (BOARD, but(UMBRA, cells={"B": {"tile": "NS", "energy": [32, 0]}}), "33 energy flowers lie on board and altar; there are 32"),
    (BOARD, but(UMBRA, seats=[{"soul_tile": 12}, {}]), "soul_tile: 12"),
    (BOARD, but(UMBRA, seats=[{"spent": 7}, {}]), "18 soul flowers lie on soul tile and altar or are spent; there are 17"),
    (BOARD, but(UMBRA, seats=[{"hand": "EEE"}, {}]), "all bids have been revealed"),
    (BOARD, but(UMBRA, discard={"tee": 7}), "tee lies 7 times in this position; the set has 6"),
    (BOARD, but(BIDS, due="I"), "due: at the phase bid there is none"),
    (BOARD, but(BIDS, bidding=2), "flowers on the altar: 0; after the biddings so far there are 3"),
    (BOARD, but(BIDS, decider=2), "of the seats the first without a bid is 1"),
    (BOARD, but(BIDS, seats=[{"hand": "EE"}, {}]), "hand: EE; 3 flowers are drawn"),
    (BOARD, but(BIDS, seats=[{"hand": "EEE", "bid": "I:EES"}, {}]), "all flowers of the hand are bid, EEE"),
    (BOARD, but(BIDS, seats=[{"bid": "II:E I:EE"}, {}]), "in the order of the altar"),
    (BOARD, but(BIDS, seats=[{}, {"bid": "I:EEE"}]), "seat 1 has not decided yet"),
    (BOARD, but(BIDS, seats=[{"bid": "I:EEE"}, {"bid": "I:EEE"}]), "all seats have decided"),
    (BOARD, but(BIDS, altar={"I": {"tile": "NS"}, "IV": {"tile": "NS"}}), "altar II: the tile is missing"),
    (tkg.umbra(tiles="block:4,tee:4"), {"altar": {p: {"tile": "block"} for p in ("I", "II", "III", "IV")}}, "none of its tiles can be bid on"),
]  # fmt: skip


@pytest.mark.parametrize(("variant", "told", "reason"), REFUSED, ids=[reason for _, _, reason in REFUSED])
def test_what_is_no_position_is_refused(variant: tkg.Variant, told: dict[str, Any], reason: str) -> None:
    with pytest.raises(tkg.Refused) as refused:
        tkg.set_up(variant, told, seed=1)
    assert reason in str(refused.value)
    assert str(refused.value).startswith(("position", "the game is over", "a draft"))


@pytest.mark.parametrize("wrong", [None, [], "build", 3, object()])
def test_a_position_is_an_object(wrong: Any) -> None:
    with pytest.raises(tkg.Refused, match="position"):
        tkg.set_up(RING, wrong)


def test_a_mover_without_a_decision_is_refused() -> None:
    """Seat 1's one token lies on the directed tile, from which it may not be lifted."""
    cells = {"C": {"tokens": [[1, 1]]}, "D": {"tokens": [[2, 3]]}}
    with pytest.raises(tkg.Refused, match="seat 1 has nothing to decide and passes"):
        tkg.set_up(GRID.but(life=1), {"cells": cells, "mover": 1, "last": "D3"})


def test_what_is_half_decided_is_not_told() -> None:
    game = tkg.set_up(RING, but(RIFT, phase="move", hand=["FW"], gate="FW", cells={"B": {"tile": "F"}}), seed=1)
    game.play("move F gate>B")
    with pytest.raises(tkg.Refused, match="has begun"):
        _ = game.position
    with pytest.raises(tkg.Refused, match="draft"):
        _ = tkg.new(tkg.cosmic(), 1).position

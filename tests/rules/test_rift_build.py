"""A Rift of Portals, R-D2: build, replace, refuse, worked by hand."""

import pytest
from rift_table import RING, deal, laid, where

# --- build --------------------------------------------------------------------------------------------------


def test_rd2_build_either_of_the_two_tiles_left():
    game = deal("- - - | F W A").play("keep -", "gain W")
    assert game.kind == "build"
    builds = {f"build {tile}@{cell}" for tile in "FA" for cell in "BDEG"}
    assert set(game.legal) == builds | {"refuse F", "refuse A"}
    game.play("build A@D")
    cells = game.view()["cells"]
    assert {name: cell["tile"] for name, cell in cells.items() if cell["tile"]} == {"D": "A"}
    assert game.view()["hand"] == ["F"]


def test_rd2_build_equal_tiles_are_one_option():
    game = deal("- - - | W F F").play("keep -", "gain W")
    assert sorted(game.legal) == ["build F@B", "build F@D", "build F@E", "build F@G", "refuse F"]


def test_rd2_build_later_tile_needs_a_neighbour_and_a_shared_element():
    """Next to FW on B lie A and C; the cell D next to the gate has no built neighbour."""
    game = laid("- WA AE", built="FW@B").play("gain -")
    assert where(game, "build WA") == "A C"
    assert where(game, "build AE") == ""


def test_rd2_build_moves_no_oinks():
    view = laid("- F F", have="FF").play("gain -", "build F@B").view()
    assert (view["gate"], view["void"], view["supply"]) == ([2, 0, 0, 0], [0] * 4, [13, 15, 15, 15])


# With 8 neighbours A lies next to B = FW and D = FA, C and E next to B alone, F and G next to D alone, H to neither.
# F is on the tile and on both; WA shares W with B and A with D; W shares with B only.
@pytest.mark.parametrize(
    ("build_match", "fire", "water_air", "water"),
    [
        ("each", "A C E F G", "A C E F G", "C E"),
        ("common", "A C E F G", "C E F G", "C E"),
        ("any", "A C E F G", "A C E F G", "A C E"),
    ],
)
def test_build_match_with_two_built_neighbours(build_match, fire, water_air, water):
    game = laid("F WA W", built="FW@B FA@D", adjacency="all", build_match=build_match)
    game.play("gain W")
    assert (where(game, "build F"), where(game, "build WA")) == (fire, water_air)
    game.undo().play("gain F")
    assert (where(game, "build WA"), where(game, "build W")) == (water_air, water)


@pytest.mark.parametrize(
    ("build_match", "legal"), [("each", {"F", "WA"}), ("common", {"F"}), ("any", {"F", "WA", "W"})]
)
def test_build_match_closing_the_ring(build_match, legal):
    """Six fires lead round from FW on B to FA on D; A, the last cell, lies between these two."""
    built = "FW@B F@C F@E F@H F@G F@F FA@D"
    found = set()
    for hand in ("- F WA", "- W E"):
        game = laid(hand, built=built, build_match=build_match).play("gain -")
        found |= {option.split()[1] for option in game.legal if option.startswith("build")}
    assert found == {f"{tile}@A" for tile in legal}


# --- replace ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("replace", "cells"), [("matched", "C"), ("free", "B C"), ("off", "")])
def test_replace_matched_free_off(replace, cells):
    """W may lie on C, whose one neighbour B = FW has water, but not on B beside C = F. What it replaces is no matter."""
    game = laid("- W E", built="FW@B F@C", replace=replace).play("gain -")
    assert where(game, "replace W") == cells


@pytest.mark.parametrize(("replace", "cells"), [("matched", ""), ("free", "B C"), ("off", "")])
def test_replace_by_a_tile_that_matches_nothing(replace, cells):
    game = laid("- E -", built="FW@B F@C", replace=replace).play("gain -")
    assert where(game, "replace E") == cells
    assert where(game, "replace -") == cells


# With 8 neighbours A = FE, B = FW and D = FA all touch: on A a tile lies beside FW and FA, on B beside FE and FA,
# on D beside FE and FW.
@pytest.mark.parametrize(
    ("build_match", "water_air", "water"), [("each", "A", ""), ("common", "", ""), ("any", "A B D", "A D")]
)
def test_replace_matched_obeys_build_match(build_match, water_air, water):
    game = laid("- WA W", built="FW@B FA@D FE@A", adjacency="all", build_match=build_match).play("gain -")
    assert (where(game, "replace WA"), where(game, "replace W")) == (water_air, water)


@pytest.mark.parametrize("replace", ["matched", "free"])
def test_replace_lone_tile_by_any_tile(replace):
    game = laid("- WW -", built="F@B", replace=replace).play("gain -")
    assert set(game.legal) == {"replace WW@B", "replace -@B", "refuse WW", "refuse -"}


def test_replace_off_lone_tile():
    game = laid("- WW -", built="F@B", replace="off").play("gain -")
    assert set(game.legal) == {"refuse WW", "refuse -"}


def test_replace_by_an_equal_tile():
    game = laid("- F - | - - -", built="F@B F@C").play("gain -")
    assert where(game, "replace F") == "B C"
    game.play("replace F@C", "gain -", "refuse -")
    assert game.view()["cells"]["C"]["tile"] == "F"
    assert (game.result["replacements"], game.result["built"]) == (1, 2)


def test_replace_sends_the_oinks_on_the_old_tile_to_the_void():
    game = laid("- W - | - - -", built="FW@B FW@C", on="FFW@B A@C", have="E").play("gain -", "replace W@B")
    view = game.view()
    assert view["void"] == [2, 1, 0, 0]
    assert view["cells"]["B"] == {"place": (0, 1), "tile": "W", "oinks": [0, 0, 0, 0]}
    assert view["cells"]["C"]["oinks"] == [0, 0, 1, 0]
    assert (view["gate"], view["supply"]) == ([0, 0, 0, 1], [13, 14, 14, 14])
    assert game.result["replacements"] == 1


def test_replace_the_new_tile_is_what_later_tiles_match():
    game = laid("- W - | - FA WA", built="F@B").play("gain -", "replace W@B", "gain -")
    assert (where(game, "build FA"), where(game, "build WA")) == ("", "A C")


def test_replace_on_a_full_ring_every_cell():
    """FW matches the fires on both sides of any cell; water shares nothing with them."""
    game = laid("- FW W", built=RING).play("gain -")
    assert where(game, "build FW") == ""
    assert where(game, "replace FW") == "A B C D E F G H"
    assert where(game, "replace W") == ""


# --- refuse -------------------------------------------------------------------------------------------------


def test_rd2_refuse_fills_the_void_from_the_supply():
    game = laid("- FFE W | - - -", have="F").play("gain -")
    assert {"refuse FFE", "refuse W"} < set(game.legal)
    game.play("refuse FFE")
    view = game.view()
    assert (view["void"], view["gate"], view["supply"]) == ([2, 0, 0, 1], [1, 0, 0, 0], [12, 15, 15, 14])
    assert view["hand"] == ["W"]
    assert (game.result["refused_builds"], game.result["refused_moves"]) == (1, 0)


def test_rd2_refuse_is_all_there_is_when_nothing_matches():
    """W and A share nothing with the fires, and no place on the ring is free of neighbours."""
    game = laid("- W A", built="F@B F@C").play("gain -")
    assert set(game.legal) == {"refuse W", "refuse A"}


def test_shortfall_partial_refused_build_takes_what_is_left():
    game = laid("- FFF W", have="F", supply=2).play("gain -", "refuse FFF")
    assert (game.view()["void"], game.view()["supply"]) == ([1, 0, 0, 0], [0, 2, 2, 2])


def test_shortfall_illegal_refused_build_beside_a_build():
    """One fire is left: FF cannot be refused, as it can be built; W can be either."""
    game = laid("- FF W", have="F", supply=2, shortfall="illegal").play("gain -")
    builds = {f"build {tile}@{cell}" for tile in ("FF", "W") for cell in "BDEG"}
    assert set(game.legal) == builds | {"refuse W"}
    game = laid("- FF W", have="F", supply=2).play("gain -")
    assert set(game.legal) == builds | {"refuse W", "refuse FF"}


def test_shortfall_illegal_refused_build_beside_a_replacement():
    """Neither W can be built beside F, nor refused while the lone F can be replaced."""
    game = laid("- W W", built="F@B", supply=[15, 0, 15, 15], shortfall="illegal").play("gain -")
    assert game.legal == ["replace W@B"]


def test_shortfall_illegal_refused_build_beside_another_tile():
    game = laid("- W A", built="F@B F@C", supply=[15, 0, 15, 15], shortfall="illegal").play("gain -")
    assert game.legal == ["refuse A"]


def test_shortfall_illegal_refused_build_all_fall_short_all_are_listed():
    game = laid("- WA AA", built="F@B F@C", supply=[15, 5, 0, 15], shortfall="illegal").play("gain -")
    assert set(game.legal) == {"refuse WA", "refuse AA"}
    assert game.play("refuse WA").view()["void"] == [0, 1, 0, 0]


# --- tiles without insignias --------------------------------------------------------------------------------


def test_bare_tile_built_first():
    game = laid("- - F", have="F").play("gain -")
    assert where(game, "build -") == "B D E G"
    game.play("build -@B")
    assert game.view()["cells"]["B"]["tile"] == "-"
    assert "move F gate>B" in game.legal


@pytest.mark.parametrize("build_match", ["each", "common", "any"])
def test_bare_tile_matches_nothing_later(build_match):
    game = laid("- - F", built="F@B F@C", build_match=build_match).play("gain -")
    assert (where(game, "build -"), where(game, "replace -")) == ("", "")
    game = laid("- - F", built="-@B", build_match=build_match).play("gain -")
    assert (where(game, "build F"), where(game, "build -")) == ("", "")
    assert (where(game, "replace F"), where(game, "replace -")) == ("B", "B")


def test_bare_tile_refused_costs_nothing():
    game = laid("- - F").play("gain -", "refuse -")
    assert game.view()["void"] == [0, 0, 0, 0]
    assert (game.result["refused_builds"], game.legal) == (1, ["refuse F"])


def test_bare_tile_as_the_last_is_no_decision_and_no_refusal():
    game = laid("- F - | - W -", have="F").play("gain -", "build F@B")
    assert (game.kind, game.result["turns"]) == ("gain", 1)
    assert set(game.legal) == {"gain W", "gain -"}
    assert game.result["refused_moves"] == 0

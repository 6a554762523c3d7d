"""A Rift of Portals, R-D3: the last tile is refused, or every insignia on it moves an Oink. Worked by hand."""

import pytest
from rift_table import deal, laid


def moving(last, **position):
    """A game in which `last` is the tile to be played for moving."""
    return laid(f"- - {last} | - - -", **position).play("gain -", "refuse -")


# --- Where an Oink may go -----------------------------------------------------------------------------------


def test_rd3_move_from_the_gate_to_any_built_tile():
    """Also to a tile that does not bear the element, and to one far from the others."""
    game = moving("A", built="F@B FW@C W@E", have="A")
    assert game.kind == "move"
    assert set(game.legal) == {"refuse A", "move A gate>B", "move A gate>C", "move A gate>E"}
    view = game.play("move A gate>E").view()
    assert view["cells"]["E"]["oinks"] == [0, 0, 1, 0]
    assert (view["gate"], view["void"], view["supply"]) == ([0] * 4, [0] * 4, [15, 15, 14, 15])
    assert game.kind == "gain"


def test_rd3_move_from_a_tile_to_an_adjacent_built_tile():
    """Of B, C and E in a row, C touches both others; A and H beside them are empty."""
    game = moving("F", built="F@B F@C F@E", on="F@B")
    assert set(game.legal) == {"refuse F", "move F B>C"}
    game = moving("F", built="F@B F@C F@E", on="F@C")
    assert set(game.legal) == {"refuse F", "move F C>B", "move F C>E"}
    view = game.play("move F C>E").view()
    assert (view["cells"]["C"]["oinks"], view["cells"]["E"]["oinks"]) == ([0] * 4, [1, 0, 0, 0])


def test_adjacency_all_moves_over_corners():
    built = "F@B F@C F@E"  # B and E touch at the corner of the gate
    assert set(moving("F", built=built, on="F@B", adjacency="all").legal) == {"refuse F", "move F B>C", "move F B>E"}


@pytest.mark.parametrize("reading", [{}, {"hop": "again"}, {"tile_moves": "any"}, {"move_mix": False}])
def test_rd3_only_refuse_without_a_built_tile(reading):
    game = moving("F", have="FF", **reading)
    assert game.legal == ["refuse F"]
    assert game.play("refuse F").view()["void"] == [1, 0, 0, 0]
    assert game.result["refused_moves"] == 1


def test_rd3_an_oink_on_a_lone_tile_cannot_leave():
    assert moving("F", built="F@B", on="F@B").legal == ["refuse F"]


def test_rd3_the_tile_just_built_may_be_moved_to():
    game = laid("- FW F", built="F@B", on="F@B").play("gain -", "build FW@A")
    assert set(game.legal) == {"refuse F", "move F B>A"}


# --- All or none, one by one, in element order ----------------------------------------------------------------


def test_rd3_three_fires_with_one_at_hand():
    """The example of the published text: nothing moves, three fires go from the supply to the void."""
    game = deal("F - - | - F FFF | - - -").play("keep F", "gain -", "build F@B")
    assert game.legal == ["refuse FFF"]
    view = game.play("refuse FFF").view()
    assert (view["void"], view["gate"], view["supply"]) == ([3, 0, 0, 0], [1, 0, 0, 0], [11, 15, 15, 15])
    assert view["cells"]["B"]["oinks"] == [0, 0, 0, 0]
    assert (game.result["refused_moves"], game.result["refused_builds"]) == (1, 0)


def test_rd3_one_element_lacking_refuses_the_whole():
    assert moving("FW", built="F@B", have="FFA").legal == ["refuse FW"]


def test_rd3_element_order_and_refuse_only_at_the_first():
    game = moving("FWW", built="F@B FW@C", have="WWF")
    assert set(game.legal) == {"refuse FWW", "move F gate>B", "move F gate>C"}
    game.play("move F gate>B")
    assert set(game.legal) == {"move W gate>B", "move W gate>C"}
    assert game.view()["need"] == [0, 2, 0, 0]
    game.play("move W gate>C")
    assert set(game.legal) == {"move W gate>B", "move W gate>C"}
    assert game.play("move W gate>C").kind == "gain"
    assert game.view()["cells"]["C"]["oinks"] == [0, 2, 0, 0]


def test_rd3_a_single_option_is_a_decision():
    game = moving("FF", built="F@B", have="FF").play("move F gate>B")
    assert game.legal == ["move F gate>B"]
    game.play("move F gate>B")
    assert game.actions[-2:] == ["move F gate>B", "move F gate>B"]


def test_rd3_gate_and_tiles_count_together():
    """One fire in the gate and one that can leave B: two in all."""
    position = {"built": "F@B F@C", "have": "F", "on": "F@B"}
    assert set(moving("FF", **position).legal) == {"refuse FF", "move F gate>B", "move F gate>C", "move F B>C"}
    assert moving("FFF", **position).legal == ["refuse FFF"]


def test_rd3_tiles_without_capacity():
    game = moving("F" * 9, built="W@B", have="F" * 9).play(*["move F gate>B"] * 9)
    assert game.view()["cells"]["B"]["oinks"] == [9, 0, 0, 0]


# --- hop ------------------------------------------------------------------------------------------------------


def test_hop_once_what_came_from_the_gate_stays():
    assert moving("FF", built="F@B F@C", have="F").legal == ["refuse FF"]


def test_hop_once_what_stood_there_may_leave_after_another_has_come():
    """One fire stood on B; one comes from the gate, and still one may leave; then none, though one is there."""
    game = moving("FFF", built="F@B F@C", have="FF", on="F@B").play("move F gate>B")
    assert set(game.legal) == {"move F gate>B", "move F gate>C", "move F B>C"}
    game.play("move F B>C")
    assert game.view()["cells"]["B"]["oinks"] == [1, 0, 0, 0]
    assert set(game.legal) == {"move F gate>B", "move F gate>C"}


def test_hop_once_less_those_that_have_left_since():
    """The one fire of B leaves first; the one that comes after it stays, and so does the first on C."""
    game = moving("FFF", built="F@B F@C", have="FF", on="F@B").play("move F B>C", "move F gate>B")
    assert set(game.legal) == {"move F gate>B", "move F gate>C"}


def test_hop_once_two_tiles_may_exchange():
    """B and C hold a fire each: after B>C, one of the two on C stood there before; after C>B nothing may leave."""
    game = moving("FF", built="F@B F@C", on="F@B F@C").play("move F B>C")
    assert game.legal == ["move F C>B"]
    game.play("move F C>B")
    cells = game.view()["cells"]
    assert (cells["B"]["oinks"], cells["C"]["oinks"]) == ([1, 0, 0, 0], [1, 0, 0, 0])
    assert moving("FFF", built="F@B F@C", on="F@B F@C").legal == ["refuse FFF"]


def test_hop_once_elements_count_apart():
    """A water that has arrived on C does not keep the fire of C from leaving."""
    game = moving("FW", built="F@B FW@C", on="F@C W@B").play("move F C>B")
    assert game.legal == ["move W B>C"]


def test_hop_once_is_counted_anew_for_every_action():
    game = laid("- - F | - - F | - - F", built="F@B F@C", have="F")
    game.play("gain -", "refuse -", "move F gate>B", "gain -", "refuse -", "move F B>C", "gain -", "refuse -")
    assert set(game.legal) == {"refuse F", "move F C>B"}


def test_hop_again_one_oink_plays_a_tile_of_three():
    game = moving("FFF", built="F@B F@A", have="F", hop="again")
    assert set(game.legal) == {"refuse FFF", "move F gate>A", "move F gate>B"}
    game.play("move F gate>B")
    assert game.legal == ["move F B>A"]
    game.play("move F B>A")
    assert game.legal == ["move F A>B"]
    game.play("move F A>B")
    assert (game.kind, game.view()["cells"]["B"]["oinks"]) == ("gain", [1, 0, 0, 0])


def test_hop_again_a_lone_tile_leaves_nowhere_to_hop():
    assert moving("FF", built="F@B", have="F", hop="again").legal == ["refuse FF"]
    assert moving("FFF", built="F@B", have="FF", hop="again").legal == ["refuse FFF"]
    assert set(moving("FF", built="F@B", have="FF", hop="again").legal) == {"refuse FF", "move F gate>B"}


def test_hop_again_every_element_needs_an_oink():
    position = {"built": "F@B FW@C", "hop": "again"}
    assert moving("FFWW", have="F", **position).legal == ["refuse FFWW"]
    game = moving("FFWW", have="F", on="W@C", **position)
    assert set(game.legal) == {"refuse FFWW", "move F gate>B", "move F gate>C"}
    game = moving("FFWW", have="W", on="F@B", **position)  # the water comes from the gate and hops then
    assert set(game.legal) == {"refuse FFWW", "move F B>C"}


# --- tile_moves -----------------------------------------------------------------------------------------------


def test_tile_moves_indicated_or_any():
    position = {"built": "F@B F@C", "on": "W@B"}
    assert moving("F", **position).legal == ["refuse F"]
    game = moving("F", **position, tile_moves="any")
    assert set(game.legal) == {"refuse F", "move W B>C"}
    assert game.play("move W B>C").view()["cells"]["C"]["oinks"] == [0, 1, 0, 0]


def test_tile_moves_any_the_gate_still_gives_the_indicated_element():
    assert moving("F", built="F@B F@C", have="W", tile_moves="any").legal == ["refuse F"]


def test_tile_moves_any_a_single_move_must_leave_enough():
    """For FW the gate has a fire and B an air: the air must be kept for the water."""
    game = moving("FW", built="F@B F@C", have="F", on="A@B", tile_moves="any")
    assert set(game.legal) == {"refuse FW", "move F gate>B", "move F gate>C"}
    game.play("move F gate>B")
    assert game.legal == ["move A B>C"]  # not the fire, which has just arrived


def test_tile_moves_any_needs_an_oink_for_every_insignia():
    position = {"built": "F@B F@C", "tile_moves": "any"}
    assert moving("FFF", on="WA@B", **position).legal == ["refuse FFF"]
    assert set(moving("FFF", on="WA@B E@C", **position).legal) == {
        *("refuse FFF", "move W B>C", "move A B>C", "move E C>B"),
    }


def test_tile_moves_any_in_element_order():
    """For FW the gate has a water and B an air: the air serves the fire, the gate the water."""
    game = moving("FW", built="F@B F@C", have="W", on="A@B", tile_moves="any")
    assert set(game.legal) == {"refuse FW", "move A B>C"}
    game.play("move A B>C")
    assert set(game.legal) == {"move W gate>B", "move W gate>C"}


def test_tile_moves_any_with_hop_again_another_order_is_a_refusal():
    """A water from the gate could hop for the fire afterwards, but fire comes first; a fire can hop for the water."""
    position = {"built": "F@B F@C", "tile_moves": "any", "hop": "again"}
    assert moving("FW", have="W", **position).legal == ["refuse FW"]
    game = moving("FW", have="F", **position)
    assert set(game.legal) == {"refuse FW", "move F gate>B", "move F gate>C"}
    game.play("move F gate>C")
    assert game.legal == ["move F C>B"]


# --- move_mix -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("have", "on", "mixed", "apart"),
    [
        # FF is served by the gate, by the one neighbour's move B>C, or by one of each.
        ("F", "F@B", {"move F gate>B", "move F gate>C", "move F B>C"}, set()),
        ("FF", "F@B", {"move F gate>B", "move F gate>C", "move F B>C"}, {"move F gate>B", "move F gate>C"}),
        ("F", "FF@B", {"move F gate>B", "move F gate>C", "move F B>C"}, {"move F B>C"}),
        ("FF", "FF@B", *[{"move F gate>B", "move F gate>C", "move F B>C"}] * 2),
    ],
)
def test_move_mix_first_move_is_listed_if_its_kind_alone_completes(have, on, mixed, apart):
    position = {"built": "F@B F@C", "have": have, "on": on}
    assert set(moving("FF", **position).legal) == {"refuse FF"} | mixed
    assert set(moving("FF", **position, move_mix=False).legal) == {"refuse FF"} | apart


def test_move_mix_false_the_first_move_fixes_the_kind():
    position = {"built": "F@B F@C", "have": "FF", "on": "FF@B"}
    everything = {"move F gate>B", "move F gate>C", "move F B>C"}
    for first, after in (("move F gate>C", {"move F gate>B", "move F gate>C"}), ("move F B>C", {"move F B>C"})):
        assert set(moving("FF", **position).play(first).legal) == everything
        assert set(moving("FF", **position, move_mix=False).play(first).legal) == after


def test_move_mix_false_over_several_elements():
    """For FW the gate has a fire alone and B a water alone: only a mixture serves it."""
    position = {"built": "F@B FW@C", "have": "F", "on": "W@B"}
    assert set(moving("FW", **position).legal) == {"refuse FW", "move F gate>B", "move F gate>C"}
    assert moving("FW", **position, move_mix=False).legal == ["refuse FW"]


def test_move_mix_false_with_hop_again():
    """Tiles alone serve FFF by hopping to and fro; the gate alone holds one fire, which may not hop on."""
    position = {"built": "F@B F@C", "move_mix": False, "hop": "again"}
    assert moving("FFF", have="F", **position).legal == ["refuse FFF"]
    game = moving("FFF", have="F", on="F@B", **position)
    assert set(game.legal) == {"refuse FFF", "move F B>C"}
    assert game.play("move F B>C").legal == ["move F C>B"]
    assert moving("FFW", have="W", on="F@B", **position).legal == ["refuse FFW"]  # the water is in the gate


def test_move_mix_false_with_tile_moves_any():
    """B holds two airs: tiles alone serve FW. The gate alone has no water; after an air only airs follow."""
    game = moving("FW", built="F@B F@C", have="F", on="AA@B", move_mix=False, tile_moves="any")
    assert set(game.legal) == {"refuse FW", "move A B>C"}
    assert game.play("move A B>C").legal == ["move A B>C"]


# --- refuse and shortfall ---------------------------------------------------------------------------------------


def test_rd3_refuse_is_always_an_option():
    game = moving("FW", built="F@B", have="FW").play("refuse FW")
    assert (game.view()["void"], game.view()["gate"]) == ([1, 1, 0, 0], [1, 1, 0, 0])
    assert (game.result["refused_moves"], game.kind) == (1, "gain")


def test_shortfall_partial_refused_move_takes_what_is_left():
    game = moving("FF", built="F@B", have="F", supply=2).play("refuse FF")
    assert (game.view()["void"], game.view()["supply"]) == ([1, 0, 0, 0], [0, 2, 2, 2])


@pytest.mark.parametrize(("supply", "refuse"), [(1, set()), (2, {"refuse F"})])
def test_shortfall_illegal_refused_move_beside_a_move(supply, refuse):
    game = moving("F", built="F@B", have="F", supply=supply, shortfall="illegal")
    assert set(game.legal) == {"move F gate>B"} | refuse


def test_shortfall_illegal_refused_move_alone_is_listed():
    game = moving("FF", built="F@B", have="F", supply=2, shortfall="illegal")
    assert game.legal == ["refuse FF"]
    assert game.play("refuse FF").view()["void"] == [1, 0, 0, 0]

"""A Rift of Portals: the end step, the four conditions, points, the result, contests and warnings, worked by hand."""

import pytest
from rift_table import RING, deal, laid

import tkg

CONDITIONS = ("stable_gate", "equal_sides", "matched", "ring_full")


def conditions(game):
    return tuple(game.result[name] for name in CONDITIONS)


# --- The four conditions ------------------------------------------------------------------------------------
# A ring of eight tiles F with a fire on each: three insignias on every side, 8 points.


def test_end_stable_with_gate_equal_to_void():
    game = laid("- WW -", built=RING, on=RING, have="WW").play("gain -", "refuse WW")
    assert game.over
    assert conditions(game) == (True, True, True, True)
    assert (game.result["gate"], game.result["void"], game.result["points"]) == (2, 2, 8)
    assert game.result["win"] is True
    assert (game.outcome.ending, game.outcome.winners, game.outcome.scores) == ("stable", (1,), (8,))


def test_end_1_gate_below_void_alone_fails():
    game = laid("- WWW -", built=RING, on=RING, have="WW").play("gain -", "refuse WWW")
    assert conditions(game) == (False, True, True, True)
    assert game.result["win"] is False
    assert (game.outcome.ending, game.outcome.winners, game.outcome.scores) == ("unstable", (), (8,))


def test_end_2_unequal_sides_alone_fail():
    """FF on B makes the top 4 and leaves the others at 3."""
    ring = RING.replace("F@B", "FF@B")
    game = laid("- - -", built=ring, on=ring).play("gain -", "refuse -")
    assert conditions(game) == (True, False, True, True)
    assert game.view()["sides"] == [4, 3, 3, 3]
    assert (game.result["win"], game.result["points"]) == (False, 9)


def test_end_3_an_unmatched_insignia_alone_fails():
    """The fire for the last tile of the ring is still in the gate."""
    game = laid("- - -", built=RING, on=RING.removesuffix(" F@C"), have="F").play("gain -", "refuse -")
    assert conditions(game) == (True, True, False, True)
    assert (game.result["win"], game.result["points"]) == (False, 7)


# G is empty. Top A1 B2 C1, left A1 D1 F2, right C1 E1 H2, bottom F2 H2: four insignias on each side.
GAP = "FW@B F@A F@D FW@F F@C F@E FW@H"


@pytest.mark.parametrize(("full_boundary", "win"), [(True, False), (False, True)])
def test_end_4_full_boundary_a_gap_alone_fails_if_asked_for(full_boundary, win):
    game = laid("- - -", built=GAP, on=GAP, full_boundary=full_boundary).play("gain -", "refuse -")
    assert conditions(game) == (True, True, True, False)
    assert (game.result["win"], game.result["built"], game.result["points"]) == (win, 7, 10)


@pytest.mark.parametrize(("full_boundary", "win"), [(True, False), (False, True)])
def test_end_with_nothing_built_2_and_3_hold(full_boundary, win):
    game = laid("- - -", have="F", full_boundary=full_boundary).play("gain -", "refuse -")
    assert conditions(game) == (True, True, True, False)
    assert (game.result["win"], game.result["points"]) == (win, 0)


@pytest.mark.parametrize(
    ("side", "first", "sides"),  # top, left, right, bottom
    [
        (3, "FFW@A", [3, 3, 0, 0]),
        (3, "FFW@C", [3, 0, 3, 0]),
        (3, "FFW@F", [0, 3, 0, 3]),
        (3, "FFW@H", [0, 0, 3, 3]),
        (3, "FFW@B", [3, 0, 0, 0]),
        (3, "FFW@D", [0, 3, 0, 0]),
        (3, "FFW@E", [0, 0, 3, 0]),
        (3, "FFW@G", [0, 0, 0, 3]),
        (4, "FFW@C", [3, 0, 0, 0]),
        (4, "FFW@D", [3, 0, 3, 0]),
        (4, "FFW@G", [0, 3, 0, 0]),
        (4, "FFW@J", [0, 3, 0, 3]),
        (4, "FFW@M", [0, 0, 3, 3]),
        (7, "FFW@AA", [0, 0, 3, 3]),
    ],
)
def test_end_2_corners_count_on_both_their_sides(side, first, sides):
    game = laid("- - -", built=first, side=side, adjacency="all").play("gain -", "refuse -")
    assert game.view()["sides"] == sides
    assert game.result["equal_sides"] is False


# --- coverage and excess ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("on", "insignia", "element"),
    [
        ("FFW@B", True, True),
        ("FFFW@B", True, True),
        ("FW@B", False, True),  # one fire for two insignias
        ("FF@B", False, False),  # no water at all
        ("FFA@B", False, False),  # an air is no water
    ],
)
def test_coverage_of_two_fires_and_a_water(on, insignia, element):
    for coverage, expected in (("insignia", insignia), ("element", element)):
        game = laid("- - -", built="FFW@B", on=on, coverage=coverage).play("gain -", "refuse -")
        assert game.result["matched"] is expected


@pytest.mark.parametrize(("coverage", "win"), [("insignia", False), ("element", True)])
def test_coverage_decides_a_full_ring(coverage, win):
    """Eight tiles FF with one fire each."""
    game = laid("- - -", built=RING.replace("F@", "FF@"), on=RING, coverage=coverage)
    assert game.play("gain -", "refuse -").result["win"] is win


def test_coverage_a_bare_tile_is_matched():
    assert laid("- - -", built="-@B").play("gain -", "refuse -").result["matched"] is True


def test_end_unmatched_oinks_go_to_the_void():
    """B = F holds FFW: a fire too many and a water. C = FW holds FWE: an earth. C keeps both its insignias' Oinks."""
    game = laid("- - -", built="F@B FW@C", on="FFW@B FWE@C", have="A").play("gain -", "refuse -")
    assert (game.result["unmatched"], game.result["void"], game.result["gate"]) == (3, 3, 1)
    assert (game.result["points"], game.result["matched"]) == (3, True)
    assert game.view()["void"] == [1, 1, 0, 1]
    assert game.view()["cells"]["B"]["oinks"] == [1, 0, 0, 0]
    assert game.view()["cells"]["C"]["oinks"] == [1, 1, 0, 0]


def test_excess_stay_keeps_what_is_of_an_element_of_the_tile():
    game = laid("- - -", built="F@B FW@C", on="FFW@B FWE@C", have="A", excess="stay").play("gain -", "refuse -")
    assert (game.result["unmatched"], game.result["void"], game.result["points"]) == (2, 2, 4)
    assert game.view()["void"] == [0, 1, 0, 1]
    assert game.view()["cells"]["B"]["oinks"] == [2, 0, 0, 0]


@pytest.mark.parametrize(("excess", "win", "points"), [("void", False, 8), ("stay", True, 9)])
def test_end_the_gate_is_weighed_after_the_end_step(excess, win, points):
    """The gate is empty; a ninth fire on the ring is the one Oink that can come to the void."""
    on = RING.replace("F@B", "FF@B")
    game = laid("- - -", built=RING, on=on, excess=excess).play("gain -", "refuse -")
    assert (game.result["win"], game.result["points"]) == (win, points)
    assert game.result["stable_gate"] is win


def test_end_oinks_may_leave_a_tile_unmatched_until_the_last_turn():
    """Unmatched Oinks go at the end only: a water waits on B = F and is moved to C = W in the last turn."""
    game = laid("- - W", built="F@B FW@C", on="W@B").play("gain -", "refuse -", "move W B>C")
    assert game.over
    assert (game.result["points"], game.result["unmatched"]) == (1, 0)


# --- A complete game ----------------------------------------------------------------------------------------


def test_result_of_a_complete_game():
    game = deal("FW A - | FF W FW | A FA WE | E FFA AA | F FA W | EEE", supply=[6, 5, 4, 3])
    # Keep: gate FW. Supply 5 4 4 3.
    game.play("keep FW")
    # Turn 1. Gate FFFW, supply 3 4 4 3. The water goes to D.
    game.play("gain FF", "build FW@D")
    assert set(game.legal) == {"refuse W", "move W gate>D"}
    game.play("move W gate>D")
    # Turn 2. Gate FFFA, supply 3 4 3 3. FA shares fire with FW on D. Water could go D>F, but there is no earth:
    # void WE, supply 3 3 3 2.
    game.play("gain A", "build FA@F")
    assert game.legal == ["refuse WE"]
    game.play("refuse WE")
    # Turn 3. Gate FFFAE, supply 3 3 3 1. Void WAAE, supply 3 3 1 1. Two fires to D, the air to F: gate FE.
    game.play("gain E", "refuse AA")
    assert set(game.legal) == {"refuse FFA", "move F gate>D", "move F gate>F"}
    game.play("move F gate>D")
    assert set(game.legal) == {"move F gate>D", "move F gate>F"}
    game.play("move F gate>D")
    assert set(game.legal) == {"move A gate>D", "move A gate>F"}
    game.play("move A gate>F")
    # Turn 4. Gate FFE, supply 2 3 1 1. A new FA on F: its air to the void, WAAAE. The water goes D>F.
    game.play("gain F")
    assert set(game.legal) == {
        *("build FA@A", "build FA@G", "replace FA@D", "replace FA@F", "refuse FA"),
        *("build W@A", "refuse W"),  # W shares nothing with FA, the neighbour of G and of D; F's neighbour is FW
        "replace W@F",
    }
    game.play("replace FA@F")
    assert set(game.legal) == {"refuse W", "move W D>F"}
    game.play("move W D>F")
    # End: EEE stays unplayed. D = FW holds FF, of which one stays; F = FA holds W. Void FWWAAAE, gate FFE.
    assert game.over
    assert game.result == {
        "win": False,
        "stable_gate": False,
        "equal_sides": False,
        "matched": False,
        "ring_full": False,
        "points": 1,
        "gate": 3,
        "void": 7,
        "unmatched": 2,
        "built": 2,
        "turns": 4,
        "refused_builds": 1,
        "refused_moves": 1,
        "replacements": 1,
        "supply_left": 7,
    }
    view = game.view()
    assert view["gate"] == [2, 0, 0, 1]
    assert view["void"] == [1, 2, 3, 1]
    assert view["supply"] == [2, 3, 1, 1]
    assert view["sides"] == [0, 4, 0, 2]
    assert view["stack"] == {"EEE": 1}
    # Discarded: 1 kept, 2 + 2 + 3 + 3 in the turns, the old FA: with 2 on the ring, 2 aside and 1 unplayed all 16.
    assert game.states[0].discarded == 11
    assert tkg.from_record(tkg.to_record(game), finished=True).result == game.result


# --- Contests -----------------------------------------------------------------------------------------------

# Five players of one deal, without `full_boundary`. One tile on the ring makes the sides unequal; none is stable.
PLAYS = [
    ["keep FF", "gain -", "build F@B", "move F gate>B"],  # 1 point, gate 1
    ["keep FF", "gain F", "refuse -", "refuse F"],  # stable, 0 points, gate 3 void 1
    ["keep F", "gain -", "build F@B", "move F gate>B"],  # 1 point, gate 0
    ["keep F", "gain F", "refuse -", "refuse F"],  # stable, 0 points, gate 2 void 1
    ["keep FF", "gain -", "build F@D", "move F gate>D"],  # 1 point, gate 1
]


@pytest.mark.parametrize(
    ("full_boundary", "standing", "ranks"),
    [
        (False, "points", [1, 4, 3, 5, 1]),
        (False, "stable-first", [3, 1, 5, 2, 3]),
        (True, "stable-first", [1, 4, 3, 5, 1]),  # nobody is stable
    ],
)
def test_standing_points_or_stable_first_then_gate_less_void(full_boundary, standing, ranks):
    games = [deal("FF F - | - F F", full_boundary=full_boundary, standing=standing).play(*actions) for actions in PLAYS]
    assert [game.result["points"] for game in games] == [1, 0, 1, 0, 1]
    assert [game.result["gate"] - game.result["void"] for game in games] == [1, 2, 0, 1, 1]
    assert [game.result["win"] for game in games] == [False, not full_boundary, False, not full_boundary, False]
    assert tkg.contest_ranks(games) == ranks


def test_standing_ties_go_by_the_difference_and_not_by_the_gate():
    """No points: gate 1 less void 0 is more than gate 2 less void 2."""
    plays = (["keep -", "gain F", "build F@B"], ["keep FF", "gain -", "refuse F", "refuse F"])
    games = [deal("FF F - | - F F").play(*actions) for actions in plays]
    assert [(g.result["points"], g.result["gate"], g.result["void"]) for g in games] == [(0, 1, 0), (0, 2, 2)]
    assert tkg.contest_ranks(games) == [1, 2]


def test_standing_among_stable_portals_points_come_first():
    """Both rings are stable; on the second one Oink more stands."""
    settings = {"standing": "stable-first", "excess": "stay"}
    games = [laid("- - F", built=RING, on=RING, have="F", **settings).play("gain -", "refuse -") for _ in range(2)]
    games[0].play("refuse F")
    games[1].play("move F gate>A")
    assert [game.result["win"] for game in games] == [True, True]
    assert [game.result["points"] for game in games] == [8, 9]
    assert tkg.contest_ranks(games) == [2, 1]


def test_contest_is_on_one_deal_and_finished():
    games = [
        deal(order).play("keep F", "gain F", "refuse F", "refuse F") for order in ("F F W | F F F", "W F F | F F F")
    ]
    assert tkg.contest_ranks(games[:1]) == [1]
    with pytest.raises(tkg.Refused, match="same deal"):
        tkg.contest_ranks(games)
    with pytest.raises(tkg.Refused, match="finished"):
        tkg.contest_ranks([games[0], games[0].copy().undo()])


# --- Variants that cannot be won ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"side": 5}, ("cannot be filled", "16 cells", "48 tiles", "15 turns")),
        ({"side": 5, "deck": {"FW": 50}, "supply": 20}, ("cannot be filled", "15 turns")),  # 47 tiles after set-up
        ({"deck": {"FFF": 48}}, ("cannot be matched", "24 fire", "15")),
        ({"deck": {"FFF": 48}, "supply": 23}, ("cannot be matched", "24 fire", "23")),
        ({"supply": 1}, ("cannot be matched", "8 Oinks", "4")),  # eight single insignias, four Oinks
        (
            {"deck": {"F": 7, "W": 7, "A": 7, "E": 7}},
            ("cannot be filled", "8 cells", "7 tiles"),
        ),  # no two elements meet
        ({"deck": {"-": 27}}, ("cannot be filled", "8 cells")),  # no bare tile matches another
        ({"deck": {"F": 3}}, ("No turn",)),
        ({"deck": {"F": 5}}, ("No turn",)),
        ({"deck": {"F": 4}, "gate": "empty", "full_boundary": False}, ("No turn",)),
    ],
)
def test_warnings_say_why_a_variant_cannot_be_won(settings, words):
    warnings = tkg.rift(**settings).warnings
    assert len(warnings) == 1
    for word in words:
        assert word in warnings[0]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"side": 4},
        {"side": 5, "full_boundary": False},
        {"side": 5, "deck": {"FW": 50}, "supply": 20, "gate": "empty"},  # 48 after set-up: 16 turns
        {"side": 5, "deck": {"FW": 51}, "supply": 20},
        {"deck": {"FFF": 48}, "supply": 24},
        {"deck": {"FFF": 48}, "coverage": "element"},
        {"deck": {"FFF": 48}, "full_boundary": False},
        {"supply": 2},
        {"deck": {"F": 7, "W": 7, "A": 7, "E": 7}, "replace": "free"},
        {"deck": {"F": 27}},  # 8 turns
    ],
)
def test_warnings_are_absent_where_nothing_is_known_against_a_variant(settings):
    assert tkg.rift(**settings).warnings == []


def test_a_variant_with_warnings_can_be_played():
    assert deal("F F F").play("keep F").over

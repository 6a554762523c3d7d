"""`Game`, the safe face: what it refuses, what it leaves alone, and its pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from playing import amount, drift, play_out, played, state_of

import tkg
from tkg.game import Game, contest_ranks
from tkg.rules.tiles import ELEMENTS

SMALL = {"F": 4, "FW": 4, "WA": 4, "-": 1, "FFE": 3}


@pytest.fixture
def game() -> Game:
    """A game at its first decision."""
    return tkg.new(tkg.rift(deck=SMALL), seed=7)


# --- Playing ------------------------------------------------------------------------------------------------------


def test_an_illegal_action_is_answered_by_the_legal_ones(game: Game) -> None:
    for _ in range(6):
        with pytest.raises(tkg.Illegal) as refused:
            game.play("keep no such tile")
        assert refused.value.legal == game.legal
        for action in game.legal:
            assert action in str(refused.value)
        game.play(game.legal[0])


def test_a_slip_of_the_pen_is_answered_by_what_was_meant(game: Game) -> None:
    first = game.legal[0]
    with pytest.raises(tkg.Illegal, match=f"did you mean .*{first}"):
        game.play(first.upper().replace("KEEP", "kep"))


@pytest.mark.parametrize(
    "action", ["", " ", "keep", "refuse FW", "move F gate>A", "build F@A", None, 3, ("keep F",), ["keep F"], {}]
)
def test_what_is_no_action_here_is_refused(action: Any, game: Game) -> None:
    state = state_of(game)
    with pytest.raises(tkg.Illegal):
        game.play(action)
    assert state_of(game) == state
    assert game.actions == []


def test_illegal_is_refused_and_a_value_error(game: Game) -> None:
    assert issubclass(tkg.Illegal, tkg.Refused)
    assert issubclass(tkg.Refused, ValueError)


def test_several_actions_are_played_or_none(game: Game) -> None:
    whole = played(game.variant, seed=7)
    assert game.play(*whole.actions).result == whole.result
    game.undo(len(game.actions))
    start = state_of(game)
    with pytest.raises(tkg.Illegal):
        game.play(*whole.actions[:5], "keep F", *whole.actions[5:])
    assert state_of(game) == start
    assert game.actions == []
    with pytest.raises(tkg.Illegal, match="the game is over"):
        game.play(*whole.actions, "keep F")
    assert game.actions == []
    assert game.play() is game
    assert game.actions == []


def test_actions_before_a_refused_series_stay(game: Game) -> None:
    game.play(game.legal[0])
    state, actions = state_of(game), game.actions
    with pytest.raises(tkg.Illegal):
        game.play(game.legal[0], "nonsense")
    assert (state_of(game), game.actions) == (state, actions)


# --- Undoing ------------------------------------------------------------------------------------------------------


def test_undo_takes_back_one_or_several() -> None:
    game = played(tkg.rift(), seed=3, actions=12)
    earlier = played(tkg.rift(), seed=3, actions=11)
    assert state_of(game.undo()) == state_of(earlier)
    assert game.undo(11).actions == []
    assert state_of(game) == state_of(tkg.new(tkg.rift(), seed=3))
    assert game.undo(0).actions == []


@pytest.mark.parametrize("moves", [1, 2, 100, -1])
def test_undo_too_far_is_refused(moves: int, game: Game) -> None:
    with pytest.raises(tkg.Refused, match=f"{moves} actions cannot be taken back; 0 have been played"):
        game.undo(moves)
    game.play(game.legal[0])
    with pytest.raises(tkg.Refused, match="1 have been played"):
        game.undo(moves if moves != 1 else 2)
    assert len(game.actions) == 1


def test_a_finished_game_can_be_taken_back() -> None:
    game = played(tkg.rift(deck=SMALL), seed=1)
    result = game.result
    last = game.actions[-1]
    assert not game.undo().over
    assert game.outcome is None
    assert last in game.legal
    assert game.play(last).result == result


# --- Copies -------------------------------------------------------------------------------------------------------


def test_copies_go_their_own_ways() -> None:
    game = played(tkg.rift(), seed=5, actions=10)
    game.players.append("one")
    state, actions = state_of(game), game.actions
    copy = game.copy()
    play_out(copy, seed=99)
    copy.players.append("two")
    assert (state_of(game), game.actions, game.players) == (state, actions, ["one"])
    copy.undo(len(copy.actions))
    assert (state_of(game), game.actions) == (state, actions)
    play_out(game, seed=5)
    assert copy.actions == []
    assert state_of(copy) == state_of(tkg.new(tkg.rift(), seed=5))


def test_what_a_game_hands_out_is_not_the_game(game: Game) -> None:
    state = state_of(game)
    game.states[0].supply[:] = 99
    game.legal.clear()
    game.actions.append("keep F")
    game.chance.clear()
    game.result["points"] = 99
    game.view()["supply"][0] = 99
    game.view()["cells"].clear()
    assert state_of(game) == state
    assert game.legal
    assert game.actions == []
    assert len(game.chance) == game.variant.deck.total
    assert game.result["points"] == 0
    assert game.view()["supply"][0] == 15
    assert game.view()["cells"]


# --- The end ------------------------------------------------------------------------------------------------------


def test_outcome_tells_why_and_who() -> None:
    game = tkg.new(tkg.rift(deck={"F": 6}), seed=0)
    assert game.outcome is None
    assert (game.over, game.seat, game.kind) == (False, 1, "keep")
    game.play("keep F", "gain F", "refuse F", "refuse F")
    assert (game.over, game.seat, game.kind, game.legal) == (True, None, None, [])
    outcome = game.outcome
    assert outcome is not None
    assert (outcome.ending, outcome.winners, outcome.scores, outcome.payoffs) == ("unstable", (), (0,), (0.0,))
    assert outcome.reason == "the portal is unstable: the ring is incomplete"
    with pytest.raises(AttributeError):
        outcome.winners = (1,)  # type: ignore[misc]


def test_a_win_is_the_one_seats() -> None:
    game = tkg.new(tkg.rift(deck={"F": 6}, full_boundary=False), seed=0)
    outcome = game.play("keep F", "gain F", "refuse F", "refuse F").outcome
    assert outcome is not None
    assert (outcome.ending, outcome.winners, outcome.payoffs) == ("stable", (1,), (1.0,))
    assert outcome.reason == "the portal is stable"


def test_every_fault_of_a_portal_is_told() -> None:
    deck = {"F": 2, "FFF": 4}
    chance = ["F", "FFF", "FFF", "F", "FFF", "FFF"]
    game = tkg.new(tkg.rift(deck=deck), seed=0, chance=chance)
    outcome = game.play("keep F", "gain F", "build FFF@B", "refuse FFF").outcome
    assert outcome is not None
    for fault in ("gate holds 2 Oinks and the void 3", "sides are unequal", "unmatched", "incomplete"):
        assert fault in outcome.reason


# --- Luck ---------------------------------------------------------------------------------------------------------


def test_chance_given_takes_the_place_of_the_seeds() -> None:
    first = played(tkg.rift(), seed=11)
    again = tkg.new(tkg.rift(), seed=12, chance=first.chance)
    assert again.play(*first.actions).result == first.result
    assert again.chance == first.chance
    assert not again.chance_left
    assert again.seed == 12
    turned = first.chance[::-1]
    assert tkg.new(tkg.rift(), chance=turned).chance == turned


@pytest.mark.parametrize("chance", [[], ["F"], "F" * 48, {}, 0, ["F"] * 48, [None] * 48])
def test_chance_that_cannot_have_fallen_is_refused(chance: Any) -> None:
    with pytest.raises(tkg.Refused, match="chance"):
        tkg.new(tkg.rift(), chance=chance)


@pytest.mark.parametrize("seed", [-1, 1 << 53, 1.5, "7", True, [1], float("nan"), float("inf"), 1 << 64])
def test_seeds_that_records_cannot_hold_are_refused(seed: Any) -> None:
    with pytest.raises(tkg.Refused, match="a seed is a whole number from 0"):
        tkg.new(tkg.rift(), seed=seed)


@pytest.mark.parametrize("seed", [0, (1 << 53) - 1, 7.0])
def test_seeds_at_the_ends_are_taken(seed: Any) -> None:
    game = tkg.new(tkg.rift(), seed=seed)
    assert game.seed == int(seed)
    assert isinstance(game.seed, int)


@pytest.mark.parametrize("variant", [None, "rift", "rift()", {}, tkg.rift])
def test_a_game_is_made_of_a_variant(variant: Any) -> None:
    with pytest.raises(tkg.Refused, match="variant"):
        tkg.new(variant)


def test_a_game_without_a_seed_can_be_made_again() -> None:
    game = tkg.new(tkg.rift())
    assert 0 <= game.seed < 1 << 53
    assert state_of(tkg.new(tkg.rift(), seed=game.seed)) == state_of(game)


# --- What is seen -------------------------------------------------------------------------------------------------

SIDES = range(3, 8)


def kinds_seen(side: int) -> dict[str, Game]:
    """A game of that side at every kind of decision and at its end."""
    variant = tkg.rift(side=side, deck={"-": 1, "F": 9, "FW": 9, "FWAE": 3, "FFFWWWAAAEEE": 1})
    found: dict[str, Game] = {}
    for seed in range(3):
        game = tkg.new(variant, seed=seed)
        while not game.over:
            found.setdefault(str(game.kind), game.copy())
            game.play(next((a for a in game.legal if a[0] in "bm"), drift(game, seed)))
    found["over"] = game
    return found


@pytest.mark.parametrize("side", SIDES)
def test_pictures_of_every_kind_of_decision(side: int) -> None:
    games = kinds_seen(side)
    assert set(games) == {"keep", "gain", "build", "move", "over"}
    for game in games.values():
        view = game.view()
        svg = ElementTree.fromstring(game._repr_svg_())
        width, height = float(svg.attrib["width"]), float(svg.attrib["height"])
        texts = [t.text or "" for t in svg.iter("{http://www.w3.org/2000/svg}text")]
        assert set(view["cells"]) <= set(texts)
        assert svg.findtext("{http://www.w3.org/2000/svg}title", "").startswith(str(game.variant))
        for t in svg.iter("{http://www.w3.org/2000/svg}text"):
            assert 0 <= float(t.attrib["x"]) <= width
            assert 0 <= float(t.attrib["y"]) <= height
        drawn = str(game)
        for name, cell in view["cells"].items():
            assert f"{name}:{cell['tile'] or '.'}" in drawn
        for tile in view["hand"]:
            assert tile in drawn
        assert f"seed={game.seed}" in repr(game)
        assert str(game.variant) in repr(game)


def test_the_order_of_the_stack_is_seen_nowhere() -> None:
    """Two games that differ in what has not been drawn yet show the same."""
    for seed in range(amount(12, least=3)):
        variant = tkg.rift(gate="empty" if seed % 2 else "tile")
        game = played(variant, seed, actions=seed * 4)
        drawn = int(game.states[0].drawn)
        chance = game.chance
        other = tkg.new(variant, seed, chance=chance[:drawn] + sorted(chance[drawn:])).play(*game.actions)
        assert other.chance != chance
        assert other.view() == game.view()
        assert str(other) == str(game)
        assert other._repr_svg_() == game._repr_svg_()
        assert other.legal == game.legal


def test_which_tile_was_laid_aside_first_is_not_seen() -> None:
    """The tiles drawn at set-up are known; which one is the gate is no matter."""
    game = tkg.new(tkg.rift(), seed=4)
    game.play(game.legal[0])
    assert sum(game.view()["set_up"].values()) == 3
    assert sum(game.view()["stack"].values()) == 48 - 6


@pytest.mark.parametrize("seat", [0, 2, -1, 99])
def test_a_seat_that_nobody_has_sees_nothing(seat: int, game: Game) -> None:
    with pytest.raises(tkg.Refused, match="seat"):
        game.view(seat)


# --- Several seats ------------------------------------------------------------------------------------------------

TINY = {"side": 3, "deck": {"F": 5, "FW": 5, "WAE": 3}}


def test_seats_take_turns_and_a_tile_is_its_winners() -> None:
    """Seat 1 lays three in a row on tile A, then chooses; seat 2 is next, whoever has chosen."""
    game = tkg.new(tkg.cosmic(**TINY, layout="dealt", line=3), seed=3)
    assert (game.seat, game.kind) == (1, "place")
    game.play("A1", "A5", "E1", "A9", "I1", "A6", "F1")
    assert game.seat == 2
    assert game.legal == ["A2", "A3", "A4", "A7", "A8"]
    game.play("A4")
    assert (game.seat, game.kind, game.legal) == (2, "take", ["occupy A", "capture A"])
    game.play("occupy A")
    assert (game.seat, game.result["occupied"], game.result["life_on_grid"]) == (1, [0, 1], [3, 0])
    assert all(action.startswith("D") for action in game.legal)


def test_an_outcome_of_several_seats() -> None:
    for players in (2, 3, 4):
        game = played(tkg.cosmic(**TINY, players=players, max_turns=60), seed=players)
        outcome, result = game.outcome, game.result
        assert outcome is not None
        assert outcome.ending == result["ending"]
        assert outcome.winners == tuple(result["winners"])
        assert outcome.scores == tuple(result["points"])
        assert len(outcome.payoffs) == players
        assert sum(outcome.payoffs) == pytest.approx(1)
        for seat in outcome.winners:
            assert outcome.payoffs[seat - 1] == pytest.approx(1 / len(outcome.winners))
            assert str(seat) in outcome.reason


@pytest.mark.parametrize(
    ("seed", "ending", "words"),
    [
        (0, "unfinished", "stopped after 70 turns, unfinished"),
        (2, "captures", "3 tiles are captured"),
        (20, "alignment", "a Cosmic Alignment of 3 tiles"),
        (40, "full", "every space of the layout is taken"),
    ],
)
def test_every_ending_is_told_in_words(seed: int, ending: str, words: str) -> None:
    outcome = played(tkg.cosmic(**TINY, capture_limit=3, layout="dealt", max_turns=70), seed).outcome
    assert outcome is not None
    assert outcome.ending == ending
    assert outcome.reason.startswith(f"{words}: seat")
    assert ("points" in outcome.reason) == (ending != "alignment")


def test_a_hand_is_seen_by_its_seat_alone() -> None:
    game = tkg.new(tkg.cosmic(players=4), seed=6)
    for number in range(16):
        seat = number % 4 + 1
        assert game.seat == seat
        for other in range(1, 5):
            assert bool(game.view(other)["hand"]) == (other == seat)
        assert {a.split()[1].split("@")[0] for a in game.legal} == set(game.view(seat)["hand"])
        game.play(game.legal[-1])
    tiles = [cell["tile"] for seat in range(1, 5) for cell in game.view(seat)["cells"].values() if cell["tile"]]
    assert len(tiles) == 16


@pytest.mark.parametrize("seat", [0, 5, -1])
def test_a_seat_beyond_the_table_sees_nothing(seat: int) -> None:
    with pytest.raises(tkg.Refused, match="from 1 to 4"):
        tkg.new(tkg.cosmic(players=4)).view(seat)


def test_luck_given_list_by_list() -> None:
    """At a real table the next shuffle is told when it has fallen; until then the game says what it waits for."""
    variant = tkg.cosmic(**TINY)
    whole = played(variant, seed=2, actions=9)
    game = tkg.new(variant, chance=whole.chance[:2])
    shuffled = len(whole.chance)
    assert shuffled > 3
    with pytest.raises(tkg.NoChance, match="list 3 is missing; it could be"):
        game.play(*whole.actions)
    assert game.actions == []
    again = tkg.new(variant, chance=whole.chance)
    assert again.play(*whole.actions).view() == whole.view()
    assert again.chance == whole.chance
    assert not again.chance_left


@pytest.mark.parametrize(
    "variant",
    [tkg.rift(deck=SMALL), tkg.cosmic(**TINY), tkg.umbra(side=3, soul_on_tile=3)],
    ids=str,
)
def test_a_line_of_ones_own_leaves_luck_that_cannot_fall_on_it(variant: tkg.Variant) -> None:
    """A game that fell otherwise than its seed has it: played otherwise it goes on to its end, as before it is the same."""
    whole = played(variant, seed=8)
    fallen = whole.chance
    for back in range(1, len(whole.actions) + 1, 1 + len(whole.actions) // amount(12)):
        taken_up = tkg.new(variant, 5, fallen).play(*whole.actions).take_up().undo(back)
        before = list(taken_up.actions)
        other = next((action for action in taken_up.legal if action != whole.actions[len(before)]), None)
        if other is not None:
            assert play_out(taken_up.play(other), back).over
            taken_up.undo(len(taken_up.actions) - len(before))
        taken_up.play(*whole.actions[len(before) :])
        assert taken_up.chance == fallen
        assert not taken_up.chance_left


# --- Contests -----------------------------------------------------------------------------------------------------


def test_contests_are_ranked_by_points_then_by_the_gate() -> None:
    """Eight fires: who builds and moves scores; of those who do not, the fuller gate is ahead."""
    deck = {"F": 8, "FF": 1}
    chance = ["F", "F", "FF", "F", "F", "F", "F", "F", "F"]

    def plays(*actions: str, **readings: Any) -> Game:
        return tkg.new(tkg.rift(deck=deck, **readings), seed=0, chance=chance).play(*actions)

    rest = ("gain F", "refuse F", "refuse F")
    builder = plays("keep F", "gain F", "build F@B", "move F gate>B", *rest)
    keeper = plays("keep FF", *rest, *rest)
    other = plays("keep F", *rest, *rest)
    assert [g.result["points"] for g in (builder, keeper, other)] == [1, 0, 0]
    assert contest_ranks([other, builder, keeper]) == [3, 1, 2]
    assert contest_ranks([other, builder, other.copy()]) == [2, 1, 2]
    assert contest_ranks([keeper]) == [1]


def test_stable_portals_come_first_if_the_standing_says_so() -> None:
    deck = {"F": 8, "FF": 1}
    chance = ["F", "F", "FF", "F", "F", "F", "F", "F", "F"]
    ranks = {}
    for standing in ("points", "stable-first"):
        variant = tkg.rift(deck=deck, full_boundary=False, standing=standing)
        rest = ("gain F", "refuse F", "refuse F")
        builder = tkg.new(variant, chance=chance).play("keep F", "gain F", "build F@B", "move F gate>B", *rest)
        nobody = tkg.new(variant, chance=chance).play("keep FF", "gain F", "refuse F", "refuse F", *rest)
        assert [builder.result["win"], nobody.result["win"]] == [False, True]
        ranks[standing] = contest_ranks([builder, nobody])
    assert ranks == {"points": [1, 2], "stable-first": [2, 1]}


def test_a_contest_is_of_finished_games_on_one_deal() -> None:
    done, other_deal = played(tkg.rift(deck=SMALL), 1), played(tkg.rift(deck=SMALL), 2)
    other_variant = tkg.new(tkg.rift(deck=SMALL, supply=9), chance=done.chance)
    play_out(other_variant, 1)
    with pytest.raises(tkg.Refused, match="finished"):
        contest_ranks([done, tkg.new(done.variant, 1)])
    for stranger in (other_deal, other_variant):
        with pytest.raises(tkg.Refused, match="same"):
            contest_ranks([done, stranger])
    with pytest.raises(tkg.Refused):
        contest_ranks([])


def test_elements_are_in_one_order_everywhere() -> None:
    assert tkg.new(tkg.rift(supply=[1, 2, 3, 4])).view()["supply"] == [1, 2, 3, 4]
    assert ELEMENTS == "FWAE"


# --- Positions set up by hand -------------------------------------------------------------------------------------

TURN = {"phase": "gain", "turn": 1, "cells": {"B": {"tile": "F"}}, "gate": "FA"}


def test_a_game_begins_at_a_position() -> None:
    told = {**TURN, "cells": {"B": {"tile": "F"}}}
    game = tkg.set_up(tkg.rift(deck=SMALL), told, seed=5)
    told["cells"]["B"]["tile"] = "WA"  # type: ignore[index]
    assert game.begun_at == TURN, "the game keeps the position as it was told"
    assert (game.seed, game.actions, game.kind) == (5, [], "gain")
    assert tkg.new(game.variant).begun_at is None
    start = state_of(game)
    with pytest.raises(tkg.Refused, match="0 have been played"):
        game.undo()
    play_out(game, 1)
    assert game.over
    assert game.result["turns"] == 4
    assert state_of(game.undo(len(game.actions))) == start
    assert "position set up by hand" in repr(game)


def test_the_seed_settles_what_a_position_does_not_tell() -> None:
    variant = tkg.rift(deck=SMALL)
    same = [play_out(tkg.set_up(variant, TURN, seed=5), 1) for _ in range(2)]
    assert state_of(same[0]) == state_of(same[1])
    assert state_of(tkg.set_up(variant, TURN, seed=5)) != state_of(tkg.set_up(variant, TURN, seed=6))
    drawn = tkg.set_up(variant, TURN)
    assert state_of(tkg.set_up(variant, TURN, seed=drawn.seed)) == state_of(drawn)
    with pytest.raises(tkg.Refused, match="a seed is a whole number"):
        tkg.set_up(variant, TURN, seed=-1)
    with pytest.raises(tkg.Refused, match=r"tkg\.rift\(\) gives"):
        tkg.set_up("rift", TURN)  # type: ignore[arg-type]


def test_luck_after_a_position_comes_from_the_seed() -> None:
    game = tkg.set_up(tkg.umbra(max_rounds=3), {"altar": {p: {"tile": "NS"} for p in ("I", "II", "III", "IV")}}, seed=4)
    again = tkg.set_up(game.variant, game.position, seed=4)
    assert state_of(play_out(game, 1)) == state_of(play_out(again, 1))
    assert game.chance
    assert all(set(fell) <= {"draw", "altar", "stack"} for fell in game.chance)


def test_a_copy_keeps_where_it_began() -> None:
    game = tkg.set_up(tkg.rift(deck=SMALL), TURN, seed=5)
    copy = game.copy()
    copy.play(copy.legal[0])
    assert copy.begun_at == TURN
    assert (len(copy.actions), game.actions) == (1, [])


def test_a_position_has_no_record(tmp_path: Path) -> None:
    game = tkg.set_up(tkg.rift(deck=SMALL), TURN, seed=5)
    with pytest.raises(tkg.Refused, match=r"a record begins at the set-up of the rules.* game\.begun_at"):
        tkg.to_record(game)
    with pytest.raises(tkg.Refused, match="a record begins"):
        tkg.write_records(tmp_path / "games.jsonl", game)
    assert not list(tmp_path.iterdir())


def test_a_contest_from_a_position_is_of_one_deal() -> None:
    one, other, stranger = (play_out(tkg.set_up(tkg.rift(deck=SMALL), TURN, seed), 1) for seed in (5, 5, 6))
    assert contest_ranks([one, other]) == [1, 1]
    for players in ([one, stranger], [one, played(one.variant, 5)]):
        with pytest.raises(tkg.Refused, match="the same deal"):
            contest_ranks(players)

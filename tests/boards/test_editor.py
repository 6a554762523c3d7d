"""Setting up by hand on a board: every click is a position of the rules, or is refused and changes nothing."""

from __future__ import annotations

import html
import random
from dataclasses import replace
from typing import Any

import pytest
from clicking import click, legal, send, way_to
from playing import amount, played

import tkg
from tkg.boards.board import Board
from tkg.game import Game
from tkg.rules import calls

MIDGAME = {
    "rift()": 20,
    "rift(side=4, gate=empty)": 9,
    "cosmic(layout=dealt)": 20,
    "cosmic(players=3)": 40,
    "umbra(players=3)": 25,
    "umbra(specials=True)": 12,
}


FIRST = ["rift()", "rift(gate=empty)", "cosmic(layout=dealt)", "umbra(players=3)", "umbra(specials=True)"]


def board_at(text: str, moves: int, **settings: Any) -> Board:
    variant = tkg.variant(text.replace("specials=True", "tiles=straight:5,curve:6,tee:6,point:1,void:1,block:1"))
    return tkg.board(played(variant, 3, actions=moves), **{"log": False, **settings})


def tool(board: Board, words: str) -> None:
    """Take a tool by its words."""
    names = [name for name, _ in board.editor.tool.options]
    board.editor.tool.value = names.index(words)


@pytest.mark.parametrize(("text", "moves"), [*MIDGAME.items(), *((text, 0) for text in FIRST)])
def test_every_change_is_a_position_or_is_refused(text: str, moves: int) -> None:
    """At random: after a refusal the position is what it was, and whatever comes of it can be played on from."""
    board, chance = board_at(text, moves), random.Random(4)
    board.set_up()
    done = refused = 0
    for _ in range(40):
        board.editor.tool.value = chance.randrange(len(board.editor.tool.options))
        names = legal(board)
        if not names:
            continue
        before = board.editor.game
        assert before is not None
        click(board, chance.choice(names))
        after = board.editor.game
        assert after is not None
        if after is before:
            refused += 1
            assert board.canvas.state["say"].startswith("Not so: ")
        else:
            done += 1
            assert after.legal
    assert done
    assert done + refused > 20
    for control in board.editor.choices.children:
        for value in control.options[:3]:
            control.value = value
            assert board.editor.game is not None
            assert board.editor.game.legal
    board.leave_set_up(True)
    assert board.game.begun_at is not None
    click(board, *(["take over"] if board.sitting.covered else []))
    action = board.game.legal[0]
    click(board, *way_to(board, action))
    assert board.game.actions[0] == action


def test_a_ring_is_laid_by_hand_before_the_first_move() -> None:
    """The set-up of the Rift is left by its list of phases; as long as it lasts nothing lies on the ring."""
    board = board_at("rift()", 0)
    board.set_up()
    phase, turn = board.editor.choices.children
    assert (phase.options, turn.options) == (("keep", "gain", "build", "move"), (1,))
    tool(board, "tile FF")
    click(board, "cell B")
    assert "at the phase keep nothing has been played" in board.canvas.state["say"]
    click(board, "hand 1")
    assert board.editor.game is not None
    assert board.editor.game.view()["hand"][0] == "FF"
    phase.value = "gain"
    phase, turn = board.editor.choices.children
    assert (phase.options, turn.options) == (("gain", "build", "move"), tuple(range(1, 16)))
    turn.value = 3
    click(board, "cell B")
    assert board.editor.game.view()["cells"]["B"]["tile"] == "FF"
    board.leave_set_up(True)
    assert board.game.kind == "gain"


def test_a_deck_too_small_for_a_turn_can_be_set_up() -> None:
    board = tkg.board(tkg.rift(deck={"F": 3, "FW": 2}), seed=3, log=False)
    board.set_up()
    board.editor.choices.children[0].value = "gain"
    assert "no turn can be played" in board.canvas.state["say"]
    board.leave_set_up(True)
    assert board.game.legal == ["keep F"]


def test_a_set_up_that_is_refused_stops_no_bot_and_leaves_the_board_as_it_was() -> None:
    board = tkg.board("cosmic", "greedy", 3, log=False)
    board.set_up()
    assert "a draft cannot be set up" in board.canvas.state["say"]
    assert board.editor.game is None
    click(board, *way_to(board, board.game.legal[0]))
    assert (board.game.seat, len(board.game.actions)) == (1, 2)


def test_a_ring_laid_by_hand() -> None:
    """From the first turn of the Rift: FF on A with a fire Oink, one more in the gate; the supply has the rest."""
    board = board_at("rift()", 1)
    board.set_up()
    assert board.editor.game is not None
    gate = board.editor.game.view()["gate"]
    tool(board, "tile FF")
    click(board, "cell B")
    assert "Not so" in board.canvas.state["say"]  # nothing can be built before the first turn is over
    board.editor.choices.children[1].value = 3  # two are over
    click(board, "cell B", "cell A")
    tool(board, "an Oink of fire")
    click(board, "cell A", "gate")
    view = board.editor.game.view()
    assert view["cells"]["A"] == {"place": (0, 0), "tile": "FF", "oinks": [1, 0, 0, 0]}
    assert view["gate"] == [gate[0] + 1, *gate[1:]]
    assert (
        view["supply"][0] == 15 - sum(v["oinks"][0] for v in view["cells"].values()) - view["gate"][0] - view["void"][0]
    )
    tool(board, "take away an Oink of fire")
    click(board, "cell A", "cell A")
    assert "no such Oink" in board.canvas.state["say"]


def test_the_turn_in_the_list_is_the_one_that_the_picture_tells() -> None:
    """A position's `turn` counts those completed, which people are not shown."""
    board = board_at("rift()", 1)
    board.set_up()
    turn = board.editor.choices.children[1]
    assert (turn.description, turn.value, turn.options[-1]) == ("turn being played", 1, 15)
    assert "(turn 1 of 15)" in board.canvas.state["title"]
    turn.value = 4
    assert board.editor.game is not None
    assert board.editor.game.position["turn"] == 3
    assert "(turn 4 of 15)" in board.canvas.state["title"]
    assert board.editor.choices.children[1].value == 4


def test_what_is_refused_is_said_at_the_board_too() -> None:
    """A choice from a list as a click, also one beside what the tool is for; the lists show what is, as before."""
    board = board_at("rift()", 1)
    board.set_up()
    tool(board, "tile FF")
    board.editor.choices.children[1].value = 2
    click(board, "cell B")
    board.editor.choices.children[1].value = 1
    said = board.canvas.state["say"]
    assert said.startswith("Not so: position, turn: ")
    assert said.removeprefix("Not so: ") in html.unescape(board.editor.says.value)
    assert board.editor.choices.children[1].value == 2
    before = board.editor.game
    click(board, "gate")
    assert board.canvas.state["say"] == "Not so: “tile FF” is used on: cell, hand"
    assert board.editor.game is before


@pytest.mark.parametrize("text", MIDGAME)
def test_no_list_is_wider_than_the_panel(text: str) -> None:
    board = board_at(text, MIDGAME[text])
    board.set_up()
    lists = [board.editor.tool, *board.editor.choices.children]
    assert {box.layout.width for box in lists} == {"98%"}


def test_a_token_laid_last_directs_the_next_seat() -> None:
    board = board_at("cosmic(layout=dealt)", 0)
    board.set_up()
    tool(board, "a LIFE token of seat 1, the last one placed")
    click(board, "space C7")
    board.leave_set_up(True)
    assert (board.game.seat, board.game.legal[0]) == (2, "G1")
    assert len(board.game.legal) == 16


def page(board: Board) -> str:
    """All that a board shows anywhere while a position is set up."""
    contents, editor = board.panel.folds.contents, board.editor
    lists = [(box.description, box.value, box.options) for box in (editor.tool, *editor.choices.children)]
    panel = [board.panel.moves.options, board.panel.status.value, contents.stock.value, editor.says.value, lists]
    return str([board.canvas.scene, board.still_html().replace(board.canvas.still, ""), *panel])


def dealt_anew(game: Game, seats: list[int], key: int) -> Game:
    """The same game as far as all of some seats know it together, though what none of them knows lies otherwise."""
    twin, states = game.copy(), game.states
    for seat in seats:
        calls.hide(states, game.variant.packed, seat - 1, key)
    twin._history[-1] = replace(twin._history[-1], states=states)
    return twin


@pytest.mark.parametrize("persons", [[1], [3], [1, 2, 3]])
@pytest.mark.parametrize(
    ("text", "kind", "moves"),
    [
        ("cosmic(players=3, layout=dealt)", "place", 20),
        ("cosmic(players=3, layout=free)", "place", 60),
        ("cosmic(players=3)", "place", 80),
        ("umbra(players=3)", "bid", 0),
        ("umbra(players=3)", "bid", 40),
    ],
)
def test_setting_up_shows_nothing_that_is_hidden(text: str, kind: str, moves: int, persons: list[int]) -> None:
    """Of two games alike for those at the board nothing tells one from the other, whatever is laid down and taken away."""
    game = board_at(text, moves).game
    while (game.seat, game.kind) != (persons[-1], kind):
        game.play(game.legal[0])
    bots = [None if seat in persons else "random" for seat in (1, 2, 3)]
    boards = [tkg.board(dealt_anew(game, persons, key), bots, log=False) for key in (1, 2)]
    assert boards[0].game.position != boards[1].game.position
    for board in boards:
        board.set_up()
    chance, tools = random.Random(4), len(boards[0].editor.tool.options)
    for _ in range(amount(25)):
        assert page(boards[0]) == page(boards[1])
        which, place = chance.randrange(tools), chance.random()
        for board in boards:
            board.editor.tool.value = which
            names = legal(board)
            click(board, names[int(place * len(names))])
    for board in boards:
        board.leave_set_up(True)
        assert board.game.begun_at is not None


def test_who_has_bid_unseen_bids_again_after_a_set_up() -> None:
    """Bids that all at the board know stay: seat 1 alone knows its own, two persons neither."""
    game = board_at("umbra(players=3)", 0).game
    game.play(game.legal[0])
    for bots, decider in ((None, 1), ({1: "random"}, 1), ({2: "random", 3: "random"}, 2)):
        board = tkg.board(game, bots, log=False)
        board.jump(1)
        board.set_up()
        assert board.editor.game is not None
        assert board.editor.game.seat == decider


def test_a_set_up_shows_one_persons_side_whoever_is_to_move() -> None:
    board = tkg.board("cosmic", "greedy", 3, log=False)
    while board.game.kind == "draft":
        click(board, *way_to(board, board.game.legal[0]))
    board.set_up()
    tool(board, "a LIFE token of seat 1, the last one placed")
    click(board, legal(board)[5])
    assert board.editor.game is not None
    assert board.editor.game.seat == 2
    assert board.table.view == board.editor.game.view(1)
    drafted = [label for label, _ in board.panel.moves.options if "draft" in label]
    assert [("?@" in label) for label in drafted] == [False, True] * (len(drafted) // 2)


def test_what_was_set_up_can_be_forgotten() -> None:
    board = board_at("umbra(players=3)", 25)
    before = board.game.actions
    board.set_up()
    for kind in ("undo", "redo", "hint", "go"):
        send(board, kind)
        assert "first" in board.canvas.state["say"]
    board.jump(2)
    assert board.game.actions == before
    tool(board, "take away a tile")
    click(board, legal(board)[5])
    board.leave_set_up(False)
    assert board.game.actions == before
    assert board.game.begun_at is None


def test_the_end_cannot_be_changed() -> None:
    board = board_at("rift()", 10_000)
    board.jump(len(board.sitting.line) - 1)
    board.set_up()
    assert board.editor.game is None
    assert "cannot be changed" in board.canvas.state["say"]


def test_bots_answer_in_a_game_that_was_set_up_and_it_is_written_down(tmp_path: Any) -> None:
    board = board_at("rift()", 40, log=tmp_path)
    board.set_up()
    board.leave_set_up(True)
    while not board.game.over:
        click(board, *way_to(board, board.game.legal[0]))
    row = tkg.playtests(tmp_path).games.row(0, named=True)
    assert (row["finished"], row["moves"]) == (True, len(board.game.actions))


@pytest.mark.parametrize("text", MIDGAME)
def test_who_wins_from_here(text: str) -> None:
    board = board_at(text, MIDGAME[text])
    board.panel.folds.contents.many_bot.value, board.panel.folds.contents.many_games.value = "random", 40
    board.play_many("random", 40)
    told = board.panel.folds.contents.many_told.value
    assert "40 games by random" in told
    assert told.count("<tr>") == board.game.variant.seats
    runs = tkg.play_on(board.game, "random", 40, board.game.seed)
    assert f"{tkg.metrics.win_share(runs, 'seat').row(0, named=True)['share']:.1%}" in told
    board.play_many("random", 0)
    assert "games" in board.panel.folds.contents.many_told.value
    assert "<tr>" not in board.panel.folds.contents.many_told.value

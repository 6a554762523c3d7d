"""A board without a browser: what can be pointed at, what clicks come to, what is said and what is kept from whom."""

from __future__ import annotations

import asyncio
import json
import random
import re
from inspect import isfunction
from typing import Any

import pytest
from clicking import click, legal, parts, send, way_to
from playing import LONG, amount, played

import tkg
from tkg.boards.board import Board
from tkg.boards.browser import Browser
from tkg.boards.canvas import TAKE_OVER, own_file
from tkg.boards.controls import VariantPanel
from tkg.boards.editor import Editor
from tkg.boards.panel import Panel, hint_words
from tkg.boards.still import PanelWithBoard
from tkg.boards.table import Table
from tkg.estimates import Estimate, Option, check_bot
from tkg.panels.explorer import Explorer
from tkg.rules.games import GAMES
from tkg.rules.knobs import Variant

VARIANTS = [
    "rift()",
    "rift(side=5, tile_moves=any, hop=again, gate=empty)",
    "cosmic()",
    "cosmic(players=3, side=3, life=4, layout=free, blocked=pass)",
    "cosmic(players=4, side=5, layout=dealt, oinks=1)",
    "umbra()",
    "umbra(players=4, side=3, tiles=point:9;void:3;block:2;tee:4, scatter=split, altar=6)",
    "umbra(players=3, draw=2, energy=8, soul=6, soul_on_tile=5, rank_tie=share)",
]
DECIDED = 12 if LONG else 8  # decisions of a game that are looked at
TRIED = 8 if LONG else 3  # options of a decision that are played


def variant_of(text: str) -> Variant:
    return tkg.variant(text.replace(";", ","))


def alone(variant: Variant, seed: int = 3, **settings: Any) -> Board:
    """A board on which one person plays all by itself, or bots sit in the other seats."""
    return tkg.board(variant, "random" if variant.seats > 1 else None, seed, log=False, **settings)


@pytest.mark.parametrize("text", VARIANTS)
def test_every_option_can_be_reached_by_pointing(text: str) -> None:
    """At decisions of a game: all that is lit is there to be pointed at, and each option is played by its way."""
    variant = variant_of(text)
    board, chance = alone(variant), random.Random(5)
    for _ in range(amount(DECIDED)):
        if board.game.over:
            break
        shown = parts(board)
        chips = {name for name, _, _ in board.canvas.state["chips"]}
        names = set(board.canvas.state["labels"])
        assert names <= {name for name, (_, spot) in shown.items() if spot is not None}
        assert set(legal(board)) <= names | chips
        options = board.game.legal
        for action in chance.sample(options, min(len(options), TRIED)):
            game = board.game
            for name in way_to(board, action):
                assert name in legal(board), f"{name} on the way to {action} is not lit"
                click(board, name)
            assert action in board.game.actions[len(game.actions) :], f"{action} was not played"
            board.undo()
            assert board.game.actions == game.actions
        click(board, *way_to(board, chance.choice(options)))
    json.dumps(board.canvas.state)


@pytest.mark.parametrize("text", VARIANTS)
def test_what_is_not_legal_is_explained(text: str) -> None:
    """A click that nothing comes of changes nothing and says why."""
    board, chance = alone(variant_of(text)), random.Random(6)
    for _ in range(amount(DECIDED)):
        if board.game.over:
            break
        before = board.game.actions
        dark = [name for name in board.canvas.state["labels"] if name not in legal(board)]
        for name in chance.sample(dark, min(len(dark), 5)):
            click(board, name)
            assert board.game.actions == before
            assert board.canvas.state["say"].startswith("Not here: ")
            assert len(board.canvas.state["say"]) > 25
        click(board, *way_to(board, chance.choice(board.game.legal)))


def test_a_source_is_let_go_by_escape_or_by_a_second_click() -> None:
    board = tkg.board("rift", seed=3, log=False)
    click(board, "hand 1", "hand 1")
    assert board.game.kind == "build"
    for let_go in (lambda: send(board, "cancel"), lambda: click(board, "hand 1")):
        click(board, "hand 1")
        assert "s" in board.canvas.state["marks"]["hand 1"]
        let_go()
        assert "s" not in board.canvas.state["marks"]["hand 1"]
    click(board, "hand 1", "hand 2")
    assert board.table.picked == ("hand 2",)


def test_a_bid_is_laid_flower_by_flower_and_can_be_taken_back() -> None:
    board = tkg.board("umbra", "greedy", 3, log=False)
    hand = board.game.view(1)["hand"]
    assert "choose confirm" not in legal(board)
    click(board, "hand 1", "altar II")
    assert sum(board.table.picker.left(board.table.picked)) == sum(hand) - 1  # type: ignore[union-attr]
    assert "altar II" in legal(board)
    assert "E" in parts(board)["altar II"][0] or "S" in parts(board)["altar II"][0]
    if hand[0] and hand[1]:
        click(board, "altar II")
        assert board.table.picked == ()
        click(board, "hand 1", "altar II")
    while "choose confirm" not in legal(board):
        click(board, "hand 1", "altar I")
    assert "hand 1" not in board.canvas.state["labels"]
    click(board, "choose confirm")
    assert board.game.actions[0].startswith("bid I:")


@pytest.mark.parametrize("game", GAMES)
def test_events_that_answer_an_old_picture_are_dropped(game: str) -> None:
    """The second click of a double click, a view that lags behind, and what is no event at all."""
    board = alone(Variant(GAMES[game]))
    seq, name = board.canvas.state["seq"], legal(board)[0]
    send(board, "pick", name, seq)
    state, actions = board.canvas.state, board.game.actions
    assert state["seq"] > seq
    send(board, "pick", name, seq)
    send(board, "undo", None, seq)
    for content in (None, [], {"type": "pick"}, {"type": 3, "name": name, "seq": state["seq"]}, {"seq": state["seq"]}):
        board.canvas.receive(content)
    board.canvas.receive({"type": "pick", "name": ["a"], "seq": state["seq"]})
    board.canvas.receive({"type": "fly", "name": None, "seq": state["seq"]})
    assert (board.canvas.state, board.game.actions) == (state, actions)


def test_two_boards_and_a_cell_run_twice_do_not_meddle() -> None:
    game = tkg.new(tkg.rift(), 3)
    first, second = tkg.board(game, log=False), tkg.board(game, log=False)
    click(first, "hand 1")
    assert (len(first.game.actions), len(second.game.actions), len(game.actions)) == (1, 0, 0)
    assert first.canvas.still != second.canvas.still


def test_undo_goes_back_over_bots_and_redo_forward() -> None:
    board = alone(tkg.umbra(), 3)
    bids = []
    for _ in range(4):
        bids.append(board.game.actions)
        click(board, *way_to(board, board.game.legal[-1]))
    assert board.game.seat == 1
    last = board.game.actions
    for before in reversed(bids):
        send(board, "undo")
        assert board.game.actions == before
    send(board, "undo")
    assert "nothing to take back" in board.canvas.state["say"]
    for after in [*bids[1:], last]:
        send(board, "redo")
        assert board.game.actions == after
    send(board, "redo")
    assert "nothing to do again" in board.canvas.state["say"]


def test_playing_on_from_an_earlier_move_begins_a_new_line() -> None:
    board = tkg.board("rift", seed=3, log=False)
    for _ in range(6):
        click(board, *way_to(board, board.game.legal[0]))
    old = board.game.actions
    board.panel.moves.value = 2
    assert board.game.actions == old[:2]
    assert "new line" in board.canvas.state["say"]
    assert len(board.panel.moves.options) == 7
    other = next(action for action in board.game.legal if action != old[2])
    click(board, *way_to(board, other))
    assert board.game.actions == [*old[:2], other]
    assert len(board.panel.lines.options) == 2
    board.panel.lines.value = 1
    assert board.game.actions == old
    board.jump(2)
    click(board, *way_to(board, old[2]))  # the same again is no new line
    assert len(board.sitting.ends) == 2


def test_a_game_or_a_record_comes_with_its_moves() -> None:
    """An unfinished one to go on with, a finished one to look at from its beginning."""
    runs = tkg.simulate(tkg.umbra(), "greedy", 3, seed=1)
    over = tkg.game_of(runs, row=1)
    board = tkg.board(over, log=False)
    assert (board.sitting.at, len(board.panel.moves.options)) == (0, len(over.actions) + 1)
    board.jump(len(over.actions))
    assert board.game.outcome == over.outcome
    assert over.outcome is not None
    assert board.canvas.state["say"] == over.outcome.reason
    record = tkg.to_record(over.copy().undo(4))
    board = tkg.board(record, log=False)
    assert board.game.actions == over.actions[:-4]
    with pytest.raises(tkg.Refused, match="seed"):
        tkg.board(over, seed=3)
    with pytest.raises(tkg.Refused, match="a game's name, a variant"):
        tkg.board(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", GAMES)
def test_a_record_is_played_on_otherwise_from_any_move(game: str) -> None:
    """Luck that the record tells falls only as long as it can: shuffles and draws of a new line come out otherwise."""
    whole = played(Variant(GAMES[game]), 8)
    record = {**tkg.to_record(whole), "seed": 5}
    board = tkg.board(record, "random" if whole.variant.seats > 1 else None, log=False)
    for at in range(0, len(whole.actions), 1 + len(whole.actions) // amount(3)):
        board.panel.lines.value = 1
        board.jump(at)
        board.play_on()  # where the bot decides, it may decide otherwise
        while not board.game.over:
            click(board, *way_to(board, board.game.legal[-1]))
        assert board.game.outcome


@pytest.mark.parametrize(
    ("bots", "words"),
    [
        ("gredy", "greedy"),
        ("peek:100", "sees what is hidden"),
        ({3: "greedy"}, "no seat 3"),
        (["greedy"], "1 are given for 2 seats"),
    ],
)
def test_bad_bots_are_refused(bots: Any, words: str) -> None:
    with pytest.raises(tkg.Refused, match=words):
        tkg.board("umbra", bots, log=False)


# --- What is hidden -----------------------------------------------------------------------------------------------


def test_a_hot_seat_hands_over_where_something_is_hidden() -> None:
    """Two persons bid: each sees its own hand only once it has taken the board over, and no bid before both have."""
    board = tkg.board("umbra", seed=3, log=False)
    hands = [board.game.view(seat)["hand"] for seat in (1, 2)]
    assert board.canvas.state["chips"][0][0] == TAKE_OVER
    assert board.table.view["hand"] == [0, 0]
    assert not legal(board)
    click(board, TAKE_OVER)
    assert board.table.view["hand"] == hands[0]
    bid = board.game.legal[-1]
    click(board, *way_to(board, bid))
    shown = json.dumps(board.canvas.state) + str(board.panel.moves.options)
    assert bid not in shown
    assert board.table.view["hand"] == [0, 0]
    send(board, "undo")  # whoever looks now need not be seat 1
    assert board.sitting.covered
    send(board, "redo")
    click(board, TAKE_OVER)
    assert board.table.view["hand"] == hands[1]
    assert board.table.view["bid"] is None
    assert bid not in str(board.panel.moves.options)
    click(board, *way_to(board, board.game.legal[0]))
    click(board, *([TAKE_OVER] if board.sitting.covered else []))
    assert bid in str(board.panel.moves.options) or board.game.view(None)["bidding"] == 1


@pytest.mark.parametrize("text", ["cosmic()", "umbra()", "umbra(players=3)"])
def test_who_undoes_another_persons_move_does_not_see_that_persons_side_by_a_redo(text: str) -> None:
    """Back at seat 1, which takes nothing over and goes forward again: seat 2 has to take the board over once more."""
    board = tkg.board(tkg.variant(text), seed=3, log=False)
    for _ in range(2):
        click(board, TAKE_OVER)
        click(board, *way_to(board, board.game.legal[0]))
    send(board, "undo")
    click(board, TAKE_OVER)
    assert board.game.seat == 2
    send(board, "undo")
    assert (board.game.seat, board.sitting.covered) == (1, True)
    for forward in (lambda: send(board, "redo"), lambda: board.jump(1)):
        forward()
        assert (board.game.seat, board.sitting.covered) == (2, True)
        assert board.table.view == board.game.view(None)
        board.jump(0)


def test_a_seat_with_nothing_to_hide_ends_anothers_look() -> None:
    """Seat 1 has no flowers left and bids nothing, so nobody takes the board over; seat 2 does, in each bidding."""
    variant = tkg.umbra()
    position = tkg.new(variant, 3).position
    bare = {"soul_tile": variant.soul_on_tile, "spent": variant.soul - variant.soul_on_tile}
    energy = {"A": {"tile": "NS", "energy": [variant.energy - 1, 0]}}
    game = tkg.set_up(variant, {**position, "seats": [bare, position["seats"][1]], "cells": energy}, 3)
    board = tkg.board(game, log=False)
    for bidding in (1, 2):
        assert (board.game.seat, board.sitting.covered) == (1, False)
        click(board, *way_to(board, "bid -"))
        assert (board.game.seat, board.sitting.covered) == (2, True)
        assert board.table.view["bidding"] == bidding
        assert board.table.view["hand"] == [0, 0]
        click(board, TAKE_OVER)
        click(board, *way_to(board, board.game.legal[0]))


def test_a_drafted_tile_is_veiled_to_the_other_seat() -> None:
    board = tkg.board("cosmic", "greedy", 3, log=False)
    while board.game.kind == "draft":
        click(board, *way_to(board, board.game.legal[0]))
    moves = [label for label, _ in board.panel.moves.options[1:]]
    for number, (label, action) in enumerate(zip(moves, board.game.actions, strict=True)):
        if action.startswith("draft"):
            assert (action in label) == (number % 2 == 0)
            assert ("?@" in label) == (number % 2 == 1)


def test_against_one_person_the_board_shows_that_persons_side_throughout() -> None:
    board = tkg.board("umbra", {1: "greedy"}, 3, log=False)
    assert board.table.view["seat"] == 2
    assert board.game.seat == 2
    assert board.game.actions[0] not in str(board.panel.moves.options)


# --- Bots in the background ---------------------------------------------------------------------------------------


async def settled(board: Board) -> None:
    """Until no bot thinks."""
    task = board._thinking
    while task is not None and not task.done():
        await task
        task = board._thinking


def test_bots_move_in_the_background_and_can_be_stopped() -> None:
    async def play() -> None:
        board = tkg.board("umbra", {1: "greedy", 2: "greedy"}, 3, pace=0, log=False)
        assert board.busy
        assert board.game.actions == []
        seen = board.canvas.state["seq"]
        while len(board.game.actions) < 5:
            await asyncio.sleep(0)
        assert board.canvas.state["seq"] > seen
        send(board, "stop", None, seen)  # from a page that has not drawn the last moves yet
        await settled(board)
        reached = len(board.game.actions)
        assert not board.busy
        assert not board.panel.buttons["go"].disabled
        board.play_on()
        while len(board.game.actions) < reached + 3:
            await asyncio.sleep(0)
        board.stop()
        await settled(board)

    asyncio.run(play())


def test_what_is_folded_away_waits_for_the_picture_or_until_it_is_unfolded(monkeypatch: pytest.MonkeyPatch) -> None:
    def made(board: Board) -> list[bool]:
        return [len(box.children) > 0 for box in board.panel.folds.children]

    async def look(unfold: bool) -> Board:
        board = tkg.board("umbra", {2: "greedy"}, 3, log=False)
        assert board.canvas.state["parts"]
        assert not any(made(board))
        if unfold:
            board.panel.folds.selected_index = 2
            assert all(made(board))
        return board

    async def wait() -> Board:
        board = await look(unfold=False)
        while not any(made(board)):
            await asyncio.sleep(0)
        return board

    asyncio.run(look(unfold=True))
    monkeypatch.setattr("tkg.boards.board.FOLDS_AFTER", 0)
    board = asyncio.run(wait())
    assert all(made(board))
    assert [who.children[0].value for who in board.panel.folds.contents.sitters] == ["a person", "greedy"]


def test_what_a_bot_thought_before_an_undo_is_forgotten() -> None:
    async def play() -> None:
        board = tkg.board("umbra", "greedy", 3, pace=0.05, log=False)
        click(board, *way_to(board, board.game.legal[-1]))
        assert board.busy
        send(board, "undo")
        await settled(board)
        assert board.game.actions == []
        assert board.sitting.ends[0].game.actions == board.sitting.line[-1].game.actions

    asyncio.run(play())


def test_a_bot_of_ones_own_that_fails_stops_and_says_so() -> None:
    @tkg.register_bot("faulty", game="umbra")
    def faulty(seen: Any, options: Any) -> str:
        raise ValueError("no idea")

    async def play() -> None:
        board = tkg.board("umbra", {1: "faulty"}, 3, pace=0, log=False)
        await settled(board)
        assert "no idea" in board.canvas.state["say"]
        assert not board.busy

    asyncio.run(play())


def test_a_bots_move_that_cannot_be_played_stops_it_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tkg.boards.board.answer", lambda game, bot: "bid nonsense")

    async def play() -> None:
        board = tkg.board("umbra", {1: "greedy"}, 3, pace=0, log=False)
        await settled(board)
        assert "greedy cannot go on: 'bid nonsense' is not legal here" in board.canvas.state["say"]
        assert not board.busy

    asyncio.run(play())


def test_a_seat_can_change_hands() -> None:
    board = tkg.board("umbra", seed=3, log=False)
    board.panel.folds.contents.sitters[0].children[0].value = "greedy"
    assert len(board.game.actions) == 1
    assert board.table.view["seat"] == 2
    board.panel.folds.contents.sitters[1].children[0].value = "random"
    assert board.game.over


@pytest.mark.parametrize("game", GAMES)
def test_every_bot_in_the_lists_of_seats_can_sit_there(game: str) -> None:
    board = tkg.board(game, log=False)
    offered = board.panel.folds.contents.sitters[0].children[0].options
    table = tkg.table(game, log=False)
    assert table.sitters[0].options == offered
    for bot in offered[1:]:
        check_bot(board.game, bot, people=True)
    assert "mcts:0.2s" in offered
    assert "peek:100" in board.panel.folds.contents.many_bot.options, "a bound that may play among its like"


def test_a_bot_that_is_refused_is_not_shown_as_seated() -> None:
    board = tkg.board("umbra", seed=3, log=False)
    who = board.panel.folds.contents.sitters[1].children[0]
    who.options = [*who.options, "peek:100"]
    who.value = "peek:100"
    assert "sees what is hidden" in board.canvas.state["say"]
    assert (who.value, board.sitting.bots) == ("a person", [None, None])
    board.seat(2, "mcts:30")
    assert (who.value, board.sitting.bots) == ("mcts:30", [None, "mcts:30"])


# --- Hints, previews ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_marks_the_way_to_the_best_options(game: str) -> None:
    board = alone(Variant(GAMES[game]))
    send(board, "hint")
    best = board.table.hints
    assert best
    assert set(best) <= set(board.game.legal)
    assert len(set(best)) == len(best)
    assert best[0] in board.canvas.state["say"]
    assert any("1" in flags for flags in board.canvas.state["marks"].values())
    assert best[0] in board.panel.estimate.value
    click(board, *way_to(board, board.game.legal[0]))
    assert not board.table.hints
    assert not board.panel.estimate.value


def test_a_hint_tells_tries_and_a_share_only_where_it_rests_on_enough_of_them() -> None:
    options = (
        Option("keep FW", 12, 0.5),
        Option("keep F", 9, 0.75),
        Option("keep A", 2, 1.0),
        Option("keep E", 1, 0.0),
    )
    found = Estimate("mcts:0.2s", 1, (0.6,), options, 24, 0.2)
    assert hint_words(found) == (
        "Of 24 tries by mcts:0.2s most went to "
        "1? keep FW (12 tries, expects 50%), 2? keep F (9 tries), 3? keep A (2 tries)"
    )
    panel = tkg.board("rift", seed=3, log=False).panel
    panel.tell_estimate(found)
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in panel.estimate.value.split("<tr>")[2:]]
    assert cells == [
        ["1?", "keep FW", "12", "50%"],
        ["2?", "keep F", "9", "–"],
        ["3?", "keep A", "2", "–"],
        ["", "keep E", "1", "–"],
    ]
    assert "24 tries, expects of the victory: 60%" in panel.estimate.value


def test_a_path_that_would_close_is_told_with_what_each_seat_would_get() -> None:
    """A block ends every road: between two of them a single straight is closed and pays one flower a tile."""
    variant = tkg.umbra(players=2, tiles="straight:40", side=3)
    board = tkg.board(variant, "random", 4, log=False)
    found = []
    for _ in range(60):
        if board.game.over:
            break
        if board.game.kind == "place":
            for name, (words, outline) in board.canvas.state["previews"].items():
                before = board.game.result
                click(board, name)
                placed = board.sitting.line[board.sitting.at]
                while placed.before is not None and placed.before.game.result != before:
                    placed = placed.before
                after = placed.game.result
                closed = after["summonings"] - before["summonings"]
                assert words.startswith(f"closes {closed} path")
                for seat, (gained, had) in enumerate(zip(after["soul_gained"], before["soul_gained"], strict=True), 1):
                    assert (f"seat {seat} gets {gained - had}" in words) == (gained > had)
                assert outline  # other paths may close than the one through the placed tile
                found.append(words)
                board.undo()
        click(board, *way_to(board, board.game.legal[0]))
    assert found


def test_a_replacement_says_what_it_would_lose() -> None:
    view = {
        "phase": "build",
        "cells": {"A": {"tile": "FW", "oinks": [2, 1, 0, 0]}, "B": {"tile": None, "oinks": [0] * 4}},
    }
    own = own_file("rift")
    found = own.previews(None, view, ("hand 1",))
    assert list(found) == ["cell A"]
    assert found["cell A"].words == "replaces FW, its 3 Oinks to the void"


def test_a_space_shows_to_which_tile_it_directs() -> None:
    board = tkg.board(tkg.cosmic(layout="dealt"), "greedy", 3, log=False)
    words, outline = board.canvas.state["previews"]["space A7"]
    assert (words, list(outline)) == ("directs to tile G", ["tile G"])


# --- The playtest log ---------------------------------------------------------------------------------------------


def test_what_happens_is_written_as_it_goes(tmp_path: Any) -> None:
    board = tkg.board("umbra", "greedy", 3, names=["AB", ""], log=tmp_path)
    assert not list(tmp_path.iterdir())  # looking leaves no trace
    click(board, *way_to(board, board.game.legal[-1]))
    send(board, "undo")
    send(board, "hint")
    click(board, *way_to(board, board.game.legal[0]))
    board.panel.folds.contents.remark.value = "why not?"
    board.panel.folds.contents.tags[0].value = True
    board.panel.folds.contents.pin.click()
    board.panel.folds.contents.marks["fun"].value = "4"
    board.panel.folds.contents._send_form()
    found = tkg.playtests(tmp_path)
    row = found.games.row(0, named=True)
    assert (row["people"], row["bots"], row["undos"], row["hints"], row["notes"], row["fun"]) == (
        "AB",
        "greedy",
        1,
        1,
        1,
        4,
    )
    mine = found.decisions.filter(found.decisions["by"] == "person")
    assert mine["undone"].to_list()[:2] == [True, False]
    assert found.notes.row(0, named=True)["tags"] == "stuck"
    assert found.record(found.unfinished[0])["actions"] == board.game.actions
    table = tkg.table("umbra", log=tmp_path)
    table.unfinished.value = found.unfinished[0]
    table.start.click()
    assert table.board is not None
    assert table.board.game.actions == board.game.actions
    assert table.board.sitting.bots == [None, "greedy"]
    assert table.board.sitting.names == ["AB", ""]


def test_only_the_chosen_games_broken_off_ones_are_offered_and_another_game_is_a_new_one(tmp_path: Any) -> None:
    """Of the Rift and of Umbra Via one each was broken off; taken up, neither stands in the way of another game."""
    rift = tkg.board(tkg.rift(side=4), seed=3, names=["AB"], log=tmp_path)
    click(rift, *way_to(rift, rift.game.legal[0]))
    umbra = tkg.board("umbra", "greedy", 3, log=tmp_path)
    click(umbra, *way_to(umbra, umbra.game.legal[0]))
    begun = dict(tkg.playtests(tmp_path).games.select("game", "begun").rows())
    table = tkg.table("umbra", log=tmp_path)
    (new, offer), start = table.unfinished.options, table.start
    assert (new[0], start.description) == ("a new game", "Start")
    moves = len(umbra.game.actions)
    assert offer[0] == f"{begun['umbra'].astimezone():%d %b %Y, %H:%M} · umbra() · move {moves} · against greedy"
    table.unfinished.value = offer[1]
    assert start.description == "Take up"
    table.game.value = "rift"
    assert (table.unfinished.value, start.description) == ("a new game", "Start")
    assert [label.partition(" · ")[2] for label, _ in table.unfinished.options[1:]] == ["rift(side=4) · move 1 · AB"]
    table.unfinished.value = table.unfinished.options[1][1]
    table.panel.controls["supply"].value = "none"  # a refused variant keeps no game from being taken up
    start.click()
    assert table.board is not None
    assert table.board.game.actions == rift.game.actions
    assert start.description == "Start"
    table.game.value = "cosmic"
    assert table.unfinished.layout.display == "none"
    start.click()
    assert table.board.game.variant == tkg.cosmic()
    click(table.board, *way_to(table.board, table.board.game.legal[0]))
    start.click()
    assert len(table.unfinished.options) == 2, "the game that stood there until now was broken off"


@pytest.mark.parametrize("text", ["rift()", "cosmic(layout=dealt)", "umbra()"])
def test_a_position_set_up_in_a_game_taken_up_is_a_game_of_its_own(text: str, tmp_path: Any) -> None:
    """Whatever is played from it, the broken-off game is offered as before."""
    left = tkg.board(tkg.variant(text), seed=3, log=tmp_path)
    click(left, *([TAKE_OVER] if left.sitting.covered else []), *way_to(left, left.game.legal[0]))
    (id,) = tkg.playtests(tmp_path).unfinished
    table = tkg.table(left.game.variant.game, log=tmp_path)
    table.unfinished.value = id
    table.start.click()
    board = table.board
    assert board is not None
    board.set_up()
    board.leave_set_up(True)
    click(board, *([TAKE_OVER] if board.sitting.covered else []))
    click(board, *way_to(board, board.game.legal[0]))
    found = tkg.playtests(tmp_path)
    assert found.games["continues"].to_list() == [None, None]
    assert id in found.unfinished
    assert len(found.unfinished) == 2


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_before_the_first_action_is_written_down(game: str, tmp_path: Any) -> None:
    variant = Variant(GAMES[game])
    board = tkg.board(variant, "random" if variant.seats > 1 else None, 3, log=tmp_path)
    send(board, "hint")
    send(board, "hint")
    click(board, *way_to(board, board.game.legal[0]))
    found = tkg.playtests(tmp_path)
    assert found.games["hints"].to_list() == [2]
    assert found.decisions["hints"][0] == 2


@pytest.mark.parametrize("game", GAMES)
def test_an_undo_that_comes_first_in_a_game_taken_up_is_written_down(game: str, tmp_path: Any) -> None:
    """The log begins with the move that is taken back; looking at it, or at an earlier one, opens none."""
    variant = Variant(GAMES[game])
    bots = "random" if variant.seats > 1 else None
    left = tkg.board(variant, bots, 3, log=tmp_path)
    for _ in range(3):
        click(left, *way_to(left, left.game.legal[0]))
    (id,) = tkg.playtests(tmp_path).unfinished
    board = tkg.board(tkg.playtests(tmp_path).resume(id), bots, log=tmp_path, continues=id)
    board.jump(0)
    board.jump(len(left.game.actions))
    assert board.book is None
    send(board, "undo")
    found = tkg.playtests(tmp_path)
    assert found.games["undos"].to_list() == [0, 1]
    (other,) = found.unfinished
    assert found.record(other)["actions"] == board.game.actions
    assert len(board.game.actions) < len(left.game.actions)


def test_a_form_or_note_that_could_not_be_written_is_not_said_to_be(tmp_path: Any) -> None:
    (tmp_path / "file").write_text("")
    failing = tkg.board("rift", seed=3, log=tmp_path / "file")
    for board, told in ((failing, "cannot be written"), (tkg.board("rift", seed=3, log=False), "No log is kept")):
        contents = board.panel.folds.contents
        contents.words.value = "again!"
        contents._send_form()
        assert told in contents.form_sent.value
        assert "Written down" not in contents.form_sent.value
        for remark in ("why?", "oh"):
            contents.remark.value = remark
            contents.pin.click()
        assert contents.pinned.value.count(told) == 1
        assert contents.pinned.value.endswith("<small>move 0: oh</small><br><small>move 0: why?</small>")


def test_an_empty_form_is_not_written_down(tmp_path: Any) -> None:
    board = tkg.board("rift", seed=3, log=tmp_path)
    click(board, *way_to(board, board.game.legal[0]))
    contents = board.panel.folds.contents
    contents.words.value = "  "
    contents._send_form()
    assert "nothing to write down yet" in contents.form_sent.value
    (file,) = tmp_path.iterdir()
    assert '"event":"form"' not in file.read_text()
    contents.words.value = "again!"
    contents._send_form()
    assert "Thank you" in contents.form_sent.value
    assert tkg.playtests(tmp_path).games["remark"].to_list() == ["again!"]


def test_a_finished_game_is_written_whole(tmp_path: Any) -> None:
    board = tkg.board(tkg.rift(), seed=3, log=tmp_path)
    while not board.game.over:
        click(board, *way_to(board, board.game.legal[0]))
    found = tkg.playtests(tmp_path)
    assert found.games["finished"].to_list() == [True]
    (id,) = found.games["id"]
    assert tkg.from_record(found.record(id)).outcome == board.game.outcome
    assert board.panel.folds.selected_index == 3  # the closing form is open


def test_a_folder_that_cannot_be_written_is_told_and_play_goes_on(tmp_path: Any) -> None:
    (tmp_path / "file").write_text("")
    board = tkg.board("rift", seed=3, log=tmp_path / "file")
    click(board, "hand 1")
    assert "cannot be written" in board.panel.status.value
    assert len(board.game.actions) == 1


# --- The static picture -------------------------------------------------------------------------------------------


@pytest.fixture
def outputs(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """What a notebook would show beside widgets: by place in its outputs all that stood there, the last one last."""
    found: dict[str, list[str]] = {}

    class Handle:
        def __init__(self, display_id: str):
            self.update = lambda html: found[display_id].append(html.data)

    def put_out(html: Any, display_id: str) -> Handle:
        found.setdefault(display_id, []).append(html.data)
        return Handle(display_id)

    monkeypatch.setattr("IPython.core.getipython.get_ipython", object)
    monkeypatch.setattr("IPython.display.display", put_out)
    monkeypatch.setattr("tkg.boards.still.STILL_AFTER", 0)
    return found


async def rested(board: Board) -> None:
    """Until no bot thinks and the static picture is up to date."""
    await settled(board)
    task = board.still._redraw
    if task is not None:
        await task


def test_a_board_leaves_a_picture_that_follows_it(outputs: dict[str, list[str]]) -> None:
    async def play() -> None:
        board = tkg.board("rift", seed=3, log=False)
        board._repr_mimebundle_()
        click(board, *way_to(board, board.game.legal[0]))
        await rested(board)
        ((first, *_, last),) = outputs.values()
        assert first != last == board.still_html()

    asyncio.run(play())


def test_a_panel_leaves_a_picture_of_the_board_that_stands_in_it(outputs: dict[str, list[str]]) -> None:
    """Of the last one, in the panel's own place; the board before it draws there no more, though its bots go on."""

    async def play() -> None:
        table = tkg.table("rift", log=False)
        table._repr_mimebundle_()
        assert list(outputs.values()) == [[""]]
        table.begin()
        first = table.board
        assert first is not None
        await rested(first)
        ((*_, shown),) = outputs.values()
        assert shown == first.still_html()
        table.game.value = "umbra"
        table.begin()
        assert table.board is not None
        click(first, *way_to(first, first.game.legal[0]))
        click(table.board, *way_to(table.board, table.board.game.legal[0]))
        await rested(first)
        await rested(table.board)
        ((*_, shown),) = outputs.values()
        assert shown == table.board.still_html()
        table._repr_mimebundle_()  # in another cell it comes with its board
        ((*_, shown),) = outputs.values()
        assert shown == table.board.still_html()

    asyncio.run(play())


def test_a_chart_leaves_a_picture_of_the_game_that_was_clicked(outputs: dict[str, list[str]]) -> None:
    async def play() -> None:
        browser = tkg.browse(tkg.simulate(tkg.rift(), "greedy", 5, seed=1))
        browser._repr_mimebundle_()
        for row in (3, 1):
            browser.pick([{"row": row}])
            assert browser.board is not None
            await rested(browser.board)
            ((*_, shown),) = outputs.values()
            assert shown == browser.board.still_html()

    asyncio.run(play())


# --- The panel for new games --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_started_with_one_click(game: str) -> None:
    table = tkg.table(game, log=False)
    table.start.click()
    assert table.board is not None
    assert table.board.game.variant == Variant(GAMES[game])
    assert table.board.sitting.bots == [None, *["greedy"] * (table.board.game.variant.seats - 1)]
    assert len([who for who in table.sitters if who.layout.display is None]) == table.board.game.variant.seats
    assert table.board.canvas.come, "the board comes into sight"
    assert not tkg.board(game, log=False).canvas.come


def test_the_panel_follows_its_knobs() -> None:
    table = tkg.table("umbra", log=False)
    table.panel.controls["players"].value = 4
    table.sitters[3].value = "random"
    table.seed.value = "12"
    table.start.click()
    assert table.board is not None
    assert (table.board.game.variant.seats, table.board.game.seed) == (4, 12)
    assert table.board.sitting.bots == [None, "greedy", "greedy", "random"]
    table.seed.value = "twelve"
    before = table.board
    table.start.click()
    assert "twelve" in table.failure
    assert table.board is before
    with pytest.raises(tkg.Refused, match="chess"):
        tkg.table("chess")


@pytest.mark.parametrize("kind", [Board, Panel, Editor, Table, PanelWithBoard, VariantPanel, Explorer, Browser])
def test_no_panel_takes_a_name_that_its_widgets_have(kind: type) -> None:
    """A panel's own `_send` would be called when ipywidgets sends its state."""
    own = {name for name, what in vars(kind).items() if isfunction(what) and not name.endswith("_")}
    assert not own & {name for base in kind.__bases__ for name in dir(base)}

"""Whole games in JupyterLab, by mouse alone and by keyboard alone, and what the playtest log says of them."""

from __future__ import annotations

from typing import Any

import pytest
from labs import button, logged, played, start
from playing_by_hand import WHOLE, Hand, whole_game
from serving import Lab

import tkg


@pytest.mark.parametrize("game", WHOLE)
def test_a_whole_game_by_mouse_alone(page: Any, lab: Lab, game: str) -> None:
    start(page, lab, whole_game(game, "mouse"))
    assert Hand(page).play("click")
    row, replayed = played(lab, "mouse", game)
    outcome = replayed.outcome
    assert outcome
    assert (row["finished"], row["ending"], row["undos"]) == (True, outcome.ending, 0)
    assert page.locator(".tkg-foot").text_content() == outcome.reason
    decisions = tkg.playtests(logged(lab)).decisions.filter(id=row["id"])
    assert decisions["action"].to_list() == replayed.actions
    for n, (seat, by, kind, options) in enumerate(decisions.select("seat", "by", "kind", "options").rows()):
        then = replayed.copy().undo(len(replayed.actions) - n)
        assert (seat, kind, options) == (then.seat, then.kind, len(then.legal))
        assert by == ("person" if seat == 1 else "bot")
    page.locator(".jupyter-button", has_text="4").first.click()  # the form has unfolded: fun
    button(page, "Write it down").click()
    page.get_by_text("Written down. Thank you.").wait_for()
    assert played(lab, "mouse", game)[0]["fun"] == 4


def test_a_whole_game_by_keyboard_alone_and_no_shortcut_of_the_notebook_fires(page: Any, lab: Lab) -> None:
    start(page, lab, "import tkg\ntkg.board(tkg.rift(deck={'FW': 6, 'AE': 6}), names=['keys'], seed=7)")
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('.tkg-board') !== null"):
            break
    for key in ("a", "b", "x", "m", "d", "d", "c", "v", "z", "y", "ArrowDown", "Shift+ArrowDown"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.closest('.tkg-board') !== null")
    assert page.locator(".jp-Notebook .jp-Cell").count() == page.locator(".jp-Notebook .jp-CodeCell").count() == 1
    page.keyboard.press("?")
    page.locator(".tkg-help").wait_for()
    page.keyboard.press("?")
    hand = Hand(page)
    hand.play("press", 3)
    moves = hand.move
    hand.do(lambda: page.keyboard.press("u"))
    assert hand.move == moves - 1
    hand.do(lambda: page.keyboard.press("r"))
    assert hand.move == moves
    assert hand.play("press")
    row, replayed = played(lab, "keys", "rift")
    assert replayed.over
    assert (row["finished"], row["undos"]) == (True, 1)

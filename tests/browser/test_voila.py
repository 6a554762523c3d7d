"""`make app`: a person who reads nothing presses Start and plays; no code is shown, and nothing is fetched from elsewhere."""

from __future__ import annotations

import re
from typing import Any

import pytest
from labs import BOARD, played, write_notebook
from playing_by_hand import WHOLE, Hand, whole_game
from playwright.sync_api import expect
from serving import Voila

import tkg


def test_the_first_page_leads_to_a_game(page: Any, voila: Voila) -> None:
    page.goto(f"{voila.url}/")
    page.wait_for_url("**/voila/render/start.ipynb*")
    start = page.get_by_role("button", name="Start")
    start.wait_for()
    start.click()
    page.wait_for_selector(f"{BOARD}[data-seq]")
    hand = Hand(page)
    hand.play("click", 4)
    assert hand.move > 0
    games = tkg.playtests(voila.home / "playtests").games
    assert games["moves"].to_list() == [hand.move]
    expect(page.locator(".jp-CodeMirrorEditor, .jp-InputArea-editor")).to_have_count(0)
    page.get_by_role("radio", name="Cosmic Alignments").or_(
        page.get_by_role("button", name="Cosmic Alignments")
    ).click()
    start.click()
    expect(page.locator(".tkg-board > svg")).to_have_attribute("aria-label", re.compile("^cosmic"))


@pytest.mark.long
def test_links_lead_to_the_other_notebooks(page: Any, voila: Voila) -> None:
    page.goto(f"{voila.url}/voila/render/start.ipynb")
    page.get_by_role("link", name="play_umbra").click()
    page.wait_for_url("**/voila/render/play_umbra.ipynb*")
    page.locator(".tkg-board[data-seq]").first.wait_for()
    hand = Hand(page)
    hand.play("click", 3)
    expect(page.locator("[data-tkg-still]").first).to_be_hidden()


@pytest.mark.long
@pytest.mark.parametrize("game", WHOLE)
def test_a_whole_game_is_played_to_its_end(page: Any, voila: Voila, game: str) -> None:
    write_notebook(voila, "whole.ipynb", whole_game(game, "page"))
    page.goto(f"{voila.url}/voila/render/whole.ipynb")
    page.wait_for_selector(f"{BOARD}[data-seq]")
    assert Hand(page).play("click")
    row, replayed = played(voila, "page", game)
    assert replayed.over
    assert (row["finished"], row["undos"]) == (True, 0)
    expect(page.locator(".tkg-foot")).to_have_text(replayed.outcome.reason)


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_is_dark_where_the_desktop_is(page: Any, voila: Voila, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{voila.url}/voila/render/start.ipynb")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(f"{BOARD}[data-seq]")
    for place in ("body", BOARD):
        ink = page.locator(place).first.evaluate("node => getComputedStyle(node).color.match(/\\d+/g).map(Number)")
        assert (sum(ink) > 3 * 128) == (scheme == "dark"), place

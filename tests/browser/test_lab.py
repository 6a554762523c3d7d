"""Boards in JupyterLab, end to end: the panel, several boards and views, secrets, pictures that stay."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from labs import BOARD, button, logged, open_notebook, played, run_cell, save, start, write_notebook
from playing_by_hand import Hand
from playwright.sync_api import expect
from serving import Lab

import tkg

# --- What the panel does ------------------------------------------------------------------------------------------


@pytest.mark.long
def test_undo_goes_over_bots_moves_and_hints_and_notes_are_written_down(page: Any, lab: Lab) -> None:
    start(
        page,
        lab,
        "import tkg\ntkg.board(tkg.cosmic(layout='dealt'), bots='greedy', names=['notes', ''], seed=7, pace=0)",
    )
    hand = Hand(page)
    hand.play("click", 2)
    moves = hand.move
    assert moves >= 4
    hand.do(button(page, "Undo").click)
    assert hand.move < moves - 1
    hand.do(button(page, "Redo").click)
    assert hand.move == moves
    button(page, "Hint").click()
    expect(page.locator(f"{BOARD} .tkg-hint").first).to_be_visible()
    expect(page.locator(".tkg-rank", has_text="1?")).to_have_count(1)
    expect(page.locator(".tkg-foot")).to_contain_text("most went to 1?")
    expect(page.locator(".jupyter-widgets table")).to_contain_text("tries")
    page.get_by_text("Notes", exact=True).click()
    page.get_by_placeholder("a remark on this moment").fill("<why> not “here”?")
    button(page, "exciting").click()
    button(page, "Pin note").click()
    page.get_by_text(f"move {moves}: exciting; <why> not “here”?").wait_for()
    row, _ = played(lab, "notes", "cosmic")
    assert (row["undos"], row["hints"], row["notes"], row["finished"]) == (1, 1, 1, False)
    note = tkg.playtests(logged(lab)).notes.filter(id=row["id"]).row(0, named=True)
    assert (note["move"], note["text"], note["tags"]) == (moves, "<why> not “here”?", "exciting")


def test_a_game_that_was_left_in_its_middle_is_taken_up_again(page: Any, lab: Lab) -> None:
    start(
        page,
        lab,
        "import tkg\ntkg.board(tkg.cosmic(layout='dealt'), bots='greedy', names=['left', ''], seed=7, pace=0)",
    )
    hand = Hand(page)
    hand.play("click", 3)
    moves = hand.move
    page.goto("about:blank")
    row, before = played(lab, "left", "cosmic")
    lab.stop_kernels()
    write_notebook(lab, "again.ipynb", "import tkg\ntkg.table('cosmic', pace=0)")
    open_notebook(page, lab, "again.ipynb")
    offers = page.locator("select", has_text="a new game")
    offers.select_option(
        label=next(
            o for o in offers.locator("option").all_text_contents() if re.search(r"·\sleft\sagainst\sgreedy$", o)
        )
    )
    button(page, "Take up").click()
    page.wait_for_selector(f"{BOARD}[data-seq]")
    hand = Hand(page)
    hand.look()
    assert hand.move == moves == len(before.actions)
    hand.play("click", 1)
    again, after = played(lab, "left", "cosmic")
    assert again["continues"] == row["id"]
    assert after.actions[:moves] == before.actions
    assert len(after.actions) > moves


# --- Several boards -----------------------------------------------------------------------------------------------


@pytest.mark.long
def test_boards_of_one_notebook_go_their_own_ways_and_views_of_one_board_stay_alike(page: Any, lab: Lab) -> None:
    start(
        page,
        lab,
        "import tkg\nb = tkg.board(tkg.cosmic(side=3, layout='dealt'), seed=7, log=False)\ndisplay(b)\ndisplay(b)",
        "tkg.board('rift', seed=7, log=False)",
    )
    boards = page.locator(BOARD)
    expect(boards).to_have_count(3)
    first, second, rift = Hand(page, 0), Hand(page, 1), Hand(page, 2)
    for hand in (first, second, first):
        hand.play("click", 1)
        for place in (0, 1):
            expect(boards.nth(place)).to_have_attribute("data-seq", hand.looked["seq"])
    inside = boards.evaluate_all("boards => boards.map((board) => board.querySelector('svg').textContent)")
    assert inside[0] == inside[1] != inside[2]
    assert (str(first.move), boards.nth(2).get_attribute("data-move")) == ("3", "0")
    rift.play("click", 2)
    run_cell(page, 1)
    expect(boards.nth(2)).to_have_attribute("data-move", "0")
    again = Hand(page, 2)
    again.play("click", 1)
    assert again.move == 1
    assert boards.nth(0).get_attribute("data-move") == boards.nth(1).get_attribute("data-move") == "3"


# --- Secrets ------------------------------------------------------------------------------------------------------

# All that a page holds of a board, for every cell that shows one: what is drawn, said and listed, the static picture too.
HELD = """() => [...document.querySelectorAll(".jp-OutputArea")].filter((area) => area.querySelector(".tkg-board")).map((area) =>
  [...[...area.querySelectorAll(".tkg-board, [data-tkg-still]")].map((node) =>
    node.outerHTML.replace(/ data-ms="[^"]*"| data-seq="[^"]*"|data-tkg-still="[^"]*"/g, "")),
  ...[...area.querySelectorAll(".jp-OutputArea-output")].map((node) => node.innerText),
  ...[...area.querySelectorAll("option")].map((node) => node.textContent)].join("\\n"))"""
ALIKE = f"() => {{ const held = ({HELD})(); return held.length === 2 && held[0] === held[1]; }}"
SCENE = re.compile(r'"scene": ?("(?:[^"\\]|\\.)*")')
SECRETS = {
    "umbra": (
        "tkg.umbra()",
        (
            ["hand 1", "altar I", "hand 1", "altar I", "hand 1", "altar I"],
            ["hand 1", "altar II", "hand 1", "altar II", "hand 1", "altar II"],
        ),
    ),
    "cosmic": ("tkg.cosmic()", (["hand 1"], ["hand 2"])),
}


@pytest.mark.parametrize(
    "game",
    [
        game if n == 0 else pytest.param(game, marks=pytest.mark.long)
        for n, game in enumerate(sorted(SECRETS, reverse=True))
    ],
)
def test_what_one_person_decides_in_secret_is_nowhere_in_the_page_that_another_sees(
    page: Any, lab: Lab, game: str
) -> None:
    """Two games of one seed, in which seat 1 decides otherwise: wherever seat 2 looks, both must look the same."""
    variant, ways = SECRETS[game]
    frames: list[str] = []
    page.on(
        "websocket",
        lambda socket: socket.on(
            "framereceived",
            lambda data: frames.append(data if isinstance(data, str) else data.decode("utf-8", "replace")),
        ),
    )
    start(page, lab, "import tkg", *[f"tkg.board({variant}, seed=5, log=False)"] * 2)
    boards = page.locator(BOARD)
    expect(boards).to_have_count(2)
    page.wait_for_function(ALIKE)  # covered, before anybody has looked
    for place, way in enumerate(ways):
        board = boards.nth(place)
        assert board.locator("[data-name^=hand]").count() == 0
        for name in ("take over", *way):
            seq = str(board.get_attribute("data-seq"))
            board.locator(f'[data-name="{name}"]').click()
            expect(board).not_to_have_attribute("data-seq", seq)
        confirm = board.get_by_text("confirm the bid")
        if confirm.count():
            confirm.click()
        expect(board.locator(".tkg-chip")).to_contain_text("Seat 2")
    page.wait_for_function(ALIKE)  # covered again
    told = len(frames)
    for place in (0, 1):
        boards.nth(place).locator(".tkg-chip").click()
        boards.nth(place).locator("[data-name^=hand]").first.wait_for()
    page.wait_for_function(ALIKE)
    scenes = [json.loads(json.loads(scene)) | {"seq": 0} for scene in SCENE.findall("".join(frames[told:]))]
    assert len(scenes) >= 2
    assert all(scene == scenes[0] for scene in scenes)


@pytest.mark.long
def test_a_static_picture_of_a_hot_seat_shows_what_everybody_sees(page: Any, lab: Lab) -> None:
    start(page, lab, "import tkg\ntkg.board('umbra', seed=5, log=False)")
    page.locator(".tkg-chip").click()
    page.locator("[data-name^=hand]").first.wait_for()
    page.wait_for_function(
        """(known) => { const wanted = document.createElement("template"); wanted.innerHTML = known;
        return document.querySelector("[data-tkg-still]").innerHTML === wanted.content.firstChild.innerHTML; }""",
        arg=tkg.board("umbra", seed=5, log=False).still_html(),
    )


# --- The static picture -------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_picture_stays_in_the_notebook_when_the_board_is_gone(page: Any, lab: Lab) -> None:
    start(page, lab, "import tkg\ntkg.board('rift', seed=7, log=False)", name="stays.ipynb")
    still = page.locator("[data-tkg-still]")
    expect(still).to_be_hidden()
    Hand(page).play("click", 3)
    shown = str(page.locator(f"{BOARD} > svg").get_attribute("aria-label"))
    expect(still.locator("title")).to_have_text(shown)
    save(page)
    outputs = json.loads((lab.notebooks / "stays.ipynb").read_text())["cells"][0]["outputs"]
    assert any("data-tkg-still" in "".join(out.get("data", {}).get("text/html", "")) for out in outputs)
    page.goto("about:blank")
    lab.stop_kernels()
    page.expected = "widget model not found"  # as JupyterLab says, sooner or later
    open_notebook(page, lab, "stays.ipynb", run=False)
    expect(still).to_be_visible()
    expect(still.locator("title")).to_have_text(shown)
    expect(page.locator(BOARD)).to_have_count(0)


@pytest.mark.long
def test_the_board_that_a_panel_made_last_leaves_its_picture_too(page: Any, lab: Lab) -> None:
    write_notebook(lab, "panel.ipynb", "import tkg\ntkg.table('rift', log=False)")
    open_notebook(page, lab, "panel.ipynb")
    still, board = page.locator("[data-tkg-still]"), page.locator(f"{BOARD} > svg")
    for title, game in (("A Rift of Portals", "rift"), ("Umbra Via", "umbra")):
        button(page, title).click()
        button(page, "Start").click()
        expect(board).to_have_attribute("aria-label", re.compile(f"^{game}"))
        Hand(page).play("click", 2)
        expect(still.locator("title")).to_have_text(str(board.get_attribute("aria-label")))
        expect(still).to_be_hidden()
    shown = str(board.get_attribute("aria-label"))
    save(page)
    page.goto("about:blank")
    lab.stop_kernels()
    page.expected = "widget model not found"
    open_notebook(page, lab, "panel.ipynb", run=False)
    expect(still).to_be_visible()
    expect(still.locator("title")).to_have_text(shown)

"""The boards' script in a bare page: pointing, keys, focus, labels, patching and colours, without a notebook or a kernel."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

import tkg
from tkg.boards.canvas import SCRIPT, TAKE_OVER, style
from tkg.draw import picture_svg
from tkg.rules.games import GAMES

FIRST = [*GAMES, "large"]  # the first position of every game, and the largest board there is
SIZES = [
    (1400, 1000),
    pytest.param((480, 800), marks=pytest.mark.long),
    pytest.param((1600, 420), marks=pytest.mark.long),
]

PAGE = """<!doctype html><meta charset=utf-8><body {body}><style>{style}</style><main id=place></main>
<div data-tkg-still=here>{still}</div></body>"""  # with the static picture that a notebook has beside its board
STILL = picture_svg(tkg.new(tkg.rift(), 1).view())
# A model as anywidget hands it to the script; what the script sends is kept in `sent`.
MOUNT = """async ([script, scene, values]) => {
  const { render } = (await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })))).default;
  const heard = new Set();
  window.sent = [];
  window.model = {
    values: { scene, still: "here", come: false, ...values },
    get(name) { return this.values[name]; },
    on(_, listener) { heard.add(listener); },
    off(_, listener) { heard.delete(listener); },
    set(name, value) { this.values[name] = value; },
    save_changes() {},
    send(content) { window.sent.push(content); },
    show(scene) { this.values.scene = scene; for (const listener of heard) listener(); },
  };
  window.away = render({ model: window.model, el: document.getElementById("place") });
}"""
FOCUSED = "document.activeElement.dataset.name"


def first_board(name: str) -> Any:
    """A board with the first position of a game; persons sit there alone or against a bot that need not move yet."""
    if name == "large":
        return tkg.board(tkg.cosmic(side=5, layout="dealt"), seed=3, log=False)
    variant = tkg.variant(name)
    return tkg.board(variant, bots=None if variant.seats == 1 else {2: "greedy"}, seed=3, log=False)


def first_state(name: str) -> dict[str, Any]:
    return first_board(name).canvas.state


@pytest.fixture
def mount(page: Any) -> Callable[..., Any]:
    """Show a state in a page of its own; what stands in `body` are the attributes by which JupyterLab tells its theme."""

    def show(
        state: dict[str, Any],
        body: str = "data-jp-theme-light=true",
        size: tuple[int, int] = SIZES[0],
        above: int = 0,
        **values: Any,
    ) -> Any:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.set_content(PAGE.format(body=body, style=style(), still=STILL))
        page.add_style_tag(content=f"body {{ padding-top: {above}px }}")
        page.evaluate(MOUNT, [(SCRIPT / "board.js").read_text(encoding="utf-8"), json.dumps(state), values])
        return page

    return show


def show(page: Any, state: dict[str, Any]) -> None:
    """The model brings another state."""
    page.evaluate("scene => model.show(scene)", json.dumps(state))


def sent(page: Any) -> list[tuple[str, str | None]]:
    return [(event["type"], event["name"]) for event in page.evaluate("sent")]


def focus(page: Any, name: str) -> None:
    page.locator(f'[data-name="{name}"]').focus()


def legal(state: dict[str, Any]) -> list[str]:
    """Parts that can be chosen, in the order in which `n` goes through them."""
    spots = [name for name, _, spot in state["parts"] if spot and name in state["labels"]]
    return [name for name in spots if "l" in state["marks"].get(name, "")]


# --- Pointing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", FIRST)
def test_every_labelled_part_is_pointed_at_where_it_is_drawn(
    mount: Callable[..., Any], name: str, size: tuple[int, int]
) -> None:
    state = first_state(name)
    page = mount(state, size=size)
    wanted = [part for part, _, spot in state["parts"] if spot and part in state["labels"]]
    assert set(state["labels"]) == set(wanted), "what is said of a part that cannot be pointed at is never heard"
    wrong = page.evaluate(
        """({ parts, labels, width, height }) => {
          const svg = document.querySelector(".tkg-board > svg"), wrong = [];
          const frame = svg.getBoundingClientRect(), scale = Math.min(frame.width / width, frame.height / height);
          const left = frame.left + (frame.width - scale * width) / 2;
          const near = (a, b) => Math.abs(a - b) < 1;
          for (const [name, , spot] of parts) {
            if (!spot || labels[name] == null) continue;
            const [x, y, w, h] = spot.map((number) => number * scale);
            const area = document.querySelector(`.tkg-hit[data-name="${name}"] .tkg-area`).getBoundingClientRect();
            if (!near(area.left, left + x) || !near(area.top, frame.top + y)) wrong.push(`${name} lies elsewhere`);
            if (!near(area.width, w) || !near(area.height, h)) wrong.push(`${name} has another size`);
            const middle = [area.left + area.width / 2, area.top + area.height / 2];
            const hit = document.elementFromPoint(...middle)?.closest("[data-name]")?.dataset.name;
            if (hit !== name && !hit?.startsWith("choose ")) wrong.push(`${name} is covered by ${hit}`);
            const drawn = document.querySelector(`[data-part="${name}"]`).getBoundingClientRect();
            if (drawn.left > middle[0] || drawn.right < middle[0] || drawn.top > middle[1] || drawn.bottom < middle[1])
              wrong.push(`${name} is drawn elsewhere`);
          }
          return wrong;
        }""",
        state,
    )
    assert wrong == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.errors == []


@pytest.mark.parametrize("size", [(1400, 1000), (1366, 768)], ids=str)
@pytest.mark.parametrize("name", FIRST)
def test_a_board_is_no_taller_than_a_notebook_shows_at_once(
    mount: Callable[..., Any], name: str, size: tuple[int, int]
) -> None:
    """JupyterLab's bars take 115 pixels of the window; the rest shows a whole board with its foot line."""
    page = mount(first_state(name), size=size)
    box = page.locator(".tkg-board").bounding_box()
    assert box["height"] <= size[1] - 115
    assert box["width"] == size[0] - 16


def test_a_board_comes_into_sight_once_if_it_is_asked_to(mount: Callable[..., Any]) -> None:
    state = first_state("umbra")
    page = mount(state, above=3000)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("scrollY") == 0
    page = mount(state, above=3000, come=True)
    page.wait_for_function("scrollY > 0")
    box = page.locator(".tkg-board").bounding_box()
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 1000
    assert page.evaluate("model.values.come") is False, "a view that is made later stays where it is"


def test_a_click_sends_the_part_and_the_picture_that_it_answers(mount: Callable[..., Any]) -> None:
    state = first_state("rift")
    page = mount(state)
    part = legal(state)[1]
    page.locator(f'[data-name="{part}"]').click()
    assert page.evaluate("sent") == [{"type": "pick", "name": part, "seq": state["seq"]}]
    assert page.evaluate(FOCUSED) == part
    page.locator(".tkg-board").click(position={"x": 3, "y": 3})
    assert len(sent(page)) == 1


@pytest.mark.parametrize("name", FIRST)
def test_what_can_be_chosen_is_marked_and_looks_so(mount: Callable[..., Any], name: str) -> None:
    state = first_state(name)
    page = mount(state)
    marked = page.locator(".tkg-hit.legal").evaluate_all("nodes => nodes.map((node) => node.dataset.name)")
    assert sorted(marked) == sorted(legal(state))
    assert page.locator(".tkg-legal").count() == len(marked)
    assert page.locator(".tkg-hit:not(.legal)[aria-disabled=false], .tkg-hit.legal[aria-disabled=true]").count() == 0


# --- The keyboard -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FIRST)
def test_arrows_lead_from_every_part_to_every_other(mount: Callable[..., Any], name: str) -> None:
    state = first_state(name)
    page = mount(state)
    ways = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("[data-name]")].map((node) => [node.dataset.name,
          ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].map((key) => {
            node.focus();
            node.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
            return document.activeElement.dataset.name;
          })]))"""
    )
    back: dict[str, set[str]] = {part: set() for part in ways}
    for part, ahead in ways.items():
        for there in ahead:
            back[there].add(part)
    first = next(iter(ways))
    for graph in (ways, back):
        reached, waiting = {first}, [first]
        while waiting:
            for there in graph[waiting.pop()]:
                if there not in reached:
                    reached.add(there)
                    waiting.append(there)
        assert reached == set(ways)
    assert sent(page) == []


def test_arrows_go_to_the_neighbour(mount: Callable[..., Any]) -> None:
    page = mount(first_state("large"))
    focus(page, "space A1")
    for key, there in (("Right", "A2"), ("Down", "A7"), ("Left", "A6"), ("Up", "A1"), ("Up", "A1"), ("Left", "A1")):
        page.keyboard.press(f"Arrow{key}")
        assert page.evaluate(FOCUSED) == f"space {there}"


@pytest.mark.parametrize("name", FIRST)
def test_a_board_is_one_tab_stop(mount: Callable[..., Any], name: str) -> None:
    state = first_state(name)
    page = mount(state)
    page.evaluate("document.body.append(document.createElement('button'))")
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) in legal(state)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    here = page.evaluate(FOCUSED)
    assert page.locator('.tkg-board [tabindex="0"]').count() == 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "BUTTON"
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(FOCUSED) == here


@pytest.mark.parametrize("name", FIRST)
def test_n_and_p_go_through_what_can_be_chosen(mount: Callable[..., Any], name: str) -> None:
    state = first_state(name)
    page = mount(state)
    wanted = legal(state)
    focus(page, wanted[0])
    for keys, order in (("n", wanted[1:] + wanted[:1]), ("p", wanted[:0:-1] + wanted[:1])):
        found = []
        for _ in wanted[:60]:
            page.keyboard.press(keys)
            found.append(page.evaluate(FOCUSED))
        assert found == order[:60]
        focus(page, wanted[0])
    other = next(part for part in state["labels"] if part not in wanted) if set(state["labels"]) - set(wanted) else None
    if other:
        focus(page, other)
        page.keyboard.press("n")
        assert page.evaluate(FOCUSED) == wanted[0]


def test_keys_send_what_the_help_says(mount: Callable[..., Any]) -> None:
    state = first_state("rift")
    page = mount(state)
    part = legal(state)[0]
    focus(page, part)
    for key in ("Enter", " ", "Escape", "u", "r", "h", "s"):
        page.keyboard.press(key)
    asked = [("pick", part), ("pick", part), *((what, None) for what in ("cancel", "undo", "redo", "hint", "stop"))]
    assert sent(page) == asked
    page.keyboard.press("?")
    assert page.locator(".tkg-help").is_visible()
    for key in ("arrows", "n, p", "Enter", "Escape", "u, r", "h", "s", "?"):
        assert page.locator(".tkg-help b", has_text=re.compile(f"^{re.escape(key)}$")).is_visible()
    page.keyboard.press("?")
    assert page.locator(".tkg-help").is_hidden()
    assert sent(page) == asked


# What JupyterLab and Voilà say of what cells put out, as far as it meets the board's words.
OUTPUTS = """.jp-OutputArea-output :is(dl, dt, dd) { display: block }
.jp-OutputArea-output dl { width: 100%; overflow: hidden; padding: 0; margin: 0 }
.jp-OutputArea-output dt { font-weight: bold; float: left; width: 20%; padding: 0; margin: 0 }
.jp-OutputArea-output dd { float: left; width: 80%; padding: 0; margin: 0 }"""


@pytest.mark.parametrize("size", [SIZES[0], (420, 800)], ids=str)
def test_the_help_lies_whole_on_the_board(mount: Callable[..., Any], size: tuple[int, int]) -> None:
    """In a notebook, too, every key and its words stand inside the frame of the help, and that inside the board."""
    state = first_state("rift")
    page = mount(state, size=size)
    page.add_style_tag(content=OUTPUTS)
    page.evaluate("document.getElementById('place').classList.add('jp-OutputArea-output')")
    focus(page, legal(state)[0])
    page.keyboard.press("?")
    outside = page.evaluate(
        """() => {
          const help = document.querySelector(".tkg-help"), outside = [];
          const within = (node, box) => {
            const [a, b] = [node.getBoundingClientRect(), box.getBoundingClientRect()];
            return a.width > 0 && a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
          };
          for (const node of help.children) if (!within(node, help)) outside.push(node.textContent);
          return within(help, help.parentNode) ? outside : [...outside, "the help itself"];
        }"""
    )
    assert outside == []


def test_keys_of_the_browser_are_let_through_and_keys_of_the_board_go_no_further(mount: Callable[..., Any]) -> None:
    state = first_state("rift")
    page = mount(state)
    page.evaluate(
        "window.heard = []; addEventListener('keydown', (event) => heard.push([event.key, event.defaultPrevented]))"
    )
    focus(page, legal(state)[0])
    for key in ("Control+u", "Alt+h", "Meta+r", "Control+Enter", "Alt+ArrowLeft"):
        page.keyboard.press(key)
    let = page.evaluate("heard.filter(([key]) => !['Control', 'Alt', 'Meta'].includes(key))")
    assert let == [["u", False], ["h", False], ["r", False], ["Enter", False], ["ArrowLeft", False]]
    page.evaluate("heard.length = 0")
    for key in ("u", "h", "Enter", "ArrowDown", "Escape", "n", "p", "?", " "):
        page.keyboard.press(key)
    assert page.evaluate("heard") == []
    assert page.locator("[data-name]:not([data-lm-suppress-shortcuts=true])").count() == 0


# --- Chips --------------------------------------------------------------------------------------------------------


def test_a_covered_board_is_handed_over_by_a_chip_that_gets_the_focus(mount: Callable[..., Any]) -> None:
    board = tkg.board("umbra", seed=3, log=False)
    covered = board.canvas.state
    assert covered["chips"]
    page = mount(covered)
    chip = page.locator(".tkg-chip")
    assert chip.get_attribute("aria-label") == "Seat 1, it is your turn: show my side"
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == TAKE_OVER
    page.keyboard.press("Enter")
    assert sent(page) == [("pick", TAKE_OVER)]
    board.pick(TAKE_OVER)
    show(page, board.canvas.state)
    assert chip.count() == 0
    assert page.evaluate(FOCUSED) in legal(board.canvas.state)
    show(page, covered)
    assert page.evaluate(FOCUSED) == TAKE_OVER
    inside = page.evaluate(
        """() => { const chip = document.querySelector(".tkg-chip rect").getBoundingClientRect(),
          svg = document.querySelector(".tkg-board > svg").getBoundingClientRect();
          return chip.left >= svg.left && chip.right <= svg.right && chip.top >= svg.top && chip.bottom <= svg.bottom; }"""
    )
    assert inside


def test_chips_that_share_a_part_lie_one_above_the_other(mount: Callable[..., Any]) -> None:
    state = first_state("rift")
    state["chips"] = [["choose a", "this", "gate"], ["choose b", "that, which is a good deal longer", "gate"]]
    page = mount(state)
    for name in ("choose a", "choose b"):
        page.locator(f'.tkg-chip[data-name="{name}"]').click()
    assert sent(page) == [("pick", "choose a"), ("pick", "choose b")]
    fits = page.locator(".tkg-chip").evaluate_all(
        """chips => chips.every((chip) => chip.lastChild.getBoundingClientRect().width + 8
          < chip.firstChild.getBoundingClientRect().width)"""
    )
    assert fits


# --- What is said -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FIRST)
def test_everything_that_can_be_pointed_at_says_what_it_is(mount: Callable[..., Any], name: str) -> None:
    state = first_state(name)
    page = mount(state)
    said = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".tkg-hit")].map((node) =>
          [node.dataset.name, [node.getAttribute("aria-label"), node.getAttribute("role")]]))"""
    )
    for part, words in state["labels"].items():
        told = f"{words}, can be chosen" if "l" in state["marks"].get(part, "") else words
        assert said[part] == [told, "button"]
    assert len({words for words, _ in said.values()}) > 1
    assert page.locator(".tkg-board > svg").get_attribute("aria-label") == state["title"]
    assert page.locator(".tkg-board > svg").get_attribute("role") == "application"


def test_moves_and_answers_are_said_aloud(mount: Callable[..., Any]) -> None:
    state = first_state("rift")
    page = mount(state)
    live = page.locator('[aria-live="polite"]')
    for words in ("1  gain FW", "Not here: choose a tile of the hand."):
        show(page, state | {"seq": state["seq"] + 1, "aloud": words, "say": words})
        assert live.text_content() == words
        assert page.locator(".tkg-foot").text_content() == words
    box = live.bounding_box()
    assert box
    assert box["width"] <= 1


def test_a_mark_is_said_and_drawn(mount: Callable[..., Any]) -> None:
    state = first_state("rift")
    page = mount(state)
    part, other, *_ = legal(state)
    show(page, state | {"seq": 9, "marks": state["marks"] | {part: "ls1", other: "l2"}})
    node = page.locator(f'.tkg-hit[data-name="{part}"]')
    assert node.get_attribute("aria-label") == f"{state['labels'][part]}, can be chosen, chosen, hint 1"
    assert node.locator(".tkg-chosen, .tkg-hint").count() == 2
    assert node.locator(".tkg-rank").text_content() == "1?"
    assert page.locator(f'.tkg-hit[data-name="{other}"]').get_attribute("aria-label").endswith("hint 2")


def test_a_preview_is_told_and_outlined_while_it_is_pointed_at(mount: Callable[..., Any]) -> None:
    state = first_state("large")
    page = mount(state)
    part = legal(state)[-1]
    words, outline = state["previews"][part]
    page.locator(f'[data-name="{part}"]').hover()
    assert page.locator(".tkg-foot").text_content() == f"{state['labels'][part]}: {words}"
    assert page.locator(".tkg-outline").count() == len(outline) == 1
    page.locator(".tkg-foot").hover()
    assert page.locator(".tkg-outline").count() == 0
    focus(page, part)
    assert page.locator(".tkg-outline").count() == 1


# --- Patching -----------------------------------------------------------------------------------------------------

# How much of the page a change touches: (nodes put in or taken out, attributes set to something else).
COUNT = """scene => new Promise((done) => {
  let nodes = 0, attributes = 0;
  const watch = (records) => { for (const { type, target, attributeName: name, oldValue, addedNodes, removedNodes } of records) {
    if (type === "childList") nodes += addedNodes.length + removedNodes.length;
    else if (target.getAttribute(name) !== oldValue) attributes += 1; } };
  const observer = new MutationObserver(watch);
  observer.observe(document.querySelector(".tkg-board > svg"), { subtree: true, childList: true, attributes: true, attributeOldValue: true });
  model.show(scene);
  watch(observer.takeRecords());
  observer.disconnect();
  done([nodes, attributes]);
})"""


@pytest.mark.parametrize("name", FIRST)
def test_the_same_picture_once_more_touches_nothing(mount: Callable[..., Any], name: str) -> None:
    state = first_state(name)
    page = mount(state)
    assert page.evaluate(COUNT, json.dumps(state | {"seq": state["seq"] + 1})) == [0, 0]
    assert page.locator(".tkg-board").get_attribute("data-seq") == str(state["seq"] + 1)


def test_only_what_changed_is_drawn_anew(mount: Callable[..., Any]) -> None:
    state = first_state("large")
    page = mount(state)
    part = legal(state)[0]
    page.evaluate(
        "document.querySelectorAll('.tkg-board > svg [data-part]').forEach((node) => node.firstChild.kept = true)"
    )
    marked = copy.deepcopy(state)
    marked["marks"][part] += "s"
    nodes, attributes = page.evaluate(COUNT, json.dumps(marked))
    assert 0 < nodes <= 4
    assert 0 < attributes <= 6
    moved = copy.deepcopy(state)
    moved["parts"][0][1] += '<circle r="3"/>'
    page.evaluate("scene => model.show(scene)", json.dumps(moved))
    fresh = page.locator("[data-part]").evaluate_all("nodes => nodes.filter((node) => !node.firstChild.kept).length")
    assert fresh == 1


def test_a_whole_move_leaves_most_of_a_large_board_alone(mount: Callable[..., Any]) -> None:
    board = first_board("large")
    page = mount(board.canvas.state)
    before = {name: svg for name, svg, _ in board.canvas.state["parts"]}
    page.evaluate(
        "document.querySelectorAll('[data-part]').forEach((node) => node.firstChild && (node.firstChild.kept = true))"
    )
    board.pick(legal(board.canvas.state)[0])
    state = board.canvas.state
    changed = [name for name, svg, _ in state["parts"] if before.get(name) != svg]
    show(page, state)
    fresh = page.locator("[data-part]").evaluate_all(
        "nodes => nodes.filter((node) => node.firstChild && !node.firstChild.kept).map((node) => node.dataset.part)"
    )
    assert set(fresh) <= set(changed)
    assert len(changed) < 30


def test_parts_that_come_and_go_keep_their_places(mount: Callable[..., Any]) -> None:
    state = first_state("umbra")
    page = mount(state)
    less = {**state, "parts": [part for part in state["parts"] if not part[0].startswith("hand")]}
    for wanted in (less, state):
        show(page, wanted)
        drawn = page.locator("[data-part]").evaluate_all("nodes => nodes.map((node) => node.dataset.part)")
        assert drawn == [name for name, _, _ in wanted["parts"]]


def test_the_focus_stays_where_it_was(mount: Callable[..., Any]) -> None:
    state = first_state("large")
    page = mount(state)
    there = legal(state)[77]
    focus(page, there)
    page.evaluate("window.blurred = 0; document.addEventListener('focusout', () => (blurred += 1))")
    show(page, state | {"seq": 2, "marks": {}})
    assert page.evaluate(FOCUSED) == there
    assert page.evaluate("blurred") == 0
    page.evaluate("document.activeElement.blur()")
    show(page, state | {"seq": 3})
    assert page.evaluate("document.activeElement.tagName") == "BODY", "a board takes no focus that it did not have"


def test_a_view_that_is_gone_listens_no_more(mount: Callable[..., Any]) -> None:
    state = first_state("rift")
    page = mount(state)
    page.evaluate("away()")
    show(page, state | {"seq": 99})
    assert page.locator(".tkg-board").get_attribute("data-seq") == str(state["seq"])


# --- Colours ------------------------------------------------------------------------------------------------------


def colours(page: Any) -> list[str]:
    """What the board, a chosen part's frame and its words are painted in."""
    return page.evaluate(
        """() => [getComputedStyle(document.querySelector(".tkg-board")).backgroundColor,
          getComputedStyle(document.querySelector(".tkg-legal")).stroke,
          getComputedStyle(document.querySelector(".tkg-board svg text")).fill,
          getComputedStyle(document.querySelector(".tkg-foot")).color]"""
    )


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(n) / 255 for n in re.findall(r"\d+", colour)[:3]]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("name", GAMES)
def test_light_and_dark_follow_the_notebook_and_else_the_system(mount: Callable[..., Any], name: str) -> None:
    state = first_state(name)
    found: dict[tuple[str, str], list[str]] = {}
    for body in ("data-jp-theme-light=true", "data-jp-theme-light=false", ""):
        for scheme in ("light", "dark"):
            page = mount(state, body=body)
            page.emulate_media(color_scheme=scheme)
            found[body, scheme] = colours(page)
    light, dark = found["", "light"], found["", "dark"]
    assert all(a != b for a, b in zip(light, dark, strict=True))
    for scheme in ("light", "dark"):
        assert found["data-jp-theme-light=true", scheme] == light
        assert found["data-jp-theme-light=false", scheme] == dark
    for ground, *inks in (light, dark):
        for ink in inks:
            bright, dim = sorted((luminance(ground) + 0.05, luminance(ink) + 0.05), reverse=True)
            assert bright / dim >= 4.5, f"{ink} on {ground} is hard to read"

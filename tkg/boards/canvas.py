"""The widget that draws a position and tells what was pointed at, and what it is sent: plain data, made from a sitting."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from tkg.boards.picking import Chip, Picked, Picker, Preview
from tkg.boards.sitting import Sitting
from tkg.draw import picture
from tkg.draw.shapes import DARK, LIGHT, WORDS

SCRIPT = Path(__file__).parent / "script"
LIGHT_MARKS = "--legal:#0b6e4f;--hint:#8a2be2"
DARK_MARKS = "--legal:#5fe0b0;--hint:#d3a4ff"
TAKE_OVER = "take over"  # the chip by which a person says that nobody else looks


def style() -> str:
    """The colours of pictures, light or dark as the page is, and the look of what a board adds to them.

    They are said of the board's picture too, for a static picture beside it says its own of every picture in the page.
    """
    dark = f"{{{DARK};{DARK_MARKS}}}"
    return "\n".join(
        [
            f":is(.tkg-board,.tkg-board .t){{{LIGHT};{LIGHT_MARKS}}}",
            f'body[data-jp-theme-light="false"] :is(.tkg-board,.tkg-board .t){dark}',
            f"@media (prefers-color-scheme:dark){{body:not([data-jp-theme-light]) :is(.tkg-board,.tkg-board .t){dark}}}",
            WORDS,
            (SCRIPT / "board.css").read_text(encoding="utf-8"),
        ]
    )


class Canvas(anywidget.AnyWidget):
    """Shows what `show` is given and calls `on_event(type, name)`. An event that answers what is no longer shown is dropped.

    So a second click of a double click, a view that lags behind and a cell run twice do no harm. Only a `stop` is heard
    whenever it comes: bots that play fast are always ahead of what is seen.
    """

    _esm = (SCRIPT / "board.js").read_text(encoding="utf-8")
    _css = style()
    scene = traitlets.Unicode("{}").tag(sync=True)  # JSON as text: ipywidgets would walk through all of it otherwise
    still = traitlets.Unicode().tag(sync=True)  # which static picture this board takes the place of
    come = traitlets.Bool(False).tag(sync=True)  # whether the next view that is made scrolls into sight

    def __init__(self, on_event: Callable[[str, str | None], None], **settings: Any):
        super().__init__(**settings)
        self._on_event = on_event
        self.state: dict[str, Any] = {}
        self.on_msg(lambda _, content, __: self.receive(content))

    def show(self, state: dict[str, Any]) -> None:
        """Show what `scene` made."""
        self.state = state
        self.scene = json.dumps(state, separators=(",", ":"))

    def receive(self, content: Any) -> None:
        """What a view has sent."""
        if not isinstance(content, dict):
            return
        kind, name = content.get("type"), content.get("name")
        if kind != "stop" and content.get("seq") != self.state.get("seq"):
            return
        if isinstance(kind, str) and (name is None or isinstance(name, str)):
            self._on_event(kind, name)


@dataclass
class Table:
    """What is laid out on a board for the decision at hand: view, ways to pick, what is picked, hints."""

    view: dict[str, Any]
    picker: Picker | None  # None where nobody at this board decides
    picked: Picked = ()
    hints: Sequence[str] = ()  # options, the best first
    previews: dict[str, Preview] = field(default_factory=dict)


def own_file(game: str) -> Any:
    """What a game says of its boards: `picker`, `labels`, `previews`, `why_not`, `stock`, and how it is set up by hand."""
    return import_module(f"tkg.boards.{game}")


def lay_out(sitting: Sitting, picked: Picked = (), hints: Sequence[str] = ()) -> Table:
    """The table as it is for whoever decides."""
    view, game = sitting.view, sitting.game
    if game.over or sitting.bot is not None or sitting.covered:
        return Table(view, None)
    own = own_file(game.variant.game)
    picker = own.picker(game, view)
    return Table(view, picker, picked, hints, own.previews(game, picker.shown(view, picked), picked))


def scene(sitting: Sitting, table: Table, seq: int, say: str, aloud: str, busy: bool) -> dict[str, Any]:
    """What the canvas shows, as plain data; `marks` are letters: `l` can be chosen, `s` chosen, a digit the rank of a hint."""
    own = own_file(sitting.game.variant.game)
    view = table.view
    nexts: Sequence[str] = ()
    chips: Sequence[Chip] = ()
    if table.picker is not None:
        view = table.picker.shown(view, table.picked)
        nexts, chips = table.picker.nexts(table.picked), table.picker.chips(table.picked)
    elif sitting.covered:
        chips = [Chip(TAKE_OVER, f"Seat {sitting.game.seat}, it is your turn: show my side")]
    drawn = picture(view)
    marks = dict.fromkeys(nexts, "l")
    for name in table.picked:
        marks[name] = marks.get(name, "") + "s"
    if table.picker is not None:
        for rank, action in enumerate(table.hints, 1):
            for name in table.picker.way_to(action):
                if not re.search(r"\d", marks.get(name, "")):
                    marks[name] = marks.get(name, "") + str(rank)
    return {
        "seq": seq,
        "move": sitting.at,
        "title": drawn.title,
        "width": round(drawn.width),
        "height": round(drawn.height),
        "parts": [[part.name, part.svg, part.spot] for part in drawn.parts],
        "labels": own.labels(view),
        "marks": marks,
        "chips": [list(chip) for chip in chips],
        "front": sitting.covered,
        "previews": {name: [preview.words, preview.outline] for name, preview in table.previews.items()},
        "say": say,
        "aloud": aloud,
        "busy": busy,
    }

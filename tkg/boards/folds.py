"""What is folded away beside a board: who sits where, notes, the closing form and more."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from tkg.boards.canvas import own_file
from tkg.bots.table import examples, parse_timed, peeks
from tkg.playtest_log import MARKS, TAGS
from tkg.rules.errors import Refused

if TYPE_CHECKING:
    from tkg.boards.board import Board

PERSON = "a person"
ENDS = {  # what the lowest and the highest mark of the closing form mean
    "fun": "dull / great fun",
    "tension": "slack / gripping",
    "luck": "all skill / all luck",
    "length": "too short / too long",
}
NO_ANSWER = "–"


def seatable(game: str) -> list[str]:
    """Bots of a game from which one is chosen for a seat: those that play with people, by iterations or by time."""
    return [*(bot for bot in examples(game) if not peeks(bot)), "mcts:0.2s", "mcts:1s"]


class Folds(widgets.Accordion):
    """The headings, and under them what is made when it is called for; `show` brings it up to date.

    It is more than half of all that a board consists of: made with the rest, it would keep the first picture waiting.
    """

    TITLES = ("Who sits where", "Notes", "What is left", "How was it?", "Who wins from here?", "Set up by hand")
    FORM = 3
    selected_index: int | None

    def __init__(self, board: Board):
        self.board = board
        alike = widgets.Layout()
        boxes = [widgets.VBox(layout=alike) for _ in self.TITLES]
        super().__init__(boxes, titles=self.TITLES, selected_index=None)
        self.observe(lambda _: self.fill(), "selected_index")

    @cached_property
    def contents(self) -> Contents:
        """What lies under the headings, made when it is first asked for."""
        contents = Contents(self.board)
        for box, children in zip(self.children, contents.parts, strict=True):
            box.children = children
        return contents

    def fill(self) -> None:
        """Make the contents, if that has not been done, and bring them up to date."""
        self.contents.show()

    def show(self) -> None:
        """Show where the board stands, as far as there is anything to show it; at the end of a game unfold the form."""
        over, made = self.board.sitting.game.over, "contents" in vars(self)
        if made:
            self.contents.show()
        if over and self.selected_index is None and not (made and self.contents.form_sent.value):
            self.selected_index = self.FORM


class Contents:
    """What lies under the headings: its controls by name, and in `parts` all of them by heading."""

    def __init__(self, board: Board):
        self.board = board
        self._quiet = False  # whether controls are being set and not used
        self.parts = [self._seats(), self._notes(), self._left(), self._form(), self._many(), self._setting_up()]

    def show(self) -> None:
        """Show where the board stands."""
        editor = self.board.editor
        setting_up = editor.game is not None
        self.set_up_button.disabled, editor.layout.display = setting_up, None if setting_up else "none"
        self.take_button.disabled = self.drop_button.disabled = not setting_up
        self.stock.value = self._stock()
        self._quiet = True
        for sitter, bot in zip(self.sitters, self.board.sitting.bots, strict=True):
            who, sits = sitter.children[0], bot or PERSON
            if sits not in who.options:
                who.options = [*who.options, sits]
            who.value = sits
        self._quiet = False

    # --- Who sits where -------------------------------------------------------------------------------------------

    def _seats(self) -> list[Any]:
        board = self.board
        self.sitters = [self._sitter(seat) for seat in range(1, board.sitting.game.variant.seats + 1)]
        self.pace = widgets.FloatSlider(
            board.pace, min=0, max=3, step=0.1, description="pause (s)", readout_format=".1f", continuous_update=False
        )
        self.pace.observe(lambda change: setattr(board, "pace", change["new"]), "value")
        return [*self.sitters, self.pace]

    def _sitter(self, seat: int) -> Any:
        sitting = self.board.sitting
        who = widgets.Dropdown(
            options=[PERSON, *seatable(sitting.game.variant.game)],
            description=f"seat {seat}",
            layout=widgets.Layout(width="190px"),
            style={"description_width": "45px"},
        )
        name = widgets.Text(
            sitting.names[seat - 1], placeholder="name", continuous_update=False, layout=widgets.Layout(width="100px")
        )
        who.observe(lambda change: self._seat(seat, change["new"]), "value")
        name.observe(lambda change: self.board.sitting.name_person(seat, change["new"].strip()), "value")
        return widgets.HBox([who, name])

    def _seat(self, seat: int, chosen: str) -> None:
        if not self._quiet:
            self.board.seat(seat, None if chosen == PERSON else chosen)

    # --- Notes --------------------------------------------------------------------------------------------------------

    def _notes(self) -> list[Any]:
        self.remark = widgets.Textarea(
            placeholder="a remark on this moment", rows=2, layout=widgets.Layout(width="98%")
        )
        self.tags = [widgets.ToggleButton(description=tag, layout=widgets.Layout(width="auto")) for tag in TAGS]
        self.pin = labelled("Pin note", self._note, "remark and tags go to the playtest log, with this moment")
        self.pinned = widgets.HTML()
        self.pins: list[str] = []  # the notes pinned so far, the last one first
        return [self.remark, widgets.HBox(self.tags, layout=flowing()), self.pin, self.pinned]

    def _note(self) -> None:
        tags = [tag.description for tag in self.tags if tag.value]
        text = self.remark.value.strip()
        if not text and not tags:
            self.pinned.value = "<small>Write a remark, or choose a tag.</small>"
            return
        self.board.note(text, tags)
        self.remark.value = ""
        for tag in self.tags:
            tag.value = False
        words = escape("; ".join(filter(None, [", ".join(tags), text])))
        self.pins.insert(0, f"<small>move {self.board.sitting.at}: {words}</small>")
        self.pinned.value = "<br>".join(filter(None, [self._unwritten(), *self.pins]))

    def _unwritten(self) -> str:
        """Why what was just told is not in the playtest log; nothing if it is."""
        book = self.board.book
        if book is None:
            return "<small>No log is kept.</small>"
        return f"<b>{escape(book.failure)}</b>" if book.failure else ""

    # --- What is left -------------------------------------------------------------------------------------------------

    def _left(self) -> list[Any]:
        self.stock = widgets.HTML()
        return [self.stock]

    def _stock(self) -> str:
        own, rows = own_file(self.board.game.variant.game), []
        for title, kinds in own.stock(self.board.table.view):
            held = [f"{n}&nbsp;×&nbsp;{escape(kind)}" for kind, n in kinds.items() if n]
            rows.append(f"<b>{title}</b>: {', '.join(held) or 'nothing'}")
        return "<br>".join(rows)

    # --- How was it? --------------------------------------------------------------------------------------------------

    def _form(self) -> list[Any]:
        wide = widgets.Layout(width="98%")
        self.marks = {
            name: widgets.ToggleButtons(
                options=[NO_ANSWER, "1", "2", "3", "4", "5"],
                description=name,
                tooltips=[ENDS[name]] * 6,
                style={"button_width": "30px", "description_width": "55px"},
            )
            for name in MARKS
        }
        rows = [widgets.VBox([mark, widgets.HTML(f"<small>{ENDS[name]}</small>")]) for name, mark in self.marks.items()]
        self.words = widgets.Textarea(placeholder="anything else", rows=2, layout=wide)
        send = labelled("Write it down", self._send_form, "the form goes to the playtest log")
        self.form_sent = widgets.HTML()
        return [*rows, self.words, send, self.form_sent]

    def _send_form(self) -> None:
        marks = {name: None if mark.value == NO_ANSWER else int(mark.value) for name, mark in self.marks.items()}
        text = self.words.value.strip()
        if not text and not any(marks.values()):
            self.form_sent.value = "<small>There is nothing to write down yet: give a mark, or write a line.</small>"
            return
        try:
            self.board.fill_in(**marks, text=text)
        except Refused as error:
            self.form_sent.value = f"<b>{escape(str(error))}</b>"
            return
        self.form_sent.value = self._unwritten() or "<small>Written down. Thank you.</small>"

    # --- Who wins from here? ------------------------------------------------------------------------------------------

    def _many(self) -> list[Any]:
        game, seated = self.board.game.variant.game, filter(None, self.board.sitting.bots)
        untimed = [bot for bot in seated if parse_timed(game, bot)[1] is None]  # by time they play on boards only
        bots = list(dict.fromkeys([*examples(game), *untimed]))
        self.many_bot = widgets.Dropdown(
            options=bots, value="greedy", description="bot", layout=widgets.Layout(width="190px")
        )
        self.many_games = widgets.BoundedIntText(
            1000, min=1, max=1_000_000, description="games", layout=widgets.Layout(width="190px")
        )
        run = labelled(
            "Play them",
            lambda: self.board.play_many(self.many_bot.value, self.many_games.value),
            "what is hidden is dealt anew for each",
        )
        self.many_told = widgets.HTML()
        return [self.many_bot, self.many_games, run, self.many_told]

    def tell_many(self, words: str, shares: Any) -> None:
        """Show what came of many games: a share of the victory by seat, with its interval."""
        rows = [] if shares is None else shares.iter_rows(named=True)
        told = "".join(
            f"<tr><td>seat {row['seat']}</td><td style='padding-left:1em'>{row['share']:.1%}</td>"
            f"<td style='padding-left:1em'>{row['low']:.1%} to {row['high']:.1%}</td></tr>"
            for row in rows
        )
        self.many_told.value = f"<small>{escape(words)}</small><table>{told}</table>"

    # --- Set up by hand -----------------------------------------------------------------------------------------------

    def _setting_up(self) -> list[Any]:
        board = self.board
        self.set_up_button = labelled("Change the position", board.set_up, "lay down and take away what you like")
        self.take_button = labelled(
            "Play from here", lambda: board.leave_set_up(True), "a game that begins at this position"
        )
        self.drop_button = labelled("Forget it", lambda: board.leave_set_up(False), "back to the game as it was")
        buttons = widgets.HBox([self.set_up_button, self.take_button, self.drop_button], layout=flowing())
        return [buttons, board.editor]


def labelled(words: str, what: Callable[[], None], tip: str) -> Any:
    """A button that does something when it is clicked."""
    button = widgets.Button(description=words, tooltip=tip, layout=widgets.Layout(width="auto"))
    button.on_click(lambda _: what())
    return button


def flowing() -> Any:
    """The layout of a row that goes on below where it finds no room."""
    return widgets.Layout(flex_flow="row wrap")

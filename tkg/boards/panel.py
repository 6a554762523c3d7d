"""What stands beside a board: buttons, the move list, who sits where, notes, the closing form."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from tkg.boards.canvas import own_file
from tkg.boards.sitting import Moment, Sitting
from tkg.bots.table import examples
from tkg.estimates import Estimate
from tkg.playtest_log import MARKS, TAGS
from tkg.rules.errors import Refused

if TYPE_CHECKING:
    from tkg.boards.board import Board

WIDTH = "340px"
PERSON = "a person"
ENDS = {  # what the lowest and the highest mark of the closing form mean
    "fun": "dull / great fun",
    "tension": "slack / gripping",
    "luck": "all skill / all luck",
    "length": "too short / too long",
}
NO_ANSWER = "–"


def choices(sitting: Sitting) -> list[str]:
    """Bots that may sit at a board, those that sit there already among them."""
    usual = [*examples(sitting.game.variant.game), "mcts:0.2s", "mcts:1s"]
    return list(dict.fromkeys([*usual, *filter(None, sitting.bots)]))


def move_words(sitting: Sitting, moment: Moment, last: Moment, viewer: int | None) -> str:
    """A move as the move list tells it: seat, notation; what is secret at the `last` moment only to the seat that views."""
    game, before = moment.game, moment.before
    if before is None or moment.action is None:
        return "start"
    own, action = own_file(game.variant.game), moment.action
    if before.kind in own.SECRET and viewer != moment.seat and sitting.persons:
        if own.secret(before.known, last.known):
            action = own.veiled(action)
    return action if game.variant.seats == 1 else f"{moment.seat}  {action}"


class Panel(widgets.VBox):
    """The panel of one board; `show` brings it up to date."""

    def __init__(self, board: Board):
        self.board = board
        self._quiet = False  # whether controls are being set and not used
        sitting = board.sitting
        self.status = widgets.HTML()
        self.buttons = {
            name: self._button(words, what, tip)
            for name, words, what, tip in (
                ("undo", "Undo", board.undo, "back to the last decision of a person (u)"),
                ("redo", "Redo", board.redo, "forward again (r)"),
                ("hint", "Hint", board.hint, "what a searching bot would choose, from what you may know (h)"),
                ("stop", "Stop", board.stop, "let no bot move (s)"),
                ("go", "Play on", board.play_on, "let bots move, from here on if you look back"),
            )
        }
        self.estimate = widgets.HTML()
        self.moves = widgets.Select(options=[], rows=9, layout=widgets.Layout(width="98%"))
        self.moves.observe(self._jump, "value")
        self.lines = widgets.Dropdown(options=[], description="line", layout=widgets.Layout(width="98%"))
        self.lines.observe(self._turn_to, "value")
        self.stock = widgets.HTML()
        self.sitters = [self._sitter(seat) for seat in range(1, sitting.game.variant.seats + 1)]
        self.pace = widgets.FloatSlider(
            board.pace, min=0, max=3, step=0.1, description="pause (s)", readout_format=".1f", continuous_update=False
        )
        self.pace.observe(lambda change: setattr(board, "pace", change["new"]), "value")
        self.remark = widgets.Textarea(
            placeholder="a remark on this moment", rows=2, layout=widgets.Layout(width="98%")
        )
        self.tags = [widgets.ToggleButton(description=tag, layout=widgets.Layout(width="auto")) for tag in TAGS]
        self.pin = self._button("Pin note", self._note, "remark and tags go to the playtest log, with this moment")
        self.pinned = widgets.HTML()
        self.form = self._form()
        self.setting_up = self._setting_up()
        self.many = self._many()
        seats = widgets.VBox([*self.sitters, self.pace])
        notes = widgets.VBox([self.remark, widgets.HBox(self.tags, layout=flowing()), self.pin, self.pinned])
        folds = widgets.Accordion(
            [seats, notes, self.stock, self.form, self.many, self.setting_up],
            titles=("Who sits where", "Notes", "What is left", "How was it?", "Who wins from here?", "Set up by hand"),
            selected_index=None,
        )
        self.folds = folds
        super().__init__(
            [
                self.status,
                widgets.HBox(list(self.buttons.values()), layout=flowing()),
                self.estimate,
                self.moves,
                self.lines,
                folds,
            ],
            layout=widgets.Layout(flex="0 1 " + WIDTH, min_width="280px", padding="0 0 0 12px"),
        )
        self.add_class("tkg-panel")

    def _button(self, words: str, what: Any, tip: str) -> Any:
        button = widgets.Button(description=words, tooltip=tip, layout=widgets.Layout(width="auto"))
        button.on_click(lambda _: what())
        return button

    # --- Bringing it up to date -----------------------------------------------------------------------------------

    def show(self) -> None:
        """Show where the board stands."""
        board, sitting = self.board, self.board.sitting
        line = sitting.line
        at = line.index(sitting.here)
        self._quiet = True
        try:
            self.status.value = self._status(at, len(line) - 1)
            viewer = board.table.view.get("seat")
            words = [move_words(sitting, moment, line[-1], viewer) for moment in line]
            self.moves.options = [(f"{i:>3}  {told}", i) for i, told in enumerate(words)]
            self.moves.value = at
            ends = sitting.ends
            self.lines.layout.display = "none" if len(ends) < 2 else None
            self.lines.options = [(self._line(i, end), i) for i, end in enumerate(ends, 1)]
            self.lines.value = 1 + ends.index(line[-1])
        finally:
            self._quiet = False
        self.buttons["undo"].disabled = sitting.here.before is None
        self.buttons["redo"].disabled = not sitting.looking_back
        self.buttons["stop"].disabled = not board.busy
        self.buttons["go"].disabled = sitting.bot is None or board.busy
        self.buttons["hint"].disabled = sitting.game.over or sitting.bot is not None or sitting.covered
        setting_up = board.editor.game is not None
        self.set_up_button.disabled, board.editor.layout.display = setting_up, None if setting_up else "none"
        self.take_button.disabled = self.drop_button.disabled = not setting_up
        self.stock.value = self._stock()
        if not board.table.hints:
            self.estimate.value = ""
        if sitting.game.over and self.folds.selected_index is None and not self.form_sent.value:
            self.folds.selected_index = 3

    def _status(self, at: int, moves: int) -> str:
        sitting, game = self.board.sitting, self.board.game
        parts = [
            f"<b>{escape(str(game.variant))}</b> · seed {game.seed} · move {at}"
            + (f" of {moves}" if moves > at else "")
        ]
        outcome = game.outcome
        if outcome is not None:
            parts.append(f"<b>{escape(outcome.reason)}</b>")
            if sitting.game.variant.seats > 1:
                won = " and ".join(f"seat {seat}" for seat in outcome.winners) or "nobody"
                parts.append(f"won by {won}; {', '.join(map(str, outcome.scores))}")
        parts += [f"<small>{escape(text)}</small>" for text in [*game.variant.warnings, *game.variant.notes]]
        failure = getattr(sitting.book, "failure", None)
        if failure:
            parts.append(f"<b>{escape(failure)}</b>")
        return "<br>".join(parts)

    def _line(self, number: int, end: Moment) -> str:
        ended = "over" if end.game.over else "open"
        return f"{number}: {len(end.game.actions)} moves, {ended}"

    def _stock(self) -> str:
        own, rows = own_file(self.board.game.variant.game), []
        for title, kinds in own.stock(self.board.table.view):
            held = [f"{n}&nbsp;×&nbsp;{escape(kind)}" for kind, n in kinds.items() if n]
            rows.append(f"<b>{title}</b>: {', '.join(held) or 'nothing'}")
        return "<br>".join(rows)

    def tell_estimate(self, found: Estimate) -> None:
        """Show what a bot expects of the position."""
        rows = "".join(
            f"<tr><td>{escape(option.action)}</td><td style='text-align:right;padding-left:1em'>{option.value:.0%}</td>"
            f"<td style='text-align:right;padding-left:1em'>{option.visits}</td></tr>"
            for option in found.options[:5]
        )
        shares = ", ".join(f"seat {seat} {value:.0%}" for seat, value in enumerate(found.values, 1))
        expected = shares if len(found.values) > 1 else f"{found.values[0]:.0%}"
        self.estimate.value = (
            f"<small>{escape(found.bot)} expects of the victory: {expected}</small><table><tr><th>option</th>"
            f"<th style='padding-left:1em'>expects</th><th style='padding-left:1em'>visits</th></tr>{rows}</table>"
        )

    # --- What is done with it -------------------------------------------------------------------------------------

    def _jump(self, change: dict[str, Any]) -> None:
        if not self._quiet and change["new"] is not None:
            self.board.jump(change["new"])

    def _turn_to(self, change: dict[str, Any]) -> None:
        if not self._quiet and change["new"] is not None:
            self.board.turn_to(change["new"] - 1)

    def _sitter(self, seat: int) -> Any:
        sitting = self.board.sitting
        who = widgets.Dropdown(
            options=[PERSON, *choices(sitting)],
            value=sitting.bots[seat - 1] or PERSON,
            description=f"seat {seat}",
            layout=widgets.Layout(width="190px"),
            style={"description_width": "45px"},
        )
        name = widgets.Text(
            sitting.names[seat - 1], placeholder="name", continuous_update=False, layout=widgets.Layout(width="100px")
        )
        who.observe(lambda change: self.board.seat(seat, None if change["new"] == PERSON else change["new"]), "value")
        name.observe(lambda change: self.board.sitting.name_person(seat, change["new"].strip()), "value")
        return widgets.HBox([who, name])

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
        self.pinned.value = f"<small>move {self.board.sitting.at}: {words}</small>" + (
            f"<br>{self.pinned.value}" if "move " in self.pinned.value else ""
        )

    def _many(self) -> Any:
        bots = [bot for bot in choices(self.board.sitting) if not bot.endswith("s")]  # by time they play on boards only
        self.many_bot = widgets.Dropdown(
            options=bots, value="greedy", description="bot", layout=widgets.Layout(width="190px")
        )
        self.many_games = widgets.BoundedIntText(
            1000, min=1, max=1_000_000, description="games", layout=widgets.Layout(width="190px")
        )
        run = self._button(
            "Play them",
            lambda: self.board.play_many(self.many_bot.value, self.many_games.value),
            "what is hidden is dealt anew for each",
        )
        self.many_told = widgets.HTML()
        return widgets.VBox([self.many_bot, self.many_games, run, self.many_told])

    def tell_many(self, words: str, shares: Any) -> None:
        """Show what came of many games: a share of the victory by seat, with its interval."""
        rows = [] if shares is None else shares.iter_rows(named=True)
        told = "".join(
            f"<tr><td>seat {row['seat']}</td><td style='padding-left:1em'>{row['share']:.1%}</td>"
            f"<td style='padding-left:1em'>{row['low']:.1%} to {row['high']:.1%}</td></tr>"
            for row in rows
        )
        self.many_told.value = f"<small>{escape(words)}</small><table>{told}</table>"

    def _setting_up(self) -> Any:
        board = self.board
        self.set_up_button = self._button("Change the position", board.set_up, "lay down and take away what you like")
        self.take_button = self._button(
            "Play from here", lambda: board.leave_set_up(True), "a game that begins at this position"
        )
        self.drop_button = self._button("Forget it", lambda: board.leave_set_up(False), "back to the game as it was")
        buttons = widgets.HBox([self.set_up_button, self.take_button, self.drop_button], layout=flowing())
        return widgets.VBox([buttons, board.editor])

    def _form(self) -> Any:
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
        send = self._button("Write it down", self._send_form, "the form goes to the playtest log")
        self.form_sent = widgets.HTML()
        return widgets.VBox([*rows, self.words, send, self.form_sent])

    def _send_form(self) -> None:
        marks = {name: None if mark.value == NO_ANSWER else int(mark.value) for name, mark in self.marks.items()}
        try:
            self.board.fill_in(**marks, text=self.words.value.strip())
        except Refused as error:
            self.form_sent.value = f"<b>{escape(str(error))}</b>"
            return
        logged = self.board.book is not None
        self.form_sent.value = "<small>Written down. Thank you.</small>" if logged else "<small>No log is kept.</small>"


def flowing() -> Any:
    return widgets.Layout(flex_flow="row wrap")

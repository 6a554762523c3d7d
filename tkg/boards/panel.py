"""What stands beside a board: buttons, the move list, and what is folded away below it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from tkg.boards.canvas import own_file
from tkg.boards.folds import Folds, flowing, labelled
from tkg.boards.sitting import Moment, Sitting
from tkg.estimates import Estimate, Option

if TYPE_CHECKING:
    from tkg.boards.board import Board

WIDTH = "340px"
HINTS = 3  # options that a hint marks on the board
LISTED = 5  # options that the panel tells of
FEW = 10  # tries from which on a share is told: of fewer, luck alone (1.96 standard errors) moves it by over 30 points


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


def tries_words(number: int) -> str:
    return f"{number} {'try' if number == 1 else 'tries'}"


def share_words(option: Option) -> str:
    """The share of the victory that a bot expects of an option; nothing where it rests on too few tries."""
    return f"{option.value:.0%}" if option.visits >= FEW else ""


def hint_words(found: Estimate) -> str:
    """A hint in words: which options were tried most, with their marks on the board, and what is expected of them."""
    told = []
    for rank, option in enumerate(found.options[:HINTS], 1):
        share = share_words(option)
        told.append(f"{rank}? {option.action} ({tries_words(option.visits)}{share and f', expects {share}'})")
    return f"Of {tries_words(found.visits)} by {found.bot} most went to {', '.join(told)}"


class Panel(widgets.VBox):
    """The panel of one board; `show` brings it up to date."""

    def __init__(self, board: Board):
        self.board = board
        self._quiet = False  # whether controls are being set and not used
        self.status = widgets.HTML()
        self.buttons = {
            name: labelled(words, what, tip)
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
        self.folds = Folds(board)
        super().__init__(
            [
                self.status,
                widgets.HBox(list(self.buttons.values()), layout=flowing()),
                self.estimate,
                self.moves,
                self.lines,
                self.folds,
            ],
            layout=widgets.Layout(flex="0 1 " + WIDTH, min_width="280px", padding="0 0 0 12px"),
        )
        self.add_class("tkg-panel")

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
        if not board.table.hints:
            self.estimate.value = ""
        self.folds.show()

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

    def tell_estimate(self, found: Estimate) -> None:
        """Show what a bot expects of the position, and how often it tried each of its best options."""
        shares = ", ".join(f"seat {seat} {value:.0%}" for seat, value in enumerate(found.values, 1))
        expected = shares if len(found.values) > 1 else f"{found.values[0]:.0%}"
        if found.visits < FEW:
            expected = "too few tries to tell"
        cell = "<td style='text-align:right;padding-left:1em'>"
        rows = "".join(
            f"<tr><td>{f'{rank}?' if rank <= HINTS else ''}</td><td>{escape(option.action)}</td>"
            f"{cell}{option.visits}</td>{cell}{share_words(option) or '–'}</td></tr>"
            for rank, option in enumerate(found.options[:LISTED], 1)
        )
        self.estimate.value = (
            f"<small>{escape(found.bot)}, in {tries_words(found.visits)}, expects of the victory: {expected}</small>"
            "<table><tr><th>mark</th><th>option</th><th style='padding-left:1em'>tries</th>"
            f"<th style='padding-left:1em'>expects</th></tr>{rows}</table>"
            f"<small>Tried most, and so marked 1? first; a share is told from {FEW} tries on.</small>"
        )

    # --- What is done with it -------------------------------------------------------------------------------------

    def _jump(self, change: dict[str, Any]) -> None:
        if not self._quiet and change["new"] is not None:
            self.board.jump(change["new"])

    def _turn_to(self, change: dict[str, Any]) -> None:
        if not self._quiet and change["new"] is not None:
            self.board.turn_to(change["new"] - 1)

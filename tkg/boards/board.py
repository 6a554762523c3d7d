"""`tkg.board`: a game to be played by clicking, with a panel beside it."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from tkg.boards.canvas import TAKE_OVER, Canvas, Table, lay_out, own_file, scene
from tkg.boards.editor import Editor
from tkg.boards.panel import HINTS, Panel, hint_words, move_words
from tkg.boards.sitting import Sitting
from tkg.boards.still import Still, running_loop
from tkg.bulk import play_on
from tkg.draw import picture_svg
from tkg.estimates import Estimate, answer, estimate
from tkg.game import Game, new
from tkg.playtest_log import Log
from tkg.record import from_record
from tkg.rules.errors import Refused
from tkg.rules.games import rules_of
from tkg.rules.knobs import Variant

HINT_BOT = "mcts:0.2s"
PACE = 0.5  # seconds that a bot's move takes at least, so that it can be followed
FOLDS_AFTER = 0.4  # seconds of rest after which what is folded away is made, if it has not been unfolded before


class Board(widgets.Box):
    """A game at a board; see `tkg.board`. `game` is the position shown, `sitting` all that was tried."""

    def __init__(self, sitting: Sitting, pace: float = PACE):
        self.sitting = sitting
        self.pace = pace
        self._seq = 0
        self._turn = 0  # counts what makes a bot's or a hint's thoughts out of date
        self._stopped = False
        self._thinking: asyncio.Task[None] | None = None
        self._playing: asyncio.Task[None] | None = None
        self._table = Table({}, None)
        self._said = self._aloud = ""
        self.editor = Editor(self.show)
        self.still = Still(self.still_html)
        self.canvas = Canvas(self.handle, still=secrets.token_hex(4))
        self.panel = Panel(self)
        self.show()
        place = widgets.Box([self.canvas], layout=widgets.Layout(flex="1 1 520px", min_width="0", max_width="980px"))
        super().__init__([place, self.panel], layout=widgets.Layout(display="flex", flex_flow="row wrap", width="100%"))
        self.go_on()
        self._make_folds()

    # --- Showing --------------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        return self.sitting.game

    def show(self, say: str = "", keep: bool = False) -> None:
        """Bring the picture up to date; with `keep` what is picked and the hints stay."""
        picked, hints = (self._table.picked, self._table.hints) if keep else ((), ())
        draft = self.editor.game
        if draft is None:
            self._table = lay_out(self.sitting, picked, hints)
        else:
            self._table = Table(self.sitting.common_view(draft), self.editor.laying)
        self._seq += 1
        self._said = say or self.invitation()
        self.canvas.show(scene(self.sitting, self._table, self._seq, self._said, say or self._aloud, self.busy))
        self.panel.show()
        self.still.renew()

    @property
    def table(self) -> Table:
        """What is laid out for the decision at hand."""
        return self._table

    @property
    def busy(self) -> bool:
        """Whether a bot is to move and is let."""
        free = not self._stopped and self.editor.game is None
        return self.sitting.bot is not None and free and not self.sitting.looking_back

    def invitation(self) -> str:
        """What is to be done next, in words."""
        sitting, game = self.sitting, self.game
        if self.editor.game is not None:
            return f"Setting up: {self.editor.tool.label}"
        if game.outcome is not None:
            return game.outcome.reason
        if sitting.covered:
            return f"Hand over to seat {game.seat}."
        if sitting.bot is not None:
            if sitting.looking_back:
                return f"{sitting.bot} decided here; Play on lets it go on from here."
            return (
                f"{sitting.bot} has been stopped; Play on lets it go on." if self._stopped else f"{sitting.bot} decides"
            )
        if sitting.looking_back:
            return "Looking back: an option chosen here begins a new line."
        return ""

    def _repr_mimebundle_(self, **_: Any) -> Any:
        """The board, and beside it a picture that stays in the notebook when the board is gone."""
        bundle = super()._repr_mimebundle_(**_)
        self.still.put_out()
        return bundle

    def still_html(self) -> str:
        """The position as a picture that the live board hides; where several persons sit, only what all of them know."""
        view = self.sitting.common_view(self.editor.game or self.game)
        return f'<div data-tkg-still="{self.canvas.still}">{picture_svg(view)}</div>'

    def _make_folds(self, shown: int = 0) -> None:
        """Make what is folded away once nothing has changed for a while since picture number `shown`."""
        loop = running_loop()
        if shown == self._seq:
            self.panel.folds.fill()
        elif loop is not None:
            loop.call_later(FOLDS_AFTER, self._make_folds, self._seq)

    # --- What comes from the board and its panel ------------------------------------------------------------------

    def handle(self, kind: str, name: str | None = None) -> None:
        """What was pointed at, or which key was pressed."""
        actions: dict[str, Callable[[], None]] = {
            "cancel": self.show,
            "undo": self.undo,
            "redo": self.redo,
            "hint": self.hint,
            "stop": self.stop,
            "go": self.play_on,
        }
        if kind == "pick" and name is not None:
            self.pick(name)
        elif kind in actions:
            actions[kind]()

    def pick(self, name: str) -> None:
        """Somebody has pointed at a part of the picture or at a chip."""
        table, sitting = self._table, self.sitting
        if name == TAKE_OVER and sitting.covered:
            sitting.take_over()
            self.show()
            return
        if self.editor.game is not None:
            refused = self.editor.use(name)
            self.show(f"Not so: {refused}" if refused else "")
            return
        if table.picker is None:
            self.show(self.invitation())
            return
        picked, action = table.picker.pick(table.picked, name)
        if action is not None:
            self.play(action)
        elif picked != table.picked:
            table.picked = picked
            self.show(keep=True)
        else:
            shown = table.picker.shown(table.view, table.picked)
            self.show(f"Not here: {own_file(self.game.variant.game).why_not(shown, table.picked, name)}.", keep=True)

    def play(self, action: str) -> None:
        """Play an option for whoever decides, and let bots answer."""
        self.sitting.play(action)
        self._tell_move()
        self._moved()

    def _tell_move(self) -> None:
        """Say the last move aloud, as far as it may be known."""
        sitting = self.sitting
        viewer = sitting.persons[0] if len(sitting.persons) == 1 else None
        self._aloud = move_words(sitting, sitting.here, sitting.here, viewer)

    def _moved(self) -> None:
        """The position is another one: whatever was thought about the last is out of date."""
        self._turn += 1
        self.show()
        self.go_on()

    def _held_up(self) -> bool:
        """Whether a position is being set up, which must be ended one way or the other before the game moves."""
        if self.editor.game is not None:
            self.show("A position is being set up: play from there, or forget it, first.")
        return self.editor.game is not None

    def undo(self) -> None:
        if self._held_up():
            return
        self._stopped = False
        if self.sitting.undo():
            self._aloud = f"Back at move {self.sitting.at}"
            self._moved()
        else:
            self.show("There is nothing to take back.")

    def redo(self) -> None:
        if self._held_up():
            return
        if self.sitting.redo():
            self._aloud = f"Forward at move {self.sitting.at}"
            self._moved()
        else:
            self.show("There is nothing to do again.")

    def jump(self, index: int) -> None:
        """Look at the position after so many moves of the line."""
        if not self._held_up() and self.sitting.jump(index):
            self._aloud = f"At move {index}"
            self._moved()

    def turn_to(self, line: int) -> None:
        """Look at the end of another line, counted from 0."""
        if not self._held_up() and self.sitting.turn_to(self.sitting.ends[line]):
            self._aloud = f"On line {line + 1}"
            self._moved()

    def seat(self, seat: int, bot: str | None) -> None:
        """Let a bot, or with None a person, sit in a seat from now on."""
        try:
            self.sitting.seat_bot(seat, bot)
        except Refused as error:
            self.show(str(error))
            return
        self._moved()

    def stop(self) -> None:
        """Let no bot move until `play_on`."""
        self._stopped = True
        self._turn += 1
        self.show()

    def play_on(self) -> None:
        """Let bots move again, also where the line goes on otherwise."""
        if self._held_up():
            return
        self._stopped = False
        self._turn += 1
        self.go_on(from_here=True)

    # --- Bots -----------------------------------------------------------------------------------------------------

    def go_on(self, from_here: bool = False) -> None:
        """Let the bot whose turn it is move, one by one, until a person decides.

        In a notebook this goes on in the background; without one all is done when this returns.
        """
        if (
            self._stopped
            or self.editor.game is not None
            or self.sitting.bot is None
            or (self.sitting.looking_back and not from_here)
        ):
            return
        loop = running_loop()
        if loop is None:
            while self.sitting.bot is not None and not self._stopped:
                self._bot_plays(answer(self.game, self.sitting.bot))
        else:
            self._thinking = loop.create_task(self._bots_play(self._turn))
            if from_here:
                self.show()

    async def _bots_play(self, turn: int) -> None:
        while self.sitting.bot is not None and turn == self._turn:
            began = time.monotonic()
            bot = self.sitting.bot
            try:
                action = await asyncio.to_thread(answer, self.game.copy(), bot)
                await asyncio.sleep(max(0.0, self.pace - (time.monotonic() - began)))
                if turn == self._turn:
                    self._bot_plays(action)
            except Exception as error:  # a bot of the user's own may raise anything
                self._stopped = True
                self.show(f"{bot} cannot go on: {error}")
                return

    def _bot_plays(self, action: str) -> None:
        self.sitting.play(action)
        self._tell_move()
        self.show()

    # --- Setting up -----------------------------------------------------------------------------------------------

    def set_up(self) -> None:
        """Begin to change the position by hand."""
        try:
            self.editor.begin(self.game, self.sitting.common_view(self.game))
        except Refused as error:
            self.show(f"This position cannot be changed: {error}")
            return
        self.stop()

    def leave_set_up(self, take: bool) -> None:
        """Play from the position that was set up, or with `take` false go back to the game as it was."""
        game = self.editor.game
        self.editor.end()
        self._stopped = False
        if take and game is not None:
            self.sitting = self.sitting.begun_anew(game)
        self._moved()

    # --- Many games from here -------------------------------------------------------------------------------------

    def play_many(self, bot: str, games: int) -> None:
        """Play many games on from the position shown, with one bot in all seats, and tell who wins."""
        game, loop = (self.editor.game or self.game).copy(), running_loop()
        words = f"{games:,} games by {bot} in all seats, from {self.place}"

        def told() -> tuple[str, Any]:
            try:
                from tkg import metrics  # which takes its time to load, and a board can do without

                return words, metrics.win_share(play_on(game, bot, games, game.seed), "seat")
            except Refused as error:
                return str(error), None

        if loop is None:
            self.panel.folds.contents.tell_many(*told())
            return

        async def play() -> None:
            self.panel.folds.contents.tell_many(*await asyncio.to_thread(told))

        self.panel.folds.contents.tell_many(f"playing {words} ...", None)
        self._playing = loop.create_task(play())

    @property
    def place(self) -> str:
        """Where the position shown stands, in words."""
        return "the position set up" if self.editor.game is not None else f"move {self.sitting.at}"

    # --- Hints ----------------------------------------------------------------------------------------------------

    def hint(self) -> None:
        """Show the options that a searching bot likes best, and what it expects, from what the seat may know."""
        if self._held_up():
            return
        if self._table.picker is None:
            self.show("A hint is for whoever decides, and nobody at this board does.")
            return
        loop, turn = running_loop(), self._turn
        if loop is None:
            self._hinted(estimate(self.game, HINT_BOT))
            return

        async def think() -> None:
            found = await asyncio.to_thread(estimate, self.game.copy(), HINT_BOT)
            if turn == self._turn:
                self._hinted(found)

        self._thinking = loop.create_task(think())

    def _hinted(self, found: Estimate) -> None:
        self._table.hints = [option.action for option in found.options[:HINTS]]
        self.sitting.hints += 1
        book = self.sitting.opened()
        if book:
            book.hint(found.seat, found.bot, self._table.hints)
        self.panel.tell_estimate(found)
        self.show(hint_words(found), keep=True)

    # --- The playtest log -----------------------------------------------------------------------------------------

    def note(self, text: str, tags: Sequence[str], at: int | None = None) -> None:
        """Pin a remark or tags to a moment of the line, the present one unless it is told."""
        book = self.sitting.opened()
        if book:
            book.note(text, tags, self.sitting.at if at is None else at)

    def fill_in(self, **answers: Any) -> None:
        """The closing form: `fun`, `tension`, `luck`, `length` from 1 to 5 or None, and `text`."""
        book = self.sitting.opened()
        if book:
            book.form(**answers)

    @property
    def book(self) -> Any:
        """What this sitting is written to, once something has happened in it: a `tkg.playtest_log.Log`, or None."""
        return self.sitting.book


def board(
    what: str | Variant | Game | Mapping[str, Any],
    bots: str | Mapping[int, str] | Sequence[str | None] | None = None,
    seed: int | None = None,
    *,
    names: Sequence[str] = (),
    pace: float = PACE,
    log: bool | str | Path = True,
    continues: str | None = None,
) -> Board:
    """A board on which a game is played by clicking, alone, together or against bots, with undo, hints and notes.

    `what`: a game's name, a variant, a game (to go on with from where it is) or a record (to look at, or to go on with).
    `bots`: a bot for every seat but the first, or a bot by seat (`{2: "greedy"}`, or a list with None for persons); by
    default persons sit in all seats. `seed` settles the luck of a new game; without one it is drawn. `names`: what
    persons call themselves, for the log. `pace`: the least number of seconds for a bot's move. `log`: the folder of the
    playtest log, True for the usual one, False for none; `continues` is the id of the logged game that this one takes up.

    >>> import tkg
    >>> table = tkg.board(tkg.umbra(), bots="greedy", seed=4, log=False)
    >>> table.game.kind
    'bid'
    """
    game = game_from(what, seed)
    seats = seat_list(game.variant.seats, bots)
    folder = None if isinstance(log, bool) else log

    def open_book(sitting: Sitting) -> Log:
        return Log.begin(sitting.here.game, sitting.seats, folder, sitting.continues)

    sitting = Sitting(game, seats, names, open_book if log is not False else None, continues=continues)
    return Board(sitting, pace)


def game_from(what: str | Variant | Game | Mapping[str, Any], seed: int | None) -> Game:
    """The game that a board is asked for."""
    if isinstance(what, str):
        what = Variant(rules_of(what))
    if isinstance(what, Variant):
        return new(what, seed)
    if isinstance(what, Mapping):
        what = from_record(dict(what))
    if not isinstance(what, Game):
        raise Refused(f"{what!r}: a game's name, a variant, a game or a record is needed")
    if seed is not None:
        raise Refused("seed: the luck of a game that has begun is settled; a seed is for a new one")
    return what.copy().take_up()


def seat_list(seats: int, bots: str | Mapping[int, str] | Sequence[str | None] | None) -> list[str | None]:
    """By seat the bot that sits there, None for a person."""
    if bots is None:
        return [None] * seats
    if isinstance(bots, str):
        return [None] * min(1, seats - 1) + [bots] * max(1, seats - 1) if seats > 1 else [bots]
    if isinstance(bots, Mapping):
        for seat in bots:
            if seat not in range(1, seats + 1):
                raise Refused(f"bots: there is no seat {seat!r}; seats are 1 to {seats}")
        return [bots.get(seat) for seat in range(1, seats + 1)]
    return list(bots)

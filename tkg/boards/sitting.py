"""A sitting: one game at a board, with everything that was tried in it, who sits where, and what is written down.

Knows no widget: boards show it, tests drive it. Moments form a tree, for whoever goes back and plays otherwise begins
a new line; the line that is looked at goes from the first moment through the present one to its last.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol

from tkg.estimates import check_bot
from tkg.game import Game
from tkg.rules.errors import Refused

PERSON, BOT = "person", "bot"


class Book(Protocol):
    """Where a sitting is written down as it goes; `tkg.playtest_log.Log` is one."""

    def act(
        self, game: Game, seat: int, by: str, action: str, kind: str, options: int, seconds: float, hints: int
    ) -> None: ...
    def line(self, actions: Sequence[str], why: str) -> None: ...
    def hint(self, seat: int, bot: str, best: Sequence[str]) -> None: ...
    def note(self, text: str, tags: Sequence[str], move: int) -> None: ...
    def seats(self, seats: Sequence[dict[str, str]]) -> None: ...
    def end(self, game: Game) -> None: ...
    def form(
        self, fun: int | None, tension: int | None, luck: int | None, length: int | None, text: str = ""
    ) -> None: ...


@dataclass(eq=False)
class Moment:
    """A position of the sitting; `ahead` is the moment after it on the line last played."""

    game: Game
    before: Moment | None = None
    action: str | None = None  # that led here, and who played it
    seat: int = 0
    by: str = PERSON
    after: list[Moment] = field(default_factory=list)
    ahead: Moment | None = None

    @cached_property
    def known(self) -> dict[str, Any]:
        """What everybody sees of the position."""
        return self.game.view(None)

    @cached_property
    def kind(self) -> str | None:
        """The kind of the decision at hand."""
        return self.game.kind


class Sitting:
    """A game at a board.

    `bots` says by seat which bot sits there, None for a person; `names` what persons call themselves, "" for nothing.
    The book in which it is written down is opened when something happens first, so that looking leaves no trace;
    `continues` names the book of the game that this one takes up, if it does.
    """

    def __init__(
        self,
        game: Game,
        bots: Sequence[str | None] = (),
        names: Sequence[str] = (),
        open_book: Callable[[Sitting], Book] | None = None,
        clock: Callable[[], float] = time.monotonic,
        continues: str | None = None,
    ):
        seats = game.variant.seats
        self.bots = list(bots) or [None] * seats
        self.names = list(names) or [""] * seats
        for given, what in ((self.bots, "bots"), (self.names, "names")):
            if len(given) != seats:
                raise Refused(f"{what}: {len(given)} are given for {seats} seats")
        for bot in filter(None, self.bots):
            check_bot(game, bot, people=True)
        self.book: Book | None = None
        self._open_book = open_book
        self.continues = continues
        self.clock = clock
        self.first = self.here = self._moments(game)
        self._ended: set[Moment] = {end for end in self.ends if end.game.over}
        if not game.over:  # which is there to be gone on with; one that is over, to be looked at
            self.here = self.line[-1]
        self.hints = 0  # asked for since the position at hand came up
        self.uncovered: int | None = None  # the seat that has taken the board over
        self._since = clock()

    def _moments(self, game: Game) -> Moment:
        """The line of a game that has been played already: its first moment, from which the present one can be reached."""
        line = [Moment(game.copy().undo(n)) for n in range(len(game.actions), -1, -1)]
        for (before, after), action in zip(pairwise(line), game.actions, strict=True):
            after.before, after.action, after.seat = before, action, before.game.seat or 0
            after.by = PERSON if self.bots[after.seat - 1] is None else BOT
            before.after, before.ahead = [after], after
        return line[0]

    def begun_anew(self, game: Game) -> Sitting:
        """Another game of the same people and bots, to be written down in a book of its own."""
        return Sitting(game, self.bots, self.names, self._open_book, self.clock)

    # --- What there is ------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        return self.here.game

    @property
    def line(self) -> list[Moment]:
        """The moments of the line that is looked at, the first one before any action."""
        found = [self.here]
        while found[-1].before is not None:
            found.append(found[-1].before)
        found.reverse()
        while found[-1].ahead is not None:
            found.append(found[-1].ahead)
        return found

    @property
    def at(self) -> int:
        """Where on the line the present moment stands."""
        return self.line.index(self.here)

    @property
    def ends(self) -> list[Moment]:
        """The last moment of every line, in the order in which lines were begun."""
        found, open_ones = [], [self.first]
        while open_ones:
            moment = open_ones.pop()
            open_ones += reversed(moment.after)
            if not moment.after:
                found.append(moment)
        return found

    @property
    def persons(self) -> list[int]:
        """The seats in which persons sit."""
        return [seat for seat, bot in enumerate(self.bots, 1) if bot is None]

    @property
    def looking_back(self) -> bool:
        """Whether the line goes on behind the present moment."""
        return self.here.ahead is not None

    @property
    def bot(self) -> str | None:
        """The bot that decides, if one does."""
        seat = self.game.seat
        return None if seat is None else self.bots[seat - 1]

    @property
    def covered(self) -> bool:
        """Whether the board waits for the person in the deciding seat to take it over from another."""
        seat = self.game.seat
        if seat is None or self.bot is not None or len(self.persons) < 2 or self.uncovered == seat:
            return False
        return self.game.view(seat) | {"seat": None} != self.here.known

    @property
    def view(self) -> dict[str, Any]:
        """What the board may show: what the one person sees, the person whose turn it is, or else what everybody sees."""
        seat, persons = self.game.seat, self.persons
        if len(persons) == 1:
            return self.game.view(persons[0])
        if seat is None or self.covered or (persons and self.bot is not None):
            return self.here.known
        return self.game.view(seat)

    def common_view(self, game: Game) -> dict[str, Any]:
        """What all who sit at this board see of a game: the one person's side, or what everybody sees; among bots, the deciding one's."""
        persons: list[int | None] = [*self.persons] or [game.seat]
        return game.view(persons[0] if len(persons) == 1 else None)

    @property
    def seats(self) -> list[dict[str, str]]:
        """Who sits where, as it is written down."""
        return [
            {"by": BOT, "name": bot} if bot else {"by": PERSON, "name": name}
            for bot, name in zip(self.bots, self.names, strict=True)
        ]

    def opened(self) -> Book | None:
        """The book, opened if it is not yet; None where nothing is written down."""
        if self.book is None and self._open_book is not None:
            self.book = self._open_book(self)
        return self.book

    # --- What can be done -----------------------------------------------------------------------------------------

    def play(self, action: str) -> None:
        """Play an option of the decision at hand; behind it a line begins, or goes on that was begun so before."""
        game, by = self.game, PERSON if self.bot is None else BOT
        seat, kind = game.seat or 0, game.kind or ""
        options = len(game.legal)
        after = next((m for m in self.here.after if m.action == action), None)
        if after is None:
            after = Moment(game.copy().play(action), self.here, action, seat, by)
            self.here.after.append(after)
        self.opened()  # before it is played, for a book begins with the game as it is
        if self.looking_back and self.here.ahead is not after:
            self._write_line("new line", self.here)
        self.here.ahead = after
        seconds, hints = self.clock() - self._since, self.hints
        self._go(after)
        book = self.book
        if book:
            book.act(after.game, seat, by, action, kind, options, seconds, hints)
            if after.game.over and after not in self._ended:
                self._ended.add(after)
                book.end(after.game)
        self._follow_bots()

    def _follow_bots(self) -> None:
        """Where the same was played before, bots' answers are those that they gave then."""
        moment = self.here
        while moment.ahead is not None and not self._stops(moment):
            moment = moment.ahead
        if self.persons:
            self._move(moment, "redo")

    def take_over(self) -> None:
        """Let the person in the deciding seat see what it may see."""
        self.uncovered = self.game.seat
        self._since = self.clock()

    def undo(self) -> bool:
        """Go back to the decision that a person took last; where only bots sit, to the last one."""
        moment = self.here.before
        while moment is not None and moment.before is not None and not self._stops(moment):
            moment = moment.before
        return self._move(moment, "undo")

    def redo(self) -> bool:
        """Go forward on the line to a person's next decision; where only bots sit, by one."""
        moment = self.here.ahead
        while moment is not None and moment.ahead is not None and not self._stops(moment):
            moment = moment.ahead
        return self._move(moment, "redo")

    def jump(self, index: int) -> bool:
        """Go to the moment of this number on the line."""
        line = self.line
        return self._move(line[index] if 0 <= index < len(line) else None, "jump")

    def turn_to(self, end: Moment) -> bool:
        """Go to the last moment of another line."""
        moment = end
        while moment.before is not None:
            moment.before.ahead = moment
            moment = moment.before
        return self._move(end, "jump")

    def seat_bot(self, seat: int, bot: str | None) -> None:
        """Let a bot, or with None a person, sit in a seat from now on."""
        if bot:
            check_bot(self.game, bot, people=True)
        self.bots[seat - 1] = bot
        self.write_seats()

    def name_person(self, seat: int, name: str) -> None:
        self.names[seat - 1] = name
        self.write_seats()

    def write_seats(self) -> None:
        if self.book:
            self.book.seats(self.seats)

    def _stops(self, moment: Moment) -> bool:
        """Whether undo and redo stop at a moment: a person decides there, or no person plays at all."""
        seat = moment.game.seat
        return seat is None or self.bots[seat - 1] is None or not self.persons

    def _move(self, moment: Moment | None, why: str) -> bool:
        if moment is None or moment is self.here:
            return False
        if why == "undo" and self.continues is not None:
            self.opened()  # with the move that is taken back, which was played at a board
        self._go(moment)
        self._write_line(why, moment)
        return True

    def _write_line(self, why: str, moment: Moment) -> None:
        if self.book:
            self.book.line(moment.game.actions, why)

    def _go(self, moment: Moment) -> None:
        self.here = moment
        if self.bot is None and self.game.seat != self.uncovered:
            self.uncovered = None  # another person looks now, until the board is taken over once more
        self.hints = 0
        self._since = self.clock()

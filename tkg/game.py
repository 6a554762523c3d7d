"""`Game`: the safe face of the rules, for people, boards and records."""

from __future__ import annotations

import copy
import difflib
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tkg.rules import calls
from tkg.rules.chance import EVENTS, FULL, IMPOSSIBLE, MISSING, MODE, PLACE, READ, SEED_BITS, WRITE, check_seed
from tkg.rules.errors import Refused
from tkg.rules.games import GAMES
from tkg.rules.kernel import records
from tkg.rules.knobs import Variant
from tkg.rules.numbers import whole
from tkg.rules.results import told

Step = Callable[[np.ndarray, np.ndarray], None]  # plays on from an array of one state, with a tape


class Illegal(Refused):
    """An action that the rules do not allow here; `legal` lists those that they do."""

    def __init__(self, message: str, legal: list[str]):
        super().__init__(message)
        self.legal = legal


class NoChance(Refused):
    """Luck given from outside that is missing, or that cannot have fallen."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended: `reason` in words, `ending` by its short name, `winners` as seats from 1, `scores` by seat."""

    reason: str
    ending: str
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    payoffs: tuple[float, ...]


@dataclass(frozen=True)
class Moment:
    """A position in the history of a game, with the luck that fell on the way to it.

    `luck_used` counts entries of the luck given from outside that cannot fall any more.
    """

    states: np.ndarray
    action: str | None
    luck: tuple[int, ...]
    luck_used: int


def events(tape: list[int]) -> list[list[int]]:
    """The events of a tape, each `purpose, length, values`."""
    found, at = [], 0
    while at < len(tape):
        end = at + 2 + tape[at + 1]
        found.append(tape[at:end])
        at = end
    return found


class Game:
    """One game being played.

    `chance`, in the form that records have, takes the place of luck drawn from `seed`: for games at a real table.
    `begun_at` is the position that the game began at if it was set up by hand (`tkg.set_up`), else None.

        >>> import tkg
        >>> game = tkg.new(tkg.rift(), seed=7)
        >>> game.play(game.legal[0]).undo().legal == game.legal
        True
    """

    def __init__(
        self,
        variant: Variant,
        seed: int | None = None,
        chance: Any = None,
        players: Sequence[str] = (),
        *,
        begun_at: Mapping[str, Any] | None = None,
    ):
        if not isinstance(variant, Variant):
            raise Refused(
                f"variant: what a game's function such as tkg.{next(iter(GAMES))}() gives is needed, not {variant!r}"
            )
        self.variant = variant
        self.rules = variant.rules
        self.seed = secrets.randbelow(1 << SEED_BITS) if seed is None else check_seed(seed)
        self.players = list(players)
        self._given = None if chance is None else self.rules.tape_from_chance(variant, chance)
        self._goes_on = False  # whether luck is drawn from the seed where what was given ends
        self._history: list[Moment] = []
        self.begun_at = copy.deepcopy(begun_at)
        if begun_at is not None:
            self._history.append(Moment(self.rules.set_up(variant, begun_at, self.seed), None, (), 0))
            return
        fresh = records(self.rules.STATE)
        self._go(fresh, None, lambda states, tape: calls.start(states, variant.packed, self.seed, tape))

    def _go(self, before: np.ndarray, action: str | None, step: Step) -> None:
        """Take a step of the rules from a position into the history, with luck that is drawn or was given."""
        used = self._history[-1].luck_used if self._history else 0
        given = [] if self._given is None else self._given[used:]
        if given or (self._given is not None and not self._goes_on):
            states, tape = before.copy(), np.array([READ, EVENTS, *given], np.int64)
            step(states, tape)
            if tape[MODE] not in (MISSING, IMPOSSIBLE):
                self._reach(states, action, tape, used + int(tape[PLACE]) - EVENTS)
                return
            if not self._goes_on:
                fallen = self._drawn(before, step)[1]
                told = fallen[EVENTS : fallen[PLACE]].tolist()
                raise NoChance(self._luck_refused(used, int(tape[PLACE]) - EVENTS, told))
        states, tape = self._drawn(before, step)
        self._reach(states, action, tape, used + len(given))  # what is left belongs to another line

    def _reach(self, states: np.ndarray, action: str | None, tape: np.ndarray, luck_used: int) -> None:
        self._history.append(Moment(states, action, tuple(tape[EVENTS : tape[PLACE]].tolist()), luck_used))

    def _drawn(self, before: np.ndarray, step: Step) -> tuple[np.ndarray, np.ndarray]:
        """(the position after a step with luck drawn, the tape on which that stands, as long as it takes)."""
        room = self.rules.MOST_CHANCE
        while True:
            states, tape = before.copy(), np.zeros(EVENTS + room, np.int64)
            tape[MODE], tape[PLACE] = WRITE, EVENTS
            step(states, tape)
            if tape[MODE] != FULL:
                return states, tape
            room *= 4

    def _luck_refused(self, used: int, read: int, drawn: list[int]) -> str:
        """What is wrong with the event that follows the first `used + read` entries given, beside what might fall."""
        given = self._given or []
        number = len(events(given[: used + read]))
        fallen = len(events(given[used : used + read]))
        if fallen >= len(events(drawn)):  # other luck before it leads elsewhere
            return f"chance: list {number + 1} is missing or cannot have fallen"
        wanted = events(drawn)[fallen]
        likely = json.dumps(self.rules.chance_from_tape(self.variant, wanted)[0])
        if used + read == len(given):
            return f"chance: list {number + 1} is missing; it could be {likely}"
        purpose, length = given[used + read : used + read + 2]
        if purpose != wanted[0]:
            return f"chance: list {number + 1} is not what falls here; it could be {likely}"
        if length != wanted[1]:
            return f"chance: list {number + 1} holds {length} entries, where {wanted[1]} fall; it could be {likely}"
        return f"chance: list {number + 1} cannot have fallen; it could be {likely}"

    @property
    def states(self) -> np.ndarray:
        """The position as the compiled rules hold it, an array of one record: a copy, free to be changed."""
        return self._history[-1].states.copy()

    @property
    def _options(self) -> dict[str, int]:
        now = self._history[-1].states
        state = now[0]
        return {self.rules.text(self.variant, state, int(a)): int(a) for a in calls.options(now, self.variant.packed)}

    @property
    def legal(self) -> list[str]:
        """The options of the decision at hand, in the rules' order; empty at the end."""
        return list(self._options)

    @property
    def seat(self) -> int | None:
        """Who decides, from 1; None at the end."""
        return None if self.over else int(calls.seat(self._history[-1].states)) + 1

    @property
    def kind(self) -> str | None:
        """The kind of the decision at hand, such as `build`; None at the end."""
        return None if self.over else self.rules.KINDS[int(calls.kind(self._history[-1].states))]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._ending()[0] != 0

    def _ending(self) -> tuple[int, np.ndarray]:
        payoffs = np.zeros(self.variant.seats)
        return int(calls.outcome(self._history[-1].states, self.variant.packed, payoffs)), payoffs

    @property
    def outcome(self) -> Outcome | None:
        """None while the game is on."""
        ending, payoffs = self._ending()
        if not ending:
            return None
        result = self.result
        scores = result[self.rules.SCORE]
        return Outcome(
            reason=self.rules.reason(self.variant, result),
            ending=self.rules.ENDINGS[ending],
            winners=tuple(s + 1 for s, p in enumerate(payoffs) if p > 0),
            scores=tuple(scores) if isinstance(scores, list) else (scores,),
            payoffs=tuple(float(p) for p in payoffs),
        )

    @property
    def result(self) -> dict[str, Any]:
        """The result's fields for the position as it stands, as records write them."""
        out = records(self.rules.RESULT)
        calls.result(self._history[-1].states, self.variant.packed, out)
        return told(self.rules, self.variant.seats, out[0])

    @property
    def actions(self) -> list[str]:
        """What was played, in order."""
        return [m.action for m in self._history if m.action is not None]

    @property
    def chance(self) -> Any:
        """The luck that has fallen, in the form that records have."""
        return self.rules.chance_from_tape(self.variant, [x for m in self._history for x in m.luck])

    @property
    def chance_left(self) -> bool:
        """Whether luck that was given has not fallen yet."""
        return self._given is not None and self._history[-1].luck_used < len(self._given)

    def take_up(self) -> Game:
        """Go on with luck drawn from the seed where the luck that was given ends, or cannot fall since another line is played.

        For games that were broken off. What is taken back and played as before has the luck that it had.
        """
        self._goes_on = True
        return self

    def play(self, *actions: str) -> Game:
        """Play one or several actions; all of them or, if one is not legal, none."""
        reached = len(self._history)
        try:
            for action in actions:
                self._play(action)
        except Refused:
            del self._history[reached:]
            raise
        return self

    def _play(self, action: str) -> None:
        options = self._options
        if not isinstance(action, str) or action not in options:
            raise Illegal(self._objection(action, list(options)), list(options))
        before = self._history[-1].states
        self._go(before, action, lambda states, tape: calls.play(states, self.variant.packed, options[action], tape))

    def _objection(self, action: object, legal: list[str]) -> str:
        if not legal:
            return f"{action!r} is not legal: the game is over"
        near = difflib.get_close_matches(str(action), legal, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        return f"{action!r} is not legal here; {hint}legal: {', '.join(legal)}"

    def undo(self, moves: int = 1) -> Game:
        """Take back the last action, or the last `moves` of them."""
        played = len(self._history) - 1
        number = whole(moves)
        if number is None or not 0 <= number <= played:
            raise Refused(f"{moves!r} actions cannot be taken back; {played} have been played")
        del self._history[len(self._history) - number :]
        return self

    def copy(self) -> Game:
        """Another game at the same position, with the same history; the two go their own ways."""
        twin = object.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin.players = list(self.players)
        twin._history = list(self._history)
        return twin

    @property
    def position(self) -> dict[str, Any]:
        """The position as plain data that `tkg.set_up` takes; refused where something is half decided, and at the end."""
        return self.rules.position(self._history[-1].states[0], self.variant)

    def view(self, seat: int | None = 1) -> dict[str, Any]:
        """What a seat, counted from 1, sees, as plain data; with None what everybody sees."""
        if seat is None:
            return self.rules.view(self.states[0], self.variant, None)
        if seat not in range(1, self.variant.seats + 1):
            raise Refused(f"seat={seat!r}: from 1 to {self.variant.seats}")
        return self.rules.view(self.states[0], self.variant, seat - 1)

    def __str__(self) -> str:
        from tkg.draw import picture_text

        return picture_text(self.view(self.seat or 1))

    def __repr__(self) -> str:
        begun = "" if self.begun_at is None else " from a position set up by hand"
        return f"<{self.variant} seed={self.seed}, {len(self.actions)} actions played{begun}>\n{self}"

    def _repr_svg_(self) -> str:
        from tkg.draw import picture_svg

        return picture_svg(self.view(self.seat or 1))


def new(variant: Variant, seed: int | None = None, chance: Any = None) -> Game:
    """A new game of a variant. Without a seed one is drawn; it stands in `game.seed`."""
    return Game(variant, seed, chance)


def set_up(variant: Variant, position: Mapping[str, Any], seed: int | None = None) -> Game:
    """A game that begins at a position set up by hand, as plain data of the form that `game.position` gives.

    The form is told by `position` and `set_up` of each rulebook, such as `tkg.GAMES["rift"].set_up`. What the position does not
    tell, such as the order of the stack, and luck from then on are drawn from `seed`; without one a seed is drawn, which stands in
    `game.seed`. The position is kept in `game.begun_at`, `undo` goes no further back, and the game has no record,
    which would begin at the set-up of the rules.

    Refused, with what is wrong, where, and what would be right, if it is no position of the variant at which
    somebody has to decide.
    """
    if not isinstance(position, Mapping):
        raise Refused(f"position: {position!r} is no position; game.position gives one, as an object")
    return Game(variant, seed, begun_at=position)


def contest_ranks(games: Sequence[Game]) -> list[int]:
    """Ranks of finished games of a game for one, played by different players on the same deal: best 1, ties shared."""
    if not games:
        raise Refused("a contest needs the game of at least one player")
    first = games[0]
    for game in games:
        if not game.over:
            raise Refused("a contest is ranked when every player has finished")
        same_deal = game.chance == first.chance and game.begun_at == first.begun_at
        if game.begun_at is not None and game.seed != first.seed:
            same_deal = False  # what the position does not tell was dealt from the seed
        if game.variant != first.variant or not same_deal or game.variant.seats != 1:
            raise Refused("a contest is played by one player each, on the same variant and the same deal")
    results = [game.result for game in games]
    fields = {name: np.array([[r[name] for r in results]]) for name in results[0]}
    return [int(r) for r in first.rules.ranks(first.variant, fields)[0]]

"""The playtest log: every game at a board written as it goes, read back as tables, taken up again.

Writing, for boards:

    log = Log.begin(game, [{"by": "person", "name": "AB"}, {"by": "bot", "name": "greedy"}])
    kind, options = game.kind, len(game.legal)
    game.play(action)
    log.act(game, 1, "person", action, kind, options, seconds=4.2)  # after it was played, bots' actions too
    log.hint(1, "mcts:400", ["keep FW"])  # a hint was shown
    game.undo()
    log.line(game.actions, "undo")  # after undo, redo, a jump to another move, a new line
    log.note("why not here?", ["unclear rule"])
    log.seats([...])  # somebody else sits down
    log.end(game)  # over, or stopped
    log.form(fun=4, tension=3, luck=None, length=2, text="again!")

Reading: `tkg.playtests()` gives tables, records and games to go on with; see `Playtests`.

`log.id` names the game. Whatever happens to the file, no writer's call fails for it: `log.failure` is a sentence while
something could not be written and None otherwise; what waits is tried again with the next event. `Log.begin(..., continues=id)`
says that the game takes up another one. Only a board's own slips are refused: a tag or a mark that there is not, an
action told that was not the last one played, anything that could not be read back.

A file is a game at a board, `20261130T081233-GAME-3f9c2a.jsonl`: JSON Lines to which is only ever appended, an event a line.
Every event has `at` (UTC, ISO 8601, milliseconds), `event` and `move` (the number of actions in the line that is
being played). A game so far, from the events alone: `begin` has the variant, the seed, the actions so far and
the luck that fell (`chance`, of which `fallen` entries had fallen after 0, 1, 2 ... actions), every `act` its action and the `luck`
that fell with it, and `line` the actions to which the line was set.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tkg.bulk import version
from tkg.estimates import answer
from tkg.game import Game, set_up
from tkg.record import FORMAT as RECORD_FORMAT
from tkg.record import from_record, to_record
from tkg.rules.errors import Refused, did_you_mean
from tkg.rules.games import rules_of
from tkg.rules.knobs import Variant

if TYPE_CHECKING:
    import polars as pl

FORMAT = 1
TAGS = ("stuck", "obvious", "exciting", "unclear rule", "too long")
MARKS = ("fun", "tension", "luck", "length")  # what the form asks for, each 1 to 5
SITTERS = ("person", "bot")
REASONS = ("undo", "redo", "jump", "new line")


def log_folder(folder: str | Path | None = None) -> Path:
    """Where the log lies: `folder`; or where TKG_PLAYTESTS points; or `playtests` where TKG_DATA points, or in `data`."""
    if folder is not None:
        return Path(folder)
    if own := os.environ.get("TKG_PLAYTESTS"):
        return Path(own)
    data = os.environ.get("TKG_DATA") or Path(__file__).resolve().parents[1] / "data"
    return Path(data) / "playtests"


def checked_seats(seats: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """Who sits where, as it is written."""
    for seat in seats:
        if seat.get("by") not in SITTERS or not isinstance(seat.get("name"), str):
            raise Refused(f"seats: {seat!r}; {{'by': 'person', 'name': 'AB'}} or {{'by': 'bot', 'name': 'greedy'}}")
    return [{"by": seat["by"], "name": seat["name"]} for seat in seats]


def as_plain(value: Any) -> Any:
    """What JSON does not know as something that it does: numpy's numbers as numbers, the rest as text."""
    return value.item() if hasattr(value, "item") else str(value)


def line_of(event: dict[str, Any]) -> bytes:
    """An event as a line, without its end."""
    text = json.dumps(event, separators=(",", ":"), ensure_ascii=False, default=as_plain)
    return text.encode("utf-8", "backslashreplace")


class Log:
    """The writer of one game at a board; see the head of this file. `begin` makes one.

    `id`: the game's name in the log; `path`: its file; `failure`: a sentence while events could not be written, else None.
    """

    def __init__(self, game: str, folder: Path):
        self.failure: str | None = None
        self._game, self._folder = game, folder
        self._made = False  # whether the file is there, and this log's own
        self._line: list[str] = []
        self._hints = 0  # since the last action
        self._waiting: list[dict[str, Any]] = []
        self._lock = threading.RLock()  # bots may play in a thread of their own
        self._name_it()

    def _name_it(self) -> None:
        self.id = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{self._game}-{secrets.token_hex(3)}"

    @property
    def path(self) -> Path:
        """The file of this game."""
        return self._folder / f"{self.id}.jsonl"

    @classmethod
    def begin(
        cls,
        game: Game,
        seats: Sequence[dict[str, str]],
        folder: str | Path | None = None,
        continues: str | None = None,
    ) -> Log:
        """The log of a game that begins at a board, or goes on there from where it is.

        `seats`: by seat `{"by": "person" or "bot", "name": ...}`, a person's name or initials as typed (or nothing), a bot's
        name. `continues` is the id of the logged game that this one takes up.
        """
        sitting = checked_seats(seats)
        log = cls(game.variant.game, log_folder(folder))
        log._line = game.actions
        log._write(
            "begin",
            format=FORMAT,
            id=log.id,
            tkg=version(),
            game=game.variant.game,
            variant=game.variant.plain(),
            variant_text=str(game.variant),
            seed=game.seed,
            seats=sitting,
            chance=game.chance,
            fallen=fallen(game),
            actions=game.actions,
            continues=continues,
            position=game.begun_at,
        )
        return log

    def act(
        self,
        game: Game,
        seat: int,
        by: str,
        action: str,
        kind: str,
        options: int,
        seconds: float | None,
        hints: int | None = None,
    ) -> None:
        """An action that was just played in `game` by a `person` or a `bot`.

        `kind` is the decision's kind and `options` the number of options there were; `seconds` from when they were
        shown to when one was chosen; `hints` how many were asked for before, those told by `hint` if it is not given.
        """
        with self._lock:
            actions = game.actions
            if not actions or actions[-1] != action or actions == self._line or by not in SITTERS:
                raise Refused(f"act: {action!r} by {by!r}; tell the action just played, by {' or '.join(SITTERS)}")
            if actions[:-1] != self._line:  # a change of line that nobody told
                self.line(actions[:-1], "jump")
            luck = game.chance[len(game.copy().undo().chance) :]
            asked = self._hints if hints is None else hints
            self._line, self._hints = actions, 0
            if (
                seconds is not None and not 0 <= seconds < LARGEST
            ):  # a clock that was set back is no reason to lose a move
                seconds = None
            told = {"seat": seat, "by": by, "action": action, "kind": kind, "options": options, "seconds": seconds}
            self._write("act", **told, hints=asked, luck=luck)

    def line(self, actions: Sequence[str], why: str) -> None:
        """The line being played has these actions now; `why` is one of REASONS."""
        if why not in REASONS:
            raise Refused(f"why={why!r}: one of {', '.join(REASONS)}")
        with self._lock:
            self._line, self._hints = list(actions), 0
            self._write("line", actions=self._line, why=why)

    def hint(self, seat: int, bot: str, best: Sequence[str]) -> None:
        """A bot's best options were shown to a seat."""
        with self._lock:
            self._hints += 1
            self._write("hint", seat=seat, bot=bot, best=[best] if isinstance(best, str) else list(best))

    def note(self, text: str, tags: Sequence[str] = (), move: int | None = None, seat: int | None = None) -> None:
        """A remark, or some of TAGS, pinned to the position after `move` actions, by default the present one."""
        for tag in tags:
            if tag not in TAGS:
                raise Refused(f"tag {tag!r}: one of {', '.join(TAGS)}")
        self._write("note", text=text, tags=list(tags), seat=seat, **({} if move is None else {"move": move}))

    def seats(self, seats: Sequence[dict[str, str]]) -> None:
        """Who sits where from now on, as for `begin`."""
        self._write("seats", seats=checked_seats(seats))

    def end(self, game: Game) -> None:
        """The game is over, or is stopped; one that is stopped can be taken up again."""
        out = game.outcome
        told: dict[str, Any] = {"ending": None, "reason": None, "winners": [], "payoffs": []}
        if out is not None:
            told = {"ending": out.ending, "reason": out.reason, "winners": out.winners, "payoffs": out.payoffs}
        self._write("end", **told, record=None if game.begun_at is not None else to_record(game))

    def form(
        self,
        fun: int | None = None,
        tension: int | None = None,
        luck: int | None = None,
        length: int | None = None,
        text: str = "",
    ) -> None:
        """What people say after the game: marks from 1 to 5, None where nothing was answered."""
        marks = {"fun": fun, "tension": tension, "luck": luck, "length": length}
        for name, mark in marks.items():
            if mark is not None and mark not in range(1, 6):
                raise Refused(f"{name}={mark!r}: from 1 to 5, or None")
        self._write("form", **marks, text=text)

    def _write(self, event: str, **told: Any) -> None:
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        with self._lock:
            entry = {"at": at, "event": event, "move": len(self._line), **told}
            parse_event(line_of(entry))  # what is written can be read
            self._waiting.append(entry)
            try:
                while self._waiting:
                    self._append(self._waiting[0])
                    del self._waiting[0]
                self.failure = None
            except OSError as error:
                self.failure = (
                    f"{self.path} cannot be written ({error.strerror or error}); the game goes on, and "
                    f"{len(self._waiting)} events wait to be written with the next one"
                )

    def _append(self, event: dict[str, Any]) -> None:
        """One line by one call of the system, so that a crash of the program loses and tears nothing."""
        handle = self._open()
        try:
            end = os.lseek(handle, 0, os.SEEK_END)
            torn = end > 0 and os.pread(handle, 1, end - 1) != b"\n"
            if event["event"] == "begin":
                event = {**event, "id": self.id}  # another name than before, if that was taken
            line = b"\n" * torn + line_of(event) + b"\n"
            if os.write(handle, line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        finally:
            os.close(handle)

    def _open(self) -> int:
        """The file, opened anew for every event, so that no number of boards holds files open; at first it is made."""
        if self._made:
            return os.open(self.path, os.O_RDWR | os.O_APPEND)
        self._folder.mkdir(parents=True, exist_ok=True)
        while True:
            try:
                handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o666)
            except FileExistsError:
                self._name_it()
                continue
            self._made = True
            return handle


def fallen(game: Game) -> list[int]:
    """How much of `game.chance` had fallen after 0, 1, 2 ... of its actions."""
    back = game.copy()
    return [len(game.chance), *(len(back.undo().chance) for _ in game.actions)][::-1]


# --- Reading ------------------------------------------------------------------------------------------------------

LONGEST_GAP = 600.0  # seconds between two events that count as play; what is longer counts as so much
LARGEST = 1 << 53  # numbers from here on are no numbers of this log
MOST_MOVES = 100_000  # as many actions no game has


def some_text(value: Any) -> bool:
    return isinstance(value, str)


def some_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) for v in value)


def some_number(value: Any) -> bool:
    return type(value) is int and 0 <= value < LARGEST


def some_seconds(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value < LARGEST


def some_list(value: Any) -> bool:
    return isinstance(value, list)


def some_counts(value: Any) -> bool:
    return some_list(value) and all(map(some_number, value)) and value == sorted(value)


def some_seats(value: Any) -> bool:
    return some_list(value) and all(
        isinstance(v, dict) and v.get("by") in SITTERS and isinstance(v.get("name"), str) for v in value
    )


def a_mark(value: Any) -> bool:
    return value is None or (type(value) is int and 1 <= value <= 5)


def or_none(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or check(value)


# What every event must hold to be believed; more is let be.
FIELDS: dict[str, dict[str, Callable[[Any], bool]]] = {
    "begin": {
        "id": some_text,
        "tkg": some_text,
        "game": some_text,
        "variant": lambda value: isinstance(value, dict),
        "variant_text": some_text,
        "seed": some_number,
        "seats": some_seats,
        "chance": some_list,
        "fallen": some_counts,
        "actions": some_texts,
        "continues": or_none(some_text),
    },
    "act": {
        "seat": some_number,
        "by": lambda value: value in SITTERS,
        "action": some_text,
        "kind": some_text,
        "options": some_number,
        "seconds": or_none(some_seconds),
        "hints": some_number,
        "luck": some_list,
    },
    "line": {"actions": some_texts, "why": some_text},
    "hint": {"seat": some_number, "bot": some_text},
    "note": {"text": some_text, "tags": some_texts, "seat": or_none(some_number)},
    "seats": {"seats": some_seats},
    "end": {
        "ending": or_none(some_text),
        "winners": lambda value: some_list(value) and all(map(some_number, value)),
        "payoffs": lambda value: some_list(value) and all(map(some_seconds, value)),
        "record": or_none(lambda value: isinstance(value, dict)),
    },
    "form": {**dict.fromkeys(MARKS, a_mark), "text": some_text},
}


def parse_event(line: bytes) -> dict[str, Any]:
    """A line as an event, `at` as a datetime; refused with the reason if it is none."""
    try:
        event = json.loads(line)
        if b"\\u" in line:  # half a character, which no table takes
            event = json.loads(json.dumps(event, ensure_ascii=False).encode("utf-8", "replace"))
    except (RecursionError, ValueError) as error:
        raise Refused(f"no JSON: {error}") from None
    if not isinstance(event, dict):
        raise Refused("no JSON object")
    fields = FIELDS.get(event["event"]) if isinstance(event.get("event"), str) else None
    if fields is None:
        raise Refused(f"'event' is {event.get('event')!r}; it is one of {', '.join(FIELDS)}")
    try:
        at = datetime.fromisoformat(event["at"])
        event["at"] = at.astimezone(UTC)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise Refused(f"'at' is {event.get('at')!r}; a time is needed") from None
    for name, check in {"move": lambda move: some_number(move) and move < MOST_MOVES, **fields}.items():
        if name not in event or not check(event[name]):
            raise Refused(f"{event['event']}: {name!r} is {str(event.get(name))[:60]!r}")
    if event["event"] == "begin" and (
        len(event["fallen"]) != len(event["actions"]) + 1 or event["fallen"][-1] != len(event["chance"])
    ):
        raise Refused("begin: 'fallen' does not fit 'actions' and 'chance'")
    return event


@dataclass(eq=False)
class Node:
    """A place in the tree of all lines of a game: the action that led there and the luck that fell with it."""

    action: str | None  # None where a damaged line told it
    luck: list[Any] | None  # None likewise
    above: Node | None = None
    below: dict[str | None, Node] = field(default_factory=dict)
    decisions: list[int] = field(default_factory=list)  # rows of the decisions that led here, the last one last

    def step(self, action: str | None, luck: list[Any] | None = None) -> Node:
        """The place that an action leads to, made if need be; luck that is told again takes the place of the old."""
        found = self.below.get(action)
        if found is None:
            found = self.below.pop(None, None) or Node(action, luck, self)  # a lost action whose name is told later
            found.action = action
            self.below[action] = found
        if luck is not None:
            found.luck = luck
        return found


class Sitting:
    """A game at a board, from the events of its file."""

    def __init__(self, path: Path):
        self.path, self.id = path, path.stem
        self.begun: dict[str, Any] | None = None
        self.first = self.last = datetime.fromtimestamp(0, UTC)
        self.seats: list[dict[str, str]] = []
        self.people: dict[str, None] = {}  # names in the order in which they came
        self.bots: dict[str, None] = {}
        self.root = Node(None, None)
        self.line: list[Node] = []
        self.records: dict[Node, dict[str, Any]] = {}
        self.endings: dict[Node, tuple[dict[str, Any], list[Node]]] = {}
        self.ended: tuple[dict[str, Any], list[Node]] | None = None
        self.decisions: list[dict[str, Any]] = []
        self.notes: list[dict[str, Any]] = []
        self.form: dict[str, Any] = {}
        self.events = self.undos = self.hints = 0
        self.seconds = 0.0

    @property
    def here(self) -> Node:
        """Where the line being played ends."""
        return self.line[-1] if self.line else self.root

    def told(self, name: str, check: Callable[[Any], bool]) -> Any:
        """What the beginning tells, or where that is damaged a record of the game, if it can be believed."""
        value = (self.begun or next(iter(self.records.values()), {})).get(name)
        return value if check(value) else None

    def take(self, event: dict[str, Any]) -> None:
        """One more event."""
        at = event["at"]
        if self.events:
            self.seconds += min(max(0.0, (at - self.last).total_seconds()), LONGEST_GAP)
        else:
            self.first = at
        self.last = at
        self.events += 1
        getattr(self, f"_{event['event']}")(event)

    def _begin(self, event: dict[str, Any]) -> None:
        if self.events > 1:
            raise Refused("begin: the game has begun before")
        self.begun, self.id = event, event["id"]
        marks = event["fallen"]
        self.root.luck = event["chance"][: marks[0]]
        for action, low, high in zip(event["actions"], marks, marks[1:], strict=False):
            self.line.append(self.here.step(action, event["chance"][low:high]))
        self._seats(event)

    def _seats(self, event: dict[str, Any]) -> None:
        self.seats = event["seats"]
        for seat in self.seats:
            (self.people if seat["by"] == "person" else self.bots)[seat["name"]] = None

    def _act(self, event: dict[str, Any]) -> None:
        before = max(0, event["move"] - 1)
        if before < len(self.line):  # the line that told so is damaged
            self._go(self.line[:before])
        while len(self.line) < before:  # as many actions are damaged
            self.line.append(self.here.step(None))
        node = self.here.step(event["action"], event["luck"])
        node.decisions.append(len(self.decisions))
        seat = event["seat"]
        name = self.seats[seat - 1]["name"] if 1 <= seat <= len(self.seats) else ""
        told = {key: event[key] for key in ("move", "seat", "by", "kind", "action", "options", "seconds", "hints")}
        self.decisions.append({**told, "name": name, "undone": False})
        self.line.append(node)
        self.ended = self.endings.get(node)

    def _line(self, event: dict[str, Any]) -> None:
        self.undos += event["why"] == "undo"
        path, at = [], self.root
        for action in event["actions"]:
            at = at.step(action)
            path.append(at)
        self._go(path)
        self.ended = self.endings.get(self.here, self.ended)

    def _go(self, path: list[Node]) -> None:
        """Set the line; the decisions that are not on it any more have been taken back."""
        shared = min(len(path), len(self.line))
        while shared and path[shared - 1] is not self.line[shared - 1]:
            shared -= 1
        for nodes, undone in ((self.line[shared:], True), (path[shared:], False)):
            for node in nodes:
                if node.decisions:
                    self.decisions[node.decisions[-1]]["undone"] = undone
        self.line = path

    def _hint(self, event: dict[str, Any]) -> None:
        self.hints += 1

    def _note(self, event: dict[str, Any]) -> None:
        tags = ", ".join(event["tags"])
        self.notes.append({"move": event["move"], "seat": event["seat"], "text": event["text"], "tags": tags})

    def _end(self, event: dict[str, Any]) -> None:
        if event["record"] is not None:
            self.records[self.here] = event["record"]
        if event["ending"] is not None:
            self.ended = self.endings[self.here] = event, list(self.line)

    def _form(self, event: dict[str, Any]) -> None:
        self.form = event

    def close(self) -> None:
        """After the last event: who looks back from the end of a game, and plays nothing else, has not undone it."""
        if self.ended is not None:
            self._go(self.ended[1])

    def record(self) -> dict[str, Any]:
        """The record of the final line; refused where damage has taken a part of it."""
        if self.here in self.records:
            return self.records[self.here]
        path = [self.root, *self.line]
        if self.begun is None or any(node.luck is None or node.action is None for node in path[1:]):
            raise Refused(f"{self.id}: lines of {self.path.name} are damaged, and with them went a part of the game")
        return self.record_of(path)

    def record_of(self, path: list[Node]) -> dict[str, Any]:
        """The record of any line whose luck is known."""
        assert self.begun is not None
        return {
            "tkg": RECORD_FORMAT,
            "game": self.begun["game"],
            "variant": self.begun["variant"],
            "seed": self.begun["seed"],
            "players": [seat["name"] for seat in self.seats],
            "chance": [entry for node in path for entry in node.luck or ()],
            "actions": [node.action for node in path[1:]],
        }

    def start(self, path: list[Node]) -> Game:
        """The game before its first action, with the luck of a line; refused if today's rules do not know it."""
        if self.begun is not None and self.by_hand:
            variant = Variant(rules_of(self.begun["game"]), **self.begun["variant"])
            return set_up(variant, self.begun["position"], self.begun["seed"])
        return from_record({**self.record_of(path), "actions": []})

    @property
    def by_hand(self) -> bool:
        """Whether the game began in a position that was set up."""
        return self.begun is not None and self.begun.get("position") is not None

    def branches(self) -> Iterator[list[Node]]:
        """Every line that was ever played, from the root as far as its luck is known."""
        waiting = [self.root]
        while waiting:
            node: Node | None = waiting.pop()
            below = [n for n in node.below.values() if n.luck is not None] if node else []
            waiting += reversed(below)
            if not below:
                path = []
                while node is not None:
                    path.append(node)
                    node = node.above
                yield path[::-1]

    def names(self) -> dict[str, str | None]:
        """The columns by which rows of this game are known."""
        variant = self.told("variant_text", some_text)
        return {"id": self.id, "game": self.told("game", some_text), "variant": variant}

    def games_row(self, continued: bool) -> dict[str, Any]:
        out = self.ended[0] if self.ended else None
        marks = {name: self.form.get(name) for name in MARKS}
        win = None
        if out is not None and self.people:
            win = sum(p for p, seat in zip(out["payoffs"], self.seats, strict=False) if seat["by"] == "person")
        return {
            **self.names(),
            "begun": self.first,
            "seats": len(self.seats),
            "people": ", ".join(filter(None, self.people)),
            "bots": ", ".join(self.bots),
            "moves": len(self.line),
            "finished": out is not None,
            "ending": out["ending"] if out else None,
            "winners": ", ".join(map(str, out["winners"])) if out else None,
            "win": win,
            "minutes": self.seconds / 60,
            "undos": self.undos,
            "hints": self.hints,
            "notes": len(self.notes),
            **marks,
            "remark": self.form.get("text"),
            "version": self.begun["tkg"] if self.begun else None,
            "continues": self.begun["continues"] if self.begun else None,
            "continued": continued,
        }

    def runs_rows(self) -> Iterator[dict[str, Any]]:
        """A row a seat if the game is finished, in the columns that tables of games have."""
        if self.ended is None or len(self.ended[0]["payoffs"]) != len(self.seats):
            return
        for number, (seat, win) in enumerate(zip(self.seats, self.ended[0]["payoffs"], strict=True), 1):
            yield {
                "run": "playtests",
                "variant": self.names()["variant"],
                "version": self.begun["tkg"] if self.begun else None,
                "game": self.id,
                "game_seed": self.told("seed", some_number),
                "seat": number,
                "bot": seat["name"] if seat["by"] == "bot" else "person",
                "win": win,
                "decisions": len(self.line),
            }


# The columns of the tables: `text`, `whole` and `real` numbers, `truth` values and a `time`.
GAMES = """
    id:text begun:time game:text variant:text seats:whole people:text bots:text moves:whole finished:truth ending:text
    winners:text win:real minutes:real undos:whole hints:whole notes:whole fun:whole tension:whole luck:whole length:whole
    remark:text version:text continues:text continued:truth
"""
DECISIONS = """
    id:text game:text variant:text move:whole seat:whole by:text name:text kind:text action:text options:whole seconds:real
    undone:truth hints:whole
"""
NOTES = "id:text move:whole seat:whole text:text tags:text"
PROBLEMS = "file:text line:whole reason:text"
RUNS = "run:text variant:text version:text game:text game_seed:whole seat:whole bot:text win:real decisions:whole"


def schema(columns: str) -> dict[str, Any]:
    """Columns as polars takes them."""
    import polars as pl

    types: dict[str, Any] = {"text": pl.String, "whole": pl.Int64, "real": pl.Float64, "truth": pl.Boolean}
    types["time"] = pl.Datetime("ms", "UTC")
    return {name: types[kind] for name, kind in (column.split(":") for column in columns.split())}


class Playtests:
    """What `tkg.playtests` found. Tables are polars'.

    `games`: a row a game at a board: `id, begun, game, variant, seats, people, bots` (names of who sat there at any time),
    `moves` (actions in the final line), `finished, ending, winners` (seats, joined by commas), `win` (the share of the
    victory that seats of persons have; null without any, or if unfinished), `minutes` (from the first event to the last,
    where a gap of more than ten minutes counts as ten), `undos, hints, notes`, the form's `fun, tension, luck, length`
    (1-5 or null) and its text `remark`, `version, continues` (the id of the game that it took up), `continued` (whether
    one took it up).

    `decisions`: a row for every action at a board, also those that were taken back: `id, game, variant, move` (1 for the
    game's first action), `seat, by, name, kind, action, options` (how many there were), `seconds` (everything from
    when they were shown: nothing is left out, not even a walk to the kitchen), `undone` (taken back, and not
    done again by a redo), `hints` (asked before).

    `notes`: `id, move, seat, text, tags` (joined by commas). `problems`: `file, line, reason` for what could not be read.

    `runs`: finished games in columns of `tkg.simulate`'s table, a row per game and seat: `run, variant, version, game` (the id),
    `game_seed, seat, bot` ("person" for people), `win, decisions`.
    """

    games: pl.DataFrame
    decisions: pl.DataFrame
    notes: pl.DataFrame
    problems: pl.DataFrame
    runs: pl.DataFrame

    def __init__(self, sittings: list[Sitting], problems: list[tuple[str, int, str]]):
        import polars as pl

        self._sittings = {s.id: s for s in sittings}
        self._continued = {s.begun["continues"] for s in sittings if s.begun}
        self.games = pl.DataFrame([s.games_row(s.id in self._continued) for s in sittings], schema=schema(GAMES))
        told = [{**s.names(), **d} for s in sittings for d in s.decisions]
        self.decisions = pl.DataFrame(told, schema=schema(DECISIONS))
        self.notes = pl.DataFrame([{"id": s.id, **note} for s in sittings for note in s.notes], schema=schema(NOTES))
        self.runs = pl.DataFrame([row for s in sittings for row in s.runs_rows()], schema=schema(RUNS))
        self.problems = pl.DataFrame(problems, schema=schema(PROBLEMS), orient="row")

    def __repr__(self) -> str:
        if self.games.is_empty() and self.problems.is_empty():
            return "no games yet"
        n, over, wrong = self.games.height, int(self.games["finished"].sum()), self.problems.height
        return f"{n} games, {over} of them finished; {self.decisions.height} decisions; {wrong} problems"

    def _sitting(self, id: str) -> Sitting:
        if id not in self._sittings:
            raise Refused(f"no game {id!r} in the log{did_you_mean(id, self._sittings)}")
        return self._sittings[id]

    @cached_property
    def unfinished(self) -> list[str]:
        """The games that `resume` can take up, oldest first: neither over nor taken up, nor damaged."""
        return [id for id, s in self._sittings.items() if id not in self._continued and not self._hindrance(s)]

    def _hindrance(self, sitting: Sitting) -> str | None:
        """Why a game cannot be taken up, as far as its log tells."""
        if sitting.ended is not None:
            return f"{sitting.id} is over; tkg.from_record(....record({sitting.id!r})) shows it"
        try:
            sitting.record()
        except Refused as error:
            return str(error)
        return None

    def record(self, id: str) -> dict[str, Any]:
        """The final line of a game as `tkg.to_record` gives it.

        Refused if the id is unknown, if damage took a part of it, or if it began at a position set up by hand, which has no record.
        """
        sitting = self._sitting(id)
        if sitting.by_hand:
            raise Refused(
                f"{id} began at a position that was set up by hand, which no record tells; resume plays it again"
            )
        return sitting.record()

    def seats(self, id: str) -> list[dict[str, str]]:
        """Who sat where at last, by seat, in the form that `Log.begin` takes."""
        return self._sitting(id).seats

    def resume(self, id: str) -> Game:
        """The game of a final line to go on with: the luck that fell is as it fell, what is to come is drawn from the seed.

        In a game that was set up by hand all luck is drawn from the seed again. Refused if the id is unknown, the game is
        over, its log is damaged, or today's rules do not replay it. A game that was taken up before may be taken up again.
        """
        sitting = self._sitting(id)
        if hindrance := self._hindrance(sitting):
            raise Refused(hindrance)
        try:
            if sitting.by_hand:
                return sitting.start([]).play(*sitting.record()["actions"])
            game = from_record(sitting.record())
        except Refused as error:
            raise Refused(f"{id} does not replay under today's rules: {error}") from None
        if game.chance_left:
            raise Refused(f"{id} does not replay under today's rules: luck is left over that does not fall any more")
        return game.take_up()

    def answers(self, bot: str = "greedy", progress: bool = False) -> pl.DataFrame:
        """What a bot would have played where people had a choice: their rows of `decisions`, with `answer` and `agrees`.

        Decisions that were taken back are among them. Every position is played through the rules again; what damage
        took is left out, and so, with a warning, is what today's rules do not replay.
        """
        import polars as pl
        from tqdm.auto import tqdm

        found: dict[tuple[str, int], str] = {}
        wanted = {
            (s.id, i)
            for s in self._sittings.values()
            if s.begun
            for i, d in enumerate(s.decisions)
            if d["by"] == "person" and d["options"] > 1
        }
        with tqdm(total=len(wanted), unit="decision", desc=bot, disable=not progress) as bar:
            for sitting in {id: self._sittings[id] for id, _ in wanted}.values():
                for path in sitting.branches():
                    self._ask(sitting, path, bot, wanted, found, bar)
        rows = self.decisions.with_columns(pl.int_range(pl.len()).over("id").alias("_row"))
        told = [(id, row, text) for (id, row), text in found.items()]
        asked = pl.DataFrame(told, schema=schema("id:text _row:whole answer:text"), orient="row")
        table = rows.join(asked, on=["id", "_row"], maintain_order="left")
        return table.drop("_row").with_columns((pl.col("answer") == pl.col("action")).alias("agrees"))

    def _ask(self, sitting: Sitting, path: list[Node], bot: str, wanted: Any, found: Any, bar: Any) -> None:
        """Ask a bot at those places of a line where a decision is wanted that has not been answered."""
        game = None
        for above, node in pairwise(path):
            try:
                game = game.play(str(above.action)) if game else sitting.start(path)
            except Refused as error:
                warnings.warn(f"{sitting.id} does not replay under today's rules: {error}", stacklevel=3)
                return
            here = [key for i in node.decisions if (key := (sitting.id, i)) in wanted and key not in found]
            if here:
                found.update(dict.fromkeys(here, answer(game, bot)))
                bar.update(len(here))


def read_sitting(path: Path) -> tuple[Sitting | None, list[tuple[str, int, str]]]:
    """(the game of a file, what of it could not be read as file, line and reason)."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        return None, [(path.name, 0, f"cannot be read: {error.strerror}")]
    sitting, problems = Sitting(path), []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            event = parse_event(line)
            if event["event"] == "begin" and event.get("format") != FORMAT:
                return None, [(path.name, number, f"format {event.get('format')!r}; this program reads {FORMAT}")]
            sitting.take(event)
        except Refused as error:
            torn = number == len(lines)
            problems.append((path.name, number, "torn where the program stopped" if torn else str(error)))
            if torn:
                warnings.warn(f"{path.name}, line {number}: torn where the program stopped; left out", stacklevel=3)
    sitting.close()
    if sitting.begun is None:
        problems.append((path.name, 1, "the game's beginning is missing"))
    return (sitting if sitting.events else None), problems


def playtests(folder: str | Path | None = None) -> Playtests:
    """The log of games at boards: tables of games, decisions and notes, records, and games to go on with.

    `folder` is where the log lies, by default where boards write it: where TKG_PLAYTESTS points, or `playtests` in the folder
    where TKG_DATA points, or `data/playtests`. Games come in the order in which they began. Without a file there the tables are empty. A line that cannot be read is
    set aside and told in `problems`; one that a crash tore at the end of a file is told in a warning, too.
    """
    sittings: dict[str, Sitting] = {}
    problems = []
    for path in sorted(log_folder(folder).glob("*.jsonl")):
        sitting, found = read_sitting(path)
        problems += found
        if sitting is not None:
            other = sittings.setdefault(sitting.id, sitting)
            if other is not sitting:
                problems.append((path.name, 1, f"the game {sitting.id} stands in {other.path.name}, too"))
    return Playtests(sorted(sittings.values(), key=lambda sitting: (sitting.first, sitting.id)), problems)

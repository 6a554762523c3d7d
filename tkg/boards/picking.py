"""From clicks to options: which parts of a picture can be pointed at next, and which option that comes to.

Knows no widget. A game's own file says for each option which parts stand for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

Picked = tuple[str, ...]  # what has been pointed at so far, in order


class Chip(NamedTuple):
    """Something to point at that no part of the picture stands for: a word in a frame, at a part or at the foot."""

    name: str
    words: str
    at: str = ""


class Preview(NamedTuple):
    """What comes of an option, told before it is played: in words, and as parts to be outlined."""

    words: str
    outline: tuple[str, ...] = ()


class Tool(NamedTuple):
    """What can be done to a position set up by hand: in words, as a game's own file reads it, and to parts of which sort."""

    words: str
    what: tuple[str, str]
    on: tuple[str, ...]


class Path(NamedTuple):
    """Parts to be pointed at one after the other, and the option that they come to."""

    parts: Picked
    action: str


class Picker(Protocol):
    """How the options of one decision are picked."""

    def nexts(self, picked: Picked) -> Sequence[str]:
        """What can be pointed at now, by name of part or chip."""

    def pick(self, picked: Picked, name: str) -> tuple[Picked, str | None]:
        """(what is picked once `name` has been pointed at, the option that this completes)."""

    def chips(self, picked: Picked) -> list[Chip]:
        """What is offered beside the parts of the picture."""

    def shown(self, view: dict[str, Any], picked: Picked) -> dict[str, Any]:
        """The view with what is picked so far laid out on it."""

    def way_to(self, action: str) -> Picked:
        """The parts that lead to an option."""


CHOOSE = "choose "  # what the name of a chip begins with that settles an option


class ByPaths:
    """Options that each have a path or several; options that share one are told apart by chips at its end."""

    def __init__(self, paths: Iterable[Path], words: dict[str, str] | None = None, at: dict[str, str] | None = None):
        """`words` and `at` give, by option, the words of its chip and the part that it stands at."""
        self.paths = list(paths)
        self.words = words or {}
        self.at = at or {}
        ends: dict[Picked, list[str]] = {}
        for path in self.paths:
            ends.setdefault(path.parts, []).append(path.action)
        self.full = {
            (*parts, CHOOSE + action) if len(actions) > 1 or not parts else parts: action
            for parts, actions in ends.items()
            for action in actions
        }

    def nexts(self, picked: Picked) -> Sequence[str]:
        n = len(picked)
        return list(dict.fromkeys(path[n] for path in self.full if path[:n] == picked and len(path) > n))

    def pick(self, picked: Picked, name: str) -> tuple[Picked, str | None]:
        if name in picked:  # pointed at once more, it is let go
            return picked[: picked.index(name)], None
        for kept in range(len(picked), -1, -1):  # another source takes the place of the first
            if name in self.nexts(picked[:kept]):
                picked = (*picked[:kept], name)
                action = self.full.get(picked)
                return ((), action) if action is not None else (picked, None)
        return picked, None

    def chips(self, picked: Picked) -> list[Chip]:
        found = []
        for name in self.nexts(picked):
            if name.startswith(CHOOSE):
                action = name.removeprefix(CHOOSE)
                at = self.at.get(action, picked[-1] if picked else "")
                found.append(Chip(name, self.words.get(action, action), at))
        return found

    def shown(self, view: dict[str, Any], picked: Picked) -> dict[str, Any]:
        return view

    def way_to(self, action: str) -> Picked:
        return next((path for path, there in self.full.items() if there == action), ())

"""The bots that a user has registered, by name: `tkg.own_bots` fills this table and plays their games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class OwnBot:
    """A bot of one's own: a function from what a seat sees and its options to a choice."""

    name: str
    function: Callable[..., str]
    game: str | None  # the one game that it plays, None for every game
    lucky: bool  # whether the function takes a third argument, its luck

    @property
    def origin(self) -> tuple[Any, Any]:
        """Where the function was written; the same again if a notebook's cell is run twice."""
        name = getattr(self.function, "__qualname__", repr(self.function))
        code = getattr(self.function, "__code__", None)
        if "<lambda>" in name and code is not None:  # all of a module's have the same name
            name = f"{name} {code.co_filename} {code.co_firstlineno}"
        return getattr(self.function, "__module__", None), name


REGISTERED: dict[str, OwnBot] = {}  # in the order in which they came: codes count it, so none is ever taken out


def registered(game: str) -> tuple[str, ...]:
    """The names of the registered bots that play a game."""
    return tuple(bot.name for bot in REGISTERED.values() if bot.game in (None, game))


def own_code(name: str) -> int:
    """The number that stands for a registered bot where compiled ones have their codes: below 0."""
    return -1 - list(REGISTERED).index(name)


def own_bot(code: int) -> OwnBot:
    """The registered bot of a code."""
    return list(REGISTERED.values())[-1 - code]

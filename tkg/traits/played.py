"""A game as it was played, for what the games' own files tell of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from tkg.rules.knobs import Variant


class Step(NamedTuple):
    """An action: who took it (from 0), how it is written, and the state before it."""

    seat: int
    text: str
    before: Any


@dataclass(frozen=True)
class Whole:
    """A whole game: its first state and its last, which is over, and every action between them."""

    variant: Variant
    start: Any
    end: Any
    remake: Callable[[], list[Step]]

    @cached_property
    def steps(self) -> list[Step]:
        """Every action; made when it is asked for, since what chance has dealt is told without."""
        return self.remake()


Traits = list[dict[str, float]]  # by seat: every trait by name, the same names for all seats and games of a variant

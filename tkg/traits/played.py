"""A game as it was played, for what the games' own files tell of it."""

from __future__ import annotations

from typing import Any, NamedTuple

from tkg.rules.knobs import Variant


class Step(NamedTuple):
    """An action: who took it (from 0), how it is written, and the state before it."""

    seat: int
    text: str
    before: Any


class Whole(NamedTuple):
    """A whole game: its first state and its last, which is over, and every action between them."""

    variant: Variant
    start: Any
    end: Any
    steps: list[Step]


Traits = list[dict[str, float]]  # by seat: every trait by name, the same names for all seats and games of a variant

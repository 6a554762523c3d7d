"""Reading positions that people write: plain data, checked entry by entry.

Every refusal says where the fault stands (`position, cell A`), what it is, and what would be right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tkg.rules.errors import Refused, did_you_mean
from tkg.rules.knobs import shown
from tkg.rules.numbers import whole

WHOLE = "position"
GAME_OVER = "the game is over: a position is one at which somebody has to decide"
MOST_TOLD = 1 << 15  # more of anything than any variant has


def entries(where: str, value: object, names: Sequence[str]) -> Mapping[str, Any]:
    """An object with none but these names in it."""
    if not isinstance(value, Mapping):
        raise Refused(f"{where}: {shown(value)}; an object is needed, with any of {', '.join(names)}")
    for name in value:
        if name not in names:
            raise Refused(f"{where}: no entry {shown(name)}; there are {', '.join(names)}{did_you_mean(name, names)}")
    return value


def items(where: str, value: object, n: int | None = None) -> list[Any]:
    """A list, of `n` items if that is given."""
    if not isinstance(value, (list, tuple)) or (n is not None and len(value) != n):
        length = "" if n is None else f" of {n}"
        raise Refused(f"{where}: {shown(value)}; a list{length} is needed")
    return list(value)


def number_told(where: str, value: object, low: int, high: int, what: str) -> int:
    """A whole number from `low` to `high`."""
    found = whole(value)
    if found is None or not low <= found <= high:
        reach = str(low) if low == high else f"from {low} to {high}"
        raise Refused(f"{where}: {shown(value)}; {what}, a whole number {reach}")
    return found


def truth(where: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise Refused(f"{where}: {shown(value)}; true or false")
    return value


def one_of(where: str, value: object, names: Sequence[str]) -> int:
    """Which of the names it is, from 0."""
    if not isinstance(value, str) or value not in names:
        raise Refused(f"{where}: {shown(value)}; one of {', '.join(names)}{did_you_mean(value, names)}")
    return names.index(value)


def phase_of(given: Mapping[str, Any], kinds: Sequence[str]) -> int | None:
    """The phase that a position names, from 0; None if it names none."""
    if "phase" not in given:
        return None
    if given["phase"] == "over":
        raise Refused(f"{WHOLE}: {GAME_OVER}")
    return one_of(f"{WHOLE}, phase", given["phase"], kinds)


def counters(where: str, value: object, letters: str) -> list[int]:
    """How many counters of each sort, written as text such as `FFW`, or as a number for each in the order of `letters`."""
    if isinstance(value, str) and set(value) <= set(letters):
        return [value.count(letter) for letter in letters]
    if isinstance(value, (list, tuple)) and len(value) == len(letters):
        numbers = [whole(n) for n in value]
        if all(n is not None and 0 <= n < MOST_TOLD for n in numbers):
            return numbers  # type: ignore[return-value]
    raise Refused(f"{where}: {shown(value)}; text of the letters {letters}, or {len(letters)} numbers in that order")


class Pool:
    """Tiles by kind, from which those that a position names are taken; `holder` is what holds them, such as the deck."""

    def __init__(self, holder: str, counts: Mapping[str, int]):
        self.holder, self.counts = holder, dict(counts)
        self.left = list(self.counts.values())
        self.kinds = {name: kind for kind, name in enumerate(self.counts)}

    def take(self, where: str, tile: object, copies: int = 1) -> list[int]:
        """So many of a tile, as kinds; refused where there are no more of it."""
        if not isinstance(tile, str) or tile not in self.kinds:
            near = did_you_mean(tile, self.kinds)
            raise Refused(f"{where}: tile {shown(tile)} is not in {self.holder}, which is {self}{near}")
        kind = self.kinds[tile]
        if self.left[kind] < copies:
            lie = self.counts[tile] - self.left[kind] + copies
            raise Refused(
                f"{where}: {tile} lies {lie} times in this position; {self.holder} has {self.counts[tile]} of it"
            )
        self.left[kind] -= copies
        return [kind] * copies

    def take_tally(self, where: str, tally: object) -> list[int]:
        """The tiles of an object such as `{"FW": 2}`, as kinds."""
        if not isinstance(tally, Mapping):
            raise Refused(f"{where}: {shown(tally)}; an object is needed, a number for each tile such as {{'FW': 2}}")
        found = []
        for tile, copies in tally.items():
            found += self.take(where, tile, number_told(f"{where}, {shown(tile)}", copies, 0, MOST_TOLD, "copies"))
        return found

    def rest(self) -> list[int]:
        """What has not been taken, as kinds."""
        return [kind for kind, n in enumerate(self.left) for _ in range(n)]

    def __str__(self) -> str:
        return shown(", ".join(self.counts))


def something(value: Any) -> bool:
    """Whether there is anything in an entry: no list of zeros, no object without entries."""
    return any(map(something, value)) if isinstance(value, (list, tuple)) else bool(value)


def written(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Entries with something in them: what is empty need not be told."""
    return {name: value for name, value in pairs if something(value)}

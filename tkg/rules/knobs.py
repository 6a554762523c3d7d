"""Knobs and readings, declared once, and variants made of them.

A declaration serves checking, the command line, sliders, sweeps, records and the printed rule summary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tkg.rules.errors import Refused, did_you_mean
from tkg.rules.numbers import whole
from tkg.rules.tiles import ELEMENT_NAMES, Deck, load_deck

if TYPE_CHECKING:
    import numpy as np

    from tkg.rules.games import Rules

TRUTH = {"true": True, "false": False, "yes": True, "no": False, "on": True, "off": False}


@dataclass(frozen=True)
class Number:
    """A knob that is a whole number from `low` to `high`; `high` may name another knob."""

    name: str
    default: int
    low: int
    high: int | str
    unit: str
    meaning: str
    clause: str

    def range_text(self) -> str:
        return f"{self.low}" if self.low == self.high else f"{self.low}-{self.high}"

    def read(self, value: object) -> int:
        number = whole(value)
        if number is None or number < self.low or (isinstance(self.high, int) and number > self.high):
            raise Refused(f"{self.name}={shown(value)}: a whole number of {self.unit}, {self.range_text()}")
        return number

    def default_text(self) -> str:
        return str(self.default)

    def parse(self, text: str) -> object:
        return as_number(text)

    def text(self, value: Any) -> str:
        return str(value)

    def plain(self, value: Any) -> Any:
        return value


@dataclass(frozen=True)
class ByElement:
    """A knob that is a number for each element: one number for all, or four in element order."""

    name: str
    default: int
    low: int
    high: int
    unit: str
    meaning: str
    clause: str

    def range_text(self) -> str:
        return f"{self.low}-{self.high}, or four of them"

    def read(self, value: object) -> int | tuple[int, ...]:
        numbers = [whole(v) for v in value] if isinstance(value, (list, tuple)) else [whole(value)] * 4
        if len(numbers) != 4 or any(n is None or not self.low <= n <= self.high for n in numbers):
            order = ", ".join(ELEMENT_NAMES)
            raise Refused(
                f"{self.name}={shown(value)}: {self.unit}, one number {self.low}-{self.high}, or four in the order {order}"
            )
        if len(set(numbers)) == 1:
            return numbers[0]  # type: ignore[return-value]
        return tuple(numbers)  # type: ignore[arg-type]

    def default_text(self) -> str:
        return str(self.default)

    def parse(self, text: str) -> object:
        parts = text.strip("[]() ").split(",")
        return as_number(parts[0]) if len(parts) == 1 else [as_number(p) for p in parts]

    def text(self, value: Any) -> str:
        return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)

    def plain(self, value: Any) -> Any:
        return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True)
class DeckKnob:
    """The knob that says which tiles are shuffled; `low` to `high` tiles in all."""

    name: str
    default: str
    low: int
    high: int
    unit: str
    meaning: str
    clause: str

    def range_text(self) -> str:
        return f"{self.low}-{self.high} tiles"

    def read(self, value: object) -> Deck:
        deck = load_deck(value)  # type: ignore[arg-type]
        if not self.low <= deck.total <= self.high:
            raise Refused(f"{self.name}={deck.label}: {deck.total} tiles; {self.range_text()} are needed")
        return deck

    def default_text(self) -> str:
        return self.default

    def parse(self, text: str) -> object:
        return text

    def text(self, value: Any) -> str:
        return value.label

    def plain(self, value: Any) -> Any:
        return dict(value)

    def note(self, value: Any) -> str | None:
        return STAND_IN if value.is_reference else None


@dataclass(frozen=True)
class TileSet:
    """A knob that is a number for each kind of tile: `make` is a named tuple of the kinds, `default` one of them."""

    name: str
    default: Any
    low: int
    high: int
    unit: str
    meaning: str
    clause: str
    stand_in: str  # what must be said of results with the default

    @property
    def kinds(self) -> tuple[str, ...]:
        return type(self.default)._fields

    def range_text(self) -> str:
        return f"{self.low}-{self.high} each of {', '.join(self.kinds)}"

    def read(self, value: object) -> Any:
        if isinstance(value, str):
            value = self.parse(value)
        if isinstance(value, type(self.default)):
            value = value._asdict()
        right = f"a number {self.low}-{self.high} for each of {', '.join(self.kinds)}, at least 1 in all"
        if not isinstance(value, Mapping):
            raise Refused(f"{self.name}={shown(value)}: {right}, such as {self.text(self.default)}")
        for kind in value:
            if kind not in self.kinds:
                raise Refused(f"{self.name}: no kind {kind!r}; {right}{did_you_mean(str(kind), self.kinds)}")
        for kind in self.kinds:
            number = whole(value.get(kind))
            if number is None or not self.low <= number <= self.high:
                told = shown(value[kind]) if kind in value else "missing"
                raise Refused(f"{self.name}: {kind} is {told}; {right}")
        numbers = [whole(value[kind]) for kind in self.kinds]
        if not sum(numbers):  # type: ignore[arg-type]
            raise Refused(f"{self.name}: no tile at all; {right}")
        return type(self.default)(*numbers)

    def default_text(self) -> str:
        return self.text(self.default)

    def parse(self, text: str) -> object:
        """The numbers that `straight:5,curve:6` writes, 0 for kinds left out; or the text, to be refused."""
        found: dict[str, Any] = dict.fromkeys(self.kinds, 0)
        for part in text.split(","):
            kind, colon, number = part.partition(":")
            if not colon:
                return text
            found[kind.strip()] = as_number(number)
        return found

    def text(self, value: Any) -> str:
        return ",".join(f"{kind}:{n}" for kind, n in value._asdict().items() if n)

    def plain(self, value: Any) -> Any:
        return value._asdict()

    def note(self, value: Any) -> str | None:
        return self.stand_in if value == self.default else None


@dataclass(frozen=True)
class Reading:
    """A sentence of the rules that can be read in several ways; the first option is the default."""

    name: str
    options: tuple[Any, ...]
    meaning: str
    clause: str
    unit: str = "reading"

    @property
    def default(self) -> Any:
        return self.options[0]

    def range_text(self) -> str:
        return ", ".join(self.text(o) for o in self.options)

    def read(self, value: object) -> Any:
        for option in self.options:
            if type(option) is type(value) and option == value:
                return option
        raise Refused(f"{self.name}={shown(value)}: one of {self.range_text()}")

    def default_text(self) -> str:
        return self.text(self.default)

    def parse(self, text: str) -> object:
        if isinstance(self.default, bool):
            return TRUTH.get(text.lower(), text)
        return text

    def text(self, value: Any) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    def plain(self, value: Any) -> Any:
        return value


Declaration = Number | ByElement | DeckKnob | TileSet | Reading


def as_number(text: str) -> object:
    """The number that `text` writes, or the text itself, to be refused where the knob is known."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text.strip(), flags=re.ASCII) else text


def shown(value: object) -> str:
    """A refused value, short enough for a one-line message."""
    text = value if isinstance(value, str) and value.isprintable() else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


class Variant(Mapping[str, Any]):
    """One way to play one game: every knob and reading by name. Frozen; compared and hashed by value.

    Prints as what differs from the default, such as `rift(side=4, supply=12, deck=threes)`.
    """

    def __init__(self, rules: Rules, /, **settings: Any):
        declared = {d.name: d for d in rules.DECLARED}
        for name in set(settings) & set(rules.SHORTHANDS):
            settings = rules.SHORTHANDS[name](settings)
        for name in settings:
            if name not in declared:
                raise Refused(
                    f"{rules.NAME} has no knob or reading {name!r}; it has {', '.join(declared)}{did_you_mean(name, declared)}"
                )
        values = {name: d.read(settings.get(name, d.default)) for name, d in declared.items()}
        for d in declared.values():
            if isinstance(d, Number) and isinstance(d.high, str) and values[d.name] > values[d.high]:
                raise Refused(f"{d.name}={values[d.name]}: at most {d.high}, which is {values[d.high]}")
        self.__dict__.update(rules=rules, values_by_name=values)
        rules.check(self)

    def __getitem__(self, name: str) -> Any:
        return self.values_by_name[name]

    def __getattr__(self, name: str) -> Any:
        values = self.__dict__.get("values_by_name", {})
        if name in values:
            return values[name]
        raise AttributeError(f"a variant has no {name!r}; it has {', '.join(values)}")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a variant never changes; make another one with variant.but({name}=...)")

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_by_name)

    def __len__(self) -> int:
        return len(self.values_by_name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Variant) and self.game == other.game and self.values_by_name == other.values_by_name

    def __hash__(self) -> int:
        return hash((self.game, tuple(self.values_by_name.items())))

    def __reduce__(self) -> Any:
        return rebuild, (self.game, dict(self.values_by_name))

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return self.canonical

    @cached_property
    def canonical(self) -> str:
        """The short text that names what differs from the default, and that `tkg.variant` reads."""
        parts = [f"{name}={d.text(self[name])}" for name, d in self.differing.items()]
        return f"{self.game}({', '.join(parts)})"

    @property
    def game(self) -> str:
        """The game's short name."""
        return self.rules.NAME

    @property
    def differing(self) -> dict[str, Declaration]:
        """The declarations of what differs from the default."""
        return {d.name: d for d in self.rules.DECLARED if d.text(self[d.name]) != d.default_text()}

    def but(self, /, **settings: Any) -> Variant:
        """The same variant with other settings."""
        return Variant(self.rules, **{**self.values_by_name, **settings})

    def plain(self) -> dict[str, Any]:
        """Every knob and reading as JSON has them, decks as counts by tile: what a record holds."""
        return {d.name: d.plain(self[d.name]) for d in self.rules.DECLARED}

    @cached_property
    def packed(self) -> np.ndarray:
        """The variant as the compiled rules read it: an array of one record. Not to be written to."""
        packed = self.rules.pack(self)
        packed.flags.writeable = False
        return packed

    @property
    def warnings(self) -> list[str]:
        """Why this variant cannot be won or played, a sentence each; empty if nothing is known against it."""
        return self.rules.warnings(self)

    @property
    def notes(self) -> list[str]:
        """What must be said wherever results of this variant are shown."""
        told = [d.note(self[d.name]) for d in self.rules.DECLARED if isinstance(d, (DeckKnob, TileSet))]
        return [words for words in told if words]

    @property
    def seats(self) -> int:
        """How many seats the game has."""
        return self.values_by_name.get("players", 1)

    def rule_summary(self) -> str:
        """Every knob and reading with its value and meaning, as Markdown."""
        head = ["| name | value | range | meaning | clause |", "| --- | --- | --- | --- | --- |"]
        rows = [
            f"| `{d.name}` | {d.text(self[d.name])} | {d.range_text()} | {d.meaning} | {d.clause} |"
            for d in self.rules.DECLARED
        ]
        return "\n".join(head + rows)


STAND_IN = (
    "The reference deck is a stand-in: the published texts give the number of tiles but not what is printed on them. "
    "Replace it by the real list if you own the game."
)


def rebuild(game: str, settings: dict[str, Any]) -> Variant:
    """A variant from its game's name and settings: what pickling needs."""
    from tkg.rules.games import rules_of

    return Variant(rules_of(game), **settings)


def parse_settings(rules: Rules, settings: Mapping[str, str]) -> dict[str, Any]:
    """Settings typed as text, ready for a variant."""
    declared = {d.name: d for d in rules.DECLARED}
    for name in settings:
        if name not in declared and name not in rules.SHORTHANDS:
            raise Refused(
                f"{rules.NAME} has no knob or reading {name!r}; it has {', '.join(declared)}{did_you_mean(name, declared)}"
            )
    return {
        n: declared[n].parse(text) if n in declared else TRUTH.get(text.lower(), text) for n, text in settings.items()
    }


def parse_variant(text: str) -> Variant:
    """A variant from its canonical string, such as `rift(side=4, supply=20,5,15,0)`."""
    from tkg.rules.games import rules_of

    match = re.fullmatch(r"\s*(\w+)\s*(?:\((.*)\))?\s*", text, flags=re.DOTALL)
    if not match:
        raise Refused(f"variant {text!r}: written like rift(side=4, supply=12)")
    rules = rules_of(match[1])
    settings: dict[str, str] = {}
    for part in re.split(r",\s*(?=\w+\s*=)", match[2] or ""):
        if not part.strip():
            continue
        name, equals, value = part.partition("=")
        if not equals or name.strip() in settings:
            raise Refused(f"variant {text!r}: {part.strip()!r} is not one setting written NAME=VALUE")
        settings[name.strip()] = value.strip()
    return Variant(rules, **parse_settings(rules, settings))

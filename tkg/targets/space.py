"""What a search may vary: knobs, readings and the make-up of the deck, each over a range or some values.

Without a range of its own a number is searched from a third of its value to twice that, as far as the rules allow, on a
logarithmic scale from LOGARITHMIC up; a reading over its options, a deck over shares of tiles by size and its purity, a set
of tiles over numbers by kind. Where nothing is named, all numbers and readings are searched but those that no rule of the
game knows (a limit for simulated games), the number of players, what is set already, and what changes no game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tkg.rules.errors import Refused, did_you_mean
from tkg.rules.knobs import ByElement, DeckKnob, Number, Reading, TileSet, Variant, parse_settings
from tkg.rules.tiles import Deck, make_deck, tile_counts
from tkg.targets.measuring import Unfit

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution

LOGARITHMIC = 12
TENTHS = 10  # steps of the shares that make up a deck
LARGEST_TILE = 9
CHANGED = 0.25
RANGE = re.compile(r"(\d{1,9})\.\.(\d{1,9})(?::(\d{1,9}))?", flags=re.ASCII)
NO_RULE = "none"  # the clause of knobs that no rule of the game knows


@dataclass(frozen=True)
class Whole:
    """A whole number from `low` to `high` in steps, or on a logarithmic scale."""

    low: int
    high: int
    step: int = 1
    log: bool = False

    @property
    def values(self) -> Sequence[int]:
        return range(self.low, self.high + 1, self.step)

    @property
    def distribution(self) -> BaseDistribution:
        from optuna.distributions import IntDistribution

        return IntDistribution(self.low, self.high, log=self.log, step=self.step)

    @property
    def words(self) -> str:
        step = f" by {self.step}" if self.step > 1 else ""
        return f"{self.low} to {self.high}{step}"

    def at(self, part: float) -> int:
        """The value at a part (0 to 1) of the way."""
        if self.log:
            return min(self.high, int(self.low * ((self.high + 1) / self.low) ** part))
        return self.values[min(len(self.values) - 1, int(part * len(self.values)))]


@dataclass(frozen=True)
class Choice:
    """One of some values; what stands in a trial is their texts."""

    values: tuple[str, ...]

    @property
    def distribution(self) -> BaseDistribution:
        from optuna.distributions import CategoricalDistribution

        return CategoricalDistribution(self.values)

    @property
    def words(self) -> str:
        return " or ".join(self.values)

    def at(self, part: float) -> str:
        return self.values[min(len(self.values) - 1, int(part * len(self.values)))]


Params = Mapping[str, Any]


@dataclass(frozen=True)
class Space:
    """What is varied round a variant: `dims` by name, `of` the knob that each belongs to, `sizes` of a deck's tiles."""

    base: Variant
    dims: Mapping[str, Whole | Choice]
    of: Mapping[str, str]
    values: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # of choices by their texts
    sizes: tuple[int, ...] = ()

    @property
    def knobs(self) -> list[str]:
        return list(dict.fromkeys(self.of.values()))

    @property
    def points(self) -> int:
        """How many settings there are."""
        found = 1
        for dim in self.dims.values():
            found *= len(dim.values)
        return found

    @property
    def words(self) -> list[str]:
        """A line a knob."""
        deck = [name for name in self.dims if ":" in name]
        return [f"{name}: {dim.words}" for name, dim in self.dims.items() if name not in deck] + [
            f"{name}: {self.dims[name].words}{' tenths' if name in self.shares else ''}" for name in deck
        ]

    @property
    def shares(self) -> list[str]:
        """The dims that are tenths of a deck."""
        knobs = {d.name for d in self.base.rules.DECLARED if isinstance(d, DeckKnob)}
        return [name for name, knob in self.of.items() if knob in knobs and name != knob]

    @property
    def home(self) -> dict[str, Any]:
        """The settings round which all is varied, as far as they lie in the space: of a deck the nearest make-up."""
        found: dict[str, Any] = make_up(self)
        for name, dim in self.dims.items():
            knob = self.of[name]
            value = self.base[knob]
            if name in self.shares:
                continue
            if name != knob:
                value = getattr(value, name.partition(":")[2])
            elif name in self.values:
                value = next((text for text, v in self.values[name].items() if v == value), None)
            if value in dim.values:
                found[name] = value
        return found

    def variant(self, params: Params) -> Variant:
        """The variant of some settings; `Unfit` if the rules refuse it."""
        try:
            return self.base.but(**self.settings(params))
        except Refused as error:
            told = ", ".join(f"{name}={value}" for name, value in params.items())
            raise Unfit(f"{told}: {error}") from None

    def settings(self, params: Params) -> dict[str, Any]:
        """Settings as a variant takes them."""
        settings: dict[str, Any] = {}
        for name, value in params.items():
            knob = self.of[name]
            if name in self.shares:
                continue
            if name != knob:
                tiles = settings.setdefault(knob, self.base[knob]._asdict())
                tiles[name.partition(":")[2]] = value
            else:
                settings[knob] = self.values[name][value] if name in self.values else value
        if self.sizes:
            knob = next(self.of[name] for name in self.shares)
            settings[knob] = composed(self.sizes, self.base[knob].total, params, knob)
        return settings

    def changed(self, variant: Variant) -> list[str]:
        """The knobs in which a variant differs from the one round which all is varied."""
        return [knob for knob in self.knobs if variant[knob] != self.base[knob]]

    def draws(self, number: int, seed: int) -> list[dict[str, Any]]:
        """Settings to begin with: numbers spread evenly (a Latin hypercube), readings mostly as they are.

        A game with half of its sentences read otherwise tells little of the one that is asked about, so each reading
        is changed with probability CHANGED.
        """
        from scipy.stats import qmc

        spread = qmc.LatinHypercube(d=len(self.dims), rng=np.random.default_rng([seed, 0])).random(number)
        luck = np.random.default_rng([seed, 1]).random((number, len(self.dims)))
        readings = {d.name for d in self.base.rules.DECLARED if isinstance(d, Reading)}
        home, found = self.home, []
        for row, drawn in zip(spread, luck, strict=True):
            params = {name: dim.at(u) for (name, dim), u in zip(self.dims.items(), row, strict=True)}
            kept = [n for n, u in zip(self.dims, drawn, strict=True) if n in readings and n in home and u > CHANGED]
            found.append({**params, **{name: home[name] for name in kept}})
        return found


# --- Decks --------------------------------------------------------------------------------------------------------


def make_up(space: Space) -> dict[str, int]:
    """The dims of the make-up that is nearest to the deck of a space's variant."""
    if not space.sizes:
        return {}
    knob = next(space.of[name] for name in space.shares)
    deck: Deck = space.base[knob]
    by_size = {size: sum(n for tile, n in deck.items() if sum(tile_counts(tile)) == size) for size in space.sizes}
    found, left = {}, sum(by_size.values())
    for size in space.sizes[:-1]:
        found[f"{knob}:{size}"] = round(TENTHS * by_size[size] / left) if left else 0
        left -= by_size[size]
    large = {tile: n for tile, n in deck.items() if sum(tile_counts(tile)) > 1}
    pure = sum(n for tile, n in large.items() if len(set(tile)) == 1)
    found[f"{knob}:pure"] = round(TENTHS * pure / sum(large.values())) if large else 0
    return found


def composed(sizes: Sequence[int], total: int, params: Params, knob: str) -> Deck:
    """The deck of a make-up: each size takes its tenths of the tiles that smaller ones leave, the largest the rest."""
    counts, left = {}, total
    for size in sizes[:-1]:
        counts[size] = round(left * params[f"{knob}:{size}"] / TENTHS)
        left -= counts[size]
    counts[sizes[-1]] = left
    return make_deck(counts, params[f"{knob}:pure"] / TENTHS)


# --- Reading what may be varied -----------------------------------------------------------------------------------

Knobs = str | Iterable[str] | Mapping[str, Any] | None


def read_space(base: Variant, knobs: Knobs = None) -> Space:
    """What may be varied round a variant.

    `knobs` is text such as `supply=3..20,side=3;4,deck`, names, or a mapping of names to a `range`, values, or None for the
    usual range; `deck=1..4` gives the sizes of its tiles, `deck=threes;pure` whole decks. Without it see above.
    """
    declared = {d.name: d for d in base.rules.DECLARED}
    asked = usual(base) if knobs is None else asked_for(base, knobs)
    dims: dict[str, Whole | Choice] = {}
    of: dict[str, str] = {}
    values: dict[str, dict[str, Any]] = {}
    sizes: tuple[int, ...] = ()
    for name, wanted in asked.items():
        if name not in declared:
            raise Refused(
                f"knobs: {base.game} has no knob or reading {name!r}; it has {', '.join(declared)}"
                f"{did_you_mean(name, declared)}"
            )
        d = declared[name]
        try:
            if isinstance(d, DeckKnob) and (wanted is None or isinstance(wanted, range)):
                sizes = sizes_of(base[name], wanted)
                found: dict[str, Any] = {f"{name}:{size}": Whole(0, TENTHS) for size in sizes[:-1]}
                found[f"{name}:pure"] = Whole(0, TENTHS)
            elif isinstance(d, TileSet) and (wanted is None or isinstance(wanted, range)):
                found = {
                    f"{name}:{kind}": whole_of(wanted, d.low, d.high) if wanted else around(n, d.low, d.high, d.low)
                    for kind, n in base[name]._asdict().items()
                    if n
                }
            elif isinstance(wanted, range):
                if isinstance(d, Reading):
                    raise Refused(f"a reading has options and no range; one or more of {d.range_text()}")
                found = {name: whole_of(wanted, d.low, highest(base, d, asked))}
            elif wanted is None and isinstance(d, (Number, ByElement)):
                value = base[name]
                if isinstance(value, tuple):
                    raise Refused(
                        f"it is {d.text(value)}; give the values that are to be tried, {name}=9;12;{d.text(value)}"
                    )
                found = {name: around(value, d.low, highest(base, d, asked), max(d.low, 1))}
            else:
                options = d.options if wanted is None else wanted  # type: ignore[union-attr]
                values[name] = {d.text(v): v for v in map(d.read, options)}
                if len(values[name]) < 2:
                    raise Refused("one value leaves nothing to search; --set (a variant of your own) gives it")
                found = {name: Choice(tuple(values[name]))}
        except Refused as error:
            raise Refused(f"knobs: {name}: {error}") from None
        dims |= found
        of |= dict.fromkeys(found, name)
    if not dims:
        raise Refused("knobs: nothing is left to vary; name a knob or reading")
    return Space(base, dims, of, values, sizes)


def usual(base: Variant) -> dict[str, None]:
    """The numbers and readings that are searched where nothing is named."""
    found: dict[str, None] = {}
    for d in base.rules.DECLARED:
        if isinstance(d, Reading):
            matters = len({base.but(**{d.name: option}).packed.tobytes() for option in d.options}) > 1
        elif isinstance(d, (Number, ByElement)):
            matters = d.low != d.high and d.clause != NO_RULE and d.name != "players"
        else:
            matters = False
        if matters and d.name not in base.differing:
            found[d.name] = None
    return found


def asked_for(base: Variant, knobs: Knobs) -> dict[str, Any]:
    """What is wanted of each knob that is named: a range, values, or None for what is usual."""
    if isinstance(knobs, str):
        return from_text(base, knobs)
    if isinstance(knobs, Mapping):
        told: dict[str, Any] = {}
        for name, wanted in knobs.items():
            if isinstance(wanted, str):
                told |= from_text(base, f"{name}={wanted}")
            elif wanted is None or isinstance(wanted, (range, list, tuple)):
                told[name] = wanted
            else:
                raise Refused(f"knobs: {name}: {wanted!r}; a range, a list of values, text such as '3..20', or None")
        return told
    if isinstance(knobs, Iterable):
        names = list(knobs)
        if all(isinstance(name, str) for name in names):
            return dict.fromkeys(names)
    raise Refused(f"knobs={knobs!r}: text such as 'supply=3..20,side', names, or a mapping is needed")


def from_text(base: Variant, text: str) -> dict[str, Any]:
    """The knobs that a text names, such as `supply=3..20,side=3;4,deck`.

    A comma begins another knob only before a name with `=` or `,` or nothing behind it, for values may hold commas.
    """
    told: dict[str, Any] = {}
    for part in re.split(r",(?=\s*[A-Za-z_]\w*\s*(?:=|,|$))", text):
        name, equals, wanted = (piece.strip() for piece in part.partition("="))
        if not name or (equals and not wanted):
            raise Refused(f"knobs {text!r}: {part.strip()!r} is not written NAME, NAME=LOW..HIGH or NAME=VALUE;VALUE")
        if name in told:
            raise Refused(f"knobs {text!r}: {name} stands there twice")
        steps = RANGE.fullmatch(wanted.replace(" ", ""))
        if steps:
            low, high, step = int(steps[1]), int(steps[2]), int(steps[3] or 1)
            told[name] = range(low, high + 1, max(step, 1))
        elif ".." in wanted:
            raise Refused(f"knobs {text!r}: a range is written LOW..HIGH or LOW..HIGH:STEP, in whole numbers")
        elif wanted:
            told[name] = [parse_settings(base.rules, {name: v.strip()})[name] for v in wanted.split(";") if v.strip()]
        else:
            told[name] = None
    return told


def highest(base: Variant, d: Any, asked: Mapping[str, Any]) -> int:
    """The most that a knob may be; where another knob says so, the most that this one may become."""
    if not isinstance(d.high, str):
        return d.high
    other = next(o for o in base.rules.DECLARED if o.name == d.high)
    if d.high not in asked:
        return base[d.high]
    wanted = asked[d.high]
    if wanted is None:
        return around(base[d.high], other.low, other.high, other.low).high
    return max(wanted)


def around(value: int, low: int, high: int, least: int) -> Whole:
    """From a third of a value to twice that, two steps each way at least, as far as the rules allow."""
    start, end = max(low, least, min(value // 3, value - 2)), min(high, max(2 * value, value + 2))
    if start >= end:
        raise Refused(f"the rules leave nothing but {value}")
    return Whole(min(start, value), end, log=value >= LOGARITHMIC)


def whole_of(wanted: range, low: int, high: int) -> Whole:
    """A range as it was asked for, refused beyond what the rules allow."""
    if not len(wanted) or wanted.step < 1:
        raise Refused("the range is empty; written LOW..HIGH, the lower end first")
    if wanted[0] < low or wanted[-1] > high:
        raise Refused(f"{wanted[0]}..{wanted[-1]} goes beyond what the rules allow, {low}..{high}")
    if len(wanted) < 2:
        raise Refused("one value leaves nothing to search; --set (a variant of your own) gives it")
    return Whole(wanted[0], wanted[-1], wanted.step)


def sizes_of(deck: Deck, wanted: range | None) -> tuple[int, ...]:
    """The sizes of tiles that a deck is made of: those it has and the ones between, 1 to 3 at least."""
    if wanted is None:
        own = [sum(tile_counts(tile)) for tile in deck]
        wanted = range(min(1, *own), max(3, *own) + 1)
    if len(wanted) < 1 or wanted[0] < 0 or wanted[-1] > LARGEST_TILE:
        raise Refused(f"sizes of tiles go from 0 to {LARGEST_TILE}, such as 1..3")
    return tuple(wanted)

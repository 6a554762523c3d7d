"""Elements, world tiles and decks: what A Rift of Portals and Cosmic Alignments are played with."""

import csv
import hashlib
import io
import numbers
import os
import re
from collections.abc import Iterable, Mapping
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

from tkg.rules.errors import Refused, did_you_mean
from tkg.rules.numbers import whole

ELEMENTS = "FWAE"
ELEMENT_NAMES = ("fire", "water", "air", "earth")
BARE = "-"  # how a tile without insignias is written
MOST_OF_ONE = 9  # insignias of one element on a tile
MOST_COPIES = 200
MOST_TILES = 200
HEADER = ("tile", "copies")


def tile_text(counts: Iterable[int]) -> str:
    """A tile's insignias in element order: `FFW`; `-` for none."""
    return "".join(e * n for e, n in zip(ELEMENTS, counts, strict=True)) or BARE


def tile_counts(tile: str) -> tuple[int, int, int, int]:
    """How many insignias of each element, in element order. Refuses any spelling but the canonical one."""
    counts = tuple(tile.count(e) for e in ELEMENTS)
    right = tile_text(counts)
    if tile == right:
        if max(counts) > MOST_OF_ONE:
            raise Refused(f"tile {tile!r}: at most {MOST_OF_ONE} insignias of one element")
        return counts  # type: ignore[return-value]
    upper = tile.upper()
    better = tile_text(upper.count(e) for e in ELEMENTS)
    if len(better) == len(upper) and upper.strip(ELEMENTS) == "":
        raise Refused(f"tile {tile!r}: written {better}, elements in the order {ELEMENTS}")
    raise Refused(f"tile {tile!r}: a tile is written with the letters {ELEMENTS}, or as {BARE} without insignias")


def tile_order(tile: str) -> tuple[int, tuple[int, ...]]:
    """Small tiles first, then element order."""
    return sum(tile_counts(tile)), tuple(-n for n in tile_counts(tile))


class Deck(Mapping[str, int]):
    """How many copies of each tile: frozen, compared and hashed by its counts, whatever its name.

    Tiles come in canonical order (fewest insignias first, then element order); tiles without copies are left out.
    """

    def __init__(self, counts: Mapping[str, int], name: str = "own"):
        if not isinstance(counts, Mapping):
            raise Refused(f"a deck is a name, a file or counts by tile such as {{'FW': 2}}, not {counts!r}")
        checked = {}
        for tile, copies in counts.items():
            if not isinstance(tile, str):
                raise Refused(f"deck: {tile!r} is no tile; a tile is text such as 'FW'")
            tile_counts(tile)
            number = whole(copies)
            if number is None or not 0 <= number <= MOST_COPIES:
                raise Refused(f"deck: {copies!r} copies of {tile}; a whole number from 0 to {MOST_COPIES} is needed")
            checked[tile] = number
        self._counts = {t: checked[t] for t in sorted(checked, key=tile_order) if checked[t]}
        self.name = re.sub(r"[^\w.-]+", "_", name) or "own"
        if self.total > MOST_TILES:
            raise Refused(f"deck {name}: {self.total} tiles; at most {MOST_TILES}")
        KNOWN[self.label] = self

    def __getitem__(self, tile: str) -> int:
        return self._counts[tile]

    def __iter__(self):
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deck) and self._counts == other._counts

    def __hash__(self) -> int:
        return hash(tuple(self._counts.items()))

    def __reduce__(self) -> Any:
        return Deck, (self._counts, self.name)

    def __repr__(self) -> str:
        return f"<deck {self.label}: {self.total} tiles, {self.insignias} insignias>"

    @property
    def total(self) -> int:
        """Tiles in all."""
        return sum(self._counts.values())

    @property
    def insignias(self) -> int:
        """Insignias in all."""
        return sum(sum(tile_counts(t)) * n for t, n in self.items())

    @property
    def by_element(self) -> tuple[int, ...]:
        """Insignias of each element, in element order."""
        return tuple(sum(tile_counts(t)[e] * n for t, n in self.items()) for e in range(4))

    @property
    def digest(self) -> str:
        """Eight hex digits of the content."""
        return hashlib.sha256(repr(list(self._counts.items())).encode()).hexdigest()[:8]

    @property
    def label(self) -> str:
        """The name, with `#` and the digest unless the content is that of the shipped deck of this name."""
        if SHIPPED.get(self.name) == self.digest:
            return self.name
        return f"{self.name}#{self.digest}"

    @property
    def is_reference(self) -> bool:
        """Whether this is the stand-in for the published deck, told by content."""
        return self.digest == SHIPPED["reference"]

    def csv(self) -> str:
        """The deck as the text of a deck file."""
        return "\n".join([",".join(HEADER), *(f"{t},{n}" for t, n in self.items())]) + "\n"

    def save(self, path: str | Path, force: bool = False) -> Path:
        """Write the deck file; an existing one is refused without `force`."""
        path = Path(path)
        if path.exists() and not force:
            raise Refused(f"{path} exists; force=True replaces it")
        path.write_text(self.csv(), encoding="utf-8")
        return path

    def grown(self, tiles: int) -> "Deck":
        """A deck of `tiles` tiles in the same proportions as this one, as nearly as whole copies allow.

        Largest remainders, ties in canonical order: growing by a whole factor multiplies every count.
        """
        wanted = whole(tiles)
        if wanted is None or not 1 <= wanted <= MOST_TILES:
            raise Refused(f"tiles={tiles!r}: a deck has 1 to {MOST_TILES} tiles")
        if not self.total:
            raise Refused(f"deck {self.name} has no tiles to grow from")
        counts = {t: n * wanted // self.total for t, n in self.items()}
        rest = sorted(counts, key=lambda t: (-(self[t] * wanted % self.total), tile_order(t)))
        for t in rest[: wanted - sum(counts.values())]:
            counts[t] += 1
        return self if counts == self._counts else Deck(counts, f"{self.name}_{wanted}")


# Decks that this process has met, by label: how a variant's string finds a deck that is in no folder.
KNOWN: dict[str, Deck] = {}

# Digests of the shipped decks, so that a changed file shows in every variant's string. A test compares them.
SHIPPED = {
    "reference": "8c2dfdc5",
    "threes": "993beda0",
    "one_to_four": "f0a9388c",
    "pure": "7031dca0",
    "pairs": "00b9c188",
    "scarce_fire": "671fc50e",
}


def read_deck(text: str, name: str) -> Deck:
    """A deck from the text of a deck file: a line `tile,copies`, then a line a tile; blank lines are skipped."""
    counts: dict[str, int] = {}
    rows = csv.reader(io.StringIO(text.removeprefix("\ufeff")))
    header: list[str] | None = None
    while (row := next_row(rows, name)) is not None:
        where = f"deck {name}, line {rows.line_num}"
        if not row or not any(field.strip() for field in row):
            continue
        if header is None:
            header = row
            if tuple(row) != HEADER:
                comma = ", with a comma between the columns" if ";" in row[0] or "\t" in row[0] else ""
                raise Refused(f"{where}: the header is {','.join(row)[:60]!r}; it must be exactly 'tile,copies'{comma}")
            continue
        if len(row) != 2:
            raise Refused(
                f"{where}: {len(row)} column{'s'[: len(row) != 1]}; a row is a tile and its copies, such as FW,2"
            )
        tile, copies = row
        try:
            tile_counts(tile)
        except Refused as error:
            raise Refused(f"{where}: {error}") from None
        if tile in counts:
            raise Refused(f"{where}: tile {tile} stands in an earlier line too; give each tile once")
        if not re.fullmatch("[0-9]{1,9}", copies) or int(copies) > MOST_COPIES:
            raise Refused(f"{where}: {copies[:20]!r} copies; a whole number from 0 to {MOST_COPIES} is needed")
        counts[tile] = int(copies)
        if sum(counts.values()) > MOST_TILES:
            raise Refused(f"{where}: more than {MOST_TILES} tiles in all")
    if header is None:
        raise Refused(f"deck {name}: the file is empty; its first line must be 'tile,copies'")
    return Deck(counts, name)


def next_row(rows: Any, name: str) -> list[str] | None:
    """The next row of a deck file, None after the last."""
    try:
        return next(rows, None)
    except csv.Error as error:
        raise Refused(f"deck {name}, line {rows.line_num}: {error}") from None


def deck_folders() -> list[Path]:
    """Where decks lie: `decks` in the folder where TKG_DATA points, if it is set, then the shipped ones beside the package."""
    own = os.environ.get("TKG_DATA")
    shipped = Path(__file__).resolve().parents[2] / "data"
    return [Path(folder) / "decks" for folder in ([own] if own else []) + [shipped]]  # type: ignore[arg-type]


def deck_names() -> list[str]:
    """The decks that can be given by name, the reference first."""
    names = {path.stem for folder in deck_folders() for path in folder.glob("*.csv")}
    return sorted(names, key=lambda name: (name != "reference", name))


def load_deck(deck: "str | Path | Mapping[str, int]") -> Deck:
    """A deck by the name of a file in `data/decks`, by the path of a file, by label, or from counts by tile."""
    if isinstance(deck, Deck):
        return deck
    if isinstance(deck, Mapping):
        return known_as(Deck(deck))
    text = os.fspath(deck) if isinstance(deck, (str, Path)) else ""
    if not text:
        raise Refused(f"deck {deck!r}: a deck is a name, a path or counts by tile such as {{'FW': 2}}")
    name, _, digest = text.partition("#")
    if digest and text in KNOWN:
        return KNOWN[text]
    if "/" in text or os.sep in text or text.endswith(".csv"):
        paths = [Path(text)]
    else:
        paths = [folder / f"{name}.csv" for folder in deck_folders()]
    try:
        path = next((path for path in paths if path.is_file()), paths[-1])
        found = read_deck(path.read_text(encoding="utf-8"), path.stem)
    except UnicodeDecodeError:
        raise Refused(f"deck {text[:60]!r}: {path} is not UTF-8 text") from None
    except Refused:
        raise
    except (OSError, ValueError):
        kept = "; the decks of a run are in its file, which tkg.read_runs knows" if digest else ""
        raise Refused(
            f"deck {text[:60]!r}: no such deck; there are {', '.join(deck_names()) or 'none'} in "
            f"{' and '.join(map(str, deck_folders()))}, and any CSV file can be given by its path"
            f"{kept}{did_you_mean(name, deck_names())}"
        ) from None
    if digest and found.digest != digest:
        raise Refused(
            f"deck {text!r}: {path} has changed, it is {found.label} now; the run's own file holds the old counts"
        )
    return found


def known_as(deck: Deck) -> Deck:
    """The shipped deck of the same content, if there is one."""
    for name, digest in SHIPPED.items():
        if deck.digest == digest:
            return Deck(deck, name)
    return deck


def make_deck(sizes: Mapping[int, int], purity: float | None = None, name: str = "made") -> Deck:
    """A deck from counts by size, such as `make_deck({1: 8, 2: 20, 3: 20}, purity=0.5)`.

    `sizes` tells how many tiles bear 0, 1, 2 ... 9 insignias. `purity` is the share of the tiles of two and more
    insignias whose insignias are all of one element (0 to 1); without it every multiset of elements is as likely as
    any other. The tiles of a size are spread as evenly as whole copies allow; what is left over goes one by one to the
    tile whose elements are rarest so far, ties in canonical order.
    """
    if not isinstance(sizes, Mapping) or not sizes:
        raise Refused(f"sizes={sizes!r}: give tiles by number of insignias, such as {{1: 8, 2: 20, 3: 20}}")
    if purity is not None and (not isinstance(purity, numbers.Real) or not 0 <= purity <= 1):
        raise Refused(f"purity={purity!r}: a share from 0 to 1")
    counts: dict[str, int] = {}
    for size, tiles in sizes.items():
        n, k = whole(tiles), whole(size)
        if k is None or not 0 <= k <= MOST_OF_ONE:
            raise Refused(f"sizes: {size!r} insignias; a whole number from 0 to {MOST_OF_ONE}")
        if n is None or n < 0:
            raise Refused(f"sizes: {tiles!r} tiles of {k}; a whole number from 0 is needed")
        kinds = [tile_text(c.count(e) for e in ELEMENTS) for c in combinations_with_replacement(ELEMENTS, k)]
        pure = [t for t in kinds if len(set(t)) == 1]
        mixed = [t for t in kinds if len(set(t)) > 1]
        if purity is None or not mixed:
            spread(counts, kinds, n)
        else:
            spread(counts, pure, round(n * purity))
            spread(counts, mixed, n - round(n * purity))
    return Deck(counts, name)


def spread(counts: dict[str, int], kinds: list[str], n: int) -> None:
    """Share `n` copies evenly; the remainder goes, one by one, to the tile whose elements are rarest so far."""
    for tile in kinds:
        counts[tile] = counts.get(tile, 0) + n // len(kinds)
    rest = sorted(kinds, key=tile_order)
    for _ in range(n % len(kinds)):
        seen = [sum(tile_counts(t)[e] * c for t, c in counts.items()) for e in range(4)]
        tile = min(
            rest, key=lambda t: sum(seen[e] * x for e, x in enumerate(tile_counts(t))) / max(1, sum(tile_counts(t)))
        )
        counts[tile] += 1
        rest.remove(tile)

"""A deck of world tiles put together by hand, its totals beside it, and saved as a deck file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import ipywidgets as widgets
import traitlets

from tkg.draw.shapes import DARK, LIGHT
from tkg.files import whole_file
from tkg.metrics.words import percent
from tkg.rules.errors import Refused
from tkg.rules.tiles import (
    ELEMENT_NAMES,
    ELEMENTS,
    MOST_COPIES,
    Deck,
    deck_folders,
    deck_names,
    known_as,
    load_deck,
    make_deck,
    tile_counts,
    tile_order,
    tile_text,
)

ALWAYS = [
    tile_text(kind.count(e) for e in ELEMENTS)
    for size in (1, 2, 3)
    for kind in combinations_with_replacement(ELEMENTS, size)
]
OWN = "counts of your own"  # what the list of decks says of a deck that is not in it
NUMBER, LETTER = 52, 12  # pixels of a field, and of a letter beside it
COLOURS = f"""<style>.tkg-deck{{{LIGHT}}}
body[data-jp-theme-light="false"] .tkg-deck{{{DARK}}}
@media (prefers-color-scheme:dark){{body:not([data-jp-theme-light]) .tkg-deck{{{DARK}}}}}
.tkg-deck{{line-height:1.35}}.tkg-deck td{{padding:1px 8px 1px 0;white-space:nowrap}}
.tkg-deck i{{display:block;height:10px;border-radius:2px;min-width:1px}}
.tkg-deck .n{{text-align:right;font-variant-numeric:tabular-nums}}</style>"""


class DeckEditor(widgets.VBox):
    """A field for the copies of every tile, totals that follow, and ways to begin, to fill and to save.

    `value` is the deck, a trait that can be observed; what is refused leaves it as it was. A deck of the same counts
    under another name is no change. `failure` says what was refused last, and is empty after something went well.
    """

    value = traitlets.Instance(Deck)

    def __init__(
        self,
        deck: str | Path | Mapping[str, int] = "reference",
        name: str = "my_deck",
        folder: str | Path | None = None,
    ):
        start = load_deck(deck)
        self.folder = deck_folders()[0] if folder is None else Path(folder)
        self.failure = ""
        self.fields: dict[str, Any] = {}
        self._filling = False
        narrow, own_width = {"width": "auto"}, {"description_width": "initial"}
        self.decks = widgets.Dropdown(description="Start from", style=own_width, layout={"width": "230px"})
        self.sizes = widgets.Text(
            description="Tiles by size",
            placeholder="1:8, 2:20, 3:20",
            tooltip="number of insignias : tiles that bear as many",
            style=own_width,
            layout={"width": "250px"},
        )
        self.has_purity = widgets.Checkbox(
            description="set purity",
            tooltip="Set the share of the tiles of two and more insignias whose insignias are all of one element",
            indent=False,
            layout={"width": "95px"},
        )
        self.purity = widgets.FloatSlider(
            0.3, min=0, max=1, step=0.05, readout_format=".0%", disabled=True, layout={"width": "160px"}
        )
        self.make_button = widgets.Button(description="Make", icon="magic", layout=narrow)
        self.tile = widgets.Text(
            description="Another tile", placeholder="FFWA", style=own_width, layout={"width": "170px"}
        )
        self.add_button = widgets.Button(description="Add", icon="plus", layout=narrow)
        self.name = widgets.Text(name, description="Name", style=own_width, layout={"width": "230px"})
        self.replace = widgets.Checkbox(description="replace", indent=False, layout={"width": "80px"})
        self.save_button = widgets.Button(description="Save deck", icon="save", button_style="primary", layout=narrow)
        self.table, self.totals, self.says = widgets.VBox(), widgets.HTML(), widgets.HTML()
        super().__init__(layout={"max_width": "1000px"})
        self.children = [
            row(self.decks, self.sizes, self.has_purity, self.purity, self.make_button),
            self.table,
            row(self.tile, self.add_button),
            self.totals,
            row(self.name, self.replace, self.save_button),
            self.says,
        ]
        self.sizes.value = sizes_text(start)
        self.fill(start)
        self.decks.observe(lambda _: self._begin(), "value")
        self.has_purity.observe(lambda change: setattr(self.purity, "disabled", not change["new"]), "value")
        self.make_button.on_click(lambda _: self.make())
        self.add_button.on_click(lambda _: self.add())
        self.name.observe(lambda _: self._read(), "value")
        self.save_button.on_click(lambda _: self.save())

    def fill(self, deck: Mapping[str, int]) -> None:
        """Show the counts of a deck in the fields, and make it the value. Tiles of more insignias have fields if the deck has them."""
        self._filling = True
        wanted = sorted({*ALWAYS, *deck}, key=tile_order)
        self.fields = {tile: self.fields.get(tile) or self._field(tile) for tile in wanted}
        for tile, field in self.fields.items():
            field.value = deck.get(tile, 0)
        self._filling = False
        self._lay_out()
        self._read()

    def add(self) -> None:
        """Give the tile whose letters were typed a field, with one copy to begin with."""
        tile = self.tile.value.strip()
        try:
            tile_counts(tile)
            if tile in self.fields:
                raise Refused(f"tile {tile!r}: there is a field for it above")
        except Refused as error:
            self._refuse(error)
            return
        self.tile.value = ""
        self.fill({**{t: field.value for t, field in self.fields.items()}, tile: 1})

    def make(self) -> None:
        """Fill the fields by `tkg.make_deck`, from the sizes and the purity that were set."""
        try:
            self.fill(make_deck(read_sizes(self.sizes.value), self.purity.value if self.has_purity.value else None))
        except Refused as error:
            self._refuse(error)

    def save(self) -> Path | None:
        """Write the deck file and return its path; None if it was refused."""
        name = self.name.value.strip()
        path = self.folder / f"{name}.csv"
        try:
            deck = self._deck()
            if not re.fullmatch(r"\w[\w.-]*", name) or name.endswith(".csv"):
                raise Refused(f"name {name!r}: letters, digits, - and _ are needed, such as my_deck")
            if path.exists() and not self.replace.value:
                raise Refused(f"{path} is there already; tick 'replace', or choose another name")
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise Refused(f"{self.folder} cannot be made: {error.strerror}") from None
            with whole_file(path, force=True) as part:
                part.write_text(deck.csv(), encoding="utf-8")
        except Refused as error:
            self._refuse(error)
            return None
        self.replace.value = False
        self._read()
        self.says.value = f"written: {escape(str(path))}"
        return path

    def _field(self, tile: str) -> Any:
        letters = "".join(f'<b style="color:var(--{e})">{e}</b>' if e in ELEMENTS else e for e in tile)
        field = widgets.BoundedIntText(
            min=0,
            max=MOST_COPIES,
            description=f'<span class="tkg-deck" style="font-size:{LETTER}px">{letters}</span>',
            description_allow_html=True,
            tooltip=f"copies of {tile}",
            style={"description_width": f"{label_width(tile)}px"},
            layout={"width": f"{label_width(tile) + NUMBER}px", "margin": "1px"},
        )
        field.observe(lambda _: self._read(), "value")
        return field

    def _lay_out(self) -> None:
        """The fields in a block for each number of insignias, as many side by side as there is room for."""
        blocks = []
        for size in sorted({size_of(tile) for tile in self.fields}):
            tiles = [tile for tile in self.fields if size_of(tile) == size]
            column = label_width(tiles[0]) + NUMBER + 2
            blocks.append(
                widgets.GridBox(
                    [self.fields[tile] for tile in tiles],
                    layout={"grid_template_columns": f"repeat(auto-fill, {column}px)", "margin": "2px 0"},
                )
            )
        self.table.children = blocks

    def _deck(self) -> Deck:
        """The deck that the fields say."""
        deck = known_as(Deck({tile: field.value for tile, field in self.fields.items()}, self.name.value.strip()))
        if not deck:
            raise Refused("the deck has no tiles; give at least one")
        return deck

    def _read(self) -> None:
        """Make the value what the fields say, and tell its totals."""
        if self._filling:
            return
        try:
            deck = self._deck()
        except Refused as error:
            self._refuse(error)
            return
        self.failure = self.says.value = ""
        self.totals.value = totals(deck)
        self._list_decks(deck)
        self.value = deck

    def _list_decks(self, deck: Deck) -> None:
        """Offer the decks that there are, and mark the one that has these counts."""
        names = deck_names()
        same = next((name for name in names if content_of(name) == deck), "")
        self._filling = True
        options = [(OWN, ""), *((name, name) for name in names)]
        if options != list(self.decks.options):
            self.decks.options = options
        self.decks.value = same
        self._filling = False

    def _begin(self) -> None:
        if self._filling:
            return
        if not self.decks.value:  # no deck to begin from: the list goes back to what the fields say
            self._list_decks(self.value)
            return
        try:
            deck = load_deck(self.decks.value)
        except Refused as error:
            self._refuse(error)
            return
        self.sizes.value = sizes_text(deck)
        self.fill(deck)

    def _refuse(self, error: Refused) -> None:
        self.failure = str(error)
        self.says.value = f"<b>Refused:</b> {escape(self.failure)}"


def row(*parts: Any) -> widgets.HBox:
    """Controls beside each other, in several lines where there is no room."""
    return widgets.HBox(parts, layout={"flex_flow": "row wrap", "align_items": "center"})


def size_of(tile: str) -> int:
    """How many insignias a tile bears."""
    return sum(tile_counts(tile))


def label_width(tile: str) -> int:
    """Pixels for a tile's letters beside its field: as many for all tiles of a size."""
    return LETTER * max(2, size_of(tile)) + 8


def content_of(name: str) -> Deck | None:
    """A deck by its name, None if its file cannot be read."""
    try:
        return load_deck(name)
    except Refused:
        return None


def by_size(deck: Deck) -> dict[int, int]:
    """Tiles by number of insignias."""
    found: dict[int, int] = {}
    for tile, copies in deck.items():
        found[size_of(tile)] = found.get(size_of(tile), 0) + copies
    return found


def sizes_text(deck: Deck) -> str:
    """`1:8, 2:20, 3:20`."""
    return ", ".join(f"{size}:{tiles}" for size, tiles in by_size(deck).items())


def read_sizes(text: str) -> dict[int, int]:
    """The tiles by number of insignias that `1:8, 2:20, 3:20` writes."""
    found: dict[int, int] = {}
    for part in text.split(","):
        told = re.fullmatch(r"\s*(\d{1,9})\s*:\s*(\d{1,9})\s*", part, re.ASCII)
        if told is None:
            raise Refused(f"tiles by size: {part.strip()[:40]!r} is no size : tiles; such as 1:8, 2:20, 3:20")
        size, tiles = map(int, told.groups())
        if size in found:
            raise Refused(f"tiles by size: size {size} stands there twice")
        found[size] = tiles
    return found


def totals(deck: Deck) -> str:
    """The totals of a deck as HTML: in words, insignias by element and tiles by size as bars."""
    large = {tile: n for tile, n in deck.items() if size_of(tile) > 1}
    pure = sum(n for tile, n in large.items() if len(set(tile)) == 1)
    told = [f"<b>{deck.total}</b> tiles", f"<b>{deck.insignias}</b> insignias"]
    told.append(f"{deck.insignias / deck.total:.2f} a tile")
    if large:
        told.append(f"purity {percent(pure / sum(large.values()))}")
    elements = [
        (f"{name} ({letter})", n, f"var(--{letter})")
        for name, letter, n in zip(ELEMENT_NAMES, ELEMENTS, deck.by_element, strict=True)
    ]
    sizes = [(f"{size} insignia{'s' * (size != 1)}", n, "var(--soft)") for size, n in by_size(deck).items()]
    return (
        f'{COLOURS}<div class="tkg-deck"><div>{" · ".join(told)}</div>'
        f'<div style="display:flex;flex-wrap:wrap;gap:4px 40px">'
        f"{bars('Insignias by element', elements)}{bars('Tiles by size', sizes)}</div></div>"
    )


def bars(title: str, rows: list[tuple[str, int, str]]) -> str:
    """A small table with a bar for each (name, number, colour), the longest as long as the column."""
    most, whole = max(1, *(n for _, n, _ in rows)), max(1, sum(n for _, n, _ in rows))
    lines = [
        f'<tr><td>{name}</td><td class="n"><b>{n}</b></td><td class="n">{percent(n / whole)}</td>'
        f'<td style="width:150px"><i style="width:{100 * n / most:.0f}%;background:{colour}"></i></td></tr>'
        for name, n, colour in rows
    ]
    return f"<div><div><b>{title}</b></div><table>{''.join(lines)}</table></div>"


def deck_editor(
    deck: str | Path | Mapping[str, int] = "reference",
    name: str = "my_deck",
    folder: str | Path | None = None,
) -> DeckEditor:
    """A panel that puts a deck together: copies by tile, totals by element and size, from an existing deck or from sizes.

    `deck` is what it begins with: a name, the path of a deck file, or counts by tile. **Save** writes `name` as a deck file to
    `folder`, by default where decks are found by name. `value` is the deck, so that `tkg.tryout` takes the panel as
    the control of a knob. Refuses (`Refused`) a deck that there is not.

        >>> editor = tkg.deck_editor("threes", name="fewer_fires")
        >>> tkg.tryout(ask, tkg.rift(), {"deck": editor}, stem="out/deck")
        >>> tkg.rift(deck=editor.value)
    """
    return DeckEditor(deck, name, folder)

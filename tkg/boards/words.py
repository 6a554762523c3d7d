"""Words that boards share."""

from __future__ import annotations

from tkg.rules.tiles import BARE, ELEMENT_NAMES, ELEMENTS


def counted(number: int, thing: str) -> str:
    """`1 tile`, `2 tiles`, `no tiles`."""
    return f"{number or 'no'} {thing}{'' if number == 1 else 's'}"


def tile_words(tile: str | None) -> str:
    """A tile's insignias as a screen reader says them: `2 fire, 1 earth`."""
    if tile is None:
        return "face down"
    if tile == BARE:
        return "no insignia"
    names = dict(zip(ELEMENTS, ELEMENT_NAMES, strict=True))
    return ", ".join(f"{tile.count(letter)} {names[letter]}" for letter in dict.fromkeys(tile))

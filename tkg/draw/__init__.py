"""Pictures of a position: a view of a game (plain data) in, SVG or plain text out. Knows no notebook."""

from importlib import import_module
from typing import Any

from tkg.draw.shapes import Picture, document


def picture(view: dict[str, Any]) -> Picture:
    """The position as named parts, each with where it can be pointed at: what boards draw."""
    return import_module(f"tkg.draw.{view['game']}").picture(view)


def picture_svg(view: dict[str, Any]) -> str:
    """The position as an SVG document that stands alone, readable in light and dark."""
    return document(picture(view))


def picture_text(view: dict[str, Any]) -> str:
    """The position as plain text for a terminal."""
    return import_module(f"tkg.draw.{view['game']}").text(view)

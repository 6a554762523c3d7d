"""Pictures of positions: whole documents that say what the seat may know, in every variant and at every stage."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from playing import amount, played

import tkg
from tkg.draw import picture_svg, picture_text
from tkg.rules import calls
from tkg.rules.games import GAMES, rules_of
from tkg.rules.knobs import Variant

# By game: variants whose pictures differ in size and contents.
VARIANTS = {
    "rift": [
        {},
        {"side": 5, "deck": "one_to_four"},
        {"side": 7, "gate": "empty", "deck": {"-": 100, "F" * 9 + "W" * 9: 50}},
    ],
    "cosmic": [
        {},
        {"players": 4, "side": 5, "layout": "free"},
        {"players": 3, "side": 3, "layout": "dealt", "deck": {"-": 9, "F" * 9: 9}},
    ],
    "umbra": [
        {},
        {"players": 4, "side": 6, "altar": 6, "specials": True},
        {"players": 3, "side": 3, "tiles": "point:9,void:3,block:2,tee:4"},
    ],
}
CASES = [Variant(rules_of(game), **settings) for game in GAMES for settings in VARIANTS[game]]


@pytest.mark.parametrize("variant", CASES, ids=str)
def test_every_position_has_a_picture(variant: Variant) -> None:
    """From the first decision to the end, for every seat: XML with a size and a title that tells the position."""
    game = played(variant, seed=3)
    positions = [game.copy().undo(n) for n in range(0, len(game.actions) + 1, max(1, len(game.actions) // amount(12)))]
    for position in [*positions, tkg.new(variant, 3)]:
        for seat in range(1, variant.seats + 1):
            view = position.view(seat)
            root = ElementTree.fromstring(picture_svg(view))
            assert float(root.attrib["width"]) > 100
            title = root.find("{http://www.w3.org/2000/svg}title")
            assert title is not None
            assert (title.text or "").startswith(str(variant))
            words = picture_text(view)
            assert words
            assert all(cell in words for cell in view["cells"])


@pytest.mark.parametrize(
    ("sums", "marked"),
    [
        ([4, 4, 4, 4], [4, 4, 4, 4]),
        ([5, 7, 5, 5], [5, 5, 5]),
        ([5, 7, 5, 6], [5, 5]),
        ([7, 5, 5, 7], [7, 5, 5, 7]),
        ([1, 2, 3, 4], []),
    ],
)
def test_equal_sums_of_sides_are_marked(sums: list[int], marked: list[int]) -> None:
    """In green, those that the others have to come up or down to."""
    view = {**tkg.new(tkg.rift(), 3).view(), "sides": sums}
    root = ElementTree.fromstring(picture_svg(view))
    svg = "{http://www.w3.org/2000/svg}"
    labels = [text for text in root.iter(f"{svg}text") if text.attrib["class"] in ("g m", "s m")]
    totals = [text for text in labels if (text.text or "").isdecimal()]
    assert [int(text.text or "") for text in totals] == sums
    assert [int(text.text or "") for text in totals if text.attrib["class"] == "g m"] == marked


@pytest.mark.parametrize("variant", CASES, ids=str)
def test_a_picture_keeps_what_is_hidden(variant: Variant) -> None:
    """However the hidden parts are dealt anew, a seat's picture stays the same."""
    game = played(variant, seed=5, actions=30)
    for seat in range(variant.seats):
        pictures = set()
        for key in range(4):
            states = game.states
            calls.hide(states, variant.packed, seat, key)
            pictures.add(picture_svg(variant.rules.view(states[0], variant, seat)))
        assert pictures == {picture_svg(game.view(seat + 1))}

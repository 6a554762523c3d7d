"""Decks: deck files and what is refused in them, the shipped decks, decks made and grown; counts worked by hand."""

import pickle
import re
from itertools import combinations_with_replacement

import pytest

import tkg
from tkg.rules.tiles import SHIPPED

# --- Deck files ---------------------------------------------------------------------------------------------


@pytest.fixture
def deck_file(tmp_path):
    def write(content, name="mine.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize(
    "content",
    [
        "tile,copies\nFW,2\n-,1\nFFE,3\n",
        "tile,copies\nFW,2\n-,1\nFFE,3",  # no line end at the end
        "tile,copies\r\nFW,2\r\n-,1\r\nFFE,3\r\n",
        "\ufefftile,copies\nFW,2\n-,1\nFFE,3\n",  # a byte order mark
        "\n\ntile,copies\n\nFW,2\n  \n-,1\nFFE,3\n\n",
        '"tile","copies"\n"FW","2"\n-,1\nFFE,3\n',
        "tile,copies\nFFE,3\nFW,2\n-,1\nA,0\n",  # any order; no copies of A
    ],
)
def test_deck_file_is_read(deck_file, content):
    deck = tkg.load_deck(deck_file(content))
    assert list(deck.items()) == [("-", 1), ("FW", 2), ("FFE", 3)]
    assert (deck.name, deck.total, deck.insignias) == ("mine", 6, 13)
    assert deck.by_element == (8, 2, 0, 3)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("tile,copies\nF,1\nWF,2\n", "line 3: tile 'WF': written FW"),
        ("tile,copies\n\n\nf,1\n", "line 4: tile 'f': written F"),
        ("tile,copies\nEAWFF,1\n", "line 2: tile 'EAWFF': written FFWAE"),
        ("tile,copies\nFX,1\n", "line 2: tile 'FX': a tile is written with the letters FWAE"),
        ("tile,copies\nF-,1\n", "line 2: tile 'F-'"),
        ("tile,copies\n,1\n", "line 2: tile ''"),
        ("tile,copies\n F,1\n", "line 2: tile ' F'"),
        ("tile,copies\nFFFFFFFFFF,1\n", "line 2: .*at most 9"),
        ("tile,copies\nF,1\nW,1\nF,2\n", "line 4: tile F stands in an earlier line"),
        ("tile,copies\nF,1\nW,1\nF,0\n", "line 4: tile F stands in an earlier line"),
        ("tile,copies\nF,201\n", "line 2: '201' copies; a whole number from 0 to 200"),
        ("tile,copies\nF,-1\n", "line 2: '-1' copies"),
        ("tile,copies\nF,1.5\n", "line 2: '1.5' copies"),
        ("tile,copies\nF,\n", "line 2: '' copies"),
        ("tile,copies\nF,two\n", "line 2: 'two' copies"),
        ("tile,copies\nF,100\nW,100\nA,1\n", "line 4: more than 200 tiles"),
        ("F,1\nW,2\n", "line 1: the header is 'F,1'; it must be exactly 'tile,copies'"),
        ("Tile,Copies\nF,1\n", "line 1: the header is 'Tile,Copies'"),
        ("tile, copies\nF,1\n", "line 1: the header is 'tile, copies'"),
        ("copies,tile\n1,F\n", "line 1: the header is 'copies,tile'"),
        ("tile;copies\nF;1\n", "line 1: the header"),
        ("tile,copies,note\nF,1,x\n", "line 1: the header"),
        ("tile,copies\nF,1,red\n", "line 2: 3 columns"),
        ("tile,copies\nF\n", "line 2: 1 column"),
        ("", "the file is empty"),
        ("\n \n", "the file is empty"),
        ("tile,copies\nF,1\n".encode("utf-16"), "not UTF-8"),
        (b"tile,copies\nF,1\n\xe9,1\n", "not UTF-8"),
        ("tile,copies\n" + "F" * 200_000 + ",1\n", "line 2"),  # more than Python's csv module takes in one field
        ("tile,copies\nF," + "1" * 5000 + "\n", "line 2: .*copies"),  # more digits than Python makes a number of
    ],
)
def test_deck_file_is_refused(deck_file, content, message):
    with pytest.raises(tkg.Refused, match=f"mine.*{message}"):
        tkg.load_deck(deck_file(content))


def test_deck_of_200_tiles_is_the_greatest(deck_file):
    assert tkg.load_deck(deck_file("tile,copies\nF,200\n")).total == 200
    with pytest.raises(tkg.Refused, match="at most 200"):
        tkg.Deck({"F": 200, "W": 1})


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ({"WF": 1}, "written FW"),
        ({"F": 201}, "201 copies of F"),
        ({"F": -1}, "-1 copies"),
        ({"F": 1.5}, "1.5 copies"),
        ({"F": True}, "True copies"),
        ({"F": "2"}, "'2' copies"),
        ({5: 1}, "5 is no tile"),
    ],
)
def test_deck_from_counts_is_refused(counts, message):
    with pytest.raises(tkg.Refused, match=message):
        tkg.load_deck(counts)


@pytest.mark.parametrize("deck", ["nowhere", "nowhere.csv", "", None, 48, "nowhere#00000000", "a\0b", "x" * 5000])
def test_deck_that_is_not_there_is_refused(deck):
    with pytest.raises(tkg.Refused, match="deck"):
        tkg.load_deck(deck)


def test_deck_a_file_saved_is_the_same_deck(deck_file, tmp_path):
    deck = tkg.Deck({"FW": 2, "-": 1.0, "A": 0}, "own")
    path = deck.save(tmp_path / "saved.csv")
    assert path.read_text() == "tile,copies\n-,1\nFW,2\n"
    assert tkg.load_deck(path) == deck
    with pytest.raises(tkg.Refused, match="exists"):
        deck.save(path)
    assert tkg.load_deck(deck.save(path, force=True)) == deck


def test_deck_is_compared_by_content_and_frozen():
    one, other = tkg.Deck({"F": 1, "WE": 2}, "one"), tkg.Deck({"WE": 2, "F": 1, "A": 0}, "other")
    assert one == other
    assert hash(one) == hash(other)
    assert one.digest == other.digest
    assert one.label != other.label
    assert one != tkg.Deck({"F": 2, "WE": 1}, "one")
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(TypeError):
        one["F"] = 3


# --- Shipped decks ------------------------------------------------------------------------------------------


def test_shipped_decks_are_those_in_the_folder():
    assert set(tkg.deck_names()) == set(SHIPPED)
    assert tkg.deck_names()[0] == "reference"


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_deck_has_48_tiles_and_its_digest(name):
    deck = tkg.load_deck(name)
    assert (deck.total, deck.digest, deck.label) == (48, SHIPPED[name], name)


def test_reference_deck():
    """Every multiset of one element twice, of two twice, of three once."""
    deck = tkg.load_deck("reference")
    tiles = {"".join(c): 2 if k < 3 else 1 for k in (1, 2, 3) for c in combinations_with_replacement("FWAE", k)}
    assert dict(deck) == tiles
    assert (len(tiles), deck.total, deck.insignias) == (34, 48, 108)
    assert deck.by_element == (27, 27, 27, 27)


def test_reference_deck_is_told_by_content():
    """It is a stand-in and says so under any name; another deck does not, whatever it is called."""
    reference = tkg.load_deck("reference")
    renamed = tkg.Deck(reference, "mine")
    assert renamed.is_reference
    assert renamed.label == "mine#" + SHIPPED["reference"]
    assert tkg.load_deck(dict(reference)).label == "reference"
    assert "stand-in" in tkg.rift(deck=renamed).notes[0]
    other = tkg.Deck({**reference, "F": 3}, "reference")
    assert not other.is_reference
    assert re.fullmatch(r"reference#[0-9a-f]{8}", other.label)
    assert tkg.rift(deck=other).notes == []


def test_label_of_a_shipped_deck_is_checked():
    assert tkg.load_deck("threes#" + SHIPPED["threes"]) == tkg.load_deck("threes")
    with pytest.raises(tkg.Refused, match="has changed"):
        tkg.load_deck("threes#00000000")


# --- Decks made and grown -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "purity", "counts"),
    [
        ({0: 3, 1: 8}, None, {"-": 3, "F": 2, "W": 2, "A": 2, "E": 2}),
        ({2: 8}, 1, {"FF": 2, "WW": 2, "AA": 2, "EE": 2}),
        ({2: 6}, 0, dict.fromkeys(("FW", "FA", "FE", "WA", "WE", "AE"), 1)),
        ({3: 8}, 0.5, {"FFF": 1, "WWW": 1, "AAA": 1, "EEE": 1}),  # and four of the sixteen mixed ones
        ({1: 4}, 0, {"F": 1, "W": 1, "A": 1, "E": 1}),  # purity is about tiles of two and more
        ({1: 2}, None, {"F": 1, "W": 1}),
    ],
)
def test_make_deck_by_size_and_purity(sizes, purity, counts):
    deck = tkg.make_deck(sizes, purity)
    assert deck.total == sum(sizes.values())
    if purity == 0.5:
        mixed = {tile: n for tile, n in deck.items() if tile not in counts}
        assert all(len(set(tile)) > 1 and len(tile) == 3 for tile in mixed)
        assert list(mixed.values()) == [1] * 4
        assert {tile: deck[tile] for tile in counts} == counts
    else:
        assert dict(deck) == counts


def test_make_deck_makes_the_reference():
    assert tkg.make_deck({1: 8, 2: 20, 3: 20}) == tkg.load_deck("reference")


def test_make_deck_keeps_elements_balanced():
    """Four pure pairs and four mixed ones out of six: four insignias of each element."""
    assert tkg.make_deck({2: 8}, purity=0.5).by_element == (4, 4, 4, 4)


@pytest.mark.parametrize(
    ("sizes", "purity", "message"),
    [
        ({}, None, "sizes"),
        ([8], None, "sizes"),
        ({10: 1}, None, "0 to 9"),
        ({-1: 1}, None, "0 to 9"),
        ({1: -1}, None, "-1 tiles of 1"),
        ({1: 2.5}, None, "2.5 tiles"),
        ({1: 201}, None, "at most 200"),
        ({2: 4}, 1.5, "purity=1.5"),
        ({2: 4}, -0.1, "purity=-0.1"),
        ({2: 4}, "half", "purity="),
    ],
)
def test_make_deck_refuses(sizes, purity, message):
    with pytest.raises(tkg.Refused, match=message):
        tkg.make_deck(sizes, purity)


@pytest.mark.parametrize(
    ("counts", "tiles", "grown"),
    [
        ({"F": 1, "W": 2}, 9, {"F": 3, "W": 6}),
        ({"F": 1, "W": 2}, 3, {"F": 1, "W": 2}),
        ({"F": 1, "W": 2}, 4, {"F": 1, "W": 3}),  # 1.33 and 2.67: the one over goes to W
        ({"F": 1, "W": 1}, 3, {"F": 2, "W": 1}),  # 1.5 each: canonical order
        ({"F": 1, "-": 1}, 3, {"-": 2, "F": 1}),
        ({"F": 4, "W": 1, "A": 1}, 2, {"F": 2}),  # 1.33, 0.33, 0.33: equal remainders, canonical order
        ({"F": 3, "W": 1}, 200, {"F": 150, "W": 50}),
    ],
)
def test_grown_by_largest_remainders(counts, tiles, grown):
    assert dict(tkg.Deck(counts).grown(tiles)) == grown


def test_grown_by_a_whole_factor_multiplies_every_count():
    reference = tkg.load_deck("reference")
    assert dict(reference.grown(96)) == {tile: 2 * n for tile, n in reference.items()}
    assert reference.grown(48).label == "reference"


@pytest.mark.parametrize("tiles", [0, 201, -3, 4.5, True, "9"])
def test_grown_refuses(tiles):
    with pytest.raises(tkg.Refused, match="1 to 200"):
        tkg.load_deck("reference").grown(tiles)

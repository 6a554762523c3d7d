"""A deck editor driven as a person drives it, without a browser."""

import polars as pl
import pytest

import tkg
from tkg import charts


@pytest.fixture
def editor(tmp_path):
    return tkg.deck_editor(folder=tmp_path / "decks")


def test_it_has_a_field_for_every_tile_of_one_to_three_insignias_and_begins_with_the_deck(editor):
    assert len(editor.fields) == 4 + 10 + 20
    assert {tile: field.value for tile, field in editor.fields.items()} == dict(tkg.load_deck("reference"))
    assert editor.value.label == "reference"
    assert (editor.decks.value, editor.sizes.value) == ("reference", "1:8, 2:20, 3:20")


def test_a_deck_of_larger_tiles_has_fields_for_them_too():
    editor = tkg.deck_editor({"FFWAE": 3, "-": 1, "FW": 2})
    assert {"-", "FFWAE"} < set(editor.fields)
    assert editor.value == tkg.Deck({"-": 1, "FW": 2, "FFWAE": 3})
    assert [len(block.children) for block in editor.table.children] == [1, 4, 10, 20, 1]


def test_totals_follow_the_fields():
    editor = tkg.deck_editor({"F": 2, "FF": 1, "FWA": 1})
    told = editor.totals.value
    for words in ("<b>4</b> tiles", "<b>7</b> insignias", "1.75 a tile", "purity 50%"):
        assert words in told
    assert '<td>fire (F)</td><td class="n"><b>5</b></td><td class="n">71.4%</td>' in told
    assert '<td>1 insignia</td><td class="n"><b>2</b></td><td class="n">50%</td>' in told
    editor.fields["E"].value = 3
    assert '<td>earth (E)</td><td class="n"><b>3</b></td><td class="n">30%</td>' in editor.totals.value


def test_a_changed_count_changes_the_value_once_and_a_name_does_not(editor):
    seen = []
    editor.observe(lambda change: seen.append(change["new"]), "value")
    editor.fields["FW"].value = 5
    assert seen == [tkg.Deck({**tkg.load_deck("reference"), "FW": 5})]
    assert editor.decks.value == ""  # no deck of the list any more
    editor.name.value = "windy"
    assert len(seen) == 1
    assert editor.value.name == "windy"
    editor.decks.value = "threes"
    assert seen[1:] == [tkg.load_deck("threes")]


def test_an_existing_deck_can_be_begun_from_again(editor):
    editor.fields["FW"].value = 5
    editor.decks.value = "reference"
    assert editor.value.label == "reference"
    editor.decks.value = ""  # "counts of your own" is told, not chosen
    assert editor.decks.value == "reference"


def test_it_is_filled_from_sizes_and_purity(editor):
    editor.sizes.value = "2:10, 3:4"
    editor.make_button.click()
    assert editor.value == tkg.make_deck({2: 10, 3: 4})
    assert editor.purity.disabled
    editor.has_purity.value = True
    assert not editor.purity.disabled
    editor.purity.value = 1.0
    editor.make_button.click()
    assert editor.value == tkg.make_deck({2: 10, 3: 4}, purity=1)
    assert set(editor.value) == {"FF", "WW", "AA", "EE", "FFF", "WWW", "AAA", "EEE"}


def test_any_other_tile_can_be_added(editor):
    editor.tile.value = "FFWA"
    editor.add_button.click()
    assert (editor.value["FFWA"], editor.value.total, editor.tile.value) == (1, 49, "")
    editor.fields["FFWA"].value = 4
    assert editor.value["FFWA"] == 4


@pytest.mark.parametrize(
    ("control", "typed", "button", "words"),
    [
        ("tile", "WF", "add_button", "written FW"),
        ("tile", "XY", "add_button", "letters FWAE"),
        ("tile", "FW", "add_button", "there is a field"),
        ("sizes", "1-8", "make_button", "'1-8' is no size : tiles"),
        ("sizes", "1:8, 1:9", "make_button", "size 1 stands there twice"),
        ("sizes", "12:8", "make_button", "from 0 to 9"),
        ("sizes", "2:900", "make_button", "copies|at most 200"),
        ("sizes", "2:0", "make_button", "no tiles"),
        ("name", "../x", "save_button", "name '../x'"),
        ("name", "", "save_button", "such as my_deck"),
        ("name", "x.csv", "save_button", "name 'x.csv'"),
    ],
)
def test_bad_input_is_said_and_the_deck_stays(editor, control, typed, button, words):
    before = editor.value
    getattr(editor, control).value = typed
    getattr(editor, button).click()
    assert editor.value == before
    assert any(part in editor.failure for part in words.split("|"))
    assert "Refused" in editor.says.value
    assert getattr(editor, control).value == typed
    assert not editor.folder.exists()
    editor.fields["F"].value = 1
    assert editor.failure == ""


def test_a_deck_of_no_tiles_or_too_many_is_refused_and_the_last_good_one_stays():
    editor = tkg.deck_editor({"F": 1, "W": 150})
    for tile, number, words in (("F", 60, "210 tiles; at most 200"), ("W", 0, "")):
        editor.fields[tile].value = number
        assert words in editor.failure
    assert editor.value == tkg.Deck({"F": 60})
    editor.fields["F"].value = 0
    assert "no tiles" in editor.failure
    assert editor.value == tkg.Deck({"F": 60})
    assert editor.save() is None


def test_a_deck_is_saved_and_an_existing_file_is_replaced_only_if_told(editor):
    editor.fields["FW"].value = 5
    editor.name.value = "windy"
    editor.save_button.click()
    path = editor.folder / "windy.csv"
    assert str(path) in editor.says.value
    assert tkg.load_deck(path) == editor.value
    editor.fields["FW"].value = 6
    assert editor.save() is None
    assert "there already" in editor.failure
    assert tkg.load_deck(path)["FW"] == 5
    editor.replace.value = True
    assert editor.save() == path
    assert tkg.load_deck(path)["FW"] == 6
    assert not editor.replace.value  # the next one is asked for again


def test_decks_are_saved_where_they_are_found_by_name(tmp_path, monkeypatch):
    monkeypatch.setenv("TKG_DATA", str(tmp_path))
    editor = tkg.deck_editor("pairs", name="mine")
    editor.fields["F"].value = 7
    editor.save()
    assert tkg.load_deck("mine") == editor.value
    assert editor.decks.value == "mine"


def test_a_place_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").touch()
    editor = tkg.deck_editor(folder=tmp_path / "file")
    assert editor.save() is None
    assert "cannot be made" in editor.failure


def test_a_deck_that_there_is_not_is_refused():
    with pytest.raises(tkg.Refused, match="no such deck"):
        tkg.deck_editor("threees")


def test_a_tryout_asks_anew_when_a_count_changes(tmp_path):
    asked, editor = [], tkg.deck_editor({"FW": 4})

    def ask(variant, games):
        asked.append(str(variant))
        found = pl.DataFrame({"deck": ["x"], "share": [0.5], "low": [0.4], "high": [0.6]})
        return charts.dots(found, "deck", colour=None), found, "so"

    panel = tkg.tryout(ask, tkg.rift(full_boundary=False), {"deck": editor}, quick=5, stem=tmp_path / "x")
    before = len(asked)
    editor.fields["FW"].value = 3
    assert asked[before:] == [f"rift(deck={editor.value.label}, full_boundary=false)"]
    editor.fields["FW"].value = 2  # a deck that the game refuses
    assert "3-200 tiles" in panel.failure
    assert panel.answer is not None
    assert len(asked) == before + 1

"""The report as a person opens it: in a browser without network, in light and dark."""

import html
import json
import os
import re
import shutil
from importlib import import_module

import polars as pl
import pytest

import tkg
from tkg.cli import main
from tkg.report import write_report
from tkg.report.rift import grown_with_ring
from tkg.report.section import Plan
from tkg.rules.games import GAMES, rules_of
from tkg.rules.knobs import Reading

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


GAMES_A_CELL = 24


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    out = tmp_path_factory.mktemp("report")
    return write_report(out, games=GAMES_A_CELL, seed=1)


# By game: its sections, in order.
SECTIONS = {
    "rift": "supply side side_supply decks readings exploit conditions failures numbers options contests ladder ladder_pairs",
    "cosmic": (
        "seats strength endings length life oinks capture_limit takes takes_balance occupying lead layout numbers points "
        "readings_length readings_ending options ladder ladder_pairs"
    ),
    "umbra": (
        "seats track strength endings length race together stuck bidding spending soul ranks paths bid_ties mix lead "
        "readings_length readings_shared options ladder ladder_pairs"
    ),
}


@pytest.mark.parametrize("game", GAMES)
def test_every_chart_has_its_files_and_numbers(report, game):
    page = report.read_text(encoding="utf-8")
    names = re.findall(rf'<section id="{game}-(\w+)">', page)
    assert names == SECTIONS[game].split()
    for name in names:
        for ending in ("png", "svg", "pdf", "csv", "parquet"):
            assert (report.parent / f"{game}_{name}.{ending}").stat().st_size > 50
        assert pl.read_parquet(report.parent / f"{game}_{name}.parquet").height > 0
        assert f'href="#{game}-{name}"' in page
    told = re.findall(rf'<section id="{game}-\w+">.*?<img [^>]*alt="([^"]*)"', page, flags=re.DOTALL)
    assert len(told) == len(names)
    for name, words in zip(names, told, strict=True):
        assert len(words) > 40
        assert f'aria-label="{words}"' in (report.parent / f"{game}_{name}.svg").read_text(encoding="utf-8")
    assert "stand-in" in page
    assert not [p for p in report.parent.iterdir() if p.name.startswith(".part")]


def sentence_of(report, game, name):
    page = report.read_text(encoding="utf-8")
    return html.unescape(re.search(rf'<section id="{game}-{name}"><h3>[^<]*</h3><p>([^<]*)</p>', page)[1])


def told(row, names=("share", "low", "high")):
    """`74% (72% to 76%)`, as the report writes a share."""
    texts = []
    for name in names:
        text = f"{row[name] * 100:.1f}".removesuffix(".0")
        small, large = text == "0" and row[name] > 0, text == "100" and row[name] < 1
        texts.append("under 0.1%" if small else "over 99.9%" if large else f"{text}%")
    return f"{texts[0]} ({texts[1]} to {texts[2]})"


@pytest.mark.parametrize(
    ("game", "name", "where"),
    [
        ("rift", "supply", {"bot": "greedy", "supply": 15}),
        ("rift", "side", {"tiles": "deck as it is", "side": 4}),
        ("rift", "side", {"tiles": "deck grown with the ring", "side": 7}),
        ("rift", "exploit", {"bot": "hoarder", "supply": 15}),
        ("rift", "exploit", {"bot": "hoarder", "supply": 5}),
        ("rift", "decks", {"bot": "greedy", "deck": "pure"}),
        ("rift", "conditions", {"bot": "hoarder", "condition": "gate holds the void"}),
        ("rift", "contests", {"bot": "greedy", "standing": "points"}),
        ("cosmic", "strength", {"players": 2}),
        ("cosmic", "strength", {"players": 4}),
        ("cosmic", "endings", {"players": "3 players", "ending": "captures"}),
        ("cosmic", "oinks", {"bot": "greedy", "oinks": 13}),
        ("cosmic", "capture_limit", {"bot": "greedy", "capture_limit": 5}),
        ("cosmic", "takes", {"match": "only-occupy against only-capture"}),
        ("cosmic", "takes", {"match": "rich-draft against greedy"}),
        ("umbra", "strength", {"players": 3}),
        ("umbra", "track", {"players": 4, "place": "1"}),
        ("umbra", "stuck", {"side": 5, "bot": "random"}),
        ("umbra", "together", {"variant": "players 2", "bot": "greedy"}),
        ("rift", "ladder_pairs", {"pair": "mcts:25 against greedy"}),
        ("cosmic", "ladder_pairs", {"pair": "mcts:25 against greedy"}),
        ("umbra", "ladder_pairs", {"pair": "mcts:25 against greedy"}),
        ("umbra", "bidding", {"match": "lump against greedy"}),
    ],
)
def test_sentences_are_computed_from_the_numbers(report, game, name, where):
    numbers = pl.read_parquet(report.parent / f"{game}_{name}.parquet")
    for column, value in where.items():
        numbers = numbers.filter(pl.col(column) == value)
    assert told(numbers.row(0, named=True)) in sentence_of(report, game, name)


@pytest.mark.parametrize(
    "game", ["umbra", *(pytest.param(name, marks=pytest.mark.long) for name in ("rift", "cosmic"))]
)
def test_the_same_seed_gives_the_same_numbers(report, game):
    """Also on another number of workers: the tables behind the charts, value by value."""
    study = import_module(f"tkg.report.{game}")
    for section in study.sections(Plan(GAMES_A_CELL, 1, 1, False).for_bots_that_cost(study.COST)):
        stored = pl.read_parquet(report.parent / f"{game}_{section.name}.parquet")
        assert section.numbers.drop(section.measured).equals(stored.drop(section.measured)), section.name


@pytest.mark.parametrize(
    "game", ["umbra", *(pytest.param(name, marks=pytest.mark.long) for name in ("rift", "cosmic"))]
)
def test_two_games_a_cell_are_enough_to_say_something(game):
    for section in import_module(f"tkg.report.{game}").sections(Plan(2, 3, 1, False)):
        assert section.sentence
        assert section.numbers.height
        json.dumps(section.chart.to_dict(), allow_nan=False)


def test_an_existing_report_is_kept_without_force(report, capsys):
    before = report.stat().st_mtime_ns
    assert main(["report", "--out", str(report.parent), "--games", "2"]) == 2
    assert "exists" in capsys.readouterr().err
    assert report.stat().st_mtime_ns == before


# By game: settings that no study varies, since they are fixed or no rule of the game.
NOT_VARIED = {"rift": {"hand"}, "cosmic": {"max_turns"}, "umbra": {"max_rounds"}}


@pytest.mark.parametrize("game", GAMES)
def test_the_study_varies_every_knob_and_reading(game):
    variants = [v for _, v in import_module(f"tkg.report.{game}").study_cells()]
    for declared in rules_of(game).DECLARED:
        if declared.name not in NOT_VARIED[game]:
            assert len({str(v[declared.name]) for v in variants}) > 1, declared.name
        for option in declared.options if isinstance(declared, Reading) else ():
            assert option in [v[declared.name] for v in variants]


def test_the_grown_deck_gives_every_cell_as_many_turns():
    """Side 3: 15 turns for 8 cells. Side 5: 16 cells, 30 turns, 93 tiles; side 4: 12 cells, 22.5 turns, so 23, 72 tiles."""
    assert grown_with_ring(tkg.rift(side=3)).deck.total == 48
    assert grown_with_ring(tkg.rift(side=4)).deck.total == 72
    assert grown_with_ring(tkg.rift(side=5)).deck.total == 93


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_opens_without_network(report, scheme):
    from playwright.sync_api import sync_playwright

    failed = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = browser.new_context(offline=True, color_scheme=scheme)
        page = context.new_page()
        page.on("request", lambda r: None if r.url.startswith(("file:", "data:")) else failed.append(r.url))
        page.on("requestfailed", lambda r: failed.append(r.url))
        page.on("pageerror", lambda e: failed.append(str(e)))
        page.goto(report.as_uri())
        images = page.eval_on_selector_all(
            "img", "all => Promise.all(all.map(i => i.decode().then(() => [i.naturalWidth, i.naturalHeight])))"
        )
        dark_used = page.eval_on_selector_all("img", "all => all.filter(i => i.currentSrc !== i.src).length")
        browser.close()
    assert failed == []
    charts = sum(len(names.split()) for names in SECTIONS.values())
    assert len(images) == charts
    assert all(width > 200 and height > 40 for width, height in images)
    assert dark_used == (charts if scheme == "dark" else 0)

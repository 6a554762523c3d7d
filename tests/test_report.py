"""The report as a person opens it: in a browser without network, in light and dark."""

import html
import os
import re
import shutil

import polars as pl
import pytest

import tkg
from tkg.cli import main
from tkg.report import write_report
from tkg.report.rift import grown_with_ring, study_cells

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


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    out = tmp_path_factory.mktemp("report")
    return write_report(out, games=40, seed=1)


def test_every_chart_has_its_files_and_numbers(report):
    page = report.read_text(encoding="utf-8")
    names = re.findall(r'<section id="rift-(\w+)">', page)
    assert names == [
        "supply",
        "side",
        "side_supply",
        "decks",
        "readings",
        "exploit",
        "conditions",
        "failures",
        "numbers",
        "options",
        "contests",
    ]
    for name in names:
        for ending in ("png", "svg", "pdf", "csv", "parquet"):
            assert (report.parent / f"rift_{name}.{ending}").stat().st_size > 50
        assert pl.read_parquet(report.parent / f"rift_{name}.parquet").height > 0
    assert "stand-in" in page
    assert not [p for p in report.parent.iterdir() if p.name.startswith(".part")]


def sentence_of(report, name):
    page = report.read_text(encoding="utf-8")
    return html.unescape(re.search(rf'<section id="rift-{name}"><h3>[^<]*</h3><p>([^<]*)</p>', page)[1])


def told(row, names=("share", "low", "high")):
    """`74% (72% to 76%)`, as the report writes a share."""
    texts = []
    for name in names:
        text = f"{row[name] * 100:.1f}".removesuffix(".0")
        small, large = text == "0" and row[name] > 0, text == "100" and row[name] < 1
        texts.append("under 0.1%" if small else "over 99.9%" if large else f"{text}%")
    return f"{texts[0]} ({texts[1]} to {texts[2]})"


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("supply", {"bot": "greedy", "supply": 15}),
        ("side", {"tiles": "deck as it is", "side": 4}),
        ("side", {"tiles": "deck grown with the ring", "side": 7}),
        ("exploit", {"bot": "hoarder", "supply": 15}),
        ("exploit", {"bot": "hoarder", "supply": 5}),
        ("decks", {"bot": "greedy", "deck": "pure"}),
        ("conditions", {"bot": "hoarder", "condition": "gate holds the void"}),
        ("contests", {"bot": "greedy", "standing": "points"}),
    ],
)
def test_sentences_are_computed_from_the_numbers(report, name, where):
    numbers = pl.read_parquet(report.parent / f"rift_{name}.parquet")
    for column, value in where.items():
        numbers = numbers.filter(pl.col(column) == value)
    assert told(numbers.row(0, named=True)) in sentence_of(report, name)


def test_the_same_seed_gives_the_same_numbers(report, tmp_path):
    again = write_report(tmp_path, games=40, seed=1, workers=1)
    for csv in sorted(report.parent.glob("*.csv")):
        assert (again.parent / csv.name).read_bytes() == csv.read_bytes(), csv.name


def test_an_existing_report_is_kept_without_force(report, capsys):
    before = report.stat().st_mtime_ns
    assert main(["report", "--out", str(report.parent), "--games", "2"]) == 2
    assert "exists" in capsys.readouterr().err
    assert report.stat().st_mtime_ns == before


def test_the_study_varies_every_knob_and_reading():
    base = tkg.rift()
    for name in base:
        if name != "hand":
            assert len({str(v[name]) for _, v in study_cells()}) > 1, name


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
    assert len(images) == 11
    assert all(width > 200 and height > 40 for width, height in images)
    assert dark_used == (11 if scheme == "dark" else 0)

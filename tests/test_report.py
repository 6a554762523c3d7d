"""The report as a person opens it: in a browser without network, in light and dark."""

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


def test_sentences_are_computed_from_the_numbers(report):
    page = report.read_text(encoding="utf-8")
    exploit = pl.read_parquet(report.parent / "rift_exploit.parquet")
    row = exploit.filter((pl.col("bot") == "hoarder") & (pl.col("supply") == 15)).row(0, named=True)
    assert f"{row['share'] * 100:.1f}".removesuffix(".0") + "% (" in page
    assert row["games"] == 40


def test_the_same_seed_gives_the_same_numbers(report, tmp_path):
    again = write_report(tmp_path, games=40, seed=1, workers=1)
    for csv in sorted(report.parent.glob("*.csv")):
        assert (again.parent / csv.name).read_bytes() == csv.read_bytes(), csv.name


def test_an_existing_report_is_kept_without_force(report, capsys):
    before = report.stat().st_mtime_ns
    assert main(["report", "--out", str(report.parent), "--games", "1"]) == 2
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

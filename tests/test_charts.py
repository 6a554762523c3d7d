"""Every chart function draws what its table holds, in light and dark, and exports without network."""

import json
import re

import polars as pl
import pytest

import tkg
from tkg import charts, metrics


@pytest.fixture(scope="module")
def table():
    return tkg.sweep(tkg.rift, supply=[6, 15], full_boundary=[True, False], bots="random", games=60, seed=1)


def values_of(chart):
    spec = chart.to_dict()
    return [row for rows in spec["datasets"].values() for row in rows]


def test_lines_hold_the_small_table_alone(table):
    small = metrics.win_share(table, ["supply", "bot"])
    chart = charts.lines(small, "supply")
    rows = values_of(chart)
    assert len(rows) == small.height
    assert {r["supply"]: r["share"] for r in rows} == dict(small.select("supply", "share").iter_rows())


def test_win_share_is_lines_over_numbers_and_dots_over_readings(table):
    assert any(layer["mark"]["type"] == "line" for layer in charts.win_share(table, "supply").to_dict()["layer"])
    assert not any(
        layer["mark"]["type"] == "line" for layer in charts.win_share(table, "full_boundary").to_dict()["layer"]
    )


def test_every_form_draws_in_light_and_dark(table):
    shares = metrics.win_share(table, ["supply", "full_boundary", "bot"])
    numbers = metrics.numbers(table, ["points", "gate"], "bot")
    for chart in (
        charts.dots(shares.filter(pl.col("supply") == 6), "full_boundary"),
        charts.heat(shares, "supply", "full_boundary"),
        charts.heat(shares, "supply", "bot", facet="full_boundary"),
        charts.spread(numbers),
        charts.lines(numbers.with_columns(pl.Series("supply", [1, 2])), "supply", "mean", is_share=False),
    ):
        light, dark = charts.svg_text(chart), charts.svg_text(chart, dark=True)
        assert light.startswith("<svg")
        assert light != dark


def test_the_layout_lies_as_on_the_table():
    """Cells of the first row stand highest, each with its letter and its share; the darkest colour is the largest share."""
    table = pl.DataFrame(
        {
            "cell": list("ABCD"),
            "row": [1, 1, 2, 2],
            "column": [1, 2, 1, 2],
            "share": [0.1, 0.0, 0.25, 0.05],
            "bot": ["a"] * 4,
        }
    )
    for chart in (charts.layout(table), charts.layout(table, facet="bot")):
        svg = charts.svg_text(chart)
        assert re.findall(r">([ABCD] [\d.]+%)<", svg) == ["A 10.0%", "B 0.0%", "C 25.0%", "D 5.0%"]
    marks = charts.layout(table).to_dict()["layer"][0]["encoding"]
    assert marks["color"]["scale"]["domain"] == [0, 0.25]


def test_what_is_expected_is_a_tick():
    table = pl.DataFrame(
        {"players": [2, 3], "share": [0.6, 0.4], "low": [0.5, 0.3], "high": [0.7, 0.5], "level": [0.5, 1 / 3]}
    )
    kinds = [
        layer["mark"]["type"]
        for layer in charts.dots(table, "players", colour=None, expected="level").to_dict()["layer"]
    ]
    assert kinds == ["tick", "rule", "point"]


def test_one_bot_in_all_seats_is_told_by_seat():
    """Its share of the victories is always 1, which is no news."""
    runs = tkg.sweep(tkg.cosmic, side=[3, 4], bots="random", games=8, seed=1)
    assert {row["seat"] for row in values_of(charts.win_share(runs, "side"))} == {1, 2}
    match = tkg.sweep(tkg.cosmic, side=[3, 4], bots="random,random-only-occupy", games=8, seed=1)
    assert {row["bot"] for row in values_of(charts.win_share(match, "side"))} == {"random", "random-only-occupy"}


def test_numbers_on_tiles_are_readable_in_light_and_dark():
    """Every label of a heat map stands out from its tile: contrast of at least 3 (WCAG 2, 1.4.11)."""
    table = pl.DataFrame({"x": list(range(11)), "y": [1] * 11, "share": [k / 10 for k in range(11)]})
    for dark in (False, True):
        svg = charts.svg_text(charts.heat(table, "x", "y"), dark=dark)
        tiles = re.findall(r'aria-roledescription="rect mark"[^>]*?fill="([^"]+)"', svg)
        labels = re.findall(r'aria-roledescription="text mark"[^>]*?fill="([^"]+)"', svg)
        assert len(tiles) == len(labels) == 11
        for tile, label in zip(tiles, labels, strict=True):
            light, dim = sorted((luminance(tile), luminance(label)), reverse=True)
            assert (light + 0.05) / (dim + 0.05) > 3, (dark, tile, label)


def luminance(colour):
    """Relative luminance of `#rrggbb`, `rgb(r, g, b)` or white (WCAG 2)."""
    if colour == "white":
        return 1.0
    parts = re.findall(r"\d+", colour) if colour.startswith("rgb") else [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (int(p) / 255 for p in parts)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_save_chart_writes_pictures_and_numbers(table, tmp_path):
    small = metrics.win_share(table, ["supply", "bot"])
    written = charts.save_chart(charts.lines(small, "supply"), tmp_path / "c", small)
    assert [p.suffix for p in written] == [".png", ".svg", ".pdf", ".csv", ".parquet"]
    heads = [p.read_bytes()[:4] for p in written]
    assert heads[0] == b"\x89PNG"
    assert heads[2] == b"%PDF"
    assert pl.read_parquet(written[4]).equals(small)


def test_the_house_style_is_altairs_theme(table):
    spec = charts.win_share(table, "supply").to_dict()
    assert json.dumps(spec["config"]).count("DejaVu") == 1


def test_a_ladder_shows_ratings_costs_and_ends_without_a_bound():
    """The best bot highest; an open end runs to an arrow; who peeks differs in colour and shape; words for who cannot see it."""
    table = pl.DataFrame(
        {
            "player": ["peek:9 (sees everything)", "greedy", "random"],
            "peeks": [True, False, False],
            "rating": [80.0, 0.0, -400.0],
            "rating_low": [20.0, 0.0, None],
            "rating_high": [130.0, 0.0, -300.0],
            "cpu_ms": [12.0, 0.015, 0.0002],
        }
    )
    chart = charts.ladder(table)
    svg = charts.svg_text(chart)
    assert svg != charts.svg_text(chart, dark=True)
    assert re.findall(r">([\d.]+ .?s) a decision<", svg) == ["12 ms", "15 \u00b5s", "0.2 \u00b5s"]
    assert "greedy +0, 15 \u00b5s a decision" in chart.to_dict()["description"]
    shapes = [layer["mark"].get("shape") for layer in chart.to_dict()["layer"]]
    assert shapes.count("triangle-left") == 1
    assert shapes.count("triangle-right") == 0
    rows = {row["player"]: row for row in values_of(chart)}
    assert rows["random"]["from"] < -400 < rows["random"]["to"] == -300
    assert [rows[name]["kind"] for name in table["player"]] == ["sees everything", "plays fair", "plays fair"]
    with pytest.raises(tkg.Refused, match="no bots"):
        charts.ladder(table.clear())

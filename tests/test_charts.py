"""Every chart function draws what its table holds, in light and dark, and exports without network."""

import json
import re
from dataclasses import dataclass
from functools import lru_cache

import altair as alt
import polars as pl
import pytest
import vl_convert

import tkg
from tkg import charts, metrics
from tkg.charts.export import spec_of
from tkg.charts.parts import apart


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


def interval(share, half=0.04):
    return {"share": share, "low": max(0.0, share - half), "high": min(1.0, share + half)}


BOTS = ["greedy", "random", "hoarder", "mcts:25", "uct:100", "mcts:400"]
# Six series, crowded at the end: 0.9 for three of them, 0.5 and just above for the others.
BY_SUPPLY = pl.DataFrame(
    [
        {"bot": bot, "supply": supply, **interval(0.9 if k % 2 and supply > 3 else 0.5 + 0.01 * k)}
        for k, bot in enumerate(BOTS)
        for supply in (3, 9, 21)
    ]
)
DECKS = BY_SUPPLY.select("bot", pl.format("deck {}", "supply").alias("deck"), "share", "low", "high")
SEATS = pl.DataFrame(
    [
        {"players": n, "seat": s, "level": 1 / n, **interval(1 / n + 0.02 * s)}
        for n in (2, 3, 4)
        for s in range(1, n + 1)
    ]
)
GRID = pl.DataFrame(
    [
        {"deck": deck, "side": side, "supply": supply, **interval(supply / 21 / (side - 2))}
        for deck in ("as it is", "grown")
        for side in (3, 4)
        for supply in (3, 9, 15, 21)
    ]
)
CELLS = pl.DataFrame(
    [{"cell": "ABCD"[k], "row": k // 2 + 1, "column": k % 2 + 1, **interval(0.1 + 0.2 * k)} for k in range(4)]
)
SPREAD = pl.DataFrame(
    [
        {"number": name, "bot": bot, "q5": m - 4, "q25": m - 2, "q50": m, "q75": m + 3, "q95": m + 6}
        for name, middle in (("gate minus void", 5), ("victory points", 30))
        for m, bot in ((middle, "greedy"), (middle + 2, "random"))
    ]
)
LADDER = pl.DataFrame(
    {
        "player": ["peek:9 (sees everything)", "greedy", "random"],
        "peeks": [True, False, False],
        "rating": [80.0, 0.0, -400.0],
        "rating_low": [20.0, 0.0, None],
        "rating_high": [130.0, 0.0, -300.0],
        "cpu_ms": [12.0, 0.015, 0.0002],
    }
)
GAMES = pl.DataFrame({"row": [0, 1, 2], "decisions": [20, 25, 31], "points": [4, 9, 2], "bot": ["a", "b", "a"]})
EFFECTS = pl.DataFrame(
    {
        "setting": ["replace: off", "gate: empty", "matching: a tile may lie beside any other tile"],
        "difference": [-0.15, 0.01, 0.12],
        "low": [-0.18, -0.02, 0.09],
        "high": [-0.12, 0.04, 0.15],
    }
)
CURVES = pl.DataFrame(
    [
        {"game": name, "time": t / 10, "mean": mean, "low": mean - 0.05, "high": mean + 0.05}
        for k, name in enumerate(("one", "two", "three"), 1)
        for t in range(10)
        for mean in [0.9 - 0.02 * k * t]
    ]
)
TRIALS = pl.DataFrame(
    {
        "minutes": [20.0, 30.0, 40.0, 35.0],
        "gap": [0.3, 0.12, 0.05, 0.2],
        "gap_low": [0.27, 0.09, 0.02, 0.17],
        "gap_high": [0.33, 0.15, 0.08, 0.23],
        "front": [True, True, True, False],
        "chosen": [False, True, False, False],
    }
)
ENDINGS = pl.DataFrame(
    [
        {"players": players, "ending": ending, **interval(share)}
        for players, shares in ((2, (0.62, 0.3, 0.08)), (4, (0.97, 0.02, 0.01)))
        for ending, share in zip(("alignment", "captures", "full board"), shares, strict=True)
    ]
)
RANKED = pl.DataFrame(
    {
        "setting": ["excess: stay", "gate: empty", "standing: stable-first"],
        "bots": ["greedy-lump", "greedy", "greedy"],
        "measure": ["decisions", "win", "win"],
        "unit": ["number", "share", "share"],
        "difference": [-2.0, 0.03, 0.0],
        "low": [-3.0, -0.02, None],
        "high": [-1.0, 0.08, None],
        "margin": [0.5, 0.05, 0.05],
        "effect": [-4.0, 0.6, 0.0],
        "verdict": ["settle", "open", "never met"],
    }
)
WIN = {"share": "win share", "supply": "supply of each element (Oinks)"}

# By function: its charts, made of the tables above.
CHARTS = {
    "lines": [
        lambda: charts.lines(BY_SUPPLY, "supply", titles=WIN, title="How much the supply of Oinks matters"),
        lambda: charts.lines(BY_SUPPLY.with_columns(pl.col("share", "low", "high") * 20), "supply", is_share=False),
    ],
    "dots": [
        lambda: charts.dots(DECKS, "deck", order=BOTS),
        lambda: charts.dots(SEATS, "players", colour="seat", expected="level"),
        lambda: charts.dots(EFFECTS, "setting", "difference", colour=None, zero=True),
    ],
    "heat": [
        lambda: charts.heat(GRID, "supply", "side", titles=WIN, facet="deck"),
        lambda: charts.heat(
            GRID.filter(deck="grown").with_columns(pl.col("share", "low", "high") * 50 - 10),
            "supply",
            "side",
            is_share=False,
        ),
    ],
    "layout": [lambda: charts.layout(CELLS), lambda: charts.layout(CELLS.with_columns(bot=pl.lit("a")), facet="bot")],
    "spread": [lambda: charts.spread(SPREAD, titles={"value": "number a game"})],
    "ladder": [lambda: charts.ladder(LADDER)],
    "games": [lambda: charts.games(GAMES, "decisions", "points")],
    "win_share": [
        lambda: charts.win_share(
            pl.DataFrame(
                {
                    "run": [1] * 4,
                    "game": [1, 2, 3, 4],
                    "seat": [1] * 4,
                    "supply": [3, 3, 9, 9],
                    "bot": ["greedy"] * 4,
                    "win": [0, 1, 1, 1],
                    "contest": [1] * 4,
                }
            ),
            "supply",
        )
    ],
    "readings": [lambda: charts.readings(RANKED, title="What the readings change")],
    "effects": [
        lambda: charts.effects(EFFECTS, title="What readings change"),
        lambda: charts.effects(EFFECTS, is_share=False, titles={"difference": "rounds"}),
    ],
    "panels": [
        lambda: charts.panels(GRID, "supply", "side", colour="deck", titles=WIN),
        lambda: charts.panels(GRID.filter(deck="grown"), "supply", "side", title="Side and supply", columns=1),
    ],
    "over_time": [lambda: charts.over_time(CURVES, "game"), lambda: charts.over_time(CURVES.filter(game="one"))],
    "pareto": [lambda: charts.pareto(TRIALS, "minutes", "gap", is_share=(False, True))],
    "endings": [lambda: charts.endings(ENDINGS, "players")],
}
NO_CHARTS = {"live", "save_chart", "svg_text", "use_theme"}
EVERY = [pytest.param(make, id=f"{name}{k}") for name, makes in CHARTS.items() for k, make in enumerate(makes)]


def test_every_chart_function_is_tried_here():
    assert set(CHARTS) == set(charts.__all__) - NO_CHARTS


@pytest.mark.parametrize("make", EVERY)
def test_every_chart_is_drawn_and_told_in_light_and_dark(make):
    """The picture says for itself what it shows; the caption is there, too."""
    chart = make()
    light, dark = charts.svg_text(chart), charts.svg_text(chart, dark=True)
    assert light != dark
    words = chart.to_dict()["description"]
    assert 40 < len(words) < 500
    assert "None" not in words
    for svg in (light, dark):
        assert re.match(r'<svg role="img" aria-label="[^"]{40,}" ', svg)
        assert ("95% interval" in svg) or ("95% of games" in svg) or "a point for every row" in svg


# --- Where words stand ---------------------------------------------------------------------------------------------


@lru_cache
def width_of(letter, bold):
    """Of one letter at size 1, as vl-convert draws it: from the width of a picture of forty of them, each between bars."""
    mark = {"type": "text", "text": f"|{letter}" * 40 + "|", "align": "left", "fontSize": 50}
    style = {"font": 'system-ui, "DejaVu Sans", sans-serif', "fontWeight": "bold" if bold else "normal"}
    spec = {"data": {"values": [{}]}, "mark": {**mark, **style}, "width": 1, "height": 1, "padding": 0}
    whole = float(re.search(r'width="([\d.]+)"', vl_convert.vegalite_to_svg(spec))[1]) / 50
    return whole / 81 if letter == "|" else (whole - 41 * width_of("|", bold)) / 40


@dataclass(frozen=True)
class Box:
    """Where a text stands in the picture, in pixels."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other):
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > 0 and down > 0


def boxes(chart):
    """(size of the picture, the box of every text in it, from Vega's scenegraph).

    A letter reaches from 0.75 of its size above the base line to 0.2 below it. Texts of axes that Vega leaves out because
    they would meet others are not there.
    """
    scene = vl_convert.vegalite_to_scenegraph(spec_of(chart))
    found = []

    def walk(item, x, y):
        if item.get("marktype") == "text":
            found.extend(box for one in item["items"] if one.get("opacity", 1) and (box := box_of(one, x, y)))
            return
        for one in item.get("items", []):
            moved = "marktype" not in one
            walk(one, x + one.get("x", 0) * moved, y + one.get("y", 0) * moved)

    walk(scene["scenegraph"], *scene["origin"])
    return (scene["width"], scene["height"]), found


def box_of(item, x, y):
    text, size = item.get("text", ""), item.get("fontSize", 11)
    lines = text if isinstance(text, list) else [str(text)]
    if not any(lines):
        return None
    assert not item.get("angle"), f"{text} does not lie flat"
    bold = str(item.get("fontWeight", "normal")) in ("bold", "600", "700")
    width = max(sum(width_of(letter, bold) for letter in line) for line in lines) * size
    left = x + item.get("x", 0) + item.get("dx", 0)
    left -= {"left": 0, "center": width / 2, "right": width}[item.get("align", "left")]
    line_height = item.get("lineHeight", size + 2)
    base = y + item.get("y", 0) + item.get("dy", 0)
    base += {"top": 0.79, "middle": 0.3, "bottom": -0.21, "alphabetic": 0}[item.get("baseline", "alphabetic")] * size
    return Box(str(text), left, base - 0.75 * size, left + width, base + 0.2 * size + (len(lines) - 1) * line_height)


@pytest.mark.parametrize("make", EVERY)
def test_no_word_is_cut_and_none_meets_another(make):
    (width, height), found = boxes(make())
    assert len(found) > 5
    for box in found:
        assert box.left >= 0, box
        assert box.right <= width, box
        assert box.top >= 0, box
        assert box.bottom <= height, box
        assert "\u2026" not in box.text
    for k, box in enumerate(found):
        assert not [other for other in found[k + 1 :] if box.meets(other)], box


def test_the_check_of_words_finds_those_that_meet():
    spec = charts.dots(DECKS, "deck", order=BOTS)
    spec.height = 60  # for 18 rows
    found = boxes(spec)[1]
    assert any(box.meets(other) for k, box in enumerate(found) for other in found[k + 1 :])


def test_labels_stand_as_near_to_their_lines_as_the_gap_lets_them():
    """Free ones where they want to be; 5 and 5 share the gap of 2; what would leave the plot is moved back into it."""
    assert apart([1.0, 9.0], 2, 0, 10) == [1.0, 9.0]
    assert apart([5.0, 5.0], 2, 0, 10) == [4.0, 6.0]
    assert apart([10.0, 9.5, 0.0], 2, 0, 10) == [10.0, 8.0, 0.0]
    assert apart([0.0, 0.0, 0.0], 2, 0, 10) == [0.0, 2.0, 4.0]
    assert apart([3.0, 1.0, 3.0], 1, 0, 10) == [2.5, 1.0, 3.5]


def names_beside(chart, names):
    """The texts of the picture that are one of these names, from above."""
    return [box.text for box in sorted(boxes(chart)[1], key=lambda box: box.top) if box.text in names]


def test_lines_are_named_at_their_ends_in_their_order():
    table = BY_SUPPLY.filter(pl.col("bot").is_in(BOTS[:3]))
    assert names_beside(charts.lines(table, "supply", order=BOTS), BOTS) == ["random", "hoarder", "greedy"]
    assert "legend" not in charts.svg_text(charts.lines(table, "supply"))


def test_more_series_than_shapes_have_a_legend():
    seven = pl.concat([BY_SUPPLY, BY_SUPPLY.filter(bot="greedy").with_columns(bot=pl.lit("peek:9"))])
    assert "role-legend" in charts.svg_text(charts.lines(seven, "supply"))
    assert "role-legend" not in charts.svg_text(charts.lines(BY_SUPPLY, "supply"))


def test_dots_are_named_in_the_first_row_that_has_all_series():
    """Seats 3 and 4 are not in games of two players; where no row has all there is a legend."""
    chart = charts.dots(SEATS, "players", colour="seat", expected="level")
    rows = {box.text: box.top for box in boxes(chart)[1]}
    assert rows["3"] < rows["seat 1"] < rows["seat 2"] < rows["seat 3"] < rows["seat 4"]
    torn = pl.DataFrame({"deck": ["x", "y"], "bot": ["a", "b"], **{k: [0.5] * 2 for k in ("share", "low", "high")}})
    assert "role-legend" in charts.svg_text(charts.dots(torn, "deck"))


def test_a_series_that_stands_alone_is_named_in_the_caption():
    chart = charts.lines(BY_SUPPLY.filter(bot="greedy"), "supply")
    assert chart.to_dict()["title"]["text"] == "bars: 95% intervals; bot: greedy"


def test_numbers_as_series_have_the_colours_of_the_house():
    """A scale whose domain is text knows no numbers and would go on to the next colour."""
    shown = charts.svg_text(charts.dots(SEATS, "players", colour="seat", expected="level")).lower()
    told = charts.svg_text(
        charts.dots(
            SEATS.with_columns(pl.col("seat").cast(pl.String)), "players", colour="seat", order=["1", "2", "3", "4"]
        )
    ).lower()
    for colour in ("#0072b2", "#d55e00", "#6b6b6b", "#009e73"):
        assert colour in shown
        assert colour in told


# --- What is told --------------------------------------------------------------------------------------------------


def description(chart):
    return chart.to_dict()["description"]


def test_lines_tell_the_extremes_of_each_series():
    table = pl.DataFrame(
        {
            "supply": [3, 6, 3, 6],
            "bot": ["greedy", "greedy", "random", "random"],
            "share": [0.25, 0.5, 0.0, 0.0],
            "low": [0.2, 0.4, 0.0, 0.0],
            "high": [0.3, 0.6, 0.01, 0.01],
        }
    )
    assert description(charts.lines(table, "supply", titles=WIN)) == (
        "Line chart: win share by supply of each element (Oinks) and bot. greedy: highest 50% (40% to 60%) at supply 6, "
        "lowest 25% (20% to 30%) at supply 3; random: 0% throughout. Bars: 95% intervals."
    )


def test_many_series_are_told_by_their_extremes_alone():
    words = description(charts.dots(DECKS.filter(deck="deck 21"), "deck"))
    assert words.startswith("Dots: share by deck and bot. Highest 90% (86% to 94%) at deck 21, random, lowest 50% (46%")


def test_a_value_without_an_interval_and_one_without_others_are_told():
    lone = pl.DataFrame(
        {"deck": ["pure"], "share": [0.5], "low": [None], "high": [None]},
        schema_overrides={"low": float, "high": float},
    )
    assert "50% at pure." in description(charts.dots(lone, "deck", colour=None))
    assert charts.svg_text(charts.dots(lone, "deck", colour=None)).startswith("<svg")


def test_effects_are_ranked_told_in_points_and_filled_where_they_are_clear():
    chart = charts.effects(EFFECTS)
    rows = [row for row in values_of(chart) if "setting" in row]
    assert [row["difference"] for row in rows] == [0.12, 0.01, -0.15]
    assert [row["_words"] for row in rows] == [
        "+12.0 (+9.0 to +15.0)",
        "+1.0 (\u22122.0 to +4.0)",
        "\u221215.0 (\u221218.0 to \u221212.0)",
    ]
    assert [row["_kind"] for row in rows] == ["interval leaves out 0", "interval holds 0", "interval leaves out 0"]
    assert "lowest: replace: off \u221215.0 (\u221218.0 to \u221212.0). Of 3 intervals 2 leave out 0." in description(
        chart
    )
    without = EFFECTS.with_columns(pl.lit(None, pl.Float64).alias("low"), pl.lit(None, pl.Float64).alias("high"))
    assert "Of 3 intervals 0 leave out 0." in description(charts.effects(without))


def test_figures_beside_effects_have_as_many_digits_in_every_row_and_no_sign_at_zero():
    """The axis writes 50 as 50, and not as 5e+1."""
    table = pl.DataFrame({"setting": ["a", "b"], "difference": [40.0, 0.0], "low": [35.0, -0.4], "high": [50.0, 0.4]})
    chart = charts.effects(table, is_share=False)
    texts = [box.text for box in boxes(chart)[1]]
    assert {"+40.0 (+35.0 to +50.0)", "0.0 (\u22120.4 to +0.4)", "0", "+50"} <= set(texts)
    assert not [text for text in texts if "e+" in text]
    small = table.with_columns(pl.col("difference", "low", "high") / 1000)
    assert "+0.040 (+0.035 to +0.050)" in charts.svg_text(charts.effects(small, is_share=False))


def test_panels_share_their_axes_and_name_the_knob():
    chart = charts.panels(GRID, "supply", "side", colour="deck")
    texts = [box.text for box in boxes(chart)[1]]
    assert {"side 3", "side 4"} <= set(texts)
    assert texts.count("100%") == 1


def test_the_chosen_trial_is_named_and_told():
    chart = charts.pareto(TRIALS, "minutes", "gap", is_share=(False, True))
    assert "3 of them not beaten in both" in description(chart)
    assert description(chart).endswith("Chosen: minutes 30 and gap 12% (9% to 15%).")
    assert [box.text for box in boxes(chart)[1]].count("chosen") == 1
    none = charts.pareto(TRIALS.with_columns(chosen=False), "minutes", "gap")
    assert description(none).endswith("None is chosen.")


def test_endings_have_a_column_each_and_figures():
    texts = [box.text for box in boxes(charts.endings(ENDINGS, "players"))[1]]
    assert {"alignment", "captures", "full board", "players 2", "players 4", "62%", "97%", "1%"} <= set(texts)


def test_a_table_that_lacks_something_is_refused():
    with pytest.raises(tkg.Refused, match="no column 'low'; there are supply, share"):
        charts.lines(pl.DataFrame({"supply": [1], "share": [0.5]}), "supply", colour=None)
    with pytest.raises(tkg.Refused, match="no rows"):
        charts.effects(EFFECTS.clear())


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


def test_a_heat_map_of_what_lies_on_both_sides_of_0_parts_there_and_has_signs():
    runs = tkg.sweep(tkg.rift, supply=[5, 9], side=[3, 4], bots="greedy", games=20, seed=1)
    beyond = tkg.metrics.interaction(runs, "supply", "side")
    chart = charts.heat(beyond, "supply", "side", "beyond", signed=True)
    most = beyond["beyond"].abs().max()
    assert chart.to_dict()["layer"][0]["encoding"]["color"]["scale"] == {"domain": [-most, most], "range": "diverging"}
    words = {row["_words"] for row in values_of(chart)}
    assert {word[0] for word in words} == {"+", "\u2212"}
    assert "%" not in "".join(words)


def test_effects_of_ratios_stand_about_1_and_name_what_has_no_value():
    table = pl.DataFrame(
        {
            "feature": ["a", "b", "c"],
            "odds_ratio": [1.4, 0.9, None],
            "low": [1.1, 0.8, None],
            "high": [1.8, 1.2, None],
        }
    )
    chart = charts.effects(table, "feature", "odds_ratio", is_share=False, none=1)
    assert "Of 2 intervals 1 leave out 1." in description(chart)
    assert "nothing to draw of c" in str(chart.to_dict()["title"])
    svg = charts.svg_text(chart)
    assert "1.40 (1.10 to 1.80)" in svg
    assert "+1.40" not in svg
    with pytest.raises(tkg.Refused, match="no row"):
        charts.effects(table.filter(feature="c"), "feature", "odds_ratio")


def test_effects_draw_the_ends_that_belong_to_their_value():
    table = pl.DataFrame(
        {"feature": ["a"], "drop": [0.1], "low": [3.0], "high": [4.0], "drop_low": [0.05], "drop_high": [0.2]}
    )
    chart = charts.effects(table, "feature", "drop", ends=("drop_low", "drop_high"))
    assert "+10.0 (+5.0 to +20.0)" in charts.svg_text(chart)


@pytest.mark.parametrize("signed", [False, True])
def test_numbers_on_tiles_are_readable_in_light_and_dark(signed):
    """Every label of a heat map stands out from its tile: contrast of at least 3 (WCAG 2, 1.4.11)."""
    shares = [(k - 5) / 10 if signed else k / 10 for k in range(11)]
    table = pl.DataFrame({"x": list(range(11)), "y": [1] * 11, "share": shares})
    for dark in (False, True):
        svg = charts.svg_text(charts.heat(table, "x", "y", signed=signed), dark=dark)
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
    assert [p.suffix for p in written] == [".png", ".svg", ".pdf", ".html", ".csv", ".parquet"]
    heads = [p.read_bytes()[:4] for p in written]
    assert heads[0] == b"\x89PNG"
    assert heads[2] == b"%PDF"
    assert pl.read_parquet(written[5]).equals(small)


def test_save_chart_writes_what_is_asked_for_in_light_and_dark(tmp_path):
    chart = charts.effects(EFFECTS)
    written = charts.save_chart(chart, tmp_path / "c", formats=["svg"], dark=True)
    assert [p.name for p in written] == ["c.svg", "c_dark.svg"]
    assert written[0].read_text() == charts.svg_text(chart)
    assert written[1].read_text() == charts.svg_text(chart, dark=True)
    with pytest.raises(tkg.Refused, match="'gif' is none of png, svg, pdf, html"):
        charts.save_chart(chart, tmp_path / "d", formats=["gif"])


def test_a_page_has_all_it_needs_and_says_what_it_shows(tmp_path):
    """Nothing is loaded from elsewhere: no source, sheet or import but what stands in the page."""
    (path,) = charts.save_chart(charts.effects(EFFECTS), tmp_path / "win_share", formats=["html"])
    page = path.read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert "<title>win share</title>" in page
    assert re.search(r'<meta name="description" content="Ranked differences: [^"]+Of 3 intervals 2 leave out 0."', page)
    assert not re.search(r"""<(script|link|img)[^>]*(src|href)=["']?(https?:)?//""", page)
    assert not re.search(r"""\bimport\s*(\(\s*)?["']https?:""", page)


def test_the_house_style_is_altairs_theme(table):
    spec = charts.win_share(table, "supply").to_dict()
    assert json.dumps(spec["config"]).count("DejaVu") == 1


def test_a_ladder_shows_ratings_costs_and_ends_without_a_bound():
    """The best bot highest; an open end runs to an arrow; who peeks differs in colour and shape; words for who cannot see it."""
    table = LADDER
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


@pytest.mark.parametrize(("before", "after"), [("default", "svg"), ("png", "png")])
def test_charts_in_notebooks_need_no_network(before, after):
    """Altair's own default loads its script from elsewhere; what somebody has chosen stays."""
    with alt.renderers.enable(before):
        charts.use_theme()
        assert alt.renderers.active == after
    charts.use_theme()

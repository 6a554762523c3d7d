"""The report as a person opens it: verdicts and findings by hand, every game's sections, pages in a browser without network."""

import html
import json
import os
import re
import shutil
from importlib import import_module

import polars as pl
import pytest

import tkg
from tkg import ladders
from tkg.cli import main
from tkg.report import page as report_page
from tkg.report import write_report
from tkg.report.course import luck_section
from tkg.report.facts import MET, MISSED, OPEN, Fact, Ideal, findings, no_difference, scorecard, summary, widened
from tkg.report.layout import first_and_rest, verdict_lines
from tkg.report.rift import grown_with_ring
from tkg.report.section import Plan
from tkg.report.several import ahead_of_part, seat_section
from tkg.report.why import told_features, weight_section
from tkg.rules.errors import Refused
from tkg.rules.games import GAMES, rules_of

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
WRITTEN = "rift"  # the game whose pages are made for real


# --- Verdicts and findings by hand --------------------------------------------------------------------------------

HALF = Ideal("a half to three quarters", 0.5, 0.75)
FEW = Ideal("at most a tenth", most=0.1)


def fact(ideal, low, high, section="s", what="it", **more):
    value = None if low is None else (low + high) / 2
    return Fact(ideal, what, f"{what} is told.", 0.5 if value is None else value, low, high, section=section, **more)


@pytest.mark.parametrize(
    ("low", "high", "verdict", "beyond"),
    [
        (0.5, 0.75, MET, 0),  # the ends belong to the ideal
        (0.55, 0.65, MET, -1),  # 0.05 inside, which is one margin
        (0.45, 0.6, OPEN, 0),
        (0.4, 0.8, OPEN, 0),
        (0.85, 0.95, MISSED, 2),  # 0.10 above
        (0.2, 0.35, MISSED, 3),  # 0.15 below
        (None, None, OPEN, 0),
    ],
)
def test_an_ideal_is_met_or_missed_by_a_whole_interval(low, high, verdict, beyond):
    found = fact(HALF, low, high)
    assert found.verdict == verdict
    assert found.beyond == pytest.approx(beyond)


def test_the_scorecard_has_the_worst_of_every_ideal():
    facts = [fact(HALF, 0.55, 0.6, what="a"), fact(HALF, 0.8, 0.9, what="b"), fact(HALF, 0.4, 0.6, what="c")]
    facts += [fact(FEW, 0.0, 0.05, what="d"), fact(no_difference("points"), 0.3, 0.4, what="no ideal")]
    assert [(f.what, f.verdict) for f in scorecard(facts)] == [("b", MISSED), ("d", MET)]


def test_findings_are_ideals_missed_then_effects_then_ideals_met():
    facts = [
        fact(no_difference("points"), 0.3, 0.5, "knobs", "a large effect"),
        fact(no_difference("points"), -0.4, -0.1, "knobs", "a smaller one of the same chart"),
        fact(no_difference("points"), -0.01, 0.02, "readings", "no clear effect"),
        fact(HALF, 0.8, 0.9, "x", "missed by one margin"),
        fact(FEW, 0.3, 0.4, "y", "missed by four"),
        fact(Ideal("at least 1", least=1, unit="turns"), 0, 3, "z", "not clear"),
        fact(Ideal("up to 1", most=1.0), 0.2, 0.3, "w", "met"),
        fact(Ideal("up to 9", most=9.0), 0.2, 0.3, "v", "met with more room"),
    ]
    told = [f.what for f in findings(facts, most=4)]
    assert told == ["missed by four", "missed by one margin", "a large effect", "met"]
    assert [f.what for f in findings(facts, most=2)] == told[:2]


def test_how_far_off_is_told_in_the_unit():
    minutes = Ideal("at most 45 minutes", most=45, unit="minutes")
    assert fact(minutes, 60, 64, margin=2.25).distance == "at least 15.0 minutes from the ideal that at most 45 minutes"
    assert fact(HALF, 0.85, 0.95).distance == "at least 10.0 points from the ideal that a half to three quarters"
    assert fact(no_difference("points"), -0.4, -0.2).distance == "at least 20.0 points from making no difference"
    assert fact(no_difference("%"), 0.5, 0.7).shown == "60.0% (50.0 to 70.0)"
    assert fact(HALF, 0.5, 0.7).shown == "60% (50% to 70%)"


def test_a_summary_counts_verdicts_and_names_what_must_be_settled():
    facts = [fact(HALF, 0.8, 0.9, what="wins"), fact(FEW, 0.0, 0.05), fact(Ideal("other", most=0.5), 0.4, 0.6)]
    assert summary("Game", facts, ["hop", "gate"]) == (
        "Game meets 1 of 3 ideals of this report, misses 1; 1 is not clear. Missed: wins 85% (80% to 90%). "
        "To be settled in its rules: hop and gate."
    )
    assert summary("Game", facts[1:2], []) == "Game meets 1 of 1 ideals of this report, misses none."


def test_intervals_that_hold_together_are_wider():
    """Of 5 comparisons each has 99%: 2.5758 instead of 1.9600 standard errors."""
    low, high = widened({"share": 0.5, "low": 0.4, "high": 0.6}, "share", 5)
    assert (low, high) == (pytest.approx(0.5 - 0.1 * 2.5758 / 1.96, abs=1e-4), pytest.approx(0.6314, abs=1e-4))
    assert widened({"share": 0.5, "low": None, "high": None}, "share", 5) == (None, None)


def test_the_seat_that_is_furthest_ahead_lies_between_the_largest_ends():
    """Two seats at 2.2414 instead of 1.9600 standard errors: 0.56 -+ 0.0457, 0.44 -+ 0.0457, each less its part of one half."""
    seats = pl.DataFrame({"share": [0.44, 0.56], "low": [0.4, 0.52], "high": [0.48, 0.6], "level": [0.5, 0.5]})
    ahead = ahead_of_part(seats)
    assert ahead["share"] == pytest.approx(0.06)
    assert (ahead["low"], ahead["high"]) == (pytest.approx(0.0143, abs=1e-4), pytest.approx(0.1057, abs=1e-4))


def test_what_stands_above_a_chart_is_one_sentence():
    assert first_and_rest("It wins 3.5 (2 to 4). The rest loses. So 2 lose.") == (
        "It wins 3.5 (2 to 4).",
        ["The rest loses.", "So 2 lose."],
    )


def test_seats_are_told_from_the_games():
    """Of 100 games of two, seat 1 wins 80, so is ahead of its half by 30 points."""
    wins = [1.0] * 80 + [0.0] * 20
    table = pl.DataFrame(
        {
            "run": "r",
            "game": [g for g in range(100) for _ in (1, 2)],
            "seat": [1, 2] * 100,
            "bot": "greedy",
            "players": 2,
            "win": [w for one in wins for w in (one, 1 - one)],
        }
    )
    section = seat_section(table)
    assert "seat 1 of 2 wins 80% (71.1% to 86.7%) where 50% is level" in section.sentence
    assert section.facts[0].value == pytest.approx(0.3)
    assert section.facts[0].verdict == MISSED
    assert "finds an advantage (p < 0.001" in section.more[0]


def importance_of(**rows):
    """What `metrics.importance` gives: by feature the odds ratio, its ends and the lower end of what it is missed by."""
    table = [
        {"feature": name, "odds_ratio": ratio, "low": low, "high": high, "drop_low": drop}
        for name, (ratio, low, high, drop) in rows.items()
    ]
    found = pl.DataFrame(table)
    return found.with_columns(
        auc=pl.lit(0.61), auc_low=pl.lit(0.57), auc_high=pl.lit(0.65), note=pl.lit(None, pl.String)
    )


def test_features_are_told_only_where_they_are_surely_missed():
    found = importance_of(straight=(1.281, 1.186, 1.384, 0.02), tee=(1.1, 1.03, 1.22, -0.001))
    section = told_features(found)
    assert section.sentence.endswith("those that go with wins most are straight (odds times 1.28, 1.19 to 1.38).")
    assert "61% (57% to 65%)" in section.more[0]
    assert "no single one is surely missed" in told_features(found[1:]).sentence
    nothing = found.with_columns(pl.lit("nothing goes with wins measurably").alias("note"))
    assert "none goes with wins measurably" in told_features(nothing).sentence


def test_the_knob_that_moves_a_grid_is_told():
    """Side settles who wins, of all 40 deals, and supply nothing."""
    cells = [(side, supply, deal) for side in (3, 4) for supply in (9, 12) for deal in range(40)]
    rows = [{"side": s, "supply": o, "game_seed": d, "win": float(s == 3 and d > 3)} for s, o, d in cells]
    table = pl.DataFrame(rows).with_columns(pl.lit("greedy").alias("bot"), pl.lit(1).alias("seat"))
    table = table.with_columns(pl.format("{}-{}", "side", "supply").alias("run"), pl.col("game_seed").alias("game"))
    section = weight_section(table, ["supply", "side"], "win", "the wins")
    assert section.sentence.startswith(
        "Of the variance of the wins between the 4 cells of the grid are due, each by itself, to: side 100%"
    )
    assert "supply 0%" in section.sentence
    assert "Not measured" in weight_section(table.with_columns(win=0.0), ["supply", "side"], "win", "the wins").sentence


# --- The studies --------------------------------------------------------------------------------------------------

# By game: its sections, in order.
SECTIONS = {
    "rift": (
        "skill ladder luck features contests conditions failures lost minutes tension options numbers ways exploit readings knobs supply side "
        "weights side_supply side_supply_grown decks"
    ),
    "cosmic": (
        "skill ladder ladder_pairs seats strength luck features minutes length endings tension lead options numbers ways takes takes_balance "
        "occupying layout readings knobs life oinks capture_limit points"
    ),
    "umbra": (
        "skill ladder ladder_pairs seats track strength luck features together minutes length endings stuck tension lead options paths ways "
        "bidding spending ranks readings knobs race soul bid_ties mix"
    ),
}
PLAN = Plan(2, 3, None, False)  # two games a cell


@pytest.fixture(scope="module", autouse=True)
def quick_ladders():
    """Ratings resampled and clocks looked at but a few times: both are tested elsewhere, and take longer than so few games."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ladders, "RESAMPLES", 20)
        patch.setattr(ladders, "COST_SECONDS", 0.02)
        yield


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return write_report(tmp_path_factory.mktemp("report"), games=PLAN.games, seed=PLAN.seed, of=[WRITTEN])


@pytest.fixture(scope="module")
def studies():
    """Games' studies by name, each played when it is first asked for."""
    played = {}

    def of(game):
        if game not in played:
            played[game] = report_page.study_of(game, PLAN)
        return played[game]

    return of


@pytest.mark.parametrize("game", [name for name in GAMES if name != WRITTEN])
def test_two_games_a_cell_are_enough_to_say_something(studies, game):
    study = studies(game)
    assert [section.name for section in study.sections] == SECTIONS[game].split()
    for section in study.sections:
        assert section.sentence.endswith(".")
        assert section.numbers.height
        json.dumps(section.chart.to_dict(), allow_nan=False)
        assert all(fact.section == section.name and fact.words for fact in section.facts)
    assert len(verdict_lines(study)) == 5
    assert 1 <= len(findings(study.facts)) <= 5
    assert len(scorecard(study.facts)) >= 8


def told(row, names=("share", "low", "high")):
    """`74% (72% to 76%)`, as the report writes a share."""
    texts = []
    for name in names:
        text = f"{row[name] * 100:.1f}".removesuffix(".0")
        small, large = text == "0" and row[name] > 0, text == "100" and row[name] < 1
        texts.append("under 0.1%" if small else "over 99.9%" if large else f"{text}%")
    return f"{texts[0]} ({texts[1]} to {texts[2]})"


def row_of(numbers, where):
    for column, value in where.items():
        numbers = numbers.filter(pl.col(column) == value)
    return numbers.row(0, named=True)


@pytest.mark.parametrize(
    ("game", "name", "where"),
    [
        ("cosmic", "skill", {"budget": 25}),
        ("cosmic", "strength", {"players": 4}),
        ("cosmic", "endings", {"players": "3 players", "ending": "captures"}),
        ("cosmic", "oinks", {"bot": "greedy", "oinks": 13}),
        ("cosmic", "capture_limit", {"bot": "greedy", "capture_limit": 5}),
        ("cosmic", "takes", {"match": "only-occupy against only-capture"}),
        ("cosmic", "takes", {"match": "rich-draft against greedy"}),
        ("umbra", "skill", {"budget": 4}),
        ("umbra", "strength", {"players": 3}),
        ("umbra", "track", {"players": 4, "place": "1"}),
        ("umbra", "stuck", {"side": 5, "bot": "random"}),
        ("umbra", "together", {"variant": "players 2", "bot": "greedy"}),
        ("umbra", "bidding", {"match": "lump against greedy"}),
    ],
)
def test_sentences_are_computed_from_the_numbers(studies, game, name, where):
    section = next(s for s in studies(game).sections if s.name == name)
    assert told(row_of(section.numbers, where)) in section.sentence


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("skill", {"bot": "mcts:25"}),
        ("supply", {"bot": "greedy", "supply": 15}),
        ("side", {"tiles": "deck as it is", "side": 4}),
        ("side", {"tiles": "deck grown with the ring", "side": 7}),
        ("exploit", {"bot": "hoarder", "supply": 15}),
        ("exploit", {"bot": "hoarder", "supply": 5}),
        ("contests", {"bot": "greedy", "standing": "points"}),
    ],
)
def test_sentences_on_a_page_are_those_of_its_numbers(report, name, where):
    row = row_of(pl.read_parquet(report.parent / f"{WRITTEN}_{name}.parquet"), where)
    text = (report.parent / f"{WRITTEN}.html").read_text(encoding="utf-8")
    section = re.search(rf'<section id="{name}">.*?</section>', text, flags=re.DOTALL)[0]
    assert told(row) in html.unescape(re.sub("<picture>.*?</picture>|<table>.*?</table>", "", section))


@pytest.mark.parametrize(
    "game", [WRITTEN, *(pytest.param(name, marks=pytest.mark.long) for name in GAMES if name != WRITTEN)]
)
def test_the_same_seed_gives_the_same_numbers(report, studies, game):
    """Also on another number of workers: the tables behind the charts, value by value, and all that is said of them."""
    again = report_page.study_of(game, Plan(PLAN.games, PLAN.seed, 1, False))
    for section in again.sections:
        if game == WRITTEN:
            stored = pl.read_parquet(report.parent / f"{game}_{section.name}.parquet")
        else:
            before = next(s for s in studies(game).sections if s.name == section.name)
            stored = before.numbers
            assert section.facts == before.facts
        assert section.numbers.drop(section.measured).equals(stored.drop(section.measured)), section.name


def test_games_that_all_come_out_alike_leave_nothing_to_account_for():
    """Nobody wins on a ring of side 5 with so few tiles."""
    section = luck_section(tkg.rift(side=5), ("greedy",), PLAN)
    assert section.sentence == "All 8 replayed games came out alike, so there is nothing to account for."
    assert section.facts == ()


# By game: knobs that no study varies, since they are fixed or no rule of the game.
NOT_VARIED = {"rift": {"hand"}, "cosmic": {"max_turns"}, "umbra": {"max_rounds"}}


@pytest.mark.parametrize("game", GAMES)
def test_the_study_varies_every_knob(game):
    """Readings are gone through by `tkg.readings`."""
    variants = [v for _, v in import_module(f"tkg.report.{game}").study_cells()]
    for knob in rules_of(game).KNOBS:
        if knob.name not in NOT_VARIED[game]:
            assert len({str(v[knob.name]) for v in variants}) > 1, knob.name


def test_the_grown_deck_gives_every_cell_as_many_turns():
    """Side 3: 15 turns for 8 cells. Side 5: 16 cells, 30 turns, 93 tiles; side 4: 12 cells, 22.5 turns, so 23, 72 tiles."""
    assert grown_with_ring(tkg.rift(side=3)).deck.total == 48
    assert grown_with_ring(tkg.rift(side=4)).deck.total == 72
    assert grown_with_ring(tkg.rift(side=5)).deck.total == 93


# --- The folder ---------------------------------------------------------------------------------------------------


def test_every_chart_has_its_files_numbers_and_words(report):
    text = (report.parent / f"{WRITTEN}.html").read_text(encoding="utf-8")
    names = re.findall(r'<section id="(\w+)">', text)
    assert names == SECTIONS[WRITTEN].split()
    for name in names:
        for ending in ("png", "svg", "pdf", "csv", "parquet"):
            assert (report.parent / f"{WRITTEN}_{name}.{ending}").stat().st_size > 50
            assert f'href="{WRITTEN}_{name}.{ending}" download' in text
        assert pl.read_parquet(report.parent / f"{WRITTEN}_{name}.parquet").height > 0
        assert f'href="#{name}"' in text
    alts = re.findall(r'<img [^>]*alt="([^"]*)"', text)
    assert len(alts) == len(names)
    for name, words in zip(names, alts, strict=True):
        assert len(words) > 40
        assert f'aria-label="{words}"' in (report.parent / f"{WRITTEN}_{name}.svg").read_text(encoding="utf-8")
    assert pl.read_parquet(report.parent / f"{WRITTEN}_readings_all_measures.parquet").height > 0
    assert not [p for p in report.parent.iterdir() if p.name.startswith(".part")]


def test_the_overview_tells_how_the_numbers_were_made(report):
    text = report.read_text(encoding="utf-8")
    for words in ("stand-in", "One seed, 3,", "2 a cell and bot", "They are not people", f'href="{WRITTEN}.html"'):
        assert words in text
    ideals = len(re.findall(r'<th scope="row">', text))
    page = (report.parent / f"{WRITTEN}.html").read_text(encoding="utf-8")
    assert ideals == len(re.findall(r'<th scope="row">', page)) >= 6


def test_an_existing_report_is_kept_without_force(report, capsys):
    before = report.stat().st_mtime_ns
    assert main(["report", "--out", str(report.parent), "--games", "2"]) == 2
    assert "exists" in capsys.readouterr().err
    assert report.stat().st_mtime_ns == before


def test_a_report_that_is_broken_off_leaves_the_old_one(tmp_path, monkeypatch):
    (tmp_path / "index.html").write_text("the old one")

    def broken_off(game, plan):
        raise KeyboardInterrupt

    monkeypatch.setattr(report_page, "study_of", broken_off)
    with pytest.raises(KeyboardInterrupt):
        write_report(tmp_path, games=2, force=True)
    assert [p.name for p in tmp_path.iterdir()] == ["index.html"]
    assert (tmp_path / "index.html").read_text() == "the old one"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"games": 1}, "at least 2 games a cell"),
        ({"of": ["rifd"]}, "no game 'rifd'.*rift"),
        ({"of": []}, "at least one"),
    ],
)
def test_what_makes_no_report_is_refused(tmp_path, wrong, words):
    with pytest.raises(Refused, match=words):
        write_report(tmp_path / "new", **wrong)
    assert not (tmp_path / "new").exists()


# --- In a browser -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def opened(browser, path, **context):
    """(page, all that failed or asked for the network)."""
    failed = []
    page = browser.new_context(offline=True, **context).new_page()
    page.on("request", lambda r: None if r.url.startswith(("file:", "data:")) else failed.append(r.url))
    page.on("requestfailed", lambda r: failed.append(r.url))
    page.on("pageerror", lambda e: failed.append(str(e)))
    page.goto(path.as_uri())
    return page, failed


DARK_USED = "all => all.filter(i => i.currentSrc !== i.src).length"
SIZES = "all => Promise.all(all.map(i => i.decode().then(() => [i.naturalWidth, i.naturalHeight])))"


def test_the_pages_open_without_network_in_light_and_dark_and_print_in_light(report, browser):
    charts = len(SECTIONS[WRITTEN].split())
    for scheme in ("light", "dark"):
        page, failed = opened(browser, report.parent / f"{WRITTEN}.html", color_scheme=scheme)
        sizes = page.eval_on_selector_all("img", SIZES)
        assert len(sizes) == charts
        assert all(width > 200 and height > 40 for width, height in sizes)
        assert page.eval_on_selector_all("img", DARK_USED) == (charts if scheme == "dark" else 0)
        assert failed == []
    page.emulate_media(media="print")
    page.wait_for_function("[...document.images].every(i => i.currentSrc === i.src)")
    assert not page.locator(".files").first.is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_a_small_screen_scrolls_charts_and_tables_and_not_the_page(report, browser):
    small = {"width": 400, "height": 800}
    for name in ("index", WRITTEN):
        page, failed = opened(browser, report.parent / f"{name}.html", viewport=small)
        assert page.evaluate("document.documentElement.scrollWidth") <= small["width"]
        assert failed == []
    assert page.evaluate("document.querySelector('.chart').scrollWidth") > small["width"]
    assert page.get_attribute(".chart", "tabindex") == "0"  # so that the keyboard can scroll it
    page.click("a[href='#minutes'] >> nth=0")
    assert page.url.endswith("#minutes")

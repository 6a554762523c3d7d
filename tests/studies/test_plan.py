"""Files of studies: read, checked whole before anything is played, and told before they run."""

from __future__ import annotations

from pathlib import Path

import pytest

import tkg
from tkg.cli import main
from tkg.studies import plan
from tkg.studies.plan import axis_from_text, describe, in_words, make_study, read_study
from tkg.studies.running import show_plan, sweep

STUDIES = Path(tkg.__file__).parents[1] / "data" / "studies"
GOOD = {"game": '"rift"', "bots": '"random"', "games": "5", "axes": "{ supply = [9, 12] }"}


def written(folder: Path, **entries: str) -> Path:
    """A study file with these entries beside or instead of the good ones; an empty one is left out."""
    path = folder / "study.toml"
    path.write_text("\n".join(f"{name} = {value}" for name, value in {**GOOD, **entries}.items() if value))
    return path


def test_a_file_says_everything(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import tkg\n@tkg.register_bot('filed', game='umbra')\ndef f(s, o):\n    return o[0]\n"
    )
    path = tmp_path / "many.toml"
    path.write_text(
        'game = "umbra"\nquestion = "Who wins?"\ndesign = "one-at-a-time"\nbots = ["greedy,random", "filed"]\ngames = 7\n'
        'seed = 3\nfixed_seats = true\nown = ["mine.py"]\n[base]\nplayers = 2\ntiles = "straight:5,curve:6"\n'
        '[axes]\ndraw = { from = 4, to = 6, step = 2 }\nclaim = ["any"]\n'
    )
    study = read_study(path)
    variants = [str(cell.run.variant) for cell in study.cell_runs[::2]]
    assert [cell.run.bots for cell in study.cell_runs[:2]] == [("greedy", "random"), ("filed",)]
    assert study.name == "many"
    assert study.question == "Who wins?"
    assert all("tiles=straight:5,curve:6" in v for v in variants)
    assert [cell.labels["axis"] for cell in study.cell_runs[::2]] == ["default", "draw", "draw", "claim"]
    assert {cell.run.games for cell in study.cell_runs} == {7}
    assert all(cell.run.fixed_seats and cell.run.seed == 3 for cell in study.cell_runs)


@pytest.mark.parametrize("file", sorted(STUDIES.glob("*.toml")), ids=lambda path: path.stem)
def test_shipped_studies_are_sound(file: Path) -> None:
    study = read_study(file)
    assert study.question.endswith("?")
    assert read_study(STUDIES.parent / "studies" / file.name).unique_runs == study.unique_runs


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({"game": ""}, "the entry 'game' is missing"),
        ({"game": '"chess"'}, "no game 'chess'"),
        ({"games": '"many"'}, "games is 'many'; a whole number is needed"),
        ({"games": "true"}, "games is True; a whole number is needed"),
        ({"games": "0"}, "games=0: a whole number from 1"),
        ({"gamess": "5"}, "no entry 'gamess'.*did you mean games"),
        ({"bots": "[1]"}, "text or a list of texts is needed"),
        ({"bots": "[]"}, "at least one choice is needed"),
        ({"bots": '"greedyy"'}, "cell .*greedyy"),
        ({"bots": '"mcts:0.2s"'}, "time"),
        ({"axes": "{}"}, "needs at least one axis"),
        ({"axes": "{ supply = [] }"}, "supply: the axis has no values"),
        ({"axes": "{ supply = { from = 3, to = 9, step = 0 } }"}, "a step from 1"),
        ({"axes": "{ supply = { from = 9, to = 3 } }"}, "from 9 to 3; a range rises"),
        ({"axes": "{ supply = [900] }"}, "cell supply=900: supply=900"),
        ({"axes": '{ gate = ["floor"] }'}, "gate=floor: one of"),
        ({"axes": "{ suply = [9] }"}, "did you mean supply"),
        ({"base": "{ side = 99 }"}, "side=99"),
        ({"design": '"latin"'}, "points=None"),
        ({"own": '"nowhere.py"'}, "there is no such file"),
        ({"stop": '{ rule = "until" }'}, "rule 'until'; one of within, compare"),
        ({"seed": "-1"}, "seed"),
        ({"games": "5 5"}, "study.toml: .*line 3"),
    ],
)
def test_wrong_entries_are_refused_with_the_file(tmp_path: Path, entries: dict[str, str], words: str) -> None:
    with pytest.raises(tkg.Refused, match=rf"study\.toml: .*{words}|{words}"):
        read_study(written(tmp_path, **entries))


def test_slips_on_the_command_line_are_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    slips = {
        ("study", "nowhere.toml"): "nowhere.toml: there is no such file",
        ("study", "nothing_of_this_name"): "there is no such file",
        ("study", str(written(tmp_path)), "--engine", "cluster"): "local, or dask://HOST:PORT",
        ("study", str(written(tmp_path)), "--engine", "dask://here"): "such as dask://127.0.0.1:8786",
        ("study", str(written(tmp_path)), "--engine", "dask://127.0.0.1:1", "--workers", "2"): "leave --workers out",
        ("study", str(written(tmp_path)), "--by", "colour", "--to", str(tmp_path / "s")): "its axes are supply",
        ("sweep", "rift", "--vary", "supply"): "written NAME=VALUE;VALUE",
        ("sweep", "rift", "--vary", "supply=3..x"): "FROM..TO:STEP",
        ("sweep", "rift", "--vary", "supply=9..3"): "from 9 to 3; a range rises",
        ("sweep", "rift", "--vary", "supply=3", "--vary", "supply=4"): "varied twice",
        ("sweep", "rift", "--vary", "suply=3"): "did you mean supply",
    }
    for arguments, words in slips.items():
        assert main(arguments) == 2, arguments
        errors = capsys.readouterr().err
        assert words in errors, arguments
        assert "Traceback" not in errors


def test_axes_on_the_command_line() -> None:
    rules = tkg.GAMES["rift"]
    assert axis_from_text(rules, "supply=6..12:3") == ("supply", [6, 9, 12])
    assert axis_from_text(rules, "supply=6..8") == ("supply", [6, 7, 8])
    assert axis_from_text(rules, "deck=threes; pure") == ("deck", ["threes", "pure"])
    assert axis_from_text(rules, "supply=20,5,15,0;9") == ("supply", [[20, 5, 15, 0], 9])


def test_cells_that_come_to_the_same_are_played_once() -> None:
    study = make_study("s", tkg.rift, {"supply": [15, 15, (15, 15, 15, 15)]}, ["random"], 5, 0)
    assert [cell.labels["supply"] for cell in study.cell_runs] == [15]


@pytest.mark.parametrize("design", ["grid", "one-at-a-time"])
def test_a_cell_that_is_named_twice_stands_there_once(design: str) -> None:
    """Else its games would count twice, under one name."""
    axes = {"supply": [9, 12, 9, 12], "side": [3, 3]}
    study = make_study("s", tkg.rift, axes, ["greedy", "random", ["greedy"]], 5, 0, design=design)
    named = [tuple(cell.labels.values()) for cell in study.cell_runs]
    assert len(set(named)) == len(named) == 2 * (2 if design == "grid" else 3)
    assert sweep(tkg.rift, games=5, design=design, **axes).height == 5 * len(named) // 2


def test_contests_beside_bots_that_play_alone_are_refused() -> None:
    with pytest.raises(tkg.Refused, match="play them apart"):
        make_study("s", tkg.rift, {"supply": [9]}, ["greedy", "greedy,random"], 5, 0)


def test_the_plan_counts_what_is_left() -> None:
    """12 runs of 1,000 games, of which one is there and half of another: 10,500 left, at 10 and 100 ms, on two workers."""
    study = make_study("s", tkg.rift, {"supply": [6, 9, 12], "side": [3, 4]}, ["greedy", "mcts:4"], 1000, 7)
    stored = dict.fromkeys((cell.key for cell in study.cell_runs), 0)
    stored[study.cell_runs[0].key] = 1000  # of greedy
    stored[study.cell_runs[3].key] = 500  # of mcts:4
    lines = describe(study, stored, {("greedy",): 0.01, ("mcts:4",): 0.1}, 2, "2 workers here")
    assert lines == [
        "s",
        "grid: supply (3) x side (2): 6 cells, bots greedy; mcts:4, seed 7",
        "12 runs of 1,000 games: 12,000 games, 1,500 of them played already",
        "expected: about 5 min on 2 workers here",  # (5,000 x 0.01 + 5,500 x 0.1) / 2 = 300 s
    ]


def test_the_plan_is_shown_and_nothing_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "PROBE_SECONDS", 0.01)
    lines = show_plan(read_study(written(tmp_path)), to=tmp_path / "s")
    assert lines[2] == "2 runs of 5 games: 10 games, 0 of them played already"
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "1 s"), (89, "89 s"), (91, "2 min"), (5399, "90 min"), (5400, "1.5 h")]
)
def test_times_to_wait_in_words(seconds: float, words: str) -> None:
    assert in_words(seconds) == words

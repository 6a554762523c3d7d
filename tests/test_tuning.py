"""Tuning: a candidate is weighed right, a run that was stopped goes on as if it had not been, and a fit beats no fit."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import tkg
from tkg.bots.minds import SEARCH, read_mind, write_mind
from tkg.bots.table import mind_of
from tkg.cli import main
from tkg.rules.games import GAMES
from tkg.rules.kernel import COMPILING
from tkg.tuning import SEEDS, Task, Tuner, fit_judge, make_task, tune_bot, worth_of

pytestmark = pytest.mark.skipif(not COMPILING, reason="many games")


def task_of(game: str, deals: int = 3) -> Task:
    return make_task(game, [], "greedy", "greedy", deals, 1)


def changed(game: str, **weights: float) -> np.ndarray:
    """The shipped weights, and others beside them."""
    other = mind_of(game).copy()
    for name, value in weights.items():
        other[name] = value
    return np.concatenate([mind_of(game), other]).view(np.recarray)


def test_weights_that_change_nothing_are_level(game: str) -> None:
    """The same weights in every seat of the same deals: the victories of each deal add up to one."""
    task = task_of(game)
    worth, error = worth_of(task, changed(game), SEEDS, 4)
    if task.variants[0][1].seats > 1:
        assert worth == pytest.approx(1)
        assert error == pytest.approx(0)
    else:
        assert worth == worth_of(task, changed(game, level=0.0), SEEDS, 4)[0]


def test_what_a_greedy_player_never_reads_is_not_tuned_by_its_games(game: str) -> None:
    judge = import_module(f"tkg.bots.{game}").JUDGE
    assert not {*judge, *SEARCH} & set(task_of(game).weights)
    assert {*judge} <= set(make_task(game, [], "mcts:5", "greedy", 2, 1).weights)
    with pytest.raises(tkg.Refused, match="never reads it"):
        make_task(game, [judge[0]], "greedy", "greedy", 2, 1)


def test_worse_weights_are_worth_less() -> None:
    level, _ = worth_of(task_of("rift"), changed("rift"), SEEDS, 40)
    assert worth_of(task_of("rift"), changed("rift", empty=0.0, lack=0.0, hinge=0.0), SEEDS, 40)[0] < level - 0.1
    assert worth_of(task_of("cosmic"), changed("cosmic", reply=0.0, after=0.0), SEEDS, 20)[0] < 0.8
    assert worth_of(task_of("umbra"), changed("umbra", win_doubt=100.0, prospect=0.0), SEEDS, 20)[0] < 0.9


@pytest.mark.long
def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = make_task("umbra", ["strength", "prospect"], "greedy", "greedy", 2, 3)
    whole, taken_up = tmp_path / "whole.json", tmp_path / "new" / "taken_up.json"
    words = tune_bot(task, whole, 3, population=4, workers=2)
    step = Tuner.step

    def stopped(self: Tuner, pool: ThreadPoolExecutor) -> float:
        if self.generation == 2:
            raise KeyboardInterrupt
        return step(self, pool)

    monkeypatch.setattr(Tuner, "step", stopped)
    with pytest.raises(KeyboardInterrupt):
        tune_bot(task, taken_up, 3, population=4, workers=1)
    monkeypatch.undo()
    assert not taken_up.exists()
    with pytest.raises(tkg.Refused, match="left of another run"):
        tune_bot(make_task("umbra", ["strength"], "greedy", "greedy", 2, 3), taken_up, 3, population=4)
    assert tune_bot(task, taken_up, 3, population=4, workers=1) == words
    assert taken_up.read_bytes() == whole.read_bytes()
    assert [path.name for path in taken_up.parent.iterdir()] == ["taken_up.json"]
    found = read_mind(whole, mind_of("umbra").dtype)
    differs = [name for name in found.dtype.names or () if found[name] != mind_of("umbra")[name]]
    assert differs == ["strength", "prospect"]


@pytest.mark.parametrize(
    "game", [game if n == 0 else pytest.param(game, marks=pytest.mark.long) for n, game in enumerate(GAMES)]
)
def test_a_fit_says_more_than_none(tmp_path: Path, game: str) -> None:
    """Begun at weights that tell nothing, the fit is less surprised by games that it has not seen."""
    start = mind_of(game).copy()
    task = make_task(game, [], "greedy", "greedy", 200, 2)
    for name in import_module(f"tkg.bots.{game}").JUDGE:
        start[name] = 0.0
    write_mind(tmp_path / "start.json", start, "nothing")
    fit_judge(task, tmp_path / "found.json", start=tmp_path / "start.json")
    told = json.loads((tmp_path / "found.json").read_text())["found"]
    fitted, _, without = (float(words.split()[0]) for words in told.split("surprise a position ")[1].split(", ")[:3])
    assert fitted < without


@pytest.mark.parametrize("game", GAMES)
def test_the_shipped_weights_say_how_they_were_found(game: str) -> None:
    path = Path(tkg.__file__).parent / "bots" / "weights" / f"{game}.json"
    told = json.loads(path.read_text(encoding="utf-8"))
    assert len(told["found"]) > 40
    assert list(told["weights"]) == list(mind_of(game).dtype.names or ())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess"], "no game 'chess'"),
        (["umbra", "--weights", "strenght"], "no such weight; there are"),
        (["umbra", "--deals", "1"], "at least two"),
        (["umbra", "--generations", "0"], "at least one generation"),
        (["umbra", "--bot", "gredy"], "did you mean greedy"),
        (["umbra", "--bot", "random"], "plays by no weights; greedy does"),
        (["rift", "--bot", "hoarder"], "plays by no weights; greedy does"),
        (["umbra", "--bot", "uct:5", "--weights", "strength"], "uct:5 never reads it"),
        (["umbra", "--bot", "greedy", "--weights", "explore"], "greedy never reads it"),
        (["umbra", "--seed", "-9007199254740992"], "seed"),
        (["umbra", "--start", "nowhere.json"], "nowhere.json cannot be read"),
    ],
)
def test_slips_are_told_in_a_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["tune-bot", *arguments, "--out", str(tmp_path / "w.json")]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("judge", [[], ["--judge"]], ids=["tune", "judge"])
@pytest.mark.parametrize(
    ("out", "words"), [(".", "is a folder"), ("w.json", "w.json exists; --force"), ("w.json/x", "cannot be")]
)
def test_a_place_that_will_not_do_is_refused_before_anything_is_played(
    out: str, words: str, judge: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "w.json").write_text("kept")
    assert main(["tune-bot", "umbra", *judge, "--deals", "1000000", "--out", f"{tmp_path}/{out}"]) == 2
    assert words in capsys.readouterr().err
    assert (tmp_path / "w.json").read_text() == "kept"


@pytest.mark.parametrize("text", ["", "[]", '{"weights": 3}', '{"weights": {"strength": "much"}}', '{"weights": {}}'])
def test_a_file_that_holds_no_weights_is_told(text: str, tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    path.write_text(text)
    with pytest.raises(tkg.Refused, match=r"w\.json: .*weight"):
        read_mind(path, mind_of("umbra").dtype)

"""Bots of one's own: named, asked through what their seat sees, played beside compiled ones, and told where they go wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest

import tkg
from tkg import bulk
from tkg.bots import registered as registry
from tkg.bots.table import bot_names, bots_of, examples
from tkg.bulk import make_run, run_of_file
from tkg.cli import main
from tkg.estimates import OWN_PLAYOUTS
from tkg.own_bots import BotFailed
from tkg.panels.explorer import Explorer
from tkg.rules.chance import BOT, derive_exact
from tkg.tuning import make_task

VARIANTS = {"umbra": tkg.umbra(), "cosmic": tkg.cosmic(side=3), "rift": tkg.rift()}
FILE = """
import tkg

@tkg.register_bot("filed", game="umbra")
def filed(seen, options):
    return options[0]
"""


@pytest.fixture(autouse=True)
def nobody() -> Iterator[None]:
    """No bots but those of the test."""
    kept = dict(registry.REGISTERED)
    registry.REGISTERED.clear()
    yield
    registry.REGISTERED.clear()
    registry.REGISTERED.update(kept)


@pytest.fixture
def first() -> str:
    return named("first", lambda seen, options: options[0])


@pytest.fixture
def drawn() -> str:
    return named("drawn", lambda seen, options, luck: luck.choice(options))


def named(name: str, function: Callable[..., Any]) -> str:
    tkg.register_bot(name, function)
    return name


# --- What a bot is given ------------------------------------------------------------------------------------------


def test_a_bot_sees_what_its_seat_sees_and_is_asked_where_there_is_a_choice(game: str) -> None:
    asked: list[tuple[Any, list[str], str]] = []

    def bot(seen: Any, options: list[str], luck: Random) -> str:
        chosen = luck.choice(options)
        asked.append((seen, list(options), chosen))
        options.clear()  # its own to change
        return chosen

    tkg.register_bot("witness", bot)
    played = tkg.play_again(VARIANTS[game], "witness", 5)
    told = iter(list(asked))
    again = tkg.new(played.variant, 5)
    for action in played.actions:
        if len(again.legal) > 1:
            assert again.seat is not None
            assert next(told) == (again.view(again.seat), again.legal, action)
        again.play(action)
    assert again.over
    assert next(told, None) is None
    json.dumps(asked)


def test_luck_is_drawn_as_that_of_compiled_bots(drawn: str) -> None:
    """Keyed by the game's seed, the seat and the decision, whoever sits in the other seats."""
    game = tkg.play_again(tkg.umbra(), f"random,{drawn}", 3)
    again = tkg.new(tkg.umbra(), 3)
    for decision, action in enumerate(game.actions):
        if again.seat == 2:
            luck = Random(derive_exact(derive_exact(derive_exact(3, BOT), 1), decision))
            assert len(again.legal) == 1 or luck.choice(again.legal) == action
        again.play(action)


def test_a_default_is_no_luck() -> None:
    named("deep", lambda seen, options, depth=3: options[-depth % len(options)])
    assert tkg.play_again(tkg.umbra(), "deep", 1).over


# --- Playing ------------------------------------------------------------------------------------------------------


def test_one_table_for_one_seed(game: str, drawn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "LARGEST_BLOCK", 2)
    variant = VARIANTS[game]
    tables = [tkg.simulate(variant, [drawn, "greedy"], games=6, seed=2, workers=n) for n in (1, 2)]
    assert tables[0].equals(tables[1])
    compiled = tkg.simulate(variant, ["random", "greedy"], games=6, seed=2)
    assert tables[0].schema == compiled.schema
    shared = ["seed", "game", "game_seed", "seat"]
    assert tables[0].select(shared).equals(compiled.select(shared))
    for row in range(0, 12, 5):
        assert tkg.game_of(tables[0], row).over


@pytest.mark.parametrize("seats", [2, 3])
def test_a_bot_that_chooses_as_a_compiled_one_plays_its_game(seats: int) -> None:
    """Neither the luck of the game nor that of the compiled bots is moved by who asks in between."""
    variant = tkg.umbra(players=seats)
    played = tkg.play_again(variant, ["random"] * seats, 11)
    again, script = tkg.new(variant, 11), []
    for action in played.actions:
        if again.seat == 1 and len(again.legal) > 1:
            script.append(action)
        again.play(action)
    left = iter(script)
    tkg.register_bot("copy", lambda seen, options: next(left))
    mixed = tkg.play_again(variant, ["copy", *["random"] * (seats - 1)], 11)
    assert mixed.actions == played.actions
    assert mixed.result == played.result
    assert next(left, None) is None


def test_counts_are_those_of_the_game(game: str, drawn: str) -> None:
    variant = VARIANTS[game]
    row = tkg.simulate(variant, drawn, games=1, seed=4).row(0, named=True)
    again = tkg.new(variant, row["game_seed"])
    options: dict[str, list[int]] = {kind: [] for kind in variant.rules.KINDS}
    for action in tkg.play_again(variant, drawn, row["game_seed"]).actions:
        assert again.kind is not None
        options[again.kind].append(len(again.legal))
        again.play(action)
    for kind, found in options.items():
        assert row[f"decisions_{kind}"] == len(found)
        assert row[f"options_{kind}"] == sum(found)
        assert row[f"choices_{kind}"] == sum(n > 1 for n in found)
    assert row["decisions"] == len(again.actions)


def test_own_bots_climb_ladders_and_play_sweeps(first: str, drawn: str) -> None:
    found = tkg.ladder(tkg.umbra(side=3), [drawn, "random", "greedy"], deals=3, seed=1)
    assert set(found.standings["bot"]) == {drawn, "random", "greedy"}
    assert found.costs.filter(bot=drawn)["cpu_ms"][0] > found.costs.filter(bot="random")["cpu_ms"][0]
    alone = tkg.ladder(tkg.rift(), [first, "random"], deals=3, seed=1)
    assert alone.standings["games"].to_list() == [3, 3]
    table = tkg.sweep(tkg.umbra, side=[3, 4], bots=[first, "greedy"], games=2, seed=1)
    assert set(table["bot"]) == {first, "greedy"}


def test_own_bots_estimate_and_answer(game: str, first: str, drawn: str) -> None:
    position = tkg.play_again(VARIANTS[game], drawn, 6)
    position.undo(5)
    while len(position.legal) == 1:
        position.undo()
    before = position.actions
    assert tkg.answer(position, first) == position.legal[0]
    estimate = tkg.estimate(position, drawn)
    assert estimate.visits == OWN_PLAYOUTS == sum(o.visits for o in estimate.options)
    assert {o.action for o in estimate.options} <= set(position.legal)
    assert [o.action for o in tkg.estimate(position, first).options] == [position.legal[0]]
    assert position.actions == before


def test_an_answer_is_what_the_bot_plays_in_bulk(drawn: str) -> None:
    played = tkg.play_again(tkg.umbra(), drawn, 8)
    game = tkg.new(tkg.umbra(), 8)
    for action in played.actions[:12]:
        assert tkg.answer(game, drawn) == action
        game.play(action)


# --- Files --------------------------------------------------------------------------------------------------------


def test_a_file_is_read_without_the_bot_and_played_again_with_it(drawn: str, tmp_path: Path) -> None:
    path = tmp_path / "runs.parquet"
    function = registry.REGISTERED[drawn].function
    variant = tkg.umbra()
    tkg.simulate(variant, [drawn, "greedy"], games=3, seed=1, to=path)
    assert run_of_file(path) == make_run(variant, [drawn, "greedy"], 3, 1)
    assert tkg.game_of(tkg.read_runs(path), 2).over
    registry.REGISTERED.clear()
    runs = tkg.read_runs(path).collect()
    assert set(runs["bot"].cast(pl.String)) == {drawn, "greedy"}
    with pytest.raises(
        tkg.Refused, match=r"runs\.parquet was played by the bot 'drawn'.*@tkg\.register_bot\('drawn'\)"
    ):
        run_of_file(path)
    with pytest.raises(tkg.Refused, match=r"row 2 was played by the bot 'drawn'.*@tkg\.register_bot\('drawn'\)"):
        tkg.game_of(runs, 2)
    tkg.register_bot(drawn, lambda seen, options: options[-1])
    with pytest.raises(tkg.Refused, match="or a bot of your own plays otherwise now"):
        tkg.game_of(runs, 2)
    tkg.register_bot(drawn, function, replace=True)
    assert tkg.game_of(runs, 2).over


# --- Names --------------------------------------------------------------------------------------------------------


def test_a_registered_bot_is_listed_where_it_plays(first: str) -> None:
    tkg.register_bot("here", lambda seen, options: options[0], game="umbra")
    for game in tkg.GAMES:
        assert first in bots_of(game)
        assert first in examples(game)
        assert ("here" in bots_of(game)) == ("here" in examples(game)) == (game == "umbra")
    assert set(Explorer("umbra").bots.options) >= {first, "here"}
    assert bot_names("umbra", "here,first") == ("here", "first")
    with pytest.raises(tkg.Refused, match="no bot 'here' plays rift"):
        tkg.simulate(tkg.rift(), "here", games=1)


def test_a_decorator_gives_the_function_back() -> None:
    @tkg.register_bot("plain")
    def plain(seen: Any, options: list[str]) -> str:
        """Words."""
        return options[0]

    assert plain(None, ["x"]) == "x"
    assert plain.__doc__ == "Words."


def test_the_same_function_may_come_again_and_another_may_not() -> None:
    def cell() -> Callable[..., str]:
        @tkg.register_bot("mine")
        def mine(seen: Any, options: list[str]) -> str:
            return options[0]

        return mine

    cell()
    newest = cell()
    assert registry.REGISTERED["mine"].function is newest

    def other(seen: Any, options: list[str]) -> str:
        return options[-1]

    with pytest.raises(
        tkg.Refused, match=r"'mine' is registered already, as .*mine; take another name, or say replace"
    ):
        tkg.register_bot("mine", other)
    tkg.register_bot("mine", other, replace=True)
    assert registry.REGISTERED["mine"].function is other


@pytest.mark.parametrize("name", ["my-bot", "my:bot", "a,b", "", "2nd", "a b", "ä", None, 3])
def test_a_name_is_a_word(name: Any) -> None:
    with pytest.raises(tkg.Refused, match="a name is a word of letters, digits and _"):
        tkg.register_bot(name, lambda seen, options: options[0])


@pytest.mark.parametrize("name", ["random", "greedy", "uct", "mcts", "peek", "hoarder"])
def test_the_names_of_shipped_bots_are_taken(name: str) -> None:
    with pytest.raises(tkg.Refused, match="is there already"):
        tkg.register_bot(name, lambda seen, options: options[0], replace=True)


@pytest.mark.parametrize("function", [3, "greedy", lambda seen: "", lambda a, b, c, d: "", lambda: ""])
def test_what_is_no_bot_is_refused(function: Any) -> None:
    with pytest.raises(tkg.Refused, match=r"is not a function of what a seat sees, its options"):
        tkg.register_bot("odd", function)
    with pytest.raises(tkg.Refused, match="no game 'chess'"):
        tkg.register_bot("odd", lambda seen, options: "", game="chess")
    assert not registry.REGISTERED


def test_styles_numbers_and_tuning_are_for_compiled_bots(first: str) -> None:
    with pytest.raises(tkg.Refused, match="takes no style"):
        tkg.simulate(tkg.umbra(), f"{first}-spread", games=1)
    with pytest.raises(tkg.Refused, match="does not search"):
        tkg.simulate(tkg.umbra(), f"{first}:100", games=1)
    with pytest.raises(tkg.Refused, match="has no weights"):
        make_task("umbra", [], "greedy", first, 1, 0)


# --- What goes wrong ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", ["bid", 0, None, ["bid I:E"]])
def test_a_choice_that_is_no_option_is_told(wrong: Any) -> None:
    turns: list[int] = []

    def bot(seen: Any, options: list[str]) -> Any:
        turns.append(1)
        return options[0] if len(turns) < 4 else wrong

    tkg.register_bot("slips", bot)
    with pytest.raises(BotFailed, match=r"bot 'slips', seat [12], at decision \d+ of the game of umbra\(\)") as caught:
        tkg.simulate(tkg.umbra(), "slips,random", games=1, workers=1)
    error = caught.value
    assert f"it returned {wrong!r}, which is no option here" in str(error)
    assert f"legal: {error.legal[0]}" in str(error)
    assert f"played before: {error.actions[0]}" in str(error)
    position = tkg.new(tkg.variant(error.variant), error.seed).play(*error.actions)
    assert position.legal == error.legal
    assert position.seat == error.seat


def test_an_error_in_a_bot_is_told_with_its_cause() -> None:
    def bot(seen: Any, options: list[str]) -> str:
        return options[seen["no such key"]]

    tkg.register_bot("broken", bot)
    line = bot.__code__.co_firstlineno + 1
    for workers in (1, 2):
        with pytest.raises(BotFailed, match=rf"it failed in test_own_bots\.py, line {line}: KeyError") as caught:
            tkg.simulate(tkg.umbra(), "random,broken", games=20, workers=workers)
        assert isinstance(caught.value.__cause__, KeyError)
    with pytest.raises(BotFailed, match="KeyError"):
        tkg.answer(tkg.new(tkg.umbra(), 1), "broken")
    with pytest.raises(BotFailed, match="KeyError"):
        tkg.estimate(tkg.new(tkg.umbra(), 1), "broken")


def test_a_stop_is_no_error() -> None:
    def bot(seen: Any, options: list[str]) -> str:
        raise KeyboardInterrupt

    tkg.register_bot("stopped", bot)
    with pytest.raises(KeyboardInterrupt):
        tkg.simulate(tkg.umbra(), "stopped", games=3)


# --- The command line ---------------------------------------------------------------------------------------------


@pytest.mark.long
def test_own_bots_play_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, games = tmp_path / "my_bots.py", tmp_path / "games.jsonl"
    file.write_text(FILE)
    for command in (
        ["simulate", "umbra", "-n", "2", "--bots", "filed,greedy", "--json"],
        ["records", "umbra", "-n", "2", "--bots", "filed", "--out", str(games)],
        ["ladder", "umbra", "-n", "2", "--bots", "filed,greedy", "--set", "side=3"],
    ):
        assert main([*command, "--own", str(file)]) == 0
        out, err = capsys.readouterr()
        assert command[0] == "records" or "filed" in out
        assert "note: filed plays in Python" in err
    assert json.loads(games.read_text().splitlines()[0])["players"] == ["filed", "filed"]
    assert main(["replay", str(games)]) == 0


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (None, r"my_bots\.py: there is no such file"),
        ("x = 1\ny = 1 / 0\n", r"my_bots\.py, line 2: ZeroDivisionError: division by zero"),
        ("def f(:\n", r"my_bots\.py, line 1: SyntaxError: "),
        ("import sys\nsys.exit(3)\n", r"my_bots\.py, line 2: SystemExit: 3"),
        ("import tkg\n", r"my_bots\.py registers no bot"),
        (
            FILE.replace("filed", "greedy"),
            r"my_bots\.py, line 4: Refused: bot 'greedy' is there already",
        ),
    ],
)
def test_a_file_that_brings_no_bots_is_told_in_a_line(
    source: str | None, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "my_bots.py"
    if source is not None:
        file.write_text(source)
    assert main(["simulate", "umbra", "--bots", "filed", "--own", str(file)]) == 2
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert re.search(told, err), err


def test_a_bot_that_fails_is_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "my_bots.py"
    file.write_text(FILE.replace("options[0]", "1 / 0"))
    assert main(["simulate", "umbra", "-n", "2", "--bots", "filed", "--own", str(file)]) == 2
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert "it failed in my_bots.py, line 6: ZeroDivisionError" in err

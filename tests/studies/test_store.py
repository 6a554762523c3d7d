"""Studies on disk: played once, broken off and resumed, damaged, stale, extended, and always the same rows."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import tkg
from tkg.studies import make_study, plan, reading, store
from tkg.studies.running import play_study, sweep
from tkg.studies.store import Shard, Store

AXES = {"supply": [6, 12], "side": [3, 4]}
STUDY = """
game = "rift"
bots = ["greedy", "random"]
games = 300
seed = 4
[axes]
supply = [6, 12]
side = { from = 3, to = 4 }
"""
CELLS, GAMES = 8, 300


def ordered(table: pl.LazyFrame) -> pl.DataFrame:
    """A study's rows in an order of their own."""
    found = table.collect()
    return found.with_columns(pl.col(pl.Categorical).cast(pl.String)).sort("variant", "bot", "game", "seat")


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many shards, so that a short study is divided too."""
    monkeypatch.setattr(plan, "MOST_ROWS", 40)
    monkeypatch.setattr(plan, "PROBE_SECONDS", 0.01)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "supply.toml"
    path.write_text(STUDY)
    return path


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    """The rows of the study, played in one go by one worker."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "supply.toml").write_text(STUDY)
    return ordered(play_study(folder / "supply.toml", to=folder / "supply", workers=1, progress=False))


def shards(folder: Path) -> list[Path]:
    return sorted(folder.glob("shards/*/*.parquet"))


# --- The same rows, whatever happens ------------------------------------------------------------------------------


def test_a_study_holds_what_simulate_plays(undisturbed: pl.DataFrame) -> None:
    assert undisturbed.height == CELLS * GAMES
    own = tkg.simulate(tkg.rift(supply=6, side=4), "greedy", GAMES, 4)
    found = undisturbed.filter(pl.col("supply") == 6, pl.col("side") == 4, pl.col("bots") == "greedy")
    plain = own.with_columns(pl.col(pl.Categorical).cast(pl.String))
    assert_frame_equal(found.select(plain.columns), plain)


def test_workers_and_blocks_change_nothing(
    file: Path, tmp_path: Path, undisturbed: pl.DataFrame, small_blocks: None
) -> None:
    table = play_study(file, to=tmp_path / "s", workers=2, progress=False)
    assert len(shards(tmp_path / "s")) >= CELLS * GAMES // 40
    assert_frame_equal(ordered(table), undisturbed)
    assert_frame_equal(ordered(tkg.study(tmp_path / "s")), undisturbed)


SLOWLY = """
import sys
from pathlib import Path
from tkg.studies import plan, running
plan.MOST_ROWS, plan.PROBE_SECONDS = 4, 0.01
running.play_study(Path(sys.argv[1]), to=Path(sys.argv[2]), workers=2, progress=False)
"""


def wait_for(condition: Any, process: subprocess.Popen[Any]) -> None:
    while not condition():
        assert process.poll() is None, "it ended too early"
        time.sleep(0.01)


def test_kill_9_in_the_middle_loses_nothing_that_was_finished(
    file: Path, tmp_path: Path, undisturbed: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "s"
    process = subprocess.Popen([sys.executable, "-c", SLOWLY, str(file), str(folder)])
    wait_for(lambda: len(shards(folder)) >= 20, process)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    kept = {path: path.stat().st_mtime_ns for path in shards(folder)}
    left = CELLS * GAMES - sum(s.end - s.first for s in filter(None, map(Shard.named, kept)))
    assert 0 < left < CELLS * GAMES
    (shard := next(iter(kept))).with_name(f".{shard.name}.x.part").touch()  # what it may have been at
    played: list[int] = []
    keep = Store.put
    monkeypatch.setattr(
        Store, "put", lambda self, key, run, a, b, data: played.append(b - a) or keep(self, key, run, a, b, data)
    )
    table = play_study(file, to=folder, workers=2, progress=False)
    assert sum(played) == left
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert not list(folder.rglob(".*.part"))
    assert_frame_equal(ordered(table), undisturbed)
    assert ordered(table).write_csv() == undisturbed.write_csv()


HANGS = """
import threading, tkg
@tkg.register_bot("sleeper")
def sleeper(seen, options):
    threading.Event().wait()
"""


@pytest.mark.parametrize("probed", [False, True], ids=["in a game", "in the probe"])
def test_ctrl_c_waits_for_no_game(tmp_path: Path, probed: bool) -> None:
    """A bot that never answers holds up its game, or the short probe before all, but not the end."""
    (tmp_path / "own.py").write_text(HANGS)
    file = tmp_path / "slow.toml"
    file.write_text('game = "rift"\nown = "own.py"\nbots = ["random", "sleeper"]\ngames = 5\naxes.side = [3]\n')
    unprobed = "from tkg.studies import running\nrunning.probe = lambda s: dict.fromkeys(s.bot_choices, 9.0)\n"
    code = f"{'' if probed else unprobed}import tkg.cli, sys\nsys.exit(tkg.cli.main())"
    command = [sys.executable, "-c", code, "study", str(file), "--to", str(tmp_path / "s")]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    if probed:
        wait_for((tmp_path / "s" / "study.json").exists, process)
        time.sleep(1)
    else:
        wait_for(lambda: len(shards(tmp_path / "s")) >= 5, process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.splitlines()[-1].endswith("the same command goes on from there")


def test_a_damaged_shard_is_named_set_aside_and_played_again(
    file: Path, tmp_path: Path, undisturbed: pl.DataFrame, small_blocks: None
) -> None:
    folder = tmp_path / "s"
    play_study(file, to=folder, progress=False)
    cut, changed, gone = shards(folder)[3], shards(folder)[11], shards(folder)[20]
    cut.write_bytes(cut.read_bytes()[:-40])
    data = bytearray(changed.read_bytes())
    data[len(data) // 2] ^= 1  # a bit, which the file's own structure need not show
    changed.write_bytes(data)
    gone.unlink()
    said: list[str] = []
    table = play_study(file, to=folder, progress=False, say=said.append)
    assert sorted(words for words in said if words.startswith("damaged")) == sorted(
        f"damaged, set aside and played again: {path}" for path in (cut, changed)
    )  # cells come in the order of the plan, and their names depend on the rules
    assert len(list((folder / "damaged").iterdir())) == 2
    assert_frame_equal(ordered(table), undisturbed)


def test_no_room_on_the_disk_ends_it_with_a_message_and_loses_nothing(file: Path, tmp_path: Path) -> None:
    """A limit on the size of files stands in for a full disk: small shards fit, the large one of more games does not."""
    folder = tmp_path / "s"
    play_study(file, to=folder, progress=False)
    before = shards(folder)
    limited = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({max(p.stat().st_size for p in before) * 2},) * 2);"
        "import tkg.cli; sys.exit(tkg.cli.main())"
    )
    command = [sys.executable, "-c", limited, "study", str(file), "-n", "2000", "--to", str(folder)]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, "NUMBA_CACHE_DIR": cache_dir()},
    )
    assert done.returncode == 2, done.stderr
    assert "cannot be written: File too large; what was played before is kept" in done.stderr
    assert set(before) <= set(shards(folder))
    assert all(shard.sound for shard in map(Shard.named, shards(folder)) if shard)
    assert not list(folder.rglob(".*.part"))


def cache_dir() -> str:
    """Where compiled rules lie, which a process that may write small files only reads."""
    from tkg.rules.kernel import CACHE

    return str(CACHE.parent.parent)


# --- Extended, shrunk, changed ------------------------------------------------------------------------------------


def test_more_games_keep_those_that_are_there(file: Path, tmp_path: Path, undisturbed: pl.DataFrame) -> None:
    folder = tmp_path / "s"
    play_study(plan.read_study(file, games=100), to=folder, progress=False)
    kept = set(shards(folder))
    table = play_study(file, to=folder, progress=False)
    assert kept < set(shards(folder))
    assert_frame_equal(ordered(table), undisturbed)
    fewer = play_study(plan.read_study(file, games=100), to=folder, progress=False)
    assert_frame_equal(ordered(fewer), undisturbed.filter(pl.col("game") < 100))


def test_more_cells_keep_those_that_are_there(tmp_path: Path) -> None:
    sweep(tkg.rift, supply=[6, 12], games=20, to=tmp_path / "s")
    kept = set(shards(tmp_path / "s"))
    table = sweep(tkg.rift, supply=[6, 9, 12], side=[3], games=20, to=tmp_path / "s")
    new = set(shards(tmp_path / "s")) - kept
    assert kept.issubset(shards(tmp_path / "s"))
    assert len({path.parent for path in new}) == 1  # how many files a cell has depends on how fast it was played
    assert table.select("supply", "side").unique().sort("supply").collect().rows() == [(6, 3), (9, 3), (12, 3)]


def test_other_rules_make_shards_stale_visibly(
    file: Path, tmp_path: Path, undisturbed: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "s"
    with monkeypatch.context() as patch:
        for module in (store, plan):
            patch.setattr(module, "key_of", lambda run, real=store.key_of: f"0000{real(run)[4:]}")
        for name in ("tkg.studies.store", "tkg.studies.running", "tkg.studies.engines"):
            patch.setattr(sys.modules[name], "rules_hash", lambda game: "01234567")
        play_study(file, to=folder, progress=False)
    with pytest.warns(UserWarning, match="rules 01234567.*plays all of it anew"):
        tkg.study(folder)
    said: list[str] = []
    table = play_study(file, to=folder, progress=False, say=said.append)
    stale = [words for words in said if words.startswith("stale")]
    assert len(stale) == 6  # five of the eight cells, and how many more
    assert "rift(supply=6)" in " ".join(stale)
    assert stale[-1] == "stale: 3 more such cells"
    assert_frame_equal(ordered(table), undisturbed)


def test_the_hash_of_rules_is_of_this_games_sources_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = ("bulk.py", "own_bots.py", "rules/kernel.py")
    for name in (*shared, "rules/rift.py", "rules/umbra.py", "bots/weights/rift.json"):
        (path := tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        path.write_text("1")
    monkeypatch.setattr(store, "PACKAGE", tmp_path)

    def hashes() -> list[str]:
        store.rules_hash.cache_clear()
        return [store.rules_hash("rift"), store.rules_hash("umbra")]

    try:
        first = hashes()
        (tmp_path / "rules/umbra.py").write_text("2")
        second = hashes()
        (tmp_path / "bots/weights/rift.json").write_text("2")
        third = hashes()
        of_shared = [third]
        for name in shared:
            (tmp_path / name).write_text("2")
            of_shared.append(hashes())
    finally:
        store.rules_hash.cache_clear()
    assert (first[0] == second[0], first[1] == second[1]) == (True, False)
    assert (second[0] == third[0], second[1] == third[1]) == (False, True)
    for game in (0, 1):
        assert len({found[game] for found in of_shared}) == len(of_shared)


def test_rules_that_were_edited_after_they_were_loaded_play_no_study(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "sources_hash", lambda: "01234567")
    store.rules_hash.cache_clear()
    with pytest.raises(tkg.Refused, match="edited since they were loaded; begin anew"):
        make_study("s", tkg.rift, {"supply": [6]}, ["greedy"], 5, 0)


def test_a_bot_of_ones_own_that_changes_makes_its_games_stale(tmp_path: Path) -> None:
    @tkg.register_bot("choosy", game="rift", replace=True)
    def first_option(seen, options):
        return options[0]

    run = tkg.bulk.make_run(tkg.rift(), "choosy", 1, 0)
    before = store.key_of(run)
    tkg.register_bot("choosy", lambda seen, options: options[-1], game="rift", replace=True)
    assert store.key_of(run) == before  # both stand in this file, which is the same

    namespace: dict[str, Any] = {}
    exec("def written(seen, options): return options[-1]", namespace)
    tkg.register_bot("choosy", namespace["written"], game="rift", replace=True)
    assert store.key_of(run) != before


# --- What is refused or told --------------------------------------------------------------------------------------


def test_two_at_once_are_refused(file: Path, tmp_path: Path) -> None:
    with Store(tmp_path / "s").locked(), pytest.raises(tkg.Refused, match="another process is playing this study"):
        play_study(file, to=tmp_path / "s", progress=False)


def test_a_study_that_is_not_there_is_refused_with_those_that_are(tmp_path: Path) -> None:
    sweep(tkg.rift, side=[3], games=2, to=tmp_path / "small")
    with pytest.raises(tkg.Refused, match="there is no study; played are small"):
        tkg.study(tmp_path / "smal")


def test_a_study_that_is_not_whole_warns(tmp_path: Path) -> None:
    sweep(tkg.rift, side=[3, 4], games=20, to=tmp_path / "s")
    shards(tmp_path / "s")[0].unlink()
    with pytest.warns(UserWarning, match="20 games are still to be played"):
        assert tkg.study(tmp_path / "s").collect().height == 20


def test_a_manifest_that_is_broken_is_told(tmp_path: Path) -> None:
    sweep(tkg.rift, side=[3], games=2, to=tmp_path / "s")
    (tmp_path / "s" / "study.json").write_text('{"format": 1')
    with pytest.raises(tkg.Refused, match="play the study again, its shards are kept"):
        tkg.study(tmp_path / "s")


def test_studies_lie_where_tkg_data_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TKG_DATA", str(tmp_path))
    sweep(tkg.rift, side=[3], games=2, to="small")
    assert (tmp_path / "studies" / "small" / "study.json").is_file()
    assert tkg.study("small").collect().height == 2


def test_many_files_are_read_at_once_and_alike(
    file: Path, tmp_path: Path, undisturbed: pl.DataFrame, small_blocks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a cell has fewer games than its shards, and an axis the name of a field of the result."""
    play_study(file, to=tmp_path / "s", progress=False)
    sweep(tkg.rift, gate=["tile", "empty"], games=90, to=tmp_path / "g")
    with_gate = sweep(tkg.rift, gate=["tile", "empty"], games=70, to=tmp_path / "g").collect()
    assert len(shards(tmp_path / "s")) > 50
    monkeypatch.setattr(reading, "MOST_APART", 1)
    table = tkg.study(tmp_path / "s")
    assert table.collect_schema().names() == undisturbed.columns
    assert_frame_equal(ordered(table), undisturbed)
    assert_frame_equal(tkg.study(tmp_path / "g").collect().sort("gate", "game"), with_gate.sort("gate", "game"))


def test_a_deck_of_ones_own_is_read_back(tmp_path: Path) -> None:
    decks = [tkg.make_deck({1: 20, 2: 30}, name="mine"), "threes"]
    table = sweep(tkg.rift, deck=decks, games=3, to=tmp_path / "s").collect()
    assert table["deck"].unique().sort().to_list() == sorted(tkg.rift(deck=d).deck.label for d in decks)
    assert tkg.game_of(table, 0).variant.deck == decks[0]


def test_a_game_of_a_study_is_made_again(undisturbed: pl.DataFrame) -> None:
    game = tkg.game_of(undisturbed, 7)
    assert game.outcome is not None
    assert str(game.variant) == undisturbed["variant"][7]


def test_every_game_can_be_studied(game: str, tmp_path: Path) -> None:
    variant = tkg.variant(game)
    reading = next(d for d in variant.rules.DECLARED if d.unit == "reading")
    table = sweep(variant.but, **{reading.name: reading.options[:2]}, bots="random", games=6, to=tmp_path / "s")
    assert table.collect().height == 12 * variant.seats
    assert tkg.metrics.win_share(table, reading.name)["games"].to_list() == [6, 6]

"""Engines: cores or a cluster, killed workers or a notebook's kernel, the rows are the same."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import polars as pl
import pytest
from nbclient import NotebookClient
from polars.testing import assert_frame_equal

import tkg
from tkg.studies import engines, make_study, plan, play_study
from tkg.studies.engines import Cluster, Cores, Done, Task, engine_of, play_task
from tkg.studies.store import Store, rules_hash

distributed = pytest.importorskip("distributed")

AXES = {"supply": [6, 12], "deck": [tkg.make_deck({1: 20, 2: 30}, name="of_the_study"), "threes"]}
GAMES = 300


def study(games: int = GAMES) -> Any:
    return make_study("s", tkg.rift, AXES, ["random"], games, 8)


def ordered(table: pl.LazyFrame) -> pl.DataFrame:
    return table.collect().with_columns(pl.col(pl.Categorical).cast(pl.String)).sort("variant", "game")


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    return ordered(play_study(study(), to=tmp_path_factory.mktemp("here"), progress=False))


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as started:
        yield started


def address(cluster: Any) -> str:
    return cluster.scheduler_address.replace("tcp://", "dask://")


def test_a_cluster_plays_the_same_though_one_of_its_workers_is_killed(
    cluster: Any, here: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "MOST_ROWS", 10)  # 30 blocks a cell, so that the worker is killed in the middle
    pids: list[int] = []
    keep = Store.put

    def put_and_kill(self: Store, *told: Any) -> Any:
        if not pids:
            with distributed.Client(cluster, set_as_default=False) as client:
                pids.extend(client.run(os.getpid).values())
            os.kill(pids[0], signal.SIGKILL)
        return keep(self, *told)

    monkeypatch.setattr(Store, "put", put_and_kill)
    table = play_study(study(), to=tmp_path / "s", engine=address(cluster), progress=False)
    assert len(pids) == 2
    assert_frame_equal(ordered(table), here)


NOTEBOOK = """
from pathlib import Path
import tkg
from distributed import LocalCluster
from tkg.studies import make_study
with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster:
    deck = tkg.make_deck({1: 20, 2: 30}, name="of_the_study")
    study = make_study("s", tkg.rift, {"supply": [6, 12], "deck": [deck, "threes"]}, ["random"], 300, 8)
    engine = cluster.scheduler_address.replace("tcp", "dask")
    tkg.play_study(study, to=Path("there"), engine=engine, progress=False)
tkg.play_study(study, to=Path("here"))
"""


def test_a_notebook_spawns_a_cluster_and_plays_on_its_own_cores(here: pl.DataFrame, tmp_path: Path) -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(NOTEBOOK)])
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    for place in ("here", "there"):
        assert_frame_equal(ordered(tkg.study(tmp_path / place)), here)


def test_a_worker_with_other_rules_is_refused() -> None:
    cell = study().cell_runs[0]
    with pytest.raises(tkg.Refused, match=r"a worker has other rules.*install the same on all machines"):
        play_task(Task(cell.key, cell.run, 0, 5, "01234567", "0.0.1"))


def test_a_scheduler_that_does_not_answer_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "PATIENCE", 0.5)
    with pytest.raises(tkg.Refused, match="no scheduler answers there"):
        play_study(study(), to=tmp_path, engine="dask://127.0.0.1:1", progress=False)


class Held:
    """A future of a cluster that comes to this."""

    def __init__(self, *comes: Any):
        self.comes = list(comes)

    def result(self, timeout: float) -> Any:
        found = self.comes.pop(0)
        if isinstance(found, BaseException):
            raise found
        return found


@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        ("closed", CancelledError(), "the scheduler at here is gone; what was played before is kept"),
        ("running", CancelledError(), "the scheduler at here has dropped its work"),
        ("closed", TimeoutError(), "the scheduler at here is gone"),
        ("running", ModuleNotFoundError("No module named 'tkg'"), "cannot play rift.* the same tkg is needed"),
        ("running", RuntimeError("Error during deserialization"), "cannot play rift.* the same tkg is needed"),
    ],
)
def test_a_cluster_that_cannot_go_on_is_told(status: str, error: Exception, words: str) -> None:
    held = object.__new__(Cluster)
    held.client, held.address = SimpleNamespace(status=status), "here"
    cell = study().cell_runs[0]
    with pytest.raises(tkg.Refused, match=words):
        held.result(Held(error), Task(cell.key, cell.run, 0, 5, "01234567", "0.0.1"))


def test_a_block_that_is_played_again_is_waited_for() -> None:
    held = object.__new__(Cluster)
    held.client, held.address = SimpleNamespace(status="running"), "here"
    cell = study().cell_runs[0]
    done = Done(Task(cell.key, cell.run, 0, 5, "01234567", "0.0.1"), b"", 0.0)
    assert held.result(Held(TimeoutError(), TimeoutError(), done), done.task) is done


def test_workers_that_come_later_are_counted() -> None:
    held = object.__new__(Cluster)
    counts = iter([{}, {"a": 4, "b": 2}, OSError()])

    def nthreads() -> dict[str, int]:
        found = next(counts)
        if isinstance(found, Exception):
            raise found
        return found

    held.client, held.workers = SimpleNamespace(status="running", nthreads=nthreads), 1
    seen = []
    for _ in range(3):
        held.recount()
        seen.append((held.counted, held.workers))
    assert seen == [(0, 1), (6, 6), (6, 6)]


def test_a_bot_of_ones_own_is_refused_on_a_cluster(cluster: Any, tmp_path: Path) -> None:
    tkg.register_bot("stays", lambda seen, options: options[0], game="rift", replace=True)
    own = make_study("s", tkg.rift, {"supply": [6]}, ["stays"], 5, 8)
    with pytest.raises(tkg.Refused, match="stays is a bot of your own, which plays on this machine alone"):
        play_study(own, to=tmp_path, engine=address(cluster), progress=False)


def test_an_error_on_the_way_ends_it() -> None:
    """What goes wrong in a worker is raised here, and the workers are let go."""
    cell = study().cell_runs[0]
    tasks = [Task(cell.key, cell.run, 0, 5, rules, engines.version()) for rules in (rules_hash("rift"), "01234567")]
    with pytest.raises(tkg.Refused, match="other rules"):
        list(Cores(1).play(tasks))


def test_more_tasks_than_workers_come_back_whole() -> None:
    cell = study().cell_runs[0]
    tasks = [Task(cell.key, cell.run, at, 1, rules_hash("rift"), engines.version()) for at in range(40)]
    assert sorted(done.task.first for done in Cores(3).play(iter(tasks))) == list(range(40))


def test_engines_by_name() -> None:
    assert engine_of("local", 3).words == "3 workers here"
    for text in ("dask://", "dask://x", "dask://x:", "ray://x:1"):
        with pytest.raises(tkg.Refused, match=r"dask://HOST:PORT|dask://127\.0\.0\.1:8786"):
            engine_of(text, None)

"""What plays the blocks of a study: the cores of this machine, or a Dask cluster that somebody has started.

An engine takes tasks and gives back, in whatever order they are done, each with its rows as a parquet file. Which engine
it is, and how many workers it has, changes nothing in the rows.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from tkg.bulk import Run, count_workers, play_block, version
from tkg.rules.errors import Refused
from tkg.studies.store import as_bytes, rules_hash

AHEAD = 2  # tasks begun for every worker before the first of them is taken
GLANCE = 0.2  # seconds between two looks at what has happened
CLUSTER = "dask://"
PATIENCE = 10  # seconds to wait for a scheduler to answer
MORE_TRIES = 3  # of a block whose worker died


@dataclass(frozen=True)
class Task:
    """Some games of a run. `rules` and `version` are those of who wants them."""

    key: str
    run: Run
    first: int
    games: int
    rules: str
    version: str


@dataclass(frozen=True)
class Done:
    """A task, its rows as a file, and the seconds that they took."""

    task: Task
    data: bytes
    seconds: float


class Engine(Protocol):
    """Something that plays tasks."""

    workers: int
    words: str

    def play(self, tasks: Iterable[Task]) -> Iterator[Done]: ...

    def close(self) -> None: ...


def play_task(task: Task) -> Done:
    """Play a task here."""
    if (rules_hash(task.run.variant.game), version()) != (task.rules, task.version):
        raise Refused(
            f"a worker has other rules: version {version()}, rules {rules_hash(task.run.variant.game)}, while the study was "
            f"begun with version {task.version}, rules {task.rules}; install the same on all machines"
        )
    began = time.perf_counter()
    data = as_bytes(play_block(task.run, task.first, task.games), task.run)
    return Done(task, data, time.perf_counter() - began)


class Cores:
    """The cores of this machine. Workers are threads, since compiled play lets go of Python's lock.

    They are daemons: a study that is broken off waits for none, and what they were at is played again.
    """

    def __init__(self, workers: int | None = None):
        self.workers = count_workers(workers)
        self.words = f"{self.workers} worker{'s'[: self.workers != 1]} here"

    def play(self, tasks: Iterable[Task]) -> Iterator[Done]:
        todo: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        done: queue.SimpleQueue[Done | BaseException] = queue.SimpleQueue()

        def work() -> None:
            while (task := todo.get()) is not None:
                try:
                    done.put(play_task(task))
                except BaseException as error:
                    done.put(error)

        for _ in range(self.workers):
            threading.Thread(target=work, daemon=True).start()
        coming, begun = iter(tasks), 0
        try:
            while True:
                while begun < AHEAD * self.workers and (task := next(coming, None)) is not None:
                    todo.put(task)
                    begun += 1
                if not begun:
                    return
                with contextlib.suppress(queue.Empty):  # in short turns, in which Ctrl-C is noticed
                    result = done.get(timeout=GLANCE)
                    begun -= 1
                    if isinstance(result, BaseException):
                        raise result
                    yield result
        finally:
            with contextlib.suppress(queue.Empty):
                while True:
                    todo.get_nowait()
            for _ in range(self.workers):
                todo.put(None)

    def close(self) -> None:
        """Nothing is held."""


class Cluster:
    """A Dask cluster by the address of its scheduler; a worker that dies is survived."""

    def __init__(self, address: str):
        try:
            from distributed import Client
        except ImportError:
            raise Refused(
                f"--engine {CLUSTER}{address}: dask.distributed is not installed; pip install 'tkg[cluster]' brings it"
            ) from None
        try:
            self.client = Client(f"tcp://{address}", timeout=PATIENCE, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise Refused(f"--engine {CLUSTER}{address}: no scheduler answers there ({error})") from None
        self.address = address
        self.workers = max(1, sum(self.client.nthreads().values()))
        self.words = f"{self.workers} worker{'s'[: self.workers != 1]} at {address}"

    def play(self, tasks: Iterable[Task]) -> Iterator[Done]:
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        coming = iter(tasks)
        begun: dict[Any, Task] = {}
        try:
            while True:
                while len(begun) < AHEAD * self.workers and (task := next(coming, None)) is not None:
                    future = self.client.submit(play_task, task, pure=False, retries=MORE_TRIES)
                    begun[future] = task
                    future.add_done_callback(done.put)
                if not begun:
                    return
                try:
                    future = done.get(timeout=GLANCE)
                except queue.Empty:
                    if self.client.status not in ("running", "connecting"):
                        raise Refused(f"the scheduler at {self.address} is gone") from None
                    continue
                begun.pop(future)
                yield self.result(future)
        finally:
            with contextlib.suppress(Exception):  # the scheduler may be gone
                self.client.cancel(list(begun), force=True)

    def result(self, future: Any) -> Done:
        from distributed.scheduler import KilledWorker

        try:
            return future.result(timeout=PATIENCE)
        except KilledWorker as error:
            raise Refused(f"a block of games ended worker after worker ({error})") from None
        except Refused:
            raise
        except (OSError, TimeoutError) as error:
            raise Refused(f"the scheduler at {self.address} does not answer any more ({error})") from None

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self.client.close(timeout=1)


def engine_of(text: str, workers: int | None) -> Engine:
    """The engine that `local` or `dask://HOST:PORT` names."""
    if text == "local":
        return Cores(workers)
    if not text.startswith(CLUSTER):
        raise Refused(f"--engine {text}: local, or {CLUSTER}HOST:PORT of a Dask scheduler")
    if workers is not None:
        raise Refused(f"--engine {text}: the cluster says how many workers there are; leave --workers out")
    address = text.removeprefix(CLUSTER)
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdigit():
        raise Refused(
            f"--engine {text}: the address of a scheduler is {CLUSTER}HOST:PORT, such as {CLUSTER}127.0.0.1:8786"
        )
    return Cluster(address)

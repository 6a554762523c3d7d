"""What plays the blocks of a study: the cores of this machine, or a Dask cluster that somebody has started.

An engine takes tasks and gives back, in whatever order they are done, each with its rows as a parquet file. Which engine
it is, and how many workers it has, changes nothing in the rows.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from tkg.bulk import Run, count_workers, play_block, version
from tkg.rules.errors import Refused
from tkg.studies.store import as_bytes, rules_hash

AHEAD = 2  # tasks begun for every worker before the first of them is taken
GLANCE = 0.2  # seconds between two looks at what has happened
CLUSTER = "dask://"
PATIENCE = 10  # seconds to wait for a scheduler to answer
RECOUNT = 2.0  # seconds after which a cluster is asked again how many workers it has


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
    """Something that plays tasks, on so many workers; `words` tell people which."""

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


Found = TypeVar("Found")


def aside(work: Callable[[], Found]) -> Found:
    """What `work` gives, done in a thread, for which a Ctrl-C does not wait as it would for compiled play in this one."""
    done: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def run() -> None:
        try:
            done.put((True, work()))
        except BaseException as error:
            done.put((False, error))

    threading.Thread(target=run, daemon=True).start()
    while True:
        with contextlib.suppress(queue.Empty):
            good, found = done.get(timeout=GLANCE)
            if not good:
                raise found
            return found


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
        self.workers = self.counted = 1
        self.recount()
        there = f"{self.workers} worker{'s'[: self.workers != 1]} at {address}"
        self.words = there if self.counted else f"1 worker, as soon as one has come to {address}"

    def recount(self) -> None:
        """How many workers there are now, for they may come and go; tasks are begun for one that is still to come."""
        if self.client.status == "running":
            with contextlib.suppress(OSError, TimeoutError):
                self.counted = sum(self.client.nthreads().values())
                self.workers = max(1, self.counted)

    def play(self, tasks: Iterable[Task]) -> Iterator[Done]:
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        coming = iter(tasks)
        begun: dict[Any, Task] = {}
        asked = time.monotonic()
        try:
            while True:
                if time.monotonic() - asked > RECOUNT:
                    self.recount()
                    asked = time.monotonic()
                while len(begun) < AHEAD * self.workers and (task := next(coming, None)) is not None:
                    future = self.client.submit(play_task, task, pure=False)
                    begun[future] = task
                    future.add_done_callback(done.put)
                if not begun:
                    return
                try:
                    future = done.get(timeout=GLANCE)
                except queue.Empty:
                    if self.gone:
                        raise Refused(self.gone) from None
                    continue
                yield self.result(future, begun.pop(future))
        finally:
            with contextlib.suppress(Exception):  # the scheduler may be gone
                self.client.cancel(list(begun), force=True)

    @property
    def gone(self) -> str:
        """What to say of a scheduler that is there no more; empty while it is."""
        there = self.client.status in ("running", "connecting")
        return "" if there else f"the scheduler at {self.address} is gone; what was played before is kept"

    def result(self, future: Any, task: Task) -> Done:
        """What a task has come to. The worker that holds it may die now, and another one plays it again."""
        from distributed.scheduler import KilledWorker

        while True:
            try:
                return future.result(timeout=PATIENCE)
            except TimeoutError:
                if self.gone:
                    raise Refused(self.gone) from None
            except Refused:
                raise
            except KilledWorker as error:
                raise Refused(f"a block of games ended worker after worker ({error})") from None
            except (CancelledError, OSError):
                dropped = f"the scheduler at {self.address} has dropped its work; what was played before is kept"
                raise Refused(self.gone or dropped) from None
            except Exception as error:  # whatever a machine without this tkg may raise as it reads the task
                raise Refused(
                    f"a machine of the cluster cannot play {task.run.variant} ({type(error).__name__}: {error}); the same "
                    f"tkg is needed on scheduler and workers: version {task.version}, rules {task.rules}"
                ) from None

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

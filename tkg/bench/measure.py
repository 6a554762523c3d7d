"""How speed and size are measured."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tkg.bulk import make_run, play_block
from tkg.rules.games import rules_of
from tkg.rules.knobs import Variant


@dataclass(frozen=True)
class Figure:
    """One line of the bench: `limit` is None where a figure is shown without a target."""

    name: str
    value: float | None
    unit: str
    limit: float | None = None
    at_least: bool = False
    note: str = ""

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "skipped"
        if self.limit is None:
            return ""
        good = self.value >= self.limit if self.at_least else self.value <= self.limit
        return "ok" if good else "short"


def cpu_of_play(variant: Variant, bots: str, games: int) -> tuple[float, int]:
    """(CPU seconds, decisions) of playing games in this thread, rows included."""
    run = make_run(variant, bots, games, 1)
    play_block(run, 0, 10)
    began = time.process_time()
    table = play_block(run, 0, games)
    return time.process_time() - began, int(table["decisions"].sum()) // variant.seats


def play_figures(
    game: str, limits: Mapping[int, float | None], games: int, greedy_games: int, greedy_limit: float
) -> Iterator[Figure]:
    """Random play by number of players against its limit, and greedy play, of a game of several seats."""
    for players, limit in limits.items():
        variant = Variant(rules_of(game), players=players)
        tries = [cpu_of_play(variant, "random", games) for _ in range(3)]
        nanoseconds = min(seconds / decisions for seconds, decisions in tries) * 1e9
        yield Figure(f"{game}, random play, {players} players", nanoseconds, "ns/decision", limit)
    seconds, _ = cpu_of_play(Variant(rules_of(game)), "greedy", greedy_games)
    yield Figure(f"{game}, greedy play", seconds / greedy_games * 1000, "ms/game", greedy_limit)


def best(measure: Callable[[], float], times: int = 3) -> float:
    """The least of several measurements: what else the machine does can only add to it."""
    return min(measure() for _ in range(times))


def wall_of(command: Sequence[str]) -> float:
    """Wall-clock seconds of `tkg COMMAND` as a whole process."""
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "tkg", *command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return time.perf_counter() - began


def peak_of(command: Sequence[str]) -> tuple[float, float]:
    """(wall-clock seconds, peak memory in MB) of `tkg COMMAND` as a whole process."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "tkg", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"tkg {' '.join(command)} ended with status {status}")
    return time.perf_counter() - began, usage.ru_maxrss / 1024

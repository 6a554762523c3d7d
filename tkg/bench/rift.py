"""A Rift of Portals against the clock, and against the same rules in C."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tkg.bench.measure import Figure, best, cpu_of_play, peak_of, search_figures, wall_of
from tkg.bulk import simulate
from tkg.rules.games import rules_of
from tkg.rules.knobs import Variant
from tkg.rules.rift import NAME

C_SOURCES = Path(__file__).resolve().parents[2] / "tests" / "bench"
C_RATIO = 1.3
SIDES = (3, 5)
GAMES = 100_000


def c_program(folder: Path) -> Path | str:
    """The C program, built; or why it cannot be."""
    compiler = shutil.which("gcc")
    source = C_SOURCES / "rift_bench.c"
    if compiler is None:
        return "gcc is not installed"
    if not source.exists():
        return f"{source.name} is not beside this installation"
    binary = folder / "rift_bench"
    built = subprocess.run([compiler, "-O3", "-march=native", "-o", binary, source], capture_output=True, text=True)
    return binary if built.returncode == 0 else "gcc cannot build it: " + built.stderr.strip().partition("\n")[0]


def c_nanoseconds(binary: Path, side: int) -> float:
    told = subprocess.run([binary, str(GAMES), str(side)], check=True, capture_output=True, text=True).stdout
    return float(json.loads(told)["ns_per_decision"])


def random_figures(side: int, program: Path | str) -> Iterator[Figure]:
    """Random play at one side, taken in turn with the C program, which leaves out the keep decision and merges no tiles."""
    variant = Variant(rules_of(NAME), side=side)
    ours, theirs, rates = [], [], []
    for _ in range(4):
        seconds, decisions = cpu_of_play(variant, "random", GAMES)
        ours.append(seconds / decisions * 1e9)
        rates.append(GAMES / seconds)
        if isinstance(program, Path):
            theirs.append(c_nanoseconds(program, side))
    yield Figure(f"random play, side {side}", min(ours), "ns/decision")
    yield Figure(f"random play, side {side}", max(rates), "games/CPU s")
    if theirs:
        yield Figure(f"the same rules in C, side {side}", min(theirs), "ns/decision")
        yield Figure(f"random play over C, side {side}", min(ours) / min(theirs), "times", C_RATIO)
    else:
        yield Figure(f"random play over C, side {side}", None, "times", C_RATIO, note=str(program))


def seconds_of(workers: int) -> float:
    began = time.perf_counter()
    simulate(Variant(rules_of(NAME)), "greedy", 10_000, 1, workers=workers)
    return time.perf_counter() - began


def figures() -> Iterator[Figure]:
    """Every figure, as it is measured."""
    with tempfile.TemporaryDirectory() as folder:
        program = c_program(Path(folder))
        for side in SIDES:
            yield from random_figures(side, program)
        seconds, _ = cpu_of_play(Variant(rules_of(NAME)), "greedy", 2000)
        yield Figure("greedy play", seconds / 2000 * 1000, "ms/game", 0.5)
        yield from search_figures(NAME, at_least=100_000, iterations=1000)
        simulate(Variant(rules_of(NAME)), "greedy", 100, 1)
        one, two = zip(*[(seconds_of(1), seconds_of(2)) for _ in range(3)], strict=True)
        yield Figure("two workers over one", min(one) / min(two), "times", 1.8, at_least=True)
        started = best(lambda: wall_of(["simulate", NAME, "-n", "1000"]))
        yield Figure("tkg simulate -n 1000, whole process", started, "s", 4)
        million = ["simulate", NAME, "-n", "1000000", "--out", f"{folder}/million.parquet"]
        seconds, peak = peak_of(million)
        yield Figure("a million games to parquet, whole process", seconds, "s", 60)
        yield Figure("a million games to parquet, peak memory", peak, "MB", 800)
        yield Figure("tkg report, whole process", wall_of(["report", "--out", f"{folder}/report"]), "s", 600)

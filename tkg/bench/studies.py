"""Studies against the clock and against memory: what keeping games costs, and what it costs to look at very many."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tkg.bench.measure import Figure
from tkg.bulk import play_block
from tkg.rules.games import GAMES
from tkg.rules.knobs import Variant
from tkg.studies.plan import Study, make_study
from tkg.studies.running import play_study, quiet
from tkg.studies.store import MANIFEST, Store

CELLS, ROWS = 100, 100_000  # of the large table: ten million rows
TIMES = 10  # how often its shards are listed for the larger one
SUMMARISE = """
import resource, sys, time, warnings
import tkg
warnings.simplefilter("ignore")
table = tkg.study(sys.argv[1] + "/.")
began = time.process_time()
found = tkg.metrics.win_share(table, "cell")
print(time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, int(found["games"].sum()), found.height)
"""


def small_study(variant: Variant, games: int) -> Study:
    """Four cells that differ in one reading and the bots."""
    reading = next(d for d in variant.rules.DECLARED if d.unit == "reading")
    return make_study("bench", variant.but, {reading.name: reading.options[:2]}, ["greedy", "random"], games, 1)


def overhead() -> float:
    """CPU time of a study over that of a bare loop over its cells, less one, in percent; both on one worker."""
    study = small_study(Variant(next(iter(GAMES.values()))), 8000)
    bare, kept = [], []
    for _ in range(3):
        began = time.process_time()
        for cell in study.unique_runs:
            play_block(cell.run, 0, study.games)
        bare.append(time.process_time() - began)
        with tempfile.TemporaryDirectory() as folder:
            store = Path(folder) / "bench"
            play_study(
                study, to=store, workers=1, progress=False, say=quiet
            )  # probes and loads what a process loads once
            for shard in store.glob("shards/*/*.parquet"):
                shard.unlink()
            began = time.process_time()
            play_study(
                study, to=store, workers=1, progress=False, say=quiet, pace=dict.fromkeys(study.bot_choices, 0.0005)
            )
            kept.append(time.process_time() - began)
    return 100 * (min(kept) / min(bare) - 1)


def large_store(folder: Path) -> tuple[Path, Path]:
    """(a store of CELLS cells of ROWS games each, the same with each listed TIMES times): one cell is played, the others are its copies."""
    variant = Variant(next(iter(GAMES.values())))
    name = next(d.name for d in variant.rules.DECLARED if d.unit == "reading")
    study = make_study("one", variant.but, {name: variant[name]}, ["random"], ROWS, 1)
    one = folder / "one"
    play_study(study, to=one, progress=False, say=quiet)
    store = Store(one)
    told = store.manifest()
    [cell] = told["cells"]
    shards = [shard.path for shard in store.shards(cell["key"])]
    for times in (1, TIMES):
        place = folder / f"times_{times}"
        cells = []
        for number in range(CELLS * times):
            key = f"{number:016x}"
            (place / "shards" / key).mkdir(parents=True, exist_ok=True)
            for shard in shards:
                os.link(shard, place / "shards" / key / shard.name)
            cells.append({**cell, "key": key, "labels": {"cell": number}})
        (place / MANIFEST).write_text(json.dumps({**told, "cells": cells}))
    return folder / "times_1", folder / f"times_{TIMES}"


def summarised(store: Path) -> tuple[float, float, int]:
    """(CPU seconds, peak memory in MB, rows) of the win share by cell in a process of its own."""
    done = subprocess.run([sys.executable, "-c", SUMMARISE, str(store)], check=True, capture_output=True, text=True)
    seconds, peak, rows, _ = map(float, done.stdout.split())
    return seconds, peak, int(rows)


def figures() -> Iterator[Figure]:
    """Every figure, as it is measured."""
    yield Figure("a study over a bare loop", overhead(), "% CPU time", 5)
    with tempfile.TemporaryDirectory() as folder:
        small, large = large_store(Path(folder))
        seconds, peak, rows = summarised(small)
        yield Figure(f"win share of {rows:,} rows, {CELLS} cells", seconds, "CPU s", 3)
        yield Figure(f"win share of {rows:,} rows, peak memory", peak, "MB")
        seconds, peak, rows = summarised(large)
        yield Figure(f"win share of {rows:,} rows, {CELLS * TIMES} cells", seconds, "CPU s")
        yield Figure(f"win share of {rows:,} rows, peak memory", peak, "MB", 2048)

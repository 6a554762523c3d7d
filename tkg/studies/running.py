"""Playing a study: what is missing goes to an engine, what comes back goes to the store, until nothing is missing."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tkg.bulk import version
from tkg.metrics.sequential import Verdict
from tkg.rules.errors import Refused
from tkg.rules.knobs import Variant
from tkg.studies.cells import cells_of
from tkg.studies.engines import Done, Engine, Task, aside, engine_of
from tkg.studies.plan import CellRun, Study, block_size, describe, make_study, probe, read_study
from tkg.studies.reading import scan
from tkg.studies.stopping import Stop
from tkg.studies.store import SHOWN_STALE, Store, rows_of, rules_hash, study_folder
from tkg.studies.sweeps import play_cells

if TYPE_CHECKING:
    import polars as pl

Say = Callable[[str], None]


def quiet(_: str) -> None:
    """Say nothing."""


class Progress:
    """Two bars with the time left: of the study, and of the newest of the cells that are being played."""

    def __init__(self, cells: Sequence[CellRun], total: int, stored: int, shown: bool):
        from tqdm.auto import tqdm

        self.order = {cell.key: i for i, cell in enumerate(cells)}
        self.newest = -1
        self.whole = tqdm(total=total, initial=stored, unit="game", desc="study", disable=not shown, position=0)
        self.cell = tqdm(unit="game", disable=not shown, position=1, leave=False)

    def __enter__(self) -> Progress:
        return self

    def look(self) -> None:
        """Cells are played from the first on again, since a stopping rule was asked."""
        self.newest = -1

    def played(self, cell: CellRun, games: int, stored: int, total: int) -> None:
        """`games` more of a cell that has `stored` of `total` now."""
        self.whole.update(games)
        if self.order[cell.key] > self.newest:
            self.newest = self.order[cell.key]
            self.cell.reset(total)
            self.cell.initial = self.cell.n = self.cell.last_print_n = stored - games
            self.cell.set_description(cell.words, refresh=False)
        if self.order[cell.key] == self.newest:
            self.cell.update(games)

    def __exit__(self, *_: object) -> None:
        self.cell.close()
        self.whole.close()


def play_study(
    study: Study | str | Path,
    *,
    to: str | Path | None = None,
    workers: int | None = None,
    engine: str = "local",
    progress: bool = True,
    say: Say | None = None,
    pace: Mapping[tuple[str, ...], float] | None = None,
) -> pl.LazyFrame:
    """Play what is missing of a study, and return the lazy table of all of it (see `tkg.study`).

    `study` is a file (`data/studies/NAME.toml`, or NAME alone for one that lies there), or what `make_study` gives. Games
    are kept in the folder `to`, by default beside the file, in a folder of its name; without a file in `data/studies`, or
    in `studies` where TKG_DATA points. What is there already is not played again, unless rules, bots or version have changed since. `engine` is `local`,
    this machine with so many `workers` (default: one a core), or `dask://HOST:PORT`. Neither these nor interruptions
    change a row. `say` is told the plan, line by line, and which shards are stale or damaged (default: it is written to
    stderr); `pace`, seconds a game by bots, saves the short probe that the plan is made of.
    """
    if isinstance(study, Study):
        planned, place = study, study_folder(study.name)
    else:
        file = study_file(study)
        planned, place = read_study(file), file.with_suffix("")
    store = Store(place if to is None else study_folder(to))
    hands = engine_of(engine, workers)
    try:
        refuse_own_bots_elsewhere(planned, engine)
        with store.locked():
            Running(planned, store, hands, progress, say or to_stderr, pace).play()
    finally:
        hands.close()
    return scan(store)


def show_plan(
    study: Study, *, to: str | Path | None = None, workers: int | None = None, engine: str = "local"
) -> list[str]:
    """The plan of a study in a few lines, without playing more than a moment of it."""
    store = Store(study_folder(to if to is not None else study.name))
    hands = engine_of(engine, workers)
    try:
        stored = {cell.key: study.games - span(store.missing(cell.key, study.games)) for cell in study.unique_runs}
        return describe(study, stored, aside(lambda: probe(study)), hands.workers, hands.words)
    finally:
        hands.close()


def study_file(name: str | Path) -> Path:
    """The file of a study: a path, or the name of one where studies lie."""
    path = Path(name)
    if path.suffix == ".toml" or len(path.parts) > 1:
        return path
    return study_folder(str(name)).with_suffix(".toml")


def refuse_own_bots_elsewhere(study: Study, engine: str) -> None:
    own = sorted({bot for cell in study.cell_runs for bot in cell.run.own})
    if own and engine != "local":
        raise Refused(f"--engine {engine}: {', '.join(own)} is a bot of your own, which plays on this machine alone")


class Running:
    """One run of a study over its store."""

    def __init__(
        self,
        study: Study,
        store: Store,
        engine: Engine,
        progress: bool,
        say: Say,
        pace: Mapping[tuple[str, ...], float] | None,
    ):
        self.study, self.store, self.engine, self.say = study, store, engine, say
        self.warn = to_stderr if say is quiet else say
        self.shown = progress
        self.pace = dict(pace or {})
        self.ends: dict[str, tuple[int, str]] = {}  # by key: games, and why they are enough

    @property
    def told(self) -> dict[str, Any]:
        """What the manifest says of the study, its cells aside."""
        stop = None if self.study.stop is None else self.study.stop.plain
        head = {"name": self.study.name, "question": self.study.question, "design": self.study.design}
        axes = {name: list(values) for name, values in self.study.axes.items()}
        return {**head, "axes": axes, "games": self.study.games, "seed": self.study.seed, "stop": stop}

    def play(self) -> None:
        runs, store, games = self.study.unique_runs, self.store, self.study.games
        for path in store.set_aside_damaged([cell.key for cell in runs]):
            self.warn(f"damaged, set aside and played again: {path}")
        self.tell_stale()
        self.write_manifest()
        stored = {cell.key: games - span(store.missing(cell.key, games)) for cell in runs}
        if left := games * len(runs) - sum(stored.values()):
            self.pace = self.pace or aside(lambda: probe(self.study))
        for line in describe(self.study, stored, self.pace, self.engine.workers, self.engine.words):
            self.say(line)
        with Progress(runs, games * len(runs), sum(stored.values()), self.shown and bool(left)) as bars:
            if self.study.stop is None:
                self.fill(runs, games, bars, stored)
            else:
                self.until_stopped(self.study.stop, bars, stored)
                self.write_manifest()

    def write_manifest(self) -> None:
        """What the study is, and of each cell how many games belong to it, and why."""
        ends = self.ends
        cells = [
            (cell.labels, replace(cell.run, games=ends[cell.key][0] if cell.key in ends else cell.run.games), cell.key)
            for cell in self.study.cell_runs
        ]
        verdicts = {cell.words: ends[cell.key][1] for cell in self.study.unique_runs if cell.key in ends}
        self.store.write_manifest({**self.told, "verdicts": verdicts}, cells)

    def tell_stale(self) -> None:
        """Which shards are not used, for they were played otherwise."""
        stale = self.store.stale(self.study.base.game)
        for cell in stale[:SHOWN_STALE]:
            then = f", {' and '.join(cell['own'])} as of then" if cell["own"] else ""
            self.warn(
                f"stale: {cell['variant']} {','.join(cell['bots'])}, played by version {cell['tkg']}, rules {cell['rules']}{then}; "
                f"now version {version()}, rules {rules_hash(self.study.base.game)}; its shards in {cell['folder']} are left out"
            )
        if len(stale) > SHOWN_STALE:
            self.warn(f"stale: {len(stale) - SHOWN_STALE} more such cells")

    def tasks(self, cells: Iterable[CellRun], games: int) -> Iterator[Task]:
        """What is missing of the first `games` games of each cell, in blocks."""
        rules = rules_hash(self.study.base.game)
        for cell in cells:
            for first, end in self.store.missing(cell.key, games):
                at = first
                while at < end:
                    n = min(block_size(self.pace[cell.run.bots], cell.run.rows_per_game), end - at)
                    yield Task(cell.key, cell.run, at, n, rules, version())
                    at += n

    def fill(self, cells: Sequence[CellRun], games: int, bars: Progress, stored: dict[str, int]) -> None:
        """Play what is missing of the first `games` games of cells."""
        by_key = {cell.key: cell for cell in cells}
        for done in self.engine.play(self.tasks(cells, games)):
            task = done.task
            self.keep(done)
            self.pace[task.run.bots] = (self.pace[task.run.bots] + done.seconds / task.games) / 2
            stored[task.key] += task.games
            bars.played(by_key[task.key], task.games, stored[task.key], self.study.games)

    def keep(self, done: Done) -> None:
        task = done.task
        try:
            self.store.put(task.key, task.run, task.first, task.first + task.games, done.data)
        except Refused as error:
            raise Refused(
                f"{error}; what was played before is kept, and the study goes on from there when it is run again"
            ) from None

    def until_stopped(self, stop: Stop, bars: Progress, stored: dict[str, int]) -> None:
        """Play on from look to look, until the stopping rule says of every cell that it may stop."""
        first = {alike(cell): cell for cell in reversed(self.study.unique_runs)}  # what others are compared with
        compared = [cell for cell in self.study.unique_runs if cell is not first[alike(cell)]]
        undecided = list(self.study.unique_runs) if stop.rule == "within" else compared
        for games in stop.looks:
            playing = {cell.key: cell for cell in undecided}
            if stop.rule == "compare":
                playing |= {first[alike(cell)].key: first[alike(cell)] for cell in undecided}
            ordered = [cell for cell in self.study.unique_runs if cell.key in playing]
            bars.look()
            self.fill(ordered, games, bars, stored)
            rows = {cell.key: rows_of(self.store.shards_of_games(cell.key, games), games) for cell in ordered}
            values = {cell.key: stop.values(rows[cell.key]) for cell in ordered}
            for cell in list(undecided):
                if stop.rule == "within":
                    over, words = stop.is_narrow(values[cell.key]), f"enough after {games:,} games"
                else:
                    base = first[alike(cell)]
                    found = stop.settled(values[base.key], values[cell.key], len(compared))
                    over, words = found.better != "open", verdict_words(found, stop)
                self.ends[cell.key] = (
                    games,
                    words if over or stop.rule == "compare" else f"open after {games:,} games",
                )
                if over:
                    undecided.remove(cell)
            if stop.rule == "compare":
                for cell in first.values():
                    partners = [self.ends[c.key][0] for c in compared if alike(c) == alike(cell)]
                    self.ends[cell.key] = (max(partners, default=games), "what the others are compared with")
            if not undecided:
                break


def alike(cell: CellRun) -> tuple[tuple[str, ...], int]:
    """What cells have in common that are compared: bots and seats."""
    return cell.run.bots, cell.run.variant.seats


def verdict_words(found: Verdict, stop: Stop) -> str:
    """What a comparison came to, never more than it says."""
    seen = f"{-found.difference:+z.3f} ({-found.high:+z.3f} to {-found.low:+z.3f}) after {found.pairs:,} common deals"
    words = {
        "first": f"{stop.measured} is lower than in the first cell",
        "second": f"{stop.measured} is higher than in the first cell",
        "alike": f"{stop.measured} is the same as in the first cell to within \u00b1{stop.margin or 0:g}",
        "open": f"whether {stop.measured} differs from the first cell's is open",
    }[found.better]
    return f"{words}: {seen}".replace("-", "\u2212")


def span(gaps: Sequence[tuple[int, int]]) -> int:
    """Games in gaps."""
    return sum(end - first for first, end in gaps)


def sweep(
    make: Callable[..., Variant],
    *,
    bots: str | Sequence[str] = "random",
    games: int = 1000,
    seed: int = 0,
    workers: int | None = None,
    progress: bool = False,
    design: str = "grid",
    points: int | None = None,
    stop: Mapping[str, Any] | None = None,
    to: str | Path | None = None,
    engine: str = "local",
    **axes: Iterable[Any],
) -> Any:
    """Play many variants on the same deals: the table of `simulate` with the axes in front.

    `make` makes variants: a game's function of tkg, or the `but` of a variant that has what all of them share. The
    `design` is `grid` (every combination), `one-at-a-time` (the variant as it is, then each axis alone; a column `axis`
    more), or `latin` (`points` cells spread evenly over all axes). An axis that bears the name of a field of the
    result, such as the Rift's reading `gate`, keeps it; the field becomes `gate_result`. With `stop`, the table `[stop]`
    of a study's file, cells play until it says so, `games` at most (see `tkg.studies.stopping`).

    With `to` the games are kept as a study of that name, or in that folder: what is there already is not played again,
    and a lazy table on it is returned, as `tkg.study` gives; see `tkg.play_study` for `engine`.

    >>> import tkg
    >>> table = tkg.sweep(tkg.rift, supply=[9, 15], bots="random", games=10, seed=1)
    >>> table.select("supply").unique().to_series().sort().to_list()
    [9, 15]
    """
    if to is None and stop is None and engine == "local":
        cells, _ = cells_of(make, axes, design, points, seed)
        return play_cells(cells, [bots], games, seed, workers, progress)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "sweep" if to is None else study_folder(to)
        planned = make_study(folder.name, make, axes, [bots], games, seed, design=design, points=points, stop=stop)
        say = to_stderr if progress else quiet
        table = play_study(planned, to=folder, workers=workers, engine=engine, progress=progress, say=say)
        return table.collect() if to is None else table


def to_stderr(words: str) -> None:
    print(words, file=sys.stderr)

"""What a study is: its file read and checked, its runs, and what it will cost."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tkg.bots.table import take_apart
from tkg.bulk import Run, make_run, play_block
from tkg.own_bots import load_bots
from tkg.rules.errors import Refused, did_you_mean
from tkg.rules.games import rules_of
from tkg.rules.knobs import Variant, parse_settings
from tkg.studies.cells import Labels, cells_of
from tkg.studies.stopping import Stop, read_stop
from tkg.studies.store import key_of
from tkg.studies.sweeps import check_of_one_kind

PROBED = 3  # cells of each choice of bots that are played for a moment, to tell what the study will take
PROBE_SECONDS = 0.3
BLOCK_SECONDS = 1.0  # what a block of games should keep a worker: an engine's few milliseconds a block are lost in it
MOST_ROWS = 200_000  # of a block, so that a worker holds little at a time


@dataclass(frozen=True)
class CellRun:
    """A cell with one choice of bots: what is played, under which labels, and the name of its shards."""

    labels: Labels
    run: Run
    key: str

    @property
    def words(self) -> str:
        """The cell in few words, for people."""
        return f"{self.run.variant} {','.join(self.run.bots)}"


@dataclass(frozen=True)
class Study:
    """A checked study. `cell_runs` are what it plays, each of `games` games or until `stop` says so."""

    name: str
    base: Variant
    axes: Mapping[str, Sequence[Any]]
    cell_runs: tuple[CellRun, ...]
    games: int
    seed: int
    design: str
    stop: Stop | None = None
    question: str = ""
    left_out: tuple[str, ...] = field(default=())

    @cached_property
    def unique_runs(self) -> tuple[CellRun, ...]:
        """The runs without those that come to the same as one before them."""
        return tuple({cell.key: cell for cell in self.cell_runs}.values())

    @property
    def bot_choices(self) -> list[tuple[str, ...]]:
        return list(dict.fromkeys(cell.run.bots for cell in self.cell_runs))


def make_study(
    name: str,
    make: Any,
    axes: Mapping[str, Iterable[Any]],
    bots: Sequence[str | Sequence[str]],
    games: int,
    seed: int,
    *,
    design: str = "grid",
    points: int | None = None,
    stop: Mapping[str, Any] | None = None,
    fixed_seats: bool = False,
    skip_refused: bool = False,
    question: str = "",
) -> Study:
    """A study, checked whole before anything is played. `bots` holds choices, each of which plays every cell."""
    check_name(name)
    if not bots:
        raise Refused("bots: at least one choice is needed, such as ['greedy']")
    cells, left_out = cells_of(make, axes, design, points, seed, skip_refused)
    runs: list[tuple[Labels, Run]] = []
    for labels, variant in cells:
        for names in bots:
            try:
                runs.append((labels, make_run(variant, names, games, seed, fixed_seats)))
            except Refused as error:
                raise Refused(f"cell {variant}: {error}") from None
    check_of_one_kind([run for _, run in runs])
    if len({run.bots for _, run in runs}) > 1:
        runs = [({**labels, "bots": ",".join(run.bots)}, run) for labels, run in runs]
    found = list({tuple(labels.values()): CellRun(labels, run, key_of(run)) for labels, run in runs}.values())
    ending = None if stop is None else read_stop(stop, found[0].run, games)
    if ending is not None:
        check_stop(ending, found)
    base = make() if design != "grid" else cells[0][1]
    values = {axis: list(dict.fromkeys(labels[axis] for labels, _ in cells)) for axis in cells[0][0]}
    return Study(name, base, values, tuple(found), games, seed, design, ending, question, tuple(left_out))


def check_stop(stop: Stop, cells: Sequence[CellRun]) -> None:
    """Refuse a stopping rule that one of the cells cannot be asked about."""
    for cell in cells:
        stop.check_whose(cell.run)
    if stop.rule == "compare":
        alike = [(cell.run.bots, cell.run.variant.seats) for cell in {c.key: c for c in cells}.values()]
        for bots, seats in alike:
            if alike.count((bots, seats)) == 1:
                raise Refused(
                    f"stop: the rule compare needs two cells or more of the same bots and as many seats; with "
                    f"{','.join(bots)} at {seats} seat{'s'[: seats != 1]} there is one"
                )


def check_name(name: str) -> None:
    """A study's name is that of its folder."""
    if not isinstance(name, str) or not name or name.startswith(".") or not set(name).isdisjoint('/\\:*?"<>|\n'):
        raise Refused(f"study {name!r}: a name of letters, digits, - and _, that a folder can bear")


# --- Files of studies ---------------------------------------------------------------------------------------------

ENTRIES: dict[str, Any] = {
    "game": str,
    "axes": dict,
    "question": str,
    "base": dict,
    "design": str,
    "points": int,
    "bots": (str, list),
    "games": int,
    "seed": int,
    "fixed_seats": bool,
    "skip_refused": bool,
    "own": (str, list),
    "stop": dict,
}
NEEDED = ("game", "axes", "bots", "games")
WORDS = {
    str: "text",
    dict: "a table",
    int: "a whole number",
    bool: "true or false",
    (str, list): "text or a list of texts",
}


def read_study(path: str | Path, games: int | None = None) -> Study:
    """The study that a TOML file describes; `games` replaces the number in it.

    Entries: `game`, `axes` (a table: for each knob or reading a list of values, or `{from, to, step}`), `bots` (a choice or
    a list of choices, each of which plays every cell: "greedy" in all seats, "greedy,random" together), `games` (of a
    cell), and where they are wanted `question`, `base` (a table of settings that all cells share), `design` (grid,
    one-at-a-time, latin), `points` (cells of latin), `seed`, `fixed_seats`, `skip_refused` (leave out cells that the
    rules refuse), `own` (files with bots of your own, beside the study's) and `stop` (see `tkg.studies.stopping`).
    """
    path = Path(path)
    told = parsed(path)
    for entry, value in told.items():
        if entry not in ENTRIES:
            raise Refused(f"{path}: no entry {entry!r}; there are {', '.join(ENTRIES)}{did_you_mean(entry, ENTRIES)}")
        kind = ENTRIES[entry]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise Refused(f"{path}: {entry} is {value!r}; {WORDS[kind]} is needed")
    for entry in NEEDED:
        if entry not in told:
            raise Refused(f"{path}: the entry {entry!r} is missing")
    try:
        for file in listed_texts(told.get("own", []), "own"):
            load_bots(path.parent / file)
        rules = rules_of(told["game"])
        base = Variant(rules, **from_file(rules, told.get("base", {})))
        axes = {name: axis_of(rules, name, value) for name, value in told["axes"].items()}
        return make_study(
            path.stem, base.but, axes, listed_texts(told["bots"], "bots"), told["games"] if games is None else games,
            told.get("seed", 0), **{n: told[n] for n in ("design", "points", "stop", "fixed_seats", "skip_refused", "question") if n in told},
        )  # fmt: skip
    except Refused as error:
        raise Refused(f"{path}: {error}") from None


def parsed(path: Path) -> dict[str, Any]:
    """What a TOML file says."""
    if not path.is_file():
        raise Refused(f"{path}: there is no such file")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise Refused(f"{path} is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise Refused(f"{path}: {error}") from None


def listed_texts(value: Any, entry: str) -> list[str]:
    """A text or a list of texts as a list."""
    found = [value] if isinstance(value, str) else list(value)
    if not all(isinstance(text, str) and text for text in found):
        raise Refused(f"{entry}: {value!r}; text or a list of texts is needed")
    return found


def from_file(rules: Any, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as a file has them: texts as on the command line, all else as it is."""
    texts = {name: value for name, value in settings.items() if isinstance(value, str)}
    return {**settings, **parse_settings(rules, texts)}


def axis_of(rules: Any, name: str, value: Any) -> list[Any]:
    """The values of an axis: a list, one value, or a range with both ends."""
    if isinstance(value, dict) and {"from", "to"} <= set(value) <= {"from", "to", "step"}:
        ends = [value["from"], value["to"], value.get("step", 1)]
        if any(isinstance(n, bool) or not isinstance(n, int) for n in ends) or ends[2] < 1:
            raise Refused(f"axis {name}: {value!r}; whole numbers are needed, and a step from 1")
        if ends[0] > ends[1]:
            raise Refused(f"axis {name}: from {ends[0]} to {ends[1]}; a range rises")
        return list(range(ends[0], ends[1] + 1, ends[2]))
    values = value if isinstance(value, list) else [value]
    return [from_file(rules, {name: v})[name] for v in values]


def axis_from_text(rules: Any, text: str) -> tuple[str, list[Any]]:
    """(knob, values) from `supply=6..21:3`, `supply=6;9;12` or `deck=threes;pure`."""
    name, equals, values = (part.strip() for part in text.partition("="))
    if not equals or not values:
        raise Refused(f"--vary {text}: written NAME=VALUE;VALUE, or NAME=FROM..TO:STEP")
    start, dots, rest = values.partition("..")
    if dots:
        end, _, step = rest.partition(":")
        numbers = [n.strip() for n in (start, end, step or "1")]
        if not all(n.isascii() and n.isdigit() for n in numbers) or int(numbers[2]) < 1:
            raise Refused(f"--vary {text}: a range is written FROM..TO or FROM..TO:STEP, in whole numbers")
        first, last = int(numbers[0]), int(numbers[1])
        if first > last:
            raise Refused(f"--vary {text}: from {first} to {last}; a range rises")
        return name, list(range(first, last + 1, int(numbers[2])))
    return name, [parse_settings(rules, {name: v.strip()})[name] for v in values.split(";") if v.strip()]


# --- What it will cost --------------------------------------------------------------------------------------------


def probe(study: Study) -> dict[tuple[str, ...], float]:
    """Seconds that a game takes one worker, by choice of bots: a few cells of each are played for a moment."""
    found = {}
    for bots in study.bot_choices:
        cells = [cell for cell in study.unique_runs if cell.run.bots == bots]
        some = {round(i * (len(cells) - 1) / max(1, PROBED - 1)) for i in range(PROBED)}
        found[bots] = max(seconds_of_a_game(cells[i].run) for i in sorted(some))
    return found


def seconds_of_a_game(run: Run) -> float:
    """What a game takes, of as many as fit into a moment; at least one."""
    compiled = make_run(run.variant, "random", 1, run.seed)
    play_block(compiled, 0, 1)  # what is loaded once is no cost of a game
    games, seconds = 0, 0.0
    while seconds < PROBE_SECONDS:
        n = max(1, games)
        began = time.perf_counter()
        play_block(run, games, n)
        seconds += time.perf_counter() - began
        games += n
        if take_apart(run.variant.game, run.bots[0]).iterations and seconds > PROBE_SECONDS / 2:
            break
    return seconds / games


def block_size(seconds: float, rows: int) -> int:
    """Games of a block, where one takes so many seconds and fills so many rows."""
    return max(1, min(int(BLOCK_SECONDS / max(seconds, 1e-9)), MOST_ROWS // rows))


def in_words(seconds: float) -> str:
    """A time to wait, roughly."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


def describe(
    study: Study, stored: Mapping[str, int], pace: Mapping[tuple[str, ...], float], workers: int, whose: str
) -> list[str]:
    """The plan in a few lines: cells, games, what is there already (games by key), how long the rest takes on whose workers."""
    cells = len(study.cell_runs) // len(study.bot_choices)
    axes = " x ".join(f"{name} ({len(values)})" for name, values in study.axes.items() if name != "axis")
    bots = "; ".join(",".join(names) for names in study.bot_choices)
    total, there = study.games * len(study.unique_runs), sum(stored.values())
    seconds = sum(pace.get(c.run.bots, 0.0) * (study.games - stored[c.key]) for c in study.unique_runs) / workers
    about = "about" if study.stop is None else "at most about"
    lines = [
        f"{study.name}: {study.question}" if study.question else study.name,
        f"{study.design}: {axes}: {cells} cells, bots {bots}, seed {study.seed}",
        f"{len(study.unique_runs)} runs of {study.games:,} games{'' if study.stop is None else ' at most'}: {total:,} games, "
        f"{there:,} of them played already",
        f"expected: {'nothing left to play' if there == total else f'{about} {in_words(seconds)} on {whose}'}",
    ]
    if study.stop is not None:
        lines.insert(3, f"played {study.stop.words}")
    return lines + [f"left out: {words}" for words in study.left_out]

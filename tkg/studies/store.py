"""Where the games of a study are kept: parquet shards, keyed by what settles their rows.

A store is a folder:

    study.json                              what the study is: its cells, and under which key each one's games lie
    shards/KEY/cell.json                    what this key stands for
    shards/KEY/FIRST-END.CHECK.parquet      the rows of games FIRST to END - 1, and the check sum of the file
    damaged/                                shards that were not what they should be, set aside

A key is a hash of variant, bots, seed, version and the sources of the game's rules, its bots and what fills tables. So shards of other rules
are not taken for those of these, and a study that is extended keeps what it has. A shard gets its name when it is whole,
so whatever stops the program leaves whole shards only.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tkg.rules
from tkg.bulk import Run, version
from tkg.files import whole_file
from tkg.own_bots import own_among, source_of
from tkg.rules.errors import Refused
from tkg.rules.games import GAMES
from tkg.rules.kernel import LOADED, sources_hash
from tkg.rules.tiles import Deck

if TYPE_CHECKING:
    import polars as pl

FORMAT = 1
MANIFEST, CELL = "study.json", "cell.json"
PACKAGE = Path(tkg.rules.__file__).parent.parent
TABLES = ("bulk.py", "own_bots.py")  # of the package's sources, those that settle rows beside rules and bots
DIGITS = 12  # of a game's number in the name of a shard
SHOWN_STALE = 5
GROUP_ROWS = 50_000  # rows that a reader can skip at once, where it wants some games only


@cache
def rules_hash(game: str) -> str:
    """Eight hex digits of the sources that settle rows: a game's own rules and bots, what all games share, who fills tables."""
    if sources_hash() != LOADED:
        raise Refused(
            "rules or bots were edited since they were loaded; begin anew (in a notebook: restart the kernel)"
        )
    others = set(GAMES) - {game}
    digest = hashlib.sha256()
    for name in TABLES:
        digest.update((PACKAGE / name).read_bytes())
    for folder in ("rules", "bots"):
        for file in sorted((PACKAGE / folder).rglob("*")):
            if file.suffix in (".py", ".json") and file.stem not in others:
                digest.update(file.relative_to(PACKAGE).as_posix().encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()[:8]


def key_of(run: Run) -> str:
    """Sixteen hex digits of all that settles the rows of a run, its length aside."""
    game = run.variant.game
    own = sources_of(game, run.bots)
    told = [game, run.variant.plain(), run.bots, run.seed, run.fixed_seats, version(), rules_hash(game), own]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def sources_of(game: str, bots: Sequence[str]) -> dict[str, str]:
    """Of every bot of one's own among these, eight hex digits of its source."""
    return {name: hashlib.sha256(source_of(name).encode()).hexdigest()[:8] for name in own_among(game, bots)}


def study_folder(name: str | Path) -> Path:
    """Where a study of this name is kept: `studies` where TKG_DATA points, or in `data`; a path is taken as it is."""
    if isinstance(name, Path) or "/" in str(name) or os.sep in str(name):
        return Path(name)
    data = os.environ.get("TKG_DATA") or PACKAGE.parent / "data"
    return Path(data) / "studies" / name


@dataclass(frozen=True)
class Shard:
    """A file with the rows of the games `first` to `end` - 1."""

    path: Path
    first: int
    end: int
    check: str

    @classmethod
    def named(cls, path: Path) -> Shard | None:
        """The shard that a file's name tells of, None if it is none."""
        games, dot, check = path.stem.partition(".")
        first, dash, end = games.partition("-")
        if not (dot and dash and first.isdigit() and end.isdigit() and int(first) < int(end)):
            return None
        return cls(path, int(first), int(end), check)

    @property
    def sound(self) -> bool:
        """Whether the file is what was written."""
        return check_sum(self.path.read_bytes()) == self.check


def check_sum(data: bytes) -> str:
    return f"{zlib.crc32(data):08x}"


def as_bytes(rows: pl.DataFrame, run: Run) -> bytes:
    """Rows as a parquet file that says what run they belong to."""
    file = io.BytesIO()
    rows.write_parquet(file, metadata=run.metadata(), row_group_size=GROUP_ROWS)
    return file.getvalue()


class Store:
    """The games of one study on disk."""

    def __init__(self, folder: Path):
        self.folder = folder

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else plays this study meanwhile; a process that dies lets go of it."""
        from filelock import FileLock, Timeout

        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.folder / ".lock", timeout=0)
            lock.acquire()
        except Timeout:
            raise Refused(f"{self.folder}: another process is playing this study; wait for it, or stop it") from None
        except OSError as error:
            raise Refused(f"{self.folder} cannot be written: {error.strerror}") from None
        try:
            for part in self.folder.rglob(".*.part"):  # what a process that was killed had begun
                part.unlink(missing_ok=True)
            yield
        finally:
            lock.release()

    # --- The manifest -----------------------------------------------------------------------------------------------

    def write_manifest(self, told: Mapping[str, Any], cells: Sequence[tuple[Mapping[str, Any], Run, str]]) -> None:
        """What the study is now; its decks stand there with their counts."""
        decks = {v.label: dict(v) for _, run, _ in cells for v in run.variant.values() if isinstance(v, Deck)}
        listed = [{"labels": dict(labels), "key": key, **cell_words(run)} for labels, run, key in cells]
        game = cells[0][1].variant.game
        head = {"format": FORMAT, "tkg": version(), "rules": rules_hash(game), "game": game}
        self.write(self.folder / MANIFEST, {**head, **told, "decks": decks, "cells": listed})

    def manifest(self) -> dict[str, Any]:
        """What the study is, as it was last played; its decks become known."""
        path = self.folder / MANIFEST
        try:
            told = json.loads(path.read_bytes())
            for label, counts in told["decks"].items():
                Deck(counts, label.partition("#")[0])
            if told["format"] == FORMAT and all({"labels", "key", "games"} <= set(cell) for cell in told["cells"]):
                return told
        except FileNotFoundError:
            raise Refused(f"{self.folder}: there is no study{known_studies(self.folder)}") from None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass
        raise Refused(f"{path} is not what tkg writes there; play the study again, its shards are kept")

    def write(self, path: Path, told: Mapping[str, Any]) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Refused(f"{path.parent} cannot be written: {error.strerror}") from None
        with whole_file(path, force=True) as part:
            part.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    # --- Shards -----------------------------------------------------------------------------------------------------

    def put(self, key: str, run: Run, first: int, end: int, data: bytes) -> Shard:
        """Keep the rows of some games."""
        folder = self.folder / "shards" / key
        if not (folder / CELL).exists():
            game = run.variant.game
            told = {"game": game, "rules": rules_hash(game), "tkg": version(), "own": sources_of(game, run.bots)}
            self.write(folder / CELL, {**told, **cell_words(run)})
        check = check_sum(data)
        path = folder / f"{first:0{DIGITS}}-{end:0{DIGITS}}.{check}.parquet"
        with whole_file(path, force=True) as part:
            part.write_bytes(data)
        return Shard(path, first, end, check)

    def shards(self, key: str) -> list[Shard]:
        """The shards of a key in order; no two have a game in common."""
        files = sorted((self.folder / "shards" / key).glob("*.parquet"))
        found: list[Shard] = []
        for shard in sorted(filter(None, map(Shard.named, files)), key=lambda s: (s.first, -s.end)):
            if not found or shard.first >= found[-1].end:
                found.append(shard)
        return found

    def set_aside_damaged(self, keys: Sequence[str]) -> list[Path]:
        """Move shards that are not what was written to `damaged`; where they lay."""
        found = [shard for key in keys for shard in self.shards(key) if not shard.sound]
        for shard in found:
            aside = self.folder / "damaged" / f"{shard.path.parent.name}-{shard.path.name}"
            aside.parent.mkdir(exist_ok=True)
            shard.path.replace(aside)
        return [shard.path for shard in found]

    def missing(self, key: str, games: int) -> list[tuple[int, int]]:
        """Which of the first `games` games are not there, as (first, end)."""
        gaps, reached = [], 0
        for shard in self.shards(key):
            if shard.first > reached:
                gaps.append((reached, min(shard.first, games)))
            reached = max(reached, shard.end)
            if reached >= games:
                break
        if reached < games:
            gaps.append((reached, games))
        return [(first, end) for first, end in gaps if first < end]

    def stale(self, game: str) -> list[dict[str, Any]]:
        """What `cell.json` says of shards that other rules, other bots or another version have played."""
        told = []
        for path in sorted((self.folder / "shards").glob(f"*/{CELL}")):
            try:
                cell = json.loads(path.read_bytes())
                played = (cell["rules"], cell["tkg"], cell["own"])
                current = cell["game"] != game or played == (
                    rules_hash(game),
                    version(),
                    sources_of(game, cell["bots"]),
                )
            except (OSError, ValueError, KeyError, TypeError):
                continue
            if not current:
                told.append({**cell, "folder": path.parent})
        return told

    def shards_of_games(self, key: str, games: int) -> list[Shard]:
        """The shards that hold some of the first `games` games of a key."""
        return [shard for shard in self.shards(key) if shard.first < games]


def rows_of(shards: Sequence[Shard], games: int) -> pl.LazyFrame:
    """The first `games` games of shards of one key."""
    import polars as pl

    rows = pl.scan_parquet([shard.path for shard in shards])
    return rows.filter(pl.col("game") < games) if shards[-1].end > games else rows


def cell_words(run: Run) -> dict[str, Any]:
    """What a run is, as JSON has it."""
    return {
        "variant": str(run.variant),
        "settings": run.variant.plain(),
        "bots": list(run.bots),
        "games": run.games,
        "seed": run.seed,
        "fixed_seats": run.fixed_seats,
    }


def known_studies(folder: Path) -> str:
    """`; beside it lie A and B`, or nothing."""
    names = sorted(path.parent.name for path in folder.parent.glob(f"*/{MANIFEST}"))
    return f"; played are {', '.join(names)}" if names else ""

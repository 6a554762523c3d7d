"""The games of a study as one lazy table over its shards."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tkg.bulk import version
from tkg.rules.errors import Refused
from tkg.studies.store import Shard, Store, rows_of, rules_hash, study_folder
from tkg.studies.sweeps import in_front

if TYPE_CHECKING:
    import polars as pl

MOST_APART = 100  # files up to which cells are scanned one by one
PATH, LIMIT, OWN = "_path", "_limit", "_label"


def study(name: str | Path) -> pl.LazyFrame:
    """All games of a study that was played: a lazy polars table, the study's axes as columns in front.

    `name` is the study's name where studies are kept (`data/studies`, or `studies` where TKG_DATA points), or the path of its
    folder. The columns are those of `tkg.simulate`; with several choices of bots `bots` tells which were at the table.
    Metrics take the table as it is, and read no more of it than they need. Warns if games are still missing, or if the rules have
    changed since they were played.
    """
    store = Store(study_folder(name))
    told = store.manifest()
    played = (told["rules"], told["tkg"])
    if played != (rules_hash(told["game"]), version()):
        warnings.warn(
            f"study {store.folder.name} was played by version {told['tkg']}, rules {told['rules']}; now they are version "
            f"{version()}, rules {rules_hash(told['game'])}: playing it again plays all of it anew",
            stacklevel=2,
        )
    missing = sum(end - first for key, games in games_by_key(told).items() for first, end in store.missing(key, games))
    if missing:
        warnings.warn(f"study {store.folder.name}: {missing:,} games are still to be played", stacklevel=2)
    return scan(store)


def games_by_key(told: dict) -> dict[str, int]:
    """How many games belong to each key of a manifest."""
    return {cell["key"]: cell["games"] for cell in told["cells"]}


def scan(store: Store) -> pl.LazyFrame:
    """The lazy table over all shards of a study, whether or not something is missing."""
    cells = [(cell, store.shards_of_games(cell["key"], cell["games"])) for cell in store.manifest()["cells"]]
    there = [(cell, shards) for cell, shards in cells if shards]
    if not there:
        raise Refused(f"{store.folder}: not a single game has been played yet")
    return scan_apart(there) if sum(len(shards) for _, shards in there) <= MOST_APART else scan_together(there)


def scan_apart(cells: Sequence[tuple[dict[str, Any], list[Shard]]]) -> pl.LazyFrame:
    """Cell below cell: the least work, as long as there are few files."""
    import polars as pl

    frames = [in_front(rows_of(shards, cell["games"]), cell["labels"]) for cell, shards in cells]
    return pl.concat(frames, how="diagonal_relaxed")


def scan_together(cells: Sequence[tuple[dict[str, Any], list[Shard]]]) -> pl.LazyFrame:
    """All files at once, labels joined to them: polars opens no more of them at a time than it can, and holds little."""
    import polars as pl

    labels = list(cells[0][0]["labels"])
    paths = list(dict.fromkeys(str(shard.path) for _, shards in cells for shard in shards))
    of_path = [
        {**{f"{name}{OWN}": cell["labels"][name] for name in labels}, PATH: str(shard.path), LIMIT: cell["games"]}
        for cell, shards in cells
        for shard in shards
    ]
    rows = pl.scan_parquet(paths, include_file_paths=PATH, missing_columns="insert")
    whole = {
        f"{name}{OWN}": pl.Int32 for name in labels if isinstance(cells[0][0]["labels"][name], int)
    }  # as pl.lit has it
    joined = rows.join(pl.LazyFrame(of_path, schema_overrides=whole), on=PATH, how="inner", maintain_order="left")
    if any(shards[-1].end > cell["games"] for cell, shards in cells):
        joined = joined.filter(pl.col("game") < pl.col(LIMIT))
    clashing = {name: f"{name}_result" for name in labels if name in rows.collect_schema().names()}
    own = [pl.col(f"{name}{OWN}").alias(name) for name in labels]
    columns = [pl.col(name).alias(clashing.get(name, name)) for name in rows.collect_schema().names() if name != PATH]
    return joined.select(*own, *columns)

"""The games of a study as one lazy table over its shards."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from tkg.bulk import version
from tkg.rules.errors import Refused
from tkg.studies.store import Store, rules_hash, study_folder
from tkg.studies.sweeps import in_front

if TYPE_CHECKING:
    import polars as pl


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
    import polars as pl

    frames = []
    for cell in store.manifest()["cells"]:
        rows = store.rows(cell["key"], cell["games"])
        if rows is not None:
            frames.append(in_front(rows, cell["labels"]))
    if not frames:
        raise Refused(f"{store.folder}: not a single game has been played yet")
    return pl.concat(frames, how="diagonal_relaxed")

"""What came of a study, in a table for people: who won how often in every cell, and how that differs from the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tkg.metrics import numbers, paired_difference, win_share
from tkg.metrics.words import columns, with_interval
from tkg.rules.errors import Refused
from tkg.studies.plan import Study

if TYPE_CHECKING:
    import polars as pl

CELL, SEATS = "_cell", "_seats"
AXES_AND = ("axis", "bots")


@dataclass(frozen=True)
class Summary:
    """`table`: a row for every cell, and in it for every bot, or every seat where one bot sits in all.

    Columns: the axes, `bot` or `seat`, `games`, `wins`, `share`, `low`, `high`; `difference`, `difference_low`,
    `difference_high` of the share from that in the first cell of as many seats and the same bots, on common deals (null there); `decisions` (mean of a game).
    """

    study: Study
    keys: tuple[str, ...]
    who: str
    table: pl.DataFrame
    verdicts: Mapping[str, str]

    @property
    def plain(self) -> dict[str, Any]:
        """For programs."""
        study = self.study
        head = {"study": study.name, "game": study.base.game, "design": study.design, "seed": study.seed}
        return {**head, "cells": self.table.to_dicts(), "verdicts": dict(self.verdicts)}

    def __str__(self) -> str:
        first = "first" if len(self.keys) > 1 else f"{self.keys[0]} {self.table[self.keys[0]][0]}"
        rows = [
            [*self.keys, self.who, "games", "win", f"against the {first}" if len(self.keys) > 1 else f"against {first}"]
        ]
        for row in self.table.iter_rows(named=True):
            labels = [str(row[key]) for key in (*self.keys, self.who)]
            rows.append([*labels, f"{row['games']:,}", with_interval(row), difference_words(row)])
        lines = columns(rows)
        if self.verdicts:
            always = " (these intervals hold however often one looks, those above once)"
            compared = self.study.stop is not None and self.study.stop.rule == "compare"
            lines.append(f"why each was played no longer{always if compared else ''}:")
        lines += [f"{cell}: {words}" for cell, words in self.verdicts.items()]
        return "\n".join(["win shares and differences on common deals, with 95% intervals", *lines])


def difference_words(row: Mapping[str, Any]) -> str:
    """A difference of shares in points, with its interval; a dash for what it is measured from."""
    if row["difference"] is None:
        return "-"
    told = [
        f"{100 * row[name]:+.1f}"
        for name in ("difference", "difference_low", "difference_high")
        if row[name] is not None
    ]
    words = f"{told[0]} ({told[1]} to {told[2]})" if len(told) == 3 else told[0]
    return words.replace("-", "\u2212") + " points"


def summarise(
    study: Study, table: pl.LazyFrame, by: Sequence[str] = (), verdicts: Mapping[str, str] | None = None
) -> Summary:
    """The summary of a study from its table, by its axes or by the columns that `by` names."""
    import polars as pl

    axes = list(study.cell_runs[0].labels)
    names = table.collect_schema().names()
    for name in by:
        if name not in names:
            raise Refused(f"--by {name}: the study has no such column; its axes are {', '.join(axes)}")
    keys = list(by) or [name for name in axes if name in AXES_AND or len(study.axes.get(name, ())) > 1] or axes
    who = "seat" if all(len(set(bots)) == 1 for bots in study.bot_choices) and study.base.seats > 1 else "bot"
    told = table.with_columns(
        pl.col("bot").cast(pl.String),
        pl.concat_str([pl.col(k).cast(pl.String) for k in keys], separator=", ").alias(CELL),
    )
    shares = win_share(told, [CELL, *keys, who])
    lengths = numbers(told, ["decisions"], [CELL], quantiles=()).select(CELL, pl.col("mean").alias("decisions"))
    order = told.select(CELL).unique(maintain_order=True).collect()[CELL].to_list()
    position = {cell: i for i, cell in enumerate(order)}
    parts = []
    seats = told.group_by(CELL).agg(pl.col("seat").max().alias(SEATS)).collect()
    shares = shares.join(seats, on=CELL, maintain_order="left")
    alike = [who, SEATS, *(["bots"] if "bots" in keys else [])]  # other bots, or more seats, are no comparison
    told = told.join(seats.lazy(), on=CELL)
    for values, rows in shares.partition_by(alike, as_dict=True, maintain_order=True).items():
        own = told.filter(*(pl.col(name) == value for name, value in zip(alike, values, strict=True)))
        if by:  # several games of a deal may go into one row
            own = own.group_by(CELL, "game_seed", "seat", "bot").agg(pl.col("win").mean())
        base = min(rows[CELL], key=position.__getitem__)
        parts.append(rows.join(differences(own, base, rows.height), on=CELL, how="left"))
    found = pl.concat(parts).join(lengths, on=CELL, how="left")
    found = found.sort(pl.col(CELL).replace_strict(position, return_dtype=pl.Int64), who).drop(CELL, SEATS)
    return Summary(study, tuple(keys), who, found, verdicts or {})


def differences(table: pl.LazyFrame, base: str, cells: int) -> pl.DataFrame:
    """How the win share of every cell differs from that of one of them, on common deals."""
    import polars as pl

    names = {"difference": "difference", "low": "difference_low", "high": "difference_high"}
    if cells < 2:
        return pl.DataFrame(schema={CELL: pl.String, **dict.fromkeys(names.values(), pl.Float64)})
    found = paired_difference(table, "win", CELL, base)
    return found.select(CELL, *(pl.col(old).clip(-1, 1).alias(new) for old, new in names.items()))

"""What a report is made of, and the words that its sentences share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import polars as pl

from tkg.metrics.words import listed as listed
from tkg.metrics.words import percent as percent
from tkg.metrics.words import with_interval as with_interval
from tkg.report.facts import Fact, of_section
from tkg.rules.knobs import Reading, Variant


@dataclass(frozen=True)
class Section:
    """A chart and what it tells: `name` is the stem of its files, `sentence` is computed from `numbers`, which `chart` draws.

    `more` are lines in small print, `facts` what the report holds against its ideals, `beside` further tables by name.
    `measured` names the columns of `numbers` that a clock gave, and no seed gives again.
    """

    name: str
    title: str
    sentence: str
    chart: Any
    numbers: pl.DataFrame
    measured: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    beside: tuple[tuple[str, pl.DataFrame], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "facts", of_section(self.facts, self.name))


@dataclass(frozen=True)
class Chapter:
    """Sections under one heading."""

    title: str
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class Study:
    """What the report knows of a game: its chapters, and the readings that must be settled."""

    variant: Variant
    plan: Plan
    chapters: tuple[Chapter, ...]
    settle: tuple[str, ...]

    @cached_property
    def sections(self) -> list[Section]:
        return [section for chapter in self.chapters for section in chapter.sections]

    @cached_property
    def facts(self) -> list[Fact]:
        return [fact for section in self.sections for fact in section.facts]


CHIEF = 2  # times as many games of the game as it is as of every other cell
BUDGETS = (4, 25, 100)  # as high as the report has time to climb; `tkg ladder` climbs on
LADDER, REPLAYED, TRACED, WAYS = 40, 40, 40, 400  # most deals or games of dear bots
ALONE = 2  # times as many deals in games for one, in which no two bots need meet


@dataclass(frozen=True)
class Plan:
    """How a study is played: `games` of every cell and bot, `chief` games of greedy players of the game as it is."""

    games: int
    seed: int
    workers: int | None
    progress: bool
    chief: int = 0

    def for_bots_that_cost(self, times: int) -> Plan:
        """The plan for a game whose bots think that many times as long: fewer games a cell, at least 2."""
        return replace(self, games=max(2, self.games // times), chief=CHIEF * self.games)

    def at_most(self, number: int) -> int:
        """How many deals of dear bots are played."""
        return max(2, min(self.games, number))

    @property
    def budgets(self) -> tuple[int, ...]:
        """Iterations a decision of the searches that play; the dearest only with deals enough to tell it from the next."""
        return BUDGETS if self.games >= LADDER else BUDGETS[:-1]

    @property
    def how(self) -> dict[str, Any]:
        """What every function that plays is told."""
        return {"seed": self.seed, "workers": self.workers, "progress": self.progress}


def axis(table: pl.DataFrame, name: str) -> pl.DataFrame:
    """The cells of a study in which one setting was varied."""
    return table.filter(pl.col("axis") == name)


def setting_of(name: str, variant: Variant, named: bool = False) -> str:
    """A setting's value as a chart's label; readings, and with `named` any setting, with its name."""
    declared = next(d for d in variant.rules.DECLARED if d.name == name)
    text = declared.text(variant[name])
    return f"{name}: {text}" if named or isinstance(declared, Reading) else text


def one_row_a_game(table: pl.DataFrame) -> pl.DataFrame:
    """The rows of seat 1, for what all seats of a game have in common."""
    return table.filter(pl.col("seat") == 1)


def points(difference: float) -> str:
    """A difference of shares in percentage points, with its sign."""
    return f"{difference * 100:+.1f}".replace("-", "\u2212") + " points"


def number(row: dict[str, Any], value: str = "mean", digits: int = 1) -> str:
    """`178.5 (176.6 to 180.4)`."""
    if row["low"] is None:
        return f"{row[value]:.{digits}f} (one game)"
    mean, low, high = (f"{row[name]:z.{digits}f}" for name in (value, "low", "high"))
    return f"{mean} ({low} to {high})".replace("-", "\u2212")


def chance(p: float) -> str:
    """A p-value in words."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def the_row(table: pl.DataFrame, **where: Any) -> dict[str, Any]:
    """The one row in which the columns have these values."""
    for name, value in where.items():
        table = table.filter(pl.col(name).cast(pl.String) == str(value))
    return table.row(0, named=True)


def extremes(table: pl.DataFrame, value: str = "share") -> tuple[dict[str, Any], dict[str, Any]]:
    """The rows with the lowest and the highest value."""
    ordered = table.sort(value, maintain_order=True)
    return ordered.row(0, named=True), ordered.row(-1, named=True)

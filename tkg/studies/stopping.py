"""When a study has played enough of a cell: a rule that is fixed beforehand, asked at numbers of games that are fixed, too.

Looks come after `first` games, and each time a quarter more, up to the study's `games`. So they depend neither on workers nor
on interruptions, and a study that is resumed comes to the same end. The statistics are in `tkg.metrics.sequential`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tkg.bulk import Run, make_run, play_block
from tkg.metrics import sequential
from tkg.rules.errors import Refused, did_you_mean
from tkg.rules.numbers import whole

if TYPE_CHECKING:
    import polars as pl

GROWTH = 1.25
RULES = ("within", "compare")
ENTRIES = ("rule", "of", "bot", "seat", "half_width", "margin", "level", "first")
UNFIT = {"within": ("margin", "level"), "compare": ("half_width",)}
LEVEL = 0.95
SHARES = ("win", "contest")  # columns of shares of a victory


@dataclass(frozen=True)
class Stop:
    """A stopping rule.

    `within` plays a cell until the 95% interval of the mean of `of` is within +-`half_width`; `compare` plays every cell
    against the first with the same bots until the difference on common deals is settled: one is better, or with a
    `margin` both are alike to within it, at `level` for all comparisons together. `bot` or `seat` say whose rows count.
    """

    rule: str
    of: str
    most: int
    first: int
    half_width: float = 0.0
    margin: float | None = None
    level: float = LEVEL
    bot: str | None = None
    seat: int | None = None

    @cached_property
    def looks(self) -> list[int]:
        """Numbers of games at which it is asked."""
        found, at = [], self.first
        while at < self.most:
            found.append(at)
            at = max(at + 1, round(at * GROWTH))
        return [*found, self.most]

    @property
    def measured(self) -> str:
        """What is measured, in few words."""
        whose = f" of {self.bot}" if self.bot is not None else f" of seat {self.seat}" if self.seat is not None else ""
        return f"{self.of}{whose}"

    @property
    def words(self) -> str:
        """The rule in few words."""
        if self.rule == "within":
            return f"until the 95% interval of {self.measured} is within ±{self.half_width:g}"
        alike = "" if self.margin is None else f", or is alike to within ±{self.margin:g}"
        return f"until it is settled whether {self.measured} differs from the first cell's{alike} ({self.level:.0%} in all)"

    @property
    def plain(self) -> dict[str, Any]:
        """As a file has it."""
        told = {name: getattr(self, name) for name in ENTRIES if name not in UNFIT[self.rule]}
        return {name: value for name, value in told.items() if value is not None}

    def check_whose(self, run: Run) -> None:
        """Refuse a run in which nobody sits whose rows should count."""
        if self.bot is not None and self.bot not in run.bots:
            raise Refused(f"stop: bot {self.bot!r} does not play {run.variant}; {', '.join(run.bots)} do")
        if self.seat is not None and (whole(self.seat) is None or not 1 <= self.seat <= run.rows_per_game):
            raise Refused(f"stop: seat={self.seat!r}; {run.variant} has seats from 1 to {run.rows_per_game}")
        if self.of in SHARES and self.bot is None and self.seat is None and run.rows_per_game > 1:
            raise Refused("stop: the wins of all seats add up to the same in every game; say whose by bot or seat")

    def values(self, rows: pl.LazyFrame) -> pl.DataFrame:
        """`game` and `value` of games, in order: the mean of the rows that count."""
        import polars as pl

        counted = rows
        if self.bot is not None:
            counted = counted.filter(pl.col("bot").cast(pl.String) == self.bot)
        if self.seat is not None:
            counted = counted.filter(pl.col("seat") == self.seat)
        of_game = counted.group_by("game").agg(pl.col(self.of).cast(pl.Float64).mean().alias("value"))
        return of_game.sort("game").collect(engine="streaming")

    def is_narrow(self, values: pl.DataFrame) -> bool:
        """Whether the interval of the mean is narrow enough."""
        found = values["value"]
        shares = self.half_width < 1 and bool(found.is_in([0.0, 1.0]).all())
        sums = (float(found.sum()), float((found * found).sum()))
        return bool(sequential.within(self.half_width, len(found), *sums, shares, least=2))

    def settled(self, base: pl.DataFrame, other: pl.DataFrame, comparisons: int) -> sequential.Verdict:
        """The verdict on two cells, `first` being the base: it stands from the first look that allowed one."""
        pairs = base.join(other, on="game", suffix="_other", how="inner", maintain_order="left")
        differences = (pairs["value"] - pairs["value_other"]).to_numpy()
        looks = [look for look in self.looks if look <= len(differences)]
        return sequential.compare(differences, looks, 1 - self.level, comparisons, self.margin)


def read_stop(told: Mapping[str, Any], run: Run, most: int) -> Stop:
    """A stopping rule, checked against a run of its study.

    Entries: `rule` (`within`, `compare`), `of` (a column, by default `win`), `bot` or `seat`, `half_width` (of within),
    `margin` and `level` (of compare), `first` (games before the first look).
    """
    import polars as pl

    if not isinstance(told, Mapping):
        raise Refused(f"stop={told!r}: a table is needed, such as {{'rule': 'within', 'half_width': 0.01}}")
    for entry in told:
        if entry not in ENTRIES:
            raise Refused(f"stop: no entry {entry!r}; there are {', '.join(ENTRIES)}{did_you_mean(entry, ENTRIES)}")
    rule = told.get("rule")
    if rule not in RULES:
        raise Refused(f"stop: rule {rule!r}; one of {', '.join(RULES)}{did_you_mean(rule, RULES)}")
    for entry in set(told) & set(UNFIT[rule]):
        raise Refused(f"stop: {entry} is no matter of the rule {rule}")
    of = told.get("of", "win")
    columns = play_block(make_run(run.variant, ["random"] * len(run.bots), 1, 0), 0, 1)
    if of not in columns.columns:
        raise Refused(
            f"stop: the games have no column {of!r}; they have {', '.join(columns.columns)}{did_you_mean(of, columns.columns)}"
        )
    if not (columns[of].dtype.is_numeric() or columns[of].dtype == pl.Boolean):
        raise Refused(f"stop: {of} is no number and has no mean")
    first = whole(told.get("first", sequential.LEAST))
    if first is None or first < 2:
        raise Refused(f"stop: first={told.get('first')!r}; a whole number of games from 2 is needed")
    if "bot" in told and "seat" in told:
        raise Refused("stop: bot or seat, not both")
    numbers = {name: number_of(told, name) for name in ("half_width", "margin", "level") if name in told}
    if rule == "within" and not numbers.get("half_width", 0) > 0:
        raise Refused("stop: the rule within needs half_width, a number above 0, such as 0.01")
    if rule == "compare" and not 0 < (numbers.get("margin") or 0.5) < 1:
        raise Refused(f"stop: margin={numbers['margin']:g}; a difference above 0 and below 1 is needed")
    if not 0 < numbers.get("level", LEVEL) < 1:
        raise Refused(f"stop: level={numbers['level']:g}; a share above 0 and below 1 is needed, such as {LEVEL}")
    if rule == "compare" and of not in SHARES and columns[of].dtype != pl.Boolean:
        raise Refused(
            f"stop: the rule compare is for {', '.join(SHARES)} and what holds or does not; {of} is a number, for which within is"
        )
    return Stop(rule, of, most, min(first, most), bot=told.get("bot"), seat=told.get("seat"), **numbers)


def number_of(told: Mapping[str, Any], name: str) -> float:
    value = told[name]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Refused(f"stop: {name}={value!r}; a number is needed")
    return float(value)

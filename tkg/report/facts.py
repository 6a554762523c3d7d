"""What a report says first: what was measured against stated ideals, and what matters most, by one rule for all games.

A fact is a number with its interval, held against an ideal: a range in which a designer would want it. It is met if the
whole interval lies in the range, missed if the whole interval lies outside, else not clear. How much a fact matters is how far
its interval surely lies from the ideal: from the range to the nearest end of the interval, in margins (of a share 5 points, of
other numbers 5% of the end of the range, the same that `tkg.readings` holds to matter). For a knob or a reading the
ideal is that it makes no difference, so that large effects rank beside ideals missed by as much.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

import polars as pl

from tkg.metrics.words import listed, percent

MARGIN = 0.05
MOST = 5  # findings a game
MET, MISSED, OPEN = "met", "missed", "not clear"
VERDICTS = (MISSED, OPEN, MET)


@dataclass(frozen=True)
class Ideal:
    """A range in which a number should lie, and in words what that means; `scored` if it stands on the scorecard.

    `unit` is `share`, `points` (a difference of shares), `%` (a difference in percent of something), or what a number counts.
    """

    words: str
    least: float = -math.inf
    most: float = math.inf
    unit: str = "share"
    scored: bool = True


def no_difference(unit: str) -> Ideal:
    """The ideal of what a choice changes."""
    return Ideal("it makes no difference", 0.0, 0.0, unit, scored=False)


# What a publisher might ask for. They are this report's yardsticks, and not those of the games' designers.
EXPERTS_ALONE = Ideal("experts win 40% to 60% of deals", 0.4, 0.6)
NOVICES_ALONE = Ideal("novices win 5% to 25% of deals", 0.05, 0.25)
EXPERTS_BEAT = Ideal("experts take at least 60% of the victories over novices", least=0.6)
RULES_ALONE = Ideal("novices take at least 60% of the victories over random play", least=0.6)
SEATS = Ideal("no seat is ahead of its part by more than 2 points", most=0.02, unit="points")
LUCK = Ideal("the deal settles at most half of who wins", most=0.5)
LENGTH = Ideal("games last at most 45 minutes on average", most=45, unit="minutes")
FINISHED = Ideal("at least 99% of games end by the rules", least=0.99)
ENDINGS = Ideal("every way to win ends at least 5% of games", least=0.05)
SHARED = Ideal("at most 5% of games have several winners", most=0.05)
UNDECIDED = Ideal("games stay undecided for at least half of their decisions", least=0.5)
CHOICES = Ideal("at least half of the decisions leave a choice", least=0.5)
WORTH = Ideal("whoever gives up a way to play loses at least 5 points", least=MARGIN, unit="points")
PLANS = Ideal("no degenerate plan gains more than 5 points", most=MARGIN, unit="points")


@dataclass(frozen=True)
class Fact:
    """A number against an ideal: `what` it is of in a few words, and all of it in a sentence, `words`.

    `low` and `high` are None where there is no interval. `margin` is what a difference may be and still not matter.
    """

    ideal: Ideal
    what: str
    words: str
    value: float
    low: float | None
    high: float | None
    margin: float = MARGIN
    section: str = ""

    @property
    def verdict(self) -> str:
        if self.low is None or self.high is None:
            return OPEN
        if self.low > self.ideal.most or self.high < self.ideal.least:
            return MISSED
        return MET if self.low >= self.ideal.least and self.high <= self.ideal.most else OPEN

    @property
    def beyond(self) -> float:
        """By how many margins the interval surely lies outside of the ideal; of one that is met, below 0, how far inside."""
        if self.low is None or self.high is None:
            return 0.0
        outside = max(self.low - self.ideal.most, self.ideal.least - self.high)
        if outside > 0:
            return outside / self.margin
        return -max(0.0, min(self.ideal.most - self.high, self.low - self.ideal.least)) / self.margin

    @property
    def shown(self) -> str:
        """The number with its interval."""
        figures = [self.value, *([] if self.low is None or self.high is None else [self.low, self.high])]
        texts = [figure(value, self.ideal.unit) for value in figures]
        unit = "" if self.ideal.unit == "share" else f" {self.ideal.unit}".replace(" %", "%")
        return texts[0] + unit if len(texts) == 1 else f"{texts[0]}{unit} ({texts[1]} to {texts[2]})"

    @property
    def distance(self) -> str:
        """`beyond` in words."""
        if self.beyond <= 0:
            return f"the ideal that {self.ideal.words} is met"
        unit = "points" if self.ideal.unit == "share" else self.ideal.unit
        amount = f"{figure(self.beyond * self.margin, unit)} {unit}".replace(" %", "%")
        return f"at least {amount} from " + (
            f"the ideal that {self.ideal.words}" if self.ideal.scored else "making no difference"
        )


def figure(value: float, unit: str) -> str:
    """A number of a unit without that."""
    if unit == "share":
        return percent(value)
    return f"{value * (100 if unit in ('points', '%') else 1):z.1f}".replace("-", "\u2212")


def scorecard(facts: Iterable[Fact]) -> list[Fact]:
    """Of every scored ideal the fact that is worst for it, ideals in the order in which they are met with."""
    worst: dict[str, Fact] = {}
    for fact in facts:
        if fact.ideal.scored:
            known = worst.setdefault(fact.ideal.words, fact)
            if badness(fact) > badness(known):
                worst[fact.ideal.words] = fact
    return list(worst.values())


def badness(fact: Fact) -> tuple[int, float]:
    return -VERDICTS.index(fact.verdict), fact.beyond


def findings(facts: Iterable[Fact], most: int = MOST) -> list[Fact]:
    """What matters most, at most one fact a section: ideals that are missed, the furthest first; then what readings and knobs
    surely change, the largest first; then, where these are fewer than `most`, ideals that are met, in the order of the scorecard.
    """
    every = list(facts)
    outside = sorted((f for f in every if f.beyond > 0), key=lambda f: (not f.ideal.scored, -f.beyond))
    inside = [f for f in scorecard(every) if f.verdict == MET]
    found: dict[str, Fact] = {}
    for fact in [*outside, *inside]:
        found.setdefault(fact.section, fact)
    return list(found.values())[:most]


def summary(title: str, facts: Iterable[Fact], settle: Iterable[str]) -> str:
    """A game in a few sentences: which ideals it misses and meets, which sentences of its rules must be settled."""
    card = scorecard(facts)
    missed, unclear, met = ([f for f in card if f.verdict == verdict] for verdict in VERDICTS)
    told = f"{title} meets {len(met)} of {len(card)} ideals of this report, misses {len(missed) or 'none'}"
    told += f"; {len(unclear)} {'is' if len(unclear) == 1 else 'are'} not clear." if unclear else "."
    if missed:
        worst = sorted(missed, key=lambda f: -f.beyond)[:3]
        head = "Furthest off" if len(worst) < len(missed) else "Missed"
        told += f" {head}: {'; '.join(f'{f.what} {f.shown}' for f in worst)}."
    names = list(settle)
    if names:
        told += f" To be settled in its rules: {listed(names)}."
    return told


def widened(row: dict[str, Any], value: str, comparisons: int) -> tuple[float | None, float | None]:
    """The ends of a 95% interval made so wide that those of several comparisons hold together (Bonferroni; as for a normal mean)."""
    if row["low"] is None or row["high"] is None:
        return None, None
    times = NormalDist().inv_cdf(1 - 0.025 / comparisons) / NormalDist().inv_cdf(0.975)
    return row[value] - times * (row[value] - row["low"]), row[value] + times * (row["high"] - row[value])


def with_widened(table: pl.DataFrame, value: str) -> pl.DataFrame:
    """The table with `low` and `high` so wide that the intervals of all its rows hold together."""
    ends = [widened(row, value, len(table)) for row in table.iter_rows(named=True)]
    columns = [pl.Series(name, [end[k] for end in ends], dtype=pl.Float64) for k, name in enumerate(("low", "high"))]
    return table.with_columns(columns)


def fact_of(ideal: Ideal, what: str, words: str, row: dict[str, Any], value: str = "share", **more: Any) -> Fact:
    """A fact of a row of a table with `value`, `low` and `high`."""
    return Fact(ideal, what, words, row[value], row["low"], row["high"], **more)


def of_section(facts: Iterable[Fact], name: str) -> tuple[Fact, ...]:
    return tuple(replace(fact, section=name) for fact in facts)

"""Two tables of games, measure by measure: values by deal, differences, and intervals that hold all at once.

A difference has Student's interval over deals, paired where both sides met the same ones, else with Welch's degrees of
freedom (1947, "The generalization of Student's problem when several different population variances are involved",
Biometrika 34, 28-35). So that a few deals which differ do not look like certainty, q^2 / 2 deals are added that differ by
one `size`, to either side alike, q being the quantile of the interval: the pseudo-observations of Agresti and Coull (1998),
"Approximate is better than 'exact' for interval estimation of binomial proportions", The American Statistician 52,
119-126. A size is 1 for shares of games, else the largest difference that was seen, at least a standard deviation of games.

Of m comparisons each has an interval at 1 - 0.05 / m, so that with 95% probability all of them hold the truth, however they
hang together (Dunn 1961, "Multiple comparisons among means", Journal of the American Statistical Association 56,
52-64); p is corrected likewise, and below 0.05 if and only if 0 lies outside. The stepwise p of Holm (1979, "A simple
sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 65-70) is never larger, but
has no intervals beside it, and that two sides are alike can be said of an interval alone.

In simulations, 300 families of 40 comparisons each of 50 to 1,000 deals, some interval left out the truth in 0 to 0.06 of
families (independent and paired 0/1 values, exponential ones, jumps of two standard deviations in 1% and 5% of
deals), and in 0.10 where a tenth of 1,000 deals were won by one side alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from tkg.rules.errors import Refused

Floats = NDArray[np.float64]

ALPHA = 0.05
SHARES = ("win", "contest", "choices")  # measures whose unit is a share though no column of truth values is behind them
RATIOS = ("options", "choices")  # measures told for every decision, not for every game
TOLERANCE = 1e-12


class Deals(NamedTuple):
    """A measure by game: all of `top` over all of `bottom`, which is 1 everywhere for a mean."""

    top: Floats
    bottom: Floats
    is_share: bool

    @property
    def value(self) -> float:
        return float(self.top.sum() / self.bottom.sum())

    @property
    def linear(self) -> Floats:
        """By how much each game moves the value, times their number (the delta method; Cochran 1977, 6.3); mean 0."""
        return (self.top - self.value * self.bottom) / self.bottom.mean()


def by_deal(frame: pl.DataFrame, names: Sequence[str], rules: Any, contest: bool, seats: int) -> dict[str, Deals]:
    """The measures of one run that `names` names as `metrics.measures` does, game by game in order.

    The value of each is the mean that `metrics.measures` tells. One that the run has nothing to tell of, such as options
    of decisions that were never met, is left out.
    """
    whole = frame.filter(pl.col("seat") == 1) if seats > 1 else frame
    found = {}
    for name in names:
        head, _, tail = name.partition("/")
        top, bottom, rows = pl.col(head), pl.lit(1), whole
        if head in RATIOS:
            top, bottom = pl.col(f"{head}_{tail}"), pl.col(f"decisions_{tail}")
        elif head in rules.WORDS:
            top = top.cast(pl.String) == tail
        elif tail.isdigit() and not contest:
            rows = frame.filter(pl.col("seat") == int(tail))
        elif tail:
            rows = frame.filter(pl.col("bot").cast(pl.String) == tail)
        top, bottom = top.cast(pl.Float64), bottom.cast(pl.Float64)
        shared_out = head == "contest" or (head == "win" and seats > 1)  # seats of one bot win together
        sums = [top.sum() if shared_out else top.mean(), bottom.mean()]
        games = rows.group_by("game").agg(sums[0].alias("_top"), sums[1].alias("_bottom")).sort("game")
        is_share = head in SHARES or head in rules.WORDS or (head in frame.columns and frame.schema[head] == pl.Boolean)
        if games["_bottom"].sum() > 0:
            found[name] = Deals(games["_top"].to_numpy(), games["_bottom"].to_numpy(), is_share)
    return found


class Gap(NamedTuple):
    """By how much a measure differs between two sides (second minus first), and what its interval is made of.

    `squares` are those of differences from their mean, summed up over pairs, or of both sides; `spread` is the standard
    deviation of games, and `level` the mean of the two values without their signs; `same` says that all deals came out
    alike.
    """

    difference: float
    squares: float
    size: float
    spread: float
    level: float
    is_share: bool
    games: int
    df: float
    same: bool

    def half(self, comparisons: int = 1) -> float:
        """Half of the interval that holds together with those of so many comparisons in all."""
        q = float(special.stdtrit(self.df, 1 - ALPHA / 2 / comparisons))
        return q * math.sqrt((self.squares + q * q / 2 * self.size**2) / (self.games * (self.games - 1)))

    def ends(self, comparisons: int = 1) -> tuple[float, float]:
        """The interval that holds together with those of so many comparisons in all; of shares, within what shares can differ by."""
        half = self.half(comparisons)
        low, high = self.difference - half, self.difference + half
        return (max(low, -1.0), min(high, 1.0)) if self.is_share else (low, high)

    def p(self, comparisons: int = 1) -> float:
        """The chance of such a difference, or of a larger one in any of so many comparisons, if there were none: the level
        at which an end of the interval is 0, times `comparisons`, at most 1."""
        if self.difference == 0:
            return 1.0
        reach = self.difference**2 * self.games * (self.games - 1)
        added = self.size**2
        q2 = (
            2 * reach / (self.squares + math.sqrt(self.squares**2 + 2 * added * reach))
        )  # root of q2 (squares + q2 added / 2)
        return min(1.0, comparisons * 2 * float(special.stdtr(self.df, -math.sqrt(q2))))

    def margin(self, share: float) -> float:
        """Up to which a difference does not matter: of shares `share`, of numbers that part of them, or twice that part of the
        spread of games if it is more, for that of a share of one half is 0.5."""
        return share if self.is_share else max(share * self.level, 2 * share * self.spread)


def gap_of(first: Deals, second: Deals, paired: bool) -> Gap:
    """The gap between two sides of as many games, at least 2, deal by deal if `paired`."""
    n = len(first.top)
    if len(second.top) != n or n < 2:
        raise Refused(f"{n} and {len(second.top)} games; as many are needed on both sides, and at least 2")
    u, v = first.linear, second.linear
    difference = second.value - first.value
    sides = float(u @ u), float(v @ v)
    both = sum(sides)
    if paired:
        same = bool(np.array_equal(first.top, second.top) and np.array_equal(first.bottom, second.bottom))
        squares, df, largest = float((v - u) @ (v - u)), n - 1.0, float(np.abs(v - u + difference).max())
    else:
        same = abs(difference) < TOLERANCE and both < TOLERANCE
        squares, df = both, (n - 1) * both**2 / (sides[0] ** 2 + sides[1] ** 2) if both > TOLERANCE else 2.0 * (n - 1)
        largest = float(np.abs(np.concatenate([u, v])).max())
    spread = math.sqrt(both / (2 * (n - 1)))
    of_games = first.is_share and bool((first.bottom == 1).all() and (second.bottom == 1).all())
    size = 1.0 if of_games else max(spread, largest, abs(difference))
    middle = (abs(first.value) + abs(second.value)) / 2
    return Gap(0.0 if same else difference, 0.0 if same else squares, size, spread, middle, first.is_share, n, df, same)

"""When a study may stop: a mean known closely enough, or two variants told apart.

A study plays in blocks and looks at what it has after numbers of games that are fixed beforehand, so neither workers
nor interruptions move the look at which it stops. Both rules read nothing but the games up to a look, in the order of
their numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from tkg.metrics.intervals import with_t, with_wilson
from tkg.rules.errors import Refused

Floats = NDArray[np.float64]

# --- A mean or share to within +-x --------------------------------------------------------------------------------

LEAST = 200  # games before the first look


def reach(n: ArrayLike, total: ArrayLike, squares: ArrayLike, whole: ArrayLike) -> Floats:
    """How far the 95% interval of a mean reaches to its farther side.

    From the number of games, the sum of their values, the sum of the squares, and whether the values are those of a
    share and all 0 or 1: numbers, or arrays that broadcast, to whose common shape the answer comes. The interval is
    the one that the tables of metrics report, Wilson's for such a share and Student's else. Wilson's lies askew round
    the share, hence the farther side. One game tells of no spread: unless it is one of a share, its reach is infinite.
    """
    games, sums, of_squares, shares = np.broadcast_arrays(n, total, squares, whole)
    k, s, q = (a.astype(np.float64).ravel() for a in (games, sums, of_squares))
    is_share = shares.astype(bool).ravel()
    check_sums(k, s, q, is_share)
    mean = s / k
    se = np.sqrt(np.maximum(q - s * mean, 0) / np.maximum(k - 1, 1) / k)
    table = pl.DataFrame({"n": k.astype(np.int64), "sum": s, "mean": mean, "se": se})
    several = ~is_share & (k > 1)
    found = np.full(k.shape, np.inf)
    for chosen, rows in (
        (is_share, with_wilson(table.filter(pl.Series(is_share)), "sum", "n")),
        (several, with_t(table.filter(pl.Series(several)), "mean", "se", "n")),
    ):
        found[chosen] = np.maximum(mean[chosen] - rows["low"].to_numpy(), rows["high"].to_numpy() - mean[chosen])
    return found.reshape(games.shape)


def check_sums(n: Floats, total: Floats, squares: Floats, whole: NDArray[np.bool_]) -> None:
    """Refuses sums that no games can have."""
    if not (np.isfinite(total) & np.isfinite(squares)).all():
        raise Refused("the sums of a mean must be finite: leave out games without a value")
    if not ((n >= 1) & (n == np.floor(n))).all():
        raise Refused(f"a mean of {n.min():g} games; at least 1 is needed, and a whole number")
    if (whole & ((total != squares) | (total < 0) | (total > n))).any():
        raise Refused("values of 0 and 1 have a sum from 0 to their number, and the same sum of squares")


def check_width(x: float, share: bool) -> float:
    """The x of +-x, in the unit of the mean; refused unless above 0, and for a share below 1."""
    if not 0 < x < (1 if share else np.inf):
        raise Refused(f"within +-{x:g}: a number above 0{' and below 1' if share else ''} is needed")
    return float(x)


def within(
    x: float, n: ArrayLike, total: ArrayLike, squares: ArrayLike, whole: ArrayLike, least: int = LEAST
) -> NDArray[np.bool_]:
    """Whether a study may stop: `least` games are played and the 95% interval of a mean lies within +-x of it.

    `n`, `total`, `squares` and `whole` are those of `reach`, of all games up to the look. This is the fixed-width
    sequential interval of Chow and Robbins (1965), "On the asymptotic theory of fixed-width sequential confidence
    intervals for the mean", Annals of Mathematical Statistics 36, 457-462: it holds the truth as often as it says in
    the limit of small x. A share needs an interval that does not shrink to nothing when all games are alike, as
    Wilson's does not: Frey (2010), "Fixed-width sequential confidence intervals for a proportion", The American
    Statistician 64, 242-249.

    How often it holds the truth where it stops, with looks after every game, every 50 or every 100: a share of 0.05,
    0.2 or 0.5 for x of 0.02 to 0.05 in 0.944 to 0.967 of studies, one of 0.02 in 0.933 at worst (so does Wilson's
    interval of 200 games without any looks). Student's is led astray by a small spread at the start, hence `least`:
    for skewed values (exponential ones; victories shared by three, of 0.06 in all) and x of a 5th to a 25th of their
    standard deviation it held the truth in 0.83 to 0.95 of studies with a first look after 50 games, 0.90 to 0.95
    after 100, 0.91 to 0.95 after 200, 0.92 to 0.95 after 400. Values of no share that are all alike by the first look
    end the study there.
    """
    check_width(x, bool(np.any(whole)))
    if least < 2:
        raise Refused(f"a first look after {least} games; at least 2 are needed to tell of a spread")
    return (np.asarray(n) >= least) & (reach(n, total, squares, whole) <= x)


# --- Two variants on common deals ---------------------------------------------------------------------------------

# Fractions of the capital that are staked side by side: large ones for strong effects in few pairs, small ones for weak
# effects in many. With weights that fall like 1 / j a difference of 0.1 takes a fifth fewer pairs than with equal
# ones, and one of 0.02 a few per cent more.
BETS = 2.0 ** -np.arange(1, 11)
WEIGHTS = (1 / np.arange(1, 11)) / (1 / np.arange(1, 11)).sum()
PARTS = 5040  # to 1: differences are counted in these, in which parts from halves to tenths, and many more, are whole
CLOSE = 1e-9  # the step after which Newton's method has come near enough


@dataclass(frozen=True)
class Verdict:
    """What a comparison says: `better` is `first`, `second`, `alike`, or `open` as long as nothing is decided.

    `pairs` were played until then, with mean `difference`; `low` and `high` are the ends of the confidence
    sequence, as far as it has closed in.
    """

    better: str
    pairs: int
    difference: float
    low: float
    high: float


def log_capital(growth: Floats, counts: ArrayLike, mean: ArrayLike) -> Floats:
    """The log of what 1 has become by betting that differences lie above `mean`, which is above -1.

    `growth` holds the distinct values of 1 + difference, shape (K,), from 0 to 2; `counts`, shape (..., K), how often
    each was met; `mean` goes with the rest of its shape. The capital is sum_j w_j prod_i (1 - b_j + b_j (1 + d_i) /
    (1 + mean)): every part w_j of it always stakes its fraction b_j on a bet that is fair if the mean is right.
    """
    return np.logaddexp.reduce(stakes(growth, counts, -np.log1p(np.asarray(mean, np.float64)))[0], axis=0)


def stakes(growth: Floats, counts: ArrayLike, s: ArrayLike) -> tuple[Floats, Floats]:
    """The logs of what the parts of the capital have become, by part first, and their slopes in s = -log(1 + mean)."""
    met = np.asarray(counts, np.float64)
    pays = growth * np.exp(np.asarray(s))[..., None]
    logs, slopes = [], []
    for bet, weight in zip(BETS, WEIGHTS, strict=True):
        factor = 1 + bet * (pays - 1)
        logs.append(np.log(weight) + np.einsum("...k,...k", met, np.log(factor)))
        slopes.append(np.einsum("...k,...k", met, bet * pays / factor))
    return np.stack(logs), np.stack(slopes)


def lower_ends(growth: Floats, counts: NDArray[np.int64], threshold: float) -> Floats:
    """At every look the mean at which betting on more has made `threshold` (a log); -1 where there is none above it.

    The log of the capital is convex and increasing in s = -log(1 + mean), and not above 0 at the mean of the pairs
    (Jensen). From there Newton's method steps past the end and then comes back to it from outside, so what error is
    left when it stops makes the interval wider, never narrower.
    """
    found = np.full(len(counts), -1.0)
    worth = counts @ growth
    some = worth > 0
    met = counts[some]
    s = -np.log(worth[some] / met.sum(axis=1))
    step = np.full(s.shape, np.inf)
    while np.any(np.abs(step) > CLOSE):
        logs, slopes = stakes(growth, met, s)
        log = np.logaddexp.reduce(logs, axis=0)
        step = (threshold - log) / (np.exp(logs - log) * slopes).sum(axis=0)
        s += step
    found[some] = np.expm1(-s)
    return found


def counts_at(steps: NDArray[np.int64], looks: NDArray[np.int64]) -> tuple[Floats, NDArray[np.int64]]:
    """(1 + difference of every value that occurs, how often it had occurred at every look) of differences in PARTS."""
    values, which = np.unique(steps, return_inverse=True)
    block = np.repeat(np.arange(len(looks)), np.diff(looks, prepend=0))
    met = np.bincount(block * len(values) + which, minlength=len(looks) * len(values))
    return 1 + values / PARTS, met.reshape(len(looks), len(values)).cumsum(axis=0)


def check_differences(differences: ArrayLike) -> Floats:
    """Differences of pairs as an array; refused unless they are numbers from -1 to 1 in one row."""
    found = np.asarray(differences, np.float64)
    if found.ndim != 1:
        raise Refused(f"differences of pairs come in one row, not in an array of shape {found.shape}")
    wrong = ~((found >= -1) & (found <= 1))
    if wrong.any():
        at = int(wrong.argmax())
        raise Refused(f"pair {at + 1} differs by {found[at]:g}; a number from -1 to 1 is needed")
    return found


def check_looks(looks: ArrayLike | None, pairs: int) -> NDArray[np.int64]:
    """The looks that `pairs` pairs allow; refused unless whole numbers that rise from 1 or more."""
    if looks is None:
        return np.arange(1, pairs + 1)
    found = np.asarray(looks)
    if found.ndim != 1 or (found.size and (found.dtype.kind not in "iu" or found[0] < 1 or (np.diff(found) < 1).any())):
        raise Refused(f"looks after {looks} pairs; whole numbers above 0 are needed, each above the one before")
    return found[found <= pairs].astype(np.int64)


def check_alpha(alpha: float, comparisons: int) -> float:
    """The level that is left to each of several comparisons (Bonferroni)."""
    if not 0 < alpha < 1:
        raise Refused(f"alpha {alpha:g}: a number above 0 and below 1 is needed, such as 0.05")
    if comparisons < 1:
        raise Refused(f"{comparisons} comparisons: at least 1 is needed")
    return alpha / comparisons


def confidence_sequence(
    differences: ArrayLike, looks: ArrayLike | None = None, alpha: float = 0.05, comparisons: int = 1
) -> tuple[Floats, Floats]:
    """`low` and `high` of the mean difference at every look: with probability 1 - alpha all of them hold it at once.

    `differences`, shape (N,), are of pairs on common deals, first minus second, each from -1 to 1, in the order of the
    deals; `looks` are numbers of pairs, rising, of which those beyond N are left out; without them there is one after
    every pair. With several `comparisons` alpha is divided by their number (Bonferroni).

    The hedged capital of Waudby-Smith and Ramdas (2024), "Estimating means of bounded random variables by betting",
    Journal of the Royal Statistical Society B 86, 1-27, Theorem 3, with a mixture of constant bets in place of bets
    that follow the pairs. A mean is left out once one who bets on more than it, or one who bets on less, has made
    2 / alpha out of 1: at the true mean the capital is a martingale, which ever gets there with probability alpha / 2
    at most (Ville's inequality). All that is asked of pairs is that each has the same mean given those before it: no
    normal distribution, and no number of pairs fixed beforehand. What was left out stays out (running intersection);
    if all is left out, which has probability alpha at most, `low` is above `high`.

    Differences that are not whole in PARTS are rounded away from the end in question, by less than 1 / PARTS. A
    million pairs of 0/1 outcomes with up to 10,000 looks take a quarter of a second; beyond that the time grows with
    looks times distinct differences.
    """
    threshold = float(np.log(2 / check_alpha(alpha, comparisons)))
    found = check_differences(differences)
    at = check_looks(looks, len(found))
    played = found[: at[-1]] if at.size else found[:0]
    ends = []
    for side in (played, -played):
        steps = np.floor(side * PARTS + 1e-6).astype(np.int64)  # what floats miss of a whole number is no fraction
        ends.append(lower_ends(*counts_at(steps, at), threshold))
    return np.maximum.accumulate(ends[0]), np.minimum.accumulate(-ends[1])


def compare(
    differences: ArrayLike,
    looks: ArrayLike | None = None,
    alpha: float = 0.05,
    comparisons: int = 1,
    margin: float | None = None,
) -> Verdict:
    """The verdict at the first look that allows one; pairs that were played after it change nothing.

    Arguments are those of `confidence_sequence`. The `first` or the `second` is better once 0 is left out; both are
    `alike` once the whole sequence lies within +-`margin`. However often one looks, a better one is named with
    probability alpha at most where the mean difference is 0, and `alike` where it is `margin` or more.

    With 30% of pairs unequal, true differences of 0.1, 0.05 and 0.02 were found after 230, 1,000 and 7,400 pairs in
    half of all studies and after 530, 2,200 and 16,000 in nine tenths. The empirical Bernstein sequence of the same
    paper (Theorem 2, bets of at most 0.5) took 330, 1,500 and 14,200, and 670, 3,500 and 34,000; hedged bets that
    follow the pairs 260, 1,500 and 16,200, and 680, 4,200 and 41,000.
    """
    if margin is not None and not 0 < margin < 1:
        raise Refused(f"margin {margin:g}: a difference above 0 and below 1 is needed")
    found = check_differences(differences)
    at = check_looks(looks, len(found))
    low, high = confidence_sequence(found, at, alpha, comparisons)
    if not at.size:
        return Verdict("open", 0, np.nan, -1.0, 1.0)
    better = np.select([low > 0, high < 0], ["first", "second"], "open")
    if margin is not None:
        better[(better == "open") & (low > -margin) & (high < margin)] = "alike"
    last = int((better != "open").argmax()) if (better != "open").any() else len(at) - 1
    pairs = int(at[last])
    return Verdict(str(better[last]), pairs, float(found[:pairs].mean()), float(low[last]), float(high[last]))

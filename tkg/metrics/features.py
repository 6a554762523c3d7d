"""Which features of a game go with winning: a regularised regression, and what it is worth on games that it has not seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tkg.metrics.intervals import half_width
from tkg.metrics.measured import NotMeasured
from tkg.metrics.shares import Table
from tkg.rules.errors import Refused

Floats = NDArray[np.float64]

FRONT = ("run", "variant", "version", "seed", "game", "game_seed", "seat", "bot", "win")  # what is no feature
FOLDS = 10
SHUFFLES = 5  # of every feature in every fold
RESAMPLES = 200
FEWEST = 20  # rows that are won, and rows that are lost
NOTHING = "nothing goes with wins measurably: on games it has not seen the model does no better than chance"


def importance(
    table: Table, target: str = "win", features: Sequence[str] | None = None, *, seed: int = 0
) -> pl.DataFrame:
    """Which features go with `target`, and how surely: a row for every feature, that which is missed most first.

    `table` is what `tkg.features` gives, a row per game and seat; `target` is true or false, or 0 or 1, and rows in between, such as victories that were
    shared, are left out (`left_out` counts them). `features` are all other columns unless they are named. Columns `feature`, `odds_ratio`, `low`,
    `high`, `sd`, `drop`, `drop_low`, `drop_high`, `auc`, `auc_low`, `auc_high`, `rows`, `left_out`, `note`.

    `odds_ratio` is by how much the odds of the target are multiplied by one more of the feature, all others as they are: above 1 it goes with it, below 1
    against it. It is that of a logistic regression on standardised features, drawn towards 1 by a ridge (scikit-learn's `LogisticRegression` with C = 1; le
    Cessie and van Houwelingen 1992, "Ridge estimators in logistic regression", Applied Statistics 41, 191-201). Its interval holds the middle 95% of
    200 resamplings of whole games. `sd` is the feature's standard deviation, and no feature that does not vary has any of this.

    `auc` is how often, of a row that is won and one that is lost, the model gives the former the better chance, 0.5 being chance, on games
    that it has not seen (10 folds of whole games); `drop` is what `auc` loses there if the feature is shuffled among the rows (Breiman 2001, "Random
    forests", Machine Learning 45, section 10, for any model). Their intervals are Student's over folds, widened for
    what folds have in common (Nadeau and Bengio 2003, "Inference for the generalization error", Machine Learning 52, 239-281). If that of `auc`
    holds 0.5, `note` says that nothing goes with wins measurably, and the other figures are not to be read.

    Of features that go together each has a part of the credit. And what goes with wins need not bring them about: that can be
    said of what chance has dealt alone. Not measured with fewer than 20 rows won or lost, nor where they
    lie in so few games that these do not make 10 folds with rows of both.
    """
    from sklearn import config_context
    from threadpoolctl import threadpool_limits

    rows = table.lazy().collect()
    names = check_features(rows, target, features)
    whole = rows.filter(pl.col(target).cast(pl.Float64).is_in([0.0, 1.0]))
    left_out = rows.height - whole.height
    wins = whole[target].cast(pl.Float64).to_numpy()
    won = int(wins.sum())
    if min(won, len(wins) - won) < FEWEST:
        raise NotMeasured(
            f"importance: {target} holds in {won} of {len(wins)} rows; {FEWEST} in which it does and {FEWEST} in which it does not are needed"
        )
    values = whole.select(pl.col(names).cast(pl.Float64)).to_numpy()
    spread = values.std(axis=0)
    kept = np.flatnonzero(spread > 0)
    if not len(kept):
        raise NotMeasured("importance: no feature varies")
    x = (values[:, kept] - values[:, kept].mean(axis=0)) / spread[kept]
    of_game = [name for name in ("run", "game") if name in whole.columns]
    games = whole.select(pl.struct(of_game).rank("dense")).to_series().to_numpy() if of_game else np.arange(len(wins))
    games = np.unique(games, return_inverse=True)[1]
    folds = folds_of(wins, games, seed)

    def weights(drawn: Any) -> Floats:
        return fitted_to(x[drawn], wins[drawn]).coef_[0]

    # on such small matrices threads cost five times what they do, and checks a fifth of a fit
    with threadpool_limits(1), config_context(assume_finite=True, skip_parameter_validation=True):
        slopes = weights(slice(None)) / spread[kept]
        sampled = [weights(drawn) / spread[kept] for drawn in resamplings(games, wins, seed)]
        skill, dropped = held_out(x, wins, folds, seed)
    low, high = np.quantile(sampled, [0.025, 0.975], axis=0)
    auc, auc_low, auc_high = folded(skill)
    found = []
    for k, name in enumerate(names):
        row: dict[str, Any] = {"feature": name, "sd": float(spread[k])}
        if k in kept:
            i = int(np.searchsorted(kept, k))
            drop, drop_low, drop_high = folded(dropped[:, i])
            row |= {"odds_ratio": math.exp(slopes[i]), "low": math.exp(low[i]), "high": math.exp(high[i])}
            row |= {"drop": drop, "drop_low": drop_low, "drop_high": drop_high}
        found.append(row)
    told = ["odds_ratio", "low", "high", "sd", "drop", "drop_low", "drop_high"]
    figures = pl.DataFrame(found, schema={"feature": pl.String, **dict.fromkeys(told, pl.Float64)})
    return figures.sort("drop", descending=True, nulls_last=True, maintain_order=True).with_columns(
        pl.lit(auc).alias("auc"),
        pl.lit(max(0.0, auc_low)).alias("auc_low"),
        pl.lit(min(1.0, auc_high)).alias("auc_high"),
        pl.lit(len(wins), pl.Int64).alias("rows"),
        pl.lit(left_out, pl.Int64).alias("left_out"),
        pl.lit(NOTHING if auc_low <= 0.5 else None, pl.String).alias("note"),
    )


def fitted_to(x: Floats, wins: Floats) -> Any:
    """The model, by the solver that is made for many more rows than features."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(solver="newton-cholesky", max_iter=100).fit(x, wins)


def check_features(table: pl.DataFrame, target: str, features: Sequence[str] | None) -> list[str]:
    """The names of the features, refused unless they and the target are numbers that are all known."""
    names = [n for n in table.columns if n not in (*FRONT, target)] if features is None else list(features)
    if not names or len(set(names)) < len(names) or target in names:
        raise Refused(f"features={names}: names of columns, each once, and not that of the target {target!r}")
    for name in (target, *names):
        if name not in table.columns:
            raise Refused(f"the table has no column {name!r}; it has {', '.join(table.columns)}")
        known = table.schema[name].is_numeric() or table.schema[name] == pl.Boolean
        if not known or table[name].null_count() or not table[name].cast(pl.Float64).is_finite().all():
            raise Refused(f"column {name!r}: finite numbers or truth values are needed in every row")
    if not table[target].cast(pl.Float64).is_between(0, 1).all():
        raise Refused(f"{target}: it goes beyond 0 and 1, so it is neither a truth value nor a share of a victory")
    return names


def resamplings(games: NDArray[np.int64], wins: Floats, seed: int) -> list[NDArray[np.int64]]:
    """The rows of as many games, drawn with replacement again and again; draws without a row won or one lost are left out."""
    rng = np.random.default_rng(seed)
    order = np.argsort(games, kind="stable")
    bounds = np.searchsorted(games[order], np.arange(games.max() + 2))
    of_game = [order[first:end] for first, end in pairwise(bounds)]
    draws = (
        np.concatenate([of_game[g] for g in rng.integers(0, len(of_game), len(of_game))]) for _ in range(RESAMPLES)
    )
    return [rows for rows in draws if 0 < wins[rows].sum() < len(rows)]


def folds_of(wins: Floats, games: NDArray[np.int64], seed: int) -> list[tuple[Any, Any]]:
    """(rows to fit a model to, rows that it has not seen) of every fold, in which games stay whole, and rows of both kinds stand."""
    from sklearn.model_selection import StratifiedGroupKFold

    number = len(np.unique(games))
    if number >= FOLDS:
        split = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed).split(wins, wins, games)
        folds = [(fitted, unseen) for fitted, unseen in split if 0 < wins[unseen].sum() < len(unseen)]
        if len(folds) == FOLDS:
            return folds
    raise NotMeasured(
        f"importance: the rows lie in {number} games, too few for {FOLDS} folds of whole games with rows of both kinds in each; play more games"
    )


def held_out(x: Floats, wins: Floats, folds: Sequence[tuple[Any, Any]], seed: int) -> tuple[Floats, Floats]:
    """(skill, what shuffling each feature costs of it) in every fold, by a model fitted to the others."""
    rng = np.random.default_rng(seed)
    skill, dropped = [], []
    for fitted, unseen in folds:
        slopes, rows = fitted_to(x[fitted], wins[fitted]).coef_[0], x[unseen]
        told = rows @ slopes
        shuffled = rng.permuted(np.repeat(rows[:, :, None], SHUFFLES, axis=2), axis=0)
        without = told[:, None, None] + (shuffled - rows[:, :, None]) * slopes[:, None]  # row, feature, shuffle
        skill.append(right_pairs(told, wins[unseen]))
        dropped.append(skill[-1] - right_pairs(without, wins[unseen]).mean(axis=1))
    return np.array(skill), np.array(dropped)


def right_pairs(told: Floats, wins: Floats) -> Floats:
    """How often, of a row that is won and one that is lost, the former is told more, ties for a half: the area under the curve, by Mann and Whitney's U."""
    from scipy.stats import rankdata

    won = wins > 0
    first, second = int(won.sum()), int((~won).sum())
    ranks = rankdata(told, axis=0)[won].sum(axis=0)
    return np.asarray((ranks - first * (first + 1) / 2) / (first * second))


def folded(values: Floats) -> tuple[float, float, float]:
    """The mean over folds and the ends of its interval: of k folds, those fitted share all but a k-th of what they are fitted to."""
    k = len(values)
    se = math.sqrt((1 / k + 1 / (k - 1)) * float(values.var(ddof=1)))
    half = half_width(se, k) or 0.0
    mean = float(values.mean())
    return mean, mean - half, mean + half

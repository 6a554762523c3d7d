"""Luck against skill: to what the outcomes of replayed deals are due.

Variance components of a balanced design, by the analysis of variance: Searle, Casella and McCulloch (1992), Variance Components,
chapter 4, for one way of classifying (deals) and for two that are crossed (deals and seatings). Deals are drawn at random, seatings are
all that there are, so their effects are fixed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tkg.metrics.measured import NotMeasured
from tkg.metrics.shares import Table
from tkg.metrics.sums import columns_of, need
from tkg.rules.errors import Refused

RESAMPLES = 1000
SOURCES = ("deal", "seating", "deal_and_seating", "play")
ONE_SEATING = "the same bots in the same seats throughout; give bots of different strength"
NO_SPREAD = "all resamplings of deals come to the same, so they tell of no spread"
NO_LUCK = "replays of a deal never came out otherwise"
DESIGN = ("deal", "seating", "replay", "seat")


def luck(frame: Table, by: str | Sequence[str] | None = None, *, seed: int = 0) -> pl.DataFrame:
    """What share of the variance of outcomes is due to the deal: a row for every source and combination of `by`.

    `frame` is what `tkg.replay_deals` gives. Columns `source`, `by`, `deals`, `games`, `variance`, `share`, `low`, `high`, `note`. The
    outcome is what a seat wins, compared with what the same seat wins otherwise, and variances are added up over seats. `deal` is
    the variance of what a deal brings a seat, whoever sits there; `seating` that of what it brings to be the better bot (skill, as far as
    these bots have it); `deal_and_seating` that of deals which suit one seating; `play` what is left between
    replays of one deal and seating, the bots' own luck and what follows from it. Shares add up to 1. So `deal` is high where the
    cards settle the game whatever luck these bots have in choosing, and nothing is told of players that choose otherwise.

    Estimates below 0, which a small variance may come to by chance, are told as 0. Intervals are percentiles of 1000 resamplings of whole
    deals, with the variance between resampled deals enlarged by n / (n - 1), for n of them have that much less (Davison and Hinkley
    1997, Bootstrap Methods and their Application, section 2.3). In simulations of wins and losses, of 20 to 100 deals and 4 or 8
    replays, they held the truth in 0.84 to 0.98 of cases, least where the share is a hundredth. One seating leaves the rows of seatings without numbers,
    and `note` says so. Where all resamplings come to the same, as where the better bot wins every game, they tell of no spread, and the ends are
    left out. Not measured where all outcomes are alike; of several combinations of `by` those have no numbers, and `note` says why.
    """
    keys = columns_of(by)
    columns = list(dict.fromkeys([*keys, *DESIGN, "win"]))
    rows = need(frame, columns).select(columns).collect()
    if rows.is_empty():
        raise Refused("the table has no games")
    found = []
    for part in rows.partition_by(keys) if keys else [rows]:
        try:
            table = luck_of(part, seed)
        except NotMeasured as why:
            if not keys:
                raise
            table = pl.DataFrame({"source": SOURCES, "note": why.reason})
        found.append(table.join(part.select(keys).head(1), how="cross") if keys else table)
    return pl.concat(found, how="diagonal").select(
        "source", *keys, "deals", "games", "variance", "share", "low", "high", "note"
    )


def luck_of(rows: pl.DataFrame, seed: int) -> pl.DataFrame:
    """The table of one run."""
    wins = outcomes(rows)
    deals, seatings, replays, _ = wins.shape
    draws = np.random.default_rng(seed).multinomial(deals, np.full(deals, 1 / deals), RESAMPLES).astype(np.float64)
    variances = components(wins, np.ones((1, deals)))[0].clip(0)
    if not variances.sum():
        raise NotMeasured("luck: all games came out alike, so there is nothing to account for")
    sampled = components(wins, draws, resampled=True).clip(0)
    totals = sampled.sum(axis=1)
    low, high = np.quantile(sampled[totals > 0] / totals[totals > 0, None], [0.025, 0.975], axis=0)
    table = pl.DataFrame(
        {
            "source": SOURCES,
            "deals": deals,
            "games": deals * seatings * replays,
            "variance": variances,
            "share": variances / variances.sum(),
            "low": low,
            "high": high,
        },
        schema_overrides={"deals": pl.Int64, "games": pl.Int64},
    )
    unknown = pl.col("source").is_in(SOURCES[1:3]) & (seatings == 1)
    spread = pl.col("low") < pl.col("high")
    return table.with_columns(
        *(pl.when(~unknown).then(pl.col(name)).alias(name) for name in ("variance", "share")),
        *(pl.when(~unknown & spread).then(pl.col(name)).alias(name) for name in ("low", "high")),
        pl.when(unknown)
        .then(pl.lit(ONE_SEATING))
        .when((pl.col("source") == "play") & (pl.col("variance") == 0))
        .then(pl.lit(NO_LUCK))
        .when(~spread)
        .then(pl.lit(NO_SPREAD))
        .alias("note"),
    )


def outcomes(rows: pl.DataFrame) -> np.ndarray:
    """What each seat wins in an array (deals, seatings, replays, seats), refused where the table leaves holes."""
    shape = tuple(rows[name].n_unique() for name in DESIGN)
    if rows.height != np.prod(shape) or rows.select(DESIGN).is_duplicated().any():
        raise Refused(
            "every deal needs the same seatings, replays and seats, each once, as tkg.replay_deals gives them; tell runs apart by `by`"
        )
    if shape[0] < 2 or shape[2] < 2:
        raise Refused(f"{shape[0]} deals and {shape[2]} replays: it takes two of each")
    return rows.sort(DESIGN)["win"].cast(pl.Float64).to_numpy().reshape(shape)


def components(wins: np.ndarray, weights: np.ndarray, resampled: bool = False) -> np.ndarray:
    """The variance due to each of SOURCES, from an array (deals, seatings, replays, seats), by rows of weights of the deals.

    With a deals, b seatings and n replays, mean squares have the expectations: between replays, e; of deals,
    e + b n A; of deals and seatings together, e + n b C / (b - 1); of seatings, e + n b C / (b - 1) + a n b B / (b - 1). A is the
    variance of a deal's mean, B the mean square of the seatings' effects, C the mean over seatings of the variance over
    deals of what is particular to both. Of `resampled` deals the variance is enlarged, and what means of deals stray by is taken
    off the seatings twice: theirs from the sample's as well as the sample's from the truth.
    """
    a, b, n, _ = wins.shape
    cell = wins.mean(axis=2)
    within = ((wins - cell[:, :, None]) ** 2).sum(axis=(1, 2, 3)) / (b * (n - 1))  # by deal
    deal = cell.mean(axis=1)
    seating = np.einsum("rd,djs->rjs", weights, cell) / a
    grand = seating.mean(axis=1)
    larger, taken_off = (a / (a - 1), 2) if resampled else (1.0, 1)
    replays = weights @ within / a
    of_deals = larger * b * n * (weights @ (deal**2).sum(axis=1) - a * (grand**2).sum(axis=1)) / (a - 1)
    due_to_deals = (of_deals - replays) / (b * n)
    if b == 1:
        nothing = np.zeros_like(replays)
        return np.stack([due_to_deals, nothing, nothing, replays], axis=1)
    effect = ((seating - grand[:, None]) ** 2).sum(axis=(1, 2))
    apart = cell - deal[:, None]
    both = larger * n * (weights @ (apart**2).sum(axis=(1, 2)) - a * effect) / ((a - 1) * (b - 1))
    due_to_both = (b - 1) / b * (both - replays) / n
    due_to_seatings = (b - 1) / b * (a * n * effect / (b - 1) - taken_off * both) / (a * n)
    return np.stack([due_to_deals, due_to_seatings, due_to_both, replays], axis=1)

"""Which knob matters most: to which knobs the variance between the cells of a grid is due, and what two of them do together.

Every cell of a grid is there, and all of them met the same deals. So the variance of the cells' means falls apart into that of
each knob, of each pair and so on without a remainder, which is the analysis of variance of a factorial design and Sobol's decomposition in one
(Sobol 1993, "Sensitivity estimates for nonlinear mathematical models", Mathematical Modelling and Computational Experiments
1(4), 407-414; Archer, Saltelli and Sobol 1997, "Sensitivity measures, ANOVA-like techniques and the use of bootstrap", Journal of
Statistical Computation and Simulation 58, 99-120, which shows that they are the same). No inputs are sampled, which is what SALib is for; it would
bring pandas and matplotlib along, and knows of no noise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tkg.metrics.intervals import with_t
from tkg.metrics.measured import NotMeasured
from tkg.metrics.shares import PAIRING, Table
from tkg.metrics.sums import check_numbers, columns_of, need
from tkg.rules.errors import Refused

Floats = NDArray[np.float64]
Subset = tuple[int, ...]

RESAMPLES = 1000
TOLERANCE = 1e-12
AT_ONCE = 4_000_000  # weights of deals that are held at once: some tens of MB


def sensitivity(frame: Table, knobs: str | Sequence[str], value: str = "win", *, seed: int = 0) -> pl.DataFrame:
    """How much of the variance of `value` between the cells of a grid is due to each knob, and to each pair.

    `frame` is what `tkg.sweep` or `tkg.study` gives of the design grid; `knobs` names the columns that tell its cells apart, knobs, readings and
    decks alike. A row for every `index` and knob: `first` (S_i) is what the knob does by itself, `total` (S_Ti) what it has any part in, so
    what is left of the variance if all other knobs are known; `pair` (S_ij, with the second in `other`) what two do beyond the sum of both;
    `higher`, of three knobs or more, all that pairs do not tell. Columns `index`, `knob`, `other`, `variance`, `share`, `low`, `high`, `noise`,
    `cells`, `deals`. First, pairs and higher add up to 1, but for those below 0, told as 0. Definitions: Saltelli and others (2008), Global
    Sensitivity Analysis: The Primer, sections 4.3 to 4.5; total indices by Homma and Saltelli (1996), Reliability Engineering and
    System Safety 52, 1-17. All values of a knob weigh the same. So the answer holds for this grid: a knob that spans more moves more.

    Means of a cell's games stray, and would look like variance. For every part the variance over deals of what each deal says
    of it, divided by their number, is taken off, which is free of bias however cells hang together by common deals; `noise` is the share
    of the variance between the cells' means that was taken off in all. Intervals are percentiles of 1000 resamplings of whole deals, corrected for
    what resampling adds (Davison and Hinkley 1997, Bootstrap Methods and their Application, section 2.3); in simulations of paired wins and losses in
    4 x 3 cells, of 100 to 1000 deals, they held the truth in 0.92 to 0.99 of cases. Where all resamplings come to the same they tell of no
    spread, and the ends are left out.

    Only deals that all cells have played are used. Rows of one deal and cell are averaged; the wins of all seats of a game add up to 1
    everywhere, so filter `win` to a bot or a seat, else it is refused. Refused are a grid that lacks a cell, as a Latin study does (its cells are too few to part
    the variance by), a knob with one value, and fewer than two deals. Not measured if cells cannot be told apart, because the noise may
    be all that lies between them.
    """
    names, _, values = grid_of(frame, knobs, value)
    deals, cells = len(values), values[0].size
    parts = parts_of(values)
    variances = {u: part.variance for u, part in parts.items()}
    total, between = sum(variances.values()), sum(part.raw for part in parts.values())
    sampled = resampled(values, parts, seed)
    totals = np.sum(list(sampled.values()), axis=0)
    if total <= 0 or np.quantile(totals, 0.025) <= 0:
        raise NotMeasured(
            f"sensitivity: {', '.join(names)} move {value} by no more than what {deals:,} deals stray by, as far as can be told; play more games"
        )
    rows = []
    for index, knob, other, subsets in terms(names, list(parts)):
        found = sum(variances[u] for u in subsets)
        shares = np.sum([sampled[u] for u in subsets], axis=0) / totals
        ends = np.quantile(shares, [0.025, 0.975]).clip(0, 1).tolist() if np.ptp(shares) > TOLERANCE else [None, None]
        rows.append((index, knob, other, max(0.0, found), min(1.0, max(0.0, found / total)), *ends))
    text, numbers = ("index", "knob", "other"), ("variance", "share", "low", "high")
    schema = {**dict.fromkeys(text, pl.String), **dict.fromkeys(numbers, pl.Float64)}
    table = pl.DataFrame(rows, schema=schema, orient="row")
    return table.with_columns(
        pl.lit(float(np.clip(1 - total / between, 0, 1))).alias("noise"),
        pl.lit(cells, pl.Int64).alias("cells"),
        pl.lit(deals, pl.Int64).alias("deals"),
    )


def interaction(
    frame: Table, knob: str, other: str, value: str = "win", *, over: str | Sequence[str] | None = None
) -> pl.DataFrame:
    """What two knobs do together beyond the sum of what each does alone, in every cell of their grid: for a heat map.

    `frame` as for `sensitivity`; `over` names knobs that vary besides and are averaged over. Columns `knob`, `other` (by their own names), `deals`, `mean` (of `value`),
    `beyond`, `se`, `low`, `high`. `beyond` is the mean minus that of the row, minus that of the column, plus that of all: 0 everywhere if the
    knobs do not touch each other. Its mean square is the variance that `sensitivity` tells for the pair, with the noise still in it.
    Intervals are Student's over deals, each for its own cell alone.
    """
    names, levels, values = grid_of(frame, [knob, other, *columns_of(over)], value)
    rest = tuple(range(3, 1 + len(names)))
    cell = values.mean(axis=rest) if rest else values
    beyond = effects_of(cell)[(0, 1)]
    deals = len(cell)
    table = pl.DataFrame(
        {
            knob: np.repeat(np.array(levels[0], object), len(levels[1])).tolist(),
            other: levels[1] * len(levels[0]),
            "deals": deals,
            "mean": cell.mean(axis=0).reshape(-1),
            "beyond": beyond.mean(axis=0).reshape(-1) + 0.0,
            "se": (beyond.std(axis=0, ddof=1) / np.sqrt(deals)).reshape(-1),
        }
    )
    return with_t(table, "beyond", "se", "deals")


# --- The grid -----------------------------------------------------------------------------------------------------


def grid_of(frame: Table, knobs: str | Sequence[str], value: str) -> tuple[list[str], list[list[Any]], Floats]:
    """(knobs, values of each, an array (deals, values of the first knob, of the second ...)) of the deals all cells have."""
    names = columns_of(knobs)
    if not names or len(set(names)) < len(names):
        raise Refused(f"knobs={names}: the names of the columns that tell cells apart, each once")
    lazy = need(frame, [*names, value, *PAIRING])
    schema = lazy.collect_schema()
    check_numbers(lazy, [value], "value")
    words = [pl.col(n).cast(pl.String) for n in names if not schema[n].is_numeric()]  # so that they sort as they read
    cells = lazy.with_columns(*words, pl.col(value).cast(pl.Float64).alias("_value")).drop_nulls("_value")
    several = cells.group_by(*names, *PAIRING).len().select(pl.col("len").max()).collect(engine="streaming").item()
    if several is None:
        raise Refused(f"the table has no games with a value of {value}")
    if several > 1:
        raise Refused(
            "several games of one bot, seat and deal lie in one cell; name in `knobs` what tells them apart, or filter the table to one of them"
        )
    x = pl.col("_value")
    of_deal = [x.mean(), x.sum().alias("_sum"), (x.max() - x.min()).alias("_apart")]
    rows = cells.group_by(*names, "game_seed").agg(of_deal).collect(engine="streaming")
    check_not_shared_out(value, rows["_sum"].to_numpy(), rows["_apart"].to_numpy())
    levels = [rows[name].unique().sort().to_list() for name in names]
    check_filled(names, levels, set(rows.select(names).unique().iter_rows()))
    size = int(np.prod([len(found) for found in levels]))
    common = rows.filter(pl.len().over("game_seed") == size).sort("game_seed", *names)
    deals = common.height // size
    if deals < 2:
        raise Refused(
            f"all {size} cells have {deals} deals in common; give all of them the same seed and at least two games"
        )
    return names, levels, common["_value"].to_numpy().reshape(deals, *map(len, levels))


def check_not_shared_out(value: str, sums: Floats, apart: Floats) -> None:
    """Refuse what the seats of a game share out, so that its mean tells how many they are and no more."""
    if apart.max() > TOLERANCE and np.allclose(sums, sums[0], rtol=TOLERANCE, atol=TOLERANCE):
        raise Refused(
            f"{value}: the rows of a deal add up to {sums[0]:g} in every cell, whatever is played; filter the table to one seat or to one bot"
        )


def check_filled(names: Sequence[str], levels: Sequence[Sequence[Any]], there: set[tuple[Any, ...]]) -> None:
    """Refuse knobs with one value, and a grid that lacks a cell."""
    for name, found in zip(names, levels, strict=True):
        if len(found) < 2:
            raise Refused(f"{name}: it has one value, {found[0]}, so nothing is due to it; leave it out of the knobs")
    size = int(np.prod([len(found) for found in levels]))
    if len(there) < size:
        lacking = next(cell for cell in product(*levels) if cell not in there)
        told = ", ".join(f"{name}={at}" for name, at in zip(names, lacking, strict=True))
        raise Refused(
            f"the table has {len(there)} of the grid's {size} cells and lacks that of {told}: every combination is needed, as the "
            "design grid plays them; the cells of a Latin study, or of one axis at a time, are too few to part the variance by"
        )


# --- Parts of the variance ----------------------------------------------------------------------------------------


class Part(NamedTuple):
    """What some knobs do together beyond what fewer of them do: the effects themselves, and mean squares over cells."""

    effect: Floats  # of the means, of shape (1, values of each knob in it, 1 of every other)
    by_deal: Floats  # mean square of what each deal says

    @property
    def raw(self) -> float:
        return float((self.effect**2).mean())

    @property
    def noise(self) -> float:
        """What is to be expected of `raw` if there were no effect: the variance of a mean of the deals."""
        return (float(self.by_deal.mean()) - self.raw) / (len(self.by_deal) - 1)

    @property
    def variance(self) -> float:
        return self.raw - self.noise


def effects_of(values: Floats) -> dict[Subset, Floats]:
    """An array (any, knob, knob ...) as the sum of what each set of knobs does; sets hold places of knobs, from 0."""
    parts: dict[Subset, Floats] = {(): values}
    for axis in range(1, values.ndim):
        means = {u: part.mean(axis=axis, keepdims=True) for u, part in parts.items()}
        parts = means | {(*u, axis - 1): part - means[u] for u, part in parts.items()}
    return parts


def parts_of(values: Floats) -> dict[Subset, Part]:
    """Every set of knobs with its part, from an array (deals, knob, knob ...)."""
    found = effects_of(values)
    axes = tuple(range(1, values.ndim))
    return {u: Part(f.mean(axis=0, keepdims=True), (f**2).mean(axis=axes)) for u, f in found.items() if u}


def resampled(values: Floats, parts: Mapping[Subset, Part], seed: int) -> dict[Subset, Floats]:
    """The variance of every part in resamplings of the deals, spread round what the sample itself says.

    Resampled means stray from the sample's as those do from the truth, so their noise is taken off twice; the n deals of a
    sample vary n / (n - 1) times less than those they were drawn from.
    """
    deals = len(values)
    flat = values.reshape(deals, -1)
    larger = deals / (deals - 1)
    rng = np.random.default_rng(seed)
    axes = tuple(range(1, values.ndim))
    found: dict[Subset, list[Floats]] = {u: [] for u in parts}
    step = max(1, AT_ONCE // deals)
    for first in range(0, RESAMPLES, step):
        times = min(step, RESAMPLES - first)
        weights = rng.multinomial(deals, np.full(deals, 1 / deals), times).astype(np.float64) / deals
        effects = effects_of((weights @ flat).reshape(times, *values.shape[1:]))
        for u, part in parts.items():
            strayed = part.effect + np.sqrt(larger) * (effects[u] - part.effect)
            noise = larger * (weights @ part.by_deal - (effects[u] ** 2).mean(axis=axes)) / (deals - 1)
            found[u].append((strayed**2).mean(axis=axes) - 2 * noise)
    return {u: np.concatenate(pieces) for u, pieces in found.items()}


def terms(names: Sequence[str], subsets: Sequence[Subset]) -> list[tuple[str, str | None, str | None, list[Subset]]]:
    """(index, knob, other, the sets whose variances it adds up) of every row."""
    places = range(len(names))
    rows: list[tuple[str, str | None, str | None, list[Subset]]] = [("first", names[k], None, [(k,)]) for k in places]
    rows += [("total", names[k], None, [u for u in subsets if k in u]) for k in places]
    rows += [("pair", names[i], names[j], [(i, j)]) for i, j in combinations(places, 2)]
    if len(names) > 2:
        rows.append(("higher", None, None, [u for u in subsets if len(u) > 2]))
    return rows

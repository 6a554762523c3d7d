"""How much skill a game has room for: what a search gains by thinking longer, and how far apart the bots are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from tkg import metrics
from tkg.bots.table import SEARCHING, bot_names, peeks, take_apart
from tkg.ladders import DEALS, Ladder, ladder
from tkg.metrics.skill import complexity, count_levels
from tkg.metrics.words import columns, duration, percent, with_interval
from tkg.rules.errors import Refused
from tkg.rules.knobs import Variant
from tkg.rules.numbers import whole

BUDGETS = (4, 16, 64, 256)  # iterations a decision
SEARCH = "mcts"
BELOW = ("random", "greedy")  # rungs below the searches; the last of them is who these are held against
NO_POPULATION = (
    "bots of graded strength are chosen, not drawn from those who play, so the spread of their ratings cannot be held against "
    "that of chess players; coin_flips is what can be told"
)


@dataclass(frozen=True, eq=False, repr=False)
class Skill:
    """What `tkg.skill` has found.

    - `by_budget`: `budget` (iterations a decision), `bot`, `deals`, `games`, `share`, `low`, `high`, `cpu_ms`. In a game of several seats
      the share of the victories over `against`, each holding as many seats (level at one half); in a game for one
      the share of deals won by the rules.
    - `levels`: what `tkg.metrics.strength_levels` tells of the rungs.
    - `measures`: `measure`, `mean`, `low`, `high`, `note`, at 95%: `levels` (its ends: those left if all comparisons are to hold
      together, and those that the games do not rule out), `elo_spread` (points from the lowest rung to the highest, as
      they were given), `complexity` (classes of 75% that it holds), for two seats `coin_flips` (the largest share of games that
      a coin may settle), and `half_chess`, which has no number, and says why.
    - `ladder`: the games behind it, with the lowest rung's rating at 0.
    """

    against: str
    by_budget: pl.DataFrame
    levels: pl.DataFrame
    measures: pl.DataFrame
    ladder: Ladder

    @property
    def plain(self) -> dict[str, Any]:
        """For programs; `cpu_ms` is measured and differs from run to run."""
        found = self.ladder
        head = {"game": found.variant.game, "variant": str(found.variant), "deals": found.deals, "seed": found.seed}
        tables = {name: getattr(self, name).to_dicts() for name in ("by_budget", "levels", "measures")}
        return {**head, "bots": list(found.bots), "against": self.against, **tables}

    def __str__(self) -> str:
        found = self.ladder
        solo = found.variant.seats == 1
        shares = [
            [row["bot"], with_interval(row), duration(row["cpu_ms"])] for row in self.by_budget.iter_rows(named=True)
        ]
        told = [[row["measure"], measure_words(row), row["note"] or ""] for row in self.measures.iter_rows(named=True)]
        lines = [
            f"{found.variant}, {found.deals} deals, seed {found.seed}; 95% intervals",
            f"share: {'of deals won' if solo else f'of the victories over {self.against}, level at 50%'}; cost: CPU time of a decision",
            "",
            *columns([["bot", "share", "cost"], *shares]),
            "",
            *columns([["measure", "value", "note"], *told]),
            "",
            f"Levels that can be told apart: {', '.join(self.levels['bot'])}.",
        ]
        return "\n".join(lines)

    __repr__ = __str__


def measure_words(row: dict[str, Any]) -> str:
    """A measure with its interval."""

    def number(value: float | None) -> str:
        if value is None:
            return "?"
        if row["measure"] == "coin_flips":
            return percent(value)
        return f"{value:.1f}" if row["measure"] == "complexity" else f"{value:.0f}"

    if row["mean"] is None:
        return "not measured"
    return f"{number(row['mean'])} ({number(row['low'])} to {number(row['high'])})".replace("-", "\u2212")


def skill(
    variant: Variant,
    budgets: Sequence[int] = BUDGETS,
    deals: int = DEALS,
    seed: int = 0,
    *,
    search: str = SEARCH,
    below: str | Sequence[str] = BELOW,
    workers: int | None = None,
    progress: bool = False,
) -> Skill:
    """How much there is to gain by playing better: win share by search budget, levels of strength, spread of ratings.

    A ladder (`tkg.ladder`) is played by the bots `below`, the weakest first, and above them by `search` with each of `budgets` (iterations a
    decision, in ascending order): all on the same `deals`, in all seats. The shares are those against the last of `below`. All that is told
    belongs to these bots: a game may have room for skill that none of them has.

    Refused are budgets that do not ascend, a bot that does not search, rungs below that are given twice or look at what is hidden, and
    fewer than two deals. `workers` settles nothing but the time.
    """
    rungs, names = rungs_of(variant, budgets, search, below)
    found = ladder(variant, [*rungs, *names], deals, seed, anchor=rungs[0], workers=workers, progress=progress)
    chosen = [*rungs, *names]
    pairs = found.pairs
    if variant.seats == 1:
        shares = found.standings.select("bot", "games", share="win", low="win_low", high="win_high")
    else:
        shares = pairs.filter(pl.col("opponent") == rungs[-1]).select("bot", "games", "share", "low", "high")
    table = pl.DataFrame({"budget": list(budgets), "bot": names, "deals": found.deals})
    table = table.join(shares, on="bot", how="left", maintain_order="left")
    table = table.join(found.costs.select("bot", "cpu_ms"), on="bot", how="left", maintain_order="left")
    levels = metrics.strength_levels(pairs, chosen)
    return Skill(rungs[-1], table, levels, measures_of(found, chosen), found)


def rungs_of(
    variant: Variant, budgets: Sequence[int], search: str, below: str | Sequence[str]
) -> tuple[tuple[str, ...], list[str]]:
    """(rungs below, searches by budget), checked as far as `ladder` does not."""
    if not isinstance(variant, Variant):
        ladder(variant)  # refuses it
    numbers = [whole(budget) for budget in budgets] if isinstance(budgets, Sequence) else []
    if not numbers or any(n is None or n < 1 for n in numbers) or sorted(set(numbers)) != numbers:  # type: ignore[type-var]
        raise Refused(f"budgets={budgets!r}: iterations a decision are needed, in ascending order, such as {BUDGETS}")
    if search not in SEARCHING or peeks(search):
        fair = " or ".join(bot for bot in SEARCHING if not peeks(bot))
        raise Refused(f"search={search!r}: {fair} is needed, which thinks for so many iterations")
    rungs = bot_names(variant.game, below)
    for name in rungs:
        if peeks(name):
            raise Refused(f"below: {name} looks at what is hidden and is no rung")
    names = [f"{search}:{n}" for n in numbers]
    for name in names:
        take_apart(variant.game, name)
    return rungs, names


def measures_of(found: Ladder, rungs: Sequence[str]) -> pl.DataFrame:
    """`Skill.measures`."""
    levels, least, most = count_levels(found.pairs, rungs)
    rows: list[dict[str, Any]] = [{"measure": "levels", "mean": levels, "low": least, "high": most}]
    top = found.standings.row(by_predicate=pl.col("bot") == rungs[-1], named=True)
    spread = [top[name] for name in ("rating", "rating_low", "rating_high")]
    open_end = None if None not in spread[1:] else "no game came out the other way, so nothing bounds that side"
    for name, values in (("elo_spread", spread), ("complexity", [complexity(x) for x in spread])):
        rows.append({"measure": name, **dict(zip(("mean", "low", "high"), values, strict=True)), "note": open_end})
    try:
        flips = metrics.coin_flips(found.pairs, rungs[-1], rungs[0], found.variant.seats).row(0, named=True)
        rows.append({"measure": "coin_flips", "mean": flips["share"], "low": flips["low"], "high": flips["high"]})
        rows.append({"measure": "half_chess", "note": NO_POPULATION})
    except metrics.NotMeasured as why:
        rows += [{"measure": name, "note": why.reason} for name in ("coin_flips", "half_chess")]
    numbers = dict.fromkeys(("mean", "low", "high"), pl.Float64)
    return pl.DataFrame(rows, schema={"measure": pl.String, **numbers, "note": pl.String})

"""Sections that every game has: how strong its bots are, and who beats whom."""

from __future__ import annotations

import polars as pl

from tkg import charts
from tkg.ladders import Ladder, ladder, shown
from tkg.metrics.words import duration
from tkg.report.section import Plan, Section, listed, with_interval
from tkg.rules.knobs import Variant

RUNGS = ("random", "greedy", "mcts:25")  # as high as the report has time to climb; `tkg ladder` climbs on
DEALS = 30


def ladder_sections(base: Variant, plan: Plan) -> list[Section]:
    """Ratings and pairs of a ladder of the default game's bots, on the deals of the study's seed."""
    deals = min(plan.games, DEALS)
    found = ladder(base, list(RUNGS), deals, plan.seed, workers=plan.workers, progress=plan.progress)
    return [rating_section(found), pair_section(found)]


def rating_section(found: Ladder) -> Section:
    costs = [f"{duration(row['cpu_ms'])} by {shown(row['bot'])}" for row in found.costs.iter_rows(named=True)]
    sentence = " ".join(
        [
            found.verdict,
            f"Ratings are on Elo's scale, 400 points for odds of ten to one, with {shown(found.anchor)} at 0.",
            *found.notes,
            f"A decision takes {listed(costs)}, measured when this report was made.",
        ]
    )
    chart = charts.ladder(found.summary)
    measured = ("cpu_ms", "cpu_low", "cpu_high")
    return Section("ladder", "How strong the players are", sentence, chart, found.summary, measured)


def pair_section(found: Ladder) -> Section:
    names = [f"{shown(bot)} against {shown(below)}" for bot, below in found.upward.select("bot", "opponent").rows()]
    pairs = found.upward.select(
        pl.Series("pair", names), "deals", "games", "share", "low", "high", pl.lit(0.5).alias("level")
    )
    told = [f"{row['pair']} takes {with_interval(row)}" for row in pairs.iter_rows(named=True)]
    seats = "each alone" if found.variant.seats == 1 else "in all seats"
    sentence = (
        f"Of the victories of every two bots on the same {found.deals} deals, {seats}: {listed(told)}. The ticks stand at "
        "50%, where the two would be level."
    )
    titles = {"share": "share of the victories", "pair": ""}
    chart = charts.dots(pairs, "pair", colour=None, titles=titles, expected="level")
    return Section("ladder_pairs", "Who beats whom", sentence, chart, pairs)

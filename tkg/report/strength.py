"""Sections that every game has on players: what playing better wins, who beats whom, what ways of playing are worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from tkg import charts, metrics
from tkg.bots.table import EXPLOITS, STYLES
from tkg.ladders import Ladder, shown
from tkg.metrics.words import duration
from tkg.report.facts import EXPERTS_ALONE, EXPERTS_BEAT, NOVICES_ALONE, PLANS, RULES_ALONE, WORTH, fact_of
from tkg.report.section import ALONE, LADDER, WAYS, Plan, Section, listed, percent, the_row, with_interval
from tkg.rules.knobs import Variant
from tkg.skills import Skill, skill
from tkg.ways import exploits, restricted

NOVICE, EXPERT = "greedy", "mcts:25"
FAIR = NOVICE


def skill_sections(base: Variant, plan: Plan, chief: pl.DataFrame) -> tuple[Section, ...]:
    """Win share by what a player thinks, ratings and pairs: three looks at the games of one ladder.

    `chief` is the table of greedy players' games of the game as it is.
    """
    found = skill(base, plan.budgets, plan.at_most(LADDER * (ALONE if base.seats == 1 else 1)), **plan.how)
    if base.seats == 1:
        return alone_section(found, chief), rating_section(found)
    return budget_section(found), rating_section(found), pair_section(found.ladder)


def levels_words(found: Skill) -> str:
    """How many levels of strength can be told apart."""
    count = the_row(found.measures, measure="levels")
    names = listed([shown(bot) for bot in found.levels["bot"]])
    return (
        f"Of these {len(found.ladder.bots)} bots {count['mean']:.0f} levels of strength can be told apart ({names}): at least "
        f"{count['low']:.0f} if all comparisons are to hold together, at most {count['high']:.0f}."
    )


def alone_section(found: Skill, chief: pl.DataFrame) -> Section:
    """What bots win in a game for one."""
    order = list(found.ladder.bots)
    place = pl.col("bot").replace_strict(order, list(range(len(order))), return_dtype=pl.Int64)
    wins = found.ladder.standings.select("bot", "games", share="win", low="win_low", high="win_high").sort(place)
    often = metrics.win_share(chief, "bot").filter(pl.col("bot") == NOVICE).row(0, named=True)
    expert, by_chance = the_row(wins, bot=EXPERT), wins.row(0, named=True)
    sentence = (
        f"Players who know nothing but the rules ({by_chance['bot']}) win {with_interval(by_chance)} of {found.ladder.deals} deals, "
        f"novices ({NOVICE}) {with_interval(the_row(wins, bot=NOVICE))} and experts ({EXPERT}) {with_interval(expert)}."
    )
    facts = (
        fact_of(
            EXPERTS_ALONE,
            "experts win",
            f"Experts ({EXPERT}) win {with_interval(expert)} of {expert['games']:,} deals.",
            expert,
        ),
        fact_of(
            NOVICES_ALONE,
            "novices win",
            f"Novices ({NOVICE}) win {with_interval(often)} of {often['games']:,} deals, {percent(the_row(wins, bot=NOVICE)['share'])} of those that the experts played.",
            often,
        ),
    )
    chart = charts.dots(wins, "bot", colour=None, titles={"share": "share of deals won", "bot": ""}, sort=order)
    beside = (("measures", found.measures), ("levels", found.levels))
    return Section(
        "skill",
        "What playing better wins",
        sentence,
        chart,
        wins,
        more=(levels_words(found),),
        facts=facts,
        beside=beside,
    )


def budget_section(found: Skill) -> Section:
    """What a search wins from novices, the longer it thinks."""
    told = [f"{with_interval(row)} with {row['budget']}" for row in found.by_budget.iter_rows(named=True)]
    pairs = found.ladder.pairs
    expert = the_row(pairs, bot=EXPERT, opponent=NOVICE)
    first = the_row(pairs, bot=NOVICE, opponent=found.ladder.bots[0])
    flips = the_row(found.measures, measure="coin_flips")
    more = [levels_words(found)]
    if flips["mean"] is not None:
        more.append(
            f"{found.ladder.bots[-1]} beats {found.ladder.bots[0]} so often that a coin may settle {percent(flips['mean'])} of their games at most "
            f"({percent(flips['low'])} to {percent(flips['high'])})."
        )
    sentence = f"By the iterations that a search thinks through for a decision, it takes of the victories over {NOVICE}: {listed(told)}."
    facts = (
        fact_of(
            EXPERTS_BEAT,
            "experts take of the victories over novices",
            f"Experts ({EXPERT}) take {with_interval(expert)} of the victories over novices ({NOVICE}).",
            expert,
        ),
        fact_of(
            RULES_ALONE,
            "novices take of the victories over random play",
            f"Novices ({NOVICE}) take {with_interval(first)} of the victories over random play.",
            first,
        ),
    )
    titles = {"share": f"share of the victories over {NOVICE}", "budget": "iterations a decision"}
    numbers = found.by_budget
    chart = charts.lines(numbers.drop("cpu_ms"), "budget", colour=None, titles=titles)
    beside = (("measures", found.measures), ("levels", found.levels))
    return Section(
        "skill", "What playing better wins", sentence, chart, numbers, ("cpu_ms",), tuple(more), facts, beside
    )


def rating_section(found: Skill) -> Section:
    """Ratings and costs."""
    table = found.ladder
    costs = [f"{duration(row['cpu_ms'])} by {shown(row['bot'])}" for row in table.costs.iter_rows(named=True)]
    more = (
        f"Ratings are on Elo's scale, 400 points for odds of ten to one, with {shown(table.anchor)} at 0.",
        *table.notes,
        f"A decision takes {listed(costs)}, measured when this report was made.",
    )
    measured = ("cpu_ms", "cpu_low", "cpu_high")
    return Section(
        "ladder",
        "How strong the players are",
        table.verdict,
        charts.ladder(table.summary),
        table.summary,
        measured,
        more,
    )


def pair_section(found: Ladder) -> Section:
    """Every two bots."""
    names = [f"{shown(bot)} against {shown(below)}" for bot, below in found.upward.select("bot", "opponent").rows()]
    pairs = found.upward.select(
        pl.Series("pair", names), "deals", "games", "share", "low", "high", pl.lit(0.5).alias("level")
    )
    least, most = (pairs.sort("share").row(k, named=True) for k in (0, -1))
    sentence = (
        f"Of the victories of every two bots on the same {found.deals} deals, in all seats, {most['pair']} takes most, "
        f"{with_interval(most)}, and {least['pair']} least, {with_interval(least)}."
    )
    titles = {"share": "share of the victories", "pair": ""}
    chart = charts.dots(pairs, "pair", colour=None, titles=titles, expected="level")
    return Section("ladder_pairs", "Who beats whom", sentence, chart, pairs)


# --- Ways to play -------------------------------------------------------------------------------------------------


def way_table(base: Variant, plan: Plan) -> pl.DataFrame:
    """What each restriction and each degenerate plan gains or costs: `way`, `plan`, `deals`, `games`, `free`, `share`,
    `difference`, `low`, `high`. A plan that is a restriction as well is played once."""
    plans = EXPLOITS[base.game]
    styles = STYLES[base.game]
    as_styles = {f"{FAIR}-{style}": style for style in styles}
    deals = plan.at_most(WAYS)
    kept = restricted(base, styles, FAIR, deals, **plan.how)
    columns = ["deals", "games", "free", "share"]
    tables = [
        kept.select(
            pl.col("style").alias("way"),
            pl.Series("plan", [plans.get(f"{FAIR}-{style}") for style in kept["style"]], dtype=pl.String),
            *columns,
            (0 - pl.col("loss")).alias("difference"),
            (0 - pl.col("high")).alias("low"),
            (0 - pl.col("low")).alias("high"),
        )
    ]
    others = [bot for bot in plans if bot not in as_styles]
    if others:
        tried = exploits(base, others, FAIR, deals, **plan.how)
        tables.append(
            tried.select(
                pl.col("bot").alias("way"), "plan", *columns, pl.col("gain").alias("difference"), "low", "high"
            )
        )
    return pl.concat(tables)


def points_of(row: dict[str, Any]) -> str:
    """`gains 3.1 points (1.0 to 5.2)`, or `loses`."""
    gains = row["difference"] >= 0
    low, high = (row["low"], row["high"]) if gains else (-row["high"], -row["low"])
    figures = [f"{100 * value:z.1f}".replace("-", "\u2212") for value in (abs(row["difference"]), low, high)]
    return f"{'gains' if gains else 'loses'} {figures[0]} points ({figures[1]} to {figures[2]})"


def way_section(base: Variant, plan: Plan, ways: Mapping[str, str]) -> Section:
    """What players lose who deny themselves something, and what degenerate plans gain; `ways` says of each what such a one does."""
    found = way_table(base, plan)
    styles = STYLES[base.game]
    facts = []
    told = []
    for row in found.iter_rows(named=True):
        way = row["way"]
        words = f"A greedy player who {ways[way]} {points_of(row)} of the victories."
        told.append(f"one who {ways[way]} {points_of(row)}")
        if way in styles:
            loss = {"share": -row["difference"], "low": -row["high"], "high": -row["low"]}
            facts.append(fact_of(WORTH, f"{way} loses", words, loss))
        if row["plan"]:
            facts.append(fact_of(PLANS, f"{way} gains", words, row, "difference"))
    sentence = f"Beside greedy players who may do all, on the same deals: {listed(told)}."
    more = (
        "A bot plans within its restriction; one that is bad at using what others are denied loses little by it, so a small loss "
        "speaks of the bot first. A plan that gains nothing against this bot may do so against others.",
    )
    titles = {"difference": "victories won beyond those of a free player"}
    chart = charts.effects(found, "way", titles={**titles, "way": ""}, caption="95% intervals over deals")
    return Section("ways", "What ways of playing are worth", sentence, chart, found, more=more, facts=tuple(facts))

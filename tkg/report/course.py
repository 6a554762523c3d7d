"""Sections that every game has on how games go: what the deal settles, how long they last, how long they stay open."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from tkg import charts, metrics
from tkg.metrics.thinking import FORCED, SECONDS
from tkg.replays import replay_deals
from tkg.report.facts import CHOICES, LENGTH, LUCK, MARGIN, UNDECIDED, fact_of
from tkg.report.section import (
    ALONE,
    REPLAYED,
    TRACED,
    Plan,
    Section,
    listed,
    number,
    one_row_a_game,
    percent,
    with_interval,
)
from tkg.rules.knobs import Variant
from tkg.traces import trace

REPLAYS = 4
SOURCES = {
    "deal": "the deal",
    "seating": "who plays better",
    "deal_and_seating": "deals that suit one of them",
    "play": "the players' own luck",
}


def luck_section(base: Variant, bots: Sequence[str], plan: Plan) -> Section:
    """To what outcomes are due, by the same deals played again."""
    title = "Luck and skill"
    played = replay_deals(base, bots, plan.at_most(REPLAYED * (ALONE if base.seats == 1 else 1)), REPLAYS, **plan.how)
    try:
        measured = metrics.luck(played)
    except metrics.NotMeasured:
        return even_section(played, title)
    found = measured.with_columns(pl.col("source").replace_strict(SOURCES)).filter(pl.col("share").is_not_null())
    told = [
        f"{row['source']} {percent(row['share'])}"
        + (f" ({percent(row['low'])} to {percent(row['high'])})" if row["low"] is not None else "")
        for row in found.iter_rows(named=True)
    ]
    deal = found.row(0, named=True)
    who = f"{listed(bots)} alone" if base.seats == 1 else f"{listed(bots)} in all seats"
    sentence = f"Of the variance of who wins when {deal['deals']} deals are played {REPLAYS} times by {who}, are due to: {listed(told)}."
    more = (
        "Chance of the set-up, shuffles and draws stays as it is; the bots draw anew for their own choices. What their own luck and "
        "all that follows from it settle is no measure of chance in the game for players who choose otherwise.",
    )
    words = f"The deal settles {told[0].removeprefix('the deal ')} of who wins, played by {listed(bots)}."
    fact = fact_of(LUCK, "the deal settles", words, deal)
    titles = {"share": "share of the variance of who wins", "source": ""}
    chart = charts.dots(found, "source", colour=None, titles=titles)
    return Section("luck", title, sentence, chart, found, more=more, facts=(fact,))


def even_section(played: pl.DataFrame, title: str) -> Section:
    """Where all replayed games came out alike there is nothing to account for."""
    found = metrics.win_share(played, "bot")
    sentence = f"All {played['game'].n_unique()} replayed games came out alike, so there is nothing to account for."
    chart = charts.dots(found, "bot", colour=None, titles={"share": "win share", "bot": ""})
    return Section("luck", title, sentence, chart, found)


def minute_section(chief: pl.DataFrame) -> Section:
    """How long games of greedy players last at a table, by the number of players."""
    found = metrics.minutes(chief, ["players"])
    told = [f"{number(row)} minutes with {players(row['players'])}" for row in found.iter_rows(named=True)]
    facts = tuple(
        fact_of(
            LENGTH,
            f"games with {players(row['players'])} last",
            f"With {players(row['players'])} a game lasts {number(row)} minutes on average, at guessed seconds for each decision.",
            row,
            "mean",
            margin=MARGIN * LENGTH.most,
        )
        for row in found.iter_rows(named=True)
    )
    kinds = [name.removeprefix("decisions_") for name in chief.columns if name.startswith("decisions_")]
    seconds = listed([f"{SECONDS[kind]:.0f} for a {kind}" for kind in kinds])
    more = (
        f"Seconds a decision are guesses until there are playtests: {seconds}, {FORCED:.0f} where there is no choice. How well they are "
        "known is not in the interval; set-up and questions about the rules are not in the minutes.",
    )
    drawn = found.with_columns(pl.Series("table", [players(n) for n in found["players"]]))
    chart = charts.spread(drawn, "table", colour=None, titles={"value": "minutes"})
    return Section(
        "minutes",
        "How many minutes a game lasts",
        f"Games of greedy players last {listed(told)}.",
        chart,
        drawn,
        more=more,
        facts=facts,
    )


def players(count: int) -> str:
    return "1 player" if count == 1 else f"{count} players"


def tension_section(base: Variant, plan: Plan) -> Section:
    """How long games stay open, and what happens on the way."""
    traced = trace(base, "greedy", plan.at_most(TRACED), **plan.how)
    found = metrics.uncertainty_over_time(traced)
    measures = metrics.tension(traced)
    by_name = {row["measure"]: row for row in measures.iter_rows(named=True) if row["mean"] is not None}
    decided, early, late = (by_name[name] for name in ("decided_at", "uncertainty_early", "uncertainty_late"))
    sentence = f"Games of greedy players are decided when {share_words(decided)} of their decisions have been taken, on average over {decided['games']} games."
    more = [
        f"On a scale from 0 (certain) to 1 (all outcomes alike) the outcome is open by {number(early, digits=2)} in the first third of the "
        f"game, by {number(late, digits=2)} in its last."
    ]
    if "lead_changes" in by_name:
        behind, changes = by_name["drama"], by_name["lead_changes"]
        more.append(
            f"The lead, as far as 32 games played on from a position can tell it, changes {number(changes, digits=2)} times a game; what later "
            f"winners lack of the victory on the way is {number(behind, digits=3)} on average."
        )
    more.append(
        "What a position is worth is told by games that greedy players play on from it, with all that is hidden dealt anew. A game counts as "
        "decided once the value of the seat that wins (alone: the chance of what comes of it) stays at 80% or above."
    )
    words = f"Games of greedy players are decided after {share_words(decided)} of their decisions."
    fact = fact_of(UNDECIDED, "games are decided after", words, decided, "mean")
    chart = charts.over_time(found, titles={"time": "share of the decisions taken"})
    beside = (("measures", measures),)
    return Section(
        "tension", "How long games stay open", sentence, chart, found, more=tuple(more), facts=(fact,), beside=beside
    )


def share_words(row: dict[str, float]) -> str:
    return with_interval(row, "mean")


def option_section(table: pl.DataFrame, order: Sequence[str]) -> Section:
    """Options per decision, by kind, and how many decisions leave a choice; `table` has games of one variant by bot, in `order`."""
    rows = one_row_a_game(table)
    found = metrics.options_per_decision(rows, "bot")
    real = metrics.choice_share(rows, "bot")
    ends = [pl.col(name).alias(f"choice_{name}") for name in ("share", "low", "high")]
    found = found.join(real.select("kind", "bot", *ends), on=["kind", "bot"], how="left", maintain_order="left")
    own = found.filter(pl.col("bot") == "greedy")
    told = [f"{number(row, 'options')} at a {row['kind']}" for row in own.iter_rows(named=True)]
    counted = rows.filter(pl.col("bot") == "greedy").with_columns(
        pl.sum_horizontal(pl.col("^choices_.*$")).alias("with_choice"),
        pl.sum_horizontal(pl.col("^decisions_.*$")).alias("all_decisions"),
    )
    share = metrics.ratio(counted, "with_choice", "all_decisions", "bot").row(0, named=True)
    words = f"{with_interval(share, 'ratio')} of the decisions of greedy players leave a choice."
    sentence = f"Options that a greedy player finds: {listed(told)}; {words}"
    fact = fact_of(CHOICES, "decisions leave a choice in", words, share, "ratio")
    titles = {"options": "options per decision", "kind": "decision"}
    chart = charts.dots(found, "kind", "options", is_share=False, titles=titles, order=order)
    return Section("options", "How much there is to decide", sentence, chart, found, facts=(fact,))

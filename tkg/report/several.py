"""Sections that the games of several seats share: who wins by seat, against chance, how games end and how long they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from tkg import charts, metrics
from tkg.report.facts import ENDINGS, FINISHED, SEATS, Fact, fact_of, with_widened
from tkg.report.section import (
    Plan,
    Section,
    chance,
    extremes,
    listed,
    number,
    one_row_a_game,
    percent,
    setting_of,
    with_interval,
)
from tkg.rules.knobs import Variant
from tkg.studies import around, play_cells

BOTS = ("greedy", "random")
TABLES = (2, 3, 4)  # numbers of players
SHARE = {"share": "win share"}


def cells_around(base: Variant, axes: Mapping[str, Sequence[Any]]) -> list[tuple[dict[str, Any], Variant]]:
    """(labels, variant) of the base and of every value of every axis, one at a time; numbers that vary are labels too."""
    numbers = [name for name in axes if isinstance(base[name], int) and not isinstance(base[name], bool)]

    def labels(name: str, setting: str, variant: Variant) -> dict[str, Any]:
        return {"axis": name, "setting": setting, **{n: variant[n] for n in numbers}}

    cells = [(labels("default", "default", base), base)]
    return cells + [(labels(name, setting_of(name, v), v), v) for name, v in around(base, axes)]


def play(cells: Any, bots: Sequence[str], plan: Plan) -> pl.DataFrame:
    """The table of a study, with bots and endings as text."""
    table = play_cells(cells, bots, plan.games, plan.seed, plan.workers, plan.progress)
    return table.with_columns(pl.col("^(bot|ending)$").cast(pl.String))


def play_chief(base: Variant, plan: Plan) -> pl.DataFrame:
    """Many games of greedy players of the game as it is, for 2, 3 and 4 of them."""
    cells = [({"players": n}, base.but(players=n)) for n in TABLES]
    return play(cells, ["greedy"], replace(plan, games=plan.chief))


def match_share(cells: Any, one: str, others: Sequence[str], keys: Sequence[str], plan: Plan) -> pl.DataFrame:
    """The win share of a bot that meets others, by `keys`."""
    table = play(cells, [",".join([one, *others])], plan)
    return metrics.win_share(table, [*keys, "bot"]).filter(pl.col("bot") == one)


def in_groups(value: pl.Expr, ends: Sequence[float], names: Sequence[str]) -> pl.Expr:
    """The name of the group that a value falls in: the first up to the first end, the last beyond the last one."""
    group = pl.lit(names[-1])
    for end, name in reversed(list(zip(ends, names, strict=False))):
        group = pl.when(value <= end).then(pl.lit(name)).otherwise(group)
    return group


def seat_section(table: pl.DataFrame) -> Section:
    """Win share by seat of greedy players, by number of players."""
    tests = metrics.seat_advantage(table, "players").select(
        "players", "best_seat", "best_share", "chi2", "p_chi2", "p_exact"
    )
    found = metrics.win_share(table, ["players", "seat"]).join(tests, on="players", how="left", maintain_order="left")
    found = found.with_columns((1 / pl.col("players")).alias("level"), pl.col("seat").cast(pl.String))
    told, more, facts = [], [], []
    for (count,), own in found.partition_by("players", as_dict=True, maintain_order=True).items():
        best = extremes(own)[1]
        told.append(
            f"seat {best['seat']} of {count} wins {with_interval(best)} where {percent(best['level'])} is level"
        )
        ahead = ahead_of_part(own)
        words = (
            f"Of {count} equal players seat {best['seat']} wins most, {with_interval(best)}, where {percent(best['level'])} would be "
            "level."
        )
        facts.append(fact_of(SEATS, f"the best of {count} seats is ahead by", words, ahead))
        if best["p_exact"] is not None:
            verdict = "finds an advantage" if best["p_exact"] < 0.05 else "cannot tell an advantage"
            more.append(
                f"{count} players, {best['games']} games: the exact test {verdict} ({chance(best['p_exact'])}; chi-square "
                f"{chance(best['p_chi2'])}); each test is at 5%."
            )
    sentence = f"Of greedy players in all seats the best is: {listed(told)}."
    chart = charts.dots(found, "players", colour="seat", order=["1", "2", "3", "4"], titles=SHARE, expected="level")
    return Section("seats", "Does it matter who begins?", sentence, chart, found, more=tuple(more), facts=tuple(facts))


def ahead_of_part(seats: pl.DataFrame) -> dict[str, Any]:
    """By how much the seat that is furthest ahead wins more than its part: `share`, `low`, `high`, from `share` and `level` by seat.

    The largest of several shares lies, if all their intervals hold together, between the largest of the lower ends and the largest of
    the upper ones.
    """
    wide = with_widened(seats, "share")
    level = seats["level"][0]
    ends = {name: wide[name].max() if wide[name].null_count() == 0 else None for name in ("low", "high")}
    return {
        "share": seats["share"].max() - level,
        **{n: None if end is None else end - level for n, end in ends.items()},
    }  # type: ignore[operator]


def strength_section(base: Variant, plan: Plan) -> Section:
    """One greedy player among random ones, by number of players."""
    cells = [({"players": n}, base.but(players=n)) for n in TABLES]
    parts = [match_share([cell], "greedy", ["random"] * (cell[0]["players"] - 1), ["players"], plan) for cell in cells]
    found = pl.concat(parts).with_columns((1 / pl.col("players")).alias("level"))
    told = [f"{with_interval(row)} of games of {row['players']}" for row in found.iter_rows(named=True)]
    sentence = (
        f"One greedy player among random ones, seats rotated, wins {listed(told)}. The ticks stand where playing well would "
        "not pay."
    )
    chart = charts.dots(found, "players", colour=None, titles=SHARE, expected="level")
    return Section("strength", "Does playing well pay?", sentence, chart, found)


def ending_shares(table: pl.DataFrame, endings: Sequence[str], keys: Sequence[str]) -> pl.DataFrame:
    """The share of games that end in each way, by `keys`: columns `ending` and those of a share."""
    rows = one_row_a_game(table)
    tables = [
        metrics.share(rows.with_columns((pl.col("ending") == word).alias("is")), "is", keys).select(
            pl.lit(word).alias("ending"), pl.all()
        )
        for word in endings
    ]
    return pl.concat(tables)


def ending_section(table: pl.DataFrame, endings: Sequence[str], wanted: Sequence[str] = ()) -> Section:
    """How games of greedy players end, by number of players; `wanted` are the ways to win, of which each should come up."""
    found = ending_shares(table.filter(pl.col("bot") == "greedy"), endings, ["players"])
    found = found.with_columns(pl.format("{} players", "players").alias("players"))
    facts = tuple(
        fact_of(
            ENDINGS,
            f"games of {row['players']} end by {row['ending']} in",
            f"Of games of {row['players']}, greedy ones, {with_interval(row)} end by {row['ending']}.",
            row,
        )
        for row in found.iter_rows(named=True)
        if row["ending"] in wanted
    )
    told = []
    for (players,), own in found.partition_by("players", as_dict=True, maintain_order=True).items():
        kinds = [f"{row['ending']} {with_interval(row)}" for row in own.iter_rows(named=True) if row["count"]]
        told.append(f"of {players} by {listed(kinds)}")
    sentence = f"Games of greedy players end: {'; '.join(told)}."
    titles = {"share": "share of games of greedy players", "players": ""}
    chart = charts.endings(found, "players", titles=titles)
    return Section("endings", "How games end", sentence, chart, found, facts=facts)


def finished_facts(table: pl.DataFrame) -> tuple[Fact, ...]:
    """How many games end by the rules, by number of players."""
    return tuple(
        fact_of(
            FINISHED,
            f"games of {row['players']} players come to an end in",
            f"{with_interval(row)} of games of {row['players']} greedy players end before they are stopped for their length.",
            row,
        )
        for row in metrics.completion(table, "players").iter_rows(named=True)
    )


def length_section(
    table: pl.DataFrame, chief: pl.DataFrame, column: str, unit: str, axes: Sequence[str], base: Variant
) -> Section:
    """How long games are, by the settings of some axes; the default stands there once."""
    rows = one_row_a_game(table.filter(pl.col("axis").is_in(["default", *axes])))
    rows = rows.with_columns(
        pl.when(pl.col("axis") == "default")
        .then(pl.lit("default"))
        .otherwise(pl.format("{} {}", "axis", "setting"))
        .alias("variant")
    )
    usual_settings = [f"{name} {setting_of(name, base)}" for name in axes]
    rows = rows.filter(~pl.col("variant").is_in(usual_settings))
    found = metrics.numbers(rows, [column], ["variant", "bot"]).drop("number")
    stopped = ending_shares(rows, ["unfinished"], ["variant", "bot"])
    found = found.join(
        stopped.select("variant", "bot", unfinished="share"), on=["variant", "bot"], maintain_order="left"
    )
    usual, by_chance = (
        found.filter((pl.col("variant") == "default") & (pl.col("bot") == bot)).row(0, named=True) for bot in BOTS
    )
    cut = found.filter(pl.col("unfinished") > 0).sort("unfinished", descending=True, maintain_order=True)
    unfinished = [
        f"{percent(r['unfinished'])} of {r['bot']} games at {r['variant']}" for r in cut.iter_rows(named=True)
    ]
    sentence = (
        f"A default game of greedy players takes {number(usual)} {unit} on average, of random ones {number(by_chance)}; half of the "
        f"greedy games take {usual['q25']:.0f} to {usual['q75']:.0f}."
    )
    more = (f"Not over when stopped: {listed(unfinished)}." if unfinished else "All games were finished.",)
    order = ["default", *(v for v in found["variant"].unique(maintain_order=True) if v != "default")]
    titles = {"value": unit}
    chart = charts.spread(found, "variant", titles=titles, order=BOTS, sort=order)
    return Section(
        "length", f"How many {unit} games take", sentence, chart, found, more=more, facts=finished_facts(chief)
    )


def lead_section(table: pl.DataFrame, length: str, lead: str, what: str, by_lead: pl.Expr) -> Section:
    """How early the later winner led, by number of players: `lead` counts what it led of a game's `length` in `length`.

    `by_lead` says of which games the end was a matter of the lead.
    """
    keys = ["players", "bot"]
    winners = table.filter((pl.col("win") == 1) & (pl.col(length) > 0)).with_columns(
        (pl.col(lead) / pl.col(length)).alias("led"),
        (pl.col(lead) == 0).alias("never"),
        pl.when(by_lead).then(pl.col("lead_since") / pl.col(length)).alias("settled"),
        pl.format("{} players", "players").alias("players"),
    )
    found = metrics.numbers(winners, ["led"], keys).drop("number")
    changes = metrics.numbers(winners, ["lead_changes"], keys, quantiles=())
    never = metrics.share(winners, "never", keys)
    settled = metrics.numbers(winners.drop_nulls("settled"), ["settled"], keys, quantiles=())
    for part, value, name in (
        (changes, "mean", "lead_changes"),
        (never, "share", "never_led"),
        (settled, "mean", "settled"),
    ):
        found = found.join(part.select(*keys, pl.col(value).alias(name)), on=keys, how="left", maintain_order="left")
    bot = "greedy" if "greedy" in found["bot"] else "random"
    usual = found.filter(pl.col("bot") == bot).row(0, named=True)
    change, none = (t.filter(pl.col("bot") == bot).row(0, named=True) for t in (changes, never))
    sentence = (
        f"In games of {usual['players']}, {bot} ones, the later winner leads alone for {percent(usual['mean'])} of the {length} on average, and "
        f"in {with_interval(none)} of games never before the end. The lead ({what}) passes to another player {number(change, digits=2)} "
        "times."
    )
    if usual["settled"] is not None:
        sentence += (
            f" Where the lead decided, it was settled for good after {percent(usual['settled'])} of the {length}."
        )
    titles = {"value": f"share of {length} in which the later winner led"}
    chart = charts.spread(found, "players", titles=titles, order=BOTS)
    return Section("lead", "How early the later winner led", sentence, chart, found)

"""The default study of A Rift of Portals, and what the report says of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl

from tkg import charts, metrics
from tkg.report.course import luck_section, minute_section, option_section, tension_section
from tkg.report.section import (
    Chapter,
    Plan,
    Section,
    Study,
    axis,
    extremes,
    listed,
    percent,
    setting_of,
    the_row,
    with_interval,
)
from tkg.report.several import play
from tkg.report.strength import NOVICE, skill_sections, way_section
from tkg.report.why import feature_section, lost_section, weight_section
from tkg.report.wording import knob_section, reading_section
from tkg.rules.knobs import Variant
from tkg.rules.rift import CONDITIONS, HAND, turns_of
from tkg.rules.rift import NAME as GAME
from tkg.rules.tiles import deck_names
from tkg.studies import around

BOTS = ("greedy", "hoarder", "random")
COST = 1  # how many times as long as theirs the bots of a game think
SUPPLIES = (3, 6, 9, 12, 15, 18, 21)
SIDES = (3, 4, 5, 6, 7)
WAYS = {
    "no-replace": "never replaces a tile",
    "no-tile-moves": "never moves Oinks from tile to tile",
    "hoarder": "builds nothing and hoards Oinks in the gate",
}
AXES: dict[str, Any] = {"supply": SUPPLIES, "side": SIDES}
GRID = ("supply", "side", "tiles")
EXPLOIT_SUPPLIES = (3, 5, 7, 9, 12, 15, 18, 21)
TILES_AS_SHIPPED, TILES_GROWN = "deck as it is", "deck grown with the ring"
CONDITION_WORDS = {
    "stable_gate": "gate holds the void",
    "equal_sides": "sides are equal",
    "matched": "insignias matched",
    "ring_full": "ring complete",
}
NUMBERS = {
    "margin": "gate minus void",
    "points": "victory points",
    "built": "tiles built",
    "replacements": "replacements",
    "refused_builds": "refused builds",
    "refused_moves": "refused moves",
    "unmatched": "Oinks unmatched at the end",
    "supply_left": "supply left",
}
TITLES = {"share": "win share", "supply": "supply of each element (Oinks)", "side": "side of the Boundary (tiles)"}


def default() -> Variant:
    from tkg.rules.games import rules_of

    return Variant(rules_of(GAME))


def grown_with_ring(variant: Variant) -> Variant:
    """The variant with its deck grown until every cell of the ring has as many turns as at side 3."""
    small = variant.but(side=3)
    cells, cells_of_small = 4 * (variant.side - 1), 8
    turns = -(-turns_of(small) * cells // cells_of_small)
    set_up = variant.deck.total - HAND * turns_of(small)
    return variant.but(deck=variant.deck.grown(set_up + HAND * turns))


def study_cells() -> list[tuple[dict[str, Any], Variant]]:
    """(labels, variant) of every cell: one knob at a time, the two grids, and the exploit's supplies."""
    base = default()
    cells: list[tuple[dict[str, Any], Variant]] = [(label("default", "default", base), base)]
    for name, variant in around(base, {**AXES, "deck": deck_names()}):
        cells.append((label(name, setting_of(name, variant), variant), variant))
    for side in SIDES:
        variant = grown_with_ring(base.but(side=side))
        cells.append((label("side, grown", str(side), variant, TILES_GROWN), variant))
    for side in SIDES:
        for supply in SUPPLIES:
            plain = base.but(side=side, supply=supply)
            cells.append((label("grid", f"{side}, {supply}", plain), plain))
            grown = grown_with_ring(plain)
            cells.append((label("grid", f"{side}, {supply}", grown, TILES_GROWN), grown))
    for supply in EXPLOIT_SUPPLIES:
        variant = base.but(full_boundary=False, supply=supply)
        cells.append((label("exploit", str(supply), variant), variant))
    return cells


def label(axis: str, setting: str, variant: Variant, tiles: str = TILES_AS_SHIPPED) -> dict[str, Any]:
    supply = variant.supply if isinstance(variant.supply, int) else -1
    return {"axis": axis, "setting": setting, "side": variant.side, "supply": supply, "tiles": tiles}


def study(plan: Plan) -> Study:
    """Play the study and tell what it found."""
    cells = study_cells()
    table = play(cells, BOTS, plan)
    base = axis(table, "default")
    chief = play([({"players": 1}, default())], [NOVICE], replace(plan, games=plan.chief))
    contests = [({"standing": v.standing}, v) for v in (default(), default().but(standing="stable-first"))]
    reading, settle = reading_section(default(), plan)
    chapters = (
        Chapter(
            "Who wins",
            (
                *skill_sections(default(), plan, chief),
                luck_section(default(), ("mcts:4",), plan),
                feature_section(default(), plan),
                contest_section(play(contests, [",".join(BOTS)], plan)),
            ),
        ),
        Chapter(
            "How a game goes",
            (
                condition_section(base),
                failure_section(base),
                lost_section(default(), plan, "gain", "turn", CONDITION_WORDS),
                minute_section(chief),
                tension_section(default(), plan),
                option_section(base, BOTS),
                number_section(base),
            ),
        ),
        Chapter("Ways to play", (way_section(default(), plan, WAYS), exploit_section(axis(table, "exploit")))),
        Chapter("What the rules leave open", (reading,)),
        Chapter(
            "What the numbers of the rules do",
            (
                knob_section(table, default(), AXES, "win", "the share of deals that novices win", relative=False),
                supply_section(axis(table, "supply")),
                side_section(table, cells),
                weight_section(axis(table, "grid"), GRID, "win", "the share of deals that novices win"),
                grid_section(axis(table, "grid"), TILES_AS_SHIPPED, "side_supply"),
                grid_section(axis(table, "grid"), TILES_GROWN, "side_supply_grown"),
                deck_section(axis(table, "deck")),
            ),
        ),
    )
    return Study(default(), plan, chapters, settle)


def supply_section(table: pl.DataFrame) -> Section:
    found = metrics.win_share(table, ["supply", "bot"])
    greedy = found.filter(pl.col("bot") == "greedy")
    low, high = extremes(greedy)
    usual = the_row(greedy, supply=15)
    others = found.filter(pl.col("bot") != "greedy").sort("share", "high").row(-1, named=True)
    rest = (
        f"The most that {others['bot']} wins is {with_interval(others)}, at {others['supply']}."
        if others["wins"]
        else f"The other bots win none of {others['games']} games at any supply: at most {percent(others['high'])}."
    )
    sentence = (
        f"The greedy bot wins {with_interval(usual)} of games at the published supply of 15; its share is lowest at "
        f"{low['supply']}, {with_interval(low)}, and highest at {high['supply']}, {with_interval(high)}. "
        f"{rest}"
    )
    chart = charts.lines(found, "supply", titles=TITLES, order=BOTS)
    return Section("supply", "How much the supply of Oinks matters", sentence, chart, found)


def side_section(table: pl.DataFrame, cells: list[tuple[dict[str, Any], Variant]]) -> Section:
    both = table.filter(pl.col("axis").is_in(["side", "side, grown"]) & (pl.col("bot") == "greedy"))
    found = metrics.win_share(both, ["tiles", "side"])
    hopeless = [labels["side"] for labels, v in cells if labels["axis"] == "side" and v.warnings]
    plain = found.filter(pl.col("tiles") == TILES_AS_SHIPPED)
    grown = found.filter(pl.col("tiles") == TILES_GROWN)
    first, second = the_row(plain, side=3), the_row(plain, side=4)
    rest = [f"{with_interval(the_row(grown, side=s))} at {s}" for s in SIDES if s > 3]
    sentence = (
        f"With the deck as it is, the greedy bot's {with_interval(first)} at side 3 becomes {with_interval(second)} at "
        f"side 4; {'side ' + listed([str(s) for s in hopeless]) + ' cannot be won, for want of turns. ' if hopeless else ''}"
        f"With the deck grown so that every cell of the ring has as many turns as at side 3, and the supply left at 15, "
        f"it wins {listed(rest)}."
    )
    chart = charts.lines(
        found, "side", colour="tiles", titles={**TITLES, "tiles": ""}, order=[TILES_AS_SHIPPED, TILES_GROWN]
    )
    return Section("side", "How large the Boundary may be", sentence, chart, found)


def grid_section(table: pl.DataFrame, tiles: str, name: str) -> Section:
    greedy = table.filter((pl.col("bot") == "greedy") & (pl.col("tiles") == tiles))
    found = metrics.win_share(greedy, ["side", "supply"])
    best = [extremes(found.filter(pl.col("side") == side))[1] for side in SIDES]
    told = [f"{with_interval(row)} at side {row['side']} with supply {row['supply']}" for row in best if row["wins"]]
    never = [str(row["side"]) for row in best if not row["wins"]]
    sentence = (
        f"With the {tiles}, "
        + (f"the greedy bot's best over supply is {listed(told)}" if told else "the greedy bot wins nothing")
        + (f"; it never wins at side {listed(never)}." if told and never else ".")
    )
    chart = charts.heat(found, "supply", "side", titles=TITLES)
    return Section(name, f"Side and supply together, {tiles}", sentence, chart, found)


def deck_section(table: pl.DataFrame) -> Section:
    found = metrics.win_share(table, ["setting", "bot"]).rename({"setting": "deck"})
    greedy = found.filter(pl.col("bot") == "greedy").sort("share", descending=True)
    easy, hard = greedy.row(0, named=True), greedy.row(-1, named=True)
    sentence = (
        f"Of the {len(greedy)} decks, all of 48 tiles, {easy['deck']} is the easiest for the greedy bot, "
        f"{with_interval(easy)}, and {hard['deck']} the hardest, {with_interval(hard)}."
    )
    chart = charts.dots(found, "deck", titles=TITLES, order=BOTS, sort=greedy["deck"].to_list())
    return Section("decks", "What is printed on the tiles", sentence, chart, found)


def exploit_section(table: pl.DataFrame) -> Section:
    found = metrics.win_share(table, ["supply", "bot"])
    hoarder = found.filter(pl.col("bot") == "hoarder")
    usual, scarce = the_row(hoarder, supply=15), the_row(hoarder, supply=5)
    sentence = (
        f"If the ring need not be complete (full_boundary off), a player who builds nothing and hoards Oinks wins "
        f"{with_interval(usual)} of default deals, and {with_interval(scarce)} at supply 5."
    )
    chart = charts.lines(found, "supply", titles=TITLES, order=BOTS)
    return Section("exploit", "Winning by building nothing", sentence, chart, found)


def condition_section(table: pl.DataFrame) -> Section:
    found = metrics.condition_shares(table, CONDITIONS, "bot")
    found = found.with_columns(pl.col("condition").replace_strict(CONDITION_WORDS))
    worst = extremes(found.filter(pl.col("bot") == "greedy"))[0]
    chance = extremes(found.filter(pl.col("bot") == "random"))[1]
    hoards = the_row(found, bot="hoarder", condition=CONDITION_WORDS["stable_gate"])
    sentence = (
        f"The condition that the greedy bot meets least often is '{worst['condition']}', in {with_interval(worst)} of "
        f"games; random play meets none more often than '{chance['condition']}', {with_interval(chance)}. "
        f"The hoarder, whose empty ring counts as equal and matched, holds the void in {with_interval(hoards)}."
    )
    chart = charts.dots(
        found,
        "condition",
        titles={"share": "share of games that meet the condition"},
        order=BOTS,
        sort=list(CONDITION_WORDS.values()),
    )
    return Section("conditions", "Which condition is the bottleneck", sentence, chart, found)


def failure_section(table: pl.DataFrame) -> Section:
    loser = "the greedy bot's"
    lost = table.filter((pl.col("bot") == "greedy") & (pl.col("win") == 0))
    short = {"stable_gate": "gate", "equal_sides": "sides", "matched": "matching", "ring_full": "ring"}
    if lost.is_empty():
        loser = "random play's"
        lost = table.filter((pl.col("bot") == "random") & (pl.col("win") == 0))
    lost = lost.with_columns((pl.sum_horizontal(*CONDITIONS) == len(CONDITIONS) - 1).alias("alone"))
    found = metrics.failed_together(lost, CONDITIONS).with_columns(
        pl.col("failed").str.replace_many(list(short), list(short.values()))
    )
    top = found.row(0, named=True)
    alone = metrics.share(lost, "alone").row(0, named=True)
    sentence = (
        f"In {loser} {top['of']} lost games what failed most often was {top['failed'].replace(' + ', ' and ')}, in "
        f"{with_interval(top)}. In {with_interval(alone)} a single condition was missed."
    )
    chart = charts.dots(found, "failed", colour=None, titles={"share": f"share of {loser} lost games"})
    return Section("failures", "What fails together", sentence, chart, found)


def number_section(table: pl.DataFrame) -> Section:
    found = metrics.numbers(table, list(NUMBERS), "bot").with_columns(pl.col("number").replace_strict(NUMBERS))
    margin, scored = (the_row(found, number=NUMBERS[n], bot="greedy") for n in ("margin", "points"))
    sentence = (
        f"At the end the greedy bot's gate exceeds the void by {margin['mean']:.1f} Oinks on average ({margin['low']:.1f} to "
        f"{margin['high']:.1f}; half of the games lie between {margin['q25']:.0f} and {margin['q75']:.0f}), and it scores "
        f"{scored['mean']:.1f} points ({scored['low']:.1f} to {scored['high']:.1f})."
    ).replace("-", "\u2212")
    chart = charts.spread(found, titles={"value": "number a game"}, order=BOTS)
    return Section("numbers", "How the games end", sentence, chart, found)


def contest_section(table: pl.DataFrame) -> Section:
    found = metrics.share(table, "contest", ["standing", "bot"])
    by_points = found.filter(pl.col("standing") == "points")
    best = extremes(by_points)[1]
    again = the_row(found, standing="stable-first", bot=best["bot"])
    sentence = (
        f"When {listed(BOTS)} compete on one deal, {best['bot']} takes {with_interval(best)} of the victories by points, "
        f"and {with_interval(again)} if a stable portal comes first."
    )
    chart = charts.dots(
        found, "standing", titles={"share": "share of contests won", "standing": "ranked by"}, order=BOTS
    )
    return Section("contests", "Several players on one deal", sentence, chart, found)

"""The default study of A Rift of Portals, and what the report says of it."""

from __future__ import annotations

from typing import Any

import polars as pl

from tkg import charts, metrics
from tkg.report.ladders import ladder_sections
from tkg.report.section import (
    Plan,
    Section,
    axis,
    extremes,
    listed,
    percent,
    points,
    setting_of,
    the_row,
    with_interval,
)
from tkg.rules.knobs import Variant
from tkg.rules.rift import CONDITIONS, HAND, READINGS, turns_of
from tkg.rules.rift import NAME as GAME
from tkg.rules.tiles import deck_names
from tkg.studies import around, play_cells

BOTS = ("greedy", "hoarder", "random")
COST = 1  # how many times as long as theirs the bots of a game think
SUPPLIES = (3, 6, 9, 12, 15, 18, 21)
SIDES = (3, 4, 5, 6, 7)
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
    """(labels, variant) of every cell: one knob or reading at a time, the two grids, and the exploit's supplies."""
    base = default()
    cells: list[tuple[dict[str, Any], Variant]] = [(label("default", "default", base), base)]
    axes: dict[str, Any] = {"supply": SUPPLIES, "side": SIDES, "deck": deck_names()}
    axes |= {r.name: r.options[1:] for r in READINGS}
    for name, variant in around(base, axes):
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


def sections(plan: Plan) -> list[Section]:
    """Play the study and tell what it found."""
    cells = study_cells()
    table = play_cells(cells, BOTS, plan.games, plan.seed, plan.workers, plan.progress)
    table = table.with_columns(pl.col("bot").cast(pl.String))
    base = table.filter(pl.col("axis") == "default")
    contest = play_cells(
        [({"standing": v.standing}, v) for v in (default(), default().but(standing="stable-first"))],
        [",".join(BOTS)],
        plan.games,
        plan.seed,
        plan.workers,
        plan.progress,
    ).with_columns(pl.col("bot").cast(pl.String))
    return [
        supply_section(axis(table, "supply")),
        side_section(table, cells),
        grid_section(axis(table, "grid")),
        deck_section(axis(table, "deck")),
        reading_section(table),
        exploit_section(axis(table, "exploit")),
        condition_section(base),
        failure_section(base),
        number_section(base),
        option_section(base),
        contest_section(contest),
        *ladder_sections(default(), plan),
    ]


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


def grid_section(table: pl.DataFrame) -> Section:
    found = metrics.win_share(table.filter(pl.col("bot") == "greedy"), ["tiles", "side", "supply"])
    told = []
    for tiles in (TILES_AS_SHIPPED, TILES_GROWN):
        best = [extremes(found.filter((pl.col("tiles") == tiles) & (pl.col("side") == side)))[1] for side in SIDES]
        parts = [f"{with_interval(b)} at side {b['side']} with supply {b['supply']}" for b in best if b["wins"]]
        never = [str(b["side"]) for b in best if not b["wins"]]
        words = (
            f"With the {tiles}, the greedy bot's best over supply is {listed(parts)}" if parts else f"With the {tiles}"
        )
        told.append(words + (f"; nothing was won at side {listed(never)}." if never else "."))
    chart = charts.heat(found, "supply", "side", titles=TITLES, facet="tiles")
    return Section("side_supply", "Side and supply together", " ".join(told), chart, found)


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


def reading_section(table: pl.DataFrame) -> Section:
    names = ["default", *(r.name for r in READINGS if r.name != "standing")]  # which changes contests only
    greedy = table.filter(pl.col("axis").is_in(names) & (pl.col("bot") == "greedy"))
    found = metrics.paired_difference(greedy, "win", "setting", "default").sort("difference", descending=True)
    apart = found.filter((pl.col("low") > 0) | (pl.col("high") < 0))
    told = [
        f"{r['setting']} ({points(r['difference'])}, {points(r['low'])} to {points(r['high'])})"
        for r in apart.sort(pl.col("difference").abs(), descending=True).iter_rows(named=True)
    ]
    level = len(found) - len(apart)
    sentence = (
        (
            f"Over the same deals, the greedy bot's win share moves with {listed(told)}. "
            if told
            else "No reading moves the greedy bot's win share measurably. "
        )
        + f"Of {level} other readings the interval holds 0: on these deals they cannot be told from the default. The bot was tuned on the default readings, so part of a loss may be the bot's own."
    )
    titles = {"difference": "win share of greedy, difference to the default reading (percentage points)"}
    chart = charts.effects(found, titles=titles)
    return Section("readings", "Sentences that can be read in two ways", sentence, chart, found)


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


def chosen(row: dict[str, Any]) -> dict[str, Any]:
    """The columns on choices of a row, by the names that shares have."""
    return {name: row[f"choice_{name}"] for name in ("share", "low", "high")}


def option_section(table: pl.DataFrame) -> Section:
    found = metrics.options_per_decision(table, "bot")
    real = metrics.choice_share(table, "bot").select(
        "kind", "bot", *(pl.col(name).alias(f"choice_{name}") for name in ("share", "low", "high"))
    )
    found = found.join(real, on=["kind", "bot"], how="left", maintain_order="left")
    build, move = the_row(found, kind="build", bot="greedy"), the_row(found, kind="move", bot="greedy")
    sentence = (
        f"The greedy bot finds {build['options']:.1f} options at a build ({build['low']:.1f} to {build['high']:.1f}) and "
        f"{move['options']:.1f} at a single move ({move['low']:.1f} to {move['high']:.1f}); "
        f"{with_interval(chosen(build))} of builds and {with_interval(chosen(move))} of moves leave a choice."
    )
    chart = charts.dots(
        found,
        "kind",
        "options",
        is_share=False,
        titles={"options": "options per decision", "kind": "decision"},
        order=BOTS,
    )
    return Section("options", "How much there is to decide", sentence, chart, found)


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

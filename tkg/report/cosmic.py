"""The default study of Cosmic Alignments, and what the report says of it."""

from __future__ import annotations

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
    number,
    one_row_a_game,
    percent,
    the_row,
    with_interval,
)
from tkg.report.several import (
    BOTS,
    cells_around,
    ending_section,
    in_groups,
    lead_section,
    length_section,
    match_share,
    play,
    play_chief,
    seat_section,
    strength_section,
)
from tkg.report.strength import EXPERT, NOVICE, skill_sections, way_section
from tkg.report.why import feature_section
from tkg.report.wording import knob_section, reading_section
from tkg.rules.cells import cell_names
from tkg.rules.cosmic import ENDINGS, windows
from tkg.rules.cosmic import NAME as GAME
from tkg.rules.knobs import Variant
from tkg.rules.tiles import deck_names

COST = 6  # how many times as long as those of the Rift its bots think
OCCUPIER, CAPTOR, DRAFTER = "greedy-only-occupy", "greedy-only-capture", "greedy-rich-draft"
WAYS = {
    "only-occupy": "occupies every tile that it wins, and captures none",
    "only-capture": "captures every tile that it wins, and occupies none",
    "rich-draft": "drafts the tiles with most insignias",
}
AXES: dict[str, Any] = {
    "players": (2, 3, 4),
    "side": (3, 4, 5),
    "life": (12, 15, 18, 24, 33, 45),
    "oinks": (2, 3, 4, 6, 9, 13),
    "capture_limit": (3, 4, 5, 6, 7),
    "line": (3, 4),
    "alignment": (3, 4),
    "own_points": (1, 2, 3),
    "other_points": (0, 1, 2),
}
LIMITS = AXES["capture_limit"]
SHARES_OF_OCCUPYING = [0.0, 0.25, 0.5, 0.75, 0.999]  # where the groups end
NUMBERS = {
    "decisions": "decisions",
    "lead_changes": "lead changes",
    "lifts": "lifts",
    "free_placements": "free placements",
    "forced_placements": "placements with one option",
    "passes": "passes",
    "full_tiles": "tiles won full",
    "won_by_others": "tiles won out of turn",
    "takes": "tiles taken",
}
TITLES = {
    "share": "win share",
    "life": "LIFE tokens of each player",
    "oinks": "Oinks of each player",
    "capture_limit": "captured tiles that end the game",
    "mean": "turns",
}


def default() -> Variant:
    from tkg.rules.games import rules_of

    return Variant(rules_of(GAME))


def study_cells() -> list[tuple[dict[str, Any], Variant]]:
    """(labels, variant) of every cell: one knob at a time."""
    return cells_around(default(), {**AXES, "deck": deck_names()})


def study(plan: Plan) -> Study:
    """Play the study and tell what it found."""
    table = with_columns(play(study_cells(), BOTS, plan))
    chief = play_chief(default(), plan)
    base, players = axis(table, "default"), axis(table, "players")
    reading, settle = reading_section(default(), plan)
    length = ["players", "side", "line", "alignment"]
    chapters = (
        Chapter(
            "Who wins",
            (
                *skill_sections(default(), plan, chief),
                seat_section(chief),
                strength_section(default(), plan),
                luck_section(default(), (NOVICE, EXPERT), plan),
                feature_section(default(), plan),
            ),
        ),
        Chapter(
            "How a game goes",
            (
                minute_section(chief),
                length_section(table, chief, "turns", "turns", length, default()),
                ending_section(chief, ENDINGS[1:], ("alignment", "captures")),
                tension_section(default(), plan),
                lead_section(
                    players, "turns", "lead_turns", "points, then occupied tiles", pl.col("ending") != "alignment"
                ),
                option_section(base, BOTS),
                number_section(base),
            ),
        ),
        Chapter(
            "Ways to play",
            (
                way_section(default(), plan, WAYS),
                take_section(plan),
                balance_section(plan),
                occupying_section(base),
                layout_section(base),
            ),
        ),
        Chapter("What the rules leave open", (reading,)),
        Chapter(
            "What the numbers of the rules do",
            (
                knob_section(
                    table,
                    default(),
                    {n: v for n, v in AXES.items() if n != "players"},
                    "turns",
                    "the length of a game",
                    relative=True,
                ),
                life_section(axis(table, "life")),
                alignment_share_section(axis(table, "oinks"), "oinks", "How many Oinks are enough"),
                alignment_share_section(
                    axis(table, "capture_limit"), "capture_limit", "How many captures should end the game"
                ),
                points_section(table),
            ),
        ),
    )
    return Study(default(), plan, chapters, settle)


def with_columns(table: pl.DataFrame) -> pl.DataFrame:
    """The table with columns that several sections use."""
    return table.with_columns(
        (pl.col("ending") == "alignment").alias("aligned_end"),
        (pl.col("decisions_place") - pl.col("choices_place")).alias("forced_placements"),
        (pl.col("occupied") + pl.col("captured")).sum().over("run", "game", "axis", "setting").alias("takes"),
    )


def life_section(table: pl.DataFrame) -> Section:
    rows = one_row_a_game(table)
    found = metrics.numbers(rows, ["turns"], ["life", "bot"], quantiles=()).drop("number")
    stopped = metrics.share(rows.with_columns((pl.col("ending") == "unfinished").alias("is")), "is", ["life", "bot"])
    lifts = metrics.numbers(rows, ["lifts"], ["life", "bot"], quantiles=()).select(
        "life", "bot", pl.col("mean").alias("lifts")
    )
    found = found.join(lifts, on=["life", "bot"], maintain_order="left").join(
        stopped.select("life", "bot", pl.col("share").alias("unfinished")), on=["life", "bot"], maintain_order="left"
    )
    few, usual = the_row(found, life=12, bot="greedy"), the_row(found, life=33, bot="greedy")
    by_chance = the_row(found, life=12, bot="random")
    sentence = (
        f"With 33 LIFE tokens each a greedy game takes {number(usual)} turns with {usual['lifts']:.1f} lifts; with 12 it takes "
        f"{number(few)} with {few['lifts']:.1f}, and {percent(few['unfinished'])} are not over after {default().max_turns} "
        f"(of random games {percent(by_chance['unfinished'])})."
    )
    chart = charts.lines(found, "life", "mean", titles=TITLES, order=BOTS, is_share=False)
    return Section("life", "How many LIFE tokens are enough", sentence, chart, found)


def alignment_share_section(table: pl.DataFrame, knob: str, title: str) -> Section:
    found = metrics.share(one_row_a_game(table), "aligned_end", [knob, "bot"])
    told = []
    for bot in BOTS:
        own = found.filter(pl.col("bot") == bot)
        usual, (low, high) = the_row(own, **{knob: default()[knob]}), extremes(own)
        spread = (
            f"least at {low[knob]}, {with_interval(low)}, most at {high[knob]}, {with_interval(high)}"
            if low["share"] < high["share"]
            else "and as many at every other value"
        )
        told.append(f"{with_interval(usual)} of {bot} games at the published {knob} of {default()[knob]} ({spread})")
    sentence = (
        f"A Cosmic Alignment ends {listed(told)}. Bots that seldom occupy make few alignments, so both are shown."
    )
    chart = charts.lines(found, knob, titles={**TITLES, "share": "share of games that an alignment ends"}, order=BOTS)
    return Section(knob, title, sentence, chart, found)


def take_section(plan: Plan) -> Section:
    matches = [(OCCUPIER, CAPTOR), (OCCUPIER, "greedy"), (CAPTOR, "greedy"), (DRAFTER, "greedy")]
    parts = []
    for one, other in matches:
        name = f"{one.removeprefix('greedy-')} against {other.removeprefix('greedy-')}"
        parts.append(match_share([({"match": name}, default())], one, [other], ["match"], plan))
    found = pl.concat(parts).with_columns(pl.lit(0.5).alias("level"))
    first, second, third, fourth = found.iter_rows(named=True)
    better = "occupying" if first["low"] > 0.5 else "capturing" if first["high"] < 0.5 else None
    verdict = f"{better} alone beats the other way alone" if better else "neither way alone beats the other"
    sentence = (
        f"Greedy players of whom one only occupies and the other only captures: the occupier wins {with_interval(first)}, so "
        f"{verdict}. Against a player who may do both, the occupier wins {with_interval(second)} and the captor "
        f"{with_interval(third)}. One who drafts the tiles with most insignias and else plays greedily wins {with_interval(fourth)}. This is a verdict "
        "about these bots, who seldom let an alignment happen; players who occupy better may find another."
    )
    chart = charts.dots(found, "match", colour=None, titles={**TITLES, "match": ""}, expected="level")
    return Section("takes", "Is one of the two takes dominant?", sentence, chart, found)


def balance_section(plan: Plan) -> Section:
    cells = [
        (
            {"alignment": f"alignment of {alignment}", "capture_limit": limit},
            default().but(alignment=alignment, capture_limit=limit),
        )
        for alignment in AXES["alignment"]
        for limit in LIMITS
    ]
    found = match_share(cells, OCCUPIER, [CAPTOR], ["alignment", "capture_limit"], plan)
    told = []
    for (name,), own in found.partition_by("alignment", as_dict=True, maintain_order=True).items():
        nearest = own.sort((pl.col("share") - 0.5).abs()).row(0, named=True)
        told.append(
            f"with an {name} nearest at {nearest['capture_limit']}, where the occupier wins {with_interval(nearest)}"
        )
    sentence = (
        f"The capture limit at which occupying only and capturing only come nearest to a level match: {listed(told)}."
    )
    chart = charts.lines(
        found,
        "capture_limit",
        colour="alignment",
        titles={**TITLES, "share": "win share of only-occupy", "alignment": ""},
    )
    return Section("takes_balance", "Which limit balances the two takes", sentence, chart, found)


def occupying_section(table: pl.DataFrame) -> Section:
    takes = pl.col("occupied") + pl.col("captured")
    names = ["none", "up to 25%", "25-50%", "50-75%", "75-99%", "all"]
    rows = table.filter(takes > 0).with_columns(
        in_groups(pl.col("occupied") / takes, SHARES_OF_OCCUPYING, names).alias("occupied_share")
    )
    order = pl.DataFrame({"occupied_share": names, "_place": range(len(names))})
    found = metrics.share(rows, "win", ["occupied_share", "bot"]).join(order, on="occupied_share")
    found = found.sort("_place", "bot").drop("_place")
    greedy = found.filter(pl.col("bot") == "greedy")
    low, high = extremes(greedy.filter(pl.col("games") >= pl.min_horizontal(20, pl.col("games").max())))
    apart = (
        f"win least where it was '{low['occupied_share']}', {with_interval(low)}, and most where it was '{high['occupied_share']}', "
        f"{with_interval(high)}"
        if low["share"] < high["share"]
        else f"took their tiles in one way alone, '{low['occupied_share']}', and win {with_interval(low)}"
    )
    sentence = (
        f"Players by the share of their tiles that they occupied: greedy ones {apart} (groups with few games left out; where both "
        "players of a game are in one group they count as one game, half won). This tells what goes with winning, not what brings "
        "it about: an alignment is made of occupied tiles."
    )
    chart = charts.dots(
        found, "occupied_share", titles={**TITLES, "occupied_share": "occupied"}, order=BOTS, sort=names
    )
    return Section("occupying", "Occupying and winning", sentence, chart, found)


def layout_section(table: pl.DataFrame) -> Section:
    cells = cell_names(default().side ** 2)
    through = [sum(line >> c & 1 for line in windows(default().side, default().alignment)) for c in range(len(cells))]
    ended = table.filter(pl.col("aligned_end"))
    bots = [bot for bot in BOTS if bot in ended["bot"]]
    if not bots:  # few games, none of which an alignment ended: the map is empty
        ended, bots = table, [BOTS[0]]
    tables = [metrics.cell_shares(ended.filter(pl.col("bot") == bot), "aligned", cells) for bot in bots]
    found = pl.concat(
        t.select(pl.lit(bot).alias("bot"), pl.all(), pl.Series("lines", through))
        for bot, t in zip(bots, tables, strict=True)
    )
    told = found.filter(pl.col("bot") == bots[0])
    low, high = extremes(told)
    centre, corner = (
        told.filter(pl.col("lines") == n).select(pl.col("share").mean()).item() for n in (max(through), min(through))
    )
    sentence = (
        f"Of {low['games']} {bots[0]} games{' that an alignment ended' if table['aligned_end'].any() else ', none of which one ended'}, an alignment held {high['cell']} most often, in {with_interval(high)}, and "
        f"{low['cell']} least often, in {with_interval(low)}. Tiles on {max(through)} of the "
        f"{len(windows(default().side, default().alignment))} lines have {percent(centre)} on average, tiles on {min(through)} have "
        f"{percent(corner)}."
    )
    chart = charts.layout(found, titles={"share": "share of alignments"}, facet="bot")
    return Section("layout", "Where alignments happen", sentence, chart, found)


def number_section(table: pl.DataFrame) -> Section:
    found = metrics.numbers(one_row_a_game(table), list(NUMBERS), "bot").with_columns(
        pl.col("number").replace_strict(NUMBERS)
    )
    lifts, free, forced = (
        the_row(found, number=NUMBERS[n], bot="greedy") for n in ("lifts", "free_placements", "forced_placements")
    )
    sentence = (
        f"In a game of 2 greedy players {number(lifts)} tokens are lifted, {number(free)} placements are free of a direction (the first "
        f"always is), and {number(forced)} have a single option."
    )
    chart = charts.spread(found, titles={"value": "number a game"}, order=BOTS)
    return Section("numbers", "What happens in a game", sentence, chart, found)


def points_section(table: pl.DataFrame) -> Section:
    rows = table.filter(pl.col("axis").is_in(["deck", "own_points", "other_points"]) & (pl.col("win") == 1))
    rows = rows.with_columns(pl.format("{} {}", "axis", "setting").alias("variant"))
    found = metrics.numbers(rows, ["points"], ["variant", "bot"]).drop("number")
    greedy = found.filter(pl.col("bot") == "greedy")
    low, high = extremes(greedy, "mean")
    usual = the_row(greedy, variant="deck reference")
    sentence = (
        f"The winner of a greedy game has {number(usual)} points with the reference deck; least with {low['variant']}, {number(low)}, most "
        f"with {high['variant']}, {number(high)}. Where an alignment wins, points do not count."
    )
    chart = charts.spread(found, "variant", titles={"value": "points of the winner"}, order=BOTS)
    return Section("points", "Points, decks and what insignias are worth", sentence, chart, found)

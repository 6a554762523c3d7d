"""The default study of Umbra Via, and what the report says of it."""

from __future__ import annotations

from typing import Any

import polars as pl

from tkg import charts, metrics
from tkg.report.course import luck_section, minute_section, option_section, tension_section
from tkg.report.facts import SHARED, fact_of
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
    SHARE,
    cells_around,
    ending_section,
    ending_shares,
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
from tkg.rules.knobs import Variant
from tkg.rules.umbra import ENDINGS, REFERENCE, TILES
from tkg.rules.umbra import NAME as GAME

WAYS = {
    "spread": "spreads every bid over as many tiles as it can",
    "lump": "bids all flowers of a hand on one tile",
}
MIXES = {
    "reference": REFERENCE,
    "one of each special": REFERENCE._replace(point=1, void=1, block=1),
    "mostly straight": REFERENCE._replace(straight=11, curve=3, tee=3),
    "mostly curves": REFERENCE._replace(straight=3, curve=11, tee=3),
    "mostly tees": REFERENCE._replace(straight=3, curve=3, tee=11),
    "no tees": REFERENCE._replace(straight=8, curve=9, tee=0),
    "twice as many": REFERENCE._replace(straight=10, curve=12, tee=12),
}
AXES: dict[str, Any] = {
    "players": (2, 3, 4),
    "side": (4, 5, 6),
    "altar": (3, 4, 5),
    "draw": (2, 3, 4),
    "biddings": (1, 2, 3),
    "energy": (20, 33, 45),
    "soul": (13, 15, 17, 20, 24),
    "soul_on_tile": (7, 8, 9, 10, 11, 12, 13),
    "soul_worth": (1, 2, 3),
    "claim_length": (1, 2, 3, 4),
    "tile_worth": (1, 2, 3),
    "tiles": tuple(MIXES.values()),
}
COST = 4  # how many times as long as those of the Rift its bots think, in a study of as many cells
RANKS = ("first", "second", "third", "fourth")
NUMBERS = {
    "summonings": "paths summoned",
    "longest_path": "longest path",
    "unranked": "paths without energy",
    "bid_ties": "tiles won by the track",
    "decisions": "decisions",
}
SPENT = [2, 5, 8, 11]  # where the groups of players by soul flowers spent end
TITLES = {
    **SHARE,
    "soul_on_tile": "soul flowers on the tile at the start",
    "mean": "rounds",
    "side": "side of the board (cells)",
}


def default() -> Variant:
    from tkg.rules.games import rules_of

    return Variant(rules_of(GAME))


def study_cells() -> list[tuple[dict[str, Any], Variant]]:
    """(labels, variant) of every cell: one knob at a time."""
    return cells_around(default(), AXES)


def study(plan: Plan) -> Study:
    """Play the study and tell what it found."""
    table = with_columns(play(study_cells(), BOTS, plan))
    chief = play_chief(default(), plan)
    base, players = axis(table, "default"), axis(table, "players")
    reading, settle = reading_section(default(), plan)
    length = ["players", "side", "altar", "draw", "biddings", "energy", "soul"]
    chapters = (
        Chapter(
            "Who wins",
            (
                *skill_sections(default(), plan, chief),
                seat_section(chief),
                track_section(chief),
                strength_section(default(), plan),
                luck_section(default(), (NOVICE, EXPERT), plan),
                feature_section(default(), plan),
                together_section(table, chief),
            ),
        ),
        Chapter(
            "How a game goes",
            (
                minute_section(chief),
                length_section(table, chief, "rounds", "rounds", length, default()),
                ending_section(chief, ENDINGS[1:]),
                stuck_section(axis(table, "side")),
                tension_section(default(), plan),
                lead_section(players, "rounds", "lead_rounds", "fewest flowers left on the soul tile", pl.lit(True)),
                option_section(base, BOTS),
                path_section(base),
            ),
        ),
        Chapter(
            "Ways to play",
            (way_section(default(), plan, WAYS), style_section(plan), spending_section(base), rank_section(players)),
        ),
        Chapter("What the rules leave open", (reading,)),
        Chapter(
            "What the numbers of the rules do",
            (
                knob_section(
                    table,
                    default(),
                    {n: v for n, v in AXES.items() if n != "players"},
                    "rounds",
                    "the length of a game",
                    relative=True,
                ),
                race_section(axis(table, "soul_on_tile")),
                soul_section(axis(table, "soul")),
                decided_by_track_section(table),
                mix_section(axis(table, "tiles")),
            ),
        ),
    )
    return Study(default(), plan, chapters, settle)


def with_columns(table: pl.DataFrame) -> pl.DataFrame:
    """The table with columns that several sections use."""
    taken = pl.col("tiles_won").sum().over("run", "game", "axis", "setting")
    return table.with_columns(taken.alias("tiles_taken"))


def track_section(table: pl.DataFrame) -> Section:
    found = metrics.win_share(table, ["players", "track_start"]).rename({"track_start": "place"})
    found = found.with_columns((1 / pl.col("players")).alias("level"), pl.col("place").cast(pl.String))
    told = []
    for players in AXES["players"]:
        first = the_row(found, players=players, place=1)
        verdict = "" if first["low"] <= first["level"] <= first["high"] else ", apart from it"
        told.append(f"{with_interval(first)} of games of {players} (level would be {percent(first['level'])}{verdict})")
    sentence = f"Whoever begins at the head of the tiebreaker track wins {listed(told)}."
    titles = {**TITLES, "place": "place on the track"}
    chart = charts.dots(found, "players", colour="place", order=["1", "2", "3", "4"], titles=titles, expected="level")
    return Section("track", "What the first place on the track is worth", sentence, chart, found)


def race_section(table: pl.DataFrame) -> Section:
    found = metrics.numbers(one_row_a_game(table), ["rounds"], ["soul_on_tile", "bot"], quantiles=()).drop("number")
    short, usual, long = (the_row(found, soul_on_tile=n, bot="greedy") for n in (7, 11, 13))
    sentence = (
        f"With 11 soul flowers on the tile greedy games take {number(usual)} rounds; with 7 they take {number(short)}, with 13 "
        f"{number(long)}."
    )
    chart = charts.lines(found, "soul_on_tile", "mean", titles=TITLES, order=BOTS, is_share=False)
    return Section("race", "How long the race for soul flowers is", sentence, chart, found)


def together_section(table: pl.DataFrame, chief: pl.DataFrame) -> Section:
    rows = one_row_a_game(table.filter(pl.col("axis").is_in(["players", "claim_length", "tile_worth"])))
    rows = rows.with_columns(pl.format("{} {}", "axis", "setting").alias("variant"))
    found = metrics.share(rows, "win_shared", ["variant", "bot"])
    greedy = found.filter(pl.col("bot") == "greedy")
    told = [f"{with_interval(the_row(greedy, variant=f'players {n}'))} of games of {n}" for n in AXES["players"]]
    low, high = extremes(greedy)
    sentence = (
        f"Greedy players share the victory in {listed(told)}. Least often at {low['variant']}, {with_interval(low)}, most often at "
        f"{high['variant']}, {with_interval(high)}."
    )
    chart = charts.dots(
        found, "variant", titles={"share": "share of games with several winners", "variant": ""}, order=BOTS
    )
    often = metrics.share(one_row_a_game(chief), "win_shared", "players")
    facts = tuple(
        fact_of(
            SHARED,
            f"games of {row['players']} players have several winners in",
            f"{with_interval(row)} of games of {row['players']} greedy players have several winners.",
            row,
        )
        for row in often.iter_rows(named=True)
    )
    return Section("together", "How often several claim together", sentence, chart, found, facts=facts)


def stuck_section(table: pl.DataFrame) -> Section:
    found = ending_shares(table, ["stuck"], ["side", "bot"]).drop("ending")
    told = [f"{with_interval(the_row(found, side=s, bot='greedy'))} at side {s}" for s in AXES["side"]]
    chance = the_row(found, side=5, bot="random")
    sentence = (
        f"A game is stuck when all tiles lie on the board and none can be laid out. Of greedy games that befalls {listed(told)}; of "
        f"random ones {with_interval(chance)} at side 5."
    )
    chart = charts.lines(found, "side", titles={**TITLES, "share": "share of games that get stuck"}, order=BOTS)
    return Section("stuck", "Dead positions on large boards", sentence, chart, found)


def style_section(plan: Plan) -> Section:
    matches = [("greedy-spread", "greedy"), ("greedy-lump", "greedy"), ("greedy-spread", "greedy-lump")]
    parts = []
    for one, other in matches:
        name = f"{one.removeprefix('greedy-')} against {other.removeprefix('greedy-')}"
        parts.append(match_share([({"match": name}, default())], one, [other], ["match"], plan))
    found = pl.concat(parts).with_columns(pl.lit(0.5).alias("level"))
    first, second, third = found.iter_rows(named=True)
    sentence = (
        f"A greedy player who spreads every bid over as many tiles as it can wins {with_interval(first)} against one who bids freely; one who "
        f"puts all flowers on one tile wins {with_interval(second)}. Of the two the spreader wins {with_interval(third)}."
    )
    chart = charts.dots(found, "match", colour=None, titles={**TITLES, "match": ""}, expected="level")
    return Section("bidding", "Spread or lump the bid?", sentence, chart, found)


def spending_section(table: pl.DataFrame) -> Section:
    names = ["0-2", "3-5", "6-8", "9-11", "12 or more"]
    rows = table.with_columns(in_groups(pl.col("soul_spent"), SPENT, names).alias("spent"))
    order = pl.DataFrame({"spent": names, "_place": range(len(names))})
    found = metrics.share(rows, "win", ["spent", "bot"]).join(order, on="spent").sort("_place", "bot").drop("_place")
    greedy = found.filter(pl.col("bot") == "greedy")
    low, high = extremes(greedy.filter(pl.col("games") >= pl.min_horizontal(20, pl.col("games").max())))
    brought = the_row(metrics.ratio(table, "soul_gained", "soul_spent", "bot"), bot="greedy")
    sentence = (
        f"For every soul flower that leaves the game a greedy player takes {number(brought, 'ratio', 2)} from the soul tile. Players by the "
        f"flowers they spent, groups of 20 games or more: those of {low['spent']} win least, {with_interval(low)}, those of {high['spent']} "
        f"most, {with_interval(high)}. Long games spend more, so this tells what goes with winning, not what brings it about."
    )
    chart = charts.dots(
        found.rename({"count": "wins"}),
        "spent",
        titles={**TITLES, "spent": "soul flowers spent"},
        order=BOTS,
        sort=names,
    )
    return Section("spending", "What soul flowers spent bring", sentence, chart, found)


def soul_section(table: pl.DataFrame) -> Section:
    found = metrics.ratio(table, "soul_gained", "soul_spent", ["soul", "bot"])
    bag = pl.col("soul") - default().soul_on_tile
    found = found.with_columns((bag / (bag + default().energy - 1)).alias("bag_share"))
    few, usual, many = (the_row(found, soul=n, bot="greedy") for n in (13, 17, 24))
    sentence = (
        f"The bag begins with {percent(usual['bag_share'])} soul flowers at 17 a player. Taken from the soul tile for every one spent: "
        f"{number(usual, 'ratio', 2)} at 17, {number(few, 'ratio', 2)} at 13 ({percent(few['bag_share'])} of the bag), "
        f"{number(many, 'ratio', 2)} at 24 ({percent(many['bag_share'])})."
    )
    titles = {"soul": "soul flowers of each player", "ratio": "flowers taken for one spent"}
    chart = charts.lines(found, "soul", "ratio", titles=titles, order=BOTS, is_share=False)
    return Section("soul", "How many soul flowers the bag should hold", sentence, chart, found)


def rank_section(table: pl.DataFrame) -> Section:
    rows = one_row_a_game(table.filter(pl.col("bot") == "greedy")).with_columns(
        pl.format("{} players", "players").alias("players")
    )
    found = pl.concat(
        metrics.ratio(rows, f"paid_{rank}", f"ranked_{rank}", "players").select(pl.lit(rank).alias("rank"), pl.all())
        for rank in RANKS
    )
    told = [
        f"{number(row, 'ratio', 2)} at {row['rank']} rank"
        for row in found.filter(pl.col("players") == "2 players").iter_rows(named=True)
    ]
    sentence = f"What a greedy player of 2 is paid in a summoning, on average: {listed(told)}. Later ranks get half of the one before."
    titles = {"ratio": "soul flowers paid to a rank, on average", "players": ""}
    chart = charts.dots(found, "rank", "ratio", colour="players", is_share=False, titles=titles, sort=list(RANKS))
    return Section("ranks", "What a rank brings", sentence, chart, found)


def path_section(table: pl.DataFrame) -> Section:
    rows = one_row_a_game(table)
    found = metrics.numbers(rows, list(NUMBERS), "bot").with_columns(pl.col("number").replace_strict(NUMBERS))
    mean = the_row(metrics.ratio(rows, "path_tiles", "summonings", "bot"), bot="greedy")
    summoned = the_row(found, number=NUMBERS["summonings"], bot="greedy")
    longest = the_row(found, number=NUMBERS["longest_path"], bot="greedy")
    sentence = (
        f"In a game of 2 greedy players {number(summoned)} paths are summoned, of {number(mean, 'ratio', 2)} tiles on average; the longest "
        f"has {number(longest)}."
    )
    titles = {"value": "number a game"}
    chart = charts.spread(found, titles=titles, order=BOTS)
    return Section("paths", "Paths and summonings", sentence, chart, found)


def decided_by_track_section(table: pl.DataFrame) -> Section:
    rows = one_row_a_game(table.filter(pl.col("axis").is_in(["players", "draw", "soul_worth"])))
    rows = rows.with_columns(pl.format("{} {}", "axis", "setting").alias("variant"))
    found = metrics.ratio(rows, "bid_ties", "tiles_taken", ["variant", "bot"]).rename({"ratio": "share"})
    greedy = found.filter(pl.col("bot") == "greedy")
    told = [f"{with_interval(the_row(greedy, variant=f'players {n}'))} with {n} players" for n in AXES["players"]]
    low, high = extremes(greedy)
    sentence = (
        f"Tiles of greedy games that the track decides: {listed(told)}. Fewest at {low['variant']}, {with_interval(low)}, most at "
        f"{high['variant']}, {with_interval(high)}."
    )
    chart = charts.dots(
        found, "variant", titles={"share": "share of tiles won by the track", "variant": ""}, order=BOTS
    )
    return Section("bid_ties", "How often the track decides", sentence, chart, found)


def mix_section(table: pl.DataFrame) -> Section:
    texts = {TILES.text(mix): name for name, mix in MIXES.items()}
    rows = one_row_a_game(table).with_columns(pl.col("setting").replace_strict(texts).alias("mix"))
    found = metrics.numbers(rows, ["rounds"], ["mix", "bot"]).drop("number")
    paths = metrics.ratio(rows, "path_tiles", "summonings", ["mix", "bot"]).select("mix", "bot", path_length="ratio")
    stuck = ending_shares(rows, ["stuck"], ["mix", "bot"]).select("mix", "bot", stuck="share")
    for part in (paths, stuck):
        found = found.join(part, on=["mix", "bot"], how="left", maintain_order="left")
    greedy = found.filter(pl.col("bot") == "greedy")
    low, high = extremes(greedy, "mean")
    usual = the_row(greedy, mix="reference")
    sentence = (
        f"With the reference set greedy games take {number(usual)} rounds and summon paths of {usual['path_length']:.2f} tiles. Shortest with "
        f"'{low['mix']}', {number(low)} rounds, paths of {low['path_length']:.2f}; longest with '{high['mix']}', {number(high)}, paths of "
        f"{high['path_length']:.2f}."
    )
    titles = {"value": "rounds"}
    chart = charts.spread(found, "mix", titles=titles, order=BOTS, sort=list(MIXES))
    return Section("mix", "Which path tiles the set should hold", sentence, chart, found)

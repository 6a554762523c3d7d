"""Sections that every game has on its rules: what sentences left open change, and what a step of each knob does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from tkg import charts, metrics
from tkg.comparing import readings
from tkg.comparing.sentences import Readings
from tkg.comparing.words import difference_words, margin_words
from tkg.report.facts import Fact, fact_of, no_difference, with_widened
from tkg.report.section import Plan, Section, listed, one_row_a_game
from tkg.rules.knobs import Variant

HEADS = {
    "settle": "Must be settled",
    "open": "Not clear from so many games",
    "does not matter": "Do not matter",
    "never met": "Never came up in these bots' games",
}


def reading_section(base: Variant, plan: Plan) -> tuple[Section, tuple[str, ...]]:
    """What every reading of an ambiguous sentence changes, and the names of those that must be settled."""
    found = readings(base, games=plan.games, **plan.how)
    names = {verdict: [name for name, own in found.verdicts.items() if own == verdict] for verdict in HEADS}
    others = {
        "does not matter": ("does", "do", "not matter"),
        "open": ("is", "are", "not clear"),
        "never met": ("never",) * 2 + ("came up",),
    }
    rest = [
        f"{len(names[verdict])} {one if len(names[verdict]) == 1 else several} {words}"
        for verdict, (one, several, words) in others.items()
        if names[verdict]
    ]
    sentence = (
        f"Of {len(found.verdicts)} sentences that can be read in several ways {len(names['settle']) or 'none'} must be settled"
        f"{f'; {listed(rest)}' if rest else ''}."
    )
    declared = {d.name: d for d in base.rules.DECLARED}
    more = [
        f"Each reading was played alone against the game as it is, on the same {found.games} deals, by {'; '.join(found.bots)}; all "
        f"{found.comparisons} intervals hold together with 95%. Held to matter: more than {margin_words(found.margin)}."
    ]
    for verdict, head in HEADS.items():
        told = [f"{name} ({declared[name].clause}: {declared[name].meaning})" for name in names[verdict]]
        if told:
            more.append(f"{head}: {'; '.join(told)}.")
    more += [words for words in found.notes if words not in base.notes]
    chart = charts.readings(found.ranked)
    section = Section(
        "readings",
        "Sentences that can be read in several ways",
        sentence,
        chart,
        found.ranked,
        more=tuple(more),
        facts=tuple(reading_facts(found)),
        beside=(("all_measures", found.table),),
    )
    return section, tuple(names["settle"])


def reading_facts(found: Readings) -> list[Fact]:
    """A fact of every option that came up."""
    facts = []
    for row in found.ranked.filter(pl.col("low").is_not_null()).iter_rows(named=True):
        unit = "points" if row["unit"] == "share" else row["measure"].partition("/")[0].replace("_", " ")
        words = (
            f"Played by {row['bots']}, reading {row['reading']} as '{row['option']}' instead of '{row['instead_of']}' changes "
            f"{measure_words(row['measure'])} by {difference_words(row)}."
        )
        what = f"{row['reading']} as {row['option']}"
        facts.append(fact_of(no_difference(unit), what, words, row, "difference", margin=row["margin"]))
    return facts


def measure_words(name: str) -> str:
    """A measure of `tkg.readings` as a sentence names it."""
    head, _, rest = name.partition("/")
    if head == "win":
        return f"the share that {f'seat {rest}' if rest.isdigit() else rest} wins" if rest else "the share of games won"
    if head == "ending":
        return f"the share of games that end by {rest}"
    if name == "win_shared":
        return "the share of games with several winners"
    return f"the {head} per decision at a {rest}" if rest else f"the number of {name.replace('_', ' ')}"


# --- Knobs --------------------------------------------------------------------------------------------------------


def neighbours(base: Variant, axes: Mapping[str, Sequence[Any]]) -> list[tuple[str, int]]:
    """(knob, value) of the values next to the variant's own, of every axis of numbers."""
    found = []
    for name, values in axes.items():
        own = base[name]
        if isinstance(own, int) and not isinstance(own, bool):
            below, above = [v for v in values if v < own], [v for v in values if v > own]
            found += [(name, value) for value in (*([max(below)] if below else []), *([min(above)] if above else []))]
    return found


def knob_section(
    table: pl.DataFrame, base: Variant, axes: Mapping[str, Sequence[Any]], column: str, what: str, relative: bool
) -> Section:
    """What a step of each knob does to a column of greedy players' games, on the same deals.

    `table` has columns `axis`, `setting`, `bot`; `relative` tells differences in percent of the mean of the game as it is.
    """
    steps = neighbours(base, axes)
    greedy = one_row_a_game(table.filter(pl.col("bot") == "greedy"))
    usual = greedy.filter(pl.col("axis") == "default")
    scale = float(usual[column].mean()) if relative else 1.0  # type: ignore[arg-type]
    rows = pl.concat(
        [
            usual.with_columns(pl.lit("default").alias("step")),
            *(
                greedy.filter((pl.col("axis") == name) & (pl.col("setting") == str(value))).with_columns(
                    pl.lit(f"{name} {base[name]} \u2192 {value}").alias("step")
                )
                for name, value in steps
            ),
        ]
    ).with_columns((pl.col(column).cast(pl.Float64) / scale).alias("changed"))
    found = metrics.paired_difference(rows, "changed", "step", "default").filter(pl.col("step") != "default")
    found = with_widened(found, "difference").sort("difference", descending=True)
    unit = "%" if relative else " points"
    clear = found.filter((pl.col("low") > 0) | (pl.col("high") < 0)).sort(pl.col("difference").abs(), descending=True)
    told = [f"{row['step']} ({step_words(row, unit)})" for row in clear.head(3).iter_rows(named=True)]
    sentence = (
        f"Of {len(found)} single steps from the published numbers, {what} moves most with {listed(told)}."
        if told
        else f"None of {len(found)} single steps from the published numbers moves {what} measurably."
    )
    of = f", in percent of the game as it is ({scale:.1f})" if relative else " (percentage points)"
    more = (
        f"All {len(found)} intervals hold together with 95%. Steps are those that this study tried, and not alike in size.",
    )
    ideal = no_difference("%" if relative else "points")
    facts = tuple(
        fact_of(ideal, row["step"], f"With {row['step']} {what} changes by {step_words(row, unit)}.", row, "difference")
        for row in found.iter_rows(named=True)
    )
    chart = charts.effects(found, "step", titles={"difference": f"{what}{of}", "step": ""})
    return Section("knobs", "What a step of each number does", sentence, chart, found, more=more, facts=facts)


def step_words(row: Mapping[str, Any], unit: str) -> str:
    """`+3.2 points (+1.0 to +5.4)`."""
    value, low, high = (f"{100 * row[name]:+.1f}" for name in ("difference", "low", "high"))
    return f"{value}{unit} ({low} to {high})".replace("-", "\u2212")

"""Two variants side by side in all measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import polars as pl

from tkg import metrics
from tkg.bulk import Run, make_run, simulate
from tkg.comparing.playing import (
    EXPERT,
    MARGIN,
    NOVICE,
    Table,
    check_margin,
    enough_games,
    other_tiles,
    said_of,
    said_of_bots,
    said_of_unfinished,
    tables_of,
    told_of,
    without_mirrors,
)
from tkg.comparing.words import amount, difference_words, margin_words, p_words, side_words
from tkg.metrics.pairs import ALPHA, Deals, Gap, by_deal, gap_of
from tkg.metrics.words import columns, listed
from tkg.rules.chance import check_seed
from tkg.rules.errors import Refused
from tkg.rules.knobs import Variant
from tkg.variant_files import variant_from

GAMES = 500
SHOWN = 8  # measures of a kind that the verdict names; the table has all
SIDES = ("a", "b")

SCHEMA: dict[str, Any] = {
    "bots": pl.String,
    "measure": pl.String,
    "unit": pl.String,
    **{f"{side}{end}": pl.Float64 for side in SIDES for end in ("", "_low", "_high")},
    **dict.fromkeys(("difference", "low", "high", "p", "margin"), pl.Float64),
    "verdict": pl.String,
}


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """What a comparison of variants `a` and `b` has found; variants, bots, games and seed settle all of it.

    `table` has a row for every table of bots and measure, named as `tkg simulate` names it: `bots`, `measure`, `unit`
    (`share` or `number`), `a`, `a_low`, `a_high`, `b`, `b_low`, `b_high` (values, each with its own 95% interval),
    `difference` (b minus a), `low`, `high` (intervals that hold all at once with 95%), `p` (corrected likewise),
    `margin` (up to which a difference does not matter, in the unit), and `verdict`:

    - `differs`: the interval leaves out 0, and reaches beyond the margin;
    - `slight`: it leaves out 0, and lies within the margin;
    - `alike`: it holds 0, and lies within the margin;
    - `open`: it holds 0, and reaches beyond the margin;
    - `same`: every game came out alike;
    - `only a`, `only b`: the other one has no such thing.

    `paired` says whether deals were common, `comparisons` how many intervals hold together.
    """

    a: Variant
    b: Variant
    bots: tuple[str, ...]
    games: int
    seed: int
    margin: float
    paired: bool
    comparisons: int
    table: pl.DataFrame
    notes: tuple[str, ...]

    @cached_property
    def verdict(self) -> str:
        """What differs clearly, what is alike, and what is open: no more than the table says."""
        return "\n".join(verdict_lines(self))

    @property
    def plain(self) -> dict[str, Any]:
        """For programs."""
        head = {"game": self.a.game, "a": str(self.a), "b": str(self.b), "bots": list(self.bots), "games": self.games}
        how = {"seed": self.seed, "margin": self.margin, "paired": self.paired, "comparisons": self.comparisons}
        words = {"verdict": self.verdict, "notes": list(self.notes)}
        return {**head, **how, "measures": self.table.to_dicts(), **words}

    def __str__(self) -> str:
        notes = [f"note: {words}" for words in self.notes]
        return "\n".join([*heading(self), "", *table_lines(self), "", self.verdict, *notes])

    __repr__ = __str__


def compare(
    a: Variant | str,
    b: Variant | str,
    *,
    bots: str | Sequence[str] | None = None,
    games: int = GAMES,
    seed: int = 0,
    margin: float = MARGIN,
    workers: int | None = None,
    progress: bool = False,
) -> Comparison:
    """Play two variants of one game, and hold them side by side in every measure that `tkg simulate` tells.

    `bots` is a table, such as `"greedy"` (in all seats) or `"greedy,random"`, or several of them, each of which plays both
    variants. By default a novice and an expert tell for whom something changes: `greedy` and `mcts:4`, each in all
    seats, and in a game of several seats one expert among novices. `games` are those of each table and variant.
    Where both have as many seats, both meet the same deals, and differences are paired; else they are not, and win
    shares are compared as edges over an even share. At a table of several bots of a game of several seats only who wins is told.

    Up to `margin`, a share, differences of shares do not matter, and of numbers up to that part of them, or 2 * `margin`
    standard deviations of games if that is more. Of p and intervals see `tkg.metrics.pairs`. A comparison in which all
    deals came out alike cannot come out as a difference, and is not counted (Tarone 1990, "A modified Bonferroni
    method for discrete data", Biometrics 46, 515-522).

    >>> import tkg
    >>> found = tkg.compare("rift(supply=6)", "rift(supply=12)", bots="greedy", games=100, seed=1)
    >>> found.table.filter(found.table["measure"] == "win")["verdict"].item()
    'differs'
    """
    first, second = variant_from(a, "a"), variant_from(b, "b")
    if first.game != second.game:
        raise Refused(f"{first} and {second} are different games; variants of one game are compared")
    number, narrow = enough_games(games), check_margin(margin)
    paired = first.seats == second.seats
    tables = chosen(first, second, bots)
    seatings = [
        (side, table, v, table.at(v)) for table in tables for side, v in zip(SIDES, (first, second), strict=True)
    ]
    played = {
        (side, table.label): play(variant, names, number, check_seed(seed), workers, progress)
        for side, table, variant, names in seatings
    }
    labels = [table.label for table in tables]
    rows = [row for label in labels for row in rows_of(label, played["a", label], played["b", label], paired)]
    rows += edge_rows(labels, played)
    counted = sum(row.gap is not None and not row.gap.same for row in rows)
    found = pl.DataFrame([row.told(max(1, counted), narrow) for row in rows], schema=SCHEMA)
    notes = tuple(notes_of(first, second, labels, played, paired))
    return Comparison(first, second, tuple(labels), number, check_seed(seed), narrow, paired, counted, found, notes)


# --- Who plays ----------------------------------------------------------------------------------------------------


def chosen(a: Variant, b: Variant, bots: str | Sequence[str] | None) -> list[Table]:
    """The tables that are wanted: by default a novice and an expert, and at tables of several one expert among novices."""
    if bots is not None:
        return tables_of(bots)
    alone = [Table(NOVICE), Table(EXPERT)]
    return [*alone, Table(EXPERT, NOVICE)] if a.seats > 1 and b.seats > 1 else alone


class Played(NamedTuple):
    """A table's games of one variant: rows, measures by name, and the same by deal."""

    run: Run
    rows: pl.DataFrame
    measures: Mapping[str, Mapping[str, Any]]
    deals: Mapping[str, Deals]


def play(variant: Variant, bots: str, games: int, seed: int, workers: int | None, progress: bool) -> Played:
    """Play a table, and measure it."""
    run = make_run(variant, bots, games, seed)
    rows = simulate(variant, bots, games, seed, workers=workers, progress=progress)
    measured = metrics.measures(rows, variant.rules, run.contest, variant.seats)
    names = told_of(measured, run)
    return Played(run, rows, measured, by_deal(rows, names, variant.rules, run.contest, variant.seats))


# --- Differences --------------------------------------------------------------------------------------------------


class Row(NamedTuple):
    """A measure of a table, as its row will tell it once it is known how many are compared."""

    bots: str
    measure: str
    is_share: bool
    sides: tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]
    gap: Gap | None

    def told(self, comparisons: int, margin: float) -> dict[str, Any]:
        found: dict[str, Any] = {"bots": self.bots, "measure": self.measure}
        found["unit"] = "share" if self.is_share else "number"
        for side, told in zip(SIDES, self.sides, strict=True):
            found |= {side + end: told[key] if told else None for key, end in ENDS.items()}
        if self.gap is None:
            return {**found, "verdict": f"only {SIDES[0] if self.sides[0] else SIDES[1]}"}
        low, high = self.gap.ends(comparisons)
        most = self.gap.margin(margin)
        found |= {
            "difference": self.gap.difference,
            "low": low,
            "high": high,
            "p": self.gap.p(comparisons),
            "margin": most,
        }
        return {**found, "verdict": "same" if self.gap.same else verdict_of(low, high, most)}


ENDS = {"mean": "", "low": "_low", "high": "_high"}


def verdict_of(low: float, high: float, margin: float) -> str:
    """What an interval says: see `Comparison`."""
    narrow = max(-low, high) <= margin
    if low > 0 or high < 0:
        return "slight" if narrow else "differs"
    return "alike" if narrow else "open"


def rows_of(label: str, a: Played, b: Played, paired: bool) -> list[Row]:
    """Every measure that either side has of a table."""
    rows = []
    for name in without_mirrors(dict.fromkeys([*a.deals, *b.deals]), a.run.variant.seats):
        sides = a.measures.get(name), b.measures.get(name)
        found = [side.deals[name] for side in (a, b) if name in side.deals]
        gap = None
        if len(found) == 2:
            gap = gap_of(found[0], found[1], paired)
            if not paired and name.startswith("win/"):
                even = even_share(b.run, name) - even_share(a.run, name)
                gap = gap._replace(difference=gap.difference - even, same=gap.same and even == 0)
        rows.append(Row(label, name, found[0].is_share, sides, gap))
    return rows


def even_share(run: Run, measure: str) -> float:
    """What `win/SEAT` or `win/BOT` would be if it made no difference where or who one is."""
    whose = measure.partition("/")[2]
    held = len(run.bots) if whose.isdigit() else run.bots.count(whose) * run.variant.seats
    return held / len(run.bots) / run.variant.seats


def edge_rows(labels: Sequence[str], played: Mapping[tuple[str, str], Played]) -> list[Row]:
    """In a game for one, how much more often the last of the bots wins than the first, on the same deals."""
    alone = [label for label in labels if len(played["a", label].run.bots) == 1]
    if played["a", labels[0]].run.variant.seats > 1 or len(alone) < 2:
        return []
    novice, expert = alone[0], alone[-1]
    sides, deals = [], []
    for side in SIDES:
        weak, strong = played[side, novice], played[side, expert]
        who = [p.rows.select("game_seed", "seat", "win", bot=pl.lit("")) for p in (weak, strong)]
        both = pl.concat([rows.with_columns(who=pl.lit(bot)) for rows, bot in zip(who, (novice, expert), strict=True)])
        sides.append(
            metrics.paired_difference(both, "win", "who", novice).rename({"difference": "mean"}).row(0, named=True)
        )
        won = strong.deals["win"]
        deals.append(Deals(won.top - weak.deals["win"].top, won.bottom, True))
    return [Row(f"{expert} over {novice}", "win", True, (sides[0], sides[1]), gap_of(deals[0], deals[1], True))]


# --- Words --------------------------------------------------------------------------------------------------------


def notes_of(
    a: Variant, b: Variant, labels: Sequence[str], played: Mapping[tuple[str, str], Played], paired: bool
) -> list[str]:
    """What must be known to read a comparison."""
    found = said_of((a, b), ("A", "B"))
    tiles = other_tiles(a, b)
    if a == b:
        found.append("A and B are the same variant")
    if not paired:
        found.append(
            f"A has {a.seats} seats and B {b.seats}, so no deals are common: differences are unpaired, and win shares are "
            "compared as edges over an even share"
        )
    elif tiles:
        found.append(
            f"{listed(tiles)} differ{'s' if len(tiles) == 1 else ''}, so a common deal is the same shuffle of other tiles, and pairing may "
            "take little luck away"
        )
    for (side, label), found_there in played.items():
        found += said_of_unfinished(found_there.rows, found_there.run.games, f"{side.upper()}, {label}")
    return found + said_of_bots(bot for label in labels for bot in played["a", label].run.bots)


def heading(found: Comparison) -> list[str]:
    how = "on common deals" if found.paired else "on deals that are not common"
    return [
        f"A: {found.a}",
        f"B: {found.b}",
        f"{found.games} games each at {'; '.join(found.bots)}; seed {found.seed}; B minus A {how}; of {found.comparisons} comparisons all "
        f"intervals hold together with about {1 - ALPHA:.0%}, and p is corrected likewise; intervals of A and of B are at 95% each",
    ]


def table_lines(found: Comparison) -> list[str]:
    rows = [["bots", "measure", "A", "B", "B \u2212 A", "p", "verdict"]]
    for row in found.table.iter_rows(named=True):
        p = "-" if row["p"] is None else p_words(row["p"])
        sides = [side_words(row, side) for side in SIDES]
        rows.append([row["bots"], row["measure"], *sides, difference_words(row), p, row["verdict"]])
    return columns(rows)


def verdict_lines(found: Comparison) -> list[str]:
    """Who wins, for whom; then all else by what can be said of it."""
    told = found.table.with_columns(size=(pl.col("difference") / pl.col("margin")).abs())
    wins = pl.col("measure").str.split("/").list.first() == "win"
    lines = [f"winning, {row['bots']}: {win_words(row)}" for row in told.filter(wins).iter_rows(named=True)]
    within = margin_words(found.margin)
    rest = told.filter(~wins).sort("size", descending=True, nulls_last=True, maintain_order=True)
    for verdict, words in (
        ("differs", "differ clearly"),
        ("slight", f"differ clearly, but by no more than {within}"),
        ("alike", f"alike to within {within}"),
        ("open", "open, neither shown to differ nor to be alike"),
        ("same", "the same in every game"),
        ("only a", "only in A"),
        ("only b", "only in B"),
    ):
        rows = rest.filter(pl.col("verdict") == verdict)
        if rows.height or verdict == "differs":
            lines.append(f"{words}: {named(rows, with_difference=verdict in ('differs', 'slight'))}")
    return lines


def win_words(row: Mapping[str, Any]) -> str:
    """`win: 39.2% in A, 91.7% in B, +52.5 points (43.1 to 61.9): clearly more in B`."""
    a, b = ("none" if row[side] is None else amount(row[side], True) for side in SIDES)
    more = "more" if (row["difference"] or 0) > 0 else "less"
    verdict = {
        "differs": f"clearly {more} in B",
        "slight": f"{more} in B, within the margin",
        "alike": "alike to within the margin",
        "open": "open",
        "same": "the same in every game",
    }.get(row["verdict"], row["verdict"])
    return f"{row['measure']} {a} in A, {b} in B, {difference_words(row)}: {verdict}"


def named(rows: pl.DataFrame, with_difference: bool) -> str:
    """Measures by table, the largest differences first; `nothing` if there are none."""
    parts = []
    for (label,), own in rows.partition_by("bots", as_dict=True, maintain_order=True).items():
        words = [
            f"{row['measure']} {difference_words(row)}" if with_difference else row["measure"]
            for row in own.head(SHOWN).iter_rows(named=True)
        ]
        more = [f"{own.height - SHOWN} more"] if own.height > SHOWN else []
        parts.append(f"{label}: {listed([*words, *more])}")
    return "; ".join(parts) or "nothing"

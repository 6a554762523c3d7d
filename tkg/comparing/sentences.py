"""Every sentence of a variant's rules that can be read in several ways: how much does the choice matter?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import polars as pl

from tkg import metrics
from tkg.bots.table import OWN_BOTS
from tkg.bulk import Run, make_run
from tkg.comparing.playing import (
    MARGIN,
    NOVICE,
    Table,
    check_margin,
    enough_games,
    said_of,
    said_of_bots,
    said_of_unfinished,
    tables_of,
    told_of,
    without_mirrors,
)
from tkg.comparing.words import difference_words, margin_words, rounded_up
from tkg.metrics.pairs import ALPHA, Deals, Gap, by_deal, gap_of
from tkg.metrics.words import columns
from tkg.rules.chance import check_seed
from tkg.rules.errors import Refused, did_you_mean
from tkg.rules.knobs import Reading, Variant
from tkg.studies import play_cells, shown_value
from tkg.studies.cells import cells_of
from tkg.variant_files import variant_from

GAMES = 1000
BYSTANDER = "random"  # whom the usual bot meets in a game of several seats, to see whether playing well still pays
CHIEF = ("win", "win_shared", "ending", "decisions")  # who wins, how it ends, how long it takes
CELL = "cell"
IDENTITY = (
    CELL,
    "run",
    "variant",
    "version",
)  # columns in which games of two variants differ even if nothing happened otherwise
VERDICTS = ("settle", "open", "does not matter", "never met")
MOST = 1_000_000  # games of which it is still said that so many would settle something

SCHEMA: dict[str, Any] = {
    **dict.fromkeys(("reading", "option", "instead_of", "setting", "bots", "measure", "unit"), pl.String),
    **dict.fromkeys(("base", "value", "difference", "low", "high", "p", "margin", "effect"), pl.Float64),
    "verdict": pl.String,
    "needed": pl.Float64,
}


@dataclass(frozen=True, eq=False, repr=False)
class Readings:
    """What readings change in a variant; variant, bots, games, seed and margin settle all of it.

    `table` has a row for every option other than the variant's own, table of bots and measure, the largest effects
    first: `reading`, `option`, `instead_of`, `setting` (`READING: OPTION`), `bots`, `measure`, `unit` (`share` or
    `number`), `base` (its value in the variant as it is), `value`, `difference`, `low`, `high` (intervals that hold all
    at once with 95%), `p` (corrected likewise), `margin` (up to which a difference does not matter, in the unit),
    `effect` (differences in margins), and `verdict`:

    - `settle`: the whole interval lies beyond the margin, to one side;
    - `does not matter`: it lies within the margin;
    - `open`: neither; `needed` games would settle it if the difference is as it looks now (null: over a million);
    - `never met`: no game of these bots came out otherwise in any field, so the option never came up, or changed nothing.

    `ranked` has one row for each option, of the measure that it moves most among those with the gravest verdict: one
    that must be settled settles the option, one that is open leaves it open. `refused` says what the rules do not allow
    here.
    """

    variant: Variant
    bots: tuple[str, ...]
    games: int
    seed: int
    margin: float
    measures: tuple[str, ...]
    comparisons: int
    table: pl.DataFrame
    ranked: pl.DataFrame
    refused: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def verdicts(self) -> dict[str, str]:
        """For every reading the gravest of the verdicts on its options, the gravest first."""
        found = {
            name: min(own["verdict"], key=VERDICTS.index)
            for (name,), own in self.ranked.partition_by("reading", as_dict=True, maintain_order=True).items()
        }
        return dict(sorted(found.items(), key=lambda item: VERDICTS.index(item[1])))

    @property
    def plain(self) -> dict[str, Any]:
        """For programs."""
        head = {"game": self.variant.game, "variant": str(self.variant), "bots": list(self.bots), "games": self.games}
        how = {"seed": self.seed, "margin": self.margin, "comparisons": self.comparisons}
        words = {"verdicts": self.verdicts, "refused": list(self.refused), "notes": list(self.notes)}
        return {**head, **how, "options": self.ranked.to_dicts(), "measures": self.table.to_dicts(), **words}

    def __str__(self) -> str:
        notes = [f"note: {words}" for words in self.notes]
        return "\n".join([*heading(self), "", *ranked_lines(self), "", *list_lines(self), *notes])

    __repr__ = __str__


def readings(
    game: Variant | str,
    *,
    bots: str | Sequence[str] | None = None,
    games: int = GAMES,
    seed: int = 0,
    measures: str | Sequence[str] = CHIEF,
    margin: float = MARGIN,
    workers: int | None = None,
    progress: bool = False,
) -> Readings:
    """Play a variant with every ambiguous sentence read in every other way, and say which readings must be settled.

    `game` is a variant, its text or its game's name. Each option of each reading is played alone, all else as it is, on
    the deals of the variant as it is, so differences are paired. `bots` is a table or several, as for `tkg.compare`; by
    default `greedy` in all seats, in a game of several seats also one among `random` ones, and bots of the game's own
    such as `hoarder`, for what none of the others does. `measures` are names that `tkg simulate` tells, or what stands
    before their stroke: `win`, `ending`, `options/place`; one that a variant has nothing to tell of is left out there.
    For `margin`, intervals and p see `tkg.compare`.

    >>> import tkg
    >>> found = tkg.readings("rift", games=100, seed=1, measures="win")
    >>> found.verdicts["standing"]
    'never met'
    """
    variant = variant_from(game, "game")
    number, narrow = enough_games(games), check_margin(margin)
    wanted = names_of(measures)
    tables = usual_tables(variant) if bots is None else tables_of(bots)
    names = {table.label: table.at(variant) for table in tables}
    readings_here = [d for d in variant.rules.DECLARED if isinstance(d, Reading)]
    axes = {r.name: [o for o in r.options if o != variant[r.name]] for r in readings_here}
    cells, refused = cells_of(variant.but, axes, "one-at-a-time", skip_refused=True)
    labelled = [({CELL: i}, v) for i, (_, v) in enumerate(cells)]
    parts = {
        label: play_cells(labelled, [bots], number, check_seed(seed), workers, progress).partition_by(
            CELL, as_dict=True, include_key=True
        )  # by table, for a contest has columns that others have not
        for label, bots in names.items()
    }
    played = [
        {label: Played(run, parts[label][(i,)]) for label, run in runs_of(v, names, number, seed).items()}
        for i, (_, v) in enumerate(cells)
    ]
    told = chosen(played[0], wanted)
    options = [Option.of(variant, labels) for labels, _ in cells[1:]]
    rows = [
        row
        for option, there in zip(options, played[1:], strict=True)
        for row in rows_of(option, played[0], there, told)
    ]
    counted = sum(row.met for row in rows)
    table = pl.DataFrame([row.told(max(1, counted), narrow) for row in rows], schema=SCHEMA)
    table = table.sort(pl.col("effect").abs(), descending=True, maintain_order=True)
    notes = notes_of([v for _, v in cells], options, played)
    how = (variant, tuple(names), number, check_seed(seed), narrow, tuple(wanted), counted)
    return Readings(*how, table, ranking(table), tuple(refused), tuple(notes))


# --- Playing ------------------------------------------------------------------------------------------------------


def usual_tables(variant: Variant) -> list[Table]:
    """Cheap ones: a good player, whether playing well still pays, and bots that play the game in ways of their own."""
    own = [Table(bot) for bot in OWN_BOTS[variant.game]]
    return [Table(NOVICE), *([Table(NOVICE, BYSTANDER)] if variant.seats > 1 else []), *own]


def runs_of(variant: Variant, names: Mapping[str, str], games: int, seed: int) -> dict[str, Run]:
    """The runs of a variant, one for each table."""
    return {label: make_run(variant, bots, games, seed) for label, bots in names.items()}


class Played(NamedTuple):
    """The games of one table in one variant."""

    run: Run
    rows: pl.DataFrame

    @property
    def happened(self) -> pl.DataFrame:
        """Its rows without what names the variant."""
        return self.rows.drop(IDENTITY)

    def deals(self, names: Sequence[str]) -> dict[str, Deals]:
        return by_deal(self.rows, names, self.run.variant.rules, self.run.contest, self.run.variant.seats)


def measured(played: Played) -> list[str]:
    """Every measure that a table tells."""
    run = played.run
    names = metrics.measures(played.rows, run.variant.rules, run.contest, run.variant.seats)
    return without_mirrors(told_of(names, run), run.variant.seats)


def is_wanted(name: str, wanted: Iterable[str]) -> bool:
    return any(word in (name, name.partition("/")[0]) for word in wanted)


def chosen(played: Mapping[str, Played], wanted: Sequence[str]) -> dict[str, list[str]]:
    """By table the measures that are wanted of it; what no table tells is refused."""
    all_names = {label: measured(table) for label, table in played.items()}
    known = dict.fromkeys(word for names in all_names.values() for n in names for word in (n.partition("/")[0], n))
    for word in wanted:
        if word not in known and word not in CHIEF:
            raise Refused(f"measures: {word!r} is none here; there are {', '.join(known)}{did_you_mean(word, known)}")
    found = {label: [name for name in names if is_wanted(name, wanted)] for label, names in all_names.items()}
    if not any(found.values()):
        raise Refused(f"measures: at least one is needed; there are {', '.join(known)}")
    return found


# --- Differences --------------------------------------------------------------------------------------------------


class Option(NamedTuple):
    """One option of a reading, and the variant's own that it takes the place of."""

    reading: str
    option: str
    instead_of: str

    @property
    def setting(self) -> str:
        return f"{self.reading}: {self.option}"

    @classmethod
    def of(cls, variant: Variant, labels: Mapping[str, Any]) -> Option:
        reading = labels["axis"]
        return cls(reading, str(labels[reading]), str(shown_value(variant, reading)))


class Row(NamedTuple):
    """A measure of a table with one option, as its row will tell it once it is known how many are compared."""

    option: Option
    bots: str
    measure: str
    base: float
    value: float
    gap: Gap
    met: bool

    def told(self, comparisons: int, margin: float) -> dict[str, Any]:
        found: dict[str, Any] = {**self.option._asdict(), "setting": self.option.setting, "bots": self.bots}
        found |= {"measure": self.measure, "unit": "share" if self.gap.is_share else "number"}
        found |= {"base": self.base, "value": self.value, "difference": self.gap.difference}
        most = self.gap.margin(margin)
        found |= {"margin": most, "effect": self.gap.difference / most if self.gap.difference else 0.0}
        if not self.met:
            return {**found, "p": 1.0, "verdict": "never met"}
        half = self.gap.half(comparisons)
        low, high = self.gap.ends(comparisons)
        verdict = verdict_of(low, high, most)
        needed = games_needed(self.gap.difference, half, most, self.gap.games) if verdict == "open" else None
        return {**found, "low": low, "high": high, "p": self.gap.p(comparisons), "verdict": verdict, "needed": needed}


def verdict_of(low: float, high: float, margin: float) -> str:
    """What an interval says: see `Readings`."""
    if low > margin or high < -margin:
        return "settle"
    return "does not matter" if max(-low, high) <= margin else "open"


def names_of(measures: object) -> list[str]:
    """Names of measures, one or several."""
    given = [measures] if isinstance(measures, str) else list(measures) if isinstance(measures, Iterable) else []
    if not given or not all(isinstance(name, str) for name in given):
        raise Refused(f"measures={measures!r}: a name such as 'win' is needed, or a list of such")
    return given


def games_needed(difference: float, half: float, margin: float, games: int) -> float | None:
    """How many games would bring the end of the interval to the margin, if the difference stays as it is; None if over MOST.

    Intervals shrink as the root of the number of games.
    """
    way = abs(abs(difference) - margin)
    needed = games * (half / way) ** 2 if way > 0 else math.inf
    return needed if needed <= MOST else None


def rows_of(
    option: Option, base: Mapping[str, Played], there: Mapping[str, Played], names: Mapping[str, list[str]]
) -> list[Row]:
    """What an option changes, measure by measure."""
    met = any(not base[label].happened.equals(there[label].happened) for label in base)
    rows = []
    for label, wanted in names.items():
        before, after = base[label].deals(wanted), there[label].deals(wanted)
        for name in wanted:
            if name in before and name in after:
                a, b = before[name], after[name]
                rows.append(Row(option, label, name, a.value, b.value, gap_of(a, b, True), met))
    return rows


def ranking(table: pl.DataFrame) -> pl.DataFrame:
    """A row for every option: of the measures with the gravest verdict the one that it moves most."""
    found = []
    for own in table.partition_by("setting", maintain_order=True):
        gravest = min(own["verdict"], key=VERDICTS.index)
        row = own.filter(pl.col("verdict") == gravest).row(0, named=True)
        found.append({**row, "needed": needed_for_all(own) if gravest == "open" else None})
    ranked = pl.DataFrame(found, schema=table.schema)
    last = pl.col("verdict") == "never met"
    return ranked.sort(last, pl.col("effect").abs(), descending=[False, True], maintain_order=True)


def needed_for_all(own: pl.DataFrame) -> float | None:
    """Games that settle an open option: until one measure lies beyond its margin, or if none seems to, all within."""
    still = own.filter(pl.col("verdict") == "open")
    beyond = still.filter(pl.col("effect").abs() > 1)["needed"]
    if len(beyond):
        return min(beyond.drop_nulls(), default=None)
    return None if still["needed"].null_count() else max(still["needed"])


# --- Words --------------------------------------------------------------------------------------------------------

OWN_WEIGHTS = "bots play by the same weights, however the rules are read: part of an effect may be theirs"


def notes_of(
    variants: Sequence[Variant], options: Sequence[Option], played: Sequence[Mapping[str, Played]]
) -> list[str]:
    """What must be known to read the tables."""
    names = ["as it is", *(option.setting for option in options)]
    found = said_of(variants, names)
    for name, tables in zip(names, played, strict=True):
        for label, table in tables.items():
            found += said_of_unfinished(table.rows, table.run.games, f"{name}, {label}")
    return [*found, *said_of_bots(bot for table in played[0].values() for bot in table.run.bots), OWN_WEIGHTS]


def heading(found: Readings) -> list[str]:
    return [
        f"{found.variant} with every sentence of its rules read otherwise, one at a time",
        f"{found.games} games each at {'; '.join(found.bots)}; seed {found.seed}; differences on common deals; all {found.comparisons} "
        f"intervals hold together with about {1 - ALPHA:.0%}",
    ]


def ranked_lines(found: Readings) -> list[str]:
    rows = [["reading", "instead of", "verdict", "moves most", "by"]]
    for row in found.ranked.iter_rows(named=True):
        moved = [f"{row['measure']} of {row['bots']}", difference_words(row)] if row["low"] is not None else ["-", "-"]
        rows.append([row["setting"], row["instead_of"], row["verdict"], *moved])
    return columns(rows)


def list_lines(found: Readings) -> list[str]:
    """Which readings must be settled, which do not matter, and what is not known."""
    declared = {d.name: d for d in found.variant.rules.DECLARED}
    within = margin_words(found.margin)
    lines = []
    for verdict, words in (
        ("settle", f"settle, for the choice changes more than {within}"),
        ("open", "open"),
        ("does not matter", f"does not matter, for nothing changes by more than {within}"),
        ("never met", f"never met by these bots: all {found.games} games at every table came out alike in every field"),
    ):
        names = [name for name, worst in found.verdicts.items() if worst == verdict]
        lines.append(f"{words}:{'' if names else ' none'}")
        for name in names:
            lines.append(f"  {name} ({declared[name].clause}): {declared[name].meaning}")
            own = found.ranked.filter(pl.col("reading") == name)
            lines += [f"    {option_words(row)}" for row in own.iter_rows(named=True)]
    return lines + [f"not allowed here: {words}" for words in found.refused]


def option_words(row: Mapping[str, Any]) -> str:
    """An option with what it changes most, and what is open about it."""
    words = f"{row['option']} instead of {row['instead_of']}: {row['verdict']}"
    if row["low"] is None:
        return words
    words += f"; {row['measure']} of {row['bots']} {difference_words(row)}"
    if row["verdict"] != "open":
        return words
    if row["needed"] is None:
        return f"{words}; more than {MOST:,} games would be needed"
    return f"{words}; about {rounded_up(row['needed'])} games would settle it, if the difference is as it looks now"

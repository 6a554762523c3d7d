"""How long games last at a table, from what there is to decide in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real

import polars as pl

from tkg.metrics.process import numbers
from tkg.metrics.shares import Table
from tkg.metrics.sums import columns_of, need
from tkg.rules.errors import Refused, did_you_mean

# Seconds for a decision with several options, where no playtest tells: a guess, to be replaced by one's own table.
SECONDS = {
    "keep": 10.0,
    "gain": 10.0,
    "build": 30.0,
    "move": 8.0,
    "draft": 15.0,
    "place": 15.0,
    "lift": 10.0,
    "take": 10.0,
    "bid": 30.0,
    "scatter": 15.0,
    "void": 15.0,
}
OTHERS = 15.0  # of a kind that is none of these
FORCED = 3.0  # seconds for a decision with one option: only the hands are busy
TOGETHER = ("bid",)  # kinds of decisions that all seats take at the same time
COUNTED = "choices_"


def minutes(
    frame: Table,
    by: str | Sequence[str] | None = None,
    *,
    seconds: float | Mapping[str, float] | Table | None = None,
    forced: float = FORCED,
    together: Sequence[str] = TOGETHER,
) -> pl.DataFrame:
    """How many minutes games last: decisions with several options times seconds for each, and `forced` for those with one.

    `frame` is a table of whole games. `seconds` is a number for all kinds of decisions, a number by kind, or what `thinking_time` gives
    for `by="kind"`, of which medians (`q50`) are taken; without it, and for kinds that it does not tell, the guesses of
    `tkg.metrics.thinking.SECONDS` stand. Kinds in `together` are decided by all seats at the same time and count once for
    all of them; the longest of several takes longer than one, so such games last rather longer than is told.

    Columns `by`, `games`, `mean`, `se`, `low`, `high` (Student's over games), `q5`, `q25`, `q50`, `q75`, `q95` (of games). The interval tells
    how much games differ in their decisions; how well the seconds are known is not in it. Set-up and rules questions are not either.
    """
    keys = columns_of(by)
    lazy = need(frame, [*keys, "run", "game", "seat"])
    names = lazy.collect_schema().names()
    kinds = [name.removeprefix(COUNTED) for name in names if name.startswith(COUNTED)]
    if not kinds:
        raise Refused("the table tells of no decisions; what tkg.simulate gives has columns such as choices_KIND")
    lazy = need(frame, [f"decisions_{kind}" for kind in kinds])
    each = guesses(kinds) | read_seconds(seconds, kinds)
    if not valid(forced):
        raise Refused(f"forced={forced!r}: seconds, a number from 0")
    seats = pl.lit(1) if "contest" in names else pl.col("seat").n_unique().over("run", "game")
    spent = []
    for kind in kinds:
        several, all_of_them = pl.col(f"{COUNTED}{kind}"), pl.col(f"decisions_{kind}")
        time = several * each[kind] + (all_of_them - several) * float(forced)
        spent.append(time / seats if kind in together else time)
    table = numbers(lazy.with_columns((pl.sum_horizontal(spent) / 60).alias("minutes")), ["minutes"], keys)
    return table.drop("number").with_columns(pl.col("low").clip(lower_bound=0))


def guesses(kinds: Sequence[str]) -> dict[str, float]:
    """Seconds for a decision with several options by kind, stated and not measured."""
    return {kind: SECONDS.get(kind, OTHERS) for kind in kinds}


def read_seconds(given: float | Mapping[str, float] | Table | None, kinds: Sequence[str]) -> dict[str, float]:
    """Seconds for those of `kinds` that are told: all by a number, else those of a mapping or of a table (`kind`, `q50`).

    Kinds of other games may be told too, but a kind that no game has is refused, and so is a time that none can take.
    """
    if given is None:
        return {}
    if isinstance(given, pl.DataFrame | pl.LazyFrame):
        table = need(given, ["kind", "q50"]).select(pl.col("kind").cast(pl.String), pl.col("q50").cast(pl.Float64))
        found = dict(table.drop_nulls().collect().iter_rows())
    elif isinstance(given, Mapping):
        found = dict(given)
        known = [*kinds, *(kind for kind in SECONDS if kind not in kinds)]
        for kind in found:
            if kind not in known:
                raise Refused(
                    f"seconds: no kind of decision {kind!r}; there are {', '.join(known)}{did_you_mean(str(kind), known)}"
                )
    else:
        found = dict.fromkeys(kinds, given)
    for kind, value in found.items():
        if not valid(value):
            raise Refused(
                f"seconds={given!r}: of {kind} {value!r}; a number from 0 is needed, one by kind of decision, or a table "
                "of thinking times"
            )
    return {kind: float(found[kind]) for kind in kinds if kind in found}


def valid(seconds: object) -> bool:
    """Whether this is a time that a decision may take."""
    return isinstance(seconds, Real) and not isinstance(seconds, bool) and 0 <= float(seconds) < float("inf")

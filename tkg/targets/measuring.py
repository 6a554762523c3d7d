"""How far games are from a target: what each term measures in them, with its interval, and what is missed by how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tkg.rules.errors import Refused
from tkg.rules.knobs import Variant
from tkg.targets.terms import RATIOS, UNFINISHED, Term

if TYPE_CHECKING:
    import polars as pl

WITHIN = 0.1  # what a miss counts that noise may explain, of what it counts beyond noise
LEVEL = 0.95


class Unfit(Refused):
    """A variant in which a term cannot be measured, or which the rules refuse."""


@dataclass(frozen=True)
class Measured:
    """What a term measures in `games` games: `value`, with a 95% interval from `low` to `high`."""

    value: float
    low: float
    high: float
    games: int


@dataclass(frozen=True)
class Seconds:
    """How long a decision takes, by kind; `words` say where that is known from."""

    by_kind: Mapping[str, float]
    words: str


def read_seconds(told: Any, rules: Any) -> Seconds:
    """Seconds a decision: one number, numbers by kind, or the table of decisions of `tkg.playtests`, whose medians count.

    Kinds that are not told take the guesses of `tkg.metrics.minutes`, and so do all where nothing is (None).
    """
    from tkg.metrics import thinking

    known = thinking.guesses(rules.KINDS)
    if hasattr(told, "lazy"):
        return from_playtests(told, rules, known)
    given = thinking.read_seconds(told, rules.KINDS)
    seconds = {**known, **given}
    if isinstance(told, Mapping):
        return Seconds(seconds, f"{listed(given)} a decision, as given{for_others(seconds, given)}")
    return Seconds(seconds, f"{told:g} s a decision, as given" if given else stated(known))


def from_playtests(decisions: Any, rules: Any, known: dict[str, float]) -> Seconds:
    """The medians by kind that people took in playtests of a game."""
    import polars as pl

    from tkg.metrics import thinking_time

    own = decisions.lazy()
    if "game" in own.collect_schema().names():
        own = own.filter(pl.col("game") == rules.NAME)
    medians = {row["kind"]: row["q50"] for row in thinking_time(own).iter_rows(named=True) if row["kind"] in known}
    told = f"{listed(medians)} a decision, medians of playtests" if medians else "no playtest tells how long one takes"
    return Seconds({**known, **medians}, f"{told}{for_others(known, medians)}")


def stated(seconds: Mapping[str, float]) -> str:
    return f"{listed(seconds)} a decision, stated and not measured"


def for_others(known: Mapping[str, float], told: Mapping[str, float]) -> str:
    """What kinds take that were not told, in words; empty if all were."""
    others = {kind: value for kind, value in known.items() if kind not in told}
    return f"; {stated(others)}" if others else ""


def listed(seconds: Mapping[str, float]) -> str:
    return ", ".join(f"{kind} {value:.3g} s" for kind, value in seconds.items())


# --- Measuring ----------------------------------------------------------------------------------------------------


def measure(term: Term, rows: pl.LazyFrame, variant: Variant, seconds: Seconds) -> Measured:
    """What a term measures in the games of one run of a variant, in which the term's bots play."""
    import polars as pl

    from tkg.metrics import choice_share, minutes, numbers, options_per_decision, share, win_share

    rules = variant.rules
    head, slash, tail = term.name.partition("/")
    whole = rows.filter(pl.col("seat") == 1)  # what all seats of a game have in common
    if term.name == "win":
        won = win_share(rows.with_columns(pl.col("bot").cast(pl.String)), "bot")
        return measured(won.filter(pl.col("bot") == term.bots[0]), "share")
    if term.name == "edge":
        return edge(win_share(rows, "seat"))
    if term.name == "minutes":
        return measured(minutes(rows, seconds=seconds.by_kind), "mean")
    if head in RATIOS and slash:
        table = (options_per_decision if head == "options" else choice_share)(whole)
        told = table.filter(pl.col("kind") == tail)
        if told.is_empty():
            raise Unfit(f"{term.text}: no decision of this kind was met in {variant}")
        return measured(told, "options" if head == "options" else "share")
    if head in (*rules.WORDS, UNFINISHED) and head not in rules.BY_SEAT:
        column, word = ("ending", UNFINISHED) if head == UNFINISHED else (head, tail)
        is_so = (pl.col(column).cast(pl.String) == word).alias("is_so")
        return measured(share(whole.with_columns(is_so), "is_so"), "share")
    own = rows.filter(pl.col("seat") == int(tail)) if slash else rows
    if term.share:
        return measured(share(own, head), "share")
    return measured(numbers(own, [head], quantiles=()), "mean")


def measured(table: pl.DataFrame, column: str) -> Measured:
    """The one row of a small table of metrics; where one game tells of no spread, the interval is without ends."""
    row = table.row(0, named=True)
    low, high = (row["low"], row["high"]) if row["low"] is not None else (float("-inf"), float("inf"))
    return Measured(float(row[column]), float(low), float(high), int(row["games"]))


def edge(shares: pl.DataFrame) -> Measured:
    """By how much the best seat's share of the victories is above an equal one, from the shares by seat.

    The upper end is the highest that a seat's interval has. The best of several seats looks better than it is, so the
    lower end comes from intervals that all hold together (Bonferroni: each seat's lower end is moved out in the ratio of
    the normal quantiles).
    """
    from scipy.special import ndtri

    equal = 1 / shares.height
    tail = (1 - LEVEL) / 2
    wider = float(ndtri(1 - tail / shares.height) / ndtri(1 - tail))
    best = float(shares["share"].max()) - equal  # type: ignore[arg-type]
    games = int(shares["games"][0])
    if shares["low"].null_count():
        return Measured(best, 0.0, 1 - equal, games)
    lows = shares["share"] - wider * (shares["share"] - shares["low"])
    low, high = float(lows.max()) - equal, float(shares["high"].max()) - equal  # type: ignore[arg-type]
    return Measured(max(best, 0.0), max(low, 0.0), max(high, 0.0), games)


# --- How far that is from the target ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Loss:
    """How far a variant is from a target, in scales of its terms (see `Term.scale`): 1 is all of a share, or of a number.

    `beyond` is the sum of what the 95% intervals miss, `raw` of what the values themselves do; terms that were not
    played count nothing, so that both are lower bounds then. `total` is what the search makes small: `beyond`, a tenth
    (WITHIN) of what lies within noise, so that it is not blind where noise hides the rest, and a little for every setting
    that was changed.
    """

    beyond: float
    raw: float
    total: float


def loss_of(terms: Sequence[Term], found: Sequence[Measured | None], price: float = 0.0) -> Loss:
    """The loss of a variant from what was measured; `price` is what its changes cost."""
    both = [(t, m) for t, m in zip(terms, found, strict=True) if m is not None]
    beyond = sum(t.near(m.low, m.high) / t.scale for t, m in both)
    raw = sum(t.miss(m.value) / t.scale for t, m in both)
    return Loss(beyond, raw, beyond + WITHIN * (raw - beyond) + price)

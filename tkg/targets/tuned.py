"""What came of a search, in tables and in words that say no more than the numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tkg.rules.knobs import Variant
from tkg.targets.measuring import Measured
from tkg.targets.race import Outcome
from tkg.targets.space import Whole
from tkg.targets.terms import Term
from tkg.variant_files import VARIANTS, load_variant

if TYPE_CHECKING:
    import polars as pl

    from tkg.targets.search import Question

INSIDE, TOUCHES, MISSED = "inside", "within noise", "missed"
SHOWN = 6  # rows of a table that are printed


@dataclass(frozen=True)
class Tuned:
    """What a search found.

    `variant` is the best one, `check` a table of what it does on fresh deals, `reached` whether no term is missed there beyond
    noise, `verdict` the same in words. `trials` are all variants that were tried, `run_off` the best of them on other fresh
    deals, `front` the best compromises, `files` what was saved.
    """

    question: Question
    outcomes: tuple[Outcome, ...]
    contest: tuple[Outcome, ...]
    final: Outcome
    refused: tuple[str, ...]
    checked: int
    path: Path
    files: tuple[Path, ...] = ()

    def saved_as(self, files: Sequence[Path]) -> Tuned:
        return replace(self, files=tuple(files))

    @property
    def terms(self) -> tuple[Term, ...]:
        return self.question.terms

    @cached_property
    def variant(self) -> Variant:
        """The variant that was found, its deck under the name that it was saved by."""
        return load_variant(self.path)

    @cached_property
    def check(self) -> pl.DataFrame:
        """A row a term: `term` (what is measured), `wanted`, `games`, `value`, `low`, `high` (95%), `status`, `miss`, `beyond`.

        `status` is `inside` where the whole interval lies where it should, `missed` where none of it does, else `within
        noise`; `miss` is how far the value lies from there, `beyond` how far the interval does.
        """
        import polars as pl

        rows = []
        for term, m in self.checks:
            told = {"term": term.measured, "wanted": term.wanted, "games": m.games, "value": m.value}
            told |= {"low": m.low, "high": m.high, "status": status(term, m)}
            rows.append({**told, "miss": term.miss(m.value), "beyond": term.near(m.low, m.high)})
        return pl.DataFrame(rows)

    @property
    def checks(self) -> list[tuple[Term, Measured]]:
        """What the final variant does on fresh deals, by term: it was played to the end."""
        return [(t, m) for t, m in zip(self.terms, self.final.found, strict=True) if m is not None]

    @property
    def reached(self) -> bool:
        """Whether no term is missed beyond noise on fresh deals."""
        return self.final.loss.beyond == 0

    @cached_property
    def trials(self) -> pl.DataFrame:
        """A row a variant that was tried, in this order: `variant`, each term's value (null if it was dropped before), `games`
        (the most of a term), `beyond`, `raw`, `loss` (see `tkg.targets.measuring.Loss`)."""
        return self.table(self.outcomes)

    @cached_property
    def run_off(self) -> pl.DataFrame:
        """The best of the search on fresh deals, as `trials`; the first of the least `loss` was checked."""
        return self.table(self.contest)

    @cached_property
    def front(self) -> pl.DataFrame:
        """The best compromises as the search saw them, as `trials`: a Pareto front of what each term is missed by.

        No other variant misses no term by more and one by less. Empty where some variant misses no term beyond noise,
        or there is one term alone: then nothing competes.
        """
        return self.table(self.compromises)

    @cached_property
    def points(self) -> pl.DataFrame:
        """The trials that were played to the end, as `charts.pareto` takes them: `trials` with the ends of each term's 95%
        interval (`TERM_low`, `TERM_high`; null where one game tells of no spread), `front` (whether it is a compromise of
        `front`) and `chosen` (whether it is the variant that was checked)."""
        import polars as pl

        whole = [o for o in self.outcomes if o.whole]
        ends = {}
        for i, term in enumerate(self.terms):
            for end in ("low", "high"):
                found = [getattr(o.found[i], end) for o in whole]
                ends[f"{term.text}_{end}"] = pl.Series(
                    [v if math.isfinite(v) else None for v in found], dtype=pl.Float64
                )
        kept = {str(o.variant) for o in self.compromises}
        return self.table(whole).with_columns(
            **ends,
            front=pl.col("variant").is_in(kept),
            chosen=pl.col("variant") == str(self.final.variant),
        )

    @cached_property
    def compromises(self) -> list[Outcome]:
        """The outcomes of the front, those of the smallest loss first."""
        whole = [o for o in self.outcomes if o.whole]
        if len(self.terms) < 2 or any(o.loss.beyond == 0 for o in whole):
            return []
        misses = [misses_of(self.terms, o) for o in whole]
        best = [o for o, own in zip(whole, misses, strict=True) if not any(dominates(m, own) for m in misses)]
        return sorted(best, key=lambda o: o.loss.total)

    def table(self, outcomes: Sequence[Outcome]) -> pl.DataFrame:
        import polars as pl

        names = [term.text for term in self.terms]
        schema: dict[str, Any] = {"variant": pl.String, **dict.fromkeys(names, pl.Float64), "games": pl.Int64}
        schema |= {"beyond": pl.Float64, "raw": pl.Float64, "loss": pl.Float64}
        rows = []
        for o in outcomes:
            values = {name: None if m is None else m.value for name, m in zip(names, o.found, strict=True)}
            games = max((m.games for m in o.found if m is not None), default=0)
            sizes = {"games": games, "beyond": o.loss.beyond, "raw": o.loss.raw, "loss": o.loss.total}
            rows.append({"variant": str(o.variant), **values, **sizes})
        return pl.DataFrame(rows, schema=schema)

    # --- Words ------------------------------------------------------------------------------------------------------

    @property
    def verdict(self) -> str:
        """Whether the target is reached, in words."""
        games = f"{self.checked:,} fresh games"
        missed = [term.measured for term, m in self.checks if status(term, m) == MISSED]
        unsure = [term.measured for term, m in self.checks if status(term, m) == TOUCHES]
        if not missed and not unsure:
            return f"reached: the whole interval of every term lies where it should, on {games}"
        if not missed:
            return f"reached, as far as {games} can tell"
        tried = len(self.outcomes)
        words = f"{' and '.join(missed)} {'is' if len(missed) == 1 else 'are'} missed beyond noise on {games}"
        near = sum(o.whole and o.loss.beyond == 0 for o in self.outcomes)
        if near:
            return (
                f"not reached: {words}; {near} of {tried} variants looked near enough on the deals of the search, so more "
                "games, more trials or both may still find one"
            )
        return (
            f"not reached: {words}. As far as the {tried} variants tried can tell it cannot be reached by "
            f"{', '.join(self.question.space.knobs)} within these ranges: none came within noise of it"
        )

    @property
    def given_up(self) -> list[str]:
        """What of the target the variant that was found misses, and by how much; a line a term."""
        return [f"{t.measured}: {given_up(t, m)}" for t, m in self.checks if status(t, m) == MISSED]

    @property
    def uncertain(self) -> list[str]:
        """What of the target it may hold or not, as far as its games can tell; a line a term."""
        told = [(t, given_up(t, m)) for t, m in self.checks if status(t, m) == TOUCHES]
        return [f"{term.measured}: {words}" for term, words in told if words]

    @property
    def at_the_end(self) -> list[str]:
        """Which settings lie at the end of what was searched, where the rules would allow more."""
        space, found = self.question.space, []
        for name, dim in space.dims.items():
            if isinstance(dim, Whole) and space.of[name] == name and self.final.variant[name] in (dim.low, dim.high):
                allowed = next(d for d in space.base.rules.DECLARED if d.name == name)
                value = self.final.variant[name]
                if value not in (allowed.low, allowed.high):
                    found.append(f"{name}={value}")
        return found

    @property
    def plain(self) -> dict[str, Any]:
        """For programs."""
        return {
            "game": self.variant.game,
            "base": str(self.question.space.base),
            "target": [f"{term.measured} {term.wanted}" for term in self.terms],
            "variant": str(self.variant),
            "reached": self.reached,
            "verdict": self.verdict,
            "given_up": self.given_up,
            "uncertain": self.uncertain,
            "check": [finite(row) for row in self.check.to_dicts()],
            "run_off": self.run_off.to_dicts(),
            "front": self.front.to_dicts(),
            "trials": self.trials.to_dicts(),
            "refused": list(self.refused),
            "files": [str(path) for path in self.files],
        }

    @property
    def found(self) -> dict[str, Any]:
        """What the variant's file says of the search."""
        question = self.question
        return {
            "base": str(question.space.base),
            "target": [f"{term.measured} {term.wanted}" for term in self.terms],
            "reached": self.reached,
            "verdict": self.verdict,
            "check": [f"{term.measured}: {shown(term, m)}; wanted {term.wanted}" for term, m in self.checks],
            "searched": question.space.words,
            "trials": len(self.outcomes) + len(self.refused),
            "games": question.games,
            "seed": question.seed,
        }

    def __str__(self) -> str:
        from tkg.metrics.thinking import FORCED

        question, space = self.question, self.question.space
        dropped = sum(any(m is None or m.games < question.games for m in o.found) for o in self.outcomes)
        lines = [
            f"target: {', '.join(f'{term.measured} {term.wanted}' for term in self.terms)}",
            f"searched round {space.base}: {', '.join(space.words)}",
            f"{len(self.outcomes)} variants tried on the same deals, {dropped} of them dropped before {question.games:,} games"
            f"{f', {len(self.refused)} more refused by the rules' if self.refused else ''}",
            f"found: {self.variant}",
            *indented([["term", "wanted", f"{self.checked:,} fresh games", "95% interval", ""], *self.check_rows()]),
            self.verdict,
        ]
        lines += [f"given up: {words}" for words in self.given_up]
        lines += [f"not certain: {words}" for words in self.uncertain]
        if self.at_the_end and not self.reached:
            lines.append(
                f"at the end of what was searched: {', '.join(self.at_the_end)}; a wider range may come nearer"
            )
        if any(term.name == "minutes" for term in self.terms):
            lines.append(f"minutes: {question.seconds.words}; {FORCED:g} s with nothing to decide")
        if len(self.contest) > 1:
            lines += self.tabled("the best of the search, on other fresh deals:", self.contest)
        if len(self.compromises) > 1:
            title = (
                "what competes: no variant tried misses one term by less than these without missing another by more:"
            )
            lines += self.tabled(title, self.compromises)
        start = [o for o in self.outcomes if o.variant == space.base]
        if start and self.final.variant != space.base:
            lines += self.tabled("as it was, on the deals of the search:", start)
        return "\n".join([*lines, *self.saved_words()])

    def check_rows(self) -> list[list[str]]:
        told = {INSIDE: "inside", MISSED: "missed", TOUCHES: "the interval reaches it"}
        return [
            [t.measured, t.wanted, f"{m.value:.4g}", f"{m.low:.4g} to {m.high:.4g}", told[status(t, m)]]
            for t, m in self.checks
        ]

    def tabled(self, title: str, outcomes: Sequence[Outcome]) -> list[str]:
        rows = [
            [*("-" if m is None else shown(t, m) for t, m in zip(self.terms, o.found, strict=True)), str(o.variant)]
            for o in outcomes[:SHOWN]
        ]
        more = [f"  and {len(outcomes) - SHOWN} more"] if len(outcomes) > SHOWN else []
        return [title, *indented([[*(term.measured for term in self.terms), "variant"], *rows]), *more]

    def saved_words(self) -> list[str]:
        if not self.files:
            return []
        name = self.path.stem if self.path.parent.name == VARIANTS else str(self.path)
        return [f"saved in {' and '.join(map(str, self.files))}: tkg.load_variant({name!r}), or @{name} for a game"]


def status(term: Term, m: Measured) -> str:
    """Whether an interval lies where it should."""
    if term.near(m.low, m.high) > 0:
        return MISSED
    return INSIDE if term.low <= m.low and m.high <= term.high else TOUCHES


def given_up(term: Term, m: Measured) -> str:
    """How far a value is from what was wanted, in words; empty if nothing is to be told."""
    miss, beyond = term.miss(m.value), term.near(m.low, m.high)
    if beyond > 0:
        return (
            f"{m.value:.4g} misses {term.wanted} by {miss:.3g}, by {beyond:.3g} even at the nearer end of its interval"
        )
    if term.low == term.high or status(term, m) == INSIDE:
        return ""
    if miss > 0:
        return f"{m.value:.4g} misses {term.wanted} by {miss:.3g}, which noise may explain"
    return f"{m.value:.4g} holds {term.wanted}, but not with its whole interval ({m.low:.4g} to {m.high:.4g})"


def misses_of(terms: Sequence[Term], outcome: Outcome) -> tuple[float, ...]:
    """By how much an outcome in which every term was measured misses each of them."""
    return tuple(t.miss(m.value) for t, m in zip(terms, outcome.found, strict=True) if m is not None)


def dominates(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether one misses no term by more than the other, and some term by less."""
    return all(a <= b for a, b in zip(one, other, strict=True)) and any(a < b for a, b in zip(one, other, strict=True))


def shown(term: Term, m: Measured) -> str:
    return f"{m.value:.3g} ({m.low:.3g} to {m.high:.3g})"


def finite(row: dict[str, Any]) -> dict[str, Any]:
    """A row as JSON has it: an end that an interval has not got, for one game tells of no spread, is null."""
    return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in row.items()}


def indented(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows in columns, the first of them the names."""
    from tkg.metrics.words import columns

    return [f"  {line}" for line in columns(rows)]

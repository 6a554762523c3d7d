"""What is wanted of a variant: terms such as `win[mcts:25]=0.5`, `minutes<45`, `edge<0.02` or `decisions=30..40`.

    NAME[BOTS] = NUMBER | LOW..HIGH        NAME[BOTS] < NUMBER        NAME[BOTS] > NUMBER

NAME is one of

    win          share of the victories: in a game for one player of the bot; in a game of several seats of the first of
                 two bots, which sits in one seat against the other in the rest, or of one bot a seat; seats are rotated
    edge         by how much the best seat's share of the victories is above an equal one, in games of several seats
    minutes      decisions with more than one option times seconds for each, and a little for the others (`tkg.metrics.minutes`)
    unfinished   share of the games that were stopped before they were over
    decisions    of all seats in a game
    options/KIND, choices/KIND    options per decision of a kind; share of such decisions with more than one
    ending/KIND  share of the games that end so, and the like for other fields that are told in words
    FIELD        any number or truth value of the game's result; by seat FIELD/SEAT, or the mean over seats

and BOTS say who plays: one name for all seats unless it is told otherwise above. Without them the target's usual bot does.
A number may be written as a percentage. Nothing turns on `<` against `<=`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tkg.bots.table import bot_code, bots_of
from tkg.rules.errors import Refused, did_you_mean
from tkg.rules.knobs import Variant

SHARES = ("win", "edge", "unfinished", "win_shared")
RATIOS = ("options", "choices")
UNFINISHED = "unfinished"
GRAMMAR = "a term is written NAME[BOTS]=NUMBER, with = or < or >, or NAME[BOTS]=LOW..HIGH"
EXAMPLES = "such as win[mcts:25]=0.5, minutes<45 or decisions=30..40"
TERM = re.compile(r"([A-Za-z_]\w*(?:/\w+)?)(?:\[([^\]\[]*)\])?(<=|>=|=|<|>)(.+)", flags=re.ASCII)


@dataclass(frozen=True)
class Term:
    """One thing that is wanted: what `name` measures where `bots` play lies from `low` to `high`.

    `share` says whether it is a share from 0 to 1; `text` is the term as it was written, without spaces.
    """

    name: str
    bots: tuple[str, ...]
    low: float
    high: float
    share: bool
    text: str

    @property
    def scale(self) -> float:
        """What counts as one unit of missing it: 1 for shares, else the size of the number that is wanted."""
        ends = [abs(end) for end in (self.low, self.high) if math.isfinite(end)]
        return 1.0 if self.share else sum(ends) / len(ends) or 1.0

    @property
    def measured(self) -> str:
        """What is measured, in few words."""
        return f"{self.name}[{','.join(self.bots)}]"

    @property
    def wanted(self) -> str:
        """Where it should lie, in few words."""
        if self.low == self.high:
            return f"{self.low:g}"
        if math.isinf(self.low):
            return f"at most {self.high:g}"
        return f"at least {self.low:g}" if math.isinf(self.high) else f"{self.low:g} to {self.high:g}"

    def miss(self, value: float) -> float:
        """How far a value lies from where it should."""
        return max(self.low - value, value - self.high, 0.0)

    def near(self, low: float, high: float) -> float:
        """How far an interval lies from where the value should: 0 if they touch."""
        return max(self.low - high, low - self.high, 0.0)

    def seated(self, variant: Variant) -> tuple[str, ...]:
        """The bots as a run of this variant takes them; the second of two fills the seats that are left."""
        if variant.seats == 1 or len(self.bots) in (1, variant.seats):
            return self.bots
        if len(self.bots) == 2:
            return (self.bots[0], *self.bots[1:] * (variant.seats - 1))
        raise Refused(
            f"{self.text}: {len(self.bots)} bots for {variant.seats} seats; give one for all, two (the second fills the "
            "other seats), or one for each"
        )


def read_target(target: str | Mapping[str, Any], variant: Variant, bot: str = "greedy") -> tuple[Term, ...]:
    """The terms of a target, checked against a variant; `bot` plays where a term names none.

    `target` is text, terms separated by spaces or commas, or a mapping such as `{"win[mcts:25]": 0.5, "minutes": "<45",
    "decisions": (30, 40)}`. What is wrong is refused with the term, its place and what would be right.

    >>> import tkg
    >>> [term.wanted for term in read_target("win[random]=50% points>=12.5 decisions=30..40", tkg.rift())]
    ['0.5', 'at least 12.5', '30 to 40']
    """
    if isinstance(target, Mapping):
        written = [f"{name}{as_written(str(name), value)}" for name, value in target.items()]
    elif isinstance(target, str):
        written = list(apart(target))
    else:
        raise Refused(f"target={target!r}: text or a mapping is needed; {GRAMMAR}, {EXAMPLES}")
    if not written:
        raise Refused(f"target: it has no term; {GRAMMAR}, {EXAMPLES}")
    terms = []
    for place, text in enumerate(written, 1):
        try:
            terms.append(read_term(text, variant, bot))
        except Refused as error:
            raise Refused(f"target, term {place} of {len(written)}, {text!r}: {error}") from None
    return tuple(terms)


def apart(text: str) -> Iterator[str]:
    """The terms of a text: separated by spaces or commas, but for those within brackets; an operator draws both sides near."""
    tight = re.sub(r"\s*(<=|>=|=|<|>|\.\.)\s*", r"\1", text)
    inside = re.sub(r"\[[^\]\[]*\]", lambda found: re.sub(r"\s*,\s*", "\0", found[0]).replace(" ", ""), tight)
    yield from (term.replace("\0", ",") for term in re.split(r"[\s,]+", inside.strip()) if term)


def as_written(name: str, value: Any) -> str:
    """What a mapping says of a name, as it is written behind it."""
    if isinstance(value, str):
        bare = re.sub(r"\s", "", value)
        return bare if bare[:1] in ("<", ">", "=") else f"={bare}"
    if isinstance(value, (tuple, list)) and len(value) == 2:
        low, high = value
        if low is None and high is not None:
            return f"<{high}"
        return f">{low}" if high is None else f"={low}..{high}"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"={value!r}"
    raise Refused(
        f"target, {name!r}: {value!r}; a number, text such as '<45', or a pair (LOW, HIGH) with None for an open end"
    )


def read_term(text: str, variant: Variant, bot: str) -> Term:
    """A term, checked against a variant."""
    parts = TERM.fullmatch(text)
    if not parts:
        raise Refused(f"{GRAMMAR}, {EXAMPLES}")
    name, named, operator, value = parts.groups()
    bots = (bot,) if named is None else tuple(b.strip() for b in named.split(","))
    for each in bots:
        if not each:
            raise Refused(f"a bot's name is missing between [ and ]; there are {', '.join(bots_of(variant.game))}")
        bot_code(variant.game, each)
    share = check_name(name, bots, variant)
    low, high = ends_of(operator[0], value, share)
    term = Term(name, bots, low, high, share, text)
    term.seated(variant)
    return term


def ends_of(operator: str, value: str, share: bool) -> tuple[float, float]:
    """From where to where a value should lie."""
    start, dots, end = value.partition("..")
    if operator != "=":
        if dots:
            raise Refused(f"a range is written with =, such as ={value}")
        number = number_of(value, share)
        return (-math.inf, number) if operator == "<" else (number, math.inf)
    low = number_of(start, share)
    high = number_of(end, share) if dots else low
    if low > high:
        raise Refused(f"the range {value} begins above its end; written {end}..{start}")
    return low, high


def number_of(text: str, share: bool) -> float:
    """The number that a text writes; a percentage is a hundredth."""
    try:
        number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise Refused(f"{text!r} is no number; {GRAMMAR}")
    if share and not 0 <= number <= 1:
        raise Refused(f"{text} is no share: from 0 to 1, or from 0% to 100%")
    return number


# --- What can be measured -----------------------------------------------------------------------------------------


def check_name(name: str, bots: tuple[str, ...], variant: Variant) -> bool:
    """Whether what a name measures is a share; refused if it measures nothing where these bots play."""
    rules = variant.rules
    head, slash, tail = name.partition("/")
    if name == "win":
        check_win(bots, variant)
    elif variant.seats == 1 and len(bots) > 1:
        raise Refused(f"{len(bots)} bots for one seat; give a term for each, {name}[{bots[0]}] and {name}[{bots[1]}]")
    if name == "edge" and variant.seats == 1:
        raise Refused(
            f"{variant.game} has one seat, which is ahead of none; say win[{bots[0]}] how often it should win"
        )
    if name == UNFINISHED and UNFINISHED not in rules.WORDS.get("ending", ()):
        raise Refused(f"every game of {variant.game} is played to its end")
    if name == "win_shared" and variant.seats == 1:
        raise Refused(f"{variant.game} has one seat, and nobody to share a victory with")
    if name in SHARES:
        return True
    if name in ("minutes", "decisions"):
        return False
    if slash and head in RATIOS:
        check_word(tail, rules.KINDS, "kind of decision", name)
        return head == "choices"
    if head in rules.WORDS and head not in rules.BY_SEAT:
        words = tuple(filter(None, rules.WORDS[head]))
        check_word(tail, words, head, name)
        return True
    known = fields_of(rules)
    if head not in known:
        others = [*(n for n in SHARES if n != "win_shared"), "minutes", "decisions", "options/KIND", "choices/KIND"]
        listed = [*others, *(f"{n}/KIND" for n in rules.WORDS if n not in rules.BY_SEAT), *known]
        raise Refused(f"{variant.game} has no measure {head!r}; it has {', '.join(listed)}{did_you_mean(head, listed)}")
    if slash:
        if head not in rules.BY_SEAT:
            raise Refused(f"{head} is one number for all seats; written {head}")
        check_word(tail, [str(seat) for seat in range(1, variant.seats + 1)], "seat", name)
    return rules.RESULT.fields[head][0].base.kind == "b"


def check_win(bots: tuple[str, ...], variant: Variant) -> None:
    """Who wins must be told apart."""
    if variant.seats == 1:
        if len(bots) > 1:
            raise Refused(
                f"{variant.game} is played alone; give a term for each bot, win[{bots[0]}] and win[{bots[1]}]"
            )
    elif len(bots) == 1:
        raise Refused(
            f"one bot in all {variant.seats} seats wins {1 / variant.seats:.3g} of the victories, whatever the variant; "
            f"edge[{bots[0]}]<0.02 asks for seats that are level, win[{bots[0]},random]=0.8 for how often the first of "
            "two bots wins"
        )
    elif bots.count(bots[0]) > 1:
        raise Refused(f"{bots[0]} sits in several seats; the bot whose victories count is named first, and once")


def fields_of(rules: Any) -> list[str]:
    """The numbers and truth values of a game's result."""
    return [n for n in rules.RESULT.names if n not in ("win", "winners", *rules.MASKS) and n not in rules.WORDS]


def check_word(word: str, words: Any, what: str, name: str) -> None:
    """What stands behind the stroke of a name."""
    if word not in words:
        told = ", ".join(f"{name.partition('/')[0]}/{w}" for w in words)
        raise Refused(f"no {what} {word!r}; there are {told}{did_you_mean(word, words)}")

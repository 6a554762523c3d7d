"""Who sits at the tables of a comparison, and what they play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tkg.bots.table import peeks
from tkg.bulk import Run, check_games, make_run
from tkg.metrics import unfinished_games
from tkg.metrics.words import listed
from tkg.rules.errors import Refused
from tkg.rules.knobs import DeckKnob, TileSet, Variant

NOVICE, EXPERT = (
    "greedy",
    "mcts:4",
)  # of every game's graded bots; the second is better, and as cheap as such a one can be
MARGIN = 0.05


class Table(NamedTuple):
    """Bots that sit together, as text; `others` fills the seats beside one bot, whatever their number."""

    bots: str
    others: str = ""

    @property
    def label(self) -> str:
        return f"{self.bots} among {self.others}" if self.others else self.bots

    def at(self, variant: Variant) -> str:
        """Who sits where in a variant, checked."""
        names = ",".join([self.bots] + [self.others] * (variant.seats - 1)) if self.others else self.bots
        try:
            make_run(variant, names, 1, 0)
        except Refused as error:
            raise Refused(f"{variant}: {error}") from None
        return names


def tables_of(bots: str | Sequence[str]) -> list[Table]:
    """The tables that a user names: one as text, or several."""
    given = [bots] if isinstance(bots, str) else list(bots) if isinstance(bots, Iterable) else []
    if not given or not all(isinstance(names, str) for names in given):
        raise Refused(
            f"bots={bots!r}: a table is a text such as 'greedy' or 'greedy,random'; several are a list of such"
        )
    return [Table(names) for names in dict.fromkeys(given)]


def enough_games(games: object) -> int:
    """`games` as an int, refused unless at least 2, for one game tells of no spread."""
    number = check_games(games)
    if number < 2:
        raise Refused(f"games={number}: at least 2 are needed to tell of a spread")
    return number


def check_margin(margin: object) -> float:
    """The share that differences may have and still not matter."""
    if isinstance(margin, bool) or not isinstance(margin, (int, float)) or not 0 < margin < 1:
        raise Refused(f"margin={margin!r}: a share above 0 and below 1 is needed, such as {MARGIN} for 5 points")
    return float(margin)


def said_of(variants: Sequence[Variant], names: Sequence[str]) -> list[str]:
    """Warnings and notes of variants, each with the names of those that it is true of."""
    found: dict[str, list[str]] = {}
    for variant, name in zip(variants, names, strict=True):
        for words in [*variant.warnings, *variant.notes]:
            found.setdefault(words, []).append(name)
    return [words if len(who) == len(names) else f"{listed(who)}: {words}" for words, who in found.items()]


def said_of_bots(bots: Iterable[str]) -> list[str]:
    """What must be known of who plays."""
    seeing = filter(peeks, dict.fromkeys(bots))
    return [f"{bot} sees everything that is hidden from its seat: a bound, and no player" for bot in seeing]


def said_of_unfinished(frame: Any, games: int, where: str) -> list[str]:
    stopped = unfinished_games(frame)
    return (
        [f"{where}: {stopped} of {games} games did not finish; they are counted, scored as they stood"]
        if stopped
        else []
    )


def other_tiles(first: Variant, second: Variant) -> list[str]:
    """The settings that say which tiles are dealt and in which two variants differ."""
    kinds = [d.name for d in first.rules.DECLARED if isinstance(d, (DeckKnob, TileSet))]
    return [name for name in kinds if first[name] != second[name]]


def told_of(names: Iterable[str], run: Run) -> list[str]:
    """The measures that are told of a table: who wins where different bots sit together, else all."""
    bots = dict.fromkeys(run.bots)
    return list(names) if run.variant.seats == 1 or len(bots) == 1 else [f"win/{bot}" for bot in bots]


def without_mirrors(names: Iterable[str], seats: int) -> list[str]:
    """The measures without the second of two shares of one victory, which add up to 1."""
    found = list(names)
    wins = [name for name in found if name.startswith("win/")]
    return [name for name in found if not (seats > 1 and len(wins) == 2 and name == wins[1])]

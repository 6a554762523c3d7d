"""How much skill a game has room for, from what a ladder of graded bots (`tkg.ladder`) has found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import polars as pl
from scipy import special

from tkg.metrics.intervals import LEVEL
from tkg.metrics.measured import NotMeasured
from tkg.metrics.shares import Table
from tkg.metrics.sums import need
from tkg.rules.errors import Refused

CLASS = 400 * math.log10(3)  # points on Elo's scale that win three games of four: one class of players
PAIR = ("bot", "opponent", "share", "low", "high")


def strength_levels(pairs: Table, rungs: Sequence[str]) -> pl.DataFrame:
    """Which rungs of a ladder are levels of strength that can be told apart: a row for every level, the lowest first.

    `pairs` is `Ladder.pairs`, `rungs` the bots, the one that should be weakest first. The lowest rung is the first level. Each
    rung after it is held against the level reached so far, and is the next level if it beats that one at 95%: the whole
    interval of its share of the victories lies above one half. So every rung is compared once, and a rung that cannot be told
    from the one below, or falls behind it, is passed over. Columns `level` (from 1), `bot`, `below`, `share`, `low`, `high` (null for
    the lowest).

    Depth as the length of a chain of players each of whom beats the one before: Thompson (2000), "Defining the abstract", The Games
    Journal, July; Cauwet, Teytaud and others (2015), "Depth, balancing, and limits of the Elo model", IEEE Conference on Computational
    Intelligence and Games. Theirs are chains of the best possible players, with a fixed share for each step; here
    they are chains of the bots that there are, and steps that games have proved. More deals may tell more levels apart.
    """
    rows = meetings(pairs, rungs)
    found: list[dict[str, Any]] = [{"level": 1, "bot": rungs[0]}]
    for rung in rungs[1:]:
        row = rows[rung, found[-1]["bot"]]
        if row["low"] > 0.5:
            told = {name: row[name] for name in ("share", "low", "high")}
            found.append({"level": len(found) + 1, "bot": rung, "below": row["opponent"], **told})
    numbers = dict.fromkeys(("share", "low", "high"), pl.Float64)
    return pl.DataFrame(found, schema={"level": pl.Int64, "bot": pl.String, "below": pl.String, **numbers})


def count_levels(pairs: Table, rungs: Sequence[str]) -> tuple[int, int, int]:
    """(levels that `strength_levels` tells, how many at least, how many at most of these rungs).

    At least: those that are left where all comparisons are to hold together at 95% (Bonferroni: each at 95% and the
    more, by the score test that Wilson's interval inverts). At most: those of a chain in which a rung counts unless its
    whole interval lies at one half or below. The latter speaks of these rungs; others may lie between them.
    """
    rows = meetings(pairs, rungs)
    strict = float(special.ndtri(1 - (1 - LEVEL) / 2 / max(1, len(rungs) - 1)))
    counts = []
    for climbs in (
        lambda row: row["low"] > 0.5,
        lambda row: score(row) > strict,
        lambda row: row["high"] > 0.5,
    ):
        head, levels = rungs[0], 1
        for rung in rungs[1:]:
            if climbs(rows[rung, head]):
                head, levels = rung, levels + 1
        counts.append(levels)
    return counts[0], counts[1], counts[2]


def score(row: dict[str, Any]) -> float:
    """By how many standard errors, were both alike, a share lies above one half: from Wilson's interval round it.

    The lower end L of that interval has (p - L)^2 = z^2 L (1 - L) / m, which gives the m games that it stands for.
    """
    p, low = row["share"], row["low"]
    if low <= 0:
        return 0.0  # nobody climbs by winning nothing
    z = float(special.ndtri(0.5 + LEVEL / 2))
    games = z * z * low * (1 - low) / (p - low) ** 2
    return 2 * (p - 0.5) * math.sqrt(games)


def meetings(pairs: Table, rungs: Sequence[str]) -> dict[tuple[str, str], dict[str, Any]]:
    """The rows of pairs by bot and opponent; refused if some of these rungs have not met."""
    table = need(pairs, PAIR).select(PAIR).collect()
    rows = {(row["bot"], row["opponent"]): row for row in table.iter_rows(named=True)}
    if not rungs:
        raise Refused("rungs: at least one is needed")
    for above in range(1, len(rungs)):
        for below in rungs[:above]:
            if (rungs[above], below) not in rows:
                raise Refused(f"rungs: {rungs[above]} and {below} have not met in these pairs")
    return rows


def coin_flips(pairs: Table, bot: str, opponent: str, seats: int) -> pl.DataFrame:
    """The largest share of games that a coin may have settled, if `bot` still beats `opponent` as often as it does.

    `pairs` is `Ladder.pairs` of a game for two. Columns `bot`, `opponent`, `share`, `low`, `high`. Where a coin settles a share c of the games,
    nobody wins more than 1 - c / 2 of them, so who wins a share p leaves c no more than 2 (1 - p); ends are those of
    the interval of p. Below one half, there is less chance in the meeting of these two than in chess of which every other game is a
    coin flip. Above, they may just be nearly alike, and nothing follows.

    This is what is left for bots of the 50%-chess of Duersch, Lambrecht and Oechssler (2020), "Measuring skill and chance in games",
    European Economic Review 127, 103472. They hold the standard deviation of the Elo ratings of all who play a game against that
    of chess players, half of whose games are replaced by coin flips. Bots of graded strength are chosen and not drawn from
    those who play, so the standard deviation of their ratings tells of the choice; that comparison is left to people's games.
    Not measured for a single player or for three seats and more, for which the benchmark, a game for two, has no like.
    """
    if seats != 2:
        why = "a single player has no opponent to toss a coin with" if seats == 1 else "the benchmark is a game for two"
        raise NotMeasured(f"coin_flips: {why}")
    row = meetings(pairs, [opponent, bot])[bot, opponent]
    flips = {"share": row["share"], "low": row["high"], "high": row["low"]}
    settled = {name: min(1.0, 2 * (1 - share)) for name, share in flips.items()}
    return pl.DataFrame({"bot": [bot], "opponent": [opponent], **{name: [value] for name, value in settled.items()}})


def complexity(spread: float | None) -> float | None:
    """How many classes of players a spread of Elo's points holds, each winning three games of four against the one below.

    Robertie's complexity number: Robertie (2014), "Comparing games of skill and chance", The Gammon Press. His classes lead from a
    beginner to the best player of the world; here they lead from one bot to another, of which the lower may play worse than any
    beginner and the higher worse than an expert, so the numbers of people and of bots are not to be compared.
    """
    return None if spread is None else spread / CLASS

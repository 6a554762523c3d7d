"""The same deals played again and again with other luck of the bots, from which luck and skill are told apart.

A game's chance (shuffles, draws, the order of seats) is hashed from its seed, and so is each bot's own luck, in a stream that no
chance draws from (`tkg.rules.chance`). So a deal can be kept, to the last card of the stack, while every seat's bot draws anew: its
guesses at what is hidden, its searches, the order of options that it holds for equal. This holds for any number of seats.
A deal is all that chance would do, place by place. Where what is drawn depends on what was played, as from a bag of one's own
making, the same draw may bring something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tkg.bots.loop import fill_seeds
from tkg.bots.table import bot_code
from tkg.bulk import Run, constant, make_run, seated, version
from tkg.own_bots import play
from tkg.rules.errors import Refused
from tkg.rules.knobs import Variant
from tkg.rules.numbers import whole
from tkg.traces import Bar, side_by_side

if TYPE_CHECKING:
    import polars as pl

DEALS = 100
REPLAYS = 8  # of each deal and seating
MOST_REPLAYS = 10_000


def replay_deals(
    variant: Variant,
    bots: str | Sequence[str] = "mcts:25",
    deals: int = DEALS,
    replays: int = REPLAYS,
    seed: int = 0,
    *,
    workers: int | None = None,
    progress: bool = False,
) -> pl.DataFrame:
    """The same deals replayed with other luck of the bots: a polars table with a row per game and seat.

    `bots` is one for all seats, or one for each; those that differ change seats, so that every deal is played in every rotation
    of them. In a game for one each bot plays every deal alone. Each deal and seating is played `replays` times; the
    first time in the first seating is the game of `tkg.simulate(variant, bots, deals, seed, fixed_seats=True)`.
    Columns: `run, variant, version, seed, game` (from 0), `deal` (from 0), `game_seed` (the deal's), `seating` (from 0), `replay`
    (from 0), `seat`, `bot`, `win`. `tkg.metrics.luck` tells from it how much of what happens is due to the deal.

    `deals`, `replays` and `seed` settle the table, `workers` does not. Refused are fewer than two deals or replays.
    """
    run = make_run(variant, bots, deals, seed)
    if run.games < 2:
        raise Refused(f"deals={deals!r}: a whole number from 2 is needed, for one deal differs from no other")
    again = whole(replays)
    if again is None or not 2 <= again <= MOST_REPLAYS:
        raise Refused(f"replays={replays!r}: a whole number from 2 to {MOST_REPLAYS:,}")
    seatings = seatings_of(run)
    bar = Bar(run.games, progress, f"replaying {variant}, deals")
    wins = np.array(list(side_by_side(lambda deal: play_deal(run, seatings, again, deal), run.games, workers, bar)))
    return table(run, seatings, wins)


def seatings_of(run: Run) -> list[tuple[int, ...]]:
    """Which of the run's bots sits where: every rotation that differs; in a game for one, every bot alone."""
    if run.variant.seats == 1:
        return [(bot,) for bot in range(len(run.bots))]
    seats = range(run.variant.seats)
    rotations = [tuple((seat + turn) % len(run.bots) for seat in seats) for turn in range(len(run.bots))]
    names = [tuple(run.bots[bot] for bot in rotation) for rotation in rotations]
    return [rotation for k, rotation in enumerate(rotations) if names[k] not in names[:k]]


def play_deal(run: Run, seatings: Sequence[tuple[int, ...]], replays: int, deal: int) -> np.ndarray:
    """What each seat wins of one deal, in an array (seatings, replays, seats)."""
    variant = run.variant
    seeds = np.empty(1, np.int64)
    fill_seeds(run.seed, deal, seeds)
    games = len(seatings) * replays
    codes = np.array([[bot_code(variant.game, run.bots[bot]) for bot in seating] for seating in seatings], np.int64)
    streams = np.arange(games) * variant.seats  # seat s of a game draws from the s-th stream from here on
    played = play(variant, np.repeat(seeds, games), np.repeat(codes, replays, axis=0), streams)
    return played.payoffs.reshape(len(seatings), replays, variant.seats)


def table(run: Run, seatings: Sequence[tuple[int, ...]], wins: np.ndarray) -> pl.DataFrame:
    """A row per game and seat, from an array (deals, seatings, replays, seats)."""
    import polars as pl

    deals, ways, replays, _ = wins.shape
    seeds = np.empty(deals, np.int64)
    fill_seeds(run.seed, 0, seeds)
    deal, seating, replay, seat = (axis.reshape(-1) for axis in np.indices(wins.shape))
    return pl.DataFrame(
        {
            "run": constant(f"{run.identity}-{replays}", wins.size),
            "variant": constant(str(run.variant), wins.size),
            "version": constant(version(), wins.size),
            "seed": pl.repeat(run.seed, wins.size, dtype=pl.Int64, eager=True),
            "game": (deal * ways + seating) * replays + replay,
            "deal": deal,
            "game_seed": seeds[deal],
            "seating": seating.astype(np.int32),
            "replay": replay.astype(np.int32),
            "seat": (seat + 1).astype(np.int8),
            "bot": seated(run, np.array(seatings)[seating, seat]),
            "win": wins.reshape(-1),
        }
    )

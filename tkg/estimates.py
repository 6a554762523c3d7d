"""What a bot thinks of a position: each seat's chances, its best options, and what it would play.

Hints on boards and measures of tension come from here. A bot is asked through what its seat may see.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from tkg.bots.loop import ponder
from tkg.bots.search import make_tree
from tkg.bots.table import SEARCHING, bot_code, parse_timed, peeks, take_apart
from tkg.game import Game
from tkg.own_bots import own_among, play
from tkg.rules import calls
from tkg.rules.chance import SEARCH, derive_exact
from tkg.rules.errors import Refused

PLAYOUTS = 200  # games that bots which do not search play on from a position, to judge it
OWN_PLAYOUTS = 25  # as many of a bot of one's own, which plays in Python
AT_ONCE = 25  # iterations or playouts between two looks at the clock


@dataclass(frozen=True)
class Option:
    """One legal option of a decision; where a bot plans ahead, all plans that begin with it are taken together."""

    action: str
    visits: int  # iterations that went on with it, or playouts that began with it
    value: float  # the payoff that the deciding seat had from these, on average


@dataclass(frozen=True)
class Estimate:
    """What a bot thinks of a position."""

    bot: str
    seat: int  # who decides, from 1
    values: tuple[float, ...]  # by seat: its share of the victory to be expected
    options: tuple[Option, ...]  # those that were visited, each once, most visited first; if none was, all, with NaN
    visits: int
    seconds: float

    @property
    def best(self) -> str:
        """The option most visited.

        In play the bot draws from its own luck and, where it plans whole turns, takes the best plan's first action: so
        between nearly level options it may choose otherwise.
        """
        return self.options[0].action


def check_bot(game: Game, bot: str, people: bool) -> tuple[str, float | None]:
    """(the bot's name, its seconds a decision if it is named by time); peeking bots play no part with people."""
    name, seconds = parse_timed(game.variant.game, bot)
    if people and peeks(name):
        raise Refused(f"bot {bot!r} sees what is hidden from its seat: it is a bound in tables and plays with nobody")
    return name, seconds


def estimate(game: Game, bot: str = "mcts:400", seed: int = 0) -> Estimate:
    """What `bot` thinks of a position: each seat's share of the victory to be expected, and its best options.

    A searching bot tells the mean payoff of its iterations, of `mcts:400` 400 of them, of `mcts:0.2s` as many as
    fit into 0.2 seconds. Any other bot plays PLAYOUTS games on from the position, in all seats, with what the deciding
    seat cannot know dealt anew for each; one of your own (`tkg.register_bot`) OWN_PLAYOUTS. Options that were never
    tried are left out. The same `seed` gives the same estimate, save by time. Refused for a game that is over.
    """
    if game.seat is None:
        raise Refused("the game is over: there is nothing to estimate")
    name, seconds = check_bot(game, bot, people=False)
    began = time.perf_counter()
    if take_apart(game.variant.game, name).bot in SEARCHING:
        return searched(game, bot, name, seconds, seed, began)
    return played_out(game, name, seed, began)


def searched(game: Game, bot: str, name: str, seconds: float | None, seed: int, began: float) -> Estimate:
    """By a search of its own, however few options there are."""
    variant = game.variant
    root, key = game.states, derive_exact(derive_exact(seed, SEARCH), len(game.actions))
    seat = int(calls.seat(root))
    most = take_apart(variant.game, name).iterations
    tree, done = make_tree(most), 0
    while done < most and (
        seconds is None or done == 0 or (tree.sizes[0] > 1 and time.perf_counter() - began < seconds)
    ):
        more = min(AT_ONCE if seconds is not None else most, most - done)
        ponder(variant, bot_code(variant.game, name), root, key >> 1, done, done + more, tree)
        done += more
    size = int(tree.sizes[0])
    visits, sums = tree.tries[0, :size], tree.values[0, :size, : variant.seats]
    options = []
    for action in np.unique(tree.actions[0, :size]):
        begun_so = tree.actions[0, :size] == action
        tries = int(visits[begun_so].sum())
        value = float(sums[begun_so, seat].sum() / tries) if tries else float("nan")
        options.append(Option(game.rules.text(variant, game.states[0], int(action)), tries, value))
    values = tuple(float(v) for v in sums.sum(axis=0) / max(1, int(visits.sum())))
    return told_of(bot, seat, values, options, int(visits.sum()), began)


def played_out(game: Game, name: str, seed: int, began: float) -> Estimate:
    """By games that the bot plays on in all seats."""
    variant, root = game.variant, game.states
    seat = int(calls.seat(root))
    games = OWN_PLAYOUTS if own_among(variant.game, [name]) else PLAYOUTS
    key = derive_exact(derive_exact(seed, SEARCH), len(game.actions))
    seeds = np.array([derive_exact(key, i) >> 11 for i in range(games)], np.int64)
    codes = np.full((games, variant.seats), bot_code(variant.game, name), np.int64)
    script = np.empty((games, 1), np.int64)
    streams = np.zeros(games, np.int64)
    payoffs = play(variant, seeds, codes, streams, script, root=root, decided=len(game.actions), dealt=True).payoffs
    options = []
    for action in np.unique(script[:, 0]):
        began_so = script[:, 0] == action
        text = game.rules.text(variant, game.states[0], int(action))
        options.append(Option(text, int(began_so.sum()), float(payoffs[began_so, seat].mean())))
    return told_of(name, seat, tuple(float(v) for v in payoffs.mean(axis=0)), options, games, began)


def told_of(
    bot: str, seat: int, values: tuple[float, ...], options: list[Option], visits: int, began: float
) -> Estimate:
    options.sort(key=lambda o: (-o.visits, -o.value if o.visits else 0.0))
    seen = [o for o in options if o.visits] or options
    return Estimate(bot, seat + 1, values, tuple(seen), visits, time.perf_counter() - began)


def answer(game: Game, bot: str) -> str:
    """What a bot plays in a position, as one of `game.legal`; it has not been played yet.

    A bot plays as it does in bulk: from the game's own seed, so that a game of bots comes out as it does there. Only
    here a bot may be named by time, such as `mcts:0.2s`. Refused for a game that is over, and for bots that peek.
    """
    if game.seat is None:
        raise Refused("the game is over: nobody decides")
    name, seconds = check_bot(game, bot, people=True)
    if seconds is not None and len(game.legal) > 1:
        return estimate(game, bot, game.seed or 0).best
    variant = game.variant
    codes = np.full((1, variant.seats), bot_code(variant.game, name), np.int64)
    script = np.empty((1, 1), np.int64)
    play(
        variant, np.array([game.seed or 0], np.int64), codes, np.zeros(1, np.int64), script,
        root=game.states, decided=len(game.actions), most=1,
    )  # fmt: skip
    return game.rules.text(variant, game.states[0], int(script[0, 0]))

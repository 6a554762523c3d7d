"""The compiled loops: games played by bots, and a bot's thoughts on one position."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tkg.bots.search import Tree, restrict, think
from tkg.bots.table import (
    KIND,
    PEEK,
    STYLE_AT,
    STYLE_MASK,
    UCT,
    WORK,
    any_option,
    choose,
    mind_of,
    tree_for,
)
from tkg.rules import verbs
from tkg.rules.chance import BOT, CHANCE, SEARCH, derive, game_seed
from tkg.rules.kernel import loop, records
from tkg.rules.knobs import Variant

COUNTS = ("decisions", "options", "choices")  # by kind: decisions, their options, those with more than one option
NOTHING = np.zeros(0, np.int64)
ALL = 1 << 60  # decisions, more than any game has


@loop
def play_or_think(
    variants, minds, roots, seeds, bots, streams, decided, most, dealt, first, last,
    states, work, tree, payoffs, results, counts, script, tape,
):  # fmt: skip
    """`play` and `ponder` in one: every other entry to the bots would have them all compiled once more.

    With None for the tree it is compiled without what thinks, and random games take half the time.
    """
    variant = variants[0]
    state = states[0]
    if tree is not None:
        if last > 0:
            bot = bots[0, 0]
            kind, style = bot & KIND, bot >> STYLE_AT & STYLE_MASK
            key = np.uint64(seeds[0])
            state = roots[0]
            if first == 0:
                if kind != PEEK:
                    verbs.hide(state, variant, verbs.seat(state), derive(key, SEARCH))
                if style > 0:
                    restrict(state, variant, style)
            think(state, variant, minds[0], kind == UCT, kind == PEEK, style, key, first, last, False, tree, work)
            return
    keys = np.empty(bots.shape[1], np.uint64)
    for i in range(seeds.size):
        for seat in range(keys.size):
            keys[seat] = derive(derive(seeds[i], BOT), streams[i] + seat)
        if roots.size > 0:
            states[0] = roots[0]
            if dealt:
                verbs.hide(state, variant, verbs.seat(state), derive(seeds[i], CHANCE))
        else:
            verbs.start(state, variant, seeds[i], tape)
        decision = 0
        n = verbs.count(state, variant)
        while n > 0 and decision < most:
            seat = verbs.seat(state)
            if bots[i, seat] < 0:  # a bot of the user's own, which Python asks
                break
            tally = counts[i, verbs.kind(state)]
            tally[0] += 1
            tally[1] += n
            tally[2] += n > 1
            key = derive(keys[seat], decided + decision)
            if tree is None:
                action = any_option(state, variant, key)
            else:
                action = choose(state, variant, minds, bots[i, seat], key, tree, work)
            if decision < script.shape[1]:
                script[i, decision] = action
            verbs.play(state, variant, action, tape)
            decision += 1
            n = verbs.count(state, variant)
        verbs.outcome(state, variant, payoffs[i])
        verbs.result(state, variant, results[i])


class Played(NamedTuple):
    """What games have come to, by game."""

    payoffs: Any  # (games, seats): shares of the victory; nothing where a game was not played to its end
    results: Any  # records of the game's RESULT
    counts: Any  # (games, kinds + 1, COUNTS)


class Room(NamedTuple):
    """What playing needs beside what it fills, and can use again."""

    states: Any  # an array of one state
    work: Any
    tree: Tree | None  # None where no bot thinks


def make_room(variant: Variant, bots: Any) -> Room:
    """Room for games of these bots."""
    state = variant.rules.STATE
    return Room(records(state), records(state, WORK), tree_for(bots))


def play(
    variant: Variant,
    seeds: Any,
    bots: Any,
    streams: Any,
    script: Any = None,
    *,
    minds: Any = None,
    root: Any = None,
    decided: int = 0,
    most: int = ALL,
    dealt: bool = False,
    room: Room | None = None,
) -> Played:
    """Games played in this thread, by `bots` (codes by game and seat) from `seeds`, at most so many decisions of each.

    `streams` says for each game from which stream its first seat's bot draws. Actions are written to `script` (games,
    decisions) as far as it reaches. Bots play by the shipped weights unless `minds` are given. With `root`, an
    array of one state, all games go on from there, after `decided` decisions; with `dealt` what the seat that decides
    cannot know is dealt anew for every game. A game stops before the first decision of a bot whose code is below 0.
    With `room` the position that the last game came to is left in its `states`.
    """
    rules, n = variant.rules, len(seeds)
    minds = (mind_of(variant.game) if minds is None else minds).view()
    minds.flags.writeable = False  # as the shipped ones are: compiled code would take others for another type
    script = np.empty((n, 0), np.int64) if script is None else script
    played = Played(
        np.zeros((n, variant.seats)),
        records(rules.RESULT, n),
        np.zeros((n, len(rules.KINDS) + 1, len(COUNTS)), np.int32),
    )
    root = records(rules.STATE, 0) if root is None else root
    room = make_room(variant, bots) if room is None else room
    play_or_think(
        variant.packed, minds, root, seeds, bots, streams, decided, most, dealt, 0, 0,
        *room, played.payoffs, played.results, played.counts, script, NOTHING,
    )  # fmt: skip
    return played


def ponder(
    variant: Variant, bot: int, root: Any, key: int, first: int, last: int, tree: Any, minds: Any = None
) -> None:
    """Let a searching bot go on with the iterations `first` to `last` on a position, into `tree`.

    `root` is an array of one state, which the first call changes into what the bot may see of it; `key` is below 2^63.
    """
    rules = variant.rules
    minds = (mind_of(variant.game) if minds is None else minds).view()
    minds.flags.writeable = False
    play_or_think(
        variant.packed, minds, root, np.array([key], np.int64), np.array([[bot]], np.int64), NOTHING, 0, 0, False,
        first, last, records(rules.STATE), records(rules.STATE, WORK), tree, np.zeros((0, variant.seats)),
        records(rules.RESULT, 0), np.zeros((0, 0, len(COUNTS)), np.int32), np.empty((0, 0), np.int64), NOTHING,
    )  # fmt: skip


@loop
def fill_seeds(run_seed, first, seeds):
    """The seeds of the run's games from number `first` on."""
    for i in range(seeds.size):
        seeds[i] = game_seed(run_seed, first + i)

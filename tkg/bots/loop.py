"""The compiled loops: games played by bots, and a bot's thoughts on one position."""

import numpy as np

from tkg.bots.search import Tree, think
from tkg.bots.table import KIND, PEEK, STYLE_AT, STYLE_MASK, UCT, choose
from tkg.rules import verbs
from tkg.rules.chance import BOT, derive, game_seed
from tkg.rules.kernel import loop

COUNTS = ("decisions", "options", "choices")  # by kind: decisions, their options, those with more than one option
NO_SEEDS, NO_COUNTS, NO_PAYOFFS = np.zeros(0, np.int64), np.zeros((0, 0, 3), np.int32), np.zeros((0, 0))


@loop
def play_or_think(
    variants, minds, seeds, bots, streams, states, work, tree, tape, payoffs, results, counts, script, key, first, last
):
    """Both uses in one: every other entry to the bots would have them all compiled once more.

    Without `seeds` a bot thinks on: `ponder`. Else `play_games`.
    """
    variant = variants[0]
    state = states[0]
    if seeds.size == 0:
        bot = bots[0, 0]
        kind, style = bot & KIND, bot >> STYLE_AT & STYLE_MASK
        think(state, variant, minds[0], kind == UCT, kind == PEEK, style, key, first, last, False, tree, work[1:])
        return
    keys = np.empty(bots.shape[1], np.uint64)
    for i in range(seeds.size):
        for seat in range(keys.size):
            keys[seat] = derive(derive(seeds[i], BOT), streams[i] + seat)
        verbs.start(state, variant, seeds[i], tape)
        decision = 0
        n = verbs.count(state, variant)
        while n > 0:
            tally = counts[i, verbs.kind(state)]
            tally[0] += 1
            tally[1] += n
            tally[2] += n > 1
            seat = verbs.seat(state)
            action = choose(state, variant, minds, bots[i, seat], derive(keys[seat], decision), tree, work)
            if decision < script.size:
                script[decision] = action
            verbs.play(state, variant, action, tape)
            decision += 1
            n = verbs.count(state, variant)
        verbs.outcome(state, variant, payoffs[i])
        verbs.result(state, variant, results[i])


def play_games(
    variants, minds, seeds, bots, streams, states, work, tree, tape, payoffs, results, counts, script
) -> None:
    """Play game after game into rows of `payoffs`, `results` and `counts` (kind, one of COUNTS).

    `bots` has a code by game and seat; `streams` says for each game from which stream its first seat's bot draws.
    Actions are written to `script` as far as it reaches.
    """
    play_or_think(
        variants, minds, seeds, bots, streams, states, work, tree, tape, payoffs, results, counts, script,
        np.uint64(0), 0, 0,
    )  # fmt: skip


def ponder(variants, minds, bot: int, states, results, work, tree: Tree, key: int, first: int, last: int) -> None:
    """Let a searching bot go on with the iterations `first` to `last` on the position `states`, into `tree`.

    The position is the bot's to see: `hide` and its style have been applied to it. `results` is an array of the game's
    RESULT records, of which none is written.
    """
    play_or_think(
        variants, minds, NO_SEEDS, np.array([[bot]], np.int64), NO_SEEDS, states, work, tree, NO_SEEDS,
        NO_PAYOFFS, results, NO_COUNTS, NO_SEEDS, np.uint64(key), first, last,
    )  # fmt: skip


@loop
def fill_seeds(run_seed, first, seeds):
    """The seeds of the run's games from number `first` on."""
    for i in range(seeds.size):
        seeds[i] = game_seed(run_seed, first + i)

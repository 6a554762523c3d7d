"""The compiled loop in which bots play games: generic over games, and the one entry to all bots."""

import numpy as np

from tkg.bots.table import choose
from tkg.rules import verbs
from tkg.rules.chance import BOT, derive, game_seed
from tkg.rules.kernel import loop

COUNTS = ("decisions", "options", "choices")  # by kind: decisions, their options, those with more than one option


@loop
def play_games(variants, seeds, bots, streams, states, work, tape, payoffs, results, counts, script):
    """Play game after game into rows of `payoffs`, `results` and `counts` (kind, one of COUNTS).

    `bots` has a code by game and seat; `streams` says for each game from which stream its first seat's bot draws.
    Actions are written to `script` as far as it reaches. The one entry to all bots, since every other would have them
    all compiled once more.
    """
    variant = variants[0]
    state = states[0]
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
            action = choose(state, variant, bots[i, seat], derive(keys[seat], decision), work)
            if decision < script.size:
                script[decision] = action
            verbs.play(state, variant, action, tape)
            decision += 1
            n = verbs.count(state, variant)
        verbs.outcome(state, variant, payoffs[i])
        verbs.result(state, variant, results[i])


@loop
def fill_seeds(run_seed, first, seeds):
    """The seeds of the run's games from number `first` on."""
    for i in range(seeds.size):
        seeds[i] = game_seed(run_seed, first + i)

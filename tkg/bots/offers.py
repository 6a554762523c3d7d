"""What a bot thinks of playing: the best few options of a decision, each with what it is worth, best first."""

from collections import namedtuple

import numpy as np

from tkg.rules.chance import below
from tkg.rules.kernel import kernel

MOST_OFFERS = 24

Offers = namedtuple(
    "Offers",
    (
        "actions",
        "rests",  # what the bot means to play after each, in the game's own code; 0 for nothing
        "scores",  # in the units of the game's evaluation
        "size",  # of one entry: how many there are
    ),
)


def no_offers() -> Offers:
    """Room for MOST_OFFERS."""
    return Offers(
        np.zeros(MOST_OFFERS, np.int64), np.zeros(MOST_OFFERS, np.int64), np.zeros(MOST_OFFERS), np.zeros(1, np.int64)
    )


@kernel
def bar(offers, most):
    """What a further option must be worth more than, if the best `most` are wanted."""
    return offers.scores[most - 1] if offers.size[0] == most else -np.inf


@kernel
def offer(offers, most, action, rest, score):
    """Put an option in its place among the best `most`; the first of equals stays first."""
    n = offers.size[0]
    if n == most:
        if score <= offers.scores[n - 1]:
            return
        n -= 1
    i = n
    while i > 0 and offers.scores[i - 1] < score:
        offers.actions[i] = offers.actions[i - 1]
        offers.rests[i] = offers.rests[i - 1]
        offers.scores[i] = offers.scores[i - 1]
        i -= 1
    offers.actions[i], offers.rests[i], offers.scores[i] = action, rest, score
    offers.size[0] = n + 1


@kernel
def luck(key, place):
    """Next to nothing, to put equals in an order drawn by lot."""
    return 1e-9 * below(key, place, 1 << 20)


@kernel
def share_out(values, seats):
    """Turn how well each seat stands into shares of the victory that add up to 1: their softmax."""
    most = -np.inf
    for s in range(seats):
        most = max(most, values[s])
    total = 0.0
    for s in range(seats):
        values[s] = np.exp(values[s] - most)
        total += values[s]
    for s in range(seats):
        values[s] /= total

"""The verbs as Python calls them: on arrays of one record, since a scalar record cannot cross into compiled code well."""

import numpy as np

from tkg.rules import verbs
from tkg.rules.kernel import loop

SILENT = np.empty(0, np.int64)  # the tape to which nobody listens


@loop
def start(states, variants, seed, tape):
    verbs.start(states[0], variants[0], seed, tape)


@loop
def play(states, variants, action, tape):
    verbs.play(states[0], variants[0], action, tape)


@loop
def options(states, variants):
    """Every legal action, in the rules' order."""
    state = states[0]
    variant = variants[0]
    n = verbs.count(state, variant)
    found = np.empty(n, np.int64)
    for k in range(n):
        found[k] = verbs.nth(state, variant, k)
    return found


@loop
def outcome(states, variants, payoffs):
    return verbs.outcome(states[0], variants[0], payoffs)


@loop
def result(states, variants, out):
    verbs.result(states[0], variants[0], out[0])


@loop
def seat(states):
    return verbs.seat(states[0])


@loop
def kind(states):
    return verbs.kind(states[0])


@loop
def hide(states, variants, seat, key):
    verbs.hide(states[0], variants[0], seat, np.uint64(key))


@loop
def reopen(states, variants):
    verbs.reopen(states[0], variants[0])


@loop
def sight(states, variants):
    return verbs.sight(states[0], variants[0])

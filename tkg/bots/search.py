"""One search for all games: information-set PUCT over payoff vectors.

Every iteration deals anew what the searching seat cannot know and walks down a tree that all dealings share. A node
is what the seat that decides there knows (`sight`), so nobody chooses by what is hidden from it, bids of one bidding
meet without knowledge of each other, and two ways to one position share their node. A game may let a node stand for
more than one thing that its seat may know, where the options are the same (`sight`). What other seats do on average is
learnt against dealings in which the searching seat holds what it does hold, as in all searches of this kind. A node keeps the best few options
of the game's own evaluation (`propose`), which is the prior; greedy players play a new node on for some turns or to the
end, and what is then not over is judged by the game (`assess`). Every node maximises the payoff of its own seat, of any number of seats.

Sources: Cowling, Powley, Whitehouse 2012, "Information Set Monte Carlo Tree Search" (dealing anew at every iteration,
one tree); Rosin 2011, "Multi-armed bandits with episode context" (PUCB); Silver and others 2017, "Mastering the game of
Go without human knowledge" (its use in a tree, and judging positions instead of playing them out).
"""

from collections import namedtuple

import numpy as np

from tkg.bots.offers import MOST_OFFERS, no_offers
from tkg.rules import verbs
from tkg.rules.chance import UNTOLD, below, derive
from tkg.rules.kernel import kernel, routine, verb

MOST_SEATS = 4
NO_PLAYOUT = -1.0  # as `plies`: a blind search takes every new position for level, so only the tree takes time
# Nodes beside one an iteration and the root: where secret decisions are begun anew, those of the seats before, each of
# which holds one of up to seven hands.
MOST_BEFORE = (MOST_SEATS - 1) * 7
MOST_PATH = 128  # decisions on the way down the tree; a longer way is judged where it is

propose = verb("propose", "state, variant, mind, style, key, most, offers, work")
"""Fill in the best `most` of the options that the style has left, each with what it is worth; at least one."""

carry = verb("carry", "state, variant, mind, style, action, rest, tape, work")
"""Play an action that was proposed, and what the bot means to play after it."""

assess = verb("assess", "state, variant, mind, best, work, values")
"""Fill in the payoff that each seat can expect; `best` is what the best proposal of the seat that decides is worth."""

restrict = verb("restrict", "state, variant, style")
"""Take away the options of the decision at hand that a style does not play, but never all of them."""

Tree = namedtuple(
    "Tree",
    (
        "slots",  # from hashed sights to nodes, counted from 1
        "sights",  # by node
        "seats",  # by node: who decides
        "sizes",  # by node: options
        "visits",  # by node: iterations that went on through it
        "actions",  # by node and option
        "rests",
        "priors",
        "tries",
        "values",  # by node, option and seat: the sum of payoffs
        "used",  # of one entry: nodes
        "path",  # of an iteration: node and option
        "payoffs",  # of an iteration
        "offers",
        "tape",  # nobody listens
    ),
)


def make_tree(iterations: int) -> Tree:
    """Room for a search of so many iterations."""
    n = iterations + 1 + MOST_BEFORE
    slots = 1 << (2 * n - 1).bit_length()
    by_option = (n, MOST_OFFERS)
    return Tree(
        np.zeros(slots, np.int32),
        np.zeros(n, np.uint64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(by_option, np.int64),
        np.zeros(by_option, np.int64),
        np.zeros(by_option),
        np.zeros(by_option, np.int64),
        np.zeros((*by_option, MOST_SEATS)),
        np.zeros(1, np.int64),
        np.zeros((MOST_PATH, 2), np.int64),
        np.zeros(MOST_SEATS),
        no_offers(),
        np.zeros(0, np.int64),
    )


# --- Nodes ----------------------------------------------------------------------------------------------------


@kernel
def slot_of(tree, sight):
    """The slot that holds the node of a sight, or the empty one where it belongs."""
    last = tree.slots.size - 1
    slot = np.int64(sight >> np.uint64(20)) & last
    while tree.slots[slot] > 0 and tree.sights[tree.slots[slot] - 1] != sight:
        slot = (slot + 1) & last
    return slot


@kernel
def add_node(tree, slot, sight, seat, mind, key):
    """A node with the options that stand in `tree.offers`; nearly level priors are put apart by lot."""
    node = tree.used[0]
    tree.used[0] += 1
    tree.slots[slot] = node + 1
    tree.sights[node] = sight
    tree.seats[node] = seat
    tree.visits[node] = 0
    n = tree.offers.size[0]
    tree.sizes[node] = n
    total = 0.0
    for i in range(n):
        prior = np.exp((tree.offers.scores[i] - tree.offers.scores[0]) / mind.heat) + 1e-3
        prior *= 1.0 + 1e-5 * below(key, i, 1000)
        total += prior
        tree.actions[node, i] = tree.offers.actions[i]
        tree.rests[node, i] = tree.offers.rests[i]
        tree.priors[node, i] = prior
        tree.tries[node, i] = 0
        for s in range(MOST_SEATS):
            tree.values[node, i, s] = 0.0
    for i in range(n):
        tree.priors[node, i] /= total


@kernel
def select(tree, node, mind):
    """The option of a node that PUCT tries next."""
    seat, visits = tree.seats[node], tree.visits[node]
    so_far = 0.0
    for i in range(tree.sizes[node]):
        so_far += tree.values[node, i, seat]
    untried = so_far / visits - mind.caution if visits else 0.5
    weight = mind.explore * np.sqrt(visits + 1.0)
    best, chosen = -np.inf, 0
    for i in range(tree.sizes[node]):
        tries = tree.tries[node, i]
        worth = tree.values[node, i, seat] / tries if tries else untried
        worth += weight * tree.priors[node, i] / (1 + tries)
        if worth > best:
            best, chosen = worth, i
    return chosen


@kernel
def back_up(tree, length):
    """Add what an iteration has brought to the options on its way."""
    for at in range(length):
        node, i = tree.path[at, 0], tree.path[at, 1]
        tree.visits[node] += 1
        tree.tries[node, i] += 1
        for s in range(MOST_SEATS):
            tree.values[node, i, s] += tree.payoffs[s]


# --- Options and playouts -------------------------------------------------------------------------------------


@routine
def any_options(state, variant, key, offers):
    """Options without an evaluation: all of them, or one drawn from each of MOST_OFFERS equal parts of their list."""
    n = verbs.count(state, variant)
    size = min(n, MOST_OFFERS)
    offers.size[0] = size
    for i in range(size):
        low, high = i * n // size, (i + 1) * n // size
        offers.actions[i] = verbs.nth(state, variant, low + below(key, i, high - low))
        offers.rests[i] = 0
        offers.scores[i] = 0.0


@routine
def play_at_random(state, variant, key, tree):
    """Play on to the end at random."""
    n = verbs.count(state, variant)
    i = 0
    while n > 0:
        verbs.play(state, variant, verbs.nth(state, variant, below(key, i, n)), tree.tape)
        n = verbs.count(state, variant)
        i += 1
    verbs.outcome(state, variant, tree.payoffs)


@routine
def think(root, variant, mind, blind, peeks, style, key, first, last, hasty, tree, work):
    """Search from `root`, which is the seat's to imagine, in iterations `first` to `last`; how many there were.

    Node 0 is the decision at hand. With `first` at 0 the tree is begun anew. A `blind` search has no evaluation and
    plays to the end at random; one that `peeks` deals nothing anew; a `hasty` one stops when the rest cannot change
    which option is tried most.
    """
    state = work[0]
    me = verbs.seat(root)
    if first == 0:
        for i in range(tree.slots.size):
            tree.slots[i] = 0
        tree.used[0] = 0
        for s in range(MOST_SEATS):
            tree.payoffs[s] = 0.0
        work[0] = root
        if blind:
            any_options(state, variant, key, tree.offers)
        else:
            propose(state, variant, mind, style, key, np.int64(mind.width), tree.offers, work[1:])
        sight = verbs.sight(root, variant)
        add_node(tree, slot_of(tree, sight), sight, me, mind, key)
    capacity = tree.sights.size
    for iteration in range(first, last):
        luck = derive(key, iteration)
        work[0] = root
        if not peeks:
            verbs.hide(state, variant, me, luck)
            verbs.reopen(state, variant)
        length = 0
        reached = False  # the decision at hand; decisions made anew may come before it
        while True:
            if verbs.count(state, variant) == 0:
                verbs.outcome(state, variant, tree.payoffs)
                break
            sight = verbs.sight(state, variant)
            slot = slot_of(tree, sight)
            own = style if verbs.seat(state) == me else np.int64(0)
            if own > 0:
                restrict(state, variant, own)
            new = tree.slots[slot] == 0 and tree.used[0] < capacity
            if new:
                if blind:
                    any_options(state, variant, luck, tree.offers)
                else:
                    propose(state, variant, mind, own, luck, np.int64(mind.width), tree.offers, work[1:])
                add_node(tree, slot, sight, verbs.seat(state), mind, luck)
            if tree.slots[slot] > 0 and length < MOST_PATH and not (new and reached):
                node = tree.slots[slot] - 1
                reached = reached or node == 0
                i = select(tree, node, mind)
                tree.path[length, 0], tree.path[length, 1] = node, i
                length += 1
                action = tree.actions[node, i]
                if blind:
                    verbs.play(state, variant, action, tree.tape)
                else:
                    carry(state, variant, mind, own, action, tree.rests[node, i], tree.tape, work[1:])
                continue
            if blind:
                if mind.plies == NO_PLAYOUT:
                    for s in range(MOST_SEATS):
                        tree.payoffs[s] = 1.0 / MOST_SEATS
                else:
                    play_at_random(state, variant, derive(luck, UNTOLD), tree)
                break
            plies = mind.plies
            if not new:
                propose(state, variant, mind, own, luck, np.int64(1), tree.offers, work[1:])
            while plies >= 1.0:
                plies -= 1.0
                carry(state, variant, mind, own, tree.offers.actions[0], tree.offers.rests[0], tree.tape, work[1:])
                if verbs.count(state, variant) == 0:
                    break
                own = style if verbs.seat(state) == me else np.int64(0)
                if own > 0:
                    restrict(state, variant, own)
                propose(state, variant, mind, own, luck, np.int64(1), tree.offers, work[1:])
            if verbs.count(state, variant) == 0:
                verbs.outcome(state, variant, tree.payoffs)
            else:
                assess(state, variant, mind, tree.offers.scores[0], work[1:], tree.payoffs)
            break
        back_up(tree, length)
        if hasty and settled(tree, last - iteration - 1):
            return iteration + 1
    return last


@kernel
def settled(tree, left):
    """Whether so many more iterations cannot change which option is tried most."""
    most = second = 0
    for i in range(tree.sizes[0]):
        tries = tree.tries[0, i]
        if tries > most:
            most, second = tries, most
        elif tries > second:
            second = tries
    return tree.sizes[0] == 1 or most - second > left


@kernel
def best_tried(tree):
    """The option at hand that was tried most; of those tried as often, the one that brought more."""
    seat, best = tree.seats[0], 0
    for i in range(1, tree.sizes[0]):
        more = tree.tries[0, i] - tree.tries[0, best]
        if more > 0 or (more == 0 and tree.values[0, i, seat] > tree.values[0, best, seat]):
            best = i
    return best

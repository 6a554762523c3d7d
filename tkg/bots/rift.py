"""Bots of A Rift of Portals: one that plans whole turns, and one that builds nothing.

Nothing is hidden within a turn, so a plan is a whole turn: gain, then build, replace or refuse, then a refusal
or moves. Moves are filled in by a rule, since enumerating them would multiply the plans.
"""

from collections import namedtuple
from typing import Any

import numpy as np

from tkg.bots.minds import mind_dtype
from tkg.bots.offers import bar, offer
from tkg.rules.bits import count_bits, nth_bit
from tkg.rules.kernel import kernel, routine
from tkg.rules.rift import (
    AGAIN,
    ANY_ELEMENT,
    ANY_NEIGHBOUR,
    BUILD,
    DO_BUILD,
    DO_GAIN,
    DO_KEEP,
    DO_MOVE,
    DO_REFUSE,
    DO_REPLACE,
    EACH,
    ELEMENT,
    FREE,
    GAIN,
    GATE,
    HAND,
    KEEP,
    MOST_CELLS,
    MOVE,
    NONE,
    OFF,
    STAY,
    action_of,
    begin_move,
    drop,
    equal_sides,
    find_options,
    gain,
    last_tile,
    may_leave,
    move_oink,
    next_insignia,
    nth,
    place,
    play,
    total,
)

# --- Building nothing -----------------------------------------------------------------------------------------


@kernel
def brings(state, variant, tile):
    """How many Oinks the supply can still give for a tile."""
    n = 0
    for e in range(4):
        n += min(np.int64(variant.insignias[tile, e]), np.int64(state.supply[e]))
    return n


@routine
def hoarder(state, variant):
    """Builds nothing: keeps and gains what brings most, refuses what brings fewest; the first of equals.

    Where `shortfall: illegal` lists no refusal, the first option is all that is left.
    """
    if state.phase == MOVE or state.takes == 0:
        return nth(state, variant, 0)
    best = NONE
    most = 0
    for i in range(HAND):
        if state.takes >> i & 1:
            n = brings(state, variant, np.int64(state.hand[i]))
            if state.phase == BUILD:
                n = -n
            if best == NONE or n > most:
                best, most = np.int64(state.hand[i]), n
    verb = DO_KEEP if state.phase == KEEP else DO_GAIN if state.phase == GAIN else DO_REFUSE
    return action_of(verb, 0, best, 0)


# --- What the rest of the game may bring ----------------------------------------------------------------------

MOST_WEIGHT = 36  # insignias on one tile: nine of each element
ANY_WEIGHT = MOST_WEIGHT + 1  # the row of `counts` that adds up all weights
SETS = 16  # sets of elements, a bit for each element
SHARING = tuple(sum(1 << t for t in range(SETS) if t & s) for s in range(SETS))  # the sets that meet a set, as a mask

Outlook = namedtuple(
    "Outlook",
    (
        "turns",  # after this one
        "all_turns",
        "mean",  # weight of a tile of the deck
        "gained",  # weight to be expected of the heaviest tile of a hand
        "refused",  # and of the lightest
        "tiles",  # in the stack
        "lightest",  # of them
        "heaviest",
        "counts",  # tiles of the stack by weight and set of elements
        "risks",  # by element and k, about the chance that tiles with it come up in fewer than k of the turns left
    ),
)


@routine
def look_out(state, variant):
    """What is known of the stack, which is what it holds and not its order."""
    tiles = np.int64(variant.tiles) - state.drawn
    turns = tiles // HAND
    counts = np.zeros((MOST_WEIGHT + 2, SETS), np.int64)
    lightest, heaviest = MOST_WEIGHT, 0
    for i in range(np.int64(state.drawn), np.int64(variant.tiles)):
        tile = np.int64(state.deck[i])
        weight = np.int64(variant.weight[tile])
        counts[weight, variant.elements[tile]] += 1
        counts[ANY_WEIGHT, variant.elements[tile]] += 1
        lightest = min(lightest, weight)
        heaviest = max(heaviest, weight)

    gained = refused = 0.0
    lighter = 0
    for weight in range(1, heaviest + 1):
        for s in range(SETS):
            lighter += counts[weight - 1, s]
        share = lighter / tiles
        gained += 1.0 - share * share * share
        refused += (1.0 - share) * (1.0 - share) * (1.0 - share)

    risks = np.zeros((4, turns + 2))
    for e in range(4):
        without = 0
        for s in range(SETS):
            if not s >> e & 1:
                without += counts[ANY_WEIGHT, s]
        share = without / max(1, tiles)
        risks[e, turns + 1] = 1.0
        for k in range(turns, 0, -1):
            risks[e, k] = risks[e, k + 1] * share * share * share

    weight = 0
    for i in range(variant.tiles):
        weight += np.int64(variant.weight[variant.deck[i]])
    mean = max(1.0, weight / np.int64(variant.tiles))
    all_turns = max(1, (np.int64(variant.tiles) - variant.set_up) // HAND)
    return Outlook(turns, all_turns, mean, gained, refused, tiles, lightest, heaviest, counts, risks)


@kernel
def fitting_sets(state, variant, cell):
    """The sets of elements that a tile built on a cell, or put in place of another, may bear: as a mask."""
    every = (1 << SETS) - 1
    near = np.int64(variant.near[cell] & state.built)
    if state.built >> cell & 1:
        if variant.replace == OFF:
            return 0
        if variant.replace == FREE or near == 0:
            return every
    each, some, common = every, 0, SETS - 1
    for c in range(variant.cells):
        if near >> c & 1:
            borne = np.int64(variant.elements[state.board[c]])
            each &= SHARING[borne]
            some |= SHARING[borne]
            common &= borne
    if variant.build_match == EACH:
        return each
    if variant.build_match == ANY_NEIGHBOUR:
        return some
    return SHARING[common]


@routine
def tiles_fitting(state, variant, outlook, cell, weight):
    """How many tiles of the stack have this weight and may go on a cell."""
    fitting = fitting_sets(state, variant, cell)
    n = 0
    for s in range(SETS):
        if fitting >> s & 1:
            n += outlook.counts[weight, s]
    return n


@kernel
def balancing_weight(state, variant, cell):
    """The weight on a cell, whatever lies there now, with which the sides are equal; NONE if there is none."""
    low_on, high_on, low_off, high_off = 1 << 20, 0, 1 << 20, 0
    for side in range(4):
        others = np.int64(variant.sides[side]) & np.int64(state.built) & ~(1 << cell)
        n = 0
        for c in range(variant.cells):
            if others >> c & 1:
                n += np.int64(variant.weight[state.board[c]])
        if variant.sides[side] >> cell & 1:
            low_on, high_on = min(low_on, n), max(high_on, n)
        else:
            low_off, high_off = min(low_off, n), max(high_off, n)
    weight = low_off - low_on
    if low_on != high_on or low_off != high_off or weight < 0 or weight > MOST_WEIGHT:
        return NONE
    return weight


@routine
def balance_chance(state, variant, outlook, empty):
    """About the chance that one more tile makes the sides equal: on the one empty cell, or else in place of another.

    Of the tiles dealt in the turns left, two in three can be built.
    """
    most = 0
    for c in range(variant.cells):
        if empty == 0 or not state.built >> c & 1:
            weight = balancing_weight(state, variant, c)
            if weight != NONE:
                most = max(most, tiles_fitting(state, variant, outlook, c, weight))
    expected = 2.0 * outlook.turns * most / max(1, outlook.tiles)
    return expected / (1.0 + expected)


# --- Evaluation at the end of a turn --------------------------------------------------------------------------

# In the order of `weights/rift.json`, which tells how they were found.
MIND = mind_dtype(
    "empty", "spread", "spread_now", "gap", "unmended", "last", "frontier",
    "lack", "burden", "burden_rate", "risk", "short", "beyond", "margin", "hinge", "hinge_base", "hinge_rate",
    "level", "score",
)  # fmt: skip
SCORED = 20.0  # worth of a plan beyond which the game is no more likely to be won
WON = 1000.0


@routine
def shape(state, variant, mind, outlook):
    """How good the tiles on the ring are at the end of a turn, whatever the next hand is.

    Weights are counted in mean tiles, so that decks of light and of heavy tiles compare.
    """
    built = np.int64(state.built)
    empty = np.int64(variant.cells) - count_bits(built)
    low = high = 0.0
    least = most = floor = ceiling = 0
    for side in range(4):
        on_side = np.int64(variant.sides[side])
        n = 0
        for c in range(variant.cells):
            if on_side & built & 1 << c:
                n += np.int64(variant.weight[state.board[c]])
        left_open = count_bits(on_side & ~built)
        expected = n + outlook.mean * left_open
        lower, upper = n + outlook.lightest * left_open, n + outlook.heaviest * left_open
        if side == 0:
            low = high = expected
            least = most = n
            floor, ceiling = lower, upper
        else:
            low, high = min(low, expected), max(high, expected)
            least, most = min(least, n), max(most, n)
            floor, ceiling = max(floor, lower), min(ceiling, upper)

    value = -mind.empty * empty
    value -= (mind.spread / (1 + empty) + mind.spread_now) * (high - low) / outlook.mean
    value -= mind.gap * max(0, floor - ceiling) / outlook.mean
    if empty == 1 or (empty == 0 and least != most):
        weight = mind.last if empty else mind.unmended
        value -= weight * (1.0 - balance_chance(state, variant, outlook, empty))
    if outlook.tiles > 0:
        for c in range(variant.cells):
            if not built >> c & 1 and np.int64(variant.near[c]) & built:
                fitting = tiles_fitting(state, variant, outlook, c, ANY_WEIGHT)
                value -= mind.frontier * (1.0 - fitting / outlook.tiles)
    return value


@routine
def flow(state, variant, mind, outlook):
    """How well the Oinks stand at the end of a turn, or WON if this is the end of a game that is won."""
    turns, mean = outlook.turns, outlook.mean
    built = np.int64(state.built)
    empty = np.int64(variant.cells) - count_bits(built)
    lacking = spare = extra = short = beyond = 0
    burden = risk = 0.0
    for e in range(4):
        lacks = spares = 0
        for c in range(variant.cells):
            if built >> c & 1:
                borne = np.int64(variant.insignias[state.board[c], e])
                oinks = np.int64(state.oinks[c, e])
                wanted = min(1, borne) if variant.coverage == ELEMENT else borne
                lacks += max(0, wanted - oinks)
                spares += max(0, oinks - wanted)
                if borne == 0 or variant.excess != STAY:
                    extra += max(0, oinks - borne)
        risk += outlook.risks[e, min(lacks, turns + 1)]
        burden += max(0.0, lacks / mean - mind.burden_rate * turns)
        missing = lacks - spares - state.gate[e]
        lacking += lacks
        spare += min(spares, lacks)
        short += max(0, missing)
        beyond += max(0, missing - state.supply[e])

    gate, void = total(state.gate), total(state.void)
    if turns == 0 and lacking == 0 and gate >= void + extra and equal_sides(state, variant):
        if empty == 0 or not variant.full_boundary:
            return WON

    value = -mind.lack * (1.0 - turns / outlook.all_turns) * lacking / mean
    value -= mind.burden * burden + mind.risk * risk
    value -= mind.short * short / mean + mind.beyond * beyond / mean

    # A turn brings its heaviest tile to the gate and, if nothing is built, its lightest to the void.
    gains, refusals = turns * outlook.gained, max(0, turns - empty) * outlook.refused
    lasting = min(1.0, total(state.supply) / max(1.0, gains + refusals))
    coming = lasting * (gains - refusals) / mean - empty
    margin = (gate - void - (lacking - spare) - max(0, extra - spare)) / mean
    value += mind.margin * margin
    value -= mind.hinge * max(0.0, mind.hinge_base + mind.hinge_rate * turns - margin - coming)
    return value


@kernel
def most_flow(state, mind, outlook):
    """What `flow` cannot exceed at the end of a turn that goes on from here.

    Nothing can be gained any more, no term but the margin can add anything, and WON is for the last turn alone.
    """
    if outlook.turns == 0:
        return np.inf
    return mind.margin * (total(state.gate) - total(state.void)) / outlook.mean


# --- Filling in moves -----------------------------------------------------------------------------------------

# What a single move is, best first: an Oink not needed where it stands comes to where it is; one from the gate does;
# the first half of an exchange between neighbours; one of no consequence; and two that cost something.
TO_NEED, GATE_TO_NEED, EXCHANGE, SHIFT, CHEAP, DEAR, UNKNOWN = range(7)


@routine
def next_move(state, variant, from_gate):
    """(the single move for the next insignia that costs least, whether it costs something).

    Where each costs something, `from_gate` says what is preferred: an Oink from the gate that is not needed anywhere,
    or one taken from a tile that needs it.
    """
    built = np.int64(state.built)
    serves = np.int64(state.serves)
    left = total(state.need) if variant.tile_moves == ANY_ELEMENT else np.int64(state.need[state.element])
    best, element, source, target = UNKNOWN, 0, 0, 0
    for e in range(4):
        gate_serves = serves & 16 and e == state.element
        tiles_serve = serves >> e & 1
        if not gate_serves and not tiles_serve:
            continue
        lacks = spares = free = 0
        for c in range(variant.cells):
            if built >> c & 1:
                wanted = np.int64(variant.insignias[state.board[c], e])
                if variant.coverage == ELEMENT:
                    wanted = min(1, wanted)
                oinks = np.int64(state.oinks[c, e])
                lacks |= np.int64(oinks < wanted) << c
                if tiles_serve and may_leave(state, variant, c, e) > 0:
                    free |= 1 << c
                    spares |= np.int64(oinks > wanted) << c
        if gate_serves:
            how = GATE_TO_NEED if lacks else CHEAP if from_gate else DEAR
            if how < best:
                best, element, source, target = how, e, GATE, nth_bit(lacks if lacks else built, 0)
        for c in range(variant.cells):
            near = np.int64(variant.near[c]) & built
            if not free >> c & 1 or near == 0:
                continue
            to = near & lacks
            if spares >> c & 1 and to:
                how = TO_NEED
            elif left >= 2 and (near & free or variant.hop == AGAIN):
                how = EXCHANGE
                to = near & free
            elif spares >> c & 1 or to:
                how = SHIFT
            else:
                how = DEAR if from_gate else CHEAP
            if how < best:
                best, element, source, target = how, e, c, nth_bit(to if to else near, 0)
    return action_of(DO_MOVE, element, source, target), best >= CHEAP


# --- Building or not ------------------------------------------------------------------------------------------

HOARD = 2.0  # gate minus void, at the end, from which building nothing wins more often than building does


@kernel
def hoarding(state, variant, outlook):
    """Whether to build nothing, where the ring need not be full.

    While the supply lasts, a turn brings one tile's Oinks to the gate and those of two to the void. As it runs out,
    about two tiles more can be had by choosing what it can still give. A ring begun late is seldom finished, and one
    that would take half of all Oinks seldom matched.
    """
    if variant.full_boundary or state.built:
        return False
    turns = np.int64(outlook.turns)
    cells = np.int64(variant.cells)
    if 3 * turns < 4 * cells or total(variant.supply) < 2 * cells * outlook.mean:
        return True
    margin = 1.0 * (total(state.gate) - total(state.void))
    if state.phase == KEEP:
        margin += outlook.gained
    elif state.phase == GAIN:
        turns += 1
    else:
        for i in range(HAND):
            if state.hand[i] != NONE:
                margin -= brings(state, variant, np.int64(state.hand[i]))
    supply = total(state.supply)
    each_turn = 2.0 * outlook.gained - 3.0 * outlook.mean
    lasting = supply / (3.0 * outlook.mean)
    if lasting < turns:
        coming = min(lasting * each_turn + 2.0 * outlook.mean, supply / 5.0)
    else:
        coming = turns * each_turn
    return margin + coming >= HOARD - state.turn


# --- Planning a turn ------------------------------------------------------------------------------------------


@routine
def look_up(state, variant, style):
    """Find the options of a position on the way through a plan, less those that a style does not play."""
    find_options(state, variant)
    if style > 0:
        restrict(state, variant, style)


@routine
def best_ending(work, variant, mind, outlook, style):
    """(`flow` after the best Move action, its first action, its `from_gate`) in the position `work[1]`, which is changed."""
    placed, ended = work[1], work[2]
    if not next_insignia(placed):
        return flow(placed, variant, mind, outlook), NONE, 0
    look_up(placed, variant, style)
    best, chosen, way = -np.inf, NONE, 0
    if placed.serves:
        for from_gate in range(2):
            work[2] = placed
            begun = costly = False
            first = NONE
            while next_insignia(ended):
                if begun:
                    look_up(ended, variant, style)
                action, costs = next_move(ended, variant, from_gate)
                if not begun:
                    first = action
                begun = True
                costly = costly or costs
                move_oink(ended, action >> 16 & 255, action >> 8 & 255, action & 255)
            value = flow(ended, variant, mind, outlook)
            if value > best:
                best, chosen, way = value, first, from_gate
            if not costly:
                break  # the gate would have been used in the same way
    if placed.takes:
        tile = last_tile(placed)
        gain(placed, variant, tile, placed.void)
        value = flow(placed, variant, mind, outlook)
        if value > best:
            best, chosen = value, action_of(DO_REFUSE, 0, tile, 0)
    return best, chosen, way


@kernel
def propose_builds(work, variant, mind, outlook, style, gaining, shapes, most, offers):
    """Offer the plans from the Build decision `work[0]`, behind the Gain action `gaining` if that comes first.

    `shapes` remembers `shape` by place in hand and cell, since plans that gain different tiles build the same.
    """
    gained, placed = work[0], work[1]
    for i in range(HAND):
        tile = np.int64(gained.hand[i])
        for cell in range(-1, np.int64(variant.cells)):  # -1 is a refusal
            if not (gained.takes >> i & 1 if cell < 0 else gained.fits[i] >> cell & 1):
                continue
            known = 0 if cell < 0 else 1 + i * MOST_CELLS + cell
            if shapes[known] + most_flow(gained, mind, outlook) <= bar(offers, most):
                continue
            work[1] = gained
            if cell < 0:
                action = action_of(DO_REFUSE, 0, tile, 0)
                gain(placed, variant, tile, placed.void)
            else:
                action = action_of(DO_REPLACE if gained.built >> cell & 1 else DO_BUILD, 0, tile, cell)
                place(placed, variant, tile, cell)
            if np.isnan(shapes[known]):
                shapes[known] = shape(placed, variant, mind, outlook)
            if shapes[known] + most_flow(placed, mind, outlook) <= bar(offers, most):
                continue
            drop(placed, tile)
            begin_move(placed, variant)
            value = shapes[known] + best_ending(work, variant, mind, outlook, style)[0]
            if gaining:
                offer(offers, most, gaining, action, value)
            else:
                offer(offers, most, action, 0, value)


@routine
def propose_plans(state, variant, mind, style, outlook, most, offers, work):
    """Offer the best `most` plans, none if that is 0."""
    if most == 0:
        return
    gained = work[0]
    shapes = np.full(1 + HAND * MOST_CELLS, np.nan)
    for i in range(HAND if state.phase == GAIN else 1):
        work[0] = state
        gaining = 0
        tile = np.int64(state.hand[i])
        if state.phase == GAIN:
            if not state.takes >> i & 1:
                continue
            gaining = action_of(DO_GAIN, 0, tile, 0)
            gain(gained, variant, tile, gained.gate)
            drop(gained, tile)
            gained.phase = BUILD
            look_up(gained, variant, style)
        propose_builds(work, variant, mind, outlook, style, gaining, shapes, most, offers)


@routine
def propose(state, variant, mind, style, key, most, offers, work):
    """Plans for the rest of the turn: gain, then build, replace or refuse.

    The Move action is filled in by a rule, so where it comes up there is one proposal. Where building nothing looks best
    that comes first.
    """
    offers.size[0] = 0
    outlook = look_out(state, variant)
    if state.phase == KEEP:
        for i in range(HAND):
            if state.takes >> i & 1:
                tile = np.int64(state.hand[i])
                offer(offers, most, action_of(DO_KEEP, 0, tile, 0), 0, 1.0 * brings(state, variant, tile))
        return
    if state.phase != MOVE and hoarding(state, variant, outlook):
        propose_plans(state, variant, mind, style, outlook, most - 1, offers, work)
        best = offers.scores[0] + mind.heat if offers.size[0] > 0 else 0.0
        offer(offers, most, hoarder(state, variant), 0, best)
        return
    if state.phase == MOVE:
        work[1] = state
        best, action, _ = best_ending(work, variant, mind, outlook, style)
        offer(offers, most, action, 0, best)
        return
    propose_plans(state, variant, mind, style, outlook, most, offers, work)


@routine
def carry(state, variant, mind, style, action, rest, tape, work):
    """Play a plan: its actions, and the Move action by the rule with which it was planned."""
    play(state, variant, action, tape)
    if rest:
        play(state, variant, rest, tape)
    if state.phase != MOVE:
        return
    outlook = look_out(state, variant)
    turn = np.int64(state.turn)
    work[1] = state
    _, action, from_gate = best_ending(work, variant, mind, outlook, style)
    while True:
        play(state, variant, action, tape)
        if state.phase != MOVE or state.turn != turn:
            return
        if style > 0:
            restrict(state, variant, style)
        action, _ = next_move(state, variant, from_gate)


JUDGE = ("level", "score")  # the weights by which a position is judged


@kernel
def assess(state, variant, mind, best, work, values):
    """The chance to win, as far as the evaluation of the best plan tells."""
    values[0] = 1.0 / (1.0 + np.exp(-mind.level - mind.score * min(best, SCORED)))


# --- Styles ---------------------------------------------------------------------------------------------------

STYLES = ("no-replace", "no-tile-moves")
NO_REPLACE, NO_TILE_MOVES = 1, 2
EXPLOITS = {"hoarder": "builds nothing and hoards Oinks in the gate"}
CANNOT: dict[str, str] = {}


@kernel
def restrict(state, variant, style):
    """`no-replace` builds on empty cells alone; `no-tile-moves` serves a whole Move action from the gate, or refuses it."""
    if state.phase == BUILD and style == NO_REPLACE:
        n = count_bits(state.takes)
        for i in range(HAND):
            n += count_bits(np.int64(state.fits[i]) & ~np.int64(state.built))
        if n > 0:
            for i in range(HAND):
                state.fits[i] = np.int64(state.fits[i]) & ~np.int64(state.built)
            state.options = n
    elif state.phase == MOVE and style == NO_TILE_MOVES:
        gate = np.int64(state.serves) & 16
        for e in range(4):
            if state.need[e] > state.gate[e]:
                gate = 0
        n = count_bits(state.takes) + (count_bits(state.built) if gate else 0)
        if n > 0:
            state.serves = gate
            state.options = n


# --- Tuning ---------------------------------------------------------------------------------------------------

# What a tuned bot is to be good at, and how much each counts.
TUNED_ON: tuple[tuple[float, dict[str, Any]], ...] = (
    (0.5, {}),
    (0.1, {"supply": 6}),
    (0.1, {"supply": 9}),
    (0.1, {"side": 4}),
    (0.1, {"deck": "threes"}),
    (0.1, {"deck": "pairs"}),
)


# --- By name --------------------------------------------------------------------------------------------------

NAMES = ("hoarder",)


@routine
def pick(state, variant, bot):
    """The choice of the bot that stands at this place in NAMES."""
    return hoarder(state, variant)

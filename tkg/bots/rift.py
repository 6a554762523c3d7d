"""Bots of A Rift of Portals: one that plans whole turns, and one that builds nothing.

Nothing is hidden within a turn, so a plan is a whole turn: gain, then build, replace or refuse, then a refusal
or moves. Moves are filled in by a rule, since enumerating them would multiply the plans.
"""

from collections import namedtuple

import numpy as np

from tkg.rules.kernel import kernel, routine, spliced
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
    count_bits,
    drop,
    equal_sides,
    find_options,
    gain,
    last_tile,
    may_leave,
    move_oink,
    next_insignia,
    nth,
    nth_bit,
    place,
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
def hoarder(state, variant, key, work):
    """Builds nothing: keeps and gains what brings most, refuses what brings fewest; the first of equals."""
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


# --- What the rest of the game may bring -------------------------------------------------------------------------

MOST_WEIGHT = 36  # insignias on one tile: nine of each element
SETS = 16  # sets of elements, a bit for each
ANY_WEIGHT = MOST_WEIGHT + 1  # row of `counts` with the sums over all weights

# turns after this one, all turns, mean weight in the deck, tiles in the stack and
# lightest and heaviest of them, how many there are by weight and set of elements
Outlook = namedtuple("Outlook", "turns all_turns mean gained refused tiles lightest heaviest counts")

# by set of elements, a bit for every set that shares an element with it
SHARING = tuple(sum(1 << t for t in range(SETS) if t & s) for s in range(SETS))


@routine
def look_out(state, variant):
    counts = np.zeros((MOST_WEIGHT + 2, SETS), np.int64)
    lightest, heaviest = MOST_WEIGHT, 0
    for i in range(np.int64(state.drawn), np.int64(variant.tiles)):
        tile = np.int64(state.deck[i])
        weight = np.int64(variant.weight[tile])
        counts[weight, variant.elements[tile]] += 1
        counts[ANY_WEIGHT, variant.elements[tile]] += 1
        lightest = min(lightest, weight)
        heaviest = max(heaviest, weight)
    whole = 0
    for i in range(variant.tiles):
        whole += np.int64(variant.weight[variant.deck[i]])
    tiles = np.int64(variant.tiles) - state.drawn
    gained = refused = 0.0
    lighter = 0
    for weight in range(1, heaviest + 1):
        for s in range(SETS):
            lighter += counts[weight - 1, s]
        share = lighter / max(1, tiles)
        gained += 1.0 - share * share * share
        refused += (1.0 - share) * (1.0 - share) * (1.0 - share)
    all_turns = (np.int64(variant.tiles) - variant.set_up) // HAND
    mean = max(1.0, whole / np.int64(variant.tiles))
    return Outlook(tiles // HAND, all_turns, mean, gained, refused, tiles, lightest, heaviest, counts)


@kernel
def fitting_sets(state, variant, cell):
    """The sets of elements that a tile for a cell may bear, as a mask: what `fitting_cells` asks, turned round."""
    near = np.int64(variant.near[cell] & state.built)
    replacing = state.built >> cell & 1
    if replacing and variant.replace == OFF:
        return 0
    if near == 0 or (replacing and variant.replace == FREE):
        return (1 << SETS) - 1 if replacing else 0
    each = (1 << SETS) - 1
    some = 0
    common = SETS - 1
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
        n = 0
        for c in range(variant.cells):
            if c != cell and variant.sides[side] & state.built & np.uint32(1 << c):
                n += np.int64(variant.weight[state.board[c]])
        if variant.sides[side] >> cell & 1:
            low_on, high_on = min(low_on, n), max(high_on, n)
        else:
            low_off, high_off = min(low_off, n), max(high_off, n)
    weight = low_off - low_on
    if low_on != high_on or low_off != high_off or weight < 0 or weight > MOST_WEIGHT:
        return NONE
    return weight


@kernel
def likely(outlook, n):
    """About the chance to be dealt one of `n` tiles of the stack in time to build it."""
    expected = 2.0 * outlook.turns * n / max(1, outlook.tiles)
    return expected / (1.0 + expected)


@routine
def balance_chance(state, variant, outlook, empty):
    """About the chance that one more tile makes the sides equal: on the one empty cell, or else in place of another."""
    best = 0.0
    for c in range(variant.cells):
        if empty == 0 or not state.built >> c & 1:
            weight = balancing_weight(state, variant, c)
            if weight >= 0:
                best = max(best, likely(outlook, tiles_fitting(state, variant, outlook, c, weight)))
    return best


# --- Evaluation at the end of a turn -------------------------------------------------------------------------------

(
    EMPTY, TIGHT, LATE, SPREAD, SPREAD_NOW, GAP, UNEQUAL, UNMENDED, LAST, FRONTIER,
    LACK, LACK_LATE, BURDEN, BURDEN_RATE, BURDEN_ONE, BURDEN_ONE_RATE, SHORT, BEYOND,
    MARGIN, HINGE, HINGE_BASE, HINGE_RATE, SUPPLY,
) = range(23)  # fmt: skip
WEIGHTS = (
    3.62,
    1.45,
    7.5,
    3.36,
    0.821,
    5.26,
    13.2,
    5.83,
    3.82,
    1.81,
    2.1,
    0.3,
    4.27,
    0.857,
    1.0,
    0.5,
    0.832,
    4.96,
    0.413,
    0.6,
    1.0,
    0.2,
    0.56,
)
WON = 1000.0


@routine
def shape(state, variant, outlook):
    """How good the tiles on the ring are at the end of a turn, whatever the next hand is."""
    built = np.int64(state.built)
    cells = np.int64(variant.cells)
    empty = cells - count_bits(built)
    turns = outlook.turns
    low = high = 0.0
    least = most = floor = ceiling = 0
    for side in range(4):
        on_side = np.int64(variant.sides[side])
        n = 0
        for c in range(cells):
            if on_side & built & 1 << c:
                n += np.int64(variant.weight[state.board[c]])
        open_cells = count_bits(on_side & ~built)
        expected = n + outlook.mean * open_cells
        lower, upper = n + outlook.lightest * open_cells, n + outlook.heaviest * open_cells
        if side == 0:
            low = high = expected
            least = most = n
            floor, ceiling = lower, upper
        else:
            low, high = min(low, expected), max(high, expected)
            least, most = min(least, n), max(most, n)
            floor, ceiling = max(floor, lower), min(ceiling, upper)

    slack = turns - empty
    value = -WEIGHTS[EMPTY] * empty - WEIGHTS[TIGHT] / (1 + max(0, slack)) - WEIGHTS[LATE] * max(0, -slack)
    value -= (WEIGHTS[SPREAD] / (1 + empty) + WEIGHTS[SPREAD_NOW]) * (high - low) / outlook.mean
    value -= WEIGHTS[GAP] * max(0, floor - ceiling) / outlook.mean
    if empty == 0 and least != most:
        value -= WEIGHTS[UNEQUAL] + WEIGHTS[UNMENDED] * (1.0 - balance_chance(state, variant, outlook, empty))
    elif empty == 1:
        value -= WEIGHTS[LAST] * (1.0 - balance_chance(state, variant, outlook, empty))
    if empty > 0 and outlook.tiles > 0:
        for c in range(cells):
            if not built >> c & 1 and np.int64(variant.near[c]) & built:
                fitting = tiles_fitting(state, variant, outlook, c, ANY_WEIGHT)
                value -= WEIGHTS[FRONTIER] * (1.0 - fitting / outlook.tiles)
    return value


@routine
def flow(state, variant, outlook):
    """How good the Oinks' places are at the end of a turn, or WON if this is the end of a game that is won."""
    built = np.int64(state.built)
    empty = np.int64(variant.cells) - count_bits(built)
    turns = outlook.turns
    mean = outlook.mean
    burdened = 0.0
    lacking = spare = extra = short = beyond = 0
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
        burdened += max(0.0, lacks / mean - WEIGHTS[BURDEN_ONE_RATE] * turns)
        missing = lacks - spares - state.gate[e]
        lacking += lacks
        spare += min(spares, lacks)
        short += max(0, missing)
        beyond += max(0, missing - state.supply[e])

    gate, void = total(state.gate), total(state.void)
    if turns == 0 and lacking == 0 and gate >= void + extra and equal_sides(state, variant):
        if empty == 0 or not variant.full_boundary:
            return WON
    supply = total(state.supply)
    progress = 1.0 - turns / outlook.all_turns
    value = -(WEIGHTS[LACK] * progress + WEIGHTS[LACK_LATE] / (1 + turns)) * lacking / mean
    value -= WEIGHTS[BURDEN] * max(0.0, lacking / mean + empty - WEIGHTS[BURDEN_RATE] * turns)
    value -= WEIGHTS[BURDEN_ONE] * burdened
    value -= WEIGHTS[SHORT] * short / mean + WEIGHTS[BEYOND] * beyond / mean

    gains, refusals = turns * outlook.gained, max(0, turns - empty) * outlook.refused
    lasting = min(1.0, supply / max(1.0, gains + refusals))
    margin = (gate - void - (lacking - spare) - (extra - spare)) / mean
    coming = lasting * (gains - refusals) / mean - empty
    value += WEIGHTS[MARGIN] * margin
    value -= WEIGHTS[HINGE] * max(0.0, WEIGHTS[HINGE_BASE] + WEIGHTS[HINGE_RATE] * turns - margin - coming)
    value += WEIGHTS[SUPPLY] * supply / mean
    return value


# --- Filling in moves -------------------------------------------------------------------------------------------------

REFUSAL = -1
TO_NEED, FROM_GATE_TO_NEED, SWAP, SHIFT, AWAY, ONTO, NO_MOVE = range(7)  # best first


@kernel
def first_bit(mask):
    return nth_bit(mask, 0)


@routine
def next_move(state, variant, from_gate):
    """The single move for the next insignia that costs least; `from_gate` says what to do if none is free."""
    built = np.int64(state.built)
    serves = np.int64(state.serves)
    left = np.int64(state.need[state.element])
    if variant.tile_moves == ANY_ELEMENT:
        left = total(state.need)
    best, element, source, target = NO_MOVE, 0, 0, 0
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
            if lacks and best > FROM_GATE_TO_NEED:
                best, element, source, target = FROM_GATE_TO_NEED, e, GATE, first_bit(lacks)
            onto = ONTO if not from_gate else AWAY
            if best > onto:
                best, element, source, target = onto, e, GATE, first_bit(built)
        for c in range(variant.cells):
            if free >> c & 1:
                near = np.int64(variant.near[c]) & built
                if near == 0:
                    continue
                to = near & lacks
                if spares >> c & 1 and to:
                    how = TO_NEED
                elif left >= 2 and (near & free or variant.hop == AGAIN):
                    how = SWAP
                    to = near & free if near & free else near
                elif spares >> c & 1 or to:
                    how = SHIFT
                    to = to if to else near
                else:
                    how = ONTO if from_gate else AWAY
                    to = near
                if how < best:
                    best, element, source, target = how, e, c, first_bit(to)
    return action_of(DO_MOVE, element, source, target), best >= AWAY


# --- Planning a turn --------------------------------------------------------------------------------------------------


@routine
def look_up(state, variant):
    """Find the options of a position on the way through a plan."""
    find_options(state, variant)


@routine
def greedy(state, variant, key, work):
    """Plans the rest of the turn and plays the first step of the plan that ends best; the first of equals."""
    outlook = look_out(state, variant)
    gained, placed, ended = work[0], work[1], work[2]
    gaining = state.phase <= GAIN
    building = state.phase != MOVE
    cells = np.int64(variant.cells)
    best, chosen, first = -np.inf, NONE, NONE
    shapes = np.full(1 + HAND * MOST_CELLS, np.nan)
    for g in range(HAND if gaining else 1):
        work[0] = state
        if gaining:
            if not state.takes >> g & 1:
                continue
            tile = np.int64(state.hand[g])
            first = action_of(DO_KEEP if state.phase == KEEP else DO_GAIN, 0, tile, 0)
            gain(gained, variant, tile, gained.gate)
            if state.phase == KEEP:
                value = flow(gained, variant, outlook)
                if value > best:
                    best, chosen = value, first
                continue
            drop(gained, tile)
            gained.phase = BUILD
            look_up(gained, variant)
        for i in range(HAND if building else 1):
            for cell in range(REFUSAL, cells if building else 0):
                if building:
                    if cell == REFUSAL:
                        if not gained.takes >> i & 1:
                            continue
                    elif not gained.fits[i] >> cell & 1:
                        continue
                    tile = np.int64(gained.hand[i])
                    work[1] = gained
                    if cell == REFUSAL:
                        verb, target = DO_REFUSE, 0
                        gain(placed, variant, tile, placed.void)
                    else:
                        verb, target = DO_REPLACE if gained.built >> cell & 1 else DO_BUILD, cell
                        place(placed, variant, tile, cell)
                    if not gaining:
                        first = action_of(verb, 0, tile, target)
                    drop(placed, tile)
                    begin_move(placed, variant)
                    moving = next_insignia(placed)
                    if moving:
                        look_up(placed, variant)
                else:
                    work[1] = gained
                    moving = True
                known = 0 if cell == REFUSAL else 1 + i * MOST_CELLS + cell
                if np.isnan(shapes[known]):
                    shapes[known] = shape(placed, variant, outlook)
                for way in range(3):
                    work[2] = placed
                    forced = False
                    if not moving:
                        if way > 0:
                            break
                    elif way == 0:
                        if not placed.takes:
                            continue
                        tile = last_tile(placed)
                        if not building:
                            first = action_of(DO_REFUSE, 0, tile, 0)
                        gain(ended, variant, tile, ended.void)
                    elif placed.serves:
                        begun = False
                        while next_insignia(ended):
                            if begun:
                                look_up(ended, variant)
                            action, costly = next_move(ended, variant, way == 2)
                            forced = forced or costly
                            if not begun and not building:
                                first = action
                            begun = True
                            move_oink(ended, action >> 16 & 255, action >> 8 & 255, action & 255)
                    else:
                        break
                    value = shapes[known] + flow(ended, variant, outlook)
                    if value > best:
                        best, chosen = value, first
                    if way == 1 and not forced:
                        break
    return chosen


# --- By name --------------------------------------------------------------------------------------------------------

NAMES = ("greedy", "hoarder")


@spliced
def pick(state, variant, bot, key, work):
    """The choice of the bot that stands at this place in NAMES."""
    if bot == 0:
        return greedy(state, variant, key, work)
    return hoarder(state, variant, key, work)

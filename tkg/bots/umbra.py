"""Bots of Umbra Via: one that weighs every path by what its players would get for it.

A bid is put together from parts, one a tile, each weighed on its own: what the tile would gain on its best cell if
it is won, what it would cost if it is lost, and how likely either is. What others bid unseen is not known, only how
many flowers they hold.
"""

from collections import namedtuple

import numpy as np

from tkg.rules.bits import count_wide
from tkg.rules.chance import below
from tkg.rules.kernel import kernel, routine, spliced
from tkg.rules.umbra import (
    ANY,
    BID,
    BY_TILES,
    DO_BID,
    DO_PLACE,
    DO_SCATTER,
    DO_VOID,
    ENERGY,
    EXACT,
    LUMP,
    MOST_ALTAR,
    MOST_CELLS,
    MOST_DRAW,
    MOST_PLAYERS,
    NONE,
    PAID,
    PLACE,
    POINT,
    SCATTER,
    SHARE,
    SOUL,
    SPLIT,
    SPREAD,
    STAY,
    VOID,
    action_of,
    half,
    keep_form,
    legal_cells,
    tile_due,
    winner_of,
)

# --- Weights --------------------------------------------------------------------------------------------------

(
    ONE_LEAK, TWO_LEAKS, THREE_LEAKS, MORE_LEAKS,  # the chance that an open path pays
    DOUBT,  # energy ahead with which the better rank is three quarters sure
    STRENGTH,  # what a flower of energy on a path is worth to keep there while the bag is full
    CLAIM,  # to claim at once
    PROSPECT,  # to be first on an open path that is long enough to claim by
    WIN_DOUBT,  # points ahead with which a tile is three quarters sure
    PRESENCE,  # how much of an even share of their flowers others are expected to add to a tile
    REPLY,  # how much of what the next tile gains counts
) = range(11)  # fmt: skip

# In flowers from the soul tile. Found by coordinate search: games of 2 players by the default rules against the weights
# found before, each time on fresh deals. Terms without which it played as well were dropped.
WEIGHTS = (0.96, 0.45, 0.3, 0.32, 0.39, 1.3, 1000.0, 25.6, 1.2, 0.4, 0.8)
CANDIDATES = 4  # cells for which the reply is looked at

# --- Paths ----------------------------------------------------------------------------------------------------

Paths = namedtuple(
    "Paths",
    (
        "through",  # by cell: the path through it, NONE without one; paths are numbered by their first cell
        "cells",  # by path, as bits
        "length",
        "leaks",  # empty cells that openings lead to, as bits
        "energy",  # by path and seat
        "worth",  # to the seat that looks
    ),
)

Scratch = namedtuple(
    "Scratch",
    (
        "left",  # by seat: flowers on the soul tile
        "energy",  # by seat
        "scattered",  # by seat: energy
        "gone",  # cells that are cleared, as bits
    ),
)


@kernel
def fill_left(state, variant, left):
    for s in range(variant.players):
        left[s] = state.soul_tile[s]


@kernel
def claims(variant, left, due, length):
    """Whether a first rank that is due so much claims a soul tile with so many flowers left on it (`claim`)."""
    if length < variant.claim_length:
        return False
    if variant.claim == EXACT:
        return due - left >= variant.tile_worth
    if variant.claim == ANY:
        return due >= left
    return left == 0


@kernel
def strength(state, variant, s):
    """What a flower of a player's energy on a path is worth to keep there: the less, the emptier the bag it would refill."""
    in_bag = np.int64(state.energy[s]) + state.hand[s, ENERGY]
    return WEIGHTS[STRENGTH] * in_bag / np.int64(variant.energy)


@routine
def path_worth(state, variant, me, left, energy, length, leaks):
    """What a path is worth to a seat, its own rewards less those of others.

    Complete, it is rewarded by rank, and the rewards are taken off the soul tiles in `left`. Open, it may be closed
    before the ranks change, the sooner the fewer cells it leads to.
    """
    most = 0.0
    for s in range(variant.players):
        most = max(most, energy[s])
    if most == 0.0:
        return 0.0
    worth = 0.0
    others = -1.0 / (np.int64(variant.players) - 1)
    if leaks:
        expected = 1.0 * (length if variant.reward == BY_TILES else most)
        for s in range(np.int64(variant.players)):
            if energy[s] > 0.0:
                behind, first = 0.0, 1.0
                for other in range(variant.players):
                    if other != s and energy[other] > 0.0:
                        ahead = energy[s] - energy[other]
                        share = 0.5 + 0.5 * ahead / (WEIGHTS[DOUBT] + abs(ahead))
                        behind += 1.0 - share
                        first *= share
                value = min(1.0 * left[s], expected / (1.0 + behind))
                value -= strength(state, variant, s) * energy[s]
                if claims(variant, left[s], expected, length):
                    value += WEIGHTS[PROSPECT] * first
                worth += value if s == me else others * value
        cells = count_wide(leaks)
        if cells == 1:
            return WEIGHTS[ONE_LEAK] * worth
        if cells == 2:
            return WEIGHTS[TWO_LEAKS] * worth
        return WEIGHTS[THREE_LEAKS if cells == 3 else MORE_LEAKS] * worth

    due = np.int64(length if variant.reward == BY_TILES else most)
    ranked = rank = 0
    while most > 0.0:
        above, taken, following = np.int64(0), 0, 0.0
        for i in range(variant.players):
            s = np.int64(state.track[i])
            if ranked >> s & 1:
                continue
            if energy[s] == most and (taken == 0 or variant.rank_tie == SHARE):
                ranked |= 1 << s
                taken += 1
                gained = min(left[s], due)
                value = gained - strength(state, variant, s) * energy[s]
                if rank == 0 and claims(variant, left[s], 1.0 * due, length):
                    value += WEIGHTS[CLAIM]
                worth += value if s == me else others * value
                left[s] -= gained
                above = max(above, gained)
            else:
                following = max(following, energy[s])
        if variant.half_of == PAID:
            due = above
        for _ in range(taken):
            due = half(variant, due)
        rank += taken
        most = following
    return worth


@kernel
def neighbour(variant, cell, way):
    """The cell north, east, south or west of one, NONE beyond the edge."""
    if variant.edges[way] >> cell & 1:
        return np.int64(NONE)
    side = np.int64(variant.side)
    return cell - side if way == 0 else cell + 1 if way == 1 else cell + side if way == 2 else cell - 1


@routine
def find_paths(state, variant, me):
    """The paths on the board as they stand."""
    paths = Paths(
        np.full(MOST_CELLS, NONE),
        np.zeros(MOST_CELLS, np.int64),
        np.zeros(MOST_CELLS, np.int64),
        np.zeros(MOST_CELLS, np.int64),
        np.zeros((MOST_CELLS, MOST_PLAYERS)),
        np.zeros(MOST_CELLS),
    )
    left = np.zeros(MOST_PLAYERS, np.int64)
    reached = np.zeros(MOST_CELLS, np.int64)
    n = 0
    for first in range(np.int64(variant.cells)):
        if not state.tiles >> first & 1 or state.board[first] == POINT or paths.through[first] != NONE:
            continue
        paths.through[first] = n
        reached[0] = first
        waiting = 1
        while waiting:
            waiting -= 1
            cell = reached[waiting]
            paths.cells[n] |= np.int64(1) << cell
            paths.length[n] += 1
            for s in range(variant.players):
                paths.energy[n, s] += state.on[cell, s]
            for way in range(4):
                to = neighbour(variant, cell, way)
                if to == NONE or not state.opens[way] >> cell & 1:
                    continue
                if not state.tiles >> to & 1:
                    paths.leaks[n] |= np.int64(1) << to
                elif state.opens[way ^ 2] >> to & 1 and paths.through[to] == NONE:
                    paths.through[to] = n
                    reached[waiting] = to
                    waiting += 1
        fill_left(state, variant, left)
        paths.worth[n] = path_worth(state, variant, me, left, paths.energy[n], paths.length[n], paths.leaks[n])
        n += 1
    return paths


# --- What a tile gains ----------------------------------------------------------------------------------------


@routine
def strengthened(state, variant, me, paths, which, closed, borne, scratch):
    """What is gained if energy comes to some of the paths, when the cells in `closed` are filled."""
    gained = 0.0
    at = 0
    while which >> at:
        if which >> at & 1:
            leaks = paths.leaks[at] & ~closed
            fill_left(state, variant, scratch.left)
            gained -= path_worth(state, variant, me, scratch.left, paths.energy[at], paths.length[at], leaks)
            for s in range(variant.players):
                scratch.energy[s] = paths.energy[at, s] + borne[s]
            fill_left(state, variant, scratch.left)
            gained += path_worth(state, variant, me, scratch.left, scratch.energy, paths.length[at], leaks)
        at += 1
    return gained


@routine
def placed(state, variant, me, paths, tile, cell, borne, scratch):
    """What is gained if a tile that bears so much energy is put on a cell; energy on a `point` moves where it gains most."""
    here = np.int64(1) << cell
    left, energy = scratch.left, scratch.energy
    joined = touched = np.int64(0)
    if tile == VOID:
        for at in range(np.int64(variant.cells)):
            if paths.leaks[at] & here:
                joined |= np.int64(1) << at
        return strengthened(state, variant, me, paths, joined, np.int64(0), borne, scratch)

    leaks = beside = np.int64(0)
    for way in range(4):
        to = neighbour(variant, cell, way)
        if to == NONE:
            continue
        opens = tile != POINT and tile >> way & 1
        if not state.tiles >> to & 1:
            leaks |= np.int64(opens) << to
        elif paths.through[to] != NONE:
            path = np.int64(1) << paths.through[to]
            beside |= path
            if state.opens[way ^ 2] >> to & 1:
                if opens:
                    joined |= path
                else:
                    touched |= path
    touched &= ~joined

    fill_left(state, variant, left)
    for s in range(variant.players):
        energy[s] = borne[s] + state.on[cell, s]
        scratch.scattered[s] = energy[s]
    gained, length, cells = 0.0, np.int64(1), here
    at = 0
    while joined >> at:
        if joined >> at & 1:
            length += paths.length[at]
            leaks |= paths.leaks[at]
            cells |= paths.cells[at]
            gained -= paths.worth[at]
            for s in range(variant.players):
                energy[s] += paths.energy[at, s]
        at += 1
    gone = np.int64(0)
    if tile != POINT:
        leaks &= ~here
        gained += path_worth(state, variant, me, left, energy, length, leaks)
        if not leaks:
            gone = cells
    at = 0
    while touched >> at:
        if touched >> at & 1:
            leaks = paths.leaks[at] & ~here
            gained -= paths.worth[at]
            gained += path_worth(state, variant, me, left, paths.energy[at], paths.length[at], leaks)
            if not leaks:
                gone |= paths.cells[at]
        at += 1
    scratch.gone[0] = gone
    if tile == POINT:
        most = 0.0
        at = 0
        while beside >> at:
            if beside >> at & 1:
                path = np.int64(1) << at
                most = max(most, strengthened(state, variant, me, paths, path, here, scratch.scattered, scratch))
            at += 1
        gained += most
    return gained


@kernel
def luck(key, place):
    """Next to nothing, to choose among equals."""
    return 1e-9 * below(key, place, 1 << 20)


# --- Cells ----------------------------------------------------------------------------------------------------


@kernel
def fill_borne(state, variant, place, borne):
    """The energy on a tile of the altar."""
    for s in range(variant.players):
        borne[s] = state.flowers[place, s, ENERGY]


@spliced
def put(state, after, variant, tile, cell, borne, scratch):
    """Let `after` be the position once a tile has been put on a cell, as far as paths go; `scratch` is what `placed` left."""
    here = np.int64(1) << cell
    gone = scratch.gone[0]
    after.board[cell] = tile
    after.tiles = (np.int64(after.tiles) | here) & ~gone
    for way in range(4):
        opens = np.int64(after.opens[way])
        if tile != POINT and tile >> way & 1:
            opens |= here
        after.opens[way] = opens & ~gone
    for s in range(variant.players):
        after.soul_tile[s] = scratch.left[s]
        after.on[cell, s] += np.int64(borne[s])
        for c in range(variant.cells):
            if gone >> c & 1:
                after.on[c, s] = 0


@spliced
def best_cell(state, variant, me, paths, borne, scratch, key, work):
    """U-D2, U-D4: the cell where the tile gains most, less what the next tile of the altar gains its winner then."""
    tile = np.int64(state.altar[state.place])
    worths = np.full(MOST_CELLS, -np.inf)
    fill_borne(state, variant, state.place, borne)
    for cell in range(np.int64(variant.cells)):
        if state.targets >> cell & 1:
            worths[cell] = placed(state, variant, me, paths, tile, cell, borne, scratch) + luck(key, cell)
    after = work[0]
    work[0] = state
    after.altar[state.place] = NONE
    due = tile_due(after, variant)
    if due == NONE or tile == VOID or worths.max() > 0.5 * WEIGHTS[CLAIM]:
        return np.int64(worths.argmax())

    following = np.int64(after.altar[due])
    mine = winner_of(after, variant, due) == me
    best, chosen = -np.inf, np.int64(0)
    for _ in range(CANDIDATES):
        cell = np.int64(worths.argmax())
        worth = worths[cell]
        if worth == -np.inf:
            break
        worths[cell] = -np.inf
        fill_borne(state, variant, state.place, borne)
        placed(state, variant, me, paths, tile, cell, borne, scratch)
        work[0] = state
        put(state, after, variant, tile, cell, borne, scratch)
        ahead = find_paths(after, variant, me)
        fill_borne(state, variant, due, borne)
        targets = legal_cells(after, variant)
        reply = -np.inf
        for c in range(np.int64(variant.cells)):
            if targets >> c & 1:
                gained = placed(after, variant, me, ahead, following, c, borne, scratch)
                reply = max(reply, gained if mine else -gained)
        if reply > -np.inf:
            worth += WEIGHTS[REPLY] * (reply if mine else -reply)
        if worth > best:
            best, chosen = worth, cell
    return chosen


@spliced
def best_scatter(state, variant, me, paths, borne, scratch, key):
    """U-D3: where the energy on the point gains most."""
    for s in range(variant.players):
        borne[s] = state.on[state.spot, s]
        if variant.scatter == SPLIT and borne[s] > 0.0:
            borne[s] = 1.0
            break
    best, chosen = luck(key, STAY), np.int64(STAY)
    for cell in range(np.int64(variant.cells)):
        if state.targets >> cell & 1 and paths.through[cell] != NONE:
            path = np.int64(1) << paths.through[cell]
            worth = strengthened(state, variant, me, paths, path, np.int64(0), borne, scratch) + luck(key, cell)
            if worth > best:
                best, chosen = worth, cell
    return chosen


# --- Bids -----------------------------------------------------------------------------------------------------


@kernel
def keeps_form(state, part, flowers, places):
    """Whether a bid with so many flowers on a tile can have the form that is asked for."""
    if state.form == LUMP:
        return part == 0 or part == flowers
    if state.form == SPREAD:
        return part <= 1 if flowers < places else part >= 1
    return True


@spliced
def best_bid(state, variant, me, paths, borne, scratch, key):
    """U-D1: the bid whose parts are worth most together."""
    energy, soul = np.int64(state.hand[me, ENERGY]), np.int64(state.hand[me, SOUL])
    places = count_wide(state.biddable)
    legal = legal_cells(state, variant)
    empty = np.int64(variant.board) & ~np.int64(state.tiles)
    highs = np.zeros((MOST_ALTAR, MOST_DRAW + 1))  # by place and energy bid: what the tile gains if it is won
    lows = np.zeros((MOST_ALTAR, MOST_DRAW + 1))  # and if it is lost
    for place in range(np.int64(state.laid)):
        if not state.biddable >> place & 1:
            continue
        tile = np.int64(state.altar[place])
        targets = empty if tile == VOID else legal
        for e in range(energy + 1):
            fill_borne(state, variant, place, borne)
            for s in range(variant.players):
                if s != me:
                    borne[s] += WEIGHTS[PRESENCE] * (np.int64(state.hand[s, ENERGY]) + state.hand[s, SOUL]) / places
            borne[me] += e
            high, low = -np.inf, np.inf
            for cell in range(np.int64(variant.cells)):
                if targets >> cell & 1:
                    worth = placed(state, variant, me, paths, tile, cell, borne, scratch)
                    high, low = max(high, worth), min(low, worth)
            if high >= low:
                highs[place, e], lows[place, e] = high, low

    # By flowers given away on the places so far: the most they are worth, and what the last place got of them.
    worths = np.full((MOST_ALTAR + 1, MOST_DRAW + 1, MOST_DRAW + 1), -np.inf)
    parts = np.zeros((MOST_ALTAR + 1, MOST_DRAW + 1, MOST_DRAW + 1), np.int64)
    worths[0, 0, 0] = 0.0
    for place in range(np.int64(state.laid)):
        biddable = state.biddable >> place & 1
        for e in range(energy + 1 if biddable else 1):
            for s in range(soul + 1 if biddable else 1):
                worth = 0.0
                if biddable:
                    if not keeps_form(state, e + s, energy + soul, places):
                        continue
                    mine = state.flowers[place, me, ENERGY] + e
                    mine += np.int64(variant.soul_worth) * (state.flowers[place, me, SOUL] + s)
                    wins, quiet, level = 1.0, 1.0, -0.5  # ties with those before on the track are lost
                    for i in range(variant.players):
                        other = np.int64(state.track[i])
                        if other == me:
                            level = 0.5
                            continue
                        shown = np.int64(state.flowers[place, other, ENERGY])
                        shown += np.int64(variant.soul_worth) * state.flowers[place, other, SOUL]
                        unseen = np.int64(state.hand[other, ENERGY]) + state.hand[other, SOUL]
                        ahead = mine - shown + level
                        wins *= 0.5 + 0.5 * ahead / (WEIGHTS[WIN_DOUBT] + abs(ahead))
                        quiet *= 0.0 if shown else (1.0 - 1.0 / places) ** unseen
                    if mine == 0:
                        worth = (1.0 - quiet) * lows[place, e]
                    else:
                        worth = wins * highs[place, e] + (1.0 - wins) * lows[place, e]
                    worth += luck(key, (place * 8 + e) * 8 + s)
                for e_before in range(energy - e + 1):
                    for s_before in range(soul - s + 1):
                        total = worths[place, e_before, s_before] + worth
                        if total > worths[place + 1, e_before + e, s_before + s]:
                            worths[place + 1, e_before + e, s_before + s] = total
                            parts[place + 1, e_before + e, s_before + s] = e << 3 * ENERGY | s << 3 * SOUL
    bid = np.int64(0)
    for place in range(np.int64(state.laid) - 1, -1, -1):
        part = parts[place + 1, energy, soul]
        bid |= part << 6 * place
        energy -= part & 7
        soul -= part >> 3
    return bid


# --- Styles ---------------------------------------------------------------------------------------------------

STYLES = ("spread", "lump")  # in the order of the forms of a bid


@kernel
def restrict(state, variant, style):
    """`spread` bids a flower a tile as far as the tiles go, `lump` bids all flowers on one."""
    if state.phase == BID:
        keep_form(state, variant, style)


# --- By name --------------------------------------------------------------------------------------------------

NAMES = ("greedy",)


@routine
def greedy(state, variant, key, work):
    """Chooses what gains most at once, with an eye to the next tile; luck decides among equals."""
    me = np.int64(state.decider)
    paths = find_paths(state, variant, me)
    borne = np.zeros(MOST_PLAYERS)
    scratch = Scratch(
        np.zeros(MOST_PLAYERS, np.int64), np.zeros(MOST_PLAYERS), np.zeros(MOST_PLAYERS), np.zeros(1, np.int64)
    )
    if state.phase == BID:
        return action_of(DO_BID, best_bid(state, variant, me, paths, borne, scratch, key))
    if state.phase == SCATTER:
        return action_of(DO_SCATTER, best_scatter(state, variant, me, paths, borne, scratch, key))
    verb = DO_PLACE if state.phase == PLACE else DO_VOID
    return action_of(verb, best_cell(state, variant, me, paths, borne, scratch, key, work))


@spliced
def pick(state, variant, bot, style, key, work):
    """The choice of the bot that stands at this place in NAMES."""
    return greedy(state, variant, key, work)

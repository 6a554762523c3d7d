"""Bots of Umbra Via: one that weighs every path by what its players would get for it.

A bid is put together from parts, one a tile, each weighed on its own: what the tile would gain on its best cell if
it is won, what it would cost if it is lost, and how likely either is. What others bid unseen is not known, only how
many flowers they hold.
"""

from collections import namedtuple
from typing import Any

import numpy as np

from tkg.bots.minds import mind_dtype
from tkg.bots.offers import luck, offer, share_out
from tkg.rules.bits import count_wide
from tkg.rules.kernel import kernel, routine, spliced
from tkg.rules.umbra import (
    ANY,
    ANY_BID,
    BID,
    BY_TILES,
    DO_BID,
    DO_PLACE,
    DO_SCATTER,
    DO_VOID,
    ENERGY,
    EXACT,
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
    STAY,
    VOID,
    action_of,
    amount,
    half,
    has_form,
    keep_form,
    legal_cells,
    nth,
    nth_bid,
    play,
    tile_due,
    winner_of,
)

# --- Weights --------------------------------------------------------------------------------------------------

# In flowers from the soul tile, and in the order of `weights/umbra.json`, which tells how they were found.
MIND = mind_dtype(
    "one_leak", "two_leaks", "three_leaks", "more_leaks",  # the chance that an open path pays
    "doubt",  # energy ahead with which the better rank is three quarters sure
    "strength",  # what a flower of energy on a path is worth to keep there while the bag is full
    "claim",  # to claim at once
    "prospect",  # to be first on an open path that is long enough to claim by
    "win_doubt",  # points ahead with which a tile is three quarters sure
    "presence",  # how much of an even share of their flowers others are expected to add to a tile
    "reply",  # how much of what the next tile gains counts
    # what `assess` goes by
    "taken", "late_taken", "energy_left", "soul_left", "board", "score",
)  # fmt: skip
SCORED = 60.0  # flowers beyond which a gain makes the victory no more likely
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
def strength(state, variant, mind, s):
    """What a flower of a player's energy on a path is worth to keep there: the less, the emptier the bag it would refill."""
    in_bag = np.int64(state.energy[s]) + state.hand[s, ENERGY]
    return mind.strength * in_bag / np.int64(variant.energy)


@routine
def path_worth(state, variant, mind, me, left, energy, length, leaks):
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
                        share = 0.5 + 0.5 * ahead / (mind.doubt + abs(ahead))
                        behind += 1.0 - share
                        first *= share
                value = min(1.0 * left[s], expected / (1.0 + behind))
                value -= strength(state, variant, mind, s) * energy[s]
                if claims(variant, left[s], expected, length):
                    value += mind.prospect * first
                worth += value if s == me else others * value
        cells = count_wide(leaks)
        if cells == 1:
            return mind.one_leak * worth
        if cells == 2:
            return mind.two_leaks * worth
        return (mind.three_leaks if cells == 3 else mind.more_leaks) * worth

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
                value = gained - strength(state, variant, mind, s) * energy[s]
                if rank == 0 and claims(variant, left[s], 1.0 * due, length):
                    value += mind.claim
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
def find_paths(state, variant, mind, me):
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
        paths.worth[n] = path_worth(state, variant, mind, me, left, paths.energy[n], paths.length[n], paths.leaks[n])
        n += 1
    return paths


# --- What a tile gains ----------------------------------------------------------------------------------------


@routine
def strengthened(state, variant, mind, me, paths, which, closed, borne, scratch):
    """What is gained if energy comes to some of the paths, when the cells in `closed` are filled."""
    gained = 0.0
    at = 0
    while which >> at:
        if which >> at & 1:
            leaks = paths.leaks[at] & ~closed
            fill_left(state, variant, scratch.left)
            gained -= path_worth(state, variant, mind, me, scratch.left, paths.energy[at], paths.length[at], leaks)
            for s in range(variant.players):
                scratch.energy[s] = paths.energy[at, s] + borne[s]
            fill_left(state, variant, scratch.left)
            gained += path_worth(state, variant, mind, me, scratch.left, scratch.energy, paths.length[at], leaks)
        at += 1
    return gained


@routine
def placed(state, variant, mind, me, paths, tile, cell, borne, scratch):
    """What is gained if a tile that bears so much energy is put on a cell; energy on a `point` moves where it gains most."""
    here = np.int64(1) << cell
    left, energy = scratch.left, scratch.energy
    joined = touched = np.int64(0)
    if tile == VOID:
        for at in range(np.int64(variant.cells)):
            if paths.leaks[at] & here:
                joined |= np.int64(1) << at
        return strengthened(state, variant, mind, me, paths, joined, np.int64(0), borne, scratch)

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
        gained += path_worth(state, variant, mind, me, left, energy, length, leaks)
        if not leaks:
            gone = cells
    at = 0
    while touched >> at:
        if touched >> at & 1:
            leaks = paths.leaks[at] & ~here
            gained -= paths.worth[at]
            gained += path_worth(state, variant, mind, me, left, paths.energy[at], paths.length[at], leaks)
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
                most = max(most, strengthened(state, variant, mind, me, paths, path, here, scratch.scattered, scratch))
            at += 1
        gained += most
    return gained


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


@routine
def offer_cells(state, variant, mind, me, paths, borne, scratch, key, most, offers, work):
    """U-D2, U-D4: cells by what the tile gains there, less what the next tile of the altar gains its winner then.

    The reply is looked at on the best few cells; the others are taken to suffer what those do on average.
    """
    tile = np.int64(state.altar[state.place])
    verb = DO_PLACE if state.phase == PLACE else DO_VOID
    worths = np.full(MOST_CELLS, -np.inf)
    fill_borne(state, variant, state.place, borne)
    for cell in range(np.int64(variant.cells)):
        if state.targets >> cell & 1:
            worths[cell] = placed(state, variant, mind, me, paths, tile, cell, borne, scratch) + luck(key, cell)
    after = work[0]
    work[0] = state
    after.altar[state.place] = NONE
    due = tile_due(after, variant)
    replied, replies = 0, 0.0
    if due != NONE and tile != VOID and worths.max() <= 0.5 * mind.claim:
        following = np.int64(after.altar[due])
        mine = winner_of(after, variant, due) == me
        for _ in range(CANDIDATES):
            cell = np.int64(worths.argmax())
            worth = worths[cell]
            if worth == -np.inf:
                break
            worths[cell] = -np.inf
            fill_borne(state, variant, state.place, borne)
            placed(state, variant, mind, me, paths, tile, cell, borne, scratch)
            work[0] = state
            put(state, after, variant, tile, cell, borne, scratch)
            ahead = find_paths(after, variant, mind, me)
            fill_borne(state, variant, due, borne)
            targets = legal_cells(after, variant)
            reply = -np.inf
            for c in range(np.int64(variant.cells)):
                if targets >> c & 1:
                    gained = placed(after, variant, mind, me, ahead, following, c, borne, scratch)
                    reply = max(reply, gained if mine else -gained)
            if reply > -np.inf:
                reply = mind.reply * (reply if mine else -reply)
                replied += 1
                replies += reply
                worth += reply
            offer(offers, most, action_of(verb, cell), 0, worth)
        if offers.size[0] == most:
            return
    usual = replies / max(1, replied)
    for cell in range(np.int64(variant.cells)):
        if worths[cell] > -np.inf:
            offer(offers, most, action_of(verb, cell), 0, worths[cell] + usual)


@routine
def offer_scatters(state, variant, mind, me, paths, borne, scratch, key, most, offers):
    """U-D3: where the energy on the point may go, by what it gains there."""
    for s in range(variant.players):
        borne[s] = state.on[state.spot, s]
        if variant.scatter == SPLIT and borne[s] > 0.0:
            borne[s] = 1.0
            break
    offer(offers, most, action_of(DO_SCATTER, STAY), 0, luck(key, STAY))
    for cell in range(np.int64(variant.cells)):
        if state.targets >> cell & 1:
            worth = luck(key, cell)
            if paths.through[cell] != NONE:
                path = np.int64(1) << paths.through[cell]
                worth += strengthened(state, variant, mind, me, paths, path, np.int64(0), borne, scratch)
            offer(offers, most, action_of(DO_SCATTER, cell), 0, worth)


# --- Bids -----------------------------------------------------------------------------------------------------


@routine
def offer_bids(state, variant, mind, me, paths, borne, scratch, key, most, offers):
    """U-D1: bids by what their parts are worth together."""
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
                    borne[s] += mind.presence * (np.int64(state.hand[s, ENERGY]) + state.hand[s, SOUL]) / places
            borne[me] += e
            high, low = -np.inf, np.inf
            for cell in range(np.int64(variant.cells)):
                if targets >> cell & 1:
                    worth = placed(state, variant, mind, me, paths, tile, cell, borne, scratch)
                    high, low = max(high, worth), min(low, worth)
            if high >= low:
                highs[place, e], lows[place, e] = high, low

    worths = np.zeros((MOST_ALTAR, MOST_DRAW + 1, MOST_DRAW + 1))  # by place, energy and soul flowers bid
    for place in range(np.int64(state.laid)):
        if not state.biddable >> place & 1:
            continue
        for e in range(energy + 1):
            for s in range(soul + 1):
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
                    wins *= 0.5 + 0.5 * ahead / (mind.win_doubt + abs(ahead))
                    quiet *= 0.0 if shown else (1.0 - 1.0 / places) ** unseen
                if mine == 0:
                    worth = (1.0 - quiet) * lows[place, e]
                else:
                    worth = wins * highs[place, e] + (1.0 - wins) * lows[place, e]
                worths[place, e, s] = worth + luck(key, (place * 8 + e) * 8 + s)

    bids = np.int64(variant.ways[places, energy]) * variant.ways[places, soul]
    for k in range(bids):
        bid = nth_bid(state, variant, k)
        if state.form == ANY_BID or has_form(state, bid):
            worth = 0.0
            for place in range(np.int64(state.laid)):
                if state.biddable >> place & 1:
                    worth += worths[place, amount(bid, place, ENERGY), amount(bid, place, SOUL)]
            offer(offers, most, action_of(DO_BID, bid), 0, worth)


# --- Styles ---------------------------------------------------------------------------------------------------

STYLES = ("spread", "lump")  # in the order of the forms of a bid
EXPLOITS = {"greedy-lump": "bids all flowers of a hand on one tile"}
CANNOT = {"no-soul": "a hand is bid whole, and soul flowers come into it by lot, so nobody can keep them back"}


@kernel
def restrict(state, variant, style):
    """`spread` bids a flower a tile as far as the tiles go, `lump` bids all flowers on one."""
    if state.phase == BID:
        keep_form(state, variant, style)


# --- Judging a position -----------------------------------------------------------------------------------------


JUDGE = (
    "taken",
    "late_taken",
    "energy_left",
    "soul_left",
    "board",
    "score",
)  # the weights by which a position is judged


@routine
def assess(state, variant, mind, best, work, values):
    """Each seat's share of the victory to be expected: a softmax over how well the seats stand.

    That is how much of its soul tile a seat has taken home, what the paths on the board are worth to it, what is left in
    its bag, and, for the seat that decides, what its best option gains.
    """
    players = np.int64(variant.players)
    decider = np.int64(state.decider)
    score = max(-SCORED, min(SCORED, best))
    for s in range(players):
        taken = 1.0 - state.soul_tile[s] / np.int64(variant.soul_on_tile)
        value = mind.taken * taken + mind.late_taken * taken * taken
        value += mind.energy_left * (state.energy[s] + state.hand[s, ENERGY]) / np.int64(variant.energy)
        value += mind.soul_left * (state.soul[s] + state.hand[s, SOUL]) / np.int64(variant.soul)
        paths = find_paths(state, variant, mind, s)
        for path in range(paths.worth.size):
            value += mind.board * max(-SCORED, min(SCORED, paths.worth[path]))
        values[s] = value + mind.score * (score if s == decider else -score / (players - 1))
    share_out(values, players)


# --- Tuning ---------------------------------------------------------------------------------------------------

# What a tuned bot is to be good at, and how much each counts.
TUNED_ON: tuple[tuple[float, dict[str, Any]], ...] = (
    (0.4, {}),
    (0.2, {"players": 3}),
    (0.1, {"players": 4}),
    (0.1, {"side": 5}),
    (0.1, {"specials": True}),
    (0.1, {"soul_on_tile": 7}),
)


# --- By name --------------------------------------------------------------------------------------------------

NAMES = ()  # no bots beside those that every game has


@routine
def propose(state, variant, mind, style, key, most, offers, work):
    """The options that gain most at once, with an eye to the next tile; equal ones stand in an order drawn by lot."""
    offers.size[0] = 0
    me = np.int64(state.decider)
    paths = find_paths(state, variant, mind, me)
    borne = np.zeros(MOST_PLAYERS)
    scratch = Scratch(
        np.zeros(MOST_PLAYERS, np.int64), np.zeros(MOST_PLAYERS), np.zeros(MOST_PLAYERS), np.zeros(1, np.int64)
    )
    if state.phase == BID:
        offer_bids(state, variant, mind, me, paths, borne, scratch, key, most, offers)
    elif state.phase == SCATTER:
        offer_scatters(state, variant, mind, me, paths, borne, scratch, key, most, offers)
    else:
        offer_cells(state, variant, mind, me, paths, borne, scratch, key, most, offers, work)


@kernel
def carry(state, variant, mind, style, action, rest, tape, work):
    """Play an action; nothing is meant to follow it."""
    play(state, variant, action, tape)


@kernel
def pick(state, variant, bot):
    """No bot of the game's own."""
    return nth(state, variant, 0)

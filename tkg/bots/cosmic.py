"""Bots of Cosmic Alignments: one that weighs every option by what follows from it within the next turns.

Whose turn comes next and which tile it is bound to follow from a placement alone, so the turns to come are read off
tables by tile: what a seat can win there, and where its own placement then sends the one after it. The tables are
made once for a decision and take no notice of what the turns between change.
"""

from collections import namedtuple

import numpy as np

from tkg.rules.bits import count_bits
from tkg.rules.chance import derive, scale
from tkg.rules.cosmic import (
    CAPTURE,
    DO_CAPTURE,
    DO_DRAFT,
    DO_LIFT,
    DO_OCCUPY,
    DO_PLACE,
    DRAFT,
    FREELY,
    HAND,
    LIFT,
    MOST_CELLS,
    MOST_PLAYERS,
    NONE,
    OCCUPY,
    PASS,
    STRICT,
    TAKE,
    action_of,
    count_drafts,
    may_lift,
    nth,
)
from tkg.rules.kernel import kernel, routine, spliced

# --- Styles ---------------------------------------------------------------------------------------------------

STYLES = ("only-occupy", "only-capture", "rich-draft")
ONLY_OCCUPY, ONLY_CAPTURE, RICH_DRAFT = 1, 2, 3


@kernel
def restrict(state, variant, style):
    """`only-occupy` and `only-capture` take a tile in that way where both are possible; `rich-draft` drafts a tile with most insignias."""
    if state.phase == TAKE and style != RICH_DRAFT:
        state.takes = OCCUPY if style == ONLY_OCCUPY else CAPTURE
        state.options = 1
    elif state.phase == DRAFT and style == RICH_DRAFT:
        most = 0
        richest = 0
        for i in range(HAND):
            if state.takes >> i & 1:
                weight = np.int64(variant.weight[state.hands[state.drafted, i]])
                if weight > most or richest == 0:
                    most, richest = weight, 0
                richest |= np.int64(weight == most) << i
        state.takes = richest
        count_drafts(state, variant)


# --- Weights --------------------------------------------------------------------------------------------------

(
    OWN_NEXT, OWN_FAR, DENY, CAPTURED, POINTS,
    BUILD, BEGIN, BLOCK, HINDER, MAJORITY, CAP,
    REPLY, AFTER, HARM, DRAFT_OTHERS,
) = range(15)  # fmt: skip

# Set by hand between the ends of two short runs of an evolution strategy (CMA-ES, 14 candidates a generation, all on the
# same deals, fresh deals for each generation, seeds from 10 million on), so no optimum. What the runs raised is the mean of
# win shares against the weights before, also where those occupy whatever they win, with two and three players, lines of 4
# and a side of 3. Terms without which these games went as well were dropped, but for DENY, which ends alignments of others.
WEIGHTS = (
    6.0, 0.25, 12.0, 4.0, 14.0,
    0.24, 0.009, 0.14, 0.026, 0.05, 25.0,
    0.2, 0.8, 0.8, 0.5,
)  # fmt: skip
WON = 1000.0
DEPTH = 3  # turns looked at after the option; 2, 4 and 5 win less


# --- What a tile is worth -------------------------------------------------------------------------------------


@kernel
def known(state, variant, tile, seat):
    """Whether a seat may know the insignias of a tile of the layout: it drafted it, or the tile is occupied."""
    hand = np.int64(state.cell_hand[tile])
    return state.owner[tile] != NONE or (hand != NONE and hand % variant.players == seat)


@routine
def expect(state, variant, me):
    """(points that a capture brings by seat and tile, their mean) as far as `me` can know.

    What is dealt on cells that `me` does not know is never read: it counts as a mean tile of those unseen.
    """
    expected = np.zeros((MOST_PLAYERS, MOST_CELLS))
    players = np.int64(variant.players)
    total = 0
    unseen = np.zeros(MOST_PLAYERS)
    for k in range(variant.kinds):
        copies = np.int64(variant.copies[k])
        total += copies
        for s in range(players):
            unseen[s] += copies * variant.worth[k, state.element[s]]
    for i in range(state.drawn):
        if state.captor[i] != NONE:
            total -= 1
            for s in range(players):
                unseen[s] -= variant.worth[state.stack[i], state.element[s]]
    for c in range(variant.cells):
        if known(state, variant, c, me):
            total -= 1
            for s in range(players):
                unseen[s] -= variant.worth[state.board[c], state.element[s]]
    mean = 0.0
    for s in range(players):
        unseen[s] /= max(1, total)
        mean += unseen[s] / players
    for c in range(variant.cells):
        seen = known(state, variant, c, me)
        for s in range(players):
            expected[s, c] = variant.worth[state.board[c], state.element[s]] if seen else unseen[s]
    return expected, max(mean, 0.1)


@kernel
def standing(state, seat):
    """Points and, for those who are level, occupied tiles."""
    return state.points[seat] + count_bits(state.occupied[seat]) / 32.0


@routine
def final(state, variant, seat, gained):
    """How good it is for a seat that the game ends when it has gained so much."""
    others = 0.0
    for s in range(variant.players):
        if s != seat:
            others = max(others, standing(state, s))
    return WON * max(-1.0, min(1.0, 4.0 * (standing(state, seat) + gained - others)))


@routine
def occupying(state, variant, seat, tile):
    """How good it is for a seat to occupy a tile: alignments of its own that come nearer, and those of others that it ends."""
    mine = np.int64(state.occupied[seat])
    owned = mine
    for s in range(variant.players):
        owned |= np.int64(state.occupied[s])
    value = 0.0
    size = count_bits(variant.alignments[0, 0])
    for i in range(variant.near_alignments[tile]):
        taken = owned & np.int64(variant.alignments[tile, i])
        missing = size - 1
        if taken:
            missing -= count_bits(taken)
        if taken & ~mine == 0:
            if missing == 0:
                return WON
            if missing < state.oinks[seat]:
                value += WEIGHTS[OWN_NEXT] if missing == 1 else WEIGHTS[OWN_FAR] / (missing - 1)
        elif missing == 0 and taken & mine == 0:
            for s in range(variant.players):
                if taken & ~np.int64(state.occupied[s]) == 0 and state.oinks[s] > 0:
                    value += WEIGHTS[DENY]
    if state.room == count_bits(state.free[tile]):
        return final(state, variant, seat, 1 / 32.0)
    return value


@routine
def capturing(state, variant, seat, points, mean):
    """How good it is for a seat to capture a tile of so many points, `mean` of which a tile brings."""
    if state.captured[seat] + 1 >= variant.capture_limit:
        return final(state, variant, seat, points)
    return WEIGHTS[CAPTURED] + WEIGHTS[POINTS] * points / mean


# --- What can be won where --------------------------------------------------------------------------------------

Chart = namedtuple(
    "Chart",
    (
        "me",  # for whom it is drawn
        "first",  # the seat whose turn comes after the decision
        "harm",  # how much what another wins is a loss
        "worth",  # by seat and tile: of winning it
        "occupies",  # by seat: a bit for each tile that it would occupy and not capture
        "ready",  # by seat and tile: the spaces on which its token completes a line
        "values",  # by turns from now and tile, or `cells` for a free placement: for the seat whose turn it is
        "mine",  # the same for `me`
        "order",  # by turns from now: the tiles, that first to which the seat then would send the one after it
    ),
)


@kernel
def ready_spaces(state, variant, tile, seat):
    """The free spaces of a tile on which a token of a seat's completes a line, as bits."""
    own = np.int64(state.tokens[tile, seat])
    found = np.int64(0)
    if count_bits(own) + 1 >= variant.line:
        for space in range(variant.cells):
            if own >> space & 1:
                for i in range(variant.near_lines[space]):
                    way = np.int64(variant.lines[space, i])
                    if count_bits(own & way) + 1 >= variant.line:
                        found |= way
    return found & np.int64(state.free[tile])


@routine
def winner_if_full(state, variant, tile, seat, me, added):
    """Who wins a tile under `majority` if a seat fills its last space after `me` has added some tokens; or NONE."""
    most = latest = np.int64(-1)
    winner = NONE
    for s in range(variant.players):
        tokens = np.int64(state.tokens[tile, s])
        n = count_bits(tokens)
        last = np.int64(-1)
        if s == me and added:
            n += added
            last = np.int64(variant.max_turns)
        if s == seat:
            n += 1
            last = np.int64(variant.max_turns) + 1
        if n >= most and last < 0:
            for space in range(variant.cells):
                if tokens >> space & 1:
                    last = max(last, np.int64(state.since[tile, space]))
        if n > most or (n == most and last > latest):
            most, latest, winner = n, last, s
    if variant.majority == STRICT and 2 * most <= variant.cells:
        return NONE
    return winner


@kernel
def loss(chart, worth):
    """How bad it is that another player wins so much: a game lost is lost, whoever wins it."""
    return worth if worth >= WON else worth * chart.harm


@kernel
def followed(gain, later):
    """A gain and what comes later, unless the game is over with it."""
    return gain if abs(gain) >= WON else gain + later


@kernel
def best_of(chart, turn, spaces):
    """The one of some spaces from which the turns after go best for the seat that is `turn` turns from now."""
    i = 0
    while not spaces >> chart.order[turn, i] & 1:
        i += 1
    return chart.order[turn, i]


@kernel
def reply(state, variant, chart, turn, tile, free, ready, added):
    """(value for the seat that is `turn` turns from now, value for `me`) of its best placement on a tile.

    `free` and `ready` are the spaces as they are then, when `added` more tokens of `me` lie there.
    """
    seat = (chart.first + turn) % np.int64(variant.players)
    me = chart.me
    space = best_of(chart, turn, free)
    value, ours = chart.values[turn + 1, space], chart.mine[turn + 1, space]
    if ready:
        worth = chart.worth[seat, tile]
        space = best_of(chart, turn, ready)
        winning = followed(worth, chart.values[turn + 1, space])
        if winning >= value:
            value = winning
            ours = followed(worth if seat == me else -loss(chart, worth), chart.mine[turn + 1, space])
    elif free & (free - 1) == 0:
        winner = winner_if_full(state, variant, tile, seat, me, added)
        if winner != NONE:
            worth = chart.worth[winner, tile]
            value = followed(worth if winner == seat else -loss(chart, worth), value)
            ours = followed(worth if winner == me else -loss(chart, worth), ours)
    return value, ours


@kernel
def look_ahead(state, variant, chart, turn):
    """Fill in the chart how it goes when the seat that is `turn` turns from now is sent to each of the tiles."""
    cells = np.int64(variant.cells)
    seat = (chart.first + turn) % np.int64(variant.players)
    best, best_ours = -np.inf, 0.0
    for tile in range(cells):
        free = np.int64(state.free[tile])
        if free:
            value, ours = reply(state, variant, chart, turn, tile, free, chart.ready[seat, tile], 0)
            chart.values[turn, tile], chart.mine[turn, tile] = value, ours
            if value > best or (value == best and ours < best_ours):
                best, best_ours = value, ours
    if best == -np.inf:
        best = 0.0
    chart.values[turn, cells], chart.mine[turn, cells] = best, best_ours
    for tile in range(cells):
        if not state.free[tile]:
            if variant.blocked == PASS and state.owner[tile] == NONE:
                chart.values[turn, tile] = chart.values[turn + 1, cells]
                chart.mine[turn, tile] = chart.mine[turn + 1, cells]
            else:
                chart.values[turn, tile], chart.mine[turn, tile] = best, best_ours


@kernel
def pass_on(variant, chart, turn):
    """Turn what is filled in for a turn into what it means for the seat before, and put the tiles in its order."""
    for tile in range(variant.cells + 1):
        chart.values[turn, tile] *= -WEIGHTS[REPLY]
        chart.mine[turn, tile] *= WEIGHTS[AFTER]
    order = chart.order[turn - 1]
    for tile in range(variant.cells):
        i = np.int64(tile)
        value, ours = chart.values[turn, tile], chart.mine[turn, tile]
        while i > 0 and value >= chart.values[turn, order[i - 1]]:
            if value == chart.values[turn, order[i - 1]] and ours >= chart.mine[turn, order[i - 1]]:
                break
            order[i] = order[i - 1]
            i -= 1
        order[i] = tile


@routine
def draw_chart(state, variant, me, first, style, points, mean):
    """What each seat can win where, and how the turns go that begin with `first` being sent to a tile.

    `points` are those to be expected of a capture by seat and tile, `mean` is their mean.
    """
    cells = np.int64(variant.cells)
    players = np.int64(variant.players)
    worth = np.zeros((MOST_PLAYERS, MOST_CELLS))
    occupies = np.zeros(MOST_PLAYERS, np.int64)
    ready = np.zeros((MOST_PLAYERS, MOST_CELLS), np.int64)
    values, mine = np.zeros((DEPTH + 1, MOST_CELLS + 1)), np.zeros((DEPTH + 1, MOST_CELLS + 1))
    order = np.zeros((DEPTH, MOST_CELLS), np.int64)
    chart = Chart(me, first, WEIGHTS[HARM] ** (players - 2), worth, occupies, ready, values, mine, order)
    for s in range(players):
        may_occupy = state.oinks[s] > 0
        may_capture = state.drawn < state.stacked
        if s == me and may_occupy and may_capture:
            may_occupy = style != ONLY_CAPTURE
            may_capture = style != ONLY_OCCUPY
        for tile in range(cells):
            if state.owner[tile] != NONE:
                continue
            best = -np.inf if may_occupy or may_capture else 0.0
            if may_capture:
                best = capturing(state, variant, s, points[s, tile], mean)
            if may_occupy:
                value = occupying(state, variant, s, tile)
                if value >= best:
                    best = value
                    occupies[s] |= np.int64(1) << tile
            worth[s, tile] = best
            ready[s, tile] = ready_spaces(state, variant, tile, s)
    for tile in range(cells):
        order[DEPTH - 1, tile] = tile
    for turn in range(DEPTH - 1, -1, -1):
        look_ahead(state, variant, chart, turn)
        if turn > 0:
            pass_on(variant, chart, turn)
    return chart


# --- Placing and lifting ----------------------------------------------------------------------------------------


@kernel
def position(state, variant, chart, tile, space):
    """What a token of `me` on a space does for lines that are not complete yet."""
    me = chart.me
    cells = np.int64(variant.cells)
    line = np.int64(variant.line)
    here = np.int64(1) << space
    free = np.int64(state.free[tile]) | here
    own = np.int64(state.tokens[tile, me]) & ~here
    mine = min(WEIGHTS[CAP], chart.worth[me, tile])
    value = WEIGHTS[MAJORITY] * mine * (cells - count_bits(free)) / cells
    threatens = False
    for i in range(variant.near_lines[space]):
        way = np.int64(variant.lines[space, i])
        if count_bits((own | free) & way) >= line:
            n = count_bits(own & way)
            if n + 2 == line:
                threatens = True
            elif n + 3 == line:
                value += WEIGHTS[BEGIN] * mine
    if threatens:
        value += WEIGHTS[BUILD] * mine
    for s in range(variant.players):
        if s == me:
            continue
        theirs = np.int64(state.tokens[tile, s])
        if theirs == 0:
            continue
        worth = loss(chart, min(WEIGHTS[CAP], chart.worth[s, tile]))
        blocks = False
        for i in range(variant.near_lines[space]):
            way = np.int64(variant.lines[space, i])
            if count_bits((theirs | free) & way) == line:
                n = count_bits(theirs & way)
                if n + 1 == line:
                    blocks = True
                elif n + 2 == line:
                    value += WEIGHTS[HINDER] * worth
        if blocks:
            value += WEIGHTS[BLOCK] * worth
    return value


@kernel
def placing(state, variant, chart, tile, space):
    """How good it is for `me` to place a token on a space."""
    me, first = chart.me, chart.first
    cells = np.int64(variant.cells)
    here = np.int64(1) << space
    left = np.int64(state.free[tile]) & ~here
    winner = NONE
    value = 0.0
    if chart.ready[me, tile] & here:
        winner = me
    elif left == 0:
        winner = winner_if_full(state, variant, tile, me, me, 0)
    if winner != NONE:
        worth = chart.worth[winner, tile]
        value = worth if winner == me else -loss(chart, worth)
        if value >= WON or value <= -WON:
            return value
    elif state.room == 1:
        return final(state, variant, me, 0.0)
    else:
        value = position(state, variant, chart, tile, space)
    follows = chart.mine[0, space]
    if space == tile:
        if winner == NONE and left:
            follows = reply(state, variant, chart, 0, tile, left, chart.ready[first, tile] & ~here, 1)[1]
        elif winner != NONE and not chart.occupies[winner] >> tile & 1:
            follows = reply(state, variant, chart, 0, tile, np.int64(variant.all_spaces), 0, 0)[1]
        else:
            follows = chart.mine[0, cells]
    return value + WEIGHTS[AFTER] * follows


@routine
def best_place(state, variant, style, key):
    """The placement that is worth most."""
    me = np.int64(state.mover)
    points, mean = expect(state, variant, me)
    chart = draw_chart(state, variant, me, (me + 1) % np.int64(variant.players), style, points, mean)
    best, chosen, equals = -np.inf, NONE, 0
    for tile in range(variant.cells):
        if (state.bound != NONE and tile != state.bound) or tile == state.origin:
            continue
        free = np.int64(state.free[tile])
        for space in range(variant.cells):
            if free >> space & 1:
                value = placing(state, variant, chart, tile, space)
                equals = equals + 1 if value == best else 1
                if value > best or (value == best and scale(derive(key, equals), equals) == 0):
                    best, chosen = value, action_of(DO_PLACE, tile, space)
    return chosen


@routine
def best_lift(state, variant, style, key):
    """The token that does least where it lies."""
    me = np.int64(state.mover)
    points, mean = expect(state, variant, me)
    chart = draw_chart(state, variant, me, (me + 1) % np.int64(variant.players), style, points, mean)
    best, chosen, equals = -np.inf, NONE, 0
    for tile in range(variant.cells):
        tokens = may_lift(state, tile, me)
        for space in range(variant.cells):
            if tokens >> space & 1:
                value = -position(state, variant, chart, tile, space)
                equals = equals + 1 if value == best else 1
                if value > best or (value == best and scale(derive(key, equals), equals) == 0):
                    best, chosen = value, action_of(DO_LIFT, tile, space)
    return chosen


# --- Taking and drafting ----------------------------------------------------------------------------------------


@routine
def best_take(state, variant, style, key, work):
    """Occupy or capture, whichever is worth more with what follows from it; what is captured is guessed, not looked at."""
    if state.options == 1:
        return nth(state, variant, 0)
    me, tile = np.int64(state.decider), np.int64(state.won)
    first = (np.int64(state.mover) + 1) % np.int64(variant.players)
    points, mean = expect(state, variant, me)
    by_occupying = occupying(state, variant, me, tile)
    by_capturing = capturing(state, variant, me, points[me, tile], mean)
    if by_occupying < WON and abs(by_capturing) < WON:
        after = work[0]
        work[0] = state
        after.owner[tile] = me
        after.occupied[me] = np.int64(after.occupied[me]) | np.int64(1) << tile
        after.oinks[me] -= 1
        after.free[tile] = 0
        after.room -= variant.cells
        chart = draw_chart(after, variant, me, first, style, points, mean)
        by_occupying += WEIGHTS[AFTER] * chart.mine[0, state.directed]
        work[0] = state
        after.captured[me] += 1
        after.drawn += 1
        after.points[me] += np.int64(points[me, tile])
        for s in range(variant.players):
            points[s, tile] = mean
        chart = draw_chart(after, variant, me, first, style, points, mean)
        by_capturing += WEIGHTS[AFTER] * chart.mine[0, state.directed]
    return action_of(DO_OCCUPY if by_occupying >= by_capturing else DO_CAPTURE, tile, 0)


@routine
def best_draft(state, variant, key):
    """The tile that brings its drafter most and others least."""
    me, hand = np.int64(state.decider), np.int64(state.drafted)
    best, chosen, equals = -np.inf, NONE, 0
    for i in range(HAND):
        if not state.takes >> i & 1:
            continue
        tile = np.int64(state.hands[hand, i])
        worth = np.float64(variant.worth[tile, state.element[me]])
        for s in range(variant.players):
            if s != me:
                worth -= WEIGHTS[DRAFT_OTHERS] * variant.worth[tile, state.element[s]] / (variant.players - 1)
        for cell in range(variant.cells):
            if not (state.board[cell] == NONE if variant.layout == FREELY else cell == hand):
                continue
            equals = equals + 1 if worth == best else 1
            if worth > best or (worth == best and scale(derive(key, equals), equals) == 0):
                best, chosen = worth, action_of(DO_DRAFT, tile, cell)
    return chosen


# --- By name --------------------------------------------------------------------------------------------------

NAMES = ("greedy",)


@routine
def greedy(state, variant, style, key, work):
    """Plays the option that is worth most with what follows from it; equal ones are drawn by lot."""
    if state.phase == DRAFT:
        return best_draft(state, variant, key)
    if state.phase == TAKE:
        return best_take(state, variant, style, key, work)
    if state.phase == LIFT:
        return best_lift(state, variant, style, key)
    return best_place(state, variant, style, key)


@spliced
def pick(state, variant, bot, style, key, work):
    """The choice of the bot that stands at this place in NAMES."""
    return greedy(state, variant, style, key, work)

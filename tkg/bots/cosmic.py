"""Bots of Cosmic Alignments: one that weighs every option by what follows from it within the next turns.

Whose turn comes next and which tile it is bound to follow from a placement alone, so the turns to come are read off
tables by tile: what a seat can win there, and where its own placement then sends the one after it. The tables are
made once for a decision and take no notice of what the turns between change.
"""

from collections import namedtuple
from typing import Any

import numpy as np

from tkg.bots.minds import mind_dtype
from tkg.bots.offers import luck, offer, share_out
from tkg.rules.bits import count_bits
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
    play,
)
from tkg.rules.kernel import kernel, routine

# --- Styles ---------------------------------------------------------------------------------------------------

STYLES = ("only-occupy", "only-capture", "rich-draft")
ONLY_OCCUPY, ONLY_CAPTURE, RICH_DRAFT = 1, 2, 3
EXPLOITS = {"greedy-only-capture": "captures every tile that it wins, and occupies none"}
CANNOT: dict[str, str] = {}


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

# In the order of `weights/cosmic.json`, which tells how they were found.
MIND = mind_dtype(
    "own_next", "own_far", "deny", "captured", "points",
    "build", "begin", "block", "hinder", "majority", "cap",
    "reply", "after", "harm", "draft_others",
    "lead", "late_lead", "taken", "near_alignment", "far_alignment", "threat", "score",
)  # fmt: skip
WON = 1000.0
SCORED = 60.0  # worth of an option beyond which a game not yet won is no more likely to be
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
def occupying(state, variant, mind, seat, tile):
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
                value += mind.own_next if missing == 1 else mind.own_far / (missing - 1)
        elif missing == 0 and taken & mine == 0:
            for s in range(variant.players):
                if taken & ~np.int64(state.occupied[s]) == 0 and state.oinks[s] > 0:
                    value += mind.deny
    if state.room == count_bits(state.free[tile]):
        return final(state, variant, seat, 1 / 32.0)
    return value


@routine
def capturing(state, variant, mind, seat, points, mean):
    """How good it is for a seat to capture a tile of so many points, `mean` of which a tile brings."""
    if state.captured[seat] + 1 >= variant.capture_limit:
        return final(state, variant, seat, points)
    return mind.captured + mind.points * points / mean


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
def pass_on(variant, mind, chart, turn):
    """Turn what is filled in for a turn into what it means for the seat before, and put the tiles in its order."""
    for tile in range(variant.cells + 1):
        chart.values[turn, tile] *= -mind.reply
        chart.mine[turn, tile] *= mind.after
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
def draw_chart(state, variant, mind, me, first, style, points, mean):
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
    chart = Chart(me, first, mind.harm ** (players - 2), worth, occupies, ready, values, mine, order)
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
                best = capturing(state, variant, mind, s, points[s, tile], mean)
            if may_occupy:
                value = occupying(state, variant, mind, s, tile)
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
            pass_on(variant, mind, chart, turn)
    return chart


# --- Placing and lifting ----------------------------------------------------------------------------------------


@kernel
def position(state, variant, mind, chart, tile, space):
    """What a token of `me` on a space does for lines that are not complete yet."""
    me = chart.me
    cells = np.int64(variant.cells)
    line = np.int64(variant.line)
    here = np.int64(1) << space
    free = np.int64(state.free[tile]) | here
    own = np.int64(state.tokens[tile, me]) & ~here
    mine = min(mind.cap, chart.worth[me, tile])
    value = mind.majority * mine * (cells - count_bits(free)) / cells
    threatens = False
    for i in range(variant.near_lines[space]):
        way = np.int64(variant.lines[space, i])
        if count_bits((own | free) & way) >= line:
            n = count_bits(own & way)
            if n + 2 == line:
                threatens = True
            elif n + 3 == line:
                value += mind.begin * mine
    if threatens:
        value += mind.build * mine
    for s in range(variant.players):
        if s == me:
            continue
        theirs = np.int64(state.tokens[tile, s])
        if theirs == 0:
            continue
        worth = loss(chart, min(mind.cap, chart.worth[s, tile]))
        blocks = False
        for i in range(variant.near_lines[space]):
            way = np.int64(variant.lines[space, i])
            if count_bits((theirs | free) & way) == line:
                n = count_bits(theirs & way)
                if n + 1 == line:
                    blocks = True
                elif n + 2 == line:
                    value += mind.hinder * worth
        if blocks:
            value += mind.block * worth
    return value


@kernel
def placing(state, variant, mind, chart, tile, space):
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
        value = position(state, variant, mind, chart, tile, space)
    follows = chart.mine[0, space]
    if space == tile:
        if winner == NONE and left:
            follows = reply(state, variant, chart, 0, tile, left, chart.ready[first, tile] & ~here, 1)[1]
        elif winner != NONE and not chart.occupies[winner] >> tile & 1:
            follows = reply(state, variant, chart, 0, tile, np.int64(variant.all_spaces), 0, 0)[1]
        else:
            follows = chart.mine[0, cells]
    return value + mind.after * follows


@routine
def offer_places(state, variant, mind, style, key, most, offers):
    """Placements by what they are worth."""
    me = np.int64(state.mover)
    points, mean = expect(state, variant, me)
    chart = draw_chart(state, variant, mind, me, (me + 1) % np.int64(variant.players), style, points, mean)
    for tile in range(variant.cells):
        if (state.bound != NONE and tile != state.bound) or tile == state.origin:
            continue
        free = np.int64(state.free[tile])
        for space in range(variant.cells):
            if free >> space & 1:
                action = action_of(DO_PLACE, tile, space)
                offer(offers, most, action, 0, placing(state, variant, mind, chart, tile, space) + luck(key, action))


@routine
def offer_lifts(state, variant, mind, style, key, most, offers):
    """Tokens by how little they do where they lie."""
    me = np.int64(state.mover)
    points, mean = expect(state, variant, me)
    chart = draw_chart(state, variant, mind, me, (me + 1) % np.int64(variant.players), style, points, mean)
    for tile in range(variant.cells):
        tokens = may_lift(state, tile, me)
        for space in range(variant.cells):
            if tokens >> space & 1:
                action = action_of(DO_LIFT, tile, space)
                offer(offers, most, action, 0, luck(key, action) - position(state, variant, mind, chart, tile, space))


# --- Taking and drafting ----------------------------------------------------------------------------------------


@routine
def offer_takes(state, variant, mind, style, most, offers, work):
    """Occupy and capture, with what follows from either; what is captured is guessed, not looked at."""
    me, tile = np.int64(state.decider), np.int64(state.won)
    first = (np.int64(state.mover) + 1) % np.int64(variant.players)
    points, mean = expect(state, variant, me)
    by_occupying = occupying(state, variant, mind, me, tile)
    by_capturing = capturing(state, variant, mind, me, points[me, tile], mean)
    if abs(by_occupying) < WON and abs(by_capturing) < WON:
        after = work[0]
        work[0] = state
        after.owner[tile] = me
        after.occupied[me] = np.int64(after.occupied[me]) | np.int64(1) << tile
        after.oinks[me] -= 1
        after.free[tile] = 0
        after.room -= variant.cells
        chart = draw_chart(after, variant, mind, me, first, style, points, mean)
        by_occupying += mind.after * chart.mine[0, state.directed]
        work[0] = state
        after.captured[me] += 1
        after.drawn += 1
        after.points[me] += np.int64(np.rint(points[me, tile]))
        for s in range(variant.players):
            points[s, tile] = mean
        chart = draw_chart(after, variant, mind, me, first, style, points, mean)
        by_capturing += mind.after * chart.mine[0, state.directed]
    if state.takes & OCCUPY:
        offer(offers, most, action_of(DO_OCCUPY, tile, 0), 0, by_occupying)
    if state.takes & CAPTURE:
        offer(offers, most, action_of(DO_CAPTURE, tile, 0), 0, by_capturing)


@routine
def offer_drafts(state, variant, mind, key, most, offers):
    """Tiles by what they bring their drafter, less what they bring others."""
    me, hand = np.int64(state.decider), np.int64(state.drafted)
    for i in range(HAND):
        if not state.takes >> i & 1:
            continue
        tile = np.int64(state.hands[hand, i])
        worth = np.float64(variant.worth[tile, state.element[me]])
        for s in range(variant.players):
            if s != me:
                worth -= mind.draft_others * variant.worth[tile, state.element[s]] / (variant.players - 1)
        for cell in range(variant.cells):
            if state.board[cell] == NONE if variant.layout == FREELY else cell == hand:
                action = action_of(DO_DRAFT, tile, cell)
                offer(offers, most, action, 0, worth + luck(key, action))


# --- Judging a position -----------------------------------------------------------------------------------------


@kernel
def nearness(state, variant, mind, seat):
    """Alignments that a seat may still complete, one or two tiles from being so."""
    if state.oinks[seat] == 0:
        return 0.0
    size = count_bits(variant.alignments[0, 0])
    theirs = np.int64(0)
    for s in range(variant.players):
        if s != seat:
            theirs |= np.int64(state.occupied[s])
    mine = np.int64(state.occupied[seat])
    value = 0.0
    for tile in range(variant.cells):
        if mine >> tile & 1:
            for i in range(variant.near_alignments[tile]):
                way = np.int64(variant.alignments[tile, i])
                held = count_bits(way & mine)
                if way & theirs == 0:  # an alignment is met once for each of its tiles that is held
                    if held + 1 == size:
                        value += mind.near_alignment / held
                    elif held + 2 == size:
                        value += mind.far_alignment / held
    return value


JUDGE = (
    "lead",
    "late_lead",
    "taken",
    "near_alignment",
    "far_alignment",
    "threat",
    "score",
)  # the weights by which a position is judged


@routine
def assess(state, variant, mind, best, work, values):
    """Each seat's share of the victory to be expected: a softmax over how well the seats stand.

    What the seat that decides can do next counts by what its best option is worth.
    """
    players = np.int64(variant.players)
    decider = np.int64(state.decider)
    total = 0.0
    for k in range(variant.kinds):
        for e in range(4):
            total += variant.copies[k] * variant.worth[k, e]
    mean = max(0.1, total / (4 * np.int64(variant.tiles)))
    captured = 0
    for s in range(players):
        captured = max(captured, np.int64(state.captured[s]))
    passed = captured / np.int64(variant.capture_limit)
    score = best if abs(best) > 0.5 * WON else max(-SCORED, min(SCORED, best))
    for s in range(players):
        others = -np.inf
        for other in range(players):
            if other != s:
                others = max(others, standing(state, other))
        lead = (standing(state, s) - others) / mean
        value = (mind.lead + mind.late_lead * passed) * lead
        value += mind.taken * state.captured[s] / np.int64(variant.capture_limit)
        value += nearness(state, variant, mind, s)
        for tile in range(variant.cells):
            if state.owner[tile] == NONE and state.tokens[tile, s]:
                if ready_spaces(state, variant, tile, s):
                    value += mind.threat
        values[s] = value + mind.score * (score if s == decider else -score / (players - 1))
    share_out(values, players)


# --- Tuning ---------------------------------------------------------------------------------------------------

# What a tuned bot is to be good at, and how much each counts.
TUNED_ON: tuple[tuple[float, dict[str, Any]], ...] = (
    (0.4, {}),
    (0.2, {"players": 3}),
    (0.1, {"players": 4}),
    (0.1, {"side": 3}),
    (0.1, {"line": 4}),
    (0.1, {"oinks": 6, "capture_limit": 8}),
)


# --- By name --------------------------------------------------------------------------------------------------


@routine
def propose(state, variant, mind, style, key, most, offers, work):
    """The options that are worth most with what follows from them; equal ones stand in an order drawn by lot."""
    offers.size[0] = 0
    if state.phase == DRAFT:
        offer_drafts(state, variant, mind, key, most, offers)
    elif state.phase == TAKE:
        offer_takes(state, variant, mind, style, most, offers, work)
    elif state.phase == LIFT:
        offer_lifts(state, variant, mind, style, key, most, offers)
    else:
        offer_places(state, variant, mind, style, key, most, offers)


@kernel
def carry(state, variant, mind, style, action, rest, tape, work):
    """Play an action; nothing is meant to follow it."""
    play(state, variant, action, tape)


NAMES = ()  # no bots beside those that every game has


@kernel
def pick(state, variant, bot):
    """No bot of the game's own."""
    return nth(state, variant, 0)

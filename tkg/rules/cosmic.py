"""Cosmic Alignments: players place LIFE tokens within a grid of tiles, each tile itself a grid.

Source: the published English rule text. Where it is silent or can be read in two ways, the readings below say what
was chosen. Clauses: C-D0 draft, C-D1 place, C-D2 lift, C-D3 take, E end.

The layout and every tile at side 4. A token on space 2 of any tile directs the next player to tile B:

    A B C D         1  2  3  4
    E F G H         5  6  7  8
    I J K L         9 10 11 12
    M N O P        13 14 15 16
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

from tkg.rules.bits import bits, count_bits, nth_bit
from tkg.rules.cells import cell_names
from tkg.rules.chance import CHANCE, UNTOLD, deal, derive, derive_exact, fold, mix, shuffle, shuffled_exact
from tkg.rules.errors import Refused
from tkg.rules.kernel import kernel, loop, records, routine
from tkg.rules.knobs import DeckKnob, Number, Reading, Variant, shown
from tkg.rules.positions import (
    GAME_OVER,
    WHOLE,
    Pool,
    entries,
    items,
    number_told,
    one_of,
    phase_of,
    something,
    truth,
    written,
)
from tkg.rules.tiles import ELEMENTS, MOST_TILES, tile_counts

NAME = "cosmic"
TITLE = "Cosmic Alignments"

# --- Knobs and readings -----------------------------------------------------------------------------------

KNOBS = (
    Number("players", 2, 2, 4, "players", "players, each with a seat", "Set-up"),
    Number(
        "side",
        4,
        3,
        5,
        "tiles",
        "tiles along a side of the layout, and spaces along a side of a tile",
        "Set-up, Within each World Tile",
    ),
    DeckKnob("deck", "reference", 9, MOST_TILES, "tiles", "what is shuffled, at least a tile for every cell", "Set-up"),
    Number("oinks", 13, 0, 255, "Oinks", "Oinks of each player", "Set-up"),
    Number("life", 33, 1, 255, "LIFE tokens", "LIFE tokens of each player", "Set-up"),
    Number("line", 3, 3, "side", "tokens", "tokens that make a line within a tile", "Game Flow"),
    Number("alignment", 3, 3, "side", "tiles", "occupied tiles that make a Cosmic Alignment", "Winning Condition"),
    Number("capture_limit", 5, 1, 48, "tiles", "captured tiles of one player that end the game", "Ending Condition 3"),
    Number(
        "own_points",
        2,
        0,
        9,
        "points",
        "points for a captured insignia of the player's own element",
        "Winning Condition",
    ),
    Number("other_points", 1, 0, 9, "points", "points for a captured insignia of another element", "Winning Condition"),
    Number(
        "max_turns",
        1000,
        1,
        30_000,
        "turns",
        "turns after which a simulated game is stopped and called unfinished; no rule of the game",
        "none",
    ),
)
READINGS = (
    Reading("layout", ("draft", "free", "dealt"), "each player in turn draws 3 tiles and places one on the next cell in reading order; on any empty cell; or nobody chooses and the first tiles are dealt", "Set-up"),
    Reading("line_shape", ("adjacent", "spaced"), "the tokens of a line within a tile are next to each other; or anywhere in one row, column or diagonal", "Game Flow"),
    Reading("majority", ("plurality", "strict"), "a full tile goes to the player with most tokens on it; or only to one with more than half of its spaces", "Game Flow"),
    Reading("blocked", ("anywhere", "pass"), "directed to a tile without room: place anywhere; or lose the turn, and the next player is not directed", "Game Flow"),
)  # fmt: skip
DECLARED = (*KNOBS, *READINGS)
SHORTHANDS: dict[str, Any] = {}  # names that stand for other settings when a variant is made, and in no record

DRAFTED, FREELY, DEALT = 0, 1, 2
PLURALITY, STRICT = 0, 1
ANYWHERE, PASS = 0, 1

MOST_PLAYERS = 4
MOST_CELLS = 25  # of the layout, and spaces of a tile
MOST_LINES = 12  # through one space, each of 3 adjacent spaces at side 5
HAND = 3
NONE = -1  # no tile, no seat, no cell

VARIANT = np.dtype(
    [
        ("players", "i2"),
        ("cells", "i2"),  # of the layout, and spaces of a tile
        ("kinds", "i2"),  # different tiles in the deck
        ("tiles", "i2"),  # tiles in the deck
        ("oinks", "i2"),
        ("life", "i2"),
        ("line", "i2"),
        ("capture_limit", "i2"),
        ("max_turns", "i2"),
        ("layout", "i2"),
        ("majority", "i2"),
        ("blocked", "i2"),
        ("deck", "i2", MOST_TILES),  # every tile of the deck, by kind
        ("copies", "i2", MOST_TILES),  # by kind
        ("weight", "i2", MOST_TILES),  # insignias of a kind
        ("worth", "i2", (MOST_TILES, 4)),  # points of a kind for a player of an element
        ("all_spaces", "u4"),  # a bit for every space of a tile
        ("near_lines", "i2", MOST_CELLS),  # lines through a space
        ("lines", "u4", (MOST_CELLS, MOST_LINES)),  # each as bits; `line` tokens on it make a line
        ("near_alignments", "i2", MOST_CELLS),
        ("alignments", "u4", (MOST_CELLS, MOST_LINES)),  # through a cell of the layout
    ]
)


def straights(side: int) -> list[list[int]]:
    """Every row, column and diagonal of a grid, short diagonals too, as places in reading order."""
    found: dict[tuple[str, int], list[int]] = {}
    for r, c in product(range(side), repeat=2):
        for name, number in (("row", r), ("column", c), ("falling", r - c), ("rising", r + c)):
            found.setdefault((name, number), []).append(r * side + c)
    return list(found.values())


def windows(side: int, length: int) -> list[int]:
    """Every run of `length` adjacent places in a row, column or diagonal, as bits: 24 of 3 at side 4."""
    return [bits(s[i : i + length]) for s in straights(side) for i in range(len(s) - length + 1)]


def pack(variant: Variant) -> np.ndarray:
    """The variant as an array of one VARIANT record."""
    packed = records(VARIANT)
    v = packed[0]
    side, deck = variant.side, variant.deck
    v.players, v.cells, v.all_spaces = variant.players, side * side, bits(range(side * side))
    for name in ("oinks", "life", "line", "capture_limit", "max_turns"):
        v[name] = variant[name]
    v.kinds, v.tiles = len(deck), deck.total
    v.deck[: deck.total] = [kind for kind, tile in enumerate(deck) for _ in range(deck[tile])]
    for kind, tile in enumerate(deck):
        counts = tile_counts(tile)
        v.copies[kind], v.weight[kind] = deck[tile], sum(counts)
        for e in range(4):
            v.worth[kind, e] = counts[e] * variant.own_points + (sum(counts) - counts[e]) * variant.other_points
    for reading in READINGS:
        if reading.name in (VARIANT.names or ()):
            v[reading.name] = reading.options.index(variant[reading.name])
    adjacent = variant.line_shape == "adjacent"
    lines = windows(side, variant.line) if adjacent else [bits(s) for s in straights(side) if len(s) >= variant.line]
    for c in range(side * side):
        here = [line for line in lines if line >> c & 1]
        v.near_lines[c], v.lines[c, : len(here)] = len(here), here
        here = [line for line in windows(side, variant.alignment) if line >> c & 1]
        v.near_alignments[c], v.alignments[c, : len(here)] = len(here), here
    return packed


def check(variant: Variant) -> None:
    """Refuse a deck that cannot fill the layout."""
    cells = variant.side * variant.side
    if variant.deck.total < cells:
        raise Refused(
            f"deck={variant.deck.label}: {variant.deck.total} tiles; side {variant.side} has {cells} cells, a tile for each"
        )


# By side, then line from 3 on: with fewer LIFE tokens a player some 10% of 40 games of random or of greedy players, and soon
# most of them, were not over after 1000 turns; at side 5 lines of 4 or 5 never were made in time.
FEW_LIFE = {3: (16,), 4: (33, 45), 5: (60, 256, 256)}


def warnings(variant: Variant) -> list[str]:
    """Why games of the variant do not end, or not in one of the ways that the rules name."""
    spaces, found = variant.side**2, []
    spare = variant.deck.total - spaces
    if variant.life < variant.line and variant.players * variant.life < spaces:
        return [
            f"No tile can ever be won: {variant.life} LIFE tokens a player make no line of {variant.line} and fill no "
            f"tile of {spaces} spaces. Every game runs to max_turns or ends by passes."
        ]
    if variant.oinks == 0 and spare == 0:
        return [
            "No tile can ever be taken: there are no Oinks to occupy it and no tiles to take its place. "
            "Games end only if LIFE tokens fill the layout."
        ]
    if variant.oinks < variant.alignment:
        found.append(
            f"No Cosmic Alignment can be made: it needs {variant.alignment} occupied tiles, and a player has "
            f"{variant.oinks} Oinks."
        )
    if spare < variant.capture_limit:
        found.append(
            f"No player can capture {variant.capture_limit} tiles: the deck of {variant.deck.total} leaves {spare} to refill "
            f"a layout of {spaces}."
        )
    few = FEW_LIFE[variant.side][variant.line - 3]
    if variant.life < few:
        how_many = f"with fewer than {few} LIFE tokens a player" if few < 256 else "with any number of LIFE tokens"
        found.append(
            f"Games tend not to end: {how_many}, lines of {variant.line} on tiles of {spaces} spaces are made so seldom that games "
            "of random or greedy players are often not over after 1000 turns. Games stopped at max_turns are counted as unfinished."
        )
    return found


# --- State --------------------------------------------------------------------------------------------------

DRAFT, PLACE, LIFT, TAKE, OVER = 0, 1, 2, 3, 4  # the decision at hand
KINDS = ("draft", "place", "lift", "take")  # of decisions, in this order
OCCUPY, CAPTURE = 1, 2  # bits of `takes`

STATE = np.dtype(
    [
        ("phase", "i2"),
        ("ending", "i2"),  # an index into ENDINGS
        ("mover", "i2"),  # whose turn it is
        ("decider", "i2"),  # who decides: the mover, the drafter, or the winner of a tile
        ("element", "i2", MOST_PLAYERS),
        ("life", "i2", MOST_PLAYERS),  # LIFE tokens in supply
        ("oinks", "i2", MOST_PLAYERS),  # Oinks in supply
        ("points", "i2", MOST_PLAYERS),
        ("captured", "i2", MOST_PLAYERS),
        ("occupied", "u4", MOST_PLAYERS),  # a bit for every tile with the player's Oink
        # the layout
        ("board", "i2", MOST_CELLS),  # the kind of the tile on each cell, or NONE
        ("owner", "i2", MOST_CELLS),  # whose Oink is on it, or NONE
        ("free", "u4", MOST_CELLS),  # a bit for every space where a token may lie and none does
        ("tokens", "u4", (MOST_CELLS, MOST_PLAYERS)),  # a bit for every token
        ("since", "i2", (MOST_CELLS, MOST_CELLS)),  # by tile and space: the turn in which the token there was placed
        ("room", "i2"),  # bits of `free` in all
        # the turn
        ("directed", "i2"),  # the space of the last placement, which is the directed tile; NONE before the first
        ("last", "i2"),  # the tile of the last placement
        ("undirected", "i2"),  # whether a turn lost to a blocked tile has freed this one
        ("bound", "i2"),  # the tile on which the mover must place, or NONE
        ("origin", "i2"),  # the tile from which the token in hand was lifted, or NONE
        ("won", "i2"),  # the tile to be taken
        # the legal options of the decision at hand, found once when it comes up
        ("options", "i2"),  # how many
        ("takes", "i2"),  # bits: places in the hand whose tile may be drafted; OCCUPY and CAPTURE
        # the tiles: `stack[drawn:stacked]` are left; a tile drawn to refill a place leaves its own to the tile captured there
        ("stack", "i2", MOST_TILES),
        ("captor", "i1", MOST_TILES),  # who has captured the tile that lies there, or NONE
        ("drawn", "i2"),
        ("stacked", "i2"),
        ("luck", "u8"),  # from which shuffles to come are drawn
        # the draft, as its players remember it
        ("drafted", "i2"),  # hands played
        ("shuffles", "i2"),  # stacks that the tiles put aside have made
        (
            "hands",
            "i2",
            (MOST_CELLS, HAND),
        ),  # by hand: the tile placed, then those put aside; of the last one what was drawn
        ("hand_stack", "i1", MOST_CELLS),  # by hand: from which stack it was drawn
        ("hand_cell", "i1", MOST_CELLS),  # by hand: where its tile was placed
        ("cell_hand", "i1", MOST_CELLS),  # by cell: which hand its tile came from, or NONE
        # counted
        ("turn", "i2"),  # turns completed
        ("passes", "i2"),
        ("passed", "i2"),  # passes in a row
        ("lifts", "i2"),
        ("free_placements", "i2"),
        ("full_tiles", "i2"),  # tiles won because they were full
        ("won_by_others", "i2"),  # tiles won by another player than the mover
        ("aligned", "u4"),  # a bit for every tile of the Cosmic Alignment
        ("leader", "i2"),  # who is ahead in points, then occupied tiles; NONE if nobody is, alone
        ("led_last", "i2"),  # the last who was
        ("lead_since", "i2"),  # the turn after which that has been so
        ("lead_changes", "i2"),
        ("lead_turns", "i2", MOST_PLAYERS),  # turns begun alone in the lead, before `lead_since`
    ]
)

# An action is verb, what and where: eight bits each.
DO_DRAFT, DO_PLACE, DO_LIFT, DO_OCCUPY, DO_CAPTURE = 1, 2, 3, 4, 5


@kernel
def action_of(verb, what, where):
    return verb << 16 | what << 8 | where


# --- Start ----------------------------------------------------------------------------------------------------


@kernel
def start(state, variant, seed, tape):
    """Set up to the first decision. Chance: elements by seat, purpose 0, then the shuffled deck, purpose 1."""
    begin(state, variant, seed, tape)


@routine
def begin(state, variant, seed, tape):
    clear(state, variant)
    state.luck = derive(seed, CHANCE)
    deal(state.element, 0, 4, variant.players, derive(state.luck, 0), 0, tape)
    for seat in range(variant.players, MOST_PLAYERS):
        state.element[seat] = NONE
    for i in range(variant.tiles):
        state.stack[i] = variant.deck[i]
    state.stacked = variant.tiles
    shuffle(state.stack, variant.tiles, derive(state.luck, 1), 1, tape)
    if variant.layout == DEALT:
        for c in range(variant.cells):
            state.board[c] = state.stack[c]
            state.stack[c] = NONE
        state.drawn = variant.cells
        begin_turn(state, variant)
    else:
        draw_hand(state, variant, tape)


@kernel
def clear(state, variant):
    """Every field as it stands before anything is drawn, whatever the record held before."""
    for s in range(MOST_PLAYERS):
        state.element[s] = s
        state.life[s] = variant.life if s < variant.players else 0
        state.oinks[s] = variant.oinks if s < variant.players else 0
        state.points[s] = 0
        state.captured[s] = 0
        state.occupied[s] = 0
        state.lead_turns[s] = 0
    for c in range(MOST_CELLS):
        state.board[c] = NONE
        state.owner[c] = NONE
        state.free[c] = variant.all_spaces if c < variant.cells else 0
        for s in range(MOST_PLAYERS):
            state.tokens[c, s] = 0
        for space in range(MOST_CELLS):
            state.since[c, space] = 0
        for i in range(HAND):
            state.hands[c, i] = NONE
        state.hand_stack[c] = 0
        state.hand_cell[c] = NONE
        state.cell_hand[c] = NONE
    for i in range(MOST_TILES):
        state.stack[i] = NONE
        state.captor[i] = NONE
    state.phase = DRAFT
    state.ending = NOT_OVER
    state.mover = 0
    state.decider = 0
    state.room = variant.cells * variant.cells
    state.directed = NONE
    state.last = NONE
    state.undirected = 0
    state.bound = NONE
    state.origin = NONE
    state.won = NONE
    state.options = 0
    state.takes = 0
    state.drawn = 0
    state.stacked = 0
    state.drafted = 0
    state.shuffles = 0
    state.turn = 0
    state.passes = 0
    state.passed = 0
    state.lifts = 0
    state.free_placements = 0
    state.full_tiles = 0
    state.won_by_others = 0
    state.aligned = 0
    state.leader = NONE
    state.led_last = NONE
    state.lead_since = 0
    state.lead_changes = 0


@routine
def stack_anew(state, variant, tape):
    """Shuffle what is left of the stack and the tiles put aside from it into a new stack (C-D0)."""
    n = 0
    for i in range(state.drawn, state.stacked):
        state.stack[n] = state.stack[i]
        n += 1
    for h in range(state.drafted):
        if state.hand_stack[h] == state.shuffles:
            for i in range(1, HAND):
                if state.hands[h, i] != NONE:
                    state.stack[n] = state.hands[h, i]
                    n += 1
    for i in range(n, variant.tiles):
        state.stack[i] = NONE
    state.drawn = 0
    state.stacked = n
    state.shuffles += 1
    purpose = np.int64(state.shuffles) + 1
    shuffle(state.stack, n, derive(state.luck, purpose), purpose, tape)


@routine
def draw_hand(state, variant, tape):
    """Draw up to three tiles for the next in turn; a short hand is not topped up (C-D0)."""
    if state.drawn == state.stacked:
        stack_anew(state, variant, tape)
    h = np.int64(state.drafted)
    n = min(HAND, np.int64(state.stacked) - state.drawn)
    for i in range(n):
        state.hands[h, i] = state.stack[state.drawn + i]
        state.stack[state.drawn + i] = NONE
    state.drawn += n
    state.hand_stack[h] = state.shuffles
    state.decider = h % variant.players
    state.phase = DRAFT
    find_drafts(state, variant)


# --- Legal ----------------------------------------------------------------------------------------------------


@kernel
def find_drafts(state, variant):
    """Which tiles in hand may be drafted; equal ones are one option."""
    h = np.int64(state.drafted)
    state.takes = 0
    for i in range(HAND):
        tile = state.hands[h, i]
        alike = (i > 0 and tile == state.hands[h, 0]) or (i > 1 and tile == state.hands[h, 1])
        if tile != NONE and not alike:
            state.takes |= 1 << i
    count_drafts(state, variant)


@kernel
def count_drafts(state, variant):
    """C-D0: each tile in hand, on the next cell or, under `layout: free`, on each empty one."""
    places = np.int64(variant.cells) - state.drafted if variant.layout == FREELY else 1
    state.options = count_bits(state.takes) * places


@kernel
def empty_cell(state, variant, k):
    """The k-th cell without a tile, in reading order."""
    for c in range(variant.cells):
        if state.board[c] == NONE:
            if k == 0:
                return c
            k -= 1
    return NONE


@kernel
def tokens_on_layout(state, variant, seat):
    return np.int64(variant.life) - state.life[seat]


@kernel
def may_lift(state, tile, seat):
    """The mover's tokens on a tile, as bits, if one of them may be lifted (C-D2)."""
    if tile == state.directed and not state.undirected:
        return np.int64(0)
    if state.bound == NONE and state.room == count_bits(state.free[tile]):
        return np.int64(0)  # all room is on the tile itself, where the token may not be put back
    return np.int64(state.tokens[tile, seat])


@routine
def count_lifts(state, variant, seat):
    n = 0
    for tile in range(variant.cells):
        n += count_bits(may_lift(state, tile, seat))
    return n


@kernel
def begin_turn(state, variant):
    """Find out what the mover has to decide, C-D1 or C-D2; turns without a decision are passed."""
    while state.phase != OVER:
        seat = np.int64(state.mover)
        directed = NONE if state.undirected else np.int64(state.directed)
        blocked = False
        state.bound = NONE
        if directed != NONE and state.owner[directed] == NONE:
            if state.free[directed]:
                state.bound = directed
            else:
                blocked = variant.blocked == PASS
        state.origin = NONE
        state.decider = seat
        if blocked:
            state.options = 0
        elif state.life[seat] > 0:
            state.phase = PLACE
            count_places(state, variant)
        else:
            state.phase = LIFT
            state.options = count_lifts(state, variant, seat)
        if state.options > 0:
            return
        state.undirected = blocked
        state.passes += 1
        state.passed += 1
        end_turn(state, variant)


@kernel
def count_places(state, variant):
    """C-D1: the free spaces of the tile to which one is bound, or of all tiles but the one that the token was lifted from."""
    if state.bound != NONE:
        state.options = count_bits(state.free[state.bound])
    elif state.origin != NONE:
        state.options = np.int64(state.room) - count_bits(state.free[state.origin])
    else:
        state.options = state.room


@kernel
def count(state, variant):
    return np.int64(state.options)


@kernel
def nth(state, variant, k):
    """C-D0: by tile in hand, then cells. C-D1, C-D2: by tile, then spaces. C-D3: occupy, capture."""
    if state.phase == PLACE:
        if state.bound != NONE:
            return action_of(DO_PLACE, np.int64(state.bound), nth_bit(state.free[state.bound], k))
        for tile in range(variant.cells):
            if tile != state.origin:
                n = count_bits(state.free[tile])
                if k < n:
                    return action_of(DO_PLACE, tile, nth_bit(state.free[tile], k))
                k -= n
        return NONE
    if state.phase == LIFT:
        seat = np.int64(state.mover)
        for tile in range(variant.cells):
            tokens = may_lift(state, tile, seat)
            n = count_bits(tokens)
            if k < n:
                return action_of(DO_LIFT, tile, nth_bit(tokens, k))
            k -= n
        return NONE
    if state.phase == TAKE:
        first = OCCUPY if state.takes & OCCUPY else CAPTURE
        take = first if k == 0 else CAPTURE
        return action_of(DO_OCCUPY if take == OCCUPY else DO_CAPTURE, np.int64(state.won), 0)
    hand = np.int64(state.drafted)
    places = np.int64(variant.cells) - hand if variant.layout == FREELY else 1
    tile = np.int64(state.hands[hand, nth_bit(state.takes, k // places)])
    return action_of(DO_DRAFT, tile, empty_cell(state, variant, k % places) if variant.layout == FREELY else hand)


# --- Play -----------------------------------------------------------------------------------------------------


@kernel
def draft(state, variant, tile, cell, tape):
    """Place a tile of the hand and put the rest aside (C-D0)."""
    h = np.int64(state.drafted)
    i = 0
    while state.hands[h, i] != tile:
        i += 1
    state.hands[h, i] = state.hands[h, 0]
    state.hands[h, 0] = tile
    state.board[cell] = tile
    state.hand_cell[h] = cell
    state.cell_hand[cell] = h
    state.drafted += 1
    if state.drafted < variant.cells:
        draw_hand(state, variant, tape)
    else:
        stack_anew(state, variant, tape)
        state.takes = 0
        begin_turn(state, variant)


@kernel
def lift(state, variant, tile, space):
    """Take up a token of the mover's (C-D2)."""
    seat = np.int64(state.mover)
    here = np.int64(1) << space
    state.tokens[tile, seat] = np.int64(state.tokens[tile, seat]) & ~here
    state.free[tile] = np.int64(state.free[tile]) | here
    state.room += 1
    state.life[seat] += 1
    state.lifts += 1
    state.origin = tile
    state.phase = PLACE
    count_places(state, variant)


@kernel
def completes_line(state, variant, tile, space, seat):
    """Whether the token on a space stands in a line of its owner's."""
    own = np.int64(state.tokens[tile, seat])
    for i in range(variant.near_lines[space]):
        if count_bits(own & np.int64(variant.lines[space, i])) >= variant.line:
            return True
    return False


@routine
def owner_of_full(state, variant, tile):
    """Who wins a full tile under `majority`, NONE if nobody does; of level players the one whose last token is younger."""
    most = latest = np.int64(-1)
    winner = NONE
    for s in range(variant.players):
        tokens = np.int64(state.tokens[tile, s])
        n = count_bits(tokens)
        last = np.int64(-1)
        for space in range(variant.cells):
            if tokens >> space & 1:
                last = max(last, np.int64(state.since[tile, space]))
        if n > most or (n == most and last > latest):
            most, latest, winner = n, last, s
    if variant.majority == STRICT and 2 * most <= variant.cells:
        return NONE
    return winner


@kernel
def place(state, variant, tile, space):
    """Put a token of the mover's on a space and see who wins the tile (C-D1); True if somebody does."""
    seat = np.int64(state.mover)
    here = np.int64(1) << space
    state.tokens[tile, seat] = np.int64(state.tokens[tile, seat]) | here
    state.free[tile] = np.int64(state.free[tile]) & ~here
    state.since[tile, space] = state.turn
    state.room -= 1
    state.life[seat] -= 1
    if state.bound == NONE:
        state.free_placements += 1
    state.directed = space
    state.last = tile
    state.undirected = 0
    state.passed = 0
    winner = NONE
    if completes_line(state, variant, tile, space, seat):
        winner = seat
    elif state.free[tile] == 0:
        winner = owner_of_full(state, variant, tile)
        state.full_tiles += winner != NONE
    if winner == NONE:
        return False
    state.won_by_others += winner != seat
    state.decider = winner
    state.won = tile
    return True


@kernel
def win_tile(state, variant):
    """Return the tokens on the tile that is won; True if its winner has to choose (C-D3)."""
    tile = np.int64(state.won)
    for s in range(variant.players):
        n = count_bits(state.tokens[tile, s])
        state.tokens[tile, s] = 0
        state.life[s] += n
        state.room += n
    state.free[tile] = variant.all_spaces
    may_occupy = state.oinks[state.decider] > 0
    may_capture = state.drawn < state.stacked
    if may_occupy and may_capture:
        state.phase = TAKE
        state.takes = OCCUPY | CAPTURE
        state.options = 2
        return True
    if may_occupy:
        occupy(state, variant)
    elif may_capture:
        capture(state, variant)
    return False


@kernel
def occupy(state, variant):
    """Flip the tile that is won and put an Oink of the winner's on it."""
    tile, seat = np.int64(state.won), np.int64(state.decider)
    state.owner[tile] = seat
    state.oinks[seat] -= 1
    state.free[tile] = 0
    state.room -= variant.cells
    mine = np.int64(state.occupied[seat]) | np.int64(1) << tile
    state.occupied[seat] = mine
    for i in range(variant.near_alignments[tile]):
        alignment = np.int64(variant.alignments[tile, i])
        if mine & alignment == alignment:
            state.aligned = np.int64(state.aligned) | alignment
    note_lead(state, variant)


@kernel
def capture(state, variant):
    """Take the tile that is won and fill its place with the top tile of the stack."""
    cell, seat = np.int64(state.won), np.int64(state.decider)
    tile = np.int64(state.board[cell])
    state.board[cell] = state.stack[state.drawn]
    state.stack[state.drawn] = tile
    state.captor[state.drawn] = seat
    state.drawn += 1
    state.cell_hand[cell] = NONE
    state.captured[seat] += 1
    state.points[seat] += variant.worth[tile, state.element[seat]]
    note_lead(state, variant)


@routine
def note_lead(state, variant):
    """Who leads after this turn: most points, then most occupied tiles; nobody if two are level."""
    leader, best = NONE, -1
    for s in range(variant.players):
        standing = np.int64(state.points[s]) << 8 | count_bits(state.occupied[s])
        if standing == best:
            leader = NONE
        elif standing > best:
            leader, best = s, standing
    if leader == state.leader:
        return
    after = np.int64(state.turn) + 1
    if state.leader != NONE:
        state.lead_turns[state.leader] += after - state.lead_since
    if leader != NONE:
        state.lead_changes += state.led_last != NONE and leader != state.led_last
        state.led_last = leader
    state.leader = leader
    state.lead_since = after


@kernel
def end_turn(state, variant):
    """Count the turn, look whether the game has ended, and turn to the next player."""
    state.turn += 1
    state.won = NONE
    state.origin = NONE
    state.takes = 0
    state.ending = ending_of(state, variant)
    state.mover = (np.int64(state.mover) + 1) % variant.players
    if state.ending != NOT_OVER:
        state.phase = OVER
        state.options = 0


@kernel
def play(state, variant, action, tape):
    """Carry out an action, unchecked, and what follows from it up to the next decision."""
    carry_out(state, variant, action, tape)


@routine
def carry_out(state, variant, action, tape):
    verb, what, where = action >> 16, action >> 8 & 255, action & 255
    if verb == DO_DRAFT:
        draft(state, variant, what, where, tape)
        return
    if verb == DO_LIFT:
        lift(state, variant, what, where)
        return
    if verb == DO_PLACE:
        if place(state, variant, what, where) and win_tile(state, variant):
            return
    elif verb == DO_OCCUPY:
        occupy(state, variant)
    else:
        capture(state, variant)
    end_turn(state, variant)
    begin_turn(state, variant)


# --- Ending and score -------------------------------------------------------------------------------------------

ENDINGS = ("", "alignment", "full", "captures", "unfinished")  # 0 while the game is on
NOT_OVER, ALIGNMENT, FULL, CAPTURES, UNFINISHED = 0, 1, 2, 3, 4

RESULT = np.dtype(
    [
        ("winners", "i1", MOST_PLAYERS),
        ("ending", "i1"),
        ("element", "i1", MOST_PLAYERS),
        ("points", "i2", MOST_PLAYERS),
        ("occupied", "i2", MOST_PLAYERS),
        ("captured", "i2", MOST_PLAYERS),
        ("life_on_grid", "i2", MOST_PLAYERS),
        ("turns", "i2"),
        ("passes", "i2"),
        ("lifts", "i2"),
        ("free_placements", "i2"),
        ("full_tiles", "i2"),
        ("won_by_others", "i2"),
        ("lead_changes", "i2"),
        ("lead_since", "i2"),
        ("lead_turns", "i2", MOST_PLAYERS),
        ("aligned", "u4"),
    ]
)
BY_SEAT = ("winners", "element", "points", "occupied", "captured", "life_on_grid", "lead_turns")
EXTRAS = ("full_tiles", "won_by_others", "lead_changes", "lead_since", "lead_turns", "aligned")
WORDS = {"ending": ENDINGS, "element": tuple(ELEMENTS)}
MASKS = ("aligned",)
SCORE = "points"


@kernel
def ending_of(state, variant):
    """Ending Condition, in order of precedence; an index into ENDINGS."""
    if state.aligned:
        return ALIGNMENT
    if state.room == 0:
        return FULL
    for s in range(variant.players):
        if state.captured[s] >= variant.capture_limit:
            return CAPTURES
    if state.passed >= variant.players or state.turn >= variant.max_turns:
        return UNFINISHED
    return NOT_OVER


@kernel
def merit(state, variant, seat):
    """What decides between players, the first thing first: alignment, points, occupied tiles, LIFE tokens on the layout."""
    occupied = np.int64(state.occupied[seat])
    aligned = np.int64(state.aligned != 0 and occupied & np.int64(state.aligned) == np.int64(state.aligned))
    rest = np.int64(state.points[seat]) << 16 | count_bits(occupied) << 8 | tokens_on_layout(state, variant, seat)
    return aligned << 40 | rest


@kernel
def best_merit(state, variant):
    best = np.int64(-1)
    for s in range(variant.players):
        best = max(best, merit(state, variant, s))
    return best


@kernel
def outcome(state, variant, payoffs):
    """The index of the ending in ENDINGS, 0 while the game is on; payoffs by seat are filled in at the end."""
    if state.phase != OVER:
        return NOT_OVER
    best = best_merit(state, variant)
    winners = 0
    for s in range(variant.players):
        winners += merit(state, variant, s) == best
    for s in range(variant.players):
        payoffs[s] = 1.0 / winners if merit(state, variant, s) == best else 0.0
    return np.int64(state.ending)


@kernel
def result(state, variant, out):
    """Fill a RESULT record with the position as it stands."""
    best = best_merit(state, variant)
    for s in range(MOST_PLAYERS):
        sits = s < variant.players
        out.winners[s] = sits and merit(state, variant, s) == best
        out.element[s] = state.element[s]
        out.points[s] = state.points[s]
        out.occupied[s] = count_bits(state.occupied[s])
        out.captured[s] = state.captured[s]
        out.life_on_grid[s] = tokens_on_layout(state, variant, s) if sits else 0
        out.lead_turns[s] = state.lead_turns[s]
    if state.leader != NONE:
        out.lead_turns[state.leader] += state.turn - state.lead_since
    out.ending = state.ending
    out.turns = state.turn
    out.passes = state.passes
    out.lifts = state.lifts
    out.free_placements = state.free_placements
    out.full_tiles = state.full_tiles
    out.won_by_others = state.won_by_others
    out.lead_changes = state.lead_changes
    out.lead_since = state.lead_since
    out.aligned = state.aligned


def reason(variant: Variant, result: dict[str, Any]) -> str:
    """Why a game ended as it did, in words."""
    seats = result["winners"]
    who = f"seat {seats[0]} wins" if len(seats) == 1 else f"seats {', '.join(map(str, seats))} share the victory"
    scores = " : ".join(map(str, result["points"]))
    why = {
        "alignment": f"a Cosmic Alignment of {variant.alignment} tiles",
        "full": "every space of the layout is taken",
        "captures": f"{variant.capture_limit} tiles are captured",
        "unfinished": f"stopped after {result['turns']} turns, unfinished",
    }[result["ending"]]
    return f"{why}: {who}" + ("" if result["ending"] == "alignment" else f", points {scores}")


# --- Information ------------------------------------------------------------------------------------------------


@kernel
def seat(state):
    """Who decides, which is not always the one whose turn it is."""
    return np.int64(state.decider)


@kernel
def kind(state):
    """The decision at hand, an index into KINDS; len(KINDS) at the end."""
    return np.int64(state.phase)


@kernel
def knows(state, variant, h, seat):
    """Whether a seat knows which tile the h-th hand placed: its own, or one that has been occupied or captured since."""
    cell = state.hand_cell[h]
    return h % variant.players == seat or state.cell_hand[cell] != h or state.owner[cell] != NONE


@kernel
def fill(pool, numbers):
    """Write every kind as often as `numbers` says; how many that makes."""
    n = 0
    for kind in range(numbers.size):
        for _ in range(numbers[kind]):
            pool[n] = kind
            n += 1
    return n


@kernel
def hide(state, variant, seat, key):
    """Deal anew what a seat cannot know: the stack, tiles that others drafted, and what they put aside.

    Stacks are dealt in the order in which the draft went through them. From each come the tiles placed out of it that
    the seat does not know, but none of those that it must have left over: what the seat itself put aside, and what it
    has seen of later stacks. Every dealing that agrees with what the seat has seen can come up.
    """
    deal_anew(state, variant, seat, key)


@routine
def deal_anew(state, variant, seat, key):
    state.luck = derive(key, 0)
    last = np.int64(state.shuffles)  # the stack in use
    kinds = np.int64(variant.kinds)
    drafting = state.phase == DRAFT
    placed = np.zeros((last + 1, kinds), np.int64)  # by stack: known tiles that came out of it for good
    aside = np.zeros((last + 1, kinds), np.int64)  # by stack: known tiles that went on to the next one
    for h in range(state.drafted):
        stack = state.hand_stack[h]
        if knows(state, variant, h, seat):
            placed[stack, state.hands[h, 0]] += 1
        if h % variant.players == seat:
            for i in range(1, HAND):
                if state.hands[h, i] != NONE:
                    aside[stack, state.hands[h, i]] += 1
        if state.cell_hand[state.hand_cell[h]] != h:
            placed[last, state.hands[h, 0]] -= 1  # it is counted once more among the captured ones
    holding = drafting and state.decider == seat
    for i in range(HAND if holding else 0):
        if state.hands[state.drafted, i] != NONE:
            aside[last, state.hands[state.drafted, i]] += 1
    for i in range(0 if drafting else state.drawn):
        if state.captor[i] != NONE:
            placed[last, state.stack[i]] += 1
    for c in range(variant.cells):
        if state.owner[c] != NONE and state.cell_hand[c] == NONE:
            placed[last, state.board[c]] += 1
    for g in range(last - 1, -1, -1):  # what must have been left over: also whatever is known to come later
        for k in range(kinds):
            aside[g, k] = max(aside[g, k], placed[g + 1, k] + aside[g + 1, k])

    silent = np.empty(0, np.int64)
    left = np.zeros(kinds, np.int64)
    for k in range(kinds):
        left[k] = variant.copies[k]
    pool = np.empty(MOST_TILES, np.int64)
    for g in range(last + 1):
        for k in range(kinds):
            left[k] -= placed[g, k]
        n = fill(pool, left - aside[g])
        shuffle(pool, n, derive(key, 2 * g + 1), 0, silent)
        m = 0
        for h in range(state.drafted):
            if state.hand_stack[h] == g and not knows(state, variant, h, seat):
                state.hands[h, 0] = pool[m]
                state.board[state.hand_cell[h]] = pool[m]
                left[pool[m]] -= 1
                m += 1
        if g < last:  # what others put aside is among the tiles that went on, and none of those the seat put aside
            n, m = fill(pool, left - own_aside(state, variant, seat, g)), 0
            shuffle(pool, n, derive(key, 2 * g + 2), 0, silent)
        elif not drafting:
            for c in range(variant.cells):
                if state.cell_hand[c] == NONE and state.owner[c] == NONE:
                    state.board[c] = pool[m]
                    m += 1
        for h in range(state.drafted):
            if state.hand_stack[h] == g and h % variant.players != seat:
                for i in range(1, HAND):
                    if state.hands[h, i] != NONE:
                        state.hands[h, i] = pool[m]
                        m += 1
        if g == last:
            if drafting and not holding:
                for i in range(HAND):
                    if state.hands[state.drafted, i] != NONE:
                        state.hands[state.drafted, i] = pool[m]
                        m += 1
                find_drafts(state, variant)
            for i in range(state.drawn, state.stacked):
                state.stack[i] = pool[m]
                m += 1


@routine
def own_aside(state, variant, seat, stack):
    """Tiles that a seat put aside out of a stack, by kind."""
    found = np.zeros(variant.kinds, np.int64)
    for h in range(state.drafted):
        if h % variant.players == seat and state.hand_stack[h] == stack:
            for i in range(1, HAND):
                if state.hands[h, i] != NONE:
                    found[state.hands[h, i]] += 1
    return found


@kernel
def reopen(state, variant):
    """No decision is made in secret at the same time as another."""


@kernel
def sight(state, variant):
    """A hash of what the seat that decides knows, but for when tokens were placed and, from turn 2 on, what it drafted.

    What was drafted is the same in every position that follows from one of them. A search that told it apart would meet another seat
    with other tiles at every dealing, never the same node twice, and so could not look beyond its own decision.
    """
    return mix(seen_by(state, variant, np.int64(state.decider)))


@routine
def seen_by(state, variant, seat):
    found = fold(np.uint64(seat), state.phase)
    for value in (state.turn, state.mover, state.directed, state.undirected, state.bound, state.origin, state.won):
        found = fold(found, value)
    found = fold(found, state.drawn)
    for s in range(variant.players):
        for value in (state.life[s], state.oinks[s], state.points[s], state.captured[s]):
            found = fold(found, value)
    for i in range(0 if state.phase == DRAFT else state.drawn):
        if state.captor[i] != NONE:
            found = fold(found, np.int64(state.captor[i]) << 10 | np.int64(state.stack[i]))
    for c in range(variant.cells):
        open_to = state.owner[c] != NONE
        if state.turn == 0 and state.cell_hand[c] != NONE:
            open_to = knows(state, variant, np.int64(state.cell_hand[c]), seat)
        face_down = not open_to and state.board[c] != NONE
        found = fold(found, np.int64(NONE - 1) if face_down else np.int64(state.board[c]))
        found = fold(found, state.cell_hand[c])
        found = fold(found, np.int64(state.free[c]) << 8 | np.int64(state.owner[c] + 1))
        for s in range(variant.players):
            found = fold(found, state.tokens[c, s])
    if state.phase == DRAFT:
        for i in range(HAND):
            found = fold(found, state.hands[state.drafted, i])
    return found


def view(state: Any, variant: Variant, seat: int | None = 0) -> dict[str, Any]:
    """What a seat, or with None what everybody, sees, as plain data: seats and spaces from 1, hidden tiles as None, the stack by kind and never by order."""
    tiles = list(variant.deck)
    cells = cell_names(variant.side**2)
    phase = int(state.phase)
    drafting, over = phase == DRAFT, phase == OVER
    seats = range(variant.players)

    def name(number: int) -> str | None:
        return None if number == NONE else tiles[number]

    def at(cell: Any) -> str | None:
        return None if cell == NONE else cells[int(cell)]

    tokens, board, owner = state.tokens.tolist(), state.board.tolist(), state.owner.tolist()
    hands, aligned = state.cell_hand.tolist(), int(state.aligned)

    def seen(cell: int) -> bool:
        return owner[cell] != NONE or (hands[cell] != NONE and hands[cell] % variant.players == seat)

    def token(cell: int, space: int) -> int:
        return next((s + 1 for s in seats if tokens[cell][s] >> space & 1), 0)

    taken = [[name(int(t)) for t, who in zip(state.stack, state.captor, strict=True) if who == s] for s in seats]
    holds = drafting and int(state.decider) == seat
    hand = [tiles[t] for t in state.hands[int(state.drafted)] if t != NONE] if holds else []
    known = [name(board[c]) for c in range(len(cells)) if board[c] != NONE and seen(c)]
    unseen = dict(variant.deck)
    for tile in [*known, *hand, *(t for tiles_of_seat in taken for t in tiles_of_seat)]:
        unseen[tile] -= 1
    return {
        "game": NAME,
        "variant": str(variant),
        "side": variant.side,
        "seat": None if seat is None else seat + 1,
        "phase": (*KINDS, "over")[phase],
        "ending": ENDINGS[int(state.ending)],
        "turn": int(state.turn),
        "mover": int(state.mover) + 1,
        "decider": None if over else int(state.decider) + 1,
        "directed": None if state.undirected else at(state.directed),
        "bound": at(state.bound) if phase in (PLACE, LIFT) else None,
        "lifted": at(state.origin),
        "won": at(state.won),
        "last": f"{cells[int(state.last)]}{int(state.directed) + 1}" if state.last != NONE else None,
        "cells": {
            cell: {
                "place": divmod(c, variant.side),
                "laid": board[c] != NONE,
                "tile": name(board[c]) if seen(c) else None,
                "owner": None if owner[c] == NONE else owner[c] + 1,
                "aligned": bool(aligned >> c & 1),
                "tokens": [token(c, space) for space in range(len(cells))],
            }
            for c, cell in enumerate(cells)
        },
        "seats": [
            {
                "element": ELEMENTS[int(state.element[s])],
                "life": int(state.life[s]),
                "oinks": int(state.oinks[s]),
                "points": int(state.points[s]),
                "occupied": int(count_bits(state.occupied[s])),
                "captured": taken[s],
            }
            for s in seats
        ],
        "hand": hand,
        "aside": {} if seat is None else own_tiles_aside(state, variant, seat),
        "stack": int(state.stacked - state.drawn),
        "unseen": {tile: n for tile, n in unseen.items() if n},
    }


def own_tiles_aside(state: Any, variant: Variant, seat: int) -> dict[str, int]:
    """What a seat put aside from the last stack of the draft, by kind: all of it is in the stack as play begins."""
    last = int(state.shuffles) - (state.phase != DRAFT and variant.layout != "dealt")
    if last < 0 or variant.layout == "dealt":
        return {}
    counts = own_aside(state, variant.packed[0], seat, last)
    return {tile: int(n) for tile, n in zip(variant.deck, counts, strict=True) if n}


# --- Position ---------------------------------------------------------------------------------------------------

POSITION = (
    "phase",
    "turn",
    "mover",
    "seats",
    "cells",
    "last",
    "undirected",
    "passed",
    "lifted",
    "won",
    "winner",
    "draft",
)
ON_CELL = ("tile", "oink", "tokens", "refilled")
OF_SEAT = ("element", "captured", "aside")
NO_DRAFT = "a draft cannot be set up, since it is remembered hand by hand; begin with the first placement"


def position(state: Any, variant: Variant) -> dict[str, Any]:
    """The position as plain data: what `set_up` makes it of again, the order of the stack aside.

    `turn` counts turns completed, `mover` is whose turn it is, `last` the last placement, such as `A5`. `seats` has for
    each its `element`, the tiles `captured` and, by tile, what it put `aside` from the last stack of the draft. `cells` has
    for each its `tile`, the seat whose `oink` lies on it or its `tokens` as pairs of seat and space, the oldest first,
    and whether it was `refilled` after a capture, so that nobody has seen its tile. Under layout=free the `draft` lists
    the cells in the order of drafting. Where they matter: `passed`, the turns passed in a row, `undirected`, whether the last
    one was lost to a blocked tile, `lifted`, the tile off which the mover has taken a token, and `won`, the tile that
    the seat `winner` is to take. The supplies and the stack hold the rest. Refused in the draft and at the end.
    """
    if state.phase == OVER:
        raise Refused(GAME_OVER)
    if state.phase == DRAFT:
        raise Refused(NO_DRAFT)
    seen = view(state, variant, None)
    tiles, names = list(variant.deck), list(seen["cells"])
    drafted = variant.layout != "dealt"
    cells = {}
    for c, (name, cell) in enumerate(seen["cells"].items()):
        ages = state.since[c].tolist()
        spaces = sorted((ages[space], space) for space, owner in enumerate(cell["tokens"]) if owner)
        told = [("oink", cell["owner"]), ("tokens", [[cell["tokens"][space], space + 1] for _, space in spaces])]
        refilled = drafted and state.cell_hand[c] == NONE
        cells[name] = {"tile": tiles[state.board[c]], **written([*told, ("refilled", bool(refilled))])}
    seats = [
        {
            "element": seat["element"],
            **written([("captured", seat["captured"]), ("aside", own_tiles_aside(state, variant, s))]),
        }
        for s, seat in enumerate(seen["seats"])
    ]
    taking = state.phase == TAKE
    rest = [
        ("last", seen["last"]),
        ("undirected", bool(state.undirected)),
        ("passed", int(state.passed)),
        ("lifted", seen["lifted"]),
        ("won", seen["won"]),
        ("winner", seen["decider"] if taking else None),
        ("draft", [names[c] for c in state.hand_cell[: len(names)]] if variant.layout == "free" else None),
    ]
    head = {"phase": seen["phase"], "turn": seen["turn"], "mover": seen["mover"]}
    return {**head, "seats": seats, "cells": cells, **written(rest)}


def set_up(variant: Variant, position: Any, seed: int = 0) -> np.ndarray:
    """An array of one STATE: the position that `position` tells in the form that the function of that name gives.

    Entries with nothing in them may be left out, and so may `phase`, which follows from the rest, and `turn`, which is
    then the least that the tokens and the taken tiles allow for the mover. Elements, tiles and what was put aside are dealt from
    `seed` where they are told nowhere, and so are, always, the order of the stack and whatever else was drafted.
    The result's counts of passes, lifts and the like begin at 0.

    Refused if it is no position of the variant: names that it does not have, more tiles, tokens or Oinks than it has,
    a tile with an Oink and tokens, one that would have been won, a last placement that cannot have been the last, a
    mover without anything to decide, a game that is over. So is the draft.
    """
    given = entries(WHOLE, position, POSITION)
    phase = phase_of(given, KINDS)
    if phase == DRAFT:
        raise Refused(NO_DRAFT)
    states = records(STATE)
    blank(states, variant.packed)
    state = states[0]
    state.luck = np.uint64(derive_exact(seed, CHANCE))
    key = derive_exact(seed, UNTOLD)
    seats = items(f"{WHOLE}, seats", given.get("seats", [{}] * variant.players), variant.players)
    cells = lay_tokens(state, variant, given.get("cells", {}))
    deal_tiles(state, variant, given, seats, cells, key)
    tell_turn(state, variant, given)
    tell_last(state, variant, given, cells)
    tell_take(state, variant, given, phase)
    check_tiles(state, variant)
    turn, lifted = int(state.turn), int(state.origin)
    resume(states, variant.packed)
    if state.turn != turn:
        raise Refused(
            f"{WHOLE}: seat {turn % variant.players + 1} has nothing to decide and passes; begin with the turn after"
        )
    if state.ending != NOT_OVER:
        raise Refused(f"{WHOLE}: the game is over, by the ending {ENDINGS[int(state.ending)]}")
    if lifted != NONE and not state.options:
        raise Refused(f"{WHOLE}, lifted: the token cannot be placed, so it cannot have been lifted")
    if phase is not None and phase != state.phase:
        raise Refused(f"{WHOLE}, phase: {KINDS[phase]}; from the rest follows {KINDS[int(state.phase)]}")
    state.lead_since, state.lead_changes = turn, 0
    return states


def lay_tokens(state: Any, variant: Variant, cells: Any) -> dict[int, Mapping[str, Any]]:
    """Oinks and tokens on the layout, none of them beyond the supplies; what is told of each cell, by its number."""
    names = cell_names(variant.side**2)
    found = {}
    for name, told in entries(f"{WHOLE}, cells", cells, names).items():
        where, c = f"{WHOLE}, cell {name}", names.index(name)
        cell = found[c] = entries(where, told, ON_CELL)
        if something(cell.get("oink")):
            s = number_told(f"{where}, oink", cell["oink"], 1, variant.players, "a seat") - 1
            if something(cell.get("tokens")):
                raise Refused(f"{where}: there are an Oink and tokens; on an occupied tile there are no tokens")
            state.owner[c], state.free[c] = s, 0
            state.occupied[s] |= np.uint32(1 << c)
            state.room -= len(names)
        for age, token in enumerate(items(f"{where}, tokens", cell.get("tokens", []))):
            which = f"{where}, token {age + 1}"
            seat, space = items(f"{which}, seat and space", token, 2)
            s = number_told(f"{which}, seat", seat, 1, variant.players, "a seat") - 1
            here = 1 << number_told(f"{which}, space", space, 1, len(names), "a space") - 1
            if not int(state.free[c]) & here:
                raise Refused(f"{which}: there is another token on space {space}")
            state.free[c] = int(state.free[c]) & ~here
            state.tokens[c, s] |= np.uint32(here)
            state.since[c, int(space) - 1] = age
            state.room -= 1
    for s in range(variant.players):
        tokens = sum(int(mask).bit_count() for mask in state.tokens[:, s])
        oinks = int(state.occupied[s]).bit_count()
        for n, most, what in ((tokens, variant.life, "LIFE tokens"), (oinks, variant.oinks, "Oinks")):
            if n > most:
                raise Refused(f"{WHOLE}: {n} {what} of seat {s + 1} lie on the layout; there are {most}")
        state.life[s], state.oinks[s] = variant.life - tokens, variant.oinks - oinks
    v = variant.packed[0]
    for alignment in through(v.alignments, v.near_alignments):
        for s in range(variant.players):
            if int(state.occupied[s]) & alignment == alignment:
                state.aligned |= np.uint32(alignment)
    return found


def through(lines: Any, near: Any) -> set[int]:
    """Every line of a table that has, for each place, those through it."""
    return {line for here, n in zip(lines.tolist(), near.tolist(), strict=True) for line in here[:n]}


def hands_of_draft(variant: Variant) -> list[tuple[int, int]]:
    """(from which stack it is drawn, of how many tiles) for every hand of a draft."""
    found, stack, left = [], 0, variant.deck.total
    for h in range(variant.side**2):
        if left == 0:
            stack, left = stack + 1, variant.deck.total - h
        found.append((stack, min(HAND, left)))
        left -= found[-1][1]
    return found


def deal_tiles(
    state: Any,
    variant: Variant,
    given: Mapping[str, Any],
    seats: list[Any],
    cells: dict[int, Mapping[str, Any]],
    key: int,
) -> None:
    """Elements and tiles: those that are told, then the others at random, and a draft that can have led to them."""
    told = [entries(f"{WHOLE}, seat {s}", seat, OF_SEAT) for s, seat in enumerate(seats, 1)]
    elements = [
        one_of(f"{WHOLE}, seat {s}, element", seat["element"], tuple(ELEMENTS)) if "element" in seat else NONE
        for s, seat in enumerate(told, 1)
    ]
    rest = iter(shuffled_exact([e for e in range(4) if e not in elements], derive_exact(key, 0)))
    for s, e in enumerate(elements):
        if e != NONE and e in elements[:s]:
            raise Refused(f"{WHOLE}, seat {s + 1}, element: {ELEMENTS[e]} is that of seat {elements.index(e) + 1}")
        state.element[s] = next(rest) if e == NONE else e
    state.element[len(elements) :] = NONE

    names, pool = cell_names(variant.side**2), Pool("the deck", variant.deck)
    tiles = {c: pool.take(f"{WHOLE}, cell {names[c]}", cell["tile"])[0] for c, cell in cells.items() if "tile" in cell}
    captured = [
        (kind, s)
        for s, seat in enumerate(told)
        for tile in items(f"{WHOLE}, seat {s + 1}, captured", seat.get("captured", []))
        for kind in pool.take(f"{WHOLE}, seat {s + 1}, captured", tile)
    ]
    refilled = [
        c for c, cell in cells.items() if truth(f"{WHOLE}, cell {names[c]}, refilled", cell.get("refilled", False))
    ]
    spare = variant.deck.total - len(names)
    if len(captured) > spare:
        raise Refused(
            f"{WHOLE}, seats: captured tiles: {len(captured)}; the deck has {spare} beyond those of the layout"
        )
    if variant.layout == "dealt":
        for what, there in (
            ("draft", "draft" in given),
            ("refilled", refilled),
            ("aside", any("aside" in seat for seat in told)),
        ):
            if there:
                raise Refused(
                    f"{WHOLE}: {what} is told, but there is no draft under layout=dealt, and nobody knows any tile"
                )
        untold = shuffled_exact(pool.rest(), derive_exact(key, 1))
    else:
        if len(refilled) > len(captured) or (captured and not refilled):
            raise Refused(
                f"{WHOLE}, cells: captured tiles: {len(captured)}, refilled cells: {len(refilled)}; every capture refills a cell, "
                "one cell can be refilled several times, and each is told by 'refilled': true"
            )
        untold = remember_draft(
            state, variant, given, told, tiles, refilled, [kind for kind, _ in captured], pool.rest(), key
        )
    for c in range(len(names)):
        if c not in tiles:
            tiles[c] = untold.pop()
        state.board[c] = tiles[c]
    before = 0
    if variant.layout == "dealt":
        before = len(names)
        state.stacked = variant.deck.total
    else:
        state.stacked = spare
    for i, (kind, s) in enumerate(captured, before):
        state.stack[i], state.captor[i] = kind, s
        state.captured[s] += 1
        state.points[s] += variant.packed[0].worth[kind, state.element[s]]
    state.drawn = before + len(captured)
    state.stack[int(state.drawn) : int(state.stacked)] = untold


def remember_draft(
    state: Any,
    variant: Variant,
    given: Mapping[str, Any],
    seats: list[Mapping[str, Any]],
    tiles: dict[int, int],
    refilled: list[int],
    captured: list[int],
    left: list[int],
    key: int,
) -> list[int]:
    """A draft that can have led to the position; tiles that it drew for cells not told are added to `tiles`.

    What is left of `left`, the tiles told nowhere, is returned in random order. What a seat says that it put aside from the last
    stack is in none of its hands any more, so it cannot have been drafted: it is kept back when drafted tiles are dealt.
    """
    names, hands = cell_names(variant.side**2), hands_of_draft(variant)
    last = hands[-1][0]
    placed = [names[h] for h in range(len(names))]
    if variant.layout == "free" and "draft" in given:
        placed = items(f"{WHOLE}, draft", given["draft"], len(names))
        if sorted(map(str, placed)) != sorted(names):
            raise Refused(
                f"{WHOLE}, draft: every cell stands in it once, in the order of drafting, from {names[0]} to {names[-1]}"
            )
    elif "draft" in given:
        raise Refused(f"{WHOLE}, draft: under layout=draft cells are drafted in reading order; leave it out")
    where = [names.index(name) for name in placed]

    aside: dict[int, list[int]] = {}
    for s, seat in enumerate(seats):
        if "aside" in seat:
            aside[s] = Pool("the deck", variant.deck).take_tally(f"{WHOLE}, seat {s + 1}, aside", seat["aside"])
            n = sum(size - 1 for h, (g, size) in enumerate(hands) if g == last and h % variant.players == s)
            if len(aside[s]) != n:
                raise Refused(
                    f"{WHOLE}, seat {s + 1}, aside: tiles told: {len(aside[s])}; from the last stack of the draft it put aside {n}"
                )
    wanted = Counter(kind for kinds in aside.values() for kind in kinds)
    wanted -= Counter(tiles[c] for c in refilled if c in tiles)
    kept = wanted & Counter(left)
    from_captured = wanted - kept
    gone = shuffled_exact(sorted((Counter(captured) - from_captured).elements()), derive_exact(key, 2))
    drawn = shuffled_exact(sorted((Counter(left) - kept).elements()), derive_exact(key, 3))
    untold = [c for c in range(len(names)) if c not in tiles and c not in refilled]
    if from_captured - Counter(captured) or len(gone) < len(refilled) or len(drawn) < len(untold):
        raise Refused(
            f"{WHOLE}: the tiles told to have been put aside in the draft lie elsewhere, or there are not enough of them"
        )
    for c in untold:
        tiles[c] = drawn.pop()
    rest = shuffled_exact([*drawn, *sorted(kept.elements())], derive_exact(key, 4))

    pool = Counter(dict(enumerate(variant.deck.values())))
    of_hand = [gone.pop() if c in refilled else tiles[c] for c in where]
    for g in range(last + 1):
        mine = [h for h, (stack, _) in enumerate(hands) if stack == g]
        pool -= Counter(of_hand[h] for h in mine)
        told = {s: shuffled_exact(kinds, derive_exact(key, 5 + s)) for s, kinds in aside.items()} if g == last else {}
        others = Counter(pool) - Counter(kind for kinds in told.values() for kind in kinds)
        free = shuffled_exact(sorted(others.elements()), derive_exact(key, 10 + g))
        for h in mine:
            size = hands[h][1]
            source = told.get(h % variant.players, free)
            state.hands[h, :size] = [of_hand[h], *(source.pop() for _ in range(size - 1))]
            state.hand_stack[h], state.hand_cell[h] = g, where[h]
            state.cell_hand[where[h]] = NONE if where[h] in refilled else h
    state.drafted, state.shuffles = len(names), last + 1
    return rest


def tell_turn(state: Any, variant: Variant, given: Mapping[str, Any]) -> None:
    """Whose turn it is, and the number of turns completed."""
    tokens = sum(variant.life - int(state.life[s]) for s in range(variant.players))
    taken = int(state.captured.sum()) + sum(int(mask).bit_count() for mask in state.occupied)
    least = tokens + variant.line * taken
    if something(given.get("won")):
        least += variant.line - 1  # the last token on it was placed in the turn that is not completed yet
    mover = (
        number_told(f"{WHOLE}, mover", given["mover"], 1, variant.players, "a seat") - 1 if "mover" in given else None
    )
    turn = least if mover is None else least + (mover - least) % variant.players
    if "turn" in given:
        turn = number_told(f"{WHOLE}, turn", given["turn"], 0, variant.max_turns, "turns completed")
    if turn >= variant.max_turns:
        raise Refused(f"{WHOLE}, turn: {turn}; the game is stopped after {variant.max_turns}")
    if turn < least:
        raise Refused(
            f"{WHOLE}, turn: {turn}; {tokens} tokens on the layout, and at least {variant.line} for every tile taken, take {least}"
        )
    if mover is not None and turn % variant.players != mover:
        raise Refused(
            f"{WHOLE}, mover: seat {mover + 1}; after {turn} turns it is seat {turn % variant.players + 1}'s turn"
        )
    state.turn, state.mover = turn, turn % variant.players


def tell_last(state: Any, variant: Variant, given: Mapping[str, Any], cells: dict[int, Mapping[str, Any]]) -> None:
    """The last placement, and the turns passed since."""
    names, turn = cell_names(variant.side**2), int(state.turn)
    won = something(given.get("won"))
    state.passed = number_told(
        f"{WHOLE}, passed", given.get("passed", 0), 0, 0 if won else variant.players - 1, "turns passed in a row"
    )
    state.undirected = truth(f"{WHOLE}, undirected", given.get("undirected", False))
    if state.undirected and (variant.blocked != "pass" or not state.passed):
        raise Refused(
            f"{WHOLE}, undirected: only a turn that was passed, lost under blocked=pass, frees the next player"
        )
    before = turn + won - int(state.passed)  # turns up to the last placement
    if not something(given.get("last")):
        if before > 0:
            raise Refused(
                f"{WHOLE}: the last placement is missing; only in the first turn there is none, and it is told like {names[0]}5"
            )
        if before < 0 or state.passed:
            raise Refused(f"{WHOLE}, passed: the first turn is never passed")
        return
    places = {f"{name}{space}": (tile, space) for tile, name in enumerate(names) for space in range(1, len(names) + 1)}
    place = given["last"]
    if not isinstance(place, str) or place not in places:
        raise Refused(
            f"{WHOLE}, last: {shown(place)}; a tile and a space from 1 to {len(names)} are needed, such as {names[0]}5"
        )
    if before <= 0:
        raise Refused(f"{WHOLE}, last: {place}; by the turns completed and passed nobody has placed a token yet")
    tile, space = places[place]
    state.last, state.directed = tile, space - 1
    seat = (before - 1) % variant.players + 1
    tokens = [tuple(token) for token in cells.get(tile, {}).get("tokens", [])]
    lifted = given.get("lifted") == names[tile]
    if tokens and tokens[-1] != (seat, space) and not (lifted and space not in (at for _, at in tokens)):
        raise Refused(
            f"{WHOLE}, last: {place}; tile {names[tile]} bears tokens, so seat {seat}'s on space {space} must be the last of them"
        )
    if not tokens and not lifted and not won and int(state.owner[tile]) == NONE:
        if variant.layout != "dealt" and int(state.cell_hand[tile]) != NONE and state.drawn < state.stacked:
            raise Refused(
                f"{WHOLE}, last: {place}; there is no token on tile {names[tile]}, and it has not been taken either"
            )


def tell_take(state: Any, variant: Variant, given: Mapping[str, Any], phase: int | None) -> None:
    """The tile that is to be taken and by whom; the tile off which the mover has taken a token."""
    names, mover = cell_names(variant.side**2), int(state.mover)
    state.decider = mover
    if something(given.get("lifted")):
        state.origin = one_of(f"{WHOLE}, lifted", given["lifted"], names)
        where = f"{WHOLE}, lifted"
        if state.owner[state.origin] != NONE:
            raise Refused(f"{where}: no token lies on {names[state.origin]}, which is occupied")
        if not state.free[state.origin]:
            raise Refused(
                f"{where}: on {names[state.origin]} no space is free, as there must be after a token was lifted"
            )
        if not something(given.get("won")):
            if state.life[mover] != 1:
                raise Refused(
                    f"{where}: the token in hand is the one LIFE token of seat {mover + 1} not on the layout; there are {state.life[mover]}"
                )
            if state.origin == state.directed and not state.undirected:
                raise Refused(f"{where}: none can be lifted from {names[state.origin]}, the directed tile")
    if not something(given.get("won")):
        if something(given.get("winner")):
            raise Refused(f"{WHOLE}, winner: no tile is told that is won")
        if phase == TAKE:
            raise Refused(f"{WHOLE}: the phase is take, and the tile that is won is missing")
        return
    where = f"{WHOLE}, won"
    state.won = one_of(where, given["won"], names)
    state.decider = number_told(f"{WHOLE}, winner", given.get("winner", mover + 1), 1, variant.players, "a seat") - 1
    if state.won != state.last:
        raise Refused(f"{where}: {names[state.won]}; the tile that is won is the one of the last placement")
    if state.won == state.origin:
        raise Refused(f"{WHOLE}, lifted: a token is never put back on the tile it came from, here {names[state.won]}")
    if state.owner[state.won] != NONE or state.free[state.won] != variant.packed[0].all_spaces:
        raise Refused(
            f"{where}: {names[state.won]} bears tokens or an Oink; the tokens on it have gone back, and it is still to be taken"
        )
    if not state.oinks[state.decider] or state.drawn >= state.stacked:
        raise Refused(
            f"{where}: seat {int(state.decider) + 1} can do only one of occupy and capture, so there is nothing to decide"
        )
    state.phase = TAKE


def check_tiles(state: Any, variant: Variant) -> None:
    """Refuse tokens on a tile that would have been won."""
    names, v = cell_names(variant.side**2), variant.packed[0]
    lines, made = through(v.lines, v.near_lines), variant.line
    for name, tokens, free, owner in zip(names, state.tokens.tolist(), state.free, state.owner, strict=False):
        for s, own in enumerate(tokens, 1):
            if own.bit_count() >= made and any((own & line).bit_count() >= made for line in lines):
                raise Refused(f"{WHOLE}, cell {name}: seat {s} has a line here, and would have won the tile")
        most = max(own.bit_count() for own in tokens)
        if owner == NONE and not free and (variant.majority == "plurality" or 2 * most > len(names)):
            raise Refused(
                f"{WHOLE}, cell {name}: the tile is full, and would have been won by whoever has most tokens on it"
            )


@loop
def blank(states, variants):
    """Every field as it stands before anything is drawn."""
    clear(states[0], variants[0])


@loop
def resume(states, variants):
    """Find what there is to decide in a position that has been written into a state, or how it has ended."""
    state = states[0]
    variant = variants[0]
    note_lead(state, variant)
    state.ending = ending_of(state, variant)
    if state.ending != NOT_OVER:
        return
    if state.phase == TAKE:
        state.takes = OCCUPY | CAPTURE
        state.options = 2
        return
    origin = state.origin
    begin_turn(state, variant)
    if origin != NONE:
        state.origin = origin
        count_places(state, variant)


# --- Notation ---------------------------------------------------------------------------------------------------


def text(variant: Variant, state: Any, action: int) -> str:
    """The action as records write it: `draft FW@C`, `A12`, `lift C5`, `occupy A`, `capture A`."""
    cells = cell_names(variant.side**2)
    verb, what, where = action >> 16, action >> 8 & 255, action & 255
    if verb == DO_DRAFT:
        return f"draft {list(variant.deck)[what]}@{cells[where]}"
    if verb in (DO_PLACE, DO_LIFT):
        return f"{'lift ' if verb == DO_LIFT else ''}{cells[what]}{where + 1}"
    return f"{'occupy' if verb == DO_OCCUPY else 'capture'} {cells[what]}"


def chance_from_tape(variant: Variant, tape: list[int]) -> list[list[str]]:
    """The luck that a tape holds as records write it: the elements by seat, then every shuffled stack, top first."""
    tiles, found, at = list(variant.deck), [], 0
    while at < len(tape):
        purpose, n = tape[at : at + 2]
        names = tiles if purpose else ELEMENTS
        found.append([names[k] for k in tape[at + 2 : at + 2 + n]])
        at += 2 + n
    return found


def tape_from_chance(variant: Variant, chance: Any) -> list[int]:
    """The tape that a record's `chance` stands for; a tile that the deck lacks is refused by the shuffle that it is in."""
    if not isinstance(chance, list) or not all(isinstance(part, list) for part in chance):
        raise Refused(
            "chance: a list of lists is needed, the elements by seat and then every shuffled stack, top first"
        )
    numbers = {tile: kind for kind, tile in enumerate(variant.deck)}
    tape: list[int] = []
    for purpose, part in enumerate(chance):
        for place, word in enumerate(part, 1):
            if not isinstance(word, str):
                raise Refused(f"chance, list {purpose + 1}: entry {place} is {shown(word)}; text is needed")
        codes = [
            numbers.get(word, NONE) if purpose else ELEMENTS.find(word) if len(word) == 1 else NONE for word in part
        ]
        tape += [purpose, len(part), *codes]
    return tape


MOST_CHANCE = 2 * (MOST_TILES + 2)  # entries that one play or the start can add to a tape

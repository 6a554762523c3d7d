"""A Rift of Portals: one player builds a ring of tiles, the Boundary, round the Inner Gate.

Source: the published English rule text and its Korean twin. Where they are silent or can be read in two
ways, the readings below say what was chosen. Clauses: R-D0 keep, R-D1 gain, R-D2 build, R-D3 move, E end.

The ring at side 3, cells in reading order (I, O and X are the gate, the void and the discard pile):

    A B C
    D . E
    F G H
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

from tkg.rules.bits import bits, count_bits, nth_bit
from tkg.rules.cells import cell_names
from tkg.rules.chance import CHANCE, UNTOLD, add, derive, derive_exact, fold, mix, shuffle, shuffled_exact
from tkg.rules.errors import Refused
from tkg.rules.kernel import kernel, loop, records, routine
from tkg.rules.knobs import ByElement, DeckKnob, Number, Reading, Variant, shown
from tkg.rules.positions import (
    GAME_OVER,
    WHOLE,
    Pool,
    counters,
    entries,
    items,
    number_told,
    phase_of,
    something,
    written,
)
from tkg.rules.tiles import BARE, ELEMENT_NAMES, ELEMENTS, MOST_TILES, tile_counts, tile_order

NAME = "rift"
TITLE = "A Rift of Portals"

# --- Knobs and readings -----------------------------------------------------------------------------------

KNOBS = (
    Number(
        "side",
        3,
        3,
        7,
        "tiles",
        "tiles along one side of the Boundary, whose ring has 4(side-1) cells",
        "Set-up 1, Variant",
    ),
    DeckKnob("deck", "reference", 3, MOST_TILES, "tiles", "what is shuffled", "Set-up 1"),
    ByElement("supply", 15, 0, 255, "Oinks", "Oinks of each element at the start", "Components"),
    Number("hand", 3, 3, 3, "tiles", "tiles drawn each turn, fixed by the three actions of a turn", "On each turn"),
)
READINGS = (
    Reading("gate", ("tile", "empty"), "the Inner Gate is a face-down tile (3 tiles drawn at set-up), or a space left free (2 drawn)", "Set-up 2, Variant"),
    Reading("adjacency", ("orthogonal", "all"), "4 or 8 neighbours, for building, for the first tile and for moving", "Build, Move"),
    Reading("build_match", ("each", "common", "any"), "with several built neighbours: each shares an element with the new tile; one element is on the tile and on all of them; at least one of them shares an element", "Build"),
    Reading("replace", ("matched", "free", "off"), "a replacing tile obeys the match rule; need not; replacing is not played", "Build"),
    Reading("full_boundary", (True, False), "the ring must be complete for the game to be won", "Winning Conditions"),
    Reading("coverage", ("insignia", "element"), "condition 3: every insignia has its own Oink; or every element on a tile has at least one", "Winning Conditions 3"),
    Reading("hop", ("once", "again"), "within one Move action an Oink that has arrived on a tile stays; or may be moved on", "Move"),
    Reading("tile_moves", ("indicated", "any"), "an Oink moved from tile to tile has the indicated element; or any element", "Move"),
    Reading("move_mix", (True, False), "one Move action may use the gate for some Oinks and tiles for others; or only one of the two", "Move"),
    Reading("shortfall", ("partial", "illegal"), "the supply holds fewer Oinks than a tile shows: take what is left; or play such a tile for Oinks only if nothing else can be done", "Gain, Build, Move"),
    Reading("excess", ("void", "stay"), "a second fire Oink on a tile with one fire goes to the void at the end; or stays and scores", "Ending Condition, Scoring"),
    Reading("standing", ("points", "stable-first"), "competing players are ranked by points; or those with a stable portal come first", "Scoring"),
)  # fmt: skip
DECLARED = (*KNOBS, *READINGS)
SHORTHANDS: dict[str, Any] = {}  # names that stand for other settings when a variant is made, and in no record

ORTHOGONAL, ALL = 0, 1
EACH, COMMON, ANY_NEIGHBOUR = 0, 1, 2
MATCHED, FREE, OFF = 0, 1, 2
INSIGNIA, ELEMENT = 0, 1
ONCE, AGAIN = 0, 1
INDICATED, ANY_ELEMENT = 0, 1
PARTIAL, ILLEGAL = 0, 1
TO_VOID, STAY = 0, 1

MOST_CELLS = 24
HAND = 3
NONE = -1  # no tile

VARIANT = np.dtype(
    [
        ("side", "i2"),
        ("cells", "i2"),
        ("kinds", "i2"),  # different tiles in the deck
        ("tiles", "i2"),  # tiles in the deck
        ("set_up", "i2"),  # tiles drawn at set-up
        ("supply", "i2", 4),
        ("build_match", "i2"),
        ("replace", "i2"),
        ("full_boundary", "i2"),
        ("coverage", "i2"),
        ("hop", "i2"),
        ("tile_moves", "i2"),
        ("move_mix", "i2"),
        ("shortfall", "i2"),
        ("excess", "i2"),
        ("plain_moves", "i2"),  # whether no reading of the Move action departs from the default
        ("deck", "i2", MOST_TILES),  # every tile of the deck, by kind
        ("insignias", "i2", (MOST_TILES, 4)),  # by kind and element
        ("weight", "i2", MOST_TILES),  # insignias in all
        ("elements", "i2", MOST_TILES),  # a bit for every element on the tile
        ("ring", "u4"),  # a bit for every cell
        ("first", "u4"),  # where the first tile may go
        ("near", "u4", MOST_CELLS),  # neighbours of each cell
        ("sides", "u4", 4),  # cells of the top, left, right and bottom side
    ]
)


def ring_places(side: int) -> list[tuple[int, int]]:
    """(row, column) of every cell of the ring, in reading order."""
    last = side - 1
    return [(r, c) for r, c in product(range(side), repeat=2) if r in (0, last) or c in (0, last)]


def names_of_cells(side: int) -> tuple[str, ...]:
    """The letter of every cell, in reading order."""
    return cell_names(4 * (side - 1), without="IOX")


def pack(variant: Variant) -> np.ndarray:
    """The variant as an array of one VARIANT record."""
    packed = records(VARIANT)
    v = packed[0]
    places = ring_places(variant.side)
    reach = 1 if variant.adjacency == "orthogonal" else 2
    last = variant.side - 1

    def near(a: tuple[int, int], b: tuple[int, int]) -> bool:
        rows, columns = abs(a[0] - b[0]), abs(a[1] - b[1])
        return max(rows, columns) == 1 and rows + columns <= reach

    inside = [(r, c) for r in range(1, last) for c in range(1, last)]
    v.side, v.cells, v.ring = variant.side, len(places), bits(range(len(places)))
    v.first = bits(c for c, place in enumerate(places) if any(near(place, i) for i in inside))
    for c, place in enumerate(places):
        v.near[c] = bits(d for d, other in enumerate(places) if near(place, other))
    v.sides[:] = [
        bits(c for c, (row, column) in enumerate(places) if chosen(row, column))
        for chosen in (
            lambda row, column: row == 0,
            lambda row, column: column == 0,
            lambda row, column: column == last,
            lambda row, column: row == last,
        )
    ]
    deck = variant.deck
    v.kinds, v.tiles = len(deck), deck.total
    v.deck[: deck.total] = [kind for kind, tile in enumerate(deck) for _ in range(deck[tile])]
    for kind, tile in enumerate(deck):
        counts = tile_counts(tile)
        v.insignias[kind] = counts
        v.weight[kind] = sum(counts)
        v.elements[kind] = bits(e for e in range(4) if counts[e])
    v.supply[:] = variant.supply
    v.set_up = 3 if variant.gate == "tile" else 2
    for reading in READINGS:
        if reading.name in (VARIANT.names or ()):
            v[reading.name] = reading.options.index(variant[reading.name])
    v.full_boundary, v.move_mix = variant.full_boundary, variant.move_mix
    v.plain_moves = variant.hop == "once" and variant.tile_moves == "indicated" and variant.move_mix
    return packed


def check(variant: Variant) -> None:
    """Every combination of settings can be played."""


def turns_of(variant: Variant) -> int:
    """How many turns the deck lasts."""
    return max(0, variant.deck.total - (3 if variant.gate == "tile" else 2)) // HAND


def warnings(variant: Variant) -> list[str]:
    """Why the variant cannot be won or played: lower bounds that hold however well one plays."""
    turns, cells, deck = turns_of(variant), 4 * (variant.side - 1), variant.deck
    if turns == 0:
        return [f"No turn can be played: the deck of {deck.total} leaves fewer than {HAND} tiles after set-up."]
    if not variant.full_boundary:
        return []
    found = []
    if turns < cells:
        found.append(
            f"The ring cannot be filled: it has {cells} cells, and {deck.total} tiles give {turns} turns with one build each."
        )
    alike = max(1 if group == {BARE} else sum(deck[t] for t in group) for group in matching_groups(list(deck)))
    if alike < cells and variant.replace != "free":
        found.append(
            f"The ring cannot be filled: it has {cells} cells, and no more than {alike} tiles match one another."
        )
    supply = [variant.supply] * 4 if isinstance(variant.supply, int) else list(variant.supply)
    most = 1 if variant.coverage == "element" else None
    wanted = [[n if most is None else min(n, most) for n in tile_counts(t)] for t in deck for _ in range(deck[t])]
    wanted = [counts for counts in wanted if all(n <= s for n, s in zip(counts, supply, strict=True))]
    if len(wanted) < cells:
        found.append(
            f"The ring cannot be matched: it has {cells} cells, and the supply can match no more than {len(wanted)} tiles of this deck."
        )
        return found
    for e, name in enumerate(ELEMENT_NAMES):
        needed = sum(sorted(counts[e] for counts in wanted)[:cells])
        if needed > supply[e]:
            found.append(
                f"The ring cannot be matched: any {cells} tiles of this deck need at least {needed} {name} Oinks, "
                f"and the supply holds {supply[e]}."
            )
    needed = sum(sorted(map(sum, wanted))[:cells])
    if needed > sum(supply):
        found.append(
            f"The ring cannot be matched: any {cells} tiles of this deck need at least {needed} Oinks in all, "
            f"and the supply holds {sum(supply)}."
        )
    return found


def matching_groups(tiles: list[str]) -> list[set[str]]:
    """The tiles that are linked by shared elements, group by group: a ring lies within one of them."""
    groups: list[set[str]] = []
    for tile in tiles:
        linked = [g for g in groups if tile != BARE and any(set(tile) & set(other) for other in g)]
        groups = [g for g in groups if g not in linked] + [{tile}.union(*linked)]
    return groups


# --- State --------------------------------------------------------------------------------------------------

KEEP, GAIN, BUILD, MOVE, OVER = 0, 1, 2, 3, 4  # the decision at hand
KINDS = ("keep", "gain", "build", "move")  # of decisions, in this order
FROM_GATE, FROM_TILE = 1, 2  # what a Move action has used so far; 0 is nothing yet

STATE = np.dtype(
    [
        ("phase", "i2"),
        ("turn", "i2"),  # turns completed
        ("drawn", "i2"),  # tiles drawn; the rest of `deck` is the stack
        ("deck", "i2", MOST_TILES),
        ("hand", "i2", HAND),
        ("board", "i2", MOST_CELLS),  # the tile on each cell, or NONE
        ("oinks", "i2", (MOST_CELLS, 4)),
        ("supply", "i2", 4),
        ("gate", "i2", 4),
        ("void", "i2", 4),
        ("built", "u4"),  # a bit for every cell with a tile
        ("bears", "u4", 4),  # by element, a bit for every cell whose tile bears it
        ("need", "i2", 4),  # insignias of the tile being moved that are still to be served
        ("element", "i2"),  # the one being served
        ("begun", "i2"),  # whether the Move action has moved anything
        ("way", "i2"),  # what it has used: FROM_GATE, FROM_TILE, or both bits
        ("arrived", "i2", (MOST_CELLS, 4)),  # Oinks that came to a tile in this Move action
        # the legal options of the decision at hand, found once when it comes up
        ("options", "i2"),  # how many
        ("takes", "u4"),  # a bit for every place in the hand whose tile may be kept, gained or refused
        ("fits", "u4", HAND),  # by place in the hand, a bit for every cell that its tile may go on
        (
            "serves",
            "u4",
        ),  # what may serve the next insignia: the gate (bit 4), or Oinks of an element on tiles (bits 0-3)
        ("discarded", "i2"),
        ("aside", "i2"),  # tiles face down as gate and void
        ("refused_builds", "i2"),
        ("refused_moves", "i2"),
        ("replacements", "i2"),
        ("unmatched", "i2"),
    ]
)

# An action is verb, element, tile or source, target: eight bits each, `GATE` for the gate as a source.
DO_KEEP, DO_GAIN, DO_BUILD, DO_REPLACE, DO_REFUSE, DO_MOVE = 1, 2, 3, 4, 5, 6
GATE = 255


@kernel
def action_of(verb, element, what, target):
    return verb << 24 | element << 16 | what << 8 | target


# --- Start ----------------------------------------------------------------------------------------------------


@kernel
def start(state, variant, seed, tape):
    """Set up (Set-up 1-2) to the first decision, R-D0. Chance: the shuffled deck, purpose 0."""
    clear(state, variant)
    shuffle(state.deck, variant.tiles, derive(derive(seed, CHANCE), 0), 0, tape)
    for i in range(variant.set_up):
        state.hand[i] = state.deck[i]
    state.drawn = variant.set_up
    state.phase = KEEP
    find_options(state, variant)


@kernel
def clear(state, variant):
    """Every field as it stands before anything is drawn, whatever the record held before."""
    for i in range(MOST_TILES):
        state.deck[i] = variant.deck[i]
    for i in range(HAND):
        state.hand[i] = NONE
        state.fits[i] = 0
    for c in range(MOST_CELLS):
        state.board[c] = NONE
        for e in range(4):
            state.oinks[c, e] = 0
            state.arrived[c, e] = 0
    for e in range(4):
        state.supply[e] = variant.supply[e]
        state.gate[e] = 0
        state.void[e] = 0
        state.bears[e] = 0
        state.need[e] = 0
    state.turn = 0
    state.drawn = 0
    state.built = 0
    state.element = 0
    state.begun = 0
    state.way = 0
    state.options = 0
    state.takes = 0
    state.serves = 0
    state.discarded = 0
    state.aside = 0
    state.refused_builds = 0
    state.refused_moves = 0
    state.replacements = 0
    state.unmatched = 0


# --- Legal ----------------------------------------------------------------------------------------------------


@kernel
def covers(state, variant, tile):
    """Whether the supply holds every Oink that the tile shows."""
    for e in range(4):
        if variant.insignias[tile, e] > state.supply[e]:
            return False
    return True


@kernel
def fitting_cells(state, variant, tile):
    """The cells on which R-D2 may build the tile or replace another by it, as a mask."""
    built = np.int64(state.built)
    if built == 0:
        return np.int64(variant.first)
    borne = np.int64(variant.elements[tile])
    shares = np.int64(0)
    for e in range(4):
        if borne >> e & 1:
            shares |= np.int64(state.bears[e])
    fitting = np.int64(0)
    for c in range(variant.cells):
        near = np.int64(variant.near[c]) & built
        if built >> c & 1:
            fits = variant.replace != OFF
            free = variant.replace == FREE or near == 0
        else:
            fits = near != 0
            free = False
        if fits and not free:
            if variant.build_match == EACH:
                fits = near & ~shares == 0
            elif variant.build_match == ANY_NEIGHBOUR:
                fits = near & shares != 0
            else:
                fits = False
                for e in range(4):
                    if borne >> e & 1 and near & ~np.int64(state.bears[e]) == 0:
                        fits = True
        fitting |= np.int64(fits) << c
    return fitting


@kernel
def may_leave(state, variant, c, e):
    """Oinks of an element that may be moved off a tile now (`hop`)."""
    if variant.hop == AGAIN:
        return np.int64(state.oinks[c, e])
    return np.int64(state.oinks[c, e]) - state.arrived[c, e]


@kernel
def neighbours(state, variant, c):
    """The built tiles next to a built tile, as a mask; none for a cell without a tile."""
    if state.built >> c & 1:
        return np.int64(variant.near[c] & state.built)
    return np.int64(0)


@routine
def leaving(state, variant, e):
    """Oinks of an element that may be moved off some tile to a neighbour."""
    n = 0
    for c in range(variant.cells):
        if neighbours(state, variant, c):
            n += may_leave(state, variant, c, e)
    return n


@routine
def enough(state, variant, way):
    """Whether the insignias still to be served can all be, by `way` (FROM_GATE, FROM_TILE, or both), under `hop: once`.

    With `tile_moves: any` whatever the gate lacks can come from Oinks of any element on the tiles.
    """
    lacking = 0
    for e in range(4):
        short = np.int64(state.need[e])
        if way & FROM_GATE:
            short -= state.gate[e]
        if short > 0:
            if not way & FROM_TILE:
                return False
            if variant.tile_moves == ANY_ELEMENT:
                lacking += short
            elif leaving(state, variant, e) < short:
                return False
    if lacking == 0:
        return True
    loose = 0
    for e in range(4):
        loose += leaving(state, variant, e)
    return loose >= lacking


@routine
def enough_again(state, variant, way):
    """The same under `hop: again`, where one Oink on a tile with a neighbour can serve any number of insignias.

    An Oink that leaves the gate first is such an Oink afterwards, if some tile has a neighbour.
    """
    gate_serves = way & FROM_GATE != 0
    linked = False
    loose = 0
    for c in range(variant.cells):
        if neighbours(state, variant, c):
            linked = True
    for e in range(4):
        loose += leaving(state, variant, e)
        if state.need[e] > state.gate[e]:
            gate_serves = False
    if gate_serves:
        return True
    if not way & FROM_TILE or not linked:
        return False
    for e in range(4):
        if state.need[e] == 0:
            continue
        from_gate = way & FROM_GATE != 0 and state.gate[e] > 0
        if variant.tile_moves == ANY_ELEMENT:
            return loose > 0 or from_gate
        if not from_gate and leaving(state, variant, e) == 0:
            return False
    return True


@routine
def completes_after(state, variant, source, e):
    """Whether the Move action can be completed after an Oink of element `e` has come from the gate or from a tile.

    Where it goes does not matter: built tiles hang together, so either all have neighbours or there is only one.
    """
    way = FROM_GATE | FROM_TILE
    if not variant.move_mix:
        if state.begun and state.way != source:
            return False
        way = source
    cell = 0
    while not state.built >> cell & 1 or (source == FROM_TILE and may_leave(state, variant, cell, e) <= 0):
        cell += 1
    came = np.int64(source == FROM_GATE)
    state.need[state.element] -= 1
    state.gate[e] -= came
    state.oinks[cell, e] += came
    state.arrived[cell, e] += 1
    possible = enough_again(state, variant, way) if variant.hop == AGAIN else enough(state, variant, way)
    state.need[state.element] += 1
    state.gate[e] += came
    state.oinks[cell, e] -= came
    state.arrived[cell, e] -= 1
    return possible


@kernel
def serving(state, variant):
    """What may serve the next insignia (R-D3) so that the rest can still be: bit 4 the gate, bits 0-3 elements on tiles."""
    if state.built == 0:
        return 0
    served = np.int64(state.element)
    gate = np.int64(state.gate[served] > 0) << 4
    if variant.plain_moves:
        # No single move takes from what the others need, so the first decision settles whether all can be served.
        if state.begun or enough(state, variant, FROM_GATE | FROM_TILE):
            return gate | 1 << served
        return 0
    if gate and not completes_after(state, variant, FROM_GATE, served):
        gate = 0
    tiles = 0
    for e in range(4):
        if (variant.tile_moves == ANY_ELEMENT or e == served) and leaving(state, variant, e) > 0:
            if completes_after(state, variant, FROM_TILE, e):
                tiles |= 1 << e
    return gate | tiles


@kernel
def tile_moves(state, variant, e, k):
    """(how many moves of element `e` from tile to tile there are, the k-th of them)."""
    n = 0
    action = NONE
    for c in range(variant.cells):
        if may_leave(state, variant, c, e) > 0:
            near = neighbours(state, variant, c)
            more = count_bits(near)
            if n <= k < n + more:
                action = action_of(DO_MOVE, e, c, nth_bit(near, k - n))
            n += more
    return n, action


@routine
def find_options(state, variant):
    """Find the legal options of the decision at hand and keep them in the state."""
    n = 0
    state.takes = 0
    if state.phase == MOVE:
        state.serves = serving(state, variant)
        if state.serves & 16:
            n += count_bits(state.built)
        for e in range(4):
            if state.serves >> e & 1:
                n += tile_moves(state, variant, e, NONE)[0]
        if state.begun:
            state.options = n
            return
    places = 0
    covered = 0
    for i in range(HAND):
        tile = state.hand[i]
        state.fits[i] = 0
        if tile == NONE or (i > 0 and tile == state.hand[0]) or (i > 1 and tile == state.hand[1]):
            continue  # equal tiles are one option
        places |= 1 << i
        if variant.shortfall == ILLEGAL and covers(state, variant, tile):
            covered |= 1 << i
        if state.phase == BUILD:
            fitting = fitting_cells(state, variant, tile)
            state.fits[i] = fitting
            n += count_bits(fitting)
    if variant.shortfall == ILLEGAL and (n > 0 or covered > 0):
        places = covered
    state.takes = places
    state.options = n + count_bits(places)


@kernel
def count(state, variant):
    return np.int64(state.options)


@kernel
def nth(state, variant, k):
    """R-D0, R-D1: tiles in hand. R-D2: by tile, refuse, then cells. R-D3: refuse, from the gate, from tile to tile."""
    if state.phase == MOVE:
        if state.takes:
            if k == 0:
                return action_of(DO_REFUSE, 0, last_tile(state), 0)
            k -= 1
        if state.serves & 16:
            more = count_bits(state.built)
            if k < more:
                return action_of(DO_MOVE, np.int64(state.element), GATE, nth_bit(state.built, k))
            k -= more
        for e in range(4):
            if state.serves >> e & 1:
                n, action = tile_moves(state, variant, e, k)
                if k < n:
                    return action
                k -= n
        return NONE
    verb = DO_KEEP if state.phase == KEEP else DO_GAIN if state.phase == GAIN else DO_REFUSE
    for i in range(HAND):
        tile = np.int64(state.hand[i])
        if state.takes >> i & 1:
            if k == 0:
                return action_of(verb, 0, tile, 0)
            k -= 1
        if state.phase == BUILD:
            fitting = np.int64(state.fits[i])
            more = count_bits(fitting)
            if k < more:
                cell = nth_bit(fitting, k)
                return action_of(DO_REPLACE if state.built >> cell & 1 else DO_BUILD, 0, tile, cell)
            k -= more
    return NONE


# --- Play -----------------------------------------------------------------------------------------------------


@kernel
def gain(state, variant, tile, pool):
    """The Oinks that the tile shows go from the supply to a pool, as far as the supply goes."""
    for e in range(4):
        n = min(variant.insignias[tile, e], state.supply[e])
        state.supply[e] -= n
        pool[e] += n


@kernel
def drop(state, tile):
    """Take one such tile out of the hand."""
    for i in range(HAND):
        if state.hand[i] == tile:
            state.hand[i] = NONE
            return


@kernel
def last_tile(state):
    """The tile that the Move action plays."""
    return np.int64(max(state.hand[0], state.hand[1], state.hand[2]))


@kernel
def place(state, variant, tile, cell):
    """Put a tile on a cell; one that lay there is discarded and the Oinks on it go to the void."""
    here = np.uint32(1 << cell)
    if state.built & here:
        for e in range(4):
            state.void[e] += state.oinks[cell, e]
            state.oinks[cell, e] = 0
            state.bears[e] &= ~here
        state.discarded += 1
        state.replacements += 1
    state.board[cell] = tile
    state.built |= here
    for e in range(4):
        if variant.insignias[tile, e] > 0:
            state.bears[e] |= here


@kernel
def move_oink(state, e, source, target):
    if source == GATE:
        state.gate[e] -= 1
        state.way |= FROM_GATE
    else:
        state.oinks[source, e] -= 1
        state.way |= FROM_TILE
    state.oinks[target, e] += 1
    state.arrived[target, e] += 1
    state.begun = 1
    state.need[state.element] -= 1


@kernel
def begin_move(state, variant):
    """The last tile in hand is played (R-D3)."""
    tile = last_tile(state)
    for e in range(4):
        state.need[e] = variant.insignias[tile, e]
    for c in range(variant.cells):
        for e in range(4):
            state.arrived[c, e] = 0
    state.begun = 0
    state.way = 0
    state.phase = MOVE


@kernel
def next_insignia(state):
    """Turn to the first element that is still to be served; False if there is none."""
    for e in range(4):
        if state.need[e] > 0:
            state.element = e
            return True
    return False


@kernel
def end_turn(state):
    """The tile of the Move action is discarded."""
    for i in range(HAND):
        state.hand[i] = NONE
    for e in range(4):
        state.need[e] = 0
    state.begun = 0
    state.discarded += 1
    state.turn += 1


@kernel
def begin_turn(state, variant):
    """Draw three tiles; with fewer left they stay unplayed and the game ends (A turn)."""
    if state.drawn + HAND > variant.tiles:
        end_game(state, variant)
        return
    for i in range(HAND):
        state.hand[i] = state.deck[state.drawn + i]
    state.drawn += HAND
    state.phase = GAIN


@kernel
def play(state, variant, action, tape):
    """Carry out an action, unchecked, and what follows from it up to the next decision."""
    carry_out(state, variant, action)


@routine
def carry_out(state, variant, action):
    verb = action >> 24
    what = action >> 8 & 255
    target = action & 255
    turn_over = False
    if verb == DO_MOVE:
        move_oink(state, action >> 16 & 255, what, target)
    elif verb == DO_KEEP:
        gain(state, variant, what, state.gate)
        state.aside = variant.set_up - 1
        state.discarded += 1
        for i in range(HAND):
            state.hand[i] = NONE
        turn_over = True
    elif verb == DO_GAIN:
        gain(state, variant, what, state.gate)
        state.discarded += 1
        drop(state, what)
        state.phase = BUILD
    elif verb == DO_REFUSE and state.phase == MOVE:
        gain(state, variant, what, state.void)
        state.refused_moves += 1
        end_turn(state)
        turn_over = True
    else:
        if verb == DO_REFUSE:
            gain(state, variant, what, state.void)
            state.refused_builds += 1
            state.discarded += 1
        else:
            place(state, variant, what, target)
        drop(state, what)
        begin_move(state, variant)
    if state.phase == MOVE and not turn_over and not next_insignia(state):
        end_turn(state)  # also a tile without insignias, which needs no decision
        turn_over = True
    if turn_over:
        begin_turn(state, variant)
    if state.phase == OVER:
        state.options = 0
    else:
        find_options(state, variant)


# --- Ending and score -------------------------------------------------------------------------------------------

RESULT = np.dtype(
    [
        ("win", "?"),
        ("stable_gate", "?"),
        ("equal_sides", "?"),
        ("matched", "?"),
        ("ring_full", "?"),
        ("points", "i2"),
        ("gate", "i2"),
        ("void", "i2"),
        ("unmatched", "i2"),
        ("built", "i2"),
        ("turns", "i2"),
        ("refused_builds", "i2"),
        ("refused_moves", "i2"),
        ("replacements", "i2"),
        ("supply_left", "i2"),
        ("margin", "i2"),  # Oinks in the gate less Oinks in the void
    ]
)
BY_SEAT: tuple[str, ...] = ()  # fields of the result that every seat has for itself
EXTRAS = ("margin",)  # fields that stand in tables, and in no record
WORDS: dict[str, tuple[str, ...]] = {}  # fields that are told in words, an index into these
MASKS: tuple[str, ...] = ()  # fields that are sets of cells, a bit for each
CONDITIONS = ("stable_gate", "equal_sides", "matched", "ring_full")
ENDINGS = ("", "unstable", "stable")  # 0 while the game is on
NOT_OVER, UNSTABLE, STABLE = 0, 1, 2


@kernel
def end_game(state, variant):
    """Ending Condition: unmatched Oinks go to the void."""
    for i in range(HAND):
        state.hand[i] = NONE
    for c in range(variant.cells):
        tile = state.board[c]
        if tile == NONE:
            continue
        for e in range(4):
            borne = variant.insignias[tile, e]
            extra = max(0, state.oinks[c, e] - borne)
            if variant.excess == STAY and borne > 0:
                extra = 0
            state.oinks[c, e] -= extra
            state.void[e] += extra
            state.unmatched += extra
    state.phase = OVER


@kernel
def total(pool):
    return np.int64(pool[0]) + pool[1] + pool[2] + pool[3]


@kernel
def stable_gate(state):
    """Condition 1: gate >= void."""
    return total(state.gate) >= total(state.void)


@kernel
def side_sum(state, variant, side):
    """Insignias on one side of the ring; corners count on both their sides, empty cells nothing."""
    n = 0
    for c in range(variant.cells):
        if variant.sides[side] >> c & 1 and state.board[c] != NONE:
            n += variant.weight[state.board[c]]
    return n


@kernel
def equal_sides(state, variant):
    """Condition 2: the four sides bear equally many insignias."""
    top = side_sum(state, variant, 0)
    for side in range(1, 4):
        if side_sum(state, variant, side) != top:
            return False
    return True


@kernel
def matched(state, variant):
    """Condition 3: every built tile is matched (`coverage`)."""
    for c in range(variant.cells):
        if state.board[c] == NONE:
            continue
        for e in range(4):
            wanted = variant.insignias[state.board[c], e]
            if variant.coverage == ELEMENT:
                wanted = min(1, wanted)
            if state.oinks[c, e] < wanted:
                return False
    return True


@kernel
def ring_full(state, variant):
    """Condition 4: a tile on every cell."""
    return state.built == variant.ring


@kernel
def stable(state, variant):
    """Whether the portal as it stands fulfils every condition that the variant asks for."""
    return (
        (ring_full(state, variant) or not variant.full_boundary)
        and stable_gate(state)
        and matched(state, variant)
        and equal_sides(state, variant)
    )


@kernel
def outcome(state, variant, payoffs):
    """The index of the ending in ENDINGS, 0 while the game is on; payoffs by seat are filled in at the end."""
    if state.phase != OVER:
        return NOT_OVER
    won = stable(state, variant)
    payoffs[0] = 1.0 if won else 0.0
    return STABLE if won else UNSTABLE


@kernel
def result(state, variant, out):
    """Fill a RESULT record with the position as it stands."""
    points = 0
    for c in range(variant.cells):
        for e in range(4):
            points += state.oinks[c, e]
    out.win = stable(state, variant)
    out.stable_gate = stable_gate(state)
    out.equal_sides = equal_sides(state, variant)
    out.matched = matched(state, variant)
    out.ring_full = ring_full(state, variant)
    out.points = points
    out.gate = total(state.gate)
    out.void = total(state.void)
    out.unmatched = state.unmatched
    out.built = count_bits(state.built)
    out.turns = state.turn
    out.refused_builds = state.refused_builds
    out.refused_moves = state.refused_moves
    out.replacements = state.replacements
    out.supply_left = total(state.supply)
    out.margin = total(state.gate) - total(state.void)


SCORE = "points"


def reason(variant: Variant, result: dict[str, Any]) -> str:
    """Why a game ended as it did, in words."""
    if result["win"]:
        return "the portal is stable"
    faults = {
        "stable_gate": f"the gate holds {result['gate']} Oinks and the void {result['void']}",
        "equal_sides": "the sides are unequal",
        "matched": "insignias are unmatched",
        "ring_full": "the ring is incomplete",
    }
    asked = [c for c in CONDITIONS if c != "ring_full" or variant.full_boundary]
    return "the portal is unstable: " + ", ".join(faults[c] for c in asked if not result[c])


def ranks(variant: Variant, results: Mapping[str, Any]) -> np.ndarray:
    """Ranks in contests on one deal, best 1, level players share a rank (Scoring, `standing`).

    `results` has an array (contests, players) for every field of the result; so has what is returned.
    """
    merit = np.asarray(results["points"], np.int64)
    if variant.standing == "stable-first":
        merit = merit + MERIT * np.asarray(results["win"], np.int64)
    merit = merit * MERIT + np.asarray(results["gate"], np.int64) - np.asarray(results["void"], np.int64)
    return 1 + (merit[:, None, :] > merit[:, :, None]).sum(axis=2)


MERIT = 1 << 20  # more than any number of Oinks, so that a lesser merit only separates what is level before it


# --- Information ------------------------------------------------------------------------------------------------


@kernel
def seat(state):
    """Who decides: the one player."""
    return 0


@kernel
def kind(state):
    """The decision at hand, an index into KINDS; len(KINDS) at the end."""
    return np.int64(state.phase)


@routine
def sort(items, first, last):
    """Put a part of a list in order; it is short, and often in order already."""
    for i in range(first + 1, last):
        item = items[i]
        j = i
        while j > first and items[j - 1] > item:
            items[j] = items[j - 1]
            j -= 1
        items[j] = item


@kernel
def hide(state, variant, seat, key):
    """Deal anew what the player cannot know: the order of the stack."""
    left = variant.tiles - state.drawn
    sort(state.deck, np.int64(state.drawn), np.int64(variant.tiles))
    shuffle(state.deck[state.drawn : variant.tiles], left, key, 0, np.empty(0, np.int64))


@kernel
def reopen(state, variant):
    """No decision is made in secret."""


@kernel
def sight(state, variant):
    """A hash of what the player knows of the position: all but the order of the stack."""
    return mix(seen(state, variant))


@routine
def seen(state, variant):
    left = np.uint64(0)
    for i in range(state.drawn, variant.tiles):
        left = add(left, mix(fold(np.uint64(1), state.deck[i])))
    found = fold(left, state.phase)
    for value in (state.turn, state.element, state.begun, state.way):
        found = fold(found, value)
    for i in range(HAND):
        found = fold(found, state.hand[i])
    for e in range(4):
        found = fold(found, np.int64(state.supply[e]) << 40 | np.int64(state.gate[e]) << 20 | np.int64(state.void[e]))
        found = fold(found, state.need[e])
    for c in range(variant.cells):
        found = fold(found, state.board[c])
        if state.built >> c & 1:
            for e in range(4):
                found = fold(found, np.int64(state.oinks[c, e]) << 20 | np.int64(state.arrived[c, e]))
    return found


def view(state: Any, variant: Variant, seat: int | None = 0) -> dict[str, Any]:
    """What the player, and everybody, sees, as plain data: tiles by name, pools by element, the stack by kind and never by order."""
    tiles = list(variant.deck)
    cells = names_of_cells(variant.side)
    v = variant.packed[0]

    def tile(number: int) -> str | None:
        return None if number == NONE else tiles[number]

    drawn = int(state.drawn)
    aside = {}
    if state.aside:
        aside = tally(tiles[k] for k in state.deck[: int(v.set_up)])
    return {
        "game": NAME,
        "variant": str(variant),
        "side": variant.side,
        "phase": (*KINDS, "over")[int(state.phase)],
        "turn": int(state.turn),
        "turns": turns_of(variant),
        "cells": {
            name: {
                "place": place,
                "tile": tile(int(state.board[c])),
                "oinks": [int(n) for n in state.oinks[c]],
            }
            for c, (name, place) in enumerate(zip(cells, ring_places(variant.side), strict=True))
        },
        "hand": [tiles[k] for k in state.hand if k != NONE],
        "need": [int(n) for n in state.need],
        "gate": [int(n) for n in state.gate],
        "void": [int(n) for n in state.void],
        "supply": [int(n) for n in state.supply],
        "sides": [int(side_sum(state, v, i)) for i in range(4)],
        "conditions": {
            "stable_gate": bool(stable_gate(state)),
            "equal_sides": bool(equal_sides(state, v)),
            "matched": bool(matched(state, v)),
            "ring_full": bool(ring_full(state, v)),
        },
        "stack": tally(tiles[k] for k in state.deck[drawn : int(v.tiles)]),
        "set_up": aside,
    }


def tally(tiles: Any) -> dict[str, int]:
    """How many of each tile, in canonical order."""
    found = list(tiles)
    return {t: found.count(t) for t in sorted(set(found), key=tile_order)}


# --- Position ---------------------------------------------------------------------------------------------------

POSITION = ("phase", "turn", "hand", "cells", "gate", "void", "set_up", "stack")
ON_CELL = ("tile", "oinks")
IN_HAND = (None, HAND, HAND - 1, HAND - 2)  # tiles, by phase; at R-D0 the variant tells
BUILT_BEFORE = (0, 0, 0, 1)  # by phase: the tiles that may have been built beyond one for every turn completed


def position(state: Any, variant: Variant) -> dict[str, Any]:
    """The position as plain data: what `set_up` makes it of again, the order of the stack aside.

    `phase` is one of KINDS, `turn` counts turns completed, `hand` are the tiles in it. `cells` has the built ones by
    letter, each with its `tile` and the `oinks` on it as text, `gate` and `void` have four numbers in element order; the supply holds
    the rest. `set_up` are the tiles drawn there and `stack` those still to come, as numbers by tile; what has been
    played is the rest of the deck. Refused within a Move action that has begun, and at the end.
    """
    if state.phase == OVER:
        raise Refused(GAME_OVER)
    if state.phase == MOVE and state.begun:
        raise Refused("a Move action has begun: a position is told before its first Oink is moved")
    seen = view(state, variant)
    cells = {
        name: written([("tile", cell["tile"]), ("oinks", oinks_text(cell["oinks"]))])
        for name, cell in seen["cells"].items()
        if cell["tile"]
    }
    pools = [("cells", cells), ("gate", seen["gate"]), ("void", seen["void"])]
    told = [("turn", seen["turn"]), ("hand", seen["hand"]), *pools, ("set_up", seen["set_up"])]
    return {"phase": seen["phase"], **written(told), "stack": seen["stack"]}


def oinks_text(counts: list[int]) -> str:
    return "".join(e * n for e, n in zip(ELEMENTS, counts, strict=True))


def set_up(variant: Variant, position: Any, seed: int = 0) -> np.ndarray:
    """An array of one STATE: the position that `position` tells in the form that the function of that name gives.

    Entries with nothing in them may be left out: `turn` is 0 then and pools are empty. Where `stack`, `set_up` or, at
    R-D0 and R-D1, `hand` is left out, it is dealt from `seed` out of the tiles that are told nowhere; so is the
    order of the stack, always. The result's counts of refusals and replacements begin at 0.

    Refused if it is no position of the variant: names that it does not have, more tiles or Oinks than it has, numbers
    of tiles that do not fit the turn, a ring that cannot have been built. A Move action stands at its beginning.
    """
    given = entries(WHOLE, position, POSITION)
    phase = phase_of(given, KINDS)
    if phase is None:
        raise Refused(f"{WHOLE}: the phase is missing, one of {', '.join(KINDS)}")
    states = records(STATE)
    blank(states, variant.packed)
    state, v, pool = states[0], variant.packed[0], Pool("the deck", variant.deck)
    turns = turns_of(variant)
    if phase == KEEP:
        for name in ("cells", "gate", "void", "set_up", "turn"):
            if something(given.get(name)):
                raise Refused(f"{WHOLE}, {name}: at the phase keep nothing has been played; leave it out")
    elif turns == 0:
        raise Refused(f"{WHOLE}: no turn can be played with a deck of {variant.deck.total}; the phase is keep")
    state.phase = phase
    turn = number_told(f"{WHOLE}, turn", given.get("turn", 0), 0, max(0, turns - 1), "turns completed")
    state.turn = turn
    lay_ring(state, variant, given.get("cells", {}), pool)
    built = int(count_bits(state.built))
    if built > turn + BUILT_BEFORE[phase]:
        raise Refused(
            f"{WHOLE}, turn: at most one tile is built a turn; tiles on the ring: {built}, turns completed: {turn}"
        )
    share_oinks(state, variant, given)
    deal_untold(state, variant, given, pool, seed)
    tile = last_tile(state)
    if phase == MOVE and not v.weight[tile]:
        raise Refused(
            f"{WHOLE}, hand: a tile without insignias moves nothing, and needs no decision; begin with the next turn"
        )
    resume(states, variant.packed)
    return states


def lay_ring(state: Any, variant: Variant, cells: Any, pool: Pool) -> None:
    """The tiles of the ring and the Oinks on them; refused if they cannot have been built."""
    names, v = names_of_cells(variant.side), variant.packed[0]
    for name, told in entries(f"{WHOLE}, cells", cells, names).items():
        where, c = f"{WHOLE}, cell {name}", names.index(name)
        cell = entries(where, told, ON_CELL)
        if "tile" not in cell:
            raise Refused(f"{where}: the tile is missing; a cell without a tile is left out")
        kind = pool.take(where, cell["tile"])[0]
        state.board[c] = kind
        state.built |= np.uint32(1 << c)
        for e, n in enumerate(counters(f"{where}, oinks", cell.get("oinks", ""), ELEMENTS)):
            state.oinks[c, e] = n
            if v.insignias[kind, e]:
                state.bears[e] |= np.uint32(1 << c)
    check_ring([c for c in range(len(names)) if state.board[c] != NONE], state, variant)


def check_ring(built: list[int], state: Any, variant: Variant) -> None:
    """Refuse a ring that cannot have been built: tiles that do not hang together, or do not match."""
    names, tiles, v = names_of_cells(variant.side), list(variant.deck), variant.packed[0]
    if built and not any(int(v.first) >> c & 1 for c in built):
        raise Refused(
            f"{WHOLE}, cell {names[built[0]]}: the first tile goes beside the inside of the ring, so this one cannot lie alone"
        )
    reached = set(built[:1])
    fresh = list(reached)
    while fresh:
        near = int(v.near[fresh.pop()])
        beside = {c for c in built if near >> c & 1} - reached
        reached |= beside
        fresh += beside
    for c in built:
        if c not in reached:
            raise Refused(
                f"{WHOLE}, cell {names[c]}: built tiles hang together, and no built neighbours lead from this one to {names[built[0]]}"
            )
    if variant.build_match == "any" or variant.replace == "free":
        return  # neighbours need not share an element then
    for c, near in ((c, int(v.near[c])) for c in built):
        for d in built[: built.index(c)]:
            one, other = state.board[c], state.board[d]
            if near >> d & 1 and not v.elements[one] & v.elements[other]:
                raise Refused(
                    f"{WHOLE}, cell {names[c]}: {tiles[one]} shares no element with {tiles[other]} on {names[d]}, as built neighbours do"
                )


def share_oinks(state: Any, variant: Variant, given: Mapping[str, Any]) -> None:
    """The Oinks of gate and void; the supply holds the rest."""
    pools = {name: counters(f"{WHOLE}, {name}", given.get(name, ""), ELEMENTS) for name in ("gate", "void")}
    for e, element in enumerate(ELEMENT_NAMES):
        out = sum(int(n) for n in state.oinks[:, e]) + pools["gate"][e] + pools["void"][e]
        supply = int(state.supply[e])
        if out > supply:
            raise Refused(f"{WHOLE}: {out} {element} Oinks lie in gate, void and on tiles; there are {supply} in all")
        state.supply[e] = supply - out
        state.gate[e], state.void[e] = pools["gate"][e], pools["void"][e]


def deal_untold(state: Any, variant: Variant, given: Mapping[str, Any], pool: Pool, seed: int) -> None:
    """The hand and every tile that is not on the ring: those that are told, then the others at random."""
    v, phase, turn = variant.packed[0], int(state.phase), int(state.turn)
    key = derive_exact(seed, UNTOLD)
    drawn = int(v.set_up) + (0 if phase == KEEP else HAND * (turn + 1))
    sizes = {
        "hand": IN_HAND[phase] or int(v.set_up),
        "set_up": 0 if phase == KEEP else int(v.set_up),
        "stack": int(v.tiles) - drawn,
    }
    told: dict[str, list[int]] = {}
    if "hand" in given:
        where = f"{WHOLE}, hand"
        told["hand"] = [kind for tile in items(where, given["hand"]) for kind in pool.take(where, tile)]
    elif phase in (BUILD, MOVE):
        raise Refused(
            f"{WHOLE}: the hand is missing; at the phase {KINDS[phase]} it has {sizes['hand']} of the turn's tiles"
        )
    for name in ("set_up", "stack"):
        if name in given:
            told[name] = pool.take_tally(f"{WHOLE}, {name}", given[name])
    for name, kinds in told.items():
        if len(kinds) != sizes[name]:
            raise Refused(
                f"{WHOLE}, {name}: tiles told: {len(kinds)}; there are {sizes[name]} at the phase {KINDS[phase]} with turns completed: {turn}"
            )
    left = shuffled_exact(pool.rest(), derive_exact(key, 0))
    for name, size in sizes.items():
        if name not in told:
            told[name], left = left[:size], left[size:]
    ring = [int(kind) for kind in state.board if kind != NONE]
    stack = shuffled_exact(told["stack"], derive_exact(key, 1))
    order = [*told["set_up"], *ring, *left, *told["hand"], *stack]
    state.deck[: len(order)] = order
    state.hand[: sizes["hand"]] = told["hand"]
    state.drawn = drawn
    if phase != KEEP:
        state.aside = v.set_up - 1
        state.discarded = 1 + len(left)


@loop
def blank(states, variants):
    """Every field as it stands before anything is drawn."""
    clear(states[0], variants[0])


@loop
def resume(states, variants):
    """Find what there is to decide in a position that has been written into a state."""
    state = states[0]
    variant = variants[0]
    if state.phase == MOVE:
        begin_move(state, variant)
        next_insignia(state)
    find_options(state, variant)


# --- Notation ---------------------------------------------------------------------------------------------------


def text(variant: Variant, state: Any, action: int) -> str:
    """The action as records write it: `keep FW`, `gain FFW`, `build FA@B`, `replace W@D`, `refuse FWE`, `move F A>B`."""
    tiles, cells = list(variant.deck), names_of_cells(variant.side)
    verb, e, what, target = action >> 24, action >> 16 & 255, action >> 8 & 255, action & 255
    if verb == DO_MOVE:
        return f"move {ELEMENTS[e]} {'gate' if what == GATE else cells[what]}>{cells[target]}"
    name = {DO_KEEP: "keep", DO_GAIN: "gain", DO_BUILD: "build", DO_REPLACE: "replace", DO_REFUSE: "refuse"}[verb]
    return f"{name} {tiles[what]}@{cells[target]}" if verb in (DO_BUILD, DO_REPLACE) else f"{name} {tiles[what]}"


def chance_from_tape(variant: Variant, tape: list[int]) -> list[str]:
    """The luck that a tape holds as records write it: the shuffled deck, first drawn first."""
    tiles = list(variant.deck)
    return [tiles[k] for k in tape[2:]]


def tape_from_chance(variant: Variant, chance: Any) -> list[int]:
    """The tape that a record's `chance` stands for; anything but an order of the very deck is refused."""
    deck = variant.deck
    if not isinstance(chance, list):
        raise Refused("chance: a list of tiles is needed, the shuffled deck, first drawn first")
    for place, tile in enumerate(chance, 1):
        if not isinstance(tile, str) or tile not in deck:
            raise Refused(f"chance: tile {place} is {shown(tile)}, which is not in the deck")
    for tile, copies in deck.items():
        if chance.count(tile) != copies:
            raise Refused(
                f"chance: {tile} stands {chance.count(tile)} times in the shuffled deck, which has {copies} of it"
            )
    numbers = {tile: kind for kind, tile in enumerate(deck)}
    return [0, len(chance), *(numbers[tile] for tile in chance)]


MOST_CHANCE = MOST_TILES + 2  # entries that one play or the start can add to a tape

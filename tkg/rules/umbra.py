"""Umbra Via: players bid flowers in secret for path tiles, place what they win, and summon the paths that close.

Source: the published Korean rule text. Where it is silent or can be read in two ways, the readings below say what
was chosen. Clauses: U-D1 bid, U-D2 place, U-D3 scatter, U-D4 void, E end.

The board at side 4, cells in reading order, the central ones in brackets; openings of a tile are north, east, south, west:

    A  B  C  D
    E [F][G] H
    I [J][K] L
    M  N  O  P
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb
from typing import Any, NamedTuple

import numpy as np

from tkg.rules.bits import bits, count_bits, count_wide, nth_wide
from tkg.rules.cells import cell_names
from tkg.rules.chance import (
    CHANCE,
    IMPOSSIBLE,
    UNTOLD,
    below,
    deal,
    derive,
    derive_exact,
    event,
    fold,
    mix,
    reads,
    refuse,
    shuffled_exact,
)
from tkg.rules.errors import Refused
from tkg.rules.kernel import kernel, loop, records, routine
from tkg.rules.knobs import Number, Reading, TileSet, Variant, shown
from tkg.rules.positions import (
    GAME_OVER,
    WHOLE,
    Pool,
    counters,
    entries,
    items,
    number_told,
    one_of,
    phase_of,
    something,
    written,
)

NAME = "umbra"
TITLE = "Umbra Via"

# --- Knobs and readings -----------------------------------------------------------------------------------


class Tiles(NamedTuple):
    """How many path tiles of each kind."""

    straight: int
    curve: int
    tee: int
    point: int
    void: int
    block: int


TILE_KINDS = Tiles._fields
REFERENCE = Tiles(straight=5, curve=6, tee=6, point=0, void=0, block=0)

TILES = TileSet(
    "tiles",
    REFERENCE,
    0,
    100,
    "tiles",
    "how many of each path tile",
    "Components, Special tiles",
    "The set of path tiles is a stand-in: the published text counts 20 tiles and three special kinds, but not how many of "
    "each. Replace it by the real set if you own the game.",
)
KNOBS = (
    Number("players", 2, 2, 4, "players", "players, each with a seat", "Players"),
    Number("side", 4, 3, 6, "cells", "cells along a side of the board", "Components"),
    TILES,
    Number("altar", 4, 2, 6, "tiles", "tiles laid out for a round", "Phase 1"),
    Number(
        "energy",
        33,
        1,
        255,
        "flowers",
        "energy flowers of each player, one of which is the tiebreaker marker",
        "Set-up",
    ),
    Number("soul", 17, 1, 255, "flowers", "soul flowers of each player", "Set-up"),
    Number(
        "soul_on_tile",
        11,
        1,
        "soul",
        "flowers",
        "soul flowers that begin on the player's soul tile; the rest is in the bag",
        "Set-up",
    ),
    Number("draw", 3, 1, 6, "flowers", "flowers drawn and bid in one bidding", "Phase 2"),
    Number("biddings", 2, 1, 4, "biddings", "biddings in a round", "Phase 2"),
    Number("soul_worth", 2, 1, 9, "points", "what a soul flower counts in a bid; an energy flower counts 1", "Phase 2"),
    Number(
        "claim_length", 2, 1, 9, "tiles", "tiles that a path needs for its first rank to claim the soul tile", "End"
    ),
    Number(
        "tile_worth", 2, 1, 9, "flowers", "flowers that the soul tile counts as, see the reading claim", "Set-up, End"
    ),
    Number(
        "max_rounds",
        200,
        1,
        30_000,
        "rounds",
        "rounds after which a simulated game is stopped and called unfinished; no rule of the game",
        "none",
    ),
)
READINGS = (
    Reading("halving", ("up", "down"), "how half a reward is rounded", "Summoning"),
    Reading("half_of", ("due", "paid"), "the next rank gets half of the reward above it; or half of what the soul tile above could still pay", "Summoning"),
    Reading("rank_tie", ("track", "share"), "level on a path: ranks are settled one by one by the track; or level players all get the reward of the best rank among them, and the ranks they fill are used up", "Summoning"),
    Reading("scatter", ("together", "split"), "the flowers on a point go to one neighbouring tile; or each on its own", "Special tiles"),
    Reading("claim", ("exact", "any", "empty"), "what is left of a reward once the flowers on the tile are paid must be the tile's worth; or the tile must be empty once the reward is paid; or have been empty before", "End"),
    Reading("reward", ("tiles", "energy"), "the first rank gets a soul flower for every tile of the path; or for every energy flower of that player on it", "Summoning"),
    Reading("placing", ("adjacent", "anywhere"), "a tile must share an edge with a placed one; or goes on any empty cell", "Phase 3"),
    Reading("order_by", ("flowers", "value"), "placement goes from the tile with the fewest flowers; or with the lowest total bid", "Phase 3"),
)  # fmt: skip
DECLARED = (*KNOBS, *READINGS)


def with_specials(settings: Mapping[str, Any]) -> dict[str, Any]:
    """`specials=True` adds one of each special tile to the set."""
    rest = dict(settings)
    wanted = rest.pop("specials")
    if not isinstance(wanted, bool):
        raise Refused(f"specials={shown(wanted)}: true or false")
    if wanted:
        given = TILES.read(rest.get("tiles", REFERENCE))
        rest["tiles"] = given._replace(point=given.point + 1, void=given.void + 1, block=given.block + 1)
    return rest


SHORTHANDS: dict[str, Any] = {"specials": with_specials}

UP, DOWN = 0, 1
DUE, PAID = 0, 1
TRACK_FIRST, SHARE = 0, 1
TOGETHER, SPLIT = 0, 1
EXACT, ANY, EMPTY = 0, 1, 2
BY_TILES, BY_ENERGY = 0, 1
ADJACENT, ANY_CELL = 0, 1
BY_FLOWERS, BY_VALUE = 0, 1

MOST_PLAYERS = 4
MOST_CELLS = 36
MOST_ALTAR = 6
MOST_DRAW = 6
MOST_TILES = 600
NONE = -1

# A path tile is its openings as bits; the special tiles are numbers above those.
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
POINT, VOID, BLOCK = 16, 17, 18
ORIENTATIONS = ((5, 10), (3, 6, 12, 9), (7, 14, 13, 11), (POINT,), (VOID,), (BLOCK,))  # by kind

VARIANT = np.dtype(
    [
        ("players", "i2"),
        ("side", "i2"),
        ("cells", "i2"),
        ("tiles", "i2", 6),  # by kind
        ("set_size", "i2"),
        ("altar", "i2"),
        ("energy", "i2"),
        ("soul", "i2"),
        ("soul_on_tile", "i2"),
        ("draw", "i2"),
        ("biddings", "i2"),
        ("soul_worth", "i2"),
        ("claim_length", "i2"),
        ("tile_worth", "i2"),
        ("max_rounds", "i2"),
        ("halving", "i2"),
        ("half_of", "i2"),
        ("rank_tie", "i2"),
        ("scatter", "i2"),
        ("claim", "i2"),
        ("reward", "i2"),
        ("placing", "i2"),
        ("order_by", "i2"),
        ("turns", "i2", 6),  # orientations of a kind
        ("openings", "i2", (6, 4)),  # by kind and orientation
        ("kind_of", "i2", 19),  # by openings, or the number of a special tile
        ("board", "i8"),  # a bit for every cell
        ("centre", "i8"),  # the central cells
        ("edges", "i8", 4),  # cells without a neighbour north, east, south, west
        ("near", "i8", MOST_CELLS),  # cells that share an edge with a cell
        ("ways", "i4", (MOST_ALTAR + 1, MOST_DRAW + 1)),  # to divide so many flowers among so many tiles
    ]
)


def pack(variant: Variant) -> np.ndarray:
    """The variant as an array of one VARIANT record."""
    packed = records(VARIANT)
    v = packed[0]
    side = variant.side
    for knob in KNOBS:
        if knob.name != "tiles":
            v[knob.name] = variant[knob.name]
    for reading in READINGS:
        v[reading.name] = reading.options.index(variant[reading.name])
    v.cells, v.board = side * side, bits(range(side * side))
    v.tiles[:], v.set_size = variant.tiles, sum(variant.tiles)
    for kind, turned in enumerate(ORIENTATIONS):
        v.turns[kind] = len(turned)
        v.openings[kind, : len(turned)] = turned
        for openings in turned:
            v.kind_of[openings] = kind
    middle = (side // 2,) if side % 2 else (side // 2 - 1, side // 2)
    v.centre = bits(r * side + c for r in middle for c in middle)
    v.edges[:] = [
        bits(range(side)),
        bits(range(side - 1, side * side, side)),
        bits(range(side * (side - 1), side * side)),
        bits(range(0, side * side, side)),
    ]
    for cell in range(side * side):
        row, column = divmod(cell, side)
        around = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
        v.near[cell] = bits(r * side + c for r, c in around if 0 <= r < side and 0 <= c < side)
    for places in range(MOST_ALTAR + 1):
        for flowers in range(MOST_DRAW + 1):
            v.ways[places, flowers] = comb(flowers + places - 1, flowers) if places else int(flowers == 0)
    return packed


def check(variant: Variant) -> None:
    """Every combination of settings can be played."""


def warnings(variant: Variant) -> list[str]:
    """Why games of the variant cannot be won, or get stuck."""
    found, tiles, cells = [], variant.tiles, variant.side**2
    paths = tiles.straight + tiles.curve + tiles.tee
    longest = min(paths, cells)
    if longest < variant.claim_length:
        found.append(
            f"No soul tile can be claimed: it takes a path of {variant.claim_length} tiles, and none can have more than {longest}."
        )
    elif variant.claim == "exact" and variant.reward == "tiles" and longest < variant.tile_worth:
        found.append(
            f"No soul tile can be claimed: what is left of a reward must be {variant.tile_worth}, and no path has more than "
            f"{longest} tiles."
        )
    if not tiles.void and not tiles.block and paths + tiles.point <= cells:
        found.append(
            f"Games can get stuck: the board of {cells} cells holds all {paths + tiles.point} tiles, so that none may be left to "
            "lay out. Such games are counted as stuck."
        )
    bag = variant.energy - 1 + variant.soul - variant.soul_on_tile
    if bag < variant.draw * variant.biddings:
        found.append(
            f"Bags run short at once: {bag} flowers in each, and {variant.draw * variant.biddings} are to be drawn in a round."
        )
    return found


# --- State --------------------------------------------------------------------------------------------------

BID, PLACE, SCATTER, VOID_CELL, OVER = 0, 1, 2, 3, 4  # the decision at hand
KINDS = ("bid", "place", "scatter", "void")  # of decisions, in this order

STATE = np.dtype(
    [
        ("phase", "i2"),
        ("ending", "i2"),  # an index into ENDINGS
        ("decider", "i2"),
        ("rounds", "i2"),  # begun
        ("bidding", "i2"),  # biddings completed in this round
        ("track", "i2", MOST_PLAYERS),  # seats, best first
        ("track_start", "i2", MOST_PLAYERS),  # by seat: the place on the track at the beginning, from 1
        ("energy", "i2", MOST_PLAYERS),  # in the bag
        ("soul", "i2", MOST_PLAYERS),  # in the bag
        ("soul_tile", "i2", MOST_PLAYERS),  # on the soul tile
        ("hand", "i2", (MOST_PLAYERS, 2)),  # drawn and not yet revealed: energy, soul
        ("bid", "i8", MOST_PLAYERS),  # the bid of a seat that has decided, three bits for each amount
        ("claimed", "i2"),  # a bit for every seat that has claimed its soul tile
        # the altar
        ("laid", "i2"),  # places of the altar with a tile at the beginning of the round
        ("altar", "i2", MOST_ALTAR),  # the tile on each, or NONE
        ("flowers", "i2", (MOST_ALTAR, MOST_PLAYERS, 2)),  # on the tiles: energy, soul
        ("biddable", "i2"),  # a bit for every place that can be bid on
        ("place", "i2"),  # the one whose tile is being placed
        # the board
        ("board", "i2", MOST_CELLS),  # the tile on each cell, or NONE
        ("tiles", "i8"),  # a bit for every cell with a tile
        ("opens", "i8", 4),  # cells whose tile opens north, east, south, west
        ("on", "i2", (MOST_CELLS, MOST_PLAYERS)),  # energy flowers, also waiting on empty cells
        ("spot", "i2"),  # where the tile was placed
        # the stack
        ("stack", "i1", MOST_TILES),  # kinds; `stack[drawn:stacked]` are left
        ("drawn", "i2"),
        ("stacked", "i2"),
        ("discard", "i2", 6),  # by kind
        ("shuffles", "i2"),
        ("luck", "u8"),  # from which luck to come is drawn
        # the legal options of the decision at hand, found once when it comes up
        ("options", "i4"),  # how many
        ("targets", "i8"),  # a bit for every cell that may be chosen
        ("form", "i2"),  # which bids are options: ANY_BID by the rules, others for players who restrict themselves
        # counted
        ("soul_gained", "i2", MOST_PLAYERS),
        ("soul_spent", "i2", MOST_PLAYERS),
        ("tiles_won", "i4", MOST_PLAYERS),
        ("firsts", "i4", MOST_PLAYERS),
        ("track_wins", "i4", MOST_PLAYERS),
        ("summonings", "i4"),
        ("longest_path", "i2"),
        ("path_tiles", "i4"),  # of all summonings
        ("unranked", "i4"),  # summonings of paths without energy
        ("paid", "i4", MOST_PLAYERS),  # by rank: flowers paid
        ("ranked", "i4", MOST_PLAYERS),  # by rank: how often it was held
        ("bid_ties", "i4"),  # tiles won by the track
        ("leader", "i2"),  # who has fewest flowers on the soul tile; NONE if nobody has, alone
        ("led_last", "i2"),
        ("lead_since", "i2"),  # the round in which that became so
        ("lead_changes", "i2"),
        ("lead_rounds", "i2", MOST_PLAYERS),  # rounds in the lead, before `lead_since`
    ]
)

# An action is a verb and what it does it with: a bid's amounts, three bits each, or a cell.
DO_BID, DO_PLACE, DO_SCATTER, DO_VOID = 1, 2, 3, 4
STAY = 63
VERB_AT = 40
ENERGY, SOUL = 0, 1


# Forms of a bid.
ANY_BID, SPREAD, LUMP = 0, 1, 2


@kernel
def action_of(verb, what):
    return np.int64(verb) << VERB_AT | what


@kernel
def amount(bid, place, flower):
    """How many flowers of a sort a bid has for a place of the altar."""
    return bid >> 6 * place + 3 * flower & 7


# --- Start ----------------------------------------------------------------------------------------------------

THE_TRACK, A_STACK, AN_ALTAR, A_DRAW = 0, 1, 2, 3  # purposes of chance


@kernel
def start(state, variant, seed, tape):
    """Set up to the first bid: the tiebreaker track, bags, and the shuffled tiles."""
    begin(state, variant, seed, tape)


@routine
def begin(state, variant, seed, tape):
    clear(state, variant)
    state.luck = derive(seed, CHANCE)
    deal(state.track, 0, variant.players, variant.players, derive(state.luck, THE_TRACK), THE_TRACK, tape)
    for place in range(variant.players):
        state.track_start[state.track[place]] = place + 1
    for kind in range(6):
        state.discard[kind] = variant.tiles[kind]
    shuffle_under(state, variant, tape)
    begin_round(state, variant, tape)


@kernel
def clear(state, variant):
    """Every field as it stands before anything is drawn, whatever the record held before."""
    for s in range(MOST_PLAYERS):
        sits = s < variant.players
        state.track[s] = s if sits else NONE
        state.track_start[s] = 0
        state.energy[s] = np.int64(variant.energy) - 1 if sits else 0
        state.soul[s] = np.int64(variant.soul) - variant.soul_on_tile if sits else 0
        state.soul_tile[s] = variant.soul_on_tile if sits else 0
        state.bid[s] = 0
        state.soul_gained[s] = 0
        state.soul_spent[s] = 0
        state.tiles_won[s] = 0
        state.firsts[s] = 0
        state.track_wins[s] = 0
        state.paid[s] = 0
        state.ranked[s] = 0
        state.lead_rounds[s] = 0
        for flower in range(2):
            state.hand[s, flower] = 0
    for place in range(MOST_ALTAR):
        state.altar[place] = NONE
        for s in range(MOST_PLAYERS):
            for flower in range(2):
                state.flowers[place, s, flower] = 0
    for cell in range(MOST_CELLS):
        state.board[cell] = NONE
        for s in range(MOST_PLAYERS):
            state.on[cell, s] = 0
    for i in range(4):
        state.opens[i] = 0
    for i in range(MOST_TILES):
        state.stack[i] = NONE
    for kind in range(6):
        state.discard[kind] = 0
    state.phase = BID
    state.ending = NOT_OVER
    state.decider = 0
    state.rounds = 0
    state.bidding = 0
    state.claimed = 0
    state.laid = 0
    state.biddable = 0
    state.place = NONE
    state.tiles = 0
    state.spot = NONE
    state.drawn = 0
    state.stacked = 0
    state.shuffles = 0
    state.options = 0
    state.targets = 0
    state.form = ANY_BID
    state.summonings = 0
    state.longest_path = 0
    state.path_tiles = 0
    state.unranked = 0
    state.bid_ties = 0
    state.leader = NONE
    state.led_last = NONE
    state.lead_since = 0
    state.lead_changes = 0


# --- Phase 1: the altar -----------------------------------------------------------------------------------------


@routine
def shuffle_under(state, variant, tape):
    """Shuffle the discard pile under what is left of the stack."""
    n = 0
    for i in range(state.drawn, state.stacked):
        state.stack[n] = state.stack[i]
        n += 1
    kept = n
    for kind in range(6):
        for _ in range(state.discard[kind]):
            state.stack[n] = kind
            n += 1
        state.discard[kind] = 0
    state.drawn = 0
    state.stacked = n
    key = derive(derive(state.luck, A_STACK), np.int64(state.shuffles))
    deal(state.stack, kept, n, n, key, A_STACK, tape)
    state.shuffles += 1


@kernel
def discarded(state):
    n = np.int64(0)
    for kind in range(6):
        n += state.discard[kind]
    return n


@kernel
def lay_out(state, variant, tape):
    """Lay out tiles from the stack, each in a random one of its orientations."""
    if np.int64(state.stacked) - state.drawn < variant.altar and discarded(state) > 0:
        shuffle_under(state, variant, tape)
    n = min(np.int64(variant.altar), np.int64(state.stacked) - state.drawn)
    key = derive(derive(state.luck, AN_ALTAR), np.int64(state.rounds))
    reading = reads(tape)
    at = event(tape, AN_ALTAR, n)
    state.laid = n
    state.biddable = 0
    for place in range(n):
        kind = np.int64(state.stack[state.drawn + place])
        turned = below(key, place, np.int64(variant.turns[kind]))
        if reading and at >= 0:
            turned = orientation(variant, kind, tape[at + place])
            if turned == NONE:
                refuse(tape, at)
                return
        tile = np.int64(variant.openings[kind, turned])
        state.altar[place] = tile
        if not reading and at >= 0:
            tape[at + place] = tile
        if tile != BLOCK:
            state.biddable |= 1 << place
    state.drawn += n


@kernel
def orientation(variant, kind, openings):
    """Which orientation of a kind of tile has these openings, NONE if none has."""
    for turned in range(variant.turns[kind]):
        if variant.openings[kind, turned] == openings:
            return turned
    return NONE


@routine
def begin_round(state, variant, tape):
    """Phase 1, and phase 2 up to the first bid; rounds in which nothing can be bid on pass by."""
    while state.phase != OVER:
        state.rounds += 1
        lay_out(state, variant, tape)
        if state.laid == 0:
            end_game(state, STUCK)
        elif state.biddable:
            state.bidding = 0
            begin_bidding(state, variant, tape)
            return
        else:
            for place in range(state.laid):
                discard_tile(state, variant, place)
            if state.rounds >= variant.max_rounds:
                end_game(state, UNFINISHED)
        if tape.size > 0 and tape[0] >= IMPOSSIBLE:
            return


@kernel
def discard_tile(state, variant, place):
    """Put the tile on a place of the altar on the discard pile."""
    state.discard[variant.kind_of[state.altar[place]]] += 1
    state.altar[place] = NONE


@kernel
def end_game(state, ending):
    state.phase = OVER
    state.ending = ending
    state.options = 0
    state.targets = 0


# --- Phase 2: bids ----------------------------------------------------------------------------------------------


@kernel
def begin_bidding(state, variant, tape):
    """Each player draws flowers from the bag."""
    for s in range(variant.players):
        draw_flowers(state, variant, s, tape)
        state.bid[s] = 0
    state.decider = 0
    state.phase = BID
    count_bids(state, variant)


@routine
def draw_flowers(state, variant, s, tape):
    """Draw a hand at random, all that is left if the bag holds fewer."""
    energy, soul = np.int64(state.energy[s]), np.int64(state.soul[s])
    n = min(np.int64(variant.draw), energy + soul)
    number = (np.int64(state.rounds) * 4 + state.bidding) * 4 + s
    key = derive(derive(state.luck, A_DRAW), number)
    reading = reads(tape)
    at = event(tape, A_DRAW, 3)
    souls = np.int64(0)
    if reading and at >= 0:
        souls = np.int64(tape[at + 2])
        if tape[at] != s or tape[at + 1] + souls != n or not (0 <= souls <= soul and 0 <= tape[at + 1] <= energy):
            refuse(tape, at)
            return
    else:
        for i in range(n):
            souls += below(key, i, energy + soul - i) >= energy - (i - souls)
    if not reading and at >= 0:
        tape[at] = s
        tape[at + 1] = n - souls
        tape[at + 2] = souls
    state.hand[s, ENERGY] = n - souls
    state.hand[s, SOUL] = souls
    state.energy[s] = energy - (n - souls)
    state.soul[s] = soul - souls


@kernel
def count_bids(state, variant):
    """U-D1: ways to divide the hand's energy among the tiles, times those to divide its soul flowers."""
    places = count_bits(state.biddable)
    s = np.int64(state.decider)
    state.form = ANY_BID
    state.options = np.int64(variant.ways[places, state.hand[s, ENERGY]]) * variant.ways[places, state.hand[s, SOUL]]


@kernel
def nth_bid(state, variant, k):
    """The k-th bid: a division of the energy and one of the soul flowers, each option exactly once."""
    s = np.int64(state.decider)
    places = count_bits(state.biddable)
    ways = np.int64(variant.ways[places, state.hand[s, SOUL]])
    return division(state, variant, np.int64(state.hand[s, ENERGY]), k // ways, ENERGY) | division(
        state, variant, np.int64(state.hand[s, SOUL]), k % ways, SOUL
    )


@kernel
def has_form(state, bid):
    """Whether a bid is spread over as many tiles as it can be, or lumped on one."""
    flowers, tiles = np.int64(0), 0
    for place in range(state.laid):
        n = amount(bid, place, ENERGY) + amount(bid, place, SOUL)
        flowers += n
        tiles += n > 0
    return tiles == min(flowers, 1 if state.form == LUMP else count_bits(state.biddable))


@routine
def keep_form(state, variant, form):
    """Leave only the bids of a form as options; there always are some."""
    state.form = form
    n = 0
    for k in range(state.options):
        n += has_form(state, nth_bid(state, variant, k))
    state.options = n


@routine
def nth_of_form(state, variant, k):
    """The k-th bid among those of the form."""
    i = np.int64(0)
    while True:
        bid = nth_bid(state, variant, i)
        if has_form(state, bid):
            if k == 0:
                return bid
            k -= 1
        i += 1


@kernel
def division(state, variant, n, k, flower):
    """The k-th way to divide n flowers among the tiles: by what the first gets, most first, then the next."""
    found = np.int64(0)
    left = count_bits(state.biddable)
    for place in range(state.laid):
        if state.biddable >> place & 1:
            left -= 1
            mine = n
            while k >= variant.ways[left, n - mine]:
                k -= variant.ways[left, n - mine]
                mine -= 1
            found |= mine << 6 * place + 3 * flower
            n -= mine
    return found


@kernel
def make_bid(state, variant, bid, tape):
    """A seat has decided; after the last one the flowers go to the tiles."""
    state.bid[state.decider] = bid
    state.decider += 1
    if state.decider < variant.players:
        count_bids(state, variant)
        return
    for s in range(variant.players):
        for flower in range(2):
            state.hand[s, flower] = 0
            for place in range(state.laid):
                state.flowers[place, s, flower] += amount(np.int64(state.bid[s]), place, flower)
        state.bid[s] = 0
    state.bidding += 1
    if state.bidding < variant.biddings:
        begin_bidding(state, variant, tape)
    else:
        for place in range(state.laid):
            if not state.biddable >> place & 1 or flowers_on(state, variant, place, 1) == 0:
                discard_tile(state, variant, place)
        next_tile(state, variant, tape)


@kernel
def flowers_on(state, variant, place, worth):
    """The flowers on a tile of the altar, soul flowers counted `worth` times."""
    n = np.int64(0)
    for s in range(variant.players):
        n += state.flowers[place, s, ENERGY] + worth * np.int64(state.flowers[place, s, SOUL])
    return n


# --- Phase 3: placement -----------------------------------------------------------------------------------------


@kernel
def tile_due(state, variant):
    """The place of the altar whose tile comes next, NONE if none is left (`order_by`)."""
    worth = np.int64(variant.soul_worth) if variant.order_by == BY_VALUE else 1
    least, due = np.int64(1 << 30), NONE
    for place in range(state.laid):
        if state.altar[place] != NONE:
            n = flowers_on(state, variant, place, worth)
            if n < least:
                least, due = n, place
    return due


@kernel
def to_end_of_track(state, variant, s):
    """The marker of a seat goes to the end of the track."""
    place = 0
    while state.track[place] != s:
        place += 1
    for i in range(place, variant.players - 1):
        state.track[i] = state.track[i + 1]
    state.track[variant.players - 1] = s
    state.track_wins[s] += 1


@kernel
def winner_of(state, variant, place):
    """Whose bid on a tile is worth most; level players are separated by the track."""
    best, winner, level = np.int64(-1), np.int64(NONE), False
    for i in range(variant.players):
        s = np.int64(state.track[i])
        value = state.flowers[place, s, ENERGY] + np.int64(variant.soul_worth) * state.flowers[place, s, SOUL]
        if value > best:
            best, winner, level = value, s, False
        elif value == best:
            level = True
    if level:
        state.bid_ties += 1
        to_end_of_track(state, variant, winner)
    return winner


@kernel
def legal_cells(state, variant):
    """Where a tile may be placed (U-D2), as bits."""
    empty = np.int64(variant.board) & ~np.int64(state.tiles)
    if state.tiles == 0:
        return np.int64(variant.centre)
    if variant.placing == ANY_CELL:
        return empty
    tiles, side = np.int64(state.tiles), np.int64(variant.side)
    near = tiles >> side | tiles << side
    near |= (tiles & ~np.int64(variant.edges[1])) << 1 | (tiles & ~np.int64(variant.edges[3])) >> 1
    return near & empty


@kernel
def offer_cells(state, variant):
    """Where the tile that is due may go (U-D2, U-D4); False if nowhere."""
    void = state.altar[state.place] == VOID
    targets = np.int64(variant.board) & ~np.int64(state.tiles) if void else legal_cells(state, variant)
    if targets == 0:
        return False
    state.phase = VOID_CELL if void else PLACE
    state.targets = targets
    state.options = count_wide(targets)
    return True


@routine
def next_tile(state, variant, tape):
    """Find the winner of the next tile and where it may go; tiles that go nowhere are discarded."""
    while True:
        place = tile_due(state, variant)
        state.place = place
        if place == NONE:
            if state.rounds >= variant.max_rounds:
                end_game(state, UNFINISHED)
            else:
                begin_round(state, variant, tape)
            return
        winner = winner_of(state, variant, place)
        state.decider = winner
        state.tiles_won[winner] += 1
        for s in range(variant.players):
            state.soul_spent[s] += state.flowers[place, s, SOUL]
            state.flowers[place, s, SOUL] = 0
        if offer_cells(state, variant):
            return
        for s in range(variant.players):
            state.energy[s] += state.flowers[place, s, ENERGY]
            state.flowers[place, s, ENERGY] = 0
        discard_tile(state, variant, place)


@kernel
def energy_to_cell(state, variant, cell):
    """The energy flowers on the tile that is being placed join those that wait on a cell."""
    for s in range(variant.players):
        state.on[cell, s] += state.flowers[state.place, s, ENERGY]
        state.flowers[state.place, s, ENERGY] = 0


@kernel
def put_tile(state, variant, cell, tape):
    """Put the tile on the board (U-D2)."""
    tile = np.int64(state.altar[state.place])
    here = np.int64(1) << cell
    energy_to_cell(state, variant, cell)
    state.board[cell] = tile
    state.tiles |= here
    state.altar[state.place] = NONE
    state.spot = cell
    if tile == POINT:
        begin_scatter(state, variant, tape)
        return
    for side in range(4):
        if tile >> side & 1:
            state.opens[side] |= here
    summon_all(state, variant, tape)


@kernel
def energy_on(state, variant, cell):
    n = np.int64(0)
    for s in range(variant.players):
        n += state.on[cell, s]
    return n


@kernel
def begin_scatter(state, variant, tape):
    """U-D3: stay, or a tile that shares an edge with the point; under `split` as long as there is energy on it."""
    if variant.scatter == SPLIT and energy_on(state, variant, state.spot) == 0:
        summon_all(state, variant, tape)
        return
    offer_scatter(state, variant)


@kernel
def offer_scatter(state, variant):
    """Where energy on the point may go (U-D3)."""
    state.phase = SCATTER
    state.targets = np.int64(variant.near[state.spot]) & np.int64(state.tiles)
    state.options = 1 + count_wide(state.targets)


@kernel
def scatter(state, variant, cell, tape):
    """Move energy off the point: all of it, or under `split` one flower of the first seat that has any there."""
    if cell == STAY:
        summon_all(state, variant, tape)
        return
    for s in range(variant.players):
        n = np.int64(state.on[state.spot, s])
        moved = min(n, 1) if variant.scatter == SPLIT else n
        state.on[cell, s] += moved
        state.on[state.spot, s] -= moved
        if variant.scatter == SPLIT and moved:
            begin_scatter(state, variant, tape)
            return
    summon_all(state, variant, tape)


# --- Summoning --------------------------------------------------------------------------------------------------


@kernel
def path_of(state, variant, cell):
    """The cells of the path through a cell, as bits; none for a cell without a path tile."""
    side = np.int64(variant.side)
    north, east, south, west = (
        np.int64(state.opens[0]),
        np.int64(state.opens[1]),
        np.int64(state.opens[2]),
        np.int64(state.opens[3]),
    )
    path = (np.int64(1) << cell) & (north | east | south | west)
    up, right = north & ~np.int64(variant.edges[0]), east & ~np.int64(variant.edges[1])
    down, left = south & ~np.int64(variant.edges[2]), west & ~np.int64(variant.edges[3])
    while True:
        more = path
        more |= (path & up) >> side & south | (path & down) << side & north
        more |= (path & right) << 1 & west | (path & left) >> 1 & east
        if more == path:
            return path
        path = more


@kernel
def is_complete(state, variant, path):
    """Whether no opening of the path leads to an empty cell."""
    empty, side = np.int64(variant.board) & ~np.int64(state.tiles), np.int64(variant.side)
    leaks = (path & np.int64(state.opens[0]) & ~np.int64(variant.edges[0])) >> side
    leaks |= (path & np.int64(state.opens[1]) & ~np.int64(variant.edges[1])) << 1
    leaks |= (path & np.int64(state.opens[2]) & ~np.int64(variant.edges[2])) << side
    leaks |= (path & np.int64(state.opens[3]) & ~np.int64(variant.edges[3])) >> 1
    return leaks & empty == 0


@routine
def summon_all(state, variant, tape):
    """Summon every path that is complete now: the one through the placed tile, then the others by their first cell."""
    spot = np.int64(state.spot)
    first = path_of(state, variant, spot)
    if first and not is_complete(state, variant, first):
        first = np.int64(0)
    # Only a path through the tile or beside it can have been completed by it.
    others = np.int64(0)
    near = np.int64(variant.near[spot])
    for cell in range(variant.cells):
        if near >> cell & 1 and not (first | others) >> cell & 1:
            path = path_of(state, variant, cell)
            if path and not path >> spot & 1 and is_complete(state, variant, path):
                others |= path
    if first:
        summon(state, variant, first)
    while others:
        path = np.int64(0)
        for cell in range(variant.cells):
            if others >> cell & 1:
                path = path_of(state, variant, cell)
                break
        others &= ~path
        summon(state, variant, path)
    note_lead(state, variant)
    if state.claimed:
        end_game(state, CLAIMED)
    else:
        next_tile(state, variant, tape)


@kernel
def half(variant, reward):
    return (reward + 1) // 2 if variant.halving == UP else reward // 2


@kernel
def pay(state, variant, s, due, rank, length):
    """Pay a reward from the soul tile into the bag, as far as it goes; a first rank may claim the tile. What was paid."""
    before = np.int64(state.soul_tile[s])
    paid = min(before, due)
    state.soul_tile[s] = before - paid
    state.soul[s] += paid
    state.soul_gained[s] += paid
    state.paid[rank] += paid
    state.ranked[rank] += 1
    if rank == 0:
        state.firsts[s] += 1
        if variant.claim == EXACT:
            claims = due - paid >= variant.tile_worth
        elif variant.claim == ANY:
            claims = paid == before
        else:
            claims = before == 0
        if claims and length >= variant.claim_length:
            state.claimed |= 1 << s
    return paid


@routine
def summon(state, variant, path):
    """Reward the players on a complete path by rank and clear it."""
    length = count_wide(path)
    state.summonings += 1
    state.path_tiles += length
    state.longest_path = max(np.int64(state.longest_path), length)
    energy = np.zeros(4, np.int64)
    for cell in range(variant.cells):
        if path >> cell & 1:
            for s in range(variant.players):
                energy[s] += state.on[cell, s]
                state.energy[s] += state.on[cell, s]
                state.on[cell, s] = 0
            state.discard[variant.kind_of[state.board[cell]]] += 1
            state.board[cell] = NONE
    state.tiles &= ~path
    for side in range(4):
        state.opens[side] &= ~path
    most = max(max(energy[0], energy[1]), max(energy[2], energy[3]))
    if most == 0:
        state.unranked += 1
    due = length if variant.reward == BY_TILES else most
    rank = 0
    while most > 0:
        level = 0
        first = np.int64(NONE)
        for i in range(variant.players):
            s = np.int64(state.track[i])
            if energy[s] == most:
                level += 1
                if first == NONE:
                    first = s
        if variant.rank_tie == SHARE:
            above = np.int64(0)
            for s in range(variant.players):
                if energy[s] == most:
                    above = max(above, pay(state, variant, s, due, rank, length))
                    energy[s] = 0
            taken = level
        else:
            if level > 1:
                to_end_of_track(state, variant, first)
            above = pay(state, variant, first, due, rank, length)
            energy[first] = 0
            taken = 1
        rank += taken
        if variant.half_of == PAID:
            due = above
        for _ in range(taken):
            due = half(variant, due)
        most = max(max(energy[0], energy[1]), max(energy[2], energy[3]))


@kernel
def note_lead(state, variant):
    """Who leads: fewest flowers left on the soul tile; nobody if two are level."""
    leader, least = NONE, np.int64(1 << 30)
    for s in range(variant.players):
        left = np.int64(state.soul_tile[s])
        if left == least:
            leader = NONE
        elif left < least:
            leader, least = s, left
    if leader == state.leader:
        return
    if state.leader != NONE:
        state.lead_rounds[state.leader] += state.rounds - state.lead_since
    if leader != NONE:
        state.lead_changes += state.led_last != NONE and leader != state.led_last
        state.led_last = leader
    state.leader = leader
    state.lead_since = state.rounds


# --- Legal and play ---------------------------------------------------------------------------------------------


@kernel
def count(state, variant):
    return np.int64(state.options)


@kernel
def nth(state, variant, k):
    """U-D1 by amounts; U-D2, U-D4 by cells; U-D3 stay, then by cells."""
    if state.phase == BID:
        return action_of(
            DO_BID, nth_bid(state, variant, k) if state.form == ANY_BID else nth_of_form(state, variant, k)
        )
    if state.phase == PLACE:
        return action_of(DO_PLACE, nth_wide(state.targets, k))
    if state.phase == VOID_CELL:
        return action_of(DO_VOID, nth_wide(state.targets, k))
    return action_of(DO_SCATTER, STAY if k == 0 else nth_wide(state.targets, k - 1))


@kernel
def play(state, variant, action, tape):
    """Carry out an action, unchecked, and what follows from it up to the next decision."""
    carry_out(state, variant, action, tape)


@routine
def carry_out(state, variant, action, tape):
    verb, what = action >> VERB_AT, action & ((1 << VERB_AT) - 1)
    if verb == DO_BID:
        make_bid(state, variant, what, tape)
    elif verb == DO_PLACE:
        put_tile(state, variant, what, tape)
    elif verb == DO_SCATTER:
        scatter(state, variant, what, tape)
    else:
        energy_to_cell(state, variant, what)
        discard_tile(state, variant, np.int64(state.place))
        next_tile(state, variant, tape)


# --- Ending and score -------------------------------------------------------------------------------------------

ENDINGS = ("", "claimed", "stuck", "unfinished")  # 0 while the game is on
NOT_OVER, CLAIMED, STUCK, UNFINISHED = 0, 1, 2, 3

RESULT = np.dtype(
    [
        ("winners", "i1", MOST_PLAYERS),
        ("ending", "i1"),
        ("rounds", "i2"),
        ("soul_left", "i2", MOST_PLAYERS),
        ("soul_gained", "i2", MOST_PLAYERS),
        ("soul_spent", "i2", MOST_PLAYERS),
        ("tiles_won", "i4", MOST_PLAYERS),
        ("firsts", "i4", MOST_PLAYERS),
        ("track_wins", "i4", MOST_PLAYERS),
        ("summonings", "i4"),
        ("longest_path", "i2"),
        ("path_tiles", "i4"),
        ("unranked", "i4"),
        ("bid_ties", "i4"),
        ("track_start", "i2", MOST_PLAYERS),
        ("paid_first", "i4"),
        ("paid_second", "i4"),
        ("paid_third", "i4"),
        ("paid_fourth", "i4"),
        ("ranked_first", "i4"),
        ("ranked_second", "i4"),
        ("ranked_third", "i4"),
        ("ranked_fourth", "i4"),
        ("lead_changes", "i2"),
        ("lead_since", "i2"),
        ("lead_rounds", "i2", MOST_PLAYERS),
    ]
)
BY_SEAT = (
    "winners",
    "soul_left",
    "soul_gained",
    "soul_spent",
    "tiles_won",
    "firsts",
    "track_wins",
    "track_start",
    "lead_rounds",
)
EXTRAS = (
    "path_tiles",
    "unranked",
    "bid_ties",
    "track_start",
    "paid_first",
    "paid_second",
    "paid_third",
    "paid_fourth",
    "ranked_first",
    "ranked_second",
    "ranked_third",
    "ranked_fourth",
    "lead_changes",
    "lead_since",
    "lead_rounds",
)
WORDS = {"ending": ENDINGS}
MASKS: tuple[str, ...] = ()
SCORE = "soul_gained"


@kernel
def wins(state, variant, s):
    """Who has claimed the soul tile; without a claim who has fewest flowers left on it."""
    if state.claimed:
        return state.claimed >> s & 1 == 1
    for other in range(variant.players):
        if state.soul_tile[other] < state.soul_tile[s]:
            return False
    return True


@kernel
def outcome(state, variant, payoffs):
    """The index of the ending in ENDINGS, 0 while the game is on; payoffs by seat are filled in at the end."""
    if state.phase != OVER:
        return NOT_OVER
    winners = 0
    for s in range(variant.players):
        winners += wins(state, variant, s)
    for s in range(variant.players):
        payoffs[s] = 1.0 / winners if wins(state, variant, s) else 0.0
    return np.int64(state.ending)


@kernel
def result(state, variant, out):
    """Fill a RESULT record with the position as it stands."""
    for s in range(MOST_PLAYERS):
        out.winners[s] = s < variant.players and wins(state, variant, s)
        out.soul_left[s] = state.soul_tile[s]
        out.soul_gained[s] = state.soul_gained[s]
        out.soul_spent[s] = state.soul_spent[s]
        out.tiles_won[s] = state.tiles_won[s]
        out.firsts[s] = state.firsts[s]
        out.track_wins[s] = state.track_wins[s]
        out.track_start[s] = state.track_start[s]
        out.lead_rounds[s] = state.lead_rounds[s]
    if state.leader != NONE:
        out.lead_rounds[state.leader] += state.rounds - state.lead_since
    out.ending = state.ending
    out.rounds = state.rounds
    out.summonings = state.summonings
    out.longest_path = state.longest_path
    out.path_tiles = state.path_tiles
    out.unranked = state.unranked
    out.bid_ties = state.bid_ties
    out.paid_first, out.paid_second = state.paid[0], state.paid[1]
    out.paid_third, out.paid_fourth = state.paid[2], state.paid[3]
    out.ranked_first, out.ranked_second = state.ranked[0], state.ranked[1]
    out.ranked_third, out.ranked_fourth = state.ranked[2], state.ranked[3]
    out.lead_changes = state.lead_changes
    out.lead_since = state.lead_since


def reason(variant: Variant, result: dict[str, Any]) -> str:
    """Why a game ended as it did, in words."""
    seats = result["winners"]
    who = f"seat {seats[0]}" if len(seats) == 1 else f"seats {', '.join(map(str, seats))}"
    if result["ending"] == "claimed":
        return f"{who} claimed the soul tile" if len(seats) == 1 else f"{who} claimed their soul tiles together"
    why = (
        "no tile could be laid out"
        if result["ending"] == "stuck"
        else f"stopped after {result['rounds']} rounds, unfinished"
    )
    left = " : ".join(map(str, result["soul_left"]))
    return f"{why}: fewest flowers left on the soul tile, {who} ({left})"


# --- Information ------------------------------------------------------------------------------------------------


@kernel
def seat(state):
    """Who decides."""
    return np.int64(state.decider)


@kernel
def kind(state):
    """The decision at hand, an index into KINDS; len(KINDS) at the end."""
    return np.int64(state.phase)


@kernel
def hide(state, variant, seat, key):
    """Deal anew what a seat cannot know: the stack's order, what others have drawn, and what they have bid unseen.

    What others hold in bag and hand together is known, and how many flowers they have drawn.
    """
    deal_anew(state, variant, seat, key)


@routine
def deal_anew(state, variant, seat, key):
    silent = np.empty(0, np.int64)
    left = np.int64(state.stacked) - state.drawn
    by_kind = np.zeros(len(ORIENTATIONS), np.int64)
    for i in range(state.drawn, state.stacked):
        by_kind[state.stack[i]] += 1
    at = np.int64(state.drawn)
    for kind in range(len(ORIENTATIONS)):
        for _ in range(by_kind[kind]):
            state.stack[at] = kind
            at += 1
    deal(state.stack[state.drawn : state.stacked], 0, left, left, derive(key, 0), A_STACK, silent)
    for s in range(variant.players):
        if s == seat or state.phase != BID:
            continue
        n = np.int64(state.hand[s, ENERGY]) + state.hand[s, SOUL]
        energy = np.int64(state.energy[s]) + state.hand[s, ENERGY]
        soul = np.int64(state.soul[s]) + state.hand[s, SOUL]
        souls = np.int64(0)
        drawn = derive(key, 1 + s)
        for i in range(n):
            souls += below(drawn, i, energy + soul - i) >= energy - (i - souls)
        state.hand[s, ENERGY] = n - souls
        state.hand[s, SOUL] = souls
        state.energy[s] = energy - (n - souls)
        state.soul[s] = soul - souls
        if s < state.decider:
            decider = np.int64(state.decider)
            state.decider = s
            count_bids(state, variant)
            state.bid[s] = nth_bid(state, variant, below(drawn, n, np.int64(state.options)))
            state.decider = decider
    if state.phase == BID:
        count_bids(state, variant)
    state.luck = derive(key, 9)


@kernel
def reopen(state, variant):
    """The bids of a bidding that has begun are made anew, by every seat."""
    if state.phase == BID:
        state.decider = 0
        count_bids(state, variant)


@kernel
def sight(state, variant):
    """A hash of what the seat that decides knows of the position."""
    return mix(seen_by(state, variant, np.int64(state.decider)))


@routine
def seen_by(state, variant, seat):
    found = fold(np.uint64(seat), state.phase)
    for value in (state.rounds, state.bidding, state.place, state.spot, state.laid):
        found = fold(found, value)
    for flower in range(2):
        found = fold(found, state.hand[seat, flower])
    for s in range(variant.players):
        in_bag = np.int64(state.energy[s]) + state.hand[s, ENERGY] << 10 | np.int64(state.soul[s]) + state.hand[s, SOUL]
        found = fold(found, in_bag << 20 | np.int64(state.soul_tile[s]) << 10 | np.int64(state.track[s]))
        for place in range(state.laid):
            found = fold(
                found, np.int64(state.flowers[place, s, ENERGY]) << 20 | np.int64(state.flowers[place, s, SOUL])
            )
    for place in range(state.laid):
        found = fold(found, state.altar[place])
    for kind in range(len(ORIENTATIONS)):
        found = fold(found, state.discard[kind])
    for c in range(variant.cells):
        found = fold(found, state.board[c])
        for s in range(variant.players):
            found = fold(found, state.on[c, s])
    return found


def tile_name(tile: int) -> str:
    """A tile by its openings, `NES`, or by the name of its kind."""
    if tile >= POINT:
        return TILE_KINDS[3 + tile - POINT]
    return "".join(letter for i, letter in enumerate("NESW") if tile >> i & 1)


TILE_CODES = {tile_name(t): t for turned in ORIENTATIONS for t in turned}
ALTAR_NAMES = ("I", "II", "III", "IV", "V", "VI")


def flower_text(energy: int, soul: int) -> str:
    return "E" * energy + "S" * soul


def view(state: Any, variant: Variant, seat: int | None = 0) -> dict[str, Any]:
    """What a seat, or with None what everybody, sees, as plain data: seats from 1, bags of the others with what they have drawn, the stack by kind."""
    cells = cell_names(variant.side**2)
    seats = range(variant.players)
    phase = int(state.phase)
    bidding = phase == BID
    board, on, flowers, altar = (part.tolist() for part in (state.board, state.on, state.flowers, state.altar))
    stack = state.stack[int(state.drawn) : int(state.stacked)].tolist()
    place_due, targets = int(state.place) if phase in (PLACE, VOID_CELL) else NONE, int(state.targets)

    def name(tile: int) -> str | None:
        return None if tile == NONE else tile_name(int(tile))

    def own(s: int) -> dict[str, Any]:
        hand = [int(n) for n in state.hand[s]]
        return {
            "bag": [int(state.energy[s]) + hand[0], int(state.soul[s]) + hand[1]],
            "drawn": sum(hand),
            "decided": bool(bidding and s < state.decider),
            "soul_tile": int(state.soul_tile[s]),
            "spent": int(state.soul_spent[s]),
        }

    return {
        "game": NAME,
        "variant": str(variant),
        "side": variant.side,
        "soul_on_tile": variant.soul_on_tile,
        "seat": None if seat is None else seat + 1,
        "phase": (*KINDS, "over")[phase],
        "ending": ENDINGS[int(state.ending)],
        "round": int(state.rounds),
        "bidding": int(state.bidding) + 1,
        "biddings": variant.biddings,
        "decider": None if phase == OVER else int(state.decider) + 1,
        "track": [int(s) + 1 for s in state.track if s != NONE],
        "altar": {
            ALTAR_NAMES[place]: {
                "tile": name(altar[place]),
                "flowers": [flowers[place][s] for s in seats],
                "due": place == place_due,
            }
            for place in range(int(state.laid))
        },
        "cells": {
            cell: {
                "place": divmod(c, variant.side),
                "tile": name(board[c]),
                "energy": [on[c][s] for s in seats],
                "target": bool(targets >> c & 1 and not bidding),
            }
            for c, cell in enumerate(cells)
        },
        "hand": [0, 0] if seat is None or not bidding else [int(n) for n in state.hand[seat]],
        "bid": None if seat is None or not bidding or seat >= state.decider else bid_text(int(state.bid[seat])),
        "seats": [own(s) for s in seats],
        "stack": {kind: stack.count(i) for i, kind in enumerate(TILE_KINDS)},
        "discard": {k: int(n) for k, n in zip(TILE_KINDS, state.discard, strict=True)},
    }


# --- Position ---------------------------------------------------------------------------------------------------

POSITION = ("phase", "round", "bidding", "decider", "track", "altar", "due", "spot", "cells", "seats", "discard")
ON_ALTAR = ("tile", "flowers")
ON_CELL = ("tile", "energy")
OF_SEAT = ("soul_tile", "spent", "hand", "bid")


def position(state: Any, variant: Variant) -> dict[str, Any]:
    """The position as plain data: what `set_up` makes it of again, the order of the stack aside.

    `round` counts from 1 and `bidding` too; `track` has the seats, best first. `altar` has every place that was laid out with its `tile`
    and the `flowers` on it, a text such as `EES` for every seat; a place whose tile is gone has neither. `cells` has for those with
    anything on them the `tile` and the `energy` by seat. `seats` has for each what lies on its `soul_tile`, the soul
    flowers `spent` and, at a bid, the `hand` and the `bid` of those that have decided. `due` is the place whose
    tile the `decider` has won and is about to place, `spot` the cell of a point whose energy it may scatter. `discard` counts
    tiles by kind. Bags and the stack hold the rest. Refused at the end.
    """
    if state.phase == OVER:
        raise Refused(GAME_OVER)
    seen = view(state, variant, None)
    names = list(seen["cells"])
    bidding = state.phase == BID
    altar = {
        place: written(
            [("tile", told["tile"]), ("flowers", [flower_text(*pair) if any(pair) else "" for pair in told["flowers"]])]
        )
        for place, told in seen["altar"].items()
    }
    cells = {
        name: written([("tile", cell["tile"]), ("energy", cell["energy"])])
        for name, cell in seen["cells"].items()
        if cell["tile"] or any(cell["energy"])
    }
    seats = []
    for s, seat in enumerate(seen["seats"]):
        told = {"soul_tile": seat["soul_tile"], **written([("spent", seat["spent"])])}
        if bidding:
            told["hand"] = flower_text(*map(int, state.hand[s]))
        if seat["decided"]:
            told["bid"] = bid_text(int(state.bid[s]))
        seats.append(told)
    due = next((place for place, told in seen["altar"].items() if told["due"]), None)
    rest = [
        ("due", due),
        ("spot", names[state.spot] if state.phase == SCATTER else None),
        ("cells", cells),
        ("discard", written(seen["discard"].items())),
    ]
    head = {"phase": seen["phase"], "round": seen["round"], **written([("bidding", seen["bidding"] if bidding else 0)])}
    return {**head, "decider": seen["decider"], "track": seen["track"], "altar": altar, "seats": seats, **written(rest)}


def set_up(variant: Variant, position: Any, seed: int = 0) -> np.ndarray:
    """An array of one STATE: the position that `position` tells in the form that the function of that name gives.

    Left out, `phase` is bid, `round` and `bidding` are 1, soul tiles are full, and nothing has been spent, discarded or placed.
    The track and, at a bid, hands are drawn from `seed` where they are not told; so is the order of the stack, always,
    and all luck to come. The result's counts begin at 0, but for `soul_gained` and `soul_spent`.

    Refused if it is no position of the variant: names that it does not have, more tiles or flowers than it has, an
    altar that does not fit what can have been bid, a complete path, a decision that the decider does not have.
    """
    given = entries(WHOLE, position, POSITION)
    phase = phase_of(given, KINDS) or BID
    states = records(STATE)
    blank(states, variant.packed)
    state = states[0]
    state.luck = np.uint64(derive_exact(seed, CHANCE))
    key = derive_exact(seed, UNTOLD)
    for name, phases in (("bidding", (BID,)), ("due", (PLACE, VOID_CELL)), ("spot", (SCATTER,))):
        if name in given and phase not in phases:
            raise Refused(f"{WHOLE}, {name}: at the phase {KINDS[phase]} there is none; leave it out")
    state.phase = phase
    state.rounds = number_told(f"{WHOLE}, round", given.get("round", 1), 1, variant.max_rounds, "the round")
    state.bidding = variant.biddings
    if phase == BID:
        state.bidding = (
            number_told(f"{WHOLE}, bidding", given.get("bidding", 1), 1, variant.biddings, "the bidding") - 1
        )
    state.shuffles = 1
    tell_track(state, variant, given, key)
    pool = Pool("the set", variant.tiles._asdict())
    lay_altar(state, variant, given, pool)
    lay_board(state, variant, given.get("cells", {}), pool)
    for kind in pool.take_tally(f"{WHOLE}, discard", given.get("discard", {})):
        state.discard[kind] += 1
    stack = shuffled_exact(pool.rest(), derive_exact(key, 1))
    state.stack[: len(stack)], state.stacked = stack, len(stack)
    if state.laid < variant.altar and (stack or (phase == BID and something(given.get("discard")))):
        raise Refused(
            f"{WHOLE}, altar: places told: {state.laid}; there are {variant.altar} as long as the stack and the discard pile have any"
        )
    seats = tell_seats(state, variant, given)
    if phase == BID:
        tell_bids(state, variant, given, seats, key)
    else:
        tell_placement(state, variant, given)
    check_paths(states, variant)
    if not resume(states, variant.packed):
        raise Refused(f"{WHOLE}, due: there is no cell for the tile on {given['due']}, so there is nothing to decide")
    state.lead_since, state.lead_changes = state.rounds, 0
    return states


def tell_track(state: Any, variant: Variant, given: Mapping[str, Any], key: int) -> None:
    """The tiebreaker track, best first."""
    seats = list(range(1, variant.players + 1))
    track = shuffled_exact(seats, derive_exact(key, 0))
    if "track" in given:
        track = [
            number_told(f"{WHOLE}, track", seat, 1, variant.players, "a seat")
            for seat in items(f"{WHOLE}, track", given["track"])
        ]
        if sorted(track) != seats:
            raise Refused(
                f"{WHOLE}, track: {shown(given['track'])}; every seat stands on it once, from 1 to {variant.players}"
            )
    for place, seat in enumerate(track):
        state.track[place], state.track_start[seat - 1] = seat - 1, place + 1


def tile_told(where: str, variant: Variant, tile: object, pool: Pool, refused: str) -> int:
    """A tile by its openings or its name, taken from the set; none of the kinds in `refused`."""
    code = TILE_CODES.get(tile) if isinstance(tile, str) else None
    if code is None:
        raise Refused(f"{where}: no tile {shown(tile)}; there are {', '.join(TILE_CODES)}")
    kind = TILE_KINDS[variant.packed[0].kind_of[code]]
    if kind in refused.split():
        raise Refused(f"{where}: a {kind} never lies here")
    pool.take(where, kind)
    return code


def lay_altar(state: Any, variant: Variant, given: Mapping[str, Any], pool: Pool) -> None:
    """The tiles of the altar and the flowers on them."""
    bidding, places = state.phase == BID, ALTAR_NAMES[: variant.altar]
    told = entries(f"{WHOLE}, altar", given.get("altar", {}), places)
    if not told:
        raise Refused(f"{WHOLE}: the altar is missing; it is told like {{'I': {{'tile': 'NS'}}}}")
    state.laid = max(places.index(place) for place in told) + 1
    for place, name in enumerate(places[: state.laid]):
        where = f"{WHOLE}, altar {name}"
        here = entries(where, told.get(name, {}), ON_ALTAR)
        flowers = items(f"{where}, flowers", here.get("flowers", [""] * variant.players), variant.players)
        for s, text in enumerate(flowers):
            state.flowers[place, s] = counters(f"{where}, flowers of seat {s + 1}", text, "ES")
        laid = int(state.flowers[place].sum())
        if "tile" not in here:
            if bidding or laid:
                raise Refused(
                    f"{where}: the tile is missing; only after the bids there are places whose tile is gone, and no flowers on them"
                )
            continue
        tile = tile_told(where, variant, here["tile"], pool, "" if bidding else "block")
        state.altar[place] = tile
        if tile == BLOCK and laid:
            raise Refused(f"{where}: there are flowers on a block, which cannot be bid on")
        if not bidding and not laid and name != given.get("due"):
            raise Refused(f"{where}: a tile without flowers is discarded before the placement; leave it out")
        if bidding and tile != BLOCK:
            state.biddable |= 1 << place
    if bidding and not state.biddable:
        raise Refused(f"{WHOLE}, altar: none of its tiles can be bid on, so there is no bid")


def lay_board(state: Any, variant: Variant, cells: Any, pool: Pool) -> None:
    """The tiles on the board and the energy on its cells."""
    names = cell_names(variant.side**2)
    for name, told in entries(f"{WHOLE}, cells", cells, names).items():
        where, c = f"{WHOLE}, cell {name}", names.index(name)
        cell = entries(where, told, ON_CELL)
        for s, n in enumerate(items(f"{where}, energy", cell.get("energy", [0] * variant.players), variant.players)):
            state.on[c, s] = number_told(f"{where}, energy of seat {s + 1}", n, 0, variant.energy, "energy")
        if "tile" in cell:
            tile = tile_told(where, variant, cell["tile"], pool, "void block")
            state.board[c] = tile
            state.tiles |= np.int64(1 << c)
            for side in range(4):
                if tile < POINT and tile >> side & 1:
                    state.opens[side] |= np.int64(1 << c)
        elif state.on[c].any() and not variant.tiles.void:
            raise Refused(
                f"{where}: the tile is missing; energy waits on an empty cell only where a void has left it, and the set has none"
            )


def tell_seats(state: Any, variant: Variant, given: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Soul tiles and bags, hands among them, of flowers that lie nowhere else; what is told of each seat."""
    seats = items(f"{WHOLE}, seats", given.get("seats", [{}] * variant.players), variant.players)
    bidding = int(state.bidding)
    for s, told in enumerate(seats):
        where = f"{WHOLE}, seat {s + 1}"
        seat = entries(where, told, OF_SEAT)
        on_tile = number_told(
            f"{where}, soul_tile",
            seat.get("soul_tile", variant.soul_on_tile),
            0,
            variant.soul_on_tile,
            "what lies on it",
        )
        spent = number_told(f"{where}, spent", seat.get("spent", 0), 0, variant.soul, "soul flowers")
        state.soul_tile[s], state.soul_spent[s], state.soul_gained[s] = on_tile, spent, variant.soul_on_tile - on_tile
        bids = [int(n) for n in state.flowers[:, s].sum(axis=0)]
        energy = variant.energy - 1 - bids[ENERGY] - int(state.on[:, s].sum())
        soul = variant.soul - on_tile - spent - bids[SOUL]
        if energy < 0:
            raise Refused(
                f"{where}: {variant.energy - 1 - energy} energy flowers lie on board and altar; there are {variant.energy - 1}, the marker aside"
            )
        if soul < 0:
            raise Refused(
                f"{where}: {variant.soul - soul} soul flowers lie on soul tile and altar or are spent; there are {variant.soul}"
            )
        state.energy[s], state.soul[s] = energy, soul
        most = min(variant.draw * bidding, energy + soul + sum(bids)) if state.phase == BID else variant.draw * bidding
        if sum(bids) > most or (state.phase == BID and sum(bids) < most):
            exactly = "" if state.phase == BID else "at most "
            raise Refused(
                f"{where}: flowers on the altar: {sum(bids)}; after the biddings so far there are {exactly}{most}"
            )
        if state.phase != BID and ("hand" in seat or "bid" in seat):
            raise Refused(
                f"{where}: there is a hand or a bid, and all bids have been revealed at the phase {KINDS[int(state.phase)]}"
            )
    return seats


def tell_bids(state: Any, variant: Variant, given: Mapping[str, Any], seats: list[Mapping[str, Any]], key: int) -> None:
    """The hands of a bidding, and the bids of those that have decided."""
    for s, seat in enumerate(seats):
        where = f"{WHOLE}, seat {s + 1}"
        bid = bid_told(f"{where}, bid", state, seat["bid"]) if "bid" in seat else None
        bag = [int(state.energy[s]), int(state.soul[s])]
        n = min(variant.draw, sum(bag))
        drawn = shuffled_exact([ENERGY] * bag[ENERGY] + [SOUL] * bag[SOUL], derive_exact(key, 2 + s))[:n]
        hand = [drawn.count(ENERGY), drawn.count(SOUL)]
        if "hand" in seat:
            hand = counters(f"{where}, hand", seat["hand"], "ES")
        elif bid is not None:
            hand = amounts(bid)
        if sum(hand) != n or hand[ENERGY] > bag[ENERGY] or hand[SOUL] > bag[SOUL]:
            raise Refused(
                f"{where}, hand: {flower_text(*hand) if sum(hand) <= MOST_DRAW else sum(hand)}; {n} flowers are drawn, from {bag[ENERGY]} energy and {bag[SOUL]} soul flowers"
            )
        if bid is not None:
            if amounts(bid) != hand:
                raise Refused(f"{where}, bid: {bid_text(bid)}; all flowers of the hand are bid, {flower_text(*hand)}")
            if state.decider != s:
                raise Refused(f"{where}, bid: seat {s} has not decided yet, and bids are made in turn order")
            state.bid[s], state.decider = bid, s + 1
        state.hand[s] = hand
        state.energy[s], state.soul[s] = bag[ENERGY] - hand[ENERGY], bag[SOUL] - hand[SOUL]
    if state.decider == variant.players:
        raise Refused(f"{WHOLE}: all seats have decided, and their bids are revealed; nobody's bid is due")
    due = int(state.decider) + 1
    if number_told(f"{WHOLE}, decider", given.get("decider", due), 1, variant.players, "a seat") != due:
        raise Refused(f"{WHOLE}, decider: seat {given['decider']}; of the seats the first without a bid is {due}")


def amounts(bid: int) -> list[int]:
    """The energy and soul flowers of a bid in all."""
    return [sum(bid >> 6 * place + 3 * flower & 7 for place in range(MOST_ALTAR)) for flower in (ENERGY, SOUL)]


def bid_told(where: str, state: Any, told: object) -> int:
    """The bid that text such as `I:EE III:S` tells."""
    bid = 0
    for part in told.split() if isinstance(told, str) else ():
        name, _, flowers = part.partition(":")
        if name in ALTAR_NAMES and set(flowers) <= {"E", "S"} and len(flowers) <= MOST_DRAW:
            place = ALTAR_NAMES.index(name)
            bid |= (flowers.count("E") | flowers.count("S") << 3) << 6 * place
    if told != bid_text(bid):
        raise Refused(
            f"{where}: {shown(told)}; a bid is written like I:EE III:S, in the order of the altar, or - for none"
        )
    for place, name in enumerate(ALTAR_NAMES):
        if bid >> 6 * place & 63 and not int(state.biddable) >> place & 1:
            raise Refused(f"{where}: {told}; {name} cannot be bid on")
    return bid


def tell_placement(state: Any, variant: Variant, given: Mapping[str, Any]) -> None:
    """Who is about to place the tile on which place of the altar, or to scatter from a point."""
    names = cell_names(variant.side**2)
    if "decider" not in given:
        raise Refused(f"{WHOLE}: the decider is missing, the seat that has won the tile")
    winner = number_told(f"{WHOLE}, decider", given["decider"], 1, variant.players, "a seat") - 1
    state.decider = winner
    altar = [int(tile) for tile in state.altar[: state.laid]]
    if state.phase == SCATTER:
        if "spot" not in given:
            raise Refused(f"{WHOLE}: the spot is missing, the cell of the point that has been placed")
        state.spot = one_of(f"{WHOLE}, spot", given["spot"], names)
        if state.board[state.spot] != POINT:
            raise Refused(f"{WHOLE}, spot: there is no point on {names[state.spot]}")
        if variant.scatter == "split" and not state.on[state.spot].any():
            raise Refused(
                f"{WHOLE}, spot: there is no energy on {names[state.spot]}, so under scatter=split there is nothing to decide"
            )
        if NONE not in altar:
            raise Refused(
                f"{WHOLE}, altar: every place has its tile, and the point came from one of them; leave that out, or tell it as {{}}"
            )
        state.place = altar.index(NONE)
        return
    if "due" not in given:
        raise Refused(f"{WHOLE}: the place whose tile is due is missing")
    state.place = place = one_of(f"{WHOLE}, due", given["due"], ALTAR_NAMES[: state.laid])
    where = f"{WHOLE}, altar {ALTAR_NAMES[place]}"
    if altar[place] == NONE:
        raise Refused(f"{where}: there is no tile, and it is due")
    if (altar[place] == VOID) != (state.phase == VOID_CELL):
        raise Refused(
            f"{where}: the tile {tile_name(altar[place])} is due, and the phase is {KINDS[int(state.phase)]}; a void has a phase of its own"
        )
    if state.flowers[place, :, SOUL].any():
        raise Refused(
            f"{where}: the soul flowers on the tile that is due have left the game already; tell them as spent"
        )
    worth = variant.soul_worth if variant.order_by == "value" else 1
    energy = [int(n) for n in state.flowers[place, :, ENERGY]]
    for other in (i for i, tile in enumerate(altar) if tile != NONE and i != place):
        theirs = int((state.flowers[other] * (1, worth)).sum())
        if theirs < max(1, sum(energy)) + (other < place):
            raise Refused(
                f"{where}: the tile on {ALTAR_NAMES[other]} comes before it, by order_by={variant.order_by}; it is due"
            )
    if energy[winner] + variant.soul_worth * int(state.soul_spent[winner]) < max(1, *energy):
        raise Refused(
            f"{where}: seat {winner + 1} cannot have won it with {energy[winner]} energy and the soul flowers it has spent"
        )


def check_paths(states: np.ndarray, variant: Variant) -> None:
    """Refuse a path that would have been summoned: complete paths are, but for what a point closes before it has scattered."""
    looked = states.copy()
    state = looked[0]
    if state.phase == SCATTER:
        state.tiles = int(state.tiles) & ~(1 << int(state.spot))
    found = complete_cells(looked, variant.packed)
    if found:
        names = cell_names(variant.side**2)
        path = " ".join(name for c, name in enumerate(names) if found >> c & 1)
        raise Refused(f"{WHOLE}, cells: a path on {path} is complete; it has been summoned, and its tiles are gone")


@loop
def blank(states, variants):
    """Every field as it stands before anything is drawn, and bags that nothing was drawn from."""
    clear(states[0], variants[0])


@loop
def complete_cells(states, variants):
    """The cells of complete paths, as bits."""
    state = states[0]
    variant = variants[0]
    found = np.int64(0)
    for cell in range(variant.cells):
        if not found >> cell & 1:
            path = path_of(state, variant, cell)
            if path and is_complete(state, variant, path):
                found |= path
    return found


@loop
def resume(states, variants):
    """Find what there is to decide in a position that has been written into a state; False if nothing is."""
    state = states[0]
    variant = variants[0]
    note_lead(state, variant)
    if state.phase == BID:
        count_bids(state, variant)
    elif state.phase == SCATTER:
        offer_scatter(state, variant)
    else:
        return offer_cells(state, variant)
    return True


# --- Notation ---------------------------------------------------------------------------------------------------


def bid_text(bid: int) -> str:
    """`I:EE III:S`; `-` for a bid of nothing."""
    parts = []
    for place, name in enumerate(ALTAR_NAMES):
        energy, soul = bid >> 6 * place & 7, bid >> 6 * place + 3 & 7
        if energy or soul:
            parts.append(f"{name}:{flower_text(energy, soul)}")
    return " ".join(parts) or "-"


def text(variant: Variant, state: Any, action: int) -> str:
    """The action as records write it: `bid I:EE III:S`, `place K`, `scatter G`, `scatter stay`, `void C`."""
    verb, what = action >> VERB_AT, action & ((1 << VERB_AT) - 1)
    if verb == DO_BID:
        return f"bid {bid_text(what)}"
    if verb == DO_SCATTER and what == STAY:
        return "scatter stay"
    word = {DO_PLACE: "place", DO_SCATTER: "scatter", DO_VOID: "void"}[verb]
    return f"{word} {cell_names(variant.side**2)[what]}"


def chance_from_tape(variant: Variant, tape: list[int]) -> list[dict[str, Any]]:
    """The luck that a tape holds as records write it: the track, stacks, altars and draws in the order in which they fell."""
    found: list[dict[str, Any]] = []
    at = 0
    while at < len(tape):
        purpose, n = tape[at : at + 2]
        values = tape[at + 2 : at + 2 + n]
        if purpose == THE_TRACK:
            found.append({"track": [s + 1 for s in values]})
        elif purpose == A_STACK:
            found.append({"stack": [TILE_KINDS[k] for k in values]})
        elif purpose == AN_ALTAR:
            found.append({"altar": [tile_name(t) for t in values]})
        else:
            found.append({"draw": {"seat": values[0] + 1, "flowers": flower_text(values[1], values[2])}})
        at += 2 + n
    return found


def tape_from_chance(variant: Variant, chance: Any) -> list[int]:
    """The tape that a record's `chance` stands for; words that mean nothing are refused where they would fall."""
    if not isinstance(chance, list):
        raise Refused("chance: a list of objects is needed, such as {'track': [2, 1]}")
    tape: list[int] = []
    for number, part in enumerate(chance, 1):
        what = next(iter(part)) if isinstance(part, dict) and len(part) == 1 else None
        if what not in ("track", "stack", "altar", "draw"):
            raise Refused(f"chance {number}: {shown(part)}; one of track, stack, altar and draw is needed")
        value = part[what]
        if what == "draw":
            tape += [A_DRAW, 3, *drawn_codes(number, value)]
            continue
        if not isinstance(value, list):
            raise Refused(f"chance {number}: {what} is a list, not {shown(value)}")
        if what == "track":
            tape += [THE_TRACK, len(value), *map(seat_code, value)]
        elif what == "stack":
            tape += [A_STACK, len(value), *(TILE_KINDS.index(v) if v in TILE_KINDS else NONE for v in value)]
        else:
            tape += [AN_ALTAR, len(value), *(TILE_CODES.get(v, NONE) if isinstance(v, str) else NONE for v in value)]
    return tape


def drawn_codes(number: int, value: Any) -> list[int]:
    """(seat, energy, soul) of a draw; flowers in another spelling come to nothing that can be drawn."""
    if not isinstance(value, dict) or set(value) != {"seat", "flowers"} or not isinstance(value["flowers"], str):
        raise Refused(f"chance {number}: a draw is written {{'seat': 1, 'flowers': 'EES'}}, not {shown(value)}")
    flowers, seat = value["flowers"], value["seat"]
    energy, soul = flowers.count("E"), flowers.count("S")
    if flowers != flower_text(energy, soul):
        energy = NONE
    return [seat_code(seat), energy, soul]


def seat_code(seat: Any) -> int:
    """A seat of a record, from 0; NONE for what is no seat."""
    counts = isinstance(seat, int) and not isinstance(seat, bool)
    return seat - 1 if counts and 1 <= seat <= MOST_PLAYERS else NONE


MOST_CHANCE = MOST_TILES + 64  # entries that one play or the start usually adds to a tape; there may be more

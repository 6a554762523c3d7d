"""What a seat of Cosmic Alignments imagines: every dealing that agrees with what it has seen, and none else.

Tiles differ, decks are tiny, and all dealings are found by trying: hand by hand, every way to draw it and to place one
of its tiles. Each is as likely as any other where a player who is not seen places any tile of a hand alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

import pytest
from playing import amount, play_out, played

import tkg
from tkg.rules import calls
from tkg.rules.kernel import COMPILING

NONE = -1
MOST = amount(220, least=8)  # dealings of one position, beyond which it is left aside
PATIENCE = amount(10_000)  # ways to draw a hand that are tried before it is left aside too
TEN = ["F", "W", "A", "E", "FF", "WW", "AA", "EE", "FW", "AE", "FA", "WE"]
Tile = tuple[str, int]  # a tile and which of its copies
World = tuple[Any, ...]


class TooMany(Exception):
    """More ways have been tried than there is patience for."""


class Seen:
    """A position, and what one seat has seen on the way to it."""

    def __init__(self, game: tkg.Game, seat: int):
        variant, state = game.variant, game.states[0]
        self.kinds = list(variant.deck)
        self.players, self.seat, self.cells = variant.players, seat, variant.side**2
        self.tiles = [(tile, copy) for tile, copies in variant.deck.items() for copy in range(copies)]
        drafts = [action.split()[1].split("@") for action in game.actions if action.startswith("draft")]
        self.cell_of = [cell for _, cell in drafts]
        self.drafting = variant.layout != "dealt" and len(drafts) < self.cells
        self.hands = [self.hand(state, h) for h in range(len(drafts) + self.drafting)]
        # Every tile that has lain on a cell, the one that lies there now last; it is open if it is occupied.
        view, taken = game.view(seat + 1), [a.split()[1] for a in game.actions if a.startswith("capture")]
        self.refills = taken  # the cell of every tile that was drawn to refill a place
        self.open = {name for name, cell in view["cells"].items() if cell["owner"]}
        self.truth = game.chance[-1]
        self.tried = 0

    def hand(self, state: Any, h: int) -> tuple[str, ...]:
        """A hand by kind, what was placed first, the rest in order."""
        names = [self.kinds[t] for t in state.hands[h].tolist() if t != NONE]
        return (names[0], *sorted(names[1:])) if h < len(self.cell_of) else tuple(sorted(names))

    def known(self, h: int) -> bool:
        """Whether the seat has seen which tile a hand of another placed."""
        return self.cell_of[h] in self.refills or self.cell_of[h] in self.open

    def may_be(self, h: int, hand: tuple[str, ...]) -> bool:
        if h % self.players == self.seat:
            return hand == self.hands[h]
        return h >= len(self.cell_of) or not self.known(h) or hand[0] == self.hands[h][0]

    def worlds(self, h: int = 0, stack: Any = None, aside: Any = ()) -> Iterator[World]:
        """Every dealing from the h-th hand on, as often as there are ways to it that differ in copies."""
        stack = tuple(self.tiles) if stack is None else stack
        if h == len(self.hands):
            yield from self.endings(stack if self.drafting else (*stack, *aside))
            return
        if not stack:
            stack, aside = aside, ()
        for drawn in combinations(stack, min(3, len(stack))):
            self.tried += 1
            if self.tried > PATIENCE:
                raise TooMany
            rest = tuple(t for t in stack if t not in drawn)
            if h == len(self.cell_of):
                hand = tuple(sorted(t for t, _ in drawn))
                if self.may_be(h, hand):
                    yield from ((hand, *world) for world in self.worlds(h + 1, rest, aside))
                continue
            for placed in drawn:
                others = tuple(t for t in drawn if t != placed)
                hand = (placed[0], *sorted(t for t, _ in others))
                if self.may_be(h, hand):
                    yield from ((hand, *world) for world in self.worlds(h + 1, rest, (*aside, *others)))

    def endings(self, stack: tuple[Tile, ...]) -> Iterator[World]:
        """Every order in which the first tiles of the last stack may lie, and one more that is on top."""
        n = len(self.refills)
        for first in permutations(stack, min(n + 1, len(stack))):
            names = [t for t, _ in first]
            last_on = {cell: i for i, cell in enumerate(self.refills)}
            if all(
                names[i] == self.truth[i]
                for i in range(n)
                if last_on[self.refills[i]] > i or self.refills[i] in self.open
            ):
                yield tuple(names[:n]), tuple(names[n:]), tuple(sorted(t for t, _ in stack if (t, _) not in first))

    def imagined(self, states: Any, variant: tkg.Variant) -> World:
        """The dealing that stands in a position."""
        state = states[0]
        hands = [self.hand(state, h) for h in range(len(self.hands))]
        names = "ABCDEFGHI"
        last_on = {cell: i for i, cell in enumerate(self.refills)}
        refills = tuple(
            self.kinds[int(state.board[names.index(cell)])] if last_on[cell] == i else self.truth[i]
            for i, cell in enumerate(self.refills)
        )
        left = [self.kinds[t] for t in state.stack[int(state.drawn) : int(state.stacked)].tolist()]
        return (*hands, refills, tuple(left[:1]), tuple(sorted(left[1:])))


def check(game: tkg.Game, seat: int) -> int:
    """Compare what `hide` deals with all that can be dealt; how many dealings there are, 0 for too many to try."""
    seen = Seen(game, seat)
    ways: Counter[World] = Counter()
    try:
        for world in seen.worlds():
            ways[world] += 1
            if len(ways) > MOST:
                return 0
    except TooMany:
        return 0
    n = 20 * ways.total() // min(ways.values())
    if n > 25 * MOST:
        return 0
    found: Counter[World] = Counter()
    for key in range(n):
        states = game.states
        calls.hide(states, game.variant.packed, seat, key)
        found[seen.imagined(states, game.variant)] += 1
    assert set(found) <= set(ways), "a dealing that cannot have been"
    assert set(found) == set(ways), "a dealing that never comes up"
    if len(seen.kinds) == len(seen.tiles):
        expected, freedom = n / len(ways), len(ways) - 1
        chi_squared = sum((found[world] - expected) ** 2 / expected for world in ways)
        assert chi_squared < freedom + 5 * (2 * freedom) ** 0.5 + 10, "some dealings come up more often than others"
    return len(ways)


@pytest.mark.parametrize(("layout", "players", "tiles"), [("draft", 2, 9), ("free", 2, 10), ("draft", 3, 9)])
def test_dealings_in_the_draft(layout: str, players: int, tiles: int) -> None:
    """Before and after every draft, through several stacks."""
    variant = tkg.cosmic(side=3, players=players, deck=dict.fromkeys(TEN[:tiles], 1), layout=layout)
    tried = [check(played(variant, tiles, actions), seat) for actions in range(10) for seat in range(2)]
    assert max(tried) >= (MOST // 2 if COMPILING else 6)


@pytest.mark.parametrize(
    "deck", [{"F": 5, "W": 5}, {"F": 7, "W": 1, "A": 1, "E": 1}, {"FF": 3, "FW": 3, "A": 4}], ids=str
)
def test_dealings_of_tiles_that_are_alike(deck: dict[str, int]) -> None:
    variant = tkg.cosmic(side=3, deck=deck)
    tried = [check(played(variant, 1, actions), seat) for actions in range(10) for seat in range(2)]
    assert max(tried) > 1


@pytest.mark.parametrize("seed", [2, 3])
def test_dealings_when_tiles_are_open(seed: int) -> None:
    """Tiles that others drafted are known once they are occupied or captured; what is drawn in their place is not."""
    variant = tkg.cosmic(side=3, deck=dict.fromkeys(TEN[:11], 1), max_turns=200)
    tried, moment = [], (0, 0)
    game = played(variant, seed, 9)
    while not game.over:
        now = tuple(sum(a.startswith(verb) for a in game.actions) for verb in ("occupy", "capture"))
        if now != moment:
            tried += [check(game, seat) for seat in range(2)]
            moment = now
        play_out(game, seed, actions=1)
    assert any(tried) or not COMPILING


@pytest.mark.parametrize("players", [2, 4])
def test_nobody_knows_what_was_dealt(players: int) -> None:
    """With `layout: dealt` every order of the tiles comes up alike: here, which of two lies where."""
    variant = tkg.cosmic(side=3, players=players, deck={"F": 1, "W": 9}, layout="dealt")
    game, n = tkg.new(variant, 1), amount(4000, least=400)
    lies: Counter[int] = Counter()
    for key in range(n):
        states = game.states
        calls.hide(states, variant.packed, key % players, key)
        lies[[*states[0].board.tolist()[:9], int(states[0].stack[9])].index(0)] += 1
    assert all(abs(lies[place] - n / 10) < 5 * (n * 0.09) ** 0.5 for place in range(10))

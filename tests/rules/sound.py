"""What is always true of a position, by game: of every one that is reached, and of every one that a seat imagines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

from umbra_oracle import check_sound as umbra

import tkg

NONE = -1  # no tile, no seat, no cell, no hand


def rift(state: Any, variant: tkg.Variant) -> None:
    """No Oink and no tile comes from nowhere or gets lost."""
    v = variant.packed[0]
    assert (state.supply + state.gate + state.void + state.oinks.sum(axis=0) == v.supply).all()
    assert min(state.supply.min(), state.gate.min(), state.void.min(), state.oinks.min()) >= 0
    assert Counter(state.deck[: v.tiles].tolist()) == counted_deck(variant)
    assert 0 <= state.drawn <= v.tiles


def cosmic(state: Any, variant: tkg.Variant) -> None:
    """The page's *Always true*, what the masks say twice, and a draft that can have gone as the state remembers it."""
    plain = SimpleNamespace(**{name: state[name].tolist() for name in state.dtype.names})
    check_tokens(plain, variant)
    check_spaces(plain, variant)
    check_tiles(plain, variant)
    check_draft(plain, variant)


SOUND: dict[str, Callable[[Any, tkg.Variant], None]] = {"rift": rift, "cosmic": cosmic, "umbra": umbra}
# Of positions that were set up by hand.
SOUND_BY_HAND: dict[str, Callable[[Any, tkg.Variant], None]] = {**SOUND, "umbra": partial(umbra, counted=False)}


def counted_deck(variant: tkg.Variant) -> Counter[int]:
    """How many copies of every kind the deck has."""
    return Counter(dict(enumerate(variant.deck.values())))


def check_tokens(state: Any, variant: tkg.Variant) -> None:
    """LIFE tokens and Oinks of every player in supply and on the layout."""
    for s in range(4):
        sits = s < variant.players
        assert state.life[s] + sum(tokens[s].bit_count() for tokens in state.tokens) == variant.life * sits
        assert state.oinks[s] + state.owner.count(s) == variant.oinks * sits
        assert state.occupied[s] == sum(1 << c for c, owner in enumerate(state.owner) if owner == s)
        assert min(state.life[s], state.oinks[s], state.points[s]) >= 0
    dealt = state.element[: variant.players]
    assert len(set(dealt)) == variant.players
    assert set(dealt) <= set(range(4))
    assert state.element[variant.players :] == [NONE] * (4 - variant.players)


def check_spaces(state: Any, variant: tkg.Variant) -> None:
    """A space holds one token at most, none under an Oink, and is free if it holds nothing."""
    cells = variant.side**2
    free = []
    for c, (owner, tokens) in enumerate(zip(state.owner, state.tokens, strict=True)):
        together = sum(tokens)
        assert together == tokens[0] | tokens[1] | tokens[2] | tokens[3], "two tokens on one space"
        assert not together >> cells
        assert together == 0 or (owner == NONE and c < cells)
        free.append(0 if owner != NONE or c >= cells else (1 << cells) - 1 & ~together)
    assert state.free == free
    assert state.room == sum(mask.bit_count() for mask in free)
    for place in (state.directed, state.last, state.bound, state.origin, state.won):
        assert NONE <= place < cells
    if state.phase in (1, 2) and state.bound != NONE:
        assert state.bound == state.directed
        assert free[state.bound], "bound to a tile without room"


def check_tiles(state: Any, variant: tkg.Variant) -> None:
    """Layout + captured + stack, hand and what is put aside are the deck; captured tiles are counted and scored right."""
    assert set(state.board[variant.side**2 :]) <= {NONE}
    lying = [*state.board, *state.stack[state.drawn : state.stacked]]
    if state.phase == 0:
        for hand, stack in zip(state.hands[: state.drafted], state.hand_stack, strict=False):
            lying += hand[1:] if stack == state.shuffles else []
        lying += state.hands[state.drafted]
    captured = captured_tiles(state)
    assert Counter(t for t in lying if t != NONE) + Counter(t for t, _ in captured) == counted_deck(variant)
    worth = variant.packed[0].worth
    for s in range(variant.players):
        mine = [t for t, captor in captured if captor == s]
        assert state.captured[s] == len(mine)
        assert state.points[s] == sum(int(worth[t, state.element[s]]) for t in mine)


def captured_tiles(state: Any) -> list[tuple[int, int]]:
    """(kind, captor) of every captured tile."""
    return [(t, s) for t, s in zip(state.stack, state.captor, strict=True) if s != NONE]


def check_draft(state: Any, variant: tkg.Variant) -> None:
    """Every stack holds what its hands drew, and the next one what they did not place."""
    drafting = state.phase == 0
    hands = [[t for t in hand if t != NONE] for hand in state.hands[: state.drafted + drafting]]
    holds = counted_deck(variant)
    for g in range(state.shuffles + 1):
        drawn = [hand for h, hand in enumerate(hands) if state.hand_stack[h] == g]
        assert Counter(t for hand in drawn for t in hand) <= holds, f"stack {g} does not hold what was drawn from it"
        if g < state.shuffles:
            holds -= Counter(hand[0] for hand in drawn)
    gone = []  # drafted tiles that have been captured
    for h in range(state.drafted):
        cell = state.hand_cell[h]
        if state.cell_hand[cell] == h:
            assert state.board[cell] == hands[h][0]
        else:
            gone.append(hands[h][0])
    captured = Counter(t for t, _ in captured_tiles(state))
    assert Counter(gone) <= captured
    if not drafting:
        refills = [t for t, h in zip(state.board, state.cell_hand, strict=True) if h == NONE and t != NONE]
        left = Counter(state.stack[state.drawn : state.stacked])
        assert left + Counter(refills) + captured - Counter(gone) == holds

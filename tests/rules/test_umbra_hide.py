"""What a seat of Umbra Via imagines: hands as likely as they are, every bid that can be made of them, any order of tiles."""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import Any

import pytest
from playing import amount, played

import tkg
from tkg.rules import calls

Hand = tuple[int, int]  # energy and soul flowers
OPEN = [
    name
    for name in tkg.GAMES["umbra"].STATE.names
    if name not in ("stack", "energy", "soul", "hand", "bid", "options", "luck")
]


def imagined(game: tkg.Game, seat: int, key: int) -> Any:
    states = game.states
    calls.hide(states, game.variant.packed, seat, key)
    return states[0]


def hands(bag: Hand, n: int) -> dict[Hand, float]:
    """How likely every hand of n flowers is that can be drawn from a bag."""
    found = {(n - s, s): comb(bag[0], n - s) * comb(bag[1], s) / comb(sum(bag), n) for s in range(n + 1)}
    return {hand: p for hand, p in found.items() if p}


def as_likely(found: Counter[Any], expected: dict[Any, float]) -> None:
    """Every outcome comes up about as often as it should, and no other."""
    n = found.total()
    assert set(found) <= set(expected), "what cannot have been"
    for outcome, p in expected.items():
        assert abs(found[outcome] - n * p) <= 5 * (n * p * (1 - p)) ** 0.5 + 1, outcome


@pytest.mark.parametrize(
    ("decided", "settings"),
    [
        (0, {"players": 3, "energy": 9, "soul": 6, "soul_on_tile": 1}),
        (1, {"players": 3, "energy": 9, "soul": 6, "soul_on_tile": 1}),
        (2, {"players": 3, "energy": 9, "soul": 6, "soul_on_tile": 1, "draw": 2}),
        (3, {"players": 4, "energy": 3, "soul": 3, "soul_on_tile": 1, "altar": 2}),  # which draws all but one
        (2, {"players": 3, "energy": 3, "soul": 2, "soul_on_tile": 1, "draw": 6, "altar": 2}),  # which draws all
    ],
)
def test_hands_of_others_are_drawn_again(decided: int, settings: dict[str, Any]) -> None:
    """From what bag and hand hold together, for every seat that looks; a bid that is not revealed is made anew of it."""
    game = played(tkg.umbra(**settings), 5, actions=decided)
    true, n = game.states[0], amount(2500, least=150)
    for seat in range(game.variant.players):
        drawn: dict[int, Counter[Hand]] = {s: Counter() for s in range(game.variant.players)}
        bids: dict[int, Counter[tuple[Hand, int]]] = {s: Counter() for s in range(decided)}
        for key in range(n):
            state = imagined(game, seat, key)
            for s, found in drawn.items():
                hand = (int(state.hand[s, 0]), int(state.hand[s, 1]))
                found[hand] += 1
                if s < decided:
                    bids[s][hand, int(state.bid[s])] += 1
        for s, found in drawn.items():
            own = (int(true.hand[s, 0]), int(true.hand[s, 1]))
            bag = (int(true.energy[s]) + own[0], int(true.soul[s]) + own[1])
            as_likely(found, {own: 1.0} if s == seat else hands(bag, sum(own)))
        for s, told in bids.items():
            if s == seat:
                assert {bid for _, bid in told} == {int(true.bid[s])}
                continue
            ways = {hand: bids_of(game.variant.altar, hand) for hand in drawn[s]}
            for hand, made in ways.items():
                as_likely(
                    Counter({bid: k for (h, bid), k in told.items() if h == hand}), dict.fromkeys(made, 1 / len(made))
                )


def bids_of(places: int, hand: Hand) -> set[int]:
    """Every bid of a hand, as the state holds it: three bits for each amount."""
    found = {(0,) * 2 * places}
    for flower, n in enumerate(hand):
        for _ in range(n):
            found = {(*bid[:at], bid[at] + 1, *bid[at + 1 :]) for bid in found for at in range(flower, 2 * places, 2)}
    return {sum(k << 3 * at for at, k in enumerate(bid)) for bid in found}


@pytest.mark.parametrize("seed", range(amount(6, least=1)))
def test_what_is_open_stays(seed: int) -> None:
    """At every decision: only hands, what is left of bags, unseen bids and the order of the stack change."""
    variant = tkg.umbra(players=3, side=3, specials=True, max_rounds=amount(8, least=3))
    game = tkg.new(variant, seed)
    while not game.over:
        before = game.states[0]
        for seat in range(variant.players):
            after = imagined(game, seat, seed)
            for name in OPEN:
                assert (after[name] == before[name]).all(), name
            left = slice(int(before.drawn), int(before.stacked))
            assert (after.stack[: left.start] == before.stack[: left.start]).all()
            assert (after.stack[left.stop :] == before.stack[left.stop :]).all()
            assert sorted(after.stack[left].tolist()) == sorted(before.stack[left].tolist())
            assert (after.energy + after.hand[:, 0] == before.energy + before.hand[:, 0]).all()
            assert (after.soul + after.hand[:, 1] == before.soul + before.hand[:, 1]).all()
            assert (after.hand.sum(axis=1) == before.hand.sum(axis=1)).all()
            for name in ("energy", "soul", "hand", "bid"):
                assert (after[name][seat] == before[name][seat]).all(), name
                assert before.phase == 0 or (after[name] == before[name]).all(), name
        game = played(variant, seed, len(game.actions) + 1)


def test_every_order_of_the_stack_comes_up() -> None:
    """Each tile that is left is as likely on top as any other."""
    game, n = tkg.new(tkg.umbra(tiles="straight:3,curve:5,point:2", altar=2), 1), amount(2000, least=150)
    state = game.states[0]
    left = Counter(state.stack[int(state.drawn) : int(state.stacked)].tolist())
    for place in (int(state.drawn), int(state.stacked) - 1):
        found = Counter(int(imagined(game, 0, key).stack[place]) for key in range(n))
        as_likely(found, {kind: k / left.total() for kind, k in left.items()})


def test_the_options_of_who_decides_go_with_the_hand_that_is_imagined() -> None:
    """Also where a seat looks that does not decide: what it imagines can be played on."""
    game = tkg.new(tkg.umbra(players=3, soul_on_tile=1), 1)
    counts = set()
    for seat in (1, 2):
        for key in range(40):
            states = game.states
            calls.hide(states, game.variant.packed, seat, key)
            hand = (int(states[0].hand[0, 0]), int(states[0].hand[0, 1]))
            options = calls.options(states, game.variant.packed).tolist()
            assert {action & (1 << 40) - 1 for action in options} == bids_of(4, hand)
            counts.add(len(options))
    assert len(counts) > 1


@pytest.mark.parametrize("decided", [0, 1, 2, 3])
def test_a_view_holds_nothing_that_is_hidden(decided: int) -> None:
    """Dealt anew, the others' hands and bids and the stack leave no trace in the plain data of a seat."""
    game = played(tkg.umbra(players=4, soul_on_tile=4), 2, actions=decided)
    for seat in range(4):
        seen = game.view(seat + 1)
        others = set()
        for key in range(amount(60, least=10)):
            state = imagined(game, seat, key)
            others.add(b"".join(state[name].tobytes() for name in ("hand", "bid", "stack", "options")))
            assert game.rules.view(state, game.variant, seat) == seen
        assert len(others) > 5
    views = [game.view(seat + 1) for seat in range(4)]
    assert [view["bid"] for view in views] == [action.removeprefix("bid ") for action in game.actions] + [None] * (
        4 - decided
    )

"""A hunt for broken rules: random variants, tile sets and play beside the slow and simple second rulebook."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import event, given, note, settings
from hypothesis import strategies as st
from umbra_oracle import KIND_OF, NONE, PLACES, Table, check_sound

import tkg
from tkg.rules import calls
from tkg.rules.calls import SILENT
from tkg.rules.kernel import records
from tkg.rules.results import told

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")  # numbers that overflow, with the compiler off


@st.composite
def variants(draw: st.DrawFn) -> tkg.Variant:
    """Any variant; small boards, small bags and short games more often than others, since what is odd happens there."""
    few = st.one_of(st.integers(0, 3), st.integers(0, 9))
    tiles = dict(zip(["straight", "curve", "tee"], draw(st.tuples(few, few, few)), strict=True))
    tiles |= dict(
        zip(["point", "void", "block"], draw(st.tuples(*[st.sampled_from([0, 0, 1, 3, 9])] * 3)), strict=True)
    )
    if not any(tiles.values()):
        tiles["tee"] = 1
    soul = draw(st.one_of(st.integers(1, 20), st.integers(1, 255)))
    return tkg.umbra(
        players=draw(st.integers(2, 4)),
        side=draw(st.sampled_from([3, 3, 4, 4, 5, 6])),
        tiles=tiles if draw(st.booleans()) else tkg.umbra(specials=draw(st.booleans())).tiles,
        altar=draw(st.integers(2, 6)),
        energy=draw(st.one_of(st.integers(1, 40), st.integers(1, 255))),
        soul=soul,
        soul_on_tile=draw(st.one_of(*[st.integers(1, min(soul, 4))] * 3, st.integers(1, soul))),
        draw=draw(st.sampled_from([1, 2, 2, 3, 3, 4, 5])),
        biddings=draw(st.sampled_from([1, 1, 2, 2, 3, 4])),
        soul_worth=draw(st.integers(1, 9)),
        claim_length=draw(st.sampled_from([1, 2, 2, 3, 4, 9])),
        tile_worth=draw(st.sampled_from([1, 2, 2, 3, 9])),
        max_rounds=draw(st.sampled_from([1, 3, 9, 20, 20])),
        **{r.name: draw(st.sampled_from(r.options)) for r in tkg.GAMES["umbra"].READINGS},
    )


seeds = st.integers(0, (1 << 53) - 1)
styles = st.sampled_from(["any", "closer", "closer", "opener"])


def pick(table: Table, options: list[str], style: str, random: Random) -> str:
    """One of the options: closers complete paths, as many as they can; openers place where fewest tiles lie around."""
    tries = random.sample(options, min(len(options), 12))
    if style == "any" or table.kind != "place":
        return tries[0]
    if style == "closer":
        return max(tries, key=lambda text: completed(table, text[6:]))
    return min(tries, key=lambda text: sum(c in table.board for c in table.beside(text[6:]).values()))


def completed(table: Table, cell: str) -> int:
    """How many paths the tile that is being placed would complete on a cell."""
    table.board[cell] = table.altar[table.due]
    found = len(table.complete_paths())
    del table.board[cell]
    return found


@given(variant=variants(), seed=seeds, style=styles)
def test_a_second_rulebook_agrees(variant: tkg.Variant, seed: int, style: str) -> None:
    """Options, position and result, decision by decision; and what must always be true of the state."""
    game = tkg.new(variant, seed)
    table = Table(variant, game.chance)
    random = Random(seed)
    note(str(variant.plain()))
    while True:
        note(f"{game.actions[-1:]}")
        legal = game.legal
        assert len(set(legal)) == len(legal)
        assert set(legal) == table.options()
        assert game.result == table.result()
        assert len(game.chance) == table.taken
        seat = random.randrange(variant.players)
        compare(game.view(seat + 1), table, seat)
        check_sound(game.states[0], variant)
        if game.over:
            break
        assert (game.seat, game.kind) == (table.decider + 1, table.kind)
        action = pick(table, legal, style, random)
        game.play(action)
        table.play(action, game.chance)
    check_outcome(game, table)
    event(f"ends by {table.ending}")
    for what in table.met:
        event(what)


def check_outcome(game: tkg.Game, table: Table) -> None:
    winners = table.result()["winners"]
    assert game.outcome is not None
    assert game.outcome.winners == tuple(winners)
    shares = [1 / len(winners) if seat + 1 in winners else 0.0 for seat in table.seats]
    assert game.outcome.payoffs == tuple(shares)
    if len(table.claimed) > 1:
        event("victory shared")


def compare(view: dict[str, Any], table: Table, seat: int) -> None:
    """What a seat sees is what lies on the other table, and nothing of what it may not see."""
    bidding = table.kind == "bid" and not table.ending
    assert view["track"] == [s + 1 for s in table.track]
    for cell, shown in view["cells"].items():
        assert shown["tile"] == table.board.get(cell)
        assert shown["energy"] == [table.energy[cell][s] for s in table.seats]
    if not table.ending:
        for place, shown in view["altar"].items():
            assert shown["tile"] == table.altar.get(place)
            lying = table.lying.get(place, Counter())
            assert shown["flowers"] == [[lying[s, "E"], lying[s, "S"]] for s in table.seats]
        assert (view["round"], list(view["altar"])) == (table.rounds, list(PLACES[: len(view["altar"])]))
    for s, shown in enumerate(view["seats"]):
        drawn = table.hand[s]
        assert shown["bag"] == [table.bag[s][flower] + drawn.count(flower) for flower in "ES"]
        assert (shown["drawn"], shown["soul_tile"]) == (len(drawn), table.on_tile[s])
        assert shown["decided"] == (bidding and s < len(table.bids))
    assert view["hand"] == [table.hand[seat].count(flower) for flower in "ES"]
    assert view["bid"] == (table.bids[seat] if bidding and seat < len(table.bids) else None)
    assert +Counter(view["stack"]) == Counter(table.stack)
    assert +Counter(view["discard"]) == +table.discard


# Flowers enough for a placement, and no luck after it.
SHORT = {"tiles": "straight:6,curve:6,tee:6,point:1", "altar": 2, "energy": 60, "max_rounds": 1}


@settings(max_examples=4 * settings.default.max_examples)
@given(variant=variants().map(lambda variant: variant.but(**SHORT, players=max(3, variant.players))), seed=seeds)
def test_paths_on_crowded_boards(variant: tkg.Variant, seed: int) -> None:
    """Boards as games seldom have them: the tile at hand closes many paths at once, or goes to the last cell."""
    if seed % 3 == 0:
        variant = variant.but(rank_tie="share", half_of="paid")  # which matter to each other
    game, random = tkg.new(variant, seed), Random(seed)
    table = Table(variant, game.chance)
    while table.kind != "place":
        action = random.choice(game.legal)
        game.play(action)
        table.play(action, game.chance)
    states = game.states
    crowd(table, states[0], variant, random)
    rules = game.rules
    for cell in random.sample(table.cells(), min(len(table.cells()), 4)):
        twin, after, out = deepcopy(table), states.copy(), records(rules.RESULT)
        twin.play(f"place {cell}", game.chance)
        calls.play(after, variant.packed, rules.action_of(rules.DO_PLACE, list(table.place_of).index(cell)), SILENT)
        calls.result(after, variant.packed, out)
        assert told(rules, variant.players, out[0]) == twin.result()
        options = calls.options(after, variant.packed).tolist()
        assert {rules.text(variant, after[0], option) for option in options} == twin.options()
        compare(rules.view(after[0], variant, 0), twin, 0)
        for what in twin.met:
            event(what)
        event(f"{twin.summonings} paths")


def crowd(table: Table, state: Any, variant: tkg.Variant, random: Random) -> None:
    """Lay the same tiles and flowers on both boards, at random, without a path that is complete already."""
    table.on_tile = [random.choice([0, 1, 2, 4, 30]) for _ in table.seats]
    few = random.choice([(0, 0, 0, 0, 0, 0, 1), (0, 0, 0, 1), (0, 0, 1, 2)])  # players are level, or seldom so
    holes = random.sample(list(table.place_of), random.choice([1, 1, 2, 3, len(table.place_of) // 2]))
    for cell in table.place_of:
        table.energy[cell] = Counter({s: random.choice(few) for s in table.seats})
        if cell not in holes:
            table.board[cell] = random.choice([*KIND_OF, "point"])
    while paths := table.complete_paths():
        for path in paths:
            table.board |= dict.fromkeys(path, "point")  # which closes what opens on it, perhaps the next path
    state.soul_tile[: len(table.seats)] = table.on_tile
    codes = tkg.GAMES["umbra"].TILE_CODES
    for n, cell in enumerate(table.place_of):
        tile = codes.get(table.board.get(cell, ""), NONE)
        state.board[n] = tile
        state.tiles |= (tile != NONE) << n
        for side in range(4):
            state.opens[side] |= (0 < tile < 16 and tile >> side & 1) << n
        for seat in table.seats:
            state.on[n, seat] = table.energy[cell][seat]


@settings(max_examples=settings.default.max_examples // 4)
@given(variant=variants(), seed=seeds)
def test_games_come_back(variant: tkg.Variant, seed: int) -> None:
    """A game is undone to its start and made again from its record, whatever the variant."""
    game = tkg.new(variant, seed)
    random = Random(seed)
    reached = [game.states.tobytes()]
    while not game.over:
        game.play(random.choice(game.legal))
        reached.append(game.states.tobytes())
    again = tkg.from_record(tkg.to_record(game), finished=True)
    for twin in (game, again):
        for state in reversed(reached):
            assert twin.states.tobytes() == state
            if twin.actions:
                twin.undo()

"""The searching bots: fair, stateless, right where the truth can be worked out, and the stronger the more they search."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest
from playing import LONG, amount, played, state_of

import tkg
from tkg.bots.loop import make_room, play, ponder
from tkg.bots.search import make_tree
from tkg.bots.table import OWN_BOTS, STYLES, bot_code, peeks, take_apart
from tkg.rules import calls
from tkg.rules.calls import SILENT
from tkg.rules.chance import SEARCH, derive_exact
from tkg.rules.games import GAMES, rules_of
from tkg.rules.kernel import COMPILING
from tkg.rules.knobs import Variant

Z = 1.96  # of the two-sided 95% level
compiled = pytest.mark.skipif(not COMPILING, reason="thousands of games")


def chosen(variant: Variant, states: np.ndarray, bot: str, seed: int) -> int:
    """The action that a bot chooses in a position, as in bulk play."""
    codes = np.full((1, variant.seats), bot_code(variant.game, bot), np.int64)
    script = np.empty((1, 1), np.int64)
    play(variant, np.array([seed], np.int64), codes, np.zeros(1, np.int64), script, root=states.copy(), most=1)
    return int(script[0, 0])


def win_shares(variant: Variant, bots: str | list[str], games: int, seed: int) -> dict[str, float]:
    table = tkg.simulate(variant, bots, games, seed)
    return dict(table.group_by(pl.col("bot").cast(pl.String)).agg(pl.col("win").mean()).iter_rows())


def last_to_bid(seed: int) -> tkg.Game:
    """Umbra Via with four players, where the fourth bids."""
    game = tkg.new(tkg.umbra(players=4), seed)
    while game.kind != "bid" or game.seat != 4:
        game.play(game.legal[seed % len(game.legal)])
    return game


@pytest.mark.parametrize("seed", range(3))
def test_every_iteration_counts_for_who_bids_last(seed: int) -> None:
    """Those who bid before are begun anew in every iteration, and take none of the room that the last one needs."""
    for iterations in (1, 4, 25):
        assert tkg.estimate(last_to_bid(seed), f"mcts:{iterations}").visits == iterations


def test_a_bot_chooses_alike_beside_one_that_thinks_longer() -> None:
    """The room that the longest search at the table needs is there for all, and used by none of the others."""
    game, found = last_to_bid(1), []
    states, variant = game.states, game.variant
    codes = np.full((1, variant.seats), bot_code("umbra", "mcts:4"), np.int64)
    for most in (4, 400):
        scripts = np.empty((20, 1), np.int64)
        for seed in range(20):
            room = make_room(variant, codes)._replace(tree=make_tree(most))
            play(
                variant, np.array([seed]), codes, np.zeros(1, np.int64), scripts[seed : seed + 1],
                root=states.copy(), most=1, room=room,
            )  # fmt: skip
        found.append(scripts[:, 0].tolist())
    assert found[0] == found[1]
    assert len(set(found[0])) > 1


def test_where_one_option_is_proposed_no_time_is_spent() -> None:
    """The rest of a planned Move action is moved at once, though the rules leave a choice at every step."""
    game = tkg.new(tkg.rift(), 2)
    while game.kind != "move" or len(game.legal) < 2:
        game.play(game.legal[-1])
    assert tkg.estimate(game, "mcts:20s").visits < 20_000


# --- Fair -----------------------------------------------------------------------------------------------------

HIDING = {
    "rift": [{}, {"deck": "one_to_four", "supply": 9}],
    "cosmic": [{}, {"players": 3, "side": 3, "layout": "free"}],
    "umbra": [{"max_rounds": 8}, {"players": 3, "draw": 2, "max_rounds": 5, "specials": True}],
}


def fair_bots(game: str) -> list[str]:
    styled = [f"{bot}-{style}" for style in STYLES[game] for bot in ("greedy", "mcts:6")]
    return ["random", "greedy", *OWN_BOTS[game], "uct:12", "mcts:12", *styled]


def test_hidden_facts_change_no_choice(game: str) -> None:
    """What a seat cannot know is dealt otherwise, five times: from the same seed every fair bot chooses the same."""
    differs = 0
    for settings in HIDING[game]:
        variant = Variant(rules_of(game), **settings)
        for seed in range(amount(4)):
            for decisions in (2 * seed, 9 + 4 * seed):
                table = played(variant, seed, decisions)
                if table.over:
                    continue
                others = []
                for dealing in range(5):
                    states = table.states
                    calls.hide(states, variant.packed, table.seat - 1, np.uint64(derive_exact(dealing, 3)))
                    others.append(states)
                for bot in fair_bots(game):
                    assert len({chosen(variant, states, bot, seed) for states in (table.states, *others)}) == 1, bot
                differs += len({chosen(variant, states, "peek:12", seed) for states in others}) > 1
    assert differs or not COMPILING, "the test would not notice a bot that sees what is hidden"


@compiled
@pytest.mark.parametrize(
    ("variant", "iterations", "games"),
    [pytest.param(tkg.rift(supply=6), 6, 100, marks=pytest.mark.long), (tkg.umbra(), 30, 50)],
    ids=str,
)
def test_the_peeking_twin_beats_the_fair_bot(variant: Variant, iterations: int, games: int) -> None:
    """Where hiding matters, seeing everything pays; else the fair bot would see it too."""
    bots = [f"mcts:{iterations}", f"peek:{iterations}"]
    if variant.seats == 1:
        fair, peeking = (tkg.simulate(variant, bot, games, 11)["win"].mean() for bot in bots)
        assert peeking - fair > Z * (2 * 0.25 / games) ** 0.5
    else:
        assert win_shares(variant, bots, games, 11)[bots[1]] > 0.5 + Z * (0.25 / games) ** 0.5


def test_only_peeking_bots_are_told_to_peek() -> None:
    assert peeks("peek:100")
    assert not any(peeks(bot) for game in GAMES for bot in fair_bots(game))


# --- Stateless ------------------------------------------------------------------------------------------------


def test_a_bot_that_has_played_plays_like_a_fresh_one(game: str) -> None:
    """Games played one after the other by the same bots, in the same trees, come out as each does alone."""
    variant = Variant(rules_of(game), **HIDING[game][-1])
    bots = ["mcts:8", "uct:8", "mcts:3"][: variant.seats]
    run = tkg.simulate(variant, bots, games=amount(6, 2), seed=3, workers=1)
    for row in range(0, len(run), variant.seats * len(bots) if variant.seats == 1 else variant.seats):
        assert tkg.game_of(run, row).over


def test_a_search_is_settled_by_its_seed(game: str) -> None:
    variant = Variant(rules_of(game), **HIDING[game][0])
    table = played(variant, 4, 6)
    first, again = (tkg.estimate(table, "mcts:40", seed=5) for _ in range(2))
    assert first.options == again.options
    assert first.values == again.values
    assert tkg.estimate(table, "mcts:40", seed=6).options != first.options
    kept = state_of(table)
    tkg.answer(table, "mcts:10")
    assert state_of(table) == kept, "a bot that is asked has moved the pieces"


def test_level_options_are_chosen_by_lot() -> None:
    """On an empty layout that lies open to symmetry the first placements are level, and the seed picks one."""
    table = tkg.new(tkg.cosmic(side=3, layout="dealt", deck={"F": 20}), 1)
    assert len({tkg.estimate(table, "mcts:10", seed=seed).best for seed in range(amount(20, 4))}) > 1


# --- Right ----------------------------------------------------------------------------------------------------


def after(variant: Variant, states: np.ndarray, action: int) -> np.ndarray:
    following = states.copy()
    calls.play(following, variant.packed, action, SILENT)
    return following


def solved(variant: Variant, states: np.ndarray) -> tuple[float, ...]:
    """What every seat gets if each plays for its own share of the victory; nothing hidden matters in the variant."""
    payoffs = np.zeros(variant.seats)
    if calls.outcome(states, variant.packed, payoffs):
        return tuple(payoffs)
    seat = int(calls.seat(states))
    ways = [solved(variant, after(variant, states, int(a))) for a in calls.options(states, variant.packed)]
    return max(ways, key=lambda way: way[seat])


@compiled
@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_finds_the_best_move_where_the_rest_of_the_game_can_be_worked_out(players: int) -> None:
    """Cosmic Alignments on 3 x 3 tiles of one kind, two turns before the turns run out: every way it can go is tried.

    With three and four seats a search that took another's gain for its own loss, or that saw two sides only, fails here.
    """
    variant = tkg.cosmic(side=3, players=players, layout="dealt", deck={"FW": 40}, max_turns=6 * players, life=12)
    told_apart = 0
    for seed in range(60):
        table = played(variant, seed)
        while not table.over or table.states["turn"][0] > variant.max_turns - 2 or table.kind != "place":
            if not table.actions:
                break
            table.undo()
            if not table.over and table.states["turn"][0] <= variant.max_turns - 2 and table.kind == "place":
                break
        if table.over or not 1 < len(table.legal) <= 9:
            continue
        seat = table.seat - 1
        worth = {a: solved(variant, table.copy().play(a).states)[seat] for a in table.legal}
        if max(worth.values()) - min(worth.values()) < 1e-9:
            continue
        best = tkg.estimate(table, "mcts:2000", seed=seed).best
        assert worth[best] == pytest.approx(max(worth.values())), (seed, worth)
        told_apart += 1
    assert told_apart >= 3


def hands(state: Any, variant: Variant) -> list[tuple[list[int], float]]:
    """The next three tiles of a stack, each set of them with its chance."""
    stack = [int(t) for t in state.deck[int(state.drawn) : int(variant.packed[0].tiles)]]
    found: dict[tuple[int, ...], int] = {}
    for places in combinations(range(len(stack)), min(3, len(stack))):
        hand = tuple(sorted(stack[i] for i in places))
        found[hand] = found.get(hand, 0) + 1
    total = sum(found.values())
    return [([*hand], n / total) for hand, n in found.items()]


def chances(variant: Variant, states: np.ndarray, known: dict[bytes, float]) -> float:
    """The chance to win of a player who plays A Rift of Portals as well as can be."""
    payoffs = np.zeros(1)
    if calls.outcome(states, variant.packed, payoffs):
        return float(payoffs[0])
    key = states.tobytes()
    if key not in known:
        known[key] = max(chance_after(variant, states, int(a), known) for a in calls.options(states, variant.packed))
    return known[key]


def chance_after(variant: Variant, states: np.ndarray, action: int, known: dict[bytes, float]) -> float:
    """The same once an action has been played, on average over what may be drawn then."""
    drawn = int(states["drawn"][0])
    one = after(variant, states, action)
    if int(one["drawn"][0]) == drawn:
        return chances(variant, one, known)
    total = 0.0
    for hand, share in hands(states[0], variant):
        dealt = states.copy()
        end = int(variant.packed[0].tiles)
        rest = sorted(int(t) for t in dealt["deck"][0, drawn:end])
        for tile in hand:
            rest.remove(tile)
        dealt["deck"][0, drawn:end] = hand + rest
        total += share * chances(variant, after(variant, dealt, action), known)
    return total


@compiled
def test_it_finds_the_best_plan_where_every_draw_can_be_worked_out() -> None:
    """A Rift of Portals with few tiles and a ring that need not be full: the chance to win after each option, exactly."""
    variant = tkg.rift(deck={"F": 3, "W": 3, "FW": 3}, supply=4, full_boundary=False)
    known: dict[bytes, float] = {}
    told_apart = lost = 0
    for seed in range(40):
        table = tkg.play_again(variant, "random", seed)
        table.undo(len(table.actions) - 1)
        states = table.states
        drawn = int(states["drawn"][0])
        states["deck"][0, drawn:9] = np.sort(states["deck"][0, drawn:9])
        worth = {
            table.rules.text(variant, states[0], int(a)): chance_after(variant, states, int(a), known)
            for a in calls.options(states, variant.packed)
        }
        best = max(worth.values())
        if best - min(worth.values()) > 0.02:
            told_apart += 1
            found = tkg.estimate(table, "mcts:2000", seed=seed)
            assert found.visits > 1, "a search with one option is none"
            lost += worth[found.best] < best - 0.02
    assert told_apart >= 10
    assert lost == 0


# --- Stronger -------------------------------------------------------------------------------------------------

# By game: a variant in which there is something to gain, and budgets; the last of them in the long hunt alone.
STEPS = {"rift": ({"supply": 9}, (1, 2, 8)), "cosmic": ({}, (2, 6, 25)), "umbra": ({}, (2, 6, 25))}


@compiled
@pytest.mark.parametrize(
    "game", [game if game == "umbra" else pytest.param(game, marks=pytest.mark.long) for game in GAMES]
)
def test_no_step_up_the_budget_loses(game: str) -> None:
    """400 games a step: at the 99% level nobody plays worse for searching more."""
    settings, budgets = STEPS[game]
    variant = Variant(rules_of(game), **settings)
    for fewer, more in pairwise(budgets if LONG else budgets[:-1]):
        bots = [f"mcts:{fewer}", f"mcts:{more}"]
        if variant.seats == 1:
            less, better = (tkg.simulate(variant, bot, 400, 21)["win"].to_numpy() for bot in bots)
            difference = better.astype(float) - less
            assert difference.mean() > -2.58 * difference.std() / 400**0.5
        else:
            assert win_shares(variant, bots, 400, 21)[bots[1]] > 0.5 - 2.58 * (0.25 / 400) ** 0.5


# --- Estimates ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", ["random", "greedy", "uct:30", "mcts:30", "peek:30", "mcts:0.05s"])
def test_an_estimate_adds_up(game: str, bot: str) -> None:
    variant = Variant(rules_of(game), **HIDING[game][-1])
    table = played(variant, 2, 5)
    found = tkg.estimate(table, bot)
    assert found.bot == bot
    assert found.seat == table.seat
    assert len(found.values) == variant.seats
    assert sum(found.values) == pytest.approx(1.0) or variant.seats == 1
    assert all(0 <= value <= 1 for value in found.values)
    assert found.visits == sum(option.visits for option in found.options)
    told = [option.action for option in found.options]
    assert set(told) <= set(table.legal)
    assert len(set(told)) == len(told)
    assert all(option.visits > 0 for option in found.options)
    assert [option.visits for option in found.options] == sorted((o.visits for o in found.options), reverse=True)
    own = sum(option.visits * option.value for option in found.options) / found.visits
    assert own == pytest.approx(found.values[table.seat - 1])


def test_plans_that_begin_alike_are_told_as_one_option() -> None:
    """The Rift's search tries whole turns: of those with the same first action visits add up, and values with them."""
    table = played(tkg.rift(), 2, 7)
    found = tkg.estimate(table, "mcts:60")
    tree = make_tree(60)
    code, key = bot_code("rift", "mcts:60"), derive_exact(derive_exact(0, SEARCH), len(table.actions))
    ponder(table.variant, code, table.states, key >> 1, 0, 60, tree)
    plans: dict[str, list[tuple[int, float]]] = {}
    for i in range(int(tree.sizes[0])):
        first = table.rules.text(table.variant, table.states[0], int(tree.actions[0, i]))
        plans.setdefault(first, []).append((int(tree.tries[0, i]), float(tree.values[0, i, 0])))
    assert max(len(begun_so) for begun_so in plans.values()) > 1
    for option in found.options:
        tries = sum(n for n, _ in plans[option.action])
        assert option.visits == tries
        assert option.value == pytest.approx(sum(won for _, won in plans[option.action]) / tries)
    tried = {first for first, begun_so in plans.items() if any(n for n, _ in begun_so)}
    assert tried == {option.action for option in found.options}


def test_an_answer_is_what_bulk_play_plays(game: str) -> None:
    variant = Variant(rules_of(game), **HIDING[game][-1])
    bot = "mcts:4" if COMPILING else "greedy"
    whole = tkg.play_again(variant, bot, 7)
    table = tkg.new(variant, 7)
    while not table.over and len(table.actions) < amount(1000, 20):
        table.play(tkg.answer(table, bot))
    assert table.actions == whole.actions[: len(table.actions)]


def test_what_cannot_be_asked_is_refused(game: str) -> None:
    over = played(Variant(rules_of(game)), 1)
    begun = tkg.new(Variant(rules_of(game)), 1)
    for ask in (tkg.estimate, tkg.answer):
        with pytest.raises(tkg.Refused, match="over"):
            ask(over, "greedy")
        with pytest.raises(tkg.Refused, match=r"no bot 'gredy'.*did you mean greedy"):
            ask(begun, "gredy")
    with pytest.raises(tkg.Refused, match="bound in tables and plays with nobody"):
        tkg.answer(begun, "peek:10")


# --- Names ----------------------------------------------------------------------------------------------------


def test_a_name_tells_bot_iterations_and_style(game: str) -> None:
    style = STYLES[game][0]
    assert take_apart(game, "greedy") == ("greedy", 0, "")
    assert take_apart(game, f"mcts:100-{style}") == ("mcts", 100, style)
    names = [f"{b}{s}" for b in ("random", "greedy", "uct:5", "mcts:5", "mcts:6", "peek:5") for s in ("", f"-{style}")]
    assert len({bot_code(game, name) for name in names}) == len(names)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("mcts", "mcts is named with its iterations a decision.*such as mcts:100"),
        ("mcts:", "from 1 to 100,000"),
        ("mcts:0", "from 1 to 100,000"),
        ("mcts:1e3", "from 1 to 100,000"),
        ("mcts:100001", "from 1 to 100,000"),
        ("mcts:-5", "no style '5'|from 1 to"),
        ("uct:0.2s", "bots named by time play on boards alone"),
        ("mcts:0.2s", "bots named by time play on boards alone"),
        ("greedy:100", "greedy does not search"),
        ("mtcs:100", "did you mean mcts"),
    ],
)
def test_a_wrong_name_is_told(game: str, name: str, words: str) -> None:
    with pytest.raises(tkg.Refused, match=words):
        tkg.simulate(Variant(rules_of(game)), name, 1)

"""A hunt for broken rules: random variants, decks and play beside a slow and simple second rulebook.

`Table` is A Rift of Portals written again in plain Python from the rule page alone, with no thought of speed: it moves
real tiles and Oinks about, and looks for the options of a Move action by trying every way to finish it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import event, given, note, settings
from hypothesis import strategies as st

import tkg

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")  # numbers that overflow, with the compiler off

ELEMENTS = "FWAE"
PATIENCE = 800  # positions that one search may look at


class TooDeep(Exception):
    """The search has looked at more positions than it has patience for."""


class Table:
    """One game on a table: the shuffled deck is known, actions are told in the notation of records."""

    def __init__(self, variant: tkg.Variant, deck: Sequence[str]):
        self.variant = variant
        side = variant.side
        letters = [c for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if c not in "IOX"]
        names = iter(letters + [first + second for first in letters for second in letters])
        self.place = {
            next(names): (row, column)
            for row in range(side)
            for column in range(side)
            if row in (0, side - 1) or column in (0, side - 1)
        }
        supply = variant.supply
        self.supply = list(supply) if isinstance(supply, tuple) else [supply] * 4
        self.gate, self.void = [0] * 4, [0] * 4
        self.tiles: dict[str, str] = {}  # by cell
        self.oinks: dict[str, list[int]] = {}  # by cell with a tile
        self.stack = list(deck)
        self.discards: list[str] = []
        self.aside: list[str] = []
        self.counts = dict.fromkeys(["turns", "refused_builds", "refused_moves", "replacements", "unmatched"], 0)
        self.hand = self.draw(3 if variant.gate == "tile" else 2)
        self.phase = "keep"

    def draw(self, n: int) -> list[str]:
        drawn, self.stack = self.stack[:n], self.stack[n:]
        return drawn

    # --- Places

    def adjacent(self, a: tuple[int, int], b: tuple[int, int]) -> bool:
        rows, columns = abs(a[0] - b[0]), abs(a[1] - b[1])
        if self.variant.adjacency == "all":
            return max(rows, columns) == 1
        return rows + columns == 1

    def built_beside(self, cell: str) -> list[str]:
        return [other for other in self.tiles if self.adjacent(self.place[cell], self.place[other])]

    def beside_inside(self, cell: str) -> bool:
        inner = range(1, self.variant.side - 1)
        return any(self.adjacent(self.place[cell], (row, column)) for row in inner for column in inner)

    # --- Options

    def options(self) -> set[str]:
        """Every legal action."""
        kind, hand = self.phase, set(self.hand)
        if kind in ("keep", "gain"):
            return self.affordable({f"{kind} {tile}": tile for tile in hand}, set())
        if kind == "build":
            placed = {text for tile in hand for text in self.placings(tile)}
            return self.affordable({f"refuse {tile}": tile for tile in hand}, placed)
        if kind == "move":
            moves = {text for text in self.single_moves() if self.can_be_completed(text)}
            if self.begun:
                return moves
            return self.affordable({f"refuse {tile}": tile for tile in hand}, moves)
        return set()

    def affordable(self, for_oinks: dict[str, str], others: set[str]) -> set[str]:
        """All options, less those that the supply falls short of if there are others (`shortfall: illegal`)."""
        short = {
            text
            for text, tile in for_oinks.items()
            if any(tile.count(e) > n for e, n in zip(ELEMENTS, self.supply, strict=True))
        }
        every = set(for_oinks) | others
        if self.variant.shortfall == "illegal" and every - short:
            return every - short
        return every

    def placings(self, tile: str) -> Iterator[str]:
        for cell in self.place:
            beside = [self.tiles[other] for other in self.built_beside(cell)]
            if cell in self.tiles:
                rule = self.variant.replace
                if rule == "free" or (rule == "matched" and (not beside or self.matches(tile, beside))):
                    yield f"replace {tile}@{cell}"
            elif not self.tiles:
                if self.beside_inside(cell):
                    yield f"build {tile}@{cell}"
            elif beside and self.matches(tile, beside):
                yield f"build {tile}@{cell}"

    def matches(self, tile: str, beside: list[str]) -> bool:
        mine = set(tile) - {"-"}
        match self.variant.build_match:
            case "each":
                return all(mine & set(other) for other in beside)
            case "any":
                return any(mine & set(other) for other in beside)
            case _:
                return bool(mine.intersection(*map(set, beside)))

    # --- Moves

    def single_moves(self) -> Iterator[str]:
        """Every way to serve the next insignia, whatever becomes of the rest."""
        wanted = next(e for e in range(4) if self.need[e])
        mix, hop = self.variant.move_mix, self.variant.hop
        if self.gate[wanted] and (mix or self.way != "tile"):
            for cell in self.tiles:
                yield f"move {ELEMENTS[wanted]} gate>{cell}"
        if not (mix or self.way != "gate"):
            return
        for e in range(4) if self.variant.tile_moves == "any" else [wanted]:
            for cell in self.tiles:
                free = self.oinks[cell][e] if hop == "again" else self.may_leave[cell][e]
                if free > 0:
                    for other in self.links[cell]:
                        yield f"move {ELEMENTS[e]} {cell}>{other}"

    def position(self) -> tuple[Any, ...]:
        """What the rest of a Move action depends on."""
        pools = [self.need, self.gate, *self.oinks.values(), *self.may_leave.values()]
        return (self.way, *map(tuple, pools))

    def can_be_completed(self, text: str, seen: set[Any] | None = None) -> bool:
        """Whether the Move action can be finished after this single move: by trying."""
        undo = self.move(text)
        try:
            return self.finishes(set() if seen is None else seen)
        finally:
            undo()

    def finishes(self, seen: set[Any]) -> bool:
        if not any(self.need):
            return True
        here = self.position()
        if here in seen:
            return False
        seen.add(here)
        if len(seen) > PATIENCE:
            raise TooDeep
        for text in self.single_moves():
            if self.can_be_completed(text, seen):
                return True
        return False

    def move(self, text: str) -> Any:
        """Carry out a single move; what is returned takes it back."""
        _, letter, path = text.split()
        source, target = path.split(">")
        e = ELEMENTS.index(letter)
        wanted = next(i for i in range(4) if self.need[i])
        way, begun = self.way, self.begun
        pool = self.gate if source == "gate" else self.oinks[source]
        leaves = [0] * 4 if source == "gate" else self.may_leave[source]
        pool[e] -= 1
        leaves[e] -= 1
        self.oinks[target][e] += 1
        self.need[wanted] -= 1
        self.way, self.begun = "gate" if source == "gate" else "tile", True

        def undo() -> None:
            pool[e] += 1
            leaves[e] += 1
            self.oinks[target][e] -= 1
            self.need[wanted] += 1
            self.way, self.begun = way, begun

        return undo

    # --- Play

    def play(self, text: str) -> None:
        verb, rest = text.split(" ", 1)
        tile = rest.split("@")[0]
        if verb == "move":
            self.move(text)
            if not any(self.need):
                self.end_turn()
        elif verb == "keep":
            self.hand.remove(tile)
            self.take(tile, self.gate)
            self.discards.append(tile)
            self.aside, self.hand = self.hand, []
            self.begin_turn()
        elif verb == "gain":
            self.hand.remove(tile)
            self.take(tile, self.gate)
            self.discards.append(tile)
            self.phase = "build"
        elif verb == "refuse" and self.phase == "move":
            self.take(tile, self.void)
            self.counts["refused_moves"] += 1
            self.end_turn()
        else:
            self.hand.remove(tile)
            if verb == "refuse":
                self.take(tile, self.void)
                self.discards.append(tile)
                self.counts["refused_builds"] += 1
            else:
                self.put(tile, rest.split("@")[1])
            self.begin_move()

    def take(self, tile: str, pool: list[int]) -> None:
        for e, letter in enumerate(ELEMENTS):
            n = min(tile.count(letter), self.supply[e])
            self.supply[e] -= n
            pool[e] += n

    def put(self, tile: str, cell: str) -> None:
        if cell in self.tiles:
            self.discards.append(self.tiles[cell])
            self.void = [a + b for a, b in zip(self.void, self.oinks[cell], strict=True)]
            self.counts["replacements"] += 1
        self.tiles[cell] = tile
        self.oinks[cell] = [0] * 4

    def begin_turn(self) -> None:
        if len(self.stack) >= 3:
            self.hand, self.phase = self.draw(3), "gain"
        else:
            self.phase = "over"
            self.tidy()

    def begin_move(self) -> None:
        (tile,) = self.hand
        self.phase, self.begun, self.way = "move", False, ""
        self.need = [tile.count(letter) for letter in ELEMENTS]
        self.may_leave = {cell: list(oinks) for cell, oinks in self.oinks.items()}
        self.links = {cell: self.built_beside(cell) for cell in self.tiles}
        if not any(self.need):
            self.end_turn()

    def end_turn(self) -> None:
        self.discards += self.hand
        self.hand = []
        self.counts["turns"] += 1
        self.begin_turn()

    # --- End

    def tidy(self) -> None:
        for cell, tile in self.tiles.items():
            for e, letter in enumerate(ELEMENTS):
                shown, there = tile.count(letter), self.oinks[cell][e]
                stays = there if self.variant.excess == "stay" and shown else min(there, shown)
                self.oinks[cell][e] = stays
                self.void[e] += there - stays
                self.counts["unmatched"] += there - stays

    def side_sums(self) -> list[int]:
        last = self.variant.side - 1
        sides = [(0, 0), (0, last), (1, 0), (1, last)]  # top, bottom, left, right
        return [
            sum(len(tile.strip("-")) for cell, tile in self.tiles.items() if self.place[cell][axis] == where)
            for axis, where in sides
        ]

    def is_matched(self, cell: str) -> bool:
        wanted = Counter(self.tiles[cell].strip("-"))
        if self.variant.coverage == "element":
            wanted = Counter(set(wanted))
        return all(self.oinks[cell][ELEMENTS.index(letter)] >= n for letter, n in wanted.items())

    def result(self) -> dict[str, Any]:
        conditions = {
            "stable_gate": sum(self.gate) >= sum(self.void),
            "equal_sides": len(set(self.side_sums())) == 1,
            "matched": all(self.is_matched(cell) for cell in self.tiles),
            "ring_full": len(self.tiles) == len(self.place),
        }
        asked = [met for name, met in conditions.items() if name != "ring_full" or self.variant.full_boundary]
        return {
            "win": all(asked),
            **conditions,
            "points": sum(map(sum, self.oinks.values())),
            "gate": sum(self.gate),
            "void": sum(self.void),
            "built": len(self.tiles),
            "supply_left": sum(self.supply),
            **self.counts,
        }


# --- Variants, decks, play --------------------------------------------------------------------------------------

letters = st.one_of(
    st.sampled_from(["F", "W", "FW", "FA", "WE", "FF", "WW", "FFF", "FFW", "FWA", "FWAE", "-"]),
    st.lists(st.sampled_from(ELEMENTS), min_size=1, max_size=4),
    st.lists(st.integers(0, 9), min_size=4, max_size=4).map(
        lambda n: "F" * n[0] + "W" * n[1] + "A" * n[2] + "E" * n[3]
    ),
)
tiles = letters.map(lambda found: "".join(sorted(found, key="FWAE-".index)) or "-")
decks = st.builds(
    lambda kinds, n, seed: Counter(Random(seed).choices(kinds, k=n)),
    st.one_of(st.lists(tiles, min_size=1, max_size=3), st.lists(tiles, min_size=1, max_size=10)),
    st.one_of(st.integers(3, 60), st.integers(20, 60), st.integers(3, 200)),
    st.integers(0, 1000),
)
amounts = st.one_of(st.integers(0, 6), st.integers(7, 30), st.integers(0, 255))
readings = st.fixed_dictionaries({r.name: st.sampled_from(r.options) for r in tkg.GAMES["rift"].READINGS})
knobs = st.fixed_dictionaries(
    {
        "side": st.sampled_from([3, 3, 3, 3, 4, 5, 7]),
        "deck": st.one_of(decks, st.sampled_from(["reference", "threes", "one_to_four", "scarce_fire"])),
        "supply": st.one_of(amounts, st.lists(amounts, min_size=4, max_size=4)),
    }
)
variants = st.builds(lambda knobs, readings: tkg.rift(**knobs, **readings), knobs, readings)
seeds = st.integers(0, (1 << 53) - 1)

# How likely a player is to choose a verb, where there are several.
STYLES = {
    "any": {"build": 1, "replace": 1, "refuse": 1, "move": 1},
    "builder": {"build": 9, "replace": 1, "refuse": 0.1, "move": 9},
    "mover": {"build": 9, "replace": 0.01, "refuse": 0.1, "move": 9},
    "idler": {"build": 0.1, "replace": 0.1, "refuse": 1, "move": 9},  # a small ring is matched and wins more often
    "changer": {"build": 2, "replace": 9, "refuse": 0.1, "move": 9},
}
styles = st.sampled_from(sorted(STYLES))


def pick(options: Sequence[str], style: str, random: Random) -> str:
    """First a verb, then one of its options: else a ring with many cells would drown the few refusals."""
    weights = STYLES[style]
    verbs = sorted({text.split()[0] for text in options})
    verb = random.choices(verbs, [weights.get(v, 1) for v in verbs])[0]
    return random.choice([text for text in options if text.split()[0] == verb])


# --- Tests --------------------------------------------------------------------------------------------------------


@given(variant=variants, seed=seeds, style=styles)
def test_a_second_rulebook_agrees(variant: tkg.Variant, seed: int, style: str) -> None:
    """Options, position and result, decision by decision; and what must always be true of the state."""
    game = tkg.new(variant, seed)
    table = Table(variant, game.chance)
    random = Random(seed)
    note(str(variant.plain()))
    while True:
        note(f"{game.actions[-1:]}")
        compare(game, table)
        check_state(game, table)
        legal = game.legal
        assert len(set(legal)) == len(legal)
        try:
            options = table.options()
            assert set(legal) == options
            if table.phase == "move" and not set(table.single_moves()) <= options:
                event("the search rules a move out")
        except TooDeep:
            event("search given up")
            assert set(legal) - {f"refuse {t}" for t in table.hand} <= set(table.single_moves())
        if game.over:
            break
        action = pick(legal, style, random)
        game.play(action)
        table.play(action)
    assert game.result == table.result()
    assert game.outcome is not None
    assert game.outcome.payoffs == (float(table.result()["win"]),)
    event(f"{style}: {'won' if game.result['win'] else 'lost'}")


def compare(game: tkg.Game, table: Table) -> None:
    """What a player sees is what lies on the other table."""
    view = game.view()
    assert view["phase"] == table.phase
    assert Counter(view["hand"]) == Counter(table.hand)
    assert (view["gate"], view["void"], view["supply"]) == (table.gate, table.void, table.supply)
    assert view["turn"] == table.counts["turns"]
    assert Counter(view["stack"]) == Counter(table.stack)
    assert Counter(table.aside) <= Counter(view["set_up"]) <= Counter(table.aside) + Counter(table.discards)
    seen = {name: cell for name, cell in view["cells"].items() if cell["tile"]}
    assert {name: cell["tile"] for name, cell in seen.items()} == table.tiles
    assert {name: cell["oinks"] for name, cell in seen.items()} == table.oinks
    assert {name: tuple(cell["place"]) for name, cell in view["cells"].items()} == table.place
    assert sorted(view["sides"]) == sorted(table.side_sums())
    if table.phase == "move":
        assert view["need"] == table.need
    now, expected = game.result, table.result()
    assert now == expected
    assert view["conditions"] == {name: expected[name] for name in view["conditions"]}


def check_state(game: tkg.Game, table: Table) -> None:
    """Nothing comes from nowhere, nothing is below zero, and the masks say what the board says."""
    variant = game.variant
    state, v = game.states[0], variant.packed[0]
    kinds = list(variant.deck)
    for e in range(4):
        held = int(state.supply[e]) + int(state.gate[e]) + int(state.void[e]) + int(state.oinks[:, e].sum())
        assert held == int(v.supply[e])
    stack = state.deck[int(state.drawn) : int(v.tiles)]
    in_hand, on_board = state.hand[state.hand >= 0], state.board[state.board >= 0]
    lying = Counter(kinds[k] for k in [*stack, *in_hand, *on_board])
    assert lying + Counter(table.discards) + Counter(table.aside) == Counter(dict(variant.deck))
    assert (int(state.discarded), int(state.aside)) == (len(table.discards), len(table.aside))
    for name in state.dtype.names:
        if name not in ("hand", "board"):
            assert (state[name] >= 0).all(), name
    assert (state.hand >= -1).all()
    assert (state.board >= -1).all()
    cells = range(int(v.cells))
    assert (state.board[int(v.cells) :] == -1).all()
    assert (state.oinks[state.board == -1] == 0).all()
    assert int(state.built) == sum(1 << c for c in cells if state.board[c] >= 0)
    for e, letter in enumerate(ELEMENTS):
        bears = sum(1 << c for c in cells if state.board[c] >= 0 and letter in kinds[state.board[c]])
        assert int(state.bears[e]) == bears


@settings(max_examples=settings.default.max_examples // 4)
@given(variant=variants, seed=seeds, style=styles)
def test_games_come_back(variant: tkg.Variant, seed: int, style: str) -> None:
    """A game is undone to its start and made again from its record, whatever the variant."""
    game = tkg.new(variant, seed)
    random = Random(seed)
    reached = [game.states.tobytes()]
    while not game.over:
        game.play(pick(game.legal, style, random))
        reached.append(game.states.tobytes())
    again = tkg.from_record(tkg.to_record(game), finished=True)
    for twin in (game, again):
        for state in reversed(reached):
            assert twin.states.tobytes() == state
            if twin.actions:
                twin.undo()

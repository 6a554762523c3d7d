"""A hunt for broken rules: random variants, decks and play beside a slow and simple second rulebook.

`Table` is Cosmic Alignments written again in plain Python from the rule page alone, with no thought of speed: it lays
real tokens on real tiles, and looks for lines by trying every set of tokens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import event, given, note, settings
from hypothesis import strategies as st
from sound import cosmic as check_sound

import tkg

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")  # numbers that overflow, with the compiler off


@dataclass
class Tile:
    """A tile of the layout."""

    face: str
    drafter: int | None = None
    owner: int | None = None
    tokens: dict[int, tuple[int, int]] = field(default_factory=dict)  # by space: whose, and when it was placed


def in_a_row(places: Sequence[tuple[int, int]]) -> bool:
    """Whether places lie next to each other in a row, a column or a diagonal."""
    places = sorted(places)
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(places)}
    return len(steps) == 1 and steps <= {(0, 1), (1, 0), (1, 1), (1, -1)}


def in_one_straight(places: Sequence[tuple[int, int]]) -> bool:
    """Whether places lie anywhere in one row, one column or one diagonal."""
    ways = [{r for r, _ in places}, {c for _, c in places}, {r - c for r, c in places}, {r + c for r, c in places}]
    return any(len(way) == 1 for way in ways)


class Table:
    """One game on a table. Luck comes in as it falls: lists of what is dealt, as records hold them."""

    def __init__(self, variant: tkg.Variant, chance: list[list[str]]):
        self.variant = variant
        self.players, side = variant.players, variant.side
        self.letters = "ABCDEFGHIJKLMNOPQRSTUVWXY"[: side * side]
        self.place = [divmod(n, side) for n in range(side * side)]
        self.element = list(chance[0])
        self.life, self.oinks = [variant.life] * self.players, [variant.oinks] * self.players
        self.captured: list[list[str]] = [[] for _ in range(self.players)]
        self.layout: dict[str, Tile] = {}
        self.lists = 1
        self.stack: list[str] = []
        self.aside: list[tuple[int, str]] = []  # who put it aside, and what
        self.shuffle(dict(variant.deck), chance)
        self.hand: list[str] = []
        self.drafter = self.mover = 0
        self.directed: str | None = None  # None too after a turn that was lost
        self.last_placed: str | None = None
        self.lifted: str | None = None
        self.won: tuple[str, int] | None = None
        self.ending, self.aligned, self.passed = "", None, 0
        self.counts = dict.fromkeys(["turns", "passes", "lifts", "free_placements"], 0)
        if variant.layout == "dealt":
            self.layout = {letter: Tile(self.stack.pop(0)) for letter in self.letters}
            self.begin_turn()
        else:
            self.draw(chance)

    # --- Draft

    def shuffle(self, tiles: dict[str, int], chance: list[list[str]]) -> None:
        self.stack = list(chance[self.lists])
        self.lists += 1
        assert Counter(self.stack) == +Counter(tiles), "other tiles are shuffled than those put aside"

    def shuffle_aside(self, chance: list[list[str]]) -> None:
        self.shuffle(Counter(self.stack) + Counter(tile for _, tile in self.aside), chance)
        self.aside = []

    def draw(self, chance: list[list[str]]) -> None:
        if not self.stack:
            self.shuffle_aside(chance)
        self.hand, self.stack = self.stack[:3], self.stack[3:]

    @property
    def drafting(self) -> bool:
        return len(self.layout) < len(self.letters)

    def draft(self, tile: str, letter: str, chance: list[list[str]]) -> None:
        self.hand.remove(tile)
        self.aside += [(self.drafter, other) for other in self.hand]
        self.layout[letter] = Tile(tile, self.drafter)
        self.hand = []
        if self.drafting:
            self.drafter = (self.drafter + 1) % self.players
            self.draw(chance)
        else:
            self.put_aside_last = self.aside
            self.shuffle_aside(chance)
            self.begin_turn()

    # --- Options

    @property
    def decider(self) -> int:
        if self.drafting:
            return self.drafter
        return self.won[1] if self.won else self.mover

    def options(self) -> set[str]:
        """Every legal action."""
        if self.ending:
            return set()
        if self.drafting:
            empty = [letter for letter in self.letters if letter not in self.layout]
            cells = empty if self.variant.layout == "free" else empty[:1]
            return {f"draft {tile}@{letter}" for tile in self.hand for letter in cells}
        if self.won:
            return {f"occupy {self.won[0]}", f"capture {self.won[0]}"}
        if self.lifted or self.life[self.mover]:
            return {f"{letter}{space + 1}" for letter, space in self.targets(self.lifted)}
        return {f"lift {letter}{space + 1}" for letter, space in self.liftable()}

    def free(self, letter: str) -> list[int]:
        tile = self.layout[letter]
        return [] if tile.owner is not None else [n for n in range(len(self.letters)) if n not in tile.tokens]

    @property
    def bound(self) -> str | None:
        """The tile on which the mover must place."""
        return self.directed if self.directed and self.free(self.directed) else None

    def targets(self, without: str | None) -> Iterator[tuple[str, int]]:
        """Where a token may be placed that does not come from the supply but from the tile `without`."""
        for letter in [self.bound] if self.bound else self.letters:
            if letter != without:
                yield from ((letter, space) for space in self.free(letter))

    def liftable(self) -> Iterator[tuple[str, int]]:
        for letter, tile in self.layout.items():
            if letter != self.directed and any(True for _ in self.targets(letter)):
                yield from ((letter, space) for space, (who, _) in tile.tokens.items() if who == self.mover)

    # --- Play

    def play(self, text: str, chance: list[list[str]]) -> None:
        verb, _, rest = text.partition(" ")
        if verb == "draft":
            self.draft(*rest.split("@"), chance)
        elif verb == "lift":
            self.lifted = rest[0]
            del self.layout[rest[0]].tokens[int(rest[1:]) - 1]
            self.life[self.mover] += 1
            self.counts["lifts"] += 1
        elif verb in ("occupy", "capture"):
            self.take(verb)
        else:
            self.put(text[0], int(text[1:]) - 1)

    def put(self, letter: str, space: int) -> None:
        tile, who = self.layout[letter], self.mover
        self.counts["free_placements"] += self.bound is None
        tile.tokens[space] = who, self.counts["turns"]
        self.life[who] -= 1
        self.directed = self.last_placed = self.letters[space]
        self.passed = 0
        winner = who if self.makes_line(tile, space) else None if self.free(letter) else self.majority(tile)
        if winner is None:
            self.end_turn()
            return
        for owner, _ in tile.tokens.values():
            self.life[owner] += 1
        tile.tokens = {}
        self.won = letter, winner
        ways = [verb for verb, possible in (("occupy", self.oinks[winner]), ("capture", self.stack)) if possible]
        if len(ways) < 2:
            self.take(*ways)

    def makes_line(self, tile: Tile, space: int) -> bool:
        mine = [n for n, (who, _) in tile.tokens.items() if who == self.mover and n != space]
        test = in_a_row if self.variant.line_shape == "adjacent" else in_one_straight
        tries = combinations(mine, self.variant.line - 1)
        return any(test([self.place[n] for n in (space, *others)]) for others in tries)

    def majority(self, tile: Tile) -> int | None:
        count = Counter(who for who, _ in tile.tokens.values())
        if self.variant.majority == "strict":
            return next((who for who, n in count.items() if n > len(self.letters) / 2), None)
        latest = {who: max(when for w, when in tile.tokens.values() if w == who) for who in count}
        return max(count, key=lambda who: (count[who], latest[who]))

    def take(self, verb: str = "") -> None:
        assert self.won
        letter, who = self.won
        self.won = None
        if verb == "occupy":
            self.layout[letter].owner = who
            self.oinks[who] -= 1
            mine = [place for place, name in zip(self.place, self.letters, strict=True) if self.owns(name, who)]
            if any(in_a_row(some) for some in combinations(mine, self.variant.alignment)):
                self.aligned = who
        elif verb == "capture":
            self.captured[who].append(self.layout[letter].face)
            self.layout[letter] = Tile(self.stack.pop(0))
        self.end_turn()

    def owns(self, letter: str, who: int) -> bool:
        return self.layout[letter].owner == who

    def end_turn(self) -> None:
        self.lifted = None
        self.counts["turns"] += 1
        self.ending = self.why_over()
        self.mover = (self.mover + 1) % self.players
        if not self.ending:
            self.begin_turn()

    def begin_turn(self) -> None:
        """Turns that are lost or passed go by."""
        full = self.directed and self.layout[self.directed].owner is None and not self.free(self.directed)
        lost = bool(full) and self.variant.blocked == "pass"
        if not lost and self.options():
            return
        self.directed = None if lost else self.last_placed
        self.counts["passes"] += 1
        self.passed += 1
        self.end_turn()

    # --- End

    def why_over(self) -> str:
        if self.aligned is not None:
            return "alignment"
        if not any(self.free(letter) for letter in self.letters):
            return "full"
        if any(len(tiles) >= self.variant.capture_limit for tiles in self.captured):
            return "captures"
        stopped = self.passed >= self.players or self.counts["turns"] >= self.variant.max_turns
        return "unfinished" if stopped else ""

    def points(self, who: int) -> int:
        mine = self.element[who]
        return sum(
            self.variant.own_points if insignia == mine else self.variant.other_points
            for tile in self.captured[who]
            for insignia in tile.strip("-")
        )

    def result(self) -> dict[str, Any]:
        seats = range(self.players)
        points = [self.points(s) for s in seats]
        occupied = [sum(self.owns(letter, s) for letter in self.layout) for s in seats]
        tokens = [sum(who == s for tile in self.layout.values() for who, _ in tile.tokens.values()) for s in seats]
        standing = list(zip([s == self.aligned for s in seats], points, occupied, tokens, strict=True))
        return {
            "winners": [s + 1 for s in seats if standing[s] == max(standing)],
            "ending": self.ending,
            "element": self.element,
            "points": points,
            "occupied": occupied,
            "captured": [len(tiles) for tiles in self.captured],
            "life_on_grid": tokens,
            **self.counts,
        }

    def put_aside_by(self, who: int) -> Counter[str]:
        """What a seat knows to have gone into the stack in use, or to go into the next one."""
        aside = self.aside if self.drafting else getattr(self, "put_aside_last", [])
        return Counter(tile for seat, tile in aside if seat == who)


# --- Variants, decks, play --------------------------------------------------------------------------------------

tiles = st.one_of(
    st.sampled_from(["F", "W", "FW", "FA", "WE", "FF", "FFF", "FWA", "FWAE", "-", "F" * 9]),
    st.lists(st.sampled_from("FWAE"), min_size=1, max_size=4).map(
        lambda found: "".join(sorted(found, key="FWAE".index))
    ),
)


@st.composite
def variants(draw: st.DrawFn) -> tkg.Variant:
    """Any variant; small ones and short games more often than others, since what is odd happens there."""
    side = draw(st.sampled_from([3, 3, 3, 3, 4, 4, 5]))
    size = side * side + draw(st.one_of(st.integers(0, 5), st.integers(0, 40), st.integers(0, 200 - side * side)))
    kinds = draw(st.lists(tiles, min_size=1, max_size=8))
    few = st.sampled_from([6, 9, 13, 33, 0, 1, 2, 3, 80, 255])
    return tkg.cosmic(
        players=draw(st.integers(2, 4)),
        side=side,
        deck=Counter(Random(draw(st.integers(0, 1000))).choices(kinds, k=size)),
        oinks=draw(few),
        life=draw(few.map(lambda n: max(n, 1))),
        line=draw(st.one_of(st.just(3), st.integers(3, side))),
        alignment=draw(st.one_of(st.just(3), st.integers(3, side))),
        capture_limit=draw(st.one_of(st.integers(1, 5), st.integers(1, 48))),
        own_points=draw(st.integers(0, 9)),
        other_points=draw(st.integers(0, 9)),
        max_turns=draw(st.sampled_from([120, 120, 120, 40, 10, 1])),
        **{r.name: draw(st.sampled_from(r.options)) for r in tkg.GAMES["cosmic"].READINGS},
    )


seeds = st.integers(0, (1 << 53) - 1)
styles = st.sampled_from(["occupier", "capturer", "occupier", "any", "filler"])


def pick(table: Table, options: Sequence[str], style: str, random: Random) -> str:
    """One of the options: occupiers and capturers complete lines where they see one, fillers crowd tiles."""
    fond = {"occupier": "occupy", "capturer": "capture"}.get(style, "nothing")
    liked = [text for text in options if text.startswith(fond)]
    if style != "any" and len(options[0]) < 4:
        tries = random.sample(options, min(len(options), 20))
        if style == "filler":
            return max(tries, key=lambda text: len(table.layout[text[0]].tokens))
        liked = [text for text in tries if table.makes_line(table.layout[text[0]], int(text[1:]) - 1)]
    return random.choice(liked or options)


# --- Tests --------------------------------------------------------------------------------------------------------


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
        assert len(game.chance) == table.lists
        compare(game, table, random.randrange(variant.players))
        check_sound(game.states[0], variant)
        if game.over:
            break
        assert game.seat == table.decider + 1
        action = pick(table, legal, style, random)
        game.play(action)
        table.play(action, game.chance)
    check_outcome(game, table)
    event(f"ends by {table.ending}")
    for what, n in table.counts.items():
        if what in ("passes", "lifts") and n:
            event(what)


def check_outcome(game: tkg.Game, table: Table) -> None:
    winners = table.result()["winners"]
    assert game.outcome is not None
    assert game.outcome.winners == tuple(winners)
    shares = [1 / len(winners) if s + 1 in winners else 0.0 for s in range(table.players)]
    assert game.outcome.payoffs == tuple(shares)
    if len(winners) > 1:
        event("victory shared")


def compare(game: tkg.Game, table: Table, seat: int) -> None:
    """What a seat sees is what lies on the other table, and nothing of what it may not see."""
    view = game.view(seat + 1)
    unseen = Counter(dict(game.variant.deck))
    for letter, cell in view["cells"].items():
        tile = table.layout.get(letter)
        assert cell["laid"] == (tile is not None)
        if tile is None:
            assert (cell["tile"], cell["owner"], set(cell["tokens"])) == (None, None, {0})
            continue
        known = tile.owner is not None or tile.drafter == seat
        assert cell["tile"] == (tile.face if known else None)
        unseen.subtract([tile.face] if known else [])
        assert cell["owner"] == (None if tile.owner is None else tile.owner + 1)
        assert cell["tokens"] == [tile.tokens[n][0] + 1 if n in tile.tokens else 0 for n in range(len(table.letters))]
    for s, shown in enumerate(view["seats"]):
        assert (shown["life"], shown["oinks"], shown["points"]) == (table.life[s], table.oinks[s], table.points(s))
        assert Counter(shown["captured"]) == Counter(table.captured[s])
        unseen.subtract(table.captured[s])
    hand = table.hand if table.drafting and table.drafter == seat else []
    unseen.subtract(hand)
    assert Counter(view["hand"]) == Counter(hand)
    assert Counter(view["aside"]) == table.put_aside_by(seat)
    assert (view["unseen"], view["stack"]) == ({t: n for t, n in unseen.items() if n}, len(table.stack))
    if not table.drafting and not table.ending:
        assert view["directed"] == table.directed
        assert (view["lifted"], view["won"]) == (table.lifted, table.won and table.won[0])
        assert table.won or view["bound"] == table.bound


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

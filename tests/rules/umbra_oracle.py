"""What is always true of a position of Umbra Via, and a second rulebook: slow, simple, and written from the page alone.

`Table` lays real tiles with real flowers on them, and looks for paths by walking from opening to opening.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from types import SimpleNamespace
from typing import Any

import tkg

NONE = -1  # no tile, no seat, no place
KINDS = {"straight": ("NS", "EW"), "curve": ("NE", "ES", "SW", "NW"), "tee": ("NES", "ESW", "NSW", "NEW")}
KIND_OF = {tile: kind for kind, turned in KINDS.items() for tile in turned}
PLACES = ("I", "II", "III", "IV", "V", "VI")
STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
Flowers = Counter[tuple[int, str]]  # by owner and sort

# --- Always true ------------------------------------------------------------------------------------------------


def check_sound(state: Any, variant: tkg.Variant, counted: bool = True) -> None:
    """The page's *Always true*, and what the state says twice; `counted` if all payments have been since the start."""
    s = SimpleNamespace(**{name: state[name].tolist() for name in state.dtype.names})
    cells = variant.side**2
    for seat in range(4):
        sits = seat < variant.players
        on_altar = [sum(flowers[seat][sort] for flowers in s.flowers) for sort in (0, 1)]
        on_board = sum(flowers[seat] for flowers in s.on)
        energy = s.energy[seat] + s.hand[seat][0] + on_altar[0] + on_board
        soul = s.soul[seat] + s.hand[seat][1] + on_altar[1] + s.soul_tile[seat] + s.soul_spent[seat]
        assert (energy, soul) == ((variant.energy - 1, variant.soul) if sits else (0, 0))
        assert min(s.energy[seat], s.soul[seat], s.soul_tile[seat], *s.hand[seat]) >= 0
        assert s.soul_tile[seat] + s.soul_gained[seat] == variant.soul_on_tile * sits
    assert min(min(on) for on in s.on) >= 0
    assert min(min(min(pair) for pair in flowers) for flowers in s.flowers) >= 0
    check_sound_tiles(s, variant, cells)
    check_sound_decision(s, variant, cells)
    assert sorted(s.track[: variant.players]) == list(range(variant.players))
    assert sum(s.ranked) == 0 or s.summonings > s.unranked
    assert sum(s.paid) == sum(s.soul_gained) or not counted


def check_sound_tiles(s: Any, variant: tkg.Variant, cells: int) -> None:
    kind_of = variant.packed[0].kind_of.tolist()
    lying = Counter(s.stack[s.drawn : s.stacked]) + Counter(dict(enumerate(s.discard)))
    lying += Counter(kind_of[tile] for tile in [*s.altar, *s.board] if tile != NONE)
    assert lying == +Counter(dict(enumerate(variant.tiles)))
    assert min(s.discard) >= 0
    assert s.tiles == sum(1 << c for c, tile in enumerate(s.board) if tile != NONE)
    assert not s.tiles >> cells
    for side in range(4):
        assert s.opens[side] == sum(1 << c for c, t in enumerate(s.board) if 0 < t < 16 and t >> side & 1)
    for place, flowers in enumerate(s.flowers):
        assert s.altar[place] != NONE or not any(map(any, flowers)), "flowers on no tile"


def check_sound_decision(s: Any, variant: tkg.Variant, cells: int) -> None:
    bidding, empty = s.phase == 0, ~s.tiles & (1 << cells) - 1
    for seat in range(4):
        amounts = [s.bid[seat] >> 3 * n & 7 for n in range(12)]
        decided = bidding and seat < s.decider
        assert [sum(amounts[0::2]), sum(amounts[1::2])] == (s.hand[seat] if decided else [0, 0])
        assert bidding or s.hand[seat] == [0, 0]
        assert all(s.biddable >> place & 1 for place in range(6) if any(amounts[2 * place : 2 * place + 2]))
    if bidding:
        assert s.biddable == sum(1 << p for p, tile in enumerate(s.altar) if tile not in (NONE, 18)) != 0
        assert s.bidding < variant.biddings
    if s.phase in (1, 3):
        assert s.targets
        assert not s.targets & ~empty
    if s.phase == 2:
        assert not s.targets & ~s.tiles
    if s.phase == 4:
        assert s.ending
    assert 0 <= s.rounds <= variant.max_rounds


# --- The second rulebook ------------------------------------------------------------------------------------------


class Table:
    """One game on a table. Luck comes in as it falls: the objects of a record's `chance`, taken one by one."""

    def __init__(self, variant: tkg.Variant, chance: Sequence[dict[str, Any]]):
        self.variant, self.chance, self.taken = variant, chance, 0
        self.seats = range(variant.players)
        names = [chr(ord("A") + n) if n < 26 else "A" + chr(ord("A") + n - 26) for n in range(variant.side**2)]
        self.place_of = dict(zip(names, product(range(variant.side), repeat=2), strict=True))
        self.name_at = {place: name for name, place in self.place_of.items()}
        self.track = [seat - 1 for seat in self.take("track")]
        assert sorted(self.track) == list(self.seats)
        self.bag = [{"E": variant.energy - 1, "S": variant.soul - variant.soul_on_tile} for _ in self.seats]
        self.on_tile = [variant.soul_on_tile] * variant.players
        self.hand = [""] * variant.players
        self.bids: list[str] = []
        self.stack: list[str] = []
        self.discard: Counter[str] = Counter(variant.tiles._asdict())
        self.altar: dict[str, str] = {}
        self.lying: dict[str, Flowers] = {}  # by place of the altar
        self.board: dict[str, str] = {}
        self.energy: dict[str, Counter[int]] = {name: Counter() for name in names}
        self.due = self.spot = ""  # the place of the altar, the cell, of the tile that is being placed
        self.decider, self.kind, self.ending = 0, "", ""
        self.rounds = self.biddings = self.summonings = self.longest = 0
        self.claimed: set[int] = set()
        self.count = {name: [0] * variant.players for name in ("gained", "spent", "won", "firsts", "track")}
        self.met: set[str] = set()  # what has come up, for the statistics of the hunt
        self.shuffle()
        self.begin_round()

    def take(self, what: str) -> Any:
        """The next piece of luck, which must be of this sort."""
        (name, value), *more = self.chance[self.taken].items()
        assert (name, more) == (what, [])
        self.taken += 1
        return value

    # --- Altar and bids

    def shuffle(self) -> None:
        new = self.take("stack")
        assert new[: len(self.stack)] == self.stack, "the old rest is not on top"
        assert Counter(new[len(self.stack) :]) == +self.discard
        self.stack, self.discard = list(new), Counter()

    def begin_round(self) -> None:
        while not self.ending:
            self.rounds += 1
            if len(self.stack) < self.variant.altar and self.discard.total():
                self.shuffle()
            n = min(self.variant.altar, len(self.stack))
            tiles = self.take("altar")
            assert [KIND_OF.get(tile, tile) for tile in tiles] == self.stack[:n]
            del self.stack[:n]
            self.altar = dict(zip(PLACES, tiles, strict=False))
            self.lying = {place: Counter() for place in self.altar}
            if not tiles:
                self.ending = "stuck"
            elif self.biddable:
                self.biddings = 0
                self.draw()
                return
            else:
                self.discard.update(KIND_OF.get(tile, tile) for tile in tiles)
                self.altar = {}
                self.stop_if_long()

    def stop_if_long(self) -> None:
        if self.rounds >= self.variant.max_rounds:
            self.ending = "unfinished"

    @property
    def biddable(self) -> list[str]:
        return [place for place, tile in self.altar.items() if tile != "block"]

    def draw(self) -> None:
        for seat in self.seats:
            drawn = self.take("draw")
            assert drawn["seat"] == seat + 1
            self.hand[seat] = drawn["flowers"]
            assert "".join(sorted(self.hand[seat])) == self.hand[seat]
            assert len(self.hand[seat]) == min(self.variant.draw, sum(self.bag[seat].values()))
            for flower in self.hand[seat]:
                self.bag[seat][flower] -= 1
                assert self.bag[seat][flower] >= 0
        self.bids, self.decider, self.kind = [], 0, "bid"

    def bid_options(self) -> set[str]:
        """Every flower of the hand on every tile; ways that come to the same are one option."""
        hand, found = self.hand[self.decider], set()
        for where in product(self.biddable, repeat=len(hand)):
            parts = ["".join(f for f, at in zip(hand, where, strict=True) if at == place) for place in self.biddable]
            found.add(" ".join(f"{p}:{part}" for p, part in zip(self.biddable, parts, strict=True) if part) or "-")
        return {f"bid {text}" for text in found}

    def bid(self, text: str) -> None:
        self.bids.append(text)
        self.decider += 1
        if len(self.bids) < len(self.seats):
            return
        for seat, said in enumerate(self.bids):
            self.hand[seat] = ""
            for part in said.split() if said != "-" else []:
                place, flowers = part.split(":")
                self.lying[place].update((seat, flower) for flower in flowers)
        self.bids = []
        self.biddings += 1
        if self.biddings < self.variant.biddings:
            self.draw()
            return
        for place in list(self.altar):
            if not self.lying[place]:
                self.throw_away(place)
        self.next_tile()

    # --- Placement

    def throw_away(self, place: str) -> None:
        tile = self.altar.pop(place)
        self.discard[KIND_OF.get(tile, tile)] += 1
        del self.lying[place]

    def worth(self, flowers: Flowers, seat: int | None = None) -> int:
        value = {"E": 1, "S": self.variant.soul_worth}
        return sum(value[f] * n for (owner, f), n in flowers.items() if seat in (None, owner))

    def next_tile(self) -> None:
        while self.altar:
            by_value = self.variant.order_by == "value"
            weight = {p: self.worth(fl) if by_value else fl.total() for p, fl in self.lying.items()}
            self.due = min(self.altar, key=lambda p: (weight[p], PLACES.index(p)))
            if len(set(weight.values())) < len(weight):
                self.met.add("tiles level")
            winner = self.winner()
            self.count["won"][winner] += 1
            for (owner, flower), n in self.lying[self.due].items():
                self.count["spent"][owner] += n * (flower == "S")
            self.lying[self.due] = Counter({k: n for k, n in self.lying[self.due].items() if k[1] == "E"})
            self.decider = winner
            self.kind = "void" if self.altar[self.due] == "void" else "place"
            if self.cells():
                return
            self.met.add(f"no cell to {self.kind}")
            self.give_back(Counter({owner: n for (owner, _), n in self.lying[self.due].items()}))
            self.throw_away(self.due)
        self.stop_if_long()
        self.begin_round()

    def winner(self) -> int:
        values = {seat: self.worth(self.lying[self.due], seat) for seat in self.seats}
        level = [seat for seat in self.track if values[seat] == max(values.values())]
        if len(level) > 1:
            self.met.add("bids level")
            self.to_end(level[0])
        return level[0]

    def to_end(self, seat: int) -> None:
        self.track.remove(seat)
        self.track.append(seat)
        self.count["track"][seat] += 1

    def give_back(self, energy: Counter[int]) -> None:
        for owner, n in energy.items():
            self.bag[owner]["E"] += n

    def beside(self, cell: str) -> dict[str, str]:
        """The neighbours of a cell by the direction in which they lie."""
        r, c = self.place_of[cell]
        around = {way: (r + dr, c + dc) for way, (dr, dc) in STEPS.items()}
        return {way: self.name_at[place] for way, place in around.items() if place in self.name_at}

    def cells(self) -> list[str]:
        """Where the tile may go."""
        empty = [cell for cell in self.place_of if cell not in self.board]
        if self.kind == "void":
            return empty
        if not self.board:
            far = [2 * max(abs(r - (self.variant.side - 1) / 2), abs(c - (self.variant.side - 1) / 2))
                   for r, c in self.place_of.values()]  # fmt: skip
            return [cell for cell, away in zip(self.place_of, far, strict=True) if away <= 1]
        if self.variant.placing == "anywhere":
            return empty
        return [cell for cell in empty if set(self.beside(cell).values()) & set(self.board)]

    def move_in(self, cell: str) -> None:
        for (owner, _), n in self.lying[self.due].items():
            self.energy[cell][owner] += n

    def put(self, cell: str) -> None:
        if self.energy[cell].total():
            self.met.add("flowers waited")
        self.move_in(cell)
        self.board[cell] = self.altar.pop(self.due)
        del self.lying[self.due]
        self.spot = cell
        if self.board[cell] == "point":
            self.ask_scatter()
        else:
            self.summon_all()

    def ask_scatter(self) -> None:
        self.kind = "scatter"
        if self.variant.scatter == "split" and not self.energy[self.spot].total():
            self.summon_all()

    def scatter(self, where: str) -> None:
        here = self.energy[self.spot]
        if where != "stay" and self.variant.scatter == "split":
            owner = min(seat for seat in self.seats if here[seat])
            here[owner] -= 1
            self.energy[where][owner] += 1
            self.ask_scatter()
            return
        if where != "stay":
            self.energy[where].update(here)
            self.energy[self.spot] = Counter()
            self.met.add("scattered")
        self.summon_all()

    # --- Paths

    def walk(self, cell: str) -> tuple[frozenset[str], bool]:
        """The path through a cell and whether it is complete: every opening is followed."""
        path, ahead, complete = {cell}, [cell], True
        while ahead:
            here = ahead.pop()
            beside = self.beside(here)
            for way in self.board[here]:
                there = beside.get(way)
                if there is None:
                    continue
                tile = self.board.get(there)
                if tile is None:
                    complete = False
                elif tile in KIND_OF and OPPOSITE[way] in tile and there not in path:
                    path.add(there)
                    ahead.append(there)
        return frozenset(path), complete

    def complete_paths(self) -> list[frozenset[str]]:
        """Of the whole board, the one through the placed tile first."""
        found: list[frozenset[str]] = []
        for cell in self.place_of:
            if self.board.get(cell) in KIND_OF:
                path, complete = self.walk(cell)
                if complete and path not in found:
                    found.append(path)
        return sorted(found, key=lambda path: self.spot not in path)

    def summon_all(self) -> None:
        paths = self.complete_paths()
        if len(paths) > 1:
            self.met.add("several paths at once")
        for path in paths:
            self.summon(path)
        if self.claimed:
            self.ending = "claimed"
            self.kind = ""
        else:
            self.next_tile()

    def summon(self, path: frozenset[str]) -> None:
        self.summonings += 1
        self.longest = max(self.longest, len(path))
        energy: Counter[int] = Counter()
        for cell in path:
            energy.update(self.energy[cell])
        self.reward(+energy, len(path))
        for cell in path:
            self.give_back(self.energy[cell])
            self.energy[cell] = Counter()
            self.discard[KIND_OF[self.board.pop(cell)]] += 1

    def ranks(self, energy: Counter[int]) -> Iterator[tuple[int, list[int]]]:
        """(rank, seats): the seats that hold a rank from 0 on."""
        left, rank = dict(energy), 0
        while left:
            level = [seat for seat in self.track if left.get(seat) == max(left.values())]
            if len(level) > 1:
                self.met.add("ranks level")
            if self.variant.rank_tie == "track":
                if len(level) > 1:
                    self.to_end(level[0])
                level = level[:1]
            yield rank, level
            rank += len(level)
            for seat in level:
                del left[seat]

    def reward(self, energy: Counter[int], length: int) -> None:
        due, at = length if self.variant.reward == "tiles" else max(energy.values(), default=0), 0
        for rank, seats in self.ranks(energy):
            for _ in range(rank - at):
                due = due // 2 if self.variant.halving == "down" else -(-due // 2)
            at = rank
            paid = []
            for seat in seats:
                before = self.on_tile[seat]
                paid.append(min(before, due))
                self.on_tile[seat] -= paid[-1]
                self.bag[seat]["S"] += paid[-1]
                self.count["gained"][seat] += paid[-1]
                if rank == 0:
                    self.count["firsts"][seat] += 1
                    if length >= self.variant.claim_length and self.may_claim(before, due):
                        self.claimed.add(seat)
            if self.variant.half_of == "paid":
                due = max(paid)

    def may_claim(self, before: int, due: int) -> bool:
        match self.variant.claim:
            case "exact":
                return due >= before + self.variant.tile_worth
            case "any":
                return due >= before
            case _:
                return before == 0

    # --- Options and end

    def options(self) -> set[str]:
        """Every legal action."""
        if self.ending:
            return set()
        if self.kind == "bid":
            return self.bid_options()
        if self.kind == "scatter":
            beside = set(self.beside(self.spot).values()) & set(self.board)
            return {"scatter stay", *(f"scatter {cell}" for cell in beside)}
        return {f"{self.kind} {cell}" for cell in self.cells()}

    def play(self, text: str, chance: Sequence[dict[str, Any]]) -> None:
        """Carry out a legal action; `chance` is all the luck there has been then."""
        self.chance = chance
        verb, _, rest = text.partition(" ")
        if verb == "bid":
            self.bid(rest)
        elif verb == "place":
            self.put(rest)
        elif verb == "scatter":
            self.scatter(rest)
        else:
            self.move_in(rest)
            self.throw_away(self.due)
            self.next_tile()

    def result(self) -> dict[str, Any]:
        winners = self.claimed or {seat for seat in self.seats if self.on_tile[seat] == min(self.on_tile)}
        return {
            "winners": sorted(seat + 1 for seat in winners),
            "ending": self.ending,
            "rounds": self.rounds,
            "soul_left": self.on_tile,
            "soul_gained": self.count["gained"],
            "soul_spent": self.count["spent"],
            "tiles_won": self.count["won"],
            "firsts": self.count["firsts"],
            "track_wins": self.count["track"],
            "summonings": self.summonings,
            "longest_path": self.longest,
        }

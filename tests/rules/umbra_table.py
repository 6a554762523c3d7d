"""Positions of Umbra Via, all reached by play from luck that is given.

Whatever is played here is counted after every action: no flower and no tile may be lost or made.
"""

import re
from typing import Any

import tkg

KINDS = ("straight", "curve", "tee", "point", "void", "block")
ALTAR = ("I", "II", "III", "IV", "V", "VI")

# Paths on a board of side 3, in an order in which they can be laid; the last tile completes them.
TWO = "NS@E NS@B EW@H"  # E and B, closed by the blank side of H, which stays
THREE = "NS@E NS@B NS@H"
LOOP = "ES@E SW@F NE@H NW@I"
FIVE = "EW@E NW@F NS@C ES@D NW@G"
SEVEN = "EW@E NW@F SW@C EW@B EW@A ES@D NW@G"


def kind_of(tile: str) -> str:
    """The kind of a tile that is written by its openings or by its name."""
    if tile in KINDS:
        return tile
    if len(tile) == 3:
        return "tee"
    return "straight" if tile in ("NS", "EW") else "curve"


def words(text: str) -> list[str]:
    """The words of a text; `-` stands for an empty one."""
    return [word.strip("-") for word in text.split()]


def kinds(text: str) -> list[str]:
    """`straight*2 tee` as a list of kinds."""
    pairs = (word.partition("*") for word in text.split())
    return [kind for kind, _, number in pairs for _ in range(int(number or 1))]


def deal(track: str, stack: str, *rounds: str, **settings: Any) -> tkg.Game:
    """A game whose luck is the track, the stack from the top, and what falls in every round.

    A round is its altar, then for each bidding the draws by seat, `-` where there is nothing. The whole stack after
    a shuffle and an arrow go before it. How much is laid out, drawn and bid follows from the rounds if not set.

        deal("2 1", "straight*2", "NS EW | EES EEE | EEE ESS", "straight*2 > NS NS | EEE EEE | EEE EEE")
    """
    chance: list[dict[str, Any]] = [{"track": [int(seat) for seat in track.split()]}, {"stack": kinds(stack)}]
    altar, draw, biddings = 2, 1, 1
    for text in rounds:
        shuffled, arrow, rest = text.rpartition(">")
        if arrow:
            chance.append({"stack": kinds(shuffled)})
        tiles, *drawn = map(words, rest.split("|"))
        chance.append({"altar": [tile for tile in tiles if tile]})
        altar, biddings = max(altar, len(tiles)), max(biddings, len(drawn))
        for bidding in drawn:
            draw = max(draw, *map(len, bidding))
            chance += [{"draw": {"seat": seat, "flowers": flowers}} for seat, flowers in enumerate(bidding, 1)]
    found = {
        "players": len(track.split()),
        "tiles": {kind: kinds(stack).count(kind) for kind in KINDS},
        "altar": altar,
        "draw": draw,
        "biddings": biddings,
    }
    return tkg.Game(tkg.umbra(**{**found, **settings}), seed=0, chance=chance)


def play(game: tkg.Game, actions: str) -> tkg.Game:
    """Play actions that are parted by commas."""
    for action in actions.split(","):
        game.play(action.strip())
        count_all(game)
    return game


def count_all(game: tkg.Game) -> None:
    """Always true: each flower is in a bag or hand, on altar, board, track or soul tile, or out of the game."""
    view, variant = game.view(), game.variant
    altar, cells = view["altar"].values(), view["cells"].values()
    for s, seat in enumerate(view["seats"]):
        energy, soul = (seat["bag"][f] + sum(place["flowers"][s][f] for place in altar) for f in (0, 1))
        assert energy + sum(cell["energy"][s] for cell in cells) + 1 == variant.energy
        assert soul + seat["soul_tile"] + seat["spent"] == variant.soul
    lying = [kind_of(place["tile"]) for place in (*altar, *cells) if place["tile"]]
    found = {kind: view["stack"][kind] + view["discard"][kind] + lying.count(kind) for kind in KINDS}
    assert found == variant.plain()["tiles"]


def laid(rounds: str, track: str = "", **settings: Any) -> tkg.Game:
    """A game in which every seat bids all it draws on a tile of its own, in seat order, and lays it.

    Tiles have equally many flowers, so they are placed in seat order too, and no bids are level. A token is the tile,
    where it goes, for a point also whereto its energy is scattered, and its flowers; at one without a cell it stops,
    as at the end of the game. Bars part the rounds; one more is dealt, of straights, with soul flowers in every hand.
    Bags hold soul flowers aplenty, which leave with the bids and so place tiles without energy.

        laid("NS@E:EE void@H:ES | point@B>stay:EE NS:SS")
    """
    turns = [re.findall(r"(\w+)(?:@(\w+))?(?:>(\w+))?:([ES]+)", text) for text in rounds.split("|")]
    seats, draw = len(turns[0]), len(turns[0][0][3])
    coming = [("NS", "", "", "S" * draw)] * seats
    dealt = [f"{' '.join(t[0] for t in turn)} | {' '.join(t[3] for t in turn)}" for turn in [*turns, coming]]
    stack = " ".join(kind_of(tile) for turn in [*turns, coming] for tile, *_ in turn)
    order = track or " ".join(str(seat) for seat in range(1, seats + 1))
    game = deal(order, stack, *dealt, **{"side": 3, "soul": 100, **settings})
    for turn in turns:
        if game.over:
            break
        play(game, ", ".join(f"bid {place}:{t[3]}" for place, t in zip(ALTAR, turn, strict=False)))
        for tile, cell, onto, _ in turn:
            if not cell or game.over:
                return game
            play(game, f"void {cell}" if tile == "void" else f"place {cell}")
            if onto:
                play(game, f"scatter {onto}")
    return game


def path(tiles: str, energy: list[int], **settings: Any) -> tkg.Game:
    """A game in which the seats in turn lay these tiles, each its first one with so much energy."""
    draw, seats = max(1, *energy), len(energy)
    flowers = ["E" * n + "S" * (draw - n) for n in energy]
    words = [f"{tile}:{flowers[i] if i < seats else 'S' * draw}" for i, tile in enumerate(tiles.split())]
    words += [f"NS:{'S' * draw}"] * (-len(words) % seats)
    return laid(" | ".join(" ".join(words[i : i + seats]) for i in range(0, len(words), seats)), **settings)


def board(game: tkg.Game) -> dict[str, str]:
    """The tiles that lie on the board."""
    return {name: cell["tile"] for name, cell in game.view()["cells"].items() if cell["tile"]}


def energy(game: tkg.Game) -> dict[str, list[int]]:
    """The energy flowers on the board by seat, on tiles or waiting."""
    return {name: cell["energy"] for name, cell in game.view()["cells"].items() if any(cell["energy"])}


def due(game: tkg.Game) -> str | None:
    """The place of the altar whose tile is being placed."""
    return next((name for name, place in game.view()["altar"].items() if place["due"]), None)


def bags(game: tkg.Game) -> list[list[int]]:
    """Energy and soul flowers in bag and hand, by seat."""
    return [seat["bag"] for seat in game.view()["seats"]]


def where(game: tkg.Game) -> str:
    """The cells that may be chosen, in reading order."""
    return " ".join(option.split()[1] for option in game.legal)

"""What restrictions cost and exploits win: by hand on tiny tables, and in games, over the deals of a run."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import polars as pl
import pytest
from commands import run

import tkg
from tkg.bots.registered import REGISTERED
from tkg.bots.table import CANNOT, EXPLOITS, STYLES, bot_code
from tkg.ways import alone, among, lines_of


def test_a_player_alone_is_compared_deal_by_deal() -> None:
    """Of four deals the fair bot wins three, the other one, which the fair one wins too: one half less. Two pairs differ, both one way, so
    with half a deal more for each of four outcomes (0.5 - 2.5) / 6 = -1/3, give or take 1.96 sqrt(3 - 4/6) / 6 = 0.499."""
    row = alone(["other"], np.array([[1, 1], [1, 0], [1, 0], [0, 0]], float)).row(0, named=True)
    assert (row["bot"], row["deals"], row["games"]) == ("other", 4, 4)
    assert (row["free"], row["share"], row["difference"]) == (0.75, 0.25, -0.5)
    assert (row["low"], row["high"]) == pytest.approx((-1 / 3 - 0.499, -1 / 3 + 0.499), abs=1e-3)


def test_no_difference_of_shares_goes_beyond_one() -> None:
    """Of two deals the fair bot wins both and the other none: (0.5 - 2.5) / 4 = -1/2, give or take 1.96 sqrt(3 - 4/4) / 4 = 0.69, cut off at -1."""
    row = alone(["other"], np.array([[1, 0], [1, 0]], float)).row(0, named=True)
    assert (row["difference"], row["low"], row["high"]) == (-1, -1, pytest.approx(0.193, abs=1e-3))


def test_one_among_several_is_compared_with_its_part() -> None:
    """Of four deals for three a lone bot wins 2/3, 1/3, 1/3 and 0 over the seats: its part of one third, no more."""
    row = among(["other"], np.array([[2 / 3], [1 / 3], [1 / 3], [0]]), 3).row(0, named=True)
    assert (row["deals"], row["games"]) == (4, 12)
    assert (row["free"], row["share"], row["difference"]) == pytest.approx((1 / 3, 1 / 3, 0))
    assert row["low"] < 0 < row["high"]


def test_every_game_tells_its_exploits(game: str) -> None:
    assert EXPLOITS[game]
    for bot, plan in EXPLOITS[game].items():
        assert bot_code(game, bot) > 0
        assert plan
    assert not set(CANNOT[game]) & set(STYLES[game])


def test_building_nothing_pays_where_the_ring_need_not_be_full() -> None:
    found = tkg.exploits(tkg.rift(full_boundary=False, supply=5), fair="random", deals=40, seed=1).row(0, named=True)
    assert (found["bot"], found["against"], found["verdict"]) == ("hoarder", "random", "pays")
    assert "builds nothing" in found["plan"]
    assert found["gain"] == pytest.approx(found["share"] - found["free"])
    runs = tkg.simulate(tkg.rift(full_boundary=False, supply=5), "random,hoarder", 40, seed=1).cast({"bot": pl.String})
    wins = dict(runs.group_by("bot").agg(pl.col("win").mean()).iter_rows())
    assert (found["free"], found["share"]) == pytest.approx((wins["random"], wins["hoarder"]))


def test_an_exploit_sits_in_every_seat_among_fair_bots() -> None:
    variant = tkg.umbra(players=3)
    found = tkg.exploits(variant, fair="random", deals=6, seed=2).row(0, named=True)
    won = 0.0
    for seat in range(3):
        names = ["random"] * 3
        names[seat] = "greedy-lump"
        runs = tkg.simulate(variant, names, 6, seed=2, fixed_seats=True)
        won += runs.filter(pl.col("seat") == seat + 1)["win"].sum()
    assert found["share"] == pytest.approx(won / 18)
    assert (found["free"], found["gain"]) == pytest.approx((1 / 3, won / 18 - 1 / 3))


def test_a_bot_of_ones_own_may_be_an_exploit() -> None:
    try:
        tkg.register_bot("first", game="umbra")(lambda seen, options: options[0])
        found = tkg.exploits(tkg.umbra(), "first", fair="random", deals=2).row(0, named=True)
    finally:
        REGISTERED.clear()
    assert (found["bot"], found["plan"]) == ("first", None)


def test_a_tile_is_taken_in_the_styles_own_way() -> None:
    """Wherever a tile may be taken either way, a style takes it in its own, and the unrestricted bot now so, now so."""
    ways = {"occupy", "capture"}
    for bot, own in (("random", ways), ("random-only-occupy", {"occupy"}), ("random-only-capture", {"capture"})):
        played, taken = tkg.play_again(tkg.cosmic(), bot, 7), set()
        game = tkg.new(tkg.cosmic(), seed=played.seed)
        for action in played.actions:
            if {word.split()[0] for word in game.legal} == ways:
                taken.add(action.split()[0])
            game.play(action)
        assert taken == own


def test_a_loss_is_what_the_restricted_lack() -> None:
    """All styles of the game on the same deals; a loss is what the part lacks, its interval turned round."""
    found = tkg.restricted(tkg.cosmic(), bot="random", deals=20, seed=3)
    assert found["style"].to_list() == list(STYLES["cosmic"])
    assert found["note"].is_null().all()
    for row in found.iter_rows(named=True):
        assert row["loss"] == pytest.approx(0.5 - row["share"])
        assert row["low"] < row["loss"] < row["high"]
        assert row["verdict"] == ("loses" if row["low"] > 0 else "gains" if row["high"] < 0 else "level")


def test_what_the_rules_leave_nobody_free_to_do_is_said() -> None:
    """A hand of flowers is bid whole, so no style keeps soul flowers back; alone it needs no game."""
    found = tkg.restricted(tkg.umbra(), ["no-soul", "lump"], bot="random", deals=4)
    assert found["style"].to_list() == ["no-soul", "lump"]
    assert "bid whole" in found["note"][0]
    assert found["loss"].is_null().to_list() == [True, False]
    alone = tkg.restricted(tkg.umbra(), "no-soul", deals=4).row(0, named=True)
    assert alone["loss"] is None


@pytest.mark.parametrize("bot", ["random", "greedy"])
@pytest.mark.parametrize(
    "settings", [{}, {"tile_moves": "any", "hop": "again", "move_mix": False}, {"side": 4, "supply": 9}]
)
def test_without_tile_moves_no_oink_leaves_a_tile(bot: str, settings: dict[str, Any]) -> None:
    """A Move action goes from the gate alone, to its end, or is refused; unrestricted play moves from tile to tile."""
    variant = tkg.rift(**settings)
    moved = {
        name: sum(
            action.startswith("move") and ">" in action and "gate" not in action
            for seed in range(6)
            for action in tkg.play_again(variant, name, seed).actions
        )
        for name in (bot, f"{bot}-no-tile-moves")
    }
    assert moved[bot] > 0
    assert moved[f"{bot}-no-tile-moves"] == 0


@pytest.mark.parametrize(
    ("call", "settings", "words"),
    [
        (tkg.restricted, {"styles": "no-replace"}, "umbra has no style 'no-replace'"),
        (tkg.restricted, {"bot": "greedy-lump"}, "has no style"),
        (tkg.restricted, {"bot": "peek:4"}, "sees what its seat may see"),
        (tkg.restricted, {"bot": "greedy,random"}, "one bot is needed|for 2 seats"),
        (tkg.restricted, {"deals": 1}, "deals=1"),
        (tkg.restricted, {"styles": []}, "none are named; there are"),
        (tkg.restricted, {"styles": 5}, "styles=5: a name, or a list"),
        (tkg.restricted, {"styles": [5]}, "no style 5"),
        (tkg.restricted, {"styles": ["lump", "lump"]}, "lump is given twice"),
        (tkg.exploits, {"fair": "peek:4"}, "sees what its seat may see"),
        (tkg.exploits, {"bots": "peek:4"}, "what it gains shows no plan"),
        (tkg.exploits, {"bots": "greedy"}, "given twice"),
        (tkg.exploits, {"bots": "lump"}, "no bot 'lump'"),
        (tkg.exploits, {"deals": 1}, "deals=1"),
        (tkg.exploits, {"workers": 0}, "workers=0"),
    ],
)
def test_bad_questions_are_refused(call: Any, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(tkg.Refused, match=words):
        call(tkg.umbra(), **settings)


# --- The command line ---------------------------------------------------------------------------------------------


def test_a_table_of_ways_is_told_whole_with_its_notes() -> None:
    """Shares in percent, differences in points; what nobody can keep to has no numbers, and its reason stands below."""
    table = pl.DataFrame(
        {
            "style": ["lump", "no-soul"], "games": [40, None], "free": [0.5, None], "share": [0.25, None],
            "loss": [0.25, None], "low": [-0.01, None], "high": [0.5, None], "verdict": ["level", None],
            "note": [None, "nobody can"],
        }
    )  # fmt: skip
    assert lines_of(table) == [
        "style  games  free  share  loss                          verdict",
        "lump   40     50%   25%    +25.0 points (\u22121.0 to +50.0)  level",
        "no-soul: nobody can",
    ]


def test_restrictions_are_told_on_the_command_line(tmp_path: Any, capsys: Any) -> None:
    args = ("restricted", "umbra", "-n", 10, "--seed", 3, "--set", "players=3", "--styles", "lump, no-soul")
    status, out, err = run(capsys, *args, "--out", tmp_path / "ways.csv")
    assert status == 0
    assert "stand-in" in err
    assert out.startswith("umbra(players=3), 10 deals, seed 3; 95% intervals, each for its own row\nstyle ")
    assert "no-soul: a hand is bid whole" in out
    found = tkg.restricted(tkg.umbra(players=3), ["lump", "no-soul"], deals=10, seed=3)
    assert pl.read_csv(tmp_path / "ways.csv")["games"].to_list() == found["games"].to_list() == [30, None]
    status, text, err = run(capsys, *args, "--json")
    assert (status, err) == (0, "")
    assert json.loads(text)["ways"] == found.to_dicts()
    assert run(capsys, *args, "--out", tmp_path / "ways.csv")[0] == 2


def test_exploits_are_told_on_the_command_line(capsys: Any) -> None:
    args = ("exploits", "rift", "-n", 10, "--seed", 3, "--fair", "random")
    status, out, _ = run(capsys, *args)
    assert status == 0
    assert "hoarder: builds nothing" in out
    ways = json.loads(run(capsys, *args, "--json")[1])["ways"]
    assert ways == tkg.exploits(tkg.rift(), fair="random", deals=10, seed=3).to_dicts()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("restricted", "rift", "--styles", "no-replac"), "did you mean no-replace"),
        (("restricted", "rift", "--bot", "greedy-no-replace"), "has no style"),
        (("restricted", "rift", "-n", "1"), "deals"),
        (("exploits", "rift", "--fair", "peek:4"), "what its seat may see"),
        (("exploits", "chess"), "no game 'chess'"),
        (("skill", "umbra", "--budgets", "4,few"), "--budgets 4,few"),
        (("skill", "umbra", "--budgets", "16,4"), "ascending"),
        (("skill", "umbra", "--search", "greedy"), "is needed"),
    ],
)
def test_slips_are_told_in_a_line(capsys: Any, args: tuple[str, ...], words: str) -> None:
    status, out, err = run(capsys, *args)
    assert (status, out) == (2, "")
    assert words in err
    assert len(err.splitlines()) == 1

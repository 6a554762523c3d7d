"""Bulk play: one table for one seed however it is divided, files that are whole, games that can be made again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from playing import played

import tkg
from tkg import bulk
from tkg.bots.loop import make_room, play
from tkg.bots.search import make_tree
from tkg.bots.table import OWN_BOTS, STYLES
from tkg.bulk import make_run, play_block, run_of_file
from tkg.game import contest_ranks
from tkg.rules import chance, tiles
from tkg.rules.games import GAMES, rules_of
from tkg.rules.knobs import Variant

SMALL = {"F": 6, "FW": 6, "WA": 4, "-": 1, "FFE": 3}
THREE = "random", "greedy", "hoarder"
MANY = [1, 2, 8]


@pytest.fixture(scope="module")
def variant() -> tkg.Variant:
    return tkg.rift(deck=SMALL, supply=[9, 8, 7, 6], shortfall="illegal", hop="again")


@pytest.fixture(scope="module")
def runs(variant: tkg.Variant) -> pl.DataFrame:
    return tkg.simulate(variant, THREE, games=40, seed=5, workers=1)


@pytest.fixture
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many small blocks, so that a short run is divided too."""
    monkeypatch.setattr(bulk, "LARGEST_BLOCK", 7)


# --- Random numbers -----------------------------------------------------------------------------------------------

# What splitmix64 seeded 0 brings first (Steele, Lea, Flood 2014; the reference code of Vigna gives the same).
SPLITMIX_OF_0 = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]


def test_the_mixing_function_is_splitmix64() -> None:
    assert chance.mix_exact(chance.GOLDEN) == SPLITMIX_OF_0[0]
    assert [chance.derive_exact(0, place) for place in range(4)] == SPLITMIX_OF_0


def test_compiled_luck_equals_exact_luck() -> None:
    """Numbers are handed to compiled code as unsigned: those from 2^63 on do not fit another type."""
    edges = [0, 1, 2, (1 << 31) - 1, (1 << 53) - 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]
    keys = edges + [chance.mix_exact(n) for n in range(300)]
    for n, key in enumerate(keys):
        assert int(chance.mix(np.uint64(key))) == chance.mix_exact(key)
        place = n % 97
        assert int(chance.derive(np.uint64(key), place)) == chance.derive_exact(key, place)
        for most in (1, 2, 3, 10, 1000, (1 << 31) - 1):
            drawn = int(chance.below(np.uint64(key), place, most))
            assert drawn == chance.below_exact(key, place, most)
            assert 0 <= drawn < most
        seed = key >> 11
        assert int(chance.game_seed(seed, n)) == chance.game_seed_exact(seed, n)


def test_game_seeds_are_below_2_to_the_53_and_differ() -> None:
    seeds = {chance.game_seed_exact(run, game) for run in range(50) for game in range(200)}
    assert len(seeds) == 50 * 200
    assert 1 << 52 < max(seeds) < 1 << chance.SEED_BITS == 1 << 53
    assert chance.game_seed_exact(1, 2) == 407_638_796_292_049


def test_dice_are_fair() -> None:
    """Every face of a die of seven within five standard errors."""
    n, faces = 70_000, 7
    counts = np.bincount([chance.below_exact(42, k, faces) for k in range(n)], minlength=faces)
    assert (abs(counts - n / faces) < 5 * (n / faces * (1 - 1 / faces)) ** 0.5).all()


def test_every_shuffle_is_as_likely() -> None:
    variant = tkg.rift(deck={"F": 1, "W": 1, "A": 1, "E": 1}, gate="empty")
    n = 2400
    orders = [tuple(tkg.new(variant, seed).chance) for seed in range(n)]
    counts = [orders.count(order) for order in set(orders)]
    assert len(counts) == 24
    assert sum((c - n / 24) ** 2 / (n / 24) for c in counts) < 60  # chi squared, 23 degrees: 1 in 25,000


def test_neighbouring_runs_share_no_deal(variant: tkg.Variant) -> None:
    seeds = [tkg.simulate(variant, games=50, seed=seed)["game_seed"].to_list() for seed in (1, 2, 3)]
    assert len({seed for found in seeds for seed in found}) == 150


# --- The same table ----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("short_blocks")
@pytest.mark.parametrize("workers", MANY)
@pytest.mark.parametrize("to_file", [False, True], ids=["frame", "file"])
def test_workers_make_no_difference(
    workers: int, to_file: bool, variant: tkg.Variant, runs: pl.DataFrame, tmp_path: Path
) -> None:
    to = tmp_path / "runs.parquet" if to_file else None
    found = tkg.simulate(variant, list(THREE), games=40, seed=5, workers=workers, to=to)
    assert isinstance(found, pl.LazyFrame if to_file else pl.DataFrame)
    assert found.lazy().collect().equals(runs)


def test_hash_seeds_make_no_difference(python: Callable[..., str]) -> None:
    code = (
        "import hashlib, tkg\n"
        "variant = tkg.rift(deck={'FW': 20, 'F': 9, 'WAE': 9}, adjacency='all', supply=[7, 8, 9, 10])\n"
        "runs = tkg.simulate(variant, 'random', games=300, seed=9, workers=2)\n"
        "print(runs['run'][0], hashlib.sha256(runs.write_csv().encode()).hexdigest())\n"
    )
    first = python("-c", code, PYTHONHASHSEED="0")
    assert first == python("-c", code, PYTHONHASHSEED="1")
    variant = tkg.rift(deck={"FW": 20, "F": 9, "WAE": 9}, adjacency="all", supply=[7, 8, 9, 10])
    here = tkg.simulate(variant, "random", games=300, seed=9, workers=1)
    assert first.split() == [here["run"][0], hashlib.sha256(here.write_csv().encode()).hexdigest()]


@pytest.mark.parametrize("bots", ["random", "random,hoarder"])
def test_blocks_make_no_difference(bots: str, variant: tkg.Variant) -> None:
    """The order in which games are played, and what was played before, leave no trace."""
    run = make_run(variant, bots, 200, 3)
    whole = tkg.simulate(variant, bots, games=200, seed=3)
    rows = run.rows_per_game
    assert play_block(run, 100, 50).equals(whole[100 * rows : 150 * rows])
    assert play_block(run, 0, 1).equals(whole[:rows])
    assert play_block(run, 199, 1).equals(whole[199 * rows :])
    assert pl.concat([play_block(run, k, 50) for k in (150, 100, 50, 0)][::-1]).equals(whole)


def test_a_longer_run_begins_like_a_shorter_one(variant: tkg.Variant, runs: pl.DataFrame) -> None:
    assert tkg.simulate(variant, THREE, games=60, seed=5)[: len(runs)].equals(runs)


def test_a_player_is_the_same_alone_and_in_a_contest(variant: tkg.Variant, runs: pl.DataFrame) -> None:
    """Bots share nothing: who else plays the deal makes no difference to the first seat."""
    alone = tkg.simulate(variant, THREE[0], games=40, seed=5)
    told = [c for c in alone.columns if c not in ("run",)]
    assert runs.filter(pl.col("seat") == 1).select(told).equals(alone.select(told))


def test_random_players_are_the_same_where_nothing_that_thinks_is_compiled(game: str) -> None:
    """The loop is compiled without a tree for them, and with one as soon as somebody thinks at the table."""
    variant = Variant(rules_of(game))
    seeds, codes, streams = np.arange(3), np.zeros((3, variant.seats), np.int64), np.zeros(3, np.int64)
    alone = make_room(variant, codes)
    assert alone.tree is None
    scripts = []
    for room in (alone, alone._replace(tree=make_tree(1))):
        scripts.append(np.full((3, 20), -1))
        play(variant, seeds, codes, streams, scripts[-1], most=20, room=room)
    assert (scripts[0] == scripts[1]).all()
    assert (scripts[0] >= 0).any()


def test_two_of_a_kind_do_not_play_alike(variant: tkg.Variant) -> None:
    pair = tkg.simulate(variant, "random,random", games=100, seed=5)
    first, second = (pair.filter(pl.col("seat") == seat) for seat in (1, 2))
    assert first["game_seed"].equals(second["game_seed"])
    assert not first["points"].equals(second["points"])


def test_variants_meet_the_same_deals() -> None:
    """Common luck: what a setting changes is not the deal."""
    one, other = tkg.rift(), tkg.rift(supply=3, side=5, hop="again")
    runs = [tkg.simulate(v, "random", games=5, seed=8) for v in (one, other)]
    assert runs[0]["game_seed"].equals(runs[1]["game_seed"])
    for row in range(5):
        assert tkg.game_of(runs[0], row).chance == tkg.game_of(runs[1], row).chance


# --- What the table holds ------------------------------------------------------------------------------------------


def test_columns(variant: tkg.Variant, runs: pl.DataFrame) -> None:
    rules = rules_of("rift")
    head = ["run", "variant", "version", "seed", "game", "game_seed", "seat", "bot", "win", "rank", "contest"]
    fields = [name for name in rules.RESULT.names if name != "win"]
    counts = [f"{what}_{kind}" for kind in rules.KINDS for what in ("decisions", "options", "choices")]
    assert runs.columns == [*head, *fields, *counts, "decisions"]
    alone = tkg.simulate(variant, games=3, seed=1)
    assert alone.columns == [c for c in runs.columns if c not in ("rank", "contest")]
    assert runs.null_count().sum_horizontal()[0] == 0
    assert runs["game"].to_list() == [game for game in range(40) for _ in THREE]
    assert runs["seat"].to_list() == [1, 2, 3] * 40
    assert runs["bot"].cast(pl.String).to_list() == list(THREE) * 40
    assert set(runs["variant"].cast(pl.String)) == {str(variant)}
    assert set(runs["version"].cast(pl.String)) == {bulk.version()}
    assert set(runs["seed"]) == {5}
    assert [runs[name].dtype for name in rules.CONDITIONS] == [pl.Boolean] * 4


def test_counts_of_decisions_and_options(runs: pl.DataFrame) -> None:
    for row in range(0, len(runs), 17):
        told = runs.row(row, named=True)
        game = tkg.game_of(runs, row)
        again = tkg.new(game.variant, game.seed)
        seen: dict[str, list[int]] = {kind: [] for kind in game.rules.KINDS}
        for action in game.actions:
            seen[str(again.kind)].append(len(again.legal))
            again.play(action)
        for kind, options in seen.items():
            assert told[f"decisions_{kind}"] == len(options)
            assert told[f"options_{kind}"] == sum(options)
            assert told[f"choices_{kind}"] == sum(n > 1 for n in options)
        assert told["decisions"] == len(game.actions)


def test_a_row_is_made_again_as_a_game(variant: tkg.Variant, runs: pl.DataFrame) -> None:
    for row in range(0, len(runs), 5):
        told = runs.row(row, named=True)
        game = tkg.game_of(runs, row)
        assert game.variant == variant
        assert game.seed == told["game_seed"]
        assert game.players == [told["bot"]]
        for name, value in game.result.items():
            assert told[name] == value, name
        assert game.outcome is not None
        assert told["win"] == game.outcome.payoffs[0]
        alone = tkg.play_again(variant, THREE, told["game_seed"], seat=told["seat"])
        assert alone.actions == game.actions


def test_a_row_is_found_in_a_table_of_several_runs(runs: pl.DataFrame) -> None:
    others = [tkg.simulate(tkg.rift(supply=s), "random,hoarder", games=10, seed=5) for s in (4, 5)]
    both = pl.concat([*others, runs], how="diagonal_relaxed")
    for row in (3, 25, 45, len(both) - 1):
        assert tkg.game_of(both, row).result["points"] == both["points"][row]
        assert str(tkg.game_of(both, row).variant) == both["variant"].cast(pl.String)[row]


def test_contests_share_one_victory_a_deal(variant: tkg.Variant, runs: pl.DataFrame) -> None:
    by_deal = runs.group_by("game", maintain_order=True).agg(
        pl.col("contest").sum(), pl.col("rank").min().alias("best"), pl.col("game_seed").n_unique()
    )
    assert np.allclose(by_deal["contest"], 1)
    assert (by_deal["best"] == 1).all()
    assert (by_deal["game_seed"] == 1).all()
    assert ((runs["contest"] > 0) == (runs["rank"] == 1)).all()
    for deal in range(0, 40, 8):
        games = [tkg.game_of(runs, deal * len(THREE) + seat) for seat in range(len(THREE))]
        assert contest_ranks(games) == runs["rank"][deal * len(THREE) : (deal + 1) * len(THREE)].to_list()


def test_ties_are_split() -> None:
    """Where nobody can score and every tile is alike, all share the victory."""
    ties = tkg.simulate(tkg.rift(deck={"-": 9}), "random,random,random", games=5, seed=1)
    assert set(ties["rank"]) == {1}
    assert np.allclose(ties["contest"], 1 / 3)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_and_bot_plays(game: str) -> None:
    default = getattr(tkg, game)()
    for name in ("random", "greedy", *OWN_BOTS[game], "uct:2", "mcts:2", "peek:2"):
        found = tkg.simulate(default, name, games=20, seed=1)
        assert len(found) == 20 * default.seats
        assert (found["decisions"] > 0).all()


# --- Several seats -------------------------------------------------------------------------------------------------

SEATED = "random", "random-only-occupy", "random-only-capture"


@pytest.fixture(scope="module")
def three() -> tkg.Variant:
    """A short game of three seats, some of which are stopped unfinished."""
    return tkg.cosmic(players=3, side=3, deck={"F": 6, "FW": 6, "WA": 4, "-": 2}, layout="dealt", max_turns=70)


@pytest.fixture(scope="module")
def seated(three: tkg.Variant) -> pl.DataFrame:
    return tkg.simulate(three, SEATED, games=60, seed=5, workers=1)


@pytest.mark.usefixtures("short_blocks")
@pytest.mark.parametrize("workers", MANY)
def test_workers_make_no_difference_to_seats(workers: int, three: tkg.Variant, seated: pl.DataFrame) -> None:
    assert tkg.simulate(three, SEATED, games=60, seed=5, workers=workers).equals(seated)


def test_columns_of_several_seats(three: tkg.Variant, seated: pl.DataFrame) -> None:
    rules = three.rules
    head = ["run", "variant", "version", "seed", "game", "game_seed", "seat", "bot", "win", "win_shared"]
    fields = [name for name in rules.RESULT.names if name != "winners"]
    counts = [f"{what}_{kind}" for kind in rules.KINDS for what in ("decisions", "options", "choices")]
    assert seated.columns == [*head, *fields, *counts, "decisions"]
    assert seated["game"].to_list() == [game for game in range(60) for _ in SEATED]
    assert seated["seat"].to_list() == [1, 2, 3] * 60
    assert seated.null_count().sum_horizontal()[0] == 0
    assert set(seated["ending"]) <= set(rules.ENDINGS[1:])
    assert set(seated["element"]) == set("FWAE")
    by_game = seated.group_by("game")
    alike = by_game.agg(pl.col("ending", "turns", "decisions", "game_seed", "win_shared").n_unique())
    assert (alike.drop("game") == 1).select(pl.all().all()).row(0) == (True,) * 5
    assert (by_game.agg(pl.col("element").n_unique())["element"] == 3).all()


def test_bots_are_rotated_over_the_seats(three: tkg.Variant, seated: pl.DataFrame) -> None:
    bots = seated["bot"].cast(pl.String).to_list()
    for game in range(60):
        assert bots[3 * game : 3 * game + 3] == [SEATED[(seat + game) % 3] for seat in range(3)]
    fixed = tkg.simulate(three, SEATED, games=20, seed=5, fixed_seats=True)
    assert fixed["bot"].cast(pl.String).to_list() == list(SEATED) * 20
    assert fixed["game_seed"].equals(seated["game_seed"][:60])
    assert fixed["run"][0] != seated["run"][0]


def test_shares_of_a_win_add_up_to_the_games(seated: pl.DataFrame) -> None:
    wins = seated.group_by("game", maintain_order=True).agg(
        pl.col("win").sum(), (pl.col("win") > 0).sum().alias("winners"), pl.col("win_shared").first()
    )
    assert np.allclose(wins["win"], 1)
    assert wins["win_shared"].to_list() == [n > 1 for n in wins["winners"]]
    assert set(wins["winners"]) > {1}, "no victory was shared, so nothing is shown"


def test_a_win_that_all_share() -> None:
    nobody = tkg.simulate(tkg.cosmic(players=4, layout="dealt", max_turns=4), games=3, seed=1)
    assert set(nobody["win"]) == {0.25}
    assert nobody["win_shared"].all()


def test_unfinished_games_stay_in_the_table(seated: pl.DataFrame) -> None:
    endings = seated.filter(pl.col("seat") == 1)["ending"].cast(pl.String).to_list()
    assert len(endings) == 60
    assert 0 < endings.count("unfinished") < 60
    stopped = seated.filter(pl.col("ending") == "unfinished")
    assert set(stopped["turns"]) == {70}
    assert stopped["win"].sum() == pytest.approx(endings.count("unfinished"))


def test_a_row_of_several_seats_is_made_again_as_a_game(three: tkg.Variant, seated: pl.DataFrame) -> None:
    for row in range(0, len(seated), 7):
        told = seated.row(row, named=True)
        game = tkg.game_of(seated, row)
        assert game.players == seated.filter(pl.col("game") == told["game"])["bot"].cast(pl.String).to_list()
        for name, value in game.result.items():
            if name != "winners":
                assert told[name] == (value[told["seat"] - 1] if name in three.rules.BY_SEAT else value), name
        assert game.outcome is not None
        assert told["win"] == game.outcome.payoffs[told["seat"] - 1]
        assert told["decisions"] == len(game.actions)
        again = tkg.play_again(three, SEATED, told["game_seed"], rotation=told["game"])
        assert again.actions == game.actions
        assert again.players == game.players


def test_a_row_whose_other_seats_are_gone_is_refused(seated: pl.DataFrame) -> None:
    """Who sat there is unknown then: one bot in all seats would be another game."""
    winners = seated.filter(pl.col("win") == 1)
    with pytest.raises(tkg.Refused, match="row 3: the table has 1 of the 3 seats of its game"):
        tkg.game_of(winners, 3)
    twice = pl.concat([seated, seated])
    assert tkg.game_of(twice, 200).actions == tkg.game_of(seated, 20).actions


@pytest.mark.parametrize("bots", ["random,random", ["random"] * 4])
def test_bots_are_as_many_as_seats(bots: Any, three: tkg.Variant) -> None:
    with pytest.raises(tkg.Refused, match="for 3 seats; give one for all, or one for each"):
        tkg.simulate(three, bots, games=3)


# --- Styles --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_style_plays(game: str) -> None:
    default = Variant(rules_of(game))
    plain = tkg.simulate(default, "random", games=4, seed=1)
    for style in STYLES[game]:
        styled = tkg.simulate(default, f"random-{style}", games=4, seed=1)
        assert len(styled) == len(plain)
        assert set(styled["bot"].cast(pl.String)) == {f"random-{style}"}
        assert not styled.drop("run", "bot").equals(plain.drop("run", "bot")), f"{style} changes nothing"


@pytest.mark.parametrize("game", GAMES)
def test_a_style_that_no_game_has_is_refused(game: str) -> None:
    ways = ", ".join(f"random-{style}" for style in STYLES[game])
    with pytest.raises(tkg.Refused, match=f"{game} has no style 'upside-down'; there are {ways}"):
        tkg.simulate(Variant(rules_of(game)), "random-upside-down", games=1)
    near = STYLES[game][0]
    with pytest.raises(tkg.Refused, match=f"did you mean {near}"):
        tkg.simulate(Variant(rules_of(game)), f"random-{near}x", games=1)


def test_a_style_keeps_to_itself(seated: pl.DataFrame) -> None:
    """`only-occupy` never captures while it has Oinks and `only-capture` never occupies while there is a stack."""
    bots = pl.col("bot").cast(pl.String)
    assert seated.filter(bots == "random-only-occupy")["captured"].sum() == 0
    captors = seated.filter(bots == "random-only-capture")
    assert captors["captured"].sum() > 0
    emptied = seated.group_by("game").agg(pl.col("captured").sum()).filter(pl.col("captured") >= 18 - 9)["game"]
    assert captors.filter(~pl.col("game").is_in(emptied.implode()))["occupied"].sum() == 0


def test_without_replacing_nothing_is_replaced() -> None:
    variant = tkg.rift(deck=SMALL, replace="free")
    for bot in ("random", "greedy"):
        assert tkg.simulate(variant, f"{bot}-no-replace", games=40, seed=2)["replacements"].sum() == 0
        assert tkg.simulate(variant, bot, games=40, seed=2)["replacements"].sum() > 0


# --- Who ran it ----------------------------------------------------------------------------------------------------


def test_identity_is_all_that_settles_the_rows(variant: tkg.Variant) -> None:
    def identity(variant: tkg.Variant = variant, bots: Any = THREE, games: int = 10, seed: int = 5) -> str:
        return make_run(variant, bots, games, seed).identity

    assert identity() == identity(tkg.variant(str(variant)), ",".join(THREE), 99)
    others = [
        identity(variant.but(supply=9)),
        identity(variant.but(deck={**SMALL, "F": 7})),
        identity(bots=THREE[::-1]),
        identity(bots=THREE[0]),
        identity(seed=6),
    ]
    assert len({identity(), *others}) == 6
    assert all(len(name) == 8 and int(name, 16) >= 0 for name in others)


# --- Files ---------------------------------------------------------------------------------------------------------


def test_a_file_is_the_table_and_tells_where_it_is_from(
    variant: tkg.Variant, runs: pl.DataFrame, tmp_path: Path
) -> None:
    path = tmp_path / "runs.parquet"
    table = tkg.simulate(variant, THREE, games=40, seed=5, to=path)
    assert table.collect().equals(runs)
    assert pl.read_parquet(path).equals(runs)
    assert tkg.read_runs(path).collect().equals(runs)
    assert [p.name for p in tmp_path.iterdir()] == ["runs.parquet"]
    told = pl.read_parquet_metadata(path)
    assert {k: told[k] for k in ("tkg", "game", "variant", "bots", "seed", "games")} == {
        "tkg": bulk.version(),
        "game": "rift",
        "variant": str(variant),
        "bots": "random,greedy,hoarder",
        "seed": "5",
        "games": "40",
    }
    assert json.loads(told["settings"]) == variant.plain()
    assert json.loads(told["decks"]) == {variant.deck.label: dict(variant.deck)}
    assert run_of_file(path) == make_run(variant, THREE, 40, 5)


def test_a_single_game_can_be_written(variant: tkg.Variant, tmp_path: Path) -> None:
    table = tkg.simulate(variant, games=1, seed=2, to=tmp_path / "one.parquet")
    assert table.collect().equals(tkg.simulate(variant, games=1, seed=2))


def test_some_columns_of_a_file_can_be_read_alone(variant: tkg.Variant, runs: pl.DataFrame, tmp_path: Path) -> None:
    table = tkg.simulate(variant, THREE, games=40, seed=5, to=tmp_path / "runs.parquet")
    assert table.select("points", "bot").collect().equals(runs.select("points", "bot"))


def test_a_deck_of_ones_own_is_known_from_the_file(
    variant: tkg.Variant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variant's string names the deck; its tiles stand in the file."""
    path = tmp_path / "runs.parquet"
    tkg.simulate(variant, games=3, seed=1, to=path)
    monkeypatch.setattr(tiles, "KNOWN", {})
    with pytest.raises(tkg.Refused, match="no such deck"):
        tkg.variant(str(variant))
    runs = tkg.read_runs(path).collect()
    assert tkg.variant(str(variant)) == variant
    assert tkg.game_of(runs, 2).result["points"] == runs["points"][2]


def test_an_existing_file_is_refused(variant: tkg.Variant, tmp_path: Path) -> None:
    path = tmp_path / "runs.parquet"
    path.write_text("mine")
    with pytest.raises(tkg.Refused, match=r"runs\.parquet exists"):
        tkg.simulate(variant, games=3, to=path)
    assert path.read_text() == "mine"
    assert len(tkg.simulate(variant, games=3, to=str(path), force=True).collect()) == 3


def test_a_folder_that_is_not_there_is_refused(variant: tkg.Variant, tmp_path: Path) -> None:
    with pytest.raises(tkg.Refused, match="folder"):
        tkg.simulate(variant, games=3, to=tmp_path / "no" / "runs.parquet")
    with pytest.raises(tkg.Refused):
        tkg.simulate(variant, games=3, to=tmp_path, force=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [None, b"", b"no parquet", b"PAR1 PAR1"])
def test_what_is_no_file_of_a_run_is_refused(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "runs.parquet"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(tkg.Refused, match=r"runs\.parquet"):
        tkg.read_runs(path)


def test_somebody_elses_parquet_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.parquet"
    pl.DataFrame({"a": [1]}).write_parquet(path)
    with pytest.raises(tkg.Refused, match="not one of a tkg run"):
        tkg.read_runs(path)


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> Callable[[type[BaseException], int], None]:
    """Let the block that begins at game `after`, or a later one, raise something."""

    def set_up(error: type[BaseException], after: int) -> None:
        playing = bulk.play_block

        def play(run: bulk.Run, first: int, games: int) -> pl.DataFrame:
            if first >= after:
                raise error
            return playing(run, first, games)

        monkeypatch.setattr(bulk, "play_block", play)

    return set_up


@pytest.mark.usefixtures("short_blocks")
@pytest.mark.parametrize("after", [0, 10, 50])
@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_run_leaves_nothing(
    workers: int,
    after: int,
    variant: tkg.Variant,
    interrupted: Callable[[type[BaseException], int], None],
    tmp_path: Path,
) -> None:
    interrupted(KeyboardInterrupt, after)
    with pytest.raises(KeyboardInterrupt):
        tkg.simulate(variant, games=100, seed=1, workers=workers)
    with pytest.raises(KeyboardInterrupt):
        tkg.simulate(variant, games=100, seed=1, workers=workers, to=tmp_path / "runs.parquet")
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("short_blocks")
def test_an_interrupted_run_leaves_an_older_file_alone(
    variant: tkg.Variant, interrupted: Callable[[type[BaseException], int], None], tmp_path: Path
) -> None:
    path = tmp_path / "runs.parquet"
    tkg.simulate(variant, games=5, seed=1, to=path)
    before = path.read_bytes()
    interrupted(KeyboardInterrupt, 20)
    with pytest.raises(KeyboardInterrupt):
        tkg.simulate(variant, games=100, seed=2, workers=1, to=path, force=True)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["runs.parquet"]


@pytest.mark.usefixtures("short_blocks")
def test_a_fault_in_a_block_is_told_as_it_is(
    variant: tkg.Variant, interrupted: Callable[[type[BaseException], int], None], tmp_path: Path
) -> None:
    interrupted(ZeroDivisionError, 20)
    with pytest.raises(ZeroDivisionError):
        tkg.simulate(variant, games=100, seed=1, workers=2)
    with pytest.raises(ZeroDivisionError):
        tkg.simulate(variant, games=100, seed=1, workers=2, to=tmp_path / "runs.parquet")
    assert not list(tmp_path.iterdir())


# --- What is refused -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"games": 0}, "games=0: a whole number from 1"),
        ({"games": -1}, "games=-1"),
        ({"games": 2.5}, "games=2.5"),
        ({"games": "10"}, "games='10'"),
        ({"games": True}, "games=True"),
        ({"games": None}, "games=None"),
        ({"games": 1 << 60}, "games="),
        ({"seed": -1}, "seed -1"),
        ({"seed": 1 << 53}, "seed 9007199254740992"),
        ({"seed": "one"}, "seed 'one'"),
        ({"seed": None}, "seed None"),
        ({"seed": True}, "seed True"),
        ({"workers": 0}, "workers=0: a whole number from 1"),
        ({"workers": -2}, "workers=-2"),
        ({"workers": 1.5}, "workers=1.5"),
        ({"workers": "2"}, "workers='2'"),
        ({"workers": True}, "workers=True"),
        ({"bots": "gredy"}, "no bot 'gredy' plays rift.*did you mean greedy"),
        ({"bots": ""}, "no bot ''"),
        ({"bots": []}, "at least one"),
        ({"bots": ["random", 3]}, "no bot 3"),
        ({"bots": "random,,random"}, "no bot ''"),
        ({"bots": None}, "bots"),
        ({"bots": 3}, "bots"),
        ({"variant": "rift"}, "variant.*'rift'"),
        ({"variant": None}, "variant"),
        ({"variant": tkg.rift}, "variant"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_wrong_arguments_are_refused(wrong: dict[str, Any], reason: str, variant: tkg.Variant, tmp_path: Path) -> None:
    path = tmp_path / "runs.parquet"
    with pytest.raises(tkg.Refused, match=reason):
        tkg.simulate(**{"variant": variant, "games": 3, "to": path, **wrong})
    assert not path.exists()


@pytest.mark.parametrize("wrong", [{"seat": 0}, {"seat": 4}, {"game_seed": -1}, {"game_seed": 1 << 53}, {"bots": "me"}])
def test_games_that_cannot_be_made_again_are_refused(wrong: dict[str, Any], variant: tkg.Variant) -> None:
    with pytest.raises(tkg.Refused):
        tkg.play_again(**{"variant": variant, "bots": THREE, "game_seed": 3, **wrong})


def test_progress_is_told_game_by_game(variant: tkg.Variant, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []

    class Bar:
        update = staticmethod(told.append)
        close = staticmethod(lambda: told.append(-1))

    monkeypatch.setattr(bulk, "progress_bar", lambda run, shown: Bar())
    tkg.simulate(variant, games=30, seed=1, workers=2, progress=True)
    assert told.pop() == -1
    assert sum(told) == 30


def test_blocks_come_as_they_are_asked_for(variant: tkg.Variant, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long run holds only a few blocks at a time, so its memory does not grow."""
    monkeypatch.setattr(bulk, "LARGEST_BLOCK", 10)
    begun: list[int] = []
    playing = bulk.play_block

    def play(run: bulk.Run, first: int, games: int) -> pl.DataFrame:
        begun.append(first)
        return playing(run, first, games)

    monkeypatch.setattr(bulk, "play_block", play)
    parts: Iterator[pl.DataFrame] = bulk.blocks(make_run(variant, "random", 10_000, 1), 2, lambda n: None)
    for _ in range(5):
        next(parts)
    parts.close()  # type: ignore[attr-defined]
    assert len(begun) <= 5 + 3 * 2


# --- Playing on ---------------------------------------------------------------------------------------------------

# By game: a position at which a seat wins by its next move.
WON_NEXT: dict[str, tuple[int, dict[str, Any]]] = {
    "cosmic": (
        2,
        {
            "mover": 2,
            "cells": {
                "A": {"oink": 2},
                "F": {"oink": 2},
                "K": {"tokens": [[2, 1], [2, 2], [1, 16]]},
                "D": {"tokens": [[1, 11]]},
            },
            "last": "D11",
        },
    ),
    "umbra": (
        1,
        {
            "phase": "place",
            "decider": 1,
            "due": "I",
            "altar": {"I": {"tile": "EW", "flowers": ["E", ""]}, "IV": {}},
            "cells": {c: {"tile": "EW", "energy": [1, 0]} for c in "EFG"},
            "seats": [{"soul_tile": 2}, {"soul_tile": 9}],
        },
    ),
}


@pytest.mark.parametrize("game", WON_NEXT)
def test_a_game_that_is_won_by_the_next_move_is_won(game: str) -> None:
    seat, told = WON_NEXT[game]
    rows = tkg.play_on(tkg.set_up(Variant(rules_of(game)), told, seed=1), "greedy", games=20)
    assert rows.group_by("seat").agg(pl.col("win").mean()).sort("seat")["win"].to_list() == [
        float(seat == s) for s in (1, 2)
    ]


def test_a_ring_that_only_needs_to_be_let_alone_is_won() -> None:
    told = {
        "phase": "move",
        "turn": 14,
        "hand": ["W"],
        "gate": "FFFFFFW",
        "cells": {c: {"tile": "F", "oinks": "" if c == "H" else "F"} for c in "ABCDEFGH"},
    }
    deck = {"F": 12, "W": 36}
    game = tkg.set_up(tkg.rift(deck=deck), {**told, "hand": ["F"]}, seed=1)
    assert tkg.play_on(game, games=5)["win"].to_list() == [1.0] * 5
    lost = tkg.set_up(tkg.rift(deck=deck), told, seed=1)
    assert tkg.play_on(lost, games=5)["win"].to_list() == [0.0] * 5


def midway(game: str, actions: int = 7) -> tkg.Game:
    return played(Variant(rules_of(game)), 3, actions)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_workers_make_no_difference_to_playing_on(workers: int, game: str) -> None:
    begun = midway(game)
    rows = tkg.play_on(begun, "random", games=70, seed=4, workers=workers)
    assert rows.equals(tkg.play_on(begun.copy(), "random", games=70, seed=4, workers=1))
    assert len(begun.actions) == 7
    assert rows["game_seed"].n_unique() == 70
    assert not rows.equals(tkg.play_on(begun, "random", games=70, seed=5, workers=1))


def test_columns_of_playing_on(game: str) -> None:
    begun = midway(game)
    rows = tkg.play_on(begun, "random", games=3, seed=4)
    whole = tkg.simulate(begun.variant, "random", games=3, seed=4)
    assert [name for name in rows.columns if name != "played_before"] == whole.columns
    assert rows["played_before"].unique().to_list() == [7]
    assert rows["game_seed"].equals(whole["game_seed"])
    assert (rows["decisions"] > 0).all()
    assert not set(rows["run"].cast(pl.String)) & set(whole["run"].cast(pl.String))
    later = tkg.play_on(midway(game, 8), "random", games=3, seed=4)
    assert not set(rows["run"].cast(pl.String)) & set(later["run"].cast(pl.String))
    assert tkg.metrics.win_share(rows).height


def test_bots_keep_their_seats_in_playing_on() -> None:
    rows = tkg.play_on(midway("umbra"), "greedy,random", games=4)
    assert rows["bot"].cast(pl.String).to_list() == ["greedy", "random"] * 4
    assert tkg.play_on(midway("umbra"), ["peek:2", "mcts:2"], games=1).height == 2


def test_what_is_hidden_is_dealt_anew_in_playing_on() -> None:
    """The player's last tiles are always those that are left, in another order."""
    begun = midway("rift", 1)
    rows = tkg.play_on(begun, "random", games=40)
    assert rows["gate"].n_unique() > 1
    last = tkg.set_up(tkg.rift(deck={"F": 3, "W": 3}), {"phase": "gain", "hand": ["F", "F", "W"]}, seed=1)
    assert set(tkg.play_on(last, "random", games=40)["turns"]) == {1}


def test_what_cannot_be_played_on_is_refused() -> None:
    umbra, rift = midway("umbra"), midway("rift")
    wrong: list[tuple[Any, dict[str, Any], str]] = [
        (played(tkg.rift(), 1), {}, "the game is over"),
        (tkg.rift(), {}, "tkg.set_up gives is needed"),
        (umbra, {"bots": "mcts:0.2s"}, "named by time"),
        (umbra, {"bots": "greedy,greedy,greedy"}, "3 for 2 seats"),
        (rift, {"bots": "greedy,random"}, "2 for 1 seat;"),
        (rift, {"bots": "gredy"}, "did you mean greedy"),
        (rift, {"games": 0}, "games=0"),
        (rift, {"seed": -1}, "seed -1"),
        (rift, {"workers": 0}, "workers=0"),
    ]
    for game, arguments, reason in wrong:
        with pytest.raises(tkg.Refused, match=reason):
            tkg.play_on(game, **arguments)


def test_a_row_of_playing_on_is_not_made_again(game: str) -> None:
    with pytest.raises(tkg.Refused, match="went on from a position"):
        tkg.game_of(tkg.play_on(midway(game), "random", games=2), row=1)

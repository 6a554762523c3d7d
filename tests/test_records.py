"""Records: the samples of an independent implementation replay; files are whole; `test_damage.py` spoils them."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playing import SAMPLES, amount, played, sample_lines, state_of

import tkg
from tkg.record import decisions, from_record, parse_record, read_lines, to_line, to_record
from tkg.rules.games import GAMES, rules_of
from tkg.rules.kernel import COMPILING
from tkg.rules.knobs import Variant

Record = dict[str, Any]

# By game: how many games of an independent implementation there are, and which are replayed with the compiler off.
SAMPLE_COUNTS = {"rift": 71, "cosmic": 63, "umbra": 62}
SHORT: dict[str, dict[str, Any]] = {
    "rift": {},
    "cosmic": {"side": 3, "deck": {"F": 5, "FW": 5}, "max_turns": 20},
    "umbra": {"side": 3, "max_rounds": 9},
}
FEW = {"rift": range(0, 71, 3), "cosmic": (40, 50), "umbra": range(0, 62, 8)}
NUMBERS = [(game, n) for game in GAMES for n in (range(SAMPLE_COUNTS[game]) if COMPILING else FEW[game])]

# --- Samples ----------------------------------------------------------------------------------------------------


@cache
def option_lines(game: str) -> list[str]:
    with gzip.open(SAMPLES / f"{game}.options.jsonl.gz", "rt", encoding="utf-8") as file:
        return file.read().splitlines()


def test_there_are_as_many_option_lists_as_samples(game: str) -> None:
    assert len(sample_lines(game)) == len(option_lines(game)) == SAMPLE_COUNTS[game]


@pytest.mark.parametrize(("game", "number"), NUMBERS)
def test_a_sample_is_reproduced(game: str, number: int) -> None:
    """Result, luck, actions, every setting, and every option of every decision."""
    record = parse_record(sample_lines(game)[number])
    found = from_record(record, finished=True)
    again = to_record(found)
    if "deck" in record["variant"]:
        record["variant"]["deck"] = {tile: n for tile, n in record["variant"]["deck"].items() if n}
    assert again == record
    assert json.dumps(decisions(found), separators=(",", ":")) == option_lines(game)[number]


def test_a_file_of_samples_is_read(game: str, tmp_path: Path) -> None:
    few = sorted(sample_lines(game), key=len)[: amount(8, least=2)]
    path = tmp_path / "few.jsonl"
    path.write_text("\n\n".join(few) + "\n", encoding="utf-8-sig")
    games = tkg.read_records(path)
    assert [game.result for game in games] == [json.loads(line)["result"] for line in few]
    again = tkg.write_records(tmp_path / "again.jsonl", games)
    assert [to_record(game) for game in tkg.read_records(again)] == [to_record(game) for game in games]


# --- What a record may leave open ---------------------------------------------------------------------------------


def test_names_that_are_missing_mean_the_default(sample: Record) -> None:
    game = from_record(sample)
    sample["variant"] = {}
    del sample["seed"], sample["players"]
    assert from_record(sample, finished=True).variant == game.variant == Variant(game.rules)


@pytest.mark.parametrize(
    ("seed", "players"),
    [(None, None), ("seven", "somebody"), (-1, [1, None]), (1 << 60, {}), (True, [["a"]]), (1.5, 0), ([], [])],
)
def test_seed_and_players_play_no_part(seed: Any, players: Any, sample: Record) -> None:
    sample["seed"], sample["players"] = seed, players
    game = from_record(parse_record(to_line(sample)), finished=True)
    assert game.result == sample["result"]
    assert 0 <= game.seed < 1 << 53
    assert all(isinstance(name, str) for name in game.players)


def test_tiles_without_copies_may_stand_in_the_deck(sample: Record) -> None:
    if "deck" not in sample["variant"]:
        pytest.skip("the game has no deck")
    sample["variant"]["deck"] |= {"FWAE": 0, "-": 0}
    game = from_record(sample, finished=True)
    assert "FWAE" not in to_record(game)["variant"]["deck"]


def test_the_order_of_names_is_free(sample: Record) -> None:
    turned = {name: dict(reversed(v.items())) if isinstance(v, dict) else v for name, v in reversed(sample.items())}
    assert to_record(from_record(turned, finished=True)) == sample


@pytest.mark.parametrize("number", [0, 1, 9])
def test_an_unfinished_game_is_taken_up(number: int, sample: Record) -> None:
    """Luck that stands in the record falls as it did."""
    actions, result = sample["actions"], sample.pop("result")
    game = from_record({**sample, "actions": actions[:number]})
    assert not game.over
    assert game.play(*actions[number:]).result == result
    assert state_of(game) == state_of(from_record(sample))


@pytest.mark.parametrize("number", [0, 9])
def test_a_game_broken_off_goes_on_with_its_seeds_luck(number: int, game: str) -> None:
    """A record written before all luck has fallen; the rest comes from the seed, as it would have."""
    whole = played(Variant(rules_of(game), **SHORT[game]), 3)
    again = from_record(to_record(whole.copy().undo(len(whole.actions) - number)))
    assert again.play(*whole.actions[number:]).result == whole.result
    assert state_of(again) == state_of(whole)
    assert again.chance == whole.chance
    assert from_record(to_record(again), finished=True).result == whole.result


# --- Files --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def games() -> list[tkg.Game]:
    """Three games of odd variants, the last one unfinished."""
    deck = {"F": 3, "FW": 5, "-": 1}
    return [
        played(tkg.rift(deck=deck, gate="empty"), 1),
        played(tkg.rift(deck=deck, supply=[1, 0, 2, 3], adjacency="all"), 2),
        played(tkg.rift(deck=deck), 3, actions=2),
    ]


def test_a_file_is_written_and_read(tmp_path: Path, games: list[tkg.Game]) -> None:
    path = tkg.write_records(tmp_path / "games.jsonl", games)
    found = tkg.read_records(path)
    assert [to_record(g) for g in found] == [to_record(g) for g in games]
    assert [state_of(g) for g in found] == [state_of(g) for g in games]
    assert [g.over for g in found] == [True, True, False]
    assert [number for number, _ in read_lines(path)] == [1, 2, 3]
    for line in path.read_text(encoding="utf-8").splitlines():
        assert " " not in line.replace("players", "").split('"actions"')[0]


def test_a_file_is_not_written_over(tmp_path: Path, games: list[tkg.Game]) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(tkg.Refused, match=r"games\.jsonl exists"):
        tkg.write_records(path, games)
    assert path.read_text(encoding="utf-8") == "mine"
    tkg.write_records(path, games[:1], force=True)
    assert len(tkg.read_records(path)) == 1


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, games: list[tkg.Game]) -> None:
    def broken_off() -> Any:
        yield games[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tkg.write_records(tmp_path / "games.jsonl", broken_off())
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_told(tmp_path: Path, games: list[tkg.Game]) -> None:
    with pytest.raises(tkg.Refused, match="there is no folder"):
        tkg.write_records(tmp_path / "no" / "games.jsonl", games)
    with pytest.raises(tkg.Refused, match="cannot be read"):
        tkg.read_records(tmp_path / "games.jsonl")
    with pytest.raises(tkg.Refused, match="cannot be read"):
        tkg.read_records(tmp_path)


def test_a_bad_line_is_told_by_its_number(tmp_path: Path, games: list[tkg.Game]) -> None:
    good = to_line(to_record(games[0]))
    path = tmp_path / "games.jsonl"
    path.write_text(f"{good}\n\n{good}\n{good.replace('keep', 'kept')}\n", encoding="utf-8")
    with pytest.raises(tkg.Refused, match=r"games\.jsonl, line 4: action 1: 'kept "):
        tkg.read_records(path)


@pytest.mark.parametrize("where", ["somebody", "keep ", '"win"'], ids=["in players", "in an action", "in the result"])
def test_bytes_that_are_no_text_are_refused(where: str, tmp_path: Path, games: list[tkg.Game]) -> None:
    """A record is UTF-8 throughout, also where it plays no part in the replay."""
    record = {**to_record(games[0]), "players": ["somebody"]}
    line = to_line(record).encode()
    path = tmp_path / "games.jsonl"
    spoiled = line.replace(where.encode(), where.encode()[:3] + b"\xff" + where.encode()[3:])
    assert spoiled != line
    path.write_bytes(line + b"\n" + spoiled + b"\n")
    with pytest.raises(tkg.Refused, match="line 2: action"):
        tkg.read_records(path)


def test_names_in_any_script_are_kept(tmp_path: Path, games: list[tkg.Game]) -> None:
    record = {**to_record(games[0]), "players": ["윤 Ö \u2028 \N{GAME DIE}"]}
    game = from_record(parse_record(to_line(record)))
    path = tkg.write_records(tmp_path / "games.jsonl", [game])
    assert tkg.read_records(path)[0].players == record["players"]


def test_half_a_character_is_no_name(tmp_path: Path, games: list[tkg.Game]) -> None:
    """A lone surrogate is legal in JSON and in Python, but cannot be written as UTF-8."""
    record = {**to_record(games[0]), "players": ["\ud800", "somebody"]}
    game = from_record(parse_record(json.dumps(record)))
    path = tkg.write_records(tmp_path / "games.jsonl", [game])
    assert "somebody" in tkg.read_records(path)[0].players

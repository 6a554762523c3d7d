"""Records: the samples of an independent implementation replay, damaged ones are refused where the damage is."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playing import SAMPLES, amount, played, state_of

import tkg
from tkg.record import FORMAT, NAMES, decisions, from_record, parse_record, read_lines, to_line, to_record
from tkg.rules.kernel import COMPILING
from tkg.rules.tiles import deck_folders

Record = dict[str, Any]

SAMPLE_COUNT = 71
SAMPLE_NUMBERS = range(0, SAMPLE_COUNT, 1 if COMPILING else 3)

# --- Samples ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def option_lines() -> list[str]:
    with gzip.open(SAMPLES / "rift.options.jsonl.gz", "rt", encoding="utf-8") as file:
        return file.read().splitlines()


def test_there_are_as_many_option_lists_as_samples(sample_lines: list[str], option_lines: list[str]) -> None:
    assert len(sample_lines) == len(option_lines) == SAMPLE_COUNT


@pytest.mark.parametrize("number", SAMPLE_NUMBERS)
def test_a_sample_is_reproduced(number: int, sample_lines: list[str], option_lines: list[str]) -> None:
    """Result, luck, actions, every setting, and every option of every decision."""
    record = parse_record(sample_lines[number])
    game = from_record(record, finished=True)
    again = to_record(game)
    deck = record["variant"]["deck"]
    assert again["variant"].pop("deck") == {tile: n for tile, n in record["variant"].pop("deck").items() if n}
    assert again == record
    assert sum(deck.values()) == len(record["chance"])
    assert json.dumps(decisions(game), separators=(",", ":")) == option_lines[number]


def test_a_file_of_samples_is_read(tmp_path: Path, sample_lines: list[str]) -> None:
    few = sample_lines[:: amount(6) * 6 or 12]
    path = tmp_path / "few.jsonl"
    path.write_text("\n\n".join(few) + "\n", encoding="utf-8-sig")
    games = tkg.read_records(path)
    assert [game.result for game in games] == [json.loads(line)["result"] for line in few]
    again = tkg.write_records(tmp_path / "again.jsonl", games)
    assert [to_record(game) for game in tkg.read_records(again)] == [to_record(game) for game in games]


# --- Damage -----------------------------------------------------------------------------------------------------

DAMAGES: dict[str, tuple[Callable[[Record], Any], Any, str]] = {}
LAST, AFTER = "the last action", "after the last action"


def damage(where: Any, reason: str, name: str = "") -> Callable[[Callable[[Record], Any]], Callable[[Record], Any]]:
    """Declare a way to spoil a record: `where` is the action at which it must be refused, counted before the damage.

    The function changes the record, or returns what is to be read in its place.
    """

    def add(spoil: Callable[[Record], Any]) -> Callable[[Record], Any]:
        DAMAGES[name or spoil.__name__] = spoil, where, reason
        return spoil

    return add


def put(path: str, value: Any, where: Any, reason: str, name: str) -> None:
    """The damage of another value at a place such as `variant.side`."""
    *way, last = path.split(".")

    def spoil(record: Record) -> None:
        for step in way:
            record = record[step]
        record[last] = value

    damage(where, reason, name)(spoil)


def lose(path: str, where: Any, reason: str, name: str) -> None:
    """The damage of something missing."""
    *way, last = path.split(".")

    def spoil(record: Record) -> None:
        for step in way:
            record = record[step]
        del record[last]

    damage(where, reason, name)(spoil)


put("tkg", 2, 0, "format 1", "format 2")
put("tkg", True, 0, "format 1", "format true")
put("tkg", "1", 0, "format 1", "format as text")
put("tkg", 1.5, 0, "format 1", "format 1.5")
put("tkg", None, 0, "format 1", "format null")
lose("tkg", 0, "format 1", "no format")
put("comment", "nice game", 0, "'comment'", "unknown name at the top")
put("Result", {}, 0, "'Result'", "capital letter at the top")
put("game", "chess", 0, "'chess'", "unknown game")
put("game", 7, 0, "game", "game that is no text")
put("game", ["rift"], 0, "game", "game in a list")
lose("game", 0, "'game' is missing", "no game")
put("variant", [], 0, "variant", "variant that is no object")
put("variant", "rift()", 0, "variant", "variant as text")
put("variant", None, 0, "variant", "variant null")
lose("variant", 0, "'variant' is missing", "no variant")
put("variant.colour", 3, 0, "'colour'", "unknown knob")
put("variant.rules", 3, 0, "'rules'", "unknown knob called rules")
put("variant.self", 3, 0, "'self'", "unknown knob called self")
put("variant.side", 9, 0, "side=9.*3-7", "knob above its range")
put("variant.side", 2, 0, "side=2.*3-7", "knob below its range")
put("variant.side", "3", 0, "side=3", "knob as text")
put("variant.side", True, 0, "side=True", "knob true")
put("variant.side", 3.5, 0, "side=3.5", "knob with a fraction")
put("variant.side", None, 0, "side=None", "knob null")
put("variant.hand", 4, 0, "hand=4", "constant of another value")
put("variant.supply", 256, 0, "supply=256", "supply above its range")
put("variant.supply", [15, 15, 15], 0, "supply=", "supply of three numbers")
put("variant.supply", [15, 15, 15, -1], 0, "supply=", "supply below nothing")
put("variant.supply", [[15]], 0, "supply=", "supply in two lists")
put("variant.supply", {}, 0, "supply=", "supply as an object")
put("variant.adjacency", "diagonal", 0, "adjacency=diagonal", "unknown option of a reading")
put("variant.full_boundary", 1, 0, "full_boundary=1", "reading 1 for true")
put("variant.full_boundary", "true", 0, "full_boundary=true", "reading true as text")
put("variant.full_boundary", None, 0, "full_boundary", "reading null")
put("variant.deck.WF", 1, 0, "written FW", "tile out of order")
put("variant.deck.f", 1, 0, "written F", "tile in lower case")
put("variant.deck.FX", 1, 0, "'FX'", "tile of no element")
put("variant.deck.FFFFFFFFFF", 1, 0, "at most 9", "tile of ten fires")
put("variant.deck.", 1, 0, "tile ''", "tile without a name")
put("variant.deck.F", -1, 0, "-1", "tile with copies below nothing")
put("variant.deck.F", True, 0, "True", "tile with true copies")
put("variant.deck.F", "2", 0, "2", "tile with copies as text")
put("variant.deck.F", 1.5, 0, "1.5", "tile with half a copy")
put("variant.deck.F", 190, 0, "at most 200", "deck of too many tiles")
put("variant.deck", {"F": 2}, 0, "2 tiles", "deck of too few tiles")
put("variant.deck", {}, 0, "0 tiles", "deck without tiles")
put("variant.deck", ["F", "F", "W"], 0, "deck", "deck as a list")
put("variant.deck", None, 0, "deck", "deck null")
put("variant.deck", "no such deck", 0, "deck", "deck of an unknown name")
put("variant.deck", "no\0deck", 0, "deck", "deck whose name holds a zero")
put("variant.deck", "deck" * 2000, 0, "deck", "deck of a very long name")
put("variant.deck", "reference", 0, "deck", "deck by its name alone")
put("variant.deck", str(deck_folders()[-1] / "reference.csv"), 0, "deck", "deck in some file")
put("variant.deck.F", 1, 0, "chance: F stands 2 times", "deck that chance does not fit")
lose("chance", 0, "'chance' is missing", "no chance")
put("chance", None, 0, "chance", "chance null")
put("chance", {}, 0, "chance", "chance that is no list")
put("chance", "F", 0, "chance", "chance as text")
put("chance", [], 0, "chance", "chance without tiles")
put("actions", None, 0, "actions", "actions null")
put("actions", "keep F", 0, "actions", "actions as text")
put("actions", {}, 0, "actions", "actions as an object")
lose("actions", 0, "'actions' is missing", "no actions")
put("result", None, LAST, "result", "result null")
put("result", [], LAST, "result", "result as a list")
put("result", {}, LAST, "'win' is missing", "result without fields")
put("result.points", 0, LAST, "points is 0", "wrong number in the result")
put("result.points", "3", LAST, 'points is "3"', "number of the result as text")
put("result.points", None, LAST, "points is null", "number of the result null")
put("result.supply_left", -1, LAST, "supply_left is -1", "number of the result below nothing")
put("result.win", True, LAST, "win is true; the replay gives false", "victory that was none")
put("result.win", 0, LAST, "win is 0; the replay gives false", "0 for false in the result")
put("result.matched", 1, LAST, "matched is 1", "1 for true in the result")
put("result.matched", "false", LAST, "matched", "false as text in the result")
put("result.luck", 3, LAST, "'luck'", "unknown field of the result")
lose("result.unmatched", LAST, "'unmatched' is missing", "field missing in the result")


@damage(0, "chance")
def chance_one_too_short(record: Record) -> None:
    record["chance"].pop()


@damage(0, "chance")
def chance_one_too_long(record: Record) -> None:
    record["chance"].append("F")


@damage(0, "chance: .* stands")
def chance_of_other_tiles(record: Record) -> None:
    record["chance"][-1] = record["chance"][0]


@damage(0, "chance: tile 5 is FFFF")
def chance_of_a_tile_not_in_the_deck(record: Record) -> None:
    record["chance"][4] = "FFFF"


@damage(0, "chance: tile 5")
def chance_of_a_number(record: Record) -> None:
    record["chance"][4] = 4


@damage(0, "chance: tile 5")
def chance_of_a_list(record: Record) -> None:
    record["chance"][4] = ["F"]


@damage(1, "'gain WA' is not legal here")
def first_action_missing(record: Record) -> None:
    del record["actions"][0]


@damage(2, "'build WAA@G' is not legal here")
def second_action_missing(record: Record) -> None:
    del record["actions"][1]


@damage(4, "'build WAA@G' is not legal here")
def two_actions_swapped(record: Record) -> None:
    actions = record["actions"]
    actions[2], actions[3] = actions[3], actions[2]
    assert actions[2:4] == ["refuse AA", "build WAA@G"]


@damage(1, "'keep W'")
def keeping_a_tile_that_was_not_drawn(record: Record) -> None:
    record["actions"][0] = "keep W"


@damage(3, r"'build WAA@A'.*legal: .*build WAA@G")
def building_in_a_corner_first(record: Record) -> None:
    record["actions"][2] = "build WAA@A"


@damage(3, "'build WAA@Q'")
def building_beyond_the_ring(record: Record) -> None:
    record["actions"][2] = "build WAA@Q"


@damage(6, "'build F@G'")
def building_on_a_tile(record: Record) -> None:
    assert record["actions"][5] == "replace F@G"
    record["actions"][5] = "build F@G"


@damage(1, "5")
def action_that_is_a_number(record: Record) -> None:
    record["actions"][0] = 5


@damage(1, "None")
def action_null(record: Record) -> None:
    record["actions"][0] = None


@damage(1, "not legal")
def action_in_a_list(record: Record) -> None:
    record["actions"][0] = [record["actions"][0]]


@damage(1, "not legal")
def action_of_no_letters(record: Record) -> None:
    record["actions"][0] = ""


@damage(1, "not legal")
def action_with_a_blank_after_it(record: Record) -> None:
    record["actions"][0] += " "


@damage(1, "not legal")
def action_in_capitals(record: Record) -> None:
    record["actions"][0] = record["actions"][0].upper()


@damage(1, "not legal")
def action_with_a_lone_surrogate(record: Record) -> None:
    record["actions"][0] = "keep \ud800"


@damage(AFTER, "the game is over")
def action_after_the_end(record: Record) -> None:
    record["actions"].append(record["actions"][-1])


@damage(LAST, "an action is missing; legal: ")
def last_action_missing(record: Record) -> None:
    record["actions"].pop()


@damage(1, "an action is missing; legal: keep")
def every_action_missing(record: Record) -> None:
    record["actions"].clear()


@damage(11, "an action is missing")
def most_actions_missing(record: Record) -> None:
    del record["actions"][10:]


@damage(LAST, "'result' is missing though the game is over")
def result_missing(record: Record) -> None:
    del record["result"]


@damage(LAST, "unfinished")
def result_and_last_action_missing(record: Record) -> None:
    del record["result"]
    record["actions"].pop()


@damage(1, "unfinished")
def unfinished_from_the_start(record: Record) -> None:
    del record["result"]
    record["actions"].clear()


@damage(LAST, "points")
def fraction_in_the_result(record: Record) -> None:
    record["result"]["points"] += 0.5


@damage(0, "twice")
def name_twice_at_the_top(record: Record) -> str:
    return to_line(record).replace('{"tkg":1,', '{"tkg":1,"seed":3,', 1)


@damage(0, "twice")
def name_twice_in_the_variant(record: Record) -> str:
    return to_line(record).replace('"side":3,', '"side":3,"side":3,', 1)


@damage(0, "twice")
def tile_twice_in_the_deck(record: Record) -> str:
    return to_line(record).replace('"F":2,', '"F":1,"F":2,', 1)


@damage(0, "twice")
def name_twice_in_the_result(record: Record) -> str:
    return to_line(record).replace('"win":', '"win":true,"win":', 1)


@damage(0, "JSON")
def line_broken_off(record: Record) -> str:
    return to_line(record)[:-1]


@damage(0, "JSON")
def two_records_on_a_line(record: Record) -> str:
    return to_line(record) * 2


@damage(0, "JSON")
def single_quotes(record: Record) -> str:
    return to_line(record).replace('"', "'")


@damage(0, "JSON")
def comma_at_the_end(record: Record) -> str:
    return to_line(record)[:-1] + ",}"


@damage(0, "JSON")
def control_character_in_a_text(record: Record) -> str:
    return to_line(record).replace("random", "ran\1dom")


@damage(0, "NaN")
def not_a_number(record: Record) -> str:
    return to_line(record).replace('"supply":15', '"supply":NaN')


@damage(0, "Infinity")
def endless_number(record: Record) -> str:
    return to_line(record).replace('"seed":500000', '"seed":-Infinity')


@damage(0, "supply")
def number_too_large_for_a_float(record: Record) -> str:
    return to_line(record).replace('"supply":15', '"supply":1e999')


@damage(0, "JSON")
def number_of_ten_thousand_digits(record: Record) -> str:
    return to_line(record).replace('"supply":15', f'"supply":{"9" * 10_000}')


@damage(0, "supply")
def number_of_four_thousand_digits(record: Record) -> str:
    return to_line(record).replace('"supply":15', f'"supply":{"9" * 4000}')


for _place in ("seed", "players", "game", "variant", "chance", "actions", "result"):
    for _depth in (200, 900, 100_000):

        def nested(record: Record, place: str = _place, depth: int = _depth) -> str:
            record[place] = "HERE"
            return to_line(record).replace('"HERE"', "[" * depth + "]" * depth)

        if _depth > 1000:
            damage(0, "JSON", f"{_depth} lists in place of {_place}")(nested)
        elif _place not in ("seed", "players"):  # which play no part in a replay
            _where = {"actions": 1, "result": LAST}.get(_place, 0)
            damage(_where, ".", f"{_depth} lists in place of {_place}")(nested)


for _name, _line in {
    "nothing": "",
    "a list": "[]",
    "a number": "1",
    "a text": '"rift"',
    "null": "null",
    "true": "true",
    "an object without names": "{}",
}.items():
    damage(0, ".", f"{_name} for a record")(lambda record, line=_line: line)


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_refused_where_it_is(name: str, sample: Record) -> None:
    spoil, where, reason = DAMAGES[name]
    last = len(sample["actions"])
    spoiled = spoil(sample)
    line = spoiled if isinstance(spoiled, str) else json.dumps(sample)
    expected = {LAST: last, AFTER: last + 1}.get(where, where)
    with pytest.raises(tkg.BadRecord, match=reason) as refused:
        from_record(parse_record(line), finished=True)
    assert refused.value.action == expected
    assert refused.value.reason
    assert str(refused.value) == f"action {expected}: {refused.value.reason}"
    assert len(str(refused.value)) < 2000
    assert "\n" not in str(refused.value)


def test_there_are_many_kinds_of_damage() -> None:
    assert len(DAMAGES) > 100


def test_the_undamaged_record_is_fine(sample: Record) -> None:
    """Else the damages above would prove nothing."""
    assert to_record(from_record(sample, finished=True)) == sample
    assert sample["tkg"] == FORMAT
    assert tuple(sample) == NAMES


# --- What a record may leave open ---------------------------------------------------------------------------------


def test_names_that_are_missing_mean_the_default(sample: Record) -> None:
    game = from_record(sample)
    sample["variant"] = {}
    del sample["seed"], sample["players"]
    assert from_record(sample, finished=True).variant == game.variant == tkg.rift()


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
    sample["variant"]["deck"] |= {"FWAE": 0, "-": 0}
    game = from_record(sample, finished=True)
    assert "FWAE" not in to_record(game)["variant"]["deck"]


def test_the_order_of_names_is_free(sample: Record) -> None:
    turned = {name: dict(reversed(v.items())) if isinstance(v, dict) else v for name, v in reversed(sample.items())}
    assert to_record(from_record(turned, finished=True)) == sample


def test_an_unfinished_game_is_taken_up(sample: Record) -> None:
    actions, result = sample["actions"], sample.pop("result")
    game = from_record({**sample, "actions": actions[:20]})
    assert not game.over
    assert game.play(*actions[20:]).result == result
    assert state_of(game) == state_of(from_record(sample))


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

"""The playtest log: every event there and back, damage, two at once, games taken up, and what people do."""

from __future__ import annotations

import errno
import json
import os
import random
import threading
import time
import warnings
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from playing import drift, played, state_of

import tkg
from tkg import metrics, playtest_log
from tkg.playtest_log import TAGS, Log, log_folder
from tkg.rules.games import GAMES

AB, BOT = {"by": "person", "name": "AB"}, {"by": "bot", "name": "greedy"}


def small(game: str) -> tkg.Variant:
    return tkg.Variant(GAMES[game])


def begin(game: tkg.Game, folder: Path, *seats: dict[str, str], **more: Any) -> Log:
    return Log.begin(game, [*seats, *[AB] * (game.variant.seats - len(seats))], folder, **more)


def act(log: Log, game: tkg.Game, action: str | None = None, by: str = "person", seconds: float | None = 1.5) -> None:
    """Play an action and tell it."""
    seat, kind, options = game.seat, game.kind, len(game.legal)
    game.play(action or drift(game, 5))
    log.act(game, seat, by, game.actions[-1], kind, options, seconds)


def play_on(log: Log, game: tkg.Game, actions: int = 1 << 30) -> None:
    while actions > 0 and not game.over:
        act(log, game)
        actions -= 1


def read_quietly(folder: Path) -> tkg.playtest_log.Playtests:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tkg.playtests(folder)


def events_of(log: Log) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.path.read_text(encoding="utf-8").splitlines()]


# --- There and back -----------------------------------------------------------------------------------------------


def test_nothing_gives_empty_tables_of_the_same_columns(tmp_path, game):
    empty = tkg.playtests(tmp_path / "none")
    log, g = None, tkg.new(small(game), 3)
    log = begin(g, tmp_path)
    play_on(log, g)
    log.note("hm", ["stuck"])
    log.end(g)
    (tmp_path / "x.jsonl").write_bytes(b"?\n")
    full = tkg.playtests(tmp_path)
    assert repr(empty) == "no games yet"
    assert empty.unfinished == []
    for name in ("games", "decisions", "notes", "problems", "runs"):
        assert getattr(empty, name).is_empty()
        assert not getattr(full, name).is_empty()
        assert getattr(empty, name).schema == getattr(full, name).schema
    assert empty.answers().is_empty()
    assert set(empty.answers().columns) == {*empty.decisions.columns, "answer", "agrees"}


def test_every_event_comes_back(tmp_path, game):
    g = tkg.new(small(game), 3)
    log = begin(g, tmp_path, {"by": "person", "name": 'Zoë "Z"\n\u2028\udc80'})
    log.hint(1, "greedy", ["any"])
    act(log, g, seconds=2.25)
    act(log, g, seconds=None)
    log.note("why?", ["unclear rule", "too long"], move=1, seat=1)
    log.note("", ["stuck"])
    log.seats([BOT] * g.variant.seats)
    act(log, g, by="bot", seconds=0.125)
    play_on(log, g)
    log.end(g)
    log.form(fun=5, tension=None, luck=1, length=3, text="again!")
    assert log.failure is None

    found = tkg.playtests(tmp_path)
    assert found.problems.is_empty()
    row = found.games.row(0, named=True)
    expected = {
        "id": log.id,
        "game": game,
        "variant": str(g.variant),
        "seats": g.variant.seats,
        "bots": "greedy",
        "moves": len(g.actions),
        "finished": True,
        "ending": g.outcome.ending,
        "hints": 1,
        "notes": 2,
        "undos": 0,
        "winners": ", ".join(map(str, g.outcome.winners)),
        "fun": 5,
        "tension": None,
        "luck": 1,
        "length": 3,
        "remark": "again!",
        "version": playtest_log.version(),
        "continues": None,
        "continued": False,
    }
    assert {name: row[name] for name in expected} == expected
    assert row["people"].startswith('Zoë "Z"\n\u2028?')
    assert abs(row["begun"] - datetime.now(UTC)) < timedelta(minutes=5)
    assert found.notes.rows() == [(log.id, 1, 1, "why?", "unclear rule, too long"), (log.id, 2, None, "", "stuck")]

    told = found.decisions
    assert told["action"].to_list() == g.actions
    assert told["move"].to_list() == list(range(1, len(g.actions) + 1))
    assert told["seconds"].to_list()[:3] == [2.25, None, 0.125]
    assert told["by"].to_list()[:3] == ["person", "person", "bot"]
    assert told["name"][2] == "greedy"
    assert told["hints"].to_list()[:2] == [1, 0]
    assert not told["undone"].any()
    whole = tkg.record.decisions(g)
    assert told["seat"].to_list() == [d["seat"] for d in whole]
    assert told["options"].to_list() == [len(d["options"]) for d in whole]

    assert found.record(log.id) == tkg.to_record(g)
    assert tkg.from_record(found.record(log.id), finished=True).result == g.result
    runs = found.runs
    assert runs["win"].to_list() == list(g.outcome.payoffs)
    assert set(runs.columns) <= set(tkg.simulate(g.variant, games=1).columns)
    assert set(runs["decisions"]) == {len(g.actions)}


def test_every_line_has_its_time_and_its_move(tmp_path, game):
    g = tkg.new(small(game), 3)
    log = begin(g, tmp_path)
    play_on(log, g, 3)
    log.note("x")
    log.line(g.undo().actions, "undo")
    events = events_of(log)
    assert [e["event"] for e in events] == ["begin", "act", "act", "act", "note", "line"]
    assert [e["move"] for e in events] == [0, 1, 2, 3, 3, 2]
    assert all(e["at"].endswith("Z") and len(e["at"]) == len("2026-11-30T08:12:33.123Z") for e in events)
    assert events[0]["id"] == log.id == log.path.stem
    assert (
        events[0]["chance"] + [x for e in events[1:4] for x in e["luck"]]
        == played(g.variant, 3, 0).play(*[e["action"] for e in events[1:4]]).chance
    )


def test_long_breaks_count_as_ten_minutes(tmp_path):
    g = tkg.new(tkg.umbra(), 3)
    log = begin(g, tmp_path)
    for _ in range(4):
        log.note("x")
    events = events_of(log)
    for event, minutes in zip(events, (0, 2, 62, 61, 61.5), strict=True):  # a clock may be set back
        event["at"] = (datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)).isoformat()
    log.path.write_text("".join(json.dumps(e) + "\n" for e in events))
    assert tkg.playtests(tmp_path).games["minutes"].item() == 2 + 10 + 0 + 0.5


def test_games_come_in_the_order_in_which_they_began(tmp_path, monkeypatch):
    tokens = iter(["ffffff", "000000"])
    monkeypatch.setattr(Log, "_name_it", lambda log: setattr(log, "id", next(tokens)))
    ids = []
    for _ in range(2):
        ids.append(begin(tkg.new(tkg.umbra(), 3), tmp_path).id)
        time.sleep(0.002)  # names alone tell the second
    found = tkg.playtests(tmp_path)
    assert found.games["id"].to_list() == found.unfinished == ids == ["ffffff", "000000"]


def test_slips_of_a_board_are_refused(tmp_path):
    g = tkg.new(tkg.umbra(), 3)
    log = begin(g, tmp_path)
    first = g.legal[0]
    with pytest.raises(tkg.Refused, match="just played"):
        log.act(g, 1, "person", first, "bid", 3, 1.0)
    with pytest.raises(tkg.Refused, match="one of stuck"):
        log.note("", ["bored"])
    with pytest.raises(tkg.Refused, match="one of undo"):
        log.line([], "because")
    with pytest.raises(tkg.Refused, match="fun=6"):
        log.form(fun=6)
    with pytest.raises(tkg.Refused, match="hint: 'seat'"):
        log.hint(0.5, "greedy", [])
    with pytest.raises(tkg.Refused, match="seats"):
        log.seats([{"by": "cat", "name": "Tom"}])
    assert len(events_of(log)) == 1
    assert TAGS == ("stuck", "obvious", "exciting", "unclear rule", "too long")


# --- Undo ---------------------------------------------------------------------------------------------------------


def test_what_is_taken_back_is_told_and_the_record_is_of_the_final_line(tmp_path, game):
    g = tkg.new(small(game), 3)
    log = begin(g, tmp_path)
    play_on(log, g, 4)
    kept = g.actions
    log.line(g.undo(2).actions, "undo")
    g.play(kept[2])
    log.line(g.actions, "redo")
    log.line(g.undo().actions, "undo")
    other = g.legal[-1] if g.legal[-1] != kept[2] else g.legal[0]
    act(log, g, other)
    play_on(log, g, 2)
    found = tkg.playtests(tmp_path)
    assert found.decisions["undone"].to_list() == [False, False, True, True, False, False, False]
    assert found.games["undos"].item() == 2
    assert found.record(log.id) == {**tkg.to_record(g), "players": ["AB"] * g.variant.seats}
    again = tkg.playtests(tmp_path).resume(log.id)
    assert state_of(again) == state_of(g)
    assert again.chance == g.chance


def test_a_decision_made_again_is_undone_once(tmp_path):
    g = tkg.new(tkg.umbra(), 3)
    log = begin(g, tmp_path)
    act(log, g, g.legal[0])
    log.line(g.undo().actions, "undo")
    act(log, g, g.legal[0])
    assert tkg.playtests(tmp_path).decisions["undone"].to_list() == [True, False]


def test_who_looks_back_after_the_end_has_not_undone_it(tmp_path, game):
    g = tkg.new(small(game), 3)
    log = begin(g, tmp_path)
    play_on(log, g)
    log.end(g)
    whole = g.actions
    log.line(whole[:3], "jump")
    found = tkg.playtests(tmp_path)
    assert found.games["finished"].item()
    assert found.games["moves"].item() == len(whole)
    assert not found.decisions["undone"].any()
    assert found.unfinished == []

    back = tkg.new(g.variant, 3).play(*whole[:3])
    act(log, back, next(a for a in back.legal if a != whole[3]) if len(back.legal) > 1 else None)
    found = tkg.playtests(tmp_path)
    if back.actions[3] != whole[3]:
        assert found.unfinished == [log.id]
        assert found.games["ending"].item() is None
        assert found.decisions["undone"].sum() == len(whole) - 3


def test_a_change_of_line_that_nobody_told_is_told_by_the_next_action(tmp_path):
    g = tkg.new(tkg.umbra(), 3)
    log = begin(g, tmp_path)
    play_on(log, g, 3)
    g.undo(2)
    act(log, g, g.legal[-1])
    found = tkg.playtests(tmp_path)
    assert found.record(log.id)["actions"] == g.actions
    assert found.decisions["undone"].to_list() == [False, True, True, False]
    line = g.actions
    log.line(g.undo().actions, "undo")
    g.play(line[-1])  # a redo that nobody told
    act(log, g)
    found = tkg.playtests(tmp_path)
    assert found.record(log.id)["actions"] == g.actions
    assert state_of(found.resume(log.id)) == state_of(g)


def test_an_undo_whose_line_is_damaged_shows_in_the_next_action(tmp_path):
    g = tkg.new(tkg.umbra(), 3)
    log = begin(g, tmp_path)
    play_on(log, g, 3)
    log.line(g.undo(2).actions, "undo")
    act(log, g, g.legal[-1])
    lines = log.path.read_bytes().split(b"\n")
    lines[4] = b"?"
    log.path.write_bytes(b"\n".join(lines))
    found = tkg.playtests(tmp_path)
    assert found.problems["line"].to_list() == [5]
    assert found.decisions["undone"].to_list() == [False, True, True, False]
    assert state_of(found.resume(log.id)) == state_of(g)


# --- Taken up -----------------------------------------------------------------------------------------------------


def test_an_unfinished_game_goes_on_with_the_same_luck(tmp_path, game):
    for stop in (0, 1, 5, 12):
        g = tkg.new(small(game), 11)
        log = begin(g, tmp_path)
        play_on(log, g, stop)
        if stop == 12:
            log.end(g)  # stopped
        found = tkg.playtests(tmp_path)
        assert log.id in found.unfinished
        again = found.resume(log.id)
        assert state_of(again) == state_of(g)
        while not g.over:
            action = drift(g, 5)
            g.play(action)
            again.play(action)
        assert state_of(again) == state_of(g)
        assert again.chance == g.chance


def test_a_game_may_begin_at_a_board_after_some_moves_and_continue_another(tmp_path, game):
    g = played(small(game), 4, 6)
    first = begin(g, tmp_path)
    act(first, g)
    again = tkg.playtests(tmp_path).resume(first.id)
    second = begin(again, tmp_path, continues=first.id)
    second.line(again.undo(4).actions, "undo")  # before what this log has seen
    play_on(second, again, 5)
    found = tkg.playtests(tmp_path)
    assert found.unfinished == [second.id]
    told = {row["id"]: row for row in found.games.iter_rows(named=True)}
    assert told[first.id]["continued"]
    assert told[second.id]["continues"] == first.id
    assert told[second.id]["moves"] == len(again.actions)
    assert state_of(found.resume(second.id)) == state_of(again)
    assert found.resume(second.id).chance == again.chance


def test_luck_is_what_fell_and_not_what_the_seed_gives_today(tmp_path, game):
    chance = tkg.new(small(game), 99).chance
    g = tkg.new(small(game), 3, chance)
    log = begin(g, tmp_path)
    again = tkg.playtests(tmp_path).resume(log.id)
    assert again.chance == chance
    assert again.seed == 3
    assert state_of(again) == state_of(g) != state_of(tkg.new(small(game), 3))


def test_what_cannot_be_taken_up_is_refused_with_the_reason(tmp_path, game):
    g = tkg.new(small(game), 3)
    log = begin(g, tmp_path)
    play_on(log, g, 3)
    with pytest.raises(tkg.Refused, match="did you mean"):
        tkg.playtests(tmp_path).resume(log.id[:-1])
    events = events_of(log)

    def rewritten(**change: Any) -> tkg.playtest_log.Playtests:
        number, name = change.pop("line"), change.pop("name")
        changed = [dict(e) for e in events]
        changed[number][name] = change["value"]
        log.path.write_text("".join(json.dumps(e) + "\n" for e in changed))
        return tkg.playtests(tmp_path)

    with pytest.raises(tkg.Refused, match="does not replay under today's rules: action 2"):
        rewritten(line=2, name="action", value="fly to the moon").resume(log.id)
    with pytest.raises(tkg.Refused, match="does not replay under today's rules"):
        rewritten(line=0, name="variant", value={"moons": 3}).resume(log.id)
    luck = [*events[3]["luck"], *tkg.new(g.variant, 3).chance]
    with pytest.raises(tkg.Refused, match="does not replay under today's rules"):
        rewritten(line=3, name="luck", value=luck).resume(log.id)
    with pytest.raises(tkg.Refused, match="does not replay under today's rules: position"):
        rewritten(line=0, name="position", value={"a": 1}).resume(log.id)
    log.path.write_text("".join(json.dumps(e) + "\n" for e in events))
    play_on(log, g)
    log.end(g)
    with pytest.raises(tkg.Refused, match="is over"):
        tkg.playtests(tmp_path).resume(log.id)


def test_a_game_set_up_by_hand_is_taken_up_from_its_position(tmp_path, game):
    variant = tkg.variant("cosmic(layout=dealt)") if game == "cosmic" else small(game)
    begun = tkg.new(variant, 3)
    g = tkg.set_up(variant, begun.play(begun.legal[0]).position, seed=4)
    log = begin(g, tmp_path)
    play_on(log, g, 3)
    found = tkg.playtests(tmp_path)
    assert found.unfinished == [log.id]
    again = found.resume(log.id)
    assert (again.begun_at, again.actions, state_of(again)) == (g.begun_at, g.actions, state_of(g))
    with pytest.raises(tkg.Refused, match="set up by hand"):
        found.record(log.id)
    play_on(log, g)
    log.end(g)
    assert tkg.playtests(tmp_path).games["finished"].to_list() == [True]


# --- Damage -------------------------------------------------------------------------------------------------------


def test_a_line_torn_at_any_byte_is_left_out_and_told(tmp_path):
    g = tkg.new(tkg.umbra(tiles="straight:1", side=3), 3)
    log = begin(g, tmp_path)
    act(log, g)
    log.note("ü", ["stuck"])
    data = log.path.read_bytes()
    ends = [i for i, byte in enumerate(data) if byte == ord("\n")]
    for cut in range(len(data) + 1):
        log.path.write_bytes(data[:cut])
        whole = sum(end <= cut for end in ends)  # a line is whole with or without its end
        torn = cut > 0 and cut not in ends and data[cut - 1 : cut] != b"\n"
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = tkg.playtests(tmp_path)
        assert len(caught) == torn
        assert found.games.height == (whole > 0)
        assert found.decisions.height == (whole > 1)
        assert found.notes.height == (whole > 2)
        reasons = found.problems["reason"].to_list()
        assert reasons.count("torn where the program stopped") == torn
        if whole:
            assert found.problems.height == torn
        if whole and not torn:
            assert found.resume(log.id).actions == g.actions[: whole - 1]


def test_after_a_torn_line_a_new_one_begins(tmp_path, game):
    g = tkg.new(small(game), 3)
    log = begin(g, tmp_path)
    play_on(log, g, 2)
    data = log.path.read_bytes()
    log.path.write_bytes(data[:-9])
    log.note("still here")
    play_on(log, g, 2)
    found = tkg.playtests(tmp_path)
    assert found.notes["text"].to_list() == ["still here"]
    assert found.decisions["move"].to_list() == [1, 3, 4]
    assert found.problems.select("file", "line").rows() == [(log.path.name, 3)]
    with pytest.raises(tkg.Refused, match="damaged"):
        found.resume(log.id)
    log.line(g.undo(4).actions, "undo")  # back to where all is known
    play_on(log, g, 1)
    assert state_of(tkg.playtests(tmp_path).resume(log.id)) == state_of(g)


def test_an_action_that_damage_took_is_known_again_by_a_later_line(tmp_path):
    g = tkg.new(tkg.umbra(), 3)
    log = begin(g, tmp_path)
    play_on(log, g, 5)
    log.line(g.undo().actions, "undo")
    lines = log.path.read_bytes().split(b"\n")
    lines[2] = b"?"
    log.path.write_bytes(b"\n".join(lines))
    told = tkg.playtests(tmp_path).decisions
    assert told.select("move", "undone").rows() == [(1, False), (3, False), (4, False), (5, True)]


DAMAGE = [
    b"",
    b"\xff\xfe\x00",
    b"[" * 100_000,
    b"1" * 10_000,
    b"null",
    b"[]",
    b"{}",
    b'{"event":"act"}',
    b'{"event":["act"],"at":"2026-01-01T00:00:00Z","move":1}',
    b'{"event":"dance","at":"2026-01-01T00:00:00Z","move":1}',
    b'{"event":"note","at":"yesterday","move":1,"text":"","tags":[],"seat":null}',
    b'{"event":"note","at":"2026-01-01T00:00:00Z","move":1e400,"text":"","tags":[],"seat":null}',
    b'{"event":"note","at":"2026-01-01T00:00:00Z","move":true,"text":"","tags":[],"seat":null}',
    b'{"event":"note","at":"2026-01-01T00:00:00Z","move":1,"text":"","tags":[1],"seat":null}',
    b'{"event":"note","at":"0001-01-01T00:00:00+14:00","move":1,"text":"","tags":[],"seat":null}',
    b'{"event":"form","at":"2026-01-01T00:00:00Z","move":1,"text":"","fun":9,"tension":1,"luck":1,"length":1}',
]


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda d: d[:60].decode("latin-1"))
@pytest.mark.parametrize("number", [1, 2, 4, 5])
def test_a_damaged_line_is_set_aside_and_nothing_else_is_lost(tmp_path, damage, number):
    g = tkg.new(tkg.umbra(), 3)
    log = begin(g, tmp_path)
    play_on(log, g, 3)
    log.note("x")
    play_on(log, g)
    log.end(g)
    log.form(fun=3)
    lines = log.path.read_bytes().split(b"\n")
    lines[number - 1] = damage
    log.path.write_bytes(b"\n".join(lines))
    found = tkg.playtests(tmp_path)
    told = found.problems.filter(pl.col("reason") != "the game's beginning is missing")
    assert told.select("file", "line").rows() == ([(log.path.name, number)] if damage else [])
    assert found.decisions.height == len(g.actions) - (number in (2, 4))
    assert found.notes.height == (number != 5)
    row = found.games.row(0, named=True)
    assert (row["id"], row["game"], row["finished"], row["fun"]) == (log.id, "umbra", True, 3)
    assert row["moves"] == len(g.actions)
    assert not found.decisions["undone"].any()
    assert tkg.from_record(found.record(log.id), finished=True).result == g.result
    assert len(found.answers("random")) <= found.decisions.height


def test_damaged_bytes_anywhere_are_survived(tmp_path):
    g = tkg.new(tkg.umbra(tiles="straight:1", side=3), 3)
    log = begin(g, tmp_path)
    act(log, g)
    log.line(g.undo().actions, "undo")
    log.note("x", ["stuck"])
    data = log.path.read_bytes()
    for place in range(0, len(data), 13):
        for byte in (b'"', b"9", b"}", b"\n", b"\x80"):
            log.path.write_bytes(data[:place] + byte + data[place + 1 :])
            found = read_quietly(tmp_path)
            for id in found.games["id"]:
                try:
                    found.resume(id)
                except tkg.Refused:
                    continue


def test_other_files_of_the_folder_are_told(tmp_path):
    g = tkg.new(tkg.umbra(), 3)
    log = begin(g, tmp_path)
    (tmp_path / "z-copy.jsonl").write_bytes(log.path.read_bytes())
    later = json.dumps({**events_of(log)[0], "format": 2, "id": "later"}) + "\n"
    (tmp_path / "later.jsonl").write_text(later)
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "notes.txt").write_text("not ours")
    found = tkg.playtests(tmp_path)
    assert found.games["id"].to_list() == [log.id]
    reasons = dict(found.problems.select("file", "reason").iter_rows())
    assert set(reasons) == {"z-copy.jsonl", "later.jsonl", "empty.jsonl", "folder.jsonl"}
    assert "stands in" in reasons["z-copy.jsonl"]
    assert "format 2" in reasons["later.jsonl"]


# --- What cannot be written ---------------------------------------------------------------------------------------


def test_a_place_that_cannot_be_written_does_not_stop_the_game(tmp_path, game):
    (tmp_path / "file").touch()
    g = tkg.new(small(game), 3)
    log = begin(g, tmp_path / "file" / "playtests")
    play_on(log, g, 3)
    assert "cannot be written" in log.failure
    assert "4 events wait" in log.failure
    (tmp_path / "file").unlink()
    log.note("now")
    assert log.failure is None
    assert [e["event"] for e in events_of(log)] == ["begin", "act", "act", "act", "note"]
    assert state_of(tkg.playtests(tmp_path / "file" / "playtests").resume(log.id)) == state_of(g)


@pytest.mark.skipif(os.geteuid() == 0, reason="who may do everything can write everywhere")
def test_a_folder_that_is_read_only_does_not_stop_the_game(tmp_path):
    tmp_path.chmod(0o555)
    g = tkg.new(tkg.umbra(), 3)
    log = begin(g, tmp_path)
    act(log, g)
    assert "Permission denied" in log.failure
    tmp_path.chmod(0o755)
    act(log, g)
    assert log.failure is None
    assert tkg.playtests(tmp_path).resume(log.id).actions == g.actions


def test_a_full_disk_tears_a_line_and_loses_none(tmp_path, monkeypatch):
    g = tkg.new(tkg.umbra(), 3)
    log = begin(g, tmp_path)
    write, room = os.write, [30, 0]

    def full(handle: int, data: bytes) -> int:
        if not (n := room.pop(0)):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(handle, data[:n])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        act(log, g)
        assert "No space left" in log.failure
        act(log, g)
        assert "2 events wait" in log.failure
    act(log, g)
    assert log.failure is None
    found = tkg.playtests(tmp_path)
    assert found.problems["line"].to_list() == [2]
    assert state_of(found.resume(log.id)) == state_of(g)


def test_a_file_that_is_gone_is_told(tmp_path):
    g = tkg.new(tkg.umbra(), 3)
    log = begin(g, tmp_path)
    log.path.unlink()
    act(log, g)
    assert "No such file" in log.failure
    assert not log.path.exists()


# --- Two at once --------------------------------------------------------------------------------------------------


def test_names_do_not_meet(tmp_path, monkeypatch):
    tokens = iter(["aaaaaa", "aaaaaa", "bbbbbb"])
    monkeypatch.setattr(playtest_log.secrets, "token_hex", lambda n: next(tokens))
    monkeypatch.setattr(playtest_log, "datetime", Still)
    g = tkg.new(tkg.umbra(), 3)
    logs = [begin(g, tmp_path) for _ in range(2)]
    assert [log.id for log in logs] == ["20261130T081233-umbra-aaaaaa", "20261130T081233-umbra-bbbbbb"]
    assert [events_of(log)[0]["id"] for log in logs] == [log.id for log in logs]


class Still(datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz=None):
        return cls(2026, 11, 30, 8, 12, 33, tzinfo=tz)


def test_a_seeded_program_does_not_seed_the_names(tmp_path):
    ids = set()
    for _ in range(2):
        random.seed(1)
        ids.add(begin(tkg.new(tkg.umbra(), 3), tmp_path).id)
    assert len(ids) == 2


def test_threads_write_whole_lines(tmp_path):
    games = [tkg.new(tkg.umbra(), seed) for seed in range(4)]
    shared = begin(games[0], tmp_path)

    def work(game: tkg.Game) -> None:
        log = begin(game, tmp_path)
        for k in range(40):
            if k < 5:
                act(log, game)
            shared.note("x" * 3000)

    threads = [threading.Thread(target=work, args=(game,)) for game in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = tkg.playtests(tmp_path)
    assert found.problems.is_empty()
    assert found.games.height == 5
    assert found.decisions.height == 20
    assert found.notes.height == 160


PROCESS = """
import sys, tkg
from tkg.playtest_log import Log
for seed in range(10):
    log = Log.begin(tkg.new(tkg.umbra(), seed), [{"by": "person", "name": sys.argv[1]}] * 2)
    for _ in range(50):
        log.note("x" * 500)
    assert log.failure is None
"""


def test_processes_write_beside_each_other(tmp_path, python):
    workers = [
        threading.Thread(target=python, args=("-c", PROCESS, name), kwargs={"TKG_PLAYTESTS": str(tmp_path)})
        for name in ("AB", "CD")
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    found = tkg.playtests(tmp_path)
    assert found.problems.is_empty()
    assert sorted(found.games["people"]) == ["AB"] * 10 + ["CD"] * 10
    assert found.notes.height == 1000


# --- Where it lies ------------------------------------------------------------------------------------------------


def test_where_the_log_lies(tmp_path, monkeypatch):
    assert log_folder(tmp_path) == tmp_path
    assert "playtests" in os.environ["TKG_PLAYTESTS"]  # the tests' own
    monkeypatch.setenv("TKG_PLAYTESTS", str(tmp_path / "own"))
    monkeypatch.setenv("TKG_DATA", str(tmp_path / "data"))
    assert log_folder() == tmp_path / "own"
    monkeypatch.delenv("TKG_PLAYTESTS")
    assert log_folder() == tmp_path / "data" / "playtests"
    monkeypatch.delenv("TKG_DATA")
    assert log_folder() == Path(__file__).parents[1] / "data" / "playtests"


def test_writing_needs_no_tables(python):
    statement = "import tkg; from tkg.playtest_log import Log; import sys; print('polars' in sys.modules)"
    assert python("-c", statement).strip() == "False"


# --- What people do -----------------------------------------------------------------------------------------------


def test_answers_are_a_bots_in_every_position_that_people_saw(tmp_path, game):
    """Also in those that were taken back, with the luck that fell in that line."""
    g = tkg.new(small(game), 3)
    log = begin(g, tmp_path)
    asked = []

    def decide(action: str | None = None) -> None:
        if len(g.legal) > 1:
            asked.append(tkg.answer(g, "greedy"))
        act(log, g, action)

    for _ in range(4):
        decide()
    log.line(g.undo(3).actions, "undo")
    decide(g.legal[-1])
    for _ in range(4):
        decide()
    log.line(g.undo().actions, "undo")
    decide(asked[-1] if asked[-1] in g.legal else None)
    found = tkg.playtests(tmp_path).answers("greedy")
    assert found["answer"].to_list() == asked
    assert found["agrees"].to_list() == [a == b for a, b in zip(found["answer"], found["action"], strict=True)]
    table = metrics.agreement(found, "kind")
    assert table["decisions"].sum() == len(asked)
    assert table["agreed"].sum() == found["agrees"].sum()


def test_answers_leave_out_what_does_not_replay(tmp_path):
    g = tkg.new(tkg.umbra(), 3)
    log = begin(g, tmp_path)
    play_on(log, g, 3)
    data = log.path.read_text().replace(json.dumps(g.actions[1]), '"fly"')
    log.path.write_text(data)
    with pytest.warns(UserWarning, match="does not replay"):
        assert tkg.playtests(tmp_path).answers("greedy").height == 2
    with pytest.raises(tkg.Refused, match="no bot"):
        tkg.playtests(tmp_path).answers("gredy")


def decided(*rows: tuple[str, str, str, int, float | None, bool]) -> pl.DataFrame:
    names = ["id", "by", "kind", "options", "seconds", "undone"]
    table = pl.DataFrame(rows, schema=names, orient="row")
    return table.with_columns(pl.lit(1).alias("move"), pl.lit(1).alias("seat"), pl.lit("a").alias("action"))


TABLE = decided(
    ("g", "person", "bid", 3, 2.0, False),
    ("g", "person", "bid", 3, 4.0, True),
    ("g", "person", "bid", 1, 99.0, False),  # no choice
    ("g", "bot", "bid", 3, 99.0, False),
    ("h", "person", "bid", 5, 9.0, False),
    ("h", "person", "bid", 5, None, False),
    ("h", "person", "lay", 2, 1.0, False),
)


def test_thinking_time_by_hand():
    """Two games with 6 s in 2 decisions and 9 s in 1: mean 5; residuals -4 and 4, so s.e. sqrt(32 * 2) / 3 = 8/3."""
    bid, lay = metrics.thinking_time(TABLE).iter_rows(named=True)
    assert (bid["kind"], bid["games"], bid["decisions"], bid["seconds"], bid["q50"]) == ("bid", 2, 3, 5.0, 4.0)
    assert bid["se"] == pytest.approx(8 / 3)
    assert bid["high"] - bid["seconds"] == pytest.approx(12.7062 * 8 / 3, rel=1e-4)
    assert (lay["games"], lay["seconds"], lay["low"]) == (1, 1.0, None)
    assert metrics.thinking_time(TABLE, None)["decisions"].to_list() == [4]
    assert metrics.thinking_time(TABLE.clear(), None).is_empty()


def test_agreement_and_undo_by_hand():
    """1 of 4 bids: z = 1.96, centre (0.25 + z^2/8) / (1 + z^2/4) = 0.37248; chance (1/3 + 1/3 + 1/5 + 1/5) / 4."""
    answers = TABLE.with_columns(pl.Series("agrees", [True, False, True, True, False, False, True]))
    bid = metrics.agreement(answers).row(0, named=True)
    assert (bid["decisions"], bid["agreed"], bid["share"]) == (4, 1, 0.25)
    assert (bid["low"] + bid["high"]) / 2 == pytest.approx(0.37248, abs=1e-4)
    assert bid["chance"] == pytest.approx((2 / 3 + 2 / 5) / 4)
    back = metrics.taken_back(TABLE, None).row(0, named=True)
    assert (back["decisions"], back["count"], back["share"]) == (5, 1, 0.2)
    assert metrics.agreement(answers.clear(), None).is_empty()
    assert metrics.slowest(TABLE, 2)["seconds"].to_list() == [9.0, 4.0]


def test_tags_are_counted_by_game():
    notes = pl.DataFrame({"id": ["g", "g", "h", "h"], "tags": ["stuck", "stuck, too long", "stuck", ""]})
    table = metrics.tag_shares(notes, pl.DataFrame({"id": ["g", "h", "i"]}))
    assert table.select("tag", "notes", "count", "games").rows() == [("stuck", 3, 2, 3), ("too long", 1, 1, 3)]


def test_peoples_games_stand_beside_simulated_ones(tmp_path):
    variant = tkg.umbra()
    g = tkg.new(variant, 3)
    log = begin(g, tmp_path, AB, BOT)
    play_on(log, g)
    log.end(g)
    other = tkg.new(tkg.umbra(side=3), 3)
    log = begin(other, tmp_path)
    play_on(log, other)
    log.end(other)
    found = tkg.playtests(tmp_path)
    both = metrics.beside(found.runs, tkg.simulate(variant, games=4, seed=1))
    people = both.filter(pl.col("who") == "people")
    assert people.select("seat", "win", "decisions").rows() == [(1, g.outcome.payoffs[0], len(g.actions))]
    assert both.filter(pl.col("who") == "simulated").height == 8
    assert metrics.win_share(both, ["who", "seat"]).height == 3
    assert metrics.numbers(both, ["decisions"], "who")["games"].to_list() == [1, 4]
    with pytest.raises(tkg.Refused, match="2 variants"):
        metrics.beside(found.runs, found.runs)


def test_numbers_of_numpy_are_numbers(tmp_path):
    import numpy as np

    g = tkg.new(tkg.umbra(), 3)
    log = begin(g, tmp_path)
    g.play(g.legal[0])
    log.act(g, np.int64(1), "person", g.actions[-1], "bid", np.int32(40), np.float64(1.25))
    for odd in (-1.0, float("nan"), float("inf")):  # a clock that was set back
        act(log, g, seconds=odd)
    assert tkg.playtests(tmp_path).decisions["seconds"].to_list() == [1.25, None, None, None]
    assert tkg.playtests(tmp_path).decisions.select("seat", "options").row(0) == (1, 40)

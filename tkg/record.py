"""Records: a game as one JSON object that anyone who knows the rules can replay. Reading one never trusts it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tkg.files import whole_file
from tkg.game import Game
from tkg.rules.errors import Refused
from tkg.rules.games import rules_of
from tkg.rules.knobs import DeckKnob, TileSet, Variant

FORMAT = 1
NAMES = ("tkg", "game", "variant", "seed", "players", "chance", "actions", "result")
NEEDED = ("tkg", "game", "variant", "chance", "actions")


class BadRecord(Refused):
    """A record that cannot be replayed: `action` is where, counted from 1, 0 before the first action."""

    def __init__(self, action: int, reason: str):
        super().__init__(f"action {action}: {reason}")
        self.action = action
        self.reason = reason


def to_record(game: Game) -> dict[str, Any]:
    """The game so far; `result` stands in it once the game is over. Refused for one that began at a position set up by hand."""
    if game.begun_at is not None:
        raise Refused(
            "a record begins at the set-up of the rules, and this game at a position set up by hand; what makes it again "
            "is game.begun_at, game.seed and game.actions"
        )
    record = {
        "tkg": FORMAT,
        "game": game.variant.game,
        "variant": game.variant.plain(),
        "seed": game.seed,
        "players": game.players,
        "chance": game.chance,
        "actions": game.actions,
    }
    if game.over:
        record["result"] = game.result
    return record


def to_line(record: dict[str, Any]) -> str:
    """A record as one line of a file."""
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False)


def write_records(path: str | Path, games: Game | Iterable[Game], force: bool = False) -> Path:
    """Write games as JSON Lines, whole or not at all; an existing file is refused without `force`."""
    games = [games] if isinstance(games, Game) else games
    with whole_file(path, force) as part, part.open("w", encoding="utf-8", errors="backslashreplace") as out:
        for game in games:
            out.write(to_line(to_record(game)) + "\n")
    return Path(path)


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names stand in it once each."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise Refused(f"{name!r} stands twice in one object")
        found[name] = value
    return found


def no_constant(name: str) -> Any:
    raise Refused(f"{name} is no number in JSON")


def parse_record(line: str | bytes) -> dict[str, Any]:
    """A line of a file of records as data."""
    try:
        text = line.decode("utf-8-sig") if isinstance(line, bytes) else line
        record = json.loads(text, object_pairs_hook=once, parse_constant=no_constant)
    except UnicodeDecodeError as error:
        raise BadRecord(0, f"no UTF-8: byte {error.start + 1} of the line is no part of a character") from None
    except json.JSONDecodeError as error:
        raise BadRecord(0, f"no JSON: {error.msg} at column {error.colno}") from None
    except Refused as error:
        raise BadRecord(0, str(error)) from None
    except (RecursionError, ValueError) as error:
        raise BadRecord(0, f"no JSON that can be read: {type(error).__name__}") from None
    if not isinstance(record, dict):
        raise BadRecord(0, "a record is a JSON object")
    return record


def from_record(record: dict[str, Any], finished: bool = False) -> Game:
    """The game that a record tells, played through the rules; with `finished` it must have ended with its result."""
    if not isinstance(record, dict):
        raise BadRecord(0, "a record is a JSON object")
    if type(record.get("tkg")) is not int or record["tkg"] != FORMAT:
        raise BadRecord(0, f"'tkg' is {record.get('tkg')!r}; this program reads records of format {FORMAT}")
    unknown = [name for name in record if name not in NAMES]
    if unknown:
        raise BadRecord(0, f"{unknown[0]!r} is not a name of a record; they are {', '.join(NAMES)}")
    for name in NEEDED:
        if name not in record:
            raise BadRecord(0, f"{name!r} is missing")
    if record["chance"] is None:
        raise BadRecord(0, "'chance' is null")
    game = opening(record)
    actions = record["actions"]
    if not isinstance(actions, list):
        raise BadRecord(0, "'actions' is a list of actions as text")
    for number, action in enumerate(actions, 1):
        try:
            game.play(action if isinstance(action, str) else repr(action))
        except Refused as error:
            raise BadRecord(number, str(error)) from None
    if not game.over:
        if "result" in record:
            raise BadRecord(len(actions) + 1, f"an action is missing; legal: {', '.join(game.legal)}")
        if finished:
            raise BadRecord(len(actions) + 1, "the game is unfinished: actions and result are missing")
        return game.take_up()
    if game.chance_left:
        raise BadRecord(len(actions), "chance is left over that never fell")
    if "result" not in record:
        if finished:
            raise BadRecord(len(actions), "'result' is missing though the game is over")
        return game
    compare_results(record["result"], game.result, len(actions))
    return game


def opening(record: dict[str, Any]) -> Game:
    """The game before its first action."""
    settings = record["variant"]
    if not isinstance(settings, dict):
        raise BadRecord(0, "'variant' is an object of knobs and readings")
    if not isinstance(record["game"], str):
        raise BadRecord(0, "'game' is the name of a game")
    seed = record.get("seed")
    usable = isinstance(seed, int) and not isinstance(seed, bool) and 0 <= seed < 1 << 53
    players = record.get("players")
    names = [p for p in players if isinstance(p, str)] if isinstance(players, list) else []
    try:
        rules = rules_of(record["game"])
        for declared in rules.DECLARED:
            if isinstance(declared, (DeckKnob, TileSet)) and not isinstance(settings.get(declared.name, {}), dict):
                raise Refused(f"{declared.name}: a record holds a number for every tile, as {{'NAME': 2}}")
        for name in rules.SHORTHANDS:
            if name in settings:
                raise Refused(f"{name!r} is no knob or reading of {rules.NAME}, and stands in no record")
        return Game(Variant(rules, **settings), seed if usable else 0, record["chance"], names)
    except Refused as error:
        raise BadRecord(0, str(error)) from None


def compare_results(told: Any, found: dict[str, Any], last: int) -> None:
    """Refuse a result that the replay does not reproduce, type by type."""
    if not isinstance(told, dict):
        raise BadRecord(last, "'result' is an object")
    for name in told:
        if name not in found:
            raise BadRecord(last, f"result: {name!r} is not a field of the result; they are {', '.join(found)}")
    for name, value in found.items():
        if name not in told:
            raise BadRecord(last, f"result: {name!r} is missing; the replay gives {json.dumps(value)}")
        if json.dumps(told[name]) != json.dumps(value):
            raise BadRecord(last, f"result: {name} is {json.dumps(told[name])}; the replay gives {json.dumps(value)}")


def read_lines(path: str | Path) -> Iterator[tuple[int, bytes]]:
    """(line number from 1, bytes) of every line with something in it."""
    try:
        with Path(path).open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, line
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}") from None


def read_records(path: str | Path) -> list[Game]:
    """Every game of a file, finished or not; the first bad record is refused with its line."""
    games = []
    for number, line in read_lines(path):
        try:
            games.append(from_record(parse_record(line)))
        except BadRecord as error:
            raise Refused(f"{path}, line {number}: {error}") from None
    return games


def decisions(game: Game) -> list[dict[str, Any]]:
    """Every decision of a game with its seat and its options sorted by code point."""
    again = Game(game.variant, game.seed, game.chance)
    found = []
    for action in game.actions:
        found.append({"seat": again.seat, "options": sorted(again.legal)})
        again.play(action)
    return found

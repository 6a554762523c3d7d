"""A RESULT record as plain data: what records hold and people read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tkg.rules.games import Rules


def told(rules: Rules, seats: int, record: Any) -> dict[str, Any]:
    """The fields of a record of the game's RESULT dtype but its EXTRAS: words for codes, lists in seat order, winners as seats."""
    found: dict[str, Any] = {}
    for name in rules.RESULT.names:
        if name in rules.EXTRAS:
            continue
        value = record[name].tolist()
        if name in rules.BY_SEAT:
            value = value[:seats]
        if name in rules.WORDS:
            words = rules.WORDS[name]
            value = [words[code] for code in value] if isinstance(value, list) else words[value]
        if name == "winners":
            value = [seat for seat, wins in enumerate(value, 1) if wins]
        found[name] = value
    return found

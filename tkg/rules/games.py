"""The table of games. A fourth game is a module beside `rift.py` and a line here."""

from __future__ import annotations

from types import ModuleType

from tkg.rules import cosmic, rift, umbra, verbs
from tkg.rules.errors import Refused
from tkg.rules.kernel import gives

Rules = ModuleType  # a game's rulebook: a module that gives what `rift.py` gives, under the same names

GAMES: dict[str, Rules] = {"rift": rift, "cosmic": cosmic, "umbra": umbra}

VERBS = ("start", "count", "nth", "play", "outcome", "result", "seat", "kind", "hide", "reopen", "sight")

for _rules in GAMES.values():
    for _name in VERBS:
        gives(getattr(verbs, _name), _rules.STATE, getattr(_rules, _name))


def rules_of(game: str) -> Rules:
    """A game's rulebook by its short name."""
    if game not in GAMES:
        raise Refused(f"no game {game!r}; there are {', '.join(GAMES)}")
    return GAMES[game]

"""Balance analysis and playtesting of the TKG tabletop games.

    >>> import tkg
    >>> variant = tkg.rift(side=4, supply=12)
    >>> variant
    rift(side=4, supply=12)

Names are imported when they are first used, so `import tkg` is fast. Every game is a function of this module
that makes a variant of it: `tkg.rift(...)`.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

_HOMES = {
    "tkg.rules.errors": ("Refused",),
    "tkg.rules.games": ("GAMES",),
    "tkg.rules.knobs": ("Variant",),
    "tkg.rules.tiles": ("Deck", "deck_names", "load_deck", "make_deck"),
    "tkg.game": ("Game", "Illegal", "NoChance", "Outcome", "contest_ranks", "new", "set_up"),
    "tkg.record": ("BadRecord", "from_record", "read_records", "to_record", "write_records"),
    "tkg.own_bots": ("register_bot",),
    "tkg.bulk": ("game_of", "play_again", "play_on", "read_runs", "simulate"),
    "tkg.estimates": ("answer", "estimate"),
    "tkg.playtest_log": ("playtests",),
    "tkg.ladders": ("ladder",),
    "tkg.traces": ("trace", "trace_options"),
    "tkg.bottlenecks": ("prospects",),
    "tkg.traits.playing": ("features",),
    "tkg.replays": ("replay_deals",),
    "tkg.skills": ("skill",),
    "tkg.ways": ("exploits", "restricted"),
    "tkg.comparing": ("compare", "readings"),
    "tkg.studies": ("around", "play_study", "study", "sweep"),
    "tkg.variant_files": ("load_variant", "save_variant", "variant_names"),
    "tkg.targets": ("tune",),
    "tkg.boards.board": ("board",),
    "tkg.boards.browser": ("browse",),
    "tkg.boards.table": ("table",),
    "tkg.panels.deck_editor": ("deck_editor",),
    "tkg.panels.explorer": ("explore",),
    "tkg.panels.tryout": ("tryout",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_RENAMED = {"variant": ("tkg.rules.knobs", "parse_variant")}
_MODULES = ("metrics", "charts")


def _make(game: str, /, **settings: Any) -> Any:
    rules = import_module("tkg.rules.games").rules_of(game)
    return import_module("tkg.rules.knobs").Variant(rules, **settings)


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    if name in _RENAMED:
        home, there = _RENAMED[name]
        return getattr(import_module(home), there)
    if name in _MODULES:
        return import_module(f"tkg.{name}")
    if not name.startswith("_") and name in import_module("tkg.rules.games").GAMES:
        maker = partial(_make, name)
        maker.__doc__ = import_module("tkg.rules.games").GAMES[name].__doc__
        return maker
    raise AttributeError(f"module 'tkg' has no attribute {name!r}")


def __dir__() -> list[str]:
    games = import_module("tkg.rules.games").GAMES
    return sorted([*_HOME_OF, *_RENAMED, *_MODULES, *games])

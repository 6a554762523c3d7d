"""The bots by name, and the one compiled function that lets any of them choose.

A bot sees a position through `hide` alone: whatever its seat cannot know has been dealt anew before it looks.
`random` needs no look: it knows the number of options and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from tkg.rules import verbs
from tkg.rules.chance import SEARCH, derive, scale
from tkg.rules.errors import Refused, did_you_mean
from tkg.rules.games import GAMES
from tkg.rules.kernel import gives, spliced, verb

RANDOM = 0  # the code of `random` in every game; the game's own bots follow in the order of its NAMES
WORK = 9  # scratch states that `choose` needs

pick = verb("pick", "state, variant, bot, key, work", inline="always")
"""The choice of the game's own bot number `bot`, from a state that is the bot's to change."""

BOTS: dict[str, tuple[str, ...]] = {}

for _game, _rules in GAMES.items():
    _module = import_module(f"tkg.bots.{_game}")
    gives(pick, _rules.STATE, _module.pick)
    BOTS[_game] = ("random", *_module.NAMES)


@spliced
def choose(state, variant, bot, key, work):
    """The action that a bot chooses for the seat that decides; `work` is scratch, WORK states long.

    Stateless: position, bot and key settle the choice, so a bot that has played before plays like a fresh one.
    """
    if bot == RANDOM:
        return verbs.nth(state, variant, scale(key, verbs.count(state, variant)))
    work[0] = state
    seen = work[0]
    verbs.hide(seen, variant, verbs.seat(state), derive(key, SEARCH))
    return pick(seen, variant, bot - 1, key, work[1:])


def bot_code(game: str, name: str) -> int:
    """The number by which compiled code knows a bot."""
    names = BOTS[game]
    if name not in names:
        raise Refused(f"no bot {name!r} plays {game}; there are {', '.join(names)}{did_you_mean(name, names)}")
    return names.index(name)


def bot_names(game: str, bots: str | Sequence[str]) -> tuple[str, ...]:
    """Bots given as `greedy`, `greedy,random` or a list, checked."""
    if not isinstance(bots, (str, list, tuple)):
        raise Refused(f"bots={bots!r}: a name, or a list of them; there are {', '.join(BOTS[game])}")
    names = bots.split(",") if isinstance(bots, str) else list(bots)
    if not names:
        raise Refused(f"bots: at least one is needed; there are {', '.join(BOTS[game])}")
    for name in names:
        bot_code(game, name)
    return tuple(names)

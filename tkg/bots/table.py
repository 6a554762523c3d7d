"""The bots by name, and the one compiled function that lets any of them choose.

A bot sees a position through `hide` alone: whatever its seat cannot know has been dealt anew before it looks.
`random` needs no look: it knows the number of options and nothing else.

Every bot can play in a style of its game, written behind its name, such as `greedy-only-occupy`: the style takes
options away from the bot's decisions before it chooses among those that are left.
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
STYLE = 64  # what the code of a bot grows by with every style in the order of the game's STYLES; 0 times it is none
WORK = 9  # scratch states that `choose` needs

pick = verb("pick", "state, variant, bot, style, key, work", inline="always")
"""The choice of the game's own bot number `bot`, from a state that is the bot's to change, whose options the style
has left; `style` is 0 or a number from 1 for `restrict`, for bots that look ahead."""

restrict = verb("restrict", "state, variant, style", inline="always")
"""Take away the options of the decision at hand that a style does not play, but never all of them."""

BOTS: dict[str, tuple[str, ...]] = {}
STYLES: dict[str, tuple[str, ...]] = {}

for _game, _rules in GAMES.items():
    _module = import_module(f"tkg.bots.{_game}")
    gives(pick, _rules.STATE, _module.pick)
    gives(restrict, _rules.STATE, _module.restrict)
    BOTS[_game] = ("random", *_module.NAMES)
    STYLES[_game] = _module.STYLES


@spliced
def choose(state, variant, bot, key, work):
    """The action that a bot chooses for the seat that decides; `work` is scratch, WORK states long.

    Stateless: position, bot and key settle the choice, so a bot that has played before plays like a fresh one.
    """
    if bot == RANDOM:
        return verbs.nth(state, variant, scale(key, verbs.count(state, variant)))
    style = bot // STYLE
    work[0] = state
    seen = work[0]
    verbs.hide(seen, variant, verbs.seat(state), derive(key, SEARCH))
    if style > 0:
        restrict(seen, variant, style)
    if bot % STYLE == RANDOM:
        return verbs.nth(seen, variant, scale(key, verbs.count(seen, variant)))
    return pick(seen, variant, bot % STYLE - 1, style, key, work[1:])


def bot_code(game: str, name: str) -> int:
    """The number by which compiled code knows a bot and its style."""
    bots, styles = BOTS[game], STYLES[game]
    bot, dash, style = name.partition("-") if isinstance(name, str) else (name, "", "")
    if bot not in bots:
        raise Refused(f"no bot {name!r} plays {game}; there are {', '.join(bots)}{did_you_mean(str(name), bots)}")
    if not dash:
        return bots.index(bot)
    if style not in styles:
        ways = ", ".join(f"{bot}-{s}" for s in styles) or "none"
        raise Refused(f"bot {name!r}: {game} has no style {style!r}; there are {ways}{did_you_mean(style, styles)}")
    return bots.index(bot) + STYLE * (1 + styles.index(style))


def bot_names(game: str, bots: str | Sequence[str]) -> tuple[str, ...]:
    """Bots given as `greedy`, `greedy,random-only-occupy` or a list, checked."""
    if not isinstance(bots, (str, list, tuple)):
        raise Refused(f"bots={bots!r}: a name, or a list of them; there are {', '.join(BOTS[game])}")
    names = bots.split(",") if isinstance(bots, str) else list(bots)
    if not names:
        raise Refused(f"bots: at least one is needed; there are {', '.join(BOTS[game])}")
    for name in names:
        if isinstance(name, str) and "," in name:
            raise Refused(
                f"bots: {name!r} stands in a list; give the bots of one game as {name!r} or {name.split(',')!r}"
            )
        bot_code(game, name)
    return tuple(names)

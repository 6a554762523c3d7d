"""The bots by name, and the one compiled function that lets any of them choose.

Every game has `random`, which knows the number of options and nothing else; `greedy`, which plays what its evaluation
puts first; and three that search, each named with its iterations a decision: `mcts:400`; `uct:400`, which searches
without an evaluation; and `peek:400`, the twin of `mcts:400` that sees what is hidden from its seat. A game may
have bots of its own. All but the peeking one see a position through `hide` alone: whatever their seat cannot know has
been dealt anew before they look.

Every bot can play in a style of its game, written behind its name, such as `greedy-only-occupy`: the style takes
options away from the bot's decisions before it chooses among those that are left.

Bots that a user has registered stand beside them by name; they are Python functions, and compiled code stops before
their decisions (`tkg.own_bots`).
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

import numpy as np

from tkg.bots import search
from tkg.bots.minds import shipped_mind
from tkg.bots.registered import own_code, registered
from tkg.bots.search import Tree, best_tried, make_tree, restrict, think
from tkg.rules import verbs
from tkg.rules.chance import SEARCH, derive, scale
from tkg.rules.errors import Refused, did_you_mean
from tkg.rules.games import GAMES
from tkg.rules.kernel import gives, spliced, verb

RANDOM, GREEDY, UCT, MCTS, PEEK, OWN = range(6)  # codes of bots; the game's own follow from OWN on
COMMON = ("random", "greedy", "uct", "mcts", "peek")
SEARCHING = ("uct", "mcts", "peek")
# A code is the bot, its style counted from 1, its iterations, and which of the minds at hand it plays by.
STYLE_AT, BUDGET_AT, MIND_AT = 4, 12, 40
KIND, STYLE_MASK, BUDGET_MASK = (
    (1 << STYLE_AT) - 1,
    (1 << BUDGET_AT - STYLE_AT) - 1,
    (1 << MIND_AT - BUDGET_AT) - 1,
)
MOST_ITERATIONS = 100_000
MOST_SECONDS = 60.0
WORK = 5  # scratch states that `choose` needs

pick = verb("pick", "state, variant, bot")
"""The choice of the game's own bot number `bot`, from a state that is the bot's to see."""

OWN_BOTS: dict[str, tuple[str, ...]] = {}
STYLES: dict[str, tuple[str, ...]] = {}
EXPLOITS: dict[str, dict[str, str]] = {}  # by game: bots that test a degenerate plan, and what the plan is
CANNOT: dict[str, dict[str, str]] = {}  # by game: restrictions that the rules leave nobody free to keep to, and why

for _game, _rules in GAMES.items():
    _module = import_module(f"tkg.bots.{_game}")
    gives(pick, _rules.STATE, _module.pick)
    for _verb in ("propose", "carry", "assess", "restrict"):
        gives(getattr(search, _verb), _rules.STATE, getattr(_module, _verb))
    OWN_BOTS[_game] = _module.NAMES
    STYLES[_game] = _module.STYLES
    EXPLOITS[_game] = _module.EXPLOITS
    CANNOT[_game] = _module.CANNOT


@spliced
def any_option(state, variant, key):
    """What a random bot chooses."""
    return verbs.nth(state, variant, scale(key, verbs.count(state, variant)))


@spliced
def choose(state, variant, minds, bot, key, tree, work):
    """The action that a bot chooses for the seat that decides; `work` is scratch, WORK states long.

    Stateless: position, bot and key settle the choice, so a bot that has played before plays like a fresh one.
    """
    if bot == RANDOM:
        return any_option(state, variant, key)
    kind, style, budget = bot & KIND, bot >> STYLE_AT & STYLE_MASK, bot >> BUDGET_AT & BUDGET_MASK
    mind = minds[bot >> MIND_AT]
    work[0] = state
    seen = work[0]
    if kind != PEEK:
        verbs.hide(seen, variant, verbs.seat(state), derive(key, SEARCH))
    if style > 0:
        restrict(seen, variant, style)
    if kind == RANDOM:
        return any_option(seen, variant, key)
    if kind >= OWN:
        return pick(seen, variant, kind - OWN)
    if kind == GREEDY or verbs.count(seen, variant) == 1:
        search.propose(seen, variant, mind, style, key, 1, tree.offers, work[1:])
        return tree.offers.actions[0]
    think(seen, variant, mind, kind == UCT, kind == PEEK, style, key, 0, budget, True, tree, work[1:])
    return tree.actions[0, best_tried(tree)]


# --- Names ----------------------------------------------------------------------------------------------------


class Name(NamedTuple):
    """A bot's name taken apart: `mcts:100-only-capture`."""

    bot: str
    iterations: int  # 0 for bots that do not search
    style: str  # empty for none


def bots_of(game: str) -> tuple[str, ...]:
    """The bots of a game as they are listed: a searching one stands with N for its iterations."""
    return (*(f"{b}:N" if b in SEARCHING else b for b in COMMON), *OWN_BOTS[game], *registered(game))


def examples(game: str) -> tuple[str, ...]:
    """Bots of a game to choose from, each by a whole name, weak ones first, then the user's own."""
    shipped = ("random", "uct:100", *OWN_BOTS[game], "greedy", "mcts:25", "mcts:100", "mcts:400", "peek:100")
    return (*shipped, *registered(game))


def take_apart(game: str, name: str) -> Name:
    """A bot's name, checked."""
    own = registered(game)
    known = (*COMMON, *OWN_BOTS[game], *own)
    told = name if isinstance(name, str) else repr(name)
    rest, dash, style = told.partition("-")
    bot, colon, budget = rest.partition(":")
    if bot not in known:
        raise Refused(f"no bot {name!r} plays {game}; there are {', '.join(bots_of(game))}{did_you_mean(bot, known)}")
    if dash and bot in own:
        raise Refused(f"bot {name!r}: a bot of one's own takes no style; it is named {bot} alone")
    if dash and style not in STYLES[game]:
        ways = ", ".join(f"{rest}-{s}" for s in STYLES[game]) or "none"
        raise Refused(
            f"bot {name!r}: {game} has no style {style!r}; there are {ways}{did_you_mean(style, STYLES[game])}"
        )
    if bot not in SEARCHING:
        if colon:
            raise Refused(
                f"bot {name!r}: {bot} does not search, so it takes no number; those that do are {', '.join(SEARCHING)}"
            )
        return Name(bot, 0, style)
    if budget.endswith("s") and seconds_of(budget) is not None:
        raise Refused(
            f"bot {name!r}: bots named by time play on boards alone, since a game could not be made again; here {bot} is named "
            f"with its iterations a decision, such as {bot}:100"
        )
    if not (budget.isascii() and budget.isdigit() and 1 <= int(budget) <= MOST_ITERATIONS):
        raise Refused(
            f"bot {name!r}: {bot} is named with its iterations a decision, from 1 to {MOST_ITERATIONS:,}, such as {bot}:100"
        )
    return Name(bot, int(budget), style)


def seconds_of(budget: str) -> float | None:
    """The seconds of `0.2s`, None if that is not what stands there."""
    try:
        seconds = float(budget.removesuffix("s"))
    except ValueError:
        return None
    return seconds if budget.endswith("s") and 0.0 < seconds <= MOST_SECONDS else None


def parse_timed(game: str, name: str) -> tuple[str, float | None]:
    """(name, seconds a decision) of a bot on a board: one named by time gets the most iterations that a name may tell."""
    told = name if isinstance(name, str) else repr(name)
    rest, dash, style = told.partition("-")
    bot, _, budget = rest.partition(":")
    seconds = seconds_of(budget) if bot in SEARCHING else None
    checked = told if seconds is None else f"{bot}:{MOST_ITERATIONS}{dash}{style}"
    take_apart(game, checked)
    return checked, seconds


def bot_code(game: str, name: str) -> int:
    """The number by which compiled code knows a bot, its style and its iterations; below 0 for a registered one."""
    bot, iterations, style = take_apart(game, name)
    if bot in registered(game):
        return own_code(bot)
    kind = (*COMMON, *OWN_BOTS[game]).index(bot)
    numbered = STYLES[game].index(style) + 1 if style else 0
    return kind | numbered << STYLE_AT | iterations << BUDGET_AT


def peeks(name: str) -> bool:
    """Whether a bot sees what is hidden from its seat: a bound, and no player."""
    return name.partition(":")[0] == "peek"


def mind_of(game: str) -> np.ndarray:
    """The weights that a game's bots play by."""
    return shipped_mind(game, import_module(f"tkg.bots.{game}").MIND)


def tree_for(codes: np.ndarray) -> Tree | None:
    """Room for the thoughts of all these bots; None where none of them thinks, for then the loop is compiled without."""
    if (codes <= RANDOM).all():
        return None
    return make_tree(int((codes[codes >= 0] >> BUDGET_AT & BUDGET_MASK).max(initial=0)))


def bot_names(game: str, bots: str | Sequence[str]) -> tuple[str, ...]:
    """Bots given as `greedy`, `greedy,random-only-occupy` or a list, checked."""
    if not isinstance(bots, (str, list, tuple)):
        raise Refused(f"bots={bots!r}: a name, or a list of them; there are {', '.join(bots_of(game))}")
    names = bots.split(",") if isinstance(bots, str) else list(bots)
    if not names:
        raise Refused(f"bots: at least one is needed; there are {', '.join(bots_of(game))}")
    for name in names:
        if isinstance(name, str) and "," in name:
            raise Refused(
                f"bots: {name!r} stands in a list; give the bots of one game as {name!r} or {name.split(',')!r}"
            )
        bot_code(game, name)
    return tuple(names)

"""Bots of one's own: Python functions, registered by name, that play beside the compiled bots.

A game in which one of them sits is played by compiled code up to its decisions, and the function is asked in between.
So such games are slower, by what seeing and naming the options in Python costs and by what the function itself takes.
"""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from tkg.bots import loop
from tkg.bots.loop import ALL, COUNTS, NOTHING, Played, Room, make_room
from tkg.bots.registered import REGISTERED, OwnBot, own_bot, registered
from tkg.bots.table import COMMON, OWN_BOTS
from tkg.rules import calls
from tkg.rules.chance import BOT, derive_exact
from tkg.rules.errors import Refused, did_you_mean
from tkg.rules.games import rules_of
from tkg.rules.kernel import records
from tkg.rules.knobs import Variant

SHOWN = 12  # options that a message lists
MOST_TOLD = 1 << 12  # actions of a game that are kept to be told


class BotFailed(Refused):
    """A bot of one's own returned what is no option, or raised; an error that it raised is the `__cause__`.

    `tkg.new(tkg.variant(error.variant), error.seed).play(*error.actions)` comes to the position, unless the bot played
    on from a position that was given. `seat` counts from 1, `legal` are the options that it had.
    """

    def __init__(
        self, message: str, bot: str, variant: str, seed: int, seat: int, actions: list[str], legal: list[str]
    ):
        super().__init__(message)
        self.bot, self.variant, self.seed, self.seat, self.actions, self.legal = (
            bot,
            variant,
            seed,
            seat,
            actions,
            legal,
        )


# --- Names --------------------------------------------------------------------------------------------------------


def register_bot(
    name: str, function: Callable[..., str] | None = None, *, game: str | None = None, replace: bool = False
) -> Any:
    """Give a bot of one's own a name, by which it plays wherever bots are named: `tkg.register_bot("mine", function)`.

    Without a function it is a decorator:

    >>> import tkg
    >>> @tkg.register_bot("last")
    ... def last(seen, options):
    ...     return options[-1]
    >>> tkg.simulate(tkg.umbra(), "last,random", games=2)["bot"].unique().sort().to_list()
    ['last', 'random']

    The function is asked where a seat has more than one option. It gets what `Game.view` of that seat gives, nothing
    hidden in it, and the list of options that `Game.legal` gives, both its own to change, and returns one of the
    options. If it has a third parameter without a default, that is a `random.Random`, seeded from the game, the seat
    and the decision: a function that draws from it alone, and remembers nothing from one call to the next, plays the
    same games for the same seed whatever the number of workers. These call it from several threads, one at a time, so
    they do not make it faster.

    With `game` the bot plays that game alone. A name is a word of letters, digits and `_`. One that is taken is
    refused unless the same function of the same module is registered again, as by a notebook's cell that is run twice,
    or with `replace`. Bots of one's own have no styles.
    """
    if function is None:
        return lambda given: register_bot(name, given, game=game, replace=replace)
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
        raise Refused(f"bot {name!r}: a name is a word of letters, digits and _, such as my_bot")
    shipped = (*COMMON, *(bot for bots in OWN_BOTS.values() for bot in bots))
    if name in shipped:
        raise Refused(f"bot {name!r} is there already; any name will do but {', '.join(shipped)}")
    if game is not None:
        rules_of(game)
    bot = OwnBot(name, function, game, takes_luck(name, function))
    if name in REGISTERED and not replace and REGISTERED[name].origin != bot.origin:
        where = ".".join(map(str, REGISTERED[name].origin))
        raise Refused(f"bot {name!r} is registered already, as {where}; take another name, or say replace=True")
    REGISTERED[name] = bot
    return function


def takes_luck(name: str, function: Callable[..., str]) -> bool:
    """Whether a function takes a third argument; refused unless it takes two or three."""
    wanted = "a function of what a seat sees, its options, and its luck if it wants some: def bot(seen, options)"
    if not callable(function):
        raise Refused(f"bot {name!r}: {function!r} is not {wanted}")
    signature = inspect.signature(function)
    for arguments in ((0, 0), (0, 0, 0)):
        try:
            signature.bind(*arguments)
        except TypeError:
            continue
        return len(arguments) == 3
    raise Refused(f"bot {name!r}: {getattr(function, '__name__', 'it')}{signature} is not {wanted}")


def own_among(game: str, names: Sequence[str]) -> list[str]:
    """Which of these bots of a game are of one's own."""
    return [name for name in dict.fromkeys(names) if name in registered(game)]


def source_of(name: str) -> str:
    """The source of a bot of one's own, which tells whether it is still the same: its whole file, else its function."""
    function = REGISTERED[name].function
    try:
        return Path(inspect.getsourcefile(function) or "").read_text(encoding="utf-8")
    except (OSError, TypeError, UnicodeDecodeError):
        pass
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return repr(REGISTERED[name].origin)


def load_bots(path: Path) -> None:
    """Run a Python file that registers bots."""
    if not path.is_file():
        raise Refused(f"{path}: there is no such file")
    before = dict(REGISTERED)
    module_name = f"bots of {path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise Refused(f"{path}: bots of one's own stand in a Python file, whose name ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module  # where dataclasses and the like look for the names of their module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise Refused(f"{path}{told_error(error, str(path))}") from error
    if before == REGISTERED:
        raise Refused(f"{path} registers no bot; it needs @tkg.register_bot('my_bot') above a function")


def told_error(error: BaseException, file: str) -> str:
    """`, line 3: NameError: name 'x' is not defined`: the last line that ran of a file, and the error's own last line."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if same_file(frame.filename, file)]
    if isinstance(error, SyntaxError) and error.lineno and same_file(error.filename or "", file):
        lines.append(error.lineno)
    where = f", line {lines[-1]}" if lines else ""
    what = str(error.msg if isinstance(error, SyntaxError) else error).strip().replace("\n", " ")
    return f"{where}: {type(error).__name__}{f': {what}' if what else ''}"


def same_file(one: str, other: str) -> bool:
    return Path(one).absolute() == Path(other).absolute()


# --- Playing ------------------------------------------------------------------------------------------------------


def play(
    variant: Variant,
    seeds: Any,
    bots: Any,
    streams: Any,
    script: Any = None,
    *,
    root: Any = None,
    decided: int = 0,
    most: int = ALL,
    dealt: bool = False,
) -> Played:
    """`tkg.bots.loop.play`, also with bots of one's own in any of the seats.

    Refused as `BotFailed` where such a bot raises or does not return one of its options.
    """
    going = {"root": root, "decided": decided, "most": most, "dealt": dealt}
    if bots.min(initial=0) >= 0:
        return loop.play(variant, seeds, bots, streams, script, **going)
    rules, n = variant.rules, len(seeds)
    played = Played(
        np.zeros((n, variant.seats)),
        records(rules.RESULT, n),
        np.zeros((n, len(rules.KINDS) + 1, len(COUNTS)), np.int32),
    )
    room = make_room(variant, bots)
    width = 0 if script is None else script.shape[1]
    taken = np.empty((1, max(width, MOST_TOLD)), np.int64)
    for i in range(n):
        one = slice(i, i + 1)
        done = play_one(
            variant, seeds[one], bots[one], streams[one], Played(*(p[one] for p in played)), room, taken, **going
        )
        if script is not None:
            script[i, :done] = taken[0, : min(width, done)]
    return played


def play_one(
    variant: Variant, seeds: Any, bots: Any, streams: Any, played: Played, room: Room, taken: Any,
    root: Any, decided: int, most: int, dealt: bool,
) -> int:  # fmt: skip
    """One game into `played`, its actions into `taken` as far as that reaches; how many there were."""
    states, start, done = room.states, root, 0
    while True:
        part = loop.play(
            variant, seeds, bots, streams, taken[:, done:], root=start, decided=decided + done, most=most - done,
            dealt=dealt and start is root, room=room,
        )  # fmt: skip
        played.counts[:] += part.counts
        done += int(part.counts[0, :, 0].sum())
        actions = calls.options(states, variant.packed) if done < most else NOTHING
        if len(actions) == 0:
            played.payoffs[:], played.results[:] = part.payoffs, part.results
            return done
        tally = played.counts[0, int(calls.kind(states))]
        tally += (1, len(actions), len(actions) > 1)
        action = int(actions[0])
        if len(actions) > 1:
            known = taken[0, :done] if root is None and done <= taken.size else ()
            action = ask(variant, seeds, bots, streams, states, actions, decided + done, known)
        if done < taken.size:
            taken[0, done] = action
        calls.play(states, variant.packed, action, calls.SILENT)
        start, done = states, done + 1


def ask(
    variant: Variant, seeds: Any, bots: Any, streams: Any, states: Any, actions: Any, decision: int, before: Any
) -> int:
    """The action that a bot of one's own chooses; its luck is drawn as that of compiled bots."""
    seat, state = int(calls.seat(states)), states[0]
    options = {variant.rules.text(variant, state, int(a)): int(a) for a in actions}
    bot = own_bot(int(bots[0, seat]))
    luck: tuple[Random, ...] = ()
    if bot.lucky:
        key = derive_exact(derive_exact(int(seeds[0]), BOT), int(streams[0]) + seat)
        luck = (Random(derive_exact(key, decision)),)
    try:
        chosen = bot.function(variant.rules.view(state, variant, seat), list(options), *luck)
    except Exception as error:
        raise failed(
            variant, bot, int(seeds[0]), seat, decision, before, list(options), what_failed(bot, error)
        ) from error
    if not isinstance(chosen, str) or chosen not in options:
        fault = f"it returned {chosen!r}, which is no option here{did_you_mean(chosen, options)}"
        raise failed(variant, bot, int(seeds[0]), seat, decision, before, list(options), fault)
    return options[chosen]


def what_failed(bot: OwnBot, error: Exception) -> str:
    """What a bot raised, and in which line of its file."""
    code = getattr(inspect.unwrap(bot.function), "__code__", None)
    file = code.co_filename if code is not None else ""
    return f"it failed{f' in {Path(file).name}' if file.endswith('.py') else ''}{told_error(error, file)}"


def failed(
    variant: Variant, bot: OwnBot, seed: int, seat: int, decision: int, before: Any, legal: list[str], fault: str
) -> BotFailed:
    """What a bot did wrong, and where: `before` are the actions that led there from the start, none if not known."""
    rest = f" and {len(legal) - SHOWN} more" if len(legal) > SHOWN else ""
    actions = in_words(variant, seed, before)
    played = f"; played before: {', '.join(actions)}" if actions else ""
    message = (
        f"bot {bot.name!r}, seat {seat + 1}, at decision {decision + 1} of the game of {variant} with seed {seed}: {fault}; "
        f"legal: {', '.join(legal[:SHOWN])}{rest}{played}"
    )
    return BotFailed(message, bot.name, str(variant), seed, seat + 1, actions, legal)


def in_words(variant: Variant, seed: int, taken: Any) -> list[str]:
    """The actions of a game from its start, as text."""
    states = records(variant.rules.STATE)
    calls.start(states, variant.packed, seed, calls.SILENT)
    words = []
    for action in taken:
        words.append(variant.rules.text(variant, states[0], int(action)))
        calls.play(states, variant.packed, int(action), calls.SILENT)
    return words

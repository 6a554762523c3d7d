"""Luck: every random number of a game, a bot or a run comes from here, hashed from a seed and a place.

Nothing has a state that is stepped, so two variants, or two bots, that reach the same place meet the same luck,
and any one game can be made again without playing those before it. The mixing function is splitmix64
(Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators", figure 15).

A *tape* lets the same rules read their luck from a record, or write it down: an int64 array whose first entry
is the mode, the second the place reached, followed by events `purpose, length, values`. An array without
entries means that nobody listens: luck is drawn and not written down.
"""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from tkg.rules.errors import Refused
from tkg.rules.kernel import COMPILING, kernel, routine
from tkg.rules.numbers import whole

T = TypeVar("T")

SEED_BITS = 53  # what JSON numbers and browsers hold exactly
CHANCE, BOT, SEARCH, UNTOLD = 1, 2, 3, 4  # streams that never meet; the last for what a position does not tell

WRITE, READ, MISSING, IMPOSSIBLE, FULL = (
    1,
    2,
    3,
    4,
    5,
)  # modes of a tape; the last three say why reading or writing stopped
MODE, PLACE, EVENTS = 0, 1, 2

MASK = (1 << 64) - 1
GOLDEN, MIX1, MIX2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def mix_exact(z: int) -> int:
    """splitmix64's finaliser on Python integers."""
    z = ((z ^ (z >> 30)) * MIX1) & MASK
    z = ((z ^ (z >> 27)) * MIX2) & MASK
    return z ^ (z >> 31)


def derive_exact(key: int, place: int) -> int:
    """A 64-bit key for the `place`-th thing under `key`: the splitmix64 sequence that starts there."""
    return mix_exact((int(key) + (int(place) + 1) * GOLDEN) & MASK)


def scale_exact(key: int, n: int) -> int:
    """A whole number from 0 to n-1 from a key that serves nothing else, n below 2^31, biased by less than n / 2^32."""
    return ((int(key) >> 32) * int(n)) >> 32


def below_exact(key: int, place: int, n: int) -> int:
    """The `place`-th whole number from 0 to n-1 under `key`."""
    return scale_exact(derive_exact(key, place), n)


def shuffled_exact(items: Sequence[T], key: int) -> list[T]:
    """The items in random order."""
    order = list(items)
    for i in range(len(order) - 1):
        j = i + below_exact(key, i, len(order) - i)
        order[i], order[j] = order[j], order[i]
    return order


def fold_exact(sight: int, value: int) -> int:
    """A hash with one more value in it: a polynomial in GOLDEN, to be mixed at the end."""
    return (int(sight) * GOLDEN + int(value) + 1) & MASK


def add_exact(one: int, other: int) -> int:
    """Two hashes in one, whatever their order."""
    return (int(one) + int(other)) & MASK


def game_seed_exact(run_seed: int, game: int) -> int:
    """The seed of one game of a run: hashed, so that neighbouring runs share no deals."""
    return derive_exact(derive_exact(run_seed, 0), game) >> (64 - SEED_BITS)


if COMPILING:

    @kernel
    def mix(z):
        z = (z ^ (z >> np.uint64(30))) * np.uint64(MIX1)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(MIX2)
        return z ^ (z >> np.uint64(31))

    @kernel
    def derive(key, place):
        return mix(np.uint64(key) + (np.uint64(place) + np.uint64(1)) * np.uint64(GOLDEN))

    @kernel
    def fold(sight, value):
        return np.uint64(sight) * np.uint64(GOLDEN) + np.uint64(np.int64(value) + 1)

    @kernel
    def add(one, other):
        return np.uint64(one) + np.uint64(other)

    @kernel
    def game_seed(run_seed, game):
        return np.int64(derive(derive(run_seed, 0), game) >> np.uint64(64 - SEED_BITS))

    @kernel
    def scale(key, n):
        return np.int64(((key >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))

    @kernel
    def below(key, place, n):
        return scale(derive(key, place), n)

else:
    mix, derive, scale, below, game_seed = mix_exact, derive_exact, scale_exact, below_exact, game_seed_exact
    fold, add = fold_exact, add_exact


def check_seed(seed: object) -> int:
    """`seed` as an int, refused when records or browsers could not hold it."""
    number = whole(seed)
    if number is None or not 0 <= number < 1 << SEED_BITS:
        raise Refused(f"seed {seed!r}: a seed is a whole number from 0 to 2^{SEED_BITS} - 1")
    return number


@kernel
def shuffle(items, n, key, purpose, tape):
    """Put the first `n` of `items` in random order, or in the order that the tape tells."""
    deal(items, 0, n, n, key, purpose, tape)


@kernel
def deal(items, kept, n, dealt, key, purpose, tape):
    """Bring `dealt` of the first `n` of `items` to the front, drawn at random one after the other, or as the tape tells.

    The first `kept` stay where they are.
    """
    if reads(tape):
        read_deal(items, kept, n, dealt, purpose, tape)
        return
    for i in range(kept, min(dealt, n - 1)):
        j = i + below(key, i, n - i)
        swapped = items[i]
        items[i] = items[j]
        items[j] = swapped
    at = event(tape, purpose, dealt)
    if at >= 0:
        for i in range(dealt):
            tape[at + i] = items[i]


@routine
def read_deal(items, kept, n, dealt, purpose, tape):
    """Bring to the front what the tape tells, if these very items can be dealt so; else say so in its mode."""
    at = event(tape, purpose, dealt)
    if at < 0:
        return
    for i in range(dealt):
        j = i
        while j < (i + 1 if i < kept else n) and items[j] != tape[at + i]:
            j += 1
        if j == (i + 1 if i < kept else n):
            refuse(tape, at)
            return
        swapped = items[i]
        items[i] = items[j]
        items[j] = swapped


@kernel
def reads(tape):
    """Whether luck is to be read from the tape."""
    return tape.size > 0 and READ <= tape[MODE] < FULL


@kernel
def event(tape, purpose, n):
    """Where the next event's `n` values stand on the tape, to be read or written; -1 if there is no such event."""
    if tape.size == 0 or (tape[MODE] != WRITE and tape[MODE] != READ):
        return np.int64(-1)
    at = np.int64(tape[PLACE])
    if tape[MODE] == WRITE:
        if at + 2 + n > tape.size:
            tape[MODE] = FULL
            return np.int64(-1)
        tape[at] = purpose
        tape[at + 1] = n
    elif at + 2 > tape.size:
        tape[MODE] = MISSING
        return np.int64(-1)
    elif tape[at] != purpose or tape[at + 1] != n or at + 2 + n > tape.size:
        tape[MODE] = IMPOSSIBLE
        return np.int64(-1)
    tape[PLACE] = at + 2 + n
    return at + 2


@kernel
def refuse(tape, at):
    """The event whose values stand at `at` cannot have fallen."""
    tape[MODE] = IMPOSSIBLE
    tape[PLACE] = at - 2

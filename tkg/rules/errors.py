"""The one error that is a user's slip and not a fault of the program."""

import difflib
from collections.abc import Iterable


class Refused(ValueError):
    """Input that cannot be used: the message says what is wrong, where, and what would be right."""


def did_you_mean(word: object, words: Iterable[str]) -> str:
    """`; did you mean greedy?`, or nothing if no word is near."""
    near = difflib.get_close_matches(str(word), list(words), n=1)
    return f"; did you mean {near[0]}?" if near else ""

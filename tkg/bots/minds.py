"""The weights of each game's bots: records of the game's MIND dtype, kept as JSON beside this file.

Compiled code gets them as arguments, so that a run can try others and an edit of them recompiles nothing.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tkg.bots.offers import MOST_OFFERS
from tkg.rules.errors import Refused
from tkg.rules.kernel import records

FOLDER = Path(__file__).parent / "weights"

SEARCH = (
    "width",  # options of a decision that a search looks at, from 1 to MOST_OFFERS
    "heat",  # evaluation points by which an option's prior falls to 1/e
    "explore",  # PUCT's constant
    "caution",  # how much less than its decision an option not yet tried is taken to be worth
    "plies",  # decisions, or whole turns where bots plan those, that greedy players play on from a new position before it is judged
)  # what every game's mind holds beside the weights of its evaluation


def mind_dtype(*names: str) -> np.dtype:
    """A record of these weights, and of those of the search."""
    return np.dtype([(name, "f8") for name in (*names, *SEARCH)])


def read_mind(path: Path, dtype: np.dtype) -> np.ndarray:
    """An array of one record from a JSON file that names every weight once."""
    try:
        told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["weights"]
        values = {name: float(value) for name, value in told.items()}
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise Refused(f'{path}: weights are written as {{"weights": {{"NAME": number, ...}}}}') from None
    wrong = sorted(set(told) ^ set(dtype.names or ()))
    if wrong:
        raise Refused(f"{path}: {', '.join(wrong)}: every weight of the game stands there once, and none else")
    beyond = [name for name, value in values.items() if not np.isfinite(value)]
    if beyond or not 1 <= values["width"] <= MOST_OFFERS or values["heat"] <= 0:
        raise Refused(f"{path}: weights are finite, width is from 1 to {MOST_OFFERS}, and heat above 0")
    mind = records(dtype)
    for name, value in values.items():
        mind[name] = value
    return mind


def write_mind(path: Path, mind: np.ndarray, found: str) -> None:
    """Write a mind with a sentence on how it was found."""
    told = {name: float(f"{float(mind[name][0]):.5g}") for name in mind.dtype.names or ()}
    path.write_text(json.dumps({"found": found, "weights": told}, indent=2) + "\n", encoding="utf-8")


@cache
def shipped_mind(game: str, dtype: np.dtype) -> np.ndarray:
    """The weights that a game's bots play by."""
    mind = read_mind(FOLDER / f"{game}.json", dtype)
    mind.flags.writeable = False
    return mind

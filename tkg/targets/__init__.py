"""Looking for a variant that is as one wants it: a target of measured terms, and a search over knobs, readings and decks.

`terms` reads what is wanted, `measuring` tells how far games are from it, `space` says what may be varied, `race` plays
variants as long as they may still be the best, `search` looks for them, and `tuned` tells in words what came of it.
"""

from tkg.targets.search import tune
from tkg.targets.terms import Term, read_target
from tkg.targets.tuned import Tuned

__all__ = ["Term", "Tuned", "read_target", "tune"]

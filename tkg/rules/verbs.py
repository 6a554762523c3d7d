"""The verbs that every game gives, with one meaning and one order of arguments.

A *state* and a *variant* are NumPy records of the game's own dtypes, an *action* is one integer, seats count from 0.
All are unchecked: `tkg.Game` is the safe face.
"""

from tkg.rules.kernel import verb

start = verb("start", "state, variant, seed, tape")
"""Set up to the first decision. `seed` feeds chance; `tape` is read or written (`rules.chance`)."""

count = verb("count", "state, variant")
"""How many options the decision at hand has; 0 at the end."""

nth = verb("nth", "state, variant, k")
"""The k-th option, in a fixed order, as an action."""

play = verb("play", "state, variant, action, tape")
"""Carry out an action and what follows from it, up to the next decision."""

outcome = verb("outcome", "state, variant, payoffs")
"""0 while the game is on, else an index into the game's ENDINGS; fills in every seat's payoff at the end."""

result = verb("result", "state, variant, out")
"""Fill a record of the game's RESULT dtype."""

seat = verb("seat", "state")
"""Who decides."""

kind = verb("kind", "state")
"""The kind of the decision at hand, an index into the game's KINDS."""

hide = verb("hide", "state, variant, seat, key")
"""Deal anew, from `key`, what the seat cannot know: alike for all positions that it cannot tell apart."""

reopen = verb("reopen", "state, variant")
"""Begin decisions anew that are made in secret at the same time, so that none is known when the others are made."""

sight = verb("sight", "state, variant")
"""A hash of what the seat that decides knows of the position: alike for positions that it cannot tell apart.

Of those that follow from one position at once no others are alike. Positions that differ in what a seat was dealt long
ago may be, where it has the same options in both: so a search learns what other seats do whatever they hold.
"""

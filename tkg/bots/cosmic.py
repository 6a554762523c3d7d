"""Bots of Cosmic Alignments."""

import numpy as np

from tkg.rules.cosmic import CAPTURE, DRAFT, HAND, OCCUPY, TAKE, count_drafts, nth
from tkg.rules.kernel import kernel, spliced

# --- Styles ---------------------------------------------------------------------------------------------------

STYLES = ("only-occupy", "only-capture", "rich-draft")
ONLY_OCCUPY, ONLY_CAPTURE, RICH_DRAFT = 1, 2, 3


@kernel
def restrict(state, variant, style):
    """`only-occupy` and `only-capture` take a tile in that way where both are possible; `rich-draft` drafts a tile with most insignias."""
    if state.phase == TAKE and style != RICH_DRAFT:
        state.takes = OCCUPY if style == ONLY_OCCUPY else CAPTURE
        state.options = 1
    elif state.phase == DRAFT and style == RICH_DRAFT:
        most = 0
        richest = 0
        for i in range(HAND):
            if state.takes >> i & 1:
                weight = np.int64(variant.weight[state.hands[state.drafted, i]])
                if weight > most or richest == 0:
                    most, richest = weight, 0
                richest |= np.int64(weight == most) << i
        state.takes = richest
        count_drafts(state, variant)


# --- By name --------------------------------------------------------------------------------------------------

NAMES = ()


@spliced
def pick(state, variant, bot, style, key, work):
    """The choice of the bot that stands at this place in NAMES."""
    return nth(state, variant, 0)

"""Bots of Umbra Via."""

from tkg.rules.kernel import kernel, spliced
from tkg.rules.umbra import BID, keep_form, nth

# --- Styles ---------------------------------------------------------------------------------------------------

STYLES = ("spread", "lump")  # in the order of the forms of a bid


@kernel
def restrict(state, variant, style):
    """`spread` bids a flower a tile as far as the tiles go, `lump` bids all flowers on one."""
    if state.phase == BID:
        keep_form(state, variant, style)


# --- By name --------------------------------------------------------------------------------------------------

NAMES = ()


@spliced
def pick(state, variant, bot, style, key, work):
    """The choice of the bot that stands at this place in NAMES."""
    return nth(state, variant, 0)

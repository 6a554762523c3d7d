"""Variants side by side: two of them in all measures, or one with every sentence of its rules read otherwise.

`playing` says who sits at the tables and what a variant may be given as, `variants` compares two, `sentences` goes through
the readings of one, `words` tells amounts.
"""

from tkg.comparing.sentences import readings
from tkg.comparing.variants import compare

__all__ = ["compare", "readings"]

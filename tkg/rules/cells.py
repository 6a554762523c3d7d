"""Names of cells and places: letters in reading order."""

from functools import cache
from string import ascii_uppercase


@cache
def cell_names(n: int, without: str = "") -> tuple[str, ...]:
    """The first `n` of A, B, ... Z, AA, AB, ...; letters in `without` are left out of every place."""
    letters = [c for c in ascii_uppercase if c not in without]
    double = [a + b for a in letters for b in letters]
    return tuple((letters + double)[:n])

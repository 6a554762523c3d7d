"""Small sets of cells as bits of a mask."""

from collections.abc import Iterable

import numpy as np

from tkg.rules.kernel import kernel


def bits(numbers: Iterable[int]) -> int:
    """A set of small numbers as a mask."""
    return sum(1 << n for n in set(numbers))


@kernel
def count_bits(mask):
    """How many bits of a 32-bit mask are set: the pairs, fours and bytes added up side by side."""
    x = np.int64(mask)
    x = x - ((x >> 1) & 0x55555555)
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F
    return ((x * 0x01010101) & 0xFFFFFFFF) >> 24


@kernel
def nth_bit(mask, k):
    """The place of the k-th set bit, from 0."""
    x = np.int64(mask)
    for _ in range(k):
        x &= x - 1
    return count_bits((x & -x) - 1)


@kernel
def count_wide(mask):
    """How many bits are set, of a mask of up to 62."""
    x = np.int64(mask)
    x = x - ((x >> 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    x = x + (x >> 8)
    x = x + (x >> 16)
    return (x + (x >> 32)) & 127


@kernel
def nth_wide(mask, k):
    """The place of the k-th set bit, from 0, of a mask of up to 62."""
    x = np.int64(mask)
    for _ in range(k):
        x &= x - 1
    return count_wide((x & -x) - 1)

"""Reading numbers that people type."""

import numbers


def whole(value: object) -> int | None:
    """`value` as an int if it is a whole number (3, 3.0, numpy's 3), else None. True and '3' are none."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return None
    if isinstance(value, numbers.Integral):
        return int(value)
    number = float(value)
    return int(number) if number.is_integer() else None

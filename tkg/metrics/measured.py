"""What is said of a measure that has no meaning for some games."""

from tkg.rules.errors import Refused


class NotMeasured(Refused):
    """A measure that means nothing for these games, or that a table like this cannot tell: `NAME: why`."""

    @property
    def reason(self) -> str:
        """Why, without the name of the measure."""
        return str(self).partition(": ")[2]

"""The one error that is a user's slip and not a fault of the program."""


class Refused(ValueError):
    """Input that cannot be used: the message says what is wrong, where, and what would be right."""

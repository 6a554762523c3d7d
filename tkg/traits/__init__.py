"""What may go with winning: for each game what its deals and its play are like, in numbers. `playing` makes the table; one file a game says what."""

"""`tkg.browse`: a chart of single games; a click on a point puts that game on a board."""

from __future__ import annotations

from html import escape
from typing import Any

import ipywidgets as widgets
import polars as pl

from tkg import charts
from tkg.boards.board import board
from tkg.boards.still import PanelWithBoard
from tkg.bulk import game_of
from tkg.charts.basic import PICK
from tkg.rules.errors import Refused
from tkg.rules.numbers import whole

MOST = 2_000  # points that a chart can carry without becoming slow
LEFT_OUT = ("run", "game_seed", "game", "row")


class Browser(PanelWithBoard):
    """Two columns of a table of games against each other. `board` is the board of the point clicked last, None before."""

    def __init__(self, runs: pl.DataFrame | pl.LazyFrame, x: str | None = None, y: str | None = None, most: int = MOST):
        wanted = whole(most)
        if wanted is None or wanted < 1:
            raise Refused(f"most={most!r}: a whole number of points from 1")
        self.runs = runs
        rows = runs.lazy().with_row_index("row").collect()
        self.columns = [
            name
            for name, kind in rows.schema.items()
            if kind.is_numeric() and name not in LEFT_OUT and rows[name].n_unique() > 1
        ]
        for name in filter(None, (x, y)):
            if name not in self.columns:
                raise Refused(f"{name!r} is no column of numbers that differ; there are {', '.join(self.columns)}")
        if len(self.columns) < 2:
            raise Refused("the table has fewer than two columns of numbers that differ, so there is nothing to chart")
        # every k-th, so that the same games are shown however often it is looked at
        step = -(-len(rows) // wanted)
        self.rows = rows.gather_every(step)
        first = x or next(name for name in ("decisions", *self.columns) if name in self.columns and name != y)
        second = y or next(
            name for name in ("points", "margin", *self.columns) if name in self.columns and name != first
        )
        self.x = widgets.Dropdown(options=self.columns, value=first, description="across")
        self.y = widgets.Dropdown(options=self.columns, value=second, description="up")
        thinned = f"every {step}th row of {len(rows):,}" if step > 1 else f"{len(rows):,} rows"
        self.says = widgets.HTML(f"<small>{thinned}; a click on a point puts its game on a board</small>")
        self.drawn = widgets.VBox()
        for choice in (self.x, self.y):
            choice.observe(lambda _: self._draw(), "value")
        super().__init__([widgets.HBox([self.x, self.y]), self.drawn, self.says])
        self._draw()

    def _draw(self) -> None:
        colour = "bot" if "bot" in self.rows.columns else None
        chart = charts.games(self.rows, self.x.value, self.y.value, colour)
        self.drawn.children = [charts.live(chart, PICK, self.pick)]

    def pick(self, values: list[dict[str, Any]]) -> None:
        """Put the game of the first point of a selection on the board."""
        if not values:
            return
        row = int(values[0]["row"])
        try:
            made = board(game_of(self.runs, row), log=False)
        except Refused as error:
            self.says.value = f"<b>Refused:</b> {escape(str(error))}"
            return
        told = self.runs.lazy().slice(row, 1).collect().row(0, named=True)
        self.says.value = f"<small>row {row}: {escape(str(told['variant']))}, seed {told['game_seed']}</small>"
        self.put_on(made)


def browse(runs: pl.DataFrame | pl.LazyFrame, x: str | None = None, y: str | None = None, most: int = MOST) -> Browser:
    """A chart of the single games of a table; click a point, and its game is on a board, to be looked at and played on.

    `runs` is what `tkg.simulate` or `tkg.sweep` gives, eager or lazy; `x` and `y` are two of its columns of numbers, to be
    changed in the panel. Of more than `most` rows every k-th is shown.
    """
    return Browser(runs, x, y, most)

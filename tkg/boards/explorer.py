"""Vary one knob, run, see the chart, export it."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

import ipywidgets as widgets
import polars as pl

from tkg import charts, metrics
from tkg.boards.controls import LABELS, WIDE, VariantPanel
from tkg.bots.table import BOTS
from tkg.rules.errors import Refused
from tkg.rules.knobs import DeckKnob, Declaration, Number, Reading, Variant
from tkg.rules.numbers import whole
from tkg.rules.tiles import deck_names
from tkg.studies import around, play_cells, shown_value

MANY = 8  # values of a knob up to which all are tried


def usual_values(declared: Declaration) -> list[str]:
    """Values of a knob worth trying, as text: all of them if they are few, else seven round the default."""
    if isinstance(declared, Reading):
        return [declared.text(option) for option in declared.options]
    if isinstance(declared, DeckKnob):
        return deck_names()
    if isinstance(declared, Number) and isinstance(declared.high, int) and declared.high - declared.low < MANY:
        return [str(n) for n in range(declared.low, declared.high + 1)]
    return [str(n) for n in sorted({max(declared.low, round(declared.default * k / 5)) for k in range(1, 8)})]


class Explorer(widgets.VBox):
    """A panel: the variant to start from, the knob to vary and its values, bots and games; run, look, export.

    After a run `table` holds the small table behind the chart and `chart` the Altair chart; `failure` says what was
    refused, if anything was.
    """

    def __init__(self, game: str, games: int = 500, seed: int = 1, folder: str | Path = "out"):
        shape: dict[str, Any] = {"style": LABELS, "layout": widgets.Layout(width=WIDE)}
        self.folder = Path(folder)
        self.panel = VariantPanel(game)
        self.declared = {d.name: d for d in self.panel.rules.DECLARED if len(usual_values(d)) > 1}
        self.vary = widgets.Dropdown(options=list(self.declared), description="vary", **shape)
        self.values = widgets.Text(description="values", continuous_update=False, **shape)
        self.bots = widgets.SelectMultiple(
            options=BOTS[game], value=BOTS[game][:1], rows=3, description="bots", **shape
        )
        self.games = widgets.IntText(games, description="games a value", **shape)
        self.seed = widgets.IntText(seed, description="seed", **shape)
        self.run_button = widgets.Button(description="Run", button_style="primary", icon="play")
        self.export_button = widgets.Button(description="Export chart", icon="download", disabled=True)
        self.says = widgets.HTML()
        self.progress = widgets.Output()
        self.shown = widgets.HTML()
        self.table: pl.DataFrame | None = None
        self.chart: Any = None
        self.varied = ""
        self.failure = ""
        self.vary.observe(self._suggest, "value")
        self.run_button.on_click(lambda _: self.run())
        self.export_button.on_click(lambda _: self.export())
        self._suggest()
        study = widgets.VBox([self.vary, self.values, self.bots, self.games, self.seed])
        buttons = widgets.HBox([self.run_button, self.export_button])
        super().__init__([widgets.HBox([self.panel, study]), buttons, self.says, self.progress, self.shown])

    def _suggest(self, _: object = None) -> None:
        declared = self.declared[self.vary.value]
        self.values.value = "; ".join(usual_values(declared))

    def _cells(self) -> list[tuple[dict[str, Any], Variant]]:
        if self.panel.variant is None:
            raise Refused("the variant to start from is refused; see above")
        declared = self.declared[self.vary.value]
        texts = [text.strip() for text in self.values.value.split(";") if text.strip()]
        if not texts:
            raise Refused(f"values: at least one value of {declared.name} is needed, separated by semicolons")
        found = around(self.panel.variant, {declared.name: [declared.parse(t) for t in texts]})
        return [({declared.name: shown_value(v, declared.name)}, v) for _, v in found]

    def run(self) -> None:
        """Play the study that the controls describe, and show its chart."""
        self.failure, self.export_button.disabled = "", True
        name = self.vary.value
        try:
            cells = self._cells()
            if not self.bots.value:
                raise Refused("bots: choose at least one")
            games = whole(self.games.value) or 0
            self.says.value = f"playing {len(cells) * len(self.bots.value) * games} games ..."
            with self.progress:
                played = play_cells(cells, self.bots.value, games, self.seed.value, progress=True)
            self.progress.clear_output()
        except Refused as error:
            self.failure = str(error)
            self.says.value = f"<b>Refused:</b> {escape(self.failure)}"
            return
        self.varied = name
        self.table = metrics.win_share(played, [name, "bot"])
        self.chart = charts.win_share(played, name)
        self.shown.value = charts.svg_text(self.chart)
        best = self.table.sort("share").row(-1, named=True)
        self.says.value = (
            f"{len(played)} games; the highest win share is {best['share']:.1%} ({best['low']:.1%} to {best['high']:.1%}), "
            f"{escape(best['bot'])} at {name} {escape(str(best[name]))}."
        )
        self.export_button.disabled = False

    def export(self) -> list[Path]:
        """Write the chart as PNG, SVG and PDF and its numbers as CSV and parquet; return the files."""
        if self.chart is None:
            return []
        stem = self.folder / f"{self.panel.rules.NAME}_win_share_by_{self.varied}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            written = charts.save_chart(self.chart, stem, self.table)
        except OSError as error:
            self.failure = f"{stem} cannot be written: {error.strerror}"
            self.says.value = f"<b>Refused:</b> {escape(self.failure)}"
            return []
        self.says.value = "written: " + ", ".join(escape(str(path)) for path in written)
        return written


def explore(game: str, games: int = 500, seed: int = 1, folder: str | Path = "out") -> Explorer:
    """The panel for one game, such as `tkg.explore("rift")`."""
    return Explorer(game, games, seed, folder)

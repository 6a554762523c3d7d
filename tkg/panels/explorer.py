"""Vary one knob, run, see the chart, export it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import ipywidgets as widgets
import polars as pl

from tkg import charts, metrics
from tkg.boards.controls import LABELS, WIDE, VariantPanel
from tkg.bots.table import examples
from tkg.charts.export import FORMATS
from tkg.rules.errors import Refused
from tkg.rules.games import Rules
from tkg.rules.knobs import ByElement, DeckKnob, Declaration, Number, Reading, TileSet, Variant
from tkg.rules.numbers import whole
from tkg.rules.tiles import deck_names
from tkg.studies import around, play_cells, shown_value

MANY = 8  # values of a knob up to which all are tried
MORE_TILES = 3  # of one kind, which is worth a try


def usual_values(declared: Declaration) -> list[str]:
    """Values of a knob worth trying, as text: all of them if they are few, else seven round the default."""
    if isinstance(declared, Reading):
        return [declared.text(option) for option in declared.options]
    if isinstance(declared, DeckKnob):
        return deck_names()
    if isinstance(declared, TileSet):
        more = [declared.default._replace(**{kind: n + MORE_TILES}) for kind, n in declared.default._asdict().items()]
        return [declared.text(tiles) for tiles in (declared.default, *more)]
    if isinstance(declared, Number) and isinstance(declared.high, int) and declared.high - declared.low < MANY:
        return [str(n) for n in range(declared.low, declared.high + 1)]
    return [str(n) for n in sorted({max(declared.low, round(declared.default * k / 5)) for k in range(1, 8)})]


WIN = "win share"


def measures_of(rules: Rules) -> list[str]:
    """What can be looked at: win share, shares of endings, and every whole number of the result that all seats share."""
    endings = [f"ending {word}" for word in rules.WORDS.get("ending", ()) if word]
    left_out = {"win", "winners", "ending", *rules.BY_SEAT, *rules.MASKS}
    return [WIN, *endings, *(name for name in rules.RESULT.names if name not in left_out), "decisions"]


class Explorer(widgets.VBox):
    """A panel: the variant to start from, the knob to vary and its values, bots and games; run, look, export.

    In a game for one, bots play by themselves on the same deals; in a game of several seats one bot sits in all of
    them, or as many bots as there are seats play together, seats rotated.

    After a run `table` holds the small table behind the chart and `chart` the Altair chart; `failure` says what was
    refused, if anything was.
    """

    def __init__(self, game: str, games: int = 500, seed: int = 1, folder: str | Path = "out"):
        shape: dict[str, Any] = {"style": LABELS, "layout": widgets.Layout(width=WIDE)}
        self.folder = Path(folder)
        self.panel = VariantPanel(game)
        self.declared = {d.name: d for d in self.panel.rules.DECLARED if len(usual_values(d)) > 1}
        self.measure = widgets.Dropdown(options=measures_of(self.panel.rules), description="look at", **shape)
        self.vary = widgets.Dropdown(options=list(self.declared), description="vary", **shape)
        self.values = widgets.Text(description="values", continuous_update=False, **shape)
        self.bots = widgets.SelectMultiple(
            options=examples(game), value=examples(game)[:1], rows=3, description="bots", **shape
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
        study = widgets.VBox([self.measure, self.vary, self.values, self.bots, self.games, self.seed])
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
            alone = self.panel.variant is not None and self.panel.variant.seats == 1
            bots = list(self.bots.value) if alone else [",".join(self.bots.value)]
            self.says.value = f"playing {len(cells) * len(bots) * games} games ..."
            with self.progress:
                played = play_cells(cells, bots, games, self.seed.value, progress=True)
            self.progress.clear_output()
        except Refused as error:
            self.failure = str(error)
            self.says.value = f"<b>Refused:</b> {escape(self.failure)}"
            return
        self.varied = name
        self.table, value = self._small_table(played, alone)
        self.shown.value = charts.svg_text(self.chart)
        best = self.table.sort(value).row(-1, named=True)
        who = f"seat {best['seat']} " if "seat" in best else f"{best.get('bot', '')} ".lstrip()
        ends = (value, "low", "high") if best["low"] is not None else (value,) * 3
        told = [f"{best[c]:.1%}" if value == "share" else f"{best[c]:.4g}" for c in ends]
        self.says.value = (
            f"{len(cells) * len(bots) * games} games; the highest {self.measure.value.replace('_', ' ')} is {told[0]} ({told[1]} to {told[2]}), "
            f"{escape(who)}at {name} {escape(str(best[name]))}."
        )
        self.export_button.disabled = False

    def _small_table(self, played: pl.DataFrame, alone: bool) -> tuple[pl.DataFrame, str]:
        """(the numbers of what is looked at, the column that holds them); the chart is made of them."""
        name, what = self.varied, self.measure.value
        declared = self.declared[name]
        counted = isinstance(declared, Number | ByElement)
        words = {name: f"{name.replace('_', ' ')} ({declared.unit})"} if counted else {}
        if what == WIN:
            lonely = not alone and played["bot"].n_unique() == 1
            self.chart = charts.win_share(played, name, titles=words)
            return metrics.win_share(played, [name, "seat" if lonely else "bot"]), "share"
        rows = played if alone else played.filter(pl.col("seat") == 1)
        keys = [name, "bot"] if alone else [name]
        column = f"{what}_result" if f"{what}_result" in rows.columns else what  # where it shares the axis's name
        if what.startswith("ending ") or rows[column].dtype == pl.Boolean:
            is_so = (
                pl.col("ending").cast(pl.String) == what.removeprefix("ending ")
                if what.startswith("ending ")
                else pl.col(column)
            )
            table, value = metrics.share(rows.with_columns(is_so.alias("_is")), "_is", keys), "share"
        else:
            table, value = metrics.numbers(rows, [column], keys, quantiles=()).drop("number"), "mean"
        draw = charts.lines if table[name].dtype.is_numeric() else charts.dots
        words |= {value: f"share of games: {what}" if value == "share" else what.replace("_", " ")}
        self.chart = draw(table, name, value, colour="bot" if alone else None, titles=words, is_share=value == "share")
        return table, value

    def export(self, formats: Sequence[str] = FORMATS) -> list[Path]:
        """Write the chart as PNG, SVG, PDF and HTML, or some of these, and its numbers as CSV and parquet; return the files."""
        if self.chart is None:
            return []
        what = self.measure.value.replace(" ", "_")
        stem = self.folder / f"{self.panel.rules.NAME}_{what}_by_{self.varied}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            written = charts.save_chart(self.chart, stem, self.table, formats)
        except OSError as error:
            self.failure = f"{stem} cannot be written: {error.strerror}"
            self.says.value = f"<b>Refused:</b> {escape(self.failure)}"
            return []
        self.says.value = "written: " + ", ".join(escape(str(path)) for path in written)
        return written


def explore(game: str, games: int = 500, seed: int = 1, folder: str | Path = "out") -> Explorer:
    """The panel for one game, such as `tkg.explore("rift")`."""
    return Explorer(game, games, seed, folder)

"""A question about one variant beside its controls: a quick run follows them, a long one is a button away."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import ipywidgets as widgets
import polars as pl

from tkg import charts
from tkg.boards.controls import control_for, value_in
from tkg.bulk import check_games
from tkg.rules.errors import Refused, did_you_mean
from tkg.rules.knobs import Variant

QUICK, LONG = 100, 4000  # games, as `ask` counts them


class Answer(NamedTuple):
    """What was found: an Altair chart, the small table behind it, and a sentence computed from that table."""

    chart: Any
    table: pl.DataFrame
    words: str


class Tryout(widgets.VBox):
    """Controls of some knobs, the answer to a question about the variant that they make, and two buttons.

    Moving a control asks anew with `quick` games, the first button with `long`; what was asked once is kept, and a long
    answer is not asked again with fewer games. The second button writes the chart (PNG, SVG, PDF, HTML) and its table
    (CSV, parquet) under `stem`.

    `answer` is the last `Answer`, None before the first; `variant` is what the controls say, None while it is refused;
    `failure` says what was refused last, and is empty after an answer.
    """

    def __init__(
        self,
        ask: Callable[[Variant, int], Any],
        variant: Variant,
        vary: Sequence[str] | Mapping[str, Any],
        *,
        quick: int = QUICK,
        long: int = LONG,
        stem: str | Path,
    ):
        self.ask, self.base, self.stem = ask, variant, Path(stem)
        self.quick, self.long = check_games(quick), check_games(long)
        self.declared = {d.name: d for d in variant.rules.DECLARED}
        own = vary if isinstance(vary, Mapping) else dict.fromkeys(vary)
        if not own:
            raise Refused("vary: give at least one knob to move, such as vary=['supply']")
        for name in own:
            if name not in self.declared:
                raise Refused(
                    f"vary: {variant.game} has no knob {name!r}{did_you_mean(str(name), list(self.declared))}"
                )
        self.controls = {name: control or self._control(name) for name, control in own.items()}
        self.long_button = widgets.Button(
            description=f"Long run ({self.long:,} games)", button_style="primary", icon="play", layout={"width": "auto"}
        )
        self.export_button = widgets.Button(description="Export chart", icon="download", disabled=True)
        self.says, self.words, self.shown = widgets.HTML(), widgets.HTML(), widgets.HTML()
        self.progress = widgets.Output()
        self.answers: dict[Variant, tuple[int, Answer]] = {}
        self.answer: Answer | None = None
        self.variant: Variant | None = None
        self.failure = ""
        for control in self.controls.values():
            control.observe(lambda _: self.run(), "value")
        self.long_button.on_click(lambda _: self.run(self.long))
        self.export_button.on_click(lambda _: self.export())
        buttons = widgets.HBox([self.long_button, self.export_button])
        super().__init__([*self.controls.values(), buttons, self.says, self.progress, self.shown, self.words])
        self.run()

    def _control(self, name: str) -> Any:
        """The usual control of a knob, where the variant to start from has it."""
        declared, value = self.declared[name], self.base[name]
        control = control_for(declared)
        if isinstance(control, widgets.Text):
            control.value = declared.text(value)
        else:  # a deck stands in its list by name
            control.value = getattr(value, "name", value)
        return control

    def _settings(self) -> dict[str, Any]:
        return {name: value_in(self.declared[name], control) for name, control in self.controls.items()}

    def run(self, games: int | None = None) -> None:
        """Ask about the variant of the controls with `games` games, `quick` of them unless said, and show the answer."""
        number = games or self.quick
        self.failure = ""
        try:
            self.variant = None
            self.variant = variant = self.base.but(**self._settings())
            played, answer = self.answers.get(variant, (0, None))
            if answer is None or played < number:
                self.says.value = f"playing {escape(str(variant))} ..."
                with self.progress:
                    answer = Answer(*self.ask(variant, number))
                self.progress.clear_output()
                self.answers[variant] = played, answer = number, answer
        except Refused as error:
            self._refuse(str(error))
            return
        except KeyboardInterrupt:
            self._refuse("stopped; the last answer stays", "")
            return
        self.answer = answer
        self.shown.value = charts.svg_text(answer.chart)
        self.words.value = f"<p>{escape(answer.words)}</p>"
        told = [f"<code>{escape(str(variant))}</code>", f"{played:,} games"]
        self.says.value = " · ".join([*told, *map(escape, variant.warnings)])
        self.export_button.disabled = False

    def _refuse(self, words: str, kind: str = "<b>Refused:</b> ") -> None:
        self.progress.clear_output()
        self.failure = words
        self.says.value = kind + escape(words)

    def export(self) -> list[Path]:
        """Write the chart that is shown and its table; return the files."""
        if self.answer is None:
            return []
        try:
            self.stem.parent.mkdir(parents=True, exist_ok=True)
            written = charts.save_chart(self.answer.chart, self.stem, self.answer.table)
        except OSError as error:
            self._refuse(f"{self.stem} cannot be written: {error.strerror}")
            return []
        self.says.value = "written: " + ", ".join(escape(str(path)) for path in written)
        return written


def tryout(
    ask: Callable[[Variant, int], Any],
    variant: Variant,
    vary: Sequence[str] | Mapping[str, Any],
    *,
    quick: int = QUICK,
    long: int = LONG,
    stem: str | Path,
) -> Tryout:
    """A panel that answers a question while its controls are moved.

    `ask(variant, games)` plays and returns a chart, the table behind it and a sentence; `vary` names the knobs and
    readings to have controls for, or gives each a widget of one's own whose `value` the knob takes, such as a
    `tkg.deck_editor`. `quick` games follow every move, `long` ones the button. `stem` is the path of the exported files
    without their endings. Refuses (`Refused`) a name that is no knob of the variant's game.

        >>> def ask(variant, games):
        ...     found = metrics.win_share(tkg.simulate(variant, "greedy", games), "bot")
        ...     return charts.dots(found, "bot"), found, f"greedy wins {found['share'][0]:.0%}"
        >>> tkg.tryout(ask, tkg.rift(), ["supply", "side"], stem="out/supply")
    """
    return Tryout(ask, variant, vary, quick=quick, long=long, stem=stem)

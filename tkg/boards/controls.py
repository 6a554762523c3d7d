"""A control for every knob and reading, made from its declaration."""

from __future__ import annotations

from html import escape
from typing import Any

import ipywidgets as widgets

from tkg.rules.errors import Refused
from tkg.rules.games import rules_of
from tkg.rules.knobs import ByElement, DeckKnob, Declaration, Number, Reading, Variant
from tkg.rules.tiles import deck_names

LABELS = {"description_width": "110px"}
WIDE = "360px"


def control_for(declared: Declaration) -> Any:
    """The widget that sets one knob or reading."""
    common = {"description": declared.name, "tooltip": f"{declared.meaning} ({declared.range_text()} {declared.unit})"}
    shape = {"style": LABELS, "layout": widgets.Layout(width=WIDE)}
    if isinstance(declared, Number):
        high = declared.high if isinstance(declared.high, int) else declared.default
        fixed = declared.low == declared.high
        return widgets.IntSlider(
            declared.default, declared.low, high, continuous_update=False, disabled=fixed, **common, **shape
        )
    if isinstance(declared, DeckKnob):
        return widgets.Dropdown(options=deck_names(), value=declared.default, **common, **shape)
    if isinstance(declared, Reading):
        options = [(declared.text(o), o) for o in declared.options]
        return widgets.Dropdown(options=options, value=declared.default, **common, **shape)
    return widgets.Text(declared.text(declared.default), continuous_update=False, **common, **shape)


def value_in(declared: Declaration, control: Any) -> Any:
    """What a widget says, as the variant takes it: one of `control_for`, or any other whose `value` the knob takes."""
    typed = isinstance(declared, ByElement) and isinstance(control.value, str)
    return declared.parse(control.value) if typed else control.value


class VariantPanel(widgets.VBox):
    """Controls for every knob and reading of a game; `variant` is what they say, None while it is refused.

    Below them stand the variant as a string, its warnings, or why it is refused.
    """

    def __init__(self, game: str):
        self.rules = rules_of(game)
        self.controls = {d.name: control_for(d) for d in self.rules.DECLARED}
        self.says = widgets.HTML()
        knobs = [self.controls[d.name] for d in self.rules.DECLARED if not isinstance(d, Reading)]
        readings = [self.controls[d.name] for d in self.rules.DECLARED if isinstance(d, Reading)]
        folded = widgets.Accordion([widgets.VBox(readings)], titles=("Readings of the rules",), selected_index=None)
        super().__init__([*knobs, folded, self.says])
        self.variant: Variant | None = None
        for declared in self.rules.DECLARED:
            if isinstance(declared, Number) and isinstance(declared.high, str):
                self._follow(self.controls[declared.name], self.controls[declared.high])
        for control in self.controls.values():
            control.observe(self._read, "value")
        self._read()

    def _follow(self, slider: Any, bound: Any) -> None:
        """Let a slider reach as far as the knob that bounds it says."""
        slider.max = bound.value
        bound.observe(lambda change: setattr(slider, "max", change["new"]), "value")

    def _read(self, _: object = None) -> None:
        try:
            settings = {d.name: value_in(d, self.controls[d.name]) for d in self.rules.DECLARED}
            self.variant = Variant(self.rules, **settings)
        except Refused as error:
            self.variant = None
            self.says.value = f"<b>Refused:</b> {escape(str(error))}"
            return
        lines = [
            f"<code>{escape(str(self.variant))}</code>",
            *map(escape, [*self.variant.warnings, *self.variant.notes]),
        ]
        self.says.value = "<br>".join(lines)

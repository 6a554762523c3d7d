"""The house style, in light and dark."""

from __future__ import annotations

from typing import Any

import altair as alt

FONT = 'system-ui, "DejaVu Sans", sans-serif'
LIGHT = {
    "ink": "#35322c",
    "soft": "#6f695d",
    "line": "#d8d1c1",
    "ground": "#fffdf8",
    "mark": "#0072B2",
    "category": ["#0072B2", "#D55E00", "#6b6b6b", "#009E73", "#8f3f80", "#b07d00"],
    "ramp": ["#f2efe6", "#a9cfe3", "#3f97c4", "#005a8d", "#00304d"],
    "diverging": ["#8a3a00", "#d98a4f", "#f2efe6", "#6fb1d3", "#005a8d"],
}
DARK = {
    "ink": "#e8e6e1",
    "soft": "#a4adb7",
    "line": "#3d444e",
    "ground": "#22262c",
    "mark": "#56B4E9",
    "category": ["#56B4E9", "#ff9152", "#b3b3b3", "#3fd0a4", "#e9a3d3", "#f0c95a"],
    "ramp": ["#2d333b", "#2a4658", "#235e80", "#1b74a6", "#1284c0"],
    "diverging": ["#b8571b", "#6d4630", "#2d333b", "#2a5068", "#1b74a6"],
}
OWN = ("ink", "soft", "ground", "mark")  # colours that charts set themselves, which an export in dark puts right
SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"]
HEIGHT = 300  # of a chart with numbers on both axes, in pixels
LABEL = 12  # size of what is written


def config(colours: dict[str, Any]) -> dict[str, Any]:
    """A Vega-Lite config in these colours."""
    axis = {
        "labelColor": colours["soft"],
        "titleColor": colours["ink"],
        "domainColor": colours["line"],
        "tickColor": colours["line"],
        "gridColor": colours["line"],
        "gridOpacity": 0.6,
        "labelFontSize": LABEL,
        "titleFontSize": LABEL,
        "titleFontWeight": 600,
        "labelLimit": 0,  # nothing that is written is cut
        "titleLimit": 0,
    }
    words = {"labelColor": colours["ink"], "titleColor": colours["ink"], "labelFontSize": LABEL, "titleFontSize": LABEL}
    # The title of an upright axis lies flat above it, where it is read without turning the head.
    flat = {"titleAngle": 0, "titleAnchor": "end", "titleBaseline": "bottom", "titleY": -8}
    return {
        "background": colours["ground"],
        "font": FONT,
        "view": {"stroke": None, "continuousWidth": 560, "continuousHeight": HEIGHT, "discreteWidth": 560},
        "axis": axis,
        "axisX": {"grid": False},
        "axisYQuantitative": {**flat, "titleAlign": "left", "titleX": 0},
        "axisYDiscrete": {**flat, "titleAlign": "right", "titleX": -8},
        "legend": {**words, "labelLimit": 0, "titleLimit": 0, "symbolSize": 90, "symbolStrokeWidth": 2},
        "header": {**words, "labelLimit": 0, "titleLimit": 0},
        "title": {
            "color": colours["ink"],
            "anchor": "start",
            "frame": "bounds",
            "fontSize": 14,
            "limit": 0,
            "offset": 12,
            "subtitleColor": colours["soft"],
            "subtitleFontSize": LABEL,
            "subtitlePadding": 4,
        },
        "text": {"color": colours["ink"]},
        "rule": {"color": colours["soft"]},
        "point": {"color": colours["category"][0]},
        "range": {
            "category": colours["category"],
            "ramp": colours["ramp"],
            "diverging": colours["diverging"],
            "heatmap": colours["ramp"],
            "symbol": SHAPES,
        },
        "padding": 12,
    }


def use_theme() -> None:
    """Make the house style Altair's theme, and charts in notebooks pictures, unless somebody has chosen otherwise.

    Altair's own default asks the network for its script, and shows nothing where there is none.
    """

    @alt.theme.register("tkg", enable=True)
    def house() -> alt.theme.ThemeConfig:
        return alt.theme.ThemeConfig({"config": config(LIGHT)})  # type: ignore[misc,typeddict-item]

    if alt.renderers.active == "default":
        alt.renderers.enable("svg")

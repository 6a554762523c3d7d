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
    "category": ["#0072B2", "#D55E00", "#6b6b6b", "#009E73", "#8f3f80", "#b07d00"],
    "ramp": ["#f2efe6", "#a9cfe3", "#3f97c4", "#005a8d", "#00304d"],
}
DARK = {
    "ink": "#e8e6e1",
    "soft": "#a4adb7",
    "line": "#3d444e",
    "ground": "#22262c",
    "category": ["#56B4E9", "#ff9152", "#b3b3b3", "#3fd0a4", "#e9a3d3", "#f0c95a"],
    "ramp": ["#2d333b", "#2a4658", "#235e80", "#1b74a6", "#1284c0"],
}
SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"]


def config(colours: dict[str, Any]) -> dict[str, Any]:
    """A Vega-Lite config in these colours."""
    axis = {
        "labelColor": colours["soft"],
        "titleColor": colours["ink"],
        "domainColor": colours["line"],
        "tickColor": colours["line"],
        "gridColor": colours["line"],
        "gridOpacity": 0.6,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": 600,
        "labelLimit": 260,
    }
    words = {"labelColor": colours["ink"], "titleColor": colours["ink"], "labelFontSize": 12, "titleFontSize": 12}
    return {
        "background": colours["ground"],
        "font": FONT,
        "view": {"stroke": None, "continuousWidth": 560, "continuousHeight": 300, "discreteWidth": 560},
        "axis": axis,
        "axisX": {"grid": False},
        "legend": {**words, "symbolSize": 90, "symbolStrokeWidth": 2},
        "header": words,
        "title": {"color": colours["ink"], "anchor": "start", "fontSize": 14},
        "text": {"color": colours["ink"]},
        "rule": {"color": colours["soft"]},
        "point": {"color": colours["category"][0]},
        "range": {
            "category": colours["category"],
            "ramp": colours["ramp"],
            "heatmap": colours["ramp"],
            "symbol": SHAPES,
        },
        "padding": 12,
    }


def use_theme() -> None:
    """Make the house style Altair's theme."""

    @alt.theme.register("tkg", enable=True)
    def house() -> alt.theme.ThemeConfig:
        return alt.theme.ThemeConfig({"config": config(LIGHT)})  # type: ignore[misc,typeddict-item]

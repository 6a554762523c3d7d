"""Charts as files and as live widgets, without network: vl-convert carries Vega and draws by itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
import vl_convert

from tkg.charts.theme import DARK, LIGHT, config

FORMATS = ("png", "svg", "pdf")
PNG_SCALE = 2


def spec_of(chart: Any, dark: bool = False) -> str:
    """The chart's Vega-Lite specification in the house style."""
    spec = chart.to_dict()
    del spec["config"]
    text = json.dumps(spec, allow_nan=False)
    if dark:  # colours that a chart sets itself, so that what is written on a tile stays readable
        for name in ("ink", "ground"):
            text = text.replace(str(LIGHT[name]), str(DARK[name]))
    return json.dumps({**json.loads(text), "config": config(DARK if dark else LIGHT)})


def svg_text(chart: Any, dark: bool = False) -> str:
    """The chart as SVG, in light or dark."""
    return vl_convert.vegalite_to_svg(spec_of(chart, dark))


def live(chart: Any, selection: str, on_pick: Callable[[list[dict[str, Any]]], None]) -> Any:
    """The chart as a widget; `on_pick` is called with the values of its point selection whenever that changes."""
    alt.JupyterChart.enable_offline()
    shown = alt.JupyterChart(chart)
    shown.selections.observe(lambda change: on_pick(list(change["new"].value)), [selection])
    return shown


def save_chart(chart: Any, stem: str | Path, numbers: pl.DataFrame | None = None) -> list[Path]:
    """Write `stem`.png, .svg and .pdf, and with `numbers` the table behind them as .csv and .parquet."""
    stem = Path(stem)
    spec = spec_of(chart)
    contents: dict[str, bytes] = {
        "png": vl_convert.vegalite_to_png(spec, scale=PNG_SCALE),
        "svg": vl_convert.vegalite_to_svg(spec).encode(),
        "pdf": vl_convert.vegalite_to_pdf(spec),
    }
    written = []
    for ending in FORMATS:
        path = stem.with_name(f"{stem.name}.{ending}")
        path.write_bytes(contents[ending])
        written.append(path)
    if numbers is not None:
        numbers.write_csv(stem.with_name(stem.name + ".csv"))
        numbers.write_parquet(stem.with_name(stem.name + ".parquet"))
        written += [stem.with_name(stem.name + ".csv"), stem.with_name(stem.name + ".parquet")]
    return written

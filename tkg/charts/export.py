"""Charts as files and as live widgets, without network: vl-convert carries Vega and draws by itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
import vl_convert

from tkg.charts.theme import DARK, LIGHT, OWN, config
from tkg.rules.errors import Refused

FORMATS = ("png", "svg", "pdf", "html")
PNG_SCALE = 2


def spec_of(chart: Any, dark: bool = False) -> str:
    """The chart's Vega-Lite specification in the house style."""
    spec = chart.to_dict()
    del spec["config"]
    text = json.dumps(spec, allow_nan=False)
    if dark:  # colours that a chart sets itself, so that what is written on a tile stays readable
        for name in OWN:
            text = text.replace(str(LIGHT[name]), str(DARK[name]))
    return json.dumps({**json.loads(text), "config": config(DARK if dark else LIGHT)})


def description_of(spec: str) -> str:
    """The alternative text of a specification, empty if it has none."""
    return str(json.loads(spec).get("description", ""))


def described(svg: str, words: str) -> str:
    """An SVG that is one picture to a screen reader, with these words."""
    if not words:
        return svg
    told = escape(words, quote=True)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{told}" ', 1)


def svg_text(chart: Any, dark: bool = False) -> str:
    """The chart as SVG, in light or dark, with its alternative text as `aria-label`."""
    spec = spec_of(chart, dark)
    return described(vl_convert.vegalite_to_svg(spec), description_of(spec))


def html_text(chart: Any, title: str, dark: bool = False) -> str:
    """The chart as a page of its own that loads nothing, with tooltips; Vega is in it, so it has almost a megabyte."""
    spec = spec_of(chart, dark)
    colours = DARK if dark else LIGHT
    head = (
        f"<title>{escape(title)}</title><style>body{{background:{colours['ground']}}}</style>"
        f'<meta name="description" content="{escape(description_of(spec), quote=True)}"><link rel="icon" href="data:,">'
    )
    page = vl_convert.vegalite_to_html(spec, bundle=True, renderer="svg")
    return page.replace("<html>", '<html lang="en">', 1).replace("<head>", f"<head>{head}", 1)


def live(chart: Any, selection: str, on_pick: Callable[[list[dict[str, Any]]], None]) -> Any:
    """The chart as a widget; `on_pick` is called with the values of its point selection whenever that changes."""
    alt.JupyterChart.enable_offline()
    shown = alt.JupyterChart(chart)
    shown.selections.observe(lambda change: on_pick(list(change["new"].value)), [selection])
    return shown


def contents_of(chart: Any, ending: str, title: str, dark: bool) -> bytes:
    """The bytes of a file of one format."""
    if ending == "png":
        return bytes(vl_convert.vegalite_to_png(spec_of(chart, dark), scale=PNG_SCALE))
    if ending == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(spec_of(chart, dark)))
    return (html_text(chart, title, dark) if ending == "html" else svg_text(chart, dark)).encode()


def save_chart(
    chart: Any,
    stem: str | Path,
    numbers: pl.DataFrame | None = None,
    formats: Sequence[str] = FORMATS,
    dark: bool = False,
) -> list[Path]:
    """Write `stem`.png, .svg, .pdf and .html, and with `numbers` the table behind them as .csv and .parquet; return the files.

    `formats` may leave some out. With `dark` each stands there once more as `stem`_dark, for a dark page. SVG and HTML
    carry the chart's alternative text, and no file needs the network.
    """
    stem = Path(stem)
    strange = [ending for ending in formats if ending not in FORMATS]
    if strange:
        raise Refused(f"formats: {strange[0]!r} is none of {', '.join(FORMATS)}")
    written = []
    for is_dark in (False, True) if dark else (False,):
        for ending in formats:
            path = stem.with_name(f"{stem.name}{'_dark' if is_dark else ''}.{ending}")
            path.write_bytes(contents_of(chart, ending, stem.name.replace("_", " "), is_dark))
            written.append(path)
    if numbers is not None:
        numbers.write_csv(stem.with_name(stem.name + ".csv"))
        numbers.write_parquet(stem.with_name(stem.name + ".parquet"))
        written += [stem.with_name(stem.name + ".csv"), stem.with_name(stem.name + ".parquet")]
    return written

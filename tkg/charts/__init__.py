"""Charts in one house style: tables of games or small tables with intervals in, `altair.Chart` out.

Importing this module makes the style Altair's theme. Every chart holds aggregated numbers only, draws its
intervals, and tells colours apart by shape as well (palette of Okabe and Ito, 2008).
"""

from tkg.charts.basic import dots, games, heat, ladder, layout, lines, readings, spread, win_share
from tkg.charts.export import live, save_chart, svg_text
from tkg.charts.theme import use_theme

use_theme()

__all__ = [
    "dots",
    "games",
    "heat",
    "ladder",
    "layout",
    "lines",
    "live",
    "readings",
    "save_chart",
    "spread",
    "svg_text",
    "use_theme",
    "win_share",
]

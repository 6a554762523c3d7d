"""Charts in one house style: tables of games or small tables with intervals in, `altair.Chart` out.

Importing this module makes the style Altair's theme. Every chart holds aggregated numbers only, draws its intervals and
says so in a caption, names its series beside their marks wherever they have room, tells colours apart by shape as well
(palette of Okabe and Ito, 2008), and carries a description computed from its table, which exports as alternative text.
`title` gives any of them a title; `titles` gives columns other names, with units. A table without rows, or without a column
that is needed, is refused (`Refused`).
"""

from tkg.charts.basic import dots, games, heat, ladder, layout, lines, readings, spread, win_share
from tkg.charts.export import live, save_chart, svg_text
from tkg.charts.theme import use_theme
from tkg.charts.variants import effects, endings, over_time, panels, pareto

use_theme()

__all__ = [
    "dots",
    "effects",
    "endings",
    "games",
    "heat",
    "ladder",
    "layout",
    "lines",
    "live",
    "over_time",
    "panels",
    "pareto",
    "readings",
    "save_chart",
    "spread",
    "svg_text",
    "use_theme",
    "win_share",
]

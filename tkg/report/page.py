"""Sections as one page."""

from __future__ import annotations

import base64
from html import escape
from importlib import import_module
from pathlib import Path

import polars as pl

from tkg.bulk import check_games, count_workers, version
from tkg.charts import save_chart, svg_text
from tkg.files import whole_folder
from tkg.report.section import Plan, Section
from tkg.rules.chance import check_seed
from tkg.rules.errors import Refused
from tkg.rules.games import GAMES
from tkg.rules.knobs import Variant

PAGE = "index.html"
PICTURES = ("png", "svg", "pdf")
FILES = (*PICTURES, "csv", "parquet")

STYLE = """
:root{color-scheme:light dark;--ink:#35322c;--soft:#6f695d;--line:#d8d1c1;--ground:#f3f1ec;--card:#fffdf8;--link:#005a8d;--warn:#8a3a00}
@media (prefers-color-scheme:dark){:root{--ink:#e8e6e1;--soft:#a4adb7;--line:#3d444e;--ground:#17191d;--card:#22262c;--link:#7cc4ee;--warn:#ffb27a}}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,"DejaVu Sans",sans-serif}
main{max-width:860px;margin:0 auto;padding:28px 20px 60px}
h1{font-size:30px;line-height:1.2;margin:0 0 6px}h2{font-size:24px;margin:44px 0 4px}h3{font-size:18px;margin:0 0 4px}
p{margin:6px 0 12px}a{color:var(--link)}.soft{color:var(--soft);font-size:14px}.warn{color:var(--warn)}
section{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px;margin:18px 0}
nav ol{columns:2;padding-left:20px;font-size:15px}
img{display:block;max-width:100%;height:auto;margin:8px 0}
details{margin-top:8px;font-size:14px}summary{cursor:pointer;color:var(--soft)}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}
th,td{padding:3px 9px;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left}
@media (max-width:600px){nav ol{columns:1}}
"""


def write_report(
    out: str | Path,
    games: int = 2000,
    seed: int = 1,
    workers: int | None = None,
    force: bool = False,
    progress: bool = False,
) -> Path:
    """Play the default study of every game and write the report into a folder; return the page.

    Files of the same names are replaced only with `force`, and only when everything new has been made.
    """
    out = Path(out)
    number = check_games(games)
    if number < 2:
        raise Refused(f"games={games!r}: a report needs at least 2 games a cell, for one tells of no spread")
    plan = Plan(number, check_seed(seed), count_workers(workers), progress)
    with whole_folder(out, PAGE, force) as made:
        write_pages(made, plan)
    return out / PAGE


def write_pages(folder: Path, plan: Plan) -> None:
    """All files of the report."""
    from tqdm.auto import tqdm

    parts = []
    contents = []
    for game, rules in GAMES.items():
        study = import_module(f"tkg.report.{game}")
        own = plan.for_bots_that_cost(study.COST)
        sections = study.sections(own)
        variant = Variant(rules)
        links = "".join(f'<li><a href="#{game}-{s.name}">{escape(s.title)}</a></li>' for s in sections)
        contents.append(f'<p><a href="#{game}"><b>{escape(rules.TITLE)}</b></a></p><ol>{links}</ol>')
        parts.append(f'<h2 id="{game}">{escape(rules.TITLE)}</h2><p class="soft">{own.games} games a cell and bot</p>')
        parts += [f'<p class="warn">{escape(words)}</p>' for words in variant.notes]
        for s in tqdm(sections, unit="chart", desc="charts", disable=not plan.progress):
            save_chart(s.chart, folder / f"{game}_{s.name}", s.numbers, PICTURES)
            parts.append(section_html(game, s))
    head = (
        f"<h1>Balance report</h1><p class='soft'>tkg {version()} · study seed {plan.seed} · every cell and every bot meets the "
        "same deals · intervals at 95%</p>"
    )
    nav = f"<nav>{''.join(contents)}</nav>"
    page = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Balance report</title>'
        f'<link rel="icon" href="data:,"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<style>{STYLE}</style></head><body><main>{head}{nav}{''.join(parts)}</main></body></html>"
    )
    (folder / PAGE).write_text(page, encoding="utf-8")


def inlined(svg: str) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def section_html(game: str, section: Section) -> str:
    """Title, sentence, the chart in light and dark, links to its files, and its numbers folded away."""
    stem = f"{game}_{section.name}"
    links = " · ".join(f'<a href="{stem}.{ending}" download>{ending.upper()}</a>' for ending in FILES)
    light, dark = inlined(svg_text(section.chart)), inlined(svg_text(section.chart, dark=True))
    return (
        f'<section id="{game}-{section.name}"><h3>{escape(section.title)}</h3><p>{escape(section.sentence)}</p>'
        f'<picture><source media="(prefers-color-scheme: dark)" srcset="{dark}">'
        f'<img src="{light}" alt="{escape(section.chart.description, quote=True)}"></picture>'
        f'<p class="soft">{links}</p>'
        f"<details><summary>The numbers behind it</summary>{table_html(section.numbers)}</details></section>"
    )


def table_html(table: pl.DataFrame) -> str:
    def cell(value: object) -> str:
        return f"{value:.4g}" if isinstance(value, float) else escape(str(value))

    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    rows = "".join("<tr>" + "".join(f"<td>{cell(v)}</td>" for v in row) + "</tr>" for row in table.iter_rows())
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'

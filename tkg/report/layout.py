"""The pages of the report as HTML: what opens without network, prints on A4 and reads on a small screen."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import polars as pl

from tkg.metrics.words import listed
from tkg.report.facts import MET, MISSED, MOST, OPEN, Fact, findings, scorecard, summary
from tkg.report.section import Chapter, Section, Study

PICTURES = ("png", "svg", "pdf")
FILES = (*PICTURES, "csv", "parquet")
SMALL_PRINT = 3  # lines below a chart; more are folded away
MARKS = {MET: "\u2713", MISSED: "\u2717", OPEN: "?"}
VERDICT = {
    "skill": "Good and weak players",
    "seats": "Seats",
    "luck": "Luck",
    "minutes": "Length",
    "readings": "What must be settled",
}
RULE = (
    f"The {MOST} that matter most by one rule for all games. First come ideals that are missed, then what readings and knobs change, each by "
    "how far the whole 95% interval lies from the ideal or from making no difference, in margins of 5 points of a share or 5% of "
    "another number; at most one from a chart. Where these are fewer, ideals follow that are met."
)

STYLE = """
:root{--ink:#35322c;--soft:#6f695d;--line:#d8d1c1;--ground:#f3f1ec;--card:#fffdf8;--link:#005a8d;--warn:#8a3a00;--met:#00603f;--missed:#a33a00}
@media screen{:root{color-scheme:light dark}}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e8e6e1;--soft:#a4adb7;--line:#3d444e;--ground:#17191d;--card:#22262c;--link:#7cc4ee;--warn:#ffb27a;--met:#3fd0a4;--missed:#ff9152}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,"DejaVu Sans",sans-serif;overflow-wrap:break-word}
main{max-width:860px;margin:0 auto;padding:28px 20px 60px}
h1{font-size:32px;line-height:1.2;margin:0 0 8px}h2{font-size:23px;line-height:1.3;margin:44px 0 8px}h3{font-size:18px;line-height:1.35;margin:0 0 4px}
p{margin:6px 0 12px}a{color:var(--link)}.soft{color:var(--soft);font-size:14px}.warn{color:var(--warn);font-size:15px}
.lead{font-size:18px}
section,.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px;margin:18px 0}
ol,ul{padding-left:22px;margin:6px 0 12px}li{margin:6px 0}ul.soft li{margin:3px 0}
nav.contents{columns:2;column-gap:32px;font-size:15px}nav.contents div{break-inside:avoid;margin-bottom:10px}nav.contents ul{margin:2px 0}nav.contents li{margin:2px 0}
.chart{overflow-x:auto;margin:8px 0}.chart img{display:block;max-width:100%;height:auto}
details{margin-top:8px;font-size:14px}summary{cursor:pointer;color:var(--soft)}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}
th,td{padding:3px 9px;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left}
table.words{width:100%;font-size:15px}table.words th,table.words td{text-align:left;white-space:normal;vertical-align:top;padding:6px 9px}
.met{color:var(--met);font-weight:600;white-space:nowrap}.missed{color:var(--missed);font-weight:600;white-space:nowrap}.open{color:var(--soft);font-weight:600;white-space:nowrap}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
@media (max-width:600px){main{padding:20px 12px 40px}section,.card{padding:14px 14px}h1{font-size:26px}nav.contents{columns:1}
.chart img{max-width:none;width:max(100%,580px)}table.words{font-size:14px}table.words th,table.words td{padding:5px 6px}}
@page{size:A4;margin:16mm 14mm}
@media print{body{background:#fff;font-size:10.5pt}main{max-width:none;padding:0}section,.card{border:0;border-top:1px solid var(--line);border-radius:0;padding:8px 0;margin:8px 0;background:none}
.chart img{max-height:105mm;width:auto}.chart,tr,li{break-inside:avoid}h1,h2,h3{break-after:avoid}section{break-inside:avoid}
.files,details,.screen{display:none}a{color:inherit;text-decoration:none}h1{font-size:22pt}h2{font-size:15pt;margin-top:18px}h3{font-size:12pt}.lead{font-size:12pt}table.words{font-size:10pt}}
"""


def document(title: str, body: str) -> str:
    """A whole page."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<link rel="icon" href="data:,"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<style>{STYLE}</style></head><body><main>{body}</main></body></html>"
    )


# --- Pieces -------------------------------------------------------------------------------------------------------


def inlined(svg: str) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def items(lines: Iterable[str], kind: str = "ul", name: str = "") -> str:
    """A list of lines that are HTML already."""
    of_class = f' class="{name}"' if name else ""
    return f"<{kind}{of_class}>{''.join(f'<li>{line}</li>' for line in lines)}</{kind}>"


def first_and_rest(sentence: str) -> tuple[str, list[str]]:
    """The first sentence, which stands above a chart, and those that follow, which are set small below."""
    first, *rest = re.split(r"(?<=[.]) (?=[A-Z])", sentence)
    return first, rest


def section_html(game: str, section: Section, light: str, dark: str) -> str:
    """Title, sentence, the chart as SVG in light and dark, small print, links to its files, and its numbers folded away."""
    stem = f"{game}_{section.name}"
    links = " \u00b7 ".join(f'<a href="{stem}.{ending}" download>{ending.upper()}</a>' for ending in FILES)
    first, rest = first_and_rest(section.sentence)
    lines = [escape(line) for line in [*rest, *section.more]]
    shown, folded = lines[:SMALL_PRINT], lines[SMALL_PRINT:]
    small = items(shown, name="soft") if shown else ""
    if folded:
        small += f"<details><summary>More on this</summary>{items(folded)}</details>"
    tables = [("The numbers behind it", section.numbers), *section.beside]
    folds = [
        f"<details><summary>{escape(name.replace('_', ' ').capitalize())}</summary>{table_html(table)}</details>"
        for name, table in tables
    ]
    alt = escape(section.chart.description, quote=True)
    return (
        f'<section id="{section.name}"><h3>{escape(section.title)}</h3><p>{escape(first)}</p>'
        f'<div class="chart" tabindex="0" role="group" aria-label="{escape(section.title, quote=True)}"><picture>'
        f'<source media="screen and (prefers-color-scheme: dark)" srcset="{inlined(dark)}"><img src="{inlined(light)}" alt="{alt}"></picture></div>'
        f'{small}<p class="soft files">{links}</p>{"".join(folds)}</section>'
    )


def table_html(table: pl.DataFrame) -> str:
    def cell(value: object) -> str:
        if value is None:
            return ""
        return f"{value:.4g}" if isinstance(value, float) else escape(str(value))

    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in table.columns)
    rows = "".join("<tr>" + "".join(f"<td>{cell(v)}</td>" for v in row) + "</tr>" for row in table.iter_rows())
    return (
        '<div class="scroll" tabindex="0" role="group" aria-label="Table">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def words_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of words; cells are HTML already."""
    top = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    body = "".join(
        f'<tr><th scope="row">{row[0]}</th>' + "".join(f"<td>{cell}</td>" for cell in row[1:]) + "</tr>" for row in rows
    )
    return (
        '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table class="words">'
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def mark(verdict: str) -> str:
    """A verdict, told apart by sign and word as well as by colour."""
    name = "open" if verdict == OPEN else verdict
    return f'<span class="{name}"><span aria-hidden="true">{MARKS[verdict]}</span> {verdict}</span>'


def upper(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- A game's page ------------------------------------------------------------------------------------------------


def verdict_lines(study: Study) -> list[str]:
    """What a game's verdict says, line by line, each with a link to its chart."""
    by_name = {section.name: section for section in study.sections}
    lines = []
    for name, head in VERDICT.items():
        if name in by_name:
            section = by_name[name]
            told = " ".join(fact.words for fact in section.facts) if name in ("skill", "luck") else ""
            words = told or first_and_rest(section.sentence)[0]
            if name == "readings" and study.settle:
                words += f" To be settled: {listed(study.settle)}."
            lines.append(f'<b>{head}.</b> {escape(words)} <a class="screen" href="#{name}">chart</a>')
    return lines


def score_rows(facts: Iterable[Fact]) -> list[list[str]]:
    return [
        [
            escape(upper(fact.ideal.words)),
            f'{escape(upper(fact.what))} <a href="#{fact.section}">{escape(fact.shown)}</a>',
            mark(fact.verdict),
        ]
        for fact in scorecard(facts)
    ]


def finding_lines(study: Study) -> list[str]:
    titles = {section.name: section.title for section in study.sections}
    return [
        f'<b>{escape(titles[fact.section])}.</b> {escape(fact.words)} <a class="screen" href="#{fact.section}">chart</a>'
        f'<br><span class="soft">{escape(upper(fact.distance))}</span>'
        for fact in findings(study.facts)
    ]


def contents(chapters: Iterable[Chapter]) -> str:
    parts = [
        f"<div><b>{escape(chapter.title)}</b>"
        + items(f'<a href="#{section.name}">{escape(section.title)}</a>' for section in chapter.sections)
        + "</div>"
        for chapter in chapters
    ]
    return f'<nav class="contents screen" aria-label="Charts">{"".join(parts)}</nav>'


def game_page(study: Study, made: str, pictures: Mapping[str, tuple[str, str]]) -> str:
    """Verdict, findings, charts, and the tables behind; `pictures` are charts as SVG in light and dark, by section."""
    game, title = study.variant.game, study.variant.rules.TITLE
    plan = study.plan
    parts = [
        '<p class="soft screen"><a href="index.html">Balance report</a></p>',
        f"<h1>{escape(title)}</h1>",
        f'<p class="soft">{escape(made)} \u00b7 {plan.games:,} games a cell and bot, {plan.chief:,} of greedy players of the game as it is</p>',
        *(f'<p class="warn">{escape(words)}</p>' for words in study.variant.notes),
        f'<h2>Verdict</h2><div class="card"><p class="lead">{escape(summary(title, study.facts, study.settle))}</p>',
        items(verdict_lines(study)) + "</div>",
        '<h2>Against the ideals of this report</h2><div class="card">'
        + words_table(["Ideal", "Found (95% interval)", "Verdict"], score_rows(study.facts)),
        '<p class="soft">Met or missed: the whole interval lies inside the ideal, or outside. Of several numbers for one ideal the '
        "worst is shown.</p></div>",
        f'<h2>Findings</h2><div class="card">{items(finding_lines(study), "ol")}<p class="soft">{escape(RULE)}</p></div>',
        contents(study.chapters),
    ]
    for chapter in study.chapters:
        parts.append(f"<h2>{escape(chapter.title)}</h2>")
        parts += [section_html(game, section, *pictures[section.name]) for section in chapter.sections]
    return document(f"{title}: balance report", "".join(parts))


# --- The overview -------------------------------------------------------------------------------------------------

BOTS = (
    "<b>random</b> knows the number of options and nothing else: a player who knows the rules and plays without a plan.",
    "<b>greedy</b>, here a <b>novice</b>, takes what a weighing of the position puts first, and looks no further.",
    "<b>mcts:N</b> searches: it plays on in its mind N times before each decision. <b>mcts:25</b> is here an <b>expert</b>.",
    "All of them see only what their seat may see; what is hidden is dealt anew in their minds.",
    "They are not people: they do not bluff, bargain, tire or enjoy themselves, and who plays better may find what they do not. A number "
    "of theirs is a question to a playtest, not an answer in its place.",
    "They were tuned on the published rules; under other readings and numbers part of an effect may be theirs.",
)


def overview(studies: Sequence[Study], made: str) -> str:
    """All games at a glance, how the numbers were made, and what bots are."""
    parts = [
        "<h1>Balance report</h1>",
        f'<p class="soft">{escape(made)}</p>',
        '<p class="lead">What many games of bots say of each game: how often good and weak players win, whether seats are fair, how '
        "much is luck, how long it takes, and which sentences of the rules must be settled.</p>",
    ]
    for study in studies:
        title, page = study.variant.rules.TITLE, f"{study.variant.game}.html"
        parts.append(
            f'<section><h3><a href="{page}">{escape(title)}</a></h3><p>{escape(summary(title, study.facts, study.settle))}</p>'
            f'<p class="screen"><a href="{page}">Verdict, findings and {len(study.sections)} charts</a></p></section>'
        )
    parts.append("<h2>At a glance</h2>" + f'<div class="card">{glance(studies)}</div>')
    parts.append("<h2>How the numbers were made</h2>" + items(how_made(studies)))
    parts.append("<h2>What bots are, and what they are not</h2>" + items(BOTS))
    notes = [
        f"<b>{escape(study.variant.rules.TITLE)}.</b> {escape(words)}"
        for study in studies
        for words in study.variant.notes
    ]
    if notes:
        parts.append("<h2>Stand-ins</h2>" + items(notes))
    return document("Balance report", "".join(parts))


def glance(studies: Sequence[Study]) -> str:
    """Ideals by game."""
    cards = [{fact.ideal.words: fact for fact in scorecard(study.facts)} for study in studies]
    ideals = dict.fromkeys(words for card in cards for words in card)
    rows = []
    for words in ideals:
        cells = []
        for study, card in zip(studies, cards, strict=True):
            fact = card.get(words)
            page = f"{study.variant.game}.html"
            cells.append(
                f'{mark(fact.verdict)}<br><a href="{page}#{fact.section}">{escape(fact.shown)}</a>'
                if fact
                else "\u2013"
            )
        rows.append([escape(upper(words)), *cells])
    return words_table(["Ideal", *(study.variant.rules.TITLE for study in studies)], rows)


def how_made(studies: Sequence[Study]) -> list[str]:
    """Seeds, games, intervals."""
    many: Any = [
        f"{escape(s.variant.rules.TITLE)} {s.plan.games:,} a cell and bot, {s.plan.chief:,} of the game as it is"
        for s in studies
    ]
    return [
        f"One seed, {studies[0].plan.seed}, settles every number but those told as measured by a clock; every cell and every bot meets the same deals.",
        f"Games: {'; '.join(many)}. Bots that search think long, so they play fewer deals, as each chart tells.",
        "Shares and means come with 95% intervals; where a chart says that intervals hold together, so do all of them with 95%. Findings are picked "
        "from many numbers, so of those that lie just outside of an ideal some will be chance.",
        "The ideals are this report's yardsticks for a game that is well made; a designer may want others.",
        "Every chart can be had as PNG, SVG and PDF, its numbers as CSV and parquet, from its game's page.",
    ]

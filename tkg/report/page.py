"""The report as a folder: an overview, a page for every game, and its charts as files with the numbers beside them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from tkg.bulk import check_games, count_workers, version
from tkg.charts import save_chart, svg_text
from tkg.files import whole_folder
from tkg.report.layout import PICTURES, game_page, overview
from tkg.report.section import Plan, Study
from tkg.rules.chance import check_seed
from tkg.rules.errors import Refused, did_you_mean
from tkg.rules.games import GAMES

PAGE = "index.html"
CELL_GAMES = 1500  # games of every cell and bot, for which there is time in less than ten minutes on two cores


def write_report(
    out: str | Path,
    games: int = CELL_GAMES,
    seed: int = 1,
    workers: int | None = None,
    force: bool = False,
    progress: bool = False,
    of: Sequence[str] | None = None,
) -> Path:
    """Play the default study of every game and write the report into a folder; return the overview.

    `of` names the games, all unless told. Files of the same names are replaced only with `force`, and only when everything
    new has been made.
    """
    out = Path(out)
    number = check_games(games)
    if number < 2:
        raise Refused(f"games={games!r}: a report needs at least 2 games a cell, for one tells of no spread")
    wanted = list(GAMES) if of is None else list(of)
    for game in wanted:
        if game not in GAMES:
            raise Refused(f"of: there is no game {game!r}; there are {', '.join(GAMES)}{did_you_mean(game, GAMES)}")
    if not wanted:
        raise Refused("of: at least one game is needed")
    plan = Plan(number, check_seed(seed), count_workers(workers), progress)
    with whole_folder(out, PAGE, force) as made:
        write_pages([study_of(game, plan) for game in wanted], made, progress)
    return out / PAGE


def study_of(game: str, plan: Plan) -> Study:
    """A game's study, played."""
    home = import_module(f"tkg.report.{game}")
    study: Study = home.study(plan.for_bots_that_cost(home.COST))
    return study


def write_pages(studies: Sequence[Study], folder: Path, progress: bool = False) -> None:
    """All files of the report."""
    from tqdm.auto import tqdm

    made = f"tkg {version()} \u00b7 seed {studies[0].plan.seed} \u00b7 intervals at 95%"
    (folder / PAGE).write_text(overview(studies, made), encoding="utf-8")
    for study in studies:
        game = study.variant.game
        pictures = {}
        for section in tqdm(study.sections, unit="chart", desc=f"charts of {game}", disable=not progress):
            stem = f"{game}_{section.name}"
            save_chart(section.chart, folder / stem, section.numbers, PICTURES)
            light = (folder / f"{stem}.svg").read_text(encoding="utf-8")
            pictures[section.name] = light, svg_text(section.chart, dark=True)
            for name, table in section.beside:
                table.write_csv(folder / f"{stem}_{name}.csv")
                table.write_parquet(folder / f"{stem}_{name}.parquet")
        (folder / f"{game}.html").write_text(game_page(study, made, pictures), encoding="utf-8")

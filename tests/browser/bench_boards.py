"""How soon boards answer in JupyterLab, measured inside the page; run by `make bench-boards`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

from labs import open_notebook, run_cell, write_notebook
from playwright.sync_api import Browser, sync_playwright
from serving import CHROMIUM, FLAGS, Lab

from tkg.bench.measure import Figure
from tkg.bench.table import line

BOARDS = {
    "rift": "tkg.rift()",
    "cosmic": 'tkg.cosmic(layout="dealt")',
    "cosmic, side 5": 'tkg.cosmic(side=5, layout="dealt")',
    "umbra": "tkg.umbra()",
}
CLICKS = 40
FIRST, CLICK, ANSWER = 1.5, 150, 0.3  # how long it may take: seconds, milliseconds, seconds

# From when the cell is run to when its board is painted.
FIRST_PICTURE = """async (cell) => {
  const boards = () => document.querySelectorAll(".tkg-board[data-seq]").length;
  const before = boards(), began = performance.now();
  const shown = new Promise((done) => {
    const look = () => boards() > before && (observer.disconnect(), requestAnimationFrame(() => done()));
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
  });
  const { commands, shell } = window.jupyterapp;
  shell.currentWidget.content.activeCellIndex = cell;
  commands.execute("notebook:run-cell");
  await shown;
  return performance.now() - began;
}"""
# Clicks so often on something that can be chosen; the time from each click to the new picture, to a bot's answer, and what
# of it the script took.
CLICK_TIMES = """async (clicks) => {
  const board = document.querySelector(".tkg-board"), times = [];
  const until = (fits) => new Promise((done) => {
    if (fits()) return done();
    const observer = new MutationObserver(() => fits() && (observer.disconnect(), done()));
    observer.observe(board, { attributes: true });
  });
  for (let i = 0; i < clicks; i++) {
    const chosen = board.querySelector(".tkg-hit.chosen[data-name^=hand]");
    const targets = [...board.querySelectorAll(".tkg-chip")];
    if (!targets.length) targets.push(...board.querySelectorAll(".tkg-hit.legal:not(.chosen)"));
    if (!targets.length) break;
    const places = chosen ? targets.filter((node) => !node.dataset.name.startsWith("hand")) : [];
    const from = places.length ? places : targets;
    const { seq, move } = board.dataset, began = performance.now();
    from[(i * 7) % from.length].dispatchEvent(new MouseEvent("click", { bubbles: true }));
    await until(() => board.dataset.seq !== seq);
    const picture = performance.now() - began, script = Number(board.dataset.ms);
    await until(() => !board.classList.contains("busy"));
    times.push([picture, script, board.dataset.move - move > 1 ? performance.now() - began - picture : null]);
  }
  return times;
}"""


def figures(browser: Browser, lab: Lab, name: str) -> Iterator[Figure]:
    """What is measured of one board."""
    bots = "" if name == "rift" else ", bots='greedy'"
    cell = f"tkg.board({BOARDS[name]}{bots}, seed=7, pace=0, log=False)"
    write_notebook(lab, "bench.ipynb", "import tkg", cell, cell)
    page = browser.new_page(viewport={"width": 1500, "height": 1100})
    open_notebook(page, lab, "bench.ipynb", run=False)
    run_cell(page, 0)
    yield Figure(f"{name}: first picture, fresh kernel", page.evaluate(FIRST_PICTURE, 1) / 1000, "s")
    yield Figure(f"{name}: first picture", page.evaluate(FIRST_PICTURE, 2) / 1000, "s", FIRST)
    times = page.evaluate(CLICK_TIMES, CLICKS)
    page.close()
    lab.stop_kernels()
    pictures, script, answers = zip(*times, strict=True)
    yield Figure(f"{name}: click to picture, median", median(pictures), "ms", CLICK)
    yield Figure(f"{name}: click to picture, 95% within", quantiles(pictures, n=20)[-1], "ms")
    yield Figure(f"{name}: of it the script, median", median(script), "ms")
    answered = [ms for ms in answers if ms is not None]
    if answered:
        yield Figure(f"{name}: greedy's answer, median", median(answered) / 1000, "s", ANSWER)


def main() -> bool:
    """Measure and print everything; True if no target is missed."""
    good = True
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as player:
        lab = Lab(Path(folder), Path(folder) / "notebooks")
        lab.notebooks.mkdir()
        lab.start()
        try:
            browser = player.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
            for name in BOARDS:
                for figure in figures(browser, lab, name):
                    print(line(figure), flush=True)
                    good &= figure.verdict != "short"
        finally:
            lab.stop()
    return good


if __name__ == "__main__":
    sys.exit(not main())

"""What a user does in JupyterLab: open a notebook, run it, wait for the board."""

from __future__ import annotations

import json
import re
import secrets
from pathlib import Path
from typing import Any

from serving import Lab, Server

import tkg

READY = """async () => { const app = window.jupyterapp; await app.restored;
  const widget = app.shell.currentWidget; await widget.context.ready; await widget.context.sessionContext.ready;
  await widget.context.sessionContext.session.kernel.info; return widget.context.path }"""
RUN = "async () => { await window.jupyterapp.commands.execute('notebook:run-all-cells') }"
BOARD = ".tkg-board"
SHOWN = "() => window.jupyterapp?.shell?.currentWidget?.context"


def write_notebook(server: Server, name: str, *cells: str) -> str:
    """A notebook of code cells, in the folder that the server shows."""
    notebook = {
        "cells": [
            {"cell_type": "code", "id": f"c{i}", "execution_count": None, "metadata": {}, "outputs": [], "source": text}
            for i, text in enumerate(cells)
        ],
        "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (server.notebooks / name).write_text(json.dumps(notebook))
    return name


def open_notebook(page: Any, lab: Lab, name: str, run: bool = True) -> None:
    """Open a notebook in a fresh workspace, once its kernel is up, and run all of it."""
    page.goto(
        f"{lab.url}/lab/workspaces/{secrets.token_hex(4)}/tree/{name}?token={lab.token}", wait_until="domcontentloaded"
    )
    page.wait_for_function(SHOWN)
    page.evaluate(READY)
    if run:
        page.evaluate(RUN)


def run_cell(page: Any, index: int) -> None:
    """Run one cell of the notebook that is shown."""
    page.evaluate(
        """async (index) => { const app = window.jupyterapp; app.shell.currentWidget.content.activeCellIndex = index;
        await app.commands.execute('notebook:run-cell') }""",
        index,
    )


def save(page: Any) -> None:
    page.evaluate("async () => { await window.jupyterapp.commands.execute('docmanager:save') }")


def start(page: Any, lab: Lab, *cells: str, name: str = "play.ipynb") -> None:
    """A notebook with these cells, run; its boards are there when this returns."""
    write_notebook(lab, name, *cells)
    open_notebook(page, lab, name)
    page.wait_for_selector(f"{BOARD}[data-seq]")


def logged(server: Server) -> Path:
    return server.home / "playtests"


def played(server: Server, who: str, game: str) -> tuple[dict[str, Any], tkg.Game]:
    """(the row of the log's table of games, the game replayed from its record) of the last game that this person played."""
    found = tkg.playtests(logged(server))
    assert found.problems.is_empty()
    row = found.games.filter(people=who, game=game).row(-1, named=True)
    return row, tkg.from_record(found.record(row["id"]))


def button(page: Any, words: str) -> Any:
    return page.locator(".jupyter-button", has_text=re.compile(f"^{words}$"))

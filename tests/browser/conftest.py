"""A browser, a JupyterLab on a copy of the notebooks, and pages that remember their errors."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Browser, sync_playwright
from serving import CHROMIUM, FLAGS, ROOT, Lab, Server, Voila

Served = TypeVar("Served", bound=Server)


@pytest.fixture(scope="module")  # no longer: while it runs, boards of other tests take its event loop for a notebook's
def browser() -> Iterator[Browser]:
    if not Path(CHROMIUM).is_file():
        pytest.fail(
            f"the boards are tested in Chromium, and there is none at {CHROMIUM}; CHROMIUM says where it is", False
        )
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        yield browser
        browser.close()


OWN = re.compile(r"(https?|wss?)://127\.0\.0\.1:|(blob|data|about):")  # what a page may ask for: nothing from elsewhere


def serve(kind: type[Served], home: Path) -> Iterator[Served]:
    """A server that shows a copy of the notebooks."""
    notebooks = home / "notebooks"
    shutil.copytree(ROOT / "notebooks", notebooks)
    server = kind(home, notebooks)
    try:
        server.start()
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def lab_of_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    yield from serve(Lab, tmp_path_factory.mktemp("lab"))


@pytest.fixture
def lab(lab_of_file: Lab) -> Iterator[Lab]:
    """The server of all tests of a file; no test leaves it a kernel."""
    yield lab_of_file
    lab_of_file.stop_kernels()


@pytest.fixture(scope="module")
def voila(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Voila]:
    yield from serve(Voila, tmp_path_factory.mktemp("voila"))


@pytest.fixture
def page(browser: Browser) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1500, "height": 1100})
    context.set_default_timeout(45_000)
    page = context.new_page()
    page.errors, page.expected = [], "nothing"  # what a page may say without a test failing
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on(
        "console",
        lambda said: page.errors.append(f"{said.text} {said.location.get('url')}") if said.type == "error" else None,
    )
    page.on("request", lambda request: OWN.match(request.url) or page.errors.append(f"asks for {request.url}"))
    yield page
    errors = [error for error in page.errors if page.expected not in error]
    context.close()
    assert errors == []

"""A browser, a JupyterLab on a copy of the notebooks, and pages that remember their errors."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright
from serving import CHROMIUM, FLAGS, ROOT, Lab


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    home = tmp_path_factory.mktemp("lab")
    notebooks = home / "notebooks"
    shutil.copytree(ROOT / "notebooks", notebooks)
    server = Lab(home, notebooks)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def page(browser: Browser) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1500, "height": 1100})
    context.set_default_timeout(45_000)
    page = context.new_page()
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda message: page.errors.append(message.text) if message.type == "error" else None)
    yield page
    context.close()

"""Profiles of hypothesis (`HYPOTHESIS_PROFILE=long` hunts longer) and fixtures that several test files share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from playing import LONG, amount, sample_lines
from xdist.scheduler import LoadScopeScheduling

from tkg.rules.games import GAMES

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile(
    "quick",
    max_examples=amount(40, least=6),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=SLOW,
)
settings.register_profile("long", max_examples=amount(5000), deadline=None, suppress_health_check=SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


# Files that take longest, in the order in which they are begun: those that wait for a browser beside those that play.
LASTING = (
    "tests/browser/test_lab.py",
    "tests/test_report.py",
    "tests/rules/test_compiler.py",
    "tests/boards/test_board.py",
    "tests/browser/test_whole_games.py",
    "tests/studies/test_store.py",
    "tests/test_cli.py",
    "tests/studies/test_engines.py",
    "tests/browser/test_voila.py",
    "tests/test_own_bots.py",
    "tests/panels/test_explorer.py",
    "tests/test_search.py",
    "tests/test_skill_and_luck.py",
    "tests/test_readme.py",
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long tests run with the long profile alone; what takes longest begins first, and single tests of rules fill the rest."""
    if not LONG:
        long = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]
    places = {file: place for place, file in enumerate(LASTING)}
    items.sort(key=lambda item: places.get(file_of(item.nodeid), len(places) + ("/rules/" in item.nodeid)))


def file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


class ByFile(LoadScopeScheduling):
    """Files stay together, for they make something once; the many tests of the rules are shared one by one."""

    def __init__(self, config: pytest.Config, log: Any) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # by numbers of tests, which says little of how long they take

    def _split_scope(self, nodeid: str) -> str:
        return nodeid if "/rules/" in nodeid else file_of(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    """Share the tests among workers so: `--dist loadgroup` would need marks that pytest 9.2 does not let xdist read."""
    return ByFile(config, log)


@pytest.fixture(scope="session", autouse=True)
def no_real_playtests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test writes to the folder of real playtests, whatever it starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TKG_PLAYTESTS", str(tmp_path_factory.mktemp("playtests")))
        yield


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    """Every game of the table by name, where a test does not say which."""
    return request.param


@pytest.fixture
def sample(game: str) -> dict[str, Any]:
    """One good record of the game, free to be damaged."""
    return json.loads(sample_lines(game)[0])


@pytest.fixture(scope="session")
def python() -> Callable[..., str]:
    """Run a piece of Python, or a file of it, in a process of its own; what it prints."""

    def run(*arguments: str, **environment: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run

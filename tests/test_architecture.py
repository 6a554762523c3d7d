"""Imports go one way, the start is light, games are named in their own files only, and the public names are frozen."""

from __future__ import annotations

import ast
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

import tkg
from tkg.rules.games import GAMES
from tkg.rules.kernel import COMPILING

PACKAGE = Path(tkg.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))

# --- The direction of imports -------------------------------------------------------------------------------------

# By folder or file of the package: which others it may import, and what from outside beside the standard library.
EVERYTHING = {"*"}
LAYERS: dict[str, tuple[set[str], set[str]]] = {
    "rules": (set(), {"numpy", "numba", "platformdirs"}),
    "draw": ({"rules"}, set()),
    "game": ({"rules"}, {"numpy"}),
    "files": ({"rules.errors"}, set()),
    "record": ({"rules", "game", "files"}, {"numpy"}),
    "bots": ({"rules"}, {"numpy"}),
    "own_bots": ({"rules", "bots"}, {"numpy"}),
    "bulk": ({"rules", "bots", "own_bots", "game", "record", "files"}, {"numpy", "polars", "pyarrow", "tqdm"}),
    "estimates": ({"rules", "bots", "own_bots", "game"}, {"numpy"}),
    "traces": ({"rules", "bots", "own_bots", "bulk"}, {"numpy", "polars", "tqdm"}),
    "playtest_log": ({"rules", "game", "record", "bulk", "estimates"}, {"polars", "tqdm"}),
    "tuning": ({"rules", "bots", "own_bots", "bulk", "files"}, {"numpy", "cmaes", "scipy", "tqdm"}),
    "metrics": ({"rules.errors"}, {"numpy", "polars", "scipy", "sklearn", "threadpoolctl"}),
    "studies": (
        {"rules", "bots", "own_bots", "game", "record", "bulk", "files", "metrics"},
        {"distributed", "filelock", "numpy", "polars", "scipy", "tqdm"},
    ),
    "variant_files": ({"rules", "files"}, set()),
    "targets": (
        {"rules", "bots", "own_bots", "bulk", "metrics", "studies", "variant_files"},
        {"numpy", "optuna", "polars", "scipy", "tqdm"},
    ),
    "ladders": ({"rules", "bots", "own_bots", "bulk", "metrics"}, {"choix", "numpy", "polars", "tqdm"}),
    "bottlenecks": ({"rules", "bots", "own_bots", "bulk", "traces"}, {"numpy", "polars"}),
    "traits": ({"rules", "bots", "own_bots", "bulk", "traces"}, {"numpy", "polars"}),
    "replays": ({"rules", "bots", "own_bots", "bulk", "traces"}, {"numpy", "polars"}),
    "skills": ({"rules", "bots", "ladders", "metrics"}, {"polars"}),
    "ways": ({"rules", "bots", "bulk", "ladders", "metrics"}, {"numpy", "polars", "tqdm"}),
    "comparing": ({"rules", "bots", "bulk", "studies", "metrics", "variant_files"}, {"polars"}),
    "charts": ({"rules.errors", "metrics"}, {"altair", "polars", "vl_convert"}),
    "report": (
        {
            "rules",
            "files",
            "bots",
            "bulk",
            "studies",
            "traces",
            "ladders",
            "replays",
            "skills",
            "ways",
            "bottlenecks",
            "traits",
            "comparing",
            "metrics",
            "charts",
        },
        {"numpy", "polars", "tqdm"},
    ),
    "boards": (
        {
            "rules",
            "draw",
            "game",
            "record",
            "bots",
            "bulk",
            "estimates",
            "playtest_log",
            "studies",
            "metrics",
            "charts",
        },
        {"IPython", "anywidget", "ipywidgets", "polars", "traitlets"},
    ),
    "panels": (
        {"rules", "draw", "files", "bots", "bulk", "studies", "metrics", "charts", "boards.controls"},
        {"ipywidgets", "polars", "traitlets"},
    ),
    "bench": ({"rules", "bots", "game", "bulk", "estimates", "studies"}, {"numpy"}),
    "cli": (EVERYTHING, {"tqdm"}),
    "warm": (EVERYTHING, {"tqdm"}),
    "__main__": ({"cli"}, set()),
    "__init__": (set(), set()),
}
INSIDE_FUNCTIONS = {"game": {"draw"}}  # what may be imported when it is needed, and not before


def layer(path: Path) -> str:
    """The folder or file of the package that a file belongs to."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imports(tree: ast.AST, inside: bool = False) -> Iterator[tuple[str, bool]]:
    """(module, whether the import stands in a function) for every import; names taken from `tkg` count as its modules."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            deeper = node.module == "tkg" or (PACKAGE.parent / str(node.module).replace(".", "/")).is_dir()
            own = str(node.module).split(".")[0] == "tkg"
            yield from ((f"{node.module}.{a.name}" if own and deeper else str(node.module), inside) for a in node.names)
        yield from imports(node, inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_every_file_has_its_place() -> None:
    assert {layer(path) for path in FILES} <= set(LAYERS), "a new module needs a line in LAYERS"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    mine = layer(path)
    allowed, outside = LAYERS[mine]
    for module, inside in imports(ast.parse(path.read_text(encoding="utf-8"))):
        first, *rest = module.split(".")
        if first != "tkg":
            assert first in outside or first in sys.stdlib_module_names, f"{mine} may not import {module}"
            continue
        assert rest, "the package's front door is for users: import the module itself"
        mates = {mine, *allowed, *(INSIDE_FUNCTIONS.get(mine, ()) if inside else ())}
        reached = {".".join(rest[:n]) for n in range(1, len(rest) + 1)}
        assert reached & mates or allowed is EVERYTHING, f"{mine} may not import {module}"


def test_the_check_of_imports_sees_them_all() -> None:
    tree = ast.parse(
        "import a.b\nfrom tkg import metrics\nif True:\n from c import d\ndef f():\n  from tkg.draw import x"
    )
    found = [("a.b", False), ("tkg.metrics", False), ("c", False), ("tkg.draw.x", True)]
    assert list(imports(tree)) == found


# --- A light start ------------------------------------------------------------------------------------------------

HEAVY = {
    "altair",
    "anywidget",
    "IPython",
    "ipywidgets",
    "matplotlib",
    "optuna",
    "pandas",
    "polars",
    "pyarrow",
    "scipy",
    "sklearn",
    "vl_convert",
}


@pytest.mark.parametrize(
    ("statement", "heavy"),
    [
        ("import tkg", HEAVY | {"numba", "numpy"}),
        ("import tkg.cli", HEAVY),
        ("import tkg; tkg.new(tkg.rift()).legal", HEAVY - {"scipy"} | {"scipy.linalg", "tkg.bots.table"}),
        (
            "import tkg; tkg.board('cosmic', {2: 'greedy'}, log=False)",
            HEAVY - {"anywidget", "IPython", "ipywidgets", "scipy"}
            | {"scipy.linalg", "tkg.metrics", "tkg.charts", "tkg.studies"},
        ),
    ],
)
def test_imports_wait_until_they_are_needed(statement: str, heavy: set[str], python: Callable[..., str]) -> None:
    loaded = python("-c", f"{statement}\nimport sys; print(*sys.modules)").split()
    assert not heavy & set(loaded)


COMPILED = """
import gc, tkg
from numba.core.dispatcher import Dispatcher

def homes():
    compiled = [one.py_func for one in gc.get_objects() if isinstance(one, Dispatcher) and one.signatures]
    return sorted({function.__module__ for function in compiled if function.__module__.startswith("tkg.")})

board = tkg.board("cosmic", bots={2: "greedy"}, log=False)
print(*homes())
tkg.answer(board.game, "greedy")
print(*homes())
"""


@pytest.mark.skipif(not COMPILING, reason="nothing is compiled")
def test_a_first_picture_waits_for_no_compiled_bot(python: Callable[..., str]) -> None:
    """Of what is compiled it needs some of its own game's rules; bots come when one is asked."""
    first, asked = (line.split() for line in python("-c", COMPILED).splitlines())
    assert "tkg.rules.calls" in first
    assert {home for home in first if home.startswith("tkg.bots") or home.rpartition(".")[2] in GAMES} <= {
        "tkg.rules.cosmic"
    }
    assert "tkg.bots.loop" in asked


def test_matrices_can_be_multiplied_in_compiled_code_once_rules_are_loaded(python: Callable[..., str]) -> None:
    """Loading rules puts off numba's look for scipy.linalg, which multiplying needs."""
    code = """
import sys, numba, numpy, tkg
tkg.new(tkg.rift())
print("scipy.linalg" in sys.modules)
square = numba.njit(lambda a: numpy.dot(a, a))
print(square(numpy.array([[1.0, 2.0], [3.0, 4.0]])).tolist())
"""
    assert python("-c", code).splitlines() == ["False", "[[7.0, 10.0], [15.0, 22.0]]"]


# --- Names of games -----------------------------------------------------------------------------------------------

AT_HOME = ("rules", "draw")  # folders whose files may all name games
OWN_FILES = ("bots", "report", "boards", "bench", "traits")  # folders with a file a game


def named(source: str) -> list[tuple[int, str]]:
    """(line, word) for every name and text of the code, docstrings aside, in which a game's name is a word."""
    word = re.compile(rf"(?<![A-Za-z])({'|'.join(GAMES)})(?![A-Za-z])", re.IGNORECASE)
    tree = ast.parse(source)
    told = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    found = []
    for node in ast.walk(tree):
        if id(node) in told:
            continue
        words = [getattr(node, field, None) for field in ("id", "attr", "arg", "name", "asname", "module", "value")]
        found += [(getattr(node, "lineno", 0), w) for w in words if isinstance(w, str) and word.search(w)]
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_games_are_named_in_their_own_files_only(path: Path) -> None:
    folder = layer(path)
    if folder not in AT_HOME and not (folder in OWN_FILES and path.stem in GAMES):
        assert named(path.read_text(encoding="utf-8")) == []


def test_the_check_of_names_sees_them_all() -> None:
    game = next(iter(GAMES))
    for code in (
        f"x = '{game}(side=4)'",
        f"f'about {game.title()}'.x",
        f"tkg.{game}",
        f"f({game}=1)",
        f"import a.{game}",
    ):
        assert named(code), code
    for code in (f"def f():\n  '''{game}'''", f"x = 'd{game}'", f"# {game}"):
        assert not named(code), code


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_a_file_in_every_place(game: str) -> None:
    for folder in ("rules", "draw", "bots", "boards", "report", "bench", "traits"):
        assert (PACKAGE / folder / f"{game}.py").is_file()


# --- Public names -------------------------------------------------------------------------------------------------

PUBLIC = """
    BadRecord Deck GAMES Game Illegal NoChance Outcome Refused Variant answer around board browse charts compare
    contest_ranks cosmic deck_editor deck_names estimate exploits explore features from_record game_of ladder
    load_deck load_variant make_deck metrics new play_again play_on play_study playtests prospects read_records
    read_runs readings register_bot replay_deals restricted rift save_variant set_up simulate skill study sweep
    table to_record trace trace_options tryout tune umbra variant variant_names write_records
"""


def test_public_names_are_these() -> None:
    assert dir(tkg) == PUBLIC.split()


@pytest.mark.parametrize("name", PUBLIC.split())
def test_public_names_can_be_had_and_tell_what_they_are(name: str) -> None:
    thing = getattr(tkg, name)
    assert name == "GAMES" or (thing.__doc__ or "").strip()


def test_no_public_name_is_a_modules() -> None:
    """A module that is imported later would take the place of a function of its name."""
    modules = {module.name for module in pkgutil.iter_modules(tkg.__path__)}
    shared = modules & set(dir(tkg))
    assert shared <= {"metrics", "charts"}
    assert all(isinstance(getattr(tkg, name), ModuleType) for name in shared)


def test_what_is_no_public_name_is_told() -> None:
    with pytest.raises(AttributeError, match="no attribute 'rifts'"):
        _ = tkg.rifts
    assert not hasattr(tkg, "_nothing")


def test_the_bench_of_boards_needs_no_more_than_lies_beside_it(python) -> None:
    """It is run as a script, without pytest, which would have it find the modules of all tests."""
    script = PACKAGE.parent / "tests" / "browser" / "bench_boards.py"
    python(
        "-c",
        f"import runpy, sys; sys.path[0] = {str(script.parent)!r}; runpy.run_path({str(script)!r}, run_name='bench')",
    )

"""How speed and size are measured."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tkg.bots.loop import ponder
from tkg.bots.search import NO_PLAYOUT, make_tree
from tkg.bots.table import bot_code, mind_of
from tkg.bulk import make_run, play_block
from tkg.estimates import answer
from tkg.game import Game
from tkg.rules.chance import derive_exact
from tkg.rules.games import rules_of
from tkg.rules.knobs import Variant


@dataclass(frozen=True)
class Figure:
    """One line of the bench: `limit` is None where a figure is shown without a target."""

    name: str
    value: float | None
    unit: str
    limit: float | None = None
    at_least: bool = False
    note: str = ""

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "skipped"
        if self.limit is None:
            return ""
        good = self.value >= self.limit if self.at_least else self.value <= self.limit
        return "ok" if good else "short"


def cpu_of_play(variant: Variant, bots: str, games: int) -> tuple[float, int]:
    """(CPU seconds, decisions) of playing games in this thread, rows included."""
    run = make_run(variant, bots, games, 1)
    play_block(run, 0, 10)
    began = time.process_time()
    table = play_block(run, 0, games)
    return time.process_time() - began, int(table["decisions"].sum()) // variant.seats


def play_figures(
    game: str, limits: Mapping[int, float | None], games: int, greedy_games: int, greedy_limit: float
) -> Iterator[Figure]:
    """Random play by number of players against its limit, and greedy play, of a game of several seats."""
    for players, limit in limits.items():
        variant = Variant(rules_of(game), players=players)
        tries = [cpu_of_play(variant, "random", games) for _ in range(3)]
        nanoseconds = min(seconds / decisions for seconds, decisions in tries) * 1e9
        yield Figure(f"{game}, random play, {players} players", nanoseconds, "ns/decision", limit)
    seconds, _ = cpu_of_play(Variant(rules_of(game)), "greedy", greedy_games)
    yield Figure(f"{game}, greedy play", seconds / greedy_games * 1000, "ms/game", greedy_limit)


WELL_BEGUN = 20  # decisions after which a game is in full swing


def begun(variant: Variant, seed: int, decisions: int) -> Game:
    """A game of greedy players after so many decisions."""
    game = Game(variant, seed)
    for _ in range(decisions):
        game.play(answer(game, "greedy"))
    return game


def seconds_of_iterations(game: Game, bot: str, iterations: int, **weights: float) -> float:
    """CPU seconds of an iteration of a search in a position, with some weights other than the shipped ones."""
    variant, root = game.variant, game.states
    tree, key = make_tree(iterations), derive_exact(1, iterations) >> 1
    minds = mind_of(variant.game).copy()
    for name, value in weights.items():
        minds[name] = value
    began = time.process_time()
    ponder(variant, bot_code(variant.game, bot), root, key, 0, iterations, tree, minds)
    return (time.process_time() - began) / iterations


def search_figures(game: str, at_least: float, iterations: int) -> Iterator[Figure]:
    """Iterations a second with playouts at random, and with the game's own evaluation; the tree's own share of the time."""
    variant = Variant(rules_of(game))
    opening, later = begun(variant, 1, 0), begun(variant, 1, WELL_BEGUN)
    blind = min(seconds_of_iterations(opening, f"uct:{10 * iterations}", 10 * iterations) for _ in range(3))
    yield Figure(f"{game}, uct from the opening", 1 / blind, "iterations/s", at_least, at_least=True)
    judged = min(seconds_of_iterations(later, f"mcts:{iterations}", iterations) for _ in range(3))
    yield Figure(f"{game}, mcts in full swing", 1 / judged, "iterations/s")
    bare = min(seconds_of_iterations(later, f"uct:{iterations}", iterations, plies=NO_PLAYOUT) for _ in range(3))
    yield Figure(f"{game}, mcts, the tree's own share", 100 * bare / judged, "%", 33)
    yield Figure(f"{game}, an answer by mcts:0.2s", max(wall_of_answer(variant, seed) for seed in range(3)), "s", 0.5)


def wall_of_answer(variant: Variant, seed: int) -> float:
    """Wall-clock seconds of a bot's answer on a board, some way into a game."""
    game = begun(variant, seed, WELL_BEGUN)
    began = time.perf_counter()
    answer(game, "mcts:0.2s")
    return time.perf_counter() - began


def best(measure: Callable[[], float], times: int = 3) -> float:
    """The least of several measurements: what else the machine does can only add to it."""
    return min(measure() for _ in range(times))


def wall_of(command: Sequence[str]) -> float:
    """Wall-clock seconds of `tkg COMMAND` as a whole process."""
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "tkg", *command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return time.perf_counter() - began


def peak_of(command: Sequence[str]) -> tuple[float, float]:
    """(wall-clock seconds, peak memory in MB) of `tkg COMMAND` as a whole process."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "tkg", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"tkg {' '.join(command)} ended with status {status}")
    return time.perf_counter() - began, usage.ru_maxrss / 1024

"""Tuning the bots: an evolution strategy looks for weights that win more.

CMA-ES (Hansen and Ostermeier 2001, "Completely derandomized self-adaptation in evolution strategies") from the
library cmaes. Every candidate of a generation plays the same deals, every generation fresh ones, and what comes out
is compared with the weights before on deals that no generation has met. The weights by which positions are judged are
fitted to how games went on from them (`fit_judge`), which says far more a game than who won it. Games are played over the variants that
a game's bots are to be good at, not at its default alone.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np

from tkg.bots.loop import fill_seeds, make_room, play, ponder
from tkg.bots.minds import SEARCH, read_mind, write_mind
from tkg.bots.offers import MOST_OFFERS
from tkg.bots.search import make_tree
from tkg.bots.table import MIND_AT, OWN_BOTS, SEARCHING, bot_code, mind_of, take_apart
from tkg.bulk import count_workers
from tkg.files import check_place, whole_file
from tkg.own_bots import own_among
from tkg.rules.chance import SEED_BITS, below_exact, check_seed, derive_exact
from tkg.rules.errors import Refused
from tkg.rules.games import rules_of
from tkg.rules.knobs import Variant

SEEDS = 1 << SEED_BITS - 1  # where the run seeds of tuning begin; studies and reports count from 0
CONDITIONS = 0.05  # what fulfilled conditions count beside the victory, where a single player tries to fulfil them all
SMALLEST = 0.1  # by what a weight of nothing is varied, times sigma
LAST = 1 << 40  # the number of the final comparison among generations
CHECKED = 10  # times the deals of a generation in the final comparison


@dataclass(frozen=True)
class Task:
    """What is tuned, and on what it is tried."""

    game: str
    weights: tuple[str, ...]
    bot: str
    against: str  # in the other seats, by the weights before
    deals: int  # a variant and candidate, each played in every seat
    seed: int

    @property
    def variants(self) -> list[tuple[float, Variant]]:
        """(how much it counts, variant), as the game's bots declare them."""
        declared = import_module(f"tkg.bots.{self.game}").TUNED_ON
        total = sum(share for share, _ in declared)
        return [(share / total, Variant(rules_of(self.game), **settings)) for share, settings in declared]


READ_BLIND = ("explore", "caution")  # what a search without an evaluation reads


def make_task(game: str, weights: Sequence[str], bot: str, against: str, deals: int, seed: int) -> Task:
    """A task, checked; without `weights` all of the game's evaluation are tuned."""
    rules = rules_of(game)
    known = mind_of(game).dtype.names or ()
    for name in (bot, against):
        take_apart(rules.NAME, name)
        if own_among(rules.NAME, [name]):
            raise Refused(
                f"bot {name!r} is a bot of one's own, which has no weights and plays too slowly to tune against"
            )
    kind = take_apart(rules.NAME, bot).bot
    if kind == "random" or kind in OWN_BOTS[rules.NAME]:
        raise Refused(f"--bot {bot}: it plays by no weights; greedy does, and what searches, such as mcts:25")
    unread: tuple[str, ...] = ()
    if kind == "uct":
        unread = tuple(name for name in known if name not in READ_BLIND)
    elif kind not in SEARCHING:
        unread = (*import_module(f"tkg.bots.{game}").JUDGE, *SEARCH)
    of_search = () if kind == "uct" else SEARCH
    chosen = tuple(weights) or tuple(name for name in known if name not in unread and name not in of_search)
    for name in chosen:
        if name not in known:
            raise Refused(f"--weights {name}: {game} has no such weight; there are {', '.join(known)}")
        if name in unread:
            raise Refused(f"--weights {name}: {bot} never reads it; tune it with --bot mcts:25 or so")
    if deals < 2:
        raise Refused(f"--deals {deals}: at least two are needed")
    return Task(rules.NAME, chosen, bot, against, deals, check_seed(SEEDS + seed))


def deals_of(task: Task, generation: int) -> int:
    """The run seed of a generation's deals: hashed, so that neighbouring seeds share none, and above SEEDS."""
    return SEEDS + (derive_exact(task.seed, generation) >> 65 - SEED_BITS)


def check_out(out: Path, force: bool) -> None:
    """Refuse, before anything is played, a place that weights could not be written to in the end."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused(f"{out.parent} cannot be written: {error.strerror}") from None
    check_place(out, force)


def begin_with(game: str, start: Path | None) -> np.ndarray:
    """The weights in a file, or the shipped ones."""
    return mind_of(game) if start is None else read_mind(start, mind_of(game).dtype)


def worth_of(task: Task, minds: np.ndarray, run_seed: int, deals: int) -> tuple[float, float]:
    """(worth, its standard error) of the second of two minds against the first, on the deals of a run seed.

    That is the mean of the variants' win shares, each taken times the number of seats, so that 1 is level; for a single
    player the win share, and a little for conditions fulfilled.
    """
    worth = variance = 0.0
    for share, variant in task.variants:
        seats = variant.seats
        seeds = np.empty(deals, np.int64)
        fill_seeds(run_seed, 0, seeds)
        codes = np.full((deals * seats, seats), bot_code(task.game, task.against), np.int64)
        own = np.arange(deals * seats) % seats
        codes[np.arange(deals * seats), own] = bot_code(task.game, task.bot) | 1 << MIND_AT
        payoffs, results, _ = play(variant, np.repeat(seeds, seats), codes, np.zeros(len(codes), np.int64), minds=minds)
        won = payoffs[np.arange(len(payoffs)), own]
        if seats == 1:
            told = [results[name] for name in results.dtype.names if results.dtype[name] == np.bool_ and name != "win"]
            won = won + CONDITIONS * np.mean(told, axis=0)
        by_deal = won.reshape(deals, seats).mean(axis=1) * seats
        worth += share * float(by_deal.mean())
        variance += share**2 * float(by_deal.var(ddof=1)) / deals
    return worth, variance**0.5


class Tuner:
    """A run of the evolution strategy, which can be stopped after any generation and taken up again."""

    def __init__(self, task: Task, start: np.ndarray, sigma: float, population: int | None) -> None:
        from cmaes import CMA

        self.task, self.start = task, start
        self.scale = np.array([abs(float(start[w][0])) or SMALLEST for w in task.weights])
        self.strategy = CMA(
            mean=np.zeros(len(task.weights)), sigma=sigma, population_size=population, seed=task.seed % (1 << 32)
        )
        self.generation = 0

    def mind_at(self, point: np.ndarray) -> np.ndarray:
        """The weights of a point that the strategy asks for; none changes its sign, since evaluations are pruned by it."""
        mind = self.start.copy()
        for name, scale, x in zip(self.task.weights, self.scale, point, strict=True):
            before = float(self.start[name][0])
            value = before + scale * x
            mind[name] = value if before == 0 else max(0.0, value) if before > 0 else min(0.0, value)
        mind["width"], mind["heat"] = np.clip(mind["width"], 1, MOST_OFFERS), np.maximum(mind["heat"], SMALLEST)
        return mind

    def minds_at(self, point: np.ndarray) -> np.ndarray:
        """The weights before, and those of a point."""
        return np.concatenate([self.start, self.mind_at(point)]).view(np.recarray)

    def step(self, pool: ThreadPoolExecutor) -> float:
        """One generation; the mean worth of its better half."""
        task = self.task
        self.strategy.reseed_rng(
            (task.seed + self.generation) % (1 << 32)
        )  # cmaes keeps no random state when it is stored
        points = [self.strategy.ask() for _ in range(self.strategy.population_size)]
        run_seed = deals_of(task, self.generation)
        tried = pool.map(lambda point: worth_of(task, self.minds_at(point), run_seed, task.deals)[0], points)
        worths = list(tried)
        self.strategy.tell([(point, -worth) for point, worth in zip(points, worths, strict=True)])
        self.generation += 1
        return float(np.mean(sorted(worths)[len(worths) // 2 :]))

    @property
    def found(self) -> np.ndarray:
        """The weights at the middle of what the strategy now asks for."""
        return self.mind_at(self.strategy.mean)


def tune_bot(
    task: Task,
    out: Path,
    generations: int,
    *,
    start: Path | None = None,
    sigma: float = 0.2,
    population: int | None = None,
    workers: int | None = None,
    progress: bool = False,
    force: bool = False,
) -> str:
    """Tune, write the weights to `out`, and say how they did; `out` with `.part` behind keeps what a stop would lose.

    A file that is there already is replaced with `force` only. `start` is a file of weights to begin from, else the shipped ones.
    """
    from tqdm.auto import tqdm

    if generations < 1 or sigma <= 0 or (population is not None and population < 4):
        raise Refused(
            f"--generations {generations} --sigma {sigma:g} --population {population}: at least one generation of four, and a "
            "first step above 0"
        )
    check_out(out, force)
    before = begin_with(task.game, start)
    part = out.with_suffix(out.suffix + ".part")
    asked = (task, before.tobytes(), sigma, population)
    tuner = Tuner(task, before, sigma, population)
    if part.exists():
        kept, state = pickle.loads(part.read_bytes())
        if kept != asked:
            raise Refused(f"{part} is left of another run; move it away, or ask for the same again to take it up")
        tuner.strategy, tuner.generation = state
    with ThreadPoolExecutor(count_workers(workers)) as pool:
        bar = tqdm(total=generations, initial=tuner.generation, unit="generation", disable=not progress)
        while tuner.generation < generations:
            worth = tuner.step(pool)
            with whole_file(part, force=True) as file:
                file.write_bytes(pickle.dumps((asked, (tuner.strategy, tuner.generation))))
            bar.set_postfix(better_half=f"{worth:.3f}")
            bar.update()
        bar.close()
    checked = deals_of(task, LAST)
    minds = np.concatenate([before, tuner.found]).view(np.recarray)
    worth, error = worth_of(task, minds, checked, CHECKED * task.deals)
    level, level_error = worth_of(
        task, np.concatenate([before, before]).view(np.recarray), checked, CHECKED * task.deals
    )
    words = (
        f"{task.bot} against {task.against}: {worth:.3f} +- {1.96 * error:.3f} with these weights, {level:.3f} +- "
        f"{1.96 * level_error:.3f} with those before, on {CHECKED * task.deals} fresh deals of each variant; tuned over "
        f"{tuner.generation} generations of {task.deals} deals: {', '.join(task.weights)}"
    )
    with whole_file(out, force) as file:
        write_mind(file, tuner.found, words)
    part.unlink(missing_ok=True)
    return words


# --- Judging positions ----------------------------------------------------------------------------------------

MOST_ODDS = 600.0  # positions that a game's evaluation takes for decided, whatever the weights, teach nothing


def judged(variant: Variant, states: np.ndarray, minds: Sequence[np.ndarray]) -> np.ndarray:
    """What minds say of a position, in an array (minds, seats): logarithms of shares, for a single player log-odds.

    The position judged is the one that the decision leads to, as in a search of one iteration.
    """
    tree, bot = make_tree(1), bot_code(variant.game, "peek:1")
    told = np.empty((len(minds), variant.seats))
    for i, mind in enumerate(minds):
        ponder(variant, bot, states.copy(), 1, 0, 1, tree, mind)
        shares = np.maximum(tree.payoffs[: variant.seats], 1e-300)
        told[i] = np.log(shares) if variant.seats > 1 else np.log(shares) - np.log(np.maximum(1 - shares, 1e-300))
    return told


def positions(variant: Variant, bot: str, games: int, run_seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """(position, payoffs) from each of some games that a bot plays in all seats: after as many decisions as luck has it."""
    seeds = np.empty(games, np.int64)
    fill_seeds(run_seed, 0, seeds)
    codes, streams = np.full((games, variant.seats), bot_code(variant.game, bot), np.int64), np.zeros(games, np.int64)
    played = play(variant, seeds, codes, streams)
    room = make_room(variant, codes)
    for i, decisions in enumerate(played.counts[:, :-1, 0].sum(axis=1)):
        stop = below_exact(int(seeds[i]), 0, int(decisions))
        play(variant, seeds[i : i + 1], codes[i : i + 1], streams[i : i + 1], most=stop, room=room)
        yield room.states.copy(), played.payoffs[i]


def fit_judge(task: Task, out: Path, *, start: Path | None = None, progress: bool = False, force: bool = False) -> str:
    """Fit the weights by which positions are judged to how games went on from them, and write them to `out`.

    A file that is there already is replaced with `force` only.

    Logistic regression on what the game's `assess` adds up, from positions of the task's bot in all seats, `deals` games
    of each variant; a tenth of them is kept to say how well the fit does.
    """
    from scipy.optimize import minimize
    from tqdm.auto import tqdm

    check_out(out, force)
    before = begin_with(task.game, start)
    names = import_module(f"tkg.bots.{task.game}").JUDGE
    units = []
    for name in names:
        unit = before.copy()
        unit["plies"], unit["width"] = 0, 1
        for other in names:
            unit[other] = float(other == name)
        units.append(unit)
    told: list[tuple[float, np.ndarray, np.ndarray]] = []
    bar = tqdm(total=len(task.variants) * task.deals, unit="game", disable=not progress)
    for share, variant in task.variants:
        for states, payoffs in positions(variant, task.bot, task.deals, deals_of(task, LAST)):
            bar.update()
            terms = judged(variant, states, units)
            if variant.seats > 1:
                terms -= terms.mean(axis=1, keepdims=True)
            if np.abs(terms).max() < MOST_ODDS:
                told.append((share, terms, payoffs))
    bar.close()

    def surprise(weights: np.ndarray, part: Sequence[tuple[float, np.ndarray, np.ndarray]]) -> float:
        total = 0.0
        for share, terms, payoffs in part:
            odds = weights @ terms
            if len(odds) == 1:
                total += share * float(np.logaddexp(0.0, odds[0]) - payoffs[0] * odds[0])
            else:
                total += share * float(np.logaddexp.reduce(odds) * payoffs.sum() - payoffs @ odds)
        return total / sum(share for share, _, _ in part)

    kept, taught = told[::10], [row for i, row in enumerate(told) if i % 10]
    first = np.array([float(before[name][0]) for name in names])
    fitted = minimize(surprise, first, args=(taught,), method="BFGS").x
    mind = before.copy()
    for name, value in zip(names, fitted, strict=True):
        mind[name] = value
    words = (
        f"surprise a position {surprise(fitted, kept):.4f} with these weights, {surprise(first, kept):.4f} with those before, "
        f"{surprise(np.zeros(len(names)), kept):.4f} without any, on {len(kept)} positions kept apart; fitted to {len(taught)} "
        f"positions of {task.bot}: {', '.join(names)}"
    )
    with whole_file(out, force) as file:
        write_mind(file, mind, words)
    return words


def describe(task: Task) -> list[str]:
    """What is about to be played, a line a variant."""
    return [f"{share:.0%} {variant}" for share, variant in task.variants]

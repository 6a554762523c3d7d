"""Bulk play: any number of games over all cores, the same table for the same seed however it is divided.

Every game's luck is hashed from the run's seed and the game's number, and the compiled loop lets go of Python's
lock, so the workers are threads: they start at once, from a script, a notebook or the command line alike, share the
compiled rules, and no worker sees what another does.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tkg.bots.loop import COUNTS, fill_seeds
from tkg.bots.table import bot_code, bot_names, take_apart
from tkg.files import whole_file
from tkg.game import Game
from tkg.own_bots import own_among, play
from tkg.rules.chance import check_seed
from tkg.rules.errors import Refused
from tkg.rules.games import GAMES
from tkg.rules.kernel import records
from tkg.rules.knobs import Variant, parse_variant
from tkg.rules.numbers import whole
from tkg.rules.tiles import Deck

if TYPE_CHECKING:
    import polars as pl

BLOCK_SECONDS = 0.2  # how long a block of games should keep a worker: short enough for Ctrl-C and the progress bar
FIRST_BLOCK, LARGEST_BLOCK = 16, 50_000
AHEAD = 3  # blocks begun for every worker before the first of them is taken
MOST_GAMES = 1 << 40
PLAYED_BEFORE = "played_before"  # the column by which games that go on from a position are told from whole ones
FIRST_SCRIPT = 1024  # actions that are written down at the first attempt to make a game again


@dataclass(frozen=True)
class Run:
    """What settles every row of a run."""

    variant: Variant
    bots: tuple[str, ...]
    games: int
    seed: int
    fixed_seats: bool = False
    root: bytes = b""  # the position from which all games go on, byte by byte; empty if they begin at the beginning
    decided: int = 0  # decisions that led to it

    @cached_property
    def contest(self) -> bool:
        """Whether several players of a game for one compete on the same deals, each apart from the others."""
        return self.variant.seats == 1 and len(self.bots) > 1

    @cached_property
    def own(self) -> list[str]:
        """Those of its bots that are the user's own, and play in Python."""
        return own_among(self.variant.game, self.bots)

    @property
    def rows_per_game(self) -> int:
        return len(self.bots) if self.variant.seats == 1 else self.variant.seats

    @property
    def identity(self) -> str:
        """Eight hex digits of all that settles the run's rows, its length aside."""
        text = json.dumps([self.variant.game, self.variant.plain(), self.bots, self.seed, self.fixed_seats, version()])
        going_on = b"%d after %s" % (self.decided, self.root) if self.root else b""
        return hashlib.sha256(text.encode() + going_on).hexdigest()[:8]

    @property
    def going_on(self) -> dict[str, Any]:
        """Where its games go on, as `play` takes it: what the seat that decides there cannot know is dealt anew for each."""
        if not self.root:
            return {}
        states = records(self.variant.rules.STATE)
        states.view(np.uint8)[:] = np.frombuffer(self.root, np.uint8)
        return {"root": states, "decided": self.decided, "dealt": True}

    def metadata(self) -> dict[str, str]:
        """What a file of this run says of itself."""
        decks = {v.label: dict(v) for v in self.variant.values() if isinstance(v, Deck)}
        return {
            "tkg": version(),
            "game": self.variant.game,
            "variant": str(self.variant),
            "settings": json.dumps(self.variant.plain()),
            "decks": json.dumps(decks),
            "bots": ",".join(self.bots),
            "fixed_seats": json.dumps(self.fixed_seats),
            "games": str(self.games),
            "seed": str(self.seed),
        }

    def seating(self, game: int) -> list[int]:
        """Which of the run's bots sits where: rotated from game to game, unless seats are fixed."""
        n = self.rows_per_game
        turn = 0 if self.fixed_seats or self.variant.seats == 1 else game
        return [(seat + turn) % len(self.bots) for seat in range(n)]


@cache
def version() -> str:
    """The version of the package, stamped into every row."""
    return metadata.version("tkg")


def make_run(variant: Variant, bots: str | Sequence[str], games: int, seed: int, fixed_seats: bool = False) -> Run:
    """A run, checked."""
    if not isinstance(variant, Variant):
        raise Refused(
            f"variant: what a game's function such as tkg.{next(iter(GAMES))}() gives is needed, not {variant!r}"
        )
    names = bot_names(variant.game, bots)
    if variant.seats > 1 and len(names) not in (1, variant.seats):
        raise Refused(f"bots: {len(names)} for {variant.seats} seats; give one for all, or one for each")
    return Run(variant, names, check_games(games), check_seed(seed), fixed_seats)


def check_games(games: object) -> int:
    """`games` as an int, refused unless it is a number of games."""
    number = whole(games)
    if number is None or not 1 <= number < MOST_GAMES:
        raise Refused(f"games={games!r}: a whole number from 1 to {MOST_GAMES - 1:,} is needed")
    return number


def play_block(run: Run, first: int, games: int) -> pl.DataFrame:
    """The rows of some of a run's games, in order."""
    variant, seats = run.variant, run.rows_per_game
    codes = np.array([bot_code(variant.game, b) for b in run.bots], np.int64)
    seeds = np.empty(games, np.int64)
    fill_seeds(run.seed, first, seeds)
    seating = np.array([run.seating(g) for g in range(first, first + min(games, len(run.bots)))], np.int64)
    seating = np.resize(seating, (games, seats))
    if variant.seats == 1:
        seeds, bots = np.repeat(seeds, seats), codes[seating].reshape(-1, 1)
        streams = np.tile(np.arange(seats), games)
    else:
        bots, streams = codes[seating], np.zeros(games, np.int64)
    return table(run, first, seeds, seating, *play(variant, seeds, bots, streams, **run.going_on))


def table(run: Run, first: int, seeds: Any, seating: Any, payoffs: Any, results: Any, counts: Any) -> pl.DataFrame:
    """A row per game and seat from what the loop has filled."""
    import polars as pl

    rules, seats = run.variant.rules, run.rows_per_game
    games = len(seating)
    rows = games * seats
    by_game = 1 if run.variant.seats == 1 else seats  # rows that share one entry of `results`
    columns: dict[str, Any] = {
        **front(run, np.repeat(np.arange(first, first + games), seats), np.repeat(seeds, by_game)),
        "seat": np.tile(np.arange(1, seats + 1, dtype=np.int8), games),
        "bot": seated(run, seating),
        "win": payoffs.reshape(-1),
    }
    if run.root:
        columns[PLAYED_BEFORE] = pl.repeat(run.decided, rows, dtype=pl.Int32, eager=True)
    if run.contest:
        rank = contest_ranks(run, results)
        first_rank = rank == 1
        columns["rank"] = rank.astype(np.int16).reshape(-1)
        columns["contest"] = (first_rank / first_rank.sum(axis=1, keepdims=True)).reshape(-1)
    if run.variant.seats > 1:
        columns["win_shared"] = np.repeat((payoffs > 0).sum(axis=1) > 1, seats)
    for name in rules.RESULT.names:
        if name in ("win", "winners"):  # told by the payoffs
            continue
        own = name in rules.BY_SEAT
        values = np.ascontiguousarray(results[name][:, :seats] if own else results[name])
        values = values.reshape(-1) if own else np.repeat(values, by_game, axis=0)
        columns[name] = in_words(values, rules.WORDS[name]) if name in rules.WORDS else values
    for k, kind in enumerate(rules.KINDS):
        for c, what in enumerate(COUNTS):
            columns[f"{what}_{kind}"] = np.repeat(np.ascontiguousarray(counts[:, k, c]), by_game)
    columns["decisions"] = np.repeat(counts[:, : len(rules.KINDS), 0].sum(axis=1, dtype=np.int32), by_game)
    return pl.DataFrame(columns)


def front(run: Run, game: np.ndarray, game_seed: np.ndarray) -> dict[str, Any]:
    """The columns with which every table of games begins: of which run, and of which game of it, a row tells."""
    import polars as pl

    rows = len(game)
    return {
        "run": constant(run.identity, rows),
        "variant": constant(str(run.variant), rows),
        "version": constant(version(), rows),
        "seed": pl.repeat(run.seed, rows, dtype=pl.Int64, eager=True),
        "game": game,
        "game_seed": game_seed,
    }


def seated(run: Run, seating: np.ndarray) -> pl.Series:
    """Who sits where by name, from the bots' places in the run."""
    import polars as pl

    names = list(run.bots)
    return pl.Series(seating.reshape(-1), dtype=pl.Int64).replace_strict(
        list(range(len(names))), names, return_dtype=pl.Categorical
    )


def in_words(codes: np.ndarray, words: Sequence[str]) -> pl.Series:
    """Codes as the words that they are indices of."""
    import polars as pl

    return pl.Series(codes).replace_strict(list(range(len(words))), list(words), return_dtype=pl.Enum(words))


def constant(text: str, rows: int) -> pl.Series:
    import polars as pl

    return pl.repeat(text, rows, dtype=pl.String, eager=True).cast(pl.Categorical)


def contest_ranks(run: Run, results: Any) -> np.ndarray:
    """Each player's rank in the contest on its deal, in an array (games, players)."""
    rules = run.variant.rules
    fields = {name: results[name].reshape(-1, run.rows_per_game) for name in rules.RESULT.names}
    return rules.ranks(run.variant, fields)


def timed_block(run: Run, first: int, games: int) -> tuple[pl.DataFrame, float]:
    """(rows, seconds) of some of a run's games."""
    began = time.perf_counter()
    return play_block(run, first, games), time.perf_counter() - began


def next_size(size: int, seconds: float) -> int:
    """How many games the next block should have, after one of `size` has taken so long."""
    if seconds < BLOCK_SECONDS / 2:
        return min(LARGEST_BLOCK, 4 * size)
    return max(1, size // 2) if seconds > 2 * BLOCK_SECONDS else size


def blocks(run: Run, workers: int, report: Any) -> Iterator[pl.DataFrame]:
    """The run's rows block by block, in order; at most a few blocks are held at a time."""
    slow = run.own or any(take_apart(run.variant.game, bot).iterations for bot in run.bots)
    first_block = 1 if slow else FIRST_BLOCK  # a game may take seconds
    size, begun, done = first_block, 0, 0
    waiting: deque[tuple[Future[Any], int]] = deque()
    pool = ThreadPoolExecutor(workers)
    try:
        while done < run.games:
            while begun < run.games and len(waiting) < AHEAD * workers:
                left = run.games - begun
                n = min(
                    size, left, max(first_block, left // (2 * workers))
                )  # small at the end, so that none waits long
                waiting.append((pool.submit(timed_block, run, begun, n), n))
                begun += n
            future, n = waiting.popleft()
            rows, seconds = patiently(future)
            if n == size or seconds > BLOCK_SECONDS:
                size = next_size(n, seconds)
            done += n
            report(n)
            yield rows
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def patiently(future: Future[Any]) -> Any:
    """The result of a future, waited for in short turns: a wait without a limit does not notice Ctrl-C on every system."""
    while not future.done():
        wait([future], timeout=0.2)
    return future.result()


def count_workers(workers: int | None) -> int:
    """How many threads to use: as many as this process may use cores, unless told."""
    if workers is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    number = whole(workers)
    if number is None or not 1 <= number <= 1024:
        raise Refused(f"workers={workers!r}: a whole number from 1 to 1024")
    return number


def simulate(
    variant: Variant,
    bots: str | Sequence[str] = "random",
    games: int = 1000,
    seed: int = 0,
    *,
    workers: int | None = None,
    to: str | Path | None = None,
    force: bool = False,
    fixed_seats: bool = False,
    progress: bool = False,
) -> Any:
    """Play many games: a polars table with a row per game and seat.

    Several `bots` sit in the seats in turn, rotated from game to game; in a game for one player they compete on
    the same deals (columns `rank`, and `contest`: the share of that victory). The columns are `run, variant, version, seed,
    game, game_seed, seat, bot, win` (the share of the victory), the fields of the game's result, and by kind of
    decision `decisions_KIND`, `options_KIND` (options seen in all) and `choices_KIND` (decisions with more than
    one option). `games` and `seed` settle the table, `workers` does not.

    Bots of one's own (`tkg.register_bot`) play in Python, some tens or hundreds of games a second, and more `workers` do
    not make them faster. What they do wrong is told as `BotFailed`, a kind of `Refused`.

    With `to` the rows go to a parquet file as they are played, whatever their number, and a lazy table on that
    file is returned; an existing file is refused without `force`, an interrupted run leaves none.
    """
    import polars as pl

    run = make_run(variant, bots, games, seed, fixed_seats)
    threads = count_workers(workers)
    bar = progress_bar(run, progress)
    try:
        if to is not None:
            return write_run(run, Path(to), force, blocks(run, threads, bar.update))
        return pl.concat(blocks(run, threads, bar.update), rechunk=True)
    finally:
        bar.close()


def play_on(
    game: Game,
    bots: str | Sequence[str] = "greedy",
    games: int = 1000,
    seed: int = 0,
    *,
    workers: int | None = None,
    progress: bool = False,
) -> pl.DataFrame:
    """Play many games on from the position of a game: a polars table with a row per game and seat.

    `bots` is one name for all seats or one for each, in seat order; they keep their seats. What the seat that
    decides cannot know, such as the order of the stack, is dealt anew for every game. The columns are those of
    `tkg.simulate` and `played_before`, the number of actions of `game` so far; decisions and options are counted from the
    position on, and so are the fields of the result that a position does not tell, where `game` began at one (`tkg.set_up`). `game`
    itself is left as it is. The position, `games` and `seed` settle the table, `workers` does not.

    Refused for a game that is over, and for bots named by time.
    """
    import polars as pl

    if not isinstance(game, Game):
        raise Refused(f"game: what tkg.new or tkg.set_up gives is needed, not {game!r}")
    if game.over:
        raise Refused("the game is over: there is nothing to play on")
    names = bot_names(game.variant.game, bots)
    if len(names) not in (1, game.variant.seats):
        seats = f"{game.variant.seats} seat{'s'[: game.variant.seats != 1]}"
        raise Refused(f"bots: {len(names)} for {seats}; give one for all, or one for each")
    run = Run(game.variant, names, check_games(games), check_seed(seed), True, game.states.tobytes(), len(game.actions))
    bar = progress_bar(run, progress)
    try:
        return pl.concat(blocks(run, count_workers(workers), bar.update), rechunk=True)
    finally:
        bar.close()


def progress_bar(run: Run, shown: bool) -> Any:
    from tqdm.auto import tqdm

    python = " (own bots, in Python)" if run.own else ""
    return tqdm(total=run.games, unit="game", disable=not shown, desc=f"{run.variant}{python}", delay=0.5)


def write_run(run: Run, path: Path, force: bool, parts: Iterator[pl.DataFrame]) -> pl.LazyFrame:
    """Write rows to parquet as they come, to a name beside the final one until they are whole."""
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq

    with whole_file(path, force) as part:
        first = next(parts).to_arrow()
        schema = first.schema.with_metadata(run.metadata())
        with pq.ParquetWriter(part, schema, compression="zstd") as writer:
            for rows in itertools.chain([first], (block.to_arrow() for block in parts)):
                writer.write_table(pa.Table.from_arrays(rows.columns, schema=schema))
    return pl.scan_parquet(path)


def run_of_file(path: str | Path) -> Run:
    """The run whose rows a parquet file holds; refused if a bot of one's own played it that is not registered now."""
    variant, bots, games, seed, fixed_seats = told_by_file(path)
    check_registered(variant.game, bots, str(path))
    return make_run(variant, bots, games, seed, fixed_seats)


def check_registered(game: str, bots: Sequence[str], where: str) -> None:
    """Refuse a run whose bots are not all known here."""
    for name in bots:
        try:
            take_apart(game, name)
        except Refused as error:
            bare = name.partition("-")[0].partition(":")[0]
            raise Refused(
                f"{where} was played by the bot {name!r}, which is not known here; if it is a bot of your own, register it "
                f"first, by @tkg.register_bot({bare!r}) above its function ({error})"
            ) from None


def told_by_file(path: str | Path) -> tuple[Variant, list[str], int, int, bool]:
    """(variant, bots, games, seed, fixed seats) of a file of a run; the decks in it become known."""
    import polars as pl

    try:
        told = pl.read_parquet_metadata(path)
        settings = json.loads(told["settings"])
        for label, counts in json.loads(told["decks"]).items():
            Deck(counts, label.partition("#")[0])
        variant = parse_variant(told["variant"])
        if variant.plain() != settings:
            raise Refused(f"{path}: the variant {told['variant']} is not what its settings say")
        fixed_seats = json.loads(told["fixed_seats"])
        return variant, told["bots"].split(","), int(told["games"]), int(told["seed"]), fixed_seats
    except (OSError, pl.exceptions.ComputeError) as error:
        raise Refused(f"{path} cannot be read as parquet: {error}") from None
    except (KeyError, json.JSONDecodeError):
        raise Refused(f"{path} is a parquet file, but not one of a tkg run") from None


def read_runs(path: str | Path) -> pl.LazyFrame:
    """A lazy table on a file that `simulate(to=...)` wrote; the decks in its variants become known.

    Bots of one's own that played it need not be registered, unless one of its games is to be made again.
    """
    import polars as pl

    told_by_file(path)
    return pl.scan_parquet(path)


def play_again(variant: Variant, bots: str | Sequence[str], game_seed: int, seat: int = 1, rotation: int = 0) -> Game:
    """One game of a run, made again alone from its variant, its bots and its own seed.

    For a game of one player `seat` says whose game of the contest it is; else `rotation` is the game's number in
    its run, which settles who sat where.
    """
    run = make_run(variant, bots, 1, 0)
    seating = run.seating(rotation)
    if not 1 <= seat <= len(seating):
        raise Refused(f"seat={seat!r}: from 1 to {len(seating)}")
    alone = variant.seats == 1
    names = [run.bots[seating[seat - 1]]] if alone else [run.bots[b] for b in seating]
    codes = np.array([[bot_code(variant.game, name) for name in names]], np.int64)
    game = Game(variant, check_seed(game_seed), players=names)
    for action in actions_of(variant, game.seed, codes, seat - 1 if alone else 0):
        game.play(variant.rules.text(variant, game.states[0], int(action)))
    return game


def actions_of(variant: Variant, game_seed: int, bots: np.ndarray, stream: int) -> np.ndarray:
    """All that is played in one game, by `bots` (codes by seat, in one row) whose luck begins at `stream`."""
    script = np.empty((1, FIRST_SCRIPT), np.int64)
    while True:
        counts = play(variant, np.array([game_seed], np.int64), bots, np.array([stream], np.int64), script).counts
        decisions = int(counts[0, :, 0].sum())
        if decisions <= script.size:
            return script[0, :decisions]
        script = np.empty((1, decisions), np.int64)


def game_of(runs: pl.DataFrame | pl.LazyFrame, row: int) -> Game:
    """The game that a row of a table tells of, made again: ready to be looked at, undone, and played on.

    Refused if another version of the rules or bots plays it differently from what the row tells, or a bot of one's own
    played it that is not registered now.
    """
    import polars as pl

    number = whole(row)
    rows = None if number is None or number < 0 else runs.lazy().slice(number, 1).collect()
    if rows is None or rows.is_empty():
        raise Refused(f"row={row!r}: the table has no such row; rows count from 0")
    told = rows.row(0, named=True)
    if PLAYED_BEFORE in told:
        raise Refused(
            f"row {row}: its game went on from a position, as tkg.play_on plays them, and cannot be made again from the start"
        )
    variant = parse_variant(told["variant"])
    if variant.seats == 1:
        bots = [told["bot"]] * told["seat"]
        check_registered(variant.game, bots, f"row {row}")
        game = play_again(variant, bots, told["game_seed"], told["seat"])
    else:
        same_game = (pl.col("game_seed") == told["game_seed"]) & (pl.col("run").cast(pl.String) == told["run"])
        mates = runs.lazy().filter(same_game).unique("seat").sort("seat").collect()
        if len(mates) < variant.seats:
            raise Refused(
                f"row {row}: the table has {len(mates)} of the {variant.seats} seats of its game, so who sat in the others "
                "is not known; take the row's number in the whole table, or tkg.play_again with the run's bots"
            )
        bots = mates["bot"].cast(pl.String).to_list()
        check_registered(variant.game, bots, f"row {row}")
        game = play_again(variant, bots, told["game_seed"])
    changed = "; or a bot of your own plays otherwise now" if own_among(variant.game, bots) else ""
    for name, value in game.result.items():
        if name not in told:
            continue
        own = value[told["seat"] - 1] if name in variant.rules.BY_SEAT else value
        if told[name] != own:
            raise Refused(
                f"row {row}: made again by version {version()}, {name} is {own} and not {told[name]} as in the row, which "
                f"version {told['version']} played{changed}"
            )
    return game

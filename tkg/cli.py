"""The command line: `tkg`, also `python -m tkg`. Exit status 0 fine, 1 what was checked is bad, 2 wrong use."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

from tkg.rules.errors import Refused

FINE, BAD, WRONG = 0, 1, 2


class Parser(argparse.ArgumentParser):
    """Errors in one line, with the way to help."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        sys.exit(WRONG)


def build_parser() -> Parser:
    parser = Parser(prog="tkg", description="Balance analysis and playtesting of the TKG tabletop games.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    games = commands.add_parser("games", help="the games; of one, every knob and reading")
    games.add_argument("game", nargs="?", metavar="GAME")
    games.add_argument("--json", action="store_true", help="for programs")
    games.set_defaults(run=run_games)

    simulate = commands.add_parser("simulate", help="play many games and print a summary with 95%% intervals")
    playing(simulate, games=1000)
    simulate.add_argument("--workers", type=int, metavar="W", help="threads (default: one a core)")
    simulate.add_argument("--out", type=Path, metavar="F.parquet", help="write a row per game and seat")
    simulate.add_argument("--force", action="store_true", help="replace an existing file")
    simulate.add_argument("--json", action="store_true", help="for programs")
    simulate.set_defaults(run=run_simulate)

    ladder = commands.add_parser("ladder", help="play graded bots against each other and say where climbing stops")
    ladder.add_argument("game", metavar="GAME")
    ladder.add_argument(
        "-n", "--deals", type=int, default=40, metavar="N", help="deals that every two bots meet on (default: 40)"
    )
    ladder.add_argument("--bots", metavar="B,B[,B..]", help="the weakest first (default: from random up)")
    ladder.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the deals (default: 0)")
    setting(ladder)
    owning(ladder)
    ladder.add_argument("--workers", type=int, metavar="W", help="threads (default: one a core)")
    ladder.add_argument("--out", type=Path, metavar="DIR", help="folder for the tables and the chart")
    ladder.add_argument("--force", action="store_true", help="replace those of an earlier ladder")
    ladder.add_argument("--json", action="store_true", help="for programs")
    ladder.set_defaults(run=run_ladder)

    study = commands.add_parser("study", help="play a study, or what is missing of it, and print what came of it")
    study.add_argument("file", metavar="FILE", help="a TOML file, or the name of one in data/studies")
    study.add_argument("-n", "--games", type=int, metavar="N", help="games a cell (default: what the file says)")
    study.add_argument(
        "--to",
        type=Path,
        metavar="DIR",
        help="where its games are kept (default: beside the file, in a folder of its name)",
    )
    study.add_argument("--by", metavar="C[,C..]", help="columns to tell apart in the summary (default: the axes)")
    engines(study)
    study.set_defaults(run=run_study)

    sweep = commands.add_parser("sweep", help="play many variants on the same deals")
    sweep.add_argument("game", metavar="GAME")
    sweep.add_argument(
        "--vary", action="append", required=True, metavar="NAME=VALUES",
        help="an axis: supply=6..21:3, or deck=threes;pure; may be given again",
    )  # fmt: skip
    sweep.add_argument("-n", "--games", type=int, default=1000, metavar="N", help="games a cell (default: 1000)")
    sweep.add_argument(
        "--bots", action="append", metavar="B[,B..]",
        help="one for all seats, or one a seat; given again, each plays every cell (default: random)",
    )  # fmt: skip
    sweep.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the deals (default: 0)")
    sweep.add_argument("--design", default="grid", metavar="D", help="grid, one-at-a-time or latin (default: grid)")
    sweep.add_argument("--points", type=int, metavar="P", help="cells of the design latin")
    sweep.add_argument("--skip-refused", action="store_true", help="leave out cells that the rules refuse")
    sweep.add_argument("--to", type=Path, metavar="DIR", help="keep its games there, and go on from what is there")
    setting(sweep)
    owning(sweep)
    engines(sweep)
    sweep.set_defaults(run=run_sweep)

    compare = commands.add_parser(
        "compare", help="two variants side by side: what differs clearly, what is alike, what is open"
    )
    compare.add_argument("game", metavar="GAME")
    compare.add_argument("a", metavar="A", help='a variant as it prints, such as "GAME(players=3)", or @NAME')
    compare.add_argument("b", metavar="B", help="another one of the same game")
    comparing(
        compare, games=500, usual="greedy and mcts:4 alone, and one mcts:4 among greedy ones where there are seats"
    )
    compare.add_argument("--out", type=Path, metavar="F.csv", help="write the table of all measures")
    compare.set_defaults(run=run_compare)

    readings = commands.add_parser(
        "readings", help="how much every ambiguous sentence matters, and which must be settled"
    )
    readings.add_argument("game", metavar="GAME")
    setting(readings)
    comparing(readings, games=1000, usual="greedy, and what else is cheap and plays otherwise")
    readings.add_argument(
        "--measures", metavar="M[,M..]", help="as simulate names them (default: win,win_shared,ending,decisions)"
    )
    readings.add_argument("--out", type=Path, metavar="DIR", help="folder for the tables and the chart")
    readings.set_defaults(run=run_readings)

    skill = commands.add_parser(
        "skill", help="what thinking longer wins, how many levels of strength there are, how far apart"
    )
    dealing(skill, deals=40)
    skill.add_argument(
        "--budgets", default="4,16,64,256", metavar="N[,N..]",
        help="iterations a decision, in ascending order (default: 4,16,64,256)",
    )  # fmt: skip
    skill.add_argument("--search", default="mcts", metavar="B", help="who searches (default: mcts)")
    skill.add_argument(
        "--below", default="random,greedy", metavar="B[,B..]",
        help="rungs below the searches, the weakest first; shares are those over the last (default: random,greedy)",
    )  # fmt: skip
    skill.add_argument("--out", type=Path, metavar="DIR", help="folder for the tables")
    skill.set_defaults(run=run_skill)

    restricted = commands.add_parser("restricted", help="what a player loses who never does certain things")
    dealing(restricted, deals=200)
    restricted.add_argument("--styles", metavar="S[,S..]", help="restrictions (default: all of the game's)")
    restricted.add_argument("--bot", default="greedy", metavar="B", help="who is restricted (default: greedy)")
    restricted.add_argument("--out", type=Path, metavar="F.csv", help="write the table")
    restricted.set_defaults(run=run_restricted)

    exploits = commands.add_parser("exploits", help="what degenerate plans win against fair play")
    dealing(exploits, deals=200)
    exploits.add_argument("--bots", metavar="B[,B..]", help="bots that try a plan (default: the game's own)")
    exploits.add_argument("--fair", default="greedy", metavar="B", help="whom they meet (default: greedy)")
    exploits.add_argument("--out", type=Path, metavar="F.csv", help="write the table")
    exploits.set_defaults(run=run_exploits)

    records = commands.add_parser("records", help="the same games as records that anyone can replay")
    playing(records, games=10)
    records.add_argument("--out", type=Path, metavar="F.jsonl", required=True, help="where to write, a game a line")
    records.add_argument("--force", action="store_true", help="replace an existing file")
    records.set_defaults(run=run_records)

    replay = commands.add_parser("replay", help="replay records and check them")
    replay.add_argument("file", type=Path, metavar="F.jsonl")
    replay.add_argument("--options", action="store_true", help="print every decision's options, a game a line")
    replay.set_defaults(run=run_replay)

    report = commands.add_parser("report", help="play the default study and write the balance report")
    report.add_argument(
        "--out", type=Path, metavar="DIR", default=Path("out/report"), help="folder (default: out/report)"
    )
    report.add_argument("--games", type=int, metavar="N", default=1500, help="games a cell (default: 1500)")
    report.add_argument("--seed", type=int, metavar="S", default=1, help="seed of the study (default: 1)")
    report.add_argument("--workers", type=int, metavar="W", help="threads (default: one a core)")
    report.add_argument("--force", action="store_true", help="replace an existing report")
    report.set_defaults(run=run_report)

    tune = commands.add_parser("tune-bot", help="look for weights with which a game's bots win more")
    tune.add_argument("game", metavar="GAME")
    tune.add_argument(
        "--judge", action="store_true", help="fit how positions are judged, to how games went on from them"
    )
    tune.add_argument("--weights", default="", metavar="W[,W..]", help="which to tune (default: all of the evaluation)")
    tune.add_argument("--bot", default="greedy", metavar="B", help="who plays by them (default: greedy)")
    tune.add_argument("--against", default="greedy", metavar="B", help="who sits in the other seats (default: greedy)")
    tune.add_argument("--generations", type=int, default=40, metavar="N", help="of candidates (default: 40)")
    tune.add_argument("--population", type=int, metavar="N", help="candidates a generation (default: by their number)")
    tune.add_argument("--deals", type=int, default=50, metavar="N", help="a variant and candidate (default: 50)")
    tune.add_argument(
        "--sigma", type=float, default=0.2, metavar="X", help="first step, in parts of a weight (default: 0.2)"
    )
    tune.add_argument("--seed", type=int, default=0, metavar="S", help="of the deals, far from those of any study")
    tune.add_argument("--start", type=Path, metavar="F.json", help="weights to begin from (default: those shipped)")
    tune.add_argument("--out", type=Path, metavar="F.json", help="where to write (default: out/weights/GAME.json)")
    tune.add_argument("--force", action="store_true", help="replace an existing file")
    tune.add_argument("--workers", type=int, metavar="W", help="threads (default: one a core)")
    tune.set_defaults(run=run_tune_bot)

    target = commands.add_parser(
        "tune", help="look for a variant that meets a target, and say how near the best one comes"
    )
    target.add_argument("game", metavar="GAME", help="a game, or @NAME of a saved variant")
    target.add_argument(
        "--target", required=True, metavar="T",
        help="what is wanted: terms NAME[BOTS]=NUMBER, with = or < or >, or =LOW..HIGH, such as 'win[mcts:25]=0.5 "
        "win[greedy]=15%% minutes<45'; NAME is win, edge, minutes, decisions, unfinished, options/KIND, choices/KIND, "
        "ending/KIND or a field of the result; win[A,B] is the share of A at a table with B",
    )  # fmt: skip
    target.add_argument(
        "--knobs", metavar="K[,K..]",
        help="what may be varied, such as supply,side or 'supply=3..20,side=3;4,deck' (default: numbers and readings)",
    )  # fmt: skip
    target.add_argument("--trials", type=int, default=40, metavar="N", help="variants to try (default: 40)")
    target.add_argument(
        "-n", "--games", type=int, default=300, metavar="N", help="most games of a variant (default: 300)"
    )
    target.add_argument("--check", type=int, metavar="N", help="fresh games for the best (default: as --games)")
    target.add_argument("--bot", default="greedy", metavar="B", help="plays where a term names none (default: greedy)")
    target.add_argument(
        "--seconds", metavar="S",
        help="a decision takes for minutes: 12, or build=12,move=6, or playtests for the medians of those that are logged",
    )  # fmt: skip
    target.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the search (default: 0)")
    target.add_argument(
        "--to",
        metavar="NAME",
        help="name or path of the variant, beside which the search is kept (default: by question)",
    )
    setting(target)
    owning(target)
    target.add_argument("--workers", type=int, metavar="W", help="threads (default: one a core)")
    target.add_argument("--force", action="store_true", help="replace another search or variant of that name")
    target.add_argument("--json", action="store_true", help="for programs")
    target.set_defaults(run=run_tune)

    bench = commands.add_parser("bench", help="every speed and size target with its figure, ok or short")
    bench.add_argument("--json", action="store_true", help="for programs")
    bench.add_argument("--strict", action="store_true", help="exit 1 if a target is missed")
    bench.set_defaults(run=run_bench)
    return parser


def playing(parser: argparse.ArgumentParser, games: int) -> None:
    """The options that say what is played."""
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("-n", "--games", type=int, default=games, metavar="N", help=f"games (default: {games})")
    parser.add_argument(
        "--bots", default="random", metavar="B[,B..]", help="one for all seats, or one a seat (default: random)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the run (default: 0)")
    setting(parser)
    owning(parser)
    parser.add_argument("--fixed-seats", action="store_true", help="do not rotate the bots over the seats")


def comparing(parser: argparse.ArgumentParser, games: int, usual: str) -> None:
    """The options that say how variants are compared."""
    parser.add_argument(
        "--bots", action="append", metavar="B[,B..]",
        help=f"one for all seats, or one a seat; given again, each table plays (default: {usual})",
    )  # fmt: skip
    parser.add_argument(
        "-n",
        "--games",
        type=int,
        default=games,
        metavar="N",
        help=f"games of each table and variant (default: {games})",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the deals (default: 0)")
    parser.add_argument(
        "--margin",
        type=float,
        default=0.05,
        metavar="X",
        help="share up to which a difference does not matter (default: 0.05)",
    )
    owning(parser)
    parser.add_argument("--workers", type=int, metavar="W", help="threads (default: one a core)")
    parser.add_argument("--force", action="store_true", help="replace what --out wrote before")
    parser.add_argument("--json", action="store_true", help="for programs")


def dealing(parser: argparse.ArgumentParser, deals: int) -> None:
    """The options that say on which deals bots meet."""
    parser.add_argument("game", metavar="GAME")
    parser.add_argument(
        "-n", "--deals", type=int, default=deals, metavar="N", help=f"deals that bots meet on (default: {deals})"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the deals (default: 0)")
    setting(parser)
    owning(parser)
    parser.add_argument("--workers", type=int, metavar="W", help="threads (default: one a core)")
    parser.add_argument("--force", action="store_true", help="replace what --out wrote before")
    parser.add_argument("--json", action="store_true", help="for programs")


def engines(parser: argparse.ArgumentParser) -> None:
    """The options that say who plays a study, and how it is told."""
    parser.add_argument("--workers", type=int, metavar="W", help="threads (default: one a core)")
    parser.add_argument(
        "--engine", default="local", metavar="E", help="local, or dask://HOST:PORT of a scheduler (default: local)"
    )
    parser.add_argument("--plan", action="store_true", help="show cells, games and expected time, and play nothing")
    parser.add_argument("--json", action="store_true", help="for programs")


def setting(parser: argparse.ArgumentParser) -> None:
    """The option that varies a game."""
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a knob or reading; may be given again"
    )


def owning(parser: argparse.ArgumentParser) -> None:
    """The option that brings in bots of one's own."""
    parser.add_argument(
        "--own",
        action="append",
        default=[],
        type=Path,
        metavar="F.py",
        help="a Python file that registers bots of your own (tkg.register_bot); may be given again",
    )


def take_in(files: Sequence[Path]) -> None:
    from tkg.own_bots import load_bots

    for file in files:
        load_bots(file)


def say_of_own(own: Sequence[str], told: str = "") -> None:
    """That bots of one's own play slowly, on stderr."""
    if own:
        plays = "plays" if len(own) == 1 else "play"
        print(f"note: {', '.join(own)} {plays} in Python, more slowly than compiled bots{told}", file=sys.stderr)


def variant_of(game: str, settings: Sequence[str]) -> Any:
    from tkg.rules.games import rules_of
    from tkg.rules.knobs import Variant, parse_settings
    from tkg.variant_files import load_variant

    saved = load_variant(game[1:]) if game.startswith("@") else None
    rules = rules_of(game) if saved is None else saved.rules
    given: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise Refused(f"--set {setting}: written NAME=VALUE, such as --set supply=12")
        if name.strip() in given:
            raise Refused(f"--set {setting}: {name.strip()} is set twice")
        given[name.strip()] = value.strip()
    read = parse_settings(rules, given)
    return Variant(rules, **read) if saved is None else saved.but(**read)


def run_games(args: argparse.Namespace) -> int:
    from tkg.bots.table import STYLES, bots_of
    from tkg.rules.games import GAMES, rules_of

    if args.game is None:
        if args.json:
            print(json.dumps([{"game": name, "title": rules.TITLE} for name, rules in GAMES.items()]))
        else:
            for name, rules in GAMES.items():
                print(f"{name:<10}{rules.TITLE}")
        return FINE
    rules = rules_of(args.game)
    declared = [
        {
            "name": d.name,
            "default": d.text(d.read(d.default)),
            "range": d.range_text(),
            "unit": d.unit,
            "meaning": d.meaning,
            "clause": d.clause,
        }
        for d in rules.DECLARED
    ]
    if args.json:
        bots = {"bots": bots_of(rules.NAME), "styles": STYLES[rules.NAME]}
        print(json.dumps({"game": rules.NAME, "title": rules.TITLE, **bots, "settings": declared}))
        return FINE
    print(f"{rules.TITLE} ({rules.NAME}); bots: {', '.join(bots_of(rules.NAME))}")
    print(
        f"styles, written behind the name of any of them: {', '.join(f'greedy-{style}' for style in STYLES[rules.NAME])}\n"
    )
    for d in declared:
        print(f"{d['name']} = {d['default']}   ({d['unit']}: {d['range']})\n    {d['meaning']} [{d['clause']}]")
    return FINE


def say_of(variant: Any) -> None:
    """Warnings and notes of a variant, on stderr."""
    for words in [*variant.warnings, *variant.notes]:
        print(f"note: {words}", file=sys.stderr)


def run_simulate(args: argparse.Namespace) -> int:
    from tkg.bulk import make_run, simulate
    from tkg.metrics import measures, unfinished_games

    take_in(args.own)
    variant = variant_of(args.game, args.set)
    run = make_run(variant, args.bots, args.games, args.seed, args.fixed_seats)
    if args.out is not None and args.out.suffix != ".parquet":
        raise Refused(f"--out {args.out}: rows are written as parquet, to a name that ends in .parquet")
    began = time.perf_counter()
    table = simulate(
        variant,
        args.bots,
        args.games,
        args.seed,
        workers=args.workers,
        to=args.out,
        force=args.force,
        fixed_seats=args.fixed_seats,
        progress=sys.stderr.isatty(),
    )
    say_of_own(run.own, f": {run.games / (time.perf_counter() - began):.3g} games a second here")
    say_of_peeking(run.bots)
    found = measures(table, variant.rules, run.contest, variant.seats)
    if args.json:
        head = {
            "game": variant.game,
            "variant": str(variant),
            "bots": list(run.bots),
            "games": run.games,
            "seed": run.seed,
        }
        print(json.dumps({**head, "measures": found}, allow_nan=False))
        return FINE
    say_of(variant)
    print(f"{variant}, bots {','.join(run.bots)}, {run.games} games, seed {run.seed}; means and 95% intervals")
    width = max(map(len, found))
    for name, m in found.items():
        ends = "" if m["low"] is None else f"   {m['low']:.4g} to {m['high']:.4g}"
        print(f"{name:<{width}}  {m['mean']:>9.4g}{ends}")
    if variant.seats > 1:
        say_of_seats(table)
    stopped = unfinished_games(table)
    if stopped:
        print(f"{stopped} of {run.games} games did not finish; they are counted above, scored as they stood")
    if args.out is not None:
        print(f"rows in {args.out}")
    return FINE


def say_of_peeking(bots: Sequence[str]) -> None:
    """Which bots see what no player may, on stderr."""
    from tkg.bots.table import peeks

    for bot in dict.fromkeys(filter(peeks, bots)):
        print(f"note: {bot} sees everything that is hidden from its seat: a bound, and no player", file=sys.stderr)


def say_of_seats(table: Any) -> None:
    """Whether some seat has an advantage, in a line for every bot that can tell."""
    from tkg.metrics import seat_advantage

    tests = seat_advantage(table)
    if tests.is_empty():
        print(
            "seats: no game was won by one seat alone, or bots kept their seats, so that no seat's advantage can be told"
        )
    for test in tests.iter_rows(named=True):
        words = "seats differ" if test["p_exact"] < 0.05 else "no seat advantage can be told"
        print(
            f"{words}: {test['bot']} does best in seat {test['best_seat']}, winning {test['best_share']:.1%} of its games there; "
            f"exact p {test['p_exact']:.2g}, chi-square p {test['p_chi2']:.2g}, over {test['games']} games won by one seat alone"
        )


def run_ladder(args: argparse.Namespace) -> int:
    from tkg.files import whole_folder
    from tkg.ladders import ladder
    from tkg.own_bots import own_among

    take_in(args.own)
    variant = variant_of(args.game, args.set)
    with contextlib.ExitStack() as stack:
        folder = None if args.out is None else stack.enter_context(whole_folder(args.out, "ladder.png", args.force))
        progress = sys.stderr.isatty()
        found = ladder(variant, args.bots, args.deals, args.seed, workers=args.workers, progress=progress)
        if folder is not None:
            from tkg.charts import ladder as drawn
            from tkg.charts import save_chart

            save_chart(drawn(found.summary), folder / "ladder", found.summary)
            found.pairs.write_csv(folder / "pairs.csv")
            found.steps.write_csv(folder / "steps.csv")
    say_of_own(own_among(variant.game, found.bots))
    if args.json:
        head = {"game": variant.game, "variant": str(variant), "bots": list(found.bots), "deals": found.deals}
        tables = {name: getattr(found, name).to_dicts() for name in ("standings", "pairs", "steps", "costs")}
        words = {"verdict": found.verdict, "notes": found.notes}
        print(json.dumps({**head, "seed": found.seed, "anchor": found.anchor, **tables, **words}, allow_nan=False))
        return FINE
    say_of(variant)
    print(found)
    if args.out is not None:
        print(f"tables and chart in {args.out}")
    return FINE


def run_study(args: argparse.Namespace) -> int:
    from tkg.studies.plan import read_study
    from tkg.studies.running import study_file

    file = study_file(args.file)
    study = read_study(file, args.games)
    return played_study(args, study, args.to or file.with_suffix(""), [] if args.by is None else args.by.split(","))


def run_sweep(args: argparse.Namespace) -> int:
    from tkg.studies.plan import axis_from_text, make_study

    take_in(args.own)
    base = variant_of(args.game, args.set)
    axes: dict[str, list[Any]] = {}
    for text in args.vary:
        name, values = axis_from_text(base.rules, text)
        if name in axes:
            raise Refused(f"--vary {text}: {name} is varied twice; give all its values at once")
        axes[name] = values
    name = "sweep" if args.to is None else args.to.name
    study = make_study(
        name, base.but, axes, args.bots or ["random"], args.games, args.seed,
        design=args.design, points=args.points, skip_refused=args.skip_refused,
    )  # fmt: skip
    if args.to is not None:
        return played_study(args, study, args.to, [])
    with tempfile.TemporaryDirectory() as scratch:
        return played_study(args, study, Path(scratch), [])


def played_study(args: argparse.Namespace, study: Any, to: Path, by: list[str]) -> int:
    """Play a study and print its summary."""
    from tkg.studies.running import play_study, show_plan, to_stderr
    from tkg.studies.store import Store
    from tkg.studies.summary import summarise

    if args.plan:
        for line in show_plan(study, to=to, workers=args.workers, engine=args.engine):
            print(line)
        return FINE
    table = play_study(
        study, to=to, workers=args.workers, engine=args.engine, progress=sys.stderr.isatty(), say=to_stderr
    )
    verdicts = Store(to).manifest()["verdicts"]
    found = summarise(study, table, by, verdicts)
    say_of_peeking([bot for bots in study.bot_choices for bot in bots])
    if args.json:
        print(json.dumps(found.plain, allow_nan=False))
        return FINE
    for words in dict.fromkeys(words for cell in study.unique_runs for words in cell.run.variant.notes):
        print(f"note: {words}", file=sys.stderr)
    print(found)
    if args.command == "study" or args.to is not None:
        print(f"games in {to}")
    return FINE


def run_compare(args: argparse.Namespace) -> int:
    from tkg.comparing import compare
    from tkg.files import whole_file
    from tkg.variant_files import variant_from

    take_in(args.own)
    game = variant_of(args.game, []).game
    sides = [variant_from(text) for text in (args.a, args.b)]
    for text, side in zip((args.a, args.b), sides, strict=True):
        if side.game != game:
            raise Refused(f"{text} is no variant of {game}")
    with contextlib.ExitStack() as stack:
        part = None if args.out is None else stack.enter_context(whole_file(args.out, args.force))
        found = compare(*sides, **how(args))
        if part is not None:
            found.table.write_csv(part)
    return told(args, found)


def run_readings(args: argparse.Namespace) -> int:
    from tkg.comparing import readings
    from tkg.files import whole_folder

    take_in(args.own)
    variant = variant_of(args.game, args.set)
    measures = {} if args.measures is None else {"measures": args.measures.split(",")}
    with contextlib.ExitStack() as stack:
        folder = None if args.out is None else stack.enter_context(whole_folder(args.out, "readings.png", args.force))
        found = readings(variant, **how(args), **measures)
        if folder is not None:
            from tkg.charts import readings as drawn
            from tkg.charts import save_chart

            save_chart(drawn(found.ranked), folder / "readings", found.ranked)
            found.table.write_csv(folder / "measures.csv")
    return told(args, found)


def how(args: argparse.Namespace) -> dict[str, Any]:
    """How a comparison is played, as it was told on the command line."""
    named = {name: getattr(args, name) for name in ("bots", "games", "seed", "margin", "workers")}
    return {**named, "progress": sys.stderr.isatty()}


def told(args: argparse.Namespace, found: Any) -> int:
    """Print what a comparison has found."""
    print(json.dumps(found.plain, allow_nan=False) if args.json else found)
    if args.out is not None and not args.json:
        print(f"written to {args.out}")
    return FINE


def run_skill(args: argparse.Namespace) -> int:
    from tkg.files import whole_folder
    from tkg.skills import skill

    take_in(args.own)
    variant = variant_of(args.game, args.set)
    try:
        budgets = [int(part) for part in args.budgets.split(",")]
    except ValueError:
        raise Refused(f"--budgets {args.budgets}: whole numbers with commas between, such as 4,16,64") from None
    choice = {"search": args.search, "below": args.below}
    with contextlib.ExitStack() as stack:
        folder = None if args.out is None else stack.enter_context(whole_folder(args.out, "by_budget.csv", args.force))
        found = skill(variant, budgets, **choice, **on_deals(args))
        if folder is not None:
            for name in ("by_budget", "levels", "measures"):
                getattr(found, name).write_csv(folder / f"{name}.csv")
    if not args.json:
        say_of(variant)
    return told(args, found)


def run_restricted(args: argparse.Namespace) -> int:
    from tkg.ways import restricted

    return told_ways(args, restricted, {"styles": args.styles, "bot": args.bot})


def run_exploits(args: argparse.Namespace) -> int:
    from tkg.ways import exploits

    return told_ways(args, exploits, {"bots": args.bots, "fair": args.fair})


def on_deals(args: argparse.Namespace) -> dict[str, Any]:
    """On which deals bots meet, as it was told on the command line."""
    return {name: getattr(args, name) for name in ("deals", "seed", "workers")} | {"progress": sys.stderr.isatty()}


def told_ways(args: argparse.Namespace, ask: Callable[..., Any], choice: dict[str, Any]) -> int:
    """Ask what ways of playing are worth, and print the table."""
    from tkg.files import whole_file
    from tkg.ways import lines_of

    take_in(args.own)
    variant = variant_of(args.game, args.set)
    with contextlib.ExitStack() as stack:
        part = None if args.out is None else stack.enter_context(whole_file(args.out, args.force))
        table = ask(variant, **choice, **on_deals(args))
        if part is not None:
            table.write_csv(part)
    if args.json:
        head = {"game": variant.game, "variant": str(variant), "deals": args.deals, "seed": args.seed}
        print(json.dumps({**head, "ways": table.to_dicts()}, allow_nan=False))
        return FINE
    say_of(variant)
    print(f"{variant}, {args.deals} deals, seed {args.seed}; 95% intervals, each for its own row")
    print(*lines_of(table), sep="\n")
    if args.out is not None:
        print(f"written to {args.out}")
    return FINE


def run_records(args: argparse.Namespace) -> int:
    from tqdm.auto import tqdm

    from tkg.bulk import make_run, play_again
    from tkg.record import write_records
    from tkg.rules.chance import game_seed

    take_in(args.own)
    variant = variant_of(args.game, args.set)
    run = make_run(variant, args.bots, args.games, args.seed, args.fixed_seats)
    players = range(1, len(run.bots) + 1) if variant.seats == 1 else (1,)
    turns = tqdm(range(run.games), unit="game", disable=not sys.stderr.isatty(), delay=0.5)
    games = (
        play_again(variant, run.bots, int(game_seed(run.seed, g)), seat, 0 if args.fixed_seats else g)
        for g in turns
        for seat in players
    )
    write_records(args.out, games, args.force)
    say_of_own(run.own)
    say_of(variant)
    print(f"{run.games * len(players)} records in {args.out}")
    return FINE


def run_replay(args: argparse.Namespace) -> int:
    from tkg.record import BadRecord, decisions, from_record, parse_record, read_lines

    good = bad = 0
    told = sys.stderr if args.options else sys.stdout
    for number, line in read_lines(args.file):
        try:
            game = from_record(parse_record(line), finished=True)
        except BadRecord as error:
            bad += 1
            print(f"{number}: action {error.action}: {error.reason}", file=told)
            continue
        good += 1
        if args.options:
            print(json.dumps(decisions(game), separators=(",", ":"), ensure_ascii=False))
    print(f"{good} ok, {bad} bad", file=told)
    return BAD if bad else FINE


def run_report(args: argparse.Namespace) -> int:
    from tkg.report import write_report

    page = write_report(args.out, args.games, args.seed, args.workers, args.force, progress=True)
    print(f"the report is {page}")
    return FINE


def run_tune_bot(args: argparse.Namespace) -> int:
    from tkg.tuning import describe, fit_judge, make_task, tune_bot

    weights = [w.strip() for w in args.weights.split(",") if w.strip()]
    task = make_task(args.game, weights, args.bot, args.against, args.deals, args.seed)
    out = args.out or Path("out/weights") / f"{task.game}.json"
    if args.judge:
        print(f"how positions of {args.bot} went on, {args.deals} games of each variant:")
    else:
        print(f"{args.bot} with other weights ({', '.join(task.weights)}) against {args.against}, on")
    for line in describe(task):
        print(f"  {line}")
    shown = sys.stderr.isatty()
    if args.judge:
        words = fit_judge(task, out, start=args.start, progress=shown, force=args.force)
    else:
        words = tune_bot(
            task,
            out,
            args.generations,
            start=args.start,
            sigma=args.sigma,
            population=args.population,
            workers=args.workers,
            progress=shown,
            force=args.force,
        )
    print(words)
    print(f"weights in {out}; the bots play by tkg/bots/weights/{task.game}.json")
    return FINE


def run_tune(args: argparse.Namespace) -> int:
    from tkg.own_bots import own_among
    from tkg.targets import tune

    take_in(args.own)
    found = tune(
        variant_of(args.game, args.set),
        args.target,
        args.knobs,
        trials=args.trials,
        games=args.games,
        check=args.check,
        bot=args.bot,
        seconds=seconds_of(args.seconds),
        seed=args.seed,
        to=args.to,
        workers=args.workers,
        force=args.force,
        progress=sys.stderr.isatty(),
    )
    bots = list(dict.fromkeys(bot for term in found.terms for bot in term.bots))
    say_of_own(own_among(found.variant.game, bots))
    say_of_peeking(bots)
    if args.json:
        print(json.dumps(found.plain, allow_nan=False))
        return FINE
    say_of(found.variant)
    print(found)
    return FINE


def seconds_of(text: str | None) -> Any:
    """Seconds a decision from `12`, `build=12,move=6` or `playtests`."""
    if text == "playtests":
        from tkg.playtest_log import playtests

        return playtests().decisions
    if text is None:
        return None
    try:
        if "=" not in text:
            return float(text)
        parts = [part.partition("=") for part in text.split(",")]
        return {kind.strip(): float(value) for kind, _, value in parts}
    except ValueError:
        raise Refused(f"--seconds {text}: a number, KIND=NUMBER,KIND=NUMBER or playtests") from None


def run_bench(args: argparse.Namespace) -> int:
    from tkg.bench import print_bench

    return FINE if print_bench(as_json=args.json) or not args.strict else BAD


def after_a_break(args: argparse.Namespace) -> str:
    """What can be done after an interruption."""
    kept = (
        args.command in ("study", "tune")
        or (args.command == "sweep" and args.to is not None)
        or (args.command == "tune-bot" and not args.judge)
    )
    return "; what was played is kept, and the same command goes on from there" if kept else ""


@contextlib.contextmanager
def one_interrupt() -> Iterator[None]:
    """Let a Ctrl-C end what runs, and let no further one break off the tidying up that follows it."""
    usual = signal.getsignal(signal.SIGINT)
    if usual is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is interrupt:
            signal.signal(signal.SIGINT, usual)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; a user's slip is told in a line or two, never as a traceback."""
    args = build_parser().parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        with one_interrupt():
            status = args.run(args)
            sys.stdout.flush()
        return status
    except Refused as error:
        print(f"tkg {args.command}: {error}", file=sys.stderr)
        return WRONG
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except OSError as error:
        print(f"tkg {args.command}: {error.filename or 'the output'}: {error.strerror}", file=sys.stderr)
        return WRONG
    except KeyboardInterrupt:
        print(f"tkg {args.command}: interrupted; nothing half-written is left{after_a_break(args)}", file=sys.stderr)
        return 130

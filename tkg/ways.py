"""What particular ways of playing are worth: players who deny themselves something, and plans that might break a game."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tkg import metrics
from tkg.bots.table import CANNOT, EXPLOITS, STYLES, bot_code, bot_names, peeks, take_apart
from tkg.bulk import count_workers, make_run
from tkg.ladders import check_deals, contested, lone_share, over_deals
from tkg.metrics.words import columns, percent
from tkg.rules.errors import Refused, did_you_mean
from tkg.rules.knobs import Variant

DEALS = 200
FAIR = "greedy"
PLAYED = {"bot": pl.String, "deals": pl.Int64, "games": pl.Int64} | dict.fromkeys(
    ("free", "share", "difference", "low", "high"), pl.Float64
)


def restricted(
    variant: Variant,
    styles: str | Sequence[str] | None = None,
    bot: str = FAIR,
    deals: int = DEALS,
    seed: int = 0,
    *,
    workers: int | None = None,
    progress: bool = False,
) -> pl.DataFrame:
    """What a player loses who never does certain things: a row for every restriction.

    Restricted play of Jaffe, Miller, Andersen, Liu, Karlin and Popovic (2012), "Evaluating competitive game balance with restricted
    play", AIIDE 8: who wins less by denying itself an action shows what the action is worth. The same `bot` plays with and without each
    of `styles` (all of the game's, unless told), on the same deals. In a game of several seats one restricted player sits in each
    seat in turn among unrestricted ones; were it one of them, it would hold exactly one part of as many as there are seats. In a
    game for one both play every deal alone. A bot plans within its restriction and does not play as it would without; but one that is bad at
    using what others are denied loses little by it, so a small loss speaks of the bot first.

    Columns `style`, `bot`, `deals`, `games` (of the restricted player), `free` (the victories of the unrestricted one, or its part),
    `share` (those of the restricted one), `loss` (`free` less `share`), `low`, `high` (95%: over deals; for one player Agresti's and Min's
    interval of pairs), `verdict` (`loses` if the whole interval of the loss lies above 0, `gains` if below, else `level`), `note`. Each interval
    holds at 95% for its own row, so of twenty restrictions that cost nothing about one has a verdict all the same. Restrictions that
    the rules leave nobody free to keep to stand there without numbers, and why. Refused are styles that the game has not, bots with a
    style, that are one's own or that look at what is hidden, and fewer than two deals.
    """
    run = make_run(variant, bot, 1, seed)
    taken = take_apart(variant.game, run.bots[0])
    if len(run.bots) > 1 or taken.style or peeks(bot):
        raise Refused(
            f"bot={bot!r}: one bot is needed that sees what its seat may see and has no style, such as {FAIR}"
        )
    known, impossible = STYLES[variant.game], CANNOT[variant.game]
    wanted = check_styles(variant.game, [*known, *impossible], styles)
    playing = [style for style in wanted if style in known]
    table = against(variant, bot, [f"{bot}-{style}" for style in playing], deals, seed, workers, progress)
    loss = table.select(
        pl.Series("style", playing, dtype=pl.String),
        pl.lit(bot).alias("bot"),
        *("deals", "games", "free", "share"),
        (0 - pl.col("difference")).alias("loss"),  # no negative zero
        (0 - pl.col("high")).alias("low"),
        (0 - pl.col("low")).alias("high"),
    ).with_columns(verdict("loses", "gains"))
    notes = pl.DataFrame(
        {"style": wanted, "note": [impossible.get(style) for style in wanted]}, schema_overrides={"note": pl.String}
    )
    return notes.join(loss, on="style", how="left", maintain_order="left").select(*loss.columns, "note")


def check_styles(game: str, known: Sequence[str], styles: str | Sequence[str] | None) -> list[str]:
    """The styles that are asked for, each once."""
    if styles is not None and not isinstance(styles, (str, list, tuple)):
        raise Refused(f"styles={styles!r}: a name, or a list of them; there are {', '.join(known)}")
    wanted = known if styles is None else styles.split(",") if isinstance(styles, str) else styles
    names = [name.strip() if isinstance(name, str) else name for name in wanted]
    if not names:
        raise Refused(f"styles: none are named; there are {', '.join(known)}")
    for name in names:
        if name not in known:
            words = ", ".join(known)
            raise Refused(f"styles: {game} has no style {name!r}; there are {words}{did_you_mean(name, known)}")
        if names.count(name) > 1:
            raise Refused(f"styles: {name} is given twice; each style is played once")
    return names


def exploits(
    variant: Variant,
    bots: str | Sequence[str] | None = None,
    fair: str = FAIR,
    deals: int = DEALS,
    seed: int = 0,
    *,
    workers: int | None = None,
    progress: bool = False,
) -> pl.DataFrame:
    """What degenerate plans win against fair play: a row for every bot that was built to test one.

    `bots` are those that the game has for this (`tkg.bots.table.EXPLOITS`), unless told; others, also one's own, may be given. In a game of
    several seats one of them sits in each seat in turn among `fair` bots, on common deals; in a game for one both play
    every deal alone. A plan that gains is one that players will find, and that the game should not reward; one that does not gain
    against this bot may do so against others. In a game for one the fair bot may have found the plan itself: then both win alike, and
    `share` tells how much.

    Columns `bot`, `plan` (null for bots that the game does not know as exploits), `against`, `deals`, `games` (of the exploit), `free` (the
    victories of the fair bot, or its part), `share` (those of the exploit), `gain` (`share` less `free`), `low`, `high` (95%, as in
    `tkg.restricted`, each for its own row), `verdict` (`pays` if the whole interval of the gain lies above 0, `costs` if below, else `level`).
    """
    run = make_run(variant, fair, 1, seed)
    if len(run.bots) > 1 or peeks(fair):
        raise Refused(f"fair={fair!r}: one bot that sees what its seat may see is needed, such as {FAIR}")
    plans = EXPLOITS[variant.game]
    names = bot_names(variant.game, list(plans) if bots is None else bots)
    for name in names:
        if peeks(name):
            raise Refused(f"bots: {name} sees what is hidden from its seat, so what it gains shows no plan")
        if name == fair or names.count(name) > 1:
            raise Refused(f"bots: {name} is given twice; each bot is played once against {fair}")
    table = against(variant, fair, names, deals, seed, workers, progress)
    return table.select(
        "bot",
        pl.Series("plan", [plans.get(name) for name in names], dtype=pl.String),
        pl.lit(fair).alias("against"),
        *("deals", "games", "free", "share"),
        pl.col("difference").alias("gain"),
        *("low", "high"),
        verdict("pays", "costs"),
    )


def lines_of(table: pl.DataFrame) -> list[str]:
    """What `restricted` or `exploits` tells, whole and in percent, differences in points with their intervals; notes below."""
    name, change = ("style", "loss") if "style" in table.columns else ("bot", "gain")

    def points(value: float) -> str:
        return f"{100 * value:+z.1f}".replace("-", "\u2212")

    rows = [[name, "games", "free", "share", change, "verdict"]]
    for row in table.drop_nulls(change).iter_rows(named=True):
        interval = f"{points(row[change])} points ({points(row['low'])} to {points(row['high'])})"
        rows.append(
            [row[name], str(row["games"]), percent(row["free"]), percent(row["share"]), interval, row["verdict"]]
        )
    why = "note" if "note" in table.columns else "plan"
    told = table.drop_nulls(why).iter_rows(named=True)
    return [*columns(rows), *(f"{row[name]}: {row[why]}" for row in told)]


def verdict(above: str, below: str) -> pl.Expr:
    """What an interval says: whether all of it lies above 0, or below."""
    high, low = pl.col("low") > 0, pl.col("high") < 0
    return pl.when(high).then(pl.lit(above)).when(low).then(pl.lit(below)).otherwise(pl.lit("level")).alias("verdict")


def against(
    variant: Variant, fair: str, names: Sequence[str], deals: int, seed: int, workers: int | None, progress: bool
) -> pl.DataFrame:
    """What each bot wins beside a fair one on common deals: `bot`, `deals`, `games`, `free`, `share`, `difference`, `low`, `high`."""
    from tqdm.auto import tqdm

    number, threads = check_deals(deals), count_workers(workers)
    for name in (fair, *names):
        bot_code(variant.game, name)
    seats = variant.seats
    games = number * (len(names) + 1 if seats == 1 else seats * len(names))
    if not names:
        return pl.DataFrame(schema=PLAYED)
    with tqdm(total=games, unit="game", disable=not progress, desc=f"{variant}", delay=0.5) as bar:
        if seats == 1:
            _, wins = contested(variant, [fair, *names], number, seed, threads, bar.update)
            return alone(names, wins)
        shares = [lone_share(variant, name, fair, number, seed, threads, bar.update) for name in names]
    return among(names, np.array(shares).reshape(len(names), number).T, seats)


def alone(names: Sequence[str], wins: np.ndarray) -> pl.DataFrame:
    """The table of a game for one, from who won by deal and bot, the fair one first."""
    deals = len(wins)
    rows = pl.DataFrame(
        {
            "way": np.tile(np.arange(len(names) + 1), deals),
            "win": wins.reshape(-1),
            "game_seed": np.repeat(np.arange(deals), len(names) + 1),
        }
    ).with_columns(pl.lit(1).alias("seat"), pl.lit("").alias("bot"))
    table = pl.DataFrame({"way": range(1, len(names) + 1), "bot": list(names), "share": wins[:, 1:].mean(axis=0)})
    paired = metrics.paired_difference(rows, "win", "way", 0).select("way", "deals", "difference", "low", "high")
    found = table.join(paired, on="way", how="left", maintain_order="left")
    ends = pl.col("low", "high").clip(-1, 1)  # Agresti's and Min's may lie beyond what shares can differ by
    found = found.with_columns(pl.col("deals").alias("games"), pl.lit(wins[:, 0].mean()).alias("free"), ends)
    return found.select(list(PLAYED)).cast(PLAYED)  # type: ignore[arg-type]


def among(names: Sequence[str], shares: np.ndarray, seats: int) -> pl.DataFrame:
    """The table of a game of several seats, from what a lone bot wins by deal and bot, the mean over its seats."""
    part = 1 / seats
    table = over_deals(shares, seats, {"bot": list(names)})
    found = [
        (pl.col(name) - part).alias(new) for name, new in (("share", "difference"), ("low", "low"), ("high", "high"))
    ]
    told = table.select("bot", "deals", "games", pl.lit(part).alias("free"), "share", *found)
    return told.cast(PLAYED)  # type: ignore[arg-type]

"""How exciting games are: whether they end, how long they stay open, who was behind, what single moves do.

`completion`, `drawishness` and `duration` take the table that `tkg.simulate` gives, the others the values of positions over time
that `tkg.trace` gives; `by` names columns that tell whole games apart. What is averaged are games, moments within them
first. Where a measure means nothing for these games it is refused as `NotMeasured`, whose words say why; `tension` gives
all measures of a trace at once and puts these words beside the name of the measure.

Values are estimates from playouts, and their noise is no drama. Measures that compare values pass over differences of less than
`margin` times the standard error that the difference would have if there were none (a score test of two shares); means of squares
and of entropies are corrected for the noise instead. At three standard errors, level seats are taken for unequal about once in
400 comparisons. The price is that small leads are not seen: of two seats and 32 playouts those of less than three games to one.
In a simulated fair game for two, whose lead goes up and down as a Brownian motion and is judged at its tenths, 32 playouts saw half
of the drama and a sixth of the changes of the lead, 128 four fifths and two fifths. So compare traces of as many playouts and
moments only, and take more playouts to see more. Where they are so few that no lead could be seen, nothing is told.

The criteria are those of Browne (2008), "Automatic generation and evaluation of recombination games", PhD thesis,
Queensland University of Technology, of Browne and Maire (2010), "Evolutionary game design", IEEE Transactions on Computational
Intelligence and AI in Games 2(1), 1-16, and of the system Ludii (Ludeme/Ludii, `Evaluation/src/metrics`); each function names the
criterion and says where it differs. They judge games for two by an evaluation of the position; here values are shares of
the victory, for any number of seats. What is said of a criterion tells its idea, for which the thesis has formulas of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from numbers import Real

import polars as pl

from tkg.metrics.intervals import with_wilson
from tkg.metrics.measured import NotMeasured
from tkg.metrics.process import numbers, ratio
from tkg.metrics.shares import Table, share
from tkg.metrics.sums import check_numbers, columns_of, grouped, need, over_games, slices, unique
from tkg.rules.errors import Refused

MARGIN = 3.0  # standard errors by which values must differ to be told apart
DECIDED = 0.8  # the share of the victory from which on a game counts as decided
KILLER = 0.25  # what a killer move gains of the victory
KINGMAKER = 0.25  # what a kingmaker moves of the victory
EARLY, LATE = 1 / 3, 2 / 3  # where the first part of a game ends, and where its last begins
PARTS = 10
TRACE = ("run", "game", "moment", "decision", "decisions", "time", "seat", "decides", "playouts", "value", "se", "win")


# --- Whole games --------------------------------------------------------------------------------------------------


def completion(frame: Table, by: str | Sequence[str] | None = None) -> pl.DataFrame:
    """The share of games that end by the rules, before they are stopped for their length.

    `frame` is a table of games. Columns `by`, `games`, `count`, `share`, `low`, `high` (Wilson's interval).
    Criterion "completion" of Browne and Maire (2010). Ludii (`single/outcome/Completion`) counts only games
    that somebody won; here a shared victory is an end too, and `drawishness` tells of it.
    """
    keys = columns_of(by)
    lazy = need(frame, [*keys, "run", "game", "seat"])
    stopped = pl.lit(False)
    if "ending" in lazy.collect_schema().names():
        stopped = pl.col("ending").cast(pl.String) == "unfinished"
    return share(one_row_a_game(lazy, keys).with_columns((~stopped).alias("ended")), "ended", by)


def drawishness(frame: Table, by: str | Sequence[str] | None = None) -> pl.DataFrame:
    """The share of games that no seat wins alone: victories that are shared, and games stopped for their length.

    `frame` is a table of games. Columns `by`, `games`, `count`, `share`, `low`, `high` (Wilson's interval). Criterion
    "drawishness" of Browne and Maire (2010). Ludii (`single/outcome/Drawishness`) leaves games that were stopped out;
    here they are draws, since nobody has won them by the rules. Not measured for one seat.
    """
    keys = columns_of(by)
    lazy = need(frame, [*keys, "run", "game", "seat", "win"])
    whole_games(lazy, keys)
    several_seats(lazy, keys, "drawishness", "a single player shares no victory")
    open_end = pl.col("win").max() < 1
    if "ending" in lazy.collect_schema().names():
        open_end |= (pl.col("ending").cast(pl.String) == "unfinished").any()
    parts = [part.group_by(unique(["run", "game", *keys])).agg(open_end.alias("drawn")) for part in slices(lazy)]
    counted = over_games(parts, keys, [pl.len().alias("games"), pl.col("drawn").sum().cast(pl.Float64).alias("count")])
    return with_wilson(counted, "count", "games")


def duration(
    frame: Table, by: str | Sequence[str] | None = None, column: str = "decisions", preferred: float | None = None
) -> pl.DataFrame:
    """How long games are: the mean of `column`, and with `preferred` how far from that length games are.

    `frame` is a table of games. Columns `measure`, `by`, `games`, `mean`, `se`, `low`, `high`; `off_duration` is the mean of
    |length - preferred| / preferred. Criterion "duration" of Browne and Maire (2010), which is that deviation; Ludii
    (`single/duration`) gives the mean of moves and of turns.
    """
    keys = columns_of(by)
    if preferred is not None and not 0 < number(preferred) < math.inf:
        raise Refused(f"preferred={preferred!r}: a length above 0")
    lazy = one_row_a_game(need(frame, [*keys, column, "run", "game", "seat"]), keys)
    check_numbers(lazy, [column])
    lazy = lazy.with_columns(pl.col(column).cast(pl.Float64).alias("duration"))
    if preferred is None:
        return means(lazy, ["duration"], keys)
    off = ((pl.col("duration") - preferred).abs() / preferred).alias("off_duration")
    return means(lazy.with_columns(off), ["duration", "off_duration"], keys)


def one_row_a_game(lazy: pl.LazyFrame, keys: list[str]) -> pl.LazyFrame:
    """The rows of first seats: what seats of a game have in common. Players of a contest stay apart."""
    if "contest" in lazy.collect_schema().names():
        return lazy
    whole_games(lazy, keys)
    return lazy.filter(pl.col("seat") == 1)


def whole_games(lazy: pl.LazyFrame, keys: list[str], game: Sequence[str] = ("run", "game")) -> None:
    """Refuse to tell parts of a game apart."""
    others = [key for key in keys if key not in game]
    if not others:
        return
    of_games = [part.group_by(game).agg(pl.col(others).n_unique()) for part in slices(lazy)]
    most = over_games(of_games, [], [(pl.col(others) > 1).sum()])
    for key in others:
        if most[key].item():
            raise Refused(f"by={key!r} differs within a game; this is told of whole games")


# --- From behind --------------------------------------------------------------------------------------------------


def drama(trace: Table, by: str | Sequence[str] | None = None, *, margin: float = MARGIN) -> pl.DataFrame:
    """How far behind winners were: measures `drama` and `drama_max`, and `behind`.

    Columns `measure`, `by`, `games`, `mean`, `se`, `low`, `high`. At each moment before the end the winner's value is held
    against the best of all seats. What it lacks, if more than the margin, is averaged over the moments of a game (`drama`), or its
    largest is taken (`drama_max`); `behind` is the share of moments at which it lacks anything. In games with several winners
    they are averaged. Games that nobody won are left out. As in Ludii (`multiple/metrics/Drama`), which knows no margin.
    Criteria "drama (average)" and "drama (maximum)" of Browne (2008) take the square root of what is lacking, and average over
    the moments behind only; that tells a slight lag from none more by its noise than by its size. Not measured for one seat.
    """
    keys, rows = values_of(trace, by)
    several_seats(rows.lazy(), keys, "drama", "a single player is behind nobody")
    enough_playouts(rows, keys, "drama", margin)
    moments = ["run", "game", "moment"]
    rows = before_the_end(rows).with_columns(pl.col("value").max().over(moments).alias("best"))
    lag = pl.col("best") - pl.col("value")
    clear = lag > margin * error_of_seats("best", "value")
    winners = rows.filter(pl.col("win") > 0).with_columns(pl.when(clear).then(lag).otherwise(0.0).alias("lag"))
    by_moment = winners.group_by(unique([*moments, *keys])).agg(
        pl.col("lag").mean(), (pl.col("lag") > 0).mean().alias("behind")
    )
    games = by_moment.group_by(unique(["run", "game", *keys])).agg(
        pl.col("lag").mean().alias("drama"), pl.col("lag").max().alias("drama_max"), pl.col("behind").mean()
    )
    return means(games.lazy(), ["drama", "drama_max", "behind"], keys, highest=1)


def lead_changes(trace: Table, by: str | Sequence[str] | None = None, *, margin: float = MARGIN) -> pl.DataFrame:
    """How often the lead passes from one seat to another: measures `lead_changes` and `lead_known`.

    Columns `measure`, `by`, `games`, `mean`, `se`, `low`, `high`. A seat leads where its value is above that of every other by more
    than the margin, at the end where it has won alone; `lead_changes` is how often in a game the next seat to lead is another
    than the last, with moments without a leader in between or not, and `lead_known` the share of moments before the end with a leader.
    The more moments a trace has, the more changes can be seen. Criterion "lead change" of Browne (2008) and Ludii's
    (`single/stateEvaluation/LeadChange`) count by move and divide by moves; Ludii counts every change of the set
    of leaders, so that noise changes the lead. Not measured for one seat.
    """
    keys, rows = values_of(trace, by)
    several_seats(rows.lazy(), keys, "lead_changes", "a single player always leads")
    enough_playouts(rows, keys, "lead_changes", margin)
    leads = (
        rows.group_by(unique(["run", "game", "moment", *keys]))
        .agg(
            pl.col("seat").sort_by("value", descending=True).first(),
            pl.col("value").max().alias("first"),
            pl.col("value").sort(descending=True).get(1).alias("second"),
            pl.col("playouts").first(),
            (pl.col("decision") < pl.col("decisions")).first().alias("on"),
        )
        .sort("run", "game", "moment")
    )
    clear = pl.col("first") - pl.col("second") > margin * error_of_seats("first", "second")
    leads = leads.with_columns(clear.alias("clear"))
    known = leads.filter("on").group_by(unique(["run", "game", *keys])).agg(pl.col("clear").mean().alias("lead_known"))
    passes = (pl.col("seat") != pl.col("seat").shift(1).over("run", "game")).fill_null(False)
    changes = leads.filter("clear").with_columns(passes.alias("passes"))
    changed = changes.group_by("run", "game").agg(pl.col("passes").sum().cast(pl.Float64).alias("lead_changes"))
    games = known.join(changed, on=["run", "game"], how="left").with_columns(pl.col("lead_changes").fill_null(0.0))
    counted = means(games.lazy(), ["lead_changes"], keys)
    return pl.concat([counted, means(games.lazy(), ["lead_known"], keys, highest=1)])


# --- How open games are -------------------------------------------------------------------------------------------


def decisiveness(trace: Table, by: str | Sequence[str] | None = None, *, threshold: float = DECIDED) -> pl.DataFrame:
    """When games are decided: measures `decided_at` and `decided_early`.

    Columns `measure`, `by`, `games`, `mean`, `se`, `low`, `high`. `decided_at` is the time, as a share of the game, from which on the
    value of the seat that wins stays at `threshold` or above to the end; for a single player, from which on the chance of what came of
    the game does, victory or defeat. A game that no seat won alone is decided at its end. `decided_early` is the share of games
    decided before their last third. No margin is needed: what dips below by noise makes games seem decided later, so
    noise alone decides none; threshold and noise together tell apart what a judge of so many playouts can. Criterion
    "decisiveness" of Browne (2008), and Ludii's (`single/stateEvaluation/decisiveness`), whose threshold is the
    highest value that any loser reached in the game itself; a fixed one makes games comparable.
    """
    if not 0.5 < number(threshold) < 1:
        raise Refused(f"threshold={threshold!r}: above 0.5 and below 1")
    keys, rows = values_of(trace, by)
    rows = rows.with_columns(pl.col("seat").n_unique().over("run", "game").alias("seats"))
    alone = pl.col("seats") == 1
    fate = pl.when(alone & (pl.col("win") < 1)).then(1 - pl.col("value")).otherwise(pl.col("value"))
    won = rows.with_columns(fate.alias("fate")).filter(
        alone | (pl.col("win") == pl.col("win").max().over("run", "game"))
    )
    over = pl.col("decision") == pl.col("decisions")
    shared = ~alone & (pl.col("win") < 1)
    won = won.with_columns(((shared | (pl.col("fate") < threshold)) & ~over).alias("open"))
    last_open = pl.col("moment").filter("open").max().fill_null(-1)
    games = won.group_by(unique(["run", "game", *keys])).agg(
        pl.col("time").filter(pl.col("moment") > last_open).min().alias("decided_at")
    )
    games = games.with_columns((pl.col("decided_at") < LATE).alias("decided_early"))
    at = means(games.lazy(), ["decided_at"], keys, highest=1)
    return pl.concat([at, share_of_games(games, "decided_early", keys)])


def uncertainty(trace: Table, by: str | Sequence[str] | None = None) -> pl.DataFrame:
    """How open the outcome is: the entropy of who is to win, measures `uncertainty`, `uncertainty_early` and `uncertainty_late`.

    Columns `measure`, `by`, `games`, `mean`, `se`, `low`, `high`. 1 where all seats have equal chances, or a single player
    wins every second time, 0 where the outcome is certain. Moments before the end are averaged: all, those of the first third of
    the game, those of its last. Entropies of shares of few playouts are too low; this is put right to first order by
    (outcomes seen - 1) / (2 playouts), after Miller (1955), "Note on the bias of information estimates",
    Information theory in psychology, 95-100. Criteria "uncertainty" and "uncertainty (late)" of Browne (2008) and Browne and
    Maire (2010) measure how small the lead is instead; the entropy is the same for any number of seats.
    """
    keys, rows = entropies(trace, by)
    parts = {
        "uncertainty": pl.lit(True),
        "uncertainty_early": pl.col("time") < EARLY,
        "uncertainty_late": pl.col("time") >= LATE,
    }
    averaged = [pl.col("entropy").filter(part).mean().alias(name) for name, part in parts.items()]
    games = rows.group_by(unique(["run", "game", *keys])).agg(averaged)
    tables = [means(games.lazy().drop_nulls(name), [name], keys, highest=1) for name in parts]
    return pl.concat(tables)


def uncertainty_over_time(trace: Table, by: str | Sequence[str] | None = None, *, parts: int = PARTS) -> pl.DataFrame:
    """The entropy of who is to win by parts of the game: a row for every part and combination of `by`.

    Columns `by`, `part` (from 0), `time` (where it begins, as a share of the game), `games`, `mean`, `se`, `low`, `high`. As
    `uncertainty`, moments averaged within a part of a game; parts in which a trace has no moment are missing.
    """
    if not (number(parts) >= 1 and number(parts).is_integer()):
        raise Refused(f"parts={parts!r}: a whole number from 1")
    keys, rows = entropies(trace, by)
    part = (pl.col("time") * parts + 1e-9).floor().cast(pl.Int64).alias("part")
    games = (
        rows.with_columns(part)
        .group_by(unique(["run", "game", *keys, "part"]))
        .agg(pl.col("entropy").mean().alias("mean"))
    )
    found = means(games.lazy(), ["mean"], [*keys, "part"], highest=1)
    begins = (pl.col("part") / parts).alias("time")
    return found.select(*keys, "part", begins, "games", "mean", "se", "low", "high")


def entropies(trace: Table, by: str | Sequence[str] | None) -> tuple[list[str], pl.DataFrame]:
    """(columns to tell apart, a row for every moment before the end with its `entropy`)."""
    keys, rows = values_of(trace, by)
    rows = before_the_end(rows)
    p = pl.col("value")
    terms = pl.when(p > 0).then(-p * p.log()).otherwise(0.0)
    moments = rows.group_by(unique(["run", "game", "moment", *keys])).agg(
        terms.sum().alias("own"),
        (p > 0).sum().alias("seen"),
        p.sum().alias("all"),
        pl.len().alias("seats"),
        pl.col("playouts", "time").first(),
    )
    nobody = (1 - pl.col("all")).clip(lower_bound=0)  # what no seat wins: of a single player the defeat
    real = nobody > 1e-9
    moments = moments.with_columns(
        (pl.col("own") + pl.when(real).then(-nobody * nobody.log()).otherwise(0.0)).alias("raw"),
        (pl.col("seen") + real.cast(pl.Int64)).alias("seen"),
    )
    level = pl.max_horizontal(pl.col("seats"), pl.lit(2)).cast(pl.Float64).log()
    entropy = (pl.col("raw") + (pl.col("seen") - 1) / (2 * pl.col("playouts"))) / level
    return keys, moments.with_columns(entropy.alias("entropy"))


def stability(trace: Table, by: str | Sequence[str] | None = None) -> pl.DataFrame:
    """How much values go up and down in a game: measure `instability`, the lower the steadier.

    Columns `measure`, `by`, `games`, `mean`, `se`, `low`, `high`. The variance of a seat's value over the moments of a game before its
    end, less that of the estimates themselves (the mean of `se` squared), averaged over seats. Of n moments at most n / (4 (n - 1)); of a trace of noise
    alone 0 on average, so that single games may be below. As Ludii (`single/stateEvaluation/Stability`), which adds up
    seats and knows no noise. Criterion "stability" of Browne (2008) looks at the size of changes from move to move.
    """
    keys, rows = values_of(trace, by)
    spread = (pl.col("value").var() - (pl.col("se") ** 2).mean()).alias("instability")
    seats = before_the_end(rows).group_by(unique(["run", "game", "seat", *keys])).agg(spread)
    games = seats.group_by(unique(["run", "game", *keys])).agg(pl.col("instability").mean()).drop_nulls()
    return means(games.lazy(), ["instability"], keys, lowest=None)


# --- Single moves -------------------------------------------------------------------------------------------------


def killer_moves(
    trace: Table, by: str | Sequence[str] | None = None, *, least: float = KILLER, margin: float = MARGIN
) -> pl.DataFrame:
    """What single decisions gain: measures `killer_moves` and `largest_gain`.

    Columns `measure`, `by`, `games`, `mean`, `se`, `low`, `high`. The gain of a decision is by how much the value of the seat that took
    it is higher at the next, luck that fell in between included. `killer_moves` is the share of decisions that gain at least `least`, and
    more than the margin (a ratio over games: delta method), `largest_gain` the mean over games of the largest gain above the margin,
    0 where there is none. Criterion "killer moves" of Browne (2008), which asks for the largest change of the lead by a move.
    Taken are moments one decision apart; a trace that has none is not measured, those of `moments="all"` have all.
    """
    check_least(least)
    keys, rows = values_of(trace, by)
    enough_playouts(rows, keys, "killer_moves", margin)
    after = [
        pl.col(c).shift(-1).over("run", "game", "seat").alias(f"{c}_then") for c in ("value", "playouts", "decision")
    ]
    rows = rows.sort("run", "game", "seat", "moment").with_columns(after)
    moves = rows.filter(pl.col("decides") & (pl.col("decision_then") == pl.col("decision") + 1))
    if moves.is_empty():
        raise NotMeasured('killer_moves: the trace has no moments one decision apart; trace with moments="all"')
    gain = pl.col("value_then") - pl.col("value")
    clear = gain > margin * error_over_time("value", "value_then", "playouts", "playouts_then")
    games = moves.group_by(unique(["run", "game", *keys])).agg(
        pl.len().cast(pl.Float64).alias("moves"),
        (clear & (gain >= least)).sum().cast(pl.Float64).alias("killers"),
        gain.filter(clear).max().fill_null(0.0).alias("largest_gain"),
    )
    largest = means(games.lazy(), ["largest_gain"], keys, highest=1)
    return pl.concat([ratio_over_games(games, "killers", "moves", "killer_moves", keys), largest])


def permanence(trace: Table, by: str | Sequence[str] | None = None, *, margin: float = MARGIN) -> pl.DataFrame:
    """Whether what a turn gains lasts: measure `permanence`, the share of gains that outlast the next turn.

    Columns `measure`, `by`, `games`, `mean`, `se`, `low`, `high` (a ratio over games: delta method). A turn is all that one seat
    decides on end; of those that gain their seat more than the margin, the share is told of which the next turn, of another
    seat, does not take half of the gain or more, by more than the margin. Criterion "permanence" of Browne (2008), which asks how much of a
    lead an opponent's reply takes back; a mean of that would measure the noise of the value between the two. Games
    without gains are left out. Not measured where no turn gains, for one seat, whose turns nobody answers, and where moments
    are missing: trace with `moments="all"`.
    """
    keys, rows = values_of(trace, by)
    several_seats(rows.lazy(), keys, "permanence", "nobody answers a single player's turns")
    enough_playouts(rows, keys, "permanence", margin)
    decider = pl.col("seat").filter("decides").first().over("run", "game", "moment").fill_null(0).alias("decider")
    rows = rows.with_columns(decider).sort("run", "game", "seat", "moment")
    track = ["run", "game", "seat"]
    if rows.select((pl.col("decision") - pl.col("decision").shift(1).over(track)).max() > 1).item():
        raise NotMeasured('permanence: the trace leaves decisions out; trace with moments="all"')
    begins = (pl.col("decider") != pl.col("decider").shift(1).over(track)).fill_null(True)
    turns = rows.filter(begins)
    later = [pl.col(c).shift(-n).over(track).alias(f"{c}_{n}") for c in ("value", "playouts") for n in (1, 2)]
    turns = turns.with_columns(later).filter(pl.col("decides")).drop_nulls("value_2")
    gain, loss = pl.col("value_1") - pl.col("value"), pl.col("value_1") - pl.col("value_2")
    gained = gain > margin * error_over_time("value", "value_1", "playouts", "playouts_1")
    taken = (loss > margin * error_over_time("value_1", "value_2", "playouts_1", "playouts_2")) & (loss >= gain / 2)
    games = (
        turns.filter(gained)
        .group_by(unique(["run", "game", *keys]))
        .agg(pl.len().cast(pl.Float64).alias("gains"), (~taken).sum().cast(pl.Float64).alias("kept"))
    )
    if games.is_empty():
        raise NotMeasured("permanence: no turn gained more than the margin")
    return ratio_over_games(games, "kept", "gains", "permanence", keys)


def kingmaking(
    trace: Table,
    options: Table,
    by: str | Sequence[str] | None = None,
    *,
    least: float = KINGMAKER,
    margin: float = MARGIN,
) -> pl.DataFrame:
    """How often a seat that cannot win any more decides who does: measures `kingmaking`, `kingmaker_games` and `kingmaker_power`.

    `trace` is what `tkg.trace` gives for three seats or more, `options` what `tkg.trace_options` gives for it. Columns
    `measure`, `by`, `games`, `mean`, `se`, `low`, `high`. A seat has lost that wins none of the playouts of a moment at which it
    decides, and with none of its options: so few that with n of them its chance is below 3 / n with 95% confidence. What it can do is
    how much the share of the victory of one other seat differs between two of its options. Which seat and options these are is
    settled by one half of the playouts, how much it is by the other half, and the other way round; the mean of both is what is told,
    so that picking the largest of many differences does not make noise look like power. Where it is at least `least`, and
    more than the margin, the seat is a kingmaker.

    `kingmaking` is the share of judged decisions with several options that kingmakers take (a ratio over games),
    `kingmaker_games` the share of games with at least one among their judged moments, `kingmaker_power` the mean over games
    of the most that a seat could do that had lost, 0 where none could. Kingmaking as in Elias, Garfield and Gutschera
    (2012), Characteristics of Games, section 2.4. Not measured for fewer than three seats.
    """
    check_margin(margin)
    check_least(least)
    keys, rows = values_of(trace, by, "options")
    several_seats(
        rows.lazy(), keys, "kingmaking", "it takes three seats that one decides which of the others wins", least=3
    )
    wanted = ["run", "game", "moment", "decider", "option", "seat", "playouts", "value", "value_again"]
    judged = need(options, wanted).select(wanted).collect().with_columns(pl.col("run").cast(pl.String))
    place = ["run", "game", "moment"]
    own = pl.col("seat") == pl.col("decider")
    none = (pl.col("value").filter(own).sum() + pl.col("value_again").filter(own).sum() == 0).over(place)
    others = judged.filter(none & ~own).with_columns(pl.col("playouts").cast(pl.Float64))
    ways = [
        shift_between(others, place, first, again)
        for first, again in (("value", "value_again"), ("value_again", "value"))
    ]
    both = pl.concat(ways).group_by(place).agg(pl.col("power").mean(), pl.col("error").mean())
    power = pl.col("power").clip(lower_bound=0)
    both = both.with_columns(
        power, ((pl.col("power") >= least) & (pl.col("power") > margin * pl.col("error"))).alias("king")
    )
    choices = rows.filter(pl.col("decides") & (pl.col("options") > 1)).join(both, on=place, how="left")
    games = choices.group_by(unique(["run", "game", *keys])).agg(
        pl.len().cast(pl.Float64).alias("choices"),
        pl.col("king").sum().cast(pl.Float64).alias("kings"),
        pl.col("king").any().alias("kingmaker_games"),
        pl.col("power").max().fill_null(0.0).alias("kingmaker_power"),
    )
    ratios = ratio_over_games(games, "kings", "choices", "kingmaking", keys)
    power_of_games = means(games.lazy(), ["kingmaker_power"], keys, highest=1)
    return pl.concat([ratios, share_of_games(games, "kingmaker_games", keys), power_of_games])


def shift_between(others: pl.DataFrame, place: list[str], first: str, again: str) -> pl.DataFrame:
    """By decision, how far its options move the victory of one seat by `again`, where `first` has picked seat and options."""
    ends = others.group_by([*place, "seat"]).agg(
        pl.col(first).max().alias("high"), pl.col(first).min().alias("low"),
        pl.col(again).sort_by(first, descending=True).first().alias("p"),
        pl.col(again).sort_by(first).first().alias("q"),
        pl.col("playouts").first(),
    )  # fmt: skip
    picked = ends.sort(
        [*place, pl.col("high") - pl.col("low"), "seat"], descending=[False] * len(place) + [True, False]
    )
    picked = picked.unique(place, keep="first", maintain_order=True)
    error = error_over_time("p", "q", "playouts", "playouts")
    return picked.select(*place, (pl.col("p") - pl.col("q")).alias("power"), error.alias("error"))


# --- All of them --------------------------------------------------------------------------------------------------

FROM_TRACES: tuple[Callable[..., pl.DataFrame], ...] = (
    drama,
    lead_changes,
    decisiveness,
    uncertainty,
    stability,
    killer_moves,
    permanence,
)


def tension(trace: Table, by: str | Sequence[str] | None = None, options: Table | None = None) -> pl.DataFrame:
    """All measures of a trace, and with `options` (`tkg.trace_options`) kingmaking: a row for every measure and combination of `by`.

    Columns `measure`, `by`, `games`, `mean`, `se`, `low`, `high`, `note`. Every combination of `by` is measured by itself: what is not measured
    has one row by the name of its function, without numbers, and the reason in `note`.
    """
    keys, rows = values_of(trace, by, *(() if options is None else ("options",)))
    parts = rows.sort(keys, maintain_order=True).partition_by(keys) if keys else [rows]
    measures: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {m.__name__: m for m in FROM_TRACES}
    if options is not None:
        measures["kingmaking"] = lambda part: kingmaking(part, options)
    found = []
    for name, measure in measures.items():
        tables = [measured(name, measure, part, keys) for part in parts]
        found += pl.concat(tables, how="diagonal").partition_by("measure")
    told = ["measure", *keys, "games", "mean", "se", "low", "high", "note"]
    return pl.concat(found, how="diagonal").select(told)


def measured(
    name: str, measure: Callable[[pl.DataFrame], pl.DataFrame], part: pl.DataFrame, keys: list[str]
) -> pl.DataFrame:
    """What a measure tells of one combination of `keys`, or why it tells nothing."""
    try:
        table = measure(part).with_columns(pl.lit(None, dtype=pl.String).alias("note"))
    except NotMeasured as why:
        table = pl.DataFrame({"measure": [name], "note": [why.reason]})
    return table.join(part.select(keys).head(1), how="cross") if keys else table


# --- Helpers ------------------------------------------------------------------------------------------------------


def values_of(trace: Table, by: str | Sequence[str] | None, *more: str) -> tuple[list[str], pl.DataFrame]:
    """(columns to tell apart, what a trace tells that measures need)."""
    keys = columns_of(by)
    columns = list(dict.fromkeys([*keys, *TRACE, *more]))
    rows = need(trace, columns).select(columns).collect()
    if rows.is_empty():
        raise Refused("the trace has no games")
    whole_games(rows.lazy(), keys)
    text = pl.col("run").cast(pl.String)
    return keys, rows.with_columns(text, pl.col("playouts").cast(pl.Float64))


def several_seats(lazy: pl.LazyFrame, keys: list[str], measure: str, why: str, least: int = 2) -> None:
    """Refuse a measure for games of too few seats; players of a contest do not sit in one game."""
    alone = "contest" in lazy.collect_schema().names()
    of_games = [
        part.group_by(unique(["run", "game", *keys])).agg(pl.col("seat").n_unique().alias("_seats"))
        for part in slices(lazy)
    ]
    few = over_games(of_games, keys, [(pl.col("_seats") < least).sum().alias("_few")]).filter(pl.col("_few") > 0)
    if alone or not few.is_empty():
        raise NotMeasured(f"{measure}: {why}{of_which(few, keys)}")


def enough_playouts(rows: pl.DataFrame, keys: list[str], measure: str, margin: float) -> None:
    """Refuse a margin that is none, and to compare values of which none could differ by more, as shares of so few playouts."""
    check_margin(margin)
    judged = grouped(before_the_end(rows).lazy(), keys, [pl.col("playouts").min().alias("_fewest")])
    few = judged.filter(pl.col("_fewest") <= margin**2)
    if not few.is_empty():
        fewest, needed = few.select(pl.col("_fewest").min()).item(), math.floor(margin**2) + 1
        raise NotMeasured(
            f"{measure}: {fewest:.0f} playouts are too few to tell any lead from noise; it takes {needed}{of_which(few, keys)}"
        )


def of_which(table: pl.DataFrame, keys: list[str]) -> str:
    """The first combination of `keys` in a table, in brackets."""
    if not keys or table.is_empty():
        return ""
    return f" ({', '.join(f'{key}={value}' for key, value in zip(keys, table.select(keys).row(0), strict=True))})"


def number(value: object) -> float:
    """The number that somebody gave; what is none lies in no range."""
    return float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan


def check_margin(margin: float) -> None:
    if not 0 <= number(margin) < math.inf:
        raise Refused(f"margin={margin!r}: a number of standard errors from 0")


def check_least(least: float) -> None:
    if not 0 <= number(least) <= 1:
        raise Refused(f"least={least!r}: a share of the victory, from 0 to 1")


def before_the_end(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.filter(pl.col("decision") < pl.col("decisions"))


def error_of_seats(one: str, other: str) -> pl.Expr:
    """The standard error of the difference of two seats' shares of the same playouts, were both alike; 0 at the end."""
    variance = (pl.col(one) + pl.col(other)) / pl.col("playouts")
    return pl.when(pl.col("playouts") > 0).then(variance.sqrt()).otherwise(0.0)


def error_over_time(one: str, other: str, n: str, m: str) -> pl.Expr:
    """The standard error of the difference of two shares of n and of m other playouts, were both alike.

    What came of a game, told by 0 playouts, has no error; beside it the other share has its own, with one victory and
    one defeat added, so that playouts which all came out alike are not held for certain.
    """
    p, q, first, second = pl.col(one), pl.col(other), pl.col(n), pl.col(m)
    both = (p * first + q * second) / (first + second)
    by_itself = (p * first + 1) / (first + 2)
    alike = pl.when(second > 0).then(both * (1 - both) * (1 / first + 1 / second))
    return alike.otherwise(by_itself * (1 - by_itself) / first).clip(lower_bound=0).sqrt()


def means(
    games: pl.LazyFrame, names: list[str], keys: list[str], lowest: float | None = 0, highest: float | None = None
) -> pl.DataFrame:
    """Means of columns over games: `measure`, `keys`, `games`, `mean`, `se`, `low`, `high`, cut where no mean can lie."""
    table = numbers(games.with_columns(pl.lit(1).alias("seat")), names, keys, quantiles=())
    cut = pl.col("mean", "low", "high").clip(-math.inf if lowest is None else lowest, highest)
    return table.rename({"number": "measure"}).filter(pl.col("games") > 0).with_columns(cut)


def share_of_games(games: pl.DataFrame, name: str, keys: list[str]) -> pl.DataFrame:
    """The share of games of which a truth value holds, with Wilson's interval, as `means` tells means."""
    table = share(games.with_columns(pl.lit(1).alias("seat")), name, keys)
    error = pl.lit(None, dtype=pl.Float64).alias("se")
    return table.select(
        pl.lit(name).alias("measure"), *keys, "games", pl.col("share").alias("mean"), error, "low", "high"
    )


def ratio_over_games(games: pl.DataFrame, top: str, bottom: str, name: str, keys: list[str]) -> pl.DataFrame:
    """A share of things that games have several of, as `means` tells means."""
    table = ratio(games.with_columns(pl.lit(1).alias("seat")), top, bottom, keys)
    told: list[str | pl.Expr] = [pl.lit(name).alias("measure"), *keys, "games", pl.col("ratio").alias("mean"), "se"]
    return table.select(*told, pl.col("low", "high").clip(0, 1))

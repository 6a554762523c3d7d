"""Why games go as they do: knobs, features and conditions against values worked out by hand on tiny tables, and on played games."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest

import tkg
from tkg import metrics
from tkg.metrics.features import NOTHING
from tkg.metrics.sensitivity import parts_of
from tkg.rules.tiles import tile_counts

# --- Which knob matters most --------------------------------------------------------------------------------------


def grid_table(deals: list[Any], **knobs: list[Any]) -> pl.DataFrame:
    """A table of games for one: for each deal, what every cell of the grid wins, the last knob fastest."""
    cells = list(product(*knobs.values()))
    rows = [
        {**dict(zip(knobs, cell, strict=True)), "game_seed": d, "seat": 1, "bot": "a", "win": float(win)}
        for d, wins in enumerate(deals)
        for cell, win in zip(cells, wins, strict=True)
    ]
    return pl.DataFrame(rows)


def shares_of(table: pl.DataFrame, index: str) -> list[float]:
    return table.filter(index=index)["share"].to_list()


def test_what_is_due_to_each_knob_by_hand() -> None:
    """Won only where both knobs are high: means 0, 0, 0, 1 round 1/4. Each knob by itself moves by 1/4 up and down, and so does what both do
    together: three variances of 1/16, a third each, and a knob has part in two of them. Deals that are all alike have no noise."""
    found = metrics.sensitivity(grid_table([[0, 0, 0, 1]] * 5, side=[3, 4], gate=["empty", "tile"]), ["side", "gate"])
    assert found.select("index", "knob", "other").rows() == [
        ("first", "side", None),
        ("first", "gate", None),
        ("total", "side", None),
        ("total", "gate", None),
        ("pair", "side", "gate"),
    ]
    assert found["variance"].to_list() == pytest.approx([1 / 16, 1 / 16, 2 / 16, 2 / 16, 1 / 16])
    assert found["share"].to_list() == pytest.approx([1 / 3, 1 / 3, 2 / 3, 2 / 3, 1 / 3])
    assert found["noise"].to_list() == [0] * 5
    assert found.select("cells", "deals").row(0) == (4, 5)
    assert found["low"].null_count() == found["high"].null_count() == 5


def test_three_knobs_that_work_only_together() -> None:
    """Odd numbers of high knobs win: no knob and no pair tells anything, all three together all."""
    odd = [sum(cell) % 2 for cell in product([0, 1], repeat=3)]
    found = metrics.sensitivity(grid_table([odd] * 3, a=[0, 1], b=[0, 1], c=[0, 1]), ["a", "b", "c"])
    assert shares_of(found, "first") + shares_of(found, "pair") == pytest.approx([0] * 6, abs=1e-12)
    assert shares_of(found, "total") + shares_of(found, "higher") == pytest.approx([1] * 4)


def test_the_noise_of_games_is_taken_out_by_hand() -> None:
    """Of four deals the second cell wins two more. What it is above the middle is 1/2, 1/2, 0, 0, mean 1/4: a variance of 1/16.
    These four vary round 1/4 by 1/12 (of n - 1), a mean of four by 1/48, which leaves 1/24."""
    part = parts_of(np.array([[0, 1], [0, 1], [0, 0], [1, 1]], np.float64))[0,]
    assert (part.raw, part.noise, part.variance) == pytest.approx((1 / 16, 1 / 48, 1 / 24))
    many = metrics.sensitivity(grid_table([[0, 1], [0, 1], [0, 0], [1, 1]] * 25, a=[0, 1]), "a").row(0, named=True)
    assert many["noise"] == pytest.approx(1 / 99)
    assert many["variance"] == pytest.approx(98 / 99 / 16)


def test_paired_deals_have_less_noise_than_their_cells() -> None:
    """Deals that differ widely, but alike in both cells: the noise is that of the differences."""
    luck = np.linspace(0, 100, 40)
    found = metrics.sensitivity(grid_table([[x, x + 1 + 0.1 * (d % 2)] for d, x in enumerate(luck)], a=[0, 1]), "a")
    assert found["noise"][0] < 0.001


def test_noise_is_no_sensitivity() -> None:
    """Cells of pure chance: on average no variance is left, and the measure refuses to rank the knobs."""
    rng = np.random.default_rng(5)
    tables = rng.integers(0, 2, (400, 20, 2, 3)).astype(float)
    left = [sum(part.variance for part in parts_of(table).values()) for table in tables]
    raw = [sum(part.raw for part in parts_of(table).values()) for table in tables]
    assert abs(np.mean(left)) < 0.1 * np.mean(raw)
    with pytest.raises(metrics.NotMeasured, match="play more games"):
        metrics.sensitivity(grid_table(list(tables[0].reshape(20, -1)), a=[0, 1], b=[0, 1, 2]), ["a", "b"])


def test_what_two_knobs_do_together_by_hand() -> None:
    """Means 0, 0, 0, 1: each cell is a quarter off the sum of both knobs. Its square is the variance of the pair."""
    found = metrics.interaction(grid_table([[0, 0, 0, 1], [0, 0, 0, 1]], a=[1, 2], b=["x", "y"]), "a", "b")
    assert found.select("a", "b", "mean", "beyond").rows() == [
        (1, "x", 0, 0.25),
        (1, "y", 0, -0.25),
        (2, "x", 0, -0.25),
        (2, "y", 1, 0.25),
    ]
    averaged = metrics.interaction(
        grid_table([[1, 0, 0, 0, 0, 0, 0, 1]] * 2, a=[1, 2], c=[1, 2], b=[1, 2]), "a", "b", over="c"
    )
    assert averaged["mean"].to_list() == [0.5, 0, 0, 0.5]
    assert averaged["beyond"].to_list() == [0.25, -0.25, -0.25, 0.25]


GRID = grid_table([[0, 1, 1, 0]] * 3, a=[1, 2], b=[1, 2])


@pytest.mark.parametrize(
    ("table", "knobs", "words"),
    [
        (GRID.filter(~((pl.col("a") == 2) & (pl.col("b") == 1))), ["a", "b"], "lacks that of a=2, b=1"),
        (GRID.filter(pl.col("b") == 1), ["a", "b"], "b: it has one value, 1"),
        (GRID.filter(pl.col("game_seed") == 0), ["a", "b"], "1 deals in common"),
        (GRID, ["a"], "several games of one bot"),
        (GRID, ["a", "c"], "no column 'c'"),
        (GRID, [], "names of the columns"),
        (GRID.clear(), ["a", "b"], "no games"),
    ],
)  # fmt: skip
def test_grids_that_cannot_be_parted(table: pl.DataFrame, knobs: list[str], words: str) -> None:
    with pytest.raises(tkg.Refused, match=words):
        metrics.sensitivity(table, knobs)
    with pytest.raises(tkg.Refused, match="'bot'"):
        metrics.sensitivity(GRID, ["a", "b"], "bot")


def shared_out(players: list[int], wins: Any) -> pl.DataFrame:
    """Games of such numbers of seats on the same five deals, of which `wins(players, deal)` tells what every seat wins."""
    return pl.DataFrame(
        {"players": n, "gate": gate, "game_seed": d, "seat": seat, "bot": "b", "win": win}
        for n in players
        for gate in ("empty", "tile")
        for d in range(5)
        for seat, win in enumerate(wins(n, d), start=1)
    )


@pytest.mark.parametrize("players", [[2, 3], [3]])
def test_wins_of_all_seats_say_nothing(players: list[int]) -> None:
    """They add up to 1 in every cell: a half or a third of a victory for each seat is no effect, nor would more games help where seats are as many."""
    knobs = ["players", "gate"] if len(players) > 1 else ["gate"]
    table = shared_out(players, lambda n, d: [1 / n] * n if d == 0 else [float(seat == d % n) for seat in range(n)])
    with pytest.raises(tkg.Refused, match=r"add up to 1 in every cell.* one seat or to one bot"):
        metrics.sensitivity(table, knobs)


def test_what_all_seats_have_alike_is_no_share() -> None:
    """A field of the game stands in the rows of all its seats: averaged, it may be parted by knobs."""
    table = shared_out([2, 3], lambda n, d: [float(n)] * n)
    assert shares_of(metrics.sensitivity(table, ["players", "gate"]), "first") == pytest.approx([1, 0])


def test_sensitivity_of_played_games() -> None:
    """A larger ring is what matters; the shares add up, and a lazy table tells the same."""
    table = tkg.sweep(tkg.rift, side=[3, 4], adjacency=["orthogonal", "all"], bots="greedy", games=50, seed=1)
    found = metrics.sensitivity(table, ["side", "adjacency"])
    first = dict(found.filter(index="first").select("knob", "share").iter_rows())
    assert first["side"] > 0.9
    unclipped = sum(shares_of(found, "first")) + sum(shares_of(found, "pair"))
    assert unclipped == pytest.approx(1, abs=0.02)
    assert (found["low"] <= found["share"]).all()
    assert (found["share"] <= found["high"]).all()
    assert metrics.sensitivity(table.lazy(), ["side", "adjacency"]).equals(found)
    together = metrics.interaction(table, "side", "adjacency")
    assert together["beyond"].abs().n_unique() == 1  # of two values each, as much up as down
    shares = metrics.win_share(table, ["side", "adjacency"]).sort("side", "adjacency")["share"]
    assert together["mean"].to_list() == pytest.approx(shares.to_list())
    latin = tkg.sweep(tkg.rift, design="latin", points=4, side=[3, 4, 5], supply=[9, 12, 15], games=5, seed=1)
    with pytest.raises(tkg.Refused, match="Latin study"):
        metrics.sensitivity(latin, ["side", "supply"])


# --- Which condition is lost, and when ----------------------------------------------------------------------------


def chances(**games: dict[str, list[float]]) -> pl.DataFrame:
    """A table of prospects: by game, the share of every fact at all moments, the last of which is the end."""
    rows = [
        {"run": "r", "game": int(g[1:]), "moment": m, "time": m / (len(shares) - 1), "fact": fact, "share": float(share),
         "held": shares[-1] == 1, "all_held": all(s[-1] == 1 for s in facts.values())}
        for g, facts in games.items() for fact, shares in facts.items() for m, share in enumerate(shares)
    ]  # fmt: skip
    return pl.DataFrame(rows)


THREE = chances(
    g0={"a": [0.9, 0.8, 0.4, 0.7, 0.1, 0], "b": [0.8, 0.2, 0.1, 0.0, 0.0, 0]},
    g1={"a": [0.9, 0.9, 0.9, 0.9, 0.9, 1], "b": [0.4, 0.3, 0.3, 0.2, 0.4, 0]},
    g2={"a": [0.9, 0.9, 0.9, 0.9, 0.9, 1], "b": [0.6, 0.7, 0.4, 0.7, 0.8, 1]},
)


def test_when_a_condition_is_lost_by_hand() -> None:
    """`a` is 0.4, 0.7, 0.6, 0.8 and 0.4 above the half, added up after each moment, most after moment 3, so it is lost at 4; `b` from 1 on, and in
    another game from the beginning. What held was never lost."""
    found = metrics.lost_at(THREE)
    assert found.select("game", "fact", "lost_at", "time", "first").rows() == [
        (0, "a", 4, 0.8, False),
        (0, "b", 1, 0.2, True),
        (1, "b", 0, 0.0, True),
    ]


def test_a_condition_that_is_lost_at_the_very_end() -> None:
    found = metrics.lost_at(chances(g0={"a": [0.9, 0.6, 0]}))
    assert found.select("lost_at", "time").rows() == [(2, 1.0)]


def test_of_moments_that_part_a_game_alike_the_earliest_counts() -> None:
    """A single look above the half takes back what one below had lost, and no more: 0.4, 0.3, 0.2, 0.3, 0.4 and 0.3 above it, added up."""
    table = chances(g0={"a": [0.9, 0.4, 0.4, 0.6, 0.6, 0.4, 0]}, g1={"a": [0.5, 0.5, 0]})
    assert metrics.lost_at(table)["lost_at"].to_list() == [1, 0]
    assert metrics.lost_at(table.reverse())["lost_at"].to_list() == [1, 0]


def looked(rng: np.random.Generator, games: int, **facts: Any) -> pl.DataFrame:
    """Prospects that 64 playouts tell of these chances in so many games, in which no fact holds at the end."""
    seen = {f: rng.binomial(64, np.tile(p, (games, 1))) / 64 for f, p in facts.items()}
    return chances(**{f"g{g}": {f: [*shares[g], 0] for f, shares in seen.items()} for g in range(games)})


def test_noise_loses_nothing_late() -> None:
    """A chance below the half throughout is lost at 0, though noise lifts some of 15 looks above it; one that falls through the half at 7 is lost there on
    average; and what was never likely is lost before what collapses at 5, in nearly all games."""
    rng = np.random.default_rng(3)
    falling = metrics.lost_at(looked(rng, 200, low=np.full(15, 0.42), slow=np.linspace(0.6, 0.4, 15)))
    when = dict(falling.group_by("fact").agg(pl.col("lost_at").mean()).iter_rows())
    assert when["low"] < 0.5
    assert when["slow"] == pytest.approx(7.2, abs=0.6)
    two = metrics.lost_first(looked(rng, 200, low=np.full(15, 0.45), late=np.repeat([0.9, 0.1], [5, 10])))
    assert dict(two.select("fact", "share").iter_rows())["low"] > 0.9
    assert two.filter(fact="late").select("q25", "q75").row(0) == (5, 5)


def test_which_condition_is_lost_first_by_hand() -> None:
    """Of two lost games `b` was first in both; with a third in which both go at once it has two and a half of three."""
    found = metrics.lost_first(THREE)
    assert found.select("fact", "games", "missed", "share", "q50").rows() == [("a", 2, 1, 0, 4), ("b", 2, 2, 1, 1)]
    both = chances(g3={"a": [0.9, 0.2, 0, 0, 0, 0], "b": [0.9, 0.1, 0, 0, 0, 0]})
    more = metrics.lost_first(pl.concat([THREE, both]))
    assert dict(more.select("fact", "share").iter_rows()) == pytest.approx({"a": 1 / 6, "b": 5 / 6})
    assert more["low"].to_list()[1] < 5 / 6 < more["high"].to_list()[1]
    with pytest.raises(metrics.NotMeasured, match="every fact held"):
        metrics.lost_first(THREE.filter(pl.col("game") == 2))


def test_endings_are_no_bottlenecks() -> None:
    """Of two endings one fails in every game, whatever is played."""
    table = chances(g0={"ending/claimed": [0.6, 1], "ending/stuck": [0.4, 0]})
    with pytest.raises(metrics.NotMeasured, match="words of ending exclude one another"):
        metrics.lost_first(table)
    assert metrics.lost_first(table.filter(fact="ending/stuck"))["share"].to_list() == [1]
    assert metrics.lost_at(table)["fact"].to_list() == ["ending/stuck"]


def test_prospects_are_told_apart_by_whole_games() -> None:
    """Runs, facts and what each fact came to are fine; moments and facts lie within a game."""
    assert metrics.prospects_over_time(THREE, "fact").equals(metrics.prospects_over_time(THREE))
    b = metrics.prospects_over_time(THREE, ["held", "run"]).filter(fact="b", moment=0)
    assert b.select("held", "run", "games").rows() == [(False, "r", 2), (True, "r", 1)]
    assert metrics.lost_first(THREE, "run").drop("run").equals(metrics.lost_first(THREE))
    assert metrics.lost_at(THREE, ["run", "game"]).equals(metrics.lost_at(THREE))
    assert metrics.lost_first(THREE.filter(fact="b"), "fact")["share"].to_list() == [1]
    with pytest.raises(tkg.Refused, match="by='moment' differs within a game"):
        metrics.prospects_over_time(THREE, "moment")
    for measure in (metrics.lost_at, metrics.lost_first):
        for by in ("moment", "fact"):
            with pytest.raises(tkg.Refused, match=f"by='{by}' differs within a game"):
                measure(THREE, by)


def test_chances_over_time_by_hand() -> None:
    """At the beginning `b` has 0.8, 0.4 and 0.6: mean 0.6, standard error 0.2 / sqrt(3), Student's 4.303 of them to either side, cut off at 0 and 1.
    At the end it held in one game of three, for which Wilson's interval reaches from 0.061 to 0.792."""
    found = metrics.prospects_over_time(THREE).filter(fact="b", moment=0).row(0, named=True)
    assert (found["games"], found["mean"]) == (3, pytest.approx(0.6))
    assert (found["low"], found["high"]) == (pytest.approx(0.6 - 4.3027 * 0.11547, abs=1e-4), 1)
    end = metrics.prospects_over_time(THREE).filter(fact="b", moment=5).row(0, named=True)
    assert (end["low"], end["high"]) == pytest.approx((0.0615, 0.7923), abs=1e-4)
    lost = metrics.prospects_over_time(THREE, "all_held").filter(pl.col("fact") == "b", ~pl.col("all_held"))
    assert lost.filter(moment=0)["mean"].item() == pytest.approx(0.6)
    assert lost.filter(moment=1)["mean"].item() == pytest.approx(0.25)
    chart = tkg.charts.over_time(metrics.prospects_over_time(THREE), "fact", x="moment").to_dict()
    assert chart["layer"][1]["encoding"]["x"]["axis"]["format"] == "d"


def test_prospects_of_played_games() -> None:
    """A look at every turn; the end is what the game came to; workers change nothing, and what is certain is told for certain."""
    variant = tkg.rift(supply=8)
    found = tkg.prospects(variant, "greedy", 4, seed=3, moments="gain", playouts=8)
    runs = tkg.simulate(variant, "greedy", 4, seed=3)
    conditions = ["stable_gate", "equal_sides", "matched", "ring_full"]
    assert found["fact"].unique(maintain_order=True).to_list() == conditions
    assert found["moment"].max() == runs["turns"][0]
    last = found.filter(pl.col("decision") == pl.col("decisions"))
    for fact in conditions:
        assert last.filter(fact=fact)["held"].to_list() == runs[fact].to_list()
    assert last["share"].to_list() == last["held"].cast(float).to_list()
    assert (
        last["decisions"].unique(maintain_order=True).to_list()
        == runs["decisions"].unique(maintain_order=True).to_list()
    )
    assert last.filter(fact="matched")["all_held"].to_list() == (runs["win"] == 1).to_list()
    assert found["share"].is_between(0, 1).all()
    assert found.equals(tkg.prospects(variant, "greedy", 4, seed=3, moments="gain", playouts=8, workers=1))
    game = tkg.game_of(runs, 0)
    look = found.filter(game=0, moment=5, fact="matched").row(0, named=True)
    game.undo(look["decisions"] - look["decision"])
    assert (game.kind, sum(word.startswith("gain") for word in game.actions)) == ("gain", 5)
    again = tkg.play_on(game, "greedy", 100, seed=9)["matched"].mean()
    close = tkg.prospects(variant, "greedy", 1, seed=3, facts="matched", moments="gain", playouts=100)
    assert abs(close.filter(game=0, moment=5)["share"].item() - again) < 0.13  # of shares of 0.9, three standard errors


def test_prospects_of_endings_and_victories() -> None:
    """A game of several seats tells how it will end, whoever plays on; shares of all endings add up to 1."""
    found = tkg.prospects(tkg.umbra(players=3), "random", 2, seed=3, moments=2, playouts=6)
    assert found["fact"].unique(maintain_order=True).to_list() == [
        "ending/claimed",
        "ending/stuck",
        "ending/unfinished",
    ]
    assert found.group_by("game", "moment").agg(pl.col("share").sum())["share"].to_list() == pytest.approx([1] * 6)
    alone = tkg.prospects(tkg.rift(supply=8), "random", 2, seed=3, facts=["win"], moments=1, playouts=4)
    assert alone.filter(moment=1)["held"].to_list() == [False, False]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"facts": ["mached"]}, "did you mean matched"),
        ({"facts": []}, "none are named"),
        ({"facts": 5}, "facts=5: a name, or a list"),
        ({"moments": "turn"}, "a kind of decision: keep, gain"),
        ({"bots": ["greedy", "random"]}, "a game for one"),
        ({"playouts": 1}, "playouts=1"),
    ],
)  # fmt: skip
def test_bad_prospects_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(tkg.Refused, match=words):
        tkg.prospects(tkg.rift(), **settings)
    with pytest.raises(tkg.Refused, match="which bot is to play on"):
        tkg.prospects(tkg.umbra(), ["greedy", "random"])


# --- What goes with wins ------------------------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Resamplings enough for an interval to be roughly right."""
    monkeypatch.setattr("tkg.metrics.features.RESAMPLES", 40)


def rows_of(wins: dict[tuple[int, int], float], each: int) -> pl.DataFrame:
    """A table of as many rows with each pair of features, of which this share is won."""
    rows = [
        {"game": 0, "x": x, "z": z, "same": 7, "win": float(i < share * each)}
        for (x, z), share in wins.items()
        for i in range(each)
    ]
    return pl.DataFrame(rows).with_columns(pl.int_range(pl.len()).alias("game"))


def test_what_goes_with_wins_by_hand(quick: None) -> None:
    """With `x` three of four are won, without it one of four, whatever `z`: odds of 3 against 1/3, a ratio of 9. Of a row won and one lost the former alone
    has `x` in 9/16, both or neither in 6/16: the model is right in 9/16 + 3/16 = 3/4, and shuffled in one half."""
    found = metrics.importance(rows_of({(0, 0): 0.25, (0, 1): 0.25, (1, 0): 0.75, (1, 1): 0.75}, 200))
    assert found["feature"].to_list() == ["x", "z", "same"]
    rows = {row["feature"]: row for row in found.iter_rows(named=True)}
    assert rows["x"]["odds_ratio"] == pytest.approx(9, rel=0.03)  # drawn towards 1 a little
    assert rows["x"]["low"] < 9 < rows["x"]["high"] < 14
    assert rows["z"]["odds_ratio"] == pytest.approx(1, abs=0.01)
    assert rows["z"]["low"] < 1 < rows["z"]["high"]
    assert rows["x"]["auc"] == pytest.approx(0.75, abs=0.02)
    assert rows["x"]["drop"] == pytest.approx(0.25, abs=0.04)
    assert rows["x"]["drop_low"] > 0.1
    assert (rows["z"]["drop_low"], rows["z"]["drop_high"]) == (pytest.approx(0, abs=0.05), pytest.approx(0, abs=0.05))
    assert rows["same"]["odds_ratio"] is rows["same"]["drop"] is None
    assert rows["x"]["note"] is None


def test_an_odds_ratio_is_that_of_one_more(quick: None) -> None:
    """The same wins, counted in tens: the ratio of one more is the tenth root of 9."""
    table = rows_of({(0, 0): 0.25, (1, 1): 0.75}, 200).with_columns(pl.col("x") * 10)
    found = metrics.importance(table, features=["x"])
    assert found["odds_ratio"].item() == pytest.approx(9**0.1, rel=0.02)
    with_shared = pl.concat([table, table[:30].with_columns(win=pl.lit(0.5))])
    shared = metrics.importance(with_shared.lazy(), features=["x"])
    assert shared["left_out"].item() == 30
    assert shared.drop("left_out").equals(found.drop("left_out"))


def test_features_that_tell_nothing_say_so(quick: None) -> None:
    found = metrics.importance(rows_of({(0, 0): 0.5, (0, 1): 0.5, (1, 0): 0.5, (1, 1): 0.5}, 60))
    assert found["note"].unique().to_list() == [NOTHING]
    assert found["auc_low"][0] <= 0.5


def test_seats_of_a_game_are_not_taken_for_games(quick: None) -> None:
    """Every row written down four times within its game: intervals stay as wide as they were, for nothing more is known."""
    once = rows_of({(0, 0): 0.3, (1, 1): 0.7}, 60)
    alone, copied = (metrics.importance(t, features=["x"]).row(0, named=True) for t in (once, pl.concat([once] * 4)))
    widths = [np.log(row["high"] / row["low"]) for row in (alone, copied)]
    assert widths[1] > 0.8 * widths[0]


@pytest.mark.parametrize(
    ("table", "settings", "words"),
    [
        (rows_of({(0, 1): 0.5}, 30), {}, "15 of 30 rows"),
        (rows_of({(0, 1): 0.5}, 60), {}, "no feature varies"),
        (rows_of({(0, 0): 0.5, (1, 1): 0.5}, 60), {"features": ["win"]}, "not that of the target"),
        (rows_of({(0, 0): 0.5, (1, 1): 0.5}, 60), {"features": ["y"]}, "no column 'y'"),
        (rows_of({(0, 0): 0.5, (1, 1): 0.5}, 60).with_columns(x=pl.lit(None)), {}, "'x'"),
        (rows_of({(0, 0): 0.5, (1, 1): 0.5}, 60).with_columns(win=pl.lit(2)), {}, "beyond 0 and 1"),
        (rows_of({(0, 0): 0.5, (1, 1): 0.5}, 60).with_columns(x=pl.col("x") / 0), {}, "'x': finite numbers"),
        (rows_of({(0, 0): 0.5, (1, 1): 0.5}, 60).with_columns(x=pl.lit(np.inf)), {}, "'x': finite numbers"),
        (rows_of({(0, 0): 0.5, (1, 1): 0.5}, 60).with_columns(pl.col("game") % 9), {}, "9 games, too few for 10 folds"),
        (rows_of({(0, 0): 0, (1, 1): 1}, 60).with_columns(pl.col("game") // 12), {}, "10 games, too few for 10 folds"),
    ],
)
def test_features_that_cannot_be_judged(table: pl.DataFrame, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(tkg.Refused, match=words):
        metrics.importance(table, **settings)


def test_a_tables_features_are_those_of_its_games(game: str) -> None:
    """Games, seats and wins are those of the run, and workers change nothing; every column behind them is a number."""
    variant = {"rift": tkg.rift(), "cosmic": tkg.cosmic(side=3, capture_limit=2), "umbra": tkg.umbra(players=3)}[game]
    found = tkg.features(variant, "random", 4, seed=6)
    runs = tkg.simulate(variant, "random", 4, seed=6)
    same = ["game", "game_seed", "seat", "win"]
    assert found.select(same).rows() == runs.select(same).rows()
    assert set(found.dtypes[9:]) == {pl.Float64}
    assert found.equals(tkg.features(variant, "random", 4, seed=6, workers=1))
    with pytest.raises(tkg.Refused, match="one of"):
        tkg.features(variant, "random", 4, of="moves")


def insignias_on(tiles: list[str]) -> list[float]:
    return [float(sum(tile_counts(tile)[e] for tile in tiles)) for e in range(4)]


def test_features_of_the_rift() -> None:
    """What was set aside stands in the view, what came early in the record's chance: 3 tiles, then those of 5 of 15 turns."""
    runs = tkg.simulate(tkg.rift(), "greedy", 2, seed=6)
    game = tkg.game_of(runs, 1)
    view = game.view()
    deal, ring, tiles = (
        tkg.features(tkg.rift(), "greedy", 2, seed=6, of=of).row(1, named=True) for of in ("deal", "ring", "tiles")
    )
    aside = [tile for tile, n in view["set_up"].items() for _ in range(n)]
    early = game.chance[3:18]
    lying = [cell["tile"] for cell in view["cells"].values() if cell["tile"]]
    spent = [action.removeprefix("gain ") for action in game.actions if action.startswith("gain")]
    assert [deal[f"aside_{e}"] for e in "FWAE"] == insignias_on(aside)
    assert [deal[f"early_{e}"] for e in "FWAE"] == insignias_on(early)
    assert deal["early_single"] == sum(len(tile) == 1 for tile in early)
    assert [ring[f"ring_{e}"] for e in "FWAE"] == insignias_on(lying)
    assert [ring[f"spent_{e}"] for e in "FWAE"] == insignias_on(spent)
    assert {tile: n for tile, n in tiles.items() if tile in view["set_up"] or tile in lying} == {
        tile: lying.count(tile) for tile in {*view["set_up"], *lying}
    }


def test_features_of_cosmic_alignments() -> None:
    """Every tile of the layout was laid by one of the seats; captured tiles are those of the view."""
    variant = tkg.cosmic(side=3, capture_limit=2)
    runs = tkg.simulate(variant, "greedy", 3, seed=6)
    draft, tiles = (tkg.features(variant, "greedy", 3, seed=6, of=of) for of in ("draft", "tiles"))
    for number in range(3):
        game = tkg.game_of(runs, 2 * number)
        seats = game.view(None)["seats"]
        laid = [a.removeprefix("draft ").split("@")[0] for a in game.actions if a.startswith("draft")]
        own = ["FWAE".index(seat["element"]) for seat in seats]
        rows = draft.filter(game=number).rows(named=True)
        assert [row["layout_own"] for row in rows] == [insignias_on(laid)[e] for e in own]
        assert [row["layout_others"] for row in rows] == [insignias_on(laid)[e] for e in reversed(own)]
        assert sum(row["laid_insignias"] for row in rows) == sum(insignias_on(laid))
        assert [[row[f"has_{e}"] for e in "WAE"] for row in rows] == [[float(e == o) for e in (1, 2, 3)] for o in own]
        for seat, row in zip(seats, tiles.filter(game=number).rows(named=True), strict=True):
            assert sum(n for tile, n in row.items() if tile in variant.deck) == len(seat["captured"])
            assert all(row[tile] == seat["captured"].count(tile) for tile in seat["captured"])


def test_features_of_umbra_via() -> None:
    """Tiles are placed by who has won them. Of what is bid, soul flowers and places are told by who bids."""
    runs = tkg.simulate(tkg.umbra(), "greedy", 4, seed=6)
    found = tkg.features(tkg.umbra(), "greedy", 4, seed=6, of="tiles")
    assert (
        found.select(pl.sum_horizontal("straight", "curve", "tee")).to_series().to_list() == runs["tiles_won"].to_list()
    )
    assert found["track"].to_list() == runs["track_start"].to_list()
    bids = tkg.features(tkg.umbra(), "greedy", 1, seed=6, of="bids").row(0, named=True)
    own, game = [], tkg.new(tkg.umbra(), seed=runs["game_seed"][0])
    for action in tkg.game_of(runs, 0).actions:
        if game.seat == 1 and game.kind == "bid":
            own.append(action.removeprefix("bid ").split())
        game.play(action)
    flowers = [part.split(":")[1] for bid in own for part in bid]
    assert len(own) > 4
    assert bids["places"] == len(flowers) / len(own)
    assert bids["soul"] == sum(flower == "S" for part in flowers for flower in part) / len(own)

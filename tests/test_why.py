"""Why games go as they do: knobs, features and conditions against values worked out by hand on tiny tables, and on played games."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest

import tkg
from tkg import metrics
from tkg.metrics.sensitivity import parts_of

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


def test_sensitivity_of_played_games() -> None:
    """A larger ring is what matters; the shares add up, and a lazy table tells the same."""
    table = tkg.sweep(tkg.rift, side=[3, 4], adjacency=["orthogonal", "all"], bots="greedy", games=120, seed=1)
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

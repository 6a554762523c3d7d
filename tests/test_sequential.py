"""Rules of stopping: values worked out by hand on a few games, and how often they err, counted or simulated."""

import math

import numpy as np
import pytest
from scipy import special

from tkg.metrics.sequential import (
    BETS,
    PARTS,
    WEIGHTS,
    Verdict,
    check_width,
    compare,
    confidence_sequence,
    log_capital,
    reach,
    within,
)
from tkg.rules.errors import Refused

# --- A mean or share to within +-x --------------------------------------------------------------------------------


def test_the_reach_of_a_share_is_wilsons_farther_side():
    """3 of 10: Wilson's interval is 0.10779 to 0.60322: 0.19221 below the share and 0.30322 above; mirrored for 7."""
    assert reach(10, [3, 7], [3, 7], True) == pytest.approx([0.30322, 0.30322], abs=1e-4)


def test_the_reach_of_a_mean_is_students():
    """1, 1/2, 1/2, 0: s = 0.40825, s / sqrt 4 = 0.20412, t(3) = 3.18245, so 0.6496; one game tells of no spread."""
    assert reach(4, 2, 1.5, False) == pytest.approx(0.6496, abs=1e-4)
    assert reach([1, 2], [5, 10], [25, 50], False).tolist() == [math.inf, 0]


def test_a_share_of_nothing_is_close_after_73_games():
    """0 of n reaches up z^2 / (n + z^2): 3.8415 / 75.8415 = 0.05065 after 72, 3.8415 / 76.8415 = 0.04999 after 73."""
    assert within(0.05, [72, 73], 0, 0, True, least=2).tolist() == [False, True]


def test_no_study_stops_before_its_first_look():
    """All games alike: nothing but the least number of games holds the study."""
    assert within(0.05, [2, 199, 200], [6, 597, 600], [18, 1791, 1800], False).tolist() == [False, False, True]
    assert not within(0.05, 199, 0, 0, True)


def covered(p, x, looks):
    """How often the interval of a share holds p where the study stops, exactly: a walk through all numbers of wins."""
    going, before, held, stopped = np.ones(1), 0, 0.0, 0.0
    for n in looks:
        m = n - before
        k = np.arange(m + 1)
        ways = special.gammaln(m + 1) - special.gammaln(k + 1) - special.gammaln(m - k + 1)
        going = np.convolve(going, np.exp(ways + special.xlogy(k, p) + special.xlog1py(m - k, -p)))
        wins, before = np.arange(n + 1), n
        stop = within(x, n, wins, wins, True)
        holds = n * (wins / n - p) ** 2 <= special.ndtri(0.975) ** 2 * p * (1 - p)  # Wilson: p's own score test
        held += going[stop & holds].sum()
        stopped += going[stop].sum()
        going = np.where(stop, 0, going)
    assert stopped == pytest.approx(1)
    return held


@pytest.mark.parametrize("x", [0.02, 0.03, 0.05])
@pytest.mark.parametrize("p", [0.05, 0.2, 0.5])
def test_the_share_is_within_the_interval_at_which_a_study_stops(p, x):
    assert 0.94 <= covered(p, x, range(200, 2601, 100)) <= 0.985


@pytest.mark.parametrize("p", [0.05, 0.2, 0.5])
def test_looking_after_every_game_does_little_harm_to_a_share(p):
    assert 0.94 <= covered(p, 0.05, range(200, 401)) <= 0.985


@pytest.mark.parametrize(
    ("values", "weights", "x", "held"),
    [
        ([0, 1 / 2, 1], [0.7, 0.1, 0.2], 0.04, 0.93),
        ([10, 11, 12, 20], [0.4, 0.3, 0.2, 0.1], 0.3, 0.93),
        ([0, 1 / 3, 1], [0.9, 0.06, 0.04], 0.02, 0.89),  # what the docstring warns of
    ],
)
def test_the_mean_is_within_the_interval_at_which_a_study_stops(values, weights, x, held):
    games = np.random.default_rng(11).choice(values, (1500, 2000), p=weights)
    looks = np.arange(200, 2001, 50)
    total, squares = (np.cumsum(g, axis=1)[:, looks - 1] for g in (games, games**2))
    reached = reach(looks, total, squares, False)
    stop = within(x, looks, total, squares, False)
    assert stop.any(axis=1).all()
    at = np.arange(len(games)), stop.argmax(axis=1)
    off = np.abs(total[at] / looks[at[1]] - np.dot(values, weights))
    assert (off <= reached[at]).mean() >= held


@pytest.mark.parametrize("x", [0, -0.1, 1, 2, math.nan])
def test_a_width_that_no_share_can_have_is_refused(x):
    with pytest.raises(Refused, match=r"above 0 and below 1"):
        within(x, 500, 100, 100, True)


def test_a_mean_may_be_wanted_to_more_than_1():
    assert check_width(2, share=False) == 2
    assert within(2, 300, 3000, 31000, False)
    with pytest.raises(Refused, match="above 0"):
        check_width(math.inf, share=False)


@pytest.mark.parametrize(
    ("sums", "least", "told"),
    [
        ((500, math.nan, 100, False), 200, "finite"),
        ((0, 0, 0, True), 200, "at least 1"),
        ((10.5, 3, 3, True), 200, "whole number"),
        ((500, 100, 99, True), 200, "same sum of squares"),
        ((500, 501, 501, True), 200, "from 0 to their number"),
        ((500, 100, 100, True), 1, "at least 2"),
    ],
)
def test_sums_that_no_games_have_are_refused(sums, least, told):
    with pytest.raises(Refused, match=told):
        within(0.05, *sums, least=least)


# --- Two variants on common deals ---------------------------------------------------------------------------------

SIGNS = np.array([0.0, 1.0, 2.0])  # 1 + difference, of 0/1 outcomes


def test_capital_grows_and_shrinks_with_the_pairs():
    """Against mean 0 a pair of +1 pays 1 + b, one of -1 leaves 1 - b, one of 0 changes nothing. Weights are 1/j over
    1 + 1/2 + ... + 1/10 = 2.928968 and bets 2^-j, so sum w b = (ln 2 - 0.000083) / 2.928968 = 0.236624 (the series
    of -ln(1 - 1/2), but for its tail from j = 11) and sum w b^2 = ln(4/3) / 2.928968 = 0.098220 (of -ln(1 - 1/4))."""
    found = np.exp(log_capital(SIGNS, [[0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 5, 1]], 0.0))
    assert found == pytest.approx([1, 1.236624, 1 - 0.236624, 1 - 0.098220], abs=2e-6)


def test_one_pair_leaves_out_next_to_nothing():
    """+1 at mean m pays 1 - b + 2 b u, u = 1 / (1 + m): 1 + 0.236624 (2 u - 1) = 2 / 0.05 at u = 82.908, m = -0.987938.
    Who bet on less has lost at every m, and no upper end is found."""
    low, high = confidence_sequence([1.0])
    assert low == pytest.approx([-0.987938], abs=1e-6)
    assert high.tolist() == [1]


def test_twelve_pairs_in_a_row_are_decided():
    """All +1: 0.34142 * 1.5^11 + 0.17071 * 1.25^11 + ... = 29.53 + 1.99 + 0.42 + 0.17 + less than 0.5 is below 40, but
    0.34142 * 1.5^12 = 44.3 is above. What is played later changes nothing."""
    assert compare([1.0] * 11).better == "open"
    found = compare([1.0] * 12 + [-1.0] * 50)
    assert (found.better, found.pairs, found.difference, found.high) == ("first", 12, 1, 1)
    assert 0 < found.low < 0.05
    assert compare([1.0] * 40, looks=[5, 10, 15, 20]).pairs == 15


def test_equal_pairs_are_alike_once_the_margin_is_left_out():
    """All 0, at mean -0.05: a pair pays 1 + b / 19. After 181 it is 0.34142 * 1.026316^181 + 0.17071 * 1.013158^181 +
    ... = 37.60 + 1.82 + 0.37 + 0.16 + 0.33 = 40.3; after 180, 36.64 + 1.80 + 0.37 + 0.15 + 0.33 = 39.3."""
    found = compare([0.0] * 300, margin=0.05)
    assert (found.better, found.pairs, found.difference) == ("alike", 181, 0)
    assert found.low == pytest.approx(-found.high)
    assert compare([0.0] * 300).better == "open"


def test_first_and_second_are_mirrored():
    differences = paired(np.random.default_rng(5), (800,), 0.3, 0.1)
    one, other = compare(differences), compare(-differences)
    assert (one.better, other.better, one.pairs) == ("first", "second", other.pairs)
    assert (one.low, one.high) == (-other.high, -other.low)


def test_nothing_played_is_open():
    found = compare([], looks=[100])
    assert (found.better, found.pairs, found.low, found.high) == ("open", 0, -1, 1)
    assert math.isnan(found.difference)
    assert compare([1.0] * 20, looks=[21]).pairs == 0


def test_ends_are_where_the_capital_reaches_its_threshold():
    """Held against the definition, solved by halving, for differences of several sizes."""
    rng = np.random.default_rng(6)
    values = np.array([-1, -1 / 2, -1 / 3, 0, 1 / 4, 1])
    differences = rng.choice(values, 400, p=[0.1, 0.1, 0.1, 0.4, 0.1, 0.2])
    looks = [1, 2, 5, 20, 100, 399, 400]
    ends = {1: [], -1: []}
    for look in looks:
        counts = (differences[:look, None] == values).sum(axis=0)
        for side, found in ends.items():
            inside, outside = side * differences[:look].mean(), -1 + 1e-15
            for _ in range(60):
                middle = (inside + outside) / 2
                capital = sum(
                    w * np.prod((1 - b + b * (1 + side * values) / (1 + middle)) ** counts)
                    for b, w in zip(BETS, WEIGHTS, strict=True)
                )
                inside, outside = (inside, middle) if capital >= 40 else (middle, outside)
            found.append(max([outside, *found]))
    low, high = confidence_sequence(differences, looks)
    assert low == pytest.approx(ends[1], abs=1e-9)
    assert high == pytest.approx([-end for end in ends[-1]], abs=1e-9)
    assert (np.diff(low) >= 0).all()
    assert (np.diff(high) <= 0).all()


def test_a_resumed_study_comes_to_the_same_end():
    """What a look finds depends on the pairs up to it, and within a block not on their order."""
    rng = np.random.default_rng(7)
    differences = paired(rng, (1000,), 0.3, 0.05)
    looks = np.arange(100, 1001, 100)
    whole = confidence_sequence(differences, looks)
    assert np.array_equal(confidence_sequence(differences[:450], looks), [ends[:4] for ends in whole])
    assert np.array_equal(confidence_sequence(rng.permuted(differences.reshape(10, 100), axis=1).ravel(), looks), whole)


def test_several_comparisons_share_alpha():
    differences = paired(np.random.default_rng(8), (500,), 0.3, 0.05)
    assert np.array_equal(
        confidence_sequence(differences, [500], alpha=0.05, comparisons=5),
        confidence_sequence(differences, [500], alpha=0.01),
    )


def test_odd_differences_are_rounded_away_from_the_end():
    odd = np.full(50, 0.3 + 0.4 / PARTS)
    low, high = confidence_sequence(odd, [50])
    assert low == pytest.approx(confidence_sequence(np.full(50, 0.3), [50])[0])
    assert high == pytest.approx(confidence_sequence(np.full(50, 0.3 + 1 / PARTS), [50])[1])


def paired(rng, shape, discordant, difference):
    """Differences of 0/1 outcomes over common deals: so many pairs differ, and by so much on the whole."""
    drawn = rng.random(shape)
    return np.where(drawn < (discordant + difference) / 2, 1.0, np.where(drawn < discordant, -1.0, 0.0))


def most_capital(differences, mean):
    """The most that betting on more, and on less, has made at any time, by sequence: two logs."""
    values = np.unique(differences)
    counts = np.cumsum(differences[..., None] == values, axis=1, dtype=np.int32)
    return [log_capital(1 + side * values, counts, side * mean).max(axis=1) for side in (1, -1)]


SEQUENCES, PAIRS = 400, 1000
AT_MOST = 0.05 + 3 * math.sqrt(0.05 * 0.95 / SEQUENCES)


@pytest.mark.parametrize(
    ("values", "weights"),
    [
        ([-1, 0, 1], [0.05, 0.9, 0.05]),
        ([-1, 0, 1], [0.15, 0.7, 0.15]),
        ([-0.1, 0, 1], [0.3, 0.67, 0.03]),  # skewed: seldom much, often a little the other way
        ([-1, 0, 1], [0.1, 0.7, 0.2]),
        ([-1 / 2, 0, 1 / 3, 1], [0.3, 0.3, 0.3, 0.1]),
    ],
)
def test_the_mean_is_left_out_at_any_time_in_few_sequences(values, weights):
    """Looks after every pair. If the mean is 0, these are the false verdicts `first` and `second`."""
    differences = np.random.default_rng(9).choice(values, (SEQUENCES, PAIRS), p=weights)
    more, less = most_capital(differences, float(np.dot(values, weights)))
    wrong = np.maximum(more, less) >= math.log(40)
    assert wrong.mean() <= AT_MOST


def test_an_interval_for_a_fixed_number_would_not_do():
    """Looked at after every pair from 100 on, a test at 5% that is made for one look errs in far more sequences."""
    differences = paired(np.random.default_rng(9), (SEQUENCES, PAIRS), 0.3, 0)
    total, squares = (np.cumsum(d, axis=1)[:, 100:] for d in (differences, differences**2))
    assert (np.abs(total) > 1.96 * np.sqrt(squares)).any(axis=1).mean() > 0.2


STUDIES = 80


def test_verdicts_err_as_seldom_as_the_sequence_and_find_what_there_is():
    """Studies of equal variants, of variants that are the margin of 0.1 apart, and of equal ones that seldom differ."""
    rng = np.random.default_rng(10)
    looks = np.arange(50, 1501, 50)
    wrong = 0.05 * STUDIES + 3 * math.sqrt(0.05 * 0.95 * STUDIES)
    equal = [compare(d, looks) for d in paired(rng, (STUDIES, 1500), 0.3, 0)]
    assert sum(v.better != "open" for v in equal) <= wrong
    apart = [compare(d, looks, margin=0.1) for d in paired(rng, (STUDIES, 1500), 0.3, 0.1)]
    assert sum(v.better == "first" and v.pairs <= 1000 for v in apart) >= 0.95 * STUDIES
    assert sum(v.better in ("second", "alike") for v in apart) <= wrong
    alike = [compare(d, looks, margin=0.1) for d in paired(rng, (STUDIES, 1500), 0.1, 0)]
    assert sum(v.better == "alike" for v in alike) >= 0.95 * STUDIES


def test_verdicts_are_values():
    assert compare([0.0] * 3, looks=[2]) == Verdict(
        "open", 2, 0.0, *(e.item() for e in confidence_sequence([0.0] * 2, [2]))
    )


@pytest.mark.parametrize(
    ("differences", "told"),
    [([0.0, 1.5], "pair 2 differs by 1.5"), ([math.nan], "pair 1 differs by nan"), ([[0.0]], "one row")],
)
def test_differences_out_of_bounds_are_refused(differences, told):
    with pytest.raises(Refused, match=told):
        compare(differences)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"alpha": 0}, "alpha 0"),
        ({"alpha": 1}, "alpha 1"),
        ({"alpha": math.nan}, "alpha nan"),
        ({"comparisons": 0}, "0 comparisons"),
        ({"margin": 0}, "margin 0"),
        ({"margin": 1}, "margin 1"),
        ({"looks": [0, 5]}, "whole numbers above 0"),
        ({"looks": [5, 5]}, "each above the one before"),
        ({"looks": [1.5]}, "whole numbers"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, told):
    with pytest.raises(Refused, match=told):
        compare([0.0] * 10, **settings)

"""Tables of games in, small polars tables with 95% intervals out.

Every function takes the table that `tkg.simulate` or `tkg.sweep` gives, eager or lazy, and `by`: the column or
columns to tell apart. Shares of games that are won or lost whole get Wilson intervals, means and shared wins
Student's t over games, ratios the delta method over games. `thinking_time` and its neighbours take the tables of
`tkg.playtests` instead.
"""

from tkg.metrics.playtests import agreement, beside, slowest, tag_shares, taken_back, thinking_time
from tkg.metrics.process import cell_shares, choice_share, numbers, options_per_decision, ratio
from tkg.metrics.seats import seat_advantage
from tkg.metrics.shares import condition_shares, failed_together, paired_difference, share, win_share
from tkg.metrics.summary import measures, unfinished_games

__all__ = [
    "agreement",
    "beside",
    "cell_shares",
    "choice_share",
    "condition_shares",
    "failed_together",
    "measures",
    "numbers",
    "options_per_decision",
    "paired_difference",
    "ratio",
    "seat_advantage",
    "share",
    "slowest",
    "tag_shares",
    "taken_back",
    "thinking_time",
    "unfinished_games",
    "win_share",
]

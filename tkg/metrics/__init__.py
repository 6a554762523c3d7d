"""Tables of games in, small polars tables with 95% intervals out.

Every function takes the table that `tkg.simulate` or `tkg.sweep` gives, eager or lazy, and `by`: the column or
columns to tell apart; measures of tension take that of `tkg.trace`. Shares of games that are won or lost whole get Wilson intervals, means and shared wins
Student's t over games, ratios the delta method over games. `thinking_time` and its neighbours take the tables of
`tkg.playtests` instead.
"""

from tkg.metrics.playtests import agreement, beside, slowest, tag_shares, taken_back, thinking_time
from tkg.metrics.process import cell_shares, choice_share, numbers, options_per_decision, ratio
from tkg.metrics.seats import seat_advantage
from tkg.metrics.shares import condition_shares, failed_together, paired_difference, share, win_share
from tkg.metrics.summary import measures, unfinished_games
from tkg.metrics.tension import (
    NotMeasured,
    completion,
    decisiveness,
    drama,
    drawishness,
    duration,
    killer_moves,
    kingmaking,
    lead_changes,
    permanence,
    stability,
    tension,
    uncertainty,
    uncertainty_over_time,
)

__all__ = [
    "NotMeasured",
    "agreement",
    "beside",
    "cell_shares",
    "choice_share",
    "completion",
    "condition_shares",
    "decisiveness",
    "drama",
    "drawishness",
    "duration",
    "failed_together",
    "killer_moves",
    "kingmaking",
    "lead_changes",
    "measures",
    "numbers",
    "options_per_decision",
    "paired_difference",
    "permanence",
    "ratio",
    "seat_advantage",
    "share",
    "slowest",
    "stability",
    "tag_shares",
    "taken_back",
    "tension",
    "thinking_time",
    "uncertainty",
    "uncertainty_over_time",
    "unfinished_games",
    "win_share",
]

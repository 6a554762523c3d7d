"""Tables of games in, small polars tables with 95% intervals out.

Every function takes the table that `tkg.simulate` or `tkg.sweep` gives, eager or lazy, and most take `by`: the column or
columns to tell apart. Measures of tension take the table of `tkg.trace`, `luck` that of `tkg.replay_deals`, `lost_at`, `lost_first`
and `prospects_over_time` that of `tkg.prospects`; without `by`, `sensitivity` and `interaction` take a sweep over a grid, `importance` the
table of `tkg.features`, `strength_levels` and `coin_flips` the pairs of `tkg.ladder`. Shares of games that are won or lost whole get Wilson intervals, means and shared wins
Student's t over games, ratios the delta method over games. `thinking_time` and its neighbours take the tables of
`tkg.playtests` instead.
"""

from tkg.metrics.bottlenecks import lost_at, lost_first, prospects_over_time
from tkg.metrics.features import importance
from tkg.metrics.luck import luck
from tkg.metrics.measured import NotMeasured
from tkg.metrics.playtests import agreement, beside, slowest, tag_shares, taken_back, thinking_time
from tkg.metrics.process import cell_shares, choice_share, numbers, options_per_decision, ratio
from tkg.metrics.seats import seat_advantage
from tkg.metrics.sensitivity import interaction, sensitivity
from tkg.metrics.shares import condition_shares, failed_together, paired_difference, share, win_share
from tkg.metrics.skill import coin_flips, complexity, strength_levels
from tkg.metrics.summary import measures, unfinished_games
from tkg.metrics.tension import (
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
from tkg.metrics.thinking import minutes

__all__ = [
    "NotMeasured",
    "agreement",
    "beside",
    "cell_shares",
    "choice_share",
    "coin_flips",
    "completion",
    "complexity",
    "condition_shares",
    "decisiveness",
    "drama",
    "drawishness",
    "duration",
    "failed_together",
    "importance",
    "interaction",
    "killer_moves",
    "kingmaking",
    "lead_changes",
    "lost_at",
    "lost_first",
    "luck",
    "measures",
    "minutes",
    "numbers",
    "options_per_decision",
    "paired_difference",
    "permanence",
    "prospects_over_time",
    "ratio",
    "seat_advantage",
    "sensitivity",
    "share",
    "slowest",
    "stability",
    "strength_levels",
    "tag_shares",
    "taken_back",
    "tension",
    "thinking_time",
    "uncertainty",
    "uncertainty_over_time",
    "unfinished_games",
    "win_share",
]

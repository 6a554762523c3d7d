"""Studies: the same bots on the same deals in many variants, played where there is room, stored as they go, resumed.

`cells` says which variants, `sweeps` plays them into memory, `plan` reads and checks a study, `store` keeps its games
and `reading` opens them, `engines` are what plays them, `stopping` says when enough has been played, `running` brings these
together.
"""

from tkg.studies.cells import around, grid, shown_value
from tkg.studies.plan import make_study, read_study
from tkg.studies.reading import study
from tkg.studies.running import play_study, sweep
from tkg.studies.sweeps import play_cells

__all__ = ["around", "grid", "make_study", "play_cells", "play_study", "read_study", "shown_value", "study", "sweep"]

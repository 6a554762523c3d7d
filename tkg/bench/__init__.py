"""`tkg bench`: every speed and size target with its figure, `ok` or `short`."""

from tkg.bench.measure import Figure, cpu_of_play, peak_of, wall_of
from tkg.bench.table import print_bench

__all__ = ["Figure", "cpu_of_play", "peak_of", "print_bench", "wall_of"]

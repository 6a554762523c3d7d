"""ipywidgets around games and studies, for notebooks."""

from tkg.boards.board import Board, board
from tkg.boards.controls import VariantPanel
from tkg.boards.explorer import Explorer, explore
from tkg.boards.table import Table, table

__all__ = ["Board", "Explorer", "Table", "VariantPanel", "board", "explore", "table"]

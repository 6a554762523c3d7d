"""ipywidgets around games and studies, for notebooks."""

from tkg.boards.board import Board, board
from tkg.boards.browser import Browser, browse
from tkg.boards.controls import VariantPanel
from tkg.boards.explorer import Explorer, explore
from tkg.boards.table import Table, table

__all__ = ["Board", "Browser", "Explorer", "Table", "VariantPanel", "board", "browse", "explore", "table"]

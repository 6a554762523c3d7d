"""ipywidgets around games and studies, for notebooks."""

from tkg.boards.board import Board, board
from tkg.boards.controls import VariantPanel
from tkg.boards.explorer import Explorer, explore

__all__ = ["Board", "Explorer", "VariantPanel", "board", "explore"]

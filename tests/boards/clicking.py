"""Clicks on a board as its script would send them."""

from __future__ import annotations

from typing import Any

from tkg.boards.board import Board


def send(board: Board, kind: str, name: str | None = None, seq: int | None = None) -> None:
    """An event of a view; by default it answers what is shown."""
    seq = board.canvas.state["seq"] if seq is None else seq
    board.canvas.receive({"type": kind, "name": name, "seq": seq})


def click(board: Board, *names: str) -> None:
    """Point at parts, one after the other."""
    for name in names:
        send(board, "pick", name)


def legal(board: Board) -> list[str]:
    """What is lit up, chips included."""
    return [name for name, flags in board.canvas.state["marks"].items() if "l" in flags]


def way_to(board: Board, action: str) -> list[str]:
    """The parts to be pointed at for an option, a bid flower by flower."""
    if board.game.kind != "bid":
        return list(board.table.picker.way_to(action))  # type: ignore[union-attr]
    names: list[str] = []
    hand = list(board.table.view["hand"])
    for place, _, flowers in (part.partition(":") for part in action.split()[1:] if part != "-"):
        for flower in flowers:
            kind = "ES".index(flower)
            names += [f"hand {1 if kind == 0 else hand[0] + 1}", f"altar {place}"]
            hand[kind] -= 1
    return [*names, "choose confirm" if names else "choose nothing"]


def parts(board: Board) -> dict[str, Any]:
    """The parts shown, by name."""
    return {name: (svg, spot) for name, svg, spot in board.canvas.state["parts"]}

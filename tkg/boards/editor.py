"""Setting up a position by hand: every change is checked by the rules, so that there is always one to be played from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import ipywidgets as widgets

from tkg.boards.canvas import own_file
from tkg.boards.picking import Chip, Picked, Tool
from tkg.game import Game, set_up
from tkg.rules.chance import SEED_BITS, UNTOLD, derive_exact
from tkg.rules.errors import Refused


class Laying:
    """A picker that offers all parts on which the tool at hand can be used; no option comes of it."""

    def __init__(self, names: Sequence[str]):
        self.names = names

    def nexts(self, picked: Picked) -> Sequence[str]:
        return self.names

    def pick(self, picked: Picked, name: str) -> tuple[Picked, str | None]:
        return picked, None

    def chips(self, picked: Picked) -> list[Chip]:
        return []

    def shown(self, view: dict[str, Any], picked: Picked) -> dict[str, Any]:
        return view

    def way_to(self, action: str) -> Picked:
        return ()


class Editor(widgets.VBox):
    """The controls of setting up: a tool to be used on parts of the board, and what is chosen from lists.

    `game` is the position as it is now, None while nothing is being set up. What is chosen from a list comes to
    `on_change`: why it was refused, in words, or nothing.
    """

    def __init__(self, on_change: Callable[[str], None]):
        self.game: Game | None = None
        self._on_change = on_change
        self._tools: list[Tool] = []
        self._quiet = False
        self.tool = chooser("lay down", [], None)
        self.tool.observe(lambda _: None if self._quiet else self._on_change(""), "value")
        self.choices = widgets.VBox()
        self.says = widgets.HTML()
        super().__init__([self.tool, self.choices, self.says])

    def begin(self, game: Game, view: dict[str, Any]) -> None:
        """Start from what a view of a game tells of its position; what is hidden from that view is dealt anew.

        Refused where a position cannot be told, at the end or in the middle of an action.
        """
        position = game.position
        told = own_file(game.variant.game).knowable(position, view)
        # From the game's own seed what is hidden might be dealt as it lies, if it was dealt so once before.
        other = derive_exact(derive_exact(game.seed, UNTOLD), len(game.actions)) >> (64 - SEED_BITS)
        begun = set_up(game.variant, told, game.seed if told == position else other)
        self._tools = own_file(game.variant.game).tools(game.variant)
        self._take(begun)
        self._quiet = True
        self.tool.options = [(tool.words, i) for i, tool in enumerate(self._tools)]
        self.tool.index = 0  # a list that was empty keeps the value None
        self._quiet = False
        self.says.value = "<small>Choose what to lay down, then click where. What is not laid down is in supplies, bags and stack.</small>"

    def end(self) -> None:
        self.game = None

    @property
    def laying(self) -> Laying:
        """What can be pointed at with the tool at hand."""
        assert self.game is not None
        tool = self._tools[self.tool.value]
        labels = own_file(self.game.variant.game).labels(self.game.view(None if self.game.variant.seats > 1 else 1))
        return Laying([name for name in labels if name_sort(name) in tool.on])

    def use(self, part: str) -> str:
        """Use the tool at hand on a part; what was refused, in words, or nothing."""
        assert self.game is not None
        variant, tool = self.game.variant, self._tools[self.tool.value]
        if name_sort(part) not in tool.on:
            return self._refuse(f"“{tool.words}” is used on: {', '.join(tool.on)}")
        return self._change(lambda position: own_file(variant.game).edited(variant, position, tool.what, part))

    def _change(self, change: Callable[[dict[str, Any]], dict[str, Any]]) -> str:
        game = self.game
        assert game is not None
        try:
            self._take(set_up(game.variant, change(dict(game.position)), game.seed))
        except Refused as error:
            return self._refuse(str(error))
        self.says.value = ""
        return ""

    def _refuse(self, why: str) -> str:
        self.says.value = f"<b>Not so:</b> {escape(why)}"
        return why

    def _take(self, game: Game) -> None:
        own = own_file(game.variant.game)
        controls = []
        for name, (now, offered) in own.numbers(game.variant, game.position).items():
            control = chooser(name, offered, now)
            control.observe(lambda change, name=name: self._choose(name, change["new"]), "value")
            controls.append(control)
        self.choices.children = controls
        self.game = game

    def _choose(self, name: str, value: Any) -> None:
        assert self.game is not None
        own, game = own_file(self.game.variant.game), self.game
        refused = self._change(lambda position: own.with_number(position, name, value))
        if refused:
            self._take(game)  # the list shows again what is
        self._on_change(refused and f"Not so: {refused}")


def chooser(words: str, offered: Sequence[Any], now: Any) -> Any:
    """A list to choose from, as wide as the panel leaves room for."""
    return widgets.Dropdown(
        options=offered,
        value=now,
        description=words,
        layout=widgets.Layout(width="98%"),
        style={"description_width": "initial"},
    )


def name_sort(part: str) -> str:
    """Of which sort a part is: `cell A` is a cell."""
    return part.partition(" ")[0]

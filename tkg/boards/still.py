"""The static picture that stays in a notebook when the board is gone, and panels in which one board after another stands."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

if TYPE_CHECKING:
    from tkg.boards.board import Board

STILL_AFTER = 0.4  # seconds of rest after which the static picture is brought up to date


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The loop in which a notebook's kernel lives; None in a plain program."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


class Still:
    """A place in the outputs of a notebook that shows what `html` gives; nothing is there until `put_out`."""

    def __init__(self, html: Callable[[], str] = str):
        self.html = html
        self._id = f"tkg-still-{secrets.token_hex(4)}"
        self._handle: Any = None
        self._redraw: asyncio.Task[None] | None = None

    def put_out(self) -> None:
        """Show it in the cell that is running, if this is a notebook."""
        with contextlib.suppress(ImportError):
            from IPython.core.getipython import get_ipython
            from IPython.display import HTML, display

            if get_ipython() is not None:
                self._handle = display(HTML(self.html()), display_id=self._id)

    def renew(self) -> None:
        """Bring it up to date, wherever it has been put out, a little later."""
        loop = running_loop()
        if self._handle is None or loop is None or (self._redraw is not None and not self._redraw.done()):
            return

        async def later() -> None:
            from IPython.display import HTML

            await asyncio.sleep(STILL_AFTER)
            self._handle.update(HTML(self.html()))

        self._redraw = loop.create_task(later())


class PanelWithBoard(widgets.VBox):
    """A panel that makes boards: `board` is the last one, shown in `place`, None before.

    Its static picture lies beside the panel, since a notebook asks only what stands in a cell by itself for one.
    """

    def __init__(self, children: list[Any]):
        self.board: Board | None = None
        self.still = Still()
        self.place = widgets.VBox()
        super().__init__([*children, self.place])

    def _repr_mimebundle_(self, **_: Any) -> Any:
        bundle = super()._repr_mimebundle_(**_)
        self.still.put_out()
        return bundle

    def put_on(self, board: Board) -> None:
        """Show a board in place of the one that stood here."""
        if self.board is not None:
            self.board.still = Still()  # its bots may go on, out of sight
        self.board, board.still = board, self.still
        self.still.html = board.still_html
        self.place.children = [board]
        self.still.renew()

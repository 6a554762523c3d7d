"""`tkg.table`: from which game, variant and seats to a board on which it is played."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from tkg.boards.board import PACE, Board, board
from tkg.boards.controls import VariantPanel
from tkg.boards.folds import PERSON, seatable
from tkg.boards.still import PanelWithBoard
from tkg.playtest_log import Playtests, playtests
from tkg.rules.errors import Refused
from tkg.rules.games import GAMES, rules_of

NEW_GAME = "a new game"
MOST_SEATS = 4


class Table(PanelWithBoard):
    """Controls that make a new game of any kind, and below them the board on which it is played.

    `board` is the board of the last game that was started, None before; `failure` says what was refused, if anything was.
    """

    def __init__(self, game: str | None = None, log: bool | str | Path = True, pace: float = PACE):
        self.logged, self.pace = log, pace
        self.failure = ""
        self.broken_off: list[dict[str, Any]] = []  # rows of the log's table of games, of all games
        self.panels: dict[str, VariantPanel] = {}
        titles = [(rules.TITLE, name) for name, rules in GAMES.items()]
        self.game = widgets.ToggleButtons(
            options=titles, value=game or next(iter(GAMES)), style={"button_width": "180px"}
        )
        self.start = widgets.Button(description="Start", button_style="primary", icon="play")
        self.sitters = [
            widgets.Dropdown(options=[PERSON], description=f"seat {seat}", style={"description_width": "45px"},
                             layout=widgets.Layout(width="190px"))
            for seat in range(1, MOST_SEATS + 1)
        ]  # fmt: skip
        self.names = [
            widgets.Text(placeholder="name or initials", layout=widgets.Layout(width="130px")) for _ in self.sitters
        ]
        self.seed = widgets.Text(placeholder="drawn", description="seed", style={"description_width": "45px"},
                                 layout=widgets.Layout(width="190px"))  # fmt: skip
        self.unfinished = widgets.Dropdown(options=[(NEW_GAME, NEW_GAME)], layout=widgets.Layout(width="480px"))
        self.unfinished.observe(self._name_start, "value")
        self.says = widgets.HTML()
        self.knobs = widgets.Accordion([widgets.VBox()], titles=("Rules and components",), selected_index=None)
        seats = [widgets.HBox([who, name]) for who, name in zip(self.sitters, self.names, strict=True)]
        for who, name in zip(self.sitters, self.names, strict=True):
            who.observe(lambda change, name=name: setattr(name, "disabled", change["new"] != PERSON), "value")
        self.game.observe(self._turn_to, "value")
        self.start.on_click(lambda _: self.begin())
        super().__init__(
            [
                self.game,
                widgets.HBox([self.start, self.unfinished, self.seed], layout=widgets.Layout(flex_flow="row wrap")),
                widgets.HBox(seats, layout=widgets.Layout(flex_flow="row wrap")),
                self.knobs,
                self.says,
            ]
        )
        self._seats_of = ""
        self._turn_to()
        self.look_for_unfinished()

    @property
    def panel(self) -> VariantPanel:
        """The knobs and readings of the game that is chosen."""
        name = self.game.value
        if name not in self.panels:
            self.panels[name] = VariantPanel(name)
            for control in self.panels[name].controls.values():
                control.observe(lambda _: self._count_seats(), "value")
        return self.panels[name]

    def _turn_to(self, _: object = None) -> None:
        self.knobs.children[0].children = [self.panel]
        self._count_seats()
        self._offer()

    def _count_seats(self) -> None:
        """Show as many seats as the variant has, the first for a person and the others for bots."""
        variant = self.panel.variant
        self._name_start()
        if variant is None:
            return
        game = variant.game
        for seat, (who, name) in enumerate(zip(self.sitters, self.names, strict=True), 1):
            shown = None if seat <= variant.seats else "none"
            who.layout.display = name.layout.display = shown
            if game != self._seats_of:
                who.options = [PERSON, *seatable(game)]
                who.value = PERSON if seat == 1 else "greedy"
        self._seats_of = game

    def _name_start(self, _: object = None) -> None:
        """Let the button say what it does; a game that is taken up has its own variant, whatever the controls say."""
        taking_up = self.unfinished.value != NEW_GAME
        self.start.description = "Take up" if taking_up else "Start"
        self.start.disabled = self.panel.variant is None and not taking_up

    def look_for_unfinished(self) -> None:
        """Read which games of the playtest log were broken off, and offer those of the game that is chosen."""
        if self.logged is not False:
            found = self._played()
            self.broken_off = found.games.filter(found.games["id"].is_in(found.unfinished)).rows(named=True)
        self._offer()

    def _offer(self) -> None:
        """Offer the broken-off games of the game that is chosen, the last one first, and choose a new one."""
        offers = [(words_of(row), row["id"]) for row in reversed(self.broken_off) if row["game"] == self.game.value]
        self.unfinished.options = [(NEW_GAME, NEW_GAME), *offers]
        self.unfinished.value = NEW_GAME
        self.unfinished.layout.display = None if offers else "none"

    def begin(self) -> None:
        """Start the game that the controls describe, or take up the one that is chosen."""
        self.failure = ""
        try:
            made = self._taken_up() if self.unfinished.value != NEW_GAME else self._new()
        except Refused as error:
            self.failure = str(error)
            self.says.value = f"<b>Refused:</b> {escape(self.failure)}"
            return
        self.says.value = ""
        made.canvas.come = True
        self.put_on(made)
        self.look_for_unfinished()  # the game that stood there until now may be among them

    def _new(self) -> Board:
        variant, text = self.panel.variant, self.seed.value.strip()
        if variant is None:
            raise Refused("the variant is refused; see above")
        if text and not text.isdecimal():
            raise Refused(f"seed {text!r}: a whole number, or nothing to have one drawn")
        seed = int(text) if text else None
        sitters = self.sitters[: variant.seats]
        bots = [None if who.value == PERSON else who.value for who in sitters]
        names = [name.value.strip() for name in self.names[: variant.seats]]
        return board(variant, bots, seed, names=names, pace=self.pace, log=self.logged)

    def _played(self) -> Playtests:
        return playtests(None if isinstance(self.logged, bool) else self.logged)

    def _taken_up(self) -> Board:
        id, found = self.unfinished.value, self._played()
        seats = found.seats(id)
        bots: list[Any] = [seat["name"] if seat["by"] == "bot" else None for seat in seats]
        names = ["" if seat["by"] == "bot" else seat["name"] for seat in seats]
        return board(found.resume(id), bots, names=names, pace=self.pace, log=self.logged, continues=id)


def words_of(row: dict[str, Any]) -> str:
    """A broken-off game as it is offered: when it began, by this machine's clock, its variant, how far it came, and who sat there."""
    sitters = f"{row['people']} {row['bots'] and 'against '}{row['bots']}".strip()
    told = [f"{row['begun'].astimezone():%d %b %Y, %H:%M}", row["variant"], f"move {row['moves']}", sitters]
    return " · ".join(filter(None, told))


def table(game: str | None = None, *, log: bool | str | Path = True, pace: float = PACE) -> Table:
    """The panel from which a new game of any kind is made, or one that was broken off is taken up.

    `game` is chosen at first; `log` and `pace` are as for `tkg.board`.
    """
    if game is not None:
        rules_of(game)
    return Table(game, log, pace)

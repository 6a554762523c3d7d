"""A person at a board in a page: sees what can be chosen, points at it with the mouse or goes there with keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from playing import LONG

# By game: a variant and who sits at the other seat, small enough to be soon over by the rule of whoever plays here.
WHOLE = {
    "rift": ("tkg.rift()" if LONG else "tkg.rift(deck={'FW': 6, 'AE': 6, '-': 3})", None),
    "cosmic": ('tkg.cosmic(side=3, layout="dealt")', "greedy"),
    "umbra": ("tkg.umbra(soul_on_tile=3)", "greedy"),
}


def whole_game(game: str, who: str) -> str:
    """A cell with a board for a whole game of this person's."""
    variant, bots = WHOLE[game]
    names = [who, ""][: 2 if bots else 1]
    return f"import tkg\ntkg.board({variant}, bots={bots!r}, names={names}, seed=7, pace=0)"


# What can be chosen once the board shows another picture than `seq` and no bot is on the move; nothing at all at the end.
LOOK = """([place, seq]) => new Promise((done, fail) => {
  const board = document.querySelectorAll(".tkg-board")[place];
  const look = () => {
    if (board.dataset.seq === seq || board.classList.contains("busy")) return false;
    board.scrollIntoView({ block: "start" });
    const targets = [...board.querySelectorAll(".tkg-chip, .tkg-hit.legal")].map((node) => {
      const area = node.firstChild.getBoundingClientRect();
      return [node.dataset.name, area.left + area.width / 2, area.top + area.height / 2,
        node.classList.contains("tkg-chip"), node.classList.contains("chosen")];
    });
    done([{ ...board.dataset }, targets]);
    return true;
  };
  if (!look()) {
    const observer = new MutationObserver(() => look() && observer.disconnect());
    observer.observe(board, { attributes: true });
    setTimeout(() => fail(new Error(`the board shows ${board.outerHTML.slice(0, 200)} for 45 seconds`)), 45000);
  }
})"""


class Target(NamedTuple):
    """Something that can be chosen: its name, where its middle lies on the screen, whether it is a chip, or chosen already."""

    name: str
    x: float
    y: float
    chip: bool
    chosen: bool


class Hand:
    """Plays at the board that stands at `place` among those of a page, by a fixed rule, until it is over."""

    def __init__(self, page: Any, place: int = 0):
        self.page, self.place = page, place
        self.looked: dict[str, Any] = {}  # what the board tells of the picture that was looked at last
        self.answered = ""  # the number of the picture that was answered last
        self.steps = 0

    def look(self) -> list[Target]:
        """What can be chosen once the board has answered what was done last."""
        self.looked, targets = self.page.evaluate(LOOK, [self.place, self.answered])
        return [Target(*target) for target in targets]

    @property
    def move(self) -> int:
        """How many moves have led to the picture that was looked at last."""
        return int(self.looked["move"])

    def do(self, something: Callable[[], None]) -> None:
        """Do something else that changes the picture, and look at what comes of it."""
        self.answered = self.looked["seq"]
        something()
        self.look()

    def choice(self, targets: list[Target]) -> Target:
        """A chip if there is one; cards of the hand first, then where they go; always another one of those that fit."""
        fresh = [t for t in targets if t.chip] or [t for t in targets if not t.chosen]
        cards = [t for t in fresh if t.name.startswith("hand ")]
        places = [t for t in fresh if t not in cards]
        holding = any(t.chosen and t.name.startswith("hand ") for t in targets)
        fitting = places if places and (holding or not cards) else cards
        self.steps += 1
        return fitting[self.steps * 7 % len(fitting)]

    def click(self, target: Target) -> None:
        self.page.mouse.click(target.x, target.y)

    def press(self, target: Target) -> None:
        """Go to a target by `n`, and choose it."""
        self.page.keyboard.press("n")
        while self.page.evaluate("document.activeElement.dataset.name") != target.name:
            self.page.keyboard.press("n")
        self.page.keyboard.press("Enter")

    def play(self, by: str = "click", choices: int = 1000) -> bool:
        """Choose so often, or until the game is over; whether it is."""
        for _ in range(choices):
            targets = self.look()
            if not targets:
                return True
            self.answered = self.looked["seq"]
            getattr(self, by)(self.choice(targets))
        return not self.look()

"""The search for a variant that meets a target: Optuna asks for settings, a race plays them, fresh deals check the best.

1.  The variant as it is, then STARTUP spread settings, then what a tree-structured Parzen estimator puts forward (Optuna's
    `TPESampler`, all settings together; Bergstra and others 2011, "Algorithms for hyper-parameter optimization", NIPS 24).
    Every one plays the same deals, and is dropped once it can no longer be the best (see `tkg.targets.race`). Several
    terms are added up to one loss (see `tkg.targets.measuring`); what competes shows in the front (`Tuned.front`).
2.  Run-off: the FINALISTS best play fresh deals, for the best of many looks better than it is; the best there is found.
3.  Check: what was found plays fresh deals once more, and these alone are reported as what it does.

The seed settles everything; workers and interruptions nothing. Optuna's journal, what the search asks, and all games are
kept in a folder; a trial that was broken off is asked for again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tkg.bulk import check_games, version
from tkg.own_bots import own_among, source_of
from tkg.rules.chance import SEED_BITS, check_seed, derive_exact
from tkg.rules.errors import Refused
from tkg.rules.knobs import Variant
from tkg.studies.store import Store, rules_hash
from tkg.targets.measuring import Measured, Seconds, loss_of, read_seconds
from tkg.targets.race import Games, Outcome, Race, Unfit
from tkg.targets.space import Knobs, Space, read_space
from tkg.targets.terms import Term, read_target
from tkg.targets.tuned import Tuned
from tkg.variant_files import deck_path, refuse_existing, save_variant, variant_from, variant_path

if TYPE_CHECKING:
    from optuna.study import Study

STARTUP = 10  # settings that are spread evenly before the estimator is asked
FINALISTS = 3
PRICE = 0.001  # what a changed knob or reading costs: between variants alike, the one with fewer changes
AGAIN = 100  # times that the search may come back to what it has tried, one after another, before it ends
BY_ESTIMATE = 5  # of these, how often the estimator is asked before settings are drawn at random
SEARCH, RUN_OFF, CHECK, SPREAD = range(4)  # purposes of seeds
QUESTION, JOURNAL = "search.json", "journal.log"
FORMAT = 1
COPY, FOUND = (
    "copy",
    "found",
)  # attributes of a trial: its settings were tried before; what was measured, or why it was refused


@dataclass(frozen=True)
class Question:
    """What is searched for, and where; `told` settles every trial."""

    space: Space
    terms: tuple[Term, ...]
    seconds: Seconds
    games: int
    seed: int

    @property
    def told(self) -> dict[str, Any]:
        """As a file has it: what another search must have alike to go on from this one."""
        game = self.space.base.game
        bots = sorted({bot for term in self.terms for bot in own_among(game, term.bots)})
        return {
            "format": FORMAT,
            "tkg": version(),
            "rules": rules_hash(game),
            "base": str(self.space.base),
            "settings": self.space.base.plain(),
            "target": " ".join(f"{term.measured} {term.wanted}" for term in self.terms),
            "knobs": self.space.words,
            "seconds": dict(self.seconds.by_kind) if any(t.name == "minutes" for t in self.terms) else {},
            "games": self.games,
            "seed": self.seed,
            "own_bots": {bot: source_of(bot) for bot in bots},
        }

    @property
    def digest(self) -> str:
        return hashlib.sha256(json.dumps(self.told).encode()).hexdigest()[:8]

    def run_seed(self, purpose: int) -> int:
        """The seed of the deals of a purpose: hashed, so that neighbouring seeds share none."""
        return derive_exact(derive_exact(self.seed, SEED_BITS), purpose) >> (64 - SEED_BITS)


def tune(
    game: str | Variant | Callable[..., Variant],
    target: str | Mapping[str, Any],
    knobs: Knobs = None,
    *,
    trials: int = 40,
    games: int = 300,
    check: int | None = None,
    bot: str = "greedy",
    seconds: Any = None,
    seed: int = 0,
    to: str | Path | None = None,
    workers: int | None = None,
    force: bool = False,
    progress: bool = False,
) -> Tuned:
    """Look for a variant that meets a target, and say how near the best one comes.

    `game` is a game's name or function, or the variant round which all is varied. `target` is text such as
    `"win[mcts:25]=0.5 win[greedy]=0.15 minutes<45"`, or a mapping (see `tkg.targets.terms`); `bot` plays where a term names none, and
    `seconds` tells how long a decision takes: a number, numbers by kind, or the decisions of `tkg.playtests()`. `knobs` says
    what may be varied (see `tkg.targets.space`): text such as `"supply=3..20,side=3;4,deck"`, names or a mapping; without it
    all numbers and readings that matter and are not set already.

    `trials` variants are tried, each with `games` games of each choice of bots at most; the best three play as many fresh ones
    (`check`, if that is given), and the best of these as many once more. More games make every interval narrower, and so
    the search stricter.

    What was found is saved as the variant `to`, a name in `data/variants` (or `variants` where TKG_DATA points), or a path;
    `tkg.load_variant` loads it again. In the folder of that name the search is kept: the same call goes on where it was,
    also with more trials. Without `to` the name is the game's with a digest of the question. Another search, or another
    variant of that name, is refused without `force`, which replaces them.

    >>> import tkg
    >>> found = tkg.tune(tkg.rift, "win[greedy]=0.5", "supply=4..12", trials=9, games=100)  # doctest: +SKIP
    """
    base = base_of(game)
    terms = read_target(target, base, bot)
    question = Question(
        read_space(base, knobs), terms, read_seconds(seconds, base.rules), check_games(games), check_seed(seed)
    )
    if isinstance(trials, bool) or not isinstance(trials, int) or trials < 1:
        raise Refused(f"trials={trials!r}: a whole number from 1 is needed")
    checked = question.games if check is None else check_games(check)
    path = variant_path(f"{base.game}_{question.digest}" if to is None else to)
    store = Store(path.with_suffix(""))
    with store.locked():
        begin(question, store.folder, path, force)
        search = Search(question, store, workers, progress)
        search.play(trials)
        outcomes, refused = tuple(search.outcomes.values()), tuple(search.refused.values())
        if not outcomes:
            raise Refused(f"the rules refuse every variant that was tried; the first: {refused[0]}")
        finalists = sorted(outcomes, key=rank)[:FINALISTS]
        run_off = search.on_fresh_deals(finalists, checked, RUN_OFF) if len(finalists) > 1 else []
        best = min(run_off, key=rank) if run_off else finalists[0]
        final = search.on_fresh_deals([best], checked, CHECK)[0]
        tuned = Tuned(question, outcomes, tuple(run_off), final, refused, checked, path)
        saved = save_variant(final.variant, path, tuned.found, force=True)
    return tuned.saved_as(saved)


def rank(outcome: Outcome) -> tuple[bool, float]:
    """What is measured in every term goes before what was dropped earlier, then the smaller loss."""
    return not outcome.whole, outcome.loss.total


def expected(terms: Sequence[Term], outcome: Outcome, others: Sequence[Outcome]) -> float:
    """What is to be expected of the terms that an outcome was dropped before: what the most similar variant misses there.

    That is the one whose values of the terms that were measured are nearest, of those in which every term was. Without it
    a variant that is dropped at once would look better to the estimator than one which comes nearer and plays on.
    """
    missing = [k for k, m in enumerate(outcome.found) if m is None]
    whole = [o for o in others if o.whole]
    if not missing or not whole:
        return 0.0

    def distance(other: Outcome) -> float:
        pairs = zip(terms, outcome.found, other.found, strict=True)
        return sum(abs(m.value - o.value) / t.scale for t, m, o in pairs if m is not None and o is not None)

    alike = min(whole, key=distance)
    return sum(terms[k].miss(m.value) / terms[k].scale for k in missing if (m := alike.found[k]) is not None)


def base_of(game: Any) -> Variant:
    """The variant round which all is varied."""
    return variant_from(game() if callable(game) else game, "game")


def begin(question: Question, folder: Path, path: Path, force: bool) -> None:
    """Write down what a folder's search asks, or see that it is the same; another one is replaced with `force` only."""
    asked = folder / QUESTION
    kept: Any = None
    if asked.exists():
        try:
            kept = json.loads(asked.read_bytes())
        except ValueError:
            kept = {}
    told = json.loads(json.dumps(question.told))
    if kept == told:
        return
    if not force:
        if isinstance(kept, dict):
            other = [name for name in told if kept.get(name) != told[name]]
            raise Refused(
                f"{folder} holds another search: {other[0]} is {kept.get(other[0])!r} there, and {told[other[0]]!r} here; "
                "take another name (--to), or replace it by --force (force=True)"
            )
        refuse_existing([path, deck_path(path)], "take another name (--to), or replace it by")
    (folder / JOURNAL).unlink(missing_ok=True)
    Store(folder).write(asked, told)


# --- Searching ----------------------------------------------------------------------------------------------------


class Search:
    """One run of a search over its folder. What is settled is in the journal, so that another run goes on from there."""

    def __init__(self, question: Question, store: Store, workers: int | None, progress: bool):
        self.question, self.store, self.progress = question, store, progress
        self.bar: Any = None
        self.games = Games(store, workers, lambda words: self.bar.set_postfix_str(words))
        self.race = self.race_on(SEARCH, question.games)
        self.outcomes: dict[Variant, Outcome] = {}
        self.refused: dict[str, str] = {}  # why, by settings
        self.asked = 0  # how often settings were asked for
        self.again = 0  # how often in a row lately they were none that are new
        space = question.space
        home = [space.home] if len(space.home) == len(space.dims) else []
        self.ahead = home + space.draws(STARTUP, question.run_seed(SPREAD))

    @property
    def tried(self) -> int:
        return len(self.outcomes) + len(self.refused)

    def play(self, trials: int) -> None:
        """Try so many variants; those of an earlier run are taken as they are."""
        from tqdm.auto import tqdm

        with quiet_optuna(), open_study(self.store.folder) as study:
            self.take_up(study, trials)
            most = min(trials, self.question.space.points)
            with tqdm(total=most, initial=self.tried, unit="trial", disable=not self.progress) as self.bar:
                while self.tried < most and self.again < AGAIN:
                    self.step(study)
                    self.bar.update(self.tried - self.bar.n)

    def take_up(self, study: Study, trials: int) -> None:
        """What earlier runs have settled, as far as so many trials go."""
        from optuna.trial import TrialState

        for trial in study.get_trials(deepcopy=False):
            copy = COPY in trial.user_attrs
            if trial.state == TrialState.RUNNING:
                study.tell(trial.number, state=TrialState.FAIL)  # broken off: its settings come up again
            if copy or trial.state in (TrialState.COMPLETE, TrialState.PRUNED):
                self.asked += 1
                self.again = self.again + 1 if copy else 0
                if not copy and self.tried < trials:
                    self.take_in(trial)

    def take_in(self, trial: Any) -> None:
        """What came of a trial of an earlier run."""
        told, space = trial.user_attrs[FOUND], self.question.space
        if isinstance(told, str):
            self.refused[settings_of(trial)] = told
            return
        found = tuple(None if m is None else Measured(*m) for m in told)
        variant = space.variant(trial.params)
        loss = loss_of(self.question.terms, found, PRICE * len(space.changed(variant)))
        self.outcomes[variant] = Outcome(variant, found, loss)
        self.race.learn(self.outcomes[variant])

    def step(self, study: Study) -> None:
        """Ask for settings, and play them if they are new."""
        from optuna.trial import TrialState

        space = self.question.space
        study.sampler = self.sampler()
        if self.asked < len(self.ahead) and not study.get_trials(deepcopy=False, states=(TrialState.WAITING,)):
            study.enqueue_trial(self.ahead[self.asked])
        trial = study.ask({name: dim.distribution for name, dim in space.dims.items()})
        outcome = self.outcome_of(trial)
        if outcome is None:
            trial.set_user_attr(COPY, True)
            study.tell(trial, state=TrialState.FAIL)  # the estimator is not to hear of it twice
        elif isinstance(outcome, str):
            self.refused[settings_of(trial)] = outcome
            trial.set_user_attr(FOUND, outcome)
            study.tell(trial, state=TrialState.PRUNED)  # the estimator keeps away from there
        else:
            told = outcome.loss.total + expected(self.question.terms, outcome, list(self.outcomes.values()))
            self.outcomes[outcome.variant] = outcome
            trial.set_user_attr(FOUND, outcome.plain)
            study.tell(trial, told)
        self.asked += 1
        self.again = self.again + 1 if outcome is None else 0

    def outcome_of(self, trial: Any) -> Outcome | str | None:
        """What comes of a trial's settings: why they are refused, None if they have been tried."""
        space = self.question.space
        if settings_of(trial) in self.refused:
            return None
        try:
            variant = space.variant(trial.params)
            if variant in self.outcomes:
                return None
            return self.race.enter(variant, len(space.changed(variant)))
        except Unfit as error:
            return str(error)

    def sampler(self) -> Any:
        """Who puts the next settings forward; seeded by how many were asked for, since a sampler's state is not stored."""
        from optuna.samplers import RandomSampler, TPESampler

        seed = derive_exact(self.question.run_seed(SPREAD), self.asked) >> 32
        if self.again >= BY_ESTIMATE:
            return RandomSampler(seed=seed)
        return TPESampler(n_startup_trials=STARTUP, multivariate=True, seed=seed)

    def race_on(self, purpose: int, games: int) -> Race:
        """A race on the deals of a purpose."""
        question = self.question
        seed = question.run_seed(purpose)
        return Race(question.terms, question.seconds, self.games, games, seed, PRICE, purpose == SEARCH)

    def on_fresh_deals(self, chosen: Sequence[Outcome], games: int, purpose: int) -> list[Outcome]:
        """The same variants on deals that none has met, each as long as it may be the best of them."""
        from tqdm.auto import tqdm

        race, space = self.race_on(purpose, games), self.question.space
        words = "run-off on fresh deals" if purpose == RUN_OFF else "check on fresh deals"
        found = []
        with tqdm(total=len(chosen), unit="variant", desc=words, disable=not self.progress) as self.bar:
            for outcome in chosen:
                found.append(race.enter(outcome.variant, len(space.changed(outcome.variant))))
                self.bar.update()
        return found


@contextmanager
def quiet_optuna() -> Iterator[None]:
    """Optuna says nothing meanwhile of what it does; afterwards as much as before."""
    import optuna

    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        yield
    finally:
        optuna.logging.set_verbosity(before)


@contextmanager
def open_study(folder: Path) -> Iterator[Study]:
    """Optuna's study in a folder that nobody else has open; what a killed process left half-written is cut off."""
    import optuna
    from optuna.storages.journal import JournalFileBackend, JournalFileOpenLock

    path = folder / JOURNAL
    for left in folder.glob(f"{JOURNAL}*.lock*"):
        left.unlink()
    if path.exists():
        whole = path.read_bytes()
        path.write_bytes(whole[: whole.rfind(b"\n") + 1])
    backend = JournalFileBackend(str(path), lock_obj=JournalFileOpenLock(str(path)))
    try:
        storage = optuna.storages.JournalStorage(backend)
        study = optuna.create_study(storage=storage, study_name="search", load_if_exists=True)
    except (ValueError, KeyError) as error:
        raise Refused(
            f"{path} is not what Optuna writes there ({error}); remove it, and the search begins anew with the games that are kept"
        ) from None
    yield study


def settings_of(trial: Any) -> str:
    """What a trial's settings are told apart by."""
    return json.dumps(trial.params, sort_keys=True)

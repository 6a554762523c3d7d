"""What must hold for every game, whatever its rules.

`check_declarations(game)`, `check_luck(variant, seeds)`, `check_variant(variant, seed, dealt, sound)`,
`check_dealt(variant, seed, dealt)` and `check_positions(variant, seed, told, sound, often)` go through `tkg.Game` and the verbs alone, so a new game is passed to them
unchanged: any number of seats, thousands of options, hidden information. `variants_of` makes the variants to check
from a game's declarations.
"""

from __future__ import annotations

import dataclasses
import json
import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from playing import amount, play_out, played, state_of

import tkg
from tkg.game import Game
from tkg.record import from_record, parse_record, to_line, to_record
from tkg.rules import calls
from tkg.rules.calls import SILENT
from tkg.rules.games import VERBS, rules_of
from tkg.rules.kernel import COMPILING, records
from tkg.rules.knobs import ByElement, DeckKnob, Number, Reading, TileSet, Variant, parse_settings
from tkg.rules.results import told
from tkg.rules.tiles import Deck, deck_names

MOST_SHOWN = 300  # options of one decision whose texts are compared
MOST_TRIED = amount(16, least=4)  # options of one decision that are played on copies
OFTEN = 3 if COMPILING else 1  # so many of the first decisions are looked at closely, then ever fewer
FOLLOWED = amount(10)  # actions that are played on from what a seat may imagine
GONE_ON = amount(12, least=3)  # actions that are played on from a position set up by hand, and where it came from
DAMAGED = amount(4)  # faults that are tried in a position
GIVEN = """
    NAME TITLE KNOBS READINGS DECLARED KINDS STATE RESULT BY_SEAT EXTRAS WORDS MASKS SCORE ENDINGS MOST_CHANCE
    pack check warnings view position set_up text reason chance_from_tape tape_from_chance
"""

WRONG = (None, True, -1, 0, 1, 2, 99, 10**9, 0.5, "", "-", "FW", "A", "III", "no such thing", [], [1, 1], {}, {"A": {}})

Sound = Callable[[Any, Variant], None]  # asserts what is always true of a position of the game


# --- Variants -------------------------------------------------------------------------------------------------


def extremes(declaration: Any, default: Variant) -> list[Any]:
    """Values of a knob or reading worth a check: both ends, every option, every deck."""
    match declaration:
        case Number(low=low, high=high):
            return [low, default[high] if isinstance(high, str) else high]
        case ByElement(low=low, high=high, default=middle):
            return [low, high, [middle, low, min(low + 3, high), high]]
        case DeckKnob(low=low, high=high):
            return [*deck_names(), default.deck.grown(low), default.deck.grown(high)]
        case TileSet(default=middle, high=high, kinds=kinds):
            one_kind = [type(middle)(*(int(kind == other) for other in kinds)) for kind in kinds]
            return [*one_kind, *(middle._replace(**{kind: high}) for kind in kinds)]
        case Reading(options=options):
            return list(options)
    raise AssertionError(f"tell `extremes` which values of {declaration!r} to check")


def variant_near(rules: Any, settings: Mapping[str, Any]) -> Variant:
    """The variant of these settings; where the rulebook refuses them together, with one other knob at an end of its range."""
    default, refused = Variant(rules), []
    others = [{d.name: v} for d in rules.KNOBS if d.name not in settings for v in extremes(d, default)]
    for other in [{}, *others]:
        try:
            return Variant(rules, **settings, **other)
        except tkg.Refused as error:
            refused.append(error)
    raise refused[0]


def variants_of(game: str, combinations: Iterable[Mapping[str, Any]] = ()) -> list[Variant]:
    """The default, every extreme on its own, all the last readings together, and the combinations given."""
    rules = rules_of(game)
    default = Variant(rules)
    found = [default]
    for declaration in rules.DECLARED:
        found += [variant_near(rules, {declaration.name: value}) for value in extremes(declaration, default)]
    found.append(Variant(rules, **{r.name: r.options[-1] for r in rules.READINGS}))
    found += [Variant(rules, **settings) for settings in combinations]
    return list(dict.fromkeys(found))


# --- Declarations -----------------------------------------------------------------------------------------------


def check_declarations(game: str) -> None:
    """The rulebook gives every name that the rest of the program asks for, and declares its settings in full."""
    rules = rules_of(game)
    assert game == rules.NAME
    for name in (*GIVEN.split(), *VERBS):
        assert hasattr(rules, name), f"{game} gives no {name}"
    assert (*rules.KNOBS, *rules.READINGS) == rules.DECLARED
    names = [d.name for d in rules.DECLARED]
    assert len(set(names)) == len(names)
    assert all(name.isidentifier() and name == name.lower() for name in names)
    assert not rules.ENDINGS[0], "0 is no ending: the game is on"
    assert all(rules.ENDINGS[1:])
    for fields in ([rules.SCORE], rules.BY_SEAT, rules.EXTRAS, rules.WORDS, rules.MASKS):
        assert set(fields) <= set(rules.RESULT.names)
    assert rules.SCORE not in rules.EXTRAS
    for name in rules.RESULT.names:
        assert bool(rules.RESULT[name].shape) == (name in rules.BY_SEAT), f"{name}: only fields by seat are arrays"
    for name, words in rules.WORDS.items():
        assert len(set(words)) == len(words) > 1, name
        assert all(isinstance(word, str) for word in words), name
    assert all(rules.RESULT[name].kind == "u" for name in rules.MASKS), "a set of cells is a mask of bits"
    assert set(rules.KNOBS) | set(rules.READINGS) == set(rules.DECLARED)
    default = Variant(rules)
    assert not default.differing
    assert str(default) == f"{game}()"
    for declaration in rules.DECLARED:
        check_declaration(declaration, default)


def check_declaration(declaration: Any, default: Variant) -> None:
    """Every field is filled in, every value that is declared is read back from its text, and none else is taken."""
    rules, name = default.rules, declaration.name
    for field in dataclasses.fields(declaration):
        value = getattr(declaration, field.name)
        assert value is not None, f"{name} does not tell its {field.name}"
        assert value not in ("", ()), f"{name} does not tell its {field.name}"
    assert declaration.range_text()
    assert f"| `{name}` | {declaration.text(default[name])} | " in default.rule_summary()
    for value in extremes(declaration, default):
        read = declaration.read(value)
        assert declaration.read(json.loads(json.dumps(declaration.plain(read)))) == read
        if not isinstance(read, Deck) or read.name in deck_names():
            assert declaration.read(parse_settings(rules, {name: declaration.text(read)})[name]) == read
    for wrong in ("no such value", None, [], {}, 2.5, -1, 10**6, object()):
        with pytest.raises(tkg.Refused, match=name):
            Variant(rules, **{name: wrong})
    if isinstance(declaration, Number) and isinstance(declaration.high, int):
        for wrong in (declaration.low - 1, declaration.high + 1, True, str(declaration.low)):
            with pytest.raises(tkg.Refused, match=declaration.range_text()):
                Variant(rules, **{name: wrong})


# --- Luck -------------------------------------------------------------------------------------------------------


def check_luck(variant: Variant, seeds: Sequence[int]) -> None:
    """The same seed is the same game; seeds differ in what luck brings, from the start or later."""
    first = [played(variant, seed) for seed in seeds]
    again = [played(variant, seed) for seed in reversed(seeds)][::-1]
    for one, other in zip(first, again, strict=True):
        assert one.actions == other.actions
        assert one.chance == other.chance
        assert state_of(one) == state_of(other)
    assert len({json.dumps(g.chance) for g in first}) == len(seeds)
    given = tkg.new(variant, seed=seeds[0])
    assert given.seed == seeds[0]
    assert tkg.new(variant).seed != tkg.new(variant).seed


# --- One variant ------------------------------------------------------------------------------------------------


def check_variant(variant: Variant, seed: int, dealt: Sequence[str], sound: Sound) -> None:
    """Everything that must hold of one game of a variant, and of the variant itself.

    `dealt` are the fields of the state that `hide` may change, and `sound` asserts what is true of every position,
    also of one that a seat imagines: nothing that is dealt anew comes from nowhere or gets lost.
    """
    check_settings(variant)
    game = Game(variant, seed, players=["somebody"] * variant.seats)
    check_start(game)
    random = Random(f"{variant} {seed}")
    sights: dict[int, str] = {}
    kept: list[tuple[Game, bytes, list[str]]] = []
    reached = [state_of(game)]
    while not game.over:
        sound(game.states[0], variant)
        check_sight(game, game.seed, sights)
        if random.random() < OFTEN / len(reached):
            check_decision(game, random, dealt, sound)
            for action in spread(random.sample(game.legal, len(game.legal)), MOST_TRIED):
                note_sight(game.copy().play(action), sights)
            kept.append((game.copy(), state_of(game), game.actions))
        game.play(random.choice(game.legal))
        reached.append(state_of(game))
        assert len(reached) < 100_000, "the game does not end"
    sound(game.states[0], variant)
    check_end(game)
    for copy, state, actions in kept:
        assert state_of(copy) == state, "a copy has changed when another one moved on"
        assert copy.actions == actions
    check_record(game, reached)
    check_unfinished(game, reached, random)
    while game.actions:
        game.undo()
        assert state_of(game) == reached[len(game.actions)], "undo has not brought the position back"


def check_settings(variant: Variant) -> None:
    """A variant survives pickling, its string and JSON; the rules read the same from all of them."""
    rules = variant.rules
    plain = json.loads(json.dumps(variant.plain()))
    assert list(plain) == [d.name for d in rules.DECLARED]
    pickled, written = pickle.loads(pickle.dumps(variant)), tkg.variant(str(variant))
    assert str(pickled) == str(written) == str(variant)
    for other in (pickled, written, Variant(rules, **plain)):
        assert other == variant
        assert hash(other) == hash(variant)
        assert other.packed.tobytes() == variant.packed.tobytes()
    assert not variant.packed.flags.writeable
    assert all(isinstance(sentence, str) and sentence for sentence in variant.warnings + variant.notes)


def check_start(game: Game) -> None:
    """A game begins alike whatever its record held before: records are used again and again."""
    states = records(game.rules.STATE)
    states.view(np.uint8)[:] = 255
    calls.start(states, game.variant.packed, game.seed, SILENT)
    assert states.tobytes() == state_of(game)


def spread(items: Sequence[Any], most: int) -> list[Any]:
    """At most so many of the items, evenly spread, the first and the last among them."""
    if len(items) <= most:
        return list(items)
    return [items[i * (len(items) - 1) // (most - 1)] for i in range(most)]


def check_decision(game: Game, random: Random, dealt: Sequence[str], sound: Sound) -> None:
    """One decision: its options, each of them played on a copy, and what a seat sees of it."""
    variant, rules = game.variant, game.rules
    states = game.states
    state = states.tobytes()
    actions = calls.options(states, variant.packed).tolist()
    assert actions, "a game that is on has an option"
    assert len(set(actions)) == len(actions), "an option is listed twice"
    assert states.tobytes() == state, "listing the options has changed the position"
    payoffs = np.zeros(variant.seats)
    assert calls.outcome(states, variant.packed, payoffs) == 0
    assert game.outcome is None
    assert game.seat is not None
    assert 1 <= game.seat <= variant.seats
    assert game.kind in rules.KINDS

    legal = game.legal
    assert len(legal) == len(actions), "two options have the same text"
    shown = spread(actions, MOST_SHOWN)
    assert [rules.text(variant, states[0], action) for action in shown] == spread(legal, MOST_SHOWN)

    for action in spread(random.sample(actions, len(actions)), MOST_TRIED):
        text = rules.text(variant, states[0], action)
        after = game.states
        calls.play(after, variant.packed, action, SILENT)
        copy = game.copy().play(text)
        assert state_of(copy) == after.tobytes(), f"{text}: the text plays another action"
        assert state_of(copy) != state, f"{text} changes nothing"
        assert bool(copy.legal) == (not copy.over)
        assert state_of(copy.undo()) == state, f"{text} cannot be undone"
        assert copy.actions == game.actions
        assert state_of(game) == state, f"{text} on a copy has changed the game"
    for seat in range(variant.seats):
        check_hiding(game, seat, random.randrange(1 << 53), dealt, sound)


def check_hiding(game: Game, seat: int, key: int, dealt: Sequence[str], sound: Sound) -> None:
    """What a seat cannot know is dealt anew: it sees the same as before and, if it decides, has the same options."""
    variant, rules = game.variant, game.rules
    seen = json.dumps(rules.view(game.states[0], variant, seat))
    assert json.dumps(game.view(seat + 1)) == seen
    hidden = imagined(game.states, variant, seat, key)
    assert hidden.tobytes() == imagined(game.states, variant, seat, key).tobytes(), (
        "hide does not settle on its key alone"
    )
    assert json.dumps(rules.view(hidden[0], variant, seat)) == seen, "hide has changed what the seat sees"
    assert rules.view(hidden[0], variant, None) == game.view(None), "hide has changed what everybody sees"
    for field in changed(game.states, hidden):
        assert field == "luck" or field in dealt, f"hide has changed {field}"
    if "luck" in rules.STATE.names:
        assert hidden["luck"] != game.states["luck"], "what later shuffles bring is known"
    sound(hidden[0], variant)
    again = imagined(hidden, variant, seat, key + 1)
    assert json.dumps(rules.view(again[0], variant, seat)) == seen, "imagined twice, the seat sees something else"
    sound(again[0], variant)
    if seat + 1 == game.seat:
        assert calls.options(hidden, variant.packed).tolist() == calls.options(game.states, variant.packed).tolist()
    follow(hidden, variant, key, sound)


def note_sight(game: Game, sights: dict[int, str]) -> int:
    """The sight of the seat that decides; one sight is one view."""
    if game.over:
        return 0
    sight, seen = int(calls.sight(game.states, game.variant.packed)), json.dumps(game.view(game.seat))
    assert sights.setdefault(sight, seen) == seen, "two positions that a seat can tell apart have one sight"
    return sight


def check_sight(game: Game, key: int, sights: dict[int, str]) -> None:
    """The sight tells apart what the seat that decides sees, and nothing else; the same is dealt anew from either."""
    assert game.seat is not None
    variant, packed, seat = game.variant, game.variant.packed, game.seat - 1
    states = game.states
    sight = note_sight(game, sights)
    other = imagined(states, variant, seat, key)
    assert int(calls.sight(other, packed)) == sight, "the sight tells what is hidden"
    both = [imagined(position, variant, seat, key + 1) for position in (states, other)]
    assert both[0].tobytes() == both[1].tobytes(), "what is dealt anew tells of what was hidden"
    calls.reopen(other, packed)
    assert calls.options(other, packed).size > 0
    assert int(calls.seat(other)) <= seat, "decisions made anew begin before the seat's own"


def imagined(states: np.ndarray, variant: Variant, seat: int, key: int) -> np.ndarray:
    """The position as a seat may imagine it."""
    hidden = states.copy()
    calls.hide(hidden, variant.packed, seat, key)
    return hidden


def changed(states: np.ndarray, others: np.ndarray) -> list[str]:
    """The fields in which two positions differ."""
    return [name for name in states.dtype.names if states[name].tobytes() != others[name].tobytes()]


def follow(states: np.ndarray, variant: Variant, key: int, sound: Sound) -> None:
    """Play some way on: what a seat imagines is a position like any other."""
    for _ in range(FOLLOWED):
        options = calls.options(states, variant.packed)
        payoffs = np.zeros(variant.seats)
        assert (options.size == 0) == (calls.outcome(states, variant.packed, payoffs) > 0)
        if options.size == 0:
            return
        calls.play(states, variant.packed, int(options[key % len(options)]), SILENT)
        sound(states[0], variant)


def check_dealt(variant: Variant, seed: int, dealt: Sequence[str]) -> None:
    """All that may be dealt anew is, sooner or later: checks of single positions would not miss a field."""
    game, missing = tkg.new(variant, seed), set(dealt)
    while missing:
        assert not game.over, f"hide has never changed {missing}"
        states = game.states
        for seat in range(variant.seats):
            missing.difference_update(changed(states, imagined(states, variant, seat, seed)))
        play_out(game, seed, actions=1)


def check_end(game: Game) -> None:
    """No option is left; payoffs, winners, scores and the result tell the same story."""
    variant, rules = game.variant, game.rules
    payoffs = np.full(variant.seats, 9.0)
    ending = int(calls.outcome(game.states, variant.packed, payoffs))
    assert 0 < ending < len(rules.ENDINGS)
    assert calls.options(game.states, variant.packed).size == 0
    assert (game.legal, game.seat, game.kind) == ([], None, None)
    assert (payoffs >= 0).all()
    assert payoffs.sum() <= 1 + 1e-12
    assert variant.seats == 1 or payoffs.sum() > 1 - 1e-12, "among several players somebody wins"
    outcome = game.outcome
    assert outcome is not None
    assert outcome.payoffs == tuple(payoffs)
    assert outcome.ending == rules.ENDINGS[ending]
    assert outcome.reason
    assert outcome.winners == tuple(seat for seat, p in enumerate(payoffs, 1) if p > 0)
    assert len({p for p in payoffs if p > 0}) <= 1, "a shared win is shared evenly"
    result = game.result
    assert list(result) == [name for name in rules.RESULT.names if name not in rules.EXTRAS]
    assert json.loads(json.dumps(result)) == result
    for name, value in result.items():
        assert isinstance(value, list) == (name in rules.BY_SEAT)
        assert name not in rules.BY_SEAT or name == "winners" or len(value) == variant.seats
    assert outcome.scores == (tuple(result[rules.SCORE]) if rules.SCORE in rules.BY_SEAT else (result[rules.SCORE],))
    if "win" in result:
        assert result["win"] == (sum(payoffs) > 0)
    if "winners" in result:
        assert result["winners"] == list(outcome.winners) == sorted(outcome.winners)
    if "ending" in result:
        assert result["ending"] == outcome.ending
    with pytest.raises(tkg.Illegal, match="over"):
        game.play("anything")
    first, second = records(rules.RESULT), records(rules.RESULT)
    second.view(np.uint8)[:] = 255
    for out in (first, second):
        calls.result(game.states, variant.packed, out)
        assert told(rules, variant.seats, out[0]) == result
    assert first.tobytes() == second.tobytes(), "a field is left as it was"


# --- Positions --------------------------------------------------------------------------------------------------


class Told(NamedTuple):
    """What a game's positions tell and what they do not."""

    never: Callable[[Any], bool]  # states at which a decision is at hand of which no position is told
    luck: tuple[str, ...]  # the fields that hold what a position leaves to chance


def check_positions(variant: Variant, seed: int, told: Told, sound: Sound, often: float) -> None:
    """Positions of one game, set up by hand, are the positions they were; the first ones all, then ever fewer.

    With `often` above the number of decisions every position is checked.
    """
    game, random, checked = tkg.new(variant, seed), Random(f"{variant} {seed}"), 0
    while not game.over:
        if told.never(game.states[0]):
            with pytest.raises(tkg.Refused):
                _ = game.position
        elif random.random() < often / (checked + 1):
            checked += 1
            check_set_up(game, random, told, sound)
            check_damage(game, random, sound)
        game.play(random.choice(game.legal))
    with pytest.raises(tkg.Refused, match="over"):
        _ = game.position
    assert checked or all(told.never(g.states[0]) for g in [tkg.new(variant, seed)] if not g.over)


def check_set_up(game: Game, random: Random, told: Told, sound: Sound) -> None:
    """A position that is written and read looks the same to everybody, has the same options and goes on alike."""
    variant, rules, before = game.variant, game.rules, state_of(game)
    position = game.position
    written = json.loads(json.dumps(position))
    assert written == position, "a position is plain data"
    assert next(iter(position)) == "phase"
    assert position["phase"] == game.kind
    seed = random.randrange(1 << 53)
    again = tkg.set_up(variant, written, seed)
    assert (again.begun_at, again.seed, again.actions) == (position, seed, [])
    assert state_of(tkg.set_up(variant, position, seed)) == state_of(again), "the seed does not settle what is not told"
    assert again.position == position
    assert state_of(game) == before
    sound(again.states[0], variant)
    states, others = game.states, again.states
    compare(states, others, variant)
    seat = random.randrange(variant.seats)
    hidden = imagined(others, variant, seat, seed)
    assert rules.view(hidden[0], variant, seat) == rules.view(others[0], variant, seat)
    sound(hidden[0], variant)
    follow(hidden, variant, seed, sound)
    for field in told.luck:
        others[field] = states[field]
    for _ in range(GONE_ON):
        options = calls.options(states, variant.packed)
        if options.size == 0:
            break
        action = int(random.choice(options))
        calls.play(states, variant.packed, action, SILENT)
        calls.play(others, variant.packed, action, SILENT)
        compare(states, others, variant)


def compare(states: np.ndarray, others: np.ndarray, variant: Variant) -> None:
    """Two positions that nobody can tell apart."""
    rules, payoffs = variant.rules, np.zeros((2, variant.seats))
    for seat in (None, *range(variant.seats)):
        assert rules.view(others[0], variant, seat) == rules.view(states[0], variant, seat)
    assert calls.options(others, variant.packed).tolist() == calls.options(states, variant.packed).tolist()
    endings = [calls.outcome(s, variant.packed, p) for s, p in zip((states, others), payoffs, strict=True)]
    assert endings[0] == endings[1]
    assert (payoffs[0] == payoffs[1]).all()


def check_damage(game: Game, random: Random, sound: Sound) -> None:
    """A position with a fault in it is refused, or it is another position that can be played."""
    for _ in range(DAMAGED):
        position = damaged(game.position, random)
        try:
            states = game.rules.set_up(game.variant, position, 1)
        except tkg.Refused:
            continue
        sound(states[0], game.variant)
        assert calls.options(states, game.variant.packed).size > 0
        follow(states, game.variant, random.randrange(1 << 20), sound)


def damaged(data: Any, random: Random) -> Any:
    """Plain data with one entry of it changed, left out, or told twice."""
    if not isinstance(data, (dict, list)) or not data or random.random() < 0.1:
        return random.choice(WRONG)
    key = random.choice(list(data) if isinstance(data, dict) else range(len(data)))
    change = random.random()
    other = data.copy()
    if change < 0.15:
        del other[key]
    elif change < 0.25 and isinstance(other, list):
        other.append(other[key])
    elif change < 0.3 and isinstance(other, dict):
        other[random.choice([*other, "A", "J", "nothing"])] = other[key]
    else:
        other[key] = damaged(other[key], random)
    return other


# --- Records ----------------------------------------------------------------------------------------------------


def check_record(game: Game, reached: Sequence[bytes]) -> None:
    """A finished game is written and read: the same settings, luck, actions, result and every position on the way."""
    record = to_record(game)
    assert record["variant"] == game.variant.plain()
    assert not set(record["result"]) & set(game.rules.EXTRAS)
    again = from_record(parse_record(to_line(record)), finished=True)
    assert again.variant == game.variant
    assert (again.seed, again.players) == (game.seed, game.players)
    assert (again.actions, again.chance, again.result) == (game.actions, game.chance, game.result)
    assert not again.chance_left
    assert to_record(again) == record
    for state in reversed(reached):
        assert state_of(again) == state, "replayed, the game takes another way"
        if again.actions:
            again.undo()


def check_unfinished(game: Game, reached: Sequence[bytes], random: Random) -> None:
    """A game is written and read at any point, and goes on from there as it did."""
    if not game.actions:  # over before its first decision
        return
    for number in {random.randrange(len(game.actions)), *((0, len(game.actions) - 1) if COMPILING else ())}:
        record = to_record(game.copy().undo(len(game.actions) - number))
        assert "result" not in record
        with pytest.raises(tkg.BadRecord) as refused:
            from_record(record, finished=True)
        assert refused.value.action == number + 1
        again = from_record(parse_record(to_line(record)))
        assert state_of(again) == reached[number]
        assert again.play(*game.actions[number:]).result == game.result
        assert state_of(again) == reached[-1]

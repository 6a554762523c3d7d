"""The hoarder by hand: what the supply can still give counts, not what a tile shows."""

import tkg

PLAIN = {"full_boundary": False, "gate": "empty"}


def kept_and_gained(deck, supply):
    """What the hoarder keeps and gains on every deal of the deck, by hand."""
    found = set()
    for seed in range(40):
        game = tkg.play_again(tkg.rift(deck=deck, supply=supply, **PLAIN), "hoarder", seed)
        found.add((tuple(game.chance[:2]), game.actions[0], tuple(game.actions[1:3])))
    return found


def test_it_keeps_what_brings_most_that_the_supply_still_gives():
    """Supply 1 fire, 3 water: FFF brings 1, WW brings 2. After WW one water is left, so F, W and FFF bring 1 each."""
    for drawn, kept, _ in kept_and_gained({"FFF": 2, "WW": 1, "F": 1, "W": 1}, [1, 3, 0, 0]):
        brings = {"FFF": 1, "WW": 2, "F": 1, "W": 1}
        assert brings[kept.removeprefix("keep ")] == max(brings[t] for t in drawn)


def test_it_gains_most_and_refuses_fewest_of_the_rest():
    """Supply 2 of each, FWA kept first: 1 fire, 1 water, 1 air and 2 earth are left. Of FFF, EE and A, EE brings 2;
    then FFF and A bring 1 each, and the first of them, A, is refused."""
    variant = tkg.rift(deck={"FWA": 1, "-": 1, "FFF": 1, "EE": 1, "A": 1}, supply=2, **PLAIN)
    for seed in range(200):
        game = tkg.play_again(variant, "hoarder", seed)
        if set(game.chance[:2]) == {"FWA", "-"}:
            assert game.actions[:2] == ["keep FWA", "gain EE"]
            assert game.actions[2] in ("refuse A", "refuse FFF")
            assert game.result["built"] == 0
            return
    raise AssertionError("no such deal")


def test_it_never_builds():
    for seed in range(20):
        game = tkg.play_again(tkg.rift(), "hoarder", seed)
        assert game.result["built"] == 0
        assert game.result["refused_builds"] == game.result["turns"] == 15

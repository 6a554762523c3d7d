"""The hoarder by hand: what the supply can still give counts, not what a tile shows."""

import tkg

PLAIN = {"full_boundary": False, "gate": "empty"}


def test_it_keeps_what_brings_most_that_the_supply_still_gives():
    """Supply 1 fire, 3 water: FFF shows most but brings 1, WW brings 2, F and W bring 1 each."""
    brings = {"FFF": 1, "WW": 2, "F": 1, "W": 1}
    variant = tkg.rift(deck={"FFF": 2, "WW": 1, "F": 1, "W": 1}, supply=[1, 3, 0, 0], **PLAIN)
    told_apart = 0
    for seed in range(40):
        game = tkg.play_again(variant, "hoarder", seed)
        drawn, kept = game.chance[:2], game.actions[0].removeprefix("keep ")
        assert brings[kept] == max(brings[tile] for tile in drawn)
        told_apart += set(drawn) == {"FFF", "WW"}
    assert told_apart


def test_it_gains_most_and_refuses_fewest_of_the_rest():
    """Supply 2 of each, FWA kept first: 1 fire, 1 water, 1 air and 2 earth are left. Of FFF, EE and A, EE brings 2;
    then FFF and A bring 1 each, and the one that lies first in the hand is refused."""
    variant = tkg.rift(deck={"FWA": 1, "-": 1, "FFF": 1, "EE": 1, "A": 1}, supply=2, **PLAIN)
    found = 0
    for seed in range(200):
        game = tkg.play_again(variant, "hoarder", seed)
        if set(game.chance[:2]) == {"FWA", "-"}:
            first = next(tile for tile in game.chance[2:] if tile != "EE")
            assert game.actions[:3] == ["keep FWA", "gain EE", f"refuse {first}"]
            assert game.result["built"] == 0
            found += 1
    assert found


def test_it_never_builds():
    for seed in range(20):
        game = tkg.play_again(tkg.rift(), "hoarder", seed)
        assert game.result["built"] == 0
        assert game.result["refused_builds"] == game.result["turns"] == 15

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from svara_sim import CALL, FOLD, FunctionPolicy
from svara_sim.core.errors import InvalidInput
from svara_sim.games.capabilities import Pairs, paired_game
from svara_sim.games.registry import get_game
from svara_sim.games.svara.exact.strength import expected_strength

GAME = get_game("svara")


def pairs(a: Any, b: Any, field: Any, players: int, svara: str = "auto", **options: Any) -> Pairs:
    rules = GAME.make_rules(None, options)
    return paired_game(GAME).make_pairs(rules, *(GAME.make_policy(p) for p in (a, b, field)), players, 7, svara)


def test_without_svaras_every_difference_is_that_of_two_plays() -> None:
    """No deal is skipped that differs, and none is played otherwise than alone: hero by hero, chip by chip."""
    for a, b, field in (("threshold:call=20", "threshold:call=22", "threshold:call=20"), ("loose", "tight", "random")):
        found = pairs(a, b, field, 4, "play", svara_limit=0)
        of_a, of_b = found.play_separately(0, 3_000)
        # with svara_limit 0 a tie is split at once
        assert np.array_equal(found.play(0, 3_000).differences, of_a - of_b)


CASES = [
    ("threshold:call=20", "threshold:call=22", "threshold:call=20", 5, {}),
    ("threshold:call=20,join=1", "threshold:call=22,join=0.2", "loose", 4, {}),
    ("loose", "maniac", "blind_happy", 3, {}),
    ("tight", "loose", "tight", 6, {"raise_scope": "seat", "svara_blinds": False}),
    ("loose:join=1", "tight", "loose", 4, {"svara_betting": False}),
    ("loose:join=1", "tight", "loose", 4, {"svara_betting": False, "svara_fee": 30}),
]


@pytest.mark.parametrize(("a", "b", "field", "players", "options"), CASES)
def test_played_svaras_are_unbiased(a: str, b: str, field: str, players: int, options: dict[str, Any]) -> None:
    found = pairs(a, b, field, players, **options)
    n = 40_000
    of_a, of_b = found.play_separately(0, n)
    apart = (found.play(0, n).differences - (of_a - of_b)).mean(axis=1)
    assert abs(apart.mean()) < 4 * apart.std() / n**0.5 + 1.0  # a chip for rounded fees


def test_the_value_of_a_svara_is_exact_only_without_betting() -> None:
    a, b = "threshold:call=20", "threshold:call=22"
    assert pairs(a, b, a, 5, svara_betting=False).svara == "value"
    assert pairs(a, b, a, 5).svara == "play"
    assert not pairs(a, b, a, 5, "value").value_is_exact
    assert pairs("loose", b, a, 5, svara_betting=False, svara_fee=30).svara == "play"
    played, valued = (pairs(a, b, a, 5, mode, svara_betting=False) for mode in ("play", "value"))
    apart = (played.play(0, 20_000).differences - valued.play(0, 20_000).differences).mean(axis=1)
    # every hand in turn leaves nothing of a first svara to chance, only ties of ties
    assert abs(apart.mean()) < 4 * apart.std() / 20_000**0.5 + 1e-9
    assert apart.std() < 30


def test_controls_have_mean_zero_and_nothing_is_left_out() -> None:
    found = pairs("threshold:call=20", "threshold:call=22", "threshold:call=20", 6)
    assert found.strength_levels == (20, 27)
    expected = expected_strength(found.hand_points, (20, 27), 6)
    controls = found.play(0, 60_000, expected).controls
    spread = controls.std(axis=0)
    z = controls.mean(axis=0)[spread > 0] / (spread[spread > 0] / 60_000**0.5)
    assert len(z) == 11  # one of three groups: all hands that differ are between the levels
    assert np.abs(z).max() < 4


def test_what_cannot_differ_is_known() -> None:
    same = pairs("threshold", "threshold:call=20,raise_at=27", "rock", 4)
    assert same.identical
    assert same.play(0, 100).rounds_played == 0
    some = pairs("threshold:call=20", "threshold:call=22", "threshold:call=20", 5)
    assert some.p_differs == (651 + 492) / 4960
    assert pairs("threshold", "threshold:blind=0.5", "threshold", 5).p_differs == 1
    assert pairs("threshold", "threshold:blind=0.5", "threshold", 5, blind_size=0).identical
    assert pairs("threshold:join=1", "threshold", "threshold", 4, svara_join="nobody").identical
    assert not pairs("threshold:join=1", "threshold", "threshold", 4).identical


def test_functions_are_compared_too() -> None:
    def bet(view: Any) -> Any:
        return CALL if view.points >= 21 else FOLD

    mine = FunctionPolicy("mine", bet)
    found = pairs(mine, "threshold:call=21,raise_at=35", "threshold", 4)
    assert not found.play(0, 2_000).differences.any()
    assert found.p_differs == 1


def test_only_games_that_offer_it() -> None:
    game = get_game("run_fast")
    policy = game.make_policy(game.default_seats[0])
    with pytest.raises(InvalidInput, match=r"game = 'run_fast'.*paired play"):
        paired_game(game).make_pairs(game.make_rules(), policy, policy, policy, 4, 0)

"""Players compared on the same deals with seats rotated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from svara_sim.core.errors import InvalidInput
from svara_sim.experiments import contrast_rotated, simulate_rotated

RUN_FAST: dict[str, Any] = {"game": "run_fast", "players": 3, "n_deals": 4_000, "seed": 3}


def test_each_player_plays_each_seat() -> None:
    rotation = simulate_rotated(seats=["fewest_long", "greedy", "random"], **RUN_FAST)
    for r, run in enumerate(rotation.runs):
        assert run.config.labels == [rotation.labels[(seat - r) % 3] for seat in range(3)]
    found = rotation.by_player("points_by_seat")
    assert found["policy"].to_list() == ["fewest_long", "greedy", "random"]
    assert found["n"].to_list() == [12_000] * 3
    assert found["n_units"].to_list() == [4_000] * 3
    for player in range(3):
        seats = [run.totals[f"points_{(player + r) % 3}"].sum() for r, run in enumerate(rotation.runs)]
        assert found["mean"][player] == pytest.approx(sum(seats) / 12_000)
    assert found["mean"].sum() == pytest.approx(0)
    wins = rotation.by_player("wins_by_seat")
    assert wins["mean"].sum() == pytest.approx(1)
    assert (wins["low"] < wins["mean"]).all()


def test_rotation_sharpens() -> None:
    """Three seats of a deal are worth more than three deals: the cards cancel."""
    seats = ["fewest_long", "greedy", "greedy"]
    rotation = simulate_rotated(seats=seats, **RUN_FAST)
    alone = rotation.runs[0].summary["points_by_seat"]["standard_error"][0]
    assert rotation.by_player("points_by_seat")["standard_error"][0] < alone / np.sqrt(3)


def test_alike_players_differ_by_nothing() -> None:
    rotation = simulate_rotated(seats=["greedy"] * 3, **RUN_FAST)
    assert rotation.by_player("points_by_seat")["mean"].to_list() == [0, 0, 0]
    same = contrast_rotated(rotation, rotation, "points_by_seat")
    assert same["mean"].to_list() == [0, 0, 0]
    assert same["standard_error"].to_list() == [0, 0, 0]


def test_a_contrast_is_the_difference_with_a_smaller_error() -> None:
    on = simulate_rotated(seats=["random", "greedy", "greedy"], **RUN_FAST)
    off = simulate_rotated(seats=["random", "greedy", "greedy"], rules={"spade2_penalty": 12}, **RUN_FAST)
    found = contrast_rotated(on, off, "points_by_seat")
    a, b = on.by_player("points_by_seat"), off.by_player("points_by_seat")
    assert np.allclose(found["mean"], a["mean"] - b["mean"])
    assert found["standard_error"][0] < a["standard_error"][0] / 4


def test_svara_too() -> None:
    seen = []
    rotation = simulate_rotated(
        progress=lambda done, total: seen.append((done, total)),
        players=4,
        seats=["threshold", "random"],
        n_deals=2_000,
        seed=1,
    )
    found = rotation.by_player("payoff_by_seat")
    assert found["mean"].sum() == pytest.approx(0)
    assert "mean_antes" in found.columns
    assert seen[-1] == (8_000, 8_000)
    assert seen == sorted(seen)


def test_what_cannot_be_compared() -> None:
    rotation = simulate_rotated(seats=["greedy"], **RUN_FAST)
    other = simulate_rotated(seats=["greedy"], **{**RUN_FAST, "seed": 4})
    with pytest.raises(InvalidInput, match="seed = 3 and 4: must be the same in both"):
        contrast_rotated(rotation, other, "points_by_seat")
    svara = simulate_rotated(players=3, seats=["call"], n_deals=4_000, seed=3)
    with pytest.raises(InvalidInput, match="game = 'run_fast' and 'svara'"):
        contrast_rotated(rotation, svara, "points_by_seat")
    with pytest.raises(InvalidInput, match="one row for each seat"):
        rotation.by_player("points_by_fewest")
    with pytest.raises(InvalidInput, match="did you mean 'points_by_seat'"):
        rotation.by_player("point_by_seat")

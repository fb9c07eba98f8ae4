"""Sweeps of the dice game, and what is expected of all results."""

from __future__ import annotations

from typing import Any

import polars as pl
from polars.testing import assert_frame_equal

from svara_sim.experiments.sweep import Sweep

from ..fake_game import DICE


def dice_sweep(n_sides: int = 5, **changes: Any) -> dict[str, Any]:
    """A grid of `n_sides` kinds of dice and two opponents."""
    sweep = {
        "game": DICE,
        "players": 3,
        "seed": 3,
        "deals": 500,
        "seats": ["bold", "timid"],
        "design": {"rules.sides": {"from": 4, "to": 3 + n_sides}, "seats.1": ["timid", "bold"]},
    }
    return {**sweep, **changes}


def two_hundred(**changes: Any) -> dict[str, Any]:
    """A grid of 200 points."""
    opponents = {"seats.0": ["timid", "bold"], "seats.1": ["timid", "bold"]}
    return dice_sweep(design={"rules.sides": {"from": 4, "to": 53}, **opponents}, **changes)


def assert_same_results(a: Sweep, b: Sweep) -> None:
    assert a.complete
    assert b.complete
    assert a.manifest.points == b.manifest.points
    assert_frame_equal(a.frame, b.frame, check_exact=True)
    assert_frame_equal(a.scan().collect(), b.frame, check_exact=True)
    assert a.folder.names("points") == b.folder.names("points")
    for point in (1, len(a.manifest.points) - 1):
        if a.frame.filter(pl.col("point") == point)["deals"][0] == a.frame["deals"][0]:
            assert_frame_equal(a.contrast(point, 0), b.contrast(point, 0), check_exact=True)

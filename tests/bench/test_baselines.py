"""The plain Python and the NumPy version play the same game as the kernel, within the errors of all."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from svara_sim import simulate
from svara_sim.games.svara.baselines import Threshold, plain_python, vectorised


def seats_of(players: int) -> list[Threshold]:
    return [Threshold(13 + s % 3, 21 + s % 4, 0.25, 0.1) for s in range(players)]


@pytest.mark.parametrize(("play", "n_deals"), [(plain_python.play_deals, 12_000), (vectorised.play_deals, 60_000)])
@pytest.mark.parametrize("players", [2, 4, 6, 9])
def test_a_baseline_agrees_with_the_kernel(play: Callable[..., Any], n_deals: int, players: int) -> None:
    seats = seats_of(players)
    found = play(seats, n_deals, seed=11)
    known = simulate(players=players, seats=[s.label for s in seats], n_deals=1_000_000, seed=5).summary
    assert found.deals == n_deals
    assert sum(found.payoffs) == 0
    for row in known["payoff_by_seat"].iter_rows(named=True):
        seat = row["seat"]
        mean = found.payoffs[seat] / n_deals
        error = math.sqrt((found.squares[seat] / n_deals - mean**2) / n_deals)
        assert abs(mean - row["mean"]) < 4 * math.hypot(error, row["standard_error"]), seat
    shares = {row["ending"]: row["mean"] for row in known["endings"].iter_rows(named=True)}
    shares["svara"] = known["svara"].row(0, named=True)["mean"]
    counts = {**found.endings, "svara": found.svaras}
    for name, count in counts.items():
        p = shares[name]
        error = math.sqrt(p * (1 - p) * (1 / n_deals + 1 / 1_000_000))
        assert abs(count / n_deals - p) < 4 * error + 1e-12, name

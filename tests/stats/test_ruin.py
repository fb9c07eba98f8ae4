"""Ruin, bankrolls and the deals that skill needs, against exact answers for random walks."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

from svara_sim.core.errors import InvalidInput
from svara_sim.stats.ruin import (
    bankroll_fan,
    bankroll_for,
    deals_to_show,
    diffusion_ruin,
    lundberg_rate,
    payoff_moments,
    ruin_table,
    share_shown,
)

STEPS = np.random.default_rng(3).choice([-1.0, 1.0], p=[0.45, 0.55], size=400_000)


def ruin_of_walk(bankroll: int, n_deals: int, p_win: float) -> float:
    """Exact probability that a +-1 walk falls by `bankroll` within `n_deals` steps, by its states."""
    alive, ruined = {0: 1.0}, 0.0
    for _ in range(n_deals):
        after: dict[int, float] = {}
        for place, p in alive.items():
            for step, chance in ((1, p_win), (-1, 1 - p_win)):
                if place + step <= -bankroll:
                    ruined += p * chance
                else:
                    after[place + step] = after.get(place + step, 0.0) + p * chance
        alive = after
    return ruined


def test_played_ruin_agrees_with_the_exact_walk() -> None:
    table = ruin_table(STEPS, [1, 3, 6], 100)
    assert table["n"].to_list() == [4_000] * 3
    for row in table.iter_rows(named=True):
        exact = ruin_of_walk(int(row["bankroll"]), 100, 0.55)
        assert abs(row["mean"] - exact) < 4 * math.sqrt(exact * (1 - exact) / 4_000)
        assert row["low"] < row["mean"] < row["high"]


def test_diffusion_is_right_for_small_steps_and_in_its_limits() -> None:
    # a walk of many small steps: 20 steps to the bankroll, a drift of half a deviation over the horizon
    exact = ruin_of_walk(20, 400, 0.5125)
    assert diffusion_ruin([20], 0.025, math.sqrt(1 - 0.025**2), 400)[0] == pytest.approx(exact, abs=0.02)
    assert diffusion_ruin([10, 20], 0.1, 1.0) == pytest.approx([math.exp(-2), math.exp(-4)])
    assert diffusion_ruin([10], -0.1, 1.0) == pytest.approx([1.0])
    assert diffusion_ruin([10], 0.1, 1.0, 1e9) == pytest.approx(diffusion_ruin([10], 0.1, 1.0))
    assert diffusion_ruin([1e6], -5.0, 1.0, 10) == pytest.approx([0.0])


def test_lundberg_is_exact_for_the_walk_and_bounds_a_skewed_one() -> None:
    # for steps of one, ruin for ever is (q / p) ** bankroll
    walk = [-1.0] * 45 + [1.0] * 55
    assert lundberg_rate(walk) == pytest.approx(math.log(55 / 45))
    assert lundberg_rate([-1.0, 1.0]) == 0.0
    assert lundberg_rate([0.0, 1.0]) == math.inf
    # rare large wins make the deviation, not the losses: ruin is rarer than the diffusion says
    skewed = [-1.0] * 95 + [25.0] * 5
    diffusion = 2 * np.mean(skewed) / np.var(skewed)
    assert lundberg_rate(skewed) > diffusion


def test_bankroll_for_a_risk_turns_the_ruin_table_around() -> None:
    bankroll, low, high = bankroll_for(STEPS, 0.05, 100)
    assert low <= bankroll <= high
    assert ruin_of_walk(math.ceil(low), 100, 0.55) > 0.05 * 0.8
    assert ruin_of_walk(math.floor(high) + 1, 100, 0.55) < 0.05 * 1.1
    assert bankroll_for([1.0] * 100, 0.05, 10) == (0.0, 0.0, 0.0)


def test_moments_and_fan() -> None:
    found = payoff_moments(STEPS)
    assert abs(found["rate"] - 0.1) < 4 * found["rate_error"]
    assert abs(found["deviation"] - math.sqrt(0.99)) < 4 * found["deviation_error"]
    road = bankroll_fan(STEPS, 100, [0.05, 0.5, 0.95], n_places=11)
    assert road.columns == ["deals", "q05", "q50", "q95"]
    assert road["deals"][0] == 0
    assert road["deals"][-1] == 100
    last = road.row(-1, named=True)
    assert last["q05"] < last["q50"] < last["q95"]
    assert last["q50"] == pytest.approx(10, abs=1)


def test_deals_to_show_is_the_number_after_which_that_share_shows() -> None:
    rate, deviation = 0.1, math.sqrt(0.99)
    table = pl.DataFrame(
        {"mean": [rate, 0.01], "low": [0.09, -0.01], "high": [0.11, 0.03], "deviation": [deviation] * 2}
    )
    half, most = deals_to_show(table), deals_to_show(table, power=0.9)
    assert half["deals"][0] == pytest.approx((1.959964 * deviation / rate) ** 2)
    assert half["deals_low"][0] < half["deals"][0] < half["deals_high"][0]
    assert math.isinf(half["deals_high"][1])
    for answer, power in ((half, 0.5), (most, 0.9)):
        shown, error = share_shown(STEPS, round(answer["deals"][0]))
        assert abs(shown - power) < 4 * error + 0.03


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ruin_table([1.0, 2.0], [1], 3), "path_deals = 3: must be from 1 to the 2 deals"),
        (lambda: bankroll_for([1.0, 2.0], 1.0, 1), "risk = 1.0: must be between 0 and 1"),
        (lambda: payoff_moments([1.0]), "at least 2 deals"),
        (lambda: share_shown([1.0, 2.0], 1), "n_deals = 1: must be from 2 to the 2 deals"),
    ],
)
def test_faults_are_named(call, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidInput, match=message):
        call()

"""The plain Python version that `svara bench` compares with plays the same game as the kernel."""

from __future__ import annotations

import math
from typing import Any

import pytest

from svara_sim.experiments.timing import bench
from svara_sim.games.run_fast import RUN_FAST
from svara_sim.games.run_fast.baselines.plain_python import play_deals
from svara_sim.games.run_fast.kernel.layout import TOTAL_NAMES

N_PLAIN, N_KERNEL, BATCHES = 4_000, 200_000, 400


def kernel_means(seats: list[str]) -> dict[str, tuple[float, float]]:
    """Mean a deal of each total, and the standard deviation of one deal."""
    table = RUN_FAST.make_table(RUN_FAST.make_rules(), [RUN_FAST.make_policy(s) for s in seats], 3)
    size = N_KERNEL // BATCHES
    totals = table.simulate_block(0, N_KERNEL, size, False).totals
    means, spread = totals.mean(axis=0) / size, totals.std(axis=0, ddof=1) / math.sqrt(size)
    return {name: (means[i], spread[i]) for i, name in enumerate(TOTAL_NAMES)}


@pytest.mark.parametrize("seats", [["random"] * 3, ["greedy"] * 3, ["greedy", "random", "random"]])
def test_plain_python_agrees_with_the_kernel(seats: list[str]) -> None:
    known, found = kernel_means(seats), play_deals(seats, N_PLAIN, seed=1)
    assert found.deals == N_PLAIN == sum(found.wins)
    assert sum(found.points) == 0
    by_total: dict[str, Any] = {name: getattr(found, name) for name in ("plies", "rounds", "reply_bombs")}
    for name in ("wins", "points", "place_points"):
        by_total |= {f"{name}_{i}": value for i, value in enumerate(getattr(found, name))}
    for name, total in by_total.items():
        mean, deviation = known[name]
        error = deviation * math.sqrt(1 / N_PLAIN + 1 / N_KERNEL)
        assert abs(total / N_PLAIN - mean) < 4 * error, name
    for seat in range(3):
        spread = math.sqrt(found.squares[seat] / N_PLAIN - (found.points[seat] / N_PLAIN) ** 2)
        assert spread == pytest.approx(known[f"points_{seat}"][1], rel=0.15)


def test_the_same_seed_is_the_same_deals() -> None:
    assert play_deals(["random"] * 3, 20, seed=5) == play_deals(["random"] * 3, 20, seed=5)


def test_bench_compares_like_with_like() -> None:
    rows = {(row.kind, row.threads): row for row in bench(RUN_FAST, [3], seconds=0.1, threads=1)}
    for kind in ("library (random)", "library (greedy)", "function (random)", "records (greedy)"):
        assert rows[kind, 1].ratio_to_python > 20
        assert rows[kind, 1].ratio_to_numpy is None
    assert rows["python (greedy)", 1].ratio_to_python == 1
    assert rows["library (fewest_long)", 1].ratio_to_python is None

"""Speed of the parts, for pytest-benchmark (``pytest tests/bench --benchmark-only``; skipped otherwise)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from svara_sim import simulate
from svara_sim.core.jit import kernel
from svara_sim.core.rng import stream_keys
from svara_sim.games.svara.kernel.deal import deal_hands
from svara_sim.games.svara.kernel.interface import new_table
from svara_sim.games.svara.kernel.state import N_PURPOSES, Spot, new_work
from svara_sim.games.svara.policies import make_policy
from svara_sim.games.svara.rules import SvaraRules
from svara_sim.games.svara.table import SvaraTable

SEATS = (2, 4, 6, 9)
N_DEALS = 50_000


@kernel
def deal_many(table: Any, rows: Any, work: Any, seats: Any, n_deals: Any) -> Any:
    total = 0
    for deal in range(n_deals):
        deal_hands(table, rows, work, Spot(deal, 0, seats, 0, 0), seats)
        total += work.points[seats - 1]
    return total


@pytest.mark.benchmark(group="dealing 50,000 deals")
@pytest.mark.parametrize("seats", SEATS)
def test_dealing(benchmark: Any, seats: int) -> None:
    rows = np.zeros(4, dtype=np.uint32)
    table, work = new_table(SvaraRules(), stream_keys(1, "svara", N_PURPOSES), False), new_work()
    with np.errstate(over="ignore"):
        deal_many(table, rows, work, seats, 1)
        total = benchmark(deal_many, table, rows, work, seats, N_DEALS)
    assert abs(total / N_DEALS - 42299 / 2480) < 0.2


@pytest.mark.benchmark(group="playing 50,000 deals")
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("records", [False, True], ids=["totals", "records"])
def test_playing(benchmark: Any, records: bool, seats: int) -> None:
    policies = [make_policy(f"threshold:call={13 + s % 3},raise_at={21 + s % 4},blind=0.25") for s in range(seats)]
    table = SvaraTable(SvaraRules(), policies, seed=1)
    table.simulate_block(0, 64, 64, records)
    block = benchmark(table.simulate_block, 0, N_DEALS, 1000, records)
    assert block.totals.shape[0] == N_DEALS // 1000


@pytest.mark.benchmark(group="a run with its summary")
@pytest.mark.parametrize("seats", SEATS)
def test_summary(benchmark: Any, seats: int) -> None:
    run = benchmark(simulate, players=seats, n_deals=20_000, seed=1)
    assert run.summary["endings"]["mean"].sum() == pytest.approx(1)

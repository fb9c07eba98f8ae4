"""`svara bench` and the benchmarks for pytest-benchmark (run them with ``pytest tests/bench --benchmark-only``)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from svara_sim.cli.bench import bench
from svara_sim.core.errors import InvalidInput
from svara_sim.experiments.timing import bench as measure
from svara_sim.games.registry import get_game
from svara_sim.games.svara.baselines.cases import bench_cases

CASES = {(case.kind, case.seats): case for n in (2, 4, 6, 9) for case in bench_cases(n)}


def test_the_command_prints_a_row_for_each_way_of_playing() -> None:
    result = CliRunner().invoke(bench, ["--seats", "3", "--seconds", "0.1", "--threads", "2", "--json"])
    assert result.exit_code == 0, result.output
    rows = [json.loads(line) for line in result.output.splitlines()]
    kinds = ["library", "table", "function", "records"]
    assert [(r["kind"], r["threads"]) for r in rows] == [
        *((kind, threads) for kind in kinds for threads in (1, 2)),
        ("numpy", 1),
        ("python", 1),
    ]
    for row in rows:
        assert row["seats"] == 3
        assert row["deals_per_s"] > 0
        assert row["low"] <= row["deals_per_s"] <= row["high"]
    assert rows[-1]["ratio_to_python"] == 1
    assert rows[-2]["ratio_to_numpy"] == 1


def test_nonsense_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^seconds = 0: must be more than 0$"):
        measure(get_game("svara"), [2], seconds=0)


@pytest.mark.benchmark(group="deals")
@pytest.mark.parametrize(("kind", "seats"), CASES)
def test_speed(benchmark: Any, kind: str, seats: int) -> None:
    case = CASES[kind, seats]
    case.play(0, 64)
    benchmark(case.play, 0, case.n_deals)

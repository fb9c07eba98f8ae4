from __future__ import annotations

import json

import numpy as np
import pytest

from svara_sim import simulate
from svara_sim.cli import main
from svara_sim.core.errors import InvalidInput
from svara_sim.experiments.search import compare, expand_policies, find_best, league

A, B = "threshold:call=20", "threshold:call=22"
GRID = ["threshold:call=19..24,raise_at=25..29"]


@pytest.mark.parametrize(("players", "least", "target"), [(5, 50, 0.01), (10, 150, 0.05)])
@pytest.mark.parametrize("svara", ["auto", "value"])
def test_variance_factors(players: int, least: float, target: float, svara: str) -> None:
    found = compare(A, B, players=players, target_error=target, svara=svara, seed=1)
    assert found.reached
    assert found.better == B
    assert found.variance_factor >= least
    total = 1.0
    for step in found.techniques:
        total *= step.factor
    assert total == pytest.approx(found.variance_factor)


def test_the_difference_is_that_of_plain_runs() -> None:
    n = 400_000
    found = compare("tight", "loose", players=3, field="threshold", target_error=0.02, seed=3)
    means, variance = [], 0.0
    for hero in ("tight", "loose"):
        row = simulate(players=3, seats=[hero, "threshold", "threshold"], n_deals=n, seed=4).summary["payoff_by_seat"]
        means.append(row["mean_antes"][0])
        variance += row["standard_error_antes"][0] ** 2
    z = (found.mean - (means[0] - means[1])) / (variance + found.standard_error**2) ** 0.5
    assert abs(z) < 4


def test_threads_and_looks_do_not_change_the_result() -> None:
    one, two = (compare(A, B, players=4, target_error=1e-6, max_deals=20_000, n_threads=n).as_dict() for n in (1, 2))
    assert one == two
    assert not one["reached"]
    assert one["n_units"] == 20_000


def test_policies_that_cannot_differ() -> None:
    found = compare("threshold", "threshold:call=20", players=3)
    assert found.identical
    assert found.better is None
    assert (found.mean, found.low, found.high, found.n_units) == (0, 0, 0, 0)
    assert "no deal can differ" in found.verdict()


def test_what_is_wrong_is_told() -> None:
    with pytest.raises(InvalidInput, match="target_error"):
        compare(A, B, target_error=0)
    with pytest.raises(InvalidInput, match="policy"):
        compare(A, "unknown")
    with pytest.raises(InvalidInput, match="svara"):
        compare(A, B, svara="guess")
    with pytest.raises(InvalidInput, match="different names"):
        league([A, A])


def test_league() -> None:
    found = league(["tight", "loose", A, "threshold:call=20.5"], players=3, n_deals=4_000, seed=2)
    own = found.payoffs.filter(found.payoffs["policy"] == found.payoffs["field"])
    assert own["mean"].to_list() == [0.0] * 4
    assert found.payoffs.height == 16
    assert found.ranking["mean"].is_sorted(descending=True)
    assert found.pairs.height == 6
    row = found.payoffs.filter((found.payoffs["policy"] == "tight") & (found.payoffs["field"] == "loose"))
    other = compare("tight", "loose", field="loose", players=3, target_error=0.03, seed=9)
    z = (row["mean"][0] - other.mean) / np.hypot(row["standard_error"][0], other.standard_error)
    assert abs(z) < 4


def test_ranges() -> None:
    assert expand_policies(["threshold:call=20..21,raise_at=27..31/2", "rock", "rock"]) == [
        *(f"threshold:call={c},raise_at={r}" for c in (20, 21) for r in (27, 29, 31)),
        "rock",
    ]
    assert expand_policies(["loose:bluff=0..0.2/0.1"]) == [f"loose:bluff={b}" for b in ("0.0", "0.1", "0.2")]
    for wrong in ("threshold:call=5..2", "threshold:call=a..b", "threshold:call=1..2/0", "threshold:call=0..9999"):
        with pytest.raises(InvalidInput, match="range"):
            expand_policies([wrong])


def truths(n_deals: int) -> dict[str, float]:
    """What every candidate of the grid earns at a table of five, on deals that no search sees."""
    found = {}
    for name in expand_policies(GRID):
        one = compare(name, "threshold", field="threshold", players=5, target_error=1e-6, max_deals=n_deals, seed=2**40)
        found[name] = one.mean
    return found


def searches(n_searches: int, n_deals: int, tolerance: float, known: dict[str, float]) -> int:
    """How many searches end within the tolerance of the best."""
    best = max(known.values())
    found = [find_best(list(known), players=5, n_deals=n_deals, seed=seed).best for seed in range(n_searches)]
    return sum(known[name] >= best - tolerance for name in found)


def test_search_finds_nearly_the_best() -> None:
    assert searches(3, 5_000, 0.02, truths(60_000)) >= 2


@pytest.mark.full
def test_search_finds_the_best_nine_times_in_ten() -> None:
    assert searches(20, 30_000, 0.002, truths(2_000_000)) >= 18


def test_commands(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        ["compare", "--a", A, "--b", B, "--players", "5", "--target-error", "0.05", "--json"],
        ["league", "tight", "loose", "--players", "3", "--deals", "2000", "--json"],
        ["best", "threshold:call=19..22", "--players", "3", "--deals", "1000", "--json"],
    ):
        with pytest.raises(SystemExit) as left:
            main(arguments)
        assert left.value.code == 0
        assert json.loads(capsys.readouterr().out)["unit"] == "antes per deal"
        with pytest.raises(SystemExit) as left:
            main(arguments[:-1])
        assert left.value.code == 0
        assert len(capsys.readouterr().out.splitlines()) > 3

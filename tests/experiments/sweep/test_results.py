"""What a sweep finds is what single runs find, and differences between its points are sharp."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from svara_sim.core.errors import DataError, IllegalAction, InvalidInput
from svara_sim.experiments import RunResult, simulate
from svara_sim.experiments.contrast import contrast
from svara_sim.experiments.sweep import open_sweep, read_sweep, run_sweep
from svara_sim.experiments.sweep.play import batch_size, play_point
from svara_sim.stats.estimates import Estimates, estimate_ratios

from ..fake_game import ANTE
from .sweeps import dice_sweep

SVARA: dict[str, Any] = {
    "game": "svara",
    "players": 3,
    "seed": 7,
    "deals": 3000,
    "seats": ["threshold", "loose"],
    "design": {"rules.blind_size": [60, 120], "seats.0.call": [18, 21]},
}


def payoffs_of(run: RunResult, other: RunResult | None = None) -> Estimates:
    """Payoffs in chips (less another run's) from a sweep's batches: several of a run's, usually four, make one."""
    several = batch_size(run.config.n_units) // int(run.batch_units[0])

    def merged(values: np.ndarray) -> np.ndarray:
        return np.add.reduceat(values, np.arange(0, len(values), several))

    names = [f"payoff_{s}_chips" for s in range(run.config.players)]
    payoffs = run.totals.select(names).to_numpy()
    if other is not None:
        payoffs = payoffs - other.totals.select(names).to_numpy()
    deals = run.totals.select(pl.col("deals").alias(n) for n in names).to_numpy()
    return estimate_ratios(merged(payoffs), merged(deals), merged(run.batch_units))


@pytest.fixture(scope="module")
def svara(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return run_sweep(SVARA, tmp_path_factory.mktemp("svara") / "sweep")


def test_points_are_single_runs(svara: Any) -> None:
    frame = svara.frame
    assert frame.height == 4 * 3
    assert frame.columns[:7] == ["point", "rules.blind_size", "seats.0.call", "seat", "policy", "deals", "target_met"]
    for blind, call in ((60, 18), (120, 21)):
        run = simulate(
            players=3, seed=7, n_deals=3000, seats=[f"threshold:call={call}", "loose"], rules={"blind_size": blind}
        )
        rows = frame.filter(pl.col("rules.blind_size") == blind, pl.col("seats.0.call") == call)
        payoffs, found = run.summary["payoff_by_seat"], payoffs_of(run)
        assert rows["payoff_antes"].to_list() == pytest.approx(payoffs["mean_antes"].to_list(), rel=1e-12)
        assert rows["policy"].to_list() == payoffs["policy"].to_list()
        for column, theirs in (("se", found.standard_error), ("low", found.low), ("high", found.high)):
            assert rows[f"payoff_{column}_antes"].to_list() == pytest.approx((theirs / 60).tolist(), rel=1e-12)
        assert rows["payoff_se_antes"].to_list() == pytest.approx(payoffs["standard_error_antes"].to_list(), rel=0.3)
        for ending, mean, error in run.summary["endings"].select("ending", "mean", "standard_error").iter_rows():
            assert rows[f"ending_{ending}"].to_list() == [mean] * 3
            assert rows[f"ending_{ending}_se"].to_list() == [error] * 3
        svaras = run.summary["svara"].filter(pl.col("what") == "svara")
        assert rows["svara"][0] == svaras["mean"][0]
        joins = run.summary["joins"]
        assert rows["joins"].to_list() == joins["mean"].to_list()


def test_common_random_numbers_make_paired_differences(svara: Any) -> None:
    found = svara.contrast(1, 0)
    runs = [simulate(players=3, seed=7, n_deals=3000, seats=[f"threshold:call={call}", "loose"]) for call in (18, 21)]
    expected = contrast(runs[1], runs[0], "payoff_by_seat")
    assert found["mean"].to_list() == pytest.approx(expected["mean_antes"].to_list(), rel=1e-12)
    differences = payoffs_of(runs[1], runs[0])
    assert found["standard_error"].to_list() == pytest.approx((differences.standard_error / 60).tolist(), rel=1e-12)
    assert found["low"].to_list() == pytest.approx((differences.low / 60).tolist(), rel=1e-12)
    payoffs = svara.frame["payoff_se_antes"].to_numpy().reshape(4, 3)
    independent = np.hypot(payoffs[0], payoffs[1])
    assert (found["standard_error"].to_numpy() < 0.5 * independent).all()


def test_points_without_shared_deals_have_no_contrast(tmp_path: Path) -> None:
    sweep = run_sweep(dice_sweep(design={"seed": [1, 2], "deals": [100, 200]}), tmp_path / "sweep")
    with pytest.raises(InvalidInput, match="different seeds"):
        sweep.contrast(2, 0)
    with pytest.raises(InvalidInput, match="deals = 200 and 100: must be the same"):
        sweep.contrast(1, 0)
    with pytest.raises(InvalidInput, match="point = 4: must be from 0 to 3"):
        sweep.contrast(4, 0)


def test_fields_of_a_design_may_be_of_any_kind(tmp_path: Path) -> None:
    design = {
        "kind": "list",
        "fields": ["rules.svara_fee", "rules.blind_factors", "players", "deals"],
        "rows": [["share", [2], 2, 100], [60, [2, 3], 3, 200]],
    }
    sweep = run_sweep({"game": "svara", "seats": ["loose"], "design": design}, tmp_path / "sweep")
    frame = open_sweep(tmp_path / "sweep").frame
    assert frame.equals(sweep.frame)
    assert frame["rules.svara_fee"].to_list() == ["share"] * 2 + ["60"] * 3
    assert frame["rules.blind_factors"].to_list() == [[2]] * 2 + [[2, 3]] * 3
    assert frame["players"].to_list() == [2, 2, 3, 3, 3]
    assert frame["deals"].to_list() == [100, 100, 200, 200, 200]
    assert frame["blinds_3"].to_list()[:2] == [None, None]


def test_target_error(tmp_path: Path) -> None:
    fields = {k: v for k, v in dice_sweep().items() if k != "deals"}
    fields |= {
        "target_error_antes": 0.026,
        "max_deals": 7000,
        "step_deals": 1000,
        "design": {"seats.1": ["timid", "bold"]},
    }
    sweep = run_sweep(fields, tmp_path / "sweep")
    frame = sweep.frame
    for point, seat_1 in ((0, "timid"), (1, "bold")):
        rows = frame.filter(pl.col("point") == point)
        n_deals = rows["deals"][0]
        assert n_deals % 1000 == 0
        run = simulate(game=fields["game"], players=3, seed=3, n_deals=n_deals, seats=["bold", seat_1])
        errors = payoffs_of(run).standard_error / ANTE
        assert rows["payoff_se_antes"].to_list() == pytest.approx(errors.tolist(), rel=1e-12)
        assert rows["target_met"].to_list() == [errors.max() <= 0.026] * 3
        fewer = simulate(game=fields["game"], players=3, seed=3, n_deals=n_deals - 1000, seats=["bold", seat_1])
        assert (payoffs_of(fewer).standard_error / ANTE).max() > 0.026
    assert frame["target_met"].any()
    assert not frame["target_met"].all()
    assert frame.filter(~pl.col("target_met"))["deals"].unique().to_list() == [7000]


def test_target_error_with_sessions() -> None:
    fields = {k: v for k, v in dice_sweep(session=7, players=2).items() if k not in ("deals", "design")}
    point = read_sweep({**fields, "target_error_antes": 0.05, "max_deals": 70_000, "step_deals": 700}).points[0]
    result = play_point(point)
    assert result.target_met
    assert result.n_deals % 700 == 0
    run = simulate(
        game=fields["game"], players=2, seed=3, n_deals=result.n_deals, session_deals=7, seats=["bold", "timid"]
    )
    errors = (payoffs_of(run).standard_error / ANTE).tolist()
    assert result.values[:, result.names.index("payoff_se_antes")].tolist() == pytest.approx(errors, rel=1e-12)


def test_an_illegal_action_stops_the_sweep_but_not_what_is_finished(tmp_path: Path) -> None:
    sweep = dice_sweep(design={"seats.1": ["timid", "bold", "cheat:at=70", "cheat:at=600", "cheat:at=80"]})
    with pytest.raises(IllegalAction, match="point 2: cheat:at=70, seat 1, deal 70: loads the dice"):
        run_sweep(sweep, tmp_path / "sweep", n_threads=2)
    assert open_sweep(tmp_path / "sweep").n_done >= 2
    lenient = run_sweep({**sweep, "lenient": True}, tmp_path / "lenient")
    assert lenient.frame["clamped"].to_list() == [0] * 7 + [1] + [0] * 5 + [1, 0]


def test_other_folders_are_not_sweeps(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such sweep"):
        open_sweep(tmp_path / "none")
    with pytest.raises(DataError, match=r"manifest\.json: missing"):
        open_sweep(tmp_path)


def test_run_fast_can_be_swept_too(tmp_path: Path) -> None:
    sweep = run_sweep({"game": "run_fast", "players": 3, "deals": 200, "design": {"seed": [1, 2]}}, tmp_path / "sweep")
    assert sweep.frame.height == 6
    assert {"payoff_points", "payoff_se_points", "wins_by_seat"} <= set(sweep.frame.columns)

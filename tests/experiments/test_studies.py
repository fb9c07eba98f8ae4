"""Grids on shared deals and gains of one policy over another, against runs compared by hand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from svara_sim import simulate
from svara_sim.core.errors import InvalidInput
from svara_sim.experiments import contrast
from svara_sim.experiments.studies import gain_of, play_grid

COMMON = {"players": 3, "n_deals": 4_000, "seed": 5}
SEATS = {call: [f"threshold:call={call}", "threshold", "loose"] for call in (17, 20, 24)}
POINTS = {(call,): {**COMMON, "seats": seats} for call, seats in SEATS.items()}
TABLES = ("payoff_by_seat", "payoff_by_seat_and_position")


@pytest.fixture(scope="module")
def grid():  # type: ignore[no-untyped-def]
    return play_grid(POINTS, ["call"], TABLES, where={"seat": 0})


def test_cells_are_the_runs_own_estimates(grid) -> None:  # type: ignore[no-untyped-def]
    cells = grid.against_best("payoff_by_seat")
    assert cells["call"].to_list() == [17, 20, 24]
    for row in cells.iter_rows(named=True):
        run = simulate(**COMMON, seats=SEATS[row["call"]])  # type: ignore[arg-type]
        own = run.summary["payoff_by_seat"].row(0, named=True)
        assert row["mean"] == pytest.approx(own["mean_antes"])
        assert row["standard_error"] == pytest.approx(own["standard_error_antes"])
        assert row["low"] == pytest.approx(own["low_antes"])


def test_distance_from_the_best_is_the_paired_contrast(grid) -> None:  # type: ignore[no-untyped-def]
    cells = grid.against_best("payoff_by_seat_and_position", position=2)
    best = cells.filter("best").row(0, named=True)
    assert best["mean"] == cells["mean"].max()
    assert best["behind"] == 0
    assert best["undecided"]
    top = simulate(**COMMON, seats=SEATS[best["call"]])  # type: ignore[arg-type]
    for row in cells.filter(~pl.col("best")).iter_rows(named=True):
        other = simulate(**COMMON, seats=SEATS[row["call"]])  # type: ignore[arg-type]
        gap = contrast(top, other, "payoff_by_seat_and_position").filter(
            (pl.col("seat") == 0) & (pl.col("position") == 2)
        )
        assert row["behind"] == pytest.approx(gap["mean_antes"][0])
        assert row["behind_error"] == pytest.approx(gap["standard_error_antes"][0])
        assert row["undecided"] == (gap["low_antes"][0] <= 0)


def test_positions_of_a_seat_add_up_to_its_payoff(grid) -> None:  # type: ignore[no-untyped-def]
    by_seat = grid.rows.index(next(m for m in grid.rows if m.table == "payoff_by_seat"))
    others = [i for i, m in enumerate(grid.rows) if m.table == "payoff_by_seat_and_position"]
    assert np.array_equal(grid.totals[:, :, others].sum(axis=2), grid.totals[:, :, by_seat])
    assert np.array_equal(grid.counts[:, :, others].sum(axis=2), grid.counts[:, :, by_seat])


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    play_grid(POINTS, ["call"], progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_gain_of_is_the_contrast_of_seat_0() -> None:
    gain = gain_of("tight", "loose", ["threshold", "rock"], **COMMON)["gain"]
    runs = [simulate(**COMMON, seats=[hero, "threshold", "rock"]) for hero in ("tight", "loose")]  # type: ignore[arg-type]
    expected = contrast(runs[0], runs[1], "payoff_by_seat").filter(pl.col("seat") == 0)
    assert gain.equals(expected)
    assert gain_of("tight", "tight", "loose", **COMMON)["gain"]["mean"].to_list() == [0.0]


def test_what_cannot_be_compared_is_named(grid) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidInput, match="seed = 5 and 6: must be the same at every point"):
        play_grid({**POINTS, (9,): {**COMMON, "seed": 6}}, ["call"])
    with pytest.raises(InvalidInput, match="at least one"):
        play_grid({}, ["call"])
    with pytest.raises(InvalidInput, match="table"):
        play_grid(POINTS, ["call"], ["payoffs"])
    with pytest.raises(InvalidInput, match="no row of"):
        play_grid(POINTS, ["call"], where={"seat": 9})
    with pytest.raises(InvalidInput, match="3 rows of it were kept, must be 1"):
        grid.against_best("payoff_by_seat_and_position")


def test_rows_that_count_other_deals_are_refused() -> None:
    points = {(call,): {**COMMON, "seats": [f"threshold:call={call}", "loose"]} for call in (17, 24)}
    rows = play_grid(points, ["call"], ["join_gain"], where={"seat": 1})
    with pytest.raises(InvalidInput, match="do not count the same deals"):
        rows.against_best("join_gain")

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from svara_sim.experiments import as_json, simulate, summarise
from svara_sim.games.protocol import Column, Measure

from .fake_game import DICE

COLUMNS = [Column(n, "int64", "", "") for n in ("deals", "won", "payoff", "rare")]
TOTALS = np.array([[4, 2, 40, 0], [4, 1, -20, 0], [4, 3, 10, 1], [2, 1, 0, 0]], dtype=np.int64)
UNITS = np.array([4, 4, 4, 2])
MEASURES = [
    Measure("payoff", {"seat": 0, "policy": "rock"}, "payoff", "deals", "chips"),
    Measure("payoff", {"seat": 1}, "rare", "rare", "points"),
    Measure("frequency", {"event": "won"}, "won", "deals", "per deal", "proportion"),
]


def test_tables_hold_keys_values_and_their_errors() -> None:
    tables = summarise(TOTALS, UNITS, COLUMNS, MEASURES, chips_per_ante=10)
    assert list(tables) == ["payoff", "frequency"]
    names = ["mean", "standard_error", "low", "high"]
    assert tables["frequency"].columns == ["event", *names, "n", "n_units", "unit"]
    assert tables["payoff"].columns == [
        "seat",
        "policy",
        *names,
        *(f"{n}_antes" for n in names),
        "n",
        "n_units",
        "unit",
    ]
    chips, other = tables["payoff"].to_dicts()
    assert chips["mean"] == pytest.approx(30 / 14)
    assert chips["mean_antes"] == pytest.approx(3 / 14)
    assert chips["low_antes"] == pytest.approx(chips["low"] / 10)
    assert (chips["n"], chips["n_units"], chips["unit"]) == (14, 14, "chips")
    assert other["policy"] is None
    assert other["mean"] == 1
    assert other["mean_antes"] is None
    assert other["standard_error"] == np.inf


def test_no_observations_are_nulls() -> None:
    measures = [Measure("t", {"k": 1}, "rare", "rare", "chips")]
    row = summarise(TOTALS[:2], UNITS[:2], COLUMNS, measures)["t"].to_dicts()[0]
    assert row["mean"] is row["standard_error"] is row["low"] is row["high_antes"] is None
    assert row["n"] == row["n_units"] == 0


def test_json_has_no_infinities() -> None:
    rows = as_json(summarise(TOTALS, UNITS, COLUMNS, MEASURES))
    text = json.dumps(rows, allow_nan=False)
    assert json.loads(text)["payoff"][1]["standard_error"] is None
    assert rows["payoff"][0]["policy"] == "rock"


def test_means_of_a_run_are_those_of_its_records() -> None:
    result = simulate(game=DICE, players=3, n_deals=4000, seats=["bold", "timid"], records=True)
    assert result.records is not None
    table = result.summary["payoff_by_seat"]
    for seat, mean in zip(table["seat"], table["mean"], strict=True):
        assert mean == pytest.approx(result.records[f"payoff_{seat}_chips"].mean())
    tie = result.summary["frequency"].row(0, named=True)
    assert tie["mean"] == pytest.approx((result.records["ending"] == "tied").mean())


def test_sessions_are_the_units() -> None:
    """Ties carried through a session depend on each other; treating deals as units would halve the error."""
    fields: dict[str, Any] = {"game": DICE, "players": 3, "n_deals": 40_000, "seed": 5}
    alone, sessions = simulate(**fields), simulate(**fields, session_deals=20)
    row = sessions.summary["carried"].row(0, named=True)
    assert row["n"] == 40_000
    assert row["n_units"] == 2000
    naive = 5.0 / np.sqrt(40_000)
    assert row["standard_error"] > 0
    assert alone.summary["carried"].row(0, named=True)["n_units"] == 40_000
    means = [
        simulate(**{**fields, "seed": s, "n_deals": 4000}, session_deals=20).summary["carried"]["mean"][0]
        for s in range(60)
    ]
    spread = float(np.std(means, ddof=1)) / np.sqrt(10)
    assert spread == pytest.approx(row["standard_error"], rel=0.3)
    assert row["standard_error"] < naive

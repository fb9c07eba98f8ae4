"""Payoffs by seat and position, and policies that differ only in their blinds."""

from __future__ import annotations

import polars as pl
import pytest

from svara_sim import simulate
from svara_sim.core.errors import InvalidInput
from svara_sim.games.svara.policies.blinds import BlindsUpTo


@pytest.mark.parametrize("session_deals", [None, 20])
def test_payoffs_by_seat_and_position_are_those_of_the_records(session_deals: int | None) -> None:
    seats = ["threshold:call=21", "rock", "loose", "blind_happy", "random"]
    run = simulate(players=5, seats=seats, n_deals=4_000, seed=3, records=True, session_deals=session_deals)
    assert run.records is not None
    payoffs, shares = run.summary["payoff_by_seat_and_position"], run.summary["position_by_seat"]
    assert len(payoffs) == len(shares) == 25
    for row, share in zip(payoffs.iter_rows(named=True), shares.iter_rows(named=True), strict=True):
        seat, position = row["seat"], row["position"]
        assert (share["seat"], share["position"], share["policy"]) == (seat, position, seats[seat])
        place = (seat - pl.col("dealer").cast(pl.Int64) - 1) % 5
        there = run.records.filter(place == position)[f"payoff_{seat}_chips"]
        assert row["n"] == len(there)
        assert row["mean"] == pytest.approx(there.mean())
        assert share["mean"] == pytest.approx(len(there) / 4_000)


def blinds(*most: int, **rules: object) -> list[float]:
    seats = [BlindsUpTo("threshold", m) for m in most]
    run = simulate(players=len(most), seats=seats, n_deals=400, seed=1, rules=rules or None)
    return run.summary["blinds"]["mean"].to_list()


def test_blinds_go_as_far_as_they_are_told() -> None:
    assert blinds(0, 0, 0) == [1, 0, 0, 0]
    assert blinds(1, 1, 1) == [0, 1, 0, 0]
    assert blinds(2, 2, 2) == [0, 0, 1, 0]
    assert blinds(10, 10, 10) == [0, 0, 0, 1]
    # one that always bets blind, among two that do so only as the first: 2 blinds unless it comes first
    assert blinds(10, 1, 1) == pytest.approx([0, 2 / 3, 1 / 3, 0], abs=0.01)


def test_only_blinds_of_the_first_round_differ() -> None:
    """Among players who bet no blind in a svara, none stands there either, whatever its policy would do."""
    common = {"players": 3, "n_deals": 2_000, "seed": 4, "rules": {"svara_blinds": False}}
    own = simulate(seats=["threshold:blind=1"], **common)  # type: ignore[arg-type]
    same = simulate(seats=[BlindsUpTo("threshold")], **{**common, "rules": None})  # type: ignore[arg-type]
    assert same.totals.equals(own.totals)


def test_it_is_described_and_checked() -> None:
    policy = BlindsUpTo("threshold:call=21", 2)
    assert policy.label == "threshold:call=21, blinds up to 2"
    assert policy.describe()["most"] == 2
    assert policy.describe()["policy"]["name"] == "threshold"
    with pytest.raises(InvalidInput, match="most = 11"):
        BlindsUpTo("threshold", 11)
    with pytest.raises(InvalidInput, match="policy"):
        _ = BlindsUpTo("nobody").label

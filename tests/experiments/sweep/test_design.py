"""Which points a design makes."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from svara_sim.core.errors import InvalidInput
from svara_sim.experiments.sweep import read_sweep

from .sweeps import dice_sweep


def rows(design: dict[str, Any], **fields: Any) -> list[tuple[Any, ...]]:
    return [p.values for p in read_sweep({"deals": 10, **fields, "design": design}).points]


def test_no_design_is_one_point() -> None:
    spec = read_sweep({"deals": 10})
    assert [p.values for p in spec.points] == [()]
    assert spec.points[0].config.n_deals == 10


def test_grid_varies_the_last_field_fastest() -> None:
    assert rows({"players": [2, 3], "rules.ante": {"from": 10, "to": 20, "step": 5}}) == [
        (2, 10),
        (2, 15),
        (2, 20),
        (3, 10),
        (3, 15),
        (3, 20),
    ]


def test_ranges_include_both_ends_without_noise() -> None:
    values = [v for (v,) in rows({"seats.0.blind": {"from": 0.0, "to": 1.0, "step": 0.1}})]
    assert values == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    whole = [v for (v,) in rows({"seats.0.call": {"from": 16, "to": 21, "step": 2}})]
    assert whole == [16, 18, 20]
    assert all(type(v) is int for v in whole)


@pytest.mark.parametrize("style", ["tables", "lists"])
def test_list_is_rows(style: str) -> None:
    if style == "tables":
        content: dict[str, Any] = {"rows": [{"players": 2, "seed": 5}, {"seed": 6, "players": 4}]}
    else:
        content = {"fields": ["players", "seed"], "rows": [[2, 5], [4, 6]]}
    points = read_sweep({"deals": 10, "design": {"kind": "list", **content}}).points
    assert [(p.config.players, p.config.seed) for p in points] == [(2, 5), (4, 6)]


def test_sobol_fills_its_ranges_evenly_and_never_moves_points() -> None:
    def design(n: int) -> dict[str, Any]:
        return {
            "kind": "sobol",
            "points": n,
            "rules.ante": {"from": 10, "to": 1_000_000},
            "seats.0.blind": {"from": 0.0, "to": 1.0},
            "seats.0": ["loose", "tight"],
            "seats.0.call": {"from": 16, "to": 19},
        }

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        many = rows(design(256), rules={"bet_limit": 100_000_000, "min_bet": 10})
        few = rows(design(100), rules={"bet_limit": 100_000_000, "min_bet": 10})
    assert many[:100] == few
    antes = [r[0] for r in many]
    assert all(type(a) is int and 10 <= a <= 1_000_000 for a in antes)
    assert all(sum(lo <= r[1] < lo + 1 / 8 for r in many) == 32 for lo in (i / 8 for i in range(8)))
    assert {r[2] for r in many} == {"loose", "tight"}
    assert [sum(r[3] == c for r in many) for c in range(16, 20)] == [64] * 4
    assert rows({**design(8), "seed": 1}, rules={"bet_limit": 100_000_000, "min_bet": 10}) != few[:8]


def test_too_many_points_are_refused() -> None:
    with pytest.raises(InvalidInput, match="design: 1000000 points: must be at most 100000"):
        rows({"seed": {"from": 1, "to": 1000}, "rules.ante": {"from": 1, "to": 1000}})


def test_an_entry_of_seats_applies_wherever_it_sits() -> None:
    points = read_sweep(
        {
            "deals": 10,
            "players": 5,
            "seats": ["threshold:call=20,raise_at=28", "rock"],
            "design": {"seats.0.call": [21]},
        }
    ).points
    assert points[0].config.labels == [
        "threshold:raise_at=28,call=21",
        "rock",
        "threshold:raise_at=28,call=21",
        "rock",
        "threshold:raise_at=28,call=21",
    ]


def test_several_entries_take_one_value_and_whole_policies_come_first() -> None:
    points = read_sweep(
        {
            "deals": 10,
            "seats": ["rock", "threshold", "tight", "loose"],
            "design": {"seats.1-2,3.call": [21], "seats.3": ["bluffer"]},
        }
    ).points
    assert points[0].config.labels == ["rock", "threshold:call=21", "tight:call=21", "bluffer:call=21"]


def test_default_seats_have_entries_too() -> None:
    points = read_sweep({"deals": 10, "players": 2, "design": {"seats.0.call": [21]}}).points
    assert points[0].config.labels == ["threshold:call=21"] * 2


def test_digests_tell_points_apart_by_all_that_matters() -> None:
    def digests(**changes: Any) -> list[str]:
        return [p.digest for p in read_sweep(dice_sweep(**changes)).points]

    base = digests()
    assert len(set(base)) == 10
    assert digests() == base
    for change in ({"seed": 4}, {"deals": 501}, {"session": 5}, {"lenient": True}, {"players": 4}):
        assert not set(digests(**change)) & set(base)
    target: dict[str, Any] = {"deals": None, "target_error_antes": 0.1, "max_deals": 500, "step_deals": 100}
    sweep = {k: v for k, v in dice_sweep(**target).items() if v is not None}
    first = [p.digest for p in read_sweep(sweep).points]
    assert not set(first) & set(base)
    assert not set(first) & {p.digest for p in read_sweep({**sweep, "step_deals": 50}).points}

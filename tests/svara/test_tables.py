"""Policies given by tables of one's own: rows, arrays, prices, sizes, and errors."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from svara_sim.core.errors import InvalidInput
from svara_sim.games.svara.kernel.decide import ALWAYS_SHIFT, PRICE_ONE
from svara_sim.games.svara.policies import FEATURES, BetTable, TablePolicy

from .helpers import LIMIT, make_table, z_of_count
from .oracle import decisions_of

from_rows = TablePolicy.from_rows


def features_of(view: dict[str, int]) -> dict[str, int]:
    """What a betting table may look at, from what a seat may know."""
    return {
        "stage": 2 if view["opened"] else int(view["blind_level"] > 0),
        "can_raise": int(view["min_raise_to"] > 0),
        "raises": min(view["raises"], 4),
        "players": view["players_in"],
        "position": view["position"],
        "svara": int(view["svara_round"] > 0),
        "points": view["points"],
    }


@pytest.mark.parametrize("feature", sorted(FEATURES))
def test_a_table_reads_each_feature(feature: str) -> None:
    """A table that folds on even values and calls on odd ones."""
    values = np.arange(FEATURES[feature]) % 2
    policy = TablePolicy("parity", BetTable((feature,), values, 0.0), join=0.7, blind=0.3)
    seen: set[int] = set()
    keen = ["random", "random", "maniac:aggression=0.6", "call:join=0.6", "random"]
    for seats in ([policy, *keen], [*keen, policy]):
        for history in make_table(seats, 3, max_raises=6).replay(0, 500):
            for kind, view, event in decisions_of(history):
                if kind == "bet" and event["seat"] == seats.index(policy):
                    value = features_of(view)[feature]
                    seen.add(value)
                    assert (event["type"] == "fold") == (value % 2 == 0)
    legal = {"players": range(2, 7), "position": range(6), "points": [9, 10, 11, *range(15, 32)]}
    assert seen >= set(legal.get(feature, range(FEATURES[feature])))


def test_a_table_of_many_features() -> None:
    rng = np.random.default_rng(1)
    features = ("stage", "raises", "players", "position", "svara", "points")
    plays = rng.random([FEATURES[f] for f in features]) < 0.6
    policy = TablePolicy("maze", BetTable(features, plays, 0.0), join=0.5)
    n = 0
    for history in make_table([policy, "random", policy, "random"], 4).replay(0, 800):
        for kind, view, event in decisions_of(history):
            if kind == "bet" and event["seat"] % 2 == 0:
                n += 1
                now = features_of(view)
                assert (event["type"] != "fold") == plays[tuple(now[f] for f in features)]
    assert n > 1000


def test_probabilities_are_kept() -> None:
    rows = [
        {"points": p, "stage": s, "p_fold": 0.2, "p_call": 0.5, "p_raise": 0.3} for p in range(35) for s in range(3)
    ]
    policy = from_rows("mixed", rows, blind=0.25)
    counts: Counter[str] = Counter()
    for history in make_table([policy, policy], 4).replay(0, 4000):
        for kind, view, event in decisions_of(history):
            if kind == "bet" and view["opened"] and view["min_raise_to"]:
                counts[event["type"]] += 1
    n = sum(counts.values())
    assert n > 2000
    for kind, p in (("fold", 0.2), ("call", 0.5), ("raise", 0.3)):
        assert abs(z_of_count(counts[kind], n, p)) < LIMIT


def test_combinations_that_no_row_names_fold() -> None:
    policy = from_rows("only aces", [{"points": 33, "p_call": 1.0}, {"points": 22, "p_raise": 1.0}])
    for history in make_table([policy, "call"], 1).replay(0, 400):
        for kind, view, event in decisions_of(history):
            if kind == "bet" and event["seat"] == 0:
                assert (event["type"] == "fold") == (view["points"] not in (22, 33))


def test_price_limits_of_calls_and_joins() -> None:
    policy = TablePolicy("thrifty", BetTable((), 1.0, 0.0, max_price=0.25), join=1.0, join_price=0.25)
    seen: Counter[tuple[str, bool]] = Counter()
    for history in make_table([policy, "random", "maniac", "random", "call"], 3).replay(0, 1500):
        for kind, view, event in decisions_of(history):
            if event["seat"] == 0 and kind != "blind":
                cheap = view["owed"] <= 0.25 * (view["pot"] + view["owed"])
                seen[kind, cheap] += 1
                assert (event["type"] not in ("fold", "stay_out")) == cheap
    assert min(seen["bet", True], seen["bet", False], seen["join", False], seen["join", True]) > 3, seen


def test_equal_tables_are_equal_policies() -> None:
    """Tables made of arrays can be compared and hashed, and seats that share one are seated."""
    make = [from_rows("mine", [{"points": p, "p_call": 1.0} for p in (20, last)]) for last in (21, 21, 22)]
    assert make[0] == make[1] != make[2]
    assert hash(make[0]) == hash(make[1])
    assert len({policy.bets.digest() for policy in make}) == 2
    table = make_table([make[0], make[1], make[2], make[0]], 1)
    table.simulate_block(0, 100, 64, records=False)
    assert make[0].describe() == make[1].describe() != make[2].describe()
    assert make[0] != "mine"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], r"table 'mine': has no rows"),
        ([{"point": 20, "p_call": 1}], r"table 'mine': column = 'point': must be .*did you mean 'points'"),
        ([{"points": 35, "p_call": 1}], r"table 'mine', row 1: points = 35: must be from 0 to 34"),
        ([{"points": -1, "p_call": 1}], r"row 1: points = -1: must be from 0 to 34"),
        ([{"points": 20.5, "p_call": 1}], r"row 1: points = 20.5: must be a whole number"),
        ([{"points": 20, "p_call": 1}, {"p_call": 1}], r"row 2: points = None: must be a whole number"),
        ([{"points": 20, "p_call": 1.2}], r"row 1: p_call = 1.2: must be from 0 to 1"),
        ([{"points": 20, "p_call": "all"}], r"row 1: p_call = 'all': must be a number"),
        (
            [{"points": 20, "p_fold": 0.5, "p_call": 0.2, "p_raise": 0.2}],
            r"p_fold \+ p_call \+ p_raise = 0.9: must be 1",
        ),
        ([{"points": 20, "p_call": 0.7, "p_raise": 0.7}], r"p_call \+ p_raise: must be at most 1"),
        ([{"points": 20, "p_call": 1, "max_price": 2}], r"row 1: max_price = 2: must be from 0 to 1"),
        ([{"points": 20, "p_call": 1, "raise_size": 1001}], r"row 1: raise_size = 1001: must be from -1 to 1000"),
        ([{"points": 20, "p_call": 1, "raise_size": -0.5}], r"raise_size: must be from 0 to 1000 pots, or -1 for any"),
    ],
)
def test_rows_that_are_wrong(rows: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        from_rows("mine", rows)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((("suits",), 1, 0), r"feature = 'suits': must be 'stage'"),
        ((("points", "stage"), 1, 0), r"features = \('points', 'stage'\): must be in the order stage, can_raise"),
        ((("points", "points"), 1, 0), r"must be in the order .* once each"),
        ((("points",), np.ones(34), 0), r"p_call: has shape \(34,\), which does not fit \(35,\)"),
        ((("points",), 0.5, 0.6), r"p_call \+ p_raise: must be at most 1 everywhere"),
        ((("points",), float("nan"), 0), r"p_call: must be from 0 to 1 everywhere"),
        ((("points",), 0, 0, 1.5), r"max_price: must be from 0 to 1 everywhere"),
        ((("points",), 0, 0, 1, -0.5), r"raise_size: must be from 0 to 1000 pots, or -1 for any size"),
    ],
)
def test_arrays_that_are_wrong(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        BetTable(*arguments)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"blind": 2}, r"mine: blind = 2: must be from 0 to 1"),
        ({"join": "x"}, r"mine: join = 'x': must be a number"),
        ({"join_price": -1}, r"mine: join_price = -1: must be from 0 to 1"),
        ({"blind_choice": "biggest"}, r"mine: blind_choice = 'biggest': must be 'smallest', 'largest' or 'any'"),
    ],
)
def test_other_parameters_that_are_wrong(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        TablePolicy("mine", BetTable((), 1.0, 0.0), **fields)


def sure_of_itself(rng: np.random.Generator) -> TablePolicy:
    """A table of random features that always does the same with most points, and draws, prices or sizes with others."""
    features = tuple(f for f in FEATURES if f == "points" or rng.random() < 0.5)
    shape = tuple(FEATURES[f] for f in features)
    by_points = rng.integers(0, 3, FEATURES["points"])
    situations = math.prod(FEATURES[f] for f in features if f in ("stage", "can_raise", "raises", "players"))
    actions = np.where(rng.random(shape) < 0.3 / situations, rng.integers(0, 3, shape), by_points)
    prices = np.where(rng.random(FEATURES["points"]) < 0.1, 0.2, 1.0)
    sizes = np.where(rng.random(FEATURES["points"]) < 0.1, 0.5, 0.0)
    bets = BetTable(features, np.where(actions == 1, 1.0, 0.0), np.where(actions == 2, 1.0, 0.0), prices, sizes)
    return TablePolicy("sure", bets, blind=0.3, join=0.4)


@pytest.mark.parametrize("seed", range(12))
def test_answers_known_before_the_betting_are_those_of_the_rows(seed: int) -> None:
    """The kernel reads beforehand what all rows of a round say: without that, it plays the same deals."""
    rng = np.random.default_rng(seed)
    players = int(rng.integers(2, 7))
    scope = ("table", "seat")[seed % 2]
    seats = [sure_of_itself(rng) for _ in range(players)]
    table = make_table(seats, players, max_raises=int(rng.integers(1, 4)), raise_scope=scope)
    known = table.simulate_block(0, 3000, 3000, records=True)
    prices = table._arguments.rows[2::4]
    assert np.sum(prices > PRICE_ONE) >= 10
    prices &= (1 << int(ALWAYS_SHIFT)) - 1
    read = table.simulate_block(0, 3000, 3000, records=True)
    assert known.records is not None
    assert read.records is not None
    for name, values in known.records.items():
        np.testing.assert_array_equal(values, read.records[name], err_msg=name)
    np.testing.assert_array_equal(known.totals, read.totals)

"""What the tests of Svara share: tables in a line, random policies, and bounds from standard errors."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numba
import numpy as np

from svara_sim.games.svara.game import SVARA
from svara_sim.games.svara.policies import (
    CALL,
    FEATURES,
    FOLD,
    LIBRARY,
    BetTable,
    FunctionPolicy,
    TablePolicy,
)
from svara_sim.games.svara.policies.plan import ANY_SIZE, feature
from svara_sim.games.svara.table import SvaraTable

History = dict[str, Any]

LIMIT = 4.0
"""Standard errors that a fixed-seed estimate may be off."""


def make_table(
    seats: Sequence[Any],
    seed: int = 1,
    rules: str | None = None,
    *,
    session: int | None = None,
    lenient: bool = False,
    **options: Any,
) -> SvaraTable:
    """A table under a preset with some options changed."""
    policies = [SVARA.make_policy(p) for p in seats]
    return SVARA.make_table(SVARA.make_rules(rules, options), policies, seed, session_deals=session, lenient=lenient)


def z_of_count(count: int, n: int, p: float) -> float:
    """Standard errors between a count and its expectation n p."""
    return float((count - n * p) / np.sqrt(n * p * (1 - p)))


def z_of_mean(values: Any, expected: float = 0.0) -> float:
    """Standard errors between the mean of independent values and its expectation."""
    values = np.asarray(values, dtype=np.float64)
    error = values.std(ddof=1) / np.sqrt(len(values))
    return float((values.mean() - expected) / error)


def z_of_chi_square(counts: Any, expected: Any) -> float:
    """Chi-square of counts of independent trials, as standard deviations from its mean."""
    counts, expected = np.asarray(counts, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    assert expected.min() >= 5
    assert np.isclose(counts.sum(), expected.sum())
    freedom = counts.size - 1
    return float((np.sum((counts - expected) ** 2 / expected) - freedom) / np.sqrt(2 * freedom))


# -- policies of one's own --------------------------------------------------------------------------


@numba.njit
def fingerprint(view: Any) -> Any:
    """A number from everything that a view holds: change anything in it, and this changes."""
    h = np.int64(17)
    for value in (
        view.card_0, view.card_1, view.card_2, view.points, view.seat, view.dealer, view.position, view.seats,
        view.players_in, view.in_mask, view.pot, view.level, view.my_bet, view.owed, view.min_raise_to,
        view.max_raise_to, view.opened, view.raises, view.raises_left, view.last_raiser, view.blind_level,
        view.blinds, view.blind_mask, view.next_blind, view.svara_round, view.tied, view.ante,
        np.int64(view.random * 1048576.0),
    ):  # fmt: skip
        h = (h * 1000003 + value + 7) % 2147483647
        h ^= h >> 13
    return h


def bet_by_fingerprint(view: Any) -> Any:
    h = fingerprint(view)
    choice = h % 8
    if choice == 0:
        return FOLD
    if choice < 5 or view.min_raise_to == 0:
        return CALL
    room = min(view.max_raise_to - view.min_raise_to + 1, 4 * view.ante + 1)
    return view.min_raise_to + (h // 8) % room


def blind_by_fingerprint(view: Any) -> Any:
    return view.next_blind if fingerprint(view) % 3 > 0 else 0


def join_by_fingerprint(view: Any) -> Any:
    return 1 if fingerprint(view) % 3 > 0 else 0


FINGERPRINT = FunctionPolicy("fingerprint", bet_by_fingerprint, blind_by_fingerprint, join_by_fingerprint)
"""Legal, and every decision depends on every bit of what it sees."""


def random_function_bet(view: Any) -> Any:
    if view.random < 0.2:
        return FOLD
    if view.random < 0.7 or view.min_raise_to == 0:
        return CALL
    return view.min_raise_to + int((view.random - 0.7) / 0.3001 * (view.max_raise_to - view.min_raise_to + 1))


RANDOM_FUNCTION = FunctionPolicy("random_function", random_function_bet, blind=0.5, join=0.6)


def random_table_policy(rng: random.Random) -> TablePolicy:
    """A table over random features, with random probabilities, prices and raise sizes."""
    features = tuple(f for f in FEATURES if rng.random() < 0.35) or ("points",)
    shape = tuple(FEATURES[f] for f in features)
    draws = np.random.default_rng(rng.getrandbits(32))
    p = draws.dirichlet((0.6, 0.9, 0.5), size=shape)
    size = draws.choice([0.0, 0.5, 1.0, ANY_SIZE], size=shape)
    price = draws.choice([1.0, 1.0, 0.4, 0.15], size=shape)
    return TablePolicy(
        "mine",
        BetTable(features, p[..., 0], p[..., 1], price, size),
        blind=rng.choice([0.0, 0.5, 1.0]),
        blind_choice=rng.choice(["smallest", "largest", "any"]),
        join=rng.choice([0.0, 0.5, 1.0]),
        join_price=rng.choice([1.0, 0.4]),
    )


def raise_or_call_by_points(p_raise: float, **options: Any) -> TablePolicy:
    """Never folds; raises by half a pot with some probability that grows with its points."""
    chance = np.minimum(1.0, p_raise * feature("points", ("points",)) / 20)
    return TablePolicy("keen", BetTable(("points",), 1 - chance, chance, 1.0, 0.5), **options)


def random_library_policy(rng: random.Random) -> str:
    """A policy of the library, its parameters at their defaults or anywhere in their ranges."""
    info = LIBRARY[rng.choice(sorted(LIBRARY))]
    given = {p.name: rng.uniform(p.low, min(p.high, 40)) for p in info.parameters if rng.random() < 0.4}
    return info.name + ":" + ",".join(f"{name}={value:.3f}" for name, value in given.items())


def random_seats(rng: random.Random, players: int) -> list[Any]:
    """Policies for a table: all random legal, all bound for deep svaras, or a mix of library and table policies."""
    kind = rng.random()
    if kind < 0.35:
        return ["random"] * players
    if kind < 0.6:
        return [rng.choice(["call:join=1", "maniac:join=0.9", "call:join=0.5,blind=0.5"]) for _ in range(players)]
    return [rng.choice(["random", random_library_policy(rng), random_table_policy(rng)]) for _ in range(players)]

"""Streams: known vectors, distinct words, and screening for even distribution with fixed seeds."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from svara_sim.core import rng
from svara_sim.core.errors import InvalidInput

LIMIT = 4.0
N = 1 << 20
FIELDS = {"deal": 38, "round": 10, "seat": 4, "turn": 12}
"""Bits of the counter, lowest first."""


@numba.njit
def words(key: Any, deals: Any, rounds: Any, seats: Any, turns: Any) -> Any:
    out = np.empty(deals.shape[0], np.uint64)
    for i in range(deals.shape[0]):
        out[i] = rng.word(key[0], deals[i], rounds[i], seats[i], turns[i])
    return out


@numba.njit
def all_below(bits: Any, n: Any) -> Any:
    out = np.empty(bits.shape[0], np.int64)
    for i in range(bits.shape[0]):
        out[i] = rng.below(bits[i], n)
    return out


@numba.njit
def all_uniform(bits: Any) -> Any:
    out = np.empty(bits.shape[0], np.float64)
    for i in range(bits.shape[0]):
        out[i] = rng.uniform(bits[i])
    return out


def some_words(vary: str = "deal", seed: int = 1, n: int = N, **fixed: int) -> NDArray[np.uint64]:
    """Words of a stream in which one field runs through 0 .. n - 1, the others stand still."""
    columns = {name: np.full(n, fixed.get(name, 0), np.int64) for name in FIELDS}
    columns[vary] = np.arange(n, dtype=np.int64)
    return words(rng.stream_keys(seed, "test", 1), *columns.values())


def one_word(key: int, deal: int, round_: int = 0, seat: int = 0, turn: int = 0) -> int:
    columns = [np.array([x], np.int64) for x in (deal, round_, seat, turn)]
    return int(words(np.array([key], np.uint64), *columns)[0])


def plain_word(key: int, deal: int, round_: int, seat: int, turn: int) -> int:
    """The same in whole numbers of any size, as the module describes it."""
    counter = deal | round_ << 38 | seat << 48 | turn << 52
    z = (key + counter * 0x9E3779B97F4A7C15) % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


def z_of_chi_square(counts: NDArray[Any]) -> float:
    """Chi-square against equal cells, as standard deviations from its mean."""
    expected, freedom = counts.sum() / counts.size, counts.size - 1
    assert expected >= 5
    return float((np.sum((counts - expected) ** 2) / expected - freedom) / np.sqrt(2 * freedom))


# -- what the words are -------------------------------------------------------------------------------


def test_words_of_key_0_are_those_of_splitmix64() -> None:
    """The published outputs of splitmix64 from seed 0."""
    expected = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B]
    assert [one_word(0, deal) for deal in range(1, 6)] == expected


def test_keys_stay_what_they_are() -> None:
    """Every dataset depends on them: seeds must mean the same for ever."""
    keys = rng.stream_keys(7, "svara", 4)
    assert keys.dtype == np.uint64
    assert [f"{int(key):016x}" for key in keys] == KEYS_OF_SEED_7
    np.testing.assert_array_equal(rng.stream_keys(7, "svara", 2), keys[:2])


KEYS_OF_SEED_7 = ["7bbdc3b5db89af9f", "c2ce6dfae4e80906", "7163dd13b3b08958", "240121b75ac356e1"]

PLACES = st.tuples(*(st.integers(0, 2**width - 1) for width in FIELDS.values()))


@settings(deadline=None)  # the first call compiles
@given(st.integers(0, 2**64 - 1), PLACES)
def test_words_are_as_described(key: int, place: tuple[int, int, int, int]) -> None:
    assert one_word(key, *place) == plain_word(key, *place)


@settings(deadline=None)  # the first call compiles
@given(st.integers(0, 2**64 - 1), PLACES, PLACES)
def test_two_places_never_share_a_word(key: int, one: tuple[int, ...], two: tuple[int, ...]) -> None:
    assume(one != two)
    assert one_word(key, *one) != one_word(key, *two)


@pytest.mark.parametrize("field", list(FIELDS))
def test_words_differ_by_deal_round_seat_and_turn(field: str) -> None:
    n = min(N, 1 << FIELDS[field])
    assert len(np.unique(some_words(field, n=n))) == n
    others = {name: 1 for name in FIELDS if name != field}
    assert not set(some_words(field, n=16).tolist()) & set(some_words(field, n=16, **others).tolist())


def test_streams_differ_by_seed_game_and_purpose() -> None:
    keys = [
        int(key)
        for game in ("svara", "run_fast")
        for seed in (0, 1, 2, rng.MAX_SEED)
        for key in rng.stream_keys(seed, game, 8)
    ]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, "7", None, True])
def test_seeds_that_are_not(seed: Any) -> None:
    with pytest.raises(InvalidInput, match=r"seed = .*: must be (a whole number )?from 0 to 9223372036854775807"):
        rng.check_seed(seed)
    with pytest.raises(InvalidInput, match="seed = "):
        rng.stream_keys(seed, "svara", 1)


def test_seeds_that_are() -> None:
    assert rng.check_seed(np.int64(5)) == 5
    assert rng.check_seed(2**63 - 1) == 2**63 - 1 == rng.MAX_SEED


@settings(deadline=None)  # the first call compiles
@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=20), st.integers(1, 2**63 - 1))
def test_below_and_uniform(bits: list[int], n: int) -> None:
    array = np.array(bits, dtype=np.uint64)
    assert all_below(array, n).tolist() == [b * n >> 64 for b in bits]
    assert all_uniform(array).tolist() == [(b >> 11) / 2**53 for b in bits]
    assert 0 <= all_uniform(array).min() <= all_uniform(array).max() < 1


# -- screening ----------------------------------------------------------------------------------------

WAYS = [
    ("deal", {}),
    ("deal", {"round": 5, "seat": 3, "turn": 9}),
    ("turn", {"deal": 77}),
    ("round", {"deal": 1 << 37}),
]


@pytest.mark.parametrize(("vary", "fixed"), WAYS)
@pytest.mark.parametrize("shift", [0, 13, 26, 39, 56])
def test_every_byte_is_even(vary: str, fixed: dict[str, int], shift: int) -> None:
    """Of 1,024 rounds, 4,096 turns or a million deals."""
    n = min(N, 1 << FIELDS[vary])
    found = np.concatenate([some_words(vary, seed, n, **fixed) for seed in range(2, 2 + max(1, (1 << 15) // n))])
    byte = (found >> np.uint64(shift)) & np.uint64(0xFF)
    assert abs(z_of_chi_square(np.bincount(byte.astype(np.int64), minlength=256))) < LIMIT


def test_every_bit_is_even_and_unlike_its_neighbours() -> None:
    found = some_words("deal", 3)
    bits = ((found[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)).astype(np.int8)
    scale = np.sqrt(N) / 2
    assert np.abs((bits.sum(axis=0) - N / 2) / scale).max() < LIMIT + 1, "64 bits"
    for lag in (1, 2, 3):
        same = (bits[:-lag] == bits[lag:]).sum(axis=0)
        assert np.abs((same - (N - lag) / 2) / scale).max() < LIMIT + 1, f"bits of deals {lag} apart"
    for one, two in pairwise(range(64)):
        assert abs(((bits[:, one] == bits[:, two]).sum() - N / 2) / scale) < LIMIT + 1


@pytest.mark.parametrize(
    ("what", "other"),
    [("next turn", {"turn": 1}), ("next seat", {"seat": 1}), ("next round", {"round": 1}), ("other seed", {"seed": 9})],
)
def test_pairs_of_words_are_even(what: str, other: dict[str, int]) -> None:
    """The high bits of a word and of its neighbour in another field fill a square evenly."""
    one, two = some_words("deal", 8), some_words("deal", **{"seed": 8, **other})
    cells = (one >> np.uint64(58)).astype(np.int64) * 64 + (two >> np.uint64(58)).astype(np.int64)
    assert abs(z_of_chi_square(np.bincount(cells, minlength=4096))) < LIMIT, what


def test_successive_deals_fill_a_cube() -> None:
    high = (some_words("deal", 10) >> np.uint64(60)).astype(np.int64)[: N - N % 3].reshape(-1, 3)
    cells = (high[:, 0] * 16 + high[:, 1]) * 16 + high[:, 2]
    assert abs(z_of_chi_square(np.bincount(cells, minlength=4096))) < LIMIT


@pytest.mark.parametrize("n", [2, 3, 7, 32, 1000])
def test_draws_below_n_are_even(n: int) -> None:
    draws = all_below(some_words("deal", 4), n)
    assert abs(z_of_chi_square(np.bincount(draws, minlength=n))) < LIMIT


def test_uniform_moments() -> None:
    u = all_uniform(some_words("deal", 6))
    for power, mean, variance in ((1, 1 / 2, 1 / 12), (2, 1 / 3, 4 / 45), (3, 1 / 4, 9 / 112)):
        assert abs((u**power).mean() - mean) < LIMIT * np.sqrt(variance / N)


def test_keys_of_successive_seeds_are_even() -> None:
    keys = np.array([rng.stream_keys(seed, "svara", 1)[0] for seed in range(20_000)])
    for shift in (0, 28, 56):
        byte = ((keys >> np.uint64(shift)) & np.uint64(0xFF)).astype(np.int64)
        assert abs(z_of_chi_square(np.bincount(byte, minlength=256))) < LIMIT

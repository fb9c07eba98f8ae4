"""The one-instruction forms against the plain ones."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from svara_sim.core import bits

WORDS = st.integers(0, 2**64 - 1)
MASKS = st.integers(1, 2**64 - 1)


@numba.njit
def high(a: Any, b: Any) -> Any:
    return bits.high_word(a, b)


@numba.njit
def lowest(mask: Any) -> Any:
    return bits.lowest_bit(mask)


@numba.njit
def highest(mask: Any) -> Any:
    return bits.highest_bit(mask)


@numba.njit
def count(mask: Any) -> Any:
    return bits.count_bits(mask)


@numba.njit
def deposit(source: Any, mask: Any) -> Any:
    return bits.deposit_bits(source, mask)


@settings(deadline=None)  # the first call compiles
@given(WORDS, WORDS)
@example(2**64 - 1, 2**64 - 1)
@example(2**32, 2**32)
def test_high_word(a: int, b: int) -> None:
    assert high(np.uint64(a), np.uint64(b)) == a * b >> 64 == bits._high_word_plain(a, b)


@settings(deadline=None)  # the first call compiles
@given(MASKS)
@example(1)
@example(1 << 63)
@example(2**64 - 1)
def test_lowest_and_highest_bit(mask: int) -> None:
    places = [place for place in range(64) if mask >> place & 1]
    assert lowest(np.uint64(mask)) == places[0] == bits._lowest_bit_plain(mask)
    assert highest(np.uint64(mask)) == places[-1] == bits._highest_bit_plain(mask)


@settings(deadline=None)  # the first call compiles
@given(WORDS)
@example(0)
@example(2**64 - 1)
def test_count_bits(mask: int) -> None:
    assert count(np.uint64(mask)) == bin(mask).count("1") == bits._count_bits_plain(mask)


@settings(deadline=None)  # the first call compiles
@given(WORDS, WORDS)
@example(2**64 - 1, 0)
@example(2**64 - 1, 2**64 - 1)
def test_deposit_bits(source: int, mask: int) -> None:
    places = [place for place in range(64) if mask >> place & 1]
    expected = sum((source >> i & 1) << place for i, place in enumerate(places))
    assert deposit(np.uint64(source), np.uint64(mask)) == expected
    with np.errstate(over="ignore"):
        assert int(bits._deposit_bits_plain(np.uint64(source), np.uint64(mask))) == expected


def test_answers_are_signed_where_they_are_indices() -> None:
    """An int64 and a uint64 together would make a float."""
    word = numba.types.uint64
    for function, arguments in ((lowest, 1), (highest, 1), (count, 1)):
        function(*[np.uint64(5)] * arguments)
        assert function.nopython_signatures[0].return_type == numba.types.int64
    for function in (high, deposit):
        function(np.uint64(5), np.uint64(6))
        assert [s.return_type for s in function.nopython_signatures] == [word]


def test_to_int_makes_int64() -> None:
    assert type(bits.to_int(np.uint64(7))) is np.int64

"""Counter-based random streams: every draw is a hash of what it is for.

Word (deal, round, seat, turn) of a stream is ``mix64(key + counter * golden)``, the splitmix64 generator used as
a hash: `counter` packs the four numbers, `key` comes from (seed, game, purpose). So deal i of a seed is the same
deal on any number of threads, in any block, alone or in a run; and what a policy draws never moves a card.

Layout of the counter: bits 0-37 the deal, 38-47 the round, 48-51 the seat, 52-63 the turn.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bits import high_word
from .errors import check_int
from .jit import inlined

__all__ = [
    "MAX_DEALS",
    "MAX_ROUNDS",
    "MAX_SEED",
    "below",
    "check_seed",
    "mix64",
    "round_base",
    "stream_keys",
    "uniform",
    "word",
    "word_at",
]

MAX_DEALS = 1 << 38
MAX_ROUNDS = 1 << 10
MAX_SEED = (1 << 63) - 1

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31 = np.uint64(27), np.uint64(30), np.uint64(31)
_ROUND_SHIFT, _SEAT_SHIFT, _TURN_SHIFT = np.uint64(38), np.uint64(48), np.uint64(52)
_TO_UNIT = 1.0 / (1 << 53)
_S11 = np.uint64(11)


def check_seed(seed: Any) -> int:
    """Return `seed` as an int from 0 to 2**63 - 1, or raise `InvalidInput`."""
    return check_int("seed", seed, 0, MAX_SEED)


def stream_keys(seed: int, game: str, n_purposes: int) -> NDArray[np.uint64]:
    """One key for each purpose of a game's draws.

    Parameters
    ----------
    seed : int
        From 0 to 2**63 - 1.
    game : str
        Keeps the streams of two games apart.
    n_purposes : int
        How many keys.

    Returns
    -------
    numpy.ndarray
        Shape (n_purposes,), dtype uint64. (An array, because a lone uint64 that passes through Python comes
        back as int64, and int64 with uint64 makes floats.)
    """
    seed = check_seed(seed)
    digests = (
        hashlib.blake2b(f"{game}/{purpose}/{seed}".encode(), digest_size=8).digest() for purpose in range(n_purposes)
    )
    return np.array([int.from_bytes(d, "little") for d in digests], dtype=np.uint64)


@inlined
def mix64(z: Any) -> Any:
    """Splitmix64's finaliser: a bijection of uint64 that passes for random."""
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@inlined
def round_base(key: Any, deal: Any, round_: Any) -> Any:
    """What the words of a round have in common; `word_at` makes the words of it.

    Multiplying by the golden number distributes over the parts of the counter, so the parts that are known early need
    not wait for the others.
    """
    return key + (np.uint64(deal) | (np.uint64(round_) << _ROUND_SHIFT)) * _GOLDEN


@inlined
def word_at(base: Any, seat: Any, turn: Any) -> Any:
    """The word of (seat, turn) in the round of `base`."""
    return mix64(base + ((np.uint64(seat) << _SEAT_SHIFT) | (np.uint64(turn) << _TURN_SHIFT)) * _GOLDEN)


@inlined
def word(key: Any, deal: Any, round_: Any, seat: Any, turn: Any) -> Any:
    """The uint64 that belongs to (deal, round, seat, turn) in the stream of `key`."""
    return word_at(round_base(key, deal, round_), seat, turn)


@inlined
def uniform(bits: Any) -> Any:
    """A float in [0, 1) from the high 53 bits of a word."""
    return np.float64(bits >> _S11) * _TO_UNIT


@inlined
def below(bits: Any, n: Any) -> Any:
    """An int64 in [0, n) by multiply-high; its bias, n / 2**64, is far below what any run could see."""
    return np.int64(high_word(bits, np.uint64(n)))

"""How strong a hand's opponents are: exact means given the hand, which control simulated comparisons.

With N(t) the number of opponents that hold at least t points, the features are, for levels t <= u <= v in turn,
``N(t)``, ``N(t) N(u)`` and ``N(t) N(u) N(v)``; and then whether the hand alone is best, and whether it ties for it, as
far as these two are counted (`svara_sim.games.svara.exact`). The means follow from the numbers of hands, of disjoint
pairs and of disjoint triples of hands that reach the levels, which do not depend on the number of players.

Letters: K classes of hands, L levels.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....core.jit import inlined, kernel
from . import hand_odds, is_counted
from .scores import class_of_hand

__all__ = ["expected_strength"]

_DECK, _HAND = 32, 3
_HANDS = np.array(sorted(combinations(range(_DECK), _HAND), key=lambda h: h[::-1]), dtype=np.int64)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def expected_strength(points_by_hand: ArrayLike, levels: tuple[int, ...], players: int) -> Floats:
    """Exact means of the features, by hand.

    Parameters
    ----------
    points_by_hand : array_like
        Shape (4960,), whole numbers that do not tell ♠ ♥ ♦ apart, nor 10 J Q K.
    levels : tuple of int
        Ascending.
    players : int
        2 to 10, with the hand's own.

    Returns
    -------
    numpy.ndarray
        Shape (4960, features); read-only.
    """
    points = np.asarray(points_by_hand, dtype=np.int64)
    return _expected(points.tobytes(), tuple(levels), players)


@lru_cache(maxsize=64)
def _expected(raw: bytes, levels: tuple[int, ...], players: int) -> Floats:
    points = np.frombuffer(raw, dtype=np.int64)
    classes = class_of_hand()
    names, examples = np.unique(classes, return_index=True)
    columns = _moments(*_counts(raw, levels), players)
    if is_counted(points, players):
        odds = [hand_odds(points, _HANDS[i].tolist(), players) for i in examples]
        columns += [np.array([float(o.p_win) for o in odds]), np.array([float(o.p_svara) for o in odds])]
    by_class = np.stack(columns, axis=1) if columns else np.zeros((len(examples), 0))
    by_hand = by_class[np.searchsorted(names, classes)]
    by_hand.flags.writeable = False
    return by_hand


@lru_cache(maxsize=64)
def _counts(raw: bytes, levels: tuple[int, ...]) -> tuple[Ints, Ints, Ints]:
    """Hands, ordered disjoint pairs and triples that reach levels, apart from a hand of each class.

    Shapes (K, L), (K, L, L), (K, L, L, L); only ascending levels are filled in.
    """
    points = np.frombuffer(raw, dtype=np.int64)
    examples = np.unique(class_of_hand(), return_index=True)[1]
    k, n = len(examples), len(levels)
    singles, pairs, triples = (np.zeros((k, *(n,) * d), np.int64) for d in (1, 2, 3))
    one, two, three = (np.zeros((n, *(_DECK,) * d), np.int64) for d in (1, 2, 3))
    _count(points, np.array(levels, np.int64), _HANDS, examples, one, two, three, singles, pairs, triples)
    return singles, pairs, triples


def _moments(singles: Ints, pairs: Ints, triples: Ints, players: int) -> list[Floats]:
    """Means of the products of N at ascending levels, each of shape (K,); opponents that coincide hold the highest."""
    others, levels = players - 1, range(singles.shape[1])
    decks = [comb(_DECK - _HAND * (i + 1), _HAND) for i in range(3)]
    f1: Floats = np.asarray(singles, np.float64) * (others / decks[0])
    f2: Floats = np.asarray(pairs, np.float64) * (others * (others - 1) / (decks[0] * decks[1]))
    f3: Floats = np.asarray(triples, np.float64) * (
        others * (others - 1) * (others - 2) / (decks[0] * decks[1] * decks[2])
    )
    columns: list[Floats] = []
    for t in levels:
        columns.append(f1[:, t])
        for u in levels[t:]:
            columns.append(f2[:, t, u] + f1[:, u])
            for v in levels[u:]:
                columns.append(f3[:, t, u, v] + 2 * f2[:, u, v] + f2[:, t, v] + f1[:, v])
    return columns


@inlined
def _avoiding(number: Any, one: Any, two: Any, three: Any, a: Any, b: Any, c: Any) -> Any:
    """Hands of a set that hold none of three cards."""
    return number - one[a] - one[b] - one[c] + two[a, b] + two[a, c] + two[b, c] - three[a, b, c]


@inlined
def _disjoint(number: Any, one: Any, two: Any, three: Any, i: Any, j: Any, a: Any, b: Any, c: Any) -> Any:
    """Ordered disjoint pairs of a hand of set i and one of its subset j, both without the cards a, b, c.

    By inclusion and exclusion over what they have in common: nothing, a card, two cards, or all three.
    """
    smaller = _avoiding(number[j], one[j], two[j], three[j], a, b, c)
    total = _avoiding(number[i], one[i], two[i], three[i], a, b, c) * smaller - smaller
    for d in range(32):
        if (d - a) * (d - b) * (d - c) == 0:
            continue
        of_i = one[i, d] - two[i, d, a] - two[i, d, b] - two[i, d, c]
        of_i += three[i, d, a, b] + three[i, d, a, c] + three[i, d, b, c]
        of_j = one[j, d] - two[j, d, a] - two[j, d, b] - two[j, d, c]
        of_j += three[j, d, a, b] + three[j, d, a, c] + three[j, d, b, c]
        total -= of_i * of_j
        for e in range(d):
            if (e - a) * (e - b) * (e - c) == 0:
                continue
            with_i = two[i, d, e] - three[i, d, e, a] - three[i, d, e, b] - three[i, d, e, c]
            with_j = two[j, d, e] - three[j, d, e, a] - three[j, d, e, b] - three[j, d, e, c]
            total += with_i * with_j
    return total


@kernel
def _count(
    points: Any,
    levels: Any,
    hands: Any,
    examples: Any,
    one: Any,
    two: Any,
    three: Any,
    singles: Any,
    pairs: Any,
    triples: Any,
) -> None:
    """Fill `singles`, `pairs` and `triples`; `one`, `two`, `three` (by level and cards) are working memory."""
    n_levels = levels.shape[0]
    for k in range(examples.shape[0]):
        x, y, z = hands[examples[k]]
        one[:] = 0
        two[:] = 0
        three[:] = 0
        for h in range(hands.shape[0]):
            a, b, c = hands[h]
            if (a - x) * (a - y) * (a - z) * (b - x) * (b - y) * (b - z) * (c - x) * (c - y) * (c - z) == 0:
                continue
            for t in range(n_levels):
                if points[h] >= levels[t]:
                    singles[k, t] += 1
                    _note(one[t], two[t], three[t], a, b, c)
        for t in range(n_levels):
            for u in range(t, n_levels):
                # the hand's own cards are in no set: leaving them out changes nothing
                pairs[k, t, u] = _disjoint(singles[k], one, two, three, t, u, x, y, z)
        for h in range(hands.shape[0]):
            a, b, c = hands[h]
            for v in range(n_levels):
                if points[h] < levels[v] or three[v, a, b, c] == 0:
                    break
                for u in range(v + 1):
                    for t in range(u + 1):
                        triples[k, t, u, v] += _disjoint(singles[k], one, two, three, t, u, a, b, c)


@inlined
def _note(one: Any, two: Any, three: Any, a: Any, b: Any, c: Any) -> None:
    """Add a hand to a set, under every order of its cards."""
    one[a] += 1
    one[b] += 1
    one[c] += 1
    for d, e, f in ((a, b, c), (b, a, c), (a, c, b), (c, a, b), (b, c, a), (c, b, a)):
        three[d, e, f] += 1
    two[a, b] += 1
    two[b, a] += 1
    two[a, c] += 1
    two[c, a] += 1
    two[b, c] += 1
    two[c, b] += 1

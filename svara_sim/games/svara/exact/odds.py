"""The public odds functions: check what came in, look for counts that exist, count what does not."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.errors import InvalidInput, check_choice, check_int
from ....core.rng import check_seed
from .cardsets import DECK_SIZE, HAND_SIZE
from .counting import MAX_PLAYERS, MIN_PLAYERS, Counts, Progress, count_hand_sets, count_scores
from .estimate import simulate_against, simulate_table
from .results import HandOdds, Method, TableOdds
from .scores import Scores, card_names, class_of_hand, hand_index
from .storage import (
    cached_counts_path,
    cached_hand_path,
    find_counts,
    read_values,
    write_counts,
    write_values,
)
from .subdeck import count_against

__all__ = ["hand_odds", "is_counted", "table_odds"]

_METHODS = ("exact", "estimate")
_MAX_DEALS = 10**10
_READ: dict[str, Counts] = {}  # by digest of the points, while this process lives


@lru_cache(maxsize=16)
def _scores(raw: bytes) -> Scores:
    return Scores.of(np.frombuffer(raw, dtype=np.int64))


def _checked(points_by_hand: Any) -> Scores:
    points: NDArray[Any] = np.asarray(points_by_hand)
    if points.ndim != 1 or not np.issubdtype(points.dtype, np.integer):
        return Scores.of(points)  # which says what is wrong
    return _scores(points.astype(np.int64).tobytes())


def _known_counts(scores: Scores, players: int) -> Counts | None:
    counts = _READ.get(scores.digest)
    if counts is None or players not in counts.table:
        counts = find_counts(scores, players)
        if counts is not None:
            _READ[scores.digest] = counts
    return counts


def _check_players(scores: Scores, players: Any, n_dead: int = 0) -> int:
    most = min(MAX_PLAYERS, (len(scores.deck) - n_dead) // HAND_SIZE)
    if most < MIN_PLAYERS:
        raise InvalidInput(
            f"{n_dead} dead cards leave {len(scores.deck) - n_dead} of {len(scores.deck)}: two hands need 6"
        )
    about = f" ({n_dead} dead cards leave {len(scores.deck) - n_dead})" if n_dead else ""
    try:
        return check_int("players", players, MIN_PLAYERS, most)
    except InvalidInput as error:
        raise InvalidInput(f"{error}{about}") from None


def is_counted(points_by_hand: Any, players: int) -> bool:
    """Whether the exact odds for a scoring and a number of players are at hand, without counting.

    Parameters
    ----------
    points_by_hand : array_like
        Shape (4960,), whole numbers, see `table_odds`.
    players : int
        2 to 10.
    """
    scores = _checked(points_by_hand)
    return _known_counts(scores, _check_players(scores, players)) is not None


def table_odds(
    points_by_hand: Any,
    players: int,
    *,
    method: Method = "exact",
    n_deals: int = 1_000_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> TableOdds:
    """Odds of the best points at a table at which nobody folds, and of a svara.

    The scorings of the presets come counted for all numbers of players. Another scoring is counted on the
    first call and kept on disk: half a minute for up to 5 players (0.5 GB), 5 to 10 minutes for 10 (1.8 GB).

    Parameters
    ----------
    points_by_hand : array_like
        Shape (4960,), whole numbers: points of all hands in colexicographic order of their card indices
        (`rules/svara.md` section 1). They must not tell ♠ ♥ ♦ apart, nor 10 J Q K. Negative points bar a
        hand; the others must be all hands of some deck.
    players : int
        2 to 10 (section 2), fewer with a small deck.
    method : {"exact", "estimate"}
        Count every deal, or simulate some.
    n_deals, seed : int
        For an estimate: deals, at least 100, and the seed, 0 to 2**63 - 1.
    progress : callable, optional
        Called as ``progress(share, about)`` with the share of the work done, 0 to 1, while counting.

    Returns
    -------
    TableOdds
        Fractions; an estimate's `standard_error` is not 0.

    Raises
    ------
    InvalidInput
        If an argument is out of range or the points are of no use.
    """
    scores = _checked(points_by_hand)
    players = _check_players(scores, players)
    if check_choice("method", method, _METHODS) == "estimate":
        n_deals = check_int("n_deals", n_deals, 100, _MAX_DEALS)
        return TableOdds(players, simulate_table(scores, players, n_deals, check_seed(seed)), "estimate")
    counts = _known_counts(scores, players)
    if counts is None:
        counts = count_scores(scores, players, progress)
        with suppress(OSError):  # a cache that cannot be written costs time, not the answer
            write_counts(cached_counts_path(scores, players), scores, counts, f"up to {players} players")
        _READ[scores.digest] = counts
    return TableOdds(players, counts.table[players])


def hand_odds(
    points_by_hand: Any,
    hand: Iterable[int],
    players: int,
    *,
    dead: Iterable[int] = (),
    method: Method = "exact",
    n_deals: int = 1_000_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> HandOdds:
    """Odds of a hand against random hands from the rest of the deck, shown without betting.

    Without dead cards and under a preset's scoring the answer is looked up. Otherwise it is counted, exactly,
    in under a second for up to 4 players and some seconds above, and kept on disk.

    Parameters
    ----------
    points_by_hand : array_like
        As for `table_odds`.
    hand : iterable of int
        Three different card indices.
    players : int
        2 to 10 with this hand; fewer if too few cards are left.
    dead : iterable of int
        Cards that are known to be out of play.
    method, n_deals, seed, progress
        As for `table_odds`.

    Returns
    -------
    HandOdds
        Fractions; an estimate's `standard_error` and `share_error` are not 0.

    Raises
    ------
    InvalidInput
        On an unknown or repeated card, too few cards left, or as `table_odds`.
    """
    scores = _checked(points_by_hand)
    cards = _check_cards(scores, "hand", hand)
    if len(cards) != HAND_SIZE:
        raise InvalidInput(f"hand has {len(cards)} cards: must be {HAND_SIZE}")
    gone = _check_cards(scores, "dead", dead)
    both = sorted(set(cards) & set(gone))
    if both:
        raise InvalidInput(f"dead card {card_names(both)} is in the hand: a deck has one of each")
    players = _check_players(scores, players, len(gone))
    left = [card for card in scores.deck if card not in cards and card not in gone]
    n_all = count_hand_sets(len(left), players - 1)
    if check_choice("method", method, _METHODS) == "estimate":
        n_all = check_int("n_deals", n_deals, 100, _MAX_DEALS)
        counts = simulate_against(scores, scores.level_of(cards), left, players - 1, n_all, check_seed(seed))
    else:
        counts = _exact_hand(scores, cards, gone, left, players, progress)
    while counts and counts[-1] == 0:
        counts = counts[:-1]
    points = int(scores.points[hand_index(cards)])
    return HandOdds(cards, gone, players, points, _percentile(scores, points), counts, n_all, method)


def _check_cards(scores: Scores, field: str, cards: Iterable[int]) -> tuple[int, ...]:
    checked = [check_int(f"{field} card", card, 0, DECK_SIZE - 1) for card in cards]
    for i, card in enumerate(checked):
        if card in checked[:i]:
            raise InvalidInput(f"repeated card {card_names([card])} in {field}: a deck has one of each")
        if card not in scores.deck:
            raise InvalidInput(f"{field} card {card_names([card])} is not in this deck of {len(scores.deck)} cards")
    return tuple(sorted(checked))


def _percentile(scores: Scores, points: int) -> Fraction:
    possible = scores.points[scores.points >= 0]
    fewer, same = int((possible < points).sum()), int((possible == points).sum())
    return Fraction(2 * fewer + same, 2 * len(possible))


def _exact_hand(
    scores: Scores,
    cards: tuple[int, ...],
    dead: tuple[int, ...],
    left: list[int],
    players: int,
    progress: Progress | None,
) -> tuple[int, ...]:
    if not dead:
        counts = _known_counts(scores, players)
        if counts is not None:
            return counts.hands[players][int(class_of_hand()[hand_index(cards)])]
    question = f"{players} players, hand {cards}, dead {dead}"
    path = cached_hand_path(scores, question)
    body = read_values(path)
    if body is not None and body.get("question") == question:
        return tuple(int(n) for n in body["counts"])
    about = f"{card_names(cards)}, {players} players"
    step = None if progress is None else (lambda share: progress(share, about))
    found = count_against(scores, scores.level_of(cards), left, players - 1, step)
    with suppress(OSError):  # as above
        write_values(path, {"question": question, "counts": [str(n) for n in found]})
    return found

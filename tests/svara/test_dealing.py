"""Dealing: uniform, from one deck, and depending on nothing but (seed, deal, round, seat)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from svara_sim.core.jit import kernel
from svara_sim.core.rng import stream_keys, word
from svara_sim.games.svara.kernel.deal import cards_of, deal_hands, points_of
from svara_sim.games.svara.kernel.interface import new_table
from svara_sim.games.svara.kernel.state import DEAL, N_PURPOSES, Spot, new_work
from svara_sim.games.svara.rules import SvaraRules
from svara_sim.games.svara.scoring import HANDS, JOKER, hand_index, points, points_table

from .helpers import LIMIT, make_table, z_of_chi_square, z_of_count, z_of_mean

RULES = SvaraRules()
N_DEALS = 1 << 18


@kernel
def _deal_many(table: Any, rows: Any, work: Any, first: Any, round_: Any, seats: Any, masks: Any, scores: Any) -> None:
    for i in range(masks.shape[0]):
        deal_hands(table, rows, work, Spot(first + i, round_, seats, 0, 0), seats)
        for seat in range(seats):
            masks[i, seat] = work.hands[seat]
            scores[i, seat] = work.points[seat]


@kernel
def _score_many(masks: Any, points: Any, cards: Any, scores: Any) -> None:
    for i in range(masks.shape[0]):
        cards[i, 0], cards[i, 1], cards[i, 2] = cards_of(masks[i])
        scores[i] = points_of(masks[i], points)


def deal_many(seed: int, n_deals: int, seats: int, first: int = 0, round_: int = 0) -> tuple[NDArray[Any], ...]:
    """Hand masks and points, both (deals, seats)."""
    masks, scores = np.zeros((n_deals, seats), np.uint64), np.zeros((n_deals, seats), np.int64)
    table = new_table(RULES, stream_keys(seed, "svara", N_PURPOSES), lenient=False)
    _deal_many(table, np.zeros(4, np.uint32), new_work(), first, round_, seats, masks, scores)
    return masks, scores


def cards_of_masks(masks: NDArray[Any]) -> NDArray[np.int64]:
    """The kernel's card indices of each mask, (N, 3)."""
    cards, scores = np.zeros((len(masks), 3), np.int64), np.zeros(len(masks), np.uint8)
    _score_many(masks, points_table(RULES), cards, scores)
    return cards


def points_of_masks(masks: NDArray[Any], table: NDArray[Any]) -> NDArray[Any]:
    """The kernel's points of each mask."""
    cards, scores = np.zeros((len(masks), 3), np.int64), np.zeros(len(masks), np.uint8)
    _score_many(masks, table, cards, scores)
    return scores


@pytest.fixture(scope="module")
def ten() -> NDArray[Any]:
    """Cards of ten seats in many deals, (deals, 10, 3), ascending in each hand."""
    masks, _ = deal_many(2024, N_DEALS, 10)
    return cards_of_masks(masks.ravel()).reshape(N_DEALS, 10, 3)


# -- the bit tricks against plain arithmetic --------------------------------------------------------

BOUNDS = [comb(32 - 3 * seat, 3) for seat in range(10)]


def plain_word(key: int, deal: int, round_: int, group: int) -> int:
    """The first word whose last low half is not in the biased part."""
    bounds = BOUNDS[:4] if group == 0 else BOUNDS[4:]
    turn = 0
    while True:
        bits = int(word(np.uint64(key), np.int64(deal), np.int64(round_), np.int64(group), np.int64(turn))) % 2**64
        if bits * prod(bounds) % 2**64 >= 2**64 % prod(bounds):
            return bits
        turn += 1


def plain_deal(key: int, deal: int, round_: int, seats: int) -> list[tuple[int, ...]]:
    """Hands by the description at the top of the module `deal`, in slow exact arithmetic."""
    left = list(range(32))
    hands = []
    for seat in range(seats):
        if seat in (0, 4):
            bits = plain_word(key, deal, round_, 0 if seat == 0 else 1)
        index, bits = divmod(bits * BOUNDS[seat], 2**64)
        subset = HANDS[index]  # colexicographic: those within m cards come first, whatever m
        hand = tuple(left[place] for place in subset)
        left = [card for card in left if card not in hand]
        hands.append(hand)
    return hands


def test_dealt_hands_are_those_of_plain_arithmetic() -> None:
    key = int(stream_keys(7, "svara", N_PURPOSES)[DEAL])
    for first, round_ in ((0, 0), (1 << 37, 3), (12345, 1023)):
        masks, scores = deal_many(7, 100, 10, first, round_)
        for i in range(100):
            hands = plain_deal(key, first + i, round_, 10)
            assert [sum(1 << card for card in hand) for hand in hands] == masks[i].tolist()
            assert [points(hand, RULES) for hand in hands] == scores[i].tolist()


def test_masks_of_all_hands_give_their_cards() -> None:
    masks = np.array([sum(1 << card for card in hand) for hand in HANDS], dtype=np.uint64)
    np.testing.assert_array_equal(cards_of_masks(masks), HANDS)


# -- uniform ------------------------------------------------------------------------------------------


def test_no_card_comes_twice(ten: NDArray[Any]) -> None:
    cards = np.sort(ten.reshape(N_DEALS, 30), axis=1)
    assert (np.diff(cards, axis=1) > 0).all()
    assert cards.min() == 0
    assert cards.max() == 31


@pytest.mark.parametrize("seat", range(10))
def test_every_hand_is_as_likely_at_every_seat(ten: NDArray[Any], seat: int) -> None:
    a, b, c = ten[:, seat].T
    index = a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6
    assert hand_index(ten[0, seat]) == index[0]
    counts = np.bincount(index, minlength=4960)
    assert abs(z_of_chi_square(counts, np.full(4960, N_DEALS / 4960))) < LIMIT


def test_cards_of_two_seats_are_independent_but_for_the_deck(ten: NDArray[Any]) -> None:
    """One card at random of each of two seats is uniform over the 32 x 31 ordered pairs."""
    rng = np.random.default_rng(5)
    picked = np.take_along_axis(ten, rng.integers(0, 3, (N_DEALS, 10, 1)), axis=2)[:, :, 0]
    for i, j in combinations(range(10), 2):
        counts = np.bincount(picked[:, i] * 32 + picked[:, j], minlength=1024).reshape(32, 32)
        assert not counts.diagonal().any()
        off = counts[~np.eye(32, dtype=bool)]
        assert abs(z_of_chi_square(off, np.full(992, N_DEALS / 992))) < LIMIT, (i, j)


def test_every_card_is_anywhere(ten: NDArray[Any]) -> None:
    """Each card, 7♣ above all, is at each seat with chance 3/32 and left over with 2/32."""
    expected = np.array([3 / 32] * 10 + [2 / 32]) * N_DEALS
    for card in [JOKER, *range(32)]:
        at = (ten == card).any(axis=2).sum(axis=0)
        assert abs(z_of_chi_square([*at, N_DEALS - at.sum()], expected)) < LIMIT, card


@pytest.mark.parametrize(("what", "other"), [("next deal", (1, 0, 0)), ("next round", (0, 1, 0)), ("seed", (0, 0, 1))])
def test_hands_of_other_deals_rounds_and_seeds_are_unrelated(what: str, other: tuple[int, int, int]) -> None:
    first, round_, seed = other
    one = deal_many(3, N_DEALS, 5)[1]
    two = deal_many(3 + seed, N_DEALS, 5, first, round_)[1]
    for seat in (0, 4):
        x, y = one[:, seat] - one[:, seat].mean(), two[:, seat] - two[:, seat].mean()
        assert abs(z_of_mean(x[::2] * y[::2])) < LIMIT, what


def test_mean_points(ten: NDArray[Any]) -> None:
    scores = deal_many(2024, N_DEALS, 10)[1]
    for seat in range(10):
        assert abs(z_of_mean(scores[:, seat], 42299 / 2480)) < LIMIT


# -- what the cards do not depend on ------------------------------------------------------------------


def test_cards_do_not_depend_on_the_number_of_players() -> None:
    all_masks = deal_many(11, 2000, 10)[0]
    for seats in range(2, 10):
        np.testing.assert_array_equal(deal_many(11, 2000, seats)[0], all_masks[:, :seats])


def test_cards_do_not_depend_on_who_plays_and_how() -> None:
    """The same deal of any table gives a seat the same cards, in svara rounds too, whoever joins them."""
    found: dict[tuple[int, int, int], list[str]] = {}
    rounds_seen: dict[int, int] = {}
    for seats in (["call:join=1"] * 6, ["call"] * 4, ["maniac:join=0.4"] * 6, ["random"] * 10, ["threshold"] * 3):
        for history in make_table(seats, 99).replay(0, 400):
            round_ = 0
            for event in history["events"]:
                round_ += event["type"] == "svara"
                if event["type"] == "cards":
                    place = (history["deal"], round_, event["seat"])
                    if place in found:
                        rounds_seen[round_] = rounds_seen.get(round_, 0) + 1
                    assert found.setdefault(place, event["cards"]) == event["cards"]
    assert rounds_seen[0] > 5000
    assert rounds_seen[1] > 100


# -- frequencies of section 4 -------------------------------------------------------------------------


def showdowns(players: int, n_deals: int) -> Mapping[str, NDArray[Any]]:
    """Records of deals in which everybody opens or calls: every deal is a showdown."""
    table = make_table(["call"] * players, 17, svara_betting=False)
    block = table.simulate_block(0, n_deals, n_deals, records=True)
    assert block.records is not None
    assert (block.records["shown"] >= 2).all()
    return block.records


def test_heads_up_frequencies() -> None:
    n = 1 << 20
    records = showdowns(2, n)
    svara = records["svara_rounds"] > 0
    assert abs(z_of_count(svara.sum(), n, 3223 / 31248)) < LIMIT
    for seat in (0, 1):
        wins = ~svara & (records["winner"] == seat)
        assert abs(z_of_count(wins.sum(), n, 28025 / 62496)) < LIMIT


def test_three_player_svara_frequencies() -> None:
    n, deals = 1 << 20, 7_853_664_000
    tied = showdowns(3, n)["svara_tied"]
    assert deals * 9_813_809 // 93_496_000 == 715_820_183 + 108_539_773
    assert abs(z_of_count((tied > 0).sum(), n, 9_813_809 / 93_496_000)) < LIMIT
    assert abs(z_of_count((tied == 2).sum(), n, 715_820_183 / deals)) < LIMIT
    assert abs(z_of_count((tied == 3).sum(), n, 108_539_773 / deals)) < LIMIT

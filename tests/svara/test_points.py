"""Section 1 of the rule page: every hand under every option, by three ways of scoring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest
from twins.svara_options import FORTE
from twins.svara_points import Card, all_hands, hand_points, parse_card, plain_points, reading_g, score

from svara_sim.games.svara.kernel.deal import points_of
from svara_sim.games.svara.kernel.interface import new_table
from svara_sim.games.svara.rules import PRESETS, SvaraRules
from svara_sim.games.svara.scoring import (
    DECK,
    HANDS,
    JOKER,
    READINGS,
    hand_index,
    points,
    points_table,
    readings,
    with_joker,
)

from .test_dealing import points_of_masks

CHECK_VALUES = """10♠ 10♦ 10♣ 30 · 8♣ K♥ 9♦ 10 · K♥ 9♥ Q♣ 19 · Q♣ Q♥ 9♦ 10 · A♠ A♦ 10♣ 22 · 8♠ A♦ 7♣ 22
    · 10♦ 9♦ J♦ 29 · Q♣ Q♥ Q♦ 30 · 7♣ K♥ K♦ 31 · 7♣ A♥ A♦ 33 · 10♠ 10♦ A♣ 11 · J♠ Q♦ 10♣ 10 · A♣ A♥ A♦ 33
    · 7♣ 7♥ 7♦ 34 · Q♦ K♦ 10♠ 20 · 10♠ 8♠ K♥ 18 · 7♥ 9♦ 9♣ 9 · 8♥ 9♠ 7♣ 20 · 7♣ 7♠ A♥ 23"""
HISTOGRAM = {
    8: 9, 9: 51, 10: 1104, 11: 540, 15: 63, 16: 63, 17: 345, 18: 426, 19: 453, 20: 651, 21: 492, 22: 234, 23: 147,
    24: 7, 25: 12, 26: 18, 27: 50, 28: 56, 29: 65, 30: 68, 31: 76, 32: 16, 33: 10, 34: 4,
}  # fmt: skip
RULES = SvaraRules()
SCORINGS = [
    dict(zip(("joker", "small_triples", "two_sevens", "three_sevens"), values, strict=True))
    for values in product((True, False), (True, False), (23, 0), (34, 0))
]


def test_hands_are_in_colexicographic_order_and_know_their_index() -> None:
    assert len(HANDS) == len(set(HANDS)) == 4960
    assert set(HANDS) == set(combinations(range(32), 3))
    assert [hand[::-1] for hand in HANDS] == sorted(hand[::-1] for hand in HANDS)
    for i, hand in enumerate(HANDS):
        assert {hand_index(order) for order in permutations(hand)} == {i}


def test_deck() -> None:
    assert len(DECK.cards) == 32
    assert DECK.names[:8] == ("7♠", "8♠", "9♠", "10♠", "J♠", "Q♠", "K♠", "A♠")
    assert DECK.names[JOKER] == "7♣"


@pytest.mark.parametrize("line", [part.strip() for part in CHECK_VALUES.split("·")])
def test_check_values(line: str) -> None:
    *cards, expected = line.split()
    hand = DECK.hand(cards, 3)
    for order in permutations(hand):
        assert points(order, RULES) == int(expected)
    assert points_table(RULES)[hand_index(hand)] == int(expected)


def histogram(rules: SvaraRules) -> dict[int, int]:
    return dict(sorted(Counter(points_table(rules).tolist()).items()))


def test_histogram_of_all_hands() -> None:
    assert sum(HISTOGRAM.values()) == 4960
    assert histogram(RULES) == HISTOGRAM
    without = {p: n for p, n in HISTOGRAM.items() if p != 34} | {23: 148, 25: 15}
    assert histogram(SvaraRules(three_sevens=0)) == without


def test_mean_points() -> None:
    assert Fraction(int(points_table(RULES).astype(int).sum()), 4960) == Fraction(42299, 2480)


@pytest.mark.parametrize("scoring", SCORINGS, ids=lambda s: "-".join(str(v) for v in s.values()))
def test_scorer_table_and_twin_agree_on_every_hand(scoring: dict[str, Any]) -> None:
    rules = SvaraRules(**scoring)
    twin = {**FORTE, **scoring}
    table = points_table(rules)
    kernel_table = new_table(rules, np.zeros(4, np.uint64), lenient=False)["points"]
    for hand, in_table, in_kernel in zip(HANDS, table.tolist(), kernel_table.tolist(), strict=True):
        expected = score(DECK.write(hand), twin)
        assert points(hand, rules) == in_table == in_kernel == expected, DECK.write(hand)
    masks = np.array([sum(1 << card for card in hand) for hand in HANDS], dtype=np.uint64)
    np.testing.assert_array_equal(points_of_masks(masks, table), table)


def test_options_change_points() -> None:
    """Each scoring option matters, so that agreement under it means something."""
    tables = {tuple(s.values()): points_table(SvaraRules(**s)).tobytes() for s in SCORINGS}
    assert len(set(tables.values())) == len(SCORINGS)


def test_points_table_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="read-only"):
        points_table(RULES)[0] = 1


def test_joker_hands() -> None:
    jokers = [hand for hand in HANDS if JOKER in hand]
    assert len(jokers) == 465
    better = [hand for hand in jokers if points(hand, RULES) > with_joker(hand, RULES)]
    assert len(better) == 66
    twin = [h for h in all_hands() if reading_g(h, True) and plain_points(h, FORTE) > reading_g(h, True)]
    assert {frozenset(DECK.write(h)) for h in better} == {frozenset(map(str, h)) for h in twin}
    assert readings(DECK.hand("7♣ 7♠ A♥"), RULES) == {
        "two sevens": 23, "joker 7♣": 22, "highest card": 11, "one suit": 11,
    }  # fmt: skip


def test_wrong_claims_of_the_sources() -> None:
    """7♥9♦9♣ is not the worst hand, and the joker's 11 is not added to everything."""
    worst = [hand for hand in HANDS if points(hand, RULES) == 8]
    assert points(DECK.hand("7♥ 9♦ 9♣"), RULES) == 9 > 8 == points_table(RULES).min()
    assert len(worst) == 9
    for hand in worst:
        names = DECK.write(hand)
        assert sorted(name[:-1] for name in names) == ["7", "8", "8"]
        assert len({name[-1] for name in names}) == 3
        assert "7♣" not in names
    hand = DECK.hand("8♠ A♦ 7♣")
    assert points(hand, RULES) == 22 != 11 + 8 + 11
    assert next(iter(readings(hand, RULES).items())) == ("joker 7♣", 22)


def relabelled(hand: tuple[int, ...], suits: tuple[int, ...]) -> int:
    return hand_index(suits[card // 8] * 8 + card % 8 for card in hand)


@pytest.mark.parametrize("scoring", SCORINGS, ids=lambda s: "-".join(str(v) for v in s.values()))
def test_spades_hearts_and_diamonds_can_be_relabelled(scoring: dict[str, Any]) -> None:
    table = points_table(SvaraRules(**scoring))
    for suits in permutations(range(4)):
        turned = table[[relabelled(hand, suits) for hand in HANDS]]
        same = bool((turned == table).all())
        assert same or (suits[3] != 3 and scoring["joker"])
        assert not same or suits[3] == 3 or not scoring["joker"]


def test_readings_are_sorted_and_their_best_is_the_points() -> None:
    for rules in PRESETS.values():
        for hand in HANDS[::7]:
            found = readings(hand, rules)
            assert list(found.values()) == sorted(found.values(), reverse=True)
            assert next(iter(found.values())) == points(hand, rules)
            assert set(found) <= set(READINGS)
            twin = plain_points(cards_of(hand), rules.as_dict())
            assert max(v for n, v in found.items() if n != "joker 7♣") == twin


def cards_of(hand: Iterable[int]) -> list[Card]:
    return [parse_card(name) for name in DECK.write(hand)]


def test_kernel_scores_one_hand() -> None:
    hand = np.uint64(sum(1 << card for card in DECK.hand("7♣ K♥ K♦")))
    assert points_of(hand, points_table(RULES)) == 31
    assert hand_points(cards_of(DECK.hand("7♣ K♥ K♦")), FORTE) == 31

"""The twin itself: the slow rulebook must meet the rule page before the kernel is held against it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from twins.svara_examples import EXAMPLES
from twins.svara_faults import BROKEN, faults
from twins.svara_options import CHOICES
from twins.svara_parts import Hand
from twins.svara_points import (
    JOKER,
    Card,
    all_hands,
    hand_points,
    parse_card,
    plain_points,
    reading_g,
    score,
)
from twins.svara_rulebook import (
    PRESETS,
    RandomSource,
    RuleBroken,
    audit,
    next_dealer,
    play,
    play_random,
    random_rules,
)

FORTE = PRESETS["forte"]
History = dict[str, Any]

CHECK_VALUES = """10♠10♦10♣ 30 · 8♣K♥9♦ 10 · K♥9♥Q♣ 19 · Q♣Q♥9♦ 10 · A♠A♦10♣ 22 · 8♠A♦7♣ 22 · 10♦9♦J♦ 29
    · Q♣Q♥Q♦ 30 · 7♣K♥K♦ 31 · 7♣A♥A♦ 33 · 10♠10♦A♣ 11 · J♠Q♦10♣ 10 · A♣A♥A♦ 33 · 7♣7♥7♦ 34 · Q♦K♦10♠ 20
    · 10♠8♠K♥ 18 · 7♥9♦9♣ 9 · 8♥9♠7♣ 20 · 7♣7♠A♥ 23"""
HISTOGRAM = """8:9 9:51 10:1104 11:540 15:63 16:63 17:345 18:426 19:453 20:651 21:492 22:234 23:147 24:7 25:12
    26:18 27:50 28:56 29:65 30:68 31:76 32:16 33:10 34:4"""


def cards_of(text: str) -> list[str]:
    """Cards out of a text without spaces, such as 10♠8♠K♥."""
    for suit in "♠♥♦♣":
        text = text.replace(suit, suit + " ")
    return text.split()


def histogram(rules: dict[str, Any]) -> Counter[int]:
    return Counter(hand_points(hand, rules) for hand in all_hands())


# -- section 1 ------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", [part.strip() for part in CHECK_VALUES.split("·")])
def test_check_values(line: str) -> None:
    cards, points = line.split()
    hand = cards_of(cards)
    assert score(hand, FORTE) == int(points)
    assert score(hand[::-1], FORTE) == int(points)


def test_histogram() -> None:
    expected = {int(key): int(count) for key, count in (pair.split(":") for pair in HISTOGRAM.split())}
    assert sum(expected.values()) == 4960
    assert histogram(FORTE) == expected
    del expected[34]
    assert histogram({**FORTE, "three_sevens": 0}) == expected | {23: 148, 25: 15}


def test_facts_of_section_4_about_hands() -> None:
    hands = list(all_hands())
    assert len(set(map(frozenset, hands))) == 4960
    assert Fraction(sum(hand_points(hand, FORTE) for hand in hands), 4960) == Fraction(42299, 2480)
    jokers = [hand for hand in hands if JOKER in hand]
    assert len(jokers) == 465
    assert sum(plain_points(hand, FORTE) > reading_g(hand, True) for hand in jokers) == 66
    lowest = [hand for hand in hands if hand_points(hand, FORTE) == 8]
    assert all(sorted(card.rank for card in hand) == ["7", "8", "8"] or JOKER not in hand for hand in lowest)
    turned = str.maketrans("♠♥♦", "♥♦♠")
    for hand in hands:
        other = [Card(card.rank, card.suit.translate(turned)) for card in hand]
        assert hand_points(other, FORTE) == hand_points(hand, FORTE)


def test_heads_up_ties() -> None:
    """Section 4: 3223/31248 of all 4960 x 3654 ordered pairs tie; by inclusion and exclusion of cards."""
    hands = [(hand, hand_points(hand, FORTE)) for hand in all_hands()]
    holding: Counter[tuple[int, tuple[Card, ...]]] = Counter()
    for hand, points in hands:
        for size in range(4):
            holding.update((points, part) for part in combinations(hand, size))
    ties = sum(
        (-1) ** size * holding[points, part]
        for hand, points in hands
        for size in range(4)
        for part in combinations(hand, size)
    )
    assert Fraction(ties, 4960 * 3654) == Fraction(3223, 31248)


@pytest.mark.parametrize(
    ("hand", "changed", "points"),
    [
        ("8♠8♥8♦", {"small_triples": False}, 8),
        ("10♠10♥10♦", {"small_triples": False}, 30),
        ("7♠7♥7♦", {"small_triples": False, "three_sevens": 0}, 23),
        ("7♠7♥7♦", {"three_sevens": 0, "two_sevens": 0}, 21),
        ("7♠7♥7♦", {"small_triples": False, "three_sevens": 0, "two_sevens": 0}, 7),
        ("7♣7♥7♦", {"three_sevens": 0}, 25),
        ("7♣K♥K♦", {"joker": False}, 10),
        ("7♣8♣K♦", {"joker": False}, 15),
        ("7♣7♥A♦", {"two_sevens": 0}, 22),
        ("7♣8♣K♦", {}, 21),
        ("7♣8♥8♦", {"small_triples": False}, 27),
    ],
)
def test_points_under_options(hand: str, changed: dict[str, Any], points: int) -> None:
    assert score(cards_of(hand), {**FORTE, **changed}) == points


def test_spellings() -> None:
    for text in ("10♠", "T♠", "10s", "Ts", "ts", "t♠", "10S"):
        assert parse_card(text) == Card("10", "♠")
    assert score(["7c", "kh", "Kd"], FORTE) == 31
    for text in ("", "7", "6♠", "1s", "7x", "77♠", "♠7", "10", None, 7):
        with pytest.raises(ValueError, match="not a card"):
            parse_card(text)  # type: ignore[arg-type]
    for hand in (["7♣", "7c", "8♠"], ["7♣", "8♠"]):
        with pytest.raises(ValueError, match="three different"):
            score(hand, FORTE)


# -- whole deals ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str) -> None:
    history = EXAMPLES[name].history()
    assert sum(history["payoffs"]) == 0
    audit(history)
    assert play(history) == {"events": history["events"], "payoffs": EXAMPLES[name].payoffs}


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("limit", {"min_raise": 80}),  # the raise from 120 to 200 meets min_raise and bet_limit exactly
        ("all blind", {"bet_limit": 240}),  # the blind of 120 is exactly half
        ("last", {"max_raises": 1}),
        ("svara alone", {"blind_size": 30}),
        ("dealer", {"min_bet": 6000}),
        ("svara", {"svara_limit": 1}),
        ("odd chips", {"svara_fee": 69}),
        ("all blind", {"blind_factors": [3, 2]}),
    ],
)
def test_examples_stay_legal(name: str, changed: dict[str, Any]) -> None:
    """The same events at the very edge of what other options allow."""
    history = EXAMPLES[name].history()
    history["rules"].update(changed)
    audit(history)


def test_next_dealer() -> None:
    left = {**FORTE, "next_dealer": "left"}
    expected = {"dealer": (2, 0), "blind": (2, 1), "last": (1, 2), "showdown": (1, 0), "split": (1, 1)}
    for name, (winner, next_seat) in expected.items():
        history = EXAMPLES[name].history()
        assert (next_dealer(history, FORTE), next_dealer(history, left)) == (winner, next_seat), name


class TyingSource(RandomSource):
    """Random, but mostly the deck is shuffled until the best two hands tie; seats seldom fold."""

    def deal(self, seats: Sequence[int]) -> Iterator[Hand]:
        for _ in range(self.rng.choice([1, 40, 40])):
            hands = list(super().deal(seats))
            points = sorted(score(hand.cards, FORTE) for hand in hands)
            if points[-1] == points[-2]:
                break
        return iter(hands)

    def decide(self, seat: int, allowed: Any) -> Any:
        answer = super().decide(seat, allowed)
        return super().decide(seat, allowed) if answer.kind in ("fold", "stay_out") else answer


def random_histories(rng: random.Random, count: int) -> Iterator[History]:
    for number in range(count):
        players = 2 + number % 9
        source = TyingSource(rng) if number % 3 else RandomSource(rng)
        rules = random_rules(rng, players)
        yield play_random(rng, rules, players, rng.randrange(players), seed=1, deal=number, source=source)


def test_random_histories_pass_and_cover_everything() -> None:
    rng = random.Random(20240)
    kinds: Counter[str] = Counter()
    hows: Counter[str] = Counter()
    deepest = 0
    for history in random_histories(rng, 4000):
        audit(history)
        kinds.update(made["type"] for made in history["events"])
        hows.update(made["how"] for made in history["events"] if made["type"] == "win")
        deepest = max(deepest, sum(made["type"] == "svara" for made in history["events"]))
        assert next_dealer(history, history["rules"]) in range(history["players"])
    assert min(kinds.values()) > 100, kinds
    assert set(hows) == {"dealer", "blind", "last", "showdown", "split"}
    assert min(hows.values()) > 50, hows
    assert deepest >= 4


def test_random_rules_reach_every_choice() -> None:
    rng = random.Random(5)
    drawn = [random_rules(rng, players) for players in range(2, 11) for _ in range(100)]
    for name, choices in CHOICES.items():
        assert {rules[name] for rules in drawn} == set(choices)
    for name, value in FORTE.items():
        assert any(rules[name] != value for rules in drawn), name
    assert {rules["max_raises"] for rules in drawn} == set(range(6))
    assert {rules["svara_limit"] for rules in drawn} == {0, 1, 2, 64}
    assert {"share", 0} < {rules["svara_fee"] for rules in drawn}


# -- broken histories -----------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "change", "message"), BROKEN, ids=[str(i) for i in range(len(BROKEN))])
def test_broken_histories(name: str, change: Callable[[History], None], message: str) -> None:
    history = EXAMPLES[name].history()
    change(history)
    with pytest.raises(RuleBroken, match=message):
        audit(history)


def test_every_small_fault_is_found() -> None:
    rng = random.Random(77)
    for history in random_histories(rng, 900):
        for broken in faults(history, rng):
            with pytest.raises(RuleBroken):
                audit(broken)

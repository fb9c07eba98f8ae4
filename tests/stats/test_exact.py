"""Exact odds against counts and simulations that share no code with them."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, factorial
from pathlib import Path

import numpy as np
import pytest

from svara_sim.core.errors import InvalidInput
from svara_sim.games.svara.exact import HandOdds, hand_odds, is_counted, storage, table_odds
from svara_sim.games.svara.exact import build as build_module
from svara_sim.games.svara.exact import odds as odds_module
from svara_sim.games.svara.exact.cardsets import card_sets, number
from svara_sim.games.svara.exact.counting import count_hand_sets, count_scores
from svara_sim.games.svara.exact.results import TableOdds
from svara_sim.games.svara.exact.scores import Scores, class_of_hand
from svara_sim.games.svara.exact.subdeck import count_against

HANDS = sorted(combinations(range(32), 3), key=lambda hand: hand[::-1])
INDEX = {hand: i for i, hand in enumerate(HANDS)}
SEVEN_OF_CLUBS = 24
SMALL_DECKS = {
    "7, 9 and A": [c for c in range(32) if c % 8 in (0, 2, 7)],
    "10 J Q K without clubs": [c for c in range(24) if c % 8 in (3, 4, 5, 6)],
    "clubs, and 8s": [c for c in range(32) if c // 8 == 3 or c % 8 == 1],
}


def score(hand: tuple[int, int, int], small_triples: bool = True) -> int:
    ranks = [card % 8 for card in hand]
    suits = [card // 8 for card in hand]
    values = [(7, 8, 9, 10, 10, 10, 10, 11)[rank] for rank in ranks]
    seen = [sum(v for v, s in zip(values, suits, strict=True) if s == suit) for suit in range(4)]
    seen.append({2: 22, 3: 33}.get(ranks.count(7), 0))
    seen.append({2: 23, 3: 34}.get(ranks.count(0), 0))
    if len(set(ranks)) == 1 and (small_triples or ranks[0] >= 3):
        seen.append(sum(values))
    if SEVEN_OF_CLUBS in hand:
        (v, s, r), (w, t, q) = [x for x, c in zip(zip(values, suits, ranks), hand) if c != SEVEN_OF_CLUBS]  # noqa: B905
        seen.append(11 + (v + w if s == t or r == q else max(v, w)))
    return max(seen)


POINTS = np.array([score(hand) for hand in HANDS])
MASKS = np.array([sum(1 << card for card in hand) for hand in HANDS])
DISJOINT = (MASKS[:, None] & MASKS[None, :]) == 0


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(storage, "_cache", lambda: tmp_path / "exact")
    monkeypatch.setattr(odds_module, "_READ", {})
    return tmp_path / "exact"


def shipped() -> list[TableOdds]:
    assert is_counted(POINTS, 10)
    return [table_odds(POINTS, players) for players in range(2, 11)]


def small_points(deck: list[int], seed: int) -> np.ndarray:
    """Points at random, alike within a class of hands, for the hands of a small deck."""
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 9, 337)[class_of_hand()]
    barred = [not set(hand) <= set(deck) for hand in HANDS]
    points[barred] = -1
    return points


def split_all(cards: tuple[int, ...], n_hands: int):
    """Every set of n disjoint hands from the cards."""
    if n_hands == 0:
        yield ()
        return
    for first in range(len(cards) - 3 * n_hands + 1):
        for x, y in combinations(cards[first + 1 :], 2):
            rest = tuple(c for c in cards[first + 1 :] if c not in (x, y))
            for others in split_all(rest, n_hands - 1):
                yield ((cards[first], x, y), *others)


def brute_table(points: np.ndarray, deck: list[int], players: int) -> Counter:
    counts: Counter = Counter()
    for hands in split_all(tuple(deck), players):
        values = [points[INDEX[hand]] for hand in hands]
        counts[int(max(values)), values.count(max(values))] += 1
    return counts


def brute_hand(points: np.ndarray, hand: tuple[int, ...], left: list[int], opponents: int) -> list[int]:
    own, counts = points[INDEX[hand]], [0] * (opponents + 1)
    for hands in split_all(tuple(left), opponents):
        values = [points[INDEX[h]] for h in hands]
        if max(values) <= own:
            counts[values.count(own)] += 1
    return counts


def padded(odds: HandOdds) -> list[int]:
    return list(odds.counts) + [0] * (odds.players - len(odds.counts))


# --- classes of card sets ---------------------------------------------------------------------------------


def test_classes_cover_every_card_set_once() -> None:
    sets = card_sets()
    sizes = [half.bit_count() for half in sets.low.tolist()]
    for size in range(33):
        total = 0
        for low_size, weight, group in zip(sizes, sets.low_weight.tolist(), sets.low_group.tolist(), strict=True):
            if 0 <= size - low_size <= 16:
                start, stop = sets.high_start[group, size - low_size : size - low_size + 2]
                total += weight * int(sets.high_weight[start:stop].sum())
        assert total == comb(32, size)
    assert sets.sizes[3] == 337


def test_symmetries_keep_the_number_of_a_card_set() -> None:
    sets, rng = card_sets(), np.random.default_rng(5)
    for size in (3, 7, 15, 22, 30):
        for _ in range(40):
            cards = rng.choice(32, size, replace=False)
            suits, ranks = np.append(rng.permutation(3), 3), np.append(rng.permutation(4), [4, 5, 6, 7])
            one = sum(1 << int(card) for card in cards)
            moved = sum(
                1 << int(4 * (ranks[card // 4 - 4] + 4 if card >= 16 else card // 4) + suits[card % 4])
                for card in cards
            )
            assert number(sets, size, one) == number(sets, size, moved)
            assert 0 <= number(sets, size, one) < sets.sizes[size]


# --- against full counts ----------------------------------------------------------------------------------


def test_heads_up_equals_every_pair_of_hands() -> None:
    best = np.maximum(POINTS[:, None], POINTS[None, :])
    level = POINTS[:, None] == POINTS[None, :]
    odds = table_odds(POINTS, 2)
    n_pairs = 4960 * 3654
    assert int(DISJOINT.sum()) == n_pairs == 2 * odds.n_deals
    for points in range(8, 35):
        for tied, kind in ((1, ~level), (2, level)):
            assert 2 * odds.counts.get((points, tied), 0) == int((DISJOINT & kind & (best == points)).sum())
    assert odds.p_svara == Fraction(3223, 31248)
    wins = sum(hand_odds(POINTS, hand, 2).p_win for hand in HANDS) / 4960
    assert wins == Fraction(28025, 62496)


def test_every_hand_heads_up_equals_its_3654_opponents() -> None:
    for i, hand in enumerate(HANDS):
        others = POINTS[DISJOINT[i]]
        odds = hand_odds(POINTS, hand, 2)
        assert padded(odds) == [(others < POINTS[i]).sum(), (others == POINTS[i]).sum()]
        assert odds.n_deals == 3654
        assert odds.p_win + odds.p_svara + odds.p_loss == 1


def test_three_players_equal_products_of_matrices() -> None:
    odds = table_odds(POINTS, 3)
    two_way = three_way = 0
    for points in np.unique(POINTS):
        top, low = np.flatnonzero(points == POINTS), np.flatnonzero(points > POINTS)
        tt = DISJOINT[np.ix_(top, top)].astype(np.float32)
        tl = DISJOINT[np.ix_(top, low)].astype(np.float32)
        ll = DISJOINT[np.ix_(low, low)].astype(np.float32)
        won = int(((tl @ ll) * tl).sum(dtype=np.float64)) // 2
        two = int((tt * (tl @ tl.T)).sum(dtype=np.float64)) // 2
        three = int((tt * (tt @ tt)).sum(dtype=np.float64)) // 6
        for tied, count in ((1, won), (2, two), (3, three)):
            assert odds.counts.get((int(points), tied), 0) == count
        two_way, three_way = two_way + two, three_way + three
    assert (two_way, three_way, odds.n_deals) == (715_820_183, 108_539_773, 7_853_664_000)
    assert odds.p_svara == Fraction(9813809, 93496000)


@pytest.mark.parametrize(
    ("name", "players"),
    [(name, k) for name, deck in SMALL_DECKS.items() for k in (2, 3, 4) if 3 * k <= len(deck)],
)
def test_small_decks_equal_every_deal(name: str, players: int) -> None:
    deck = SMALL_DECKS[name]
    points = small_points(deck, players)
    odds = table_odds(points, players)
    assert Counter(odds.counts) == brute_table(points, deck, players)
    for hand in (tuple(deck[:3]), tuple(deck[2:9:3]), tuple(deck[-3:])):
        left = [card for card in deck if card not in hand]
        assert padded(hand_odds(points, hand, players)) == brute_hand(points, hand, left, players - 1)


def test_small_deck_with_dead_cards_equals_every_deal() -> None:
    deck = SMALL_DECKS["7, 9 and A"]
    points = small_points(deck, 11)
    for hand, dead, players in (((0, 2, 8), [31], 3), ((7, 15, 23), [0, 24], 3), ((2, 10, 26), [0, 8, 16, 24], 2)):
        left = [card for card in deck if card not in hand and card not in dead]
        odds = hand_odds(points, hand, players, dead=dead)
        assert padded(odds) == brute_hand(points, hand, left, players - 1)
        assert odds.n_deals == count_hand_sets(len(left), players - 1)


def test_dead_cards_equal_every_opponent() -> None:
    hand, dead = (6, 14, 24), [7, 25, 16]
    gone = MASKS[INDEX[hand]] | sum(1 << card for card in dead)
    others = np.flatnonzero((MASKS & gone) == 0)
    own = POINTS[INDEX[hand]]
    assert padded(hand_odds(POINTS, hand, 2, dead=dead)) == [
        (POINTS[others] < own).sum(),
        (POINTS[others] == own).sum(),
    ]
    low, top = (others[POINTS[others] < own], others[POINTS[others] == own])
    counts = [
        int(DISJOINT[np.ix_(low, low)].sum()) // 2,
        int(DISJOINT[np.ix_(low, top)].sum()),
        int(DISJOINT[np.ix_(top, top)].sum()) // 2,
    ]
    assert padded(hand_odds(POINTS, hand, 3, dead=dead)) == counts


def test_a_dead_card_at_random_changes_nothing() -> None:
    hand, opponents = (3, 13, 30), 3
    left = [card for card in range(32) if card not in hand]
    whole = padded(hand_odds(POINTS, hand, opponents + 1))
    sums = np.zeros(opponents + 1, dtype=np.int64)
    for dead in left:
        sums += padded(hand_odds(POINTS, hand, opponents + 1, dead=[dead]))
    assert sums.tolist() == [(len(left) - 3 * opponents) * count for count in whole]


# --- two ways through the package --------------------------------------------------------------------------


@pytest.mark.parametrize("small_triples", [True, False])
def test_shipped_counts_equal_fresh_ones(small_triples: bool) -> None:
    scores = Scores.of(np.array([score(hand, small_triples) for hand in HANDS]))
    fresh, stored = count_scores(scores, 3), storage.read_counts(storage.shipped_path(scores), scores)
    assert stored is not None
    for players in (2, 3):
        assert fresh.table[players] == stored.table[players]
        assert fresh.hands[players] == stored.hands[players]


@pytest.mark.slow
@pytest.mark.parametrize(("hand", "players"), [((6, 14, 24), 5), ((1, 2, 19), 7), ((8, 17, 27), 10)])
def test_shipped_hands_equal_the_count_for_one_level(hand: tuple[int, int, int], players: int) -> None:
    scores = Scores.of(POINTS)
    left = [card for card in range(32) if card not in hand]
    found = count_against(scores, scores.level_of(hand), left, players - 1)
    assert list(found) == padded(hand_odds(POINTS, hand, players))


# --- all numbers of players ---------------------------------------------------------------------------------


def test_odds_of_all_tables_sum_to_one() -> None:
    for odds in shipped():
        assert odds.n_deals == count_hand_sets(32, odds.players)
        assert sum(odds.best_points.values()) == sum(odds.joint.values()) == 1
        assert odds.p_svara == sum(odds.tied.values()) == 1 - sum(p for (_, k), p in odds.joint.items() if k == 1)
        assert odds.standard_error(odds.p_svara) == 0.0


def test_the_shares_of_all_hands_sum_to_one_pot() -> None:
    for players in range(2, 11):
        every = [hand_odds(POINTS, hand, players) for hand in HANDS]
        assert sum(odds.share for odds in every) / 4960 == Fraction(1, players)
        table = table_odds(POINTS, players)
        for k in range(2, players + 1):
            assert sum(odds.tied[k] for odds in every) * players / (4960 * k) == table.tied[k]


def test_the_best_points_grow_with_the_players() -> None:
    previous = None
    for odds in shipped():
        tail = np.cumsum([float(odds.best_points.get(points, 0)) for points in range(34, 7, -1)])
        assert previous is None or (tail >= previous - 1e-15).all()
        previous = tail


def test_ten_players_in_ways_that_can_be_checked_by_hand() -> None:
    odds = table_odds(POINTS, 10)
    # 34 points are three of the four sevens: one player at most, by a union of disjoint events
    per_player = Fraction(4, 4960)
    assert odds.best_points[34] == 10 * per_player
    assert odds.counts.get((34, 2), 0) == 0
    hand = hand_odds(POINTS, (0, 8, 16), 10)
    assert hand.p_win == 1
    assert hand.percentile == 1 - Fraction(2, 4960)
    worst = hand_odds(POINTS, (0, 9, 17), 10)
    assert worst.points == 8
    assert worst.p_win == 0


def simulated(players: int, n_deals: int, seed: int) -> np.ndarray:
    """Points of `players` hands in shuffled deals, shape (n_deals, players)."""
    rng = np.random.default_rng(seed)
    cards = np.sort(rng.random((n_deals, 32)).argsort(axis=1)[:, : 3 * players].reshape(n_deals, players, 3))
    a, b, c = cards[..., 0], cards[..., 1], cards[..., 2]
    return POINTS[a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6]


@pytest.mark.parametrize("players", range(2, 11))
def test_an_independent_simulation_agrees(players: int) -> None:
    n_deals = 200_000
    dealt = simulated(players, n_deals, 100 + players)
    best = dealt.max(axis=1)
    tied = (dealt == best[:, None]).sum(axis=1)
    odds = table_odds(POINTS, players)
    for p, hits in (
        (odds.p_svara, (tied > 1).sum()),
        *((odds.tied[k], (tied == k).sum()) for k in range(2, 4) if k <= players),
        *((odds.best_points[points], (best == points).sum()) for points in (20, 22, 25, 29, 30, 31, 33)),
    ):
        expected = float(p) * n_deals
        assert abs(hits - expected) <= 4 * np.sqrt(max(expected * (1 - float(p)), 1.0))


@pytest.mark.parametrize("players", range(2, 11))
def test_estimates_agree_and_carry_their_error(players: int) -> None:
    exact, rough = (table_odds(POINTS, players, method=m, n_deals=100_000, seed=3) for m in ("exact", "estimate"))
    assert rough.method == "estimate"
    assert rough.n_deals == 100_000
    error = rough.standard_error(rough.p_svara)
    assert 0 < error < 0.002
    assert abs(float(rough.p_svara - exact.p_svara)) <= 4 * error
    hand = (22, 23, 31)
    exact_hand, rough_hand = (
        hand_odds(POINTS, hand, players, method=m, n_deals=100_000, seed=4) for m in ("exact", "estimate")
    )
    assert abs(float(rough_hand.share - exact_hand.share)) <= 4 * rough_hand.share_error
    assert abs(float(rough_hand.p_win - exact_hand.p_win)) <= 4 * rough_hand.standard_error(rough_hand.p_win)
    assert exact_hand.share_error == 0.0


@pytest.mark.full
@pytest.mark.parametrize("players", range(2, 11))
def test_a_hundred_million_deals_agree(players: int) -> None:
    n_deals = 10**8
    exact, rough = (table_odds(POINTS, players, method=m, n_deals=n_deals, seed=2026) for m in ("exact", "estimate"))
    expected = [(float(p), float(rough.joint.get(key, 0))) for key, p in exact.joint.items()]
    expected += [(float(p), float(rough.tied[k])) for k, p in exact.tied.items()]
    expected.append((float(exact.p_svara), float(rough.p_svara)))
    for p, found in expected:
        if p * n_deals > 20:
            assert abs(found - p) <= 4 * np.sqrt(p * (1 - p) / n_deals)


@pytest.mark.full
@pytest.mark.parametrize("name", build_module.SHIPPED)
def test_the_shipped_file_is_what_the_build_makes(name: str, tmp_path: Path) -> None:
    path = build_module.build(name, tmp_path)
    assert path.read_bytes() == (Path(storage.__file__).parent / "data" / path.name).read_bytes()


def test_an_estimate_that_never_misses_is_not_certain() -> None:
    odds = hand_odds(POINTS, (0, 8, 16), 4, method="estimate", n_deals=1000)
    assert odds.p_win == 1
    assert odds.standard_error(odds.p_win) > 0
    assert odds.share_error > 0


def test_estimates_repeat_with_the_seed() -> None:
    one, again, other = (table_odds(POINTS, 5, method="estimate", n_deals=5000, seed=seed).counts for seed in (1, 1, 2))
    assert one == again != other


def test_swapping_like_suits_and_ranks_changes_nothing() -> None:
    def moved(card: int) -> int:
        suit, rank = divmod(card, 8)
        return (1, 2, 0, 3)[suit] * 8 + (0, 1, 2, 6, 3, 5, 4, 7)[rank]

    hand, dead = (4, 12, 27), (7, 30)
    one = hand_odds(POINTS, hand, 4, dead=dead)
    other = hand_odds(POINTS, [moved(card) for card in hand], 4, dead=[moved(card) for card in dead])
    assert one.counts == other.counts
    assert one.cards != other.cards


# --- files -------------------------------------------------------------------------------------------------


def test_another_scoring_is_counted_once_and_kept(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = POINTS.copy()
    points[points == 34] = 33
    assert not is_counted(points, 3)
    seen: list[float] = []
    first = table_odds(points, 3, progress=lambda share, about: seen.append(share))
    assert seen == sorted(seen)
    assert seen[0] == 0.0
    assert seen[-1] == 1.0
    assert len(list(own_cache.iterdir())) == 1
    monkeypatch.setattr(odds_module, "_READ", {})
    monkeypatch.setattr(odds_module, "count_scores", None)
    assert table_odds(points, 3) == first
    assert table_odds(points, 2).n_deals == count_hand_sets(32, 2)


def test_a_damaged_cache_file_is_made_again(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = POINTS + 1
    first = table_odds(points, 2)
    (path,) = own_cache.iterdir()
    text = path.read_text()
    for damaged in ("", text[: len(text) // 2], text.replace('"934670"', '"934671"'), "[]", '{"format": 1}'):
        path.write_text(damaged)
        monkeypatch.setattr(odds_module, "_READ", {})
        assert table_odds(points, 2) == first
        assert path.read_text() == text


def test_answers_with_dead_cards_are_kept(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = hand_odds(POINTS, (0, 1, 2), 3, dead=[5])
    (path,) = own_cache.iterdir()
    assert json.loads(path.read_text())["question"]
    monkeypatch.setattr(odds_module, "count_against", None)
    assert hand_odds(POINTS, (2, 1, 0), 3, dead=[5]) == first


def test_a_cache_that_cannot_be_written_costs_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(storage, "_cache", lambda: tmp_path / "file" / "exact")
    assert hand_odds(POINTS, (0, 1, 2), 2, dead=[5]).n_deals == comb(28, 3)
    assert table_odds(POINTS + 1, 2).p_svara == Fraction(3223, 31248)


def test_the_build_command_makes_the_shipped_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(build_module, "MAX_PLAYERS", 3)
    build_module.main(["favorite", "--folder", str(tmp_path / "new")])
    (path,) = (tmp_path / "new").iterdir()
    assert str(path) in capsys.readouterr().out
    scores = Scores.of(np.array([score(hand, small_triples=False) for hand in HANDS]))
    made, stored = (storage.read_counts(p, scores) for p in (path, storage.shipped_path(scores)))
    assert made is not None
    assert stored is not None
    assert made.table[3] == stored.table[3]
    with pytest.raises(SystemExit):
        build_module.main(["vipp"])


# --- what is refused ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 11}, "players = 11: must be from 2 to 10"),
        ({"players": 1}, "players = 1: must be from 2 to 10"),
        ({"hand": (0, 1)}, "hand has 2 cards"),
        ({"hand": (0, 1, 1)}, "repeated card 8♠"),
        ({"hand": (0, 1, 32)}, "hand card = 32: must be from 0 to 31"),
        ({"dead": [2]}, "dead card 9♠ is in the hand"),
        ({"dead": [5, 5]}, "repeated card Q♠ in dead"),
        ({"dead": range(3, 10), "players": 9}, "players = 9: must be from 2 to 8 .7 dead cards leave 25"),
        ({"dead": range(3, 32)}, "29 dead cards leave 3 of 32"),
        ({"method": "guess"}, "method = 'guess'"),
        ({"method": "estimate", "n_deals": 5}, "n_deals = 5"),
        ({"method": "estimate", "seed": -1}, "seed = -1"),
    ],
)
def test_wrong_arguments_end_in_one_clear_line(arguments: dict, message: str) -> None:
    whole = {"hand": (0, 1, 2), "players": 3, **arguments}
    with pytest.raises(InvalidInput, match=message) as caught:
        hand_odds(POINTS, whole.pop("hand"), whole.pop("players"), **whole)
    assert "\n" not in str(caught.value)


def test_points_of_no_use_are_refused() -> None:
    with pytest.raises(InvalidInput, match="must be 4960 integers"):
        table_odds(POINTS[:-1], 2)
    with pytest.raises(InvalidInput, match="must be 4960 integers"):
        table_odds(POINTS / 2, 2)
    with pytest.raises(InvalidInput, match="apart"):
        table_odds(np.where(np.arange(4960) == INDEX[3, 4, 5], 99, POINTS), 2)
    with pytest.raises(InvalidInput, match="all those of a deck"):
        table_odds(np.where(POINTS == 30, -1, POINTS), 2)
    with pytest.raises(InvalidInput, match="different points"):
        table_odds(class_of_hand(), 2)
    deck = SMALL_DECKS["7, 9 and A"]
    with pytest.raises(InvalidInput, match="must be from 2 to 4"):
        table_odds(small_points(deck, 1), 5)
    with pytest.raises(InvalidInput, match="not in this deck of 12 cards"):
        hand_odds(small_points(deck, 1), (0, 1, 2), 2)


def test_the_number_of_deals() -> None:
    assert count_hand_sets(32, 10) * factorial(10) == factorial(32) // (2 * 6**10)
    assert count_hand_sets(5, 2) == 0

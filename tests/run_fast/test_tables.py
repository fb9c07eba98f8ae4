"""The tables that the kernel stands on: moves, dealing, fewest plays, and their file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from svara_sim.core.jit import JIT_ENABLED
from svara_sim.core.rng import stream_keys
from svara_sim.games.run_fast import fewest_table
from svara_sim.games.run_fast.kernel.block import deal_cards
from svara_sim.games.run_fast.kernel.fewest import _shed_levels, fewest_plays, make_index
from svara_sim.games.run_fast.kernel.hands import (
    DECK_CARDS,
    DECK_LEVELS,
    add_levels,
    bomb_ranks,
    count_of_rank,
    remove_move,
    without_levels,
)
from svara_sim.games.run_fast.kernel.moves import KIND_NAMES, MOVE_LEVELS, MOVE_SIZE, MOVES
from svara_sim.games.run_fast.kernel.slots import N_KEYS

from .positions import levels, levels_of_counts


def test_there_are_140_moves() -> None:
    """Rule 4.1; three aces as a triple is an option's move."""
    kinds = Counter(KIND_NAMES[m.kind] for m in MOVES)
    assert kinds == {"single": 13, "pair": 12, "triple": 12, "straight": 36, "pair_run": 56, "bomb": 12}
    assert sum(kinds.values()) - 1 == 140
    assert len({m.slot for m in MOVES}) == len(MOVES)
    assert [m.slot for m in MOVES] == sorted(m.slot for m in MOVES)
    assert all(MOVE_SIZE[m.slot] == m.size == int(MOVE_LEVELS[m.slot]).bit_count() for m in MOVES)


def test_hand_arithmetic() -> None:
    hand = levels("3334455667QQQQAA2")
    assert int(hand).bit_count() == 17
    assert [count_of_rank(hand, r) for r in range(13)] == [3, 2, 2, 2, 1, 0, 0, 0, 0, 4, 0, 2, 1]
    for move in MOVES:
        cards = np.uint64(MOVE_LEVELS[move.slot])
        left = np.uint64(without_levels(DECK_LEVELS, cards)) if int(cards) & ~int(DECK_LEVELS) == 0 else None
        if left is not None:
            assert remove_move(DECK_LEVELS, move.slot) == left
            assert add_levels(left, cards) == DECK_LEVELS
    assert bomb_ranks(levels("4444AAA33322")) == (1 << 1 | 1 << 11)


def _dealt(n: int) -> Any:
    keys, cards = stream_keys(9, "run_fast", N_KEYS), np.zeros(3, np.uint64)
    for deal in range(n):
        opener = deal_cards(deal, keys, cards)
        yield [int(c) for c in cards], opener


def test_deals_are_deals() -> None:
    for cards, opener in _dealt(300):
        assert [c.bit_count() for c in cards] == [16] * 3
        assert sum(cards) == int(DECK_CARDS)
        assert cards[opener] >> 13 & 1  # 3♥


@pytest.mark.slow
def test_deals_are_uniform() -> None:
    """Each card falls to each seat alike, and each pair of cards to one hand as it should: 15 of 47."""
    n = 20_000 if JIT_ENABLED else 500
    deck = [c for c in range(52) if int(DECK_CARDS) >> c & 1]
    held = np.zeros((n, 48), np.int64)
    for i, (cards, _) in enumerate(_dealt(n)):
        held[i] = [next(s for s in range(3) if cards[s] >> c & 1) for c in deck]
    for card in range(48):
        assert stats.chisquare(np.bincount(held[:, card], minlength=3)).pvalue > 1e-5
    together = np.array([(held[:, [a]] == held[:, a + 1 :]).mean(axis=0) for a in range(47)], dtype=object)
    shares = np.concatenate(list(together))
    error = np.sqrt(15 / 47 * 32 / 47 / n)
    assert abs(shares - 15 / 47).max() < 5.5 * error


def test_fewest_plays_against_recursion() -> None:
    table = fewest_table.load_fewest_table()
    rng = np.random.default_rng(3)
    most = np.array([4] * 11 + [3, 1])
    for _ in range(500):
        deck = np.repeat(np.arange(13), most)
        ranks = rng.permutation(deck)[: rng.integers(1, 17)]
        hand = levels_of_counts(np.bincount(ranks, minlength=13).tolist())
        assert fewest_plays(hand, table) == _shed_levels(hand, table)


@pytest.mark.parametrize(
    ("hand", "plays"),
    [
        ("3", 1),
        ("3333", 1),
        ("34567", 1),
        ("3456", 4),
        ("334567", 2),
        ("33445566", 1),
        ("334455667788", 1),
        ("AAA2", 2),
        ("TJQKA2", 2),
        ("3456778999TTJJQK", 4),
    ],
)
def test_fewest_plays_of_known_hands(hand: str, plays: int) -> None:
    assert fewest_plays(levels(hand), fewest_table.load_fewest_table()) == plays


@pytest.mark.skipif(not JIT_ENABLED, reason="the table is not used without the JIT")
def test_the_file_of_fewest_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written once, read back, and built anew when it is damaged or cut short."""
    path = tmp_path / fewest_table.FILE_NAME
    plays = fewest_table.load_fewest_table().plays
    n = make_index()[2]
    assert len(plays) == n == 14_412_879
    assert fewest_table.read_plays(path, n) is None
    fewest_table.write_plays(path, plays)
    assert path.stat().st_size < 100_000_000
    assert np.array_equal(fewest_table.read_plays(path, n), plays)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]

    builds = []
    monkeypatch.setattr(fewest_table, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(fewest_table, "build_plays", lambda: builds.append(1) or plays.copy())
    load = fewest_table.load_fewest_table.__wrapped__
    load()
    assert builds == []
    content = bytearray(path.read_bytes())
    content[1_000_000] ^= 1
    path.write_bytes(content)
    assert np.array_equal(load().plays, plays)
    path.write_bytes(content[:1000])
    load()
    assert builds == [1, 1]
    assert np.array_equal(fewest_table.read_plays(path, n), plays)

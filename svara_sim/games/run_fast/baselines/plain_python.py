"""Run Fast in plain Python, as one would write it without thinking of speed first, but not carelessly either.

A card is (rank, suit), a hand a list of cards; its moves follow from how many cards it holds of each rank. A move is
(kind, length, top rank): its group is the first two, and moves of one group beat each other by the third.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from . import Outcome

__all__ = ["CHOOSERS", "play_deals"]

Card = tuple[int, str]
Hand = list[Card]
Counts = list[int]
Move = tuple[str, int, int]
Chooser = Callable[[list[Move], bool, random.Random], Move]

THREE, ACE, TWO = 0, 11, 12
_DECK = [(rank, suit) for rank in range(ACE) for suit in "♥♠♦♣"] + [(ACE, suit) for suit in "♠♦♣"] + [(TWO, "♠")]
_THREE_OF_HEARTS = (THREE, "♥")
_DEPTH = {"single": 1, "pair": 2, "triple": 3, "straight": 1, "pair_run": 2}
_LEAST = {"straight": 5, "pair_run": 2}


def _cards_of_each(kind: str, top: int) -> int:
    return _DEPTH[kind] if kind != "bomb" else 3 if top == ACE else 4


def _size(move: Move) -> int:
    kind, length, top = move
    return length * _cards_of_each(kind, top)


def _count(hand: Hand) -> Counts:
    """How many cards of each rank a hand holds."""
    counts = [0] * (TWO + 1)
    for rank, _ in hand:
        counts[rank] += 1
    return counts


def _bombs(counts: Counts, above: int = -1) -> Iterator[Move]:
    for rank in range(above + 1, ACE):
        if counts[rank] == 4:
            yield "bomb", 1, rank
    if counts[ACE] == 3 and above < ACE:
        yield "bomb", 1, ACE


def _leads(counts: Counts) -> list[Move]:
    moves: list[Move] = [("single", 1, rank) for rank in range(TWO + 1) if counts[rank]]
    moves += [("pair", 1, rank) for rank in range(ACE + 1) if counts[rank] >= 2]
    moves += [("triple", 1, rank) for rank in range(ACE) if counts[rank] >= 3]
    moves += _bombs(counts)
    for kind, least in _LEAST.items():
        depth = _DEPTH[kind]
        for low in range(ACE):
            top = low
            while top <= ACE and counts[top] >= depth:
                if top - low + 1 >= least:
                    moves.append((kind, top - low + 1, top))
                top += 1
    return moves


def _replies(counts: Counts, to: Move) -> list[Move]:
    kind, length, top = to
    if kind == "heavenly":
        return []
    if kind == "bomb":
        return list(_bombs(counts, above=top))
    depth = _DEPTH[kind]
    last = TWO if kind == "single" else ACE - 1 if kind == "triple" else ACE
    moves: list[Move] = [
        (kind, length, rank)
        for rank in range(top + 1, last + 1)
        if all(counts[r] >= depth for r in range(rank - length + 1, rank + 1))
    ]
    moves += _bombs(counts)
    return moves


def _choose_random(moves: list[Move], leading: bool, rng: random.Random) -> Move:
    return rng.choice(moves)


def _choose_greedy(moves: list[Move], leading: bool, rng: random.Random) -> Move:
    """The longest, then lowest lead; the lowest reply, bombs last."""
    if not leading:
        return moves[0]
    return max(moves, key=lambda move: (_size(move), -move[2]))


CHOOSERS: dict[str, Chooser] = {"random": _choose_random, "greedy": _choose_greedy}
"""The policies by name."""


def _deal(rng: random.Random) -> tuple[list[Hand], int]:
    """Three hands and the seat that holds the three of hearts."""
    cards = list(_DECK)
    rng.shuffle(cards)
    hands = [sorted(cards[:16]), sorted(cards[16:32]), sorted(cards[32:])]
    return hands, next(seat for seat, hand in enumerate(hands) if _THREE_OF_HEARTS in hand)


def _lay(hand: Hand, move: Move) -> Hand:
    """What is left of a hand after a move."""
    kind, length, top = move
    wanted = dict.fromkeys(range(top - length + 1, top + 1), _cards_of_each(kind, top))
    left = []
    for card in hand:
        if wanted.get(card[0], 0):
            wanted[card[0]] -= 1
        else:
            left.append(card)
    return left


def _penalty(hand: Hand) -> int:
    cards, counts = len(hand), _count(hand)
    bombs = sum(1 for _ in _bombs(counts))
    return cards * (2 if cards == 16 else 1) + 10 * counts[TWO] + 10 * bombs


def _play(rng: random.Random, choosers: Sequence[Chooser], outcome: Outcome) -> None:
    hands, opener = _deal(rng)
    scores = [0, 0, 0]
    seat, owner, passes = opener, opener, 0
    top: Move | None = None
    bonus_due, opening = False, True
    while True:
        outcome.plies += 1
        counts = _count(hands[seat])
        moves = _leads(counts) if top is None else _replies(counts, top)
        if opening:
            moves = [move for move in moves if move[2] - move[1] + 1 == THREE]
        if moves:
            move = choosers[seat](moves, top is None, rng)
            hands[seat] = _lay(hands[seat], move)
            kind = move[0]
            bonus_due = kind == "bomb" and top is not None
            outcome.reply_bombs += bonus_due
            outcome.rounds += top is None
            top = ("heavenly", 1, THREE) if opening and kind == "bomb" else move
            owner, passes, opening = seat, 0, False
            if not hands[seat]:
                break
        else:
            passes += 1
            if passes == 2:
                if bonus_due:
                    _pay_bonus(scores, owner)
                top, bonus_due = None, False
        seat = (seat + 1) % 3
    if bonus_due:
        _pay_bonus(scores, owner)
    for other in range(3):
        if other != seat:
            penalty = _penalty(hands[other])
            scores[other] -= penalty
            scores[seat] += penalty
    outcome.deals += 1
    outcome.wins[seat] += 1
    for s, score in enumerate(scores):
        outcome.points[s] += score
        outcome.squares[s] += score * score
        outcome.place_points[(s - opener) % 3] += score


def _pay_bonus(scores: list[int], owner: int) -> None:
    for seat in range(3):
        scores[seat] += 20 if seat == owner else -10


def play_deals(policies: Sequence[str], n_deals: int, seed: int) -> Outcome:
    """Play independent deals under the default rules.

    Parameters
    ----------
    policies : sequence of str
        Names in `CHOOSERS`, one a seat.
    n_deals, seed : int
        How many deals, and where the random numbers begin.
    """
    rng = random.Random(seed)
    choosers = [CHOOSERS[name] for name in policies]
    outcome = Outcome()
    for _ in range(n_deals):
        _play(rng, choosers, outcome)
    return outcome

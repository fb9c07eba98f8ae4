"""Svara in plain Python, as one would write it without thinking of speed first, but not carelessly either."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ..rules import SvaraRules
from ..scoring import HANDS, points_table
from . import Outcome, Threshold

__all__ = ["play_deals"]

_RULES = SvaraRules()
_DECK = range(32)
_POINTS = dict(zip(HANDS, points_table(_RULES).tolist(), strict=True))


def _deal(rng: random.Random, seats: Sequence[int]) -> dict[int, int]:
    """Points of three cards for each seat."""
    cards = rng.sample(_DECK, 3 * len(seats))
    return {
        seat: _POINTS[tuple(sorted(cards[3 * i : 3 * i + 3]))]  # type: ignore[index]
        for i, seat in enumerate(seats)
    }


def _blinds(rng: random.Random, policies: Sequence[Threshold], order: list[int], bets: dict[int, int]) -> int:
    """Offer blinds in table order; the index in `order` of the last seat that bet one, or -1."""
    amount, last = _RULES.blind_size, -1
    for i, seat in enumerate(order):
        if 2 * amount > _RULES.bet_limit or rng.random() >= policies[seat].blind:
            break
        bets[seat] = amount
        amount *= 2
        last = i
    return last


def _bet(
    policies: Sequence[Threshold], points: dict[int, int], order: list[int], last: int, bets: dict[int, int]
) -> str:
    """One betting round, from the seat after the last blind; removes the seats that fold from `points`."""
    blind = bets[order[last]] if last >= 0 else 0
    level, opened, raises = max(2 * blind, _RULES.min_bet), False, 0
    order = order[last + 1 :] + order[: last + 1]
    turn, to_act = 0, len(order)
    while to_act and len(points) > 1:
        seat = order[turn % len(order)]
        turn += 1
        if seat not in points:
            continue
        to_act -= 1
        policy, held = policies[seat], points[seat]
        if held < policy.call:
            del points[seat]
            continue
        if not opened:
            opened = True
            to_act = len(points) - 1
        elif held >= policy.raise_at and raises < _RULES.max_raises and level + _RULES.min_raise <= _RULES.bet_limit:
            raises += 1
            level += _RULES.min_raise
            to_act = len(points) - 1
        bets[seat] = level
    if len(points) > 1:
        return "showdown"
    return "last" if opened else "blind" if last >= 0 else "dealer"


def _play(rng: random.Random, policies: Sequence[Threshold], dealer: int, outcome: Outcome) -> None:
    n = len(policies)
    table = [(dealer + 1 + i) % n for i in range(n)]
    paid = [_RULES.ante] * n
    players, rounds = table, 0
    while True:
        bets = dict.fromkeys(players, 0)
        last = _blinds(rng, policies, players, bets)
        points = _deal(rng, players)
        ending = _bet(policies, points, players, last, bets)
        for seat, chips in bets.items():
            paid[seat] += chips
        best = max(points.values())
        winners = [seat for seat in players if points.get(seat) == best]
        if len(winners) == 1:
            break
        rounds += 1
        fee = sum(paid) // len(winners)
        joining = [s for s in table if s not in winners and rng.random() < policies[s].join]
        for seat in joining:
            paid[seat] += fee
        players = [s for s in table if s in winners or s in joining]
    outcome.deals += 1
    outcome.svaras += rounds > 0
    outcome.endings[ending] += 1
    pot = sum(paid)
    for seat in range(n):
        payoff = (pot if seat == winners[0] else 0) - paid[seat]
        outcome.payoffs[seat] += payoff
        outcome.squares[seat] += payoff * payoff


def play_deals(policies: Sequence[Threshold], n_deals: int, seed: int) -> Outcome:
    """Play independent deals, the dealer moving seat by seat.

    Parameters
    ----------
    policies : sequence of Threshold
        One a seat.
    n_deals, seed : int
        How many deals, and where the random numbers begin.
    """
    rng = random.Random(seed)
    outcome = Outcome.of(policies)
    for deal in range(n_deals):
        _play(rng, policies, deal % len(policies), outcome)
    return outcome

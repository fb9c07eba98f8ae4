"""The same deal twice, with a hero that plays one policy and then the other, and only the difference kept.

A deal is played with the hero in every seat in turn. Whatever can be known to be the same under both policies is
played once or not at all:

* Where the hero's points have the same rows in both tables, the first round is the same; without later differences
  the deal is skipped.
* Where a policy is the field's own, its first round is the same whichever seat is the hero's, and is played once.
* A svara is worth pot / k to each of the k tied seats if it is not bet in. Where it is bet in, the hero plays it with
  each of the hands dealt in turn (`pair_rounds.svara_gain`): what luck there is in the cards cancels, and what the
  betting adds stays. Hands of a fresh deck are exchangeable, so the mean over the turns is unbiased.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.bits import to_int
from ....core.jit import inlined, kernel
from .deal import cards_of, deal_hands
from .paired_rounds import DIFFERING, ROUNDS, first_round, svara_difference, svara_gain
from .scalar import payoff_of, play_deal
from .seats import has_seat
from .state import Spot

__all__ = ["play_pairs", "play_separately"]


@inlined
def _payoff(
    table: Any,
    rows: Any,
    work: Any,
    spot: Any,
    outcome: Any,
    hero: Any,
    may_join: Any,
    differs: Any,
    play_svaras: Any,
    counts: Any,
) -> Any:
    """The hero's payoff after a first round, but for its ante."""
    paid = np.float64(outcome.bet[hero])
    if outcome.n_tied == 0:
        return outcome.pot - paid if outcome.winner == hero else -paid
    if play_svaras == 0:
        return outcome.pot / outcome.n_tied - paid if has_seat(outcome.tied, hero) else -paid
    return svara_gain(table, rows, work, spot, outcome, hero, may_join, differs, counts) - paid


@inlined
def _hand_index(hand: Any) -> Any:
    """Index of a hand mask in the order of `svara_sim.games.svara.scoring.HANDS`."""
    a, b, c = cards_of(hand)
    return a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6


@inlined
def _count_from(dealt: Any, seats: Any, hero: Any, level: Any) -> Any:
    """Opponents of the hero with at least so many points."""
    count = 0
    for seat in range(seats):
        count += to_int(seat != hero and dealt[1, seat] >= level)
    return count


@inlined
def _note_controls(levels: Any, expected: Any, dealt: Any, seats: Any, hero: Any, row: Any) -> None:
    """Add how strong the hero's opponents are, less what the hero's hand makes one expect."""
    n_levels, n_features = levels.shape[0], expected.shape[1]
    hand, own = dealt[0, hero], dealt[1, hero]
    group = 0
    for x in range(n_levels):
        group += to_int(own >= levels[x])
    at = group * n_features
    column = 0
    for x in range(n_levels):
        alone = _count_from(dealt, seats, hero, levels[x])
        row[at + column] += alone - expected[hand, column]
        column += 1
        for y in range(x, n_levels):
            two = alone * _count_from(dealt, seats, hero, levels[y])
            row[at + column] += two - expected[hand, column]
            column += 1
            for z in range(y, n_levels):
                row[at + column] += two * _count_from(dealt, seats, hero, levels[z]) - expected[hand, column]
                column += 1
    if column < n_features:
        higher = _count_from(dealt, seats, hero, own + 1)
        equal = _count_from(dealt, seats, hero, own) - higher
        row[at + column] += np.float64(higher == 0 and equal == 0) - expected[hand, column]
        row[at + column + 1] += np.float64(higher == 0 and equal > 0) - expected[hand, column + 1]


@kernel
def play_pairs(
    tables: Any,
    rows: Any,
    place: Any,
    shared: Any,
    may_join: Any,
    differs: Any,
    differs_svara: Any,
    differs_later: Any,
    play_svaras: Any,
    levels: Any,
    expected: Any,
    first_deal: Any,
    differences: Any,
    controls: Any,
    counts: Any,
    work: Any,
    outcomes: Any,
    dealt: Any,
) -> None:
    """Play deals with the hero in every seat, under policy 0 and under policy 1.

    Parameters
    ----------
    tables : record array of TABLE (T,)
        Tables with the hero in each seat.
    rows : uint32 (E * ROW,)
        Betting tables of all of them.
    place : int64 (2, S)
        Which of the tables has the hero of a policy in a seat.
    shared : int64 (2,)
        1 where a policy is the field's own: then all its places are one table.
    may_join : int64 (2,)
        Whether a hero of a policy ever joins a svara.
    differs : uint8 (35,)
        By points of the hero: whether its first round can differ between the policies.
    differs_svara : uint8 (35,)
        The same of a betting round in a svara.
    differs_later : int
        1 if svaras can differ after the same first round, and only where the hero holds such points; 2 if always.
    play_svaras : int
        1 plays svaras, 0 takes pot / k for each tied seat and 0 for the others.
    levels : int64 (L,)
        Numbers of points, ascending, that tell weak from strong opponents.
    expected : float64 (4960, F), or (0, 0) for none
        By hand: the mean of every feature of `analysis.compare.strength`.
    first_deal : int
        Deal of row 0.
    differences : float64 (D, S)
        Payoff under policy 0 less that under policy 1, in chips, by seat of the hero; 0 on entry.
    controls : float64 (D, (L + 1) F), or (0, 0)
        By how many of the levels the hero reaches: features less expectation, summed over the seats of the hero
        in which the first round can differ; 0 on entry.
    counts : int64 (N_COUNTS,)
        Added to.
    work, outcomes, dealt
        Working memory: a record of WORK, an array of OUTCOME (2,), int64 (2, MAX_SEATS).
    """
    seats = differences.shape[1]
    lead = 1 if shared[1] == 1 and shared[0] == 0 else 0  # whose first round stands for both, if they are the same
    for i in range(differences.shape[0]):
        deal = first_deal + i
        spot = Spot(deal, 0, seats, deal % seats, 0)
        deal_hands(tables[0], rows, work, spot, seats)
        for seat in range(seats):
            dealt[0, seat] = _hand_index(work.hands[seat])
            dealt[1, seat] = work.points[seat]
        known_0, known_1 = 0, 0
        for hero in range(seats):
            same = differs[dealt[1, hero]] == 0
            if same and differs_later == 0:
                continue
            wants_0 = not same or lead == 0
            wants_1 = not same or lead == 1
            if wants_0 and not (shared[0] == 1 and known_0 == 1):
                first_round(tables[place[0, hero]], rows, work, spot, outcomes[0])
                counts[ROUNDS] += 1
                known_0 = 1
            if wants_1 and not (shared[1] == 1 and known_1 == 1):
                first_round(tables[place[1, hero]], rows, work, spot, outcomes[1])
                counts[ROUNDS] += 1
                known_1 = 1
            if same and outcomes[lead].n_tied == 0:
                continue
            if same and differs_later == 1:
                differences[i, hero] = svara_difference(
                    tables[place[0, hero]], tables[place[1, hero]], rows, work, spot, outcomes[lead], hero,
                    may_join[0], differs_svara, counts,
                )  # fmt: skip
                continue
            payoff_0 = _payoff(
                tables[place[0, hero]], rows, work, spot, outcomes[lead if same else 0], hero,
                may_join[0], differs_svara, play_svaras, counts,
            )  # fmt: skip
            payoff_1 = _payoff(
                tables[place[1, hero]], rows, work, spot, outcomes[lead if same else 1], hero,
                may_join[1], differs_svara, play_svaras, counts,
            )  # fmt: skip
            differences[i, hero] = payoff_0 - payoff_1
            if not same:
                counts[DIFFERING] += 1
                if expected.shape[0] > 0:
                    _note_controls(levels, expected, dealt, seats, hero, controls[i])
        if work.status[0] != 0:
            break


@kernel
def play_separately(tables: Any, rows: Any, place: Any, first_deal: Any, payoffs: Any, work: Any) -> None:
    """Play every deal to its end under each policy with the hero in each seat; what the pairs are measured against.

    Parameters
    ----------
    tables, rows, place, first_deal
        As in `play_pairs`.
    payoffs : float64 (2, D, S)
        The hero's payoffs in chips, by policy, deal and seat.
    work : record of WORK
        Working memory.
    """
    seats = payoffs.shape[2]
    for i in range(payoffs.shape[1]):
        deal = first_deal + i
        dealer = deal % seats
        for policy in range(2):
            for hero in range(seats):
                table = tables[place[policy, hero]]
                result = play_deal(table, rows, work, None, deal, seats, dealer)
                payoffs[policy, i, hero] = payoff_of(table, work, result, hero)
        if work.status[0] != 0:
            break

"""The figures of sections 7 and 8 of the rule page, within four standard errors of both sides together."""

from __future__ import annotations

from functools import cache
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest

from svara_sim.games.run_fast import RUN_FAST
from svara_sim.games.run_fast.kernel.hands import pack_levels, remove_move
from svara_sim.games.run_fast.kernel.legal import count_moves, legal_moves
from svara_sim.games.run_fast.kernel.moves import HEAVENLY, PASS
from svara_sim.games.run_fast.kernel.types import MoveSet

RANDOM_DEALS, POLICY_DEALS = 200_000, 200_000


@cache
def records(seats: tuple[str, ...], n_deals: int, seed: int = 20) -> dict[str, Any]:
    table = RUN_FAST.make_table(RUN_FAST.make_rules(), list(seats), seed)
    block = table.simulate_block(0, n_deals, 1000, True)
    assert block.records is not None
    return dict(block.records)


def close(values: Any, figure: float, n_reference: int, rounding: float) -> None:
    """The mean is within four standard errors of a figure that was measured on `n_reference` deals and rounded."""
    values = np.asarray(values, float)
    error = values.std() * sqrt(1 / len(values) + 1 / n_reference)
    assert abs(values.mean() - figure) < 4 * error + rounding, (values.mean(), figure, error)


def exactly(values: Any, expectation: float) -> None:
    values = np.asarray(values, float)
    assert abs(values.mean() - expectation) < 4 * values.std() / sqrt(len(values)), (values.mean(), expectation)


def by_place(found: dict[str, Any], name: str) -> list[Any]:
    columns = np.stack([found[f"{name}{seat}"] for seat in range(3)], axis=1)
    rows = np.arange(len(columns))
    return [columns[rows, (found["opener"] + place) % 3] for place in range(3)]


def test_cards_dealt() -> None:
    found = records(("random",) * 3, RANDOM_DEALS)
    masks = np.stack([found[f"bomb_ranks_{seat}"] for seat in range(3)], axis=1)
    four_of_a_kind = np.bitwise_count(masks & 0x7FF).sum(axis=1)
    exactly(four_of_a_kind, 33 * comb(44, 12) / comb(48, 16))
    exactly((masks >> 11 & 1).sum(axis=1), 3 * comb(45, 13) / comb(48, 16))
    exactly(found["heavenly"] > 0, 0.028060)
    for seat in range(3):
        exactly(found["opener"] == seat, 1 / 3)
        exactly(found["two_seat"] == seat, 1 / 3)


def test_random_play() -> None:
    found = records(("random",) * 3, RANDOM_DEALS)
    n = 20_000
    close(found["plies"], 51.39, n, 0.005)
    close(found["plays"], 28.30, n, 0.005)
    close(found["plies"].astype(int) - found["plays"], 23.09, n, 0.005)
    close(found["rounds"], 11.16, n, 0.005)
    winner_place = (found["winner"].astype(int) - found["opener"]) % 3
    for place, share in enumerate((0.423, 0.288, 0.289)):
        close(winner_place == place, share, n, 0.0005)
    for points, figure in zip(by_place(found, "score_"), (1.07, -0.59, -0.47), strict=True):
        close(points, figure, n, 0.005)
    bombs = sum(found[f"bombs_played_{s}"].astype(int) for s in range(3))
    replies = sum(found[f"reply_bombs_{s}"].astype(int) for s in range(3))
    close(bombs, 0.297, n, 0.0005)
    close(replies, 0.294, n, 0.0005)
    close(replies > 0, 0.255, n, 0.0005)
    close(found["heavenly"] == 2, 0.006, n, 0.0005)


def test_fewest_plays_of_a_hand() -> None:
    found = records(("random",) * 3, RANDOM_DEALS)
    close(found["fewest_0"], 6.86, 200_000, 0.005)


def test_choices_of_random_play() -> None:
    """Legal moves on a lead and on a reply, where a forced pass is the one legal move, counted ply by ply."""
    table = RUN_FAST.make_table(RUN_FAST.make_rules(), ["random"] * 3, 21)
    options = table.rules.kernel_options()
    leads, replies = [], []
    for deal in range(400):
        played = table.play_on(deal)
        hands = [np.uint64(pack_levels(np.uint64(cards))) for cards in played.cards]
        top, passes, counts = PASS, 0, ([], [])  # type: ignore[var-annotated]
        for ply, move in enumerate(played.log):
            seat = (played.opener + ply) % 3
            moves = legal_moves(hands[seat], top, ply == 0, options)
            n = count_moves(MoveSet(*(np.uint64(w) for w in moves)))
            counts[top != PASS].append(n)
            if move == PASS:
                passes += 1
                top = PASS if passes == 2 else top
            else:
                top, passes = move, 0
                hands[seat] = np.uint64(remove_move(hands[seat], 48 if move == HEAVENLY else move))
        leads.append(counts[0])
        replies.append(counts[1])
    for per_deal, figure in ((leads, 7.82), (replies, 1.63)):
        ratio_close(
            np.array([sum(max(n, 1) for n in c) for c in per_deal]), np.array([len(c) for c in per_deal]), figure, 0.005
        )
    forced = np.array([sum(n == 0 for n in c) for c in replies])
    ratio_close(forced, np.array([len(c) for c in replies]), 0.574, 0.0005)


def ratio_close(totals: Any, counts: Any, figure: float, rounding: float) -> None:
    ratio = totals.sum() / counts.sum()
    residual = (totals - ratio * counts).std() / counts.mean()
    error = residual * sqrt(1 / len(totals) + 1 / 20_000)
    assert abs(ratio - figure) < 4 * error + rounding, (ratio, figure, error)


@pytest.mark.parametrize(
    ("policy", "others", "wins", "points"),
    [
        ("greedy", "random", 0.663, 5.12),
        ("fewest", "random", 0.779, 7.16),
        ("fewest_long", "greedy", 0.475, 2.40),
    ],
)
def test_policies(policy: str, others: str, wins: float, points: float) -> None:
    found = records((policy, others, others), POLICY_DEALS)
    close(found["winner"] == 0, wins, 200_000, 0.0005)
    close(found["score_0"], points, 200_000, 0.005)


def test_a_policy_against_itself_is_fair() -> None:
    found = records(("fewest_long",) * 3, 50_000)
    for seat in range(3):
        exactly(found["winner"] == seat, 1 / 3)
        exactly(found[f"score_{seat}"], 0)


def test_monte_carlo_beats_longer_leads() -> None:
    """Clearly: a mean of more than 1.5 points a deal over two longer-lead opponents, four errors from none."""
    found = records(("monte_carlo:worlds=30", "fewest_long", "fewest_long"), 3_000)
    points = found["score_0"].astype(float)
    assert points.mean() > 1.5
    assert points.mean() > 4 * points.std() / sqrt(len(points))
    assert (found["winner"] == 0).mean() > 1 / 3

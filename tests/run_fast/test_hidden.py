"""What passes prove: sampled hidden hands are uniform over those that fit, and hidden cards never move a decision."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from typing import Any

import numba
import numpy as np
import pytest
from scipy import stats
from twins import run_fast_rulebook as twin

from svara_sim.core.jit import JIT_ENABLED
from svara_sim.games.run_fast import RUN_FAST, RunFastRules
from svara_sim.games.run_fast.deck import DECK, cards_of
from svara_sim.games.run_fast.history import lay_cards
from svara_sim.games.run_fast.kernel.hands import pack_levels
from svara_sim.games.run_fast.kernel.hidden import draw_world, learn, ways_to_deal
from svara_sim.games.run_fast.kernel.moves import PASS
from svara_sim.games.run_fast.kernel.slots import ILLEGAL, N_GIVEN_UP, PLIES, STATUS
from svara_sim.games.run_fast.kernel.types import MoveSet, Position, Scratch, Turn, make_scratch
from svara_sim.games.run_fast.policies import AskPolicy, FunctionPolicy, make_policy
from svara_sim.games.run_fast.table import PlayedDeal, RunFastTable

from .positions import combination, levels_of_counts, play_position


def draw_many(turn: Any, n: int, options: Any, inference: bool, scratch: Any, found: Any) -> None:
    pool, keeper = learn(turn, scratch.log, inference, options, scratch.hidden)
    n_ways = ways_to_deal(pool, keeper, turn.sizes[0], scratch.hidden)
    draw = 0
    for i in range(n):
        after, before, draw = draw_world(
            (pool, keeper, turn.sizes[0], n_ways), np.uint64(77), draw, scratch.hidden, options
        )
        found[i, 0], found[i, 1] = after, before


if JIT_ENABLED:
    draw_many = numba.njit(draw_many)


def samples(played: PlayedDeal, seat: int, n: int, rules: RunFastRules, inference: bool = True) -> tuple[Any, Scratch]:
    """Hidden hands as seat `seat` samples them when it is about to move: shape (n, 2), levels."""
    scratch = make_scratch()
    scratch.log[: len(played.log)] = played.log
    sizes = tuple(np.int64(played.hands[(seat + k) % 3].bit_count()) for k in (1, 2))
    none = np.uint64(0)
    position = Position(np.int64(PASS), np.int64(0), np.int64(0), False, False)
    place, ply = np.int64((seat - played.opener) % 3), np.int64(len(played.log))
    hand = np.uint64(played.hands[seat])
    turn = Turn(hand, sizes, MoveSet(none, none, none), np.int64(0), False, position, ply, place)
    found = np.zeros((n, 2), np.uint64)
    with np.errstate(over="ignore"):
        draw_many(turn, n, rules.kernel_options(), inference, scratch, found)
    return found, scratch


def stopped(rules: RunFastRules, seed: int, deal: int, n_plies: int) -> PlayedDeal:
    """A deal of random play after some plies."""
    whole = RUN_FAST.make_table(rules, ["random"] * 3, seed).play_on(deal)
    ask = RunFastTable(rules, [AskPolicy()] * 3, seed, False)
    cut = whole.log[:n_plies]
    while True:  # forced moves are played on without asking
        played = ask.play_on(deal, cut)
        if not played.finished or len(cut) == 0:
            return played
        cut = cut[:-3]


def consistent_hands(played: PlayedDeal, seat: int, rules: dict[str, Any]) -> Counter[int]:
    """Levels of the next player's hand over all deals of the hidden cards that fit, by the slow rulebook."""
    timeline: list[tuple[int, Any, list[str], bool]] = []  # player, top, cards, was a pass
    indices = [cards_of(mask) for mask in played.cards]
    top: Any = None
    passes = 0
    for ply, move in enumerate(played.log):
        player = (played.opener + ply) % 3
        if move == PASS:
            timeline.append((player, top, [], True))
            passes += 1
            if passes == 2:
                top, passes = None, 0
        else:
            cards = DECK.write(lay_cards(indices[player], move))
            timeline.append((player, top, cards, False))
            top, passes = combination(move), 0
    after, before = (seat + 1) % 3, (seat + 2) % 3
    held = {p: DECK.write(indices[p]) for p in (after, before)}
    hidden = held[after] + held[before]
    found: Counter[int] = Counter()
    for chosen in combinations(hidden, len(held[after])):
        guess = {after: list(chosen), before: [c for c in hidden if c not in chosen]}
        if fits(guess, timeline, rules, played.opener):
            ranks = [twin.rank_of(c) for c in chosen]
            found[int(levels_of_counts([ranks.count(r) for r in range(13)]))] += 1
    return found


def fits(guess: dict[int, list[str]], timeline: list[Any], rules: dict[str, Any], opener: int) -> bool:
    played_later: dict[int, list[str]] = {p: [] for p in guess}
    for player, top, cards, was_pass in reversed(timeline):
        if player not in guess:
            continue
        hand = guess[player] + played_later[player]
        if was_pass:
            if not twin.legal(hand, top, False, rules)[1]:
                return False
        else:
            played_later[player] += cards
            hand = guess[player] + played_later[player]
            if not rules["may_split_bombs"]:
                ranks = {twin.rank_of(c) for c in cards}
                bombs = twin.bombs_in(hand)
                if ranks & bombs and twin.bombs_in(cards) != ranks:
                    return False
    if opener in guess:
        return "3♥" in guess[opener] + played_later[opener]
    return True


OPTIONS: list[dict[str, Any]] = [
    {},
    {"may_split_bombs": False},
    {"must_use_bomb": False},
    {"must_beat": False},
    {"must_use_bomb": False, "may_split_bombs": False, "opening_needs_h3": False},
    {"opening_needs_h3": False, "aaa_also_triple": True, "heavenly": False},
]


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_samples_are_uniform_over_what_fits(options: dict[str, Any]) -> None:
    rules = RunFastRules(**options)
    checked = 0
    for deal in range(200):
        played = stopped(rules, 31, deal, 30)
        seat = played.waiting
        if seat < 0:
            continue
        n_hidden = sum(h.bit_count() for p, h in enumerate(played.hands) if p != seat)
        if not 4 <= n_hidden <= 11:
            continue
        expected = consistent_hands(played, seat, rules.as_dict())
        n = 4_000
        found, scratch = samples(played, seat, n, rules)
        assert scratch.hidden.counts[N_GIVEN_UP] == 0
        seen = Counter(int(h) for h in found[:, 0])
        assert set(seen) <= set(expected)
        if len(expected) > 1:
            total = sum(expected.values())
            observed = [seen[h] for h in expected]
            test = stats.chisquare(observed, [n * w / total for w in expected.values()])
            assert test.pvalue > 1e-5, (options, deal)
        checked += 1
        if checked == 12:
            break
    assert checked == 12


def test_without_inference_anything_goes() -> None:
    """Without inference the next player's hand has the mean of a blind deal; with it, passes change it."""
    rules = RunFastRules()
    played = stopped(rules, 31, 4, 20)
    with_passes, _ = samples(played, played.waiting, 2_000, rules)
    without, scratch = samples(played, played.waiting, 2_000, rules, inference=False)
    assert len(set(without[:, 0].tolist())) > len(set(with_passes[:, 0].tolist()))
    assert scratch.hidden.counts[0] == 0


def choose_anything(view: Any) -> int:
    """Depends on everything that a view shows."""
    mixed = view.hand ^ view.played ^ view.played_next ^ view.played_previous ^ view.limits_next ^ view.random
    mixed ^= view.limits_previous
    n = np.int64(mixed % np.uint64(1000)) + view.size_next + 3 * view.size_previous + view.top + view.top_owner
    n = (n + view.passed_next + view.place + view.ply + view.opening + view.passed_previous) % view.n_moves
    words = view.sets
    for base in range(0, 192, 64):
        words = view.sets if base == 0 else (view.straights if base == 64 else view.runs)
        for bit in range(64):
            if (words >> np.uint64(bit)) & np.uint64(1):
                if n == 0:
                    return base + bit
                n -= 1
    return 192


@pytest.mark.parametrize(
    "policy",
    ["random", "greedy", "fewest", "fewest_long", "monte_carlo:worlds=5", "monte_carlo:worlds=5,inference=0", "own"],
)
def test_hidden_cards_never_change_a_decision(policy: str) -> None:
    rng = random.Random(6)
    rules = RunFastRules()
    how = FunctionPolicy("own", choose_anything) if policy == "own" else make_policy(policy)
    compared = 0
    for deal in range(60):
        played = stopped(rules, 8, deal, rng.randint(1, 25))
        seat = played.waiting
        if seat < 0:
            continue
        seats: list[Any] = [AskPolicy()] * 3
        seats[seat] = how
        table = RunFastTable(rules, seats, 8, False)
        decided = None
        worlds, _ = samples(played, seat, 5, rules)
        start = [np.uint64(pack_levels(np.uint64(m))) for m in played.cards]
        for after, before in [(played.hands[(seat + 1) % 3], played.hands[(seat + 2) % 3]), *worlds.tolist()]:
            hands = list(start)
            for player, now in (((seat + 1) % 3, after), ((seat + 2) % 3, before)):
                hands[player] = np.uint64(exchange(int(start[player]), played.hands[player], int(now)))
            _, ledger, scratch = play_position(hands, played.opener, True, list(played.log), table.setup, deal)
            assert ledger[STATUS] != ILLEGAL
            assert ledger[PLIES] > len(played.log)
            move = int(scratch.log[len(played.log)])
            assert decided in (None, move)
            decided = move
            compared += 1
    assert compared > 200


def exchange(start: int, held: int, now: int) -> int:
    """The dealt hand of a player who would hold `now` instead of `held` after the same plays."""
    counts = [sum(start >> (r + 16 * k) & 1 for k in range(4)) for r in range(13)]
    for r in range(13):
        counts[r] += sum((now >> (r + 16 * k) & 1) - (held >> (r + 16 * k) & 1) for k in range(4))
    return int(levels_of_counts(counts))

"""The slow rulebook and the kernel agree: legal moves on random positions, and whole deals, under random options."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from twins import run_fast_rulebook as twin

from svara_sim.games.run_fast import RUN_FAST, RunFastRules
from svara_sim.games.run_fast.kernel.layout import BONUS_POINTS, PENALTY, SCORE, WINNING_SEAT
from svara_sim.games.run_fast.kernel.moves import HEAVENLY, PASS
from svara_sim.games.run_fast.kernel.slots import FINISHED, PLIES, STATUS
from svara_sim.games.run_fast.rules import MAX_POINTS

from .positions import SLOT_OF, combination, legal_slots, levels_of_counts, play_position, setup_of

LIBRARY = ("random", "greedy", "fewest", "fewest_long", "monte_carlo:worlds=2")


def packed(hand: list[str]) -> np.uint64:
    ranks = [twin.rank_of(card) for card in hand]
    return levels_of_counts([ranks.count(r) for r in range(13)])


def random_position(rng: random.Random, rules: dict[str, Any]) -> tuple[list[str], int, bool]:
    """A hand, the slot of the play to beat, and whether it is the opening."""
    deck = list(twin.DECK)
    if rng.random() < 0.5:  # few ranks make many combinations
        kept = rng.sample(range(13), rng.randint(3, 9))
        deck = [card for card in deck if twin.rank_of(card) in kept]
    hand = rng.sample(deck, min(len(deck), rng.randint(1, 16)))
    if rng.random() < 0.1:
        return list({*hand[:15], "3♥"}), PASS, True
    if rng.random() < 0.2:
        return hand, PASS, False
    tops = [s for s in SLOT_OF.values() if s != 43 or (rules["aaa_also_triple"] and rules["may_split_bombs"])]
    return hand, rng.choice(tops), False


def check_position(hand: list[str], top: int, opening: bool, rules: dict[str, Any]) -> int:
    expected, may_pass = twin.legal(hand, None if top == PASS else combination(top), opening, rules)
    found, passable = legal_slots(packed(hand), top, opening, RunFastRules(**rules))
    slots = sorted(48 if SLOT_OF[c] == HEAVENLY else SLOT_OF[c] for c in expected)
    assert (found, passable) == (slots, may_pass), (hand, top, opening, rules)
    return len(expected)


def check_positions(n: int, seed: int) -> None:
    rng = random.Random(seed)
    n_moves = 0
    for i in range(n):
        rules = twin.DEFAULTS if i % 2 else twin.random_rules(rng)
        n_moves += check_position(*random_position(rng, rules), rules)
    assert n_moves > 2 * n


def check_kernel_deal(rng: random.Random, i: int) -> None:
    """A deal of the kernel, by any mix of policies, passes the rulebook's audit."""
    rules = twin.DEFAULTS if i % 4 == 0 else twin.random_rules(rng)
    seats = ["random"] * 3 if i % 2 else [rng.choice(LIBRARY) for _ in range(3)]
    table = RUN_FAST.make_table(RUN_FAST.make_rules(None, rules), seats, rng.randrange(1 << 40))
    for history in table.replay(rng.randrange(1 << 30), 1):
        twin.audit(history)


def check_twin_deal(rng: random.Random, i: int) -> None:
    """A deal of the rulebook, played again by the kernel, settles alike."""
    rules = twin.DEFAULTS if i % 4 == 0 else twin.random_rules(rng)
    history = twin.play_random(rng, rules)
    twin.audit(history)
    script = []
    opening, deal_rules = True, RunFastRules(**rules)
    for move in history["moves"]:
        if move["kind"] == "pass":
            script.append(PASS)
            continue
        names = [c for c in twin.name_cards(move["cards"], opening, rules) if c[0] == move["kind"]]
        script.append(SLOT_OF[names[0]])
        opening = False
    setup = setup_of(["random"] * 3, deal_rules)
    hands = [packed(hand) for hand in history["hands"]]
    row, ledger, scratch = play_position(hands, history["opener"], True, script, setup)
    assert ledger[STATUS] == FINISHED
    assert scratch.log[: ledger[PLIES]].tolist() == script
    assert row[BONUS_POINTS : BONUS_POINTS + 3].tolist() == history["bonus"]
    assert row[PENALTY : PENALTY + 3].tolist() == history["penalty"]
    assert row[SCORE : SCORE + 3].tolist() == history["scores"]
    assert row[WINNING_SEAT] == history["winner"]


@pytest.mark.slow
def test_positions_agree() -> None:
    check_positions(10_000, 1)


@pytest.mark.slow
def test_deals_agree() -> None:
    rng = random.Random(2)
    for i in range(250):
        check_kernel_deal(rng, i)
        check_twin_deal(rng, i)


@pytest.mark.full
def test_positions_agree_in_full() -> None:
    check_positions(100_000, 3)


@pytest.mark.full
def test_deals_agree_in_full() -> None:
    rng = random.Random(4)
    for i in range(2_500):
        check_kernel_deal(rng, i)
        check_twin_deal(rng, i)


def test_the_rulebook_finds_wrong_histories() -> None:
    table = RUN_FAST.make_table(RUN_FAST.make_rules(), ["random", "greedy", "fewest"], 3)
    history = next(iter(table.replay(0, 1)))
    twin.audit(history)
    scores = [history["scores"][0] + 1, *history["scores"][1:]]
    first = history["moves"][0]
    for wrong in (
        {**history, "scores": scores},
        {**history, "opener": (history["opener"] + 1) % 3},
        {**history, "moves": history["moves"][:-1]},
        {**history, "moves": [{**first, "kind": "bomb"}, *history["moves"][1:]]},
        {**history, "moves": [{**first, "cards": [], "kind": "pass"}, *history["moves"][1:]]},
        {**history, "hands": history["hands"][::-1]},
    ):
        with pytest.raises(twin.RuleBroken):
            twin.audit(wrong)


def test_random_options_reach_everything() -> None:
    rng = random.Random(5)
    drawn = [twin.random_rules(rng) for _ in range(200)]
    for name, value in twin.DEFAULTS.items():
        assert len({d[name] for d in drawn}) >= (2 if isinstance(value, bool) else 3)
        assert all(not isinstance(d[name], int) or d[name] <= MAX_POINTS for d in drawn)
    assert RunFastRules().as_dict() == twin.DEFAULTS
    assert list(RunFastRules().as_dict()) == list(twin.DEFAULTS)

"""A person at a table of Run Fast: what it is shown, what it may do, and that it plays the deal that it plays."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from svara_sim.core.errors import InvalidInput
from svara_sim.games.run_fast import RUN_FAST, RunFastRules
from svara_sim.games.run_fast.human import RunFastSitting
from svara_sim.games.run_fast.kernel.moves import HEAVENLY
from svara_sim.games.run_fast.scoring import explain_penalty
from tests.twins.run_fast_rulebook import audit

CARD = re.compile(r"(?:10|[3-9JQKA2])[♠♥♦♣]")


def sit(deal: int, opponents: tuple[str, str] = ("greedy", "random"), **options: Any) -> RunFastSitting:
    rules = RUN_FAST.make_rules(None, options)
    sitting = RUN_FAST.sit(rules, [RUN_FAST.make_policy(p) for p in opponents], 11, deal)
    assert isinstance(sitting, RunFastSitting)
    return sitting


def play(sitting: RunFastSitting, rng: random.Random, hints: bool = False) -> tuple[list[str], list[str]]:
    """Everything said before the end, and after."""
    said: list[str] = []
    while True:
        news = sitting.news()
        if sitting.over:
            return said, [*news, *sitting.settlement()]
        said += news + sitting.position() + [c.text for c in sitting.choices()]
        if hints:
            said += sitting.hint()
        assert sitting.settlement() == []
        sitting.choose(rng.randrange(len(sitting.choices())))


@pytest.mark.parametrize("options", [{}, {"must_beat": False, "may_split_bombs": False}, {"must_use_bomb": False}])
def test_whole_deals_follow_the_rules(options: dict[str, Any]) -> None:
    rng = random.Random(3)
    for deal in range(10):
        sitting = sit(deal, **options)
        _, end = play(sitting, rng)
        history = sitting.history()
        audit(history)
        for seat, score in enumerate(history["scores"]):
            line = next(x for x in end if x.startswith("  You:" if seat == 0 else f"  Seat {seat} "))
            parts = [int(x) for x in re.findall(r"[(,] ?([+-]\d+) ", line)]
            assert f"{score:+d} points" in line
            assert sum(parts) == score


def test_hidden_cards_stay_hidden_until_the_end() -> None:
    rng = random.Random(4)
    for deal in range(12):
        sitting = sit(deal)
        said, end = play(sitting, rng, hints=deal < 3)
        history = sitting.history()
        seen = set(history["hands"][0]) | {"3♥", "2♠"}
        seen |= {card for move in history["moves"] for card in move["cards"]}
        assert set(CARD.findall("\n".join(said))) <= seen
        assert {c for hand in history["hands"] for c in hand} <= set(CARD.findall("\n".join(end)))


def test_other_hidden_hands_change_nothing_but_the_moves() -> None:
    """Before anybody else has moved, all that is said depends on the own hand only."""
    deals = [d for d in range(60) if sit(d).news() == []]
    assert len(deals) > 10
    for deal in deals[:10]:
        lines = sit(deal, ("random", "greedy")).position()
        assert lines[0] == "On the table: nothing: you hold 3♥ and lead with it"
        assert len(CARD.findall(lines[2])) == 16


def test_forced_passes_say_why() -> None:
    rng, reasons = random.Random(5), set()
    for deal in range(40):
        said, _ = play(sit(deal), rng)
        reasons |= {line.removeprefix("You pass: ") for line in said if line.startswith("You pass")}
    assert "you hold no higher single and no bomb" in reasons
    assert "you hold no higher pair and no bomb" in reasons
    assert all(reason.startswith("you hold no higher") for reason in reasons)
    free, _ = play(sit(0, must_beat=False), rng)
    assert "pass" in free


def test_nothing_beats_the_heavenly_bomb() -> None:
    for deal in range(400):
        sitting = sit(deal, ("greedy", "greedy"))
        if HEAVENLY in sitting.log[:2]:
            assert any(line.endswith("nothing beats the heavenly bomb") for line in sitting.news())
            return
    pytest.fail("no heavenly bomb in 400 deals of greedy play")


def test_the_hint_names_each_choice_with_its_error() -> None:
    sitting = sit(2)
    sitting.news()
    head, *lines = sitting.hint()
    assert head.startswith("Mean points over 500 worlds")
    assert len(lines) == len(sitting.choices()) > 1
    assert sum(line.endswith("best") and "less" not in line for line in lines) == 1
    for line, choice in zip(lines, sitting.choices(), strict=True):
        assert choice.text in line
        assert re.search(r"[+-]\d+\.\d ± \d+\.\d", line)
    assert sit(2).hint() == sitting.hint()


def test_wrong_answers() -> None:
    sitting = sit(2)
    n = len(sitting.choices())
    for index, amount in ((n, None), (-1, None), (0, 5)):
        with pytest.raises(InvalidInput):
            sitting.choose(index, amount)
    assert len(sitting.choices()) == n
    play(sitting, random.Random(1))
    assert sitting.choices() == []
    assert sitting.hint() == []
    assert sitting.position() == []
    with pytest.raises(InvalidInput, match="over"):
        sitting.choose(0)
    with pytest.raises(InvalidInput, match="players = 2"):
        RUN_FAST.sit(RunFastRules(), [RUN_FAST.make_policy("greedy")], 1, 1)


def test_penalties_in_words() -> None:
    from svara_sim.games.run_fast.deck import DECK

    rules = RunFastRules()
    assert explain_penalty(rules, DECK.hand("4s 4h 4d 4c 2s")) == [
        ("5 cards left", 5), ("2♠ left", 10), ("four 4s left", 10)
    ]  # fmt: skip
    assert explain_penalty(rules, DECK.hand("As Ad Ac")) == [("3 cards left", 3), ("three aces left", 10)]
    whole = DECK.hand("4s 4h 4d 5s 5h 5d 6s 6h 6d 7s 7h 7d 8s 8h 8d 2s")
    assert explain_penalty(rules, whole) == [("16 cards left, doubled: never played", 32), ("2♠ left", 10)]
    free = RunFastRules(last_card_free=True, double_scope="all")
    assert explain_penalty(free, DECK.hand("4s")) == [("1 card left", 0)]
    assert explain_penalty(free, whole) == [("16 cards left, doubled: never played", 32), ("2♠ left", 20)]

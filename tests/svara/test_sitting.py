"""A person at a table of Svara: what it is shown, what it may do, and that it plays the deal that it plays."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from svara_sim.core.errors import InvalidInput
from svara_sim.games.svara.game import SVARA
from svara_sim.games.svara.human import SvaraSitting

CARD = re.compile(r"(?:10|[7-9JQKA])[♠♥♦♣]")
WANTED = {"no blind", "raise to a level", "fold"}


def sit(deal: int, opponents: list[str], preset: str | None = None, seed: int = 11, **options: Any) -> SvaraSitting:
    rules = SVARA.make_rules(preset, options)
    return SVARA.sit(rules, [SVARA.make_policy(p) for p in opponents], seed, deal)


def play(sitting: SvaraSitting, rng: random.Random) -> tuple[list[str], list[str]]:
    """Everything said before the end, and after; the answers are random, folds rare."""
    said: list[str] = []
    while True:
        news = sitting.news()
        if sitting.over:
            return said + news, sitting.settlement()
        choices = sitting.choices()
        said += news + sitting.position() + [c.text for c in choices] + sitting.hint()
        assert sitting.settlement() == []
        index = rng.randrange(len(choices))
        if choices[index].text == "fold" and rng.random() < 0.8:
            index = 1
        choice = choices[index]
        sitting.choose(index, rng.randint(choice.low, min(choice.high, choice.low + 200)) if choice.high else None)


@pytest.mark.parametrize("preset", ["forte", "favorite", "vip"])
def test_whole_deals(preset: str) -> None:
    rng = random.Random(3)
    kinds = set()
    for deal in range(12):
        said, end = play(sit(deal, ["random", "loose", "call"], preset), rng)
        payoffs = [int(x) for x in re.findall(r": ([+-]\d+) chips", "\n".join(end))]
        assert len(payoffs) == 4
        assert sum(payoffs) == 0
        kinds |= {words for words in WANTED if words in "\n".join(said)}
        shown = [line for line in said if CARD.search(line)]
        assert all(re.match(r"Your cards|You get", line) for line in shown)  # nobody else's cards
    assert kinds == WANTED


def test_a_person_who_calls_gets_what_the_policy_gets() -> None:
    """`call` never bets blind and stays out of svaras: the same answers, the same deal."""
    rules = SVARA.make_rules(None, {})
    others = ["threshold", "random", "loose"]
    table = SVARA.make_table(rules, [SVARA.make_policy(p) for p in ["call", *others]], 11)
    for deal in range(12):
        sitting = sit(deal, others)
        while not sitting.over:
            texts = [choice.text for choice in sitting.choices()]
            sitting.choose(1 if texts[0] == "fold" else 0)
        history = next(iter(table.replay(deal, 1)))
        assert sitting.history() == history


def test_joining_a_svara() -> None:
    """Among four who call, a tie of two others: seat 0 is asked whether it joins, and gets new cards if it does."""
    rules = SVARA.make_rules(None, {})
    table = SVARA.make_table(rules, [SVARA.make_policy("call")] * 4, 11)
    svaras = [h for h in table.replay(0, 100) for e in h["events"] if e["type"] == "svara" and 0 not in e["seats"]]
    sitting = sit(svaras[0]["deal"], ["call"] * 3)
    said: list[str] = []
    while "stay out" not in [c.text for c in sitting.choices()]:
        said += sitting.news()
        sitting.choose(1 if sitting.choices()[0].text == "fold" else 0)
    said += sitting.news()
    assert any(re.match(r"-- svara: seat \d .* tie for \d+ chips; joining costs \d+ --", line) for line in said)
    assert "(of the last round" in "\n".join(sitting.position())
    assert "Share of one hand among equals: 33.3% (exact)" in sitting.hint()[1]
    sitting.choose(1)
    assert any(line.startswith("You join for") for line in sitting.news())
    assert any(c.text == "no blind" for c in sitting.choices()) or "Your cards" in "\n".join(sitting.position())


def test_hints() -> None:
    sitting = sit(4, ["loose", "loose", "loose"], seed=5)
    first, second = sitting.hint()
    assert re.match(r"Showdown against 3 random hands: you win \d+\.\d% of the pot", first)
    assert "12.5%" in second  # 60 chips for a pot of 480
    sitting.showdown_share = lambda cards, points, players: 0.5
    sitting.share_note = "a guess"
    assert "you win 50.0% of the pot on average (a guess" in sitting.hint()[0]
    assert "more than the price" in sitting.hint()[1]


def test_wrong_answers() -> None:
    sitting = sit(4, ["loose", "loose", "loose"], seed=5)
    choices = sitting.choices()
    assert [c.text for c in choices[:2]] == ["fold", "call, paying 60"]
    for index, amount in ((3, None), (-1, None), (0, 60), (2, None), (2, 119), (2, 6001)):
        with pytest.raises(InvalidInput):
            sitting.choose(index, amount)
    sitting.choose(0)
    sitting.news()
    while not sitting.over:
        sitting.choose(0)
    assert sitting.choices() == []
    assert sitting.hint() == []
    assert sitting.position() == []
    with pytest.raises(InvalidInput, match="over"):
        sitting.choose(0)
    with pytest.raises(InvalidInput, match="players = 11"):
        sit(0, ["call"] * 10)
    assert sitting.n_seats == 4

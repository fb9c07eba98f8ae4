"""Every vector of section 10 of the rule page."""

from __future__ import annotations

import numpy as np
import pytest

from svara_sim.games.run_fast.kernel.hands import pack_levels
from svara_sim.games.run_fast.kernel.layout import SCORE
from svara_sim.games.run_fast.kernel.moves import HEAVENLY, PASS
from svara_sim.games.run_fast.kernel.settlement import penalty_of
from svara_sim.games.run_fast.kernel.slots import FINISHED, ILLEGAL, PLIES, STATUS, STOP_MOVE
from svara_sim.games.run_fast.rules import RunFastRules

from .positions import legal_slots, levels, play_position, setup_of, slot

MOVES = """
L01 | 3 | lead | 3
L02 | 2 | lead | 2
L03 | 3344 | lead | 3 4 33 44 3344
L04 | 3334 | lead | 3 4 33 333
L05 | 7777 | lead | 7 77 777 7777
L06 | AAA | lead | A AA AAA
L07 | 34567 | lead | 3 4 5 6 7 34567
L08 | 3456 | lead | 3 4 5 6
L09 | TJQKA2 | lead | T J Q K A 2 TJQKA
L10 | JQKA2 | lead | J Q K A 2
L11 | 345A2 | lead | 3 4 5 A 2
L12 | 333444 | lead | 3 4 33 44 333 444 3344
L13 | QQKKAA | lead | Q K A QQ KK AA QQKK KKAA QQKKAA
F01 | 378A2 | 7 | 8 A 2
F02 | AAA | 2 | AAA
F03 | KKKA | 2 | -
F04 | 2KK | A | 2
F05 | 667882 | 55 | 66 88
F06 | 2KKKK | AA | KKKK
F07 | 666 | 55 | 66
F08 | 6666 | 55 | 66 6666
F09 | 6666 | 555 | 666 6666
F10 | AAA | KKK | AAA
F11 | 4455 | 333 | -
F12 | 456789 | 34567 | 45678 56789
F13 | 34567 | 34567 | -
B01 | 5555AAA | 4444 | 5555 AAA
B02 | AAA2 | KKKK | AAA
B03 | KKKK2 | AAA | -
B04 | AAAKKKK2 | 3333* | -
"""
OPENINGS = """
O01 | 3H 3S 4S 5S 6S 7S KS 2S | 3 33 34567
O02 | 3H 4S 4H 4D 4C | 3
O03 | 3H 3S 3D 3C 4S 4H | 3 33 333 3333* 3344
"""
PENALTIES = """
S01 | 4S 5S 9H | False | 3 | 3
S02 | 9H | False | 1 | 1
S03 | 2S | False | 11 | 11
S04 | 2S 5S 6S 9H TH | False | 15 | 15
S05 | 4S 4H 4D 4C 9H | False | 15 | 15
S06 | AS AD AC | False | 13 | 13
S07 | AS AD KH | False | 3 | 3
S08 | 4S 4H 4D 4C 5S 5H 5D 5C | False | 28 | 28
S09 | 4S 4H 4D 4C 5S 6S 7S 8S | False | 18 | 18
"""
DEALS = """
D01 | 4S / 5S 6S / 7S 8S 9S | 0 | False | 4 | [5, -2, -3]
D02 | 4S 9S / TS KS / 7S 8S | 0 | False | 4 T - - K | [-1, 3, -2]
D03 | 4S 6S / 9S 9H 9D 9C 5S / 3S 7S | 0 | False | 4 9999 - - 5 | [-11, 23, -12]
D04 | 4S 6S / 9S 9H 9D 9C 5S / TS TH TD TC 7S | 0 | False | 4 9999 TTTT - - 7 | [-11, -11, 22]
D05 | 4S 6S / 9S 9H 9D 9C / AS AD AC | 0 | False | 4 9999 | [-11, 34, -23]
D06 | 4S 4H 4D 4C 6S / 5S 7S / 8S | 0 | False | 4444 - - 6 | [3, -2, -1]
D07 | 4S 4H 4D 4C 6S / 5S 5H 5D 5C / 8S 9S | 0 | False | 4444 5555 | [-11, 23, -12]
D08 | 4S 6S / KS KH KD KC 5S / AS AD AC 7S | 0 | False | 4 KKKK AAA - - 7 | [-11, -11, 22]
"""
ILLEGAL_MOVES = """
X01 | 4S 5S / 6S / 7S | 0 | False |  | -
X02 | 4S 5S / 6S 8S / 7S | 0 | False | 4 | -
X03 | 2S 5S / 9S 9H 9D 9C 4S / 7S | 0 | False | 2 | -
X04 | 3H 4S 5S / 6S 8S / 7S | 0 | True |  | 4
X05 | 3S 4S 5S 6S 7S 9S / 4H 5H 6H 7H 8H 9H / TS | 0 | False | 34567 | 456789
"""
RULES = RunFastRules()


def rows(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]


def wanted(text: str) -> list[int]:
    return sorted(slot(w) for w in text.split()) if text != "-" else []


@pytest.mark.parametrize(("name", "hand", "top", "expected"), rows(MOVES))
def test_legal_moves(name: str, hand: str, top: str, expected: str) -> None:
    top_slot = PASS if top == "lead" else slot(top)
    found, passable = legal_slots(levels(hand), top_slot, False, RULES)
    assert found == wanted(expected)
    assert passable == (expected == "-")


@pytest.mark.parametrize(("name", "hand", "expected"), rows(OPENINGS))
def test_openings(name: str, hand: str, expected: str) -> None:
    found, passable = legal_slots(levels(hand), PASS, True, RULES)
    assert found == wanted(expected.replace("3333*", "3333"))
    assert not passable
    if "3333*" in expected:
        four_threes, rest = levels("3333"), levels("44")
        setup = setup_of(["random"] * 3)
        _, _, scratch = play_position([four_threes | rest, levels("5"), levels("6")], 0, True, [48], setup)
        assert scratch.log[0] == HEAVENLY


@pytest.mark.parametrize(("name", "hand", "never", "default", "all_"), rows(PENALTIES))
def test_penalties(name: str, hand: str, never: str, default: str, all_: str) -> None:
    held = levels(hand + " ")
    assert penalty_of(held, never == "True", RULES.kernel_options()) == int(default)
    assert penalty_of(held, never == "True", RunFastRules(double_scope="all").kernel_options()) == int(all_)


def test_penalty_of_one_who_never_played() -> None:
    # 16 cards with the two and a bomb: 16 doubled and 20 extra; all doubled; nothing doubled
    hand = levels("44445678TTJJQQK2")
    for scope, points in (("cards", 52), ("all", 72), ("none", 36)):
        assert penalty_of(hand, True, RunFastRules(double_scope=scope).kernel_options()) == points
    free = RunFastRules(last_card_free=True).kernel_options()
    assert [penalty_of(levels(h), False, free) for h in ("9", "2", "89")] == [0, 10, 2]


@pytest.mark.parametrize(("name", "hands", "first", "opening", "moves", "scores"), rows(DEALS))
def test_deals(name: str, hands: str, first: str, opening: str, moves: str, scores: str) -> None:
    script = [slot(w) for w in moves.split()]
    held = [levels(h + " ") for h in hands.split("/")]
    row, ledger, _ = play_position(held, int(first), opening == "True", script, setup_of(["random"] * 3))
    assert ledger[STATUS] == FINISHED
    assert ledger[PLIES] == len(script)
    assert row[SCORE : SCORE + 3].tolist() == eval(scores)


@pytest.mark.parametrize(("name", "hands", "first", "opening", "before", "move"), rows(ILLEGAL_MOVES))
def test_illegal_moves(name: str, hands: str, first: str, opening: str, before: str, move: str) -> None:
    illegal = slot(move)
    script = [slot(w) for w in before.split()]
    held = [levels(h + " ") for h in hands.split("/")]
    _, ledger, _ = play_position(held, int(first), opening == "True", [*script, illegal], setup_of(["random"] * 3))
    assert ledger[STATUS] == ILLEGAL
    assert ledger[STOP_MOVE] == illegal
    assert ledger[PLIES] == len(script)


def test_pack_levels_of_real_cards() -> None:
    # 3♠ 3♥ 4♠: suit * 13 + rank
    assert pack_levels(np.uint64(1 | 1 << 13 | 1 << 1)) == levels("334")

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from svara_sim.cli import main


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    return int(left.value.code or 0)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    assert run("odds", *arguments, "--json") == 0
    return json.loads(capsys.readouterr().out)


def test_table_figures_are_the_rule_pages(capsys: pytest.CaptureFixture[str]) -> None:
    two, three = (answer(capsys, "--players", n) for n in ("2", "3"))
    assert two["p_svara"] == "3223/31248"
    assert three["p_svara"] == "9813809/93496000"
    assert set(three["tied"]) == {"2", "3"}
    assert two["p_svara_float"] == pytest.approx(3223 / 31248, rel=1e-15)
    assert sum(map(Fraction, three["best_points"].values())) == 1
    assert (three["players"], three["rules"]["joker"], three["method"]) == (3, True, "exact")


def test_every_fraction_is_written_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    best = answer(capsys, "7♣ 7h 7d", "--players", "2")
    assert best["p_loss"] == "0/1"
    assert Fraction(best["p_win"]) + Fraction(best["p_svara"]) == 1


def test_hand_against_a_count_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    from itertools import combinations

    from svara_sim.games.svara.rules import SvaraRules
    from svara_sim.games.svara.scoring import DECK, HANDS, points_table

    hand, dead = DECK.hand("Ah Kh 9d"), DECK.hand("As 7c")
    table = dict(zip(HANDS, points_table(SvaraRules()).tolist(), strict=True))
    own = table[tuple(sorted(hand))]
    others = [table[h] for h in combinations([c for c in range(32) if c not in hand + dead], 3)]
    found = answer(capsys, "Ah Kh 9d", "--players", "2", "--dead", "As 7c")
    assert found["points"] == own
    assert Fraction(found["p_win"]) == Fraction(sum(p < own for p in others), len(others))
    assert Fraction(found["p_svara"]) == Fraction(sum(p == own for p in others), len(others))
    assert Fraction(found["share"]) == Fraction(found["p_win"]) + Fraction(found["p_svara"]) / 2
    fewer = sum(p < own for p in table.values()) + Fraction(sum(p == own for p in table.values()), 2)
    assert Fraction(found["percentile"]) == fewer / 4960


def test_an_estimate_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "--players", "6", "--method", "estimate", "--deals", "20000", "--seed", "3")
    exact = answer(capsys, "--players", "6")
    assert found["method"] == "estimate"
    error = found["p_svara_standard_error"]
    assert abs(found["p_svara_float"] - exact["p_svara_float"]) < 4 * error
    assert run("odds", "--players", "6", "--method", "estimate", "--deals", "20000") == 0
    assert "an estimate from 20,000 simulated deals" in capsys.readouterr().out


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("odds", "7♣ Kh Kd", "--players", "4", "--dead", "As") == 0
    shown = capsys.readouterr().out
    assert "31 points, 4 players" in shown
    assert "without A♠" in shown
    assert run("odds", "--players", "4") == 0
    assert "svara" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("7♣ Kh Kx", "--players", "4"), "unknown card 'Kx'"),
        (("7♣ Kh Kh", "--players", "4"), "repeated card K♥"),
        (("7♣ Kh Kd 8d", "--players", "4"), "4 cards"),
        (("7♣ Kh", "--players", "4"), "2 cards"),
        (("7♣ Kh Kd", "--players", "4", "--dead", "Kh"), "dead card K♥ is in the hand"),
        (("7♣ Kh Kd", "--players", "4", "--dead", "8h 8h"), "repeated card 8♥"),
        (("7♣ Kh Kd", "--players", "10", "--dead", "8h 9h 10h"), "3 dead cards leave 29"),
        (("7♣ Kh Kd", "--players", "11"), "from 2 to 10"),
        (("--players", "1"), "from 2 to 10"),
        (("--players", "4", "--dead", "As"), "give the hand too"),
        (("7♣ Kh Kd",), "--players"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    arguments: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("odds", *arguments) == 2
    written = capsys.readouterr()
    assert written.out == ""
    assert told in written.err
    assert len(written.err.splitlines()) == 1

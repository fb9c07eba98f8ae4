"""Run Fast from the command line: run, replay, summary, policies, and errors on one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.twins.run_fast_rulebook import audit

from .helpers import svara

TABLE = ("--game", "run_fast", "--seat", "greedy", "--seat", "random", "--seat", "random")


def test_run_and_summary(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = str(tmp_path / "demo")
    code, out, _ = svara(capsys, "run", *TABLE, "--deals", "20_000", "--seed", "7", "--out", folder)
    assert code == 0
    assert "points by seat" in out
    assert "a bomb's bonus is paid" in out
    assert "antes" not in out
    code, again, _ = svara(capsys, "summary", folder, "--json")
    assert code == 0
    rows = json.loads(again)["tables"]["points_by_seat"]
    assert [row["policy"] for row in rows] == ["greedy", "random", "random"]
    assert [row["unit"] for row in rows] == ["points"] * 3
    assert rows[0]["mean"] == pytest.approx(5.12, abs=4 * rows[0]["standard_error"])  # rule page, section 8
    code, from_folder, _ = svara(capsys, "replay", folder, "--deal", "123", "--json")
    _, from_table, _ = svara(capsys, "replay", *TABLE, "--seed", "7", "--deal", "123", "--json")
    assert code == 0
    assert json.loads(from_folder) == json.loads(from_table)


def test_replays_follow_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = svara(capsys, "replay", "--game", "run_fast", "--deals", "0:100", "--seat", "random", "--json")
    assert code == 0
    histories = [json.loads(line) for line in out.splitlines()]
    assert [h["deal"] for h in histories] == list(range(100))
    for history in histories:
        audit(history)


def test_policies(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = svara(capsys, "policies", "--game", "run_fast", "--json")
    assert code == 0
    names = [json.loads(line)["name"] for line in out.splitlines()]
    assert names == ["random", "greedy", "fewest", "fewest_long", "monte_carlo"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--players", "2"), "players = 2: must be from 3 to 3"),
        (("--players", "4"), "players = 4: must be from 3 to 3"),
        (("--seat", "rock"), "policy = 'rock': must be 'random', 'greedy'"),
        (("--seat", "greedy:x=1"), "greedy has no parameters"),
        (("--seat", "monte_carlo:worlds=0"), "worlds = 0: must be from 1 to 100000"),
        (("--set", "must_beats=true"), "did you mean 'must_beat'?"),
        (("--set", "spade2_penalty=501"), "spade2_penalty = 501: must be from 0 to 500 points"),
        (("--rules", "forte"), "must be a preset (standard)"),
        (("--session", "10"), "Run Fast has no sessions"),
    ],
)
def test_errors_are_one_line(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str) -> None:
    code, out, err = svara(capsys, "run", "--game", "run_fast", "--deals", "100", *arguments)
    assert code == 2
    assert out == ""
    assert told in err
    assert len(err.splitlines()) == 1


def test_a_policy_from_a_table_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table = tmp_path / "mine.csv"
    table.write_text("points,p_call\n20,1\n")
    code, _, err = svara(capsys, "run", "--game", "run_fast", "--deals", "100", "--seat", f"table:{table}")
    assert code == 2
    assert "Run Fast has no policies from tables" in err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("run_fast", "--players", "4"), "players = 4: must be from 3 to 3"),
        (("svara", "--players", "1"), "players = 1: must be from 2 to 10"),
        (("run_fast", "--against", "rock"), "policy = 'rock'"),
        (("run_fast", "--deal", "-1"), "deal = -1: must be from 0"),
        (("svara", "--seed", "-1"), "seed = -1: must be from 0"),
        (("whist",), "'whist' is not one of"),
    ],
)
def test_errors_of_play_are_one_line(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str) -> None:
    code, out, err = svara(capsys, "play", *arguments)
    assert code == 2
    assert out == ""
    assert told in err
    assert len(err.splitlines()) == 1

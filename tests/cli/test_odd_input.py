"""Input that makes no sense ends in one line on standard error and exit code 2, whatever the command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .helpers import svara

SMALL = ("--players", "2", "--deals", "40", "--quiet")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a command should not have written is not written into the checkout."""
    monkeypatch.chdir(tmp_path)


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one line of a command that refuses its input."""
    code, out, err = svara(capsys, *arguments)
    assert (code, out, len(err.splitlines())) == (2, "", 1), err
    return err


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("points 7x Kh Kd", "7x"),
        ("points 7s 7s Kd", "repeated card 7♠"),
        ("points 7s Kd", "a hand has 3"),
        ("odds 7s Kd As --players 1", "players = 1: must be from 2 to 10"),
        ("odds 7s Kd As --players 11", "players = 11: must be from 2 to 10"),
        ("odds 7s Kd As --players 3 --dead As", "A♠"),
        ("run --players 11", "players = 11: must be from 2 to 10"),
        ("run --set ante=-5", "ante = -5"),
        ("run --deals 0", "n_deals = 0: must be from 1"),
        ("run --deals 1.5", "'1.5' is not a whole number"),
        ("run --seat threshold:cal=3", "did you mean 'call'?"),
        ("run --threads 0", "n_threads = 0: must be from 1"),
        ("run --out s3://", "s3://: must name a bucket: s3://BUCKET/KEY"),
        ("run --nonsense", "No such option"),
        ("replay --deals 5:3", "--deals = '5:3': must be a range"),
        ("compare --a rock --b tight --target-error nan", "target_error = nan"),
        ("compare --a rock --b tight --players 1", "players = 1"),
        ("league rock", "must be at least two"),
        ("league rock rock", "must be at least two"),
        ("league threshold:call=9..3 rock", "a range is LOW..HIGH"),
        ("best threshold:call=3..9/0", "a range is LOW..HIGH"),
        ("play svara --set ante=-1", "ante = -1"),
        ("bench --seconds nan", "--seconds = nan: must be more than 0"),
        ("bench --seats 11", "players = 11"),
        ("summary none", "none: no such dataset"),
        ("sweep none.toml --dry-run", "none.toml: cannot be read"),
    ],
)
def test_options(command: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert told in refused(capsys, *command.split())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("players = [3\n", "line 1: players: is not TOML"),
        ("players = 1\ndeals = 10\n", "line 1: point 0: players = 1: must be from 2 to 10"),
        ("deals = 10\nnonsense = 1\n", "line 2: field = 'nonsense'"),
        (
            'deals = 10\n[design]\n"seats.0.call" = { from = 9, to = 3 }\n',
            "line 3: seats.0.call: the range goes backward",
        ),
    ],
)
def test_sweep_files(text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sweep.toml").write_text(text)
    assert told in refused(capsys, "sweep", "sweep.toml", "--dry-run")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def bet(view: return 1\n", "failed with SyntaxError"),
        ("import sys\nsys.exit(3)\n", "failed with SystemExit: 3"),
        ("import nothing_of_this_name\n", "failed with ModuleNotFoundError"),
        ("", "defines no 'bet'; it defines nothing"),
    ],
)
def test_policy_files(text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text(text)
    assert told in refused(capsys, "run", *SMALL, "--seat", "mine.py:bet")


def test_targets_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "sweep.toml").write_text("deals = 10\n")
    for target in ("file", "file/below"):
        refused(capsys, "run", *SMALL, "--out", target)
        refused(capsys, "sweep", "sweep.toml", "--out", target)
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize(
    ("field", "value"),
    [("points", 5), ("points", [{"x": 1}]), ("points", [{"hash": "a", "values": []}]), ("fields", 3), ("sweep", {}),
     ("status", "foo")],
)  # fmt: skip
def test_manifests_of_sweeps_that_were_tampered_with(
    field: str, value: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sweep.toml").write_text('deals = 10\n[design]\n"rules.ante" = [10, 20]\n')
    assert svara(capsys, "sweep", "sweep.toml", "--out", "out")[0] == 0
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    (tmp_path / "out" / "manifest.json").write_text(json.dumps({**manifest, field: value}))
    assert f"damaged: {field} = " in refused(capsys, "summary", "out")
    assert f"damaged: {field} = " in refused(capsys, "sweep", "sweep.toml", "--out", "out", "--status")


@pytest.mark.parametrize("game", ["svara", "run_fast"])
def test_without_the_jit_nothing_is_said_on_standard_error(game: str) -> None:
    command = [sys.executable, "-W", "error", "-c", "from svara_sim.cli import main; main()"]
    for what in (["run", "--deals", "3"], ["replay", "--deals", "1:3"]):
        arguments = [*command, *what, "--game", game, "--seed", "5"]
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
        done = subprocess.run(arguments, env=environment, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")

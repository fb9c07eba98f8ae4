"""`svara sweep`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from svara_sim.cli.main import cli, main
from svara_sim.core.errors import InvalidInput
from svara_sim.experiments.sweep import open_sweep, run_sweep, timing

FILE = """\
players = 3
deals = 300
seats = ["threshold", "rock"]
[design]
"seats.0.call" = { from = 18, to = 20 }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sweep.toml"
    path.write_text(FILE)
    return path


def run(*arguments: object) -> str:
    done = CliRunner().invoke(cli, ["sweep", *map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def found(*arguments: object) -> Any:
    return json.loads(run(*arguments, "--json"))


def test_a_sweep_from_plan_to_result(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    plan = run(file, "--dry-run")
    assert "point 2: 300 deals  seats.0.call = 20" in plan
    assert "3 points, 900 deals; 3 to play: about" in plan
    assert not out.exists()
    assert "0 of 3 points, 0 of 900 deals; not complete" in run(file, "--out", out, "--status")
    told = run(file, "--out", out)
    assert "3 points in" in told
    assert "payoff antes" in told
    assert "3 of 3 points, 900 of 900 deals; complete" in run(file, "--out", out, "--status")
    assert open_sweep(out).complete
    file.write_text(FILE.replace("to = 20", "to = 19"))
    assert "2 points, 600 deals; 0 to play: about 0 s" in run(file, "--out", out, "--dry-run")
    run(file, "--out", out)
    assert "1 other points stay in the folder" in run(file, "--out", out, "--status")


def test_json(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    plan = found(file, "--dry-run")
    assert plan["points"] == [{"seats.0.call": c} for c in (18, 19, 20)]
    assert (plan["n_points"], plan["n_deals"], plan["to_play"]) == (3, 900, 3)
    assert plan["estimated_seconds"] >= 0
    result = found(file, "--out", out)
    assert result["fields"] == ["seats.0.call"]
    assert [(p["point"], p["seat"]) for p in result["points"]] == [(p, s) for p in range(3) for s in range(3)]
    assert {"payoff_antes", "payoff_se_antes", "svara", "ending_showdown_se"} <= set(result["points"][0])
    status = found(file, "--out", out, "--status")
    assert status == {
        "n_points": 3,
        "n_done": 3,
        "n_deals": 900,
        "deals_done": 900,
        "unwanted": 0,
        "complete": True,
        "at_most": False,
    }


def test_a_target_that_is_not_met_is_said(file: Path, tmp_path: Path) -> None:
    file.write_text(FILE.replace("deals = 300", "target_error_antes = 0.001\nmax_deals = 400"))
    assert "at most 400 deals" in run(file, "--dry-run")
    out = tmp_path / "out"
    assert "3 points reached max_deals before the target error" in run(file, "--out", out)
    assert "3 points, at most 1,200 deals; 0 to play" in run(file, "--out", out, "--dry-run")
    assert "3 of 3 points, at most 1,200 of at most 1,200 deals; complete" in run(file, "--out", out, "--status")
    assert found(file, "--dry-run")["at_most"]
    assert found(file, "--out", out, "--status")["at_most"]


def summary(*arguments: object) -> str:
    done = CliRunner().invoke(cli, ["summary", *map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_summary_of_a_sweep(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    told = run(file, "--out", out)
    assert "best for" not in told, "three points are seen at a glance"
    assert summary(out) == told
    assert summary(out, "--table", "best").count("threshold:call=") == 3
    assert json.loads(summary(out, "--json")) == found(file, "--out", out)
    file.write_text(FILE.replace("to = 20", "to = 32"))
    told = run(file, "--out", out)
    assert summary(out) == told
    assert "best for seat 0, whose policy varies" in told
    assert told.count("threshold:call=") == 5
    assert "all points: svara summary" in told
    assert summary(out, "--table", "points").count("threshold:call=") == 2 * 15
    payoffs = [p["payoff_antes"] for p in found(file, "--out", out)["points"] if p["seat"] == 0]
    rows = open_sweep(out).best(3)
    assert rows["payoff_antes"].to_list() == sorted(payoffs, reverse=True)[:3]
    assert rows["seat"].to_list() == [0] * 3


@pytest.mark.parametrize(
    ("design", "hero"),
    [
        ('"rules.blind_size" = [60, 120]', None),
        ('"seats.1" = ["rock", "tight"]', 1),
        ('"seats.1" = ["rock", "tight"]\n"rules.blind_size" = [60, 120]', 1),
        ('"seats.1" = ["rock", "tight"]\n"seats.0.call" = [18, 20]', None),
        ('"seats.0-1" = ["rock", "tight"]', None),
    ],
)
def test_the_seat_that_a_sweep_is_about(design: str, hero: int | None, file: Path, tmp_path: Path) -> None:
    file.write_text(FILE.partition("[design]")[0] + f"[design]\n{design}\n")
    result = run_sweep(file, tmp_path / "out")
    assert result.hero == hero
    if hero is None:
        with pytest.raises(InvalidInput, match="varies no single policy"):
            result.best()
        with pytest.raises(SystemExit):
            main(["summary", str(tmp_path / "out"), "--table", "best"])


def test_the_summary_of_a_sweep_that_is_not_done(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(file, "--out", out)
    manifest = json.loads((out / "manifest.json").read_text())
    (out / "manifest.json").write_text(json.dumps({**manifest, "status": "running"}))
    for points in sorted((out / "points").iterdir()):
        assert "of 3 points; not complete: run the same svara sweep command" in summary(out)
        points.unlink()
    assert summary(out).startswith(f"{out}: 0 of 3 points; not complete")


def test_estimates_know_how_many_deals_a_target_needs(file: Path) -> None:
    from svara_sim.experiments.sweep import estimated_seconds, read_sweep

    def seconds(target: float) -> float:
        file.write_text(FILE.replace("deals = 300", f"target_error_antes = {target}\nmax_deals = 1_000_000_000"))
        return estimated_seconds(read_sweep(file).points, 1)

    assert seconds(0.001) > 20 * seconds(0.01) > 0
    assert timing.estimated_seconds([], 1) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--out: missing"),
        (["--out", "x", "--executor", "threads", "--dask-address", "tcp://127.0.0.1:1"], "--dask-address: belongs to"),
        (["--out", "x", "--executor", "boats"], "--executor"),
    ],
)
def test_wrong_options_end_in_one_line(
    arguments: list[str], message: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["sweep", str(file), *arguments])
    assert left.value.code == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_wrong_files_end_in_one_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(FILE.replace("threshold", "treshold"))
    with pytest.raises(SystemExit) as left:
        main(["sweep", str(file), "--dry-run"])
    assert left.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith(f"svara: error: {file}: line 5: seats.0.call: ")
    assert error.count("\n") == 1


def test_help_shows_a_sweep_file() -> None:
    assert "target_error_antes" in run("--help")

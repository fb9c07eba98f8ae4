"""A sweep of 200 points killed with `kill -9` equals an unbroken one."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import pytest

from svara_sim.experiments.sweep import open_sweep, run_sweep
from svara_sim.experiments.sweep.points import point_source

from ..children import child_command, child_environment
from ..fake_game import DiceGame
from .sweeps import assert_same_results, two_hundred

SCRIPT = f"""
import sys
from experiments.fake_game import DiceGame
from experiments.sweep.sweeps import two_hundred
from svara_sim.experiments.sweep import points, run_sweep

points.point_source = lambda: {point_source()!r}  # whoever edits the sources during the tests
run_sweep(two_hundred(game=DiceGame(pause=0.005)), sys.argv[1], n_threads=2)
"""


@pytest.mark.slow
def test_kill_9_at_a_third(tmp_path: Path) -> None:
    out = tmp_path / "killed"
    process = subprocess.Popen(child_command(SCRIPT, out), env=child_environment(), stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while len(list(out.glob("points/*.parquet"))) < 67:
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < deadline
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    killed = open_sweep(out)
    assert not killed.complete
    assert 67 <= killed.n_done < 200
    stands = {p.name: p.stat().st_mtime_ns for p in (out / "points").glob("*.parquet")}
    resumed = run_sweep(two_hundred(game=DiceGame()), out)
    assert resumed.manifest.resumed == 1
    assert stands.items() <= {p.name: p.stat().st_mtime_ns for p in (out / "points").iterdir()}.items()
    assert not list(out.glob("**/.*"))
    assert_same_results(resumed, run_sweep(two_hundred(), tmp_path / "whole"))

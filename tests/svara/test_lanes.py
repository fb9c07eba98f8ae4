"""The same deals with the JIT off, and with bounds checked, each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .lane_child import sample

TESTS = Path(__file__).parents[1]


def run_child(*arguments: str, **variables: str) -> str:
    """What the sample is under these environment variables."""
    paths = [str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **variables}
    command = [sys.executable, "-W", "error", "-m", "svara.lane_child", *arguments]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_without_the_jit_and_with_suits_exchanged() -> None:
    """Plain Python plays the same deals, and ♠ ♥ ♦ can be exchanged in the hands that the kernel deals."""
    assert run_child("relabel", NUMBA_DISABLE_JIT="1") == sample()


@pytest.mark.slow
def test_with_bounds_checked(tmp_path: Path) -> None:
    """No array is read or written out of bounds; kernels of its own, since Numba's cache does not tell them apart."""
    assert run_child("bounds", NUMBA_BOUNDSCHECK="1", SVARA_SIM_CACHE_DIR=str(tmp_path)) == sample()
    assert list(tmp_path.glob("kernels-*/**/*.nbi"))

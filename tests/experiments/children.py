"""Other processes that run the dice game of these tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from svara_sim.experiments.dataset.manifest import code_versions

TESTS = Path(__file__).resolve().parents[1]


def child_command(script: str, *arguments: object) -> list[str]:
    """Command of a process that runs `script` and takes itself for the same code as this one.

    (While somebody edits the sources it would not be, and would rightly refuse to resume this one's runs.)
    """
    same_code = (
        f"from svara_sim.experiments.dataset import manifest\nmanifest.code_versions = lambda: {code_versions()!r}\n"
    )
    return [sys.executable, "-c", same_code + script, *map(str, arguments)]


def child_environment() -> dict[str, str]:
    """Environment in which it finds the package and the game."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)])}

"""Pairs without the JIT are the same to the last bit: the kernel relies on nothing that only the compiler does."""

from __future__ import annotations

import os
import subprocess
import sys

PROGRAM = """
import hashlib
import numpy as np
from svara_sim.games.capabilities import paired_game
from svara_sim.games.registry import get_game

game = get_game("svara")
digest = hashlib.blake2b(digest_size=8)
for a, b, field, players in (("loose:join=1", "tight", "loose:join=0.5", 4), ("threshold", "tight", "threshold", 5)):
    policies = [game.make_policy(p) for p in (a, b, field)]
    pairs = paired_game(game).make_pairs(game.make_rules(), *policies, players, 7, "play")
    block = pairs.play(0, 60, np.full((4960, 11), 0.5))
    digest.update(block.differences.tobytes() + block.controls.tobytes())
    digest.update(repr((block.rounds_played, block.svaras_played)).encode())
print(digest.hexdigest())
"""


def digest_with(**environment: str) -> str:
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        env={**os.environ, **environment}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stdout.strip()


def test_without_the_jit_pairs_are_the_same() -> None:
    assert digest_with(NUMBA_DISABLE_JIT="1") == digest_with()

"""Named places in the arrays that kernels share, and their sizes."""

from __future__ import annotations

__all__ = [
    "BOMBS_PLAYED",
    "BONUS",
    "CLAMPED",
    "FINISHED",
    "HEAVENLY_PLAYED",
    "ILLEGAL",
    "KEY_CARDS",
    "KEY_OWN",
    "KEY_RANDOM",
    "KEY_WORLDS",
    "MAX_PLIES",
    "N_DRAWS",
    "N_GIVEN_UP",
    "N_KEYS",
    "N_LEDGER",
    "N_PASSES",
    "N_WORLDS",
    "PLAYS",
    "PLIES",
    "REPLY_BOMBS",
    "ROUNDS",
    "STATUS",
    "STOP_MOVE",
    "STOP_SEAT",
    "WAITING",
    "WINNER",
]

# At most 48 plays, each followed by at most two passes (more than any deal has under must-beat).
MAX_PLIES = 144

# Streams of `Setup.keys`.
KEY_CARDS, KEY_RANDOM, KEY_WORLDS, KEY_OWN = range(4)
N_KEYS = 4

# Slots of `Scratch.ledger`; those of the second line are three long, by seat.
STATUS, WINNER, ROUNDS, PLIES, PLAYS, HEAVENLY_PLAYED, STOP_SEAT, STOP_MOVE = range(8)
BONUS, BOMBS_PLAYED, REPLY_BOMBS, CLAMPED = 8, 11, 14, 17
N_LEDGER = 20
FINISHED, ILLEGAL, WAITING = 0, 1, 2

# Slots of `Hidden.counts`.
N_PASSES, N_WORLDS, N_DRAWS, N_GIVEN_UP = range(4)

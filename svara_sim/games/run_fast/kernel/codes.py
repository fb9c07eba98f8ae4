"""Codes of the policies, as `Seats.codes` holds them; from `ASK` on, the kernel stops for a move from outside."""

from __future__ import annotations

__all__ = ["ASK", "FEWEST", "FEWEST_LONG", "GREEDY", "HINT", "MONTE_CARLO", "OWN", "RANDOM"]

RANDOM, GREEDY, FEWEST, FEWEST_LONG, MONTE_CARLO, OWN = range(6)
ASK, HINT = 6, 7  # a hint leaves the Monte Carlo policy's estimates in `Scratch.sums`

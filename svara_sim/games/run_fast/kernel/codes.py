"""Codes of the policies, as `Seats.codes` holds them."""

from __future__ import annotations

__all__ = ["ASK", "FEWEST", "FEWEST_LONG", "GREEDY", "MONTE_CARLO", "OWN", "RANDOM"]

RANDOM, GREEDY, FEWEST, FEWEST_LONG, MONTE_CARLO, OWN, ASK = range(7)

"""Floor 3: estimates with their errors, intervals that hold while one looks, controls, rankings: knows no game."""

from __future__ import annotations

from .controls import Control
from .halving import better_half, halving_rounds
from .ranking import PairedComparison, compare_all, mean_and_interval
from .sequences import ConfidenceSequence, Moments

__all__ = [
    "ConfidenceSequence",
    "Control",
    "Moments",
    "PairedComparison",
    "better_half",
    "compare_all",
    "halving_rounds",
    "mean_and_interval",
]

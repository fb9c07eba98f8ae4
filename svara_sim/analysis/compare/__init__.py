"""Comparing: intervals that stay valid while one looks, controls with exact means, rankings, elimination."""

from .control import Control
from .halving import better_half, halving_rounds
from .ranking import PairedComparison, compare_all, mean_and_interval
from .sequence import ConfidenceSequence, Moments
from .strength import expected_strength

__all__ = [
    "ConfidenceSequence",
    "Control",
    "Moments",
    "PairedComparison",
    "better_half",
    "compare_all",
    "expected_strength",
    "halving_rounds",
    "mean_and_interval",
]

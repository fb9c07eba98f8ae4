"""Run Fast: three players, 48 cards, a race to empty the hand."""

from .game import RUN_FAST, RunFast
from .policies import LIBRARY, FunctionPolicy, View, make_policy
from .rules import RunFastRules

__all__ = ["LIBRARY", "RUN_FAST", "FunctionPolicy", "RunFast", "RunFastRules", "View", "make_policy"]

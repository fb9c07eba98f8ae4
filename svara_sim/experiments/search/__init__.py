"""Comparing policies on the same deals: two of them, a league of several, the best of many."""

from .best import BestOfMany, find_best
from .duel import Comparison, compare
from .grid import expand_policies
from .league import League, league

__all__ = ["BestOfMany", "Comparison", "League", "compare", "expand_policies", "find_best", "league"]

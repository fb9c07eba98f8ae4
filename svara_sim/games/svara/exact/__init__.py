"""Exact odds of Svara with card removal, as integers and fractions, for 2 to 10 players.

`table_odds` tells how often which points win and how often a svara comes of it, `hand_odds` how a hand fares
against random ones. Cards are grouped by what scoring can see (`cardsets`), sets of disjoint hands are
counted hand by hand over classes of used cards (`levels`, `counting`, and `subdeck` where cards are dead),
and the result for the presets' scorings comes with the package (`storage`, made again by `build`). `estimate`
simulates the same figures, with their error.
"""

from .counting import MAX_PLAYERS, MIN_PLAYERS, Progress
from .odds import hand_odds, is_counted, table_odds
from .results import HandOdds, Method, TableOdds

__all__ = [
    "MAX_PLAYERS",
    "MIN_PLAYERS",
    "HandOdds",
    "Method",
    "Progress",
    "TableOdds",
    "hand_odds",
    "is_counted",
    "table_odds",
]

"""Policies of Svara: the library, tables of probabilities, and functions of one's own.

All but functions are data: betting tables over the features that a policy looks at (`plan.BetTable`), and
probabilities of betting blind and of joining a svara. The kernel reads them; so can a solver.
"""

from .functions import CALL, FOLD, FunctionPolicy, View
from .library import LIBRARY, make_policy
from .plan import FEATURES, BetTable, SeatPlan, SvaraPolicy
from .tables import TablePolicy

__all__ = [
    "CALL",
    "FEATURES",
    "FOLD",
    "LIBRARY",
    "BetTable",
    "FunctionPolicy",
    "SeatPlan",
    "SvaraPolicy",
    "TablePolicy",
    "View",
    "make_policy",
]

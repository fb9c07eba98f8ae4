"""Monte Carlo simulation and strategy research for the card games Svara and Run Fast.

>>> from svara_sim import simulate
>>> result = simulate(players=4, seats=["threshold:call=21", "rock"], n_deals=1_000_000, seed=7)  # doctest: +SKIP
>>> result.summary["payoff_by_seat"]  # doctest: +SKIP

Everything public is loaded when it is first used, so importing the package costs almost nothing.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .core.errors import DataError, IllegalAction, InvalidInput, SvaraError
    from .experiments import Dataset, RunConfig, RunResult, open_run, open_sweep, run_sweep, run_to, simulate
    from .experiments.search import compare, find_best, league
    from .games.registry import get_game
    from .games.svara.policies import CALL, FOLD, BetTable, FunctionPolicy, TablePolicy, View
    from .games.svara.rules import SvaraRules

_HOMES = {
    ".core.errors": ("DataError", "IllegalAction", "InvalidInput", "SvaraError"),
    ".games.registry": ("get_game",),
    ".games.svara.policies": ("CALL", "FOLD", "BetTable", "FunctionPolicy", "TablePolicy", "View"),
    ".games.svara.rules": ("SvaraRules",),
    ".experiments": ("Dataset", "RunConfig", "RunResult", "open_run", "open_sweep", "run_sweep", "run_to", "simulate"),
    ".experiments.search": ("compare", "find_best", "league"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__version__ = version("svara_sim")

__all__ = [
    "CALL",
    "FOLD",
    "BetTable",
    "DataError",
    "Dataset",
    "FunctionPolicy",
    "IllegalAction",
    "InvalidInput",
    "RunConfig",
    "RunResult",
    "SvaraError",
    "SvaraRules",
    "TablePolicy",
    "View",
    "compare",
    "find_best",
    "get_game",
    "league",
    "open_run",
    "open_sweep",
    "run_sweep",
    "run_to",
    "simulate",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})

"""What `svara bench --game run_fast` times: tables of three alike, and the same in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...protocol import BenchCase
from ..policies import FunctionPolicy, RunFastPolicy, View, make_policy, nth_move
from ..rules import RunFastRules
from ..table import RunFastTable
from . import plain_python

__all__ = ["bench_cases"]

_LIBRARY = {"random": 20_000, "greedy": 40_000, "fewest_long": 20_000, "monte_carlo": 40}
"""Policies, and the deals of them that take some tens of milliseconds."""


def _choose(view: View) -> int:
    return int(nth_move(view, np.int64(view.random % np.uint64(view.n_moves))))


def _play(table: RunFastTable, records: bool) -> Callable[[int, int], Any]:
    return lambda first, n_deals: table.simulate_block(first, n_deals, n_deals, records)


def bench_cases(players: int) -> Sequence[BenchCase]:
    """Each policy of the library at a table of its own, a function, records, and plain Python.

    Parameters
    ----------
    players : int
        Three.
    """

    def table(policy: RunFastPolicy) -> RunFastTable:
        return RunFastTable(RunFastRules(), [policy] * players, 1, False)

    cases = []
    for name, n_deals in _LIBRARY.items():
        play = _play(table(make_policy(name)), False)
        cases.append(BenchCase("library", players, play, n_deals, threaded=True, table=name))
    own = table(FunctionPolicy("function", _choose))
    cases.append(BenchCase("function", players, _play(own, False), 20_000, threaded=True, table="random"))
    greedy = table(make_policy("greedy"))
    cases.append(BenchCase("records", players, _play(greedy, True), 40_000, threaded=True, table="greedy"))
    for name in plain_python.CHOOSERS:
        plain = partial(plain_python.play_deals, [name] * players)
        cases.append(BenchCase("python", players, partial(_baseline, plain), 40, table=name))
    return cases


def _baseline(play: Callable[..., Any], first: int, n_deals: int) -> Any:
    return play(n_deals, seed=first)

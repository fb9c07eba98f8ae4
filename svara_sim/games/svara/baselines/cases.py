"""What `svara bench` times: one table of threshold players, played in every way that there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...protocol import BenchCase
from ..policies import CALL, FOLD, BetTable, FunctionPolicy, TablePolicy, View, make_policy
from ..policies.plan import SvaraPolicy, feature
from ..rules import make_rules
from ..table import SvaraTable
from . import Threshold, plain_python, vectorised

__all__ = ["bench_cases"]

_BLIND, _JOIN = 0.25, 6 / 64


def _thresholds(players: int) -> list[Threshold]:
    return [Threshold(13 + s % 3, 21 + s % 4, _BLIND, _JOIN) for s in range(players)]


def _as_table(seat: int, threshold: Threshold) -> SvaraPolicy:
    """The same as a table of probabilities that looks at more than it needs, as tables of one's own will."""
    features = ("can_raise", "raises", "players", "points")
    points = feature("points", features)
    calls = (points >= threshold.call) & (points < threshold.raise_at)
    bets = BetTable(features, np.where(calls, 1.0, 0.0), np.where(points >= threshold.raise_at, 1.0, 0.0))
    return TablePolicy(f"table {seat}", bets, blind=_BLIND, join=_JOIN)


def _bet(view: View) -> int:
    if view.points < 13 + view.seat % 3:
        return FOLD
    if view.points >= 21 + view.seat % 4 and view.min_raise_to > 0:
        return view.min_raise_to
    return CALL


def _blind(view: View) -> int:
    return view.next_blind if view.random < 0.25 else 0


def _join(view: View) -> int:
    return 1 if view.random < 6 / 64 else 0


def _play(table: SvaraTable, records: bool) -> Callable[[int, int], Any]:
    return lambda first, n_deals: table.simulate_block(first, n_deals, n_deals, records)


def bench_cases(players: int) -> Sequence[BenchCase]:
    """The kernel under each kind of policy, and the same game in plain Python and NumPy.

    Parameters
    ----------
    players : int
        Seats at the table.
    """
    seats = _thresholds(players)
    kinds: dict[str, list[SvaraPolicy]] = {
        "library": [make_policy(s.label) for s in seats],
        "table": [_as_table(i, s) for i, s in enumerate(seats)],
        "function": [FunctionPolicy("function", _bet, _blind, _join)] * players,
    }
    tables = {kind: SvaraTable(make_rules(), policies, seed=1) for kind, policies in kinds.items()}
    n_deals = 400_000 // players
    cases = [BenchCase(kind, players, _play(table, False), n_deals, threaded=True) for kind, table in tables.items()]
    cases.append(BenchCase("records", players, _play(tables["library"], True), n_deals, threaded=True))
    cases.append(BenchCase("numpy", players, partial(_baseline, vectorised.play_deals, seats), 16_384))
    cases.append(BenchCase("python", players, partial(_baseline, plain_python.play_deals, seats), 4_000 // players))
    return cases


def _baseline(play: Callable[..., Any], seats: Sequence[Threshold], first: int, n_deals: int) -> Any:
    return play(seats, n_deals, seed=first)

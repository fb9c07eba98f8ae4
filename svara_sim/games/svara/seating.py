"""Seating policies at a table: filling the record that the kernel reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...core.jit import FirstClass
from ...core.rng import stream_keys
from ..decisions import compile_decision
from .kernel.decide import PRICE_ONE
from .kernel.interface import new_table
from .kernel.state import (
    ASK_BET,
    ASK_BLIND,
    ASK_JOIN,
    CAN_RAISE,
    MAX_SEATS,
    N_PURPOSES,
    PLAYERS,
    POINTS,
    POSITION,
    RAISES,
    ROW,
    SITUATION_SHAPE,
    STAGE,
    SVARA,
    VIEW_TYPE,
)
from .policies.plan import BetTable, SeatPlan, SvaraPolicy, cut
from .rules import SvaraRules

__all__ = ["KernelArguments", "seat_policies"]

_BLIND_CHOICES = {"smallest": 0, "largest": 1, "any": 2}


@dataclass(frozen=True)
class KernelArguments:
    """What stays the same for every block of a run.

    Parameters
    ----------
    table : numpy.void
        A record of `kernel.state.TABLE`.
    rows : numpy.ndarray
        Shape (E * ROW,), uint32: betting tables of all seats.
    functions : tuple of FirstClass
        Keeps the machine code of the policies' functions alive.
    """

    table: Any
    rows: NDArray[np.uint32]
    functions: tuple[FirstClass, ...]


def _seat_bets(table: Any, seat: int, seats: int, strides: NDArray[np.int64], first_row: int) -> None:
    strides = strides * ROW
    table["svara_stride"][seat] = strides[SVARA]
    table["points_stride"][seat] = strides[POINTS]
    situations = np.indices(SITUATION_SHAPE).reshape(len(SITUATION_SHAPE), -1)
    table["situation"][seat, : situations.shape[1]] = strides[[STAGE, CAN_RAISE, RAISES, PLAYERS]] @ situations
    for dealer in range(seats):
        position = (seat - dealer - 1) % seats
        table["offset"][dealer, seat] = first_row * ROW + position * strides[POSITION]


def _seat_plan(table: Any, seat: int, plan: SeatPlan) -> None:
    table["blind_choice"][seat] = _BLIND_CHOICES[plan.blind_choice]
    table["join_price"][seat] = round(plan.join_price * PRICE_ONE)
    if not callable(plan.blind):
        table["blind_cut"][seat] = cut(np.broadcast_to(np.asarray(plan.blind), (2, MAX_SEATS)))
    if not callable(plan.join):
        table["join_cut"][seat] = cut(np.broadcast_to(np.asarray(plan.join), (MAX_SEATS + 1,)))


_Compact = tuple[NDArray[np.uint32], NDArray[np.int64]]


@lru_cache(maxsize=512)
def _planned(policy: SvaraPolicy, rules: SvaraRules) -> tuple[SeatPlan, _Compact | None]:
    """What a policy decides under these rules, and its betting table: a sweep asks again and again."""
    plan = policy.plan(rules)
    return plan, plan.bets.compact() if isinstance(plan.bets, BetTable) else None


def seat_policies(rules: SvaraRules, seats: Sequence[SvaraPolicy], seed: int, lenient: bool) -> KernelArguments:
    """Build the kernel's arguments for a table.

    Raises
    ------
    InvalidInput
        If a policy's function cannot be compiled.
    """
    table = new_table(rules, stream_keys(seed, "svara", N_PURPOSES), lenient)
    plans: dict[SvaraPolicy, SeatPlan] = {}
    places: dict[SvaraPolicy, tuple[NDArray[np.int64], int]] = {}  # strides and first row
    compiled: dict[int, FirstClass] = {}
    blocks: list[NDArray[np.uint32]] = [np.zeros((1, 4), np.uint32)]
    for seat, policy in enumerate(seats):
        if policy not in plans:
            plans[policy], bets = _planned(cast(Any, policy), rules)
            if bets is not None:
                places[policy] = bets[1], sum(len(b) for b in blocks)
                blocks.append(bets[0])
        plan = plans[policy]
        _seat_plan(table, seat, plan)
        if policy in places:
            _seat_bets(table, seat, len(seats), *places[policy])
        for ask, decision in ((ASK_BLIND, plan.blind), (ASK_BET, plan.bets), (ASK_JOIN, plan.join)):
            if callable(decision):
                if id(decision) not in compiled:
                    compiled[id(decision)] = compile_decision(repr(policy.label), decision, VIEW_TYPE)
                table["is_function"][ask, seat] = 1
                table["functions"][ask, seat] = compiled[id(decision)].handle
    table["alike"] = not table["is_function"][ASK_BET].any() and not table["raises_by_seat"]
    return KernelArguments(table, np.concatenate(blocks).reshape(-1), tuple(compiled.values()))

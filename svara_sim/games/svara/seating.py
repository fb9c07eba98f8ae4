"""Seating policies at a table: filling the record that the kernel reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numba.core.errors import NumbaError
from numpy.typing import NDArray

from ...core.errors import InvalidInput
from ...core.jit import JIT_ENABLED, FirstClass, first_class
from ...core.rng import stream_keys
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
    POLICY_SIGNATURE,
    POSITION,
    RAISES,
    ROW,
    SITUATION_SHAPE,
    STAGE,
    SVARA,
)
from .policies.plan import BetTable, SeatPlan, SvaraPolicy, cut
from .rules import SvaraRules

__all__ = ["NOT_WHOLE", "RAISED", "KernelArguments", "compile_decision", "seat_policies"]

RAISED = -(1 << 63)
"""What a policy's function that raised an exception answers to the kernel, which takes no exceptions."""

_EXACT = 1 << 53

NOT_WHOLE = RAISED + 1
"""What one answers that did not return a whole number of 64 bits."""

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


def compile_decision(who: str, function: Callable[..., Any]) -> FirstClass:
    """Compile one decision of a policy: a function of a `View` that returns a whole number.

    Raises
    ------
    InvalidInput
        If Numba cannot compile it; the message gives its first complaint.
    """
    if not JIT_ENABLED:
        return first_class(function, POLICY_SIGNATURE)
    import numba

    inner = function if hasattr(function, "py_func") else numba.njit(function)

    def guarded(view: Any) -> Any:
        try:
            answer = inner(view)
            if not abs(answer) < _EXACT:  # also of NaN, of which the cast below could make anything
                return NOT_WHOLE
            whole = np.int64(answer)
            return whole if whole == answer else NOT_WHOLE
        except Exception:
            return RAISED

    try:
        return first_class(guarded, POLICY_SIGNATURE)
    except NumbaError as error:
        lines = [line.strip() for line in str(error).splitlines()]
        told = [line for line in lines if line and not line.startswith(("Failed in", "During:", "File "))]
        reason = told[0] if told else type(error).__name__
        raise InvalidInput(f"policy {who}: Numba cannot compile the function: {reason}") from error


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
                    compiled[id(decision)] = compile_decision(repr(policy.label), decision)
                table["is_function"][ask, seat] = 1
                table["functions"][ask, seat] = compiled[id(decision)].handle
    table["alike"] = not table["is_function"][ASK_BET].any() and not table["raises_by_seat"]
    return KernelArguments(table, np.concatenate(blocks).reshape(-1), tuple(compiled.values()))

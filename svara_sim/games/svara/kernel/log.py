"""The event log of a replayed deal.

The phases take a log or None. Numba compiles them once for each, and with None it leaves the logging out: so a
replay runs the very source that played the millions, and those pay nothing for it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ....core.jit import inlined

__all__ = ["EVENT_COLUMNS", "Log", "note"]

EVENT_COLUMNS = 4

# Event codes. Columns 1-3 of an event: seat (SVARA: mask of the tied seats), then as listed.
(
    ANTE,  # chips
    BLIND,  # chips
    NO_BLIND,
    CARDS,  # hand mask, points
    FOLD,
    BET,  # chips, level
    RAISE,  # chips, level
    CALL,  # chips
    SHOW,  # points
    SVARA,  # pot, fee
    JOIN,  # chips
    STAY_OUT,
    WIN,  # chips, ending
) = range(13)


class Log(NamedTuple):
    """Events of one deal: `events` int64 (N, 4), `count` int64 (1,), which goes on counting past N."""

    events: Any
    count: Any


@inlined
def note(log: Any, code: Any, seat: Any, x: Any, y: Any) -> None:
    """Append one event, if there is room."""
    n = log.count[0]
    if n < log.events.shape[0]:
        log.events[n, 0] = code
        log.events[n, 1] = seat
        log.events[n, 2] = x
        log.events[n, 3] = y
    log.count[0] = n + 1

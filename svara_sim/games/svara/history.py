"""Deal histories: `svara-deal/1` (rule page, section 5) from the kernel's event log, and in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..protocol import History
from .kernel import log as codes
from .kernel.scalar import ENDINGS
from .rules import SvaraRules
from .scoring import DECK

__all__ = ["FORMAT", "history_of", "in_table_order", "line_of", "transcript_of"]

FORMAT = "svara-deal/1"


def _members(mask: int) -> list[int]:
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def _event(code: int, seat: int, x: int, y: int) -> dict[str, Any]:
    match code:
        case codes.ANTE:
            return {"type": "ante", "seat": seat, "chips": x}
        case codes.BLIND:
            return {"type": "blind", "seat": seat, "chips": x}
        case codes.NO_BLIND:
            return {"type": "no_blind", "seat": seat}
        case codes.CARDS:
            return {"type": "cards", "seat": seat, "cards": DECK.write(_members(x)), "points": y}
        case codes.FOLD:
            return {"type": "fold", "seat": seat}
        case codes.BET:
            return {"type": "bet", "seat": seat, "chips": x, "level": y}
        case codes.RAISE:
            return {"type": "raise", "seat": seat, "chips": x, "level": y}
        case codes.CALL:
            return {"type": "call", "seat": seat, "chips": x}
        case codes.SHOW:
            return {"type": "show", "seat": seat, "points": x}
        case codes.JOIN:
            return {"type": "join", "seat": seat, "chips": x}
        case codes.STAY_OUT:
            return {"type": "stay_out", "seat": seat}
        case codes.WIN:
            return {"type": "win", "seat": seat, "chips": x, "how": ENDINGS[y]}
    raise AssertionError(f"event code {code}")


def in_table_order(seats: Iterable[int], dealer: int, players: int) -> list[int]:
    """Seats in the order of the table: first the one left of the dealer, last the dealer."""
    return sorted(seats, key=lambda seat: (seat - dealer - 1) % players)


def history_of(
    rules: SvaraRules,
    seed: int,
    deal: int,
    players: int,
    dealer: int,
    events: NDArray[np.int64],
    payoffs: NDArray[np.int64],
) -> History:
    """A deal as one JSON-ready object.

    Parameters
    ----------
    rules, seed, deal, players, dealer
        Which deal it is.
    events : numpy.ndarray
        Shape (N, 4), int64: the kernel's log.
    payoffs : numpy.ndarray
        Shape (S,), int64: chips.
    """
    written = []
    for code, seat, x, y in events.tolist():
        if code == codes.SVARA:
            tied = in_table_order(_members(seat), dealer, players)
            written.append({"type": "svara", "seats": tied, "pot": x, "fee": y})
        else:
            written.append(_event(code, seat, x, y))
    return {
        "format": FORMAT,
        "rules": rules.as_dict(),
        "seed": seed,
        "deal": deal,
        "players": players,
        "dealer": dealer,
        "events": written,
        "payoffs": payoffs.tolist(),
    }


_HOW = {
    "dealer": "as dealer: nobody opened",
    "blind": "with its blind: nobody paid it",
    "last": "as the last seat in",
    "showdown": "at the showdown",
    "split": "as its share: the limit of svara rounds is reached",
}


def line_of(event: dict[str, Any], name: str) -> str:
    """An event of one seat in words; `name` is what the seat is called."""
    match event["type"]:
        case "ante":
            return f"{name} pays the ante of {event['chips']}"
        case "blind":
            return f"{name} bets {event['chips']} blind"
        case "no_blind":
            return f"{name} does not bet blind"
        case "cards":
            return f"{name} gets {' '.join(event['cards'])} ({event['points']} points)"
        case "fold":
            return f"{name} folds"
        case "bet":
            return f"{name} opens at {event['level']}" + _paying(event)
        case "raise":
            return f"{name} raises to {event['level']}" + _paying(event)
        case "call":
            return f"{name} calls, paying {event['chips']}"
        case "show":
            return f"{name} shows {event['points']} points"
        case "join":
            return f"{name} joins for {event['chips']}"
        case "stay_out":
            return f"{name} stays out"
        case "win":
            return f"{name} takes {event['chips']} {_HOW[event['how']]}"
    raise AssertionError(event)


def _paying(event: dict[str, Any]) -> str:
    return "" if event["chips"] == event["level"] else f", paying {event['chips']}"


def transcript_of(history: History, labels: Sequence[str]) -> str:
    """A deal in words.

    Parameters
    ----------
    history : dict
        As `history_of` makes it.
    labels : sequence of str
        Name of the policy of each seat.
    """
    dealer, players = history["dealer"], history["players"]
    lines = [f"Deal {history['deal']} of seed {history['seed']}: {players} seats, seat {dealer} deals"]
    rounds = 0
    for event in history["events"]:
        if event["type"] == "svara":
            rounds += 1
            tied = " and ".join(f"seat {s}" for s in event["seats"])
            lines.append(f"  -- svara {rounds}: {tied} tie for {event['pot']} chips; joining costs {event['fee']} --")
        else:
            lines.append("  " + line_of(event, f"seat {event['seat']} ({labels[event['seat']]})"))
    payoffs = "  ".join(f"seat {s} {chips:+d}" for s, chips in enumerate(history["payoffs"]))
    return "\n".join([*lines, f"  payoffs: {payoffs}"])

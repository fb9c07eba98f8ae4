"""What a summary of this game estimates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..protocol import Measure, Policy
from .kernel.scalar import ENDINGS
from .kernel.totals import MOST_ROUNDS

__all__ = ["measures"]

_LOWEST, _HIGHEST = 7, 34


def _payoffs(seats: Sequence[Policy]) -> Iterator[Measure]:
    for s, policy in enumerate(seats):
        yield Measure("payoff_by_seat", {"seat": s, "policy": policy.label}, f"payoff_{s}_chips", "deals", "chips")
    for p in range(len(seats)):
        yield Measure("payoff_by_position", {"position": p}, f"payoff_position_{p}_chips", "deals", "chips")
    for s, policy in enumerate(seats):
        for p in range(len(seats)):
            keys = {"seat": s, "policy": policy.label, "position": p}
            per = f"position_{p}_deals_{s}"
            yield Measure("payoff_by_seat_and_position", keys, f"position_{p}_payoff_{s}_chips", per, "chips")
            yield Measure("position_by_seat", keys, per, "deals", "share of deals", "proportion")
    for p in range(_LOWEST, _HIGHEST + 1):
        yield Measure("payoff_by_points", {"points": p}, f"points_{p}_payoff_chips", f"points_{p}_seats", "chips")
    for s, policy in enumerate(seats):
        for p in range(_LOWEST, _HIGHEST + 1):
            keys = {"seat": s, "policy": policy.label, "points": p}
            per = f"points_{p}_deals_{s}"
            yield Measure("payoff_by_seat_and_points", keys, f"points_{p}_payoff_{s}_chips", per, "chips")


def _svara(seats: Sequence[Policy]) -> Iterator[Measure]:
    yield Measure("svara", {"what": "svara"}, "svara_deals", "deals", "share of deals", "proportion")
    yield Measure("svara", {"what": "rounds"}, "svara_rounds", "svara_deals", "rounds per svara deal")
    yield Measure("svara", {"what": "joins"}, "svara_joiners", "svara_join_offers", "share of offers")
    for r in range(1, MOST_ROUNDS + 1):
        yield Measure("svara_depth", {"svara_rounds": r}, f"svara_rounds_{r}", "deals", "share of deals", "proportion")
    for k in range(2, len(seats) + 1):
        yield Measure("svara_tied", {"tied": k}, f"svara_tied_{k}", "deals", "share of deals", "proportion")
    for s, policy in enumerate(seats):
        who = {"seat": s, "policy": policy.label}
        yield Measure("joins", who, f"joins_{s}", "deals", "share of deals", "proportion")
        yield Measure("join_gain", who, f"join_gain_{s}_chips", f"joins_{s}", "chips")


def measures(seats: Sequence[Policy]) -> tuple[Measure, ...]:
    """Every quantity of a summary, in the order of its tables."""
    endings = [
        Measure("endings", {"ending": e}, f"ending_{e}", "deals", "share of deals", "proportion") for e in ENDINGS
    ]
    blinds = [
        Measure("blinds", {"blinds": b}, f"blinds_{b}", "deals", "share of deals", "proportion")
        for b in range(len(seats) + 1)
    ]
    pots = [
        Measure("pots", {"what": "all deals"}, "pot_chips", "deals", "chips"),
        Measure("pots", {"what": "first svara called"}, "svara_first_pot_chips", "svara_deals", "chips"),
        Measure("pots", {"what": "svara deals, at the end"}, "svara_pot_chips", "svara_deals", "chips"),
    ]
    return (*_payoffs(seats), *endings, *_svara(seats), *blinds, *pots)

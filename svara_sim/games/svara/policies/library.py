"""The library: policies by name, with documented parameters, all of them tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from ...policy_text import as_policy, read_policy
from ...protocol import Parameter, PolicyInfo
from ..exact.pot_share import pot_share
from ..rules import SvaraRules
from .plan import ANY_SIZE, BetTable, SeatPlan, SvaraPolicy, check_number, feature

__all__ = ["LIBRARY", "LibraryPolicy", "make_policy"]

Values = Mapping[str, float]

_POINTS_HIGH = 35


def _blind(default: float) -> Parameter:
    return Parameter("blind", default, 0, 1, "probability of betting blind when it may")


def _join(default: float) -> Parameter:
    return Parameter("join", default, 0, 1, "probability of paying to join a svara")


def _raise_size(default: float) -> Parameter:
    return Parameter("raise_size", default, 0, 100, "size of a raise in pots after a call; 0 is the smallest legal")


def _random_bets(rules: SvaraRules, values: Values) -> BetTable:
    """Fold or open; fold, call or raise; fold or call: whatever the moment allows."""
    features = ("stage", "can_raise")
    opened, can_raise = feature("stage", features) == 2, feature("can_raise", features) == 1
    p_call = np.where(opened, np.where(can_raise, 1 / 3, 1 / 2), 0.0)
    p_raise = np.where(opened, np.where(can_raise, 1 / 3, 0.0), 1 / 2)
    return BetTable(features, p_call, p_raise, 1.0, ANY_SIZE)


def _call_bets(rules: SvaraRules, values: Values) -> BetTable:
    return BetTable(("points",), 1.0, 0.0)


def _threshold_bets(rules: SvaraRules, values: Values) -> BetTable:
    """Thresholds on points, moved by the number of players still in."""
    features = ("stage", "players", "points") if "open" in values else ("players", "points")
    points, players = feature("points", features), feature("players", features)
    extra = values.get("per_player", 0.0) * np.maximum(players - 2, 0)
    call = (
        np.where(feature("stage", features) == 2, values["call"], values["open"])
        if "open" in values
        else values["call"]
    )
    plays = points >= call + extra
    raises = points >= values["raise_at"] + extra
    bluff = values.get("bluff", 0.0)
    p_raise = np.where(raises, 1.0, np.where(plays, 0.0, bluff))
    p_call = np.where(plays & ~raises, 1.0, 0.0)
    return BetTable(features, p_call, p_raise, 1.0, values["raise_size"])


def _pot_odds_bets(rules: SvaraRules, values: Values) -> BetTable:
    share = pot_share(rules)
    fair = np.zeros(11)
    fair[1:] = 1 / np.arange(1, 11)
    p_raise = np.where(share >= np.minimum(values["raise_at"] * fair, 0.99)[:, None], 1.0, 0.0)
    price = np.clip(share - values["margin"], 0, 1)
    return BetTable(("players", "points"), 1 - p_raise, p_raise, price, values["raise_size"])


def _maniac_bets(rules: SvaraRules, values: Values) -> BetTable:
    return BetTable(("points",), 1 - values["aggression"], values["aggression"], 1.0, values["raise_size"])


@dataclass(frozen=True)
class _Entry:
    info: PolicyInfo
    bets: Callable[[SvaraRules, Values], BetTable]
    blind_choice: str = "smallest"


def _threshold_parameters(
    call: float, raise_at: float, per_player: float, bluff: float, raise_size: float
) -> tuple[Parameter, ...]:
    return (
        Parameter("call", call, 0, _POINTS_HIGH, "fewest points to call with"),
        Parameter("open", -1, -1, _POINTS_HIGH, "fewest points to open with; -1 is the same as call"),
        Parameter("raise_at", raise_at, 0, _POINTS_HIGH, "fewest points to raise with"),
        Parameter("per_player", per_player, 0, 5, "points added to these for each player still in beyond two"),
        Parameter("bluff", bluff, 0, 1, "probability of raising with too few points to call"),
        _raise_size(raise_size),
    )


_Row = tuple[str, str, tuple[Parameter, ...], Callable[[SvaraRules, Values], BetTable], str]

_ROWS: list[_Row] = [
    (
        "random",
        "each legal kind of action alike, raises to any legal level",
        (_blind(0.5), _join(0.5)),
        _random_bets,
        "any",
    ),
    ("call", "opens at the opening price and always calls", (_blind(0), _join(0)), _call_bets, "smallest"),
    (
        "threshold",
        "calls and raises from thresholds on its points",
        (*_threshold_parameters(20, 27, 0, 0, 0.5), _blind(0), _join(0)),
        _threshold_bets,
        "smallest",
    ),
    (
        "tight",
        "thresholds that rise with the players still in; few hands, played hard",
        (*_threshold_parameters(22, 27, 0.5, 0, 0.75), _blind(0), _join(0)),
        _threshold_bets,
        "smallest",
    ),
    (
        "loose",
        "low thresholds, now and then a bluff or a blind",
        (*_threshold_parameters(16, 25, 0, 0.03, 0.5), _blind(0.1), _join(0.1)),
        _threshold_bets,
        "smallest",
    ),
    (
        "bluffer",
        "thresholds, and one weak hand in six raised by a pot",
        (*_threshold_parameters(20, 26, 0, 1 / 6, 1.0), _blind(0), _join(0)),
        _threshold_bets,
        "smallest",
    ),
    (
        "pot_odds",
        "calls if its points' share of the pot against random hands is worth the price",
        (
            Parameter("margin", 0.0, -1, 1, "share of the pot that a call must be worth beyond its price"),
            Parameter("raise_at", 1.6, 0, 10, "raises if its share is at least this many fair shares (1 / players)"),
            _raise_size(0.5),
            _blind(0),
            _join(0),
        ),
        _pot_odds_bets,
        "smallest",
    ),
    (
        "rock",
        "waits for the best hands and never bluffs",
        (*_threshold_parameters(26, 30, 0, 0, 1.0), _blind(0), _join(0)),
        _threshold_bets,
        "smallest",
    ),
    (
        "maniac",
        "raises whatever it holds, bets blind and joins svaras",
        (
            Parameter("aggression", 0.8, 0, 1, "probability of raising; otherwise it calls"),
            _raise_size(1.0),
            _blind(0.9),
            _join(0.5),
        ),
        _maniac_bets,
        "largest",
    ),
    (
        "blind_happy",
        "always bets blind, then plays by thresholds",
        (*_threshold_parameters(18, 26, 0, 0, 0.5), _blind(1), _join(0.25)),
        _threshold_bets,
        "largest",
    ),
]

_ENTRIES = {
    name: _Entry(PolicyInfo(name, text, parameters), bets, choice) for name, text, parameters, bets, choice in _ROWS
}

LIBRARY: dict[str, PolicyInfo] = {name: entry.info for name, entry in _ENTRIES.items()}
"""What `svara policies` lists: name, summary, parameters with defaults and ranges."""


@dataclass(frozen=True)
class LibraryPolicy:
    """A policy of the library with its parameters set. Make it with `make_policy`."""

    name: str
    values: tuple[tuple[str, float], ...]
    label: str

    def describe(self) -> dict[str, Any]:
        """Name and every parameter."""
        return {"kind": "library", "name": self.name, **dict(self.values)}

    def plan(self, rules: SvaraRules) -> SeatPlan:
        """Its tables under these rules."""
        entry, values = _ENTRIES[self.name], dict(self.values)
        if values.get("open", 0) < 0:
            del values["open"]
        return SeatPlan(entry.bets(rules, values), values["blind"], entry.blind_choice, values["join"])


def make_policy(policy: str | SvaraPolicy) -> SvaraPolicy:
    """A policy from ``"name"`` or ``"name:parameter=value,..."``; a policy is returned as it is.

    Raises
    ------
    InvalidInput
        On an unknown policy or parameter, or a value out of range.
    """
    return cast(SvaraPolicy, as_policy(policy, LIBRARY, _read))


def _read(text: str) -> LibraryPolicy:
    name, values = read_policy(text, LIBRARY, float, lambda field, x, p: check_number(field, x, p.low, p.high))
    return LibraryPolicy(name, values, text.strip())

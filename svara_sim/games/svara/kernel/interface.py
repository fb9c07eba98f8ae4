"""Building the kernel's arguments, in one place and with forced types, so that each kernel is compiled once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..rules import SvaraRules
from ..scoring import points_table
from .log import EVENT_COLUMNS, Log
from .state import RULES, TABLE, new_record

__all__ = ["new_log", "new_rules", "new_table"]


def _set_options(record: Any, rules: SvaraRules) -> None:
    for name in ("ante", "blind_size", "min_bet", "min_raise", "bet_limit", "max_raises", "svara_limit"):
        record[name] = getattr(rules, name)
    record["raises_by_seat"] = rules.raise_scope == "seat"
    record["fee_chips"] = -1 if isinstance(rules.svara_fee, str) else rules.svara_fee
    record["join_anyone"] = rules.svara_join == "anyone"
    record["svara_betting"] = rules.svara_betting
    record["svara_blinds"] = rules.svara_betting and rules.svara_blinds
    record["winner_deals"] = rules.next_dealer == "winner"
    record["n_factors"] = len(rules.blind_factors)
    record["blind_factors"][: len(rules.blind_factors)] = sorted(rules.blind_factors)


def new_rules(rules: SvaraRules) -> Any:
    """A record of RULES."""
    record = new_record(RULES)
    _set_options(record, rules)
    return record


def new_table(rules: SvaraRules, keys: NDArray[np.uint64], lenient: bool) -> Any:
    """A record of TABLE with the rules and keys set and every seat folding."""
    table = new_record(TABLE)
    _set_options(table, rules)
    table["lenient"] = lenient
    table["keys"] = keys
    table["points"] = points_table(rules)
    return table


def new_log(n_events: int) -> Log:
    """An empty log with room for some events."""
    return Log(np.zeros((n_events, EVENT_COLUMNS), dtype=np.int64), np.zeros(1, dtype=np.int64))

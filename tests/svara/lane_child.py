"""A sample of deals as JSON, for processes that run with the JIT off or with bounds checked (see `test_lanes`)."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numba
import numpy as np

from svara_sim.core.jit import JIT_ENABLED, kernel
from svara_sim.games.svara.kernel import scalar as play
from svara_sim.games.svara.kernel.deal import points_of
from svara_sim.games.svara.kernel.state import WORK
from svara_sim.games.svara.rules import SvaraRules
from svara_sim.games.svara.scoring import DECK, points_table
from svara_sim.games.svara.table import SvaraTable

from .helpers import FINGERPRINT, RANDOM_FUNCTION, History, make_table, raise_or_call_by_points

POINTS = points_table(SvaraRules())


def sample_tables() -> Iterator[SvaraTable]:
    """A few tables that reach every part of the kernel."""
    keen = raise_or_call_by_points(0.4, blind=0.4, blind_choice="any", join=0.8, join_price=0.4)
    yield make_table(["random"] * 2, 1)
    yield make_table(["random", FINGERPRINT, keen, "pot_odds", "tight"], 2, "vip")
    yield make_table(["call:join=1"] * 10, 3, svara_limit=2, blind_factors=[3, 2, 5])
    yield make_table([RANDOM_FUNCTION, "random", "maniac"], 4, "favorite", bet_limit=700, next_dealer="left", session=4)
    yield make_table([keen, "call:join=0.5"] * 3, 5, svara_betting=False, svara_fee=77, ante=7)


def sample(n_units: int = 24) -> str:
    """Histories, records and totals of every sample table."""
    found: list[Any] = []
    for table in sample_tables():
        deals = n_units * table.session_deals
        found.append(list(table.replay(deals, deals)))
        block = table.simulate_block(n_units, n_units, 5, records=True)
        assert block.records is not None
        found.append({name: values.tolist() for name, values in block.records.items()})
        found.append(block.totals.tolist())
    return json.dumps(found)


def relabelled_deals(suits: tuple[int, ...], n_deals: int) -> list[History]:
    """Deals in which every card that the kernel deals has its suit exchanged; only with the JIT off."""
    deal_hands: Any = play.deal_hands

    def deal_others(*arguments: Any) -> None:
        deal_hands(*arguments)
        work = next(a for a in arguments if getattr(a, "dtype", None) == WORK)
        for seat in range(int(arguments[-1])):
            mask = int(work.hands[seat])
            cards = [card for card in range(32) if mask >> card & 1]
            work.hands[seat] = np.uint64(sum(1 << (suits[card // 8] * 8 + card % 8) for card in cards))
            work.points[seat] = points_of(work.hands[seat], POINTS)

    play.deal_hands = deal_others
    try:
        seats = ["random", "threshold", "loose", "pot_odds:join=1", raise_or_call_by_points(0.3, join=1.0)]
        return list(make_table(seats, 6).replay(0, n_deals))
    finally:
        play.deal_hands = deal_hands


def events_of(histories: list[History], suits: tuple[int, ...] | None = None) -> list[Any]:
    """All events and payoffs; with `suits`, the cards' suits exchanged, as sets."""
    found: list[Any] = []
    for history in histories:
        for event in history["events"]:
            cards = [DECK.card(card) for card in event.get("cards", ())]
            if suits is not None:
                cards = [suits[card // 8] * 8 + card % 8 for card in cards]
            found.append({**event, "cards": sorted(cards)})
        found.append(history["payoffs"])
    return found


def without_cards(histories: list[History]) -> list[Any]:
    """What was decided and who won."""
    return [e for e in events_of(histories) if not isinstance(e, dict) or e["type"] not in ("cards", "show")]


def check_relabelling() -> None:
    """♠ ♥ ♦ may be exchanged, ♣ may not."""
    assert not JIT_ENABLED
    plain = relabelled_deals((0, 1, 2, 3), 60)
    for suits in permutations(range(4)):
        turned = relabelled_deals(suits, 60)
        if suits[3] == 3:
            assert events_of(turned) == events_of(plain, suits), suits
            assert suits == (0, 1, 2, 3) or events_of(turned) != events_of(plain)
        else:
            assert without_cards(turned) != without_cards(plain), suits


@kernel
def read(values: Any, i: Any) -> Any:
    return values[i]


def check_bounds_are_checked() -> None:
    """A kernel that reads past the end of an array says so."""
    assert numba.config.BOUNDSCHECK
    try:
        read(np.zeros(3), 3)
    except IndexError:
        return
    raise AssertionError("reading out of bounds went unnoticed")


if __name__ == "__main__":
    if "relabel" in sys.argv:
        check_relabelling()
    if "bounds" in sys.argv:
        check_bounds_are_checked()
    print(sample())

"""The kernel against the independent rulebook: event by event and chip by chip, and against its own records."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from twins.svara_rulebook import PRESETS, audit, next_dealer, random_rules

from svara_sim.games.svara.game import SVARA
from svara_sim.games.svara.table import SvaraTable

from .helpers import FINGERPRINT, RANDOM_FUNCTION, History, make_table, random_seats
from .oracle import record_of, rounds_of, totals_of

FUNCTIONS = (FINGERPRINT, RANDOM_FUNCTION)


def rules_for(rng: random.Random, players: int) -> dict[str, Any]:
    """Random options, or a preset as it stands."""
    presets = [p for p in sorted(PRESETS) if PRESETS[p]["max_seats"] >= players]
    return random_rules(rng, players) if rng.random() < 0.75 else dict(PRESETS[rng.choice(presets)])


def random_tables(rng: random.Random, count: int, functions: int = 0) -> Iterator[SvaraTable]:
    """Tables of 2 to 10 seats, the first of which seat policies of one's own too."""
    for number in range(count):
        players = 2 + number % 9
        seats = random_seats(rng, players)
        for seat in range(players if number < functions else 0):
            if rng.random() < 0.5:
                seats[seat] = rng.choice(FUNCTIONS)
        yield make_table(seats, rng.getrandbits(40), **rules_for(rng, players))


def check_deals(tables: Iterator[SvaraTable], deals_each: int, deepest: int) -> list[History]:
    """Audit some deals of every table, its deepest svaras too; hold records and totals against the histories."""
    histories = []
    for number, table in enumerate(tables):
        first = number * 12345
        played = check_block(table, first, deals_each, batch_units=1 + number % 7)
        records = table.simulate_block(first, 50 * deals_each, 64, records=True).records
        assert records is not None
        order = np.argsort(records["svara_rounds"], kind="stable")
        for unit in order[len(order) - deepest :]:
            played += check_block(table, first + int(unit), 1, batch_units=5)
        histories += played
    return histories


def check_block(table: SvaraTable, first: int, n_units: int, batch_units: int) -> list[History]:
    """Histories stand up, records are exactly what they say, totals exactly what they add up to by batch."""
    length = table.session_deals
    played = list(table.replay(first * length, n_units * length))
    for i, history in enumerate(played):
        audit(history)
        assert (history["seed"], history["deal"]) == (table.seed, first * length + i)
        if i % length == 0:
            assert history["dealer"] == (first + i // length) % table.n_seats
    block = table.simulate_block(first, n_units, batch_units, records=True)
    assert block.records is not None
    expected = [record_of(history) for history in played]
    assert list(block.records) == [c.name for c in SVARA.record_columns(table.n_seats)] == list(expected[0])
    for name, values in block.records.items():
        assert values.tolist() == [record[name] for record in expected], name
    assert block.first_batch == first // batch_units
    assert not block.clamped.any()
    names = [c.name for c in SVARA.total_columns(table.n_seats)]
    by_batch: dict[int, list[History]] = {}
    for i, history in enumerate(played):
        by_batch.setdefault((first + i // table.session_deals) // batch_units - block.first_batch, []).append(history)
    assert block.totals.shape == (len(by_batch), len(names))
    for batch, histories in by_batch.items():
        sums = totals_of(histories, table.n_seats)
        assert dict(zip(names, block.totals[batch].tolist(), strict=True)) == {n: sums.pop(n, 0) for n in names}
        assert not sums
    without = table.simulate_block(first, n_units, batch_units, records=False)
    assert without.records is None
    np.testing.assert_array_equal(without.totals, block.totals)
    return played


def check_coverage(histories: list[History]) -> None:
    """The deals met every event, ending and number of seats often enough to mean something."""
    n = len(histories)
    kinds = Counter(event["type"] for history in histories for event in history["events"])
    hows = Counter(event["how"] for h in histories for event in h["events"] if event["type"] == "win")
    assert set(kinds) == {
        "ante", "blind", "no_blind", "cards", "fold", "bet", "raise", "call", "show", "svara", "join", "stay_out",
        "win",
    }  # fmt: skip
    assert min(kinds.values()) > n // 20, kinds
    assert set(hows) == {"dealer", "blind", "last", "showdown", "split"}
    assert min(hows.values()) > n // 100, hows
    assert {history["players"] for history in histories} == set(range(2, 11))
    assert max(len(rounds_of(history)) for history in histories) > 5


def test_2000_deals_stand_up_to_the_twin() -> None:
    rng = random.Random(32)
    histories = check_deals(random_tables(rng, 225, functions=9), deals_each=6, deepest=3)
    assert len(histories) >= 2000
    check_coverage(histories)


@pytest.mark.full
def test_20000_deals_stand_up_to_the_twin() -> None:
    rng = random.Random(4960)
    histories = check_deals(random_tables(rng, 450, functions=45), deals_each=30, deepest=15)
    assert len(histories) >= 20_000
    check_coverage(histories)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_presets_stand_up_to_the_twin(preset: str) -> None:
    for players in range(2, PRESETS[preset]["max_seats"] + 1):
        table = make_table(["random"] * players, players, preset)
        for history in table.replay(0, 20):
            assert history["rules"] == PRESETS[preset]
            audit(history)


def test_sessions_follow_the_next_dealer_rule() -> None:
    rng = random.Random(11)
    seen: Counter[str] = Counter()
    for number in range(45):
        players, length = 2 + number % 9, rng.choice([2, 3, 7])
        rules = rules_for(rng, players)
        table = make_table(random_seats(rng, players), rng.getrandbits(40), session=length, **rules)
        first = rng.randrange(1000)
        played = check_block(table, first, 3, batch_units=2)
        assert len(played) == 3 * length
        for i, history in enumerate(played):
            if i % length:
                assert history["dealer"] == next_dealer(played[i - 1], rules)
                seen[rules["next_dealer"]] += 1
        middle = list(table.replay(first * length + 1, length))
        assert middle == played[1 : 1 + length]
    assert min(seen["winner"], seen["left"]) > 30


def test_a_session_of_one_deal_is_an_independent_deal() -> None:
    alone, session = (make_table(["random"] * 3, 9, session=session) for session in (None, 1))
    assert list(alone.replay(0, 50)) == list(session.replay(0, 50))

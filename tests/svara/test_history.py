"""Histories as section 5 of the rule page spells them, and golden transcripts.

The golden files are made by the tests themselves: run them with SVARA_SIM_REWRITE_GOLDEN=1, read what changed in
the diff, and commit it if that is what was meant.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from twins.svara_rulebook import audit

from svara_sim.core.errors import InvalidInput
from svara_sim.core.rng import MAX_DEALS
from svara_sim.games.svara.table import SvaraTable

from .helpers import History, make_table

GOLDEN = Path(__file__).parent / "golden"
REWRITE = "SVARA_SIM_REWRITE_GOLDEN" in os.environ

KEYS = {
    "ante": ["seat", "chips"],
    "blind": ["seat", "chips"],
    "no_blind": ["seat"],
    "cards": ["seat", "cards", "points"],
    "fold": ["seat"],
    "bet": ["seat", "chips", "level"],
    "raise": ["seat", "chips", "level"],
    "call": ["seat", "chips"],
    "show": ["seat", "points"],
    "svara": ["seats", "pot", "fee"],
    "join": ["seat", "chips"],
    "stay_out": ["seat"],
    "win": ["seat", "chips", "how"],
}
OPTIONS = [
    "ante", "blind_size", "blind_factors", "min_bet", "min_raise", "bet_limit", "max_raises", "raise_scope",
    "svara_fee", "svara_join", "svara_betting", "svara_blinds", "svara_limit", "next_dealer", "joker",
    "small_triples", "two_sevens", "three_sevens", "min_seats", "max_seats",
]  # fmt: skip


def check_types(event: dict[str, Any]) -> None:
    """Whole numbers are plain ints, cards are texts of a rank and a suit symbol."""
    for key, value in event.items():
        match key:
            case "type" | "how":
                assert type(value) is str
            case "cards":
                assert len(value) == 3
                assert all(
                    card[:-1] in ["7", "8", "9", "10", "J", "Q", "K", "A"] and card[-1] in "♠♥♦♣" for card in value
                )
            case "seats":
                assert all(type(seat) is int for seat in value)
            case _:
                assert type(value) is int, (key, value)


def test_keys_order_and_spelling() -> None:
    seen = set()
    tables = [
        make_table(["random"] * 5, 7),
        make_table(["call:join=1"] * 8, 7, svara_limit=1, blind_factors=[2, 3]),
    ]
    for table in tables:
        for history in table.replay(123, 400):
            assert list(history) == ["format", "rules", "seed", "deal", "players", "dealer", "events", "payoffs"]
            assert history["format"] == "svara-deal/1"
            assert list(history["rules"]) == OPTIONS
            assert json.loads(json.dumps(history, ensure_ascii=False)) == history
            for event in history["events"]:
                assert list(event) == ["type", *KEYS[event["type"]]]
                check_types(event)
                seen.add(event["type"])
    assert seen == set(KEYS)


def test_seats_come_in_table_order() -> None:
    for history in make_table(["call:join=0.5"] * 7, 3).replay(0, 600):
        place = {seat: (seat - history["dealer"] - 1) % 7 for seat in range(7)}
        runs: list[tuple[str, list[int]]] = []
        for event in history["events"]:
            kind = "join" if event["type"] == "stay_out" else event["type"]
            if kind == "svara":
                assert event["seats"] == sorted(event["seats"], key=place.__getitem__)
                runs.append((kind, []))
            elif runs and runs[-1][0] == kind:
                runs[-1][1].append(place[event["seat"]])
            else:
                runs.append((kind, [place[event["seat"]]]))
        for kind, places in runs:
            if kind in ("ante", "cards", "show", "join"):
                assert places == sorted(places), kind


def test_a_deal_of_many_events_is_whole() -> None:
    """The log is made larger for a deal that does not fit."""
    seats = ["maniac:aggression=1,raise_size=0,blind=1,join=1"] * 10
    table = make_table(seats, 2, max_raises=60, raise_scope="seat", bet_limit=60_000)
    longest = 0
    for history in table.replay(0, 20):
        audit(history)
        longest = max(longest, len(history["events"]))
    assert longest > 512


def test_ranges_of_deals() -> None:
    table = make_table(["random"] * 3, 5)
    deals = list(table.replay(0, 30))
    assert [h["deal"] for h in deals] == list(range(30))
    assert list(table.replay(10, 5)) == deals[10:15]
    assert list(table.replay(5, 0)) == []
    assert len(list(islice(table.replay(0, 10**9), 3))) == 3, "deals are played when asked for"
    (last,) = table.replay(MAX_DEALS - 1, 1)
    audit(last)
    for wrong in (-1, MAX_DEALS, 1.5, "0"):
        with pytest.raises(InvalidInput, match="first deal = "):
            list(table.replay(wrong, 1))
    with pytest.raises(InvalidInput, match="must be at most 274877906944"):
        table.simulate_block(MAX_DEALS - 1, 2, 64, records=False)


# -- golden transcripts -------------------------------------------------------------------------------


TABLES: dict[str, Callable[[], SvaraTable]] = {
    "forte_random": lambda: make_table(["random"] * 4, 7),
    "favorite_thresholds": lambda: make_table(["threshold", "tight", "loose", "rock", "bluffer"], 1, "favorite"),
    "vip_blinds": lambda: make_table(["blind_happy", "maniac", "random"], 3, "vip"),
    "svara_with_joiners": lambda: make_table(["call:join=1"] * 6, 11),
    "svara_without_betting": lambda: make_table(["call:join=0.5"] * 5, 4, svara_betting=False, svara_fee=100, ante=7),
    "split": lambda: make_table(["call"] * 3, 9, svara_limit=0, ante=7),
    "session": lambda: make_table(["random"] * 3, 5, session=4),
}
"""Tables whose deals the files show: every event, every ending, and the options that change the words."""

DEALS = {"session": [4, 5, 6, 7], "forte_random": [0, 1, 2, 3, 4, 5]}


def golden_deals(name: str, table: SvaraTable) -> list[History]:
    """The deals of a file: those named above, else one like any other and the two with most svara rounds."""
    deals = DEALS.get(name)
    if deals is None:
        records = table.simulate_block(1, 300, 300, records=True).records
        assert records is not None
        found = records["svara_tied"].astype(int) + 100 * records["svara_rounds"]
        deals = [0, *(1 + int(i) for i in np.argsort(-found, kind="stable")[:2])]
    return [next(table.replay(deal, 1)) for deal in deals]


@pytest.mark.parametrize("name", list(TABLES))
def test_golden_transcripts(name: str) -> None:
    table = TABLES[name]()
    histories = golden_deals(name, table)
    for history in histories:
        audit(history)
    text = "\n\n".join(table.transcript(history) for history in histories) + "\n"
    path = GOLDEN / f"{name}.txt"
    if REWRITE:
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_golden_json() -> None:
    """One deal as JSON, to the letter."""
    history = golden_deals("svara_with_joiners", TABLES["svara_with_joiners"]())[1]
    text = json.dumps(history, ensure_ascii=False, indent=1) + "\n"
    path = GOLDEN / "svara_with_joiners.json"
    if REWRITE:
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_golden_files_tell_of_everything() -> None:
    words = "\n".join(path.read_text(encoding="utf-8") for path in GOLDEN.glob("*.txt"))
    for phrase in (
        "pays the ante", "blind", "does not bet blind", "gets", "folds", "opens at", "raises to", "calls, paying",
        "shows", "svara 1", "svara 2", "joins for", "stays out", "as dealer", "with its blind", "as the last seat",
        "at the showdown", "limit of svara rounds", "payoffs",
    ):  # fmt: skip
        assert phrase in words, phrase

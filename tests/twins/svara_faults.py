"""Ways to break a legal history: specific ones with the message they must raise, and random small ones."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

from .svara_examples import event

History = dict[str, Any]


def put(number: int, line: str) -> Callable[[History], None]:
    """Replace an event by the line."""
    return lambda history: history["events"].__setitem__(number, event(line))


def insert(number: int, line: str) -> Callable[[History], None]:
    return lambda history: history["events"].insert(number, event(line))


def drop(number: int) -> Callable[[History], None]:
    return lambda history: history["events"].pop(number) and None


def swap(number: int) -> Callable[[History], None]:
    """Exchange an event and the next."""

    def change(history: History) -> None:
        events = history["events"]
        events[number], events[number + 1] = events[number + 1], events[number]

    return change


def field(number: int, name: str, value: Any) -> Callable[[History], None]:
    return lambda history: history["events"][number].__setitem__(name, value)


def rule(name: str, value: Any) -> Callable[[History], None]:
    return lambda history: history["rules"].__setitem__(name, value)


def top(name: str, value: Any) -> Callable[[History], None]:
    return lambda history: history.__setitem__(name, value)


# The example to break, how, and what the message says (a regular expression).
BROKEN: list[tuple[str, Callable[[History], None], str]] = [
    # section 5: the object
    ("dealer", top("format", "svara-deal/2"), "format"),
    ("dealer", top("extra", 1), "exactly"),
    ("dealer", lambda history: history.pop("seed") and None, "exactly"),
    ("dealer", top("seed", 7.0), "seed"),
    ("dealer", top("deal", True), "deal"),
    ("dealer", top("players", 1), "players"),
    ("dealer", top("players", 11), "players"),
    ("dealer", top("dealer", 3), "dealer"),
    ("dealer", top("dealer", -1), "dealer"),
    ("dealer", top("dealer", 1), "event 3: .*turn"),
    ("dealer", top("events", {}), "not a list"),
    ("dealer", top("events", []), "too early"),
    ("dealer", top("payoffs", [-60, 120, -60]), "payoffs"),
    ("dealer", top("payoffs", [-60, -60, 121]), "payoffs"),
    ("dealer", top("payoffs", [-60, -60, 120.0]), "payoffs"),
    ("dealer", top("payoffs", [-60, -60]), "payoffs"),
    # section 2: the options
    ("dealer", lambda history: history["rules"].pop("joker") and None, "missing .*joker"),
    ("dealer", rule("jokers", True), "extra .*jokers"),
    ("dealer", rule("joker", 1), "joker"),
    ("dealer", rule("two_sevens", False), "two_sevens"),
    ("dealer", rule("three_sevens", 33), "three_sevens"),
    ("dealer", rule("blind_factors", 2), "blind_factors"),
    ("dealer", rule("blind_factors", [2.0]), "blind_factors"),
    ("dealer", rule("svara_fee", "half"), "svara_fee"),
    ("dealer", rule("svara_fee", -1), "svara_fee"),
    ("dealer", rule("raise_scope", "all"), "raise_scope"),
    ("dealer", rule("bet_limit", 59), "min_bet"),
    ("dealer", rule("ante", 60.0), "ante"),
    ("dealer", rule("max_seats", 2), "players"),
    ("dealer", rule("max_seats", 11), "max_seats"),
    ("dealer", rule("min_seats", 1), "min_seats"),
    ("dealer", rule("ante", 61), "event 0"),
    ("dealer", rule("blind_size", 0), "event 3: .*instead of cards"),
    # steps 1 to 3
    ("dealer", put(1, "ante 1 59"), "event 1"),
    ("dealer", swap(0), "event 0"),
    ("dealer", drop(2), "event 2"),
    ("dealer", insert(3, "ante 2 60"), "event 3"),
    ("dealer", drop(3), "event 3: .*no_blind"),
    ("blind", put(3, "blind 1 120"), "event 3: .*blind of 60 chips"),
    ("blind", put(4, "blind 2 180"), "event 4: .*blind of 120 chips"),
    ("blind", put(4, "blind 0 120"), "event 4: .*turn"),
    ("blind", rule("bet_limit", 239), "event 4: .*three cards to seat 1"),
    ("limit", insert(4, "blind 1 120"), "event 4: .*three cards to seat 0"),
    ("limit", insert(4, "no_blind 1"), "event 4: .*three cards to seat 0"),
    ("blind", insert(5, "no_blind 1"), "event 5: .*turn"),
    ("dealer", swap(4), "event 4: .*turn"),
    ("dealer", drop(6), "event 6: .*turn"),
    ("dealer", put(4, "cards 0 10♠ 10♦ A♣ = 21"), "event 4"),
    ("dealer", put(4, "cards 0 10s 10♦ A♣ = 11"), "event 4"),
    ("dealer", put(4, "cards 0 10♠ 6♦ A♣ = 11"), "event 4: not a card"),
    ("dealer", put(6, "cards 2 10♠ 9♦ 9♣ = 10"), "event 6: 10♠ comes twice"),
    ("dealer", field(4, "cards", ["10♠", "A♣"]), "event 4: .*three cards"),
    ("dealer", field(4, "cards", ("10♠", "10♦", "A♣")), "event 4"),
    ("dealer", field(4, "deck", 1), "event 4"),
    # step 4
    ("dealer", put(7, "call 0 0"), "event 7: 'call' is not allowed"),
    ("dealer", put(7, "raise 0 60 to 60"), "event 7: 'raise' is not allowed"),
    ("dealer", put(7, "bet 0 59 to 59"), "event 7: .*from 60 to 6000"),
    ("dealer", put(7, "bet 0 6001 to 6001"), "event 7: .*from 60 to 6000"),
    ("dealer", insert(9, "fold 2"), "event 9: .*after the end"),
    ("dealer", put(9, "win 2 180 last"), "event 9"),
    ("dealer", put(9, "win 1 180 dealer"), "event 9"),
    ("blind", put(11, "win 2 360 dealer"), "event 11"),
    ("blind", put(11, "win 0 360 blind"), "event 11"),
    ("blind", put(9, "fold 1"), "event 9: .*turn"),
    ("blind", put(9, "bet 0 180 to 180"), "event 9: .*from 240 to 6000"),
    ("blind", insert(11, "fold 2"), "event 11: .*after the end"),
    ("last", put(9, "raise 1 179 to 179"), "event 9: .*raise to a level from 180 to 6000"),
    ("last", put(9, "bet 1 240 to 240"), "event 9: 'bet' is not allowed"),
    ("last", put(10, "fold 0"), "event 10: .*turn"),
    ("last", put(12, "win 1 540 last"), "event 12"),
    ("last", rule("max_raises", 0), "event 9: 'raise' is not allowed"),
    ("showdown", put(12, "bet 3 239 to 239"), "event 12: .*from 240"),
    ("showdown", put(13, "call 0 240"), "event 13"),
    ("showdown", put(14, "raise 1 300 to 300"), "event 14"),
    ("showdown", put(14, "raise 1 179 to 299"), "event 14: .*from 300 to"),
    ("showdown", put(15, "call 2 60"), "event 15: .*turn"),
    ("showdown", insert(17, "call 1 0"), "event 17: .*after the end"),
    ("limit", put(9, "raise 0 260 to 260"), "event 9: .*seat 0: fold; call$"),
    ("limit", rule("min_raise", 81), "event 8: 'raise' is not allowed"),
    ("seat raises", rule("raise_scope", "table"), "event 7: 'raise' is not allowed"),
    ("seat raises", put(8, "raise 1 120 to 240"), "event 8: 'raise' is not allowed"),
    # steps 5 and 6
    ("showdown", drop(17), "event 17"),
    ("showdown", swap(17), "event 17"),
    ("showdown", insert(17, "show 0 9"), "event 17"),
    ("showdown", put(18, "show 3 31"), "event 18"),
    ("showdown", put(19, "win 3 1080 showdown"), "event 19"),
    ("split", put(12, "win 1 70 split"), "event 12"),
    ("split", swap(12), "event 12"),
    ("split", rule("svara_limit", 1), "too early; .*stay_out"),
    ("split", put(12, "win 1 141 showdown"), "event 12"),
    ("svara", put(15, "svara 0 1 pot 360 fee 120"), "event 15"),
    ("svara", put(15, "svara 1 0 pot 360 fee 180"), "event 15"),
    ("svara", put(15, "svara 0 1 pot 540 fee 180"), "event 15"),
    ("svara", put(16, "join 2 179"), "event 16"),
    ("svara", swap(16), "event 16: .*turn"),
    ("svara", drop(17), "event 17: .*turn"),
    ("svara", insert(16, "stay_out 0"), "event 16: .*turn"),
    ("svara", put(16, "stay_out 2"), "event 22: .*not of the seat"),
    ("svara", rule("svara_join", "nobody"), "event 16: .*turn"),
    ("svara", rule("svara_blinds", False), "event 18: .*instead of cards"),
    ("svara", rule("svara_betting", False), "event 18: .*instead of cards"),
    ("svara", rule("svara_limit", 0), "event 16: .*after the end"),
    ("svara", insert(18, "ante 0 60"), "event 18"),
    ("svara", put(24, "bet 2 60 to 60"), "event 24: .*from 120"),
    ("svara shown", put(15, "cards 2 A♥ A♣ 8♠ = 22"), "event 15: .*turn"),
    ("svara shown", put(21, "cards 1 K♠ 8♦ 9♣ = 10"), "event 21: K♠ comes twice"),
    ("odd chips", put(16, "join 1 70"), "event 16"),
]


def faults(history: History, rng: random.Random) -> Iterator[History]:
    """One-step faults at a random event, none of which can leave a legal history."""
    number = rng.randrange(len(history["events"]))
    changes: list[Callable[[History], Any]] = [drop(number)]
    changes.append(lambda broken: broken["events"].insert(number, broken["events"][number]))
    if number + 1 < len(history["events"]):
        changes.append(swap(number))
    made = history["events"][number]
    for name, value in made.items():
        if type(value) is int:
            changes += [field(number, name, value + rng.choice([-1, 1])), field(number, name, float(value))]
    others = {"fold", "win", "no_blind", "x"} - {made["type"]}
    changes += [field(number, "type", kind) for kind in sorted(others)]
    changes.append(lambda broken: broken["events"][number].popitem() and None)
    for change in changes:
        broken = copy.deepcopy(history)
        change(broken)
        yield broken

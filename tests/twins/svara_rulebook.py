"""The independent, slow rulebook: replay, audit and random play of whole deals, from the rule page alone.

* `play(history)` plays a `svara-deal/1` history again with its cards and decisions, and returns its own;
* `audit(history)` demands that this record is the history's, to the letter;
* `play_random(rng, rules, players, dealer)` makes legal histories without any other code;
* `next_dealer(history, rules)` says who deals next; `random_rules` and `PRESETS` give option mappings.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .svara_engine import Deal
from .svara_options import PRESETS, RuleBroken, check_rules, check_table, fresh, is_whole, random_rules
from .svara_parts import Allowed, Answer, Event, Hand, Source, describe
from .svara_points import DECK

__all__ = [
    "PRESETS",
    "RandomSource",
    "RuleBroken",
    "audit",
    "next_dealer",
    "play",
    "play_random",
    "random_rules",
]

FORMAT = "svara-deal/1"
KEYS = ("format", "rules", "seed", "deal", "players", "dealer", "events", "payoffs")
AMOUNTS = {"blind": "chips", "bet": "level", "raise": "level"}
DECISIONS = {"no_blind", "blind", "fold", "bet", "raise", "call", "join", "stay_out"}
CONSEQUENCES = {"ante", "show", "svara", "win"}


class HistorySource:
    """A history as an oracle: its cards and decisions in their order; what follows from them is skipped."""

    def __init__(self, events: object) -> None:
        if not isinstance(events, list):
            raise RuleBroken(f"events: {events!r} is not a list")
        self.queue: list[tuple[int, Event]] = []
        for index, event in enumerate(events):
            kind = event.get("type") if isinstance(event, dict) else None
            if not isinstance(kind, str) or kind not in DECISIONS | CONSEQUENCES | {"cards"}:
                raise RuleBroken(f"event {index}: {event!r} is no event of {FORMAT}")
            if kind not in CONSEQUENCES:
                self.queue.append((index, event))
        self.queue.reverse()

    def next(self, seat: int, expected: str) -> tuple[str, Event]:
        """The next card or decision event, which must be `seat`'s."""
        if not self.queue:
            raise RuleBroken(f"the events end too early; {expected}")
        index, event = self.queue.pop()
        place = f"event {index}"
        if not same(event.get("seat"), seat):
            raise RuleBroken(f"{place}: {event!r} is not of the seat whose turn it is; {expected}")
        return place, event

    def deal(self, seats: Sequence[int]) -> Iterator[Hand]:
        """Step 3: one cards event a seat, in table order."""
        for seat in seats:
            expected = f"the rules deal three cards to seat {seat} now"
            place, event = self.next(seat, expected)
            if event["type"] != "cards":
                raise RuleBroken(f"{place}: {event!r} instead of cards; {expected}")
            yield Hand(event.get("cards", ()), place)

    def decide(self, seat: int, allowed: Allowed) -> Answer:
        """The decision that the history holds next; the engine judges it."""
        place, event = self.next(seat, describe(seat, allowed))
        kind = event["type"]
        return Answer(kind, event.get(AMOUNTS[kind]) if kind in AMOUNTS else None, place)

    def finish(self) -> None:
        """Nothing may be left over when the deal has ended."""
        if self.queue:
            index, event = self.queue[-1]
            raise RuleBroken(f"event {index}: {event!r} comes after the end; the rules allow nothing more")


class RandomSource:
    """Uniform deals and uniform decisions: each legal kind equally likely, then each legal amount of it."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def deal(self, seats: Sequence[int]) -> Iterator[Hand]:
        """Step 3: a fresh deck, one card at a time in table order."""
        deck = [str(card) for card in DECK]
        self.rng.shuffle(deck)
        for place in range(len(seats)):
            yield Hand(deck[place : 3 * len(seats) : len(seats)])

    def decide(self, seat: int, allowed: Allowed) -> Answer:
        """A kind, then an amount."""
        kind = self.rng.choice(list(allowed))
        amounts = allowed[kind]
        return Answer(kind, None if amounts is None else self.rng.choice(amounts))


def play(history: Mapping[str, Any]) -> dict[str, Any]:
    """Play the deal by the rules, with the history's cards and decisions; returns own events and payoffs."""
    for name in ("rules", "players", "dealer", "events"):
        if name not in history:
            raise RuleBroken(f"the history has no {name!r}")
    check_rules(history["rules"])
    check_table(history["rules"], history["players"], history["dealer"])
    source = HistorySource(history["events"])
    deal = Deal(history["rules"], history["players"], history["dealer"], source)
    deal.run()
    source.finish()
    return {"events": deal.events, "payoffs": deal.payoffs()}


def same(one: object, other: object) -> bool:
    """Equal in value and in type all the way down, as JSON has it (1 is not true, 60.0 is not 60)."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def audit(history: Mapping[str, Any]) -> None:
    """Demand of a history all that sections 2, 3 and 5 demand; raises `RuleBroken` at the first fault."""
    if not isinstance(history, dict) or set(history) != set(KEYS):
        raise RuleBroken(f"a history holds exactly {KEYS}")
    if not same(history["format"], FORMAT):
        raise RuleBroken(f"format: {history['format']!r} is not {FORMAT!r}")
    for name in ("seed", "deal"):
        if not is_whole(history[name], 0):
            raise RuleBroken(f"{name}: {history[name]!r} is not a whole number from 0")
    played = play(history)
    for index, (found, right) in enumerate(zip(history["events"], played["events"], strict=False)):
        if not same(found, right):
            raise RuleBroken(f"event {index}: {found!r}, but by the rules it is {right!r}")
    found_count, right_count = len(history["events"]), len(played["events"])
    if found_count > right_count:
        extra = history["events"][right_count]
        raise RuleBroken(f"event {right_count}: {extra!r} comes after the end of the deal")
    if found_count < right_count:
        raise RuleBroken(f"the events end too early; by the rules comes {played['events'][found_count]!r}")
    if not same(history["payoffs"], played["payoffs"]):
        raise RuleBroken(f"payoffs: {history['payoffs']!r}, but by the rules they are {played['payoffs']!r}")
    if sum(history["payoffs"]) != 0:
        raise RuleBroken(f"payoffs: {history['payoffs']!r} do not sum to zero")


def next_dealer(history: Mapping[str, Any], rules: Mapping[str, Any]) -> int:
    """Step 7: the winner, however it won (option "left": the next seat); after a split, the next seat."""
    wins = [event for event in history["events"] if event["type"] == "win"]
    if not wins:
        raise RuleBroken("the deal has no winner")
    if rules["next_dealer"] == "winner" and wins[0]["how"] != "split":
        return int(wins[0]["seat"])
    return int(history["dealer"] + 1) % int(history["players"])


def play_random(
    rng: random.Random,
    rules: Mapping[str, Any],
    players: int,
    dealer: int,
    *,
    seed: int = 0,
    deal: int = 0,
    source: Source | None = None,
) -> dict[str, Any]:
    """A legal history by players who choose at random, as `RandomSource` does unless another source is given.

    `seed` and `deal` only label the history.
    """
    own_rules = fresh(rules)
    check_rules(own_rules)
    check_table(own_rules, players, dealer)
    played = Deal(own_rules, players, dealer, source or RandomSource(rng))
    played.run()
    return {
        "format": FORMAT,
        "rules": own_rules,
        "seed": seed,
        "deal": deal,
        "players": players,
        "dealer": dealer,
        "events": played.events,
        "payoffs": played.payoffs(),
    }

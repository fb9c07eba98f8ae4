"""Section 2 of the rule page: the options, their presets, what is valid, and random option mappings."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

FORTE: dict[str, Any] = {
    "min_seats": 2,
    "max_seats": 10,
    "ante": 60,
    "blind_size": 60,
    "blind_factors": [2],
    "min_bet": 60,
    "min_raise": 60,
    "bet_limit": 6000,
    "max_raises": 3,
    "raise_scope": "table",
    "svara_fee": "share",
    "svara_join": "anyone",
    "svara_betting": True,
    "svara_blinds": True,
    "svara_limit": 64,
    "next_dealer": "winner",
    "joker": True,
    "small_triples": True,
    "two_sevens": 23,
    "three_sevens": 34,
}

PRESETS: dict[str, dict[str, Any]] = {
    "forte": FORTE,
    "favorite": {**FORTE, "small_triples": False, "raise_scope": "seat"},
    "vip": {**FORTE, "max_seats": 9, "blind_factors": [2, 3, 4], "next_dealer": "left"},
}

LEAST_CHIPS = {
    "ante": 1,
    "blind_size": 0,
    "min_bet": 1,
    "min_raise": 1,
    "bet_limit": 1,
    "max_raises": 0,
    "svara_limit": 0,
}
CHOICES: dict[str, tuple[Any, ...]] = {
    "raise_scope": ("table", "seat"),
    "svara_join": ("anyone", "nobody"),
    "svara_betting": (True, False),
    "svara_blinds": (True, False),
    "next_dealer": ("winner", "left"),
    "joker": (True, False),
    "small_triples": (True, False),
    "two_sevens": (23, 0),
    "three_sevens": (34, 0),
}


class RuleBroken(Exception):
    """Something in a deal history that the rule page does not allow."""


def fresh(rules: Mapping[str, Any]) -> dict[str, Any]:
    """A copy that shares no list with `rules`."""
    return {**rules, "blind_factors": list(rules["blind_factors"])}


def is_whole(value: object, least: int, most: int | None = None) -> bool:
    """A whole number (neither a bool nor a float) from `least` up to `most`."""
    return type(value) is int and value >= least and (most is None or value <= most)


def is_choice(value: object, choices: tuple[Any, ...]) -> bool:
    """One of `choices`, of the same type too (1 is not true, 0.0 is not 0)."""
    return any(type(value) is type(choice) and value == choice for choice in choices)


def check_rules(rules: object) -> None:
    """Demand every option of section 2, nothing else, each with a value of its kind."""
    if not isinstance(rules, dict):
        raise RuleBroken(f"rules: {rules!r} is not an object")
    if set(rules) != set(FORTE):
        missing, extra = sorted(set(FORTE) - set(rules)), sorted(map(str, set(rules) - set(FORTE)))
        raise RuleBroken(f"rules: must be exactly those of section 2; missing {missing}, extra {extra}")
    for name, least in LEAST_CHIPS.items():
        if not is_whole(rules[name], least):
            raise RuleBroken(f"rules: {name} is {rules[name]!r}, must be a whole number from {least}")
    for name, choices in CHOICES.items():
        if not is_choice(rules[name], choices):
            raise RuleBroken(f"rules: {name} is {rules[name]!r}, must be one of {choices}")
    factors = rules["blind_factors"]
    if type(factors) is not list or not all(is_whole(factor, 1) for factor in factors):
        raise RuleBroken(f"rules: blind_factors is {factors!r}, must be a list of whole numbers from 1")
    if not is_choice(rules["svara_fee"], ("share",)) and not is_whole(rules["svara_fee"], 0):
        raise RuleBroken(f"rules: svara_fee is {rules['svara_fee']!r}, must be 'share' or whole chips from 0")
    if rules["min_bet"] > rules["bet_limit"]:
        raise RuleBroken(f"rules: min_bet {rules['min_bet']} is above bet_limit {rules['bet_limit']}")
    seats = (rules["min_seats"], rules["max_seats"])
    if not all(is_whole(seat, 2) for seat in seats) or not seats[0] <= seats[1] <= 10:
        raise RuleBroken(f"rules: min_seats, max_seats are {seats!r}, must be 2 <= min <= max <= 10")


def check_table(rules: Mapping[str, Any], players: Any, dealer: object) -> None:
    """Demand a number of seats that the options allow, and a dealer among them (section 2)."""
    if not is_whole(players, rules["min_seats"], rules["max_seats"]):
        raise RuleBroken(f"players: {players!r} is not from {rules['min_seats']} to {rules['max_seats']}")
    if not is_whole(dealer, 0, players - 1):
        raise RuleBroken(f"dealer: {dealer!r} is not one of the seats, 0 to {players} less 1")


def random_chips(rng: random.Random) -> dict[str, Any]:
    """Random amounts: tight and wide limits, odd antes (so that shares are rounded), blinds off."""
    min_bet = rng.choice([1, 5, 60, 60, 100, 250])
    room = rng.choice([0, 1, 7, 59, 120, 480, 1000, 5940])
    return {
        "ante": rng.choice([1, 7, 13, 60, 60, 101]),
        "blind_size": rng.choice([0, 1, 7, 30, 60, 60, 120, 400]),
        "blind_factors": list(rng.choice([[2], [2], [2, 3, 4], [3], [2, 5], [4, 2]])),
        "min_bet": min_bet,
        "min_raise": rng.choice([1, 5, 60, 60, 100, 500]),
        "bet_limit": min_bet + room,
        "max_raises": rng.randint(0, 5),
        "svara_fee": rng.choice(["share", "share", "share", 0, 1, 77, 600]),
        "svara_limit": rng.choice([0, 1, 2, 64]),
    }


def random_rules(rng: random.Random, players: int) -> dict[str, Any]:
    """A valid option mapping for `players` seats: a random preset with about half its options redrawn."""
    rules = fresh(PRESETS[rng.choice(sorted(PRESETS))])
    drawn = {name: rng.choice(choices) for name, choices in CHOICES.items()}
    for name, value in drawn.items():
        if rng.random() < 0.5:
            rules[name] = value
    chips = random_chips(rng)
    if rng.random() < 0.5:
        rules["min_bet"], rules["bet_limit"] = chips["min_bet"], chips["bet_limit"]
    for name, value in chips.items():
        if name not in ("min_bet", "bet_limit") and rng.random() < 0.5:
            rules[name] = value
    rules["min_seats"] = rng.randint(2, players)
    rules["max_seats"] = rng.randint(players, max(players, rules["max_seats"]))
    check_rules(rules)
    return rules

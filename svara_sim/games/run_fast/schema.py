"""The registry of columns of the records and totals, and what a summary makes of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..protocol import Column, Measure, Policy
from .deck import RANKS
from .kernel.layout import N_BOMBS, N_FEWEST, RECORD_NAMES, TOTAL_NAMES

__all__ = ["BOMB_NAMES", "PLACES", "RECORD_COLUMNS", "TOTAL_COLUMNS", "measures"]

PLACES = ("opener", "second", "third")
BOMB_NAMES = tuple("three aces" if rank == "A" else f"four {rank}s" for rank in RANKS[:N_BOMBS])

_SEAT = ("0", "1", "2")
_RECORD_ONCE = {
    "opener": ("uint8", "seat", "holder of the three of hearts, who leads first", _SEAT),
    "winner": ("uint8", "seat", "who went out", _SEAT),
    "two_seat": ("uint8", "seat", "who was dealt the two of spades", _SEAT),
    "two_left": ("bool", "", "whether a loser was left with the two of spades", ()),
    "heavenly": ("uint8", "", "the opener's four threes", ("none", "dealt", "played")),
    "plies": ("uint8", "turns", "plays and passes", ()),
    "plays": ("uint8", "plays", "plays", ()),
    "rounds": ("uint8", "rounds", "rounds, each with one lead", ()),
}
_RECORD_BY_SEAT = {
    "score_": ("int16", "points", "points of seat {}"),
    "bonus_": ("int16", "points", "points of seat {} from bombs that won their rounds, its own less others'"),
    "penalty_": ("int16", "points", "what seat {} paid for its remaining hand"),
    "cards_left_": ("uint8", "cards", "cards left to seat {}"),
    "never_played_": ("bool", "", "whether seat {} never played a card"),
    "fewest_": ("uint8", "plays", "fewest plays that shed the hand dealt to seat {}"),
    "bombs_dealt_": ("uint8", "bombs", "bombs dealt to seat {}"),
    "bombs_played_": ("uint8", "bombs", "bombs played by seat {}, the heavenly one included"),
    "reply_bombs_": ("uint8", "bombs", "bombs played by seat {} in reply"),
    "bombs_left_": ("uint8", "bombs", "bombs left to seat {}"),
    "bomb_ranks_": ("uint16", "mask", "ranks of the bombs dealt to seat {}: bit 0 is 3, bit 11 is A"),
}


def _split(name: str) -> tuple[str, str]:
    """Family and number of a column name: ``score_2`` is ``score_`` and ``2``."""
    stem = name.rstrip("0123456789")
    return stem, name[len(stem) :]


def _record_columns() -> Iterator[Column]:
    for name in RECORD_NAMES:
        if name in _RECORD_ONCE:
            dtype, unit, meaning, categories = _RECORD_ONCE[name]
            yield Column(name, dtype, unit, meaning, tuple(categories))
        else:
            family, seat = _split(name)
            dtype, unit, meaning = _RECORD_BY_SEAT[family]
            yield Column(name, dtype, unit, meaning.format(seat))


RECORD_COLUMNS: tuple[Column, ...] = tuple(_record_columns())
"""Schema of the per-deal records, in order."""

_TOTAL_MEANINGS = {
    "deals": ("deals", "deals"),
    "plies": ("turns", "plays and passes"),
    "plays": ("plays", "plays"),
    "rounds": ("rounds", "rounds"),
    "bombs_dealt": ("bombs", "bombs dealt"),
    "bombs_played": ("bombs", "bombs played, heavenly ones included"),
    "reply_bombs": ("bombs", "bombs played in reply"),
    "bombs_left": ("bombs", "bombs left to losers"),
    "bonus_deals": ("deals", "deals in which a bomb's bonus changed a score"),
    "heavenly_dealt": ("deals", "deals in which the opener was dealt four threes"),
    "heavenly_played": ("deals", "deals in which they were played as the heavenly bomb"),
    "two_left": ("deals", "deals in which a loser was left with the two of spades"),
    "never_played": ("players", "losers who never played a card"),
    "two_wins": ("deals", "deals won by the holder of the two of spades"),
    "two_points": ("points", "points of the holder of the two of spades"),
    "opened_": ("deals", "deals opened by seat {}"),
    "wins_": ("deals", "deals won by seat {}"),
    "points_": ("points", "points of seat {}"),
    "bonus_": ("points", "points of seat {} from bombs"),
    "penalty_": ("points", "penalties paid by seat {}"),
    "place_wins_": ("deals", "deals won by the player at place {} after the opener"),
    "place_points_": ("points", "points of the player at place {} after the opener"),
    "seat_place_wins_": ("deals", "deals won by seat {seat} at place {place} after the opener"),
    "seat_place_points_": ("points", "points of seat {seat} at place {place} after the opener"),
    "fewest_hands_": ("hands", "hands dealt that {} plays can shed"),
    "fewest_wins_": ("hands", "such hands that won"),
    "fewest_points_": ("points", "points of hands that {} plays can shed"),
    "bomb_hands_": ("hands", "hands dealt {bomb}"),
    "bomb_wins_": ("hands", "hands dealt {bomb} that won"),
    "bomb_points_": ("points", "points of hands dealt {bomb}"),
}


def _total_columns() -> Iterator[Column]:
    for name in TOTAL_NAMES:
        family, number = _split(name)
        unit, meaning = _TOTAL_MEANINGS[family]
        n = int(number or 0)
        bomb = BOMB_NAMES[n] if family.startswith("bomb_") else ""
        yield Column(name, "int64", unit, meaning.format(number, seat=n // 3, place=n % 3, bomb=bomb))


TOTAL_COLUMNS: tuple[Column, ...] = tuple(_total_columns())
"""Schema of the totals, in order."""

_PER_DEAL = ("plies", "plays", "rounds", "bombs_dealt", "bombs_played", "reply_bombs", "bombs_left", "never_played")
_EVENTS = {
    "bonus_deals": "a bomb's bonus is paid",
    "heavenly_dealt": "the opener holds four threes",
    "heavenly_played": "and plays them as the heavenly bomb",
    "two_left": "a loser is left with 2♠",
}


def _by_seat(seats: Sequence[Policy]) -> Iterator[Measure]:
    for seat, policy in enumerate(seats):
        keys = {"seat": seat, "policy": policy.label}
        yield Measure("points_by_seat", keys, f"points_{seat}", "deals", "points")
        yield Measure("wins_by_seat", keys, f"wins_{seat}", "deals", "deals", "proportion")
        yield Measure("bonus_by_seat", keys, f"bonus_{seat}", "deals", "points")
        yield Measure("penalty_by_seat", keys, f"penalty_{seat}", "deals", "points")
    for seat, policy in enumerate(seats):
        for place, name in enumerate(PLACES):
            keys = {"seat": seat, "policy": policy.label, "place": name}
            pair, opened = 3 * seat + place, f"opened_{(seat - place) % 3}"
            yield Measure("points_by_seat_and_place", keys, f"seat_place_points_{pair}", opened, "points")
            yield Measure("wins_by_seat_and_place", keys, f"seat_place_wins_{pair}", opened, "deals", "proportion")


def _by_hand() -> Iterator[Measure]:
    for plays in range(1, N_FEWEST + 1):
        keys = {"fewest_plays": plays}
        yield Measure("hands_by_fewest", keys, f"fewest_hands_{plays}", "deals", "hands")
        yield Measure("points_by_fewest", keys, f"fewest_points_{plays}", f"fewest_hands_{plays}", "points")
        yield Measure("wins_by_fewest", keys, f"fewest_wins_{plays}", f"fewest_hands_{plays}", "hands", "proportion")
    holdings = [("2♠", "two_points", "two_wins", "deals"), ("3♥", "place_points_0", "place_wins_0", "deals")]
    holdings += [(name, f"bomb_points_{i}", f"bomb_wins_{i}", f"bomb_hands_{i}") for i, name in enumerate(BOMB_NAMES)]
    for name, points, wins, per in holdings:
        yield Measure("points_by_holding", {"holding": name}, points, per, "points")
        yield Measure("wins_by_holding", {"holding": name}, wins, per, "hands", "proportion")


def measures(seats: Sequence[Policy]) -> tuple[Measure, ...]:
    """What a summary estimates: points and wins by seat, by place after the opener, by hand; how deals go."""
    found = list(_by_seat(seats))
    for place, name in enumerate(PLACES):
        found.append(Measure("points_by_place", {"place": name}, f"place_points_{place}", "deals", "points"))
        found.append(Measure("wins_by_place", {"place": name}, f"place_wins_{place}", "deals", "deals", "proportion"))
    found += _by_hand()
    units = {column.name: column.unit for column in TOTAL_COLUMNS}
    found += [
        Measure("per_deal", {"quantity": name.replace("_", " ")}, name, "deals", units[name]) for name in _PER_DEAL
    ]
    found += [
        Measure("share_of_deals", {"event": _EVENTS[name]}, name, "deals", "deals", "proportion") for name in _EVENTS
    ]
    return tuple(found)

"""Where each number of a deal stands: columns of a record, and columns of the totals.

A name that ends in ``_`` is followed by a seat, a place, or whatever its family runs over; its columns are
consecutive.
"""

from __future__ import annotations

__all__ = [
    "BOMBS_DEALT",
    "BOMBS_LEFT",
    "BOMB_RANKS",
    "BONUS_POINTS",
    "CARDS_LEFT",
    "FEWEST_DEALT",
    "HEAVENLY_STATE",
    "N_BOMBS",
    "N_FEWEST",
    "N_PLAYS",
    "N_PLIES",
    "N_RECORD",
    "N_ROUNDS",
    "N_TOTALS",
    "OPENER",
    "PENALTY",
    "PLAYED_BOMBS",
    "RECORD_NAMES",
    "REPLIED_BOMBS",
    "SCORE",
    "SHUT_OUT",
    "TOTAL_AT",
    "TOTAL_NAMES",
    "TWO_LEFT",
    "TWO_SEAT",
    "WINNING_SEAT",
]

_ONCE = ("opener", "winner", "two_seat", "two_left", "heavenly", "plies", "plays", "rounds")
_BY_SEAT = (
    "score_",
    "bonus_",
    "penalty_",
    "cards_left_",
    "never_played_",
    "fewest_",
    "bombs_dealt_",
    "bombs_played_",
    "reply_bombs_",
    "bombs_left_",
    "bomb_ranks_",
)
RECORD_NAMES = _ONCE + tuple(f"{name}{seat}" for name in _BY_SEAT for seat in range(3))
N_RECORD = len(RECORD_NAMES)

OPENER, WINNING_SEAT, TWO_SEAT, TWO_LEFT, HEAVENLY_STATE, N_PLIES, N_PLAYS, N_ROUNDS = range(8)
SCORE, BONUS_POINTS, PENALTY, CARDS_LEFT, SHUT_OUT, FEWEST_DEALT = 8, 11, 14, 17, 20, 23
BOMBS_DEALT, PLAYED_BOMBS, REPLIED_BOMBS, BOMBS_LEFT, BOMB_RANKS = 26, 29, 32, 35, 38

N_FEWEST = 13  # fewest plays of a dealt hand are 1 to 13: each rank by itself at worst
N_BOMBS = 12  # four of 3 to K, three aces

_FAMILIES: tuple[tuple[str, int], ...] = (
    ("deals", 1),
    ("plies", 1),
    ("plays", 1),
    ("rounds", 1),
    ("bombs_dealt", 1),
    ("bombs_played", 1),
    ("reply_bombs", 1),
    ("bombs_left", 1),
    ("bonus_deals", 1),
    ("heavenly_dealt", 1),
    ("heavenly_played", 1),
    ("two_left", 1),
    ("never_played", 1),
    ("two_wins", 1),
    ("two_points", 1),
    ("opened_", 3),
    ("wins_", 3),
    ("points_", 3),
    ("bonus_", 3),
    ("penalty_", 3),
    ("place_wins_", 3),
    ("place_points_", 3),
    ("seat_place_wins_", 9),
    ("seat_place_points_", 9),
    ("fewest_hands_", N_FEWEST),
    ("fewest_wins_", N_FEWEST),
    ("fewest_points_", N_FEWEST),
    ("bomb_hands_", N_BOMBS),
    ("bomb_wins_", N_BOMBS),
    ("bomb_points_", N_BOMBS),
)


def _number(family: str, n: int) -> list[str]:
    first = 1 if family.startswith("fewest") else 0
    return [f"{family}{first + i}" for i in range(n)] if n > 1 else [family]


TOTAL_NAMES = tuple(name for family, n in _FAMILIES for name in _number(family, n))
N_TOTALS = len(TOTAL_NAMES)
TOTAL_AT = {family: sum(n for _, n in _FAMILIES[:i]) for i, (family, _) in enumerate(_FAMILIES)}
"""First column of each family."""

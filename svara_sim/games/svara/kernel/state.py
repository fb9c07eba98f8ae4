"""What the phases pass to each other: rules, policies, working arrays, and what a policy may see."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types as _numba_types

from ....core.jit import caller

__all__ = [
    "ASK_BET",
    "ASK_BLIND",
    "ASK_JOIN",
    "BET",
    "BLIND",
    "DEAL",
    "JOIN",
    "MAX_FACTORS",
    "MAX_SEATS",
    "MOST_RAISES",
    "N_PURPOSES",
    "POLICY_SIGNATURE",
    "ROW",
    "RULES",
    "SITUATIONS_ROOM",
    "SITUATION_SHAPE",
    "TABLE",
    "VIEW_TYPE",
    "WORK",
    "Bets",
    "Chain",
    "Players",
    "Spot",
    "Turn",
    "View",
    "call_policy",
    "new_record",
    "new_work",
]

MAX_SEATS = 10
MAX_FACTORS = 16

# What a betting table may look at. The last three stay the same for a round; the others make up its situation.
STAGE, CAN_RAISE, RAISES, PLAYERS, POSITION, SVARA, POINTS = range(7)
MOST_RAISES = 4  # a table tells 0, 1, 2, 3, and 4 or more raises apart
SITUATION_SHAPE = (3, 2, MOST_RAISES + 1, MAX_SEATS + 1)
SITUATIONS_ROOM = 512  # 330 situations, with room that makes a seat's place a shift
ROW = 4  # columns of a betting table

_types: Any = _numba_types

# Purposes of the random streams.
DEAL, BLIND, BET, JOIN = 0, 1, 2, 3
N_PURPOSES = 4


_OPTIONS: list[Any] = [
    ("ante", np.int64),
    ("blind_size", np.int64),
    ("min_bet", np.int64),
    ("min_raise", np.int64),
    ("bet_limit", np.int64),
    ("max_raises", np.int64),
    ("raises_by_seat", np.int64),
    ("fee_chips", np.int64),
    ("join_anyone", np.int64),
    ("svara_betting", np.int64),
    ("svara_blinds", np.int64),
    ("svara_limit", np.int64),
    ("winner_deals", np.int64),
    ("n_factors", np.int64),
    ("blind_factors", np.int64, (MAX_FACTORS,)),
]

RULES = np.dtype(_OPTIONS, align=True)
"""The options of the rule page, section 2; flags are 0 or 1, and `fee_chips` is -1 for "share"."""

TABLE = np.dtype(
    [
        *_OPTIONS,
        ("lenient", np.int64),  # illegal answers of policies are set right and counted
        # Keys of the random streams, one a purpose.
        ("keys", np.uint64, (N_PURPOSES,)),
        # How each seat decides: by its functions, or by tables. A draw has 31 bits; a *cut* is what it must be below.
        ("is_function", np.int64, (3, MAX_SEATS)),  # by decision (blind, bet, join) and seat
        ("functions", np.int64, (3, MAX_SEATS)),  # handles
        ("alike", np.int64),  # 1 if no seat bets by a function, nor has a limit of raises of its own
        # Places in the betting tables, which are one uint32 array with ROW numbers a row.
        ("offset", np.int64, (MAX_SEATS, MAX_SEATS)),  # by dealer and seat: where the seat's table begins
        ("svara_stride", np.int64, (MAX_SEATS,)),  # from outside a svara to within
        ("points_stride", np.int64, (MAX_SEATS,)),  # from one number of points to the next
        ("situation", np.uint32, (MAX_SEATS, SITUATIONS_ROOM)),  # from the first situation to each
        ("blind_choice", np.int64, (MAX_SEATS,)),  # which legal blind: 0 smallest, 1 largest, 2 any
        ("blind_cut", np.uint32, (MAX_SEATS, 2, MAX_SEATS)),  # by (svara or not, blinds already made)
        ("join_cut", np.uint32, (MAX_SEATS, MAX_SEATS + 1)),  # by the number of tied seats
        ("join_price", np.uint32, (MAX_SEATS,)),  # highest share of the pot to pay for joining, in 65536ths
        # Points of all hands, in the order of `svara_sim.games.svara.scoring.HANDS`.
        ("points", np.uint8, (4960,)),
    ],
    align=True,
)
"""What stays the same for a whole run, as one record: a kernel gets it as one pointer."""

WORK = np.dtype(
    [
        ("hands", np.uint64, (MAX_SEATS,)),  # cards of each seat in this round, one bit a card
        ("points", np.int64, (MAX_SEATS,)),  # points of each seat in this round; after the deal, in the first
        ("first_points", np.int64, (MAX_SEATS,)),  # where they are kept during a svara
        ("bet", np.int64, (MAX_SEATS,)),  # chips of each seat in this betting round
        ("raised", np.int64, (MAX_SEATS,)),  # raises of each seat in this betting round
        ("base_row", np.int64, (MAX_SEATS,)),  # place in each seat's table for what does not change within a round
        ("always", np.int64, (MAX_SEATS,)),  # what each seat's table says throughout the round, see `decide.find_rows`
        ("paid", np.int64, (MAX_SEATS,)),  # chips of each seat in this deal, from the first svara on
        ("payoff", np.int64, (MAX_SEATS,)),  # of each seat in a deal with a svara; see `play.payoff_of`
        ("paid_before_join", np.int64, (MAX_SEATS,)),  # when it first joined a svara; -1 if it did not
        ("clamped", np.int64, (MAX_SEATS,)),  # illegal answers of each seat that were set right
        ("status", np.int64, (6,)),  # what stopped the run, see `decide.report_illegal`
    ],
    align=True,
)
"""Working memory of one thread, used again from deal to deal."""


class Spot(NamedTuple):
    """Where in a run a decision is made: which deal, which round of it, who deals, how many tied for it."""

    deal: int
    round_: int
    seats: int
    dealer: int
    tied: int


class Players(NamedTuple):
    """The seats still in: as a mask, and how many."""

    mask: Any  # uint64
    number: int


class Chain(NamedTuple):
    """The blinds of a round: the last one (0: none) and its seat (-1), how many, and the mask of their seats."""

    last: int
    seat: int
    number: int
    mask: Any  # uint64


class Bets(NamedTuple):
    """A betting round so far, and what it leaves the next seat to do."""

    level: int
    opened: int  # 1 once somebody has opened
    raises: int  # of all seats
    last_raiser: int  # -1 if nobody has opened
    price: int  # the level that a call (or the least opening) brings a bet to
    low: int  # least level of a raise (or of an opening); 0 if none is legal
    case: int  # situation of a table, but for the players still in; see `decide.situation`


class Turn(NamedTuple):
    """Whose turn it is in a betting round.

    A seat acts at most once a lap, so (seat, lap) names a decision.
    """

    seat: int  # that acts, or that acted before the first turn
    lap: int
    to_act: int  # seats that have still to answer the last bet, after this one


class View(NamedTuple):
    """All that a policy may see when it decides; nothing in it depends on a card that the seat has not seen.

    Amounts are chips. A *level* is what a seat must have bet in this round to stay in. All fields are whole numbers but
    the last.

    Attributes
    ----------
    card_0, card_1, card_2 : int
        Own cards as suit * 8 + rank, 0 to 31 (suits ♠ ♥ ♦ ♣, ranks 7 8 9 10 J Q K A); -1 while it has none.
    points : int
        Points of the own cards, 8 to 34; 0 while it has none.
    seat : int
        The seat that decides, 0 to ``seats - 1``.
    dealer : int
        The dealer's seat.
    position : int
        Place in table order: 0 left of the dealer to ``seats - 1``, the dealer.
    seats : int
        Seats at the table, 2 to 10.
    players_in : int
        Seats still in, this one included if it is.
    in_mask : int
        Bit s is set if seat s is still in.
    pot : int
        Chips in the pot, all bets and blinds included.
    level : int
        The level now: of the last raise or opening; before that of the last blind, 0 if there is none.
    my_bet : int
        Own bet of this round, blinds included.
    owed : int
        Chips to call, to open at the opening price, to bet the smallest blind, or to join.
    min_raise_to, max_raise_to : int
        Lowest and highest legal level of a raise (of an opening, when nobody has opened); 0 if no raise is legal.
    opened : int
        1 once somebody has opened this round, else 0.
    raises : int
        Raises of this round that count against the limit: of all seats, or of this one if the rules count by seat.
    raises_left : int
        How many more the limit allows (0 where the decision is no bet).
    last_raiser : int
        Seat of the last opening or raise of this round; -1 if there was none.
    blind_level : int
        Last blind of this round; 0 if there was none.
    blinds : int
        Number of blinds of this round.
    blind_mask : int
        Bit s is set if seat s has bet blind in this round.
    next_blind : int
        Smallest legal blind; 0 if this is no blind decision.
    svara_round : int
        0 in the first round of the deal, 1 in its first svara, and so on.
    tied : int
        Seats that tied for this svara; 0 in the first round.
    ante : int
        The ante.
    random : float
        A random number of this decision's own, uniform in [0, 1).
    """

    card_0: int
    card_1: int
    card_2: int
    points: int
    seat: int
    dealer: int
    position: int
    seats: int
    players_in: int
    in_mask: int
    pot: int
    level: int
    my_bet: int
    owed: int
    min_raise_to: int
    max_raise_to: int
    opened: int
    raises: int
    raises_left: int
    last_raiser: int
    blind_level: int
    blinds: int
    blind_mask: int
    next_blind: int
    svara_round: int
    tied: int
    ante: int
    random: float


VIEW_TYPE: Any = _types.NamedTuple([_types.int64] * (len(View._fields) - 1) + [_types.float64], View)
POLICY_SIGNATURE = _types.int64(VIEW_TYPE)
call_policy = caller(POLICY_SIGNATURE)
"""``call_policy(handle, view)``: the answer of a policy's function."""

ASK_BLIND, ASK_BET, ASK_JOIN = range(3)


def new_record(dtype: Any) -> Any:
    """A record with nothing in it; a `numpy.record`, whose fields are attributes with the JIT off too."""
    return np.zeros(1, np.dtype((np.record, dtype)))[0]


def new_work() -> Any:
    """Working memory with nothing in it."""
    return new_record(WORK)

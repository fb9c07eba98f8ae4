"""What kernels take: NamedTuples with one dtype for each field."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .slots import MAX_PLIES, N_LEDGER

__all__ = [
    "DOUBLE_ALL",
    "DOUBLE_CARDS",
    "DOUBLE_NONE",
    "DOUBLE_SCOPES",
    "FewestTable",
    "Hidden",
    "MoveSet",
    "Options",
    "Position",
    "Scratch",
    "Seats",
    "Setup",
    "Turn",
    "make_scratch",
]

DOUBLE_NONE, DOUBLE_CARDS, DOUBLE_ALL = 0, 1, 2
DOUBLE_SCOPES = ("none", "cards", "all")


class Position(NamedTuple):
    """The table before a turn; players count from the one to move (0), the next (1), the previous (2).

    Parameters
    ----------
    top : int64
        Slot of the play to beat, `PASS` on a lead.
    owner : int64
        Who played it.
    passes : int64
        Passes since.
    bonus_due : bool
        Whether it is a bomb that earns its bonus if the round ends now.
    opening : bool
        Whether this is the first play of the deal.
    """

    top: Any
    owner: Any
    passes: Any
    bonus_due: Any
    opening: Any


class Turn(NamedTuple):
    """What a player who has a choice knows by itself.

    Parameters
    ----------
    hand : uint64
        Levels.
    sizes : tuple of int64
        Cards of the next and of the previous player.
    moves : MoveSet
        Legal moves.
    n_moves : int64
        Number of them.
    passable : bool
        Whether passing is legal, too.
    position : Position
    ply : int64
        Plies so far, which `Scratch.log` holds.
    place : int64
        Place after the opener.
    """

    hand: Any
    sizes: Any
    moves: Any
    n_moves: Any
    passable: Any
    position: Any
    ply: Any
    place: Any


class Hidden(NamedTuple):
    """What a player knows of the two hidden hands (`kernel.hidden`); of index 0 the next, 1 the previous player.

    Parameters
    ----------
    caps : numpy.ndarray
        Shape (2, 13), int64: most cards of each rank that the player can hold.
    pool : numpy.ndarray
        Shape (13,), int64: hidden cards of each rank.
    ways : numpy.ndarray
        Shape (14, 17), int64: ways to give so many more cards to the next player from this rank on.
    passes : numpy.ndarray
        Shape (MAX_PLIES, 3), int64: player, play to beat, and whether a sampled hand must be tested against it.
    since : numpy.ndarray
        Shape (MAX_PLIES,), uint64: what that player has played since then, levels.
    tops : numpy.ndarray
        Shape (MAX_PLIES,), int16: the play to beat at each ply.
    counts : numpy.ndarray
        Shape (N_COUNTS,), int64: number of passes noted, worlds sampled, hands drawn, worlds given up; reset by
        the caller.
    """

    caps: NDArray[np.int64]
    pool: NDArray[np.int64]
    ways: NDArray[np.int64]
    passes: NDArray[np.int64]
    since: NDArray[np.uint64]
    tops: NDArray[np.int16]
    counts: NDArray[np.int64]


class Options(NamedTuple):
    """The rules as the kernel takes them: booleans and int64; see `RunFastRules` for their meaning."""

    must_beat: bool
    must_use_bomb: bool
    opening_needs_h3: bool
    heavenly: bool
    aaa_also_triple: bool
    may_split_bombs: bool
    double_scope: int
    spade2_penalty: int
    unplayed_bomb_penalty: int
    bomb_bonus_each: int
    bonus_to_beaten_bombs: bool
    bonus_for_lead_bombs: bool
    last_card_free: bool


class MoveSet(NamedTuple):
    """Legal moves, without the pass: one bit for each slot of the move table (`kernel.moves`), uint64."""

    sets: Any
    straights: Any
    runs: Any


class FewestTable(NamedTuple):
    """Fewest plays that shed a hand of the ranks 3 to A, for every hand of up to 16 cards.

    Parameters
    ----------
    plays : numpy.ndarray
        Shape (14412879,), uint8.
    start : numpy.ndarray
        Shape (5**7,), int64: first entry of the hands with the given counts of 3 to 9.
    place : numpy.ndarray
        Shape (2500,), int64: place of the counts of 10 to A among all, by their number of cards.
    """

    plays: NDArray[np.uint8]
    start: NDArray[np.int64]
    place: NDArray[np.int64]


class Seats(NamedTuple):
    """How each seat decides; arrays of shape (3,).

    Parameters
    ----------
    codes : numpy.ndarray
        int64, `policies` codes.
    worlds : numpy.ndarray
        int64, hidden hands that the Monte Carlo policy samples for a decision.
    inference : numpy.ndarray
        int64, 1 if it learns from passes.
    greedy_playouts : numpy.ndarray
        int64, 1 if its playouts are greedy, 0 for fewest plays with longer leads.
    handles : numpy.ndarray
        int64, handle of the seat's own policy (`core.jit.FirstClass`); 0 if it has none.
    """

    codes: NDArray[np.int64]
    worlds: NDArray[np.int64]
    inference: NDArray[np.int64]
    greedy_playouts: NDArray[np.int64]
    handles: NDArray[np.int64]


class Setup(NamedTuple):
    """Everything that stays the same from deal to deal.

    Parameters
    ----------
    options : Options
    fewest : FewestTable
    seats : Seats
    keys : numpy.ndarray
        Shape (N_KEYS,), uint64: streams of the cards, of the random policy, of sampled worlds, of own policies.
    lenient : bool
        Replace an illegal move of an own policy by the first legal one, instead of stopping.
    """

    options: Options
    fewest: FewestTable
    seats: Seats
    keys: NDArray[np.uint64]
    lenient: bool


class Scratch(NamedTuple):
    """Room that one caller's kernels write to, made once by `make_scratch`.

    Parameters
    ----------
    log : numpy.ndarray
        Shape (MAX_PLIES,), int16: the moves of the deal in order, `HEAVENLY` for that bomb.
    ledger : numpy.ndarray
        Shape (N_LEDGER,), int64: what happened; slots below.
    hidden : Hidden
    sums : numpy.ndarray
        Shape (194,), int64: points of each move of the last Monte Carlo decision, over its worlds.
    """

    log: NDArray[np.int16]
    ledger: NDArray[np.int64]
    hidden: Hidden
    sums: NDArray[np.int64]


def make_scratch() -> Scratch:
    """Fresh room for one caller."""
    hidden = Hidden(
        caps=np.zeros((2, 13), np.int64),
        pool=np.zeros(13, np.int64),
        ways=np.zeros((14, 17), np.int64),
        passes=np.zeros((MAX_PLIES, 3), np.int64),
        since=np.zeros(MAX_PLIES, np.uint64),
        tops=np.zeros(MAX_PLIES, np.int16),
        counts=np.zeros(4, np.int64),
    )
    return Scratch(np.zeros(MAX_PLIES, np.int16), np.zeros(N_LEDGER, np.int64), hidden, np.zeros(194, np.int64))

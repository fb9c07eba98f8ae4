"""The view of a policy of your own, made from the log when it is asked."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from ....core.bits import count_bits
from ....core.jit import caller, inlined, kernel
from .hands import add_levels
from .hidden import tops_of
from .moves import BOMB, HEAVENLY, MOVE_GROUP, MOVE_KIND, MOVE_LEVELS, MOVE_TOP, PASS

__all__ = ["NO_LIMITS", "SIGNATURE", "VIEW_TYPE", "View", "call_own", "make_view"]


class View(NamedTuple):
    """What a policy of your own sees when it has a choice: its hand and what is public (rule 6.30), no more.

    Masks and hands are uint64, all else is int64. Hands are *levels* (`kernel.hands`): bit ``rank + 16 * k`` says
    that more than k cards of that rank are there, ranks counting from 0 (3) to 12 (2). Moves are slots of the
    move table (`kernel.moves`). *Next* is the player who moves after you, *previous* the one before.

    Parameters
    ----------
    hand : uint64
        Your cards.
    top : int64
        The play to beat; 192 on a lead, 193 for a heavenly bomb.
    top_owner : int64
        Who played it: 1 next, 2 previous, 0 on a lead.
    sets, straights, runs : uint64
        The legal moves: slots 0-63, 64-127 and 128-191. `helpers.nth_move` and others read them.
    n_moves : int64
        How many they are, without the pass.
    may_pass : int64
        1 if you may pass (return 192), though you need not: only under some options.
    size, size_next, size_previous : int64
        Cards in each hand.
    played, played_next, played_previous : uint64
        Cards that each player has played so far, as levels.
    passed_previous, passed_next : int64
        1 if that player has passed since the play to beat.
    limits_next, limits_previous : uint64
        What passes prove: 4 bits for each of the groups 0-15 of `kernel.moves` (all but pair runs of 6 to 8).
        Value v: the player holds no move of this group with top rank v or higher; 15 if nothing is known.
    opening : int64
        1 on the first play of the deal.
    place : int64
        Your place after the opener: 0 is the opener.
    ply : int64
        Plays and passes before this one.
    random : uint64
        A private random number, new for each decision.
    """

    hand: Any
    top: Any
    top_owner: Any
    sets: Any
    straights: Any
    runs: Any
    n_moves: Any
    may_pass: Any
    size: Any
    size_next: Any
    size_previous: Any
    played: Any
    played_next: Any
    played_previous: Any
    passed_next: Any
    passed_previous: Any
    limits_next: Any
    limits_previous: Any
    opening: Any
    place: Any
    ply: Any
    random: Any


_named_tuple: Any = types.NamedTuple
_MASKS = {"hand", "sets", "straights", "runs", "played", "played_next", "played_previous", "limits_next",
          "limits_previous", "random"}  # fmt: skip
VIEW_TYPE: Any = _named_tuple([types.uint64 if name in _MASKS else types.int64 for name in View._fields], View)
SIGNATURE = types.int64(VIEW_TYPE)

_ZERO = np.uint64(0)
NO_LIMITS = np.uint64(0xFFFFFFFFFFFFFFFF)
_NIBBLE = np.uint64(15)
_TRACKED_GROUPS = 16
_BOMB_GROUP = 3


call_own = caller(SIGNATURE)
"""``call_own(handle, view)``: the answer of a policy of your own."""


@inlined
def _lower_limit(limits: Any, group: Any, value: Any) -> Any:
    shift = np.uint64(4 * group)
    if np.int64((limits >> shift) & _NIBBLE) <= value:
        return limits
    return (limits & ~(_NIBBLE << shift)) | (np.uint64(value) << shift)


@inlined
def _limit_by_pass(limits: Any, top: Any, options: Any) -> Any:
    """Limits after a pass on `top`, under must-beat."""
    group = MOVE_GROUP[top]
    if MOVE_KIND[top] == BOMB:
        if options.must_use_bomb and top != HEAVENLY:
            limits = _lower_limit(limits, group, MOVE_TOP[top] + 1)
        return limits
    if options.must_use_bomb:
        limits = _lower_limit(limits, _BOMB_GROUP, 0)
    elif not options.may_split_bombs:
        return limits  # cards of a bomb kept whole may beat it yet
    if group < _TRACKED_GROUPS:
        limits = _lower_limit(limits, group, MOVE_TOP[top] + 1)
    return limits


@kernel
def make_view(turn: Any, bits: Any, options: Any, scratch: Any) -> Any:
    """The `View` of the player to move: its `Turn`, the log read out, and a random number."""
    top, n_plies, place = turn.position.top, turn.ply, turn.place
    log, tops = scratch.log, scratch.hidden.tops
    tops_of(log, n_plies, tops)
    played, played_next, played_previous = _ZERO, _ZERO, _ZERO
    limits_next, limits_previous = NO_LIMITS, NO_LIMITS
    passed_next, passed_previous = 0, 0
    for ply in range(n_plies):
        player = (ply + 3 - place) % 3
        move = np.int64(log[ply])
        if move == PASS:
            if player == 1:
                passed_next = 1
                if options.must_beat:
                    limits_next = _limit_by_pass(limits_next, np.int64(tops[ply]), options)
            elif player == 2:
                passed_previous = 1
                if options.must_beat:
                    limits_previous = _limit_by_pass(limits_previous, np.int64(tops[ply]), options)
            continue
        passed_next, passed_previous = 0, 0
        if player == 0:
            played = add_levels(played, MOVE_LEVELS[move])
        elif player == 1:
            played_next = add_levels(played_next, MOVE_LEVELS[move])
        else:
            played_previous = add_levels(played_previous, MOVE_LEVELS[move])
    if top == PASS:  # a new round
        passed_next, passed_previous = 0, 0
    return View(
        turn.hand,
        top,
        np.int64(0) if top == PASS else np.int64(turn.position.owner),
        turn.moves.sets,
        turn.moves.straights,
        turn.moves.runs,
        turn.n_moves,
        np.int64(turn.passable),
        count_bits(turn.hand),
        turn.sizes[0],
        turn.sizes[1],
        played,
        played_next,
        played_previous,
        passed_next,
        passed_previous,
        limits_next,
        limits_previous,
        np.int64(turn.position.opening),
        place,
        n_plies,
        bits,
    )

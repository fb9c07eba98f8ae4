"""What is public proves something about the two hidden hands; drawing hands that fit, uniformly (rule 3.3).

Under must-beat a pass proves that the player held nothing that beats the play on top, then: neither among the
cards still held nor among those played since. Of singles, pairs, triples and bombs this bounds the number of
cards of each rank, exactly. So the deals of the hidden cards within all bounds are counted rank by rank, one of
them is drawn by its number, and only passes on sequences (and on anything under rare options) are left to be
tested; a draw that fails one is drawn again. The outcome is uniform over the deals of the hidden cards, told
apart card by card, in which every pass was legal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.jit import inlined
from ....core.rng import below, word
from .hands import DECK_LEVELS, add_levels, count_of_rank, without_levels
from .legal import legal_moves, may_pass
from .moves import ACE, BOMB, HEAVENLY, MOVE_KIND, MOVE_LEVELS, MOVE_TOP, PAIR, PASS, SINGLE, TRIPLE, TWO
from .slots import N_DRAWS, N_GIVEN_UP, N_PASSES, N_WORLDS

__all__ = ["MAX_TRIES", "draw_world", "learn", "tops_of", "ways_to_deal"]

MAX_TRIES = 200
"""Draws for one world; if all fail, the last is taken though it contradicts a pass (counted in `N_GIVEN_UP`)."""

_ZERO = np.uint64(0)
_RANKS = 13
_CHOOSE = np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]], np.int64)
_COLUMNS = np.array([sum(1 << (16 * k) for k in range(n)) for n in range(5)], np.uint64)


@inlined
def tops_of(log: Any, n_plies: Any, tops: Any) -> Any:
    """Write the play to beat at each ply of a log to `tops`."""
    top: Any = PASS
    passes = 0
    for ply in range(n_plies):
        tops[ply] = top
        if log[ply] != PASS:
            top, passes = np.int64(log[ply]), 0
        else:
            passes += 1
            if passes == 2:
                top = PASS


@inlined
def _cap(caps: Any, player: Any, rank: Any, most: Any, since: Any) -> Any:
    left = max(0, most - count_of_rank(since, rank))
    caps[player, rank] = min(caps[player, rank], left)


@inlined
def _learn_from_pass(caps: Any, player: Any, top: Any, since: Any, options: Any) -> Any:
    """Bound the counts by what a pass proves; returns whether a sampled hand must still be tested."""
    kind, top_rank = MOVE_KIND[top], MOVE_TOP[top]
    beats_bomb = top == HEAVENLY
    if options.must_use_bomb:
        lowest = 0
        if beats_bomb:
            lowest = TWO
        elif kind == BOMB:
            lowest = top_rank + 1
        for rank in range(lowest, ACE):
            _cap(caps, player, rank, 3, since)
        if lowest <= ACE:
            _cap(caps, player, ACE, 2, since)
    elif not options.may_split_bombs:
        return True  # a rank held whole is no ordinary reply: no bound holds for sure
    if kind == SINGLE or kind == PAIR or kind == TRIPLE:
        for rank in range(top_rank + 1, TWO + 1):
            if kind != TRIPLE or rank < ACE or options.aaa_also_triple:
                _cap(caps, player, rank, kind - SINGLE, since)
        return False
    return kind != BOMB


@inlined
def _learn_from_play(caps: Any, player: Any, move: Any, since: Any) -> Any:
    """Where bombs are not split, a rank played otherwise was not held as a bomb (`since` includes the play)."""
    if MOVE_KIND[move] == BOMB:
        return
    for rank in range(ACE + 1):
        if (MOVE_LEVELS[move] >> np.uint64(rank)) & np.uint64(1):
            _cap(caps, player, rank, 2 if rank == ACE else 3, since)


@inlined
def learn(turn: Any, log: Any, inference: Any, options: Any, hidden: Any) -> Any:
    """Read a deal so far with the eyes of one player.

    Parameters
    ----------
    turn : Turn
    log : numpy.ndarray
        Shape (MAX_PLIES,), int16; the first `turn.ply` are the moves so far.
    inference : bool
        Whether to learn from passes.
    options : Options
    hidden : Hidden
        Written: caps, passes, since.

    Returns
    -------
    hidden_cards : uint64
        Levels of the cards that the player does not see.
    keeper : int64
        0 or 1 if the next or the previous player is known to hold the three of hearts still, else -1. (The
        holder plays it before any other three, `history`.)
    """
    n_plies, place = turn.ply, turn.place
    tops_of(log, n_plies, hidden.tops)
    for player in range(2):
        for rank in range(_RANKS):
            hidden.caps[player, rank] = 4
    since_0, since_1, own = _ZERO, _ZERO, turn.hand
    n_passes = 0
    must_tell = inference and options.must_beat
    for ply in range(n_plies - 1, -1, -1):
        player = (ply + 5 - place) % 3  # 0 next, 1 previous, 2 the one who looks
        move = np.int64(log[ply])
        if move != PASS:
            levels = MOVE_LEVELS[move]
            if player == 0:
                since_0 = add_levels(since_0, levels)
            elif player == 1:
                since_1 = add_levels(since_1, levels)
            else:
                own = add_levels(own, levels)
            if player < 2 and not options.may_split_bombs:
                _learn_from_play(hidden.caps, player, move, since_0 if player == 0 else since_1)
        elif player < 2 and must_tell:
            since = since_0 if player == 0 else since_1
            top = np.int64(hidden.tops[ply])
            if _learn_from_pass(hidden.caps, player, top, since, options):
                hidden.passes[n_passes, 0] = player
                hidden.passes[n_passes, 1] = top
                hidden.since[n_passes] = since
                n_passes += 1
    hidden.counts[N_PASSES] = n_passes
    opener = 2 - place if place > 0 else 2  # the opener is the previous player of place 1, the next of place 2
    threes_played = _ZERO if opener == 2 else (since_0 if opener == 0 else since_1)
    three_is_gone = opener == 2 or (threes_played & np.uint64(1)) != _ZERO
    seen = add_levels(add_levels(own, since_0), since_1)
    return without_levels(DECK_LEVELS, seen), -1 if three_is_gone else opener


@inlined
def ways_to_deal(pool_levels: Any, keeper: Any, n_next: Any, hidden: Any) -> Any:
    """Count the ways to deal the hidden cards within the bounds: `Hidden.ways`, `Hidden.pool`.

    Parameters
    ----------
    pool_levels : uint64
        The hidden cards.
    keeper : int64
        Who holds the three of hearts for sure, or -1.
    n_next : int64
        Cards of the next player; the previous one gets the others.

    Returns
    -------
    int64
        Number of ways, up to C(32, 16).
    """
    ways, pool, caps = hidden.ways, hidden.pool, hidden.caps
    for rank in range(_RANKS):
        pool[rank] = count_of_rank(pool_levels, rank)
    if keeper >= 0:  # it is dealt beforehand
        pool[0] -= 1
        caps[keeper, 0] -= 1
        if keeper == 0:
            n_next -= 1
    for size in range(n_next + 1):
        ways[_RANKS, size] = np.int64(size == 0)
    for rank in range(_RANKS - 1, -1, -1):
        n = pool[rank]
        low, high = max(0, n - caps[1, rank]), min(n, caps[0, rank])
        for size in range(n_next + 1):
            total = 0
            for count in range(low, min(high, size) + 1):
                total += _CHOOSE[n, count] * ways[rank + 1, size - count]
            ways[rank, size] = total
    return ways[0, n_next]


@inlined
def _hand_number(index: Any, n_next: Any, hidden: Any) -> Any:
    """Levels of the next player's hand in way number `index`."""
    ways, pool, caps = hidden.ways, hidden.pool, hidden.caps
    hand, left = _ZERO, n_next
    for rank in range(_RANKS):
        n = pool[rank]
        count = max(0, n - caps[1, rank])
        while True:
            block = _CHOOSE[n, count] * ways[rank + 1, left - count]
            if index < block:
                break
            index -= block
            count += 1
        if index > 0:
            index %= ways[rank + 1, left - count]
        hand |= _COLUMNS[count] << np.uint64(rank)
        left -= count
        if left == 0:
            break
    return hand


@inlined
def _fits(next_hand: Any, previous_hand: Any, hidden: Any, options: Any) -> Any:
    """Whether every noted pass was legal, had these been the hands."""
    for i in range(hidden.counts[N_PASSES]):
        held = next_hand if hidden.passes[i, 0] == 0 else previous_hand
        top = hidden.passes[i, 1]
        moves = legal_moves(add_levels(held, hidden.since[i]), top, False, options)
        if not may_pass(moves, top, options):
            return False
    return True


@inlined
def draw_world(hidden_cards: Any, key: Any, draw: Any, hidden: Any, options: Any) -> Any:
    """Draw the two hidden hands; words `draw`, `draw` + 1, ... of `key` are used.

    Parameters
    ----------
    hidden_cards : tuple
        The hidden cards (levels), who keeps the three of hearts, cards of the next player, ways to deal them: as
        `learn` and `ways_to_deal` return them.
    key : uint64
    draw : int64
    hidden : Hidden
    options : Options

    Returns
    -------
    next_hand, previous_hand : uint64
        Levels.
    draw : int64
        The next word that is free.
    """
    pool_levels, keeper, n_next, n_ways = hidden_cards
    three = np.uint64(1)
    n_drawn = n_next - 1 if keeper == 0 else n_next
    next_hand, previous_hand = _ZERO, _ZERO
    hidden.counts[N_WORLDS] += 1
    for attempt in range(MAX_TRIES):
        next_hand = _hand_number(below(word(key, draw, 0, 0, 0), n_ways), n_drawn, hidden)
        draw += 1
        if keeper == 0:
            next_hand = add_levels(next_hand, three)
        previous_hand = without_levels(pool_levels, next_hand)
        hidden.counts[N_DRAWS] += 1
        if _fits(next_hand, previous_hand, hidden, options):
            break
        if attempt == MAX_TRIES - 1:
            hidden.counts[N_GIVEN_UP] += 1
    return next_hand, previous_hand, draw

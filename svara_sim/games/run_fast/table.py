"""A table of Run Fast: kernel arguments built once, deals played on request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import IllegalAction, InvalidInput, check_int
from ...core.jit import FirstClass
from ...core.rng import MAX_DEALS, stream_keys
from ..decisions import SPECIAL_ANSWERS, compile_decision
from ..protocol import Block, History
from .deck import cards_of
from .fewest_table import load_fewest_table
from .history import make_history, tell
from .kernel.block import Given, Room, Span, deal_cards, play_block
from .kernel.codes import HINT
from .kernel.hands import pack_levels
from .kernel.layout import BONUS_POINTS, N_RECORD, N_TOTALS, PENALTY, SCORE, WINNING_SEAT
from .kernel.legal import legal_moves, may_pass
from .kernel.moves import PASS
from .kernel.slots import FINISHED, ILLEGAL, N_KEYS, PLIES, STATUS, STOP_MOVE, STOP_SEAT
from .kernel.types import MoveSet, Scratch, Seats, Setup, make_scratch
from .kernel.view import VIEW_TYPE
from .policies import MAX_WORLDS, RunFastPolicy
from .rules import RunFastRules
from .schema import RECORD_COLUMNS

__all__ = ["N_SEATS", "PlayedDeal", "RunFastTable", "new_setup", "play_hands"]

N_SEATS = 3


def new_setup(
    rules: RunFastRules, policies: Sequence[RunFastPolicy], seed: int, lenient: bool
) -> tuple[Setup, list[FirstClass]]:
    """The kernel's arguments, with forced types, and the compiled functions that must outlive them."""
    plans = [policy.plan() for policy in policies]
    compiled = [
        compile_decision(repr(policy.label), plan.choose, VIEW_TYPE) if plan.choose else None
        for policy, plan in zip(policies, plans, strict=True)
    ]
    seats = Seats(
        np.array([plan.code for plan in plans], np.int64),
        np.array([plan.worlds for plan in plans], np.int64),
        np.array([plan.inference for plan in plans], np.int64),
        np.array([plan.greedy_playouts for plan in plans], np.int64),
        np.array([function.handle if function else 0 for function in compiled], np.int64),
    )
    keys = stream_keys(seed, "run_fast", N_KEYS)
    setup = Setup(rules.kernel_options(), load_fewest_table(), seats, keys, bool(lenient))
    return setup, [function for function in compiled if function]


DEALT = Given(-1, True, np.zeros(0, np.int16))


def new_room() -> Room:
    """Working memory for one call."""
    return Room(np.zeros(N_SEATS, np.uint64), np.zeros(N_RECORD, np.int64), make_scratch())


def play_hands(
    deal: int, hands: Sequence[Any], opener: int, opening: bool, script: Sequence[int], setup: Setup
) -> Room:
    """Play one deal from given hands (levels) and first moves; see `Given`. What happened is in the room."""
    room = new_room()
    room.hands[:] = hands
    given = Given(int(opener), bool(opening), np.array(script, np.int16))
    none, clamped = np.zeros((0, N_RECORD), np.int16), np.zeros(N_SEATS, np.int64)
    totals = np.zeros((1, N_TOTALS), np.int64)
    with np.errstate(over="ignore"):  # hashing wraps around on purpose; matters only with the JIT off
        play_block(Span(int(deal), 1, 1), given, room, setup, totals, none, clamped)
    return room


@dataclass(frozen=True)
class PlayedDeal:
    """One deal as far as it went.

    Parameters
    ----------
    deal : int
    opener : int
    cards : tuple of int
        The three hands as dealt, as 52-bit masks.
    log : tuple of int
        Slots of the moves so far.
    finished : bool
    waiting : int
        The seat that must be asked for the next move, or -1.
    hands : tuple of int
        What each seat holds now, as levels.
    row : numpy.ndarray
        Shape (N_RECORD,), int64: the record of a finished deal.
    """

    deal: int
    opener: int
    cards: tuple[int, int, int]
    log: tuple[int, ...]
    finished: bool
    waiting: int
    hands: tuple[int, int, int]
    row: NDArray[np.int64]


class RunFastTable:
    """Run Fast with its rules, policies and seed fixed. Safe to use from several threads at once."""

    n_seats = N_SEATS
    session_deals = 1
    chips_per_ante = 1.0

    def __init__(self, rules: RunFastRules, policies: Sequence[RunFastPolicy], seed: int, lenient: bool) -> None:
        self.rules, self.seed = rules, seed
        self.policies = tuple(policies)
        self.setup, self._compiled = new_setup(rules, policies, seed, lenient)

    def simulate_block(self, first_unit: int, n_units: int, batch_units: int, records: bool) -> Block:
        """Play deals ``first_unit ... first_unit + n_units - 1``.

        Raises
        ------
        IllegalAction
            If a policy of one's own answers with an illegal move and the table is not lenient.
        """
        check_int("first_unit", first_unit, 0, MAX_DEALS - 1)
        check_int("n_units", n_units, 1, MAX_DEALS - first_unit)
        check_int("batch_units", batch_units, 1, MAX_DEALS)
        first_batch = first_unit // batch_units
        n_batches = (first_unit + n_units - 1) // batch_units - first_batch + 1
        totals = np.zeros((n_batches, N_TOTALS), np.int64)
        rows = np.zeros((n_units if records else 0, N_RECORD), np.int16)
        clamped = np.zeros(N_SEATS, np.int64)
        room, span = new_room(), Span(int(first_unit), int(n_units), int(batch_units))
        with np.errstate(over="ignore"):  # see `play_hands`
            stopped = play_block(span, DEALT, room, self.setup, totals, rows, clamped)
        if stopped >= 0:
            self._report(stopped, room.scratch)
        columns = {c.name: rows[:, i].astype(c.dtype) for i, c in enumerate(RECORD_COLUMNS)} if records else None
        return Block(totals, first_batch, columns, clamped)

    def _report(self, deal: int, scratch: Scratch) -> None:
        """Raise the error for a deal that did not come to its end."""
        seat, move = int(scratch.ledger[STOP_SEAT]), int(scratch.ledger[STOP_MOVE])
        label = self.policies[seat].label
        if scratch.ledger[STATUS] == ILLEGAL:
            did = f"its function {SPECIAL_ANSWERS[move]}" if move in SPECIAL_ANSWERS else f"move {move} is illegal"
            raise IllegalAction(
                f"deal {deal}, seat {seat} ({label}): {did}; must be a legal slot of the view's"
                " move masks, or 192 to pass where view.may_pass is 1"
            )
        raise InvalidInput(f"seat {seat} ({label}): plays only where somebody can be asked for its moves")

    def play_on(self, deal: int, script: Sequence[int] = ()) -> PlayedDeal:
        """Play one deal whose first moves are given, up to its end or to a seat that must be asked.

        Parameters
        ----------
        deal : int
            Which deal of the seed.
        script : sequence of int
            Slots of the first moves; all seats play them.

        Raises
        ------
        IllegalAction
            If a move of the script, or of a policy at a table that is not lenient, is illegal.
        """
        check_int("deal", deal, 0, MAX_DEALS - 1)
        cards = np.zeros(N_SEATS, np.uint64)
        with np.errstate(over="ignore"):  # see `play_hands`
            opener = int(deal_cards(deal, self.setup.keys, cards))
        room = play_hands(deal, [pack_levels(mask) for mask in cards], opener, True, script, self.setup)
        scratch, hands = room.scratch, room.hands
        status = int(scratch.ledger[STATUS])
        if status == ILLEGAL:
            self._report(deal, scratch)
        if scratch.ledger[PLIES] < len(script):
            raise InvalidInput(f"script: {len(script)} moves, but deal {deal} is over after {scratch.ledger[PLIES]}")
        waiting = -1 if status == FINISHED else int(scratch.ledger[STOP_SEAT])
        dealt = (int(cards[0]), int(cards[1]), int(cards[2]))
        held = (int(hands[0]), int(hands[1]), int(hands[2]))
        log = tuple(scratch.log[: scratch.ledger[PLIES]].tolist())
        return PlayedDeal(deal, opener, dealt, log, status == FINISHED, waiting, held, room.row)

    def hint(self, played: PlayedDeal, worlds: int = 200, repeat: int = 0) -> dict[int, float]:
        """Mean points from here on of each legal move of the seat that is waited for, by the Monte Carlo policy.

        It sees what that seat sees.

        Parameters
        ----------
        played : PlayedDeal
            The deal so far.
        worlds : int
            Hidden hands to sample.
        repeat : int
            Which of many independent sets of worlds; those of set 0 are the policy's own.

        Returns
        -------
        dict
            By slot, in the order of the slots, the pass last.
        """
        check_int("worlds", worlds, 1, MAX_WORLDS)
        if played.waiting < 0:
            raise InvalidInput("hint: nobody is waited for")
        ones = np.ones(N_SEATS, np.int64)
        seats = Seats(HINT * ones, worlds * ones, ones, 0 * ones, 0 * ones)
        hands = [pack_levels(np.uint64(mask)) for mask in played.cards]
        setup = self.setup._replace(seats=seats)
        if repeat:
            setup = setup._replace(keys=stream_keys(self.seed, f"run_fast/hint/{repeat}", N_KEYS))
        room = play_hands(played.deal, hands, played.opener, True, played.log, setup)
        moves, passable = self.choices(played)
        return {move: float(room.scratch.sums[move]) / worlds for move in [*moves, *([PASS] if passable else [])]}

    def choices(self, played: PlayedDeal) -> tuple[list[int], bool]:
        """Slots of the legal moves of the seat that is waited for, and whether it may pass."""
        options, top, passes = self.rules.kernel_options(), PASS, 0
        for move in played.log:
            passes = passes + 1 if move == PASS else 0
            if move != PASS or passes == 2:
                top = move
        moves = MoveSet(
            *map(np.uint64, legal_moves(np.uint64(played.hands[played.waiting]), top, not played.log, options))
        )
        slots = [64 * i + bit for i, word in enumerate(moves) for bit in range(64) if int(word) >> bit & 1]
        return slots, bool(may_pass(moves, top, options))

    def history(self, played: PlayedDeal) -> History:
        """The history of a finished deal (rule 9)."""
        row = played.row
        outcome = {
            "bonus": row[BONUS_POINTS : BONUS_POINTS + 3].tolist(),
            "penalty": row[PENALTY : PENALTY + 3].tolist(),
            "scores": row[SCORE : SCORE + 3].tolist(),
            "winner": int(row[WINNING_SEAT]),
        }
        hands = [cards_of(mask) for mask in played.cards]
        return make_history(self.rules.as_dict(), self.seed, played.deal, hands, played.opener, played.log, outcome)

    def replay(self, first_deal: int, n_deals: int) -> Iterator[History]:
        """Histories of the given deals, the same deals as in a run."""
        for deal in range(first_deal, first_deal + n_deals):
            played = self.play_on(deal)
            if not played.finished:
                raise InvalidInput(f"seat {played.waiting}: plays only where somebody can be asked for its moves")
            yield self.history(played)

    def transcript(self, history: History) -> str:
        """A history in words, for people."""
        return tell(history)

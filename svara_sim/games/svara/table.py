"""A table of Svara, ready to play: `svara_sim.games.protocol.Table` over the kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ...core.errors import IllegalAction, InvalidInput, SvaraError, check_int
from ...core.rng import MAX_DEALS
from ..decisions import SPECIAL_ANSWERS
from ..protocol import Block, History
from .history import history_of, transcript_of
from .kernel.block import play_block, replay_unit
from .kernel.decide import BET_DECISION, BLIND_DECISION, JOIN_DECISION, POT_OVERFLOW
from .kernel.interface import new_log
from .kernel.scalar import MAX_POT
from .kernel.state import new_work
from .kernel.totals import n_columns
from .policies.plan import SvaraPolicy
from .rules import SvaraRules
from .schema import export_totals, new_records, records_as_columns
from .seating import KernelArguments, seat_policies

__all__ = ["SvaraTable"]

_EVENTS = 256  # room for the events of a deal; a deal that wants more is played again with more room


class SvaraTable:
    """Rules, policies and seed of a table, with the kernel's arguments built once.

    Parameters
    ----------
    rules : SvaraRules
        Options of the table.
    seats : sequence of SvaraPolicy
        One policy a seat.
    seed : int
        Of all random streams.
    session_deals : int, optional
        Deals of a session, in which the dealer follows the `next_dealer` rule; None plays independent deals, of
        which deal i has dealer i mod seats.
    lenient : bool
        Set illegal actions right and count them instead of stopping.
    """

    def __init__(
        self,
        rules: SvaraRules,
        seats: Sequence[SvaraPolicy],
        seed: int,
        session_deals: int | None = None,
        lenient: bool = False,
    ) -> None:
        self.rules = rules
        self.seats = tuple(seats)
        self.seed = seed
        self.lenient = lenient
        self._session_deals = session_deals

    @property
    def n_seats(self) -> int:
        """Number of seats."""
        return len(self.seats)

    @property
    def session_deals(self) -> int:
        """Deals in a unit."""
        return self._session_deals or 1

    @property
    def chips_per_ante(self) -> float:
        """Chips of one ante; 1 at a table without an ante."""
        return float(self.rules.ante or 1)

    @cached_property
    def _arguments(self) -> KernelArguments:
        return seat_policies(self.rules, self.seats, self.seed, self.lenient)

    def simulate_block(self, first_unit: int, n_units: int, batch_units: int, records: bool) -> Block:
        """Play units; see `svara_sim.games.protocol.Table.simulate_block`."""
        self._check_units(first_unit, n_units)
        first_batch = first_unit // batch_units
        n_batches = (first_unit + n_units - 1) // batch_units - first_batch + 1
        totals = np.zeros((n_batches, n_columns(self.n_seats)), dtype=np.int64)
        rows = new_records(self.n_seats, n_units * self.session_deals) if records else None
        work = new_work()
        arguments = self._arguments
        with np.errstate(over="ignore"):  # hashing wraps around on purpose; matters only with the JIT off
            play_block(
                arguments.table, arguments.rows, self.n_seats, 2 if self.n_seats == 2 else None, first_unit, n_units,
                self.session_deals, batch_units, totals, rows, work,
            )  # fmt: skip
        self._check_status(work)
        return Block(
            totals=export_totals(totals, self.n_seats),
            first_batch=first_batch,
            records=None if rows is None else records_as_columns(rows),
            clamped=work["clamped"][: self.n_seats].copy(),
        )

    def replay(self, first_deal: int, n_deals: int) -> Iterator[History]:
        """Histories of deals; a deal of a session is reached by playing the session up to it."""
        check_int("first deal", first_deal, 0, MAX_DEALS - 1)
        length = self.session_deals
        for session in range(first_deal // length, (first_deal + n_deals - 1) // length + 1):
            dealer = session % self.n_seats
            for deal in range(session * length, (session + 1) * length):
                if deal >= first_deal + n_deals:
                    return
                history, dealer = self._replay_deal(deal, dealer)
                if deal >= first_deal:
                    yield history

    def _replay_deal(self, deal: int, dealer: int) -> tuple[History, int]:
        room = _EVENTS
        while True:
            log, work = new_log(room), new_work()
            with np.errstate(over="ignore"):
                arguments = self._arguments
                next_dealer = replay_unit(arguments.table, arguments.rows, work, log, self.n_seats, deal, dealer)
            self._check_status(work)
            if log.count[0] <= room:
                break
            room = int(log.count[0])
        events = log.events[: log.count[0]]
        payoffs = work["payoff"][: self.n_seats]
        history = history_of(self.rules, self.seed, deal, self.n_seats, dealer, events, payoffs)
        return history, int(next_dealer)

    def transcript(self, history: History) -> str:
        """A history in words, with the policies' names."""
        return transcript_of(history, [p.label for p in self.seats])

    def _check_units(self, first_unit: int, n_units: int) -> None:
        check_int("first unit", first_unit, 0, MAX_DEALS)
        check_int("number of units", n_units, 1, MAX_DEALS)
        if (first_unit + n_units) * self.session_deals > MAX_DEALS:
            raise InvalidInput(f"deals: must be at most {MAX_DEALS} in a run")

    def _check_status(self, work: Any) -> None:
        kind, deal, seat, answer, low, high = (int(x) for x in work["status"])
        if kind == 0:
            return
        if kind == POT_OVERFLOW:
            raise SvaraError(
                f"deal {deal}: after {answer} svara rounds the pot passed {MAX_POT} chips, the most that is counted "
                "exactly; lower svara_limit, ante or bet_limit"
            )
        what = {
            BLIND_DECISION: ("blind", f"0 or a legal blind, the smallest being {low}"),
            BET_DECISION: (
                "bet",
                f"-1 (fold), 0 (call) or a level from {low} to {high}" if low else "-1 (fold) or 0 (call), no raise",
            ),
            JOIN_DECISION: ("join", "0 or 1"),
        }
        decision, legal = what[kind]
        did = SPECIAL_ANSWERS.get(answer, f"answered {answer}")
        raise IllegalAction(
            f"policy {self.seats[seat].label!r} in seat {seat}, deal {deal}: its {decision} function {did}; "
            f"legal was {legal}"
        )

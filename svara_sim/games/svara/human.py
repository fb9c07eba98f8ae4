"""A person plays a deal of Svara: `svara_sim.games.capabilities.Sitting`.

The deal is played from its start at each decision, with the person's answers so far. The person's seat has a policy
like any other, whose functions go back to Python: while there are answers they give the next one; then they keep
what they were shown and how far the log had come, and let the kernel run on to an end that nobody looks at. A deal
takes microseconds, and the kernel knows nothing of it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numba as _numba
import numpy as np

from ...core.errors import InvalidInput, SvaraError, check_int
from ...core.rng import MAX_DEALS
from ..capabilities import PERSON, Choice, check_answer
from ..protocol import History
from .exact.pot_share import pot_share
from .history import history_of, in_table_order, line_of
from .kernel.block import replay_unit
from .kernel.decide import CALL, FOLD
from .kernel.interface import new_log
from .kernel.state import new_work
from .policies.functions import FunctionPolicy, View
from .policies.plan import SvaraPolicy
from .rules import SvaraRules
from .scoring import DECK
from .seating import seat_policies

__all__ = ["ShowdownShare", "SvaraSitting"]

ShowdownShare = Callable[[Sequence[int], int, int], float]
"""Share of the pot that a hand wins on average at a showdown: of its cards, points, and the number of players in."""

_EVENTS = 1024
_BLIND, _BET, _JOIN = "blind", "bet", "join"
_objmode: Any = _numba.objmode
_playing = threading.local()  # .sitting: whose deal this thread is playing


def _answer(decision: str, view: Any) -> int:
    sitting: SvaraSitting = _playing.sitting
    return sitting.answer(decision, SimpleNamespace(**{name: int(getattr(view, name)) for name in View._fields}))


def _bet(view: Any) -> int:
    with _objmode(answer="int64"):
        answer = _answer("bet", view)
    return answer


def _blind(view: Any) -> int:
    with _objmode(answer="int64"):
        answer = _answer("blind", view)
    return answer


def _join(view: Any) -> int:
    with _objmode(answer="int64"):
        answer = _answer("join", view)
    return answer


class SvaraSitting:
    """One deal with a person in seat 0.

    Parameters
    ----------
    rules : SvaraRules
        Options of the table.
    opponents : sequence of SvaraPolicy
        Of seats 1, 2, ...
    seed, deal : int
        Which deal; its dealer is seat ``deal`` modulo the number of seats.

    Attributes
    ----------
    showdown_share : callable
        What `hint` asks for the odds: `exact.pot_share.pot_share` unless a better one is put here.
    n_seats : int
        Seats at the table.
    share_note : str
        What `hint` says of how these odds were found.
    """

    def __init__(self, rules: SvaraRules, opponents: Sequence[SvaraPolicy], seed: int, deal: int) -> None:
        self._rules, self._seed = rules, seed
        self._deal = check_int("deal", deal, 0, MAX_DEALS - 1)
        self._names = ["you", *(f"seat {i} ({p.label})" for i, p in enumerate(opponents, start=1))]
        self.n_seats = len(self._names)
        self._dealer = self._deal % self.n_seats
        person = FunctionPolicy("you", _bet, blind=_blind, join=_join)
        self._arguments = seat_policies(rules, [person, *opponents], seed, False)
        self.showdown_share: ShowdownShare = lambda cards, points, players: float(pot_share(rules)[players, points])
        self.share_note = "their hands taken as independent" if self.n_seats > 2 else "exact"
        self._answers: list[int] = []
        self._told = 0
        self._view: Any = None  # what the person is shown, while it is asked
        self._log = new_log(_EVENTS)
        self._play()

    def answer(self, decision: str, view: SimpleNamespace) -> int:
        """What the person does, for the kernel: the next answer, or anything after noting what was asked."""
        if self._asked < len(self._answers):
            self._asked += 1
            return self._answers[self._asked - 1]
        if self._view is None:
            self._view, self._decision, self._shown = view, decision, int(self._log.count[0])
        return FOLD if decision == _BET else 0

    def _play(self) -> None:
        """Play the deal with the answers so far, up to its end or to the next question."""
        room = _EVENTS
        while True:
            self._asked, self._decision, self._shown = 0, "", 0
            self._view = None
            _playing.sitting = self
            self._log, work = new_log(room), new_work()
            with np.errstate(over="ignore"):  # see `SvaraTable.simulate_block`
                table, rows = self._arguments.table, self._arguments.rows
                replay_unit(table, rows, work, self._log, self.n_seats, self._deal, self._dealer)
            if self._log.count[0] <= room:
                break
            room = int(self._log.count[0])
        if work["status"][0] != 0 and self._view is None:
            raise SvaraError(f"deal {self._deal}: the pot grew beyond what is counted exactly")
        end = self._shown if self._view is not None else int(self._log.count[0])
        self._history = history_of(
            self._rules, self._seed, self._deal, self.n_seats, self._dealer, self._log.events[:end],
            work["payoff"][: self.n_seats],
        )  # fmt: skip

    @property
    def over(self) -> bool:
        """Whether the deal has come to its end."""
        return self._view is None

    def history(self) -> History:
        """The history of the finished deal (rule page, section 5)."""
        if not self.over:
            raise InvalidInput("history: the deal is not over")
        return self._history

    def news(self) -> list[str]:
        """What everybody sees, and the person's own cards, since this was last asked."""
        first, self._told = self._told, len(self._history["events"])
        lines = [f"{self._name(self._dealer)} deal{'' if self._dealer == PERSON else 's'}"] if not first else []
        for event in self._history["events"][first:]:
            if event["type"] == "svara":
                tied = " and ".join(self._names[seat] for seat in event["seats"])
                lines.append(f"-- svara: {tied} tie for {event['pot']} chips; joining costs {event['fee']} --")
            elif event["type"] != "cards":
                lines.append(self._words(event))
            elif event["seat"] == PERSON:
                lines.append(f"You get {' '.join(event['cards'])}: {event['points']} points")
        return lines

    def position(self) -> list[str]:
        """The pot, who is in, what it costs, and the person's cards."""
        view = self._view
        if view is None:
            return []
        still_in = [s for s in range(self.n_seats) if int(view.in_mask) >> s & 1]
        names = ", ".join(self._names[s] for s in in_table_order(still_in, self._dealer, self.n_seats))
        lines = [f"Pot {view.pot} chips; in: {names}"]
        cards = self._cards()
        if self._decision == _BET:
            lines.append(f"Your bet in this round: {view.my_bet}; the level is {view.level}")
        if cards:
            last = " (of the last round; a svara brings new ones)" if self._decision == _JOIN else ""
            lines.append(f"Your cards: {' '.join(DECK.write(cards))}: {view.points} points{last}")
        else:
            lines.append("You have no cards yet")
        return lines

    def choices(self) -> Sequence[Choice]:
        """Fold, call or raise; the legal blinds; or to join a svara."""
        return [choice for choice, _ in self._options()]

    def choose(self, index: int, amount: int | None = None) -> None:
        """Answer, and play on."""
        check_answer(self.choices(), index, amount)
        answer = self._options()[index][1]
        self._answers.append(answer if amount is None else amount)
        self._play()

    def hint(self) -> list[str]:
        """What the person's hand is worth at a showdown with those still in, beside what it costs to get there."""
        view = self._view
        if view is None:
            return []
        owed = int(view.owed)
        price = owed / (int(view.pot) + owed)
        cost = f"{owed} chips for a pot of {int(view.pot) + owed}"
        if self._decision == _JOIN:
            share = 1 / (int(view.players_in) + 1)
            return [
                f"The cards of a svara are new; with you, {int(view.players_in) + 1} play (others may follow).",
                f"Price: {cost}, {price:.1%}. Share of one hand among equals: {share:.1%} (exact).",
            ]
        if self._decision == _BLIND:
            share = 1 / int(view.players_in)
            return [
                f"A blind is bet without cards: with all {view.players_in} in, each wins {share:.1%} (exact).",
                f"The smallest blind is {cost}, {price:.1%}; it doubles what the others must pay.",
            ]
        share = self.showdown_share(self._cards(), int(view.points), int(view.players_in))
        n = int(view.players_in) - 1
        hands = "a random hand" if n == 1 else f"{n} random hands"
        verdict = "more" if share > price else "less"
        return [
            f"Showdown against {hands}: you win {share:.1%} of the pot on average ({self.share_note}; a tie counts its"
            " share).",
            f"Price: {cost}, {price:.1%}. Your share is {verdict} than the price; who bets or stays in has better hands"
            " than random ones.",
        ]

    def settlement(self) -> list[str]:
        """What each seat won or lost, and its cards in the last round it was dealt into."""
        if self._view is not None:
            return []
        hands = {e["seat"]: e for e in self._history["events"] if e["type"] == "cards"}
        lines = []
        for seat, payoff in enumerate(self._history["payoffs"]):
            held = hands[seat]
            lines.append(
                f"  {self._name(seat)}: {payoff:+d} chips, held {' '.join(held['cards'])} ({held['points']} points)"
            )
        return ["Payoffs of the deal:", *lines]

    def _options(self) -> list[tuple[Choice, int]]:
        """The choices, each with the answer that it is to the kernel."""
        view = self._view
        if view is None:
            return []
        owed = int(view.owed)
        if self._decision == _JOIN:
            return [(Choice("stay out"), 0), (Choice(f"join the svara for {owed}"), 1)]
        if self._decision == _BLIND:
            return [(Choice("no blind"), 0), *((Choice(f"bet {blind} blind"), blind) for blind in self._blinds())]
        low, high = int(view.min_raise_to), int(view.max_raise_to)
        if view.opened:
            call, lift = f"call, paying {owed}", "raise to"
        else:
            call, lift = f"open at {owed + int(view.my_bet)}, paying {owed}", "open at"
        options = [(Choice("fold"), FOLD), (Choice(call), CALL)]
        if low == high > 0 and view.opened:
            options.append((Choice(f"{lift} {low}, paying {low - int(view.my_bet)}"), low))
        elif 0 < low < high:
            level = "a level" if view.opened else "a higher level"
            options.append((Choice(f"{lift} {level} from {low} to {high}", low, high), low))
        return options

    def _blinds(self) -> list[int]:
        """The blinds that may be bet now."""
        rules, last = self._rules, int(self._view.blind_level)
        amounts = [last * factor for factor in sorted(rules.blind_factors)] if last else [rules.blind_size]
        return [amount for amount in amounts if 2 * amount <= rules.bet_limit]

    def _cards(self) -> list[int]:
        view = self._view
        cards = [int(view.card_0), int(view.card_1), int(view.card_2)]
        return cards if cards[0] >= 0 else []

    def _name(self, seat: int) -> str:
        return self._names[seat][0].upper() + self._names[seat][1:]

    def _words(self, event: dict[str, Any]) -> str:
        words = line_of(event, self._name(event["seat"]))
        if event["seat"] != PERSON:
            return words
        return re.sub(r"^You (?:(do)es|(\w+)s)\b", lambda found: f"You {found[1] or found[2]}", words)

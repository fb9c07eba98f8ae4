"""A person plays a deal of Run Fast: `svara_sim.games.capabilities.Sitting`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.errors import InvalidInput
from ..capabilities import PERSON, Choice, check_answer
from ..protocol import History
from .deck import DECK, cards_of
from .history import Laid, kind_name, lay_cards, lay_moves
from .kernel.moves import BOMB, FOUR_THREES, HEAVENLY, MOVE_KIND, PASS
from .policies import AskPolicy, RunFastPolicy
from .rules import RunFastRules
from .scoring import explain_scores
from .table import PlayedDeal, RunFastTable

__all__ = ["RunFastSitting"]

_WORLDS, _REPEATS = 25, 20  # of a hint: sampled worlds, in groups that show the error


class RunFastSitting:
    """One deal with a person in seat 0.

    Parameters
    ----------
    rules : RunFastRules
        The options.
    opponents : sequence of RunFastPolicy
        Of seats 1 and 2.
    seed, deal : int
        Which deal.
    """

    def __init__(self, rules: RunFastRules, opponents: Sequence[RunFastPolicy], seed: int, deal: int) -> None:
        self._rules = rules
        self._names = ["you", *(f"seat {i} ({p.label})" for i, p in enumerate(opponents, start=1))]
        self._table = RunFastTable(rules, [AskPolicy("you"), *opponents], seed, False)
        self._answered: set[int] = set()
        self._told = 0
        self._go_on(self._table.play_on(deal))

    def _go_on(self, played: PlayedDeal) -> None:
        self._played = played
        self._moves, self._left = lay_moves([cards_of(mask) for mask in played.cards], played.opener, played.log)
        self._slots: list[int] = []
        if not played.finished:
            slots, passable = self._table.choices(played)
            self._slots = [*slots, *([PASS] if passable else [])]

    @property
    def over(self) -> bool:
        """Whether somebody is out."""
        return self._played.finished

    @property
    def log(self) -> tuple[int, ...]:
        """Slots of the moves so far."""
        return self._played.log

    def history(self) -> History:
        """The history of the finished deal (rule 9)."""
        if not self.over:
            raise InvalidInput("history: the deal is not over")
        return self._table.history(self._played)

    def news(self) -> list[str]:
        """The moves since this was last asked, and why the person's forced ones were."""
        first, self._told = self._told, len(self._moves)
        lines = []
        if not first and self._moves and self._played.opener != PERSON:
            lines.append(f"{self._name(self._played.opener)} holds 3♥ and leads")
        for ply in range(first, self._told):
            if self._tops(ply) is None and ply:
                lines.append(f"-- new round: {self._verb(self._moves[ply].seat, 'lead')} --")
            lines.append(self._line(ply))
        if self._slots and self._tops(self._told) is None and self._told > first:
            lines.append("-- new round: you lead --")
        return lines

    def position(self) -> list[str]:
        """The play to beat, the number of cards of each, and the person's hand."""
        if self.over:
            return []
        top = self._tops(len(self._moves))
        on_table = "nothing: you lead" if top is None else f"{_words(top)}, by {self._names[top.seat]}"
        if not self._moves:
            on_table = "nothing: you hold 3♥ and lead" + (" with it" if self._rules.opening_needs_h3 else "")
        counts = ", ".join(f"{name} {len(hand)}" for name, hand in zip(self._names, self._left, strict=True))
        return [
            f"On the table: {on_table}",
            f"Cards left: {counts}",
            f"Your hand: {' '.join(DECK.write(self._left[PERSON]))}",
        ]

    def choices(self) -> Sequence[Choice]:
        """The legal moves, in the order of the move table; the pass, if it is free, last."""
        return [Choice(self._move_words(slot)) for slot in self._slots]

    def choose(self, index: int, amount: int | None = None) -> None:
        """Make a move, and play on."""
        check_answer(self.choices(), index, amount)
        played = self._played
        self._answered.add(len(played.log))
        self._go_on(self._table.play_on(played.deal, [*played.log, self._slots[index]]))

    def hint(self) -> list[str]:
        """The Monte Carlo policy's estimate of each move, and of its distance to the best in the same worlds."""
        if self.over:
            return []
        groups = [self._table.hint(self._played, _WORLDS, repeat=i + 1) for i in range(_REPEATS)]
        points = np.array([[group[slot] for slot in self._slots] for group in groups])
        means = points.mean(axis=0)
        best = int(means.argmax())
        behind = points[:, [best]] - points
        errors, behind_errors = (a.std(axis=0, ddof=1) / np.sqrt(_REPEATS) for a in (points, behind))
        names = [self._move_words(slot) for slot in self._slots]
        width = max(map(len, names))
        lines = [f"Mean points over {_WORLDS * _REPEATS} worlds that fit all you have seen (± one standard error):"]
        for i, name in enumerate(names):
            less = "best" if i == best else f"{behind[:, i].mean():.1f} ± {behind_errors[i]:.1f} less than the best"
            lines.append(f"{i + 1:>4}  {name:<{width}}  {means[i]:>+6.1f} ± {errors[i]:.1f}   {less}")
        return lines

    def settlement(self) -> list[str]:
        """Who won, what each paid and why, and all hands as they were dealt."""
        if not self.over:
            return []
        history = self.history()
        lines = [f"{self._verb(history['winner'], 'win')}."]
        lines += explain_scores(self._rules, history, self._left, [self._name(seat) for seat in range(3)])
        lines += ["The hands as they were dealt:"]
        return lines + [f"  {self._name(s)}: {' '.join(hand)}" for s, hand in enumerate(history["hands"])]

    def _name(self, seat: int) -> str:
        return self._names[seat][0].upper() + self._names[seat][1:]

    def _verb(self, seat: int, verb: str) -> str:
        ending = "" if seat == PERSON else ("es" if verb == "pass" else "s")
        return f"{self._name(seat)} {verb}{ending}"

    def _tops(self, ply: int) -> Laid | None:
        """The play to beat before a ply; None on a lead."""
        before = self._moves[:ply]
        if len(before) > 2 and before[-1].move == before[-2].move == PASS:
            return None
        return next((laid for laid in reversed(before) if laid.move != PASS), None)

    def _line(self, ply: int) -> str:
        laid = self._moves[ply]
        forced = laid.seat == PERSON and ply not in self._answered
        if laid.move == PASS:
            return f"{self._verb(laid.seat, 'pass')}" + (f": {self._why_pass(ply)}" if forced else "")
        rest = f", {laid.left} left" if laid.left else ", and go out" if laid.seat == PERSON else ", and goes out"
        why = " (your only legal move)" if forced else ""
        return f"{self._verb(laid.seat, 'play')} {_words(laid)}{rest}{why}"

    def _why_pass(self, ply: int) -> str:
        top = self._tops(ply)
        assert top is not None  # nobody passes on a lead
        if top.move == HEAVENLY:
            return "nothing beats the heavenly bomb"
        kind, size = kind_name(top.move), len(top.cards)
        if MOVE_KIND[top.move] == BOMB:
            return "you hold no higher bomb"
        of = f" of {size} cards" if kind in ("straight", "pair run") else ""
        kept = "" if self._rules.may_split_bombs else " outside your bombs"
        return f"you hold no higher {kind}{of}{kept} and no bomb"

    def _move_words(self, slot: int) -> str:
        if slot == PASS:
            return "pass"
        heavenly = slot == FOUR_THREES and not self._moves and self._rules.heavenly
        cards = lay_cards(list(self._left[PERSON]), slot)
        return f"{' '.join(DECK.write(cards))} ({kind_name(HEAVENLY if heavenly else slot)})"


def _words(laid: Laid) -> str:
    return f"{' '.join(DECK.write(laid.cards))} ({kind_name(laid.move)})"

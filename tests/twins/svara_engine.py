"""Section 3 of the rule page: one deal, step by step, with a pluggable source of cards and decisions.

The engine knows the rules and writes the events (section 5). A source only deals cards and answers questions;
every answer is held against what the rules allow at that moment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .svara_options import RuleBroken
from .svara_parts import Allowed, Event, Round, Source, describe
from .svara_points import Card, hand_points, parse_card


class Deal:
    """One deal from the antes to the end; `events` and `payoffs()` hold what happened."""

    def __init__(self, rules: Mapping[str, Any], players: int, dealer: int, source: Source) -> None:
        self.rules = rules
        self.source = source
        self.table = [(dealer + 1 + step) % players for step in range(players)]
        self.events: list[Event] = []
        self.paid = [0] * players
        self.took = [0] * players
        self.pot = 0

    # -- the chips and the record ------------------------------------------------------------------

    def write(self, kind: str, **more: Any) -> None:
        """Write one event of section 5."""
        self.events.append({"type": kind, **more})

    def pay(self, seat: int, chips: int) -> None:
        """`seat` puts `chips` into the pot."""
        self.paid[seat] += chips
        self.pot += chips

    def take(self, seat: int, chips: int, how: str) -> None:
        """`seat` takes `chips` out of the pot."""
        self.took[seat] += chips
        self.pot -= chips
        self.write("win", seat=seat, chips=chips, how=how)

    def payoffs(self) -> list[int]:
        """Section 3: what each seat took less all it paid."""
        return [took - paid for took, paid in zip(self.took, self.paid, strict=True)]

    def ask(self, seat: int, allowed: Allowed) -> tuple[str, int]:
        """Ask the source for `seat`'s decision and hold it against the rules."""
        answer = self.source.decide(seat, allowed)
        if answer.kind not in allowed:
            raise RuleBroken(f"{answer.place}: {answer.kind!r} is not allowed; {describe(seat, allowed)}")
        amounts = allowed[answer.kind]
        if amounts is None:
            return answer.kind, 0
        if type(answer.amount) is not int or answer.amount not in amounts:
            what = f"{answer.kind!r} of {answer.amount!r}"
            raise RuleBroken(f"{answer.place}: {what} is not allowed; {describe(seat, allowed)}")
        return answer.kind, answer.amount

    # -- the deal ----------------------------------------------------------------------------------

    def run(self) -> None:
        """Section 3, steps 1 to 6."""
        for seat in self.table:
            self.pay(seat, self.rules["ante"])
            self.write("ante", seat=seat, chips=self.rules["ante"])
        seats, svaras = self.table, 0
        while True:
            betting = svaras == 0 or self.rules["svara_betting"]
            blinds = betting and (svaras == 0 or self.rules["svara_blinds"])
            best = self.play_round(Round(list(seats)), betting, blinds)
            if not best:
                return
            if len(best) == 1:
                self.take(best[0], self.pot, "showdown")
                return
            if svaras == self.rules["svara_limit"]:
                self.split(best)
                return
            seats = self.svara(best)
            svaras += 1

    def play_round(self, now: Round, betting: bool, blinds: bool) -> list[int]:
        """Steps 2 to 5; returns the seats with the highest points, none if the pot went without showing."""
        if blinds:
            self.blind_chain(now)
        self.deal_cards(now)
        if betting:
            self.bet(now)
            if len(now.inside) == 1:
                return []
        return self.show(now)

    def legal_blinds(self, now: Round) -> list[int]:
        """Step 2: `blind_size`, then the last blind times a factor; never above half of `bet_limit`."""
        if now.blind_seat is None:
            sizes = {self.rules["blind_size"]}
        else:
            sizes = {now.last_blind * factor for factor in self.rules["blind_factors"]}
        return sorted(size for size in sizes if size > 0 and 2 * size <= self.rules["bet_limit"])

    def blind_chain(self, now: Round) -> None:
        """Step 2: in table order, each at most once, until one declines or none is legal."""
        for seat in now.seats:
            legal = self.legal_blinds(now)
            if not legal:
                return
            kind, chips = self.ask(seat, {"no_blind": None, "blind": legal})
            if kind == "no_blind":
                self.write("no_blind", seat=seat)
                return
            self.pay(seat, chips)
            now.bets[seat] = now.last_blind = chips
            now.blind_seat = seat
            self.write("blind", seat=seat, chips=chips)

    def deal_cards(self, now: Round) -> None:
        """Step 3: three cards to each seat, from one fresh deck."""
        gone: set[Card] = set()
        for seat, (cards, place) in zip(now.seats, self.source.deal(now.seats), strict=True):
            if not isinstance(cards, list | tuple) or len(cards) != 3:
                raise RuleBroken(f"{place}: {cards!r} are not three cards")
            try:
                hand = [parse_card(card) for card in cards]
            except ValueError as error:
                raise RuleBroken(f"{place}: {error}") from error
            for card in hand:
                if card in gone:
                    raise RuleBroken(f"{place}: {card} comes twice out of one fresh deck of 32 cards")
                gone.add(card)
            now.points[seat] = hand_points(hand, self.rules)
            self.write("cards", seat=seat, cards=[str(card) for card in hand], points=now.points[seat])

    # -- step 4 ------------------------------------------------------------------------------------

    def bet(self, now: Round) -> None:
        """Step 4: first unopened, then opened."""
        opener = self.unopened(now)
        if opener is None:
            how = "dealer" if now.blind_seat is None else "blind"
            self.take(now.inside[0], self.pot, how)
            return
        self.opened(now, opener)
        if len(now.inside) == 1:
            self.take(now.inside[0], self.pot, "last")

    def unopened(self, now: Round) -> int | None:
        """Step 4 Unopened: fold or open; returns the opener, or None when only the last in turn is left."""
        price = self.rules["min_bet"] if now.blind_seat is None else 2 * now.last_blind
        for seat in now.turns()[:-1]:
            kind, level = self.ask(seat, {"fold": None, "bet": range(price, self.rules["bet_limit"] + 1)})
            if kind == "bet":
                self.raise_level(now, "bet", seat, level)
                return seat
            self.fold(now, seat)
        return None

    def opened(self, now: Round, opener: int) -> None:
        """Step 4 Opened: fold, call or raise, clockwise, until the round is settled."""
        seat = opener
        while not now.settled():
            seat = now.next_inside(seat)
            kind, level = self.ask(seat, self.replies(now, seat))
            if kind == "fold":
                self.fold(now, seat)
            elif kind == "call":
                chips = now.level - now.bets[seat]
                self.pay(seat, chips)
                now.bets[seat] = now.level
                self.write("call", seat=seat, chips=chips)
            else:
                now.raises[seat] += 1
                self.raise_level(now, "raise", seat, level)

    def replies(self, now: Round, seat: int) -> Allowed:
        """Step 4 Opened: what `seat` may do; only fold and call when its raises or the limit are used up."""
        table_wide = self.rules["raise_scope"] == "table"
        used = sum(now.raises.values()) if table_wide else now.raises[seat]
        least, most = now.level + self.rules["min_raise"], self.rules["bet_limit"]
        if used >= self.rules["max_raises"] or least > most:
            return {"fold": None, "call": None}
        return {"fold": None, "call": None, "raise": range(least, most + 1)}

    def raise_level(self, now: Round, kind: str, seat: int, level: int) -> None:
        """A bet or a raise: it brings the seat's own bet of this round to the new level."""
        chips = level - now.bets[seat]
        self.pay(seat, chips)
        now.bets[seat] = now.level = level
        self.write(kind, seat=seat, chips=chips, level=level)

    def fold(self, now: Round, seat: int) -> None:
        """The seat is out of this round."""
        now.inside.remove(seat)
        self.write("fold", seat=seat)

    # -- steps 5 and 6 -----------------------------------------------------------------------------

    def show(self, now: Round) -> list[int]:
        """Step 5: every seat still in shows, in table order; returns those with the highest points."""
        for seat in now.inside:
            self.write("show", seat=seat, points=now.points[seat])
        highest = max(now.points[seat] for seat in now.inside)
        return [seat for seat in now.inside if now.points[seat] == highest]

    def svara(self, tied: list[int]) -> list[int]:
        """Step 6: the tied seats are in for free, the others may join for the fee; returns who is in."""
        share, fee = self.pot // len(tied), self.rules["svara_fee"]
        fee = share if fee == "share" else fee
        self.write("svara", seats=list(tied), pot=self.pot, fee=fee)
        inside = set(tied)
        others = [seat for seat in self.table if seat not in inside]
        for seat in others if self.rules["svara_join"] == "anyone" else []:
            kind, _ = self.ask(seat, {"stay_out": None, "join": None})
            if kind == "stay_out":
                self.write("stay_out", seat=seat)
                continue
            self.pay(seat, fee)
            inside.add(seat)
            self.write("join", seat=seat, chips=fee)
        return [seat for seat in self.table if seat in inside]

    def split(self, tied: list[int]) -> None:
        """Step 6: evenly among the tied seats, odd chips to the earliest in table order."""
        each, odd = divmod(self.pot, len(tied))
        for place, seat in enumerate(tied):
            self.take(seat, each + (place < odd), "split")

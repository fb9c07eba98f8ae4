"""The public state of a deal against the rulebook: who is asked, what is legal and what becomes of it, step by step."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from twins.svara_engine import Deal
from twins.svara_parts import Allowed, Answer, Hand
from twins.svara_rulebook import RandomSource, random_rules

from svara_sim.games.svara.kernel.interface import new_rules
from svara_sim.games.svara.kernel.public import apply, blind_answers, legal, open_deal, open_svara, seen, taken_by
from svara_sim.games.svara.kernel.public_state import OVER
from svara_sim.games.svara.kernel.state import ASK_BET, ASK_BLIND, ASK_JOIN
from svara_sim.games.svara.kernel.transition import CALL, ENDINGS, FOLD
from svara_sim.games.svara.rules import make_rules


class Follower:
    """Plays a random deal of the rulebook and leads a public state along, comparing at each step."""

    def __init__(self, rng: random.Random, rules: dict[str, Any], players: int, dealer: int) -> None:
        self.rng, self.rules, self.players, self.dealer = rng, rules, players, dealer
        self.record = new_rules(make_rules(None, rules))
        self.state = open_deal(self.record, players, dealer)
        self.source = RandomSource(rng)
        self.deal_twin = Deal(rules, players, dealer, self)
        self.read = 0
        self.asked: set[int] = set()
        self.svaras = 0

    def run(self) -> None:
        self.deal_twin.run()
        self.catch_up()

    def catch_up(self) -> None:
        """Compare what the rulebook has written since the last question with the state."""
        events = self.deal_twin.events
        for event in events[self.read :]:
            if event["type"] == "svara":
                assert self.state.asks == OVER
                assert self.state.pot == event["pot"]
                mask = sum(1 << seat for seat in event["seats"])
                assert self.state.in_mask & mask == mask
                self.state = open_svara(self.record, self.state, mask)
                self.svaras += 1
            elif event["type"] == "show":
                assert self.state.asks == OVER
                assert self.state.in_mask >> event["seat"] & 1
                assert taken_by(self.state) == (-1, -1)
            elif event["type"] == "win":
                assert self.state.asks == OVER
                if event["how"] not in ("showdown", "split"):
                    seat, ending = taken_by(self.state)
                    assert (seat, ENDINGS[ending]) == (event["seat"], event["how"])
                    assert event["chips"] == self.state.pot
                paid = [chips - took for chips, took in zip(self.deal_twin.took, self.deal_twin.payoffs(), strict=True)]
                assert list(self.state.paid[: self.players]) == paid
        self.read = len(events)

    def deal(self, seats: Sequence[int]) -> Iterable[Hand]:
        self.catch_up()
        assert self.state.asks in (ASK_BET, OVER)
        assert self.state.in_mask == sum(1 << seat for seat in seats)
        return self.source.deal(seats)

    def decide(self, seat: int, allowed: Allowed) -> Answer:
        self.catch_up()
        state, record = self.state, self.record
        assert state.seat == seat
        assert state.pot == self.deal_twin.pot
        self.asked.add(state.asks)
        options = legal(record, state)
        if "join" in allowed:
            assert state.asks == ASK_JOIN
        elif "blind" in allowed:
            assert state.asks == ASK_BLIND
            assert blind_answers(record, state) == list(allowed["blind"] or ())
            assert options.owed == min(allowed["blind"] or ())
        else:
            self.check_bet(allowed, options)
        answer = self.source.decide(seat, allowed)
        self.try_illegal(allowed)
        if answer.kind == "bet" and answer.amount == options.low and self.rng.random() < 0.5:
            number: Any = CALL  # opens at the opening price too
        else:
            plain = {"fold": FOLD, "call": CALL, "no_blind": 0, "stay_out": 0, "join": 1}
            number = plain.get(answer.kind, answer.amount)
        before = state.pot
        self.state = apply(record, state, number)
        if answer.kind == "join":
            assert self.state.pot - before == options.owed
        return answer

    def check_bet(self, allowed: Allowed, options: Any) -> None:
        state = self.state
        assert state.asks == ASK_BET
        levels = allowed.get("raise", allowed.get("bet"))
        assert (options.low, options.high) == ((0, 0) if levels is None else (levels[0], levels[-1]))
        assert state.opened == ("call" in allowed)
        row = seen(self.record, state)
        assert row.can_raise == (levels is not None)
        assert row.stage == (2 if "call" in allowed else 1 if state.blinds else 0)
        assert row.players == state.in_mask.bit_count()
        assert row.position == (state.seat - self.dealer - 1) % self.players
        assert row.svara == (self.svaras > 0)

    def try_illegal(self, allowed: Allowed) -> None:
        """Answers just outside of what the rulebook allows are refused."""
        wrong = {-2}
        for amounts in allowed.values():
            if amounts:
                wrong |= {max(amounts) + 1} | ({min(amounts) - 1} - {0})
        if "join" in allowed:
            wrong = {-1, 2}
        answer = self.rng.choice(sorted(wrong))
        with pytest.raises(ValueError, match="illegal answer"):
            apply(self.record, self.state, answer)


def test_public_states_follow_the_rulebook() -> None:
    rng = random.Random(2024)
    asked: set[int] = set()
    svaras = 0
    for number in range(1200):
        players = 2 + number % 9
        rules = random_rules(rng, players)
        follower = Follower(rng, rules, players, rng.randrange(players))
        follower.run()
        asked |= follower.asked
        svaras += follower.svaras
    assert asked == {ASK_BLIND, ASK_BET, ASK_JOIN}
    assert svaras > 50


def test_nobody_is_asked_after_the_end() -> None:
    rules = new_rules(make_rules(None, {"blind_size": 0}))
    state = apply(rules, open_deal(rules, 2, 1), FOLD)
    assert (state.asks, state.seat) == (OVER, -1)
    assert legal(rules, state) == (0, 0, 0, 0, 0)
    with pytest.raises(ValueError, match="illegal answer"):
        apply(rules, state, CALL)

"""The parts of the engine: questions and answers, sources, and the state of one betting round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

Event = dict[str, Any]
Allowed = Mapping[str, Sequence[int] | None]
"""What a seat may do now: event types, each with its legal amounts (None: there is none to choose)."""


class Answer(NamedTuple):
    """A decision: its event type, its amount (a blind's chips, a bet's or raise's level), its place."""

    kind: str
    amount: int | None = None
    place: str = "decision"


class Hand(NamedTuple):
    """Three cards dealt to a seat, and where they come from."""

    cards: Sequence[str]
    place: str = "hand"


class Source(Protocol):
    """Where cards and decisions come from."""

    def deal(self, seats: Sequence[int]) -> Iterable[Hand]:
        """Hands from a fresh deck, one for each of `seats` in that (table) order."""

    def decide(self, seat: int, allowed: Allowed) -> Answer:
        """What `seat` does, whose turn it is and who may do what `allowed` says."""


def describe(seat: int, allowed: Allowed) -> str:
    """What the rules allow, in words."""
    parts = []
    for kind, amounts in allowed.items():
        if amounts is None:
            parts.append(kind)
        elif isinstance(amounts, range):
            parts.append(f"{kind} to a level from {amounts.start} to {amounts.stop - 1}")
        else:
            parts.append(f"{kind} of {' or '.join(map(str, amounts))} chips")
    return f"the rules allow seat {seat}: {'; '.join(parts)}"


@dataclass
class Round:
    """One betting round: the seats that got cards (table order, the dealer's part last) and what they did."""

    seats: list[int]
    inside: list[int] = field(init=False)
    bets: dict[int, int] = field(init=False)
    raises: dict[int, int] = field(init=False)
    points: dict[int, int] = field(default_factory=dict)
    level: int = 0
    last_blind: int = 0
    blind_seat: int | None = None

    def __post_init__(self) -> None:
        self.inside = list(self.seats)
        self.bets = dict.fromkeys(self.seats, 0)
        self.raises = dict.fromkeys(self.seats, 0)

    def turns(self) -> list[int]:
        """3.4 Turns: first seat to dealer; after a blind by s, from the seat after s around to s."""
        if self.blind_seat is None:
            return list(self.seats)
        after = self.seats.index(self.blind_seat) + 1
        return self.seats[after:] + self.seats[:after]

    def next_inside(self, seat: int) -> int:
        """The next seat clockwise from `seat` that is still in."""
        start = self.seats.index(seat) + 1
        around = self.seats[start:] + self.seats[:start]
        return next(other for other in around if other in self.inside)

    def settled(self) -> bool:
        """3.4: every seat still in has matched the level, or one seat is left."""
        return len(self.inside) == 1 or all(self.bets[seat] == self.level for seat in self.inside)

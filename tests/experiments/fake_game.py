"""A dice game that the lab has never heard of: it stands on the protocol alone, in plain NumPy.

Each seat rolls one die and stakes 10 chips (a "bold" one 20); the highest roll takes the pot, a tie leaves it
to the next deal of the session (or gives it back, if it was the last). A "cheat" acts illegally in one deal.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from svara_sim.core.errors import IllegalAction, InvalidInput, check_choice, check_int
from svara_sim.games.protocol import Block, Column, History, Measure, PolicyInfo

ANTE = 10


@dataclass(frozen=True)
class DiceRules:
    sides: int = 6

    def as_dict(self) -> dict[str, Any]:
        return {"sides": self.sides}


@dataclass(frozen=True)
class DicePolicy:
    label: str
    stake: int = ANTE
    cheats_at: int = -1
    secret: str = ""

    def describe(self) -> dict[str, Any]:
        return {"stake": self.stake, "cheats_at": self.cheats_at, "secret": self.secret}


def mix64(z: np.ndarray) -> np.ndarray:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@dataclass(frozen=True)
class DiceTable:
    rules: DiceRules
    seats: tuple[DicePolicy, ...]
    seed: int
    session_deals: int
    lenient: bool
    pause: float = 0.0
    chips_per_ante: float = float(ANTE)

    @property
    def n_seats(self) -> int:
        return len(self.seats)

    def simulate_block(self, first_unit: int, n_units: int, batch_units: int, records: bool) -> Block:
        if self.pause:
            time.sleep(self.pause)
        n, m = self.n_seats, self.session_deals
        deals = np.arange(first_unit * m, (first_unit + n_units) * m)
        clamped = self._clamp(deals)
        keys = (deals[:, None] * n + np.arange(n)).astype(np.uint64) + np.uint64(self.seed << 32)
        rolls = (mix64(keys) % np.uint64(self.rules.sides)).astype(np.int64) + 1
        stakes = np.array([p.stake for p in self.seats], dtype=np.int64)
        best = rolls.max(axis=1)
        tied = (rolls == best[:, None]).sum(axis=1) > 1
        payoffs = np.where(rolls == best[:, None], stakes.sum(), 0) - stakes
        payoffs[tied] = 0
        pots = np.where(tied, 0, stakes.sum())
        in_session = tied.reshape(n_units, m)
        carried = np.cumsum(in_session, axis=1).reshape(-1)  # what depends on what within a session
        winner = np.where(tied, n, rolls.argmax(axis=1))
        columns = [np.ones(len(deals), np.int64), tied.astype(np.int64), carried, pots, *payoffs.T]
        first_batch = first_unit // batch_units
        batch = (deals // m) // batch_units - first_batch
        totals = np.zeros((int(batch[-1]) + 1, len(columns) + 1), dtype=np.int64)
        for i, values in enumerate(columns):
            np.add.at(totals[:, i], batch, values)
        np.add.at(totals[:, -1], batch, best == self.rules.sides + 1)  # never happens
        kept = None
        if records:
            kept = {
                "ending": tied.astype(np.uint8),
                "winner": winner.astype(np.uint8),
                "carried": carried.astype(np.uint16),
                "pot_chips": pots.astype(np.int32),
            }
            kept |= {f"roll_{s}": rolls[:, s].astype(np.uint8) for s in range(n)}
            kept |= {f"payoff_{s}_chips": payoffs[:, s].astype(np.int32) for s in range(n)}
        return Block(totals, first_batch, kept, clamped)

    def _clamp(self, deals: np.ndarray) -> np.ndarray:
        clamped = np.zeros(self.n_seats, dtype=np.int64)
        for seat, policy in enumerate(self.seats):
            if deals[0] <= policy.cheats_at <= deals[-1]:
                if not self.lenient:
                    raise IllegalAction(f"{policy.label}, seat {seat}, deal {policy.cheats_at}: loads the dice")
                clamped[seat] += 1
        return clamped

    def replay(self, first_deal: int, n_deals: int) -> Iterator[History]:
        yield from ()

    def transcript(self, history: History) -> str:
        return ""


@dataclass(frozen=True)
class DiceGame:
    """`pause` seconds before each block, for tests that kill."""

    name: str = "dice"
    title: str = "Dice"
    presets: Sequence[str] = ("d6", "d20")
    default_seats: Sequence[str] = ("timid",)
    pause: float = 0.0

    def make_rules(self, preset: str | None = None, options: Mapping[str, Any] | None = None) -> DiceRules:
        preset = check_choice("rules", preset or "d6", self.presets)
        options = dict(options or {})
        sides = check_int("sides", options.pop("sides", int(preset[1:])), 2, 100)
        for name in options:
            check_choice("option", name, ("sides",))
        return DiceRules(sides)

    def check_players(self, players: Any, rules: DiceRules) -> int:
        return check_int("players", players, 2, 10)

    def policy_library(self) -> Sequence[PolicyInfo]:
        return (
            PolicyInfo("timid", "stakes an ante"),
            PolicyInfo("bold", "stakes two"),
            PolicyInfo("cheat", "cheats"),
        )

    def make_policy(self, policy: Any) -> DicePolicy:
        if isinstance(policy, DicePolicy):
            return policy
        name, _, value = str(policy).partition(":")
        check_choice("policy", name, ("timid", "bold", "cheat"))
        if name == "cheat":
            return DicePolicy(policy, cheats_at=int(value.removeprefix("at=")))
        if value:
            raise InvalidInput(f"policy {policy!r}: takes no parameters")
        return DicePolicy(name, stake=2 * ANTE if name == "bold" else ANTE)

    def make_table(
        self,
        rules: DiceRules,
        seats: Sequence[DicePolicy],
        seed: int,
        *,
        session_deals: int | None = None,
        lenient: bool = False,
    ) -> DiceTable:
        return DiceTable(rules, tuple(seats), seed, session_deals or 1, lenient, self.pause)

    def record_columns(self, players: int) -> Sequence[Column]:
        return [
            Column("ending", "uint8", "", "How it ended.", ("won", "tied")),
            Column("winner", "uint8", "seat", "Who won."),
            Column("carried", "uint16", "deals", "Ties so far in the session."),
            Column("pot_chips", "int32", "chips", "What the winner took."),
            *(Column(f"roll_{s}", "uint8", "points", f"Roll of seat {s}.") for s in range(players)),
            *(Column(f"payoff_{s}_chips", "int32", "chips", f"Payoff of seat {s}.") for s in range(players)),
        ]

    def total_columns(self, players: int) -> Sequence[Column]:
        return [
            Column("deals", "int64", "deals", "Deals."),
            Column("ties", "int64", "deals", "Ties."),
            Column("carried", "int64", "deals", "Ties so far in the session, added up."),
            Column("pot_chips", "int64", "chips", "Pots."),
            *(Column(f"payoff_{s}_chips", "int64", "chips", f"Payoff of seat {s}.") for s in range(players)),
            Column("never", "int64", "deals", "Deals that never happen."),
        ]

    def measures(self, seats: Sequence[DicePolicy]) -> Sequence[Measure]:
        payoffs = [
            Measure("payoff_by_seat", {"seat": s, "policy": p.label}, f"payoff_{s}_chips", "deals", "chips")
            for s, p in enumerate(seats)
        ]
        return [
            *payoffs,
            Measure("frequency", {"event": "tie"}, "ties", "deals", "per deal", "proportion"),
            Measure("frequency", {"event": "tie when never"}, "never", "never", "per deal", "proportion"),
            Measure("carried", {"what": "ties so far"}, "carried", "deals", "deals"),
        ]


DICE = DiceGame()

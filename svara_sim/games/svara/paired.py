"""Two policies on the same deals: `svara_sim.games.capabilities.Pairs` over `kernel.pairs`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import IllegalAction, SvaraError, check_choice
from ..capabilities import PairBlock
from .kernel.decide import CUT_ONE, POT_OVERFLOW, PRICE_ONE
from .kernel.paired import play_pairs, play_separately
from .kernel.paired_rounds import DIFFERING, N_COUNTS, OUTCOME, ROUNDS, SVARAS
from .kernel.state import MAX_SEATS, ROW, TABLE, new_work
from .policies.plan import FEATURES, BetTable, SeatPlan, SvaraPolicy, cut
from .rules import SvaraRules
from .scoring import points_table
from .seating import KernelArguments, seat_policies

__all__ = ["SVARA_MODES", "SvaraPairs"]

SVARA_MODES = ("auto", "play", "value")
"""What becomes of a svara: played; or worth pot / k to each of k tied seats; "auto" is the latter where it is exact."""

_ALL_POINTS = FEATURES["points"]
_USUAL_LEVELS = (20, 27)


class SvaraPairs:
    """A hero that plays policy `a` or policy `b` in every seat in turn of a table that plays `field`.

    Parameters
    ----------
    rules : SvaraRules
        Options of the table.
    a, b, field : SvaraPolicy
        The hero's two policies, and that of all other seats.
    players : int
        Number of seats.
    seed : int
        Of all random streams; deal i is the deal i of a run with this seed.
    svara : {"auto", "play", "value"}
        See `SVARA_MODES`.
    """

    def __init__(
        self,
        rules: SvaraRules,
        a: SvaraPolicy,
        b: SvaraPolicy,
        field: SvaraPolicy,
        players: int,
        seed: int,
        svara: str = "auto",
    ) -> None:
        self._rules = rules
        self._players = players
        self._labels = tuple(dict.fromkeys(policy.label for policy in (a, b, field)))
        plan_a, plan_b, plan_field = (p.plan(rules) for p in (a, b, field))
        self.value_is_exact = _value_is_exact(rules, (plan_a, plan_b, plan_field))
        check_choice("svara", svara, SVARA_MODES)
        self._play_svaras = svara == "play" or (svara == "auto" and not self.value_is_exact)
        self._shared = np.array([_same_plan(plan_a, plan_field), _same_plan(plan_b, plan_field)], dtype=np.int64)
        self._differs = _first_differences(rules, plan_a, plan_b, players)
        self._differs_svara = _bets_differ(plan_a, plan_b, players, 1).astype(np.uint8)
        self._later = _svaras_differ(rules, plan_a, plan_b, self._differs_svara) if self._play_svaras else 0
        self._may_join = np.array([_may_join(rules, plan) for plan in (plan_a, plan_b)], dtype=np.int64)
        self._levels = np.array(_strength_levels(plan_field), dtype=np.int64)
        self._arguments(a, b, field, seed)

    def _arguments(self, a: SvaraPolicy, b: SvaraPolicy, field: SvaraPolicy, seed: int) -> None:
        made: list[KernelArguments] = []
        self._place = np.zeros((2, self._players), dtype=np.int64)
        for index, hero in enumerate((a, b)):
            for seat in range(self._players):
                if self._shared[index] and seat > 0:
                    self._place[index, seat] = self._place[index, 0]
                    continue
                seats = [field] * self._players
                if not self._shared[index]:
                    seats[seat] = hero
                self._place[index, seat] = len(made)
                made.append(seat_policies(self._rules, seats, seed, lenient=False))
        self._tables: Any = np.zeros(len(made), np.dtype((np.record, TABLE))).view(np.recarray)
        start = 0
        for i, arguments in enumerate(made):
            self._tables[i] = arguments.table
            self._tables[i]["offset"] += start
            start += len(arguments.rows)
        self._rows = np.concatenate([arguments.rows for arguments in made])
        self._functions = tuple(f for arguments in made for f in arguments.functions)  # keeps their code alive

    @property
    def n_seats(self) -> int:
        """Number of seats."""
        return self._players

    @property
    def chips_per_ante(self) -> float:
        """Chips of one ante; 1 at a table without an ante."""
        return float(self._rules.ante or 1)

    @property
    def svara(self) -> str:
        """What becomes of a svara: ``"play"`` or ``"value"``."""
        return "play" if self._play_svaras else "value"

    @property
    def hand_points(self) -> NDArray[np.uint8]:
        """Points of every hand, shape (4960,), for exact odds."""
        return points_table(self._rules)

    @property
    def strength_levels(self) -> tuple[int, ...]:
        """Points from which the field usually stays in, and from which it usually raises, ascending."""
        return tuple(self._levels.tolist())

    @property
    def p_differs(self) -> float:
        """Share of hands with which the first round can differ between the policies."""
        return float(self._differs[self.hand_points].mean())

    @property
    def identical(self) -> bool:
        """Whether no deal can differ."""
        return not self._later and not self._differs[self.hand_points].any()

    def expected_strength(self) -> NDArray[np.float64]:
        """Exact means of the features of the opponents' strength, by hand of the hero, shape (4960, features)."""
        from .exact.strength import expected_strength

        return expected_strength(self.hand_points, self.strength_levels, self._players)

    def play(self, first_deal: int, n_deals: int, expected: NDArray[np.float64] | None = None) -> PairBlock:
        """Play deals; see `svara_sim.games.capabilities.Pairs.play`."""
        seats = self._players
        features = np.zeros((0, 0)) if expected is None else np.ascontiguousarray(expected, dtype=np.float64)
        differences = np.zeros((n_deals, seats))
        controls = np.zeros((n_deals, (len(self._levels) + 1) * features.shape[1]))
        counts = np.zeros(N_COUNTS, dtype=np.int64)
        work = new_work()
        outcomes = np.zeros(2, np.dtype((np.record, OUTCOME))).view(np.recarray)
        with np.errstate(over="ignore"):
            play_pairs(
                self._tables, self._rows, self._place, self._shared, self._may_join, self._differs,
                self._differs_svara, self._later,
                int(self._play_svaras), self._levels, features, first_deal, differences,
                controls, counts, work, outcomes, np.zeros((2, MAX_SEATS), dtype=np.int64),
            )  # fmt: skip
        self._check(work)
        return PairBlock(
            differences=differences,
            controls=controls,
            rounds_played=int(counts[ROUNDS]),
            svaras_played=int(counts[SVARAS]),
            pairs_differing=int(counts[DIFFERING]),
            first_round_decides=not self._later,
        )

    def play_separately(self, first_deal: int, n_deals: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Payoffs of the hero under each policy, every deal played to its end; shapes (deals, seats)."""
        payoffs = np.zeros((2, n_deals, self._players))
        work = new_work()
        with np.errstate(over="ignore"):
            play_separately(self._tables, self._rows, self._place, first_deal, payoffs, work)
        self._check(work)
        return payoffs[0], payoffs[1]

    def _check(self, work: Any) -> None:
        kind, deal, seat, answer = (int(x) for x in work["status"][:4])
        if kind == POT_OVERFLOW:
            raise SvaraError(
                f"deal {deal}: the pot became too large to count after {answer} svara rounds; lower svara_limit"
            )
        if kind:
            names = ", ".join(repr(label) for label in self._labels)
            raise IllegalAction(
                f"deal {deal}: the policy in seat {seat} (one of {names}) answered {answer}, which the rules do not "
                "allow; play it with svara run to see what was legal"
            )


def _probabilities(plan: SeatPlan, decision: str, shape: tuple[int, ...]) -> NDArray[np.uint32] | None:
    value: Any = getattr(plan, decision)
    return None if callable(value) else np.broadcast_to(cut(value), shape)


def _rows_by_feature(plan: SeatPlan) -> NDArray[np.uint32] | None:
    """Rows of a betting table over all `FEATURES`, without what cannot matter; None of a function."""
    if not isinstance(plan.bets, BetTable):
        return None
    bets = plan.bets
    shape = tuple(FEATURES[f] if f in bets.features else 1 for f in FEATURES)
    rows = bets.rows().reshape(*shape, ROW).copy()
    rows[rows[..., 1] == 0, 2] = PRICE_ONE  # a price that is never paid, and a size that is never raised by
    rows[rows[..., 0] == 0, 3] = 0
    return np.broadcast_to(rows, (*FEATURES.values(), ROW))


def _bets_differ(a: SeatPlan, b: SeatPlan, players: int, in_svara: int) -> NDArray[np.bool_]:
    """By points: whether two policies can bet differently, shape (35,)."""
    if a.bets is b.bets:
        return np.zeros(_ALL_POINTS, dtype=np.bool_)
    mine, other = _rows_by_feature(a), _rows_by_feature(b)
    if mine is None or other is None:
        return np.ones(_ALL_POINTS, dtype=np.bool_)
    # Axes: stage, can_raise, raises, players, position, svara, points. A seat that is asked is one of at least two.
    mine, other = (rows[:, :, :, 2 : players + 1, :players, in_svara] for rows in (mine, other))
    return np.asarray((mine != other).any(axis=(0, 1, 2, 3, 4, 6)))


def _strength_levels(field: SeatPlan) -> tuple[int, ...]:
    rows = _rows_by_feature(field)
    if rows is None:
        return _USUAL_LEVELS
    calls, raises = (rows[:, :, :, :, :, 0, :, column].mean(axis=(0, 1, 2, 3, 4)) for column in (1, 0))
    found = {int(np.argmax(often >= CUT_ONE / 2)) for often in (calls, raises) if often.max() >= CUT_ONE / 2}
    return tuple(sorted(found - {0})) or _USUAL_LEVELS


def _blinds_differ(a: SeatPlan, b: SeatPlan, in_svara: int) -> bool:
    if a.blind is b.blind and a.blind_choice == b.blind_choice:
        return False
    mine, other = (_probabilities(plan, "blind", (2, MAX_SEATS)) for plan in (a, b))
    if mine is None or other is None:
        return True
    if not np.array_equal(mine[in_svara], other[in_svara]):
        return True
    return bool(mine[in_svara].any()) and a.blind_choice != b.blind_choice


def _joins_differ(a: SeatPlan, b: SeatPlan) -> bool:
    if a.join is b.join and a.join_price == b.join_price:
        return False
    mine, other = (_probabilities(plan, "join", (MAX_SEATS + 1,)) for plan in (a, b))
    if mine is None or other is None or not np.array_equal(mine, other):
        return True
    return bool(mine.any()) and a.join_price != b.join_price


def _may_join(rules: SvaraRules, plan: SeatPlan) -> bool:
    joins = _probabilities(plan, "join", (MAX_SEATS + 1,))
    return rules.svara_join == "anyone" and (joins is None or bool(joins.any()))


def _same_plan(a: SeatPlan, b: SeatPlan) -> bool:
    """Whether two plans cannot decide differently at any table."""
    blinds = any(_blinds_differ(a, b, in_svara) for in_svara in (0, 1))
    bets = any(_bets_differ(a, b, MAX_SEATS, in_svara).any() for in_svara in (0, 1))
    return not blinds and not bets and not _joins_differ(a, b)


def _first_differences(rules: SvaraRules, a: SeatPlan, b: SeatPlan, players: int) -> NDArray[np.uint8]:
    differ = _bets_differ(a, b, players, 0)
    if rules.blind_size > 0 and _blinds_differ(a, b, 0):
        differ = np.ones_like(differ)
    return differ.astype(np.uint8)


def _svaras_differ(rules: SvaraRules, a: SeatPlan, b: SeatPlan, by_points: NDArray[np.uint8]) -> int:
    """Whether svaras can differ after the same first round: 0 no, 1 where the hero's points do, 2 anywhere."""
    if rules.svara_limit == 0:
        return 0
    if rules.svara_join == "anyone" and _joins_differ(a, b):
        return 2
    if not rules.svara_betting:
        return 0
    if rules.svara_blinds and rules.blind_size > 0 and _blinds_differ(a, b, 1):
        return 2
    return int(by_points.any())


def _value_is_exact(rules: SvaraRules, plans: Sequence[SeatPlan]) -> bool:
    """Whether pot / k is what a tied seat gets on average: no betting, and fees that are fair (or that nobody pays).

    But for the chips that are lost when pot / k is rounded down to a fee.
    """
    fair = rules.svara_fee == "share" or not any(_may_join(rules, plan) for plan in plans)
    return rules.svara_limit == 0 or (not rules.svara_betting and fair)

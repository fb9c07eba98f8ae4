"""What each technique of a comparison saved, measured on the deals of its pilot and its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...games.capabilities import PairBlock, Pairs

__all__ = ["Technique", "pilot_techniques", "unit_techniques"]


@dataclass(frozen=True)
class Technique:
    """One step from independent runs to this comparison.

    Parameters
    ----------
    name : str
        What it is.
    variance : float
        Variance of a difference, in antes squared: of one deal and seat of the hero, or of a whole deal.
    plays : float
        What such a difference costs: plays of a deal (a svara that is played anew counts as a whole deal).
    work : float
        ``variance * plays`` in proportion to the precision: half the work buys the same error in half the time.
    factor : float
        By how much less than the step before; 1 for the first.
    total : float
        By how much less than independent runs.
    """

    name: str
    variance: float
    plays: float
    work: float
    factor: float
    total: float

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON; what cannot be told (nothing varied) is None."""
        return {k: (v if isinstance(v, str) or np.isfinite(v) else None) for k, v in vars(self).items()}


def _ladder(steps: Sequence[tuple[str, float, float]]) -> list[Technique]:
    ladder: list[Technique] = []
    for name, variance, plays in steps:
        work = variance * plays
        before = ladder[-1].work if ladder else work
        first = ladder[0].work if ladder else work
        ladder.append(Technique(name, variance, plays, work, _over(before, work), _over(first, work)))
    return ladder


def _over(more: float, less: float) -> float:
    return more / less if less > 0 else float("inf") if more > 0 else 1.0


def pilot_techniques(pairs: Pairs, blocks: Sequence[PairBlock], first_deal: int) -> list[tuple[str, float, float]]:
    """Steps that are measured by playing the pilot's deals without them: (name, variance, plays)."""
    antes = pairs.chips_per_ante
    differences = np.concatenate([block.differences for block in blocks]) / antes
    n_deals, seats = differences.shape
    of_a, of_b = (payoffs / antes for payoffs in pairs.play_separately(first_deal, n_deals))
    n_pairs = n_deals * seats
    differing = sum(block.pairs_differing for block in blocks) / n_pairs
    svaras = sum(block.svaras_played for block in blocks) / n_pairs
    rounds = sum(block.rounds_played for block in blocks) / n_deals
    once = 0.0 if blocks[0].first_round_decides else 1 - differing
    own = float(differences.var())
    svara = "svaras: every hand in turn" if pairs.svara == "play" else "svaras: pot / k"
    return [
        ("independent runs", float(of_a.var() + of_b.var()), 2.0),
        ("common random numbers", float((of_a - of_b).var()), 2.0),
        (svara, own, 2.0 + svaras),
        ("skip what cannot differ", own, 2 * differing + once + svaras),
        ("hero in every seat, field's round once", float(differences.mean(axis=1).var()), rounds + svaras * seats),
    ]


def unit_techniques(
    steps: list[tuple[str, float, float]], raw: float, controlled: float, plays: float
) -> list[Technique]:
    """All steps, with the variance of a deal and its price as the whole comparison found them.

    Parameters
    ----------
    steps : list
        Of the pilot.
    raw, controlled : float
        Variance of a deal's difference without and with the controls.
    plays : float
        Plays of a deal.
    """
    *before, every_seat = steps
    last = [(every_seat[0], raw, plays), ("exact strength of the opponents", controlled, plays)]
    return _ladder([*before, *last])

"""The best of many policies, by sequential halving on shared deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ...core.errors import check_int
from ...core.rng import MAX_DEALS
from ...games.protocol import Game, Policy, Rules
from ...stats import Control, Moments, better_half, halving_rounds
from .duel import svara_in_words
from .setting import Floats, Setting, Told, mean_over_seats, play_blocks

__all__ = ["BestOfMany", "find_best"]


@dataclass(frozen=True)
class BestOfMany:
    """What a search found.

    Parameters
    ----------
    best : str
        Label of the policy that was left.
    mean, standard_error : float
        Its payoff in antes per deal, on fresh deals: those that chose it would flatter it.
    candidates : polars.DataFrame
        ``policy``, ``round`` in which it went out (the last one for the winner), ``n_units`` deals that it
        played, and ``mean`` and ``standard_error`` on these; best first.
    field : str
        What the other seats played.
    setting : dict
        Game, rules, players, seed.
    svara : str
        What is estimated of svaras, in words.
    n_deals : int
        Deals for each candidate, if all had had the same number.
    """

    best: str
    mean: float
    standard_error: float
    candidates: pl.DataFrame
    field: str
    setting: dict[str, Any]
    svara: str
    n_deals: int

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        fields = {k: v for k, v in vars(self).items() if k not in ("setting", "candidates")}
        return {**self.setting, **fields, "unit": "antes per deal", "candidates": self.candidates.to_dicts()}


def find_best(
    policies: Sequence[Any],
    *,
    players: int = 4,
    n_deals: int = 30_000,
    field: Any = None,
    game: Game | str = "svara",
    rules: Rules | Mapping[str, Any] | str | None = None,
    seed: int = 0,
    svara: str = "auto",
    n_threads: int | None = None,
    progress: Told | None = None,
) -> BestOfMany:
    """Search the policy that earns most as the hero at a table of `field`.

    All candidates play the same deals, so that what they have in common cancels. The budget, ``n_deals`` for each
    of them, is spent by sequential halving: early rounds discard what is clearly worse, and the deals saved go to
    those that are hard to tell apart.

    Parameters
    ----------
    policies : sequence of str or policy
        At least 2, with different labels; see `expand_policies` for ranges.
    n_deals : int
        Budget of deals for each candidate, each with the hero in every seat; at least 100.
    field : str or policy, optional
        What the other seats play; by default the game's usual policy.
    players, game, rules, seed, svara, n_threads
        As in `compare`.
    progress : callable, optional
        Called with (deals done, all deals).

    Returns
    -------
    BestOfMany
    """
    setting = Setting.create(game, rules=rules, players=players, seed=seed, svara=svara)
    all_policies = setting.policies(policies)
    n_deals = check_int("n_deals", n_deals, 100, MAX_DEALS // len(all_policies))
    others = setting.policy(setting.game.default_seats[0] if field is None else field)
    candidates = [_Candidate(setting, policy, others, n_threads) for policy in all_policies]
    left, first, spent = list(range(len(candidates))), 0, 0
    total = len(candidates) * n_deals
    for number, (_, n_new) in enumerate(halving_rounds(len(candidates), n_deals), start=1):
        for i in left:
            candidates[i].play(first, n_new, number)
            spent += n_new
            if progress is not None:
                progress(min(spent, total), total)
        first += n_new
        kept = better_half([candidates[i].seen.mean for i in left])
        left = [left[i] for i in kept]
    winner = candidates[left[0]]
    fresh = winner.measure(first, max(n_deals, 1_000))
    return BestOfMany(
        best=winner.label,
        mean=fresh.mean,
        standard_error=fresh.standard_error,
        candidates=_table(candidates, left[0]),
        field=others.label,
        setting=setting.describe(),
        svara=svara_in_words(winner.pairs),
        n_deals=n_deals,
    )


class _Candidate:
    """A candidate and what it earned so far, as the difference to a hero that plays as the field does (mean 0)."""

    def __init__(self, setting: Setting, policy: Policy, field: Policy, n_threads: int | None) -> None:
        self.label = policy.label
        self.pairs = setting.pairs(policy, field, field)
        self.seen = Moments()
        self.last_round = 0
        self._expected: Floats = setting.expected(self.pairs)
        self._n_threads = n_threads
        self._control: Control | None = None

    def play(self, first_deal: int, n_deals: int, number: int) -> None:
        """Play the next deals, which are those of a round."""
        self.last_round = number
        self.seen += self.measure(first_deal, n_deals)

    def measure(self, first_deal: int, n_deals: int) -> Moments:
        """What it earns in some deals; the first ones also find the weights of the controls."""
        if self.pairs.identical:
            return Moments(n_deals)
        blocks = play_blocks(self.pairs, first_deal, n_deals, self._expected, self._n_threads)
        controls = np.concatenate([block.controls for block in blocks])
        differences = mean_over_seats(self.pairs, blocks)
        if self._control is None:
            self._control = Control.fit(differences, controls)
        return Moments.of(self._control.apply(differences, controls))


def _table(candidates: Sequence[_Candidate], winner: int) -> pl.DataFrame:
    rows = [
        {
            "policy": c.label,
            "round": c.last_round,
            "n_units": c.seen.n,
            "mean": c.seen.mean,
            "standard_error": c.seen.standard_error,
        }
        for c in candidates
    ]
    order = sorted(range(len(rows)), key=lambda i: (i != winner, -candidates[i].last_round, -candidates[i].seen.mean))
    return pl.DataFrame([rows[i] for i in order])

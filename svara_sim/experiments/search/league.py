"""A league: every policy as hero at a table of every other, on the same deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ...core.errors import InvalidInput, check_int
from ...core.rng import MAX_DEALS
from ...games.protocol import Game, Policy, Rules
from ...stats import Control, compare_all, mean_and_interval
from .duel import svara_in_words
from .setting import PILOT_DEALS, Floats, Setting, Told, mean_over_seats, play_blocks

__all__ = ["League", "league"]

_BATCHES = 128


@dataclass(frozen=True)
class League:
    """Payoffs of every policy at a table of every other, in antes per deal.

    Parameters
    ----------
    payoffs : polars.DataFrame
        ``policy`` (the hero), ``field`` (all other seats), ``mean``, ``standard_error``, ``low``, ``high``,
        ``n_units``. At a table of its own the mean is 0 without error: payoffs sum to zero.
    ranking : polars.DataFrame
        ``rank``, ``policy``, and the same of its mean payoff over all fields; ``tied_with`` lists the policies
        that it cannot be told apart from.
    pairs : polars.DataFrame
        Every two policies: ``first``, ``second``, ``difference`` of their mean payoffs, ``standard_error``,
        ``p_adjusted`` (Holm, for all pairs) and ``told_apart``.
    setting : dict
        Game, rules, players, seed.
    svara : str
        What is estimated of svaras, in words.
    n_deals : int
        Deals, each with the hero in every seat.
    level : float
        Coverage of each interval; error rate of all pairs together is 1 - level.
    """

    payoffs: pl.DataFrame
    ranking: pl.DataFrame
    pairs: pl.DataFrame
    setting: dict[str, Any]
    svara: str
    n_deals: int
    level: float

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            **self.setting,
            "svara": self.svara,
            "n_deals": self.n_deals,
            "level": self.level,
            "unit": "antes per deal",
            "payoffs": self.payoffs.to_dicts(),
            "ranking": self.ranking.to_dicts(),
            "pairs": self.pairs.to_dicts(),
        }


def league(
    policies: Sequence[Any],
    *,
    players: int = 4,
    n_deals: int = 50_000,
    game: Game | str = "svara",
    rules: Rules | Mapping[str, Any] | str | None = None,
    seed: int = 0,
    svara: str = "auto",
    level: float = 0.95,
    n_threads: int | None = None,
    progress: Told | None = None,
) -> League:
    """Every policy against a table of every other.

    Parameters
    ----------
    policies : sequence of str or policy
        At least 2, with different labels.
    players, game, rules, seed, svara, n_threads
        As in `compare`.
    n_deals : int
        Deals of each of the tables; all tables play the same ones. Rounded up to whole batches.
    level : float
        Coverage of each interval.
    progress : callable, optional
        Called with (tables done, all tables).

    Returns
    -------
    League
    """
    setting = Setting.create(game, rules=rules, players=players, seed=seed, svara=svara)
    all_policies = setting.policies(policies)
    labels = [p.label for p in all_policies]
    if not 0 < level < 1:
        raise InvalidInput(f"level = {level!r}: must be between 0 and 1, such as 0.95")
    n_deals = check_int("n_deals", n_deals, 1_000, MAX_DEALS - 2 * PILOT_DEALS)
    batch_deals = -(-n_deals // _BATCHES)
    n, done = len(labels), 0
    batches = np.zeros((_BATCHES, n, n))
    words = ""
    for column, field in enumerate(all_policies):
        for row, hero in enumerate(all_policies):
            if row == column:
                continue
            batches[:, row, column], words = _table(setting, hero, field, batch_deals, n_threads)
            done += 1
            if progress is not None:
                progress(done, n * (n - 1))
    ranking, pairs = _rank(labels, batches, batch_deals * _BATCHES, level)
    return League(
        payoffs=_payoffs(labels, batches, batch_deals * _BATCHES, level),
        ranking=ranking,
        pairs=pairs,
        setting=setting.describe(),
        svara=words,
        n_deals=batch_deals * _BATCHES,
        level=level,
    )


def _table(
    setting: Setting, hero: Policy, field: Policy, batch_deals: int, n_threads: int | None
) -> tuple[Floats, str]:
    """Batch means of a hero's payoff at a table of one field, in antes.

    The payoff is the difference to a hero that plays as the field does, whose mean is exactly 0.
    """
    pairs = setting.pairs(hero, field, field)
    words = svara_in_words(pairs)
    if pairs.identical:
        return np.zeros(_BATCHES), words
    expected = setting.expected(pairs)
    pilot = play_blocks(pairs, 0, PILOT_DEALS, expected, n_threads)
    control = Control.fit(mean_over_seats(pairs, pilot), np.concatenate([block.controls for block in pilot]))
    blocks = play_blocks(pairs, PILOT_DEALS, batch_deals * _BATCHES, expected, n_threads)
    values = np.concatenate([control.apply(mean_over_seats(pairs, [block]), block.controls) for block in blocks])
    return values.reshape(_BATCHES, batch_deals).mean(axis=1), words


def _payoffs(labels: list[str], batches: Floats, n_deals: int, level: float) -> pl.DataFrame:
    mean, error, low, high = mean_and_interval(batches, level)
    return pl.DataFrame(
        {
            "policy": label,
            "field": field,
            "mean": mean[i, j],
            "standard_error": error[i, j],
            "low": low[i, j],
            "high": high[i, j],
            "n_units": n_deals,
        }
        for i, label in enumerate(labels)
        for j, field in enumerate(labels)
    )


def _rank(labels: list[str], batches: Floats, n_deals: int, level: float) -> tuple[pl.DataFrame, pl.DataFrame]:
    scores = batches.mean(axis=2)  # over the fields
    mean, error, low, high = mean_and_interval(scores, level)
    found = compare_all(scores)
    together: dict[int, list[int]] = {i: [] for i in range(len(labels))}
    for pair in found:
        if pair.p_adjusted > 1 - level:
            together[pair.first].append(pair.second)
            together[pair.second].append(pair.first)
    order = np.argsort(-mean, kind="stable")
    ranking = pl.DataFrame(
        {
            "rank": rank,
            "policy": labels[i],
            "mean": mean[i],
            "standard_error": error[i],
            "low": low[i],
            "high": high[i],
            "n_units": n_deals,
            "tied_with": ", ".join(labels[j] for j in order if j in together[int(i)]),
        }
        for rank, i in enumerate(order.tolist(), start=1)
    )
    pairs = pl.DataFrame(
        {
            "first": labels[p.first],
            "second": labels[p.second],
            "difference": p.difference,
            "standard_error": p.standard_error,
            "p_adjusted": p.p_adjusted,
            "told_apart": p.p_adjusted <= 1 - level,
        }
        for p in found
    )
    return ranking, pairs

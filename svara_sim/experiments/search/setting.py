"""What is compared where, and playing deals of it on threads, in an order that threads do not change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import InvalidInput
from ...core.rng import check_seed
from ...games.capabilities import PairBlock, Pairs, paired_game
from ...games.protocol import Game, Policy, Rules
from ..batches import Span
from ..executors import check_threads, run_all, threads
from ..policy_files import make_policy
from ..scenario import RunConfig

__all__ = ["PILOT_DEALS", "Setting", "Told", "mean_over_seats", "play_blocks"]

PILOT_DEALS = 8_192
"""Deals 0 .. PILOT_DEALS - 1 of a seed only find the weights of the controls and how far a comparison has to go."""

_BLOCK_DEALS = 4_096

Floats = NDArray[np.float64]
Told = Callable[[int, int], None]
"""Told how much of how much is done."""


@dataclass(frozen=True)
class Setting:
    """A table at which policies are compared.

    Parameters
    ----------
    game, rules, players, seed
        As in a run; deal i is deal i of a run with this seed.
    svara : str
        What becomes of a svara: ``"play"``, ``"value"`` (pot / k for each of k tied seats) or ``"auto"``
        (value where it is exact).
    """

    game: Game
    rules: Rules
    players: int
    seed: int
    svara: str = "auto"

    @classmethod
    def create(
        cls,
        game: Game | str = "svara",
        *,
        rules: Rules | Mapping[str, Any] | str | None = None,
        players: int = 4,
        seed: int = 0,
        svara: str = "auto",
    ) -> Setting:
        """Check and complete a setting; raises `InvalidInput`."""
        config = RunConfig.create(game, rules=rules, players=players, seed=seed)
        return cls(config.game, config.rules, config.players, check_seed(seed), svara)

    def policy(self, policy: Any) -> Policy:
        """A policy from text (names of files included), or as it is."""
        return make_policy(self.game, policy) if isinstance(policy, str) else self.game.make_policy(policy)

    def policies(self, policies: Sequence[Any]) -> list[Policy]:
        """Policies to be told apart by their labels; raises `InvalidInput` unless there are two and all differ."""
        found = [self.policy(p) for p in policies]
        labels = [p.label for p in found]
        if len(labels) < 2:
            raise InvalidInput(f"policies = {labels}: must be at least two")
        for label in labels:
            if labels.count(label) > 1:
                raise InvalidInput(f"policies: {labels.count(label)} are {label!r}: must have different names")
        return found

    def pairs(self, a: Policy, b: Policy, field: Policy) -> Pairs:
        """The game's pairs of two policies."""
        return paired_game(self.game).make_pairs(self.rules, a, b, field, self.players, self.seed, self.svara)

    def expected(self, pairs: Pairs) -> Floats:
        """Exact means of the controls' features, by hand."""
        return pairs.expected_strength()

    def describe(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "game": self.game.name,
            "players": self.players,
            "seed": self.seed,
            "rules": self.rules.as_dict(),
        }


def play_blocks(
    pairs: Pairs, first_deal: int, n_deals: int, expected: Floats | None, n_threads: int | None = None
) -> list[PairBlock]:
    """Blocks of deals in their order, whatever thread played them."""
    n_threads = check_threads(n_threads)
    spans = Span(first_deal, n_deals).pieces(_BLOCK_DEALS)
    found: dict[int, PairBlock] = {}
    if n_threads == 1 or len(spans) == 1:
        return [pairs.play(span.first, span.count, expected) for span in spans]
    with threads(n_threads) as (pool, _):
        run_all(
            pool,
            partial(_play, pairs, expected),
            spans,
            window=n_threads + 1,
            on_done=lambda done: found.__setitem__(*done),
        )
    return [found[span.first] for span in spans]


def _play(pairs: Pairs, expected: Floats | None, span: Span) -> tuple[int, PairBlock]:
    return span.first, pairs.play(span.first, span.count, expected)


def mean_over_seats(pairs: Pairs, blocks: Sequence[PairBlock]) -> Floats:
    """Difference of each deal in antes, the mean over the seats of the hero."""
    return np.concatenate([block.differences.mean(axis=1) for block in blocks]) / pairs.chips_per_ante

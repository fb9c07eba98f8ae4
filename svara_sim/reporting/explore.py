"""What the controls of notebooks call: a small run, a figure, and a sentence with its error.

Each function plays anew when a control moves, so the runs are small. They can be called without controls as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from ..experiments import simulate, stack_tables
from ..experiments.studies import gain_of
from ..stats.ruin import ruin_table
from .display import say, show
from .figures.intervals import interval_lines, interval_points
from .tables import format_estimate

__all__ = ["explore_gain", "explore_positions", "explore_ruin"]

_POSITION = "position (0: left of the dealer)"


def explore_gain(
    hero: Any,
    instead: Any,
    field: Sequence[Any] | str,
    players: int = 4,
    n_deals: int = 100_000,
    seed: int = 7,
    **rules: Any,
) -> None:
    """Show what seat 0 gains by playing `hero` rather than `instead`, by position, on the same deals.

    Parameters
    ----------
    hero, instead : policy or str
        Of seat 0.
    field : sequence or str
        Policies of the others, in turn.
    players, n_deals, seed : int
        Size of the table, and what is played.
    **rules
        Options of the rules, such as ``blind_size=120``.
    """
    options: dict[str, Any] = {"players": players, "n_deals": n_deals, "seed": seed, "rules": rules or None}
    total = stack_tables({(): gain_of(hero, instead, field, **options)}, [], "gain", antes=True).row(0, named=True)
    places = gain_of(hero, instead, field, "payoff_by_seat_and_position", **options)
    by_position = stack_tables({(): places}, [], "gain", antes=True)
    figure = interval_points(
        by_position, "position", reference=0, title="Gain by position", x_label="gain (antes per deal)",
        y_label=_POSITION, note=f"{n_deals:,} deals; 95 % intervals",
    )  # fmt: skip
    show(figure, alt=f"Gain of seat 0 in antes per deal by position at {players} players, with intervals.")
    say(f"Over all positions: {format_estimate(total['mean'], total['standard_error'])} antes per deal.")


def explore_positions(policy: str, players: int = 4, n_deals: int = 200_000, seed: int = 7, **rules: Any) -> None:
    """Show what each position is worth at a table at which every seat plays `policy`.

    Parameters
    ----------
    policy : str
        Of all seats.
    players, n_deals, seed, **rules
        As in `explore_gain`.
    """
    run = simulate(players=players, seats=[policy], n_deals=n_deals, seed=seed, rules=rules or None)
    payoffs = stack_tables({(): run.summary}, [], "payoff_by_position", antes=True)
    last = payoffs.sort("position").row(-1, named=True)
    figure = interval_points(
        payoffs, "position", reference=0, title="Payoff by position", x_label="payoff (antes per deal)",
        y_label=_POSITION, note=f"{n_deals:,} deals; 95 % intervals",
    )  # fmt: skip
    show(figure, alt=f"Payoff in antes per deal by position at {players} players who all play {policy}.")
    say(f"The dealer: {format_estimate(last['mean'], last['standard_error'])} antes per deal.")


def explore_ruin(
    hero: str,
    field: Sequence[Any] | str,
    players: int = 4,
    path_deals: int = 500,
    n_paths: int = 1_000,
    seed: int = 7,
    **rules: Any,
) -> None:
    """Show how often seat 0 loses a bankroll within `path_deals` deals, by its size, beside the diffusion's answer.

    Parameters
    ----------
    hero : str
        Policy of seat 0.
    field : sequence or str
        Policies of the others, in turn.
    path_deals, n_paths : int
        Deals of a path, and how many paths are played.
    players, seed, **rules
        As in `explore_gain`.
    """
    others = [field] if isinstance(field, str) else list(field)
    seats = [hero, *(others[i % len(others)] for i in range(players - 1))]
    n_deals = path_deals * n_paths
    run = simulate(players=players, seats=seats, n_deals=n_deals, seed=seed, rules=rules or None, records=True)
    assert run.records is not None
    payoffs = run.records["payoff_0_chips"].to_numpy() / run.chips_per_ante
    scale = float(payoffs.std()) * path_deals**0.5
    table = ruin_table(payoffs, [float(b) for b in np.linspace(0.1, 2.5, 13) * scale], path_deals)
    both = pl.concat(
        [
            table.select("bankroll", "mean", "low", "high", pl.lit("played").alias("how")),
            table.select(
                "bankroll", pl.col("diffusion").alias("mean"), pl.col("diffusion").alias("low"),
                pl.col("diffusion").alias("high"), pl.lit("diffusion").alias("how"),
            ),
        ]
    )  # fmt: skip
    figure = interval_lines(
        both, "bankroll", by="how", percent=True, title=f"Ruin within {path_deals:,} deals",
        x_label="bankroll (antes)", y_label="ruined", note=f"{n_paths:,} paths; 95 % intervals",
    )  # fmt: skip
    show(figure, alt=f"Share of paths that lose the bankroll within {path_deals} deals, falling with its size.")
    rate = stack_tables({(): run.summary}, [], "payoff_by_seat", antes=True).row(0, named=True)
    say(
        f"Seat 0 wins {format_estimate(rate['mean'], rate['standard_error'])} antes per deal; "
        f"a deal's standard deviation is {payoffs.std():.1f} antes."
    )

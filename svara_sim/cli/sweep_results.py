"""What a sweep found, for the terminal and as JSON: for `svara sweep` when it ends, and for `svara summary`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from .options import echo_json
from .tables import check_names, print_table

if TYPE_CHECKING:
    import polars as pl

    from ..experiments.sweep import Sweep

__all__ = ["echo_sweep"]

_MOST_ROWS = 40
_BEST = 5


def echo_sweep(sweep: Sweep, *, names: Sequence[str] = (), as_json: bool) -> None:
    """Print how far a sweep is, its best points, and all points if they are few or asked for by name.

    Raises
    ------
    InvalidInput
        If a name is none of the tables'.
    """
    from ..experiments.sweep import DATASET

    tables = ("points",) if sweep.hero is None else ("best", "points")
    check_names(names, tables)
    if as_json:
        _echo_json(sweep)
        return
    frame = sweep.frame
    if sweep.complete:
        click.echo(f"{sweep.n_done} points in {sweep.folder.where(DATASET)}")
    else:
        click.echo(
            f"{sweep.folder}: {sweep.n_done} of {len(sweep.manifest.points)} points; not complete: run the same "
            "svara sweep command to go on"
        )
    if not sweep.n_done:
        return
    is_short = frame.height <= _MOST_ROWS
    if "best" in names or (not names and sweep.hero is not None and sweep.n_done > _BEST):
        _print_rows(sweep, sweep.best(_BEST), f"best for seat {sweep.hero}, whose policy varies")
    if "points" in names or (not names and is_short):
        _print_rows(sweep, frame, "points")
    if not names and not is_short:
        click.echo(f"all points: svara summary {sweep.folder} --table points, or --json")
    n_stopped = frame.filter(~frame["target_met"].fill_null(True))["point"].n_unique()
    if n_stopped:
        click.echo(f"{n_stopped} points reached max_deals before the target error")


def _print_rows(sweep: Sweep, rows: pl.DataFrame, caption: str) -> None:
    from ..reporting import estimate_table

    payoff, error = sweep.payoff
    columns = ["point", *sweep.fields, *(c for c in ("seat", "policy") if c not in sweep.fields)]
    estimates = {payoff.replace("_", " "): (payoff, error)}
    print_table(estimate_table(rows, estimates=estimates, columns=columns, caption=caption).to_rich())


def _echo_json(sweep: Sweep) -> None:
    from ..experiments import as_json

    echo_json(
        {
            "sweep": sweep.manifest.sweep,
            "fields": sweep.fields,
            "out": str(sweep.folder),
            "complete": sweep.complete,
            "hero": sweep.hero,
            "points": as_json({"points": sweep.frame})["points"],
        }
    )

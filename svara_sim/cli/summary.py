"""`svara summary`: what a dataset says."""

from __future__ import annotations

import click

from .options import json_option
from .sweep_results import echo_sweep
from .tables import check_names, echo_tables

__all__ = ["summary"]


@click.command()
@click.argument("dataset", metavar="DATASET")
@click.option("--table", "names", multiple=True, help="Only this table (repeatable).")
@json_option
def summary(dataset: str, names: tuple[str, ...], as_json: bool) -> None:
    """Estimates with their standard errors from a dataset that `svara run --out` or `svara sweep` wrote.

    \b
    svara summary data/runs/demo
    svara summary data/runs/demo --table payoff_by_points --json
    svara summary data/sweeps/thresholds --table best
    """
    from ..experiments.dataset.folder import folder_at
    from ..experiments.dataset.manifest import format_of
    from ..experiments.sweep import SWEEP_FORMAT, open_sweep

    if format_of(folder_at(dataset)) == SWEEP_FORMAT:
        echo_sweep(open_sweep(dataset), names=names, as_json=as_json)
    else:
        _echo_run(dataset, names, as_json)


def _echo_run(dataset: str, names: tuple[str, ...], as_json: bool) -> None:
    from ..experiments import open_run

    run = open_run(dataset)
    config, tables = run.config, run.summary
    check_names(names, tables)
    if not as_json:
        about = f"{config.game.title}, {config.n_deals:,} deals, {config.players} seats, seed {config.seed}"
        click.echo(f"{dataset}: {about}: {', '.join(config.labels)}\n")
    echo_tables(tables, names=names, as_json=as_json, head={"config": config.to_dict(), "clamped": run.clamped})

"""`svara summary`: what a dataset says."""

from __future__ import annotations

import click

from .options import json_option
from .tables import echo_tables

__all__ = ["summary"]


@click.command()
@click.argument("dataset", metavar="DATASET")
@click.option("--table", "names", multiple=True, help="Only this table (repeatable).")
@json_option
def summary(dataset: str, names: tuple[str, ...], as_json: bool) -> None:
    """Estimates with their standard errors from a dataset that `svara run --out` wrote.

    \b
    svara summary data/runs/demo
    svara summary data/runs/demo --table payoff_by_points --json
    """
    from ..lab import open_run

    run = open_run(dataset)
    run.validate()
    if not as_json:
        config = run.config
        click.echo(
            f"{dataset}: {config.game.title}, {config.n_deals:,} deals, {config.players} seats, seed {config.seed}: "
            + ", ".join(config.labels)
            + "\n"
        )
    echo_tables(
        run.summary, names=names, as_json=as_json, head={"config": run.config.to_dict(), "clamped": run.clamped}
    )

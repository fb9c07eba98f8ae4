"""`svara sweep`: one run for each point of a design of experiments."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..core.errors import InvalidInput
from .options import COUNT, echo_json, json_option
from .sweep_results import echo_sweep

if TYPE_CHECKING:
    from ..experiments.sweep import SweepSpec

__all__ = ["sweep"]

_EXECUTORS = ("threads", "processes", "dask")
_MOST_LISTED = 20


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--out", metavar="DIR|s3://BUCKET/KEY", help="Where the results go.")
@click.option("--executor", type=click.Choice(_EXECUTORS), default=None, help="Where points are played.  [threads]")
@click.option("--dask-address", metavar="tcp://HOST:PORT", help="A Dask scheduler that runs (implies --executor dask).")
@click.option("--threads", type=COUNT, help="Workers; by default one for each processor. Never changes the result.")
@click.option("--dry-run", is_flag=True, help="Only list points, deals and the estimated time.")
@click.option("--status", is_flag=True, help="Only tell how far the sweep in --out is.")
@click.option("--overwrite", is_flag=True, help="Play all points again.")
@json_option
def sweep(
    file: Path,
    out: str | None,
    executor: str | None,
    dask_address: str | None,
    threads: int | None,
    dry_run: bool,
    status: bool,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Play every point of a sweep file, and keep the results in one Parquet dataset.

    When it is done, the best points are shown, if the design varies one player's policy, and all if they are few.
    A sweep that was interrupted goes on where it stopped when the same command is given again; points that a changed
    file has in common with the last one are not played again.

    \b
    svara sweep notebooks/sweeps/blind_size_by_call.toml --out data/sweeps/blinds
    svara sweep thresholds.toml --dry-run
    svara sweep thresholds.toml --out data/sweeps/thresholds --status
    svara sweep thresholds.toml --out s3://bucket/thresholds --executor dask --dask-address tcp://10.0.0.1:8786

    \b
    A sweep file:
        game = "svara"
        players = 4
        seed = 7
        deals = 100_000                      # or until the standard error of every seat's payoff (not half an
                                             # interval) is: target_error_antes = 0.01, max_deals = 10_000_000
        rules = { preset = "forte", min_raise = 120 }
        seats = ["threshold:call=20,raise_at=28", "rock"]    # cycle over the seats of the table
        [design]
        kind = "grid"                        # or list (rows of values), sobol (points = 256, ranges)
        "rules.blind_size" = [60, 120, 240]
        "seats.0.call" = { from = 16, to = 26, step = 1 }    # of entry 0 of seats, wherever it sits
    """
    from ..experiments.sweep import read_sweep, run_sweep

    if dask_address is not None and executor not in (None, "dask"):
        raise InvalidInput(f"--dask-address: belongs to --executor dask, not to {executor}")
    if out is None and not dry_run:
        raise InvalidInput("--out: missing: say where the results go, or give --dry-run")
    spec = read_sweep(file)
    if dry_run:
        _echo_plan(spec, out, threads, as_json)
        return
    assert out is not None
    if status:
        _echo_status(spec, out, as_json)
        return
    with _Bar(spec) as bar:
        result = run_sweep(
            spec,
            out,
            executor=executor or ("dask" if dask_address else "threads"),
            dask_address=dask_address,
            n_threads=threads,
            overwrite=overwrite,
            progress=bar.deals,
            point_progress=bar.points,
        )
    echo_sweep(result, as_json=as_json)


class _Bar:
    """A bar over deals that also counts points; nothing where nobody watches."""

    def __init__(self, spec: SweepSpec) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            TextColumn("{task.percentage:>3.0f}%"),
            TextColumn("{task.fields[deals]}"),
            TimeRemainingColumn(compact=True),
            console=console,
            transient=True,
            disable=not console.is_terminal or console.is_dumb_terminal,
        )
        self._task = self._progress.add_task(f"{len(spec.points)} points", total=spec.n_deals, deals="")

    def __enter__(self) -> _Bar:
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def points(self, done: int, total: int) -> None:
        """Show that `done` of `total` points are done."""
        self._progress.update(self._task, description=f"{done} of {total} points")

    def deals(self, done: int, total: int) -> None:
        """Show that `done` of `total` deals are done."""
        told = f"{done / 1e6:,.1f} of {total / 1e6:,.1f} M deals"
        self._progress.update(self._task, completed=done, total=total, deals=told)


def _echo_plan(spec: SweepSpec, out: str | None, threads: int | None, as_json: bool) -> None:
    from ..experiments.executors import check_threads
    from ..experiments.sweep import estimated_seconds, missing_points
    from ..reporting.progress import format_seconds

    todo = missing_points(spec, out)
    seconds = estimated_seconds(todo, check_threads(threads))
    points = [dict(zip(spec.design.fields, p.values, strict=True)) for p in spec.points]
    if as_json:
        plan = {
            "points": points,
            "n_points": len(points),
            "n_deals": spec.n_deals,
            "at_most": spec.target is not None,
            "to_play": len(todo),
            "estimated_seconds": round(seconds, 1),
        }
        echo_json(plan)
        return
    for number, (point, values) in enumerate(zip(spec.points, points, strict=True)):
        if number == _MOST_LISTED < len(points) - 1:
            click.echo(f"... and {len(points) - number} more (--json lists all)")
            break
        told = ", ".join(f"{k} = {v}" for k, v in values.items())
        most = "at most " if point.target else ""
        click.echo(f"point {number}: {most}{point.config.n_deals:,} deals  {told}".rstrip())
    most = "at most " if spec.target else ""
    click.echo(
        f"{len(points)} points, {most}{spec.n_deals:,} deals; {len(todo)} to play: about {format_seconds(seconds)}"
    )


def _echo_status(spec: SweepSpec, out: str, as_json: bool) -> None:
    from ..experiments.sweep import sweep_status

    found = sweep_status(spec, out)
    if as_json:
        echo_json(asdict(found))
        return
    state = "complete" if found.complete else "not complete: run the same command without --status to go on"
    most = "at most " if found.at_most else ""
    deals = f"{most}{found.deals_done:,} of {most}{found.n_deals:,} deals"
    click.echo(f"{out}: {found.n_done} of {found.n_points} points, {deals}; {state}")
    if found.unwanted:
        click.echo(f"{found.unwanted} other points stay in the folder, but are not part of this sweep's dataset")

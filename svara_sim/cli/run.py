"""`svara run`: simulate deals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..core.errors import InvalidInput
from ..games.protocol import Game
from .options import COUNT, game_option, json_option, make_rules, make_seats, rules_options, seats_option
from .tables import echo_tables

if TYPE_CHECKING:
    from ..experiments import RunConfig

__all__ = ["run"]


@click.command()
@game_option
@click.option("--players", type=COUNT, help="Seats at the table; by default one for each --seat, or the game's usual.")
@click.option("--deals", type=COUNT, default=1_000_000, show_default=True, help="Complete deals to play.")
@click.option("--seed", type=COUNT, default=0, show_default=True, help="Of every random number.")
@seats_option
@rules_options
@click.option("--session", type=COUNT, metavar="M", help="Play sessions of M deals, the dealer following the rules.")
@click.option("--out", metavar="DIR|s3://BUCKET/KEY", help="Folder of the dataset; without it, only the summary.")
@click.option("--aggregate", is_flag=True, help="Write no per-deal records, only totals.")
@click.option("--threads", type=COUNT, help="Threads; by default one for each processor. Never changes the result.")
@click.option(
    "--lenient",
    is_flag=True,
    help="Set illegal actions of a policy right and count them instead of stopping; an exception still stops.",
)
@click.option("--overwrite", is_flag=True, help="Replace another run in the folder.")
@click.option("--quiet", is_flag=True, help="Print no summary.")
@json_option
def run(
    game: Game,
    players: int | None,
    deals: int,
    seed: int,
    seats: tuple[str, ...],
    rules: str | None,
    changes: tuple[str, ...],
    session: int | None,
    out: str | None,
    aggregate: bool,
    threads: int | None,
    lenient: bool,
    overwrite: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Simulate deals, write them to Parquet, and print a summary.

    A run into a folder that was interrupted goes on where it stopped when the same command is given again.

    \b
    svara run --players 4 --deals 10_000_000 --seed 7 \\
        --seat threshold:call=21,raise_at=28 --seat rock --out data/runs/demo
    svara run --players 5 --seat loose --seat tight --rules favorite --set blind_size=120
    svara run --players 3 --seat my_policies.py:careful --seat random --session 100
    """
    from ..experiments import RunConfig, run_to, simulate
    from ..reporting import progress_bar

    if out is not None and not str(out).strip():
        raise InvalidInput("--out: must be the name of a folder")
    if aggregate and out is None:
        raise InvalidInput("--aggregate: says what to write to --out DIR, which is not given")
    chosen = make_seats(game, seats)
    config = RunConfig.create(
        game,
        rules=make_rules(game, rules, changes),
        players=players if players is not None else usual_players(game, seats),
        seats=chosen,
        seed=seed,
        n_deals=deals,
        session_deals=session,
        lenient=lenient,
    )
    with progress_bar(f"{game.title}, {config.players} seats", deals) as bar:
        result: Any
        if out is None:
            result = simulate(config, n_threads=threads, progress=bar)
        else:
            if not overwrite:
                _say_what_is_there(out, config, records=not aggregate)
            result = run_to(out, config, records=not aggregate, n_threads=threads, overwrite=overwrite, progress=bar)
    head = {"config": config.to_dict(), "clamped": result.clamped, "out": out}
    if any(result.clamped) and not as_json:
        told = ", ".join(f"seat {s}: {n}" for s, n in enumerate(result.clamped) if n)
        click.echo(f"illegal actions set right: {told}", err=True)
    if not quiet:
        echo_tables(result.summary, names=(), as_json=as_json, head=head, most_rows=12)


def _say_what_is_there(out: str, config: RunConfig, *, records: bool) -> None:
    """Tell whoever waits that this is not a run from the beginning."""
    from ..experiments.dataset.folder import folder_at
    from ..experiments.dataset.resume import parts_there

    there, wanted = parts_there(folder_at(out), config, records=records)
    if there == wanted > 0:
        click.echo("nothing to play: the run is already there", err=True)
    elif there:
        click.echo(f"resuming: {there} of {wanted} parts are already there", err=True)


def usual_players(game: Game, seats: tuple[str, ...]) -> int:
    """Seats of a table whose number of players is not given."""
    return len(seats) if len(seats) > 1 else game.usual_players

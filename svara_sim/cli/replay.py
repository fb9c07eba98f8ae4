"""`svara replay`: any deal, move by move."""

from __future__ import annotations

from pathlib import Path

import click

from ..core.errors import InvalidInput
from ..experiments import RunConfig
from ..games.protocol import Game, Table
from .options import (
    COUNT,
    count_range,
    echo_json,
    game_option,
    json_option,
    make_rules,
    make_seats,
    rules_options,
    seats_option,
)
from .run import usual_players

__all__ = ["replay"]


@click.command()
@click.argument("dataset", type=click.Path(path_type=Path), required=False)
@click.option("--deal", type=COUNT, help="One deal, by its number.")
@click.option("--deals", metavar="A:B", help="Deals A to B - 1.")
@game_option
@click.option("--players", type=COUNT, help="Seats at the table; by default one for each --seat, or the game's usual.")
@click.option("--seed", type=COUNT, default=0, show_default=True, help="Of every random number.")
@seats_option
@rules_options
@click.option("--session", type=COUNT, metavar="M", help="The deals belong to sessions of M deals.")
@click.option("--lenient", is_flag=True, help="Set illegal actions of a policy right instead of stopping.")
@json_option
@click.pass_context
def replay(
    ctx: click.Context,
    dataset: Path | None,
    deal: int | None,
    deals: str | None,
    game: Game,
    players: int | None,
    seed: int,
    seats: tuple[str, ...],
    rules: str | None,
    changes: tuple[str, ...],
    session: int | None,
    lenient: bool,
    as_json: bool,
) -> None:
    """Deals in words, or as one JSON object a line.

    The deals come from a DATASET, or from a table described as for `svara run`. A deal is the same in both.

    \b
    svara replay data/runs/demo --deal 12345
    svara replay --players 4 --seed 7 --deals 0:1000 --seat random --json
    """
    if deal is not None and deals is not None:
        raise InvalidInput("--deal and --deals: give one of them")
    first, number = count_range(deals) if deals is not None else count_range(str(deal or 0), "--deal")
    if dataset is not None:
        _refuse_table_options(ctx)
        table = _table_of(dataset, first, number)
    else:
        config = RunConfig.create(
            game,
            rules=make_rules(game, rules, changes),
            players=players if players is not None else usual_players(game, seats),
            seats=make_seats(game, seats),
            seed=seed,
            n_deals=_whole_sessions(first + number, session),
            session_deals=session,
            lenient=lenient,
        )
        table = config.table()
    for i, history in enumerate(table.replay(first, number)):
        if as_json:
            echo_json(history)
        else:
            click.echo(("\n" if i else "") + table.transcript(history))


def _whole_sessions(deals: int, session: int | None) -> int:
    return deals if session is None or session < 1 else -(-deals // session) * session


def _refuse_table_options(ctx: click.Context) -> None:
    for name in ("game", "players", "seed", "seats", "rules", "changes", "session", "lenient"):
        source = ctx.get_parameter_source(name)
        if source is not None and source.name != "DEFAULT":
            option = next(p for p in ctx.command.params if p.name == name).opts[0]
            raise InvalidInput(f"{option}: belongs to the dataset, which says it already")


def _table_of(dataset: Path, first: int, number: int) -> Table:
    """The dataset's table; if other code made the dataset, its rows show whether these are its deals."""
    from ..experiments import open_run
    from ..experiments.dataset.manifest import code_versions
    from ..experiments.policy_files import with_policies_from_files

    run = open_run(dataset)
    config = run.config
    if first + number > config.n_deals:
        raise InvalidInput(f"--deal or --deals: {dataset} has deals 0 to {config.n_deals - 1}")
    table = with_policies_from_files(config).table()
    if run.manifest.versions["source"] != code_versions()["source"]:
        told = "it holds no single deals, so these may differ from its own"
        if run.manifest.records:
            run.check_played(table, first, number)
            told = "what it holds of these deals agrees"
        click.echo(f"svara replay: warning: {dataset} was made by another version of the code; {told}", err=True)
    return table

"""`svara policies`: the library."""

from __future__ import annotations

from dataclasses import asdict

import click

from ..games.protocol import Game
from .options import echo_json, game_option, json_option

__all__ = ["policies"]


@click.command()
@game_option
@json_option
def policies(game: Game, as_json: bool) -> None:
    """The policies that have a name, their parameters and defaults.

    \b
    svara policies
    svara policies --game run_fast --json
    svara run --players 4 --seat threshold:call=21,raise_at=28 --seat rock     how to use one
    """
    for info in game.policy_library():
        if as_json:
            echo_json(asdict(info))
            continue
        click.echo(f"{info.name}: {info.summary}")
        for p in info.parameters:
            click.echo(f"    {p.name}={p.default:g}  {p.meaning} ({p.low:g} to {p.high:g})")

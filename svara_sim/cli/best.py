"""`svara best`: the best of many policies."""

from __future__ import annotations

import click

from ..games.protocol import Game
from .options import COUNT, echo_json, game_option, json_option, make_rules, rules_options

__all__ = ["best"]

_SHOWN = 10


@click.command()
@click.argument("policies", nargs=-1, required=True, metavar="POLICY...")
@game_option
@click.option("--players", type=COUNT, default=4, show_default=True, help="Seats at the table.")
@click.option("--field", metavar="POLICY", help="Policy of all other seats; by default the game's usual one.")
@click.option(
    "--deals", type=COUNT, default=30_000, show_default=True, help="Budget of deals for each policy; see below."
)
@click.option("--seed", type=COUNT, default=0, show_default=True, help="Of every random number.")
@click.option("--threads", type=COUNT, help="Threads; by default one for each processor. Never changes the result.")
@rules_options
@json_option
def best(
    policies: tuple[str, ...],
    game: Game,
    players: int,
    field: str | None,
    deals: int,
    seed: int,
    threads: int | None,
    rules: str | None,
    changes: tuple[str, ...],
    as_json: bool,
) -> None:
    """Search the policy that earns most at a table of --field, among many.

    A parameter may have a range, LOW..HIGH in steps of 1 or LOW..HIGH/STEP, both ends included; several ranges make a
    grid. The budget of --deals for each policy is spent by sequential halving on shared deals: half of the policies go
    out after each round, and those that are left play more. What the winner earns is measured on fresh deals.

    \b
    svara best threshold:call=15..26,raise_at=24..30 --players 5
    svara best tight loose rock bluffer:bluff=0..0.3/0.1 --players 4 --field loose --json
    """
    from ..lab.compare import expand_policies, find_best
    from ..reporting import progress_bar

    names = expand_policies(policies)
    with progress_bar("searching", len(names) * deals) as bar:
        found = find_best(
            names,
            game=game,
            rules=make_rules(game, rules, changes),
            players=players,
            field=field,
            n_deals=deals,
            seed=seed,
            n_threads=threads,
            progress=bar,
        )
    if as_json:
        echo_json(found.as_dict())
        return
    click.echo(f"{found.best} is the best of {len(names)} at a table of {players} where the others play {found.field}")
    click.echo(f"  it earns {found.mean:+.4f} ± {found.standard_error:.4f} antes per deal (± one standard error)")
    click.echo(f"  {found.svara}")
    click.echo(f"\n  {'round':>5} {'deals':>10}  {'antes per deal':<18} policy")
    for row in found.candidates.head(_SHOWN).iter_rows(named=True):
        amount = f"{row['mean']:+.4f} ± {row['standard_error']:.4f}"
        click.echo(f"  {row['round']:>5} {row['n_units']:>10,}  {amount:<18} {row['policy']}")
    if len(names) > _SHOWN:
        click.echo(f"  and {len(names) - _SHOWN} that went out earlier (--json lists them all)")

"""`svara best`: the best of many policies."""

from __future__ import annotations

import click

from .options import COUNT, Setting, echo_json, json_option, setting_options

__all__ = ["best"]

_SHOWN = 10


@click.command()
@click.argument("policies", nargs=-1, required=True, metavar="POLICY...")
@click.option("--field", metavar="POLICY", help="Policy of all other seats; by default the game's usual one.")
@click.option(
    "--deals", type=COUNT, default=30_000, show_default=True, help="Budget of deals for each policy; see below."
)
@setting_options
@json_option
def best(policies: tuple[str, ...], field: str | None, deals: int, setting: Setting, as_json: bool) -> None:
    """Search the policy that earns most at a table of --field, among many.

    A parameter may have a range, LOW..HIGH in steps of 1 or LOW..HIGH/STEP, both ends included; several ranges make a
    grid. The budget of --deals for each policy is spent by sequential halving on shared deals: half of the policies go
    out after each round, and those that are left play more. What the winner earns is measured on fresh deals.

    \b
    svara best threshold:call=15..26,raise_at=24..30 --players 5
    svara best tight loose rock bluffer:bluff=0..0.3/0.1 --players 4 --field loose --json
    """
    from ..experiments.search import expand_policies, find_best
    from ..reporting import progress_bar

    names = expand_policies(policies)
    with progress_bar("searching", len(names) * deals) as bar:
        found = find_best(names, field=field, n_deals=deals, progress=bar, **setting.fields())
    if as_json:
        echo_json(found.as_dict())
        return
    where = f"at a table of {setting.players} where the others play {found.field}"
    click.echo(f"{found.best} is the best of {len(names)} {where}")
    click.echo(f"  on fresh deals it earns {found.mean:+.4f} ± {found.standard_error:.4f} antes per deal")
    click.echo(f"  {found.svara}")
    click.echo("\nthe search, on its own deals (± is one standard error, here and above)")
    click.echo(f"  {'round':>5} {'deals':>10}  {'antes per deal':<18} policy")
    for row in found.candidates.head(_SHOWN).iter_rows(named=True):
        amount = f"{row['mean']:+.4f} ± {row['standard_error']:.4f}"
        click.echo(f"  {row['round']:>5} {row['n_units']:>10,}  {amount:<18} {row['policy']}")
    if len(names) > _SHOWN:
        click.echo(f"  and {len(names) - _SHOWN} that went out earlier (--json lists them all)")

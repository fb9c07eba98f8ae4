"""`svara compare`: which of two policies is better, and by how much."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .options import COUNT, Setting, echo_json, json_option, setting_options

if TYPE_CHECKING:
    from ..experiments.search import Comparison

__all__ = ["compare"]


@click.command()
@click.option("--a", "first", required=True, metavar="POLICY", help="One policy of the hero.")
@click.option("--b", "second", required=True, metavar="POLICY", help="The other one.")
@click.option("--field", metavar="POLICY", help="Policy of all other seats; by default that of --a.")
@click.option(
    "--target-error",
    type=float,
    default=0.01,
    show_default=True,
    help="Stop when the 95 % interval is ± this many antes per deal: half its width, not a standard error.",
)
@click.option("--max-deals", type=COUNT, default=50_000_000, show_default=True, help="Stop here in any case.")
@click.option(
    "--svara",
    type=click.Choice(["auto", "play", "value"]),
    default="auto",
    show_default=True,
    help="Play svaras with their betting; or let each of k tied seats have pot / k, which answers another question "
    "unless svara_betting is off; auto takes the value only where that is exact.",
)
@setting_options
@json_option
def compare(
    first: str,
    second: str,
    field: str | None,
    target_error: float,
    max_deals: int,
    svara: str,
    setting: Setting,
    as_json: bool,
) -> None:
    """Compare two policies on the same deals, until the difference is known well enough.

    One seat, the hero's, plays --a or --b, and every seat is the hero's in turn; the others play --field. The result
    is what --a earns more than --b, in antes per deal. With the default field it answers: at a table of --a, what
    does a player lose or gain who alone changes to --b?

    The interval is a confidence sequence: it may be looked at all the time, and stopping when it is narrow enough
    does not spoil it; it is wider than the usual interval for that. The table below it shows by how much each
    technique reduced the work for the same error.

    \b
    svara compare --a threshold:call=20 --b threshold:call=22 --players 5 --target-error 0.002
    svara compare --a tight --b rock --field loose --players 6
    svara compare --a tight --b loose --set svara_betting=false --json
    """
    from ..experiments.search import compare as play
    from ..reporting import progress_bar

    with progress_bar("comparing", max_deals) as bar:
        found = play(
            first,
            second,
            field=field,
            svara=svara,
            target_error=target_error,
            max_deals=max_deals,
            progress=bar,
            **setting.fields(),
        )
    if as_json:
        echo_json(found.as_dict())
    else:
        _print_comparison(found)


def _print_comparison(found: Comparison) -> None:
    click.echo(found.verdict())
    click.echo(f"  a {found.a}, b {found.b}, {found.setting['players']} players, the others play {found.field}")
    click.echo(
        f"  a minus b: {found.mean:+.5f} antes per deal, {found.level:.0%} confidence sequence "
        f"{found.low:+.5f} to {found.high:+.5f} (standard error {found.standard_error:.2g})"
    )
    click.echo(f"  {found.svara}")
    if found.identical:
        return
    looks = "once" if found.n_looks == 1 else f"{found.n_looks} times"
    click.echo(f"  {found.n_units:,} deals, the hero in every seat of each; looked at {looks}")
    if not found.reached:
        click.echo(f"  stopped by --max-deals before the {found.level:.0%} interval was ± {found.target_error:g}")
    click.echo(f"\n  {'technique':<40}{'variance':>10}{'plays':>8}{'factor':>9}{'in all':>9}")
    for step in found.techniques:
        click.echo(f"  {step.name:<40}{step.variance:>10.4g}{step.plays:>8.3f}{step.factor:>9.2f}{step.total:>9.1f}")
    click.echo("  variance: of one difference, antes²; plays: deals played for it (a replayed svara counts as one);")
    click.echo("  factor: by how much less variance for the same number of plays")

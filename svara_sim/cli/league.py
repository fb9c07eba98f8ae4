"""`svara league`: every policy at a table of every other."""

from __future__ import annotations

import click

from ..games.protocol import Game
from .options import COUNT, echo_json, game_option, json_option, make_rules, rules_options

__all__ = ["league"]


@click.command()
@click.argument("policies", nargs=-1, required=True, metavar="POLICY POLICY...")
@game_option
@click.option("--players", type=COUNT, default=4, show_default=True, help="Seats at the tables.")
@click.option("--deals", type=COUNT, default=50_000, show_default=True, help="Deals at each table, the same for all.")
@click.option("--seed", type=COUNT, default=0, show_default=True, help="Of every random number.")
@click.option("--threads", type=COUNT, help="Threads; by default one for each processor. Never changes the result.")
@rules_options
@json_option
def league(
    policies: tuple[str, ...],
    game: Game,
    players: int,
    deals: int,
    seed: int,
    threads: int | None,
    rules: str | None,
    changes: tuple[str, ...],
    as_json: bool,
) -> None:
    """Play every policy, in every seat in turn, at a table of every other, on the same deals.

    A row of the matrix is a policy, a column is what all other seats play. The ranking is by the mean over the
    columns. Policies may have ranges, threshold:call=18..22/2 (see svara best).

    \b
    svara league tight loose rock pot_odds threshold --players 4
    svara league threshold:call=18..24/2 maniac --players 6 --deals 200_000 --json
    """
    from ..lab.compare import expand_policies
    from ..lab.compare import league as play
    from ..reporting import progress_bar

    names = expand_policies(policies)
    with progress_bar("playing", len(names) * (len(names) - 1), unit="tables") as bar:
        found = play(
            names,
            game=game,
            rules=make_rules(game, rules, changes),
            players=players,
            n_deals=deals,
            seed=seed,
            n_threads=threads,
            progress=bar,
        )
    if as_json:
        echo_json(found.as_dict())
        return
    width = max(len(name) for name in names) + 2
    click.echo(f"antes per deal of a row's policy where all others play the column's; ± is {found.level:.0%}")
    columns = [max(len(name), 16) + 2 for name in names]
    click.echo(" " * width + "".join(f"{name:>{w}}" for name, w in zip(names, columns, strict=True)))
    rows = found.payoffs.partition_by("policy", maintain_order=True)
    for frame in rows:
        cells = [
            f"{row['mean']:+.3f} ± {(row['high'] - row['low']) / 2:.3f}" if row["policy"] != row["field"] else "0"
            for row in frame.iter_rows(named=True)
        ]
        click.echo(f"{frame['policy'][0]:<{width}}" + "".join(f"{c:>{w}}" for c, w in zip(cells, columns, strict=True)))
    click.echo("\nranking by the mean over the columns")
    for row in found.ranking.iter_rows(named=True):
        told = f"   not told apart from {row['tied_with']}" if row["tied_with"] else ""
        half = (row["high"] - row["low"]) / 2
        click.echo(f"  {row['rank']:>2} {row['policy']:<{width}}{row['mean']:+.4f} ± {half:.4f}{told}")
    click.echo(f"{found.n_deals:,} deals at each table, the hero in every seat of each; {found.svara}")
    click.echo(f"told apart: Holm's correction for all {found.pairs.height} pairs, error rate {1 - found.level:.0%}")

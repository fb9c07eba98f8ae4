"""`svara league`: every policy at a table of every other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from .options import COUNT, Setting, echo_json, json_option, setting_options
from .tables import output_width

if TYPE_CHECKING:
    from ..experiments.search import League

__all__ = ["league"]


@click.command()
@click.argument("policies", nargs=-1, required=True, metavar="POLICY POLICY...")
@click.option("--deals", type=COUNT, default=50_000, show_default=True, help="Deals at each table, the same for all.")
@setting_options
@json_option
def league(policies: tuple[str, ...], deals: int, setting: Setting, as_json: bool) -> None:
    """Play every policy, in every seat in turn, at a table of every other, on the same deals.

    A row of the matrix is a policy, a column is what all other seats play. The ranking is by the mean over the
    columns. Policies may have ranges, threshold:call=18..22/2 (see svara best).

    \b
    svara league tight loose rock pot_odds threshold --players 4
    svara league threshold:call=18..24/2 maniac --players 6 --deals 200_000 --json
    """
    from ..experiments.search import expand_policies
    from ..experiments.search import league as play
    from ..reporting import progress_bar

    names = expand_policies(policies)
    with progress_bar("playing", len(names) * (len(names) - 1), unit="tables") as bar:
        found = play(names, n_deals=deals, progress=bar, **setting.fields())
    if as_json:
        echo_json(found.as_dict())
    else:
        _print_league(found, names)


def _print_league(found: League, names: Sequence[str]) -> None:
    click.echo("antes per deal of a row's policy where all others play the column's;")
    click.echo(f"± is half of the {found.level:.0%} interval\n")
    _print_matrix(found, names)
    click.echo(f"ranking by the mean over the columns; ± is half of the {found.level:.0%} interval")
    width = max(len(name) for name in names) + 2
    for row in found.ranking.iter_rows(named=True):
        told = f"   not told apart from {row['tied_with']}" if row["tied_with"] else ""
        click.echo(f"  {row['rank']:>2} {row['policy']:<{width}}{row['mean']:+.4f} ± {_half(row):.4f}{told}")
    click.echo(f"{found.n_deals:,} deals at each table, the hero in every seat of each; {found.svara}")
    click.echo(f"told apart: Holm's correction for all {found.pairs.height} pairs, error rate {1 - found.level:.0%}")


def _print_matrix(found: League, names: Sequence[str]) -> None:
    """Row policies down, field policies across; as many columns beside each other as the terminal is wide for."""
    frames = found.payoffs.partition_by("policy", maintain_order=True)
    rows = [[_cell(row) for row in frame.iter_rows(named=True)] for frame in frames]
    heads = max(len(name) for name in names)
    widths = [2 + max(len(name), *(len(row[i]) for row in rows)) for i, name in enumerate(names)]
    for columns in _fitting(widths, output_width() - heads):
        click.echo(" " * heads + "".join(f"{names[i]:>{widths[i]}}" for i in columns))
        for name, row in zip(names, rows, strict=True):
            click.echo(f"{name:<{heads}}" + "".join(f"{row[i]:>{widths[i]}}" for i in columns))
        click.echo()


def _cell(row: Mapping[str, Any]) -> str:
    return "0" if row["policy"] == row["field"] else f"{row['mean']:+.3f} ± {_half(row):.3f}"


def _half(row: Mapping[str, Any]) -> float:
    return float(row["high"] - row["low"]) / 2


def _fitting(widths: Sequence[int], room: int) -> Iterator[list[int]]:
    """Columns in groups of which each fits into the room, if one column does."""
    group: list[int] = []
    for i, width in enumerate(widths):
        if group and sum(widths[j] for j in group) + width > room:
            yield group
            group = []
        group.append(i)
    yield group

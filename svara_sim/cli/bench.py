"""`svara bench`: how fast deals are played."""

from __future__ import annotations

import click

from ..games.protocol import Game
from .options import COUNT, echo_json, game_option, json_option
from .tables import print_table

__all__ = ["bench"]

_USUAL_SEATS = (2, 4, 6, 9)


@click.command()
@game_option
@click.option("--seats", "players", type=COUNT, multiple=True, help="Number of seats (repeatable).")
@click.option("--seconds", type=float, default=45.0, show_default=True, help="About how long to measure.")
@click.option("--threads", type=COUNT, help="The number of threads beside one; by default one for each processor.")
@json_option
def bench(game: Game, players: tuple[int, ...], seconds: float, threads: int | None, as_json: bool) -> None:
    """Deals a second by number of seats and kind of policy, beside plain Python and NumPy versions of the game.

    All are timed in turn, many times over; medians are printed, and ratios taken turn by turn, so that they hold on a
    busy machine too.

    \b
    svara bench
    svara bench --seats 4 --seconds 10 --json
    svara bench --game run_fast
    """
    from rich.table import Table

    from ..core.errors import InvalidInput, check_int
    from ..experiments.timing import bench as measure
    from ..reporting import progress_bar

    if not 0 < seconds < float("inf"):
        raise InvalidInput(f"--seconds = {seconds:g}: must be more than 0")
    if threads is not None:
        check_int("--threads", threads, 1, 1024)
    rules = game.make_rules()
    chosen = players or ((game.usual_players,) if game.name != "svara" else _USUAL_SEATS)
    for n in chosen:
        game.check_players(n, rules)
    with progress_bar(f"{game.title}: timing", max(1, int(10 * seconds)), unit="tenths") as bar:
        rows = measure(game, chosen, seconds=seconds, threads=threads, progress=bar)
    if as_json:
        for row in rows:
            echo_json(row.as_dict())
        return
    table = Table("seats", "kind", "threads", "deals/s", "range", "x Python", "x NumPy", box=None)
    for column in table.columns[2:]:
        column.justify = "right"
    for row in rows:
        spread = f"{_short(row.low)} - {_short(row.high)}"
        ratios = [f"{r:,.1f}" if r is not None else "" for r in (row.ratio_to_python, row.ratio_to_numpy)]
        table.add_row(str(row.seats), row.kind, str(row.threads), _short(row.deals_per_s), spread, *ratios)
    print_table(table)


def _short(speed: float) -> str:
    """``5.26 M``: three digits, so that the table fits into a terminal."""
    for scale, prefix in ((1e6, " M"), (1e3, " k")):
        if speed >= scale:
            return f"{speed / scale:#.3g}".rstrip(".") + prefix
    return f"{speed:.3g}"

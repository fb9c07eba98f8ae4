"""`svara odds`: exact chances of a hand, and of a svara at a table."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from ..core.errors import InvalidInput
from ..games.registry import get_game
from ..games.svara.exact.results import HandOdds, TableOdds
from .options import COUNT, echo_json, json_option, make_rules, rules_options

__all__ = ["odds"]

_MOST_PLAYERS_TO_COUNT = 5  # other scorings take half a minute for these, and minutes and gigabytes for more


@click.command()
@click.argument("cards", nargs=-1)
@click.option("--players", type=COUNT, required=True, help="Hands dealt, this one included: 2 to 10.")
@click.option("--dead", metavar="CARDS", default="", help="Cards seen elsewhere, which nobody else can hold.")
@click.option(
    "--method",
    type=click.Choice(["auto", "exact", "estimate"]),
    default="auto",
    show_default=True,
    help="Count all deals, or simulate some; auto simulates only a table of more than "
    f"{_MOST_PLAYERS_TO_COUNT} players under rules that no preset scores by.",
)
@click.option("--deals", type=COUNT, default=1_000_000, show_default=True, help="Deals of an estimate.")
@click.option("--seed", type=COUNT, default=0, show_default=True, help="Seed of an estimate.")
@rules_options
@json_option
def odds(
    cards: tuple[str, ...],
    players: int,
    dead: str,
    method: str,
    deals: int,
    seed: int,
    rules: str | None,
    changes: tuple[str, ...],
    as_json: bool,
) -> None:
    """Chances of a hand, or of a svara at the table, when nobody folds: exact, card removal included.

    CARDS are a hand of three cards: rank (7 8 9 10 J Q K A; T is 10), then suit (♠ ♥ ♦ ♣ or s h d c). Without
    them the answer is about the table: how often which points win, and how often how many tie.

    \b
    svara odds "7♣ Kh Kd" --players 4
    svara odds "7♣ Kh Kd" --players 4 --dead "As 8d" --json
    svara odds --players 7
    svara odds --players 5 --set two_sevens=0          counted once (half a minute), then kept
    """
    from ..games.svara import scoring

    options: Any = make_rules(get_game("svara"), rules, changes)
    get_game("svara").check_players(players, options)
    table = scoring.points_table(options)
    how = {"deals": deals, "seed": seed, "method": method}
    if cards:
        hand = scoring.DECK.hand(" ".join(cards), size=3)
        answer = _of_hand(table, hand, scoring.DECK.hand(dead), players, how)
        head = {"players": players, "rules": options.as_dict()}
        if as_json:
            names = {"cards": scoring.DECK.write(hand), "dead": scoring.DECK.write(answer.dead)}
            echo_json({**names, **head, **_hand_json(answer)})
        else:
            _print_hand(answer, scoring.DECK.write(hand), scoring.DECK.write(answer.dead))
        return
    if dead:
        raise InvalidInput('--dead: removes cards for a hand; give the hand too, such as "7♣ Kh Kd"')
    at_table = _of_table(table, players, how)
    if as_json:
        echo_json({"players": players, "rules": options.as_dict(), **_table_json(at_table)})
    else:
        _print_table(at_table)


def _of_hand(table: Any, hand: list[int], dead: list[int], players: int, how: dict[str, Any]) -> HandOdds:
    from ..games.svara.exact import hand_odds
    from ..reporting import progress_bar

    method: Any = "exact" if how["method"] == "auto" else how["method"]
    with progress_bar("counting", 1000) as bar:
        return hand_odds(
            table,
            hand,
            players,
            dead=dead,
            method=method,
            n_deals=how["deals"],
            seed=how["seed"],
            progress=lambda share, about: bar(round(1000 * share), 1000),
        )


def _of_table(table: Any, players: int, how: dict[str, Any]) -> TableOdds:
    from ..games.svara.exact import is_counted, table_odds
    from ..reporting import progress_bar

    method: Any = how["method"]
    if method == "auto":
        method = "exact" if players <= _MOST_PLAYERS_TO_COUNT or is_counted(table, players) else "estimate"
    with progress_bar("counting", 1000) as bar:
        return table_odds(
            table,
            players,
            method=method,
            n_deals=how["deals"],
            seed=how["seed"],
            progress=lambda share, about: bar(round(1000 * share), 1000),
        )


def _ratio(value: Fraction) -> str:
    """``num/den``, also of whole numbers."""
    return f"{value.numerator}/{value.denominator}"


def _with_error(name: str, value: Fraction, error: float) -> dict[str, Any]:
    """A figure as fraction and float; an estimate's with its standard error."""
    figures: dict[str, Any] = {name: _ratio(value), f"{name}_float": float(value)}
    if error > 0:
        figures[f"{name}_standard_error"] = error
    return figures


def _hand_json(answer: HandOdds) -> dict[str, Any]:
    figures: dict[str, Any] = {"points": answer.points, "method": answer.method, "n_deals": answer.n_deals}
    for name in ("p_win", "p_svara", "p_loss"):
        value = getattr(answer, name)
        figures |= _with_error(name, value, answer.standard_error(value))
    figures |= _with_error("share", answer.share, answer.share_error)
    figures |= _with_error("percentile", answer.percentile, 0.0)
    return figures | {"tied": {str(k): _ratio(p) for k, p in answer.tied.items()}}


def _table_json(answer: TableOdds) -> dict[str, Any]:
    return {
        "method": answer.method,
        "n_deals": answer.n_deals,
        **_with_error("p_svara", answer.p_svara, answer.standard_error(answer.p_svara)),
        "tied": {str(k): _ratio(p) for k, p in answer.tied.items()},
        "best_points": {str(points): _ratio(p) for points, p in answer.best_points.items()},
    }


def _percent(value: Fraction, error: float) -> str:
    number = float(value)
    shown = f"{number:8.3%}" if number >= 1e-4 or number == 0 else f"{100 * number:7.1e}%"
    return shown + (f" ± {error:.3%}" if error > 0 else "")


def _method_line(answer: HandOdds | TableOdds) -> str:
    if answer.method == "exact":
        return f"exact: all {answer.n_deals:,} deals counted"
    return f"an estimate from {answer.n_deals:,} simulated deals, ± one standard error"


def _print_hand(answer: HandOdds, hand: list[str], dead: list[str]) -> None:
    without = f", without {' '.join(dead)}" if dead else ""
    click.echo(f"{' '.join(hand)}: {answer.points} points, {answer.players} players, nobody folds{without}")
    for name, value in (("win", answer.p_win), ("svara", answer.p_svara), ("loss", answer.p_loss)):
        click.echo(f"  {name:<17}{_percent(value, answer.standard_error(value))}")
    fair = f"an even share is {1 / answer.players:.3%}"
    click.echo(f"  {'share of the pot':<17}{_percent(answer.share, answer.share_error)}   ({fair})")
    click.echo(
        f"  {'percentile':<17}{float(answer.percentile):8.3%}   (hands with fewer points, and half of the equal)"
    )
    click.echo(_method_line(answer))


def _print_table(answer: TableOdds) -> None:
    click.echo(f"{answer.players} players, nobody folds")
    click.echo(f"  svara     {_percent(answer.p_svara, answer.standard_error(answer.p_svara))}")
    for k, p in answer.tied.items():
        if p > 0:
            click.echo(f"  {k:>2} tied   {_percent(p, answer.standard_error(p))}")
    click.echo("best points")
    for points, p in answer.best_points.items():
        click.echo(f"  {points:>2}        {_percent(p, answer.standard_error(p))}")
    click.echo(_method_line(answer))

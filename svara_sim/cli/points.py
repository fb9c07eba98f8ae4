"""`svara points`: what a hand is worth."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from ..core.errors import InvalidInput
from ..games.registry import get_game
from .options import echo_json, json_option, make_rules, rules_options

__all__ = ["points"]


@click.command()
@click.argument("cards", nargs=-1)
@click.option("--all", "all_hands", is_flag=True, help="All 4960 hands: how many hold each number of points.")
@rules_options
@json_option
def points(cards: tuple[str, ...], all_hands: bool, rules: str | None, changes: tuple[str, ...], as_json: bool) -> None:
    """Points of a hand of Svara, and the reading that gives them.

    CARDS are three cards: rank (7 8 9 10 J Q K A; T is 10), then suit (♠ ♥ ♦ ♣ or s h d c).

    \b
    svara points "7♣ Kh Kd"
    svara points 7s 7h Ad --set two_sevens=0
    svara points --all                     the distribution over all hands
    svara points --all --json              one hand a line
    """
    from ..games.svara import scoring

    options: Any = make_rules(get_game("svara"), rules, changes)
    if all_hands:
        if cards:
            raise InvalidInput("--all takes no cards")
        table = scoring.points_table(options)
        if as_json:
            for each, value in zip(scoring.HANDS, table.tolist(), strict=True):
                echo_json({"cards": scoring.DECK.write(each), "points": value})
        else:
            _print_distribution(Counter(table.tolist()))
        return
    if not cards:
        raise InvalidInput('no cards given: write three cards, such as "7♣ Kh Kd", or --all')
    hand = scoring.DECK.hand(" ".join(cards), size=3)
    readings = scoring.readings(hand, options)
    best = next(iter(readings))
    if as_json:
        value = readings[best]
        echo_json({"cards": scoring.DECK.write(hand), "points": value, "reading": best, "readings": readings})
        return
    click.echo(f"{' '.join(scoring.DECK.write(hand))}: {readings[best]} points ({best})")
    others = [f"{name} {value}" for name, value in readings.items() if name != best]
    if others:
        click.echo(f"other readings: {', '.join(others)}")


def _print_distribution(counts: Counter[int]) -> None:
    total, below = sum(counts.values()), 0
    click.echo("points  hands   share  at most")
    for value in sorted(counts):
        below += counts[value]
        click.echo(f"{value:>6} {counts[value]:>6} {counts[value] / total:>7.2%} {below / total:>8.2%}")

"""`svara play`: a deal with you at the table."""

from __future__ import annotations

import secrets
import shlex
import signal
from collections.abc import Sequence
from typing import Any

import click

from ..core.errors import InvalidInput
from ..games.capabilities import Choice, Sitting, person_game
from ..games.protocol import Game
from ..games.registry import GAMES, get_game
from .options import COUNT, make_rules, make_seats, rules_options

__all__ = ["play"]

_HELP = """Type the number of a choice; where it wants an amount, type that too: 3 240.
  hint (h)   advice on the choices
  table (t)  the table and your hand again
  help (?)   this
  quit (q)   leave; so does Ctrl-D"""


class _Left(Exception):
    """The person has left the table."""


@click.command()
@click.argument("game", type=click.Choice(GAMES), callback=lambda ctx, param, value: get_game(value))
@click.option("--players", type=COUNT, help="Seats at the table, yours included; by default the game's usual.")
@click.option(
    "--against",
    multiple=True,
    metavar="POLICY",
    help="Policy of the other seats (repeatable; they cycle over those given), as in svara run --seat.",
)
@click.option("--seed", type=COUNT, help="Of every random number; by default a new one.")
@click.option("--deal", type=COUNT, default=0, show_default=True, help="Which deal of the seed.")
@rules_options
def play(
    game: Game,
    players: int | None,
    against: tuple[str, ...],
    seed: int | None,
    deal: int,
    rules: str | None,
    changes: tuple[str, ...],
) -> None:
    """Play a deal yourself, in seat 0, against policies. You see what a player at the table sees.

    \b
    svara play run_fast --against monte_carlo
    svara play run_fast --against greedy --against random --seed 7 --deal 3
    svara play svara --players 4 --against threshold --rules favorite
    """
    options = make_rules(game, rules, changes)
    n_players = game.check_players(game.usual_players if players is None else players, options)
    policies = make_seats(game, against)
    opponents = [policies[i % len(policies)] for i in range(n_players - 1)]
    chosen_seed = secrets.randbelow(1_000_000) if seed is None else seed
    sitting = person_game(game).sit(options, opponents, chosen_seed, deal)
    _use_exact_odds(sitting, options)
    click.echo(f"{game.title}, deal {deal} of seed {chosen_seed}. You sit in seat 0; help: ?")
    try:
        if not _play(sitting):
            click.echo("The deal was over before you had anything to decide.")
        click.echo(f"\nThe next deal: {_command_of_next(chosen_seed, deal)}")
    except _Left:
        click.echo("You leave the table.")
    except KeyboardInterrupt:
        click.echo("\nYou leave the table.")
        click.get_current_context().exit(130)


def _command_of_next(seed: int, deal: int) -> str:
    """The command that plays on at this table."""
    context = click.get_current_context()
    given = {**context.params, "seed": seed, "deal": deal + 1}
    words = ["svara", "play", given["game"].name]
    for option in (p for p in context.command.params if isinstance(p, click.Option)):
        value = given[str(option.name)]
        for each in value if option.multiple else [value]:
            words += [option.opts[0], str(each)] if each is not None else []
    return shlex.join(words)


def _play(sitting: Sitting) -> int:
    """One deal to its end; returns how often the person was asked."""
    asked = 0
    while True:
        click.echo()
        _echo(sitting.news())
        if sitting.over:
            break
        asked += 1
        click.echo()
        _show(sitting)
        _answer(sitting)
    click.echo()
    _echo(sitting.settlement())
    return asked


def _answer(sitting: Sitting) -> None:
    """Ask until a choice is made."""
    while True:
        words = _read().split()
        match words:
            case []:
                click.echo("Type the number of a choice, hint, or ? for help.")
            case ["hint" | "h"]:
                _echo(sitting.hint())
            case ["table" | "t"]:
                _show(sitting)
            case ["help" | "?"]:
                click.echo(_HELP)
            case ["quit" | "q" | "exit"]:
                raise _Left
            case _:
                try:
                    sitting.choose(*_numbers(words, sitting.choices()))
                except InvalidInput as error:
                    click.echo(f"Not understood: {error}. (? for help)")
                else:
                    return


def _numbers(words: Sequence[str], choices: Sequence[Choice]) -> tuple[int, int | None]:
    """Index of a choice, and its amount."""
    text = " ".join(words)
    try:
        number, *amounts = [int(word) for word in words]
    except ValueError:
        number, amounts = 0, []
    if not 1 <= number <= len(choices) or len(amounts) > 1:
        raise InvalidInput(f"{text!r}: must be the number of a choice, 1 to {len(choices)}, hint, or quit")
    return number - 1, (amounts[0] if amounts else None)


def _read() -> str:
    """A line from the person; the end of input leaves the table."""
    signal.signal(signal.SIGINT, signal.getsignal(signal.SIGINT))  # Polars sets one up that a waiting input never sees
    try:
        return input("> ").strip().lower()
    except EOFError:
        click.echo()
        raise _Left from None
    except UnicodeDecodeError:
        return "(no text)"


def _show(sitting: Sitting) -> None:
    _echo(sitting.position())
    for number, choice in enumerate(sitting.choices(), start=1):
        amount = f": type {number} and the level" if choice.high else ""
        click.echo(f"{number:>4}  {choice.text}{amount}")


def _echo(lines: Sequence[str]) -> None:
    for line in lines:
        click.echo(line)


def _use_exact_odds(sitting: Sitting, rules: Any) -> None:
    """Let Svara's hints count hands exactly, where the counts are at hand."""
    from ..games.svara.human import SvaraSitting

    if not isinstance(sitting, SvaraSitting):
        return
    from ..games.svara.exact import hand_odds, is_counted
    from ..games.svara.scoring import points_table

    points = points_table(rules)
    if is_counted(points, sitting.n_seats):
        sitting.showdown_share = lambda cards, _, players: float(hand_odds(points, cards, players).share)
        sitting.share_note = "exact, cards removed"

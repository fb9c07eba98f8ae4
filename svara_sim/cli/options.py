"""Options that several commands share, and what is made of them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from ..core.errors import InvalidInput, check_choice
from ..experiments.policy_files import make_policy
from ..games.protocol import Game, Policy, Rules
from ..games.registry import GAMES, get_game

__all__ = [
    "COUNT",
    "Setting",
    "count_range",
    "echo_json",
    "game_option",
    "json_option",
    "make_rules",
    "make_seats",
    "rules_options",
    "seats_option",
    "setting_options",
]

F = TypeVar("F", bound=Callable[..., Any])


class _Count(click.ParamType[int]):
    """A whole number, with underscores if one likes: 10_000_000."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        try:
            return int(str(value).replace(",", "_"))
        except ValueError:
            self.fail(f"{value!r} is not a whole number such as 10_000", param, ctx)


COUNT = _Count()


def count_range(text: str, field: str = "--deals") -> tuple[int, int]:
    """First and number of ``A:B`` (B not included) or of one number."""
    first, colon, end = text.partition(":")
    try:
        low = int(first or 0)
        high = int(end) if colon else low + 1
    except ValueError:
        raise InvalidInput(f"{field} = {text!r}: must be a number or a range such as 0:1000") from None
    if low < 0 or high <= low:
        raise InvalidInput(f"{field} = {text!r}: must be a range with 0 <= first < end, such as 0:1000")
    return low, high - low


def echo_json(value: Any) -> None:
    """Print a value as one line of JSON."""
    click.echo(json.dumps(value, ensure_ascii=False))


def game_option(function: F) -> F:
    """``--game``, turned into a `Game`."""
    return click.option(
        "--game",
        type=click.Choice(GAMES),
        default=GAMES[0],
        show_default=True,
        callback=lambda ctx, param, value: get_game(value),
        help="Which game.",
    )(function)


def json_option(function: F) -> F:
    """``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")(function)


def rules_options(function: F) -> F:
    """``--rules`` and ``--set``."""
    function = click.option(
        "--set",
        "changes",
        multiple=True,
        metavar="OPTION=VALUE",
        help="Change one option of the rules (repeatable), such as blind_size=120 or 'blind_factors=[2,3]'.",
    )(function)
    return click.option(
        "--rules",
        metavar="PRESET|FILE.toml",
        help="A rule preset, or a TOML file of options (which may name its preset).",
    )(function)


@dataclass(frozen=True)
class Setting:
    """A table at which policies are compared, from the options of `setting_options`."""

    game: Game
    rules: Rules
    players: int
    seed: int
    threads: int | None

    def fields(self) -> dict[str, Any]:
        """Keyword arguments of `svara_sim.compare`, `league` and `find_best`."""
        return {
            "game": self.game,
            "rules": self.rules,
            "players": self.players,
            "seed": self.seed,
            "n_threads": self.threads,
        }


def setting_options(function: Callable[..., None]) -> Callable[..., None]:
    """``--game --players --seed --threads --rules --set``, which the command gets as one `Setting`."""

    @wraps(function)
    def command(
        game: Game,
        players: int,
        seed: int,
        threads: int | None,
        rules: str | None,
        changes: tuple[str, ...],
        **others: Any,
    ) -> None:
        function(setting=Setting(game, make_rules(game, rules, changes), players, seed, threads), **others)

    command = rules_options(command)
    command = click.option(
        "--threads", type=COUNT, help="Threads; by default one for each processor. Never changes the result."
    )(command)
    command = click.option("--seed", type=COUNT, default=0, show_default=True, help="Of every random number.")(command)
    command = click.option("--players", type=COUNT, default=4, show_default=True, help="Seats at a table.")(command)
    return game_option(command)


def seats_option(function: F) -> F:
    """``--seat``."""
    return click.option(
        "--seat",
        "seats",
        multiple=True,
        metavar="POLICY",
        help="Policy of a seat (repeatable; the seats of the table cycle over those given): a name of the library "
        "with parameters, threshold:call=21,raise_at=28; table:FILE.csv; or FILE.py:NAME.",
    )(function)


def _value(name: str, text: str) -> Any:
    """A value as TOML writes it; a bare word is a string."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except ValueError:  # TOMLDecodeError is one; so is a number of thousands of digits
        if text.strip() and not set(text) & set("[]{}=\n\"'"):
            return text.strip()
        raise InvalidInput(
            f"--set {name}={text}: the value is not TOML (a number, true, false, [2, 3] or a word)"
        ) from None


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInput(f"--rules {path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidInput(f"--rules {path}: is not UTF-8 text") from None
    except ValueError as error:  # TOMLDecodeError is one; so is a number of thousands of digits
        raise InvalidInput(f"--rules {path}: is not TOML: {error}") from None


def make_rules(game: Game, rules: str | None, changes: Sequence[str]) -> Rules:
    """Rules from ``--rules`` and ``--set``."""
    preset, options = rules, dict[str, Any]()
    if rules is not None and rules not in game.presets:
        path = Path(rules)
        if path.suffix != ".toml":
            names = ", ".join(game.presets)
            raise InvalidInput(f"--rules {rules!r}: must be a preset ({names}) or the path of a TOML file")
        content = _read_toml(path)
        options = content.pop("rules", content)
        if not isinstance(options, dict):
            raise InvalidInput(f"--rules {rules}: rules must be a table of options")
        if options is not content and content:
            raise InvalidInput(
                f"--rules {rules}: {next(iter(content))!r} stands outside [rules]: put it into the table"
            )
        preset = options.pop("preset", None)
        if preset is not None:
            check_choice(f"--rules {rules}: preset", preset, tuple(game.presets))
    for change in changes:
        name, equals, text = change.partition("=")
        if not equals or not name.strip():
            raise InvalidInput(f"--set {change!r}: must be OPTION=VALUE")
        options[name.strip()] = _value(name.strip(), text)
    return game.make_rules(preset, options)


def make_seats(game: Game, seats: Iterable[str]) -> list[Policy]:
    """Policies from ``--seat``, or the game's default ones."""
    return [make_policy(game, text) for text in (tuple(seats) or game.default_seats)]

"""Reading a sweep file: every field is checked, and what is wrong is named with its line."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...core.errors import InvalidInput, check_choice, check_int
from ...core.rng import MAX_DEALS
from ...games.protocol import Game
from ...games.registry import get_game
from .design import Design, read_design
from .points import SweepSpec, Target, entries_of, with_parameter
from .source import Source

__all__ = ["DEFAULT_MAX_DEALS", "DEFAULT_STEP_DEALS", "read_sweep"]

DEFAULT_MAX_DEALS = 10_000_000
DEFAULT_STEP_DEALS = 100_000

_FIELDS = (
    "game", "players", "seed", "deals", "target_error_antes", "max_deals", "step_deals", "rules", "seats", "session",
    "lenient", "design",
)  # fmt: skip
_DESIGN_FIELDS = ("players", "seed", "deals", "session")


def read_sweep(sweep: str | os.PathLike[str] | Mapping[str, Any] | SweepSpec) -> SweepSpec:
    """Read and check a sweep.

    Parameters
    ----------
    sweep : path-like, mapping or SweepSpec
        A TOML file, or its content as Python objects (the game may then be a `Game`, a seat a policy object).

    Raises
    ------
    InvalidInput
        One line that names the file, the line and the field.
    """
    if isinstance(sweep, SweepSpec):
        return sweep
    if isinstance(sweep, Mapping):
        return _checked(dict(sweep), Source(), Path())
    path = Path(sweep)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise InvalidInput(f"{path}: line {line}: is not UTF-8 text") from None
    source = Source(str(path), text)
    return _checked(source.parse(), source, path.parent)


def _checked(content: dict[str, Any], source: Source, base: Path) -> SweepSpec:
    for key in content:
        with source.at(key):
            check_choice("field", key, _FIELDS)
    design_table = content.pop("design", None)
    game = content.pop("game", "svara")
    with source.at("game"):
        game = get_game(game) if isinstance(game, str) or not hasattr(game, "make_table") else game
    fields = _checked_fields(content, game, source)
    design = read_design(design_table, source)
    target = _target(fields, design, source)
    spec = SweepSpec(game, fields, target, design, source, base)
    for number, field in enumerate(design.fields):
        with source.at(design.place(field)):
            _check_design_field(field, [row[number] for row in design.rows], spec)
    return spec


def _checked_fields(content: dict[str, Any], game: Game, source: Source) -> dict[str, Any]:
    fields = dict(content)
    if "rules" in fields:
        rules = fields["rules"]
        if isinstance(rules, str):
            rules = {"preset": rules}
        elif hasattr(rules, "as_dict"):
            rules = rules.as_dict()
        if not isinstance(rules, Mapping):
            raise source.error("rules", f"rules = {rules!r}: must be the name of a preset or a table of options")
        fields["rules"] = dict(rules)
        for option in rules:
            with source.at(f"rules.{option}"):
                _check_option(game, option)
    if "seats" in fields:
        seats = [fields["seats"]] if isinstance(fields["seats"], str) else fields["seats"]
        is_policies = isinstance(seats, Sequence) and all(isinstance(s, str) or hasattr(s, "label") for s in seats)
        if not is_policies or not seats:
            raise source.error("seats", f"seats = {fields['seats']!r}: must be a list of policies")
        fields["seats"] = list(seats)
    for key in ("deals", "max_deals", "step_deals"):
        if key in fields:
            with source.at(key):
                fields[key] = check_int(key, fields[key], 1, MAX_DEALS)
    return fields


def _check_option(game: Game, option: str) -> None:
    check_choice("rules: option", option, ("preset", *game.make_rules().as_dict()))


def _target(fields: Mapping[str, Any], design: Design, source: Source) -> Target | None:
    """How long points play: exactly one of ``deals`` and ``target_error_antes`` says so."""
    error = fields.get("target_error_antes")
    if error is None:
        for key in ("max_deals", "step_deals"):
            if key in fields:
                raise source.error(key, f"{key}: belongs to target_error_antes, which is not given")
        if "deals" not in fields and "deals" not in design.fields:
            raise source.error("", "deals: missing: give deals, or target_error_antes")
        return None
    if "deals" in fields:
        raise source.error("deals", "deals and target_error_antes: contradict each other; give one of them")
    if "deals" in design.fields:
        raise source.error(
            design.place("deals"), "deals and target_error_antes: contradict each other; give one of them"
        )
    if isinstance(error, bool) or not isinstance(error, int | float) or not 0 < error < float("inf"):
        raise source.error("target_error_antes", f"target_error_antes = {error!r}: must be a number above 0")
    session = fields.get("session") or 1
    length = session if isinstance(session, int) and session > 0 else 1  # what is wrong with it is said later
    most = fields.get("max_deals", max(1, DEFAULT_MAX_DEALS // length) * length)
    step = fields.get("step_deals", min(most, -(-DEFAULT_STEP_DEALS // length) * length))
    for key, value in (("max_deals", most), ("step_deals", step)):
        if value % length:
            raise source.error(key, f"{key} = {value}: must be a whole number of sessions of {length} deals")
    if step > most:
        raise source.error("step_deals", f"step_deals = {step}: must be at most max_deals = {most}")
    if "session" in design.fields:
        raise source.error(design.place("session"), "session: cannot vary together with target_error_antes")
    return Target(float(error), most, step)


def _check_design_field(field: str, values: Sequence[Any], spec: SweepSpec) -> None:
    kind, _, rest = field.partition(".")
    if kind == "rules" and rest:
        _check_option(spec.game, rest)
        return
    if kind == "seats" and rest:
        _check_seat_field(field, values, spec)
        return
    known = (*_DESIGN_FIELDS, "rules.OPTION", "seats.N", "seats.N.PARAMETER")
    check_choice("design: field", field, known)
    for value in values:
        check_int(field, value, 0 if field == "seed" else 1, MAX_DEALS if field == "deals" else (1 << 63) - 1)


def _check_seat_field(field: str, values: Sequence[Any], spec: SweepSpec) -> None:
    entry, _, parameter = field.partition(".")[2].partition(".")
    seats = spec.fields.get("seats") or spec.game.default_seats
    try:
        numbers = entries_of(entry, len(seats))
    except InvalidInput as error:
        raise InvalidInput(f"{field}: {error}") from None
    for value in values:
        if parameter and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise InvalidInput(f"{field} = {value!r}: must be a number")
        if not parameter and not isinstance(value, str):
            raise InvalidInput(f'{field} = {value!r}: must be a policy, such as "threshold:call=21"')
    whole = [f for f in spec.design.fields if f.startswith("seats.") and f.count(".") == 1]
    if parameter and not whole:  # else it depends on the point which policy that is
        for i in numbers:
            with_parameter(spec.game, f"seats.{entry}", seats[i], parameter, values[0])

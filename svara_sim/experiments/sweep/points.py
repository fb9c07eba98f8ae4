"""The points of a sweep: what its fields say together with each row of its design.

``seats.N`` in a design is entry N of the file's ``seats`` list, counted from 0, and so every seat of the table that
this entry comes to sit on when the list is repeated around the table. ``seats.1-3`` and ``seats.0,2`` are several
entries, which take the same value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from ...core.errors import InvalidInput, check_choice
from ...core.jit import source_hash
from ...games.protocol import Game
from ..dataset import manifest
from ..policy_files import make_policy
from ..scenario import RunConfig, content_hash
from .design import Design, Row
from .source import Source

__all__ = ["Point", "SweepSpec", "Target", "entries_of", "point_source", "with_parameter"]


@dataclass(frozen=True)
class Target:
    """When a point has played enough: its largest standard error of a seat's payoff is at most `error_antes`.

    Parameters
    ----------
    error_antes : float
        In antes (in points, where a game has no antes).
    max_deals : int
        Where a point ends all the same.
    step_deals : int
        Deals between one look at the error and the next.
    """

    error_antes: float
    max_deals: int
    step_deals: int


@dataclass(frozen=True)
class Point:
    """One point of a sweep.

    Parameters
    ----------
    index : int
        Its place in the design.
    values : tuple
        Of the design's fields.
    config : RunConfig
        What is played; with a target, its deals are the most that are played.
    target : Target or None
        None plays all deals of the config.
    digest : str
        Hash of all that determines its result: config, target, and the source that plays it.
    """

    index: int
    values: Row
    config: RunConfig
    target: Target | None
    digest: str


def point_source() -> str:
    """Hash of the source that determines what a point's result is."""
    return content_hash([manifest.code_versions()["source"], _estimates_source()])


@lru_cache(maxsize=1)
def _estimates_source() -> str:
    return source_hash("stats")


@dataclass(frozen=True)
class SweepSpec:
    """A checked sweep. Get one from `read_sweep`.

    Parameters
    ----------
    game : Game
        What is played.
    fields : mapping
        The fields above ``[design]``.
    target : Target or None
        For sweeps with ``target_error_antes``.
    design : Design
        The values that the points take.
    source : Source
        For error messages.
    base : Path
        Folder from which policy files are looked up.
    """

    game: Game
    fields: Mapping[str, Any]
    target: Target | None
    design: Design
    source: Source
    base: Path

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """All points, each checked against the game.

        Raises
        ------
        InvalidInput
            Naming the field and the line of what the game refuses.
        """
        source = point_source()
        return tuple(self._point(i, row, source) for i, row in enumerate(self.design.rows))

    @property
    def n_deals(self) -> int:
        """Deals of all points; the most that they may play if the sweep has a target."""
        return sum(p.config.n_deals for p in self.points)

    def describe(self) -> dict[str, Any]:
        """The fields as a manifest keeps them; policies that are objects by their labels."""
        seats = [s if isinstance(s, str) else s.label for s in self.fields.get("seats", ())]
        rules = self.fields.get("rules", {})
        return {**self.fields, "game": self.game.name, "rules": rules, "seats": seats or None}

    def _point(self, index: int, row: Row, source: str) -> Point:
        try:
            config = self._config(row)
        except InvalidInput as error:
            message = re.sub(r"\bn_deals\b", "deals", str(error)).replace("session_deals", "session")
            field, place = self._culprit(message, row)
            value = "" if field is None else f"{field} = {row[self.design.fields.index(field)]!r}: "
            raise self.source.error(place, f"{value}point {index}: {message}", index) from None
        target = None if self.target is None else vars(self.target)
        digest = content_hash({"config": config.digest, "target": target, "source": source})
        return Point(index, row, config, self.target, digest)

    def _config(self, row: Row) -> RunConfig:
        fields = dict(self.fields)
        rules = dict(fields.get("rules", {}))
        seats = list(fields.get("seats") or self.game.default_seats)
        later: list[tuple[str, list[int], str, Any]] = []
        for name, value in zip(self.design.fields, row, strict=True):
            kind, _, rest = name.partition(".")
            if kind == "rules":
                rules[rest] = value
            elif kind == "seats":
                entry, _, parameter = rest.partition(".")
                if parameter:
                    later.append((entry, entries_of(entry, len(seats)), parameter, value))
                else:
                    seats = [value if i in entries_of(entry, len(seats)) else s for i, s in enumerate(seats)]
            else:
                fields[name] = value
        for entry, numbers, parameter, value in later:  # whole policies first, whatever the order of the fields
            for i in numbers:
                seats[i] = with_parameter(self.game, f"seats.{entry}", seats[i], parameter, value)
        return RunConfig.create(
            self.game,
            rules={k: tuple(v) if isinstance(v, list) else v for k, v in rules.items()},
            players=fields["players"] if "players" in fields else self._usual_players(),
            seats=[self._policy(s) for s in seats],
            seed=fields.get("seed", 0),
            n_deals=self.target.max_deals if self.target else fields["deals"],
            session_deals=fields.get("session"),
            lenient=fields.get("lenient", False),
        )

    def _usual_players(self) -> int:
        """Seats of a table whose number of players is not given: one for each policy, if there are several."""
        given = len(self.fields.get("seats") or ())
        return given if given > 1 else self.game.usual_players

    def _policy(self, seat: Any) -> Any:
        if not isinstance(seat, str):
            return seat
        if seat not in self._policies:
            self._policies[seat] = make_policy(self.game, seat, self.base)
        return self._policies[seat]

    @cached_property
    def _policies(self) -> dict[str, Any]:
        """Those made so far: a file is read once, not once a point."""
        return {}

    def _culprit(self, message: str, row: Row) -> tuple[str | None, str]:
        """The design's field that a message is about, and where to look for it in the file."""
        told = message.partition("must be")[0]  # what follows lists what is allowed
        for field, value in zip(self.design.fields, row, strict=True):
            if _names(told, field.rpartition(".")[2]) or (isinstance(value, str) and repr(value) in told):
                return field, self.design.place(field)
        for field, value in self.fields.items():
            if isinstance(value, Mapping):
                for option, setting in value.items():
                    if _names(told, option) or (isinstance(setting, str) and repr(setting) in told):
                        return None, f"{field}.{option}"
            if _names(told, field):
                return None, field
        return None, "seats" if told.startswith("policy") else "design"


def _names(message: str, field: str) -> bool:
    return bool(re.search(rf"\b{re.escape(field)}\b", message))


def entries_of(text: str, n_entries: int) -> list[int]:
    """Entries of ``seats`` that a field such as ``seats.0.call``, ``seats.1-3.call`` or ``seats.0,2.call`` changes.

    Raises
    ------
    InvalidInput
        If there is no such entry.
    """
    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        ends = [first, last if dash else first]
        if not all(e.isdecimal() and int(e) < n_entries for e in ends) or int(ends[0]) > int(ends[1]):
            told = "0" if n_entries == 1 else f"from 0 to {n_entries - 1}, or several such as 0,1 or 0-1"
            raise InvalidInput(f"seat {text!r}: must be {told}: seats has {n_entries}")
        found += range(int(ends[0]), int(ends[1]) + 1)
    return list(dict.fromkeys(found))


def with_parameter(game: Game, where: str, policy: Any, name: str, value: Any) -> str:
    """The text of a library policy with one parameter changed.

    Raises
    ------
    InvalidInput
        If it is none of the library's, or has no such parameter.
    """
    library = {info.name: info for info in game.policy_library()}
    kind, _, options = policy.partition(":") if isinstance(policy, str) else (getattr(policy, "label", "?"), "", "")
    kind = kind.strip()
    if not isinstance(policy, str) or kind not in library:
        raise InvalidInput(f"{where}.{name}: {kind!r} is no policy of the library, so it has no parameters to vary")
    check_choice(f"{where}: parameter of {kind!r}", name, tuple(p.name for p in library[kind].parameters) or ("none",))
    kept = [o for o in options.split(",") if o.strip() and o.partition("=")[0].strip() != name]
    return f"{kind}:{','.join([*kept, f'{name}={value}'])}"

"""What is played: one validated object, which a manifest can keep and from which it can be made again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypedDict

from ..core.errors import InvalidInput, check_int
from ..core.rng import MAX_DEALS, check_seed
from ..games.protocol import Game, Policy, Rules, Table
from ..games.registry import get_game

__all__ = ["MAX_SESSION_DEALS", "RunConfig", "RunFields", "SavedPolicy", "content_hash", "first_difference"]

# A session is played in one go, and with records it is held in memory.
MAX_SESSION_DEALS = 1 << 20


class RunFields(TypedDict, total=False):
    """Keyword arguments that describe a run; see `RunConfig.create`."""

    game: Game | str
    rules: Rules | Mapping[str, Any] | str | None
    players: int
    seats: Sequence[Any] | str | None
    seed: int
    n_deals: int
    session_deals: int | None
    lenient: bool


@dataclass(frozen=True)
class SavedPolicy:
    """A policy known only by what a manifest says of it: enough for tables and labels, not to play."""

    label: str
    description: Mapping[str, Any]

    def describe(self) -> dict[str, Any]:
        """What the manifest says of it."""
        return dict(self.description)


@dataclass(frozen=True, eq=False)
class RunConfig:
    """Everything that determines the result of a run. Make it with `RunConfig.create`, which checks.

    Parameters
    ----------
    game : Game
        What is played.
    rules : Rules
        Its options.
    players : int
        Number of seats.
    seats : tuple of Policy
        One a seat.
    seed : int
        Of every random stream.
    n_deals : int
        Deals to play.
    session_deals : int or None
        Deals in a session; None plays independent deals.
    lenient : bool
        Whether an illegal action is set right and counted instead of stopping the run.
    """

    game: Game
    rules: Rules
    players: int
    seats: tuple[Policy, ...]
    seed: int
    n_deals: int
    session_deals: int | None = None
    lenient: bool = False

    @classmethod
    def create(
        cls,
        game: Game | str = "svara",
        *,
        rules: Rules | Mapping[str, Any] | str | None = None,
        players: int = 4,
        seats: Sequence[Any] | str | None = None,
        seed: int = 0,
        n_deals: int = 100_000,
        session_deals: int | None = None,
        lenient: bool = False,
    ) -> RunConfig:
        """Check and complete a description of a run.

        Parameters
        ----------
        game : Game or str
            A game, or its name.
        rules : Rules, str, mapping or None
            Rules, the name of a preset, options (``preset`` among them names the set that they change), or
            None for the default preset.
        players : int
            Number of seats.
        seats : sequence, str or None
            Policies, as objects or as text such as ``"threshold:call=21"``; fewer than `players` are repeated
            in turn. None seats the game's default policies.
        seed : int
            From 0 to 2**63 - 1.
        n_deals : int
            At least 1; with sessions, a whole number of them.
        session_deals : int or None
            Deals in a session.
        lenient : bool
            Set illegal actions right and count them.

        Raises
        ------
        InvalidInput
            Naming the field, the value and what is allowed.
        """
        game = _find_game(game)
        checked_rules = _make_rules(game, rules)
        players = game.check_players(players, checked_rules)
        n_deals = check_int("n_deals", n_deals, 1, MAX_DEALS)
        if session_deals is not None:
            session_deals = _check_session(session_deals, n_deals)
        if not isinstance(lenient, bool):
            raise InvalidInput(f"lenient = {lenient!r}: must be True or False")
        return cls(
            game=game,
            rules=checked_rules,
            players=players,
            seats=_make_seats(game, seats, players),
            seed=check_seed(seed),
            n_deals=n_deals,
            session_deals=session_deals,
            lenient=lenient,
        )

    @property
    def unit_deals(self) -> int:
        """Deals in an independent unit."""
        return 1 if self.session_deals is None else self.session_deals

    @property
    def n_units(self) -> int:
        """Independent units of the run."""
        return self.n_deals // self.unit_deals

    @property
    def labels(self) -> list[str]:
        """Label of the policy of each seat."""
        return [p.label for p in self.seats]

    def change(self, **fields: Any) -> RunConfig:
        """The same run with some fields changed, checked again."""
        mine: dict[str, Any] = {f: getattr(self, f) for f in RunFields.__annotations__}
        return RunConfig.create(**{**mine, **fields})

    def table(self) -> Table:
        """A table ready to play.

        Raises
        ------
        InvalidInput
            If a policy is known only from a manifest.
        """
        for seat, policy in enumerate(self.seats):
            if isinstance(policy, SavedPolicy):
                raise InvalidInput(
                    f"seats[{seat}] = {policy.label!r}: was made in Python and cannot be made again from a "
                    "manifest; put it back with `config.change(seats=[...])`"
                )
        return self.game.make_table(
            self.rules, self.seats, self.seed, session_deals=self.session_deals, lenient=self.lenient
        )

    def identity(self) -> dict[str, Any]:
        """All that determines the result, ready for JSON; of policies their descriptions, not labels."""
        return {
            "game": self.game.name,
            "rules": self.rules.as_dict(),
            "players": self.players,
            "seats": [p.describe() for p in self.seats],
            "seed": self.seed,
            "n_deals": self.n_deals,
            "session_deals": self.session_deals,
            "lenient": self.lenient,
        }

    def to_dict(self) -> dict[str, Any]:
        """`identity` with the labels, ready for JSON; `from_dict` reads it."""
        return {**self.identity(), "labels": self.labels}

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any], game: Game | None = None) -> RunConfig:
        """Make a config from what `to_dict` wrote.

        Policies of the game's library are made again; others become `SavedPolicy`.

        Raises
        ------
        InvalidInput
            If a field is missing or no longer allowed.
        """
        fields = {f: saved[f] for f in _SAVED_FIELDS if f in saved}
        missing = [f for f in _SAVED_FIELDS if f not in saved]
        if missing:
            raise InvalidInput(f"config: {missing[0]!r} is missing")
        found = _find_game(game if game is not None else fields.pop("game"))
        fields.pop("game", None)
        seats = [
            _restore(found, label, about)
            for label, about in zip(fields.pop("labels"), fields.pop("seats"), strict=True)
        ]
        return cls.create(found, seats=seats, **fields)

    @cached_property
    def digest(self) -> str:
        """Hash of `identity`: 32 hexadecimal digits."""
        return content_hash(self.identity())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RunConfig) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


_SAVED_FIELDS = ("game", "rules", "players", "seats", "labels", "seed", "n_deals", "session_deals", "lenient")


def content_hash(content: Any) -> str:
    """Hash of anything that JSON can hold, whatever the order of its keys: 32 hexadecimal digits."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def first_difference(saved: Any, wanted: Any, field: str = "") -> tuple[str, Any, Any] | None:
    """Name of the first field in which two JSON values differ, and both values; None if they agree."""
    if isinstance(saved, Mapping) and isinstance(wanted, Mapping):
        keys = [*wanted, *(k for k in saved if k not in wanted)]
        pairs = [(f"{field}.{k}".lstrip("."), saved.get(k), wanted.get(k)) for k in keys]
    elif isinstance(saved, list) and isinstance(wanted, list) and len(saved) == len(wanted):
        pairs = [(f"{field}[{i}]", a, b) for i, (a, b) in enumerate(zip(saved, wanted, strict=True))]
    else:
        return None if saved == wanted else (field, saved, wanted)
    found = (first_difference(a, b, name) for name, a, b in pairs)
    return next((d for d in found if d is not None), None)


def _find_game(game: Game | str) -> Game:
    if isinstance(game, str):
        return get_game(game)
    if not hasattr(game, "make_table"):
        raise InvalidInput(f"game = {game!r}: must be a game or the name of one")
    return game


def _make_rules(game: Game, rules: Rules | Mapping[str, Any] | str | None) -> Rules:
    if rules is None or isinstance(rules, str):
        return game.make_rules(rules)
    if isinstance(rules, Mapping):
        options = dict(rules)
        return game.make_rules(options.pop("preset", None), options)
    if not hasattr(rules, "as_dict"):
        raise InvalidInput(f"rules = {rules!r}: must be rules, the name of a preset, or a mapping of options")
    return rules


def _make_seats(game: Game, seats: Sequence[Any] | str | None, players: int) -> tuple[Policy, ...]:
    if seats is None:
        seats = game.default_seats[:players]
    given = [seats] if isinstance(seats, str) or not isinstance(seats, Sequence) else list(seats)
    if not 1 <= len(given) <= players:
        raise InvalidInput(f"seats = {len(given)} policies: must be from 1 to {players}, the number of players")
    policies = [p if isinstance(p, SavedPolicy) else game.make_policy(p) for p in given]
    return tuple(policies[i % len(policies)] for i in range(players))


def _check_session(session_deals: Any, n_deals: int) -> int:
    session = check_int("session_deals", session_deals, 1, MAX_SESSION_DEALS, "deals")
    if n_deals % session:
        below = n_deals - n_deals % session
        near = f"{below} or {below + session}" if below else f"{session}"
        raise InvalidInput(
            f"n_deals = {n_deals}: must be a whole number of sessions of {session} deals, such as {near}"
        )
    return session


def _restore(game: Game, label: str, about: Mapping[str, Any]) -> Policy:
    try:
        policy = game.make_policy(label)
    except InvalidInput:
        return SavedPolicy(label, about)
    same = content_hash(policy.describe()) == content_hash(dict(about))
    return policy if same else SavedPolicy(label, about)

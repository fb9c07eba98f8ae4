"""Policies from files: a table of probabilities, or a Python file that defines a policy of one's own."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import polars as pl
from numba import cloudpickle

from ..core.errors import InvalidInput
from ..games.protocol import Game, Policy
from .scenario import RunConfig, SavedPolicy

__all__ = ["make_policy", "with_policies_from_files"]

_READERS: dict[str, Callable[[Path], pl.DataFrame]] = {
    ".csv": pl.read_csv,
    ".parquet": pl.read_parquet,
    ".json": pl.read_json,
}


def make_policy(game: Game, text: str, base: Path | None = None) -> Policy:
    """A policy from ``FILE.py:NAME``, ``table:FILE[,option=value...]``, or a name that the game knows.

    Parameters
    ----------
    game : Game
        Whose policy.
    text : str
        What was typed.
    base : Path, optional
        Folder that relative paths start from; by default the current one.

    Raises
    ------
    InvalidInput
        If a file cannot be read, or does not define a policy.
    """
    path, colon, name = text.rpartition(":")
    if colon and path.endswith(".py"):
        return _from_python(game, (base or Path()) / path, name, text)
    kind, colon, rest = text.partition(":")
    if colon and kind == "table":
        return _from_table(game, rest, text, base or Path())
    return game.make_policy(text)


def with_policies_from_files(config: RunConfig) -> RunConfig:
    """A config read from a manifest, with the policies that came from files made again.

    Raises
    ------
    InvalidInput
        If a file defines another policy than it did when the run was made.
    """
    seats = list(config.seats)
    for seat, policy in enumerate(seats):
        if not isinstance(policy, SavedPolicy) or not _names_a_file(policy.label):
            continue
        found = make_policy(config.game, policy.label)
        if found.describe() != policy.describe():
            raise InvalidInput(f"seats[{seat}] = {policy.label!r}: has changed since the dataset was made")
        seats[seat] = found
    return config.change(seats=seats)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that is too long, or a folder that may not be read
        return False


def _names_a_file(text: str) -> bool:
    return text.startswith("table:") or text.rpartition(":")[0].endswith(".py")


@dataclass(frozen=True)
class _Labelled:
    """A policy under the name that was typed for it, so that a dataset says where to find it again."""

    policy: Any
    label: str

    def describe(self) -> dict[str, Any]:
        return dict(self.policy.describe())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "policy":  # not yet there while it is unpickled
            raise AttributeError(name)
        return getattr(self.policy, name)


def _from_python(game: Game, path: Path, name: str, text: str) -> Policy:
    if not _is_file(path):
        raise InvalidInput(f"policy {text!r}: there is no file {path}")
    module_name = f"svara_sim_policy_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise InvalidInput(f"policy {text!r}: {path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module  # where inspect looks for the source of its functions
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise InvalidInput(f"policy {text!r}: {path} failed with {type(error).__name__}: {error}") from error
    if not hasattr(module, name):
        public = sorted(n for n in vars(module) if not n.startswith("_"))
        raise InvalidInput(f"policy {text!r}: {path} defines no {name!r}; it defines {', '.join(public) or 'nothing'}")
    # Another process cannot import this module by name: its functions travel there as they are.
    cast(Any, cloudpickle).register_pickle_by_value(module)
    try:
        policy: Any = game.make_policy(getattr(module, name))
    except InvalidInput as error:
        raise InvalidInput(f"policy {text!r}: {str(error).removeprefix('policy = ')}") from None
    return cast(Policy, _Labelled(policy, text))


def _from_table(game: Game, rest: str, text: str, base: Path) -> Policy:
    file_name, *options = rest.split(",")
    path = base / file_name
    if path.suffix not in _READERS:
        raise InvalidInput(f"policy {text!r}: a table is a file that ends in {', '.join(_READERS)}")
    values: dict[str, Any] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals:
            raise InvalidInput(f"policy {text!r}: {option!r} must be option=value")
        try:
            values[key.strip()] = float(value)
        except ValueError:
            values[key.strip()] = value.strip()
    try:
        rows = _READERS[path.suffix](path).to_dicts()
    except FileNotFoundError:
        raise InvalidInput(f"policy {text!r}: there is no file {path}") from None
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InvalidInput(f"policy {text!r}: {path} cannot be read: {str(error).splitlines()[0]}") from None
    return game.table_policy(text, rows, values)

"""The games of the suite, by name. A game is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from ..core.errors import check_choice
from .protocol import Game

__all__ = ["GAMES", "get_game"]

_WHERE = {"svara": ("svara", "SVARA"), "run_fast": ("run_fast", "RUN_FAST")}

GAMES = tuple(_WHERE)
"""Names of the games."""


def get_game(name: str) -> Game:
    """The game of this name.

    Raises
    ------
    InvalidInput
        If there is none.
    """
    folder, instance = _WHERE[check_choice("game", name, GAMES)]
    return cast(Game, getattr(import_module(f".{folder}.game", __package__), instance))

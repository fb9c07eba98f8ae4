"""The lab's one door to concrete games: by name, when one is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from ..core.errors import InvalidInput
from ..games.protocol import Game

__all__ = ["find_game"]


def find_game(game: Game | str) -> Game:
    """A game itself, or the one that the registry knows by this name.

    Raises
    ------
    InvalidInput
        If there is no such game.
    """
    if isinstance(game, str):
        registry = import_module("svara_sim.games.registry")
        return cast(Game, registry.get_game(game))
    if not hasattr(game, "make_table"):
        raise InvalidInput(f"game = {game!r}: must be a game or the name of one")
    return game

"""The rules of Run Fast as one validated value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from typing import Any

from ...core.errors import InvalidInput, check_choice, check_int, one_of
from .kernel.types import DOUBLE_SCOPES, Options

__all__ = ["MAX_POINTS", "PRESETS", "RunFastRules"]

MAX_POINTS = 500
"""Largest penalty or bonus: every score then fits 16 bits (rule 5.9)."""

PRESETS = ("standard",)


@dataclass(frozen=True)
class RunFastRules:
    """Every option of the game (section 6 of the rules); the defaults are its reading of the source.

    Parameters
    ----------
    must_beat : bool
        Who can beat the current play must (T3.4, T3.5; 6.11). Off: any reply may be passed up, and who has
        passed may come back (6.15).
    must_use_bomb : bool
        Who can beat it only by a bomb must, too (T3.4; 6.12).
    opening_needs_h3 : bool
        The first play of the deal contains the three of hearts (T2.3; 6.8). Its holder leads in any case.
    heavenly : bool
        Four threes as the first play cannot be beaten (T4.6; 6.9).
    aaa_also_triple : bool
        Three aces may be played as a triple as well (T4.5; 6.2).
    may_split_bombs : bool
        Cards of a rank held as a bomb may be played in other combinations (not excluded by the source; 6.5).
        Off: they may be played as that bomb only.
    double_scope : {"cards", "all", "none"}
        What is doubled for a loser who has never played: the points for cards, the extra points as well, or
        nothing (T5.1; 6.1, 6.26).
    spade2_penalty : int
        Points for a two of spades left in hand, 0 to 500 (T5.2).
    unplayed_bomb_penalty : int
        Points for each bomb left in hand, 0 to 500 (T5.2; 6.6, 6.7).
    bomb_bonus_each : int
        Points that each opponent pays for a bomb that wins its round as a reply, 0 to 500 (T5.4).
    bonus_to_beaten_bombs : bool
        Bombs that a stronger bomb beats earn the bonus as well (T5.4; 6.20).
    bonus_for_lead_bombs : bool
        Bombs that lead a round earn it as replies do, heavenly bombs never (T5.5; 6.21, 6.22).
    last_card_free : bool
        A single card left costs nothing, extra points aside (6.27).
    """

    must_beat: bool = True
    must_use_bomb: bool = True
    opening_needs_h3: bool = True
    heavenly: bool = True
    aaa_also_triple: bool = False
    may_split_bombs: bool = True
    double_scope: str = "cards"
    spade2_penalty: int = 10
    unplayed_bomb_penalty: int = 10
    bomb_bonus_each: int = 10
    bonus_to_beaten_bombs: bool = False
    bonus_for_lead_bombs: bool = False
    last_card_free: bool = False

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if item.type == "bool":
                check_choice(item.name, value, (True, False))
            elif item.type == "int":
                object.__setattr__(self, item.name, check_int(item.name, value, 0, MAX_POINTS, "points"))
        check_choice("double_scope", self.double_scope, ("cards", "all", "none"))

    @classmethod
    def make(cls, preset: str | None = None, options: Mapping[str, Any] | None = None) -> RunFastRules:
        """Rules of a preset with some options changed.

        Raises
        ------
        InvalidInput
            On an unknown preset or option, or a value that is not allowed.
        """
        check_choice("preset", PRESETS[0] if preset is None else preset, PRESETS)
        names = [item.name for item in fields(cls)]
        for name in options or {}:
            if name not in names:
                near = get_close_matches(str(name), names, n=1)
                hint = f" (did you mean {near[0]!r}?)" if near else ""
                raise InvalidInput(f"unknown rule {name!r}: must be {one_of(names)}{hint}")
        return cls(**(options or {}))

    def as_dict(self) -> dict[str, Any]:
        """Every option, ready for JSON and TOML, in the order of the deal history."""
        return asdict(self)

    def kernel_options(self) -> Options:
        """The options as kernels take them, with one type for each."""
        values = self.as_dict() | {"double_scope": DOUBLE_SCOPES.index(self.double_scope)}
        return Options(**values)

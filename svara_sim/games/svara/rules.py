"""The options of Svara, their defaults, limits and sources (rule page ``rules/svara.md``, section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from ...core.errors import InvalidInput, check_choice, check_int, one_of
from ...core.rng import MAX_ROUNDS

__all__ = ["MAX_CHIPS", "PRESETS", "SvaraRules", "make_rules"]

MAX_CHIPS = 1_000_000_000
"""Largest amount of an option, so that levels fit 32 bits in records and pots 64 bits anywhere."""

MAX_RAISES = 100
"""Largest `max_raises`, so that a seat's turns in a round fit the random streams."""

MAX_BLIND_FACTOR = 1_000
_MAX_SVARA_LIMIT = MAX_ROUNDS - 1


@dataclass(frozen=True, kw_only=True)
class SvaraRules:
    """The rules of one table; validated when made, immutable afterwards.

    "Forte" is the Forte rule text (in Norwegian, Russian and Thai), "Favorite" the Favorite rule text (in
    English). Where the two are silent or differ, the option names both readings.

    Parameters
    ----------
    ante : int
        Chips that each seat pays before a deal (Forte betting 1; Favorite: the "miza"). Default 60, so that a
        half, third, quarter, fifth or sixth of a pot of whole antes is whole.
    blind_size : int
        Chips of the first blind bet; 0 turns blinds off (Forte betting 2: "a certain amount").
    blind_factors : tuple of int
        What a later blind may multiply the last one by (both texts: double); from 1 to 1,000. With none, a second
        blind is not allowed.
    min_bet : int
        Least opening bet without a blind, at most `bet_limit` (neither text gives an amount).
    min_raise : int
        Least lift of the level by a raise (neither text gives an amount).
    bet_limit : int
        Highest level of one betting round; a blind may be at most half of it (house limit; default 100 antes).
    max_raises : int
        Raises in a betting round, counted afresh in each (Favorite: "not more than three times"); at most 100.
    raise_scope : {"table", "seat"}
        Whether `max_raises` counts all raises of the round or those of each seat (Favorite limits the bettor's
        own raises).
    svara_fee : "share" or int
        What a joiner pays: the pot divided by the number of tied seats, rounded down (Favorite), or an amount
        of chips (Forte betting 13: "the svara amount").
    svara_join : {"anyone", "nobody"}
        Whether the seats that are not tied may buy in (both texts: anyone).
    svara_betting : bool
        Whether a svara has betting rounds (Forte betting 12: "a new game"); without, cards are just shown, and
        there are no blinds.
    svara_blinds : bool
        Whether blind bets are allowed in a svara.
    svara_limit : int
        Svara rounds played before a further tie splits the pot (a safeguard; no text has one); at most 1,023.
    next_dealer : {"winner", "left"}
        Who deals next: the winner (Favorite: "the player with the most points ... deals the cards for the next
        game") or the next seat.
    joker : bool
        Whether 7♣ also counts 11 with the other two cards (both texts).
    small_triples : bool
        Whether three 7s, 8s or 9s count as three of a kind (Forte rule 9; Favorite lists 10 and above only).
    two_sevens : {23, 0}
        Points of two sevens; 0 is off (both texts: 23).
    three_sevens : {34, 0}
        Points of three sevens; 0 is off (Forte rule 8; Favorite: "in some variations").
    min_seats, max_seats : int
        Allowed numbers of players (both texts: at least 2; Favorite: at most 10, all that 32 cards serve).

    Raises
    ------
    InvalidInput
        Naming the option, its value and what is allowed.
    """

    ante: int = 60
    blind_size: int = 60
    blind_factors: tuple[int, ...] = (2,)
    min_bet: int = 60
    min_raise: int = 60
    bet_limit: int = 6000
    max_raises: int = 3
    raise_scope: str = "table"
    svara_fee: str | int = "share"
    svara_join: str = "anyone"
    svara_betting: bool = True
    svara_blinds: bool = True
    svara_limit: int = 64
    next_dealer: str = "winner"
    joker: bool = True
    small_triples: bool = True
    two_sevens: int = 23
    three_sevens: int = 34
    min_seats: int = 2
    max_seats: int = 10

    def __post_init__(self) -> None:
        self._keep("ante", 0, MAX_CHIPS, "chips")
        self._keep("blind_size", 0, MAX_CHIPS, "chips (0 turns blinds off)")
        self._keep("bet_limit", 1, MAX_CHIPS, "chips")
        self._keep("min_bet", 1, MAX_CHIPS, "chips")
        self._keep("min_raise", 1, MAX_CHIPS, "chips")
        if self.min_bet > self.bet_limit:
            raise InvalidInput(f"min_bet = {self.min_bet}: must be at most bet_limit = {self.bet_limit} chips")
        self._keep("max_raises", 0, MAX_RAISES)
        self._keep("svara_limit", 0, _MAX_SVARA_LIMIT, "svara rounds")
        check_choice("raise_scope", self.raise_scope, ("table", "seat"))
        check_choice("svara_join", self.svara_join, ("anyone", "nobody"))
        check_choice("next_dealer", self.next_dealer, ("winner", "left"))
        for name in ("svara_betting", "svara_blinds", "joker", "small_triples"):
            check_choice(name, getattr(self, name), (True, False))
        check_choice("two_sevens", self.two_sevens, (23, 0))
        check_choice("three_sevens", self.three_sevens, (34, 0))
        self._keep("min_seats", 2, 10, "seats")
        self._keep("max_seats", self.min_seats, 10, "seats (at least min_seats)")
        self._check_fee_and_factors()

    def _keep(self, name: str, low: int, high: int, unit: str = "") -> None:
        """Check a number, and keep it as Python's own int, whatever kind of whole number it came as."""
        object.__setattr__(self, name, check_int(name, getattr(self, name), low, high, unit))

    def _check_fee_and_factors(self) -> None:
        if isinstance(self.svara_fee, str):
            if self.svara_fee != "share":
                raise InvalidInput(
                    f"svara_fee = {self.svara_fee!r}: must be 'share' or a whole number from 0 to {MAX_CHIPS} chips"
                )
        else:
            self._keep("svara_fee", 0, MAX_CHIPS, "chips (or 'share')")
        given: Any = self.blind_factors
        if isinstance(given, str) or not hasattr(given, "__iter__"):
            raise InvalidInput(f"blind_factors = {given!r}: must be a list of whole numbers such as [2, 3]")
        factors = tuple(check_int("blind_factors", f, 1, MAX_BLIND_FACTOR) for f in given)
        if len(set(factors)) != len(factors) or len(factors) > 16:
            raise InvalidInput(f"blind_factors = {list(factors)}: must be at most 16 different whole numbers")
        object.__setattr__(self, "blind_factors", factors)

    def as_dict(self) -> dict[str, Any]:
        """Every option, as TOML and JSON write it."""
        return {**asdict(self), "blind_factors": list(self.blind_factors)}

    def scoring(self) -> dict[str, Any]:
        """The options that change points, and nothing else."""
        return {name: getattr(self, name) for name in ("joker", "small_triples", "two_sevens", "three_sevens")}


PRESETS: dict[str, SvaraRules] = {
    "forte": SvaraRules(),
    "favorite": SvaraRules(small_triples=False, raise_scope="seat"),
    "vip": SvaraRules(max_seats=9, blind_factors=(2, 3, 4), next_dealer="left"),
}
"""Rule sets by name: the two source texts, and a public house with larger blinds that they do not cover."""


def make_rules(preset: str | None = None, options: Mapping[str, Any] | None = None) -> SvaraRules:
    """Rules of a preset (default ``"forte"``) with some options changed.

    Parameters
    ----------
    preset : str, optional
        A key of `PRESETS`.
    options : mapping, optional
        Option name to value, as read from TOML or JSON.

    Raises
    ------
    InvalidInput
        On an unknown preset or option, or a value that is not allowed.
    """
    base = PRESETS[check_choice("rules", "forte" if preset is None else preset, tuple(PRESETS))]
    known = [f.name for f in fields(SvaraRules)]
    for name in options or {}:
        if name not in known:
            check_choice("option", name, known)
    try:
        return replace(base, **dict(options or {}))
    except TypeError as error:  # pragma: no cover - names are checked above
        raise InvalidInput(f"rules: {error}; options are {one_of(known)}") from None

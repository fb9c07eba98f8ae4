"""The settlement of a deal in words: what each loser pays, and for what (rule 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .deck import DECK, RANKS
from .rules import RunFastRules
from .schema import BOMB_NAMES

__all__ = ["explain_penalty", "explain_scores"]

_TWO, _ACE = DECK.card("2s"), RANKS.index("A")


def _bombs(hand: Sequence[int]) -> list[str]:
    """Bombs in a hand, such as ``"four 7s"``."""
    ranks = [card % len(RANKS) for card in hand]
    return [name for rank, name in enumerate(BOMB_NAMES) if ranks.count(rank) == (3 if rank == _ACE else 4)]


def explain_penalty(rules: RunFastRules, hand: Sequence[int]) -> list[tuple[str, int]]:
    """The parts of what a loser pays for the cards left in its hand, each with its points."""
    n = len(hand)
    never_played = n == 16
    cards = 0 if rules.last_card_free and n == 1 else n
    doubled = never_played and rules.double_scope != "none"
    words = f"{n} card{'s' if n > 1 else ''} left" + (", doubled: never played" if doubled else "")
    parts = [(words, cards * (2 if doubled else 1))]
    times = 2 if never_played and rules.double_scope == "all" else 1
    if _TWO in hand:
        parts.append(("2♠ left", rules.spade2_penalty * times))
    parts += [(f"{bomb} left", rules.unplayed_bomb_penalty * times) for bomb in _bombs(hand)]
    return parts


def explain_scores(
    rules: RunFastRules, history: dict[str, Any], left: Sequence[Sequence[int]], names: Sequence[str]
) -> list[str]:
    """One line for each seat: its score, and what it is made of.

    Parameters
    ----------
    rules : RunFastRules
    history : dict
        Of the finished deal.
    left : sequence of card sequences
        What each seat holds at the end.
    names : sequence of str
        Of the seats.
    """
    lines = []
    for seat, name in enumerate(names):
        if seat == history["winner"]:
            parts = [("the others' penalties", sum(history["penalty"]))]
        else:
            parts = [(words, -points) for words, points in explain_penalty(rules, left[seat])]
        if history["bonus"][seat]:
            parts.append(("bombs that won their rounds", history["bonus"][seat]))
        detail = ", ".join(f"{points:+d} {words}" for words, points in parts)
        lines.append(f"  {name}: {history['scores'][seat]:+d} points ({detail})")
    return lines

"""Deal histories `runfast-deal/1` (rule 9) and their telling in words.

The kernel plays ranks; the cards are put on its moves here, by a fixed convention: of each rank a player lays the
cards that come first in the order of the suits, but the three of hearts before any other three.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .deck import DECK, RANKS, hand_order
from .kernel.moves import HEAVENLY, KIND_NAMES, MOVES, PASS

__all__ = ["FORMAT", "Laid", "kind_name", "lay_cards", "lay_moves", "make_history", "tell"]

FORMAT = "runfast-deal/1"
_THREE_OF_HEARTS = DECK.card("3h")
_BY_SLOT = {move.slot: move for move in MOVES}


def lay_cards(hand: list[int], move: int) -> list[int]:
    """Take the cards of a move out of a hand (changed) and return them, lowest rank first."""
    shape = _BY_SLOT[48 if move == HEAVENLY else move]
    laid = []
    for rank in shape.ranks:
        held = [card for card in hand if card % len(RANKS) == rank]
        held.sort(key=lambda card: (card != _THREE_OF_HEARTS, hand_order(card)))
        laid += held[: shape.depth]
    for card in laid:
        hand.remove(card)
    return laid


def _kind(move: int) -> str:
    if move == PASS:
        return "pass"
    return "heavenly" if move == HEAVENLY else KIND_NAMES[_BY_SLOT[move].kind]


def kind_name(move: int) -> str:
    """What people call a move: pair run, heavenly bomb, ..."""
    return "heavenly bomb" if move == HEAVENLY else _kind(move).replace("_", " ")


class Laid(NamedTuple):
    """A move with its cards: the seat, the slot, the cards laid (none: a pass), and how many cards it leaves."""

    seat: int
    move: int
    cards: list[int]
    left: int


def lay_moves(hands: Sequence[Sequence[int]], opener: int, log: Sequence[int]) -> tuple[list[Laid], list[list[int]]]:
    """The moves of a log with their cards, and what is left in the hands after them."""
    left = [sorted(hand, key=hand_order) for hand in hands]
    moves = []
    for ply, move in enumerate(log):
        seat = (opener + ply) % len(hands)
        cards = [] if move == PASS else lay_cards(left[seat], move)
        moves.append(Laid(seat, move, cards, len(left[seat])))
    return moves, left


def make_history(
    rules: dict[str, Any],
    seed: int,
    deal: int,
    hands: Sequence[Sequence[int]],
    opener: int,
    log: Sequence[int],
    outcome: dict[str, Any],
) -> dict[str, Any]:
    """One deal, ready for JSON, with the keys in the order of the format.

    Parameters
    ----------
    rules : dict
        `RunFastRules.as_dict()`.
    seed, deal : int
    hands : sequence of card sequences
        The three hands as dealt.
    opener : int
    log : sequence of int
        Slots of the moves, as the kernel logs them.
    outcome : dict
        ``bonus``, ``penalty``, ``scores`` (three ints each) and ``winner``.
    """
    dealt = [DECK.write(sorted(hand, key=hand_order)) for hand in hands]
    moves = [
        {"seat": laid.seat, "cards": DECK.write(laid.cards), "kind": _kind(laid.move)}
        for laid in lay_moves(hands, opener, log)[0]
    ]
    return {
        "format": FORMAT,
        "rules": rules,
        "seed": seed,
        "deal": deal,
        "hands": dealt,
        "opener": opener,
        "moves": moves,
        **{name: outcome[name] for name in ("bonus", "penalty", "scores", "winner")},
    }


def tell(history: dict[str, Any]) -> str:
    """A history in words, one line for each play."""
    lines = [f"Run Fast, seed {history['seed']}, deal {history['deal']}"]
    for seat, hand in enumerate(history["hands"]):
        mark = "  (holds 3♥, leads)" if seat == history["opener"] else ""
        lines.append(f"  seat {seat}: {' '.join(hand)}{mark}")
    left = [len(hand) for hand in history["hands"]]
    passes, leading, n_round = 0, True, 0
    for move in history["moves"]:
        seat = move["seat"]
        if leading:
            n_round += 1
            lines.append(f"Round {n_round}")
            leading = False
        left[seat] -= len(move["cards"])
        if move["kind"] == "pass":
            passes += 1
            lines.append(f"  seat {seat} passes")
            leading = passes == 2
        else:
            passes = 0
            kind = move["kind"].replace("_", " ")
            rest = f", {left[seat]} left" if left[seat] else ", and is out"
            lines.append(f"  seat {seat} plays {' '.join(move['cards'])} ({kind}){rest}")
    lines.append(f"Seat {history['winner']} wins")
    for seat in range(3):
        parts = []
        if history["penalty"][seat]:
            parts.append(f"penalty {history['penalty'][seat]}")
        if history["bonus"][seat]:
            parts.append(f"bombs {history['bonus'][seat]:+d}")
        detail = f"  ({', '.join(parts)})" if parts else ""
        lines.append(f"  seat {seat}: {history['scores'][seat]:+d} points{detail}")
    return "\n".join(lines)

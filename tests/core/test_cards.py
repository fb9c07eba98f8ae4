"""Reading and writing cards: every spelling, and every way to get one wrong."""

from __future__ import annotations

import pytest

from svara_sim.core.cards import SUITS, Deck
from svara_sim.core.errors import InvalidInput

DECK = Deck(("7", "8", "9", "10", "J", "Q", "K", "A"))
OTHER = Deck(("3", "4", "10", "2"), missing=frozenset({"2♠", "3♣"}))


def spellings(name: str) -> set[str]:
    """Every way to write a card."""
    rank, suit = name[:-1], name[-1]
    ranks = {rank, rank.lower()} | ({"T", "t"} if rank == "10" else set())
    letter = "shdc"[SUITS.index(suit)]
    suits = {suit, letter, letter.upper(), "♤♡♢♧"[SUITS.index(suit)]}
    return {f"{space}{r}{inner}{s}{space}" for r in ranks for s in suits for space in ("", " ") for inner in ("", " ")}


@pytest.mark.parametrize("deck", [DECK, OTHER])
def test_every_spelling_of_every_card(deck: Deck) -> None:
    for index in deck.cards:
        for text in spellings(deck.names[index]):
            assert deck.card(text) == index
    assert len({deck.card(t) for i in deck.cards for t in spellings(deck.names[i])}) == len(deck.cards)


def test_indices() -> None:
    assert DECK.cards == tuple(range(32))
    assert [DECK.card(c) for c in ("7♠", "A♠", "7h", "td", "Ac")] == [0, 7, 8, 19, 31]
    assert OTHER.names[3] == "2♠"
    assert set(range(16)) - set(OTHER.cards) == {OTHER.names.index("2♠"), OTHER.names.index("3♣")}
    assert DECK.write([31, 0, 19]) == ["A♣", "7♠", "10♦"]


UNKNOWN = [
    "", " ", "7", "♠", "6♠", "1♠", "11♠", "0♠", "7x", "77♠", "♠7", "10", "T", "7♠♠", "7♠8♠", "joker", "B♣", "10 ",
]  # fmt: skip


@pytest.mark.parametrize("text", UNKNOWN)
def test_unknown_cards(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        DECK.card(text)
    assert str(caught.value) == (
        f"unknown card {text!r}: write a rank (7 8 9 10 J Q K A; T is 10) and a suit (♠ ♥ ♦ ♣ or s h d c)"
    )


def test_cards_that_the_deck_leaves_out() -> None:
    for text in ("2♠", "2s", "3C"):
        with pytest.raises(InvalidInput, match=r"unknown card .*\(3 4 10 2; T is 10\).*, without 2♠ 3♣"):
            OTHER.card(text)


HANDS = ["7♣ K♥ K♦", "7♣,K♥,K♦", " 7c, Kh ,kd ", "7♣\tK♥\nK♦", ["7♣", "K♥", "K♦"], ("7c", "kH", "KD")]


@pytest.mark.parametrize("text", HANDS)
def test_hands(text: object) -> None:
    assert DECK.hand(text, 3) == [24, 14, 22]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("7♣ K♥", r"2 cards in '7♣ K♥': a hand has 3"),
        ("", r"0 cards in '': a hand has 3"),
        ("7♣ K♥ K♦ 8♠", r"4 cards in .*: a hand has 3"),
        ("7♣ K♥ 7c", r"repeated card 7♣ in '7♣ K♥ 7c': a deck has one of each"),
        ("10♠ Ts 8h", r"repeated card 10♠"),
        ("7♣ K♥ X♦", r"unknown card 'X♦': write a rank"),
        ("7♣K♥K♦", r"unknown card '7♣K♥K♦'"),
        (["7♣", "K♥ K♦"], r"unknown card 'K♥ K♦'"),
    ],
)
def test_hands_that_are_wrong(text: object, message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as caught:
        DECK.hand(text, 3)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_hands_of_any_size() -> None:
    assert DECK.hand("7♣") == [24]
    assert DECK.hand(iter(["7♣", "K♥", "K♦"]), 3) == [24, 14, 22]
    assert DECK.hand([]) == []

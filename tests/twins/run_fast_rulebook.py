"""The independent, slow rulebook of Run Fast, from the rule page alone; it shares no code with the package.

* `legal(hand, top, opening, rules)`: legal combinations, by looking at every subset of the cards;
* `audit(history)` plays a `runfast-deal/1` history again and demands that everything in it follows;
* `play_random(rng, rules)` makes legal histories; `random_rules(rng)` option mappings; `penalty` settles a hand.

Cards are their names. A combination is (kind, length, top rank): ("pair_run", 3, 11) is QQKKAA.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np

RANKS = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]
DECK = [r + s for s in "♠♥♦♣" for r in RANKS if r not in ("A", "2")] + ["A♠", "A♦", "A♣", "2♠"]
ACE, TWO = 11, 12
DEFAULTS: dict[str, Any] = {
    "must_beat": True,
    "must_use_bomb": True,
    "opening_needs_h3": True,
    "heavenly": True,
    "aaa_also_triple": False,
    "may_split_bombs": True,
    "double_scope": "cards",
    "spade2_penalty": 10,
    "unplayed_bomb_penalty": 10,
    "bomb_bonus_each": 10,
    "bonus_to_beaten_bombs": False,
    "bonus_for_lead_bombs": False,
    "last_card_free": False,
}
KEYS = ["format", "rules", "seed", "deal", "hands", "opener", "moves", "bonus", "penalty", "scores", "winner"]

Combination = tuple[str, int, int]
Rules = dict[str, Any]


class RuleBroken(Exception):
    """A history that the rules do not allow."""


def demand(condition: bool, message: str) -> None:
    if not condition:
        raise RuleBroken(message)


def rank_of(card: str) -> int:
    return RANKS.index(card[:-1])


@cache
def subsets(n: int, sizes: tuple[int, ...]) -> Any:
    """Every subset of n things, of the given sizes (or of any), as rows of 0 and 1."""
    rows = (np.arange(1, 1 << n)[:, None] >> np.arange(n) & 1).astype(np.int8)
    return rows[np.isin(rows.sum(axis=1), sizes)] if sizes else rows


def bombs_in(hand: list[str]) -> set[int]:
    """Ranks held as a bomb: four of 3 to K, three aces."""
    ranks = [rank_of(c) for c in hand]
    return {r for r in range(12) if ranks.count(r) == (3 if r == ACE else 4)}


def combinations(hand: list[str], rules: Rules, opening: bool, sizes: tuple[int, ...] = ()) -> set[Combination]:
    """Every combination in a hand (section 4), by looking at each subset of its cards.

    On the opening, subsets without the three of hearts are left out, and four threes are heavenly.
    """
    chosen = subsets(len(hand), sizes)
    ranks = np.array([rank_of(c) for c in hand])
    counts = chosen @ (ranks[:, None] == np.arange(13)).astype(np.int8)
    ok = np.ones(len(chosen), bool)
    if opening and rules["opening_needs_h3"]:
        ok &= chosen[:, hand.index("3♥")] == 1
    size, kinds_of_rank = counts.sum(axis=1), (counts > 0).sum(axis=1)
    top = 12 - (counts[:, ::-1] > 0).argmax(axis=1)
    low = (counts > 0).argmax(axis=1)
    row = kinds_of_rank == top - low + 1
    no_two = counts[:, TWO] == 0
    one_rank = kinds_of_rank == 1
    if not rules["may_split_bombs"]:
        held = np.array([r in bombs_in(hand) for r in range(13)])
        touches = (counts * held > 0).any(axis=1)
        whole = one_rank & (size == np.where(top == ACE, 3, 4))
        ok &= ~touches | whole
    three_aces = one_rank & (size == 3) & (top == ACE)
    found: set[Combination] = set()

    def add(kind: str, mask: Any, length: Any) -> None:
        found.update((kind, int(n), int(t)) for n, t in zip(length[mask & ok], top[mask & ok], strict=True))

    one = np.ones_like(size)
    add("single", size == 1, one)
    add("pair", one_rank & (size == 2), one)
    add("triple", one_rank & (size == 3) & ~three_aces, one)
    if rules["aaa_also_triple"] and rules["may_split_bombs"]:
        add("triple", three_aces, one)
    add("bomb", (one_rank & (size == 4)) | three_aces, one)
    add("straight", row & no_two & (size == kinds_of_rank) & (size >= 5), kinds_of_rank)
    pairs = row & no_two & (size == 2 * kinds_of_rank) & (counts.max(axis=1) == 2) & (kinds_of_rank >= 2)
    add("pair_run", pairs, kinds_of_rank)
    if opening and rules["heavenly"] and ("bomb", 1, 0) in found:
        found.remove(("bomb", 1, 0))
        found.add(("heavenly", 1, 0))
    return found


def beats(reply: Combination, top: Combination) -> bool:
    """Rule 3.3."""
    if top[0] == "heavenly":
        return False
    if reply[0] == "bomb" and top[0] != "bomb":
        return True
    return reply[:2] == top[:2] and reply[2] > top[2]


def cards_in(combination: Combination) -> int:
    kind, length, top = combination
    each = {"single": 1, "pair": 2, "triple": 3, "straight": 1, "pair_run": 2}.get(kind, 3 if top == ACE else 4)
    return each * length


def legal(hand: list[str], top: Combination | None, opening: bool, rules: Rules) -> tuple[set[Combination], bool]:
    """Legal combinations on `top` (None: a lead), and whether passing is legal."""
    if top is None:
        return combinations(hand, rules, opening), False
    sizes = tuple(sorted({cards_in(top), 3, 4}))
    replies = {c for c in combinations(hand, rules, False, sizes) if beats(c, top)}
    ordinary = {c for c in replies if c[0] != "bomb"}
    may_pass = not replies or not rules["must_beat"] or (not ordinary and not rules["must_use_bomb"])
    return replies, may_pass


def penalty(hand: list[str], never_played: bool, rules: Rules) -> int:
    """Rules 5.1 to 5.3."""
    cards = 0 if rules["last_card_free"] and len(hand) == 1 else len(hand)
    extra = rules["spade2_penalty"] * ("2♠" in hand) + rules["unplayed_bomb_penalty"] * len(bombs_in(hand))
    scope = rules["double_scope"]
    if never_played and scope != "none":
        cards *= 2
    if never_played and scope == "all":
        extra *= 2
    return cards + extra


def random_rules(rng: random.Random) -> Rules:
    """Random options, each as often off its default as on it."""
    rules = {name: rng.random() < 0.5 for name, value in DEFAULTS.items() if isinstance(value, bool)}
    points = {name: rng.choice([0, 1, 7, 10, 25]) for name, value in DEFAULTS.items() if type(value) is int}
    found = {**rules, **points, "double_scope": rng.choice(["cards", "all", "none"])}
    return {name: found[name] for name in DEFAULTS}


class Deal:
    """One deal in play."""

    def __init__(self, hands: list[list[str]], first: int, opening: bool, rules: Rules) -> None:
        self.hands, self.rules = [list(h) for h in hands], rules
        self.seat, self.opening = first, opening
        self.top: Combination | None = None
        self.top_is_lead = False
        self.owner, self.passes = first, 0
        self.passed: set[int] = set()
        self.bonus = [0, 0, 0]
        self.unpaid: list[int] = []
        self.winner: int | None = None

    def legal(self) -> tuple[set[Combination], bool]:
        moves, may_pass = legal(self.hands[self.seat], self.top, self.opening, self.rules)
        if self.rules["must_beat"] and self.rules["must_use_bomb"] and self.seat in self.passed:
            demand(not moves, "lemma 3.4: a player who passed could reply later in the round")
        return moves, may_pass

    def _end_round(self) -> None:
        """Rule 5.5: the last play's bonus, if it is a bomb in reply; or each bomb's, by option."""
        for seat in self.unpaid if self.rules["bonus_to_beaten_bombs"] else self.unpaid[-1:]:
            for other in range(3):
                each = self.rules["bomb_bonus_each"]
                self.bonus[other] += 2 * each if other == seat else -each
        self.unpaid, self.top, self.passed = [], None, set()

    def do_pass(self) -> None:
        self.passes += 1
        self.passed.add(self.seat)
        if self.passes == 2:
            self._end_round()
        self.seat = (self.seat + 1) % 3

    def do_play(self, combination: Combination, cards: list[str]) -> None:
        for card in cards:
            demand(card in self.hands[self.seat], f"{card} is not in the hand of seat {self.seat}")
            self.hands[self.seat].remove(card)
        if combination[0] == "bomb" and (self.top is not None or self.rules["bonus_for_lead_bombs"]):
            self.unpaid.append(self.seat)
        self.top, self.owner, self.passes, self.opening = combination, self.seat, 0, False
        if not self.hands[self.seat]:
            self.winner = self.seat
            self._end_round()
        self.seat = (self.seat + 1) % 3

    def settle(self) -> tuple[list[int], list[int]]:
        """Penalties and scores."""
        assert self.winner is not None
        paid = [0 if s == self.winner else penalty(h, len(h) == 16, self.rules) for s, h in enumerate(self.hands)]
        scores = [b - p for b, p in zip(self.bonus, paid, strict=True)]
        scores[self.winner] += sum(paid)
        return paid, scores


def name_cards(cards: list[str], opening: bool, rules: Rules) -> set[Combination]:
    """What a set of cards may be called (two names for three aces under an option)."""
    free = {**rules, "may_split_bombs": True, "opening_needs_h3": False}
    return {c for c in combinations(cards, free, opening, (len(cards),)) if cards_in(c) == len(cards)}


def audit(history: dict[str, Any]) -> None:
    """Demand that a history follows the rules and says all that follows from them, to the letter."""
    demand(list(history) == KEYS, f"keys {list(history)}")
    demand(history["format"] == "runfast-deal/1", "format")
    rules, hands = history["rules"], history["hands"]
    demand(list(rules) == list(DEFAULTS), "rules: every option, in order")
    demand([len(h) for h in hands] == [16, 16, 16], "16 cards each")
    demand(sorted(card for hand in hands for card in hand) == sorted(DECK), "the 48 cards")
    demand("3♥" in hands[history["opener"]], "the holder of the three of hearts leads")
    deal = Deal(hands, history["opener"], True, rules)
    for i, move in enumerate(history["moves"]):
        where = f"move {i} {move}"
        demand(list(move) == ["seat", "cards", "kind"], f"{where}: keys")
        demand(deal.winner is None, f"{where}: the deal is over")
        demand(move["seat"] == deal.seat, f"{where}: it is seat {deal.seat}'s turn")
        moves, may_pass = deal.legal()
        if move["kind"] == "pass":
            demand(may_pass and not move["cards"], f"{where}: may not pass")
            deal.do_pass()
            continue
        names = {c for c in name_cards(move["cards"], deal.opening, rules) if c[0] == move["kind"]}
        demand(len(names) == 1, f"{where}: these cards are no {move['kind']}")
        combination = names.pop()
        demand(combination in moves, f"{where}: not legal")
        if deal.opening and rules["opening_needs_h3"]:
            demand("3♥" in move["cards"], f"{where}: without the three of hearts")
        deal.do_play(combination, move["cards"])
    demand(deal.winner is not None, "the deal is not over")
    paid, scores = deal.settle()
    told = (history["bonus"], history["penalty"], history["scores"], history["winner"])
    demand(told == (deal.bonus, paid, scores, deal.winner), f"{told}, not {(deal.bonus, paid, scores, deal.winner)}")
    demand(sum(scores) == 0, "scores sum to zero")


def take(hand: list[str], combination: Combination, opening: bool, rng: random.Random) -> list[str]:
    """Some cards of the hand that make the combination; with the three of hearts on the opening, if it has threes."""
    _, length, top = combination
    each = cards_in(combination) // length
    cards: list[str] = []
    for rank in range(top - length + 1, top + 1):
        held = [c for c in hand if rank_of(c) == rank]
        rng.shuffle(held)
        if opening:
            held.sort(key=lambda c: c != "3♥")
        cards += held[:each]
    return cards


def play_random(rng: random.Random, rules: Rules) -> dict[str, Any]:
    """A deal of random legal play, as a history of seed 0."""
    deck = list(DECK)
    rng.shuffle(deck)
    hands = [deck[:16], deck[16:32], deck[32:]]
    opener = next(s for s in range(3) if "3♥" in hands[s])
    deal = Deal(hands, opener, True, rules)
    moves: list[dict[str, Any]] = []
    while deal.winner is None:
        seat, opening = deal.seat, deal.opening
        legal_moves, may_pass = deal.legal()
        choices: list[Combination | None] = [*sorted(legal_moves), *([None] if may_pass else [])]
        choice = rng.choice(choices)
        if choice is None:
            moves.append({"seat": seat, "cards": [], "kind": "pass"})
            deal.do_pass()
        else:
            cards = take(deal.hands[seat], choice, opening, rng)
            moves.append({"seat": seat, "cards": cards, "kind": choice[0]})
            deal.do_play(choice, cards)
    paid, scores = deal.settle()
    told = ["runfast-deal/1", rules, 0, 0, hands, opener, moves, deal.bonus, paid, scores, deal.winner]
    return dict(zip(KEYS, told, strict=True))

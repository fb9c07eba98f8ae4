"""Two games with known values: Kuhn's poker and Leduc hold'em, as trees for the solver."""

from __future__ import annotations

from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from svara_sim.games.game_tree import CHANCE, LEAF, Branch, DenseDeals, TreeGame, grow

KUHN_VALUE = -1 / 18
LEDUC_VALUE = -0.085606424


class Spot(NamedTuple):
    """Where a hand stands: actions of the rounds so far, the board's rank (-1: none yet), what each has paid in."""

    rounds: tuple[str, ...]
    board: int
    paid: tuple[int, int]
    folded: int = -1


def kuhn() -> TreeGame:
    """Kuhn's poker: three cards, an ante of 1 each, one bet of 1."""

    def expand(history: str) -> Branch:
        if history in ("pp", "bp", "bb", "pbp", "pbb"):
            return Branch(LEAF)
        names = ("pass", "bet") if history in ("", "p") else ("fold", "call")
        return Branch(len(history) % 2, [(n, history + h) for n, h in zip(names, "pb", strict=True)])

    tree, states = grow("", expand)
    chance = (1 - np.eye(3)) / 6
    order = np.sign(np.arange(3)[:, None] - np.arange(3)[None, :])
    worth = {"pp": (0, 1), "bp": (1, 0), "bb": (0, 2), "pbp": (-1, 0), "pbb": (0, 2)}
    payoff = np.array([worth.get(h, (0, 0)) for h in states], dtype=float)
    cards = ("J", "Q", "K")
    return TreeGame("kuhn", tree, DenseDeals((chance, chance * order)), payoff, (cards, cards), states=states)


def _round_over(actions: str) -> bool:
    return actions.endswith("c") and len(actions) >= 2


def _leduc_branch(spot: Spot) -> Branch:
    actions = spot.rounds[-1]
    if spot.folded >= 0:
        return Branch(LEAF)
    if _round_over(actions):
        if len(spot.rounds) == 2:
            return Branch(LEAF)
        boards = [(f"board {'JQK'[b]}", spot._replace(rounds=(*spot.rounds, ""), board=b)) for b in range(3)]
        return Branch(CHANCE, boards)
    player, size = len(actions) % 2, 2 * len(spot.rounds)
    owed = max(spot.paid) - spot.paid[player]

    def after(action: str, chips: int) -> Spot:
        paid = list(spot.paid)
        paid[player] += chips
        return spot._replace(rounds=(*spot.rounds[:-1], actions + action), paid=tuple(paid))

    options: list[tuple[str, Any]] = []
    if owed:
        options.append(("fold", after("f", 0)._replace(folded=player)))
    options.append(("call" if owed else "check", after("c", owed)))
    if actions.count("r") < 2:
        options.append(("raise", after("r", owed + size)))
    return Branch(player, options)


def leduc() -> TreeGame:
    """Leduc hold'em: six cards of three ranks, two rounds of bets of 2 and 4, two raises in each, a board."""
    tree, states = grow(Spot(("",), -1, (1, 1)), _leduc_branch)
    matrices = []
    for board in range(-1, 3):
        chance, order = np.zeros((3, 3)), np.zeros((3, 3))
        for a, b, c in permutations(range(6), 3):
            i, j, k = a // 2, b // 2, c // 2
            if board not in (-1, k):
                continue
            rank_0, rank_1 = (9 if i == k else i), (9 if j == k else j)
            chance[i, j] += 1 / 120
            order[i, j] += np.sign(rank_0 - rank_1) / 120
        matrices += [chance, order]
    payoff = np.zeros((len(states), len(matrices)))
    for node, spot in enumerate(states):
        if tree.player[node] != LEAF:
            continue
        if spot.folded >= 0:
            payoff[node, 2 * (spot.board + 1)] = spot.paid[1] if spot.folded == 1 else -spot.paid[0]
        else:
            payoff[node, 2 * (spot.board + 1) + 1] = spot.paid[0]
    cards = ("J", "Q", "K")
    return TreeGame("leduc", tree, DenseDeals(tuple(matrices)), payoff, (cards, cards), unit="chips", states=states)

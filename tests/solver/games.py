"""Random games and strategies for the tests of the solver."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from svara_sim.games.game_tree import LEAF, Branch, RankedDeals, TreeGame, grow
from svara_sim.solver.sides import sides_of
from svara_sim.solver.strategy import Strategy


def ranked_pairs(n_cards: int, rng: np.random.Generator) -> RankedDeals:
    """Hands of two of a few cards, with random ranks; hands that share a card cannot meet."""
    hands = list(combinations(range(n_cards), 2))
    rank = np.sort(rng.integers(0, 4, len(hands)))
    order = rng.permutation(len(hands))
    hands = [hands[k] for k in order]
    n = len(hands)
    total = n * (n_cards - 2) * (n_cards - 3) / 2
    # disjoint = 1 - cards in common + [the same hand], as marks: all, each card; the rest on the diagonal
    marks = [(0, *(1 + c for c in hand)) for hand in hands]
    start = np.arange(n + 1) * 3
    sign = np.array([1.0] + [-1.0] * n_cards) / total
    return RankedDeals(rank, start, np.array(marks).reshape(-1), np.ones(3 * n), sign, np.full(n, -1.0) / total)


def random_ranked(rng: np.random.Generator, *, dense: bool = False, n_cards: int = 6, depth: int = 4) -> TreeGame:
    """A random tree with random payoffs over hands of two cards; the first decisions are made before the deal."""

    def expand(path: tuple[int, ...]) -> Branch:
        if len(path) >= depth or (len(path) > 1 and rng.random() < 0.3):
            return Branch(LEAF)
        n_children = int(rng.integers(2, 4))
        children = [(str(k), (*path, k)) for k in range(n_children)]
        return Branch(int(rng.integers(2)) if path else 0, children, seen=len(path) >= 1)

    tree, states = grow((), expand)
    deals = ranked_pairs(n_cards, rng)
    payoff = rng.normal(size=(len(states), 3)) * (tree.player == LEAF)[:, None]
    names = tuple(str(i) for i in range(len(deals.rank)))
    return TreeGame("random", tree, deals.dense() if dense else deals, payoff, (names, names), states=states)


def random_strategy(game: TreeGame, player: int, rng: np.random.Generator) -> Strategy:
    """Any probabilities, some of them 0."""
    side, n = sides_of(game)[player], game.deals.n_classes[player]
    values = np.ones((len(side.child), n))
    for d, (first, count) in enumerate(zip(side.first.tolist(), side.n_actions.tolist(), strict=True)):
        weights = rng.exponential(size=(count, n if side.seen[d] else 1))
        weights[1:] *= rng.random(weights[1:].shape) < 0.7
        values[first : first + count] = weights / weights.sum(axis=0)
    return Strategy(game, player, values)

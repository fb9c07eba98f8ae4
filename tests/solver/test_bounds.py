"""Strategies, best responses and bounds, on games whose figures are known and against enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from svara_sim.core.errors import InvalidInput
from svara_sim.games.game_tree import LEAF, RankedDeals, TreeGame
from svara_sim.solver.bounds import best_response, bounds, expected_value, sequence_values
from svara_sim.solver.sides import sides_of
from svara_sim.solver.strategy import Strategy, from_reach, mix, pure, uniform

from .games import random_ranked, random_strategy
from .textbook import KUHN_VALUE, kuhn, leduc


def value_by_leaves(game: TreeGame, first: Strategy, second: Strategy) -> float:
    """The value, leaf by leaf and pair by pair."""
    tree, total = game.tree, 0.0
    for leaf in np.flatnonzero(tree.player == LEAF).tolist():
        reach = [np.ones(n) for n in game.deals.n_classes]
        node = leaf
        while node:
            up = int(tree.parent[node])
            if tree.player[up] >= 0:
                strategy = (first, second)[tree.player[up]]
                reach[tree.player[up]] = reach[tree.player[up]] * strategy.at(up)[node - tree.first_child[up]]
            node = up
        matrix = sum(game.payoff[leaf, k] * game.deals.matrix(k) for k in range(game.deals.n_structures))
        total += float(reach[0] @ matrix @ reach[1])
    return total


def test_uniform_strategies_of_the_textbook_games() -> None:
    game = kuhn()
    found = bounds((uniform(game, 0), uniform(game, 1)))
    assert found.value == pytest.approx(1 / 8)
    assert 2 * found.exploitability == pytest.approx(11 / 12)
    game = leduc()
    found = bounds((uniform(game, 0), uniform(game, 1)))
    assert 2 * found.exploitability == pytest.approx(4.747222222222222)
    assert found.gap_0 + found.gap_1 == pytest.approx(2 * found.exploitability)


@pytest.mark.parametrize("dense", [False, True])
def test_values_agree_with_sums_over_leaves(dense: bool) -> None:
    rng = np.random.default_rng(5)
    for _ in range(6):
        game = random_ranked(rng, dense=dense)
        pair = random_strategy(game, 0, rng), random_strategy(game, 1, rng)
        assert expected_value(*pair) == pytest.approx(value_by_leaves(game, *pair), abs=1e-12)
        worth = sequence_values(pair[1], pair[0])
        assert worth[0].sum() == pytest.approx(-expected_value(*pair), abs=1e-12)


def test_ranked_deals_are_what_they_are_written_out() -> None:
    rng = np.random.default_rng(6)
    for _ in range(4):
        game = random_ranked(rng)
        deals = game.deals
        assert isinstance(deals, RankedDeals)
        assert deals.matrix(0).sum() == pytest.approx(1)
        assert deals.matrix(0).min() > -1e-15
        twin = TreeGame(game.name, game.tree, deals.dense(), game.payoff, game.classes)
        for player in (0, 1):
            strategy = random_strategy(game, player, rng)
            same = Strategy(twin, player, strategy.values)
            assert best_response(strategy).value == pytest.approx(best_response(same).value, abs=1e-12)


def test_best_response_is_the_best_of_all_pure_strategies_of_kuhn() -> None:
    game, rng = kuhn(), np.random.default_rng(7)
    for player in (0, 1):
        other = random_strategy(game, 1 - player, rng)
        side = sides_of(game)[player]
        values = []
        for choice in itertools.product(range(2), repeat=3 * len(side.node)):
            answer = pure(game, player, np.array(choice).reshape(len(side.node), 3))
            value = expected_value(*((answer, other) if player == 0 else (other, answer)))
            values.append(value if player == 0 else -value)
        found = best_response(other)
        assert found.value == pytest.approx(max(values), abs=1e-12)
        met = expected_value(*((found.strategy, other) if player == 0 else (other, found.strategy)))
        assert (met if player == 0 else -met) == pytest.approx(found.value, abs=1e-12)


def test_a_known_equilibrium_of_kuhn_has_no_gap() -> None:
    game = kuhn()
    alpha = 0.2
    first, second = uniform(game, 0), uniform(game, 1)
    values = [first.values.copy(), second.values.copy()]
    strategies = []
    names = {"": [[1 - alpha, alpha], [1, 0], [1 - 3 * alpha, 3 * alpha]]}
    names |= {"pb": [[1, 0], [2 / 3 - alpha, 1 / 3 + alpha], [0, 1]]}
    names |= {"p": [[2 / 3, 1 / 3], [1, 0], [0, 1]], "b": [[1, 0], [2 / 3, 1 / 3], [0, 1]]}
    for node, history in enumerate(game.states):
        player = int(game.tree.player[node])
        if player >= 0:
            first_row = int(sides_of(game)[player].first[list(sides_of(game)[player].node).index(node)])
            values[player][first_row : first_row + 2] = np.array(names[history]).T
    strategies = [Strategy(game, p, values[p]) for p in (0, 1)]
    found = bounds((strategies[0], strategies[1]))
    assert found.low == pytest.approx(KUHN_VALUE, abs=1e-12)
    assert found.high == pytest.approx(KUHN_VALUE, abs=1e-12)


def test_a_player_held_everywhere_wins_what_its_strategy_wins() -> None:
    rng = np.random.default_rng(8)
    game = random_ranked(rng)
    pair = random_strategy(game, 0, rng), random_strategy(game, 1, rng)
    free = np.zeros(pair[1].values.shape, np.bool_)
    found = best_response(pair[0], held=pair[1], free=free)
    assert found.value == pytest.approx(-expected_value(*pair), abs=1e-12)
    part = best_response(pair[0], held=pair[1], free=rng.random(free.shape) < 0.5).value
    assert found.value < part < best_response(pair[0]).value


def test_trembles_cost_the_responder() -> None:
    rng = np.random.default_rng(9)
    game = random_ranked(rng)
    strategy = random_strategy(game, 0, rng)
    free = best_response(strategy).value
    assert best_response(strategy, least=1e-9).value == pytest.approx(free, abs=1e-6)
    shaken = best_response(strategy, least=0.1)
    assert shaken.value < free
    assert shaken.strategy.values.min() == pytest.approx(0.1)
    met = -expected_value(strategy, shaken.strategy)
    assert met == pytest.approx(shaken.value, abs=1e-12)


def test_a_mixture_plays_as_its_members_do() -> None:
    rng = np.random.default_rng(10)
    game = random_ranked(rng)
    members = [random_strategy(game, 1, rng) for _ in range(3)]
    weights = np.array([3.0, 1.0, 2.0])
    crowd = mix(members, weights)
    for _ in range(3):
        other = random_strategy(game, 0, rng)
        apart = sum(w * expected_value(other, m) for w, m in zip(weights / 6, members, strict=True))
        assert expected_value(other, crowd) == pytest.approx(apart, abs=1e-12)


def test_from_reach_inverts_reach() -> None:
    rng = np.random.default_rng(11)
    game = random_ranked(rng)
    strategy = random_strategy(game, 0, rng)
    assert np.allclose(from_reach(game, 0, 7 * strategy.reach()).values, strategy.values, atol=1e-12)


def test_wrong_strategies_are_refused() -> None:
    game = kuhn()
    good = uniform(game, 0)
    for change, complaint in ((2.0, "from 0 to 1"), (0.25, "do not add up to 1"), (np.nan, "from 0 to 1")):
        values = good.values.copy()
        values[1, 1] = change
        with pytest.raises(InvalidInput, match=complaint):
            Strategy(game, 0, values)
    with pytest.raises(InvalidInput, match="shape"):
        Strategy(game, 1, good.values[:, :2])
    with pytest.raises(InvalidInput, match="weights"):
        mix([good], [-1.0])
    with pytest.raises(InvalidInput, match="action that there is not"):
        pure(game, 0, np.full(2, 2))
    with pytest.raises(InvalidInput, match="two players"):
        expected_value(good, good)
    blind = random_ranked(np.random.default_rng(12))
    side = sides_of(blind)[0]
    values = uniform(blind, 0).values.copy()
    d = int(np.flatnonzero(side.seen == 0)[0])
    values[side.first[d], 0], values[side.first[d] + 1, 0] = 1.0, 0.0
    values[side.first[d] + 2 : side.first[d] + side.n_actions[d], 0] = 0.0
    with pytest.raises(InvalidInput, match="has not seen"):
        Strategy(blind, 0, values)

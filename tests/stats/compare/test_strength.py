from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest

from svara_sim.games.svara.exact import hand_odds
from svara_sim.games.svara.exact.strength import expected_strength
from svara_sim.games.svara.rules import SvaraRules
from svara_sim.games.svara.scoring import HANDS, points_table

POINTS = points_table(SvaraRules()).astype(np.int64)


@pytest.mark.parametrize("index", [0, 777, 4000, 4959])
def test_one_opponent_against_a_plain_count(index: int) -> None:
    hand = set(HANDS[index])
    others = [p for h, p in zip(HANDS, POINTS.tolist(), strict=True) if not hand & set(h)]
    p20, p27 = (sum(p >= level for p in others) / comb(29, 3) for level in (20, 27))
    found = expected_strength(POINTS, (20, 27), 2)[index]
    # one opponent: a product of indicators is the indicator of the highest level
    assert found[:9] == pytest.approx([p20, p20, p20, p27, p27, p27, p27, p27, p27])
    odds = hand_odds(POINTS, HANDS[index], 2)
    assert found[9:] == pytest.approx([float(odds.p_win), float(odds.p_svara)])


@pytest.mark.parametrize(("players", "level"), [(3, 27), (4, 30)])
def test_several_opponents_against_enumeration(players: int, level: int) -> None:
    index = 2345
    hand = set(HANDS[index])
    strong = [set(h) for h, p in zip(HANDS, POINTS.tolist(), strict=True) if p >= level and not hand & set(h)]
    disjoint = [[x for x in strong if not x & y] for y in strong]
    pairs = sum(map(len, disjoint))
    triples = sum(not x & z for near in disjoint for x, z in combinations(near, 2)) * 2
    m = players - 1
    f1 = m * len(strong) / comb(29, 3)
    f2 = m * (m - 1) * pairs / (comb(29, 3) * comb(26, 3))
    f3 = m * (m - 1) * (m - 2) * triples / (comb(29, 3) * comb(26, 3) * comb(23, 3))
    found = expected_strength(POINTS, (level,), players)[index]
    assert found[:3] == pytest.approx([f1, f1 + f2, f1 + 3 * f2 + f3])

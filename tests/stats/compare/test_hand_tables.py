from __future__ import annotations

import pytest

from svara_sim.games.svara.exact.hand_tables import odds_by_points
from svara_sim.games.svara.rules import SvaraRules
from svara_sim.games.svara.scoring import points_table


def test_shares_of_the_pot_add_up_to_it() -> None:
    found = odds_by_points(points_table(SvaraRules()), [2, 5])
    for players, frame in found.group_by("players"):
        assert frame["hands"].sum() == 4960
        mean = (frame["share"] * frame["hands"]).sum() / 4960
        assert mean == pytest.approx(1 / int(str(players[0])), abs=1e-12)
    ten = found.filter((found["players"] == 2) & (found["points"] == 10))
    assert ten["hands"][0] == 1104
    assert 0 < ten["p_win"][0] < ten["share"][0] < 0.5

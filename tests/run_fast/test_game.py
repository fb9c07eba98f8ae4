"""Run Fast through the protocol of games: blocks, records, totals, histories, policies, and errors."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from svara_sim.core.errors import IllegalAction, InvalidInput
from svara_sim.games.run_fast import RUN_FAST, FunctionPolicy, RunFastRules
from svara_sim.games.run_fast.history import FORMAT
from svara_sim.games.run_fast.kernel.block import play_block
from svara_sim.games.run_fast.kernel.layout import N_RECORD, RECORD_NAMES, TOTAL_NAMES
from svara_sim.games.run_fast.policies import AskPolicy, nth_move
from svara_sim.games.run_fast.rules import MAX_POINTS
from svara_sim.games.run_fast.schema import RECORD_COLUMNS, TOTAL_COLUMNS

MIX = ["random", "greedy", "fewest_long"]


def make_table(seats: list[Any] | None = None, seed: int = 5, lenient: bool = False, **options: Any) -> Any:
    return RUN_FAST.make_table(RUN_FAST.make_rules(None, options), seats or MIX, seed, lenient=lenient)


def last_move(view: Any) -> int:
    return nth_move(view, view.n_moves - 1)


def illegal_sometimes(view: Any) -> int:
    return 500 if view.ply > 10 else nth_move(view, 0)


def answer_minus_one(view: Any) -> int:
    return -1


def total_of(records: Any, name: str) -> Any:
    return sum(records[f"{name}{s}"].astype(np.int64) for s in range(3))


def test_totals_add_the_records_up() -> None:
    block = make_table(["fewest", "greedy", "random"]).simulate_block(0, 5_000, 1_000, True)
    records, totals = block.records, block.totals
    assert records is not None
    assert totals.shape == (5, len(TOTAL_COLUMNS))
    assert list(records) == [c.name for c in RECORD_COLUMNS] == list(RECORD_NAMES)
    assert all(records[c.name].dtype == c.dtype for c in RECORD_COLUMNS)
    assert len(RECORD_COLUMNS) == N_RECORD
    found = dict(zip(TOTAL_NAMES, totals.sum(axis=0).tolist(), strict=True))
    assert np.all(total_of(records, "score_") == 0)
    assert np.all(total_of(records, "bonus_") == 0)
    assert found["deals"] == 5_000
    for name in ("plies", "plays", "rounds", "two_left"):
        assert found[name] == records[name].sum()
    for name in ("bombs_dealt", "bombs_played", "reply_bombs", "bombs_left", "never_played"):
        assert found[name] == total_of(records, f"{name}_").sum()
    for seat in range(3):
        assert found[f"wins_{seat}"] == (records["winner"] == seat).sum()
        assert found[f"points_{seat}"] == records[f"score_{seat}"].sum()
        assert found[f"opened_{seat}"] == (records["opener"] == seat).sum()
        assert np.all((records[f"cards_left_{seat}"] == 0) == (records["winner"] == seat))
        assert np.all(records[f"never_played_{seat}"] == (records[f"cards_left_{seat}"] == 16))
    for plays in range(1, 14):
        held = np.stack([records[f"fewest_{s}"] == plays for s in range(3)])
        points = np.stack([records[f"score_{s}"] for s in range(3)])
        assert found[f"fewest_hands_{plays}"] == held.sum()
        assert found[f"fewest_points_{plays}"] == points[held].sum()
    for bomb in range(12):
        held = np.stack([records[f"bomb_ranks_{s}"] >> bomb & 1 for s in range(3)]) == 1
        assert found[f"bomb_hands_{bomb}"] == held.sum()
        assert found[f"bomb_points_{bomb}"] == np.stack([records[f"score_{s}"] for s in range(3)])[held].sum()
    two = records["two_seat"]
    assert found["two_wins"] == (two == records["winner"]).sum()
    assert found["heavenly_dealt"] == (records["heavenly"] > 0).sum()
    assert found["heavenly_played"] == (records["heavenly"] == 2).sum()
    bonus = np.stack([records[f"bonus_{s}"] for s in range(3)])
    assert found["bonus_deals"] == (bonus != 0).any(axis=0).sum()
    for seat in range(3):
        for place in range(3):
            there = records["opener"] == (seat - place) % 3
            pair = 3 * seat + place
            assert found[f"seat_place_points_{pair}"] == records[f"score_{seat}"][there].sum()
            assert found[f"seat_place_wins_{pair}"] == (records["winner"][there] == seat).sum()


@pytest.mark.parametrize("seats", [MIX, ["monte_carlo:worlds=3", "random", "greedy"]])
def test_blocks_do_not_matter(seats: list[str]) -> None:
    """One block, uneven blocks, and blocks on two threads give the same deals and totals."""
    table = make_table(seats)
    whole = table.simulate_block(100, 600, 50, True)
    cuts = [100, 101, 237, 500, 700]
    with ThreadPoolExecutor(2) as pool:
        parts = list(pool.map(lambda i: table.simulate_block(cuts[i], cuts[i + 1] - cuts[i], 50, True), range(4)))
    totals = np.zeros_like(whole.totals)
    for part in parts:
        rows = slice(part.first_batch - whole.first_batch, part.first_batch - whole.first_batch + len(part.totals))
        totals[rows] += part.totals
    assert whole.first_batch == 2
    assert np.array_equal(totals, whole.totals)
    for name in RECORD_NAMES:
        assert np.array_equal(np.concatenate([p.records[name] for p in parts]), whole.records[name])


def test_replays_are_the_deals_of_the_run() -> None:
    table = make_table()
    records = table.simulate_block(40, 30, 1000, True).records
    histories = list(table.replay(40, 30))
    for i, history in enumerate(histories):
        assert history["format"] == FORMAT
        assert (history["seed"], history["deal"]) == (5, 40 + i)
        assert history["opener"] == records["opener"][i]
        assert history["winner"] == records["winner"][i]
        assert history["scores"] == [records[f"score_{s}"][i] for s in range(3)]
        assert len(history["moves"]) == records["plies"][i]
        assert json.loads(json.dumps(history)) == history
        words = table.transcript(history)
        assert f"Seat {history['winner']} wins" in words
        assert words.count("passes") == sum(m["kind"] == "pass" for m in history["moves"])


def test_the_first_play_lays_the_three_of_hearts_first() -> None:
    for history in make_table(["random"] * 3).replay(0, 50):
        assert history["moves"][0]["cards"][0] == "3♥"


def test_a_deal_played_on_from_outside() -> None:
    """Answering for a seat move by move gives the deal that the policy would have played."""
    policy = make_table(["greedy", "random", "fewest"])
    table = make_table([AskPolicy(), "random", "fewest"])
    for deal in range(20):
        whole = policy.play_on(deal)
        played = table.play_on(deal)
        while not played.finished:
            assert played.waiting == 0
            assert played.log == whole.log[: len(played.log)]
            played = table.play_on(deal, whole.log[: len(played.log) + 1])
        assert played.log == whole.log
        assert table.history(played) == policy.history(whole)
    with pytest.raises(InvalidInput, match="asked"):
        list(table.replay(0, 20))
    with pytest.raises(InvalidInput, match="asked"):
        table.simulate_block(0, 20, 20, False)


def test_hints_are_the_monte_carlo_estimates() -> None:
    table = make_table([AskPolicy()] * 3)
    policy = make_table(["monte_carlo:worlds=40"] * 3)
    for deal in range(10):
        played = table.play_on(deal)
        while not played.finished:
            slots, passable = table.choices(played)
            hint = table.hint(played, 40)
            assert list(hint) == [*slots, *([192] if passable else [])]
            assert len(hint) > 1
            best = max(hint, key=lambda move: hint[move])
            chosen = policy.play_on(deal, played.log).log[len(played.log)]
            assert (48 if chosen == 193 else chosen) == best
            played = table.play_on(deal, [*played.log, best])
    with pytest.raises(InvalidInput, match="nobody is waited for"):
        table.hint(played)
    with pytest.raises(InvalidInput, match="is over after"):
        table.play_on(0, [*policy.play_on(0).log, 192])


def test_own_policies_play_without_a_new_kernel() -> None:
    make_table(["greedy"] * 3).simulate_block(0, 10, 10, False)
    compiled = len(getattr(play_block, "signatures", []))
    mine = FunctionPolicy("mine", last_move)
    table = make_table([mine, "random", mine])
    block = table.simulate_block(0, 2_000, 1_000, True)
    assert len(getattr(play_block, "signatures", [])) == compiled
    assert block.clamped.tolist() == [0, 0, 0]
    assert mine.label == "mine"
    assert "def last_move" in mine.describe()["choose"]


def test_illegal_answers() -> None:
    mine = FunctionPolicy("mine", illegal_sometimes)
    with pytest.raises(IllegalAction, match=r"seat 1 \(mine\): move 500 is illegal"):
        make_table(["random", mine, "random"]).simulate_block(0, 100, 100, False)
    block = make_table(["random", mine, "random"], lenient=True).simulate_block(0, 100, 100, True)
    assert block.clamped[1] > 0
    assert block.clamped[[0, 2]].tolist() == [0, 0]
    negative = FunctionPolicy("negative", answer_minus_one)
    with pytest.raises(IllegalAction, match=r"\(negative\): move -1 is illegal"):
        make_table([negative] * 3).simulate_block(0, 10, 10, False)
    with pytest.raises(IllegalAction, match="move 191 is illegal"):
        make_table().play_on(0, [191])


def sees_nothing(view: Any) -> Any:
    return view.hands


def divides_by_zero(view: Any) -> Any:
    return nth_move(view, 0) + 1 // (view.size - view.size)


def test_functions_that_fail() -> None:
    told = "policy 'blind': Numba cannot compile the function: unknown attribute 'hands' of the view "
    with pytest.raises(InvalidInput, match=told + r"\(did you mean 'hand'\?\), in: return view\.hands"):
        make_table([FunctionPolicy("blind", sees_nothing)] * 3)
    with pytest.raises(IllegalAction, match=r"\(zero\): its function raised an exception; must be a legal slot"):
        make_table([FunctionPolicy("zero", divides_by_zero)] * 3).simulate_block(0, 10, 10, False)
    with pytest.raises(IllegalAction, match="raised an exception"):  # no illegal move, which this table would set right
        make_table([FunctionPolicy("zero", divides_by_zero)] * 3, lenient=True).simulate_block(0, 10, 10, False)


def test_options_change_what_they_should() -> None:
    """Each option away from its default changes some deal of random play, or its settlement."""
    changes: dict[str, Any] = {
        "must_beat": False,
        "must_use_bomb": False,
        "opening_needs_h3": False,
        "heavenly": False,
        "aaa_also_triple": True,
        "may_split_bombs": False,
        "double_scope": "all",
        "spade2_penalty": 0,
        "unplayed_bomb_penalty": 11,
        "bomb_bonus_each": 9,
        "bonus_to_beaten_bombs": True,
        "bonus_for_lead_bombs": True,
        "last_card_free": True,
    }
    assert set(changes) == set(RunFastRules().as_dict())
    for name, value in changes.items():
        # Who must beat has no chance to keep a bomb, but for very short deals.
        base = {"must_beat": False} if name == "unplayed_bomb_penalty" else {}
        totals = [
            make_table(["random"] * 3, **options).simulate_block(0, 50_000, 50_000, False).totals
            for options in (base, base | {name: value})
        ]
        assert not np.array_equal(*totals), name


def test_largest_points_fit_the_records() -> None:
    table = make_table(
        ["random"] * 3,
        double_scope="all",
        spade2_penalty=MAX_POINTS,
        unplayed_bomb_penalty=MAX_POINTS,
        bomb_bonus_each=MAX_POINTS,
        bonus_to_beaten_bombs=True,
        bonus_for_lead_bombs=True,
    )
    block = table.simulate_block(0, 20_000, 20_000, True)
    found = dict(zip(TOTAL_NAMES, block.totals[0].tolist(), strict=True))
    assert all(found[f"points_{s}"] == block.records[f"score_{s}"].sum() for s in range(3))
    assert max(np.abs(block.records[f"score_{s}"]).max() for s in range(3)) < 25_000


def test_measures_name_columns() -> None:
    seats = [RUN_FAST.make_policy(s) for s in MIX]
    names = {c.name for c in RUN_FAST.total_columns(3)}
    found = RUN_FAST.measures(seats)
    assert {m.total for m in found} | {m.per for m in found} <= names
    assert len({(m.table, tuple(m.keys.items())) for m in found}) == len(found)
    totals = make_table().simulate_block(0, 2_000, 2_000, False).totals[0]
    value = dict(zip(TOTAL_NAMES, totals.tolist(), strict=True))
    for measure in found:
        if measure.kind == "proportion":
            assert 0 <= value[measure.total] <= value[measure.per], measure
    assert {c.unit for c in RUN_FAST.record_columns(3)} >= {"points", "seat", "cards"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"must_beet": True}, r"unknown rule 'must_beet'.*did you mean 'must_beat'"),
        ({"must_beat": 1}, "must_beat = 1: must be True or False"),
        ({"must_beat": "yes"}, "must_beat = 'yes'"),
        ({"double_scope": "card"}, r"double_scope = 'card'.*did you mean 'cards'"),
        ({"spade2_penalty": -1}, "spade2_penalty = -1: must be from 0 to 500"),
        ({"bomb_bonus_each": 501}, "bomb_bonus_each = 501"),
        ({"unplayed_bomb_penalty": 2.5}, "unplayed_bomb_penalty = 2.5: must be a whole number"),
        ({"spade2_penalty": True}, "spade2_penalty = True"),
    ],
)
def test_nonsense_rules(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        RUN_FAST.make_rules(None, options)


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ("gredy", r"policy = 'gredy'.*did you mean 'greedy'"),
        ("greedy:worlds=3", "greedy has no parameters"),
        ("monte_carlo:worlds=0", "worlds = 0: must be from 1 to"),
        ("monte_carlo:worlds=many", "worlds = 'many' must be a whole number"),
        ("monte_carlo:worlds=3,worlds=4", "given twice"),
        ("monte_carlo:worlds", "must be parameter=value"),
        ("monte_carlo:world=3", r"'world'.*did you mean 'worlds'"),
        ("monte_carlo:inference=2", "inference = 2"),
        (17, "policy = 17"),
    ],
)
def test_nonsense_policies(policy: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        RUN_FAST.make_policy(policy)


def test_other_nonsense() -> None:
    rules = RUN_FAST.make_rules()
    with pytest.raises(InvalidInput, match="preset = 'house'"):
        RUN_FAST.make_rules("house")
    with pytest.raises(InvalidInput, match="players = 4"):
        RUN_FAST.check_players(4, rules)
    assert RUN_FAST.check_players(3, rules) == 3
    with pytest.raises(InvalidInput, match="session_deals = 10: Run Fast has no sessions"):
        RUN_FAST.make_table(rules, MIX, 1, session_deals=10)
    with pytest.raises(InvalidInput, match="no policies from tables"):
        RUN_FAST.table_policy("mine", [], {})
    with pytest.raises(InvalidInput, match="2 policies"):
        RUN_FAST.make_table(rules, MIX[:2], 1)
    with pytest.raises(InvalidInput, match="seed = -1"):
        RUN_FAST.make_table(rules, MIX, -1)
    with pytest.raises(InvalidInput, match="rules = None"):
        RUN_FAST.make_table(None, MIX, 1)
    with pytest.raises(InvalidInput, match="n_units = 0"):
        make_table().simulate_block(0, 0, 10, False)
    with pytest.raises(InvalidInput, match="must be a function"):
        FunctionPolicy("mine", 3)  # type: ignore[arg-type]


def test_library_and_defaults() -> None:
    names = [info.name for info in RUN_FAST.policy_library()]
    assert names == ["random", "greedy", "fewest", "fewest_long", "monte_carlo"]
    described = RUN_FAST.make_policy("monte_carlo:inference=0").describe()
    assert described == {"kind": "library", "name": "monte_carlo", "worlds": 50, "inference": 0, "greedy_playouts": 0}
    assert all(RUN_FAST.make_policy(s).label == s for s in RUN_FAST.default_seats)
    assert RUN_FAST.make_rules("standard") == RunFastRules()

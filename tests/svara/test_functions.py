"""Policies of one's own: what they see, what happens when they err, and that the kernel stays as it is."""

from __future__ import annotations

import os
import pydoc
import random
import re
import subprocess
import sys
from typing import Any

import numba
import numpy as np
import pytest

from svara_sim.core.errors import IllegalAction, InvalidInput
from svara_sim.core.fingerprint import source_of
from svara_sim.experiments import simulate
from svara_sim.games.svara.kernel.block import play_block, replay_unit
from svara_sim.games.svara.kernel.state import View
from svara_sim.games.svara.policies import CALL, FOLD, FunctionPolicy

from .helpers import FINGERPRINT, RANDOM_FUNCTION, make_table
from .oracle import decisions_of

# -- what they see ------------------------------------------------------------------------------------

SEEN: list[tuple[str, dict[str, float]]] = []


def _note(kind: int, view: Any) -> None:
    SEEN.append((("blind", "bet", "join")[kind], view._asdict()))


@numba.njit
def note(kind: Any, view: Any) -> Any:
    with numba.objmode():
        _note(kind, view)


def watching_bet(view: Any) -> Any:
    note(1, view)
    if view.random < 0.2:
        return FOLD
    if view.random < 0.6 or view.min_raise_to == 0:
        return CALL
    return min(view.max_raise_to, view.min_raise_to + view.ante)


def watching_blind(view: Any) -> Any:
    note(0, view)
    return view.next_blind if view.random < 0.6 else 0


def watching_join(view: Any) -> Any:
    note(2, view)
    return 1 if view.random < 0.7 else 0


WATCHING = FunctionPolicy("watching", watching_bet, watching_blind, watching_join)


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {}),
        (3, {"rules": "favorite"}),
        (6, {"blind_factors": [3, 2], "bet_limit": 1500, "raise_scope": "seat"}),
        (10, {"svara_betting": False, "max_raises": 1, "svara_fee": 0}),
        (9, {"rules": "vip", "ante": 7, "min_bet": 11, "min_raise": 13}),
    ],
)
def test_a_view_holds_what_the_history_says(players: int, options: dict[str, Any]) -> None:
    """Every field at every decision, against a history read event by event; so nothing hidden is in any."""
    table = make_table([WATCHING] * players, 12, **options)
    randoms, kinds, deepest = [], set(), 0
    for deal in range(150):
        SEEN.clear()
        (history,) = table.replay(deal, 1)
        expected = list(decisions_of(history))
        assert len(SEEN) == len(expected)
        for (kind, view), (expected_kind, expected_view, event) in zip(SEEN, expected, strict=True):
            randoms.append(view.pop("random"))
            assert (kind, view) == (expected_kind, expected_view), (deal, event)
            kinds.add(kind)
            deepest = max(deepest, view["svara_round"])
    assert set(expected_view) | {"random"} == set(View._fields)
    assert kinds == {"blind", "bet"} | ({"join"} if players > 2 else set())
    assert deepest >= 1
    assert 0 <= min(randoms) < max(randoms) < 1
    assert len(set(randoms)) == len(randoms), "every decision has a number of its own"


def test_a_seat_without_cards_in_the_last_round_sees_none() -> None:
    """Who stayed out of a svara has no cards when the next is called, though the deck had some for its seat."""
    table = make_table([WATCHING] * 10, 3, blind_size=0)
    without = 0
    for deal in range(3000):
        SEEN.clear()
        list(table.replay(deal, 1))
        for kind, view in SEEN:
            if kind == "join" and view["card_0"] < 0:
                without += 1
                assert view["svara_round"] >= 2
                assert (view["card_1"], view["card_2"], view["points"]) == (-1, -1, 0)
    assert without >= 5


# -- speed: no new kernel -----------------------------------------------------------------------------


def test_new_functions_do_not_compile_the_kernel_again() -> None:
    """A kernel with records and one without, for two seats and for more, whoever sits at the table."""
    for players in (2, 3):
        table = make_table(["call"] * players)
        for records in (True, False):
            table.simulate_block(0, 2, 2, records=records)
        list(table.replay(0, 1))
    compiled = len(play_block.signatures), len(replay_unit.signatures)
    for number in range(3):

        def bet(view: Any, shift: int = number) -> Any:
            return CALL if view.points > 10 + shift else FOLD

        mixed = make_table(["rock", FunctionPolicy(f"new {number}", bet), "random", RANDOM_FUNCTION][: number + 2])
        for records in (True, False):
            mixed.simulate_block(0, 10, 2, records=records)
        list(mixed.replay(0, 5))
    assert (len(play_block.signatures), len(replay_unit.signatures)) == compiled


# -- errors -------------------------------------------------------------------------------------------


def always(answer: Any) -> Any:
    return lambda view: answer


def illegal_bet(view: Any) -> Any:
    return view.max_raise_to + 1 if view.points == 21 and view.min_raise_to > 0 else CALL


def between(view: Any) -> Any:
    return 1


def raise_anyway(view: Any) -> Any:
    return 600


@pytest.mark.parametrize(
    ("policy", "options", "message"),
    [
        (
            FunctionPolicy("wild", illegal_bet),
            {},
            r"policy 'wild' in seat \d, deal \d+: its bet function answered 6001; "
            r"legal was -1 \(fold\), 0 \(call\) or a level from \d+ to 6000",
        ),
        (FunctionPolicy("low", between), {}, r"'low' in seat 0, deal \d+: .* answered 1; legal .* from \d+ to 6000"),
        (FunctionPolicy("below", always(-2)), {}, r"'below' .* answered -2; legal was -1 \(fold\)"),
        (
            FunctionPolicy("stuck", raise_anyway),
            {"max_raises": 0},
            r"'stuck' .* answered 600; legal was -1 \(fold\) or 0 \(call\), no raise",
        ),
        (
            FunctionPolicy("blind", always(CALL), blind=always(61)),
            {},
            r"'blind' in seat 0, deal 2: its blind function answered 61; "
            r"legal was 0 or a legal blind, the smallest being 60",
        ),
        (FunctionPolicy("minus", always(CALL), blind=always(-1)), {}, r"blind function answered -1"),
        (
            FunctionPolicy("join", always(CALL), join=always(2)),
            {},
            r"'join' .*: its join function answered 2; legal was 0 or 1",
        ),
    ],
    ids=lambda x: x.label if isinstance(x, FunctionPolicy) else "",
)
def test_an_illegal_answer_stops_the_run(policy: FunctionPolicy, options: dict[str, Any], message: str) -> None:
    table = make_table([policy, "call", "call"], 2, **options)
    with pytest.raises(IllegalAction, match=message) as caught:
        table.simulate_block(0, 20_000, 64, records=False)
    with pytest.raises(IllegalAction) as replayed:
        list(table.replay(0, 20_000))
    assert str(replayed.value) == str(caught.value)
    for threads in (1, 2):
        with pytest.raises(IllegalAction) as run:
            simulate(
                seats=[policy, "call", "call"], players=3, seed=2, rules=options, n_deals=20_000, n_threads=threads
            )
        assert str(run.value) == str(caught.value), "the first illegal answer, whatever the threads"


def test_the_deal_named_is_the_first_illegal_one() -> None:
    policy = FunctionPolicy("wild", illegal_bet)
    with pytest.raises(IllegalAction) as caught:
        make_table([policy, "call"], 2).simulate_block(0, 1000, 64, records=False)
    deal = int(str(caught.value).split("deal ")[1].split(":")[0])
    assert deal > 0
    make_table([policy, "call"], 2).simulate_block(0, deal, 64, records=False)
    for _ in make_table([policy, "call"], 2).replay(0, deal):
        pass
    with pytest.raises(IllegalAction, match=f"deal {deal}:"):
        make_table([policy, "call"], 2).simulate_block(deal, 1, 64, records=False)


@pytest.mark.parametrize(("bet", "max_raises"), [(10**9, 3), (1, 3), (-5, 3), (10**9, 0), (1, 0)])
def test_a_lenient_table_clamps_and_counts(bet: int, max_raises: int) -> None:
    policy = FunctionPolicy("wild", always(bet))
    table = make_table([policy, policy, "call"], 4, lenient=True, blind_size=0, max_raises=max_raises)
    illegal, done = [0, 0, 0], set()
    for history in table.replay(0, 60):
        for kind, view, event in decisions_of(history):
            if kind == "bet" and event["seat"] < 2:
                illegal[event["seat"]] += 1
                done.add(event["type"])
                if bet < FOLD:
                    assert event["type"] == "fold"
                elif view["min_raise_to"] == 0:
                    assert event["type"] == "call"
                else:
                    assert event["level"] == (view["max_raise_to"] if bet > 1 else view["min_raise_to"])
    assert done == ({"fold"} if bet < FOLD else {"bet", "call"} | ({"raise"} if max_raises else set()))
    block = table.simulate_block(0, 60, 8, records=False)
    assert block.clamped.tolist() == illegal
    assert illegal[0] > 0 < illegal[1]
    result = simulate(
        seats=[policy, policy, "call"],
        players=3,
        seed=4,
        n_deals=60,
        lenient=True,
        rules={"blind_size": 0, "max_raises": max_raises},
    )
    assert result.clamped == illegal


def test_a_lenient_table_sets_blinds_and_joins_right() -> None:
    policy = FunctionPolicy("wild", always(CALL), blind=always(999), join=always(7))
    table = make_table([policy] * 3, 4, lenient=True)
    joins = 0
    for history in table.replay(0, 100):
        blinds = [e["chips"] for e in history["events"] if e["type"] == "blind"][:3]
        assert blinds == [60, 120, 240]
        joins += sum(e["type"] == "join" for e in history["events"])
        assert not [e for e in history["events"] if e["type"] == "stay_out"]
    assert joins > 0
    negative = FunctionPolicy("shy", always(CALL), blind=always(-9), join=always(-1))
    for history in make_table([negative] * 3, 4, lenient=True).replay(0, 100):
        assert not [e for e in history["events"] if e["type"] in ("blind", "join")]


def divides_by_zero(view: Any) -> Any:
    return 60 // (view.points - 21) * 0


def raises_an_error(view: Any) -> Any:
    if view.points > 30:
        raise ValueError("too good")
    return CALL


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("bet", [divides_by_zero, raises_an_error])
def test_an_exception_inside_a_function_is_reported(bet: Any, lenient: bool) -> None:
    """A lenient table sets illegal actions right, not mistakes in a function."""
    table = make_table([FunctionPolicy("fragile", bet), "call"], 2, lenient=lenient)
    with pytest.raises(IllegalAction, match=r"policy 'fragile' in seat 0, deal \d+: its bet function raised an exc"):
        table.simulate_block(0, 5000, 64, records=False)


def not_compilable(view: Any) -> Any:
    return sorted({str(view): view}.items(), key=len)


def unknown_field(view: Any) -> Any:
    return view.their_cards


def returns_text(view: Any) -> Any:
    return "call"


@pytest.mark.parametrize("bet", [not_compilable, unknown_field, returns_text])
@pytest.mark.parametrize("decision", ["bet", "blind", "join"])
def test_a_function_that_numba_cannot_compile_is_invalid(bet: Any, decision: str) -> None:
    policy = FunctionPolicy("odd", **{"bet": always(CALL), decision: bet})
    with pytest.raises(InvalidInput, match=r"policy 'odd': Numba cannot compile the function: \w+") as caught:
        make_table([policy, "call"]).simulate_block(0, 1, 1, records=False)
    assert "\n" not in str(caught.value)


def misspelt(view: Any) -> Any:
    shift = 3
    return view.pointz + shift


def undefined(view: Any) -> Any:
    shift = 3
    return nothing + shift  # type: ignore[name-defined] # noqa: F821


def text_or_number(view: Any) -> Any:
    return view.points + "1"


def imports(view: Any) -> Any:
    import math

    return math.floor(view.random)


def changes_its_view(view: Any) -> Any:
    view.points = 3
    return CALL


@pytest.mark.parametrize(
    ("bet", "told"),
    [
        (misspelt, "unknown attribute 'pointz' of the view (did you mean 'points'?), in: return view.pointz + shift"),
        (unknown_field, "unknown attribute 'their_cards' of the view, in: return view.their_cards"),
        (undefined, "NameError: name 'nothing' is not defined, in: return nothing + shift"),
        (text_or_number, "no implementation of add(int64, '1'), in: return view.points + \"1\""),
        (not_compilable, "no implementation of sorted("),
        (not_compilable, "(Key must be None or a Numba JIT compiled function), in: return sorted("),
        (imports, "Use of unsupported opcode (IMPORT_NAME) found"),
        (changes_its_view, "the view cannot be changed: it sets 'points'"),
        (returns_text, "it returns text, must return a whole number"),
        (always(None), "it returns nothing, must return a whole number"),
        (len, "is not a function"),
    ],
)
def test_what_numba_complains_of_is_told_with_its_line(bet: Any, told: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        make_table([FunctionPolicy("odd", bet), "call"]).simulate_block(0, 1, 1, records=False)
    message = str(caught.value)
    assert message.startswith("policy 'odd': Numba cannot compile the function: ")
    assert told in message
    assert "\n" not in message
    assert len(message) < 400


@pytest.mark.parametrize("bet", [lambda: 0, lambda view, other: 0])
def test_a_function_takes_the_view_and_nothing_else(bet: Any) -> None:
    with pytest.raises(
        InvalidInput, match=r"policy 'odd': the function takes \(.*\): must take one argument, the view"
    ):
        make_table([FunctionPolicy("odd", bet), "call"]).simulate_block(0, 1, 1, records=False)


WITHOUT_JIT = """
from svara_sim import CALL, FunctionPolicy, IllegalAction, simulate
def half(view): return 0.5
def divides(view): return 60 // (view.points - view.points)
def fails(view): return view.nothing
def text(view): return "call"
def whole(view): return 0.0
for bet in (half, divides, fails, text, whole):
    try:
        simulate(players=2, seats=[FunctionPolicy("odd", bet), "call"], n_deals=5)
        print("fine")
    except IllegalAction as error:
        print(error)
"""


def test_without_the_jit_functions_fail_with_the_same_lines() -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", WITHOUT_JIT], env=environment, capture_output=True, text=True)
    assert done.stderr == ""
    with pytest.raises(IllegalAction) as caught:
        simulate(players=2, seats=[FunctionPolicy("odd", divides_at_once), "call"], n_deals=5)
    exception = str(caught.value)
    assert "its bet function raised an exception; legal was -1 (fold), 0 (call)" in exception
    not_whole = exception.replace("raised an exception", "did not answer with a whole number")
    assert done.stdout.splitlines() == [not_whole, exception, exception, exception, "fine"]


def divides_at_once(view: Any) -> Any:
    return 60 // (view.points - view.points)


def test_help_says_what_each_field_of_a_view_is() -> None:
    told = pydoc.plain(pydoc.render_doc(View))
    described = [
        name for line in re.findall(r"^ \|  ([a-z_0-9, ]+) : (?:int|float)$", told, re.M) for name in line.split(", ")
    ]
    assert described == list(View._fields)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"bet": 3}, r"mine: bet = 3: must be a function of a View"),
        ({"blind": 1.5}, r"mine: blind .* = 1.5: must be from 0 to 1"),
        ({"join": -0.1}, r"mine: join .* must be from 0 to 1"),
        ({"join": "often"}, r"mine: join .* = 'often': must be a number from 0 to 1"),
        ({"blind": True}, r"mine: blind .* must be a number"),
        ({"blind": float("nan")}, r"mine: blind .* must be from 0 to 1"),
    ],
)
def test_function_policies_are_checked(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        FunctionPolicy("mine", **{"bet": always(CALL), **fields})


# -- the rest -----------------------------------------------------------------------------------------


def test_functions_may_use_compiled_functions_numpy_and_closures() -> None:
    @numba.njit
    def inner(points: Any) -> Any:
        return np.sqrt(points) > 4.5

    table = np.array([FOLD, CALL])

    def bet(view: Any) -> Any:
        return table[int(inner(view.points))]

    for history in make_table([FunctionPolicy("mine", bet)] * 2).replay(0, 50):
        for kind, view, event in decisions_of(history):
            if kind == "bet":
                assert (event["type"] != "fold") == (view["points"] > 20)


def test_a_function_compiled_already_may_be_given() -> None:
    compiled = numba.njit(always(CALL))
    for history in make_table([FunctionPolicy("mine", compiled)] * 2).replay(0, 20):
        assert "showdown" in str(history["events"])


def test_probabilities_in_place_of_functions() -> None:
    for blind, join in ((0, 0), (1, 1)):
        policy = FunctionPolicy("mine", always(CALL), blind=blind, join=join)
        events = [e["type"] for h in make_table([policy] * 4).replay(0, 200) for e in h["events"]]
        assert ("blind" in events, "no_blind" in events) == (blind == 1, blind == 0)
        assert ("join" in events, "stay_out" in events) == (join == 1, join == 0)


def test_a_function_that_copies_a_table_policy_plays_as_it_does() -> None:
    def copy_of_threshold(view: Any) -> Any:
        if view.points < 20:
            return FOLD
        if view.points < 27 or view.min_raise_to == 0:
            return CALL
        lift = (view.pot + view.level - view.my_bet) // 2
        return min(view.max_raise_to, max(view.min_raise_to, view.level + lift))

    rng = random.Random(0)
    for players in (2, 5, 10):
        seats = [rng.choice(["threshold", "random", "maniac"]) for _ in range(players)]
        mine = [FunctionPolicy("mine", copy_of_threshold) if s == "threshold" else s for s in ["threshold", *seats[1:]]]
        one = make_table(["threshold", *seats[1:]], 8)
        two = make_table(mine, 8)
        assert [h["events"] for h in one.replay(0, 200)] == [h["events"] for h in two.replay(0, 200)]
        a, b = (t.simulate_block(0, 3000, 512, records=False) for t in (one, two))
        np.testing.assert_array_equal(a.totals, b.totals)


def test_descriptions_tell_functions_apart() -> None:
    one, two = FunctionPolicy("same", illegal_bet).describe(), FunctionPolicy("same", between).describe()
    assert one["kind"] == "function"
    assert one["bet"] != two["bet"]
    assert one["bet"].startswith("def illegal_bet")
    assert (one["blind"], one["join"]) == (0.0, 0.0)
    typed: dict[str, Any] = {}
    exec(compile("def typed(view):\n    return 0\n", "<a cell>", "exec"), typed)
    assert source_of(typed["typed"]) == "(no source text)"


def test_the_fingerprint_policy_is_legal() -> None:
    make_table([FINGERPRINT] * 7).simulate_block(0, 5000, 64, records=False)


def one_that_closes_over(limit: int) -> FunctionPolicy:
    def bet(view: Any) -> int:
        return CALL if view.points >= limit else FOLD

    return FunctionPolicy("same", bet)


def test_descriptions_tell_closures_apart() -> None:
    assert one_that_closes_over(10).describe() != one_that_closes_over(30).describe()
    assert one_that_closes_over(10).describe() == one_that_closes_over(10).describe()


@pytest.mark.parametrize(("answer", "told"), [(0.7, "whole"), (float("nan"), "whole"), (1e300, "whole"), (2.0, None)])
def test_an_answer_must_be_a_whole_number(answer: float, told: str | None) -> None:
    table = make_table([FunctionPolicy("floating", lambda view: answer, blind=0)] * 2, lenient=told is None)
    if told is None:
        table.simulate_block(0, 10, 10, records=False)
        return
    with pytest.raises(IllegalAction, match=r"its bet function did not answer with a whole number"):
        table.simulate_block(0, 10, 10, records=False)

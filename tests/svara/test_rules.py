"""Options: presets, every wrong value, unknown names, and what TOML and JSON bring."""

from __future__ import annotations

import dataclasses
import json
import tomllib
from typing import Any

import numpy as np
import pytest
from twins.svara_options import PRESETS as TWIN_PRESETS
from twins.svara_options import check_rules
from twins.svara_rulebook import audit

from svara_sim.core.errors import InvalidInput
from svara_sim.games.svara.game import SVARA
from svara_sim.games.svara.rules import MAX_CHIPS, PRESETS, SvaraRules, make_rules

OPTIONS = [field.name for field in dataclasses.fields(SvaraRules)]
CHIPS = ("ante", "blind_size", "min_bet", "min_raise", "bet_limit")
WHOLE = (*CHIPS, "max_raises", "svara_limit", "min_seats", "max_seats")
CHOICES = {
    "raise_scope": "'table' or 'seat'",
    "svara_join": "'anyone' or 'nobody'",
    "next_dealer": "'winner' or 'left'",
    "svara_betting": "True or False",
    "svara_blinds": "True or False",
    "joker": "True or False",
    "small_triples": "True or False",
    "two_sevens": "23 or 0",
    "three_sevens": "34 or 0",
}


def test_every_option_of_the_rule_page_and_no_other() -> None:
    assert set(OPTIONS) == set(TWIN_PRESETS["forte"])
    assert set(OPTIONS) == set(WHOLE) | set(CHOICES) | {"svara_fee", "blind_factors"}
    assert SvaraRules.__doc__ is not None
    for name in OPTIONS:
        assert name in SvaraRules.__doc__, f"{name} is not explained"


@pytest.mark.parametrize("preset", ["forte", "favorite", "vip"])
def test_presets(preset: str) -> None:
    assert list(PRESETS) == ["forte", "favorite", "vip"]
    assert make_rules(preset).as_dict() == TWIN_PRESETS[preset]
    check_rules(make_rules(preset).as_dict())
    assert make_rules(preset) is not None
    assert make_rules() == SvaraRules() == PRESETS["forte"]


@pytest.mark.parametrize("field", WHOLE)
@pytest.mark.parametrize("value", ["60", 60.0, None, True, [60], float("nan")])
def test_whole_numbers_of_another_type(field: str, value: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        make_rules(options={field: value})
    assert str(caught.value).startswith(f"{field} = {value!r}: must be a whole number from ")


LIMITS = {
    "ante": (0, MAX_CHIPS),
    "blind_size": (0, MAX_CHIPS),
    "min_bet": (1, 6000),
    "min_raise": (1, MAX_CHIPS),
    "bet_limit": (60, MAX_CHIPS),
    "max_raises": (0, 100),
    "svara_limit": (0, 1023),
    "svara_fee": (0, MAX_CHIPS),
    "min_seats": (2, 10),
    "max_seats": (2, 10),
}


@pytest.mark.parametrize("field", sorted(LIMITS))
def test_whole_numbers_out_of_range(field: str) -> None:
    low, high = LIMITS[field]
    for value in (low, high):
        assert getattr(make_rules(options={field: value}), field) == value
    for value in (low - 1, high + 1, -(10**30), 10**30):
        with pytest.raises(
            InvalidInput, match=rf"(^|\W){field} = {value}: must be|min_bet = .* bet_limit = {value}"
        ) as e:
            make_rules(options={field: value})
        assert "\n" not in str(e.value)


@pytest.mark.parametrize("field", sorted(CHOICES))
@pytest.mark.parametrize("value", ["", "Table", "yes", 1, 2.5, None, [], {}])
def test_choices(field: str, value: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        make_rules(options={field: value})
    assert str(caught.value).startswith(f"{field} = {value!r}: must be {CHOICES[field]}")


@pytest.mark.parametrize(("field", "value"), [("two_sevens", False), ("three_sevens", 34.0), ("joker", 0)])
def test_choices_of_another_type_that_compare_equal(field: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match=f"{field} = {value!r}: must be"):
        make_rules(options={field: value})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_bet": 100, "bet_limit": 99}, r"min_bet = 100: must be at most bet_limit = 99 chips"),
        ({"min_seats": 5, "max_seats": 4}, r"max_seats = 4: must be from 5 to 10 seats \(at least min_seats\)"),
        ({"svara_fee": "half"}, r"svara_fee = 'half': must be 'share' or a whole number from 0 to 1000000000 chips"),
        ({"svara_fee": 0.5}, r"svara_fee = 0.5: must be a whole number from 0 to 1000000000 chips \(or 'share'\)"),
        ({"svara_fee": True}, r"svara_fee = True: must be a whole number"),
        ({"svara_fee": None}, r"svara_fee = None: must be a whole number"),
        ({"blind_factors": [2, 2]}, r"blind_factors = \[2, 2\]: must be at most 16 different"),
        ({"blind_factors": list(range(1, 18))}, r"blind_factors = .*: must be at most 16 different"),
        ({"blind_factors": [0]}, r"blind_factors = 0: must be from 1 to 1000"),
        ({"blind_factors": [1001]}, r"blind_factors = 1001: must be from 1 to 1000"),
        ({"blind_factors": [2.0]}, r"blind_factors = 2.0: must be a whole number"),
        ({"blind_factors": "2"}, r"blind_factors = '2': must be a list of whole numbers such as \[2, 3\]"),
        ({"blind_factors": 2}, r"blind_factors = 2: must be a list of whole numbers"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        make_rules(options=options)


@pytest.mark.parametrize(
    ("preset", "options", "message"),
    [
        ("fort", {}, r"rules = 'fort': must be 'forte', 'favorite' or 'vip' \(did you mean 'forte'\?\)"),
        ("Forte", {}, r"did you mean 'forte'\?"),
        (None, {"antes": 60}, r"option = 'antes': must be 'ante', .*\(did you mean 'ante'\?\)"),
        (None, {"blind-size": 60}, r"option = 'blind-size': .*did you mean 'blind_size'\?"),
        (None, {"xyz": 1}, r"option = 'xyz': must be 'ante', 'blind_size', .* or 'max_seats'$"),
    ],
)
def test_unknown_names(preset: str | None, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        make_rules(preset, options)


def test_rules_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        make_rules().ante = 1  # type: ignore[misc]
    factors = [2, 3]
    rules = make_rules(options={"blind_factors": factors})
    factors.append(4)
    rules.as_dict()["blind_factors"].append(5)
    assert rules.blind_factors == (2, 3)
    assert hash(rules) == hash(make_rules(options={"blind_factors": (2, 3)}))


TOML = """
ante = 10
blind_size = 0
blind_factors = [2, 3]
svara_fee = 25
svara_betting = false
raise_scope = "seat"
three_sevens = 0
"""


def test_rules_from_toml_and_back() -> None:
    options = tomllib.loads(TOML)
    rules = make_rules("vip", options)
    assert rules.as_dict() == {**TWIN_PRESETS["vip"], **options}
    assert make_rules(options=rules.as_dict()) == rules
    for name in OPTIONS:
        assert type(rules.as_dict()[name]) is type(TWIN_PRESETS["vip"][name]) or name == "svara_fee"


def test_numbers_of_numpy_are_kept_as_plain_ones() -> None:
    rules = make_rules(options={"ante": np.int64(5), "svara_fee": np.int32(7), "max_seats": np.uint8(8)})
    assert {type(v) for v in (rules.ante, rules.svara_fee, rules.max_seats)} == {int}
    json.dumps(rules.as_dict())


def test_without_factors_there_is_one_blind() -> None:
    rules = make_rules(options={"blind_factors": []})
    table = SVARA.make_table(rules, [SVARA.make_policy("blind_happy")] * 3, seed=1)
    for history in table.replay(0, 50):
        audit(history)
        assert sum(e["type"] == "blind" for e in history["events"][:6]) == 1

from __future__ import annotations

import json
import pickle
import re
from typing import Any

import pytest

from svara_sim.core.errors import InvalidInput
from svara_sim.experiments.scenario import RunConfig, SavedPolicy, content_hash, first_difference

from .fake_game import DICE, DicePolicy, DiceRules


def make(**fields: Any) -> RunConfig:
    return RunConfig.create(DICE, **{"players": 3, "n_deals": 1000, **fields})


def test_seats_cycle_over_the_players() -> None:
    assert make(players=5, seats=["bold", "timid"]).labels == ["bold", "timid", "bold", "timid", "bold"]
    assert make(seats="bold").labels == ["bold"] * 3
    assert make().labels == ["timid"] * 3


def test_rules_from_name_mapping_or_object() -> None:
    assert make(rules="d20").rules == DiceRules(20)
    assert make(rules={"preset": "d20"}).rules == DiceRules(20)
    assert make(rules={"sides": 8}).rules == DiceRules(8)
    assert make(rules=DiceRules(9)).rules == DiceRules(9)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"players": 1}, r"players = 1: must be from 2 to 10"),
        ({"players": "four"}, r"players = 'four': must be a whole number"),
        ({"n_deals": 0}, r"n_deals = 0: must be from 1 to 274877906944"),
        ({"n_deals": 2.5}, r"n_deals = 2\.5: must be a whole number"),
        ({"n_deals": True}, r"n_deals = True: must be a whole number"),
        ({"seed": -1}, r"seed = -1: must be from 0"),
        ({"seats": []}, r"seats = 0 policies: must be from 1 to 3"),
        ({"seats": ["bold"] * 4}, r"seats = 4 policies: must be from 1 to 3"),
        ({"seats": ["bald"]}, r"policy = 'bald': must be .* \(did you mean 'bold'\?\)"),
        ({"rules": "d7"}, r"rules = 'd7': must be 'd6' or 'd20'"),
        ({"rules": {"faces": 3}}, r"option = 'faces': must be 'sides'"),
        ({"rules": 6}, r"rules = 6: must be rules, the name of a preset, or a mapping"),
        ({"session_deals": 0}, r"session_deals = 0: must be from 1 to 1048576 deals"),
        (
            {"session_deals": 300},
            r"n_deals = 1000: must be a whole number of sessions of 300 deals, such as 900 or 1200",
        ),
        ({"session_deals": 3000}, r"n_deals = 1000: must be .* such as 3000"),
        ({"lenient": 1}, r"lenient = 1: must be True or False"),
    ],
)
def test_wrong_fields_are_named(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as error:
        make(**fields)
    assert "\n" not in str(error.value)


def test_a_game_must_be_one() -> None:
    with pytest.raises(InvalidInput, match="game = 3: must be a game"):
        RunConfig.create(3)  # type: ignore[arg-type]


def test_round_trip_through_json() -> None:
    config = make(seats=["bold", "timid"], session_deals=10, rules="d20", seed=2**63 - 1, lenient=True)
    again = RunConfig.from_dict(json.loads(json.dumps(config.to_dict())), DICE)
    assert again == config
    assert hash(again) == hash(config)
    assert again.to_dict() == config.to_dict()


def test_policies_made_in_python_come_back_as_names() -> None:
    mine = DicePolicy("bold", stake=70, secret="mine")
    config = make(seats=[mine, "timid", DicePolicy("unheard of")])
    again = RunConfig.from_dict(config.to_dict(), DICE)
    assert again == config
    assert again.labels == config.labels
    assert [type(p) for p in again.seats] == [SavedPolicy, DicePolicy, SavedPolicy]
    with pytest.raises(InvalidInput, match=r"seats\[0\] = 'bold': was made in Python"):
        again.table()
    assert again.change(seats=config.seats).table().n_seats == 3


def test_missing_field_of_a_saved_config() -> None:
    saved = make().to_dict()
    del saved["seed"]
    with pytest.raises(InvalidInput, match="config: 'seed' is missing"):
        RunConfig.from_dict(saved, DICE)


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 1},
        {"n_deals": 999},
        {"players": 4},
        {"seats": ["bold"]},
        {"rules": "d20"},
        {"session_deals": 1},
        {"lenient": True},
    ],
)
def test_every_field_changes_the_digest(change: dict[str, Any]) -> None:
    assert make(**change).digest != make().digest
    assert make(**change) != make()


def test_the_digest_knows_what_a_policy_does_not_what_it_is_called() -> None:
    assert make(seats=[DicePolicy("a", secret="x")]) == make(seats=[DicePolicy("b", secret="x")])
    assert make(seats=[DicePolicy("a", secret="x")]) != make(seats=[DicePolicy("a", secret="y")])
    assert make(seats=["bold"]) != "bold"


def test_the_digest_is_stable() -> None:
    assert content_hash({"b": [1, 2.5, None], "a": "7♣"}) == content_hash({"a": "7♣", "b": [1, 2.5, None]})
    assert re.fullmatch("[0-9a-f]{32}", make().digest)


def test_change_checks_again() -> None:
    assert make().change(players=4, seats=["bold"]).labels == ["bold"] * 4
    with pytest.raises(InvalidInput, match="n_deals = -1"):
        make().change(n_deals=-1)


def test_configs_travel_to_other_processes() -> None:
    config = make(seats=["bold", "timid"])
    assert pickle.loads(pickle.dumps(config)) == config


def test_first_difference() -> None:
    saved = {"rules": {"ante": 60, "blinds": [2]}, "seed": 1}
    assert first_difference(saved, saved) is None
    assert first_difference(saved, {"rules": {"ante": 60, "blinds": [3]}, "seed": 2}) == ("rules.blinds[0]", 2, 3)
    assert first_difference(saved, {"rules": {"ante": 60, "blinds": [2, 3]}, "seed": 1}) == (
        "rules.blinds",
        [2],
        [2, 3],
    )
    assert first_difference(saved, {"rules": {"ante": 60, "blinds": [2]}}) == ("seed", 1, None)


def test_the_games_of_the_suite_go_by_name() -> None:
    config = RunConfig.create("svara", players=2, seats=["rock"], n_deals=10)
    assert config.game.name == "svara"
    assert RunConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config
    with pytest.raises(InvalidInput, match=r"game = 'svarra': must be .* \(did you mean 'svara'\?\)"):
        RunConfig.create("svarra")

"""The library plays as documented: legality under any rules, parameters, and what the histories show of each."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from twins.svara_rulebook import random_rules

from svara_sim.core.errors import InvalidInput
from svara_sim.games.svara.exact.pot_share import pot_share
from svara_sim.games.svara.game import SVARA
from svara_sim.games.svara.policies import LIBRARY, BetTable, TablePolicy, make_policy
from svara_sim.games.svara.rules import SvaraRules
from svara_sim.games.svara.scoring import HANDS, points_table
from svara_sim.games.svara.table import SvaraTable

from .helpers import LIMIT, make_table, random_library_policy, z_of_chi_square, z_of_count, z_of_mean
from .oracle import decisions_of

Decision = tuple[str, dict[str, int], dict[str, Any]]


def decisions(table: SvaraTable, n_deals: int, seat: int | None = None) -> Iterator[Decision]:
    """Every decision (of one seat) of the first deals of a table."""
    for history in table.replay(0, n_deals):
        for kind, view, event in decisions_of(history):
            if seat is None or event["seat"] == seat:
                yield kind, view, event


def level_of(event: dict[str, Any]) -> int | None:
    return event.get("level")


def test_at_least_eight_policies_with_documented_parameters() -> None:
    assert {"random", "call", "threshold", "pot_odds", "rock", "maniac", "blind_happy"} < set(LIBRARY)
    assert len(LIBRARY) >= 8
    assert tuple(LIBRARY.values()) == tuple(SVARA.policy_library())
    for name, info in LIBRARY.items():
        assert info.name == name
        assert info.summary
        for p in info.parameters:
            assert p.meaning
            assert p.low <= float(p.default) <= p.high
        described = make_policy(name).describe()
        assert described == {"kind": "library", "name": name, **{p.name: p.default for p in info.parameters}}


@pytest.mark.parametrize("name", sorted(LIBRARY))
def test_every_policy_plays_legally_under_random_rules(name: str) -> None:
    """Strict tables stop at an illegal action; the twin has audited what these seats do elsewhere."""
    rng = random.Random(name)
    for players in range(2, 11):
        seats = [name, "random"] * 5
        table = make_table(seats[:players], rng.getrandbits(40), **random_rules(rng, players))
        block = table.simulate_block(0, 2000, 64, records=False)
        assert not block.clamped.any()


def test_every_parameter_anywhere_in_its_range_plays() -> None:
    rng = random.Random(3)
    for _ in range(60):
        players = rng.randint(2, 10)
        seats = [random_library_policy(rng) for _ in range(players)]
        block = make_table(seats, 1, **random_rules(rng, players)).simulate_block(0, 500, 64, records=False)
        assert not block.clamped.any()


# -- text ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"policy = '': must be 'random', 'call', .* or 'blind_happy'"),
        ("thresold", r"policy = 'thresold': must be .*did you mean 'threshold'\?"),
        ("Threshold", r"policy = 'Threshold'.*did you mean 'threshold'\?"),
        ("threshold:cal=21", r"policy 'threshold': parameter = 'cal': must be 'call', .*did you mean 'call'\?"),
        ("call:raise_at=21", r"policy 'call': parameter = 'raise_at': must be 'blind' or 'join'"),
        ("threshold:call", r"'call' must be parameter=value"),
        ("threshold:=3", r"parameter = ''"),
        ("threshold:call=x", r"call = 'x' must be a number"),
        ("threshold:call=", r"call = '' must be a number"),
        ("threshold:call=nan", r"policy 'threshold': call = nan: must be from 0 to 35"),
        ("threshold:call=inf", r"call = inf: must be from 0 to 35"),
        ("threshold:call=36", r"call = 36.0: must be from 0 to 35"),
        ("threshold:call=-1", r"call = -1.0: must be from 0 to 35"),
        ("maniac:aggression=1.01", r"aggression = 1.01: must be from 0 to 1"),
        ("random:blind=-0.1", r"blind = -0.1: must be from 0 to 1"),
        ("threshold:call=20,call=21", r"parameter 'call' is given twice"),
        ("threshold:call=20;raise_at=3", r"call = '20;raise_at=3' must be a number"),
    ],
)
def test_policies_that_are_not(text: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        make_policy(text)


@pytest.mark.parametrize("thing", [None, 3, ["call"], object()])
def test_things_that_are_no_policy(thing: Any) -> None:
    with pytest.raises(InvalidInput, match=r"policy = .*: must be one of 'random'.*, or a policy of this game"):
        make_policy(thing)


@pytest.mark.parametrize("text", ["threshold:call=21,raise_at=28", " threshold : call=21 , raise_at = 28 ,"])
def test_spellings(text: str) -> None:
    policy = make_policy(text)
    assert policy.label == text.strip()
    described = policy.describe()
    assert (described["call"], described["raise_at"], described["name"]) == (21.0, 28.0, "threshold")
    assert make_policy(policy) is policy


@pytest.mark.parametrize(("players", "preset"), [(1, "forte"), (11, "forte"), (10, "vip"), (0, "favorite")])
def test_numbers_of_players(players: int, preset: str) -> None:
    rules = SVARA.make_rules(preset)
    with pytest.raises(InvalidInput, match=rf"players = {players}: must be from 2 to {rules.max_seats}"):
        SVARA.make_table(rules, [make_policy("call")] * players, 1)
    for wrong in (2.0, "2", None, True):
        with pytest.raises(InvalidInput, match=r"players = .*: must be a whole number"):
            SVARA.check_players(wrong, rules)


# -- call ---------------------------------------------------------------------------------------------


def test_call_opens_at_the_opening_price_and_calls() -> None:
    seen: Counter[str] = Counter()
    for kind, view, event in decisions(make_table(["call", "random", "random"], 3), 2000, seat=0):
        seen[event["type"]] += 1
        if kind == "bet" and view["opened"]:
            assert event["type"] == "call"
            assert event["chips"] == view["owed"] == view["level"] - view["my_bet"]
        elif kind == "bet":
            price = 2 * view["blind_level"] or 60
            assert event == {"type": "bet", "seat": 0, "chips": price - view["my_bet"], "level": price}
        else:
            assert event["type"] in ("no_blind", "stay_out")
    assert min(seen["call"], seen["bet"], seen["no_blind"], seen["stay_out"]) >= 10


# -- random -------------------------------------------------------------------------------------------


def test_random_is_uniform_over_the_legal_kinds() -> None:
    """Whatever the moment allows is as likely as the rest of it, and so is every level of a bet or raise."""
    table = make_table(["random"] * 4, 5, bet_limit=900, blind_factors=[2, 3, 5])
    situations: dict[str, Counter[str]] = {}
    levels: list[tuple[int, int, int]] = []
    blinds: Counter[tuple[int, int]] = Counter()
    for kind, view, event in decisions(table, 6000):
        if kind == "bet":
            kind += f" opened={view['opened']} can_raise={int(view['min_raise_to'] > 0)}"
        situations.setdefault(kind, Counter())[event["type"]] += 1
        level = level_of(event)
        if level is not None:
            levels.append((view["min_raise_to"], view["max_raise_to"], level))
        if event["type"] == "blind":
            blinds[view["blind_level"], event["chips"]] += 1
    legal = {
        "blind": {"blind", "no_blind"},
        "join": {"join", "stay_out"},
        "bet opened=0 can_raise=1": {"fold", "bet"},
        "bet opened=1 can_raise=1": {"fold", "call", "raise"},
        "bet opened=1 can_raise=0": {"fold", "call"},
    }
    assert {kind: set(counts) for kind, counts in situations.items()} == legal
    for kind, counts in situations.items():
        total = sum(counts.values())
        assert total > 300, kind
        for what, count in counts.items():
            assert abs(z_of_count(count, total, 1 / len(counts))) < LIMIT, (kind, what)
    low, high, level = np.array(levels).T
    assert ((low <= level) & (level <= high)).all()
    wide = high - low >= 20
    n = (high - low + 1)[wide]
    standard = (level[wide] - (low + high)[wide] / 2) / np.sqrt((n**2 - 1) / 12)
    assert abs(z_of_mean(standard)) < LIMIT
    assert abs(z_of_mean(standard**2, 1.0)) < LIMIT
    after_60 = [blinds[60, 60 * factor] for factor in (2, 3, 5)]
    assert abs(z_of_chi_square(after_60, [sum(after_60) / 3] * 3)) < LIMIT


def test_probabilities_of_blinds_and_joins_are_kept() -> None:
    table = make_table(["call:blind=0.3,join=0.8"] * 4, 6)
    counts = Counter(event["type"] for _, _, event in decisions(table, 6000))
    for yes, no, p in (("blind", "no_blind", 0.3), ("join", "stay_out", 0.8)):
        n = counts[yes] + counts[no]
        assert n > 1000
        assert abs(z_of_count(counts[yes], n, p)) < LIMIT


# -- thresholds ---------------------------------------------------------------------------------------


def raised_level(view: dict[str, int], pots: float) -> int:
    """A raise by a part of the pot after a call, within the legal range."""
    after_call = view["pot"] + view["level"] - view["my_bet"]
    lift = round(pots * 256) * after_call // 256
    return min(view["max_raise_to"], max(view["min_raise_to"], view["level"] + lift))


@pytest.mark.parametrize(
    ("text", "call", "opens", "raise_at", "per_player", "size"),
    [
        ("threshold", 20, 20, 27, 0, 0.5),
        ("threshold:call=18,raise_at=21,raise_size=0", 18, 18, 21, 0, 0),
        ("threshold:call=21,open=11,raise_at=30,raise_size=1", 21, 11, 30, 0, 1),
        ("tight:raise_size=2.25", 22, 22, 27, 0.5, 2.25),
        ("threshold:call=10,per_player=1.5,raise_at=24", 10, 10, 24, 1.5, 0.5),
        ("rock", 26, 26, 30, 0, 1),
        ("blind_happy", 18, 18, 26, 0, 0.5),
    ],
)
def test_thresholds_do_as_documented(
    text: str, call: float, opens: float, raise_at: float, per_player: float, size: float
) -> None:
    table = make_table([text, "random", "call", "maniac:aggression=0.2"], 9)
    seen: Counter[str] = Counter()
    for kind, view, event in decisions(table, 1500, seat=0):
        if kind != "bet":
            continue
        points, extra = view["points"], per_player * max(view["players_in"] - 2, 0)
        seen[event["type"]] += 1
        least = (call if view["opened"] else opens) + extra
        if points >= raise_at + extra and view["min_raise_to"]:
            assert event["level"] == raised_level(view, size)
        elif points >= min(least, raise_at + extra):
            assert event["type"] == ("call" if view["opened"] else "bet")
            assert event["chips"] == view["owed"]
        else:
            assert event["type"] == "fold"
    assert min(seen[what] for what in ("fold", "call", "bet", "raise")) > 5, seen


def test_bluffs_are_as_frequent_as_documented() -> None:
    weak = bluffs = 0
    for kind, view, event in decisions(make_table(["bluffer", "call", "call"], 2), 6000, seat=0):
        if kind == "bet" and view["points"] < 20 and view["min_raise_to"]:
            weak += 1
            bluffs += event["type"] != "fold"
            if event["type"] != "fold":
                assert event["level"] == raised_level(view, 1.0)
    assert weak > 2000
    assert abs(z_of_count(bluffs, weak, 1 / 6)) < LIMIT


def test_maniac_raises_as_often_as_documented() -> None:
    can = raised = 0
    for kind, view, event in decisions(make_table(["maniac:aggression=0.35", "maniac"], 2), 3000, seat=0):
        if kind == "bet":
            assert event["type"] != "fold"
            if view["min_raise_to"] and view["opened"]:
                can += 1
                raised += event["type"] == "raise"
    assert can > 2000
    assert abs(z_of_count(raised, can, 0.35)) < LIMIT


def test_who_always_raises_does_so_whenever_the_rules_allow() -> None:
    """An audit sees what is done against the rules, not what is left undone: under random rules nothing is."""
    rng = random.Random(8)
    seen: Counter[tuple[str, str]] = Counter()
    for number in range(90):
        players = 2 + number % 9
        rules = random_rules(rng, players)
        table = make_table(["maniac:aggression=1,raise_size=0"] * players, number, **rules)
        for kind, view, event in decisions(table, 4):
            if kind == "bet":
                seen[rules["raise_scope"], event["type"]] += 1
                allowed = "raise" if view["opened"] else "bet"
                assert event["type"] == (allowed if view["min_raise_to"] else "call"), (rules, view)
    assert min(seen[scope, kind] for scope in ("table", "seat") for kind in ("bet", "raise", "call")) > 100


def test_blind_happy_always_bets_the_largest_blind() -> None:
    table = make_table(["blind_happy"] * 3, 2, "vip")
    for kind, view, event in decisions(table, 200):
        if kind == "blind":
            last = view["blind_level"]
            expected = max((last * f for f in (2, 3, 4) if 2 * last * f <= 6000), default=0) if last else 60
            assert event == {"type": "blind", "seat": event["seat"], "chips": expected}


# -- pot odds -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"joker": False}, {"small_triples": False, "three_sevens": 0}])
def test_pot_share_heads_up_against_every_hand(options: dict[str, Any]) -> None:
    """Each hand against the 3654 that share no card with it, ties counting half."""
    rules = SvaraRules(**options)
    points = points_table(rules).astype(int)
    masks = np.array([sum(1 << card for card in hand) for hand in HANDS], dtype=np.uint32)
    share = pot_share(rules)
    worth = np.empty(len(HANDS))
    for i, (mask, mine) in enumerate(zip(masks, points, strict=True)):
        others = points[(masks & mask) == 0]
        assert len(others) == 3654
        worth[i] = ((others < mine).sum() + (others == mine).sum() / 2) / 3654
    assert share.shape == (11, 35)
    for p in range(35):
        if p in points:
            assert share[1, p] == 1
            assert share[2, p] == pytest.approx(worth[points == p].mean(), abs=1e-12)
            assert (np.diff(share[1:, p]) <= 0).all(), "more players, less of the pot"
        else:
            assert not share[:, p].any()


@pytest.mark.parametrize(("margin", "raise_at"), [(0.0, 1.6), (0.1, 0.0), (-0.2, 10.0)])
def test_pot_odds_pays_what_its_points_are_worth(margin: float, raise_at: float) -> None:
    text = f"pot_odds:margin={margin},raise_at={raise_at}"
    table = make_table([text, "random", "maniac:aggression=0.4", "call"], 21)
    share = pot_share(SvaraRules())
    seen: Counter[str] = Counter()
    for kind, view, event in decisions(table, 1500, seat=0):
        if kind != "bet":
            continue
        mine = share[view["players_in"], view["points"]]
        price, worth = view["owed"] / (view["pot"] + view["owed"]), min(1.0, max(0.0, mine - margin))
        if abs(price - worth) < 1 / 65536:  # prices are kept in 65536ths
            continue
        seen[event["type"]] += 1
        wants = mine >= min(raise_at / view["players_in"], 0.99)
        if price > worth:
            assert event["type"] == "fold"
        elif wants and view["min_raise_to"]:
            assert event["level"] == raised_level(view, 0.5)
        else:
            assert event["chips"] == view["owed"]
            assert event["type"] == ("call" if view["opened"] else "bet")
    assert seen["fold"] > 20
    assert seen["call"] + seen["raise"] > 20


def test_raise_sizes_are_exact_however_large_the_pot() -> None:
    """Pots grow fivefold with each svara that everybody joins, and a thousand of them would not fit 64 bits."""
    keen = TablePolicy("keen", BetTable((), 0.0, 1.0, 1.0, 1000.0), join=1.0)
    chips = {"ante": 10**9, "svara_fee": "share", "min_bet": 1, "min_raise": 1, "bet_limit": 10**9, "blind_size": 0}
    table = make_table([*["call:join=1"] * 9, keen], 1, **chips)
    records = table.simulate_block(0, 300_000, 1024, records=True).records
    assert records is not None
    beyond = 0
    for deal in np.argsort(-records["svara_rounds"].astype(int), kind="stable")[:100]:
        for history in table.replay(int(deal), 1):
            for _, view, event in decisions_of(history):
                if event["seat"] == 9 and "level" in event:
                    assert event["level"] == raised_level(view, 1000)
                    beyond += 256_000 * view["pot"] > 2**63
    assert beyond >= 8

"""What is played before and after a move: random cases of everything that is public, as plain JSON.

A case is a dict with an ``id``, a ``kind`` (a function of `plays`) and what that kind wants. It names policies, rules
and tables as they are called by the package before the move; `api` knows what they are called now.
"""

from __future__ import annotations

from random import Random
from typing import Any

__all__ = ["all_cases"]

SEED = 20_240_607
Case = dict[str, Any]

_LIBRARY: dict[str, dict[str, tuple[float, float]]] = {
    "random": {},
    "call": {},
    "threshold": {"call": (10, 26), "open": (8, 26), "raise_at": (18, 34), "per_player": (0, 2), "bluff": (0, 0.4)},
    "tight": {"call": (16, 28), "raise_at": (22, 34), "per_player": (0, 2)},
    "loose": {"call": (8, 20), "raise_at": (18, 30), "bluff": (0, 0.5)},
    "bluffer": {"call": (14, 26), "bluff": (0, 0.5), "raise_size": (0, 3)},
    "pot_odds": {"margin": (-0.3, 0.3), "raise_at": (0.5, 3), "raise_size": (0, 2)},
    "rock": {"call": (20, 30), "raise_at": (25, 34)},
    "maniac": {"aggression": (0, 1), "raise_size": (0, 3)},
    "blind_happy": {"call": (10, 24), "raise_at": (18, 32)},
}
_WHOLE = {"call", "open", "raise_at"}
_RUN_FAST = ["random", "greedy", "fewest", "fewest_long", "monte_carlo:worlds=2", "monte_carlo:worlds=3,inference=0"]
_SVARA_TABLES = (
    "payoff_by_seat", "payoff_by_position", "payoff_by_seat_and_position", "endings", "svara", "svara_depth", "joins",
)  # fmt: skip
_RUN_FAST_TABLES = (
    "points_by_seat", "wins_by_seat", "bonus_by_seat", "penalty_by_seat", "points_by_place", "per_deal",
    "points_by_seat_and_place", "share_of_deals",
)  # fmt: skip
_FUNCTIONS = ("careful", "bold", "careless")


def _number(rng: Random, low: float, high: float, whole: bool) -> str:
    value = low + (high - low) * rng.random()
    return str(round(value)) if whole else f"{value:.2f}"


def _library(rng: Random) -> str:
    name = rng.choice(list(_LIBRARY))
    limits = {**_LIBRARY[name], "blind": (0.0, 1.0), "join": (0.0, 1.0)}
    chosen = [p for p in limits if rng.random() < 0.45]
    whole = {p: p in _WHOLE and name != "pot_odds" for p in chosen}
    values = ",".join(f"{p}={_number(rng, *limits[p], whole[p])}" for p in chosen)
    return f"{name}:{values}" if values else name


def _table(rng: Random, name: str) -> Case:
    rows = []
    players = [0] if rng.random() < 0.6 else [2, 3, 4, 5]
    for n in players:
        for points in range(rng.randint(8, 16), 35):
            p_call = round(rng.random(), 3)
            row: dict[str, Any] = {"points": points, "p_call": p_call, "p_raise": round((1 - p_call) * rng.random(), 3)}
            if n:
                row["players"] = n
            if rng.random() < 0.3:
                row |= {"max_price": round(0.2 + 0.6 * rng.random(), 2), "raise_size": round(2 * rng.random(), 2)}
            rows.append(row)
    keys = dict.fromkeys(k for row in rows for k in row)
    filled = {"max_price": 1.0, "raise_size": 0.0}
    rows = [{k: row[k] if k in row else filled[k] for k in keys} for row in rows]
    options: dict[str, Any] = {"blind": round(0.5 * rng.random(), 2), "join": round(rng.random(), 2)}
    if rng.random() < 0.5:
        options |= {"blind_choice": rng.choice(["smallest", "largest", "any"]), "join_price": round(rng.random(), 2)}
    return {"table": name, "rows": rows, "options": options}


def _svara_rules(rng: Random) -> Any:
    if rng.random() < 0.25:
        return rng.choice([None, "forte", "favorite", "vip"])
    ante = rng.choice([0, 6, 10, 60, 60, 60, 100])
    unit = ante or 10
    options: dict[str, Any] = {
        "ante": ante,
        "blind_size": rng.choice([0, unit, unit, 2 * unit, unit // 2]),
        "blind_factors": rng.choice([[], [2], [2], [2, 3], [2, 3, 4]]),
        "min_bet": rng.choice([unit, unit, 2 * unit, 1]),
        "min_raise": rng.choice([unit, unit, 3 * unit, 1]),
        "bet_limit": rng.choice([100 * unit, 100 * unit, 20 * unit, 8 * unit]),
        "max_raises": rng.choice([0, 1, 2, 3, 3, 6]),
        "raise_scope": rng.choice(["table", "seat"]),
        "svara_fee": rng.choice(["share", "share", unit, 3 * unit, 0]),
        "svara_join": rng.choice(["anyone", "anyone", "nobody"]),
        "svara_betting": rng.random() < 0.75,
        "svara_blinds": rng.random() < 0.6,
        "svara_limit": rng.choice([0, 1, 3, 64, 64]),
        "next_dealer": rng.choice(["winner", "left"]),
        "joker": rng.random() < 0.8,
        "small_triples": rng.random() < 0.7,
        "two_sevens": rng.choice([23, 23, 0]),
        "three_sevens": rng.choice([34, 34, 0]),
    }
    kept = {k: v for k, v in options.items() if rng.random() < 0.45}
    if "bet_limit" in kept or "ante" in kept or "min_bet" in kept or "blind_size" in kept:
        kept |= {k: options[k] for k in ("ante", "blind_size", "min_bet", "min_raise", "bet_limit")}
    if rng.random() < 0.4:
        kept = {"preset": rng.choice(["forte", "favorite", "vip"]), **kept}
    return kept


def _run_fast_rules(rng: Random) -> Any:
    if rng.random() < 0.2:
        return rng.choice([None, "standard"])
    flags = (
        "must_beat", "must_use_bomb", "opening_needs_h3", "heavenly", "aaa_also_triple", "may_split_bombs",
        "bonus_to_beaten_bombs", "bonus_for_lead_bombs", "last_card_free",
    )  # fmt: skip
    options: dict[str, Any] = {name: rng.random() < 0.5 for name in flags if rng.random() < 0.5}
    if rng.random() < 0.5:
        options["double_scope"] = rng.choice(["cards", "all", "none"])
    for name in ("spade2_penalty", "unplayed_bomb_penalty", "bomb_bonus_each"):
        if rng.random() < 0.4:
            options[name] = rng.choice([0, 5, 10, 25, 500])
    return options


def _deals(rng: Random, session: int | None, most: int) -> int:
    deals = rng.randint(200, most)
    return deals if session is None else max(session, deals - deals % session)


def _svara(rng: Random, *, own: bool = True, most: int = 4000) -> Case:
    players = rng.choice([2, 3, 4, 4, 5, 6, 7, 8, 9])
    session = rng.choice([None, None, None, 1, 7, 20, 50])
    seats: list[Any] = [_library(rng) for _ in range(rng.choice([1, 2, 2, players]))]
    lenient = rng.random() < 0.2
    if own and rng.random() < 0.15:
        seats[rng.randrange(len(seats))] = _table(rng, f"table{rng.randint(1, 99)}")
    if own and rng.random() < 0.12:
        seats[rng.randrange(len(seats))] = {"function": rng.choice(_FUNCTIONS[: 3 if lenient else 2])}
    return {
        "game": "svara",
        "rules": _svara_rules(rng),
        "players": players,
        "seats": None if rng.random() < 0.03 else seats,
        "seed": rng.choice([0, 1, rng.randint(2, 10**6), rng.randint(2, 2**62)]),
        "n_deals": _deals(rng, session, most),
        "session_deals": session,
        "lenient": lenient,
    }


def _run_fast(rng: Random, *, own: bool = True, most: int = 1500) -> Case:
    seats: list[Any] = [rng.choice(_RUN_FAST) for _ in range(rng.choice([1, 2, 3, 3]))]
    if own and rng.random() < 0.15:
        seats[0] = {"function": rng.choice(["last", "any_move"])}
    slow = any("monte_carlo" in s for s in seats if isinstance(s, str))
    return {
        "game": "run_fast",
        "rules": _run_fast_rules(rng),
        "players": 3,
        "seats": None if rng.random() < 0.05 else seats,
        "seed": rng.choice([0, rng.randint(2, 10**6), rng.randint(2, 2**62)]),
        "n_deals": _deals(rng, None, 260 if slow else most),
        "session_deals": None,
        "lenient": rng.random() < 0.2,
    }


def _runs(rng: Random) -> list[Case]:
    cases = []
    for i in range(150):
        cases.append({"kind": "run", "scenario": _svara(rng), "records": i % 3 == 0})
    for i in range(75):
        cases.append({"kind": "run", "scenario": _run_fast(rng), "records": i % 3 == 0})
    illegal = {**_svara(rng, own=False), "seats": [{"function": "careless"}, "random"], "lenient": False}
    cases.append({"kind": "run", "scenario": illegal, "records": False})
    for players in (2, 3, 5, 9):
        scenario = {**_svara(rng, own=False), "players": players, "rules": rng.choice([None, "favorite"])}
        scenario |= {"seats": [{"function": "careless"}, rng.choice(["random", "loose"])], "lenient": True}
        cases.append({"kind": "run", "scenario": scenario, "records": True})
    scenario = {**_run_fast(rng, own=False), "seats": ["greedy", {"function": "wrong"}], "lenient": True}
    cases.append({"kind": "run", "scenario": scenario, "records": True})
    cases.append({"kind": "run", "scenario": {**scenario, "lenient": False}, "records": False})
    for case in cases[::12]:  # the same on threads, in blocks of odd sizes
        how = {"n_threads": rng.choice([1, 2]), "block_deals": rng.choice([100, 333, 1000])}
        cases.append({**case, "records": True, "how": how})
    return cases


def _datasets(rng: Random) -> list[Case]:
    cases = []
    for i in range(18):
        scenario = _run_fast(rng) if i % 4 == 3 else _svara(rng)
        part = rng.choice([None, None, 512, 1000])
        session = scenario["session_deals"]
        if part is not None and session is not None:
            part = 50 * session
        deals = scenario["n_deals"]
        some = [rng.randrange(deals // 2), rng.randint(1, deals // 2)]
        records = i % 6 != 5
        cases.append({"kind": "dataset", "scenario": scenario, "part_deals": part, "records": records, "deals": some})
    seats = [{"function": "careless"}, "random", "maniac"]
    scenario = {**_svara(rng), "players": 4, "seats": seats, "rules": None, "lenient": True}
    scenario |= {"n_deals": 2_000, "session_deals": None}
    cases.append({"kind": "dataset", "scenario": scenario, "part_deals": 512, "records": True, "deals": [500, 30]})
    return cases


def _replays(rng: Random) -> list[Case]:
    cases = []
    for i in range(28):
        scenario = _run_fast(rng) if i % 4 == 3 else _svara(rng)
        cases.append({"kind": "replay", "scenario": scenario, "first": rng.randrange(150), "n_deals": 6})
    return cases


def _values(rng: Random, field: str) -> Any:
    """Levels of a field of a design."""
    if field == "players":
        return rng.choice([[3, 4], [3, 5, 6]])
    if field == "seed":
        return [1, 2]
    if field == "deals":
        return [300, 450]
    if field == "rules.blind_size":
        return [0, 60, 120]
    if field == "rules.svara_betting":
        return [True, False]
    if field == "rules.raise_scope":
        return ["table", "seat"]
    if field.count(".") == 1:
        return ["tight", "loose:bluff=0.2", "rock"][: rng.randint(2, 3)]
    parameter = field.rpartition(".")[2]
    if parameter in ("blind", "bluff", "join"):
        return rng.choice([[0.0, 0.25, 1.0], {"from": 0.0, "to": 0.4, "step": 0.2}])
    low = rng.randint(14, 18)
    return rng.choice([[low, low + 4], {"from": low, "to": low + 4, "step": 2}])


_FIELDS = (
    "players", "deals", "rules.blind_size", "rules.svara_betting", "rules.raise_scope", "seats.0.call",
    "seats.0.raise_at", "seats.0.blind", "seats.0.bluff", "seats.1", "seats.1-2.call", "seats.1,2.join", "seed",
)  # fmt: skip


def _design(rng: Random, kind: str, target: bool) -> Case:
    refused = {"deals"} if target else set()
    refused |= {"seed"} if kind == "sobol" else set()
    allowed = [f for f in _FIELDS if f not in refused]
    fields = sorted(rng.sample(allowed, rng.choice([1, 2, 2])))
    if "seats.1" in fields:
        fields = [f for f in fields if not f.startswith(("seats.1-", "seats.1,"))]
    if kind == "list":
        levels = {f: _values(rng, f) for f in fields}
        values = {f: v if isinstance(v, list) else [v["from"], v["to"]] for f, v in levels.items()}
        rows = [{f: rng.choice(values[f]) for f in fields} for _ in range(4)]
        if rng.random() < 0.5:
            return {"kind": "list", "fields": fields, "rows": [[row[f] for f in fields] for row in rows]}
        return {"kind": "list", "rows": rows}
    if kind == "sobol":
        spread: dict[str, Any] = {}
        for f in fields:
            value = _values(rng, f)
            if f.endswith((".blind", ".bluff", ".join")) and rng.random() < 0.5:
                value = {"from": 0.0, "to": 0.7}
            spread[f] = value
        return {"kind": "sobol", "points": rng.randint(3, 7), "seed": rng.randint(0, 99), **spread}
    return {"kind": "grid", **{f: _values(rng, f) for f in fields}}


def _svara_sweep(rng: Random, i: int) -> Case:
    target = i % 5 == 4
    content: Case = {"game": "svara", "players": rng.choice([3, 4, 4, 5]), "seed": rng.randint(0, 10**6)}
    if target:
        session = None
        content |= {"target_error_antes": rng.choice([0.2, 0.4, 1.0]), "max_deals": 6_000, "step_deals": 1_000}
    else:
        session = rng.choice([None, None, None, 10])
        content["deals"] = 10 * rng.randint(20, 100)
    if session and not target:
        content["session"] = session
    if rng.random() < 0.6:
        content["rules"] = rng.choice(["favorite", {"preset": "vip", "max_raises": 2}, {"svara_limit": 3, "ante": 60}])
    content["seats"] = [f"threshold:call={rng.randint(15, 22)}", "threshold", rng.choice(["threshold", "loose"])]
    if session and rng.random() < 0.5:
        content["lenient"] = True
    design = _design(rng, ("grid", "list", "sobol")[i % 3], target)
    # deals of a point are whole sessions
    if session and design.pop("deals", None) and not any("." in k or k in ("players", "seed", "rows") for k in design):
        design["seats.0.call"] = [15, 18]
    return content | {"design": design}


def _sweeps(rng: Random) -> list[Case]:
    cases = [{"kind": "sweep", "sweep": _svara_sweep(rng, i)} for i in range(34)]
    for i in range(6):
        content: Case = {"game": "run_fast", "players": 3, "seed": i, "seats": ["greedy", "fewest_long", "random"]}
        content |= {"target_error_antes": 0.5, "max_deals": 2000, "step_deals": 500} if i == 5 else {"deals": 400 + i}
        design: Case = {"kind": "grid", "rules.bomb_bonus_each": [0, 10]}
        if i % 2:
            design = {"kind": "grid", "seats.0": ["greedy", "fewest", "random"], "rules.must_beat": [True, False]}
        if i == 4:
            design = {"kind": "list", "rows": [{"seats.1": "random"}, {"seats.1": "greedy"}]}
        cases.append({"kind": "sweep", "sweep": content | {"design": design}})
    own = {"players": 4, "seed": 5, "deals": 500, "seats": [{"function": "careful"}, "threshold"]}
    cases.append({"kind": "sweep", "sweep": own | {"design": {"seats.1.call": [16, 20, 24]}}})
    mixed = {"players": 3, "seed": 6, "deals": 500, "seats": [_table(rng, "own"), "loose"]}
    cases.append({"kind": "sweep", "sweep": mixed | {"design": {"seats.1": ["tight", "rock"], "rules.ante": [60, 30]}}})
    cases.append({"kind": "sweep", "sweep": {"players": 2, "deals": 700, "seats": ["maniac", "rock"]}})
    return cases


# Fields and scorings are few, since the exact strength of each combination takes a second or two to count.
_SETTINGS: tuple[tuple[Any, Any], ...] = (
    (None, None), ("favorite", None), ("vip", None), (None, "loose"), ({"svara_betting": False}, "tight"),
    ({"svara_betting": False, "svara_fee": 60}, None), ({"joker": False}, None),
)  # fmt: skip


def _pair(rng: Random) -> list[Any]:
    a = f"threshold:call={rng.randint(18, 21)},blind={rng.choice([0, 0.25])}"
    b = rng.choice([_library(rng), f"threshold:call={rng.randint(19, 23)},join={rng.choice([0, 0.5])}"])
    return [a, b]


def _compares(rng: Random) -> list[Case]:
    cases = []
    for i in range(24):
        rules, field = _SETTINGS[i % len(_SETTINGS)]
        a, b = _pair(rng)
        arguments: Case = {
            "players": rng.choice([2, 3, 4, 4, 5]),
            "field": field or "threshold",
            "rules": rules,
            "seed": rng.randint(0, 10**6),
            "svara": ("auto", "play", "value")[(i + i // 7) % 3],
            "target_error": rng.choice([0.02, 0.05, 0.2]),
            "max_deals": rng.choice([8_192, 12_000, 20_000]),
            "level": rng.choice([0.95, 0.95, 0.9]),
        }
        if i in (5, 12):
            arguments["field"] = None
            a = "threshold"
        cases.append({"kind": "compare", "a": a, "b": b, "arguments": arguments})
    plain = {"players": 4, "seed": 3, "target_error": 0.1, "max_deals": 8_192}
    cases.append({"kind": "compare", "a": "threshold", "b": "threshold:call=20", "arguments": plain})
    cases.append({"kind": "compare", "a": {"function": "careful"}, "b": "threshold", "arguments": plain})
    table = _table(rng, "own")
    cases.append({"kind": "compare", "a": table, "b": "threshold", "arguments": {**plain, "field": "threshold"}})
    return cases


def _leagues(rng: Random) -> list[Case]:
    cases: list[Case] = []
    policies = [
        "threshold",
        "threshold:join=0.5",
        "threshold:raise_size=2",
        "threshold:bluff=0.1",
        "threshold:blind=0.2",
    ]
    for i in range(10):
        rules = [None, "favorite", {"svara_betting": False}][i % 3]
        setting = {"players": rng.choice([2, 3, 4]), "rules": rules, "seed": rng.randint(0, 999)}
        setting["svara"] = rng.choice(["auto", "play", "value"])
        some = rng.sample(policies, rng.choice([2, 3]))
        some += ["threshold:call=22"] if i % 3 == 0 else []
        level = rng.choice([0.95, 0.9])
        cases.append({"kind": "league", "policies": some, "arguments": {**setting, "n_deals": 1_280, "level": level}})
    for i in range(10):
        rules = [None, "favorite", {"svara_betting": False}][i % 3]
        setting = {"players": rng.choice([2, 3, 4]), "rules": rules, "seed": rng.randint(0, 999)}
        some = [*rng.sample(policies, 3), *(f"threshold:call={c}" for c in (18, 24))]
        arguments = {**setting, "field": rng.choice([None, "threshold"]), "n_deals": rng.randint(200, 900)}
        cases.append({"kind": "best", "policies": some, "arguments": arguments})
    texts = ["threshold:call=18..21", "loose:bluff=0.0..0.2/0.1,call=15", "rock"]
    cases.append({"kind": "expand", "texts": texts})
    return cases


def _changed(rng: Random, scenario: Case) -> Case:
    """The same deals with another policy, or other rules that deal alike."""
    if scenario["game"] == "run_fast":
        return {**scenario, "seats": [rng.choice(_RUN_FAST[:4]), "greedy", "random"]}
    if rng.random() < 0.3:
        return {**scenario, "rules": {"svara_betting": False, "svara_limit": 2}}
    return {**scenario, "seats": [_library(rng), *(scenario["seats"] or ["threshold"])[1:]]}


def _contrasts(rng: Random) -> list[Case]:
    cases: list[Case] = []
    for i in range(16):
        fast = i % 4 == 3
        first = _run_fast(rng, own=False, most=600) if fast else _svara(rng, own=False, most=2000)
        tables = rng.sample(_RUN_FAST_TABLES if fast else _SVARA_TABLES, 4)
        cases.append({"kind": "contrast", "scenarios": [first, _changed(rng, first)], "tables": tables})
    for i in range(9):
        fast = i % 3 == 2
        first = _run_fast(rng, own=False, most=300) if fast else _svara(rng, own=False, most=600)
        tables = ["points_by_seat", "wins_by_seat"] if fast else ["payoff_by_seat", "joins"]
        cases.append({"kind": "rotated", "scenarios": [first, _changed(rng, first)], "tables": tables})
    for i in range(9):
        fast = i % 3 == 2
        first = _run_fast(rng, own=False, most=400) if fast else _svara(rng, own=False, most=800)
        number = rng.randint(2, 5)
        points = [[j, round(rng.random(), 3)] for j in range(number)]
        others = [first, *(_changed(rng, first) for _ in range(number - 1))]
        tables = ["points_by_seat"] if fast else ["payoff_by_seat", "payoff_by_position"]
        asked = [[tables[0], {"seat": 0}], [tables[0], {"seat": 1}]]
        asked += [] if fast else [["payoff_by_position", {"position": 1}]]
        case = {"kind": "grid", "keys": ["number", "share"], "points": points, "scenarios": others, "tables": tables}
        cases.append({**case, "asked": asked})
    for _ in range(4):
        a, b = _pair(rng)
        arguments = {"players": rng.choice([3, 4]), "n_deals": 1_500, "seed": rng.randint(0, 99)}
        cases.append({"kind": "gain", "hero": a, "instead": b, "field": ["loose", "tight"], "arguments": arguments})
    for _ in range(3):
        several = [_svara(rng, own=False, most=600) for _ in range(3)]
        several = [{**s, "players": 4, "rules": None, "seats": [_library(rng)]} for s in several]
        cases.append({"kind": "stack", "scenarios": several, "table": rng.choice(_SVARA_TABLES[:3])})
    return cases


def _odds(rng: Random) -> list[Case]:
    cases: list[Case] = []
    for i in range(24):
        hand = rng.sample(range(32), 3)
        case: Case = {"kind": "hand_odds", "rules": [None, "favorite"][i % 2], "hand": hand, "players": 2 + i % 9}
        if i % 6 == 5:
            case |= {"dead": [next(c for c in range(32) if c not in hand)], "players": 3}
        if i % 8 == 7:
            case["arguments"] = {"method": "estimate", "n_deals": 2_000, "seed": i}
        cases.append(case)
    for players in (2, 4, 7, 10):
        cases.append({"kind": "table_odds", "rules": ["forte", "favorite"][players % 4 // 2], "players": players})
    estimate = {"method": "estimate", "n_deals": 3_000, "seed": 4}
    cases.append({"kind": "table_odds", "rules": {"joker": False}, "players": 5, "arguments": estimate})
    cases += [{"kind": "odds_by_points", "rules": rules, "players": [2, 4, 6]} for rules in (None, "favorite")]
    for i in range(3):
        payoffs = [round(rng.gauss(2, 90)) for _ in range(2_000)]
        cases.append({"kind": "ruin", "payoffs": payoffs, "bankrolls": [200, 600, 2_000], "path_deals": 100 + 50 * i})
    cases.append({"kind": "intervals", "numbers": [round(rng.random() ** 3, 6) for _ in range(12)]})
    return cases


def _commands(rng: Random) -> list[Case]:
    cases: list[Case] = []
    for i in range(8):
        scenario = _run_fast(rng, own=False, most=400) if i % 4 == 3 else _svara(rng, own=False, most=800)
        scenario["seats"] = scenario["seats"] or ["random"]
        name = ("run", "summary")[i % 2]
        cases.append({"kind": "command", "name": name, "scenario": scenario})
    for i in range(3):
        scenario = _run_fast(rng, own=False, most=400) if i == 2 else _svara(rng, own=False, most=800)
        scenario["seats"] = scenario["seats"] or ["random"]
        cases.append({"kind": "command", "name": "replay", "scenario": scenario, "deals": [3, 6]})
    for i in range(4):
        cases.append({"kind": "command", "name": "sweep", "sweep": _svara_sweep(rng, i + 2)})
    setting = {"players": 4, "seed": 5, "rules": {"preset": "favorite"}}
    options = {"target_error": 0.05, "max_deals": 9_000, "svara": "play"}
    for field in (None, "threshold:call=20"):
        case = {"kind": "command", "name": "compare", "a": "threshold:call=21", "b": "threshold:raise_at=25"}
        cases.append({**case, "setting": setting, "options": {**options, "field": field}})
    policies = ["threshold", "threshold:call=22", "threshold:bluff=0.1"]
    cases.append({"kind": "command", "name": "league", "policies": policies, "setting": setting, "deals": 1_000})
    cases.append({"kind": "command", "name": "best", "policies": policies, "setting": setting, "deals": 500})
    for players, dead in ((4, None), (3, "As"), (7, None)):
        cases.append({"kind": "command", "name": "odds", "cards": "7c Kh Kd", "players": players, "dead": dead})
    cases.append({"kind": "command", "name": "odds", "cards": None, "players": 6, "dead": None})
    cases.append({"kind": "command", "name": "points", "cards": "7c Kh Kd"})
    cases += [{"kind": "command", "name": "policies", "game": game} for game in ("svara", "run_fast")]
    return cases


def all_cases() -> list[Case]:
    """Every case, with an id; always the same."""
    cases: list[Case] = []
    parts = (_runs, _datasets, _replays, _sweeps, _compares, _leagues, _contrasts, _odds, _commands)
    for number, part in enumerate(parts):
        cases += part(Random(SEED + number))
    counts: dict[str, int] = {}
    for case in cases:
        kind = case["kind"]
        counts[kind] = counts.get(kind, 0) + 1
        case["id"] = f"{kind}-{counts[kind]:03d}"
    return cases

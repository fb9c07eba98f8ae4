"""Playing a case: one function a kind, from the case as JSON to a result for `tree.form`."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from . import api
from .tree import Totals, Wide, digest, form

__all__ = ["play"]

Case = dict[str, Any]


def play(case: Case) -> Any:
    """The result of a case as a tree; of an error its class and whom it blames."""
    try:
        return form(_KINDS[case["kind"]](case))
    except api.SvaraError as error:
        return {"refused": type(error).__name__}


def _simulation(case: Case) -> Any:
    run = api.simulate(case["scenario"], case["records"], **case.get("how", {}))
    found = {name: run[name] for name in ("rules", "labels", "clamped", "chips_per_ante")}
    found["summary"] = Wide(run["summary"], api.SHOWN)
    found["batch_units"] = [len(run["batch_units"]), int(run["batch_units"][0]), int(run["batch_units"][-1])]
    found["totals"] = Totals(run["totals"])
    if case["records"]:
        found["records"] = run["records"]
    return found


def _dataset(case: Case) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        there = api.run_to(Path(folder) / "run", case["scenario"], case["records"], case["part_deals"], case["deals"])
    return {**there, "totals": Totals(there["totals"]), "summary": Wide(there["summary"], api.SHOWN)}


def _replay(case: Case) -> Any:
    deals = []
    for history, words in api.replay(case["scenario"], case["first"], case["n_deals"]):
        raw = json.dumps(history, sort_keys=True, ensure_ascii=False)
        keys = [k for k in ("deal", "dealer", "opener", "payoffs", "scores") if k in history]
        deals.append({k: history[k] for k in keys} | {"history": digest(raw.encode()), "words": digest(words.encode())})
    return {"deals": deals, "keys": sorted(history)}


def _sweep(case: Case) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        return api.sweep(Path(folder) / "sweep", case["sweep"])


def _rotated(case: Case) -> Any:
    return api.rotated(*case["scenarios"], case["tables"])


def _stack(case: Case) -> Any:
    keyed = {(i, f"run {i}"): scenario for i, scenario in enumerate(case["scenarios"])}
    return {
        name: api.stack(keyed, ("number", "name"), case["table"], antes)
        for name, antes in (("chips", False), ("antes", True))
    }


def _contrast(case: Case) -> Any:
    return _each(case["tables"], api.contrast(*case["scenarios"]))


def _each(names: Iterable[str], ask: Callable[[str], Any]) -> dict[str, Any]:
    """Answers by name, or the class of the error."""
    found: dict[str, Any] = {}
    for name in names:
        try:
            found[name] = ask(name)
        except api.SvaraError as error:
            found[name] = {"refused": type(error).__name__}
    return found


def _grid(case: Case) -> Any:
    points = {tuple(values): s for values, s in zip(case["points"], case["scenarios"], strict=True)}
    against = api.grid(points, case["keys"], case["tables"])
    return _each((json.dumps(asked) for asked in case["asked"]), lambda text: against(*json.loads(text)))


def _command(case: Case) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        return api.command(case, Path(folder))


_KINDS: dict[str, Callable[[Case], Any]] = {
    "run": _simulation,
    "dataset": _dataset,
    "replay": _replay,
    "sweep": _sweep,
    "compare": lambda case: api.compare(case["a"], case["b"], case["arguments"]),
    "league": lambda case: api.league(case["policies"], case["arguments"]),
    "best": lambda case: api.find_best(case["policies"], case["arguments"]),
    "expand": lambda case: api.expand_policies(case["texts"]),
    "contrast": _contrast,
    "rotated": _rotated,
    "grid": _grid,
    "gain": lambda case: api.gain_of(case["hero"], case["instead"], case["field"], case["arguments"]),
    "stack": _stack,
    "hand_odds": lambda case: api.hand_odds(
        case["rules"], case["hand"], case["players"], case.get("dead", []), case.get("arguments", {})
    ),
    "table_odds": lambda case: api.table_odds(case["rules"], case["players"], case.get("arguments", {})),
    "odds_by_points": lambda case: api.odds_by_points(case["rules"], case["players"]),
    "ruin": lambda case: api.ruin(case["payoffs"], case["bankrolls"], case["path_deals"]),
    "intervals": lambda case: api.intervals(case["numbers"]),
    "command": _command,
}

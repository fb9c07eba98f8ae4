"""All that this test knows of the package: import paths, argument names, names of tables and columns.

When a part moves or a name changes, only this module changes. Its functions take what a case says, in the words of the
package before the move, and return results in those words too: frames by name, numbers, and texts.

`NEW_NAMES`, `CONVERT`, `GONE`, `ADDED` and `ROUNDED` say what the move changes on purpose.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from svara_sim import CALL, FOLD, FunctionPolicy, SvaraError, TablePolicy
from svara_sim import compare as _compare
from svara_sim import find_best as _find_best
from svara_sim import league as _league
from svara_sim.cli import main
from svara_sim.experiments import (
    RunConfig,
    contrast_rotated,
    run_sweep,
    simulate_rotated,
    stack_tables,
)
from svara_sim.experiments import contrast as _contrast
from svara_sim.experiments import open_run as _open_run
from svara_sim.experiments import run_to as _run_to
from svara_sim.experiments import simulate as _simulate
from svara_sim.experiments.search.grid import expand_policies as _expand_policies
from svara_sim.experiments.studies import gain_of as _gain_of
from svara_sim.experiments.studies import play_grid as _play_grid
from svara_sim.games.run_fast.policies import FunctionPolicy as RunFastFunction
from svara_sim.games.run_fast.policies import nth_move
from svara_sim.games.svara.exact import hand_odds as _hand_odds
from svara_sim.games.svara.exact import table_odds as _table_odds
from svara_sim.games.svara.exact.hand_tables import odds_by_points as _odds_by_points
from svara_sim.games.svara.rules import make_rules
from svara_sim.games.svara.scoring import points_table
from svara_sim.stats import intervals as _intervals
from svara_sim.stats import ruin as _ruin

__all__ = ["SvaraError"]

Json = dict[str, Any]
Tables = dict[str, pl.DataFrame]

# What the move changes on purpose -----------------------------------------------------------------------------------

NEW_NAMES: dict[str, dict[str, str]] = {}
"""By kind of table (``"summary"``, ``"contrast"``, ``"sweep"``, ... or ``"*"``): new name of a column -> old name."""

NEW_KEYS: dict[str, str] = {}
"""New name of a field of a result or of JSON output -> old name."""

NEW_COLUMNS: dict[str, tuple[str, ...]] = {}
"""By kind of table: columns that are new, and left out."""

CONVERT: dict[tuple[str, str], Callable[[pl.DataFrame], pl.Series]] = {}
"""By kind of table and old name: the old column from the new table, such as chips from antes. Add it to `ROUNDED`."""

GONE: tuple[str, ...] = ()
"""Patterns of paths that need not be there any more, such as ``"*summary.payoff_*.mean"``; * matches dots too."""

ADDED: tuple[str, ...] = ()
"""Patterns of paths that may be new."""

ROUNDED: tuple[str, ...] = ("compare-*", "league-*", "best-*", "command-*")
"""Patterns of paths of floats that may differ in their last digits: weights of controls come from a solver of linear
equations whose last digits depend on the processor."""

SHOWN = ("payoff_by_seat", "points_by_seat", "endings", "per_deal")
"""Summary tables whose values are kept, so that a difference in them can be read."""

IDENTITIES = frozenset(
    {"fingerprint", "fingerprints", "table", "versions", "out", "source", "hash", "digest", "bet", "choose"}
)
"""Fields of JSON output that name code or files, not results."""


def gone(path: str) -> bool:
    """Whether a path need not be there any more; a path begins with the id of its case."""
    return _matches(path, GONE)


def added(path: str) -> bool:
    """Whether a path may be new."""
    return _matches(path, ADDED)


def rounded(path: str) -> bool:
    """Whether a path may differ in its last digits."""
    return _matches(path, ROUNDED)


def _matches(path: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(path, p) for p in patterns)


def _old(kind: str, frame: pl.DataFrame) -> pl.DataFrame:
    """A table with the columns that it had before the move."""
    names = {**NEW_NAMES.get("*", {}), **NEW_NAMES.get(kind, {})}
    made = [make(frame).alias(old) for (of, old), make in CONVERT.items() if of in ("*", kind)]
    renamed = frame.rename({new: old for new, old in names.items() if new in frame.columns})
    new = {*NEW_COLUMNS.get("*", ()), *NEW_COLUMNS.get(kind, ())}
    return renamed.with_columns(*made).drop(*(c for c in renamed.columns if c in new))


def _old_tables(kind: str, tables: Mapping[str, pl.DataFrame]) -> Tables:
    return {name: _old(kind, frame) for name, frame in tables.items()}


def _content(value: Any) -> Any:
    """JSON output in its old words, without what names code or files."""
    if isinstance(value, Mapping):
        return {NEW_KEYS.get(k, k): _content(v) for k, v in value.items() if k not in IDENTITIES}
    if isinstance(value, list):
        return [_content(v) for v in value]
    return value


# Policies, scenarios, rules -----------------------------------------------------------------------------------------


def _careful(view: Any) -> int:
    if view.points >= 28 and view.min_raise_to > 0:
        return view.min_raise_to
    price = view.owed / (view.pot + view.owed)
    return CALL if view.points >= 20 and price < 0.3 else FOLD


def _bold(view: Any) -> int:
    if view.random < 0.2 and view.max_raise_to > 0:
        return view.max_raise_to
    return CALL if view.points + view.seat >= 15 else FOLD


def _careless(view: Any) -> int:
    return view.points * 1000


def _last(view: Any) -> int:
    return nth_move(view, view.n_moves - 1)


def _any_move(view: Any) -> int:
    return int(nth_move(view, int(view.random) % view.n_moves))


def _wrong(view: Any) -> int:
    return 500


@cache
def _function(name: str) -> Any:
    own = {"last": _last, "any_move": _any_move, "wrong": _wrong}
    if name in own:
        return RunFastFunction(name, own[name])
    bets = {"careful": _careful, "bold": _bold, "careless": _careless}
    return FunctionPolicy(name, bets[name], blind=0.25, join=0.5)


def policy(given: Any) -> Any:
    """A policy of a case: text, rows of a table, or the name of a function above."""
    if isinstance(given, str) or given is None:
        return given
    if "function" in given:
        return _function(given["function"])
    return TablePolicy.from_rows(given["table"], given["rows"], **given["options"])


def _policies(given: Any) -> Any:
    return given if given is None or isinstance(given, str) else [policy(p) for p in given]


def _fields(scenario: Json) -> Json:
    """Keyword arguments of a run."""
    return {**scenario, "seats": _policies(scenario["seats"])}


def _scenario(scenario: Json) -> Any:
    fields = _fields(scenario)
    return RunConfig.create(fields.pop("game"), **fields)


def _rules(rules: Any) -> Any:
    """Rules of Svara."""
    if rules is None or isinstance(rules, str):
        return make_rules(rules)
    options = dict(rules)
    return make_rules(options.pop("preset", None), options)


# Runs ---------------------------------------------------------------------------------------------------------------


def simulate(scenario: Json, records: bool, n_threads: int = 1, block_deals: int | None = None) -> Json:
    """A run in memory."""
    run = _simulate(_scenario(scenario), records=records, n_threads=n_threads, block_deals=block_deals)
    return {
        "rules": run.config.rules.as_dict(),
        "labels": run.config.labels,
        "clamped": run.clamped,
        "chips_per_ante": run.chips_per_ante,
        "batch_units": run.batch_units,
        "totals": _old("totals", run.totals),
        "records": None if run.records is None else _old("records", run.records),
        "summary": _old_tables("summary", run.summary),
    }


def run_to(folder: Path, scenario: Json, records: bool, part_deals: int | None, some: Sequence[int]) -> Json:
    """A run on disk, opened again."""
    _run_to(folder, _scenario(scenario), records=records, part_deals=part_deals, n_threads=1)
    dataset = _open_run(folder)
    found: Json = {
        "labels": dataset.config.labels,
        "rules": dataset.config.rules.as_dict(),
        "clamped": dataset.clamped,
        "totals": _old("totals", dataset.totals),
        "summary": _old_tables("summary", dataset.summary),
    }
    if records:
        found["records"] = _old("records", dataset.scan().collect())
        found["deals"] = _old("records", dataset.deals(*some))
    return found


def replay(scenario: Json, first: int, n_deals: int) -> Iterator[tuple[Json, str]]:
    """Histories of some deals, and the same in words."""
    table = _scenario(scenario).table()
    for history in table.replay(first, n_deals):
        yield _content(history), table.transcript(history)


# Several runs -------------------------------------------------------------------------------------------------------


def contrast(a: Json, b: Json) -> Callable[[str], pl.DataFrame]:
    """Two runs on the same deals, by table."""
    runs = [_simulate(_scenario(s), n_threads=1) for s in (a, b)]
    return lambda table: _old("contrast", _contrast(*runs, table))


def rotated(a: Json, b: Json, tables: Sequence[str]) -> Json:
    """Two tables with seats rotated: the players of the first, and the differences."""
    first, second = (simulate_rotated(**_fields(s)) for s in (a, b))
    return {
        name: {
            "players": _old("rotated", first.by_player(name)),
            "contrast": _old("rotated", contrast_rotated(first, second, name)),
        }
        for name in tables
    }


def grid(
    points: Mapping[tuple[Any, ...], Json], keys: Sequence[str], tables: Sequence[str]
) -> Callable[[str, Json], pl.DataFrame]:
    """Runs on the same deals, each against the best."""
    played = _play_grid({p: _fields(s) for p, s in points.items()}, keys, tables, n_threads=1)
    return lambda table, where: _old("grid", played.against_best(table, **where))


def gain_of(hero: Any, instead: Any, field: Sequence[Any], arguments: Json) -> Tables:
    """What seat 0 gains by another policy."""
    return _old_tables("contrast", _gain_of(policy(hero), policy(instead), _policies(field), **arguments))


def stack(scenarios: Mapping[tuple[Any, ...], Json], keys: Sequence[str], table: str, antes: bool) -> pl.DataFrame:
    """A table of several runs, one below the other."""
    summaries = {values: _simulate(_scenario(s), n_threads=1).summary for values, s in scenarios.items()}
    return _old("stack", stack_tables(summaries, keys, table, antes=antes))


def sweep(folder: Path, content: Json) -> Json:
    """A sweep, its best points, and what points are above point 0."""
    spec = {k: _policies(v) if k == "seats" else v for k, v in content.items()}
    found = run_sweep(spec, folder, n_threads=1)
    tree: Json = {"fields": found.fields, "hero": found.hero, "frame": _old("sweep", found.frame)}
    if found.hero is not None:
        tree["best"] = _old("sweep", found.best(3))
    for point in range(1, min(4, len(found.frame["point"].unique()))):
        try:
            tree[f"contrast {point}"] = _old("sweep contrast", found.contrast(point, 0))
        except SvaraError as error:
            tree[f"contrast {point}"] = {"refused": type(error).__name__}
    return tree


# Comparisons of policies --------------------------------------------------------------------------------------------


def compare(a: Any, b: Any, arguments: Json) -> Json:
    """A comparison of two policies."""
    given = {**arguments, "field": policy(arguments.get("field"))}
    return _content(_compare(policy(a), policy(b), n_threads=1, **given).as_dict())


def league(policies: Sequence[Any], arguments: Json) -> Json:
    """A league."""
    found = _league(_policies(policies), n_threads=1, **arguments)
    tables = {name: _old(name, getattr(found, name)) for name in ("payoffs", "ranking", "pairs")}
    return {"setting": found.setting, "svara": found.svara, "n_deals": found.n_deals, **tables}


def find_best(policies: Sequence[Any], arguments: Json) -> Json:
    """The best of many."""
    found = _find_best(_policies(policies), n_threads=1, **arguments)
    names = ("best", "mean", "standard_error", "field", "setting", "svara", "n_deals")
    return {name: getattr(found, name) for name in names} | {"candidates": _old("candidates", found.candidates)}


def expand_policies(texts: Sequence[str]) -> list[str]:
    """Ranges of parameters."""
    return _expand_policies(texts)


# Exact odds and statistics ------------------------------------------------------------------------------------------


def hand_odds(rules: Any, hand: Sequence[int], players: int, dead: Sequence[int], arguments: Json) -> Json:
    """Odds of a hand."""
    found = _hand_odds(points_table(_rules(rules)), hand, players, dead=dead, **arguments)
    names = ("points", "method", "n_deals", "p_win", "p_svara", "p_loss", "share", "share_error", "percentile", "tied")
    return {name: getattr(found, name) for name in names} | {"error": found.standard_error(found.p_win)}


def table_odds(rules: Any, players: int, arguments: Json) -> Json:
    """Odds at a table."""
    found = _table_odds(points_table(_rules(rules)), players, **arguments)
    joint = {f"{points}/{tied}": p for (points, tied), p in found.joint.items()}
    names = ("method", "n_deals", "p_svara", "tied", "best_points")
    error = found.standard_error(found.p_svara)
    return {name: getattr(found, name) for name in names} | {"joint": joint, "error": error}


def odds_by_points(rules: Any, players: Sequence[int]) -> pl.DataFrame:
    """Odds by points."""
    return _old("odds_by_points", _odds_by_points(points_table(_rules(rules)), players))


def ruin(payoffs: Sequence[float], bankrolls: Sequence[float], path_deals: int) -> Json:
    """What payoffs do to bankrolls."""
    moments = _ruin.payoff_moments(payoffs)
    rates = pl.DataFrame({n: [moments[m]] for n, m in (("mean", "rate"), ("low", "low"), ("high", "high"))})
    rates = rates.with_columns(deviation=pl.lit(moments["deviation"]))
    return {
        "moments": moments,
        "table": _old("ruin", _ruin.ruin_table(payoffs, bankrolls, path_deals)),
        "for": list(_ruin.bankroll_for(payoffs, 0.05, path_deals)),
        "fan": _old("fan", _ruin.bankroll_fan(payoffs, path_deals, (0.05, 0.5, 0.95), 10)),
        "lundberg": _ruin.lundberg_rate(payoffs),
        "diffusion": _ruin.diffusion_ruin(bankrolls, moments["rate"], moments["deviation"], path_deals),
        "to_show": _old("to_show", _ruin.deals_to_show(rates)),
        "shown": list(_ruin.share_shown(payoffs, 100)),
    }


def intervals(numbers: Sequence[float]) -> Json:
    """Intervals and corrected p-values."""
    hits = [round(100 * x) for x in numbers]
    low, high = _intervals.wilson_interval(hits, [100] * len(hits))
    holm, bonferroni = (_intervals.adjust_p_values(numbers, method) for method in ("holm", "bonferroni"))
    level = _intervals.simultaneous_level(0.95, 7)
    return {"low": low, "high": high, "holm": holm, "bonferroni": bonferroni, "level": level}


# The command line ---------------------------------------------------------------------------------------------------


def _svara(*words: object) -> list[Any]:
    """What a command prints with --json, a line each."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()), contextlib.suppress(SystemExit):
        main([str(w) for w in words])
    return [_content(json.loads(line)) for line in out.getvalue().splitlines()]


def _rules_words(rules: Any) -> list[str]:
    if rules is None:
        return []
    if isinstance(rules, str):
        return ["--rules", rules]
    options = dict(rules)
    preset = options.pop("preset", None)
    words = [] if preset is None else ["--rules", preset]
    for name, value in options.items():
        words += ["--set", f"{name}={json.dumps(value)}"]
    return words


def _run_words(scenario: Json) -> list[Any]:
    words: list[Any] = ["--game", scenario["game"], "--players", scenario["players"], "--seed", scenario["seed"]]
    for seat in scenario["seats"]:
        words += ["--seat", seat]
    words += ["--session", scenario["session_deals"]] if scenario["session_deals"] else []
    return words + (["--lenient"] if scenario["lenient"] else []) + _rules_words(scenario["rules"])


def _setting_words(setting: Json) -> list[Any]:
    return ["--players", setting["players"], "--seed", setting["seed"], *_rules_words(setting["rules"])]


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(k)} = {_toml(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_toml(v) for v in value) + "]"
    return json.dumps(value)


def _sweep_text(content: Json) -> str:
    lines = [f"{key} = {_toml(value)}" for key, value in content.items() if key != "design"]
    lines += ["[design]", *(f"{json.dumps(key)} = {_toml(value)}" for key, value in content.get("design", {}).items())]
    return "\n".join(lines) + "\n"


def command(case: Json, folder: Path) -> Any:
    """JSON output of a command."""
    name = case["name"]
    out = folder / "out"
    if name in ("run", "summary"):
        words = [*_run_words(case["scenario"]), "--deals", case["scenario"]["n_deals"], "--threads", 1]
        if name == "run":
            return _svara("run", *words, "--json")
        _svara("run", *words, "--out", out, "--quiet")
        return _svara("summary", out, "--json")
    if name == "replay":
        first, end = case["deals"]
        return _svara("replay", *_run_words(case["scenario"]), "--deals", f"{first}:{end}", "--json")
    if name == "sweep":
        file = folder / "sweep.toml"
        file.write_text(_sweep_text(case["sweep"]), encoding="utf-8")
        _svara("sweep", file, "--out", out, "--threads", 1, "--json")
        return _svara("summary", out, "--json")
    if name == "compare":
        options = case["options"]
        words = ["--a", case["a"], "--b", case["b"], "--target-error", options["target_error"]]
        words += ["--max-deals", options["max_deals"], "--svara", options["svara"]]
        words += ["--field", options["field"]] if options["field"] else []
        return _svara("compare", *words, *_setting_words(case["setting"]), "--threads", 1, "--json")
    if name in ("league", "best"):
        words = [*case["policies"], "--deals", case["deals"], *_setting_words(case["setting"])]
        return _svara(name, *words, "--threads", 1, "--json")
    if name == "odds":
        words = ["--players", case["players"]]
        words += ["--dead", case["dead"]] if case["dead"] else []
        return _svara("odds", *([case["cards"]] if case["cards"] else []), *words, "--json")
    if name == "points":
        return _svara("points", case["cards"], "--json")
    if name == "policies":
        return _svara("policies", "--game", case["game"], "--json")
    raise ValueError(name)

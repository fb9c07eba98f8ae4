"""Speed of the kernels in two checkouts: ``python tests/move/speed.py OLD_PYTHON NEW_PYTHON [--rounds N]``.

Each argument is the interpreter of an environment in which one of the checkouts is installed. A worker of each stays
alive; in every round each case is played by both on the same deals, one after the other, the first in turn. What is
printed is the median over the rounds of old processor time / new processor time, so that 1.10 means that the new
checkout plays a tenth more deals in the same time, and the quartiles, which tell how noisy that is.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

PLAYERS = (2, 4, 6, 9)
BLOCK_SECONDS = 0.05

# What the workers know of the package, before and after the move ------------------------------------------------------

_HOMES: dict[str, tuple[str, ...]] = {
    "get_game": ("svara_sim", "svara_sim.games.registry"),
    "FunctionPolicy": ("svara_sim", "svara_sim.games.svara.policies"),
    "TablePolicy": ("svara_sim", "svara_sim.games.svara.policies"),
    "CALL": ("svara_sim", "svara_sim.games.svara.policies"),
    "FOLD": ("svara_sim", "svara_sim.games.svara.policies"),
    "SvaraPairs": ("svara_sim.games.svara.pairs", "svara_sim.games.svara.paired"),
}
"""Modules in which a name may be, the old ones first."""


def _find(name: str) -> Any:
    for home in _HOMES[name]:
        try:
            return getattr(import_module(home), name)
        except (ImportError, AttributeError):
            continue
    raise SystemExit(f"{name}: is in none of {', '.join(_HOMES[name])}; add its home to _HOMES")


def _rules(game: Any) -> Any:
    return game.make_rules()


def _table(game: str, seats: Sequence[Any]) -> Any:
    found = _find("get_game")(game)
    return found.make_table(_rules(found), [found.make_policy(s) for s in seats], 1)


def _pairs(players: int, svara: str) -> Any:
    game = _find("get_game")("svara")
    a, b, field = (game.make_policy(p) for p in ("threshold:call=20", "threshold:call=22", "threshold"))
    return _find("SvaraPairs")(_rules(game), a, b, field, players, 1, svara)


def _play_block(table: Any, records: bool) -> Callable[[int, int], float]:
    def play(first: int, n: int) -> float:
        return float(abs(table.simulate_block(first, n, n, records).totals).sum())

    return play


def _play_pairs(pairs: Any, players: int) -> Callable[[int, int], float]:
    if hasattr(pairs, "expected_strength"):
        expected = pairs.expected_strength()
    else:
        expected = import_module("svara_sim.analysis.compare").expected_strength(
            pairs.hand_points, pairs.strength_levels, players
        )
    return lambda first, n: float(pairs.play(first, n, expected).differences.sum())


# Policies -------------------------------------------------------------------------------------------------------------


def _library(players: int) -> list[Any]:
    return [f"threshold:call={13 + s % 3},raise_at={21 + s % 4},blind=0.25,join=0.09375" for s in range(players)]


def _tables(players: int) -> list[Any]:
    """The same as tables that look at more than they need, as tables of one's own will."""
    seats = []
    for s in range(players):
        call, raise_at = 13 + s % 3, 21 + s % 4
        rows = [
            {"raises": r, "players": n, "points": p, "p_call": float(p < raise_at), "p_raise": float(p >= raise_at)}
            for r in range(5)
            for n in range(2, players + 1)
            for p in range(call, 35)
        ]
        seats.append(_find("TablePolicy").from_rows(f"table {s}", rows, blind=0.25, join=0.09375))
    return seats


def _functions(players: int) -> list[Any]:
    call, fold = _find("CALL"), _find("FOLD")

    def bet(view: Any) -> int:
        if view.points < 13 + view.seat % 3:
            return fold
        if view.points >= 21 + view.seat % 4 and view.min_raise_to > 0:
            return view.min_raise_to
        return call

    def blind(view: Any) -> int:
        return view.next_blind if view.random < 0.25 else 0

    def join(view: Any) -> int:
        return 1 if view.random < 6 / 64 else 0

    return [_find("FunctionPolicy")("own", bet, blind, join)] * players


_SEATS = {"library": _library, "table": _tables, "function": _functions}


def names() -> list[str]:
    """Every case: ``what players how``."""
    svara = [f"{kind} {n} {how}" for kind in _SEATS for n in PLAYERS for how in ("totals", "records")]
    svara += [f"pairs {n} {how}" for n in PLAYERS for how in ("play", "value")]
    return svara + [f"run_fast:{policy} 3 {how}" for policy in ("random", "greedy") for how in ("totals", "records")]


def _make(name: str) -> Callable[[int, int], float]:
    """What plays the deals of a case."""
    what, number, how = name.split()
    players = int(number)
    if what == "pairs":
        return _play_pairs(_pairs(players, how), players)
    game, _, policy = what.partition(":")
    if policy:
        return _play_block(_table(game, [policy] * players), how == "records")
    return _play_block(_table("svara", _SEATS[what](players)), how == "records")


# Workers --------------------------------------------------------------------------------------------------------------


def _work() -> None:
    """Play what is asked for, a line each: ``{"case", "first", "n"}`` -> ``{"seconds", "sum"}``."""
    made: dict[str, Callable[[int, int], float]] = {}
    print(json.dumps({"package": str(Path(str(import_module("svara_sim").__file__)).parent)}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["case"] not in made:
            made[asked["case"]] = _make(asked["case"])
            made[asked["case"]](0, 64)  # compiles what has to be
        gc.collect()
        gc.disable()
        started = time.process_time()
        total = made[asked["case"]](asked["first"], asked["n"])
        seconds = time.process_time() - started
        gc.enable()
        print(json.dumps({"seconds": seconds, "sum": total}), flush=True)


class _Worker:
    """A checkout that waits to be asked."""

    def __init__(self, python: str) -> None:
        command = [python, str(Path(__file__).resolve()), "--worker"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.package = self._read()["package"]

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("a worker has stopped; what it said stands above")
        return json.loads(line)

    def play(self, case: str, first: int, n: int) -> tuple[float, float]:
        """Seconds of processor time, and the sum of what came out."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"case": case, "first": first, "n": n}) + "\n")
        self._process.stdin.flush()
        answer = self._read()
        return answer["seconds"], answer["sum"]

    def close(self) -> None:
        """Let it end."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def _sizes(old: _Worker, new: _Worker, cases: Sequence[str]) -> dict[str, int]:
    """Deals of a block of each case, from the old checkout; also compiles both."""
    sizes = {}
    for number, case in enumerate(cases, 1):
        print(f"\rcompiling {number}/{len(cases)}", end="", file=sys.stderr, flush=True)
        n = 2_000
        for worker in (new, old):
            worker.play(case, 0, n)
        seconds, _ = old.play(case, 0, n)
        sizes[case] = max(500, int(n * BLOCK_SECONDS / max(seconds, 1e-4)))
    print("\r" + 30 * " " + "\r", end="", file=sys.stderr)
    return sizes


def _compare(old: _Worker, new: _Worker, cases: Sequence[str], rounds: int) -> None:
    sizes = _sizes(old, new, cases)
    ratios: dict[str, list[float]] = {case: [] for case in cases}
    speeds: dict[str, list[float]] = {case: [] for case in cases}
    apart: set[str] = set()
    for r in range(rounds):
        for case in cases:
            n = sizes[case]
            workers = (old, new) if r % 2 == 0 else (new, old)
            answers = {worker: worker.play(case, (r + 1) * n, n) for worker in workers}
            (before, sum_before), (after, sum_after) = answers[old], answers[new]
            ratios[case].append(before / after)
            speeds[case].append(n / after)
            if sum_before != sum_after:
                apart.add(case)
    print(f"{'case':<14}{'players':>8} {'how':<9}{'new deals/s':>13}{'new/old':>9}{'quartiles':>15}")
    for case in cases:
        what, players, how = case.split()
        low, middle, high = statistics.quantiles(ratios[case], n=4)
        speed = statistics.median(speeds[case])
        mark = "  other results" if case in apart else ""
        print(f"{what.removeprefix('run_fast:'):<14}{players:>8} {how:<9}{speed:>13,.0f}{middle:>9.3f}", end="")
        print(f"{low:>9.3f}-{high:.3f}{mark}")
    medians = [statistics.median(found) for found in ratios.values()]
    print(f"{'geometric mean':<44}{statistics.geometric_mean(medians):>9.3f}")


def main() -> None:
    """Compare two checkouts."""
    if sys.argv[1:] == ["--worker"]:
        _work()
        return
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("old_python")
    parser.add_argument("new_python")
    parser.add_argument("--rounds", type=int, default=15, help="blocks of each case by each checkout, at least 2")
    parser.add_argument("--only", default="", help="only cases that contain this, such as 'pairs' or ' 9 '")
    given = parser.parse_args()
    cases = [name for name in names() if given.only in name]
    old, new = _Worker(given.old_python), _Worker(given.new_python)
    print(f"old: {old.package}\nnew: {new.package}")
    _compare(old, new, cases, max(2, given.rounds))
    old.close()
    new.close()


if __name__ == "__main__":
    main()

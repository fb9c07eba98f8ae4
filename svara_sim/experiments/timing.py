"""How fast a game is played: every way of playing it in turn, again and again, so that all meet the same machine."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

from ..core.errors import InvalidInput
from ..games.protocol import BenchCase, Game

__all__ = ["BASELINES", "BenchRow", "bench"]

BASELINES = ("python", "numpy")
"""Kinds that the others are compared with."""

_LEAST_ROUNDS = 3


@dataclass(frozen=True)
class BenchRow:
    """Speed of one kind of play at one table.

    Parameters
    ----------
    seats : int
        Seats at the table.
    kind : str
        What was timed; see `svara_sim.games.protocol.BenchCase`. If the game has several tables, with its name:
        ``"python (greedy)"``.
    threads : int
        On how many threads.
    deals_per_s : float
        Median over the repetitions; the clock is the wall's.
    low, high : float
        Slowest and fastest repetition: how noisy the machine was.
    ratio_to_python, ratio_to_numpy : float or None
        Median of the ratios to these versions on one thread, repetition by repetition, of the same run.
    """

    seats: int
    kind: str
    threads: int
    deals_per_s: float
    low: float
    high: float
    ratio_to_python: float | None
    ratio_to_numpy: float | None

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class _Timed:
    case: BenchCase
    threads: int

    def speed(self, round_: int) -> float:
        """Deals a second of one repetition, each on deals of its own."""
        n, threads = self.case.n_deals, self.threads
        first = round_ * n * threads
        if threads == 1:
            started = time.perf_counter()
            self.case.play(first, n)
            return n / (time.perf_counter() - started)
        with ThreadPoolExecutor(threads) as pool:
            started = time.perf_counter()
            list(pool.map(lambda i: self.case.play(first + i * n, n), range(threads)))
            return threads * n / (time.perf_counter() - started)


def _timed(cases: Sequence[BenchCase], threads: int) -> Iterator[_Timed]:
    for case in cases:
        yield _Timed(case, 1)
        if case.threaded and threads > 1:
            yield _Timed(case, threads)


def bench(
    game: Game,
    players: Sequence[int],
    *,
    seconds: float = 45.0,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[BenchRow]:
    """Time every way of playing a game, in turn.

    Parameters
    ----------
    game : Game
        What is played.
    players : sequence of int
        Numbers of seats.
    seconds : float
        About how long it may take in all; at least three repetitions are made.
    threads : int, optional
        The other number of threads besides one; by default one for each processor.
    progress : callable, optional
        Called with (tenths of seconds gone, in all).

    Returns
    -------
    list of BenchRow
        By seats, then in the game's order of kinds.
    """
    if not seconds > 0:
        raise InvalidInput(f"seconds = {seconds!r}: must be more than 0")
    wanted = threads if threads is not None else os.cpu_count() or 1
    timed = [t for n in players for t in _timed(game.bench_cases(n), wanted)]
    for t in timed:
        t.case.play(0, 64)  # compiles what has to be, and loads the tables
    speeds: list[list[float]] = [[] for _ in timed]
    started = time.perf_counter()
    round_ = 0
    while round_ < _LEAST_ROUNDS or time.perf_counter() - started < seconds:
        for t, found in zip(timed, speeds, strict=True):
            found.append(t.speed(round_))
            if progress is not None:
                gone = min(time.perf_counter() - started, seconds)
                progress(int(10 * gone), int(10 * seconds))
        round_ += 1
    if progress is not None:
        progress(int(10 * seconds), int(10 * seconds))
    return [_row(t, found, timed, speeds) for t, found in zip(timed, speeds, strict=True)]


def _row(this: _Timed, found: list[float], timed: Sequence[_Timed], speeds: Sequence[list[float]]) -> BenchRow:
    def ratio(kind: str) -> float | None:
        for t, other in zip(timed, speeds, strict=True):
            comparable = t.case.seats == this.case.seats and t.case.table == this.case.table and t.threads == 1
            if t.case.kind == kind and comparable:
                return statistics.median(mine / theirs for mine, theirs in zip(found, other, strict=True))
        return None

    python, numpy = (ratio(kind) for kind in BASELINES)
    median = statistics.median(found)
    kind = f"{this.case.kind} ({this.case.table})" if this.case.table else this.case.kind
    return BenchRow(this.case.seats, kind, this.threads, median, min(found), max(found), python, numpy)

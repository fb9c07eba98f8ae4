from __future__ import annotations

import multiprocessing
import threading
import time
from concurrent.futures import CancelledError, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from svara_sim.core.errors import IllegalAction, InvalidInput
from svara_sim.experiments import RunConfig, RunResult, open_run, run_to, simulate
from svara_sim.experiments.batches import Layout, Span
from svara_sim.experiments.executors import Stopped, run_all, threads
from svara_sim.experiments.parts import Job

from .fake_game import DICE, DiceGame, DicePolicy

FIELDS: dict[str, Any] = {"game": DICE, "players": 3, "seats": ["bold", "timid"], "seed": 3}


def same(a: RunResult, b: RunResult) -> bool:
    assert_frame_equal(a.totals, b.totals)
    if a.records is not None and b.records is not None:
        assert_frame_equal(a.records, b.records)
    return a.clamped == b.clamped


@pytest.mark.parametrize("session", [None, 10])
def test_threads_and_blocks_leave_no_trace(session: int | None) -> None:
    reference = simulate(**FIELDS, n_deals=20_000, session_deals=session, records=True, n_threads=1)
    for n_threads, block_deals in [(1, 777), (2, 64), (2, 5000), (4, 20_000), (3, 1)][: 4 if session is None else 5]:
        other = simulate(
            **FIELDS,
            n_deals=20_000,
            session_deals=session,
            records=True,
            n_threads=n_threads,
            block_deals=block_deals,
        )
        assert same(reference, other)


def test_records_and_totals_agree() -> None:
    result = simulate(**FIELDS, n_deals=5000, records=True)
    records, totals = result.records, result.totals
    assert records is not None
    assert records["deal"].to_list() == list(range(5000))
    assert records.schema["deal"] == pl.UInt64
    assert records.schema["ending"] == pl.Enum(["won", "tied"])
    assert records.schema["carried"] == pl.UInt16
    assert totals["deals"].sum() == 5000
    assert (records["ending"] == "tied").sum() == totals["ties"].sum()
    for seat in range(3):
        assert records[f"payoff_{seat}_chips"].sum() == totals[f"payoff_{seat}_chips"].sum()
    assert result.batch_units.sum() == 5000
    assert totals["batch"].to_list() == list(range(len(result.batch_units)))


def test_a_longer_run_begins_like_a_shorter_one() -> None:
    short = simulate(**FIELDS, n_deals=700, records=True).records
    long = simulate(**FIELDS, n_deals=3000, records=True).records
    assert short is not None
    assert long is not None
    assert_frame_equal(short, long.head(700))


def test_one_deal() -> None:
    result = simulate(**FIELDS, n_deals=1, records=True)
    assert result.totals.height == 1
    assert result.summary["payoff_by_seat"]["standard_error"].to_list() == [np.inf] * 3


def test_without_records() -> None:
    result = simulate(**FIELDS, n_deals=1000)
    assert result.records is None
    assert same(result, simulate(**FIELDS, n_deals=1000, records=True))


def test_config_or_fields_or_both() -> None:
    config = RunConfig.create(**FIELDS, n_deals=300)
    assert same(simulate(config), simulate(**FIELDS, n_deals=300))
    assert simulate(config, n_deals=20).config.n_deals == 20


def test_progress_counts_deals_up_to_all_of_them(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    simulate(**FIELDS, n_deals=10_000, block_deals=1000, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1000 * i, 10_000) for i in range(1, 11)]
    seen.clear()
    run_to(tmp_path, **FIELDS, n_deals=950, part_deals=100, progress=lambda done, total: seen.append((done, total)))
    assert len(seen) == 10
    assert seen[-1] == (950, 950)


@pytest.mark.parametrize("n_threads", [1, 2, 4])
def test_the_first_illegal_action_is_reported_on_any_number_of_threads(n_threads: int) -> None:
    seats = ["cheat:at=5210", "cheat:at=4100", "cheat:at=9000"]
    with pytest.raises(IllegalAction, match="seat 1, deal 4100"):
        simulate(game=DICE, players=3, seats=seats, n_deals=10_000, block_deals=500, n_threads=n_threads)


def test_a_lenient_table_counts(tmp_path: Path) -> None:
    fields: dict[str, Any] = {"game": DICE, "players": 3, "seats": ["cheat:at=52", "timid"], "lenient": True}
    assert simulate(**fields, n_deals=100).clamped == [1, 0, 1]
    assert run_to(tmp_path, **fields, n_deals=100, part_deals=30).clamped == [1, 0, 1]
    assert open_run(tmp_path, game=DICE).clamped == [1, 0, 1]


@pytest.mark.parametrize(
    "options",
    [{"n_threads": 0}, {"n_threads": 1.5}, {"block_deals": 0}, {"block_deals": "many"}],
)
def test_wrong_options_are_named(options: dict[str, Any], tmp_path: Path) -> None:
    name = next(iter(options))
    with pytest.raises(InvalidInput, match=f"{name} = "):
        simulate(**FIELDS, n_deals=10, **options)
    with pytest.raises(InvalidInput, match=f"{name} = "):
        run_to(tmp_path / "out", **FIELDS, n_deals=10, **options)
    assert not (tmp_path / "out").exists()


def test_wrong_part_size(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="part_deals = 0"):
        run_to(tmp_path / "out", **FIELDS, n_deals=10, part_deals=0)


@pytest.mark.slow
def test_spawned_processes_play_the_same(tmp_path: Path) -> None:
    reference = simulate(**FIELDS, n_deals=3000, records=True)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        there = simulate(**FIELDS, n_deals=3000, records=True, block_deals=500, executor=pool)
        dataset = run_to(tmp_path, **FIELDS, n_deals=3000, part_deals=700, executor=pool)
    assert same(reference, there)
    assert reference.records is not None
    assert_frame_equal(dataset.scan().collect(), reference.records)


class TestRunAll:
    @staticmethod
    def run(function: Any, n: int, workers: int, window: int) -> list[Any]:
        found: list[Any] = []
        with ThreadPoolExecutor(workers) as pool:
            run_all(pool, function, range(n), window=window, on_done=found.append)
        return found

    def test_every_item_once(self) -> None:
        assert sorted(self.run(lambda i: i * i, 50, 3, 4)) == [i * i for i in range(50)]
        assert self.run(lambda i: i, 0, 1, 1) == []

    def test_few_are_in_flight(self) -> None:
        lock, now, most = threading.Lock(), 0, 0

        def work(i: int) -> None:
            nonlocal now, most
            with lock:
                now += 1
                most = max(most, now)
            time.sleep(0.001)
            with lock:
                now -= 1

        self.run(work, 40, 8, 3)
        assert most <= 3

    def test_the_first_error_wins_and_nothing_more_begins(self) -> None:
        begun: list[int] = []

        def work(i: int) -> None:
            begun.append(i)
            if i == 3:
                time.sleep(0.02)
            if i >= 3:
                raise ValueError(f"item {i}")

        with pytest.raises(ValueError, match="item 3"):
            self.run(work, 1000, 4, 4)
        assert len(begun) < 20

    def test_errors_of_on_done_stop_the_work(self) -> None:
        def refuse(result: int) -> None:
            raise KeyboardInterrupt

        stopped: list[bool] = []
        with pytest.raises(KeyboardInterrupt), threads(2) as (pool, stop):  # noqa: PT012
            stopped.append(stop.is_set())
            run_all(pool, lambda i: i, range(1000), window=4, on_done=refuse)
        assert stopped == [False]
        assert stop.is_set()

    def test_a_cancelled_item_is_an_error(self) -> None:
        class Cancelling(ThreadPoolExecutor):
            def submit(self, *args: Any, **kwargs: Any) -> Any:
                super().submit(time.sleep, 0.05)  # the only worker is busy, so the next can be cancelled
                future = super().submit(*args, **kwargs)
                future.cancel()
                return future

        with Cancelling(1) as pool, pytest.raises(CancelledError):
            run_all(pool, lambda i: i, range(3), window=1, on_done=lambda result: None)


def test_ctrl_c_stops_soon_and_keeps_finished_parts(tmp_path: Path) -> None:
    slow = DiceGame(pause=0.02)
    fields = {**FIELDS, "game": slow}

    def interrupt(done: int, total: int) -> None:
        if done >= 300:
            raise KeyboardInterrupt

    started = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        run_to(tmp_path, **fields, n_deals=10_000, part_deals=100, block_deals=10, n_threads=2, progress=interrupt)
    assert time.perf_counter() - started < 2.0
    finished = sorted(p.name for p in (tmp_path / "deals").iterdir())
    assert len(finished) >= 3
    assert not list(tmp_path.glob("**/.*"))


def test_work_asks_whether_to_stop() -> None:
    config = RunConfig.create(**FIELDS, n_deals=100)
    job = Job(config, Layout(100, 1, 100), 10, records=False)
    with pytest.raises(Stopped):
        job.play(Span(0, 100), stop=lambda: True)


def test_arrays_of_a_wrong_type_are_refused() -> None:
    class Sloppy(DiceGame):
        def record_columns(self, players: int) -> Any:
            return [replace(c, dtype="int16") if c.name == "winner" else c for c in super().record_columns(players)]

    with pytest.raises(TypeError, match="record column 'winner': uint8"):
        simulate(game=Sloppy(), players=3, n_deals=10, records=True)


def test_labels_of_own_policies_reach_the_tables() -> None:
    result = simulate(game=DICE, players=2, seats=[DicePolicy("mine", stake=30), "bold"], n_deals=600)
    assert result.summary["payoff_by_seat"]["policy"].to_list() == ["mine", "bold"]

"""Threads, spawned processes and a real Dask cluster find the same; a lost worker costs nothing but time."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from svara_sim import CALL, FOLD, FunctionPolicy
from svara_sim.core.errors import IllegalAction, InvalidInput, SvaraError
from svara_sim.experiments.sweep import Sweep, open_pool, read_sweep, run_sweep, running
from svara_sim.experiments.sweep.play import Chunk, PointResult, pack, play_packed
from svara_sim.experiments.sweep.points import point_source

from ..children import child_environment
from ..fake_game import DiceGame, DicePolicy
from .sweeps import assert_same_results, dice_sweep, two_hundred

# The cluster's own threads and sockets are closed after their objects are forgotten.
pytestmark = [
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

SVARA: dict[str, Any] = {
    "game": "svara",
    "players": 4,
    "seed": 7,
    "target_error_antes": 0.2,
    "max_deals": 4000,
    "step_deals": 1000,
    "seats": ["threshold", "loose"],
    "design": {"kind": "sobol", "points": 12, "seats.0.call": {"from": 16, "to": 26}, "rules.blind_size": [60, 120]},
}


@pytest.fixture(scope="module")
def on_threads(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    return run_sweep(two_hundred(), tmp_path_factory.mktemp("threads") / "sweep")


@dataclass
class Cluster:
    address: str
    workers: list[subprocess.Popen[bytes]]


def _dask(*arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "dask", *arguments]
    return subprocess.Popen(command, env=child_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _wait_for(condition: Callable[[], Any], seconds: float = 60) -> Any:
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)
    return found


@contextlib.contextmanager
def start_cluster(folder: Path) -> Iterator[Cluster]:
    """A scheduler and two workers, started with Dask's own commands."""
    told = folder / "scheduler.json"
    local = ["--scheduler-file", str(told)]
    started = [_dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", *local)]
    try:
        _wait_for(told.exists)
        for i in range(2):
            space = ["--local-directory", str(folder / f"worker-{i}")]
            flags = ["--no-dashboard", "--no-nanny", "--nthreads", "1", "--death-timeout", "60", "--host", "127.0.0.1"]
            started.append(_dask("worker", *flags, *space, *local))
        from distributed import Client

        with Client(scheduler_file=str(told), set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
            address = client.scheduler.address
        yield Cluster(address, started[1:])
    finally:
        for process in reversed(started):
            process.kill()  # asked politely, a worker waits for what it has in hand
            process.wait(30)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    with start_cluster(tmp_path_factory.mktemp("cluster")) as found:
        yield found


@pytest.mark.slow
def test_processes_find_what_threads_find(tmp_path: Path, on_threads: Sweep) -> None:
    assert_same_results(run_sweep(two_hundred(), tmp_path / "dice", executor="processes", n_threads=2), on_threads)


@pytest.mark.slow
def test_a_cluster_finds_what_threads_find(tmp_path: Path, on_threads: Sweep, cluster: Cluster) -> None:
    out = tmp_path / "dice"
    assert_same_results(run_sweep(two_hundred(), out, executor="dask", dask_address=cluster.address), on_threads)


@pytest.mark.slow
def test_svara_on_all_three(tmp_path: Path, cluster: Cluster) -> None:
    threads = run_sweep(SVARA, tmp_path / "threads", n_threads=2)
    assert threads.frame["deals"].n_unique() > 1
    processes = run_sweep(SVARA, tmp_path / "processes", executor="processes", n_threads=1)
    dask = run_sweep(SVARA, tmp_path / "dask", executor="dask", dask_address=cluster.address)
    assert_same_results(processes, threads)
    assert_same_results(dask, threads)


@pytest.mark.slow
def test_a_local_cluster_is_started_and_stopped(tmp_path: Path, on_threads: Sweep) -> None:
    pytest.importorskip("distributed")
    before = threading.active_count()
    assert_same_results(run_sweep(two_hundred(), tmp_path, executor="dask", n_threads=1), on_threads)
    _wait_for(lambda: threading.active_count() <= before + 8)


def _kill_when(out: Path, n_points: int, find: Callable[[], int]) -> threading.Thread:
    """Kill a process once this many points stand."""

    def kill() -> None:
        _wait_for(lambda: len(list(out.glob("points/*.parquet"))) >= n_points)
        os.kill(find(), signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


@pytest.mark.slow
def test_a_dask_worker_killed_in_mid_sweep_loses_nothing(tmp_path: Path, on_threads: Sweep) -> None:
    pytest.importorskip("distributed")
    with start_cluster(tmp_path) as cluster:
        out = tmp_path / "sweep"
        killer = _kill_when(out, 40, lambda: cluster.workers[0].pid)
        slow = two_hundred(game=DiceGame(pause=0.02))
        sweep = run_sweep(slow, out, executor="dask", dask_address=cluster.address)
        killer.join()
        assert cluster.workers[0].wait(30) == -signal.SIGKILL
        assert cluster.workers[1].poll() is None
    assert_same_results(sweep, on_threads)


@pytest.mark.slow
def test_a_process_killed_in_mid_sweep_loses_nothing(
    tmp_path: Path, on_threads: Sweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    pools: list[ProcessPoolExecutor] = []

    class Watched(ProcessPoolExecutor):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            pools.append(self)

    monkeypatch.setattr("svara_sim.experiments.sweep.pools.ProcessPoolExecutor", Watched)
    killer = _kill_when(tmp_path, 40, lambda: next(iter(pools[0]._processes)))
    slow = two_hundred(game=DiceGame(pause=0.02))
    sweep = run_sweep(slow, tmp_path, executor="processes", n_threads=2)
    killer.join()
    assert len(pools) == 2, "the broken pool was not replaced"
    assert_same_results(sweep, on_threads)


@dataclass(frozen=True)
class DeadlyPolicy(DicePolicy):
    """Kills the process that unpacks it."""

    def __setstate__(self, state: Any) -> None:
        os._exit(1)


@pytest.mark.slow
def test_a_point_that_always_kills_its_worker_ends_the_sweep(tmp_path: Path) -> None:
    sweep = dice_sweep(3, seats=[DeadlyPolicy("deadly"), "timid"])
    with pytest.raises(
        SvaraError, match=r"workers died 4 times in a row, .* playing points 0 .*__main__.*; finished points are kept"
    ):
        run_sweep(sweep, tmp_path, executor="processes", n_threads=1)


def test_errors_of_the_game_come_back_from_processes(tmp_path: Path) -> None:
    sweep = dice_sweep(design={"seats.1": ["timid", "cheat:at=70", "cheat:at=80"]})
    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor,
        pytest.raises(IllegalAction, match="point 1: cheat:at=70, seat 1, deal 70"),
    ):
        run_sweep(sweep, tmp_path, executor=executor)


def test_an_executor_of_ones_own_is_left_open(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as executor:
        a = run_sweep(dice_sweep(), tmp_path / "a", executor=executor)
        assert executor.submit(int, "5").result() == 5
    assert_same_results(a, run_sweep(dice_sweep(), tmp_path / "b"))


def test_functions_of_a_notebook_travel() -> None:
    """What stands in no module that a worker could import is packed as it is."""
    least = 20

    def bet(view: Any) -> int:
        return CALL if view.points >= least else FOLD

    sweep = {
        "seats": [FunctionPolicy("mine", bet), "rock"],
        "players": 2,
        "deals": 500,
        "design": {"seats.1.call": [20]},
    }
    points = read_sweep(sweep).points
    packed = pack(Chunk(points))
    script = (
        "import sys; from svara_sim.experiments.sweep.play import play_packed; "
        "print(play_packed(sys.stdin.buffer.read()))"
    )
    done = subprocess.run([sys.executable, "-c", script], input=packed, capture_output=True, check=True)
    here = play_packed(packed)
    assert isinstance(here[0], PointResult)
    assert done.stdout.decode().strip() == str(here)


def test_what_cannot_travel_is_named() -> None:
    lock = threading.Lock()

    @dataclass(frozen=True)
    class Locked(DicePolicy):
        @property
        def guard(self) -> Any:
            return lock

    points = read_sweep(dice_sweep(1, seats=[Locked("locked")], design=None)).points
    with pytest.raises(InvalidInput, match=r"seats = locked, .* cannot travel to another process \(.*'threads'"):
        pack(Chunk(points))


def test_a_worker_of_other_source_refuses() -> None:
    points = read_sweep(dice_sweep(1, design=None)).points
    assert play_packed(pack(Chunk(points, point_source())))
    with pytest.raises(SvaraError, match="runs other source than this process"):
        play_packed(pack(Chunk(points, "other")))


def test_wrong_executors_are_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"executor = 'thread'.*did you mean 'threads'"):
        run_sweep(dice_sweep(1), tmp_path, executor="thread")
    with pytest.raises(InvalidInput, match=r"dask_address = 'tcp://127\.0\.0\.1:1': belongs to the executor 'dask'"):
        run_sweep(dice_sweep(1), tmp_path, dask_address="tcp://127.0.0.1:1")


@pytest.mark.slow
def test_a_cluster_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("svara_sim.experiments.sweep.cluster._CONNECT_SECONDS", 0.5)
    with (
        pytest.raises(SvaraError, match=r"dask_address = 'tcp://127\.0\.0\.1:1': no Dask scheduler answers there"),
        open_pool("dask", dask_address="tcp://127.0.0.1:1"),
    ):
        pass


def test_small_points_travel_together() -> None:
    points = read_sweep(two_hundred()).points
    with ThreadPoolExecutor(1) as executor, open_pool(executor, n_workers=2) as pool:
        assert len(running._chunks(points, pool)) == 200
        pool.packed = True
        chunks = running._chunks(points, pool)
    assert len(chunks) == 8
    assert [p for c in chunks for p in c.points] == list(points)

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from svara_sim.core.errors import DataError
from svara_sim.experiments import open_run, run_to
from svara_sim.experiments.dataset.folder import Folder

from .children import child_command, child_environment
from .fake_game import DICE

FIELDS: dict[str, Any] = {"game": DICE, "players": 3, "seed": 3, "n_deals": 350, "part_deals": 100}


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    found = Folder(tmp_path / "data")
    found.prepare(["parts"])
    return found


def test_files_come_whole_or_not_at_all(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write_text("note", "old")

    def failing(source: Path, target: Path) -> None:
        assert source.parent == target.parent
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(DataError, match="note: cannot write it: no space left on device"):
        folder.write_text("note", "new")
    assert folder.read_text("note") == "old"
    assert os.listdir(folder.path / "parts") == []
    assert sorted(os.listdir(folder.path)) == ["note", "parts"]


def test_frames_carry_what_is_said_about_them(folder: Folder) -> None:
    frame = pl.DataFrame({"a": [1, 2, 3], "b": pl.Series(["x", "y", "x"], dtype=pl.Enum(["x", "y"]))})
    folder.write_frame("parts/one.parquet", frame, {"part": 7, "text": "7♣"})
    about, schema, rows = folder.inspect_frame("parts/one.parquet")
    assert about == {"part": 7, "text": "7♣"}
    assert schema == frame.schema
    assert rows == 3
    assert folder.read_frame("parts/one.parquet").equals(frame)


def test_names_with_wildcards_are_names(tmp_path: Path) -> None:
    dataset = run_to(tmp_path / "run [1]*", **FIELDS)
    assert dataset.scan().collect().height == 350
    assert dataset.totals["deals"].sum() == 350
    dataset.validate(deep=True)
    assert open_run(tmp_path / "run [1]*", game=DICE).deals(340, 10).height == 10


def test_lock_excludes_others_and_is_let_go(folder: Folder) -> None:
    with folder.lock():
        message = rf"another run is writing here \(process {os.getpid()} on .*\); wait"
        with pytest.raises(DataError, match=message), Folder(folder.path).lock():
            pass
        assert (folder.path / ".lock").exists()
    assert not (folder.path / ".lock").exists()
    with pytest.raises(ZeroDivisionError), folder.lock():
        raise ZeroDivisionError
    with folder.lock():
        pass


def test_a_lock_file_alone_locks_nothing(folder: Folder) -> None:
    (folder.path / ".lock").write_text("process 1 on nowhere\n")
    with folder.lock():
        assert str(os.getpid()) in (folder.path / ".lock").read_text()


def test_only_one_of_many_gets_the_lock(folder: Folder) -> None:
    inside, most, turns = 0, 0, 0
    guard = threading.Lock()

    def try_often() -> None:
        nonlocal inside, most, turns
        for _ in range(200):
            try:
                with folder.lock():
                    with guard:
                        inside += 1
                        turns += 1
                        most = max(most, inside)
                    with guard:
                        inside -= 1
            except DataError:
                pass

    workers = [threading.Thread(target=try_often) for _ in range(6)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert most == 1
    assert turns > 0


@pytest.mark.parametrize("records", [True, False])
def test_target_below_a_file(tmp_path: Path, records: bool) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="file/run: cannot write it: not a directory"):
        run_to(tmp_path / "file" / "run", **FIELDS, records=records)


def test_target_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(DataError, match="file: cannot write it: file exists"):
        run_to(tmp_path / "file", **FIELDS)
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(sys.platform != "linux", reason="needs a folder that nobody can write to")
def test_unwritable_target() -> None:
    with pytest.raises(DataError, match="/proc/svara: cannot write it: "):
        run_to("/proc/svara", **FIELDS)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_target(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(DataError, match="cannot write it: permission denied"):
            run_to(tmp_path / "run", **FIELDS)
    finally:
        tmp_path.chmod(0o700)


def test_full_disk_keeps_finished_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write, written = pl.DataFrame.write_parquet, 0

    def full(self: pl.DataFrame, path: Path, **options: Any) -> None:
        nonlocal written
        written += 1
        if written > 5:
            Path(path).write_bytes(b"half a fi")
            raise OSError(errno.ENOSPC, "No space left on device")
        write(self, path, **options)

    with monkeypatch.context() as patch:
        patch.setattr(pl.DataFrame, "write_parquet", full)
        with pytest.raises(DataError, match=r"deals/part-000002\.parquet: cannot write it: no space left on device"):
            run_to(tmp_path, **FIELDS, n_threads=1)
    assert sorted(p.name for p in (tmp_path / "deals").iterdir()) == ["part-000000.parquet", "part-000001.parquet"]
    with pytest.raises(DataError, match="incomplete, 2 of 4 parts"):
        open_run(tmp_path, game=DICE)
    assert run_to(tmp_path, **FIELDS).scan().collect().height == 350


LIMITED = """
import resource, sys
from experiments.fake_game import DICE
from svara_sim.core.errors import DataError
from svara_sim.experiments import run_to

def limit(done, total):
    if done >= 20_000:
        resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000))

sizes = {"n_deals": 50_000, "part_deals": 10_000, "n_threads": 1}
try:
    run_to(sys.argv[1], game=DICE, players=3, seed=3, progress=limit, **sizes)
except DataError as error:
    sys.exit(str(error))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
def test_files_that_the_system_refuses_to_grow(tmp_path: Path) -> None:
    done = subprocess.run(
        child_command(LIMITED, tmp_path), env=child_environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith(str(tmp_path / "deals" / "part-00000"))
    assert done.stderr.endswith(".parquet: cannot write it: file too large\n")
    assert not list(tmp_path.glob("**/*.tmp"))
    fields = {**FIELDS, "n_deals": 50_000}
    del fields["part_deals"]
    assert run_to(tmp_path, **fields).manifest.part_units == 10_000


MEMORY = """
import resource, sys
from experiments.fake_game import DICE
from svara_sim.experiments import run_to

def peak(n):
    sizes = {"part_deals": 1 << 17, "block_deals": 1 << 14}
    run_to(sys.argv[1], game=DICE, players=3, n_deals=n, overwrite=True, **sizes)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

print(peak(1_000_000), peak(6_000_000))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="counts memory in kilobytes")
def test_memory_does_not_grow_with_the_run(tmp_path: Path) -> None:
    done = subprocess.run(
        child_command(MEMORY, tmp_path), env=child_environment(), capture_output=True, text=True, check=True
    )
    short, long = map(int, done.stdout.split())
    records = 5_000_000 * 31 / 1024
    assert long - short < records / 3

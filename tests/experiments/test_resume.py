"""Whatever happens to a run: its folder ends with the content of an unbroken one, or says what is wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from polars.testing import assert_frame_equal

from svara_sim.core.errors import DataError
from svara_sim.experiments import Dataset, open_run, run_to
from svara_sim.experiments.dataset import manifest as manifest_module
from svara_sim.experiments.dataset.folder import Folder

from .children import child_command, child_environment
from .fake_game import DICE

FIELDS: dict[str, Any] = {
    "game": DICE,
    "players": 3,
    "seats": ["bold", "cheat:at=150"],
    "seed": 3,
    "n_deals": 350,
    "lenient": True,
}
PART = {"part_deals": 100}


class Killed(BaseException):
    """Not an error that anything would catch."""


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return run_to(tmp_path_factory.mktemp("unbroken"), **FIELDS, **PART)


def assert_same_content(a: Dataset, b: Dataset) -> None:
    assert_frame_equal(a.scan().collect(), b.scan().collect())
    assert_frame_equal(a.totals, b.totals)
    assert a.clamped == b.clamped
    assert a.folder.names("deals") == b.folder.names("deals")
    assert a.folder.names("totals") == b.folder.names("totals")
    for name in ("config", "config_hash", "n_parts", "part_units", "status"):
        assert getattr(a.manifest, name) == getattr(b.manifest, name)


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("step", range(10))
def test_killed_at_any_step(
    step: int, moment: str, tmp_path: Path, unbroken: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Manifest, totals and deals of four parts, manifest: ten files are put in their places."""
    replace, done = os.replace, 0

    def killing(source: Path, target: Path) -> None:
        nonlocal done
        if done == step and moment == "before":
            raise Killed
        replace(source, target)
        done += 1
        if done == step + 1 and moment == "after":
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", killing)
        with pytest.raises(Killed):
            run_to(tmp_path, **FIELDS, **PART, n_threads=1)
    if step < 9 or moment == "before":
        with pytest.raises(DataError, match=r"incomplete|not a dataset|no such"):
            open_run(tmp_path, game=DICE)
    finished = {p.name: p.stat().st_mtime_ns for p in (tmp_path / "deals").iterdir()}
    size = {} if (tmp_path / "manifest.json").exists() else PART  # a begun run keeps its own
    resumed = run_to(tmp_path, **FIELDS, **size, n_threads=2)
    assert_same_content(resumed, unbroken)
    assert_same_content(open_run(tmp_path, game=DICE), unbroken)
    for name, written in finished.items():
        assert (tmp_path / "deals" / name).stat().st_mtime_ns == written, "a finished part was played again"


SCRIPT = """
import sys
from experiments.fake_game import DiceGame
from svara_sim.experiments import run_to

fields = {"players": 3, "seats": ["bold", "cheat:at=150"], "seed": 3, "n_deals": 350, "lenient": True}
run_to(sys.argv[1], game=DiceGame(pause=0.03), part_deals=10, block_deals=5, **fields)
"""


def start(out: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(child_command(SCRIPT, out), env=child_environment(), stderr=subprocess.PIPE)


def wait_for_parts(out: Path, n: int) -> None:
    deadline = time.monotonic() + 60
    while len(list(out.glob("deals/part-*.parquet"))) < n:
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.mark.slow
def test_kill_9_in_mid_run(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    for n in (1, 6, 13):
        process = start(tmp_path)
        wait_for_parts(tmp_path, n)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        with pytest.raises(DataError, match=r"incomplete, \d+ of 35 parts; run the same command to finish it"):
            open_run(tmp_path, game=DICE)
    resumed = run_to(tmp_path, **FIELDS)
    assert resumed.manifest.resumed == 3
    assert_same_content(resumed, run_to(tmp_path_factory.mktemp("whole"), **FIELDS, part_deals=10))
    assert not list(tmp_path.glob("**/.*"))


@pytest.mark.slow
def test_two_processes_in_one_folder(tmp_path: Path) -> None:
    process = start(tmp_path)
    wait_for_parts(tmp_path, 1)
    with pytest.raises(DataError, match=rf"another run is writing here \(process {process.pid} on "):
        run_to(tmp_path, **FIELDS)
    process.communicate()
    assert process.returncode == 0
    assert open_run(tmp_path, game=DICE).manifest.resumed == 0


def test_a_complete_run_is_opened_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_to(tmp_path, **FIELDS, **PART)
    monkeypatch.setattr(Folder, "lock", None)
    monkeypatch.setattr(Folder, "prepare", None)
    assert run_to(tmp_path, **FIELDS).manifest.n_parts == 4


@pytest.mark.parametrize("harm", ["cut", "empty", "garbage", "absent", "swapped", "of another run"])
@pytest.mark.parametrize("folder", ["deals", "totals"])
def test_damaged_parts_are_named_and_played_again(folder: str, harm: str, tmp_path: Path, unbroken: Dataset) -> None:
    out = tmp_path / "run"
    run_to(out, **FIELDS, **PART)
    target = out / folder / "part-000002.parquet"
    content = target.read_bytes()
    if harm == "cut":
        target.write_bytes(content[:-20])
    elif harm == "empty":
        target.write_bytes(b"")
    elif harm == "garbage":
        target.write_bytes(os.urandom(5000))
    elif harm == "absent":
        target.unlink()
    elif harm == "swapped":
        target.write_bytes((out / folder / "part-000001.parquet").read_bytes())
    else:
        other = run_to(tmp_path / "other", **{**FIELDS, "seed": 4}, **PART)
        target.write_bytes((other.path / folder / target.name).read_bytes())
    with pytest.raises(DataError, match="part-000002") as error:
        open_run(out, game=DICE)
    assert str(error.value).startswith(str(target))
    assert "\n" not in str(error.value)
    assert_same_content(run_to(out, **FIELDS), unbroken)
    assert_same_content(open_run(out, game=DICE), unbroken)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 4}, "holds another run: seed = 3 there, 4 here"),
        ({"rules": {"sides": 8}}, r"rules\.sides = 6 there, 8 here"),
        ({"seats": ["bold", "bold"]}, r"seats\[1\]\.stake = 10 there, 20 here"),
        ({"seats": ["bold", "cheat:at=151"]}, r"seats\[1\]\.cheats_at = 150 there, 151 here"),
        ({"n_deals": 351}, "n_deals = 350 there, 351 here"),
        ({"session_deals": 5}, "session_deals = None there, 5 here"),
        ({"records": False}, "records = True there, False here"),
        ({"part_deals": 50}, "part_units = 100 there, 50 here"),
    ],
)
@pytest.mark.parametrize("complete", [True, False])
def test_another_run_in_the_folder_is_refused(
    change: dict[str, Any], message: str, complete: bool, tmp_path: Path
) -> None:
    run_to(tmp_path, **FIELDS, **PART)
    if not complete:
        edit_manifest(tmp_path, status="running")
        (tmp_path / "deals/part-000003.parquet").unlink()
    before = {p: p.read_bytes() for p in tmp_path.glob("**/*.parquet")}
    with pytest.raises(DataError, match=message) as error:
        run_to(tmp_path, **{**FIELDS, **change})
    assert str(error.value).startswith(str(tmp_path))
    assert "choose another folder, or overwrite it" in str(error.value)
    assert {p: p.read_bytes() for p in tmp_path.glob("**/*.parquet")} == before


def edit_manifest(folder: Path, **fields: Any) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


@pytest.mark.parametrize("field", ["source", "numba", "svara_sim"])
def test_other_code_is_refused(field: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_to(tmp_path, **FIELDS, **PART)
    versions = {**manifest_module.code_versions(), field: "other"}
    monkeypatch.setattr(manifest_module, "code_versions", lambda: versions)
    with pytest.raises(DataError, match=f"was made by other code: {field} = .* there, 'other' here"):
        run_to(tmp_path, **FIELDS)
    assert open_run(tmp_path, game=DICE).manifest.n_deals == 350
    assert run_to(tmp_path, **FIELDS, overwrite=True).manifest.versions[field] == "other"


def test_overwrite_replaces_another_run(tmp_path: Path, unbroken: Dataset) -> None:
    run_to(tmp_path, **{**FIELDS, "n_deals": 1000}, **PART)
    assert_same_content(run_to(tmp_path, **FIELDS, **PART, overwrite=True), unbroken)
    totals_only = run_to(tmp_path, **FIELDS, **PART, overwrite=True, records=False)
    assert_frame_equal(totals_only.totals, unbroken.totals)
    assert not (tmp_path / "deals").exists()


def test_overwrite_killed_at_the_worst_moment(
    tmp_path: Path, unbroken: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new manifest stands, the old parts too."""
    run_to(tmp_path, **{**FIELDS, "seed": 5}, **PART)

    def killing(self: Folder, name: str) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "remove", killing)
        with pytest.raises(Killed):
            run_to(tmp_path, **FIELDS, **PART, overwrite=True)
    assert_same_content(run_to(tmp_path, **FIELDS), unbroken)


def test_overwrite_of_a_broken_manifest(tmp_path: Path, unbroken: Dataset) -> None:
    run_to(tmp_path, **FIELDS, **PART)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(DataError, match=r"manifest\.json: damaged"):
        run_to(tmp_path, **FIELDS, **PART)
    assert_same_content(run_to(tmp_path, **FIELDS, **PART, overwrite=True), unbroken)


@pytest.mark.parametrize("overwrite", [False, True])
def test_folders_with_other_files_are_left_alone(overwrite: bool, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("precious")
    with pytest.raises(DataError, match=r"holds other files \(thesis\.txt\) and no manifest"):
        run_to(tmp_path, **FIELDS, overwrite=overwrite)
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.txt"]


def test_parts_without_a_manifest_are_left_alone(tmp_path: Path) -> None:
    run_to(tmp_path, **FIELDS, **PART)
    (tmp_path / "manifest.json").unlink()
    with pytest.raises(DataError, match=r"holds other files \(deals\)"):
        run_to(tmp_path, **FIELDS)


def test_leftovers_of_killed_writers_are_removed(tmp_path: Path, unbroken: Dataset) -> None:
    for name in ("totals", "deals"):
        (tmp_path / name).mkdir()
        (tmp_path / name / ".part-000000.parquet.0123abcd.tmp").write_bytes(b"half")
    (tmp_path / ".lock").write_text("process 1 on nowhere\n")
    (tmp_path / ".manifest.json.0123abcd.tmp").write_text("{")
    assert_same_content(run_to(tmp_path, **FIELDS, **PART), unbroken)
    assert not list(tmp_path.glob("**/.*"))


@pytest.mark.parametrize("session", [None, 7])
def test_content_does_not_depend_on_threads_blocks_or_part_size(session: int | None, tmp_path: Path) -> None:
    fields = {**FIELDS, "n_deals": 2100, "session_deals": session}
    reference = run_to(tmp_path / "0", **fields, part_deals=700, n_threads=1)
    records = reference.scan().collect()
    for i, (part_deals, n_threads, block_deals) in enumerate([(700, 2, 64), (100, 3, None), (5000, 1, 333)]):
        other = run_to(
            tmp_path / str(i + 1), **fields, part_deals=part_deals, n_threads=n_threads, block_deals=block_deals
        )
        assert_frame_equal(other.scan().collect(), records)
        assert_frame_equal(other.totals, reference.totals)
        assert other.clamped == reference.clamped
        assert other.summary["payoff_by_seat"].equals(reference.summary["payoff_by_seat"])


def test_progress_of_a_resumed_run_begins_where_it_stands(tmp_path: Path) -> None:
    run_to(tmp_path, **FIELDS, **PART)
    (tmp_path / "deals" / "part-000001.parquet").unlink()
    seen: list[int] = []
    run_to(tmp_path, **FIELDS, progress=lambda done, total: seen.append(done))
    assert seen == [250, 350]

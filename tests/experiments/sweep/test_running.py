"""What stands is kept, what is missing is played, and nothing finished is lost."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from svara_sim.core.errors import DataError
from svara_sim.experiments import run_to
from svara_sim.experiments.dataset.folder import Folder
from svara_sim.experiments.sweep import (
    Sweep,
    missing_points,
    open_sweep,
    read_sweep,
    run_sweep,
    sweep_status,
)
from svara_sim.experiments.sweep import points as points_module

from ..fake_game import DICE
from .sweeps import assert_same_results, dice_sweep


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    return run_sweep(dice_sweep(), tmp_path_factory.mktemp("unbroken") / "sweep")


def written(out: Path) -> dict[str, int]:
    return {p.name: p.stat().st_mtime_ns for p in (out / "points").iterdir()}


class Seen:
    """What progress was told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, int, int]] = []

    def points(self, done: int, total: int) -> None:
        self.told.append(("points", done, total))

    def deals(self, done: int, total: int) -> None:
        self.told.append(("deals", done, total))


class Killed(BaseException):
    """Not an error that anything would catch."""


@pytest.mark.parametrize("step", range(13))
def test_killed_at_any_step(step: int, tmp_path: Path, unbroken: Sweep, monkeypatch: pytest.MonkeyPatch) -> None:
    """Manifest, ten points, dataset, manifest: thirteen files are put in their places."""
    replace, done = os.replace, 0

    def killing(source: Path, target: Path) -> None:
        nonlocal done
        if done == step:
            raise Killed
        replace(source, target)
        done += 1

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", killing)
        with pytest.raises(Killed):
            run_sweep(dice_sweep(), tmp_path, n_threads=1)
    if step:
        begun = open_sweep(tmp_path)
        assert not begun.complete
        assert begun.n_done == min(step - 1, 10)
        assert begun.frame.height == 3 * min(step - 1, 10)
    stands = written(tmp_path)
    resumed = run_sweep(dice_sweep(), tmp_path, n_threads=2)
    assert resumed.manifest.resumed == (1 if step else 0)
    assert_same_results(resumed, unbroken)
    assert_same_results(open_sweep(tmp_path), unbroken)
    assert stands.items() <= written(tmp_path).items()
    assert not list(tmp_path.glob("**/.*"))


def test_a_complete_sweep_plays_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run_sweep(dice_sweep(), tmp_path)
    monkeypatch.setattr("svara_sim.experiments.sweep.running.open_pool", None)
    again = run_sweep(dice_sweep(), tmp_path)
    assert again.manifest == first.manifest
    assert_same_results(again, first)


def test_a_superset_redoes_nothing(tmp_path: Path) -> None:
    run_sweep(dice_sweep(5), tmp_path)
    stands = written(tmp_path)
    seen = Seen()
    more = run_sweep(dice_sweep(8), tmp_path, progress=seen.deals, point_progress=seen.points, n_threads=1)
    assert seen.told[:2] == [("points", 10, 16), ("deals", 5000, 8000)]
    assert seen.told[-2:] == [("points", 16, 16), ("deals", 8000, 8000)]
    assert stands.items() <= written(tmp_path).items()
    assert_same_results(more, run_sweep(dice_sweep(8), tmp_path / "whole"))


def test_points_that_are_no_longer_wanted_stay_outside_the_dataset(tmp_path: Path) -> None:
    run_sweep(dice_sweep(5), tmp_path)
    fewer = run_sweep(dice_sweep(2), tmp_path)
    assert fewer.frame.height == 4 * 3
    status = sweep_status(read_sweep(dice_sweep(2)), tmp_path)
    assert (status.n_done, status.n_points, status.unwanted, status.complete) == (4, 4, 6, True)
    changed = dice_sweep(2, seed=4)
    status = sweep_status(read_sweep(changed), tmp_path)
    assert (status.n_done, status.n_points, status.unwanted, status.complete) == (0, 4, 10, False)
    assert len(missing_points(read_sweep(changed), tmp_path)) == 4
    assert_same_results(run_sweep(dice_sweep(5), tmp_path), run_sweep(dice_sweep(5), tmp_path / "whole"))


def test_other_source_plays_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_sweep(dice_sweep(2), tmp_path)
    monkeypatch.setattr(points_module, "point_source", lambda: "other")
    assert sweep_status(read_sweep(dice_sweep(2)), tmp_path).n_done == 0
    run_sweep(dice_sweep(2), tmp_path)
    assert len(written(tmp_path)) == 8


def test_overwrite_plays_everything_again(tmp_path: Path, unbroken: Sweep) -> None:
    run_sweep(dice_sweep(7), tmp_path)
    stands = written(tmp_path)
    assert_same_results(run_sweep(dice_sweep(), tmp_path, overwrite=True), unbroken)
    assert all(stands[name] != when for name, when in written(tmp_path).items())


def test_the_same_point_twice_is_played_once(tmp_path: Path) -> None:
    rows = [{"rules.preset": "d6", "rules.sides": 6}, {"rules.preset": "d20", "rules.sides": 6}]
    sweep = run_sweep(dice_sweep(design={"kind": "list", "rows": rows}), tmp_path)
    assert len(written(tmp_path)) == 1
    assert sweep.frame["rules.preset"].to_list() == ["d6"] * 3 + ["d20"] * 3
    assert sweep.frame["payoff_antes"].to_list()[:3] == sweep.frame["payoff_antes"].to_list()[3:]


@pytest.mark.parametrize("harm", ["cut", "empty", "garbage", "swapped"])
def test_damaged_points_are_played_again(harm: str, tmp_path: Path, unbroken: Sweep) -> None:
    sweep = run_sweep(dice_sweep(), tmp_path)
    first, second = (tmp_path / "points" / f"{d}.parquet" for d in sweep.manifest.digests[:2])
    content = first.read_bytes()
    first.write_bytes(
        {"cut": content[:-20], "empty": b"", "garbage": os.urandom(900), "swapped": second.read_bytes()}[harm]
    )
    assert_same_results(run_sweep(dice_sweep(), tmp_path), unbroken)
    assert first.read_bytes() == content


def test_a_full_disk_loses_no_finished_point(tmp_path: Path, unbroken: Sweep, monkeypatch: pytest.MonkeyPatch) -> None:
    replace, done = os.replace, 0

    def filling(source: Path, target: Path) -> None:
        nonlocal done
        if done >= 6:
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(source, target)
        done += 1

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", filling)
        with pytest.raises(DataError, match=r"points/.*\.parquet: cannot write it: no space left on device$"):
            run_sweep(dice_sweep(), tmp_path, n_threads=2)
    stands = written(tmp_path)
    assert len(stands) == 5
    assert not list(tmp_path.glob("**/.*"))
    assert_same_results(run_sweep(dice_sweep(), tmp_path), unbroken)
    assert stands.items() <= written(tmp_path).items()


def test_an_unwritable_target_is_said_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="file/sweep: cannot write it: not a directory") as error:
        run_sweep(dice_sweep(), tmp_path / "file" / "sweep")
    assert "\n" not in str(error.value)


def test_other_folders_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("precious")
    with pytest.raises(DataError, match=r"holds other files \(thesis\.txt\)"):
        run_sweep(dice_sweep(), tmp_path / "other", overwrite=True)
    run_to(tmp_path / "run", game=DICE, n_deals=10)
    with pytest.raises(DataError, match="not a sweep of this program: format = 'svara-run/1'"):
        run_sweep(dice_sweep(), tmp_path / "run", overwrite=True)
    run_sweep(dice_sweep(1), tmp_path / "sweep")
    with pytest.raises(DataError, match="not a run of this program"):
        run_to(tmp_path / "sweep", game=DICE, n_deals=10)


def test_a_damaged_manifest_is_named(tmp_path: Path) -> None:
    run_sweep(dice_sweep(1), tmp_path)
    manifest = tmp_path / "manifest.json"
    found: dict[str, Any] = json.loads(manifest.read_text())
    manifest.write_text("{")
    with pytest.raises(DataError, match=r"manifest\.json: damaged"):
        open_sweep(tmp_path)
    del found["points"]
    manifest.write_text(json.dumps(found))
    with pytest.raises(DataError, match="'points' is missing"):
        open_sweep(tmp_path)


def test_two_sweeps_in_one_folder(tmp_path: Path) -> None:
    run_sweep(dice_sweep(1), tmp_path)
    with Folder(tmp_path).lock(), pytest.raises(DataError, match="another run is writing here"):
        run_sweep(dice_sweep(2), tmp_path)


def test_progress_only_grows(tmp_path: Path) -> None:
    seen = Seen()
    run_sweep(dice_sweep(3), tmp_path, progress=seen.deals, point_progress=seen.points, n_threads=2)
    assert seen.told[-2:] == [("points", 6, 6), ("deals", 3000, 3000)]
    for kind in ("points", "deals"):
        done = [n for k, n, _ in seen.told if k == kind]
        assert done == sorted(done)

"""Runs and sweeps to and from an object store: a local S3 server."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from polars.testing import assert_frame_equal

from svara_sim.cli.main import cli
from svara_sim.core.errors import DataError, InvalidInput
from svara_sim.experiments import open_run, run_to
from svara_sim.experiments.dataset import objects as objects_module
from svara_sim.experiments.dataset.folder import Folder, folder_at
from svara_sim.experiments.dataset.objects import ObjectFolder, is_object_url
from svara_sim.experiments.sweep import Sweep, open_sweep, read_sweep, run_sweep, sweep_status

from ..fake_game import DICE
from .sweeps import assert_same_results, dice_sweep

pytestmark = pytest.mark.slow

RUN: dict[str, Any] = {"game": DICE, "players": 3, "seed": 3, "n_deals": 350, "part_deals": 100}


@pytest.fixture
def bucket(s3_server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Address of an empty bucket; the environment is what the AWS tools would be given."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3_server)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    name = f"bucket-{uuid.uuid4().hex[:8]}"
    ObjectFolder(f"s3://{name}/x")._files.mkdir(name)
    return f"s3://{name}"


@pytest.fixture(scope="module")
def on_disk(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    return run_sweep(dice_sweep(), tmp_path_factory.mktemp("disk") / "sweep")


def test_urls_are_told_from_paths() -> None:
    assert is_object_url("s3://bucket/key")
    assert is_object_url(Path("s3://bucket/key"))
    assert not is_object_url("data/s3/key")
    assert not is_object_url("s3:")
    assert type(folder_at("data/x")) is Folder
    assert str(folder_at(Path("s3://bucket/key/"))) == "s3://bucket/key"


def test_a_sweep_in_a_store_equals_one_on_disk(bucket: str, on_disk: Sweep) -> None:
    sweep = run_sweep(dice_sweep(), f"{bucket}/sweeps/one")
    assert_same_results(sweep, on_disk)
    assert_same_results(open_sweep(f"{bucket}/sweeps/one"), on_disk)
    status = sweep_status(read_sweep(dice_sweep(2)), f"{bucket}/sweeps/one")
    assert (status.n_done, status.unwanted, status.complete) == (4, 6, False)


class Killed(BaseException):
    """Not an error that anything would catch."""


def test_a_killed_sweep_in_a_store_is_resumed(bucket: str, on_disk: Sweep, monkeypatch: pytest.MonkeyPatch) -> None:
    out, written = f"{bucket}/killed", ObjectFolder.write_frame
    done: list[str] = []

    def killing(self: ObjectFolder, name: str, *args: Any, **options: Any) -> None:
        if len(done) >= 4:
            raise Killed
        written(self, name, *args, **options)
        done.append(name)

    with monkeypatch.context() as patch:
        patch.setattr(ObjectFolder, "write_frame", killing)
        with pytest.raises(Killed):
            run_sweep(dice_sweep(), out, n_threads=1)
    begun = open_sweep(out)
    assert not begun.complete
    assert begun.n_done == len(begun.frame) // 3
    assert begun.n_done >= 4
    played: list[str] = []

    def watching(self: ObjectFolder, name: str, *args: Any, **options: Any) -> None:
        played.append(name)
        written(self, name, *args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(ObjectFolder, "write_frame", watching)
        resumed = run_sweep(dice_sweep(), out)
    assert len(played) == 10 - begun.n_done + 1
    assert resumed.manifest.resumed == 1
    assert_same_results(resumed, on_disk)


def test_processes_write_to_a_store(bucket: str, on_disk: Sweep) -> None:
    assert_same_results(run_sweep(dice_sweep(), f"{bucket}/p", executor="processes", n_threads=1), on_disk)


def test_a_run_in_a_store_equals_one_on_disk(bucket: str, tmp_path: Path) -> None:
    here, there = run_to(tmp_path / "run", **RUN), run_to(f"{bucket}/run", **RUN)
    again = open_run(f"{bucket}/run", game=DICE)
    for dataset in (there, again):
        assert_frame_equal(dataset.scan().collect(), here.scan().collect())
        assert_frame_equal(dataset.totals, here.totals)
        assert_frame_equal(dataset.deals(150, 100), here.deals(150, 100))
    again.validate(deep=True)
    assert run_to(f"{bucket}/run", **RUN).manifest.resumed == 0


def test_a_run_in_a_store_is_resumed(bucket: str, tmp_path: Path) -> None:
    run_to(f"{bucket}/run", **RUN)
    folder = folder_at(f"{bucket}/run")
    folder.remove("deals/part-000002.parquet")
    with pytest.raises(DataError, match=rf"{bucket}/run/deals/part-000002\.parquet: missing"):
        open_run(f"{bucket}/run", game=DICE)
    resumed = run_to(f"{bucket}/run", **RUN)
    assert resumed.manifest.resumed == 1
    assert_frame_equal(resumed.scan().collect(), run_to(tmp_path / "run", **RUN).scan().collect())


def test_the_command_line_takes_addresses(bucket: str) -> None:
    runner = CliRunner()
    done = runner.invoke(cli, ["run", "--players", "2", "--deals", "500", "--out", f"{bucket}/cli", "--quiet"])
    assert done.exit_code == 0, done.output
    told = runner.invoke(cli, ["summary", f"{bucket}/cli", "--table", "svara"])
    assert told.exit_code == 0, told.output
    assert told.output.startswith(f"{bucket}/cli: Svara, 500 deals")


def test_errors_of_a_store_are_one_line(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataError, match=r"s3://no-such-bucket/x: cannot write it: .*bucket does not exist") as error:
        run_sweep(dice_sweep(1), "s3://no-such-bucket/x")
    assert "\n" not in str(error.value)
    with pytest.raises(DataError, match=f"{bucket}/none: no such sweep"):
        open_sweep(f"{bucket}/none")
    folder_at(f"{bucket}/other").write_text("thesis.txt", "precious")
    with pytest.raises(DataError, match=r"holds other files \(thesis\.txt\)"):
        run_sweep(dice_sweep(1), f"{bucket}/other")


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "s3fs", None)
    with pytest.raises(InvalidInput, match=r"pip install 'svara_sim\[s3\]'"):
        objects_module.ObjectFolder("s3://bucket/x")

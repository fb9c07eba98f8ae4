from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from svara_sim.core.errors import DataError, InvalidInput
from svara_sim.experiments import Dataset, open_run, run_to, simulate

from .fake_game import DICE, DicePolicy

FIELDS: dict[str, Any] = {"game": DICE, "players": 3, "seats": ["bold", "timid"], "seed": 3, "n_deals": 1050}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    path = tmp_path_factory.mktemp("dataset")
    run_to(path, **FIELDS, part_deals=100)
    return open_run(path, game=DICE)


def test_a_dataset_is_the_run_in_memory(dataset: Dataset) -> None:
    result = simulate(**FIELDS, records=True)
    assert result.records is not None
    assert_frame_equal(dataset.scan().collect(), result.records)
    assert_frame_equal(dataset.totals, result.totals)
    assert dataset.summary.keys() == result.summary.keys()
    for name, table in result.summary.items():
        assert_frame_equal(dataset.summary[name], table)
    assert dataset.config == result.config


def test_any_deals_without_reading_all(dataset: Dataset) -> None:
    records = dataset.scan().collect()
    for first, n_deals in [(0, 1), (99, 2), (250, 300), (1049, 1), (0, 1050)]:
        assert_frame_equal(dataset.deals(first, n_deals), records.slice(first, n_deals))
    with pytest.raises(InvalidInput, match="deal = 1050: must be from 0 to 1049"):
        dataset.deals(1050)
    with pytest.raises(InvalidInput, match="n_deals = 51: must be from 1 to 50 deals"):
        dataset.deals(1000, 51)


def test_manifest_tells_what_was_played(dataset: Dataset) -> None:
    found = json.loads((dataset.path / "manifest.json").read_text(encoding="utf-8"))
    assert list(found)[:2] == ["format", "status"]
    assert found["format"] == "svara-run/1"
    assert found["status"] == "complete"
    assert found["config"]["labels"] == ["bold", "timid", "bold"]
    assert set(found["versions"]) == {"python", "svara_sim", "numba", "numpy", "polars", "source"}
    assert found["n_parts"] == 11
    assert found["columns"][0]["name"] == "ending"
    assert found["started"] <= found["finished"]
    assert found["started"].endswith("+00:00")


def test_totals_only(tmp_path: Path) -> None:
    dataset = run_to(tmp_path, **FIELDS, records=False)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["manifest.json", "totals"]
    assert_frame_equal(dataset.totals, simulate(**FIELDS).totals)
    for read in (dataset.scan, lambda: dataset.deals(3)):
        with pytest.raises(DataError, match="holds totals only, no records of single deals"):
            read()
    assert "totals only" in repr(open_run(tmp_path, game=DICE))


def test_policies_made_in_python_keep_their_tables(tmp_path: Path) -> None:
    fields = {**FIELDS, "seats": [DicePolicy("mine", stake=50, secret="x")]}
    run_to(tmp_path, **fields)
    opened = open_run(tmp_path, game=DICE)
    assert opened.summary["payoff_by_seat"]["policy"].to_list() == ["mine"] * 3
    with pytest.raises(InvalidInput, match="made in Python"):
        opened.config.table()


def break_it(path: Path, what: str) -> None:
    manifest = path / "manifest.json"
    content = json.loads(manifest.read_text())
    if what == "no manifest":
        manifest.unlink()
    elif what == "half a manifest":
        manifest.write_text(manifest.read_text()[:300])
    elif what == "a list":
        manifest.write_text("[]")
    elif what == "binary":
        manifest.write_bytes(b"\xff\xfe\x00")
    elif what == "other format":
        manifest.write_text(json.dumps({**content, "format": "svara-run/9"}))
    elif what == "field missing":
        del content["n_parts"]
        manifest.write_text(json.dumps(content))
    elif what == "edited":
        content["config"]["seed"] = 99
        manifest.write_text(json.dumps(content))
    elif what == "odd config":
        manifest.write_text(json.dumps({**content, "config": 3}))
    elif what == "other rows":
        manifest.write_text(json.dumps({**content, "part_units": 99}))
    elif what == "other columns":
        columns = [{**content["columns"][0], "name": "start"}, *content["columns"][1:]]
        manifest.write_text(json.dumps({**content, "columns": columns}))


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("no manifest", r"manifest\.json: missing, so .* is not a dataset"),
        ("half a manifest", r"manifest\.json: damaged: "),
        ("a list", r"manifest\.json: not a run of this program: format = 'list', must be 'svara-run/1'"),
        ("binary", r"manifest\.json: cannot read it: "),
        ("other format", r"format = 'svara-run/9', must be 'svara-run/1'"),
        ("field missing", r"manifest\.json: damaged: 'n_parts' is missing"),
        ("edited", r"manifest\.json: edited by hand"),
        ("odd config", r"manifest\.json: damaged: config = 3"),
        ("other rows", r"part-000000\.parquet: damaged: 100 rows, must be 99"),
        ("other columns", r"part-000000\.parquet: damaged: its columns are not those of the manifest"),
    ],
)
def test_what_is_wrong_with_a_dataset_is_said_in_one_line(what: str, message: str, tmp_path: Path) -> None:
    run_to(tmp_path, **FIELDS, part_deals=100)
    break_it(tmp_path, what)
    with pytest.raises(DataError, match=message) as error:
        open_run(tmp_path, game=DICE)
    assert "\n" not in str(error.value)
    assert str(tmp_path) in str(error.value)


def test_an_absent_dataset(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="nowhere: no such dataset"):
        open_run(tmp_path / "nowhere")


def test_damage_within_a_file_shows_on_a_deep_look(tmp_path: Path) -> None:
    dataset = run_to(tmp_path, **FIELDS, part_deals=500)
    target = tmp_path / "deals" / "part-000001.parquet"
    content = bytearray(target.read_bytes())
    content[4:900] = bytes(896)
    target.write_bytes(content)
    dataset.validate()
    with pytest.raises(DataError, match=r"part-000001\.parquet: cannot read it"):
        dataset.validate(deep=True)


def test_a_config_that_this_version_does_not_know(tmp_path: Path, dataset: Dataset) -> None:
    class Stricter(type(DICE)):  # type: ignore[misc]
        def make_rules(self, preset: str | None = None, options: Any = None) -> Any:
            raise InvalidInput("sides = 6: no longer")

    with pytest.raises(DataError, match=r"manifest\.json: sides = 6: no longer"):
        _ = Dataset(dataset.folder, dataset.manifest, Stricter()).config


def test_records_are_narrow(dataset: Dataset) -> None:
    assert dataset.scan().collect_schema() == pl.Schema(
        {"deal": pl.UInt64(), "ending": pl.Enum(["won", "tied"]), "winner": pl.UInt8(), "carried": pl.UInt16()}
        | {"pot_chips": pl.Int32()}
        | {f"roll_{s}": pl.UInt8() for s in range(3)}
        | {f"payoff_{s}_chips": pl.Int32() for s in range(3)}
    )

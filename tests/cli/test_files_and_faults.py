"""Files that a person hands over: policies, rules, and datasets that something happened to."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from svara_sim.experiments.dataset import manifest, resume
from svara_sim.experiments.dataset.folder import Folder
from svara_sim.experiments.dataset.manifest import code_versions

from .helpers import svara

RUN = ("run", "--players", "3", "--deals", "2000", "--seed", "5", "--quiet")


@pytest.fixture
def policies(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(
        "from svara_sim import CALL, FOLD, FunctionPolicy\n"
        "LIMIT = 20\n"
        "def bet(view):\n    return CALL if view.points >= LIMIT else FOLD\n"
        "own = FunctionPolicy('own', bet)\n"
        "text = 'rock'\n"
    )
    return path


@pytest.mark.parametrize("name", ["own", "text"])
def test_a_policy_from_a_file_plays_and_replays(
    name: str, policies: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert svara(capsys, *RUN, "--seat", f"{policies}:{name}", "--out", str(out))[0] == 0
    code, text, _ = svara(capsys, "replay", str(out), "--deal", "7", "--json")
    assert code == 0
    assert json.loads(text)["deal"] == 7


def test_a_constant_beside_a_function_is_part_of_the_policy(
    policies: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = (*RUN, "--seat", f"{policies}:own", "--out", str(tmp_path / "run"))
    assert svara(capsys, *arguments)[0] == 0
    policies.write_text(policies.read_text().replace("LIMIT = 20", "LIMIT = 8"))
    code, _, err = svara(capsys, *arguments)
    assert code == 2
    assert "holds another run: seats[0].fingerprints.bet" in err
    code, _, err = svara(capsys, "replay", str(tmp_path / "run"), "--deal", "7")
    assert code == 2
    assert "has changed since the dataset was made" in err


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("bet", "'FILE:bet': bet: is a function, not a policy yet: wrap it, such as my_policy = FunctionPolicy("),
        ("LIMIT", "'FILE:LIMIT': 20: must be one of 'random'"),
        ("no", "'FILE:no': FILE defines no 'no'; it defines CALL"),
    ],
)
def test_what_a_file_defines_must_be_a_policy(
    name: str, told: str, policies: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = svara(capsys, *RUN, "--seat", f"{policies}:{name}")
    assert code == 2
    assert f"svara: error: policy {told.replace('FILE', str(policies))}" in err
    assert len(err.splitlines()) == 1


def test_a_function_that_fails_says_where(policies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policies.write_text(policies.read_text().replace("view.points", "view.pointz"))
    code, _, err = svara(capsys, *RUN, "--seat", f"{policies}:own")
    assert code == 2
    told = "unknown attribute 'pointz' of the view (did you mean 'points'?), in: return CALL if view.pointz >= LIMIT"
    assert err.startswith(f"svara: error: policy '{policies}:own': Numba cannot compile the function: {told}")
    assert len(err.splitlines()) == 1


def test_a_run_that_goes_on_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    arguments = ("run", "--deals", "300_000", "--players", "2", "--quiet", "--out", out)
    assert svara(capsys, *arguments) == (0, "", "")
    parts = sorted((out / "deals").iterdir())
    assert svara(capsys, *arguments)[2] == "nothing to play: the run is already there\n"
    parts[1].unlink()
    assert svara(capsys, *arguments)[2] == f"resuming: {len(parts) - 1} of {len(parts)} parts are already there\n"
    code, _, err = svara(capsys, *arguments, "--seed", "1")
    assert code == 2
    assert "holds another run: seed = 0 there, 1 here; choose another folder, or overwrite it (--overwrite;" in err
    assert len(err.splitlines()) == 1
    assert svara(capsys, *arguments, "--seed", "1", "--overwrite")[2] == ""


@pytest.mark.parametrize("options", [(), ("--session", "10"), ("--game", "run_fast")])
def test_a_dataset_of_another_version(
    options: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr(manifest, "code_versions", lambda: {**code_versions(), "source": "an older one"})
        patch.setattr(resume, "code_versions", lambda: {**code_versions(), "source": "an older one"})
        assert svara(capsys, *RUN, *options, "--out", out)[0] == 0
    code, text, err = svara(capsys, "replay", out, "--deals", "15:25")
    assert code == 0
    assert [int(n) for n in re.findall(r"\b[Dd]eal (\d+)\b", text)] == list(range(15, 25))
    assert "was made by another version of the code; what it holds of these deals agrees" in err
    part = "deals/part-000000.parquet"
    folder = Folder(out)
    about, _, _ = folder.inspect_frame(part)
    rows = folder.read_frame(part)
    folder.write_frame(part, rows.with_columns(n := rows[rows.columns[1]].reverse()), about)
    wrong = next(i for i in range(15, 25) if n[i] != rows[n.name][i])
    code, text, err = svara(capsys, "replay", out, "--deals", "15:25")
    assert (code, text) == (2, "")
    assert f"deal {wrong} is played otherwise now: {n.name} = {n[wrong]!r} there, " in err
    assert "the dataset was made by another version of the code (source an older one)" in err
    assert len(err.splitlines()) == 1


def test_a_dataset_of_another_version_without_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(manifest, "code_versions", lambda: {**code_versions(), "source": "an older one"})
        assert svara(capsys, *RUN, "--aggregate", "--out", tmp_path / "run")[0] == 0
    code, _, err = svara(capsys, "replay", tmp_path / "run", "--deal", "15")
    assert code == 0
    assert "it holds no single deals, so these may differ from its own" in err


def test_tables_are_not_cut_where_nobody_has_a_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy = "threshold:call=21,raise_at=28,bluff=0.05,blind=0.1,per_player=0.25,raise_size=0.75"
    out = svara(capsys, "run", "--players", "3", "--deals", "2000", "--seat", policy)[1]
    assert out.count(policy) >= 3


def test_tables_fold_in_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")
    policy = "threshold:call=21,raise_at=28,bluff=0.05,blind=0.1,per_player=0.25,raise_size=0.75"
    out = svara(capsys, "run", "--players", "3", "--deals", "2000", "--seat", policy)[1]
    lines = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in out.splitlines()]
    assert max(len(line) for line in lines if not line.startswith("longer tables")) <= 60
    first = lines[lines.index(next(line for line in lines if line.startswith("     0"))) :][:6]
    assert policy in "".join(line[9:].split("  ")[0].strip() for line in first)


def test_a_table_that_there_is_not_is_all_that_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert svara(capsys, *RUN, "--out", tmp_path / "run")[0] == 0
    code, out, err = svara(capsys, "summary", tmp_path / "run", "--table", "foo")
    assert (code, out) == (2, "")
    assert "--table = 'foo': must be" in err


def test_damage_behind_an_intact_footer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    assert svara(capsys, *RUN, "--out", str(out))[0] == 0
    part = out / "totals" / "part-000000.parquet"
    whole = part.read_bytes()
    part.write_bytes(whole[:8] + bytes(200) + whole[208:])
    code, _, err = svara(capsys, "summary", str(out))
    assert code == 2
    assert len(err.splitlines()) == 1
    assert svara(capsys, *RUN, "--out", str(out))[0] == 0
    assert svara(capsys, "summary", str(out), "--json")[0] == 0


@pytest.mark.parametrize(
    ("field", "value"),
    [("n_parts", "x"), ("n_parts", 0), ("batch_units", 0), ("columns", 5), ("versions", {}), ("chips_per_ante", "x"),
     ("n_deals", 50), ("status", "foo"), ("clamped", None), ("records", "x")],
)  # fmt: skip
def test_a_manifest_that_was_tampered_with(
    field: str, value: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert svara(capsys, *RUN, "--out", str(out))[0] == 0
    manifest = json.loads((out / "manifest.json").read_text())
    (out / "manifest.json").write_text(json.dumps({**manifest, field: value}))
    code, _, err = svara(capsys, "summary", str(out))
    assert code == 2
    assert "damaged" in err
    assert len(err.splitlines()) == 1


def test_overwriting_spares_what_is_not_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "deals").mkdir()
    (tmp_path / "deals" / "a.txt").write_text("mine")
    (tmp_path / "manifest.json").write_text('{"name": "web"}')
    code, _, err = svara(capsys, *RUN, "--out", str(tmp_path), "--overwrite")
    assert code == 2
    assert "is not that of a run" in err
    assert (tmp_path / "deals" / "a.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ante = 10\n[rules]\nblind_size = 0\n", "'ante' stands outside [rules]"),
        ("preset = ''\n", "preset = '': must be 'forte', 'favorite' or 'vip'"),
        ("ante = 1" + "0" * 5000 + "\n", "is not TOML"),
        ("nonsense = 1\n", "option = 'nonsense': must be"),
    ],
)
def test_rules_of_a_file(text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "r.toml"
    path.write_text(text)
    code, _, err = svara(capsys, *RUN, "--rules", str(path))
    assert code == 2
    assert told in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        (*RUN, "--rules", "x" * 300 + ".toml"),
        (*RUN, "--out", "x" * 300),
        (*RUN, "--out", ""),
        (*RUN, "--seat", "x" * 300 + ".py:f"),
        (*RUN, "--set", "ante=" + "1" * 5000),
        ("summary", "x" * 300),
    ],
)
def test_names_that_the_system_refuses(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = svara(capsys, *arguments)
    assert code == 2
    assert len(err.splitlines()) == 1

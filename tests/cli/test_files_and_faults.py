"""Files that a person hands over: policies, rules, and datasets that something happened to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from svara_sim.cli import main


def svara(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


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

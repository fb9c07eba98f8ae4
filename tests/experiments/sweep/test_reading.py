"""What is wrong with a sweep file is said in one line, with the field and its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from svara_sim.core.errors import InvalidInput
from svara_sim.experiments.sweep import read_sweep
from svara_sim.experiments.sweep.source import locate_keys

GOOD = """\
game = "svara"
players = 4
seed = 7
deals = 1_000        # a comment: seats = none
rules = { preset = "forte", min_raise = 120 }
seats = ["threshold:call=20,raise_at=28", "rock"]

[design]
kind = "grid"
"rules.blind_size" = [60, 120, 240]
"seats.0.call" = { from = 16, to = 18, step = 1 }
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "sweep.toml"
    path.write_text(text)
    return path


def test_the_file_of_the_documentation(tmp_path: Path) -> None:
    spec = read_sweep(write(tmp_path, GOOD))
    assert len(spec.points) == 9
    assert spec.n_deals == 9_000
    last = spec.points[-1]
    assert last.values == (240, 18)
    assert last.config.rules.as_dict()["min_raise"] == 120
    assert last.config.rules.as_dict()["blind_size"] == 240
    assert last.config.labels == ["threshold:raise_at=28,call=18", "rock"] * 2


BROKEN = [
    ("players = 4", "players = ", 2, "players: is not TOML"),
    ('kind = "grid"', "kind = grid", 9, "design.kind: is not TOML"),
    ("step = 1 }", "step = 1", 11, "is not TOML"),
    ("seed = 7", "seed = 7\nseed = 8", 4, "seed: is not TOML"),
    ("seed = 7", "sead = 7", 3, "field = 'sead': must be .* (did you mean 'seed'?)"),
    ("[design]", "[desing]", 8, "field = 'desing'.*did you mean 'design'"),
    ('game = "svara"', 'game = "swara"', 1, "game = 'swara'.*did you mean 'svara'"),
    ("players = 4", "players = 1", 2, "players = 1: must be from 2 to 10"),
    ("players = 4", 'players = "4"', 2, "players = '4': must be a whole number"),
    ("seed = 7", "seed = -7", 3, "seed = -7: must be from 0"),
    ("deals = 1_000 ", "deals = 0 ", 4, "deals = 0: must be from 1"),
    ("deals = 1_000 ", "deals = 1e3 ", 4, "deals = 1000.0: must be a whole number"),
    ("min_raise = 120", "min_rise = 120", 5, "option = 'min_rise'.*did you mean 'min_raise'"),
    ("min_raise = 120", "min_raise = -1", 5, "min_raise = -1: must be"),
    ('"forte"', '"fort"', 5, "'fort'.*did you mean 'forte'"),
    ("raise_at=28", "raise_at=99", 6, "raise_at.*99"),
    ('"rock"]', '"rocks"]', 6, "policy = 'rocks'.*did you mean 'rock'"),
    ('"rock"]', "3]", 6, "seats = .*must be a list of policies"),
    ('kind = "grid"', 'kind = "gird"', 9, "design.kind = 'gird'.*did you mean 'grid'"),
    ("blind_size", "blind_sise", 10, "option = 'blind_sise'.*did you mean 'blind_size'"),
    ("[60, 120, 240]", "[60, -5, 240]", 10, "rules.blind_size = -5: point 3: blind_size = -5: must be"),
    ("[60, 120, 240]", "[60, 60]", 10, "rules.blind_size: 60 is given twice"),
    ("[60, 120, 240]", "[]", 10, "rules.blind_size = .*at least one value"),
    ("[60, 120, 240]", "60", 10, "rules.blind_size = 60: must be a list of values or a range"),
    ("from = 16, to = 18", "from = 18, to = 16", 11, "seats.0.call: the range goes backward: from = 18, to = 16"),
    ("step = 1 }", "step = 0 }", 11, "seats.0.call: step = 0: must be above 0"),
    ("step = 1 }", "stop = 1 }", 11, "seats.0.call: key = 'stop'.*did you mean 'step'"),
    ("to = 18, ", "", 11, "seats.0.call: a range needs 'to'"),
    ("from = 16, to = 18, step = 1", "from = 1.0, to = 2.0", 11, "seats.0.call: a range in a grid needs a step"),
    ("to = 18, step = 1", "to = 1e9, step = 1", 11, "seats.0.call: .* values: must be at most"),
    ("seats.0.call", "seats.2.call", 11, "seats.2.call: seat '2': must be from 0 to 1"),
    ("seats.0.call", "seats.0-2.call", 11, "seats.0-2.call: seat '0-2': must be from 0 to 1"),
    ("seats.0.call", "seats.0.cal", 11, "parameter of 'threshold' = 'cal'.*did you mean 'call'"),
    ("seats.0.call", "seets.0.call", 11, "design: field = 'seets.0.call': must be"),
    ("to = 18", "to = 99", 11, r"seats.0.call = 36: point 20: .*call"),
    ('"seats.0.call" = { from = 16, to = 18, step = 1 }', "players = [2, 11]", 11, "players = 11: point 1: players"),
    ('"seats.0.call" = { from = 16, to = 18, step = 1 }', '"seats.0" = ["rook"]', 11, "seats.0 = 'rook': point 0: "),
    ("deals = 1_000 ", " ", 0, "deals: missing: give deals, or target_error_antes"),
    ("deals = 1_000 ", "target_error_antes = 0 ", 4, "target_error_antes = 0: must be a number above 0"),
    ("seed = 7", "target_error_antes = 0.1", 4, "deals and target_error_antes: contradict each other"),
    ("seed = 7", "max_deals = 100", 3, "max_deals: belongs to target_error_antes"),
    ("seed = 7", "session = 7", 4, "deals = 1000: must be a whole number of sessions of 7"),
    ('kind = "grid"', 'kind = "sobol"', 8, "design.points: missing"),
    ('kind = "grid"', 'kind = "sobol"\npoints = 0', 10, "design.points = 0: must be from 1"),
    ('kind = "grid"', 'kind = "list"', 10, "design.rules.blind_size: a list design has its values in rows"),
    ('kind = "grid"', 'kind = "grid"\npoints = 5', 10, "design.points: does not belong to a grid design"),
]


@pytest.mark.parametrize(("old", "new", "line", "message"), BROKEN, ids=[f"{b[1].split(chr(10))[-1]}" for b in BROKEN])
def test_errors_name_field_and_line(old: str, new: str, line: int, message: str, tmp_path: Path) -> None:
    assert old in GOOD
    path = write(tmp_path, GOOD.replace(old, new))
    where = f"{path}: line {line}: " if line else f"{path}: "
    with pytest.raises(InvalidInput, match=message.replace("(", r"\(").replace("?)", r"\?\)")) as error:
        _ = read_sweep(path).points
    assert str(error.value).startswith(where)
    assert "\n" not in str(error.value)


ROWS = """\
deals = 10
[design]
kind = "list"
rows = [
    { "rules.blind_size" = 60, "seats.0.call" = 16 },
    { "rules.blind_size" = 120, "seats.0.call" = 17 },
]
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (', "seats.0.call" = 17', "", 6, "row 2: 'seats.0.call' must be in every row or in none"),
        ('= 120, "seats.0.call" = 17', '= -1, "seats.0.call" = 17', 6, "rules.blind_size = -1: point 1"),
        ('"rules.blind_size" = 60', '"rules.blind_sise" = 60', 6, "'rules.blind_s"),
        ("rows = [", "rows = [[1],", 4, "row 1 must be a table of values"),
        ('kind = "list"', 'kind = "list"\nfields = ["players"]', 5, "row 1 must be a list of 1 values"),
        ('kind = "list"', 'kind = "list"\nfields = "players"', 4, "design.fields = 'players': must be a list"),
    ],
)
def test_errors_in_rows(old: str, new: str, line: int, message: str, tmp_path: Path) -> None:
    assert old in ROWS
    path = write(tmp_path, ROWS.replace(old, new))
    with pytest.raises(InvalidInput, match=message) as error:
        _ = read_sweep(path).points
    assert str(error.value).startswith(f"{path}: line {line}: ")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no such file"):
        read_sweep(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"game = 'svara'\nseed = '\xff'\n")
    with pytest.raises(InvalidInput, match="line 2: is not UTF-8 text"):
        read_sweep(tmp_path / "bytes.toml")


def test_keys_are_found_however_they_are_spelt() -> None:
    text = """\
rules.ante = 60  # "a" = 1
'seed' = 5
seats = [
    "threshold:call=20, raise_at=28",
]
note = "x = 1, y = 2"
[design.rules]
blind_size = [60]
[ design . seats . 0 ]
call = [1, 2]
"""
    lines = locate_keys(text)
    assert lines == {
        "rules.ante": [1],
        "seed": [2],
        "seats": [3],
        "note": [6],
        "design.rules": [7],
        "design.rules.blind_size": [8],
        "design.seats.0": [9],
        "design.seats.0.call": [10],
    }


def test_nested_and_quoted_spellings_mean_the_same(tmp_path: Path) -> None:
    quoted = 'deals = 10\n[design]\n"rules.blind_size" = [60, 120]\n"seats.0.call" = [20]\n'
    nested = "deals = 10\n[design.rules]\nblind_size = [60, 120]\n[design.seats.0]\ncall = [20]\n"
    a, b = (read_sweep(write(tmp_path, text)) for text in (quoted, nested))
    assert a.design == b.design
    assert [p.digest for p in a.points] == [p.digest for p in b.points]


def test_errors_of_mappings_have_no_line() -> None:
    with pytest.raises(InvalidInput, match=r"^field = 'sead'"):
        read_sweep({"sead": 1})


def test_policies_from_files_are_found_beside_the_sweep(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from svara_sim import CALL, FunctionPolicy\n\n\ndef bet(view):\n    return CALL\n\n\n"
        "always = FunctionPolicy('always', bet)\n"
    )
    path = write(tmp_path, 'deals = 10\nseats = ["mine.py:always", "rock"]\n[design]\n"seats.1.call" = [25, 26]\n')
    spec = read_sweep(path)
    assert [p.config.labels[0] for p in spec.points] == ["mine.py:always"] * 2
    with pytest.raises(InvalidInput, match=r"line 4: seats\.0\.call: .* is no policy of the library"):
        read_sweep(write(tmp_path, path.read_text().replace("seats.1", "seats.0")))


def test_the_examples_are_sweeps() -> None:
    examples = sorted((Path(__file__).parents[3] / "notebooks" / "sweeps").glob("*.toml"))
    assert examples
    for path in examples:
        assert read_sweep(path).points

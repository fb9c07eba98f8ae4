"""The gallery, and what the controls of notebooks call."""

from __future__ import annotations

import io
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from click.testing import CliRunner
from PIL import Image

from svara_sim.cli.report import report
from svara_sim.core.errors import DataError
from svara_sim.reporting import build_gallery, explore_gain, explore_positions, explore_ruin

from .conftest import FULL_STORY, MakeNotebook


@pytest.mark.slow
def test_the_command_writes_small_pictures_and_a_table(project: Path, make_notebook: MakeNotebook) -> None:
    make_notebook("story", *FULL_STORY)
    answer = CliRunner().invoke(report, ["--gallery", "story"])
    assert answer.exit_code == 0, answer.output
    picture, table = Path("reports/gallery/story.png"), Path("reports/gallery/README.md")
    assert answer.output.split() == [str(picture), str(table)]
    assert sorted(p.name for p in Path("reports").iterdir()) == ["gallery"], "no page is left behind"
    with Image.open(io.BytesIO(picture.read_bytes())) as image:
        assert image.format == "PNG"
        assert image.width == 900
    assert picture.stat().st_size < 100_000
    text = table.read_text(encoding="utf-8")
    assert "svara report --gallery story\n" in text
    assert '![Line chart: "svara" grows from 4 % to 12 % & more](story.png)' in text
    assert "**How often does svara happen?** With 6 players svara happens in 12.0 ± 0.2 % of deals." in text
    assert "`svara report story`" in text


@pytest.mark.slow
def test_a_notebook_without_figures_is_named(
    project: Path, make_notebook: MakeNotebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_notebook("words", "# Words", ("n = 1", "parameters"))
    with pytest.raises(DataError, match="notebook 'words': shows no figure"):
        build_gallery(["words"], out="gallery")
    make_notebook("story", *FULL_STORY)
    monkeypatch.setattr("svara_sim.reporting.rendering.gallery.GALLERY_BYTES", 1_000)
    with pytest.raises(DataError, match="bytes, must be at most 1,000; name fewer notebooks"):
        build_gallery(["story"], out="gallery")
    assert list(Path("gallery").iterdir()) == []


def test_pictures_and_pages_cannot_be_asked_for_at_once() -> None:
    answer = CliRunner().invoke(report, ["--gallery", "--pdf"])
    assert answer.exit_code != 0
    assert "--gallery" in str(answer.exception or answer.output)


def test_controls_say_what_they_show(capsys: pytest.CaptureFixture[str]) -> None:
    explore_gain("tight", "loose", "threshold", players=2, n_deals=2_000, blind_size=0)
    explore_positions("threshold", players=3, n_deals=2_000)
    explore_ruin("tight", ["loose"], players=2, path_deals=50, n_paths=40)
    plt.close("all")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("Over all positions: ")
    assert lines[1].startswith("The dealer: ")
    assert lines[2].startswith("Seat 0 wins ")
    assert all("±" in line for line in lines)

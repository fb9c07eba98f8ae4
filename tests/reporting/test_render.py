"""Notebooks to pages, end to end."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
import time
from pathlib import Path

import pytest

from svara_sim.core.errors import DataError, InvalidInput
from svara_sim.reporting import ReportError, build_index, first_figure, render, render_all
from svara_sim.reporting.rendering.pages import parse_page, read_page, write_atomically

from .conftest import FULL_STORY, MakeNotebook

TINY = ("# Tiny", ("n_deals = 10\nrate = 0.5", "parameters"), ("print('deals', n_deals, rate)", None))


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.fixture
def tiny(make_notebook: MakeNotebook) -> Path:
    return make_notebook("tiny", *TINY, svara_sim={"full": {"n_deals": 99_000}, "quick": {"n_deals": 2}})


@pytest.mark.slow
def test_a_whole_notebook_becomes_one_page(project: Path, make_notebook: MakeNotebook) -> None:
    make_notebook("story", *FULL_STORY)
    seen: list[tuple[int, int]] = []
    result = render("story", parameters={"players": [2, 6]}, progress=lambda done, total: seen.append((done, total)))
    assert result.path == Path("reports/story.html")
    assert not result.skipped
    assert result.warnings == ()
    assert result.findings == {"p_svara": (pytest.approx(0.12), 0.002)}
    assert seen[-1] == (9, 9)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert result.path.stat().st_size < 200_000

    text = text_of(result.path)
    page = parse_page(text)
    assert page.title == "How often does svara happen?"
    assert page.remote == []
    assert page.missing_alt == []
    assert [alt for _, alt in page.images] == ['Line chart: "svara" grows from 4 % to 12 % & more']
    assert page.meta["finding"] == "With 6 players svara happens in 12.0 ± 0.2 % of deals."
    assert "in 12.0\xa0±\xa00.2\xa0% of deals" in text, "no line breaks within a number"
    facts = json.loads(page.meta["provenance"])
    assert facts["parameters"] == {"n_deals": "1000", "seed": "7", "rules": "'forte'", "players": "[2, 6]"}
    assert facts["changed"] == ["players"]
    assert facts["source_hash"] == "0123456789abcdef"

    assert '<html lang="en">' in text
    assert 'name="viewport"' in text
    assert "default-src 'none'" in text
    assert "<script" not in text
    assert "only for people" not in text, "interactive cells stay out of reports"
    assert "import polars" not in text, "code is left out by default"
    assert "8.0 ± 0.2 %" not in text
    assert "12.0 ± 0.2 %" in text
    assert "Simulating" not in text, "no progress in a report"
    assert "How this report was made" in text
    png = first_figure(result.path)
    assert png is not None
    assert png.startswith(b"\x89PNG")


def test_unchanged_reports_are_skipped(tiny: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = render("tiny")
    assert not first.skipped
    again = render("tiny")
    assert again.skipped
    assert again.path == first.path
    stamp = first.path.stat().st_mtime_ns
    assert first.path.stat().st_mtime_ns == stamp

    assert not render("tiny", parameters={"n_deals": 11}).skipped, "a parameter changed"
    assert render("tiny", parameters={"n_deals": 11}).skipped
    assert not render("tiny", parameters={"n_deals": 11}, force=True).skipped
    monkeypatch.setattr("svara_sim.reporting.rendering.provenance.source_hash", lambda: "f" * 16)
    assert not render("tiny", parameters={"n_deals": 11}).skipped, "the package changed"
    source = text_of(tiny)
    tiny.write_text(source.replace("# Tiny", "# Small"), encoding="utf-8")
    assert not render("tiny", parameters={"n_deals": 11}).skipped, "the notebook changed"


def test_input_data_are_part_of_the_key(project: Path, make_notebook: MakeNotebook) -> None:
    cells = ("# Data", ("dataset = '../data/x.txt'", "parameters"), ("print(open(dataset).read())", None))
    make_notebook("data", *cells, svara_sim={"inputs": ["dataset"]})
    data = project / "data" / "x.txt"
    data.parent.mkdir()
    data.write_text("one", encoding="utf-8")
    assert "one" in text_of(render("data").path), "paths are relative to the notebook"
    assert render("data").skipped
    data.write_text("two", encoding="utf-8")
    assert "two" in text_of(render("data").path)


def test_modes_choose_parameters(tiny: Path) -> None:
    assert "deals 99000 0.5" in text_of(render("tiny", mode="full").path)
    text = text_of(render("tiny", mode="quick", parameters={"rate": 1}).path)
    assert "deals 2 1" in text
    assert "quick size" in text
    with pytest.raises(InvalidInput, match="mode = 'huge': must be 'default', 'full' or 'quick'"):
        render("tiny", mode="huge")


def test_code_can_be_shown_folded(tiny: Path) -> None:
    text = text_of(render("tiny", show_code=True).path)
    assert text.count('<details class="code">') == 2
    assert "n_deals" in text
    assert parse_page(text).remote == []


def test_a_failing_cell_ends_in_one_line_and_leaves_the_old_report(make_notebook: MakeNotebook) -> None:
    make_notebook("fails", "# Fails", ("x = 0", "parameters"), ("y = 1 / (1 - x)\nprint(y)", None))
    path = render("fails").path
    before = path.read_bytes()
    with pytest.raises(ReportError) as caught:
        render("fails", parameters={"x": 1})
    message = str(caught.value)
    assert message == (
        "notebook 'fails', cell 3 ('y = 1 / (1 - x)'): ZeroDivisionError: division by zero "
        "(traceback: reports/fails.log)"
    )
    log = text_of(Path("reports/fails.log"))
    assert "ZeroDivisionError" in log
    assert "\x1b" not in log
    assert path.read_bytes() == before
    assert sorted(p.name for p in path.parent.iterdir()) == ["fails.html", "fails.log"]
    assert not render("fails", parameters={"x": 3}).skipped
    assert not Path("reports/fails.log").exists(), "a good run takes the old log away"


def test_a_dying_kernel_ends_in_one_line(make_notebook: MakeNotebook) -> None:
    make_notebook("dies", "# Dies", ("import os\nos._exit(1)", None))
    with pytest.raises(ReportError, match=r"^notebook 'dies', cell 2 \('import os'\): the kernel failed"):
        render("dies")


@pytest.mark.skipif(os.name != "posix", reason="sends a signal to one thread")
def test_ctrl_c_ends_the_run_at_once(make_notebook: MakeNotebook) -> None:
    make_notebook("sleeps", "# Sleeps", ("import time\ntime.sleep(60)", None))
    main = threading.main_thread().ident
    assert main is not None

    def interrupt(done: int, total: int) -> None:
        if done == 1:  # the second cell begins
            signal.pthread_kill(main, signal.SIGINT)

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        render("sleeps", progress=interrupt)
    assert time.monotonic() - started < 55
    assert list(Path("reports").iterdir()) == []


def test_the_kernel_is_this_python_whatever_is_installed(
    tiny: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = project / "share" / "kernels" / "python3"
    wrong.mkdir(parents=True)
    (wrong / "kernel.json").write_text('{"argv": ["no-such-program"], "display_name": "x", "language": "x"}')
    monkeypatch.setenv("JUPYTER_PATH", str(wrong.parents[1]))
    monkeypatch.setenv("PATH", "")
    assert "deals 10 0.5" in text_of(render("tiny").path)


def test_what_a_reader_might_miss_is_reported(make_notebook: MakeNotebook) -> None:
    make_notebook(
        "careless",
        "# Careless\n\n![no text](https://example.org/x.png)",
        ("import sys\nprint('watch out', file=sys.stderr)", None),
        ("from IPython.display import HTML\nHTML('<img src=\"data:image/png;base64,AAAA\">')", None),
    )
    result = render("careless")
    assert [w.removeprefix("notebook 'careless'") for w in result.warnings] == [
        ", cell 2 wrote to standard error: watch out",
        ": picture 2 has no alternative text (use show(fig, alt=...))",
        ": https://example.org/x.png is not in the page and will not be loaded",
    ]
    assert "watch out" not in text_of(result.path)


def test_unknown_names_are_explained(tiny: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInput, match=r"notebook = 'tinny': must be 'tiny' \(did you mean 'tiny'\?\)"):
        render("tinny")
    with pytest.raises(InvalidInput, match=r"must be a folder that holds \.ipynb files"):
        render("tiny", notebooks=project / "nowhere")
    (project / "deep" / "down").mkdir(parents=True)
    monkeypatch.chdir(project / "deep" / "down")
    assert render("tiny", out=project / "r").path.is_file(), "the folder is found from below"
    tiny.unlink()
    with pytest.raises(InvalidInput, match=r"no folder 'notebooks' with \.ipynb files"):
        render("tiny")


def test_unwritable_folders_cost_no_run(tiny: Path, project: Path) -> None:
    (project / "file").write_text("", encoding="utf-8")
    with pytest.raises(DataError, match=r"out = 'file': must be a folder that can be written"):
        render("tiny", out="file")


def test_damaged_notebooks_are_named(project: Path) -> None:
    (project / "notebooks" / "broken.ipynb").write_text("{", encoding="utf-8")
    with pytest.raises(DataError, match=r"broken.ipynb': not a valid notebook"):
        render("broken")


def test_a_failed_write_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.html"
    write_atomically(target, b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("svara_sim.reporting.rendering.pages.os.fsync", full)
    with pytest.raises(DataError, match="cannot be written \\(No space left on device\\)"):
        write_atomically(target, b"new")
    assert target.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.html"]


def test_pdf_without_the_extra_says_so(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "weasyprint", None)
    with pytest.raises(InvalidInput, match=re.escape("PDF needs the extra: pip install 'svara_sim[pdf]'")):
        render("tiny", pdf=True)
    assert not Path("reports").exists(), "found out before anything ran"


def test_pdf(tiny: Path) -> None:
    pytest.importorskip("weasyprint", exc_type=ImportError)
    result = render("tiny", pdf=True)
    assert result.pdf is not None
    assert result.pdf.read_bytes().startswith(b"%PDF")


def test_the_index_lists_what_stands(tiny: Path, make_notebook: MakeNotebook) -> None:
    make_notebook(
        "other",
        "# Other & more",
        ("from IPython.display import HTML, display", None),
        (
            "from matplotlib.figure import Figure\nfrom svara_sim.reporting import show\n"
            "show(Figure((2, 1)), alt='An empty <figure>')",
            None,
        ),
        "## Conclusion\n\n* Nothing **was** asked, e.g. about 3.5 antes. So nothing follows.",
    )
    seen: set[str] = set()
    results = render_all(progress=lambda name, done, total: seen.add(name))
    assert [r.name for r in results] == ["other", "tiny"]
    assert seen == {"other", "tiny"}
    Path("reports/stranger.html").write_text("<title>not ours</title>", encoding="utf-8")
    index = build_index("reports")
    text = text_of(index)
    page = read_page(index)
    assert page is not None
    assert page.remote == []
    assert page.missing_alt == []
    assert [alt for _, alt in page.images] == ["An empty <figure>"]
    assert re.findall(r'<h2><a href="(.*?)">(.*?)</a>', text) == [
        ("other.html", "Other &amp; more"),
        ("tiny.html", "Tiny"),
    ]
    assert "<p>Nothing was asked, e.g. about 3.5 antes.</p>" in text
    assert "10 deals" in text
    assert "not ours" not in text
    with pytest.raises(InvalidInput, match="notebook = 'nope'"):
        render_all(["tiny", "nope"])


def test_an_empty_folder_has_an_index(project: Path) -> None:
    assert "No report has been made yet." in text_of(build_index("empty"))

"""Several notebooks at a time: the same pages, nothing lost to a failure, one clean end."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from svara_sim.cli.report import report
from svara_sim.core.errors import DataError, InvalidInput
from svara_sim.reporting import RenderResult, ReportError, render_all
from svara_sim.reporting.rendering.shares import usable_processors

from .conftest import MakeNotebook

MEETING = """
import pathlib, time
pathlib.Path('here_{me}').touch()
until = time.monotonic() + 60
while not pathlib.Path('here_{other}').exists() and time.monotonic() < until:
    time.sleep(0.05)
print('met', pathlib.Path('here_{other}').exists())
"""


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.fixture
def three(make_notebook: MakeNotebook) -> None:
    for name in ("a", "b", "c"):
        make_notebook(name, f"# {name}", ("x = 1", "parameters"), (f"assert x != '{name}'\nprint('x is', x)", None))


def test_two_run_at_a_time(make_notebook: MakeNotebook) -> None:
    for me, other in (("a", "b"), ("b", "a")):
        make_notebook(me, f"# {me}", (MEETING.format(me=me, other=other), None))
    results = render_all(jobs=2)
    assert [r.name for r in results] == ["a", "b"]
    assert all("met True" in text_of(r.path) for r in results)


def test_the_longest_are_begun_first(make_notebook: MakeNotebook) -> None:
    for name, facts in {"a": {}, "b": {"seconds": 5}, "c": {"seconds": 30}}.items():
        make_notebook(name, f"# {name}", ("x = 1", "parameters"), svara_sim=facts)
    begun: list[str] = []
    results = render_all(jobs=1, progress=lambda name, done, total: begun.append(name))
    assert list(dict.fromkeys(begun[3:])) == ["c", "b", "a"]
    assert [r.name for r in results] == ["a", "b", "c"]


@pytest.mark.slow
def test_pages_do_not_depend_on_how_many_run_at_a_time(project: Path, three: None) -> None:
    pages = []
    for jobs in (1, 3):
        results = render_all(jobs=jobs, force=True, out=f"out{jobs}", parameters={"x": 2})
        # when and in how many seconds it was made may differ
        pages.append([re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC(, in \d+ s)?", "", text_of(r.path)) for r in results])
    assert pages[0] == pages[1]


def test_progress_begins_with_what_is_going_to_run(three: None) -> None:
    render_all(["b"])
    seen: list[tuple[str, int, int]] = []
    results = render_all(["c", "b", "a", "c"], progress=lambda *call: seen.append(call))
    assert [(r.name, r.skipped) for r in results] == [("c", False), ("b", True), ("a", False)]
    assert seen[:2] == [("c", 0, 3), ("a", 0, 3)]
    assert {("c", 3, 3), ("a", 3, 3)} <= set(seen)


def test_a_failure_costs_no_other_page(project: Path, three: None, make_notebook: MakeNotebook) -> None:
    make_notebook("a", "# a", ("1 / 0", None))
    (project / "notebooks" / "b.ipynb").write_text("{", encoding="utf-8")
    done: list[RenderResult] = []
    with pytest.raises(ReportError) as caught:
        render_all(done=done.append)
    first, second = str(caught.value).split("; ")
    assert first.startswith("notebook 'a', cell 2 ('1 / 0'): ZeroDivisionError: division by zero (traceback: ")
    assert "b.ipynb': not a valid notebook" in second
    assert [r.name for r in done] == ["c"]
    assert sorted(p.name for p in Path("reports").iterdir()) == ["a.log", "c.html", "index.html"]
    with pytest.raises(DataError, match="not a valid notebook"):
        render_all(["b", "c"])


def test_the_command_names_the_pages_that_stand(project: Path, three: None, make_notebook: MakeNotebook) -> None:
    make_notebook("a", "# a", ("1 / 0", None))
    answer = CliRunner().invoke(report, ["--jobs", "3"])
    assert isinstance(answer.exception, ReportError)
    lines = [re.sub(r"\(\d+ s\)", "(0 s)", line) for line in answer.output.splitlines()]
    assert lines == ["reports/b.html (0 s)", "reports/c.html (0 s)", "reports/index.html"]


def test_wrong_input_is_found_before_anything_runs(three: None) -> None:
    with pytest.raises(InvalidInput, match="unknown parameter 'y'"):
        render_all(parameters={"y": 1})
    with pytest.raises(InvalidInput, match="jobs = 0: must be from 1 to 64"):
        render_all(jobs=0)
    with pytest.raises(InvalidInput, match="notebook = 'nope'"):
        render_all(["a", "nope"])
    assert not Path("reports").exists() or list(Path("reports").iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="sends a signal to one thread")
def test_ctrl_c_ends_all_of_them_at_once(make_notebook: MakeNotebook) -> None:
    for name in ("a", "b", "c"):
        make_notebook(name, f"# {name}", ("import os, time\nopen(f'pid_{os.getpid()}', 'w')\ntime.sleep(60)", None))
    main = threading.main_thread().ident
    assert main is not None
    begun: set[str] = set()

    def interrupt(name: str, done: int, total: int) -> None:
        if done == 1 and name not in begun:
            begun.add(name)
            if len(begun) == 2:
                signal.pthread_kill(main, signal.SIGINT)

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        render_all(progress=interrupt, jobs=2)
    assert time.monotonic() - started < 50
    assert begun == {"a", "b"}, "the third has not begun"
    assert list(Path("reports").iterdir()) == []
    for place in Path("notebooks").glob("pid_*"):
        with pytest.raises(ProcessLookupError):
            os.kill(int(place.name.removeprefix("pid_")), 0)


@pytest.mark.skipif(len(usable_processors()) < 2, reason="needs processors to share")
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs a system that gives processors to processes")
def test_each_has_its_share_of_the_processors(make_notebook: MakeNotebook) -> None:
    count = "from svara_sim.experiments.executors import check_threads\nprint('threads', check_threads(None))"
    for me, other in (("a", "b"), ("b", "a")):
        make_notebook(me, f"# {me}", (count + MEETING.format(me=me, other=other), None))
    usable = len(os.sched_getaffinity(0))
    texts = [text_of(r.path) for r in render_all(jobs=2)]
    seen = [int(number) for text in texts for number in re.findall(r"threads (\d+)", text)]
    assert sum(seen) == usable
    assert f"threads {usable}\n" in text_of(render_all(["a"], force=True)[0].path)

"""Progress where somebody waits, and silence elsewhere."""

from __future__ import annotations

import io
import sys
import threading
from typing import Any

import pytest

from svara_sim.reporting import ProgressBoard, progress, progress_bar
from svara_sim.reporting.progress import _NotebookView, format_rate, format_seconds


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def open_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal on standard error; no fixture, since pytest sets standard error anew after those."""
    monkeypatch.delenv("SVARA_SIM_RENDERING", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    return screen


def test_a_terminal_shows_a_bar_with_speed_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    with progress_bar("Simulating", 100) as bar:
        bar(0, 100)
        bar(60, 100)
        assert bar._view is not None
        bar._view._progress.refresh()  # type: ignore[union-attr]
    text = terminal.getvalue()
    assert "Simulating" in text
    assert "60%" in text
    assert "\x1b[?25h" in text, "the cursor is back"
    assert bar._view is None


def test_without_a_with_statement_it_closes_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    open_terminal(monkeypatch)
    bar = progress_bar("Simulating", 10)
    bar(5, 10)
    assert bar._view is not None
    bar(10, 10)
    assert bar._view is None
    bar(10, 10)
    assert bar._view is None, "a late call opens nothing"


def fail_at_half(bar: progress.ProgressBar) -> None:
    with bar:
        bar(5, 10)
        raise ZeroDivisionError


def test_it_closes_when_the_run_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    bar = progress_bar("x", 10)
    with pytest.raises(ZeroDivisionError):
        fail_at_half(bar)
    assert bar._view is None
    assert "\x1b[?25h" in terminal.getvalue()


def test_reports_and_logs_stay_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    monkeypatch.setenv("SVARA_SIM_RENDERING", "1")
    with progress_bar("x", 10) as bar:
        bar(5, 10)
    assert terminal.getvalue() == ""
    monkeypatch.delenv("SVARA_SIM_RENDERING")
    plain = io.StringIO()
    monkeypatch.setattr(sys, "stderr", plain)
    with progress_bar("x", 10) as bar:
        bar(5, 10)
    assert plain.getvalue() == ""


def test_calls_from_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    open_terminal(monkeypatch)
    with progress_bar("x", 400) as bar:
        threads = [threading.Thread(target=lambda: [bar(i, 400) for i in range(100)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def test_a_board_has_a_line_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    with ProgressBoard("cells") as board:
        board("first", 0, 20)
        board("second", 0, 17)
        board("first", 0, 20)  # it begins
        board("first", 5, 20)
        assert board._view is not None
        board._view.refresh()
        first, second = board._view.tasks
        assert (first.completed, second.completed) == (5, 0)
        assert first.started
        assert not second.started, "the clock of what has not begun stands still"
    text = terminal.getvalue()
    assert "5/20" in text
    assert "0/17" in text
    assert "\x1b[?25h" in text, "the cursor is back"
    monkeypatch.setattr(sys, "stderr", plain := io.StringIO())
    with ProgressBoard("cells") as board:
        board("first", 1, 2)
    assert plain.getvalue() == ""


class Handle:
    def __init__(self, written: list[str]) -> None:
        self.written = written

    def update(self, data: dict[str, str], raw: bool) -> None:
        self.written.append(data["text/plain"])


def test_a_notebook_gets_one_line_that_is_written_over(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    def display(data: dict[str, str], **_: Any) -> Handle:
        written.append(data["text/plain"])
        return Handle(written)

    monkeypatch.setattr("IPython.display.display", display)
    monkeypatch.setattr(progress, "_make_view", _NotebookView)
    monkeypatch.setattr(progress, "UPDATES_PER_SECOND", 1e9)
    bar = progress_bar("Simulating", 1_000)
    bar(0, 1_000)
    bar(250, 1_000)
    bar(1_000, 1_000)
    assert written[0].startswith("Simulating: ░░░")
    assert "██████░░░░░░░░░░░░░░░░░░  25%" in written[1]
    assert written[1].endswith("left")
    assert written[-1].startswith("Simulating: 1,000 deals in 0 s (")


def test_numbers_are_short() -> None:
    assert format_rate(2_437_000, "deals") == "2.44 M deals/s"
    assert format_rate(52_400, "deals") == "52.4 k deals/s"
    assert format_rate(9_240, "deals") == "9,240 deals/s"
    assert format_rate(0.5, "points") == "0.5 points/s"
    assert format_rate(3.1e9, "deals") == "3.1 G deals/s"
    assert [format_seconds(s) for s in (12.4, 200, 7_500)] == ["12 s", "3 min 20 s", "2 h 5 min"]

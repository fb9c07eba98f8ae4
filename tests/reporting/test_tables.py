"""Numbers with their errors."""

from __future__ import annotations

import math
from typing import Any

import polars as pl
import pytest
from rich.console import Console

from svara_sim.core.errors import InvalidInput
from svara_sim.reporting import estimate_table, format_estimate, format_interval
from svara_sim.reporting.tables import typeset


@pytest.mark.parametrize(
    ("mean", "error", "text"),
    [
        (0.012345, 0.00042, "0.0123 ± 0.0004"),
        (0.012345, 0.00014, "0.01235 ± 0.00014"),
        (0.012345, 0.00096, "0.0123 ± 0.0010"),
        (0.012345, 0.000996, "0.0123 ± 0.0010"),
        (-1.5, 0.2, "-1.5 ± 0.2"),
        (-0.00001, 0.02, "0.00 ± 0.02"),
        (123456.0, 1234.0, "123,500 ± 1,200"),
        (123456.0, 3.0, "123,456 ± 3"),
        (1234.5, 10.0, "1,234 ± 10"),
        (0.25, 0.0, "0.25 (exact)"),
        (0.25, math.inf, "0.25 ± ?"),
        (0.25, None, "0.25 ± ?"),
        (None, 0.1, "–"),
        (math.nan, 0.1, "–"),
    ],
)
def test_digits_follow_the_error(mean: Any, error: Any, text: str) -> None:
    assert format_estimate(mean, error) == text


def test_percent_and_intervals() -> None:
    assert format_estimate(0.0533, 0.0012, percent=True) == "5.33 ± 0.12 %"
    assert format_interval(0.01152, 0.01314) == "0.01152 to 0.01314"
    assert format_interval(-0.2, 0.45) == "-0.20 to 0.45"
    assert format_interval(0.05, 0.06, percent=True) == "5.00 to 6.00 %"
    assert format_interval(None, 1.0) == "–"


FRAME = pl.DataFrame(
    {
        "seat": [0, 1000],
        "policy": ["rock", "a[b]<c>"],
        "mean": [-0.1234, 0.5],
        "standard_error": [0.004, 0.02],
        "low": [-0.13, 0.46],
        "high": [-0.12, 0.54],
    }
)


def test_a_frame_becomes_a_table() -> None:
    table = estimate_table(FRAME, caption="Payoff", headings={"estimate": "antes a deal"}, interval=True)
    assert table.headings == ("seat", "policy", "antes a deal", "interval")
    assert table.rows[0] == ("0", "rock", "-0.123 ± 0.004", "-0.1300 to -0.1200")
    assert table.rows[1][:3] == ("1,000", "a[b]<c>", "0.50 ± 0.02")
    assert table.note == "± is one standard error."


def test_html_is_escaped_and_scrolls() -> None:
    text = estimate_table(FRAME, caption="A & B")._repr_html_()
    assert "overflow-x:auto" in text
    assert "<caption>A &amp; B</caption>" in text
    assert "a[b]&lt;c&gt;" in text
    assert "\N{MINUS SIGN}0.123 ± 0.004" in text
    assert '<th scope="col"' in text


def test_a_terminal_gets_the_same_words() -> None:
    console = Console(width=100, record=True, file=__import__("io").StringIO())
    console.print(estimate_table(FRAME, caption="Payoff"))
    text = console.export_text()
    assert "a[b]<c>" in text
    assert "-0.123 ± 0.004" in text


def test_several_estimates_and_chosen_columns() -> None:
    df = FRAME.with_columns(p=pl.lit(0.1), p_error=pl.lit(0.01))
    table = estimate_table(
        df,
        columns=["policy"],
        estimates={"payoff": ("mean", "standard_error"), "share": ("p", "p_error")},
        percent=["share"],
        note="",
    )
    assert table.rows[0] == ("rock", "-0.123 ± 0.004", "10.0 ± 1.0 %")
    assert "table-note" not in table.to_html()


def test_wrong_columns_are_named() -> None:
    with pytest.raises(InvalidInput, match="column 'm' is not in the table: must be 'seat'"):
        estimate_table(FRAME, estimates={"x": ("m", "standard_error")})
    with pytest.raises(InvalidInput, match="percent = 'y': must be 'estimate'"):
        estimate_table(FRAME, percent=["y"])
    with pytest.raises(InvalidInput, match="column 'low'"):
        estimate_table(FRAME.drop("low"), interval=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-3.3 to 2", "−3.3 to 2"),
        ("lost (-0.5 antes)", "lost (−0.5 antes)"),
        ("2020-01-01, 3-7, a-1 and - 5", "2020-01-01, 3-7, a-1 and - 5"),
        ("10.4% and 5 %", "10.4\N{NO-BREAK SPACE}% and 5 %"),
    ],
)
def test_typeset(text: str, expected: str) -> None:
    assert typeset(text) == expected

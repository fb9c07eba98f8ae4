"""Tables of estimates, each number with its error: HTML for notebooks, rich for the terminal."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from rich import box
from rich.table import Table

from svara_sim.core.errors import InvalidInput, one_of

__all__ = ["EstimateTable", "estimate_table", "format_estimate", "format_interval"]

_NOTE = "± is one standard error."
_HYPHEN = re.compile(r"(?:(?<=^)|(?<=[\s(\[]))-(?=\d)")
_TIGHT_PERCENT = re.compile(r"(?<=\d)%")


def error_decimals(error: float) -> int:
    """Decimals that an estimate with this error deserves; negative ones round to tens, hundreds, ...

    One digit of the error is shown, two where the first is a 1, since 0.001 for 0.0014 would be far off.
    """
    exponent = math.floor(math.log10(error))
    leading = round(error / 10.0**exponent, 1)
    return -exponent + (1 if leading < 2 else 0)


def _fixed(value: float, decimals: int) -> str:
    rounded = round(value, decimals) + 0.0  # no minus zero
    return f"{rounded:,.{max(decimals, 0)}f}"


def typeset(text: str) -> str:
    """The text with minus signs in place of the hyphens before negative numbers, and a space before ``%``."""
    return _TIGHT_PERCENT.sub("\N{NO-BREAK SPACE}%", _HYPHEN.sub("\N{MINUS SIGN}", text))


def format_estimate(mean: float | None, error: float | None, *, percent: bool = False) -> str:
    """``0.0123 ± 0.0004``: as many digits as the error warrants.

    Parameters
    ----------
    mean, error : float or None
        The estimate and its standard error; an error of 0 marks an exact value.
    percent : bool
        Show a proportion as a percentage.
    """
    if mean is None or not math.isfinite(mean):
        return "–"
    scale, unit = (100.0, " %") if percent else (1.0, "")
    mean = mean * scale
    if error is None or not math.isfinite(error):
        return f"{mean:,.4g}{unit} ± ?"
    if error == 0:
        return f"{mean:,.6g}{unit} (exact)"
    decimals = error_decimals(error * scale)
    return f"{_fixed(mean, decimals)} ± {_fixed(error * scale, decimals)}{unit}"


def format_interval(low: float | None, high: float | None, *, percent: bool = False) -> str:
    """``0.0115 to 0.0131``: the ends of an interval, to a tenth of its width."""
    if low is None or high is None or not (math.isfinite(low) and math.isfinite(high)):
        return "–"
    scale, unit = (100.0, " %") if percent else (1.0, "")
    width = (high - low) * scale
    decimals = error_decimals(width / 10) if width > 0 else 6
    return f"{_fixed(low * scale, decimals)} to {_fixed(high * scale, decimals)}{unit}"


def format_value(value: Any) -> str:
    """A cell that is no estimate."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.6g}"
    return str(value)


@dataclass(frozen=True)
class EstimateTable:
    """A table of text cells that shows itself in a notebook (as HTML) and in a terminal (through rich).

    Parameters
    ----------
    headings : tuple of str
        Of the columns.
    rows : tuple of tuple of str
        The cells.
    numeric : tuple of bool
        Which columns stand on the right.
    caption : str
        Above the table.
    note : str
        Below the table.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]
    caption: str = ""
    note: str = ""

    def to_html(self) -> str:
        """The table as HTML that scrolls by itself where the page is narrow."""
        classes = [
            ' class="number" style="text-align:right"' if n else ' style="text-align:left"' for n in self.numeric
        ]
        head = "".join(f'<th scope="col"{c}>{html.escape(h)}</th>' for h, c in zip(self.headings, classes, strict=True))
        body = "".join(
            "<tr>"
            + "".join(f"<td{c}>{_html_cell(v, n)}</td>" for v, c, n in zip(row, classes, self.numeric, strict=True))
            + "</tr>"
            for row in self.rows
        )
        caption = f"<caption>{html.escape(self.caption)}</caption>" if self.caption else ""
        note = f'<p class="table-note">{html.escape(self.note)}</p>' if self.note else ""
        table = f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f'<div class="table-scroll" style="overflow-x:auto" tabindex="0">{table}</div>{note}'

    def to_rich(self) -> Table:
        """The table for a terminal."""
        table = Table(title=self.caption or None, caption=self.note or None, box=box.SIMPLE_HEAD, title_justify="left")
        for heading, numeric in zip(self.headings, self.numeric, strict=True):
            table.add_column(heading, justify="right" if numeric else "left", no_wrap=numeric)
        for row in self.rows:
            table.add_row(*(cell.replace("[", r"\[") for cell in row))
        return table

    def _repr_html_(self) -> str:
        return self.to_html()

    def __rich__(self) -> Table:
        return self.to_rich()


def _html_cell(value: str, numeric: bool) -> str:
    text = html.escape(value)
    return text.replace("-", "\N{MINUS SIGN}") if numeric else text


def _estimate_cell(row: Mapping[str, Any], mean: str, error: str, percent: bool) -> str:
    """An estimate; of what was never (or always) seen, the end of its interval instead of an error of 0."""
    low, high = row.get(f"low{mean.removeprefix('mean')}"), row.get(f"high{mean.removeprefix('mean')}")
    if row[error] == 0 and low is not None and high is not None and low < high:
        unit, factor = (" %", 100.0) if percent else ("", 1.0)
        bound = f"up to {high * factor:.2g}" if high > row[mean] else f"from {low * factor:.6g}"
        return f"{row[mean] * factor:g} ({bound}){unit}"
    return format_estimate(row[mean], row[error], percent=percent)


def estimate_table(
    df: pl.DataFrame,
    *,
    caption: str = "",
    estimates: Mapping[str, tuple[str, str]] | None = None,
    columns: Sequence[str] | None = None,
    headings: Mapping[str, str] | None = None,
    percent: Sequence[str] = (),
    interval: bool = False,
    note: str | None = None,
) -> EstimateTable:
    """A frame of estimates as a table for people.

    Parameters
    ----------
    df : polars.DataFrame
        One row an estimate, or several side by side.
    caption : str
        Above the table.
    estimates : mapping of str to (str, str), optional
        Name of each estimate's column in the table, and the frame's columns with its mean and standard error;
        ``{"estimate": ("mean", "standard_error")}`` by default.
    columns : sequence of str, optional
        Which other columns to show; all that are no part of an estimate by default. They come first.
    headings : mapping of str to str, optional
        Headings in place of column names, with units.
    percent : sequence of str
        Names in `estimates` that are proportions, to be shown in percent.
    interval : bool
        Also show the frame's ``low`` and ``high``.
    note : str, optional
        Below the table; by default it says what "±" means.

    Raises
    ------
    InvalidInput
        If the frame lacks a column.
    """
    estimates = estimates or {"estimate": ("mean", "standard_error")}
    used = {c for pair in estimates.values() for c in pair} | {"low", "high"}
    plain = list(columns) if columns is not None else [c for c in df.columns if c not in used]
    ends = ["low", "high"] if interval else []
    for column in (*plain, *(c for pair in estimates.values() for c in pair), *ends):
        if column not in df.columns:
            raise InvalidInput(f"column {column!r} is not in the table: must be {one_of(df.columns)}")
    for name in percent:
        if name not in estimates:
            raise InvalidInput(f"percent = {name!r}: must be {one_of(estimates)}")
    names = [*plain, *estimates, *(["interval"] if interval else [])]
    rows = []
    for row in df.iter_rows(named=True):
        cells = [format_value(row[c]) for c in plain]
        cells += [_estimate_cell(row, m, e, name in percent) for name, (m, e) in estimates.items()]
        if interval:
            cells.append(format_interval(row["low"], row["high"], percent=bool(percent)))
        rows.append(tuple(cells))
    numeric = tuple(df[c].dtype.is_numeric() for c in plain) + (True,) * (len(names) - len(plain))
    shown = tuple((headings or {}).get(name, name.replace("_", " ")) for name in names)
    return EstimateTable(shown, tuple(rows), numeric, caption, _NOTE if note is None else note)

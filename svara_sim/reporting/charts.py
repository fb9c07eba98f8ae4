"""What all charts share: columns checked, intervals read, axes opened, titles, legends, and panels."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from svara_sim.core.errors import InvalidInput, one_of

from .style import INK, MUTED, figure_size, styled

__all__ = [
    "Z95",
    "check_columns",
    "finish",
    "groups",
    "intervals",
    "label_of",
    "name_series",
    "open_axes",
    "reference_line",
    "small_multiples",
    "whisker_lengths",
]

Z95 = 1.959963984540054
Floats = NDArray[np.float64]


def check_columns(df: pl.DataFrame, *columns: str | None) -> None:
    """Raise `InvalidInput` if a column that a chart needs is not there, or there are no rows."""
    for column in columns:
        if column is not None and column not in df.columns:
            raise InvalidInput(f"column {column!r} is not in the table: must be {one_of(df.columns)}")
    if df.is_empty():
        raise InvalidInput("the table has no rows: a chart needs at least one estimate")


def intervals(df: pl.DataFrame, mean: str) -> tuple[Floats, Floats, Floats]:
    """Mean, low and high of each row."""
    check_columns(df, mean)
    middle = df[mean].cast(pl.Float64).to_numpy()
    if {"low", "high"} <= set(df.columns):
        return middle, df["low"].cast(pl.Float64).to_numpy(), df["high"].cast(pl.Float64).to_numpy()
    if "standard_error" not in df.columns:
        raise InvalidInput(
            "the table has no interval: it must have columns 'low' and 'high', or 'standard_error'"
        )
    half = Z95 * df["standard_error"].cast(pl.Float64).to_numpy()
    return middle, middle - half, middle + half


def open_axes(ax: Axes | None, height: float = 4.0) -> tuple[Figure, Axes]:
    """The given axes with their figure, or new ones in the project's style."""
    if ax is not None:
        figure = ax.get_figure(root=True)
        assert figure is not None
        return figure, ax
    return plt.subplots(figsize=figure_size(height))


def finish(ax: Axes, title: str, x_label: str, y_label: str, note: str | None = None) -> None:
    """Title, axis labels and a note below; the title starts at the figure's left edge, and wraps."""
    ax.set_xlabel(x_label)
    ax.set_ylabel(y_label)
    figure = ax.get_figure(root=True)
    assert figure is not None
    alone = len([a for a in figure.axes if a.get_label() != "<colorbar>"]) == 1
    if alone:
        figure.suptitle(wrap(title, 62), x=0.01, ha="left", fontsize=13, fontweight="bold", color=INK)
    else:
        ax.set_title(title, fontsize=12, fontweight="normal")
    if note:
        figure.supxlabel(wrap(note, 84), x=0.01, ha="left", fontsize=10, color=MUTED)


def wrap(text: str, width: int) -> str:
    """Break at spaces; charts have no other way to keep a long title inside."""
    return "\n".join(textwrap.wrap(text, width))


def groups(df: pl.DataFrame, by: str | None) -> list[tuple[Any, pl.DataFrame]]:
    """Parts of the frame in order of appearance."""
    if by is None:
        return [(None, df)]
    return [(part[by][0], part) for part in df.partition_by(by, maintain_order=True)]


def label_of(value: Any, labels: Mapping[Any, str] | None) -> str:
    """What a series or category is called."""
    return (labels or {}).get(value, str(value))


def name_series(ax: Axes, by_title: str | None) -> None:
    """A legend right of the data, in the order of the lines' right ends, so that the eye need not travel."""
    handles, names = ax.get_legend_handles_labels()
    if len(names) < 2:
        return
    ax.legend(
        handles,
        names,
        title=by_title,
        loc="center left",
        bbox_to_anchor=(1.01, 0.5),
        alignment="left",
        borderaxespad=0.0,
        handlelength=1.8,
    )


def reference_line(ax: Axes, value: float | None, *, vertical: bool = False) -> None:
    """A thin dark line at a value that means something, such as zero profit."""
    if value is not None:
        (ax.axvline if vertical else ax.axhline)(value, color=MUTED, linewidth=1.2, zorder=1.5)


def whisker_lengths(middle: Floats, low: Floats, high: Floats) -> Floats:
    """Lengths of whiskers below and above, shape (2, estimates), as Matplotlib wants them."""
    # rounding may put an end of an interval a hair on the wrong side of its middle
    return np.clip(np.vstack([middle - low, high - middle]), 0.0, None)


@styled
def small_multiples(
    df: pl.DataFrame,
    by: str,
    draw: Callable[..., Figure],
    *,
    title: str,
    labels: Mapping[Any, str] | None = None,
    columns: int = 2,
    panel_height: float = 2.9,
    note: str | None = None,
    **options: Any,
) -> Figure:
    """The same chart for each value of `by`, side by side on shared axes.

    Parameters
    ----------
    df : polars.DataFrame
        Estimates.
    by : str
        Column whose values get a panel each.
    draw : callable
        A chart function of this package, called as ``draw(part, title=label, ax=ax, **options)``.
    title : str
        The finding, for the whole figure.
    labels : mapping, optional
        Titles of the panels.
    columns : int
        Panels in a row.
    panel_height : float
        Inches.
    note : str, optional
        Small print below.
    **options
        Passed to `draw`, such as ``x="call"``.
    """
    check_columns(df, by)
    parts = groups(df, by)
    columns = min(columns, len(parts))
    rows = -(-len(parts) // columns)
    figure, grid = plt.subplots(
        rows,
        columns,
        figsize=figure_size(0.8 + panel_height * rows),
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    panels = list(grid.flat)
    for (value, part), panel in zip(parts, panels, strict=False):
        draw(part, title=label_of(value, labels), ax=panel, **options)
        panel.label_outer()
    for empty in panels[len(parts) :]:
        empty.set_axis_off()
    figure.suptitle(wrap(title, 62), x=0.01, ha="left", fontsize=13, fontweight="bold", color=INK)
    if note:
        figure.supxlabel(wrap(note, 84), x=0.01, ha="left", fontsize=10, color=MUTED)
    return figure

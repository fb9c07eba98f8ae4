"""What all charts share: columns checked, intervals read, axes opened, titles, legends, and panels."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure, SubFigure
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from svara_sim.core.errors import InvalidInput, one_of

from ..tables import typeset
from .style import INK, MUTED, figure_size, styled

__all__ = [
    "Z95",
    "broken_label",
    "check_columns",
    "figure_of",
    "finish",
    "groups",
    "in_percent",
    "intervals",
    "label_of",
    "label_outside",
    "name_series",
    "open_axes",
    "panel_grid",
    "reference_line",
    "small_multiples",
    "title_figure",
    "whisker_lengths",
]

Z95 = 1.959963984540054
_LONG_NAME = 18
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
        raise InvalidInput("the table has no interval: it must have columns 'low' and 'high', or 'standard_error'")
    half = Z95 * df["standard_error"].cast(pl.Float64).to_numpy()
    return middle, middle - half, middle + half


def open_axes(ax: Axes | None, height: float = 4.0) -> tuple[Figure, Axes]:
    """The given axes with their figure, or new ones in the project's style."""
    if ax is not None:
        return figure_of(ax), ax
    return plt.subplots(figsize=figure_size(height))


def finish(ax: Axes, title: str, x_label: str, y_label: str, note: str | None = None) -> None:
    """Title, axis labels and a note below.

    A chart of its own has its title at the figure's left edge, where a long one has room; a panel has it
    above its axes.
    """
    figure = figure_of(ax)
    alone = len([a for a in figure.axes if a.get_label() != "<colorbar>"]) == 1
    ax.set_xlabel(x_label)
    ax.set_ylabel(_in_lines(y_label, 30 if alone else 22))  # as long as an axis is high
    if alone:
        title_figure(figure, title, note)
    else:
        ax.set_title(title, fontsize=12, fontweight="normal")


def _in_lines(label: str, width: int) -> str:
    """A label that is too long broken before its unit, and where that is not enough, between words."""
    parts = [label] if len(label) <= width else label.replace(" (", "\n(").split("\n")
    return "\n".join(line for part in parts for line in textwrap.wrap(part, width))


def title_figure(figure: Figure, title: str, note: str | None = None) -> None:
    """A title above everything and small print below everything, both broken into lines."""
    lines = "\n".join(textwrap.wrap(typeset(title), 60))
    figure.suptitle(lines, x=0.012, ha="left", fontsize=13, fontweight="bold", color=INK)
    if note:
        small = "\n".join(textwrap.wrap(note, 84))
        figure.supxlabel(small, x=0.012, ha="left", fontsize=10, color=MUTED)


def figure_of(ax: Axes) -> Figure:
    """The figure in which axes stand, be it in a part of it."""
    holder = ax.get_figure()
    while isinstance(holder, SubFigure):
        holder = holder.figure
    assert holder is not None
    return holder


def groups(df: pl.DataFrame, by: str | None) -> list[tuple[Any, pl.DataFrame]]:
    """Parts of the frame in order of appearance."""
    if by is None:
        return [(None, df)]
    return [(part[by][0], part) for part in df.partition_by(by, maintain_order=True)]


def label_of(value: Any, labels: Mapping[Any, str] | None) -> str:
    """What a series or category is called."""
    return (labels or {}).get(value, str(value))


def broken_label(text: str) -> str:
    """A long name of a category in several lines: ``threshold:call=21,raise_at=28`` breaks at its colon."""
    if len(text) <= _LONG_NAME:
        return text
    return "\n".join(line for part in text.replace(":", ":\n").split("\n") for line in textwrap.wrap(part, 24))


def in_percent(axis: Axis, percent: bool) -> None:
    """Write proportions on an axis as percentages."""
    if percent:
        axis.set_major_formatter(PercentFormatter(xmax=1.0, symbol=" %"))


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
    panel: str,
    draw: Callable[..., Figure],
    *,
    title: str,
    labels: Mapping[Any, str] | None = None,
    columns: int = 2,
    panel_height: float = 2.9,
    note: str | None = None,
    **options: Any,
) -> Figure:
    """The same chart for each value of `panel`, side by side on shared axes.

    Parameters
    ----------
    df : polars.DataFrame
        Estimates.
    panel : str
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
    check_columns(df, panel)
    parts = groups(df, panel)
    figure, panels = panel_grid(len(parts), columns, panel_height, share=True)
    for (value, part), ax in zip(parts, panels, strict=True):
        draw(part, title=label_of(value, labels), ax=ax, **options)
    label_outside(panels, columns)
    _one_legend(figure, panels)
    title_figure(figure, title, note)
    return figure


def panel_grid(n: int, columns: int, panel_height: float, *, share: bool = False) -> tuple[Figure, list[Axes]]:
    """A figure with `n` panels, `columns` in a row, on shared axes if asked."""
    columns = min(columns, n)
    rows = -(-n // columns)
    size = figure_size(0.9 + panel_height * rows)
    figure, grid = plt.subplots(rows, columns, figsize=size, sharex=share, sharey=share, squeeze=False)
    panels: list[Axes] = list(grid.flat)
    for empty in panels[n:]:
        empty.remove()
    return figure, panels[:n]


def label_outside(panels: list[Axes], columns: int) -> None:
    """Keep the labels at the left, and below the lowest panel of each column, which may be above a gap."""
    for i, ax in enumerate(panels):
        label = ax.get_xlabel()
        ax.label_outer()
        if i + columns >= len(panels):
            ax.tick_params(labelbottom=True)
            ax.set_xlabel(label)


def _one_legend(figure: Figure, panels: list[Axes]) -> None:
    """Put the legend that every panel would repeat beside them all."""
    found = [legend for panel in panels if (legend := panel.get_legend()) is not None]
    for legend in found:
        legend.remove()
    if found:
        handles, names = max((panel.get_legend_handles_labels() for panel in panels), key=lambda pair: len(pair[1]))
        title = found[0].get_title().get_text() or None
        figure.legend(handles, names, title=title, loc="outside right center", alignment="left", handlelength=1.8)

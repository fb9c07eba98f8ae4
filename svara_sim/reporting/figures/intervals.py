"""Charts of estimates, which never come without their intervals.

Every function takes a Polars frame with one row an estimate, in columns ``mean`` and either ``low`` and
``high`` or ``standard_error`` (then the interval is 95 %); returns a figure; and takes from the caller a
title that states the finding, and axis labels with units.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter

from .panels import (
    broken_label,
    check_columns,
    finish,
    groups,
    in_percent,
    intervals,
    label_of,
    name_series,
    open_axes,
    reference_line,
    whisker_lengths,
)
from .style import INK, MUTED, series, styled

__all__ = ["interval_bars", "interval_lines", "interval_points"]

_MAX_LOG_TICKS = 9
_MAX_TICKS = 12


@styled
def interval_lines(
    df: pl.DataFrame,
    x: str,
    *,
    title: str,
    x_label: str,
    y_label: str,
    by: str | None = None,
    by_title: str | None = None,
    labels: Mapping[Any, str] | None = None,
    mean: str = "mean",
    reference: float | None = None,
    percent: bool = False,
    log_x: bool = False,
    note: str | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Lines over `x` with a band and whiskers for the interval of each estimate.

    Parameters
    ----------
    df : polars.DataFrame
        One row an estimate.
    x : str
        Column of the horizontal axis, numeric.
    title, x_label, y_label : str
        The finding; what the axes show, with units.
    by : str, optional
        Column that tells the lines apart.
    by_title : str, optional
        Heading of the legend.
    labels : mapping, optional
        Names for the values of `by`.
    mean : str
        Column of the estimates.
    reference : float, optional
        Where to draw a horizontal line.
    percent : bool
        Write proportions as percentages.
    log_x : bool
        Logarithmic horizontal axis.
    note : str, optional
        Small print below: what was simulated, and what the interval is.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.figure.Figure
        To be passed to `svara_sim.reporting.show`.
    """
    check_columns(df, x, by)
    figure, ax = open_axes(ax)
    reference_line(ax, reference)
    parts = [(value, part.sort(x)) for value, part in groups(df, by)]
    looks = dict(zip((str(value) for value, _ in parts), series(len(parts)), strict=True))
    parts.sort(key=lambda item: -float(item[1][mean][-1] or 0.0))  # the legend stands in the order of the lines' ends
    for value, part in parts:
        color, marker, dashes = looks[str(value)]
        middle, low, high = intervals(part, mean)
        places = part[x].cast(pl.Float64).to_numpy()
        ax.fill_between(places, low, high, color=color, alpha=0.16, linewidth=0)
        ax.vlines(places, low, high, color=color, linewidth=1.4)
        ax.plot(places, middle, color=color, marker=marker, linestyle=dashes, label=label_of(value, labels))
    if log_x:
        _logarithmic(ax, df[x].cast(pl.Float64).unique().sort().to_list())
    elif df[x].dtype.is_integer():
        few = df[x].n_unique() <= _MAX_TICKS
        ax.xaxis.set_major_locator(FixedLocator(df[x].unique().sort().to_list()) if few else MaxNLocator(integer=True))
    in_percent(ax.yaxis, percent)
    name_series(ax, by_title)
    finish(ax, title, x_label, y_label, note)
    return figure


def _logarithmic(ax: Axes, values: list[float]) -> None:
    """A logarithmic horizontal axis with plain numbers: the values themselves if they are few, else round ones."""
    ax.set_xscale("log")
    if 0 < len(values) <= _MAX_LOG_TICKS:
        ax.set_xticks(values, [f"{value:g}" for value in values])
    else:
        ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}" if x >= 1 else f"{x:g}"))
    ax.xaxis.set_minor_formatter(NullFormatter())


@styled
def interval_points(
    df: pl.DataFrame,
    category: str,
    *,
    title: str,
    x_label: str,
    y_label: str = "",
    by: str | None = None,
    by_title: str | None = None,
    labels: Mapping[Any, str] | None = None,
    mean: str = "mean",
    reference: float | None = None,
    percent: bool = False,
    log_x: bool = False,
    note: str | None = None,
    ax: Axes | None = None,
) -> Figure:
    """A row for each category with a point and its interval: for names, such as policies.

    The parameters are those of `interval_lines`; categories keep the frame's order, the first on top, and
    `labels` names values of `category` and of `by`.
    """
    check_columns(df, category, by)
    names = df[category].unique(maintain_order=True).to_list()
    parts = groups(df, by)
    figure, ax = open_axes(ax, height=max(2.2, 1.4 + 0.2 * len(names) * (1 + len(parts))))
    reference_line(ax, reference, vertical=True)
    step = 0.62 / max(len(parts), 1)
    for k, ((value, part), (color, marker, _)) in enumerate(zip(parts, series(len(parts)), strict=True)):
        middle, low, high = intervals(part, mean)
        shift = (k - (len(parts) - 1) / 2) * step
        rows = np.array([names.index(name) for name in part[category]]) + shift
        ax.hlines(rows, low, high, color=color, linewidth=2.4)
        ax.plot(middle, rows, linestyle="none", marker=marker, color=color, label=label_of(value, labels))
    ax.set_yticks(range(len(names)), [broken_label(label_of(name, labels)) for name in names])
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.grid(visible=False, axis="y")
    ax.tick_params(axis="y", length=0)
    in_percent(ax.xaxis, percent)
    if log_x:
        _logarithmic(ax, [])
    name_series(ax, by_title)
    finish(ax, title, x_label, y_label, note)
    return figure


@styled
def interval_bars(
    df: pl.DataFrame,
    category: str,
    *,
    title: str,
    x_label: str,
    y_label: str,
    by: str | None = None,
    by_title: str | None = None,
    labels: Mapping[Any, str] | None = None,
    mean: str = "mean",
    percent: bool = False,
    note: str | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Bars from zero with the interval of each: for frequencies and amounts, where zero means none.

    The parameters are those of `interval_points`.
    """
    check_columns(df, category, by)
    names = df[category].unique(maintain_order=True).to_list()
    parts = groups(df, by)
    figure, ax = open_axes(ax)
    width = 0.78 / max(len(parts), 1)
    for k, ((value, part), (color, _, _)) in enumerate(zip(parts, series(len(parts)), strict=True)):
        middle, low, high = intervals(part, mean)
        places = np.array([names.index(name) for name in part[category]]) + (k - (len(parts) - 1) / 2) * width
        ax.bar(places, middle, width=width * 0.94, color=color, label=label_of(value, labels))
        ax.errorbar(
            places,
            middle,
            yerr=whisker_lengths(middle, low, high),
            fmt="none",
            ecolor=INK,
            elinewidth=1.5,
            capsize=3,
        )
    ax.set_xticks(range(len(names)), [broken_label(label_of(name, labels)) for name in names])
    ax.grid(visible=False, axis="x")
    ax.axhline(0, color=MUTED, linewidth=1.0)
    in_percent(ax.yaxis, percent)
    name_series(ax, by_title)
    finish(ax, title, x_label, y_label, note)
    return figure

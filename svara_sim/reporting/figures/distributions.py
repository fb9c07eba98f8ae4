"""Charts of whole distributions: shares of values, and fans of quantiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .panels import (
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
from .style import INK, series, styled

__all__ = ["distribution", "fan"]

_MAX_TICKS = 14


@styled
def distribution(
    df: pl.DataFrame,
    x: str,
    *,
    title: str,
    x_label: str,
    y_label: str = "Share of deals",
    by: str | None = None,
    by_title: str | None = None,
    labels: Mapping[Any, str] | None = None,
    mean: str = "mean",
    percent: bool = False,
    log_y: bool = False,
    note: str | None = None,
    ax: Axes | None = None,
) -> Figure:
    """How often each value of `x` happens: bars for one distribution, stepped outlines for several.

    The parameters are those of `interval_lines`; each row is the share of one value, with its interval.
    `log_y` keeps rare values in sight.
    """
    check_columns(df, x, by)
    figure, ax = open_axes(ax)
    parts = [(value, part.sort(x)) for value, part in groups(df, by)]
    gaps = np.diff(np.unique(df[x].cast(pl.Float64).to_numpy()))
    width = float(gaps.min()) if len(gaps) else 1.0
    for (value, part), (color, _, dashes) in zip(parts, series(len(parts)), strict=True):
        middle, low, high = intervals(part, mean)
        places = part[x].cast(pl.Float64).to_numpy()
        if by is None:
            ax.bar(places, middle, width=0.9 * width, color=color)
            ax.errorbar(
                places,
                middle,
                yerr=whisker_lengths(middle, low, high),
                fmt="none",
                ecolor=INK,
                elinewidth=1.3,
                capsize=0,
            )
        else:
            ax.step(places, middle, where="mid", color=color, linestyle=dashes, label=label_of(value, labels))
            ax.fill_between(places, low, high, step="mid", color=color, alpha=0.2, linewidth=0)
    if log_y:
        ax.set_yscale("log")
    else:
        ax.set_ylim(bottom=0)
    whole = df[x].unique().sort()
    if whole.dtype.is_integer() and len(whole) <= _MAX_TICKS:
        ax.set_xticks(whole.to_list())
    in_percent(ax.yaxis, percent)
    name_series(ax, by_title)
    finish(ax, title, x_label, y_label, note)
    return figure


@styled
def fan(
    df: pl.DataFrame,
    x: str,
    *,
    middle: str,
    bands: Sequence[tuple[str, str, str]],
    title: str,
    x_label: str,
    y_label: str,
    middle_label: str = "median",
    reference: float | None = None,
    note: str | None = None,
    ax: Axes | None = None,
) -> Figure:
    """A middle line in ever wider bands of quantiles: where a bankroll may go.

    Parameters
    ----------
    df : polars.DataFrame
        One row a place on the horizontal axis.
    x, middle : str
        Columns of the axis and of the line.
    bands : sequence of (str, str, str)
        Low column, high column, and label of each band, the widest first.
    title, x_label, y_label, reference, note, ax
        As in `interval_lines`.
    middle_label : str
        What the line is.
    """
    check_columns(df, x, middle, *(column for low, high, _ in bands for column in (low, high)))
    figure, ax = open_axes(ax)
    df = df.sort(x)
    color = series(1)[0][0]
    for k, (low, high, label) in enumerate(bands):
        alpha = 0.16 + 0.2 * k
        ax.fill_between(df[x], df[low], df[high], color=color, alpha=alpha, linewidth=0, label=label)
    ax.plot(df[x], df[middle], color=INK, label=middle_label)
    reference_line(ax, reference)
    name_series(ax, None)
    finish(ax, title, x_label, y_label, note)
    return figure

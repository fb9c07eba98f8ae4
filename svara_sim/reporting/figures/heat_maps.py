"""Heat maps of estimates over two parameters, which say how flat the top is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import matplotlib.pyplot as plt
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, Normalize, TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from svara_sim.core.errors import InvalidInput, check_choice

from .panels import Z95, check_columns, finish, groups, label_of, label_outside, panel_grid, title_figure
from .style import DIVERGING, INK, SEQUENTIAL, figure_size, styled

__all__ = ["heat_map", "heat_map_panels", "undecided_cells"]

_DOTS = (0, (2, 1.4))
_UNDECIDED = "not distinguishable from it (95 %)"
_MAX_WRITTEN = 13  # columns of cells that still have room for a number


def undecided_cells(
    df: pl.DataFrame,
    *,
    value: str = "mean",
    error: str = "standard_error",
    best: Literal["max", "min"] = "max",
    z: float = Z95,
) -> pl.Series:
    """Whether each estimate cannot be told from the best one; the best one itself counts.

    The difference to the best is compared with `z` times its standard error as if the two were independent.
    Points that share their deals differ less than that, so the test errs on the side of "undecided"; pass
    sharper answers to `heat_map` where the sweep has paired differences.
    """
    check_columns(df, value, error)
    check_choice("best", best, ("max", "min"))
    means = df[value].cast(pl.Float64).to_numpy()
    errors = df[error].cast(pl.Float64).to_numpy()
    top = int(np.nanargmax(means) if best == "max" else np.nanargmin(means))
    gap = np.abs(means - means[top])
    undecided = gap <= z * np.hypot(errors, errors[top])
    undecided[top] = True
    return pl.Series("undecided", undecided)


def _grid(df: pl.DataFrame, x: str, y: str, column: str) -> NDArray[np.float64]:
    """Shape (values of y, values of x), NaN where there is no estimate."""
    xs, ys = sorted(df[x].unique().to_list()), sorted(df[y].unique().to_list())
    grid = np.full((len(ys), len(xs)), np.nan)
    for a, b, cell in df.select(x, y, pl.col(column).cast(pl.Float64)).iter_rows():
        grid[ys.index(b), xs.index(a)] = np.nan if cell is None else cell
    return grid


@dataclass(frozen=True)
class _Cells:
    """How cells are drawn: columns, colours, numbers, and which end is good."""

    x: str
    y: str
    value: str
    error: str
    best: Literal["max", "min"] | None
    undecided: str | None
    digits: int
    colors: Colormap
    norm: Normalize


def _scale(df: pl.DataFrame, value: str, center: float | None) -> tuple[Colormap, Normalize]:
    values = df[value].cast(pl.Float64).to_numpy()
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if center is None:
        return SEQUENTIAL, Normalize(low, high if high > low else low + 1.0)
    # the same distance from the centre has the same strength of colour on both sides
    reach = max(abs(high - center), abs(low - center)) or 1.0
    return DIVERGING, TwoSlopeNorm(center, center - reach, center + reach)


def _contrast(cells: _Cells, number: float) -> str:
    """White on dark cells, ink on light ones."""
    red, green, blue, _ = cells.colors(cells.norm(number))
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.55 else INK


def _write_numbers(ax: Axes, grid: NDArray[np.float64], cells: _Cells, panels: int) -> None:
    columns = grid.shape[1] * panels
    if columns > _MAX_WRITTEN:
        return
    size = 10.5 if columns <= 8 else 8.5 if columns <= 11 else 7.5
    for (row, column), number in np.ndenumerate(grid):
        if np.isfinite(number):
            shown = round(float(number), cells.digits) + 0.0  # no minus zero
            text = f"{shown:.{cells.digits}f}".replace("-", "\N{MINUS SIGN}")
            ax.text(column, row, text, ha="center", va="center", fontsize=size, color=_contrast(cells, number))


def _frame(column: float, row: float, size: float, **look: Any) -> Rectangle:
    return Rectangle((column - size / 2, row - size / 2), size, size, fill=False, **look)


def _mark(ax: Axes, df: pl.DataFrame, grid: NDArray[np.float64], cells: _Cells) -> None:
    """Frames: a full one around the best cell, dotted ones around those that may be as good."""
    if cells.best is None:
        return
    may_be = (
        df[cells.undecided]
        if cells.undecided
        else undecided_cells(df, value=cells.value, error=cells.error, best=cells.best)
    )
    marked = _grid(df.with_columns(may_be.cast(pl.Float64).alias("_marked")), cells.x, cells.y, "_marked") == 1.0
    top = grid == (np.nanmax(grid) if cells.best == "max" else np.nanmin(grid))
    for row, column in np.argwhere(marked & ~top):
        color = _contrast(cells, grid[row, column])
        ax.add_patch(_frame(column, row, 0.86, edgecolor=color, linewidth=1.5, linestyle=_DOTS))
    for row, column in np.argwhere(top):
        ax.add_patch(_frame(column, row, 0.92, edgecolor="white", linewidth=4.4))
        ax.add_patch(_frame(column, row, 0.92, edgecolor=INK, linewidth=2.4))


def _draw_cells(ax: Axes, df: pl.DataFrame, cells: _Cells, panels: int = 1) -> AxesImage:
    if df.select(cells.x, cells.y).is_duplicated().any():
        raise InvalidInput(f"the table has several rows for one {cells.x!r} and {cells.y!r}: must have one row a cell")
    grid = _grid(df, cells.x, cells.y, cells.value)
    image = ax.imshow(grid, cmap=cells.colors, norm=cells.norm, aspect="auto", origin="lower", interpolation="nearest")
    _write_numbers(ax, grid, cells, panels)
    _mark(ax, df, grid, cells)
    for axis, column in ((ax.xaxis, cells.x), (ax.yaxis, cells.y)):
        values = sorted(df[column].unique().to_list())
        step = -(-len(values) // (14 // panels))
        axis.set_ticks(range(0, len(values), step), [_tick(v) for v in values[::step]])
    ax.tick_params(length=0)
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)
    return image


def _tick(value: object) -> str:
    return format(value, "g") if isinstance(value, float) else str(value)


def _color_bar(figure: Figure, image: AxesImage, axes: list[Axes], value_label: str) -> None:
    bar = figure.colorbar(image, ax=axes, pad=0.02, fraction=0.06, aspect=28)
    bar.set_label(value_label)
    bar.outline.set_visible(False)


def _legend(ax: Axes) -> None:
    """What the frames mean, above the map."""
    look: dict[str, Any] = {"fill": False, "edgecolor": INK}
    best = Rectangle((0, 0), 1, 1, linewidth=2.4, label="best", **look)
    others = Rectangle((0, 0), 1, 1, linewidth=1.5, linestyle=_DOTS, label=_UNDECIDED, **look)
    place: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0.0, 1.0), "borderaxespad": 0.3}
    ax.legend(handles=[best, others], ncols=2, handlelength=1.1, handleheight=1.1, fontsize=10.5, **place)


def _error_note(df: pl.DataFrame, error: str, note: str | None) -> str:
    worst = float(np.nanmax(df[error].cast(pl.Float64).to_numpy()))
    return f"Standard error of a cell: at most {worst:.2g}." + (f" {note}" if note else "")


@styled
def heat_map(
    df: pl.DataFrame,
    x: str,
    y: str,
    value: str = "mean",
    *,
    title: str,
    x_label: str,
    y_label: str,
    value_label: str,
    error: str = "standard_error",
    best: Literal["max", "min"] | None = "max",
    undecided: str | None = None,
    center: float | None = None,
    digits: int = 2,
    note: str | None = None,
) -> Figure:
    """A cell for each pair of `x` and `y`, coloured by the estimate, with the best marked.

    Dotted frames mark the cells that cannot be told from the best; the small print gives the largest standard
    error of a cell.

    Parameters
    ----------
    df : polars.DataFrame
        One row a cell.
    x, y, value, error : str
        Columns of the two axes, the estimate, and its standard error.
    title, x_label, y_label, value_label : str
        The finding; what axes and colours show, with units.
    best : {"max", "min"} or None
        Which end is good; None marks nothing.
    undecided : str, optional
        A boolean column that says which cells may be as good as the best, from paired differences; by default
        `undecided_cells` decides.
    center : float, optional
        A value with a meaning, such as 0: colours then part there.
    digits : int
        Decimals of the numbers in the cells.
    note : str, optional
        Small print after that on the error.

    Returns
    -------
    matplotlib.figure.Figure
        To be passed to `svara_sim.reporting.show`.
    """
    check_columns(df, x, y, value, error, undecided)
    cells = _Cells(x, y, value, error, best, undecided, digits, *_scale(df, value, center))
    height = min(7.5, max(3.4, 2.0 + 0.42 * df[y].n_unique()))
    figure, ax = plt.subplots(figsize=figure_size(height))
    image = _draw_cells(ax, df, cells)
    _color_bar(figure, image, [ax], value_label)
    if best is not None:
        _legend(ax)
    finish(ax, title, x_label, y_label, _error_note(df, error, note))
    return figure


@styled
def heat_map_panels(
    df: pl.DataFrame,
    x: str,
    y: str,
    panel: str,
    value: str = "mean",
    *,
    title: str,
    x_label: str,
    y_label: str,
    value_label: str,
    labels: Mapping[Any, str] | None = None,
    columns: int = 2,
    error: str = "standard_error",
    best: Literal["max", "min"] | None = "max",
    undecided: str | None = None,
    center: float | None = None,
    digits: int = 2,
    note: str | None = None,
) -> Figure:
    """A heat map for each value of `panel`, all in one scale of colours; each panel has its own best cell.

    Parameters
    ----------
    panel : str
        Column whose values get a panel each.
    labels : mapping, optional
        Titles of the panels.
    columns : int
        Panels in a row.
    df, x, y, value, title, x_label, y_label, value_label, error, best, undecided, center, digits, note
        As in `heat_map`.
    """
    check_columns(df, x, y, panel, value, error, undecided)
    cells = _Cells(x, y, value, error, best, undecided, digits, *_scale(df, value, center))
    parts = groups(df, panel)
    figure, panels = panel_grid(len(parts), columns, panel_height=max(2.3, 0.7 + 0.3 * df[y].n_unique()))
    for (name, part), ax in zip(parts, panels, strict=True):
        image = _draw_cells(ax, part, cells, panels=min(columns, len(parts)))
        ax.set_title(label_of(name, labels), fontsize=12, fontweight="normal")
        ax.set(xlabel=x_label, ylabel=y_label)
    label_outside(panels, columns)
    _color_bar(figure, image, panels, value_label)
    # a legend would widen one panel; the small print has room for its words
    frames = f"Full frames: best. Dotted: {_UNDECIDED}. " if best is not None else ""
    title_figure(figure, title, frames + _error_note(df, error, note))
    return figure

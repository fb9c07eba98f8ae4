"""Heat maps of estimates over two parameters, which say how flat the top is."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, Normalize, TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from svara_sim.core.errors import InvalidInput, check_choice

from .charts import Z95, check_columns, finish, open_axes
from .style import DIVERGING, INK, SEQUENTIAL, styled

__all__ = ["heat_map", "undecided_cells"]

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


def _colors(grid: NDArray[np.float64], center: float | None) -> tuple[Colormap, Normalize]:
    low, high = float(np.nanmin(grid)), float(np.nanmax(grid))
    if center is None:
        return SEQUENTIAL, Normalize(low, high if high > low else low + 1.0)
    # the same distance from the centre has the same strength of colour on both sides
    reach = max(abs(high - center), abs(low - center)) or 1.0
    return DIVERGING, TwoSlopeNorm(center, center - reach, center + reach)


def _write_numbers(
    ax: Axes, grid: NDArray[np.float64], digits: int, colors: Colormap, norm: Normalize
) -> None:
    size = 10.5 if grid.shape[1] <= 8 else 8.5 if grid.shape[1] <= 11 else 7.5
    for (row, column), cell in np.ndenumerate(grid):
        if np.isfinite(cell):
            red, green, blue, _ = colors(norm(cell))
            dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.55
            text = f"{cell:.{digits}f}".replace("-", "\N{MINUS SIGN}")
            ax.text(
                column, row, text, ha="center", va="center", fontsize=size, color="white" if dark else INK
            )


def _mark(ax: Axes, best: NDArray[np.bool_], undecided: NDArray[np.bool_]) -> list[Line2D]:
    """Frames around the best cell and around those that may be as good; handles for the legend."""
    from matplotlib.patches import Rectangle

    for row, column in np.argwhere(undecided & ~best):
        ax.add_patch(
            Rectangle(
                (column - 0.44, row - 0.44),
                0.88,
                0.88,
                fill=False,
                edgecolor=INK,
                linewidth=1.3,
                linestyle=(0, (2, 1.5)),
            )
        )
    for row, column in np.argwhere(best):
        ax.add_patch(
            Rectangle((column - 0.46, row - 0.46), 0.92, 0.92, fill=False, edgecolor="white", linewidth=4.2)
        )
        ax.add_patch(
            Rectangle((column - 0.46, row - 0.46), 0.92, 0.92, fill=False, edgecolor=INK, linewidth=2.4)
        )
    frame: dict[str, Any] = {"linestyle": "none", "marker": "s", "markersize": 11, "markerfacecolor": "none"}
    handles = [Line2D([], [], markeredgecolor=INK, markeredgewidth=2.4, label="best", **frame)]
    if (undecided & ~best).any():
        handles.append(
            Line2D([], [], markeredgecolor=INK, markeredgewidth=1.0, label="not told from it (95 %)", **frame)
        )
    return handles


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
    ax: Axes | None = None,
) -> Figure:
    """A cell for each pair of `x` and `y`, coloured by the estimate, with the best marked.

    Dotted frames mark the cells that cannot be told from the best; the note below gives the largest standard
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
        Small print after the error note.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.
    """
    check_columns(df, x, y, value, error, undecided)
    if df.select(x, y).is_duplicated().any():
        raise InvalidInput(
            f"the table has several rows for one pair of {x!r} and {y!r}: must have one row a cell"
        )
    grid = _grid(df, x, y, value)
    alone = ax is None
    figure, ax = open_axes(ax, height=min(7.5, max(3.4, 2.0 + 0.42 * grid.shape[0])))
    colors, norm = _colors(grid, center)
    image = ax.imshow(grid, cmap=colors, norm=norm, aspect="auto", origin="lower", interpolation="nearest")
    if grid.shape[1] <= _MAX_WRITTEN:
        _write_numbers(ax, grid, digits, colors, norm)
    _name_cells(ax, df, x, y)
    bar = figure.colorbar(image, ax=ax, pad=0.02, fraction=0.06)
    bar.set_label(value_label)
    bar.outline.set_visible(False)
    if best is not None:
        may_be = df[undecided] if undecided else undecided_cells(df, value=value, error=error, best=best)
        marked = df.with_columns(may_be.cast(pl.Float64).alias("undecided"))
        top = np.nanmax(grid) if best == "max" else np.nanmin(grid)
        handles = _mark(ax, grid == top, _grid(marked, x, y, "undecided") == 1.0)
        if alone:
            ax.legend(
                handles=handles,
                loc="lower left",
                bbox_to_anchor=(-0.01, 1.0),
                ncols=2,
                borderaxespad=0.2,
                handletextpad=0.4,
                columnspacing=1.4,
            )
    worst = float(np.nanmax(df[error].cast(pl.Float64).to_numpy()))
    errors = f"Standard error of a cell: at most {worst:.2g}."
    finish(ax, title, x_label, y_label, f"{errors} {note}" if note else errors if alone else None)
    return figure


def _name_cells(ax: Axes, df: pl.DataFrame, x: str, y: str) -> None:
    xs, ys = sorted(df[x].unique().to_list()), sorted(df[y].unique().to_list())
    for axis, values in ((ax.xaxis, xs), (ax.yaxis, ys)):
        step = -(-len(values) // 14)
        axis.set_ticks(
            range(0, len(values), step),
            [_tick(v) for v in values[::step]],
        )
    ax.tick_params(length=0)
    ax.grid(visible=False)
    for spine in ax.spines.values():
        spine.set_visible(False)


def _tick(value: object) -> str:
    return format(value, "g") if isinstance(value, float) else str(value)

"""Floor 5: figures, tables, and notebooks rendered to reports.

What a notebook needs and what makes reports can be imported from here; nothing is loaded before it is used,
so that a command that draws nothing does not wait for Matplotlib.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .display import record_finding, save_figure, say, show
    from .explore import explore_gain, explore_positions, explore_ruin
    from .figures.distributions import distribution, fan
    from .figures.heat_maps import heat_map, heat_map_panels, undecided_cells
    from .figures.intervals import interval_bars, interval_lines, interval_points
    from .figures.panels import small_multiples
    from .figures.style import DIVERGING, PALETTE, SEQUENTIAL, use_style
    from .progress import ProgressBar, progress_bar
    from .rendering.batch import render_all
    from .rendering.board import ProgressBoard
    from .rendering.execution import ReportError
    from .rendering.gallery import build_gallery
    from .rendering.index_page import build_index
    from .rendering.notebooks import find_notebook, find_notebooks_folder, notebook_names
    from .rendering.pages import first_figure
    from .rendering.parameters import parse_assignments
    from .rendering.report import RenderResult, render
    from .tables import EstimateTable, estimate_table, format_estimate, format_interval

_HOMES = {
    "rendering.batch": ("render_all",),
    "rendering.board": ("ProgressBoard",),
    "figures.panels": ("small_multiples",),
    "display": ("record_finding", "save_figure", "say", "show"),
    "figures.distributions": ("distribution", "fan"),
    "rendering.execution": ("ReportError",),
    "explore": ("explore_gain", "explore_positions", "explore_ruin"),
    "rendering.gallery": ("build_gallery",),
    "figures.heat_maps": ("heat_map", "heat_map_panels", "undecided_cells"),
    "rendering.index_page": ("build_index",),
    "rendering.notebooks": ("find_notebook", "find_notebooks_folder", "notebook_names"),
    "rendering.pages": ("first_figure",),
    "rendering.parameters": ("parse_assignments",),
    "figures.intervals": ("interval_bars", "interval_lines", "interval_points"),
    "progress": ("ProgressBar", "progress_bar"),
    "rendering.report": ("RenderResult", "render"),
    "figures.style": ("DIVERGING", "PALETTE", "SEQUENTIAL", "use_style"),
    "tables": ("EstimateTable", "estimate_table", "format_estimate", "format_interval"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "DIVERGING",
    "PALETTE",
    "SEQUENTIAL",
    "EstimateTable",
    "ProgressBar",
    "ProgressBoard",
    "RenderResult",
    "ReportError",
    "build_gallery",
    "build_index",
    "distribution",
    "estimate_table",
    "explore_gain",
    "explore_positions",
    "explore_ruin",
    "fan",
    "find_notebook",
    "find_notebooks_folder",
    "first_figure",
    "format_estimate",
    "format_interval",
    "heat_map",
    "heat_map_panels",
    "interval_bars",
    "interval_lines",
    "interval_points",
    "notebook_names",
    "parse_assignments",
    "progress_bar",
    "record_finding",
    "render",
    "render_all",
    "save_figure",
    "say",
    "show",
    "small_multiples",
    "undecided_cells",
    "use_style",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

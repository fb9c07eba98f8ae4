"""Floor 5: figures, tables, and notebooks rendered to reports.

What a notebook needs and what makes reports can be imported from here; nothing is loaded before it is used,
so that a command that draws nothing does not wait for Matplotlib.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .batch import render_all
    from .board import ProgressBoard
    from .charts import small_multiples
    from .display import record_finding, save_figure, say, show
    from .distributions import distribution, fan
    from .execution import ReportError
    from .explore import explore_gain, explore_positions, explore_ruin
    from .gallery import build_gallery
    from .heat_maps import heat_map, heat_map_panels, undecided_cells
    from .index_page import build_index
    from .notebooks import find_notebook, find_notebooks_folder, notebook_names
    from .pages import first_figure
    from .parameters import parse_assignments
    from .plots import interval_bars, interval_lines, interval_points
    from .progress import ProgressBar, progress_bar
    from .rendering import RenderResult, render
    from .style import DIVERGING, PALETTE, SEQUENTIAL, use_style
    from .tables import EstimateTable, estimate_table, format_estimate, format_interval

_HOMES = {
    "batch": ("render_all",),
    "board": ("ProgressBoard",),
    "charts": ("small_multiples",),
    "display": ("record_finding", "save_figure", "say", "show"),
    "distributions": ("distribution", "fan"),
    "execution": ("ReportError",),
    "explore": ("explore_gain", "explore_positions", "explore_ruin"),
    "gallery": ("build_gallery",),
    "heat_maps": ("heat_map", "heat_map_panels", "undecided_cells"),
    "index_page": ("build_index",),
    "notebooks": ("find_notebook", "find_notebooks_folder", "notebook_names"),
    "pages": ("first_figure",),
    "parameters": ("parse_assignments",),
    "plots": ("interval_bars", "interval_lines", "interval_points"),
    "progress": ("ProgressBar", "progress_bar"),
    "rendering": ("RenderResult", "render"),
    "style": ("DIVERGING", "PALETTE", "SEQUENTIAL", "use_style"),
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

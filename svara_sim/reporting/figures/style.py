"""One look for every figure: fonts, lines, and colours that everybody can tell apart, colour-blind or not.

Figures are 6.4 inches wide with 12 point text, so that they stay readable when a page sets them at half width
or a phone shows them 370 pixels wide.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from itertools import cycle
from typing import Any, ParamSpec, TypeVar

import matplotlib as mpl
import matplotlib.pyplot as plt
from cycler import cycler
from matplotlib.colors import Colormap, LinearSegmentedColormap

__all__ = [
    "DIVERGING",
    "DOTS_PER_INCH",
    "GRID",
    "INK",
    "MARKERS",
    "MUTED",
    "PALETTE",
    "SEQUENTIAL",
    "figure_size",
    "series",
    "styled",
    "use_style",
]

P = ParamSpec("P")
R = TypeVar("R")

PALETTE: tuple[str, ...] = (
    "#0072B2",  # blue
    "#D55E00",  # vermilion
    "#009E73",  # green
    "#CC79A7",  # purple
    "#E69F00",  # orange
    "#56B4E9",  # sky
    "#000000",  # black
)
"""The colours of Okabe and Ito without their yellow, which is too faint for a line on white."""

MARKERS: tuple[str, ...] = ("o", "s", "D", "^", "v", "P", "X")
"""A second sign of which series is which, for prints in grey."""

INK = "#1a1a1a"
MUTED = "#5f6670"
GRID = "#e3e6ea"

SEQUENTIAL: Colormap = LinearSegmentedColormap.from_list(
    "svara_sequential", ["#f3f7fa", "#c3dcec", "#7fb6d9", "#3c87bd", "#125a92", "#0a2f57"]
)
"""From near white to dark blue: lightness alone carries the value."""

DIVERGING: Colormap = LinearSegmentedColormap.from_list(
    "svara_diverging", ["#8f3a00", "#d5702a", "#f0b98d", "#f7f7f5", "#9cc7e2", "#3c87bd", "#0a3d6b"]
)
"""Vermilion below, white at the centre, blue above: the pair that all common deficiencies keep apart."""

_WIDTH_INCHES = 6.4
DOTS_PER_INCH = 200

_SETTINGS: dict[str, Any] = {
    "figure.dpi": 100,
    "figure.facecolor": "white",
    "figure.figsize": (_WIDTH_INCHES, 4.0),
    "figure.constrained_layout.use": True,
    "figure.constrained_layout.w_pad": 0.08,
    "figure.constrained_layout.h_pad": 0.08,
    "savefig.dpi": DOTS_PER_INCH,
    "savefig.facecolor": "white",
    "font.family": ["DejaVu Sans"],  # comes with matplotlib, and has the four suits
    "font.size": 12.0,
    "axes.titlesize": 13.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 10.0,
    "axes.labelsize": 12.0,
    "axes.labelcolor": INK,
    "axes.edgecolor": MUTED,
    "axes.linewidth": 0.9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.formatter.useoffset": False,
    "grid.color": GRID,
    "grid.linewidth": 0.9,
    "grid.linestyle": "-",
    "text.color": INK,
    "xtick.labelsize": 11.0,
    "ytick.labelsize": 11.0,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.major.size": 4.0,
    "ytick.major.size": 4.0,
    "xtick.minor.size": 4.0,
    "ytick.minor.size": 4.0,
    "xtick.major.width": 1.25,
    "ytick.major.width": 1.25,
    "xtick.minor.width": 1.0,
    "ytick.minor.width": 1.0,
    "lines.linewidth": 2.2,
    "lines.markersize": 6.5,
    "lines.solid_capstyle": "round",
    "errorbar.capsize": 3.0,
    "legend.frameon": False,
    "legend.fontsize": 11.0,
    "legend.title_fontsize": 11.0,
    "patch.linewidth": 0.8,
    "patch.edgecolor": "white",
    "patch.force_edgecolor": True,
    "svg.fonttype": "none",
    "svg.hashsalt": "svara_sim",
}


def use_style() -> None:
    """Make the look of this package the default of Matplotlib in this process; Seaborn follows it.

    In JupyterLab it also asks for sharp ("retina") pictures of figures that are shown without
    `svara_sim.reporting.show`.
    """
    # Not by seaborn.set_theme, which sets no more and imports pandas and scipy.stats: seconds in each notebook.
    settings: Any = _SETTINGS
    mpl.rcParams.update(settings)
    mpl.rcParams["axes.prop_cycle"] = cycler(color=PALETTE)
    mpl.rcParams["image.cmap"] = _registered(SEQUENTIAL)
    _registered(DIVERGING)
    if mpl.get_backend().lower().endswith("inline"):
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        set_matplotlib_formats("retina")  # type: ignore[no-untyped-call]


def _registered(colors: Colormap) -> str:
    mpl.colormaps.register(colors, name=colors.name, force=True)
    return colors.name


def styled(chart: Callable[P, R]) -> Callable[P, R]:
    """Give a chart function the style, whether or not its caller has called `use_style`."""

    @wraps(chart)
    def draw(*args: P.args, **kwargs: P.kwargs) -> R:
        settings: Any = {**_SETTINGS, "axes.prop_cycle": cycler(color=PALETTE)}
        with plt.rc_context(settings):
            return chart(*args, **kwargs)

    return draw


def figure_size(height: float = 4.0, *, width: float = 1.0) -> tuple[float, float]:
    """Inches of a figure that is `width` times as wide as the text column and `height` inches high."""
    return (_WIDTH_INCHES * width, height)


def series(n: int) -> list[tuple[str, str, str]]:
    """Colour, marker and line style of `n` series; past the palette's end the line style changes too."""
    looks = zip(cycle(PALETTE), cycle(MARKERS), strict=False)
    return [(*next(looks), ("-", "--", ":", "-.")[(i // len(PALETTE)) % 4]) for i in range(n)]

"""The style, and what every chart must have."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import polars as pl
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

from svara_sim.core.errors import InvalidInput
from svara_sim.reporting import (
    DIVERGING,
    PALETTE,
    SEQUENTIAL,
    distribution,
    fan,
    heat_map,
    heat_map_panels,
    interval_bars,
    interval_lines,
    interval_points,
    show,
    small_multiples,
    undecided_cells,
    use_style,
)
from svara_sim.reporting.display import figure_png

# Machado, Oliveira and Fernandes (2009), full severity, on linear RGB
DEFICIENCIES = {
    "none": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


@pytest.fixture(autouse=True)
def _clean_up() -> Iterator[None]:
    with mpl.rc_context():
        yield
    plt.close("all")


def lab(color: Any, deficiency: str) -> np.ndarray:
    """CIELAB of a colour as somebody with a deficiency sees it."""
    srgb = np.array(to_rgb(color))
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(DEFICIENCIES[deficiency] @ linear, 0, 1)
    xyz = TO_XYZ @ seen / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_series_can_be_told_apart(deficiency: str) -> None:
    seen = [lab(c, deficiency) for c in PALETTE]
    gaps = [np.linalg.norm(a - b) for i, a in enumerate(seen) for b in seen[:i]]
    assert min(gaps) > 13, "a difference that nobody overlooks, even between thin lines"
    assert max(color[0] for color in seen) < 75, "dark enough for a line on white"


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_color_maps_keep_their_order(deficiency: str) -> None:
    lightness = [lab(SEQUENTIAL(v), deficiency)[0] for v in np.linspace(0, 1, 50)]
    assert np.all(np.diff(lightness) < 0)
    left, middle, right = (lab(DIVERGING(v), deficiency) for v in (0.15, 0.5, 0.85))
    assert np.linalg.norm(left - right) > 40
    assert middle[0] > max(left[0], right[0]) + 20


def test_the_style_is_for_everybody() -> None:
    use_style()
    assert mpl.rcParams["font.size"] >= 12
    assert mpl.rcParams["lines.linewidth"] >= 2
    assert mpl.rcParams["figure.facecolor"] == "white"
    assert mpl.rcParams["axes.prop_cycle"].by_key()["color"] == list(PALETTE)
    assert mpl.rcParams["image.cmap"] == "svara_sequential"


ROWS = [
    {"n": n, "who": who, "mean": 0.1 * n * k, "standard_error": 0.01, "panel": panel}
    for n in (2, 3, 4)
    for k, who in enumerate(("rock", "threshold:call=21,raise_at=28"), start=1)
    for panel in "ab"
]
FRAME = pl.DataFrame(ROWS)
ONE = FRAME.filter(pl.col("panel") == "a")
CELLS = pl.DataFrame(
    [{"x": x, "y": y, "mean": float(-x * x - y * y), "standard_error": 0.4} for x in range(-2, 3) for y in range(-2, 3)]
)
LONG = "gain of a seat that joins the svara (antes per join)"
LABELS = {"title": "A finding", "x_label": "Players", "y_label": "Payoff, antes"}
Draw = Callable[[], Figure]
CHARTS: dict[str, Draw] = {
    "lines": lambda: interval_lines(ONE, "n", by="who", reference=0, percent=True, note="note", **LABELS),
    "points": lambda: interval_points(ONE, "who", by="n", reference=0, **LABELS),
    "bars": lambda: interval_bars(ONE, "n", by="who", **LABELS),
    "shares": lambda: distribution(ONE.filter(pl.col("who") == "rock"), "n", **LABELS),
    "steps": lambda: distribution(ONE, "n", by="who", log_y=True, **LABELS),
    "fan": lambda: fan(CELLS.head(5), "y", middle="mean", bands=[("mean", "x", "all")], **LABELS),
    "heat": lambda: heat_map(CELLS, "x", "y", value_label="antes", **LABELS),
    "long": lambda: interval_lines(
        ONE.filter(pl.col("who") == "rock"), "n", title="A finding", x_label="Players", y_label=LONG
    ),
    "panels": lambda: small_multiples(FRAME, "panel", interval_lines, x="n", by="who", **LABELS),
}


@pytest.mark.parametrize("name", CHARTS)
def test_charts_say_what_they_show_and_fit_their_page(name: str) -> None:
    fig = CHARTS[name]()
    assert fig.get_suptitle() == "A finding"
    assert {ax.get_xlabel() for ax in fig.axes} >= {"Players"}
    labels = {" ".join(ax.get_ylabel().split()) for ax in fig.axes}
    assert labels & {"Payoff, antes", LONG}
    assert fig.get_figwidth() == 6.4
    fig.draw_without_rendering()
    box = fig.get_tightbbox()
    assert box.x0 >= 0, "nothing is cut off"
    assert box.y0 >= 0
    assert box.x1 <= fig.get_figwidth()
    assert box.y1 <= fig.get_figheight()
    png = figure_png(fig)
    with Image.open(io.BytesIO(png)) as picture:
        assert picture.width == 1280
    assert len(png) < 150_000


def test_every_chart_draws_its_intervals() -> None:
    fig = interval_lines(ONE, "n", by="who", **LABELS)
    whiskers = [c for c in fig.axes[0].collections if hasattr(c, "get_segments")]
    ends = sorted(segment[:, 1].tolist() for c in whiskers for segment in c.get_segments())
    assert ends[0] == pytest.approx([0.2 - 0.0196, 0.2 + 0.0196], abs=1e-5)
    assert len(ends) == 6
    given = ONE.with_columns(low=pl.lit(-1.0), high=pl.lit(1.5))
    fig = interval_lines(given, "n", by="who", **LABELS)
    assert fig.axes[0].get_ylim()[0] < -1, "given intervals win over standard errors"


def test_legends_stand_in_the_order_of_the_lines() -> None:
    fig = interval_lines(ONE, "n", by="who", labels={"rock": "Rock"}, **LABELS)
    legend = fig.axes[0].get_legend()
    assert legend is not None
    assert [t.get_text() for t in legend.get_texts()] == ["threshold:call=21,raise_at=28", "Rock"]


def test_no_estimate_without_an_error() -> None:
    bare = ONE.drop("standard_error")
    for draw in (interval_lines, interval_bars, distribution):
        with pytest.raises(InvalidInput, match="the table has no interval"):
            draw(bare, "n", **LABELS)
    with pytest.raises(InvalidInput, match="column 'standard_error' is not in the table"):
        heat_map(CELLS.drop("standard_error"), "x", "y", value_label="v", **LABELS)
    with pytest.raises(InvalidInput, match="column 'm' is not in the table: must be 'n', 'who'"):
        interval_lines(ONE, "m", **LABELS)
    with pytest.raises(InvalidInput, match="the table has no rows"):
        interval_lines(ONE.clear(), "n", **LABELS)


def test_cells_that_may_be_as_good_as_the_best() -> None:
    marked = CELLS.with_columns(undecided_cells(CELLS).alias("u")).filter(pl.col("u"))
    # the difference of 1 to the four neighbours is below 1.96 * sqrt(2) * 0.4 = 1.11; the next ones differ by 2
    assert sorted(marked.select("x", "y").rows()) == [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)]
    lowest = undecided_cells(CELLS, best="min")
    assert sorted(CELLS.filter(lowest).select("x", "y").rows()) == [(-2, -2), (-2, 2), (2, -2), (2, 2)]
    with pytest.raises(InvalidInput, match="best = 'most'"):
        undecided_cells(CELLS, best="most")  # type: ignore[arg-type]


def test_heat_map_panels_share_one_scale() -> None:
    two = pl.concat([CELLS.with_columns(p=pl.lit("early")), CELLS.with_columns(pl.col("mean") + 5, p=pl.lit("late"))])
    fig = heat_map_panels(two, "x", "y", "p", value_label="antes", center=0.0, **LABELS)
    norms = [(im.norm.vmin, im.norm.vmax) for ax in fig.axes for im in ax.images]
    assert norms == [(-8.0, 8.0)] * 2
    with pytest.raises(InvalidInput, match="several rows for one 'x' and 'y'"):
        heat_map(two, "x", "y", value_label="antes", **LABELS)


def test_figures_need_words() -> None:
    with pytest.raises(InvalidInput, match="alt = ' ': must be a sentence"):
        show(Figure(), alt=" ")


def test_drawing_leaves_the_callers_settings_alone() -> None:
    mpl.rcParams["font.size"] = 7.0
    interval_lines(ONE, "n", by="who", **LABELS)
    assert mpl.rcParams["font.size"] == 7.0

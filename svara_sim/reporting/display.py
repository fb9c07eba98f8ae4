"""What a notebook calls to put something on the page: a figure, a sentence, a finding."""

from __future__ import annotations

import html
import io
import re
from base64 import b64encode
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from PIL import Image

from svara_sim.core.errors import InvalidInput

from .figures.style import DOTS_PER_INCH
from .protocol import FINDING_MIME
from .tables import typeset

__all__ = ["figure_png", "record_finding", "say", "show"]

_CSS_PIXELS_PER_INCH = 110  # a 6.4 inch figure fills a column of about 700 CSS pixels
_MAX_COLORS = 256
_NUMBER_SPACE = re.compile(r"(?<=\d) (?=[%±])|(?<=±) (?=\d)")  # where no line should break


def figure_png(fig: Figure) -> bytes:
    """The figure as a PNG, sharp on dense screens, with at most 256 colours (a third of the bytes)."""
    raw = io.BytesIO()
    fig.savefig(raw, format="rgba", dpi=DOTS_PER_INCH)  # not PNG, which would be packed only to be unpacked
    width, height = (int(inches * DOTS_PER_INCH) for inches in fig.get_size_inches())
    flat = Image.frombytes("RGBA", (width, height), raw.getvalue()).convert("RGB")
    small = flat.quantize(_MAX_COLORS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    packed = io.BytesIO()
    small.save(packed, format="PNG", optimize=True)
    return packed.getvalue()


def _in_notebook() -> bool:
    try:
        from IPython.core.getipython import get_ipython
    except ImportError:  # pragma: no cover - ipykernel is a dependency
        return False
    return bool(get_ipython() is not None)


def _display(data: dict[str, Any]) -> None:
    from IPython.display import display

    display(data, raw=True)  # type: ignore[no-untyped-call]


def show(fig: Figure, *, alt: str, caption: str | None = None) -> None:
    """Show a figure in the notebook as a picture with alternative text, and close it.

    Parameters
    ----------
    fig : matplotlib.figure.Figure
        What the chart helpers return.
    alt : str
        What the figure shows, for people who do not see it: kind of chart, axes, and the main finding.
    caption : str, optional
        Plain text below the figure.

    Raises
    ------
    InvalidInput
        If `alt` is blank.
    """
    if not isinstance(alt, str) or not alt.strip():
        raise InvalidInput(f"alt = {alt!r}: must be a sentence that says what the figure shows")
    if not _in_notebook():  # a script keeps its figure, to save or to show as it likes
        return
    width = round(fig.get_figwidth() * _CSS_PIXELS_PER_INCH)
    height = round(fig.get_figheight() * _CSS_PIXELS_PER_INCH)
    below = f"<figcaption>{html.escape(caption)}</figcaption>" if caption else ""
    source = b64encode(figure_png(fig)).decode("ascii")
    plt.close(fig)  # or the inline backend shows it once more at the end of the cell
    markup = (
        f'<figure style="margin:1em 0"><img src="data:image/png;base64,{source}" '
        f'alt="{html.escape(" ".join(alt.split()), quote=True)}" width="{width}" height="{height}" '
        f'style="max-width:100%;height:auto">{below}</figure>'
    )
    _display({"text/html": markup, "text/plain": f"[figure: {alt}]"})


def say(text: str) -> None:
    """Show Markdown whose words depend on results, such as a conclusion with its numbers."""
    if _in_notebook():
        whole = _NUMBER_SPACE.sub("\N{NO-BREAK SPACE}", typeset(text))
        _display({"text/markdown": whole, "text/plain": text})
    else:
        print(text)


def record_finding(name: str, value: float, standard_error: float) -> None:
    """Leave a number that stands behind the notebook's conclusion where a test can check it.

    The page shows nothing of it; `svara_sim.reporting.rendering` returns it in ``findings``.

    Parameters
    ----------
    name : str
        What it is called, such as ``"p_svara_4_players"``.
    value, standard_error : float
        The estimate and its standard error; 0 for an exact value.
    """
    if _in_notebook():
        _display(
            {
                FINDING_MIME: {
                    "name": str(name),
                    "value": float(value),
                    "standard_error": float(standard_error),
                }
            }
        )


def save_figure(fig: Figure, path: str | Path) -> None:
    """Write a figure to a file; the name's ending (``.png``, ``.svg``, ``.pdf``) says in which format."""
    target = Path(path)
    if target.suffix == ".png":
        target.write_bytes(figure_png(fig))
    else:
        fig.savefig(target)
    plt.close(fig)

"""The gallery: the first figure of some reports as small pictures that can be committed, and a table of them."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from PIL import Image

from svara_sim.core.errors import DataError

from .notebooks import find_notebook, notebook_names
from .pages import check_writable, first_figure, read_page, write_atomically
from .rendering import NamedProgress, render_all

__all__ = ["GALLERY_BYTES", "build_gallery"]

GALLERY_BYTES = 1_000_000
"""The gallery is committed, so it stays below this."""

_WIDTH_PIXELS = 900  # sharp at half the width of a page
_COLORS = 128
_README = "README.md"


def build_gallery(
    names: Iterable[str] | None = None,
    *,
    out: str | Path = "reports/gallery",
    notebooks: str | Path | None = None,
    parameters: Mapping[str, Any] | None = None,
    mode: str = "default",
    progress: NamedProgress | None = None,
) -> list[Path]:
    """Render notebooks and keep the first figure of each as ``NAME.png``, with a table of them in ``README.md``.

    The reports themselves go to a temporary folder. The notebooks' parameters hold their seeds, so that the same
    source makes the same pictures.

    Parameters
    ----------
    names : iterable of str, optional
        Notebooks; all of them by default. The table lists these only.
    out : path
        Folder of the gallery.
    notebooks : path, optional
        Folder of the notebooks; found from here upwards by default.
    parameters : mapping, optional
        Parameters to change in all of them.
    mode : {"default", "full", "quick"}
        Size of the runs.
    progress : callable, optional
        Called with (name, cells done, cells in all).

    Returns
    -------
    list of Path
        The pictures and the table.

    Raises
    ------
    DataError
        If a notebook shows no figure, the pictures are too large to be committed, or a file cannot be written.
    """
    folder = Path(out)
    check_writable(folder)
    chosen = list(names) if names else notebook_names(notebooks)
    pictures: dict[str, bytes] = {}
    rows = []
    with tempfile.TemporaryDirectory() as place:
        results = render_all(
            chosen, out=place, notebooks=notebooks, progress=progress, parameters=parameters, mode=mode
        )
        for result in results:
            page, figure = read_page(result.path), first_figure(result.path)
            if page is None or figure is None:
                raise DataError(f"notebook {result.name!r}: shows no figure that could stand in the gallery")
            pictures[result.name] = _small(figure)
            alt = next(alt or "" for source, alt in page.images if source.startswith("data:image/png"))
            rows.append(_row(result.name, page.title, page.meta.get("finding", ""), alt))
    size = sum(len(picture) for picture in pictures.values())
    if size > GALLERY_BYTES:
        raise DataError(f"gallery: {size:,} bytes, must be at most {GALLERY_BYTES:,}; name fewer notebooks")
    paths = [folder / f"{name}.png" for name in pictures]
    for path, picture in zip(paths, pictures.values(), strict=True):
        write_atomically(path, picture)
    table = folder / _README
    write_atomically(table, _table(chosen, rows, notebooks is None, mode).encode())
    return [*paths, table]


def _small(picture: bytes) -> bytes:
    with Image.open(io.BytesIO(picture)) as full:
        image = full.convert("RGB")
    image.thumbnail((_WIDTH_PIXELS, 4 * _WIDTH_PIXELS), Image.Resampling.LANCZOS)
    packed = io.BytesIO()
    image.quantize(_COLORS, dither=Image.Dither.NONE).save(packed, format="PNG", optimize=True)
    return packed.getvalue()


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _row(name: str, title: str, finding: str, alt: str) -> str:
    shown = _cell(alt).replace("[", "(").replace("]", ")")
    return f"| ![{shown}]({name}.png) | **{_cell(title)}** {_cell(finding)} | `svara report {name}` |"


def _table(names: list[str], rows: list[str], known: bool, mode: str) -> str:
    """The page; it names a command that makes it again, if the notebooks are the project's own."""
    stems = [Path(name).stem if not known else find_notebook(name).stem for name in names]
    size = "" if mode == "default" else f" --{mode}"
    return "\n".join(
        [
            "# Gallery",
            "",
            "The first figure of each notebook, from the seeds in its parameters. Made by",
            "",
            f"    svara report --gallery{size} {' '.join(stems)}",
            "",
            "| figure | finding | its report |",
            "| --- | --- | --- |",
            *rows,
            "",
        ]
    )

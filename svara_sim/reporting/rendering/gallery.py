"""The gallery: the first figure of some reports as small pictures that can be committed, and a table of them."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from svara_sim.core.errors import DataError

from .batch import NamedProgress, render_all
from .pages import check_writable, first_figure, read_page, write_atomically
from .report import RenderResult

__all__ = ["GALLERY_BYTES", "build_gallery"]

GALLERY_BYTES = 1_000_000
"""The gallery is committed, so it stays below this."""

_WIDTH_PIXELS = 900  # sharp at half the width of a page
_COLORS = 256
_README = "README.md"


def build_gallery(
    names: Iterable[str] | None = None,
    *,
    out: str | Path = "reports/gallery",
    notebooks: str | Path | None = None,
    parameters: Mapping[str, Any] | None = None,
    mode: str = "default",
    jobs: int | None = None,
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
    notebooks, parameters, mode, jobs, progress
        As in `render_all`.

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
    chosen = list(names) if names is not None else None
    with tempfile.TemporaryDirectory() as place:
        results = render_all(
            chosen, out=place, notebooks=notebooks, parameters=parameters, mode=mode, jobs=jobs, progress=progress
        )
        entries = [_entry(result) for result in results]
    size = sum(len(entry.picture) for entry in entries)
    if size > GALLERY_BYTES:
        raise DataError(f"gallery: {size:,} bytes, must be at most {GALLERY_BYTES:,}; name fewer notebooks")
    for entry in entries:
        write_atomically(folder / f"{entry.name}.png", entry.picture)
    command = ["svara report --gallery", *([] if mode == "default" else [f"--{mode}"])]
    command += [entry.name for entry in entries] if chosen is not None else []
    write_atomically(folder / _README, _table(" ".join(command), entries).encode())
    return [*(folder / f"{entry.name}.png" for entry in entries), folder / _README]


@dataclass(frozen=True)
class _Entry:
    """A picture, and its row of the table."""

    name: str
    picture: bytes
    row: str


def _entry(result: RenderResult) -> _Entry:
    page, figure = read_page(result.path), first_figure(result.path)
    if page is None or figure is None:
        raise DataError(f"notebook {result.name!r}: shows no figure that could stand in the gallery")
    alt = next(alt or "" for source, alt in page.images if source.startswith("data:image/png"))
    return _Entry(result.name, _small(figure), _row(result.name, page.title, page.meta.get("finding", ""), alt))


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


def _table(command: str, entries: Iterable[_Entry]) -> str:
    """The page; it names the command that makes it again."""
    return "\n".join(
        [
            "# Gallery",
            "",
            "The first figure of each notebook, from the seeds in its parameters; ± is one standard error. Made by",
            "",
            f"    {command}",
            "",
            "| figure | finding | its report |",
            "| --- | --- | --- |",
            *(entry.row for entry in entries),
            "",
        ]
    )

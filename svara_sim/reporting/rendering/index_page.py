"""The list of the reports in a folder: a small picture, the finding, and where each comes from."""

from __future__ import annotations

import html
import io
import json
from base64 import b64encode
from pathlib import Path
from string import Template
from typing import Any

from PIL import Image

from .pages import (
    CONTENT_POLICY,
    Page,
    check_writable,
    first_figure,
    read_page,
    style_sheet,
    write_atomically,
)
from .provenance import readable_value

__all__ = ["build_index"]

_INDEX = "index.html"
_THUMBNAIL_PIXELS = 480  # twice the width at which it is shown

_PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="$policy">
<title>svara_sim reports</title>
<style>
$css
</style>
</head>
<body>
<main>
<h1>Reports</h1>
<p>$summary</p>
<ul class="reports">
$entries
</ul>
</main>
</body>
</html>
""")


def _thumbnail(path: Path, page: Page) -> str:
    """An ``<img>`` with the report's first figure made small, or nothing."""
    picture = first_figure(path)
    if picture is None:
        return ""
    with Image.open(io.BytesIO(picture)) as full:
        small = full.convert("RGB")
    small.thumbnail((_THUMBNAIL_PIXELS, _THUMBNAIL_PIXELS), Image.Resampling.LANCZOS)
    packed = io.BytesIO()
    small.quantize(64, dither=Image.Dither.NONE).save(packed, format="PNG", optimize=True)
    source = b64encode(packed.getvalue()).decode("ascii")
    alt = next((alt for address, alt in page.images if address.startswith("data:image/png") and alt), page.title)
    size = f'width="{small.width // 2}" height="{small.height // 2}"'
    return f'<img src="data:image/png;base64,{source}" alt="{html.escape(alt, quote=True)}" {size}>'


def _facts(provenance: dict[str, Any]) -> str:
    parameters = provenance.get("parameters", {})
    shown = {key: readable_value(parameters[key]) for key in ("n_deals", "seed", "rules") if key in parameters}
    parts = [f"{value} deals" if key == "n_deals" else f"{key} {value}" for key, value in shown.items()]
    versions = provenance.get("versions", {})
    parts += [f"{provenance.get('mode', '')} size", f"svara_sim {versions.get('svara_sim', '')}"]
    parts += [f"source {provenance.get('source_hash', '')}", str(provenance.get("date", ""))]
    return " · ".join(parts)


def _entry(path: Path, page: Page) -> str:
    try:
        provenance = json.loads(page.meta.get("provenance", "{}"))
    except json.JSONDecodeError:
        provenance = {}
    link = html.escape(path.name, quote=True)
    picture = _thumbnail(path, page)
    picture = f'<a class="picture" href="{link}">{picture}</a>' if picture else ""
    return (
        f'<li>{picture}<div><h2><a href="{link}">{html.escape(page.title)}</a></h2>'
        f"<p>{html.escape(page.meta.get('finding', ''))}</p>"
        f'<p class="facts">{html.escape(_facts(provenance))}</p></div></li>'
    )


def build_index(out: str | Path = "reports") -> Path:
    """Write ``index.html`` from the reports that stand in the folder `out`.

    Returns
    -------
    Path
        The index page.

    Raises
    ------
    DataError
        If it cannot be written.
    """
    folder = Path(out)
    check_writable(folder)
    pages = ((p, read_page(p)) for p in sorted(folder.glob("*.html")) if p.name != _INDEX)
    entries = [_entry(path, page) for path, page in pages if page is not None and "key" in page.meta]
    count = f"{len(entries)} report{'' if len(entries) == 1 else 's'}"
    text = _PAGE.substitute(
        policy=CONTENT_POLICY,
        css=style_sheet(),
        summary=f"{count} made by svara_sim. Each is one file that can be sent and opened offline."
        if entries
        else "No report has been made yet.",
        entries="\n".join(entries),
    )
    target = folder / _INDEX
    write_atomically(target, text.encode())
    return target

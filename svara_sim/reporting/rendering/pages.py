"""An executed notebook as one HTML file that loads nothing, and what can be read back from such a file."""

from __future__ import annotations

import json
import os
import re
import tempfile
from base64 import b64decode
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from nbconvert import HTMLExporter
from nbformat import NotebookNode

from svara_sim.core.errors import DataError

__all__ = ["Page", "check_writable", "first_figure", "notebook_html", "read_page", "write_atomically"]

TEMPLATES = Path(__file__).resolve().parent / "templates"
CONTENT_POLICY = "default-src 'none'; img-src data:; media-src data:; font-src data:; style-src 'unsafe-inline'"
"""What a browser may load for a page: what is in the file, whatever a notebook displays."""

_META = "svara-sim-"
_NO_ALT = "No description has been provided for this image"
_REMOTE = re.compile(r"^\s*(?:https?:)?//", re.IGNORECASE)
_CSS_REMOTE = re.compile(r"(?:url\(\s*['\"]?|@import\s+['\"])((?:https?:)?//[^'\")\s]+)", re.IGNORECASE)
_LOADING = {"src", "srcset", "poster", "data", "background", "xlink:href"}


@dataclass
class Page:
    """What the parser finds in a page.

    Parameters
    ----------
    title : str
        Content of ``<title>``.
    meta : dict of str to str
        ``<meta>`` contents whose name starts with ``svara-sim-``, without that start.
    images : list of (str, str or None)
        Source and alternative text of each picture.
    remote : list of str
        Addresses that opening the page would load.
    """

    title: str = ""
    meta: dict[str, str] = field(default_factory=dict)
    images: list[tuple[str, str | None]] = field(default_factory=list)
    remote: list[str] = field(default_factory=list)

    @property
    def missing_alt(self) -> list[int]:
        """Numbers, from 1, of the pictures without alternative text."""
        return [i for i, (_, alt) in enumerate(self.images, start=1) if not alt or alt == _NO_ALT]


class _PageParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self._inside = tag if tag in {"title", "style"} else ""
        if tag == "meta" and values.get("name", "").startswith(_META):
            self.page.meta[values["name"].removeprefix(_META)] = values.get("content", "")
        if tag == "img":
            self.page.images.append((values.get("src", ""), values.get("alt")))
        loaded = {values[name] for name in _LOADING & values.keys()}
        if tag == "link":
            loaded.add(values.get("href", ""))
        self.page.remote += sorted(address for address in loaded if _REMOTE.match(address))
        self.page.remote += _CSS_REMOTE.findall(values.get("style", ""))

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "title":
            self.page.title += data
        elif self._inside == "style":
            self.page.remote += _CSS_REMOTE.findall(data)


def parse_page(text: str) -> Page:
    """Title, facts, pictures and remote addresses of an HTML text."""
    parser = _PageParser()
    parser.feed(text)
    parser.close()
    return parser.page


def read_page(path: Path) -> Page | None:
    """What a file says of itself; None if it is absent or cannot be read."""
    try:
        return parse_page(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return None


def first_figure(path: Path) -> bytes | None:
    """The first picture of a report as PNG bytes, or None if it has none."""
    page = read_page(path)
    prefix = "data:image/png;base64,"
    pictures = (source for source, _ in page.images if source.startswith(prefix)) if page else iter(())
    source = next(pictures, None)
    return b64decode(source.removeprefix(prefix)) if source else None


def style_sheet() -> str:
    """The pages' style sheet."""
    return (TEMPLATES / "report.css").read_text(encoding="utf-8")


def notebook_html(
    notebook: NotebookNode, *, title: str, date: str, meta: Mapping[str, str], folder: Path, show_code: bool
) -> str:
    """The executed notebook as a self-contained page.

    Parameters
    ----------
    notebook : NotebookNode
        With its outputs.
    title, date : str
        For the page's head.
    meta : mapping of str to str
        Facts that `read_page` finds again.
    folder : Path
        Where pictures that Markdown cells name by a relative path are looked for.
    show_code : bool
        Put the code of each cell above its output, folded.
    """
    exporter = HTMLExporter(  # type: ignore[no-untyped-call]
        template_name="svara",
        extra_template_basedirs=[str(TEMPLATES)],
        exclude_input=not show_code,
        exclude_input_prompt=True,
        exclude_output_prompt=True,
        exclude_anchor_links=True,
        embed_images=True,
        mathjax_url="",
        require_js_url="",
    )
    page = {
        "title": title,
        "date": date,
        "language": notebook.metadata.get("language", "en"),
        "policy": CONTENT_POLICY,
        "css": style_sheet(),
        "show_code": show_code,
        "meta": {_META + key: value for key, value in meta.items()},
    }
    resources: dict[str, Any] = {"svara_sim": page, "metadata": {"path": str(folder), "name": title}}
    body, _ = exporter.from_notebook_node(notebook, resources=resources)
    return str(body)


def check_writable(folder: Path) -> None:
    """Make the folder and prove that a file can be written in it.

    Raises
    ------
    DataError
        If not.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise DataError(f"out = {str(folder)!r}: must be a folder that can be written ({error.strerror})") from error


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that its name holds either the old content or the whole new one.

    Raises
    ------
    DataError
        If it cannot be written; the old content stays.
    """
    temporary: Path | None = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.stem}-", delete=False) as file:
            temporary = Path(file.name)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)  # temporary files are private, reports are to be sent
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        raise DataError(f"report {str(path)!r}: cannot be written ({error.strerror})") from error


def to_json(value: Any) -> str:
    """Compact JSON for a meta tag."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)

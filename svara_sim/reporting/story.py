"""What a notebook says: its title, the first sentence of its conclusion, and its recorded findings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from nbformat import NotebookNode

from .protocol import FINDING_MIME

__all__ = ["conclusion_sentence", "notebook_title", "recorded_findings"]

_HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"(\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w))")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^\sa-z])")
_SKIPPED = re.compile(r"^(\||<|```|!\[)")


def _plain(markdown: str) -> str:
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", markdown)).split())


def _texts(notebook: NotebookNode) -> Iterator[str]:
    """Markdown of the cells and of what they displayed, in the order of the page."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            yield cell.source
        for output in cell.get("outputs", []):
            yield from (text for kind, text in output.get("data", {}).items() if kind == "text/markdown")


def notebook_title(notebook: NotebookNode) -> str | None:
    """The first heading, without marks; None if there is none."""
    lines = (line for text in _texts(notebook) for line in text.splitlines())
    return next((_plain(m.group(1)) for line in lines if (m := _HEADING.match(line))), None)


def conclusion_sentence(notebook: NotebookNode) -> str | None:
    """The first sentence below the heading that begins with "Conclusion"; None if there is none."""
    inside = False
    for text in _texts(notebook):
        for paragraph in re.split(r"\n\s*\n", text):
            lines = paragraph.strip().splitlines()
            while lines and (match := _HEADING.match(lines[0])):
                inside = _plain(match.group(1)).lower().startswith("conclusion")
                lines.pop(0)
            if inside and lines and not _SKIPPED.match(lines[0]):
                words = _plain(re.sub(r"^\s*([-*+]|\d+\.)\s+", "", " ".join(lines)))
                return _SENTENCE_END.split(words)[0]
    return None


def recorded_findings(notebook: NotebookNode) -> Mapping[str, tuple[float, float]]:
    """Value and standard error of each finding that the notebook recorded, by name."""
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", []))
    found = (o["data"][FINDING_MIME] for o in outputs if FINDING_MIME in o.get("data", {}))
    return {f["name"]: (f["value"], f["standard_error"]) for f in found}

"""Where a field stands in a TOML file, so that an error can name the line.

The standard library's parser keeps no positions. A sweep file is flat enough for a small scan of its text: table
headers, and keys that begin a line or follow ``{`` or ``,``. What is not found is looked up under its parent.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...core.errors import InvalidInput

__all__ = ["Source", "locate_keys"]

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')
_PART = r"(?:\"[^\"]*\"|'[^']*'|[\w-]+)"
_KEY = re.compile(rf"(^\s*|[{{,]\s*)({_PART}(?:\s*\.\s*{_PART})*)\s*=")
_HEADER = re.compile(rf"^\s*\[\[?\s*({_PART}(?:\s*\.\s*{_PART})*)\s*\]\]?\s*$")


def locate_keys(text: str) -> dict[str, list[int]]:
    """Lines (from 1) of every key and table header of a TOML text, by full name with dots and without quotes.

    A key of several rows has several lines, one a row.
    """
    found: dict[str, list[int]] = {}
    header, outer, depth = "", "", 0
    for number, raw in enumerate(text.splitlines(), 1):
        line = _without_values(raw)
        if depth == 0 and (match := _HEADER.match(line)):
            header, outer = _plain(match[1]), ""
            found.setdefault(header, []).append(number)
            continue
        for match in _KEY.finditer(line):
            name = _plain(match[2])
            if depth == 0 and not match[1].strip():
                outer, full = name, _join(header, name)
            else:
                full = _join(header, outer, name)
            found.setdefault(full, []).append(number)
        depth = max(0, depth + sum(line.count(c) for c in "[{") - sum(line.count(c) for c in "]}"))
    return found


def _without_values(line: str) -> str:
    """The line without comments, and with blanks in place of strings that are no keys."""

    def blank(match: re.Match[str]) -> str:
        is_key = re.match(r"\s*[=.\]]", line[match.end() :])
        return match[0] if is_key else " " * len(match[0])

    return _STRING.sub(blank, line).partition("#")[0]


def _plain(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))


def _join(*parts: str) -> str:
    return ".".join(p for p in parts if p)


class Source:
    """The text that a sweep comes from; empty if it was given as a Python mapping.

    Parameters
    ----------
    name : str
        File name, for messages.
    text : str
        Its content.
    """

    def __init__(self, name: str = "", text: str = "") -> None:
        self.name = name
        self.text = text
        self._lines = locate_keys(text)

    def parse(self) -> dict[str, Any]:
        """The content as TOML.

        Raises
        ------
        InvalidInput
            Naming the line where it is broken.
        """
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            told = str(error)
            match = re.search(r"\s*\(at line (\d+)(, column \d+)?\)", told)
            number = int(match[1]) if match else max(1, self.text.rstrip().count("\n") + 1)
            reason = (told[: match.start()] if match else told.partition(" (at")[0]).strip()
            key = next((k for k, lines in self._lines.items() if number in lines), "")
            field = f"{key}: " if key else ""
            raise InvalidInput(f"{self.name}: line {number}: {field}is not TOML: {reason}") from None

    def line_of(self, field: str, row: int = 0) -> int | None:
        """Line of a field (full name with dots), or of what holds it; None if the text has neither.

        Parameters
        ----------
        field : str
            Such as ``"design.seats.0.call"``.
        row : int
            Which of its lines, if it stands in several rows.
        """
        while field:
            if lines := self._lines.get(field):
                return lines[min(row, len(lines) - 1)]
            field = field.rpartition(".")[0]
        return None

    def error(self, field: str, message: str, row: int = 0) -> InvalidInput:
        """The error to raise for a field: file, line, message."""
        if not self.name:
            return InvalidInput(message)
        line = self.line_of(field, row)
        where = f"{self.name}: line {line}" if line else self.name
        return InvalidInput(f"{where}: {message}")

    @contextmanager
    def at(self, field: str, row: int = 0) -> Iterator[None]:
        """Whatever is refused within is refused because of this field."""
        try:
            yield
        except InvalidInput as error:
            raise self.error(field, str(error), row) from None

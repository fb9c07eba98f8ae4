"""Floor 6: the `svara` command. It parses, calls, and prints; everything it does can be done from Python."""

from __future__ import annotations

from .main import cli, main

__all__ = ["cli", "main"]

"""Make the counts that come with the package again: ``python -m svara_sim.games.svara.exact.build``.

Takes 5 to 10 minutes and 1.8 GB of memory for each scoring, on one core.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from ..rules import SvaraRules
from ..scoring import points_table
from .counting import MAX_PLAYERS, Progress, count_scores
from .scores import Scores
from .storage import shipped_path, write_counts

__all__ = ["SHIPPED", "build", "main"]

SHIPPED: dict[str, SvaraRules] = {
    "forte, vip": SvaraRules(),
    "favorite": SvaraRules(small_triples=False),
}
"""Scorings whose counts come with the package, by the presets that use them (`rules/svara.md` section 2)."""


def build(name: str, folder: Path | None = None, progress: Progress | None = None) -> Path:
    """Count one of the shipped scorings for 2 to 10 players and write its file.

    Parameters
    ----------
    name : str
        A key of `SHIPPED`.
    folder : pathlib.Path, optional
        Where to write; by default into the package.
    progress : callable, optional
        Called with the share of the work done and a word about it.

    Returns
    -------
    pathlib.Path
        The file.
    """
    scores = Scores.of(points_table(SHIPPED[name]))
    path = shipped_path(scores) if folder is None else folder / shipped_path(scores).name
    write_counts(path, scores, count_scores(scores, MAX_PLAYERS, progress), f"Svara, presets: {name}")
    return path


def main(arguments: Sequence[str] | None = None) -> None:
    """Count the named scorings, all of them by default, and say where each went."""
    parser = argparse.ArgumentParser(prog="python -m svara_sim.games.svara.exact.build", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(map(repr, SHIPPED))}; default all")
    parser.add_argument("--folder", type=Path, help="write here instead of into the package")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in SHIPPED]
    if unknown:
        parser.error(f"unknown scoring {unknown[0]!r}: must be one of {', '.join(map(repr, SHIPPED))}")
    for name in options.names or SHIPPED:
        began = time.monotonic()

        def say(share: float, about: str, name: str = name, began: float = began) -> None:
            elapsed = time.monotonic() - began
            sys.stderr.write(f"\r{name}: {100 * share:5.1f} %  {elapsed:6.0f} s  {about:<44}")
            sys.stderr.flush()

        path = build(name, options.folder, say)
        sys.stderr.write("\n")
        print(f"{name}: {path}")


if __name__ == "__main__":
    main()

"""Counts on disk: the ones that come with the package, and a cache for each user.

A file is one JSON object with integers as strings (they exceed 2**53) and a check sum. Shipped files are
named by the digest of the points array; cached ones also by the hash of the source that counted. A damaged
file counts as absent.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from ....core.jit import cache_folder, source_hash
from .counting import MAX_PLAYERS, Counts
from .scores import Scores

__all__ = [
    "FORMAT",
    "cached_counts_path",
    "cached_hand_path",
    "find_counts",
    "read_counts",
    "read_values",
    "shipped_path",
    "write_counts",
    "write_values",
]

FORMAT = "svara-exact/1"
_SHIPPED = Path(__file__).parent / "data"


def _cache() -> Path:
    """The folder of cached counts, beside the one of compiled kernels."""
    kernels = cache_folder()
    return (kernels.parent if kernels.name.startswith("kernels-") else kernels / "svara_sim") / "exact"


def shipped_path(scores: Scores) -> Path:
    """Where the package keeps the counts of a scoring, if it does."""
    return _SHIPPED / f"{scores.digest}.json"


def cached_counts_path(scores: Scores, max_players: int) -> Path:
    """Where this user's cache keeps the counts of a scoring for up to `max_players` players."""
    return _cache() / f"{scores.digest}-{source_hash('core', 'games/svara/exact')}-{max_players}.json"


def cached_hand_path(scores: Scores, what: str) -> Path:
    """Where this user's cache keeps the counts of one question about a hand."""
    name = hashlib.blake2b(what.encode(), digest_size=8).hexdigest()
    return _cache() / f"{scores.digest}-{source_hash('core', 'games/svara/exact')}-hand-{name}.json"


def _checksum(body: dict[str, Any]) -> str:
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def write_values(path: Path, body: dict[str, Any]) -> None:
    """Write a JSON object with its format and check sum: to a temporary name, then renamed.

    Raises
    ------
    OSError
        If the folder cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = {"format": FORMAT, "check": _checksum(body), **body}
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-", suffix=".json")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(_pretty(whole))
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _pretty(whole: dict[str, Any]) -> str:
    """JSON with one line for each number of players, so that a difference can be read."""
    lines = []
    for key, value in whole.items():
        if isinstance(value, dict):
            inner = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v, separators=(',', ':'))}" for k, v in value.items())
            lines.append(f" {json.dumps(key)}: {{\n{inner}\n }}")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_values(path: Path) -> dict[str, Any] | None:
    """Read what `write_values` wrote; None if it is absent, damaged, or of another format."""
    try:
        whole = json.loads(path.read_text(encoding="utf-8"))
        if whole.pop("format") != FORMAT or whole.pop("check") != _checksum(whole):
            return None
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return None
    return dict(whole)


def write_counts(path: Path, scores: Scores, counts: Counts, title: str) -> None:
    """Write the counts of one scoring.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    scores, counts
        The scoring and what was counted.
    title : str
        For people.
    """
    table: dict[str, dict[str, dict[str, str]]] = {}
    for players, row in counts.table.items():
        by_points: dict[str, dict[str, str]] = {}
        for (points, tied), n in row.items():
            by_points.setdefault(str(points), {})[str(tied)] = str(n)
        table[str(players)] = by_points
    hands = {
        str(players): {str(hand): [str(n) for n in row] for hand, row in rows.items()}
        for players, rows in counts.hands.items()
    }
    write_values(path, {"title": title, "points": scores.digest, "table": table, "hands": hands})


def read_counts(path: Path, scores: Scores) -> Counts | None:
    """Read what `write_counts` wrote; None if absent, damaged, or of another scoring."""
    body = read_values(path)
    if body is None or body.get("points") != scores.digest:
        return None
    table = {
        int(players): {(int(points), int(tied)): int(n) for points, row in by_points.items() for tied, n in row.items()}
        for players, by_points in body["table"].items()
    }
    hands = {
        int(players): {int(hand): tuple(int(n) for n in row) for hand, row in rows.items()}
        for players, rows in body["hands"].items()
    }
    return Counts(tuple(table), table, hands)


def find_counts(scores: Scores, players: int) -> Counts | None:
    """Counts for a number of players, from the package or this user's cache; None if there are none."""
    paths = [shipped_path(scores)]
    paths += [cached_counts_path(scores, most) for most in range(players, MAX_PLAYERS + 1)]
    for path in paths:
        counts = read_counts(path, scores)
        if counts is not None and players in counts.table and players in counts.hands:
            return counts
    return None

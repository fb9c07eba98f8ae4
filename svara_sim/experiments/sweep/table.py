"""One table of all points of a sweep."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .play import PointResult
from .store import SweepManifest

__all__ = ["dataset_of"]


def dataset_of(manifest: SweepManifest, results: Mapping[str, PointResult]) -> pl.DataFrame:
    """A row a point and seat, of the points that stand: the design's fields, then what was found."""
    standing = [(i, p["values"], results[p["hash"]]) for i, p in enumerate(manifest.points) if p["hash"] in results]
    found = [r for _, _, r in standing]
    rows = np.repeat(np.arange(len(found)), [len(r.labels) for r in found])
    design = [pl.Series("point", [i for i, _, _ in standing], dtype=pl.Int64)]
    design += [_series(f, [values[k] for _, values, _ in standing]) for k, f in enumerate(manifest.fields)]
    columns = [
        pl.Series("seat", [seat for r in found for seat in range(len(r.labels))], dtype=pl.Int64),
        pl.Series("policy", [label for r in found for label in r.labels], dtype=pl.String),
        pl.Series("deals", np.array([r.n_deals for r in found], dtype=np.int64)[rows]),
        pl.Series("target_met", [r.target_met for r in found], dtype=pl.Boolean)[rows],
        *_estimates(found, rows),
        pl.Series("clamped", [n for r in found for n in r.clamped], dtype=pl.Int64),
    ]
    front = [s[rows] for s in design]
    taken = {s.name for s in front}
    return pl.DataFrame([*front, *(s for s in columns if s.name not in taken)])


def _estimates(found: Sequence[PointResult], rows: NDArray[np.intp]) -> list[pl.Series]:
    """Columns of all estimates; null where a point has none of this name (of a seat that it lacks, say)."""
    columns: dict[str, NDArray[np.float64]] = {}
    for names in dict.fromkeys(r.names for r in found):
        which = np.array([r.names == names for r in found])
        values = np.vstack([r.values for r in found if r.names == names])
        for k, name in enumerate(names):
            columns.setdefault(name, np.full(len(rows), np.nan))[which[rows]] = values[:, k]
    return [pl.Series(name, values).fill_nan(None) for name, values in columns.items()]


def _series(field: str, values: Sequence[Any]) -> pl.Series:
    """A column of a design; values of several kinds become text."""
    kinds = {type(v) for v in values}
    if kinds == {int, float}:
        return pl.Series(field, [float(v) for v in values], dtype=pl.Float64)
    if len(kinds) > 1:
        return pl.Series(field, [v if isinstance(v, str) else json.dumps(v, default=list) for v in values])
    return pl.Series(field, values)

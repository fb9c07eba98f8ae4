"""Sweeps: one design of experiments, played point by point, resumable, on threads, processes or a cluster."""

from __future__ import annotations

from .points import Point, SweepSpec, Target
from .pools import EXECUTORS, open_pool
from .result import Sweep, SweepStatus, missing_points, open_sweep, sweep_status
from .running import run_sweep
from .spec import read_sweep
from .store import DATASET, SWEEP_FORMAT
from .timing import estimated_seconds

__all__ = [
    "DATASET",
    "EXECUTORS",
    "SWEEP_FORMAT",
    "Point",
    "Sweep",
    "SweepSpec",
    "SweepStatus",
    "Target",
    "estimated_seconds",
    "missing_points",
    "open_pool",
    "open_sweep",
    "read_sweep",
    "run_sweep",
    "sweep_status",
]

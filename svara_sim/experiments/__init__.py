"""Floor 4: experiments - what is played, playing it, keeping it, and reading it again."""

from __future__ import annotations

from .contrast import contrast
from .dataset.reader import Dataset, open_run
from .rotation import Rotation, contrast_rotated, simulate_rotated
from .runner import Progress, RunResult, run_to, simulate
from .scenario import RunConfig
from .summary import as_json, stack_tables, summarise
from .sweep import Sweep, open_sweep, run_sweep

__all__ = [
    "Dataset",
    "Progress",
    "Rotation",
    "RunConfig",
    "RunResult",
    "Sweep",
    "as_json",
    "contrast",
    "contrast_rotated",
    "open_run",
    "open_sweep",
    "run_sweep",
    "run_to",
    "simulate",
    "simulate_rotated",
    "stack_tables",
    "summarise",
]

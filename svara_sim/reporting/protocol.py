"""What the process that makes a report and the kernel that runs its notebook have agreed on.

A module of its own, so that neither loads what only the other one needs (Matplotlib here, nbformat there).
"""

from __future__ import annotations

__all__ = ["FINDING_MIME", "RENDERING_VARIABLE"]

FINDING_MIME = "application/vnd.svara_sim.finding+json"
"""Kind of an output that holds a finding for the report's maker, and nothing for the page."""

RENDERING_VARIABLE = "SVARA_SIM_RENDERING"
"""Set (to anything) in the kernels of reports, where nobody waits."""

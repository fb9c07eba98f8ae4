"""Record what the notebooks find at their default size: ``python tests/notebooks/record_findings.py``.

`test_answers` compares with it. Look at the difference before committing it: a changed number is a changed conclusion.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from svara_sim.reporting import notebook_names, render

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parents[1] / "notebooks"
RECORD = HERE / "findings.json"


def main() -> None:
    """Run every notebook and write its findings."""
    found = {}
    with tempfile.TemporaryDirectory() as out:
        for name in notebook_names(FOLDER):
            result = render(name, notebooks=FOLDER, out=out)
            found[name] = {key: list(pair) for key, pair in sorted(result.findings.items())}
            print(name, found[name])
    RECORD.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

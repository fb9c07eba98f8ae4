"""Record what the notebooks find at their default size: ``python tests/notebooks/record_findings.py [NAME ...]``.

`test_answers` compares with it. Look at the difference before committing it: a changed number is a changed conclusion.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from svara_sim.reporting import notebook_names, render_all

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parents[1] / "notebooks"
RECORD = HERE / "findings.json"


def main() -> None:
    """Run every notebook, or those that are named, and write their findings."""
    names = notebook_names(FOLDER)
    known = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else {}
    found = {name: known[name] for name in names if name in known}
    with tempfile.TemporaryDirectory() as out:
        for result in render_all(sys.argv[1:] or names, notebooks=FOLDER, out=out):
            found[result.name] = {key: list(pair) for key, pair in sorted(result.findings.items())}
            print(result.name, found[result.name])
    RECORD.write_text(json.dumps(dict(sorted(found.items())), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

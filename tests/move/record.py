"""Record what the package computes: ``python -m tests.move.record``, before the move, in the root of the checkout."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path
from typing import Any

from .plays import play
from .scenarios import all_cases
from .tree import NAMES

__all__ = ["RECORD", "read_record"]

RECORD = Path(__file__).resolve().parent / "before.json.gz"


def read_record() -> list[dict[str, Any]]:
    """Every case as it was played before the move, with its ``result``."""
    content = json.loads(gzip.decompress(RECORD.read_bytes()))
    NAMES.update(content["names"])
    return content["cases"]


def main() -> None:
    """Play every case and write the record."""
    seconds: dict[str, float] = {}
    kept = []
    for case in all_cases():
        started = time.process_time()
        kept.append({**case, "result": play(case)})
        seconds[case["kind"]] = seconds.get(case["kind"], 0.0) + time.process_time() - started
    text = json.dumps({"names": NAMES, "cases": kept}, ensure_ascii=False, separators=(",", ":"))
    RECORD.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))
    for kind, spent in seconds.items():
        results = [c["result"] for c in kept if c["kind"] == kind]
        failed = sum(isinstance(r, dict) and "refused" in r for r in results)
        print(f"{kind:<16}{len(results):>5} cases {spent:8.1f} s of processor time, {failed} refused")
    print(f"{RECORD.name}: {RECORD.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

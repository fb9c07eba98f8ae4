"""The kernel against a benchmark in C, turn by turn in one run. A script for developers, not a test.

    python tests/bench/compare_c.py PATH_OF_THE_C_PROGRAM [ROUNDS]

The program must take ``DEALS THREADS M_PLAY`` and print a line that starts with ``R_XOSHIRO D_FY64`` (plain C: xoshiro
and a shuffle) and one with ``R_SPLITMIX D_PDEP`` (the best scalar C with a counter-based generator), each with
``| n=SEATS NS ...`` for 2, 4, 6 and 9 seats, in nanoseconds of CPU a deal. All is measured in CPU time of one thread.
"""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import time

from svara_sim.games.svara.baselines.cases import bench_cases

SEATS = (2, 4, 6, 9)
KINDS = ("library", "table", "function", "records")


C_ROWS = {"plain C": r"R_XOSHIRO\s+D_FY64", "best scalar C": r"R_SPLITMIX\s+D_PDEP"}


def c_speeds(program: str) -> dict[str, dict[int, float]]:
    """Nanoseconds a deal of each row of the C program, by seats."""
    text = subprocess.run([program, "200000", "1", "M_PLAY"], capture_output=True, text=True, check=True).stdout
    speeds = {}
    for name, pattern in C_ROWS.items():
        line = next(line for line in text.splitlines() if re.match(pattern, line))
        speeds[name] = {int(n): float(ns) for n, ns in re.findall(r"n=(\d+)\s+([\d.]+)", line)}
    return speeds


def main() -> None:
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 7
    cases = {(case.kind, n): case for n in SEATS for case in bench_cases(n) if case.kind in KINDS}
    for case in cases.values():
        case.play(0, 64)
    ratios: dict[tuple[str, str, int], list[float]] = {(row, *key): [] for row in C_ROWS for key in cases}
    for round_ in range(rounds):
        in_c = c_speeds(program)
        for (kind, n), case in cases.items():
            best = float("inf")
            for turn in range(5):
                started = time.thread_time()
                case.play((round_ * 5 + turn) * case.n_deals, case.n_deals)
                best = min(best, (time.thread_time() - started) / case.n_deals * 1e9)
            for row in C_ROWS:
                ratios[row, kind, n].append(in_c[row][n] / best)
    for row in C_ROWS:
        print(f"speed of the kernel / speed of {row}, median over {rounds} rounds")
        for kind in KINDS:
            print(f"{kind:<9}", *(f"{n} seats {statistics.median(ratios[row, kind, n]):.2f}" for n in SEATS), sep="  ")


if __name__ == "__main__":
    main()

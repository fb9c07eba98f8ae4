"""The command line in this process."""

from __future__ import annotations

import pytest

from svara_sim.cli import main


def svara(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit code, and what was printed on standard output and standard error."""
    with pytest.raises(SystemExit) as leaving:
        main([str(a) for a in arguments])
    out, err = capsys.readouterr()
    return int(leaving.value.code or 0), out, err

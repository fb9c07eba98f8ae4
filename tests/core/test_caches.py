"""Where what can be made again is kept."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from svara_sim.core import caches
from svara_sim.core.caches import bytecode_folder, bytecode_kept, cache_root


@pytest.fixture
def no_bytecode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Python is told to keep no bytecode, and the packages came without it; the cache's folder."""
    monkeypatch.setenv("SVARA_SIM_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    monkeypatch.setattr(caches, "_is_installed_compiled", lambda: False)
    return tmp_path / "cache"


def test_the_root_is_where_it_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SVARA_SIM_CACHE_DIR", "NUMBA_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_root() == tmp_path / "svara_sim"
    monkeypatch.setenv("NUMBA_CACHE_DIR", "numbas")
    assert cache_root() == Path("numbas")
    monkeypatch.setenv("SVARA_SIM_CACHE_DIR", "ours")
    assert cache_root() == Path("ours")


def test_bytecode_has_a_place_only_where_python_may_not_keep_it(
    no_bytecode: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bytecode_folder() == no_bytecode / "bytecode"
    with monkeypatch.context() as change:
        change.setattr(caches, "_is_installed_compiled", lambda: True)
        assert bytecode_folder() is None
    with monkeypatch.context() as change:
        change.setenv("PYTHONPYCACHEPREFIX", "elsewhere")
        assert bytecode_folder() is None
    with monkeypatch.context() as change:
        change.setenv("SVARA_SIM_CACHE_DIR", __file__)
        assert bytecode_folder() is None, "a cache that cannot be written"
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE")
    assert bytecode_folder() is None


def test_a_block_keeps_bytecode_and_leaves_no_trace(no_bytecode: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    module = no_bytecode.parent / "kept_or_not.py"
    module.write_text("x = 1\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(module.parent))
    with bytecode_kept():
        __import__("kept_or_not")
    assert [p.stem.split(".")[0] for p in (no_bytecode / "bytecode").rglob("*.pyc")] == ["kept_or_not"]
    assert (sys.pycache_prefix, sys.dont_write_bytecode) == (None, True)
    assert sorted(p.name for p in module.parent.iterdir()) == ["cache", "kept_or_not.py"]
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "")
    with bytecode_kept():
        assert (sys.pycache_prefix, sys.dont_write_bytecode) == (None, True)

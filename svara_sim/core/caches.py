"""Where this package keeps what it can make again: compiled kernels, and bytecode where Python may not keep it.

Python leaves compiled modules beside their source, unless it is told not to (``PYTHONDONTWRITEBYTECODE``), as many
containers do. Every process then compiles all that it imports anew: seconds, for a kernel that draws figures. The
bytecode of such processes goes to a folder of this package's cache instead, and the source folders stay clean.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

__all__ = ["bytecode_folder", "bytecode_kept", "cache_root"]


def cache_root() -> Path:
    """The folder of all caches; it need not exist yet."""
    named = os.environ.get("SVARA_SIM_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "svara_sim"


def bytecode_folder() -> Path | None:
    """A folder for the bytecode of processes started from here; None if they find or keep it elsewhere."""
    forbidden, placed = (os.environ.get(f"PYTHON{name}") for name in ("DONTWRITEBYTECODE", "PYCACHEPREFIX"))
    if not forbidden or placed or _is_installed_compiled():
        return None
    folder = cache_root() / "bytecode"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:  # a read-only home: import slowly rather than fail
        return None
    return folder


def _is_installed_compiled() -> bool:
    """Whether the installed packages came with bytecode, judged by one of them."""
    spec = find_spec("numpy")
    if spec is None or spec.origin is None:
        return False
    source = Path(spec.origin)
    return (source.parent / "__pycache__" / f"{source.stem}.{sys.implementation.cache_tag}.pyc").is_file()


@contextmanager
def bytecode_kept() -> Iterator[None]:
    """Let this process, too, keep and find the bytecode of what it imports in this block (see `bytecode_folder`)."""
    folder = bytecode_folder()
    if folder is None:
        yield
        return
    saved = sys.pycache_prefix, sys.dont_write_bytecode
    sys.pycache_prefix, sys.dont_write_bytecode = str(folder), False
    try:
        yield
    finally:
        sys.pycache_prefix, sys.dont_write_bytecode = saved

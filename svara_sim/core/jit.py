"""The one place where compile options live.

Kernels are compiled once, release the GIL, and are cached on disk. Numba's cache notices an edit of a
function's own file only, not of a function that it calls in another module (numba issue 1833); so the cache
lies in a folder named by a hash of every source file of the two floors that hold compiled code. An edit
anywhere in them starts a new folder.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import config
from numba.core.errors import NumbaExperimentalFeatureWarning

__all__ = ["JIT_ENABLED", "cache_folder", "first_class", "kernel", "source_hash"]

F = TypeVar("F", bound=Callable[..., Any])

JIT_ENABLED: bool = not config.DISABLE_JIT
_PACKAGE = Path(__file__).resolve().parents[1]
_KEEP_DAYS = 30

# Tuples of first-class functions are how a user's policy reaches a kernel that is already compiled.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)


def source_hash(*folders: str) -> str:
    """Hash of all Python source below the given folders of the package (all of it by default).

    Parameters
    ----------
    *folders : str
        Paths relative to the package, such as ``"core"``.

    Returns
    -------
    str
        16 hexadecimal digits.
    """
    digest = hashlib.blake2b(digest_size=8)
    roots = [_PACKAGE / f for f in folders] or [_PACKAGE]
    for path in sorted(p for root in roots for p in root.rglob("*.py")):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _cache_root() -> Path:
    named = os.environ.get("SVARA_SIM_CACHE_DIR") or config.CACHE_DIR
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "svara_sim"


def _forget_old(root: Path, current: Path) -> None:
    """Remove kernel folders of sources that nobody has run for a month."""
    limit = time.time() - _KEEP_DAYS * 86400
    for folder in root.glob("kernels-*"):
        if folder != current and folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)


def _make_cache_folder() -> Path:
    root = _cache_root()
    folder = root / f"kernels-{source_hash('core', 'games', 'solver', 'analysis')}-numba{numba.__version__}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        _forget_old(root, folder)
    except OSError:  # a read-only home: compile anew in each process rather than fail
        return Path(tempfile.mkdtemp(prefix="svara_sim-kernels-"))
    return folder


_FOLDER = _make_cache_folder() if JIT_ENABLED else Path(tempfile.gettempdir())


def cache_folder() -> Path:
    """The folder in which this process finds and keeps its compiled kernels."""
    return _FOLDER


def _with_cache_folder(compile_it: Callable[[], Any]) -> Any:
    # Numba reads the folder when a function is decorated; other people's functions keep theirs.
    saved = config.CACHE_DIR
    config.CACHE_DIR = str(_FOLDER)
    try:
        return compile_it()
    finally:
        config.CACHE_DIR = saved


def kernel(function: F) -> F:
    """Compile a function to machine code: no Python objects, no GIL, cached on disk, C division."""
    return cast(F, _with_cache_folder(lambda: numba.njit(nogil=True, cache=True, error_model="numpy", _nrt=False, forceinline=True)(function)))


def first_class(function: Callable[..., Any], signature: Any, *, cache: bool = False) -> Any:
    """Compile a function with a fixed signature to a value that a compiled kernel can call.

    Kernels that take a tuple of such values are not compiled again for a new one.

    Parameters
    ----------
    function : callable
        Plain Python within Numba's subset; it may call other compiled functions.
    signature : numba signature
        The one signature that the kernel expects.
    cache : bool
        Keep the machine code on disk; only for functions that stand in a module of the package.

    Returns
    -------
    object
        The compiled function, or `function` itself when the JIT is off.
    """
    if not JIT_ENABLED:
        return function
    return _with_cache_folder(lambda: numba.cfunc(signature, nopython=True, cache=cache)(function))

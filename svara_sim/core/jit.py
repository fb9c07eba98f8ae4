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
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba as _numba
from llvmlite import ir
from numba import config as _config
from numba import types
from numba.core import event as _event
from numba.core.caching import FunctionCache
from numba.extending import intrinsic as _intrinsic

from .caches import cache_root

__all__ = [
    "JIT_ENABLED",
    "FirstClass",
    "cache_folder",
    "caller",
    "first_class",
    "inlined",
    "kernel",
    "outlined",
    "source_hash",
    "when_compiling",
]

F = TypeVar("F", bound=Callable[..., Any])

# Numba's own types know neither all of its options nor that an intrinsic is not what its body says.
intrinsic: Any = _intrinsic
config: Any = _config
event: Any = _event
numba: Any = _numba

JIT_ENABLED: bool = not config.DISABLE_JIT
_PACKAGE = Path(__file__).resolve().parents[1]
_KEEP_DAYS = 30


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


def _forget_old(root: Path, current: Path) -> None:
    """Remove kernel folders of sources that nobody has run for a month."""
    limit = time.time() - _KEEP_DAYS * 86400
    for folder in root.glob("kernels-*"):
        if folder != current and folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)


def _make_cache_folder() -> Path:
    root = cache_root()
    checked = "-boundscheck" if config.BOUNDSCHECK else ""  # other code, which Numba's cache does not tell apart
    folder = root / f"kernels-{source_hash('core', 'games', 'stats', 'solver')}-numba{numba.__version__}{checked}"
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


class _FirstCompilation(_event.Listener):
    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell: Callable[[], None] | None = tell

    def on_start(self, started: Any) -> None:
        # Not so a policy's own function; what Numba makes of a `with` block has no cache at all.
        kept = isinstance(getattr(started.data["dispatcher"], "_cache", None), FunctionCache)
        if kept and self._tell is not None:
            tell, self._tell = self._tell, None
            tell()

    def on_end(self, ended: Any) -> None:
        pass


def when_compiling(tell: Callable[[], None]) -> Callable[[], None]:
    """Have somebody told before the first kernel is compiled that the cache folder does not hold yet.

    Parameters
    ----------
    tell : callable
        Called at most once, in whatever thread compiles.

    Returns
    -------
    callable
        Ends it.
    """
    listener = _FirstCompilation(tell)
    event.register("numba:compile", listener)
    return lambda: event.unregister("numba:compile", listener)


def _with_cache_folder(compile_it: Callable[[], Any]) -> Any:
    # Numba reads the folder when a function is decorated; other people's functions keep theirs.
    saved = config.CACHE_DIR
    config.CACHE_DIR = str(_FOLDER)
    try:
        return compile_it()
    finally:
        config.CACHE_DIR = saved


def kernel(function: F) -> F:
    """Compile a function that Python calls: no Python objects, no GIL, cached on disk, C division."""
    return cast(F, _with_cache_folder(lambda: numba.njit(nogil=True, cache=True, error_model="numpy")(function)))


def inlined(function: F) -> F:
    """Compile a part of a kernel: like `kernel`, but always inlined, and it cannot make arrays.

    Without the forced inlining LLVM leaves calls that copy dozens of scalars; without reference counting a part
    that is handed an array costs nothing, where counting took atomic operations at every step (together a factor
    of twenty in the Svara kernel).
    """
    options = {"nogil": True, "cache": True, "error_model": "numpy", "forceinline": True, "_nrt": False}
    return cast(F, _with_cache_folder(lambda: numba.njit(**options)(function)))


def outlined(function: F) -> F:
    """Compile a part of a kernel that is rarely reached: like `inlined`, but called, so that it stays out of the way.

    Code that one deal in ten runs would otherwise take registers from the code that all of them run.
    """
    options = {"nogil": True, "cache": True, "error_model": "numpy", "_nrt": False}
    return cast(F, _with_cache_folder(lambda: numba.njit(**options)(function)))


class FirstClass:
    """A compiled function that a kernel calls by its handle.

    Attributes
    ----------
    handle : int
        What the kernel passes to its caller (see `caller`): the address of the machine code, or with the JIT off
        an index into a list of plain functions. Valid while this object lives.
    """

    def __init__(self, function: Callable[..., Any], signature: Any, cache: bool) -> None:
        self.function = function
        if JIT_ENABLED:
            options = {"nopython": True, "cache": cache}  # dividing by zero is an error, as in plain Python
            self._compiled = _with_cache_folder(lambda: numba.cfunc(signature, **options)(function))
            self.handle = int(self._compiled.address)
        else:
            self.handle = len(_PLAIN_FUNCTIONS)
            _PLAIN_FUNCTIONS.append(function)


_PLAIN_FUNCTIONS: list[Callable[..., Any]] = []


def first_class(function: Callable[..., Any], signature: Any, *, cache: bool = False) -> FirstClass:
    """Compile a function with a fixed signature to a value that a compiled kernel can call.

    A kernel reads the handle from an array, so it is not compiled again for a new function.

    Parameters
    ----------
    function : callable
        Plain Python within Numba's subset; it may call other compiled functions.
    signature : numba signature
        The one signature that the kernel expects.
    cache : bool
        Keep the machine code on disk; only for functions that stand in a module of the package.
    """
    return FirstClass(function, signature, cache)


def caller(signature: Any) -> Any:
    """A function ``call(handle, argument)`` for kernels, which calls a `FirstClass` of this signature.

    Numba has first-class functions of its own, but a tuple of thirty of them makes a kernel of several times the
    size, with the detours that they allow; a call through a pointer is all that is wanted here.
    """
    if not JIT_ENABLED:
        return lambda handle, argument: _PLAIN_FUNCTIONS[handle](argument)

    @intrinsic  # type: ignore[untyped-decorator]
    def call(typing_context: Any, handle: Any, argument: Any) -> Any:
        def codegen(context: Any, builder: Any, call_signature: Any, args: Any) -> Any:
            parameters = [context.get_value_type(t) for t in signature.args]
            function_type = ir.FunctionType(context.get_value_type(signature.return_type), parameters)
            pointer = builder.inttoptr(args[0], ir.PointerType(function_type))
            return builder.call(pointer, [args[1]])

        return signature.return_type(types.int64, *signature.args), codegen

    return call

"""Compilation: a cache that follows the sources, functions called by address, and the JIT switched off."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from svara_sim.core import jit
from svara_sim.core.jit import FirstClass, cache_folder, caller, first_class, inlined, kernel, source_hash

# -- the cache ----------------------------------------------------------------------------------------


def write_package(folder: Path) -> None:
    for name in ("core/a.py", "games/svara/kernel/b.py", "cli/c.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"# {name}\n")


def test_the_hash_follows_every_source_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "_PACKAGE", tmp_path)
    write_package(tmp_path)
    seen = [source_hash("core", "games")]
    (tmp_path / "cli/c.py").write_text("# changed\n")
    (tmp_path / "games/notes.txt").write_text("no source\n")
    assert source_hash("core", "games") == seen[0], "what holds no kernels does not matter"
    assert source_hash() != seen[0]
    (tmp_path / "games/svara/kernel/b.py").write_text("# a callee in another module\n")
    seen.append(source_hash("core", "games"))
    (tmp_path / "games/svara/kernel/b.py").rename(tmp_path / "games/svara/kernel/d.py")
    seen.append(source_hash("core", "games"))
    (tmp_path / "core/new.py").write_text("")
    seen.append(source_hash("core", "games"))
    assert len(set(seen)) == 4
    write_package(tmp_path)
    (tmp_path / "core/new.py").unlink()
    (tmp_path / "games/svara/kernel/d.py").unlink()
    assert source_hash("core", "games") == seen[0], "only content and names count"
    assert all(len(h) == 16 and set(h) <= set("0123456789abcdef") for h in seen)


def test_old_kernels_are_forgotten(tmp_path: Path) -> None:
    for name, days in (("kernels-old", 31), ("kernels-new", 1), ("kernels-mine", 40), ("other", 99)):
        (tmp_path / name).mkdir()
        stamp = (tmp_path / name).stat().st_mtime - days * 86400
        os.utime(tmp_path / name, (stamp, stamp))
    jit._forget_old(tmp_path, tmp_path / "kernels-mine")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["kernels-mine", "kernels-new", "other"]


def run(code: str, **variables: str) -> str:
    """Standard output of a new process."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], env={**os.environ, **variables}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


WHERE = """
from svara_sim.core.jit import cache_folder
print(cache_folder().parent, cache_folder().name.split("-")[::2])
"""
NAME = ["kernels", f"numba{numba.__version__}"]


def test_the_cache_is_where_it_is_told_to_be(tmp_path: Path) -> None:
    assert cache_folder().is_dir()
    assert cache_folder().name.split("-")[::2] == NAME
    assert run(WHERE, SVARA_SIM_CACHE_DIR=str(tmp_path)) == f"{tmp_path} {NAME}"
    unset = {"SVARA_SIM_CACHE_DIR": "", "NUMBA_CACHE_DIR": ""}
    assert run(WHERE, XDG_CACHE_HOME=str(tmp_path / "x"), **unset) == f"{tmp_path / 'x' / 'svara_sim'} {NAME}"
    assert run(WHERE, NUMBA_CACHE_DIR=str(tmp_path / "n"), SVARA_SIM_CACHE_DIR="") == f"{tmp_path / 'n'} {NAME}"


def test_kernels_with_checked_bounds_are_kept_apart(tmp_path: Path) -> None:
    code = "from svara_sim.core.jit import cache_folder; print(cache_folder().name)"
    plain, zero, checked = (
        run(code, SVARA_SIM_CACHE_DIR=str(tmp_path), **variables)
        for variables in ({}, {"NUMBA_BOUNDSCHECK": "0"}, {"NUMBA_BOUNDSCHECK": "1"})
    )
    assert plain == zero
    assert checked == f"{plain}-boundscheck"


COMPILING = """
import numba
from svara_sim.core.jit import when_compiling
when_compiling(lambda: print("compiling"))
numba.njit(lambda x: x)(3)  # somebody else's: not kept, and no business of ours
def lifted(x):
    with numba.objmode():
        print(end="")
    return x
numba.njit(lifted)(3)
from svara_sim.core.rng import word
import numpy as np
word(np.uint64(1), 2, 3, 4, 5)
word(np.uint64(1), 2, 3, 4, 5.0)
"""


def test_the_first_compilation_is_told(tmp_path: Path) -> None:
    found = [run(COMPILING, SVARA_SIM_CACHE_DIR=str(tmp_path)) for _ in range(2)]
    assert found == ["compiling", ""]


def test_a_cache_that_cannot_be_written_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code = "from svara_sim.core.jit import cache_folder; print(cache_folder())"
    found = Path(run(code, SVARA_SIM_CACHE_DIR=str(tmp_path / "file" / "below"), TMPDIR=str(tmp_path)))
    assert found.parent == tmp_path
    assert found.name.startswith("svara_sim-kernels-")


def test_other_peoples_functions_keep_their_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit.config, "CACHE_DIR", "elsewhere")

    @kernel
    def mine(x: Any) -> Any:
        return x

    assert jit.config.CACHE_DIR == "elsewhere"
    assert mine._cache._cache_path.startswith(str(cache_folder()))
    with pytest.raises(ZeroDivisionError):
        jit._with_cache_folder(lambda: 1 / 0)
    assert jit.config.CACHE_DIR == "elsewhere"


# -- kernels ------------------------------------------------------------------------------------------


@inlined
def half(x: Any) -> Any:
    return x // 2


@kernel
def halves(values: Any, out: Any) -> None:
    for i in range(values.shape[0]):
        out[i] = half(values[i])


def test_kernels_call_inlined_parts() -> None:
    values, out = np.arange(10), np.zeros(10, np.int64)
    halves(values, out)
    np.testing.assert_array_equal(out, values // 2)
    assert half(9) == 4
    assert half.targetoptions["forceinline"]


def test_kernels_release_the_gil_and_divide_as_c_does() -> None:
    @kernel
    def divide(a: Any, b: Any) -> Any:
        return a / b

    assert divide(1.0, 0.0) == np.inf
    assert divide.targetoptions["nogil"]
    assert divide.targetoptions["error_model"] == "numpy"
    assert not divide.targetoptions.get("fastmath", False)


# -- functions called by their address ----------------------------------------------------------------

SIGNATURE = numba.types.int64(numba.types.int64)
call = caller(SIGNATURE)


@numba.njit
def apply(handles: Any, argument: Any, out: Any) -> None:
    for i in range(handles.shape[0]):
        out[i] = call(handles[i], argument)


def apply_all(functions: list[FirstClass], argument: int) -> list[int]:
    out = np.zeros(len(functions), np.int64)
    apply(np.array([f.handle for f in functions], dtype=np.int64), argument, out)
    return out.tolist()


def test_functions_are_called_by_their_handles() -> None:
    functions = [first_class(lambda x: x + 1, SIGNATURE), first_class(lambda x: x * x, SIGNATURE)]
    assert apply_all(functions, 7) == [8, 49]
    assert apply_all(functions[::-1], -3) == [9, -2]


def adding(shift: int) -> Any:
    return lambda x: x + shift


def test_a_new_function_does_not_compile_its_caller_again() -> None:
    apply_all([first_class(lambda x: x, SIGNATURE)], 1)
    for shift in range(5):
        assert apply_all([first_class(adding(shift), SIGNATURE)], 1) == [1 + shift]
    assert len(apply.signatures) == 1


def test_functions_may_call_others_and_return_what_fits() -> None:
    @numba.njit
    def inner(x: Any) -> Any:
        return x % 5

    assert apply_all([first_class(lambda x: inner(x) > 2, SIGNATURE)], 8) == [1]


def test_a_function_that_catches_its_exceptions_answers() -> None:
    """Kernels take no exceptions, so whoever seats a function wraps it, and a zero division counts as one."""

    @numba.njit
    def divide(x: Any) -> Any:
        if x == 9:
            raise ValueError("nine")
        return 100 // (x - 7)

    def guarded(x: Any) -> Any:
        try:
            return divide(x)
        except Exception:
            return -1

    function = first_class(guarded, SIGNATURE)
    assert [apply_all([function], x)[0] for x in (5, 7, 9, 17)] == [-50, -1, -1, 10]


def test_what_numba_cannot_compile_is_its_error() -> None:
    with pytest.raises(numba.core.errors.NumbaError):
        first_class(lambda x: x.nothing, SIGNATURE)


WITHOUT_JIT = """
import numpy as np
from svara_sim.core import bits, rng
from svara_sim.core.jit import JIT_ENABLED, caller, first_class, kernel
assert not JIT_ENABLED
call = caller(None)
functions = [first_class(lambda x: x + 1, None), first_class(lambda x: x * x, None)]
assert [call(f.handle, 7) for f in functions] == [8, 49]
same = lambda x: x
assert kernel(same) is same
with np.errstate(over="ignore"):
    print(int(rng.word(np.uint64(0), 1, 0, 0, 0)), int(bits.high_word(np.uint64(2**63), np.uint64(6))))
"""


def test_without_the_jit_everything_is_plain_python() -> None:
    assert run(WITHOUT_JIT, NUMBA_DISABLE_JIT="1") == f"{0xE220A8397B1DCDAF} 3"

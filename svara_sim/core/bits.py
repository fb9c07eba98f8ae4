"""Bit tricks that LLVM knows as one instruction and Python does not.

Each has a plain form, used when the JIT is off (and, for the bit deposit, on processors without BMI2), and the
tests hold the two against each other.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic as _intrinsic

from .jit import JIT_ENABLED, inlined

__all__ = ["count_bits", "deposit_bits", "high_word", "highest_bit", "lowest_bit", "to_int"]

# Numba's own types take every intrinsic for a function of its typing context.
intrinsic: Any = _intrinsic

to_int: Any = np.int64
"""Makes an int64 of any whole number; `numpy.int64` under a name that type checkers take for an int."""

_ONE = np.uint64(1)


def _high_word_plain(a: Any, b: Any) -> Any:
    return np.uint64((int(a) * int(b)) >> 64)


def _lowest_bit_plain(mask: Any) -> Any:
    mask = int(mask)
    return (mask & -mask).bit_length() - 1


def _highest_bit_plain(mask: Any) -> Any:
    return int(mask).bit_length() - 1


def _count_bits_plain(mask: Any) -> Any:
    return int(mask).bit_count()


def _deposit_bits_plain(source: Any, mask: Any) -> Any:
    """Place the low bits of `source` at the set bits of `mask`, lowest first."""
    placed = np.uint64(0)
    while mask != np.uint64(0):
        bit = mask & (~mask + _ONE)
        if source & _ONE:
            placed |= bit
        source >>= _ONE
        mask ^= bit
    return placed


def has_bit_deposit() -> bool:
    """Whether this processor deposits bits in one instruction (x86 with BMI2)."""
    return bool(llvm.get_host_cpu_features().get("bmi2", False)) and llvm.get_default_triple().startswith("x86_64")


if JIT_ENABLED:

    @intrinsic  # type: ignore[untyped-decorator]
    def high_word(typing_context: Any, a: Any, b: Any) -> Any:
        """High 64 bits of the 128-bit product of two uint64."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            wide = ir.IntType(128)
            product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
            return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

        return types.uint64(types.uint64, types.uint64), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def lowest_bit(typing_context: Any, mask: Any) -> Any:
        """Index of the lowest set bit of a uint64 that is not 0."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.uint64), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def highest_bit(typing_context: Any, mask: Any) -> Any:
        """Index of the highest set bit of a uint64 that is not 0."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))
            return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

        return types.int64(types.uint64), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def count_bits(typing_context: Any, mask: Any) -> Any:
        """Number of set bits of a uint64."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.uint64), codegen

    if has_bit_deposit():

        @intrinsic  # type: ignore[untyped-decorator]
        def deposit_bits(typing_context: Any, source: Any, mask: Any) -> Any:
            """Place the low bits of `source` at the set bits of `mask`, lowest first (uint64)."""

            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                word = ir.IntType(64)
                pdep = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, [word, word]))
                return builder.call(pdep, args)

            return types.uint64(types.uint64, types.uint64), codegen

    else:
        deposit_bits = inlined(_deposit_bits_plain)
else:
    high_word = _high_word_plain
    lowest_bit = _lowest_bit_plain
    highest_bit = _highest_bit_plain
    count_bits = _count_bits_plain
    deposit_bits = _deposit_bits_plain

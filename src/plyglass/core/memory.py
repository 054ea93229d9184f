"""Raw memory and calls through addresses, which Numba lacks.

Each function is an intrinsic of a few machine instructions, with a Python version for interpreted
code. Addresses are int64. The caller must keep the memory at an address alive.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

from plyglass.core.compile import JIT, stands_for

_INT, _REAL, _WORD = types.int64, types.float64, types.uint64
_LLVM = {
    _INT: ir.IntType(64),
    _WORD: ir.IntType(64),
    _REAL: ir.DoubleType(),
    types.int32: ir.IntType(32),
    types.void: ir.VoidType(),
}

_functions: dict[int, Callable[..., Any]] = {}  # functions for interpreted code, by made-up address


def _reader(result: Any) -> Any:
    @intrinsic
    def read(context, address, index):
        def lower(context, builder, signature, values):
            base = builder.inttoptr(values[0], _LLVM[result].as_pointer())
            return builder.load(builder.gep(base, [values[1]]))

        return result(_INT, _INT), lower

    return read


def _writer(value_type: Any) -> Any:
    @intrinsic
    def write(context, address, index, value):
        def lower(context, builder, signature, values):
            base = builder.inttoptr(values[0], _LLVM[value_type].as_pointer())
            builder.store(values[2], builder.gep(base, [values[1]]))
            return context.get_dummy_value()

        return types.void(_INT, _INT, value_type), lower

    return write


def _caller(result: Any) -> Any:
    @intrinsic
    def call(context, function, arguments):
        count = len(arguments)

        def lower(context, builder, signature, values):
            shape = ir.FunctionType(_LLVM[result], [ir.IntType(64)] * count)
            target = builder.inttoptr(values[0], shape.as_pointer())
            out = builder.call(target, [builder.extract_value(values[1], i) for i in range(count)])
            return context.get_dummy_value() if result is types.void else out

        return result(_INT, types.UniTuple(_INT, count)), lower

    return call


def _stack(element: Any) -> Any:
    @intrinsic
    def room(context, count):
        array = types.Array(element, 1, "C")

        def lower(context, builder, signature, values):
            made = context.make_array(array)(context, builder)
            width = context.get_constant(types.intp, context.get_abi_sizeof(_LLVM[element]))
            data = builder.alloca(_LLVM[element], size=values[0])
            arrayobj.populate_array(made, data, [values[0]], [width], width, None)
            return made._getvalue()

        return array(_INT), lower

    return room


@intrinsic
def address_of(context, array):
    """The address of an array's first byte."""

    def lower(context, builder, signature, values):
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        return builder.ptrtoint(data, ir.IntType(64))

    return _INT(array), lower


@intrinsic
def borrow(context, array):
    """The same array without reference counting, which is expensive in kernels.

    The caller must keep the array alive.
    """

    def lower(context, builder, signature, values):
        borrowed = context.make_array(signature.args[0])(context, builder, values[0])
        borrowed.meminfo = context.get_constant_null(types.MemInfoPointer(types.voidptr))
        return borrowed._getvalue()

    return array(array), lower


@intrinsic
def copy_bytes(context, target, source, size):
    """Copy `size` bytes from one address to another; they must not overlap."""

    def lower(context, builder, signature, values):
        byte = ir.IntType(8).as_pointer()
        cgutils.raw_memcpy(
            builder,
            builder.inttoptr(values[0], byte),
            builder.inttoptr(values[1], byte),
            values[2],
            1,
            align=8,
        )
        return context.get_dummy_value()

    return types.void(_INT, _INT, _INT), lower


read_int, read_real, read_word, read_action = (
    _reader(_INT),
    _reader(_REAL),
    _reader(_WORD),
    _reader(types.int32),
)
write_int, write_real, write_word, write_action = (
    _writer(_INT),
    _writer(_REAL),
    _writer(_WORD),
    _writer(types.int32),
)
# Functions that make an array on the stack. It lasts until the kernel returns, and its contents are
# undefined at first.
stack_ints, stack_reals = _stack(_INT), _stack(_REAL)
call_int, call_real, call_void = _caller(_INT), _caller(_REAL), _caller(types.void)


def callable_address(function: Callable[..., Any]) -> int:
    """Register `function`, and return a number that interpreted code uses as its address."""
    address = len(_functions) + 1
    _functions[address] = function
    return address


@stands_for(read_int)
def _read_int(address: int, index: int) -> int:
    return ctypes.c_int64.from_address(int(address) + 8 * int(index)).value


@stands_for(read_real)
def _read_real(address: int, index: int) -> float:
    return ctypes.c_double.from_address(int(address) + 8 * int(index)).value


@stands_for(read_word)
def _read_word(address: int, index: int) -> np.uint64:
    return np.uint64(ctypes.c_uint64.from_address(int(address) + 8 * int(index)).value)


@stands_for(read_action)
def _read_action(address: int, index: int) -> int:
    return ctypes.c_int32.from_address(int(address) + 4 * int(index)).value


@stands_for(write_int)
def _write_int(address: int, index: int, value: int) -> None:
    ctypes.c_int64.from_address(int(address) + 8 * int(index)).value = int(value)


@stands_for(write_real)
def _write_real(address: int, index: int, value: float) -> None:
    ctypes.c_double.from_address(int(address) + 8 * int(index)).value = float(value)


@stands_for(write_word)
def _write_word(address: int, index: int, value: int) -> None:
    ctypes.c_uint64.from_address(int(address) + 8 * int(index)).value = int(value)


@stands_for(write_action)
def _write_action(address: int, index: int, value: int) -> None:
    ctypes.c_int32.from_address(int(address) + 4 * int(index)).value = int(value)


@stands_for(stack_ints)
def _stack_ints(count: int) -> np.ndarray[Any, Any]:
    return np.zeros(count, np.int64)


@stands_for(stack_reals)
def _stack_reals(count: int) -> np.ndarray[Any, Any]:
    return np.zeros(count)


@stands_for(address_of)
def _address_of(array: np.ndarray[Any, Any]) -> int:
    return int(array.ctypes.data)


@stands_for(borrow)
def _borrow(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return array


@stands_for(copy_bytes)
def _copy_bytes(target: int, source: int, size: int) -> None:
    ctypes.memmove(int(target), int(source), int(size))


@stands_for(call_int)
@stands_for(call_real)
@stands_for(call_void)
def _call(function: int, arguments: tuple[int, ...]) -> Any:
    return _functions[int(function)](*arguments)


if not JIT:
    read_int, read_real, read_word, read_action = _read_int, _read_real, _read_word, _read_action
    write_int, write_real, write_word, write_action = (
        _write_int,
        _write_real,
        _write_word,
        _write_action,
    )
    stack_ints, stack_reals = _stack_ints, _stack_reals
    address_of, borrow, copy_bytes = _address_of, _borrow, _copy_bytes
    call_int = call_real = call_void = _call

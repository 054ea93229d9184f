"""Raw memory and calls through addresses, which Numba lacks.

Each function is an intrinsic of a few machine instructions, with a Python version for interpreted
code. Addresses are int64. The caller must keep the memory at an address alive.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from plyglass.core.compile import JIT, intrinsic, stands_for

_functions: dict[int, Callable[..., Any]] = {}  # functions for interpreted code, by made-up address

# Read and write the element `index` of an array at an address.
read_int, read_real = intrinsic("read_int"), intrinsic("read_real")
read_word, read_action = intrinsic("read_word"), intrinsic("read_action")
write_int, write_real = intrinsic("write_int"), intrinsic("write_real")
write_word, write_action = intrinsic("write_word"), intrinsic("write_action")
# Make an array on the stack. It lasts until the kernel returns, and its contents are undefined at
# first.
stack_ints, stack_reals = intrinsic("stack_ints"), intrinsic("stack_reals")
stack_floats = intrinsic("stack_floats")
# Make an array of the elements at an address, given their number. Floats have single precision.
ints_at, reals_at, floats_at = intrinsic("ints_at"), intrinsic("reals_at"), intrinsic("floats_at")
address_of = intrinsic("address_of")  # the address of an array's first byte
borrow = intrinsic("borrow")  # the array without reference counting; the caller keeps it alive
copy_bytes = intrinsic("copy_bytes")  # copy bytes, given target, source and number of bytes
# Call the function at an address with a tuple of integers.
call_int, call_real = intrinsic("call_int"), intrinsic("call_real")
call_void = intrinsic("call_void")


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


@stands_for(stack_floats)
def _stack_floats(count: int) -> np.ndarray[Any, Any]:
    return np.zeros(count, np.float32)


@stands_for(ints_at)
def _ints_at(address: int, count: int) -> np.ndarray[Any, Any]:
    return _array_at(ctypes.c_int64, address, count)


@stands_for(reals_at)
def _reals_at(address: int, count: int) -> np.ndarray[Any, Any]:
    return _array_at(ctypes.c_double, address, count)


@stands_for(floats_at)
def _floats_at(address: int, count: int) -> np.ndarray[Any, Any]:
    return _array_at(ctypes.c_float, address, count)


def _array_at(kind: Any, address: int, count: int) -> np.ndarray[Any, Any]:
    return np.ctypeslib.as_array((kind * int(count)).from_address(int(address)))


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
    stack_ints, stack_reals, stack_floats = _stack_ints, _stack_reals, _stack_floats
    ints_at, reals_at, floats_at = _ints_at, _reals_at, _floats_at
    address_of, borrow, copy_bytes = _address_of, _borrow, _copy_bytes
    call_int = call_real = call_void = _call

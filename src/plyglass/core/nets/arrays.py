"""Arrays at addresses, for the kernels of nets, and single-precision room on the stack."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from plyglass.core.compile import JIT, Intrinsic, stands_for


class ArrayIntrinsic(Intrinsic):
    """An intrinsic that `core.nets.intrinsics` describes to Numba."""

    @property
    def _numba_type_(self) -> Any:
        from numba.core.registry import cpu_target

        from plyglass.core.nets import intrinsics

        cpu_target.target_context.refresh()
        return cpu_target.typing_context.resolve_value_type(getattr(intrinsics, self.__name__))


def _intrinsic(name: str) -> Any:
    return ArrayIntrinsic(name)


# The array of `count` numbers at an address, which the caller keeps alive.
ints_at, reals_at, floats_at = (
    _intrinsic("ints_at"),
    _intrinsic("reals_at"),
    _intrinsic("floats_at"),
)
stack_floats = _intrinsic("stack_floats")  # like `memory.stack_reals`, in single precision


def _at(kind: Any, address: int, count: int) -> np.ndarray[Any, Any]:
    return np.ctypeslib.as_array((kind * int(count)).from_address(int(address)))


@stands_for(ints_at)
def _ints_at(address: int, count: int) -> np.ndarray[Any, Any]:
    return _at(ctypes.c_int64, address, count)


@stands_for(reals_at)
def _reals_at(address: int, count: int) -> np.ndarray[Any, Any]:
    return _at(ctypes.c_double, address, count)


@stands_for(floats_at)
def _floats_at(address: int, count: int) -> np.ndarray[Any, Any]:
    return _at(ctypes.c_float, address, count)


@stands_for(stack_floats)
def _stack_floats(count: int) -> np.ndarray[Any, Any]:
    return np.zeros(count, np.float32)


if not JIT:
    ints_at, reals_at, floats_at = _ints_at, _reals_at, _floats_at
    stack_floats = _stack_floats

"""The intrinsics of `arrays`, as Numba compiles them; see `core.intrinsics`."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np import arrayobj

_LLVM = {
    types.int64: ir.IntType(64),
    types.float64: ir.DoubleType(),
    types.float32: ir.FloatType(),
}


def _array(context: Any, builder: Any, element: Any, data: Any, count: Any) -> Any:
    made = context.make_array(types.Array(element, 1, "C"))(context, builder)
    width = context.get_constant(types.intp, context.get_abi_sizeof(_LLVM[element]))
    arrayobj.populate_array(made, data, [count], [width], width, None)
    return made._getvalue()


def _viewer(element: Any) -> Any:
    @intrinsic
    def view(context, address, count):
        def lower(context, builder, signature, values):
            data = builder.inttoptr(values[0], _LLVM[element].as_pointer())
            return _array(context, builder, element, data, values[1])

        return types.Array(element, 1, "C")(types.int64, types.int64), lower

    return view


ints_at, reals_at, floats_at = map(_viewer, (types.int64, types.float64, types.float32))


@intrinsic
def stack_floats(context, count):
    """Room on the stack, until the kernel returns."""

    def lower(context, builder, signature, values):
        data = builder.alloca(_LLVM[types.float32], size=values[0])
        return _array(context, builder, types.float32, data, values[0])

    return types.Array(types.float32, 1, "C")(types.int64), lower

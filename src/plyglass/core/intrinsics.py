"""The intrinsics of `memory` and `bits`, as Numba compiles them.

Only `jit` imports this module, when something must be compiled. Intrinsics have the names that
`memory` and `bits` give them.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

_INT, _REAL, _WORD, _FLOAT = types.int64, types.float64, types.uint64, types.float32
_LLVM = {
    _INT: ir.IntType(64),
    _WORD: ir.IntType(64),
    _REAL: ir.DoubleType(),
    _FLOAT: ir.FloatType(),
    types.int32: ir.IntType(32),
    types.void: ir.VoidType(),
}


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
        def lower(context, builder, signature, values):
            data = builder.alloca(_LLVM[element], size=values[0])
            return _array(context, builder, element, data, values[0])

        return types.Array(element, 1, "C")(_INT), lower

    return room


def _viewer(element: Any) -> Any:
    @intrinsic
    def view(context, address, count):
        def lower(context, builder, signature, values):
            data = builder.inttoptr(values[0], _LLVM[element].as_pointer())
            return _array(context, builder, element, data, values[1])

        return types.Array(element, 1, "C")(_INT, _INT), lower

    return view


def _array(context: Any, builder: Any, element: Any, data: Any, count: Any) -> Any:
    """An array of `count` elements at `data`; nobody frees its memory."""
    made = context.make_array(types.Array(element, 1, "C"))(context, builder)
    width = context.get_constant(types.intp, context.get_abi_sizeof(_LLVM[element]))
    arrayobj.populate_array(made, data, [count], [width], width, None)
    return made._getvalue()


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
    """Copy `size` bytes from one address to another; the two blocks must not overlap."""

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
stack_ints, stack_reals, stack_floats = _stack(_INT), _stack(_REAL), _stack(_FLOAT)
ints_at, reals_at, floats_at = _viewer(_INT), _viewer(_REAL), _viewer(_FLOAT)
call_int, call_real, call_void = _caller(_INT), _caller(_REAL), _caller(types.void)


@intrinsic
def count_ones(context, word):
    """The number of members of a set."""

    def lower(context, builder, signature, values):
        return builder.ctpop(values[0])

    return _INT(_INT), lower


@intrinsic
def lowest_one(context, word):
    """The smallest member of a set, or 64 if the set is empty."""

    def lower(context, builder, signature, values):
        return builder.cttz(values[0], ir.Constant(ir.IntType(1), 0))

    return _INT(_INT), lower

"""Entries: kernels as C functions of one argument, which Python can call without Numba.

The argument is the address of a block of 8-byte words with the kernel's arguments. An array takes
several words: its address and its shape. The results overwrite the arguments. `core/_call.c` fills
the block.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np import arrayobj

from plyglass.core.compile import Function, Kernel
from plyglass.native.signatures import NUMBERS, numba_type

KINDS = {"int": "i", "word": "u", "real": "f", "flag": "b"}
WORD = ir.IntType(64)


class Entry:
    """A function that calls a kernel with the arguments in a block, and a description of the block.

    Attributes:
        function: the function, for Numba to compile.
        takes, gives, arguments, dtypes: the description, as `_call.make` expects it.
    """

    def __init__(self, kernel: Kernel, takes: list[Any], gives: Any) -> None:
        self.dtypes: list[str] = []
        self.arguments = len(takes)
        self.takes = "".join(map(self._described, takes))
        results = gives if isinstance(gives, list) else [] if gives is None else [gives]
        self.gives = "(" * isinstance(gives, list) + "".join(KINDS[each] for each in results)
        scope = {
            "kernel": kernel,
            "read": _reader(types.Tuple([numba_type(each) for each in takes])),
            "write": _writer([NUMBERS[each] for each in results], isinstance(gives, list)),
            "__name__": kernel.py_func.__module__,
        }
        self.function: Function = FunctionType(_entry.__code__, scope, "entry")

    def _described(self, kind: Any) -> str:
        """The text of an argument for `_call.make`."""
        if isinstance(kind, str):
            return KINDS[kind]
        if kind[0] == "array":
            return f"a{kind[1]}{self._dtype(kind[2])};"
        if kind[0] == "record":
            return f"r{self._dtype(kind[1])};"
        return f"({''.join(map(self._described, kind[2]))})"

    def _dtype(self, text: str) -> int:
        if text not in self.dtypes:
            self.dtypes.append(text)
        return self.dtypes.index(text)


def _entry(block: int) -> None:
    """Read the arguments, call the kernel, write the results; each entry copies this function."""
    write(block, kernel(*read(block)))  # type: ignore[name-defined]  # noqa: F821


def _reader(arguments: Any) -> Any:
    """Make an intrinsic that reads the words of a block into a tuple of arguments."""

    @intrinsic  # type: ignore[untyped-decorator]
    def read(typing_context: Any, block: Any) -> Any:
        def lower(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            words = Words(context, builder, values[0])
            return words.value(arguments)

        return arguments(types.int64), lower

    return read


def _writer(kinds: list[Any], several: bool) -> Any:
    """Make an intrinsic that writes the results of a kernel into a block."""

    @intrinsic  # type: ignore[untyped-decorator]
    def write(typing_context: Any, block: Any, result: Any) -> Any:
        def lower(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            words = Words(context, builder, values[0])
            given = list(result) if several else [result][: len(kinds)]
            for at, (kind, wanted) in enumerate(zip(given, kinds, strict=True)):
                value = builder.extract_value(values[1], at) if several else values[1]
                words.store(at, context.cast(builder, value, kind, wanted), wanted)
            return context.get_dummy_value()

        return types.none(types.int64, result), lower

    return write


class Words:
    """The words of a block, which are read one after the other."""

    def __init__(self, context: Any, builder: Any, block: Any) -> None:
        self._context, self._builder = context, builder
        self._base = builder.inttoptr(block, WORD.as_pointer())
        self._next = 0

    def value(self, kind: Any) -> Any:
        """The next value of this type."""
        context, builder = self._context, self._builder
        if isinstance(kind, types.BaseTuple):
            members = [self.value(each) for each in kind]
            return context.make_tuple(builder, kind, members)
        if isinstance(kind, types.Array):
            return self._array(kind)
        word = self._word()
        if isinstance(kind, types.Record):
            return builder.inttoptr(word, context.get_value_type(kind))
        if isinstance(kind, types.Boolean):
            return builder.icmp_signed("!=", word, WORD(0))
        return builder.bitcast(word, ir.DoubleType()) if isinstance(kind, types.Float) else word

    def store(self, at: int, value: Any, kind: Any) -> None:
        """Overwrite the word at index `at` of the block."""
        if isinstance(kind, types.Boolean):
            value = self._builder.zext(value, WORD)
        if isinstance(kind, types.Float):
            value = self._builder.bitcast(value, WORD)
        self._builder.store(value, self._builder.gep(self._base, [WORD(at)]))

    def _word(self) -> Any:
        self._next += 1
        return self._builder.load(self._builder.gep(self._base, [WORD(self._next - 1)]))

    def _array(self, kind: Any) -> Any:
        context, builder = self._context, self._builder
        address, *shape = (self._word() for _ in range(1 + kind.ndim))
        item = WORD(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
        strides: list[Any] = []
        width = item
        for size in reversed(shape):
            strides.insert(0, width)
            width = builder.mul(width, size)
        made = context.make_array(kind)(context, builder)
        data = builder.inttoptr(address, context.get_data_type(kind.dtype).as_pointer())
        arrayobj.populate_array(made, data, shape, strides, item, None)
        return made._getvalue()

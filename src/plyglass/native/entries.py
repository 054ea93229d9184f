"""Entries: kernels as C functions of one argument, which Python can call without Numba.

The argument is the address of a block of 8-byte words with the kernel's arguments. An array is
given by its address and its shape. The results overwrite the arguments. `core/_call.c` fills the
block.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np import arrayobj

from plyglass.core import memory
from plyglass.core.compile import Function, Kernel
from plyglass.core.library import named
from plyglass.native.signatures import numba_type

READ = {"int": "read_int", "word": "read_word", "real": "read_real"}
WRITE = {"int": "write_int", "word": "write_word", "real": "write_real"}
KINDS = {"int": "i", "word": "u", "real": "f", "flag": "b"}


class Entry:
    """The function of a block that calls a kernel, and a description of the block.

    Attributes:
        function: the function, for Numba to compile.
        takes, gives, dtypes: the description, as `_call.make` wants it.
    """

    def __init__(self, kernel: Kernel, takes: list[Any], gives: Any) -> None:
        self.dtypes: list[str] = []
        self._words = 0
        self._scope: dict[str, Any] = {"kernel": kernel}
        for name in (*READ.values(), *WRITE.values()):
            self._scope[name] = getattr(memory, name)
        texts, arguments = zip(*map(self._take, takes), strict=True)
        lines = ["def entry(block):", f"    result = kernel({', '.join(arguments)})"]
        results = gives if isinstance(gives, list) else [] if gives is None else [gives]
        for at, kind in enumerate(results):
            value = f"result[{at}]" if isinstance(gives, list) else "result"
            lines.append(f"    {_written(kind, at, value)}")
        exec("\n".join(lines), self._scope)
        self.function: Function = self._scope["entry"]
        self.function.__module__ = kernel.py_func.__module__
        self.takes = "".join(texts)
        self.gives = "(" * isinstance(gives, list) + "".join(KINDS[each] for each in results)

    def _take(self, kind: Any) -> tuple[str, str]:
        """The text of an argument for `_call.make`, and the expression that reads it."""
        at = self._words
        if kind == "flag":
            self._words += 1
            return "b", f"read_int(block, {at}) != 0"
        if isinstance(kind, str):
            self._words += 1
            return KINDS[kind], f"{READ[kind]}(block, {at})"
        if kind[0] == "array":
            self._words += 1 + kind[1]
            self._scope[f"array{at}"] = _array_reader(numba_type(kind))
            return f"a{kind[1]}{self._dtype(kind[2])};", f"array{at}(block + {8 * at})"
        if kind[0] == "record":
            self._words += 1
            self._scope[f"record{at}"] = _record_reader(numba_type(kind))
            return f"r{self._dtype(kind[1])};", f"record{at}(read_int(block, {at}))"
        self._scope[f"tuple{at}"] = named(kind[1])
        texts, members = zip(*map(self._take, kind[2]), strict=True)
        return f"({''.join(texts)})", f"tuple{at}({', '.join(members)})"

    def _dtype(self, text: str) -> int:
        if text not in self.dtypes:
            self.dtypes.append(text)
        return self.dtypes.index(text)


def _written(kind: str, at: int, value: str) -> str:
    if kind == "flag":
        return f"write_int(block, {at}, 1 if {value} else 0)"
    return f"{WRITE[kind]}(block, {at}, {value})"


def _array_reader(array: Any) -> Any:
    """An intrinsic that makes an array from the words (address, shape) at an address."""

    @intrinsic  # type: ignore[untyped-decorator]
    def read(typing_context: Any, address: Any) -> Any:
        def lower(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            whole = ir.IntType(64)
            base = builder.inttoptr(values[0], whole.as_pointer())
            words = [builder.load(builder.gep(base, [whole(at)])) for at in range(1 + array.ndim)]
            item = whole(context.get_abi_sizeof(context.get_data_type(array.dtype)))
            strides: list[Any] = []
            width = item
            for size in reversed(words[1:]):
                strides.insert(0, width)
                width = builder.mul(width, size)
            made = context.make_array(array)(context, builder)
            data = builder.inttoptr(words[0], context.get_data_type(array.dtype).as_pointer())
            arrayobj.populate_array(made, data, words[1:], strides, item, None)
            return made._getvalue()

        return array(types.int64), lower

    return read


def _record_reader(record: Any) -> Any:
    """An intrinsic that makes a record from its address."""

    @intrinsic  # type: ignore[untyped-decorator]
    def read(typing_context: Any, address: Any) -> Any:
        def lower(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return builder.inttoptr(values[0], context.get_value_type(record))

        return record(types.int64), lower

    return read

"""Modules: many functions compiled together into the object code of one native library.

Numba optimises and links every function on its own, with a copy of all that the function calls. A
game has hundreds of functions that call each other, so LLVM would optimise the innermost ones a
dozen times. Here Numba's front end works on each function as usual. LLVM optimises once, when all
functions are in one module and only the roots are public.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import _dynfunc
from numba.core import ccallback, codegen, config, sigutils
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from plyglass.core import jit
from plyglass.core.compile import CHECKED, Function, plain, renamed
from plyglass.core.inference import quick_inference
from plyglass.core.mistakes import explain
from plyglass.core.table import SIGNATURES

Signature = Any
PRIVATE, SHARED, PUBLIC = "internal", "weak_odr", "external"  # how LLVM links a symbol
# LLVM tunes x86-64-v3 for Haswell, the first processor of this level, and unrolls loops too little
# for later ones. Tuning changes the order and number of instructions, but not which are allowed.
TUNED_FOR = {"x86-64-v3": "sapphirerapids"}
HEAD = re.compile(r"^(define .*) \{$", re.MULTILINE)  # of a function in LLVM's language
# Functions of the C library, which a native library may call.
C_LIBRARY = re.compile(
    r"(?:mem(?:cpy|move|set|cmp)|(?:a?(?:sin|cos|tan)h?|atan2|exp2?|expm1|log(?:2|10|1p)?|pow|sqrt|"
    r"fabs|floor|ceil|trunc|round|rint|fmod|hypot|ldexp|frexp|copysign|fm(?:in|ax))f?)$"
)


class DeferredLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """Numba's code for one function, which is optimised and linked only with its whole module."""

    _whole: Any = None

    def finalize(self) -> None:
        self._raise_if_finalized()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = SHARED
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0  # there is no machine code

    def _get_module_for_linking(self) -> Any:
        """This function and everything that it calls, for a caller that Numba links on its own."""
        if self._whole is None:
            linker = Linker(self.name)
            linker.add(self)
            self._whole = linker.finish()
        return self._whole


class Linker:
    """Joins the libraries of functions, each library once."""

    def __init__(self, name: str) -> None:
        empty = cpu_target.target_context.codegen()._create_empty_module(name)
        self._module = llvm.parse_assembly(str(empty))
        self._module.name = name
        self._seen: set[Any] = set()
        self._last: list[Any] = []

    def add(self, library: Any) -> None:
        """Link a library, and all libraries that it uses."""
        waiting = [library]
        while waiting:
            here = waiting.pop()
            if here in self._seen:
                continue
            self._seen.add(here)
            here._ensure_finalized()
            if isinstance(here, DeferredLibrary):
                self._module.link_in(here._final_module, preserve=True)
                waiting += here._linking_libraries
            else:
                self._last.append(here)

    def finish(self) -> Any:
        """The module, after linking the code that Numba compiled on its own.

        LLVM takes from that code only what is already in use.
        """
        for library in self._last:
            self._module.link_in(library._get_module_for_linking(), preserve=True)
        return self._module


class Module:
    """Functions that are compiled together; `add` adds a root, which code outside the module calls.

    Attributes:
        counted: whether arrays are reference counted. Only code that allocates memory needs this.
    """

    def __init__(self, name: str, counted: bool = False) -> None:
        self.counted = counted
        self._linker = Linker(name)
        self._roots: list[str] = []
        self._keep: list[Any] = []

    @global_compiler_lock  # type: ignore[untyped-decorator]
    def add(self, name: str, function: Function, signature: Signature) -> None:
        """Compile a function with everything that it calls, as the C function `name`."""
        arguments, result = sigutils.normalize_signature(signature)
        options = dict(jit.OPTIONS) if self.counted else {**jit.OPTIONS, "_nrt": False}
        root: Any = ccallback.CFunc(renamed(function, "root"), (arguments, result), {}, options)
        with (
            _deferred(),
            quick_inference(),
            jit.compiling_for("counted" if self.counted else "uncounted"),
        ):
            compiled = root._compile_uncached()
        self._linker.add(compiled.library)
        self._linker.add(_entry(name, compiled))
        self._roots.append(name)
        self._keep.append(compiled)

    def finish(self) -> Any:
        """The LLVM module, in which only the roots are public."""
        module = self._linker.finish()
        for function in module.functions:
            if not function.is_declaration:
                function.linkage = PUBLIC if function.name in self._roots else PRIVATE
        return module


def of_roots(
    name: str,
    roots: Mapping[str, tuple[str, Function]],
    layout: Any,
    tell: Callable[[int, str], None] = lambda done, what: None,
) -> Any:
    """The LLVM module of a game's functions, each with its shape in `table.SIGNATURES`.

    If a function does not compile, the reason may be that it allocates memory. So everything is
    compiled again with reference counting, and whatever still fails is an error. Before each
    function, `tell` is called with the number of earlier functions and the function's name.
    """
    try:
        return _of_roots(Module(name), roots, layout, tell)
    except jit.COMPILER_ERRORS:
        return _of_roots(Module(name, counted=True), roots, layout, tell)


def _of_roots(
    module: Module,
    roots: Mapping[str, tuple[str, Function]],
    layout: Any,
    tell: Callable[[int, str], None],
) -> Any:
    for number, (name, (shape, function)) in enumerate(roots.items()):
        tell(number, name)
        try:
            module.add(name, plain(function), layout.numba_signature(shape))
        except jit.COMPILER_ERRORS as error:
            result = SIGNATURES[shape][1]
            explained = explain(error, function, shape, result, layout.dtypes)
            if explained is None or not module.counted:
                raise
            raise explained from error
    return module.finish()


def object_code(module: Any, processor: str, features: str = "") -> tuple[bytes, list[str]]:
    """The machine code of a module for a processor, as an object file, and its external names.

    The external names are those of functions of Python and Numba. Functions of the C library are
    left out.

    No optimisation may change the result of a sum of doubles, because decisions must not depend on
    the processor. So multiplications and additions are not fused, and sums are not reordered.
    """
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    machine = target.create_target_machine(
        cpu=processor, features=features, opt=3, reloc="pic", codemodel="default"
    )
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = bool(config.LOOP_VECTORIZE)
    tuning.slp_vectorization = bool(config.SLP_VECTORIZE)
    builder = llvm.create_pass_builder(machine, tuning)
    module = _tuned(module, TUNED_FOR[processor]) if processor in TUNED_FOR else module.clone()
    passes = builder.getModulePassManager()
    passes.add_refprune_pass(codegen._parse_refprune_flags())
    passes.run(module, builder)
    declared = [each.name for each in module.functions if each.is_declaration]
    foreign = [
        name for name in declared if not name.startswith("llvm.") and not C_LIBRARY.match(name)
    ]
    return machine.emit_object(module), sorted(foreign)


def _tuned(module: Any, processor: str) -> Any:
    """A copy of a module, with its functions tuned for a processor.

    llvmlite cannot set this attribute of a function, so it is added to the module's text.
    """
    return llvm.parse_assembly(HEAD.sub(rf'\1 "tune-cpu"="{processor}" {{', str(module)))


@contextlib.contextmanager
def _deferred() -> Iterator[None]:
    """Within the block, let Numba neither optimise nor link what it compiles."""
    context = cpu_target.target_context
    context.refresh()  # Numba's own runtime is compiled as usual
    generator = context.codegen()
    usual = generator._library_class
    generator._library_class = DeferredLibrary
    context.get_executable = _without_code
    try:
        yield
    finally:
        generator._library_class = usual
        del context.get_executable


def _without_code(library: Any, described: Any, environment: Any) -> Any:
    """A function object without machine code, which represents a compiled function for Numba."""
    return _dynfunc.make_function(
        described.lookup_module(), described.qualname, "", 0, environment, (library,)
    )


def _entry(name: str, compiled: Any) -> Any:
    """A library with the C function `name`, which calls a compiled function.

    Numba's functions return a status along with their result. Unchecked kernels never raise, so the
    status is not read. With checked indices, a kernel can raise. The library then calls Numba's own
    C wrapper, which reports the error to Python.
    """
    context, described = cpu_target.target_context, compiled.fndesc
    module = ir.Module(f"entry.{name}")
    takes = [context.get_value_type(each) for each in described.argtypes]
    gives = context.get_value_type(described.restype)
    inner_type = context.call_conv.get_function_type(described.restype, described.argtypes)
    outer = ir.Function(module, ir.FunctionType(gives, takes), name)
    builder = ir.IRBuilder(outer.append_basic_block("entry"))
    if CHECKED:
        wrapper_type = ir.FunctionType(gives, takes)
        wrapper = ir.Function(module, wrapper_type, described.llvm_cfunc_wrapper_name)
        builder.ret(builder.call(wrapper, outer.args))
    else:
        inner = ir.Function(module, inner_type, described.llvm_func_name)
        _, result = context.call_conv.call_function(
            builder, inner, described.restype, described.argtypes, outer.args
        )
        builder.ret(result)
    with _deferred():
        library = context.codegen().create_library(f"entry.{name}")
        library.add_ir_module(module)
    return library

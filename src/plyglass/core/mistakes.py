"""Mistakes in a user's rules, reported in one sentence with file, line, rule and advice.

Numba accepts some mistakes silently, such as a `raise` or a negative index. `refuse_silent` finds
such mistakes in the source of a user's rules before the rules are compiled. Numba reports other
mistakes in a long message about types. `explain` reads this message and the source, and says what
to do. Plyglass's own rules are not checked, so its games load faster.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import functools
import inspect
import os
import re
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plyglass.core.cache import LIBRARIES, PACKAGE, is_typed, source_text
from plyglass.core.compile import Function, plain, values_used
from plyglass.core.state import HEADER

Records = Mapping[str, "np.dtype[Any]"]
RESULTS = {"int": "a whole number", "real": "a number", "void": "nothing"}


class RuleError(TypeError):
    """A rule, or a function that it calls, cannot be compiled as it is written.

    Attributes:
        rule: the name of the rule.
        place: the file, the line and the rule.
        problem: what is wrong.
        advice: what to do.
    """

    def __init__(self, rule: str, place: str, problem: str, advice: str) -> None:
        super().__init__(f"{place}: {problem}. {advice}")
        self.rule, self.place, self.problem, self.advice = rule, place, problem, advice


@dataclass(frozen=True)
class Mistake:
    """A mistake at a line: what is wrong, and what to do."""

    line: int
    problem: str
    advice: str


@dataclass(frozen=True)
class Source:
    """A user's function with its syntax tree; `records` are the dtypes of its parameters."""

    function: types.FunctionType
    tree: ast.FunctionDef
    module: ast.Module
    records: Records

    @property
    def parameters(self) -> list[str]:
        return [each.arg for each in self.tree.args.args]


def refuse_silent(function: Function, shape: str, records: Records) -> None:
    """Raise an error for mistakes that Numba compiles silently to code that differs from Python."""
    for source in sources_of(function, records):
        for mistake in _silent(source):
            raise _error(source, function, shape, mistake)


def explain(
    error: Exception,
    function: Function,
    shape: str,
    result: str = "",
    records: Records | None = None,
) -> RuleError | None:
    """Explain an error by Numba in one sentence; None if no function of a user is involved.

    `result` is what the rule must return: "int", "real" or "void".
    """
    sources = list(sources_of(function, records or {}))
    if not sources:
        return _without_source(error, function)
    for source in sources:
        whole = _returns(source, shape, result) if source is sources[0] else ()
        for mistake in (*_silent(source), *_names(source), *_fields(source), *whole):
            return _error(source, function, shape, mistake)
    source, line = _place(str(error), sources)
    return _error(source, function, shape, _read(error, line))


def _without_source(error: Exception, function: Function) -> RuleError | None:
    """The error for a function typed into an interpreter that did not keep its source."""
    original: Any = plain(function)
    if not is_typed(original.__code__.co_filename):
        return None
    mistake = _read(error, original.__code__.co_firstlineno)
    name = original.__name__
    advice = f"{mistake.advice} Write the rules to a file or a notebook cell to see the line."
    return RuleError(name, f"interpreter, rule {name}", mistake.problem, advice)


# -- reading sources


def sources_of(function: Function, records: Records) -> Iterator[Source]:
    """The function and all kernels that it calls, if they are in a user's files."""
    seen: set[int] = set()
    waiting = [plain(function)]
    while waiting:
        here = waiting.pop(0)
        if id(here) in seen or not isinstance(here, types.FunctionType) or not _of_user(here):
            continue
        seen.add(id(here))
        waiting += [plain(value) for value in values_used(here) if _is_kernel(value)]
        module = _module(here.__code__.co_filename)
        tree = _definition(module, here) if module else None
        if module and tree:
            yield Source(here, tree, module, records)


def _of_user(function: types.FunctionType) -> bool:
    return not os.path.realpath(function.__code__.co_filename).startswith(str(PACKAGE) + os.sep)


def _is_kernel(value: Any) -> bool:
    return hasattr(plain(value), "__plyglass_sources__")


@functools.cache
def _module(file: str) -> ast.Module | None:
    text = source_text(file)
    return None if text is None else ast.parse(text)


def _definition(module: ast.Module, function: types.FunctionType) -> ast.FunctionDef | None:
    return _definitions(module).get((function.__code__.co_name, function.__code__.co_firstlineno))


@functools.cache
def _definitions(module: ast.Module) -> dict[tuple[str, int], ast.FunctionDef]:
    """All functions of a module, by name and by each line at which they may be said to begin."""
    return {
        (node.name, line): node
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef)
        for line in (node.lineno, *(each.lineno for each in node.decorator_list))
    }


@functools.cache
def _assigned_globals(module: ast.Module) -> frozenset[str]:
    """The globals that a function of a module assigns."""
    found = (node for node in ast.walk(module) if isinstance(node, ast.Global))
    return frozenset(name for node in found for name in node.names)


def line_of(function: Function) -> str:
    """Where a function is defined, as `file, line`."""
    code = plain(function).__code__
    return f"{_short(code.co_filename)}, line {code.co_firstlineno}"


def _short(file: str) -> str:
    """The path of a file, relative to the working directory if the file is below it."""
    if is_typed(file):
        return "interpreter" if _module(file) is None else "notebook cell"
    return os.path.realpath(file).removeprefix(os.path.realpath(Path.cwd()) + os.sep)


def _error(source: Source, rule: Function, shape: str, mistake: Mistake) -> RuleError:
    short = _short(source.function.__code__.co_filename)
    name = plain(rule).__name__
    kind = shape if shape in ("evaluator", "policy", "tracker", "function") else "rule"
    where = f"{kind} {name}"
    if source.function is not plain(rule):
        where = f"function {source.function.__name__}, called by {where}"
    place = f"{short}, line {mistake.line}, {where}"
    return RuleError(name, place, mistake.problem, mistake.advice)


# -- mistakes that Numba does not see


def _silent(source: Source) -> Iterator[Mistake]:
    skipped = {id(text) for text in _harmless_texts(source.tree)}
    for node in ast.walk(source.tree):
        if id(node) not in skipped and (check := _SILENT.get(type(node))):
            yield from check(node, source)
    yield from _changing(source)


def _harmless_texts(tree: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield the places where strings do no harm: docstrings, annotations, decorators and prints."""
    outside = (*tree.decorator_list, tree.args, *([tree.returns] if tree.returns else []))
    for part in outside:
        yield from ast.walk(part)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "print":
                yield from ast.walk(node)


def _container(node: Any, source: Source) -> Iterator[Mistake]:
    if isinstance(getattr(node, "ctx", None), ast.Store):
        return
    kind = {"L": "list", "S": "set", "D": "dict", "G": "generator"}[type(node).__name__[0]]
    yield Mistake(
        node.lineno,
        f"compiled code cannot make a Python {kind}",
        "Keep the values in a field of the state, write actions to `out`, or use a tuple of fixed "
        "length.",
    )


def _text(node: Any, source: Source) -> Iterator[Mistake]:
    if isinstance(node, ast.JoinedStr) or isinstance(node.value, str):
        yield Mistake(
            node.lineno,
            "compiled code cannot use a string",
            "Use a number in its place, such as a constant TAKE = 0 at the top of the file.",
        )


def _raise(node: Any, source: Source) -> Iterator[Mistake]:
    word = type(node).__name__.lower()
    yield Mistake(
        node.lineno,
        f"compiled code cannot {word}, and would go on as if nothing had happened",
        "Leave it out: `legal` lists what may be played, and `plyglass check` finds mistakes.",
    )


def _try(node: Any, source: Source) -> Iterator[Mistake]:
    yield Mistake(
        node.lineno,
        "compiled code cannot catch errors",
        "Test for the condition with `if` instead.",
    )


def _yield(node: Any, source: Source) -> Iterator[Mistake]:
    yield Mistake(
        node.lineno, "compiled code cannot yield", "Return a number, or write actions to `out`."
    )


def _negative_index(node: Any, source: Source) -> Iterator[Mistake]:
    places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    negative = [
        each
        for each in places
        if isinstance(each, ast.UnaryOp)
        and isinstance(each.op, ast.USub)
        and isinstance(each.operand, ast.Constant)
    ]
    base = node.value.value if isinstance(node.value, ast.Attribute) else node.value
    if negative and isinstance(base, ast.Name) and base.id in source.parameters:
        yield Mistake(
            node.lineno,
            f"the index {ast.unparse(negative[0])} of {ast.unparse(node.value)} is negative, and "
            "compiled code does not count from the end",
            "Write the index from the start: the last of n is n - 1.",
        )


def _global(node: Any, source: Source) -> Iterator[Mistake]:
    yield _changes(node.lineno, node.names[0])


def _changing(source: Source) -> Iterator[Mistake]:
    """Find globals that a rule reads, although a function assigns them or they have changed."""
    assigned = _assigned_globals(source.module)
    known = _remembered(source.function)
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            now = _print_of(source.function.__globals__.get(node.id))
            if node.id in assigned or known.setdefault(node.id, now) != now:
                yield _changes(node.lineno, node.id)


def _changes(line: int, name: str) -> Mistake:
    return Mistake(
        line,
        f"the global {name} changes, but compiled code keeps the value that it had",
        "Keep what changes in a field of the state, and parameters in the constants of the game.",
    )


_values: dict[types.CodeType, dict[str, Any]] = {}


def _remembered(function: Any) -> dict[str, Any]:
    """The values that the function's globals had when its source was first checked."""
    return _values.setdefault(function.__code__, {})


def _print_of(value: Any) -> Any:
    """A value that shows whether a global has changed; None for functions and modules."""
    if isinstance(value, np.ndarray):
        return value.tobytes()
    return value if isinstance(value, bool | int | float | tuple | np.generic) else None


_SILENT: dict[type, Callable[[Any, Source], Iterator[Mistake]]] = {
    **dict.fromkeys((ast.List, ast.ListComp, ast.Set, ast.SetComp, ast.Dict), _container),
    **dict.fromkeys((ast.DictComp, ast.GeneratorExp), _container),
    **dict.fromkeys((ast.Constant, ast.JoinedStr), _text),
    **dict.fromkeys((ast.Raise, ast.Assert), _raise),
    **dict.fromkeys((ast.Yield, ast.YieldFrom), _yield),
    ast.Try: _try,
    ast.Subscript: _negative_index,
    ast.Global: _global,
}


# -- mistakes that Numba reports without naming the mistake or the line


def _names(source: Source) -> Iterator[Mistake]:
    """Find unknown names, functions that are not kernels, and calls with wrong arguments."""
    local = {*source.function.__code__.co_varnames, *source.function.__code__.co_cellvars}
    known = {**vars(builtins), **source.function.__globals__}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Name) and node.id not in known and node.id not in local:
            yield Mistake(
                node.lineno,
                f"there is no function or value {node.id!r}",
                f"Define or import the name.{_similar(node.id, [*local, *known])}",
            )
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = known.get(node.value.id)
            if isinstance(module, types.ModuleType) and not hasattr(module, node.attr):
                yield Mistake(
                    node.lineno,
                    f"{module.__name__} has no function or value {node.attr!r}",
                    f"Use a name that the module has.{_similar(node.attr, dir(module))}",
                )
        if isinstance(node, ast.Call):
            yield from _call(node, known, local)


def _call(node: ast.Call, known: Mapping[str, Any], local: set[str]) -> Iterator[Mistake]:
    called = None if _is_local(node.func, local) else _called(node.func, known)
    function: Any = plain(called) if callable(called) else None
    if not isinstance(function, types.FunctionType):
        return
    name = function.__name__
    if not _is_kernel(function):
        file = os.path.realpath(function.__code__.co_filename)
        if called is function and not file.startswith(LIBRARIES):
            yield Mistake(
                node.lineno,
                f"{name} is a plain Python function, which compiled code cannot call",
                "Write @pg.kernel above its definition.",
            )
        return
    parameters = list(inspect.signature(function).parameters)
    given = len(node.args) + len(node.keywords)
    unpacked = any(isinstance(each, ast.Starred) for each in node.args)
    if given != len(parameters) and not unpacked:
        yield Mistake(
            node.lineno,
            f"{name} is called with {given} argument{'s' * (given != 1)}, but takes "
            f"{len(parameters)}",
            f"Call it as {name}({', '.join(parameters)}).",
        )


def _is_local(node: ast.expr, local: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in local


def _called(node: ast.expr, known: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        module = known.get(node.value.id)
        return getattr(module, node.attr, None) if isinstance(module, types.ModuleType) else None
    return None


def _fields(source: Source) -> Iterator[Mistake]:
    """Find fields that the records of a rule do not have."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = node.value.id
            if name in source.parameters and name in source.records:
                all_fields = source.records[name].names or ()
                fields = [each for each in all_fields if each not in dict(HEADER)]
                if node.attr not in all_fields:
                    yield Mistake(
                        node.lineno,
                        f"{name} has no field {node.attr!r}",
                        f"Its fields are {', '.join(fields)}.{_similar(node.attr, fields)}",
                    )


def _returns(source: Source, shape: str, result: str) -> Iterator[Mistake]:
    """Find paths on which a rule lacks a required return value, or returns a forbidden one."""
    returns = [node for node in ast.walk(source.tree) if isinstance(node, ast.Return)]
    if result == "void":
        for node in returns:
            if node.value is not None and not _is_none(node.value):
                yield Mistake(
                    node.lineno,
                    "the rule returns a value, but must change the state in place",
                    "Write `return` without a value.",
                )
    elif result:
        empty = [node.lineno for node in returns if node.value is None or _is_none(node.value)]
        if not _always_returns(source.tree.body):
            empty.append(source.tree.body[-1].lineno)
        for line in empty:
            yield Mistake(
                line,
                f"the rule returns nothing here, but must return {RESULTS[result]}",
                f"Return {RESULTS[result]} on every path, also at the end.",
            )


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _always_returns(body: list[ast.stmt]) -> bool:
    last = body[-1]
    if isinstance(last, ast.If):
        return _always_returns(last.body) and bool(last.orelse) and _always_returns(last.orelse)
    endless = isinstance(last, ast.While) and isinstance(last.test, ast.Constant)
    return isinstance(last, ast.Return) or endless


def _similar(name: str, names: list[str]) -> str:
    found = difflib.get_close_matches(name, names, 1)
    return f" Did you mean {found[0]!r}?" if found else ""


# -- what Numba says

_ADVICE: tuple[tuple[str, str, str], ...] = (
    (
        r"Unsupported array index type float\d+",
        "an index is a float",
        "Divide with // instead of /, or convert the index with int().",
    ),
    (
        r"Untyped global name '(\w+)'.*?(?:Cannot determine Numba type of <class '(?:\w+\.)*(\w+)'>"
        r"|Cannot type (empty list))",
        "compiled code cannot use the global {0}, which is of the type {1}{2}",
        "Use numbers, tuples or NumPy arrays, or keep the value in the constants of the game.",
    ),
    (
        r"Cannot modify readonly array",
        "compiled code cannot change a global array",
        "Keep what changes in a field of the state.",
    ),
    (
        r"Cannot unify (.+?) and (.+?) for '(\w+?)(?:\.\d+)?'",
        "the variable {2} is once of the type {0} and once of the type {1}",
        "Use one type, or two variables.",
    ),
    (
        r"Can't unify return type from the following types: (.+)",
        "the function returns different types: {0}",
        "Return the same type on every path, also at the end.",
    ),
    (
        r"Variable '(\w+)' is not defined",
        "the variable {0} is used before it has a value",
        "Assign it on every path that leads here.",
    ),
    (
        r"Cannot cast (.+?) to (.+?):",
        "a value of the type {0} does not fit a field of the type {1}",
        "Assign a number, and arrays cell by cell in a loop.",
    ),
    (
        r"Unknown attribute '(\w+)' of type (\w+)",
        "compiled code has no {0!r} of a {1}",
        "Use another function, or write it as a loop.",
    ),
    (
        r"No implementation of function Function\(<.*?(\w+)>\) found for signature:\s*>>> (.+)",
        "{0} cannot be used with these types: {1}",
        "Rules compute with numbers and fields of records.",
    ),
)


def _read(error: Exception, line: int) -> Mistake:
    """The mistake that an error message by Numba describes."""
    said = _plain_text(str(error))
    for pattern, problem, advice in _ADVICE:
        if found := re.search(pattern, said, re.DOTALL if "Untyped" in pattern else 0):
            return Mistake(line, problem.format(*(each or "" for each in found.groups())), advice)
    lines = [each.strip() for each in said.splitlines() if each.strip()]
    reason = next((each for each in lines if not each.startswith("Failed in nopython")), said)
    return Mistake(
        line,
        f"Numba cannot compile it ({type(error).__name__}: {reason.rstrip('.')})",
        "Use numbers, loops, and fields of records.",
    )


def _place(said: str, sources: list[Source]) -> tuple[Source, int]:
    """The innermost function and line of a user's code that an error by Numba names."""
    text = _plain_text(said)
    places = [
        *re.findall(r'File "([^"]+)", line (\d+)', text),
        *re.findall(r" at (\S+\.py) \((\d+)\)", text),
        *re.findall(r"Raised from (\S+\.py) \((\d+)\)", text),
    ]
    for file, line in places:
        for source in sources:
            own = Path(source.function.__code__.co_filename)
            last = source.tree.end_lineno or source.tree.lineno
            if Path(file).name == own.name and source.tree.lineno <= int(line) <= last:
                return source, int(line)
    return sources[0], sources[0].tree.lineno


def _plain_text(said: str) -> str:
    return re.sub(r"\x1b\[\d*m", "", said)

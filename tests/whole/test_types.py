"""Every function has annotations, except kernels, whose types Numba infers."""

import ast
from pathlib import Path

import pytest

import plyglass

TOP = Path(plyglass.__file__).parent
FILES = sorted(TOP.rglob("*.py"))


def exempt(node, parents):
    """Whether a function is compiled: a kernel, a rule, or code that an intrinsic generates."""
    marks = {ast.unparse(each).partition("(")[0] for each in node.decorator_list}
    names = [each.arg for each in node.args.args]
    inside = {
        ast.unparse(each).partition("(")[0]
        for parent in parents
        for each in getattr(parent, "decorator_list", [])
    }
    return bool({"kernel", "intrinsic"} & (marks | inside)) or names[:2] == ["r", "s"]


def untyped(tree):
    """(line, name) of functions that lack an annotation and are not compiled."""
    waiting = [(tree, ())]
    while waiting:
        node, parents = waiting.pop()
        waiting += [(child, (*parents, node)) for child in ast.iter_child_nodes(node)]
        if isinstance(node, ast.FunctionDef) and not exempt(node, parents):
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            open_ones = [each for each in given if each.annotation is None]
            if node.returns is None or [
                each for each in open_ones if each.arg not in ("self", "cls")
            ]:
                yield node.lineno, node.name


def test_every_function_that_is_not_compiled_is_annotated():
    found = {
        f"{path.relative_to(TOP)}:{line} {name}"
        for path in FILES
        for line, name in untyped(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found == set()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def f(x): pass", ["f"]),
        ("def f(x: int): pass", ["f"]),
        ("def f(x: int) -> int: pass", []),
        ("@kernel\ndef f(x): pass", []),
        ("def apply(r, s, action): pass", []),
        ("class A:\n    def f(self) -> None: pass", []),
    ],
)
def test_a_function_without_annotations_is_found(text, names):
    assert [name for _, name in untyped(ast.parse(text))] == names

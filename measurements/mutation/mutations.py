"""Small faults that a test should notice: where each can be planted, and the changed line."""

from __future__ import annotations

import ast
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

COMPARISONS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "is": "is not", "is not": "is", "in": "not in", "not in": "in",
}  # fmt: skip
OPERATORS = {
    "+": "-", "-": "+", "*": "+", "/": "*", "//": "*", "%": "//", "<<": ">>", ">>": "<<",
    "&": "|", "|": "&", "^": "|", "**": "*",
}  # fmt: skip
TEXT = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.Pow: "**",
}  # fmt: skip
LITERALS = (ast.Constant, ast.JoinedStr)
KINDS = (
    "comparison",
    "arithmetic",
    "constant",
    "condition",
    "statement",
    "arguments",
    "return value",
)


@dataclass(frozen=True)
class Mutant:
    """A fault in one place.

    Attributes:
        path: the file, from the top of the repository.
        line: where the changed text begins.
        begin, end: the bytes of the file that are replaced.
        kind: one of `KINDS`.
        before, after: the text there.
    """

    path: str
    line: int
    begin: int
    end: int
    kind: str
    before: str
    after: str

    def apply(self, source: bytes) -> bytes:
        """The source with the fault."""
        assert source[self.begin : self.end].decode() == self.before
        return source[: self.begin] + self.after.encode() + source[self.end :]


class Sites:
    """All places of a file in which a fault can be planted."""

    def __init__(self, path: str, source: bytes) -> None:
        self._path, self._source = path, source
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._kernel = False

    def all(self) -> list[Mutant]:
        found = list(self._inside(ast.parse(self._source), function=False))
        return [each for each in found if each.before != each.after]

    def _inside(self, node: ast.AST, *, function: bool) -> Iterator[Mutant]:
        """The faults of a part of the tree; `function` says whether it is a function's body."""
        if isinstance(node, ast.FunctionDef):
            was = self._kernel
            self._kernel = any("kernel" in ast.unparse(each) for each in node.decorator_list)
            for each in node.body:
                yield from self._inside(each, function=True)
            self._kernel = was
            return
        # Messages, types and names are not behaviour.
        if isinstance(node, ast.Raise | ast.JoinedStr | ast.Import | ast.ImportFrom | ast.Assert):
            return
        yield from self._here(node, function)
        skipped = getattr(node, "annotation", None)
        for child in ast.iter_child_nodes(node):
            if child is not skipped:
                yield from self._inside(child, function=function)

    def _here(self, node: ast.AST, function: bool) -> Iterator[Mutant]:
        """The faults of a node itself."""
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = map(self._text, (node.left, node.comparators[0]))
            swapped = COMPARISONS[TEXT[type(node.ops[0])]]
            yield self._mutant(node, "comparison", f"{left} {swapped} {right}")
        elif isinstance(node, ast.BinOp) and not isinstance(
            node.left, ast.Constant | ast.JoinedStr
        ):
            left, right = map(self._text, (node.left, node.right))
            other = OPERATORS.get(TEXT.get(type(node.op), ""), "+")
            yield self._mutant(node, "arithmetic", f"({left} {other} {right})")
        elif isinstance(node, ast.AugAssign) and type(node.op) in TEXT:
            left, right = map(self._text, (node.target, node.value))
            other = OPERATORS[TEXT[type(node.op)]]
            yield self._mutant(node, "arithmetic", f"{left} {other}= {right}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
            changed = not node.value if isinstance(node.value, bool) else node.value + 1
            yield self._mutant(node, "constant", repr(changed))
        elif isinstance(node, ast.If | ast.While | ast.IfExp):
            yield self._mutant(node.test, "condition", f"(not ({self._text(node.test)}))")
        elif isinstance(node, ast.Call):
            yield from self._arguments(node)
        elif isinstance(node, ast.Return) and node.value is not None:
            yield from self._value(node.value)
        if function and self._can_be_dropped(node):
            yield self._mutant(node, "statement", "pass")

    def _can_be_dropped(self, node: ast.AST) -> bool:
        """Whether the function can continue without the statement."""
        if isinstance(node, ast.Expr):
            return isinstance(node.value, ast.Call)
        if isinstance(node, ast.Assign):
            return isinstance(node.targets[0], ast.Attribute | ast.Subscript)
        return isinstance(node, ast.AugAssign | ast.Break | ast.Continue)

    def _arguments(self, node: ast.Call) -> Iterator[Mutant]:
        """Each pair of neighbouring arguments, in the other order."""
        for one, other in zip(node.args, node.args[1:], strict=False):
            if not isinstance(one, ast.Starred) and not isinstance(other, ast.Starred):
                begin, end = self._span(one)[0], self._span(other)[1]
                texts = self._text(one), self._text(other)
                between = self._source[self._span(one)[1] : self._span(other)[0]].decode()
                if texts[0] != texts[1]:
                    yield Mutant(
                        self._path, one.lineno, begin, end, "arguments",
                        self._source[begin:end].decode(), texts[1] + between + texts[0],
                    )  # fmt: skip

    def _value(self, value: ast.expr) -> Iterator[Mutant]:
        """A value that differs from the returned value."""
        text = self._text(value)
        if isinstance(value, ast.Compare | ast.BoolOp):
            yield self._mutant(value, "return value", f"not ({text})")
        elif isinstance(value, ast.Tuple) and len(value.elts) > 1:
            first, second, *rest = map(self._text, value.elts)
            yield self._mutant(value, "return value", f"({', '.join([second, first, *rest])})")
        elif self._kernel:
            yield self._mutant(value, "return value", f"({text}) * 0")
        elif not isinstance(value, ast.Constant):
            yield self._mutant(value, "return value", "None")

    def _span(self, node: ast.AST) -> tuple[int, int]:
        return (
            self._starts[node.lineno - 1] + node.col_offset,  # type: ignore[attr-defined]
            self._starts[node.end_lineno - 1] + node.end_col_offset,  # type: ignore[attr-defined]
        )

    def _text(self, node: ast.AST) -> str:
        begin, end = self._span(node)
        return self._source[begin:end].decode()

    def _mutant(self, node: ast.AST, kind: str, after: str) -> Mutant:
        begin, end = self._span(node)
        line = node.lineno  # type: ignore[attr-defined]
        return Mutant(self._path, line, begin, end, kind, self._text(node), after)


def draw(top: Path, areas: tuple[str, ...], count: int, seed: int) -> list[Mutant]:
    """About `count` random faults, equally many in every area and of every kind."""
    chance, drawn = random.Random(seed), []
    for area in areas:
        by_kind = defaultdict(list)
        sources = {}
        for path in sorted((top / "src" / "plyglass" / area).rglob("*.py")):
            name = str(path.relative_to(top))
            sources[name] = path.read_bytes()
            for mutant in Sites(name, sources[name]).all():
                by_kind[mutant.kind].append(mutant)
        each = -(-count // (len(areas) * len(KINDS)))
        for kind in KINDS:
            chance.shuffle(by_kind[kind])
            good = (one for one in by_kind[kind] if _is_python(one.apply(sources[one.path])))
            drawn += islice(good, each)  # only what is drawn is parsed again
    return drawn


def _is_python(source: bytes) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def function_at(source: bytes, line: int) -> int:
    """The first line, with decorators, of the innermost function around a line; 0 for none."""
    first = 0
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0):
            first = max(first, min([node.lineno, *(each.lineno for each in node.decorator_list)]))
    return first

"""Make the mutants of a module: its source with one small mistake each. Pure Python."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Collection, Iterator
from dataclasses import dataclass

_COMPARISONS: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Eq: ("!=",),
    ast.NotEq: ("==",),
    ast.Lt: ("<=", ">="),
    ast.LtE: ("<", ">"),
    ast.Gt: (">=", "<="),
    ast.GtE: (">", "<"),
    ast.Is: ("is not",),
    ast.IsNot: ("is",),
    ast.In: ("not in",),
    ast.NotIn: ("in",),
}
_WRITTEN: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
_SIGNS: dict[type[ast.operator], str] = {
    ast.BitAnd: "|",
    ast.BitOr: "&",
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "//",
    ast.FloorDiv: "*",
}
_OTHER_CALL = {
    "filter": "exclude",
    "exclude": "filter",
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
}
# Methods whose arguments are conditions: each argument is left out once.
_CONDITIONS = {"filter", "exclude", "get", "Q", "first", "get_or_create", "create", "update"}
# An action of the access tables, and a mistaken one: mostly one that more people may do.
_OTHER_ACTION = {
    "see": "share",
    "play": "see",
    "see progress": "see",
    "assign": "see progress",
    "manage people": "see progress",
    "archive": "manage people",
    "delete": "see",
    "make puzzles": "edit",
    "edit": "see",
    "move out": "edit",
    "manage": "see",
    "agree": "play",
}
# What such calls are given is read by people, not by the program.
_TOLD = {"_", "gettext", "ngettext", "pgettext", "ValueError", "ValidationError", "MoveRefused"}
_LASTING_DECORATORS = ("property", "dataclass", "abstractmethod", "staticmethod", "contextmanager")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one mistake.

    *scope* is the name of the changed function, "" for the module itself. *lines* are those of
    the changed statement: a test that runs none of them cannot notice. *names* are the module's
    names that the statement assigns, of a statement outside of functions.
    """

    line: int
    scope: str
    lines: range
    names: tuple[str, ...]
    what: str
    source: str
    is_decorator: bool = False

    def diff(self, original: str) -> str:
        """Return the changed lines, without context."""
        changes = difflib.unified_diff(
            original.splitlines(), self.source.splitlines(), n=0, lineterm=""
        )
        return "\n".join(line for line in list(changes)[2:] if not line.startswith("@@"))


def mutants(source: str, functions: Collection[str] | None = None) -> list[Mutant]:
    """Return the mutants of a module; *functions* limits them to functions of these names."""
    made = list(_Maker(source).all())
    if functions is not None:
        made = [each for each in made if each.scope.rpartition(".")[2] in functions]
    different = {each.source: each for each in made if each.source != source}
    return list(different.values())


class _Maker:
    """Walks through the syntax tree and replaces one piece of the text at a time."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tree = ast.parse(source)
        self.bytes = source.encode()
        self.starts = [0]
        for line in self.bytes.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def all(self) -> Iterator[Mutant]:
        yield from self.in_body(self.tree.body, "", None)

    def in_body(
        self, body: list[ast.stmt], scope: str, function: str | None, *, is_end: bool = False
    ) -> Iterator[Mutant]:
        """Yield the mutants of some statements, at the end of a function's own or elsewhere."""
        for statement in body:
            if isinstance(statement, ast.ClassDef):
                inner = f"{scope}.{statement.name}".lstrip(".")
                yield from self.in_body(statement.body, inner, function)
            elif isinstance(statement, _Function):
                name = function or f"{scope}.{statement.name}".lstrip(".")
                yield from self.of_decorators(statement, name)
                yield from self.of_defaults(statement, name)
                yield from self.in_body(statement.body[:-1], scope, name)
                yield from self.in_body(statement.body[-1:], scope, name, is_end=True)
            elif not _is_quiet(statement):
                if function and _can_go(statement, is_end=is_end):
                    lines = _lines(statement)
                    yield self.mutant(statement, "pass", "no statement", function, lines, ())
                yield from self.of_statement(statement, scope, function)
                for block in ("body", "orelse", "finalbody"):
                    yield from self.in_body(getattr(statement, block, []), scope, function)
                for handler in getattr(statement, "handlers", []):
                    yield from self.in_body(handler.body, scope, function)

    def of_decorators(self, function: _Function, scope: str) -> Iterator[Mutant]:
        for decorator in function.decorator_list:
            text = self.text(decorator)
            if not any(word in text for word in _LASTING_DECORATORS):
                lines = range(function.body[0].lineno, _lines(function.body[-1]).stop)
                yield self.mutant(decorator, "", "no decorator", scope, lines, (), before=1)

    def of_defaults(self, function: _Function, scope: str) -> Iterator[Mutant]:
        for default in [*function.args.defaults, *function.args.kw_defaults]:
            if isinstance(default, ast.Constant) and isinstance(default.value, bool):
                lines = range(function.body[0].lineno, _lines(function.body[-1]).stop)
                yield self.mutant(default, str(not default.value), "constant", scope, lines, ())

    def of_statement(
        self, statement: ast.stmt, scope: str, function: str | None
    ) -> Iterator[Mutant]:
        """Yield the mutants of one statement, without those of statements inside it."""
        if isinstance(statement, ast.AnnAssign) and statement.value is None:
            return
        is_compound = hasattr(statement, "body")
        lines = _lines(statement)
        if is_compound:
            inner: list[ast.stmt] = statement.body  # type: ignore[attr-defined]
            lines = range(statement.lineno, max(inner[0].lineno, statement.lineno + 1))
        names = _assigned(statement)
        place = function or scope

        def make(node: ast.AST, text: str, what: str) -> Mutant:
            return self.mutant(node, text, what, place, lines, () if function else names)

        for part in ast.iter_child_nodes(statement):
            if isinstance(part, ast.expr | ast.withitem):
                is_target = part in getattr(statement, "targets", [])
                if not is_target and part is not getattr(statement, "annotation", None):
                    for node, text, what in self.of_expression(part):
                        yield make(node, text, what)
        test = getattr(statement, "test", None)
        if isinstance(test, ast.expr):
            yield from (make(*each) for each in self.negated(test))
        if isinstance(statement, ast.AugAssign) and type(statement.op) in _SIGNS:
            target, value = self.text(statement.target), self.text(statement.value)
            sign = _SIGNS[type(statement.op)]
            yield make(statement, f"{target} {sign}= {value}", "other sign")

    def of_expression(self, node: ast.AST) -> Iterator[tuple[ast.AST, str, str]]:
        """Yield (what is replaced, its replacement, why) for *node* and all inside it."""
        if isinstance(node, ast.Call) and _name(node.func) in _TOLD:
            return
        if isinstance(node, ast.Subscript) and _name(node.value) == "Literal":
            return
        yield from self.of_node(node)
        keys = node.keys if isinstance(node, ast.Dict) else []
        for child in ast.iter_child_nodes(node):
            if child in keys:
                continue
            if isinstance(child, ast.expr | ast.keyword | ast.comprehension | ast.withitem):
                yield from self.of_expression(child)

    def of_node(self, node: ast.AST) -> Iterator[tuple[ast.AST, str, str]]:
        if isinstance(node, ast.Compare):
            yield from self.of_comparison(node)
        elif isinstance(node, ast.BoolOp):
            word = "or" if isinstance(node.op, ast.And) else "and"
            parts = [f"({self.text(value)})" for value in node.values]
            yield node, f" {word} ".join(parts), f"and, or: {word}"
            same = "and" if word == "or" else "or"
            for left_out in range(len(parts)):
                rest = parts[:left_out] + parts[left_out + 1 :]
                yield node, f"({f' {same} '.join(rest)})", "condition left out"
        elif isinstance(node, ast.BinOp) and type(node.op) in _SIGNS:
            left, right = self.text(node.left), self.text(node.right)
            yield node, f"(({left}) {_SIGNS[type(node.op)]} ({right}))", "other sign"
            if isinstance(node.op, ast.BitAnd | ast.BitOr):
                yield node, f"({left})", "part left out"
                yield node, f"({right})", "part left out"
        elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.UAdd):
            yield node, f"({self.text(node.operand)})", "no negation"
        elif isinstance(node, ast.Constant):
            yield from self.of_constant(node)
        elif isinstance(node, ast.Call):
            yield from self.of_call(node)
        elif isinstance(node, ast.IfExp):
            yield from self.negated(node.test)
        elif isinstance(node, ast.comprehension):
            for condition in node.ifs:
                yield from self.negated(condition)
                yield condition, "True", "condition left out"
        elif isinstance(node, ast.Set) and len(node.elts) > 1:
            yield from self.of_elements(node, "{%s}")

    def of_comparison(self, node: ast.Compare) -> Iterator[tuple[ast.AST, str, str]]:
        parts = [self.text(node.left), *(self.text(each) for each in node.comparators)]
        for number, op in enumerate(node.ops):
            for sign in _COMPARISONS[type(op)]:
                text = parts[0]
                for other, (each, part) in enumerate(zip(node.ops, parts[1:], strict=True)):
                    text += f" {sign if other == number else _WRITTEN[type(each)]} {part}"
                yield node, f"({text})", "other comparison"
            among = node.comparators[number]
            if isinstance(among, ast.Tuple | ast.List) and isinstance(op, ast.In | ast.NotIn):
                yield from self.of_elements(among, "(%s,)")

    def of_elements(self, node: ast.expr, brackets: str) -> Iterator[tuple[ast.AST, str, str]]:
        elements = [self.text(element) for element in getattr(node, "elts", [])]
        if len(elements) < 2:
            return
        for left_out in range(len(elements)):
            rest = ", ".join(elements[:left_out] + elements[left_out + 1 :])
            yield node, brackets % rest, "element left out"

    def of_constant(self, node: ast.Constant) -> Iterator[tuple[ast.AST, str, str]]:
        if isinstance(node.value, bool):
            yield node, str(not node.value), "constant"
        elif isinstance(node.value, int):
            yield node, str(node.value + 1), "constant"
        elif isinstance(node.value, str) and node.value in _OTHER_ACTION:
            yield node, repr(_OTHER_ACTION[node.value]), "other action"

    def of_call(self, node: ast.Call) -> Iterator[tuple[ast.AST, str, str]]:
        name = _name(node.func)
        if name in _OTHER_CALL:
            function = self.text(node.func)
            if isinstance(node.func, ast.Name) or name in {"filter", "exclude"}:
                yield node.func, function[: -len(name)] + _OTHER_CALL[name], "other call"
        is_of_dict = name == "get" and not node.keywords  # a dictionary's `get`
        if name in _CONDITIONS and not is_of_dict:
            arguments = [*node.args, *node.keywords]
            texts = [self.text(argument) for argument in arguments]
            for left_out in range(len(texts)):
                if isinstance(arguments[left_out], ast.keyword | ast.expr):
                    rest = ", ".join(texts[:left_out] + texts[left_out + 1 :])
                    yield node, f"{self.text(node.func)}({rest})", "argument left out"

    def negated(self, test: ast.expr) -> Iterator[tuple[ast.AST, str, str]]:
        """Negate a condition, unless its comparisons and signs are changed anyway."""
        is_changed_anyway = isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp)
        if not is_changed_anyway:
            yield test, f"(not ({self.text(test)}))", "negation"

    def text(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.bytes[start:end].decode()

    def span(self, node: ast.AST) -> tuple[int, int]:
        places = (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset)  # type: ignore[attr-defined]
        first, last, start, end = places
        return self.starts[first - 1] + start, self.starts[last - 1] + end

    def mutant(
        self,
        node: ast.AST,
        text: str,
        what: str,
        scope: str,
        lines: range,
        names: tuple[str, ...],
        before: int = 0,
    ) -> Mutant:
        start, end = self.span(node)
        source = (self.bytes[: start - before] + text.encode() + self.bytes[end:]).decode()
        line = node.lineno  # type: ignore[attr-defined]
        return Mutant(line, scope, lines, names, what, source, what == "no decorator")


def _lines(statement: ast.stmt) -> range:
    return range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)


def _name(function: ast.expr) -> str:
    """Return the last name of what is called: "filter" of `User.objects.filter`."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _is_quiet(statement: ast.stmt) -> bool:
    """Return whether a statement does nothing that a test should notice: texts, types, logs."""
    if isinstance(statement, ast.Import | ast.ImportFrom | ast.Assert | ast.Pass):
        return True
    if isinstance(statement, ast.If) and _name(statement.test) == "TYPE_CHECKING":
        return True
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.BinOp):
        return _is_type(statement.value)
    if not isinstance(statement, ast.Expr):
        return False
    value = statement.value
    if isinstance(value, ast.Constant):
        return True
    return isinstance(value, ast.Call) and ast.unparse(value.func).startswith("logger.")


def _is_type(value: ast.expr) -> bool:
    """Return whether a value is a union of types: its parts are names of classes."""
    if isinstance(value, ast.BinOp):
        return _is_type(value.left) and _is_type(value.right)
    name = _name(value.value if isinstance(value, ast.Subscript) else value)
    is_class = name[:1].isupper() and not name.isupper() and name != "Q"
    return is_class or name in {"str", "int"}


def _can_go(statement: ast.stmt, *, is_end: bool) -> bool:
    """Return whether the function still makes sense without the statement."""
    if isinstance(statement, ast.Return):
        return not is_end
    if isinstance(statement, ast.Assign):
        return any(
            isinstance(target, ast.Attribute | ast.Subscript) for target in statement.targets
        )
    return isinstance(statement, ast.Expr | ast.AugAssign | ast.Raise | ast.Delete | ast.Continue)


def _assigned(statement: ast.stmt) -> tuple[str, ...]:
    if isinstance(statement, ast.Assign):
        targets = [*statement.targets]
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    else:
        return ()
    names = [each for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]
    return tuple(name.id for name in names)

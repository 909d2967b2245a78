"""The variable that a source line assigns a result to: `z` in `z = x * y`."""

from __future__ import annotations

import ast
from functools import lru_cache

__all__ = ["assigned_name"]

# public names of the ops that operators call
_OPERATORS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Add: ("add",),
    ast.Sub: ("sub", "rsub"),
    ast.Mult: ("mul",),
    ast.Div: ("div", "true_divide", "reciprocal"),
    ast.Pow: ("pow",),
    ast.MatMult: ("matmul", "mm", "mv", "dot"),
    ast.USub: ("neg",),
}


@lru_cache(maxsize=4096)
def assigned_name(text: str, op: str) -> str:
    """The variable that a line assigns if the assigned value is the result of this op.

    Only a single name, assigned from one operator or call, is recognised.

    Example:
        >>> assigned_name("z = x * y", "mul"), assigned_name("n = len(x * y)", "mul")
        ('z', '')
    """
    try:
        (line,) = ast.parse(text).body
    except (SyntaxError, ValueError):
        return ""
    if not isinstance(line, ast.Assign) or len(line.targets) != 1:
        return ""
    target = line.targets[0]
    if isinstance(target, ast.Name) and op in _made_by(line.value):
        return target.id
    return ""


def _made_by(value: ast.expr) -> tuple[str, ...]:
    """The ops that may compute the value of an expression, as its last step."""
    if isinstance(value, ast.BinOp | ast.UnaryOp):
        return _OPERATORS.get(type(value.op), ())
    if isinstance(value, ast.Call):
        function = value.func
        if isinstance(function, ast.Attribute):
            return (function.attr,)
        if isinstance(function, ast.Name):
            return (function.id,)
    return ()

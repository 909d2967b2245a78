"""Printed sparse expressions, in PyTorch and here.

`prints(expression)` compares the text of the result with PyTorch's, or the exception's
type and first line; `slopes(expression)` compares the text of all gradients. PyTorch's
answers are stored in `stored.json`; where it is installed they are checked, too.
`EDUTORCH_STORE=1 python -m pytest tests/ops/sparse` stores anew.
"""

from __future__ import annotations

import copy
import pickle
import warnings
from pathlib import Path
from typing import Any

import edutorch
from tests.answers import expected

__all__ = ["prints", "gradients"]

FILE = Path(__file__).with_name("stored.json")
PLACES = [[0, 1, 1], [2, 0, 2]]
TWICE = [[1, 0, 1], [1, 2, 1]]  # one position twice, not sorted


def _names(lib: Any) -> dict[str, Any]:
    v = lib.tensor([3.0, 4.0, 5.0])
    found = lib.sparse_coo_tensor(PLACES, v, (2, 3))
    rows = lib.sparse_coo_tensor([[0, 1]], [[1.0, 2.0], [3.0, 4.0]], (3, 2))
    return {
        "torch": lib, "copy": copy, "pickle": pickle, "v": v,
        "i": lib.tensor(PLACES), "S": found, "SC": found.coalesce(),
        "C": found.to_sparse_csr(), "H": rows, "E": lib.arange(4.0).reshape(2, 2),
        "U": lib.sparse_coo_tensor(TWICE, v, (2, 3)),
        "D": lib.arange(6.0).reshape(2, 3),
    }  # fmt: skip


def _text(lib: Any, expression: str) -> str:
    try:
        return repr(eval(expression, _names(lib)))
    except Exception as error:
        first = (str(error).splitlines() or [""])[0].split(" This could be")[0]
        kind = next(k for k in type(error).__mro__ if k.__module__ == "builtins")
        return f"{kind.__name__}: {first}"


def _slopes(lib: Any, expression: str) -> str:
    """The node's name and the gradients of a weighted sum of the result."""
    names = _names(lib)
    leaves = [names[n].requires_grad_() for n in ("S", "SC", "C", "H", "U", "D", "v")]
    try:
        y = eval(expression, names)
        node = y.grad_fn.name()
        y = y if y.layout is lib.strided else y.to_dense()
        (y * lib.arange(1.0, y.numel() + 1).reshape(y.shape)).sum().backward()
    except Exception as error:
        return type(error).__name__
    return f"{node} {[x.grad for x in leaves]}"


def _compare(kind: Any, expression: str) -> None:
    key = f"{kind.__name__.strip('_')} {expression}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch calls its compressed layouts new
        answer = expected(FILE, key, lambda lib: kind(lib, expression))
        assert kind(edutorch, expression) == answer


def prints(expression: str) -> None:
    """Check that an expression prints what it prints in PyTorch."""
    _compare(_text, expression)


def gradients(expression: str) -> None:
    """Check that an expression's gradients print as PyTorch's do."""
    _compare(_slopes, expression)

"""One expression, evaluated with PyTorch and with edutorch: the answers must agree.

Statements may come first: "y = x.clone(); y[0] = 1; y".

Compared are values, dtypes, shapes, strides, offsets, the nodes' names and the
gradients; where PyTorch raises, the type of the exception and its first line.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

import edutorch
from edutorch.ops.shape.pad import pad
from tests.oracle import torch

__all__ = ["assert_alike", "facts", "outcome"]

PAD = {"torch": torch.nn.functional.pad, "edutorch": pad}


def assert_alike(expression: str, *, looks: tuple[str, ...] = ()) -> None:
    """Evaluate an expression with both libraries and compare every fact.

    Args:
        expression: may use `torch`, `np`, `x` (3, 4), `v` (3), `s` (), `c` (complex),
            `k` (integers), `m` (mask for x), `g` (2, 3, 4) and `p` (3), which require
            grad, `L` (torch.tensor) and `pad`.
        looks: facts that may differ: "stride", "node", "offset".
    """
    expected = outcome(torch, expression)
    got = outcome(edutorch, expression)
    for fact in looks:
        for side in (*_dicts(expected), *_dicts(got)):
            side.pop(fact, None)
    assert got == expected or _close(got, expected), (
        f"{expression}\nPyTorch:  {expected}\nedutorch: {got}"
    )


def _dicts(value: Any) -> list[dict]:
    if isinstance(value, dict):
        return [value]
    if isinstance(value, (list, tuple)):
        return [d for v in value for d in _dicts(v)]
    return []


def outcome(lib: Any, expression: str) -> Any:
    """The facts of the result and the gradients, or the exception's type and line."""
    names = _names(lib)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            *statements, last = expression.split(";")
            exec(";".join(s.strip() for s in statements), names)
            result = eval(last.strip(), names)
            return [facts(lib, result), _gradients(lib, result, names)]
        except Exception as error:
            return [type(error).__name__, str(error).split("\n")[0].strip()]


def _names(lib: Any) -> dict[str, Any]:
    """Fresh tensors of every kind, equal in both libraries."""
    x = lib.from_numpy(np.arange(12, dtype=np.float32).reshape(3, 4))
    g = lib.from_numpy(np.arange(24, dtype=np.float64).reshape(2, 3, 4) / 7 - 1)
    p = lib.from_numpy(np.array([0.5, -1.0, 2.0]))
    return {
        "torch": lib, "np": np, "L": lib.tensor, "pad": PAD[lib.__name__], "x": x,
        "v": lib.arange(3.0), "s": lib.tensor(1.5), "k": lib.arange(6).reshape(2, 3),
        "c": lib.tensor([1 + 2j, 3 - 1j]), "m": x > 4,
        "g": g.requires_grad_(), "p": p.requires_grad_(),
    }  # fmt: skip


def facts(lib: Any, value: Any) -> Any:
    """What can be said of a result without comparing objects of two libraries."""
    if isinstance(value, lib.Tensor):
        return _tensor(lib, value)
    if isinstance(value, (list, tuple)):
        return [facts(lib, v) for v in value]
    if isinstance(value, (lib.dtype, lib.device)):
        return str(value)
    return value


def _tensor(lib: Any, t: Any) -> dict[str, Any]:
    plain = t.detach()
    if t.dtype is lib.bfloat16:
        plain = plain.float()
    node = t.grad_fn.name() if t.grad_fn is not None else None
    return {
        "dtype": str(t.dtype), "shape": tuple(t.shape), "stride": t.stride(),
        "offset": t.storage_offset(), "leaf": t.is_leaf, "grad": t.requires_grad,
        "node": node and node.removeprefix("torch::autograd::"),
        "values": plain.resolve_conj().numpy().tolist(),
    }  # fmt: skip


def _gradients(lib: Any, result: Any, names: dict[str, Any]) -> Any:
    """Gradients of g and p from a fixed weighting of everything differentiable."""
    total = None
    for t in _tensors(lib, result):
        if t.requires_grad and t.numel():
            real = lib.view_as_real(t) if t.is_complex() else t
            weights = lib.from_numpy(np.cos(np.arange(real.numel()) + 1.0))
            term = (real.reshape(-1).double() * weights).sum()
            total = term if total is None else total + term
    if total is None:
        return None
    inputs = [names["g"], names["p"]]
    got = lib.autograd.grad(total, inputs, allow_unused=True)
    return [None if g is None else g.detach().numpy().tolist() for g in got]


def _tensors(lib: Any, value: Any) -> list[Any]:
    if isinstance(value, lib.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [t for v in value for t in _tensors(lib, v)]
    return []


def _close(a: Any, b: Any) -> bool:
    """Equal but for the last digits of floating point numbers."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_close(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(_close, a, b))
    if isinstance(a, (float, complex)) and isinstance(b, (float, complex)):
        return bool(np.isclose(a, b, rtol=1e-5, atol=1e-7, equal_nan=True))
    return a == b

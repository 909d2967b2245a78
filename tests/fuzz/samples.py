"""Calls from PyTorch's table of operations, written as programs.

The table (`torch.testing`) has samples of the arguments of each operation. A call is
one of them as text, with tensors in an order of memory that is drawn, too.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import numpy as np

from tests.oracle import torch

__all__ = ["DTYPES", "Text", "draw", "names"]

DTYPES = (
    "float32", "float64", "int64", "bool", "complex64", "bfloat16", "uint8", "float16",
    "complex128", "int16",
)  # fmt: skip
# Properties, and what gives no dense tensor.
LEFT_OUT = ("T", "H", "mT", "mH", "to_sparse", "chalf")
MOST = 150  # samples of an operation in one dtype
LARGE = 2_000  # elements; larger samples are left out
ORDERS = (
    "as it is",
    "as it is",
    "reversed",
    "transposed",
    "channels",
    "gaps",
    "expanded",
)


class UntoldError(Exception):
    """An argument that has no text."""


@cache
def table() -> dict[str, Any]:
    """The operations that both libraries have under one name: text to call, entry."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch.testing._internal.common_methods_invocations import (
            op_db,
        )
    found: dict[str, Any] = {}
    for op in op_db:
        short = op.name.rpartition(".")[2]
        if "_" in (op.name[0], short[0]) or short in LEFT_OUT or "aten" in op.name:
            continue
        where = f"torch.{op.name}"
        if _named(op.name) is not op.op and hasattr(torch.Tensor, op.name):
            where = f"torch.Tensor.{op.name}"
        elif _named(op.name) is None:
            continue
        found[f"{where} {op.variant_test_name}"] = op
    return found


@cache
def names() -> list[str]:
    """The keys of the table."""
    return list(table())


def _named(name: str) -> Any:
    here: Any = torch
    for part in name.split("."):
        here = getattr(here, part, None)
    return here


@cache
def samples(key: str, dtype: str, errors: bool) -> list[Any]:
    """The samples of an operation, the same in each process."""
    op, kind = table()[key], getattr(torch, dtype)
    if not (errors or op.supports_dtype(kind, "cpu")):
        return []
    torch.manual_seed(0)
    random.seed(0)
    np.random.seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            # `op.sample_inputs` reads the stack of the caller before each sample, which
            # takes longer than everything else.
            if errors:
                made = op.error_inputs_func and op.error_inputs_func(op, "cpu")
                drawn = (e.sample_input for e in made or ())
            else:
                drawn = op.sample_inputs_func(op, "cpu", kind, False)
            return list(islice(drawn, MOST))
        except Exception:  # the table's own
            return []


def draw(rng: random.Random, text: Text) -> tuple[str, list[str]]:
    """A call of one operation, and the lines that make its tensors."""
    while True:
        key, dtype = rng.choice(names()), rng.choice(DTYPES)
        found = samples(key, dtype, rng.random() < 0.06)
        if not found:
            continue
        sample = rng.choice(found)
        text.lines.clear()
        text.leaves.clear()
        try:
            return called(rng, key, sample, text), text.lines
        except UntoldError:
            continue


def called(rng: random.Random, key: str, sample: Any, text: Text) -> str:
    """The text of a call: as a function, as a method, or in place."""
    name = key.partition(" ")[0]
    given = [text.of(v) for v in (sample.input, *sample.args)]
    given += [f"{k}={text.of(v)}" for k, v in sample.kwargs.items()]
    last = name.rpartition(".")[2]
    if name == f"torch.{last}" and isinstance(sample.input, torch.Tensor):
        chance = rng.random()
        if chance < 0.15 and hasattr(torch.Tensor, last):
            return f"{given[0]}.{last}({', '.join(given[1:])})"
        if chance < 0.3 and hasattr(torch.Tensor, f"{last}_"):
            return f"{given[0]}.{last}_({', '.join(given[1:])})"
    return f"{name}({', '.join(given)})"


class Text:
    """Writes arguments: tensors become their own lines.

    Args:
        rng: draws the order of memory of all tensors.
        device: "meta", where tensors have no values, or "cpu".
        grad: whether floating-point tensors ask for gradients.
    """

    def __init__(self, rng: random.Random, device: str, *, grad: bool) -> None:
        self.rng, self.device, self.grad = rng, device, grad
        self.order = rng.choice(ORDERS)
        self.lines: list[str] = []
        self.leaves: list[str] = []

    def of(self, v: Any) -> str:
        """An argument as text.

        Raises:
            UntoldError: if it has none.
        """
        if isinstance(v, torch.Tensor):
            return self.tensor(v)
        if isinstance(v, torch.Size):
            return f"torch.Size({list(v)})"
        if isinstance(v, (list, tuple)) and not hasattr(v, "_fields"):
            inside = ", ".join(map(self.of, v))
            if isinstance(v, list):
                return f"[{inside}]"
            return f"({inside},)" if v else "()"
        if v is None or v is Ellipsis or isinstance(v, (bool, int, complex, str)):
            return repr(v)
        if isinstance(v, float):
            return repr(v) if np.isfinite(v) else f"float({str(v)!r})"
        if isinstance(v, slice):
            return repr(v)
        if isinstance(v, (torch.dtype, torch.layout, torch.memory_format)):
            return str(v)
        if isinstance(v, torch.device):
            return repr(self.device)
        raise UntoldError(type(v))

    def tensor(self, t: Any) -> str:
        """The name of a new tensor."""
        if (
            t.layout is not torch.strided
            or t.is_nested
            or t.is_meta
            or t.numel() > LARGE
        ):
            raise UntoldError(t.layout)
        name, t = f"x{len(self.lines)}", t.detach().resolve_conj().resolve_neg()
        kind, size = f"dtype={t.dtype}", tuple(t.shape)
        order = self.order
        expands = order == "expanded" and size and size[0] > 1
        if expands:
            t = t[:1]
        made = f"torch.empty_strided({tuple(t.shape)}, {strides(t, order)}"
        if self.device == "meta":
            made += f", {kind}, device='meta')"
        else:
            made += f", {kind}).copy_({values(t, kind)})"
        if expands:
            made += f".expand({size})"
        if self.grad and t.dtype.is_floating_point | t.dtype.is_complex:
            made += ".requires_grad_()"
            self.leaves.append(name)
        self.lines.append(f"{name} = {made}")
        return name


def values(t: Any, kind: str) -> str:
    """A tensor's elements, row by row."""
    if t.dtype in (torch.bfloat16, torch.float16):
        t = t.float()
    listed = repr(t.tolist()).replace("nan", "np.nan").replace("inf", "np.inf")
    return f"torch.tensor({listed}, {kind})"


def strides(t: Any, order: str) -> tuple[int, ...]:
    """Strides for a tensor's shape in an order of memory."""
    size = tuple(t.shape)
    if order == "as it is":
        return tuple(t.stride())
    dims = list(range(len(size)))
    if order == "reversed":
        dims.reverse()
    elif order == "transposed" and len(size) > 1:
        dims[-2:] = dims[:-3:-1]
    elif order == "channels" and len(size) > 2:
        dims = [0, *dims[2:], 1]
    return tuple(_steps(size, dims, 2 if order == "gaps" else 1))


def _steps(size: tuple[int, ...], dims: list[int], step: int) -> Iterator[int]:
    """Strides of dimensions that lie in memory in the order of `dims`."""
    found = dict.fromkeys(dims, 0)
    for dim in reversed(dims):
        found[dim] = step
        step *= max(size[dim], 1)
    return iter(found[dim] for dim in range(len(size)))

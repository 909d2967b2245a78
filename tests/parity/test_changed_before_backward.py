"""Operands and results that change in place between forward and backward.

For the operations of PyTorch's table: backward refuses a changed value that it needs,
and refuses no other, up to the listed exceptions. A gradient that is computed in spite
of a change is the one of the unchanged values.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import edutorch
from tests.fuzz import samples
from tests.oracle import torch

# Refused here, while PyTorch's backward runs: (operation, what has changed).
STRICTER = {
    # The second derivative computes the factors again, from the operand.
    **dict.fromkeys(
        (
            "linalg.cond", "linalg.eig", "linalg.eigh", "linalg.eigvals",
            "linalg.eigvalsh", "linalg.lu", "linalg.lu_factor", "linalg.lu_factor_ex",
            "linalg.matrix_norm", "linalg.qr", "linalg.svd", "linalg.svdvals", "lu",
            "norm", "qr", "svd",
        ),
        "operand 0",
    ),
    # One op, which reads the scores a second time: the logarithms of the softmax, which
    # PyTorch saves, are never written to memory.
    "nn.functional.cross_entropy": "operand 0",
    # In blocks, of which PyTorch computes the gradients in the forward.
    "nn.functional.linear_cross_entropy": "operand",
    # The formula uses the result, which is exact where the operand is rounded.
    "erfinv": "result 0",
    # A product with a power of two, which saves both factors.
    "ldexp": "operand 0",
    # The formulas use the operands where PyTorch's use the result.
    "polar": "operand",
    "special.ndtr": "operand 0",
}  # fmt: skip
# Computed in spite of a change, from changed values, in PyTorch as well.
UNNOTICED = ("kron",)
# Draw random numbers, or take sparse operands.
LEFT_OUT = (
    "dropout", "rrelu", "fractional", "normal", "multinomial", "bernoulli",
    "multi_head_attention", "sparse",
)  # fmt: skip


def keys():
    """The operations of the table that have derivatives."""
    for key, op in samples.table().items():
        if op.supports_autograd and not any(word in key for word in LEFT_OUT):
            yield key


def in_edutorch(value):
    """An argument with tensors of edutorch in the place of PyTorch's."""
    if isinstance(value, torch.Tensor):
        return edutorch.from_numpy(value.detach().numpy().copy()).requires_grad_(
            value.is_floating_point()
        )
    if isinstance(value, (tuple, list)):
        return type(value)(map(in_edutorch, value))
    if isinstance(value, dict):
        return {name: in_edutorch(item) for name, item in value.items()}
    if isinstance(value, (torch.dtype, torch.layout, torch.memory_format)):
        return getattr(edutorch, str(value).rpartition(".")[2])
    return value


def cloned(value, library):
    """An argument with copies of its tensors, which are no leaves."""
    if isinstance(value, library.Tensor):
        return value.clone()
    if type(value) in (tuple, list):
        return type(value)(cloned(item, library) for item in value)
    if isinstance(value, dict):
        return {name: cloned(item, library) for name, item in value.items()}
    return value


def tensors(value, library):
    """The tensors in nested arguments or results."""
    if isinstance(value, library.Tensor):
        return [value]
    if isinstance(value, dict):
        value = tuple(value.values())
    if not isinstance(value, (tuple, list)):
        return []
    return [t for item in value for t in tensors(item, library)]


def gradients(library, function, arguments, changed=""):
    """The gradients of the operands, "refused", or None where there are none.

    There are none for a call or a change that the library refuses, either.

    Args:
        changed: what changes before backward: "operand 0", "result 1", ...
    """
    args, kwargs = cloned(arguments, library)
    operands = tensors((args, kwargs), library)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results = tensors(function(*args, **kwargs), library)
            if any(y is x for y in results for x in operands):
                return None
            if changed:
                kind, number = changed.split()
                change(
                    library, (operands if kind == "operand" else results)[int(number)]
                )
            outs = [y for y in results if y.requires_grad]
            ins = [x for x in operands if x.requires_grad]
            gs = [library.ones_like(y) for y in outs]
            found = library.autograd.grad(outs, ins, gs, allow_unused=True)
    except Exception as error:
        return "refused" if "modified by an inplace" in str(error) else None
    return [None if g is None else np.nan_to_num(g.numpy()) for g in found]


def change(library, x):
    """Change all elements of a tensor in place; indices stay valid."""
    with library.no_grad():
        if x.dtype is library.bool:
            x.logical_not_()
        elif x.is_floating_point() or x.is_complex():
            x.mul_(3).add_(0.375)
        else:
            x.zero_()


def cases(key):
    """Calls of an operation in both libraries: functions, and arguments."""
    name = key.partition(" ")[0].removeprefix("torch.")
    ours, theirs = edutorch, torch
    for part in name.split("."):
        ours, theirs = getattr(ours, part, None), getattr(theirs, part)
    for sample in samples.samples(key, "float64", errors=False)[:2]:
        given = ((sample.input, *sample.args), sample.kwargs)
        with_grad = [t.requires_grad_() for t in tensors(given, torch) if floating(t)]
        if ours is not None and with_grad:
            yield ours, theirs, given


def floating(x):
    return x.is_floating_point() and x.is_leaf


@pytest.mark.parametrize("key", list(keys()))
def test_what_changes_before_backward_is_noticed_if_it_is_needed(key):
    name = key.partition(" ")[0].removeprefix("torch.").removeprefix("Tensor.")
    for ours, theirs, given in cases(key):
        own = in_edutorch(given)
        expected = gradients(edutorch, ours, own)
        if expected is None:
            continue
        for changed in [f"{k} {i}" for k in ("operand", "result") for i in range(3)]:
            got = gradients(edutorch, ours, own, changed)
            if got == "refused":
                stricter = changed.startswith(STRICTER.get(name, "none"))
                allowed = stricter or gradients(torch, theirs, given, changed)
                assert allowed in (True, None, "refused"), f"{name}: {changed}"
            elif got is not None and name not in UNNOTICED:
                for g, wanted in zip(got, expected, strict=True):
                    same = g is wanted or np.allclose(g, wanted, rtol=1e-6, atol=1e-8)
                    assert same, f"{name}: wrong gradient after {changed}"

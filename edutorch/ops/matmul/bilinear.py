"""Bilinear maps."""

from __future__ import annotations

from typing import Any

from ...autograd import modes as _m
from ...autograd.batched_tensor import any_batched
from ...autograd.dispatch import Op, apply
from ...op_events import reported
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors, refuse_complex_gradients
from ..reduce.sums import sum
from ..registration import composite
from ..shape.squeezing import unsqueeze
from ..shape.transposing import transpose
from ..shape.views import flatten, reshape
from .linear import Linear, linear

__all__ = ["bilinear"]


class Trilinear(Op):
    """The bilinear map of the rows of two matrices.

    Math: y[i, k] = x₁[i]ᵀ w[k] x₂[i]
          ∂L/∂x₁[i] = Σₖ g[i, k] w[k] x₂[i]      ∂L/∂x₂[i] = Σₖ g[i, k] w[k]ᵀ x₁[i]
          ∂L/∂w[k] = Σᵢ g[i, k] x₁[i] x₂[i]ᵀ
    Shape: (i, n), (k, n, m), (i, m) -> (i, k)
    """

    same_device = slice(None)

    def forward(self, a: Any, w: Any, b: Any) -> Any:
        size = a.shape[1] * b.shape[1]
        pairs = a[:, :, None] * b[:, None, :]  # (i, n, m)
        return Linear().forward(pairs.reshape(len(a), size), w.reshape(len(w), size))

    def backward(self, g: Any) -> Any:
        a, w, b = self.inputs
        (rows, n), (_, m), count = a.shape, b.shape, w.shape[0]
        share = reshape(g @ reshape(w, (count, n * m)), (rows, n, m))
        pairs = unsqueeze(a, -1) * unsqueeze(b, -2)  # (i, n, m)
        return (
            sum(share * unsqueeze(b, -2), (-1,)),
            reshape(transpose(g, 0, 1) @ reshape(pairs, (rows, n * m)), (count, n, m)),
            sum(share * unsqueeze(a, -1), (-2,)),
        )


@composite
@reported
def bilinear(
    input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None
) -> Tensor:
    """A bilinear map of two inputs.

    Math: y[k] = x₁ᵀ w[k] x₂ + b[k]
          ∂L/∂x₁ = Σₖ g[k] w[k] x₂      ∂L/∂x₂ = Σₖ g[k] w[k]ᵀ x₁
          ∂L/∂w[k] = g[k] x₁ x₂ᵀ      ∂L/∂b = g
    Shape: (*, n), (*, m), (k, n, m), (k) -> (*, k)

    Example:
        >>> import edutorch as torch
        >>> w = torch.tensor([[[0.0, 1.0], [2.0, 0.0]]])
        >>> torch.bilinear(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 5.0]), w)
        tensor([17.])
    """
    if _m.special_modes and bilinear in _m.modes.autocast:
        return _m.autocast(bilinear, input1, input2, weight, bias)
    biases = {} if bias is None else {"bias": bias}
    need_tensors("bilinear", input1=input1, input2=input2, weight=weight, **biases)
    _check_bilinear(input1, input2, weight, bias)
    if any_batched((input1, input2, weight)):
        pairs = unsqueeze(input1, -1) * unsqueeze(input2, -2)  # (*, n, m)
        y = linear(flatten(pairs, -2), flatten(weight, 1))
    else:
        left, right = (reshape(x, (-1, x.shape[-1])) for x in (input1, input2))
        y = apply(Trilinear(), left, weight, right)
        refuse_complex_gradients("_trilinear", y)
        y = reshape(y, (*input1.shape[:-1], weight.shape[0]))
    return y if bias is None else y + bias


def _check_bilinear(x1: Any, x2: Any, w: Any, b: Any) -> None:
    """Raise for dtypes and sizes that do not fit, with PyTorch's messages."""
    operands = {"input1": x1, "input2": x2, "weight": w, "bias": b}
    given = {name: x.dtype for name, x in operands.items() if x is not None}
    if len({*given.values()}) > 1:
        listed = ", ".join(f"{name}: {dtype.c_name}" for name, dtype in given.items())
        raise RuntimeError(f"All tensors must have the same dtype, got {listed}")
    wrong = ""
    if x1.ndim != x2.ndim:
        wrong = f"input dimensions do not match: got {x1.ndim} and {x2.ndim}"
    for i, (n, m) in enumerate(zip(x1.shape[:-1], x2.shape[:-1], strict=False)):
        if not wrong and n != m:
            wrong = f"input batch dimensions do not match at dim {i}: got {n} and {m}"
    sizes = [("input1", x1, -1, 1), ("input2", x2, -1, 2)]
    if b is not None:
        sizes.append(("bias", b, 0, 0))
    for name, x, dim, other in sizes:
        size, expected = (0, 0) if wrong else (x.size(dim), w.size(other))
        if size != expected:
            wrong = (
                f"{name} size does not match weight size: got {size} but expected "
                f"{expected}"
            )
    if wrong:
        raise RuntimeError(f"bilinear(): {wrong}")

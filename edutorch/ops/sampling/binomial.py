"""Samples of binomial distributions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.dispatch import Op, apply
from ...autograd.op_errors import no_meta_kernel
from ...backends import array_module
from ...random import Generator
from ...random import binomial as trials
from ...random.generator import generator_for
from ...tensor.tensor import Tensor
from ..argument_checks import tensor_of
from ..promotion import refuse_dtype

__all__ = ["binomial"]


class Binomial(Op):
    """The number of successes in n trials with probability p.

    Math: P(y = k) = n! / (k! (n - k)!) · pᵏ (1 - p)ⁿ⁻ᵏ      ∂L/∂n = 0      ∂L/∂p = 0
    """

    forward_in_single = False
    attributes = ("generator",)
    saves = ()

    def __init__(self, generator: Generator) -> None:
        self.generator = generator

    def check(self, n: Any, p: Any) -> None:
        if n.is_meta:
            raise NotImplementedError(no_meta_kernel("binomial"))
        for name, x in (("count", n), ("prob", p)):
            if not x.dtype.is_floating_point:
                raise ValueError(
                    f"binomial only supports floating-point dtypes for {name}, got: "
                    f"{x.dtype.short}"
                )
        if n.dtype is not p.dtype:
            raise RuntimeError(
                f"Found dtype {p.dtype.short} but expected {n.dtype.short}"
            )
        if n.dtype.itemsize < dtypes.float32.itemsize:
            refuse_dtype("binomial_cpu", n.dtype)

    def forward(self, n: Any, p: Any) -> Any:
        xp = array_module(n)
        if xp is not np:
            n, p = xp.asnumpy(n), xp.asnumpy(p)
        return xp.asarray(trials.binomial(self.generator, n, p))

    def backward(self, g: Any) -> Any:
        return g * 0, g * 0


def binomial(count: Tensor, prob: Tensor, generator: Generator | None = None) -> Tensor:
    """The number of successes in `count` trials with probability `prob`.

    Math: P(y = k) = n! / (k! (n - k)!) · pᵏ (1 - p)ⁿ⁻ᵏ      ∂L/∂n = 0      ∂L/∂p = 0
    Shape: (*), (*) -> (*), broadcast

    Raises:
        ValueError: for integers.
        RuntimeError: for operands of different dtypes.

    Reference: Hörmann, 1993

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> torch.binomial(torch.full((4,), 20.0), torch.full((4,), 0.3))
        tensor([9., 6., 5., 8.])
    """
    target = tensor_of(count, "binomial", "count")._device
    op = Binomial(generator_for(target, generator))
    return apply(op, count, prob)

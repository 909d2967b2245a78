"""Gamma and Dirichlet samples with gradients; PyTorch has them under private names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply, apply1, apply2
from ...autograd.op_errors import no_meta_kernel
from ...backends import array_module
from ...backends.meta import MetaArray
from ...kernels.reparameterization import dirichlet_grad, standard_gamma_grad
from ...random import Generator, gamma
from ...random.generator import generator_for
from ...tensor.tensor import Tensor
from ..argument_checks import tensor_of
from ..promotion import refuse_dtype

__all__ = [
    "_dirichlet_grad", "_sample_dirichlet", "_standard_gamma", "_standard_gamma_grad",
]  # fmt: skip


def _need_full_floats(kernel: str, x: Tensor) -> None:
    if not x.dtype.is_floating_point or x.dtype.itemsize < 4:
        refuse_dtype(kernel, x.dtype)


class _GammaDraw(Op):
    """Base class: samples with an array of shape parameters."""

    attributes = ("generator",)
    kernel = lacks_meta_kernel = ""

    def __init__(self, generator: Generator) -> None:
        self.generator = generator

    def check(self, a: Tensor) -> None:
        if not a.is_meta:
            _need_full_floats(self.kernel, a)
        elif self.lacks_meta_kernel:
            raise NotImplementedError(no_meta_kernel(self.lacks_meta_kernel))

    def forward(self, a: Any) -> Any:
        if type(a) is MetaArray:
            return a.copy("K")
        xp = array_module(a)
        return xp.asarray(self.draw(self.generator, a if xp is np else xp.asnumpy(a)))

    def draw(self, generator: Generator, a: Any) -> Any:
        raise NotImplementedError


class StandardGamma(_GammaDraw):
    """Gamma samples with rate 1.

    Math: y ~ Γ(a, 1)      ∂L/∂a = -g · (∂F(y; a)/∂a) / p(y; a)
    """

    kernel = "gamma_cpu"
    saves_output = True

    def draw(self, generator: Generator, a: Any) -> Any:
        return gamma.gamma(generator, a)

    def backward(self, g: Any) -> Any:
        return g * _standard_gamma_grad(self.inputs[0], self.output)


class SampleDirichlet(_GammaDraw):
    """Dirichlet samples; PyTorch's derivative is `_dirichlet_grad`.

    Math: y ~ Dir(a)      no derivative: `Dirichlet.rsample` has it
    """

    kernel = "dirichlet"
    lacks_meta_kernel = "_sample_dirichlet"

    def draw(self, generator: Generator, a: Any) -> Any:
        return gamma.dirichlet(generator, a)

    def backward(self, g: Any) -> Any:
        raise RuntimeError("derivative for aten::_sample_dirichlet is not implemented")


class StandardGammaGrad(Op):
    """The derivative of a gamma sample with respect to its shape parameter.

    Math: y = -(∂F(x; a)/∂a) / p(x; a)      no derivative
    """

    def check(self, a: Tensor, x: Tensor) -> None:
        _need_full_floats("_standard_gamma_grad_cpu", a)

    def forward(self, a: Any, x: Any) -> Any:
        return standard_gamma_grad(a, x)

    def backward(self, g: Any) -> Any:
        raise NotImplementedError(
            "the derivative for '_standard_gamma_grad' is not implemented."
        )


class DirichletGrad(Op):
    """The derivative of a Dirichlet sample's entry with respect to its parameter.

    Math: y = -(∂F(x; a, b)/∂a) / (p(x; a, b) (1 - x)), b = total - a      no derivative
    """

    def check(self, x: Tensor, a: Tensor, total: Tensor) -> None:
        _need_full_floats("_dirichlet_grad_cpu", x)

    def forward(self, x: Any, a: Any, total: Any) -> Any:
        return dirichlet_grad(x, a, total)

    def backward(self, g: Any) -> Any:
        raise RuntimeError("derivative for aten::_dirichlet_grad is not implemented")


def _standard_gamma(input: Tensor, generator: Generator | None = None) -> Tensor:
    """Gamma samples with rate 1 and the given shape parameters.

    Math: y ~ Γ(input, 1)      ∂L/∂input = -g · (∂F(y; input)/∂input) / p(y; input)
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for anything but float32 and float64.

    Reference: Marsaglia and Tsang, 2000; the gradient: Figurnov et al., 2018

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> torch._standard_gamma(torch.tensor([0.5, 5.0]))
        tensor([7.8936e-04, 2.7153e+00])
    """
    a = tensor_of(input)
    return apply1(StandardGamma(generator_for(a._device, generator)), a)


def _standard_gamma_grad(input: Tensor, output: Tensor) -> Tensor:
    """The derivative of gamma samples (`output`) with respect to `input`.

    Math: y = -(∂F(x; a)/∂a) / p(x; a)
    Shape: (*), (*) -> (*), broadcast

    Example:
        >>> import edutorch as torch
        >>> torch._standard_gamma_grad(torch.tensor([1.0]), torch.tensor([1.0]))
        tensor([1.1736])
    """
    return apply2(StandardGammaGrad(), input, output)


def _sample_dirichlet(input: Tensor, generator: Generator | None = None) -> Tensor:
    """Dirichlet samples; entries are along the last dimension.

    Math: y ~ Dir(input)
    Shape: (*, n) -> (*, n)

    Raises:
        NotImplementedError: for anything but float32 and float64.

    Example:
        >>> import edutorch as torch
        >>> torch._sample_dirichlet(torch.ones(2)).sum()
        tensor(1.)
    """
    a = tensor_of(input)
    return apply1(SampleDirichlet(generator_for(a._device, generator)), a)


def _dirichlet_grad(x: Tensor, alpha: Tensor, total: Tensor) -> Tensor:
    """The derivative of Dirichlet samples `x` by their parameters, over 1 - x.

    Math: y = -(∂F(x; a, b)/∂a) / (p(x; a, b) (1 - x)), b = total - a
    Shape: (*), (*), (*) -> (*)

    Reference: Figurnov et al., 2018

    Example:
        >>> import edutorch as torch
        >>> half, one = torch.tensor([0.5]), torch.tensor([1.0])
        >>> torch._dirichlet_grad(half, one, 2 * one)
        tensor([0.6931])
    """
    return apply(DirichletGrad(), x, alpha, total)

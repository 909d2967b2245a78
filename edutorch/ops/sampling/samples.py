"""Samples with tensors as parameters: bernoulli, multinomial, poisson, normal."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.dispatch import Op, apply, apply1
from ...autograd.modes import modes
from ...autograd.op_errors import broadcast_error
from ...backends import array_module
from ...backends.meta import META, MetaArray
from ...dtypes import as_number
from ...errors import raise_if
from ...random import Generator, discrete
from ...random.generator import generator_for
from ...tensor.tensor import Tensor
from ..argument_checks import number_of, refuse_kinds, tensor_of, type_error
from ..argument_errors import check_call, invalid_combination
from ..create.factory import shape_of
from ..int_arguments import int_of
from ..number_ranges import checked_number
from ..out_devices import device_message
from ..out_history import gradient_error
from ..promotion import refuse_dtype
from ..registration import copyto, public
from .distributions import Bernoulli, Normal
from .draw import drawn_like, new
from .inplace import expand_on_host

__all__ = ["bernoulli", "multinomial", "normal", "poisson"]


@public("bernoulli")
def bernoulli(
    input: Tensor,
    p: float | None = None,
    *,
    generator: Generator | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """1 with the probability given by `input` (or p), else 0.

    Math: P(y = 1) = input      ∂L/∂input = 0
    Shape: (*) -> (*)

    Raises:
        RuntimeError: if a number is not a probability.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> torch.bernoulli(torch.tensor([0.1, 0.9, 0.5, 0.5]))
        tensor([0., 1., 1., 1.])
    """
    input = tensor_of(input, "bernoulli")
    if p is None and input.numel():
        refuse_kinds("bernoulli_tensor_cpu_self_", "c", input)
    chance = (
        expand_on_host(input, input) if p is None else number_of(p, "p", "bernoulli")
    )
    if out is not None:
        check_call(p is None)
        _check_out("bernoulli", out, input)
        drawn = drawn_like(_memory(out, input), Bernoulli(chance, form=1), generator)
        return copyto(out, drawn, "bernoulli", (input,))
    op = Bernoulli(chance, form=0)
    op.generator = generator_for(input._device, generator)
    result: Tensor = apply1(op, input)
    return result


def _check_out(function: str, out: Any, *operands: Any) -> None:
    """Check `out`, and refuse inputs that require grad."""
    tensor_of(out, function, "out")
    given = (x for x in (out, *operands) if isinstance(x, Tensor))
    if modes.grad and any(x._requires_grad for x in given):
        raise gradient_error(function)


def _memory(out: Tensor, input: Tensor) -> Tensor:
    """The array to fill, which has the dtype and memory order of `out`."""
    fits = out._device is input._device and out._data.shape == input._data.shape
    return out if fits else input.new_empty(input.shape, dtype=out.dtype)


class Multinomial(Op):
    """Indices drawn with probabilities proportional to weights; see `multinomial`."""

    forward_in_single = False
    attributes = ("num_samples", "replacement", "generator")
    differentiable = False

    def __init__(self, num_samples: int, replacement: bool, generator: Any) -> None:
        self.num_samples, self.replacement = num_samples, replacement
        self.generator = generator

    def check(self, x: Tensor) -> None:
        n = self.num_samples
        if x.is_meta:
            return
        weights = x._host_array()
        if weights.ndim not in (1, 2):
            raise RuntimeError("prob_dist must be 1 or 2 dim")
        if not x.dtype.is_floating_point:
            raise RuntimeError(
                "multinomial only supports floating-point dtypes for input, got: "
                f"{x.dtype.short}"
            )
        if n <= 0:
            raise RuntimeError("cannot sample n_sample <= 0 samples")
        if not self.replacement and n > weights.shape[-1]:
            raise RuntimeError(
                "cannot sample n_sample > prob_dist.size(-1) samples without "
                "replacement"
            )
        if weights.shape[-1] > 2**24:
            raise RuntimeError("number of categories cannot exceed 2^24")
        if not bool((np.isfinite(weights) & (weights >= 0)).all()):
            if self.replacement and n > 1:
                raise RuntimeError(_bad_weight(weights))
            raise RuntimeError(
                "probability tensor contains either `inf`, `nan` or element < 0"
            )
        if 0 not in weights.shape[:-1] and not bool((weights.sum(axis=-1) > 0).all()):
            raise RuntimeError(
                "invalid multinomial distribution (sum of probabilities <= 0)"
            )

    def forward(self, x: Any) -> Any:
        if type(x) is MetaArray:
            return META.xp.empty((*x.shape[:-1], self.num_samples), np.int64)
        xp = array_module(x)
        weights = x if xp is np else xp.asnumpy(x)
        return xp.asarray(
            discrete.multinomial(
                self.generator, weights, self.num_samples, self.replacement
            )
        )


def _bad_weight(weights: Any) -> str:
    what = "= infinity or NaN" if bool((weights >= 0).all()) else "< 0"
    return f"invalid multinomial distribution (encountering probability entry {what})"


@public("multinomial")
def multinomial(
    input: Tensor,
    num_samples: int,
    replacement: bool = False,
    *,
    generator: Generator | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Indices drawn with probabilities proportional to the weights in each row.

    Math: P(y = i) = w_i / Σ w
    Shape: (C) -> (num_samples), or (N, C) -> (N, num_samples)

    Raises:
        RuntimeError: for weights that are negative, not finite or all 0, and for more
            samples than there are without replacement.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> torch.multinomial(torch.tensor([0.0, 10.0, 3.0, 0.0]), 2)
        tensor([1, 2])
    """
    if replacement is not False and replacement is not True:
        raise type_error("bool", "replacement", replacement, "multinomial")
    target = tensor_of(input, "multinomial")._device
    on_target = isinstance(out, Tensor) and out._device is target
    if out is not None and on_target and out.dtype is not dtypes.int64:
        raise RuntimeError(
            f"multinomial expects Long tensor out, got: {out.dtype.short}"
        )
    op = Multinomial(
        int_of(num_samples, "num_samples", "multinomial"),
        bool(replacement),
        generator_for(target, generator),
    )
    result: Tensor = apply1(op, input)
    return result if out is None else copyto(out, result, "multinomial", (input,))


class Poisson(Op):
    """Poisson samples with means x.

    Math: P(y = k) = exp(-x) · xᵏ / k!      ∂L/∂x = 0
    """

    forward_in_single = False
    attributes = ("generator",)
    saves = ()

    def __init__(self, generator: Generator) -> None:
        self.generator = generator

    def check(self, x: Tensor) -> None:
        if x.is_meta:
            return
        if not x.dtype.is_floating_point:
            refuse_dtype("poisson_cpu", x.dtype)
        if not bool((x._data >= 0).all()):
            raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")

    def forward(self, x: Any) -> Any:
        if type(x) is MetaArray:
            return np.empty_like(x)
        xp = array_module(x)
        rates = x if xp is np else xp.asnumpy(x)
        return xp.asarray(discrete.poisson(self.generator, rates))

    def backward(self, g: Any) -> Any:
        return g * 0


def poisson(input: Tensor, generator: Generator | None = None) -> Tensor:
    """Samples of Poisson distributions with the given means.

    Math: P(y = k) = exp(-input) · inputᵏ / k!      ∂L/∂input = 0
    Shape: (*) -> (*)

    Raises:
        RuntimeError: if a mean is negative.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> torch.poisson(torch.full((4,), 3.0))
        tensor([6., 3., 2., 3.])
    """
    op = Poisson(generator_for(tensor_of(input, "poisson")._device, generator))
    result: Tensor = apply1(op, input)
    return result


class NormalOf(Op):
    """Normal samples with a mean and deviation for each element.

    Math: y ~ N(mean, std²)      ∂L/∂mean = 0      ∂L/∂std = 0
    Shape: (*), (*) -> (*), broadcast
    """

    forward_in_single = False
    attributes = ("generator",)
    torch_name = "Normal"
    saves = ()

    @property
    def constants(self) -> tuple[int, ...]:
        """Treat numbers as constants, which have no edge in the graph."""
        return (0, 1) if self.overload < 3 else ()

    def __init__(self, generator: Generator) -> None:
        self.generator = generator

    def check(self, mean: Any, std: Any) -> None:
        _check_deviation(std)
        first = mean if isinstance(mean, Tensor) else std
        if not isinstance(mean, Tensor):
            checked_number(float(mean), std.dtype, single=True)
        if first.dtype.kind < dtypes.FLOATING:
            shapes = [tuple(v.shape) for v in (mean, std) if isinstance(v, Tensor)]
            raise_if(broadcast_error(shapes))
            if not any(0 in shape for shape in shapes):
                refuse_dtype("normal_kernel_cpu", first.dtype)

    def forward(self, mean: Any, std: Any) -> Any:
        first = mean if hasattr(mean, "dtype") else std
        shape = np.broadcast_shapes(np.shape(mean), np.shape(std))
        numbers = Normal(0.0, 1.0 if hasattr(std, "dtype") else std)
        numbers.generator = self.generator
        drawn = numbers.draw(np.empty(shape, first.dtype), shape)
        x = array_module(first).asarray(drawn)
        if hasattr(std, "dtype"):  # the first operand decides about strides
            x = std * x if type(x) is MetaArray else x * std
        return (x + mean).astype(first.dtype, copy=False)

    def backward(self, g: Any) -> Any:
        return tuple(g * 0 if need else None for need in self.needs)


def _check_deviation(std: Any) -> None:
    """Raise for negative deviations."""
    if isinstance(std, Tensor):
        if not bool((std._data >= 0).all()):
            raise RuntimeError("normal expects all elements of std >= 0.0")
    elif not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")


def _normal_like(
    out: Tensor, mean: Any, std: Any, generator: Generator | None
) -> Tensor:
    """Normal samples in the memory order and precision of `out`."""
    x = out.detach()
    shapes: list[Any] = [t.shape for t in (mean, std) if isinstance(t, Tensor)]
    if not isinstance(std, Tensor):
        shapes.append(x.shape)  # a mean alone is added to what `out` holds
    raise_if(broadcast_error(shapes))
    shape = np.broadcast_shapes(*shapes)
    _check_deviation(std)
    like = x if x.shape == shape else x.new_empty(shape)
    if not isinstance(std, Tensor):
        return drawn_like(like, Normal(0.0, std), generator).add_(mean)
    return drawn_like(like, Normal(), generator).mul_(std).add_(mean)


def normal(
    mean: Any = 0.0,
    std: Any = 1.0,
    size: Any = None,
    *,
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: dtypes.dtype | None = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Normal samples; mean and deviation are tensors, or numbers with a size.

    Math: y ~ N(mean, std²)      ∂L/∂mean = 0      ∂L/∂std = 0
    Shape: (*), (*) -> (*), broadcast; or `size`

    Raises:
        RuntimeError: if a deviation is negative.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> torch.normal(torch.tensor([0.0, 100.0]), 0.5)
        tensor([ 0.7705, 99.8533])
    """
    tensors = [t for t in (mean, std) if isinstance(t, Tensor)]
    mean, std = (as_number(v) if isinstance(v, np.generic) else v for v in (mean, std))
    numbers = all(t.ndim == 0 for t in tensors)
    if size is not None and not numbers:
        raise invalid_combination("normal")
    if not all(isinstance(v, (Tensor, int, float)) for v in (mean, std)):
        raise invalid_combination("normal")
    if isinstance(std, Tensor) and std.is_complex():
        raise RuntimeError("normal expects standard deviation to be non-complex")
    if size is not None:
        mean, std = (number_of(v, "mean", "normal", "float") for v in (mean, std))
        tensors = []
    if tensors:
        if out is not None:
            _check_out("normal", out, mean, std)
            if out.is_meta and not tensors[0].is_meta:
                message = device_message("normal", meta=True)
                raise RuntimeError(
                    message.format(out=out._device, result=tensors[0]._device)
                )
            drawn = _normal_like(out, mean, std, generator)
            return copyto(out, drawn, "normal", (mean, std, size), variant="tensor")
        op = NormalOf(generator_for(tensors[0]._device, generator))
        op.overload = 3 if len(tensors) == 2 else 1 if tensors[0] is mean else 2
        result: Tensor = apply(op, mean, std)
        return result
    if not isinstance(size, (tuple, list)):
        raise invalid_combination("normal")
    shape = shape_of("normal", (), size)
    fill = Normal(mean, std)
    return new(fill, shape, generator, dtype, device, requires_grad, out, "normal")

"""Base class of ops that fill a tensor with random numbers, and related functions."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ... import devices, dtypes
from ...autograd.dispatch import Op, apply1
from ...autograd.float8 import check_float8
from ...autograd.inplace import alias_with_history, check_writable, update
from ...backends import array_module
from ...backends.meta import META, MetaArray
from ...kernels.memory_format import match_exact_strides
from ...process_memory import allocate, check_memory
from ...random import Generator
from ...random.continuous import empty_like, fill_axes
from ...random.generator import generator_for
from ...tensor.tensor import Tensor, preserve_format, wrap
from ..argument_checks import tensor_of
from ..convert.copy_fill import copy_in_order
from ..create.factory import numpy_dtype, same_dtype, tensor_on_device
from ..registration import copyto

__all__ = ["Draw", "drawn_like", "new_like", "new", "refill"]


class Draw(Op):
    """Fills a tensor like x with random numbers, in memory order.

    Math: y ~ a distribution      ∂L/∂x = 0
    """

    forward_in_single = False
    backward_in_single = False
    saves = ()
    generator: Generator
    kernel: ClassVar[str] = ""  # PyTorch's name of the kernel, in its messages

    def draw(self, x: Any, shape: tuple[int, ...]) -> Any:
        """Draw numbers for an array like x; `shape` is in memory order."""
        raise NotImplementedError(f"{type(self).__name__}.draw")

    def forward(self, x: Any) -> Any:
        if type(x) is MetaArray:
            return x.copy("K")
        xp = array_module(x)
        if x.flags.c_contiguous:
            y = self.draw(x, x.shape)
            return y if xp is np else xp.asarray(y)
        axes = fill_axes(x)
        drawn = self.draw(x, tuple(x.shape[i] for i in axes))
        if array_module(drawn) is not xp is np:  # a GPU's generator draws there
            return drawn.transpose(np.argsort(axes).tolist())
        y = xp.empty_like(x)
        y.transpose(axes)[...] = xp.asarray(drawn)
        return y

    def backward(self, g: Any) -> Any:
        return g * 0


def refill(x: Tensor, op: Draw, generator: Generator | None) -> Tensor:
    """Overwrite a tensor with the numbers that `op` draws."""
    check_writable(x)
    op.generator = generator_for(x._device, generator)
    old = alias_with_history(x)
    return update(x, old, apply1(op, old))


def new(
    op: Draw,
    shape: tuple[int, ...],
    generator: Generator | None,
    dtype: dtypes.dtype | None,
    device: Any,
    requires_grad: bool,
    out: Tensor | None = None,
    function: str = "",
) -> Tensor:
    """A new tensor of numbers drawn by `op`, for the public `function`.

    Raises:
        RuntimeError: for an `out` of another dtype.
    """
    if out is not None:
        dtype, device = same_dtype(dtype, out), out._device
    target = devices.to_device(device)
    op.generator = generator_for(target, generator)
    space = META.xp if target.type == "meta" else np
    # Numbers are stored in memory order.
    if out is not None and out._data.shape == shape:
        like = out._data
    else:
        like = allocate(space.empty, shape, numpy_dtype(dtype))
    if target.type == "meta" and out is not None:
        _check_meta(function, out)
        array = like
    else:
        array = _draw_on_host(op, like)
    if out is None:
        return tensor_on_device(array, target, requires_grad)
    copyto(out, tensor_on_device(array, target), function)
    return out.requires_grad_() if requires_grad else out


def _check_meta(function: str, out: Tensor) -> None:
    """Check the dtype of an `out` without data, for which few functions care.

    Raises:
        RuntimeError: for normal numbers that are integers.
    """
    if function in ("normal", "randn") and out.dtype.kind < dtypes.FLOATING:
        raise RuntimeError(
            f"expected a floating-point or complex dtype, but got dtype={out.dtype}"
        )


def new_like(
    x: Tensor, op: Draw, dtype: dtypes.dtype | None, device: Any, requires_grad: bool,
    generator: Generator | None = None, memory_format: Any = preserve_format,
) -> Tensor:  # fmt: skip
    """A new tensor with the shape of `x`, and its memory order or another."""
    target = tensor_of(x)._device if device is None else devices.to_device(device)
    op.generator = generator_for(target, generator)
    kind = numpy_dtype(dtype or x.dtype)
    if x._device is devices.CPU:
        check_memory(x._data.shape, kind)
    if x.is_meta and target.type != "meta":
        spec = empty_like(x._data, kind, np.empty)
    else:
        spec = empty_like(x._data, kind)
    if memory_format not in (None, preserve_format):
        spec = copy_in_order(spec, memory_format)
    spec = META.keep(spec) if target.type == "meta" else spec
    y = _draw_on_host(op, spec)
    if 1 in y.shape and memory_format in (None, preserve_format):
        y = match_exact_strides(y, x._data)
    return tensor_on_device(y, target, requires_grad)


def drawn_like(x: Tensor, op: Draw, generator: Generator | None) -> Tensor:
    """A new tensor of numbers, as `op` would draw them into `x`."""
    op.generator = generator_for(x._device, generator)
    return tensor_on_device(_draw_on_host(op, x._data), x._device)


def _draw_on_host(op: Draw, spec: Any) -> Any:
    op.check(wrap(spec))
    check_float8(op, spec)
    return op.forward(spec)

"""Moving a tree of modules to a device, and casting it to a dtype."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Self

from .. import __future__, devices, dtypes
from ..autograd.modes import no_grad
from ..ops.convert.to import target_of
from ..ops.create import empty_like
from ..tensor.swap_tensors import swap_tensors
from ..tensor.tensor import Tensor
from .parameter import Parameter, is_lazy
from .tree import Tree

__all__ = ["Movable"]

NO_DATA = (
    "Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() "
    "instead of torch.nn.Module.to() when moving module from meta to a different "
    "device."
)


class Movable(Tree):
    """The part of a module that converts all its parameters and buffers."""

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        """Replace the values of all parameters and buffers by `fn` of them."""
        if recurse:
            for module in self.children():
                module._apply(fn)
        with no_grad():
            for name, parameter in self._parameters.items():
                if parameter is not None:
                    self._parameters[name] = _converted(parameter, fn)
            for name, buffer in self._buffers.items():
                if is_lazy(buffer):
                    buffer.data = fn(buffer.data)  # it still waits for its shape
                elif buffer is not None:
                    self._buffers[name] = fn(buffer)
        return self

    def to(
        self, *args: Any, device: Any = None, dtype: Any = None,
        non_blocking: bool = False, memory_format: Any = None,
    ) -> Self:  # fmt: skip
        """Move to a device, or cast floating parameters and buffers to a dtype.

        The forms are `to(device)`, `to(dtype)`, `to(device, dtype)`, `to(tensor)`.

        Raises:
            TypeError: for a dtype of integers.

        Example:
            >>> import edutorch as torch
            >>> torch.nn.Linear(1, 1).to(torch.float64).weight.dtype
            torch.float64
        """
        if args:
            device, dtype, _ = target_of(args, device, dtype, False)
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(
                "nn.Module.to only accepts floating point or complex dtypes, but got "
                f"desired dtype={dtype}"
            )
        if dtype is not None and dtype.is_complex:
            warnings.warn(
                "Complex modules are a new feature under active development whose "
                "design may change, and some modules might not work as expected when "
                "using complex tensors as parameters or buffers. Please file an issue "
                "at https://github.com/pytorch/pytorch/issues/new?template=bug-report"
                ".yml if a complex module does not work as expected.",
                stacklevel=2,
            )
        where = None if device is None else devices.to_device(device)

        def convert(t: Tensor) -> Tensor:
            casts = t.is_floating_point() or t.is_complex()
            if t.is_meta and where is not None and where.type != "meta":
                raise NotImplementedError(NO_DATA)
            t = t.to(device=where, dtype=dtype if casts else None)
            shaped = memory_format is not None and t.ndim in (4, 5)
            return t.contiguous(memory_format=memory_format) if shaped else t

        return self._apply(convert)

    def to_empty(self, *, device: Any, recurse: bool = True) -> Self:
        """Move to a device without the values: memory there is not filled."""
        return self._apply(lambda t: empty_like(t, device=device), recurse)

    def cpu(self) -> Self:
        """Move to the computer's memory."""
        return self._apply(lambda t: t.cpu())

    def cuda(self, device: Any = None) -> Self:
        """Move to a GPU, by default the current one."""
        return self._apply(lambda t: t.cuda(device))

    def type(self, dst_type: Any) -> Self:
        """Cast all parameters and buffers to a dtype."""
        return self._apply(lambda t: t.type(dst_type))

    def float(self) -> Self:
        """Cast all floating parameters and buffers to float32."""
        return _cast(self, dtypes.float32)

    def double(self) -> Self:
        """Cast all floating parameters and buffers to float64."""
        return _cast(self, dtypes.float64)

    def half(self) -> Self:
        """Cast all floating parameters and buffers to float16."""
        return _cast(self, dtypes.float16)

    def bfloat16(self) -> Self:
        """Cast all floating parameters and buffers to bfloat16."""
        return _cast(self, dtypes.bfloat16)


def _converted(parameter: Any, fn: Callable[[Tensor], Tensor]) -> Any:
    """A parameter with values and gradient that `fn` makes: usually the same object."""
    gradient = parameter._grad
    if not (__future__._swap or __future__._overwrite) or is_lazy(parameter):
        parameter.data = fn(parameter.data)
        if gradient is not None:
            gradient.data = fn(gradient.data)
        return parameter
    fresh = Parameter(fn(parameter.detach()), parameter._requires_grad)
    if gradient is not None:
        fresh.grad = fn(gradient.detach()).requires_grad_(gradient._requires_grad)
    if not __future__._swap:
        return fresh
    fresh.__dict__.update(
        {k: v for k, v in parameter.__dict__.items() if k not in fresh.__dict__}
    )
    swap_tensors(parameter, fresh)
    return parameter


def _cast(module: Any, dtype: dtypes.dtype) -> Any:
    return module._apply(lambda t: t.to(dtype) if t.is_floating_point() else t)

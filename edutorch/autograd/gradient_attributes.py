"""Attributes of Tensor for gradients: `requires_grad`, `grad`, `is_leaf` ..."""

from __future__ import annotations

import warnings
from typing import Any

from .. import dtypes
from ..tensor.tensor import Tensor
from .modes import modes

__all__: list[str] = []


def _tensor_requires_grad(self: Tensor) -> bool:
    """Whether operations on this tensor are recorded for backward.

    Example:
        >>> import edutorch as torch
        >>> torch.ones(1, requires_grad=True).requires_grad
        True
    """
    return self._requires_grad or (self._base is not None and self._base._requires_grad)


def _set_requires_grad(self: Tensor, value: bool) -> None:
    if value and self._inference and not modes.inference:
        raise RuntimeError(
            "Setting requires_grad=True on inference tensor outside InferenceMode is "
            "not allowed."
        )
    if type(value) is not bool:
        raise RuntimeError("requires_grad must be a bool")
    if not value and self._grad_fn is not None:
        raise RuntimeError(
            "you can only change requires_grad flags of leaf variables. If you want to "
            "use a computed variable in a subgraph that doesn't require "
            "differentiation use var_no_grad = var.detach()."
        )
    if value and dtypes.of_numpy[self._data.dtype].kind < dtypes.FLOATING:
        raise RuntimeError(
            "only Tensors of floating point and complex dtype can require gradients"
        )
    self._requires_grad = value


def requires_grad_(self: Tensor, requires_grad: bool = True) -> Tensor:
    """Set `requires_grad` in place and return the tensor.

    Raises:
        RuntimeError: for integers and booleans.

    Example:
        >>> import edutorch as torch
        >>> torch.ones(1).requires_grad_()
        tensor([1.], requires_grad=True)
    """
    if type(requires_grad) is not bool:
        raise TypeError(
            "requires_grad_(): argument 'requires_grad' (position 1) must be bool, not "
            f"{type(requires_grad).__name__}"
        )
    if requires_grad and self._data.dtype.kind not in "fcVW":
        raise RuntimeError("only Tensors of floating point dtype can require gradients")
    self.requires_grad = requires_grad
    return self


def _tensor_is_leaf(self: Tensor) -> bool:
    """Whether this tensor was not made by a recorded op.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> x.is_leaf, (x * 2).is_leaf
        (True, False)
    """
    return self.grad_fn is None


def _tensor_output_nr(self: Tensor) -> int:
    """Which output of `grad_fn` this tensor is.

    Example:
        >>> import edutorch as torch
        >>> torch.ones(2, requires_grad=True).unbind()[1].output_nr
        1
    """
    return self._output_nr


def _tensor_grad(self: Tensor) -> Tensor | None:
    """The gradient that backward accumulated, or None: not computed yet.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(1, requires_grad=True)
        >>> (x * 2).sum().backward()
        >>> x.grad
        tensor([2.])
    """
    if self._grad is None and self._grad_fn is not None and not self._retain:
        warnings.warn(
            "The .grad attribute of a Tensor that is not a leaf Tensor is being "
            "accessed. Its .grad attribute won't be populated during "
            "autograd.backward(). If you indeed want the .grad field to be populated "
            "for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor.",
            UserWarning,
            stacklevel=2,
        )
    return self._grad


def _set_grad(self: Tensor, value: Tensor | None) -> None:
    if value is not None:
        _check_grad(self, value)
    self._grad = value


def _delete_grad(self: Tensor) -> None:
    self._grad = None


def _check_grad(x: Tensor, value: Any) -> None:
    """Check that a gradient assigned to `x.grad` fits.

    Raises:
        TypeError: if it is not a tensor.
        RuntimeError: for another dtype, device or shape.
    """
    if not isinstance(value, Tensor):
        raise TypeError(
            f"assigned grad expected to be a Tensor or None but got grad of type "
            f"{type(value).__name__}"
        )
    if value is x:
        raise RuntimeError("can't assign Variable as its own grad")
    if value._data.dtype != x._data.dtype:
        raise RuntimeError(
            f"attempting to assign a gradient with dtype '{value.dtype.c_name}' to a "
            f"tensor with grad_dtype '{x.dtype.short}'. The gradient must match the "
            "tensor's grad_dtype (defaults to the tensor's dtype). You can set the "
            "tensor's grad_dtype attribute with a specific dtype, or None to allow any "
            "dtype. Set grad_dtype with caution. Diverging the dtypes of a tensor and "
            "its gradient may break downstream systems that assume they match."
        )
    if value._device is not x._device:
        raise RuntimeError(
            f"assigned grad has data located on a different device: expected "
            f"{x._device}, got {value._device}"
        )
    if value._data.shape != x._data.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size '{list(value._data.shape)}' to a "
            f"tensor of size '{list(x._data.shape)}'. Please ensure that the gradient "
            "and the tensor are the same size"
        )


for _name, _attribute in {
    "requires_grad": property(_tensor_requires_grad, _set_requires_grad),
    "requires_grad_": requires_grad_,
    "is_leaf": property(_tensor_is_leaf),
    "output_nr": property(_tensor_output_nr),
    "grad": property(_tensor_grad, _set_grad, _delete_grad),
}.items():
    setattr(Tensor, _name, _attribute)

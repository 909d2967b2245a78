"""Functions that test properties of tensors."""

from __future__ import annotations

from typing import Any

from ...autograd import tensor_methods
from ...tensor.conversions import ambiguous
from ...tensor.storage import Storage
from ...tensor.tensor import Tensor
from ...tensor.typed_storage import TypedStorage
from ..argument_checks import tensor_of
from ..registration import attach, public

__all__ = [
    "detach", "detach_", "get_device", "is_complex", "is_conj",
    "is_floating_point", "is_inference", "is_neg", "is_nonzero", "is_same_size",
    "is_signed", "is_storage", "is_tensor", "numel",
    "typename",
]  # fmt: skip


def is_tensor(obj: Any) -> bool:
    """Whether `obj` is a tensor.

    Example:
        >>> import edutorch as torch
        >>> torch.is_tensor(torch.ones(1)), torch.is_tensor([1])
        (True, False)
    """
    return isinstance(obj, Tensor)


def is_storage(obj: Any) -> bool:
    """Whether `obj` is a tensor's storage.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(1)
        >>> torch.is_storage(x.untyped_storage()), torch.is_storage(x)
        (True, False)
    """
    return isinstance(obj, (Storage, TypedStorage))


def numel(input: Tensor) -> int:
    """The number of elements.

    Example:
        >>> import edutorch as torch
        >>> torch.numel(torch.ones(2, 3))
        6
    """
    return tensor_of(input, "numel").numel()


def is_floating_point(input: Tensor) -> bool:
    """Whether the dtype is a real floating type.

    Example:
        >>> import edutorch as torch
        >>> whole, half = torch.tensor(1), torch.tensor(0.5)
        >>> torch.is_floating_point(whole), torch.is_floating_point(half)
        (False, True)
    """
    return tensor_of(input, "is_floating_point").is_floating_point()


def is_complex(input: Tensor) -> bool:
    """Whether the dtype is complex.

    Example:
        >>> import edutorch as torch
        >>> torch.is_complex(torch.ones(1))
        False
    """
    return tensor_of(input, "is_complex").is_complex()


def is_signed(input: Tensor) -> bool:
    """Whether the dtype can represent negative numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.is_signed(torch.tensor([True]))
        False
    """
    return tensor_of(input, "is_signed").is_signed()


def is_inference(input: Tensor) -> bool:
    """Whether the tensor was created in inference mode.

    Example:
        >>> import edutorch as torch
        >>> torch.is_inference(torch.ones(1))
        False
    """
    return tensor_of(input, "is_inference").is_inference()


@public("is_nonzero")
def is_nonzero(input: Tensor) -> bool:
    """Whether the only element of a tensor is nonzero.

    Raises:
        RuntimeError: if there are more or fewer elements.

    Example:
        >>> import edutorch as torch
        >>> torch.is_nonzero(torch.tensor([0.0]))
        False
    """
    x = tensor_of(input, "is_nonzero")
    if x._data.size != 1:
        raise ambiguous(x)
    return bool(x)


@public("is_same_size")
def is_same_size(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape.

    Example:
        >>> import edutorch as torch
        >>> torch.is_same_size(torch.ones(2), torch.ones(3))
        False
    """
    x, y = (
        tensor_of(input, "is_same_size"),
        tensor_of(other, "is_same_size", "other"),
    )
    return bool(x._data.shape == y._data.shape)


def typename(obj: Any) -> str:
    """The name of a tensor's type, of a function or class, or of any object's class.

    Example:
        >>> import edutorch as torch
        >>> torch.typename(torch.ones(1))
        'torch.FloatTensor'
    """
    if isinstance(obj, Tensor):
        return str(obj.type())
    named = obj if hasattr(obj, "__name__") else type(obj)
    name: str = getattr(named, "__qualname__", named.__name__)
    module = getattr(named, "__module__", None)
    return name if module in (None, "builtins") else f"{module}.{name}"


def detach(input: Tensor) -> Tensor:
    """A tensor that shares memory but has no history.

    Math: y = x      ∂L/∂x = 0, nothing flows back
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.detach(torch.ones(1, requires_grad=True)).requires_grad
        False
    """
    return tensor_methods.detach(tensor_of(input, "detach"))


def detach_(input: Tensor) -> Tensor:
    """Detach a tensor from its history, in place.

    Math: y = x      ∂L/∂x = 0, nothing flows back
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> y = torch.ones(1, requires_grad=True) * 2
        >>> y.is_leaf, torch.detach_(y).is_leaf
        (False, True)
    """
    return tensor_methods.detach_(tensor_of(input, "detach_"))


def get_device(input: Tensor) -> int:
    """The index of a tensor's GPU, or -1 for the CPU.

    Example:
        >>> import edutorch as torch
        >>> torch.get_device(torch.ones(1))
        -1
    """
    return tensor_of(input, "get_device").get_device()


def is_conj(input: Tensor) -> bool:
    """Whether the tensor is a view that is conjugated on reading.

    Example:
        >>> import edutorch as torch
        >>> torch.is_conj(torch.tensor([1j]).conj())
        True
    """
    return tensor_of(input, "is_conj")._conjugated


def is_neg(input: Tensor) -> bool:
    """Whether the tensor is a view that is negated on reading.

    Example:
        >>> import edutorch as torch
        >>> torch.is_neg(torch.tensor([1j]).conj().imag)
        True
    """
    return tensor_of(input, "is_neg")._negated


attach(is_conj=is_conj)
attach(is_neg=is_neg)

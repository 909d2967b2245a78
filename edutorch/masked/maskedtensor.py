"""Tensors with a mask of valid elements."""

from __future__ import annotations

import warnings
from typing import Any

from .. import dtypes
from ..autograd.function import Function
from ..overrides import DisableTorchFunctionSubclass, activate
from ..tensor.tensor import Tensor
from .function_rules import dispatch, is_masked

__all__ = ["MaskedTensor", "as_masked_tensor", "is_masked_tensor", "masked_tensor"]

KNOWN = (
    dtypes.float16, dtypes.float32, dtypes.float64, dtypes.bool_, dtypes.int8,
    dtypes.int16, dtypes.int32, dtypes.int64,
)  # fmt: skip
PROTOTYPE = (
    "The PyTorch API of MaskedTensors is in prototype stage and will change in the "
    "near future."
)


class GetData(Function):
    """The elements of a masked tensor, as a node of the graph."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Tensor:
        """The same memory as an ordinary tensor."""
        found: Tensor = x.as_subclass(Tensor).detach()
        return found

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Tensor:
        """Gradients pass unchanged."""
        return g


class MaskedTensor(Tensor):
    """A tensor with a mask: where it is false, elements count as not there.

    Functions of numbers leave the mask as it is, functions of places move it, and
    reductions skip masked elements. Two operands must have the same mask.

    Args:
        data: the elements; they are copied.
        mask: of booleans, of the same shape.
        requires_grad: whether gradients are gathered.

    Raises:
        TypeError: for other arguments than tensors, and dtypes that have no mask.
        ValueError: for shapes that differ.

    Example:
        >>> import warnings
        >>> import edutorch as torch
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     mask = torch.tensor([True, False])
        ...     x = torch.masked.MaskedTensor(torch.ones(2), mask)
        >>> x + 1
        MaskedTensor(
          [  2.0000,       --]
        )
    """

    _masked_mask: Tensor

    def __new__(cls, data: Any, mask: Any, requires_grad: bool = False) -> Any:
        """Check and copy the arguments."""
        for name, value in (("data", data), ("mask", mask)):
            if is_masked(value) or not isinstance(value, Tensor):
                raise TypeError(f"{name} must be a Tensor")
        warnings.warn(PROTOTYPE, UserWarning, stacklevel=3)
        if data.requires_grad:
            warnings.warn(
                "It is not recommended to create a MaskedTensor with a tensor that "
                "requires_grad. To avoid this, you can use data.detach().clone()",
                UserWarning,
                stacklevel=3,
            )
        _check(data, mask)
        made = _with_mask(data.detach().clone(), mask.clone())
        return made.requires_grad_(requires_grad)

    def __init__(self, data: Any, mask: Any, requires_grad: bool = False) -> None:
        """All is done when the object is made."""

    @classmethod
    def __torch_function__(
        cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        """The result of a function of masked tensors."""
        return dispatch(func, args, kwargs or {}, _wrapped)

    @property
    def grad(self) -> Any:
        """The gradient, with the same mask."""
        found = Tensor.grad.__get__(self)
        return None if found is None else _with_mask(found, self._masked_mask)

    @grad.setter
    def grad(self, value: Any) -> None:
        """Set the gradient."""
        Tensor.grad.__set__(self, value)

    @property
    def _masked_data(self) -> Tensor:
        """The elements, those that do not count too."""
        return self.get_data().detach()

    def get_data(self) -> Tensor:
        """The elements as an ordinary tensor, masked ones included."""
        with DisableTorchFunctionSubclass():
            found: Tensor = GetData.apply(self)
        return found

    def get_mask(self) -> Tensor:
        """The mask: True for valid elements."""
        return self._masked_mask

    def __lt__(  # type: ignore[override]  # no `out`
        self, other: Any, /
    ) -> Any:
        """Where elements are less than others, which may have another mask."""
        other = other.get_data() if is_masked(other) else other
        return _wrapped(self.get_data() < other, self._masked_mask)

    def to_tensor(self, value: Any) -> Tensor:
        """An ordinary tensor, with `value` where elements are masked out."""
        return self.get_data().masked_fill(~self._masked_mask, value)

    def item(self) -> Any:
        """The only element, if it counts."""
        if self.numel() == 1 and not self._masked_mask.item():
            raise ValueError(
                "__torch_dispatch__, aten._local_scalar_dense: expected a mask tensor"
            )
        return self.get_data().item()

    def numpy(self, *, force: bool = False) -> Any:
        """Refused: an array has no mask."""
        raise RuntimeError(".numpy() is not supported for tensor subclasses.")

    def tolist(self) -> Any:
        """Refused: a list has no mask."""
        raise RuntimeError(
            ".tolist() is not supported for tensor subclasses, got MaskedTensor"
        )

    def is_sparse_coo(self) -> bool:
        """Whether the layout is sparse COO: never."""
        return False

    def is_sparse_csr(self) -> bool:  # type: ignore[override]  # PyTorch's is a method
        """Whether the layout is sparse CSR: never."""
        return False

    def __repr__(  # type: ignore[override]  # mypy loses the keyword's name
        self, *, tensor_contents: Any = None
    ) -> str:
        data, mask = self._masked_data, self._masked_mask
        if not data.ndim:
            shown = _number(data.item()) if mask.item() else "--"
            return f"MaskedTensor({shown}, {mask.item()})"
        return f"MaskedTensor(\n{_indented(_rows(data, mask))}\n)"

    def __str__(self) -> str:
        return repr(self)


def _check(data: Tensor, mask: Tensor) -> None:
    if mask.dtype is not dtypes.bool_:
        raise TypeError("mask must have dtype bool.")
    if data.dtype not in KNOWN:
        raise TypeError(f"{data.dtype} is not supported in MaskedTensor.")
    if data.ndim != mask.ndim:
        raise ValueError("data.dim() must equal mask.dim()")
    if data.shape != mask.shape:
        raise ValueError("data.size() must equal mask.size()")


def _with_mask(data: Tensor, mask: Tensor) -> MaskedTensor:
    """A masked tensor with the memory and history of an ordinary one."""
    activate(MaskedTensor)
    with DisableTorchFunctionSubclass():
        made = data.as_subclass(MaskedTensor)
    made._grad_fn, made._output_nr = data._grad_fn, data._output_nr
    made._masked_mask = mask
    return made


def _wrapped(result: Any, mask: Any) -> Any:
    """Masked tensors of a function's results."""
    if isinstance(result, (list, tuple)):
        pairs = zip(result, mask, strict=True)
        return type(result)(_wrapped(r, m) for r, m in pairs)
    if is_masked(result):
        return result
    _check(result, mask)
    return _with_mask(result, mask)


def _number(value: Any) -> str:
    return f"{value:8.4f}" if isinstance(value, float) else str(value)


def _rows(data: Tensor, mask: Tensor) -> str:
    """The text of a tensor, without what does not count."""
    if data.ndim > 1:
        rows = [_indented(_rows(d, m)) for d, m in zip(data, mask, strict=True)]
        return "[\n" + ",\n".join(rows) + "\n]"
    shown = [_number(v) for v in data.tolist()]
    flags = mask.tolist()
    width = max((len(s) if k else 8 for s, k in zip(shown, flags, strict=True)))
    entries = (s if k else "--".rjust(width) for s, k in zip(shown, flags, strict=True))
    return "[" + ", ".join(entries) + "]"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n"))


def is_masked_tensor(obj: Any, /) -> bool:
    """Whether something is a masked tensor.

    Example:
        >>> import edutorch as torch
        >>> torch.masked.is_masked_tensor(torch.ones(2))
        False
    """
    return isinstance(obj, MaskedTensor)


def masked_tensor(data: Any, mask: Any, requires_grad: bool = False) -> MaskedTensor:
    """A new masked tensor, a leaf of the graph.

    Math: y = x where the mask is true      no derivative
    Shape: (*), (*) -> (*)

    Raises:
        TypeError: for other arguments than tensors, and dtypes that have no mask.
        ValueError: for shapes that differ.

    Example:
        >>> import warnings
        >>> import edutorch as torch
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     x = torch.masked.masked_tensor(torch.arange(3), torch.arange(3) != 1)
        >>> x.sum()
        MaskedTensor(2, True)
    """
    made: MaskedTensor = MaskedTensor(data, mask, requires_grad)
    return made


def as_masked_tensor(data: Any, mask: Any) -> MaskedTensor:
    """A masked tensor whose gradients flow to `data`.

    Math: y = x where the mask is true      ∂L/∂x = g
    Shape: (*), (*) -> (*)

    Raises:
        TypeError: for other arguments than tensors, and dtypes that have no mask.
        ValueError: for shapes that differ.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> y = torch.masked.as_masked_tensor(x, torch.tensor([True, False]))
        >>> y.sum().backward()
        >>> x.grad
        tensor([1., 0.])
    """
    for name, value in (("data", data), ("mask", mask)):
        if is_masked(value) or not isinstance(value, Tensor):
            raise TypeError(f"{name} must be a Tensor")
    _check(data, mask)
    return _with_mask(data.clone(), mask.clone())

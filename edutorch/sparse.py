"""`torch.sparse`: functions on tensors that store only some of their elements.

A sparse tensor holds a sparse array (`backends/sparse`) instead of a NumPy array; most
functions of dense tensors that map zeros to zeros work on it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .layouts import sparse_coo
from .ops.sparse import sparse_coo_tensor
from .ops.sparse.gradcheck import as_sparse_gradcheck
from .ops.sparse.products import addmm, mm, sampled_addmm
from .ops.sparse.reduce import log_softmax, softmax, spdiags, sum
from .tensor.legacy_types import LEGACY, TensorType
from .tensor.tensor import Tensor

__all__ = [
    "addmm", "as_sparse_gradcheck", "BFloat16Tensor", "ByteTensor", "CharTensor",
    "check_sparse_tensor_invariants", "DoubleTensor", "FloatTensor", "HalfTensor",
    "IntTensor", "log_softmax", "LongTensor", "mm", "sampled_addmm", "ShortTensor",
    "softmax", "spdiags", "sum",
]  # fmt: skip


class SparseType(TensorType):
    """A kind of sparse tensor by its old name.

    Example:
        >>> import edutorch as torch
        >>> indices, values = torch.tensor([[0, 2]]), torch.tensor([1.0, 2.0])
        >>> x = torch.sparse.FloatTensor(indices, values, torch.Size([3]))
        >>> isinstance(x, torch.sparse.FloatTensor)
        True
        >>> x.to_dense()
        tensor([1., 0., 2.])
    """

    def __call__(self, *args: Any) -> Tensor:
        """Positions and values, with the size or without, or sizes alone."""
        if args and isinstance(args[0], Tensor):
            return sparse_coo_tensor(*args)
        return sparse_coo_tensor(size=args or (0,), dtype=self.dtype)

    def __instancecheck__(self, instance: Any) -> bool:
        return super().__instancecheck__(instance) and instance.layout is sparse_coo

    def __repr__(self) -> str:
        return f"<class 'torch.sparse.{self.dtype.short}Tensor'>"


_TYPES = {name: SparseType(kind.dtype) for name, kind in LEGACY.items()}
FloatTensor = _TYPES["FloatTensor"]
DoubleTensor = _TYPES["DoubleTensor"]
HalfTensor = _TYPES["HalfTensor"]
BFloat16Tensor = _TYPES["BFloat16Tensor"]
LongTensor = _TYPES["LongTensor"]
IntTensor = _TYPES["IntTensor"]
ShortTensor = _TYPES["ShortTensor"]
CharTensor = _TYPES["CharTensor"]
ByteTensor = _TYPES["ByteTensor"]


class check_sparse_tensor_invariants:  # noqa: N801 (PyTorch's name)
    """Whether the parts of sparse tensors are checked: here they always are.

    Positions outside a tensor would be read outside its memory; the switch is kept for
    programs that set it, and says what was set. It is a context, and a decorator.

    Example:
        >>> import edutorch as torch
        >>> with torch.sparse.check_sparse_tensor_invariants():
        ...     torch.sparse.check_sparse_tensor_invariants.is_enabled()
        True
    """

    _state = False

    def __init__(self, enable: bool = True) -> None:
        self.state = enable
        self.saved_state: bool | None = None

    @staticmethod
    def is_enabled() -> bool:
        """What was set last."""
        return check_sparse_tensor_invariants._state

    @staticmethod
    def enable() -> None:
        """Set the switch, which is only remembered."""
        check_sparse_tensor_invariants._state = True

    @staticmethod
    def disable() -> None:
        """Clear the switch; tensors are still checked."""
        check_sparse_tensor_invariants._state = False

    def __enter__(self) -> None:
        if self.saved_state is not None:
            raise RuntimeError(
                "This context manager instance is already activated. Use a different "
                "context manager instance for context nesting."
            )
        self.saved_state = check_sparse_tensor_invariants._state
        check_sparse_tensor_invariants._state = self.state

    def __exit__(self, *exception: object) -> None:
        check_sparse_tensor_invariants._state = bool(self.saved_state)
        self.saved_state = None

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function with the switch set while it runs."""

        @functools.wraps(function)
        def switched(*args: Any, **options: Any) -> Any:
            with type(self)(self.state):
                return function(*args, **options)

        return switched

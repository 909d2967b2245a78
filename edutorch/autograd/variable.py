"""Variable: the name of tensors with history before PyTorch 0.4."""

from __future__ import annotations

from typing import Any

from ..tensor.tensor import Tensor
from .final_callbacks import queue_callback
from .tensor_methods import detach

__all__ = ["Variable"]


class _VariableType(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor)


class _Engine:
    """The parts of the engine that programs use."""

    queue_callback = staticmethod(queue_callback)


class Variable(metaclass=_VariableType):
    """`Variable(tensor)` is the tensor; kept for old programs.

    Example:
        >>> import edutorch as torch
        >>> torch.autograd.Variable(torch.ones(1), requires_grad=True).requires_grad
        True
    """

    _execution_engine = _Engine()

    def __new__(
        cls, data: Tensor, requires_grad: bool = False, volatile: Any = None
    ) -> Any:
        tensor = detach(data)
        return tensor.requires_grad_(requires_grad)

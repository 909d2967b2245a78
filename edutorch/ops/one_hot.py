"""One-hot vectors."""

from __future__ import annotations

import numpy as np

from ..backends import array_module
from ..tensor.tensor import Tensor, wrap
from .argument_checks import need_tensors
from .int_arguments import int_of

__all__ = ["one_hot"]


def one_hot(input: Tensor, num_classes: int = -1) -> Tensor:
    """One-hot vectors of class indices.

    Math: y[i, c] = 1 where c = x_i, else 0
    Shape: (*) -> (*, C)

    Args:
        input: class indices.
        num_classes: C; by default the largest index + 1.

    Raises:
        RuntimeError: for indices that are not classes, or of another type.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.one_hot(torch.tensor([0, 2]))
        tensor([[1, 0, 0],
                [0, 0, 1]])
    """
    need_tensors("one_hot", input=input)
    num_classes = int_of(num_classes, "num_classes", "one_hot")
    if input.dtype.short != "Long":
        raise RuntimeError(
            "one_hot is only applicable to index tensor of type LongTensor."
        )
    x = input._data
    if x.size == 0 and num_classes <= 0:
        raise RuntimeError("Can not infer total number of classes from empty tensor.")
    if x.size and x.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    if x.size and num_classes != -1 and x.max() >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    classes = int(x.max()) + 1 if num_classes == -1 else num_classes
    xp = array_module(x)
    y = xp.zeros((x.size, classes), np.int64)
    y[xp.arange(x.size), x.reshape(-1)] = 1
    return wrap(y.reshape(*x.shape, classes), input._device)

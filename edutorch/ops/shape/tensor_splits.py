"""`tensor_split`, `hsplit`, `vsplit`, `dsplit`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...op_events import reported
from ...tensor.tensor import Tensor
from ..argument_checks import tensor_of, type_error
from ..argument_errors import check_call, invalid_combination
from ..dims import axis_for, dim_of, ndim_of, sizes_of
from ..int_arguments import int_of
from ..registration import composite, public
from .slices import slice_dim

__all__ = ["dsplit", "hsplit", "tensor_split", "vsplit"]


@public("tensor_split")
@composite
@reported
def tensor_split(
    input: Tensor, indices_or_sections: Any = None, dim: int = 0, *,
    indices: Any = None, sections: Any = None, tensor_indices_or_sections: Any = None,
    axis: Any = None,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Views along a dimension: a number of parts, or parts between indices.

    Math: yᵢ = the i-th part of x      ∂L/∂x = the gᵢ, joined
    Shape: (5, n), 2 -> (3, n), (2, n);  (5, n), (1, 4) -> (1, n), (3, n), (1, n)

    Raises:
        RuntimeError: for less than one section.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor_split(torch.arange(5), (1, 4))
        (tensor([0]), tensor([1, 2, 3]), tensor([4]))
    """
    if axis is not None:  # see Note [NumPy's names]
        dim = axis_for(dim, axis, 0)
    if not ndim_of(input, "tensor_split"):
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor "
            "with 0 dims"
        )
    dim = dim_of(dim, ndim_of(input, "tensor_split"), "tensor_split")
    n = input.shape[dim]
    if tensor_indices_or_sections is not None:  # PyTorch's name of a tensor
        indices = tensor_of(tensor_indices_or_sections, "tensor_split")
    given = _only("tensor_split", indices_or_sections, indices, sections)
    borders = _split_points(given, n)
    return tuple(
        slice_dim(input, dim, start, max(start, stop))
        for start, stop in zip([0, *borders], [*borders, n], strict=True)
    )


def _only(name: str, either: Any, indices: Any, sections: Any) -> Any:
    """What is given of one argument that may come by several names."""
    check_call(sections is None or isinstance(sections, int))
    found = [v for v in (either, indices, sections) if v is not None]
    if len(found) != 1:
        raise invalid_combination(name)
    check_call(isinstance(found[0], (int, list, tuple)))
    return found[0]


def _split_points(given: Any, n: int) -> list[int]:
    """The indices at which one part ends and the next begins."""
    if isinstance(given, Tensor):
        if given._device.type != "cpu":
            raise RuntimeError(
                "tensor_split expected tensor_indices_or_sections to be on cpu, but "
                f"it's on {given.device}"
            )
        if given.dtype.short != "Long":
            raise RuntimeError(
                "tensor_split expected tensor_indices_or_sections to have dtype of "
                f"long, but got {given.dtype.short}"
            )
        if given.ndim > 1:
            raise RuntimeError(
                "tensor_split expected tensor_indices_or_sections to be a "
                "zero-dimensional or one-dimensional tensor, but got a tensor with "
                f"{given.ndim} dims"
            )
        given = given.tolist()
    if isinstance(given, (list, tuple)):
        return [min(max(b + n if b < 0 else b, 0), n) for b in sizes_of((given,))]
    if int_of(given, "indices_or_sections") < 1:
        raise RuntimeError(f"number of sections must be larger than 0, got {given}")
    size, longer = divmod(n, given)
    return [size * i + min(i, longer) for i in range(1, given)]


def _split_along(name: str, input: Tensor, given: Any, dim: int) -> tuple[Tensor, ...]:
    integers = isinstance(given, Tensor) and given._data.dtype.kind in "iu"
    if isinstance(given, np.integer) or (integers and not given.ndim):
        given = int(given)
    if isinstance(given, int) and (given == 0 or input.shape[dim] % abs(given)):
        raise RuntimeError(
            f"torch.{name} attempted to split along dimension {dim}, but the size of "
            f"the dimension {input.shape[dim]} is not divisible by the split_size "
            f"{given}!"
        )
    if not isinstance(given, (int, list, tuple, Tensor)):
        raise type_error("int", "indices_or_sections", given)
    return tensor_split(input, given, dim)


@public("hsplit")
@composite
def hsplit(
    input: Tensor, indices_or_sections: Any = None, *,
    indices: Any = None, sections: Any = None,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Split along dimension 1, vectors along dimension 0.

    Math: yᵢ = the i-th part of x      ∂L/∂x = the gᵢ, joined
    Shape: (n, 4), 2 -> (n, 2), (n, 2)

    Raises:
        RuntimeError: if the parts would not be equal.

    Example:
        >>> import edutorch as torch
        >>> torch.hsplit(torch.arange(4), 2)
        (tensor([0, 1]), tensor([2, 3]))
    """
    given = _only("hsplit", indices_or_sections, indices, sections)
    if not ndim_of(input, "hsplit"):
        raise RuntimeError(
            "torch.hsplit requires a tensor with at least 1 dimension, but got "
            "a tensor "
            "with 0 dimensions!"
        )
    return _split_along("hsplit", input, given, 0 if input.ndim == 1 else 1)


@public("vsplit")
@composite
def vsplit(
    input: Tensor, indices_or_sections: Any = None, *,
    indices: Any = None, sections: Any = None,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Split along dimension 0.

    Math: yᵢ = the i-th part of x      ∂L/∂x = the gᵢ, joined
    Shape: (4, n), 2 -> (2, n), (2, n)

    Raises:
        RuntimeError: if the parts would not be equal, or for vectors.

    Example:
        >>> import edutorch as torch
        >>> torch.vsplit(torch.arange(4).reshape(2, 2), 2)
        (tensor([[0, 1]]), tensor([[2, 3]]))
    """
    given = _only("vsplit", indices_or_sections, indices, sections)
    if ndim_of(input, "vsplit") < 2:
        raise RuntimeError(
            "torch.vsplit requires a tensor with at least 2 dimension, but got "
            "a tensor "
            f"with {input.ndim} dimensions!"
        )
    return _split_along("vsplit", input, given, 0)


@public("dsplit")
@composite
def dsplit(
    input: Tensor, indices_or_sections: Any = None, *,
    indices: Any = None, sections: Any = None,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Split along dimension 2.

    Math: yᵢ = the i-th part of x      ∂L/∂x = the gᵢ, joined
    Shape: (n, m, 4), 2 -> (n, m, 2), (n, m, 2)

    Raises:
        RuntimeError: if the parts would not be equal, or for fewer dimensions.

    Example:
        >>> import edutorch as torch
        >>> [t.shape for t in torch.dsplit(torch.ones(1, 2, 4), 2)]
        [torch.Size([1, 2, 2]), torch.Size([1, 2, 2])]
    """
    given = _only("dsplit", indices_or_sections, indices, sections)
    if ndim_of(input, "dsplit") < 3:
        raise RuntimeError(
            "torch.dsplit requires a tensor with at least 3 dimension, but got "
            "a tensor "
            f"with {input.ndim} dimensions!"
        )
    return _split_along("dsplit", input, given, 2)

"""New nested tensors."""

from __future__ import annotations

from typing import Any

from .. import dtypes, layouts
from ..ops import arange, cat, full, stack, tensor, zeros
from ..tensor.tensor import Tensor
from . import function_rules  # noqa: F401 (answers functions of nested tensors)
from .layouts import Jagged, Strided
from .tensor import NestedTensor, nest

__all__ = [
    "as_nested_tensor", "masked_select", "narrow", "nested_tensor",
    "nested_tensor_from_jagged", "to_padded_tensor",
]  # fmt: skip


def nested_tensor(
    tensor_list: Any,
    *,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A nested tensor of copies of tensors or lists, a leaf of the graph.

    Math: y = (x₁, x₂ ...)      no derivative
    Shape: n tensors (*) -> (n, *)

    Raises:
        TypeError: for anything other than a list.
        RuntimeError: for tensors that cannot be nested.

    Example:
        >>> import edutorch as torch
        >>> torch.nested.nested_tensor([torch.ones(1), torch.zeros(2)])
        nested_tensor([
          tensor([1.]),
          tensor([0., 0.])
        ])
    """
    if not isinstance(tensor_list, (list, tuple)):
        raise TypeError(
            "Only lists (List[Tensor] and List[List...[Scalar]]) are accepted in "
            "nested_tensor"
        )
    parts = [(v.detach() if isinstance(v, Tensor) else tensor(v)) for v in tensor_list]
    if parts:
        kind = parts[0].dtype if dtype is None else dtype
        where = parts[0].device if device is None else device
        parts = [p.to(device=where, dtype=kind) for p in parts]
    made = _nested(parts, layout)
    if requires_grad and not (made.dtype.is_floating_point or made.dtype.is_complex):
        raise RuntimeError(
            "Only Tensors of floating point and complex dtype can require gradients"
        )
    return made.requires_grad_() if requires_grad else made


def as_nested_tensor(
    ts: Any, dtype: Any = None, device: Any = None, layout: Any = None
) -> Tensor:
    """A nested tensor of tensors, to which gradients flow.

    Math: y = (x₁, x₂ ...)      ∂L/∂xᵢ = gᵢ
    Shape: n tensors (*) -> (n, *)

    Raises:
        RuntimeError: for a nested tensor of another layout.
        TypeError: for other arguments.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> y = torch.nested.as_nested_tensor([x, torch.zeros(1)], layout=torch.jagged)
        >>> y.sum().backward()
        >>> x.grad
        tensor([1., 1.])
    """
    if isinstance(ts, NestedTensor):
        if layout is not ts.layout:
            raise RuntimeError(
                "as_nested_tensor(): Converting between nested tensor layouts is not "
                "supported"
            )
        return ts
    if not isinstance(ts, (list, tuple, Tensor)) or not all(
        isinstance(t, Tensor) for t in ts
    ):
        raise TypeError(
            "as_nested_tensor(): Expected first argument to be a tensor or a list / "
            "tuple of tensors "
        )
    options = {k: v for k, v in (("dtype", dtype), ("device", device)) if v is not None}
    parts = [t.to(**options) if options else t for t in ts]
    return _nested(parts, layout)


def _nested(parts: list[Tensor], layout: Any) -> Tensor:
    if layout in (None, layouts.strided):
        return _strided(parts)
    if layout is not layouts.jagged:
        raise RuntimeError(
            f"Specified layout is unsupported for nested tensors: {layout}"
        )
    if not parts:
        raise RuntimeError("Cannot construct a nested tensor from an empty tensor list")
    if not parts[0].ndim:
        raise RuntimeError(
            "Cannot construct a nested tensor from a list of zero-dim tensors"
        )
    ragged = _ragged(parts)
    sizes = tensor([p.shape[ragged - 1] for p in parts])
    ends = cat([zeros(1, dtype=dtypes.int64), sizes.cumsum(0)])
    return nest(cat(parts, ragged - 1), Jagged(ends.to(parts[0].device), None, ragged))


def _ragged(parts: list[Tensor]) -> int:
    """The only dimension in which parts differ; the first one if they do not."""
    shapes = [tuple(p.shape) for p in parts]
    apart = [i for i, n in enumerate(zip(*shapes, strict=False)) if len(set(n)) > 1]
    if len(apart) > 1 or len({len(s) for s in shapes}) > 1:
        raise RuntimeError(
            "Cannot represent given tensor list as a nested tensor with the jagged "
            "layout. Note that the jagged layout only allows for a single ragged "
            "dimension. For example: (B, *, D_0, D_1, ..., D_N), with ragged * dim."
        )
    return apart[0] + 1 if apart else 1


def _strided(parts: list[Tensor]) -> Tensor:
    for i, part in enumerate(parts):
        if part.ndim != parts[0].ndim:
            raise RuntimeError(
                "All Tensors given to nested_tensor must have the same dimension. "
                f"Found dimension {part.ndim} for Tensor at index {i} and dimension "
                f"{parts[0].ndim} for Tensor at index 0."
            )
    if not parts:
        return nest(zeros(0), Strided(()))
    return nest(*Strided(()).joined(parts))


def nested_tensor_from_jagged(
    values: Tensor,
    offsets: Tensor | None = None,
    lengths: Tensor | None = None,
    jagged_dim: int | None = None,
    min_seqlen: int | None = None,
    max_seqlen: int | None = None,
) -> Tensor:
    """A nested tensor with the memory of a dense one, in which parts lie side by side.

    Math: yᵢ = x[oᵢ : oᵢ₊₁]      ∂L/∂x = g
    Shape: (sum of lengths, *), (n + 1) -> (n, j, *)

    Raises:
        RuntimeError: where neither offsets nor lengths are given.
        AssertionError: where they do not fit.

    Example:
        >>> import edutorch as torch
        >>> x, ends = torch.arange(3.0), torch.tensor([0, 2, 3])
        >>> torch.nested.nested_tensor_from_jagged(x, ends).unbind()
        (tensor([0., 1.]), tensor([2.]))
    """
    if offsets is None:
        if lengths is None:
            raise RuntimeError(
                "nested_tensor_from_jagged(): At least one of offsets or lengths is "
                "required."
            )
        offsets = cat([lengths.new_zeros(1), lengths.cumsum(0)])
        lengths = None
    if lengths is not None and lengths.shape[0] != offsets.shape[0] - 1:
        raise AssertionError(
            "offsets and lengths batch sizes must match: offsets.shape[0] - 1 = "
            f"{offsets.shape[0] - 1}, lengths.shape[0] = {lengths.shape[0]}"
        )
    if not isinstance(values, Tensor):
        raise TypeError(
            "_nested_view_from_jagged(): argument 'input' (position 1) must be Tensor, "
            f"not {type(values).__name__}"
        )
    return nest(
        values, Jagged(offsets, lengths, 1 if jagged_dim is None else jagged_dim)
    )


def narrow(
    tensor: Tensor, dim: int, start: Any, length: Any, layout: Any = layouts.strided
) -> Tensor:
    """Slices of the rows of a dense tensor, each with its own start and length.

    Math: yᵢ = x[i, sᵢ : sᵢ + lᵢ]      ∂L/∂x = g in the slices, else 0
    Shape: (n, m, *) -> (n, j, *)

    Raises:
        RuntimeError: for tensors of starts or lengths with the strided layout.

    Example:
        >>> import edutorch as torch
        >>> x, sizes = torch.arange(6.0).reshape(2, 3), torch.tensor([1, 2])
        >>> torch.nested.narrow(x, 1, 0, sizes, layout=torch.jagged).unbind()
        (tensor([0.]), tensor([3., 4.]))
    """
    if layout is layouts.strided:
        if isinstance(start, Tensor) or isinstance(length, Tensor):
            raise RuntimeError(
                "start and length must be integers for the strided layout NT impl"
            )
        return as_nested_tensor(tensor).narrow(dim, start, length)
    if layout is not layouts.jagged:
        raise RuntimeError(
            f"Specified layout is unsupported for nested narrow: {layout}"
        )
    n, width = tensor.shape[:2]
    begins, sizes = (
        v if isinstance(v, Tensor) else full((n,), v) for v in (start, length)
    )
    rows = arange(n) * width
    ends = cat([begins + rows, (rows + begins + sizes)[-1:]])
    return nest(tensor.reshape(n * width, *tensor.shape[2:]), Jagged(ends, sizes))


def masked_select(tensor: Tensor, mask: Tensor) -> Tensor:
    """The elements of each row where a mask is true.

    Math: yᵢ = x[i, mᵢ]      ∂L/∂x = g where m, else 0
    Shape: (n, m, *) -> (n, j)

    Raises:
        RuntimeError: for layouts other than strided.

    Example:
        >>> import edutorch as torch
        >>> x = torch.arange(4.0).reshape(2, 2)
        >>> torch.nested.masked_select(x, x != 1).unbind()
        (tensor([0.]), tensor([2., 3.]))
    """
    if tensor.layout is not layouts.strided:
        raise RuntimeError(
            "torch.nested.masked_select requires a strided tensor, given "
            f"{tensor.layout}"
        )
    counts = stack([row.sum() for row in mask.expand(tensor.shape)])
    ends = cat([counts.new_zeros(1), counts.cumsum(0)])
    return nest(tensor.masked_select(mask), Jagged(ends))


def to_padded_tensor(
    input: Tensor, padding: float, output_size: Any = None, out: Tensor | None = None
) -> Tensor:
    """Convert a nested tensor to a dense one, padded with a value.

    Math: y = x, elsewhere the padding      ∂L/∂x = g without what was filled
    Shape: (n, j, *) -> (n, largest j, *)

    Raises:
        RuntimeError: for an output that is too small.
        NotImplementedError: for a dense tensor.

    Example:
        >>> import edutorch as torch
        >>> x = torch.nested.nested_tensor([torch.ones(1), torch.ones(2)])
        >>> torch.nested.to_padded_tensor(x, 0.0)
        tensor([[1., 0.],
                [1., 1.]])
    """
    if not isinstance(input, NestedTensor):
        raise NotImplementedError(
            "Could not run 'aten::to_padded_tensor' with arguments from the 'CPU' "
            "backend."
        )
    found = input.to_padded_tensor(padding, output_size)
    return found if out is None else out.copy_(found)

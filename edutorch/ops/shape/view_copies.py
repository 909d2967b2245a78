"""Copying variants of view functions, such as `view_copy`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.batched_tensor import Batched
from ...autograd.dispatch import apply1, record
from ...autograd.memory_overlap import refuse_partial_overlap
from ...autograd.modes import no_grad
from ...tensor.tensor import Tensor, contiguous_format
from ..argument_checks import need_tensors
from ..argument_errors import check_call, check_integer, parser_errors
from ..convert.complex_numbers import view_as_complex, view_as_real
from ..convert.copy_fill import Clone
from ..dims import dim_of, sizes_of
from ..out_argument import refuse_conjugates
from ..registration import attach, composite, copyto
from .broadcasting import expand_to
from .diagonals import diagonal
from .inplace import NotImplementedNode
from .slices import narrow, select, slice_dim
from .splitting import split, split_with_sizes, unbind
from .squeezing import squeeze, unsqueeze
from .strides import _tensor_unfold, as_strided
from .transposing import permute, t, transpose
from .views import _tensor_view, reshape

__all__ = [
    "alias_copy", "as_strided_copy", "detach_copy", "diagonal_copy", "expand_copy",
    "narrow_copy", "permute_copy", "select_copy", "slice_copy", "split_copy",
    "split_with_sizes_copy", "squeeze_copy", "t_copy", "transpose_copy", "unbind_copy",
    "unfold_copy", "unsqueeze_copy", "view_as_complex_copy", "view_as_real_copy",
    "view_copy",
]  # fmt: skip


class CopyView(Clone):
    """A copy of a view in row-major order.

    Math: y = x      ∂L/∂x = g
    """

    attributes = ("function", "memory_format")
    memory_format = contiguous_format

    def __init__(self, function: str, view: Any = None) -> None:
        self.function, self.view = function, view

    def name(self) -> str:
        """PyTorch's name of the node that has the view's gradient, too."""
        if self.function == "narrow_copy":
            return "NarrowCopyBackward0"
        plain = self.function.removesuffix("_copy").title().replace("_", "")
        form = 0
        if plain == "Squeeze":  # of which PyTorch has several
            form = getattr(self.view, "form", 0)
        return f"{plain}Backward{form}_copy"

    @property
    def backward_in_single(self) -> bool:  # type: ignore[override]
        """Whether 16-bit gradients are widened, as those of the view."""
        return self.view is not None and bool(self.view.backward_in_single)

    def backward(self, *gradients: Any) -> Any:
        return self.view.backward(*gradients) if self.view else gradients[0]


class CopyViews(CopyView):
    """Copies of several views in row-major order.

    Math: y_k = x_k      ∂L/∂x_k = g_k
    """

    multiple_outputs = True


class DetachCopy(NotImplementedNode):
    """The node of a detached copy.

    Math: y = x; no derivative
    """

    def backward(self, g: Any) -> Any:
        raise RuntimeError("derivative for aten::detach_copy is not implemented")


def _copy_views(input: Tensor, view: Any, name: str) -> Any:
    """Copies of one or several views in row-major order, with a single node."""
    several = isinstance(view, tuple)
    views = view if several else (view,)
    steps = {v._grad_fn for v in views}
    step = steps.pop() if len(steps) == 1 else None
    if name != "detach_copy" and not _is_one_step(step, input):
        copies = tuple(apply1(CopyView(name), v) for v in views)
        return copies if several else copies[0]
    with no_grad():
        copies = tuple(apply1(CopyView(name), v) for v in views)
    op: Any = DetachCopy()
    if name != "detach_copy":
        op = (CopyViews if several else CopyView)(name, step)
    record(op, (input,), copies, several)
    return copies if several else copies[0]


def _is_one_step(node: Any, input: Tensor) -> bool:
    """Whether a node is that of one view of the input."""
    return (
        node is not None
        and type(input) is not Batched
        and len(node.edges) == 1
        and node.edges[0] is (input._grad_fn or input)
    )


# The function that refuses a wrong number of outputs.
COUNTS = {
    "split_copy": "split_copy_Tensor_out()",
    "split_with_sizes_copy": "split_with_sizes_copy_out",
    "unbind_copy": "unbind_copy_int_out",
}


def _check_count(out: Any, result: Any, name: str) -> None:
    """Raise unless there is a tensor for each part."""
    if len(out) != len(result):
        raise RuntimeError(
            f"{name} expected an out= argument of size {len(result)}, got size "
            f"{len(out)}"
        )


def copy_variant(view: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The copying variant of a view function."""

    @composite
    @parser_errors
    @functools.wraps(view)
    def copy(*args: Any, out: Any = None, **kwargs: Any) -> Any:
        input = (*args, kwargs.get("input"))[0]
        need_tensors(name, input=input)
        views = view(*args, **kwargs)
        result = _copy_views(input, views, name)
        if out is None:
            return result
        if name in COUNTS and isinstance(out, (tuple, list)):
            refuse_conjugates(out, name)
            _check_count(out, result, COUNTS[name])
        if name in ("split_copy", "split_with_sizes_copy"):
            for tensor, part in zip(out, views, strict=True):
                refuse_partial_overlap(tensor, (part,))
        if name == "split_copy":  # copies by copy_(), which broadcasts and converts
            with no_grad():
                for tensor, part in zip(out, result, strict=True):
                    tensor.copy_(part)
            return None
        written = copyto(out, result, name, args)
        return None if isinstance(result, tuple) else written

    plain = name.removesuffix("_copy")
    copy.__name__ = copy.__qualname__ = name
    copy.__doc__ = (
        f"A copy of the view that `{plain}` gives, with memory of its own.\n\n"
        f"    Math: as `{plain}`, gradients too\n    Shape: as `{plain}`"
    )
    return copy


def _alias(input: Tensor) -> Tensor:
    return input


def _detach(input: Tensor) -> Tensor:
    return input.detach()


def _expand(input: Tensor, size: Any, *, implicit: bool = False) -> Tensor:
    check_call(not isinstance(size, int))
    return expand_to(input, sizes_of((size,), "expand_copy"))


def _slice(
    input: Tensor, dim: int = 0, start: int | None = None, end: int | None = None,
    step: int = 1,
) -> Tensor:  # fmt: skip
    if not input.ndim:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    dim = dim_of(dim, input.ndim, "slice_copy")
    check_call(all(type(v) is int for v in (start or 0, end or 0, step)))
    if step <= 0:
        raise RuntimeError("slice step must be positive")
    first, last, _ = slice(start, end).indices(input.shape[dim])
    return slice_dim(input, dim, first, max(first, last), step)


def _narrow(input: Tensor, dim: int, start: Any, length: int) -> Tensor:
    """`narrow`, with the checks of the copying function's own kernel."""
    known = type(dim) is type(start) is type(length) is int and input.ndim
    if known and not input.is_meta:
        if dim >= input.ndim:
            raise RuntimeError(
                "Expected dim < static_cast<int64_t>(self_sizes.size()) to be true, "
                "but got false.  (Could this error message be improved?  If so, please "
                "report an enhancement request to PyTorch.)"
            )
        size = input.shape[dim_of(dim, input.ndim, "narrow_copy")]
        if length < 0 and -size <= start <= size:
            raise RuntimeError(
                f"start ({start + size * (start < 0)}) + length ({length}) exceeds "
                f"dimension size ({size})."
            )
    narrowed: Tensor = narrow(input, dim, start, length)
    return narrowed


def _split(input: Tensor, split_size: int, dim: int = 0) -> tuple[Tensor, ...]:
    check_integer(split_size)
    if isinstance(split_size, np.integer):  # which only `split` refuses
        split_size = int(split_size)
    return split(input, split_size, dim)


def _unfold(input: Tensor, dimension: int, size: int, step: int) -> Tensor:
    return _tensor_unfold(input, dimension, size, step)


def _view(input: Tensor, size: Any = None, *, dtype: Any = None) -> Tensor:
    """A view, or the later copy if there is no view."""
    if dtype is not None or isinstance(size, dtypes.dtype):
        return _tensor_view(input, dtype=dtype or size)
    return reshape(input, size)


alias_copy = copy_variant(_alias, "alias_copy")
as_strided_copy = copy_variant(as_strided, "as_strided_copy")
detach_copy = copy_variant(_detach, "detach_copy")
diagonal_copy = copy_variant(diagonal, "diagonal_copy")
expand_copy = copy_variant(_expand, "expand_copy")
narrow_copy = copy_variant(_narrow, "narrow_copy")
permute_copy = copy_variant(permute, "permute_copy")
select_copy = copy_variant(select, "select_copy")
slice_copy = copy_variant(_slice, "slice_copy")
split_copy = copy_variant(_split, "split_copy")
split_with_sizes_copy = copy_variant(split_with_sizes, "split_with_sizes_copy")
squeeze_copy = copy_variant(squeeze, "squeeze_copy")
t_copy = copy_variant(t, "t_copy")
transpose_copy = copy_variant(transpose, "transpose_copy")
unbind_copy = copy_variant(unbind, "unbind_copy")
unfold_copy = copy_variant(_unfold, "unfold_copy")
unsqueeze_copy = copy_variant(unsqueeze, "unsqueeze_copy")
view_as_complex_copy = copy_variant(view_as_complex, "view_as_complex_copy")
view_as_real_copy = copy_variant(view_as_real, "view_as_real_copy")
view_copy = copy_variant(_view, "view_copy")

attach(narrow_copy=narrow_copy)

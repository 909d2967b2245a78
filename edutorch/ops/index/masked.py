"""Elements selected by a mask."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.batched_tensor import any_batched
from ...autograd.dispatch import Op, apply, apply2
from ...autograd.op_errors import broadcast_error
from ...backends import array_module
from ...errors import raise_if
from ...kernels.memory_format import row_major
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors
from ..argument_errors import check_call
from ..convert.copy_fill import castable_number, refuse_integer_gradients
from ..matmul.checks import check_expands
from ..registration import copyto, public
from .advanced import IndexBackward

__all__ = ["masked_fill", "masked_scatter", "masked_select"]


class MaskedFill(Op):
    """Replaces elements where a mask is true by a value.

    Math: y = value where mask, else x
          ∂L/∂x = 0 where mask, else g      ∂L/∂value = Σ g where mask
    """

    same_device = slice(None, None, -1)  # the mask first
    constants = (1, 2)
    onnx = "Where"
    saves = (1,)
    form = 0
    complex32 = "single"
    float8_kernel = "masked_fill"

    def name(self) -> str:
        """PyTorch's name of the node, which differs for numbers and tensors."""
        return f"MaskedFillBackward{self.form}"

    def check(self, x: Tensor, mask: Tensor, value: Any) -> None:
        """Check that the mask is boolean and the value a single one."""
        check_mask_shape(mask, x)
        _refuse_value_and_mask(x, mask, value)

    def forward(self, x: Any, mask: Any, value: Any) -> Any:
        xp = array_module(x)
        return row_major(xp.where(mask, xp.asarray(value).astype(x.dtype), x))

    def backward(self, g: Any) -> Any:
        mask = self.inputs[1]
        gx = apply(MaskedFill(), g, mask, 0) if self.needs[0] else None
        gv = (
            apply(MaskedFill(), g, ~mask_array(mask), 0).sum()
            if self.needs[2]
            else None
        )
        return gx, None, gv


def check_mask_shape(mask: Tensor, x: Tensor) -> None:
    """Check that a mask and a tensor broadcast.

    Raises:
        RuntimeError: if they do not.
    """
    if mask_array(mask).shape == x._data.shape:
        return
    raise_if(broadcast_error([mask_array(mask).shape, x._data.shape]))


def mask_array(mask: Any) -> Any:
    """The array of a mask, which in formulas may already be an array."""
    return mask._data if isinstance(mask, Tensor) else mask


def _refuse_value_and_mask(_: Tensor, mask: Any, value: Any) -> None:
    """Raise for values and masks that are refused whatever their size.

    Raises:
        RuntimeError: for a value with dimensions, and for a mask that is not boolean.
    """
    if isinstance(value, Tensor) and value._data.ndim:
        raise RuntimeError(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor "
            f"with {value._data.ndim} dimension(s)."
        )
    if mask_array(mask).dtype != np.bool_:
        raise RuntimeError(
            "masked_fill_ only supports boolean masks, but got mask with dtype "
            f"{mask.dtype.c_name}"
        )


def _refuse_in_place(self: Tensor, mask: Any, value: Any) -> None:
    """The same, then shapes in the order in which the variant names them.

    Raises:
        RuntimeError: for a value or mask that does not fit.
    """
    _refuse_value_and_mask(self, mask, value)
    raise_if(broadcast_error([self.shape, mask_array(mask).shape]))


def _check_source(x: Tensor, source: Tensor) -> None:
    """Check that the source has the tensor's dtype.

    Raises:
        RuntimeError: if it has not.
    """
    if source._data.dtype != x._data.dtype:
        raise RuntimeError(
            "masked_scatter: expected self and source to have same dtypes but got"
            f"{x.dtype.short} and {source.dtype.short}"
        )


def _check_in_place(self: Tensor, mask: Any = None, source: Any = None) -> None:
    """Check the source, then that the mask expands to the shape of the tensor.

    Raises:
        RuntimeError: if they do not fit.
    """
    if isinstance(mask, Tensor) and isinstance(source, Tensor):
        _check_source(self, source)
        check_expands(mask._data, self._data.shape)


def _check_number(value: Tensor, x: Tensor) -> None:
    """Check that the dtype of `x` can represent a tensor's number.

    Raises:
        RuntimeError: otherwise; of a complex number of the meta device for real
            elements, since its imaginary part may not be 0.
    """
    if not value.is_meta:
        if not any_batched((value,)):
            castable_number(value.item(), x)
    elif value.is_complex() and not x.is_complex():
        whole = bool if x._data.dtype == np.bool_ else int
        kind = float if x.is_floating_point() else whole
        raise RuntimeError(f"could not convert to type {kind} without overflow")


@public("masked_fill")
def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """A copy with elements where a mask is true replaced by a value.

    Math: y = value where mask, else x
          ∂L/∂x = 0 where mask, else g      ∂L/∂value = Σ g where mask
    Shape: (*), (*) -> (*), broadcast

    Raises:
        RuntimeError: for a mask that is not boolean, or a value with dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.masked_fill(torch.ones(3), torch.tensor([True, False, True]), 0)
        tensor([0., 1., 0.])
    """
    result = _filled(input, mask, value)
    refuse_integer_gradients(result, value)
    return result


@public(inplace="masked_fill_", refuse=_refuse_in_place)
def _filled(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    if not (isinstance(input, Tensor) and isinstance(mask, Tensor)):
        need_tensors("masked_fill", input=input)
        check_call(False)
    op = MaskedFill()
    op.form = int(isinstance(value, Tensor))
    try:
        if not isinstance(value, Tensor):
            value = castable_number(value, input)
        elif value.dtype is not input.dtype and not value.ndim:
            _check_number(value, input)
    except RuntimeError:
        op.check(input, mask, value)  # what PyTorch looks at first
        raise
    if isinstance(value, Tensor) and value._device is not input._device:
        value = value if value.ndim else value.to(input._device)
    return apply(op, input, mask, value)


class MaskedSelect(Op):
    """The elements where a mask is true, as a vector.

    Math: y = x[mask]      ∂L/∂x = g where mask, else 0
    """

    constants = (1,)
    data_dependent = True
    saves = (0, 1)  # x for its version only
    complex32 = "single"

    def check(self, x: Tensor, mask: Tensor) -> None:
        """Check that the mask is boolean."""
        if mask_array(mask).dtype != np.bool_:
            raise RuntimeError("masked_select: expected BoolTensor for mask")
        check_mask_shape(mask, x)

    def forward(self, x: Any, mask: Any) -> Any:
        x, mask = np.broadcast_arrays(x, mask)
        self.common = x.shape
        return x[mask].reshape(-1)

    def backward(self, g: Any) -> Any:
        mask = np.broadcast_to(mask_array(self.inputs[1]), self.common)
        if not self.common:
            return g.reshape(-1).sum() * mask, None
        return apply(IndexBackward((0,), self.common), g, mask), None


@public("masked_select")
def masked_select(input: Tensor, mask: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The elements where a mask is true, as a vector.

    Math: y = x[mask]      ∂L/∂x = g where mask, else 0
    Shape: (*), (*) -> (number of true elements), broadcast

    Raises:
        RuntimeError: for a mask that is not boolean.

    Example:
        >>> import edutorch as torch
        >>> torch.masked_select(torch.tensor([1, 2]), torch.tensor([False, True]))
        tensor([2])
    """
    result = apply2(MaskedSelect(), input, mask)
    if out is None:
        return result
    return copyto(out, result, "masked_select", (input, mask), disjoint=(input, mask))


class MaskedScatter(Op):
    """Replaces elements where a mask is true by those of a source, in order.

    Math: y = x, y[mask] = src.flat[: count]
          ∂L/∂x = 0 where mask, else g      ∂L/∂src.flat[: count] = g[mask]
    """

    constants = (1,)
    saves = (1,)
    complex32_kernel = "masked_scatter"

    def check(self, x: Tensor, mask: Tensor, src: Tensor) -> None:
        """Check that the mask is boolean and the source has the tensor's dtype."""
        check_mask_shape(mask, x)
        _check_source(x, src)
        if mask._data.dtype != np.bool_:
            raise RuntimeError(
                "masked_scatter_ only supports boolean masks, but got mask with dtype "
                f"{mask.dtype.short}"
            )

    def forward(self, x: Any, mask: Any, src: Any) -> Any:
        x, mask = np.broadcast_arrays(x, mask)
        y = x.copy()
        self.src_shape, count = src.shape, int(np.count_nonzero(mask))
        if count > src.size:
            raise RuntimeError("Number of elements of source < number of ones in mask")
        y[mask] = src.reshape(-1)[:count]
        return y

    def backward(self, g: Any) -> Any:
        mask = self.inputs[1]
        gx = apply(MaskedFill(), g, mask, 0) if self.needs[0] else None
        if not self.needs[2]:
            return gx, None, None
        chosen = apply2(MaskedSelect(), g, mask)
        first = array_module(mask_array(mask)).arange(chosen.shape[0])
        size = int(np.prod(self.src_shape))
        gsrc = apply(IndexBackward((0,), (size,)), chosen, first)
        return gx, None, gsrc.reshape(self.src_shape)


@public("masked_scatter", inplace="masked_scatter_", before=_check_in_place)
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """A copy with elements where a mask is true replaced by those of a source.

    Math: y = x, y[mask] = source.flat[: count]
          ∂L/∂x = 0 where mask, else g      ∂L/∂source.flat[: count] = g[mask]
    Shape: (*), (*), (n) -> (*), broadcast

    Raises:
        RuntimeError: if the source has too few elements.

    Example:
        >>> import edutorch as torch
        >>> mask = torch.tensor([True, False, True])
        >>> torch.masked_scatter(torch.zeros(3), mask, torch.tensor([1.0, 2.0]))
        tensor([1., 0., 2.])
    """
    return apply(MaskedScatter(), input, mask, source)

"""A matrix plus the outer product of two vectors."""

from __future__ import annotations

from typing import Any

from ...autograd import modes as _m
from ...autograd.dispatch import apply
from ...autograd.half_precision import half_rounding
from ...kernels.memory_format import match_strides
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors
from ..deprecated_overloads import reordered
from ..number_ranges import overflow_error
from ..pointwise.conjugate import conj
from ..promotion import common_dtype
from ..registration import copyto, public
from .addmm_family import AddProduct, scaled_by
from .checks import check_expands
from .inplace import check_addr_size, refuse_addr_size

__all__ = ["addr"]


class Addr(AddProduct):
    """A matrix plus the outer product of two vectors.

    Math: y = β x + α a bᵀ      ∂L/∂x = β g      ∂L/∂a = α g b      ∂L/∂b = α gᵀ a
    Shape: (n, m), (n), (m) -> (n, m)
    """

    by_blas = False
    rounded: Any = None

    def forward(self, x: Any, a: Any, b: Any) -> Any:
        """Round each step of 16-bit floats, as PyTorch does."""
        r = self.rounded
        if r is None:
            y = super().forward(x, a, b)
        else:
            y = r(r(a * r(self.alpha))[:, None] * b)
            y = r(y + r(x * r(self.beta))) if self.beta else y
        return match_strides(y, x)

    def check(self, x: Any, a: Any, b: Any) -> None:
        self.rounded = half_rounding(x, a, b)
        for name, v in (("vec1", a), ("vec2", b)):
            if v._data.ndim != 1:
                raise RuntimeError(
                    f"addr: Expected 1-D argument {name}, but got {v._data.ndim}-D"
                )
        check_expands(x._data, (a._data.size, b._data.size))
        self.check_scales(common_dtype(x._data, a._data, b._data))

    def check_scales(self, dtype: Any) -> None:
        """Check that the factors are booleans or floats only if the result is."""
        kind = dtype.numpy.kind
        for name, scale in (("beta", self.beta), ("alpha", self.alpha)):
            if scale is True or scale is False:
                if kind != "b":
                    raise RuntimeError(
                        f"Boolean {name} only supported for Boolean results."
                    )
            elif isinstance(scale, (float, complex)) and kind in "iub":
                raise RuntimeError(
                    f"For integral input tensors, argument {name} must not be a "
                    "floating point number."
                )
            elif isinstance(scale, complex) and not dtype.is_complex:
                raise overflow_error(dtype)

    def promote(self, *arrays: Any) -> Any:
        x, a, b = arrays
        common = common_dtype(x.reshape(1) if not x.ndim else x, a, b).numpy
        return tuple(v.astype(common, copy=False) for v in arrays)

    def product(self, a: Any, b: Any) -> Any:
        return a[:, None] * b  # (n, m)

    def grad_first(self, g: Any, b: Any) -> Any:
        return g @ conj(b)

    def grad_second(self, g: Any, a: Any) -> Any:
        return conj(a) @ g


@public("addr", inplace="addr_", refuse=refuse_addr_size, fit=check_addr_size)
def addr(
    input: Tensor, vec1: Tensor, vec2: Tensor, *old: Any,
    beta: complex = 1, alpha: complex = 1,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """A matrix plus the outer product of two vectors.

    Math: y = β x + α a bᵀ      ∂L/∂x = β g      ∂L/∂a = α g b      ∂L/∂b = α gᵀ a
    Shape: (n, m), (n), (m) -> (n, m)

    Raises:
        RuntimeError: for factors that are not vectors, scales that do not fit integers.

    Example:
        >>> import edutorch as torch
        >>> torch.addr(torch.zeros(2, 2), torch.tensor([1.0, 2.0]), torch.ones(2))
        tensor([[1., 1.],
                [2., 2.]])
    """
    if _m.special_modes and addr in _m.modes.autocast:
        return _m.autocast(
            addr, input, vec1, vec2, *old, beta=beta, alpha=alpha, out=out
        )
    if old:  # the deprecated signature with numbers first
        given, numbers = reordered("addr", input, vec1, vec2, *old)
        return addr(*given, out=out, **numbers)
    need_tensors("addr", input=input, vec1=vec1, vec2=vec2)
    op = scaled_by(Addr(), beta, alpha)
    if beta is True or alpha is True:  # scales of 1, but only for booleans
        op.beta, op.alpha = beta, alpha
    result = apply(op, input, vec1, vec2)
    if out is None:
        return result
    read = (input.expand(result.shape), vec1.unsqueeze(1), vec2)
    return copyto(out, result, "addr", read)

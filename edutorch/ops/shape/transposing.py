"""Permutes dimensions."""

from __future__ import annotations

from typing import Any

from ...autograd.dispatch import Op, apply1
from ...backends.flags import warn_once
from ...errors import raise_if
from ...tensor.tensor import Tensor
from ..argument_checks import type_error
from ..argument_errors import argument_error
from ..dims import dim_of, ndim_of, sizes_of
from ..registration import public
from .slices import Slice

__all__ = [
    "adjoint", "moveaxis", "movedim", "permute", "swapaxes", "swapdims", "t",
    "transpose",
]  # fmt: skip


class Transpose(Op):
    """Swaps two dimensions.

    Math: y[..i..j..] = x[..j..i..]      ∂L/∂x = g with them swapped back
    """

    backward_in_single = False
    attributes = ("dim0", "dim1")
    onnx = "Transpose"
    is_view = True
    saves = ()

    def __init__(self, dim0: int, dim1: int) -> None:
        self.dim0, self.dim1 = dim0, dim1

    def forward(self, x: Any) -> Any:
        return x.swapaxes(self.dim0, self.dim1) if x.ndim else x.view()

    def backward(self, g: Any) -> Any:
        return transpose(g, self.dim0, self.dim1)


@public("transpose", "swapdims")
def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """A view with two dimensions swapped.

    Math: y[..i..j..] = x[..j..i..]      ∂L/∂x = g with them swapped back
    Shape: (.., n, .., m, ..) -> (.., m, .., n, ..)

    Raises:
        IndexError: if a dimension does not exist.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[1, 2, 3], [4, 5, 6]])
        >>> y = torch.transpose(x, 0, 1)
        >>> y[0, 1] = 9  # a view: it writes to x
        >>> y.shape, x
        (torch.Size([3, 2]), tensor([[1, 2, 3],
                [9, 5, 6]]))
    """
    n = ndim_of(input, "transpose")
    return apply1(
        Transpose(dim_of(dim0, n, "transpose"), dim_of(dim1, n, "transpose")), input
    )


swapdims = transpose


@public("swapaxes")
def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """`transpose`, with NumPy's names.

    Math: y[..i..j..] = x[..j..i..]      ∂L/∂x = g with them swapped back
    Shape: (.., n, .., m, ..) -> (.., m, .., n, ..)

    Raises:
        IndexError: if a dimension does not exist.

    Example:
        >>> import edutorch as torch
        >>> torch.swapaxes(torch.tensor([[1, 2, 3]]), 0, 1)
        tensor([[1],
                [2],
                [3]])
    """
    return transpose(input, axis0, axis1)


class T(Op):
    """Transposes a matrix.

    Math: y[i, j] = x[j, i]      ∂L/∂x = gᵀ
    """

    backward_in_single = False
    onnx = "Transpose"
    is_view = True
    saves = ()

    def forward(self, x: Any) -> Any:
        return x.T

    def backward(self, g: Any) -> Any:
        return apply1(T(), g)


@public("t")
def t(input: Tensor) -> Tensor:
    """A view of a transposed matrix; vectors are unchanged.

    Math: y[i, j] = x[j, i]      ∂L/∂x = gᵀ
    Shape: (n, m) -> (m, n)

    Raises:
        RuntimeError: for more than two dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.t(torch.tensor([[1, 2], [3, 4]]))
        tensor([[1, 3],
                [2, 4]])
    """
    n = ndim_of(input, "t")
    if n > 2:
        raise argument_error() or RuntimeError(
            f"t() expects a tensor with <= 2 dimensions, but self is {n}D"
        )
    return apply1(T(), input)


class Permute(Op):
    """Permutes dimensions.

    Math: y[i_dims] = x[i]      ∂L/∂x = g in the old order
    """

    backward_in_single = False
    attributes = ("dims",)
    onnx = "Transpose"
    is_view = True
    saves = ()

    def __init__(self, dims: tuple[int, ...]) -> None:
        self.dims = dims

    def forward(self, x: Any) -> Any:
        return x.transpose(self.dims)

    def backward(self, g: Any) -> Any:
        back = sorted(range(len(self.dims)), key=self.dims.__getitem__)
        return apply1(Permute(tuple(back)), g)


def permute(input: Tensor, dims: Any) -> Tensor:
    """A view with permuted dimensions.

    Math: y[i_dims] = x[i]      ∂L/∂x = g in the old order
    Shape: (n0, n1, n2) -> (n_dims[0], n_dims[1], n_dims[2])

    Raises:
        RuntimeError: if `dims` does not name every dimension once.

    Example:
        >>> import edutorch as torch
        >>> x = torch.arange(6).reshape(1, 2, 3)
        >>> y = torch.permute(x, (2, 0, 1))
        >>> y.shape, y[2, 0, 1] == x[0, 1, 2]
        (torch.Size([3, 1, 2]), tensor(True))
    """
    n = ndim_of(input, "permute")
    if hasattr(dims, "__index__"):
        raise type_error("tuple of ints", "dims", dims, "permute")
    dims = sizes_of((dims,), "permute")
    if len(dims) != n:
        raise argument_error() or RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not "
            "match the length of the desired ordering of dimensions i.e. "
            "input.dim() = "
            f"{n} is not equal to len(dims) = {len(dims)}"
        )
    order = tuple(dim_of(d, n, "permute") for d in dims)
    if len(set(order)) != n:
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return apply1(Permute(order), input)


@public("permute")
def _tensor_permute(self: Tensor, *order: Any, dims: Any = None) -> Tensor:
    """A view with permuted dimensions; see `torch.permute`.

    Math: y[i_dims] = x[i]      ∂L/∂x = g in the old order
    Shape: (n0, n1, n2) -> (n_dims[0], n_dims[1], n_dims[2])

    Raises:
        TypeError: without an order.

    Example:
        >>> import edutorch as torch
        >>> x = torch.arange(6).reshape(1, 2, 3)
        >>> y = x.permute(2, 0, 1)
        >>> y.shape, y[2, 0, 1] == x[0, 1, 2]
        (torch.Size([3, 1, 2]), tensor(True))
    """
    if not order and dims is None:
        raise argument_error() or TypeError(
            'permute() missing 1 required positional arguments: "dims"'
        )
    return permute(self, sizes_of(order, "permute") if dims is None else dims)


@public("movedim", "moveaxis")
def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """A view with some dimensions moved; the others keep their order.

    Math: y = x with its dimensions moved      ∂L/∂x = g, moved back
    Shape: (a, b, c), 0, 2 -> (b, c, a)

    Raises:
        RuntimeError: if source and destination differ in length or name one twice.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(2, 3, 4)
        >>> torch.movedim(x, 0, -1).shape, torch.movedim(x, (0, 2), (2, 0)).shape
        (torch.Size([3, 4, 2]), torch.Size([4, 3, 2]))
    """
    n = ndim_of(input, "movedim")
    several = [isinstance(dims, (tuple, list)) for dims in (source, destination)]
    if not (type(source) is type(destination) is int or all(several)):
        raise_if(argument_error())
    sources, targets = (
        sizes_of((source,), "movedim"),
        sizes_of((destination,), "movedim"),
    )
    if several[0] is not several[1]:
        raise argument_error() or TypeError(
            "movedim() received an invalid combination of arguments - got "
            f"({type(source).__name__}, {type(destination).__name__}), but "
            "expected one "
            "of:"
        )
    if len(sources) != len(targets):
        raise argument_error() or RuntimeError(
            "movedim: Invalid source or destination dims: source "
            f"({list(sources)} dims) should contain the same number of dims as "
            f"destination ({list(targets)} dims)"
        )
    sources = tuple(dim_of(d, n, "movedim") for d in sources)
    targets = tuple(dim_of(d, n, "movedim") for d in targets)
    for dims, what, given in (
        (sources, "source", source),
        (targets, "destination", destination),
    ):
        if len(set(dims)) != len(dims):
            raise RuntimeError(
                f"movedim: repeated dim in `{what}` ({list(sizes_of((given,)))})"
            )
    order = [d for d in range(n) if d not in sources]
    if not n:
        return apply1(Slice((...,)), input)
    for target, moved in sorted(zip(targets, sources, strict=True)):
        order.insert(target, moved)
    return apply1(Permute(tuple(order)), input)


moveaxis = movedim


@public("adjoint")
def adjoint(input: Tensor) -> Tensor:
    """The conjugate transpose of each matrix, as a view for real tensors.

    Math: y[.., i, j] = conj(x[.., j, i])
          ∂L/∂x = the adjoint of g
    Shape: (.., n, m) -> (.., m, n)

    Raises:
        RuntimeError: for one dimension.

    Example:
        >>> import edutorch as torch
        >>> torch.adjoint(torch.tensor([[1 + 2j, 3j]]))
        tensor([[1.-2.j],
                [0.-3.j]])
    """
    n = ndim_of(input, "adjoint")
    if n == 0:
        return input.conj()
    if n == 1:
        raise RuntimeError(
            "tensor.adjoint() is only supported on matrices or batches of matrices. "
            "Got 1-D tensor."
        )
    transposed = transpose(input, -2, -1)
    return transposed.conj() if input.is_complex() else transposed


def _reverse_dims(self: Tensor) -> Tensor:
    """A view with the dimensions in reverse order.

    Math: y[i, j, ..] = x[.., j, i]      ∂L/∂x = g, transposed back
    Shape: (a, b, c) -> (c, b, a)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([[1, 2, 3]]).T
        tensor([[1],
                [2],
                [3]])
    """
    if self.ndim != 2:
        warn_once(NOT_A_MATRIX if self.ndim else IDENTITY.format("T"))
    return apply1(Permute(tuple(reversed(range(self.ndim)))), self)


IDENTITY = (
    "Tensor.{} is deprecated on 0-D tensors. This function is the identity in these "
    "cases."
)
NO_ADJOINT = "Tensor.{} is deprecated on 0-D tensors. Consider using x.conj()."
NOT_A_MATRIX = (
    "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is "
    "deprecated and it will throw an error in a future release. Consider `x.mT` to "
    "transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` "
    "to reverse the dimensions of a tensor."
)


def _matrix_transpose(self: Tensor) -> Tensor:
    """A view with the last two dimensions swapped.

    Math: y[.., i, j] = x[.., j, i]      ∂L/∂x = g, transposed back
    Shape: (.., n, m) -> (.., m, n)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([[[1, 2]]]).mT
        tensor([[[1],
                 [2]]])
    """
    if self.ndim == 0:
        warn_once(IDENTITY.format("mT"))
        return self
    if self.ndim == 1:
        _refuse_matrix("mT", self.ndim)
    return transpose(self, -2, -1)


def _adjoint(self: Tensor) -> Tensor:
    """The conjugate transpose of a matrix.

    Math: y[i, j] = conj(x[j, i])      ∂L/∂x = the adjoint of g
    Shape: (n, m) -> (m, n)

    Raises:
        RuntimeError: for other numbers of dimensions than 0 and 2.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([[1 + 2j, 3j]]).H
        tensor([[1.-2.j],
                [0.-3.j]])
    """
    if self.ndim not in (0, 2):
        raise RuntimeError(
            "tensor.H is only supported on matrices (2-D tensors). Got "
            f"{self.ndim}-D tensor."
            + (
                " For batches of matrices, consider using tensor.mH"
                if self.ndim > 2
                else ""
            )
        )
    if self.ndim == 0:
        warn_once(NO_ADJOINT.format("H"))
    return adjoint(self)


def _matrix_adjoint(self: Tensor) -> Tensor:
    """The conjugate transpose of each matrix.

    Math: y[.., i, j] = conj(x[.., j, i])      ∂L/∂x = the adjoint of g
    Shape: (.., n, m) -> (.., m, n)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([[[1 + 2j, 3j]]]).mH
        tensor([[[1.-2.j],
                 [0.-3.j]]])
    """
    if self.ndim == 1:
        _refuse_matrix("mH", self.ndim)
    if self.ndim == 0:
        warn_once(NO_ADJOINT.format("mH"))
    return adjoint(self)


def _refuse_matrix(name: str, ndim: int) -> None:
    raise RuntimeError(
        f"tensor.{name} is only supported on matrices or batches of matrices. Got "
        f"{ndim}-D tensor."
    )


for _name, _property in {
    "T": _reverse_dims, "mT": _matrix_transpose, "H": _adjoint, "mH": _matrix_adjoint,
}.items():  # fmt: skip
    setattr(Tensor, _name, property(_property))

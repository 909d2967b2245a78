"""Matrices of derivatives: `jacrev`, `jacfwd`, `hessian`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..autograd.active_transforms import NO_LEVEL, running
from ..ops.create import eye
from ..ops.shape import movedim
from ..tensor.pytree import flatten, unflatten
from ..tensor.tensor import Tensor
from .forward_mode import approximated, refuse_integers
from .reverse_mode import replace_args, select_args, vjp
from .vmap_transform import randomness_mode, vmap

__all__ = ["hessian", "jacfwd", "jacrev"]


def jacrev(
    func: Callable[..., Any],
    argnums: Any = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[..., Any]:
    """A function that computes the Jacobian row by row, in reverse mode.

    Math: J[i, j] = ∂func(x)_i / ∂x_j
    Shape: (*out, *in) for each output and input

    Args:
        argnums: the argument to differentiate by, or a tuple of several.
        has_aux: `func` returns (result, more); so does the Jacobian's function.
        chunk_size: the number of rows computed at a time; None for all.

    Raises:
        ValueError: for a `chunk_size` that is not positive.

    Example:
        >>> import edutorch as torch
        >>> torch.func.jacrev(lambda x: x**2)(torch.tensor([1.0, 3.0]))
        tensor([[2., 0.],
                [0., 6.]])
    """
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")

    @functools.wraps(func)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        refuse_complex("jacrev", "inputs", args)
        inputs = select_args(args, argnums)

        def of_inputs(tree: Any) -> Any:
            return func(*replace_args(args, argnums, tree), **kwargs)

        result, pull_back, *aux = vjp(of_inputs, inputs, has_aux=has_aux)
        refuse_complex("jacrev", "outputs", result)
        outs, shape = flatten(result)
        ins, structure = flatten(inputs)

        def rows(*cotangents: Tensor) -> Any:
            return tuple(flatten(pull_back(unflatten(list(cotangents), shape))[0])[0])

        columns = vmap(rows, chunk_size=chunk_size)(*_basis(outs))
        table = [
            _cut(column, [o.shape for o in outs], x.shape)
            for column, x in zip(columns, ins, strict=True)
        ]
        found = unflatten(
            [unflatten([part[i] for part in table], structure)
             for i in range(len(outs))], shape,
        )  # fmt: skip
        return (found, aux[0]) if has_aux else found

    return jacobian


def refuse_complex(name: str, what: str, tree: Any) -> None:
    """Raise for complex tensors, for which these functions have no convention.

    Raises:
        RuntimeError: with the position of the first.
    """
    for place, leaf in enumerate(flatten(tree)[0]):
        if isinstance(leaf, Tensor) and leaf.is_complex():
            raise RuntimeError(
                f"{name}: Expected all {what} to be real but received complex tensor "
                f"at flattened input idx: {place}"
            )


def _basis(tensors: list[Tensor]) -> list[Tensor]:
    """For all numbers in several tensors, the tensors in which that number is 1."""
    sizes = [t.numel() for t in tensors]
    total = sum(sizes)
    found, start = [], 0
    for t, n in zip(tensors, sizes, strict=True):
        unit = eye(total, dtype=t.dtype, device=t.device)
        found.append(unit[:, start : start + n].reshape(total, *t.shape))
        start += n
    return found


def _cut(rows: Tensor, shapes: list[Any], rest: Any) -> list[Tensor]:
    """Rows that belong to several tensors, given to each in its shape."""
    found, start = [], 0
    for shape in shapes:
        n = shape.numel()
        found.append(rows[start : start + n].reshape(*shape, *rest))
        start += n
    return found


def jacfwd(
    func: Callable[..., Any],
    argnums: Any = 0,
    has_aux: bool = False,
    *,
    randomness: str = "error",
) -> Callable[..., Any]:
    """A function that computes the Jacobian column by column, in forward mode.

    Math: J[i, j] = ∂func(x)_i / ∂x_j
    Shape: (*out, *in) for each output and input

    Args:
        argnums: the argument to differentiate by, or a tuple of several.
        has_aux: `func` returns (result, more); so does the Jacobian's function.
        randomness: of the map over columns; see `vmap`.

    Raises:
        RuntimeError: if the function draws random numbers, unless `randomness` lets it.

    Example:
        >>> import edutorch as torch
        >>> torch.func.jacfwd(lambda x: x**2)(torch.tensor([1.0, 3.0]))
        tensor([[2., 0.],
                [0., 6.]])
    """

    @functools.wraps(func)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        refuse_complex("jacfwd", "inputs", args)
        inputs = select_args(args, argnums)
        ins, structure = flatten(inputs)
        refuse_integers([x for x in ins if isinstance(x, Tensor)])

        def of_inputs(tree: Any) -> Any:
            return func(*replace_args(args, argnums, tree), **kwargs)

        what = "jvp(f, primals, tangents)"
        # PyTorch maps the function, too, at a level of its own.
        with randomness_mode(randomness, single=True), running(NO_LEVEL):
            tracked, result, aux, linear = approximated(
                of_inputs, (inputs,), has_aux, what
            )
        refuse_complex("jacfwd", "outputs", result)
        outs, shape = flatten(result)

        def columns(*tangents: Tensor) -> Any:
            return tuple(linear(list(tangents)))

        table = vmap(columns, randomness=randomness)(*_basis(ins))
        found = unflatten(
            [unflatten(_columns(part, ins, o.shape), structure)
             for part, o in zip(table, outs, strict=True)], shape,
        )  # fmt: skip
        return (found, tracked.release(aux)) if has_aux else found

    return jacobian


def _columns(table: Tensor, ins: list[Tensor], out: Any) -> list[Tensor]:
    """The parts of the Jacobian of one output, from its columns (n, *out)."""
    parts = _cut(table, [x.shape for x in ins], out)  # each (*in, *out)
    found = []
    for part, x in zip(parts, ins, strict=True):
        k = len(x.shape)
        last = tuple(range(part.ndim - k, part.ndim))
        found.append(movedim(part, tuple(range(k)), last) if k else part)
    return found


def hessian(func: Callable[..., Any], argnums: Any = 0) -> Callable[..., Any]:
    """A function that computes the matrix of second derivatives.

    Math: H[i, j] = ∂²func(x) / ∂x_i ∂x_j
    Shape: (*in, *in) for a result without dimensions

    Example:
        >>> import edutorch as torch
        >>> torch.func.hessian(lambda x: (x**3).sum())(torch.tensor([1.0, 2.0]))
        tensor([[ 6.,  0.],
                [ 0., 12.]])
    """
    return jacfwd(jacrev(func, argnums), argnums)

"""Reverse mode as transforms of functions: `grad`, `grad_and_value`, `vjp`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..autograd.graph import disable_saved_tensors_hooks
from ..ops.create import ones_like
from ..tensor.pytree import flatten, tensors_of, unflatten
from ..tensor.tensor import Tensor
from .tracked_inputs import Tracked, vector_jacobian_product

__all__ = [
    "select_args",
    "grad",
    "grad_and_value",
    "is_differentiable",
    "replace_args",
    "run_tracked",
    "vjp",
]


NO_HOOKS = (
    "torch.func.{grad, vjp, jacrev, hessian} don't yet support saved tensor hooks. "
    "Please open an issue with your use case."
)


def grad(
    func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """A function that computes the gradient of a function with one number as result.

    Math: x -> ∇func(x)
    Shape: () -> like the argument

    Args:
        argnums: the argument to differentiate by, or a tuple of several.
        has_aux: `func` returns (result, more); so does the gradient's function.

    Raises:
        RuntimeError: if the result is not a tensor without dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.func.grad(torch.func.grad(lambda x: x**3))(torch.tensor(2.0))
        tensor(12.)
    """
    wrapped = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        found, value = wrapped(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return gradient


def grad_and_value(
    func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """As `grad`, but also returns the function's result.

    Math: x -> ∇func(x), func(x)
    Shape: () -> like the argument, ()

    Raises:
        RuntimeError: if the result is not a tensor without dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.func.grad_and_value(lambda x: x * x)(torch.tensor(3.0))
        (tensor(6.), tensor(9.))
    """

    @functools.wraps(func)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        tracked = Tracked(select_args(args, argnums), writable=False)
        with disable_saved_tensors_hooks(NO_HOOKS):
            result = tracked.call(
                func, replace_args(args, argnums, tracked.tree), kwargs
            )
        result, aux = _split_aux(result, has_aux, "grad_and_value(f)(*args)")
        _check_scalar(result)
        (value,) = tracked.unbatched([result])
        found = vector_jacobian_product(
            tracked, [value], tracked.values, [tracked.as_batched(ones_like(value))],
            create=tracked.needs_recording([value]), retain=False,
        )  # fmt: skip
        gradient = unflatten(found, tracked.structure)
        result = tracked.release(result)
        return gradient, (result, tracked.release(aux)) if has_aux else result

    return wrapped


def _check_scalar(result: Any) -> None:
    if not isinstance(result, Tensor):
        raise RuntimeError(
            "grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got "
            f"{type(result)}"
        )
    if result._data.ndim:
        raise RuntimeError(
            "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, "
            f"got tensor with {result._data.ndim} dims. Maybe you wanted to use the "
            "vjp or jacrev APIs instead?"
        )


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """A function's result, and the function that multiplies a row with its Jacobian.

    Math: func(x), v -> vᵀ J(x)
    Shape: func(x), like func(x) -> like x

    Args:
        primals: the inputs.
        has_aux: `func` returns (result, more); `more` comes third.

    Raises:
        RuntimeError: if results are not tensors.

    Example:
        >>> import edutorch as torch
        >>> y, pull_back = torch.func.vjp(torch.sin, torch.tensor(0.0))
        >>> pull_back(torch.tensor(2.0))
        (tensor(2.),)
    """
    with disable_saved_tensors_hooks(NO_HOOKS):
        tracked, result, aux = run_tracked(func, primals, has_aux, "vjp(f, *primals)")
    outs, structure = flatten(result)
    _check_differentiable(outs)
    values = tracked.unbatched(outs)

    def pull_back(
        cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None
    ) -> Any:
        given, shape = flatten(cotangents)
        if shape != structure:
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree "
                f"structure of outputs to the function. cotangents: {shape}, primal "
                f"output: {structure}"
            )
        _check_shapes(given, outs)
        create = (
            tracked.needs_recording([*values, *given]) and create_graph is not False
        )
        found = vector_jacobian_product(
            tracked, values, tracked.values, given, create=create, retain=retain_graph
        )
        return tuple(unflatten(found, tracked.structure))

    released = tracked.release(result)
    if has_aux:
        return released, pull_back, tracked.release(aux)
    return released, pull_back


def is_differentiable(x: Tensor) -> bool:
    """Whether a tensor holds floating-point or complex numbers."""
    return x.is_floating_point() or x.is_complex()


def _check_differentiable(outs: list[Tensor]) -> None:
    for o in outs:
        if not is_differentiable(o):
            raise RuntimeError(
                "vjp(f, ...): All outputs of f must be floating-point or complex "
                f"Tensors, got Tensor with dtype {o.dtype}"
            )


def _check_shapes(given: list[Any], outs: list[Tensor]) -> None:
    for i, (c, o) in enumerate(zip(given, outs, strict=True)):
        if c.shape != o.shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{i}] has a shape of {c.shape} and "
                f"output[{i}] has a shape of {o.shape}."
            )


# ---- running the function


def run_tracked(
    func: Callable[..., Any], primals: Any, has_aux: bool, what: str,
    writable: bool = False,
) -> tuple[Tracked, Any, Any]:  # fmt: skip
    """Run a function on tracked inputs: these, its result, and what comes with it.

    Args:
        what: how messages call the transform.
        writable: whether the function may change inputs in place.

    Raises:
        RuntimeError: if results are not tensors, or there are none.
    """
    tracked = Tracked(primals, writable)
    result = tracked.call(func, tracked.tree, {})
    result, aux = _split_aux(result, has_aux, what)
    _check_tensors(result, f"{what}: expected f(*primals)")
    return tracked, result, aux


def _split_aux(result: Any, has_aux: bool, what: str) -> tuple[Any, Any]:
    """The result itself, and what comes with it."""
    if not has_aux:
        return result, None
    if not (isinstance(result, tuple) and len(result) == 2):
        raise RuntimeError(
            f"{what}: output of function f should be a tuple: (output, aux) if has_aux "
            "is True"
        )
    return result


def _check_tensors(result: Any, what: str) -> None:
    leaves = flatten(result)[0]
    for leaf in leaves:
        if not isinstance(leaf, Tensor):
            raise RuntimeError(
                f"{what} to return only tensors, got unsupported type {type(leaf)}"
            )
    if not tensors_of(result):
        raise RuntimeError(f"{what} to return at least one tensor, got no tensors.")


# ---- which arguments


def select_args(args: tuple[Any, ...], argnums: Any) -> Any:
    """The arguments to differentiate by: one, or a tuple of them.

    Raises:
        RuntimeError: for numbers of arguments that are not there, or come twice.
    """
    several = isinstance(argnums, (tuple, list))
    numbers = [
        _argument_index(n, len(args)) for n in (argnums if several else (argnums,))
    ]
    if len(set(numbers)) != len(numbers):
        raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    return tuple(args[n] for n in numbers) if several else args[numbers[0]]


def _argument_index(n: Any, count: int) -> int:
    if not isinstance(n, int):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(n)}")
    if not -count <= n < count:
        raise RuntimeError(f"Got argnum={n}, but only {count} positional inputs")
    return n % count


def replace_args(args: tuple[Any, ...], argnums: Any, tree: Any) -> list[Any]:
    """The arguments with others in the chosen places."""
    given = list(args)
    several = isinstance(argnums, (tuple, list))
    for n, value in zip(
        *((argnums, tree) if several else ((argnums,), (tree,))), strict=False
    ):
        given[n] = value
    return given

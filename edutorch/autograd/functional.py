"""Derivatives of functions: `jacobian`, `hessian`, and products with them.

Each takes a function and its inputs, a tensor or a tuple of tensors, and returns
results of the same form. `edutorch.func` provides the same as composable transforms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..backends import backend_of
from ..tensor.tensor import Tensor, wrap
from .functional_run import (
    INDEPENDENT,
    STAGES,
    FunctionCall,
    require_dependence,
    require_recorded,
    tensors_in,
    vector_jacobian_product,
    vector_jacobian_products,
    zeros,
    zeros_for_none,
)
from .modes import enable_grad

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]


def vjp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """A function's result, and a row vector times its Jacobian.

    Math: func(x), vᵀ J(x)
    Shape: inputs (*), v like the result -> the result, and like the inputs

    Args:
        v: like the result; may be left out for a single number.
        create_graph: let the results be differentiated.
        strict: refuse results that do not depend on an input, instead of zeros.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1.0, 2.0])
        >>> torch.autograd.functional.vjp(lambda x: x * x, x, torch.ones(2))
        (tensor([1., 4.]), tensor([2., 4.]))
    """
    with enable_grad():
        run = FunctionCall("vjp", func, inputs, create_graph)
        if strict:
            require_dependence(run.outputs, "outputs")
        seeds = run.like_outputs(v)
        found = vector_jacobian_product(run.outputs, run.inputs, seeds, create_graph)
        found = zeros_for_none(found, run.inputs, "back", strict, create_graph)
    return run.finish(run.outputs, run.several_out), run.finish(found, run.several_in)


def jvp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """A function's result, and its Jacobian times a column vector.

    The JVP is computed by double backward: the VJP is linear in its vector, and its
    derivative along `v` is the JVP.

    Math: func(x), J(x) v
    Shape: inputs (*), v like the inputs -> the result, twice

    Args:
        v: like the inputs; may be left out for a single number.
        create_graph: let the results be differentiated.
        strict: refuse results that do not depend on an input, instead of zeros.

    Raises:
        RuntimeError: for v of another shape, and with `strict` for independent results.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1.0, 2.0])
        >>> torch.autograd.functional.jvp(lambda x: x * x, x, torch.ones(2))
        (tensor([1., 4.]), tensor([2., 4.]))
    """
    with enable_grad():
        run = FunctionCall("jvp", func, inputs, create_graph)
        tangents = run.like_inputs(v)
        if strict:
            require_dependence(run.outputs, "outputs")
        moved = _double_backward(run, run.outputs, tangents, create_graph, strict)
        moved = zeros_for_none(moved, run.outputs, "back_trick", strict, create_graph)
    return run.finish(run.outputs, run.several_out), run.finish(moved, run.several_out)


def _double_backward(
    run: FunctionCall,
    outputs: Sequence[Any],
    tangents: Sequence[Tensor],
    create_graph: bool,
    strict: bool = False,
) -> Any:
    """The Jacobian of the outputs times the tangents.

    Math: ∂(uᵀ J)/∂u · t = J t, where uᵀ J is linear in u
    """
    seeds = [zeros(o).requires_grad_() for o in outputs]
    rows = vector_jacobian_product(outputs, run.inputs, seeds, True)
    if strict:
        require_recorded(rows, "gradient")
    live = [i for i, r in enumerate(rows) if r is not None]
    outs, cotangents = [rows[i] for i in live], [tangents[i] for i in live]
    return vector_jacobian_product(outs, seeds, cotangents, create_graph)


def vhp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The result of a function with one number, and a row vector times its Hessian.

    Math: func(x), vᵀ H(x)
    Shape: inputs (*), v like the inputs -> (), and like the inputs

    Args:
        v: like the inputs; may be left out for a single number.
        create_graph: let the results be differentiated.
        strict: refuse results that do not depend on an input, instead of zeros.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1.0, 2.0])
        >>> torch.autograd.functional.vhp(lambda x: (x**3).sum(), x, torch.ones(2))
        (tensor(9.), tensor([ 6., 12.]))
    """
    with enable_grad():
        run = FunctionCall("vhp", func, inputs, create_graph)
        v = run.like_inputs(v)
        gradients = run.recorded_gradient(strict)
        found = vector_jacobian_product(gradients, run.inputs, v, create_graph)
        found = zeros_for_none(found, run.inputs, "hessian", strict, create_graph)
    return run.finish(run.outputs, run.several_out), run.finish(found, run.several_in)


def hvp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The result of a function with one number, and its Hessian times a column vector.

    Math: func(x), H(x) v
    Shape: inputs (*), v like the inputs -> (), and like the inputs

    Args:
        v: like the inputs; may be left out for a single number.
        create_graph: let the results be differentiated.
        strict: refuse results that do not depend on an input, instead of zeros.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1.0, 2.0])
        >>> torch.autograd.functional.hvp(lambda x: (x**3).sum(), x, torch.ones(2))
        (tensor(9.), tensor([ 6., 12.]))
    """
    with enable_grad():
        run = FunctionCall("hvp", func, inputs, create_graph)
        tangents = run.like_inputs(v)
        gradients = run.recorded_gradient(strict)
        found = _double_backward(run, gradients, tangents, create_graph)
        found = zeros_for_none(found, run.inputs, "double", strict, create_graph)
    return run.finish(run.outputs, run.several_out), run.finish(found, run.several_in)


def jacobian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The derivatives of all results by all inputs.

    Math: J[i, j] = ∂func(x)_i / ∂x_j
    Shape: (*out, *in); for several, a tuple over outputs of tuples over inputs

    Args:
        create_graph: let the result be differentiated.
        strict: refuse results that do not depend on an input, instead of zeros.
        vectorize: compute all rows in one backward pass, by `vmap`, which is faster but
            runs hooks and user-defined functions on batches.
        strategy: "reverse-mode" computes rows, "forward-mode" columns.

    Raises:
        AssertionError: for unknown strategies.
        RuntimeError: with `strict` for independent results, and for `vectorize`.
        NotImplementedError: for "forward-mode" without `vectorize`, or with
            `create_graph`.

    Example:
        >>> import edutorch as torch
        >>> torch.autograd.functional.jacobian(torch.square, torch.tensor([1.0, 3.0]))
        tensor([[2., 0.],
                [0., 6.]])
    """
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If '
            'your function has more outputs than inputs, "forward-mode" tends to be '
            'more performant. Otherwise, prefer to use "reverse-mode".'
        )
    if strategy == "forward-mode":
        _check_forward(create_graph, strict, vectorize)
    with enable_grad():
        run = FunctionCall("jacobian", func, inputs, create_graph)
        if strict:
            require_dependence(run.outputs, "outputs")
        if strict and vectorize:
            raise RuntimeError(
                "torch.autograd.functional.jacobian: `strict=True` and "
                "`vectorized=True` are not supported together. Please either set "
                "`strict=False` or `vectorize=False`."
            )
        if strategy == "forward-mode":
            table = _columns(run)
        else:
            table = [_rows(run, i, create_graph, strict, vectorize)
                     for i in range(len(run.outputs))]  # fmt: skip
    rows = [run.finish(row, run.several_in) for row in table]
    return tuple(rows) if run.several_out else rows[0]


def _check_forward(create_graph: bool, strict: bool, vectorize: bool) -> None:
    both = "are not supported together (yet). Please either set"
    for on, name in ((create_graph, "create_graph"), (strict, "strict")):
        if on:
            kind = NotImplementedError if name == "create_graph" else RuntimeError
            raise kind(
                f"torch.autograd.functional.jacobian: `{name}=True` and "
                f'`strategy="forward-mode"` {both} `{name}=False` or '
                '`strategy="reverse-mode"`.'
            )
    if not vectorize:
        raise NotImplementedError(
            "Computing Jacobian using forward-AD or forward-over-reverse Hessian is"
            "only implemented for `vectorize=True`."
        )


def _rows(
    run: FunctionCall, i: int, create: bool, strict: bool, together: bool
) -> list[Tensor]:
    """The Jacobian of one output: a row for each of its numbers."""
    out = run.outputs[i]
    found: Sequence[Any] = [None] * len(run.inputs)
    if out._requires_grad and out.numel():
        unit = np.eye(out.numel(), dtype=out._data.dtype)
        xp = backend_of(out._device).xp
        seeds = wrap(xp.asarray(unit.reshape(-1, *out.shape)), out._device)
        found = vector_jacobian_products(out, run.inputs, seeds, create, together)
    rows = []
    for j, (g, x) in enumerate(zip(found, run.inputs, strict=True)):
        if strict and g is None:
            raise RuntimeError(
                f"Output {i} of the user-provided function is independent of input "
                f"{j}. {INDEPENDENT}."
            )
        if strict and create and not g._requires_grad:
            raise RuntimeError(STAGES["graph"].format(i=i))
        shape = (*out.shape, *x.shape)
        rows.append(zeros(x, shape) if g is None else g.reshape(shape))
    return rows


def _columns(run: FunctionCall) -> list[list[Tensor]]:
    """The columns of the Jacobian, JVPs by double backward, for all input elements."""
    seeds = [zeros(o).requires_grad_() for o in run.outputs]
    rows = vector_jacobian_product(run.outputs, run.inputs, seeds, True)
    table: list[list[Tensor]] = [[] for _ in run.outputs]
    for row, x in zip(rows, run.inputs, strict=True):
        found: Sequence[Any] = [None] * len(seeds)
        if row is not None and row._requires_grad:
            unit = wrap(np.eye(x.numel(), dtype=x._data.dtype).reshape(-1, *x.shape))
            found = vector_jacobian_products(row, seeds, unit, False, together=True)
        for part, g, out in zip(table, found, run.outputs, strict=True):
            shape = (*out.shape, *x.shape)
            if g is None:
                part.append(zeros(x, shape))
            else:
                flat = g.reshape(x.numel(), -1)  # (in, out)
                part.append(flat.transpose(0, 1).reshape(shape))
    return table


def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The second derivatives of a function with one number.

    Math: H[i, j] = ∂²func(x) / ∂x_i ∂x_j
    Shape: (*in, *in); for several inputs, a tuple of tuples

    Args:
        create_graph: let the result be differentiated.
        strict: refuse derivatives that do not depend on an input, instead of zeros.
        vectorize: as of `jacobian`.
        outer_jacobian_strategy: as `strategy` of `jacobian`, for the second derivative.

    Raises:
        AssertionError: for unknown strategies.
        RuntimeError: if the function does not return one number.

    Example:
        >>> import edutorch as torch
        >>> f = lambda x: (x**3).sum()
        >>> torch.autograd.functional.hessian(f, torch.tensor([1.0, 2.0]))
        tensor([[ 6.,  0.],
                [ 0., 12.]])
    """
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode".'
        )
    several = tensors_in(inputs, "inputs", "hessian")[1]

    def recorded_gradient(*given: Tensor) -> Any:
        run = FunctionCall("hessian", func, given, True)
        if strict:
            require_dependence(run.outputs, "outputs")
        run.check_single()
        if outer_jacobian_strategy == "forward-mode":
            live = tuple(t if t._requires_grad else t.detach() for t in run.inputs)
            run.inputs = live
        found = run.recorded_gradient(False)
        if strict:
            require_dependence(found, "hessian")
        return tuple(found)

    table = jacobian(
        recorded_gradient, inputs if several else (inputs,), create_graph=create_graph,
        strict=strict, vectorize=vectorize, strategy=outer_jacobian_strategy,
    )  # fmt: skip
    return table if several else table[0][0]

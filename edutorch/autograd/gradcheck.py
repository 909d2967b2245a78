"""Check derivatives against finite differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..tensor.tensor import Tensor, wrap
from .api import grad
from .context import forward_mode
from .modes import enable_grad, no_grad

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]


class GradcheckError(RuntimeError):
    """An analytical gradient differs from the numerical one."""


def _outputs(result: Any) -> list[Tensor]:
    several = result if isinstance(result, (tuple, list)) else (result,)
    return [t for t in several if isinstance(t, Tensor) and t._requires_grad]


def _numerical(
    fn: Callable[..., Any], inputs: Sequence[Any], which: Tensor, eps: float
) -> list[np.ndarray[Any, Any]]:
    """Central differences: for each output, d(output)/d(input element), row by row."""
    rows: list[list[Any]] = []
    flat = which._data.reshape(-1)
    shared = np.shares_memory(flat, which._data)
    for i in range(flat.size):
        values = []
        for sign in (1, -1):
            old = flat[i].copy()
            flat[i] = old + sign * eps
            if not shared:
                which._data[...] = flat.reshape(which._data.shape)
            values.append(_values(fn, inputs))
            flat[i] = old
            if not shared:
                which._data[...] = flat.reshape(which._data.shape)
        rows.append([(hi - lo) / (2 * eps) for hi, lo in zip(*values, strict=True)])
    if not rows:
        return []
    return [np.stack(column) for column in zip(*rows, strict=True)]


def _values(fn: Callable[..., Any], inputs: Sequence[Any]) -> list[Any]:
    with enable_grad():
        outs = _outputs(fn(*inputs))
    return [np.array(t._data).reshape(-1) for t in outs]


def _analytical(out: Tensor, which: Tensor) -> np.ndarray[Any, Any]:
    """The Jacobian by backward, one row of the identity at a time."""
    columns = []
    for j in range(out.numel()):
        seed = np.zeros(out._data.size, dtype=out._data.dtype)
        seed[j] = 1
        (g,) = grad(
            out, which, wrap(seed.reshape(out._data.shape)),
            retain_graph=True, allow_unused=True,
        )  # fmt: skip
        zeros = np.zeros(which._data.size, dtype=which._data.dtype)
        columns.append(zeros if g is None else np.array(g._data).reshape(-1))
    if not columns:
        return np.zeros((which.numel(), 0))
    return np.stack(columns, axis=1)


def _checked_inputs(inputs: Any) -> tuple[list[Any], list[Tensor]]:
    given = list(inputs) if isinstance(inputs, (tuple, list)) else [inputs]
    leaves = [t for t in given if isinstance(t, Tensor) and t._requires_grad]
    if not leaves:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none "
            "of them have requires_grad=True."
        )
    return given, leaves


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Compare backward with central differences, for float64 inputs that require grad.

    Math: |analytical - numerical| <= atol + rtol · |numerical|, elementwise

    Args:
        func: a function of tensors that returns a tensor or several.
        eps: the step of the differences.
        raise_exception: raise instead of returning False.
        nondet_tol: how far the same pass may differ when it is repeated.
        check_grad_dtypes: gradients must have their inputs' dtypes.
        check_batched_grad: compare passes of all rows together, too.
        check_batched_forward_grad: compare forward mode of all directions together.
        check_forward_ad: compare forward mode, too; of a `Function` its `jvp`.
        check_backward_ad: False leaves out backward itself.
        check_undefined_grad: accepted; missing gradients arrive as zeros.
        fast_mode: accepted; all of the Jacobian is compared.
        masked: accepted; inputs are dense.

    Raises:
        AssertionError: if neither mode is to be checked, or one only for batches.
        GradcheckError: where the two differ; with input, output and both Jacobians.

    Example:
        >>> import edutorch as torch
        >>> x = torch.rand(3, dtype=torch.float64, requires_grad=True)
        >>> torch.autograd.gradcheck(torch.exp, x)
        True
    """
    _refuse_modes(
        check_backward_ad, check_forward_ad, check_batched_grad,
        check_batched_forward_grad,
    )  # fmt: skip
    given, leaves = _checked_inputs(inputs)
    outs = _outputs(func(*given))
    near = atol, rtol
    try:
        for i, leaf in enumerate(leaves):
            with no_grad():
                numerical = _numerical(func, given, leaf, eps)
            for j, out in enumerate(outs):
                if numerical and check_backward_ad:
                    found = _analytical(out, leaf)
                    _compare(i, j, found, numerical[j], near)
                    _check_again(found, _analytical(out, leaf), nondet_tol)
                if numerical and check_batched_grad:
                    _compare(i, j, _batched(out, leaf), numerical[j], near, BATCHED)
                for together in range(check_forward_ad + check_batched_forward_grad):
                    if numerical:
                        found = _forward(out, leaf, bool(together))
                        _compare(i, j, found, numerical[j], near, FORWARD)
                if check_grad_dtypes and check_backward_ad:
                    _check_dtype(out, leaf)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


FORWARD, BATCHED = "Jacobian computed with forward mode", "batched Jacobian"


def _refuse_modes(
    backward: bool, forward: bool, batched: bool, batched_forward: bool
) -> None:
    if not (backward or forward):
        raise AssertionError(
            "Expected at least one of check_forward_ad or check_backward_ad to be True"
        )
    if batched and not backward:
        raise AssertionError(
            "Setting check_batched_grad=True requires check_backward_ad to be True"
        )
    if batched_forward and not forward:
        raise AssertionError(
            "Setting check_batched_forward_grad=True requires check_forward_ad to be "
            "True"
        )


def _compare(
    i: int,
    j: int,
    analytical: Any,
    numerical: Any,
    near: tuple[float, float],
    kind: str = "Jacobian",
) -> None:
    atol, rtol = near
    if not np.allclose(analytical, numerical, rtol, atol, equal_nan=True):
        raise GradcheckError(
            f"{kind} mismatch for output {j} with respect to input {i},\n"
            f"numerical:{wrap(numerical)}\nanalytical:{wrap(analytical)}\n"
        )


def _check_again(first: Any, second: Any, tolerance: float) -> None:
    """The same pass twice gives the same numbers."""
    if not np.allclose(first, second, 0, tolerance, equal_nan=True):
        raise GradcheckError(
            "Backward is not reentrant, i.e., running backward with same input and "
            "grad_output multiple times gives different values, although analytical "
            "gradient matches numerical gradient. The tolerance for nondeterminism "
            f"was {tolerance}."
        )


def _batched(out: Tensor, leaf: Tensor) -> np.ndarray[Any, Any]:
    """The Jacobian with all rows of the identity passed back together."""
    unit = np.eye(out._data.size, dtype=out._data.dtype)
    (rows,) = grad(
        out, leaf, wrap(unit.reshape(-1, *out._data.shape)),
        retain_graph=True, allow_unused=True, is_grads_batched=True,
    )  # fmt: skip
    if rows is None:
        return np.zeros((leaf.numel(), out.numel()))
    found: np.ndarray[Any, Any] = rows._data.reshape(out.numel(), -1).T
    return found


def _forward(out: Tensor, leaf: Tensor, together: bool) -> np.ndarray[Any, Any]:
    """The Jacobian by forward mode: a pass back through the pass back."""
    seed = wrap(np.zeros_like(out._data)).requires_grad_()
    with forward_mode():
        (row,) = grad(out, leaf, seed, create_graph=True, allow_unused=True)
    if row is None or not row._requires_grad:
        return np.zeros((leaf.numel(), out.numel()))
    unit = np.eye(leaf._data.size, dtype=leaf._data.dtype)
    directions = wrap(unit.reshape(-1, *leaf._data.shape))
    columns: Any
    if together:
        columns = grad(row, seed, directions, retain_graph=True, is_grads_batched=True)
    else:
        columns = [grad(row, seed, d, retain_graph=True)[0] for d in directions]
    found = np.concatenate([c._data.reshape(-1) for c in columns])
    return found.reshape(leaf.numel(), -1)


def _check_dtype(out: Tensor, leaf: Tensor) -> None:
    seed = wrap(np.ones_like(out._data))
    (g,) = grad(out, leaf, seed, retain_graph=True, allow_unused=True)
    if g is not None and g.dtype is not leaf.dtype:
        raise GradcheckError("Gradient has dtype mismatch")


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Check second derivatives: gradcheck of the function that backward computes.

    Math: as `gradcheck`, of x, g -> Σ g · ∂func(x)/∂x

    Raises:
        GradcheckError: where analytical and numerical second derivatives differ.

    Example:
        >>> import edutorch as torch
        >>> x = torch.rand(3, dtype=torch.float64, requires_grad=True)
        >>> torch.autograd.gradgradcheck(torch.exp, x)
        True
    """
    given, _ = _checked_inputs(inputs)
    outs = _outputs(func(*given))
    seeds = _seeds(outs) if grad_outputs is None else list(
        grad_outputs if isinstance(grad_outputs, (tuple, list)) else [grad_outputs]
    )  # fmt: skip

    def first_derivatives(*args: Any) -> Any:
        inner, given_seeds = args[: -len(seeds)], args[-len(seeds) :]
        wanted = [t for t in inner if isinstance(t, Tensor) and t._requires_grad]
        results = grad(
            _outputs(func(*inner)), wanted, list(given_seeds),
            create_graph=True, allow_unused=True,
        )  # fmt: skip
        return tuple(r for r in results if r is not None)

    return gradcheck(
        first_derivatives, [*given, *seeds],
        eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception,
        nondet_tol=nondet_tol, check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad, check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
    )  # fmt: skip


def _seeds(outs: list[Tensor]) -> list[Tensor]:
    rng = np.random.default_rng(0)
    return [
        wrap(
            rng.uniform(0.5, 1.5, o._data.shape).astype(o._data.dtype)
        ).requires_grad_()
        for o in outs
    ]

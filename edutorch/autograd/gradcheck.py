"""Compare derivatives with finite differences."""

from __future__ import annotations

import functools
import warnings
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
    """For each output the central differences: directions, input elements, outputs.

    A complex input is moved along two directions, 1 and 1j.
    """
    rows = [
        [_differences(fn, inputs, which, i, eps * d) for i in range(which.numel())]
        for d in _directions(which)
    ]
    if not rows[0]:
        return []
    return [
        np.array([[row[j] / eps for row in along] for along in rows])
        for j in range(len(rows[0][0]))
    ]


def _directions(t: Tensor) -> tuple[complex, ...]:
    return (1, 1j) if t._data.dtype.kind == "c" else (1,)


def _differences(
    fn: Callable[..., Any], inputs: Sequence[Any], which: Tensor, i: int, step: complex
) -> list[np.ndarray[Any, Any]]:
    """Half of how far each output moves while element i moves by two steps."""
    place = np.unravel_index(i, which._data.shape)
    old = which._data[place].copy()
    values = []
    for moved in (old + step, old - step):
        which._data[place] = moved
        values.append(_values(fn, inputs))
    which._data[place] = old
    return [(hi - lo) / 2 for hi, lo in zip(*values, strict=True)]


def _values(fn: Callable[..., Any], inputs: Sequence[Any]) -> list[Any]:
    with enable_grad():
        outs = _outputs(fn(*inputs))
    return [np.array(t._data).reshape(-1) for t in outs]


# Note [Complex Jacobians]
# Derivatives are compared for a real output at a time: a complex one is two, its real
# part, whose gradient starts as 1, and its imaginary part, where it starts as 1j.
# The gradient for a complex input is then ∂y/∂a + 1j · ∂y/∂b, with a and b its parts.


def _part_jacobian(differences: np.ndarray[Any, Any], part: complex) -> Any:
    """The Jacobian that backward should give for a part of the output."""
    real = differences.imag if part == 1j else differences.real
    return real[0] if len(real) == 1 else real[0] + 1j * real[1]


def _analytical(out: Tensor, which: Tensor, part: complex) -> np.ndarray[Any, Any]:
    """The Jacobian by backward, one row of the identity at a time."""
    columns = []
    for j in range(out.numel()):
        seed = np.zeros(out._data.size, dtype=out._data.dtype)
        seed[j] = part
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
    for i, t in enumerate(given):
        if isinstance(t, Tensor) and t._requires_grad:
            _check_input(i, t)
    return given, leaves


def _check_input(i: int, t: Tensor) -> None:
    """Finite differences need precise numbers in separate memory."""
    if t._data.dtype.char not in "dD":
        warnings.warn(
            f"Input #{i} requires gradient and is not a double precision floating "
            "point or complex. This check will likely fail if all the inputs are not "
            "of double precision floating point or complex. ",
            stacklevel=4,
        )
    if any(
        stride == 0 and n > 1 for n, stride in zip(t.shape, t.stride(), strict=True)
    ):
        raise RuntimeError(
            f"The {i}th input has a dimension with stride 0. gradcheck only supports "
            "inputs that are non-overlapping to be able to compute the numerical "
            "gradients correctly. You should call .contiguous on the input before "
            "passing it to gradcheck."
        )


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
    """Compare backward with central differences, for inputs that require grad.

    They should be float64 or complex128. Of complex outputs the real and the imaginary
    parts are compared one after the other.

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
        RuntimeError: if elements of an input share their memory.
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
    forward = [False] * check_forward_ad + [True] * check_batched_forward_grad
    try:
        for i, leaf in enumerate(leaves):
            with no_grad():
                numerical = _numerical(func, given, leaf, eps)
            for j, (out, differences) in enumerate(zip(outs, numerical, strict=False)):
                compare = functools.partial(_compare, i, j, near=(atol, rtol))
                for part in reversed(_directions(out)) if check_backward_ad else ():
                    expected = _part_jacobian(differences, part)
                    found = _analytical(out, leaf, part)
                    compare(found, expected, about=_part_text(out, part))
                    _check_again(found, _analytical(out, leaf, part), nondet_tol)
                    if check_batched_grad:
                        found = _batched(out, leaf, part)
                        compare(found, expected, BATCHED, about=_part_text(out, part))
                for together in forward:
                    found = _forward(out, leaf, together)
                    compare(found, differences, FORWARD)
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
    kind: str = "Jacobian",
    *,
    near: tuple[float, float],
    about: str = "",
) -> None:
    atol, rtol = near
    if not np.allclose(analytical, numerical, rtol, atol, equal_nan=True):
        raise GradcheckError(
            f"{about}{kind} mismatch for output {j} with respect to input {i},\n"
            f"numerical:{wrap(numerical)}\nanalytical:{wrap(analytical)}\n"
        )


def _part_text(out: Tensor, part: complex) -> str:
    if out._data.dtype.kind != "c":
        return ""
    name = "imaginary" if part == 1j else "real"
    return f"While considering the {name} part of complex outputs only, "


def _check_again(first: Any, second: Any, tolerance: float) -> None:
    """The same pass twice gives the same numbers."""
    if not np.allclose(first, second, 0, tolerance, equal_nan=True):
        raise GradcheckError(
            "Backward is not reentrant, i.e., running backward with same input and "
            "grad_output multiple times gives different values, although analytical "
            "gradient matches numerical gradient. The tolerance for nondeterminism "
            f"was {tolerance}."
        )


def _batched(out: Tensor, leaf: Tensor, part: complex) -> np.ndarray[Any, Any]:
    """The Jacobian by one batched backward pass, with the identity as gradients."""
    unit = np.eye(out._data.size, dtype=out._data.dtype) * out._data.dtype.type(part)
    (rows,) = grad(
        out, leaf, wrap(unit.reshape(-1, *out._data.shape)),
        retain_graph=True, allow_unused=True, is_grads_batched=True,
    )  # fmt: skip
    if rows is None:
        return np.zeros((leaf.numel(), out.numel()))
    found: np.ndarray[Any, Any] = rows._data.reshape(out.numel(), -1).T
    return found


def _forward(out: Tensor, leaf: Tensor, together: bool) -> np.ndarray[Any, Any]:
    """The Jacobian by forward mode, as JVPs by double backward."""
    seed = wrap(np.zeros_like(out._data)).requires_grad_()
    with forward_mode():
        (row,) = grad(out, leaf, seed, create_graph=True, allow_unused=True)
    along, n = _directions(leaf), leaf.numel()
    if row is None or not row._requires_grad:
        return np.zeros((len(along), n, out.numel()))
    unit = np.eye(n, dtype=leaf._data.dtype)
    shape = (-1, *leaf._data.shape)
    directions = wrap(np.concatenate([d * unit for d in along]).reshape(shape))
    columns: Any
    if together:
        columns = grad(row, seed, directions, retain_graph=True, is_grads_batched=True)
    else:
        columns = [grad(row, seed, d, retain_graph=True)[0] for d in directions]
    found = np.concatenate([c._data.reshape(-1) for c in columns])
    return found.reshape(len(along), n, -1)


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
        leaves = [t for t in inner if isinstance(t, Tensor) and t._requires_grad]
        results = grad(
            _outputs(func(*inner)), leaves, list(given_seeds),
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

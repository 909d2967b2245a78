"""Forward mode as a transform: `jvp` and `linearize`.

See Note [Forward mode by two reverse modes] in `edutorch/autograd/forward_ad.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..autograd.api import grad
from ..autograd.context import forward_mode
from ..autograd.forward_ad import refuse_nested_level
from ..autograd.inference import outside_inference
from ..autograd.modes import enable_grad
from ..autograd.saved_tensor_hooks import COPYING_HOOKS, pop_hooks, push_hooks
from ..ops.create import zeros_like
from ..tensor.pytree import flatten, format_spec, unflatten
from ..tensor.tensor import Tensor
from .reverse_mode import is_differentiable, run_tracked
from .tracked_inputs import Tracked, vector_jacobian_product

__all__ = ["Linear", "approximated", "jvp", "linearize", "refuse_integers"]


class Linear:
    """A function's linear approximation where it was evaluated: tangents in, out."""

    def __init__(self, tracked: Tracked, outs: list[Tensor]) -> None:
        self.tracked = tracked
        self.outs = tracked.unbatched(outs)
        self.seeds = [
            tracked.new_leaf(zeros_like(o.detach())) if is_differentiable(o) else None
            for o in self.outs
        ]
        live = [i for i, o in enumerate(self.outs) if o._requires_grad]
        self.depends = bool(live)
        self.rows: list[Any] = [None] * len(tracked.values)
        if live:
            with outside_inference(), enable_grad(), forward_mode():
                self.rows = list(
                    grad(
                        [self.outs[i] for i in live], tracked.values,
                        [self.seeds[i] for i in live],
                        create_graph=True, allow_unused=True,
                    )
                )  # fmt: skip

    def __call__(self, tangents: list[Tensor]) -> list[Tensor]:
        """The JVP J t, by double backward."""
        pairs = [(r, t) for r, t in zip(self.rows, tangents, strict=True)
                 if r is not None]  # fmt: skip
        rows, given = [r for r, _ in pairs], [t for _, t in pairs]
        create = self.tracked.needs_recording([*rows, *given])
        seeds = [seed for seed in self.seeds if seed is not None]
        found = iter(
            vector_jacobian_product(self.tracked, rows, seeds, given, create=create)
        )
        return [
            zeros_like(o) if seed is None else next(found)
            for o, seed in zip(self.outs, self.seeds, strict=True)
        ]


def jvp(
    func: Callable[..., Any],
    primals: Any,
    tangents: Any,
    *,
    strict: bool = False,
    has_aux: bool = False,
) -> Any:
    """A function's result, and its change when the inputs change along tangents.

    Math: func(x), J(x) t
    Shape: x, like x -> func(x), like func(x)

    Args:
        primals: a tuple of inputs.
        tangents: a tuple of directions with the same structure and shapes.
        strict: refuse results that do not depend on the inputs.
        has_aux: `func` returns (result, more); `more` comes third.

    Raises:
        RuntimeError: for structures or shapes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor(2.0)
        >>> torch.func.jvp(lambda x: x**3, (x,), (torch.ones(()),))
        (tensor(8.), tensor(12.))
    """
    if not isinstance(primals, tuple):
        raise RuntimeError(
            "jvp(f, primals, tangents): Expected primals to be a tuple. E.g. it should "
            "be valid to call f(*primals)."
        )
    given, structure = flatten(tangents)
    values, expected = flatten(primals)
    if structure != expected:
        raise RuntimeError(
            "jvp(f, primals, tangents): Expected primals and tangents to have the same "
            "python structure. For example, if primals is a tuple of 3 tensors, "
            "tangents also must be. Got primals with structure "
            f"{format_spec(expected)} and tangents with structure "
            f"{format_spec(structure)}"
        )
    _check_primals(values)
    what = "jvp(f, primals, tangents)"
    tracked, result, aux, linear = approximated(func, primals, has_aux, what)
    for t, x in zip(given, tracked.tensors, strict=True):
        if t.shape != x.shape:
            raise RuntimeError(
                "Trying to set a forward gradient that has a different size than that "
                "of the original Tensor, this is not supported. Tensor is of size "
                f"{list(x.shape)} while the given forward gradient is of size "
                f"{list(t.shape)}."
            )
    shape = flatten(result)[1]
    if strict and not all(o._requires_grad for o in linear.outs):
        raise RuntimeError(
            "jvp(f, primals, tangents, strict=True): The output of f is independent of "
            "the inputs. This is not allowed with strict=True."
        )
    moved = unflatten(linear(given), shape)
    if has_aux:
        return tracked.release(result), moved, tracked.release(aux)
    return tracked.release(result), moved


def _check_primals(values: list[Any]) -> None:
    what = "jvp(f, primals, tangents): Expected primals to"
    if not values:
        raise RuntimeError(f"{what} contain at least one Tensor.")
    for value in values:
        if not isinstance(value, Tensor):
            raise RuntimeError(f"{what} only contain Tensors, got {type(value)}")
    refuse_integers(values)


def refuse_integers(primals: list[Tensor]) -> None:
    """Raise for inputs that have no tangents.

    Raises:
        ValueError: for integers and booleans.
    """
    for x in primals:
        if not is_differentiable(x):
            raise ValueError(
                f"Expected primal to be floating point or complex, but got: {x.dtype}"
            )


def linearize(func: Callable[..., Any], *primals: Any) -> Any:
    """A function's result, and the function that multiplies its Jacobian with tangents.

    Unlike `jvp`, the function runs once, for any number of tangents.

    Math: func(x), t -> J(x) t
    Shape: func(x), like x -> like func(x)

    Raises:
        RuntimeError: from the second, for tangents of another structure or shape.

    Example:
        >>> import edutorch as torch
        >>> y, push = torch.func.linearize(lambda x: x * x, torch.tensor([1.0, 2.0]))
        >>> push(torch.tensor([1.0, 0.0])), push(torch.tensor([0.0, 1.0]))
        (tensor([2., 0.]), tensor([0., 4.]))
    """
    tracked, result, _, linear = approximated(
        func, primals, False, "linearize(f, *primals)"
    )
    shape = flatten(result)[1]

    def push(*tangents: Any) -> Any:
        given, structure = flatten(tangents)
        if structure != tracked.structure:
            raise RuntimeError(
                f"Expected the tangents {format_spec(structure)} to have the same "
                f"argspec as the primals {format_spec(tracked.structure)}"
            )
        for i, (t, x) in enumerate(zip(given, tracked.tensors, strict=True)):
            if t.shape != x.shape:
                raise RuntimeError(
                    f"tangent:{i} with shape {t.shape} in flattened pytree doesn't "
                    f"match the shape {x.shape} of the corresponding primal."
                )
        return unflatten(linear(given), shape)

    return tracked.release(result), push


def approximated(func: Any, primals: Any, has_aux: bool, what: str) -> Any:
    """A function's result where it was evaluated, and its linear approximation.

    What the function saves and then changes in place is an error in reverse mode, but
    not in forward mode: then the function runs again, and copies are saved.
    """
    refuse_nested_level()
    tracked, result, aux = run_tracked(func, primals, has_aux, what, True)
    try:
        return tracked, result, aux, Linear(tracked, flatten(result)[0])
    except RuntimeError as error:
        if "modified by an inplace operation" not in str(error):
            raise
    push_hooks(COPYING_HOOKS)  # the function may change in place what nodes save
    try:
        tracked, result, aux = run_tracked(func, primals, has_aux, what, True)
    finally:
        pop_hooks(COPYING_HOOKS)
    return tracked, result, aux, Linear(tracked, flatten(result)[0])

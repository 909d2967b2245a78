"""Forward mode: tensors with tangents, the directions in which they change.

Inside a level, `make_dual` gives a tensor a tangent, and `unpack_dual` returns the
tangent of a result. The forward computation itself only records the graph, as for
backward; the tangent is a JVP computed by double backward; see
Note [Forward mode by two reverse modes]. Inside a level the graph is recorded even
under `no_grad`, until the level ends, and nodes save copies, because tensors may
change in place.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ..backends import backend_of
from ..tensor import printing
from ..tensor.tensor import Tensor, wrap
from .api import grad
from .context import forward_mode
from .dispatch import apply1
from .inplace import alias_with_history
from .modes import enable_grad, is_grad_enabled, modes, set_grad
from .saved_tensor_hooks import COPYING_HOOKS, pop_hooks, push_hooks
from .saved_tensors import Restored

__all__ = [
    "UnpackedDualTensor",
    "dual_level",
    "enter_dual_level",
    "exit_dual_level",
    "make_dual",
    "depends_on_other_leaves",
    "refuse_nested_level",
    "unpack_dual",
]

# Note [Forward mode by two reverse modes]
# A backward pass computes a vector-Jacobian product (VJP), u -> Jᵀu, which is linear
# in u. With `create_graph` it is recorded, so it has a backward pass itself, which
# multiplies by the transpose of Jᵀ: t -> J t, a Jacobian-vector product (JVP). So every
# op with a second derivative has forward mode, exactly, without another formula.
#
# Reference: Townsend, "A new trick for calculating Jacobian vector products", 2017.


ALWAYS = (True,)


class _Level(threading.local):
    duals: list[tuple[Tensor, Tensor]] | None = None  # with their tangents
    own: set[int]  # ids of the leaves that were made for them
    leaves: list[Tensor]


_level = _Level()


class UnpackedDualTensor(NamedTuple):
    """A tensor and its tangent, None if it has none.

    Example:
        >>> UnpackedDualTensor(1, None)
        UnpackedDualTensor(primal=1, tangent=None)
    """

    primal: Any
    tangent: Any


def enter_dual_level() -> int:
    """Begin a level; `dual_level` does it for a block.

    Raises:
        RuntimeError: inside another level.

    Example:
        >>> enter_dual_level()
        0
        >>> exit_dual_level()
    """
    refuse_nested_level()
    _level.duals, _level.own, _level.leaves = [], set(), []
    return 0


def refuse_nested_level() -> None:
    """Raise inside a level.

    Raises:
        RuntimeError: with PyTorch's words.

    Example:
        >>> refuse_nested_level()
    """
    if _level.duals is not None:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")


def _record_duals() -> None:
    """Record the graph from the first dual tensor on, even under `no_grad`."""
    if not modes.dual:
        push_hooks(COPYING_HOOKS)
        recording = is_grad_enabled() if modes.inference else set_grad(True)
        modes.dual, modes.grad_in_dual, modes.unrecorded = True, recording, []


def exit_dual_level(*, level: int | None = None) -> None:
    """End the level; tensors have no tangents any more.

    Raises:
        RuntimeError: if there is none, or another one is named.

    Example:
        >>> level = enter_dual_level()
        >>> exit_dual_level(level=level)
    """
    if _level.duals is None:
        raise RuntimeError("Dual level must be a positive number.")
    if level not in (None, 0):
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was "
            "created. This is not supported."
        )
    _level.duals, _level.own, _level.leaves = None, set(), []
    if not modes.dual:
        return
    modes.dual = False
    for t in (result() for result in modes.unrecorded):
        if t is not None:
            t._grad_fn, t._requires_grad = None, False
    modes.unrecorded = ()
    pop_hooks(COPYING_HOOKS)
    if not modes.inference:
        set_grad(modes.grad_in_dual)


@contextmanager
def dual_level() -> Iterator[int]:
    """A block in which tensors can have tangents.

    Example:
        >>> import edutorch as torch
        >>> import edutorch.autograd.forward_ad as fwAD
        >>> x, t = torch.tensor(3.0), torch.tensor(1.0)
        >>> with fwAD.dual_level():
        ...     fwAD.unpack_dual(fwAD.make_dual(x, t) ** 2).tangent
        tensor(6.)
    """
    level = enter_dual_level()
    try:
        yield level
    finally:
        exit_dual_level(level=level)


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """The tensor with a tangent.

    Args:
        tensor: floating-point or complex.
        tangent: of the same shape.

    Raises:
        RuntimeError: outside of a level, for another shape, or a second tangent.
        ValueError: for integers.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.autograd.forward_ad import dual_level, make_dual, unpack_dual
        >>> with dual_level():
        ...     unpack_dual(make_dual(torch.ones(2), torch.zeros(2))).tangent
        tensor([0., 0.])
    """
    duals = _level.duals
    if duals is None:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make "
            "sure to enter_dual_level() first."
        )
    for t, name in ((tensor, "primal"), (tangent, "tangent")):
        if not (t.is_floating_point() or t.is_complex()):
            raise ValueError(
                f"Expected {name} to be floating point or complex, but got: {t.dtype}"
            )
    if tensor.shape != tangent.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of "
            "the original Tensor, this is not supported. Tensor is of size "
            f"{list(tensor.shape)} while the given forward gradient is of size "
            f"{list(tangent.shape)}."
        )
    if _seed_and_products(tensor)[1]:
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward "
            "gradient at the same level 0 is not supported."
        )
    _record_duals()
    if not tensor._requires_grad:
        tensor = tensor.detach().requires_grad_()
        _level.own.add(id(tensor))
        _level.leaves.append(tensor)
    dual = apply1(Restored(), tensor)
    duals.append((dual, tangent))
    return alias_with_history(dual)  # which may change in place, while the dual stays


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """A tensor and its tangent, None if it was not computed from one that has one.

    Math: ẏ = Σ_i ∂y/∂x_i · ẋ_i over the tensors with tangents

    Example:
        >>> import edutorch as torch
        >>> torch.autograd.forward_ad.unpack_dual(torch.ones(1)).tangent is None
        True
    """
    if _level.duals is None:
        return UnpackedDualTensor(tensor, None)
    primal = (
        tensor if depends_on_other_leaves([tensor], _level.own) else tensor.detach()
    )
    given = _original_tangent(tensor)
    if given is not None:
        return UnpackedDualTensor(primal, given)
    seed, pairs = _seed_and_products(tensor)
    if not pairs:
        return UnpackedDualTensor(primal, None)
    pairs = [(row, t) for row, t in pairs if row._requires_grad]
    if not pairs:  # what was computed from a dual has been overwritten
        return UnpackedDualTensor(primal, seed.detach())
    rows, tangents = [row for row, _ in pairs], [t for _, t in pairs]
    outside = depends_on_other_leaves([*rows, *tangents], _level.own | {id(seed)})
    (found,) = grad(
        rows, seed, tangents, create_graph=outside, retain_graph=True,
        allow_unused=True, materialize_grads=True,
    )  # fmt: skip
    return UnpackedDualTensor(primal, found)


def _as_printed(tensor: Tensor) -> tuple[Tensor, str | None]:
    """A tensor without its tangent, and the text of the tangent, which has none."""
    primal, tangent = unpack_dual(tensor)
    if tangent is None:
        return primal, None
    duals, _level.duals = _level.duals, None
    try:
        return primal, f"{tangent}"
    finally:
        _level.duals = duals


printing.unpack_dual = _as_printed


def _original_tangent(tensor: Tensor) -> Tensor | None:
    """The very tangent that `make_dual` gave this tensor, if it did."""
    for dual, tangent in _level.duals or ():
        same = tensor._grad_fn is dual._grad_fn and tangent.dtype == tensor.dtype
        if same and tangent.stride() == tensor.stride():
            found: Tensor = tangent
            return found
    return None


def _seed_and_products(tensor: Tensor) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
    """A seed u, and for each dual that a tensor depends on: Jᵀu and its tangent."""
    xp = backend_of(tensor._device).xp
    seed = wrap(xp.zeros(tensor._data.shape, tensor._data.dtype), tensor._device)
    duals = _level.duals
    if not (duals and tensor._requires_grad):
        return seed, []
    seed.requires_grad_()
    with enable_grad(), forward_mode():
        found = grad(
            tensor, [d for d, _ in duals], seed, create_graph=True, allow_unused=True
        )
    return seed, [(g, t) for g, (_, t) in zip(found, duals, strict=True)
                  if g is not None]  # fmt: skip


def depends_on_other_leaves(tensors: Any, own: set[int]) -> bool:
    """Whether gradients of tensors could be requested by other leaves than these.

    Leaves of a transform (`func`) whose function has returned do not count.

    Args:
        own: the ids of leaves that do not count.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.autograd.forward_ad import depends_on_other_leaves
        >>> x, w = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
        >>> depends_on_other_leaves([x * w], {id(x)})
        True
        >>> depends_on_other_leaves([x * x], {id(x)})
        False
    """
    if modes.inference or not is_grad_enabled():
        return False
    stack = [t.grad_fn or t for t in tensors if t._requires_grad]
    seen = set()
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if node.is_op:
            stack += [edge for edge in node.edges if edge is not None]
        elif id(node) not in own and getattr(node, "_transform_runs", ALWAYS)[0]:
            return True
    return False

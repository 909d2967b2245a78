"""`torch.func` again, by nothing but PyTorch's reverse mode, one sample after another.

PyTorch's forward derivatives and its rules for batches have defects where they nest,
and so have the third derivatives of some functions. A program of the family `transforms`
is run with these transforms and with such functions composed of others, to tell which
library is right.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any
from unittest import mock

from tests.fuzz.outcomes import Outcome, outcome
from tests.oracle import torch

__all__ = ["by_reverse_mode"]

OPTIONS = re.compile(r", (vectorize=True|(outer_jacobian_)?strategy='forward-mode')")
DUAL = re.compile(r"FA\.unpack_dual\((.*)\(([ax]), ([bw])\)\)\)$", re.MULTILINE)


def by_reverse_mode(text: str) -> Outcome:
    """What a program of transforms gives without forward mode and batching."""
    text = OPTIONS.sub("", text.replace("fn = torch.func", "fn = reverse"))
    text = DUAL.sub(_without_dual, text)
    composed = SimpleNamespace(**{**vars(torch.nn.functional), **COMPOSED})
    with ExitStack() as stack:
        for name, method in METHODS.items():
            stack.enter_context(mock.patch.object(torch.Tensor, name, method))
        stack.enter_context(mock.patch.object(torch, "cdist", distances))
        return outcome(text, torch, {"reverse": FUNCTIONS, "F": composed})


def _without_dual(found: re.Match[str]) -> str:
    """A derivative in the direction in which the dual numbers of a program change."""
    f, x, w = found.groups()
    step = "x.cos()" if x == "a" else "x * 0"
    also = "w.sin()" if w == "b" else "w * 0"
    return f"fn.jvp({f}, (x, w), ({step}, {also})))"


def _mapped(f: Callable[[Any], Any], nest: Any) -> Any:
    """A nest of tuples with each tensor replaced."""
    if isinstance(nest, (tuple, list)):
        return tuple(_mapped(f, part) for part in nest)
    return f(nest)


def _parts(nest: Any) -> list[Any]:
    """The tensors of a nest, from left to right."""
    if isinstance(nest, (tuple, list)):
        return [t for part in nest for t in _parts(part)]
    return [nest]


def _alias(x: Any) -> Any:
    """The same numbers, with respect to which a derivative can be taken."""
    return x.view_as(x) if x.requires_grad else x.detach().requires_grad_()


def _pulled(y: Any, xs: list[Any], g: Any) -> tuple[Any, ...]:
    """The product of a gradient and a Jacobian, which has derivatives itself."""
    if not y.requires_grad:
        return tuple(torch.zeros_like(x) for x in xs)
    return torch.autograd.grad(
        y, xs, g, create_graph=True, allow_unused=True, materialize_grads=True
    )


def _jacobian(y: Any, xs: list[Any]) -> list[Any]:
    """The derivatives of each element by each tensor: (*y, *x) for each x."""
    rows = []
    for k in range(y.numel()):
        one = torch.zeros(y.numel(), dtype=y.dtype)
        one[k] = 1
        rows.append(_pulled(y, xs, one.reshape(y.shape)))
    return [
        torch.stack(r).reshape(*y.shape, *r[0].shape) for r in zip(*rows, strict=True)
    ]


def _at(argnums: Any, args: Any) -> tuple[list[Any], list[Any]]:
    """The arguments to derive by, and all arguments with those replaced."""
    chosen = argnums if isinstance(argnums, tuple) else (argnums,)
    chosen = [n % len(args) for n in chosen]
    args = [_alias(a) if n in chosen else a for n, a in enumerate(args)]
    return [args[n] for n in chosen], args


def jacobian(f: Any, argnums: Any = 0, **_: Any) -> Any:
    """`jacrev`, and `jacfwd`."""

    def derivative(*args: Any) -> Any:
        xs, args = _at(argnums, args)
        several = isinstance(argnums, tuple)

        def of(y: Any) -> Any:
            found = _jacobian(y, xs)
            return tuple(found) if several else found[0]

        return _mapped(of, f(*args))

    return derivative


def gradient(f: Any, argnums: Any = 0, has_aux: bool = False) -> Any:
    """`grad`."""

    def derivative(*args: Any) -> Any:
        xs, args = _at(argnums, args)
        y, *more = f(*args) if has_aux else (f(*args),)
        found = _pulled(y, xs, torch.ones_like(y))
        result = found if isinstance(argnums, tuple) else found[0]
        return (result, *more) if has_aux else result

    return derivative


def gradient_and_value(f: Any) -> Any:
    """`grad_and_value`."""
    return lambda *args: (gradient(f)(*args), f(*args))


def vjp(f: Any, *args: Any) -> Any:
    """`vjp`."""
    args = tuple(map(_alias, args))
    y = f(*args)

    def pull(g: Any) -> Any:
        pairs = zip(_parts(y), _parts(g), strict=True)
        each = [_pulled(part, list(args), along) for part, along in pairs]
        return tuple(sum(parts) for parts in zip(*each, strict=True))

    return y, pull


def jvp(f: Any, args: Any, steps: Any) -> Any:
    """`jvp`: the derivative of `vjp`, which is linear in the gradient."""
    args = tuple(map(_alias, args))
    y = f(*args)

    def push(y: Any) -> Any:
        u = torch.zeros_like(y).requires_grad_()
        back = _pulled(y, list(args), u)
        total = sum((b * s).sum() for b, s in zip(back, steps, strict=True))
        return _pulled(total, [u], torch.ones(()))[0] if total.requires_grad else u * 0

    return y, _mapped(push, y)


def vmap(f: Any, in_dims: Any = 0, out_dims: int = 0, **_: Any) -> Any:
    """`vmap`, as a loop."""

    def batched(*args: Any) -> Any:
        dims = in_dims if isinstance(in_dims, tuple) else (in_dims,) * len(args)
        pairs = list(zip(args, dims, strict=True))
        size = next(a.shape[d] for a, d in pairs if d is not None)
        samples = [
            f(*(a if d is None else a.select(d, k) for a, d in pairs))
            for k in range(size)
        ]
        flat = [
            torch.stack(s, out_dims) for s in zip(*map(_parts, samples), strict=True)
        ]
        left = iter(flat)
        return _mapped(lambda _: next(left), samples[0])

    return batched


def linearize(f: Any, *args: Any) -> Any:
    """`linearize`."""
    return f(*args), lambda *steps: jvp(f, args, steps)[1]


FUNCTIONS = SimpleNamespace(
    grad=gradient, grad_and_value=gradient_and_value, jacrev=jacobian, jacfwd=jacobian,
    hessian=lambda f, argnums=0: jacobian(jacobian(f, argnums), argnums), vjp=vjp,
    jvp=jvp, vmap=vmap, linearize=linearize, functionalize=lambda f: f,
)  # fmt: skip


# ---- functions of vectors and of matrices of three rows


def normalized(x: Any, dims: tuple[int, ...]) -> Any:
    """Differences from the mean in units of the standard deviation."""
    x = x - x.mean(dims, keepdim=True)
    return x / ((x * x).mean(dims, keepdim=True) + 1e-5).sqrt()


def layer_norm(x: Any, shape: Any, weight: Any) -> Any:
    """Layer normalisation of a vector."""
    return normalized(x, (-1,)) * weight


def group_norm(x: Any, groups: int) -> Any:
    """Group normalisation with one group."""
    return normalized(x, tuple(range(1, x.ndim)))


def batch_norm(x: Any, *statistics: Any, training: bool) -> Any:
    """Batch normalisation by the batch's own statistics."""
    return normalized(x, (0,))


def distances(x: Any, y: Any) -> Any:
    """Euclidean distances of rows; between equal ones 0, which does not change."""
    squares = ((x[:, None] - y) ** 2).sum(-1)
    none = squares == 0
    return squares.masked_fill(none, 1).sqrt().masked_fill(none, 0)


def determinant(x: Any) -> Any:
    """The determinant of three rows."""
    return (x[0] * torch.linalg.cross(x[1], x[2])).sum()


def logcumsumexp(x: Any, dim: int) -> Any:
    """Logarithms of cumulative sums of exponentials of a vector."""
    top = x.detach().max()
    return (x - top).exp().cumsum(dim).log() + top


COMPOSED = {
    "layer_norm": layer_norm,
    "group_norm": group_norm,
    "batch_norm": batch_norm,
}
METHODS = {"det": determinant, "logcumsumexp": logcumsumexp}

"""Elementwise operations on large arrays: block by block, in several threads.

An op with `elementwise = True` computes the same numbers when it is applied to parts of
its operands, as does its `backward`. Blocks are small enough for intermediate results
to stay in the cache. They do not depend on the number of threads, nor does any bit of
the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import ndarray

from .. import config
from ..backends.threads import get_num_threads
from ..kernels.thread_pool import parallel_for
from .modes import modes
from .node import Op

__all__ = ["LARGE", "add", "backward", "copied", "forward"]

LARGE = 2**18  # elements; fewer take one thread no longer than several
LARGE_FOR_UFUNC = 2**20  # the same for one pass, which memory limits more than a core
BLOCK = 2**16  # elements that a thread takes at a time
UNCACHED_BLOCKS = 8  # of work that does not profit from the cache


def forward(op: Op, *operands: Any) -> Any:
    """`op.forward` on arrays and numbers, of which the first array is large."""
    if not op.elementwise or (op.ufunc is not None and get_num_threads() == 1):
        return op.forward(*operands)
    arrays = [x for x in operands if np.ndim(x)]
    if not (arrays and _is_shared(arrays)):
        return op.forward(*operands)
    if op.ufunc is not None and arrays[0].size < LARGE_FOR_UFUNC:
        return op.forward(*operands)
    shape, flat = arrays[0].shape, all(x.shape == arrays[0].shape for x in arrays)
    if not (flat or all(_broadcasts_to(x.shape, shape) for x in arrays[1:])):
        return op.forward(*operands)
    cut = _flat_parts(operands) if flat else _rows(operands, shape)
    size = shape[0] if not flat else arrays[0].size
    sample = op.forward(*cut(slice(0, 1)))
    if type(sample) is not ndarray or sample.shape != (
        (1,) if flat else (1, *shape[1:])
    ):
        return op.forward(*operands)
    y = np.empty(size if flat else shape, sample.dtype)

    direct = op.ufunc is not None and all(x.dtype is y.dtype for x in arrays)

    def work(part: slice) -> None:
        if direct:
            op.ufunc(*cut(part), out=y[part])
        else:
            y[part] = op.forward(*cut(part))

    step = _uncached_block(size) if direct else max(1, BLOCK * size // y.size)
    _in_blocks(work, size, step)
    return y.reshape(shape)


def backward(node: Op, g: Any) -> Any:
    """`node.backward` of a large gradient, whose saved values have been restored."""
    saved = [*(node.inputs or ()), node.output]
    arrays = [x for x in (g, *saved) if np.ndim(x)]
    same_shape = all(x.shape == g.shape for x in arrays)
    if not (
        node.blocks_backward and len(arrays) > 1 and same_shape and _is_shared(arrays)
    ):
        return node.backward(g)
    if node.ufunc is np.multiply and g.dtype.kind == "f":
        a, b = node.inputs
        needs_a, needs_b = node.needs
        if _in_one_call(g.size):
            return g * b if needs_a else None, g * a if needs_b else None
        return _products(g, b if needs_a else None, a if needs_b else None)
    cut = _flat_parts((g, *saved))

    def gradients(part: slice) -> tuple[Any, Any, bool]:
        """The gradient of a part's result, and those of its inputs."""
        own = node.copy_with_needs(node.needs)
        piece, *inputs, own.output = cut(part)
        own.inputs = None if node.inputs is None else inputs
        results = own.backward(piece)
        several = type(results) is tuple
        return piece, results if several else (results,), several

    piece, sample, several = gradients(slice(0, 1))
    if not all(r is None or (type(r) is ndarray and r.shape == (1,)) for r in sample):
        return node.backward(g)
    passed = [r is piece for r in sample]  # results that are the gradient itself
    outs = [
        None if r is None or same else np.empty(g.size, r.dtype)
        for r, same in zip(sample, passed, strict=True)
    ]

    def work(part: slice) -> None:
        for out, result in zip(outs, gradients(part)[1], strict=True):
            if out is not None:
                out[part] = result

    _in_blocks(work, g.size, BLOCK)
    whole = [
        g if same else None if out is None else out.reshape(g.shape)
        for out, same in zip(outs, passed, strict=True)
    ]
    return tuple(whole) if several else whole[0]


def _products(g: Any, *factors: Any) -> tuple[Any, ...]:
    """The products of a gradient and arrays of its shape, or numbers, or None."""
    results: list[Any] = [None] * len(factors)
    parts = []  # (factor, result)
    for i, x in enumerate(factors):
        if x is None:
            continue
        if np.ndim(x) and x.dtype is not g.dtype:
            results[i] = g * x
            continue
        results[i] = np.empty_like(g)
        parts.append((*_flat([x]), results[i].reshape(-1)))
    (flat_g,) = _flat([g])

    def work(part: slice) -> None:
        for x, y in parts:
            np.multiply(flat_g[part], x[part] if np.ndim(x) else x, out=y[part])

    step = BLOCK if len(parts) > 1 else _uncached_block(g.size)
    _in_blocks(work, g.size, step)
    return tuple(results)


def add(a: Any, b: Any, out: Any = None) -> Any:
    """The sum of two gradients, put into the array `out` if it is given.

    Example:
        >>> add(np.ones(2), np.ones(2))
        array([2., 2.])
    """
    arrays = type(a) is type(b) is ndarray and a.shape == b.shape
    if not (
        arrays
        and a.dtype is b.dtype
        and not _in_one_call(a.size)
        and _is_shared([a, b])
    ):
        return a + b if out is None else np.add(a, b, out=out)
    y = np.empty_like(a) if out is None else out
    if not _is_shared([y]):
        return np.add(a, b, out=y)
    flat_a, flat_b, flat_y = a.reshape(-1), b.reshape(-1), y.reshape(-1)
    step = _uncached_block(y.size)
    _in_blocks(lambda p: np.add(flat_a[p], flat_b[p], out=flat_y[p]), y.size, step)
    return y


def copied(x: Any) -> Any:
    """A contiguous copy of a gradient, which may be expanded.

    Example:
        >>> copied(np.broadcast_to(np.ones(1), (2,)))
        array([1., 1.])
    """
    shared = type(x) is ndarray and not _in_one_call(x.size) and not config.plain()
    if not shared or len(x) < UNCACHED_BLOCKS:
        return x.copy()
    y = np.empty(x.shape, x.dtype)
    step = _uncached_block(len(x))
    _in_blocks(lambda p: np.copyto(y[p], x[p]), len(x), step)
    return y


def _in_one_call(size: int) -> bool:
    """Whether one pass over so many elements is left to one thread, in one call."""
    return size < LARGE_FOR_UFUNC or get_num_threads() == 1


def _is_shared(arrays: list[Any]) -> bool:
    """Whether threads share the work on these arrays."""
    rows = all(type(x) is ndarray and x.flags.c_contiguous for x in arrays)
    return rows and not config.plain()


def _broadcasts_to(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether an operand of the first shape leaves the second one as it is.

    Example:
        >>> _broadcasts_to((3,), (2, 3)), _broadcasts_to((2, 3), (3,))
        (True, False)
    """
    pairs = zip(shape[::-1], target[::-1], strict=False)
    return len(shape) <= len(target) and all(n in (1, m) for n, m in pairs)


def _flat_parts(operands: Any) -> Callable[[slice], list[Any]]:
    """A function that returns parts of arrays of one shape, and numbers unchanged."""
    flat = _flat(operands)
    return lambda part: [x[part] if np.ndim(x) else x for x in flat]


def _flat(operands: Any) -> list[Any]:
    return [x.reshape(-1) if np.ndim(x) else x for x in operands]


def _rows(operands: Any, shape: tuple[int, ...]) -> Callable[[slice], list[Any]]:
    """A function that returns rows of arrays that have them, and others unchanged."""
    along = [np.ndim(x) == len(shape) and len(x) == shape[0] for x in operands]
    pairs = list(zip(operands, along, strict=True))
    return lambda part: [x[part] if has else x for x, has in pairs]


def _uncached_block(n: int) -> int:
    """The length of blocks for work that does not profit from the cache."""
    return max(1, n // UNCACHED_BLOCKS)


def _in_blocks(work: Callable[[slice], object], n: int, step: int) -> None:
    """Call `work` on slices of `range(n)`, in threads set up like this one.

    The last slice is the longest: short arrays may be computed in other ways.
    """
    blocks = max(1, n // step)
    mode, formula = config.kernel_mode(), modes.takes_arrays

    def block(i: int) -> None:
        before, modes.takes_arrays = modes.takes_arrays, formula
        try:
            with config.kernels(mode):
                work(slice(i * step, n if i == blocks - 1 else (i + 1) * step))
        finally:
            modes.takes_arrays = before

    parallel_for(block, blocks, uses_blas=False)

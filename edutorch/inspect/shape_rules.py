"""Finds which sizes of an op's operands disagree and the condition they violate.

There is a rule for each family of ops; rules use only shapes. If no rule applies,
nothing is highlighted: there is no guessing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from .message_rules import devices, dtypes, out_of_range
from .mismatch import FailedCall, Mismatch, Operand

__all__ = ["find_mismatch"]


def find_mismatch(
    op: str, operands: Sequence[Operand], message: str, attributes: dict[str, Any]
) -> Mismatch:
    """The operands of an op that disagree, and the condition.

    Args:
        op: the public function's name.
        operands: tensors alone.
        message: of the error.
        attributes: of the op, by name.

    Example:
        >>> a = Operand("input", (2, 3), "float32", "cpu")
        >>> b = Operand("mat2", (4, 5), "float32", "cpu")
        >>> found = find_mismatch("mm", [a, b], "", {})
        >>> found.marked, found.rule
        ({0: {1}, 1: {0}}, 'inner sizes must be equal: 3 and 4')
    """
    call = FailedCall(op, list(operands), message, attributes)
    for rule in (out_of_range, devices, dtypes, _FAMILIES.get(_family(op), _pointwise)):
        mismatch = rule(call)
        if mismatch.marked or mismatch.wrong:
            return mismatch
    return Mismatch()


def _pointwise(call: FailedCall) -> Mismatch:
    """Shapes are compared from the last dimension on."""
    if "must match the size of tensor" not in call.message:
        return Mismatch()
    sizes = [o.shape for o in call.operands]
    return _broadcast(list(enumerate(sizes)), Mismatch(right=True))


def _broadcast(
    shapes: list[tuple[int, tuple[int, ...]]], mismatch: Mismatch
) -> Mismatch:
    rank = max((len(shape) for _, shape in shapes), default=0)
    pairs = []
    for back in range(1, rank + 1):
        here = [(i, len(s) - back, s[-back]) for i, s in shapes if len(s) >= back]
        sizes = list(dict.fromkeys(n for _, _, n in here if n != 1))
        if len(sizes) > 1:
            for i, dim, n in here:
                if n != 1:
                    mismatch.mark(i, dim)
            pairs.append(" and ".join(map(str, sizes)))
    if pairs:
        mismatch.rule = f"sizes must be equal or 1: {'; '.join(pairs)}"
    return mismatch


def _in_place(call: FailedCall) -> Mismatch:
    """The result does not fit the tensor that is changed in place."""
    shapes = [o.shape for o in call.operands]
    mismatch = _pointwise(call)
    if mismatch.marked or len(shapes) < 2:
        return mismatch
    if "doesn't match the broadcast shape" not in call.message:
        return mismatch
    own = shapes[0]
    for i, shape in enumerate(shapes[1:], 1):
        for back in range(1, len(shape) + 1):
            mine = own[-back] if back <= len(own) else None
            if shape[-back] != mine and (mine is None or shape[-back] != 1):
                mismatch.mark(i, len(shape) - back)
                if mine is not None:
                    mismatch.mark(0, len(own) - back)
    mismatch.rule = "the tensor that is changed keeps its own shape"
    return mismatch


def _matrix_product(call: FailedCall) -> Mismatch:
    """Products of matrices, vectors and batches."""
    pair = _factors(call)
    if pair is None:
        return Mismatch()
    i, j = pair
    a, b = call.shape(i), call.shape(j)
    mismatch = Mismatch()
    inner = len(b) - (1 if _transposed(call) or len(b) == 1 else 2)
    if a and b and a[-1] != b[inner]:
        mismatch.mark(i, len(a) - 1)
        mismatch.mark(j, inner)
        mismatch.rule = f"inner sizes must be equal: {a[-1]} and {b[inner]}"
    elif not _transposed(call) and len(a) > 2 and len(b) > 2:
        _batches(call, (i, a[:-2]), (j, b[:-2]), mismatch)
    if not mismatch.marked and len(call.operands) == 3:
        added = 2 if _transposed(call) else 0
        out = (*a[:-1], b[0 if _transposed(call) else -1])
        mismatch = _bias(call.shape(added), out, added)
    return mismatch


def _batches(
    call: FailedCall,
    a: tuple[int, tuple[int, ...]],
    b: tuple[int, tuple[int, ...]],
    mismatch: Mismatch,
) -> None:
    """Batch dimensions are broadcast by `matmul`, and must be equal elsewhere."""
    if call.op == "matmul":
        _broadcast([a, b], mismatch)
        mismatch.rule = mismatch.rule and f"batches: {mismatch.rule}"
    elif a[1] != b[1]:
        mismatch.mark(a[0], 0)
        mismatch.mark(b[0], 0)
        mismatch.rule = f"batches must be equal: {a[1][0]} and {b[1][0]}"


def _bias(shape: tuple[int, ...], out: tuple[int, ...], i: int) -> Mismatch:
    """The bias must be broadcastable to the shape of the product."""
    mismatch = Mismatch(right=True)
    for back in range(1, min(len(shape), len(out)) + 1):
        if shape[-back] not in (1, out[-back]):
            mismatch.mark(i, len(shape) - back)
            mismatch.rule = f"the product has the shape {list(out)}"
    return mismatch


def _transposed(call: FailedCall) -> bool:
    return call.op == "linear"


def _factors(call: FailedCall) -> tuple[int, int] | None:
    """The positions of the two factors."""
    count = len(call.operands)
    if _transposed(call):
        return (0, 1) if count > 1 else None
    if count == 3:
        return 1, 2
    return (0, 1) if count == 2 else None


def _convolution(call: FailedCall) -> Mismatch:
    """Channels that disagree, or a kernel larger than its input."""
    mismatch = Mismatch()
    if len(call.operands) < 2:
        return mismatch
    x, w = call.shape(0), call.shape(1)
    places = len(w) - 2
    channel = len(x) - places - 1
    if channel < 0:
        return mismatch
    groups = int(call.attributes.get("groups") or 1)
    transposed = "transpose" in call.op
    wanted = w[0] if transposed else w[1] * groups
    if x[channel] != wanted:
        mismatch.mark(0, channel)
        mismatch.mark(1, 0 if transposed else 1)
        channels = "1 channel" if x[channel] == 1 else f"{x[channel]} channels"
        mismatch.rule = f"the input has {channels}, the weight takes {wanted}"
    elif "Kernel size" in call.message:
        _mark_kernel(call, places, mismatch)
    return mismatch


def _mark_kernel(call: FailedCall, places: int, mismatch: Mismatch) -> None:
    x, w = call.shape(0), call.shape(1)
    padding, dilation = (
        _per_dimension(call.attributes.get(name, default), places)
        for name, default in (("padding", 0), ("dilation", 1))
    )
    for k in range(places):
        dim, n = len(x) - places + k, w[2 + k]
        if dilation[k] * (n - 1) + 1 > x[dim] + 2 * padding[k]:
            mismatch.mark(0, dim)
            mismatch.mark(1, 2 + k)
    mismatch.rule = "a kernel must not be larger than the padded input"


def _per_dimension(value: Any, count: int) -> tuple[int, ...]:
    """Repeat a single number for each dimension."""
    if isinstance(value, (tuple, list)) and len(value) >= count:
        return tuple(map(int, value))
    return (int(value),) * count if isinstance(value, int) else (0,) * count


def _concatenation(call: FailedCall) -> Mismatch:
    """All sizes must be equal, except in the dimension of `cat`."""
    mismatch = Mismatch()
    shapes = [o.shape for o in call.operands]
    if not shapes:
        return mismatch
    first = shapes[0]
    free = None if call.op == "stack" else int(call.attributes.get("dim") or 0)
    if free is not None and first:
        free %= len(first)
    for i, shape in enumerate(shapes):
        for dim in range(min(len(shape), len(first))):
            if dim != free and shape[dim] != first[dim]:
                mismatch.mark(0, dim)
                mismatch.mark(i, dim)
        for dim in range(len(first), len(shape)):
            mismatch.mark(i, dim)
        for dim in range(len(shape), len(first)):
            mismatch.mark(0, dim)
    but = "" if free is None else f" except in dimension {free}"
    mismatch.rule = f"all sizes{but} must be equal"
    return mismatch


def _loss(call: FailedCall) -> Mismatch:
    """Targets: class indices of a batch, or as many numbers as the input has."""
    i, j = call.find("input"), call.find("target")
    if i is None or j is None or "must match the size of tensor" in call.message:
        return _pointwise(call)
    x, target = call.shape(i), call.shape(j)
    mismatch = Mismatch()
    if call.op in ("cross_entropy", "nll_loss") and len(target) == len(x) - 1:
        classless = (0, *range(2, len(x))) if len(x) > 1 else ()
        for k, dim in enumerate(classless):
            if x[dim] != target[k]:
                mismatch.mark(i, dim)
                mismatch.mark(j, k)
        mismatch.rule = "there must be one target for each input"
        return mismatch
    if "batch_size" in call.message and x and target:
        mismatch.mark(i, 0)
        mismatch.mark(j, 0)
        mismatch.rule = f"batches must be equal: {x[0]} and {target[0]}"
        return mismatch
    return _equal_shapes(call, i, j)


def _equal_shapes(call: FailedCall, i: int, j: int) -> Mismatch:
    """Two shapes that must be equal, compared from the first dimension on."""
    a, b = call.shape(i), call.shape(j)
    mismatch = Mismatch(rule="both must have the same shape")
    for dim in range(max(len(a), len(b))):
        if a[dim : dim + 1] != b[dim : dim + 1]:
            if dim < len(a):
                mismatch.mark(i, dim)
            if dim < len(b):
                mismatch.mark(j, dim)
    return mismatch


def _normalized(call: FailedCall) -> Mismatch:
    """The last dimensions for layer norm, the channels for batch norm."""
    mismatch = Mismatch()
    if len(call.operands) < 2:
        return mismatch
    x = call.shape(0)
    by_channel = call.op in ("batch_norm", "instance_norm", "group_norm")
    for i, operand in enumerate(call.operands[1:], 1):
        shape = operand.shape
        first = 1 if by_channel else len(x) - len(shape)
        for k, n in enumerate(shape):
            if 0 <= first + k < len(x) and x[first + k] != n:
                mismatch.mark(0, first + k)
                mismatch.mark(i, k)
                mismatch.rule = f"the input has {x[first + k]} features, not {n}"
    return mismatch


def _expanded(call: FailedCall) -> Mismatch:
    found = re.search(r"\((\d+)\) at non-singleton dimension (\d+)", call.message)
    mismatch = Mismatch(right=True)
    if found and call.operands:
        new = re.search(r"Target sizes: \[([^\]]*)\]", call.message)
        lead = len(new[1].split(",")) - len(call.shape(0)) if new else 0
        mismatch.mark(0, int(found[2]) - lead)
        mismatch.rule = f"only sizes of 1 can be expanded, not {found[1]}"
    return mismatch


def _einsum(call: FailedCall) -> Mismatch:
    """One letter stands for different sizes."""
    mismatch = Mismatch()
    terms = str(call.attributes.get("equation", "")).partition("->")[0].split(",")
    letters = [term.strip() for term in terms]
    shapes = [o.shape for o in call.operands]
    if [len(term) for term in letters] != [len(shape) for shape in shapes]:
        return mismatch  # the equation has an ellipsis, or is given otherwise
    places: dict[str, list[tuple[int, int]]] = {}
    for i, term in enumerate(letters):
        for dim, letter in enumerate(term):
            places.setdefault(letter, []).append((i, dim))
    for letter, at in places.items():
        sizes = list(dict.fromkeys(shapes[i][dim] for i, dim in at))
        if len(set(sizes) - {1}) > 1:
            for i, dim in at:
                mismatch.mark(i, dim)
            mismatch.rule = (
                f"{letter} must be one size: {' and '.join(map(str, sizes))}"
            )
    return mismatch


_FAMILIES: dict[str, Callable[[FailedCall], Mismatch]] = {
    "product": _matrix_product,
    "conv": _convolution,
    "join": _concatenation,
    "loss": _loss,
    "norm": _normalized,
    "expand": _expanded,
    "einsum": _einsum,
    "in_place": _in_place,
    "none": lambda _call: Mismatch(),
}
_NAMES = {
    "product": "mm matmul mv dot vdot inner bmm addmm addmv addbmm baddbmm linear",
    "join": "cat concat concatenate stack",
    "norm": "layer_norm rms_norm batch_norm instance_norm group_norm",
    "expand": "expand broadcast_to",
    "einsum": "einsum",
    "none": "select slice getitem index gather scatter index_select embedding backward "
    "reshape view sum mean max min item",
}


def _family(op: str) -> str:
    """The family of rules that an op belongs to."""
    for family, names in _NAMES.items():
        if op in names.split():
            return family
    if "conv" in op:
        return "conv"
    if "loss" in op or "cross_entropy" in op or op == "kl_div":
        return "loss"
    return "in_place" if op.endswith("_") and not op.endswith("__") else "pointwise"

"""Rules for error messages about indices, dtypes, devices and in-place changes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from .mismatch import FailedCall, Mismatch

__all__ = ["devices", "dtypes", "out_of_range"]


def devices(call: FailedCall) -> Mismatch:
    """Operands on different devices."""
    return _minority(call, "device") if "device" in call.message else Mismatch()


DTYPES = re.compile(r"dtype|scalar type|can't be cast|not implemented for '")


def dtypes(call: FailedCall) -> Mismatch:
    """Operands of different dtypes, or of an unsupported dtype."""
    if not DTYPES.search(call.message):
        return Mismatch()
    target = call.find("target")
    if target is not None and "target" in call.message:
        rule = f"the target must have another dtype than {call.operands[target].dtype}"
        return Mismatch(wrong={target: "dtype"}, rule=rule)
    if len(call.operands) == 1:
        dtype = call.operands[0].dtype
        return Mismatch(wrong={0: "dtype"}, rule=f"{call.op} does not support {dtype}")
    return _minority(call, "dtype")


def _minority(call: FailedCall, what: str) -> Mismatch:
    """Mark the operands that differ from the majority, or all if there is none."""
    values = [getattr(o, what) for o in call.operands]
    counts = Counter(values).most_common()
    if len(counts) < 2:
        return Mismatch()
    most = counts[0][0] if counts[0][1] > counts[1][1] else None
    rule = f"{what}s must be the same: {' and '.join(dict.fromkeys(values))}"
    wrong = {i: what for i, value in enumerate(values) if value != most}
    return Mismatch(wrong=wrong, rule=rule)


def out_of_range(call: FailedCall) -> Mismatch:
    """An index, class or dimension out of range, or a tensor with too many elements."""
    for pattern, rule in _RANGE_RULES:
        found = re.search(pattern, call.message)
        if found and call.operands:
            return rule(call, found)
    return Mismatch()


Match = re.Match[str]


def _index(call: FailedCall, found: Match) -> Mismatch:
    index, dim, size = map(int, found.groups())
    rule = f"index {index} is outside dimension {dim}, which has size {size}"
    mismatch = Mismatch(rule=rule)
    owners = (
        i for i, o in enumerate(call.operands) if o.shape[dim : dim + 1] == (size,)
    )
    if (owner := next(owners, None)) is not None:
        mismatch.mark(owner, dim)
    return mismatch


def _target_class(call: FailedCall, found: Match) -> Mismatch:
    i = call.find("input")
    if i is None or not call.shape(i):
        return Mismatch()
    dim = 1 if len(call.shape(i)) > 1 else 0
    last = call.shape(i)[dim] - 1
    mismatch = Mismatch(rule=f"classes go from 0 to {last}; {found[1]} is outside")
    mismatch.mark(i, dim)
    return mismatch


def _index_of_row(call: FailedCall, _found: Match) -> Mismatch:
    i = call.find("weight") if call.op == "embedding" else 0
    dim = int(call.attributes.get("dim") or 0)
    if i is None or dim >= len(call.shape(i)):
        return Mismatch()
    mismatch = Mismatch(rule=f"indices go from 0 to {call.shape(i)[dim] - 1}")
    mismatch.mark(i, dim)
    return mismatch


def _all_dimensions(rule: str) -> Callable[[FailedCall, Match], Mismatch]:
    """Return a rule that marks the whole shape of the first operand."""

    def mark_all(call: FailedCall, found: Match) -> Mismatch:
        shape = call.shape(0)
        mismatch = Mismatch(rule=rule.format(*found.groups(), rank=len(shape)))
        mismatch.mark(0, *range(len(shape)))
        return mismatch

    return mark_all


def _last_dimension(call: FailedCall, found: Match) -> Mismatch:
    mismatch = Mismatch(rule=f"the last size must be {found[1]}, not {found[2]}")
    for i, operand in enumerate(call.operands):
        if operand.shape[-1:] == (int(found[2]),):
            mismatch.mark(i, len(operand.shape) - 1)
            break
    return mismatch


def _changed_in_place(_call: FailedCall, found: Match) -> Mismatch:
    now, then = found.groups()
    rule = f"changed in place after it was saved: version {now}, saved was {then}"
    return Mismatch(wrong={0: "version"}, rule=rule)


def _leaf_in_place(_call: FailedCall, _found: Match) -> Mismatch:
    rule = "a leaf that requires grad must not be changed in place while grad is on"
    return Mismatch(wrong={0: "leaf"}, rule=rule)


_RANGE_RULES: list[tuple[str, Callable[[FailedCall, Match], Mismatch]]] = [
    (r"index (-?\d+) is out of bounds for dimension (\d+) with size (\d+)", _index),
    (r"Target (-?\d+) is out of bounds", _target_class),
    ("index out of range in self", _index_of_row),
    (
        r"shape '(\[[^\]]*\])' is invalid for input of size (\d+)",
        _all_dimensions("{1} elements do not fill the shape {0}"),
    ),
    (
        r"Dimension out of range .*got (-?\d+)",
        _all_dimensions("there are {rank} dimensions; {0} is none of them"),
    ),
    (
        "implicitly created only for scalar outputs",
        _all_dimensions("backward() starts at a single number"),
    ),
    (
        r"cannot be converted to Scalar|Boolean value of Tensor with more",
        _all_dimensions("only a single element can be converted"),
    ),
    (r"must be equal to input_size. Expected (\d+), got (\d+)", _last_dimension),
    (r"expecting embedding dimension of (\d+), but got (\d+)", _last_dimension),
    (r"is at version (\d+); expected version (\d+)", _changed_in_place),
    ("leaf Variable that requires grad is being used in an in-place", _leaf_in_place),
]

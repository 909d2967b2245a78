"""Runs an op on a batch of samples: by its batching rule, or sample by sample.

Dispatch sends ops inside `vmap` to `run`, which brings the values of all operands to
one leading batch dimension and applies the op's rule (`batching_rules.py`); an op
without a rule runs on the samples one by one. Rules compute with ordinary tensor
functions, so histories and derivatives come by themselves.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from contextlib import suppress
from math import prod
from typing import Any

from ..autograd import batched_tensor as vmapped
from ..autograd.batched_tensor import (
    Batched,
    NeedsSampleValues,
    SamplePlaceholder,
    active_vmaps,
    batched,
    common_levels,
    expand_to_levels,
)
from ..autograd.dispatch import Op, apply, apply1, apply2
from ..ops.shape import stack
from ..tensor.tensor import Tensor

__all__ = [
    "RULES",
    "Call",
    "expand_to_levels",
    "rule",
    "run",
    "run_op",
    "select_sample",
    "to_batch_dim",
]

Rule = Callable[["Call"], Any]
RULES: dict[type[Op], Rule] = {}


class Call:
    """An op about to run on a batch.

    Attributes:
        op: the op, made for one sample; a rule may change a copy of it.
        operands: tensors as one sample sees them, numbers, None.
        values: for each operand that is batched, its values with the batch in front;
            other operands as they are.
        size: the size of the batch.
    """

    def __init__(
        self, op: Op, operands: tuple[Any, ...], levels: tuple[int, ...]
    ) -> None:
        self.op: Any = op
        self.operands = operands
        self.level_sizes = tuple(active_vmaps.sizes[level] for level in levels)
        self.size = prod(self.level_sizes)
        self.values = [self._value(t, levels) for t in operands]

    def _value(self, t: Any, levels: tuple[int, ...]) -> Any:
        if type(t) is not Batched:
            return t
        value = expand_to_levels(t, levels)
        if len(levels) == 1:
            return value
        return value.reshape(self.size, *t._data.shape)

    def is_batched(self, i: int) -> bool:
        """Whether operand `i` differs from sample to sample."""
        return type(self.operands[i]) is Batched

    def ndim(self, i: int) -> int:
        """The dimensions of operand `i` in one sample."""
        return int(getattr(getattr(self.operands[i], "_data", None), "ndim", 0))

    def batch_first(self, i: int) -> Any:
        """Operand `i` with a batch dimension in front, of size 1 if it has none."""
        value = self.values[i]
        return value if self.is_batched(i) else value.unsqueeze(0)

    def expanded(self, i: int) -> Any:
        """Operand `i` with the whole batch in front."""
        value = self.values[i]
        return value if self.is_batched(i) else value.expand(self.size, *value.shape)

    def op_with(self, **changes: Any) -> Op:
        """A copy of the op with other attributes."""
        op = copy.copy(self.op)
        for name, value in changes.items():
            setattr(op, name, value)
        return op


def rule(*classes: type[Op]) -> Callable[[Rule], Rule]:
    """Make a function the batching rule of ops."""

    def register(function: Rule) -> Rule:
        for cls in classes:
            RULES[cls] = function
        return function

    return register


def run_op(op: Op, *operands: Any) -> Any:
    """Run an op through ordinary dispatch."""
    if op.multiple_outputs:
        return apply(op, *operands)
    if len(operands) == 1:
        return apply1(op, operands[0])
    return apply2(op, *operands) if len(operands) == 2 else apply(op, *operands)


def to_batch_dim(dim: Any, ndim: int) -> Any:
    """A dimension of a sample as a dimension of the batch."""
    if dim is None:
        return tuple(range(1, ndim + 1))
    if isinstance(dim, (tuple, list)):
        return tuple(to_batch_dim(d, ndim) for d in dim)
    return dim + 1 if dim >= 0 else dim + ndim + 1


def run(op: Op, operands: tuple[Any, ...]) -> Any:
    """Run an op on operands of which some are batched."""
    hidden = [levels for _, levels in _hidden_batches(op)]
    levels = common_levels(operands)
    if hidden:
        levels = tuple(sorted(set(levels).union(*hidden)))
    call = Call(op, operands, levels)
    batching_rule = None if hidden else find_rule(op.op_class)
    if op.checks:
        with suppress(NeedsSampleValues):  # then the batch is checked
            op.check(*operands)
    result = NotImplemented if batching_rule is None else batching_rule(call)
    if result is NotImplemented:
        result = _run_sample_by_sample(call, levels)
    if isinstance(result, tuple):
        return tuple(_restore_levels(call, value, levels) for value in result)
    return _restore_levels(call, result, levels)


def find_rule(cls: type[Op]) -> Rule | None:
    """The rule of an op class or of its nearest base class."""
    for base in cls.__mro__:
        if base in RULES:
            return RULES[base]
    return None


def _restore_levels(call: Call, value: Tensor, levels: tuple[int, ...]) -> Tensor:
    if len(levels) > 1:
        value = value.reshape(*call.level_sizes, *value._data.shape[1:])
    made = batched(value, levels)
    if call.op.is_view and value._base is None and type(made) is Batched:
        made._apart = all(value is not v for v in call.values)
    return made


# ---- sample by sample


def _op_attributes(op: Op) -> dict[str, Any]:
    """The constructor arguments of an op that has not run yet."""
    made = {n: getattr(op, n) for n in op.attributes if hasattr(op, n)}
    return {**getattr(op, "__dict__", {}), **made}


def _hidden_batches(op: Op) -> Any:
    """Batches hidden in the attributes of an op, and their levels."""
    for value in _op_attributes(op).values():
        for part in value if isinstance(value, (tuple, list)) else (value,):
            if isinstance(part, SamplePlaceholder):
                if part.batch is None:
                    raise NeedsSampleValues("vmap: the op was made from values")
                yield part.batch


def _run_sample_by_sample(call: Call, levels: tuple[int, ...]) -> Any:
    """Run the op on each sample, and put the results together."""
    results = []
    for i in range(call.size):
        op = copy.copy(call.op)
        for name, value in _op_attributes(call.op).items():
            setattr(op, name, _sample_attribute(value, i, levels, call.size))
        given = [v[i] if call.is_batched(j) else v for j, v in enumerate(call.values)]
        results.append(run_op(op, *given))
    if not results:
        return _run_empty_batch(call)
    if isinstance(results[0], tuple):
        return tuple(stack(column) for column in zip(*results, strict=True))
    return stack(results)


def _run_empty_batch(call: Call) -> Any:
    """Results for a batch without samples: their shapes are those of any sample."""
    sample = [
        v.new_ones(v._data.shape[1:]) if call.is_batched(j) else v
        for j, v in enumerate(call.values)
    ]
    results = run_op(copy.copy(call.op), *sample)
    if isinstance(results, tuple):
        return tuple(r.expand(0, *r._data.shape) for r in results)
    return results.expand(0, *results._data.shape)


def _sample_attribute(value: Any, i: int, levels: tuple[int, ...], size: int) -> Any:
    """An attribute of an op for one sample."""
    if isinstance(value, (tuple, list)) and any(
        isinstance(v, SamplePlaceholder) for v in value
    ):
        return type(value)(_sample_attribute(v, i, levels, size) for v in value)
    if not isinstance(value, SamplePlaceholder):
        return value
    full = expand_to_levels(batched(*value.batch), levels)._data
    return full.reshape(size, *value.shape)[i]


def select_sample(t: Tensor, level: int, i: int) -> Tensor:
    """One sample of a tensor at one level; the others stay."""
    if type(t) is not Batched or level not in t._levels:
        return t
    rest = tuple(x for x in t._levels if x != level)
    return batched(t._value.select(t._levels.index(level), i), rest)


vmapped.run = run

"""einsum: sums of products by subscripts.

Operands are brought to one order of labels, the result's first. They are then
multiplied one after the other, and a label is summed over as soon as no later operand
has it. A product of two operands, with its sums, is one batched matrix product.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

from ...autograd import modes as _m
from ...op_events import reported
from ...tensor.tensor import Tensor
from ...text_arguments import as_text
from ..argument_checks import need_each
from ..argument_errors import argument_error
from ..reduce.sums import sum
from ..registration import composite
from ..shape.squeezing import unsqueeze
from ..shape.transposing import permute
from ..shape.views import reshape
from .batched_products import bmm

__all__ = ["einsum"]

Label = Any  # a letter, or a number for a dimension of "..."


class Plan(NamedTuple):
    """A parsed equation: the labels of each operand, and those of the result."""

    inputs: list[list[Label]]
    output: list[Label]


def plan(equation: str, ndims: list[int]) -> Plan:
    """Parse an equation for operands with the given numbers of dimensions.

    Raises:
        RuntimeError: if it does not fit the operands.
    """
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) < len(ndims):
        raise RuntimeError(
            "einsum(): more operands were provided than specified in the equation"
        )
    if len(terms) > len(ndims):
        raise RuntimeError(
            "einsum(): fewer operands were provided than specified in the equation"
        )
    inputs = [
        _labels(t, n, i) for i, (t, n) in enumerate(zip(terms, ndims, strict=True))
    ]
    dots = max((-min([d for d in x if isinstance(d, int)], default=0) for x in inputs),
               default=0)  # fmt: skip
    rest: list[Label] = list(range(-dots, 0))
    if arrow:
        output = _output_labels(right, rest, inputs)
    else:
        letters = [d for x in inputs for d in x if isinstance(d, str)]
        output = rest + sorted(d for d in set(letters) if letters.count(d) == 1)
    return Plan(inputs, output)


def _labels(term: str, ndim: int, operand: int) -> list[Label]:
    """The labels of one operand; "..." becomes numbers, counted from its end."""
    before, dots, after = term.partition("...")
    for letter in before + after:
        if not letter.isalpha():
            raise RuntimeError(
                f"einsum(): invalid subscript given at index 0 in the equation string, "
                f"subscripts must be in [a-zA-Z], got {letter!r}"
            )
    hidden = ndim - len(before) - len(after)
    if hidden < 0 or (hidden and not dots):
        raise RuntimeError(
            "einsum(): the number of subscripts in the equation "
            f"({len(before) + len(after)}) "
            + ("is more than" if dots else "does not match")
            + f" the number of dimensions ({ndim}) for operand {operand}"
            + ("" if dots else " and no ellipsis was given")
        )
    return [*before, *range(-hidden, 0), *after]


def _output_labels(right: str, rest: list[Label], inputs: list[Any]) -> list[Label]:
    before, dots, after = right.partition("...")
    for letter in before + after:
        if not any(letter in x for x in inputs):
            raise RuntimeError(
                f"einsum(): output subscript {letter} does not appear in the equation "
                "for any input operand"
            )
        if (before + after).count(letter) > 1:
            raise RuntimeError(
                f"einsum(): output subscript {letter} appears more than once in the "
                "output"
            )
    return [*before, *(rest if dots else ()), *after]


def _align_to_labels(x: Tensor, labels: list[Label], order: list[Label]) -> Tensor:
    """An operand with a dimension per label, of size 1 for missing labels."""
    labels = list(labels)
    for label in set(labels):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            x = x.diagonal(0, first, second)
            last = x.ndim - 1  # where the diagonal is; it belongs to the first place
            x = permute(x, [*range(first), last, *range(first, last)])
            del labels[second]
    for label in order:
        if label not in labels:
            x = unsqueeze(x, len(labels))
            labels.append(label)
    return permute(x, [labels.index(d) for d in order])


def _check_sizes(inputs: list[list[Label]], operands: list[Tensor]) -> None:
    seen: dict[Label, int] = {}
    for i, (labels, x) in enumerate(zip(inputs, operands, strict=True)):
        for dim, (label, n) in enumerate(zip(labels, x.shape, strict=True)):
            first = x.shape[labels.index(label)]
            if n != first:
                raise RuntimeError(
                    f"einsum(): subscript {label} is repeated for operand {i} but the "
                    f"sizes don't match, {n} != {first}"
                )
            before = seen.get(label, 1)
            if 1 in (n, before) or n == before:
                pass
            elif isinstance(label, int):
                raise RuntimeError(
                    f"einsum(): dimension {dim} covered by ellipsis in operand {i}has "
                    f"size {n} which does not broadcast with previously seen ellipsis "
                    f"with size {before} for the respective dimension"
                )
            else:
                raise RuntimeError(
                    f"einsum(): subscript {label} has size {n} for operand {i} which "
                    f"does not broadcast with previously seen size {before}"
                )
            seen[label] = max(before, n) if n and before else 0


def _multiply_and_sum(a: Tensor, b: Tensor, dims: list[int]) -> Tensor:
    """Σ a · b over `dims`, which stay with size 1: a batched matrix product, if any."""
    both: list[int] = []
    only_a: list[int] = []
    only_b: list[int] = []
    summed: list[int] = []
    for d in range(a.ndim):
        n, m = a.shape[d], b.shape[d]
        if d in dims and n != 1 and m != 1:
            summed.append(d)
        elif d not in dims and n != 1 and m != 1:
            both.append(d)
        else:  # a dimension that is summed here has nothing to multiply with
            (only_b if n == 1 or d in dims else only_a).append(d)
    a, b = (_sum_alone(v, [d for d in dims if d not in summed]) for v in (a, b))
    if not summed:
        return a * b  # any dtypes, while matrix products need one
    if only_a and only_b and only_b[-1] < only_a[0]:  # rows of b are rows of the result
        a, b, only_a, only_b = b, a, only_b, only_a
    batch = [a.shape[d] for d in both]
    rows = [a.shape[d] for d in only_a]
    columns = [b.shape[d] for d in only_b]
    n = prod(a.shape[d] for d in summed)
    left = permute(a, [*both, *only_a, *summed, *only_b])
    left = reshape(left, (prod(batch), prod(rows), n))
    right = permute(b, [*both, *summed, *only_b, *only_a])
    right = reshape(right, (prod(batch), n, prod(columns)))
    y = reshape(bmm(left, right), (*batch, *rows, *columns, *(1,) * len(summed)))
    now = [*both, *only_a, *only_b, *summed]
    return permute(y, [now.index(d) for d in range(a.ndim)])


def _sum_alone(x: Tensor, dims: list[int]) -> Tensor:
    """The sum over those dimensions which have more than one element."""
    dims = [d for d in dims if x.shape[d] != 1]
    return sum(x, dims, keepdim=True) if dims else x


def _parse_sublists(args: tuple[Any, ...]) -> tuple[str, list[Tensor]]:
    """Convert einsum(x, [0, 1], y, [1, 2], [0, 2]) to an equation and operands."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    def term(places: Any) -> str:
        return "".join("..." if p is Ellipsis else letters[p] for p in places)

    pairs = len(args) // 2
    operands = [args[2 * i] for i in range(pairs)]
    for p in (p for places in args[1::2] for p in places if p is not Ellipsis):
        if not 0 <= p < len(letters):
            raise ValueError(
                "einsum(): subscript in subscript list is not within the valid range "
                f"[0, {len(letters)})"
            )
    equation = ",".join(term(args[2 * i + 1]) for i in range(pairs))
    return equation + (f"->{term(args[-1])}" if len(args) % 2 else ""), operands


@composite
@reported
def einsum(*args: Any) -> Tensor:
    """Sums of products of elements, with dimensions labelled by letters.

    Math: y[output labels] = Σ over the other labels of the product of all operands
          ∂L/∂x = Σ of g times the other operands, over the labels that x has not
    Shape: as the labels say: "ij,jk->ik" is (n, k), (k, m) -> (n, m)

    Args:
        args: the equation and the operands (`einsum("ik,kj->ij", a, b)`), or operands
            each followed by a list of numbers that name its dimensions.

    Raises:
        RuntimeError: if the equation does not fit the operands.
        ValueError: without operands.
        TypeError: for operands that are not tensors.

    Example:
        >>> import edutorch as torch
        >>> torch.einsum("ik,jk->ij", torch.ones(2, 3), torch.ones(1, 3))
        tensor([[3.],
                [3.]])
    """
    if _m.special_modes and einsum in _m.modes.autocast:
        return _m.autocast(einsum, *args)
    if len(args) < 2:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, or "
            "at least one operand and its subscripts list"
        )
    equation, operands = as_text(args[0]), list(args[1:])
    if isinstance(equation, str):
        if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
            return einsum(equation, *operands[0])
    elif isinstance(equation, Tensor):
        equation, operands = _parse_sublists(args)
    else:
        raise argument_error() or TypeError(
            "einsum(): argument 'equation' (position 1) must be str, not "
            f"{type(equation).__name__}"
        )
    need_each(operands, 1)
    found = plan(equation, [x.ndim for x in operands])
    _check_sizes(found.inputs, operands)
    gone = {d for x in found.inputs for d in x} - set(found.output)
    order = found.output + sorted(gone, key=str)
    last_use = {d: max(i for i, x in enumerate(found.inputs) if d in x) for d in order}
    aligned = [
        _align_to_labels(x, labels, order)
        for x, labels in zip(operands, found.inputs, strict=True)
    ]
    y = aligned[0]
    for i, x in enumerate(aligned):
        dims = [k for k, d in enumerate(order) if d in gone and last_use[d] == i]
        if i:
            y = _multiply_and_sum(y, x, dims)
        elif dims:
            y = _sum_alone(y, dims) if len(aligned) > 1 else sum(y, dims)
    n = len(found.output)
    return y if y.ndim == n else y.view(y.shape[:n])

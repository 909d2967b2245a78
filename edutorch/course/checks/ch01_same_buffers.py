"""Pairs of tensors in one buffer or in two, to check an answer's verdict.

The tensors are handed over themselves: a copy would have its own buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from edutorch.course.compare import call, need_bool, need_function, show
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw, draws
from edutorch.ops.create import arange, from_numpy, zeros

__all__ = ["grade_same_buffer"]

RULE = "views keep the storage they were made from; copies get a new one"
ADDRESS = "data_ptr() is where a tensor's FIRST element is; compare the storages"
BOUNDS = "two views may use different elements of one buffer; compare the storages"
EMPTY = "an empty view has no first number, so its data_ptr() is 0; ask the storage"
EQUAL = "equal numbers or shapes prove nothing: a copy has them, too"
OBJECT = "a view is a new object over the same buffer"
ALWAYS = "every answer was the same, whatever the tensors"

Pair = tuple[str, Any, Any, bool, str]  # text, tensors, right answer, likely mistake


def grade_same_buffer(answer: Any) -> None:
    """Ask about every pair, in both orders.

    Raises:
        CheckFailed: an answer is not right, no bool, or changed a tensor.
    """
    answer = need_function(answer, "same_buffer")
    pairs = [*_shown(), *(_drawn(draw) for draw in draws(8, ("float32", "float64")))]
    answers, failed = [], None
    for words, a, b, right, mistake in pairs:
        for first, second in ((a, b), (b, a)):
            got = _verdict_of(answer, words, first, second, right)
            answers.append((first, second, got, right))
            if got is not right and failed is None:
                failed = CheckFailed(
                    f"not right for {words}",
                    called=_called(words),
                    got=str(got),
                    expected=str(right),
                    rule=RULE,
                    mistake=mistake,
                )
    if failed:
        failed.mistake = _find_mistake(answers) or failed.mistake
        raise failed


def _find_mistake(answers: Sequence[tuple[Any, Any, bool, bool]]) -> str:
    """The mistake that explains all answers."""
    if len({got for _, _, got, _ in answers}) == 1:
        return ALWAYS
    if all(got is not right for _, _, got, right in answers):
        return "True and False are swapped"
    found = [
        words
        for words, same in _MISTAKES.items()
        if all(same(a, b) is got for a, b, got, _ in answers)
    ]
    return found[0] if found else ""


def _begin(t: Any) -> int:
    """The address at which the storage of a tensor begins."""
    return int(t.data_ptr() - t.element_size() * t.storage_offset())


def _equal(a: Any, b: Any) -> bool:
    return a.numel() == b.numel() and a.flatten().tolist() == b.flatten().tolist()


_MISTAKES: dict[str, Callable[[Any, Any], bool]] = {
    OBJECT: lambda a, b: a is b,
    ADDRESS: lambda a, b: bool(a.data_ptr() == b.data_ptr()),
    EMPTY: lambda a, b: _begin(a) == _begin(b),
    BOUNDS: lambda a, b: bool(np.shares_memory(a.numpy(), b.numpy())),
    "equal bounds prove nothing: compare the storages": lambda a, b: bool(
        np.may_share_memory(a.numpy(), b.numpy())
    ),
    "equal shapes prove nothing: compare the storages": lambda a, b: a.shape == b.shape,
    "equal strides prove nothing: compare the storages": (
        lambda a, b: a.stride() == b.stride()
    ),
    "equal offsets prove nothing: compare the storages": (
        lambda a, b: a.storage_offset() == b.storage_offset()
    ),
    "equal sizes of storages prove nothing: a copy has the same": (
        lambda a, b: a.untyped_storage().nbytes() == b.untyped_storage().nbytes()
    ),
    "that a tensor is a view says nothing: a view of which storage?": lambda a, b: (
        a._base is not None or b._base is not None
    ),
    "two views are not always of one storage, and not every sharer is a view": (
        lambda a, b: a._base is not None and b._base is not None
    ),
    "NumPy's base of two arrays is not their storage": (
        lambda a, b: a.numpy().base is b.numpy().base
    ),
    "the storages themselves are to be compared, not the numbers in them": (
        lambda a, b: a.storage().tolist() == b.storage().tolist()
    ),
    EQUAL: _equal,
    f"{EQUAL}, in its shape": lambda a, b: a.shape == b.shape and _equal(a, b),
}


def _called(words: str) -> str:
    return f"same_buffer({words.replace(' and ', ', ')})"


def _verdict_of(
    answer: Callable[..., Any], words: str, a: Any, b: Any, right: bool
) -> bool:
    """The answer as a bool; both tensors must be unchanged."""
    called = _called(words)
    before = [np.array(t.numpy()) for t in (a, b)]
    got = call(answer, a, b, called=called, rule=RULE, want=right)
    for tensor, old in zip((a, b), before, strict=True):
        if not np.array_equal(tensor.numpy(), old):
            raise CheckFailed(
                "an argument was changed in place",
                called=called,
                got=f"afterwards {show(tensor)}",
                expected=f"still {show(old)}",
                rule="comparing must not change anything",
                mistake="writing to one to see it in the other harms the user's data",
            )
    return need_bool(got, called=called, expected=right, rule=RULE)


def _shown() -> Iterator[Pair]:
    x = arange(6.0).reshape(2, 3)
    array = np.arange(6.0)
    whole = from_numpy(array)
    yield "x and x", x, x, True, ""
    yield "x and x.t()", x, x.t(), True, OBJECT
    yield "x and x[1]", x, x[1], True, ADDRESS
    yield "x[0] and x[1]", x[0], x[1], True, BOUNDS
    yield "x[:, 0] and x[:, 1]", x[:, 0], x[:, 1], True, BOUNDS
    yield "x and x[:0]", x, x[:0], True, EMPTY
    yield "x.view(6) and x.expand(2, 2, 3)", x.view(6), x.expand(2, 2, 3), True, OBJECT
    yield "x and x.clone()", x, x.clone(), False, EQUAL
    yield "x and x + 0", x, x + 0, False, EQUAL
    yield "x and x.t().reshape(6)", x, x.t().reshape(6), False, EQUAL
    yield "from_numpy(a) and from_numpy(a[2:])", whole, whole[2:], True, ADDRESS
    yield "zeros(3) and zeros(3)", zeros(3), zeros(3), False, EQUAL
    yield "zeros(2, 3) and zeros(3)", zeros(2, 3), zeros(3), False, EQUAL


def _drawn(draw: Draw) -> Pair:
    """A random pair of views of one tensor, or of a tensor and its copy."""
    x = draw.tensor(draw.size(3, 6), draw.size(3, 6))
    i, j = draw.size(0, 2), draw.size(0, 2)
    if draw.choice((True, False)):
        return f"x[{i}] and x[:, {j}]", x[i], x[:, j], True, BOUNDS
    copy = x.clone()
    return f"x[{i}] and x.clone()[{i}]", x[i], copy[i], False, EQUAL

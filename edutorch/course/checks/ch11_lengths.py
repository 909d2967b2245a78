"""Checks of chapter 11 for batches of sequences of different length."""

# ruff: noqa: ARG005  # a mistake leaves out what the rule needs

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from edutorch.course.compare import (
    call,
    call_text,
    need_function,
    need_tuple,
    numbers_of,
    show,
)
from edutorch.course.compare_functions import compare_functions
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw
from edutorch.ops.create import tensor
from edutorch.ops.loss import cross_entropy
from edutorch.ops.shape.joining import cat, stack

__all__ = ["pack", "reduce_valid"]

Function = Callable[..., Any]
Lengths = Sequence[int]

SIZES_RULE = "of each step: how many lengths are larger than t"
PACK_RULE = "all sequences that have a step 0, then all that have a step 1, ..."
LAST_RULE = "row n is outputs[lengths[n] - 1, n]"
LOSS_RULE = "the sum of the losses of valid steps, divided by how many there are"


def _lengths(draw: Draw, count: int) -> list[int]:
    """Random lengths, longest first and not all equal."""
    drawn = [draw.size(1, 6) for _ in range(count - 2)]
    return sorted([*drawn, 7, 1 + draw.size(0, 2)], reverse=True)


# ---- 11.4


def pack(answer: Any) -> None:
    """11.4: a packed sequence by hand."""
    sizes, packed = need_tuple(answer, "batch_sizes, pack")
    compare_functions(
        need_function(sizes, "batch_sizes"),
        "batch_sizes",
        right=_sizes,
        shown=(([3, 1],), ([1],), ([4, 4, 4],), ([5, 2, 2, 1],)),
        fresh=lambda draw: (_lengths(draw, draw.size(2, 6)),),
        rule=SIZES_RULE,
        mistakes=SIZES_MISTAKES,
    )
    _check_whole(sizes)
    compare_functions(
        need_function(packed, "pack"),
        "pack",
        right=_packed,
        shown=(_PACK_EXAMPLE, (tensor([[[1.0, 2.0]]]), [1])),
        fresh=_fresh_pack,
        rule=PACK_RULE,
        mistakes=PACK_MISTAKES,
        forbidden=("pack_padded_sequence", "pack_sequence"),
        returns="tensor",
        dtypes=("float32", "float64"),
    )


def _check_whole(sizes: Function) -> None:
    """Raise `CheckFailed` if sizes equal whole numbers but are not integers."""
    called = call_text(sizes, ([3, 1],), {}, "batch_sizes")
    got = call(sizes, [3, 1], called=called)
    array = numbers_of(got)
    if array is None or array.dtype.kind not in "iu":
        raise CheckFailed(
            "the sizes are right, but they are not whole numbers",
            called=called,
            got=show(got),
            expected="[2, 1, 1]",
            rule="a size counts sequences, and pack_padded_sequence needs integers",
            mistake="torch.zeros and torch.empty make floats: dtype=torch.int64; a "
            "quotient, a mean and a sum of floats are floats: count with int",
        )


_PACK_EXAMPLE = (tensor([[[1.0], [4.0]], [[2.0], [0.0]], [[3.0], [0.0]]]), [3, 1])


def _fresh_pack(draw: Draw) -> tuple[Any, Lengths]:
    lengths = _lengths(draw, draw.size(2, 4))
    padded = draw.tensor(max(lengths), len(lengths), draw.size(1, 3))
    if draw.size(0, 1):  # else padding is arbitrary, and a 0 may be data
        for n, length in enumerate(lengths):
            padded[length:, n] = 0
        padded[0, 0] = 0
    return padded, lengths


def _sizes(lengths: Lengths) -> list[int]:
    return [sum(n > t for n in lengths) for t in range(max(lengths))]


def _packed(padded: Any, lengths: Lengths) -> Any:
    return cat([padded[t, :n] for t, n in enumerate(_sizes(lengths))])


def _one_after_another(padded: Any, lengths: Lengths) -> Any:
    return cat([padded[:length, n] for n, length in enumerate(lengths)])


def _all_but_zeros(padded: Any, lengths: Lengths) -> Any:
    flat = padded.flatten(0, 1)
    return flat[(flat != 0).any(1)]


def _from_the_end(padded: Any, lengths: Lengths) -> Any:
    sizes = list(enumerate(_sizes(lengths)))
    return cat([padded[t, :n] for t, n in reversed(sizes)])


def _last_rows(padded: Any, lengths: Lengths) -> Any:
    count = len(lengths)
    return cat([padded[t, count - n :] for t, n in enumerate(_sizes(lengths))])


def _one_step_less(padded: Any, lengths: Lengths) -> Any:
    return cat([padded[t, :n] for t, n in enumerate(_sizes(lengths)[:-1])])


def _batch_first(padded: Any, lengths: Lengths) -> Any:
    return cat([padded[:n, t] for t, n in enumerate(_sizes(lengths))])


SIZES_MISTAKES: dict[str, Function] = {
    "step t is counted from 0: a sequence of length n has steps 0 to n - 1": (
        lambda lengths: [sum(n >= t for n in lengths) for t in range(max(lengths))]
    ),
    "the first step is missing: t begins at 0": lambda lengths: _sizes(lengths)[1:],
    "the last step is missing: there are max(lengths)": lambda lengths: _sizes(lengths)[
        :-1
    ],
    "after the last step nothing is left: no 0 at the end": lambda lengths: [
        *_sizes(lengths),
        0,
    ],
    "these are the lengths: count per step, not per sequence": list,
    "count the sequences that go on, not those that have ended": lambda lengths: [
        sum(n <= t for n in lengths) for t in range(max(lengths))
    ],
    "this counts sequences of exactly this length; count those that have this step": (
        lambda lengths: [sum(n == t + 1 for n in lengths) for t in range(max(lengths))]
    ),
    "the first step comes first": lambda lengths: _sizes(lengths)[::-1],
    "all sequences at every step: shorter ones end": lambda lengths: [
        len(lengths) for _ in range(max(lengths))
    ],
    "that is a step for each sequence: there are as many steps as the longest has": (
        lambda lengths: [sum(n > t for n in lengths) for t in range(len(lengths))]
    ),
    "the steps end with the shortest: there are as many as the longest has": (
        lambda lengths: [len(lengths) for _ in range(min(lengths))]
    ),
    "that is the sum of all lengths: return a number for each step": sum,
}
PACK_MISTAKES: dict[str, Function] = {
    "this goes sequence by sequence: go step by step": _one_after_another,
    "the padding is still there": lambda padded, lengths: padded.flatten(0, 1),
    "padding is still there, and it must go step by step": lambda padded, lengths: (
        padded.transpose(0, 1).flatten(0, 1)
    ),
    "the lengths say what is padding: a 0 can be data": _all_but_zeros,
    "the first step comes first in the data": _from_the_end,
    "this is the padding: padded[t, :n]": lambda padded, lengths: cat(
        [padded[t, n:] for t, n in enumerate(_sizes(lengths))]
    ),
    "the longest come first: padded[t, :n]": _last_rows,
    "the last step is missing in the data": _one_step_less,
    "padded[t] is the batch at step t": _batch_first,
    "use cat: it joins them without a new dimension": (
        lambda padded, lengths: _packed(padded, lengths).unsqueeze(0)
    ),
    "the numbers of a step stay together: (total, I)": lambda padded, lengths: _packed(
        padded, lengths
    ).flatten(),
}


# ---- 11.5


def reduce_valid(answer: Any) -> None:
    """11.5: the last valid output, and the mean loss over valid steps."""
    last, loss = need_tuple(answer, "last_valid, masked_loss")
    compare_functions(
        need_function(last, "last_valid"),
        "last_valid",
        right=_last,
        shown=(_LAST_EXAMPLE,),
        fresh=_fresh_outputs,
        rule=LAST_RULE,
        mistakes=LAST_MISTAKES,
        returns="tensor",
        dtypes=("float32", "float64"),
    )
    compare_functions(
        need_function(loss, "masked_loss"),
        "masked_loss",
        right=_loss,
        shown=(_LOSS_EXAMPLE,),
        fresh=_fresh_scores,
        rule=LOSS_RULE,
        mistakes=LOSS_MISTAKES,
        returns="tensor",
        dtypes=("float32", "float64"),
    )


_LAST_EXAMPLE = (tensor([[[1.0], [4.0]], [[2.0], [5.0]], [[3.0], [6.0]]]), [3, 1])
_LOSS_EXAMPLE = (
    tensor([[[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [9.0, -9.0]]]),
    tensor([[0, 1], [1, 1]]),
    [2, 1],
)


def _in_any_order(draw: Draw, count: int) -> list[int]:
    """Random lengths in any order, not all equal."""
    lengths = _lengths(draw, count)
    places = list(range(count))
    return [lengths[places.pop(draw.size(0, len(places) - 1))] for _ in range(count)]


def _fresh_outputs(draw: Draw) -> tuple[Any, Lengths]:
    lengths = _in_any_order(draw, draw.size(2, 5))
    steps = max(lengths) + draw.size(0, 1)
    return draw.tensor(steps, len(lengths), draw.size(1, 3)), lengths


def _fresh_scores(draw: Draw) -> tuple[Any, Any, Lengths]:
    lengths = _in_any_order(draw, draw.size(2, 4))
    steps, classes = max(lengths) + draw.size(0, 1), draw.size(2, 4)
    scores = draw.tensor(steps, len(lengths), classes)
    targets = draw.labels(steps * len(lengths), classes)
    return scores, targets.reshape(steps, len(lengths)), lengths


def _last(outputs: Any, lengths: Lengths) -> Any:
    return stack([outputs[n - 1, i] for i, n in enumerate(lengths)])


def _each(scores: Any, targets: Any) -> Any:
    """The loss of each step, (T, N)."""
    flat = cross_entropy(scores.flatten(0, 1), targets.flatten(), reduction="none")
    return flat.reshape(targets.shape)


def _parts(scores: Any, targets: Any, lengths: Lengths) -> list[Any]:
    """The losses of the valid steps of each sequence."""
    each = _each(scores, targets)
    return [each[:n, i] for i, n in enumerate(lengths)]


def _loss(scores: Any, targets: Any, lengths: Lengths) -> Any:
    return cat(_parts(scores, targets, lengths)).mean()


def _zero_scores(scores: Any, targets: Any, lengths: Lengths) -> Any:
    scores = scores.clone()
    for i, n in enumerate(lengths):
        scores[n:, i] = 0
    return _each(scores, targets).mean()


def _own_denominator(count: Function) -> Function:
    def mistaken(scores: Any, targets: Any, lengths: Lengths) -> Any:
        total = cat(_parts(scores, targets, lengths)).sum()
        return total / count(targets, lengths)

    return mistaken


def _one_more(scores: Any, targets: Any, lengths: Lengths) -> Any:
    return _loss(scores, targets, [n + 1 for n in lengths])


def _one_less(scores: Any, targets: Any, lengths: Lengths) -> Any:
    return _loss(scores, targets, [n - 1 for n in lengths])


def _mean_of_means(scores: Any, targets: Any, lengths: Lengths) -> Any:
    means = [part.mean() for part in _parts(scores, targets, lengths)]
    return stack(means).mean()


def _mean_of_steps(scores: Any, targets: Any, lengths: Lengths) -> Any:
    each = _each(scores, targets)
    steps = [
        stack([each[t, i] for i, n in enumerate(lengths) if n > t]).mean()
        for t in range(max(lengths))
    ]
    return stack(steps).mean()


def _at_last(scores: Any, targets: Any, lengths: Lengths) -> Any:
    return stack([part[-1] for part in _parts(scores, targets, lengths)]).mean()


def _no_softmax(scores: Any, targets: Any, lengths: Lengths) -> Any:
    own = -scores.gather(2, targets.unsqueeze(2)).squeeze(2)
    return cat([own[:n, i] for i, n in enumerate(lengths)]).mean()


def _up_to(choose: Function) -> Function:
    def mistaken(scores: Any, targets: Any, lengths: Lengths) -> Any:
        return _loss(scores, targets, [choose(lengths)] * len(lengths))

    return mistaken


LAST_MISTAKES: dict[str, Function] = {
    "that is the last step of the batch: shorter ones ended before": (
        lambda outputs, lengths: outputs[-1]
    ),
    "a sequence of length n ends with step n - 1": lambda outputs, lengths: stack(
        [outputs[n, i] for i, n in enumerate(lengths)]
    ),
    "a sequence of length n ends with step n - 1, not n - 2": lambda outputs, lengths: (
        stack([outputs[n - 2, i] for i, n in enumerate(lengths)])
    ),
    "that is the first step": lambda outputs, lengths: outputs[0],
    "each sequence has its own length: not the longest for all": (
        lambda outputs, lengths: outputs[max(lengths) - 1]
    ),
    "each sequence has its own length: not the shortest for all": (
        lambda outputs, lengths: outputs[min(lengths) - 1]
    ),
    "each sequence has its own length: not the first one's": (
        lambda outputs, lengths: outputs[lengths[0] - 1]
    ),
    "time comes first: outputs[step, sequence]": lambda outputs, lengths: stack(
        [outputs[i, n - 1] for i, n in enumerate(lengths)]
    ),
    "the last one, not the mean": lambda outputs, lengths: stack(
        [outputs[:n, i].mean(0) for i, n in enumerate(lengths)]
    ),
    "the last one, not the sum": lambda outputs, lengths: stack(
        [outputs[:n, i].sum(0) for i, n in enumerate(lengths)]
    ),
    "the last one, not the largest": lambda outputs, lengths: stack(
        [outputs[:n, i].amax(0) for i, n in enumerate(lengths)]
    ),
    "each sequence has its own step: this takes these steps of every sequence": (
        lambda outputs, lengths: outputs[[n - 1 for n in lengths]]
    ),
    "the sequences stay in their order": lambda outputs, lengths: _last(
        outputs, lengths
    ).flip(0),
}
LOSS_MISTAKES: dict[str, Function] = {
    "the padding counts: it must be left out": lambda scores, targets, lengths: _each(
        scores, targets
    ).mean(),
    "divided by all steps: divide by the valid ones": _own_denominator(
        lambda targets, lengths: targets.numel()
    ),
    "divided by the number of sequences: divide by the valid steps": _own_denominator(
        lambda targets, lengths: len(lengths)
    ),
    "divided by the number of steps: divide by all valid ones": _own_denominator(
        lambda targets, lengths: len(targets)
    ),
    "the sum: divide by the number of valid steps": _own_denominator(
        lambda targets, lengths: 1
    ),
    "scores of 0 have a loss, too: leave the padding's loss out": _zero_scores,
    "the mean of the sequences' means: each valid step counts the same": _mean_of_means,
    "the mean of the steps' means: each valid step counts the same": _mean_of_steps,
    "only the last step: all valid ones count": _at_last,
    "a step too far: t < length": _one_more,
    "the last valid step is missing: t < length, from 0 on": _one_less,
    "softmax is missing: cross entropy is made of log_softmax": _no_softmax,
    "each sequence has its own length: not the longest for all": _up_to(max),
    "each sequence has its own length: not the shortest for all": _up_to(min),
    "the sign: a loss is positive": lambda *given: -_loss(*given),
    "the padding instead of the data": lambda scores, targets, lengths: cat(
        [_each(scores, targets)[n:, i] for i, n in enumerate(lengths)]
    ).mean(),
}

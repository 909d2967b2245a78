"""Masked and weighted means of losses, with known mistakes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from edutorch.course.compare import compare
from edutorch.course.compare_functions import compare_functions
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw
from edutorch.nn import functional as F
from edutorch.ops.create import tensor

__all__ = ["grade_masked", "grade_weighted"]

Loss = Callable[..., Any]

MASK_RULE = "the sum of what counts, divided by how many count; 0 where none does"
WEIGHT_RULE = "sum of weight · loss, divided by the sum of these weights"
nan, inf = float("nan"), float("inf")


def grade_masked(answer: Any) -> None:
    """06.5: the mean over valid elements, and its gradient."""
    none = tensor([False, False])
    compare_functions(
        answer,
        "masked_mean",
        right=_masked,
        shown=(
            (tensor([1.0, 5.0, 3.0]), tensor([True, False, True])),
            (tensor([1.0, 5.0]), tensor([True, True])),
            (tensor([4.0, 2.0]), none),
            (tensor([2.0, nan, inf]), tensor([True, False, False])),
            (tensor([[1.0, 2.0], [3.0, 9.0]]), tensor([[True, True], [True, False]])),
            (tensor([nan, inf]), none),
            (tensor([inf, 1.0]), none),
            (tensor([0.0, 4.0]), tensor([True, True])),
            (tensor([3.0, 0.0, 6.0]), tensor([False, True, True])),
            (tensor([nan, 4.0]), tensor([True, True])),
            (tensor([3.0, nan, 6.0]), tensor([False, True, True])),
        ),
        fresh=_fresh_masked,
        rule=MASK_RULE,
        mistakes=MASK_MISTAKES,
        forbidden=("nanmean", "masked_mean"),
        returns="tensor",
        dtypes=("float32", "float64"),
    )
    for mask in ([True, False, True, True], [False] * 4):
        _check_gradient(answer, tensor(mask))


def _check_gradient(answer: Loss, mask: Any) -> None:
    """Check that a valid element's gradient is 1 / count, and another's is 0."""
    losses = tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
    called = f"masked_mean(losses, {mask.tolist()}).backward()"
    result = answer(losses, mask)
    if not result.requires_grad and bool(mask.any()):
        raise CheckFailed(
            "the value is right, but no gradient can go back from it",
            called=called,
            got="a result without requires_grad",
            expected="a result that was computed from losses, by operations on tensors",
            rule="gradients must flow from the result back to the losses",
            mistake="item(), numpy(), detach() or tensor() cut it off",
        )
    if result.requires_grad:
        result.backward()
        want = mask.to(losses.dtype) / mask.sum().clamp(min=1)
        got = losses.grad if losses.grad is not None else 0 * want
        compare(got, want, called=called + "; losses.grad", rule=MASK_RULE)


def grade_weighted(answer: Any) -> None:
    """06.6: compare with the library's `weight`."""
    rows = tensor([[2.0, 1.0, 0.0], [0.5, 0.0, -1.0], [0.0, 3.0, 1.0]])
    compare_functions(
        answer,
        "weighted_cross_entropy",
        right=_weighted,
        shown=(
            (tensor([[0.0, 0.0], [2.0, 0.0]]), tensor([0, 1]), tensor([1.0, 3.0])),
            (rows, tensor([0, 2, 1]), tensor([1.0, 5.0, 2.0])),
            (rows, tensor([2, 2, 2]), tensor([1.0, 1.0, 7.0])),
            (rows, tensor([0, 1, 0]), tensor([0.5, 0.0, 9.0])),
            (tensor([[900.0, 0.0]]), tensor([1]), tensor([2.0, 4.0])),
            (tensor([[0.0, 300.0], [1.0, 0.0]]), tensor([0, 1]), tensor([3.0, 1.0])),
        ),
        fresh=_fresh_weighted,
        rule=WEIGHT_RULE,
        mistakes=WEIGHT_MISTAKES,
        forbidden=("cross_entropy", "nll_loss", "CrossEntropyLoss", "NLLLoss"),
        returns="tensor",
        dtypes=("float32", "float64"),
    )


def _masked(losses: Any, mask: Any) -> Any:
    return _kept(losses, mask).sum() / mask.sum().clamp(min=1).to(losses.dtype)


def _kept(losses: Any, mask: Any) -> Any:
    return losses.masked_fill(mask.logical_not(), 0.0)


def _weighted(z: Any, labels: Any, weights: Any) -> Any:
    return F.cross_entropy(z, labels, weight=weights)


def _fresh_masked(draw: Draw) -> tuple[Any, Any]:
    shape = [draw.size(2, 5) for _ in range(draw.size(1, 3))]
    losses, mask = draw.tensor(*shape, low=0.1), draw.tensor(*shape) > 0
    return losses, mask


def _fresh_weighted(draw: Draw) -> tuple[Any, Any, Any]:
    n, classes = draw.size(2, 7), draw.size(2, 5)
    weights = draw.tensor(classes, low=0.2, high=5.0)
    return 2.0 * draw.tensor(n, classes), draw.labels(n, classes), weights


MASK_MISTAKES: Final[dict[str, Loss]] = {
    "divide by how many count, not by all": (
        lambda losses, mask: _kept(losses, mask).mean()
    ),
    "divide by how many count, not by all of them; and nan times 0 is nan": (
        lambda losses, mask: (losses * mask).mean()
    ),
    "the mean of what counts, not the sum": (
        lambda losses, mask: _kept(losses, mask).sum()
    ),
    "nothing counts: 0 / 0 is nan, but the mean must be 0": (
        lambda losses, mask: losses[mask].mean()
    ),
    "nothing counts: 0 / 0 is nan; and nan times 0 is nan, too": (
        lambda losses, mask: (losses * mask).sum() / mask.sum()
    ),
    "nan times 0 is nan: where nothing counts, return 0 itself": (
        lambda losses, mask: losses[mask].mean() if mask.any() else losses.mean() * 0
    ),
    "nan times 0 is nan: select what counts, do not multiply": (
        lambda losses, mask: (losses * mask).sum() / mask.sum().clamp(min=1)
    ),
    "the wrong way round: True means that it counts": (
        lambda losses, mask: _masked(losses, mask.logical_not())
    ),
    "mask was ignored": lambda losses, _: losses.mean(),
    "one mean over all, not the mean of the rows' means": (
        lambda losses, mask: (
            _kept(losses, mask).sum(-1) / mask.sum(-1).clamp(min=1)
        ).mean()
    ),
    "one mean over all, not one for each row": (
        lambda losses, mask: _kept(losses, mask).sum(-1) / mask.sum(-1).clamp(min=1)
    ),
    "divided by one too many: divide by max(count, 1)": (
        lambda losses, mask: _kept(losses, mask).sum() / (mask.sum() + 1)
    ),
    "divide by how many count, not by the rows": (
        lambda losses, mask: _kept(losses, mask).sum() / len(losses)
    ),
    "the mean of what counts, not the median": (
        lambda losses, mask: losses[mask].median()
    ),
    "the last one is missing in the mean": (
        lambda losses, mask: _masked(losses[:-1], mask[:-1])
    ),
    "where nothing counts, return a tensor 0": (
        lambda losses, mask: _masked(losses, mask) if mask.any() else None
    ),
    "the rest is 0, but the mean is missing": _kept,
    "what counts is selected, but the mean is missing": lambda losses, mask: losses[
        mask
    ],
    "a loss of 0 counts, too: add up the mask": (
        lambda losses, mask: (
            _kept(losses, mask).sum() / (_kept(losses, mask) != 0).sum().clamp(min=1)
        )
    ),
    "a loss that counts and is nan must be seen: nan_to_num hides it": (
        lambda losses, mask: (
            (losses * mask).nan_to_num().sum() / mask.sum().clamp(min=1)
        )
    ),
    "a loss that counts and is nan must not be hidden by nan_to_num": (
        lambda losses, mask: losses[mask].mean().nan_to_num()
    ),
    "nan is only replaced: what is masked must not count, whatever it is": (
        lambda losses, _: losses.nan_to_num(0.0, 0.0, 0.0).mean()
    ),
}


def _each(z: Any, labels: Any) -> Any:
    return F.cross_entropy(z, labels, reduction="none")


WEIGHT_MISTAKES: Final[dict[str, Loss]] = {
    "divide by the sum of these weights, not by the rows": (
        lambda z, y, w: (w[y] * _each(z, y)).mean()
    ),
    "divide by the weights of these rows, not of all classes": (
        lambda z, y, w: (w[y] * _each(z, y)).sum() / w.sum()
    ),
    "the division by the sum of these weights is missing": (
        lambda z, y, w: (w[y] * _each(z, y)).sum()
    ),
    "divide by the sum of these weights, not by the number of classes": (
        lambda z, y, w: (w[y] * _each(z, y)).sum() / len(w)
    ),
    "divide by the sum of these weights, not of their squares": (
        lambda z, y, w: (w[y] * _each(z, y)).sum() / (w[y] ** 2).sum()
    ),
    "classes count from 0: weights[labels], not weights[labels - 1]": (
        lambda z, y, w: (w[y - 1] * _each(z, y)).sum() / w[y - 1].sum()
    ),
    "weights were ignored": lambda z, y, _: F.cross_entropy(z, y),
    "a weight multiplies the loss, not the logits": (
        lambda z, y, w: F.cross_entropy(z * w, y)
    ),
    "a weight multiplies the loss of its row, not the logarithms of all classes": (
        lambda z, _, w: -(w * F.log_softmax(z, -1)).sum(1).mean()
    ),
    "a weight multiplies the loss, not the probabilities": (
        lambda z, y, w: F.nll_loss((w * F.softmax(z, -1)).log(), y)
    ),
    "multiply by the weight, do not divide": lambda z, y, w: _weighted(z, y, 1 / w),
    "the weight of the right class, not of the most likely one": (
        lambda z, y, w: (w[z.argmax(1)] * _each(z, y)).sum() / w[z.argmax(1)].sum()
    ),
    "weights belong to classes, not to rows: weights[labels]": (
        lambda z, y, w: (w[: len(y)] * _each(z, y)).sum() / w[: len(y)].sum()
    ),
    "weights[labels] gives each row its weight, in the order of the rows": (
        lambda z, y, w: (w * _each(z, y)).sum() / w.sum()
    ),
    "the sign: a loss is positive": lambda z, y, w: -_weighted(z, y, w),
    "return one number, not a loss for each row": (
        lambda z, y, w: w[y] * _each(z, y) / w[y].sum()
    ),
    "return one number: add up the losses of the rows": (
        lambda z, y, w: w[y] * _each(z, y)
    ),
    "divide by the sum of these weights only, not by their number as well": (
        lambda z, y, w: (w[y] * _each(z, y)).mean() / w[y].sum()
    ),
    "this takes the mean loss first: each row has its own weight": (
        lambda z, y, w: F.cross_entropy(z, y) * w[y].mean()
    ),
    "log_softmax is missing": (
        lambda z, y, w: (
            -(w[y] * z.gather(1, y.reshape(-1, 1)).squeeze(1)).sum() / w[y].sum()
        )
    ),
    "a probability that is rounded to 0 has the logarithm -inf: use log_softmax": (
        lambda z, y, w: F.nll_loss(F.softmax(z, -1).log(), y, weight=w)
    ),
}

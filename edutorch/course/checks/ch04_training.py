"""Three bugs in one training program: the right program, and known mistakes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from edutorch import nn
from edutorch.course.compare import call, need_function, need_tuple, same_numbers
from edutorch.course.compare_functions import Mistake, compare_functions
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw
from edutorch.nn import functional
from edutorch.ops.create import tensor
from edutorch.optim import SGD

__all__ = [
    "LOSS_MISTAKES",
    "STANDARD_MISTAKES",
    "STEP_MISTAKES",
    "Scores",
    "grade_repair",
    "mean_loss",
    "three_steps",
]

Array = npt.NDArray[Any]


def grade_repair(answer: Any) -> None:
    """04.4: each of the three functions."""
    standardize, loss_of, step = need_tuple(answer, "standardize, loss_of, step")
    _grade_standardize(need_function(standardize, "standardize"))
    _grade_loss(need_function(loss_of, "loss_of"))
    _grade_step(need_function(step, "step"))


# ---- standardize

STANDARD_RULE = "each COLUMN (feature) gets mean 0 and standard deviation 1"
TABLE: Final = tensor(
    np.array([[1, 200, -3], [2, 600, 1], [4, 100, 2], [9, 300, 6]], dtype=np.float32)
)


def _table(formula: Callable[[Array], Any]) -> Callable[[Any], Any]:
    """A function of a table, from one of NumPy arrays."""

    def function(x: Any) -> Any:
        array = x.detach().numpy()
        with np.errstate(all="ignore"):
            made = np.asarray(formula(array.astype(np.float64)))
        return tensor(made.astype(array.dtype))

    return function


def _standard(correction: int) -> Callable[[Any], Any]:
    """Columns with mean 0 and deviation 1, with divisor n or n - 1."""
    return _table(lambda x: (x - x.mean(0)) / x.std(0, ddof=correction))


def _either(formula: Callable[[Array, int], Any]) -> tuple[Callable[[Any], Any], ...]:
    return _table(lambda x: formula(x, 0)), _table(lambda x: formula(x, 1))


STANDARD_MISTAKES: Final[dict[str, Mistake]] = {
    "dim=1 runs along a row: it mixes features": _either(
        lambda x, c: (x - x.mean(1, keepdims=True)) / x.std(1, ddof=c, keepdims=True)
    ),
    "one mean and one deviation for all features": _either(
        lambda x, c: (x - x.mean()) / x.std(ddof=c)
    ),
    "one deviation for all features: std(dim=0)": _either(
        lambda x, c: (x - x.mean(0)) / x.std(ddof=c)
    ),
    "one mean for all features: mean(dim=0)": _either(
        lambda x, c: (x - x.mean()) / x.std(0, ddof=c)
    ),
    "divide by the standard deviation, not by the variance": _either(
        lambda x, c: (x - x.mean(0)) / x.var(0, ddof=c)
    ),
    "only centred: divide by the standard deviation": _table(lambda x: x - x.mean(0)),
    "the mean is not subtracted": _either(lambda x, c: x / x.std(0, ddof=c)),
    "brackets: subtract first, then divide": _either(
        lambda x, c: x - x.mean(0) / x.std(0, ddof=c)
    ),
    "divide by it, do not multiply": _either(
        lambda x, c: (x - x.mean(0)) * x.std(0, ddof=c)
    ),
    "the median is not the mean": _either(
        lambda x, c: (x - np.median(x, 0)) / x.std(0, ddof=c)
    ),
    "that scales to the range 0 to 1: mean 0 and deviation 1 are wanted": _table(
        lambda x: (x - x.min(0)) / (x.max(0) - x.min(0))
    ),
    "the sign is wrong": _either(lambda x, c: (x.mean(0) - x) / x.std(0, ddof=c)),
}


def _fresh_table(draw: Draw) -> tuple[Any]:
    x = draw.tensor(draw.size(3, 6), draw.size(2, 5), low=-2.0, high=2.0)
    return (x * draw.number(1, 3) + draw.number(-2, 2),)


def _grade_standardize(answer: Callable[..., Any]) -> None:
    """Grade; the deviation may have divisor n or n - 1."""
    try:
        got = answer(TABLE.clone())
    except Exception:  # noqa: BLE001  # reported below, with the call
        got = None
    right = _standard(0) if same_numbers(got, _standard(0)(TABLE), 1e-4) else None
    compare_functions(
        answer,
        "standardize",
        right=right or _standard(1),
        shown=((TABLE,), (tensor([[1.0, 5.0], [3.0, 1.0]]),)),
        fresh=_fresh_table,
        rule=STANDARD_RULE,
        mistakes=STANDARD_MISTAKES,
        returns="tensor",
        dtypes=("float32", "float64"),
        tolerance=1e-4,
    )


# ---- loss_of

LOSS_RULE = "cross_entropy takes the scores; it does the softmax itself"


class Scores:
    """A model that can be called and that is shown by name."""

    def __init__(self, weight: Any) -> None:
        self.linear = nn.Linear(weight.shape[1], weight.shape[0], bias=False)
        self.linear.weight = nn.Parameter(weight)

    def __call__(self, x: Any) -> Any:
        return self.linear(x)

    def __repr__(self) -> str:
        return "model"


def mean_loss(model: Scores, x: Any, y: Any) -> Any:
    """The right loss with its gradient."""
    return functional.cross_entropy(model(x), y)


def _of_scores(formula: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    return lambda model, x, y: formula(model(x), y)


def _no_softmax(scores: Any, y: Any) -> Any:
    return functional.nll_loss(scores, y)


LOSS_MISTAKES: Final[dict[str, Mistake]] = {
    "softmax was taken twice: cross_entropy has one inside": _of_scores(
        lambda s, y: functional.cross_entropy(s.softmax(dim=1), y)
    ),
    "softmax is taken twice, and along the batch": _of_scores(
        lambda s, y: functional.cross_entropy(s.softmax(dim=0), y)
    ),
    "the right classes are y, not what the model answers": _of_scores(
        lambda s, _y: functional.cross_entropy(s, s.argmax(dim=1))
    ),
    "that is the squared error of the probabilities": _of_scores(
        lambda s, y: functional.mse_loss(
            s.softmax(dim=1), functional.one_hot(y, s.shape[1]).to(s.dtype)
        )
    ),
    "x is standardized before, once: loss_of takes it as it is": lambda model, x, y: (
        functional.cross_entropy(model((x - x.mean(dim=0)) / x.std(dim=0)), y)
    ),
    "that is a sum: the loss is the mean over the batch": _of_scores(
        lambda s, y: functional.cross_entropy(s, y, reduction="sum")
    ),
    "a loss for each sample: the mean is missing": _of_scores(
        lambda s, y: functional.cross_entropy(s, y, reduction="none")
    ),
    "nll_loss wants logarithms of probabilities": (
        _of_scores(_no_softmax),
        _of_scores(lambda s, y: functional.nll_loss(s.softmax(dim=1), y)),
    ),
    "relu throws negative scores away": _of_scores(
        lambda s, y: functional.cross_entropy(s.relu(), y)
    ),
    "sigmoid squeezes the scores: pass them on as they are": _of_scores(
        lambda s, y: functional.cross_entropy(s.sigmoid(), y)
    ),
    "the sign is wrong": _of_scores(lambda s, y: -functional.cross_entropy(s, y)),
    "that is the share of right answers: it has no slope": _of_scores(
        lambda s, y: (s.argmax(dim=1) == y).float().mean()
    ),
    "that is the share of wrong answers: it has no slope": _of_scores(
        lambda s, y: (s.argmax(dim=1) != y).float().mean()
    ),
    "that is a squared error, not the cross entropy": (
        _of_scores(lambda s, y: ((s - functional.one_hot(y, s.shape[1])) ** 2).mean()),
        _of_scores(
            lambda s, y: (
                (s.softmax(dim=1) - functional.one_hot(y, s.shape[1])) ** 2
            ).mean()
        ),
    ),
    "only the first sample counts": _of_scores(
        lambda s, y: functional.cross_entropy(s[:1], y[:1])
    ),
    "there is a root too many": _of_scores(
        lambda s, y: functional.cross_entropy(s, y).sqrt()
    ),
}


def _scored(
    count: int, features: int, draw: Callable[..., Any], classes: int, labels: Any
) -> tuple[Any, ...]:
    return Scores(2 * draw(classes, features)), draw(count, features), labels


def _fresh_scores(draw: Draw) -> tuple[Any, ...]:
    count, classes = draw.size(2, 6), draw.size(2, 4)
    labels = draw.labels(count, classes)
    return _scored(count, draw.size(2, 4), draw.tensor, classes, labels)


def _grade_loss(answer: Callable[..., Any]) -> None:
    grid = tensor([[2.0, -1.0], [0.5, 1.0], [-2.0, 0.0]])
    x, y = tensor([[1.0, 2.0], [0.0, -1.0], [3.0, 1.0]]), tensor([0, 2, 1])

    def slope(model: Scores, x: Any, y: Any) -> Any:
        return _slope(answer, model, x, y)

    slope.__name__ = "gradient of the weight after loss_of(...).backward(): loss_of"
    runs: tuple[tuple[Any, Any], ...] = ((answer, mean_loss), (slope, _right_slope))
    for run, right in runs:
        compare_functions(
            run,
            "loss_of",
            right=right,
            shown=((Scores(grid), x, y), (Scores(-grid), x, y)),
            fresh=_fresh_scores,
            rule=LOSS_RULE,
            mistakes=LOSS_MISTAKES if run is answer else {},
        )


def _slope(loss_of: Callable[..., Any], model: Scores, x: Any, y: Any) -> Any:
    loss, weight = loss_of(model, x, y), model.linear.weight
    if not getattr(loss, "requires_grad", False):
        raise CheckFailed(
            "the loss has no history",
            called="loss_of(model, x, y)",
            rule="stay with tensors: .item(), .detach() and no_grad cut the graph",
        )
    weight.grad = None
    loss.backward()
    gradient, weight.grad = weight.grad, None
    return gradient


def _right_slope(model: Scores, x: Any, y: Any) -> Any:
    return _slope(mean_loss, model, x, y)


# ---- step

STEP_RULE = "zero_grad, backward, step: in this order"
STEP_FIRST: Final = "step changes w, with which loss was computed: backward comes first"


def three_steps(
    step: Callable[..., Any], w: float, lr: float, momentum: float
) -> list[float]:
    """W after each of three steps on 2 w²."""
    weight = tensor([w], requires_grad=True)
    optimizer = SGD([weight], lr=lr, momentum=momentum)
    path = []
    for number in range(3):
        called = f"step(optimizer, loss), time {number + 1}, for loss = 2 w²"
        loss = (2 * weight * weight).sum()
        try:
            call(step, optimizer, loss, called=called, rule=STEP_RULE)
        except CheckFailed as failure:
            if "modified by an inplace operation" in str(failure.__cause__):
                failure.mistake = STEP_FIRST
            raise
        path.append(float(weight.detach()[0]))
    return path


def _three(order: str) -> Callable[..., Any]:
    """Three steps, each of which runs these lines in order."""

    def step(optimizer: Any, loss: Any) -> None:
        for word in order.split():
            if word == "backward":
                loss.backward(retain_graph=True)
            elif word == "zero":
                optimizer.zero_grad()
            else:
                optimizer.step()

    def path(w: float, lr: float, momentum: float) -> list[float]:
        return three_steps(step, w, lr, momentum)

    return path


def _by_hand(w: float, lr: float, _momentum: float) -> list[float]:
    return three_steps(_three_plain, w, lr, 0.0)


def _three_plain(optimizer: Any, loss: Any) -> None:
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


STEP_MISTAKES: Final[dict[str, Mistake]] = {
    "w did not move: the gradient is cleared before the step": (
        _three("backward zero step"),
        _three("backward"),
        _three("zero backward"),
        _three("backward zero"),
        _three("zero step backward zero"),
        _three("zero step"),
        _three("step"),
        _three("zero step backward"),
    ),
    "the gradient of the previous step was still there: zero_grad is missing": _three(
        "backward step"
    ),
    "one step, not two": _three("zero backward step step"),
    "backward ran twice: its gradients add up": _three("zero backward backward step"),
    "call optimizer.step(), which also knows the momentum": _by_hand,
}


def _fresh_start(draw: Draw) -> tuple[float, ...]:
    return draw.number(0.5, 3.0), draw.number(0.01, 0.2), draw.choice((0.0, 0.9))


def _grade_step(answer: Callable[..., Any]) -> None:
    def path(w: float, lr: float, momentum: float) -> list[float]:
        return three_steps(answer, w, lr, momentum)

    def right(w: float, lr: float, momentum: float) -> list[float]:
        return three_steps(_three_plain, w, lr, momentum)

    path.__name__ = "w after three calls of step on 2 w², for (w, lr, momentum) = "
    compare_functions(
        path,
        "step",
        right=right,
        shown=((1.0, 0.1, 0.0), (2.0, 0.05, 0.0), (1.0, 0.1, 0.9)),
        fresh=_fresh_start,
        rule=STEP_RULE,
        mistakes=STEP_MISTAKES,
    )

"""Log-softmax, cross entropy and its gradient, with known mistakes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from edutorch.course.compare_functions import compare_functions
from edutorch.course.random_cases import Draw
from edutorch.nn import functional as F
from edutorch.ops.create import tensor
from edutorch.ops.shape.joining import stack

__all__ = [
    "NO_CLASSES",
    "grade_cross_entropy",
    "grade_gradient",
    "grade_log_softmax",
    "right_logs",
]

Loss = Callable[..., Any]

LOG_RULE = (
    "log_softmax(z) = z - max - log(sum of exp(z - max)), over the last dimension"
)
LOSS_RULE = "the mean over the rows of -log p of the right class"
GRADIENT_RULE = "(p - y) / rows, where y is 1 at the right class and 0 elsewhere"
WRITTEN: Final = ("cross_entropy", "nll_loss", "CrossEntropyLoss", "NLLLoss")
DIFFERENTIATED: Final = ("backward", "grad", "jacobian", "vjp", *WRITTEN)

NO_CLASSES: Final = (
    "one_hot(labels) has as many columns as the largest label needs, and not every "
    "class is in labels: pass logits.shape[1]"
)
TOLERANCE: Final = 1e-4  # the error of z - (max + log ...) with z near 1000 in float32
SHOWN: Final = tensor([[2.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
LARGE: Final = tensor([[1000.0, 0.0], [-500.0, 500.0], [-1000.0, -1000.0]])
APART: Final = tensor([[300.0, 299.0, 1.0], [-2.0, -1.0, 0.5]])


def grade_log_softmax(answer: Any) -> None:
    """06.1: compare with the library's, for any shape and any size of numbers."""
    compare_functions(
        answer,
        "log_softmax",
        right=right_logs,
        shown=(
            (tensor([2.0, 1.0, 0.0]),),
            (SHOWN,),
            (tensor([1000.0, 0.0]),),
            (LARGE,),
            (APART,),
            (tensor([[1.0, 3.0], [2.0, 7.0]]),),
            (tensor([[3.0]]),),
        ),
        fresh=_fresh_logits,
        rule=LOG_RULE,
        mistakes=LOG_MISTAKES,
        forbidden=(
            "log_softmax", "softmax", "logsumexp", "LogSoftmax", "Softmax", *WRITTEN,
        ),
        returns="tensor",
        dtypes=("float32", "float64"),
        tolerance=TOLERANCE,
    )  # fmt: skip


def grade_cross_entropy(answer: Any) -> None:
    """06.2, the loss."""
    compare_functions(
        answer,
        "cross_entropy",
        right=F.cross_entropy,
        shown=_SHOWN_ROWS,
        fresh=_fresh_rows,
        rule=LOSS_RULE,
        mistakes=LOSS_MISTAKES,
        forbidden=WRITTEN,
        returns="tensor",
        dtypes=("float32", "float64"),
        tolerance=TOLERANCE,
    )


def grade_gradient(answer: Any) -> None:
    """06.2, its gradient."""
    compare_functions(
        answer,
        "cross_entropy_gradient",
        right=_gradient,
        shown=_SHOWN_ROWS,
        fresh=_fresh_rows,
        rule=GRADIENT_RULE,
        mistakes=GRADIENT_MISTAKES,
        forbidden=DIFFERENTIATED,
        returns="tensor",
        dtypes=("float32", "float64"),
        tolerance=TOLERANCE,
    )


def right_logs(logits: Any) -> Any:
    """Log probabilities over the last dimension."""
    return F.log_softmax(logits, -1)


def _gradient(logits: Any, labels: Any) -> Any:
    return _distance(logits, labels) / len(labels)


def _distance(logits: Any, labels: Any) -> Any:
    """The difference p - y."""
    return F.softmax(logits, -1) - _ones(logits, labels)


def _ones(logits: Any, labels: Any) -> Any:
    return F.one_hot(labels, logits.shape[1]).to(logits.dtype)


_SHOWN_ROWS: Final = (
    (SHOWN, tensor([0, 2])),
    (tensor([[1.0, 3.0]]), tensor([1])),
    (LARGE, tensor([0, 0, 1])),
    (APART, tensor([1, 2])),
    (-APART, tensor([0, 1])),
    (LARGE, tensor([1, 0, 0])),
)


def _fresh_logits(draw: Draw) -> tuple[Any]:
    shape = [draw.size(1, 5) for _ in range(draw.size(1, 3))]
    factor = draw.choice((1.0, 5.0, 300.0))
    return (factor * draw.tensor(*shape, draw.size(2, 6)),)


def _fresh_rows(draw: Draw) -> tuple[Any, Any]:
    n, classes = draw.size(2, 7), draw.size(2, 6)
    return draw.choice((1.0, 4.0)) * draw.tensor(n, classes), draw.labels(n, classes)


def _naive(z: Any) -> Any:
    return z.exp() / z.exp().sum(-1, keepdim=True)


def _without_rest(z: Any) -> Any:
    return z - z.amax(-1, keepdim=True)


LOG_MISTAKES: Final[dict[str, Loss]] = {
    "exp overflows: subtract the largest logit of each row first": (
        lambda z: _naive(z).log()
    ),
    "exp overflows in the sum: subtract the largest logit of each row first": (
        lambda z: z - z.exp().sum(-1, keepdim=True).log()
    ),
    "a probability that is rounded to 0 has the logarithm -inf: subtract logarithms": (
        lambda z: F.softmax(z, -1).log()
    ),
    "the largest of all is not the largest of each row": (
        lambda z: (z - z.max()) - (z - z.max()).exp().sum(-1, keepdim=True).log()
    ),
    "the mean is subtracted: a large logit is still large": (
        lambda z: F.log_softmax(z, -1) if _small(z) else _over_mean(z)
    ),
    "exp is added up over the classes, not averaged": (
        lambda z: F.log_softmax(z, -1) + _count(z, -1).log()
    ),
    "subtract the largest logit, do not divide by it": (
        lambda z: _over_rows(z / z.amax(-1, keepdim=True))
    ),
    "a tensor with one dimension is one row: over its rows there is nothing to add": (
        lambda z: stack([row - row.reshape(-1).logsumexp(0) for row in z])
    ),
    "that is softmax: the logarithm is missing": lambda z: F.softmax(z, -1),
    "over the last dimension, not the first": lambda z: F.log_softmax(z, 0),
    "the sum goes over all rows: each row has its own": (
        lambda z: z - z.reshape(-1).logsumexp(0)
    ),
    "the sum goes over all rows, each row has its own": (
        lambda z: _without_rest(z) - _without_rest(z).exp().sum().log()
    ),
    "keepdim=True is missing: a column is subtracted from the rows": (
        lambda z: _over_rows(z - z.amax(-1))
    ),
    "keepdim=True is missing in the sum: a column is subtracted from the rows": (
        lambda z: _without_rest(z) - _without_rest(z).exp().sum(-1).log()
    ),
    "dim=1 is the last dimension of matrices only, dim=-1 always is": (
        lambda z: F.log_softmax(z, 1)
    ),
    "the natural logarithm is log, not log10": (
        lambda z: (
            _without_rest(z) - _without_rest(z).exp().sum(-1, keepdim=True).log10()
        )
    ),
    "the logarithm of the sum is missing: only the largest is subtracted": (
        _without_rest
    ),
    "the largest is subtracted in the sum, but not outside of it": (
        lambda z: z - _without_rest(z).exp().sum(-1, keepdim=True).log()
    ),
    "the sum is subtracted, not its logarithm": (
        lambda z: _without_rest(z) - _without_rest(z).exp().sum(-1, keepdim=True)
    ),
    "the sign: probabilities below 1 have negative logarithms": (
        lambda z: -F.log_softmax(z, -1)
    ),
    "the natural logarithm, not the one to base 10": (
        lambda z: F.log_softmax(z, -1) / tensor(10.0).log().to(z.dtype)
    ),
    "the natural logarithm, not the one to base 2": (
        lambda z: F.log_softmax(z, -1) / tensor(2.0).log().to(z.dtype)
    ),
    "a small number is added before the logarithm: that hides everything smaller": (
        lambda z: (F.softmax(z, -1) + 1e-8).log()
    ),
    "probabilities are clamped: that hides everything smaller": (
        lambda z: F.softmax(z, -1).clamp(min=1e-8).log()
    ),
}


def _count(z: Any, dim: int) -> Any:
    """The size of a dimension, as a tensor with the dtype of z."""
    return tensor(float(z.shape[dim])).to(z.dtype)


def _over_rows(shifted: Any) -> Any:
    return shifted - shifted.exp().sum(-1, keepdim=True).log()


def _small(z: Any) -> bool:
    return bool((z - z.mean(-1, keepdim=True)).amax() < 88)


def _over_mean(z: Any) -> Any:
    return _over_rows(z - z.mean(-1, keepdim=True))


def _picked(logs: Any, labels: Any) -> Any:
    """The element of each row that its label selects."""
    return logs.gather(1, labels.reshape(-1, 1)).squeeze(1)


LOSS_MISTAKES: Final[dict[str, Loss]] = {
    "the mean of the rows, not their sum": lambda z, y: F.cross_entropy(
        z, y, reduction="sum"
    ),
    "a loss for each row: the mean of them is missing": lambda z, y: F.cross_entropy(
        z, y, reduction="none"
    ),
    "the sign: a loss is positive": lambda z, y: -F.cross_entropy(z, y),
    "divide by the rows, not by all numbers": (
        lambda z, y: F.cross_entropy(z, y) / z.shape[1]
    ),
    "the logarithm is missing": (lambda z, y: -_picked(F.softmax(z, -1), y).mean()),
    "logits are not logarithms of probabilities: log_softmax is missing": (
        lambda z, y: -_picked(z, y).mean()
    ),
    "softmax over the classes, not over the rows": (
        lambda z, y: -_picked(F.log_softmax(z, 0), y).mean()
    ),
    "exp overflows: use log_softmax": lambda z, y: -_picked(_naive(z).log(), y).mean(),
    "a probability that is rounded to 0 has the logarithm -inf: use log_softmax": (
        lambda z, y: -_picked(F.softmax(z, -1).log(), y).mean()
    ),
    "the last row is missing": (
        lambda z, y: F.cross_entropy(z[:-1], y[:-1], reduction="sum") / len(y)
    ),
    "only the first row counts: take the mean of all": (
        lambda z, y: F.cross_entropy(z[:1], y[:1])
    ),
    "labels were ignored: this is the most likely class, not the right one": (
        lambda z, _: -F.log_softmax(z, -1).amax(-1).mean()
    ),
    "labels were ignored: this is the mean over all classes": (
        lambda z, _: -F.log_softmax(z, -1).mean()
    ),
    "[:, labels] takes these columns of every row: each row needs its own": (
        lambda z, y: -F.log_softmax(z, -1)[:, y].mean()
    ),
    "log of the mean is not the mean of the logs": (
        lambda z, y: -_picked(F.softmax(z, -1), y).mean().log()
    ),
    "squared error, not cross-entropy": lambda z, y: (_distance(z, y) ** 2).mean(),
    NO_CLASSES: lambda z, y: -(F.one_hot(y) * F.log_softmax(z, -1)).sum() / len(y),
}


def _every_row(z: Any, labels: Any) -> Any:
    p = F.softmax(z, -1)
    p[:, labels] -= 1
    return p


GRADIENT_MISTAKES: Final[dict[str, Loss]] = {
    "the loss is a mean: divide by the rows": _distance,
    "divide by the rows, not by all numbers": (
        lambda z, y: _distance(z, y) / z.numel()
    ),
    "divide by the rows, not by the classes": (
        lambda z, y: _distance(z, y) / z.shape[1]
    ),
    "the sign: p - y, not y - p": lambda z, y: -_gradient(z, y),
    "p alone: subtract 1 at the right class": (lambda z, y: F.softmax(z, -1) / len(y)),
    "-y alone is the gradient of log_softmax's output, not of its input: add p": (
        lambda z, y: -_ones(z, y) / len(y)
    ),
    "[:, labels] takes these columns of every row: each row needs its own": (
        lambda z, y: _every_row(z, y) / len(y)
    ),
    "that is the gradient for p, -1 / p: go on through the softmax": (
        lambda z, y: -_ones(z, y) / F.softmax(z, -1) / len(y)
    ),
    "subtract 1 at the right class: it is p - 1, not -1": (
        lambda z, y: (_distance(z, y) - F.softmax(z, -1) * _ones(z, y)) / len(y)
    ),
    "a gradient for each logit: that is their mean over the rows": (
        lambda z, y: _gradient(z, y).sum(0)
    ),
    "only the right class has a gradient: the others have p": (
        lambda z, y: _distance(z, y) * _ones(z, y) / len(y)
    ),
    "only the other classes are right: at the right class it is p - 1": (
        lambda z, y: F.softmax(z, -1) * (1 - _ones(z, y)) / len(y)
    ),
    "softmax over the classes, not over the rows": (
        lambda z, y: (F.softmax(z, 0) - _ones(z, y)) / len(y)
    ),
    "log p instead of p: exp is missing": (
        lambda z, y: (F.log_softmax(z, -1) - _ones(z, y)) / len(y)
    ),
    "logits instead of p: softmax is missing": (
        lambda z, y: (z - _ones(z, y)) / len(y)
    ),
    "that is the gradient of the squared error: p - y alone, without p (1 - p)": (
        lambda z, y: (
            _distance(z, y) * F.softmax(z, -1) * (1 - F.softmax(z, -1)) / len(y)
        )
    ),
    "exp overflows: use log_softmax": (lambda z, y: (_naive(z) - _ones(z, y)) / len(y)),
    "the rounded p - y: labels are compared, not probabilities": (
        lambda z, y: (_ones(z, z.argmax(1)) - _ones(z, y)) / len(y)
    ),
    NO_CLASSES: lambda z, y: (F.softmax(z, -1) - F.one_hot(y)) / len(y),
}

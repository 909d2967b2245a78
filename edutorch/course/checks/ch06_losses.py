"""BCE with logits and smoothed cross entropy, with known mistakes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from edutorch.course.compare import show, show_expected
from edutorch.course.compare_functions import Mistake, compare_functions
from edutorch.course.failure import CheckFailed
from edutorch.course.output_limit import suppress_output
from edutorch.course.random_cases import Draw
from edutorch.nn import functional as F
from edutorch.ops.create import tensor

from .ch06_softmax import NO_CLASSES

__all__ = ["grade_bce", "grade_smoothed"]

Loss = Callable[..., Any]

BCE_RULE = "(z + |z|) / 2 - z · y + log(1 + exp(-|z|)), for each number"
BCE_SLOPE_RULE = "the gradient of each loss is p - y, for logits of any size"
BCE_NAN: Final = (
    "0 · inf in backward: where drops what overflowed, but not its gradient, as in "
    "chapter 4"
)
SMOOTH_RULE = (
    "targets: smoothing / classes everywhere, and 1 - smoothing more at the label"
)
LN_2: Final = 0.6931471805599453
FAR: Final = tensor([1000.0, -1000.0, 1000.0, -1000.0, 40.0, -40.0])


def grade_bce(answer: Any) -> None:
    """06.3: the losses, on logits of any size, and then their gradient.

    Logits of 0 are not differentiated: there max(z, 0) has a kink, at which the
    gradient of a right formula is a matter of how it is written.
    """
    compare_functions(
        answer,
        "bce_with_logits",
        right=_bce,
        shown=(
            (tensor([0.0, 2.0, -1.0]), tensor([1.0, 1.0, 1.0])),
            *_BCE_SHOWN,
            (tensor([[1.5, -0.5], [0.0, 30.0]]), tensor([[0.3, 1.0], [0.5, 0.9]])),
        ),
        fresh=_fresh_pairs,
        rule=BCE_RULE,
        mistakes=BCE_MISTAKES,
        forbidden=(
            "binary_cross_entropy_with_logits", "binary_cross_entropy",
            "softplus", "logsigmoid", "soft_margin_loss",
            "BCEWithLogitsLoss", "BCELoss", "Softplus", "LogSigmoid", "SoftMarginLoss",
        ),
        returns="tensor",
        dtypes=("float32", "float64"),
    )  # fmt: skip
    if _has_history(answer):
        _grade_bce_gradient(answer)


def _has_history(answer: Loss) -> bool:
    """Whether the losses depend on the logits for autograd; NumPy's do not."""
    z = tensor([2.0, -1.0], requires_grad=True)
    try:
        with suppress_output():
            loss = answer(z, tensor([0.0, 1.0]))
    except Exception:  # noqa: BLE001  # NumPy refuses a tensor that requires grad
        return False
    return bool(getattr(loss, "requires_grad", False))


def _grade_bce_gradient(answer: Loss) -> None:
    def gradient(z: Any, y: Any) -> Any:
        found = _bce_slope(answer, z, y)
        if found.isnan().any():
            raise CheckFailed(
                "the losses are right, their gradient has a nan",
                got=show(found),
                expected=show_expected(_bce_slope(_bce, z, y)),
                rule=BCE_SLOPE_RULE,
                mistake=BCE_NAN,
            )
        return found

    gradient.__name__ = "gradient of the logits after the sum of bce_with_logits"
    compare_functions(
        gradient,
        "bce_with_logits",
        right=lambda z, y: _bce_slope(_bce, z, y),
        shown=_BCE_SHOWN,
        fresh=_fresh_slopes,
        rule=BCE_SLOPE_RULE,
        dtypes=("float32", "float64"),
    )


def _bce_slope(loss: Loss, z: Any, y: Any) -> Any:
    leaf = z.detach().clone().requires_grad_()
    loss(leaf, y).sum().backward()
    return leaf.grad


_BCE_SHOWN: Final = (
    (tensor([2.0, 2.0, -3.0]), tensor([0.0, 1.0, 0.0])),
    (FAR, tensor([1.0, 1.0, 0.0, 0.0, 0.0, 1.0])),
    (tensor([-100.0, 100.0, 95.0, -95.0]), tensor([1.0, 0.0, 1.0, 0.0])),
)


def grade_smoothed(answer: Any) -> None:
    """06.4: compare with the library's `label_smoothing`."""
    rows, labels = tensor([[2.0, 1.0, 0.0], [0.5, 0.0, -1.0]]), tensor([0, 2])
    compare_functions(
        answer,
        "smooth_cross_entropy",
        right=_smooth,
        shown=(
            (rows, labels, 0.3),
            (tensor([[2.0, 1.0, 0.0]]), tensor([0]), 0.3),
            (rows, labels, 0.0),
            (rows, labels, 1.0),
            (tensor([[1000.0, 0.0], [0.0, 600.0]]), tensor([0, 0]), 0.5),
            (tensor([[0.0, 400.0, 1.0]]), tensor([2]), 0.25),
            (tensor([[3.0, -1.0]]), tensor([1])),
        ),
        fresh=_fresh_smooth,
        rule=SMOOTH_RULE,
        mistakes=SMOOTH_MISTAKES,
        forbidden=("cross_entropy", "kl_div", "CrossEntropyLoss", "KLDivLoss"),
        returns="tensor",
        dtypes=("float32", "float64"),
    )


def _bce(z: Any, y: Any) -> Any:
    return F.binary_cross_entropy_with_logits(z, y, reduction="none")


def _smooth(z: Any, labels: Any, smoothing: float = 0.1) -> Any:
    return F.cross_entropy(z, labels, label_smoothing=smoothing)


def _fresh_pairs(draw: Draw) -> tuple[Any, Any]:
    shape = [draw.size(1, 4) for _ in range(draw.size(1, 2))]
    factor = draw.choice((1.0, 10.0, 200.0))
    return factor * draw.tensor(*shape), draw.tensor(*shape, low=0.0, high=1.0)


def _fresh_slopes(draw: Draw) -> tuple[Any, Any]:
    z, y = _fresh_pairs(draw)
    return z + (z == 0).to(z.dtype), y


def _fresh_smooth(draw: Draw) -> tuple[Any, Any, float]:
    n, classes = draw.size(2, 6), draw.size(2, 6)
    labels = draw.labels(n, classes)
    return 2.0 * draw.tensor(n, classes), labels, draw.number(0.05, 0.6)


def _logs(z: Any) -> tuple[Any, Any]:
    """The logarithms of p and 1 - p, computed naively."""
    p = 1 / (1 + (-z).exp())
    return p.log(), (1 - p).log()


def _paper(z: Any, y: Any) -> Any:
    one, other = _logs(z)
    return -(y * one + (1 - y) * other)


def _clamped(least: float) -> Loss:
    def mistaken(z: Any, y: Any) -> Any:
        p = z.sigmoid().clamp(least, 1 - least)
        return -(y * p.log() + (1 - y) * (1 - p).log())

    return mistaken


def _log_clamped(z: Any, y: Any) -> Any:
    one, other = (log.clamp(min=-100) for log in (z.sigmoid().log(), _other(z)))
    return -(y * one + (1 - y) * other)


def _other(z: Any) -> Any:
    return (1 - z.sigmoid()).log()


def _cut_off(limit: float) -> Loss:
    return lambda z, y: F.softplus(z.clamp(-limit, limit)) - z * y


def _rest(z: Any) -> Any:
    """The loss minus max(z, 0) - z y."""
    return (1 + (-z.abs()).exp()).log()


BCE_MISTAKES: Final[dict[str, Mistake]] = {
    "the logarithm of 0: sigmoid is 1 for large logits, and 1 - 1 is 0": _paper,
    "a clamped probability cuts off every loss above a limit": _clamped(1e-7),
    "a clamped probability cuts off each loss above a limit": _clamped(1e-8),
    "a clamped probability cuts off losses above a limit": _clamped(1e-6),
    "a clamped logarithm cuts off every loss above 100": _log_clamped,
    "exp(-z) overflows for very negative z: exp(-|z|) never does": (
        lambda z, y: z - z * y + (1 + (-z).exp()).log()
    ),
    "exp(z) overflows for large z: exp(-|z|) never does": (
        lambda z, y: (1 + z.exp()).log() - z * y
    ),
    "clamped logits cut off every loss above a limit": tuple(
        _cut_off(limit) for limit in (15, 20, 30, 50, 80, 88, 100)
    ),
    "targets are ignored: y is not always 1": lambda z, y: _bce(z, y * 0 + 1),
    "a target may lie between 0 and 1: both terms count": (
        lambda z, y: _bce(z, (y > 0.5).to(z.dtype))
    ),
    "the natural logarithm, not the one to base 2": (
        lambda z, y: _bce(z, y) + (1 / LN_2 - 1) * _rest(z)
    ),
    "max(z, 0) is missing": lambda z, y: _bce(z, y) - z.clamp(min=0),
    "- z · y is missing": lambda z, y: _bce(z, y) + z * y,
    "log(1 + exp(-|z|)) is missing": lambda z, y: z.clamp(min=0) - z * y,
    "|z| instead of max(z, 0)": lambda z, y: _bce(z, y) + z.clamp(max=0).abs(),
    "exp(+|z|): the minus is missing": (
        lambda z, y: z.clamp(min=0) - z * y + (1 + z.abs().exp()).log()
    ),
    "targets are swapped: y belongs to p": lambda z, y: _bce(z, 1 - y),
    "the sign: a loss is positive": lambda z, y: -_bce(z, y),
    "one number for each logit: do not take the mean": lambda z, y: _bce(z, y).mean(),
    "one number for each logit: do not take the sum": lambda z, y: _bce(z, y).sum(),
    "the term of 1 - y is missing": lambda z, y: -y * F.logsigmoid(z),
    "logits are not probabilities: sigmoid is missing": (
        lambda z, y: -(y * z.log() + (1 - y) * (1 - z).log())
    ),
    "squared error, not cross-entropy": lambda z, y: (z.sigmoid() - y) ** 2,
}


def _targets(z: Any, labels: Any, on: float, off: float) -> Any:
    """Cross entropy with target `on` for the label and `off` elsewhere."""
    ones = F.one_hot(labels, z.shape[1]).to(z.dtype)
    return -((off + (on - off) * ones) * F.log_softmax(z, -1)).sum(1).mean()


def _shares(on: Sequence[float], off: Sequence[float]) -> Loss:
    """Targets at the label and elsewhere, each a·1 + b·s + c·s/n + d·s/(n - 1).

    Here s is the smoothing, and n the number of classes.
    """

    def mistaken(z: Any, labels: Any, smoothing: float = 0.1) -> Any:
        n = z.shape[1]
        parts = 1.0, smoothing, smoothing / n, smoothing / (n - 1)
        high, low = (
            sum(a * part for a, part in zip(share, parts, strict=True))
            for share in (on, off)
        )
        return _targets(z, labels, high, low)

    return mistaken


def _shares_of(classes: Callable[[Any], float]) -> Loss:
    """Smoothing divided by something other than the number of classes."""

    def mistaken(z: Any, labels: Any, smoothing: float = 0.1) -> Any:
        share = smoothing / classes(z)
        return _targets(z, labels, 1 - smoothing + share, share)

    return mistaken


def _right_targets(z: Any, labels: Any, smoothing: float) -> Any:
    ones = F.one_hot(labels, z.shape[1]).to(z.dtype)
    return (1 - smoothing) * ones + smoothing / z.shape[1]


def _narrow(z: Any, labels: Any, smoothing: float = 0.1) -> Any:
    targets = (1 - smoothing) * F.one_hot(labels) + smoothing / z.shape[1]
    return -(targets * F.log_softmax(z, -1)).sum(1).mean()


def _in_columns(z: Any, labels: Any, smoothing: float) -> Any:
    columns = F.one_hot(labels, z.shape[1]).amax(0).to(z.dtype)
    targets = (1 - smoothing) * columns + smoothing / z.shape[1]
    return -(targets * F.log_softmax(z, -1)).sum(1).mean()


SMOOTH_MISTAKES: Final[dict[str, Loss]] = {
    NO_CLASSES: _narrow,
    "smoothing was ignored": lambda z, labels, _=0.1: F.cross_entropy(z, labels),
    "smoothing was ignored: it is not always 0.1": (
        lambda z, labels, _=0.1: _smooth(z, labels)
    ),
    "all classes share the smoothing, the right one as well": _shares(
        (1, -1, 0, 0), (0, 0, 0, 1)
    ),
    "the right class gets its share, too: 1 - smoothing + smoothing / classes": (
        _shares((1, -1, 0, 0), (0, 0, 1, 0))
    ),
    "the right class stays at 1: targets add up to more than 1": _shares(
        (1, 0, 0, 0), (0, 0, 1, 0)
    ),
    "1 - smoothing is missing: targets add up to more than 1": _shares(
        (1, 0, 1, 0), (0, 0, 1, 0)
    ),
    "smoothing is to be divided by the number of classes": _shares(
        (1, -1, 0, 0), (0, 1, 0, 0)
    ),
    "divide the smoothing by the number of classes": _shares(
        (1, 0, 0, 0), (0, 1, 0, 0)
    ),
    "the others get their share, too: smoothing / classes": _shares(
        (1, -1, 0, 0), (0, 0, 0, 0)
    ),
    "smoothing / classes for the others, too": _shares((1, -1, 1, 0), (0, 0, 0, 0)),
    "smoothing and 1 - smoothing are swapped": (
        lambda z, labels, smoothing=0.1: _smooth(z, labels, 1 - smoothing)
    ),
    "the mean of the rows, not their sum": (
        lambda z, labels, smoothing=0.1: _smooth(z, labels, smoothing) * len(labels)
    ),
    "the mean of the rows is missing": (
        lambda z, labels, smoothing=0.1: F.cross_entropy(
            z, labels, label_smoothing=smoothing, reduction="none"
        )
    ),
    "the sum over the classes, then the mean over the rows": (
        lambda z, labels, smoothing=0.1: _smooth(z, labels, smoothing) / z.shape[1]
    ),
    "the sign: a loss is positive": (
        lambda z, labels, smoothing=0.1: -_smooth(z, labels, smoothing)
    ),
    "the sign of one of the two parts": (
        lambda z, labels, smoothing=0.1: (
            (1 - smoothing) * F.cross_entropy(z, labels)
            + smoothing * F.log_softmax(z, -1).mean()
        )
    ),
    "the number of classes is not always 3: logits.shape[1]": _shares_of(lambda _: 3.0),
    "smoothing is divided by the classes, not by the rows": _shares_of(
        lambda z: float(len(z))
    ),
    "[:, labels] takes these columns of every row: each row needs its own": (
        lambda z, labels, smoothing=0.1: _in_columns(z, labels, smoothing)
    ),
    "probabilities in place of their logarithms": (
        lambda z, labels, smoothing=0.1: (
            -(_right_targets(z, labels, smoothing) * F.softmax(z, -1)).sum(1).mean()
        )
    ),
    "1 - smoothing, not 1 + smoothing": _shares((1, 1, 1, 0), (0, 0, 1, 0)),
    "smooth the targets, not the logits": (
        lambda z, labels, smoothing=0.1: F.cross_entropy((1 - smoothing) * z, labels)
    ),
    "smooth the targets, not the probabilities": (
        lambda z, labels, smoothing=0.1: F.nll_loss(
            ((1 - smoothing) * F.softmax(z, -1) + smoothing / z.shape[1]).log(), labels
        )
    ),
    "a probability that is rounded to 0 has the logarithm -inf: use log_softmax": (
        lambda z, labels, smoothing=0.1: (
            -(
                (
                    (1 - smoothing) * F.one_hot(labels, z.shape[1]).to(z.dtype)
                    + smoothing / z.shape[1]
                )
                * F.softmax(z, -1).log()
            )
            .sum(1)
            .mean()
        )
    ),
}

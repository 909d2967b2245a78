"""The check of chapter 17 for a leak: which graphs are alive while an answer runs."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from edutorch.autograd.function import Function
from edutorch.course.compare import need_function
from edutorch.course.compare_functions import Mistake, compare_functions
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw
from edutorch.nn import Module
from edutorch.ops.create import tensor

__all__ = [
    "Graphs",
    "LEAK_MISTAKES",
    "Token",
    "WatchedModel",
    "hold",
    "mean_and_worst",
]

Values = Sequence[float]
RULE = "keep numbers, loss.item(): a graph lives as long as any tensor that it has made"


class Token:
    """A part of a graph, which is alive as long as the graph is."""


class _Hold(Function):
    """An identity whose node in the graph holds a token."""

    @staticmethod
    def forward(ctx: Any, x: Any, token: Token) -> Any:
        ctx.token = token
        ctx.save_for_backward(x)  # until backward frees it
        return x.clone()

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g, None


def hold(x: Any) -> tuple[Any, weakref.ref[Token]]:
    """A copy of x, and a weak reference to the token in its graph."""
    token = Token()
    return _Hold.apply(x, token), weakref.ref(token)


class Graphs:
    """Watches the graphs of successive tensors, and which of them are freed.

    Attributes:
        kept: the numbers of graphs that were still alive two graphs later.
        unfreed: the numbers of graphs that held saved tensors one graph later.
    """

    def __init__(self) -> None:
        self.nodes: list[weakref.ref[Any]] = []
        self.kept: set[int] = set()
        self.unfreed: set[int] = set()

    def add(self, x: Any) -> Any:
        """A copy of x, in whose graph a node is watched from now on."""
        self.note()
        if not x.requires_grad:
            return x
        y, _ = hold(x)
        self.nodes.append(weakref.ref(y.grad_fn))
        return y

    def note(self) -> None:
        """Note the graphs that are alive; the newest one may still be in use."""
        newest = len(self.nodes) - 1
        self.kept |= set(self.alive()) - {newest}
        if newest in self.alive() and _holds_tensors(self.nodes[newest]()):
            self.unfreed.add(newest)

    def alive(self) -> list[int]:
        """The numbers of the graphs that are alive."""
        return [i for i, node in enumerate(self.nodes) if node() is not None]


def _holds_tensors(node: Any) -> bool:
    """Whether backward has not freed what a node has saved."""
    try:
        return bool(node.saved_tensors)
    except RuntimeError:
        return False


class WatchedModel(Module):
    """A model whose graphs are watched."""

    def __init__(self, net: Any) -> None:
        super().__init__()
        self.net = net
        self.graphs = Graphs()

    def forward(self, x: Any) -> Any:
        """The model's result."""
        return self.graphs.add(self.net(x))


class _Training:
    """Yields losses with graphs, and records which graphs are alive at each one."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.graphs = Graphs()

    def losses(self) -> Iterator[Any]:
        """Yield the losses one by one; the last one may still be in use."""
        for value in self.values:
            yield self.graphs.add(tensor([value], requires_grad=True).sum())
        self.graphs.note()


def mean_and_worst(answer: Any) -> None:
    """17.3: the mean of losses, without their graphs."""
    answer = need_function(answer, "mean_and_worst")
    compare_functions(
        _watched(answer),
        "mean_and_worst",
        right=_right,
        shown=(
            ([3.0, 5.0, 1.0],),
            ([2.0],),
            ([1.0, 4.0, 4.0, 0.5],),
            ([0.5, 0.25, 0.125, 8.0],),
            ([0.25, 0.5],),
            ([0.125, 0.25, 0.75],),
            ([-2.0, -0.5, -4.0],),
            ([-0.5, -0.25],),
        ),
        fresh=_fresh,
        rule=RULE,
        mistakes=LEAK_MISTAKES,
    )


def _watched(answer: Callable[..., Any]) -> Callable[[Values], Any]:
    """The answer as a function of the values of the losses."""

    def of_losses(values: Values) -> Any:
        training = _Training(values)
        got = answer(training.losses())
        _need_numbers(got)
        left = training.graphs.alive()
        if training.graphs.kept or left:
            raise _leak(training, left)
        return got

    of_losses.__name__ = "mean_and_worst, of losses with the values "
    return of_losses


def _need_numbers(got: Any) -> None:
    """Raise if the result holds a graph."""
    parts: Any = got if isinstance(got, (tuple, list)) else (got,)
    for part, name in zip(parts, ("mean", "worst"), strict=False):
        if getattr(part, "requires_grad", False):
            raise CheckFailed(
                f"the {name} is a tensor with a history",
                got=f"a tensor made by {type(part.grad_fn).__name__}",
                expected="a number",
                rule=RULE,
                mistake="total += loss makes ONE graph of all losses: add loss.item()",
            )


def _leak(training: _Training, left: Sequence[int]) -> CheckFailed:
    count, kept = len(training.values), training.graphs.kept
    mistake = (
        "a list of losses holds them all, also list(losses), and so does their sum as "
        "a tensor: keep loss.item()"
    )
    if kept and len(kept) < count - 1:
        mistake = (
            "one loss is kept, such as the largest so far: keep its value, a number"
        )
    if left and not kept:
        mistake = "something outside the function holds a loss: a global, a default"
    return CheckFailed(
        "graphs of earlier losses are still alive",
        called=f"mean_and_worst, of {count} losses",
        got=f"alive when the next one came: graphs {sorted(kept or left)}",
        expected="none but that of the loss just before",
        rule=RULE,
        mistake=mistake,
    )


def _right(values: Values) -> tuple[float, int]:
    return float(np.mean(values)), int(np.argmax(values))


def _mean(mean: Callable[[Values], float]) -> Callable[[Values], Any]:
    return lambda values: (mean(values), int(np.argmax(values)))


def _worst(worst: Callable[[Values], float]) -> Callable[[Values], Any]:
    return lambda values: (float(np.mean(values)), worst(values))


LEAK_MISTAKES: dict[str, Mistake] = {
    "that is the sum: divide by the number of losses": _mean(sum),
    "that is the last loss, not the mean": _mean(lambda v: v[-1]),
    "that is the median": _mean(lambda v: float(np.median(v))),
    "divided by one too few: the last index is not the number of losses": (
        _mean(lambda v: sum(v) / (len(v) - 1)),
    ),
    "divided by one too many": _mean(lambda v: sum(v) / (len(v) + 1)),
    "return the index of the worst loss, not its value": _worst(max),
    "losses are counted from 0": _worst(lambda v: int(np.argmax(v)) + 1),
    "the worst loss is the LARGEST": _worst(lambda v: int(np.argmin(v))),
    "among equal losses take the first: > and not >=": _worst(
        lambda v: len(v) - 1 - int(np.argmax(v[::-1]))
    ),
    "first the mean, then the worst": lambda v: _right(v)[::-1],
    "the first loss counts, too": (
        _worst(lambda v: int(np.argmax(v[1:])) + 1 if len(v) > 1 else 0),
        _mean(lambda v: sum(v[1:]) / len(v)),
    ),
    "the worst so far starts below every loss; a larger loss replaces it": (
        _worst(lambda v: int(np.argmax(v)) if max(v) > 1 else 0),
        _worst(lambda _v: 0),
    ),
    "a loss may be below 0: the worst so far starts at -inf, or at the first loss": (
        _worst(lambda v: int(np.argmax(v)) if max(v) > 0 else 0),
        _worst(lambda v: int(np.argmax(v)) if max(v) > 0 else -1),
    ),
    "the LARGEST loss, not the farthest from 0": _worst(
        lambda v: int(np.argmax(np.abs(v)))
    ),
}  # fmt: skip

LOW: Final = 0.125  # such losses are exact in float32


def _fresh(draw: Draw) -> tuple[list[float]]:
    """Random losses, sometimes all below 0, sometimes with two equal ones."""
    shift = draw.choice((0, 0, 41))
    values = [LOW * (draw.size(1, 40) - shift) for _ in range(draw.size(2, 9))]
    if draw.size(0, 2) == 0:
        values += [max(values)]
    return (values,)

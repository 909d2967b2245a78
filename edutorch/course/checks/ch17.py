"""Chapter 17: GPU and memory."""

from __future__ import annotations

from typing import Any

from edutorch.course.against import Mistake, against
from edutorch.course.exercise import Exercise
from edutorch.course.trial import Draw
from edutorch.ops.create import tensor

__all__ = ["EXERCISES"]

RULE = "each number minus the mean of its row"
ROWS = tensor([[1.0, 2.0, 6.0], [0.0, 0.0, 3.0]])


def centered(x: Any) -> Any:
    """The right answer, which changes no argument."""
    return x - x.mean(1, keepdim=True)


def fresh(draw: Draw) -> tuple[Any]:
    """Arguments that no learner has seen, of sizes that were not shown."""
    return (draw.tensor(draw.size(2, 4), draw.size(2, 6)),)


# What learners are told, and functions that make the mistake.
MISTAKES: dict[str, Mistake] = {
    "that is the mean of each column: rows go along dim 1": lambda x: x - x.mean(0),
    "that is one mean of all numbers: each row has its own": lambda x: x - x.mean(),
    "that is only the mean: subtract it": (
        lambda x: x.mean(1),
        lambda x: x.mean(1, keepdim=True),
    ),
    "that is the sum: a mean is divided by the count": lambda x: (
        x - x.sum(1, keepdim=True)
    ),
    "the sign is turned: x minus the mean": lambda x: x.mean(1, keepdim=True) - x,
    "the mean is added": lambda x: x + x.mean(1, keepdim=True),
    "the mean is a divisor here: subtract it": lambda x: x / x.mean(1, keepdim=True),
    "nothing is subtracted": lambda x: x.clone(),
    "that is the largest number of the row": lambda x: x - x.amax(1, keepdim=True),
    "that is the first number of the row": lambda x: x - x[:, :1],
}


def step_peak(answer: Any) -> None:
    """17.1: step peak."""
    against(
        answer,
        "step_peak",
        right=centered,
        shown=((ROWS,), (tensor([[5.0]]),)),
        fresh=fresh,
        rule=RULE,
        mistakes=MISTAKES,
        returns="tensor",
        dtypes=("float32", "float64"),
    )


def best_fit(answer: Any) -> None:
    """17.2: best fit."""
    against(
        answer,
        "best_fit",
        right=centered,
        shown=((ROWS,), (tensor([[5.0]]),)),
        fresh=fresh,
        rule=RULE,
        mistakes=MISTAKES,
        returns="tensor",
        dtypes=("float32", "float64"),
    )


def epoch_losses(answer: Any) -> None:
    """17.3: epoch losses."""
    against(
        answer,
        "epoch_losses",
        right=centered,
        shown=((ROWS,), (tensor([[5.0]]),)),
        fresh=fresh,
        rule=RULE,
        mistakes=MISTAKES,
        returns="tensor",
        dtypes=("float32", "float64"),
    )


def recompute(answer: Any) -> None:
    """17.4: recompute."""
    against(
        answer,
        "recompute",
        right=centered,
        shown=((ROWS,), (tensor([[5.0]]),)),
        fresh=fresh,
        rule=RULE,
        mistakes=MISTAKES,
        returns="tensor",
        dtypes=("float32", "float64"),
    )


def train_on(answer: Any) -> None:
    """17.5: train on."""
    against(
        answer,
        "train_on",
        right=centered,
        shown=((ROWS,), (tensor([[5.0]]),)),
        fresh=fresh,
        rule=RULE,
        mistakes=MISTAKES,
        returns="tensor",
        dtypes=("float32", "float64"),
    )


EXERCISES = (
    Exercise(
        "17.1",
        "step peak",
        1,
        (
            "How many means does a matrix of two rows need?",
            "x.mean(dim=1) has one mean for each row, but lost a dimension.",
            "x - x.mean(dim=1, keepdim=True)",
        ),
        step_peak,
    ),
    Exercise(
        "17.2",
        "best fit",
        1,
        (
            "How many means does a matrix of two rows need?",
            "x.mean(dim=1) has one mean for each row, but lost a dimension.",
            "x - x.mean(dim=1, keepdim=True)",
        ),
        best_fit,
    ),
    Exercise(
        "17.3",
        "epoch losses",
        1,
        (
            "How many means does a matrix of two rows need?",
            "x.mean(dim=1) has one mean for each row, but lost a dimension.",
            "x - x.mean(dim=1, keepdim=True)",
        ),
        epoch_losses,
    ),
    Exercise(
        "17.4",
        "recompute",
        1,
        (
            "How many means does a matrix of two rows need?",
            "x.mean(dim=1) has one mean for each row, but lost a dimension.",
            "x - x.mean(dim=1, keepdim=True)",
        ),
        recompute,
    ),
    Exercise(
        "17.5",
        "train on",
        1,
        (
            "How many means does a matrix of two rows need?",
            "x.mean(dim=1) has one mean for each row, but lost a dimension.",
            "x - x.mean(dim=1, keepdim=True)",
        ),
        train_on,
    ),
)

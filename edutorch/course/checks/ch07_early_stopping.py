"""Early stopping: where an answer stops for given losses."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from edutorch.course.compare import show
from edutorch.course.failure import CheckFailed
from edutorch.nn import BatchNorm1d, Linear, Module, Sequential

from .optimizer_steps import call_limited

__all__ = ["grade_fit"]

FIT_RULE = "stop when the lowest loss is patience epochs old; then restore its weights"


class _TooManyEpochsError(Exception):
    """Stops an answer that ignores `epochs`."""


@dataclass
class _Story:
    """The losses that validation will give, and a model that counts its epochs."""

    losses: Sequence[float]
    epochs: int
    patience: int

    def __post_init__(self) -> None:
        self.model: Module = Sequential(Linear(2, 2), BatchNorm1d(2))
        self.trained = self.validated = 0
        self.resting = False  # whether an epoch was trained in evaluation mode
        self.order: list[str] = []
        self.mark()

    def mark(self) -> None:
        """Set all elements of the model, including buffers, to the epoch's number."""
        for tensor in self.model.state_dict().values():
            tensor.fill_(self.trained)

    def train_epoch(self) -> None:
        self.trained += 1
        self.resting = self.resting or not self.model.training
        self.order.append("train")
        self.mark()
        if self.trained > self.epochs:
            raise _TooManyEpochsError

    def validate(self) -> float:
        self.validated += 1
        self.order.append("validate")
        return self.losses[min(self.trained, len(self.losses)) - 1]

    def called(self) -> str:
        return (
            f"fit(model, train_epoch, validate, epochs={self.epochs}, "
            f"patience={self.patience}); losses will be {list(self.losses)}"
        )

    def kept(self) -> set[float]:
        """The epochs whose numbers the model contains."""
        return {
            float(v)
            for tensor in self.model.state_dict().values()
            for v in tensor.detach().numpy().reshape(-1)
        }


def grade_fit(answer: Callable[..., Any], rng: np.random.Generator) -> None:
    """Run the answer on given sequences of losses.

    Raises:
        CheckFailed: it stopped at another epoch, or left other weights.
    """
    seen: list[tuple[_Story, list[float], set[float]]] = []
    failed: CheckFailed | None = None
    for story in _stories(rng):
        called = story.called()
        try:
            got = call_limited(
                answer,
                story.model,
                story.train_epoch,
                story.validate,
                story.epochs,
                story.patience,
                called=called,
                rule=FIT_RULE,
            )
            losses = _list_of(got, called)
            _in_order(story, called)
            _in_training(story, called)
        except CheckFailed as failure:
            if failed is not None:
                break
            raise _of_epochs(failure, story) from failure.__cause__
        failed = failed or _other_end(story, losses, called)
        seen.append((story, losses, story.kept()))
    if failed:
        failed.mistake = failed.mistake or _find_mistake(seen)
        raise failed


def _of_epochs(failure: CheckFailed, story: _Story) -> CheckFailed:
    if isinstance(failure.__cause__, UnboundLocalError) and min(story.losses) > 1:
        failure.mistake = "the first epoch is the best so far, whatever its loss"
    if not isinstance(failure.__cause__, _TooManyEpochsError):
        return failure
    return CheckFailed(
        f"went on after {story.epochs} epochs",
        called=failure.called,
        rule="at most `epochs` epochs, even while the loss still falls",
    )


def _stories(rng: np.random.Generator) -> Iterator[_Story]:
    yield _Story((5, 3, 4, 2, 6, 7, 1), 7, 2)
    yield _Story((9, 8, 7, 6), 4, 2)
    yield _Story((5, 4, 6, 7, 8, 3, 2), 7, 4)
    yield _Story((5, 4, 6, 7, 3, 9, 9, 9, 9), 9, 4)
    yield _Story((3, 2, 2, 2, 2, 1), 6, 3)
    yield _Story((4, 1, 1, 5), 4, 5)
    yield _Story((0.9, 0.8, 0.5, 0.6, 0.55), 5, 2)
    yield _Story((30, 20, 25, 10, 15, 12, 11, 9), 8, 3)
    yield _Story((1, 2, 3, 4), 4, 1)
    yield _Story((9e6, 8e6, 8.5e6, 9e6, 1e6), 5, 2)
    yield _Story((4, 6, 5, 3, 4, 5, 6), 7, 3)
    yield _Story((2,), 1, 3)
    yield _Story((6, 2, 4), 3, 2)
    for _ in range(4):
        count = int(rng.integers(3, 12))
        losses = [float(v) for v in rng.integers(1, 30, size=count)]
        yield _Story(losses, count, int(rng.integers(1, 5)))


def _list_of(got: Any, called: str) -> list[float]:
    wrong = "returned None: is a return missing?" if got is None else ""
    if wrong or not isinstance(got, (list, tuple)):
        raise CheckFailed(
            wrong or "expects a list: the loss of every epoch",
            called=called,
            got=f"{show(got)}, a {type(got).__name__}",
            rule=FIT_RULE,
        )
    try:
        return [float(v) for v in got]
    except (TypeError, ValueError):
        raise CheckFailed(
            "expects a list of numbers", called=called, got=show(got), rule=FIT_RULE
        ) from None


def _in_order(story: _Story, called: str) -> None:
    """Check that each epoch trains once, then validates once."""
    if story.order[:2] == ["validate", "train"]:
        what = "it validated before training: train_epoch() comes first"
    elif story.validated and not story.trained:
        what = "it never trained: train_epoch() was not called"
    elif story.trained and not story.validated:
        what = "it never validated: validate() was not called"
    elif story.order == ["train", "validate"] * story.trained:
        return
    else:
        what = "each epoch is one train_epoch() and one validate(): call each once"
    raise CheckFailed(
        what,
        called=called,
        got=f"{story.trained} times train_epoch, {story.validated} times validate",
        rule=FIT_RULE,
    )


def _in_training(story: _Story, called: str) -> None:
    if not story.resting:
        return
    raise CheckFailed(
        "an epoch was trained in evaluation mode",
        called=called,
        got="model.training is False when train_epoch() is called",
        expected="model.training is True, as it was at first",
        rule="train_epoch() changes weights; dropout and batch norm take part",
        mistake="model.eval() stays in force: model.train() before train_epoch()",
    )


def _other_end(story: _Story, losses: list[float], called: str) -> CheckFailed | None:
    right, best = _right_fit(story)
    if losses != right:
        return CheckFailed(
            "the list of losses is not right",
            called=called,
            got=show(losses),
            expected=show(right),
            rule=FIT_RULE,
        )
    kept = story.kept()
    if kept == {float(best)}:
        return None
    mixed = "the buffers were not restored: state_dict() has them, parameters() not"
    words = " and ".join(f"epoch {int(epoch)}" for epoch in sorted(kept))
    return CheckFailed(
        "the model does not have the best weights",
        called=called,
        got=f"those of {words}",
        expected=f"those of epoch {best}",
        rule=FIT_RULE,
        mistake=mixed if len(kept) > 1 else "",
    )


def _right_fit(story: _Story) -> tuple[list[float], int]:
    losses, (best,) = _policy(story)
    return losses, int(best)


def _policy(
    story: _Story,
    *,
    first: float = math.inf,
    equal: bool = False,
    higher: bool = False,
    previous: bool = False,
    extra: int = 0,
    patience: int = 0,
    in_row: bool = True,
    restored: bool = True,
    at_stop: bool = False,
    rises: bool = False,
    cut: bool = False,
) -> tuple[list[float], set[float]]:
    """The losses and the final epoch under a stopping rule.

    Args:
        story: the losses, and how long to wait.
        first: the initial value of the best loss.
        equal: an equal loss counts as better.
        higher: a higher loss counts as better.
        previous: a loss is compared with the previous one, not with the best.
        extra: epochs added to the patience.
        patience: the patience, if not the story's.
        in_row: an improvement resets the count of epochs.
        restored: the best weights are loaded at the end.
        at_stop: they are loaded only if the training stopped early.
        rises: a loss lower than the previous one resets the count, too.
        cut: the losses after the best one are left out.
    """
    limit = (patience or story.patience) + extra
    best, best_epoch, waited, stopped = first, 0, 0, False
    losses: list[float] = []
    for epoch, loss in enumerate(story.losses[: story.epochs], 1):
        losses.append(float(loss))
        better = loss > best if higher else loss <= best if equal else loss < best
        if better:
            best_epoch, waited = epoch, 0 if in_row else waited
            best = loss
        elif rises and loss < losses[-2]:
            waited = 0
        else:
            waited += 1
            if waited >= limit:
                stopped = True
                break
        best = loss if previous else best
    loaded = restored and best_epoch and (stopped or not at_stop)
    left = best_epoch if loaded else len(losses)
    return losses[:best_epoch] if cut else losses, {float(left)}


LEFT = (
    "the model has the last weights: model.load_state_dict(kept), where kept is "
    "a copy; model = kept changes only a name"
)
_FIT_MISTAKES: dict[str, dict[str, Any]] = {
    LEFT: {"restored": False},
    "the best weights are loaded in any case, not only when it stops early": {
        "at_stop": True
    },
    "a loss that falls again is not a new best: what counts is how old the best is": {
        "rises": True
    },
    "no loss counted as better: lower is better, and so is the first one": {
        "higher": True
    },
    "an equal loss is not an improvement: the first of several counts": {"equal": True},
    "one epoch too many: stop when the best is patience epochs old": {"extra": 1},
    "one epoch too few: stop when the best is patience epochs old": {"extra": -1},
    "patience was ignored: it stopped at the first epoch that was no better": {
        "patience": 1
    },
    "patience was ignored: it is always 2": {"patience": 2},
    "patience was ignored: it is always 3": {"patience": 3},
    "patience was ignored: it never stopped before the last epoch": {"patience": 10**6},
    "patience counts epochs in a row: an improvement resets it": {"in_row": False},
    "the loss of every epoch is returned, those after the best, too": {"cut": True},
    "a loss is compared with the best, not with the epoch before": {"previous": True},
    "the first epoch is the best so far, whatever its loss": {"first": 1.0},
}


def _find_mistake(seen: Sequence[tuple[_Story, list[float], set[float]]]) -> str:
    """The only mistake that explains where it stopped, and with which weights."""
    found = []
    for words, settings in _FIT_MISTAKES.items():
        would = [_policy(story, **settings) for story, _, _ in seen]
        told = 0
        for (story, losses, kept), mistaken in zip(seen, would, strict=True):
            if (losses, kept) != mistaken:
                break
            told += mistaken != _policy(story)
        else:
            if told >= 2:
                found.append(words)
    return found[0] if len(found) == 1 else ""

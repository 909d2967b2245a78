"""Chapter 7: optimizers and training loops."""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.course.compare import need_function, need_tuple
from edutorch.course.compare_functions import compare_functions
from edutorch.course.exercise import Exercise
from edutorch.course.random_cases import draws

from .ch07_early_stopping import grade_fit
from .ch07_gradient_clipping import grade_clipping
from .ch07_optimizer_drills import adam_drills, momentum_drills, sgd_drills
from .ch07_optimizer_rules import (
    ADAM_MISTAKES,
    MOMENTUM_MISTAKES,
    SGD_MISTAKES,
    adam,
    momentum,
    sgd,
)
from .ch07_schedules import (
    COSINE_MISTAKES,
    COSINE_SHOWN,
    STEP_MISTAKES,
    STEP_SHOWN,
    fresh_cosine,
    fresh_steps,
    step_lr,
    warmup_cosine,
)
from .optimizer_steps import grade_steps

__all__ = ["EXERCISES"]

SGD_RULE = "p <- p - lr · p.grad"
MOMENTUM_RULE = "velocity <- momentum · velocity + g; p <- p - lr · velocity"
ADAM_RULE = "p <- p - lr · m / (1 - β1ᵗ) / (sqrt(v / (1 - β2ᵗ)) + eps)"


def sgd_step(answer: Any) -> None:
    """07.1: one step of SGD."""
    grade_steps(
        need_function(answer, "sgd_step"),
        "sgd_step",
        sgd_drills(_rng()),
        right=sgd,
        mistakes=SGD_MISTAKES,
        rule=SGD_RULE,
        stateful=False,
    )


def momentum_step(answer: Any) -> None:
    """07.2: SGD with momentum."""
    grade_steps(
        need_function(answer, "momentum_step"),
        "momentum_step",
        momentum_drills(_rng()),
        right=momentum,
        mistakes=MOMENTUM_MISTAKES,
        rule=MOMENTUM_RULE,
    )


def adam_step(answer: Any) -> None:
    """07.3: Adam with bias correction."""
    grade_steps(
        need_function(answer, "adam_step"),
        "adam_step",
        adam_drills(_rng()),
        right=adam,
        mistakes=ADAM_MISTAKES,
        rule=ADAM_RULE,
    )


def schedules(answer: Any) -> None:
    """07.4: learning rates as a function of the step."""
    cut, curved = need_tuple(answer, "step_lr, warmup_cosine")
    compare_functions(
        cut,
        "step_lr",
        right=step_lr,
        shown=STEP_SHOWN,
        fresh=fresh_steps,
        rule="lr · factor ** (how often `every` steps have passed)",
        mistakes=STEP_MISTAKES,
    )
    compare_functions(
        curved,
        "warmup_cosine",
        right=warmup_cosine,
        shown=COSINE_SHOWN,
        fresh=fresh_cosine,
        rule="lr (step + 1) / warmup; then lr (1 + cos(pi · done)) / 2; then 0",
        mistakes=COSINE_MISTAKES,
    )


def clip_gradients(answer: Any) -> None:
    """07.5: clipping by the total norm of all gradients."""
    grade_clipping(need_function(answer, "clip_gradients"), _rng())


def fit(answer: Any) -> None:
    """07.6: early stopping that keeps the best weights."""
    grade_fit(need_function(answer, "fit"), _rng())


def _rng() -> np.random.Generator:
    """A random generator for this attempt."""
    (draw,) = draws(1, ("float32",))
    return np.random.default_rng(draw.size(0, 2**31 - 1))


EXERCISES = (
    Exercise(
        "07.1",
        "a step of SGD",
        1,
        (
            "An update is a change in place that must not be recorded.",
            (
                "Loop over params inside `with torch.no_grad():`, and skip those "
                "whose grad is None."
            ),
            "for p in params: if p.grad is not None: p -= lr * p.grad",
        ),
        sgd_step,
    ),
    Exercise(
        "07.2",
        "momentum",
        2,
        (
            "What must be remembered from one step to the next, and for whom?",
            (
                "A parameter can be a key: state[p] is its velocity. `p in state` says "
                "whether it has one already."
            ),
            (
                "state[p] = momentum * state[p] + p.grad, or p.grad.clone() the first "
                "time; then p -= lr * state[p]."
            ),
        ),
        momentum_step,
    ),
    Exercise(
        "07.3",
        "Adam with bias correction",
        2,
        (
            "Three things are kept for each parameter: two averages and a count.",
            (
                "Keep the averages uncorrected; compute the corrected ones from "
                "them in each step."
            ),
            (
                "zero = torch.zeros_like(p); m, v, t = state.get(p, (zero, zero, 0)); "
                "t += 1; new averages; state[p] = m, v, t; then the step with "
                "m / (1 - betas[0] ** t) and v / (1 - betas[1] ** t)."
            ),
        ),
        adam_step,
    ),
    Exercise(
        "07.4",
        "schedules",
        1,
        (
            (
                "How often has the rate been cut by then? And in which of the three "
                "parts is the step?"
            ),
            (
                "`//` divides and rounds down. The finished fraction of the "
                "cosine goes from 0 at step warmup to 1 at step total."
            ),
            (
                "lr * factor ** (step // every). After the warm-up: "
                "done = (step - warmup) / (total - warmup), and "
                "lr * (1 + math.cos(math.pi * done)) / 2."
            ),
        ),
        schedules,
    ),
    Exercise(
        "07.5",
        "clipping by the norm of all gradients",
        2,
        (
            "Think of all gradients as one long vector: what is its length?",
            (
                "Two passes: the first adds up all squares, the second shortens. "
                "A generator allows one pass only, so put the gradients into a list."
            ),
            (
                "norm = math.sqrt(sum((g**2).sum().item() for g in grads)); "
                "if norm > max_norm: g *= max_norm / norm, for each g."
            ),
        ),
        clip_gradients,
    ),
    Exercise(
        "07.6",
        "stop early, keep the best",
        2,
        (
            "Remember the lowest loss, its epoch, and the weights of that moment.",
            (
                "state_dict() refers to the weights themselves, which change: "
                "copy.deepcopy(model.state_dict())."
            ),
            (
                "After each epoch: if the loss is lower than the best, remember all "
                "three; elif epoch - best_epoch >= patience: break. At the end "
                "model.load_state_dict(kept)."
            ),
        ),
        fit,
    ),
)

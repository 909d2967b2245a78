"""Chapter 4: debugging forward and backward."""

from __future__ import annotations

from edutorch.course.exercise import Exercise

from .ch04_cuts import grade_cut
from .ch04_gradients import grade_clip, grade_length
from .ch04_steps import grade_step
from .ch04_training import grade_repair

__all__ = ["EXERCISES"]

EXERCISES = (
    Exercise(
        "04.1",
        "the step that makes the NaN",
        2,
        (
            "for step in loss.backward_steps(): what arrives, and what leaves?",
            (
                "The gradients that leave are in step.grad_inputs. Some of them "
                "are None; torch.isfinite(g).all() tests the others."
            ),
            (
                "In both loops: if g is not None and not torch.isfinite(g).all(): "
                "return step.name. After the loops return None."
            ),
        ),
        grade_step,
    ),
    Exercise(
        "04.2",
        "a hook that clips",
        2,
        (
            (
                "clip_hook makes a function and returns it. That function gets the "
                "gradient."
            ),
            (
                "Inside clip_hook: def hook(g), which gives a new tensor; below it "
                "return hook. The length of g is g.norm()."
            ),
            "return g * (limit / g.norm()) if g.norm() > limit else g",
        ),
        grade_clip,
    ),
    Exercise(
        "04.3",
        "the layer that cuts the graph",
        2,
        (
            "Play the Sequential: give each layer the output of the one before.",
            "for name, layer in model.named_children(): x = layer(x)",
            (
                "An output without history has x.grad_fn None. Return the name of "
                "its layer."
            ),
        ),
        grade_cut,
    ),
    Exercise(
        "04.4",
        "three bugs in one program",
        2,
        (
            (
                "One question for each function: what is the mean of each feature, "
                "what does cross_entropy expect, and which gradient does the step use?"
            ),
            (
                "The samples are along dim 0. cross_entropy has a softmax "
                "inside. zero_grad erases what backward has computed."
            ),
            (
                "(x - x.mean(dim=0)) / x.std(dim=0); cross_entropy(model(x), y); and "
                "optimizer.zero_grad(), loss.backward(), optimizer.step()."
            ),
        ),
        grade_repair,
    ),
    Exercise(
        "04.5",
        "a length with a gradient at 0",
        2,
        (
            (
                "The root must never see a 0. What may it see instead, if its result "
                "is not used?"
            ),
            (
                "Two torch.where: one before the root, which replaces the zeros, and "
                "one after it, which puts 0 in those places."
            ),
            (
                "q = (v * v).sum(dim=1); zero = q == 0; "
                "torch.where(zero, 0, torch.where(zero, 1, q).sqrt())"
            ),
        ),
        grade_length,
    ),
)

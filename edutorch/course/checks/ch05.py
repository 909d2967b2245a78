"""Chapter 5: modules, parameters and initialisation."""

from __future__ import annotations

from edutorch.course.exercise import Exercise

from .ch05_hooks import watch
from .ch05_layers import dropout, linear
from .ch05_networks import kaiming
from .ch05_trees import count, named

__all__ = ["EXERCISES"]

EXERCISES = (
    Exercise(
        "05.1",
        "a linear layer",
        2,
        (
            "super().__init__() first; then two attributes that are nn.Parameter.",
            (
                "torch.empty(outputs, inputs).uniform_(-b, b) draws uniformly from "
                "-b to b."
            ),
            "forward: y = x @ self.weight.T, plus self.bias where it is not None.",
        ),
        linear,
    ),
    Exercise(
        "05.2",
        "names of parameters",
        2,
        (
            "A module's list is its own pairs, followed by the lists of its children.",
            "named calls itself: the prefix of a child is prefix + name + a dot.",
            "found += named(child, f'{prefix}{name}.') where the child is not None.",
        ),
        named,
    ),
    Exercise(
        "05.3",
        "Kaiming initialisation",
        2,
        (
            "model.modules() goes through the whole tree; isinstance picks.",
            "weight.shape is (outputs, inputs); change it inside torch.no_grad().",
            "weight.normal_(0, (2 / weight.shape[1]) ** 0.5), and bias.zero_().",
        ),
        kaiming,
    ),
    Exercise(
        "05.4",
        "shared weights count once",
        1,
        (
            "When do two names belong to one parameter? Equal values are not enough.",
            "id(p) is the same number for the same object, and only for it.",
            "{id(p): p for _, p in named(model)}.values() has each of them once.",
        ),
        count,
    ),
    Exercise(
        "05.5",
        "watch a network",
        2,
        (
            "One hook per module, and each must know the name of its module.",
            (
                "A function made in a loop sees the loop's last name: make it in "
                "another function."
            ),
            "seen[name] = output.detach().clone(); keep all handles for remove().",
        ),
        watch,
    ),
    Exercise(
        "05.6",
        "dropout",
        2,
        (
            "self.training is the module's mode: train() and eval() set it.",
            "torch.rand(x.shape) >= p is True with probability 1 - p.",
            "x * kept / (1 - p); and for p = 1, where that is 0 / 0, zeros.",
        ),
        dropout,
    ),
)

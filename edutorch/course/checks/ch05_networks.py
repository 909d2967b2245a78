"""Checks of chapter 5 for whole networks: initialisation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edutorch import nn
from edutorch.course.compare import call, need_function
from edutorch.course.failure import CheckFailed
from edutorch.ops.create import from_numpy
from edutorch.random import manual_seed

from .modules import (
    kind_of,
    numbers,
    refuse,
    watched_methods,
    with_causes,
)

__all__ = ["kaiming"]

KAIMING_RULE = "normal, with mean 0 and standard deviation √(2 / inputs)"
OTHERS = (
    "a bias, and other layers' weights, may have one size: isinstance(m, nn.Linear)"
)


class Mixed(nn.Module):
    """Linear layers at several depths, among layers that must not be changed."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(50, 200)
        self.middle = nn.Sequential(
            nn.LayerNorm(200),
            nn.Sequential(nn.Linear(200, 50, bias=False), nn.Linear(50, 200)),
        )
        self.words = nn.Embedding(30, 8)
        self.images = nn.Conv2d(2, 3, 3)


@with_causes(
    ("'Mixed' object is not iterable", "model.modules() has all layers of the tree"),
    ("tuple index out of range", OTHERS),
    ("Dimension out of range", OTHERS),
)
def kaiming(answer: Any) -> None:
    """05.3: Kaiming initialisation of the whole tree, in place."""
    answer = need_function(answer, "kaiming_")
    manual_seed(53)
    model = Mixed()
    before = {name: numbers(p) for name, p in model.named_parameters()}
    kept = dict(model.named_parameters())
    forbidden = [name for name in dir(nn.init) if name.startswith("kaiming_")]
    with watched_methods(nn.init, *forbidden) as used:
        got = call(answer, model, called="kaiming_(model)", rule=KAIMING_RULE)
    refuse(used, "nn.init.{}", "the numbers drawn by you")
    _check_same_objects(model, kept)
    _check_linears(model, before)
    _check_others(model, before)
    if got is not model:
        raise CheckFailed(
            "the model was not returned",
            called="kaiming_(model)",
            got=kind_of(got),
            expected="the model",
        )
    _check_new_draws(answer)
    _check_single(answer)
    _check_deep(answer)


def _check_same_objects(model: nn.Module, kept: dict[str, Any]) -> None:
    rule = "in place: an optimizer, or another module, may hold the old parameter"
    for name, p in model.named_parameters():
        if p is not kept.get(name):
            raise CheckFailed(
                f"{name} is a different object now",
                called="kaiming_(model)",
                rule=rule,
                mistake="copy_, normal_ and similar methods change the existing tensor",
            )
        if not p.requires_grad or not p.is_leaf:
            raise CheckFailed(
                f"{name} can no longer be trained",
                called="kaiming_(model)",
                got=f"requires_grad {p.requires_grad}, is_leaf {p.is_leaf}",
                expected="requires_grad True, is_leaf True",
                rule="change it inside no_grad, and do not touch requires_grad",
            )


def _check_linears(model: nn.Module, before: dict[str, Any]) -> None:
    linears = {n: m for n, m in model.named_modules() if isinstance(m, nn.Linear)}
    for name, layer in linears.items():
        outputs, inputs = layer.weight.shape
        called = f"kaiming_(model); {name}.weight, of shape ({outputs}, {inputs})"
        weight, old = numbers(layer.weight), before[f"{name}.weight"]
        want = (2 / inputs) ** 0.5
        if abs(weight.std() / want - 1) > 0.05 or abs(weight.mean()) > 0.05 * want:
            raise CheckFailed(
                "the weights do not have the right distribution",
                called=called,
                got=f"mean {weight.mean():.3g}, standard deviation {weight.std():.4g}",
                expected=f"mean 0, standard deviation {want:.4g}",
                rule=KAIMING_RULE,
                mistake=_scale_mistake(linears, before),
            )
        if abs((abs(weight) < want).mean() - 0.683) > 0.03:
            raise CheckFailed(
                "the standard deviation is right, but the numbers are not normal",
                called=called,
                got=f"from {weight.min():.3g} to {weight.max():.3g}",
                rule=KAIMING_RULE,
                mistake="rand and uniform_ are uniform; randn and normal_ are normal",
            )
        if np.array_equal(weight, old):
            raise CheckFailed("a layer was left as it was", called=called)
        if layer.bias is not None and numbers(layer.bias).any():
            same = np.array_equal(numbers(layer.bias), before[f"{name}.bias"])
            raise CheckFailed(
                "the bias is not 0",
                called=f"kaiming_(model); {name}.bias",
                got="the numbers it had before" if same else "other numbers",
                expected="zeros",
                rule="the bias starts at 0",
            )


def _scale_mistake(linears: dict[str, Any], before: dict[str, Any]) -> str:
    """The mistake that explains the standard deviation of every changed layer."""
    touched = {
        n: m
        for n, m in linears.items()
        if not np.array_equal(numbers(m.weight), before[f"{n}.weight"])
    }
    if not touched:
        return "no weight was changed"
    found = [numbers(m.weight).std() for m in touched.values()]
    wrong = [_deviations(*m.weight.shape) for m in touched.values()]
    for words in wrong[0]:
        wants = [deviations[words] for deviations in wrong]
        if len(wants) >= 2 and np.allclose(found, wants, rtol=0.05, atol=0):
            return words
    if any("." in name for name in set(linears) - set(touched)):
        return "layers deeper in the tree were left out: modules() has all of them"
    return ""


def _deviations(m: int, n: int) -> dict[str, float]:
    """Standard deviations of m x n weights after each known mistake."""
    return {
        "weights that are all equal stay equal: draw them": 0.0,
        "inputs is shape[1], the columns; this follows from the outputs": (2 / m)
        ** 0.5,
        "√(2 / n) is the standard deviation; 2 / n is its square": 2 / n,
        "the 2 is missing: ReLU loses half of the mean square": n**-0.5,
        "n belongs under the root as well: √(2 / n)": 2**0.5 / n,
        "that is Xavier's rule for inputs and outputs": (2 / (m + n)) ** 0.5,
        "divide by the root of the inputs, do not multiply": (2 * n) ** 0.5,
        "the numbers are drawn, but not scaled": 1.0,
        "a uniform distribution would need the bound √(6 / n); but draw normal "
        "numbers": (2 / n / 3) ** 0.5,
        "1 / n needs a root, and a 2 for ReLU": 1 / n,
    }


def _check_others(model: nn.Module, before: dict[str, Any]) -> None:
    linears = {n for n, m in model.named_modules() if isinstance(m, nn.Linear)}
    for name, p in model.named_parameters():
        if name.rsplit(".", 1)[0] in linears:
            continue
        if not np.array_equal(numbers(p), before[name]):
            raise CheckFailed(
                f"{name} was changed, and is not in a Linear",
                called="kaiming_(model)",
                rule="only nn.Linear is initialised: isinstance(module, nn.Linear)",
            )


def _check_new_draws(answer: Callable[..., Any]) -> None:
    model = nn.Sequential(nn.Linear(20, 20), nn.Linear(20, 20))
    call(answer, model, called="kaiming_(model)")
    first, second = (numbers(layer.weight) for layer in model)
    call(answer, model, called="kaiming_(model)")
    for one, what in ((second, "two layers"), (numbers(model[0].weight), "two calls")):
        if np.array_equal(first, one):
            raise CheckFailed(
                f"{what} got the same numbers",
                called="kaiming_(model)",
                rule="every layer and every call draws new numbers",
                mistake="do not set a seed",
            )


def _check_single(answer: Callable[..., Any]) -> None:
    layer = nn.Linear(100, 100)
    called = "kaiming_(nn.Linear(100, 100))"
    got = call(answer, layer, called=called)
    found = numbers(layer.weight).std()
    if got is not layer or abs(found / 0.02**0.5 - 1) > 0.05:
        raise CheckFailed(
            "a single Linear is a model, too",
            called=called,
            got=f"standard deviation {found:.4g}",
            expected=f"standard deviation {0.02**0.5:.4g}",
            rule="modules() begins with the module itself; children() does not",
        )


def _check_deep(answer: Callable[..., Any]) -> None:
    """Check the purpose: thirty layers whose activations keep their scale."""
    layers = [part for _ in range(30) for part in (nn.Linear(64, 64), nn.ReLU())]
    model = nn.Sequential(*layers)
    call(answer, model, called="kaiming_(model), 30 layers deep")
    x = from_numpy(np.random.default_rng(5).standard_normal((50, 64)).astype("f4"))
    size = float((numbers(model(x)) ** 2).mean() ** 0.5)
    if not 0.02 < size < 50:
        raise CheckFailed(
            "thirty layers do not preserve the size of their input",
            called="kaiming_(model); model(x), 30 layers deep",
            got=f"size {size:.3g}",
            expected="size about 1",
            rule=KAIMING_RULE,
        )

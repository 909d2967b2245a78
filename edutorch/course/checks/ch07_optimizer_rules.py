"""SGD, momentum and Adam as rules for one parameter, with known mistakes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from .optimizer_steps import Drill, Follow, Rule, follow

__all__ = [
    "ADAM_MISTAKES",
    "MOMENTUM_MISTAKES",
    "SGD_MISTAKES",
    "adam",
    "momentum",
    "sgd",
]

Array = npt.NDArray[Any]
Kept = dict[str, Any]
Settings = Mapping[str, Any]


def sgd(g: Array, kept: Kept, settings: Settings) -> Array:
    """The step of SGD: lr · g."""
    return np.asarray(settings["lr"] * g)


def momentum(
    g: Array,
    kept: Kept,
    settings: Settings,
    *,
    first: float = 1.0,
    old: float | None = None,
    new: float | str = 1.0,
    late: bool = False,
    nesterov: bool = False,
    alias: bool = False,
) -> Array:
    """The step lr · velocity; keyword arguments make known mistakes.

    Args:
        g: the gradient.
        kept: the velocity.
        settings: lr and momentum.
        first: the share of the first gradient in the first velocity.
        old: in place of momentum.
        new: the share of a new gradient; "rest" is 1 - momentum.
        late: the step uses the velocity before it is updated.
        nesterov: the step looks ahead.
        alias: the first velocity is the gradient's own tensor, written over later.
    """
    mu = settings["momentum"] if old is None else old
    share = 1 - mu if new == "rest" else new
    before = kept.get("v")
    if alias and kept.get("alias"):
        before = g
    v = first * g if before is None else mu * before + share * g
    kept["alias"] = before is None
    kept["v"] = v
    used = before if late and before is not None else v
    return np.asarray(settings["lr"] * (g + mu * v if nesterov else used))


def adam(
    g: Array,
    kept: Kept,
    settings: Settings,
    *,
    corrected: tuple[bool, bool] = (True, True),
    shares: tuple[bool, bool] = (True, True),
    power: str = "",
    eps: str = "outside",
    square: str = "",
    betas: str = "",
    mean: str = "",
) -> Array:
    """The step lr · m̂ / (sqrt(v̂) + eps); keyword arguments make known mistakes.

    Args:
        g: the gradient.
        kept: the two averages, and the count.
        settings: lr, betas and eps.
        corrected: whether m and v are corrected.
        shares: whether a new gradient, and its square, count 1 - beta only.
        power: of the correction: "none", "late" or "zero", with "m" for m alone.
        eps: "inside" the root, "missing", or "no root" at all.
        square: "abs" for the gradient's size, "plain" for the gradient itself, "of m"
            for the average's square, "mean" for one square of all elements.
        betas: "fixed" or "swapped".
        mean: "gradient" in place of the average, or "newest": only signs are left.
    """
    b1, b2 = (0.9, 0.999) if betas == "fixed" else settings["betas"]
    if betas == "swapped":
        b1, b2 = b2, b1
    m = b1 * kept.get("m", 0 * g) + (1 - b1 if shares[0] else 1) * g
    others = {"abs": abs(g), "plain": g, "of m": m * m, "mean": 0 * g + (g * g).mean()}
    squared = others.get(square, g * g)
    v = b2 * kept.get("v", 0 * g) + (1 - b2 if shares[1] else 1) * squared
    t = kept.get("t", 0) + 1
    kept.update(m=m, v=v, t=t)
    t1, t2 = {
        "none": (1, 1),
        "none m": (1, t),
        "late": (t + 1, t + 1),
        "late m": (t + 1, t),
        "zero": (0, 0),
    }.get(power, (t, t))
    m = m / np.float64(1 - b1**t1) if corrected[0] else m
    v = v / np.float64(1 - b2**t2) if corrected[1] else v
    if mean:
        m = g
        v = g * g if mean == "newest" else v
    size = {
        "inside": np.sqrt(v + settings["eps"]),
        "missing": np.sqrt(v),
        "no root": v + settings["eps"],
    }.get(eps, np.sqrt(v) + settings["eps"])
    return np.asarray(settings["lr"] * m / size)


def _scaled(rule: Rule, by: float) -> Follow:
    """A mistake: the steps of a rule, scaled or with the opposite sign."""
    return partial(follow, rule=lambda g, kept, s: by * rule(g, kept, s))


def _with(rule: Rule, **settings: Any) -> Follow:
    """A mistake: fixed settings in place of the given ones."""
    return partial(follow, rule=lambda g, kept, s: rule(g, kept, {**s, **settings}))


def _until_none(drill: Drill) -> list[Array]:
    """A mistake: SGD that stops at the first parameter without a gradient."""
    cut = []
    for gradients in drill.gradients:
        none = [i for i, g in enumerate(gradients) if g is None] or [len(gradients)]
        cut.append([g if i < none[0] else None for i, g in enumerate(gradients)])
    return follow(replace(drill, gradients=cut), sgd)


def _only_first(drill: Drill) -> list[Array]:
    """A mistake: SGD on the first parameter only."""
    first = [[g[0], *[None] * (len(g) - 1)] for g in drill.gradients]
    return follow(replace(drill, gradients=first), sgd)


def _one_count(drill: Drill) -> list[Array]:
    """A mistake: Adam whose count also increases for parameters without gradient."""
    values, after = [v.astype(np.float64) for v in drill.values], []
    kept: list[Kept] = [{} for _ in values]
    for step, gradients in enumerate(drill.gradients):
        if drill.restart and step == drill.restart:
            kept = [{} for _ in values]
        for i, g in enumerate(gradients):
            if g is not None:
                kept[i]["t"] = step - (drill.restart if step >= drill.restart else 0)
                given = g.astype(np.float64)
                values[i] = values[i] - adam(given, kept[i], drill.at(step))
            after.append(values[i])
    return after


def _carried(rule: Rule) -> Follow:
    """A mistake: a new, empty state does not reset the rule."""
    return lambda drill: follow(replace(drill, restart=0), rule)


def _lost(drill: Drill) -> list[Array]:
    """A mistake: the momentum is a local variable shared by all parameters."""
    values, after = [v.astype(np.float64) for v in drill.values], []
    for step, gradients in enumerate(drill.gradients):
        kept: Kept = {}
        for i, g in enumerate(gradients):
            if g is not None:
                given = g.astype(np.float64)
                values[i] = values[i] - momentum(given, kept, drill.at(step))
            after.append(values[i])
    return after


def _with_lr(g: Array, kept: Kept, settings: Settings) -> Array:
    """A mistake: the velocity includes the learning rate of each step."""
    kept["v"] = settings["momentum"] * kept.get("v", 0) + settings["lr"] * g
    return np.asarray(kept["v"])


def _too_late(g: Array, kept: Kept, settings: Settings) -> Array:
    """A mistake: the step uses the old velocity, so the first step is 0."""
    before = kept.get("v", 0 * g)
    kept["v"] = settings["momentum"] * before + g
    return np.asarray(settings["lr"] * before)


def _early_eps(g: Array, kept: Kept, settings: Settings) -> Array:
    """A mistake: eps is added to the root of v before the bias correction."""
    adam(g, kept, settings)
    b1, b2 = settings["betas"]
    rest1, rest2 = 1 - b1 ** kept["t"], 1 - b2 ** kept["t"]
    size = (np.sqrt(kept["v"]) + settings["eps"]) / np.sqrt(rest2)
    return np.asarray(settings["lr"] * kept["m"] / rest1 / size)


def _corrected_kept(g: Array, kept: Kept, settings: Settings) -> Array:
    """A mistake: the corrected averages are stored."""
    change = adam(g, kept, settings)
    b1, b2 = settings["betas"]
    kept["m"] = kept["m"] / (1 - b1 ** kept["t"])
    kept["v"] = kept["v"] / (1 - b2 ** kept["t"])
    return change


def _times(g: Array, kept: Kept, settings: Settings) -> Array:
    """A mistake: 1 - beta · t in place of 1 - beta^t."""
    adam(g, kept, settings)
    b1, b2 = settings["betas"]
    m, v = (kept[k] / np.float64(1 - b * kept["t"]) for k, b in (("m", b1), ("v", b2)))
    return np.asarray(settings["lr"] * m / (np.sqrt(v) + settings["eps"]))


UPHILL = "uphill: the gradient points up, so subtract the step"
NO_LR = "the learning rate was ignored"
SKIPPED = "if you number the parameters, count those without a gradient, too"
IN_STATE = "something is kept outside state: a new state must start from nothing"

SGD_MISTAKES: dict[str, Follow] = {
    UPHILL: _scaled(sgd, -1),
    NO_LR: _with(sgd, lr=1.0),
    "the learning rate is fixed at 0.1, whatever lr is": _with(sgd, lr=0.1),
    "only the sign of the gradient was used, not its size": partial(
        follow, rule=lambda g, kept, s: sgd(np.sign(g), kept, s)
    ),
    "the step was divided by the length of the gradient": partial(
        follow, rule=lambda g, kept, s: sgd(g / np.linalg.norm(g), kept, s)
    ),
    "it stopped at the first parameter without a gradient": _until_none,
    "only the first parameter was moved": _only_first,
}

MOMENTUM_MISTAKES: dict[str, Follow] = {
    UPHILL: _scaled(momentum, -1),
    NO_LR: _with(momentum, lr=1.0),
    "momentum was ignored: the old velocity counts momentum times": partial(
        follow, rule=partial(momentum, old=1.0)
    ),
    "momentum is 0.9, whatever momentum is": _with(momentum, momentum=0.9),
    "this is plain SGD: the old velocity is missing": partial(follow, rule=sgd),
    "the gradient is added with its full weight, not with 1 - momentum": partial(
        follow, rule=partial(momentum, new="rest")
    ),
    "an average was kept: a gradient has its full weight, not 1 - momentum": partial(
        follow,
        rule=lambda g, kept, s: momentum(
            g, kept, s, first=1 - s["momentum"], new="rest"
        ),
    ),
    "the gradient is added to the velocity: here its sign is wrong": partial(
        follow, rule=partial(momentum, new=-1.0)
    ),
    "the gradient itself was kept, not a copy: the next one was written over it": (
        lambda drill: follow(drill, partial(momentum, alias=drill.reused))
    ),
    "the velocity begins as the gradient, not as 0": partial(
        follow, rule=partial(momentum, first=0.0)
    ),
    "the velocity begins as the gradient, not as 1 - momentum of it": partial(
        follow,
        rule=lambda g, kept, s: momentum(g, kept, s, first=1 - s["momentum"]),
    ),
    "this is Nesterov momentum, which looks a step ahead": partial(
        follow, rule=partial(momentum, nesterov=True)
    ),
    "one step late: the velocity is updated before it is used": partial(
        follow, rule=partial(momentum, late=True)
    ),
    "one step late: update the velocity, then use it": partial(follow, rule=_too_late),
    "lr is not part of the velocity: it may change from step to step": partial(
        follow, rule=_with_lr
    ),
    "the velocity is lost when the function ends: keep it in state": _lost,
    SKIPPED: partial(follow, rule=momentum, numbered=True),
    "without a gradient the velocity stays, too: here it shrank": partial(
        follow, rule=momentum, zeros=True, still=True
    ),
    "one velocity for all parameters: each has its own": partial(
        follow, rule=momentum, shared=True
    ),
    "a parameter without a gradient is skipped, and its velocity kept": partial(
        follow, rule=momentum, zeros=True
    ),
    IN_STATE: _carried(momentum),
}

ADAM_MISTAKES: dict[str, Follow] = {
    UPHILL: _scaled(adam, -1),
    NO_LR: _with(adam, lr=1.0),
    "lr is 0.001, whatever lr is": _with(adam, lr=0.001),
    "the bias correction is missing: m / (1 - β1ᵗ), v / (1 - β2ᵗ)": partial(
        follow, rule=partial(adam, corrected=(False, False))
    ),
    "correct m, too: m / (1 - β1ᵗ)": partial(
        follow, rule=partial(adam, corrected=(False, True))
    ),
    "correct v, too: v / (1 - β2ᵗ)": partial(
        follow, rule=partial(adam, corrected=(True, False))
    ),
    "m takes 1 - beta1 of the new gradient, not all of it": partial(
        follow, rule=partial(adam, shares=(False, True))
    ),
    "v takes 1 - beta2 of the new square, not all of it": partial(
        follow, rule=partial(adam, shares=(True, False))
    ),
    "eps belongs outside the root: sqrt(v) + eps": partial(
        follow, rule=partial(adam, eps="inside")
    ),
    "eps is missing: a gradient of 0 gives 0 / 0": partial(
        follow, rule=partial(adam, eps="missing")
    ),
    "the square root of v is missing": partial(
        follow, rule=partial(adam, eps="no root")
    ),
    "v averages the square of the gradient, not its size": partial(
        follow, rule=partial(adam, square="abs")
    ),
    "v averages the square of the gradient, not that of m": partial(
        follow, rule=partial(adam, square="of m")
    ),
    "each element has its own v: the squares are not averaged over them": partial(
        follow, rule=partial(adam, square="mean")
    ),
    "v averages the square of the gradient, not the gradient": partial(
        follow, rule=partial(adam, square="plain")
    ),
    "the power t is missing: 1 - βᵗ changes with the steps": partial(
        follow, rule=partial(adam, power="none")
    ),
    "the power t is missing for m: 1 - β1ᵗ changes with the steps": partial(
        follow, rule=partial(adam, power="none m")
    ),
    "the count t is 1 at the first step": partial(
        follow, rule=partial(adam, power="late")
    ),
    "the count t is 1 at the first step, for m as well as for v": partial(
        follow, rule=partial(adam, power="late m")
    ),
    "the count t stays 0, so 1 - βᵗ is 0: count the steps": partial(
        follow, rule=partial(adam, power="zero")
    ),
    "betas were ignored": partial(follow, rule=partial(adam, betas="fixed")),
    "betas are swapped: the first is for m, the second for v": partial(
        follow, rule=partial(adam, betas="swapped")
    ),
    "the step uses the gradient itself, not its average m": partial(
        follow, rule=partial(adam, mean="gradient")
    ),
    "nothing is kept: only the sign of the newest gradient is left": partial(
        follow, rule=partial(adam, mean="newest")
    ),
    "eps is added after the correction of v, not before": partial(
        follow, rule=_early_eps
    ),
    "the corrected averages were kept: keep m and v as they are": partial(
        follow, rule=_corrected_kept
    ),
    "1 - βᵗ is a power, betas[0] ** t, not a product": partial(follow, rule=_times),
    SKIPPED: partial(follow, rule=adam, numbered=True),
    "one count for all parameters: each counts its own steps": _one_count,
    "the parameters share their averages: each has its own": partial(
        follow, rule=adam, shared=True
    ),
    "a parameter without a gradient is skipped, and its averages kept": partial(
        follow, rule=adam, zeros=True
    ),
    IN_STATE: _carried(adam),
}

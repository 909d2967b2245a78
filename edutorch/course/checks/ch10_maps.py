"""Checks of chapter 10 for maps of an image: saliency, and occlusion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from edutorch import nn
from edutorch.autograd.api import grad
from edutorch.autograd.modes import no_grad
from edutorch.course.compare import call, need_function
from edutorch.course.compare_functions import compare_functions
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw
from edutorch.ops.create import from_numpy, tensor, zeros
from edutorch.random import manual_seed

from .modules import kind_of, numbers

__all__ = ["occlusion", "saliency"]

SALIENCY_RULE = "the largest |∂ score of label / ∂ pixel| over the channels"
OCCLUSION_RULE = "score of label for the whole image, minus that of the covered one"

TRAINING: Final = (
    "the model is in training mode: batch norm takes the image's statistics"
)


def _linear(channels: int, h: int, w: int, classes: int, draw: Draw) -> nn.Module:
    """Scores that are weighted sums of the pixels."""
    model = nn.Sequential(nn.Flatten(), nn.Linear(channels * h * w, classes))
    with no_grad():
        model[1].weight.copy_(draw.tensor(classes, channels * h * w))
        model[1].bias.copy_(draw.tensor(classes))
    return model.eval()


def _deep(channels: int, h: int, w: int, classes: int, draw: Draw) -> nn.Module:
    """A small convolutional network with batch norm."""
    manual_seed(draw.size(1, 10**6))
    body = nn.Sequential(nn.Conv2d(channels, 4, 3, padding=1), nn.BatchNorm2d(4))
    model = nn.Sequential(body, nn.Tanh(), nn.Flatten(), nn.Linear(4 * h * w, classes))
    with no_grad():
        body[1].running_mean.uniform_(-0.5, 0.5)
        body[1].running_var.uniform_(0.5, 1.5)
    return model.eval()


def _example() -> nn.Module:
    model = nn.Sequential(nn.Flatten(), nn.Linear(4, 2, bias=False))
    with no_grad():
        model[1].weight.copy_(tensor([[1.0, -2.0, 0.0, 3.0], [0.0, 0.0, -5.0, 0.0]]))
    return model.eval()


IMAGE: Final = tensor([[[1.0, 2.0], [3.0, 4.0]]])


def _drawn_model(draw: Draw) -> tuple[nn.Module, Any, int]:
    channels, h, w = draw.size(1, 3), draw.size(3, 4), draw.size(3, 5)
    classes = draw.size(2, 4)
    make = draw.choice((_linear, _deep))
    model = make(channels, h, w, classes, draw)
    return model, draw.tensor(channels, h, w), draw.size(0, classes - 1)


def _gradient(
    model: nn.Module, image: Any, of: Callable[[Any], Any] = lambda scores: scores
) -> Any:
    """The gradient of a function of the scores with respect to the image."""
    x = image.detach().clone().requires_grad_()
    (found,) = grad(of(model(x.unsqueeze(0))[0]).sum(), (x,))
    return found


def _in_training(right: Callable[..., Any]) -> Callable[..., Any]:
    """A mistake: training mode, so that batch norm uses the image's statistics."""
    return lambda model, *args, **more: right(model.train(), *args, **more)


def _right_saliency(model: nn.Module, image: Any, label: int) -> Any:
    return _gradient(model, image, lambda s: s[label]).abs().amax(dim=0)


def _saliency_of(of: Callable[[Any, int], Any]) -> Callable[..., Any]:
    """A mistake: the saliency of something other than the score of the label."""

    def made(model: nn.Module, image: Any, label: int) -> Any:
        return _gradient(model, image, lambda s: of(s, label)).abs().amax(dim=0)

    return made


def _saliency_by(measure: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """A mistake: another function of the right gradient and the image."""

    def made(model: nn.Module, image: Any, label: int) -> Any:
        return measure(_gradient(model, image, lambda s: s[label]), image)

    return made


_SALIENCY_MISTAKES: Final = {
    "the sign does not count: take the absolute value": _saliency_by(
        lambda g, _: g.amax(dim=0)
    ),
    "a sum over the channels, not the largest": _saliency_by(
        lambda g, _: g.abs().sum(dim=0)
    ),
    "a mean over the channels, not the largest": _saliency_by(
        lambda g, _: g.abs().mean(dim=0)
    ),
    "absolute values come first, then the channels": _saliency_by(
        lambda g, _: g.sum(dim=0).abs()
    ),
    "absolute values come first, then the largest": _saliency_by(
        lambda g, _: g.amax(dim=0).abs()
    ),
    "only the first channel counts": _saliency_by(lambda g, _: g[0].abs()),
    "the gradient alone, not times the image": _saliency_by(
        lambda g, x: (g * x).abs().amax(dim=0)
    ),
    "absolute values, not squares": _saliency_by(lambda g, _: (g**2).amax(dim=0)),
    "the gradient as it is, not divided by its largest": _saliency_by(
        lambda g, _: g.abs().amax(dim=0) / g.abs().max()
    ),
    "a map (h, w): take the largest over the channels": _saliency_by(
        lambda g, _: g.abs()
    ),
    "a map (h, w), without a dimension for the channel": _saliency_by(
        lambda g, _: g.abs().amax(dim=0, keepdim=True)
    ),
    "the largest over the channels, not the smallest": _saliency_by(
        lambda g, _: g.abs().amin(dim=0)
    ),
    "the largest over the channels, not the length": _saliency_by(
        lambda g, _: g.norm(dim=0)
    ),
    "the largest over the channels, dim 0": _saliency_by(
        lambda g, _: g.abs().amax(dim=-1)
    ),
    "the score itself, not its probability": _saliency_of(lambda s, i: s.softmax(0)[i]),
    "the score itself, not the loss": _saliency_of(lambda s, i: -s.log_softmax(0)[i]),
    "the score of label, not the largest one": _saliency_of(lambda s, _: s.max()),
    "the score of label, not all scores together": _saliency_of(lambda s, _: s),
    "the argument label is ignored: this is class 0": _saliency_of(lambda s, _: s[0]),
    "classes count from 0: this is the one before label": _saliency_of(
        lambda s, i: s[i - 1]
    ),
    TRAINING: _in_training(_right_saliency),
}


def saliency(answer: Any) -> None:
    """10.3: the gradient of a score with respect to the image."""
    answer = need_function(answer, "saliency")
    draw = Draw((103,))
    compare_functions(
        answer,
        "saliency",
        right=_right_saliency,
        shown=(
            (_example(), IMAGE, 0),
            (_example(), IMAGE, 1),
            (_linear(3, 4, 2, 3, draw), draw.tensor(3, 4, 2), 2),
            (_deep(2, 3, 5, 4, draw), draw.tensor(2, 3, 5), 1),
            (_deep(1, 4, 4, 3, draw), draw.tensor(1, 4, 4), 0),
        ),
        fresh=_drawn_model,
        rule=SALIENCY_RULE,
        mistakes=_SALIENCY_MISTAKES,
        returns="tensor",
    )
    _check_leaves_all(answer, "saliency", ())


def _covered(
    model: nn.Module,
    image: Any,
    label: int,
    size: int,
    value: float = 0.0,
    *,
    of: Callable[[Any, int], Any] = lambda s, i: s[i],
    keep: bool = False,
    channels: slice = slice(None),
    side: Callable[[int], int] = lambda size: size,
) -> tuple[Any, Any]:
    """The scores of the label, for the whole image and for each occluded one."""
    _, h, w = image.shape
    found = zeros(h - size + 1, w - size + 1)
    image = image.clone()
    with no_grad():
        whole = of(model(image.unsqueeze(0))[0], label)
        for i in range(h - size + 1):
            for j in range(w - size + 1):
                x = image if keep else image.clone()
                x[channels, i : i + side(size), j : j + side(size)] = value
                found[i, j] = of(model(x.unsqueeze(0))[0], label)
    return whole, found


def _right_occlusion(*args: Any, **more: Any) -> Any:
    whole, found = _covered(*args, **more)
    return whole - found


def _occlusion_by(
    measure: Callable[[Any, Any], Any], **more: Any
) -> Callable[..., Any]:
    def made(*args: Any, **given: Any) -> Any:
        return measure(*_covered(*args, **{**given, **more}))

    return made


def _fall(whole: Any, found: Any) -> Any:
    return whole - found


def _always_zero(*args: Any, **given: Any) -> Any:
    return _right_occlusion(*args[:4])


def _apart(
    model: nn.Module, image: Any, label: int, size: int, value: float = 0
) -> Any:
    return _right_occlusion(model, image, label, size, value)[::size, ::size]


def _covered_by(cover: Callable[[Any, Any, float], Any]) -> Callable[..., Any]:
    """A mistake: another occluded image, from the image, a mask and the value."""

    def made(
        model: nn.Module, image: Any, label: int, size: int, value: float = 0.0
    ) -> Any:
        _, h, w = image.shape
        found = zeros(h - size + 1, w - size + 1)
        with no_grad():
            whole = model(image.unsqueeze(0))[0, label]
            for i in range(h - size + 1):
                for j in range(w - size + 1):
                    mask = image * 0
                    mask[:, i : i + size, j : j + size] = 1
                    x = cover(image, mask, value)
                    found[i, j] = whole - model(x.unsqueeze(0))[0, label]
        return found

    return made


_around = _covered_by(lambda x, mask, value: x * mask + value * (1 - mask))
_multiplied = _covered_by(lambda x, mask, value: x * (1 - mask) + value * x * mask)


_OCCLUSION_MISTAKES: Final = {
    "the wrong way round: the score of the whole image comes first": _occlusion_by(
        lambda whole, found: found - whole
    ),
    "this is the score that is left, not how much it fell": _occlusion_by(
        lambda _, found: found
    ),
    "the score may also rise: no absolute value": _occlusion_by(
        lambda whole, found: (whole - found).abs()
    ),
    "the score may also rise: keep negative numbers": _occlusion_by(
        lambda whole, found: (whole - found).clamp(min=0)
    ),
    "a difference, not divided by the score": _occlusion_by(
        lambda whole, found: (whole - found) / whole
    ),
    "earlier squares are still covered: start with a fresh copy": _occlusion_by(
        _fall, keep=True
    ),
    "every channel is covered, not only the first": _occlusion_by(
        _fall, channels=slice(0, 1)
    ),
    "the score itself, not its probability": _occlusion_by(
        _fall, of=lambda s, i: s.softmax(0)[i]
    ),
    "the score itself, not its logarithmic probability": _occlusion_by(
        _fall, of=lambda s, i: s.log_softmax(0)[i]
    ),
    "the score of label, not the largest one": _occlusion_by(
        _fall, of=lambda s, _: s.max()
    ),
    "the argument label is ignored: this is class 0": _occlusion_by(
        _fall, of=lambda s, _: s[0]
    ),
    "the argument value is ignored": _always_zero,
    "only one pixel is covered, not size × size": _occlusion_by(
        _fall, side=lambda _: 1
    ),
    "the square is one pixel too large: i : i + size has size rows": _occlusion_by(
        _fall, side=lambda size: size + 1
    ),
    "the square moves by one pixel, not by its size": _apart,
    "the square is covered, not what is around it": _around,
    "the square is set to value, not multiplied by it": _multiplied,
    "there are h - size + 1 places below each other: one is missing": lambda *args: (
        _right_occlusion(*args)[:-1, :-1]
    ),
    TRAINING: _in_training(_right_occlusion),
}


def _drawn_cover(draw: Draw) -> tuple[Any, ...]:
    model, image, label = _drawn_model(draw)
    return model, image, label, draw.size(1, 3), draw.number()


def occlusion(answer: Any) -> None:
    """10.4: how far a score falls when a part of the image is covered."""
    answer = need_function(answer, "occlusion")
    draw = Draw((104,))
    small = draw.tensor(1, 3, 3)
    compare_functions(
        answer,
        "occlusion",
        right=_right_occlusion,
        shown=(
            (_example(), IMAGE, 0, 1),
            (_example(), IMAGE, 1, 2),
            (_linear(3, 4, 3, 3, draw), draw.tensor(3, 4, 3), 2, 2),
            (_deep(2, 3, 5, 4, draw), draw.tensor(2, 3, 5), 1, 3, 0.5),
            (_deep(1, 3, 3, 3, draw), small, 0, 1, -1.0),
            (_deep(1, 3, 3, 3, draw), small, 2, 3, 1.0),
        ),
        fresh=_drawn_cover,
        rule=OCCLUSION_RULE,
        mistakes=_OCCLUSION_MISTAKES,
        returns="tensor",
        tolerance=1e-4,
        rounds=4,
    )
    _check_leaves_all(answer, "occlusion", (2, 0.0))


def _check_leaves_all(
    answer: Callable[..., Any], name: str, more: tuple[Any, ...]
) -> None:
    """Check that the model and the image are left unchanged."""
    model = _deep(1, 4, 5, 3, Draw((105,)))
    image = from_numpy(np.ones((1, 4, 5), dtype=np.float32))
    for p in model.parameters():
        p.grad = p.detach().clone()
    before = {n: numbers(p.grad) for n, p in model.named_parameters()}
    called = f"{name}(model, image, 1{''.join(f', {v}' for v in more)})"
    got = call(answer, model, image, 1, *more, called=called)
    for n, p in model.named_parameters():
        same = p.grad is not None and np.array_equal(numbers(p.grad), before[n])
        if not same or not p.requires_grad:
            raise CheckFailed(
                "the map is right, but the model was changed",
                called=f"{called}; then {n}.grad",
                got="None" if p.grad is None else "a different gradient than before",
                expected="the gradient it had",
                rule="looking into a model must not disturb its training",
                mistake="backward() adds to every parameter's .grad, and zero_grad() "
                "deletes them: torch.autograd.grad(score, x) does neither",
            )
    if image.requires_grad or image.grad is not None:
        raise CheckFailed(
            "the map is right, but the image now requires a gradient",
            called=f"{called}; image.requires_grad",
            got=str(image.requires_grad),
            expected="False",
            mistake="requires_grad_ acts in place: on image.detach().clone()",
            rule="a function must not change its arguments",
        )
    if any(module.training for module in model.modules()):
        raise CheckFailed(
            "the map is right, but the model is in training mode now",
            called=f"{called}; model.training",
            rule="a function must not change its arguments",
        )
    if got.requires_grad:
        raise CheckFailed(
            "the map is right, but it keeps the whole graph alive",
            called=f"{called}.requires_grad",
            got="True",
            expected="False",
            rule="a map needs no history",
            mistake="compute inside torch.no_grad(), or detach() the result",
        )
    _check_evaluation(model, kind_of(got))


def _check_evaluation(model: nn.Module, got: str) -> None:
    (norm,) = (m for m in model.modules() if isinstance(m, nn.BatchNorm2d))
    tracked = int(norm.num_batches_tracked)
    if tracked:
        raise CheckFailed(
            "the map is right, but batch norm counted its images",
            got=f"{got}, after {tracked} batches in training mode",
            rule="the model must stay in evaluation mode",
        )

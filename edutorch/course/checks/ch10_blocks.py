"""The check of chapter 10 for the residual block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from edutorch import nn
from edutorch.autograd.modes import no_grad
from edutorch.course.compare import call, compare
from edutorch.course.failure import CheckFailed
from edutorch.nn import functional as F
from edutorch.ops.create import from_numpy
from edutorch.random import manual_seed

from .modules import kind_of, made, need_module_class, need_result, numbers, unchanged

__all__ = ["residual_block"]

Array = npt.NDArray[Any]
RULE = "relu(norm2(conv2(relu(norm1(conv1(x))))) + skip(x))"
SIZES: Final = ((4, 4, 1), (3, 6, 1), (4, 4, 2), (2, 5, 2), (3, 3, 1))
TRAINING = "{}(x), in training"
EVALUATION = "{}(x), in evaluation"


def residual_block(answer: Any) -> None:
    """10.2: two convolutions and a skip connection."""
    need_module_class(answer, "ResidualBlock", ())
    manual_seed(102)
    blocks = []
    for sizes in SIZES:
        called = f"ResidualBlock{sizes}"
        block = made(answer, sizes, called)
        _check_parts(block, *sizes, called)
        _randomize(block)
        blocks.append((block, called))
    _check_default(answer)
    for mode, words in ((True, TRAINING), (False, EVALUATION)):
        outcomes = [_outcome(b, words.format(c), mode) for b, c in blocks]
        _compare_outcomes([b for b, _ in blocks], outcomes, mode)
    for block, called in blocks:
        _check_statistics(block, called)
        _check_gradients(block, called)


def _check_default(answer: Callable[..., Any]) -> None:
    called = "ResidualBlock(4, 4)"
    _check_parts(made(answer, (4, 4), called), 4, 4, 1, called)


def _check_parts(
    block: Any, inputs: int, outputs: int, stride: int, called: str
) -> None:
    _check_conv(block, "conv1", (outputs, inputs, 3, 3), stride, called)
    _check_conv(block, "conv2", (outputs, outputs, 3, 3), 1, called)
    for name in ("norm1", "norm2"):
        _need(block, name, nn.BatchNorm2d, called)
        _same(
            getattr(block, name).num_features, outputs, f"{called}.{name}", "channels"
        )
    if block.norm1 is block.norm2:
        raise CheckFailed(
            "norm1 and norm2 are one batch norm",
            called=called,
            rule="each has its own statistics",
        )
    changes = stride != 1 or inputs != outputs
    _check_skip(block, (outputs, inputs, 1, 1) if changes else None, stride, called)


def _need(block: Any, name: str, kind: type, called: str) -> None:
    value = getattr(block, name, None)
    if not isinstance(value, kind):
        raise CheckFailed(
            f"{name} is not a {kind.__name__}",
            called=called,
            got=f"self.{name} is {kind_of(value)}",
            expected=f"self.{name} = nn.{kind.__name__}(...)",
            rule=RULE,
        )


def _check_conv(
    block: Any, name: str, shape: tuple[int, ...], stride: int, called: str
) -> None:
    _need(block, name, nn.Conv2d, called)
    conv = getattr(block, name)
    where = f"{called}.{name}"
    if conv.bias is not None:
        raise CheckFailed(
            "there is a bias, which batch norm subtracts again",
            called=where,
            expected="bias=False",
            rule="a convolution before batch norm has no bias",
        )
    _same(tuple(conv.weight.shape), shape, where, "the shape of the weight")
    wrong = ""
    if name == "conv2" and tuple(conv.stride) == (2, 2):
        wrong = "only the first convolution and the skip have the stride"
    _same(tuple(conv.stride), (stride, stride), where, "stride", wrong)
    size = shape[-1] // 2
    wrong = "without a border of zeros the image shrinks: padding=1" if size else ""
    _same(tuple(conv.padding), (size, size), where, "padding", wrong)


def _same(got: Any, want: Any, where: str, what: str, mistake: str = "") -> None:
    if got != want:
        raise CheckFailed(
            f"{what}: not what it should be",
            called=where,
            got=str(got),
            expected=str(want),
            rule=RULE,
            mistake=mistake,
        )


def _skip_parts(block: Any) -> tuple[list[Any], list[Any]]:
    """Convolutions and batch norms other than the four on the main path."""
    own = {id(getattr(block, n)) for n in ("conv1", "conv2", "norm1", "norm2")}
    others = [m for m in block.modules() if id(m) not in own]
    convs = [m for m in others if isinstance(m, nn.Conv2d)]
    return convs, [m for m in others if isinstance(m, nn.BatchNorm2d)]


def _check_skip(
    block: Any, shape: tuple[int, ...] | None, stride: int, called: str
) -> None:
    convs, norms = _skip_parts(block)
    if shape is None and (convs or norms):
        raise CheckFailed(
            "a skip that changes no shape has no layers",
            called=called,
            got=f"{len(convs)} convolutions, {len(norms)} batch norms besides",
            expected="x itself is added",
            rule="a 1 × 1 convolution only where stride or channels change",
        )
    if shape is None:
        return
    if len(convs) != 1 or len(norms) != 1:
        raise CheckFailed(
            "the skip is one 1 × 1 convolution and one batch norm",
            called=called,
            got=f"{len(convs)} convolutions, {len(norms)} batch norms besides",
            expected="1 convolution, 1 batch norm",
            rule="where the shape changes, skip(x) must have the new shape",
            mistake="a stride of 2 changes the shape even if the channels are equal"
            if shape[0] == shape[1] and not convs
            else "",
        )
    conv = convs[0]
    _same(tuple(conv.weight.shape), shape, f"{called}.skip", "the shape of the weight")
    _same(tuple(conv.stride), (stride, stride), f"{called}.skip", "stride")
    _same(tuple(conv.padding), (0, 0), f"{called}.skip", "padding",
          "a 1 × 1 kernel needs no border")  # fmt: skip
    if conv.bias is not None:
        raise CheckFailed(
            "there is a bias, which batch norm subtracts again",
            called=f"{called}.skip",
            expected="bias=False",
        )


def _randomize(block: Any) -> None:
    """Randomise all parameters and statistics: ones and zeros would hide mistakes."""
    with no_grad():
        for module in block.modules():
            if isinstance(module, nn.BatchNorm2d):
                module.weight.uniform_(0.5, 1.5)
                module.bias.uniform_(-0.5, 0.5)
                module.running_mean.uniform_(-0.3, 0.3)
                module.running_var.uniform_(0.5, 1.5)


def _input(block: Any) -> Any:
    rng = np.random.default_rng(block.conv1.in_channels)
    shape = (3, block.conv1.in_channels, 6, 5)
    return from_numpy(rng.standard_normal(shape).astype(np.float32))


def _outcome(block: Any, called: str, training: bool) -> tuple[str, Any, Array]:
    """The block's result for an input and the right one, from the same state."""
    x = _input(block)
    before = numbers(x)
    state = {name: t.clone() for name, t in block.state_dict().items()}
    want = _right(block, x, training)
    block.load_state_dict(state)
    got = call(block.train(training), x, called=called, rule=RULE)
    need_result(got, called=called, rule=RULE)
    unchanged(x, before, called)
    block.load_state_dict(state)
    return called, got, want


def _norm(norm: Any, y: Any, training: bool) -> Any:
    mean, var = norm.running_mean.clone(), norm.running_var.clone()
    return F.batch_norm(y, mean, var, norm.weight, norm.bias, training, 0.1, norm.eps)


def _ways(block: Any, x: Any, training: bool, first: bool = True) -> tuple[Any, Any]:
    """The two terms of the sum."""
    y = _norm(block.norm1, F.conv2d(x, block.conv1.weight, None,
                                    block.conv1.stride, 1), training)  # fmt: skip
    y = F.relu(y) if first else y
    y = _norm(block.norm2, F.conv2d(y, block.conv2.weight, None, 1, 1), training)
    convs, norms = _skip_parts(block)
    if not convs:
        return y, x
    shortcut = F.conv2d(x, convs[0].weight, None, convs[0].stride)
    return y, _norm(norms[0], shortcut, training)


def _right(block: Any, x: Any, training: bool) -> Array:
    y, shortcut = _ways(block, x, training)
    return numbers(F.relu(y + shortcut))


def _wrong(block: Any, x: Any, training: bool) -> dict[str, Array]:
    y, shortcut = _ways(block, x, training)
    bent, _ = _ways(block, x, training, first=False)
    found = {
        "the skip is not added": F.relu(y),
        "relu comes after the sum, not before it": F.relu(y) + shortcut,
        "relu is missing after the sum": y + shortcut,
        "relu is missing between the convolutions": F.relu(bent + shortcut),
        "both relus are missing": bent + shortcut,
        "there is only the relu after norm1, and nothing is added": y,
        "the skip is subtracted": F.relu(y - shortcut),
        "the skip is added twice": F.relu(y + 2 * shortcut),
        "the two paths are added, not multiplied": F.relu(y * shortcut),
        "only the skip is left: the convolutions are not added": F.relu(shortcut),
        "relu comes after the sum: the skip needs none": F.relu(y + F.relu(shortcut)),
        "both parts go through relu before the sum": F.relu(y) + F.relu(shortcut),
        "the input is changed before it is added: keep x": F.relu(y + y),
    }
    return {words: numbers(value) for words, value in found.items()}


def _compare_outcomes(
    blocks: list[Any], outcomes: list[tuple[str, Any, Array]], training: bool
) -> None:
    mistake = _mistake(blocks, outcomes, training)
    for called, got, want in outcomes:
        try:
            compare(got, want, called=called, rule=RULE, tolerance=1e-4)
        except CheckFailed as failure:
            failure.mistake = mistake or failure.mistake
            raise


def _mistake(
    blocks: list[Any], outcomes: list[tuple[str, Any, Array]], training: bool
) -> str:
    """The only mistake that explains the results of all blocks."""
    made_ = [_wrong(block, _input(block), training) for block in blocks]
    fits = [
        words
        for words in made_[0]
        if all(
            _near(got, wrong[words])
            for (_, got, _), wrong in zip(outcomes, made_, strict=True)
        )
    ]
    return fits[0] if len(fits) == 1 else ""


def _near(got: Any, want: Array) -> bool:
    return tuple(got.shape) == want.shape and np.allclose(
        numbers(got), want, rtol=1e-4, atol=1e-4
    )


def _check_statistics(block: Any, called: str) -> None:
    """Check that each batch norm has seen its own input, once."""
    norms = [block.norm1, block.norm2, *_skip_parts(block)[1]]
    names = ["norm1", "norm2", "the skip's batch norm"]
    for norm in norms:
        norm.num_batches_tracked.zero_()
    block.train()
    block(_input(block))
    for name, norm in zip(names, norms, strict=False):
        count = int(norm.num_batches_tracked)
        if count != 1:
            raise CheckFailed(
                f"{name} ran {count} times",
                called=TRAINING.format(called),
                expected="once",
                rule=RULE,
            )


def _check_gradients(block: Any, called: str) -> None:
    """Check that every parameter gets a gradient, and x through the skip connection."""
    x = _input(block).requires_grad_()
    block.zero_grad()
    block.eval()
    y = call(block, x, called=called)
    if not y.requires_grad:
        raise CheckFailed("the result has no history", called=called, rule=RULE)
    y.sum().backward()
    for name, p in block.named_parameters():
        if p.grad is None:
            raise CheckFailed(
                f"{name} gets no gradient", called=f"{called}(x).sum().backward()"
            )
    got, z = numbers(x.grad), x.detach().clone().requires_grad_()
    want, shortcut = _ways(block, z, False)
    F.relu(want + shortcut).sum().backward()
    compare(
        got,
        numbers(z.grad),
        called=f"{called}(x).sum().backward(); x.grad",
        mistake="the gradient of a sum takes both paths: through the layers, and "
        "past them",
        tolerance=1e-4,
    )

"""Checks of chapter 5 for layers: Linear and Dropout."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from edutorch import nn
from edutorch.autograd.modes import no_grad
from edutorch.course.compare import call, compare
from edutorch.course.failure import CheckFailed
from edutorch.ops.create import from_numpy
from edutorch.random import manual_seed

from .modules import (
    attribute_of,
    compare_tensor,
    made,
    need_module_class,
    need_result,
    numbers,
    refuse,
    unchanged,
    watched_ops,
    why_missing,
)

__all__ = ["dropout", "linear"]

Array = npt.NDArray[Any]

LINEAR_RULE = "y = x Wᵀ + b"
DRAWN_RULE = "uniformly between -1/√inputs and 1/√inputs"
DROPOUT_RULE = "in training 0 with probability p, else x / (1 - p); in evaluation x"
SHARES = (0.25, 0.5, 0.9)
MANY = np.linspace(1, 2, 10000, dtype=np.float32).reshape(100, 100)
LINEARS = (nn.Linear, nn.Bilinear)
DROPOUTS = (nn.Dropout, nn.Dropout1d, nn.AlphaDropout, nn.FeatureAlphaDropout)


def linear(answer: Any) -> None:
    """05.1: a linear layer."""
    need_module_class(answer, "Linear", LINEARS)
    manual_seed(51)
    with watched_ops("linear") as used:
        for inputs, outputs in ((6, 4), (100, 50), (25, 400), (400, 30)):
            called = f"Linear({inputs}, {outputs})"
            layer = made(answer, (inputs, outputs), called, LINEARS)
            _check_parameters(layer, inputs, outputs, called)
            if inputs * outputs > 100:
                _check_drawn(layer.weight, inputs, outputs, f"{called}.weight")
            if outputs > 100:
                _check_drawn(layer.bias, inputs, outputs, f"{called}.bias")
        _check_fresh_draw(answer)
        _check_linear_forward(answer)
        _check_no_bias(answer)
        _check_linear_gradient(answer)
    refuse(used, "F.{}", "a product and a sum, written by you")


def _check_parameters(layer: Any, inputs: int, outputs: int, called: str) -> None:
    names = [name for name, _ in layer.named_parameters()]
    for name, shape in (("weight", (outputs, inputs)), ("bias", (outputs,))):
        value = getattr(layer, name, None)
        if not isinstance(value, nn.Parameter):
            raise CheckFailed(
                f"{name} is not a parameter",
                called=called,
                got=f"{attribute_of(layer, name)}; parameters: {names}",
                expected="weight and bias, both nn.Parameter",
                rule="parameters() finds the attributes that are an nn.Parameter",
                mistake="a plain tensor is not trained: wrap it"
                if hasattr(value, "detach")
                else why_missing(layer, name),
            )
        if tuple(value.shape) != shape:
            transposed = name == "weight" and tuple(value.shape) == shape[::-1]
            raise CheckFailed(
                f"the shape of {name} is not right",
                called=called,
                got=f"shape {tuple(value.shape)}",
                expected=f"shape {shape}",
                rule="a row of the weight per output, a column per input; "
                "a number of the bias per output",
                mistake="inputs and outputs are swapped" if transposed else "",
            )
    if sorted(names) != ["bias", "weight"]:
        raise CheckFailed(
            "it keeps other parameters as well",
            called=called,
            got=str(names),
            expected="['weight', 'bias']",
        )


def _check_drawn(value: Any, inputs: int, outputs: int, called: str) -> None:
    drawn, bound = numbers(value), inputs**-0.5
    low, high = float(drawn.min()), float(drawn.max())
    inside = -bound * 1.000001 <= low < -0.95 * bound
    inside = inside and 0.95 * bound < high <= bound * 1.000001
    if inside and abs(drawn.std() / bound - 3**-0.5) < 0.05:
        return
    raise CheckFailed(
        "the numbers do not have the right distribution",
        called=called,
        got=f"from {low:.4g} to {high:.4g}",
        expected=f"evenly from {-bound:.4g} to {bound:.4g}",
        rule=DRAWN_RULE,
        mistake=_drawn_mistake(drawn, inputs, outputs),
    )


def _drawn_mistake(drawn: Array, inputs: int, outputs: int) -> str:
    """The wrong initialisation implied by the range of a large sample."""
    low, high = float(drawn.min()), float(drawn.max())
    if low == high:
        return "all numbers are equal: neurons that start equal stay equal"
    if low > -0.05 * high:
        return "rand is between 0 and 1: the negative half is missing"
    largest = max(-low, high)
    if drawn.std() / largest < 0.45:
        return "that is a normal distribution; use uniform_"
    for bound, words in (
        (1 / inputs, "the square root is missing: 1/√inputs"),
        (outputs**-0.5, "the bound follows from the inputs, not from the outputs"),
        (1.0, "the numbers are not scaled by 1/√inputs"),
        ((3 / inputs) ** 0.5, "1/√inputs is the bound, not the standard deviation"),
        ((6 / inputs) ** 0.5, "that is Kaiming's bound: nn.Linear has 1/√inputs"),
        ((6 / (inputs + outputs)) ** 0.5, "that is Xavier's bound, not 1/√inputs"),
        (inputs**0.5, "divide by √inputs, do not multiply"),
        (0.5 * inputs**-0.5, "the range from -bound to bound is twice as wide"),
    ):
        if abs(largest / bound - 1) < 0.06:
            return words
    return ""


def _check_fresh_draw(answer: Any) -> None:
    first, second = (made(answer, (5, 3), "Linear(5, 3)") for _ in range(2))
    if np.array_equal(numbers(first.weight), numbers(second.weight)):
        raise CheckFailed(
            "two layers start with the same weights",
            called="Linear(5, 3).weight, twice",
            rule="each layer draws its own numbers",
            mistake="draw in __init__, and do not set a seed",
        )


def _check_linear_forward(answer: Any) -> None:
    draw = np.random.default_rng(51)
    sizes = ((3, 3, (2,)), (4, 2, (5,)), (2, 2, ()), (1, 1, (3,)), (3, 4, (2, 3)))
    for inputs, outputs, batch in (*sizes, (3, 2, (0,))):
        layer = made(answer, (inputs, outputs), f"Linear({inputs}, {outputs})")
        w = draw.standard_normal((outputs, inputs)).astype(np.float32)
        b = draw.standard_normal(outputs).astype(np.float32)
        x = draw.standard_normal((*batch, inputs)).astype(np.float32)
        with no_grad():
            layer.weight.copy_(from_numpy(w))
            layer.bias.copy_(from_numpy(b))
        called = f"Linear({inputs}, {outputs})(x), x of shape {x.shape}"
        want, given = x @ w.T + b, from_numpy(x.copy())
        wrong = {
            "the bias is missing": x @ w.T,
            "the bias counts twice": want + b,
            "the bias is subtracted": x @ w.T - b,
        }
        if inputs == outputs:
            wrong["the weight is not transposed: x Wᵀ"] = x @ w + b
        got = call(layer, given, called=called, rule=LINEAR_RULE, want=want)
        if not np.array_equal(layer.weight.detach().numpy(), w):
            raise CheckFailed(
                "forward changed the weight",
                called=f"{called}; then the weight",
                rule="__init__ draws the numbers, once; forward only uses them",
            )
        compare_tensor(got, want, called=called, rule=LINEAR_RULE, wrong=wrong)
        again = call(layer, given, called=called, rule=LINEAR_RULE)
        compare(again, want, called=f"{called}; the second call", rule=LINEAR_RULE)
        unchanged(given, x, called)


def _check_no_bias(answer: Any) -> None:
    called = "Linear(3, 2, bias=False)"
    layer = made(answer, (3, 2), called, bias=False)
    names = [name for name, _ in layer.named_parameters()]
    if names != ["weight"] or getattr(layer, "bias", "missing") is not None:
        raise CheckFailed(
            "self.bias is not None" if names == ["weight"] else "there is a bias",
            called=called,
            got=f"parameters {names}, {attribute_of(layer, 'bias')}",
            expected="parameters ['weight'], self.bias is None",
            rule="bias=False: no bias at all",
            mistake="the argument bias is ignored"
            if "bias" in names
            else why_missing(layer, "bias", "None"),
        )
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    rule = "without a bias: y = x Wᵀ"
    want = x @ layer.weight.detach().numpy().T
    got = call(layer, from_numpy(x), called=f"{called}(x)", rule=rule, want=want)
    compare_tensor(got, want, called=f"{called}(x)", rule=rule)


def _check_linear_gradient(answer: Any) -> None:
    layer = made(answer, (3, 2), "Linear(3, 2)")
    x = from_numpy(np.arange(6, dtype=np.float32).reshape(2, 3)).requires_grad_()
    y = call(layer, x, called="Linear(3, 2)(x)", rule=LINEAR_RULE)
    need_result(y, called="Linear(3, 2)(x)", rule=LINEAR_RULE)
    if y.requires_grad:
        y.sum().backward()
    for name, tensor in (("weight", layer.weight), ("bias", layer.bias), ("x", x)):
        if tensor.grad is None:
            raise CheckFailed(
                f"{name} gets no gradient",
                called="Linear(3, 2)(x).sum().backward()",
                rule="forward computes with the parameters themselves",
                mistake="no detach, .data or no_grad in forward",
            )


def dropout(answer: Any) -> None:
    """05.6: dropout, in training and in evaluation."""
    need_module_class(answer, "Dropout", DROPOUTS)
    manual_seed(56)
    with watched_ops("dropout") as used:
        layers = [(p, made(answer, (p,), f"Dropout({p})", DROPOUTS)) for p in SHARES]
        for p, layer in layers:
            _check_values(layer, p)
        _check_independent(answer)
        for p, layer in layers:
            _check_share(layer, p)
        _check_default(answer)
        _check_evaluation(answer)
        _check_ends(answer)
        _check_dropout_gradient(answer)
    refuse(used, "F.{}", "a mask, drawn by you")


def _check_values(layer: Any, p: float) -> None:
    """Check the zeros in training, and the values of the other elements."""
    called = f"Dropout({p})(x), x of shape (100, 100), in training"
    given = from_numpy(MANY.copy())
    got = call(layer, given, called=called, rule=DROPOUT_RULE)
    need_result(got, called=called, rule=DROPOUT_RULE)
    if not layer.training:
        raise CheckFailed(
            "forward changed the mode of the module",
            called=f"{called}; then its training",
            got="False",
            expected="True",
            rule="train() and eval() set the mode; forward only reads it",
        )
    zero = numbers(got) == 0 if tuple(got.shape) == MANY.shape else np.array(True)
    if not zero.any():
        same = np.array_equal(numbers(got), MANY)
        mode = "train() sets self.training to True, eval() to False"
        raise CheckFailed(
            "nothing is dropped in training",
            called=called,
            rule=DROPOUT_RULE,
            mistake=mode if same else "draw one number for each of x, with x's shape",
        )
    wrong = {
        "the numbers that stay are divided by 1 - p": np.where(zero, 0, MANY),
        "divide by 1 - p, do not multiply": np.where(zero, 0, MANY * (1 - p)),
    }
    if p != 0.5:
        words = "divided by p: it is 1 - p that stays"
        wrong[words] = np.where(zero, 0, MANY / p)
        wrong["p is an argument: here it is always 0.5"] = np.where(zero, 0, 2 * MANY)
    want = np.where(zero, 0, MANY / (1 - p))
    compare_tensor(
        got, want, called=called, rule=DROPOUT_RULE, tolerance=1e-4, wrong=wrong
    )
    unchanged(given, MANY, called)


def _check_share(layer: Any, p: float) -> None:
    """Check that the share of zeros in a sample is within 5 standard deviations."""
    got = layer(from_numpy(MANY.copy()))
    share = float((numbers(got) == 0).mean())
    if abs(share - p) <= 5 * (p * (1 - p) / MANY.size) ** 0.5:
        return
    drawn = {
        "p is the probability to become 0, not to stay": 1 - p,
        "randn is normally distributed; rand is uniform from 0 to 1": _below(p),
        "p is ignored: half of the numbers are dropped": 0.5,
    }
    near = [words for words, other in drawn.items() if abs(share - other) < 0.03]
    raise CheckFailed(
        "the share of zeros is not right",
        called=f"Dropout({p})(x), x of shape (100, 100), in training",
        got=f"{share:.1%} zeros",
        expected=f"{p:.0%} zeros",
        rule=DROPOUT_RULE,
        mistake=near[0] if near else "",
    )


def _below(p: float) -> float:
    """The probability that a normal number is less than p."""
    return (1 + math.erf(p / 2**0.5)) / 2


def _check_default(answer: Any) -> None:
    layer = made(answer, (), "Dropout()")
    ones = from_numpy(np.ones(2000, dtype=np.float32))
    got = call(layer, ones, called="Dropout()(x)")
    need_result(got, called="Dropout()(x)")
    share = float((numbers(got) == 0).mean())
    if abs(share - 0.5) > 0.06:
        raise CheckFailed(
            "the default of p is not 0.5",
            called="Dropout()(x)",
            got=f"{share:.0%} zeros",
            expected="50% zeros",
            rule="p=0.5 in the signature",
        )


def _check_independent(answer: Any) -> None:
    layer = made(answer, (0.5,), "Dropout(0.5)")
    x = from_numpy(np.ones((40, 50), dtype=np.float32))
    called = "Dropout(0.5)(x)"
    first, second = (numbers(call(layer, x, called=called)) == 0 for _ in range(2))
    if np.array_equal(first, second):
        raise CheckFailed(
            "two calls drop the same numbers",
            called=f"{called}, twice",
            rule="a new mask in every call",
            mistake="draw the mask in forward, and do not set a seed",
        )
    for axis, what in ((1, "row"), (0, "column")):
        spread = first.mean(axis=axis).std()
        if spread > 0.3:  # 0.08 if elements are independent, 0.5 if dropped together
            raise CheckFailed(
                f"a whole {what} is dropped at once",
                called=called,
                rule="each number independently",
                mistake="the mask has x's shape: rand(x.shape)",
            )
    if first.mean(axis=1).std() < 0.02:
        raise CheckFailed(
            "each row drops the same count",
            called=called,
            got=f"{first[0].sum()} zeros in every row",
            expected="about 25 of 50, sometimes more, sometimes fewer",
            rule="each number independently, with probability p",
        )
    counts = {int((numbers(call(layer, x, called=called)) == 0).sum()) for _ in "1234"}
    if len(counts) == 1:
        raise CheckFailed(
            "each call drops the same count",
            called=f"{called}, four times",
            got=f"{counts.pop()} zeros in every call",
            expected="about 1000 of 2000, sometimes more, sometimes fewer",
            rule="each number independently, with probability p",
            mistake="draw a number for each of x, and compare it with p",
        )


def _check_evaluation(answer: Any) -> None:
    layer = made(answer, (0.5,), "Dropout(0.5)")
    network = nn.Sequential(nn.Identity(), layer)
    x = np.arange(1, 41, dtype=np.float32)
    rule = "in evaluation x is returned unchanged"
    network.eval()
    called = "Dropout(0.5)(x) after network.eval()"
    got = call(layer, from_numpy(x), called=called, rule=rule, want=x)
    need_result(got, called=called, rule=rule)
    zeros = numbers(got) == 0
    compare_tensor(
        got,
        x,
        called=called,
        rule=rule,
        wrong={
            "in evaluation nothing is scaled": x * 0.5,
            "in evaluation nothing is divided": x / 0.5,
            "self.training says which mode it is": np.where(zeros, 0, x / 0.5)
            if zeros.any()
            else x * np.nan,
            "self.training says which mode it is (and it drops)": np.where(zeros, 0, x)
            if zeros.any()
            else x * np.nan,
        },
    )
    network.train()
    got = call(layer, from_numpy(x), called="Dropout(0.5)(x) after train()")
    if not (numbers(got) == 0).any():
        raise CheckFailed(
            "after train() nothing is dropped",
            called="network.eval(); network.train(); Dropout(0.5)(x)",
            rule="self.training follows train() and eval()",
            mistake="read self.training in forward; do not keep your own flag",
        )


def _check_ends(answer: Any) -> None:
    x = np.array([1.0, -2.0, 3.0])
    for p, want in ((0.0, x), (1.0, x * 0)):
        called = f"Dropout({p})([1, -2, 3]) in training"
        layer = made(answer, (p,), f"Dropout({p})")
        got = call(layer, from_numpy(x), called=called, rule=DROPOUT_RULE, want=want)
        compare_tensor(
            got,
            want,
            called=called,
            rule="p = 0 drops nothing, p = 1 drops everything",
            wrong={"0 · x / 0 is nan: p = 1 needs its own case": x * np.nan},
        )
        if str(got.dtype) != "torch.float64":
            raise CheckFailed(
                "the dtype changed",
                called=called,
                got=str(got.dtype),
                expected="torch.float64, as x",
            )
    called = "Dropout(0.5)(x), x without elements"
    empty = np.zeros((0, 3), dtype=np.float32)
    got = call(made(answer, (0.5,), "Dropout(0.5)"), from_numpy(empty), called=called)
    compare_tensor(got, empty, called=called, rule=DROPOUT_RULE)


def _check_dropout_gradient(answer: Any) -> None:
    layer = made(answer, (0.75,), "Dropout(0.75)")
    if list(layer.parameters()):
        raise CheckFailed("dropout has nothing to train, but keeps parameters")
    x = from_numpy(np.full(64, 2.0, dtype=np.float64)).requires_grad_()
    y = call(layer, x, called="Dropout(0.75)(x)", rule=DROPOUT_RULE)
    called = "y = Dropout(0.75)(x); y.sum().backward(); x.grad"
    need_result(y, called=called)
    if not y.requires_grad:
        raise CheckFailed(
            "x gets no gradient",
            called=called,
            rule="the numbers that stay pass their gradient on, divided by 1 - p",
            mistake="no detach, .data or no_grad in forward",
        )
    if y.dtype != x.dtype:
        raise CheckFailed(
            "the dtype changed", called=called, got=str(y.dtype), expected=str(x.dtype)
        )
    y.sum().backward()
    compare(x.grad, np.where(numbers(y) == 0, 0, 4.0), called=called, rule=DROPOUT_RULE)

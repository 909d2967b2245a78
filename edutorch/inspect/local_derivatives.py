"""Local derivatives as numbers: the factors that multiply the gradient in a backward.

For an elementwise op, this is the derivative of each element; for a linear one, the
other factor; for softmax, its Jacobian. All are sums of products over indices, in the
notation of `einsum_notation.py`: "no,ok->nk" means outgoing[n, k] = Σ_o incoming[n, o]
w[o, k]. They are computed only from the formula and the recorded operands,
independently of the recorded gradients.
"""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_lowercase
from typing import Any, NamedTuple

import numpy as np

from .einsum_notation import OpCall, elementwise, product_letters, reduced_letters

__all__ = ["LocalDerivative", "local_derivative"]

Array = np.ndarray
LARGEST = 4096  # elements of a Jacobian


class LocalDerivative(NamedTuple):
    """One factor of a gradient.

    Attributes:
        spec: indices of the incoming gradient, of the factor, and of the outgoing one.
        value: the factor; None where it is 1.
        operand: the operand that the factor is, -1 if it is computed.
    """

    spec: str
    value: Any = None
    operand: int = -1


def local_derivative(op: OpCall, i: int) -> LocalDerivative | None:
    """The factor for the i-th operand; None if there is no rule for the op.

    Example:
        >>> a, b = np.array([2.0, 3.0]), np.array([5.0, 7.0])
        >>> local_derivative(OpCall("Mul", [a, b], a * b, {}), 0)
        LocalDerivative(spec='a,a->a', value=array([5., 7.]), operand=1)
    """
    arrays = (*op.inputs, op.y)
    if any(getattr(a, "dtype", np.dtype("f")).kind == "c" for a in arrays):
        return None  # the formulas here omit the conjugates
    factors = product_letters(op)
    if factors is not None:
        return _product(op, i, *factors)
    rule = _STRUCTURED.get(op.cls)
    if rule is not None:
        return rule(op, i)
    slopes = _SLOPES.get(op.cls)
    if slopes is None or i >= len(slopes):
        return None
    with np.errstate(all="ignore"):
        slope = slopes[i](op)
    operand = _FACTORS[op.cls][i] if op.cls in _FACTORS else -1
    return _elementwise(op, i, slope, operand)


# ---- elementwise: a slope for each element of the result


def _elementwise(op: OpCall, i: int, value: Any, operand: int = -1) -> LocalDerivative:
    shape = op.y.shape
    y = ascii_lowercase[: len(shape)]
    x = elementwise(shape, np.shape(op.inputs[i]))
    if value is None:
        return LocalDerivative(f"{y},->{x}")
    value = np.asarray(value)
    local = y[len(y) - value.ndim :]
    return LocalDerivative(f"{y},{local}->{x}", value, operand)


def _constant_one(_: OpCall) -> Any:
    return None


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def _from_input(slope: Callable[[Any], Any]) -> Any:
    """A slope computed from the only operand."""
    return (lambda op: slope(np.asarray(op.inputs[0])),)


def _from_output(slope: Callable[[Any], Any]) -> Any:
    """A slope computed from the result."""
    return (lambda op: slope(np.asarray(op.y)),)


def _from_both_inputs(
    first: Callable[[Any, Any], Any], second: Callable[[Any, Any], Any]
) -> Any:
    """Slopes computed from both operands."""

    def of(slope: Callable[[Any, Any], Any]) -> Callable[[OpCall], Any]:
        return lambda op: slope(*map(np.asarray, op.inputs[:2]))

    return of(first), of(second)


def _power(op: OpCall) -> Any:
    x, n = np.asarray(op.inputs[0]), op.attributes["exponent"]
    return n * x ** (n - 1) if n else np.zeros_like(x)


_SLOPES: dict[str, tuple[Callable[[OpCall], Any], ...]] = {
    "Add": (_constant_one, _constant_one),
    "AddScaled": (_constant_one, lambda op: op.attributes["alpha"]),
    "Sub": (_constant_one, lambda op: -op.attributes["alpha"]),
    "Mul": _from_both_inputs(lambda _, b: b, lambda a, _: a),
    "Div": _from_both_inputs(lambda a, b: 1 / b + 0 * a, lambda a, b: -a / b**2),
    "PowTensor": _from_both_inputs(
        lambda a, b: b * a ** (b - 1), lambda a, b: a**b * np.log(a)
    ),
    "Maximum": _from_both_inputs(
        lambda a, b: (a > b) + 0.5 * (a == b), lambda a, b: (a < b) + 0.5 * (a == b)
    ),
    "Minimum": _from_both_inputs(
        lambda a, b: (a < b) + 0.5 * (a == b), lambda a, b: (a > b) + 0.5 * (a == b)
    ),
    "Neg": (lambda _: -1,),
    "Clone": (_constant_one,),
    "CopyView": (_constant_one,),
    "Expand": (_constant_one,),
    "PowScalar": (_power,),
    "Exp": _from_output(lambda y: y),
    "Expm1": _from_output(lambda y: y + 1),
    "Log": _from_input(lambda x: 1 / x),
    "Log1p": _from_input(lambda x: 1 / (1 + x)),
    "Sqrt": _from_output(lambda y: 1 / (2 * y)),
    "Rsqrt": _from_output(lambda y: -(y**3) / 2),
    "Square": _from_input(lambda x: 2 * x),
    "Reciprocal": _from_output(lambda y: -(y**2)),
    "Abs": _from_input(np.sign),
    "Sin": _from_input(np.cos),
    "Cos": _from_input(lambda x: -np.sin(x)),
    "Sigmoid": _from_output(lambda y: y * (1 - y)),
    "Tanh": _from_output(lambda y: 1 - y**2),
    "Relu": _from_output(lambda y: (y > 0).astype(y.dtype)),
    "LeakyRelu": (
        lambda op: np.where(op.inputs[0] > 0, 1, op.attributes["negative_slope"]),
    ),
    "Silu": _from_input(lambda x: _sigmoid(x) * (1 + x * (1 - _sigmoid(x)))),
    "Dropout": (lambda op: op.attributes["mask"],),
}
for _name in ("Add", "Sub", "Mul", "Div"):  # the same inside composed functions
    _SLOPES[f"{_name}Number"] = _SLOPES[_name]


# The index of the operand that is the slope.
_FACTORS = {"Mul": (1, 0), "MulNumber": (1, 0)}


# ---- products, sums, losses


def _product(op: OpCall, i: int, first: str, second: str, out: str) -> LocalDerivative:
    mine, other = (first, second) if i == 0 else (second, first)
    return LocalDerivative(f"{out},{other}->{mine}", op.inputs[1 - i], 1 - i)


def _linear(op: OpCall, i: int) -> LocalDerivative | None:
    lead = ascii_lowercase[: np.ndim(op.inputs[0]) - 1]
    x, w, y = lead + "x", "zx", lead + "z"
    if i == 2:
        return LocalDerivative(f"{y},->z")
    return LocalDerivative(
        f"{y},{w}->{x}" if i == 0 else f"{y},{x}->{w}", op.inputs[1 - i], 1 - i
    )


def _sum(op: OpCall, i: int) -> LocalDerivative | None:
    x, y = reduced_letters(op)
    return LocalDerivative(f"{y},->{x}")


def _mean(op: OpCall, i: int) -> LocalDerivative | None:
    x, y = reduced_letters(op)
    terms = op.inputs[0].size / max(1, op.y.size)
    return LocalDerivative(f"{y},->{x}", np.asarray(1 / terms) if terms else None)


def _softmax(op: OpCall, i: int) -> LocalDerivative | None:
    y = op.y
    dim, rank = op.attributes["dim"] % max(1, y.ndim), y.ndim
    if not rank or y.size * y.shape[dim] > LARGEST:
        return None
    row = np.moveaxis(y, dim, -1)
    same = np.eye(y.shape[dim])
    if op.cls == "Softmax":
        jacobian = row[..., :, None] * (same - row[..., None, :])
    else:
        jacobian = same - np.exp(row)[..., None, :] + 0 * row[..., :, None]
    letters = ascii_lowercase[:rank]
    d = letters[dim]
    incoming, rest = letters.replace(d, "y"), letters.replace(d, "")
    return LocalDerivative(f"{incoming},{rest}yx->{letters.replace(d, 'x')}", jacobian)


def _classification_loss(op: OpCall, i: int) -> LocalDerivative | None:
    """Cross entropy or negative log likelihood of rows of scores."""
    x, known = op.inputs[0], op.attributes
    if np.ndim(x) != 2 or known.get("factors") is not None or "target" not in known:
        return None
    n = known["n"]
    chosen = (np.arange(x.shape[1]) == np.reshape(known["target"], (-1, 1))).astype(
        float
    )
    local = -chosen
    if op.cls == "CrossEntropy":
        e = np.exp(x.astype(float) - x.max(1, keepdims=True))
        local = e / e.sum(1, keepdims=True) - chosen
    if n is None:
        return LocalDerivative("a,ab->ab", local)
    return (
        LocalDerivative(",ab->ab", local / float(n)) if np.size(n) == 1 and n else None
    )


def _elementwise_loss(slope: Callable[[Any, Any], Any]) -> Any:
    """The rules of an elementwise loss of two operands, with its reduction."""

    def rule(op: OpCall, i: int) -> LocalDerivative | None:
        x, t = op.inputs[:2]
        if i > 1 or np.shape(x) != np.shape(t) or any(
            a is not None for a in op.inputs[2:]
        ):  # fmt: skip
            return None
        local = slope(x.astype(float), t) if i == 0 else -slope(x.astype(float), t)
        letters = ascii_lowercase[: np.ndim(x)]
        if op.attributes["reduction"] == "none":
            return LocalDerivative(f"{letters},{letters}->{letters}", local)
        if op.attributes["reduction"] == "mean":
            local = local / max(1, x.size)
        return LocalDerivative(f",{letters}->{letters}", local)

    return rule


def _bce_with_logits(op: OpCall, i: int) -> LocalDerivative | None:
    """Binary cross entropy with logits; there is no rule for the target."""
    return _elementwise_loss(lambda x, t: _sigmoid(x) - t)(op, i) if i == 0 else None


def _permuted(op: OpCall, i: int) -> LocalDerivative | None:
    rank, known = np.ndim(op.y), op.attributes
    order = list(range(rank))
    if op.cls == "Permute":
        order = [d % rank for d in known["dims"]]
    elif op.cls == "T":
        order.reverse()
    elif rank:
        a, b = known["dim0"], known["dim1"]
        order[a], order[b] = order[b], order[a]
    x = ascii_lowercase[:rank]
    y = "".join(x[d] for d in order)
    return LocalDerivative(f"{y},->{x}")


_STRUCTURED: dict[str, Callable[[OpCall, int], LocalDerivative | None]] = {
    "Linear": _linear,
    "Sum": _sum,
    "SumAll": _sum,
    "Mean": _mean,
    "Softmax": _softmax,
    "LogSoftmax": _softmax,
    "CrossEntropy": _classification_loss,
    "NllLoss": _classification_loss,
    "MseLoss": _elementwise_loss(lambda x, t: 2 * (x - t)),
    "BinaryCrossEntropyWithLogits": _bce_with_logits,
    "Transpose": _permuted,
    "T": _permuted,
    "Permute": _permuted,
}

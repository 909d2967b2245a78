"""Dropout as in `torch`: no defaults, and in-place variants."""

from __future__ import annotations

from ...tensor.tensor import Tensor
from ..argument_checks import need_flags
from ..dropout import alpha_dropout as _alpha
from ..dropout import dropout as _plain
from ..dropout import feature_alpha_dropout as _feature_alpha
from ..dropout import feature_dropout as _feature
from ..registration import composite

__all__ = [
    "alpha_dropout", "alpha_dropout_", "dropout", "dropout_", "feature_alpha_dropout",
    "feature_alpha_dropout_", "feature_dropout", "feature_dropout_",
]  # fmt: skip


def _check(p: float) -> None:
    if not 0 <= p <= 1:
        raise RuntimeError(
            f"dropout probability has to be between 0 and 1, but got {p:g}"
        )


@composite
def dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """In training, zero values with probability p and scale the others by 1/(1 − p).

    Math: y = x · m, m = 0 with probability p, else 1/(1 − p)      ∂L/∂x = g · m
    Shape: (*) -> (*)

    Raises:
        RuntimeError: if p is not a probability.

    Example:
        >>> import edutorch as torch
        >>> torch.dropout(torch.ones(3), 0.5, train=False)
        tensor([1., 1., 1.])
    """
    need_flags("dropout", train=train)
    _check(p)
    return _plain(input, p, train)


@composite
def dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """In-place `dropout`.

    Math: x ← x · m      ∂L/∂x = g · m
    Shape: (*) -> (*)

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> torch.dropout_(torch.ones(3), 1.0, True)
        tensor([0., 0., 0.])
    """
    need_flags("dropout_", train=train)
    _check(p)
    return _plain(input, p, train, inplace=True)


@composite
def feature_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Dropout of entire channels, drawn once for each sample and channel.

    Math: y[n, c] = x[n, c] · m[n, c]      ∂L/∂x = g · m
    Shape: (N, C, *) -> (N, C, *)

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> torch.feature_dropout(torch.ones(1, 2, 1), 1.0, True).sum()
        tensor(0.)
    """
    need_flags("feature_dropout", train=train)
    _check(p)
    return _feature(input, p, train)


@composite
def feature_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """In-place `feature_dropout`.

    Math: x[n, c] ← x[n, c] · m[n, c]      ∂L/∂x = g · m
    Shape: (N, C, *) -> (N, C, *)

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> torch.feature_dropout_(torch.ones(1, 2), 1.0, True)
        tensor([[0., 0.]])
    """
    need_flags("feature_dropout_", train=train)
    _check(p)
    return _feature(input, p, train, inplace=True)


@composite
def alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Dropout that preserves mean 0 and variance 1, for networks with `selu`.

    Math: y = a (x · m + α′ (1 − m)) + b      ∂L/∂x = a · m · g
    Shape: (*) -> (*)

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> torch.alpha_dropout(torch.ones(2), 0.5, False)
        tensor([1., 1.])
    """
    need_flags("alpha_dropout", train=train)
    _check(p)
    return _alpha(input, p, train)


@composite
def alpha_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """In-place `alpha_dropout`.

    Math: x ← a (x · m + α′ (1 − m)) + b      ∂L/∂x = a · m · g
    Shape: (*) -> (*)

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> torch.alpha_dropout_(torch.ones(2), 0.5, False)
        tensor([1., 1.])
    """
    need_flags("alpha_dropout_", train=train)
    _check(p)
    return _alpha(input, p, train, inplace=True)


@composite
def feature_alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """`alpha_dropout` of entire channels.

    Math: y[n, c] = a (x · m + α′ (1 − m)) + b, one m for each sample and channel
          ∂L/∂x = a · m · g
    Shape: (N, C, *) -> (N, C, *)

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> torch.feature_alpha_dropout(torch.ones(1, 2), 0.5, False)
        tensor([[1., 1.]])
    """
    need_flags("feature_alpha_dropout", train=train)
    _check(p)
    return _feature_alpha(input, p, train)


@composite
def feature_alpha_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """In-place `feature_alpha_dropout`.

    Math: x[n, c] ← a (x · m + α′ (1 − m)) + b      ∂L/∂x = a · m · g
    Shape: (N, C, *) -> (N, C, *)

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> torch.feature_alpha_dropout_(torch.ones(1, 2), 0.5, False)
        tensor([[1., 1.]])
    """
    need_flags("feature_alpha_dropout_", train=train)
    _check(p)
    return _feature_alpha(input, p, train, inplace=True)

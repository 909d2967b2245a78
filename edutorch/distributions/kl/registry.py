"""The formula for two types of distributions."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from ...tensor.tensor import Tensor
from ..distribution import Distribution

__all__ = ["kl_divergence", "register_kl"]

F = TypeVar("F", bound=Callable[..., Any])
Formula = Callable[[Any, Any], Tensor]
_formulas: dict[tuple[type, type], Formula] = {}
_found: dict[tuple[type, type], Formula | None] = {}  # what was looked up before


def register_kl(type_p: Any, type_q: Any) -> Callable[[F], F]:
    """A decorator that registers the formula for two types of distributions.

    Raises:
        TypeError: for anything other than a type of distributions.

    Example:
        >>> import edutorch as torch
        >>> class Standard(torch.distributions.Normal):
        ...     pass
        >>> @torch.distributions.register_kl(Standard, Standard)
        ... def nothing(p, q):
        ...     return torch.zeros(())
        >>> d = Standard(0.0, 1.0)
        >>> torch.distributions.kl_divergence(d, d)
        tensor(0.)
    """
    for name, kind in (("p", type_p), ("q", type_q)):
        if not (isinstance(kind, type) and issubclass(kind, Distribution)):
            raise TypeError(
                f"Expected type_{name} to be a Distribution subclass but got {kind}"
            )

    def decorate(formula: F) -> F:
        _formulas[type_p, type_q] = formula
        _found.clear()
        return formula

    return decorate


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """The Kullback-Leibler divergence E_p[log p(x) - log q(x)].

    The formula is that of the nearest types from which the two are derived. Where the
    nearest ones differ for p and q, those for p are taken, with a `RuntimeWarning`.

    Math: KL(p, q) = Σ p(x) (log p(x) - log q(x)), of densities an integral

    Raises:
        NotImplementedError: where no formula is known for the two types.

    Example:
        >>> import edutorch as torch
        >>> normal = torch.distributions.Normal
        >>> torch.distributions.kl_divergence(normal(0.0, 1.0), normal(1.0, 1.0))
        tensor(0.5000)

    Reference: Kullback and Leibler, "On information and sufficiency", 1951.
    """
    types = type(p), type(q)
    if types not in _found:
        _found[types] = _nearest(*types)
    formula = _found[types]
    if formula is None:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {type(p).__name__} and q type "
            f"{type(q).__name__}"
        )
    return formula(p, q)


def _nearest(p: type, q: type) -> Formula | None:
    """The formula of the nearest types that these are derived from."""
    ancestors_p, ancestors_q = p.__mro__.index, q.__mro__.index
    known = [
        (ancestors_p(a), ancestors_q(b), (a, b))
        for a, b in _formulas
        if issubclass(p, a) and issubclass(q, b)
    ]
    if not known:
        return None
    left = min(known)[2]
    right = min((j, i, pair) for i, j, pair in known)[2]
    if _formulas[left] is not _formulas[right]:
        warnings.warn(
            f"Ambiguous kl_divergence({p.__name__}, {q.__name__}). Please "
            f"register_kl({left[0].__name__}, {right[1].__name__})",
            RuntimeWarning,
            stacklevel=3,
        )
    return _formulas[left]

"""The methods tested on every distribution."""

from __future__ import annotations

from typing import Any

from tests.programs import attempt

__all__ = ["query_all", "gradients"]

PROPERTIES = (
    "batch_shape", "event_shape", "mean", "mode", "variance", "stddev", "support",
    "has_rsample", "has_enumerate_support", "arg_constraints",
)  # fmt: skip


def query_all(torch: Any, make: Any) -> dict[str, Any]:
    """The answers of a distribution; `make` makes it anew."""
    d = make()
    found = {
        name: attempt(lambda n=name: _as_comparable(getattr(d, n)))
        for name in PROPERTIES
    }
    found["repr"] = repr(d)
    for shape in ((), (2,), (20,)):
        found[f"sample {shape}"] = d.sample(shape)
        found[f"rsample {shape}"] = _maybe(lambda s=shape: d.rsample(s))
    found["log_prob"] = d.log_prob(d.sample((4,)))
    for name in ("entropy", "perplexity", "enumerate_support"):
        found[name] = _maybe(getattr(d, name))
    for name in ("cdf", "icdf"):
        found[name] = _maybe(lambda n=name: getattr(d, n)(torch.tensor(0.25)))
    wide = d.expand((3, *d.batch_shape))
    found["expanded"] = [repr(wide), wide.sample().shape, wide.log_prob(d.sample())]
    wrong = torch.full((7, 5), -3.3)
    found["wrong"] = [attempt(lambda v=v: d.log_prob(v)) for v in (wrong, 1)]
    return found


def _as_comparable(value: Any) -> Any:
    """A property's value; constraints and what holds them as text."""
    return value if hasattr(value, "shape") or isinstance(value, tuple) else repr(value)


def _maybe(action: Any) -> Any:
    """An answer, or the type of the exception."""
    found = attempt(action)
    return found[:2] if isinstance(found, list) else found


def gradients(torch: Any, make: Any, *given: Any) -> dict[str, Any]:
    """Derivatives by the parameters and by values, of `make(*parameters)`."""
    ends = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in given]
    d, found = make(*ends), {}

    def slope(y: Any, *more: Any) -> Any:
        keep = {"create_graph": bool(more), "allow_unused": True}
        return torch.autograd.grad(y, [*ends, *more], **keep)

    found["rsample"] = _maybe(lambda: slope((d.rsample((3,)) ** 2).sum()))
    x = d.sample((3,))
    if x.is_floating_point():
        x = x.detach().requires_grad_()
        first = slope(d.log_prob(x).sum(), x)
        found["log_prob"] = first
        squares = sum((g * g).sum() for g in first if g is not None and g.requires_grad)
        found["log_prob twice"] = slope(squares)
    for name in ("entropy", "mean", "variance"):
        found[name] = _maybe(lambda n=name: slope(_called(getattr(d, n)).sum()))
    return found


def _called(value: Any) -> Any:
    return value() if callable(value) else value

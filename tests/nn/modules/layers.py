"""Shared by tests of layers: create a layer, run it forward and backward."""

from __future__ import annotations

from tests.programs import attempt

__all__ = ["numbers", "refused", "runs"]


def numbers(torch, *shape, seed=1):
    """Fixed numbers around 0, none of them equal."""
    n = 1
    for size in shape:
        n *= size
    steps = (torch.arange(n, dtype=torch.float64) * 7 * seed + 3) % (n + 0.5)
    return ((steps / max(n, 1) - 0.45) * 4).float().reshape(shape)


def run(torch, layer, inputs, double=False):
    """The layer's text, state, results in both modes, and all gradients."""
    m = eval(layer, {"torch": torch, "nn": torch.nn})
    xs = [numbers(torch, *x) if isinstance(x, tuple) else eval(x, {"torch": torch})
          for x in inputs]  # fmt: skip
    if double:
        m, xs = m.double(), [x.double() for x in xs]
    for x in xs:
        if x.is_floating_point():
            x.requires_grad_()
    y = m(*xs)
    results = y if isinstance(y, tuple) else (y,)
    total = sum(
        (t * numbers(torch, *t.shape, seed=3)).sum() for t in results if t.requires_grad
    )
    if isinstance(total, torch.Tensor):
        total.backward()
    gradients = [*xs, *m.parameters()]
    return {
        "text": repr(m),
        "y": list(results),
        "gradients": [t.grad for t in gradients],
        "state": m.state_dict(),
        "eval": m.eval()(*xs),
    }


def runs(torch, cases, double=False):
    """Run several layers: (expression, input shapes or expressions ...).

    In `double` precision the last digits that are compared do not depend on the order
    in which a processor adds.
    """
    return {f"{c[0]} {i}": run(torch, c[0], c[1:], double) for i, c in enumerate(cases)}


def refused(torch, cases):
    """What is said of layers, or inputs, that are refused."""

    def act(layer, *inputs):
        m = eval(layer, {"torch": torch, "nn": torch.nn})
        return m(*(numbers(torch, *x) for x in inputs)) if inputs else repr(m)

    return [attempt(lambda c=c: act(*c)) for c in cases]

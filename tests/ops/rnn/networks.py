"""Shared by tests of recurrent layers: parameters, and one run with gradients."""

from __future__ import annotations

import numpy as np

__all__ = ["KINDS", "gradients", "operands", "results"]

KINDS = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}
PACKED = (3, 3, 2, 1, 1)  # rows of each step: lengths 5, 3 and 2


def operands(kind, layers=1, both=False, biases=True, proj=0, packed=False, batch=3):
    """Input, first states and parameters as arrays: 2 features, 3 hidden, 4 steps."""
    rng = np.random.default_rng(3)
    ways, size, back = 1 + both, 3, proj or 3
    x = rng.standard_normal((sum(PACKED), 2) if packed else (4, batch, 2))
    states = [rng.standard_normal((layers * ways, batch, back))]
    if kind == "lstm":
        states.append(rng.standard_normal((layers * ways, batch, size)))
    weights = []
    for layer in range(layers):
        for _ in range(ways):
            rows = KINDS[kind] * size
            shapes = [(rows, ways * back if layer else 2), (rows, back)]
            shapes += [(rows,)] * 2 * biases + [(proj, size)] * bool(proj)
            weights += [rng.standard_normal(s) * 0.5 for s in shapes]
    return x, states, weights


def results(lib, kind, given, layers=1, both=False, biases=True, packed=False):
    """Outputs and all gradients of one run."""
    x, states, weights = (
        lib.from_numpy(given[0].copy()).requires_grad_(),
        [lib.from_numpy(s.copy()).requires_grad_() for s in given[1]],
        [lib.from_numpy(w.copy()).requires_grad_() for w in given[2]],
    )
    hx = tuple(states) if kind == "lstm" else states[0]
    settings = (weights, biases, layers, 0.0, True, both)
    if packed:
        ys = getattr(lib, kind)(x, lib.tensor(PACKED), hx, *settings)
    else:
        ys = getattr(lib, kind)(x, hx, *settings, False)
    return [*ys, *gradients(lib, ys, [x, *states, *weights])]


def gradients(lib, ys, inputs):
    """Gradients of a fixed weighting of all outputs."""
    total = sum((y * (y.detach() * 3).cos()).sum() for y in ys)
    return lib.autograd.grad(total, inputs)

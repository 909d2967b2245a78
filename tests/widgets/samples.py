"""Series as the recorders make them, for the pictures' tests."""

from __future__ import annotations

import math


def gradients(layers: int = 4, steps: int = 30) -> dict:
    """A series that decays from layer to layer, with one mark of each kind."""
    names = [f"net.{i}.weight" for i in range(layers)]
    norms = [
        [10.0 ** (-2 * i + math.sin(s / 5)) for i in range(layers)]
        for s in range(steps)
    ]
    norms[0][0] = None
    kinds = ("vanishing", "exploding", "nonfinite")
    marks = [
        {"step": 3 * k, "layer": names[k], "kind": kind, "rule": f"rule {k}"}
        for k, kind in enumerate(kinds)
    ]
    return {
        "v": 1, "rev": 1, "layers": names, "steps": list(range(steps)),
        "norms": norms, "marks": marks, "stride": 1,
    }  # fmt: skip


def memory(samples: int = 50, limit: int | None = 2**20) -> dict:
    """A series of a simulated GPU whose activations come and go."""
    rows = [
        [40_000, 40_000 * (k > 5), int(1e5 * abs(math.sin(k / 4))), 80_000, 100]
        for k in range(samples)
    ]
    names = ["parameter", "gradient", "activation", "optimizer", "other"]
    return {
        "v": 1, "rev": 1, "device": "cuda:0", "kind": "simulated GPU",
        "categories": names, "t": [7.0 * k for k in range(samples)], "bytes": rows,
        "marks": [{"t": 70.0 * k, "name": f"step {k}"} for k in range(5)],
        "now": sum(rows[-1]) if rows else 0,
        "peak": max(map(sum, rows), default=0),
        "limit": limit, "reserved": 2**19, "steps": [],
    }  # fmt: skip


def memory_step(step: int = 3, name: str = "the last") -> dict:
    """A training step that is fullest as backward begins."""
    held = [(0.5, 10), (1.0, 5000), (2.0, 90_000), (3.0, 40_000)]
    return {
        "step": step, "name": name, "ms": 4.0,
        "t": [0.0, *(ms for ms, _ in held)],
        "bytes": [[40_000, 0, 0, 80_000, 0]]
        + [[40_000, 0, n, 80_000, 0] for _, n in held],
        "phases": [{"t": 0.5, "name": "forward"}, {"t": 2.0, "name": "backward"},
                   {"t": 3.5, "name": "update"}],
    }  # fmt: skip


def texts(picture) -> list[str]:
    """What is written in a picture."""
    return [shape["text"] for kind, shape in picture.shapes if kind == "text"]

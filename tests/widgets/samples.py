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


def memory_step(step: int = 3, name: str = "latest") -> dict:
    """A training step whose peak is where backward begins."""
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


def leaks(steps: int = 40) -> dict:
    """A training that keeps its losses, explained."""
    place = {"file": "/programs/train.py", "line": 9, "func": "train"}
    row = {
        "id": 3, "src": place | {"text": "loss = criterion(model(x), y)"}, "name": "",
        "count": steps, "bytes": 4 * steps, "nodes": 5 * steps, "bytes_per_step": 4.0,
        "nodes_per_step": 5.0, "state": "leak",
        "rule": "graph nodes grew in 8 of the last 8 steps",
        "bytes_at": [4 * s + 4 for s in range(steps)],
        "nodes_at": [5 * s + 5 for s in range(steps)],
    }  # fmt: skip
    calm = row | {
        "id": -1, "src": None, "name": "parameters, gradients, optimizer, data", "nodes": 0,
        "state": "", "rule": "bytes grew in 0 of the last 8 steps", "bytes": 640,
        "bytes_at": [], "nodes_at": [], "bytes_per_step": 0.0, "nodes_per_step": 0.0,
    }  # fmt: skip
    hops = [
        {"code": "[41]", "what": "tensor scalar float32 with grad_fn", "kind": "index"},
        {"code": ".grad_fn", "what": "MeanBackward0", "kind": "graph"},
    ]
    cause = {
        "kind": "kept", "title": "A container keeps tensors with their graphs",
        "why": "losses keeps a tensor for each time this line runs, and each tensor "
        "keeps its graph.", "src": place | {"line": 12, "text": "losses.append(loss)"},
        "how": "change it to", "change": "losses.append(loss.item())", "also": None,
    }  # fmt: skip
    answer = {
        "line": 3, "src": row["src"], "name": "", "what": "MeanBackward0",
        "sought": 200, "found": 200, "lost_bytes": 0, "holders": [["losses", 200]],
        "paths": [{"root": "losses", "words": "a variable of the notebook",
                   "what": "list of 42", "hops": hops}],
        "cause": cause, "objects": 8888, "seconds": 0.03, "cut": False, "step": steps,
    }  # fmt: skip
    return {
        "v": 1, "rev": steps, "step": steps, "steps": list(range(steps)),
        "title": "the graphs of 1 line stay alive from step to step",
        "bytes": [4 * s + 644 for s in range(steps)],
        "nodes": [5 * s + 5 for s in range(steps)],
        "lines": [row, calm], "left_out": 0, "answers": [answer], "seconds": 2.0,
    }  # fmt: skip

"""Saved values when backward needs them: unchanged, not freed, in the right form."""

from __future__ import annotations

from typing import Any

from ..tensor.tensor import Tensor, blank, wrap
from .op import FREED, Op

__all__ = ["SECOND_TIME", "expose"]

SECOND_TIME = (
    "Trying to backward through the graph a second time (or directly access saved "
    "tensors after they have already been freed). Saved intermediate values of the "
    "graph are freed when you call .backward() or autograd.grad(). Specify "
    "retain_graph=True if you need to backward through the graph a second time or if "
    "you need to access saved tensors after calling backward."
)


def expose(node: Op, inputs: Any, output: Any, create_graph: bool) -> None:
    """Put saved values where backward reads them: arrays, or tensors to be recorded.

    Raises:
        RuntimeError: if they have been freed, or changed since they were saved.
    """
    if inputs is not None:
        if inputs is FREED:
            raise RuntimeError(SECOND_TIME)
        arrays = []
        for i, t in enumerate(inputs):
            if isinstance(t, Tensor):
                if t._storage is not None:
                    check_version(node, t, i)
                t = t._data
            arrays.append(t)
        if not create_graph:
            node.inputs = arrays
    if output is not None:
        storage = node.output_storage
        if storage is not None and storage.version != node.output_version:
            refuse_modified(node, output, storage.version, node.output_version, node)
        if create_graph:
            tensor = blank(Tensor, output, node.device)
            tensor._storage = storage
            tensor._requires_grad, tensor._grad_fn = True, node
            node.output = tensor


def check_version(node: Op, t: Tensor, i: int) -> None:
    expected = 0 if node.versions is None else node.versions[i]
    if t._version != expected:
        refuse_modified(node, t._data, t._version, expected, t)


def refuse_modified(node: Op, array: Any, found: int, expected: int, what: Any) -> None:
    from_ = what if isinstance(what, Op) else what._grad_fn
    place = ""
    if from_ is not None:
        nr = 0 if isinstance(what, Op) else what._output_nr
        name = getattr(from_, "torch_name", "") or from_.name()
        place = f", which is output {nr} of {name},"
    kind = wrap(array).type()
    raise RuntimeError(
        "one of the variables needed for gradient computation has been modified by an "
        f"inplace operation: [{kind} {list(array.shape)}]{place} is at version "
        f"{found}; "
        f"expected version {expected} instead. Hint: enable anomaly detection to find "
        "the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )

"""Captured graphs of GPU work: refused, as in a PyTorch that was built without them.

NumPy and CuPy run every operation immediately; there is nothing to capture.
"""

from __future__ import annotations

from typing import Any

from .setup import is_available

__all__ = [
    "CUDAGraph", "graph", "graph_pool_handle", "is_current_stream_capturing",
    "make_graphed_callables",
]  # fmt: skip


def _refuse(name: str) -> RuntimeError:
    return RuntimeError(f"Tried to instantiate dummy base class {name}")


class CUDAGraph:
    """A captured graph of GPU work.

    Raises:
        RuntimeError: always; programs ask `torch.cuda.is_available()` first.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.cuda.CUDAGraph()
        ... except RuntimeError as error:
        ...     print(error)
        Tried to instantiate dummy base class CUDAGraph
    """

    def __new__(cls, keep_graph: bool = False) -> CUDAGraph:
        raise _refuse("CUDAGraph")


class graph:  # noqa: N801 (PyTorch's name)
    """A block whose work a `CUDAGraph` captures.

    Raises:
        RuntimeError: always, since there are no graphs.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.cuda.graph(None)
        ... except RuntimeError as error:
        ...     print(error)
        Tried to instantiate dummy base class CUDAGraph
    """

    def __init__(
        self,
        cuda_graph: Any,
        pool: Any = None,
        stream: Any = None,
        capture_error_mode: str = "global",
        enable_annotations: bool = False,
        check_input_liveness: bool = False,
    ) -> None:
        raise _refuse("CUDAGraph")


def is_current_stream_capturing() -> bool:
    """Whether work is being captured: never.

    Raises:
        RuntimeError: where there is no GPU.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.is_current_stream_capturing()
        False
    """
    if not is_available():
        raise _refuse("_cuda_isCurrentStreamCapturing")
    return False


def graph_pool_handle() -> Any:
    """The name of a memory pool that graphs share.

    Raises:
        RuntimeError: always, since there are no graphs.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.cuda.graph_pool_handle()
        ... except RuntimeError as error:
        ...     print(error)
        Tried to instantiate dummy base class _graph_pool_handle
    """
    raise _refuse("_graph_pool_handle")


def make_graphed_callables(
    callables: Any,
    sample_args: Any,
    num_warmup_iters: int = 3,
    allow_unused_input: bool = False,
    pool: Any = None,
) -> Any:
    """Functions that replay captured graphs instead of running.

    Raises:
        RuntimeError: always, since there are no graphs.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.cuda.make_graphed_callables(torch.nn.ReLU(), ())
        ... except RuntimeError as error:
        ...     print(error)
        Tried to instantiate dummy base class CUDAGraph
    """
    raise _refuse("CUDAGraph")

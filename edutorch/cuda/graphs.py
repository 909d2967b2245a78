"""Captured graphs of GPU work, on real GPUs by CuPy's capture of a stream.

Simulated GPUs have nothing to capture, since NumPy runs every operation immediately:
they refuse, as a PyTorch does that was built without graphs.
"""

from __future__ import annotations

import gc
from typing import Any

from .. import backends, devices
from ..backends import gpus
from .setup import is_available, synchronize
from .streams import Stream, current_stream
from .streams import stream as stream_block

__all__ = [
    "CUDAGraph", "graph", "graph_pool_handle", "is_current_stream_capturing",
    "make_graphed_callables",
]  # fmt: skip


def _refuse(name: str) -> RuntimeError:
    return RuntimeError(f"Tried to instantiate dummy base class {name}")


def _is_real() -> bool:
    found = gpus.gpus()
    return found is not None and not found.simulated


class CUDAGraph:
    """A captured graph of GPU work, which `replay` runs again on the same memory.

    Memory that is allocated while work is captured comes from a pool that the graph
    keeps.

    Raises:
        RuntimeError: if there are no real GPUs.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     try:
        ...         torch.cuda.CUDAGraph()
        ...     except RuntimeError as error:
        ...         print(error)
        Tried to instantiate dummy base class CUDAGraph
    """

    def __new__(cls, keep_graph: bool = False) -> CUDAGraph:
        if not _is_real():
            raise _refuse("CUDAGraph")
        return super().__new__(cls)

    def __init__(self, keep_graph: bool = False) -> None:
        self._xp = gpus.gpus().xp
        self._graph: Any = None
        self._stream: Any = None
        self._pool: Any = None

    def capture_begin(
        self, pool: Any = None, capture_error_mode: str = "global"
    ) -> None:
        """Capture the work of the current stream instead of running it.

        Raises:
            RuntimeError: on the default stream, which cannot be captured.
        """
        stream: Any = current_stream()
        if stream.stream_id == 0:
            raise RuntimeError(
                "CUDA graphs must be captured on a non-default stream. (However, "
                "after capture, it's ok to replay them on the default stream.)"
            )
        self._pool = pool if pool is not None else self._xp.cuda.MemoryPool()
        self._stream = stream.native
        self._outer = self._xp.cuda.get_allocator()
        self._xp.cuda.set_allocator(self._pool.malloc)
        self._stream.begin_capture()

    def capture_end(self) -> None:
        """Stop capturing; `replay` runs the captured work."""
        try:
            self._graph = self._stream.end_capture()
        finally:
            self._xp.cuda.set_allocator(self._outer)
        self._graph.upload(self._stream)

    def replay(self) -> None:
        """Run the captured work on the current stream.

        Raises:
            RuntimeError: if nothing was captured.
        """
        if self._graph is None:
            raise RuntimeError(
                "Called CUDAGraph::replay without a preceding successful capture."
            )
        stream: Any = current_stream()
        self._graph.launch(stream.native)

    def reset(self) -> None:
        """Forget the captured work and its memory."""
        self._graph = self._pool = None

    def pool(self) -> Any:
        """The pool of the graph's memory, for other graphs to share.

        Raises:
            RuntimeError: if nothing was captured.
        """
        if self._pool is None:
            raise RuntimeError(
                "Called CUDAGraph::pool() without a preceding successful capture."
            )
        return self._pool

    def debug_dump(self, debug_path: str) -> None:
        """Write the captured graph as a DOT file; only in debug mode."""


class graph:  # noqa: N801 (PyTorch's name)
    """A block whose work a `CUDAGraph` captures.

    Raises:
        RuntimeError: if there are no graphs.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     try:
        ...         torch.cuda.graph(None)
        ...     except RuntimeError as error:
        ...         print(error)
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
        if not _is_real():
            raise _refuse("CUDAGraph")
        self.cuda_graph, self.pool = cuda_graph, pool
        self.capture_error_mode = capture_error_mode
        self._block = stream_block(Stream() if stream is None else stream)

    def __enter__(self) -> None:
        synchronize()
        gc.collect()
        backends.gpus.gpus().allocator(devices.to_device("cuda")).empty_cache()
        self._block.__enter__()
        self.cuda_graph.capture_begin(self.pool, self.capture_error_mode)

    def __exit__(self, *exception: object) -> None:
        try:
            self.cuda_graph.capture_end()
        finally:
            self._block.__exit__(*exception)


def is_current_stream_capturing() -> bool:
    """Whether work is being captured.

    Raises:
        RuntimeError: if there is no GPU.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.is_current_stream_capturing()
        False
    """
    if not is_available():
        raise _refuse("_cuda_isCurrentStreamCapturing")
    return current_stream().is_capturing()


def graph_pool_handle() -> Any:
    """A memory pool that graphs share.

    Raises:
        RuntimeError: if there are no graphs.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     try:
        ...         torch.cuda.graph_pool_handle()
        ...     except RuntimeError as error:
        ...         print(error)
        Tried to instantiate dummy base class _graph_pool_handle
    """
    if not _is_real():
        raise _refuse("_graph_pool_handle")
    return gpus.gpus().xp.cuda.MemoryPool()


def make_graphed_callables(
    callables: Any,
    sample_args: Any,
    num_warmup_iters: int = 3,
    allow_unused_input: bool = False,
    pool: Any = None,
) -> Any:
    """Functions that replay captured graphs instead of running: not supported.

    Raises:
        RuntimeError: always; `torch.cuda.graph` captures a whole step.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     try:
        ...         torch.cuda.make_graphed_callables(torch.nn.ReLU(), ())
        ...     except RuntimeError as error:
        ...         print(error)
        Tried to instantiate dummy base class CUDAGraph
    """
    raise _refuse("CUDAGraph")

"""oneDNN through its C interface: convolutions and reorders, in one thread.

The extra `onednn` installs the library. It is loaded when the first convolution uses
it. A primitive is code that oneDNN generates for one problem: shapes, strides and
parameters. Creating one takes milliseconds, so they are cached; running one takes
microseconds. A reorder copies an array to another memory layout.

oneDNN would start OpenMP threads. Here it runs in the calling thread, and
`conv_onednn.py` shares images among the threads of `thread_pool.py`: results do not
depend on the number of threads, and a process can be forked.

Reference: https://oneapi-src.github.io/oneDNN (version 3.2; the constants are those of
`dnnl_types.h`).
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import POINTER, byref, c_int, c_int64, c_size_t, c_void_p
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from edutorch.extras import install_command

__all__ = [
    "AVX512_FP16", "DST", "SRC", "Handle", "Layout", "Primitive", "aligned", "buffers",
    "creation", "dims", "is_installed", "layout_of", "library", "one_thread", "reorder",
]  # fmt: skip

ALIGNMENT: Final = 64  # bytes, of a cache line
MAX_DIMS: Final = 12
MAJOR_VERSION: Final = 3  # of the interface

# Constants of the C interface.
CPU, F32, ANY = 1, 3, 1
AVX512_FP16 = 0x1EF  # instructions of a processor: bits, with those of older ones
USER_SCRATCHPAD = 1
INVALID, UNIMPLEMENTED = 2, 3  # statuses of problems that it lacks
QUERY_SCRATCHPAD = 136
SRC, DST, SCRATCHPAD = 1, 17, 80

_Dims = c_int64 * MAX_DIMS
Shape = tuple[int, ...]


class _Argument(ctypes.Structure):
    _fields_ = (("argument", c_int), ("memory", c_void_p))


# The functions that are called, and the types of their arguments.
_HANDLE = POINTER(c_void_p)
_MD_QUERY = "dnnl_primitive_desc_query_md"
_SIGNATURES: Final = {
    "dnnl_engine_create": (_HANDLE, c_int, c_size_t),
    "dnnl_stream_create": (_HANDLE, c_void_p, c_int),
    "dnnl_stream_destroy": (c_void_p,),
    "dnnl_primitive_attr_create": (_HANDLE,),
    "dnnl_primitive_attr_set_scratchpad_mode": (c_void_p, c_int),
    "dnnl_set_primitive_cache_capacity": (c_int,),
    "dnnl_memory_desc_create_with_strides": (
        _HANDLE, c_int, POINTER(c_int64), c_int, POINTER(c_int64),
    ),
    "dnnl_memory_desc_create_with_tag": (
        _HANDLE, c_int, POINTER(c_int64), c_int, c_int,
    ),
    "dnnl_memory_desc_clone": (_HANDLE, c_void_p),
    "dnnl_memory_desc_destroy": (c_void_p,),
    "dnnl_memory_desc_equal": (c_void_p, c_void_p),
    "dnnl_memory_create": (_HANDLE, c_void_p, c_void_p, c_void_p),
    "dnnl_memory_destroy": (c_void_p,),
    "dnnl_primitive_desc_query": (c_void_p, c_int, c_int, c_void_p),
    "dnnl_primitive_desc_destroy": (c_void_p,),
    "dnnl_primitive_create": (_HANDLE, c_void_p),
    "dnnl_primitive_destroy": (c_void_p,),
    "dnnl_primitive_execute": (c_void_p, c_void_p, c_int, POINTER(_Argument)),
    "dnnl_reorder_primitive_desc_create": (
        _HANDLE, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,
    ),
    "dnnl_convolution_forward_primitive_desc_create": (
        _HANDLE, c_void_p, c_int, c_int, *(c_void_p,) * 4, *(_Dims,) * 4, c_void_p,
    ),
    "dnnl_convolution_backward_data_primitive_desc_create": (
        _HANDLE, c_void_p, c_int, *(c_void_p,) * 3, *(_Dims,) * 4, *(c_void_p,) * 2,
    ),
    "dnnl_convolution_backward_weights_primitive_desc_create": (
        _HANDLE, c_void_p, c_int, *(c_void_p,) * 4, *(_Dims,) * 4, *(c_void_p,) * 2,
    ),
}  # fmt: skip

# oneDNN is asked to create one primitive at a time, and none while the process forks.
creation = threading.RLock()


@cache
def _path() -> Path | None:
    """The path of the library, as installed by its wheel."""
    site = Path(np.__file__).parents[1]
    if next(site.glob("onednn_cpu_gomp-*.dist-info"), None) is None:
        return None
    path = site.parents[1] / "libdnnl.so.3"
    return path if path.exists() else None


def is_installed() -> bool:
    """Whether the extra `onednn` is installed; the library is not loaded.

    Example:
        >>> is_installed() in (True, False)
        True
    """
    return _path() is not None


class _Library:
    """The loaded library, its engine, and the attributes of all primitives."""

    def __init__(self, path: Path) -> None:
        # Its own symbols first: PyTorch contains another version of oneDNN.
        mode = os.RTLD_LOCAL | os.RTLD_DEEPBIND
        self.functions = ctypes.CDLL(str(path), mode)
        # For functions that return at once: they keep the interpreter lock.
        self.quick = ctypes.PyDLL(str(path), mode)
        for name, types in _SIGNATURES.items():
            getattr(self.functions, name).argtypes = types
        self.functions.dnnl_memory_desc_get_size.argtypes = (c_void_p,)
        self.functions.dnnl_memory_desc_get_size.restype = c_size_t
        query = getattr(self.functions, _MD_QUERY)
        query.argtypes, query.restype = (c_void_p, c_int, c_int), c_void_p
        self.set_address = self.quick.dnnl_memory_set_data_handle
        self.set_address.argtypes = (c_void_p, c_void_p)
        self.execute = self.functions.dnnl_primitive_execute
        # Found among the functions of the OpenMP that this library uses.
        self.get_openmp_threads = self.quick.omp_get_max_threads
        self.set_openmp_threads = self.quick.omp_set_num_threads
        # Cached here, see `onednn_primitives.py`.
        self.call("dnnl_set_primitive_cache_capacity", 0)
        self.engine = self.create("dnnl_engine_create", CPU, 0)
        self.instructions: int = self.functions.dnnl_get_effective_cpu_isa()
        self.attributes = self.create("dnnl_primitive_attr_create")
        # Buffers for intermediate results are passed, one for each thread.
        self.call(
            "dnnl_primitive_attr_set_scratchpad_mode", self.attributes, USER_SCRATCHPAD
        )

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function, and check the status that it returns.

        Raises:
            NotImplementedError: if oneDNN does not support such a problem.
            RuntimeError: for other failures.
        """
        status = getattr(self.functions, name)(*arguments)
        if status:
            refused = status in (INVALID, UNIMPLEMENTED)
            error = NotImplementedError if refused else RuntimeError
            raise error(f"oneDNN: {name} failed with status {status}")

    def create(self, name: str, *arguments: Any) -> c_void_p:
        """The object that a function creates."""
        handle = c_void_p()
        self.call(name, byref(handle), *arguments)
        return handle


@cache
def library() -> _Library:
    """The library, loaded when this is first called.

    Raises:
        RuntimeError: if it is not installed.
    """
    path = _path()
    if path is None:
        raise RuntimeError(f"oneDNN is not installed: {install_command('onednn')}")
    with creation:
        return _Library(path)


def dims(numbers: Shape) -> Any:
    """Numbers in oneDNN's array type, one for each dimension.

    Example:
        >>> list(dims((2, 3)))[:3]
        [2, 3, 0]
    """
    return _Dims(*numbers)


@contextmanager
def one_thread() -> Iterator[None]:
    """Inside, oneDNN computes in the calling thread and starts no other.

    OpenMP keeps the number for each thread. It is restored, because other libraries may
    share oneDNN's OpenMP.
    """
    before = library().get_openmp_threads()
    library().set_openmp_threads(1)
    try:
        yield
    finally:
        library().set_openmp_threads(before)


def aligned(size: int) -> Any:
    """An uninitialized array of `size` bytes, aligned to a cache line.

    Example:
        >>> aligned(100).nbytes, aligned(100).ctypes.data % ALIGNMENT
        (100, 0)
    """
    buffer = np.empty(size + ALIGNMENT, np.uint8)
    start = -buffer.ctypes.data % ALIGNMENT
    return buffer[start : start + size]


class Handle:
    """An object of the C library, destroyed with this one."""

    __slots__ = ("_destroy", "handle")

    def __init__(self, handle: c_void_p, kind: str) -> None:
        self.handle = handle
        self._destroy = getattr(library().functions, f"dnnl_{kind}_destroy")

    def __del__(self) -> None:
        self._destroy(self.handle)


class Layout:
    """The memory layout of a float32 array: a memory descriptor."""

    def __init__(self, handle: c_void_p) -> None:
        self._object = Handle(handle, "memory_desc")
        self.handle = handle
        self.size: int = library().functions.dnnl_memory_desc_get_size(handle)

    @classmethod
    def strided(cls, shape: Shape, strides: Shape) -> Layout:
        """The layout of a NumPy array; strides are in elements."""
        create = "dnnl_memory_desc_create_with_strides"
        sizes, steps = dims(shape), dims(strides)
        return cls(library().create(create, len(shape), sizes, F32, steps))

    @classmethod
    def chosen_by_onednn(cls, shape: Shape) -> Layout:
        """The layout that oneDNN chooses for a primitive."""
        create = "dnnl_memory_desc_create_with_tag"
        return cls(library().create(create, len(shape), dims(shape), F32, ANY))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        equal = library().functions.dnnl_memory_desc_equal
        return bool(equal(self.handle, other.handle))

    __hash__ = object.__hash__


class _Call:
    """The buffers of one run of a primitive, which no other run may use meanwhile."""

    def __init__(self, primitive: Primitive) -> None:
        create, engine = library().create, library().engine
        self.stream = Handle(create("dnnl_stream_create", engine, 1), "stream")
        layouts, memories = primitive.layouts, []
        self.arguments = (_Argument * len(layouts))()
        for i, (argument, layout) in enumerate(layouts.items()):
            memory = create("dnnl_memory_create", layout.handle, engine, None)
            memories.append(Handle(memory, "memory"))
            self.arguments[i] = _Argument(argument, memory)
        self.memories = memories
        self.handles = [memory.handle for memory in memories]


class Primitive:
    """Code that oneDNN generated for one problem.

    Args:
        description: a primitive descriptor.
        layouts: of the arguments of `run`.
    """

    def __init__(self, description: Handle, layouts: dict[int, Layout]) -> None:
        scratchpad = layout_of(description, QUERY_SCRATCHPAD)
        self._scratch_size = scratchpad.size if scratchpad else 0
        self.layouts = dict(layouts)
        if scratchpad and scratchpad.size:
            self.layouts[SCRATCHPAD] = scratchpad
        handle = library().create("dnnl_primitive_create", description.handle)
        self._handle = Handle(handle, "primitive")
        self._description = description
        self._idle: list[_Call] = []  # as many as ran at the same time

    def run(self, *addresses: int) -> None:
        """Run on arrays at these addresses, in the order of `layouts`.

        The caller must have checked the arrays: `onednn_primitives.py` checks them.
        """
        if self._scratch_size:
            addresses = (*addresses, buffers.address("scratchpad", self._scratch_size))
        call = self._idle.pop() if self._idle else _Call(self)
        set_address = library().set_address
        for handle, address in zip(call.handles, addresses, strict=True):
            set_address(handle, address)
        stream, arguments = call.stream.handle, call.arguments
        status = library().execute(
            self._handle.handle, stream, len(addresses), arguments
        )
        self._idle.append(call)
        if status:
            raise RuntimeError(f"oneDNN: a primitive failed with status {status}")


class _Buffers(threading.local):
    """Memory of a thread for what it copies, kept and reused."""

    def __init__(self) -> None:
        self._buffers: dict[str, tuple[Any, int]] = {}  # with their addresses

    def array(self, name: str, size: int) -> Any:
        """At least `size` bytes with this name."""
        return self._buffer(name, size)[0]

    def address(self, name: str, size: int) -> int:
        """The address of `array`."""
        return self._buffer(name, size)[1]

    def _buffer(self, name: str, size: int) -> tuple[Any, int]:
        buffer = self._buffers.get(name)
        if buffer is None or buffer[0].nbytes < size:
            array = aligned(size)
            buffer = self._buffers[name] = array, int(array.ctypes.data)
        return buffer


buffers = _Buffers()


def layout_of(description: Handle, query: int) -> Layout | None:
    """A layout that a primitive expects, or None if it has no such argument."""
    ask = getattr(library().functions, _MD_QUERY)
    found = ask(description.handle, query, 0)  # owned by the description
    return Layout(library().create("dnnl_memory_desc_clone", found)) if found else None


def reorder(source: Layout, target: Layout) -> Primitive:
    """A primitive that copies an array to another layout.

    Example:
        >>> reorder.__name__
        'reorder'
    """
    engine, attributes = library().engine, library().attributes
    create = "dnnl_reorder_primitive_desc_create"
    layouts = source.handle, engine, target.handle, engine
    handle = library().create(create, *layouts, attributes)
    description = Handle(handle, "primitive_desc")
    return Primitive(description, {SRC: source, DST: target})


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=creation.acquire,
        after_in_parent=creation.release,
        after_in_child=creation.release,
    )

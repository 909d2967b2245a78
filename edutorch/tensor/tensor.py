"""Tensor: a strided array, its storage, and its place in the graph. No mathematics.

`autograd` attaches the attributes and methods that concern the graph, `ops` the
methods and operators that compute.

Attributes that begin with an underscore are the tensor's state:

- `_data`: the array (NumPy's or CuPy's). `_device`: its device.
- `_requires_grad`, `_grad_fn`, `_output_nr`, `_grad`: place in the graph.
- `_storage`: identity and version of the memory, created on first use.
- `_base`, `_views`, `_seen`: for a view, its base tensor, the view ops that lead from
  the base to the view, and the memory version that its history corresponds to.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .. import backends, devices, dtypes
from ..backends.meta import META
from ..errors import python_type_name
from ..layouts import (
    channels_last,
    channels_last_3d,
    contiguous_format,
    layout,
    memory_format,
    preserve_format,
    strided,
)
from ..text_arguments import as_text
from . import printing
from .conversions import Conversions, legacy_constructor_array
from .geometry import element_strides
from .size import Size, size_of
from .storage import Storage, address, make_storage, strided_view
from .typed_storage import STORAGES, TypedStorage

__all__ = [
    "Tensor", "wrap", "in_memory", "layout", "strided", "memory_format",
    "contiguous_format", "preserve_format", "channels_last", "channels_last_3d",
]  # fmt: skip

if TYPE_CHECKING:
    from ._methods import Methods  # attached by ops and autograd
else:
    Methods = object

_new = object.__new__
_TYPES = {f"torch.{d.short}Tensor": d for d in dtypes.ALL}


def bare_tensor(
    cls: type[Any], array: Any, device: devices.device = devices.CPU
) -> Any:
    """A tensor of a class over an array, without history or storage."""
    tensor = _new(cls)
    tensor._data = array
    tensor._device = device
    tensor._requires_grad = False
    tensor._grad_fn = None
    tensor._output_nr = 0
    tensor._storage = None
    tensor._base = None
    return tensor


def wrap(array: Any, device: devices.device = devices.CPU) -> Tensor:
    """A tensor over an array, sharing its memory."""
    tensor: Tensor = bare_tensor(Tensor, array, device)
    if device is not devices.CPU:
        if device.type == "meta":
            array = tensor._data = META.keep(array)
        tensor._storage = make_storage(array, device)
    return tensor


class Tensor(Conversions, Methods):
    """An n-dimensional array that records how it was computed.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> (x * x).sum().backward()
        >>> x.grad
        tensor([2., 4.])
        >>> m = torch.arange(6.0).reshape(2, 3)
        >>> m.shape, m.stride(), m.numel(), m.element_size()
        (torch.Size([2, 3]), (3, 1), 6, 4)
        >>> m.T.stride(), m.T.is_contiguous(), m[1].storage_offset()
        ((1, 3), False, 3)
    """

    # Attributes of every tensor are slots, which are fast to read; others are defaults.
    __slots__ = (
        "_data", "_device", "_requires_grad", "_grad_fn", "_output_nr", "_storage",
        "_base", "__dict__", "__weakref__",
    )  # fmt: skip
    _data: Any
    _device: devices.device
    _requires_grad: bool
    _grad_fn: Any
    _output_nr: int
    _storage: Storage | None
    _base: Tensor | None
    _grad: Tensor | None = None
    _views: tuple[Any, ...] = ()
    _seen: int = 0
    _tensor_id: int = 0
    _hooks: Any = None  # {id: hook}, on a leaf; those of others are stored at grad_fn
    _post_hooks: Any = None
    _end_hooks: Any = None  # of the node that ends at a leaf
    _retain: bool = False
    _inference: bool = False
    _counts_changes: bool = False  # of an inference tensor: it can be written to
    _lent: bool = False  # memory owned by others: its storage will be fixed
    _conjugated: bool = False  # see `conj_neg_view.py`
    _negated: bool = False

    def __new__(cls, *args: Any, device: Any = None) -> Tensor:
        """The old constructor: uninitialised for sizes, or the values of a sequence."""
        made: Tensor = bare_tensor(
            cls, legacy_constructor_array(args, dtypes.get_default_dtype().numpy)
        )
        return made

    def new(self, *args: Any, device: Any = None) -> Tensor:
        """The old constructor, with the dtype of this tensor."""
        made = wrap(legacy_constructor_array(args, self._data.dtype))
        return made.to(device or self._device)

    # ---- properties

    @property
    def shape(self) -> Size:
        """The size of each dimension."""
        return size_of(self._data.shape)

    @property
    def dtype(self) -> dtypes.dtype:
        """The type of the elements."""
        return dtypes.of_numpy[self._data.dtype]

    @property
    def device(self) -> devices.device:
        """The device of the elements."""
        return self._device

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return int(self._data.ndim)

    @property
    def layout(self) -> layout:
        """The layout of the elements; `torch.strided` for dense tensors."""
        found: layout = getattr(self._data, "layout", strided)
        return found

    @property
    def is_sparse(self) -> bool:
        """Whether only some elements are stored, with coordinates for each."""
        return self.layout.name == "sparse_coo"

    @property
    def itemsize(self) -> int:
        """The bytes of one element."""
        return int(self._data.itemsize)

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return int(self._data.nbytes)

    @property
    def is_cuda(self) -> bool:
        """Whether the elements are on a GPU."""
        return self._device.type == "cuda"

    @property
    def is_cpu(self) -> bool:
        """Whether the elements are in host memory."""
        return self._device.type == "cpu"

    is_op = False  # in a graph, tensors are the leaves

    @property
    def is_meta(self) -> bool:
        """Whether there are no elements, only a shape and a dtype."""
        return self._device.type == "meta"

    is_quantized = is_mkldnn = is_nested = False
    is_ipu = is_maia = is_mps = is_mtia = is_vulkan = is_xla = is_xpu = False
    volatile = False  # of PyTorch before 0.4; kept for old programs
    name: Any = None

    def size(self, dim: int | None = None) -> Any:
        """The shape, or the size of dimension `dim`."""
        if dim is None:
            return size_of(self._data.shape)
        return self._data.shape[self._dim(dim, "size")]

    def _dim(self, dim: Any, method: str) -> int:
        """The `dim` argument of a method, counted from the front."""
        if type(dim) is not int:
            if isinstance(dim, bool) or not hasattr(dim, "__index__"):
                raise TypeError(
                    f"{method}(): argument 'dim' (position 1) must be int, not "
                    f"{type(dim).__name__}"
                )
            dim = dim.__index__()
        n = self._data.ndim
        if n == 0:
            raise IndexError(
                f"Dimension specified as {dim} but tensor has no dimensions"
            )
        if not -n <= dim < n:
            raise IndexError(
                "Dimension out of range (expected to be in range of "
                f"[{-n}, {n - 1}], but got {dim})"
            )
        return dim + n if dim < 0 else int(dim)

    def dim(self) -> int:
        """The number of dimensions."""
        return int(self._data.ndim)

    ndimension = dim

    def numel(self) -> int:
        """The number of elements."""
        return int(self._data.size)

    nelement = numel

    def element_size(self) -> int:
        """The bytes of one element."""
        return int(self._data.itemsize)

    def stride(self, dim: int | None = None) -> Any:
        """The distance in elements between neighbours along each dimension."""
        steps = element_strides(self._data)
        return steps if dim is None else steps[self._dim(dim, "stride")]

    def storage_offset(self) -> int:
        """The position, in elements, of the first element within the storage."""
        offset = address(self._data) - self.untyped_storage().data_ptr()
        if not self._data.size and not 0 <= offset <= self.untyped_storage().nbytes:
            return 0  # NumPy does not preserve the offset of empty arrays
        return int(offset // self._data.itemsize)

    def is_contiguous(self, *, memory_format: Any = contiguous_format) -> bool:
        """Whether the elements are in row-major order in memory, without gaps."""
        if memory_format in (channels_last, channels_last_3d):
            n = 4 if memory_format is channels_last else 5
            last = (0, *range(2, n), 1)
            return self._data.ndim == n and bool(
                self._data.transpose(last).flags.c_contiguous
            )
        return bool(self._data.flags.c_contiguous)

    def data_ptr(self) -> int:
        """The address of the first element; 0 if there is none."""
        if self.is_meta or not self._data.size:
            return 0
        return address(self._data)

    def is_floating_point(self) -> bool:
        """Whether the dtype is a real floating type."""
        return self.dtype.is_floating_point

    def is_complex(self) -> bool:
        """Whether the dtype is complex."""
        return self.dtype.is_complex

    def is_signed(self) -> bool:
        """Whether the dtype can hold negative numbers."""
        return self.dtype.is_signed

    def get_device(self) -> int:
        """The number of the GPU, or -1 for the CPU."""
        return -1 if self._device.index is None else self._device.index

    def is_inference(self) -> bool:
        """Whether this tensor was made in inference mode."""
        return self._inference

    def is_distributed(self) -> bool:
        """Whether the tensor is spread over processes; never: kept for old programs."""
        return False

    def is_shared(self) -> bool:
        """Whether the memory is shared between processes."""
        return False

    def is_pinned(self) -> bool:
        """Whether the memory is page-locked, see `pin_memory`."""
        found = backends.gpus.gpus() if self.is_cpu else None
        return found is not None and bool(found.is_pinned(self._data))

    def type(self, dtype: Any = None, non_blocking: bool = False) -> Any:
        """The type's name ("torch.FloatTensor"), or a copy converted to `dtype`.

        Raises:
            TypeError, ValueError: if it is neither a dtype nor the name of one.
        """
        if non_blocking is not True and non_blocking is not False:
            raise TypeError(
                "type(): argument 'non_blocking' (position 2) must be bool, not "
                f"{python_type_name(non_blocking)}"
            )
        if dtype is None:
            prefix = "torch." if self.is_cpu else f"torch.{self._device.type}."
            prefix += "sparse." if self.is_sparse else ""
            return f"{prefix}{self.dtype.short}Tensor"
        if isinstance(dtype, dtypes.dtype):
            return self.to(dtype)  # attached by ops
        dtype = as_text(dtype)
        named = dtype if isinstance(dtype, str) else repr(dtype)
        if not isinstance(dtype, (str, type)):
            if not named.startswith("<class 'torch."):  # that of torch.FloatTensor
                raise TypeError("dtype must be a type, str, or dtype object")
            named = named.split("'")[1]
        found = _TYPES.get(named.replace("torch.cuda.", "torch."))
        if found is None:
            raise ValueError(f"invalid type: '{named}'")
        if (".cuda." in named) is self.is_cuda:
            return self.to(found)
        return self.to("cpu" if self.is_cuda else "cuda", found)

    # ---- memory

    def untyped_storage(self) -> Storage:
        """The memory that this tensor refers to."""
        found = self._storage
        if found is None:
            found = self._storage = make_storage(self._data, self._device)
            if self._lent:
                found.fixed = True
            node = self._grad_fn
            if node is not None and node.output is self._data:
                node.output_storage = found  # see Note [Versions of saved outputs]
        return found

    def _move(self, old: Any, new: Any) -> None:
        """Refer to the same region of another storage."""
        x = in_memory(self)
        begin = address(x) - address(old)
        self._data = strided_view(new, x.shape, x.strides, begin, x.dtype)

    def storage(self) -> TypedStorage:
        """The memory that this tensor refers to, as elements of its dtype."""
        return TypedStorage(wrap_storage=self.untyped_storage(), dtype=self.dtype)

    _typed_storage = storage

    def storage_type(self) -> Any:
        """The class of storages of this dtype."""
        return STORAGES[f"{self.dtype.short}Storage"]

    @property
    def _version(self) -> int:
        return 0 if self._storage is None else self._storage.version

    def _is_view(self) -> bool:
        return self._base is not None

    @property
    def data(self) -> Tensor:
        """The same memory without history; backward does not notice its changes."""
        made: Tensor = bare_tensor(Tensor, self._data, self._device)
        made._storage = self.untyped_storage().sibling()
        if self._inference:
            made._inference = made._counts_changes = True
        return made

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            kind = type(value).__name__
            raise TypeError(f"Variable data has to be a tensor, but got {kind}")
        version = self._version
        self._data, self._device = value._data, value._device
        self._counts_changes = self._counts_changes or not self._inference
        self._inference = value._inference
        self._storage = value.untyped_storage().sibling()
        self._storage.version = version

    @data.deleter
    def data(self) -> None:
        raise RuntimeError(
            "Deleting tensor data is not allowed. Delete tensor instead!"
        )

    # ---- Python's protocols

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        kind = type(self)
        inside: str | None = printing.transformed_repr(self)
        if inside is not None:
            return inside
        shown, tangent = printing.unpack_dual(self)
        ours = f"{getattr(kind, '__module__', '')}.".startswith("edutorch.")
        return printing.tensor_repr(
            self._data
            if self.is_meta or self.layout is not strided
            else self._host_array(),
            dtype=self.dtype,
            device=self._device,
            requires_grad=shown._requires_grad,
            grad_fn_name=shown._node_name(),
            tangent=tangent,
            name="tensor" if ours else kind.__name__,
        )

    def _node_name(self) -> str | None:
        """The printed name of the node: "Invalid" for a view that lost its history."""
        try:
            node = self.grad_fn
        except RuntimeError:
            return "Invalid"
        return None if node is None else str(node.name()).rsplit(":", 1)[-1]

    def __str__(self) -> str:
        return self.__repr__()

    def __format__(self, spec: str) -> str:
        if self._data.ndim == 0:
            return format(self.item(), spec)
        return object.__format__(self, spec)

    # By identity, though == compares elements. (PyTorch's is id(x); a `__hash__` other
    # than this one is looked up and called: graphs of small ops take 1.2 times as long)
    __hash__ = object.__hash__

    def __iter__(self) -> Iterator[Tensor]:
        if self._data.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))  # attached by ops

    def __dir__(self) -> list[str]:
        return sorted(set(dir(type(self))) | set(self.__dict__))


# The array that a tensor refers to; `_data` of lazy views is another one.
in_memory: Any = Tensor.__dict__["_data"].__get__

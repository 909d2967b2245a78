"""Nested tensors: parts of different sizes in one dense tensor."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from .. import layouts
from ..overrides import DisableTorchFunctionSubclass, activate
from ..tensor.tensor import Tensor
from .layouts import Jagged, Strided
from .padding import padded

__all__ = ["SIZES_REFUSED", "NestedTensor", "nest", "values_of"]

SIZES_REFUSED = (
    "Internal error: NestedTensorImpl doesn't support sizes. Please file an issue."
)


class NestedTensor(Tensor):
    """Tensors of different sizes as one, without padding.

    Its memory is one dense tensor of all elements. With the jagged layout parts lie
    side by side along the dimension in which they differ; with the strided layout they
    may differ in every dimension. Functions run on all parts at once where they can.

    Example:
        >>> import edutorch as torch
        >>> parts = [torch.ones(2), torch.zeros(3)]
        >>> x = torch.nested.nested_tensor(parts, layout=torch.jagged)
        >>> x.offsets(), (x + 1).values()
        (tensor([0, 2, 5]), tensor([2., 2., 1., 1., 1.]))
    """

    _structure: Any
    _run: Any = None  # what answers functions: set by `functions`
    is_nested = True

    @classmethod
    def __torch_function__(
        cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        """The result of a function of nested tensors."""
        return cls._run(func, args, kwargs or {})

    @property
    def layout(self) -> Any:
        """The layout of the parts: `jagged` or `strided`."""
        jagged = isinstance(self._structure, Jagged)
        return layouts.jagged if jagged else layouts.strided

    @property
    def shape(self) -> Any:
        """The sizes; that in which parts differ has a name."""
        if isinstance(self._structure, Strided):
            raise RuntimeError(SIZES_REFUSED)
        return self._structure.shape(self._data)

    def size(self, dim: int | None = None) -> Any:
        """The sizes, or one of them."""
        if dim is None or isinstance(self._structure, Jagged):
            return self.shape if dim is None else self.shape[dim]
        return self._structure.size(dim % self.dim())

    def dim(self) -> int:
        """The number of dimensions, that of the parts counted."""
        if isinstance(self._structure, Strided):
            return self._structure.ndim
        return 1 + self._data.ndim

    @property
    def ndim(self) -> int:
        """The number of dimensions, that of the parts counted."""
        return self.dim()

    def numel(self) -> int:
        """The number of elements of all parts."""
        return int(self._data.size)

    @property
    def grad(self) -> Any:
        """The gradient, nested in the same way."""
        found = self._grad
        return None if found is None else nest(found, self._structure)

    @grad.setter
    def grad(self, value: Any) -> None:
        """Set the gradient."""
        self._grad = None if value is None else values_of(value)

    def __reduce_ex__(self, protocol: Any) -> Any:
        values = values_of(self).detach()
        return _renested, (values, self._structure, self._requires_grad)

    def __deepcopy__(self, memo: dict[int, Any]) -> NestedTensor:
        if id(self) not in memo:
            function, args = self.__reduce_ex__(4)
            memo[id(self)] = function(*deepcopy(args, memo))
        found: NestedTensor = memo[id(self)]
        return found

    def values(self) -> Tensor:
        """All elements in one dense tensor."""
        return values_of(self)

    def offsets(self) -> Tensor:
        """The start of each part in the values, and the end of the last one."""
        found: Tensor = self._jagged("offsets").offsets
        return found

    def lengths(self) -> Tensor | None:
        """The lengths of the parts, if there are holes between them."""
        found: Tensor | None = self._jagged("lengths").lengths
        return found

    def _jagged(self, name: str) -> Jagged:
        if isinstance(self._structure, Jagged):
            return self._structure
        raise AttributeError(f"'Tensor' object has no attribute '{name}'")

    def unbind(self, dim: int = 0, *, axis: Any = None) -> tuple[Tensor, ...]:
        """The parts."""
        if dim != 0:
            jagged = isinstance(self._structure, Jagged)
            raise RuntimeError(
                "unbind(): only supported for NestedTensor on dim=0"
                if jagged
                else "NestedTensor can only be unbound along dimension 0 got dimension "
                f"{dim} instead."
            )
        return tuple(self._structure.parts(values_of(self)))

    def to_padded_tensor(self, padding: float, output_size: Any = None) -> Tensor:
        """A dense tensor of all parts, padded with a value."""
        return padded(self.unbind(), self._structure, padding, output_size)

    def __len__(self) -> int:
        if isinstance(self._structure, Strided):
            return len(self.shape)  # which is refused
        return self._structure.batch

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self.unbind()) if len(self) else iter(())

    def __getitem__(self, index: Any) -> Any:
        first, *more = index if isinstance(index, tuple) else (index,)
        if first is Ellipsis and len(more) == 1 and type(more[0]) is int:
            return self.select(-1, more[0])
        if first is Ellipsis and not more and isinstance(self._structure, Strided):
            return nest(values_of(self), self._structure)
        if not isinstance(first, int):
            raise RuntimeError("slice(): not supported for NestedTensor on dim=0")
        n = self._structure.batch
        if not -n <= first < n:
            words = f"index {first} is out of bounds for dimension 0 with size {n}"
            jagged = isinstance(self._structure, Jagged)
            raise IndexError("tuple index out of range" if jagged else words)
        part = self.unbind()[first]
        return part[tuple(more)] if more else part

    def is_contiguous(self, memory_format: Any = None) -> bool:
        """Whether the values are in order, without gaps between the parts."""
        holes = getattr(self._structure, "lengths", None) is not None
        return values_of(self).is_contiguous() and not holes

    def _nested_tensor_size(self) -> Tensor:
        """The shapes of the parts."""
        from_shapes = [list(p.shape) for p in self.unbind()]
        return values_of(self).detach().new_tensor(from_shapes).long()

    @property
    def _min_seqlen(self) -> int:
        return min(n for _, n in self._jagged("_min_seqlen").spans())

    @property
    def _max_seqlen(self) -> int:
        return max(n for _, n in self._jagged("_max_seqlen").spans())

    def numpy(self, *, force: bool = False) -> Any:
        """Refused: arrays have one size."""
        if isinstance(self._structure, Strided):
            return self.shape  # which is refused
        raise RuntimeError(".numpy() is not supported for tensor subclasses.")

    def tolist(self) -> Any:
        """Refused, as PyTorch does."""
        if isinstance(self._structure, Strided):
            raise RuntimeError(
                "Internal error: NestedTensorImpl doesn't support strides. Please file "
                "an issue."
            )
        raise RuntimeError(
            ".tolist() is not supported for tensor subclasses, got NestedTensor"
        )

    def __repr__(  # type: ignore[override]  # mypy loses the keyword's name
        self, *, tensor_contents: Any = None
    ) -> str:
        end = ""
        if self._grad_fn is not None:
            end = f", grad_fn={_node(self)}"
        elif self.requires_grad:
            end = ", requires_grad=True"
        if isinstance(self._structure, Strided):
            return f"nested_tensor([\n{_indented_parts(self)}\n]{end})"
        size = self._structure.text(self._data)
        offsets, whole = self._structure.offsets, self.is_contiguous()
        return f"NestedTensor(size={size}, offsets={offsets}{end}, contiguous={whole})"

    def __str__(self) -> str:
        return repr(self)


def _node(x: NestedTensor) -> str:
    name = x._grad_fn.name()
    if isinstance(x._structure, Strided):
        return f"<{name}>"
    return f"<{name} object at {id(x._grad_fn):#x}>"


def _indented_parts(x: NestedTensor) -> str:
    """The parts, indented."""
    values = values_of(x).detach()
    parts = x._structure.parts(values)
    if x.requires_grad:
        parts = [p.detach().requires_grad_() for p in parts]
    return ",\n".join(f"  {p!r}".replace("\n", "\n  ") for p in parts)


def values_of(x: Any) -> Tensor:
    """The dense tensor of values of a nested one; others as they are."""
    if not isinstance(x, NestedTensor):
        return x
    with DisableTorchFunctionSubclass():
        found: Tensor = Tensor.view(x, x._data.shape)
    return found


def nest(values: Tensor, structure: Any) -> NestedTensor:
    """A nested tensor with the memory and history of a dense one."""
    activate(NestedTensor)
    with DisableTorchFunctionSubclass():
        made = values.as_subclass(NestedTensor)
    made._grad_fn, made._output_nr = values._grad_fn, values._output_nr
    made._structure = structure
    return made


def _renested(values: Tensor, structure: Any, requires_grad: bool) -> NestedTensor:
    """The nested tensor that pickle took apart."""
    made = nest(values, structure)
    made._requires_grad = requires_grad
    return made

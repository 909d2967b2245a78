"""Containers of parameters: lists and dictionaries."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn, Self

from ...ops.convert import typename
from ...tensor.tensor import Tensor
from ..parameter import Parameter
from .container import as_pairs, normalized_index
from .module import Module

__all__ = ["ParameterDict", "ParameterList"]


def _as_parameter(value: Any) -> Any:
    """Convert a tensor to a parameter; return any other value unchanged."""
    wrapped = isinstance(value, Tensor) and not isinstance(value, Parameter)
    return Parameter(value) if wrapped else value


def _entry_repr(name: Any, p: Any, dtype: Any) -> str:
    """The repr of one entry."""
    if not isinstance(p, Tensor):
        return f"  ({name}): Object of type: {type(p).__name__}"
    size = "x".join(map(str, p.shape))
    where = f" ({p.device})" if p.is_cuda else ""
    kind = "Parameter" if isinstance(p, Parameter) else "Tensor"
    return f"  ({name}): {kind} containing: [{dtype} of size {size}{where}]"


class ParameterList(Module):
    """A list of parameters, registered by index; tensors become parameters.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.ParameterList([torch.ones(1), torch.ones(2)])
        >>> [tuple(x.shape) for x in p.parameters()]
        [(1,), (2,)]
    """

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(self[i] for i in range(*index.indices(len(self))))
        return getattr(self, str(normalized_index(index, len(self))))

    def __setitem__(self, index: int, param: Any) -> None:
        setattr(self, str(normalized_index(index, len(self))), _as_parameter(param))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return iter(self[i] for i in range(len(self)))

    def __iadd__(self, parameters: Iterable[Any]) -> Self:
        return self.extend(parameters)

    def append(self, value: Any) -> Self:
        """Add a parameter at the end."""
        setattr(self, str(self._size), _as_parameter(value))
        self._size += 1
        return self

    def extend(self, values: Iterable[Any]) -> Self:
        """Add several parameters at the end.

        Raises:
            TypeError: for a single tensor, or an argument that cannot be iterated.
        """
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise TypeError(
                "ParameterList.extend should be called with an iterable, but got "
                f"{type(values).__name__}"
            )
        for value in values:
            self.append(value)
        return self

    def extra_repr(self) -> str:
        """One line for each parameter."""
        return "\n".join(
            _entry_repr(i, p, getattr(p, "dtype", None)) for i, p in enumerate(self)
        )

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError("ParameterList should not be called.")


class ParameterDict(Module):
    """A dictionary of parameters, which are registered by key.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.ParameterDict({"scale": torch.ones(1)})
        >>> p["scale"].requires_grad
        True
    """

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key: str) -> Any:
        return getattr(self, _name(key))

    def __setitem__(self, key: str, value: Any) -> None:
        setattr(self, _name(key), _as_parameter(value))
        self._keys[key] = None

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, key)

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(list(self._keys))

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __or__(self, other: ParameterDict) -> ParameterDict:
        both = self.copy()
        both.update(other)
        return both

    def __ror__(self, other: ParameterDict) -> ParameterDict:
        both = other.copy()
        both.update(self)
        return both

    def __ior__(self, other: ParameterDict) -> Self:
        self.update(other)
        return self

    def copy(self) -> ParameterDict:
        """Another dictionary of the same parameters."""
        return ParameterDict(OrderedDict(self.items()))

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> ParameterDict:
        """A new dictionary with the same value for every key."""
        return ParameterDict([(key, default) for key in keys])

    def get(self, key: str, default: Any = None) -> Any:
        """The parameter with a name, or `default`."""
        if key not in self:
            return default
        return self[key]

    def setdefault(self, key: str, default: Any = None) -> Any:
        """The parameter with a name, which is first set to `default` if missing."""
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key: str) -> Any:
        """Remove a parameter and return it."""
        found = self[key]
        del self[key]
        return found

    def popitem(self) -> tuple[str, Any]:
        """Remove the last parameter and return it with its name."""
        key = next(reversed(self))
        return key, self.pop(key)

    def clear(self) -> None:
        """Remove all parameters."""
        for key in list(self):
            del self[key]

    def keys(self) -> Any:
        """The names."""
        return self._keys.keys()

    def items(self) -> Iterable[tuple[str, Any]]:
        """Pairs of name and parameter."""
        return ((key, self[key]) for key in self._keys)

    def values(self) -> Iterable[Any]:
        """The parameters."""
        return (self[key] for key in self._keys)

    def update(self, parameters: Any) -> None:
        """Add parameters from pairs, or from a dictionary (a plain one is sorted).

        Raises:
            TypeError: for an argument that is neither.
        """
        if not isinstance(parameters, Iterable):
            raise TypeError(
                "ParametersDict.update should be called with an iterable of key/value "
                f"pairs, but got {type(parameters).__name__}"
            )
        named = as_pairs("ParameterDict", parameters)
        ordered = isinstance(parameters, (OrderedDict, ParameterDict))
        if isinstance(parameters, Mapping) and not ordered:
            named = sorted(named, key=lambda pair: pair[0])
        for key, value in named:
            self[key] = value

    def extra_repr(self) -> str:
        """One line for each parameter."""
        return "\n".join(_entry_repr(k, p, typename(p)) for k, p in self.items())

    def __call__(self, input: Any) -> NoReturn:
        raise RuntimeError("ParameterDict should not be called.")


def _name(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(
            "Index given to ParameterDict cannot be used as a key as it is not a "
            f"string (type is '{type(key).__name__}'). Open an issue on github if "
            "you need non-string keys."
        )
    return key

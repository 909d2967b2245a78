"""Containers: modules that hold modules or parameters."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Self, TypeVar

from ...tensor.tensor import Tensor
from ..module import Module
from ..parameter import Parameter

__all__ = ["ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"]

T = TypeVar("T")


def _position(index: Any, length: int) -> int:
    """An index counted from the front.

    Raises:
        IndexError: if it is beyond the ends.
    """
    number = operator.index(index)
    if not -length <= number < length:
        raise IndexError(f"index {number} is out of range")
    return number % length


class Sequential(Module):
    """Modules run one after the other.

    Args:
        args: modules, or one ordered dictionary of them.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Sequential(torch.nn.Linear(1, 2), torch.nn.ReLU())
        Sequential(
          (0): Linear(in_features=1, out_features=2, bias=True)
          (1): ReLU()
        )
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        named: Any = ((str(i), m) for i, m in enumerate(args))
        if len(args) == 1 and isinstance(args[0], Mapping):
            named = args[0].items()
        for name, module in named:
            self.add_module(name, module)

    def forward(self, input: Any) -> Any:
        """Feed each module the output of the one before."""
        for module in self._modules.values():
            input = module(input)
        return input

    def _name_at(self, index: Any) -> str:
        return list(self._modules)[_position(index, len(self))]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(dict(list(self._modules.items())[index]))
        return self._modules[self._name_at(index)]

    def __setitem__(self, index: Any, module: Module) -> None:
        setattr(self, self._name_at(index), module)

    def __delitem__(self, index: Any) -> None:
        names = list(self._modules)
        for name in (
            names[index] if isinstance(index, slice) else [self._name_at(index)]
        ):
            delattr(self, name)
        self._renumber(list(self._modules.values()))

    def _renumber(self, modules: list[Any]) -> None:
        self.__dict__["_modules"] = {str(i): m for i, m in enumerate(modules)}

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())

    def __add__(self, other: Sequential) -> Sequential:
        return Sequential(*self, *other)

    def append(self, module: Module) -> Self:
        """Add a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index: int, module: Module) -> Self:
        """Add a module before position `index`."""
        modules = list(self)
        modules.insert(index, module)
        self._renumber(modules)
        return self

    def extend(self, sequential: Iterable[Module]) -> Self:
        """Add several modules at the end."""
        for module in sequential:
            self.append(module)
        return self

    def pop(self, key: Any) -> Module:
        """Remove a module and return it."""
        found = self[key]
        del self[key]
        return found


class ModuleList(Module):
    """A list of modules, whose parameters belong to the model.

    Example:
        >>> import edutorch as torch
        >>> layers = torch.nn.ModuleList(torch.nn.Linear(2, 2) for _ in range(3))
        >>> len(layers), len(list(layers.parameters()))
        (3, 6)
    """

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        self.extend(modules or ())

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(list(self._modules.values())[index])
        return self._modules[str(_position(index, len(self)))]

    def __setitem__(self, index: Any, module: Module) -> None:
        setattr(self, str(_position(index, len(self))), module)

    def __delitem__(self, index: Any) -> None:
        modules = list(self)
        del modules[index]
        self._renumber(modules)

    def _renumber(self, modules: list[Any]) -> None:
        self.__dict__["_modules"] = {str(i): m for i, m in enumerate(modules)}

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())

    def __contains__(self, module: object) -> bool:
        return any(m is module for m in self)

    def __iadd__(self, modules: Iterable[Module]) -> Self:
        return self.extend(modules)

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList(chain(self, other))

    def append(self, module: Module) -> Self:
        """Add a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index: int, module: Module) -> None:
        """Add a module before position `index`."""
        modules = list(self)
        modules.insert(index, module)
        self._renumber(modules)

    def extend(self, modules: Iterable[Module]) -> Self:
        """Add several modules at the end.

        Raises:
            TypeError: if `modules` cannot be iterated.
        """
        if not isinstance(modules, Iterable):
            raise TypeError(
                "ModuleList.extend should be called with an iterable, but got "
                f"{type(modules).__name__}"
            )
        for module in modules:
            self.append(module)
        return self

    def pop(self, key: Any) -> Module:
        """Remove a module and return it."""
        found: Module = self[key]
        del self[key]
        return found

    def __repr__(self) -> str:
        return _folded(self)


def _folded(module: ModuleList) -> str:
    """The repr of a list: equal neighbours in one line, "(0-2): 3 x Linear(...)"."""
    texts = [repr(m) for m in module]
    if not texts:
        return f"{module._get_name()}()"
    runs: list[tuple[int, int, str]] = []
    for i, text in enumerate(texts):
        if runs and runs[-1][2] == text:
            runs[-1] = (runs[-1][0], i, text)
        else:
            runs.append((i, i, text))
    lines = []
    for first, last, text in runs:
        body = text.replace("\n", "\n  ")
        if first == last:
            lines.append(f"({first}): {body}")
        else:
            lines.append(f"({first}-{last}): {last - first + 1} x {body}")
    return f"{module._get_name()}(\n  " + "\n  ".join(lines) + "\n)"


class ModuleDict(Module):
    """A dictionary of modules, whose parameters belong to the model.

    Example:
        >>> import edutorch as torch
        >>> d = torch.nn.ModuleDict({"relu": torch.nn.ReLU()})
        >>> d["relu"]
        ReLU()
    """

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: object) -> bool:
        return key in self._modules

    def clear(self) -> None:
        """Remove all."""
        self._modules.clear()

    def pop(self, key: str) -> Module:
        """Remove a module and return it."""
        found: Module = self._modules.pop(key)
        return found

    def keys(self) -> Any:
        """The names."""
        return self._modules.keys()

    def items(self) -> Any:
        """Pairs of name and module."""
        return self._modules.items()

    def values(self) -> Any:
        """The modules."""
        return self._modules.values()

    def update(self, modules: Any) -> None:
        """Add modules from a dictionary or pairs; names that exist are replaced."""
        for key, module in modules.items() if hasattr(modules, "items") else modules:
            self[key] = module


def _as_parameter(value: Any) -> Any:
    wrapped = isinstance(value, Tensor) and not isinstance(value, Parameter)
    return Parameter(value) if wrapped else value


class ParameterList(Module):
    """A list of parameters, which belong to the model; tensors become parameters.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.ParameterList([torch.ones(1), torch.ones(2)])
        >>> [tuple(x.shape) for x in p.parameters()]
        [(1,), (2,)]
    """

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        for value in values or ():
            self.append(value)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(
                getattr(self, str(i)) for i in range(*index.indices(len(self)))
            )
        return getattr(self, str(_position(index, len(self))))

    def __setitem__(self, index: Any, value: Any) -> None:
        setattr(self, str(_position(index, len(self))), _as_parameter(value))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return iter(self[i] for i in range(len(self)))

    def __iadd__(self, values: Iterable[Any]) -> Self:
        return self.extend(values)

    def append(self, value: Any) -> Self:
        """Add a parameter at the end."""
        setattr(self, str(self._size), _as_parameter(value))
        self._size += 1
        return self

    def extend(self, values: Iterable[Any]) -> Self:
        """Add several parameters at the end."""
        for value in values:
            self.append(value)
        return self

    def extra_repr(self) -> str:
        """One line for each parameter."""
        return "\n".join(_line(str(i), p) for i, p in enumerate(self))


def _line(name: str, p: Any) -> str:
    if not isinstance(p, Tensor):
        return f"  ({name}): Object of type: {type(p).__name__}"
    size = "x".join(map(str, p.shape))
    kind = "Parameter" if isinstance(p, Parameter) else "Tensor"
    return f"  ({name}): {kind} containing: [{p.dtype} of size {size}]"


class ParameterDict(Module):
    """A dictionary of parameters, which belong to the model.

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
        return getattr(self, key)

    def __setitem__(self, key: str, value: Any) -> None:
        self._keys[key] = None
        setattr(self, key, _as_parameter(value))

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, key)

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def keys(self) -> Iterable[str]:
        """The names."""
        return self._keys.keys()

    def items(self) -> Iterable[tuple[str, Any]]:
        """Pairs of name and parameter."""
        return ((k, self[k]) for k in self._keys)

    def values(self) -> Iterable[Any]:
        """The parameters."""
        return (self[k] for k in self._keys)

    def update(self, parameters: Any) -> None:
        """Add parameters from a dictionary or pairs."""
        named = parameters.items() if hasattr(parameters, "items") else parameters
        for key, value in named:
            self[key] = value

    def extra_repr(self) -> str:
        """One line for each parameter."""
        return "\n".join(_line(k, p) for k, p in self.items())

"""Containers of modules: sequences, lists and dictionaries."""

from __future__ import annotations

import operator
import warnings
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Self

from .module import Module

__all__ = ["Container", "ModuleDict", "ModuleList", "Sequential"]


def normalized_index(index: Any, length: int) -> int:
    """A non-negative index equivalent to `index`.

    Raises:
        IndexError: if it is beyond the ends.
    """
    number = operator.index(index)
    if not -length <= number < length:
        raise IndexError(f"index {number} is out of range")
    return number % length


def as_pairs(what: str, named: Any) -> Iterable[tuple[Any, Any]]:
    """The items of a mapping or of a sequence of pairs; `what` is named in errors.

    Raises:
        TypeError: for elements that cannot be iterated.
        ValueError: for elements that do not have two values.
    """
    if hasattr(named, "items"):
        return named.items()
    found = []
    for i, pair in enumerate(named):
        if not isinstance(pair, Iterable):
            raise TypeError(
                f"{what} update sequence element #{i} should be Iterable; "
                f"is{type(pair).__name__}"
            )
        values = list(pair)
        if len(values) != 2:
            raise ValueError(
                f"{what} update sequence element #{i} has length {len(values)}; 2 is "
                "required"
            )
        found.append((values[0], values[1]))
    return found


class _Numbered(Module):
    """Modules named "0", "1", ... or by chosen names."""

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def append(self, module: Module) -> Self:
        """Add a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def pop(self, key: Any) -> Any:
        """Remove a module and return it."""
        modules: Any = self  # subclasses have these operators
        found = modules[key]
        del modules[key]
        return found

    def _renumber(self, modules: Iterable[Any]) -> None:
        """Rename the modules to "0", "1", ..."""
        self.__dict__["_modules"] = {str(i): m for i, m in enumerate(modules)}


class Sequential(_Numbered):
    """Runs modules one after another.

    Math: y = module_n(.. module_1(x))
          gradients: those of the modules, from the last to the first
    Shape: as the first module takes it -> as the last gives it

    Args:
        args: modules, or one `OrderedDict` of them.

    Example:
        >>> import edutorch as torch
        >>> nn = torch.nn
        >>> net = nn.Sequential(nn.Flatten(), nn.Linear(4, 2), nn.ReLU())
        >>> net(torch.zeros(3, 2, 2)).shape
        torch.Size([3, 2])
        >>> net[1:]
        Sequential(
          (1): Linear(in_features=4, out_features=2, bias=True)
          (2): ReLU()
        )
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            named = args[0].items()
        else:
            named = OrderedDict((str(i), m) for i, m in enumerate(args)).items()
        for name, module in named:
            self.add_module(name, module)

    def forward(self, input: Any) -> Any:
        """Feed each module the output of the one before."""
        for module in self._modules.values():
            input = module(input)
        return input

    def _name_at(self, index: Any) -> str:
        names = list(self._modules)
        return names[normalized_index(index, len(names))]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(OrderedDict(list(self._modules.items())[index]))
        return self._modules[self._name_at(index)]

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, self._name_at(index), module)

    def __delitem__(self, index: Any) -> None:
        names = list(self._modules)
        if isinstance(index, slice):
            gone = names[index]
        else:
            gone = [self._name_at(index)]
        self._renumber(m for name, m in self._modules.items() if name not in gone)

    def __add__(self, other: Any) -> Sequential:
        _check_sequential(other)
        return Sequential(*self, *other)

    def __iadd__(self, other: Any) -> Self:
        _check_sequential(other)
        return self.extend(list(other))

    def __mul__(self, times: int) -> Sequential:
        self._check_factor(times)
        return Sequential(*(list(self) * times))

    __rmul__ = __mul__

    def __imul__(self, times: int) -> Self:
        self._check_factor(times)
        return self.extend(list(self) * (times - 1))

    def _check_factor(self, times: Any) -> None:
        if not isinstance(times, int):
            raise TypeError(
                f"unsupported operand type(s) for *: {type(self)} and {type(times)}"
            )
        if times <= 0:
            raise ValueError(
                f"Non-positive multiplication factor {times} for {type(self)}"
            )

    def insert(self, index: int, module: Module) -> Self:
        """Add a module before position `index`.

        Raises:
            AssertionError: for arguments that are not modules.
            IndexError: for a position beyond the ends.
        """
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        n = len(self)
        if not -n <= index <= n:
            raise IndexError(f"Index out of range: {index}")
        modules = list(self)
        modules.insert(index, module)
        self._renumber(modules)
        return self

    def extend(self, sequential: Iterable[Module]) -> Self:
        """Add several modules at the end."""
        for module in sequential:
            self.append(module)
        return self


def _check_sequential(other: Any) -> None:
    if not isinstance(other, Sequential):
        raise ValueError(
            "add operator supports only objects of Sequential class, but "
            f"{type(other)} is given."
        )


class ModuleList(_Numbered):
    """A list of modules, which are registered as submodules.

    Example:
        >>> import edutorch as torch
        >>> layers = torch.nn.ModuleList(torch.nn.Linear(2, 2) for _ in range(3))
        >>> len(layers), len(list(layers.parameters()))
        (3, 6)
    """

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(list(self._modules.values())[index])
        return self._modules[str(normalized_index(index, len(self)))]

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, str(normalized_index(index, len(self))), module)

    def __delitem__(self, index: Any) -> None:
        modules = list(self)
        if isinstance(index, slice):
            del modules[index]
        else:
            del modules[normalized_index(index, len(modules))]
        self._renumber(modules)

    def __iadd__(self, modules: Iterable[Module]) -> Self:
        return self.extend(modules)

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList(chain(self, other))

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

    def __repr__(self) -> str:
        if not len(self):
            return f"{self._get_name()}()"
        lines = []
        for first, last, text in _equal_runs([repr(m) for m in self]):
            body = text.replace("\n", "\n  ")
            if first == last:
                lines.append(f"({first}): {body}")
            else:
                lines.append(f"({first}-{last}): {last - first + 1} x {body}")
        return f"{self._get_name()}(\n  " + "\n  ".join(lines) + "\n)"


def _equal_runs(texts: list[str]) -> list[tuple[int, int, str]]:
    """The first and last index of each run of equal strings."""
    runs: list[tuple[int, int, str]] = []
    for i, text in enumerate(texts):
        if runs and runs[-1][2] == text:
            runs[-1] = (runs[-1][0], i, text)
        else:
            runs.append((i, i, text))
    return runs


class ModuleDict(Module):
    """A dictionary of modules, which are registered as submodules.

    Example:
        >>> import edutorch as torch
        >>> d = torch.nn.ModuleDict({"relu": torch.nn.ReLU()})
        >>> d["relu"]
        ReLU()
    """

    def __init__(self, modules: Mapping[str, Module] | Any = None) -> None:
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
        """Remove all modules."""
        self._modules.clear()

    def pop(self, key: str) -> Any:
        """Remove a module and return it."""
        return self._modules.pop(key)

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
        """Add modules from a mapping or from pairs, replacing modules of the same name.

        Raises:
            TypeError: for an argument that is neither.
        """
        if not isinstance(modules, Iterable):
            raise TypeError(
                "ModuleDict.update should be called with an iterable of key/value "
                f"pairs, but got {type(modules).__name__}"
            )
        for key, module in as_pairs("ModuleDict", modules):
            self[key] = module


class Container(Module):
    """A deprecated container of modules by name.

    Example:
        >>> import warnings, edutorch as torch
        >>> warnings.simplefilter("ignore")
        >>> torch.nn.Container(act=torch.nn.ReLU())
        Container(
          (act): ReLU()
        )
    """

    def __init__(self, **kwargs: Any) -> None:
        warnings.warn(
            "`nn.Container` is deprecated. All of its functionality is now implemented "
            "in `nn.Module`. Subclass that instead.",
            FutureWarning,
            stacklevel=2,
        )
        super().__init__()
        for name, module in kwargs.items():
            self.add_module(name, module)

"""Walking a tree of modules: children, parameters, buffers, dotted names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Self

from ..tensor.tensor import Tensor
from .parameter import Parameter
from .registry import Registry

__all__ = ["Tree"]


class Tree(Registry):
    """The part of a module that finds modules, parameters and buffers below it."""

    def children(self) -> Iterator[Any]:
        """The direct children."""
        for _, module in self.named_children():
            yield module

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """The direct children with their names, each once."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def modules(self, remove_duplicate: bool = True) -> Iterator[Any]:
        """This module and all below it, each once (or for each of its names)."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "",
        remove_duplicate: bool = True,
    ) -> Iterator[tuple[str, Any]]:  # fmt: skip
        """This module and all below it with dotted names; its own name is ""."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                path = f"{prefix}.{name}" if prefix else name
                yield from module.named_modules(memo, path, remove_duplicate)

    def _named_members(
        self, table: str, prefix: str, recurse: bool, remove_duplicate: bool
    ) -> Iterator[tuple[str, Any]]:
        """What a table has, in this module or in the whole tree, by dotted names."""
        modules: Any = [(prefix, self)]
        if recurse:
            modules = self.named_modules(None, prefix, remove_duplicate)
        seen: set[Any] = set()
        for path, module in modules:
            for name, value in getattr(module, table).items():
                if value is None or value in seen:
                    continue
                if remove_duplicate:
                    seen.add(value)
                yield f"{path}.{name}" if path else name, value

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """All parameters, each once, in the order they were registered."""
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """All parameters with their dotted names."""
        yield from self._named_members("_parameters", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """All buffers, each once."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """All buffers with their dotted names."""
        yield from self._named_members("_buffers", prefix, recurse, remove_duplicate)

    # ---- by path

    def get_submodule(self, target: str) -> Any:
        """The module at a dotted path; "" is this module.

        Raises:
            AttributeError: if there is none.
        """
        module: Any = self
        for part in target.split(".") if target else ():
            module = _member(module, part)
            if not isinstance(module, Tree):
                raise AttributeError(f"`{part}` is not an nn.Module")
        return module

    def set_submodule(self, target: str, module: Any, strict: bool = False) -> None:
        """Put a module at a dotted path.

        Args:
            strict: refuse a path at which there is no module yet.

        Raises:
            ValueError: for an empty path.
            AttributeError: if the path leads nowhere, or to what is no module.
        """
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict or hasattr(parent, name):
            parent.get_submodule(name)
        if not isinstance(module, Tree):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        setattr(parent, name, module)

    def get_parameter(self, target: str) -> Parameter:
        """The parameter at a dotted path.

        Raises:
            AttributeError: if there is none.
        """
        path, _, name = target.rpartition(".")
        found = _member(self.get_submodule(path), name)
        if not isinstance(found, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return found

    def get_buffer(self, target: str) -> Tensor:
        """The buffer at a dotted path.

        Raises:
            AttributeError: if there is none.
        """
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        found: Tensor = _member(module, name)
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return found

    def apply(self, fn: Callable[[Any], None]) -> Self:
        """Call `fn` on every module below, then on this one.

        Example:
            >>> import edutorch as torch
            >>> net = torch.nn.Sequential(torch.nn.ReLU())
            >>> _ = net.apply(lambda m: print(type(m).__name__))
            ReLU
            Sequential
        """
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self


def _member(module: Tree, name: str) -> Any:
    if not hasattr(module, name):
        raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
    return getattr(module, name)

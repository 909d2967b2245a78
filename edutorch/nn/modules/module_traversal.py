"""Traversal of a tree of modules: finding its parts, and changing all of them.

Modes (`train`, `requires_grad_`), dtypes and devices (`to`, `half`, `cuda`) are changed
by a walk, too.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any, Self

from ... import __future__, devices, dtypes
from ...autograd.modes import no_grad
from ...ops.argument_parser import argument_types
from ...ops.convert.to import target_of
from ...ops.create import empty_like
from ...tensor.swap_tensors import swap_tensors
from ...tensor.tensor import Tensor
from ..parameter import Parameter, is_lazy

__all__ = ["ModuleTraversal", "zero_gradient"]

NO_DATA = (
    "Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() "
    "instead of torch.nn.Module.to() when moving module from meta to a different "
    "device."
)


class ModuleTraversal:
    """The methods of a module that visit it and all its submodules."""

    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Any]
    training: bool

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
        """This module and all its descendants, each once (or once per name)."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "",
        remove_duplicate: bool = True,
    ) -> Iterator[tuple[str, Any]]:  # fmt: skip
        """This module, named "", and all its descendants with dotted names."""
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
        """The entries of a table of this module, or of all modules, by dotted name."""
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
        """All parameters, each once, in registration order."""
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """All parameters with their dotted names, each once (or once per name)."""
        yield from self._named_members("_parameters", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """All buffers, each once."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """All buffers with their dotted names, each once (or once per name)."""
        yield from self._named_members("_buffers", prefix, recurse, remove_duplicate)

    # ---- by path

    def get_submodule(self, target: str) -> Any:
        """The module at a dotted path; "" is this module.

        Raises:
            AttributeError: if there is none.
        """
        module: Any = self
        for part in () if target == "" else target.split("."):
            module = _member(module, part)
            if not isinstance(module, ModuleTraversal):
                raise AttributeError(f"`{part}` is not an nn.Module")
        return module

    def set_submodule(self, target: str, module: Any, strict: bool = False) -> None:
        """Replace or add the module at a dotted path.

        Args:
            strict: refuse a path at which there is no module yet.

        Raises:
            ValueError: for an empty path, or if `module` is not a module.
            AttributeError: if a module on the path is missing, or is not a module;
                with `strict` also if the last is missing.
        """
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        *path, name = target.split(".")
        if not isinstance(module, ModuleTraversal):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        parent = self.get_submodule(".".join(path))
        if strict or hasattr(parent, name):
            parent.get_submodule(name)
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
        """Call `fn` on every descendant, then on this module.

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

    # ---- modes and gradients

    def train(self, mode: bool = True) -> Self:
        """Switch this module and its descendants to training mode."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Self:
        """Switch this module and its descendants to evaluation mode."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Switch gradients of all parameters on or off."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set the gradients of all parameters to None (or to zeros)."""
        for parameter in self.parameters():
            if (g := parameter._grad) is not None:
                parameter._grad = None if set_to_none else zero_gradient(g)

    # ---- dtypes, devices and memory

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        """Replace the values of all parameters and buffers by the results of `fn`."""
        if recurse:
            for module in self.children():
                module._apply(fn)
        with no_grad():
            for name, parameter in self._parameters.items():
                if parameter is not None:
                    self._parameters[name] = _converted(parameter, fn)
        for name, buffer in self._buffers.items():
            if buffer is not None and is_lazy(buffer):
                buffer.data = fn(buffer.data)  # its shape is not known yet
            elif buffer is not None:
                self._buffers[name] = fn(buffer)  # with its history, if it has one
        return self

    def to(
        self, *args: Any, device: Any = None, dtype: Any = None,
        non_blocking: bool = False, memory_format: Any = None,
    ) -> Self:  # fmt: skip
        """Move to a device, or cast floating-point parameters and buffers to a dtype.

        The forms are `to(device)`, `to(dtype)`, `to(device, dtype)`, `to(tensor)`.

        Raises:
            TypeError: for an integer dtype.
            NotImplementedError: for parameters without values, on "meta".

        Example:
            >>> import edutorch as torch
            >>> torch.nn.Linear(1, 1).to(torch.float64).weight.dtype
            torch.float64
        """
        if args:
            twice = {"device": device, "dtype": dtype}
            twice = {name: value for name, value in twice.items() if value is not None}
            if twice and isinstance(args[0], (dtypes.dtype, Tensor)):
                given = argument_types(list(args), twice)
                raise TypeError(
                    "to() received an invalid combination of arguments - got "
                    f"({given}), but expected one of:"
                )
            device, dtype, _ = target_of(args, device, dtype, False)
        dtype = dtypes.of_python_type(dtype)
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(
                "nn.Module.to only accepts floating point or complex dtypes, but got "
                f"desired dtype={dtype}"
            )
        if dtype is not None and dtype.is_complex:
            warnings.warn(
                "Complex modules are a new feature under active development whose "
                "design may change, and some modules might not work as expected when "
                "using complex tensors as parameters or buffers. Please file an issue "
                "at https://github.com/pytorch/pytorch/issues/new?template=bug-report"
                ".yml if a complex module does not work as expected.",
                stacklevel=2,
            )
        where = None if device is None else devices.to_device(device)

        def convert(t: Tensor) -> Tensor:
            casts = t.is_floating_point() or t.is_complex()
            if t.is_meta and where is not None and where.type != "meta":
                raise NotImplementedError(NO_DATA)
            t = t.to(device=where, dtype=dtype if casts else None)
            shaped = memory_format is not None and t.ndim in (4, 5)
            return t.contiguous(memory_format=memory_format) if shaped else t

        return self._apply(convert)

    def to_empty(self, *, device: Any, recurse: bool = True) -> Self:
        """Move to a device without copying values; the memory is uninitialised."""
        return self._apply(lambda t: empty_like(t, device=device), recurse)

    def cpu(self) -> Self:
        """Move to the CPU."""
        return self._apply(lambda t: t.cpu())

    def cuda(self, device: Any = None) -> Self:
        """Move to a GPU, by default the current one."""
        return self._apply(lambda t: t.cuda(device))

    def type(self, dst_type: Any) -> Self:
        """Cast all parameters and buffers to a dtype."""
        return self._apply(lambda t: t.type(dst_type))

    def float(self) -> Self:
        """Cast floating-point parameters and buffers to float32."""
        return _cast(self, dtypes.float32)

    def double(self) -> Self:
        """Cast floating-point parameters and buffers to float64."""
        return _cast(self, dtypes.float64)

    def half(self) -> Self:
        """Cast floating-point parameters and buffers to float16."""
        return _cast(self, dtypes.float16)

    def bfloat16(self) -> Self:
        """Cast floating-point parameters and buffers to bfloat16."""
        return _cast(self, dtypes.bfloat16)

    def share_memory(self) -> Self:
        """Move parameters and buffers to shared memory.

        Raises:
            RuntimeError: for a lazy module that does not know its shapes yet.

        Example:
            >>> import edutorch as torch
            >>> torch.nn.Linear(1, 1).share_memory().weight.is_shared()
            True
        """
        for x in filter(is_lazy, (*self.parameters(), *self.buffers())):
            x.share_memory_()  # which it refuses
        return self._apply(lambda x: x.share_memory_())


def _member(module: ModuleTraversal, name: str) -> Any:
    if not hasattr(module, name):
        raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
    return getattr(module, name)


def zero_gradient(g: Tensor) -> Tensor:
    """Zero a gradient in place and detach it from its history."""
    if g.grad_fn is not None:
        g.detach_()
    else:
        g.requires_grad_(False)
    return g.zero_()


def _converted(parameter: Any, fn: Callable[[Tensor], Tensor]) -> Any:
    """A parameter with value and gradient converted by `fn`; usually the same one."""
    gradient = parameter._grad
    if not (__future__._swap or __future__._overwrite) or is_lazy(parameter):
        parameter.data = fn(parameter.data)
        if gradient is not None:
            gradient.data = fn(gradient.data)
        return parameter
    fresh = Parameter(fn(parameter.detach()), parameter._requires_grad)
    if gradient is not None:
        fresh.grad = fn(gradient.detach()).requires_grad_(gradient._requires_grad)
    if not __future__._swap:
        return fresh
    fresh.__dict__.update(
        {k: v for k, v in parameter.__dict__.items() if k not in fresh.__dict__}
    )
    swap_tensors(parameter, fresh)
    return parameter


def _cast(module: Any, dtype: dtypes.dtype) -> Any:
    return module._apply(lambda t: t.to(dtype) if t.is_floating_point() else t)

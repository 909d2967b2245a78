"""Every public name of the library by namespace, as the API reference lists it.

`NAMESPACES` names the modules in the order of the pages. What is in several of
them, or is a method as well, is described in full once, where it is listed first.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import operations
import source_pages
from docstrings import sections
from signatures import signature

from edutorch.tensor.tensor import Tensor

__all__ = [
    "INTERNAL",
    "NAMESPACES",
    "TENSOR",
    "Entry",
    "doc_of",
    "entries",
    "module_of",
]

# What `import *` leaves out, as Python has a function of that name.
UNLISTED = {"torch.widgets": {"open"}}

ROOT = operations.ROOT
TENSOR = "torch.Tensor"
NAMESPACES = {
    "Tensors": (
        "torch", TENSOR, "torch.linalg", "torch.fft", "torch.special", "torch.signal",
        "torch.signal.windows", "torch.sparse", "torch.masked", "torch.nested",
        "torch.functional",
    ),
    "Gradients": (
        "torch.autograd", "torch.autograd.function", "torch.autograd.functional",
        "torch.autograd.forward_ad", "torch.autograd.graph", "torch.autograd.profiler",
        "torch.func", "torch.functorch", "torch.functorch.einops",
    ),
    "Modules": (
        "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.attention",
        "torch.nn.parameter", "torch.nn.modules", "torch.nn.utils",
        "torch.nn.utils.parametrizations", "torch.nn.utils.parametrize",
        "torch.nn.utils.prune", "torch.nn.utils.rnn", "torch.nn.utils.stateless",
    ),
    "Training": (
        "torch.optim", "torch.optim.lr_scheduler", "torch.optim.swa_utils", "torch.amp",
        "torch.amp.autocast_mode", "torch.amp.grad_scaler", "torch.utils.data",
        "torch.utils.checkpoint", "torch.hub", "torch.serialization", "torch.onnx",
    ),
    "Random numbers": (
        "torch.random", "torch.quasirandom", "torch.distributions",
        "torch.distributions.constraints", "torch.distributions.transforms",
        "torch.distributions.kl", "torch.distributions.utils",
    ),
    "Devices and processes": (
        "torch.cuda", "torch.cuda.amp", "torch.cpu", "torch.cpu.amp", "torch.mps",
        "torch.xpu", "torch.accelerator", "torch.backends",
        "torch.backends.cpu", "torch.backends.cuda", "torch.backends.cudnn",
        "torch.backends.mkl", "torch.backends.mkldnn", "torch.backends.mps",
        "torch.backends.openmp", "torch.backends.opt_einsum",
        "torch.multiprocessing", "torch.futures", "torch.distributed",
    ),
    "Watching and teaching": (
        "torch.inspect", "torch.widgets", "torch.course", "torch.events",
        "torch.profiler",
    ),
    "Settings and tools": (
        "torch.config", "torch.utils", "torch.utils.benchmark", "torch.utils.dlpack",
        "torch.utils.hooks", "torch.utils.model_zoo", "torch.testing",
        "torch.overrides", "torch.version", "torch.__config__",
        "torch.__future__",
    ),
}  # fmt: skip
# Packages that programs do not import: their public names are those of others.
INTERNAL = (
    "_C", "callers", "devices", "dtypes", "errors", "exception_wrapper", "extras",
    "free_cores", "interrupts", "kernels", "layouts", "memory_events", "module_events",
    "op_events", "ops", "process_memory", "return_types", "syntax_trees", "tensor",
    "text_arguments", "value_events",
)  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """One public name.

    Attributes:
        space, name: where it is found; a method's name begins with its class.
        kind: "function", "class", "method", "property", "data", "module" ...
        signature: the arguments, and what is returned.
        doc: the sections of its docstring.
        file, line: of its source; "" and 0 for names of Python.
        same: the entry that tells it in full, if this does not.
        operation: where the page of operations has it.
    """

    space: str
    name: str
    kind: str
    signature: str
    doc: dict[str, list[str]]
    file: str = ""
    line: int = 0
    same: str = ""
    operation: str = ""

    @property
    def full(self) -> str:
        """The name as programs write it, which is the entry's anchor, too."""
        return f"{self.space}.{self.name}"


def module_of(space: str) -> ModuleType:
    """The module of a namespace; that of Tensor's methods is the library itself."""
    path = space.removeprefix("torch").removeprefix(".Tensor")
    return importlib.import_module(f"edutorch{path}")


def doc_of(space: str) -> dict[str, list[str]]:
    """What a namespace says of itself."""
    thing = Tensor if space == TENSOR else module_of(space)
    return sections(inspect.getdoc(thing) or "")


@cache
def entries(space: str) -> list[Entry]:
    """The entries of a namespace by name, each class followed by its own methods."""
    if space == TENSOR:
        names = [name for name in dir(Tensor) if not name.startswith("_")]
        return [_of_member(Tensor, "torch", name) for name in names]
    found: list[Entry] = []
    for name in _names(space):
        thing = getattr(module_of(space), name)
        found.append(_entry(space, name, thing))
        if inspect.isclass(thing) and not found[-1].same and thing is not Tensor:
            found += [_of_member(thing, space, member) for member in _members(thing)]
    return found


def _names(space: str) -> list[str]:
    names = {n for n in module_of(space).__all__ if not n.startswith("_")}
    names |= UNLISTED.get(space, set())
    return sorted(names, key=lambda name: (name.lower(), name))


def _entry(space: str, name: str, thing: Any) -> Entry:
    full, kind = f"{space}.{name}", _kind(thing)
    same = _homes().get(id(thing), full) if kind != "data" else full
    file, line = _place(thing) if kind != "data" else ("", 0)
    return Entry(
        space,
        name,
        kind,
        signature(thing) if kind not in ("data", "module") else "",
        sections(_told(thing)) if kind != "data" else {"": [f"`{_value(thing)}`"]},
        file,
        line,
        same="" if same == full else same,
        operation=operations.places().get(same, ""),
    )


def _of_member(cls: type, space: str, name: str) -> Entry:
    """A method or property, which may be a function of a namespace as well."""
    member = inspect.getattr_static(cls, name)
    function = _function(member)
    full = f"{space}.{cls.__name__}.{name}"
    file, line = _place(function)
    same = _homes().get(id(function), "")
    return Entry(
        space,
        f"{cls.__name__}.{name}",
        _member_kind(member),
        _member_signature(member),
        sections(inspect.getdoc(getattr(cls, name)) or ""),
        file,
        line,
        same=same,
        operation=operations.places().get(same or full.removeprefix("torch."), ""),
    )


def _kind(thing: Any) -> str:
    if inspect.ismodule(thing):
        return "module"
    if inspect.isclass(thing):
        return "exception" if issubclass(thing, BaseException) else "class"
    return "function" if inspect.isroutine(thing) else "data"


def _member_kind(member: Any) -> str:
    for kind in (staticmethod, classmethod):
        if isinstance(member, kind):
            return kind.__name__
    return "method" if inspect.isfunction(member) else "property"


def _member_signature(member: Any) -> str:
    """The arguments that callers give; a property has none."""
    if _member_kind(member) == "property":
        return ""
    return signature(_function(member), drop=not isinstance(member, staticmethod))


def _function(member: Any) -> Any:
    """The function behind a method or a property."""
    for name in ("fget", "__func__", "wrapped"):  # the last one of `lazy_property`
        member = getattr(member, name, member)
    return member


def _members(cls: type) -> list[str]:
    """The public methods that a class adds to those of its bases.

    Bases without an entry count as a part of the class.
    """
    inherited = {
        name for base in cls.__mro__[1:] if id(base) in _homes() for name in dir(base)
    }
    own = {
        name
        for base in cls.__mro__
        if base is cls or id(base) not in _homes()
        if base.__module__.startswith("edutorch")
        for name, member in vars(base).items()
        if inspect.isfunction(_function(member)) and not name.startswith("_")
    }
    return sorted(own - inherited)


@cache
def _homes() -> dict[int, str]:
    """Where functions, classes and modules are described in full."""
    found: dict[int, str] = {}
    spaces = [s for group in NAMESPACES.values() for s in group if s != TENSOR]
    for space in spaces:
        found[id(module_of(space))] = space
    for space in spaces:
        # Of several names for one function, its own comes first.
        things = {name: getattr(module_of(space), name) for name in _names(space)}
        own = {n: t for n, t in things.items() if getattr(t, "__name__", "") == n}
        for name, thing in (own | things).items():
            if _kind(thing) != "data":
                found.setdefault(id(thing), f"{space}.{name}")
    return found


def _told(thing: Any) -> str:
    """The docstring; a class without one does not repeat that of its base."""
    if inspect.isclass(thing):
        return inspect.cleandoc(vars(thing).get("__doc__") or "")
    return inspect.getdoc(thing) or ""


def _value(thing: Any) -> str:
    text = repr(thing)
    return text if "\n" not in text and " at 0x" not in text else type(thing).__name__


def _place(thing: Any) -> tuple[str, int]:
    """File and line of a function, a class or a module of the library."""
    thing = thing.func if isinstance(thing, partial) else inspect.unwrap(thing)
    if inspect.isclass(thing):
        return _place_of_class(thing)
    code = getattr(thing, "__code__", None)
    if code or inspect.ismodule(thing):
        file = code.co_filename if code else thing.__file__
        return _inside(Path(file)), code.co_firstlineno if code else 1
    return "", 0


def _place_of_class(cls: type) -> tuple[str, int]:
    """Its file is that of its module, or of its methods if the module only shows it."""
    module = sys.modules.get(cls.__module__)
    functions = [_function(member) for member in vars(cls).values()]
    codes = [f.__code__ for f in functions if inspect.isfunction(f)]
    files = [getattr(module, "__file__", None), *(code.co_filename for code in codes)]
    for file in filter(None, files):
        inside = _inside(Path(file))
        line = source_pages.lines_of(ROOT / inside).get(cls.__name__) if inside else 0
        if line:
            return inside, line
    return "", 0


def _inside(file: Path) -> str:
    """The name of a file of the library, from the repository on; "" for others."""
    ours = file.suffix == ".py" and file.is_relative_to(ROOT / "edutorch")
    return file.relative_to(ROOT).as_posix() if ours else ""

"""What a module is made of: parameters, buffers and children, kept by name."""

from __future__ import annotations

from typing import Any

from ..ops.convert import typename
from ..tensor.tensor import Tensor
from .hooks import global_hooks
from .parameter import Buffer, Parameter

__all__ = ["Registry"]

TABLES = ("_parameters", "_buffers", "_modules")


class Registry:
    """The part of a module that sorts what is assigned to it into three tables.

    Attributes:
        _parameters, _buffers, _modules: by name, in the order of registration.
        _non_persistent_buffers_set: names of buffers that `state_dict` leaves out.
    """

    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set[str]

    def _make_tables(self) -> None:
        own = self.__dict__
        for table in TABLES:
            own[table] = {}
        own["_non_persistent_buffers_set"] = set()

    # ---- attributes

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        for table in TABLES:
            if table in own and name in own[table]:
                return own[table][name]
        raise AttributeError(
            f"'{type(self).__name__}' object has no attribute '{name}'"
        )

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        if isinstance(value, Parameter):
            if "_parameters" not in own:
                raise AttributeError(
                    "cannot assign parameters before Module.__init__() call"
                )
            _forget(self, name, "_buffers", "_modules")
            self.register_parameter(name, value)
        elif name in own.get("_parameters", ()):
            _only_none(value, "parameter", name, "torch.nn.Parameter")
            self.register_parameter(name, None)
        elif isinstance(value, Registry):
            if "_modules" not in own:
                raise AttributeError(
                    "cannot assign module before Module.__init__() call"
                )
            _forget(self, name, "_parameters", "_buffers")
            own["_modules"][name] = _told("module", self, name, value)
        elif name in own.get("_modules", ()):
            _only_none(value, "child module", name, "torch.nn.Module")
            own["_modules"][name] = _told("module", self, name, value)
        elif isinstance(value, Buffer) or name in own.get("_buffers", ()):
            _set_buffer(self, name, value)
        else:
            object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        own = self.__dict__
        for table in TABLES:
            if name in own[table]:
                del own[table][name]
                own["_non_persistent_buffers_set"].discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        names = {*dir(type(self)), *self.__dict__}
        names.update(self._parameters, self._buffers, self._modules)
        return sorted(name for name in names if not name[:1].isdigit())

    # ---- registering by name

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter under a name; None reserves the name.

        Raises:
            KeyError: for a name that is taken, empty or has a dot.
            TypeError: for what is no Parameter.
            ValueError: for a parameter that an op has made.
        """
        _check_name(self, "parameter", name, "_parameters")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{typename(param)}' object to parameter '{name}' "
                "(torch.nn.Parameter or None required)"
            )
        if param is not None and param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model "
                f"parameters must be created explicitly. To express '{name}' as a "
                "function of another Tensor, compute the value in the forward() "
                "method."
            )
        if param is not None:
            param = _told("parameter", self, name, param)
        self._parameters[name] = param

    def register_buffer(
        self, name: str, tensor: Tensor | None, persistent: bool = True
    ) -> None:
        """Add a tensor that is state but not learnt (a running mean).

        Args:
            persistent: whether it is part of `state_dict`.

        Raises:
            KeyError: for a name that is taken, empty or has a dot.
            TypeError: for what is no tensor.
        """
        _check_name(self, "buffer", name, "_buffers")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{typename(tensor)}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        self._buffers[name] = _told("buffer", self, name, tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: Any) -> None:
        """Add a child under a name; None reserves the name.

        Raises:
            KeyError: for a name that is taken, empty or has a dot.
            TypeError: for what is no Module.
        """
        if not isinstance(module, Registry) and module is not None:
            raise TypeError(f"{typename(module)} is not a Module subclass")
        _check_name(self, "module", name, "_modules")
        self._modules[name] = _told("module", self, name, module)

    def register_module(self, name: str, module: Any) -> None:
        """The same as `add_module`."""
        self.add_module(name, module)


def _set_buffer(module: Registry, name: str, value: Any) -> None:
    """Assign a buffer: a new one, or another tensor for one that exists."""
    if not isinstance(value, Tensor):
        kinds = "torch.nn.Buffer, torch.Tensor"
        _only_none(value, "buffer", name, kinds)
    if "_buffers" not in module.__dict__:
        raise AttributeError("cannot assign buffer before Module.__init__() call")
    if isinstance(value, Buffer):
        persistent = value.persistent
    else:
        persistent = name not in module._non_persistent_buffers_set
    if name not in module._buffers:
        _forget(module, name, "_parameters", "_modules")
    module.register_buffer(name, value, persistent)


def _forget(module: Registry, name: str, *tables: str) -> None:
    """Drop what else has this name, which is about to mean something new."""
    own = module.__dict__
    own.pop(name, None)
    for table in tables:
        own[table].pop(name, None)
    own["_non_persistent_buffers_set"].discard(name)


def _check_name(module: Registry, what: str, name: Any, table: str) -> None:
    own = module.__dict__
    if table not in own and what != "module":
        raise AttributeError(f"cannot assign {what} before Module.__init__() call")
    if not isinstance(name, str):
        raise TypeError(f"{what} name should be a string. Got {typename(name)}")
    taken = hasattr(module, name) and name not in own[table]
    if what == "module" and taken:
        raise KeyError(f"attribute '{name}' already exists")
    if "." in name:
        shown = f", got: {name}" if what == "module" else ""
        raise KeyError(f'{what} name can\'t contain "."{shown}')
    if name == "":
        raise KeyError(f'{what} name can\'t be empty string ""')
    if taken:
        raise KeyError(f"attribute '{name}' already exists")


def _only_none(value: Any, what: str, name: str, kinds: str) -> None:
    """Refuse to put anything but None where something else was registered."""
    if value is not None:
        raise TypeError(
            f"cannot assign '{typename(value)}' as {what} '{name}' ({kinds} or None "
            "expected)"
        )


def _told(what: str, module: Any, name: str, value: Any) -> Any:
    """What the process-wide registration hooks make of a value."""
    for hook in global_hooks.registration[what].values():
        changed = hook(module, name, value)
        value = value if changed is None else changed
    return value

"""State dictionaries: a module's tensors by dotted name, and loading them."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, NamedTuple

from ...autograd.hooks import RemovableHandle, add_hook
from ...autograd.modes import no_grad
from ...tensor.tensor import Tensor
from ..parameter import Parameter, is_lazy

__all__ = ["ModuleState"]

EXTRA = "_extra_state"
TELL = (
    " Please file an issue at https://github.com/pytorch/pytorch/issues/new?"
    "template=bug-report.yml to report this bug."
)


class _Keys(NamedTuple):
    missing_keys: list[str]
    unexpected_keys: list[str]


class _IncompatibleKeys(_Keys):
    """The names missing from a loaded state, and the names unknown to the module."""

    __slots__ = ()

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()


class ModuleState:
    """The methods of a module that save and load its state."""

    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set[str]
    _state_dict_hooks: OrderedDict[int, Any]
    _state_dict_pre_hooks: OrderedDict[int, Any]
    _load_state_dict_pre_hooks: OrderedDict[int, Any]
    _load_state_dict_post_hooks: OrderedDict[int, Any]

    _version: int = 1  # version of the format, stored in `state_dict`

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "",
        keep_vars: bool = False,
    ) -> Any:  # fmt: skip
        """All parameters and persistent buffers by dotted name, sharing memory.

        Args:
            destination: the dictionary to fill.
            prefix: prepended to every name.
            keep_vars: the parameters themselves instead of detached tensors.

        Example:
            >>> import edutorch as torch
            >>> list(torch.nn.Linear(1, 1).state_dict())
            ['weight', 'bias']
        """
        if args:
            destination, prefix, keep_vars = _positional(
                args, destination, prefix, keep_vars
            )
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in list(self._state_dict_pre_hooks.values()):
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(
                    destination=destination,
                    prefix=f"{prefix}{name}.",
                    keep_vars=keep_vars,
                )
        for hook in list(self._state_dict_hooks.values()):
            changed = hook(self, destination, prefix, metadata)
            destination = destination if changed is None else changed
        return destination

    def _save_to_state_dict(
        self, destination: Any, prefix: str, keep_vars: bool
    ) -> None:
        """Store this module's own parameters and buffers in `destination`."""
        for name, value in (*self._parameters.items(), *self._buffers.items()):
            if value is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = value if keep_vars else value.detach()
        if type(self).get_extra_state is not ModuleState.get_extra_state:
            destination[prefix + EXTRA] = self.get_extra_state()

    def get_extra_state(self) -> Any:
        """Additional state for `state_dict`; subclasses may override this."""
        raise RuntimeError(
            "Reached a code path in Module.get_extra_state() that should never be "
            "called." + TELL
        )

    def set_extra_state(self, state: Any) -> None:
        """Restore the result of `get_extra_state`; subclasses may override this."""
        raise RuntimeError(
            "Reached a code path in Module.set_extra_state() that should never be "
            "called." + TELL
        )

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> _IncompatibleKeys:
        """Copy the values of a `state_dict` into this module's parameters and buffers.

        Args:
            strict: raise when names are missing or unknown.
            assign: use the given tensors themselves instead of copying.

        Raises:
            RuntimeError: naming missing and unexpected keys, and shapes that differ;
                then nothing has been changed.
            TypeError: for anything other than a dictionary.
        """
        return _load(self, state_dict, strict, assign)

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: Any, strict: bool,
        missing_keys: list[str], unexpected_keys: list[str], error_msgs: list[str],
    ) -> None:  # fmt: skip
        """Check the values for this module and plan the copies, which `_load` makes.

        If a program calls this itself, without a plan, the values are written at once.
        """
        for hook in list(self._load_state_dict_pre_hooks.values()):
            hook(
                self, state_dict, prefix, local_metadata, strict, missing_keys,
                unexpected_keys, error_msgs,
            )  # fmt: skip
        plan = local_metadata.get("plan", [])
        own = _persistent(self)
        for name, target in own.items():
            key = prefix + name
            if key not in state_dict:
                if strict:
                    missing_keys.append(key)
            elif (error := _mismatch(key, target, state_dict[key])) is not None:
                error_msgs.append(error)
            else:
                plan.append((self, name, state_dict[key]))
        extra = prefix + EXTRA
        if type(self).set_extra_state is not ModuleState.set_extra_state:
            if extra in state_dict:
                plan.append((self, EXTRA, state_dict[extra]))
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            unexpected_keys.extend(_unknown(self, own, state_dict, prefix))
        if "plan" not in local_metadata:
            _write_all(plan, "assign_to_params_buffers" in local_metadata)

    # ---- hooks

    def register_state_dict_pre_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook(module, prefix, keep_vars)` before `state_dict`."""
        return add_hook(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, metadata)` after `state_dict`.

        The hook changes the dictionary in place, and returns None.
        """

        def call(*args: Any) -> None:
            if hook(*args) is not None:
                raise RuntimeError("state_dict post-hook must return None")

        return add_hook(self._state_dict_hooks, call)

    def _register_state_dict_hook(self, hook: Any) -> RemovableHandle:
        """Register a hook of the older form, which may return a new dictionary."""
        return add_hook(self._state_dict_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, ...)` before values are loaded."""
        return add_hook(self._load_state_dict_pre_hooks, hook)

    def _register_load_state_dict_pre_hook(
        self, hook: Any, with_module: bool = False
    ) -> RemovableHandle:
        """Register a hook of the older form, called without the module by default."""
        if with_module:
            return self.register_load_state_dict_pre_hook(hook)
        return add_hook(self._load_state_dict_pre_hooks, lambda _, *args: hook(*args))

    def register_load_state_dict_post_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook(module, incompatible_keys)` after values are loaded."""
        return add_hook(self._load_state_dict_post_hooks, hook)


def _positional(args: Any, destination: Any, prefix: str, keep_vars: bool) -> Any:
    """Handle the deprecated positional arguments of `state_dict`."""
    warnings.warn(
        "Positional args are being deprecated, use kwargs instead. Refer to "
        "https://pytorch.org/docs/main/generated/torch.nn.Module.html"
        "#torch.nn.Module.state_dict for details.",
        FutureWarning,
        stacklevel=3,
    )
    given = dict(zip(("destination", "prefix", "keep_vars"), args, strict=False))
    return (
        destination if destination is not None else given["destination"],
        prefix or given.get("prefix", ""),
        keep_vars or given.get("keep_vars", False),
    )


# ---- loading: check everything, then write


def _load(module: Any, state: Any, strict: bool, assign: bool) -> _IncompatibleKeys:
    """Copy or assign the values of a state dictionary; see `Module.load_state_dict`."""
    if not isinstance(state, Mapping):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state)}.")
    keys = _IncompatibleKeys([], [])
    errors: list[str] = []
    plan: list[tuple[Any, str, Any]] = []
    versions = getattr(state, "_metadata", None) or {}
    found: Any = OrderedDict(state)
    found._metadata = versions

    def visit(part: Any, prefix: str, values: Any) -> None:
        metadata = dict(versions.get(prefix[:-1], {}), plan=plan)
        if assign:
            metadata["assign_to_params_buffers"] = True
        part._load_from_state_dict(
            values, prefix, metadata, True, keys.missing_keys, keys.unexpected_keys,
            errors,
        )  # fmt: skip
        for name, child in part._modules.items():
            if child is not None:
                start = f"{prefix}{name}."
                below = {k: v for k, v in values.items() if k.startswith(start)}
                visit(child, start, below)

    visit(module, "", found)
    if not (errors or (strict and (keys.missing_keys or keys.unexpected_keys))):
        _write_all(plan, assign)
        plan = []
    _call_post_hooks(module, keys)
    complaints = (_error_lines(keys) if strict else []) + errors
    if complaints:
        raise RuntimeError(
            f"Error(s) in loading state_dict for {type(module).__name__}:\n\t"
            + "\n\t".join(complaints)
        )
    _write_all(plan, assign)  # if a hook has accepted what was missing
    return keys


def _error_lines(keys: _IncompatibleKeys) -> list[str]:
    made = []
    for what, names in zip(("Missing", "Unexpected"), keys, strict=True):
        if names:
            shown = ", ".join(f'"{name}"' for name in names)
            made.append(f"{what} key(s) in state_dict: {shown}. ")
    return made


def _call_post_hooks(module: Any, keys: _IncompatibleKeys) -> None:
    """Call the hooks that run after loading, those of submodules first."""
    for child in module._modules.values():
        if child is not None:
            _call_post_hooks(child, keys)
    for hook in list(module._load_state_dict_post_hooks.values()):
        if hook(module, keys) is not None:
            raise AssertionError(
                "Hooks registered with ``register_load_state_dict_post_hook`` are not "
                "expected to return new values, if incompatible_keys need to be "
                "modified, it should be done inplace."
            )


def _persistent(module: Any) -> dict[str, Tensor]:
    """The parameters and buffers of one module that are part of its state."""
    skipped = module._non_persistent_buffers_set
    named = {**module._parameters, **module._buffers}
    return {k: v for k, v in named.items() if v is not None and k not in skipped}


def _unknown(module: Any, own: Any, state: Any, prefix: str) -> list[str]:
    """The keys under a prefix that neither this module nor its submodules know."""
    names = []
    for key in state:
        if not key.startswith(prefix) or key == prefix + EXTRA:
            continue
        head, dot, _ = key[len(prefix) :].partition(".")
        if head not in (module._modules if dot else own):
            names.append(key)
    return names


def _mismatch(key: str, target: Tensor, value: Any) -> str | None:
    if not isinstance(value, Tensor):
        return (
            f'While copying the parameter named "{key}", expected torch.Tensor or '
            f"Tensor-like object from checkpoint but received {type(value)}"
        )
    if is_lazy(target) or value._data.shape == target._data.shape:
        return None
    if target._data.ndim == 0 and value._data.shape == (1,):
        return None  # from a version without 0-d tensors
    return (
        f"size mismatch for {key}: copying a param with shape {value.shape} from "
        f"checkpoint, the shape in current model is {target.shape}."
    )


def _write_all(plan: list[tuple[Any, str, Any]], assign: bool) -> None:
    with no_grad():
        for owner, name, value in plan:
            if name == EXTRA:
                owner.set_extra_state(value)
            elif assign:
                _assign(owner, name, value)
            else:
                _copy(owner, name, value)


def _assign(owner: Any, name: str, value: Tensor) -> None:
    target = owner._parameters.get(name)
    if target is not None and not isinstance(value, Parameter):
        value = Parameter(value, target._requires_grad)
    elif target is not None:
        value.requires_grad_(target._requires_grad)
    setattr(owner, name, value)


def _copy(owner: Any, name: str, value: Tensor) -> None:
    target = getattr(owner, name)
    if is_lazy(value):  # neither shape is known yet
        return
    if is_lazy(target):
        target.materialize(value.shape, dtype=value.dtype)
    target.copy_(value[0] if target.ndim < value.ndim else value)

"""Loading a `state_dict` into a tree of modules: check everything, then copy."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..autograd.modes import no_grad
from ..tensor.tensor import Tensor
from .parameter import Parameter

__all__ = ["IncompatibleKeys", "StateDict", "load_into"]


class StateDict(OrderedDict[str, Any]):
    """A `state_dict`: an ordered dictionary with `_metadata` (versions of modules)."""

    _metadata: Any

    def __reduce__(self) -> Any:
        return OrderedDict, (), self.__dict__ or None, None, iter(self.items())


class _Keys(NamedTuple):
    missing_keys: list[str]
    unexpected_keys: list[str]


class IncompatibleKeys(_Keys):
    """The names that loading did not find, and those nobody asked for."""

    __slots__ = ()

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()


def load_into(module: Any, state: Any, strict: bool, assign: bool) -> IncompatibleKeys:
    """Copy (or assign) the values of a state dictionary, as `Module.load_state_dict`."""
    if not isinstance(state, Mapping):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state)}.")
    found = OrderedDict(state)
    metadata = getattr(state, "_metadata", None)
    missing: list[str] = []
    unexpected: list[str] = []
    errors: list[str] = []
    plan: list[tuple[Any, str, Any]] = []
    _visit(module, found, "", strict, metadata, (missing, unexpected, errors, plan))
    messages = list(errors)
    if strict:
        messages = _complaints(missing, unexpected) + messages
    if messages:
        raise RuntimeError(
            f"Error(s) in loading state_dict for {type(module).__name__}:\n\t"
            + "\n\t".join(messages)
        )
    with no_grad():
        for owner, name, value in plan:
            _write(owner, name, value, assign)
    keys = IncompatibleKeys(missing, unexpected)
    for m in module.modules():
        for hook in m._state_hooks["load_post"].values():
            hook(m, keys)
    return keys


def _complaints(missing: list[str], unexpected: list[str]) -> list[str]:
    made = []
    for what, names in (("Unexpected", unexpected), ("Missing", missing)):
        if names:
            shown = ", ".join(f'"{name}"' for name in names)
            made.insert(0, f"{what} key(s) in state_dict: {shown}. ")
    return made


def _visit(
    module: Any, state: Any, prefix: str, strict: bool, metadata: Any, notes: Any
) -> None:
    """Plan what one module takes, then its children; nothing is written yet."""
    missing, unexpected, errors, plan = notes
    local = (metadata or {}).get(prefix[:-1], {})
    for hook in module._state_hooks["load_pre"].values():
        hook(module, state, prefix, local, strict, missing, unexpected, errors)
    upgrade = getattr(module, "_upgrade_state", None)
    if upgrade is not None:
        upgrade(state, prefix, local)
    own = {**module._parameters, **module._buffers}
    for name, target in own.items():
        key = prefix + name
        if target is None or name in module._non_persistent_buffers_set:
            continue
        if key not in state:
            missing.append(key)
        elif (error := _mismatch(key, target, state[key])) is not None:
            errors.append(error)
        else:
            plan.append((module, name, state[key]))
    extra = prefix + "_extra_state"
    if extra in state and hasattr(type(module), "set_extra_state"):
        module.set_extra_state(state[extra])
    unexpected.extend(_unknown(module, own, state, prefix))
    for name, child in module._modules.items():
        if child is not None:
            _visit(child, state, f"{prefix}{name}.", strict, metadata, notes)


def _unknown(module: Any, own: dict[str, Any], state: Any, prefix: str) -> list[str]:
    names = []
    for key in state:
        if not key.startswith(prefix) or key == prefix + "_extra_state":
            continue
        head, _, rest = key[len(prefix) :].partition(".")
        if rest == "" and head not in own and head not in module._modules:
            names.append(key)
        elif rest and module._modules.get(head) is None:
            names.append(key)
        elif head in own and own[head] is None:
            names.append(key)
    return names


def _mismatch(key: str, target: Tensor, value: Any) -> str | None:
    if not isinstance(value, Tensor):
        return (
            f'While copying the parameter named "{key}", expected torch.Tensor or '
            f"Tensor-like object from checkpoint but received {type(value)}"
        )
    same = value._data.shape == target._data.shape
    if same or (target._data.ndim == 0 and value._data.shape == (1,)):
        return None
    if target.__class__.__name__ == "UninitializedParameter":
        return None
    return (
        f"size mismatch for {key}: copying a param with shape {value.shape} from "
        f"checkpoint, the shape in current model is {target.shape}."
    )


def _write(owner: Any, name: str, value: Tensor, assign: bool) -> None:
    table = owner._parameters if name in owner._parameters else owner._buffers
    target: Any = table[name]
    if assign:
        if table is owner._parameters and not isinstance(value, Parameter):
            value = Parameter(value, target._requires_grad)
        table[name] = value
        return
    if target.__class__.__name__ == "UninitializedParameter":
        target.materialize(value.shape, dtype=value.dtype)
    target.copy_(value.reshape(target.shape))

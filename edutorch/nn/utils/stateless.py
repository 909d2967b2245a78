"""Calls a module with other tensors in place of its own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...tensor.tensor import Tensor
from ..modules.module import Module

__all__ = ["call_with_tensors", "functional_call"]

MISSING = object()  # marks attributes that a module lacks


def functional_call(
    module: Module,
    parameters_and_buffers: dict[str, Tensor],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """A deprecated alias of `torch.func.functional_call`.

    Example:
        >>> import warnings, edutorch as torch
        >>> warnings.simplefilter("ignore")
        >>> layer, ones = torch.nn.Linear(2, 1, bias=False), torch.ones(1, 2)
        >>> call = torch.nn.utils.stateless.functional_call
        >>> call(layer, {"weight": ones}, torch.ones(2))
        tensor([2.])
    """
    warnings.warn(
        "`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 "
        "and will be removed in a future version of PyTorch. Please use "
        "`torch.func.functional_call` instead which is a drop-in replacement.",
        FutureWarning,
        stacklevel=2,
    )
    return call_with_tensors(
        module, parameters_and_buffers, args, kwargs, tie_weights, strict
    )


def call_with_tensors(
    module: Module,
    tensors: dict[str, Tensor],
    args: Any,
    kwargs: dict[str, Any] | None,
    tie_weights: bool,
    strict: bool,
) -> Any:
    """Call a module with other parameters and buffers, without changing it.

    What the call assigns to one of these names is in `tensors` afterwards.

    Args:
        tensors: by dotted name.
        args: a tuple of arguments, or the only one.
        tie_weights: tensors with several names stay shared.
        strict: refuse names that are missing or that the module does not have.

    Raises:
        AttributeError: for a name below a module that does not exist.
        TypeError: for arguments that are not tensors, or the name of something else.
        ValueError: for different tensors under names that are shared.
        RuntimeError: with `strict`, for names that do not fit.
    """
    arguments = () if args is None else args if isinstance(args, tuple) else (args,)
    with _other_tensors(module, tensors, tie_weights, strict):
        return module(*arguments, **(kwargs or {}))


@contextmanager
def _other_tensors(
    module: Module, given: dict[str, Tensor], tie: bool, strict: bool
) -> Iterator[None]:
    """A context in which the module has other parameters and buffers."""
    own: dict[str, Tensor] = dict(module.named_parameters(remove_duplicate=False))
    own.update(module.named_buffers(remove_duplicate=False))
    tensors = _add_tied_names(given, own) if tie else given
    if strict:
        _check_names(module, tensors, own)
    before: dict[str, Any] = {}
    try:
        for name, tensor in tensors.items():
            before[name] = _swap(module, name, tensor)
        yield
    finally:
        for name, tensor in before.items():
            now = _swap(module, name, tensor)
            if name in given:
                given[name] = now


def _swap(module: Module, name: str, tensor: Any) -> Any:
    """Replace the tensor with a dotted name and return the old one."""
    path, _, key = name.rpartition(".")
    part = module.get_submodule(path)
    if key == "":
        raise KeyError('tensor name can\'t be empty string ""')
    if not _is_replacement(tensor):
        raise TypeError(f"{tensor} is not an instance of torch.Tensor")
    for table in (part._parameters, part._buffers):
        if key in table:
            before, table[key] = table[key], tensor
            return before
    before = getattr(part, key, MISSING)
    if not _is_replacement(before):
        raise TypeError(
            f"attribute `{key}`: {before} is not an instance of torch.Tensor"
        )
    if tensor is MISSING:
        delattr(part, key)
    else:
        setattr(part, key, tensor)
    return before


def _is_replacement(tensor: Any) -> bool:
    return tensor is None or tensor is MISSING or isinstance(tensor, Tensor)


def _check_names(module: Module, given: Any, own: Any) -> None:
    unexpected = [name for name in given if name not in own]
    missing = [name for name in own if name not in given]
    if unexpected or missing:
        text = f"Error(s) in reparametrizing for {type(module).__name__}:"
        for what, names in (("Unexpected", unexpected), ("Missing", missing)):
            if names:
                text += f"\n\t{what} key(s): {', '.join(map(repr, names))}."
        raise RuntimeError(text)


def _add_tied_names(
    given: dict[str, Tensor], own: dict[str, Tensor]
) -> dict[str, Tensor]:
    """Add the other names of tensors that the module shares."""
    together: dict[int, list[str]] = {}
    for name, tensor in own.items():
        together.setdefault(id(tensor), []).append(name)
    found = dict(given)
    for names in together.values():
        present = [name for name in names if name in given]
        if len({id(given[name]) for name in present}) > 1:
            raise ValueError(
                f"functional_call got multiple values for keys {sorted(present)}, "
                "which are tied. Consider using tie_weights=False"
            )
        if present:
            found.update(dict.fromkeys(names, given[present[0]]))
    return found

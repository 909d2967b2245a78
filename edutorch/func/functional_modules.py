"""Modules as pure functions of their parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..nn.modules.batchnorm import _BatchNorm
from ..nn.modules.module import Module
from ..nn.utils.stateless import call_with_tensors
from ..ops.shape import stack
from ..tensor.tensor import Tensor

__all__ = [
    "functional_call",
    "replace_all_batch_norm_modules_",
    "stack_module_state",
]


def functional_call(
    module: Module,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call a module with other parameters and buffers, without changing it.

    Math: y = module(x; θ), which can be differentiated with respect to θ

    Args:
        parameter_and_buffer_dicts: tensors by dotted name, or several such
            dictionaries; for missing names, the module's own tensors are used.
        args: a tuple of arguments, or the only one.
        tie_weights: tensors with several names stay shared.
        strict: refuse names that are missing or that the module does not have.

    Raises:
        ValueError: for names given twice.
        AttributeError, TypeError, RuntimeError: see `call_with_tensors`.

    Example:
        >>> import edutorch as torch
        >>> layer = torch.nn.Linear(2, 1, bias=False)
        >>> ones = {"weight": torch.ones(1, 2)}
        >>> torch.func.functional_call(layer, ones, torch.ones(2))
        tensor([2.])
    """
    given = _one_dictionary(parameter_and_buffer_dicts)
    return call_with_tensors(module, given, args, kwargs, tie_weights, strict)


def _one_dictionary(given: Any) -> dict[str, Tensor]:
    if isinstance(given, dict):
        return given
    if not isinstance(given, Sequence):
        raise ValueError(
            "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of "
            f"dicts, but got {type(given)}"
        )
    if not all(isinstance(d, dict) for d in given):
        raise ValueError(
            "Expected all elements of parameter_and_buffer_dicts to be dictionaries"
        )
    names = [name for d in given for name in d]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise ValueError(
            f"{twice} appeared in multiple dictionaries; behavior of functional call "
            "is ambiguous"
        )
    return {name: t for d in given for name, t in d.items()}


def stack_module_state(
    models: Sequence[Module],
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Parameters and buffers of equal modules, each stacked along a new dimension.

    With `vmap` over `functional_call`, they run as an ensemble.

    Shape: n times (*) -> (n, *)

    Raises:
        RuntimeError: for no modules, different classes or training modes.

    Example:
        >>> import edutorch as torch
        >>> layers = [torch.nn.Linear(2, 3) for _ in range(4)]
        >>> parameters, buffers = torch.func.stack_module_state(layers)
        >>> parameters["weight"].shape
        torch.Size([4, 3, 2])
    """
    if len(models) == 0:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({m.training for m in models}) > 1:
        raise RuntimeError(
            "stack_module_state: Expected all models to have the same training/eval "
            "mode."
        )
    if len({type(m) for m in models}) > 1:
        raise RuntimeError(
            "stack_module_state: Expected all models to be of the same class."
        )
    parameters = _stacked([dict(m.named_parameters()) for m in models])
    return parameters, _stacked([dict(m.named_buffers()) for m in models])


def _stacked(states: list[dict[str, Tensor]]) -> dict[str, Any]:
    found = {}
    for name in states[0]:
        tensors = [state[name] for state in states]
        leaf = tensors[0].requires_grad
        stacked = stack([t.detach() for t in tensors])
        found[name] = stacked.requires_grad_() if leaf else stacked
    return found


def replace_all_batch_norm_modules_(root: Module) -> Module:
    """Let the batch norms in a module use the statistics of each batch alone.

    Running statistics cannot be updated inside `vmap`.

    Math: mean and var are those of the batch: running ones become None

    Example:
        >>> import edutorch as torch
        >>> net = torch.nn.Sequential(torch.nn.BatchNorm1d(2))
        >>> torch.func.replace_all_batch_norm_modules_(net)[0].track_running_stats
        False
    """
    for part in root.modules():
        if isinstance(part, _BatchNorm):
            part.running_mean = None
            part.running_var = None
            part.num_batches_tracked = None
            part.track_running_stats = False
    return root

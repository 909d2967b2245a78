"""Modules as functions of tuples of tensors, superseded by `func.functional_call`."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import Any

from ..nn.modules.module import Module
from ..nn.utils.stateless import call_with_tensors
from ..ops.shape import stack
from ..tensor.tensor import Tensor

__all__ = [
    "FunctionalModule",
    "FunctionalModuleWithBuffers",
    "combine_state_for_ensemble",
    "make_functional",
    "make_functional_with_buffers",
]

Tensors = tuple[Tensor, ...]


class FunctionalModuleWithBuffers(Module):
    """A copy of a module, called with its parameters and buffers.

    Attributes:
        stateless_model: the copy.
        param_names: in the order in which parameters are given.
        buffer_names: the same of buffers.

    Example:
        >>> import edutorch as torch
        >>> layer = torch.nn.BatchNorm1d(1).eval()
        >>> f, params, buffers = torch.functorch.make_functional_with_buffers(layer)
        >>> type(f).__name__, f.param_names, len(buffers)
        ('FunctionalModuleWithBuffers', ('weight', 'bias'), 3)
    """

    def __init__(
        self,
        stateless_model: Module,
        param_names: tuple[str, ...],
        buffer_names: tuple[str, ...],
    ) -> None:
        super().__init__()
        self.stateless_model = stateless_model
        self.param_names, self.buffer_names = param_names, buffer_names

    def forward(
        self,
        params: Iterable[Tensor],
        buffers: Iterable[Tensor],
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        """Call the module with these tensors."""
        given = dict(zip(self.param_names, params, strict=False))
        given.update(zip(self.buffer_names, buffers, strict=False))
        return call_with_tensors(self.stateless_model, given, args, kwargs, True, False)


class FunctionalModule(Module):
    """A copy of a module without buffers, called with its parameters.

    Attributes:
        stateless_model: the copy.
        param_names: in the order in which parameters are given.

    Example:
        >>> import edutorch as torch
        >>> f, params = torch.functorch.make_functional(torch.nn.Linear(2, 1))
        >>> f.param_names
        ('weight', 'bias')
    """

    def __init__(self, stateless_model: Module, param_names: tuple[str, ...]) -> None:
        super().__init__()
        self.stateless_model, self.param_names = stateless_model, param_names

    def forward(self, params: Iterable[Tensor], *args: Any, **kwargs: Any) -> Any:
        """Call the module with these tensors."""
        given = dict(zip(self.param_names, params, strict=False))
        return call_with_tensors(self.stateless_model, given, args, kwargs, True, False)


def make_functional(
    model: Module, disable_autograd_tracking: bool = False
) -> tuple[FunctionalModule, Tensors]:
    """A module as a function of its parameters, and a copy of these.

    Math: f(θ, x) = model(x; θ)

    Args:
        disable_autograd_tracking: the copies do not require grad.

    Raises:
        RuntimeError: for a module with buffers.

    Example:
        >>> import edutorch as torch
        >>> f, params = torch.functorch.make_functional(torch.nn.Linear(2, 1))
        >>> f([torch.ones(1, 2), torch.zeros(1)], torch.ones(2)).tolist()
        [2.0]
    """
    if list(model.buffers()):
        raise RuntimeError(
            "make_functional(model): `model` has buffers. Please use "
            "make_functional_with_buffers(model) instead."
        )
    function, params, _ = make_functional_with_buffers(model, disable_autograd_tracking)
    return FunctionalModule(function.stateless_model, function.param_names), params


def make_functional_with_buffers(
    model: Module, disable_autograd_tracking: bool = False
) -> tuple[FunctionalModuleWithBuffers, Tensors, Tensors]:
    """A module as a function of its parameters and buffers, and a copy of these.

    Math: f(θ, b, x) = model(x; θ, b)

    Args:
        disable_autograd_tracking: the copies do not require grad.

    Example:
        >>> import edutorch as torch
        >>> layer = torch.nn.BatchNorm1d(1, affine=False).eval()
        >>> f, params, buffers = torch.functorch.make_functional_with_buffers(layer)
        >>> f(params, (torch.ones(1), torch.ones(1), buffers[2]), torch.ones(1, 1))
        tensor([[0.]])
    """
    own = copy.deepcopy(model)
    params, buffers = dict(own.named_parameters()), dict(own.named_buffers())
    if disable_autograd_tracking:
        for p in params.values():
            p.requires_grad_(False)
    function = FunctionalModuleWithBuffers(own, tuple(params), tuple(buffers))
    return function, tuple(params.values()), tuple(buffers.values())


def combine_state_for_ensemble(
    models: Sequence[Module],
) -> tuple[FunctionalModuleWithBuffers, Tensors, Tensors]:
    """Modules of one kind as a function, with parameters and buffers of all, stacked.

    With `vmap`, the function runs all of them.

    Math: f(θᵢ, bᵢ, x) = modelᵢ(x)
    Shape: n times (*) -> (n, *)

    Raises:
        RuntimeError: for no modules, different classes or training modes.

    Example:
        >>> import edutorch as torch
        >>> layers = [torch.nn.Linear(2, 3) for _ in range(4)]
        >>> f, params, buffers = torch.functorch.combine_state_for_ensemble(layers)
        >>> torch.vmap(f, (0, 0, None))(params, buffers, torch.ones(2)).shape
        torch.Size([4, 3])
    """
    name = "combine_state_for_ensemble"
    if not models:
        raise RuntimeError(f"{name}: Expected at least one model, got 0.")
    if len({m.training for m in models}) > 1:
        raise RuntimeError(
            f"{name}: Expected all models to have the same training/eval mode."
        )
    if len({type(m) for m in models}) > 1:
        raise RuntimeError(f"{name}: Expected all models to be of the same class.")
    functions, params, buffers = zip(
        *map(make_functional_with_buffers, models), strict=True
    )
    return functions[0], _stacked(params), _stacked(buffers)


def _stacked(states: Iterable[Tensors]) -> Tensors:
    """The same tensor of each module along a new first dimension, without history."""
    return tuple([stack(column).detach() for column in zip(*states, strict=True)])

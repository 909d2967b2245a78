"""Functions that prune a module's tensors, one for each method."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ....ops import ones_like
from ....tensor.tensor import Tensor
from ...modules.module import Module
from ..convert_parameters import parameters_to_vector
from .base_method import BasePruningMethod, PruningContainer
from .pruning_methods import (
    CustomFromMask,
    Identity,
    L1Unstructured,
    LnStructured,
    RandomStructured,
    RandomUnstructured,
)

__all__ = [
    "custom_from_mask", "global_unstructured", "identity", "is_pruned",
    "l1_unstructured", "ln_structured", "random_structured", "random_unstructured",
    "remove",
]  # fmt: skip


def identity(module: Module, name: str) -> Module:
    """Add a mask of ones, which prunes nothing.

    Math: w = w_orig · mask, mask = 1

    Example:
        >>> import edutorch as torch
        >>> m = torch.nn.utils.prune.identity(torch.nn.Linear(2, 1), "bias")
        >>> m.bias_mask
        tensor([1.])
    """
    Identity.apply(module, name)
    return module


def random_unstructured(module: Module, name: str, amount: Any) -> Module:
    """Prune random entries.

    Math: w = w_orig · mask, mask = 0 for entries drawn at random

    Args:
        amount: a share (float) or a number (int).

    Raises:
        TypeError, ValueError: for an invalid amount, or one that is too large.

    Example:
        >>> import edutorch as torch
        >>> prune = torch.nn.utils.prune
        >>> m = prune.random_unstructured(torch.nn.Linear(2, 3), "weight", amount=1)
        >>> int((m.weight == 0).sum())
        1
    """
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(
    module: Module,
    name: str,
    amount: Any,
    importance_scores: Tensor | None = None,
) -> Module:
    """Prune the entries with the smallest absolute values.

    Math: w = w_orig · mask, mask = 0 for the entries of smallest |w|

    Args:
        amount: a share (float) or a number (int).
        importance_scores: what decides, instead of the tensor's values.

    Raises:
        TypeError, ValueError: for an invalid amount, or one that is too large.

    Example:
        >>> import edutorch as torch
        >>> prune = torch.nn.utils.prune
        >>> m = prune.l1_unstructured(torch.nn.Linear(2, 3), "weight", amount=0.5)
        >>> sorted(m.state_dict())
        ['bias', 'weight_mask', 'weight_orig']
    """
    L1Unstructured.apply(
        module, name, amount=amount, importance_scores=importance_scores
    )
    return module


def random_structured(module: Module, name: str, amount: Any, dim: int) -> Module:
    """Prune random channels.

    Math: w = w_orig · mask, mask[c] = 0 for channels c drawn at random

    Args:
        amount: a share (float) or a number (int) of the channels.
        dim: along which they lie.

    Raises:
        TypeError, ValueError: for an invalid or too large amount, or a vector.
        IndexError: for a dimension that does not exist.

    Example:
        >>> import edutorch as torch
        >>> prune = torch.nn.utils.prune
        >>> m = prune.random_structured(torch.nn.Linear(5, 3), "weight", 3, dim=1)
        >>> int((m.weight.sum(0) == 0).sum())
        3
    """
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(
    module: Module,
    name: str,
    amount: Any,
    n: Any,
    dim: int,
    importance_scores: Tensor | None = None,
) -> Module:
    """Prune the channels with the smallest norms.

    Math: w = w_orig · mask, mask[c] = 0 for the channels of smallest ‖w[c]‖ₙ

    Args:
        amount: a share (float) or a number (int) of the channels.
        n: which norm.
        dim: along which the channels lie.
        importance_scores: what decides, instead of the tensor's values.

    Raises:
        TypeError, ValueError: for an invalid or too large amount, or a vector.
        IndexError: for a dimension that does not exist.

    Example:
        >>> import edutorch as torch
        >>> m = torch.nn.Linear(2, 2)
        >>> _ = torch.nn.init.eye_(m.weight)
        >>> _ = torch.nn.utils.prune.ln_structured(m, "weight", 0.5, n=2, dim=0)
        >>> int((m.weight != 0).sum())
        1
    """
    LnStructured.apply(
        module, name, amount, n, dim, importance_scores=importance_scores
    )
    return module


def custom_from_mask(module: Module, name: str, mask: Tensor) -> Module:
    """Prune the entries where a mask is 0.

    Math: w = w_orig · mask

    Example:
        >>> import edutorch as torch
        >>> prune = torch.nn.utils.prune
        >>> m = prune.custom_from_mask(torch.nn.Linear(5, 1), "bias", torch.zeros(1))
        >>> m.bias_mask
        tensor([0.])
    """
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(
    parameters: Iterable[tuple[Module, str]],
    pruning_method: type[BasePruningMethod],
    importance_scores: dict[tuple[Module, str], Tensor] | None = None,
    **kwargs: Any,
) -> None:
    """Prune several tensors together.

    Math: w_k = w_k,orig · mask_k, the masks of all w_k chosen together

    Args:
        parameters: pairs of a module and a name.
        pruning_method: a class whose PRUNING_TYPE is "unstructured"; `kwargs` are its
            arguments.
        importance_scores: what decides, instead of the values, by pair.

    Raises:
        TypeError: if the parameters are not iterable, the scores are not a dictionary,
            or the method is not unstructured.

    Example:
        >>> import edutorch as torch
        >>> prune = torch.nn.utils.prune
        >>> net = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.Linear(2, 1))
        >>> pairs = [(net[0], "weight"), (net[1], "weight")]
        >>> prune.global_unstructured(pairs, prune.L1Unstructured, amount=4)
        >>> int(sum((module.weight == 0).sum() for module in net))
        4
    """
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    given = {} if importance_scores is None else importance_scores
    if not isinstance(given, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    pairs = list(parameters)
    tensors = [getattr(module, name) for module, name in pairs]
    scores = [given.get(pair, t) for pair, t in zip(pairs, tensors, strict=True)]
    masks = [
        getattr(module, name + "_mask", ones_like(t))
        for (module, name), t in zip(pairs, tensors, strict=True)
    ]
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. '
            f"Found method {pruning_method} of type {method.PRUNING_TYPE}"
        )
    method._tensor_name = "temp"
    all_scores, before = parameters_to_vector(scores), parameters_to_vector(masks)
    mask = PruningContainer(method).compute_mask(all_scores, before)
    start = 0
    for (module, name), t in zip(pairs, tensors, strict=True):
        part = mask[start : start + t.numel()].view_as(t)
        custom_from_mask(module, name, mask=part)
        start += t.numel()


def remove(module: Module, name: str) -> Module:
    """Make a pruned tensor a parameter again; pruned entries stay 0.

    Math: w ← w_orig · mask

    Raises:
        ValueError: for a tensor that is not pruned.

    Example:
        >>> import edutorch as torch
        >>> prune = torch.nn.utils.prune
        >>> m = prune.random_unstructured(torch.nn.Linear(5, 7), "weight", amount=0.2)
        >>> sorted(prune.remove(m, "weight").state_dict())
        ['bias', 'weight']
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(
        f"Parameter '{name}' of module {module} has to be pruned before pruning can be "
        "removed"
    )


def is_pruned(module: Module) -> bool:
    """Whether anything in a module is pruned.

    Example:
        >>> import edutorch as torch
        >>> m = torch.nn.Linear(5, 7)
        >>> torch.nn.utils.prune.is_pruned(m)
        False
    """
    return any(
        isinstance(hook, BasePruningMethod)
        for part in module.modules()
        for hook in part._forward_pre_hooks.values()
    )

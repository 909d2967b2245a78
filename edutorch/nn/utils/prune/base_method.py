"""The base class of pruning methods: masks, hooks, and combinations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from ....ops import ones_like
from ....tensor.tensor import Tensor
from ...modules.module import Module

__all__ = ["BasePruningMethod", "PruningContainer", "channel_index"]


class BasePruningMethod(ABC):
    """Base class of pruning methods; subclasses define `compute_mask` and PRUNING_TYPE.

    PRUNING_TYPE is "unstructured" (single entries), "structured" (whole channels, along
    `dim`) or "global": which entries are left to choose from when a tensor is pruned
    again.

    Math: w = w_orig · mask

    Example:
        >>> import edutorch as torch
        >>> class Negative(torch.nn.utils.prune.BasePruningMethod):
        ...     PRUNING_TYPE = "unstructured"
        ...
        ...     def compute_mask(self, t, default_mask):
        ...         return default_mask * (t >= 0)
        >>> Negative().prune(torch.tensor([1.0, -2.0, 3.0]))
        tensor([1., -0., 3.])
    """

    _tensor_name: str
    PRUNING_TYPE: str

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The new mask, given importance scores and the existing mask."""

    def apply_mask(self, module: Module) -> Tensor:
        """The pruned tensor of a module."""
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned")
        mask = getattr(module, self._tensor_name + "_mask")
        original = getattr(module, self._tensor_name + "_orig")
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def apply(
        cls,
        module: Module,
        name: str,
        *args: Any,
        importance_scores: Tensor | None = None,
        **kwargs: Any,
    ) -> Any:
        """Prune a tensor of a module, which may already be pruned.

        Args:
            importance_scores: what decides, instead of the tensor's values.
        """
        method = _combined_method(module, name, cls(*args, **kwargs))
        again = isinstance(method, PruningContainer)
        tensor = getattr(module, name)
        scores = tensor if importance_scores is None else importance_scores
        if scores.shape != tensor.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as parameter {name} of "
                f"{module}, got {scores.shape} vs {tensor.shape}"
            )
        if again:
            before = getattr(module, name + "_mask").detach().clone()
        else:
            before = ones_like(tensor)
        mask = method.compute_mask(scores, default_mask=before)
        if not again:
            module.register_parameter(name + "_orig", tensor)
            del module._parameters[name]
        module.register_buffer(name + "_mask", mask)
        setattr(module, name, method.apply_mask(module))
        module.register_forward_pre_hook(method)
        return method

    def prune(
        self,
        t: Tensor,
        default_mask: Tensor | None = None,
        importance_scores: Tensor | None = None,
    ) -> Tensor:
        """A tensor times its mask."""
        scores = t if importance_scores is None else importance_scores
        if scores.shape != t.shape:
            raise AssertionError(
                "importance_scores should have the same shape as tensor t, got "
                f"{scores.shape} vs {t.shape}"
            )
        before = ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(scores, default_mask=before)

    def remove(self, module: Module) -> None:
        """Make the pruned tensor a parameter again; pruned entries stay 0."""
        name = self._tensor_name
        if name is None:
            raise AssertionError(
                f"Module {module} has to be pruned before pruning can be removed"
            )
        pruned = self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        original: Any = module._parameters.pop(name + "_orig")
        original.data = pruned.data
        del module._buffers[name + "_mask"]
        setattr(module, name, original)


def _combined_method(module: Module, name: str, method: Any) -> Any:
    """Combine a method with those already there, whose hook is removed."""
    method._tensor_name = name
    hooks = module._forward_pre_hooks
    old = [key for key, hook in hooks.items() if _is_pruning_hook(hook, name)]
    if len(old) > 1:
        raise AssertionError(
            f"Avoid adding multiple pruning hooks to the same tensor {name} of module "
            f"{module}. Use a PruningContainer."
        )
    if not old:
        return method
    before = hooks.pop(old[0])
    several = before if isinstance(before, PruningContainer) else (
        PruningContainer(before)
    )  # fmt: skip
    several.add_pruning_method(method)
    return several


def _is_pruning_hook(hook: Any, name: str) -> bool:
    return isinstance(hook, BasePruningMethod) and hook._tensor_name == name


class PruningContainer(BasePruningMethod):
    """Several pruning methods applied to one tensor in order.

    Raises:
        TypeError: for an argument that is not a pruning method.
        ValueError: for one of another tensor.

    Example:
        >>> import edutorch as torch
        >>> prune, m = torch.nn.utils.prune, torch.nn.Linear(4, 1)
        >>> _ = prune.l1_unstructured(m, "weight", amount=1)
        >>> _ = prune.l1_unstructured(m, "weight", amount=1)
        >>> [type(method).__name__ for method in m._forward_pre_hooks.values()]
        ['PruningContainer']
        >>> int(m.weight_mask.sum())
        2
    """

    def __init__(self, *args: BasePruningMethod) -> None:
        self._pruning_methods: tuple[Any, ...] = ()
        if len(args) == 1:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: BasePruningMethod | None) -> None:
        """Add a pruning method for the same tensor."""
        if not isinstance(method, BasePruningMethod) and method is not None:
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(
                "Can only add pruning methods acting on the parameter named "
                f"'{self._tensor_name}' to PruningContainer {self}. Found "
                f"'{method._tensor_name}'"
            )
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._pruning_methods)

    def __getitem__(self, idx: Any) -> Any:
        return self._pruning_methods[idx]

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """Apply the last method to what the others have left."""
        method = self._pruning_methods[-1]
        left = _unpruned_index(method, t, default_mask)
        mask = default_mask.to(dtype=t.dtype)
        part = method.compute_mask(t[left], default_mask=default_mask[left])
        mask[left] = part.to(dtype=mask.dtype)
        return mask


def _unpruned_index(method: Any, t: Tensor, mask: Tensor) -> Any:
    """The index of the entries that are not pruned yet."""
    if method.PRUNING_TYPE == "unstructured":
        return mask == 1
    if method.PRUNING_TYPE == "global":
        return (slice(None),) * t.dim()
    if method.PRUNING_TYPE != "structured":
        raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
    if not hasattr(method, "dim"):
        raise AttributeError(
            'Pruning methods of PRUNING_TYPE "structured" need to have the attribute '
            "`dim` defined."
        )
    dim = method.dim + t.dim() if method.dim < 0 else method.dim
    if dim < 0:
        raise IndexError(f"Index is out of bounds for tensor with dimensions {t.dim()}")
    others = [d for d in range(t.dim()) if d != dim]
    return channel_index(t, dim, mask.sum(dim=others) != 0)


def channel_index(t: Tensor, dim: int, chosen: Any) -> tuple[Any, ...]:
    """The index of selected entries along one dimension."""
    index: list[Any] = [slice(None)] * t.dim()
    index[dim] = chosen
    return tuple(index)

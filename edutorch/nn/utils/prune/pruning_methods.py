"""Pruning methods: random, by magnitude or by a mask; of entries or of channels."""

# As in PyTorch, each `apply` has its own parameters:
# mypy: disable-error-code="override"

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

from ....ops import kthvalue, norm, rand, rand_like, topk, zeros_like
from ....tensor.tensor import Tensor
from ...modules.module import Module
from .base_method import BasePruningMethod, channel_index

__all__ = [
    "CustomFromMask", "Identity", "L1Unstructured", "LnStructured", "RandomStructured",
    "RandomUnstructured",
]  # fmt: skip


def _check_amount(amount: Any) -> None:
    real = isinstance(amount, Real)
    if not real:
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    integral = isinstance(amount, Integral)
    if amount < 0 or (not integral and amount > 1.0):
        raise ValueError(
            f"amount={amount} should either be a float in the range [0, 1] or a "
            "non-negative integer"
        )


def _count(amount: Any, size: int) -> int:
    """The number of entries to prune, given as a number or as a fraction of `size`."""
    count = int(amount) if isinstance(amount, Integral) else round(amount * size)
    if count > size:
        raise ValueError(
            f"amount={count} should be smaller than the number of parameters to "
            f"prune={size}"
        )
    return count


def _channels(t: Tensor, dim: int, amount: Any) -> int:
    """The number of channels to prune."""
    if t.dim() <= 1:
        raise ValueError(
            "Structured pruning can only be applied to multidimensional tensors. Found "
            f"tensor of shape {t.shape} with {t.dim()} dims"
        )
    if dim >= t.dim():
        raise IndexError(f"Invalid index {dim} for tensor of size {t.shape}")
    return _count(amount, t.shape[dim])


class Identity(BasePruningMethod):
    """Prunes nothing, but adds a mask.

    Math: mask = 1

    Example:
        >>> import edutorch as torch
        >>> ones = torch.ones(2)
        >>> torch.nn.utils.prune.Identity().compute_mask(torch.tensor([3.0, 1.0]), ones)
        tensor([1., 1.])
    """

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The existing mask."""
        return default_mask

    @classmethod
    def apply(cls, module: Module, name: str) -> Any:
        """Add a mask of ones to a tensor of a module."""
        return super().apply(module, name)


class _Unstructured(BasePruningMethod):
    """Base class: prunes the entries that `least_important` chooses."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount: Any) -> None:
        _check_amount(amount)
        self.amount = amount

    def least_important(self, t: Tensor, count: int) -> Tensor:
        """The indices of the entries to prune."""
        raise NotImplementedError

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The existing mask with more zeros."""
        count = _count(self.amount, t.nelement())
        mask = default_mask.clone()
        if count:
            mask.view(-1)[self.least_important(t, count)] = 0
        return mask


class RandomUnstructured(_Unstructured):
    """Prunes random entries.

    Math: mask = 0 for `amount` entries drawn at random, else 1

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> prune = torch.nn.utils.prune.RandomUnstructured(amount=0.5)
        >>> int(prune.compute_mask(torch.ones(4), torch.ones(4)).sum())
        2
    """

    def least_important(self, t: Tensor, count: int) -> Tensor:
        """Random indices."""
        return topk(rand_like(t).view(-1), k=count).indices

    @classmethod
    def apply(cls, module: Module, name: str, amount: Any) -> Any:
        """Prune a fraction (float) or a number (int) of entries."""
        return super().apply(module, name, amount=amount)


class L1Unstructured(_Unstructured):
    """Prunes the entries with the smallest absolute values.

    Math: mask = 0 for the `amount` entries of smallest |w|, else 1

    Example:
        >>> import edutorch as torch
        >>> prune = torch.nn.utils.prune.L1Unstructured(amount=2)
        >>> prune.compute_mask(torch.tensor([3.0, -1.0, 0.5, 2.0]), torch.ones(4))
        tensor([1., 0., 0., 1.])
    """

    def least_important(self, t: Tensor, count: int) -> Tensor:
        """The indices of the smallest absolute values."""
        return topk(t.abs().view(-1), k=count, largest=False).indices

    @classmethod
    def apply(
        cls, module: Module, name: str, amount: Any, importance_scores: Any = None
    ) -> Any:
        """Prune a fraction (float) or a number (int) of entries."""
        return super().apply(
            module, name, amount=amount, importance_scores=importance_scores
        )


class RandomStructured(BasePruningMethod):
    """Prunes random channels.

    Math: mask[c] = 0 for `amount` channels c along `dim` drawn at random, else 1

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> prune = torch.nn.utils.prune.RandomStructured(amount=1, dim=0)
        >>> prune.compute_mask(torch.ones(2, 2), torch.ones(2, 2)).sum(1).sort().values
        tensor([0., 2.])
    """

    PRUNING_TYPE = "structured"

    def __init__(self, amount: Any, dim: int = -1) -> None:
        _check_amount(amount)
        self.amount = amount
        self.dim = dim

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The existing mask with more channels set to zero."""
        count = _channels(t, self.dim, self.amount)
        if not count:
            return default_mask
        drawn = rand(t.shape[self.dim])
        mask = zeros_like(t)
        mask[channel_index(t, self.dim, drawn > kthvalue(drawn, k=count).values)] = 1
        return mask * default_mask.to(dtype=mask.dtype)

    @classmethod
    def apply(cls, module: Module, name: str, amount: Any, dim: int = -1) -> Any:
        """Prune a fraction (float) or a number (int) of channels."""
        return super().apply(module, name, amount=amount, dim=dim)


class LnStructured(BasePruningMethod):
    """Prunes the channels with the smallest norms.

    Math: mask[c] = 0 for the `amount` channels of smallest ‖w[c]‖ₙ, else 1

    Example:
        >>> import edutorch as torch
        >>> prune = torch.nn.utils.prune.LnStructured(amount=1, n=2, dim=0)
        >>> prune.compute_mask(torch.tensor([[1.0, 1.0], [0.0, 3.0]]), torch.ones(2, 2))
        tensor([[0., 0.],
                [1., 1.]])
    """

    PRUNING_TYPE = "structured"

    def __init__(self, amount: Any, n: Any, dim: int = -1) -> None:
        _check_amount(amount)
        self.amount = amount
        self.n = n
        self.dim = dim

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The existing mask with more channels set to zero."""
        count = _channels(t, self.dim, self.amount)
        if not count:
            return default_mask
        others = [d for d in range(t.dim()) if d != self.dim % t.dim()]
        norms = norm(t, p=self.n, dim=others)
        largest_norms = topk(norms, k=t.shape[self.dim] - count, largest=True).indices
        mask = zeros_like(t)
        mask[channel_index(t, self.dim, largest_norms)] = 1
        return mask * default_mask.to(dtype=mask.dtype)

    @classmethod
    def apply(
        cls, module: Module, name: str, amount: Any, n: Any, dim: int,
        importance_scores: Any = None,
    ) -> Any:  # fmt: skip
        """Prune a fraction (float) or a number (int) of channels."""
        return super().apply(
            module, name, amount=amount, n=n, dim=dim,
            importance_scores=importance_scores,
        )  # fmt: skip


class CustomFromMask(BasePruningMethod):
    """Prunes the entries where a given mask is 0.

    Math: mask = the one before · the one given

    Example:
        >>> import edutorch as torch
        >>> prune = torch.nn.utils.prune.CustomFromMask(torch.tensor([1.0, 0.0]))
        >>> prune.compute_mask(torch.tensor([3.0, 4.0]), torch.ones(2))
        tensor([1., 0.])
    """

    PRUNING_TYPE = "global"

    def __init__(self, mask: Tensor) -> None:
        self.mask = mask

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The product of both masks."""
        if default_mask.shape != self.mask.shape:
            raise AssertionError(
                f"default_mask shape {default_mask.shape} must match self.mask shape "
                f"{self.mask.shape}"
            )
        return default_mask * self.mask.to(dtype=default_mask.dtype)

    @classmethod
    def apply(cls, module: Module, name: str, mask: Tensor) -> Any:
        """Prune by a mask."""
        return super().apply(module, name, mask=mask)

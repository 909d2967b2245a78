"""The base of batch and instance normalisation: parameters and running statistics."""

from __future__ import annotations

from typing import Any

from ... import dtypes
from ...tensor.tensor import Tensor
from .. import init
from ..factories import empty_parameter, full_tensor
from .module import Module

__all__: list[str] = []


class _NormBase(Module):
    """The affine parameters and running statistics of batch and instance norm.

    Args:
        num_features: the number of channels.
        eps: added to the variance.
        momentum: the share of a new batch in the running statistics; None: their mean.
        affine: whether weight and bias are learnt; `bias`: whether there is a bias.
        track_running_stats: whether running statistics are tracked.
    """

    _version = 2  # 1: without num_batches_tracked
    ranks: tuple[int, ...] = ()  # the numbers of dimensions of the input
    expected = ""  # the same in words

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        sizes = isinstance(num_features, (tuple, list))  # as `empty` takes them
        given: Any = num_features
        shape = tuple(given) if sizes else (given,)
        for name, present in (("weight", affine), ("bias", affine and bias)):
            made = empty_parameter(shape, device, dtype) if present else None
            self.register_parameter(name, made)
        mean = variance = count = None
        if track_running_stats:
            mean = full_tensor(shape, 0, device, dtype)
            variance = full_tensor(shape, 1, device, dtype)
            count = full_tensor((), 0, device, dtypes.int64)
        self.register_buffer("running_mean", mean)
        self.register_buffer("running_var", variance)
        self.register_buffer("num_batches_tracked", count)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Reset the running mean, variance and batch count."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Reset the weight to 1, the bias to 0, and the statistics."""
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
            if self.bias is not None:
                init.zeros_(self.bias)

    def _check_input_dim(self, input: Tensor) -> None:
        if input.ndim not in self.ranks:
            raise ValueError(
                f"expected {self.expected} input (got {input.ndim}D input)"
            )

    def _count_batch(self) -> float:
        """Count a batch in training; return its weight in the running statistics."""
        counts = self.track_running_stats and self.num_batches_tracked is not None
        if self.training and counts:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:  # cumulative average over all batches
                return 1.0 / float(self.num_batches_tracked)
        return 0.0 if self.momentum is None else self.momentum

    def _running_statistics(self) -> tuple[Tensor | None, Tensor | None]:
        """The running mean and variance, if this call uses or updates them."""
        tracked = not self.training or self.track_running_stats
        return (self.running_mean, self.running_var) if tracked else (None, None)

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: Any, *notes: Any
    ) -> None:
        key = prefix + "num_batches_tracked"
        old = local_metadata.get("version") in (None, 1)
        if old and self.track_running_stats and key not in state_dict:
            state_dict[key] = self.num_batches_tracked
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *notes)

    def extra_repr(self) -> str:
        """The settings."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, "
            f"affine={self.affine}, bias={self.bias is not None}, "
            f"track_running_stats={self.track_running_stats}"
        )

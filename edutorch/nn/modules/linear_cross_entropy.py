"""A linear map followed by cross entropy, as one layer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ... import dtypes
from ...tensor.tensor import Tensor
from .. import functional as F
from .linear import Linear
from .loss_base import _WeightedLoss

__all__ = ["LinearCrossEntropyLoss", "LinearCrossEntropyOptions"]

FLOATS = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)


@dataclass(slots=True, frozen=True)
class LinearCrossEntropyOptions:
    """How to compute a linear cross entropy by blocks of samples.

    Attributes:
        allow_retain_graph: ignored; a backward may always be repeated here.
        batch_chunk_size: samples in a block; None: as `chunking_method` says.
        chunking_method: "auto", "aspect_ratio" (scores of a block take as much memory
            as all inputs), "aspect_ratio:N" (an Nth of it), or None (all at once).
        acc_policy: ignored; sums are always formed in the wider dtype here.
        acc_dtype: that dtype, None or float32 for half precision.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LinearCrossEntropyOptions(batch_chunk_size=4).batch_chunk_size
        4
    """

    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: str = "auto"
    acc_dtype: Any = None

    def __post_init__(self) -> None:
        if self.acc_policy not in ("auto", "accurate", "balanced", "compact"):
            raise ValueError(f"invalid acc_policy: {self.acc_policy!r}")
        method, size = self.chunking_method, self.batch_chunk_size
        if method not in (None, "auto"):
            name, _, parts = str(method).partition(":")
            parts = "1" if ":" not in str(method) else parts
            if name != "aspect_ratio" or not parts.isdigit() or int(parts) < 1:
                raise ValueError(f"invalid chunking_method: {method!r}")
        if size is not None and not (isinstance(size, int) and size > 0):
            raise ValueError(
                f"batch_chunk_size must be positive int or None, got {size!r}"
            )
        if self.acc_dtype is not None and self.acc_dtype not in FLOATS:
            raise ValueError(
                "acc_dtype must be one of {None, torch.float16, torch.bfloat16, "
                f"torch.float32, torch.float64}}, got {self.acc_dtype!r}. Pass "
                "acc_dtype=None to let the op pick automatically."
            )


class LinearCrossEntropyLoss(_WeightedLoss):
    """The cross entropy of scores computed by a learned linear map.

    Math: L = cross_entropy(x wᵀ + b, t)
          ∂L/∂x = d w      ∂L/∂w = dᵀ x      ∂L/∂b = Σ d, d the gradient of the scores
    Shape: (N, in_features), (N, *out_features) -> ()

    Args:
        in_features: size of each input.
        num_classes: how many classes there are.
        out_features: further dimensions of targets.
        bias: whether the map has one.
        reduction: "mean", "sum" or "none".
        weight: of each class.
        ignore_index: a target that does not count.
        label_smoothing: how much of each target is spread over all classes.
        options: compute by blocks of samples.

    Example:
        >>> import edutorch as torch
        >>> loss = torch.nn.LinearCrossEntropyLoss(3, 4)
        >>> loss(torch.zeros(2, 3), torch.tensor([0, 1]))
        tensor(1.3863, grad_fn=<NllLossBackward0>)
    """

    def __init__(
        self,
        in_features: int,
        num_classes: int,
        *,
        out_features: tuple[int, ...] = (),
        bias: bool = False,
        device: Any = None,
        dtype: Any = None,
        reduction: str = "mean",
        weight: Tensor | None = None,
        ignore_index: int | None = None,
        label_smoothing: float = 0.0,
        options: LinearCrossEntropyOptions | None = None,
    ) -> None:
        if weight is not None and tuple(weight.shape) != (num_classes,):
            raise RuntimeError(
                f"expected weight shape to be {(num_classes,)}, got "
                f"{tuple(weight.shape)}"
            )
        if not 0 <= label_smoothing <= 1:
            raise RuntimeError(
                f"expected label_smoothing to be in range [0, 1], got {label_smoothing}"
            )
        super().__init__(weight, reduction=reduction)
        self.num_classes, self.out_features = num_classes, out_features
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing
        outputs = num_classes * math.prod(out_features)
        self.linear = Linear(in_features, outputs, bias, device, dtype)
        self.options = options

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        shape = (self.num_classes, *self.out_features)
        bias = self.linear.bias
        return F.linear_cross_entropy(
            input,
            self.linear.weight.reshape((*shape, self.linear.in_features)),
            target,
            linear_bias=None if bias is None else bias.reshape(shape),
            weight=self.weight,
            reduction=self.reduction,
            ignore_index=self.ignore_index,
            label_smoothing=self.label_smoothing,
            options=self.options,
        )

    def extra_repr(self) -> str:
        """The settings."""
        return (
            f"in_features={self.linear.in_features}, num_classes={self.num_classes}, "
            f"out_features={self.out_features}, bias={self.linear.bias is not None}, "
            f"reduction={self.reduction}, ignore_index={self.ignore_index}, "
            f"label_smoothing={self.label_smoothing}, options={self.options}"
        )

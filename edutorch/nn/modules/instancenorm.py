"""Instance normalisation layers."""

from __future__ import annotations

import warnings
from typing import Any

from ...tensor.tensor import Tensor
from .. import functional as F
from .norm_base import _NormBase

__all__ = ["InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d"]


class _InstanceNorm(_NormBase):
    """Base class: instance normalisation of inputs with any number of dimensions."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(
            num_features, eps, momentum, affine, track_running_stats, device, dtype,
            bias=bias,
        )  # fmt: skip

    def forward(self, input: Tensor) -> Tensor:
        """Normalise each channel of each sample."""
        self._check_input_dim(input)
        single = input.ndim == self.ranks[0]  # a sample without a batch dimension
        self._check_channels(input, 0 if single else 1)
        x = input.unsqueeze(0) if single else input
        y = F.instance_norm(
            x,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            0.0 if self.momentum is None else self.momentum,
            self.eps,
        )
        return y.squeeze(0) if single else y

    def _check_channels(self, input: Tensor, dim: int) -> None:
        found = input.shape[dim]
        if found == self.num_features:
            return
        if self.affine:
            raise ValueError(
                f"expected input's size at dim={dim} to match num_features"
                f" ({self.num_features}), but got: {found}."
            )
        warnings.warn(
            f"input's size at dim={dim} does not match num_features. You can silence "
            "this warning by not passing in num_features, which is not used because "
            "affine=False",
            stacklevel=4,
        )

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: Any, strict: bool,
        missing_keys: list[str], unexpected_keys: list[str], error_msgs: list[str],
    ) -> None:  # fmt: skip
        keys = [prefix + "running_mean", prefix + "running_var"]
        found = [key for key in keys if key in state_dict]
        if local_metadata.get("version") is None and not self.track_running_stats:
            if found:
                error_msgs.append(_no_statistics(type(self).__name__, found))
            for key in found:
                state_dict.pop(key)
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
            error_msgs,
        )  # fmt: skip


def _no_statistics(name: str, keys: list[str]) -> str:
    shown = " and ".join(f'"{key}"' for key in keys)
    return (
        f"Unexpected running stats buffer(s) {shown} for {name} with "
        "track_running_stats=False. If state_dict is a checkpoint saved before 0.4.0, "
        f"this may be expected because {name} does not track running stats by default "
        "since 0.4.0. Please remove these keys from state_dict. If the running stats "
        f"are actually needed, instead set track_running_stats=True in {name} to "
        f"enable them. See the documentation of {name} for details."
    )


class InstanceNorm1d(_InstanceNorm):
    """Normalise each channel of each sequence separately.

    Math: y = (x - mean) / √(var + eps) · weight + bias, per sample and channel
          ∂L/∂x = (h - mean(h) - z · mean(h·z)) / √(var + eps), h = g · weight,
          z = (y - bias) / weight      ∂L/∂weight = Σ g·z      ∂L/∂bias = Σ g
    Shape: (N, C, L) or (C, L) -> the same
    Reference: Ulyanov, Vedaldi and Lempitsky, 2016.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.InstanceNorm1d(1)(torch.tensor([[[1.0, 3.0]]]))
        tensor([[[-1.0000,  1.0000]]])
    """

    ranks = (2, 3)
    expected = "2D or 3D"


class InstanceNorm2d(_InstanceNorm):
    """Normalise each channel of each image separately.

    Math: y = (x - mean) / √(var + eps) · weight + bias, per sample and channel
          ∂L/∂x = (h - mean(h) - z · mean(h·z)) / √(var + eps), h = g · weight,
          z = (y - bias) / weight      ∂L/∂weight = Σ g·z      ∂L/∂bias = Σ g
    Shape: (N, C, H, W) or (C, H, W) -> the same
    Reference: Ulyanov, Vedaldi and Lempitsky, 2016.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1.0, 3.0]).reshape(1, 1, 1, 2)
        >>> torch.nn.InstanceNorm2d(1)(torch.cat([x, 100 * x])).flatten()
        tensor([-1.0000,  1.0000, -1.0000,  1.0000])
    """

    ranks = (3, 4)
    expected = "3D or 4D"


class InstanceNorm3d(_InstanceNorm):
    """Normalise each channel of each volume separately.

    Math: y = (x - mean) / √(var + eps) · weight + bias, per sample and channel
          ∂L/∂x = (h - mean(h) - z · mean(h·z)) / √(var + eps), h = g · weight,
          z = (y - bias) / weight      ∂L/∂weight = Σ g·z      ∂L/∂bias = Σ g
    Shape: (N, C, D, H, W) or (C, D, H, W) -> the same
    Reference: Ulyanov, Vedaldi and Lempitsky, 2016.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1.0, 3.0]).reshape(1, 1, 1, 1, 2)
        >>> torch.nn.InstanceNorm3d(1)(x).flatten()
        tensor([-1.0000,  1.0000])
    """

    ranks = (4, 5)
    expected = "4D or 5D"

"""Layers that infer their number of inputs in the first call."""

from __future__ import annotations

from typing import Any

from ... import dtypes
from ...tensor.tensor import Tensor
from ..factories import full_tensor
from ..parameter import UninitializedBuffer, UninitializedParameter
from ..qualnames import RequalifyInit
from .batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d, _BatchNorm
from .conv import (
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
    ConvTranspose3d,
)
from .instancenorm import (
    InstanceNorm1d,
    InstanceNorm2d,
    InstanceNorm3d,
    _InstanceNorm,
)
from .lazy import LazyModuleMixin
from .linear import Linear

__all__ = [
    "LazyBatchNorm1d", "LazyBatchNorm2d", "LazyBatchNorm3d", "LazyConv1d", "LazyConv2d",
    "LazyConv3d", "LazyConvTranspose1d", "LazyConvTranspose2d", "LazyConvTranspose3d",
    "LazyInstanceNorm1d", "LazyInstanceNorm2d", "LazyInstanceNorm3d", "LazyLinear",
]  # fmt: skip


class LazyLinear(LazyModuleMixin, Linear):
    """A `Linear` that infers `in_features` from the first input.

    Math: as `Linear`
    Shape: as `Linear`

    Example:
        >>> import edutorch as torch
        >>> layer = torch.nn.LazyLinear(3)
        >>> layer(torch.zeros(2, 5)).shape, layer.weight.shape
        (torch.Size([2, 3]), torch.Size([3, 5]))
    """

    cls_to_become = Linear

    def __init__(
        self,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(0, 0, bias=False)
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_features = out_features
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        """Reinitialise weight and bias, if their shapes are known."""
        if self.in_features != 0 and not self.has_uninitialized_params():
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:
        """Infer the shapes from the last dimension of the input."""
        if self.has_uninitialized_params():
            self.in_features = input.shape[-1]
            self.weight.materialize((self.out_features, self.in_features))
            if self.bias is not None:
                self.bias.materialize((self.out_features,))
            self.reset_parameters()
        if self.in_features == 0:  # the weight was loaded
            found, own = input.shape[-1], self.weight.shape[-1]
            if found != own:
                raise AssertionError(
                    f"The in_features inferred from input: {found} is not equal to "
                    f"in_features from self.weight: {own}"
                )
            self.in_features = found


class _LazyConvXdMixin(LazyModuleMixin):
    spatial: int
    in_channels: int
    out_channels: int
    groups: int
    transposed: bool
    kernel_size: tuple[int, ...]
    weight: Any
    bias: Any

    def _defer_parameters(
        self, out_channels: int, bias: bool, device: Any, dtype: Any
    ) -> None:
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        """Reinitialise weight and bias, if their shapes are known."""
        if self.in_channels != 0 and not self.has_uninitialized_params():
            super().reset_parameters()  # type: ignore[misc]  # the layer's

    def initialize_parameters(self, input: Tensor, *args: Any, **kwargs: Any) -> None:
        """Infer the shapes from the channels of the input."""
        if not self.has_uninitialized_params():
            return
        self.in_channels = self._channels_of(input)
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        pair = (self.out_channels, self.in_channels // self.groups)
        if self.transposed:
            pair = (self.in_channels, self.out_channels // self.groups)
        self.weight.materialize((*pair, *self.kernel_size))
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()

    def _channels_of(self, input: Tensor) -> int:
        n = self.spatial + 1
        if input.ndim not in (n, n + 1):
            raise RuntimeError(
                f"Expected {n}D (unbatched) or {n + 1}D (batched) input to "
                f"{type(self).__name__}, but got input of size: {input.shape}"
            )
        return int(input.shape[input.ndim - n])


class _LazyDirect(RequalifyInit, _LazyConvXdMixin):
    def __init__(
        self,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode,
            device, dtype,
        )  # fmt: skip
        self._defer_parameters(out_channels, bias, device, dtype)


class LazyConv1d(_LazyDirect, Conv1d):
    """A `Conv1d` that infers `in_channels` from the first input.

    Math: as `Conv1d`
    Shape: as `Conv1d`

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LazyConv1d(4, 3)(torch.zeros(1, 2, 5)).shape
        torch.Size([1, 4, 3])
    """

    cls_to_become = Conv1d


class LazyConv2d(_LazyDirect, Conv2d):
    """A `Conv2d` that infers `in_channels` from the first input.

    Math: as `Conv2d`
    Shape: as `Conv2d`

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LazyConv2d(4, 3)(torch.zeros(1, 2, 5, 6)).shape
        torch.Size([1, 4, 3, 4])
    """

    cls_to_become = Conv2d


class LazyConv3d(_LazyDirect, Conv3d):
    """A `Conv3d` that infers `in_channels` from the first input.

    Math: as `Conv3d`
    Shape: as `Conv3d`

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LazyConv3d(4, 3)(torch.zeros(1, 2, 3, 4, 5)).shape
        torch.Size([1, 4, 1, 2, 3])
    """

    cls_to_become = Conv3d


class _LazyTransposed(RequalifyInit, _LazyConvXdMixin):
    def __init__(
        self,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation,
            padding_mode, device, dtype,
        )  # fmt: skip
        self._defer_parameters(out_channels, bias, device, dtype)


class LazyConvTranspose1d(_LazyTransposed, ConvTranspose1d):
    """A `ConvTranspose1d` that infers `in_channels` from the first input.

    Math: as `ConvTranspose1d`
    Shape: as `ConvTranspose1d`

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LazyConvTranspose1d(4, 3)(torch.zeros(1, 2, 5)).shape
        torch.Size([1, 4, 7])
    """

    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyTransposed, ConvTranspose2d):
    """A `ConvTranspose2d` that infers `in_channels` from the first input.

    Math: as `ConvTranspose2d`
    Shape: as `ConvTranspose2d`

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LazyConvTranspose2d(4, 3)(torch.zeros(1, 2, 5, 6)).shape
        torch.Size([1, 4, 7, 8])
    """

    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyTransposed, ConvTranspose3d):
    """A `ConvTranspose3d` that infers `in_channels` from the first input.

    Math: as `ConvTranspose3d`
    Shape: as `ConvTranspose3d`

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LazyConvTranspose3d(4, 2)(torch.zeros(1, 2, 3, 4, 5)).shape
        torch.Size([1, 4, 4, 5, 6])
    """

    cls_to_become = ConvTranspose3d


class _LazyNormBase(LazyModuleMixin):
    num_features: int
    weight: Any
    bias: Any
    running_mean: Any
    running_var: Any

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(0, eps, momentum, False, False, device, dtype, bias=False)
        self.affine, self.track_running_stats = affine, track_running_stats
        if affine:
            self.weight = UninitializedParameter(device=device, dtype=dtype)
        if affine and bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(device=device, dtype=dtype)
            self.running_var = UninitializedBuffer(device=device, dtype=dtype)
            self.num_batches_tracked = full_tensor((), 0, device, dtypes.int64)

    def reset_parameters(self) -> None:
        """Reset the weight to 1, bias to 0 and the statistics, if shapes are known."""
        if self.num_features != 0 and not self.has_uninitialized_params():
            super().reset_parameters()  # type: ignore[misc]  # the layer's

    def initialize_parameters(self, input: Tensor) -> None:
        """Infer the shapes from the channels of the input."""
        if not self.has_uninitialized_params():
            return
        self.num_features = input.shape[1]
        own = (self.weight, self.bias, self.running_mean, self.running_var)
        for value in own:
            if value is not None:
                value.materialize((self.num_features,))
        self.reset_parameters()


class LazyBatchNorm1d(_LazyNormBase, _BatchNorm):
    """A `BatchNorm1d` that infers `num_features` from the first input.

    Math: as `BatchNorm1d`
    Shape: as `BatchNorm1d`

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LazyBatchNorm1d()(torch.zeros(4, 2)).shape
        torch.Size([4, 2])
    """

    cls_to_become = BatchNorm1d
    ranks, expected = BatchNorm1d.ranks, BatchNorm1d.expected


class LazyBatchNorm2d(_LazyNormBase, _BatchNorm):
    """A `BatchNorm2d` that infers `num_features` from the first input.

    Math: as `BatchNorm2d`
    Shape: as `BatchNorm2d`

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LazyBatchNorm2d()(torch.zeros(4, 2, 1, 1)).shape
        torch.Size([4, 2, 1, 1])
    """

    cls_to_become = BatchNorm2d
    ranks, expected = BatchNorm2d.ranks, BatchNorm2d.expected


class LazyBatchNorm3d(_LazyNormBase, _BatchNorm):
    """A `BatchNorm3d` that infers `num_features` from the first input.

    Math: as `BatchNorm3d`
    Shape: as `BatchNorm3d`

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LazyBatchNorm3d()(torch.zeros(4, 2, 1, 1, 1)).shape
        torch.Size([4, 2, 1, 1, 1])
    """

    cls_to_become = BatchNorm3d
    ranks, expected = BatchNorm3d.ranks, BatchNorm3d.expected


class LazyInstanceNorm1d(_LazyNormBase, _InstanceNorm):
    """An `InstanceNorm1d` that infers `num_features` from the first input.

    Math: as `InstanceNorm1d`
    Shape: as `InstanceNorm1d`

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LazyInstanceNorm1d()(torch.zeros(4, 2, 3)).shape
        torch.Size([4, 2, 3])
    """

    cls_to_become = InstanceNorm1d
    ranks, expected = InstanceNorm1d.ranks, InstanceNorm1d.expected


class LazyInstanceNorm2d(_LazyNormBase, _InstanceNorm):
    """An `InstanceNorm2d` that infers `num_features` from the first input.

    Math: as `InstanceNorm2d`
    Shape: as `InstanceNorm2d`

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LazyInstanceNorm2d()(torch.zeros(4, 2, 3, 3)).shape
        torch.Size([4, 2, 3, 3])
    """

    cls_to_become = InstanceNorm2d
    ranks, expected = InstanceNorm2d.ranks, InstanceNorm2d.expected


class LazyInstanceNorm3d(_LazyNormBase, _InstanceNorm):
    """An `InstanceNorm3d` that infers `num_features` from the first input.

    Math: as `InstanceNorm3d`
    Shape: as `InstanceNorm3d`

    Example:
        >>> import edutorch as torch
        >>> torch.nn.LazyInstanceNorm3d()(torch.zeros(4, 2, 3, 3, 3)).shape
        torch.Size([4, 2, 3, 3, 3])
    """

    cls_to_become = InstanceNorm3d
    ranks, expected = InstanceNorm3d.ranks, InstanceNorm3d.expected

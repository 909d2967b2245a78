"""Convolution layers."""

from __future__ import annotations

import math
from typing import Any

from ...tensor.tensor import Tensor
from .. import functional as F
from .. import init
from ..factories import empty_parameter
from ..qualnames import RequalifyInit
from .module import Module
from .utils import ntuple

__all__ = [
    "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d",
    "ConvTranspose3d",
]  # fmt: skip

MODES = ("zeros", "reflect", "replicate", "circular")


class _ConvNd(Module):
    """Base class of convolutions: sizes, weight, bias, initialisation and repr."""

    spatial = 2
    transposed = False

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        output_padding: Any,
        dilation: Any,
        groups: int,
        bias: bool,
        padding_mode: str,
        device: Any,
        dtype: Any,
    ) -> None:
        super().__init__()
        if self.transposed and isinstance(padding, str):
            padding = tuple(padding)  # as of any sequence
        _check(in_channels, out_channels, groups, padding, stride, padding_mode)
        n = self.spatial
        self.in_channels, self.out_channels = in_channels, out_channels
        self.kernel_size = ntuple(kernel_size, n)
        self.stride = ntuple(stride, n)
        text = isinstance(padding, str)
        self.padding: Any = padding if text else ntuple(padding, n)
        self.dilation = ntuple(dilation, n)
        self.transposed = type(self).transposed
        self.output_padding = ntuple(output_padding, n)
        self.groups = groups
        self.padding_mode = padding_mode
        pair = (in_channels, out_channels // groups)
        if not self.transposed:
            pair = (out_channels, in_channels // groups)
        self.weight = empty_parameter((*pair, *self.kernel_size), device, dtype)
        if bias:
            self.bias = empty_parameter((out_channels,), device, dtype)
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Reinitialise weight and bias, uniform in ±1/√(fan-in)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in = self.weight.shape[1] * math.prod(self.kernel_size)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def _pad(self, x: Tensor) -> Tensor:
        """Pad the input in the `padding_mode`, which is not "zeros"."""
        sizes = self._reversed_padding_repeated_twice
        return F.pad(x, sizes, mode=self.padding_mode)

    @property
    def _reversed_padding_repeated_twice(self) -> Any:
        """The padding in the order of `F.pad`: last dimension first, both ends each."""
        if not isinstance(self.padding, str):
            return tuple([p for p in reversed(self.padding) for _ in range(2)])
        if self.padding != "same":
            return [0, 0] * len(self.kernel_size)
        sizes: list[int] = []
        windows = list(zip(self.kernel_size, self.dilation, strict=True))
        for k, d in reversed(windows):
            total = d * (k - 1)
            sizes += [total // 2, total - total // 2]
        return sizes

    def extra_repr(self) -> str:
        """The channels, and the settings that differ from the defaults."""
        n = self.spatial
        parts = [f"{self.in_channels}, {self.out_channels}"]
        parts += [f"kernel_size={self.kernel_size}", f"stride={self.stride}"]
        if self.padding != (0,) * n:
            parts.append(f"padding={self.padding}")
        if self.dilation != (1,) * n:
            parts.append(f"dilation={self.dilation}")
        if self.output_padding != (0,) * n:
            parts.append(f"output_padding={self.output_padding}")
        if self.groups != 1:
            parts.append(f"groups={self.groups}")
        if self.bias is None:
            parts.append("bias=False")
        if self.padding_mode != "zeros":
            parts.append(f"padding_mode={self.padding_mode}")
        return ", ".join(parts)


def _check(
    cin: int, cout: int, groups: int, padding: Any, stride: Any, mode: str
) -> None:
    if groups <= 0:
        raise ValueError("groups must be a positive integer")
    if cin % groups != 0:
        raise ValueError("in_channels must be divisible by groups")
    if cout % groups != 0:
        raise ValueError("out_channels must be divisible by groups")
    if isinstance(padding, str):
        if padding not in ("same", "valid"):
            raise ValueError(
                f"Invalid padding string {padding!r}, should be one of "
                "{'valid', 'same'}"
            )
        strides = stride if isinstance(stride, (tuple, list)) else (stride,)
        if padding == "same" and any(s != 1 for s in strides):
            raise ValueError("padding='same' is not supported for strided convolutions")
    if mode not in MODES:
        raise ValueError(
            f"padding_mode must be one of {set(MODES)}, but got padding_mode='{mode}'"
        )


class _Direct(RequalifyInit, _ConvNd):
    def __init__(
        self,
        in_channels: int,
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
            in_channels, out_channels, kernel_size, stride, padding, 0, dilation,
            groups, bias, padding_mode, device, dtype,
        )  # fmt: skip

    def forward(self, input: Tensor) -> Tensor:
        """Convolve."""
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(
        self, input: Tensor, weight: Tensor, bias: Tensor | None
    ) -> Tensor:
        """Convolve with a given weight; programs call or override this method."""
        raise NotImplementedError(f"{type(self).__name__}._conv_forward")


class Conv1d(_Direct):
    """Convolution over one dimension.

    Math: y[n, k] = b[k] + Σ_c w[k, c] ⋆ x[n, c]
          ∂L/∂x = conv_transpose(g, w)      ∂L/∂w = Σ_n x[n] ⋆ g[n]      ∂L/∂b = Σ g
    Shape: (N, C, L) -> (N, K, L')
           L' = ⌊(L + 2·padding - dilation·(k - 1) - 1)/stride⌋ + 1
    Reference: LeCun et al., 1989.

    Example:
        >>> import edutorch as torch
        >>> layer = torch.nn.Conv1d(1, 1, 2, bias=False)
        >>> layer.weight.data = torch.tensor([[[-1.0, 1.0]]])  # differences
        >>> layer(torch.tensor([[[1.0, 4.0, 9.0, 16.0]]])).detach()
        tensor([[[3., 5., 7.]]])
        >>> torch.nn.Conv1d(16, 33, 3, stride=2)(torch.zeros(20, 16, 50)).shape
        torch.Size([20, 33, 24])
    """

    spatial = 1

    def _conv_forward(
        self, input: Tensor, weight: Tensor, bias: Tensor | None
    ) -> Tensor:
        x, pad = input, self.padding
        if self.padding_mode != "zeros":
            x, pad = self._pad(x), 0
        return F.conv1d(x, weight, bias, self.stride, pad, self.dilation, self.groups)


class Conv2d(_Direct):
    """Convolution over an image.

    Math: y[n, k] = b[k] + Σ_c w[k, c] ⋆ x[n, c]
          ∂L/∂x = conv_transpose(g, w)      ∂L/∂w = Σ_n x[n] ⋆ g[n]      ∂L/∂b = Σ g
    Shape: (N, C, H, W) -> (N, K, H', W'),
        H' = ⌊(H + 2·padding - dilation·(k - 1) - 1)/stride⌋ + 1
    Reference: LeCun et al., 1989.

    Example:
        >>> import edutorch as torch
        >>> layer = torch.nn.Conv2d(1, 1, 2, bias=False)
        >>> layer.weight.data = torch.tensor([[[[-1.0, 1.0], [-1.0, 1.0]]]])  # edges
        >>> layer(torch.tensor([0.0, 0.0, 5.0, 5.0]).expand(1, 1, 3, 4)).detach()
        tensor([[[[ 0., 10.,  0.],
                  [ 0., 10.,  0.]]]])
        >>> torch.nn.Conv2d(1, 8, 3, padding=1)(torch.zeros(2, 1, 28, 28)).shape
        torch.Size([2, 8, 28, 28])
    """

    spatial = 2

    def _conv_forward(
        self, input: Tensor, weight: Tensor, bias: Tensor | None
    ) -> Tensor:
        x, pad = input, self.padding
        if self.padding_mode != "zeros":
            x, pad = self._pad(x), 0
        return F.conv2d(x, weight, bias, self.stride, pad, self.dilation, self.groups)


class Conv3d(_Direct):
    """Convolution over a volume.

    Math: y[n, k] = b[k] + Σ_c w[k, c] ⋆ x[n, c]
          ∂L/∂x = conv_transpose(g, w)      ∂L/∂w = Σ_n x[n] ⋆ g[n]      ∂L/∂b = Σ g
    Shape: (N, C, D, H, W) -> (N, K, D', H', W')
    Reference: LeCun et al., 1989.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.Conv3d(1, 2, 3)(torch.zeros(1, 1, 5, 5, 5)).shape
        torch.Size([1, 2, 3, 3, 3])
    """

    spatial = 3

    def _conv_forward(
        self, input: Tensor, weight: Tensor, bias: Tensor | None
    ) -> Tensor:
        x, pad = input, self.padding
        if self.padding_mode != "zeros":
            x, pad = self._pad(x), 0
        return F.conv3d(x, weight, bias, self.stride, pad, self.dilation, self.groups)


class _ConvTransposeNd(RequalifyInit, _ConvNd):
    transposed = True

    def __init__(
        self,
        in_channels: int,
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
        if padding_mode != "zeros":
            raise ValueError(
                f'Only "zeros" padding mode is supported for {type(self).__name__}'
            )
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, output_padding,
            dilation, groups, bias, padding_mode, device, dtype,
        )  # fmt: skip

    def _output_padding(
        self,
        input: Tensor,
        output_size: Any,
        stride: Any,
        padding: Any,
        kernel_size: Any,
        num_spatial_dims: int,
        dilation: Any = None,
    ) -> tuple[int, ...]:
        """The extra size on one side that gives the requested output size."""
        if output_size is None:
            return self.output_padding
        n, rank = num_spatial_dims, input.ndim
        before = 2 if rank == n + 2 else 1  # batch and channels, or channels alone
        size = output_size[before:] if len(output_size) == before + n else output_size
        if len(size) != n:
            raise ValueError(
                f"ConvTranspose{n}D: for {rank}D input, output_size must have {n} or "
                f"{before + n} elements (got {len(size)})"
            )
        sizes = input.shape[before:]
        least = [
            (sizes[i] - 1) * stride[i]
            - 2 * padding[i]
            + (dilation[i] if dilation else 1) * (kernel_size[i] - 1)
            + 1
            for i in range(n)
        ]
        most = [low + s - 1 for low, s in zip(least, stride, strict=True)]
        extra = [n - low for n, low in zip(size, least, strict=True)]
        if not all(0 <= e < s for e, s in zip(extra, stride, strict=True)):
            raise ValueError(
                f"requested an output size of {size}, but valid sizes range from "
                f"{least} to {most} (for an input of {input.shape[2:]})"
            )
        return tuple(extra)

    def _extra(self, input: Tensor, output_size: Any) -> tuple[int, ...]:
        """The output padding for this layer's settings."""
        return self._output_padding(
            input, output_size, self.stride, self.padding, self.kernel_size,
            self.spatial, self.dilation,
        )  # fmt: skip


class ConvTranspose1d(_ConvTransposeNd):
    """The gradient of `Conv1d` with respect to its input, as a layer.

    Math: y[n, k, p·stride − padding + j·dilation] += Σ_c w[c, k, j] · x[n, c, p],
          where y begins with b[k]
          ∂L/∂x = conv(g, w)      ∂L/∂w = Σ_n g[n] ⋆ x[n]      ∂L/∂b = Σ g
    Shape: (N, C, L) -> (N, K, L')
           L' = (L - 1)·stride - 2·padding + dilation·(k - 1) + output_padding + 1
    Reference: Zeiler, Krishnan, Taylor and Fergus, 2010.

    Example:
        >>> import edutorch as torch
        >>> layer = torch.nn.ConvTranspose1d(1, 1, 3, stride=2, bias=False)
        >>> layer.weight.data = torch.tensor([[[1.0, 2.0, 1.0]]])
        >>> layer(torch.tensor([[[1.0, 0.0, 3.0]]])).detach()
        tensor([[[1., 2., 1., 0., 3., 6., 3.]]])
    """

    spatial = 1

    def forward(self, input: Tensor, output_size: Any = None) -> Tensor:
        """Convolve, transposed."""
        extra = self._extra(input, output_size)
        return F.conv_transpose1d(
            input, self.weight, self.bias, self.stride, self.padding, extra,
            self.groups, self.dilation,
        )  # fmt: skip


class ConvTranspose2d(_ConvTransposeNd):
    """The gradient of `Conv2d` with respect to its input, as a layer.

    Math: y[n, k, p·stride − padding + j·dilation] += Σ_c w[c, k, j] · x[n, c, p],
          where y begins with b[k]
          ∂L/∂x = conv(g, w)      ∂L/∂w = Σ_n g[n] ⋆ x[n]      ∂L/∂b = Σ g
    Shape: (N, C, H, W) -> (N, K, H', W'),
        H' = (H - 1)·stride - 2·padding + dilation·(k - 1) + output_padding + 1
    Reference: Zeiler, Krishnan, Taylor and Fergus, 2010.

    Example:
        >>> import edutorch as torch
        >>> layer = torch.nn.ConvTranspose2d(1, 1, 2, stride=2, bias=False)
        >>> layer.weight.data = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
        >>> layer(torch.tensor([[[[1.0, 10.0]]]])).detach()
        tensor([[[[ 1.,  2., 10., 20.],
                  [ 3.,  4., 30., 40.]]]])
    """

    spatial = 2

    def forward(self, input: Tensor, output_size: Any = None) -> Tensor:
        """Convolve, transposed."""
        extra = self._extra(input, output_size)
        return F.conv_transpose2d(
            input, self.weight, self.bias, self.stride, self.padding, extra,
            self.groups, self.dilation,
        )  # fmt: skip


class ConvTranspose3d(_ConvTransposeNd):
    """The gradient of `Conv3d` with respect to its input, as a layer.

    Math: y[n, k, p·stride − padding + j·dilation] += Σ_c w[c, k, j] · x[n, c, p],
          where y begins with b[k]
          ∂L/∂x = conv(g, w)      ∂L/∂w = Σ_n g[n] ⋆ x[n]      ∂L/∂b = Σ g
    Shape: (N, C, D, H, W) -> (N, K, D', H', W')
    Reference: Zeiler, Krishnan, Taylor and Fergus, 2010.

    Example:
        >>> import edutorch as torch
        >>> layer = torch.nn.ConvTranspose3d(1, 1, 2, stride=2)
        >>> layer(torch.zeros(1, 1, 2, 2, 2)).shape
        torch.Size([1, 1, 4, 4, 4])
    """

    spatial = 3

    def forward(self, input: Tensor, output_size: Any = None) -> Tensor:
        """Convolve, transposed."""
        extra = self._extra(input, output_size)
        return F.conv_transpose3d(
            input, self.weight, self.bias, self.stride, self.padding, extra,
            self.groups, self.dilation,
        )  # fmt: skip

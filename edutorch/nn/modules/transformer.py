"""Transformers: the full model, and the encoder and decoder stacks."""

from __future__ import annotations

import copy
import warnings
from typing import Any

from ... import dtypes
from ...autograd.modes import is_grad_enabled
from ...ops.attention.masks import additive_mask, subsequent_mask
from ...tensor.tensor import Tensor
from .. import functional as F
from .. import init
from .container import ModuleList
from .module import Module
from .normalization import LayerNorm
from .transformer_layers import TransformerDecoderLayer, TransformerEncoderLayer

__all__ = ["Transformer", "TransformerDecoder", "TransformerEncoder"]


class TransformerEncoder(Module):
    """A stack of encoder layers, initialised as copies of one.

    Math: y = norm(layer_n(.. layer_1(x)))
          gradients: those of the layers
    Shape: (S, N, E) -> (S, N, E), or N first, as the layer has it
    Reference: Vaswani et al., 2017.

    Args:
        encoder_layer: the layer to copy.
        num_layers: the number of copies.
        norm: a layer applied after the last copy.
        enable_nested_tensor: in evaluation without gradients, results at padded
            positions are 0 wherever PyTorch skips these positions.
        mask_check: whether to check first that all padding is at the end.

    Example:
        >>> import edutorch as torch
        >>> layer = torch.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
        >>> torch.nn.TransformerEncoder(layer, 2)(torch.zeros(3, 5, 4)).shape
        torch.Size([3, 5, 4])
    """

    def __init__(
        self,
        encoder_layer: Any,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        super().__init__()
        self.layers = copies(encoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm
        self.enable_nested_tensor = self.use_nested_tensor = enable_nested_tensor
        self.mask_check = mask_check
        reason = _no_fast_path_reason(encoder_layer)
        if enable_nested_tensor and reason:
            warnings.warn(
                "enable_nested_tensor is True, but self.use_nested_tensor is False "
                f"because {reason}",
                stacklevel=2,
            )
            self.use_nested_tensor = False

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        """Run all layers, one after the other."""
        padding = additive_mask(src_key_padding_mask, "src_key_padding_mask", src.dtype,
                          mask, "mask")  # fmt: skip
        mask = additive_mask(mask, "mask", src.dtype)
        first = self.layers[0]
        causal = is_causal_mask(mask, is_causal, src, first.self_attn.batch_first)
        y = src
        for layer in self.layers:
            y = layer(y, src_mask=mask, is_causal=causal, src_key_padding_mask=padding)
        if mask is None and padding is not None and self._skips_padding(src, padding):
            y = y.masked_fill((padding != 0).unsqueeze(-1), 0.0)
        return y if self.norm is None else self.norm(y)

    def _skips_padding(self, src: Tensor, padding: Tensor) -> bool:
        """Whether PyTorch skips padded positions, so that the results there are 0."""
        if not self.use_nested_tensor or self.layers[0].training or src.ndim != 3:
            return False
        used = [src, *self.layers[0].parameters()]
        if is_grad_enabled() and any(x.requires_grad for x in used):
            return False
        attended = (padding == 0).int()
        return not self.mask_check or bool((attended.cummin(1)[0] == attended).all())


FASTER = (
    ".self_attn.batch_first was not True(use batch_first for better inference "
    "performance)"
)


def _no_fast_path_reason(layer: Any) -> str:
    """The reason why padded positions are not skipped; empty if they are."""
    if not isinstance(layer, TransformerEncoderLayer):
        return "encoder_layer was not TransformerEncoderLayer"
    attention = layer.self_attn
    reasons = (
        (layer.norm_first, ".norm_first was True"),
        (not attention.batch_first, FASTER),
        (not attention._qkv_same_embed_dim,
         ".self_attn._qkv_same_embed_dim was not True"),
        (attention.in_proj_bias is None, ".self_attn was passed bias=False"),
        (not layer.activation_relu_or_gelu, ".activation_relu_or_gelu was not True"),
        (layer.norm1.eps != layer.norm2.eps,
         ".norm1.eps was not equal to encoder_layer.norm2.eps"),
        (attention.num_heads % 2 == 1, ".self_attn.num_heads is odd"),
    )  # fmt: skip
    return next((f"encoder_layer{text}" for holds, text in reasons if holds), "")


class TransformerDecoder(Module):
    """A stack of decoder layers, initialised as copies of one.

    Math: y = norm(layer_n(.. layer_1(x, memory), memory))
          gradients: those of the layers
    Shape: (T, N, E), (S, N, E) -> (T, N, E), or N first, as the layer has it
    Reference: Vaswani et al., 2017.

    Args:
        decoder_layer: the layer to copy.
        num_layers: the number of copies.
        norm: a layer applied after the last copy.

    Example:
        >>> import edutorch as torch
        >>> layer = torch.nn.TransformerDecoderLayer(4, 2, 8)
        >>> decoder = torch.nn.TransformerDecoder(layer, 2)
        >>> decoder(torch.zeros(5, 3, 4), torch.zeros(7, 3, 4)).shape
        torch.Size([5, 3, 4])
    """

    def __init__(
        self, decoder_layer: Any, num_layers: int, norm: Module | None = None
    ) -> None:
        super().__init__()
        self.layers = copies(decoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """Run all layers, one after the other."""
        first = self.layers[0].self_attn.batch_first
        causal = is_causal_mask(tgt_mask, tgt_is_causal, tgt, first)
        y = tgt
        for layer in self.layers:
            y = layer(
                y, memory, tgt_mask=tgt_mask, memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=causal, memory_is_causal=memory_is_causal,
            )  # fmt: skip
        return y if self.norm is None else self.norm(y)


class Transformer(Module):
    """An encoder that reads a sequence and a decoder that produces another.

    Math: y = decoder(tgt, encoder(src))      gradients: those of encoder and decoder
    Shape: (S, N, E), (T, N, E) -> (T, N, E); N first with `batch_first`
    Reference: Vaswani et al., 2017.

    Args:
        d_model: E, the number of features.
        nhead: the number of attention heads.
        num_encoder_layers, num_decoder_layers: the numbers of layers.
        dim_feedforward: the width of the feed-forward networks.
        dropout: the probability that a value is set to 0 in training.
        activation: "relu", "gelu" or a function.
        custom_encoder, custom_decoder: modules that replace encoder and decoder.
        layer_norm_eps: added to the variance in layer norms.
        batch_first: whether the batch is the first dimension, not the second.
        norm_first: normalise before, not after, each part of a layer.
        bias: whether linear maps and norms have a bias.

    Example:
        >>> import edutorch as torch
        >>> model = torch.nn.Transformer(4, 2, 1, 1, 8, batch_first=True)
        >>> model(torch.zeros(3, 5, 4), torch.zeros(3, 2, 4)).shape
        torch.Size([3, 2, 4])
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = F.relu,
        custom_encoder: Any = None,
        custom_decoder: Any = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        layer_args = (
            d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps,
            batch_first, norm_first, bias, device, dtype,
        )  # fmt: skip
        self.encoder, self.decoder = custom_encoder, custom_decoder
        if custom_encoder is None:
            layer: Any = TransformerEncoderLayer(*layer_args)
            norm = LayerNorm(d_model, layer_norm_eps, True, bias, device, dtype)
            self.encoder = TransformerEncoder(layer, num_encoder_layers, norm)
        if custom_decoder is None:
            layer = TransformerDecoderLayer(*layer_args)
            norm = LayerNorm(d_model, layer_norm_eps, True, bias, device, dtype)
            self.decoder = TransformerDecoder(layer, num_decoder_layers, norm)
        self._reset_parameters()
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """Encode `src`, then decode `tgt` with attention to the result."""
        batch = 0 if self.batch_first else 1
        if src.ndim == 3 and src.shape[batch] != tgt.shape[batch]:
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise RuntimeError(
                "the feature number of src and tgt must be equal to d_model"
            )
        memory = self.encoder(
            src, mask=src_mask, src_key_padding_mask=src_key_padding_mask,
            is_causal=src_is_causal,
        )  # fmt: skip
        y: Tensor = self.decoder(
            tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal, memory_is_causal=memory_is_causal,
        )  # fmt: skip
        return y

    @staticmethod
    def generate_square_subsequent_mask(
        sz: int, device: Any = None, dtype: Any = None
    ) -> Tensor:
        """A causal mask: 0 up to the diagonal, −∞ above it.

        Example:
            >>> import edutorch as torch
            >>> torch.nn.Transformer.generate_square_subsequent_mask(2)
            tensor([[0., -inf],
                    [0., 0.]])
        """
        return subsequent_mask(sz, device, dtype)

    def _reset_parameters(self) -> None:
        for parameter in self.parameters():
            if parameter.ndim > 1:
                init.xavier_uniform_(parameter)


def copies(module: Module, n: int) -> ModuleList:
    """Independent copies of a module."""
    return ModuleList([copy.deepcopy(module) for _ in range(n)])


def is_causal_mask(
    mask: Tensor | None, is_causal: bool | None, x: Tensor, batch_first: bool
) -> bool:
    """Whether a mask is causal: as the caller says, or else by its values."""
    if is_causal is not None or mask is None:
        return is_causal is True
    n = x.shape[1 if batch_first and x.ndim == 3 else 0]
    if tuple(mask.shape) != (n, n):
        return False
    dtype = None if mask.dtype is dtypes.bool_ else mask.dtype
    return bool((mask == subsequent_mask(n, mask.device, dtype)).all())

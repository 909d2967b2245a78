"""Transformer layers: attention and a feed-forward network, with residuals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ops.attention.masks import additive_mask
from ...tensor.tensor import Tensor
from .. import functional as F
from ..qualnames import RequalifyInit
from .activation import ReLU
from .dropout import Dropout
from .linear import Linear
from .module import Module
from .multihead import MultiheadAttention
from .normalization import LayerNorm
from .smooth_activations import GELU

__all__ = ["TransformerDecoderLayer", "TransformerEncoderLayer"]


def activation_function(given: Any) -> Callable[[Tensor], Tensor]:
    """The function with a given name; a function is returned unchanged.

    Raises:
        RuntimeError: for another name.
    """
    if not isinstance(given, str):
        function: Callable[[Tensor], Tensor] = given
        return function
    if given not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {given}")
    return F.relu if given == "relu" else F.gelu


class _Layer(RequalifyInit, Module):
    """Base class of both layers: self-attention and the feed-forward network.

    Args:
        d_model: E, the number of features.
        nhead: the number of attention heads.
        dim_feedforward: the width of the feed-forward network.
        dropout: the probability that a value is set to 0 in training.
        activation: "relu", "gelu" or a function.
        layer_norm_eps: added to the variance in layer norms.
        batch_first: whether the batch is the first dimension, not the second.
        norm_first: normalise before, not after, each part of the layer.
        bias: whether linear maps and norms have a bias.
    """

    parts = 2  # each has a norm and a dropout

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        where = {"device": device, "dtype": dtype}
        options: Any = dict(where, dropout=dropout, bias=bias, batch_first=batch_first)
        self.self_attn = MultiheadAttention(d_model, nhead, **options)
        if self.parts == 3:
            self.multihead_attn = MultiheadAttention(d_model, nhead, **options)
        self.linear1 = Linear(d_model, dim_feedforward, bias, **where)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, **where)
        self.norm_first = norm_first
        for i in range(1, self.parts + 1):
            norm = LayerNorm(d_model, layer_norm_eps, True, bias, **where)
            self.add_module(f"norm{i}", norm)
        for i in range(1, self.parts + 1):
            self.add_module(f"dropout{i}", Dropout(dropout))
        self.activation = activation_function(activation)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if not hasattr(self, "activation"):
            self.activation = F.relu

    def _sa_block(
        self, x: Tensor, mask: Any, padding: Any, is_causal: bool = False
    ) -> Tensor:
        """Self-attention, followed by dropout."""
        found = self.self_attn(
            x, x, x, attn_mask=mask, key_padding_mask=padding, need_weights=False,
            is_causal=is_causal,
        )[0]  # fmt: skip
        y: Tensor = self.dropout1(found)
        return y

    def _network(self, x: Tensor) -> Any:
        return self.linear2(self.dropout(self.activation(self.linear1(x))))


class TransformerEncoderLayer(_Layer):
    """Self-attention followed by a feed-forward network.

    Math: x = norm(x + attention(x)), y = norm(x + W₂ f(W₁ x))
          or with `norm_first` x = x + attention(norm(x)), y = x + W₂ f(W₁ norm(x))
          gradients: those of `MultiheadAttention`, `LayerNorm` and `Linear`
    Shape: (S, N, E) -> (S, N, E); N first with `batch_first`
    Reference: Vaswani et al., 2017; norms first: Xiong et al., 2020.

    Example:
        >>> import edutorch as torch
        >>> layer = torch.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True).eval()
        >>> x, order = torch.randn(1, 3, 4), [2, 0, 1]
        >>> y = layer(x[:, order])  # permuted inputs give permuted results
        >>> torch.allclose(y, layer(x)[:, order], atol=1e-6)
        True
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps,
            batch_first, norm_first, bias, device, dtype,
        )  # fmt: skip
        f = self.activation
        # Compared by equality: subclasses of Tensor wrap functions.
        relu, gelu = f == F.relu or isinstance(f, ReLU), f == F.gelu
        self.activation_relu_or_gelu = 1 if relu else 2
        if not (relu or gelu or isinstance(f, GELU)):
            self.activation_relu_or_gelu = 0

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        """Attention and feed-forward network, with residual connections."""
        padding = additive_mask(src_key_padding_mask, "src_key_padding_mask", src.dtype,
                          src_mask, "src_mask")  # fmt: skip
        mask = additive_mask(src_mask, "src_mask", src.dtype)
        x = src
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), mask, padding, is_causal)
            return x + self._ff_block(self.norm2(x))
        x = self.norm1(x + self._sa_block(x, mask, padding, is_causal))
        y: Tensor = self.norm2(x + self._ff_block(x))
        return y

    def _ff_block(self, x: Tensor) -> Tensor:
        y: Tensor = self.dropout2(self._network(x))
        return y


class TransformerDecoderLayer(_Layer):
    """Self-attention, attention to a memory, and a feed-forward network.

    Math: x = norm(x + attention(x)), x = norm(x + attention(x, memory)),
          y = norm(x + W₂ f(W₁ x)), or norms first
          gradients: those of `MultiheadAttention`, `LayerNorm` and `Linear`
    Shape: (T, N, E), (S, N, E) -> (T, N, E); N first with `batch_first`
    Reference: Vaswani et al., 2017.

    Example:
        >>> import edutorch as torch
        >>> layer = torch.nn.TransformerDecoderLayer(d_model=4, nhead=2)
        >>> layer(torch.zeros(5, 3, 4), torch.zeros(7, 3, 4)).shape
        torch.Size([5, 3, 4])
    """

    parts = 3

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """Both attentions and the feed-forward network, with residual connections."""
        own = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        other = (memory, memory_mask, memory_key_padding_mask, memory_is_causal)
        x = tgt
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), *own)
            x = x + self._mha_block(self.norm2(x), *other)
            return x + self._ff_block(self.norm3(x))
        x = self.norm1(x + self._sa_block(x, *own))
        x = self.norm2(x + self._mha_block(x, *other))
        y: Tensor = self.norm3(x + self._ff_block(x))
        return y

    def _mha_block(
        self, x: Tensor, mem: Tensor, mask: Any, padding: Any, is_causal: bool = False
    ) -> Tensor:
        """Attention to the memory, followed by dropout."""
        found = self.multihead_attn(
            x, mem, mem, attn_mask=mask, key_padding_mask=padding, need_weights=False,
            is_causal=is_causal,
        )[0]  # fmt: skip
        y: Tensor = self.dropout2(found)
        return y

    def _ff_block(self, x: Tensor) -> Tensor:
        y: Tensor = self.dropout3(self._network(x))
        return y

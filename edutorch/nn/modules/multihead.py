"""Multi-head attention, as a layer."""

from __future__ import annotations

from typing import Any

from ...tensor.tensor import Tensor
from .. import functional as F
from .. import init
from ..factories import empty_parameter
from .linear import NonDynamicallyQuantizableLinear
from .module import Module

__all__ = ["MultiheadAttention"]

NAMES = ("q_proj_weight", "k_proj_weight", "v_proj_weight")


class MultiheadAttention(Module):
    """Multi-head attention: each head has its own projections of the sequences.

    Math: head_h = softmax(q_h k_hᵀ / √(E/H) + mask) v_h, q = query Wqᵀ + bq, ...
          y = [head_1 | ... | head_H] Woᵀ + bo
          ∂L/∂head = g Wo; from there as in `nn.functional.scaled_dot_product_attention`
    Shape: (L, N, E), (S, N, E), (S, N, E) -> (L, N, E), (N, L, S);
           N first with `batch_first`; N may be absent
    Reference: Vaswani et al., 2017.

    Args:
        embed_dim: E, the size of queries and outputs.
        num_heads: H, the number of heads; it divides E.
        dropout: the probability that a weight is set to 0 in training.
        bias: whether projections have a bias.
        add_bias_kv: append a learned key and value to every sequence.
        add_zero_attn: append a key and a value of zeros.
        kdim, vdim: size of keys and values, if not E.
        batch_first: whether the batch is the first dimension, not the second.

    Example:
        >>> import edutorch as torch
        >>> attention = torch.nn.MultiheadAttention(4, 2, batch_first=True)
        >>> x = torch.randn(3, 5, 4)
        >>> y, weights = attention(x, x, x)
        >>> y.shape, weights.shape
        (torch.Size([3, 5, 4]), torch.Size([3, 5, 5]))
        >>> torch.allclose(weights.sum(-1), torch.ones(3, 5))  # each query's weights
        True
    """

    in_proj_weight: Tensor | None
    in_proj_bias: Tensor | None
    bias_k: Tensor | None
    bias_v: Tensor | None

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                "embed_dim and num_heads must be greater than 0, got embed_dim="
                f"{embed_dim} and num_heads={num_heads} instead"
            )
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads, self.dropout, self.batch_first = num_heads, dropout, batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")
        where = (device, dtype)
        self._make_weights(where)
        made = empty_parameter((3 * embed_dim,), *where) if bias else None
        self.register_parameter("in_proj_bias", made)
        self.out_proj = NonDynamicallyQuantizableLinear(
            embed_dim, embed_dim, bias, *where
        )
        self.bias_k = self.bias_v = None
        if add_bias_kv:
            self.bias_k = empty_parameter((1, 1, embed_dim), *where)
            self.bias_v = empty_parameter((1, 1, embed_dim), *where)
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _make_weights(self, where: Any) -> None:
        """Create one matrix for queries, keys and values, or one for each."""
        embed, same = self.embed_dim, self._qkv_same_embed_dim
        sizes = (embed, self.kdim, self.vdim)
        for name, size in zip(NAMES, sizes, strict=True):
            made = None if same else empty_parameter((embed, size), *where)
            self.register_parameter(name, made)
        packed = empty_parameter((3 * embed, embed), *where) if same else None
        self.register_parameter("in_proj_weight", packed)
        if same:  # in PyTorch's order
            for name in NAMES:
                self._parameters[name] = self._parameters.pop(name)

    def _reset_parameters(self) -> None:
        for name in ("in_proj_weight", *NAMES):
            if (weight := getattr(self, name)) is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            init.constant_(self.in_proj_bias, 0.0)
            init.constant_(self.out_proj.bias, 0.0)
        if self.bias_k is not None:
            init.xavier_normal_(self.bias_k)
        if self.bias_v is not None:
            init.xavier_normal_(self.bias_v)

    def __setstate__(self, state: dict[str, Any]) -> None:
        state.setdefault("_qkv_same_embed_dim", True)
        super().__setstate__(state)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """The attention output and (with `need_weights`) the attention weights."""
        transposed = self.batch_first and query.ndim == 3
        if transposed:
            query, key, value = _transposed(query, key, value)
        found, weights = F.multi_head_attention_forward(
            query, key, value, self.embed_dim, self.num_heads,
            self.in_proj_weight, self.in_proj_bias, self.bias_k, self.bias_v,
            self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias,
            training=self.training, key_padding_mask=key_padding_mask,
            need_weights=need_weights, attn_mask=attn_mask,
            use_separate_proj_weight=not self._qkv_same_embed_dim,
            q_proj_weight=self.q_proj_weight, k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights, is_causal=is_causal,
        )  # fmt: skip
        return (found.transpose(1, 0) if transposed else found), weights

    def merge_masks(
        self, attn_mask: Tensor | None, key_padding_mask: Tensor | None, query: Tensor
    ) -> tuple[Tensor | None, int | None]:
        """Merge both masks; the kind is None (no mask), 1 (padding) or 2 (others).

        Args:
            attn_mask: numbers to add, (L, L) or (N·H, L, L).
            key_padding_mask: numbers to add, (N, L).
            query: (N, L, E).
        """
        if attn_mask is None:
            return key_padding_mask, None if key_padding_mask is None else 1
        n, length, _ = query.shape
        if attn_mask.ndim == 3:
            merged = attn_mask.view(n, -1, length, length)
        else:
            flat = attn_mask.view(1, 1, length, length)
            merged = flat.expand(n, self.num_heads, -1, -1)
        if key_padding_mask is not None:
            padding = key_padding_mask.view(n, 1, 1, length)
            merged = merged + padding.expand(-1, self.num_heads, -1, -1)
        return merged, 2


def _transposed(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, ...]:
    """Make the batch the second dimension; tensors that were identical stay so."""
    q = query.transpose(1, 0)
    k = q if key is query else key.transpose(1, 0)
    v = k if value is key else value.transpose(1, 0)
    return q, k, v

"""Multi-head attention: several attentions over different projections."""

from __future__ import annotations

import math
from typing import Any

from ...tensor.tensor import Tensor
from ..dropout import dropout
from ..matmul.addmm_family import baddbmm
from ..matmul.batched_products import bmm
from ..matmul.linear import linear
from ..registration import composite
from ..shape.joining import cat
from ..shape.pad import pad
from ..softmax import softmax
from .masks import additive_mask, check_masks, check_ranks
from .scaled_dot_product import scaled_dot_product_attention

__all__ = ["multi_head_attention_forward"]


@composite
def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """Multi-head attention, including the projections before and after.

    Math: head_h = softmax(q_h k_hᵀ / √(E/H) + mask) v_h, q = query Wqᵀ + bq, ...
          y = [head_1 | ... | head_H] Woᵀ + bo
          ∂L/∂head = g Wo; from there to q, k, v as in `scaled_dot_product_attention`
    Shape: (L, N, E), (S, N, E), (S, N, E) -> (L, N, E), (N, L, S); N may be absent

    Args:
        query, key, value: sequences; N comes second.
        embed_dim_to_check: E.
        num_heads: H, which divides E.
        in_proj_weight: Wq, Wk and Wv, one below the other.
        in_proj_bias: bq, bk and bv.
        bias_k, bias_v: one more key and value for all.
        add_zero_attn: one more key and value of zeros.
        dropout_p: the probability of zeroing a weight in training.
        out_proj_weight, out_proj_bias: Wo and bo.
        training: whether dropout acts.
        key_padding_mask: True for keys to leave out, or numbers to add: (N, S).
        need_weights: also return the weights.
        attn_mask: True where not to look, or numbers to add: (L, S) or (N·H, L, S).
        use_separate_proj_weight: Wq, Wk and Wv are given one by one.
        q_proj_weight, k_proj_weight, v_proj_weight: these.
        static_k, static_v: keys and values of the heads, already projected.
        average_attn_weights: the mean of all heads' weights, not each.
        is_causal: the mask given is the causal one.

    Raises:
        AssertionError: for shapes that do not fit.
        RuntimeError: for masks that do not fit.

    Reference: Vaswani et al. (2017), "Attention is all you need".

    Example:
        >>> import edutorch as torch
        >>> x, w = torch.ones(3, 1, 2), torch.eye(2)
        >>> y, p = torch.nn.functional.multi_head_attention_forward(
        ...     x, x, x, 2, 1, torch.cat([w, w, w]), None, None, None, False, 0.0, w,
        ...     None)
        >>> p[0, 0]
        tensor([0.3333, 0.3333, 0.3333])
    """
    batched = check_ranks(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        query, key, value = _map_shared(lambda x: x.unsqueeze(1), query, key, value)
        key_padding_mask = _add_batch_dim(key_padding_mask)
    padding, mask, causal = _masks(
        query, key_padding_mask, attn_mask, is_causal, need_weights
    )
    separate = (q_proj_weight, k_proj_weight, v_proj_weight)
    given: Any = separate if use_separate_proj_weight else in_proj_weight
    _check_sizes(query, key, value, embed_dim_to_check, num_heads, given)
    mask = check_masks(mask, len(query), len(key), query.shape[1] * num_heads)
    q, k, v = _project(query, key, value, given, in_proj_bias)
    biases, split = (bias_k, bias_v), (num_heads, embed_dim_to_check // num_heads)
    k, v, more = _extend_keys(k, v, biases, (static_k, static_v), add_zero_attn, *split)
    mask = _merge_masks(mask, padding, more, query.shape[1], k)
    q, p = _split_heads(q, *split), dropout_p if training else 0.0
    attend = _attend_with_weights if need_weights else _attend
    heads, weights = attend(q, k, v, mask, p, causal, num_heads)
    y = linear(heads, out_proj_weight, out_proj_bias)
    y = y.view(*query.shape[:2], y.shape[1])
    if weights is not None and average_attn_weights:
        weights = weights.mean(1)
    return (y, weights) if batched else _unbatch(y, weights)


def _unbatch(y: Tensor, weights: Tensor | None) -> tuple[Tensor, Tensor | None]:
    """The results without the batch dimension."""
    return y.squeeze(1), None if weights is None else weights.squeeze(0)


def _map_shared(change: Any, *xs: Tensor) -> list[Tensor]:
    """Apply a function to tensors; identical tensors stay identical."""
    changed = {id(x): change(x) for x in xs}
    return [changed[id(x)] for x in xs]


def _masks(
    query: Tensor, padding: Any, mask: Any, is_causal: bool, need_weights: bool
) -> tuple[Tensor | None, Tensor | None, bool]:
    """Both masks as additive masks, and whether the only mask is causal."""
    padding = additive_mask(padding, "key_padding_mask", query.dtype, mask, "attn_mask")
    if is_causal and mask is None:
        raise RuntimeError(
            "Need attn_mask if specifying the is_causal hint. You may use the "
            "Transformer module method `generate_square_subsequent_mask` to create "
            "this mask."
        )
    if is_causal and padding is None and not need_weights:
        return None, None, True
    mask = additive_mask(mask, "attn_mask", query.dtype)
    return padding, mask, False


def _check_sizes(
    query: Tensor, key: Tensor, value: Tensor, embed: int, heads: int, weights: Any
) -> None:
    found = query.shape[2]
    if found != embed:
        raise AssertionError(
            f"was expecting embedding dimension of {embed}, but got {found}"
        )
    if embed // heads * heads != embed:
        raise AssertionError(f"embed_dim {embed} not divisible by num_heads {heads}")
    if not isinstance(weights, tuple):
        if key.shape != value.shape:
            raise AssertionError(
                f"key shape {key.shape} does not match value shape {value.shape}"
            )
        if weights is None:
            raise AssertionError(
                "use_separate_proj_weight is False but in_proj_weight is None"
            )
        if key.shape[1] != query.shape[1]:
            raise RuntimeError(  # PyTorch gives keys as many batches as queries
                f"shape '{[len(key), query.shape[1] * heads, embed // heads]}' is "
                f"invalid for input of size {key.numel()}"
            )
        return
    if key.shape[:2] != value.shape[:2]:
        raise AssertionError(
            f"key's sequence and batch dims {key.shape[:2]} do not match value's "
            f"{value.shape[:2]}"
        )
    for name, weight in zip("qkv", weights, strict=True):
        if weight is None:
            raise AssertionError(
                f"use_separate_proj_weight is True but {name}_proj_weight is None"
            )


def _project(
    query: Tensor, key: Tensor, value: Tensor, weights: Any, bias: Tensor | None
) -> tuple[Tensor, ...]:
    """Project queries, keys and values; in one product for a single sequence."""
    if query is key is value and not isinstance(weights, tuple):
        return tuple(linear(query, weights, bias).chunk(3, -1))
    ws = weights if isinstance(weights, tuple) else weights.chunk(3)
    w_q, w_k, w_v = ws
    b_q, b_k, b_v = (None,) * 3 if bias is None else bias.chunk(3)
    xs, ws, bs = (query, key, value), (w_q, w_k, w_v), (b_q, b_k, b_v)
    return tuple([linear(x, w, b) for x, w, b in zip(xs, ws, bs, strict=True)])


def _extend_keys(
    k: Tensor, v: Tensor, biases: Any, static: Any, zero: Any, heads: int, size: int
) -> tuple[Tensor, Tensor, int]:
    """Split keys and values into heads of a size, and append bias and zero rows."""
    given = [x is not None for x in biases]
    if any(given):
        _check_biases(given, static)
        n = k.shape[1]
        k, v = (
            cat([x, more.repeat(1, n, 1)])
            for x, more in zip((k, v), biases, strict=True)
        )
    found = []
    for x, fixed, name in zip((k, v), static, "kv", strict=True):
        rows = _split_heads(x, heads, size)  # (N·H, S, E/H)
        y = rows if fixed is None else _check_static(fixed, name, *rows.shape[::2])
        if zero:
            y = cat([y, y.new_zeros(len(rows), 1, rows.shape[2])], 1)
        found.append(y)
    return found[0], found[1], any(given) + bool(zero)


def _check_biases(given: list[bool], static: Any) -> None:
    if not all(given):
        set_, none = ("k", "v") if given[0] else ("v", "k")
        raise AssertionError(f"bias_{set_} is set but bias_{none} is None")
    for fixed, name in zip(static, ("key", "value"), strict=True):
        if fixed is not None:
            raise AssertionError(f"bias cannot be added to static {name}.")


def _add_batch_dim(x: Tensor | None) -> Tensor | None:
    """A tensor with a batch dimension of size 1 in front; None stays None."""
    return None if x is None else x.unsqueeze(0)


def _split_heads(x: Tensor, heads: int, size: int) -> Tensor:
    """Move heads to the batch dimension: (L, N, E) -> (N·H, L, E/H)."""
    length, n, _ = x.shape
    if type(size) is not int:
        x.view(length, n * heads, size)  # which refuses it
    return x.reshape(length, n * heads, size).transpose(0, 1)


def _check_static(x: Tensor, name: str, n: int, size: int) -> Tensor:
    for dim, expected in ((0, n), (2, size)):
        if x.shape[dim] != expected:
            raise AssertionError(
                f"expecting static_{name}.size({dim}) of {expected}, but got "
                f"{x.shape[dim]}"
            )
    return x


def _merge_masks(
    mask: Tensor | None, padding: Tensor | None, more: int, n: int, k: Tensor
) -> Tensor | None:
    """The sum of both masks for every head: (N·H, L, S); appended keys are visible."""
    mask = mask if mask is None or not more else pad(mask, (0, more))
    if padding is None:
        return mask
    padding = pad(padding, (0, more)) if more else padding
    heads, keys = len(k) // n if n else 1, k.shape[1]
    for dim, expected in ((0, n), (1, keys)):
        if padding.shape[dim] != expected:
            raise AssertionError(
                f"Expected key_padded_mask.shape[{dim}] to be {expected}, but got "
                f"{padding.shape[dim]}"
            )
    expanded = padding.view(n, 1, 1, keys).expand(-1, heads, -1, -1)
    rows = expanded.reshape(n * heads, 1, keys)
    return rows if mask is None else mask + rows


def _attend_with_weights(
    q: Tensor, k: Tensor, v: Tensor, mask: Any, p: float, _: bool, heads: int
) -> tuple[Tensor, Tensor | None]:
    """The concatenated outputs of the heads (L·N, E), and the weights (N, H, L, S)."""
    scaled = q * math.sqrt(1.0 / q.shape[2])
    keys = k.transpose(-2, -1)
    scores = bmm(scaled, keys) if mask is None else baddbmm(mask, scaled, keys)
    weights = softmax(scores, -1)
    if p > 0.0:
        weights = dropout(weights, p)
    n = len(q) // heads
    y = _merge_heads(bmm(weights, v), n, heads)
    return y, weights.view(n, heads, *weights.shape[1:])


def _attend(
    q: Tensor, k: Tensor, v: Tensor, mask: Any, p: float, causal: bool, heads: int
) -> tuple[Tensor, Tensor | None]:
    """The concatenated outputs of the heads (L·N, E)."""
    n = len(q) // heads
    q, k, v = (x.view(n, heads, *x.shape[1:]) for x in (q, k, v))
    if mask is not None:
        one = len(mask) == 1
        mask = mask.unsqueeze(0) if one else mask.view(n, heads, -1, mask.shape[-1])
    y = scaled_dot_product_attention(q, k, v, mask, p, causal)
    length, size = y.shape[2:]
    rows = y.permute(2, 0, 1, 3).contiguous().view(length * n, heads * size)
    return rows, None


def _merge_heads(y: Tensor, n: int, heads: int) -> Tensor:
    """Concatenate heads: (N·H, L, E/H) -> (L·N, E)."""
    _, length, size = y.shape
    return y.transpose(0, 1).reshape(length * n, heads * size)

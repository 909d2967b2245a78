"""Scaled dot-product attention: values averaged by the similarity of query and key."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from ... import dtypes
from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply, apply2
from ...backends import array_module
from ...config import plain
from ...kernels.attention import attention, attention_backward, empty_values
from ...kernels.softmax import softmax as softmax_arrays
from ...op_events import reported
from ...tensor.tensor import Tensor, wrap
from ..argument_checks import need_tensors, type_error
from ..argument_errors import argument_error, check_call
from ..dims import dim_unless_scalar
from ..dropout import dropout
from ..index.masked import masked_fill
from ..matmul.array_products import ctranspose
from ..matmul.matrix_products import matmul
from ..pointwise.ternary import where
from ..pointwise.with_numbers import mul_number
from ..registration import composite
from ..rnn.double_backward import upcast_half
from ..shape.repeating import repeat_interleave
from ..softmax import SoftmaxGrad, safe_softmax, softmax
from .sdpa_backends import allowed

__all__ = ["scaled_dot_product_attention"]


class Attention(Op):
    """Fused attention: the weights are computed once and used for all gradients.

    Math: y = p v, p = softmax(s · q kᵀ + m) along the keys
          ∂L/∂v = pᵀ g      h = p · (g vᵀ − Σ_keys g vᵀ · p)
          ∂L/∂q = s · h k      ∂L/∂k = s · hᵀ q
    Shape: (N, H, L, E), (N, H, S, E), (N, H, S, E) -> (N, H, L, E)
    """

    attributes = ("scale", "mask", "causal")
    public = "scaled_dot_product_attention"
    torch_name = "ScaledDotProductFlashAttentionForCpu"
    saves_extra = True

    def __init__(self, scale: float, mask: Any, causal: bool) -> None:
        self.scale, self.mask, self.causal = scale, mask, causal

    def forward(self, q: Any, k: Any, v: Any) -> Any:
        dtype = q.dtype
        q, k, v = upcast_half(q, k, v)  # 16 bits are summed in 32
        blind, biases = _fully_masked(self.mask), self._biases(q, k)
        if blind is None and _by_kernel(q):
            y, self.saved = attention(q, k, v, self.scale, biases)
            return y.astype(dtype, copy=False)
        scores = (q * self.scale) @ ctranspose(k)  # (N, H, L, S)
        for bias in biases:
            scores += bias
        p = softmax_arrays(scores, 3)
        if blind is not None:
            p = np.where(blind, p.dtype.type(0), p)
        self.saved = p
        y = np.matmul(p, v, out=empty_values(q))  # (N, H, L, E)
        return y.astype(dtype, copy=False)

    def _biases(self, q: Any, k: Any) -> list[Any]:
        """What is added to the scores."""
        found = []
        if self.causal:
            later = causal_bias(q.shape[2], k.shape[2], q.dtype)
            found.append(array_module(q).asarray(later))
        if self.mask is not None:
            found.append(self.mask.astype(q.dtype, copy=False))
        return found

    def backward(self, g: Any) -> Any:
        q, k, v = self.inputs
        p = self.saved
        if not isinstance(g, Tensor):
            g, q, k, v = upcast_half(g, q, k, v)
            if _by_kernel(q):
                return attention_backward(g, q, k, v, p, self.scale, self.needs)
        if isinstance(g, Tensor):  # create_graph: the weights depend on q and k
            p = self._weights(q, k)
        h = apply2(SoftmaxGrad(3), matmul(g, ctranspose(v)), p)
        return (
            matmul(h, k) * self.scale if self.needs[0] else None,
            matmul(ctranspose(h), q) * self.scale if self.needs[1] else None,
            matmul(ctranspose(p), g) if self.needs[2] else None,
        )

    def _weights(self, q: Tensor, k: Tensor) -> Tensor:
        """Recompute the weights as a function of q and k."""
        scores = matmul(q * self.scale, ctranspose(k))
        mask = None if self.mask is None else wrap(self.mask, q._device)
        if self.causal:
            seen = causal_bias(*scores._data.shape[2:], q._data.dtype)
            scores = scores + wrap(array_module(q._data).asarray(seen), q._device)
        return probabilities(scores if mask is None else scores + mask, mask)


def _by_kernel(q: Any) -> bool:
    """Whether a kernel computes attention to these queries, not NumPy's formulas."""
    return type(q) is np.ndarray and q.dtype.char in "fd" and not plain()


@lru_cache(32)
def causal_bias(queries: int, keys: int, dtype: Any) -> Any:
    """0 for keys up to each query's position, −∞ for later ones.

    Example:
        >>> causal_bias(2, 2, np.float32)
        array([[  0., -inf],
               [  0.,   0.]], dtype=float32)
    """
    later = np.full((queries, keys), -np.inf, np.float32)
    mask = np.triu(later, 1).astype(dtype)
    mask.flags.writeable = False
    return mask


def _fully_masked(mask: Any) -> Any:
    """The queries for which all keys are masked; None if there are none."""
    if mask is None:
        return None
    blind = (mask == -math.inf).all(-1, keepdims=True)
    return blind if blind.any() else None


def probabilities(scores: Tensor, mask: Tensor | None) -> Tensor:
    """Softmax along the last dimension; fully masked rows are 0."""
    if mask is None or _fully_masked(mask._data) is None:
        return safe_softmax(scores)
    blind = (mask == -math.inf).all(-1, keepdim=True)
    seen = masked_fill(scores, blind, 0.0)  # not nan, whose gradient is nan
    return masked_fill(softmax(seen, -1), blind, 0.0)


@composite
@reported
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """Values averaged with weights from the similarity of queries and keys.

    Math: y = p v, p = softmax(scale · q kᵀ + mask) along the keys
          ∂L/∂v = pᵀ g      h = p · (g vᵀ − Σ_keys g vᵀ · p)
          ∂L/∂q = scale · h k      ∂L/∂k = scale · hᵀ q
    Shape: (N, *, L, E), (N, *, S, E), (N, *, S, E') -> (N, *, L, E')

    Args:
        query: L queries.
        key: the keys of S values, compared with the queries.
        value: the values.
        attn_mask: True where a query may look, or numbers added to the scores.
        dropout_p: the probability of zeroing a weight (applied in evaluation, too).
        is_causal: no query looks at keys after its own place.
        scale: of the scores; by default 1/√E.
        enable_gqa: several heads of queries share one of keys and values.

    Raises:
        RuntimeError: for dtypes or shapes that do not fit, or mask and `is_causal`.

    Reference: Vaswani et al. (2017), "Attention is all you need".

    Example:
        >>> import edutorch as torch
        >>> q, k = torch.tensor([[1.0]]), torch.tensor([[100.0], [0.0]])
        >>> v = torch.tensor([[5.0], [7.0]])
        >>> torch.nn.functional.scaled_dot_product_attention(q, k, v)
        tensor([[5.]])
    """
    if _m.special_modes and scaled_dot_product_attention in _m.modes.autocast:
        return _m.autocast(
            scaled_dot_product_attention, query, key, value, attn_mask, dropout_p,
            is_causal, scale, enable_gqa,
        )  # fmt: skip
    if is_causal is not False and is_causal is not True:
        raise type_error("bool", "is_causal", is_causal, "scaled_dot_product_attention")
    if enable_gqa is not False and enable_gqa is not True:
        raise type_error(
            "bool", "enable_gqa", enable_gqa, "scaled_dot_product_attention"
        )
    need_tensors("scaled_dot_product_attention", query=query, key=key, value=value)
    _check(query, key, value, attn_mask)
    if query.shape[-2] == 0 or value.numel() == 0:
        return _attention_of_empty_input(query, key, value)
    _check_numbers(dropout_p, scale)
    s = 1 / math.sqrt(max(1, query.shape[-1])) if scale is None else float(scale)
    fused = allowed(_fused(query, key, value, attn_mask, dropout_p))
    if dropout_p != 0 and not dropout_p > 0 and _fused(query, key, value, attn_mask, 0):
        raise RuntimeError(  # PyTorch ignores negative values here, but not below
            "scaled_dot_product_attention_flash_attention: Currently do not support "
            "dropout > 0"
        )
    if is_causal and attn_mask is not None and not fused:
        raise RuntimeError(
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when "
            "is_causal=True"
        )
    mask = None if attn_mask is None else _additive(attn_mask, query)
    if fused:
        array = None if mask is None else mask._data
        return apply(Attention(s, array, is_causal), query, key, value)
    if is_causal:
        later = causal_bias(query.shape[-2], key.shape[-2], query._data.dtype)
        mask = wrap(array_module(query._data).asarray(later), query._device)
    if enable_gqa:
        key, value = _repeat_heads(query, key), _repeat_heads(query, value)
    return _attention_reference(query, key, value, mask, dropout_p, s)


def _fused(q: Any, k: Any, v: Any, mask: Tensor | None, dropout_p: float) -> bool:
    """Whether the fused op applies: heads of one size, no special options."""
    return (
        q.ndim == k.ndim == v.ndim == 4
        and q.shape[-1] == k.shape[-1] == v.shape[-1]
        and q.shape[:2] == k.shape[:2] == v.shape[:2]
        and k.shape[2] == v.shape[2]
        and min(q.numel(), k.numel()) > 0
        and dropout_p == 0
        and q.dtype.is_floating_point
        and (mask is None or _mask_fits(mask, (*q.shape[:3], k.shape[2])))
    )


def _mask_fits(mask: Tensor, shape: tuple[int, ...]) -> bool:
    """Whether a mask is a constant that broadcasts to the scores."""
    sizes = tuple(mask.shape)[::-1]
    same = all(n in (1, m) for n, m in zip(sizes, shape[::-1], strict=False))
    return same and mask.ndim <= 4 and not mask.requires_grad


def _attention_reference(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, dropout_p: float, s: float
) -> Tensor:
    """Attention composed of ops, in single precision for 16-bit inputs."""
    kind = q.dtype
    if kind in (dtypes.float16, dtypes.bfloat16):
        q, k, v = q.float(), k.float(), v.float()
    root = math.sqrt(s) if s >= 0 else s / math.sqrt(-s)
    keys = mul_number(ctranspose(k), abs(root))
    scores = matmul(mul_number(q, root), keys)  # (*, L, S)
    if mask is not None:
        shape = scores.shape
        scores = scores + mask.to(scores.dtype)
        if scores.shape != shape:
            raise RuntimeError(
                f"output with shape {list(shape)} doesn't match the broadcast shape "
                f"{list(scores.shape)}"
            )
    weights = probabilities(scores, mask)
    if dropout_p > 0:  # no dropout if it is negative or nan
        if dropout_p > 1:
            raise RuntimeError(
                f"dropout probability has to be between 0 and 1, but got {dropout_p:g}"
            )
        weights = dropout(weights, dropout_p)
    return matmul(weights, v).to(kind)


def _additive(mask: Tensor, query: Tensor) -> Tensor:
    """The mask to add to the scores: 0 where attention is allowed, −∞ elsewhere."""
    if mask.dtype is not dtypes.bool_:
        return mask
    may, no = query.new_zeros(()), query.new_full((), -math.inf)
    added: Tensor = where(mask, may, no)
    return added


def _repeat_heads(query: Tensor, x: Tensor) -> Tensor:
    """Repeat heads of keys or values for all query heads that share them."""
    heads, own = query.size(-3), x.size(-3)
    if own == 0 or heads % own:
        raise RuntimeError(
            "Number of heads in key and value must divide the number of heads in "
        )
    if own == heads:
        return x
    y: Tensor = repeat_interleave(x, heads // own, -3)
    return y


def _check(q: Tensor, k: Tensor, v: Tensor, mask: Any) -> None:
    short = [x.dtype.c_name for x in (q, k, v)]
    if not q.dtype is k.dtype is v.dtype:
        raise RuntimeError(
            "Expected query, key, and value to have the same dtype, but got "
            f"query.dtype: {short[0]} key.dtype: {short[1]} and value.dtype: "
            f"{short[2]} instead."
        )
    if not q._device is k._device is v._device:
        raise RuntimeError(
            "Expected query, key, and value to have the same device type, but got "
            f"query.device: {q.device} key.device: {k.device} and value.device: "
            f"{v.device} instead."
        )
    if min(q.ndim, k.ndim, v.ndim) < 2:
        raise RuntimeError(
            "Expected query, key, and value to all be  at least 2 dimensional, but got "
            f"query.dim: {q.ndim} key.dim: {k.ndim} and value.dim: {v.ndim} instead."
        )
    if mask is not None:
        _check_mask(mask, q, short[0])


def _attention_of_empty_input(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Zeros, which depend on the operands as far as the graph is concerned."""
    y: Tensor = q.new_zeros((*q.shape[:-1], v.shape[-1]))
    if any(x._requires_grad for x in (q, k, v)):
        return y + (q.sum() + k.sum() + v.sum()) * 0.0
    return y


def _check_mask(mask: Any, q: Tensor, short: str) -> None:
    if not isinstance(mask, Tensor):
        raise argument_error() or TypeError(
            "scaled_dot_product_attention(): argument 'attn_mask' (position 4) must be "
            f"Tensor, not {type(mask).__name__}"
        )
    if mask.dtype not in (dtypes.bool_, dtypes.float32, q.dtype):
        found = mask.dtype.c_name
        raise RuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but "
            f"got attn_mask.dtype: {found} and  query.dtype: {short} "
            "instead."
        )
    if q.ndim == 4:
        dim_unless_scalar(-2, mask.ndim)


def _check_numbers(dropout_p: float, scale: Any) -> None:
    check_call(isinstance(dropout_p, (int, float)))
    if scale is not None and not isinstance(scale, (int, float)):
        raise argument_error() or TypeError(
            "scaled_dot_product_attention(): argument 'scale' must be float, not "
            f"{type(scale).__name__}"
        )
